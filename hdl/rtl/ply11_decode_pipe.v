// SPDX-License-Identifier: Apache-2.0
// ply11_decode_pipe: an index of 11 bits to a move, in stages.
// It computes what ply11_decode does, with the same names. It is cut so that each register has at most two LUTs
// before it. The digit behind a name is the number of the stage that gives it. One thing differs: in axis NW
// the file is not mirrored before and after the addition. Its step is negated beforehand, so no mirror stands
// in the way of the carries. For a control code m_is_move is 0, and the other outputs have no meaning.
// Latency: 4 clocks. Throughput: one a clock.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_pipe #(
  // 1: valid/ready on both sides; the whole pipeline stops while the output is not taken.
  // 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
  parameter HANDSHAKE = 1
) (
  input  wire        clk,          // the clock; all ports belong to its rising edge
  input  wire        rst,          // synchronous reset, active high

  input  wire        s_valid,      // 1: a beat is offered
  output wire        s_ready,      // 1: the beat is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [10:0] s_index,      // 0..1967 a move; others have no move

  output wire        m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output reg  [ 5:0] m_from,       // square, 0 a1 .. 63 h8
  output reg  [ 5:0] m_to,         // square, 0 a1 .. 63 h8
  output reg  [ 2:0] m_promotion,  // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output reg         m_is_move     // 1: s_index was below 1968
);

  generate
    if (HANDSHAKE < 0 || HANDSHAKE > 1) begin : g_check_handshake
      ply11_decode_pipe_handshake_is_0_or_1 u_check ();
    end
  endgenerate

  reg  [3:0] valid;
  wire       en = (HANDSHAKE == 0) || m_ready || !valid[3];

  assign s_ready = en;
  assign m_valid = valid[3];

  always @(posedge clk) begin
    if (rst) valid <= 4'd0;
    else if (en) valid <= {valid[2:0], s_valid};
  end

  // 1. Promotion or not, the mirrored file, the rank's wrapping and the file's as far as two bits
  // tell it, the rectangle without its half, the high bits of j modulo 3.
  wire [2:0] nm = s_index[10:8];
  wire       a1 = s_index[7];
  wire       a0 = s_index[6];
  wire [2:0] r = s_index[5:3];
  wire [2:0] f = s_index[2:0];
  wire       m = ~a1;
  wire       promo = nm[0] & nm[1] & nm[2];
  wire       wrl = nm[1] & r[1] | (nm[1] | r[1]) & (nm[0] | r[0]);
  wire       wf0 = nm[0] | ~(f[0] ^ m);

  reg [2:0] nm1, r1, f1, fm1;
  reg promo1, a1_1, a0_1, wr1, wfl1, h1_1, w1_1, w0_1, move1;
  always @(posedge clk) if (en) begin
    nm1    <= nm;
    a1_1   <= a1;
    a0_1   <= a0;
    r1     <= r;
    f1     <= f;
    promo1 <= promo;
    fm1    <= {promo ? ~r[0] : f[2] ^ m, promo ? ~r[0] : f[1] ^ m, f[0] ^ m};
    wr1    <= nm[2] & r[2] | (nm[2] | r[2]) & wrl;
    wfl1   <= nm[1] & ~(f[1] ^ m) | (nm[1] | ~(f[1] ^ m)) & wf0;
    h1_1   <= nm[2] ? ~nm[1] & ~nm[0] | nm[1] & nm[0] : nm[1];
    w1_1   <= ~promo | (a1 ? r[2] : a0 & ~r[2]);
    w0_1   <= ~promo | (a1 ? ~r[2] : r[2] & ~a0);
    move1  <= ~(promo & a1 & (a0 | r[2] & r[1]));
  end

  // 2. Knight or not, the mirrored rank, the file's candidates for the from-rank, and what a knight
  // or a promotion would step: even is 2 ranks and 1 file, down and left are the signs. ns is what a
  // slider adds to its file: n - 1, in axis NW its complement, and all ones, for 0, in axis N.
  wire wf = nm1[2] & ~fm1[2] | (nm1[2] | ~fm1[2]) & wfl1;
  wire pk0 = w1_1 ? ~r1[1] & f1[0] | w0_1 : w0_1 ? r1[1] & ~f1[0] : r1[1] == f1[0];
  wire pk1 = ~(w1_1 & w0_1)
    & (w1_1 ? ~(r1[1] & ~f1[0]) : w0_1 ? r1[1] ^ f1[0] : ~(~r1[1] & f1[0]));
  wire pf0 = f1[0] ^ ~pk0;
  wire pf1 = r1[1] ^ (pk0 & f1[0] | pk1 & ~pk0);
  wire pf2x = a0_1 & (r1[2] | r1[1] & f1[0]);
  wire h0 = nm1[0], h1 = h1_1;
  wire even = h1 ? ~h0 : h0 & ~(nm1[2] ^ wr1);
  wire down = promo1 ? r1[0] : wr1;

  reg [2:0] nm2, r2, f2, rm2, t2, ns2;
  reg promo2, kn2, h1_2, q2, left2, even2, down2, pk0_2, pk1_2, e2, nw2, move2;
  always @(posedge clk) if (en) begin
    nm2    <= nm1;
    r2     <= r1;
    f2     <= f1;
    promo2 <= promo1;
    kn2    <= promo1 | a0_1 & (wf ^ wr1);
    h1_2   <= h1;
    q2     <= nm1[2] ^ wr1;
    left2  <= ~promo1 & (wr1 == a1_1);
    even2  <= even;
    down2  <= down;
    pk0_2  <= pk0;
    pk1_2  <= pk1;
    rm2    <= promo1 ? {a1_1 | pf2x, pf1, pf0} : r1 ^ {3{~a1_1}};
    t2     <= {
      h1 & ~h0 ? ~fm1[1] : fm1[2],
      ~h1 & h0 ? fm1[2] : fm1[1],
      ~h1 & h0 ? fm1[1] : h1 & ~h0 ? ~fm1[0] : fm1[0]
    };
    e2     <= ~a1_1 & ~a0_1;
    ns2    <= a1_1 ? ~nm1 | {3{~a0_1}} : nm1;
    nw2    <= a1_1 & a0_1;
    move2  <= move1;
  end

  // 3. The from-square and the steps less one; back is a slider's file in axis NW, where
  // from - n = from + ~(n - 1) takes the step as it stands.
  wire own = ~kn2 | (h1_2 ? ~nm2[0] & q2 : ~q2);
  wire own0 = ~kn2 | (h1_2 ? ~nm2[0] & q2 : ~q2 | nm2[0]);
  wire inv = kn2 & ~h1_2 & ~(nm2[0] & q2);
  wire tf = kn2 & ~h1_2 ? f2[0] : f2[1];
  wire tr = h1_2 ? rm2[1] : rm2[0];

  reg [2:0] ff3, fr3, sf3, sr3, p3;
  reg back3, move3;
  always @(posedge clk) if (en) begin
    ff3 <= {own ? f2[2] ^ inv : rm2[2] ^ inv, own ? tf : tr, own0 ? f2[0] ^ inv : rm2[0]};
    fr3 <= {
      own ? r2[2] : own0 ? ~r2[2] : t2[2],
      own ? r2[1] : t2[1],
      own | promo2 ? r2[0] : t2[0]
    };
    sr3 <= {
      kn2 ? down2 : nm2[2] | e2,
      kn2 ? down2 & ~even2 : nm2[1] | e2,
      kn2 ? even2 : nm2[0] | e2
    };
    sf3 <= {
      (kn2 ? left2 : ns2[2]) | pk1_2,
      (kn2 ? even2 & left2 : ns2[1]) | pk1_2,
      (kn2 ? ~even2 : ns2[0]) & pk0_2
    };
    back3 <= nw2 & ~kn2;
    p3    <= {promo2, f2[2:1] & {2{promo2}}};
    move3 <= move2;
  end

  // 4. to = from + s + 1, or from + s where back.
  wire cr2 = fr3[1] & sr3[1] | (fr3[1] | sr3[1]) & (fr3[0] | sr3[0]);
  wire cf1 = ff3[0] & sf3[0] | (ff3[0] | sf3[0]) & ~back3;
  wire cf2 = ff3[1] & sf3[1] | (ff3[1] | sf3[1]) & cf1;
  always @(posedge clk) if (en) begin
    m_from <= {fr3, ff3};
    m_to   <= {
      fr3[2] ^ sr3[2] ^ cr2,
      fr3[1] ^ sr3[1] ^ (fr3[0] | sr3[0]),
      fr3[0] ^ ~sr3[0],
      ff3[2] ^ sf3[2] ^ cf2,
      ff3[1] ^ sf3[1] ^ cf1,
      ff3[0] ^ sf3[0] ^ ~back3
    };
    m_promotion <= p3;
    m_is_move   <= move3;
  end

