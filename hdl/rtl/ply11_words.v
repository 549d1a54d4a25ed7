// SPDX-License-Identifier: Apache-2.0
// ply11_words - the grammar of the flat word stream (INDEX.md): words in, operations for
// ply11_board out.
//
// Throughput: a word a clock; one clock more after the end of each game (NEW); a start record waits
// until the board's pipeline has run dry, then takes nine clocks.  Latency: one clock.
// Handshake: m_ outputs are registers, unchanged while m_valid is 1 and m_ready 0; s_ready is
// combinational from m_ready (`en` = !m_valid || m_ready) and from the state, not from s_valid.
//
// m_kind 0 PLY   m_index is a move or the null move, of the main line with DEPTH 0
//        1 NEW   the next game begins with the usual position (after each END)
//        2 END   result word; m_code 0 0-1, 1 1/2-1/2, 2 1-0, 3 *
//        3 ERROR m_code 6 reserved code, 7 out of place (a variation without a move before it or
//                without one in it, its end without a beginning, a result inside one, a start record
//                not at the front), 8 operand (a NAG above 255), 9 start position (a man's code 7, 8
//                or 15, not one king a side, an en passant file above 8), 10 a variation inside
//                DEPTH others
// m_offset: number, from 0, of the byte in which the word begins; of the record's last word for 9.
// After an ERROR nothing but the END of that game comes out; texts, NAGs and start records are still
// stepped over, so that the next result word is found.  A result inside a variation gives ERROR and
// then END.  in_game is 1 from a game's first word to its result: a stream that ends with it is cut.
//
// Text (1975) and NAGs are stepped over, not examined except as said.  Idle words are dropped.
// DEPTH 0: variations are followed by their brackets and stepped over: the main line is what is played.
// More than 255 inside each other are an error 7.
// DEPTH above 0: open and close ask for the position before the last ply on the board, and for the position
// kept (see ply11_stack); each stays 1 until done was 1 for a clock, and nothing is taken meanwhile.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_words #(
  // Variations inside each other that are played, 0..31.
  parameter DEPTH = 0
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        s_valid,
  output wire        s_ready,
  input  wire [10:0] s_data,

  output wire        m_valid,
  input  wire        m_ready,
  output reg  [1:0]  m_kind,
  output reg  [3:0]  m_code,
  output reg  [10:0] m_index,
  output reg  [31:0] m_offset,

  output wire        in_game,

  output wire        open,
  output wire        close,
  input  wire        done,

  // To the load port of ply11_board: rows 0..7, then the state.
  output wire        load_valid,
  input  wire        load_ready,
  output wire [3:0]  load_addr,
  output wire [31:0] load_data
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  // What the next word is.
  localparam [2:0] CODE = 3'd0, LENGTH = 3'd1, TEXT = 3'd2, NAG = 3'd3, START = 3'd4;

  reg        valid_q;
  reg  [2:0] state_q;
  reg        renew_q;         // a NEW is due
  reg        ending_q;        // an END is due, then a NEW
  reg  [1:0] result_q;
  reg        front_q;         // no word of this game yet
  reg        skip_q;          // after an error, until the result
  reg        has_move_q;      // a move in this line
  reg  [7:0] nest_q;          // open variations
  reg        nested_q;        // nest_q != 0
  reg  [1:0] var_q;           // a bracket is followed: bit 0 open, bit 1 close
  reg [13:0] text_q;          // bits of text to come
  reg [34:0] bit_q;           // of the next word in the stream
  reg  [4:0] start_q;         // words of the record that came
  reg        drain_q;         // the record came, its rows go to the board

  wire en = !valid_q || m_ready;
  assign m_valid = valid_q;
  assign in_game = !front_q;
  assign open = var_q[0] && !valid_q;
  assign close = var_q[1] && !valid_q;

  wire       rows_ready;
  assign s_ready = en && !renew_q && !ending_q && !drain_q && var_q == 2'd0 && (state_q != START || rows_ready);
  wire       take = s_valid && s_ready;
  wire       idle = &s_data;

  // Classes of a code.
  wire       high    = (&s_data[10:8]) && s_data[7] && (s_data[6] || (s_data[5] && s_data[4]));
  wire [6:0] c       = s_data[6:0] - 7'd48;      // code - 1968, where high
  wire       is_move = !high || c == 7'd4;
  wire       is_result = high && c < 7'd4;
  wire       is_open = high && c == 7'd5;
  wire       is_close = high && c == 7'd6;
  wire       is_text = high && c == 7'd7;
  wire       is_nag  = high && c == 7'd8;
  wire       is_start = high && c == 7'd40;
  wire       is_reserved = high && c > 7'd40;

  wire code = take && !idle && state_q == CODE;
  wire full = DEPTH != 0 ? nest_q == DEPTH[7:0] : nest_q == 8'hff;
  wire over = DEPTH != 0 && is_open && has_move_q && full;
  wire bad_place = (is_open && (!has_move_q || full))
                   || (is_close && (!has_move_q || !nested_q))
                   || (is_result && nested_q) || (is_start && !front_q);
  wire bad_nag = take && !idle && state_q == NAG && (|s_data[10:8]);

  // The start record: eleven bits a word to rows.
  wire        row_valid;
  /* verilator lint_off UNUSEDSIGNAL */
  wire        row_last;
  /* verilator lint_on UNUSEDSIGNAL */
  wire [31:0] row_data;
  ply11_gearbox #(.IN(11), .OUT(32)) u_rows (
    .clk(clk), .rst(rst),
    .s_valid(take && !idle && state_q == START), .s_ready(rows_ready), .s_data(s_data),
    .s_last(start_q == 5'd25),
    .m_valid(row_valid), .m_ready(row_go), .m_data(row_data), .m_last(row_last)
  );
  reg  [3:0] row_q;
  reg        fault_q;
  reg  [1:0] white_q, black_q;  // kings, 0, 1, more
  // Rows wait until every operation before them has left for the board.
  assign load_valid = row_valid && !valid_q && !skip_q;
  assign load_addr = row_q;
  assign load_data = row_q[3] ? {23'd0, row_data[8:0]} : row_data;
  // A record after an error is dropped.
  wire   row_go = skip_q ? row_valid && en : load_valid && load_ready;

  // Faults of a row: bad codes, and its kings.
  function [4:0] examine(input [31:0] row);
    integer f;
    reg fault;
    reg [1:0] white, black;
    begin
      fault = 1'b0;
      white = 2'd0;
      black = 2'd0;
      for (f = 0; f < 8; f = f + 1) begin
        if (row[4*f +: 3] == 3'd7 || row[4*f +: 4] == 4'd8) fault = 1'b1;
        if (row[4*f +: 4] == 4'd1) white = {white[1] | white[0], 1'b1};
        if (row[4*f +: 4] == 4'd9) black = {black[1] | black[0], 1'b1};
      end
      examine = {fault, white, black};
    end
  endfunction
  wire [4:0] look = examine(row_data);
  wire       ep_bad = row_data[8] && (|row_data[7:5]);
  wire       start_bad = fault_q || ep_bad || white_q != 2'd1 || black_q != 2'd1;
  wire       finish = row_go && row_q[3];

  always @(posedge clk) begin
    if (row_go) begin
      row_q <= row_q[3] ? 4'd0 : row_q + 4'd1;
      fault_q <= !row_q[3] && (fault_q || look[4]);
      white_q <= row_q[3] ? 2'd0 : {white_q[1] | look[3] | (white_q[0] & look[2]), white_q[0] | look[2]};
      black_q <= row_q[3] ? 2'd0 : {black_q[1] | look[1] | (black_q[0] & look[0]), black_q[0] | look[0]};
    end
    if (rst) begin
      row_q <= 4'd0;
      fault_q <= 1'b0;
      white_q <= 2'd0;
      black_q <= 2'd0;
    end
  end

  always @(posedge clk) begin
    if (en) begin
      valid_q <= renew_q || ending_q || (code && !skip_q && ((is_move && (DEPTH != 0 || !nested_q)) || bad_place || is_reserved))
                 || (code && is_result) || (bad_nag && !skip_q) || (finish && start_bad && !skip_q);
      m_kind <= renew_q ? NEW : ending_q ? END : (finish || bad_nag || (!skip_q && (bad_place || is_reserved))) ? ERROR
                : is_move ? PLY : END;
      m_code <= ending_q ? {2'd0, result_q} : finish ? 4'd9 : bad_nag ? 4'd8 : (!skip_q && bad_place) ? (over ? 4'd10 : 4'd7) : is_reserved ? 4'd6 : {2'd0, c[1:0]};
      m_index <= s_data;
      // The END after an error has that of its word, as an error 9.
      if (!ending_q && !drain_q) m_offset <= bit_q[34:3];
      renew_q <= ending_q;
      ending_q <= 1'b0;
    end
    if (take) bit_q <= bit_q + 35'd11;
    if (take && !idle) begin
      front_q <= 1'b0;
      case (state_q)
        CODE: begin
          if (is_move) has_move_q <= 1'b1;
          if (is_open) begin
            nest_q <= nest_q + 8'd1;
            nested_q <= 1'b1;
            has_move_q <= 1'b0;
          end
          if (is_close) begin
            nest_q <= nest_q - 8'd1;
            nested_q <= nest_q != 8'd1;
            has_move_q <= 1'b1;
          end
          if (DEPTH != 0 && !skip_q && !bad_place) var_q <= {is_close, is_open};
          if ((bad_place && !is_result) || is_reserved) skip_q <= 1'b1;
          // A result inside a variation is an error and ends the game all the same.
          if (is_result) begin
            if (!skip_q && nested_q) ending_q <= 1'b1;
            else renew_q <= 1'b1;
            result_q <= c[1:0];
            skip_q <= 1'b0;
            front_q <= 1'b1;
            has_move_q <= 1'b0;
            nest_q <= 8'd0;
            nested_q <= 1'b0;
          end
          if (is_text) state_q <= LENGTH;
          if (is_nag) state_q <= NAG;
          if (is_start) state_q <= START;
        end
        LENGTH: begin
          text_q <= {s_data, 3'd0};
          state_q <= s_data == 11'd0 ? CODE : TEXT;
        end
        TEXT: begin
          text_q <= text_q - 14'd11;
          if (text_q <= 14'd11) state_q <= CODE;
        end
        NAG: begin
          if (|s_data[10:8]) skip_q <= 1'b1;
          state_q <= CODE;
        end
        default: begin
          start_q <= start_q == 5'd25 ? 5'd0 : start_q + 5'd1;
          if (start_q == 5'd25) begin
            state_q <= CODE;
            drain_q <= 1'b1;
          end
        end
      endcase
    end
    if (done) var_q <= 2'd0;
    if (finish) begin
      drain_q <= 1'b0;
      if (start_bad) skip_q <= 1'b1;
    end
    if (rst) begin
      valid_q <= 1'b0;
      state_q <= CODE;
      renew_q <= 1'b0;
      ending_q <= 1'b0;
      front_q <= 1'b1;
      skip_q <= 1'b0;
      has_move_q <= 1'b0;
      nest_q <= 8'd0;
      nested_q <= 1'b0;
      var_q <= 2'd0;
      bit_q <= 35'd0;
      start_q <= 5'd0;
      drain_q <= 1'b0;
    end
  end

endmodule

`resetall
