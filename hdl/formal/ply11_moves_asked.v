// SPDX-License-Identifier: Apache-2.0
// What ply11_moves asks, for all time from a reset on, for any offers and back-pressure, whatever the star finds (ply11_moves_parts),
// if the position is held as its header says:
//  1. When the steps begin, or s_ready comes, each of one's own men, the king apart, was asked once since the rows went by last,
//     which is after the leapers if they were asked. Nothing else was asked as a man.
//  2. He is asked at his square, with the axes of his kind, as a pawn if he is one, with home in row 6. A knight is asked for the row
//     above and the row below in the next two clocks. A pawn in row 4 beside the file of ep is asked in the next clock for
//     his capture, on the diagonal that leads behind it. Nothing else is asked so.
//  3. Of the king's steps that are found each is asked once, the lowest first, at its square; castling after the others.
//  4. His two stars, the pawn that may be taken and the rows of leapers are asked as they have to be, with both rays or one.
//  5. Rows are on their way while a position is read, in the eight clocks before the king's first star and in the two after
//     them, and at no other time, so the planes stay as they were read.
// Assumed is what is proved elsewhere: own_rows_q has the rows with men, from the king's first star on (ply11_moves_read); while steps
// are asked, some are left, and no star of the king is on its way that could change them (ply11_moves_order). What is proved here are
// the premises of ply11_moves_found_men, _king and _passant. The wires with dots are those of the instance (hierconn).
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_asked (
  input  wire         clk,
  input  wire         reset,
  input  wire         s_valid,
  input  wire [255:0] any_men,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready
);

  reg          f_started;
  initial f_started = 1'b0;
  wire         rst = !f_started || reset;

  // Every square holds a man or nothing. seen: as who moves sees it, bit 3 of a man says that he is an enemy's; turned: the same, but
  // it is 1 of an empty square, too, if Black moves.
  wire [255:0] board, seen, turned;
  wire [63:0]  men;
  wire [7:0]   rows;
  genvar s;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_square
      wire [3:0] any = any_men[4*s +: 4];
      assign board[4*s +: 4] = any[2:0] == 3'd7 || any == 4'd8 ? 4'd0 : any;
      wire [3:0] man = side ? board[4*(s ^ 56) +: 4] : board[4*s +: 4];
      assign seen[4*s +: 4] = {man != 4'd0 && man[3] != side, man[2:0]};
      assign turned[4*s +: 4] = man ^ {side, 3'd0};
      assign men[s] = man != 4'd0 && man[3] == side && man[2:0] != 3'd1;
    end
    for (s = 0; s < 8; s = s + 1) begin : g_row
      assign rows[s] = men[8*s +: 8] != 8'd0;
    end
  endgenerate

  ply11_moves u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );
  (* hierconn *) wire [4:0]  \u_dut.u_find.state_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.seek_row , \u_dut.u_find.leap_count_q , \u_dut.u_find.row_number , \u_dut.u_find.men_row , \u_dut.u_find.man_row , \u_dut.u_find.man_file ;
  (* hierconn *) wire [7:0]  \u_dut.u_find.seek_left , \u_dut.u_find.men_left , \u_dut.u_find.own_rows_q ;
  (* hierconn *) wire        \u_dut.u_find.seek_valid , \u_dut.u_find.row_valid , \u_dut.u_find.men_none , \u_dut.u_find.men_one , \u_dut.u_find.men_fetch , \u_dut.u_find.men_begin_q ;
  (* hierconn *) wire        \u_dut.u_find.man_valid , \u_dut.u_find.man_pawn , \u_dut.u_find.man_knight , \u_dut.u_find.man_takes , \u_dut.u_find.man_takes_right , \u_dut.u_find.man_takes_left ;
  (* hierconn *) wire        \u_dut.u_find.man_asked , \u_dut.u_find.ask_pawn , \u_dut.u_find.ask_two , \u_dut.u_find.ask_forward , \u_dut.u_find.ask_backward , \u_dut.u_find.ask_mark ;
  (* hierconn *) wire        \u_dut.u_find.ask_beside , \u_dut.u_find.row_scan , \u_dut.u_find.row_last , \u_dut.u_find.row_flush ;
  (* hierconn *) wire [31:0] \u_dut.u_find.row_men , \u_dut.u_find.men_kinds ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.man_allow , \u_dut.u_find.ask_op , \u_dut.u_find.rays_op , \u_dut.u_find.ask_allow ;
  (* hierconn *) wire [1:0]  \u_dut.u_find.man_part , \u_dut.u_find.ask_leap , \u_dut.u_find.ask_castle ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.ask_row , \u_dut.u_find.ask_file , \u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q ;
  (* hierconn *) wire [9:0]  \u_dut.u_find.steps_q ;

  localparam [4:0] IDLE = 5'd0, SCAN = 5'd1, WAIT = 5'd2, KING_F = 5'd3, LEAPERS = 5'd4, AGAIN = 5'd5, STEPS = 5'd6,
                   LAST = 5'd7, KING_B = 5'd8, VICTIM = 5'd9, PAUSE = 5'd10, MEN = 5'd24;
  localparam [3:0] NOTHING = 4'd0, MAN = 4'd1, RISE = 4'd2, DROP = 4'd3, PASSANT = 4'd4, STEP = 4'd5,
                   CHECK_F = 4'd6, CHECK_B = 4'd7, LEAPER = 4'd8, TAKEN = 4'd9, END = 4'd10;

  wire [4:0]   state = \u_dut.u_find.state_q ;
  wire         walks = state == KING_B || state == VICTIM || state == PAUSE || state == MEN;
  wire         waits = state == IDLE || state == SCAN || state == WAIT;

  // ---- what was asked ----
  reg  [63:0]  f_asked;                   // men who were asked
  reg  [7:0]   f_rows;                    // rows of which they were taken
  reg  [4:0]   f_state;                   // the clock before
  reg  [2:0]   f_count;
  reg  [9:0]   f_steps;
  reg  [5:0]   f_king, f_square;
  reg  [3:0]   f_op;
  reg  [264:0] f_position;
  wire [264:0] position = {board, side, rights, ep};
  wire [5:0]   man = {\u_dut.u_find.man_row , \u_dut.u_find.man_file };
  wire [63:0]  him = 64'd1 << man;
  wire         begins = state == KING_F || state == AGAIN;
  wire         new_man = \u_dut.u_find.man_asked && \u_dut.u_find.man_part == 2'd0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_position <= position;
    if (begins) f_asked <= 64'd0;
    else if (new_man) f_asked <= f_asked | him;
    if (begins) f_rows <= 8'd0;
    else if (\u_dut.u_find.men_fetch ) f_rows <= f_rows | (8'd1 << \u_dut.u_find.row_number );
    f_state <= rst ? IDLE : state;
    f_count <= \u_dut.u_find.leap_count_q ;
    f_steps <= \u_dut.u_find.steps_q ;
    f_king <= {\u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q };
    f_square <= {\u_dut.u_find.ask_row , \u_dut.u_find.ask_file };
    f_op <= rst ? NOTHING : \u_dut.u_find.ask_op ;
  end

  // ---- what is to be asked ----
  wire [7:0]   in_at = \u_dut.u_find.seek_valid ? 8'd1 << \u_dut.u_find.seek_row : 8'd0, in_line = \u_dut.u_find.row_valid ? 8'd1 << \u_dut.u_find.row_number : 8'd0;
  wire [63:0]  in_todo = {56'd0, \u_dut.u_find.men_left } << {\u_dut.u_find.men_row , 3'd0};
  wire [63:0]  in_man = \u_dut.u_find.man_valid && \u_dut.u_find.man_part == 2'd0 ? him : 64'd0;
  reg  [63:0]  taken;                     // men of the rows that were taken
  integer      j;
  always @* for (j = 0; j < 64; j = j + 1) taken[j] = men[j] && f_rows[j/8];
  function [7:0] others(input [7:0] b);
    others = b & (b - 8'd1);
  endfunction
  wire [7:0]   todo = \u_dut.u_find.men_left ;
  wire         nobody = todo == 8'd0 && \u_dut.u_find.men_none && \u_dut.u_find.men_one && ! \u_dut.u_find.man_valid ;

  // ---- what has to be asked of a man ----
  function [3:0] axes(input [2:0] kind);
    axes = kind == 3'd2 ? 4'b1111 : kind == 3'd4 ? 4'b1010 : kind == 3'd5 ? 4'b0101 : kind == 3'd6 ? 4'b1110 : 4'b0000;
  endfunction
  // He takes en passant to the right, to the left.
  function [1:0] beside(input [5:0] square, input [3:0] file);
    beside = {file != 4'd0 && square[5:3] == 3'd4 && {1'b0, square[2:0]} + 4'd2 == file,
              file != 4'd0 && square[5:3] == 3'd4 && {1'b0, square[2:0]} == file};
  endfunction
  wire [3:0]   m_man = seen[{man, 2'd0} +: 4];
  wire [1:0]   m_beside = beside(man, ep);
  wire [5:0]   z = {\u_dut.u_find.ask_row , \u_dut.u_find.ask_file };
  wire [3:0]   z_man = seen[{z, 2'd0} +: 4], f_man = seen[{f_square, 2'd0} +: 4];
  wire [1:0]   z_beside = beside(z, ep), f_beside = beside(f_square, ep);
  wire         both = \u_dut.u_find.ask_forward && \u_dut.u_find.ask_backward ;
  wire         plain = ! \u_dut.u_find.ask_two && \u_dut.u_find.ask_leap == 2'd0;
  // The king's step of the lowest bit: 0..3 forward on the axes, 4..7 backward, 8 and 9 castlings.
  wire [9:0]   lowest = f_steps & -f_steps;
  wire [5:0]   target = lowest[0] ? {f_king[5:3], f_king[2:0] + 3'd1} : lowest[4] ? {f_king[5:3], f_king[2:0] - 3'd1}
                        : lowest[1] ? {f_king[5:3] + 3'd1, f_king[2:0] + 3'd1} : lowest[5] ? {f_king[5:3] - 3'd1, f_king[2:0] - 3'd1}
                        : lowest[2] ? {f_king[5:3] + 3'd1, f_king[2:0]} : lowest[6] ? {f_king[5:3] - 3'd1, f_king[2:0]}
                        : lowest[3] ? {f_king[5:3] - 3'd1, f_king[2:0] + 3'd1} : lowest[7] ? {f_king[5:3] + 3'd1, f_king[2:0] - 3'd1}
                        : lowest[8] ? {f_king[5:3], f_king[2:0] + 3'd2} : {f_king[5:3], f_king[2:0] - 3'd2};
  // The rows of leapers: two and one below the king, one and two above, and that above for pawns.
  wire signed [4:0] leap = f_count == 3'd0 ? -5'sd2 : f_count == 3'd1 ? -5'sd1 : f_count == 3'd3 ? 5'sd2 : 5'sd1;
  wire signed [4:0] leap_row = $signed({2'b00, f_king[5:3]}) + leap;

  always @* if (f_started && !rst) begin
    assume (f_state == IDLE || position == f_position || f_state == LAST);
    assume (ep <= 4'd8);
    assume (waits || \u_dut.u_find.own_rows_q == rows);
    assume (state != STEPS || (\u_dut.u_find.steps_q != 10'd0 && \u_dut.u_find.rays_op != CHECK_F && \u_dut.u_find.rays_op != CHECK_B));
    a_state: assert (waits || walks || begins || state == LEAPERS || state == STEPS || state == LAST);
    a_before: assert (state == KING_F ? f_state == WAIT : state == KING_B ? f_state == KING_F : state == VICTIM ? f_state == KING_B
                      : state == PAUSE ? f_state == AGAIN : state == AGAIN ? f_state == LEAPERS
                      : state == LEAPERS ? f_state == LEAPERS || f_state == MEN
                      : state == MEN ? f_state == (\u_dut.u_find.men_begin_q ? VICTIM : f_state == PAUSE ? PAUSE : MEN)
                      : state == STEPS || state == LAST ? f_state == MEN || f_state == STEPS : 1'b1);
    a_count: assert (state != LEAPERS || \u_dut.u_find.leap_count_q <= 3'd4);
    a_leapers: assert (state != MEN || ! \u_dut.u_find.men_begin_q || \u_dut.u_find.leap_count_q == 3'd0);

    // 5.
    a_scans: assert (\u_dut.u_find.row_scan == (state == SCAN || state == WAIT) && \u_dut.u_find.row_last == (state == KING_F)
                     && \u_dut.u_find.row_flush == (state == KING_B));
    a_row: assert (state == IDLE ? \u_dut.u_find.seek_row == 3'd0 : state == SCAN ? \u_dut.u_find.seek_row != 3'd0 && \u_dut.u_find.row_number == \u_dut.u_find.seek_row - 3'd1
                   : state != WAIT || \u_dut.u_find.row_number == 3'd7);

    // 1.
    a_rests: assert ((!begins && state != KING_B && state != VICTIM && state != PAUSE) || nobody);
    a_line: assert ((state != KING_B && state != PAUSE) || ! \u_dut.u_find.row_valid );
    a_early: assert (state != MEN || ! \u_dut.u_find.men_begin_q || ! \u_dut.u_find.man_valid );
    if (walks) begin
      a_rows: assert ((\u_dut.u_find.seek_left | in_at | in_line | f_rows) == rows && (\u_dut.u_find.seek_left & in_at) == 8'd0
                      && ((\u_dut.u_find.seek_left | in_at) & in_line) == 8'd0 && ((\u_dut.u_find.seek_left | in_at | in_line) & f_rows) == 8'd0);
      a_at: assert (\u_dut.u_find.seek_valid || \u_dut.u_find.seek_left == 8'd0);
      a_valid: assert (! \u_dut.u_find.row_valid || \u_dut.u_find.row_men == turned[{\u_dut.u_find.row_number , 5'd0} +: 32]);
      a_todo: assert (\u_dut.u_find.men_none == (todo == 8'd0) && \u_dut.u_find.men_one == (others(todo) == 8'd0));
      a_kinds: assert (todo == 8'd0 || \u_dut.u_find.men_kinds == turned[{\u_dut.u_find.men_row , 5'd0} +: 32]);
      a_men: assert ((f_asked | in_man | in_todo) == taken && (f_asked & (in_man | in_todo)) == 64'd0 && (in_man & in_todo) == 64'd0);
      if (\u_dut.u_find.man_valid ) begin
        a_man: assert (men[man] && \u_dut.u_find.man_knight == (m_man == 4'd3) && \u_dut.u_find.man_pawn == (m_man == 4'd6)
                       && \u_dut.u_find.man_allow == axes(m_man[2:0]) && \u_dut.u_find.man_takes == (m_man == 4'd6 && m_beside != 2'd0)
                       && {\u_dut.u_find.man_takes_right , \u_dut.u_find.man_takes_left } == m_beside);
        a_part: assert (\u_dut.u_find.man_part <= (m_man == 4'd3 ? 2'd2 : {1'b0, \u_dut.u_find.man_takes }) && (\u_dut.u_find.man_part == 2'd0 || f_asked[man]));
        // The part before was asked in the clock before.
        a_parts: assert (\u_dut.u_find.man_part == 2'd0 || (f_state == MEN && z == man
                         && \u_dut.u_find.ask_op == (\u_dut.u_find.man_part == 2'd1 ? MAN : RISE)));
      end
      a_next: assert (state != MEN || ((\u_dut.u_find.ask_op == MAN && (z_man == 4'd3 || (z_man == 4'd6 && z_beside != 2'd0))) || \u_dut.u_find.ask_op == RISE)
                      == (\u_dut.u_find.man_valid && \u_dut.u_find.man_part != 2'd0));
    end
    a_all: assert ((state != STEPS && state != LAST) || f_asked == men);

    // 2.
    if (\u_dut.u_find.ask_op == MAN)
      a_z_man: assert (f_state == MEN && state == MEN && men[z] && both && plain && \u_dut.u_find.ask_allow == axes(z_man[2:0]) && \u_dut.u_find.ask_pawn == (z_man == 4'd6)
                       && \u_dut.u_find.ask_mark == (z_man == 4'd6 && z[5:3] == 3'd6));
    a_z_rise: assert ((\u_dut.u_find.ask_op == RISE) == (f_op == MAN && f_man == 4'd3));
    a_z_drop: assert ((\u_dut.u_find.ask_op == DROP) == (f_op == RISE));
    a_z_men: assert (\u_dut.u_find.ask_op != RISE || state == MEN);
    if (\u_dut.u_find.ask_op == RISE || \u_dut.u_find.ask_op == DROP)
      a_z_leap: assert (z == f_square && both && ! \u_dut.u_find.ask_two && ! \u_dut.u_find.ask_pawn && \u_dut.u_find.ask_leap == (\u_dut.u_find.ask_op == RISE ? 2'd1 : 2'd2));
    a_z_passant: assert ((\u_dut.u_find.ask_op == PASSANT) == (f_op == MAN && f_man == 4'd6 && f_beside != 2'd0));
    if (\u_dut.u_find.ask_op == PASSANT)
      a_z_takes: assert (z == f_square && plain && ! \u_dut.u_find.ask_pawn && {\u_dut.u_find.ask_forward , \u_dut.u_find.ask_backward } == f_beside
                         && \u_dut.u_find.ask_allow == {f_beside[0], 1'b0, f_beside[1], 1'b0});

    // 3.
    a_z_step: assert ((\u_dut.u_find.ask_op == STEP) == (f_state == STEPS));
    if (\u_dut.u_find.ask_op == STEP) begin
      a_z_to: assert (z == target && both && plain && ! \u_dut.u_find.ask_pawn && \u_dut.u_find.ask_castle == {lowest[9], lowest[8]}
                      && \u_dut.u_find.ask_beside == (lowest[0] || lowest[4]) && (lowest[9:8] != 2'd0 || \u_dut.u_find.ask_mark == (lowest[7:4] != 4'd0)));
      a_z_next: assert (state == ((f_steps & ~lowest) == 10'd0 ? LAST : STEPS) && \u_dut.u_find.steps_q == (f_steps & ~lowest));
    end

    // 4.
    a_z_king: assert ((\u_dut.u_find.ask_op == CHECK_F) == (f_state == KING_F) && (\u_dut.u_find.ask_op == CHECK_B) == (f_state == KING_B));
    if (\u_dut.u_find.ask_op == CHECK_F || \u_dut.u_find.ask_op == CHECK_B)
      a_z_rays: assert (z == f_king && plain && ! \u_dut.u_find.ask_pawn
                        && {\u_dut.u_find.ask_forward , \u_dut.u_find.ask_backward } == (\u_dut.u_find.ask_op == CHECK_F ? 2'b10 : 2'b01));
    a_z_taken: assert ((\u_dut.u_find.ask_op == TAKEN) == (f_state == VICTIM && ep != 4'd0));
    if (\u_dut.u_find.ask_op == TAKEN) a_z_victim: assert (z == {3'd4, ep[2:0] - 3'd1} && both && plain && ! \u_dut.u_find.ask_pawn );
    a_z_leaper: assert ((\u_dut.u_find.ask_op == LEAPER) == (f_state == LEAPERS && leap_row >= 0 && leap_row <= 7));
    if (\u_dut.u_find.ask_op == LEAPER)
      a_z_who: assert (z == {leap_row[2:0], f_king[2:0]} && both && \u_dut.u_find.ask_leap == 2'd0 && ! \u_dut.u_find.ask_pawn
                       && \u_dut.u_find.ask_two == (f_count == 3'd1 || f_count == 3'd2) && \u_dut.u_find.ask_mark == (f_count == 3'd4)
                       && \u_dut.u_find.seek_row == z[5:3]);
  end

endmodule

`resetall
