// SPDX-License-Identifier: Apache-2.0
// Whether a piece attacks the square SQUARE, said plainly: from the square in each direction to the first piece, and the eight
// squares of a knight. The planes have a bit for each square of the board.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_attacked #(
  parameter SQUARE = 0
) (
  input  wire [63:0] piece,      // of either side
  input  wire        by,         // the side that attacks: 0 White, 1 Black
  input  wire [63:0] straight,   // its rooks and queens
  input  wire [63:0] oblique,    // its bishops and queens
  input  wire [63:0] knight,  // its other pieces
  input  wire [63:0] pawn,
  input  wire [63:0] king,
  output reg         attacked
);

  localparam ROW = SQUARE / 8, FILE = SQUARE % 8;

  integer d, n, r, f;
  reg clear;                   // no piece stands on the squares before
  always @* begin
    attacked = 1'b0;
    // A direction is 3 * (rows + 1) + files + 1; those of even numbers are diagonals.
    for (d = 0; d < 9; d = d + 1) if (d != 4) begin
      clear = 1'b1;
      for (n = 1; n < 8; n = n + 1)
        if (ROW + n * (d / 3 - 1) >= 0 && ROW + n * (d / 3 - 1) < 8
            && FILE + n * (d % 3 - 1) >= 0 && FILE + n * (d % 3 - 1) < 8) begin
          if (d % 2 == 0) attacked = attacked || (clear && oblique[SQUARE + n * (8 * (d / 3 - 1) + d % 3 - 1)]);
          else attacked = attacked || (clear && straight[SQUARE + n * (8 * (d / 3 - 1) + d % 3 - 1)]);
          if (n == 1) attacked = attacked || king[SQUARE + 8 * (d / 3 - 1) + d % 3 - 1];
          // A white pawn stands a row below, a black one a row above.
          if (n == 1 && d % 2 == 0) attacked = attacked || (pawn[SQUARE + 8 * (d / 3 - 1) + d % 3 - 1] && by == (d > 4));
          clear = clear && !piece[SQUARE + n * (8 * (d / 3 - 1) + d % 3 - 1)];
        end
    end
    for (r = -2; r <= 2; r = r + 1)
      for (f = -2; f <= 2; f = f + 1)
        if (r * r + f * f == 5 && ROW + r >= 0 && ROW + r < 8 && FILE + f >= 0 && FILE + f < 8)
          attacked = attacked || knight[SQUARE + 8 * r + f];
  end

endmodule

`resetall
