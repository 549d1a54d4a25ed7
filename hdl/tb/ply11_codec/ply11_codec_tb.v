// SPDX-License-Identifier: Apache-2.0
// Test bench of the modules that read games: ply11_words (CODEC 0), ply11_brenner (1) and ply11_jose (2). It plays the
// lists of sim/vectors/player, input by input, and compares the operations, rows, brackets and texts with those that must
// come: at full speed, with idle clocks, with back-pressure, and with both; the main layout and the document's
// dialect once more behind a long text, for byte offsets of 17 and 20 bits. Then it plays from any game on until a reset
// comes, at any moment. Start positions are loaded before games that have one, some of them behind another that does not
// count. Latency, rate, the time of a bracket, s_ready, quiet and in_game are looked at in every clock.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_codec_tb;

  parameter CODEC = 2;
  // Of Brenner; of jose; variations inside each other.
  parameter LAYOUT = 0;
  parameter DIALECT = 0;
  parameter DEPTH = 0;
  // Games until Brenner's pieces are cleared: 511 of the main layout, 1, 3, 7 of the others.
  localparam GAMES = LAYOUT == 0 ? 9 : LAYOUT;
  // jose has a list with variations inside each other, of which the last is too deep for 31.
  localparam DEEP = CODEC == 2 && DEPTH != 0 && DEPTH != 3;

  // The modules' promises, in clocks.
  localparam LATENCY = 4;
  localparam BRACKET = 36;
  localparam CLEAR = 64;

  // Runs of all games, of which the last may have a text of so many bytes before them; runs with a reset.
  localparam RUNS = CODEC != 0 && LAYOUT == 0 && DIALECT == 0 ? 5 : 4;
  localparam TEXT = CODEC == 1 ? 65384 : 521288;
  localparam RESETS = DEEP ? 4 : 100;
  localparam MOST = 65536;
  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  // What comes out: an operation, a bracket, a row of a start record.
  localparam [1:0] BEAT = 2'd0, OPEN = 2'd1, CLOSE = 2'd2, ROW = 2'd3;

  localparam NAME = "ply11_codec_tb";
  localparam WATCHDOG = 4000000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0, done = 1'b0, row_ready = 1'b0;
  reg  [10:0] s_data = 11'd0;
  reg         load_clear = 1'b0, load_valid = 1'b0, load_state = 1'b0, load_side = 1'b0, load_bad = 1'b0;
  reg  [5:0]  load_square = 6'd0;
  reg  [3:0]  load_piece = 4'd0, load_ep = 4'd0;
  `include "ply11_codec_dut.vh"

  // ---- the lists, as sim/vectors/player/codec.go says ----
  reg [23:0]  inputs [0:MOST-1];
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
  integer     run, at, first, got, got_text, quiet, still, clocks, limit, game, k;
  integer     stamp [0:MOST-1];       // when an input was taken
  integer     last_op;                // and the last that became an operation
  integer     renews;                 // clocks for END and NEW still to come
  integer     waits, wait_done, cleared, clears;
  reg         took, expect_in_game, busy, follows, asked, finished, back, gaps, due;
  reg  [83:0] next;
  reg  [31:0] offset;                 // of it, from the reset on
  reg  [23:0] now, past;
  reg  [319:0] position;
  integer     loading;                // 0 no, 1 clear, 2..65 the squares, 66 the state
  integer     refused, renews_next;   // NEWs to come of positions that are refused; one begins
  integer     passes;                 // loads of this position to come, of which the last counts
  // Of words: the last of which it is known when it was at work, when that was, whether one was since of which it is not.
  integer     known, worked, word;
  reg         loose;

  integer total = 0;
  always @(posedge clk) if (m_valid && m_ready && !rst) total = total + 1;

  // An error at the input that comes next.
  task wrong(input [8*48-1:0] what);
    begin
      n = at;
      fail(what);
      if (errors <= 10) $display("  in run %0d, event %0d", run, got);
    end
  endtask

  // A byte's operation is offered four clocks after the byte was taken, an END that an ERROR comes before a clock later.
  task timely;
    if (m_kind != NEW) begin
      k = next[15:0];
      past = inputs[k];
      if (CODEC == 0) timely_word;
      else if (clocks - stamp[k] != LATENCY + (m_kind == END && past[19:16] == 2)) wrong("latency");
    end
  endtask

  // Two clocks from a word to its beat: one to the word's work, one to the output. The words before it are at work first.
  task timely_word;
    if (k == known) begin
      if (clocks - 2 != worked) wrong("latency of a second beat");
    end else begin
      for (word = known + 1; word <= k; word = word + 1) begin
        past = word == first ? 24'd0 : inputs[word-1];
        worked = worked + 1 + past[19:16];
        if (past[23:20] != 0) loose = 1'b1;
        if (worked < stamp[word] + 1) begin
          worked = stamp[word] + 1;
          if (!gaps && word != first && !loose) wrong("less than a word a clock");
        end
      end
      known = k;
      if (loose) worked = clocks - 1;
      else if (clocks - 1 != worked) wrong("latency");
      loose = 1'b0;
    end
  endtask

  // The next event has this sort, and of a row this address and these data.
  task event_is(input [1:0] sort, input [3:0] addr, input [31:0] data);
    begin
      if (got >= events || want[got][81:80] !== sort || want[got][79:76] !== addr || want[got][47:16] !== data)
        wrong("a wrong bracket or row");
      got = got + 1;
    end
  endtask

  initial begin
    for (k = 0; k < MOST; k = k + 1) games[k] = {320{1'b1}};
    case (CODEC)
      0: case (DEPTH)
        0: begin
          $readmemh("tb/ply11_codec/words-0.inputs.hex", inputs);
          $readmemh("tb/ply11_codec/words-0.events.hex", want);
          $readmemh("tb/ply11_codec/words-0.games.hex", games);
        end
        1: begin
          $readmemh("tb/ply11_codec/words-1.inputs.hex", inputs);
          $readmemh("tb/ply11_codec/words-1.events.hex", want);
          $readmemh("tb/ply11_codec/words-1.games.hex", games);
        end
        3: begin
          $readmemh("tb/ply11_codec/words-3.inputs.hex", inputs);
          $readmemh("tb/ply11_codec/words-3.events.hex", want);
          $readmemh("tb/ply11_codec/words-3.games.hex", games);
        end
        default: begin
          $readmemh("tb/ply11_codec/words-31.inputs.hex", inputs);
          $readmemh("tb/ply11_codec/words-31.events.hex", want);
          $readmemh("tb/ply11_codec/words-31.games.hex", games);
        end
      endcase
      1: begin
        case (LAYOUT)
          0: $readmemh("tb/ply11_codec/main.inputs.hex", inputs);
          1: $readmemh("tb/ply11_codec/alt.inputs.hex", inputs);
          2: $readmemh("tb/ply11_codec/alt-swapped.inputs.hex", inputs);
          default: $readmemh("tb/ply11_codec/alt-fixed.inputs.hex", inputs);
        endcase
        $readmemh("tb/ply11_codec/brenner.events.hex", want);
        $readmemh("tb/ply11_codec/brenner.texts.hex", want_text);
        $readmemh("tb/ply11_codec/brenner.games.hex", games);
      end
      default: if (DEEP) begin
        $readmemh("tb/ply11_codec/deep.inputs.hex", inputs);
        $readmemh("tb/ply11_codec/deep.events.hex", want);
        $readmemh("tb/ply11_codec/deep.games.hex", games);
      end else if (DIALECT == 0) begin
        $readmemh("tb/ply11_codec/document.inputs.hex", inputs);
        $readmemh("tb/ply11_codec/document.events.hex", want);
        $readmemh("tb/ply11_codec/document.texts.hex", want_text);
        $readmemh("tb/ply11_codec/document.games.hex", games);
      end else begin
        $readmemh("tb/ply11_codec/program.inputs.hex", inputs);
        $readmemh("tb/ply11_codec/program.events.hex", want);
        $readmemh("tb/ply11_codec/program.texts.hex", want_text);
        $readmemh("tb/ply11_codec/program.games.hex", games);
      end
    endcase
    number_of_games = 0;
    while (games[number_of_games + 1] != {320{1'b1}}) number_of_games = number_of_games + 1;
    // Of the deep games those that are not too deep; with 31 the one that is, too.
    if (DEEP && DEPTH < 31) number_of_games = DEPTH < 2 ? 1 : DEPTH < 5 ? 2 : DEPTH < 9 ? 3 : DEPTH < 17 ? 4 : 5;
    {count, events, texts} = {16'd0, games[number_of_games][319:304], 16'd0, games[number_of_games][303:288], 16'd0,
                              games[number_of_games][287:272]};
    clocks = 0;
    rnd = 32'd2463534242;
    run = -1;
    if (number_of_games < (DEEP ? 1 : 50) || events < (DEEP ? 10 : 1000) || games[number_of_games][271:0] !== 272'd0) wrong("the lists are missing");

    for (run = 0; run < RUNS + RESETS && errors < 20; run = run + 1) begin
      // A reset of one clock, with whatever there is.
      rst = 1'b1;
      rnd = after(rnd);
      s_valid = rnd[0];
      s_data = rnd[15:5];
      m_ready = rnd[1];
      row_ready = rnd[2];
      load_clear = rnd[18:16] == 0;
      load_valid = rnd[21:19] == 0;
      load_state = rnd[24:22] == 0;
      load_piece = rnd[28:25];
      load_bad = 1'b1;
      done = rnd[29];
      @(posedge clk);
      #1 rst = 1'b0;
      clocks = clocks + 1;
      if ((m_valid || row_valid || open || close || in_game) !== 1'b0) wrong("something goes on after a reset");
      gaps = run < RUNS ? run & 1 : rnd[2];
      back = run < RUNS ? run / 2 : rnd[3];
      rnd = after(rnd);
      game = run < RUNS ? 0 : rnd[15:0] % number_of_games;
      at = games[game][319:304];
      got = games[game][303:288];
      got_text = games[game][287:272];
      first = at;
      limit = run < RUNS ? clocks + 800000 : clocks + (rnd[17:16] == 0 ? 1 + rnd[20:18] : rnd[17:16] == 1 ? rnd[22:18] : rnd[24:18]);
      if (run >= RUNS && (games[game][271:268] != 0 || CODEC == 1) && rnd[26:25] != 0) limit = limit + CLEAR * (CODEC == 1 ? 3 : 1);
      {s_valid, done, busy, asked, follows, loose, expect_in_game, finished} = 8'd0;
      sink_held = 3'd0;
      {renews, waits, wait_done, loading, passes, quiet, still, refused, renews_next, cleared, worked} = 0;
      clears = 1;
      last_op = clocks - 100;
      known = at - 1;
      worked = clocks - 1;

      if (run == 4 && RUNS == 5) begin
        // The first game begins with a long text. Nothing is loaded meanwhile.
        {load_clear, load_valid, load_state} = 3'd0;
        m_ready = 1'b1;
        while (!load_ready) @(posedge clk) #1;
        s_valid = 1'b1;
        for (k = 0; k < TEXT; k = k + 1) begin
          s_data = k == 0 ? (CODEC == 2 ? 8'he0 : 8'd0) : k == TEXT - 1 ? 8'd0 : 8'd1 + k % 255;
          #1;
          if ((!s_ready || m_valid || text_valid !== (k != 0) || (text_valid && text_last !== (s_data == 8'd0))) !== 1'b0) wrong("the long text");
          @(posedge clk);
          #1;
        end
        s_valid = 1'b0;
        first = first - TEXT;
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
        end else if (loading != 0 && (loading == 1 ? calm : load_ready) && !(gaps && rnd[19:18] == 0)) begin
          load_clear = loading == 1;
          load_valid = loading > 1 && loading < 66;
          load_state = loading == 66;
          if (load_clear) clears = clears + 1;
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
        // Without s_valid, anything, and now and then the input that comes.
        now = inputs[at];
        s_data = s_valid || (at < count && rnd[20]) ? now[10:0] : rnd[18:8];
        m_ready = !(back && rnd[25]);
        row_ready = !(back && rnd[26]);
        done = (open || close) && wait_done == 0;
        if ((open || close) && wait_done != 0) wait_done = wait_done - 1;
        else if (CODEC == 0) wait_done = rnd[31:29];
        #1;

        // ---- outputs ----
        sink_of(2'd0, m_valid, m_ready, {m_kind, m_code, m_index, m_offset});
        sink_of(2'd1, row_valid, row_ready, {row_addr, row_data});
        next = want[got];
        offset = CODEC == 0 ? 11 * (next[15:0] - first) / 8 : next[47:16] - first;
        due = refused != renews_next || (got < events && next[15:0] < at);
        if (m_valid && !back && due && refused == 0) timely;
        if (m_valid && m_ready && m_kind == NEW && refused != 0) refused = refused - 1;
        else if (m_valid && m_ready) begin
          if (refused != 0) wrong("no NEW after a start position that is refused");
          if (!due || next[81:80] !== BEAT || m_kind !== next[77:76]
              || (m_kind != NEW && ((m_kind != PLY && next[60 + m_code] !== 1'b1) || (m_index !== next[58:48] && !next[59])
                                    || m_offset !== offset))) begin
            wrong("a wrong operation");
            if (errors <= 10)
              $display("  found kind %0d code %0d index %0d offset %0d, expected sort %0d kind %0d codes %b index %0d offset %0d",
                       m_kind, m_code, m_index, m_offset, next[83:80], next[79:76], next[75:60], next[59:48], offset);
          end
          got = got + 1;
        end
        if (row_valid && row_ready) event_is(ROW, row_addr, row_data);
        if (done) event_is(close ? CLOSE : OPEN, 4'd0, 32'd0);
        if (((open && close) || (row_valid && (open || close))) !== 1'b0) wrong("two of open, close and load_valid");
        if (((open || close) && (m_valid || (CODEC != 0 && s_ready))) !== 1'b0) wrong("open or close while something moves");
        if ((asked && !(open || close)) !== 1'b0) wrong("open or close fell early");
        asked = (open || close) && !done;
        // Ready, but for END and NEW, for brackets, and while pieces are cleared.
        took = s_valid && s_ready;
        if (CODEC != 0 && !busy && s_ready !== ((!m_valid || m_ready) && renews == 0 && load_ready)) wrong("s_ready");
        if (CODEC != 0 && busy && s_ready) begin
          busy = 1'b0;
          if (!back && follows && clocks - waits != BRACKET) wrong("time of a bracket");
          if (!follows && clocks - waits > 1) wrong("time of a bracket after an error");
        end
        if (renews != 0 && (!m_valid || m_ready)) renews = renews - 1;
        if (renews_next != 0) renews = 1;
        renews_next = 0;
        if (!load_ready) cleared = cleared + 1;
        if (CODEC == 0 ? still > 8 && !due && in_game !== expect_in_game : in_game !== expect_in_game) wrong("in_game");
        if (CODEC != 0 && calm !== !(in_game || due)) wrong("quiet");
        if ((text_valid && !took) !== 1'b0) wrong("a text without a byte");
        if (text_valid) begin
          if (got_text >= texts || {1'b0, text_kind, 3'd0, text_last, text_data} !== want_text[got_text]) wrong("a wrong text");
          got_text = got_text + 1;
        end
        quiet = (m_valid || row_valid || open || close || busy || at < count) ? 0 : quiet + 1;
        still = (took || loading != 0 || (m_valid && m_ready) || (row_valid && row_ready) || open || close) ? 0 : still + 1;
        if (still > 300) wrong("hangs");
        finished = still > 300 || (run < RUNS ? quiet > 60 : clocks >= limit);

        @(posedge clk);
        #1;
        if (took) begin
          stamp[at] = clocks;
          if (now[13]) last_op = clocks;
          expect_in_game = !now[12];
          renews = now[19:16];
          if (CODEC != 0 && now[23:20] != 0) begin
            busy = 1'b1;
            follows = now[23:20] == 4'd1;
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
      // At a reset, with a start position, and so often for the games.
      if (CODEC == 1 && cleared > CLEAR * (clears + number_of_games / (2 ** GAMES - 1))) wrong("cleared too often");
    end
    verdict;
    $display("PASS ply11_codec_tb CODEC=%0d LAYOUT=%0d DIALECT=%0d DEPTH=%0d: %0d games of %0d inputs, %0d resets, %0d operations in %0d clocks",
             CODEC, LAYOUT, DIALECT, DEPTH, number_of_games, count, RESETS, total, clocks);
    $finish;
  end

endmodule

`resetall
