// SPDX-License-Identifier: Apache-2.0
// ply11_player - plays a stream of games: it takes bytes, and gives plies, results, errors and the position.
// Files: those of ply11_player.f.
// Throughput: words with WIDTH 32 or 64: one word, and so one ply, a clock; one clock more a game, 90 more a start record.
// Words with WIDTH 8, Brenner and jose: one byte a clock. ChessBase: some 120 clocks a ply. A bracket of a variation that
// is played waits until all beats before it have been taken. It then takes 16 clocks in words, 36 in jose, 32 in
// ChessBase. In ChessBase every move waits so, too.
// Latency: words with WIDTH 8: 14 clocks from the byte that completes a word. Brenner and jose: 13 clocks from the byte. LEGAL 1
// adds six clocks, and two more for castling. With MATE 1 a beat takes some 42 clocks instead.
// Handshake: outputs come from registers. They do not change while m_valid is 1 and m_ready is 0. s_ready is combinational
// from load_valid and mode, not from m_ready.
//
// mode says what the bytes are: 0 eleven-bit words, the stream of docs/WORDS.md (see ply11_words); 1 Brenner's bytes, in LAYOUT (see
// ply11_brenner); 2 jose's GameText, in DIALECT (see ply11_jose); 3 ChessBase's move bytes, with an end and a result
// behind each game's (see ply11_cbf). mode may change only while rst is 1. A mode that MODES leaves out takes nothing and
// gives nothing.
// numbering says how ChessBase's file numbers its moves: 0 as in the format's description, 1 as CBASCII did. It counts when the first
// byte of a game is taken. With the wrong one, some games play on to their end, with legal moves that were not played.
//
// m_kind  0 PLY    m_index, m_from, m_to, m_promotion, m_piece, m_captured, as in ply11_board
//         2 END    the game ends. m_result: 0 0-1, 1 1/2-1/2, 2 1-0, 3 *
//         3 ERROR  m_error: 1..6 of the board or the codec, 7 out of place, 8 operand, 9 start position, 10 a variation
//                  inside DEPTH others. m_index is there where the error has one. With LEGAL 1, 7 with an
//                  m_reason of 1..8 says that the move is not legal (see ply11_legal).
// m_offset is the number, from 0 since rst, of the byte in which the word or move begins. It wraps at 2**32.
// m_check, m_mate and m_stalemate come with MATE 1, with every beat, for the position after it: the side to move is in check; it has
// no legal move and is in check; it has none and is not in check. They have no meaning in a position that is not possible (see
// ply11_moves): after a null move of a side in check, or loaded so.
// m_depth is the number of variations that a ply is inside; 0 is the main line. A variation's first ply has the number (ply) of
// the ply that it replaces. With DEPTH 0, variations are stepped over.
// board, side, rights, ep and ply are the position after the beat that is offered. With an ERROR they are the position before it.
// After an ERROR, that game gives only its END, which shows the same position. The next game plays. After an ERROR 9 that
// position is the usual initial one.
// The usual initial position appears some clocks after the beat of an END was taken.
// The text_ ports have the texts of Brenner and jose (see ply11_brenner and ply11_jose). in_game is 1 while a game has begun at
// the input and its end has not come.
//
// The load_ ports set the start position of the next game. In words load_ready is 0: they have a record for it. A load waits until
// nothing of the game before is left: its END was taken, and the usual position that follows it is on the board. A word is
// taken in a clock in which load_valid and load_ready are 1. load_addr and load_data are as in ply11_board. Send
// them in the order 7, 6 .. 0, 8, because the pieces get their numbers in that order. A rank takes nine clocks; with
// Brenner the first one takes 73. No byte is taken between the first rank and address 8. The game's first byte gives an
// ERROR 9 if the position cannot be numbered, or if it is malformed: a piece's code is 7, 8 or 15, a side does not have one
// king, or the en passant file is above 8.
//
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_player #(
  // Bit 0: words, bit 1: Brenner, bit 2: jose, bit 3: ChessBase.
  parameter MODES = 3,
  // Bits of the input: 8, or 32 or 64 with words alone; byte 0 is in the low bits.
  parameter WIDTH = 8,
  // Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
  parameter LAYOUT = 0,
  // jose's dialect: 0 document, 1 program.
  parameter DIALECT = 0,
  // Variations inside each other that are played, 0..31.
  parameter DEPTH = 0,
  // 1: moves are judged by all the rules (ply11_referee).
  parameter LEGAL = 0,
  // 1: beats tell check, mate and stalemate, by ply11_moves; with LEGAL 1 alone.
  parameter MATE = 0
) (
  input  wire             clk,          // the clock; all ports belong to its rising edge
  input  wire             rst,          // synchronous reset, active high

  input  wire [1:0]       mode,         // 0 words, 1 Brenner, 2 jose, 3 ChessBase; it changes only while rst is 1
  input  wire             numbering,    // of ChessBase's moves, at a game's first byte: 0 document, 1 CBASCII

  input  wire             s_valid,      // 1: an input is offered
  output wire             s_ready,      // 1: the input is taken in this clock if s_valid is 1 [from load_valid, mode]
  input  wire [WIDTH-1:0] s_data,       // bytes; the first is in the low bits

  input  wire             load_valid,   // 1: a word of a start position is offered
  output wire             load_ready,   // 1: the word is taken in this clock if load_valid is 1 [from m_ready, mode]
  input  wire [3:0]       load_addr,    // in the order 7, 6 .. 0, 8: 0..7 rank 1..8, 8 the state
  input  wire [31:0]      load_data,    // as load_data of ply11_board

  output wire             m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire             m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output wire [1:0]       m_kind,       // 0 PLY, 2 END, 3 ERROR
  output wire [10:0]      m_index,      // of PLY the index; of ERROR the word, where there is one
  output wire [5:0]       m_from,       // of PLY: square, 0 a1 .. 63 h8
  output wire [5:0]       m_to,         // of PLY: square, 0 a1 .. 63 h8
  output wire [2:0]       m_promotion,  // of PLY: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output wire [3:0]       m_piece,    // of PLY: the piece as it stood on m_from
  output wire [3:0]       m_captured,   // of PLY: what it took, or 0
  output wire [1:0]       m_result,     // of END: 0 0-1, 1 1/2-1/2, 2 1-0, 3 *
  output wire [3:0]       m_error,      // of ERROR: the code
  output wire [3:0]       m_reason,     // of ERROR 7 with LEGAL 1: why the move is not legal, 1..8; else 0
  output wire [31:0]      m_offset,     // number of the byte, from 0 since rst, in which the move begins
  output wire [4:0]       m_depth,      // variations that the ply is inside, 0 the main line
  output wire             m_check,      // with MATE 1: the side to move is in check; else 0
  output wire             m_mate,       // with MATE 1: it is mate; else 0
  output wire             m_stalemate,  // with MATE 1: it is stalemate; else 0

  output wire [255:0]     board,      // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  output wire             side,         // side to move: 0 White, 1 Black
  output wire [3:0]       rights,       // castling rights {q, k, Q, K}
  output wire [3:0]       ep,           // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  output wire [15:0]      ply,          // plies played, modulo 65,536

  output wire             text_valid,   // 1: a byte of a text, in the clock in which it is taken [from s_valid, load_valid, mode]
  output wire [7:0]       text_data,    // the byte [from s_data]
  output wire             text_last,    // 1: the text ends here [from s_data, mode]
  output wire [2:0]       text_kind,    // 0 a comment, 1..4 a record of jose [from mode]
  output wire             in_game       // 1: from the first byte of a game to its end [from mode]
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;

  generate
    if (WIDTH != 8 && (MODES & 14) != 0) begin : g_check
      // The bytes of Brenner, jose and ChessBase come one a clock.
      ply11_player_needs_width_8 u_check ();
    end
    if (MATE != 0 && LEGAL == 0) begin : g_check_mate_needs
      // ply11_moves wants positions to which legal moves led.
      ply11_player_mate_needs_legal u_check ();
    end
    if (MODES < 1 || MODES > 15) begin : g_check_modes
      ply11_player_modes_is_1_to_15 u_check ();
    end
    if (WIDTH != 8 && WIDTH != 32 && WIDTH != 64) begin : g_check_width
      ply11_player_width_is_8_32_or_64 u_check ();
    end
    if (LAYOUT < 0 || LAYOUT > 3) begin : g_check_layout
      ply11_player_layout_is_0_to_3 u_check ();
    end
    if (DIALECT < 0 || DIALECT > 1) begin : g_check_dialect
      ply11_player_dialect_is_0_or_1 u_check ();
    end
    if (DEPTH < 0 || DEPTH > 31) begin : g_check_depth
      ply11_player_depth_is_0_to_31 u_check ();
    end
    if (LEGAL < 0 || LEGAL > 1) begin : g_check_legal
      ply11_player_legal_is_0_or_1 u_check ();
    end
    if (MATE < 0 || MATE > 1) begin : g_check_mate
      ply11_player_mate_is_0_or_1 u_check ();
    end
  endgenerate

  wire in_words = mode == 2'd0;
  wire in_brenner = mode == 2'd1;
  wire in_jose = mode == 2'd2;
  wire in_chessbase = (MODES & 8) != 0 && mode == 2'd3;

  // ---- the codecs ----
  wire        op_ready;
  // Between games nothing is taken while a position is loaded.
  wire        hold;
  wire        s_go = s_valid && !hold;
  // What follows is not all used with all parameters.
  /* verilator lint_off UNUSEDSIGNAL */
  // The position that is loaded, as the codecs number it.
  wire        set_clear, set_valid, set_ready, set_state, set_bad, b_load_ready;
  wire [5:0]  set_square;
  wire [3:0]  set_piece;
  wire        b_quiet, j_quiet;
  // Variations.
  wire        open, close, done;
  // A record of words.
  wire        record_ready;
  // No operation is on its way.
  wire        idle;
  /* verilator lint_on UNUSEDSIGNAL */

  wire        w_ready, w_valid, w_in_game, w_open, w_close, record_valid;
  wire [1:0]  w_kind;
  wire [3:0]  w_code, record_addr;
  wire [10:0] w_index;
  wire [31:0] w_offset, record_data;
  generate
    if ((MODES & 1) != 0) begin : g_words
      wire        word_valid, word_ready;
      wire [10:0] word;
      ply11_unpack #(.WIDTH(WIDTH)) u_unpack (
        .clk(clk), .rst(rst), .skip_idle(1'b0),
        .s_valid(s_go && in_words), .s_ready(w_ready), .s_data(s_data),
        .m_valid(word_valid), .m_ready(word_ready), .m_data(word)
      );
      ply11_words #(.DEPTH(DEPTH)) u_words (
        .clk(clk), .rst(rst),
        .s_valid(word_valid), .s_ready(word_ready), .s_data(word),
        .m_valid(w_valid), .m_ready(op_ready && in_words), .m_kind(w_kind), .m_code(w_code),
        .m_index(w_index), .m_offset(w_offset), .in_game(w_in_game),
        .open(w_open), .close(w_close), .done(done),
        .load_valid(record_valid), .load_ready(record_ready), .load_addr(record_addr),
        .load_data(record_data)
      );
    end else begin : g_no_words
      assign {w_ready, w_valid, w_in_game, w_open, w_close, record_valid} = 6'd0;
      assign {w_kind, w_code, w_index, w_offset} = 49'd0;
      assign {record_addr, record_data} = 36'd0;
    end
  endgenerate

  wire        b_ready, b_valid, b_in_game, b_text_valid, b_text_last;
  wire [1:0]  b_kind;
  wire [3:0]  b_code;
  wire [10:0] b_index;
  wire [31:0] b_offset;
  generate
    if ((MODES & 2) != 0) begin : g_brenner
      /* verilator lint_off UNUSEDSIGNAL */
      wire [7:0]  text;
      /* verilator lint_on UNUSEDSIGNAL */
      ply11_brenner #(.LAYOUT(LAYOUT)) u_brenner (
        .clk(clk), .rst(rst),
        .s_valid(s_go && in_brenner), .s_ready(b_ready), .s_data(s_data[7:0]),
        .m_valid(b_valid), .m_ready(op_ready && in_brenner), .m_kind(b_kind), .m_code(b_code),
        .m_index(b_index), .m_offset(b_offset), .in_game(b_in_game),
        .text_valid(b_text_valid), .text_data(text), .text_last(b_text_last),
        .quiet(b_quiet), .load_clear(set_clear && in_brenner), .load_ready(b_load_ready), .load_valid(set_valid),
        .load_square(set_square), .load_piece(set_piece),
        .load_state(set_state && in_brenner), .load_side(load_data[0]), .load_ep(load_data[8:5]),
        .load_bad(set_bad)
      );
    end else begin : g_no_brenner
      assign {b_ready, b_valid, b_in_game, b_text_valid, b_text_last} = 5'd0;
      assign {b_quiet, b_load_ready} = 2'b11;
      assign {b_kind, b_code, b_index, b_offset} = 49'd0;
    end
  endgenerate

  wire        j_ready, j_valid, j_in_game, j_text_valid, j_text_last, j_open, j_close;
  wire [1:0]  j_kind;
  wire [2:0]  j_text_kind;
  wire [3:0]  j_code;
  wire [10:0] j_index;
  wire [31:0] j_offset;
  generate
    if ((MODES & 4) != 0) begin : g_jose
      /* verilator lint_off UNUSEDSIGNAL */
      wire [7:0]  text;
      /* verilator lint_on UNUSEDSIGNAL */
      ply11_jose #(.DIALECT(DIALECT), .DEPTH(DEPTH)) u_jose (
        .clk(clk), .rst(rst),
        .s_valid(s_go && in_jose), .s_ready(j_ready), .s_data(s_data[7:0]),
        .m_valid(j_valid), .m_ready(op_ready && in_jose), .m_kind(j_kind), .m_code(j_code),
        .m_index(j_index), .m_offset(j_offset), .in_game(j_in_game),
        .text_valid(j_text_valid), .text_data(text), .text_last(j_text_last),
        .text_kind(j_text_kind),
        .open(j_open), .close(j_close), .done(done),
        .quiet(j_quiet), .load_clear(set_clear), .load_valid(set_valid),
        .load_square(set_square), .load_piece(set_piece),
        .load_state(set_state && in_jose), .load_side(load_data[0]), .load_ep(load_data[8:5]),
        .load_bad(set_bad)
      );
    end else begin : g_no_jose
      assign {j_ready, j_valid, j_in_game, j_text_valid, j_text_last, j_open, j_close} = 7'd0;
      assign j_quiet = 1'b1;
      assign j_text_kind = 3'd0;
      assign {j_kind, j_code, j_index, j_offset} = 49'd0;
    end
  endgenerate

  wire        c_ready, c_valid, c_in_game, c_open, c_close, c_quiet;
  wire [1:0]  c_kind;
  wire [3:0]  c_code;
  wire [10:0] c_index;
  wire [31:0] c_offset;
  generate
    if ((MODES & 8) != 0) begin : g_chessbase
      ply11_cbf #(.DEPTH(DEPTH)) u_cbf (
        .clk(clk), .rst(rst), .numbering(numbering),
        .s_valid(s_go && in_chessbase), .s_ready(c_ready), .s_data(s_data[7:0]),
        .m_valid(c_valid), .m_ready(op_ready && in_chessbase), .m_kind(c_kind), .m_code(c_code),
        .m_index(c_index), .m_offset(c_offset), .in_game(c_in_game),
        .idle(idle), .board(board), .side(side),
        .open(c_open), .close(c_close), .done(done),
        .quiet(c_quiet), .load_state(set_state && in_chessbase), .load_ep(load_data[8:5]), .load_bad(set_bad)
      );
    end else begin : g_no_chessbase
      /* verilator lint_off UNUSEDSIGNAL */
      wire unused = numbering;
      /* verilator lint_on UNUSEDSIGNAL */
      assign {c_ready, c_valid, c_in_game, c_open, c_close} = 5'd0;
      assign c_quiet = 1'b1;
      assign {c_kind, c_code, c_index, c_offset} = 49'd0;
    end
  endgenerate

  // A text's data is the byte that is taken; jose's program dialect has none.
  assign text_valid = (in_brenner && b_text_valid) || (in_jose && j_text_valid);
  assign text_last = in_jose ? j_text_last : b_text_last;
  assign text_kind = in_jose ? j_text_kind : 3'd0;
  assign text_data = (MODES & 6) == 0 || (in_jose && DIALECT != 0) ? 8'd0 : s_data[7:0];

  assign s_ready = !hold && ((in_words && w_ready) || (in_brenner && b_ready) || (in_jose && j_ready)
                             || (in_chessbase && c_ready));
  assign in_game = (in_words && w_in_game) || (in_brenner && b_in_game) || (in_jose && j_in_game)
                   || (in_chessbase && c_in_game);
  assign open = (in_words && w_open) || (in_jose && j_open) || (in_chessbase && c_open);
  assign close = (in_words && w_close) || (in_jose && j_close) || (in_chessbase && c_close);
  wire        op_valid = (in_words && w_valid) || (in_brenner && b_valid) || (in_jose && j_valid)
                         || (in_chessbase && c_valid);
  wire [1:0]  op_kind;
  wire [46:0] op_tag;
  assign {op_kind, op_tag} = in_jose ? {j_kind, j_code, j_index, j_offset}
                             : in_brenner ? {b_kind, b_code, b_index, b_offset}
                             : in_chessbase ? {c_kind, c_code, c_index, c_offset}
                             : {w_kind, w_code, w_index, w_offset};

  // ---- a start position from outside ----
  wire        board_load_ready;
  generate
    if ((MODES & 14) != 0) begin : g_load
      wire        loads = (in_jose && (MODES & 4) != 0) || (in_brenner && (MODES & 2) != 0) || in_chessbase;
      reg         loading_q;
      reg         row_q;                  // a rank is being numbered
      reg  [2:0]  rank_q, file_q;
      reg  [31:0] pieces_q;
      reg         fault_q;
      reg  [1:0]  white_q, black_q;       // kings: {more, one}
      wire        accept = load_valid && load_ready;
      // Nothing of the game before is left, neither in the codec nor behind it.
      wire        quiet = in_jose ? j_quiet : in_chessbase ? c_quiet : b_quiet;
      assign load_ready = loads && quiet && idle && board_load_ready && !row_q;
      assign hold = loads && !in_game && (loading_q || load_valid);
      assign set_clear = accept && load_addr == 4'd7;
      assign set_ready = !in_brenner || b_load_ready;
      assign set_valid = row_q && set_ready;
      assign set_square = {rank_q, file_q};
      assign set_piece = pieces_q[3:0];
      assign set_state = accept && load_addr == 4'd8;
      assign set_bad = fault_q || white_q != 2'd1 || black_q != 2'd1 || (load_data[8] && load_data[7:5] != 3'd0);
      always @(posedge clk) begin
        if (set_valid) begin
          pieces_q <= {4'd0, pieces_q[31:4]};
          file_q <= file_q + 3'd1;
          row_q <= file_q != 3'd7;
          if (set_piece[2:0] == 3'd7 || set_piece == 4'd8) fault_q <= 1'b1;
          if (set_piece == 4'd1) white_q <= {white_q[0] || white_q[1], 1'b1};
          if (set_piece == 4'd9) black_q <= {black_q[0] || black_q[1], 1'b1};
        end
        if (accept) begin
          loading_q <= !load_addr[3];
          row_q <= !load_addr[3];
          rank_q <= load_addr[2:0];
          file_q <= 3'd0;
          pieces_q <= load_data;
        end
        if (set_clear) begin
          fault_q <= 1'b0;
          {white_q, black_q} <= 4'd0;
        end
        if (rst) begin
          loading_q <= 1'b0;
          row_q <= 1'b0;
        end
      end
    end else begin : g_no_load
      /* verilator lint_off UNUSEDSIGNAL */
      wire unused = load_valid || idle || c_quiet;
      /* verilator lint_on UNUSEDSIGNAL */
      assign load_ready = 1'b0;
      assign hold = 1'b0;
      assign {set_clear, set_valid, set_ready, set_state, set_bad} = 5'd0;
      assign {set_square, set_piece} = 10'd0;
    end
  endgenerate

  // ---- from the codec to the board ----
  // A spare register for an operation that the board does not take at once: no path leads from the outputs
  // to the codec.
  reg         spare_valid_q;
  reg  [12:0] spare_q;
  wire        board_ready;
  wire        board_valid = op_valid || spare_valid_q;
  wire [12:0] board_op = spare_valid_q ? spare_q : {op_kind, op_tag[42:32]};
  assign op_ready = !spare_valid_q;
  always @(posedge clk) begin
    if (op_ready) spare_q <= {op_kind, op_tag[42:32]};
    spare_valid_q <= board_valid && !board_ready;
    if (rst) spare_valid_q <= 1'b0;
  end

  // What of an operation the output alone needs waits in a ring. Behind the outputs, of which o_tag is, there are at most ten of them,
  // with LEGAL 1 fifteen.
  localparam RING = 4;
  (* no_rw_check *)
  reg  [46:0] ring [0:(1<<RING)-1];
  reg  [46:0] o_tag;
  reg  [RING-1:0] put_q, get_q;     // the next one's, that of the operation that is or comes next at the outputs
  reg         o_valid;          // an operation is at the board's outputs
  wire        next_valid;
  wire        o_step;           // the outputs move on
  wire [RING-1:0] get = get_q + {3'd0, o_valid};
  always @(posedge clk) begin
    ring[put_q] <= op_tag;
    if (op_valid && op_ready) put_q <= put_q + 1'b1;
    if (o_step) begin
      get_q <= get;
      o_tag <= ring[get];
      o_valid <= next_valid;
    end
    if (rst) begin
      put_q <= {RING{1'b0}};
      get_q <= {RING{1'b0}};
      o_valid <= 1'b0;
    end
  end
  assign idle = put_q == get_q && !o_valid;

  // ---- the board ----
  // An operation is a beat's kind: END and ERROR change nothing.
  wire [1:0]  o_kind, next_kind;
  wire [2:0]  o_error;
  wire        hush;
  /* verilator lint_off UNUSEDSIGNAL */
  wire        o_user;
  /* verilator lint_on UNUSEDSIGNAL */

  // Who loads: variations, but not after an error, words' records, or from outside; never two at a time.
  reg         bad_q;            // there was an error in this game, before the operation at the outputs
  wire        stack_valid;
  wire [3:0]  stack_addr;
  wire [31:0] stack_data;
  wire        board_load = (stack_valid && !bad_q) || (record_valid && op_ready) || (load_valid && load_ready);
  wire [3:0]  board_addr = stack_valid ? stack_addr : record_valid ? record_addr : load_addr;
  wire [31:0] board_data = stack_valid ? stack_data : record_valid ? record_data : load_data;
  assign record_ready = board_load_ready && !stack_valid && op_ready;

  // A beat waits at the outputs; if it does, it leaves in this clock.
  wire         o_waits, o_leaves;
  wire         still;           // what was loaded last shows at the outputs
  // With LEGAL 1 the board knows all rules.
  generate
    if (LEGAL != 0) begin : g_legal
      ply11_referee #(.USER_WIDTH(1)) u_referee (
        .clk(clk), .rst(rst),
        .s_valid(board_valid), .s_ready(board_ready), .s_op(board_op[12:11]), .s_index(board_op[10:0]), .s_user(1'b0),
        .load_valid(board_load), .load_ready(board_load_ready), .load_addr(board_addr), .load_data(board_data),
        .settled(still), .next_valid(next_valid), .next_op(next_kind), .hush(hush),
        .m_valid(o_waits), .m_ready(o_leaves), .m_op(o_kind), .m_user(o_user), .m_error(o_error), .m_reason(m_reason),
        .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
        .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
      );
    end else begin : g_no_legal
      ply11_board #(.USER_WIDTH(1), .STOP(1)) u_board (
        .clk(clk), .rst(rst),
        .s_valid(board_valid), .s_ready(board_ready), .s_op(board_op[12:11]), .s_index(board_op[10:0]), .s_user(1'b0),
        .load_valid(board_load), .load_ready(board_load_ready), .load_addr(board_addr), .load_data(board_data),
        .next_valid(next_valid), .next_op(next_kind), .hush(hush),
        .m_valid(o_waits), .m_ready(o_leaves), .m_op(o_kind), .m_user(o_user), .m_error(o_error),
        .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
        .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
      );
      assign still = 1'b1;
      assign m_reason = 4'd0;
    end
  endgenerate
  assign o_step = !o_waits || o_leaves;

  // ---- check, mate and stalemate ----
  generate
    if (MATE != 0) begin : g_mate
      // ply11_moves reads the position of the beat that waits. The first that it gives tells all; the other moves come out
      // while the next position is read.
      wire        told, read, last, check, mate, stalemate;
      reg         read_q, known_q, valid_q, first_q, check_q, mate_q, stalemate_q;
      ply11_moves u_moves (
        .clk(clk), .rst(rst), .s_valid(o_waits && !read_q), .s_ready(read),
        .board(board), .side(side), .rights(rights), .ep(ep),
        /* verilator lint_off PINCONNECTEMPTY */
        .m_index(), .m_count(),
        /* verilator lint_on PINCONNECTEMPTY */
        .m_valid(told), .m_ready(1'b1), .m_last(last), .m_check(check), .m_mate(mate), .m_stalemate(stalemate)
      );
      always @(posedge clk) begin
        if (told) first_q <= last;
        if (told && first_q) begin
          known_q <= 1'b1;
          {check_q, mate_q, stalemate_q} <= {check, mate, stalemate};
        end
        if (read) read_q <= 1'b1;
        valid_q <= known_q && read_q;
        if (rst || (valid_q && m_ready)) {known_q, read_q, valid_q} <= 3'd0;
        if (rst) first_q <= 1'b1;
      end
      assign m_valid = valid_q;
      assign o_leaves = valid_q && m_ready;
      assign {m_check, m_mate, m_stalemate} = {check_q, mate_q, stalemate_q};
    end else begin : g_no_mate
      assign m_valid = o_waits;
      assign o_leaves = m_ready;
      assign {m_check, m_mate, m_stalemate} = 3'd0;
    end
  endgenerate

  // ---- what is shown ----
  wire        refused = o_kind == PLY && o_error != 3'd0;
  wire        bad = o_valid && (refused || o_kind == ERROR || o_kind == END) ? o_kind != END : bad_q;
  assign hush = next_kind == NEW || (bad && next_kind != END);
  always @(posedge clk) begin
    if (o_step) bad_q <= bad;
    if (rst) bad_q <= 1'b0;
  end

  assign m_kind   = refused ? ERROR : o_kind;
  assign m_index  = o_tag[42:32];
  assign m_result = o_tag[44:43] & {2{o_kind == END}};
  assign m_error  = refused ? {1'b0, o_error} : o_kind == ERROR ? o_tag[46:43] : 4'd0;
  assign m_offset = o_tag[31:0];

  // ---- variations ----
  generate
    if (DEPTH != 0) begin : g_stack
      wire [4:0] depth;
      ply11_stack #(.DEPTH(DEPTH)) u_stack (
        .clk(clk), .rst(rst), .open(open), .close(close), .done(done), .depth(depth),
        .idle(idle && still), .step(o_step),
        .ply_valid(o_valid && o_step && o_kind == PLY && o_error == 3'd0),
        .end_valid(o_valid && o_step && o_kind == END),
        .from(m_from), .to(m_to), .piece(m_piece), .captured(m_captured),
        .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
        .load_valid(stack_valid), .load_addr(stack_addr), .load_data(stack_data)
      );
      assign m_depth = depth & {5{o_kind != END}};
    end else begin : g_no_stack
      /* verilator lint_off UNUSEDSIGNAL */
      wire unused = open || close || idle || still;
      /* verilator lint_on UNUSEDSIGNAL */
      assign done = 1'b0;
      assign m_depth = 5'd0;
      assign stack_valid = 1'b0;
      assign {stack_addr, stack_data} = 36'd0;
    end
  endgenerate

endmodule

`resetall
