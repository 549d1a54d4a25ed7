// SPDX-License-Identifier: Apache-2.0
// Whether a move that ply11_board applies is legal by all the rules, and if not, why: said in the order of the rules, from the
// position before the move and the one after it: what ply11_legal is compared with.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_verdict (
  input  wire [255:0] before,
  input  wire         side,      // who moves
  input  wire [3:0]   ep,        // before the move
  input  wire [5:0]   from,
  input  wire [5:0]   to,
  input  wire [3:0]   piece,
  input  wire [255:0] after,
  input  wire [5:0]   king,      // where the king of who moves stands then
  output reg  [3:0]   reason     // 0 legal, 1..8 as m_reason of ply11_legal
);

  wire [2:0] ff = from[2:0], fr = from[5:3], tf = to[2:0], tr = to[5:3];
  wire       castles = piece[2:0] == 3'd1 && ff == 3'd4 && (tf == 3'd6 || tf == 3'd2);
  wire       passant = piece[2:0] == 3'd6 && ff != tf && before[{to, 2'd0} +: 4] == 4'd0;

  // A piece on a square between from and to. No square is between those of a knight's leap.
  integer n;
  reg [2:0] f, r;
  reg blocked, arrived;
  always @* begin
    blocked = 1'b0;
    arrived = piece[2:0] == 3'd3;
    {r, f} = from;
    for (n = 0; n < 7; n = n + 1) begin
      f = f == tf ? f : f < tf ? f + 3'd1 : f - 3'd1;
      r = r == tr ? r : r < tr ? r + 3'd1 : r - 3'd1;
      if ({r, f} == to) arrived = 1'b1;
      if (!arrived && before[{r, f, 2'd0} +: 4] != 4'd0) blocked = 1'b1;
    end
  end

  // The pawn beside, which came from the row behind the square that is gone to.
  wire stepped = before[{fr, tf, 2'd0} +: 4] == {!side, 3'd6}
                 && before[{side ? 3'd1 : 3'd6, tf, 2'd0} +: 4] == 4'd0 && ep == {1'b0, tf} + 4'd1;
  wire rook = before[{fr, tf == 3'd6 ? 3'd7 : 3'd0, 2'd0} +: 4] == {side, 3'd5};

  // The planes of ply11_attacked before the move and after it.
  wire [383:0] was, is;
  wire         by = !side;
  genvar k;
  generate
    for (k = 0; k < 64; k = k + 1) begin : g_plane
      wire [3:0] w = before[4*k +: 4];
      wire [3:0] i = after[4*k +: 4];
      assign {was[k], was[64 + k], was[128 + k], was[192 + k], was[256 + k], was[320 + k]}
        = {w != 4'd0, w == {by, 3'd2} || w == {by, 3'd5}, w == {by, 3'd2} || w == {by, 3'd4},
           w == {by, 3'd3}, w == {by, 3'd6}, w == {by, 3'd1}};
      assign {is[k], is[64 + k], is[128 + k], is[192 + k], is[256 + k], is[320 + k]}
        = {i != 4'd0, i == {by, 3'd2} || i == {by, 3'd5}, i == {by, 3'd2} || i == {by, 3'd4},
           i == {by, 3'd3}, i == {by, 3'd6}, i == {by, 3'd1}};
    end
  endgenerate

  // The king where he stands after the move; where he castles from, and the square beside, before it.
  wire [63:0] looked;
  wire [1:0]  out, way_a, way_h;
  generate
    for (k = 0; k < 64; k = k + 1) begin : g_king
      ply11_attacked #(.SQUARE(k)) u_king (.piece(is[63:0]), .by(by), .straight(is[127:64]), .oblique(is[191:128]),
        .knight(is[255:192]), .pawn(is[319:256]), .king(is[383:320]), .attacked(looked[k]));
    end
    for (k = 0; k < 6; k = k + 1) begin : g_way
      wire yes;
      ply11_attacked #(.SQUARE(k % 2 * 56 + k / 2 + 3)) u_way (.piece(was[63:0]), .by(by), .straight(was[127:64]),
        .oblique(was[191:128]), .knight(was[255:192]), .pawn(was[319:256]), .king(was[383:320]), .attacked(yes));
      if (k / 2 == 0) begin : g_a assign way_a[k % 2] = yes; end
      else if (k / 2 == 1) begin : g_out assign out[k % 2] = yes; end
      else begin : g_h assign way_h[k % 2] = yes; end
    end
  endgenerate
  wire check = looked[king];

  always @* begin
    reason = 4'd0;
    if (castles) begin
      if (!rook) reason = 4'd2;
      else if (out[side]) reason = 4'd3;
      else if (tf == 3'd6 ? way_h[side] : way_a[side]) reason = 4'd4;
      else if (check) reason = 4'd5;
    end
    else if (blocked) reason = 4'd1;
    else if (passant && !stepped) reason = 4'd6;
    else if (passant && check) reason = 4'd7;
    else if (check) reason = 4'd8;
  end

endmodule

`resetall
