// SPDX-License-Identifier: Apache-2.0
// ply11_stack - variations for ply11_board: keeps positions in a small memory and puts them back.
//
// A variation replaces the ply before it. open keeps the position, and what takes back its last ply, on the next page of
// the memory, and loads the position before that ply into the board. close loads the position that was kept last.
// A codec holds open or close at 1 until done is 1, which is for one clock. Meanwhile it offers the board nothing.
// They begin when idle is 1, and take 15 clocks.
// The codec must ask for what makes sense. open at depth DEPTH, close at depth 0, and open without a ply before it
// load a position without meaning, and do no other harm.
//
// idle: no operation is in the board's pipeline and no beat waits. load_ready of the board is 1 then.
// step: the board's outputs may change at the end of this clock.
// ply_valid: the beat that leaves in this clock is a ply that was applied, or a null move (piece 0).
// end_valid: the beat is the end of a game. depth becomes 0.
//
// A ply is taken back by its squares and pieces. If a pawn took a pawn on the en passant file, and the square of a pawn
// that has just stepped twice there is empty now, it took en passant. This is right where an en passant file that is
// set has its pawn.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_stack #(
  // Positions that can be kept, 1..31.
  parameter DEPTH = 8
) (
  input  wire         clk,         // the clock; all ports belong to its rising edge
  input  wire         rst,         // synchronous reset, active high

  input  wire         open,        // 1: keep the position, load the one before its last ply; until done
  input  wire         close,       // 1: load the position kept last; until done
  output wire         done,        // 1 for a clock: it is on the board
  output wire [4:0]   depth,       // positions kept, 0..DEPTH

  // From the board and its user.
  input  wire         idle,        // 1: no operation is in the board's pipeline, and no beat waits
  input  wire         step,        // 1: the board's outputs may change at the end of this clock
  input  wire         ply_valid,   // 1: the beat that leaves in this clock is a ply that was applied
  input  wire         end_valid,   // 1: it is the end of a game
  input  wire [5:0]   from,        // m_from of the board
  input  wire [5:0]   to,          // m_to of the board
  input  wire [3:0]   piece,     // m_piece of the board
  input  wire [3:0]   captured,    // m_captured of the board
  input  wire [255:0] board,     // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         side,        // side to move: 0 White, 1 Black
  input  wire [3:0]   rights,      // castling rights {q, k, Q, K}
  input  wire [3:0]   ep,          // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  input  wire [15:0]  ply,         // plies played, modulo 65,536

  // To the load port of the board.
  output wire         load_valid,  // 1: a word for the board's load port
  output wire [3:0]   load_addr,   // 0..7 rank 1..8, 8 the state
  output wire [31:0]  load_data    // as load_data of ply11_board [from close, side, ply]
);

  generate
    if (DEPTH < 1 || DEPTH > 31) begin : g_check_depth
      ply11_stack_depth_is_1_to_31 u_check ();
    end
  endgenerate

  localparam PAGE = DEPTH > 16 ? 5 : DEPTH > 8 ? 4 : DEPTH > 4 ? 3 : DEPTH > 2 ? 2 : 1;

  // The last ply, and the rights and en passant file before it.
  reg  [5:0] from_q, to_q;
  reg  [3:0] piece_q, captured_q, rights_q, ep_q;
  // The state of the beat before the one that waits.
  reg  [3:0] shown_rights_q, shown_ep_q;

  reg  [4:0] depth_q;
  reg  [3:0] n_q;               // the step, 0 while nothing goes on
  wire       busy = n_q != 4'd0;
  wire       last = n_q == 4'd15;
  assign depth = depth_q;
  assign done = last;

  // Step 1 reads the rank from which the last ply came, 2..9 the ranks 0..7; what was read is used a
  // step later: 3..10 the ranks, 11 the state, 12 the last ply.
  wire [3:0] at = n_q - 4'd3;
  wire       rank_step = busy && !at[3];
  wire       state_step = at == 4'd8;
  wire       ply_step = at == 4'd9;
  wire [3:0] ahead = n_q - 4'd2;

  wire [31:0] ranks [0:7];
  genvar r;
  generate
    for (r = 0; r < 8; r = r + 1) begin : g_rank
      assign ranks[r] = board[32*r +: 32];
    end
  endgenerate
  wire [2:0]  rank = n_q == 4'd1 ? from_q[5:3] : ahead[2:0];
  reg  [31:0] rank_q;
  always @(posedge clk) rank_q <= ranks[rank];

  // Kinds of the last ply.
  wire       castled = piece_q[2:0] == 3'd1 && from_q[2:0] == 3'd4 && to_q[1:0] == 2'd2;
  wire       by_file = piece_q[2:0] == 3'd6 && captured_q[2:0] == 3'd6 && from_q[2:0] != to_q[2:0]
                       && ep_q == {1'b0, to_q[2:0]} + 4'd1
                       && from_q[5:3] == (piece_q[3] ? 3'd3 : 3'd4);
  wire [3:0] beside = rank_q[{to_q[2:0], 2'b00} +: 4];
  reg         passant_q;
  always @(posedge clk) if (n_q == 4'd2) passant_q <= by_file && beside == 4'd0;

  // The rank as it was before the last ply.
  wire        from_rank = piece_q[2:0] != 3'd0 && at[2:0] == from_q[5:3];
  wire        to_rank = piece_q[2:0] != 3'd0 && at[2:0] == to_q[5:3];
  wire [3:0]  corner = {piece_q[3], 3'd5};
  reg  [31:0] back;
  integer     f;
  always @* begin
    for (f = 0; f < 8; f = f + 1) begin
      back[4*f +: 4] = rank_q[4*f +: 4];
      if (to_rank && to_q[2:0] == f[2:0]) back[4*f +: 4] = passant_q ? 4'd0 : captured_q;
      if (from_rank && passant_q && to_q[2:0] == f[2:0]) back[4*f +: 4] = captured_q;
      if (from_rank && from_q[2:0] == f[2:0]) back[4*f +: 4] = piece_q;
      if (from_rank && castled) begin
        if (f == (to_q[2] ? 7 : 0)) back[4*f +: 4] = corner;
        if (f == (to_q[2] ? 5 : 3)) back[4*f +: 4] = 4'd0;
      end
    end
  end

  // ---- the memory ----
  reg  [31:0] pages [0:(16 << PAGE) - 1];
  reg  [31:0] page_q;
  wire [4:0]  below = depth_q - 5'd1;
  wire [31:0] keep = rank_step ? rank_q : state_step ? {7'd0, ply, ep, rights, side}
                     : {4'd0, from_q, to_q, piece_q, captured_q, rights_q, ep_q};
  always @(posedge clk) begin
    if (open && (rank_step || state_step || ply_step)) pages[{depth_q[PAGE-1:0], at}] <= keep;
    page_q <= pages[{below[PAGE-1:0], ahead}];
  end

  assign load_valid = rank_step || state_step;
  assign load_addr = at;
  assign load_data = close ? page_q : state_step ? {7'd0, ply - 16'd1, ep_q, rights_q, !side} : back;

  always @(posedge clk) begin
    if (step) {shown_rights_q, shown_ep_q} <= {rights, ep};
    if (ply_valid) begin
      {from_q, to_q, piece_q, captured_q} <= {from, to, piece, captured};
      {rights_q, ep_q} <= {shown_rights_q, shown_ep_q};
    end
    if (close && ply_step) {from_q, to_q, piece_q, captured_q, rights_q, ep_q} <= page_q[27:0];
    // Before the first ply there is nothing to take back.
    if (rst) {piece_q, captured_q, rights_q, ep_q} <= 16'd0;
  end

  always @(posedge clk) begin
    if (busy || ((open || close) && idle)) n_q <= n_q + 4'd1;
    if (last) depth_q <= close ? below : depth_q + 5'd1;
    if (end_valid) depth_q <= 5'd0;
    if (rst) begin
      n_q <= 4'd0;
      depth_q <= 5'd0;
    end
  end

endmodule

`resetall
