// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_pack: random words in frames of random length (one frame in the first run)
// under every combination of four idle and four back-pressure patterns, against a queue of bits with
// the padding of each frame; the rate without stalls; then with resets at any moment.  In every clock of all that
// s_ready and m_valid are those of a count of bits and two registers.  Parameter WIDTH as in the module.  With IN not 11 it is
// ply11_gearbox that is tried, from IN to WIDTH bits.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_pack_tb;

  parameter IN = 11;
  parameter WIDTH = 8;
  // Input words in each of the 24 runs.
  parameter COUNT = 1500;

  localparam NAME = "ply11_pack_tb";
  localparam WATCHDOG = 2000000;
  `include "ply11_bench.vh"

  reg              rst = 1'b1;
  reg              s_valid = 1'b0;
  wire             s_ready;
  reg  [IN-1:0]    s_data = {IN{1'b0}};
  reg              s_last = 1'b0;
  wire             m_valid;
  reg              m_ready = 1'b0;
  wire [WIDTH-1:0] m_data;
  wire             m_last;

  generate
    if (IN == 11) begin : g_pack
      ply11_pack #(.WIDTH(WIDTH)) u_dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
      );
    end else begin : g_gearbox
      ply11_gearbox #(.IN(IN), .OUT(WIDTH)) u_dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
      );
    end
  endgenerate

  // All bits that must come out of a run, and at which of its words a frame ends. Each word may be a frame.
  localparam MOST = (IN + WIDTH - 1) / WIDTH * COUNT;
  reg  [MOST*WIDTH-1:0] bits;
  reg  [MOST-1:0]       ends;
  integer sent, sent_words, seen, total, clocks, first_out, tail, tick, pad;
  reg              running;

  reg [63:0] rnd;
  reg [IN-1:0] next;
  reg        next_last;

  // What is inside: bits that are not yet in an output word, a flush, and the first bits of the words in the registers.
  integer pending, cut, first_1, first_2;
  reg     valid_1, valid_2, last, emit, en, fits;

  initial begin
    running = 1'b0;
    total = 0;
    for (n = 0; n < 24; n = n + 1) begin
      rst = 1'b1;
      s_valid = 1'b0;
      m_ready = 1'b0;
      sent = 0;
      sent_words = 0;
      seen = 0;
      clocks = 0;
      first_out = -1;
      sink_held = 1'b0;
      ends = 0;
      pending = 0;
      cut = 0;
      last = 1'b0;
      {valid_1, valid_2} = 2'd0;
      @(posedge clk);
      @(posedge clk);
      #1 rst = 1'b0;
      tick = 0;
      tail = 0;
      while (tail < 64) begin
        rnd = {$random, $random};
        if (!s_valid && sent_words < COUNT && !pause(n & 3, tick, $random)) begin
          s_valid = 1'b1;
          next = rnd[IN-1:0];
          // Frames are short in some runs.
          next_last = sent_words == COUNT - 1 || (n != 0 && (n % 4 == 2 ? rnd[61:60] : rnd[63:60]) == 0);
        end
        {s_last, s_data} = s_valid ? {next_last, next} : $random;
        rst = n >= 16 && rnd[37:33] == 5'd0;
        m_ready = !pause((n >> 2) & 3, tick + 3, $random);
        #1;
        en = !valid_2 || m_ready;
        // Narrow: the bits that are held are one output word at most; wide: no flush goes on.
        fits = IN > WIDTH ? pending <= WIDTH : !last;
        if (s_ready !== (en && fits)) fail("s_ready");
        if (m_valid !== valid_2) fail("m_valid");
        if (valid_2 && m_data !== bits[first_2 +: WIDTH]) fail("not the word that is due");
        if (valid_2 && m_last !== ends[first_2 / WIDTH]) fail("not the m_last that is due");
        if (m_valid && first_out < 0) first_out = tick;
        sink(m_valid, m_ready, {m_last, m_data});
        if (m_valid && m_ready && n < 16) begin
          if (seen + WIDTH > sent) fail("a word too many");
          else begin
            if (m_data !== bits[seen +: WIDTH]) fail("wrong word");
            if (m_last !== ends[seen / WIDTH]) fail("wrong m_last");
          end
          seen = seen + WIDTH;
        end
        running = s_valid && s_ready;
        if (running) begin
          bits[sent +: IN] = s_data;
          sent = sent + IN;
          sent_words = sent_words + 1;
          if (s_last) begin
            for (pad = 0; pad < WIDTH; pad = pad + 1)
              if (sent % WIDTH != 0) begin
                bits[sent] = 1'b1;
                sent = sent + 1;
              end
            ends[sent / WIDTH - 1] = 1'b1;
          end
        end
        if (en) begin
          valid_2 = valid_1;
          first_2 = first_1;
          if (IN > WIDTH) begin
            // With the bits that are there, those of the next word, or ones after the last.
            emit = pending >= WIDTH || (pending > 0 && (last || running));
            pending = emit && last && pending <= WIDTH ? 0 : emit ? pending - WIDTH : pending;
            if (running) begin
              pending = pending + IN;
              last = s_last;
            end else if (pending == 0) last = 1'b0;
          end else begin
            // A flush sends words of ones until an output word leaves.
            emit = (running || last) && pending + IN >= WIDTH;
            pending = pending + ((running || last) ? IN : 0) - (emit ? WIDTH : 0);
            if (emit && last) pending = 0;
            last = last ? !emit : running && s_last && pending != 0;
          end
          valid_1 = emit;
          first_1 = cut;
          if (emit) cut = cut + WIDTH;
        end
        if (sent_words >= COUNT) tail = tail + 1;
        else clocks = clocks + 1;
        if (m_valid) tail = 0;
        @(posedge clk);
        #1;
        if (running) s_valid = 1'b0;
        tick = tick + 1;
        if (rst) begin
          // What was inside is gone.
          sent = 0;
          pending = 0;
          cut = 0;
          last = 1'b0;
          {valid_1, valid_2} = 2'd0;
          ends = 0;
          sink_held = 1'b0;
        end
      end
      total = total + seen / WIDTH;
      if (n < 16 && (seen != sent || sent < IN * COUNT)) fail("words lost");
      if (n == 0 && IN > WIDTH && clocks > sent / WIDTH + 4) fail("slower than an output a clock");
      if (n == 0 && IN < WIDTH && clocks > COUNT) fail("slower than a word a clock");
      if (n == 0 && first_out != (IN > WIDTH ? 3 : (WIDTH + IN - 1) / IN + 1)) fail("latency");
    end
    verdict;
    $display("PASS ply11_pack_tb IN=%0d WIDTH=%0d: %0d words", IN, WIDTH, total);
    $finish;
  end

endmodule

`resetall
