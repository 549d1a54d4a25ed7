// SPDX-License-Identifier: Apache-2.0
// ply11_encode: a move to its index of 11 bits, by arithmetic. index is free where is_move is 0.
// Latency: combinational. Throughput: one a clock behind registers.
//
// The names are those of the index's definition: n steps along an axis, a for a knight's rectangle,
// (u, v) for the place in it, sx and sy for the mirrors, j for the file of a promotion.
//
// What keeps it small: Differences are formed less one, as target + ~from, so that a slider's n - 1 is
// there without more work. For a knight n is a if sy, else 8 - a, whatever sx is. Both mirrors of a
// coordinate that changes from file to rank or back come down to xor with m = sx ^ sy, and those of one
// that stays vanish. Which rectangle it is can be told from the mirrored target square without a carry.
// Where a rectangle's bounds fix a bit, the bit may be had from whatever is there already.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode (
  input  wire [ 5:0] from,       // square, 0 a1 .. 63 h8
  input  wire [ 5:0] to,         // square, 0 a1 .. 63 h8
  input  wire [ 2:0] promotion,  // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output wire [10:0] index,      // 0..1967, if is_move is 1 [from from, to, promotion]
  output wire        is_move   // 1: some piece moves so [from from, to, promotion]
);

  wire [2:0] ff = from[2:0];  // file and rank of the from-square
  wire [2:0] fr = from[5:3];
  wire [2:0] tf = to[2:0];    // file and rank of the target
  wire [2:0] tr = to[5:3];
  wire       promo = promotion[2];

  // The differences less one, modulo 8: target + ~from. Their carries say that the target is the
  // greater. A difference of 0 is 7 here, 1 is 0, 2 is 1, -1 is 6, -2 is 5.
  wire       cf2 = tf[1] & ~ff[1] | (tf[1] | ~ff[1]) & (tf[0] & ~ff[0]);
  wire       cr2 = tr[1] & ~fr[1] | (tr[1] | ~fr[1]) & (tr[0] & ~fr[0]);
  wire       right = tf[2] & ~ff[2] | (tf[2] | ~ff[2]) & cf2;
  wire       up = tr[2] & ~fr[2] | (tr[2] | ~fr[2]) & cr2;
  wire [2:0] df = {tf[2] ^ ~ff[2] ^ cf2, tf[1] ^ ~ff[1] ^ (tf[0] & ~ff[0]), tf[0] ^ ~ff[0]};
  wire [2:0] dr = {tr[2] ^ ~fr[2] ^ cr2, tr[1] ^ ~fr[1] ^ (tr[0] & ~fr[0]), tr[0] ^ ~fr[0]};
  wire       same_file = &df;
  wire       same_rank = &dr;
  wire       sx = ~right;
  wire       sy = ~up;
  wire       m = sx ^ sy;

  // A bishop's line: the differences are equal if both run the same way, and add up to 0 otherwise.
  // Less one they are equal or add up to 6; bit 0 is the same either way.
  wire odd = df[0] ^ dr[0];
  wire diagonal1 = ~(df[1] ^ dr[1] ^ (m & (tr[0] ^ fr[0])));
  wire diagonal = diagonal1 & ~(df[2] ^ dr[2] ^ (m & ~(dr[1] & dr[0])));

  // A knight's leap: differences of 1 or 2 in both coordinates, and not the same.
  wire near_file = right ? df == 0 | df == 1 : df == 6 | df == 5;
  wire near_rank = up ? dr == 0 | dr == 1 : dr == 6 | dr == 5;

  // A promotion: from rank 7 to 8 or from 2 to 1, straight or to the next file.
  wire last_rank0 = fr[2] == fr[1] & fr[1] != fr[0] & tr[0] == fr[2];
  wire last_rank = last_rank0 & tr[1] == fr[2] & tr[2] == fr[2];
  wire beside = (df == 7) | right & (df == 0) | ~right & (df == 6);

  wire queen_or_knight = same_file | same_rank | (odd ? near_file & near_rank : diagonal);
  wire line = queen_or_knight & ~(same_file & same_rank) & ~promotion[1] & ~promotion[0];
  assign is_move = promo ? last_rank & beside : line;

  // A knight's rectangle, from its mirrored target: T is file 6 or 7, W is rank 5 or above.
  //   1 file and 2 ranks:  T a = 6,                         else W a = 5, else a = 3
  //   2 files and 1 rank:  T a = 7 (file 7) or 1 (file 6),  else W a = 2, else a = 4
  wire knight = odd & ~same_file & ~same_rank & ~promo;
  wire one_file = ~df[0];
  wire T = (tf[2] ^ sx) & (tf[1] ^ sx);
  wire T7 = T & ~(tf[0] ^ ~sx);
  wire W = (tr[2] ^ sy) & ((tr[1] ^ sy) | (tr[0] ^ sy));

  // n - 1 by rectangle, with n = a if sy, else 8 - a:
  //   a      6    5    3    7    1    2    4
  //   sy    101  100  010  110  000  001  011
  //   ~sy   001  010  100  000  110  101  011
  // V is W, or for a = 7 and 1 whether it is 110.
  wire V = T ? tf[0] ^ ~m : W;
  wire kn2 = one_file ? (T | W ? sy : ~sy) : T ? V : V ? ~sy : 1'b0;
  wire kn1 = one_file ? (T ? 1'b0 : V ? ~sy : sy) : T ? V : ~V;
  wire kn0 = T == one_file;

  wire [2:0] slide = same_rank ? df : dr;
  wire [2:0] n1 = promo ? 3'd7 : knight ? {kn2, kn1, kn0} : slide;

  // A knight's from-field, file and rank: (u, v) of its rectangle, mirrored back.
  //   a      file                              rank
  //   3      ff                                fr
  //   5      sx, fr[1] ^ m, ~fr[0] ^ m         ff ^ m
  //   6      sx, sx, file of the target        fr
  //   4      sx, fr[1:0] ^ m                   sy, ff[1:0] ^ m
  //   2      fr[1:0] ^ m, ff[0]                sy, sy, ff[1] ^ m
  //   1      fr ^ m                            sy
  //   7      sx                                fr
  // T is asked first, so that W below stands for a = 5 and a = 2. For a = 5 the target's bit 2 is ~sy,
  // which makes tr[2] ^ ~m the same as sx; for a = 6 sx may be ~ff[2].
  wire kf2 = one_file ? (T ? ~ff[2] : W ? tr[2] ^ ~m : ff[2])
    : T ? (T7 ? sx : fr[2] ^ m) : W ? fr[1] ^ m : sx;
  wire kf1 = T & (one_file | T7) ? sx : one_file ? (W & ~T ? fr[1] ^ m : ff[1])
    : (W & ~T ? fr[0] : fr[1]) ^ m;
  wire kf0 = one_file ? (T ? tf[0] : W ? ~fr[0] ^ m : ff[0])
    : T7 ? sx : ~T & W ? ff[0] : fr[0] ^ m;
  wire kr2 = one_file ? (~T & W ? ff[2] ^ m : fr[2]) : T7 ? fr[2] : sy;
  wire kr1 = one_file ? (~T & W ? ff[1] ^ m : fr[1])
    : T7 ? fr[1] : T | W ? sy : ff[1] ^ m;
  wire kr0 = one_file ? (~T & W ? ff[0] ^ m : fr[0])
    : T7 ? fr[0] : T ? sy : (W ? ff[1] : ff[0]) ^ m;

  wire [2:0] file = knight ? {kf2, kf1, kf0} : ff;
  wire [2:0] rank = knight ? {kr2, kr1, kr0} : fr;

  // j = 2 * from-file + to-file. j div 2 = ff + tf div 2, where the target's file is at most one away;
  // the bit of weight 2 ** i is ji, and j mod 2 is tf[0].
  wire j4 = ff[2] & ff[1] | tf[2] & tf[1];
  wire j3 = ~j4 & (ff[2] | ff[1] & ff[0]);
  wire j2 = ff[1] ^ tf[2] ^ (ff[0] & tf[1]);
  wire j1 = ff[0] ^ tf[1];

  // The axis: 0 along a rank, 2 along a file, 1 and 3 on a diagonal, 1 if m is set. A knight's code
  // lies on the other diagonal.
  wire axis0 = promo ? j3 : ~same_file & ~same_rank;
  wire axis1 = promo ? j4 : same_file | ~same_rank & (m ^ knight);

  // For a promotion the six bits below are j's two, black, the piece's two, and j's last. Black's
  // rank 2 is 1, White's rank 7 is 6, so that its low bit is the colour. promotion[1:0] is 0 without one.
  assign index = {
    n1, axis1, axis0,
    promo ? {j2, j1} : rank[2:1], rank[0],
    file[2:1] & {2{~promo}} | promotion[1:0], promo ? tf[0] : file[0]
  };

endmodule

`resetall
