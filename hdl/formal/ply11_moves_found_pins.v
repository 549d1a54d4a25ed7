// SPDX-License-Identifier: Apache-2.0
// What ply11_moves_found_men says of pins is the rule: with any planes of a position, any square of the king, another man of one's
// own, and any square of his lines to which he goes, or to which a knight goes, the move leaves no enemy who moves along a line
// with the king in sight who had not before, if he is not pinned or stays on the line of the pin; and else it leaves one. ok is 0
// where that fails.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_found_pins (
  input  wire        clk,
  input  wire [63:0] any_enemy,
  input  wire [63:0] any_straight,
  input  wire [63:0] any_oblique,
  input  wire [5:0]  any_king,
  input  wire [5:0]  any_square,
  input  wire [4:0]  any_goal,     // 8 * axis + square of the line
  input  wire        any_leaps,    // a knight's leap, any_leap
  input  wire [5:0]  any_leap,
  output wire        ok
);

  reg         f_known;
  initial f_known = 1'b0;
  reg  [63:0] enemy, straight, oblique;
  reg  [5:0]  king, square, leap;
  reg  [4:0]  goal;
  reg         leaps;
  always @(posedge clk) begin
    f_known <= 1'b1;
    {enemy, straight, oblique, king, square, goal, leaps, leap}
      <= {any_enemy, any_straight, any_oblique, any_king, any_square, any_goal, any_leaps, any_leap};
  end

  // His lines.
  wire [31:0] l_up, l_down, l_near, l_sight, l_own, l_foe, l_slides, l_throne;
  wire [3:0]  pins;
  ply11_moves_found_lines u_lines (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .centre(square), .up(l_up), .down(l_down), .near(l_near),
    .sight(l_sight), .own(l_own), .foe(l_foe), .slides(l_slides), .throne(l_throne), .pins(pins)
  );
  wire [2:0]  row = square[5:3], file = square[2:0], t = goal[2:0];
  wire [5:0]  to = leaps ? leap
                   : goal[4:3] == 2'd0 ? {row, t} : goal[4:3] == 2'd1 ? {row + t - file, t}
                   : goal[4:3] == 2'd2 ? {t, file} : {row + file - t, t};
  wire [2:0]  rows = leap[5:3] > row ? leap[5:3] - row : row - leap[5:3], files = leap[2:0] > file ? leap[2:0] - file : file - leap[2:0];
  wire        knights = (rows == 3'd1 && files == 3'd2) || (rows == 3'd2 && files == 3'd1);
  wire [63:0] own = straight & ~enemy;
  wire        goes = (leaps ? knights : l_sight[goal]) && !own[to];

  wire [63:0] gone = 64'd1 << square, there = 64'd1 << to;
  wire        bares;
  ply11_moves_found_bares u_bares (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .gone(gone), .there(there), .bares(bares)
  );
  wire        keeps = pins == 4'd0 || (!leaps && pins[goal[4:3]]);

  assign ok = !f_known || own != (oblique & ~enemy) || !own[king] || !own[square] || square == king || !goes || bares == !keeps;

endmodule

`resetall
