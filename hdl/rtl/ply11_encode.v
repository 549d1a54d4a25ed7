// SPDX-License-Identifier: Apache-2.0
// ply11_encode: a move to its index of 11 bits. index is free where is_move is 0.
// Latency: combinational. Throughput: one a clock behind registers.
//
// A search over netlists of LUTs with four inputs has found these equations: 86 LUTs at each of eight line offsets.
// formal/ply11_encode_plain.v is the arithmetic, with its reasons: 96 or 102 LUTs. Proofs say that the two are the same,
// and that the encoder is the inverse of the table, both ways. The search is not part of the project. To change the
// encoder, change the arithmetic, put any equations here that do the same, and run its proofs (sat.*encode*).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode (
  input  wire [ 5:0] from,       // square, 0 a1 .. 63 h8
  input  wire [ 5:0] to,         // square, 0 a1 .. 63 h8
  input  wire [ 2:0] promotion,  // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output wire [10:0] index,      // 0..1967, if is_move is 1 [from from, to, promotion]
  output wire        is_move     // 1: some man moves so [from from, to, promotion]
);

  wire n1 = from[1] ? from[0] | ~to[1] | ~to[0] : ~to[1] & (from[0] | ~to[0]);
  wire n2 = from[4] ? from[3] | ~to[4] | ~to[3] : ~to[4] & (from[3] | ~to[3]);
  wire n3 = to[3] ? ~to[4] & ~to[5] : ~to[4] | ~to[5];
  wire n4 = to[1] ? ~to[2] | from[2] & n1 : to[2] | ~from[2] & ~n1;
  wire n5 = from[3] ^ ~to[3];
  wire n6 = n2 ^ from[5] ^ ~to[5];
  wire n7 = n1 ^ from[2] ^ ~to[2];
  wire n8 = from[0] ^ ~to[0];
  wire n9 = to[1] & to[2];
  wire n10 = promotion[2] ? from[0] ^ to[1] : from[4];
  wire n11 = from[1] ^ to[2] ^ from[0] & to[1];
  wire n12 = ~n8 & (n1 ? ~from[2] & ~to[2] : from[2] & to[2]);
  wire n13 = from[2] ? from[1] : ~from[0] | ~from[1];
  wire n14 = ~n9 & promotion[2] & (~from[1] | ~from[2]);
  wire n15 = ~promotion[2] & (~n8 | ~n5);
  wire n16 = from[4] ^ to[4] ^ (from[3] | ~to[3]);
  wire n17 = from[1] ^ to[1] ^ (from[0] | ~to[0]);
  wire n18 = from[3] ? to[3] | to[4] | to[5] : ~to[3] | ~to[4] | ~to[5];
  wire n19 = n1 ? ~from[2] & to[2] : ~from[2] | to[2];
  wire n20 = n2 ? ~from[5] & to[5] : ~from[5] | to[5];
  wire n21 = n3 ? to[5] | ~n2 & ~from[5] : ~to[5] | n2 & from[5];
  wire n22 = from[0] ? to[0] & (n4 | ~n19) : ~to[0] & (n4 | n19);
  wire n23 = n5 & (from[4] ^ ~to[4]);
  wire same_file = ~n7 & n8 & (from[1] ^ ~to[1]);
  wire n25 = ~n21 & n4;
  wire n26 = from[0] ? ~n9 & to[0] : ~to[0];
  wire n27 = n4 & n21;
  wire n28 = n25 ? (n8 ? ~from[3] : ~from[4]) : ~from[4] | ~n8;
  wire n29 = ~n8 & (n4 ? ~n21 | from[2] : ~from[2]);
  wire n30 = to[0] ? from[0] & (~n25 | from[1]) : from[0] | n25 & from[1];
  wire n31 = n27 ? n19 ^ ~from[1] : ~n8 & (n19 ^ ~from[1]);
  wire n32 = promotion[2] ? n11 : from[5];
  wire n33 = n20 ^ ~n22 & ~n27;
  wire n34 = n17 ? n7 : ~n19 & (~n8 | n7);
  wire n35 = n20 ? n16 | ~n6 : n6 | ~n5 & ~n16;
  wire n36 = ~n35 & ~n18 & (from[3] ^ from[5]);
  wire n37 = n19 ^ ~n20;
  wire same_rank = ~n6 & n23;
  wire n39 = n22 ? n28 ^ n20 : n25 & (n28 ^ n20);
  wire n40 = n37 ^ (n25 ? ~from[4] : ~from[5]);
  wire n41 = n29 & (~n25 | n37 ^ to[5]);
  wire n42 = n33 ? ~n8 | n4 : n8 | ~n4;
  wire n43 = n6 ^ n7 ^ ~n37 & ~n23;
  wire n44 = ~n37 & ~n5;
  wire n45 = n37 ^ from[3];
  wire n46 = ~same_rank & ~same_file;
  wire n47 = ~n40 & (n4 | n19 ^ to[0]);
  assign index[6] = promotion[2] ? ~n13 & ~n9 : n46;
  wire n48 = ~n43 & (n44 ^ n16 ^ ~n17);
  wire n49 = n21 ? from[0] & ~to[0] : n45 & (from[0] ^ to[0]);
  wire n50 = n46 & (n8 ^ n5);
  wire n51 = n50 & (~n27 | n8);
  wire n52 = ~n47 & n26;
  wire knight = ~promotion[2] & n50 & (n22 | n25);
  assign index[4] = knight ? n31 ^ ~n20 : n10;
  assign index[5] = knight ? n20 ^ ~n12 : n32;
  wire n54 = ~promotion[2] & (same_rank | n50 ^ n37);
  assign index[8] = ~n15 | n50 & (n4 ^ ~n8);
  wire n55 = ~n50 & (~n16 | ~n17 & same_rank);
  wire n56 = ~promotion[2] & n50 & (~n27 | ~n8);
  wire n57 = ~n6 & ~n50 & (~n23 | ~n7);
  wire n58 = n48 ? ~n46 & (n8 ^ ~n5) : n46 & (n8 ^ ~n5);
  wire n59 = n50 & (n34 | n35 | n43);
  wire n60 = n36 & n48 & (n49 | n17);
  wire n61 = n4 ? n49 : ~from[0] & (~n22 | n49);
  wire n62 = n25 ? from[0] : (n50 ? ~n45 : from[0]);
  wire n63 = n51 ? n39 ^ ~n19 : from[1];
  wire n64 = n50 ? n52 | n41 : from[2];
  assign index[3] = knight ? n30 ^ ~n37 : from[3];
  assign index[7] = ~n14 & (~n54 | same_file);
  assign index[9] = promotion[2] | ~n55 & (~n42 | ~n56);
  assign index[10] = n57 | promotion[2] | n56 & n33;
  wire n65 = ~n58 & ~n59 & ~promotion[0] & ~promotion[1];
  wire n66 = n50 ? n61 | n26 & n62 : n62;
  assign index[1] = promotion[0] | ~promotion[2] & n63;
  assign index[2] = promotion[1] | ~promotion[2] & n64;
  assign is_move = promotion[2] ? n60 : n65;
  assign index[0] = promotion[2] ? to[0] : n66;

endmodule

`resetall
