// SPDX-License-Identifier: Apache-2.0
// ply11_perft - counts the positions that legal moves reach, ply by ply, to a depth of up to DEPTH.
// Files: those of ply11_perft.f.
// Root: the position to count from. After rst it is the usual initial position. Another one is loaded as into ply11_board, and stays
// until the next is loaded. It must be one that package position takes, as for ply11_moves.
// Order in: s_depth, the number of plies. More than DEPTH counts as DEPTH.
// Counts out: one beat for each depth, from 0 to that of the order. m_count is the number of legal move sequences of
// m_depth plies. For depth 0 it is 1. m_last comes with the deepest. Counts are modulo 2^64.
// Handshake: a beat does not change while m_valid is 1 and m_ready is 0. s_ready is 1 from the last beat to the next order. Only
// then are orders and loads taken. A word that is loaded in the clock of the order counts for it.
// Jobs: what several perfts share. From a depth of 4 on, each position three plies before the last is a job. Before the walk goes into one, job_valid
// is 1 until job_ready is; with job_skip 1 the walk then leaves it out. All perfts with one root and one order come to the same jobs in the same
// order. A perft of its own has job_ready 1 and job_skip 0.
//
// Throughput: where the moves of the last ply are counted, a position takes 22 clocks, or as many as ply11_moves needs to read it
// and to write it out. docs/measurements.md says how many nodes that is a clock, as measured.
//
// How: ply11_moves gives the moves of a position, and ply11_board plays them. A stack keeps the moves of each position above the last
// ply, above a mark. A page of a memory keeps the position, without its ply. Then the top move is taken off, the page is loaded into
// the board, and the move is played. At the mark the ply is done, and the page before it has the position to go on from.
// A page takes nine clocks to write, from the one after the position is offered; ply11_moves ends no position before that.
// For the positions before the last ply, ply11_moves gives only the number of moves. These numbers come in order, so the walk goes
// on meanwhile: ply11_moves has a copy of the position, and the board gets its next position when ply11_moves has read this one.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft #(
  // Plies that can be counted, 2..10. Each but one takes 219 words of a stack and 16 of the memory of positions.
  parameter DEPTH = 10
) (
  input  wire        clk,         // the clock; all ports belong to its rising edge
  input  wire        rst,         // synchronous reset, active high

  input  wire        s_valid,     // 1: an order is offered; it stays until s_ready is 1
  output wire        s_ready,     // 1: the order is taken in this clock if s_valid is 1
  input  wire [3:0]  s_depth,     // plies to count, 0..DEPTH; more are as DEPTH

  input  wire        load_valid,  // 1: a word of the root is offered
  output wire        load_ready,  // 1: the word is taken in this clock if load_valid is 1
  input  wire [3:0]  load_addr,   // 0..7 rank 1..8, 8 the state, as load_addr of ply11_board
  input  wire [31:0] load_data,   // as load_data of ply11_board

  output wire        m_valid,     // 1: a count is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,     // 1: the count is taken in this clock if m_valid is 1
  output wire [3:0]  m_depth,     // plies, 0..DEPTH
  output wire [63:0] m_count,     // legal move sequences of that length, modulo 2^64
  output wire        m_last,      // 1: the deepest

  output wire        job_valid,   // 1: the next job is offered; it stays until job_ready is 1
  input  wire        job_ready,   // 1: the walk goes on
  input  wire        job_skip     // with job_ready: 1: the job is left out
);

  generate
    if (DEPTH < 2 || DEPTH > 10) begin : g_check_depth
      ply11_perft_depth_is_2_to_10 u_check ();
    end
  endgenerate

  localparam [3:0] DEEPEST = DEPTH[3:0];
  // Address bits: of a stack of lists of up to 218 moves and a mark, and of the pages.
  localparam STACK = DEPTH > 5 ? 11 : DEPTH > 3 ? 10 : DEPTH > 2 ? 9 : 8;
  localparam PAGE = DEPTH > 9 ? 4 : DEPTH > 5 ? 3 : DEPTH > 3 ? 2 : 1;
  localparam [10:0] MARK = 11'd2047;          // no move's index

  localparam [3:0] IDLE = 4'd0, CLEAR = 4'd1, ENTER = 4'd2, LIST = 4'd3, TOP = 4'd4, UP = 4'd5, SEEK = 4'd6, LOAD = 4'd7,
                   PLAY = 4'd8, DRAIN = 4'd9, READ = 4'd10, TELL = 4'd11;
  reg  [3:0]  state_q;
  reg  [3:0]  at_q;                           // a word of what is cleared, kept, loaded or told
  reg  [3:0]  depth_q;
  reg  [3:0]  level_q;                        // plies from the root to the position on the board
  reg  [PAGE-1:0] parent_q;                   // of the page that is loaded: one less
  reg         back_q;                         // the root is loaded, no move follows

  // ---- the board ----
  wire         board_load_ready, board_valid, side;
  wire [255:0] board;
  wire [3:0]   rights, ep;
  reg  [31:0]  page_q;
  reg  [10:0]  move_q;                        // the stack's top, and then the move that is played
  wire         loads = state_q == LOAD && at_q != 4'd0;
  wire         loaded = loads && at_q == 4'd9;
  assign s_ready = state_q == IDLE;
  assign load_ready = s_ready && board_load_ready;
  /* verilator lint_off PINCONNECTEMPTY */
  ply11_board u_board (
    .clk(clk), .rst(rst),
    .s_valid(loaded && !back_q), .s_ready(), .s_op(2'd0), .s_index(move_q), .s_user(1'b0),
    .load_valid(loads || (s_ready && load_valid)), .load_ready(board_load_ready),
    .load_addr(loads ? at_q - 4'd1 : load_addr), .load_data(loads ? page_q : load_data),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(board_valid), .m_ready(1'b1), .m_op(), .m_user(), .m_error(),
    .m_from(), .m_to(), .m_promotion(), .m_piece(), .m_captured(),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply()
  );

  // ---- its copy for ply11_moves ----
  reg          held_q;
  reg  [264:0] copy_q;
  wire         read, beat_valid, beat_last;
  wire [10:0]  beat_index;
  wire [8:0]   beat_count;
  reg          add_valid;                     // a count is being added
  ply11_moves u_moves (
    .clk(clk), .rst(rst),
    .s_valid(held_q), .s_ready(read), .board(copy_q[255:0]), .side(copy_q[256]), .rights(copy_q[260:257]), .ep(copy_q[264:261]),
    .m_valid(beat_valid), .m_ready(!add_valid), .m_index(beat_index), .m_last(beat_last), .m_count(beat_count),
    .m_check(), .m_mate(), .m_stalemate()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- the walk ----
  wire         enters = state_q == ENTER && (!held_q || read);
  reg          leaf_q;                        // the position on the board is one before the last ply
  // Positions before the last ply whose count is not out yet; each has an entry or more in the FIFO of ply11_moves.
  reg  [7:0]   waits_q;
  wire         counts = waits_q != 8'd0;
  wire         beat = beat_valid && !add_valid;
  wire         ends = beat && beat_last;
  wire         listed = ends && !counts;
  wire         lists = beat && !beat_last && !counts;
  wire         marks = enters && !leaf_q;

  reg  [STACK-1:0] used_q;                    // words of the stack
  reg  [10:0]  top_q;
  reg          at_mark_q;                     // move_q is a mark: compared as top_q comes, late in its clock
  assign job_valid = state_q == TOP && !at_mark_q && {1'b0, level_q} + 5'd3 == {1'b0, depth_q};
  wire         takes = state_q == TOP && (!job_valid || job_ready);

  always @(posedge clk) begin
    case (state_q)
      IDLE: begin
        at_q <= 4'd0;
        depth_q <= s_depth > DEEPEST ? DEEPEST : s_depth;
        level_q <= 4'd0;
        back_q <= 1'b0;
        if (s_valid) state_q <= CLEAR;
      end
      CLEAR: begin
        at_q <= at_q + 4'd1;
        leaf_q <= depth_q == 4'd1;
        if (at_q == 4'd15) state_q <= depth_q == 4'd0 ? DRAIN : ENTER;
      end
      ENTER: begin
        at_q <= 4'd0;
        if (enters) state_q <= !leaf_q ? LIST : level_q == 4'd0 ? DRAIN : TOP;
      end
      LIST: begin
        if (at_q != 4'd9) at_q <= at_q + 4'd1;
        if (listed) begin
          level_q <= level_q + 4'd1;
          state_q <= SEEK;
        end
      end
      TOP: begin
        at_q <= 4'd0;
        parent_q <= level_q[PAGE-1:0] - 1'b1;
        leaf_q <= level_q + 4'd1 == depth_q;
        if (takes) state_q <= job_valid && job_skip ? UP : LOAD;
        if (at_mark_q) begin
          // All below this position are done.
          if (level_q == 4'd1) back_q <= 1'b1;
          else begin
            level_q <= level_q - 4'd1;
            state_q <= UP;
          end
        end
      end
      UP: state_q <= SEEK;                    // the memory is read
      SEEK: state_q <= TOP;                   // and its word goes to move_q
      LOAD: begin
        at_q <= at_q + 4'd1;
        if (loaded) state_q <= back_q ? DRAIN : PLAY;
      end
      PLAY: if (board_valid) state_q <= ENTER;
      DRAIN: begin
        at_q <= 4'd0;
        if (!counts) state_q <= READ;
      end
      READ: state_q <= TELL;
      default: if (m_ready) begin
        at_q <= at_q + 4'd1;
        state_q <= m_last ? IDLE : READ;
      end
    endcase
    if (rst) state_q <= IDLE;
  end

  always @(posedge clk) begin
    if (enters) begin
      copy_q <= {ep, rights, side, board};
      held_q <= 1'b1;
    end else if (read) held_q <= 1'b0;
    waits_q <= waits_q + {7'd0, enters && leaf_q} - {7'd0, ends && counts};
    if (rst) begin
      held_q <= 1'b0;
      waits_q <= 8'd0;
    end
  end

  // ---- the memories ----
  // A word that is read and used is not written in the same clock.
  (* no_rw_check *)
  reg  [10:0] stack [0:(1 << STACK) - 1];
  always @(posedge clk) begin
    if (marks || lists) begin
      stack[used_q] <= marks ? MARK : beat_index;
      used_q <= used_q + 1'b1;
    end
    if (takes) used_q <= used_q - 1'b1;
    if (s_ready) used_q <= {STACK{1'b0}};
    top_q <= stack[used_q - 1'b1];
    if (state_q != LOAD) begin
      move_q <= top_q;
      at_mark_q <= top_q == MARK;
    end
  end

  (* no_rw_check *)
  reg  [31:0] pages [0:(16 << PAGE) - 1];
  wire [31:0] word = at_q[3] ? {23'd0, ep, rights, side} : board[{at_q[2:0], 5'd0} +: 32];
  always @(posedge clk) begin
    if (state_q == LIST && at_q != 4'd9) pages[{level_q[PAGE-1:0], at_q}] <= word;
    page_q <= pages[{parent_q, at_q}];
  end

  (* no_rw_check *)
  reg  [63:0] sums [0:15];
  reg  [63:0] sum_q;
  reg  [3:0]  add_at;
  reg  [8:0]  add_count;
  wire        clears = state_q == CLEAR;
  wire [3:0]  sum_at = state_q == READ || state_q == TELL ? at_q : counts ? depth_q : level_q + 4'd1;
  always @(posedge clk) begin
    add_valid <= ends;
    add_at <= sum_at;
    add_count <= beat_count;
    if (add_valid || clears) sums[clears ? at_q : add_at] <= clears ? {63'd0, at_q == 4'd0} : sum_q + {55'd0, add_count};
    sum_q <= sums[sum_at];
    if (rst) add_valid <= 1'b0;
  end

  assign m_valid = state_q == TELL;
  assign m_depth = at_q;
  assign m_count = sum_q;
  assign m_last = at_q == depth_q;

`ifdef FORMAL
  // For any board and any moves, as long as these keep to this (f_good): a position is read when one is offered, fewer than 255
  // are inside, and no beat comes when there is none.
  // 1. A count that is not taken waits unchanged.
  // 2. An order, then its counts: of depth 0, 1 and so on, the last at the order's depth; then the next order.
  // 3. What is waited for is what ply11_moves has.
  // 4. Nothing is added to a count that is told.
  reg         f_started, f_good, f_stall, f_walk;
  reg  [68:0] f_beat;
  reg  [3:0]  f_depth, f_next;
  reg  [7:0]  f_inside;
  wire        f_tells = state_q == READ || state_q == TELL;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_beat <= {m_depth, m_count, m_last};
    f_inside <= f_inside + {7'd0, held_q && read} - {7'd0, ends};
    if (s_valid && s_ready) begin
      f_walk <= 1'b1;
      f_depth <= s_depth > DEEPEST ? DEEPEST : s_depth;
      f_next <= 4'd0;
    end else if (m_valid && m_ready) begin
      f_walk <= !m_last;
      f_next <= f_next + 4'd1;
    end
    if (rst) begin
      f_walk <= 1'b0;
      f_inside <= 8'd0;
    end
    f_good <= rst || (f_good && (!read || held_q) && (!beat_valid || f_inside != 8'd0) && f_inside != 8'd255);
    if (f_started && f_good) begin
      if (f_stall) a_1: assert (m_valid && {m_depth, m_count, m_last} == f_beat);
      a_2_walk: assert (s_ready == !f_walk && state_q <= TELL);
      if (f_walk) a_2_depth: assert (depth_q == f_depth && depth_q <= DEEPEST);
      if (f_walk) a_2_next: assert (f_tells ? at_q == f_next && at_q <= depth_q : f_next == 4'd0);
      a_3: assert (waits_q + {7'd0, state_q == LIST} == f_inside + {7'd0, held_q});
      if (s_ready || state_q == CLEAR || f_tells) a_4: assert (!counts && !add_valid);
    end
  end
`endif

endmodule

`resetall
