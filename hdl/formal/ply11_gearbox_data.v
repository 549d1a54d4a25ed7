// SPDX-License-Identifier: Apache-2.0
// The stream that leaves ply11_gearbox is the stream that came in, for any input, idle, back-pressure and
// padding: one bit at a free position is followed through, no bit leaves before it came, and m_last
// stands on the word that ends a frame and on no word before it. ok is 0 where that fails, from a reset
// in the first clock on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_gearbox_data #(
  parameter IN  = 8,
  parameter OUT = 11
) (
  input  wire          clk,
  input  wire          s_valid,
  input  wire [IN-1:0] s_data,
  input  wire          s_last,
  input  wire          m_ready,
  input  wire [8:0]    place,     // of the bit that is followed, taken in the first clock
  output wire          ok
);

  localparam FB = 11;

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started;

  wire           s_ready, m_valid, m_last;
  wire [OUT-1:0] m_data;
  ply11_gearbox #(.IN(IN), .OUT(OUT)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
  );

  reg [FB-1:0] f_bit, f_in, f_out, f_end;
  reg          f_value, f_known, f_end_known;
  wire         take = s_valid && s_ready;
  wire         give = m_valid && m_ready;
  wire [FB-1:0] sum  = f_in + IN;
  wire [FB-1:0] pad  = s_last ? ((sum + (OUT - 1)) / OUT) * OUT : sum;
  wire [FB-1:0] at   = f_bit - f_in;
  wire [FB-1:0] from = f_bit - f_out;

  always @(posedge clk) begin
    f_started <= 1'b1;
    if (rst) begin
      f_bit <= {2'd0, place};
      f_in <= {FB{1'b0}};
      f_out <= {FB{1'b0}};
      f_end <= {FB{1'b0}};
      f_value <= 1'b0;
      f_known <= 1'b0;
      f_end_known <= 1'b0;
    end else begin
      if (take) begin
        f_in <= pad;
        if (f_bit >= f_in && f_bit < pad) begin
          f_known <= 1'b1;
          f_value <= at < IN ? s_data[at] : 1'b1;
        end
        if (s_last && !f_end_known) begin
          f_end_known <= 1'b1;
          f_end <= pad;
        end
      end
      if (give) f_out <= f_out + OUT;
    end
  end

  wire covers = f_bit >= f_out && f_bit < f_out + OUT;
  assign ok = rst || !m_valid
              || (f_out + OUT <= f_in
                  && (!covers || (f_known && m_data[from] == f_value))
                  && (!f_end_known || f_out + OUT > f_end || m_last == (f_out + OUT == f_end)));

endmodule

`resetall
