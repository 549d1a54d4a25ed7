// SPDX-License-Identifier: Apache-2.0
// ply11_encode_pipe: a move to an index of 11 bits, in stages.
// It computes what ply11_encode does, with the same names. It is cut so that each register has at most two LUTs
// before it. The digit behind a name is the number of the stage that gives it. Where m_is_move is 0,
// m_index has no meaning.
// Latency: 7 clocks. Throughput: one a clock.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_pipe #(
  // 1: valid/ready on both sides; the whole pipeline stops while the output is not taken.
  // 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
  parameter HANDSHAKE = 1
) (
  input  wire        clk,          // the clock; all ports belong to its rising edge
  input  wire        rst,          // synchronous reset, active high

  input  wire        s_valid,      // 1: a beat is offered
  output wire        s_ready,      // 1: the beat is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [ 5:0] s_from,       // square, 0 a1 .. 63 h8
  input  wire [ 5:0] s_to,         // square, 0 a1 .. 63 h8
  input  wire [ 2:0] s_promotion,  // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen

  output wire        m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output reg  [10:0] m_index,      // 0..1967, if m_is_move is 1
  output reg         m_is_move   // 1: some piece moves so
);

  generate
    if (HANDSHAKE < 0 || HANDSHAKE > 1) begin : g_check_handshake
      ply11_encode_pipe_handshake_is_0_or_1 u_check ();
    end
  endgenerate

  reg  [6:0] valid;
  wire       en = (HANDSHAKE == 0) || m_ready || !valid[6];

  assign s_ready = en;
  assign m_valid = valid[6];

  always @(posedge clk) begin
    if (rst) valid <= 7'd0;
    else if (en) valid <= {valid[5:0], s_valid};
  end

  // 1. The differences less one, but for their high bits; the carries into those. What of a promotion
  // can be told at once.
  wire [2:0] ff = s_from[2:0];
  wire [2:0] fr = s_from[5:3];
  wire [2:0] tf = s_to[2:0];
  wire [2:0] tr = s_to[5:3];

  reg [2:0] ff1, fr1, tf1, tr1, p1;
  reg [1:0] df1, dr1;
  reg cf1, cr1, none1, rank1, j4_1, j2_1, j1_1;
  always @(posedge clk) if (en) begin
    ff1   <= ff;
    fr1   <= fr;
    tf1   <= tf;
    tr1   <= tr;
    p1    <= s_promotion;
    df1   <= {~(ff[1] ^ tf[1]) ^ (tf[0] & ~ff[0]), ~(ff[0] ^ tf[0])};
    dr1   <= {~(fr[1] ^ tr[1]) ^ (tr[0] & ~fr[0]), ~(fr[0] ^ tr[0])};
    cf1   <= tf[1] & ~ff[1] | (tf[1] | ~ff[1]) & tf[0] & ~ff[0];
    cr1   <= tr[1] & ~fr[1] | (tr[1] | ~fr[1]) & tr[0] & ~fr[0];
    none1 <= ~s_promotion[1] & ~s_promotion[0];
    rank1 <= fr[2] == fr[1] & fr[1] != fr[0] & tr[0] == fr[2];
    j4_1  <= ff[2] & ff[1] | tf[2] & tf[1];
    j2_1  <= ff[1] ^ tf[2] ^ (ff[0] & tf[1]);
    j1_1  <= ff[0] ^ tf[1];
  end

  // 2. The high bits and the directions.
  reg [2:0] ff2, fr2, tf2, tr2, p2, df2, dr2;
  reg [4:1] j2;
  reg right2, up2, none2, rank2;
  always @(posedge clk) if (en) begin
    ff2    <= ff1;
    fr2    <= fr1;
    tf2    <= tf1;
    tr2    <= tr1;
    p2     <= p1;
    df2    <= {~(tf1[2] ^ ff1[2]) ^ cf1, df1};
    dr2    <= {~(tr1[2] ^ fr1[2]) ^ cr1, dr1};
    right2 <= tf1[2] & ~ff1[2] | (tf1[2] | ~ff1[2]) & cf1;
    up2    <= tr1[2] & ~fr1[2] | (tr1[2] | ~fr1[2]) & cr1;
    none2  <= none1;
    rank2  <= rank1 & tr1[1] == fr1[2] & tr1[2] == fr1[2];
    j2     <= {j4_1, ~j4_1 & (ff1[2] | ff1[1] & ff1[0]), j2_1, j1_1};
  end

  // 3. The mirrors, which differences are 0, 1 or 2, and where the mirrored target is.
  reg [2:0] ff3, fr3, p3, df3, dr3;
  reg [4:1] j3;
  reg tf0_3, sx3, sy3, m3, same_file3, same_rank3, near_file3, near_rank3, beside3, odd3, T3, W3;
  reg none3, rank3;
  always @(posedge clk) if (en) begin
    ff3        <= ff2;
    fr3        <= fr2;
    tf0_3      <= tf2[0];
    p3         <= p2;
    df3        <= df2;
    dr3        <= dr2;
    sx3        <= ~right2;
    sy3        <= ~up2;
    m3         <= right2 ^ up2;
    same_file3 <= &df2;
    same_rank3 <= &dr2;
    near_file3 <= right2 ? df2 == 0 | df2 == 1 : df2 == 6 | df2 == 5;
    near_rank3 <= up2 ? dr2 == 0 | dr2 == 1 : dr2 == 6 | dr2 == 5;
    beside3    <= df2 == 7 | right2 & df2 == 0 | ~right2 & df2 == 6;
    odd3       <= df2[0] ^ dr2[0];
    T3         <= (tf2[2] ^ ~right2) & (tf2[1] ^ ~right2);
    W3         <= (tr2[2] ^ ~up2) & ((tr2[1] ^ ~up2) | (tr2[0] ^ ~up2));
    none3      <= none2;
    rank3      <= rank2;
    j3         <= j2;
  end

  // 4. Which line or rectangle. W4 is W where T is not.
  reg [2:0] ff4, fr4, p4, slide4;
  reg [4:1] j4;
  reg tf0_4, sx4, sy4, m4, same_file4, same_rank4, one_file4, T4, T7_4, V4, W4;
  reg knight4, odd4, near4, diagonal4, carry4, high4, none4, promotion4;
  always @(posedge clk) if (en) begin
    ff4        <= ff3;
    fr4        <= fr3;
    tf0_4      <= tf0_3;
    p4         <= p3;
    sx4        <= sx3;
    sy4        <= sy3;
    m4         <= m3;
    same_file4 <= same_file3;
    same_rank4 <= same_rank3;
    one_file4  <= ~df3[0];
    slide4     <= same_rank3 ? df3 : dr3;
    T4         <= T3;
    T7_4       <= T3 & ~(tf0_3 ^ ~sx3);
    V4         <= T3 ? tf0_3 ^ ~m3 : W3;
    W4         <= ~T3 & W3;
    odd4       <= odd3;
    near4      <= near_file3 & near_rank3;
    knight4    <= odd3 & near_file3 & near_rank3 & ~p3[2];
    diagonal4  <= ~(df3[1] ^ dr3[1] ^ (m3 & ~dr3[0]));
    carry4     <= m3 & ~(dr3[1] & dr3[0]);
    high4      <= df3[2] ^ dr3[2];
    none4      <= none3;
    promotion4 <= rank3 & beside3;
    j4         <= j3;
  end

  // 5. A knight's n - 1, file and rank; the axis.
  reg [2:0] ff5, fr5, p5, slide5, kn5, kf5, kr5;
  reg tf0_5, same_file5, same_rank5, knight5, odd5, near5, diagonal5, none5, promotion5;
  reg axis0_5, axis1_5, j4_5, j2_5, j1_5;
  always @(posedge clk) if (en) begin
    ff5        <= ff4;
    fr5        <= fr4;
    tf0_5      <= tf0_4;
    p5         <= p4;
    same_file5 <= same_file4;
    same_rank5 <= same_rank4;
    slide5     <= slide4;
    knight5    <= knight4;
    odd5       <= odd4;
    near5      <= near4;
    diagonal5  <= diagonal4 & ~(high4 ^ carry4);
    none5      <= none4;
    promotion5 <= promotion4;
    axis0_5    <= p4[2] ? j4[3] : ~same_file4 & ~same_rank4;
    axis1_5    <= same_file4 | ~same_rank4 & (m4 ^ knight4);
    {j4_5, j2_5, j1_5} <= {j4[4], j4[2], j4[1]};
    kn5        <= {
      one_file4 ? (T4 | V4 ? sy4 : ~sy4) : T4 ? V4 : V4 ? ~sy4 : 1'b0,
      one_file4 ? (T4 ? 1'b0 : V4 ? ~sy4 : sy4) : T4 ? V4 : ~V4,
      T4 == one_file4
    };
    kf5        <= {
      one_file4 ? (T4 | W4 ? sx4 : ff4[2]) : T4 ? (T7_4 ? sx4 : fr4[2] ^ m4) : W4 ? fr4[1] ^ m4 : sx4,
      T4 & (one_file4 | T7_4) ? sx4
        : one_file4 ? (W4 ? fr4[1] ^ m4 : ff4[1]) : (W4 ? fr4[0] : fr4[1]) ^ m4,
      one_file4 ? (T4 ? tf0_4 : W4 ? ~fr4[0] ^ m4 : ff4[0])
        : T7_4 ? sx4 : W4 ? ff4[0] : fr4[0] ^ m4
    };
    kr5        <= {
      one_file4 ? (W4 ? ff4[2] ^ m4 : fr4[2]) : T7_4 ? fr4[2] : sy4,
      one_file4 ? (W4 ? ff4[1] ^ m4 : fr4[1]) : T7_4 ? fr4[1] : T4 | W4 ? sy4 : ff4[1] ^ m4,
      one_file4 ? (W4 ? ff4[0] ^ m4 : fr4[0])
        : T7_4 ? fr4[0] : T4 ? sy4 : (W4 ? ff4[1] : ff4[0]) ^ m4
    };
  end

  // 6. Slider, knight or promotion.
  wire promo = p5[2];
  reg [10:0] index6;
  reg line6, promo6, promotion6;
  always @(posedge clk) if (en) begin
    index6 <= {
      promo ? 3'd7 : knight5 ? kn5 : slide5,
      promo ? j4_5 : axis1_5, axis0_5,
      promo ? {j2_5, j1_5} : knight5 ? kr5[2:1] : fr5[2:1], knight5 ? kr5[0] : fr5[0],
      promo ? {p5[1:0], tf0_5} : knight5 ? kf5 : ff5
    };
    line6      <= (same_file5 | same_rank5 | (odd5 ? near5 : diagonal5))
      & ~(same_file5 & same_rank5) & none5;
    promo6     <= promo;
    promotion6 <= promotion5;
  end

  // 7. Is it a move.
  always @(posedge clk) if (en) begin
    m_index   <= index6;
    m_is_move <= promo6 ? promotion6 : line6;
  end

`ifdef FORMAL
  // The rules, for any input, idle and back-pressure, after a reset:
  //   1. m_valid and what goes with it wait, unchanged, for m_ready; without HANDSHAKE, for nothing;
  //   2. while they wait nothing is taken, and no register of the pipeline changes; else there is no
  //      waiting at the input;
  //   3. nothing is lost, doubled or made up: what was taken and not given out is what valid counts;
  //   4. order: any one transfer, chosen by the solver, comes out when 6 more clocks with s_ready have
  //      gone by, and is alone in its place.
  // That the data move on as they should, formal/ply11_encode_pipe_data.v proves.
  wire        f_wait = (HANDSHAKE != 0) && m_valid && !m_ready;
  wire        f_take = s_valid && s_ready;
  wire        f_give = m_valid && !f_wait;
  // The registers of each stage.
  wire [25:0] f_1 = {ff1, fr1, tf1, tr1, p1, df1, dr1, cf1, cr1, none1, rank1, j4_1, j2_1, j1_1};
  wire [28:0] f_2 = {ff2, fr2, tf2, tr2, p2, df2, dr2, j2, right2, up2, none2, rank2};
  wire [32:0] f_3 = {ff3, fr3, p3, df3, dr3, j3, tf0_3, sx3, sy3, m3, same_file3, same_rank3,
                     near_file3, near_rank3, beside3, odd3, T3, W3, none3, rank3};
  wire [34:0] f_4 = {ff4, fr4, p4, slide4, j4, tf0_4, sx4, sy4, m4, same_file4, same_rank4,
                     one_file4, T4, T7_4, V4, W4, knight4, odd4, near4, diagonal4, carry4, high4,
                     none4, promotion4};
  wire [34:0] f_5 = {ff5, fr5, p5, slide5, kn5, kf5, kr5, tf0_5, same_file5, same_rank5, knight5,
                     odd5, near5, diagonal5, none5, promotion5, axis0_5, axis1_5, j4_5, j2_5, j1_5};
  wire [13:0] f_6 = {index6, line6, promo6, promotion6};
  wire [11:0] f_7 = {m_index, m_is_move};
  wire [190:0] f_state = {valid, f_1, f_2, f_3, f_4, f_5, f_6, f_7};

  (* anyseq *) wire f_choose;
  reg         f_started, f_waited;
  reg [190:0] f_before;
  reg [3:0]   f_inside;   // transfers taken and not given out
  reg [2:0]   f_stage;    // where the chosen one is: 1 to 7, 0 before and after
  initial f_started = 1'b0;

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_waited  <= f_wait && !rst;
    f_before  <= f_state;
    f_inside  <= rst ? 4'd0 : f_inside + {3'd0, f_take} - {3'd0, f_give};
    if (rst) f_stage <= 3'd0;
    else if (f_stage == 3'd0) f_stage <= f_take && f_choose ? 3'd1 : 3'd0;
    else if (s_ready) f_stage <= f_stage + 3'd1;
    if (!f_started) assume (rst);
    if (f_started) begin
      if (f_waited) begin
        a_hold: assert (f_state == f_before);
      end
      a_ready: assert (s_ready == !f_wait);
      a_count: assert (f_inside == {3'd0, valid[0]} + {3'd0, valid[1]} + {3'd0, valid[2]}
        + {3'd0, valid[3]} + {3'd0, valid[4]} + {3'd0, valid[5]} + {3'd0, valid[6]});
      if (f_stage != 3'd0) begin
        a_order: assert (valid[f_stage - 3'd1]);
      end
      c_full: cover (&valid && f_stage == 3'd7);
      c_hold: cover ((HANDSHAKE == 0 || f_waited) && m_valid && m_is_move);
    end
  end
`endif

endmodule

`resetall
