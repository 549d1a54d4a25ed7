// SPDX-License-Identifier: Apache-2.0
// ply11_moves - the legal moves of a position, as a stream of indices.
// Files: those of ply11_moves.f.
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
// 255 pieces with moves wait in a FIFO (three block RAMs on an iCE40). A position begins when less than half
// of it is full. docs/measurements.md has how many clocks a position takes, as measured.
//
// How it works: ply11_moves_find reads the position, and asks ply11_star for the rays of each piece. What it finds goes into
// the FIFO, which stands here, a row of eight squares for each axis. ply11_moves_emit takes it out, keeps in check
// only the squares that end the check, and makes the indices.
//   The position is turned so that the side to move goes up. A decoder reads a row a clock into three planes (see
// ply11_star), and a fourth of the squares that an enemy's knight, pawn or king attacks. Then ply11_star is asked, a
// square a clock:
//   the king, rays forward and rays backward: checks, the squares between, and the king's steps
//   if a knight or a pawn gives check, five rows around the king: which piece it is
//   if there is an en passant file, the pawn to be taken
//   each piece: where he goes. If one of his rays meets his own king, and the other ray of the line an enemy
//     who moves along it, he is pinned and keeps that line alone. A knight asks twice more, for his leaps.
//   each square that the king steps on or castles over: whether an enemy attacks it
//
// An entry of the FIFO:
//   bits   what
//   31:0   squares, 8*axis + number, as reach of ply11_star has them; of the king's step the square he leaves, in 5:0
//   37:32  square of the piece, 8*row + file; of the king's step the square he goes to; of KNIGHT the king's file, and the row
//          of squares
//   41:38  the axes that have squares; axis 0 for the king's step and the end
//   42     the side to move
//   45:43  kind: 0 LINES a piece's squares; 1 UP, 2 DOWN a knight's, in the row and file above or below; 3 KING the king's
//          step; 4 SLIDER who gives check along a line, with the squares between; 5 KNIGHT who gives check from a
//          square; 6 OVER the end of the position; 7 FREE a capture en passant
//   46     of LINES: a pawn promotes; of FREE: the pawn that is taken gives check
//   47     of the axes one is set
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves (
  input  wire         clk,         // the clock; all ports belong to its rising edge
  input  wire         rst,         // synchronous reset, active high

  input  wire         s_valid,     // 1: a position is offered; it stays until s_ready is 1
  output wire         s_ready,     // 1: the position was read; s_valid ends with this clock
  input  wire [255:0] board,     // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         side,        // side to move: 0 White, 1 Black
  input  wire [3:0]   rights,      // castling rights {q, k, Q, K}
  input  wire [3:0]   ep,          // en passant: 0 none, 1..8 the file of the pawn that stepped twice

  output wire         m_valid,     // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire         m_ready,     // 1: the beat is taken in this clock if m_valid is 1
  output wire [10:0]  m_index,     // the index of a legal move, or 2047 with m_last
  output wire         m_last,      // 1: the end of the position
  output wire [8:0]   m_count,     // legal moves before this beat, 0..218
  output wire         m_check,     // 1: the side to move is in check
  output wire         m_mate,      // with m_last: 1 if it is mate
  output wire         m_stalemate  // with m_last: 1 if it is stalemate
);

  // Entries that were found, and those that are to be emitted.
  wire        put;
  wire [47:0] put_entry;
  reg         room_q;                     // the FIFO has room for a position
  reg         late_q;                     // the clock after a reset
  wire        clear = rst || late_q;      // what was asked before a reset comes up to a clock after it
  ply11_moves_find u_find (
    .clk(clk), .rst(rst), .clear(clear),
    .s_valid(s_valid), .s_ready(s_ready), .board(board), .side(side), .rights(rights), .ep(ep), .room(room_q),
    .m_valid(put), .m_entry(put_entry)
  );

  // What is read in the clock in which it is written does not count.
  (* no_rw_check *)
  reg  [47:0] memory [0:255];
  reg  [47:0] fetch, entry;               // fetch stands behind the memory, whose words come late in their clock
  reg         fetch_valid, entry_valid;
  wire        entry_ready;
  reg  [7:0]  put_at_q, get_at_q;         // which entry is written next, and which is read next
  wire        entry_next = !entry_valid || entry_ready;
  wire        fetch_next = !fetch_valid || entry_next;
  wire        some = get_at_q != put_at_q;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [7:0]  used = put_at_q - get_at_q;
  /* verilator lint_on UNUSEDSIGNAL */
  always @(posedge clk) begin
    if (put) memory[put_at_q] <= put_entry;
    if (fetch_next) fetch <= memory[get_at_q];
    if (entry_next) entry <= fetch;
  end
  always @(posedge clk) begin
    late_q <= rst;
    if (put) put_at_q <= put_at_q + 8'd1;
    if (fetch_next && some) get_at_q <= get_at_q + 8'd1;
    if (fetch_next) fetch_valid <= some;
    if (entry_next) entry_valid <= fetch_valid;
    if (clear) begin
      put_at_q <= 8'd0;
      get_at_q <= 8'd0;
      fetch_valid <= 1'b0;
      entry_valid <= 1'b0;
    end
    room_q <= !used[7] || clear;
  end

  ply11_moves_emit u_emit (
    .clk(clk), .rst(rst),
    .s_valid(entry_valid), .s_ready(entry_ready), .s_entry(entry),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_last(m_last), .m_count(m_count), .m_check(m_check),
    .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

endmodule

`resetall
