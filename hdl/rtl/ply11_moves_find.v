// SPDX-License-Identifier: Apache-2.0
// ply11_moves_find - the part of ply11_moves before its FIFO: it reads a position and finds, piece by piece, the squares
// where he may go.
// Files: those of ply11_moves_find.f.
// Position in: as ply11_moves has it. A position begins in a clock with s_valid and room 1, if no other is read.
// Entries out (their bits are told in ply11_moves): one for each star that found something, those of pieces who give check
// before all others, the end of the position last. An entry is there for one clock; nothing holds it up.
//
// Throughput: a star a clock: a piece takes one, a knight three, a pawn that captures en passant two.
// Latency: at most 33 clocks from a position's begin to s_ready, and one for each star of a piece. An entry comes five
// clocks after its star stands in stage ask; the end of a position comes six clocks after s_ready.
//
// Stages. A register of a stage has its name before it. A clock for each:
//   seek   the row that is read next
//   row    its pieces; it waits until stage pieces takes it
//   pieces    the pieces of a row that are still to be asked
//   piece    one of them, in up to three stars
//   ask    what is asked of ply11_star: a square, and which rays
//   addr, line, rays   the same along with the three stages of the star; its answer is there in stage rays
//   hit    what the rays reach, and on which axes that counts
//   put    what counts: the entry
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_find (
  input  wire         clk,       // the clock; all ports belong to its rising edge
  input  wire         rst,       // synchronous reset, active high
  input  wire         clear,     // 1 with rst and in the clock after it: what was asked before is lost

  input  wire         s_valid,   // 1: a position is offered; it stays until s_ready is 1
  output wire         s_ready,   // 1: the position was read; s_valid ends with this clock
  input  wire [255:0] board,   // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         side,      // side to move: 0 White, 1 Black
  input  wire [3:0]   rights,    // castling rights {q, k, Q, K}
  input  wire [3:0]   ep,        // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  input  wire         room,      // 1: there is room for the entries of a position

  output wire         m_valid,   // 1: an entry is offered, in this clock alone
  output wire [47:0]  m_entry    // the entry
);

  integer j;

  // ================= reading: a row a clock =================

  // Bit 3: the rows go by for their pieces; bit 4: the pieces are asked.
  localparam [4:0] IDLE = 5'd0, SCAN = 5'd1, WAIT = 5'd2, KING_FORWARD = 5'd3, LEAPERS = 5'd4, AGAIN = 5'd5, STEPS = 5'd6,
                   LAST = 5'd7, KING_BACKWARD = 5'd8, VICTIM = 5'd9, PAUSE = 5'd10, PIECES = 5'd24;
  (* fsm_encoding = "none" *)
  reg  [4:0]  state_q;
  reg  [2:0]  leap_count_q;               // which row of leapers is asked
  reg  [2:0]  seek_row;                   // the row that is read in this clock
  wire        row_hold;
  wire        begins = state_q == IDLE && s_valid && room;
  assign s_ready = state_q == LAST;

  // The row, as the side to move sees it: bit 3 of a piece says that he is an enemy's.
  reg  [31:0] row_pieces;
  reg  [2:0]  row_number;
  reg         row_scan, row_last, row_flush;
  wire [2:0]  rank = seek_row ^ {3{side}};
  always @(posedge clk) begin
    if (!row_hold) begin
      row_pieces <= board[{rank, 5'd0} +: 32] ^ {8{side, 3'd0}};
      row_number <= seek_row;
    end
    row_scan <= begins || state_q == SCAN;
    row_last <= row_scan && row_number == 3'd7;
    row_flush <= row_last;
    if (rst) {row_scan, row_last, row_flush} <= 3'd0;
  end

  reg  [7:0]  is_enemy, is_straight, is_oblique, is_king, is_piece, is_knight, is_pawn, is_crown;
  reg  [3:0]  piece;
  always @* begin
    for (j = 0; j < 8; j = j + 1) begin
      piece = row_pieces[4*j +: 4];
      is_enemy[j]    = piece[3] && piece[2:0] != 3'd0;
      is_straight[j] = piece[3] ? piece[2:0] == 3'd2 || piece[2:0] == 3'd5 : piece[2:0] != 3'd0;
      is_oblique[j]  = piece[3] ? piece[2:0] == 3'd2 || piece[2:0] == 3'd4 : piece[2:0] != 3'd0;
      is_king[j]     = piece == 4'd1;
      is_piece[j]      = !piece[3] && piece[2:1] != 2'd0;
      is_knight[j]   = piece == 4'd11;
      is_pawn[j]     = piece == 4'd14;
      is_crown[j]    = piece == 4'd9;
    end
  end

  reg  [63:0] enemy_q, straight_q, oblique_q, attacked_q;
  reg  [7:0]  own_rows_q;              // rows with pieces of one's own, the king apart
  reg  [2:0]  king_row_q, king_file_q;

  // Attacks of knights, pawns and kings on the row two before this one, on that before, on this and the next,
  // as far as the rows before this one tell.
  reg  [7:0] attacks_2_back_q, attacks_1_back_q, attacks_here_q, attacks_ahead_q;
  function [7:0] beside(input [7:0] b);
    beside = {b[6:0], 1'b0} | {1'b0, b[7:1]};
  endfunction
  function [7:0] beyond(input [7:0] b);
    beyond = {b[5:0], 2'b0} | {2'b0, b[7:2]};
  endfunction
  wire [7:0] near_row = beyond(is_knight) | beside(is_crown) | is_crown;

  always @(posedge clk) begin
    if (row_scan) begin
      for (j = 0; j < 8; j = j + 1) if (row_number == j[2:0]) begin
        enemy_q[8*j +: 8] <= is_enemy;
        straight_q[8*j +: 8] <= is_straight;
        oblique_q[8*j +: 8] <= is_oblique;
        own_rows_q[j] <= |is_piece;
      end
      if (|is_king) begin
        king_row_q <= row_number;
        king_file_q <= {|is_king[7:4], |is_king[7:6] || |is_king[3:2],
                        is_king[1] || is_king[3] || is_king[5] || is_king[7]};
      end
    end
    attacks_2_back_q <= attacks_1_back_q | near_row | beside(is_pawn);
    attacks_1_back_q <= attacks_here_q | beside(is_crown);
    attacks_here_q <= attacks_ahead_q | near_row;
    attacks_ahead_q <= beside(is_knight);
    if (!row_scan) begin
      attacks_2_back_q <= attacks_1_back_q;
      attacks_1_back_q <= 8'd0;
      attacks_here_q <= 8'd0;
      attacks_ahead_q <= 8'd0;
    end
    for (j = 0; j < 6; j = j + 1)
      if (row_scan && row_number == j[2:0] + 3'd2) attacked_q[8*j +: 8] <= attacks_2_back_q | beside(is_knight);
    if (row_last) attacked_q[55:48] <= attacks_2_back_q;
    if (row_flush) attacked_q[63:56] <= attacks_2_back_q;
  end

  // ================= what is asked: a star a clock =================

  localparam [3:0] NOTHING = 4'd0, PIECE = 4'd1, RISE = 4'd2, DROP = 4'd3, PASSANT = 4'd4, STEP = 4'd5,
                   CHECK_FORWARD = 4'd6, CHECK_BACKWARD = 4'd7, LEAPER = 4'd8, TAKEN = 4'd9, END = 4'd10;

  /* verilator lint_off UNUSEDSIGNAL */
  function [2:0] lowest(input [7:0] b);
    lowest = b[0] ? 3'd0 : b[1] ? 3'd1 : b[2] ? 3'd2 : b[3] ? 3'd3 : b[4] ? 3'd4 : b[5] ? 3'd5 : b[6] ? 3'd6 : 3'd7;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */
  function [7:0] others(input [7:0] b);
    others = b & (b - 8'd1);
  endfunction

  // Rows with pieces go by: seek_left are those to come, seek_row is the next, row_pieces the one before it, until
  // stage pieces takes it; pieces_left are the pieces of a row that are still to be asked.
  reg  [7:0]  seek_left, pieces_left;
  reg         seek_valid, row_valid;
  reg  [31:0] pieces_kinds;             // their kinds, four bits a piece, of which the highest is not used
  reg  [2:0]  pieces_row;
  reg         pieces_none, pieces_one;          // of pieces_left none is left, at most one
  wire [7:0]  pieces_rest = others(pieces_left);
  wire [2:0]  pieces_first = lowest(pieces_left);
  wire [2:0]  pieces_kind = pieces_kinds[{pieces_first, 2'd0} +: 3];

  // The piece who is asked, in up to three stars.
  reg         piece_valid, piece_pawn, piece_knight;
  reg  [2:0]  piece_row, piece_file;
  reg  [3:0]  piece_allow;
  reg  [1:0]  piece_part;
  wire [2:0]  ep_file = ep[2:0] - 3'd1;
  // He takes en passant: to the right, to the left.
  wire        pieces_fifth = ep != 4'd0 && pieces_row == 3'd4;
  wire        pieces_takes_right = pieces_fifth && pieces_first + 3'd1 == ep_file && pieces_first != 3'd7;
  wire        pieces_takes_left = pieces_fifth && pieces_first == ep_file + 3'd1 && pieces_first != 3'd0;
  reg         piece_takes, piece_takes_right, piece_takes_left;
  wire        piece_done = piece_knight ? piece_part[1] : !piece_takes || piece_part[0];
  wire        piece_asked = state_q[4] && piece_valid;
  wire        piece_next = (state_q[4] && piece_done) || !piece_valid;
  wire        walks = state_q[3];
  wire        pieces_fetch = walks && row_valid && (pieces_none || (piece_next && pieces_one));
  assign row_hold = walks && row_valid && !pieces_fetch;

  // The king's steps: four rays forward, four backward, the two castlings.
  reg  [9:0]  steps_q;
  reg         steps_known_q;
  wire [9:0]  steps_rest = steps_q & (steps_q - 10'd1);
  wire        step_castles = steps_q[7:0] == 8'd0;
  wire [2:0]  step = lowest(steps_q[7:0]);
  wire [2:0]  step_file = king_file_q + (step_castles ? {!steps_q[8], 2'b10}
                                         : step[1:0] == 2'd2 ? 3'd0 : step[2] ? 3'd7 : 3'd1);
  wire [2:0]  step_row = king_row_q + (step_castles || step[1:0] == 2'd0 ? 3'd0
                                       : step[2] ^ (step[1:0] == 2'd3) ? 3'd7 : 3'd1);

  // The rows of knights around the king: two and one below, one and two above; and pawns'.
  wire [2:0]  leap_row = king_row_q + (leap_count_q == 3'd0 ? 3'd6 : leap_count_q == 3'd1 ? 3'd7
                                       : leap_count_q == 3'd3 ? 3'd2 : 3'd1);
  wire        leap_none = leap_count_q[2:1] == 2'd0 ? king_row_q < 3'd2 - leap_count_q
                                                    : king_row_q > (leap_count_q == 3'd3 ? 3'd5 : 3'd6);

  reg  [3:0]  ask_op;
  reg  [2:0]  ask_row, ask_file;
  reg  [3:0]  ask_allow;
  // ask_mark of a piece: a pawn who promotes; of a row of leapers: it is asked for pawns; of a step: downward.
  reg         ask_pawn, ask_two, ask_forward, ask_backward, ask_mark;
  reg  [1:0]  ask_leap;
  reg  [1:0]  ask_castle;
  reg         ask_beside;                 // a step along the row, of which castling asks
  reg         pieces_begin_q;          // the first clock of PIECES
  wire        leaper_check;

  always @(posedge clk) begin
    ask_op <= NOTHING;
    ask_row <= king_row_q;
    ask_file <= king_file_q;
    ask_allow <= piece_allow;
    ask_pawn <= 1'b0;
    ask_two <= 1'b0;
    ask_leap <= 2'd0;
    ask_forward <= 1'b1;
    ask_backward <= 1'b1;
    ask_castle <= 2'd0;
    ask_beside <= 1'b0;
    ask_mark <= 1'b0;
    pieces_begin_q <= 1'b0;

    // Rows, pieces.
    if (state_q == KING_FORWARD || state_q == AGAIN) begin
      seek_row <= lowest(own_rows_q);
      seek_valid <= own_rows_q != 8'd0;
      seek_left <= others(own_rows_q);
    end else if (walks && (pieces_fetch || !row_valid)) begin
      seek_row <= lowest(seek_left);
      seek_valid <= seek_left != 8'd0;
      seek_left <= others(seek_left);
    end
    if (!walks) row_valid <= 1'b0;
    else if (pieces_fetch || !row_valid) row_valid <= seek_valid;
    if (pieces_fetch) begin
      pieces_left <= is_piece;
      pieces_none <= 1'b0;
      pieces_one <= others(is_piece) == 8'd0;
      pieces_row <= row_number;
      pieces_kinds <= row_pieces;
    end else if (piece_next) begin
      pieces_left <= pieces_rest;
      pieces_none <= pieces_one;
      pieces_one <= others(pieces_rest) == 8'd0;
    end
    if (piece_next) begin
      piece_valid <= !pieces_none;
      piece_row <= pieces_row;
      piece_file <= pieces_first;
      piece_knight <= pieces_kind == 3'd3;
      piece_pawn <= pieces_kind == 3'd6;
      case (pieces_kind)
        3'd2: piece_allow <= 4'b1111;
        3'd4: piece_allow <= 4'b1010;
        3'd5: piece_allow <= 4'b0101;
        3'd6: piece_allow <= 4'b1110;
        default: piece_allow <= 4'b0000;
      endcase
      piece_takes_right <= pieces_takes_right;
      piece_takes_left <= pieces_takes_left;
      piece_takes <= pieces_kind == 3'd6 && (pieces_takes_right || pieces_takes_left);
      piece_part <= 2'd0;
    end else if (state_q[4]) piece_part <= piece_part + 2'd1;

    case (state_q)
      IDLE: begin
        seek_row <= {2'd0, begins};
        if (begins) state_q <= SCAN;
      end
      SCAN: begin
        seek_row <= seek_row + 3'd1;
        if (seek_row == 3'd7) state_q <= WAIT;
      end
      WAIT: begin
        // The last row is decoded.
        pieces_left <= 8'd0;
        pieces_none <= 1'b1;
        pieces_one <= 1'b1;
        piece_valid <= 1'b0;
        state_q <= KING_FORWARD;
      end
      KING_FORWARD: begin
        ask_op <= CHECK_FORWARD;
        ask_backward <= 1'b0;
        state_q <= KING_BACKWARD;
      end
      KING_BACKWARD: begin
        ask_op <= CHECK_BACKWARD;
        ask_forward <= 1'b0;
        state_q <= VICTIM;
      end
      VICTIM: begin
        if (ep != 4'd0) ask_op <= TAKEN;
        ask_row <= 3'd4;
        ask_file <= ep_file;
        state_q <= PIECES;
        leap_count_q <= 3'd0;
        pieces_begin_q <= 1'b1;
      end
      PIECES: begin
        if (pieces_begin_q && leaper_check) state_q <= LEAPERS;
        else if (!piece_valid && pieces_none && !row_valid && !seek_valid) begin
          if (steps_known_q) state_q <= steps_q != 10'd0 ? STEPS : LAST;
        end
        if (piece_asked) begin
          ask_row <= piece_row;
          ask_file <= piece_file;
          ask_op <= PIECE;
          ask_pawn <= piece_pawn;
          ask_mark <= piece_pawn && piece_row == 3'd6;
          if (piece_part != 2'd0) begin
            ask_pawn <= 1'b0;
            if (piece_knight) begin
              ask_op <= piece_part[0] ? RISE : DROP;
              ask_leap <= piece_part;
            end else begin
              ask_op <= PASSANT;
              ask_forward <= piece_takes_right;
              ask_backward <= piece_takes_left;
              ask_allow <= {piece_takes_left, 1'b0, piece_takes_right, 1'b0};
            end
          end
        end
      end
      LEAPERS: begin
        // The row comes two clocks after seek_row, as long as the star takes to its lines. The pieces begin anew.
        pieces_left <= 8'd0;
        pieces_none <= 1'b1;
        pieces_one <= 1'b1;
        piece_valid <= 1'b0;
        seek_row <= leap_row;
        ask_op <= leap_none ? NOTHING : LEAPER;
        ask_row <= leap_row;
        ask_two <= leap_count_q == 3'd1 || leap_count_q == 3'd2;
        ask_mark <= leap_count_q == 3'd4;
        leap_count_q <= leap_count_q + 3'd1;
        if (leap_count_q == 3'd4) state_q <= AGAIN;
      end
      AGAIN: state_q <= PAUSE;
      PAUSE: state_q <= PIECES;
      STEPS: begin
        ask_op <= STEP;
        ask_row <= step_row;
        ask_file <= step_file;
        ask_castle <= {step_castles && !steps_q[8], step_castles && steps_q[8]};
        ask_beside <= step[1:0] == 2'd0;
        ask_mark <= step[2];
        if (steps_rest == 10'd0) state_q <= LAST;
      end
      default: begin
        ask_op <= END;
        seek_row <= 3'd0;
        state_q <= IDLE;
      end
    endcase
    if (rst) begin
      state_q <= IDLE;
      seek_row <= 3'd0;
      ask_op <= NOTHING;
    end
  end

  // ================= what is found =================

  wire [31:0] reach, touch;
  wire [3:0]  slider, king;
  ply11_star u_star (
    .clk(clk),
    .enemy(enemy_q), .straight(straight_q), .oblique(oblique_q), .king_row(king_row_q), .king_file(king_file_q),
    .row(ask_row), .file(ask_file), .forward(ask_forward), .backward(ask_backward), .leap(ask_leap), .two(ask_two),
    .pawn(ask_pawn),
    .reach(reach), .touch(touch), .slider(slider), .king(king)
  );

  // What was asked, along with the star.
  reg  [3:0] addr_op, line_op, rays_op;
  reg  [5:0] addr_square, line_square, rays_square;
  reg  [3:0] addr_allow, line_allow, rays_allow;
  reg        addr_pawn, line_pawn, rays_pawn, addr_mark, line_mark, rays_mark, addr_beside, line_beside, rays_beside;
  reg        rays_limit;                  // only the squares of touch count
  reg        rays_piece, rays_leap, rays_passant, rays_check;
  reg  [1:0] addr_castle, line_castle, rays_castle;
  reg  [7:0] line_leapers, rays_leapers;
  reg        line_attacked, rays_attacked;
  always @(posedge clk) begin
    addr_op <= ask_op;
    line_op <= addr_op;
    rays_op <= line_op;
    {addr_square, addr_allow, addr_pawn, addr_mark, addr_castle, addr_beside}
      <= {ask_row, ask_file, ask_allow, ask_pawn, ask_mark, ask_castle, ask_beside};
    {line_square, line_allow, line_pawn, line_mark, line_castle, line_beside}
      <= {addr_square, addr_allow, addr_pawn, addr_mark, addr_castle, addr_beside};
    {rays_square, rays_pawn, rays_mark, rays_castle, rays_beside}
      <= {line_square, line_pawn, line_mark, line_castle, line_beside};
    rays_piece <= line_op == PIECE;
    rays_leap <= line_op == RISE || line_op == DROP;
    rays_passant <= line_op == PASSANT;
    rays_check <= line_op == CHECK_FORWARD || line_op == CHECK_BACKWARD;
    case (line_op)
      PIECE, PASSANT: rays_allow <= line_allow;
      RISE, DROP:   rays_allow <= 4'b0101;
      LEAPER:       rays_allow <= 4'b0001;
      default:      rays_allow <= 4'b0000;
    endcase
    rays_limit <= line_pawn || line_op == RISE || line_op == DROP || line_op == PASSANT || line_op == LEAPER;
    line_attacked <= attacked_q[addr_square];
    rays_attacked <= line_attacked;
    // Who of a row may be the leaper that gives check.
    line_leapers <= addr_mark ? is_pawn : is_knight;
    if (addr_op != LEAPER) line_leapers <= 8'hff;
    rays_leapers <= line_leapers;
    if (rst) begin
      addr_op <= NOTHING;
      line_op <= NOTHING;
      rays_op <= NOTHING;
    end
  end
  // The king's first star is in its lines when this is asked.
  assign leaper_check = line_attacked;

  // Of the piece of the star before: whether he is pinned, on a diagonal, and his hits along the row.
  reg        was_pinned_q, was_pinned_1_q, was_pinned_3_q, was_slider_q, was_king_q;
  // Of the pawn that may be taken en passant.
  reg        taken_pinned_q, taken_slider_q, taken_king_q, taken_checks_q;
  reg  [3:0] forward_slider_q;
  reg  [1:0] first_safe_q;                // the squares beside the king, to the right and to the left
  wire [3:0] pins = slider & king;
  wire       pinned = pins != 4'd0;
  wire [3:0] steps_found = {|(reach[31:24] & touch[31:24]), |(reach[23:16] & touch[23:16]),
                            |(reach[15:8] & touch[15:8]), |(reach[7:0] & touch[7:0])};
  wire       safe = slider == 4'd0 && !rays_attacked;
  wire        free_left = !(|enemy_q[3:1] || |straight_q[3:1]);
  wire        free_right = !(|enemy_q[6:5] || |straight_q[6:5]);
  wire [1:0] castlings = {rights[{side, 1'b1}] && free_left, rights[{side, 1'b0}] && free_right};
  wire       no_check = slider == 4'd0 && forward_slider_q == 4'd0 && !rays_attacked;

  always @(posedge clk) begin
    if (rays_op == PIECE) begin
      was_pinned_q <= pinned;
      {was_pinned_3_q, was_pinned_1_q} <= {pins[3], pins[1]};
      {was_slider_q, was_king_q} <= {slider[0], king[0]};
    end
    if (rays_op == TAKEN) begin
      taken_pinned_q <= pins[3] || pins[1];
      {taken_slider_q, taken_king_q} <= {slider[0], king[0]};
      taken_checks_q <= king_row_q == 3'd3 && ((king_file_q + 3'd1 == ep_file && king_file_q != 3'd7)
                                             || (king_file_q == ep_file + 3'd1 && king_file_q != 3'd0));
    end
    if (rays_op == CHECK_FORWARD) begin
      forward_slider_q <= slider;
      first_safe_q <= 2'b00;
      steps_q[3:0] <= steps_found;
    end
    if (rays_op == CHECK_BACKWARD) begin
      // Not away from one who gives check, on his line.
      steps_q[3:0] <= steps_q[3:0] & ~slider;
      steps_q[7:4] <= steps_found & ~forward_slider_q;
      steps_q[9:8] <= castlings & {2{no_check}};
      steps_known_q <= 1'b1;
    end
    if (rays_op == STEP && rays_beside && rays_castle == 2'd0) first_safe_q[rays_mark] <= safe;
    if (state_q == STEPS) steps_q <= steps_rest;
    if (state_q == WAIT) steps_known_q <= 1'b0;
  end

  // The axes that are given, but for a piece's own pin. En passant, the capturing pawn and the one who is taken may
  // both stand between the king and an enemy in the row.
  wire       bares = taken_pinned_q || (taken_slider_q && was_king_q) || (taken_king_q && was_slider_q);
  wire [3:0] barred = {bares || (was_pinned_q && !was_pinned_3_q), 1'b0, bares || (was_pinned_q && !was_pinned_1_q), 1'b0};
  wire [3:0] given = rays_allow & ~{4{rays_leap && was_pinned_q}} & ~({4{rays_passant}} & barred);
  // Where he is pinned, the line of the pin. The king's star gives the lines on which he is in check.
  wire [3:0] keeps = slider & (king | {4{rays_check}});
  wire [3:0] allow = (given & (keeps | {4{!(rays_piece && pinned)}})) | (keeps & {4{rays_check}});

  // Stage hit: what the rays reach, and on which axes it counts; stage put: what counts.
  reg  [31:0] hit_targets, put_targets;
  reg  [3:0]  hit_allow, hit_op, put_op;
  reg  [5:0]  hit_square, put_square;
  reg         hit_promotes, put_promotes, hit_write, put_write;
  reg  [5:0]  rays_king, hit_king, put_king;   // he is another's soon after the last of his steps
  always @(posedge clk) begin
    hit_targets <= reach & (touch | {32{!rays_limit}}) & {24'hffffff, rays_leapers};
    hit_allow <= allow;
    hit_op <= rays_op;
    hit_square <= rays_square;
    hit_promotes <= rays_op == PASSANT ? taken_checks_q : rays_pawn && rays_mark;
    hit_write <= rays_op == END
                 || (rays_op == STEP && safe && (rays_castle[0] ? first_safe_q[0] : !rays_castle[1] || first_safe_q[1]));
    put_targets <= hit_targets;
    for (j = 0; j < 4; j = j + 1) if (!hit_allow[j]) put_targets[8*j +: 8] <= 8'd0;
    {put_op, put_square, put_promotes, put_write} <= {hit_op, hit_square, hit_promotes, hit_write};
    rays_king <= {king_row_q, king_file_q};
    hit_king <= rays_king;
    put_king <= hit_king;
    if (rst) begin
      hit_op <= NOTHING;
      put_op <= NOTHING;
      hit_write <= 1'b0;
      put_write <= 1'b0;
    end
    if (clear) hit_allow <= 4'd0;
  end

  // ================= what is put =================

  localparam [2:0] LINES = 3'd0, UP = 3'd1, DOWN = 3'd2, KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6, FREE = 3'd7;
  reg  [2:0]  put_kind;
  always @* begin
    case (put_op)
      RISE:                          put_kind = UP;
      DROP:                          put_kind = DOWN;
      PASSANT:                       put_kind = FREE;
      STEP:                          put_kind = KING;
      CHECK_FORWARD, CHECK_BACKWARD: put_kind = SLIDER;
      LEAPER:                        put_kind = KNIGHT;
      END:                           put_kind = OVER;
      default:                       put_kind = LINES;
    endcase
  end
  wire [3:0]  put_axes = {|put_targets[31:24], |put_targets[23:16], |put_targets[15:8], |put_targets[7:0]};
  wire        put_one = (put_axes & (put_axes - 4'd1)) == 4'd0;
  reg         side_q;
  always @(posedge clk) if (state_q == KING_FORWARD) side_q <= side;
  assign m_valid = put_write || put_axes != 4'd0;
  assign m_entry = {put_one, put_promotes, put_kind, side_q, put_axes[3:1], put_axes[0] || put_write, put_square,
                    put_targets[31:6], put_targets[5:0] | (put_king & {6{put_op == STEP}})};

endmodule

`resetall
