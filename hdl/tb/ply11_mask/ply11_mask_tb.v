// SPDX-License-Identifier: Apache-2.0
// Streams of indices, of none to 300, with and without pauses on either side, and with rst in the midst of
// them: all bits of all words against a set that the bench keeps. The first 19 streams have each of
// the 1,968 indices. In each clock m_valid is as the header's latencies say, and s_ready is 1 if a memory is free.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_mask_tb;

  localparam NAME = "ply11_mask_tb";
  localparam WATCHDOG = 400000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1;
  reg         s_valid = 1'b0;
  reg  [10:0] s_index;
  reg         s_last;
  reg  [8:0]  s_count;
  reg         s_check, s_mate, s_stalemate;
  reg         m_ready = 1'b0;
  wire        s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [63:0] m_data;
  wire [4:0]  m_word;
  wire [8:0]  m_count;

  ply11_mask u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_index(s_index), .s_last(s_last), .s_count(s_count),
    .s_check(s_check), .s_mate(s_mate), .s_stalemate(s_stalemate),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_word(m_word), .m_last(m_last), .m_count(m_count),
    .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  localparam STREAMS = 160, DEEP = 8;
  // Streams that are accepted, in a ring: the set, as words, and what the last beat told.
  reg [1983:0] set [0:DEEP-1];
  reg [11:0]   told [0:DEEP-1];
  integer      due_at [0:DEEP-1];            // the clock in which its first word is due, if none is before it
  reg [1983:0] filling;
  reg [1983:0] want;
  integer      begun, put, get, left, word, tick, waited, resets, words;
  // When rst ended; from when on a word is due, if a stream is held; when the last word of a mask was taken.
  integer      started, due, ended;
  reg [10:0]   next_index;
  reg [31:0]   rnd;
  reg          took;

  // An error, and the word with it.
  task wrong(input [8*48-1:0] what);
    begin
      fail(what);
      if (errors <= 10) $display("  word %0d, clock %0d: %h", word, tick, m_data);
    end
  endtask

  // The next beat of a stream.
  task next_beat;
    begin
      s_valid = 1'b1;
      s_last = left == 0;
      rnd = $random;
      if (begun < 20) begin
        s_index = next_index;
        if (!s_last) next_index = next_index == 11'd1967 ? 11'd0 : next_index + 11'd1;
      end else s_index = rnd[10:0] < 11'd1968 ? rnd[10:0] : rnd[10:0] - 11'd1968;
      if (s_last) s_index = rnd[31:21];
      {s_count, s_check, s_mate, s_stalemate} = rnd[11:0] ^ rnd[23:12];
    end
  endtask

  task next_stream;
    begin
      rnd = $random;
      begun = begun + 1;
      left = begun < 20 ? 111 : rnd[3:0] == 4'd0 ? rnd[11:4] + 45 : rnd[3:2] == 2'd1 ? rnd[5:4] : rnd[9:4];
    end
  endtask

  initial begin
    begun = 0;
    put = 0;
    get = 0;
    word = 0;
    words = 0;
    tick = 0;
    waited = 0;
    resets = 0;
    started = 0;
    due = 0;
    ended = -2;
    next_index = 11'd0;
    filling = 1984'd0;
    repeat (4) @(posedge clk);
    #1 rst = 1'b0;
    next_stream;
    while (get < STREAMS && waited < 2000 && errors < 40) begin
      n = get;
      rnd = $random;
      if (!s_valid && put < STREAMS && (put % 32 < 12 || rnd[1:0] == 2'd0)) next_beat;
      m_ready = put % 32 < 6 || (put % 32 < 24 ? rnd[4] || rnd[5] : rnd[7:5] == 3'd0);
      #1;
      if (m_valid !== (get < put && tick >= due)) wrong("a word too early or too late");
      if ((tick < started + 32 ? s_ready : put - get <= 1 && !s_ready) !== 1'b0) wrong("s_ready");
      sink(m_valid, m_ready, {m_data, m_word, m_last, m_count, m_check, m_mate, m_stalemate});
      if (m_valid && m_ready) begin
        waited = 0;
        want = set[get % DEEP] >> (64 * word);
        if (get >= put) wrong("a word too many");
        else if (m_data !== want[63:0]) wrong("wrong bits");
        else if (m_word !== word || m_last !== (word == 30)) wrong("wrong number");
        else if ({m_count, m_check, m_mate, m_stalemate} !== told[get % DEEP]) wrong("not what the stream told");
        words = words + 1;
        word = word + 1;
        due = tick + 1;
        if (word == 31) begin
          word = 0;
          get = get + 1;
          // The next mask begins a clock later than a word would, and three clocks after its stream's end.
          ended = tick;
          due = due_at[get % DEEP] > tick + 2 ? due_at[get % DEEP] : tick + 2;
        end
      end
      took = s_valid && s_ready;
      if (took) begin
        if (s_last) begin
          if (put - get >= 3) wrong("a stream is taken that cannot be held");
          set[put % DEEP] = filling;
          told[put % DEEP] = {s_count, s_check, s_mate, s_stalemate};
          filling = 1984'd0;
          due_at[put % DEEP] = tick + 3;
          if (put == get) due = tick + 3 > ended + 2 ? tick + 3 : ended + 2;
          put = put + 1;
          next_stream;
        end else begin
          filling[s_index] = 1'b1;
          left = left - 1;
        end
      end
      @(posedge clk);
      #1;
      tick = tick + 1;
      waited = waited + 1;
      if (took) s_valid = 1'b0;
      // In the midst of streams, all is forgotten.
      if (tick % 5000 == 4321) begin
        rst = 1'b1;
        s_valid = 1'b0;
        @(posedge clk);
        #1 rst = 1'b0;
        if (m_valid !== 1'b0 || s_ready !== 1'b0) wrong("not reset");
        sink_held = 2'd0;
        resets = resets + 1;
        started = tick;
        put = get;
        word = 0;
        filling = 1984'd0;
        next_stream;
      end
    end
    if (get != STREAMS) wrong("streams lost");
    verdict;
    $display("PASS %0s: %0d streams, %0d words, %0d resets, %0d clocks", NAME, get, words, resets, tick);
    $finish;
  end

endmodule

`resetall
