// SPDX-License-Identifier: Apache-2.0
// ply11_star does what its header says, for any planes, any centre and either ray. The judge takes each square of the four lines
// by itself: a ray comes there if the squares from its first to the one before are empty. LEAP 0: the four lines through the
// centre, with and without two, for pieces and pawns; king is judged if there is a piece on his square, and a pawn's touch without
// the row, which nobody asks for. LEAP 1: a knight's two lines, above or below and to the right or left. The inputs are taken in
// the first clock and held. ok is 0 where the star says something else.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_star_judged #(
  parameter LEAP = 0
) (
  input  wire        clk,
  input  wire [63:0] any_enemy,
  input  wire [63:0] any_straight,
  input  wire [63:0] any_oblique,
  input  wire [5:0]  any_king,
  input  wire [5:0]  any_centre,
  input  wire [1:0]  any_rays,    // backward, forward
  input  wire        any_two,     // of a knight: below and to the left
  input  wire        any_pawn,
  output wire        ok
);

  reg  [2:0]  f_clock;
  initial f_clock = 3'd0;
  reg  [63:0] enemy, straight, oblique;
  reg  [5:0]  king, centre;
  reg  [1:0]  rays;
  reg         two, pawn;
  always @(posedge clk) begin
    if (f_clock != 3'd5) f_clock <= f_clock + 3'd1;
    if (f_clock == 3'd0)
      {enemy, straight, oblique, king, centre, rays, two, pawn}
        <= {any_enemy, any_straight, any_oblique, any_king, any_centre, any_rays, any_two, any_pawn};
  end
  wire [2:0]  row = centre[5:3], file = centre[2:0];

  wire [31:0] reach, touch;
  wire [3:0]  slider, meets;
  ply11_star u_dut (
    .clk(clk), .enemy(enemy), .straight(straight), .oblique(oblique), .king_row(king[5:3]), .king_file(king[2:0]),
    .row(row), .file(file), .forward(rays[0]), .backward(rays[1]), .leap(LEAP == 0 ? 2'd0 : two ? 2'd2 : 2'd1),
    .two(two && LEAP == 0), .pawn(pawn && LEAP == 0),
    .reach(reach), .touch(touch), .slider(slider), .king(meets)
  );

  // Where the lines run: rows and files of their squares, 0 to 7 on the board.
  wire signed [5:0] step = LEAP == 0 ? 6'sd0 : two ? -6'sd1 : 6'sd1;
  wire signed [5:0] row_s = {3'd0, row}, file_s = {3'd0, file};
  reg  signed [5:0] r, f;
  // Whether a square is on the board, an enemy there, an own piece or an enemy who moves along the line; how far it is from
  // the centre, falling (a negative number) or rising.
  reg  [7:0]  on, foe, stop, is_king;
  reg  signed [5:0] far [0:7];
  reg         comes;
  reg  [31:0] j_reach, j_goes;
  reg  [3:0]  j_slider, j_king;
  integer     a, t, u;
  always @* begin
    j_reach = 32'd0;
    j_goes = 32'd0;
    j_slider = 4'd0;
    j_king = 4'd0;
    for (a = 0; a < 4; a = a + 1) begin
      for (t = 0; t < 8; t = t + 1) begin
        // Square t of a line is in file t, of axis 2 in row t.
        f = a == 2 ? file_s + step : t[5:0];
        r = a == 0 ? row_s + step : a == 1 ? row_s + (f - file_s) : a == 2 ? t[5:0] : row_s - (f - file_s);
        far[t] = a == 2 ? r - row_s : f - file_s;
        on[t] = r >= 0 && r <= 7 && f >= 0 && f <= 7;
        foe[t] = on[t] && enemy[{r[2:0], f[2:0]}];
        stop[t] = on[t] && (a == 0 || a == 2 ? straight[{r[2:0], f[2:0]}] : oblique[{r[2:0], f[2:0]}]);
        is_king[t] = on[t] && king == {r[2:0], f[2:0]};
      end
      for (t = 0; t < 8; t = t + 1) begin
        comes = on[t] && (far[t] > 0 ? rays[0] : rays[1]) && far[t] != 0
                && (LEAP == 0 && !two || (far[t] != 1 && far[t] != -1));
        for (u = 0; u < 8; u = u + 1)
          if ((t < u && far[u] < 0 || t > u && far[u] > 0) && (foe[u] || stop[u])
              && (LEAP == 0 && !two || (far[u] != 1 && far[u] != -1))) comes = 1'b0;
        if (comes) begin
          j_reach[8*a + t] = foe[t] || !stop[t];
          if (pawn && LEAP == 0) begin
            // Obliquely up to an enemy; straight up to an empty square, from row 1 also two.
            case (a)
              1:       j_goes[8*a + t] = far[t] == 1 && foe[t];
              2:       j_goes[8*a + t] = (far[t] == 1 || (far[t] == 2 && row == 3'd1)) && !foe[t] && !stop[t];
              3:       j_goes[8*a + t] = far[t] == -1 && foe[t];
              default: ;
            endcase
          end else if (LEAP == 0 && !two ? far[t] == 1 || far[t] == -1 : far[t] == 2 || far[t] == -2)
            j_goes[8*a + t] = foe[t] || !stop[t];
          if (foe[t] && stop[t]) j_slider[a] = 1'b1;
          if (is_king[t] && (foe[t] || stop[t])) j_king[a] = 1'b1;
        end
      end
    end
  end

  wire [31:0] goes = reach & touch & {24'hffffff, {8{LEAP != 0 || !pawn}}};
  // Whether there is a piece on the king's square, on all lines.
  wire        his = enemy[king] || (straight[king] && oblique[king]);
  wire        granted = f_clock == 3'd5 && (LEAP != 0 || !(two && pawn));
  generate
    if (LEAP == 0)
      assign ok = !granted || (reach == j_reach && goes == j_goes && slider == j_slider && (!his || meets == j_king));
    else
      assign ok = !granted || {reach[23:16], reach[7:0], goes[23:16], goes[7:0], slider[2], slider[0]}
                               == {j_reach[23:16], j_reach[7:0], j_goes[23:16], j_goes[7:0], j_slider[2], j_slider[0]};
  endgenerate

endmodule

`resetall
