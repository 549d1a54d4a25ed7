// SPDX-License-Identifier: Apache-2.0
// ply11_referee - a board that knows all rules: ply11_board with ply11_legal behind it. It has the ports of ply11_board, and
// m_reason.
// Files: those of ply11_referee.f.
// Operations, beats and the position are as ply11_board with STOP 1 has them, but a move that is not legal is not applied: its
// m_error is 7, and m_reason says why. It is 7 with m_reason 0 for what follows a refused move, up to the next NEW.
//   m_reason  0, or the first of these that holds:
//     1  a piece stands between from and to
//     2  castling: no rook of one's own stood in the corner
//     3  castling out of check      4  castling through check      5  castling into check
//     6  en passant: no pawn stood beside that can have stepped twice
//     7  en passant: the king is in check after it
//     8  the king is in check after any other move
// Null moves are not judged. A position that was loaded may have rights or an en passant file without their pieces: reasons 2 and 6
// say so when a move uses them.
// Loading: as into ply11_board, but load_ready is 1 only while no operation is on its way. settled is 1 when the outputs
// show what was loaded last.
//
// Throughput: an operation a clock; castling takes two clocks more.
// Latency: an operation that is accepted in clock t is offered in clock t + 15, castling in t + 17.
// Handshake: s_ready is combinational from m_ready. m_valid and all outputs are registers. They do not change while m_valid
// is 1 and m_ready is 0. A beat is left out if hush is 1 in the clock in which next_valid is 1 and the outputs move on.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_referee #(
  // Bits of the tag that travels with an operation, 1 or more.
  parameter USER_WIDTH = 1
) (
  input  wire                  clk,          // the clock; all ports belong to its rising edge
  input  wire                  rst,          // synchronous reset, active high

  input  wire                  s_valid,      // 1: an operation is offered
  output wire                  s_ready,      // 1: the operation is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [1:0]            s_op,         // 0 MOVE, 1 NEW, 2 PASS, 3 as PASS
  input  wire [10:0]           s_index,      // of MOVE: the index of a move, or 1972, the null move
  input  wire [USER_WIDTH-1:0] s_user,       // tag: comes out with the beat of this operation

  input  wire                  load_valid,   // 1: a word of a position is offered
  output wire                  load_ready,   // 1: the word is taken in this clock if load_valid is 1 [from m_ready]
  input  wire [3:0]            load_addr,    // 0..7 rank 1..8, 8 the state
  input  wire [31:0]           load_data,  // rank: the piece on file f at 4*f +: 4; state: {ply, ep, rights, side}
  output wire                  settled,      // 1: the outputs show what was loaded last

  output wire                  next_valid,   // 1: an operation is in the stage before the outputs
  output wire [1:0]            next_op,      // with next_valid: which
  input  wire                  hush,         // 1: it gives no beat

  output wire                  m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire                  m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output wire [1:0]            m_op,         // s_op of the operation
  output wire [USER_WIDTH-1:0] m_user,       // its s_user
  output wire [2:0]            m_error,      // 0 none, 1..6 as ply11_board, 7 not legal, or after a move that was refused
  output wire [3:0]            m_reason,     // why it is not legal, 1..8; else 0
  output wire [5:0]            m_from,       // of a move: square, 0 a1 .. 63 h8
  output wire [5:0]            m_to,         // of a move: square, 0 a1 .. 63 h8
  output wire [2:0]            m_promotion,  // of a move: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output wire [3:0]            m_piece,    // of an applied move: the piece as it stood on m_from
  output wire [3:0]            m_captured,   // of an applied move: what it took, or 0

  output wire [255:0]          board,      // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  output wire                  side,         // side to move: 0 White, 1 Black
  output wire [3:0]            rights,       // castling rights {q, k, Q, K}
  output wire [3:0]            ep,           // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  output wire [15:0]           ply           // plies that were applied, modulo 65,536
);

  // What the board shows.
  wire                  b_valid, b_ready, b_next, b_load_ready, b_side;
  wire [1:0]            b_op;
  wire [USER_WIDTH-1:0] b_user;
  wire [2:0]            b_error, b_promotion;
  wire [5:0]            b_from, b_to;
  wire [3:0]            b_piece, b_captured, b_rights, b_ep;
  wire [15:0]           b_ply;
  wire [255:0]          b_board;
  ply11_board #(.USER_WIDTH(USER_WIDTH), .STOP(1)) u_board (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_user),
    .load_valid(load_valid && load_ready), .load_ready(b_load_ready), .load_addr(load_addr), .load_data(load_data),
    /* verilator lint_off PINCONNECTEMPTY */
    .next_op(),
    /* verilator lint_on PINCONNECTEMPTY */
    .next_valid(b_next), .hush(1'b0),
    .m_valid(b_valid), .m_ready(b_ready), .m_op(b_op), .m_user(b_user), .m_error(b_error),
    .m_from(b_from), .m_to(b_to), .m_promotion(b_promotion), .m_piece(b_piece), .m_captured(b_captured),
    .board(b_board), .side(b_side), .rights(b_rights), .ep(b_ep), .ply(b_ply)
  );

  ply11_legal #(.USER_WIDTH(USER_WIDTH)) u_legal (
    .clk(clk), .rst(rst),
    .s_valid(b_valid), .s_ready(b_ready), .s_op(b_op), .s_user(b_user), .s_error(b_error),
    .s_from(b_from), .s_to(b_to), .s_promotion(b_promotion), .s_piece(b_piece), .s_captured(b_captured),
    .board_next(b_next), .board_load_ready(b_load_ready), .load_ready(load_ready),
    .board(b_board), .side(b_side), .rights(b_rights), .ep(b_ep), .ply(b_ply),
    .next_valid(next_valid), .next_op(next_op), .hush(hush),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_board(board), .m_side(side), .m_rights(rights), .m_ep(ep), .m_ply(ply)
  );

  // A word that is loaded comes through both in nine clocks.
  reg  [3:0] settle_q;
  assign settled = settle_q == 4'd0;
  always @(posedge clk) begin
    if (!settled) settle_q <= settle_q - 4'd1;
    if (rst || (load_valid && load_ready)) settle_q <= 4'd9;
  end

endmodule

`resetall
