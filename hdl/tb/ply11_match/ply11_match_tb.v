// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_match: patterns at random, and for each of them beats whose boards have the pattern, but for no, one or two
// squares. What may stand on a square is looked up in sets.hex (see sim/vectors). Which beats come out, with which game and ply,
// the pulses and the counts are compared in every clock, three clocks of the stages after a beat was taken. Idle clocks and back-pressure
// come in all patterns, and resets and clears in the midst of games.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_match_tb #(
  parameter RUNS = 300
);

  localparam USER_WIDTH = 12;
  localparam CLOCKS = 200;
  localparam [1:0] PLY = 2'd0, END = 2'd2, ERROR = 2'd3;

  localparam NAME = "ply11_match_tb";
  localparam WATCHDOG = RUNS * (CLOCKS + 100);
  `include "ply11_bench.vh"

  reg          rst = 1'b1, set_valid = 1'b0, clear = 1'b0, s_valid = 1'b0, s_last = 1'b0, s_main = 1'b0, side = 1'b0, m_ready = 1'b0;
  reg  [4:0]   set_addr = 5'd0;
  reg  [31:0]  set_data = 32'd0;
  reg  [1:0]   s_kind = PLY;
  reg  [255:0] board = 256'd0;
  reg  [15:0]  ply = 16'd0;
  reg  [USER_WIDTH-1:0] s_user = 0;
  wire         s_ready, m_valid, m_last, hit;
  wire [1:0]   m_kind;
  wire [31:0]  m_game, hits;
  wire [15:0]  m_ply;
  wire [USER_WIDTH-1:0] m_user;
  ply11_match #(.USER_WIDTH(USER_WIDTH)) u_dut (
    .clk(clk), .rst(rst), .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .clear(clear),
    .s_valid(s_valid), .s_ready(s_ready), .s_kind(s_kind), .s_last(s_last), .s_main(s_main),
    .board(board), .side(side), .ply(ply), .s_user(s_user),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_last(m_last), .m_game(m_game), .m_ply(m_ply), .m_user(m_user),
    .hit(hit), .hits(hits)
  );

  // ---- the pattern ----
  reg  [15:0]  sets [0:255];
  reg  [7:0]   code [0:63];
  reg  [255:0] good;            // a board that has it
  reg  [16:0]  first, last;
  reg  [2:0]   asked;           // Black, White, ON
  reg  [1:0]   turn;            // Black, White, as written

  // ---- what must come: a beat in each of the three stages ----
  reg  [2:0]   due = 3'd0;      // there is one
  reg  [2:0]   due_hit = 3'd0, due_error = 3'd0, due_last = 3'd0;
  reg  [USER_WIDTH+18:0] due_data [0:2];
  reg          some = 1'b0, ended = 1'b1, pulse = 1'b0, out = 1'b0, known = 1'b0, on;
  reg  [31:0]  game = 32'd0, out_game = 32'd0, count = 32'd0;
  integer      sum = 0, passed = 0, dropped = 0, clears = 0, resets = 0;

  integer      run, k, s, spoiled;
  reg  [31:0]  rnd, more;
  reg  [1:0]   gaps, stalls;
  reg          wanted, advance;

  task write(input [4:0] addr, input [31:0] data);
    begin
      set_valid = 1'b1;
      set_addr = addr;
      set_data = data;
      tick;
      set_valid = 1'b0;
      // What is not written does not count.
      set_addr = addr ^ 5'd1;
      set_data = ~data;
    end
  endtask

  // A pattern at random, each word written, in another order each time.
  task draw_pattern;
    begin
      for (s = 0; s < 64; s = s + 1) begin
        rnd = $random;
        code[s] = rnd[7:0];
        while (sets[code[s]] == 16'd0) code[s] = code[s] + 8'd37;
        k = rnd[11:8];
        while (!sets[code[s]][k]) k = (k + 1) % 16;
        good[4*s +: 4] = k;
      end
      rnd = $random;
      first = rnd[3:0] == 4'd0 ? 17'd1 : rnd[3:0] == 4'd1 ? 17'hffff : {1'b0, rnd[31:16]} | 17'd1;
      more = $random;
      last = more[3:0] < 4'd4 ? first : more[3:0] == 4'd4 ? 17'hffff : more[3:0] == 4'd5 ? first - 17'd1
             : (first + more[31:16]) >> 16 ? 17'hffff : first + more[31:16];
      asked = {rnd[6:5] | {2{rnd[4]}}, rnd[9:7] != 3'd0};
      for (k = 0; k < 18; k = k + 1) begin
        s = (k * 5 + run) % 18;
        write(s, s == 17 ? {more[31:3], asked} : s == 16 ? {16'hffff - last[15:0], 16'd0 - first[15:0]}
                 : {code[4*s+3], code[4*s+2], code[4*s+1], code[4*s]});
      end
      // A word that there is not.
      write(5'd18 + run % 14, more);
    end
  endtask

  task draw_beat;
    begin
      rnd = $random;
      more = $random;
      board = good;
      spoiled = rnd[1:0] == 2'd0 ? 0 : rnd[1:0] == 2'd1 ? 2 : 1;
      for (k = 0; k < spoiled; k = k + 1) begin
        board[4*(rnd[7:2]) +: 4] = rnd[11:8];
        rnd = {rnd[11:2], rnd[31:10]};
      end
      s_kind = more[3:0] < 4'd13 ? PLY : more[3:0] == 4'd13 ? ERROR : END;
      s_last = s_kind == END || (s_kind == ERROR && more[4]);
      s_main = more[7:5] != 3'd0;
      side = more[8];
      ply = more[11:9] < 3'd2 ? first : more[11:9] < 3'd4 ? last : more[11:9] == 3'd4 ? first - 17'd1
            : more[11:9] == 3'd5 ? last + 17'd1 : first + ((last - first) >> 1);
      if (ply == 16'd0) ply = 16'd1;
      s_user = more[31:20];
    end
  endtask

  // Whether the beat that is offered matches.
  task judge;
    begin
      wanted = s_kind == PLY && s_main && turn[side] && ply >= first && ply <= last;
      for (s = 0; s < 64; s = s + 1) if (!sets[code[s]][board[4*s +: 4]]) wanted = 1'b0;
    end
  endtask

  // A clock, and what must be at its end.
  task tick;
    begin
      #1;
      advance = !m_valid || m_ready;
      if (known) begin
        expect_that(m_valid === out && s_ready === (!out || m_ready), "m_valid or s_ready");
        expect_that(hit === pulse && hits === count, "the pulse or the count");
        if (out) expect_that({m_kind, m_last, m_ply, m_user} === due_data[2] && m_game === out_game, "another beat");
      end
      sink(m_valid, m_ready, {m_kind, m_last, m_game, m_ply, m_user});
      if (rst) sink_held = 1'b0;
      // The page: hits are those since clear, and the next beat that comes to be offered is of game 1.
      count = count + pulse;
      pulse = 1'b0;
      if (clear || rst) begin
        count = 32'd0;
        game = 32'd0;
        ended = 1'b1;
        some = 1'b0;
      end
      if (advance) begin
        out = 1'b0;
        if (due[1]) begin
          game = game + ended;
          out_game = game;
          ended = due_last[1];
          pulse = due_hit[1];
          sum = sum + due_hit[1];
          if (due_hit[1] || due_error[1]) some = 1'b1;
          out = !on || due_hit[1] || due_error[1] || (some && due_last[1]);
          if (due_last[1]) some = 1'b0;
          if (out) passed = passed + 1; else dropped = dropped + 1;
        end
        {due_data[2], due_data[1]} = {due_data[1], due_data[0]};
        due = {due[1:0], s_valid};
        judge;
        due_hit = {due_hit[1:0], wanted && s_valid};
        due_error = {due_error[1:0], s_kind == ERROR};
        due_last = {due_last[1:0], s_last};
        due_data[0] = {s_kind, s_last, ply, s_user};
      end
      if (set_valid && set_addr == 5'd17) {turn, on} = set_data[2:0];
      if (rst) begin
        due = 3'd0;
        game = 32'd0;
        {ended, some} = 2'b10;
        {pulse, out, turn, on} = 5'd0;
        known = 1'b1;
      end
      @(posedge clk);
      #1;
      if (advance) s_valid = 1'b0;
      n = n + 1;
    end
  endtask

  initial begin
    $readmemh("tb/ply11_match/sets.hex", sets);
    tick;
    rst = 1'b0;
    for (run = 0; run < RUNS && errors < 5; run = run + 1) begin
      m_ready = 1'b1;
      draw_pattern;
      // The first beat comes in the clock after the last word.
      gaps = run;
      stalls = run >> 2;
      draw_beat;
      s_valid = 1'b1;
      repeat (CLOCKS) begin
        rnd = $random;
        m_ready = !pause(stalls, n, rnd);
        clear = rnd[16:8] == 9'd0;
        rst = rnd[25:17] == 9'd0 && run % 4 == 3;
        if (clear) clears = clears + 1;
        if (rst) resets = resets + 1;
        tick;
        if (rst) begin
          rst = 1'b0;
          s_valid = 1'b0;
          // One time in eight not: then nothing matches, and all passes.
          if (rnd[28:26] != 3'd0) write(5'd17, asked);
        end
        clear = 1'b0;
        rnd = $random;
        if (!s_valid) begin
          draw_beat;
          s_valid = !pause(gaps, n, rnd);
        end
      end
      // Empty it.
      s_valid = 1'b0;
      m_ready = 1'b1;
      repeat (4) tick;
    end
    if (RUNS >= 300 && (sum < 4000 || passed < 5000 || dropped < 10000 || clears < 50 || resets < 10)) begin
      errors = errors + 1;
      $display("%0s: %0d matches, %0d beats passed, %0d dropped, %0d clears, %0d resets are too few", NAME, sum, passed, dropped, clears, resets);
    end
    verdict;
    $display("PASS %0s: %0d matches, %0d beats passed, %0d dropped, %0d clears, %0d resets", NAME, sum, passed, dropped, clears, resets);
    $finish;
  end

endmodule

`resetall
