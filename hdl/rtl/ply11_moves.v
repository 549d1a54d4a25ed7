// SPDX-License-Identifier: Apache-2.0
// ply11_moves - the legal moves of a position, as a stream of indices.
//
// Position in: board, side, rights and ep as ply11_board has them. The position must be possible: each side has
// one king, the side not to move is not in check, rights have king and rook at home, an en passant file has its
// pawn. Hold them unchanged from the clock in which s_valid becomes 1 to the one in which s_ready is 1, too;
// after that clock they may change.
// Moves out: one beat for each legal move. Their order is not promised, but it is always the same. After them
// comes one beat with m_last, m_index 2047, that tells the rest:
//   m_count      the number of legal moves; in a beat with a move, how many came before it
//   m_check      the side to move is in check: in every beat of the position
//   m_mate, m_stalemate   there is no move, in check or not: with m_last
// Handshake: a beat waits unchanged while m_valid is 1 and m_ready is 0. s_ready does not depend on m_ready in
// the same clock.
//
// Throughput: one index a clock. While the last moves of a position come out, the next position is read. Up to
// 255 men with moves wait in a FIFO (three block RAMs on an iCE40). A position begins when less than half
// of it is full. docs/measurements.md has how many clocks a position takes, as measured.
//
// How it works: the position is turned so that the side to move goes up. A decoder reads a row a clock
// into three planes (see ply11_star), and a fourth of the squares that an enemy's knight, pawn or king
// attacks. Then ply11_star is asked, a square a clock:
//   the king, rays forward and rays backward: checks, the squares between, and the king's steps
//   if a knight or a pawn gives check, five rows around the king: which man it is
//   if there is an en passant file, the pawn to be taken
//   each man: where he goes. If one of his rays meets his own king, and the other ray of the line an enemy
//     who moves along it, he is pinned and keeps that line alone. A knight asks twice more, for his leaps.
//   each square that the king steps on or castles over: whether an enemy attacks it
// The answers go into the FIFO, a row of eight squares for each axis. Behind the FIFO, in check, only the
// squares on the line of the check are kept: each row meets it in one square, or is the same line.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves (
  input  wire         clk,         // the clock; all ports belong to its rising edge
  input  wire         rst,         // synchronous reset, active high

  input  wire         s_valid,     // 1: a position is offered; it stays until s_ready is 1
  output wire         s_ready,     // 1: the position was read; s_valid ends with this clock
  input  wire [255:0] board,       // man on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         side,        // side to move: 0 White, 1 Black
  input  wire [3:0]   rights,      // castling rights {q, k, Q, K}
  input  wire [3:0]   ep,          // en passant: 0 none, 1..8 the file of the pawn that stepped twice

  output wire         m_valid,     // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire         m_ready,     // 1: the beat is taken in this clock if m_valid is 1
  output wire [10:0]  m_index,     // the index of a legal move, or 2047 with m_last
  output reg          m_last,      // 1: the end of the position
  output reg  [8:0]   m_count,     // legal moves before this beat, 0..218
  output reg          m_check,     // 1: the side to move is in check
  output reg          m_mate,      // with m_last: 1 if it is mate
  output reg          m_stalemate  // with m_last: 1 if it is stalemate
);

  integer j;

  // ================= reading: a row a clock =================

  // Bit 3: the rows go by for their men; bit 4: the men are asked.
  localparam [4:0] IDLE = 5'd0, SCAN = 5'd1, WAIT = 5'd2, KING_F = 5'd3, LEAPERS = 5'd4, AGAIN = 5'd5, STEPS = 5'd6,
                   LAST = 5'd7, KING_B = 5'd8, VICTIM = 5'd9, PAUSE = 5'd10, MEN = 5'd24;
  (* fsm_encoding = "none" *)
  reg  [4:0]  state;
  reg  [2:0]  count;                      // of LEAPERS
  reg  [2:0]  at;                         // the row that is read in this clock
  wire        hold_row;
  wire        begins = state == IDLE && s_valid && room;
  reg         room;                       // the FIFO has room for a position
  assign s_ready = state == LAST;

  // The row, as the side to move sees it: bit 3 of a man says that he is an enemy's.
  reg  [31:0] line;
  reg  [2:0]  line_row;
  reg         line_scan, line_last, line_flush;
  wire [2:0]  rank = at ^ {3{side}};
  always @(posedge clk) begin
    if (!hold_row) begin
      line <= board[{rank, 5'd0} +: 32] ^ {8{side, 3'd0}};
      line_row <= at;
    end
    line_scan <= begins || state == SCAN;
    line_last <= line_scan && line_row == 3'd7;
    line_flush <= line_last;
    if (rst) {line_scan, line_last, line_flush} <= 3'd0;
  end

  reg  [7:0]  is_enemy, is_straight, is_oblique, is_king, is_man, is_knight, is_pawn, is_crown;
  reg  [3:0]  m;
  always @* begin
    for (j = 0; j < 8; j = j + 1) begin
      m = line[4*j +: 4];
      is_enemy[j]    = m[3] && m[2:0] != 3'd0;
      is_straight[j] = m[3] ? m[2:0] == 3'd2 || m[2:0] == 3'd5 : m[2:0] != 3'd0;
      is_oblique[j]  = m[3] ? m[2:0] == 3'd2 || m[2:0] == 3'd4 : m[2:0] != 3'd0;
      is_king[j]     = m == 4'd1;
      is_man[j]      = !m[3] && m[2:1] != 2'd0;
      is_knight[j]   = m == 4'd11;
      is_pawn[j]     = m == 4'd14;
      is_crown[j]    = m == 4'd9;
    end
  end

  reg  [63:0] enemy, straight, oblique, attacked;
  reg  [7:0]  own_rows;                   // rows with men of one's own, the king apart
  reg  [2:0]  king_row, king_file;

  // Attacks of knights, pawns and kings on the row two before this one (p2), on that before (p1), on
  // this (p0) and the next (p_), as far as the rows before this one tell.
  reg  [7:0] p2, p1, p0, p_;
  function [7:0] beside(input [7:0] b);
    beside = {b[6:0], 1'b0} | {1'b0, b[7:1]};
  endfunction
  function [7:0] beyond(input [7:0] b);
    beyond = {b[5:0], 2'b0} | {2'b0, b[7:2]};
  endfunction
  wire [7:0] near_row = beyond(is_knight) | beside(is_crown) | is_crown;

  always @(posedge clk) begin
    if (line_scan) begin
      for (j = 0; j < 8; j = j + 1) if (line_row == j[2:0]) begin
        enemy[8*j +: 8] <= is_enemy;
        straight[8*j +: 8] <= is_straight;
        oblique[8*j +: 8] <= is_oblique;
        own_rows[j] <= |is_man;
      end
      if (|is_king) begin
        king_row <= line_row;
        king_file <= {|is_king[7:4], |is_king[7:6] || |is_king[3:2],
                      is_king[1] || is_king[3] || is_king[5] || is_king[7]};
      end
    end
    p2 <= p1 | near_row | beside(is_pawn);
    p1 <= p0 | beside(is_crown);
    p0 <= p_ | near_row;
    p_ <= beside(is_knight);
    if (!line_scan) begin
      p2 <= p1;
      p1 <= 8'd0;
      p0 <= 8'd0;
      p_ <= 8'd0;
    end
    for (j = 0; j < 6; j = j + 1) if (line_scan && line_row == j[2:0] + 3'd2) attacked[8*j +: 8] <= p2 | beside(is_knight);
    if (line_last) attacked[55:48] <= p2;
    if (line_flush) attacked[63:56] <= p2;
  end

  // ================= what is asked: a star a clock =================

  localparam [3:0] NOTHING = 4'd0, MAN = 4'd1, RISE = 4'd2, DROP = 4'd3, PASSANT = 4'd4, STEP = 4'd5,
                   CHECK_F = 4'd6, CHECK_B = 4'd7, LEAPER = 4'd8, TAKEN = 4'd9, END = 4'd10;

  /* verilator lint_off UNUSEDSIGNAL */
  function [2:0] lowest(input [7:0] b);
    lowest = b[0] ? 3'd0 : b[1] ? 3'd1 : b[2] ? 3'd2 : b[3] ? 3'd3 : b[4] ? 3'd4 : b[5] ? 3'd5 : b[6] ? 3'd6 : 3'd7;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */
  function [7:0] others(input [7:0] b);
    others = b & (b - 8'd1);
  endfunction

  // Rows with men go by: left are those to come, at is the next, line the one after that before it is
  // gone through; todo are the men of a row that are to be asked still.
  reg  [7:0]  left, todo;
  reg         at_valid, line_valid;
  reg  [31:0] kinds;                      // their kinds, four bits a man, of which the highest is not used
  reg  [2:0]  todo_row;
  reg         todo_none, todo_one;        // of todo none is left, at most one
  wire [7:0]  todo_rest = others(todo);
  wire [2:0]  todo_first = lowest(todo);
  wire [2:0]  kind = kinds[{todo_first, 2'd0} +: 3];

  // The man who is asked, in up to three stars.
  reg         man_valid, man_pawn, man_knight;
  reg  [2:0]  man_row, man_file;
  reg  [3:0]  man_allow;
  reg  [1:0]  part;
  wire [2:0]  ep_file = ep[2:0] - 3'd1;
  // He takes en passant: to the right, to the left.
  wire        fifth = ep != 4'd0 && todo_row == 3'd4;
  wire        right = fifth && todo_first + 3'd1 == ep_file && todo_first != 3'd7;
  wire        left_ = fifth && todo_first == ep_file + 3'd1 && todo_first != 3'd0;
  reg         takes, ep_left, ep_right;
  wire        man_done = man_knight ? part[1] : !takes || part[0];
  wire        asks = state[4] && man_valid;
  wire        man_next = (state[4] && man_done) || !man_valid;
  wire        walk = state[3];
  wire        fetch = walk && line_valid && (todo_none || (man_next && todo_one));
  assign hold_row = walk && line_valid && !fetch;

  // The king's steps: four rays forward, four backward, the two castlings.
  reg  [9:0]  steps;
  reg         steps_known;
  wire [9:0]  steps_rest = steps & (steps - 10'd1);
  wire        castle = steps[7:0] == 8'd0;
  wire [2:0]  step = lowest(steps[7:0]);
  wire [2:0]  step_file = king_file + (castle ? {!steps[8], 2'b10}
                                       : step[1:0] == 2'd2 ? 3'd0 : step[2] ? 3'd7 : 3'd1);
  wire [2:0]  step_row = king_row + (castle || step[1:0] == 2'd0 ? 3'd0
                                     : step[2] ^ (step[1:0] == 2'd3) ? 3'd7 : 3'd1);

  // The rows of knights around the king: two and one below, one and two above; and pawns'.
  wire [2:0]  leap_row = king_row + (count == 3'd0 ? 3'd6 : count == 3'd1 ? 3'd7 : count == 3'd3 ? 3'd2 : 3'd1);
  wire        leap_none = count[2:1] == 2'd0 ? king_row < 3'd2 - count
                                             : king_row > (count == 3'd3 ? 3'd5 : 3'd6);

  reg  [3:0]  z_op;
  reg  [2:0]  z_row, z_file;
  reg  [3:0]  z_allow;
  reg         z_pawn, z_two, z_forward, z_backward, z_home;
  reg  [1:0]  z_leap;
  reg  [1:0]  z_castle;
  reg         z_first;                    // a step along the row, of which castling asks; z_home says which way
  reg         early;                      // the first clock of MEN
  wire        leaper_check;

  always @(posedge clk) begin
    z_op <= NOTHING;
    z_row <= king_row;
    z_file <= king_file;
    z_allow <= man_allow;
    z_pawn <= 1'b0;
    z_two <= 1'b0;
    z_leap <= 2'd0;
    z_forward <= 1'b1;
    z_backward <= 1'b1;
    z_castle <= 2'd0;
    z_first <= 1'b0;
    z_home <= 1'b0;
    early <= 1'b0;

    // Rows, men.
    if (state == KING_F || state == AGAIN) begin
      at <= lowest(own_rows);
      at_valid <= own_rows != 8'd0;
      left <= others(own_rows);
    end else if (walk && (fetch || !line_valid)) begin
      at <= lowest(left);
      at_valid <= left != 8'd0;
      left <= others(left);
    end
    if (!walk) line_valid <= 1'b0;
    else if (fetch || !line_valid) line_valid <= at_valid;
    if (fetch) begin
      todo <= is_man;
      todo_none <= 1'b0;
      todo_one <= others(is_man) == 8'd0;
      todo_row <= line_row;
      kinds <= line;
    end else if (man_next) begin
      todo <= todo_rest;
      todo_none <= todo_one;
      todo_one <= others(todo_rest) == 8'd0;
    end
    if (man_next) begin
      man_valid <= !todo_none;
      man_row <= todo_row;
      man_file <= todo_first;
      man_knight <= kind == 3'd3;
      man_pawn <= kind == 3'd6;
      case (kind)
        3'd2: man_allow <= 4'b1111;
        3'd4: man_allow <= 4'b1010;
        3'd5: man_allow <= 4'b0101;
        3'd6: man_allow <= 4'b1110;
        default: man_allow <= 4'b0000;
      endcase
      ep_left <= right;
      ep_right <= left_;
      takes <= kind == 3'd6 && (right || left_);
      part <= 2'd0;
    end else if (state[4]) part <= part + 2'd1;

    case (state)
      IDLE: begin
        at <= {2'd0, begins};
        if (begins) state <= SCAN;
      end
      SCAN: begin
        at <= at + 3'd1;
        if (at == 3'd7) state <= WAIT;
      end
      WAIT: begin
        // The last row is decoded.
        todo <= 8'd0;
        todo_none <= 1'b1;
        todo_one <= 1'b1;
        man_valid <= 1'b0;
        state <= KING_F;
      end
      KING_F: begin
        z_op <= CHECK_F;
        z_backward <= 1'b0;
        state <= KING_B;
      end
      KING_B: begin
        z_op <= CHECK_B;
        z_forward <= 1'b0;
        state <= VICTIM;
      end
      VICTIM: begin
        if (ep != 4'd0) z_op <= TAKEN;
        z_row <= 3'd4;
        z_file <= ep_file;
        state <= MEN;
        count <= 3'd0;
        early <= 1'b1;
      end
      MEN: begin
        if (early && leaper_check) state <= LEAPERS;
        else if (!man_valid && todo_none && !line_valid && !at_valid) begin
          if (steps_known) state <= steps != 10'd0 ? STEPS : LAST;
        end
        if (asks) begin
          z_row <= man_row;
          z_file <= man_file;
          z_op <= MAN;
          z_pawn <= man_pawn;
          z_home <= man_pawn && man_row == 3'd6;
          if (part != 2'd0) begin
            z_pawn <= 1'b0;
            if (man_knight) begin
              z_op <= part[0] ? RISE : DROP;
              z_leap <= part;
            end else begin
              z_op <= PASSANT;
              z_forward <= ep_left;
              z_backward <= ep_right;
              z_allow <= {ep_right, 1'b0, ep_left, 1'b0};
            end
          end
        end
      end
      LEAPERS: begin
        // The row comes two clocks after at, as long as the star takes to its lines. The men begin anew.
        todo <= 8'd0;
        todo_none <= 1'b1;
        todo_one <= 1'b1;
        man_valid <= 1'b0;
        at <= leap_row;
        z_op <= leap_none ? NOTHING : LEAPER;
        z_row <= leap_row;
        z_two <= count == 3'd1 || count == 3'd2;
        z_home <= count == 3'd4;          // pawns
        count <= count + 3'd1;
        if (count == 3'd4) state <= AGAIN;
      end
      AGAIN: state <= PAUSE;
      PAUSE: state <= MEN;
      STEPS: begin
        z_op <= STEP;
        z_row <= step_row;
        z_file <= step_file;
        z_castle <= {castle && !steps[8], castle && steps[8]};
        z_first <= step[1:0] == 2'd0;
        z_home <= step[2];
        if (steps_rest == 10'd0) state <= LAST;
      end
      default: begin
        z_op <= END;
        at <= 3'd0;
        state <= IDLE;
      end
    endcase
    if (rst) begin
      state <= IDLE;
      at <= 3'd0;
      z_op <= NOTHING;
    end
  end

  // ================= what is found =================

  wire [31:0] reach, touch;
  wire [3:0]  slider, king;
  ply11_star u_star (
    .clk(clk),
    .enemy(enemy), .straight(straight), .oblique(oblique), .king_row(king_row), .king_file(king_file),
    .row(z_row), .file(z_file), .forward(z_forward), .backward(z_backward), .leap(z_leap), .two(z_two),
    .pawn(z_pawn),
    .reach(reach), .touch(touch), .slider(slider), .king(king)
  );

  // What was asked, along with the star.
  reg  [3:0] a_op, b_op, c_op;
  reg  [5:0] a_square, b_square, c_square;
  reg  [3:0] a_allow, b_allow, c_allow;
  reg        a_pawn, b_pawn, c_pawn, a_home, b_home, c_home, a_first, b_first, c_first, c_limit;
  reg        c_man, c_leap, c_passant, c_check;
  reg  [1:0] a_castle, b_castle, c_castle;
  reg  [7:0] b_leapers, c_leapers;
  reg        b_attacked, c_attacked;
  always @(posedge clk) begin
    a_op <= z_op;
    b_op <= a_op;
    c_op <= b_op;
    {a_square, a_allow, a_pawn, a_home, a_castle, a_first} <= {z_row, z_file, z_allow, z_pawn, z_home, z_castle, z_first};
    {b_square, b_allow, b_pawn, b_home, b_castle, b_first} <= {a_square, a_allow, a_pawn, a_home, a_castle, a_first};
    {c_square, c_pawn, c_home, c_castle, c_first} <= {b_square, b_pawn, b_home, b_castle, b_first};
    c_man <= b_op == MAN;
    c_leap <= b_op == RISE || b_op == DROP;
    c_passant <= b_op == PASSANT;
    c_check <= b_op == CHECK_F || b_op == CHECK_B;
    case (b_op)
      MAN, PASSANT: c_allow <= b_allow;
      RISE, DROP:   c_allow <= 4'b0101;
      LEAPER:       c_allow <= 4'b0001;
      default:      c_allow <= 4'b0000;
    endcase
    c_limit <= b_pawn || b_op == RISE || b_op == DROP || b_op == PASSANT || b_op == LEAPER;
    b_attacked <= attacked[a_square];
    c_attacked <= b_attacked;
    // Who of a row may be the leaper that gives check.
    b_leapers <= a_home ? is_pawn : is_knight;
    if (a_op != LEAPER) b_leapers <= 8'hff;
    c_leapers <= b_leapers;
    if (rst) begin
      a_op <= NOTHING;
      b_op <= NOTHING;
      c_op <= NOTHING;
    end
  end
  // The king's first star is in its lines when this is asked.
  assign leaper_check = b_attacked;

  // Of the man of the star before: whether he is pinned, on a diagonal, and his hits along the row.
  reg        was_pinned, was_pin1, was_pin3, was_slider, was_king;
  // Of the pawn that may be taken en passant.
  reg        taken_pinned, taken_slider, taken_king, taken_checks;
  reg  [3:0] forward_slider;
  reg  [1:0] first_safe;                  // the squares beside the king, to the right and to the left
  wire [3:0] pin = slider & king;
  wire       pinned = pin != 4'd0;
  wire [3:0] steps_found = {|(reach[31:24] & touch[31:24]), |(reach[23:16] & touch[23:16]),
                            |(reach[15:8] & touch[15:8]), |(reach[7:0] & touch[7:0])};
  wire       safe = slider == 4'd0 && !c_attacked;
  wire        free_left = !(|enemy[3:1] || |straight[3:1]);
  wire        free_right = !(|enemy[6:5] || |straight[6:5]);
  wire [1:0] castlings = {rights[{side, 1'b1}] && free_left, rights[{side, 1'b0}] && free_right};
  wire       no_check = slider == 4'd0 && forward_slider == 4'd0 && !c_attacked;

  always @(posedge clk) begin
    if (c_op == MAN) begin
      was_pinned <= pinned;
      {was_pin3, was_pin1} <= {pin[3], pin[1]};
      {was_slider, was_king} <= {slider[0], king[0]};
    end
    if (c_op == TAKEN) begin
      taken_pinned <= pin[3] || pin[1];
      {taken_slider, taken_king} <= {slider[0], king[0]};
      taken_checks <= king_row == 3'd3 && ((king_file + 3'd1 == ep_file && king_file != 3'd7)
                                           || (king_file == ep_file + 3'd1 && king_file != 3'd0));
    end
    if (c_op == CHECK_F) begin
      forward_slider <= slider;
      first_safe <= 2'b00;
      steps[3:0] <= steps_found;
    end
    if (c_op == CHECK_B) begin
      // Not away from one who gives check, on his line.
      steps[3:0] <= steps[3:0] & ~slider;
      steps[7:4] <= steps_found & ~forward_slider;
      steps[9:8] <= castlings & {2{no_check}};
      steps_known <= 1'b1;
    end
    if (c_op == STEP && c_first && c_castle == 2'd0) first_safe[c_home] <= safe;
    if (state == STEPS) steps <= steps_rest;
    if (state == WAIT) steps_known <= 1'b0;
  end

  // The axes that are given, but for a man's own pin. En passant, the capturing pawn and the one who is taken may both stand
  // between the king and an enemy in the row.
  wire       bares = taken_pinned || (taken_slider && was_king) || (taken_king && was_slider);
  wire [3:0] barred = {bares || (was_pinned && !was_pin3), 1'b0, bares || (was_pinned && !was_pin1), 1'b0};
  wire [3:0] given = c_allow & ~{4{c_leap && was_pinned}} & ~({4{c_passant}} & barred);
  // Where he is pinned, the line of the pin. The king's star gives the lines on which he is in check.
  wire [3:0] keeps = slider & (king | {4{c_check}});
  wire [3:0] allow = (given & (keeps | {4{!(c_man && pinned)}})) | (keeps & {4{c_check}});

  // t: what the rays reach, and on which axes it counts; d: what counts.
  reg  [31:0] t_targets, d_targets;
  reg  [3:0]  t_allow, t_op, d_op;
  reg  [5:0]  t_square, d_square;
  reg         t_promotes, d_promotes, t_write, d_write;
  reg  [5:0]  c_king, t_king, d_king;     // he is another's soon after the last of his steps
  reg         late;                       // the clock after a reset
  wire        clear = rst || late;        // what was asked before a reset comes up to a clock after it
  always @(posedge clk) begin
    t_targets <= reach & (touch | {32{!c_limit}}) & {24'hffffff, c_leapers};
    t_allow <= allow;
    t_op <= c_op;
    t_square <= c_square;
    t_promotes <= c_op == PASSANT ? taken_checks : c_pawn && c_home;
    t_write <= c_op == END || (c_op == STEP && safe && (c_castle[0] ? first_safe[0] : !c_castle[1] || first_safe[1]));
    d_targets <= t_targets;
    for (j = 0; j < 4; j = j + 1) if (!t_allow[j]) d_targets[8*j +: 8] <= 8'd0;
    {d_op, d_square, d_promotes, d_write} <= {t_op, t_square, t_promotes, t_write};
    c_king <= {king_row, king_file};
    t_king <= c_king;
    d_king <= t_king;
    late <= rst;
    if (rst) begin
      t_op <= NOTHING;
      d_op <= NOTHING;
      t_write <= 1'b0;
      d_write <= 1'b0;
    end
    if (clear) t_allow <= 4'd0;
  end

  // ================= the FIFO =================

  // Kinds of an entry.
  localparam [2:0] LINES = 3'd0, UP = 3'd1, DOWN = 3'd2, KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6, FREE = 3'd7;
  reg  [2:0]  d_kind;
  always @* begin
    case (d_op)
      RISE:             d_kind = UP;
      DROP:             d_kind = DOWN;
      PASSANT:          d_kind = FREE;
      STEP:             d_kind = KING;
      CHECK_F, CHECK_B: d_kind = SLIDER;
      LEAPER:           d_kind = KNIGHT;
      END:              d_kind = OVER;
      default:          d_kind = LINES;
    endcase
  end
  wire [3:0]  d_axes = {|d_targets[31:24], |d_targets[23:16], |d_targets[15:8], |d_targets[7:0]};
  wire        put = d_write || d_axes != 4'd0;
  reg         d_side;
  always @(posedge clk) if (state == KING_F) d_side <= side;
  wire        d_one = (d_axes & (d_axes - 4'd1)) == 4'd0;
  wire [47:0] put_data = {d_one, d_promotes, d_kind, d_side, d_axes[3:1], d_axes[0] || d_write, d_square,
                          d_targets[31:6], d_targets[5:0] | (d_king & {6{d_op == STEP}})};

  // What is read in the clock in which it is written does not count.
  (* no_rw_check *)
  reg  [47:0] memory [0:255];
  reg  [47:0] q;
  reg  [7:0]  put_at, get_at;             // which entry is written next, and which is read next
  reg         q_valid, q_fresh;
  reg  [3:0]  q_left;
  reg         q_left_one;                 // of q_left one bit is set
  wire        q_next;                     // q takes the next entry, if there is one
  wire        some = get_at != put_at;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [7:0]  used = put_at - get_at;
  /* verilator lint_on UNUSEDSIGNAL */
  always @(posedge clk) begin
    if (put) memory[put_at] <= put_data;
    if (q_next) q <= memory[get_at];
  end
  always @(posedge clk) begin
    if (put) put_at <= put_at + 8'd1;
    if (q_next && some) get_at <= get_at + 8'd1;
    if (q_next) q_valid <= some;
    if (clear) begin
      put_at <= 8'd0;
      get_at <= 8'd0;
      q_valid <= 1'b0;
    end
    room <= !used[7] || clear;
  end

  // ================= a line a clock =================

  reg         o_valid;
  wire        en = !o_valid || m_ready;
  wire        h_go;                       // the lines move on
  wire [5:0]  q_square = q[37:32];
  wire [2:0]  q_row = q_square[5:3], q_file = q_square[2:0];
  wire        q_side = q[42];
  wire [2:0]  q_kind = q[45:43];
  wire        q_promotes = q[46];
  wire [3:0]  q_axes = q_fresh ? q[41:38] : q_left;
  wire [1:0]  q_axis = q_axes[0] ? 2'd0 : q_axes[1] ? 2'd1 : q_axes[2] ? 2'd2 : 2'd3;
  wire [3:0]  q_rest = {q_axes[3] && |q_axes[2:0], q_axes[2] && |q_axes[1:0], q_axes[1] && q_axes[0], 1'b0};
  // Nothing passes a check that is not yet known.
  wire        holds = q_kind == SLIDER || q_kind == KNIGHT || (q_kind == OVER && check);
  reg         e_holds, f_holds, g_holds, h_holds;
  wire        hold = e_holds || f_holds || g_holds || h_holds;
  wire        take = q_valid && h_go && !hold;
  // The last line of q goes, if it goes.
  wire        q_last = (q_fresh ? q[47] : q_left_one) && !hold;
  assign q_next = !q_valid || (h_go && q_last);

  // The number of the line: its row, its file, or row - file and row + file.
  wire [2:0]  q_a = q_axis == 2'd2 ? q_file : q_row;
  wire [2:0]  q_b = q_kind == UP ? 3'd1 : q_kind == DOWN ? 3'd7 : q_axis[0] ? q_file : 3'd0;
  wire [2:0]  q_line = q_axis == 2'd1 ? q_a - q_b : q_a + q_b;

  reg         e_valid, f_valid, g_valid;
  reg  [7:0]  e_bits, f_bits, g_bits;
  reg  [1:0]  e_axis, f_axis, g_axis, h_axis;
  reg  [2:0]  e_line, f_line, g_line, h_line, e_kind, f_kind, g_kind, h_kind;
  reg  [5:0]  e_square, f_square, g_square, h_square;
  reg         e_promotes, f_promotes, g_promotes, h_promotes, e_side, f_side, g_side, h_side;

  // The check: its line, the squares of it that end it.
  reg         check;
  reg  [1:0]  check_axis;
  reg  [2:0]  check_line;
  reg  [7:0]  check_bits;
  reg         check_one;                  // one man gives it

  // Where line e meets that of the check: at f_x of its own, f_y of the check's.
  wire [2:0]  sum_a = e_line + check_line;
  wire [2:0]  diff_a = check_line - e_line;
  wire [2:0]  diff_b = e_line - check_line;
  reg  [2:0]  f_x, f_y;
  reg         f_same, f_twice, f_never, f_open;
  reg  [2:0]  x_d, y_d;
  always @* begin
    case ({e_axis, check_axis})
      4'b00_01, 4'b11_00: {x_d, y_d} = {diff_b, diff_b};
      4'b00_10, 4'b10_00: {x_d, y_d} = {check_line, e_line};
      4'b00_11, 4'b01_00: {x_d, y_d} = {diff_a, diff_a};
      4'b10_01:           {x_d, y_d} = {sum_a, e_line};
      4'b10_11:           {x_d, y_d} = {diff_a, e_line};
      4'b01_10:           {x_d, y_d} = {check_line, sum_a};
      4'b11_10:           {x_d, y_d} = {check_line, diff_b};
      4'b01_11:           {x_d, y_d} = {1'b0, diff_a[2:1], 1'b0, diff_a[2:1]};
      default:            {x_d, y_d} = {1'b0, diff_b[2:1], 1'b0, diff_b[2:1]};
    endcase
  end
  reg  [7:0] cut;
  always @* begin
    for (j = 0; j < 8; j = j + 1)
      cut[j] = f_open || (f_same ? check_bits[j]
                          : f_twice ? !f_never && check_bits[j] && j[1:0] == f_x[1:0]
                          : !f_never && check_bits[f_y] && j[2:0] == f_x);
  end

  always @(posedge clk) begin
    if (h_go) begin
      e_valid <= take;
      e_holds <= take && holds;
      f_valid <= e_valid;
      f_holds <= e_holds;
      g_valid <= f_valid;
      g_holds <= f_holds;
      e_bits <= q[{1'b0, q_axis, 3'd0} +: 8];
      e_axis <= q_axis;
      e_line <= q_line;
      {e_kind, e_square, e_promotes, e_side} <= {q_kind, q_square, q_promotes, q_side};
      {f_kind, f_square, f_promotes, f_side} <= {e_kind, e_square, e_promotes, e_side};
      {g_kind, g_square, g_promotes, g_side} <= {f_kind, f_square, f_promotes, f_side};
      {f_bits, f_axis, f_line} <= {e_bits, e_axis, e_line};
      {g_axis, g_line} <= {f_axis, f_line};
      {f_x, f_y} <= {x_d, y_d};
      f_same <= e_axis == check_axis && e_line == check_line;
      f_twice <= e_axis[0] && check_axis[0];
      f_never <= e_axis == check_axis || (e_axis[0] && check_axis[0] && diff_a[0]);
      f_open <= !check || e_kind == KING || e_kind == OVER || (e_kind == FREE && e_promotes && check_one);
      g_bits <= f_bits & cut;
    end
    // A line is taken out of q, the next may be there.
    if (take) begin
      q_left <= q_rest;
      q_left_one <= (q_rest & (q_rest - 4'd1)) == 4'd0;
    end
    q_fresh <= q_next || (q_fresh && !take);
    if (rst) begin
      {e_valid, f_valid, g_valid, e_holds, f_holds, g_holds} <= 6'd0;
      q_fresh <= 1'b1;
    end
  end

  // ================= an index a clock =================

  reg         h_valid;
  reg  [7:0]  h_bits;
  reg  [1:0]  h_piece;                    // of a promotion
  wire [7:0]  h_rest = h_bits & (h_bits - 8'd1);
  reg  [2:0]  h_at;
  always @* begin
    h_at = 3'd0;
    for (j = 7; j >= 0; j = j - 1) if (h_bits[j]) h_at = j[2:0];
  end
  wire        h_whole = h_kind == KING || h_kind == OVER;     // one beat
  wire        g_whole = g_kind == KING || g_kind == OVER || g_kind == SLIDER || g_kind == KNIGHT;
  wire        h_check = h_kind == SLIDER || h_kind == KNIGHT;
  wire        h_move = h_valid && !h_check && (h_whole || h_bits != 8'd0);
  reg         h_one;                      // no other bit than the first
  wire        h_done = h_one && (!h_promotes || h_piece == 2'd3);
  assign h_go = en && h_done;
  wire        h_single = !check && (h_kind == SLIDER || h_rest == 8'd0);

  reg         i_valid, i_last, i_check, i_king, i_promotes;
  reg  [5:0]  i_square, i_from;
  reg  [2:0]  i_at, i_line;
  reg  [1:0]  i_axis, i_piece;
  reg         i_side;

  always @(posedge clk) begin
    if (en) begin
      if (h_done) begin
        h_valid <= g_valid;
        h_one <= !g_valid || g_whole || others(g_bits) == 8'd0;
        h_holds <= g_holds;
        h_bits <= g_bits;
        {h_axis, h_line, h_kind, h_square, h_promotes, h_side} <= {g_axis, g_line, g_kind, g_square, g_promotes && g_kind == LINES && g_valid && g_bits != 8'd0, g_side};
        h_piece <= 2'd0;
      end else begin
        h_piece <= h_piece + 2'd1;
        if (!h_promotes || h_piece == 2'd3) begin
          h_bits <= h_rest;
          h_one <= others(h_rest) == 8'd0;
        end
      end
      if (h_valid && h_check) begin
        // Two who give check leave nothing that ends it.
        check <= 1'b1;
        check_axis <= h_axis;
        check_line <= h_line;
        check_bits <= h_single ? h_bits : 8'd0;
        check_one <= h_single;
      end
      if (h_valid && h_kind == OVER) check <= 1'b0;

      i_valid <= h_move;
      i_last <= h_kind == OVER;
      i_check <= check;
      i_king <= h_kind == KING;
      i_promotes <= h_promotes;
      i_square <= h_square;
      i_from <= h_bits[5:0];
      {i_at, i_line, i_axis, i_piece, i_side} <= {h_at, h_line, h_axis, h_piece, h_side};
    end
    if (rst) begin
      h_valid <= 1'b0;
      h_one <= 1'b1;
      h_promotes <= 1'b0;
      h_holds <= 1'b0;
      i_valid <= 1'b0;
      check <= 1'b0;
    end
  end

  // From and to, on the board as it is.
  wire [2:0] to_file = i_axis == 2'd2 ? i_line : i_at;
  wire [2:0] to_row = i_axis == 2'd2 ? i_at : i_axis == 2'd0 ? i_line : i_axis[1] ? i_line - i_at : i_line + i_at;
  wire [5:0] flip = {{3{i_side}}, 3'd0};
  reg         n_valid, n_last, n_check;
  reg  [5:0]  n_from, n_to;
  reg  [2:0]  n_promotion;
  always @(posedge clk) begin
    if (en) begin
      n_valid <= i_valid;
      n_last <= i_last;
      n_check <= i_check;
      n_from <= (i_king ? i_from : i_square) ^ flip;
      n_to <= (i_king ? i_square : {to_row, to_file}) ^ flip;
      n_promotion <= {i_promotes, i_piece & {2{i_promotes}}};
    end
    if (rst) n_valid <= 1'b0;
  end

  /* verilator lint_off UNUSEDSIGNAL */
  wire        is_move;                    // always
  /* verilator lint_on UNUSEDSIGNAL */
  wire [10:0] index;
  ply11_encode u_encode (.from(n_from), .to(n_to), .promotion(n_promotion), .index(index), .is_move(is_move));

  localparam [10:0] CODE_IDLE = 11'd2047;
  reg  [10:0] o_index;
  reg  [8:0]  moves;
  assign m_valid = o_valid;
  assign m_index = o_index;
  always @(posedge clk) begin
    if (en) begin
      o_valid <= n_valid;
      o_index <= n_last ? CODE_IDLE : index;
      m_last <= n_last;
      m_count <= moves;
      m_check <= n_check;
      m_mate <= n_last && n_check && moves == 9'd0;
      m_stalemate <= n_last && !n_check && moves == 9'd0;
      if (n_valid) moves <= n_last ? 9'd0 : moves + 9'd1;
    end
    if (rst) begin
      o_valid <= 1'b0;
      moves <= 9'd0;
    end
  end

endmodule

`resetall
