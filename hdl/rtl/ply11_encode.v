// SPDX-License-Identifier: Apache-2.0
// ply11_encode: a move to its index of 11 bits, by arithmetic. index is free where is_move is 0.
// Latency: combinational. Throughput: one a clock behind registers.
//
// What keeps it small: differences less one, so that n - 1 is free; one sign m = sx ^ sy for the
// diagonal's test, the axis and the mirrors; and the tests that tell a knight's rectangles made on the
// mirrored TARGET square, where they need no carry: with T, target file >= 6, and W, target rank >= 5,
// the rectangles are 1 file, 2 ranks: T a=6, else W a=5, else 3; 2 files, 1 rank: T a=7 (file 7) or
// 1 (file 6), else W a=2, else 4. Rectangles' bounds serve as don't-cares.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode (
  input  wire [5:0] from,
  input  wire [5:0] to,
  input  wire [2:0] promotion,
  output wire [10:0] index,
  output wire is_move
);
  wire [2:0] fx = from[2:0], fy = from[5:3], tx = to[2:0], ty = to[5:3];
  wire p2 = promotion[2];
  // difference less one
  wire cx1 = (tx[1] & ~fx[1]) | ((tx[1] | ~fx[1]) & (tx[0] & ~fx[0]));
  wire cy1 = (ty[1] & ~fy[1]) | ((ty[1] | ~fy[1]) & (ty[0] & ~fy[0]));
  wire gx = (tx[2] & ~fx[2]) | ((tx[2] | ~fx[2]) & cx1);
  wire gy = (ty[2] & ~fy[2]) | ((ty[2] | ~fy[2]) & cy1);
  wire [2:0] ex = {tx[2] ^ ~fx[2] ^ cx1, tx[1] ^ ~fx[1] ^ (tx[0] & ~fx[0]), tx[0] ^ ~fx[0]};
  wire [2:0] ey = {ty[2] ^ ~fy[2] ^ cy1, ty[1] ^ ~fy[1] ^ (ty[0] & ~fy[0]), ty[0] ^ ~fy[0]};
  wire sx = ~gx, sy = ~gy;
  wire m = gx ^ gy;
  wire zx = &ex, zy = &ey;
  // is_move
  wire odd_pair = ex[0] ^ ey[0];
  wire q1 = ~(ex[1] ^ ey[1] ^ (m & (ty[0] ^ fy[0])));
  wire t = m & ~(ey[1] & ey[0]);
  wire diag = q1 & ~(ex[2] ^ ey[2] ^ t);
  wire kx = gx ? (ex == 0 | ex == 1) : (ex == 6 | ex == 5);
  wire ky = gy ? (ey == 0 | ey == 1) : (ey == 6 | ey == 5);
  wire dk = odd_pair ? kx & ky : diag;
  wire np = ~promotion[1] & ~promotion[0];
  wire lkn = (zx | zy | dk) & ~(zx & zy) & np;
  wire r1 = fy[2] == fy[1] & fy[1] != fy[0] & ty[0] == fy[2];
  wire pr = r1 & ty[1] == fy[2] & ty[2] == fy[2];
  wire ax1 = (ex == 7) | gx & (ex == 0) | ~gx & (ex == 6);
  assign is_move = p2 ? pr & ax1 : lkn;
  // n - 1
  wire even = ~ex[0];
  wire kn = odd_pair & ~zx & ~zy & ~p2;
  wire T = (tx[2] ^ sx) & (tx[1] ^ sx);
  wire W = (ty[2] ^ sy) & ((ty[1] ^ sy) | (ty[0] ^ sy));
  wire V = T ? tx[0] ^ ~m : W;
  wire [2:0] s = zy ? ex : ey;
  wire kn2 = even ? (T | W ? sy : ~sy) : T ? V : V ? ~sy : 1'b0;
  wire kn1 = even ? (T ? 1'b0 : V ? ~sy : sy) : T ? V : ~V;
  wire [2:0] nm = p2 ? 3'd7 : kn ? {kn2, kn1, T == even} : s;
  wire J3 = (fx[2] & fx[1]) | (tx[2] & tx[1]);
  wire J2 = ~J3 & (fx[2] | fx[1] & fx[0]);
  wire J1 = fx[1] ^ tx[2] ^ (fx[0] & tx[1]);
  wire J0 = fx[0] ^ tx[1];
  wire a0 = p2 ? J2 : ~zx & ~zy;
  wire a1 = p2 ? J3 : zx | ~zy & (m ^ kn);
  wire T7 = T & ~(tx[0] ^ ~sx);
  wire ff2 = even ? (T ? ~fx[2] : W ? ty[2] ^ ~m : fx[2]) : T ? (T7 ? sx : fy[2] ^ m) : W ? fy[1] ^ m : sx;
  wire ff1 = T & (even | T7) ? sx : even ? (W & ~T ? fy[1] ^ m : fx[1]) : (W & ~T ? fy[0] : fy[1]) ^ m;
  wire ff0 = even ? (T ? tx[0] : W ? ~fy[0] ^ m : fx[0]) : T7 ? sx : ~T & W ? fx[0] : fy[0] ^ m;
  wire rf2 = even ? (~T & W ? fx[2] ^ m : fy[2]) : T7 ? fy[2] : sy;
  wire rf1 = even ? (~T & W ? fx[1] ^ m : fy[1]) : T7 ? fy[1] : T | W ? sy : fx[1] ^ m;
  wire rf0 = even ? (~T & W ? fx[0] ^ m : fy[0]) : T7 ? fy[0] : T ? sy : (W ? fx[1] : fx[0]) ^ m;
  wire [2:0] ff = kn ? {ff2, ff1, ff0} : fx;
  wire [2:0] rf = kn ? {rf2, rf1, rf0} : fy;
  assign index = {nm, a1, a0, p2 ? {J1, J0} : rf[2:1], rf[0], {ff[2:1] & {2{~p2}} | promotion[1:0], p2 ? tx[0] : ff[0]}};
endmodule

`resetall
