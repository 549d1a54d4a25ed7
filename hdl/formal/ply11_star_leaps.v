// SPDX-License-Identifier: Apache-2.0
// ply11_star finds a knight's leaps, for any planes, any centre, either side (leap 1, 2) and either ray: the squares of the board two
// files and a row away, or two rows and a file, that are not one's own. The inputs are taken in the first clock and held. ok is 0
// where the star does something else.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_star_leaps (
  input  wire        clk,
  input  wire [63:0] any_enemy,
  input  wire [63:0] any_straight,
  input  wire [63:0] any_oblique,
  input  wire [5:0]  any_king,
  input  wire [5:0]  any_centre,
  input  wire [1:0]  any_rays,    // backward, forward
  input  wire [1:0]  any_leap,
  output wire        ok
);

  reg  [2:0]  f_clock;
  initial f_clock = 3'd0;
  reg  [63:0] enemy, straight, oblique;
  reg  [5:0]  king, centre;
  reg  [1:0]  rays, leap;
  always @(posedge clk) begin
    if (f_clock != 3'd5) f_clock <= f_clock + 3'd1;
    if (f_clock == 3'd0)
      {enemy, straight, oblique, king, centre, rays, leap}
        <= {any_enemy, any_straight, any_oblique, any_king, any_centre, any_rays, any_leap};
  end
  wire [2:0]  row = centre[5:3], file = centre[2:0];
  wire        forward = rays[0], backward = rays[1];

  wire [31:0] reach, touch;
  wire [3:0]  slider, meets;
  ply11_star u_dut (
    .clk(clk), .enemy(enemy), .straight(straight), .oblique(oblique), .king_row(king[5:3]), .king_file(king[2:0]),
    .row(row), .file(file), .forward(forward), .backward(backward), .leap(leap), .two(1'b0), .pawn(1'b0),
    .reach(reach), .touch(touch), .slider(slider), .king(meets)
  );

  function free(input [63:0] e, input [63:0] s, input [2:0] r, input [2:0] f);
    free = e[{r, f}] || !s[{r, f}];
  endfunction
  reg  [7:0]  by_row, by_file;
  wire        above = leap[0];
  wire        side_row = above ? row != 3'd7 : row != 3'd0;
  wire        side_file = above ? file != 3'd7 : file != 3'd0;
  wire [2:0]  at_row = above ? row + 3'd1 : row - 3'd1;
  wire [2:0]  at_file = above ? file + 3'd1 : file - 3'd1;
  always @* begin
    by_row = 8'd0;
    by_file = 8'd0;
    if (side_row && forward && file < 3'd6) by_row[file + 3'd2] = free(enemy, straight, at_row, file + 3'd2);
    if (side_row && backward && file > 3'd1) by_row[file - 3'd2] = free(enemy, straight, at_row, file - 3'd2);
    if (side_file && forward && row < 3'd6) by_file[row + 3'd2] = free(enemy, straight, row + 3'd2, at_file);
    if (side_file && backward && row > 3'd1) by_file[row - 3'd2] = free(enemy, straight, row - 3'd2, at_file);
  end

  wire        granted = f_clock == 3'd5 && (leap == 2'd1 || leap == 2'd2);
  wire [31:0] goes = reach & touch;
  assign ok = !granted || {goes[23:16], goes[7:0]} == {by_file, by_row};

endmodule

`resetall
