// SPDX-License-Identifier: Apache-2.0
// ply11_decode: an index of 11 bits to its move, by arithmetic.
// Latency: combinational. Throughput: one a clock behind registers.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode (
  input  wire [10:0] index,
  output wire [5:0] from,
  output wire [5:0] to,
  output wire [2:0] promotion,
  output wire is_move
);
  wire [2:0] nm = index[10:8], r = index[5:3], f = index[2:0];
  wire [1:0] ax = index[7:6];
  wire m = ~ax[1];
  wire [2:0] fm = f ^ {3{m}}, rm = r ^ {3{m}};
  wire promo = &nm;
  // wraps
  wire wr = nm >= ~r;
  wire wf = nm >= fm;
  wire kn = ax[0] & (wf ^ wr) & ~promo;
  wire q = nm[2] ^ wr;
  wire h1 = (nm[1] ^ nm[2]) & ~(nm[2] & nm[0]);
  wire [1:0] h = {h1, nm[0]};
  wire even = h == 2 | h == 1 & ~q;
  wire a1 = h == 0 & q, a7 = h == 0 & ~q, a2 = h == 1 & q, a6 = h == 1 & ~q, a3 = h == 2 & q, a5 = h == 2 & ~q;
  wire [2:0] kf, kr;
  assign kf[2] = a3 ? f[2] : a6 | a7 ? ~f[2] : a1 ? ~rm[2] : rm[2];
  assign kf[1] = a3 | a7 ? f[1] : a6 ? f[0] : a2 ? rm[0] : rm[1];
  assign kf[0] = a3 | a2 ? f[0] : a6 | a7 ? ~f[0] : rm[0];
  assign kr[2] = a2 ? ~r[2] : a1 ? fm[2] : a5 ? ~fm[1] : r[2];
  assign kr[1] = a3 | a6 | a7 ? r[1] : a2 ? fm[2] : fm[1];
  assign kr[0] = a3 | a6 | a7 ? r[0] : a2 ? fm[1] : a5 ? ~fm[0] : fm[0];
  wire [3:0] j2 = {ax, r[2:1]};
  wire b = r[0];
  wire [4:0] j = {j2, f[0]};
  reg [2:0] pf; reg [2:0] ps;
  always @* case (j)
   0,1: pf = 0; 2,3,4: pf = 1; 5,6,7: pf = 2; 8,9,10: pf = 3; 11,12,13: pf = 4; 14,15,16: pf = 5; 17,18,19: pf = 6; 20,21: pf = 7; default: pf = 3'bx;
   endcase
  always @* case (j)
   0,3,6,9,12,15,18,21: ps = 3'd7;
   1,4,7,10,13,16,19: ps = 3'd0;
   2,5,8,11,14,17,20: ps = 3'd6; default: ps = 3'bx; endcase
  wire nw = ax == 3;
  wire [2:0] from_f = promo ? pf : kn ? kf : f;
  wire [2:0] from_r = promo ? {~b, ~b, b} : kn ? kr : r;
  wire [2:0] sf = promo ? (ps) : ax == 2 ? 3'd7 : kn ? {~wr, ~wr & even, ~even} : nm;
  wire [2:0] sr = promo ? {b, b, 1'b0} : ax == 0 ? 3'd7 : kn ? {wr, wr & ~even, even} : nm;
  wire nwp = nw & ~promo;
  wire [2:0] to_f = ((from_f ^ {3{nwp}}) + sf + 3'd1) ^ {3{nwp}};
  wire [2:0] to_r = from_r + sr + 3'd1;
  assign from = {from_r, from_f};
  assign to = {to_r, to_f};
  assign promotion = {3{promo}} & {1'b1, f[2:1]};
  assign is_move = ~(promo & ax[1] & (ax[0] | (r[2] & r[1])));
endmodule

`resetall
