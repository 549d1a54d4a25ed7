// SPDX-License-Identifier: Apache-2.0
// ply11_words - reads the word stream of docs/WORDS.md and gives operations for ply11_board.
//
// ply11_unpack makes these words from bytes. ply11_player has both modules, and the board.
// Throughput: one word a clock. The end of a game takes one clock more, for NEW. A start record takes ten clocks for
// each of its nine rows, and more while the board's pipeline still has operations.
// Latency: two clocks.
// Handshake: the m_ outputs are registers. They do not change while m_valid is 1 and m_ready is 0. s_ready is a
// register. A word that comes while the one before is held has a spare register.
//
// m_kind 0 PLY   m_index is a move or the null move. With DEPTH 0 only the main line has them.
//        1 NEW   the next game begins with the usual position. It comes after each END. It also comes before an
//                ERROR 9, because the rows of the record that is refused have gone to the board.
//        2 END   the result word. m_code: 0 0-1, 1 1/2-1/2, 2 1-0, 3 *.
//        3 ERROR m_code: 6 a reserved code; 7 out of place: a variation without a move before it or without
//                one in it, the end of a variation that did not begin, a result inside a variation, a start
//                record that is not at the front; 8 operand: a NAG above 255; 9 start position: a piece's code is
//                7, 8 or 15, a side does not have one king, or an en passant file is above 8; 10 a variation
//                inside DEPTH others; 11 a start position of Chess960, which the board does not know
// m_offset is the number, from 0, of the byte in which the word begins. With ERROR 9 it is that of the record's last
// word. After an ERROR, that game gives only its END. Texts, NAGs and start records are still stepped over, so that
// the next result word is found. A result inside a variation gives ERROR and then END.
// in_game is 1 from a game's first word to its result. If the stream ends meanwhile, it was cut.
//
// Texts and NAGs are stepped over. The module looks only for the errors above. It drops idle words.
// With DEPTH 0, variations are stepped over by their brackets, so the main line is played. More than 255 inside
// each other are an error 7.
// With DEPTH above 0, open asks for the position before the last ply on the board, and close for the position that was
// kept (see ply11_stack). Each stays 1 until done was 1 for a clock. Nothing is taken meanwhile.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_words #(
  // Variations inside each other that are played, 0..31.
  parameter DEPTH = 0
) (
  input  wire        clk,         // the clock; all ports belong to its rising edge
  input  wire        rst,         // synchronous reset, active high

  input  wire        s_valid,     // 1: a word is offered
  output wire        s_ready,     // 1: the word is taken in this clock if s_valid is 1
  input  wire [10:0] s_data,      // the word: a move or a control code

  output wire        m_valid,     // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,     // 1: the beat is taken in this clock if m_valid is 1
  output reg  [1:0]  m_kind,      // 0 PLY, 1 NEW, 2 END, 3 ERROR
  output reg  [3:0]  m_code,      // of END the result, 0 0-1, 1 1/2-1/2, 2 1-0, 3 *; of ERROR the code
  output reg  [10:0] m_index,     // of PLY: the index of the move, or 1972
  output wire [31:0] m_offset,    // number of the byte, from 0, in the stream

  output wire        in_game,     // 1: from the first word of a game to its result

  output wire        open,        // 1: asks for the position before the last ply; until done
  output wire        close,       // 1: asks for the position kept last; until done
  input  wire        done,        // 1: it is on the board

  // To the load port of ply11_board: rows 0..7, then the state.
  output wire        load_valid,  // 1: a word of a start position is offered
  input  wire        load_ready,  // 1: the board takes it in this clock
  output wire [3:0]  load_addr,   // 0..7 rank 1..8, 8 the state
  output wire [31:0] load_data    // as load_data of ply11_board
);

  generate
    if (DEPTH < 0 || DEPTH > 31) begin : g_check_depth
      ply11_words_depth_is_0_to_31 u_check ();
    end
  endgenerate

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  localparam [3:0] ERR_CODE = 4'd6, ERR_PLACE = 4'd7, ERR_OPERAND = 4'd8, ERR_START = 4'd9, ERR_DEPTH = 4'd10,
                   ERR_CHESS960 = 4'd11;
  // The control codes.  Those of the results are the first four.
  localparam [10:0] CODE_RESULT_BLACK_WINS = 11'd1968, CODE_NULL = 11'd1972, CODE_VARIATION_START = 11'd1973,
                    CODE_VARIATION_END = 11'd1974, CODE_TEXT = 11'd1975, CODE_NAG = 11'd1976, CODE_START = 11'd2008, CODE_START_960 = 11'd2009,
                    CODE_IDLE = 11'd2047;
  // A text as long as a start position of Chess960, which is stepped over as a text.
  localparam [10:0] BYTES_960 = 11'd38;
  // What the next word is.
  localparam [2:0] CODE = 3'd0, LENGTH = 3'd1, TEXT = 3'd2, NAG = 3'd3, START = 3'd4;
  // Open variations before the one that is the last.
  localparam [7:0] DEEP = DEPTH != 0 ? DEPTH[7:0] - 8'd1 : 8'd254;

  reg        valid_q;
  reg  [2:0] state_q;
  reg        open_q;          // words are taken: nothing of the following five, nor a start record
  reg        renew_q;         // a NEW is due
  reg        ending_q;        // an END is due, then a NEW
  reg        refuse_q;        // an ERROR 9 is due: its NEW is at the output
  reg  [1:0] var_q;           // a bracket is followed: bit 0 open, bit 1 close
  reg  [1:0] result_q;
  reg        front_q;         // no word of this game yet
  reg        skip_q;          // after an error, until the result
  reg        has_move_q;      // a move in this line
  reg  [7:0] nest_q;          // open variations
  reg        nested_q;        // nest_q != 0
  reg        deep_q;          // nest_q is as great as it may become
  reg [34:0] bit_q;           // of the last word that was taken, in the stream

  wire en = !valid_q || m_ready;
  assign m_valid = valid_q;
  assign m_offset = bit_q[34:3];
  assign in_game = !front_q;
  assign open = var_q[0] && !valid_q;
  assign close = var_q[1] && !valid_q;

  // ---- the word and its class; a spare register for what comes while it waits ----
  reg        spare_valid_q, held_q, fresh_q;     // fresh: held and not idle
  reg [10:0] spare_q, word_q;
  reg        is_move, is_result, is_open, is_close, is_text, is_nag, is_start, is_960, is_reserved;
  assign     s_ready = !spare_valid_q;

  reg        reading_q;                          // a record, that is not at the end of a row
  reg        chunk_last_q;                       // the word's last bits are read
  wire       take = fresh_q && open_q && en;
  wire       go = (open_q && en) || (reading_q && !valid_q && (chunk_last_q || !fresh_q));
  wire       space = !held_q || go;

  wire [10:0] word = spare_valid_q ? spare_q : s_data;
  wire        word_valid = spare_valid_q || s_valid;
  // The control codes, and the first sixteen of them.
  wire       top = &word[10:7];
  wire       high = top && (word[6] || (word[5] && word[4]));
  wire       low = top && word[6:4] == CODE_RESULT_BLACK_WINS[6:4];
  always @(posedge clk) begin
    if (!spare_valid_q) spare_q <= s_data;
    spare_valid_q <= word_valid && !space;
    if (space) begin
      held_q <= word_valid;
      fresh_q <= word_valid && word != CODE_IDLE;
      word_q <= word;
      is_move <= !high || (low && word[3:0] == CODE_NULL[3:0]);
      is_result <= low && word[3:2] == CODE_RESULT_BLACK_WINS[3:2];
      is_open <= low && word[3:0] == CODE_VARIATION_START[3:0];
      is_close <= low && word[3:0] == CODE_VARIATION_END[3:0];
      is_text <= low && word[3:0] == CODE_TEXT[3:0];
      is_nag <= low && word[3:0] == CODE_NAG[3:0];
      is_start <= word == CODE_START;
      is_960 <= word == CODE_START_960;
      is_reserved <= top && word[6:0] > CODE_START_960[6:0];
    end
    if (held_q && go) bit_q <= bit_q + 35'd11;
    if (rst) begin
      spare_valid_q <= 1'b0;
      held_q <= 1'b0;
      fresh_q <= 1'b0;
      bit_q <= -35'd11;
    end
  end

  // ---- texts ----
  // The bytes of the text; all ones less the bits that it has with the word after this one; and whether
  // this one is its last.
  reg  [10:0] length_q;
  reg  [13:0] spent_q;
  reg         text_last_q;
  wire        short = word_q[10:1] == 10'd0;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [11:0] left = {1'b0, length_q} + {1'b0, spent_q[13:3]};
  /* verilator lint_on UNUSEDSIGNAL */
  always @(posedge clk) begin
    if (take && state_q != TEXT) length_q <= state_q == LENGTH ? word_q : BYTES_960;
    if (take) begin
      spent_q <= spent_q - 14'd11;
      text_last_q <= state_q == TEXT ? !left[11] : short;
    end
    if (state_q != TEXT) spent_q <= ~14'd22;
  end

  // ---- the start record: four bits a clock to rows ----
  reg  [3:0]  at_q;           // of the four bits in window
  reg  [2:0]  before_q;       // the last bits of the word before
  reg  [2:0]  file_q;
  reg  [3:0]  row_q;
  reg         full_q;         // the row waits for the board
  reg         went_q;         // it went there
  reg  [31:0] pieces_q;
  reg         put_q;          // the last of them came in the clock before
  reg         fault_q;
  reg  [1:0]  white_q, black_q;  // kings, 0, 1, more
  /* verilator lint_off UNUSEDSIGNAL */
  wire [15:0] window = {2'd0, word_q, before_q};
  /* verilator lint_on UNUSEDSIGNAL */
  wire [3:0]  piece = window[at_q +: 4];
  wire [3:0]  put = pieces_q[31:28];
  wire        chunk = reading_q && fresh_q && !valid_q;
  // The state has nine bits.
  wire [3:0]  kept = !row_q[3] || file_q[2:1] == 2'd0 ? piece : {3'd0, file_q == 3'd2 && piece[0]};
  // Rows wait until every operation before them has left for the board; after an error they are dropped.
  assign load_valid = full_q && !valid_q && !skip_q;
  assign load_addr = row_q;
  assign load_data = pieces_q;
  wire        row_go = full_q && (skip_q || (!valid_q && load_ready));
  wire        ep_bad = pieces_q[8] && (|pieces_q[7:5]);
  wire        start_bad = fault_q || ep_bad || white_q != 2'd1 || black_q != 2'd1;
  wire        finish = went_q && row_q[3];

  always @(posedge clk) begin
    if (chunk) begin
      at_q <= chunk_last_q ? at_q - 4'd7 : at_q + 4'd4;
      // Eight chunks of the state, of which the last begins where the last word has two bits left.
      chunk_last_q <= !chunk_last_q && (at_q[3] || at_q[2:0] == 3'd3 || at_q[2:0] == 3'd5
                                        || at_q[2:0] == 3'd6 || (at_q[2:0] == 3'd4 && !row_q[3]));
      file_q <= file_q + 3'd1;
      pieces_q <= {kept, pieces_q[31:4]};
      before_q <= word_q[10:8];
    end
    put_q <= chunk;
    if (put_q && !row_q[3]) begin
      if (put[2:0] == 3'd7 || put == 4'd8) fault_q <= 1'b1;
      if (put == 4'd1) white_q <= {white_q[1] || white_q[0], 1'b1};
      if (put == 4'd9) black_q <= {black_q[1] || black_q[0], 1'b1};
    end
    full_q <= (full_q && !row_go) || (chunk && file_q == 3'd7);
    went_q <= row_go;
    if (chunk && file_q == 3'd7) reading_q <= 1'b0;
    if (went_q) begin
      reading_q <= !row_q[3];
      row_q <= row_q + 4'd1;
    end
    if (state_q != START) begin
      reading_q <= take && state_q == CODE && is_start;
      at_q <= 4'd3;
      chunk_last_q <= 1'b0;
      file_q <= 3'd0;
      row_q <= 4'd0;
      full_q <= 1'b0;
      fault_q <= 1'b0;
      white_q <= 2'd0;
      black_q <= 2'd0;
    end
    if (rst) begin
      reading_q <= 1'b0;
      full_q <= 1'b0;
      went_q <= 1'b0;
      row_q <= 4'd0;
    end
  end

  // ---- the grammar ----
  wire bad_place = (is_open && (!has_move_q || deep_q))
                   || (is_close && (!has_move_q || !nested_q))
                   || (is_result && nested_q) || (is_start && !front_q) || is_960;
  wire over = DEPTH != 0 && is_open && has_move_q;
  wire bad_nag = |word_q[10:8];
  // What the next word is once this one is taken. take is the slow part, so it is the enable of state_q and nothing else of it.
  reg  [2:0] next;
  always @* begin
    case (state_q)
      LENGTH:  next = short && !word_q[0] ? CODE : TEXT;
      TEXT:    next = text_last_q ? CODE : TEXT;
      NAG:     next = CODE;
      default: next = is_text ? LENGTH : is_nag ? NAG : is_start ? START : is_960 ? TEXT : CODE;
    endcase
  end
  wire refused = !skip_q && (bad_place || is_reserved);

  always @(posedge clk) begin
    if (en) begin
      valid_q <= renew_q || ending_q || refuse_q
                 || (take && state_q == CODE
                     && (is_result || refused || (is_move && !skip_q && (DEPTH != 0 || !nested_q))))
                 || (take && state_q == NAG && bad_nag && !skip_q)
                 || (finish && start_bad && !skip_q);
      m_kind <= renew_q || finish ? NEW : ending_q ? END
                : (state_q != CODE || refused || refuse_q) ? ERROR : is_move ? PLY : END;
      m_code <= ending_q ? {2'd0, result_q} : refuse_q ? ERR_START : state_q == NAG ? ERR_OPERAND
                : refused ? (is_reserved ? ERR_CODE : over ? ERR_DEPTH
                           : is_960 && front_q ? ERR_CHESS960 : ERR_PLACE) : {2'd0, word_q[1:0]};
      m_index <= word_q;
      renew_q <= ending_q;
      ending_q <= 1'b0;
      refuse_q <= finish && start_bad && !skip_q;
      if (renew_q || refuse_q) open_q <= 1'b1;
    end
    if (take) begin
      result_q <= word_q[1:0];
      front_q <= 1'b0;
    end
    if (take && state_q == CODE) begin
      nest_q <= nest_q + {{7{is_close}}, is_open || is_close};
      if (is_open || is_close) begin
        nested_q <= is_open || nest_q != 8'd1;
        deep_q <= is_open && nest_q == DEEP;
      end
      has_move_q <= is_move || is_close || (has_move_q && !is_open);
      if (bad_place || is_reserved) skip_q <= 1'b1;
      if (DEPTH != 0 && !skip_q && !bad_place && (is_open || is_close)) begin
        var_q <= {is_close, is_open};
        open_q <= 1'b0;
      end
      if (is_start || is_result) open_q <= 1'b0;
      // A result inside a variation is an error and ends the game all the same.
      if (is_result) begin
        ending_q <= refused;
        renew_q <= !refused;
        skip_q <= 1'b0;
        front_q <= 1'b1;
        has_move_q <= 1'b0;
        nest_q <= 8'd0;
        nested_q <= 1'b0;
        deep_q <= 1'b0;
      end
    end
    if (take) state_q <= next;
    if (take && state_q == NAG && bad_nag) skip_q <= 1'b1;
    if (done) begin
      var_q <= 2'd0;
      open_q <= 1'b1;
    end
    if (finish) begin
      state_q <= CODE;
      open_q <= !start_bad || skip_q;
      if (start_bad) skip_q <= 1'b1;
    end
    if (rst) begin
      valid_q <= 1'b0;
      state_q <= CODE;
      open_q <= 1'b1;
      renew_q <= 1'b0;
      ending_q <= 1'b0;
      refuse_q <= 1'b0;
      var_q <= 2'd0;
      front_q <= 1'b1;
      skip_q <= 1'b0;
      has_move_q <= 1'b0;
      nest_q <= 8'd0;
      nested_q <= 1'b0;
      deep_q <= 1'b0;
    end
  end

endmodule

`resetall
