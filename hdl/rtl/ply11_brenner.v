// SPDX-License-Identifier: Apache-2.0
// ply11_brenner - reads games in Brenner's byte code and gives operations for ply11_board.
// Files: those of ply11_brenner.f.
// Throughput: one byte a clock. The end of a game takes one clock more, for NEW.
// Latency: the operation of a byte is offered four clocks after the byte was accepted.
// Handshake: all stages move together, in each clock in which `en` = !m_valid || m_ready is 1. s_ready is `en`. It is
// 0 in the clock of NEW. It is also 0 while the pieces's memories are cleared: in the 64 clocks after rst, and after
// every 511th game (or fewer, see GAMES). The m_ outputs are registers. They do not change while m_valid is 1 and
// m_ready is 0.
//
// LAYOUT chooses the table of bytes: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed. Package bitstream/brenner
// describes them.
//
// m_kind 0 PLY   m_index is a move. The board still has to accept it.
//        1 NEW   the next game begins. It comes after each END, and after a start position that is refused.
//        2 END   the result byte. m_code: 0 0-1, 1 1/2-1/2, 2 1-0, 3 * (the documented extension).
//        3 ERROR m_code says what is wrong:
//                1 the piece that the byte names is not alive
//                4 the move leaves the board, or it is a promotion and does not reach the last rank
//                5 castling, and the king is not on his first square    6 no move or sign has this byte
//                7 out of place: a prefix without a piece of its kind or a pawn right after it; a promotion to the
//                  number of a living piece; a third glyph of a move; a glyph or an empty text before the first move
//                9 the start position that was loaded cannot be numbered, or it is malformed (at the game's first byte)
// m_offset is the number, from 0, of the byte. For a promotion it is the pawn's byte. After an ERROR, that game gives
// only its END.
//
// A text goes out at the side port. text_valid is 1 with each byte of it, in the clock in which the byte is accepted.
// With the NUL that ends the text, text_last is 1, too. The module does not look into texts.
// in_game is 1 from the first byte of a game to its result.
//
// quiet is 1 when no game has begun, no operation is under way, and none is due.
//
// A start position is loaded while quiet is 1. First load_clear is 1. Then, while load_ready is 1, load_valid is 1
// once for each square, in the order of the numbering: a8 to h8, then rank 7, down to h1. load_piece is as on the board;
// 0 is an empty square. Then load_state is 1, with the side to move and the en passant file (0 none, 1..8).
// load_bad is 1 if the position is malformed in another way. Offer no byte meanwhile. The pieces of a kind get the
// numbers 0, 1, 2, 3 in that order. A fifth one cannot be numbered.
//
// Stages: s reads the byte's fields and checks the grammar. p reads the piece's entry. q knows his square and moves him.
// r knows whether he was alive, and makes the index. m is the output. A prefix goes the same way. So when a pawn
// follows it, the new piece's number is known to be free at r.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_brenner #(
  // 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
  parameter LAYOUT = 0,
  // Bits of the number of a game, 1 to 9 (see ply11_pieces).
  parameter GAMES = 9
) (
  input  wire        clk,          // the clock; all ports belong to its rising edge
  input  wire        rst,          // synchronous reset, active high

  input  wire        s_valid,      // 1: a byte is offered
  output wire        s_ready,      // 1: the byte is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [7:0]  s_data,       // the byte

  output wire        m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output reg  [1:0]   m_kind,      // 0 PLY, 1 NEW, 2 END, 3 ERROR
  output reg  [3:0]   m_code,      // of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 *; of ERROR the code
  output reg  [10:0]  m_index,     // of PLY: the index of the move
  output reg  [31:0]  m_offset,    // number of the byte, from 0, in the stream
  output wire        in_game,      // 1: from the first byte of a game to its end

  output wire        text_valid,   // 1: a byte of a text, in the clock in which it is taken [from s_valid, m_ready]
  output wire [7:0]  text_data,    // the byte [from s_data]
  output wire        text_last,    // 1: the text ends here [from s_data]

  output wire        quiet,        // 1: no game has begun and no operation is under way
  input  wire        load_clear,   // 1: a start position begins
  output wire        load_ready,   // 1: load_valid may be 1
  input  wire        load_valid,   // 1: a square of it
  input  wire [5:0]  load_square,  // square, 0 a1 .. 63 h8
  input  wire [3:0]  load_piece,   // who stands there, 0 nobody
  input  wire        load_state,   // 1: the rest of it; this is its last clock
  input  wire        load_side,    // with load_state: side to move, 1 Black
  input  wire [3:0]  load_ep,      // with load_state: 0, or the en passant file, 1..8
  input  wire        load_bad      // with load_state: 1 if the position is malformed
);

  generate
    if (LAYOUT < 0 || LAYOUT > 3) begin : g_check_layout
      ply11_brenner_layout_is_0_to_3 u_check ();
    end
    if (GAMES < 1 || GAMES > 9) begin : g_check_games
      ply11_brenner_games_is_1_to_9 u_check ();
    end
  endgenerate

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  localparam [3:0] ERR_EMPTY = 4'd1, ERR_GEOMETRY = 4'd4, ERR_CASTLING = 4'd5, ERR_CODE = 4'd6, ERR_PLACE = 4'd7,
                   ERR_START = 4'd9;
  // Sorts of a byte.
  localparam [2:0] QUEEN = 3'd0, ROOK = 3'd1, BISHOP = 3'd2, PAWN = 3'd3, KNIGHT = 3'd4, KING = 3'd5,
                   OTHER = 3'd6, UNASSIGNED = 3'd7;

  reg  p_valid, q_valid, r_valid, valid_q;
  wire en = !valid_q || m_ready;
  assign m_valid = valid_q;

  // ---- fields ----
  reg  [2:0] sort;
  reg  [2:0] dir;       // E NE N NW W SW S SE; of a knight its own eight
  reg  [2:0] n;
  reg  [2:0] who;
  reg  [1:0] mm;        // of a pawn: 0 one step, 1 two, 2 takes to its right, 3 left
  reg        prefix;  // names piece #who of that kind
  wire [7:0] d = s_data;
  always @* begin
    sort  = UNASSIGNED;
    dir    = d[2:0];
    n      = 3'd0;
    who    = {2'd0, d[6]};
    mm     = d[4:3];
    prefix = 1'b0;
    if (d[7:3] == 5'd0) sort = OTHER;
    else if (d[7:3] == 5'd1) sort = KING;
    else if (d[7:4] == 4'd1) begin
      sort = KNIGHT;
      who   = {2'd0, d[3]};
    end else if (d[7:5] == 3'd1) begin
      sort = PAWN;
      who   = d[2:0];
      // The alternate order: take right, step 1, step 2, take left.
      if (LAYOUT != 0)
        case (d[4:3])
          2'd0: mm = 2'd2;
          2'd1: mm = 2'd0;
          2'd2: mm = 2'd1;
          default: mm = 2'd3;
        endcase
    end else if (LAYOUT == 0) begin
      n = d[5:3];
      if (d[7]) sort = d[0] ? BISHOP : ROOK;
      else sort = QUEEN;
      if (d[5:3] == 3'd0) begin
        prefix = 1'b1;
        who = {1'b0, d[2:1]};
        if (d[7] && d[6]) sort = d == 8'hc0 ? OTHER : UNASSIGNED;
        else if (!d[7]) sort = d[0] ? KNIGHT : QUEEN;
      end
    end else begin
      sort = (d[7] && d[6]) ? QUEEN : d[7] ? ROOK : BISHOP;
      case (LAYOUT)
        1: begin
          n   = d[2:0];
          dir = sort == QUEEN ? d[5:3] : {d[5:4], sort == BISHOP};
          who = {2'd0, d[3] && sort != QUEEN};
        end
        2: begin
          n   = d[5:3];
          dir = sort == QUEEN ? d[2:0] : {d[1:0], sort == BISHOP};
          who = {2'd0, d[2] && sort != QUEEN};
        end
        default: begin
          n   = d[2:0];
          dir = sort == QUEEN ? d[5:3] : {d[4:3], sort == BISHOP};
          who = {2'd0, d[5] && sort != QUEEN};
        end
      endcase
      if (n == 3'd0) begin
        prefix = 1'b1;
        if (sort == QUEEN && dir[0]) sort = KNIGHT;
        else if (who[0]) sort = d == (LAYOUT == 1 ? 8'h88 : LAYOUT == 2 ? 8'h84 : 8'ha0)
                                 ? OTHER : UNASSIGNED;
        who = {1'b0, dir[2:1]};
      end
    end
    if (sort == QUEEN && !prefix) who = 3'd0;
  end
  // The extension's byte for an unknown result is the only OTHER with a bit above the lowest three.
  wire       unknown = sort == OTHER && d[7:3] != 5'd0;
  wire       other = sort == OTHER && !unknown;

  // ---- s: the grammar ----
  reg        text_q;        // inside a text
  reg        filled_q;      // a byte of it came
  reg        moved_q;       // a move of this game came
  reg        begun_q;       // a byte of this game came
  reg        prefix_q;
  reg  [2:0] prefix_sort_q;
  reg  [1:0] prefix_who_q;
  reg  [1:0] glyphs_q;
  reg        side_q;
  reg        renew_q;       // a NEW is due
  reg        ending_q;      // an END is due, then a NEW
  reg [1:0]  score_q;       // of that END
  reg        start_bad_q;   // the position that was loaded
  wire       load_full;  // it has too many pieces of a kind
  reg [31:0] count_q;

  assign in_game = begun_q;
  assign quiet = !(begun_q || renew_q || ending_q || p_valid || q_valid || r_valid || valid_q);
  wire       busy;
  assign s_ready = en && !renew_q && !ending_q && !busy;
  wire take = s_valid && s_ready;
  assign text_valid = take && text_q;
  assign text_data = s_data;
  assign text_last = s_data == 8'd0;

  wire is_quote  = other && d[2:0] == 3'd0;
  wire is_result = unknown || (other && (d[2:0] == 3'd1 || d[2:0] == 3'd2 || d[2:0] == 3'd3));
  wire is_castle = other && (d[2:0] == 3'd4 || d[2:0] == 3'd5);
  wire is_glyph  = other && d[2:1] == 2'd3;
  wire is_prefix = prefix && sort != OTHER && sort != UNASSIGNED;
  wire is_piece    = sort <= KING && !is_prefix;
  wire is_ply    = is_piece || is_castle;
  wire match     = is_piece && (sort == PAWN || sort == prefix_sort_q);
  wire bad_start = !begun_q && start_bad_q;
  wire misplaced = (prefix_q && !match) || (is_glyph && (!moved_q || glyphs_q == 2'd2));

  wire [1:0] number = prefix_q && sort != PAWN ? prefix_who_q : who[1:0];
  function [2:0] base(input [2:0] of);
    case (of)
      KNIGHT:  base = 3'd2;
      BISHOP:  base = 3'd3;
      ROOK:    base = 3'd4;
      QUEEN:   base = 3'd5;
      default: base = 3'd6;
    endcase
  endfunction

  wire [1:0] score = unknown ? 2'd3 : d[0] ? {1'b0, d[1]} : 2'd2;

  reg  [1:0]  p_kind;
  reg  [3:0]  p_code;
  reg  [31:0] p_offset;
  reg         p_side, p_castle, p_pawn, p_knight, p_promote, p_prefix;
  reg  [4:0]  p_slot, p_new;
  reg  [2:0]  p_dir, p_n;
  reg  [1:0]  p_mm, p_become;

  always @(posedge clk) begin
    if (en) begin
      p_valid <= renew_q || ending_q
                 || (take && !text_q && (is_ply || is_result || sort == UNASSIGNED || misplaced || bad_start))
                 || (take && text_q && text_last && !filled_q && !moved_q);
      p_kind <= renew_q ? NEW : ending_q ? END : text_q || bad_start ? ERROR
                : is_result ? END : (sort == UNASSIGNED || misplaced) ? ERROR : PLY;
      p_code <= ending_q ? {2'd0, score_q} : text_q ? ERR_PLACE : bad_start ? ERR_START : is_result ? {2'd0, score}
                : sort == UNASSIGNED ? ERR_CODE : ERR_PLACE;
      p_offset <= count_q - {31'd0, ending_q};
      p_side <= side_q;
      p_castle <= is_castle;
      p_pawn <= is_piece && sort == PAWN;
      p_knight <= sort == KNIGHT;
      p_promote <= prefix_q && sort == PAWN;
      p_prefix <= take && !text_q && is_prefix;
      p_slot <= sort == PAWN ? {2'd0, who} : sort == KING || is_castle ? 5'd24 : {base(sort), number};
      p_new <= {base(prefix_sort_q), prefix_who_q};
      // Promotion pieces: knight 4, bishop 5, rook 6, queen 7.
      p_become <= prefix_sort_q == KNIGHT ? 2'd0 : prefix_sort_q == BISHOP ? 2'd1
                  : prefix_sort_q == ROOK ? 2'd2 : 2'd3;
      // Castling is a king's two steps: byte 4 to the east, 5 to the west.
      p_dir <= is_castle ? {d[0], 2'd0} : dir;
      p_n <= is_castle ? 3'd2 : sort == KING ? 3'd1 : n;
      p_mm <= mm;
      renew_q <= ending_q;
      ending_q <= 1'b0;
    end
    if (take) begin
      count_q <= count_q + 32'd1;
      begun_q <= 1'b1;
      start_bad_q <= 1'b0;
      if (text_q) begin
        filled_q <= 1'b1;
        if (text_last) text_q <= 1'b0;
      end else begin
        if (is_quote) begin
          text_q <= 1'b1;
          filled_q <= 1'b0;
        end
        prefix_q <= is_prefix && !prefix_q;
        prefix_sort_q <= sort;
        prefix_who_q <= who[1:0];
        if (is_glyph && glyphs_q != 2'd2) glyphs_q <= glyphs_q + 2'd1;
        if (is_ply) begin
          side_q <= !side_q;
          moved_q <= 1'b1;
          glyphs_q <= 2'd0;
        end
        if (is_result) begin
          side_q <= 1'b0;
          moved_q <= 1'b0;
          begun_q <= 1'b0;
          glyphs_q <= 2'd0;
          renew_q <= !bad_start;
          ending_q <= bad_start;
          score_q <= score;
        end
      end
    end
    if (load_state) begin
      side_q <= load_side;
      start_bad_q <= load_bad || start_bad_q;
      // What was loaded of it does not stay on the board.
      if (load_bad || start_bad_q) renew_q <= 1'b1;
    end
    if (load_clear) start_bad_q <= 1'b0;
    if (load_valid && load_full) start_bad_q <= 1'b1;
    if (rst) begin
      p_valid <= 1'b0;
      text_q <= 1'b0;
      moved_q <= 1'b0;
      begun_q <= 1'b0;
      prefix_q <= 1'b0;
      glyphs_q <= 2'd0;
      side_q <= 1'b0;
      renew_q <= 1'b0;
      ending_q <= 1'b0;
      start_bad_q <= 1'b0;
      count_q <= 32'd0;
    end
  end

  // ---- p: the piece's entry is read; his steps along file and rank, -7..7 ----
  reg  [3:0] df, dr;
  wire [3:0] far = {1'b0, p_n};
  always @* begin
    df = 4'd0;
    dr = 4'd0;
    if (p_pawn) begin
      // A pawn's right is the h-file for White, the a-file for Black.
      df = !p_mm[1] ? 4'd0 : (p_mm[0] ^ p_side) ? -4'd1 : 4'd1;
      dr = p_mm == 2'd1 ? (p_side ? -4'd2 : 4'd2) : (p_side ? -4'd1 : 4'd1);
    end else if (p_knight) begin
      // EES EEN NNE NNW WWN WWS SSW SSE.
      case (p_dir)
        3'd0: {df, dr} = {4'd2, -4'd1};
        3'd1: {df, dr} = {4'd2, 4'd1};
        3'd2: {df, dr} = {4'd1, 4'd2};
        3'd3: {df, dr} = {-4'd1, 4'd2};
        3'd4: {df, dr} = {-4'd2, 4'd1};
        3'd5: {df, dr} = {-4'd2, -4'd1};
        3'd6: {df, dr} = {-4'd1, -4'd2};
        default: {df, dr} = {4'd1, -4'd2};
      endcase
    end else begin
      case (p_dir)
        3'd0, 3'd1, 3'd7: df = far;
        3'd3, 3'd4, 3'd5: df = -far;
        default:          df = 4'd0;
      endcase
      case (p_dir)
        3'd1, 3'd2, 3'd3: dr = far;
        3'd5, 3'd6, 3'd7: dr = -far;
        default:          dr = 4'd0;
      endcase
    end
  end

  reg  [1:0]  q_kind;
  reg  [3:0]  q_code;
  reg  [31:0] q_offset;
  reg         q_ply, q_side, q_castle, q_takes, q_double, q_promote, q_prefix;
  reg  [4:0]  q_slot;
  reg  [1:0]  q_become;
  reg  [3:0]  q_df, q_dr;
  always @(posedge clk) begin
    if (en) begin
      q_valid <= p_valid;
      q_ply <= p_valid && p_kind == PLY;
      q_kind <= p_kind;
      q_code <= p_code;
      q_offset <= p_offset;
      q_side <= p_side;
      q_castle <= p_castle;
      q_takes <= p_pawn && p_mm[1] && !p_promote;
      q_double <= p_pawn && p_mm == 2'd1;
      q_promote <= p_promote;
      q_prefix <= p_prefix;
      q_slot <= p_promote ? p_new : p_slot;
      q_become <= p_become;
      q_df <= df;
      q_dr <= dr;
    end
    if (rst) begin
      q_valid <= 1'b0;
      q_ply <= 1'b0;
    end
  end

  // ---- q: where he goes ----
  wire [5:0] square;
  // The fourth bit of the sum tells that the edge was passed.
  wire [3:0] tf = {1'b0, square[2:0]} + q_df;
  wire [3:0] tr = {1'b0, square[5:3]} + q_dr;

  // En passant: the file of the last double step, and where a pawn that goes there stands.
  reg  [3:0] ep_q;
  wire [5:0] beside = {q_side ? 3'd3 : 3'd4, ep_q[2:0] - q_df[2:0]};
  wire       alive;

  ply11_pieces #(.GAMES(GAMES)) u_pieces (
    .clk(clk), .rst(rst), .en(en), .restart(renew_q), .busy(busy),
    .read_side(p_side), .read_slot(p_slot),
    .square(square), .move_valid(q_ply), .move_castle(q_castle), .move_slot(q_slot),
    .move_to({tr[2:0], tf[2:0]}), .move_anew(q_promote),
    .pass_valid(q_takes && ep_q[3]), .pass_square(beside), .pass_file(ep_q[2:0]),
    .alive(alive),
    .load_clear(load_clear), .load_valid(load_valid), .load_square(load_square), .load_piece(load_piece),
    .load_full(load_full)
  );
  assign load_ready = !busy;

  // Of a position that is loaded: is the square occupied that a pawn passed?  Then nobody takes en passant.
  reg  [7:0] third_q, sixth_q;
  wire [2:0] load_file = load_ep[2:0] - 3'd1;
  always @(posedge clk) begin
    if (load_valid && load_square[5:3] == 3'd2) third_q[load_square[2:0]] <= load_piece != 4'd0;
    if (load_valid && load_square[5:3] == 3'd5) sixth_q[load_square[2:0]] <= load_piece != 4'd0;
  end

  reg  [1:0]  r_kind;
  reg  [3:0]  r_code;
  reg  [31:0] r_offset;
  reg  [5:0]  r_from, r_to;
  reg  [2:0]  r_promotion;
  reg         r_castle, r_prefix, r_astray;
  always @(posedge clk) begin
    if (en) begin
      r_valid <= q_valid;
      r_kind <= q_kind;
      r_code <= q_code;
      r_offset <= q_offset;
      r_from <= square;
      r_to <= {tr[2:0], tf[2:0]};
      r_promotion <= {q_promote, q_become & {2{q_promote}}};
      r_castle <= q_castle;
      r_prefix <= q_prefix;
      r_astray <= tf[3] || tr[3] || (q_castle && square != {{3{q_side}}, 3'd4});
      if (q_ply) ep_q <= {q_double, tf[2:0]};
      if (q_valid && q_kind == NEW) ep_q <= 4'd0;
    end
    if (load_state)
      ep_q <= {load_ep != 4'd0 && !(load_side ? third_q[load_file] : sixth_q[load_file]), load_file};
    if (rst) begin
      r_valid <= 1'b0;
      ep_q <= 4'd0;
    end
  end

  // ---- r: is he alive; the index ----
  wire [10:0] index;
  wire        is_move;
  ply11_encode u_encode (.from(r_from), .to(r_to), .promotion(r_promotion), .index(index),
                         .is_move(is_move));

  reg  held_q;           // the number that a prefix names is a living piece's
  reg  bad_q;              // an error in this game
  wire taken = r_promotion[2] && held_q;
  wire sound = r_kind == PLY && alive && !taken && !r_astray && is_move;
  // What the board refuses needs no care: nothing of that game counts any more.
  always @(posedge clk) begin
    if (en) begin
      valid_q <= r_valid && !(bad_q && (r_kind == PLY || r_kind == ERROR));
      m_kind <= r_kind == PLY && !sound ? ERROR : r_kind;
      m_code <= r_kind != PLY ? r_code : r_castle ? ERR_CASTLING : !alive ? ERR_EMPTY : taken ? ERR_PLACE : ERR_GEOMETRY;
      m_index <= sound ? index : 11'd0;
      m_offset <= r_offset;
      if (r_prefix) held_q <= alive;
      if (r_valid) begin
        if (r_kind == ERROR || (r_kind == PLY && !sound)) bad_q <= 1'b1;
        if (r_kind == END) bad_q <= 1'b0;
      end
    end
    if (rst) begin
      valid_q <= 1'b0;
      bad_q <= 1'b0;
    end
  end

endmodule

`resetall
