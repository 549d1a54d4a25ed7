// SPDX-License-Identifier: Apache-2.0
// The four lines through a square, each square of them by itself, from the planes of ply11_moves: what its answers are compared
// with. Square t of a line is in file t, of axis 2 in row t: bit 8 * axis + t.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_found_lines (
  input  wire [63:0] enemy, straight, oblique,
  input  wire [5:0]  king,         // the square of one's own king
  input  wire [5:0]  centre,
  output wire [31:0] up,           // of the squares on the board: it lies up the line from the centre, or down it
  output wire [31:0] down,
  output wire [31:0] near,         // it is beside the centre
  output wire [31:0] sight,        // all squares between it and the centre are empty
  output wire [31:0] own,          // one's own man stands there, an enemy's, or an enemy's who moves along the line
  output wire [31:0] foe,
  output wire [31:0] slides,
  output wire [31:0] throne,       // the king stands there
  output wire [3:0]  pins          // the line has the king in sight on one side, and an enemy who moves along it on the other
);

  wire signed [5:0] row = {3'd0, centre[5:3]}, file = {3'd0, centre[2:0]};
  genvar a, t, u;
  generate
    for (a = 0; a < 4; a = a + 1) begin : g_axis
      for (t = 0; t < 8; t = t + 1) begin : g_square
        localparam N = 8 * a + t;
        wire signed [5:0] far = t - (a == 2 ? row : file);
        wire signed [5:0] r = a == 0 ? row : a == 1 ? row + far : a == 2 ? t : row - far;
        wire signed [5:0] f = a == 2 ? file : t;
        wire              on = r >= 0 && r <= 7;
        wire [5:0]        at = {r[2:0], f[2:0]};
        wire              other = a == 0 || a == 2 ? straight[at] : oblique[at];
        assign up[N] = on && far > 0;
        assign down[N] = on && far < 0;
        assign near[N] = on && (far == 1 || far == -1);
        assign own[N] = on && other && !enemy[at];
        assign foe[N] = on && enemy[at];
        assign slides[N] = on && other && enemy[at];
        assign throne[N] = on && at == king;
        wire [7:0]        bars;
        for (u = 0; u < 8; u = u + 1) begin : g_between
          assign bars[u] = (own[8*a + u] || foe[8*a + u]) && (u < t ? up[8*a + u] : u > t && down[8*a + u]);
        end
        assign sight[N] = (up[N] || down[N]) && bars == 8'd0;
      end
      wire [7:0] meets = sight[8*a +: 8] & throne[8*a +: 8], hits = sight[8*a +: 8] & slides[8*a +: 8];
      assign pins[a] = ((meets & up[8*a +: 8]) != 8'd0 && (hits & down[8*a +: 8]) != 8'd0)
                       || ((meets & down[8*a +: 8]) != 8'd0 && (hits & up[8*a +: 8]) != 8'd0);
    end
  endgenerate

endmodule

// Whether, with some squares left and a man of one's own put on another, an enemy who moves along a line has the king in sight who
// had not before.
module ply11_moves_found_bares (
  input  wire [63:0] enemy, straight, oblique,
  input  wire [5:0]  king,         // the square of one's own king
  input  wire [63:0] gone,         // the squares that are left, a bit each
  input  wire [63:0] there,        // the square where the man is put
  output wire        bares
);

  wire [31:0] b_up, b_down, b_near, b_sight, b_own, b_foe, b_slides, b_throne;
  wire [31:0] c_up, c_down, c_near, c_sight, c_own, c_foe, c_slides, c_throne;
  ply11_moves_found_lines u_before (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .centre(king), .up(b_up), .down(b_down), .near(b_near),
    .sight(b_sight), .own(b_own), .foe(b_foe), .slides(b_slides), .throne(b_throne), .pins()
  );
  ply11_moves_found_lines u_after (
    .enemy(enemy & ~gone & ~there), .straight((straight & ~gone) | there), .oblique((oblique & ~gone) | there), .king(king),
    .centre(king), .up(c_up), .down(c_down), .near(c_near), .sight(c_sight), .own(c_own), .foe(c_foe), .slides(c_slides),
    .throne(c_throne), .pins()
  );
  assign bares = (c_sight & c_slides & ~(b_sight & b_slides)) != 32'd0;

endmodule

`resetall
