// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_jose: the games of sim/vectors/player, byte by byte, against its list of the operations, brackets and
// texts that must come, four times: at full speed, with idle clocks, with back-pressure, with both; in the document's
// dialect once more behind a long text, for byte offsets of twenty bits. Then from any game on until a reset comes, at any moment.  Start positions are loaded before games that have one, some after another
// that does not count.  Latency, the rate, the time of a bracket, s_ready and in_game are looked at in every clock.
// DIALECT 0 has vectors with DEPTH 0, DIALECT 1 with DEPTH 3, and with 1, 2, 5, 9, 17 and 31 games with as many variations inside each other.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_jose_tb;

  parameter DIALECT = 0;
  parameter DEPTH = 0;
  // The vectors of games whose variations are inside each other.
  localparam DEEP = DEPTH != 0 && DEPTH != 3;

  // The module's promises, in clocks.
  localparam LATENCY = 4;
  localparam BRACKET = 36;

  // Runs of all games, of which the last may have a text of so many bytes before them; runs with a reset.
  localparam RUNS = DIALECT == 0 ? 5 : 4;
  localparam TEXT = 521288;
  localparam RESETS = DEEP ? 4 : 100;
  localparam MOST = 16384;
  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  // What comes out: an operation, or a bracket.
  localparam [1:0] BEAT = 2'd0, OPEN = 2'd1, CLOSE = 2'd2;

  localparam NAME = "ply11_jose_tb";
  localparam WATCHDOG = 2000000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0, done = 1'b0;
  reg  [7:0]  s_data = 8'd0;
  reg         load_clear = 1'b0, load_valid = 1'b0, load_state = 1'b0, load_side = 1'b0, load_bad = 1'b0;
  reg  [5:0]  load_square = 6'd0;
  reg  [3:0]  load_piece = 4'd0, load_ep = 4'd0;
  wire        s_ready, m_valid, in_game, text_valid, text_last, open, close, calm;
  wire [1:0]  m_kind;
  wire [2:0]  text_kind;
  wire [3:0]  m_code;
  wire [7:0]  text_data;
  wire [10:0] m_index;
  wire [31:0] m_offset;

  ply11_jose #(.DIALECT(DIALECT), .DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
    .m_offset(m_offset), .in_game(in_game),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind),
    .open(open), .close(close), .done(done),
    .quiet(calm), .load_clear(load_clear), .load_valid(load_valid), .load_square(load_square), .load_piece(load_piece),
    .load_state(load_state), .load_side(load_side), .load_ep(load_ep), .load_bad(load_bad)
  );

  // ---- the vectors, as sim/vectors/player/codec.go says ----
  reg [19:0]  bytes [0:MOST-1];
  reg [83:0]  want [0:MOST-1];
  reg [15:0]  want_text [0:MOST-1];
  reg [319:0] games [0:MOST-1];
  integer     count, events, texts, number_of_games;

  // The same numbers in every simulator.
  reg [31:0] rnd;
  function [31:0] after(input [31:0] x);
    begin
      after = x ^ (x << 13);
      after = after ^ (after >> 17);
      after = after ^ (after << 5);
    end
  endfunction

  // ---- the run ----
  integer     run, at, base, got, got_text, quiet, still, clocks, limit, game, k;
  integer     stamp [0:MOST-1];       // when a byte was taken
  integer     last_op;                // and the last that became an operation
  integer     renews;                 // clocks for END and NEW still to come
  integer     waits, wait_done;
  reg         took, held, expect_in_game, busy, follows, asked, finished, back, gaps;
  reg  [48:0] beat, held_beat;
  reg  [83:0] next;
  reg  [19:0] next_byte;
  reg  [319:0] position;
  integer     loading;                // 0 no, 1 clear, 2..65 the squares, 66 the state
  integer     refused, renews_next;   // NEWs to come of positions that are refused; one begins
  integer     passes;                 // loads of this position to come, of which the last counts

  integer total = 0;
  always @(posedge clk) if (m_valid && m_ready && !rst) total = total + 1;

  // An error at the byte that comes next.
  task wrong(input [8*48-1:0] what);
    begin
      n = at;
      fail(what);
      if (errors <= 10) $display("  in run %0d, event %0d", run, got);
    end
  endtask

  initial begin
    for (k = 0; k < MOST; k = k + 1) begin
      bytes[k] = 20'hfffff;
      want[k] = {84{1'b1}};
      want_text[k] = 16'hffff;
      games[k] = {320{1'b1}};
    end
    if (DIALECT == 0 && DEPTH == 0) begin
      $readmemh("tb/ply11_jose/document.bytes.hex", bytes);
      $readmemh("tb/ply11_jose/document.events.hex", want);
      $readmemh("tb/ply11_jose/document.texts.hex", want_text);
      $readmemh("tb/ply11_jose/document.games.hex", games);
    end
    if (DIALECT == 1 && DEPTH == 3) begin
      $readmemh("tb/ply11_jose/program.bytes.hex", bytes);
      $readmemh("tb/ply11_jose/program.events.hex", want);
      $readmemh("tb/ply11_jose/program.texts.hex", want_text);
      $readmemh("tb/ply11_jose/program.games.hex", games);
    end
    if (DIALECT == 1 && DEEP) begin
      $readmemh("tb/ply11_jose/deep.bytes.hex", bytes);
      $readmemh("tb/ply11_jose/deep.events.hex", want);
      $readmemh("tb/ply11_jose/deep.games.hex", games);
    end
    number_of_games = 0;
    while (games[number_of_games + 1] != {320{1'b1}}) number_of_games = number_of_games + 1;
    // Of the deep games those that are not too deep; with 31 the one that is, too.
    if (DEEP && DEPTH < 31) number_of_games = DEPTH < 2 ? 1 : DEPTH < 5 ? 2 : DEPTH < 9 ? 3 : DEPTH < 17 ? 4 : 5;
    {count, events, texts} = {16'd0, games[number_of_games][319:304], 16'd0, games[number_of_games][303:288], 16'd0,
                              games[number_of_games][287:272]};
    clocks = 0;
    rnd = 32'd2463534242;
    run = -1;
    if (number_of_games < (DEEP ? 1 : 50) || events < (DEEP ? 10 : 1000) || bytes[count - 1] !== 20'h013ff) wrong("the vectors are missing");

    for (run = 0; run < RUNS + RESETS && errors < 20; run = run + 1) begin
      // A reset of one clock, with whatever there is.
      rst = 1'b1;
      rnd = after(rnd);
      s_valid = rnd[0];
      s_data = rnd[15:8];
      m_ready = rnd[1];
      load_clear = rnd[18:16] == 0;
      load_valid = rnd[21:19] == 0;
      load_state = rnd[24:22] == 0;
      load_piece = rnd[28:25];
      load_bad = 1'b1;
      done = rnd[29];
      @(posedge clk);
      #1 rst = 1'b0;
      clocks = clocks + 1;
      if ((m_valid || open || close || in_game) !== 1'b0) wrong("something goes on after a reset");
      gaps = run < RUNS ? run & 1 : rnd[2];
      back = run < RUNS ? run / 2 : rnd[3];
      rnd = after(rnd);
      game = run < RUNS ? 0 : rnd[15:0] % number_of_games;
      at = games[game][319:304];
      got = games[game][303:288];
      got_text = games[game][287:272];
      base = at;
      limit = run < RUNS ? clocks + 400000 : clocks + (rnd[17:16] == 0 ? 1 + rnd[20:18] : rnd[17:16] == 1 ? rnd[22:18] : rnd[24:18]);
      if (run >= RUNS && games[game][271:268] != 0 && rnd[26:25] != 0) limit = limit + 70;
      s_valid = 1'b0;
      done = 1'b0;
      held = 1'b0;
      held_beat = 49'd0;
      busy = 1'b0;
      asked = 1'b0;
      follows = 1'b0;
      renews = 0;
      last_op = clocks - 100;
      waits = 0;
      wait_done = 0;
      expect_in_game = 1'b0;
      loading = 0;
      passes = 0;
      quiet = 0;
      still = 0;
      refused = 0;
      renews_next = 0;
      finished = 1'b0;

      if (run == 4 && RUNS == 5) begin
        // The first game begins with a long text. Nothing is loaded meanwhile.
        {load_clear, load_valid, load_state} = 3'd0;
        m_ready = 1'b1;
        s_valid = 1'b1;
        for (k = 0; k < TEXT; k = k + 1) begin
          s_data = k == 0 ? 8'he0 : k == TEXT - 1 ? 8'd0 : 8'd1 + k % 255;
          #1;
          if ((!s_ready || m_valid || text_valid !== (k != 0) || text_last !== (s_data == 8'd0)) !== 1'b0) wrong("the long text");
          @(posedge clk);
          #1;
        end
        s_valid = 1'b0;
        base = base - TEXT;
        expect_in_game = 1'b1;
      end

      while (!finished && errors < 20) begin
        rnd = after(rnd);
        // ---- inputs ----
        // A start position, once all is still: quiet says so.
        position = games[game];
        load_clear = 1'b0;
        load_valid = 1'b0;
        load_state = 1'b0;
        load_side = rnd[0];
        load_bad = rnd[1];
        load_ep = rnd[5:2];
        load_square = rnd[11:6];
        load_piece = rnd[15:12];
        if (loading == 0 && at == position[319:304] && game < number_of_games) begin
          if (position[271:268] == 0) game = game + 1;
          else if (got == position[303:288]) begin
            loading = 1;
            passes = rnd[17:16] == 0 ? 2 : 1;
          end
        end else if (loading != 0 && (loading != 1 || calm) && !(gaps && rnd[19:18] == 0)) begin
          load_clear = loading == 1;
          load_valid = loading > 1 && loading < 66;
          load_state = loading == 66;
          if (load_valid) begin
            load_square = (loading - 2) ^ 56;
            // What does not count: too many of all.
            load_piece = passes == 2 ? 4'd1 + rnd[22:20] % 6 : position[4*load_square +: 4];
          end
          if (load_state && passes == 1) {load_bad, load_ep, load_side} = {position[264], position[263:260], position[256]};
          loading = loading + 1;
          // Refused: a NEW comes, and no byte is taken in the clock before.
          if (load_state && (passes == 2 || (want[got][77:76] == ERROR && want[got][75:60] == ERRS_OF_START))) begin
            refused = refused + 1;
            renews_next = 1;
          end
          if (loading > 66) begin
            loading = passes == 2 ? 1 : 0;
            passes = passes - 1;
            if (passes == 0) game = game + 1;
          end
        end
        if (loading == 0 && !load_state && at < count && (at != position[319:304] || position[271:268] == 0 || game == number_of_games)
            && !(gaps && rnd[24])) s_valid = 1'b1;
        next_byte = bytes[at];
        s_data = s_valid ? next_byte[7:0] : rnd[15:8];
        m_ready = !(back && rnd[25]);
        done = (open || close) && wait_done == 0;
        if ((open || close) && wait_done != 0) wait_done = wait_done - 1;
        #1;

        // ---- outputs ----
        beat = {m_kind, m_code, m_index, m_offset};
        if ((held && (!m_valid || beat !== held_beat)) !== 1'b0) wrong("changed while stalled");
        held = m_valid && !m_ready;
        held_beat = beat;
        next = want[got];
        if (m_valid && !back && got < events && m_kind != NEW && m_kind != END && clocks - stamp[next[15:0]] != LATENCY) wrong("latency");
        if (m_valid && m_ready && m_kind == NEW && refused != 0) refused = refused - 1;
        else if (m_valid && m_ready) begin
          if (refused != 0) wrong("no NEW after a start position that is refused");
          if (got >= events || next[81:80] !== BEAT || m_kind !== next[77:76]
              || (m_kind != NEW && ((m_kind != PLY && next[60 + m_code] !== 1'b1) || m_index !== next[58:48]
                                    || m_offset + base !== next[47:16]))) begin
            wrong("a wrong operation");
            if (errors <= 10)
              $display("  found kind %0d code %0d index %0d offset %0d, expected sort %0d kind %0d codes %b index %0d offset %0d",
                       m_kind, m_code, m_index, m_offset + base, next[83:80], next[79:76], next[75:60], next[59:48], next[47:16]);
          end
          got = got + 1;
        end
        if ((open && close) !== 1'b0) wrong("open and close");
        if (((open || close) && (m_valid || s_ready)) !== 1'b0) wrong("open or close while something moves");
        if ((asked && !(open || close)) !== 1'b0) wrong("open or close fell early");
        asked = (open || close) && !done;
        if (done) begin
          if (got >= events || want[got][81:80] !== (close ? CLOSE : OPEN)) wrong("a wrong bracket");
          got = got + 1;
        end
        // Ready, but for END and NEW, and for brackets.
        took = s_valid && s_ready;
        if (!busy && s_ready !== ((!m_valid || m_ready) && renews == 0)) wrong("s_ready");
        if (busy && s_ready) begin
          busy = 1'b0;
          if (!back && follows && clocks - waits != BRACKET) wrong("time of a bracket");
          if (!follows && clocks - waits > 1) wrong("time of a bracket after an error");
        end
        if (renews != 0 && (!m_valid || m_ready)) renews = renews - 1;
        if (renews_next != 0) renews = 1;
        renews_next = 0;
        if (in_game !== expect_in_game) wrong("in_game");
        if ((text_valid && !took) !== 1'b0) wrong("a text without a byte");
        if (text_valid) begin
          if (got_text >= texts || {1'b0, text_kind, 3'd0, text_last, text_data} !== want_text[got_text]) wrong("a wrong text");
          got_text = got_text + 1;
        end
        quiet = (m_valid || busy || at < count) ? 0 : quiet + 1;
        still = (took || loading != 0 || (m_valid && m_ready)) ? 0 : still + 1;
        if (still > 300) wrong("hangs");
        finished = still > 300 || (run < RUNS ? quiet > 60 : clocks >= limit);

        @(posedge clk);
        #1;
        if (took) begin
          stamp[at] = clocks;
          if (next_byte[9]) last_op = clocks;
          expect_in_game = !next_byte[8];
          renews = next_byte[15:12];
          if (next_byte[19:16] != 0) begin
            busy = 1'b1;
            follows = next_byte[19:16] == 4'd1;
            // It begins when all operations have left.
            waits = last_op > clocks - LATENCY ? last_op + LATENCY + 1 : clocks + 1;
            if (back) waits = clocks + 100;
            wait_done = back ? rnd[31:26] : rnd[30:26];
          end
          s_valid = 1'b0;
          at = at + 1;
        end
        clocks = clocks + 1;
      end
      if (run < RUNS && got != events) wrong("events are missing");
      if (run < RUNS && got_text != texts) wrong("texts are missing");
    end
    verdict;
    $display("PASS ply11_jose_tb DIALECT=%0d DEPTH=%0d: %0d games of %0d bytes, %0d resets, %0d operations in %0d clocks", DIALECT,
             DEPTH, number_of_games, count, RESETS, total, clocks);
    $finish;
  end

endmodule

`resetall