`ifdef FORMAL
  // The rules, for any input, idle and back-pressure, after a reset:
  //   1. m_valid and what goes with it wait, unchanged, for m_ready; without HANDSHAKE, for nothing;
  //   2. while they wait nothing is taken, and no register of the pipeline changes; else there is no
  //      waiting at the input;
  //   3. nothing is lost, doubled or made up: what was taken and not given out is what valid counts;
  //   4. order: any one transfer, chosen by the solver, comes out when 3 more clocks with s_ready have
  //      gone by, and is alone in its place.
  // That the data move on as they should, formal/ply11_decode_pipe_data.v proves.
  wire        f_wait = (HANDSHAKE != 0) && m_valid && !m_ready;
  wire        f_take = s_valid && s_ready;
  wire        f_give = m_valid && !f_wait;
  // The registers of each stage.
  wire [20:0] f_1 = {nm1, r1, f1, fm1, promo1, a1_1, a0_1, wr1, wfl1, h1_1, w1_1, w0_1, move1};
  wire [29:0] f_2 = {nm2, r2, f2, rm2, t2, ns2, promo2, kn2, h1_2, q2, left2, even2, down2, pk0_2,
                     pk1_2, e2, nw2, move2};
  wire [16:0] f_3 = {ff3, fr3, sf3, sr3, p3, back3, move3};
  wire [15:0] f_4 = {m_from, m_to, m_promotion, m_is_move};
  wire [87:0] f_state = {valid, f_1, f_2, f_3, f_4};

  (* anyseq *) wire f_choose;
  reg        f_started, f_waited;
  reg [87:0] f_before;
  reg [2:0]  f_inside;   // transfers taken and not given out
  reg [2:0]  f_stage;    // where the chosen one is: 1 to 4, 0 before and after
  initial f_started = 1'b0;

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_waited  <= f_wait && !rst;
    f_before  <= f_state;
    f_inside  <= rst ? 3'd0 : f_inside + {2'd0, f_take} - {2'd0, f_give};
    if (rst) f_stage <= 3'd0;
    else if (f_stage == 3'd0) f_stage <= f_take && f_choose ? 3'd1 : 3'd0;
    else if (s_ready) f_stage <= f_stage == 3'd4 ? 3'd0 : f_stage + 3'd1;
    if (!f_started) assume (rst);
    if (f_started) begin
      if (f_waited) begin
        a_hold: assert (f_state == f_before);
      end
      a_ready: assert (s_ready == !f_wait);
      a_count: assert (f_inside == {2'd0, valid[0]} + {2'd0, valid[1]} + {2'd0, valid[2]}
        + {2'd0, valid[3]});
      a_stage: assert (f_stage <= 3'd4);
      if (f_stage != 3'd0) begin
        a_order: assert (|(valid & (4'd1 << (f_stage - 3'd1))));
      end
      c_full: cover (&valid && f_stage == 3'd4);
      c_hold: cover ((HANDSHAKE == 0 || f_waited) && m_valid && m_is_move);
    end
  end
`endif

endmodule

`resetall
