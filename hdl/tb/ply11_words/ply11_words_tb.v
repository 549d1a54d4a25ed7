// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_words. It sends random words: variations, texts, NAGs, good and bad start records, codes out of
// place, reserved codes. It follows the grammar of docs/WORDS.md word by word, and makes a list of the beats, loads and
// brackets that must come, and compares them. At full speed a beat comes two clocks after its word, and a word is taken in each clock but for
// NEW, brackets and start records. It does so four times: at full
// speed, with idle clocks, with back-pressure, and with both. Then it does the same with the longest text and with
// one variation too many. At last it resets the module at any moment.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off BLKSEQ */
module ply11_words_tb;

  parameter DEPTH = 0;

  localparam COUNT = 2800;
  localparam RESETS = 40;
  localparam MOST = 8192;
  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  // What comes out: a beat, a load, the brackets.
  localparam [2:0] BEAT = 3'd1, LOAD = 3'd2, OPEN = 3'd3, CLOSE = 3'd4;
  // Words above the moves, as docs/WORDS.md has them: four results, then NULL; NAG1 is the first of 31, RESERVED of 37.
  localparam [10:0] RESULT = 11'd1968, NULL = 11'd1972, BEGIN = 11'd1973, FINISH = 11'd1974, TEXT = 11'd1975, NAG = 11'd1976,
                    NAG1 = 11'd1977, START = 11'd2008, START_960 = 11'd2009, RESERVED = 11'd2010, IDLE = 11'd2047;

  localparam NAME = "ply11_words_tb";
  localparam WATCHDOG = 500000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0, load_ready = 1'b0, done = 1'b0;
  reg  [10:0] s_data = 11'd0;
  wire        s_ready, m_valid, in_game, load_valid, open, close;
  wire [1:0]  m_kind;
  wire [3:0]  m_code, load_addr;
  wire [10:0] m_index;
  wire [31:0] m_offset, load_data;

  ply11_words #(.DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
    .m_offset(m_offset), .in_game(in_game), .open(open), .close(close), .done(done),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data)
  );

  // ---- words ----
  reg [10:0] words [0:COUNT-1];
  integer    run;

  task put(input [10:0] word);
    if (n < COUNT) begin
      // Idle words may stand anywhere.
      if ($random % 40 == 0) begin
        words[n] = IDLE;
        n = n + 1;
      end
      if (n < COUNT) begin
        words[n] = word;
        n = n + 1;
      end
    end
  endtask

  // A start record: as good as none, or with one of its faults.
  task put_record(input integer fault);
    reg [285:0] record;
    integer     s, piece;
    begin
      record = 286'd0;
      for (s = 0; s < 64; s = s + 1) begin
        piece = $random & 15;
        record[4*s +: 4] = (piece % 8 == 7 || piece % 8 < 2) ? 4'd0 : piece;
      end
      s = $random & 31;
      record[4*s +: 4] = fault == 1 ? 4'd2 : 4'd1;
      record[4*(32+s) +: 4] = fault == 2 ? 4'd6 : 4'd9;
      if (fault == 3) record[4*(s+1) +: 4] = 4'd1;
      if (fault == 4) record[4*(63-s) +: 4] = 4'd9;
      if (fault == 4) record[4*(32+(s^1)) +: 4] = 4'd9;
      if (fault == 5) record[4*(s^2) +: 4] = ($random & 1) ? 4'd7 : 4'd15;
      if (fault == 6) record[4*(s^3) +: 4] = 4'd8;
      record[260:256] = $random;
      record[264:261] = fault == 7 ? 9 + ($random & 3) : ($random & 7) + ($random & 1);
      // The halfmove clock and the move number, which the module steps over.
      record[285:265] = $random;
      if (&record[274:264]) record[272] = 1'b0;
      if (&record[285:275]) record[285] = 1'b0;
      for (s = 0; s < 26; s = s + 1) begin
        // No idle words here but those that put adds; none of a record's own is all ones.
        put(record[11*s +: 11]);
      end
    end
  endtask

  // A start position of Chess960, of any words: results, too.
  task put_960;
    integer k;
    begin
      put(START_960);
      for (k = 0; k < 28; k = k + 1) put(($random & 1) ? RESULT + ($random & 7) : {$random} % IDLE);
    end
  endtask

  task put_text(input integer length);
    integer k;
    begin
      put(length);
      for (k = 0; k < 8 * length; k = k + 11) put({1'b0, $random} & 11'h3ff);
    end
  endtask

  // How many NAGs with a wrong operand there were, in all runs.
  integer nags = 0;

  task make;
    integer what, k;
    begin
      n = 0;
      // Words that differ from the idle word in one bit, out of a game and in one.
      for (k = 0; k < 22; k = k + 1) begin
        what = {$random} % RESULT;
        if (k > 10) put(what);
        put(IDLE ^ (11'd1 << k % 11));
        put(RESULT + 11'd2);
      end
      // A start record after any of them is not at the front.
      if (run % 4 == 2)
        for (k = 0; k < 11; k = k + 1) begin
          put(IDLE ^ (11'd1 << k));
          put(START);
          put_record(0);
          put(RESULT + 11'd3);
        end
      if (run == 4 || run == 7) begin
        put(11'd5);
        put(TEXT);
        put_text(2047);
        put(11'd6);
        put(TEXT);
        put_text(1024);
        put(11'd7);
      end
      // Variations 130 deep and back; on the way, at each depth one that ends at once.
      if (DEPTH == 0 && run == 1) begin
        for (k = 0; k < 130; k = k + 1) begin
          repeat (1 + ($random & 1)) put(NULL);
          put(BEGIN);
          put(NULL);
          put(FINISH);
          put(BEGIN);
        end
        for (k = 0; k < 130; k = k + 1) begin
          put(11'd8);
          put(FINISH);
        end
        put(11'd9);
        put(RESULT + 11'd1);
      end
      // As many as are followed, and back.
      if (DEPTH != 0 && run == 1) begin
        for (k = 0; k < DEPTH; k = k + 1) begin
          put(11'd8 + k);
          put(BEGIN);
        end
        for (k = 0; k < DEPTH; k = k + 1) begin
          put(11'd9 + k);
          put(FINISH);
        end
        put(11'd10);
        put(RESULT + 11'd1);
      end
      // As many as may be, and one more.
      if (run == 5) begin
        for (k = 0; k <= (DEPTH == 0 ? 255 : DEPTH); k = k + 1) begin
          put(NULL);
          put(BEGIN);
        end
        put(RESULT + 11'd1);
      end
      while (n < (run % 4 == 3 ? COUNT - 120 : COUNT)) begin
        what = $random & 63;
        case (what)
          0, 1:    put(RESULT + ($random & 3));
          2:       put(NULL);
          3, 4, 5, 6: put(BEGIN);
          7, 8, 9, 10: put(FINISH);
          11:      begin put(TEXT); put_text($random & 15); end
          12:      begin put(NAG); put($random & 8'hff); end
          13:      put(NAG1 + ($random & 15));
          14: case ($random & 7)
            0: put(RESERVED + ($random & 31));
            1: begin
              // Each bit that is too high, alone.
              put(NAG);
              put((11'd1024 >> (nags % 3)) + ($random & 255));
              nags = nags + 1;
            end
            2: begin put(START); put_record(0); end
            3: put_960;
            4: begin put(RESULT + ($random & 3)); put_960; end
            default: begin
              // Where a record is in its place: behind a result.
              put(RESULT + ($random & 3));
              put(START);
              put_record(($random & 1) ? 0 : $random & 7);
            end
          endcase
          15:      begin put(11'd10); put(BEGIN); put(11'd20); put(FINISH); end
          default: put({$random} % RESULT);
        endcase
      end
      // A start record that no word follows.
      if (run % 4 == 3) begin
        put(RESULT);
        put(START);
        put_record(0);
        while (n < COUNT) put(IDLE);
      end
    end
  endtask

  // ---- what must come ----
  // {sort, compare the offset, kind, code, index, offset} or {sort, address, data}.
  reg [54:0] want [0:MOST-1];
  integer    events, faults;
  reg        ends_inside;
  // Clocks in which nothing is taken after a word; -1: a bracket or a record, as long as others take.
  integer    after [0:COUNT-1];

  task expect_beat(input exact, input [1:0] kind, input [3:0] code, input [10:0] index, input integer bits);
    reg [31:0] place;
    begin
      place = exact ? bits / 8 : 0;
      want[events] = {BEAT, exact, kind, code, index, place, 2'd0};
      events = events + 1;
    end
  endtask

  task follow;
    integer     i, k, left, state, nest, bits;
    reg         front, skip, moved, bad, misplaced;
    reg  [10:0] w;
    reg [285:0] record;
    integer     white, black;
    begin
      events = 0;
      faults = 0;
      state = 0;      // 0 a code, 1 a length, 2 text, 3 a NAG's number, 4 a start record
      nest = 0;
      left = 0;
      front = 1'b1;
      skip = 1'b0;
      moved = 1'b0;
      record = 286'd0;
      for (i = 0; i < COUNT; i = i + 1) begin
        w = words[i];
        bits = 11 * i;
        after[i] = state == 4 || (state == 0 && w == START) ? -1 : 0;
        if (w != IDLE) case (state)
          1: begin
            left = (8 * w + 10) / 11;
            state = left == 0 ? 0 : 2;
          end
          2: begin
            left = left - 1;
            if (left == 0) state = 0;
          end
          3: begin
            if (w > 255) begin
              if (!skip) expect_beat(1, ERROR, ERR_OPERAND, w, bits);
              if (!skip) faults = faults + 1;
              skip = 1'b1;
            end
            state = 0;
          end
          4: begin
            record[11*left +: 11] = w;
            left = left + 1;
            // The rows that are whole with this word.
            for (k = 0; k < 9; k = k + 1)
              if (!skip && (k == 8 ? left == 26 : 11 * left >= 32 * k + 32 && 11 * left < 32 * k + 43)) begin
                want[events] = {LOAD, k[3:0], k == 8 ? {23'd0, record[264:256]} : record[32*k +: 32], 16'd0};
                events = events + 1;
              end
            if (left == 26) begin
              state = 0;
              white = 0;
              black = 0;
              bad = record[264:261] > 8;
              for (k = 0; k < 64; k = k + 1) begin
                if (record[4*k +: 4] == 1) white = white + 1;
                if (record[4*k +: 4] == 9) black = black + 1;
                if (record[4*k +: 3] == 7 || record[4*k +: 4] == 8) bad = 1'b1;
              end
              if (!skip) begin
                if (bad || white != 1 || black != 1) begin
                  // The rows have gone; the usual position comes after them.
                  expect_beat(0, NEW, 0, 0, 0);
                  expect_beat(1, ERROR, ERR_START, 0, bits);
                  faults = faults + 1;
                  skip = 1'b1;
                end
              end
            end
          end
          default: begin
            misplaced = (w == START || w == START_960) && !front;
            front = 1'b0;
            if (w < RESULT || w == NULL) begin
              moved = 1'b1;
              if (!skip && (nest == 0 || DEPTH != 0)) expect_beat(1, PLY, 0, w, bits);
            end else if (w < NULL) begin
              after[i] = !skip && nest != 0 ? 2 : 1;
              if (!skip && nest != 0) begin
                expect_beat(1, ERROR, ERR_PLACE, w, bits);
                expect_beat(1, END, w - RESULT, 0, bits);
              end else expect_beat(1, END, w - RESULT, 0, bits);
              expect_beat(0, NEW, 0, 0, 0);
              front = 1'b1;
              skip = 1'b0;
              moved = 1'b0;
              nest = 0;
            end else begin
              bad = w >= START_960 || misplaced || (w == BEGIN && (!moved || nest == (DEPTH == 0 ? 255 : DEPTH)))
                    || (w == FINISH && (!moved || nest == 0));
              if (bad && !skip) begin
                faults = faults + 1;
                expect_beat(1, ERROR, w >= RESERVED ? ERR_CODE : w == START_960 && !misplaced ? ERR_CHESS960
                            : (DEPTH != 0 && w == BEGIN && moved) ? ERR_DEPTH : ERR_PLACE, w, bits);
              end
              skip = skip || bad;
              if (w == BEGIN || w == FINISH) begin
                if (!skip && DEPTH != 0) begin
                  after[i] = -1;
                  want[events] = {w == BEGIN ? OPEN : CLOSE, 52'd0};
                  events = events + 1;
                end
                nest = nest + (w == BEGIN ? 1 : -1);
                moved = w == FINISH;
              end
              state = w == TEXT ? 1 : w == NAG ? 3 : w == START ? 4 : w == START_960 ? 2 : 0;
              left = w == START_960 ? 28 : 0;
            end
          end
        endcase
      end
      ends_inside = !front;
    end
  endtask

  // ---- the run ----
  integer     at, got, quiet, bracket, clocks, limit;
  reg  [31:0] rnd;
  reg         took, held;
  reg  [48:0] beat, held_beat;
  // When words were taken, the last one of which it is known when it was at work, when that was, and whether one was since of which it
  // is not.
  integer     stamp [0:COUNT-1];
  integer     known, worked, word, k;
  reg         loose;

  // Two clocks from a word to its beat: one to the word's work, one to the output. The words before it are at work first.
  task timely;
    if (m_kind != NEW) begin
      word = (8 * m_offset + 10) / 11;
      // A result's ERROR, and then its END.
      if (word == known) begin
        if (clocks - 2 != worked) wrong("latency of a second beat");
      end else begin
        for (k = known + 1; k <= word; k = k + 1) begin
          worked = worked + 1 + (k == 0 ? 0 : after[k-1]);
          if (k > 0 && after[k-1] < 0) loose = 1'b1;
          if (worked < stamp[k] + 1) begin
            worked = stamp[k] + 1;
            if (!run[0] && k > 0 && !loose) wrong("less than a word a clock");
          end
        end
        known = word;
        if (loose) worked = clocks - 1;
        else if (clocks - 1 != worked) wrong("latency");
        loose = 1'b0;
      end
    end
  endtask
  reg  [54:0] found;

  // An error at the word that comes next.
  task wrong(input [8*48-1:0] what);
    begin
      n = at;
      fail(what);
      if (errors <= 10) $display("  in run %0d, event %0d", run, got);
    end
  endtask

  task event_is(input [54:0] e);
    begin
      if (got >= events || e !== want[got]) begin
        wrong("a wrong event");
        if (errors <= 10) $display("  found %h, expected %h", e, want[got]);
      end
      got = got + 1;
    end
  endtask

  initial begin
    for (run = 0; run < 8 + RESETS; run = run + 1) begin
      if (run < 8) begin
        make;
        follow;
      end
      // Resets: after some clocks, and with whatever there is.
      limit = 1 + ({$random} % (run % 2 == 0 ? 60 : 600));
      if (run < 8 && faults < 10) wrong("few faults");
      rst = 1'b1;
      if (run < 8) @(posedge clk);
      @(posedge clk);
      #1 rst = 1'b0;
      s_valid = 1'b0;
      done = 1'b0;
      at = 0;
      got = 0;
      quiet = 0;
      bracket = 0;
      held = 1'b0;
      held_beat = 0;
      clocks = 0;
      known = -1;
      worked = 0;
      loose = 1'b0;
      if ((m_valid || load_valid || open || close || in_game) !== 1'b0) wrong("something goes on after a reset");
      while (quiet < 60 && (run < 8 || clocks < limit)) begin
        clocks = clocks + 1;
        rnd = $random;
        if (at < COUNT && !(run[0] && rnd[1:0] != 2'd0)) s_valid = 1'b1;
        // Without s_valid, anything, and now and then the word that comes.
        s_data = s_valid || (at < COUNT && rnd[21]) ? words[at] : rnd[20:10];
        m_ready = !(run[1] && rnd[3:2] != 2'd0);
        load_ready = !(run[1] && rnd[5:4] != 2'd0);
        // The stack takes its time.
        done = (open || close) && bracket == 0;
        bracket = (open || close) && bracket != 0 ? bracket - 1 : rnd[9:7];
        #1;
        beat = {m_kind, m_code, m_index, m_offset};
        if ((held && (!m_valid || beat !== held_beat)) !== 1'b0) wrong("changed while stalled");
        held = m_valid && !m_ready;
        held_beat = beat;
        quiet = (s_valid || m_valid || load_valid || open || close || at < COUNT) ? 0 : quiet + 1;
        if (m_valid && run < 8 && !run[1]) timely;
        if (m_valid && m_ready) begin
          // Without a meaning: the code of PLY and NEW, the index of what has none, NEW's offset.
          found = {BEAT, 1'b1, m_kind, (m_kind == END || m_kind == ERROR) ? m_code : 4'd0,
                   (m_kind == PLY || (m_kind == ERROR && !ERRS_OF_START[m_code])) ? m_index : 11'd0, m_offset, 2'd0};
          if (got < events && !want[got][51]) {found[51], found[33:2]} = 33'd0;
          event_is(found);
        end
        if (load_valid && load_ready) event_is({LOAD, load_addr, load_data, 16'd0});
        if (done) event_is({open ? OPEN : CLOSE, 52'd0});
        if (((open && close) || (load_valid && (open || close))) !== 1'b0) wrong("two of open, close and load_valid");
        took = s_valid && s_ready;
        @(posedge clk);
        #1;
        if (took) begin
          stamp[at] = clocks;
          s_valid = 1'b0;
          at = at + 1;
        end
      end
      if (run < 8 && (got != events || in_game !== ends_inside)) begin
        wrong("the end");
        $display("  %0d events, expected %0d; in_game %b, expected %b", got, events, in_game, ends_inside);
      end
    end
    verdict;
    $display("PASS ply11_words_tb DEPTH=%0d: 8 streams of %0d words, in the last %0d events, %0d faults", DEPTH,
             COUNT, events, faults);
    $finish;
  end

endmodule

`resetall
