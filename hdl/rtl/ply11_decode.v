// SPDX-License-Identifier: Apache-2.0
// ply11_decode: an index of 11 bits to its move, by arithmetic.
// For a control code is_move is 0, and the other outputs have no meaning.
// Latency: combinational. Throughput: one a clock behind registers.
//
// All classes of moves go one way: there is a from-square, and a step for each coordinate. to is from plus
// the step. A slider's from-square is the field, and its step is n. A knight's from-square is made of the
// field: each bit is one of the file or of the rank, as it is or mirrored. Exactly one of the two coordinates
// wraps there. The rank wraps if, and only if, its displacement is negative. So with m = sx ^ sy = ~axis[1]
// the two mirrors of the definition (docs/INDEX.md) become xor with m, or vanish.
// In a rectangle some bits of the field are always equal to the sign. Constants stand for them here.
//
// A promotion goes the knight's way. No knight has n - 1 = 7, so the promotions use the rectangle of a = 4
// by that name. Their file and rank enter where a knight's mirrored ones do. A promotion's j is
// 3 * from_file + step, with a step of -1, 0 or 1: so j mod 3 gives the step.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode (
  input  wire [10:0] index,      // 0..1967 a move; others have no move
  output wire [ 5:0] from,       // square, 0 a1 .. 63 h8 [from index]
  output wire [ 5:0] to,         // square, 0 a1 .. 63 h8 [from index]
  output wire [ 2:0] promotion,  // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen [from index]
  output wire        is_move     // 1: index is below 1968 [from index]
);

  wire [2:0] nm = index[10:8];  // n - 1
  wire       a1 = index[7];
  wire       a0 = index[6];
  wire [2:0] r = index[5:3];
  wire [2:0] f = index[2:0];
  wire       m = ~a1;

  wire promo = nm[0] & nm[1] & nm[2];

  // The field's file, mirrored by m. For a promotion, bits 2 and 1 are those of the from-rank, 6 or 1.
  wire fm2 = promo ? ~r[0] : f[2] ^ m;
  wire fm1 = promo ? ~r[0] : f[1] ^ m;
  wire fm0 = f[0] ^ m;

  // Which coordinates wrap: n - 1 compared with what is left to the border. Both do if n - 1 is 7.
  wire wrl = nm[1] & r[1] | (nm[1] | r[1]) & (nm[0] | r[0]);
  wire wr = nm[2] & r[2] | (nm[2] | r[2]) & wrl;
  wire wfl = nm[1] & (f[1] ^ a1) | (nm[1] | f[1] ^ a1) & (nm[0] | ~fm0);
  wire wf = nm[2] & ~fm2 | (nm[2] | ~fm2) & wfl;

  // A knight, or a promotion that takes its paths.
  wire kn = promo | a0 & (wf ^ wr);

  // The rectangle a: h is min(a, 8 - a) - 1, and q tells a < 4 from a > 4. A promotion gets a = 4.
  wire h1 = nm[2] ? ~nm[1] & ~nm[0] | nm[1] & nm[0] : nm[1];
  wire h0 = nm[0];
  wire q = nm[2] ^ wr;

  // own: the from-square's bits are the field's own, file from file and rank from rank, as for a
  // slider: a = 3, 6, 7. own0: this, or a = 2, where it holds of one bit. inv: a = 1, 6, 7, where the
  // constant that is added has the high bit.
  wire own = ~(kn & (h1 ? h0 | ~q : q));
  wire own0 = ~(kn & (h1 ? h0 | ~q : q & ~h0));
  wire inv = kn & ~h1 & ~(h0 & q);

  // w: the three high bits of j modulo 3; 3 if there is no promotion.
  wire w1 = ~promo | (a1 ? r[2] : a0 & ~r[2]);
  wire w0 = ~promo | (a1 ? ~r[2] : r[2] & ~a0);

  // The step of a promotion's file less one, -1, 0 or -2: its low bit, and the two high bits, which
  // are the same. It is neutral, 1 and 0, if there is no promotion.
  wire pk0 = w1 ? ~r[1] & f[0] | w0 : w0 ? r[1] & ~f[0] : r[1] == f[0];
  wire pk1 = ~(w1 & w0 | (w1 ? r[1] & ~f[0] : w0 ? r[1] == f[0] : ~r[1] & f[0]));

  // The promotion's from-file, (j + 1) div 3. Its bits 1 and 0 follow from those of j and the step.
  wire pf0 = w1 & w0 ? 1'b0 : f[0] ^ ~pk0;
  wire pf1 = w1 & w0 ? 1'b0 : r[1] ^ (pk0 & f[0] | pk1 & ~pk0);
  wire pf2x = a0 & (r[2] | r[1] & f[0]);

  // The field's rank, mirrored by m; the from-file for a promotion.
  wire rm2 = promo ? a1 | pf2x : r[2] ^ m;
  wire rm1 = promo ? pf1 : r[1] ^ m;
  wire rm0 = promo ? pf0 : r[0] ^ m;

  // The from-file: of the field's file, or of its rank.
  wire tf = kn & ~h1 ? f[0] : f[1];
  wire tr = h1 ? rm1 : rm0;
  wire ff0 = own0 ? f[0] ^ inv : rm0;
  wire ff1 = own ? tf : tr;
  wire ff2 = own ? f[2] ^ inv : rm2 ^ inv;

  // The from-rank: of the field's rank, or of its file; 5 - u for a = 5, u div 2 for a = 2.
  wire t0 = ~h1 & h0 ? fm1 : h1 & ~h0 ? ~fm0 : fm0;
  wire t1 = h1 | ~h0 ? fm1 : fm2;
  wire t2 = h1 & ~h0 ? ~fm1 : fm2;
  wire fr0 = own | promo ? r[0] : t0;
  wire fr1 = own ? r[1] : t1;
  wire fr2 = own ? r[2] : own0 ? ~r[2] : t2;

  // The steps less one, s: axis E leaves the rank and axis N the file; a knight steps 2 ranks and 1
  // file if ke, else 1 and 2. In axis NW the file runs down, which is done by adding between mirrors.
  wire E = ~a1 & ~a0;
  wire N = a1 & ~a0;
  wire NW = a1 & a0 & ~promo;
  wire ke = kn & (h1 ^ h0) & (h1 | ~q);
  wire down = promo ? r[0] : wr;

  wire sr0 = kn ? ke : nm[0] | E;
  wire u1 = kn ? down & ~ke : nm[1];
  wire sr1 = u1 | E & ~kn;
  wire sr2 = kn ? down : nm[2] | E;

  wire sf0a = kn ? ~ke : nm[0] | N;
  wire sf0 = sf0a & pk0;
  wire sf1 = pk1 | (kn ? ke & ~wr : nm[1] | N);
  wire x2 = kn ? ~wr : nm[2] | N;

  // to = from + s + 1, with the carries into bits 1 and 2.
  wire cr2 = (fr1 ^ sr1) ? fr0 | sr0 : sr1;
  wire cf1 = (ff0 ^ NW) | sf0;
  wire cf2 = (ff1 ^ NW) & sf1 | ((ff1 ^ NW) | sf1) & cf1;

  assign from = {fr2, fr1, fr0, ff2, ff1, ff0};
  assign to = {
    fr2 ^ sr2 ^ cr2,
    fr1 ^ sr1 ^ (fr0 | sr0),
    fr0 ^ ~sr0,
    ff2 ^ (x2 | pk1) ^ cf2,
    ff1 ^ sf1 ^ cf1,
    ff0 ^ ~sf0
  };
  assign promotion = {promo, f[2] & promo, f[1] & promo};

  // A promotion has j <= 21.
  wire beyond = a1 & (a0 | r[2] & r[1]);
  assign is_move = ~(promo & beyond);

endmodule

`resetall
