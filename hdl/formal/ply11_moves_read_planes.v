// SPDX-License-Identifier: Apache-2.0
// The planes of a position as ply11_moves has to have them, each square by itself: what its reading is compared with, and what
// the proofs of its answers begin with. A square's men are numbered as on the board, but the side to move sees its own first rank
// as row 0, and bit 3 of a man says that he is an enemy's.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_read_planes (
  input  wire [255:0] seen,        // the man on square 8*row + file at 4 times that; 0 none, 1 king .. 6 pawn, 8 more an enemy's
  output wire [63:0]  enemy,       // an enemy's man
  output wire [63:0]  straight,    // one's own man, or an enemy's who moves along a row or a file
  output wire [63:0]  oblique,     // one's own man, or an enemy's who moves obliquely
  output wire [63:0]  attacked,    // squares that an enemy's knight, pawn or king attacks
  output wire [7:0]   own_rows     // rows with men of one's own, the king apart
);

  wire [63:0]  mine, knight, pawn, crown;
  genvar s, d;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_square
      wire [3:0]  man = seen[4*s +: 4];
      wire        own = man != 4'd0 && !man[3];
      assign mine[s] = own && man != 4'd1;
      assign enemy[s] = man[3];
      assign straight[s] = own || man == 4'd10 || man == 4'd13;
      assign oblique[s] = own || man == 4'd10 || man == 4'd12;
      assign knight[s] = man == 4'd11;
      assign pawn[s] = man == 4'd14;
      assign crown[s] = man == 4'd9;
      // From each square of the five rows and files around it. An enemy's pawn attacks the two squares below.
      wire [24:0] by;
      assign attacked[s] = by != 25'd0;
      for (d = 0; d < 25; d = d + 1) begin : g_by
        localparam DR = d / 5 - 2, DF = d % 5 - 2, R = s / 8 + DR, F = s % 8 + DF, AT = 8 * R + F;
        if (R < 0 || R > 7 || F < 0 || F > 7 || d == 12) begin : g_none
          assign by[d] = 1'b0;
        end else begin : g_one
          assign by[d] = (knight[AT] && DR * DR + DF * DF == 5) || (crown[AT] && DR * DR <= 1 && DF * DF <= 1)
                         || (pawn[AT] && DR == 1 && DF * DF == 1);
        end
      end
    end
    for (s = 0; s < 8; s = s + 1) begin : g_row
      assign own_rows[s] = mine[8*s +: 8] != 8'd0;
    end
  endgenerate

endmodule

`resetall
