// SPDX-License-Identifier: Apache-2.0
// ply11_star - finds the squares that a piece reaches along the four lines through its square, the centre.
//
// Throughput: one centre a clock. Latency: 3 clocks (address, lines, rays). It never waits.
//
// The side to move sees the position with its own first rank as row 0. There are three planes of 64 bits. Bit
// 8*row + file says what stands on a square:
//   enemy     an enemy's piece
//   straight  a piece of its own, or an enemy's rook or queen
//   oblique   a piece of its own, or an enemy's bishop or queen
// On a line, two of these bits tell: 00 empty, 01 own piece, 10 enemy, 11 an enemy who moves along this line.
//
// Lines are numbered as the axes of the index: 0 a row, 1 a diagonal up to the right, 2 a file, 3 a diagonal up
// to the left. A square of a line has the number of its file, on axis 2 of its row. That square of axis a is
// bit 8*a + number of reach and touch.  A line always has eight squares, as on a torus (docs/GLOSSARY.md). Those
// beyond the edge of the board count as own pieces, so that a ray ends at the edge.
//
// An adder finds a ray: its first square is added to the empty squares, and the carry runs to the first piece.
//
//   reach   the empty squares of the rays, and the first piece of a ray if he is an enemy
//   touch    the first squares of the rays; with pawn = 1, those to which a pawn may go: straight on to an
//           empty square, from row 1 also two, and obliquely to an enemy. Use touch together with reach.
//   slider  bit of an axis: the first piece of one of its rays is an enemy who moves along it
//   king    bit of an axis: the first piece of one of its rays is the king on king_row, king_file
//
// forward asks for the rays with rising file (axis 2: rising row), backward for those with falling file or row.
// leap asks for a knight's lines: the row above (1) or below (2) the centre, and the file to its right (1)
// or left (2). Their rays begin two squares from the centre, so touch has the knight's squares of the board.
// two: the rays begin two squares from the centre, on the lines through it.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_star (
  input  wire        clk,        // the clock; all ports belong to its rising edge

  input  wire [63:0] enemy,    // bit 8*row + file: an enemy's piece
  input  wire [63:0] straight,   // the same: one's own piece, or an enemy's rook or queen
  input  wire [63:0] oblique,  // the same: one's own piece, or an enemy's bishop or queen
  input  wire [2:0]  king_row,   // row of the king that king tells of
  input  wire [2:0]  king_file,  // his file

  input  wire [2:0]  row,        // row of the centre
  input  wire [2:0]  file,       // file of the centre
  input  wire        forward,    // 1: rays with rising file, on axis 2 row
  input  wire        backward,   // 1: rays with falling file, on axis 2 row
  input  wire [1:0]  leap,       // a knight's lines: 0 none, 1 row above, 2 row below
  input  wire        two,        // 1: rays begin two squares away
  input  wire        pawn,       // 1: the rays are those of a pawn

  output reg  [31:0] reach,      // bit 8*axis + square: reached; 3 clocks later
  output reg  [31:0] touch,      // bit 8*axis + square: first of a ray; with reach
  output reg  [3:0]  slider,     // bit axis: a ray ends at an enemy who slides along it; with reach
  output reg  [3:0]  king        // bit axis: a ray ends at the king; with reach
);

  function [7:0] rev(input [7:0] b);
    rev = {b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]};
  endfunction

  // ---- address ----
  wire [3:0] diff = {1'b0, row} - {1'b0, file};      // -7..7
  wire [3:0] sum = {1'b0, row} + {1'b0, file};       // 0..14
  wire [3:0] king_diff = {1'b0, king_row} - {1'b0, king_file};
  wire [3:0] king_sum = {1'b0, king_row} + {1'b0, king_file};
  wire [2:0] step = {2'b00, leap[0]} - {2'b00, leap[1]};
  wire       no_row = (leap[0] && row == 3'd7) || (leap[1] && row == 3'd0);
  wire       no_file = (leap[0] && file == 3'd7) || (leap[1] && file == 3'd0);

  reg  [2:0] a_row, a_file, a_diff, a_sum;
  reg  [7:0] a_wall1, a_wall3, a_fplus, a_fminus, a_rplus, a_rminus;
  reg  [3:0] a_align;
  reg        a_pawn, a_home;

  // The squares of a diagonal that are past the edge, by row - file and by row + file.
  function [7:0] past1(input [3:0] d);
    case (d)
      4'd0: past1 = 8'b00000000;
      4'd1: past1 = 8'b10000000;
      4'd2: past1 = 8'b11000000;
      4'd3: past1 = 8'b11100000;
      4'd4: past1 = 8'b11110000;
      4'd5: past1 = 8'b11111000;
      4'd6: past1 = 8'b11111100;
      4'd7: past1 = 8'b11111110;
      4'd9: past1 = 8'b01111111;
      4'd10: past1 = 8'b00111111;
      4'd11: past1 = 8'b00011111;
      4'd12: past1 = 8'b00001111;
      4'd13: past1 = 8'b00000111;
      4'd14: past1 = 8'b00000011;
      4'd15: past1 = 8'b00000001;
      default: past1 = 8'bxxxxxxxx;
    endcase
  endfunction
  function [7:0] past3(input [3:0] d);
    case (d)
      4'd0: past3 = 8'b11111110;
      4'd1: past3 = 8'b11111100;
      4'd2: past3 = 8'b11111000;
      4'd3: past3 = 8'b11110000;
      4'd4: past3 = 8'b11100000;
      4'd5: past3 = 8'b11000000;
      4'd6: past3 = 8'b10000000;
      4'd7: past3 = 8'b00000000;
      4'd8: past3 = 8'b00000001;
      4'd9: past3 = 8'b00000011;
      4'd10: past3 = 8'b00000111;
      4'd11: past3 = 8'b00001111;
      4'd12: past3 = 8'b00011111;
      4'd13: past3 = 8'b00111111;
      4'd14: past3 = 8'b01111111;
      default: past3 = 8'bxxxxxxxx;
    endcase
  endfunction
  // One square on, or two; none outside the board.
  function [7:0] next(input [2:0] at, input far);
    integer j;
    for (j = 0; j < 8; j = j + 1) next[j] = far ? j >= 2 && at == j[2:0] - 3'd2 : j >= 1 && at == j[2:0] - 3'd1;
  endfunction
  function [7:0] prior(input [2:0] at, input far);
    integer j;
    for (j = 0; j < 8; j = j + 1) prior[j] = far ? j <= 5 && at == j[2:0] + 3'd2 : j <= 6 && at == j[2:0] + 3'd1;
  endfunction

  wire far = two || leap != 2'd0;
  always @(posedge clk) begin
    a_row <= row + step;
    a_file <= file + step;
    a_diff <= diff[2:0];
    a_sum <= sum[2:0];
    a_wall1 <= past1(diff);
    a_wall3 <= past3(sum);
    a_fplus <= next(file, far);
    a_fminus <= prior(file, far);
    a_rplus <= next(row, far);
    a_rminus <= prior(row, far);
    if (!forward || no_row) a_fplus <= 8'd0;
    if (!backward || no_row) a_fminus <= 8'd0;
    if (!forward || no_file) a_rplus <= 8'd0;
    if (!backward || no_file) a_rminus <= 8'd0;
    a_align <= {sum == king_sum, file == king_file, diff == king_diff, row == king_row};
    a_pawn <= pawn;
    a_home <= pawn && row == 3'd1;
  end

  // ---- lines ----
  // Of each square of each line whether an enemy is there (x), and the other bit (s).
  reg [7:0] b_x0, b_x1, b_x2, b_x3, b_s0, b_s1, b_s2, b_s3;
  reg [7:0] b_fplus, b_fminus, b_rplus, b_rminus;
  reg [3:0] b_align;
  reg       b_pawn, b_home;
  // The planes as the lines run: square k of file i of a diagonal that begins k rows up.
  wire [63:0] enemy1, oblique1, enemy3, oblique3;
  genvar k, i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_file
      for (k = 0; k < 8; k = k + 1) begin : g_row
        assign enemy1[8*i + k] = enemy[8*((i + k) % 8) + i];
        assign oblique1[8*i + k] = oblique[8*((i + k) % 8) + i];
        assign enemy3[8*i + k] = enemy[8*((8 + k - i) % 8) + i];
        assign oblique3[8*i + k] = oblique[8*((8 + k - i) % 8) + i];
      end
      always @(posedge clk) begin
        b_x0[i] <= enemy[8*a_row + i];
        b_s0[i] <= straight[8*a_row + i];
        b_x1[i] <= enemy1[8*i + a_diff] && !a_wall1[i];
        b_s1[i] <= oblique1[8*i + a_diff] || a_wall1[i];
        b_x2[i] <= enemy[8*i + a_file];
        b_s2[i] <= straight[8*i + a_file];
        b_x3[i] <= enemy3[8*i + a_sum] && !a_wall3[i];
        b_s3[i] <= oblique3[8*i + a_sum] || a_wall3[i];
      end
    end
  endgenerate
  always @(posedge clk) begin
    {b_fplus, b_fminus, b_rplus, b_rminus} <= {a_fplus, a_fminus, a_rplus, a_rminus};
    {b_align, b_pawn, b_home} <= {a_align, a_pawn, a_home};
  end

  // ---- rays ----
  wire [31:0] x = {b_x3, b_x2, b_x1, b_x0};
  wire [31:0] s = {b_s3, b_s2, b_s1, b_s0};
  wire [31:0] plus = {b_fplus, b_rplus, b_fplus, b_fplus};
  wire [31:0] minus = {b_fminus, b_rminus, b_fminus, b_fminus};
  wire [7:0]  king_f = 8'd1 << king_file;
  wire [7:0]  king_r = 8'd1 << king_row;
  wire [31:0] on = {king_f, king_r, king_f, king_f};

  wire [31:0] empty = ~x & ~s;
  wire [31:0] rise, fall;
  genvar a;
  generate
    for (a = 0; a < 4; a = a + 1) begin : g_axis
      wire [7:0] back = rev(empty[8*a +: 8]) + rev(minus[8*a +: 8]);
      assign rise[8*a +: 8] = empty[8*a +: 8] + plus[8*a +: 8];
      assign fall[8*a +: 8] = rev(back);
      always @(posedge clk) begin
        reach[8*a +: 8] <= ((rise[8*a +: 8] ^ empty[8*a +: 8]) | (fall[8*a +: 8] ^ empty[8*a +: 8]))
                           & (x[8*a +: 8] | ~s[8*a +: 8]);
        slider[a] <= |((rise[8*a +: 8] | fall[8*a +: 8]) & x[8*a +: 8] & s[8*a +: 8]);
        king[a] <= b_align[a] && |((rise[8*a +: 8] | fall[8*a +: 8]) & on[8*a +: 8]);
      end
    end
  endgenerate

  always @(posedge clk) begin
    touch[7:0] <= b_fplus | b_fminus;
    touch[15:8] <= b_pawn ? b_fplus & b_x1 : b_fplus | b_fminus;
    touch[23:16] <= b_pawn ? b_rplus & ~b_x2 : b_rplus | b_rminus;
    if (b_home && !b_x2[3]) touch[19] <= 1'b1;
    touch[31:24] <= b_pawn ? b_fminus & b_x3 : b_fplus | b_fminus;
  end

endmodule

`resetall
