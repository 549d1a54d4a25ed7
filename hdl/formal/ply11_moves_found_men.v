// SPDX-License-Identifier: Apache-2.0
// What ply11_moves puts into the FIFO for one of one's own men, the king apart: from any state in which no row is on its way, with
// any planes of a position (every man who is not an enemy's is in both others), any square of the king and any other men. He is
// asked on any square as his kind has to be; five clocks later an entry has all squares where he goes, by his lines, and no
// other, or none comes if there is none. Pins count: with his king in sight on a line and an enemy who moves along it in sight on
// the other side, he keeps that line alone (ply11_moves_found_pins). Whether a move ends a check is not asked here.
//   KNIGHT 0: queen, bishop, rook and pawn; a pawn's takes en passant are apart
//   KNIGHT 1: a knight, who is asked in three clocks in a row: one entry has his squares of the row above and the file to the
//             right, the next those of the row below and the file to the left
// ok is 0 where that fails. The wires with dots are those of the instance (hierconn).
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_found_men #(
  parameter KNIGHT = 0
) (
  input  wire         clk,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready,
  input  wire [5:0]   any_square,
  input  wire [2:0]   any_kind,
  output wire         ok
);

  ply11_moves u_dut (
    .clk(clk), .rst(1'b0), .s_valid(s_valid), .s_ready(), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );
  (* hierconn *) wire        \u_dut.late_q , \u_dut.u_find.row_scan , \u_dut.u_find.row_last , \u_dut.u_find.row_flush , \u_dut.u_find.side_q , \u_dut.put ;
  (* hierconn *) wire [63:0] \u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q , \u_dut.u_find.ask_row , \u_dut.u_find.ask_file ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.ask_op , \u_dut.u_find.ask_allow ;
  (* hierconn *) wire        \u_dut.u_find.ask_pawn , \u_dut.u_find.ask_two , \u_dut.u_find.ask_forward , \u_dut.u_find.ask_backward , \u_dut.u_find.ask_mark ;
  (* hierconn *) wire [1:0]  \u_dut.u_find.ask_leap ;
  (* hierconn *) wire [47:0] \u_dut.put_entry ;

  localparam [3:0] MAN = 4'd1, RISE = 4'd2, DROP = 4'd3;
  localparam [2:0] LINES = 3'd0, UP = 3'd1, DOWN = 3'd2;

  reg  [3:0]   f_time;
  initial f_time = 4'd0;
  reg  [63:0]  enemy, straight, oblique;
  reg  [5:0]   king, square;
  reg  [2:0]   kind;
  wire         first = f_time == 4'd0;
  wire         pawn = kind == 3'd6;
  wire [2:0]   row = square[5:3], file = square[2:0];

  // The planes are those of the first clock.
  reg          f_right;
  wire         still = ! \u_dut.u_find.row_scan && ! \u_dut.u_find.row_last && ! \u_dut.u_find.row_flush ;
  wire [5:0]   now = {\u_dut.u_find.ask_row , \u_dut.u_find.ask_file };
  wire         plain = \u_dut.u_find.ask_forward && \u_dut.u_find.ask_backward && ! \u_dut.u_find.ask_two ;
  wire         leaps = \u_dut.u_find.ask_op == (f_time == 4'd1 ? RISE : DROP) && \u_dut.u_find.ask_leap == f_time[1:0] && now == square && plain
                       && ! \u_dut.u_find.ask_pawn ;
  reg  [3:0]   allow;
  always @* case (any_kind)
    3'd2: allow = 4'b1111;
    3'd4: allow = 4'b1010;
    3'd5: allow = 4'b0101;
    3'd6: allow = 4'b1110;
    default: allow = 4'b0000;
  endcase
  wire         asked = \u_dut.u_find.ask_op == MAN && now == any_square && plain && \u_dut.u_find.ask_leap == 2'd0 && \u_dut.u_find.ask_allow == allow
                       && \u_dut.u_find.ask_pawn == (any_kind == 3'd6) && \u_dut.u_find.ask_mark == (any_kind == 3'd6 && any_square[5:3] == 3'd6);
  wire         his = KNIGHT != 0 ? any_kind == 3'd3 : any_kind == 3'd2 || any_kind >= 3'd4 && any_kind <= 3'd6;
  wire [63:0]  own = \u_dut.u_find.straight_q & ~ \u_dut.u_find.enemy_q ;
  always @(posedge clk) begin
    if (f_time != 4'd15) f_time <= f_time + 4'd1;
    if (first) begin
      {enemy, straight, oblique, king} <= {\u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q , \u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q };
      {square, kind} <= {any_square, any_kind};
      f_right <= still && asked && his && ! \u_dut.late_q && own == (\u_dut.u_find.oblique_q & ~ \u_dut.u_find.enemy_q ) && own[any_square]
                 && own[{\u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q }] && any_square != {\u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q };
    end else if ((f_time <= 4'd6 && !still) || (KNIGHT != 0 && f_time <= 4'd2 && !leaps)) f_right <= 1'b0;
  end

  wire [31:0]  l_up, l_down, l_near, l_sight, l_own, l_foe, l_slides, l_throne;
  wire [3:0]   pins;
  ply11_moves_found_lines u_lines (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .centre(square), .up(l_up), .down(l_down), .near(l_near),
    .sight(l_sight), .own(l_own), .foe(l_foe), .slides(l_slides), .throne(l_throne), .pins(pins)
  );
  // A square where he goes on his lines. A pawn goes straight up to an empty square, from row 1 also two, and takes obliquely.
  reg  [31:0]  goes;
  integer      t, at;
  always @* begin
    goes = 32'd0;
    for (t = 0; t < 32; t = t + 1)
      if (l_sight[t] && !l_own[t] && (pins == 4'd0 || pins[t/8])) begin
        case (kind)
          3'd2: goes[t] = 1'b1;
          3'd4: goes[t] = t / 8 == 1 || t / 8 == 3;
          3'd5: goes[t] = t / 8 == 0 || t / 8 == 2;
          default:
            if (t / 8 == 2) goes[t] = l_up[t] && !l_foe[t] && (l_near[t] || (row == 3'd1 && t % 8 == 3));
            else goes[t] = t / 8 != 0 && l_near[t] && l_foe[t] && (t / 8 == 1 ? l_up[t] : l_down[t]);
        endcase
      end
  end

  // A knight's squares: in the row above (or below), and in the file to the right (or left).
  reg  [31:0]  rises, drops;
  always @* begin
    {rises, drops} = 64'd0;
    for (t = 0; t < 8; t = t + 1) begin
      at = t;
      if ((at == file + 2 || at == file - 2) && pins == 4'd0) begin
        if (row != 3'd7) rises[t] = !(straight[8 * (row + 1) + t] && !enemy[8 * (row + 1) + t]);
        if (row != 3'd0) drops[t] = !(straight[8 * (row - 1) + t] && !enemy[8 * (row - 1) + t]);
      end
      if ((at == row + 2 || at == row - 2) && pins == 4'd0) begin
        if (file != 3'd7) rises[16 + t] = !(straight[8 * t + file + 1] && !enemy[8 * t + file + 1]);
        if (file != 3'd0) drops[16 + t] = !(straight[8 * t + file - 1] && !enemy[8 * t + file - 1]);
      end
    end
  end

  // An entry with these squares, or none.
  wire [31:0]  due = KNIGHT == 0 ? goes : f_time == 4'd6 ? rises : f_time == 4'd7 ? drops : 32'd0;
  wire [3:0]   axes = {due[31:24] != 8'd0, due[23:16] != 8'd0, due[15:8] != 8'd0, due[7:0] != 8'd0};
  wire         one = axes == 4'd1 || axes == 4'd2 || axes == 4'd4 || axes == 4'd8;
  wire [47:0]  entry = {one, pawn && row == 3'd6, KNIGHT == 0 ? LINES : f_time == 4'd6 ? UP : DOWN, \u_dut.u_find.side_q , axes, square, due};
  wire         looks = f_time == 4'd5 || (KNIGHT != 0 && (f_time == 4'd6 || f_time == 4'd7));
  assign ok = first || !f_right || !looks
    || (due == 32'd0 ? ! \u_dut.put : \u_dut.put && \u_dut.put_entry == entry);

endmodule

`resetall
