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

  // His lines; the king's before the move and after it.
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
  wire [31:0] b_up, b_down, b_near, b_sight, b_own, b_foe, b_slides, b_throne;
  wire [31:0] c_up, c_down, c_near, c_sight, c_own, c_foe, c_slides, c_throne;
  ply11_moves_found_lines u_before (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .centre(king), .up(b_up), .down(b_down), .near(b_near),
    .sight(b_sight), .own(b_own), .foe(b_foe), .slides(b_slides), .throne(b_throne)
  );
  ply11_moves_found_lines u_after (
    .enemy(enemy & ~there), .straight((straight & ~gone) | there), .oblique((oblique & ~gone) | there), .king(king), .centre(king),
    .up(c_up), .down(c_down), .near(c_near), .sight(c_sight), .own(c_own), .foe(c_foe), .slides(c_slides), .throne(c_throne)
  );
  wire        bares = (c_sight & c_slides & ~(b_sight & b_slides)) != 32'd0;
  wire        keeps = pins == 4'd0 || (!leaps && pins[goal[4:3]]);

  assign ok = !f_known || own != (oblique & ~enemy) || !own[king] || !own[square] || square == king || !goes || bares == !keeps;

endmodule

`resetall
