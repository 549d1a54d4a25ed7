// SPDX-License-Identifier: Apache-2.0
// ply11_encode_pipe: a move to an index of 11 bits, in stages.
// The arithmetic is that of ply11_encode, cut so that every register has one LUT before it, or two.
// index is free where is_move is 0.
// Latency: 7 clocks. Throughput: one a clock.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_pipe #(
  // 1: valid/ready on both sides; the whole pipeline stops while the output is not taken.
  // 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        s_valid,
  output wire        s_ready,
  input  wire [ 5:0] s_from,
  input  wire [ 5:0] s_to,
  input  wire [ 2:0] s_promotion,

  output wire        m_valid,
  input  wire        m_ready,
  output reg  [10:0] m_index,
  output reg         m_is_move
);

  reg  [6:0] valid;
  wire       en = (HANDSHAKE == 0) || m_ready || !valid[6];

  assign s_ready = en;
  assign m_valid = valid[6];

  always @(posedge clk) begin
    if (rst) valid <= 7'd0;
    else if (en) valid <= {valid[5:0], s_valid};
  end

  wire [2:0] f = s_from[2:0], r = s_from[5:3], g = s_to[2:0], h = s_to[5:3];
  // 1. Differences less one, and the carries out of two bits; j div 2 of a promotion.
  reg [2:0] fx1, fy1, tx1, ty1; reg [2:0] p1; reg ex0_1, ex1_1, ey0_1, ey1_1, cx1, cy1, np1, r1_1, j0_1, j3_1, j1_1;
  always @(posedge clk) if (en) begin
    fx1 <= f; fy1 <= r; tx1 <= g; ty1 <= h; p1 <= s_promotion;
    ex0_1 <= ~(f[0] ^ g[0]); ey0_1 <= ~(r[0] ^ h[0]);
    ex1_1 <= ~(f[1] ^ g[1]) ^ (g[0] & ~f[0]); ey1_1 <= ~(r[1] ^ h[1]) ^ (h[0] & ~r[0]);
    cx1 <= (g[1] & ~f[1]) | ((g[1] | ~f[1]) & g[0] & ~f[0]);
    cy1 <= (h[1] & ~r[1]) | ((h[1] | ~r[1]) & h[0] & ~r[0]);
    np1 <= ~s_promotion[1] & ~s_promotion[0];
    r1_1 <= r[2] == r[1] & r[1] != r[0] & h[0] == r[2];
    j0_1 <= f[0] ^ g[1]; j3_1 <= (f[2] & f[1]) | (g[2] & g[1]); j1_1 <= f[1] ^ g[2] ^ (f[0] & g[1]);
  end
  // 2. Third bits and signs.
  reg [2:0] fx2, fy2; reg [2:0] tx2, ty2; reg [2:0] p2; reg [2:0] ex2, ey2; reg gx2, gy2, np2, r2, j0_2, j1_2, j2_2, j3_2;
  always @(posedge clk) if (en) begin
    fx2 <= fx1; fy2 <= fy1; tx2 <= tx1; ty2 <= ty1; p2 <= p1; np2 <= np1;
    ex2 <= {~(tx1[2] ^ fx1[2]) ^ cx1, ex1_1, ex0_1}; ey2 <= {~(ty1[2] ^ fy1[2]) ^ cy1, ey1_1, ey0_1};
    gx2 <= (tx1[2] & ~fx1[2]) | ((tx1[2] | ~fx1[2]) & cx1); gy2 <= (ty1[2] & ~fy1[2]) | ((ty1[2] | ~fy1[2]) & cy1);
    r2 <= r1_1 & ty1[1] == fy1[2] & ty1[2] == fy1[2];
    j0_2 <= j0_1; j1_2 <= j1_1; j3_2 <= j3_1; j2_2 <= ~j3_1 & (fx1[2] | fx1[1] & fx1[0]);
  end
  // 3. Mirrors, what is zero, 1 or 2, and the targets' tests T and W.
  reg [2:0] fx3, fy3, p3, ex3, ey3; reg tx0_3, sx3, sy3, m3, zx3, zy3, kx3, ky3, ax3, T3, W3, odd3, np3, r3; reg [3:0] j3;
  always @(posedge clk) if (en) begin
    fx3 <= fx2; fy3 <= fy2; p3 <= p2; ex3 <= ex2; ey3 <= ey2; tx0_3 <= tx2[0]; sx3 <= ~gx2; sy3 <= ~gy2; m3 <= gx2 ^ gy2;
    zx3 <= &ex2; zy3 <= &ey2; np3 <= np2; r3 <= r2; j3 <= {j3_2, j2_2, j1_2, j0_2};
    kx3 <= gx2 ? ex2 == 0 | ex2 == 1 : ex2 == 6 | ex2 == 5;
    ky3 <= gy2 ? ey2 == 0 | ey2 == 1 : ey2 == 6 | ey2 == 5;
    ax3 <= ex2 == 7 | gx2 & ex2 == 0 | ~gx2 & ex2 == 6;
    T3 <= (tx2[2] ^ ~gx2) & (tx2[1] ^ ~gx2);
    W3 <= (ty2[2] ^ ~gy2) & ((ty2[1] ^ ~gy2) | (ty2[0] ^ ~gy2));
    odd3 <= ex2[0] ^ ey2[0];
  end
  // 4. Which line or rectangle.
  reg [2:0] fx4, fy4, p4, s4; reg tx0_4, sx4, sy4, m4, zx4, zy4, e4, T4, V4, t7_4, kn4, odd4, kk4, q4, t4, d4, np4, pr4, eW4; reg [3:0] j4;
  always @(posedge clk) if (en) begin
    fx4 <= fx3; fy4 <= fy3; p4 <= p3; tx0_4 <= tx0_3; sx4 <= sx3; sy4 <= sy3; m4 <= m3; zx4 <= zx3; zy4 <= zy3; e4 <= ~ex3[0];
    s4 <= zy3 ? ex3 : ey3; T4 <= T3; V4 <= T3 ? tx0_3 ^ ~m3 : W3;
    t7_4 <= T3 & ~(tx0_3 ^ ~sx3); odd4 <= odd3; kk4 <= kx3 & ky3; kn4 <= odd3 & kx3 & ky3 & ~p3[2];
    q4 <= ~(ex3[1] ^ ey3[1] ^ (m3 & ~ey3[0])); t4 <= m3 & ~(ey3[1] & ey3[0]); d4 <= ex3[2] ^ ey3[2];
    np4 <= np3; pr4 <= r3 & ax3; j4 <= j3; eW4 <= ~T3 & W3;
  end
  // 5. A knight's code and fields.
  reg [2:0] s5; reg kn2_5, kn1_5, kn0_5, kn5, a0_5, a1_5, diag5, kk5, odd5, zx5, zy5, np5, pr5; reg [2:0] p5; reg j5_3; reg [1:0] j5;
  reg tx0_5; reg [2:0] fx5, fy5; reg kf2, kf1, kf0, kr2, kr1, kr0;
  wire T = T4, V = V4, sy = sy4, even = e4, sx = sx4, m = m4, W = eW4;
  always @(posedge clk) if (en) begin
    s5 <= s4; kn5 <= kn4; p5 <= p4; j5_3 <= j4[3]; j5 <= j4[1:0]; tx0_5 <= tx0_4; fx5 <= fx4; fy5 <= fy4;
    kn2_5 <= even ? (T | V ? sy : ~sy) : T ? V : V ? ~sy : 1'b0;
    kn1_5 <= even ? (T ? 1'b0 : V ? ~sy : sy) : T ? V : ~V;
    kn0_5 <= T == even;
    a0_5 <= p4[2] ? j4[2] : ~zx4 & ~zy4; a1_5 <= zx4 | ~zy4 & (m4 ^ kn4);
    diag5 <= q4 & ~(d4 ^ t4); kk5 <= kk4; odd5 <= odd4; zx5 <= zx4; zy5 <= zy4; np5 <= np4; pr5 <= pr4;
    kf2 <= even ? (T | W ? sx : fx4[2]) : T ? (t7_4 ? sx : fy4[2] ^ m) : W ? fy4[1] ^ m : sx;
    kf1 <= T & (even | t7_4) ? sx : even ? (W ? fy4[1] ^ m : fx4[1]) : (W ? fy4[0] : fy4[1]) ^ m;
    kf0 <= even ? (T ? tx0_4 : W ? ~fy4[0] ^ m : fx4[0]) : t7_4 ? sx : W ? fx4[0] : fy4[0] ^ m;
    kr2 <= even ? (W ? fx4[2] ^ m : fy4[2]) : t7_4 ? fy4[2] : sy;
    kr1 <= even ? (W ? fx4[1] ^ m : fy4[1]) : t7_4 ? fy4[1] : T | W ? sy : fx4[1] ^ m;
    kr0 <= even ? (W ? fx4[0] ^ m : fy4[0]) : t7_4 ? fy4[0] : T ? sy : (W ? fx4[1] : fx4[0]) ^ m;
  end
  // 6. Slider, knight or promotion.
  wire q = p5[2];
  reg lk6, q6, pr6; reg [10:0] x6;
  always @(posedge clk) if (en) begin
    x6 <= {q ? 3'd7 : kn5 ? {kn2_5, kn1_5, kn0_5} : s5, q ? j5_3 : a1_5, a0_5, q ? j5 : kn5 ? {kr2, kr1} : fy5[2:1], kn5 ? kr0 : fy5[0],
      q ? {p5[1:0], tx0_5} : kn5 ? {kf2, kf1, kf0} : fx5};
    lk6 <= (zx5 | zy5 | (odd5 ? kk5 : diag5)) & ~(zx5 & zy5) & np5; q6 <= q; pr6 <= pr5;
    // 7
    m_index <= x6; m_is_move <= q6 ? pr6 : lk6;
  end
endmodule

`resetall
