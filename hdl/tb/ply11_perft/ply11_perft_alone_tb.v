// SPDX-License-Identifier: Apache-2.0
// Second test bench of ply11_perft: the walk alone. In the place of ply11_board and ply11_moves stand others of the same ports, whose
// tree is of numbers: a position is a number, which says how many moves it has, and a move makes another number of it.
// They are faster and slower than the modules: several positions are kept, and their moves come one a clock without
// a gap, so that the ends of positions follow each other in neighbouring clocks; the board takes any number of clocks
// for a move. What is counted is compared with a walk through the same tree, ply by ply. Each position that is read must be a whole
// one: its ranks and its state are made of its number. In half of the orders the positions before the last ply have up to 511 moves,
// and only their number comes. In a tenth of the orders the root and a few positions after it have some 215 moves, which are listed, so
// that the stack is more than half full, forty positions and more wait for their counts, and some counts pass 2^19.
// In one order each position from the root down to the last ply has some 212 moves in its last move alone: the stack and the pages are as full as DEPTH allows, and what they hold is gone through on the way back. Half of the orders that follow a load come with its last word. While a walk goes on, orders and loads
// are offered, which must not be taken. A reset ends some walks; the root is loaded again after it.
// From a depth of 4 on there are jobs: job_ready comes after any number of clocks, and some jobs are left out, in a quarter of the orders none,
// in an eighth all. What is left out is not counted, there must be as many jobs as positions three plies before the last, and a job waits until
// it is taken. With less depth there are none, whatever job_ready and job_skip are; they are at random wherever they do not count.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_perft_alone_tb #(
  parameter DEPTH = 4,
  parameter ORDERS = 60
);

  localparam NODES = 8192;

  localparam NAME = "ply11_perft_alone_tb";
  localparam WATCHDOG = 4000000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1;
  reg         s_valid = 1'b0, load_valid = 1'b0, m_ready = 1'b0;
  reg  [3:0]  s_depth = 4'd0, load_addr = 4'd0;
  reg  [31:0] load_data = 32'd0;
  wire        s_ready, load_ready, m_valid, m_last, job_valid;
  wire [3:0]  m_depth;
  wire [63:0] m_count;
  reg  [31:0] rnd, id;

  // Whether the last move of each position with many moves leads to another.
  reg       tower = 1'b0;

  // Jobs of the walk so far, and by their number modulo 32 whether they are left out. The first one has the tower.
  integer     jobs;
  reg  [31:0] leave;
  function left_out(input integer number, input [31:0] which, input first_stays);
    left_out = which[number % 32] && !(first_stays && number == 0);
  endfunction

  ply11_perft #(.DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_depth(s_depth),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_depth(m_depth), .m_count(m_count), .m_last(m_last),
    .job_valid(job_valid), .job_ready(rnd[14]), .job_skip(job_valid && rnd[14] ? left_out(jobs, leave, tower) : rnd[15])
  );

  // Set by what stands in the place of the modules: positions that are not whole, and ends in neighbouring clocks.
  integer torn = 0, near = 0;
  // Whether moves come with gaps.
  reg     gaps = 1'b0;

  // The plies to which positions have many moves; 15 is none.
  reg [3:0] wide = 4'd15;
  // Whether the root has many moves that are listed, and a few positions after it.
  reg       tall = 1'b0;

  // A position has its ply in bits 12 to 9, and in bit 13 whether it is one of the tower.
  function [31:0] child(input [31:0] id, input [10:0] index);
    begin
      child = ({id[18:0], id[31:19]} ^ {21'd0, index}) * 32'h9e3779b1 + 32'd1;
      child[12:9] = id[12:9] + 4'd1;
      child[13] = id[13] && index == move_of(id, {5'b11010, id[2:0]} - 8'd1);
    end
  endfunction

  // Moves of a position; of those that have few, a third have none.
  function [8:0] moves(input [31:0] id, input [3:0] many);
    moves = id[12:9] == many ? {id[31] || tall, id[30:23]}
            : tower ? (id[13] ? {6'b011010, id[2:0]} : {7'd0, id[31:30] & {2{id[29:27] == 3'd0}}})
            : tall && (id[12:9] == 4'd0 || (id[12:9] == 4'd1 && id[31:27] == 5'd1)) ? {6'b011010, id[2:0]}
            : {6'd0, id[31:29] & {3{id[28:27] != 2'd0}}};
  endfunction

  // The index of move k of a position; none is 2047.
  function [10:0] move_of(input [31:0] id, input [7:0] k);
    move_of = {id[14:12] == 3'd7 ? 3'd6 : id[14:12], k ^ id[22:15]};
  endfunction

  // ---- the counts, ply by ply; positions in the order of the walk, which takes the last move first ----
  reg  [31:0] now [0:NODES-1], then [0:NODES-1];
  integer     want [0:15];
  integer     i, k, have, more, d, want_jobs;
  task expect_counts(input [31:0] root, input integer depth);
    begin
      now[0] = root;
      have = 1;
      want[0] = 1;
      want_jobs = 0;
      for (d = 1; d <= depth; d = d + 1) begin
        more = 0;
        for (i = 0; i < have; i = i + 1) begin
          if (d != depth)
            for (k = 0; k < moves(now[i], wide); k = k + 1)
              if (more + k < NODES) then[more + k] = child(now[i], move_of(now[i], moves(now[i], wide) - 9'd1 - k[8:0]));
          more = more + moves(now[i], wide);
        end
        if (d != depth) expect_that(more < NODES, "the tree is too large");
        want[d] = more;
        have = 0;
        for (i = 0; i < more && i < NODES; i = i + 1)
          if (d != depth - 3 || !left_out(i, leave, tower)) begin
            now[have] = then[i];
            have = have + 1;
          end
        if (d == depth - 3) want_jobs = more;
      end
    end
  endtask

  reg         over, fresh, taken;
  reg  [3:0]  depth, asked;
  integer     word, at, patience, sum = 0, resets = 0, all_jobs = 0;

  task tick;
    begin
      @(negedge clk);
      rnd = $random;
    end
  endtask

  // Loads the root; with_order the order comes with the last word.
  task load(input with_order);
    begin
      word = 0;
      while (word < 9) begin
        load_valid = rnd[0];
        load_addr = (word + n) % 9;
        load_data = load_addr == 4'd8 ? {7'd0, id[24:0]} : id + load_addr;
        s_valid = with_order && word == 8 && load_valid && load_ready;
        s_depth = asked;
        #1;
        if (load_valid && load_ready) word = word + 1;
        tick;
      end
      load_valid = 1'b0;
      s_valid = 1'b0;
    end
  endtask

  task order;
    begin
      s_depth = asked;
      s_valid = 1'b1;
      while (s_valid) begin
        #1;
        over = s_ready;
        tick;
        if (over) s_valid = 1'b0;
      end
    end
  endtask

  // Its counts, or what comes of them in so many clocks.
  task counts(input integer most);
    begin
      at = 0;
      over = 1'b0;
      patience = 0;
      jobs = 0;
      sink_held = 2'd0;
      while (!over && patience < most && errors < 5) begin
        m_ready = rnd[1:0] != 2'd0;
        s_valid = rnd[4];
        s_depth = rnd[8:5];
        load_valid = rnd[9];
        load_addr = rnd[13:10];
        load_data = rnd;
        #1;
        expect_that(!s_ready && !load_ready, "ready in a walk");
        expect_that(depth > 3 || !job_valid, "a job in less than four plies");
        if (m_valid && m_ready) begin
          expect_that(m_depth == at && m_last == (at == depth), "wrong depth");
          expect_that(m_count == want[at], "wrong count");
          expect_that(jobs == want_jobs, "wrong number of jobs");
          over = m_last;
          at = at + 1;
        end
        sink(m_valid, m_ready, {59'd0, m_depth, m_count, m_last});
        sink_of(1'b1, job_valid, rnd[14], 512'd0);
        taken = job_valid && rnd[14];
        patience = patience + 1;
        tick;
        jobs = jobs + taken;
        all_jobs = all_jobs + taken;
      end
      m_ready = 1'b0;
      s_valid = 1'b0;
      load_valid = 1'b0;
    end
  endtask

  initial begin
    rnd = 32'd0;
    repeat (3) tick;
    rst = 1'b0;
    for (n = 0; n < ORDERS && errors < 5; n = n + 1) begin
      gaps = n % 4 == 3;
      tower = n == 6;
      asked = n < 6 ? n : tower ? 4'd15 : n % 10 == 9 ? 4'd8 | rnd[20:18] : 4'd2 + (n % 5 != 0) + (n % 10 > 5);
      depth = asked > DEPTH ? DEPTH : asked;
      tall = n % 10 == 4 && depth == 3;
      leave = n % 4 == 2 ? 32'd0 : {32{n % 8 == 1}} | $random;
      // Every third order is about the root before.
      fresh = n % 3 != 1 || tower;
      if (fresh) begin
        id = $random;
        id[31:27] = id[31:27] | 5'd18;
        // Plies are counted from 0, and sometimes from more, so that each bit of a board is 1 at some time.
        id[13:9] = {1'b1, n % 7 == 3 ? 4'd9 : n % 7 == 5 ? 4'd5 : 4'd0};
      end
      wide = n % 2 == 0 && !tower ? id[12:9] + depth - 4'd1 : 4'd15;
      if (fresh) begin
        load(n % 4 < 2);
        if (n % 4 >= 2) order;
      end else order;
      expect_counts(id, depth);
      if (n % 8 == 5) begin
        counts(n * 20);
        rst = 1'b1;
        tick;
        rst = 1'b0;
        #1 expect_that(s_ready && !m_valid, "not reset");
        resets = resets + 1;
        load(1'b1);
      end
      counts(300000);
      if (!over) fail("no end");
      sum = sum + want[depth];
    end
    expect_that(torn == 0, "a position is not whole");
    expect_that(ORDERS < 60 || (near >= 100 && resets >= 5), "few ends in neighbouring clocks");
    expect_that(ORDERS < 60 || DEPTH < 4 || all_jobs >= 100, "few jobs");
    verdict;
    $display("PASS %0s DEPTH=%0d: %0d orders, %0d leaves, %0d ends in neighbouring clocks, %0d jobs, %0d resets", NAME, DEPTH, ORDERS, sum, near, all_jobs,
             resets);
    $finish;
  end

endmodule

// ---- in the place of the modules ----

module ply11_board #(parameter USER_WIDTH = 1, STOP = 0) (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [1:0]   s_op,
  input  wire [10:0]  s_index,
  input  wire         s_user, load_valid,
  output wire         load_ready,
  input  wire [3:0]   load_addr,
  input  wire [31:0]  load_data,
  output wire         next_valid,
  output wire [1:0]   next_op,
  input  wire         hush,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [1:0]   m_op,
  output wire         m_user,
  output wire [2:0]   m_error,
  output wire [5:0]   m_from, m_to,
  output wire [2:0]   m_promotion,
  output wire [3:0]   m_piece, m_captured,
  output reg  [255:0] board,
  output wire         side,
  output wire [3:0]   rights, ep,
  output wire [15:0]  ply
);
  reg  [24:0] state;
  reg  [10:0] index;
  reg  [31:0] id, rnd;
  reg  [3:0]  left = 0;         // clocks until the move is made
  reg         done = 0, free = 0;
  integer     i;
  assign {ply, ep, rights, side} = state;
  assign m_valid = done;
  assign load_ready = free;
  assign {s_ready, next_valid, next_op, m_op, m_user, m_error, m_from, m_to, m_promotion, m_piece, m_captured} = 33'd0;
  always @(posedge clk) begin
    rnd = $random;
    free <= rnd[5];
    done <= 1'b0;
    // Between the walks a word that comes while it is not ready is lost.
    if (load_valid && (free || !ply11_perft_alone_tb.s_ready)) begin
      if (load_addr[3]) state <= load_data[24:0];
      else board[32*load_addr[2:0] +: 32] <= load_data;
    end
    if (s_valid) begin
      index <= s_index;
      left <= {1'b0, rnd[2:0]} + 4'd1;
    end else if (left != 4'd0) begin
      left <= left - 4'd1;
      if (left == 4'd1) begin
        // What the move is played on must be whole, too.
        for (i = 1; i < 8; i = i + 1)
          if (board[32*i +: 32] !== board[31:0] + i) ply11_perft_alone_tb.torn = ply11_perft_alone_tb.torn + 1;
        if (state[8:0] !== board[8:0]) ply11_perft_alone_tb.torn = ply11_perft_alone_tb.torn + 1;
        id = ply11_perft_alone_tb.child(board[31:0], index);
        for (i = 0; i < 8; i = i + 1) board[32*i +: 32] <= id + i;
        state <= id[24:0];
        done <= 1'b1;
      end
    end
    if (rst) {left, done} <= 5'd0;
  end
endmodule

module ply11_moves (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights, ep,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [10:0]  m_index,
  output wire         m_last,
  output wire [8:0]   m_count,
  output wire         m_check, m_mate, m_stalemate
);
  localparam [5:0] FORTY = 6'd40;
  reg  [31:0] queue [0:63];
  reg  [5:0]  put = 0, get = 0, most = 0;
  reg  [7:0]  at = 0;
  reg  [10:0] age = 0;
  reg         reads = 0, open = 0, gap = 0, ended = 0;
  reg  [31:0] clocks = 0;
  reg  [31:0] since [0:63];     // the clock in which it was read
  reg  [31:0] rnd;
  integer     i;
  wire [5:0]  kept = put - get;
  wire [31:0] id = queue[get];
  wire        taken = m_valid && m_ready;
  assign s_ready = s_valid && reads;
  // As with ply11_moves, a position takes some clocks: while its moves are listed, the walk writes its page, a word a clock.
  wire        aged = clocks - since[get] >= 32'd8;
  assign m_valid = open && !gap && (aged || !m_last);
  // Of many moves only the number comes.
  wire [8:0]  count = ply11_perft_alone_tb.moves(id, ply11_perft_alone_tb.wide);
  assign m_last = {1'b0, at} == count || id[12:9] == ply11_perft_alone_tb.wide;
  assign m_index = m_last ? 11'd2047 : ply11_perft_alone_tb.move_of(id, at);
  assign m_count = m_last ? count : {1'b0, at};
  assign {m_check, m_mate, m_stalemate} = 3'd0;
  always @(posedge clk) begin
    rnd = $random;
    clocks <= clocks + 32'd1;
    // With gaps a position waits longer than the next one takes to come.
    reads <= (ply11_perft_alone_tb.gaps ? rnd[4:0] == 5'd0 : rnd[1:0] != 2'd0) && kept < 6'd61;
    // Before the first reset anything may be offered.
    if (s_ready && !rst) begin
      queue[put] <= board[31:0];
      since[put] <= clocks;
      put <= put + 6'd1;
      for (i = 1; i < 8; i = i + 1)
        if (board[32*i +: 32] !== board[31:0] + i) ply11_perft_alone_tb.torn = ply11_perft_alone_tb.torn + 1;
      if ({ep, rights, side} !== board[8:0]) ply11_perft_alone_tb.torn = ply11_perft_alone_tb.torn + 1;
    end
    // Several positions, where many are listed sometimes forty, then all of them in one go; or what there is, after some time.
    age <= kept == 6'd0 || open ? 11'd0 : age + 11'd1;
    if (!open && kept != 6'd0 && (kept > most || age == (most == FORTY ? 11'd1500 : 11'd90))) open <= 1'b1;
    gap <= ply11_perft_alone_tb.gaps && taken && rnd[12];
    ended <= taken && m_last;
    if (m_valid && m_last && ended) ply11_perft_alone_tb.near = ply11_perft_alone_tb.near + 1;
    if (taken) begin
      at <= m_last ? 8'd0 : at + 8'd1;
      if (m_last) begin
        get <= get + 6'd1;
        if (kept == 6'd1) begin
          open <= 1'b0;
          most <= ply11_perft_alone_tb.tall && rnd[16:14] == 3'd0 ? FORTY : {3'd0, rnd[10:8]};
        end
      end
    end
    if (rst) {put, get, at, open, ended} <= 22'd0;
  end
endmodule

`resetall
