// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_perft_many without its cores. In the place of ply11_perft stands another of the same ports: it comes to as many jobs as the bench
// says, at any time, and its counts are any 64 bits, others in each core. So each job must be given once, to the first core that comes to it, and each
// sum must be right in all of its bits; of the plies up to the jobs only the first core's count is told. Orders are of each depth, 0 to 15. A core waits
// for its job at most a round and two clocks, and a count comes at most 2 * CORES + 4 clocks after all cores have it. While a walk goes on, orders and
// loads are offered, which must not be taken; they are taken from the clock after that in which all cores take both. A reset ends some walks, between two
// jobs and among the counts; after it nothing is taken for as many clocks as a round has and one, and the next order is right.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_perft_many_alone_tb #(
  parameter CORES = 3,
  parameter ORDERS = 600
);

  localparam ROUND = CORES < 3 ? 3 : CORES;
  localparam NAME = "ply11_perft_many_alone_tb";
  localparam WATCHDOG = 4000000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1;
  reg         s_valid = 1'b0, load_valid = 1'b0, m_ready = 1'b0;
  reg  [3:0]  s_depth = 4'd0, load_addr = 4'd0;
  reg  [31:0] load_data = 32'd0;
  wire        s_ready, load_ready, m_valid, m_last;
  wire [3:0]  m_depth;
  wire [63:0] m_count;

  ply11_perft_many #(.CORES(CORES)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_depth(s_depth),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_depth(m_depth), .m_count(m_count), .m_last(m_last)
  );

  // ---- what the cores see and set; see ply11_perft below ----
  integer     jobs = 0;         // of the order
  integer     given = 0;        // of them, those that a core has
  reg  [2:0]  pace = 3'd0;      // how long jobs take
  reg         quiet = 1'b1;     // nothing may be taken
  reg  [31:0] seed = 32'd0;     // of the counts
  reg  [31:0] ready = ~32'd0, loads = ~32'd0, tells = ~32'd0;  // of cores; a place without one has 1
  reg         could = 1'b0;     // in the clock before, an order could have been given to all of them, and was not
  always @(posedge clk) could <= &ready && &loads && !quiet && !rst && !(s_valid && could);
  reg  [63:0] words = 64'd0;    // what was loaded: the sum of address and data

  // The count of a core.
  function [63:0] count_of(input integer core, input [3:0] depth, input [31:0] s);
    begin
      count_of = {s, ~s} ^ {core, 28'd0, depth};
      count_of = count_of * 64'h9e3779b97f4a7c15;
      count_of = (count_of ^ (count_of >> 29)) * 64'hbf58476d1ce4e5b9;
      count_of = count_of ^ (count_of >> 32);
    end
  endfunction

  reg  [31:0] rnd;
  reg         over, slow;
  reg  [3:0]  depth;
  reg  [63:0] want;
  integer     at, i, clocks, stop, since, resets = 0, sums = 0, all = 0, left = 0, late = 0;

  task tick;
    begin
      @(negedge clk);
      rnd = $random;
    end
  endtask

  task reset;
    begin
      rst = 1'b1;
      quiet = 1'b1;
      s_valid = 1'b0;
      load_valid = 1'b0;
      m_ready = 1'b0;
      repeat (1 + rnd[0]) tick;
      rst = 1'b0;
      for (i = 0; i < ROUND; i = i + 1) begin
        s_valid = rnd[1];
        load_valid = rnd[2];
        #1 expect_that(!s_ready && !load_ready && !m_valid, "ready in the clocks after rst");
        tick;
      end
      quiet = 1'b0;
      s_valid = 1'b0;
      load_valid = 1'b0;
      sink_held = 1'b0;
      #1 expect_that(s_ready == could && load_ready == could && !m_valid, "not reset");
    end
  endtask

  // Some words of a root, then the order.
  task order;
    begin
      stop = 0;
      over = 1'b0;
      while (!over) begin
        load_valid = rnd[2:0] == 3'd0;
        load_addr = rnd[6:3];
        load_data = $random;
        s_valid = rnd[8:7] == 2'd0;
        s_depth = s_valid ? n : rnd[12:9];
        #1;
        expect_that(s_ready == could && load_ready == could && !m_valid, "not ready");
        over = s_valid && s_ready;
        stop = stop + 1;
        if (stop > 200) begin
          fail("an order is not taken");
          over = 1'b1;
        end
        tick;
      end
      s_valid = 1'b0;
      load_valid = 1'b0;
    end
  endtask

  // The counts; or, with most, what comes of them in so many clocks; or, with hold, up to where all cores have had a count for so many clocks.
  task counts(input integer most, input integer hold);
    begin
      at = 0;
      over = 1'b0;
      clocks = 0;
      since = 0;
      while (!over && clocks < most && (hold == 0 || since < hold) && errors < 5) begin
        m_ready = slow ? rnd[3:0] == 4'd0 : rnd[1:0] != 2'd0;
        s_valid = rnd[4];
        s_depth = rnd[8:5];
        load_valid = rnd[9];
        load_addr = rnd[13:10];
        load_data = $random;
        #1;
        expect_that(!s_ready && !load_ready, "ready in a walk");
        since = &tells && !m_valid ? since + 1 : 0;
        expect_that(since <= 2 * CORES + 4, "a count comes late");
        if (since > late) late = since;
        if (m_valid && m_ready) begin
          want = count_of(0, at, seed);
          if (depth >= 4 && at + 3 > depth) begin
            for (i = 1; i < CORES; i = i + 1) want = want + count_of(i, at, seed);
            sums = sums + 1;
          end
          expect_that(m_depth == at && m_last == (at == depth), "wrong depth");
          expect_that(m_count == want, "wrong count");
          expect_that(given == jobs, "a job is not given");
          over = m_last;
          at = at + 1;
        end
        sink(m_valid, m_ready, {59'd0, m_depth, m_count, m_last});
        clocks = clocks + 1;
        // With the last count the next order could come.
        if (over) s_valid = 1'b0;
        if (over) load_valid = 1'b0;
        tick;
      end
      m_ready = 1'b0;
      s_valid = 1'b0;
      load_valid = 1'b0;
    end
  endtask

  // Number n is of depth n modulo 16; an order of less than 4 plies has no jobs.
  task begins;
    begin
      depth = n % 16 > 10 ? 10 : n % 16;
      jobs = depth < 4 ? 0 : n % 32 == 31 ? 2100 : 1 + rnd[5:0];
      given = 0;
      pace = n % 32 == 31 ? 3'd0 : rnd[8:6];
      seed = $random;
      slow = rnd[10:9] == 2'd0;
      order;
    end
  endtask

  initial begin
    rnd = 32'd0;
    repeat (3) tick;
    reset;
    for (n = 0; n < ORDERS && errors < 5; n = n + 1) begin
      begins;
      if (n % 3 == 1) begin
        // The walk is ended somewhere, then the same depth again.
        if (n % 2 == 0) counts(rnd[9:0], 0);
        else counts(200000, 1 + rnd[15:0] % (2 * CORES + 4));
        reset;
        resets = resets + 1;
        begins;
      end
      counts(200000, 0);
      if (!over) fail("no end");
      all = all + jobs;
    end
    expect_that(left > 0 && late > ROUND && (ORDERS < 600 || (resets >= 200 && sums >= 500)), "too little was seen");
    verdict;
    $display("PASS %0s CORES=%0d: %0d orders, %0d jobs, %0d left out, %0d sums, %0d resets, a count after %0d clocks", NAME, CORES, ORDERS, all, left,
             sums, resets, late);
    $finish;
  end

endmodule

// ---- in the place of the cores ----

module ply11_perft #(parameter DEPTH = 10) (
  input  wire        clk, rst, s_valid,
  output wire        s_ready,
  input  wire [3:0]  s_depth,
  input  wire        load_valid,
  output wire        load_ready,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [3:0]  m_depth,
  output wire [63:0] m_count,
  output wire        m_last, job_valid,
  input  wire        job_ready, job_skip
);
  localparam IDLE = 2'd0, WALK = 2'd1, TELL = 2'd2;
  reg  [1:0]  state = IDLE;
  reg         able = 1'b0, loads = 1'b0, offers = 1'b0, tells = 1'b0;
  reg  [3:0]  depth = 4'd0, at = 4'd0;
  integer     number = 0;       // of the next job
  integer     pause = 0, waits = 0;
  reg  [31:0] rnd = 32'd0;
  // Which core it is stands in its name, g_core[0] and so on.
  integer     core = 0, i;
  reg  [8*256-1:0] name;
  initial begin
    $sformat(name, "%m");
    for (i = 255; i >= 0; i = i - 1) if (name[8*i +: 8] == "[") begin
      core = name[8*(i-1) +: 8] - "0";
      if (name[8*(i-2) +: 8] != "]") core = 10 * core + name[8*(i-2) +: 8] - "0";
    end
  end

  assign s_ready = state == IDLE && able;
  assign load_ready = state == IDLE && loads;
  assign job_valid = offers;
  assign m_valid = tells;
  // What is not offered is anything.
  assign m_depth = tells ? at : rnd[3:0];
  assign m_count = tells ? ply11_perft_many_alone_tb.count_of(core, at, ply11_perft_many_alone_tb.seed) : {rnd, ~rnd};
  assign m_last = tells ? at == depth : rnd[4];

  task must(input right, input [8*48-1:0] what);
    if (right !== 1'b1) ply11_perft_many_alone_tb.fail(what);
  endtask

  always @(posedge clk) begin
    rnd = $random;
    // Once they are 1, they stay so until an order comes.
    able <= state == IDLE && !rst && !(s_valid && s_ready) && (able || rnd[1:0] != 2'd0);
    loads <= state == IDLE && !rst && !(s_valid && s_ready) && (loads || rnd[3:2] != 2'd0);
    must(rst || !ply11_perft_many_alone_tb.quiet || !(s_valid || load_valid), "taken in the clocks after rst");
    must(rst || !s_valid || (s_ready && s_valid == ply11_perft_many_alone_tb.s_valid), "an order to some cores");
    must(rst || !load_valid || (load_ready && load_valid == ply11_perft_many_alone_tb.load_valid), "a load to some cores");
    must(rst || !s_valid || s_depth == ply11_perft_many_alone_tb.s_depth, "another depth");
    must(rst || !load_valid || (load_addr == ply11_perft_many_alone_tb.load_addr && load_data == ply11_perft_many_alone_tb.load_data), "another word");
    must(rst || s_valid == (ply11_perft_many_alone_tb.s_valid && ply11_perft_many_alone_tb.s_ready), "an order is lost");
    must(rst || load_valid == (ply11_perft_many_alone_tb.load_valid && ply11_perft_many_alone_tb.load_ready), "a load is lost");
    must(rst || !job_ready || offers, "told without a job");
    must(rst || !m_ready || tells, "a count is taken that is none");
    if (pause > 0) pause = pause - 1;
    waits = offers && !rst ? waits + 1 : 0;
    must(waits <= ply11_perft_many_alone_tb.ROUND + 2, "a job waits too long");
    case (state)
      IDLE: if (s_valid && s_ready) begin
        depth <= s_depth > 4'd10 ? 4'd10 : s_depth;
        number = 0;
        at <= 4'd0;
        state <= WALK;
        offers <= ply11_perft_many_alone_tb.jobs > 0 && rnd[3];
        pause = rnd[6:4];
      end
      WALK: begin
        if (job_ready) begin
          offers <= 1'b0;
          if (job_skip) begin
            must(number < ply11_perft_many_alone_tb.given, "a job that nobody has is left out");
            ply11_perft_many_alone_tb.left = ply11_perft_many_alone_tb.left + 1;
          end else begin
            must(number == ply11_perft_many_alone_tb.given, "a job is given twice or out of order");
            ply11_perft_many_alone_tb.given = ply11_perft_many_alone_tb.given + 1;
          end
          number = number + 1;
          waits = 0;
          pause = job_skip ? rnd[5:4] : rnd[10:4] >> ply11_perft_many_alone_tb.pace;
        end
        if (pause == 0 && (job_ready || !offers)) begin
          if (number < ply11_perft_many_alone_tb.jobs) offers <= 1'b1;
          else begin
            state <= TELL;
            pause = rnd[14:8];
          end
        end
      end
      default: begin
        if (tells && m_ready) begin
          tells <= 1'b0;
          at <= at + 4'd1;
          if (at == depth) state <= IDLE;
          pause = rnd[15] ? rnd[19:16] : 0;
        end else if (pause == 0) tells <= 1'b1;
      end
    endcase
    if (rst) begin
      state <= IDLE;
      offers <= 1'b0;
      tells <= 1'b0;
      waits = 0;
    end
  end

  // The bench sees what all have.
  always @* begin
    ply11_perft_many_alone_tb.ready[core] = s_ready;
    ply11_perft_many_alone_tb.loads[core] = load_ready;
    ply11_perft_many_alone_tb.tells[core] = tells;
  end
endmodule

`resetall
