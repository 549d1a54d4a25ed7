// SPDX-License-Identifier: Apache-2.0
// ply11_perft_many - several ply11_perft that share the work of one order.
// Files: those of ply11_perft_many.f.
// Order in, root and counts out are those of ply11_perft. Each of the CORES takes the root and the order. Each position three plies before the last is a
// job, and all cores come to the same jobs in the same order. The queue is the number of the first job that nobody has: a core that comes to this one
// does it, and to one before it leaves it out. Counts of the plies up to the jobs are those of the first core; those behind them are the sum over the
// cores. An order of less than 4 plies has no jobs: each core counts all of it, and the first one tells.
//
// Throughput: CORES times that of ply11_perft, less what all cores do: the plies before the jobs, and some CORES clocks for each job. docs/measurements.md
// has what comes of it. A count is offered at most 2 * CORES + 4 clocks after all cores have it.
// Handshake: a beat does not change while m_valid is 1 and m_ready is 0. All outputs are registers.
// s_ready and load_ready are the same: 1 from two clocks after the last beat to the next order; after rst they are 0 for CORES + 1 clocks, 4 at least.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft_many #(
  // Cores, 2..32.
  parameter CORES = 4,
  // Plies that can be counted, 2..10, as in ply11_perft.
  parameter DEPTH = 10
) (
  input  wire        clk,         // the clock; all ports belong to its rising edge
  input  wire        rst,         // synchronous reset, active high

  input  wire        s_valid,     // 1: an order is offered; it stays until s_ready is 1
  output wire        s_ready,     // 1: the order is taken in this clock if s_valid is 1
  input  wire [3:0]  s_depth,     // plies to count, 0..DEPTH; more are as DEPTH

  input  wire        load_valid,  // 1: a word of the root is offered
  output wire        load_ready,  // 1: the word is taken in this clock if load_valid is 1
  input  wire [3:0]  load_addr,   // as in ply11_perft
  input  wire [31:0] load_data,   // as in ply11_perft

  output reg         m_valid,     // 1: a count is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,     // 1: the count is taken in this clock if m_valid is 1
  output reg  [3:0]  m_depth,     // plies, 0..DEPTH
  output reg  [63:0] m_count,     // legal move sequences of that length, modulo 2^64
  output reg         m_last       // 1: the deepest
);

  generate
    if (CORES < 2 || CORES > 32) begin : g_check_cores
      ply11_perft_many_cores_is_2_to_32 u_check ();
    end
  endgenerate

  // In each clock one core is looked at. What it is told comes two clocks later, so a round has three clocks or more.
  localparam LAST = CORES < 3 ? 2 : CORES - 1;
  localparam [4:0] END = LAST[4:0];
  localparam [3:0] DEEPEST = DEPTH[3:0];
  reg  [4:0]  look_q;
  wire        round = look_q == END;
  reg         fresh_q;            // after rst: the numbers are cleared

  // ---- the cores; a place without one is always ready and has nothing ----
  wire [31:0] ready, loads, job, tells;
  reg         skip_q;             // a core that is told about its job leaves it out
  /* verilator lint_off UNUSEDSIGNAL */
  reg  [31:0] told_q;             // told in this clock
  wire [127:0]  depths;
  wire [31:0]   lasts;
  /* verilator lint_on UNUSEDSIGNAL */
  wire [2047:0] counts;
  // A core that takes an order takes loads, too, and goes on to do so until it gets an order. So their answers, from all over the chip, go to a register.
  reg         idle_q;
  always @(posedge clk) idle_q <= &ready && &loads && !fresh_q && !(s_valid && idle_q) && !rst;
  assign s_ready = idle_q;
  assign load_ready = idle_q;
  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_core
      if (i < CORES) begin : g_perft
        ply11_perft #(.DEPTH(DEPTH)) u_perft (
          .clk(clk), .rst(rst),
          .s_valid(s_valid && s_ready), .s_ready(ready[i]), .s_depth(s_depth),
          .load_valid(load_valid && load_ready), .load_ready(loads[i]), .load_addr(load_addr), .load_data(load_data),
          .m_valid(tells[i]), .m_ready(m_valid && m_ready), .m_depth(depths[4*i +: 4]), .m_count(counts[64*i +: 64]), .m_last(lasts[i]),
          .job_valid(job[i]), .job_ready(told_q[i]), .job_skip(skip_q)
        );
      end else begin : g_none
        assign {ready[i], loads[i], tells[i], job[i], lasts[i]} = 5'b11100;
        assign {depths[4*i +: 4], counts[64*i +: 64]} = 68'd0;
      end
    end
  endgenerate

  // ---- the queue ----
  // A core's next job has a number; after a walk all have come to the same.
  (* no_rw_check *)
  reg  [31:0] numbers [0:31];
  reg  [31:0] first_q;            // the first job that nobody has
  reg         asks_q;             // a core is at a job:
  reg  [4:0]  core_q;             // this one
  reg  [31:0] number_q;           // at this job
  wire        takes = asks_q && number_q == first_q;
  always @(posedge clk) begin
    look_q <= round ? 5'd0 : look_q + 5'd1;
    fresh_q <= fresh_q && !round;
    asks_q <= job[look_q] && !fresh_q;
    core_q <= look_q;
    number_q <= numbers[look_q];
    if (asks_q || fresh_q) numbers[fresh_q ? look_q : core_q] <= fresh_q ? 32'd0 : number_q + 32'd1;
    if (takes) first_q <= first_q + 32'd1;
    told_q <= {31'd0, asks_q} << core_q;
    skip_q <= !takes;
    if (rst) begin
      look_q <= 5'd0;
      fresh_q <= 1'b1;
      asks_q <= 1'b0;
      first_q <= 32'd0;
      told_q <= 32'd0;
    end
  end

  // ---- the sum: when all cores tell, a round adds their counts ----
  reg  [3:0]  order_q;
  reg         gather_q, add_q, ends_q;
  reg  [63:0] count_q;
  wire        alone = {1'b0, m_depth} + 5'd3 <= {1'b0, order_q} || order_q < 4'd4;  // the first core's count is all
  always @(posedge clk) begin
    if (s_ready) order_q <= s_depth > DEEPEST ? DEEPEST : s_depth;
    if (round) gather_q <= !gather_q && !m_valid && &tells;
    if (!gather_q && !m_valid && !ends_q) begin
      m_count <= 64'd0;
      m_depth <= depths[3:0];
      m_last <= lasts[0];
    end
    add_q <= gather_q && (look_q == 5'd0 || !alone);
    count_q <= counts[{look_q, 6'd0} +: 64];
    if (add_q) m_count <= m_count + count_q;
    ends_q <= gather_q && round;
    if (ends_q || m_ready) m_valid <= ends_q;
    if (rst) {gather_q, add_q, ends_q, m_valid} <= 4'd0;
  end

`ifdef FORMAL
  // For any cores that offer a job until they are told about it, and none while fresh_q is 1 (f_good), any one of them (f_core), and any job (f_job), of
  // less than 2^32 - 1:
  // 1. A count that is not taken waits unchanged.
  // 2. A core is told when it is at a job, and once.
  // 3. The jobs that it is at are numbered one after the other.
  // 4. Each job is given once: to the core that first is at it, and that does not leave it out. A core that does had no job that nobody has.
  reg         f_started, f_good, f_stall, f_open, f_given, f_gave;
  reg  [68:0] f_beat;
  reg  [31:0] f_passed;           // jobs that the core was told about
  (* anyconst *) reg [4:0]  f_core;
  (* anyconst *) reg [31:0] f_job;
  wire        f_told = told_q[f_core];
  wire        f_asks = asks_q && core_q == f_core;
  wire [31:0] f_number = numbers[f_core];
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    assume (f_core <= END);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_beat <= {m_depth, m_count, m_last};
    f_open <= job[f_core] && !f_told && !rst;
    f_gave <= takes && f_asks && !rst;
    f_given <= (f_given || (takes && number_q == f_job)) && !rst;
    f_passed <= rst ? 32'd0 : f_passed + {31'd0, f_told};
    f_good <= rst || (f_good && (!f_open || job[f_core]) && !(fresh_q && job[f_core]) && ~&first_q);
    if (f_started && f_good) begin
      if (f_stall) a_1: assert (m_valid && {m_depth, m_count, m_last} == f_beat);
      a_1_sum: assert (!m_valid || !(gather_q || add_q || ends_q));
      if (f_open && (f_told || f_asks)) a_2: assert (f_told != f_asks);
      if (f_told || f_asks) a_2_open: assert (f_open);
      a_2_look: assert (look_q <= END && (!asks_q || core_q <= END));
      if (fresh_q) a_3_fresh: assert (!asks_q && told_q == 32'd0 && first_q == 32'd0 && f_passed == 32'd0 && (f_core >= look_q || f_number == 32'd0));
      else a_3: assert (f_number == f_passed + {31'd0, f_told} && f_number <= first_q);
      if (f_asks) a_3_read: assert (number_q == f_number);
      a_4: assert (f_given == (first_q > f_job));
      if (f_told) a_4_told: assert (skip_q == !f_gave && (f_passed != f_job || f_given));
      if (takes) a_4_once: assert (number_q != f_job || !f_given);
    end
  end
`endif

endmodule

`resetall
