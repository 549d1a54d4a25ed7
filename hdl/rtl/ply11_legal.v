// SPDX-License-Identifier: Apache-2.0
// ply11_legal - judges each move that passes ply11_board by all the rules: legal or not, and why.
//
// Put it behind a ply11_board with STOP 1 and hush 0. Connect s_valid and s_ready to the board's m_valid and m_ready, the other
// s_ ports and board, side, rights, ep and ply to the board's outputs, board_next to its next_valid, and board_load_ready
// to its load_ready. Load a position into the board in clocks in which load_ready of this module is 1: then nothing is on
// its way. next_valid, next_op and hush are as those of the board, for the beats of this module.
// It gives the same beats, and the position after the last beat that was offered, as a board would that knew all
// rules: it does not apply a move that is not legal.
//   m_error   the board's; 7 for a move that is not legal, and for what follows one that was refused up to the next NEW
//   m_reason  0, or with the first error 7 the first of these that holds:
//     1  a piece stands between from and to
//     2  castling: no rook of one's own stood in the corner
//     3  castling out of check      4  castling through check      5  castling into check
//     6  en passant: no pawn stood beside that can have stepped twice
//     7  en passant: the king is in check after it
//     8  the king is in check after any other move
// A move with error 7 has m_from, m_to and m_promotion, too; its m_piece and m_captured are 0. Null moves are not judged.
// A position that was loaded may have rights or an en passant file without their pieces: reasons 2 and 6 say so when a
// move uses them.
//
// Throughput: a beat a clock, whatever depends on the one before; castling takes two clocks more.
// Latency: 6 clocks; castling 8.
// Handshake: all stages move together, in each clock in which `en` = !m_valid || m_ready is 1. s_ready is `en`
// (combinational from m_ready), except in the two clocks of castling. m_valid and all outputs are registers. They do not
// change while m_valid is 1 and m_ready is 0. rst is that of the board.
//
// How: the board has applied the move. The module asks whether an enemy attacks the mover's king in the position after
// it. The king's rank, file and diagonals are one-hot. They choose the four lines through his square from planes
// of pieces. An adder finds a ray: empty squares plus the square next to the king carry to the first piece. Knights,
// a pawn and the other king are looked for in the rows around the king. The line from the from-square to the
// target is chosen in the same way. Castling asks for three squares of the king, one after the other. The rook
// stands between him and the corner, where no enemy was before. The position moves along, and comes
// out if the verdict is that it may.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_legal #(
  // Bits of the tag that travels with an operation, 1 or more.
  parameter USER_WIDTH = 1
) (
  input  wire                  clk,              // the clock; all ports belong to its rising edge
  input  wire                  rst,              // synchronous reset, active high: that of the board

  input  wire                  s_valid,          // 1: the board offers a beat; it stays until s_ready is 1
  output wire                  s_ready,          // 1: the beat is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [1:0]            s_op,             // m_op of the board
  input  wire [USER_WIDTH-1:0] s_user,           // m_user of the board
  input  wire [2:0]            s_error,          // m_error of the board, 0..7
  input  wire [5:0]            s_from,           // m_from of the board, square 0..63
  input  wire [5:0]            s_to,             // m_to of the board, square 0..63
  input  wire [2:0]            s_promotion,      // m_promotion of the board
  input  wire [3:0]            s_piece,        // m_piece of the board
  input  wire [3:0]            s_captured,       // m_captured of the board

  input  wire                  board_next,       // next_valid of the board
  input  wire                  board_load_ready, // load_ready of the board
  output wire                  load_ready,       // 1: the board takes a load; its load_valid is to be 1 only then [from board_load_ready, board_next, s_valid]

  input  wire [255:0]          board,          // board of the board: the piece on square s at 4*s +: 4
  input  wire                  side,             // side to move: 0 White, 1 Black
  input  wire [3:0]            rights,           // castling rights {q, k, Q, K}
  input  wire [3:0]            ep,               // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  input  wire [15:0]           ply,              // plies of the position

  output wire                  next_valid,       // 1: an operation is in the stage before the outputs
  output wire [1:0]            next_op,          // with next_valid: which
  input  wire                  hush,             // 1: it gives no beat

  output reg                   m_valid,          // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire                  m_ready,          // 1: the beat is taken in this clock if m_valid is 1
  output reg  [1:0]            m_op,             // the operation
  output reg  [USER_WIDTH-1:0] m_user,           // its tag
  output reg  [2:0]            m_error,          // 0 none, 1..6 the board's, 7 not legal, or after a move that was refused
  output reg  [3:0]            m_reason,         // why it is not legal, 1..8; else 0
  output reg  [5:0]            m_from,           // square 0..63; 0 if it is no move
  output reg  [5:0]            m_to,             // square 0..63; 0 if it is no move
  output reg  [2:0]            m_promotion,      // 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output reg  [3:0]            m_piece,        // the piece who moved; 0 if none did
  output reg  [3:0]            m_captured,     // the piece captured; 0 if none was

  output reg  [255:0]          m_board,        // the position after the last beat: the piece on square s at 4*s +: 4
  output reg                   m_side,           // side to move: 0 White, 1 Black
  output reg  [3:0]            m_rights,         // castling rights {q, k, Q, K}
  output reg  [3:0]            m_ep,             // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  output reg  [15:0]           m_ply             // plies that were applied, modulo 65,536
);

  generate
    if (USER_WIDTH < 1) begin : g_check_user_width
      ply11_legal_user_width_is_1_or_more u_check ();
    end
  endgenerate

  localparam [1:0] OP_MOVE = 2'd0;
  localparam [1:0] OP_NEW  = 2'd1;
  localparam [2:0] ERR_STOPPED = 3'd7;

  wire en = !m_valid || m_ready;
  reg  p_more;                            // castling in p asks for another square
  // en && !p_more. It enables the board's squares, which are far: so it has a copy of m_valid of its own.
  reg  idle_q;
  wire go = (idle_q || m_ready) && !p_more;
  assign s_ready = go;

  // ================= what the board shows =================

  // The board moves on in these clocks.
  wire steps = !s_valid || go;

  // A position is loaded when nothing is on its way: it comes through before anything can stand.
  reg  free_q;
  reg  k_valid, p_valid, l_valid, r_valid, v_valid;
  assign load_ready = board_load_ready && free_q && !board_next && !s_valid
                      && !(k_valid || p_valid || l_valid || r_valid || v_valid || m_valid);
  always @(posedge clk) free_q <= board_load_ready && !rst;

  // Of the position before: the rooks in their corners; the en passant file; and of each file whether the square behind a
  // pawn that stepped twice is empty, and whether he is there and the square that he left is empty.
  reg  [3:0] rooks_q;                     // {a8, h8, a1, h1}
  reg  [3:0] was_ep_q;
  reg  [7:0] was_open_q, was_sound_q;
  function [3:0] piece_on(input [255:0] pieces, input [5:0] s);
    piece_on = pieces[{s, 2'd0} +: 4];
  endfunction
  genvar      s, r, f, a;
  generate
    for (f = 0; f < 8; f = f + 1) begin : g_ep
      wire open_ = (side ? board[64 + 4*f +: 4] : board[160 + 4*f +: 4]) == 4'd0;
      wire pawn_ = side ? board[96 + 4*f +: 4] == 4'd6 : board[128 + 4*f +: 4] == 4'd14;
      wire left_ = (side ? board[32 + 4*f +: 4] : board[192 + 4*f +: 4]) == 4'd0;
      always @(posedge clk) if (steps) begin
        was_open_q[f] <= open_;
        was_sound_q[f] <= pawn_ && left_;
      end
    end
  endgenerate
  always @(posedge clk) if (steps) begin
    rooks_q <= {piece_on(board, 6'd56) == 4'd13, piece_on(board, 6'd63) == 4'd13,
              piece_on(board, 6'd0) == 4'd5, piece_on(board, 6'd7) == 4'd5};
    was_ep_q <= ep;
  end

  wire s_move = s_valid && s_op == OP_MOVE;
  wire s_judged = s_move && s_error == 3'd0 && s_piece[2:0] != 3'd0;
  wire s_castle = s_judged && s_piece[2:0] == 3'd1 && s_from[2:0] == 3'd4 && s_to[1:0] == 2'd2;
  wire s_black = s_piece[3];
  wire s_takes = s_judged && s_piece[2:0] == 3'd6 && s_from[2:0] != s_to[2:0] && s_to[5:3] == (s_black ? 3'd2 : 3'd5);
  wire s_rook = s_black ? (s_to[2] ? rooks_q[2] : rooks_q[3]) : (s_to[2] ? rooks_q[0] : rooks_q[1]);
  wire s_level = s_from[5:3] == s_to[5:3];
  wire s_upright = s_from[2:0] == s_to[2:0];
  wire s_rising = (s_to[5:3] > s_from[5:3]) == (s_to[2:0] > s_from[2:0]);

  // ================= what travels =================

  localparam BEAT = 28 + USER_WIDTH, STATE = 281;
  // k is after the board; then p (planes), l (lines), r (rays), v (verdict), and the outputs.
  reg              k_new, p_new, l_new, r_new, v_new;
  reg              k_move, p_move, l_move, r_move, v_move;
  reg              k_judged, p_judged, l_judged, r_judged;
  reg              k_castle, p_castle, l_castle, r_castle, v_castle;
  reg              p_passant, l_passant, r_passant, v_passant;
  reg              p_missing, l_missing, r_missing, v_missing;   // the rook, or the pawn en passant
  reg              k_takes, k_file, k_open, k_sound, k_rook;     // a pawn goes to the row behind, on that file; what is there
  reg  [BEAT-1:0]  k_beat, p_beat, l_beat, r_beat, v_beat;
  reg  [STATE-1:0] k_state, p_state, l_state, r_state, v_state;
  reg              l_hold, r_hold, v_hold;                       // another square of it comes
  reg              p_second;                                     // castling asks for the target, then the next, then the king's
  reg              l_next, r_next, v_next;                       // for the next
  wire             k_passant = k_takes && k_file && k_open;
  always @(posedge clk) begin
    if (go) begin
      k_valid <= s_valid;
      k_new <= s_valid && s_op == OP_NEW;
      k_move <= s_move;
      k_judged <= s_judged;
      k_castle <= s_castle;
      k_takes <= s_takes;
      k_file <= was_ep_q == {1'b0, s_to[2:0]} + 4'd1;
      k_open <= was_open_q[s_to[2:0]];
      k_sound <= was_sound_q[s_to[2:0]];
      k_rook <= s_rook;
      k_beat <= {s_user, s_op, s_error, s_from, s_to, s_promotion, s_piece, s_captured};
      k_state <= {ply, ep, rights, side, board};
      {p_valid, p_new, p_move, p_judged} <= {k_valid, k_new, k_move, k_judged};
      {p_castle, p_passant, p_beat, p_state} <= {k_castle, k_passant, k_beat, k_state};
      p_missing <= (k_castle && !k_rook) || (k_passant && !k_sound);
      p_second <= 1'b0;
      p_more <= k_castle;
    end else if (en) begin
      p_second <= !p_second;
      p_more <= !p_second;
    end
    if (en) begin
      {l_valid, l_new, l_move, l_judged} <= {p_valid, p_new, p_move, p_judged} & {4{!p_more}};
      {l_hold, r_hold, v_hold} <= {p_more, l_hold, r_hold};
      {l_castle, l_passant, l_missing, l_next, l_beat, l_state} <= {p_castle, p_passant, p_missing, p_second, p_beat, p_state};
      {r_valid, r_new, r_move, r_judged} <= {l_valid, l_new, l_move, l_judged};
      {r_castle, r_passant, r_missing, r_next, r_beat, r_state} <= {l_castle, l_passant, l_missing, l_next, l_beat, l_state};
      {v_valid, v_new, v_move} <= {r_valid, r_new, r_move};
      {v_castle, v_passant, v_missing, v_next, v_beat, v_state} <= {r_castle, r_passant, r_missing, r_next, r_beat, r_state};
    end
    if (rst) begin
      {k_valid, p_valid, l_valid, r_valid, v_valid} <= 5'd0;
      {k_new, p_new, l_new, r_new, v_new} <= 5'd0;
      {k_move, p_move, l_move, r_move, v_move} <= 5'd0;
      {k_judged, p_judged, l_judged, r_judged} <= 4'd0;
      {k_castle, p_more} <= 2'd0;
      {l_hold, r_hold, v_hold} <= 3'd0;
    end
  end

  // ================= k to p: planes, and the king =================

  // enemy: of the opponent of who moved, and so of the side to move.
  reg  [63:0] k_enemy;
  reg  [63:0] p_occupied, p_straight, p_oblique, p_knight, p_pawn, p_crown;
  wire [63:0] piece, straight, oblique, knight, pawn, crown, king, turned;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_square
      wire [2:0] kind = k_state[4*s +: 3];
      always @(posedge clk) if (go) k_enemy[s] <= board[4*s + 3] == side;
      assign piece[s] = kind != 3'd0;
      assign straight[s] = k_enemy[s] && (kind == 3'd2 || kind == 3'd5);
      assign oblique[s] = k_enemy[s] && (kind == 3'd2 || kind == 3'd4);
      assign knight[s] = k_enemy[s] && kind == 3'd3;
      assign pawn[s] = k_enemy[s] && kind == 3'd6;
      assign crown[s] = k_enemy[s] && kind == 3'd1;
      assign king[s] = !k_enemy[s] && kind == 3'd1;
      assign turned[8*(s % 8) + s / 8] = king[s];
    end
  endgenerate
  always @(posedge clk) if (go)
    {p_occupied, p_straight, p_oblique, p_knight, p_pawn, p_crown} <= {piece, straight, oblique, knight, pawn, crown};

  // Rank, file, diagonals {rank - file + 7} and {rank + file}.
  wire [7:0]  row, file;
  wire [14:0] diff = {turned[7:0], 7'd0} | {1'd0, turned[15:8], 6'd0} | {2'd0, turned[23:16], 5'd0}
                     | {3'd0, turned[31:24], 4'd0} | {4'd0, turned[39:32], 3'd0} | {5'd0, turned[47:40], 2'd0}
                     | {6'd0, turned[55:48], 1'd0} | {7'd0, turned[63:56]};
  wire [14:0] sum = {7'd0, turned[7:0]} | {6'd0, turned[15:8], 1'd0} | {5'd0, turned[23:16], 2'd0}
                    | {4'd0, turned[31:24], 3'd0} | {3'd0, turned[39:32], 4'd0} | {2'd0, turned[47:40], 5'd0}
                    | {1'd0, turned[55:48], 6'd0} | {turned[63:56], 7'd0};
  generate
    for (r = 0; r < 8; r = r + 1) begin : g_line
      assign row[r] = |king[8*r +: 8];
      assign file[r] = |turned[8*r +: 8];
    end
  endgenerate
  reg  [7:0]  p_row, p_file;
  reg  [14:0] p_diff, p_sum;
  wire        p_short = p_file[6];        // where a king who castles stands, before the other squares are asked
  wire        p_black = !p_state[256];    // Black moved
  always @(posedge clk) begin
    if (go) {p_row, p_file, p_diff, p_sum} <= {row, file, diff, sum};
    else if (en) begin
      // The squares beside the king's, and his own: d, f, e.
      p_file <= p_second ? 8'd1 << 4 : p_short ? 8'd1 << 5 : 8'd1 << 3;
      p_diff <= 15'd1 << ((p_black ? 4'd14 : 4'd7) - (p_second ? 4'd4 : p_short ? 4'd5 : 4'd3));
      p_sum <= 15'd1 << ((p_black ? 4'd7 : 4'd0) + (p_second ? 4'd4 : p_short ? 4'd5 : 4'd3));
    end
  end

  // The line from from to to: at most one of its numbers is there, and what lies between.
  function [7:0] above(input [2:0] n);
    above = 8'hfe << n;
  endfunction
  reg         k_slides, k_level, k_upright, k_rising, k_falling;
  reg  [3:0]  k_diff, k_sum;              // of the from-square
  reg  [2:0]  k_from_at, k_to_at;
  always @(posedge clk) if (go) begin
    k_slides <= s_judged && !s_castle && s_piece[2:0] != 3'd3;
    k_level <= s_level;
    k_upright <= s_upright;
    k_rising <= !s_level && !s_upright && s_rising;
    k_falling <= !s_level && !s_upright && !s_rising;
    k_diff <= {1'b0, s_from[5:3]} + {1'b0, ~s_from[2:0]};
    k_sum <= {1'b0, s_from[5:3]} + {1'b0, s_from[2:0]};
    k_from_at <= s_upright ? s_from[5:3] : s_from[2:0];
    k_to_at <= s_upright ? s_to[5:3] : s_to[2:0];
  end
  reg  [7:0]  p_path_row, p_path_file, p_between;
  reg  [14:0] p_path_diff, p_path_sum;
  always @(posedge clk) if (go) begin
    p_path_row <= {7'd0, k_slides && k_level} << k_beat[22:20];
    p_path_file <= {7'd0, k_slides && k_upright} << k_beat[19:17];
    p_path_diff <= {14'd0, k_slides && k_rising} << k_diff;
    p_path_sum <= {14'd0, k_slides && k_falling} << k_sum;
    p_between <= (above(k_from_at) ^ above(k_to_at)) & ~(8'd1 << k_from_at) & ~(8'd1 << k_to_at);
  end

  // ================= p to l: lines =================

  // Of each square of the king's lines whether somebody stands there, and whether it is an enemy who slides along
  // it. Lines are row, diagonal, file, the other diagonal; a square is told by its file, of a file by its row.
  wire [31:0] occupied, attacker;
  wire [7:0]  path;
  wire [7:0]  leaps1, leaps2, crowns;     // on files that a leaper or pawn must be next to, two from, the king next to
  wire [7:0]  next_row = {p_row[6:0], 1'b0} | {1'b0, p_row[7:1]};
  wire [7:0]  far_row = {p_row[5:0], 2'd0} | {2'd0, p_row[7:2]};
  wire [7:0]  pawn_row = p_black ? {1'b0, p_row[7:1]} : {p_row[6:0], 1'b0};
  generate
    for (f = 0; f < 8; f = f + 1) begin : g_lines
      // The squares of a file by their row, and of that row by their file.
      wire [7:0] pieces, sliders, bishops, knights, pawns, kings;
      for (r = 0; r < 8; r = r + 1) begin : g_turn
        assign pieces[r] = p_occupied[8*r + f];
        assign sliders[r] = p_straight[8*r + f];
        assign bishops[r] = p_oblique[8*r + f];
        assign knights[r] = p_knight[8*r + f];
        assign pawns[r] = p_pawn[8*r + f];
        assign kings[r] = p_crown[8*r + f];
      end
      assign occupied[f] = |(p_row & pieces);
      assign attacker[f] = |(p_row & sliders);
      assign occupied[8 + f] = |(p_diff[7 - f +: 8] & pieces);
      assign attacker[8 + f] = |(p_diff[7 - f +: 8] & bishops);
      assign occupied[16 + f] = |(p_file & p_occupied[8*f +: 8]);
      assign attacker[16 + f] = |(p_file & p_straight[8*f +: 8]);
      assign occupied[24 + f] = |(p_sum[f +: 8] & pieces);
      assign attacker[24 + f] = |(p_sum[f +: 8] & bishops);
      assign path[f] = |((p_path_row | p_path_diff[7 - f +: 8] | p_path_sum[f +: 8]) & pieces) || |(p_path_file & p_occupied[8*f +: 8]);
      assign leaps1[f] = |(far_row & knights) || |(pawn_row & pawns);
      assign leaps2[f] = |(next_row & knights);
      assign crowns[f] = |((next_row | p_row) & kings);
    end
  endgenerate
  reg  [31:0] l_empty, l_attacker;
  reg  [7:0]  l_path, l_leaps1, l_leaps2, l_crowns, l_row, l_file;
  always @(posedge clk) if (en) begin
    {l_empty, l_attacker, l_leaps1, l_leaps2, l_crowns} <= {~occupied, attacker, leaps1, leaps2, crowns};
    {l_row, l_file} <= {p_row, p_file};
    l_path <= path & p_between;
  end

  // ================= l to r: rays =================

  function [7:0] rev(input [7:0] b);
    rev = {b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]};
  endfunction
  wire [7:0]  beside = {l_file[6:0], 1'b0} | {1'b0, l_file[7:1]};
  wire [7:0]  beyond = {l_file[5:0], 2'd0} | {2'd0, l_file[7:2]};
  reg  [31:0] r_hits;                     // who slides and is met
  reg  [7:0]  r_near;                     // who else looks at the king
  reg         r_blocked, r_wrong, v_blocked;
  generate
    for (a = 0; a < 4; a = a + 1) begin : g_axis
      wire [7:0] empty = l_empty[8*a +: 8];
      wire [7:0] at = a == 2 ? l_row : l_file;
      wire [7:0] rise = empty + {at[6:0], 1'b0};
      wire [7:0] fall = rev(empty) + rev({1'b0, at[7:1]});
      always @(posedge clk) if (en) r_hits[8*a +: 8] <= (rise | rev(fall)) & l_attacker[8*a +: 8];
    end
  endgenerate
  always @(posedge clk) begin
    if (en) begin
      r_near <= (l_leaps1 & beside) | (l_leaps2 & beyond) | (l_crowns & (beside | l_file));
      r_blocked <= |l_path;
      r_wrong <= l_judged && (l_missing || l_path != 8'd0);
      v_blocked <= r_blocked;
    end
    if (rst) r_wrong <= 1'b0;
  end

  // ================= r to v: is he attacked =================

  wire        looks = |r_hits || |r_near;
  reg         v_attacked, v_illegal;
  always @(posedge clk) begin
    if (en) begin
      v_attacked <= looks;
      v_illegal <= r_wrong || (r_judged && looks);
    end
    if (rst) v_illegal <= 1'b0;
  end

  // ================= the verdict =================

  assign next_valid = v_valid;
  assign next_op = v_beat[27:26];

  reg         stopped_q;                  // a move up to the last beat was refused here
  reg         through_q, spoilt_q;        // of castling: the square beside the king's is attacked; that or the target
  wire        stays = stopped_q && !v_new;
  wire        illegal = v_illegal || spoilt_q;
  // Few LUTs deep: it enables the position's registers.
  wire        refused = stays || illegal;
  reg  [3:0]  reason;
  always @* begin
    if (v_blocked) reason = 4'd1;
    else if (v_castle) reason = v_missing ? 4'd2 : v_attacked ? 4'd3 : through_q ? 4'd4 : 4'd5;
    else if (v_passant) reason = v_missing ? 4'd6 : 4'd7;
    else reason = 4'd8;
    if (stays || !illegal) reason = 4'd0;
  end
  always @(posedge clk) begin
    if (en) begin
      if (v_next) through_q <= v_attacked;
      spoilt_q <= v_hold && (v_attacked || spoilt_q);
      if (!v_hold) stopped_q <= refused;
      m_valid <= v_valid && !hush;
      idle_q <= !v_valid || hush;
      {m_user, m_op, m_error, m_from, m_to, m_promotion, m_piece, m_captured} <= v_beat;
      m_reason <= reason;
      if (v_move && refused) begin
        m_error <= ERR_STOPPED;
        {m_piece, m_captured} <= 8'd0;
      end
    end
    if (en && !v_hold && !refused) {m_ply, m_ep, m_rights, m_side, m_board} <= v_state;
    if (rst) begin
      stopped_q <= 1'b0;
      spoilt_q <= 1'b0;
      m_valid <= 1'b0;
      idle_q <= 1'b1;
    end
  end

endmodule

`resetall
