// SPDX-License-Identifier: Apache-2.0
// What ply11_moves finds of en passant, with any planes of a position (every man who is not an enemy's is in both others), from any
// state in which no row is on its way. An enemy's pawn stands in row 4 of the file ep tells; the two squares behind it are empty.
//   PART 0: the pawn is asked as who may be taken. Four clocks later it is known what a capture looks at: whether king and an
//     enemy who moves along the line are in sight on both sides of it on a diagonal; whether such an enemy or the
//     king is in sight in the row; whether it gives check.
//   PART 1: a pawn beside it is asked, and a clock later his capture, with what PART 0 finds. One entry comes, with the square behind
//     the pawn, if after the capture no enemy who moves along a line has the king in sight who had not before; it
//     says whether the pawn that is taken gives check. Otherwise none comes. Whether the capture ends a check is not asked here.
// It is compared with lines that are looked at square by square. ok is 0 where that fails. The wires with dots are those of the
// instance (hierconn).
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_found_passant #(
  parameter PART = 0
) (
  input  wire         clk,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [2:0]   any_file,   // the file of the pawn
  input  wire         any_right,  // who takes stands to its left, and takes to the right
  input  wire         m_ready,
  output wire         ok
);

  reg  [3:0]   f_time;
  initial f_time = 4'd0;
  wire         first = f_time == 4'd0;
  reg  [2:0]   h_file;
  wire [2:0]   file = first ? any_file : h_file;
  ply11_moves u_dut (
    .clk(clk), .rst(1'b0), .s_valid(s_valid), .s_ready(), .board(board), .side(side), .rights(rights),
    .ep({1'b0, file} + 4'd1), .m_valid(), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(),
    .m_stalemate()
  );
  (* hierconn *) wire        \u_dut.late_q , \u_dut.u_find.row_scan , \u_dut.u_find.row_last , \u_dut.u_find.row_flush , \u_dut.u_find.side_q , \u_dut.put ;
  (* hierconn *) wire [63:0] \u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q , \u_dut.u_find.ask_row , \u_dut.u_find.ask_file ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.ask_op , \u_dut.u_find.ask_allow ;
  (* hierconn *) wire        \u_dut.u_find.ask_pawn , \u_dut.u_find.ask_two , \u_dut.u_find.ask_forward , \u_dut.u_find.ask_backward ;
  (* hierconn *) wire [1:0]  \u_dut.u_find.ask_leap ;
  (* hierconn *) wire        \u_dut.u_find.taken_pinned_q , \u_dut.u_find.taken_slider_q , \u_dut.u_find.taken_king_q , \u_dut.u_find.taken_checks_q ;
  (* hierconn *) wire [47:0] \u_dut.put_entry ;

  localparam [3:0] MAN = 4'd1, PASSANT = 4'd4, TAKEN = 4'd9;
  localparam [2:0] FREE = 3'd7;

  reg  [63:0]  enemy, straight, oblique;
  reg  [5:0]   king;
  reg          right;
  wire [5:0]   pawn = {3'd4, file}, behind = {3'd5, file};
  wire [5:0]   taker = {3'd4, right ? file - 3'd1 : file + 3'd1};

  // ---- the lines of the pawn ----
  wire [31:0]  l_up, l_down, l_near, l_sight, l_own, l_foe, l_slides, l_throne;
  wire [3:0]   pins;
  ply11_moves_found_lines u_lines (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .centre(pawn), .up(l_up), .down(l_down), .near(l_near),
    .sight(l_sight), .own(l_own), .foe(l_foe), .slides(l_slides), .throne(l_throne), .pins(pins)
  );
  wire [31:0]  slides = l_sight & l_slides, throne = l_sight & l_throne;
  wire         pinned = pins[1] || pins[3];
  // An enemy's pawn in row 4 attacks the squares of row 3 beside its file.
  wire         checks = king[5:3] == 3'd3 && ({1'b0, king[2:0]} == {1'b0, file} + 4'd1 || {1'b0, file} == {1'b0, king[2:0]} + 4'd1);

  // ---- who slides to the king before the capture, and after it ----
  wire [63:0]  gone = (64'd1 << pawn) | (64'd1 << taker), there = 64'd1 << behind;
  wire         bares;
  ply11_moves_found_bares u_bares (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .gone(gone), .there(there), .bares(bares)
  );

  // ---- premises ----
  wire         still = ! \u_dut.u_find.row_scan && ! \u_dut.u_find.row_last && ! \u_dut.u_find.row_flush ;
  wire         plain = ! \u_dut.u_find.ask_two && \u_dut.u_find.ask_leap == 2'd0;
  wire         both = \u_dut.u_find.ask_forward && \u_dut.u_find.ask_backward ;
  wire [5:0]   z_square = {\u_dut.u_find.ask_row , \u_dut.u_find.ask_file };
  wire [5:0]   k_square = {\u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q };
  wire [5:0]   any_taker = {3'd4, any_right ? any_file - 3'd1 : any_file + 3'd1};
  wire [63:0]  k_enemy = \u_dut.u_find.enemy_q , k_other = \u_dut.u_find.straight_q | \u_dut.u_find.oblique_q ;
  wire [63:0]  k_own = \u_dut.u_find.straight_q & ~k_enemy;
  wire         board_right = k_own == (\u_dut.u_find.oblique_q & ~k_enemy) && k_own[k_square] && k_enemy[{3'd4, any_file}]
                             && !k_other[{3'd4, any_file}] && !k_enemy[{3'd5, any_file}] && !k_other[{3'd5, any_file}]
                             && !k_enemy[{3'd6, any_file}] && !k_other[{3'd6, any_file}];
  wire         asked = PART == 0 ? \u_dut.u_find.ask_op == TAKEN && z_square == {3'd4, any_file} && ! \u_dut.u_find.ask_pawn
                       : \u_dut.u_find.ask_op == MAN && z_square == any_taker && k_own[any_taker] && any_taker != k_square
                         && any_file != (any_right ? 3'd0 : 3'd7) && \u_dut.u_find.ask_pawn ;
  wire         captures = \u_dut.u_find.ask_op == PASSANT && z_square == taker && ! \u_dut.u_find.ask_pawn && plain && \u_dut.u_find.ask_forward == right
                          && \u_dut.u_find.ask_backward == !right && \u_dut.u_find.ask_allow == {!right, 1'b0, right, 1'b0};
  wire [3:0]   taken = {\u_dut.u_find.taken_pinned_q , \u_dut.u_find.taken_slider_q , \u_dut.u_find.taken_king_q , \u_dut.u_find.taken_checks_q };
  wire         known = taken == {pinned, slides[7:0] != 8'd0, throne[7:0] != 8'd0, checks};
  reg          f_right;
  always @(posedge clk) begin
    if (f_time != 4'd15) f_time <= f_time + 4'd1;
    if (first) begin
      {h_file, right} <= {any_file, any_right};
      {enemy, straight, oblique, king} <= {\u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q , k_square};
      f_right <= asked && both && plain && still && ! \u_dut.late_q && board_right;
    end else if ((f_time <= 4'd3 && !still)
                 || (PART == 1 && ((f_time == 4'd1 && !captures) || (f_time == 4'd4 && !known)))) f_right <= 1'b0;
  end

  // ---- what is put ----
  wire [31:0]  due = right ? 32'd1 << 8 << file : 32'd1 << 24 << file;
  wire [47:0]  entry = {1'b1, checks, FREE, \u_dut.u_find.side_q , right ? 4'd2 : 4'd8, taker, due};
  assign ok = first || !f_right
    || (PART == 0 ? f_time != 4'd4 || known
                  : f_time != 4'd6 || (bares ? ! \u_dut.put : \u_dut.put && \u_dut.put_entry == entry));

endmodule

`resetall
