// SPDX-License-Identifier: Apache-2.0
// ply11_chessbase - a numbered move of ChessBase 1993 (CBF) to its index: the n-th that its generator makes in a position.
// Files: those of ply11_chessbase.f.
// A move byte of a CBF file, decrypted and without bit 7, is a number: it counts, from 1, the moves that ChessBase's move generator
// makes. The generator goes through the squares a1, a2 .. a8, b1 .. h8. For each piece of the side to move it makes his moves, in the
// order of his kind. It makes more moves than the rules allow: into check, castling without the right or through check, en
// passant by the file alone. So judge what comes out like a move from anywhere else (ply11_legal).
//
// Give s_number, with the position in board, side and ep. Hold the position until m_valid is 1. m_index is the move. m_none is 1 if
// there is none: the number is 0, or beyond the last move, or has no meaning in the numbering of CBASCII.
// ep is the file of the last long step of a pawn. Castling does not clear it; other moves do. m_ep is the file after the
// move: give it with the next number. With a start position, ep is the file of the record.
// cbascii 0 is the numbering of the format's description. 1 is that of a converter of 1993/94: if there is no en passant file, a
// pawn on the a-file and its own fifth rank takes one number more.
//
// Throughput and latency: a square a clock, and two clocks a step of a piece's list; about 120 clocks a move of a game.
// Handshake: s_ready, m_valid and what is beside it come from registers alone; a beat stays until m_ready is 1.
//
// How: a clock reads the rank of the square that is looked at, the next one chooses its piece and counts. The square after it in
// the order is read ahead, for squares without a piece of the side to move.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_chessbase (
  input  wire         clk,       // the clock; all ports belong to its rising edge
  input  wire         rst,       // synchronous reset, active high

  input  wire         s_valid,   // 1: a number is offered
  output wire         s_ready,   // 1: the number is taken in this clock if s_valid is 1
  input  wire [6:0]   s_number,  // the number of the move, from 1
  input  wire         cbascii,   // numbering: 0 of the document, 1 of CBASCII; stays as board does
  input  wire [255:0] board,   // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         side,      // side to move: 0 White, 1 Black
  input  wire [3:0]   ep,        // 0 none, 1..8 the file of the last long step of a pawn, see above

  output wire         m_valid,   // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire         m_ready,   // 1: the beat is taken in this clock if m_valid is 1
  output wire         m_none,    // 1: no move has the number
  output wire [10:0]  m_index,   // without m_none: the index of the move
  output wire [3:0]   m_ep       // without m_none: ep after the move
);

  localparam [2:0] KING = 3'd1, QUEEN = 3'd2, KNIGHT = 3'd3, BISHOP = 3'd4, ROOK = 3'd5, PAWN = 3'd6;

  reg        run_q, done_q, none_q;
  reg  [6:0] left_q;        // the number, without those of the moves before
  reg  [2:0] file_q, rank_q;
  reg  [2:0] kind_q;      // of the piece on that square, whose moves are counted; 0: the square is still to be read
  reg  [3:0] step_q;        // the step of his list
  reg  [2:0] at_file_q, at_rank_q;  // how far a queen, rook or bishop has come
  reg  [2:0] to_file_q, to_rank_q, promotion_q;  // of the move that was found
  reg  [3:0] ep_q;
  reg        read_q;        // what follows is of the square that is looked at
  reg        on_q;          // it is on the board
  reg  [2:0] square_file_q, square_rank_q;

  assign s_ready = !run_q && !done_q;
  assign m_valid = done_q;
  assign m_none  = none_q;
  assign m_ep    = ep_q;

  wire       slides = kind_q == QUEEN || kind_q == ROOK || kind_q == BISHOP;
  wire       is_pawn = kind_q == PAWN;
  wire       is_king = kind_q == KING;

  // ---- the square that a step looks at ----
  // King: 0..7 around him, 8..10 f, g, h and 11..14 d, c, b, a of castling. Queen, bishop: 0..3 the oblique runs; queen,
  // rook: 4..7 the straight ones. Pawn: 0 and 2 ahead, 1 two ahead, 3 and 4 the captures, 5 en passant.
  wire       left_of = ep == {1'b0, file_q};  // the en passant file, from 1, is the one before
  reg  [3:0] df, dr;
  always @* begin
    df = 4'd0;
    dr = 4'd0;
    case (kind_q)
      KING: begin
        case (step_q)
          4'd0, 4'd1, 4'd2: df = 4'hf;
          4'd3, 4'd4: df = 4'd0;
          4'd8: df = 4'd1;
          4'd9: df = 4'd2;
          4'd10: df = 4'd3;
          4'd11: df = 4'hf;
          4'd12: df = 4'he;
          4'd13: df = 4'hd;
          4'd14: df = 4'hc;
          default: df = 4'd1;
        endcase
        case (step_q)
          4'd0, 4'd3, 4'd5: dr = 4'hf;
          4'd2, 4'd4, 4'd7: dr = 4'd1;
          default: dr = 4'd0;
        endcase
      end
      KNIGHT: begin
        df = step_q[2] ? (step_q[1] ? 4'd1 : 4'hf) : step_q[1] ? 4'd2 : 4'he;
        dr = step_q[2] ? (step_q[0] ? 4'd2 : 4'he) : step_q[0] ? 4'd1 : 4'hf;
      end
      PAWN: begin
        df = step_q == 4'd3 || (step_q == 4'd5 && left_of) ? 4'hf : step_q == 4'd4 || step_q == 4'd5 ? 4'd1 : 4'd0;
        dr = step_q == 4'd1 ? (side ? 4'he : 4'd2) : side ? 4'hf : 4'd1;
      end
      default:
        case (step_q[2:0])
          3'd0: {df, dr} = 8'hff;
          3'd1: {df, dr} = 8'h1f;
          3'd2: {df, dr} = 8'h11;
          3'd3: {df, dr} = 8'hf1;
          3'd4: {df, dr} = 8'hf0;
          3'd5: {df, dr} = 8'h0f;
          3'd6: {df, dr} = 8'h10;
          default: {df, dr} = 8'h01;
        endcase
    endcase
  end
  wire [3:0] tf = {1'b0, slides ? at_file_q : file_q} + df;
  wire [3:0] tr = {1'b0, slides ? at_rank_q : rank_q} + dr;
  wire       scan = kind_q == 3'd0;
  wire       look = run_q && read_q;
  wire [5:0] after = {file_q, rank_q} + 6'd1;
  wire [5:0] square = !scan ? {tf[2:0], tr[2:0]} : read_q ? after : {file_q, rank_q};
  wire [31:0] ranks [0:7];
  genvar     r;
  generate
    for (r = 0; r < 8; r = r + 1) begin : g_rank
      assign ranks[r] = board[32*r +: 32];
    end
  endgenerate
`ifdef FORMAL
  // The rules hold whatever stands on a square, in each clock anew.
  (* anyseq *) wire [3:0] piece;
`else
  reg  [31:0] pieces_q;     // of the square's rank
  always @(posedge clk) pieces_q <= ranks[square[2:0]];
  wire [3:0] piece = pieces_q[{square_file_q, 2'b00} +: 4];
`endif
  always @(posedge clk) begin
    {square_file_q, square_rank_q} <= square;
    on_q <= !tf[3] && !tr[3];
  end
  wire       on = on_q;
  wire       none = piece == 4'd0;
  wire       own = !none && piece[3] == side;
  wire       enemy = !none && piece[3] != side;

  // ---- what the step counts, and what comes after it ----
  wire       home = rank_q == (side ? 3'd6 : 3'd1);      // of a pawn
  wire       fifth = rank_q == (side ? 3'd3 : 3'd4);
  wire       promotes = is_pawn && rank_q == (side ? 3'd1 : 3'd6) && step_q != 4'd1;
  wire       at_home = file_q == 3'd4 && rank_q == (side ? 3'd7 : 3'd0);  // of a king
  wire       castles = is_king && step_q[3];
  wire       rook = own && piece[2:0] == ROOK;
  wire       beside = ep != 4'd0 && (left_of || ep == {1'b0, file_q} + 4'd2);
  wire       phantom = ep == 4'd0 && file_q == 3'd0 && cbascii;
  reg        counts;        // a move, or four promotions
  reg        ends;          // the list ends
  reg  [3:0] next;
  always @* begin
    counts = on && !own;
    ends = 1'b0;
    next = step_q + 4'd1;
    if (slides) begin
      if (on && none) next = step_q;
      else ends = step_q[1:0] == 2'd3 && (step_q[2] || kind_q == BISHOP);
    end else if (is_pawn)
      case (step_q)
        4'd0: begin
          counts = 1'b0;
          next = !(on && none) ? 4'd3 : home ? 4'd1 : 4'd2;
        end
        4'd1: counts = on && none;
        4'd2: counts = 1'b1;
        4'd3: counts = on && enemy;
        4'd4: begin
          counts = on && enemy;
          ends = !fifth;
        end
        default: begin
          counts = beside || phantom;
          ends = 1'b1;
        end
      endcase
    else if (castles)
      case (step_q)
        4'd8, 4'd9: begin
          counts = 1'b0;
          if (!none) next = 4'd11;
        end
        4'd10: counts = rook;
        4'd14: begin
          counts = rook;
          ends = 1'b1;
        end
        default: begin
          counts = 1'b0;
          ends = !none;
        end
      endcase
    else ends = step_q == 4'd7 && !(is_king && at_home);
  end
  wire       found = !scan && counts && (promotes ? left_q[6:2] == 5'd0 || left_q == 7'd4 : left_q == 7'd1);

  // The list of the piece who stands on a square that is read.
  wire       begins = own && piece[2:0] != 3'd7;
  wire       square_ends = scan ? !begins : ends;

  always @(posedge clk) begin
    if (m_ready) done_q <= 1'b0;
    read_q <= run_q && !(look && (begins || !scan));
    if (look) begin
      if (scan && begins) begin
        kind_q <= piece[2:0];
        step_q <= piece[2:0] == ROOK ? 4'd4 : 4'd0;
        at_file_q <= file_q;
        at_rank_q <= rank_q;
      end
      if (!scan) begin
        step_q <= next;
        at_file_q <= next == step_q ? square_file_q : file_q;
        at_rank_q <= next == step_q ? square_rank_q : rank_q;
        if (counts) left_q <= left_q - (promotes ? 7'd4 : 7'd1);
      end
      // Castling ends on the g-file or the c-file.
      to_file_q <= castles ? (step_q == 4'd10 ? 3'd6 : 3'd2) : square_file_q;
      to_rank_q <= square_rank_q;
      ep_q <= castles ? ep : is_pawn && step_q == 4'd1 ? {1'b0, file_q} + 4'd1 : 4'd0;
      // =Q, =R, =B, =N are 7, 6, 5, 4.
      promotion_q <= promotes ? 3'd0 - left_q[2:0] : 3'd0;
      if (found) begin
        run_q <= 1'b0;
        done_q <= 1'b1;
        none_q <= is_pawn && step_q == 4'd5 && phantom;
      end else if (square_ends) begin
        kind_q <= 3'd0;
        {file_q, rank_q} <= after;
        if ({file_q, rank_q} == 6'd63) begin
          run_q <= 1'b0;
          done_q <= 1'b1;
          none_q <= 1'b1;
        end
      end
    end
    if (s_valid && s_ready) begin
      run_q <= s_number != 7'd0;
      done_q <= s_number == 7'd0;
      none_q <= 1'b1;
      left_q <= s_number;
      {file_q, rank_q} <= 6'd0;
      kind_q <= 3'd0;
    end
    if (rst) begin
      run_q <= 1'b0;
      done_q <= 1'b0;
    end
  end

  /* verilator lint_off PINCONNECTEMPTY */
  ply11_encode u_encode (
    .from({rank_q, file_q}), .to({to_rank_q, to_file_q}), .promotion(promotion_q), .index(m_index), .is_move()
  );
  /* verilator lint_on PINCONNECTEMPTY */

`ifdef FORMAL
  // 1. What is offered stays until it is taken.
  // 2. Nothing is counted while a beat waits.
  // 3. Of the number there is always something left to count.
  reg        f_started, f_stall;
  reg [11:0] f_beat;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_beat <= {m_none, m_index};
    if (f_started) begin
      if (f_stall) a_1: assert (m_valid && {m_none, m_index} == f_beat);
      a_2: assert (!(run_q && done_q));
      if (run_q) a_3: assert (left_q != 7'd0);
    end
  end
`endif

endmodule

`resetall
