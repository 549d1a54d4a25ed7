// SPDX-License-Identifier: Apache-2.0
// ply11_gearbox - regroups a stream of IN-bit words into OUT-bit words, low bits first.
//
// ply11_unpack and ply11_pack are made with it. Bit i of the stream is bit i mod IN of input word i div IN, and bit
// i mod OUT of output word i div OUT.
//
// Throughput: while m_ready is 1 and there is input, the narrower side moves in every clock. The wider side moves
// each time the narrower one has filled or emptied it.
// Latency: with IN < OUT, an output word is offered two clocks after the input word that completes it was accepted.
// With IN > OUT, the first output word is offered three clocks after the input word was accepted. Each word after it
// comes one clock later.
// Handshake: m_valid, m_data and m_last come from registers. They do not change while m_ready is 0. The whole module
// moves in each clock in which `en` = !m_valid || m_ready is 1. s_ready is combinational from m_ready.
//
// What each clock with `en` does to the registers:
//   IN > OUT ("narrow"): hist has the IN bits of a word while full is 1. The next output word starts at its bit pos,
//     0..IN-1. last is the word's s_last.
//       !full                     s_ready is 1. An accepted word becomes hist, and pos becomes 0.
//       pos + OUT < IN            the output word is cut from hist. pos grows by OUT.
//       pos + OUT == IN, or last  the output word is cut from hist. Missing bits are ones, and m_last is last.
//                                 s_ready is 1. An accepted word becomes hist with pos 0. Without one, full
//                                 becomes 0.
//       otherwise                 s_ready is 1. With s_valid the output word is cut from {s_data, hist}, hist
//                                 becomes s_data, and pos grows by OUT - IN. Without s_valid nothing moves.
//   IN < OUT ("wide"): hist has the last accepted words. cnt, 0..OUT-1, is the number of its bits that are not output
//     yet; the register holds cnt + IN - OUT. s_ready is `en` && !flush. An accepted word goes to the top of hist, and
//     cnt grows by IN. When cnt reaches OUT, an output word leaves, and cnt falls by OUT. If a word with s_last leaves
//     cnt > 0, flush becomes 1: then words of ones go in until an output word leaves, with m_last, and cnt is 0.
//     If a word with s_last leaves cnt = 0, it gives an output word with m_last.
// The word that was cut passes two registers (the coarse and the fine half of the shifter).
// rst empties the module: the bits of an unfinished word are lost.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_gearbox #(
  // Width of an input word in bits, 3..64; not equal to OUT.
  parameter IN = 8,
  // Width of an output word in bits, 3..64.
  parameter OUT = 11
) (
  input  wire           clk,      // the clock; all ports belong to its rising edge
  input  wire           rst,      // synchronous reset, active high

  input  wire           s_valid,  // 1: a word is offered
  output wire           s_ready,  // 1: the word is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [IN-1:0]  s_data,   // the word; its low bits come first
  input  wire           s_last,   // 1: pad with ones to a whole output word after this word

  output wire           m_valid,  // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire           m_ready,  // 1: the beat is taken in this clock if m_valid is 1
  output wire [OUT-1:0] m_data,   // the word; its low bits come first
  output wire           m_last    // 1: the padding, if any, is in this word
);

  generate
    if (IN < 3 || IN > 64) begin : g_check_in
      ply11_gearbox_in_is_3_to_64 u_check ();
    end
    if (OUT < 3 || OUT > 64) begin : g_check_out
      ply11_gearbox_out_is_3_to_64 u_check ();
    end
    if (IN == OUT) begin : g_check_equal
      ply11_gearbox_in_is_not_out u_check ();
    end
  endgenerate

  reg v1_q, v2_q, last1_q, last2_q;
  reg [OUT-1:0] data2_q;

  wire en = !v2_q || m_ready;
  assign m_valid = v2_q;
  assign m_data  = data2_q;
  assign m_last  = last2_q;

  generate
    if (IN > OUT) begin : g_narrow
      localparam PW = $clog2(IN);      // bits of a position
      localparam LO = (PW > 3) ? 2 : 1; // bits of the fine shift
      localparam [PW:0] FIRST = OUT[PW:0] - IN[PW:0];

      reg  [IN-1:0]   hist_q;
      reg             full_q, last_q;
      reg  [PW-1:0]   pos_q;
      // over_q is pos + OUT - IN in two's complement: its sign says whether hist holds a whole
      // output word and more, its low bits are the next pos when it does not.
      reg  [PW:0]     over_q;
      wire            done  = !over_q[PW];
      wire            whole = last_q || over_q == {(PW+1){1'b0}};   // needs no bit of the next word
      wire            emit  = full_q && (!done || whole || s_valid);
      wire            load  = s_valid && (!full_q || done);

      wire [IN+OUT-2:0] window = {last_q ? {(OUT-1){1'b1}} : s_data[OUT-2:0], hist_q};
      // Coarse shift, then fine shift: room for OUT bits plus 2**LO - 1.
      localparam CW = OUT + (1 << LO) - 1;
      reg  [CW-1:0]   coarse1_q;
      reg  [LO-1:0]   fine1_q;
      wire [IN+OUT+(1<<LO)-2:0] padded = {{(1<<LO){1'b0}}, window};
      /* verilator lint_off UNUSEDSIGNAL */
      wire [IN+OUT+(1<<LO)-2:0] coarse = padded >> {pos_q[PW-1:LO], {LO{1'b0}}};
      wire [CW-1:0] fine = coarse1_q >> fine1_q;
      /* verilator lint_on UNUSEDSIGNAL */

      assign s_ready = en && (!full_q || done);

      always @(posedge clk) begin
        if (en) begin
          v1_q <= emit;
          v2_q <= v1_q;
          if (emit) begin
            if (done && last_q) begin
              pos_q  <= {PW{1'b0}};
              over_q <= FIRST;
            end else begin
              pos_q  <= done ? over_q[PW-1:0] : pos_q + OUT[PW-1:0];
              over_q <= over_q + (done ? FIRST : OUT[PW:0]);
            end
          end
          if (load) begin
            hist_q <= s_data;
            last_q <= s_last;
            full_q <= 1'b1;
          end else if (done && whole) begin
            full_q <= 1'b0;
          end
          coarse1_q <= coarse[CW-1:0];
          fine1_q   <= pos_q[LO-1:0];
          last1_q   <= last_q && done;
          data2_q   <= fine[OUT-1:0];
          last2_q   <= last1_q;
        end
        if (rst) begin
          full_q <= 1'b0;
          pos_q  <= {PW{1'b0}};
          over_q <= FIRST;
          v1_q   <= 1'b0;
          v2_q   <= 1'b0;
        end
      end
    end else begin : g_wide
      // Words kept, so that hist and the new word hold OUT - 1 + IN bits at least.
      localparam H  = (OUT - 2 + IN) / IN;
      localparam CW = $clog2(OUT);      // bits of a count
      localparam [CW:0] FIRST = IN[CW:0] - OUT[CW:0];
      localparam SW = $clog2(IN);       // bits of the shift 0..IN-1
      localparam LO = (SW > 3) ? 2 : 1;
      localparam WW = (H + 1) * IN;

      reg  [H*IN-1:0]  hist_q;
      // left_q is cnt + IN - OUT in two's complement: not negative when the next word completes an
      // output word, and then the number of its bits that stay.
      reg  [CW:0]      left_q;
      reg              flush_q;
      wire [IN-1:0]    word  = flush_q ? {IN{1'b1}} : s_data;
      wire             go    = flush_q || s_valid;
      wire             full  = !left_q[CW];
      wire             exact = left_q == {(CW+1){1'b0}};

      // The output word ends `left` bits below the top: shift up, take the top.
      localparam FW = OUT + (1 << LO) - 1;
      reg  [FW-1:0]    coarse1_q;
      reg  [LO-1:0]    fine1_q;
      wire [WW-1:0]    window = {word, hist_q};
      /* verilator lint_off UNUSEDSIGNAL */
      wire [WW-1:0]    coarse = window << {left_q[SW-1:LO], {LO{1'b0}}};
      wire [FW-1:0]    fine   = coarse1_q << fine1_q;
      /* verilator lint_on UNUSEDSIGNAL */

      assign s_ready = en && !flush_q;

      always @(posedge clk) begin
        if (en) begin
          v1_q <= go && full;
          v2_q <= v1_q;
          if (go) begin
            hist_q <= window[WW-1:IN];
            left_q <= (full && flush_q) ? FIRST : left_q + (full ? FIRST : IN[CW:0]);
            flush_q <= flush_q ? !full : s_last && !exact;
          end
          coarse1_q <= coarse[WW-1 -: FW];
          fine1_q   <= left_q[LO-1:0];
          last1_q   <= flush_q || (s_last && exact);
          data2_q   <= fine[FW-1 -: OUT];
          last2_q   <= last1_q;
        end
        if (rst) begin
          left_q  <= FIRST;
          flush_q <= 1'b0;
          v1_q    <= 1'b0;
          v2_q    <= 1'b0;
        end
      end
    end
  endgenerate

`ifdef FORMAL
  // For any input, idle and back-pressure: an output word waits unchanged for m_ready.  That no bit is
  // lost, doubled or moved is proved in formal/ply11_gearbox_data.v.
  reg           f_started;
  reg           f_stall;
  reg [OUT-1:0] f_data;
  reg           f_last;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_data  <= m_data;
    f_last  <= m_last;
    if (f_started && f_stall) begin
      a_hold: assert (m_valid && m_data == f_data && m_last == f_last);
      c_hold: cover (m_ready);
    end
  end
`endif

endmodule

`resetall
