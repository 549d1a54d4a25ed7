// SPDX-License-Identifier: Apache-2.0
// The stream that leaves ply11_gearbox is the stream that came in, however long it is, for any input,
// idle, back-pressure and padding. What is inside is counted: LEVEL bits came in, with their padding,
// and have not left. One bit of one word, of the prover's choice, is followed by the number of bits
// that have to leave before it; so is the end of one frame. ok is 0 where a word leaves that did not
// come, where the bit leaves with another value, where the end of a frame leaves without m_last or
// m_last stands where no frame ends, and where a word that waits changes. From the first clock on,
// which is a reset; a reset at any later clock empties the module.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_gearbox_stream #(
  parameter IN  = 8,
  parameter OUT = 11
) (
  input  wire          clk,
  input  wire          reset,
  input  wire          s_valid,
  input  wire [IN-1:0] s_data,
  input  wire          s_last,
  input  wire          m_ready,
  input  wire          choose,    // follow a bit of this word
  input  wire [5:0]    place,     // this one
  input  wire          padding,   // or the first bit of the padding after it
  output wire          ok
);

  // Words of output that may be inside, with the padding.
  localparam N  = (IN + OUT - 1) / OUT + 3;
  localparam LW = $clog2((N + 1) * OUT + IN + 1);
  localparam [LW-1:0] I = IN;
  localparam [LW-1:0] O = OUT;

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  wire           s_ready, m_valid, m_last;
  wire [OUT-1:0] m_data;
  ply11_gearbox #(.IN(IN), .OUT(OUT)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
  );

  wire take = s_valid && s_ready;
  wire give = m_valid && m_ready;

  // Bits inside, and how many leave before the chosen bit.
  reg  [LW-1:0] f_level, f_ahead;
  reg           f_follow, f_value;
  // The words that a number of bits is padded to.
  function [LW-1:0] words(input [LW-1:0] level);
    integer n;
    begin
      words = {LW{1'b0}};
      for (n = 0; n <= N; n = n + 1) if (level > n*OUT) words = n + 1;
    end
  endfunction
  wire [LW-1:0] sum   = f_level + I;
  wire [LW-1:0] count = words(sum);
  wire [LW-1:0] after = s_last ? count * O : sum;
  wire [LW-1:0] out   = give ? O : {LW{1'b0}};
  wire          pick  = take && choose && !f_follow && (padding ? s_last && after != sum : place < IN);

  // The ends of frames inside: bit n tells that a frame ends with word n from here.
  reg  [N:0]    f_end;
  wire [N:0]    ends = take && s_last ? {{N{1'b0}}, 1'b1} << (count - 1'b1) : {(N+1){1'b0}};

  // What waits.
  reg           f_stall, f_last;
  reg [OUT-1:0] f_data;

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_level <= (take ? after : f_level) - out;
    f_end <= give ? (f_end | ends) >> 1 : f_end | ends;
    if (pick) begin
      f_follow <= 1'b1;
      f_value <= padding || s_data[place];
      f_ahead <= (padding ? sum : f_level + place) - out;
    end else if (f_follow && give) begin
      if (f_ahead < O) f_follow <= 1'b0;
      f_ahead <= f_ahead - O;
    end
    f_stall <= m_valid && !m_ready;
    f_data <= m_data;
    f_last <= m_last;
    if (rst) begin
      f_level <= {LW{1'b0}};
      f_end <= {(N+1){1'b0}};
      f_follow <= 1'b0;
      f_stall <= 1'b0;
    end
  end

  assign ok = rst
    || ((!m_valid || (f_level >= O && m_last == f_end[0]
                      && (!f_follow || f_ahead >= O || m_data[f_ahead] == f_value)))
        && f_level <= N*OUT
        && (!f_stall || (m_valid && m_data == f_data && m_last == f_last))
        && (s_ready || m_valid || f_level >= O || f_end != 0));

endmodule

`resetall
