// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_player_axis: packets of words and of Brenner's bytes, from a stream's start and
// from anywhere, cut where it happens, and empty ones, against a ply11_player that gets the same bytes without idle clocks
// or back-pressure and is reset between them.  All packets are sent without a pause, four times: at full
// speed, with idle clocks, with back-pressure on both outputs, with both.  The bytes are those of
// ply11_player's own bench.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_player_axis_tb;

  parameter WIDTH = 8;

  localparam MODES = WIDTH == 8 ? 3 : 1;
  // Variations take their time: speed is looked at where they are stepped over.
  localparam DEPTH = WIDTH == 8 ? 4 : 0;
  localparam BYTES = WIDTH / 8;
  localparam MOST_BYTES = 65536;
  localparam MOST = 32768;
  localparam PACKETS = 12;

  localparam NAME = "ply11_player_axis_tb";
  localparam WATCHDOG = 1000000;
  `include "ply11_bench.vh"

  reg [7:0] words [0:MOST_BYTES-1];
  reg [7:0] brenner [0:MOST_BYTES-1];
  integer   words_count, brenner_count;

  // ---- the reference ----
  reg              r_rst = 1'b1, r_valid = 1'b0, mode = 1'b0;
  reg  [WIDTH-1:0] r_data = 0;
  wire             r_ready, r_m_valid, r_side, r_text_valid, r_text_last, r_in_game;
  wire [1:0]       r_kind, r_result;
  wire [10:0]      r_index;
  wire [5:0]       r_from, r_to;
  wire [2:0]       r_promotion;
  wire [3:0]       r_man, r_captured, r_error, r_rights, r_ep;
  wire [31:0]      r_offset;
  wire [255:0]     r_board;
  wire [15:0]      r_ply;
  wire [7:0]       r_text_data;
  wire [2:0]       r_text_kind;
  wire [4:0]       r_depth;
  wire             r_load_ready;
  ply11_player #(.MODES(MODES), .WIDTH(WIDTH), .DEPTH(DEPTH)) u_reference (
    .clk(clk), .rst(r_rst), .mode({1'b0, mode}), .numbering(1'b0),
    .s_valid(r_valid), .s_ready(r_ready), .s_data(r_data),
    .load_valid(1'b0), .load_ready(r_load_ready), .load_addr(4'd0), .load_data(32'd0),
    .m_valid(r_m_valid), .m_ready(1'b1), .m_kind(r_kind), .m_index(r_index), .m_from(r_from),
    .m_to(r_to), .m_promotion(r_promotion), .m_man(r_man), .m_captured(r_captured),
    .m_result(r_result), .m_error(r_error), .m_offset(r_offset), .m_depth(r_depth),
    .board(r_board), .side(r_side), .rights(r_rights), .ep(r_ep), .ply(r_ply),
    .text_valid(r_text_valid), .text_data(r_text_data), .text_last(r_text_last),
    .text_kind(r_text_kind), .in_game(r_in_game)
  );
  // Index where it has a meaning.
  wire r_indexed = r_kind != 2'd2 && !(r_kind == 2'd3 && ERRS_OF_START[r_error]);

  // ---- the device ----
  reg              aresetn = 1'b0, reset = 1'b0, restart = 1'b0;
  reg              s_tvalid = 1'b0, s_tlast = 1'b0, m_tready = 1'b0, t_tready = 1'b0;
  reg  [WIDTH-1:0] s_tdata = 0;
  reg  [BYTES-1:0] s_tkeep = 0;
  wire             load_ready, s_tready, m_tvalid, m_tlast, t_tvalid, t_tlast, side, in_game;
  wire [127:0]     m_tdata;
  wire [7:0]       t_tdata;
  wire [34:0]      t_tuser;
  wire [255:0]     board;
  wire [3:0]       rights, ep;
  wire [15:0]      ply;
  reg              d_mode = 1'b0;
  ply11_player_axis #(.MODES(MODES), .WIDTH(WIDTH), .DEPTH(DEPTH)) u_dut (
    .aclk(clk), .aresetn(aresetn), .reset(reset), .restart(restart), .mode({1'b0, d_mode}), .numbering(1'b0),
    .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata),
    .s_axis_tkeep(s_tkeep), .s_axis_tlast(s_tlast),
    .load_valid(1'b0), .load_ready(load_ready), .load_addr(4'd0), .load_data(32'd0),
    .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata),
    .m_axis_tlast(m_tlast),
    .m_axis_text_tvalid(t_tvalid), .m_axis_text_tready(t_tready), .m_axis_text_tdata(t_tdata),
    .m_axis_text_tlast(t_tlast), .m_axis_text_tuser(t_tuser),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply), .in_game(in_game)
  );

  // {tlast, tdata, board} and {tlast, tuser, tdata} that must come.
  reg [384:0] want [0:MOST-1];
  reg [43:0]  want_text [0:MOST-1];
  integer     beats, texts, cuts, ends;
  integer     p, run, at, k, rest, quiet, got, got_text, clocks;
  reg         packet_mode [0:PACKETS-1];
  integer     packet_from [0:PACKETS-1];
  integer     packet_bytes [0:PACKETS-1];
  reg [31:0]  rnd;
  reg         took, offered, slow;
  reg [384:0] beat;
  reg [43:0]  text;

  function [7:0] byte_of(input m, input integer number);
    byte_of = m ? brenner[number] : words[number];
  endfunction

  // An error, and where it is. n is the number of the run.
  task wrong(input [8*48-1:0] what);
    begin
      fail(what);
      if (errors <= 10) $display("  beat %0d, byte %0d of the text", got, got_text);
    end
  endtask

  initial begin
    for (k = 0; k < MOST_BYTES; k = k + 1) begin
      words[k] = 8'hff;
      brenner[k] = 8'hff;
    end
    $readmemh("tb/ply11_player/words.bytes.hex", words);
    $readmemh("tb/ply11_player/main.bytes.hex", brenner);
    words_count = 0;
    brenner_count = 0;
    for (k = 0; k < MOST_BYTES; k = k + 1) begin
      if (words[k] != 8'hff) words_count = k + 1;
      if (brenner[k] != 8'hff) brenner_count = k + 1;
    end
    got = 0;
    got_text = 0;
    if (words_count < 1000 || brenner_count < 1000) fail("the vectors are missing");

    // Long ones first; then from the start, and from anywhere, up to 150 bytes; two without a byte.
    for (p = 0; p < PACKETS; p = p + 1) begin
      rnd = $random;
      packet_mode[p] = WIDTH == 8 && p % 2 == 1;
      rest = packet_mode[p] ? brenner_count : words_count;
      packet_from[p] = 0;
      packet_bytes[p] = p < 2 ? 500 : (p == 5 || p == 6) ? 0 : 1 + rnd[15:0] % 150;
      if (p > 7) packet_from[p] = rnd[31:16] % (rest - 151);
    end

    // What must come of them.
    beats = 0;
    texts = 0;
    cuts = 0;
    ends = 0;
    for (p = 0; p < PACKETS; p = p + 1) begin
      r_rst = 1'b1;
      r_valid = 1'b0;
      mode = packet_mode[p];
      @(posedge clk);
      @(posedge clk);
      #1 r_rst = 1'b0;
      at = 0;
      quiet = 0;
      while (quiet < 100) begin
        r_valid = at < packet_bytes[p];
        for (k = 0; k < BYTES; k = k + 1)
          r_data[8*k +: 8] = at + k < packet_bytes[p] ? byte_of(mode, packet_from[p] + at + k) : 8'hff;
        #1;
        quiet = (r_valid || r_m_valid) ? 0 : quiet + 1;
        if (r_m_valid) begin
          want[beats] = {r_kind == 2'd2, r_ep, r_rights, 3'd0, r_depth, r_ply, r_offset, r_captured, r_man, 5'd0, r_promotion,
                         2'd0, r_to, 2'd0, r_from, 5'd0, r_index & {11{r_indexed}}, 2'd0, r_result, r_error,
                         r_side, 5'd0, r_kind, r_board};
          beats = beats + 1;
          if (r_kind == 2'd2) ends = ends + 1;
        end
        if (r_text_valid) begin
          want_text[texts] = {r_text_last, r_text_kind, at[31:0], r_text_data};
          texts = texts + 1;
        end
        took = r_valid && r_ready;
        @(posedge clk);
        #1;
        if (took) at = at + BYTES;
      end
      if (r_in_game) begin
        want[beats] = {1'b1, r_ep, r_rights, 8'd0, r_ply, packet_bytes[p][31:0], 32'd0, 16'd0, 4'd0, ERR_CUT,
                       r_side, 5'd0, 2'd3, r_board};
        beats = beats + 1;
        cuts = cuts + 1;
      end
    end
    if (ends == 0 || cuts < 3 || (WIDTH == 8 && texts == 0)) fail("packets without ends, cuts or texts");

    for (run = 0; run < 4; run = run + 1) begin
      n = run;
      aresetn = 1'b0;
      s_tvalid = 1'b0;
      m_tready = 1'b0;
      t_tready = 1'b0;
      sink_held = 2'd0;
      @(posedge clk);
      @(posedge clk);
      #1 aresetn = 1'b1;
      p = 0;
      at = 0;
      got = 0;
      got_text = 0;
      quiet = 0;
      clocks = 0;
      offered = 1'b0;
      while (quiet < 200) begin
        rnd = $random;
        if (!offered && p < PACKETS && !(run[0] && rnd[1:0] != 2'd0)) begin
          offered = 1'b1;
          rest = packet_bytes[p] - at;
          // Where a beat is a byte, now and then one without a byte; at the end too.
          slow = WIDTH == 8 && rnd[9:6] == 4'd0;
          s_tlast = slow ? rest == 0 : rest <= BYTES;
          for (k = 0; k < BYTES; k = k + 1) begin
            s_tkeep[k] = k < rest && !slow;
            s_tdata[8*k +: 8] = s_tkeep[k] ? byte_of(packet_mode[p], packet_from[p] + at + k) : rnd[31:24];
          end
          // The mode counts with the first beat of a packet, and no more after it.
          d_mode = at == 0 ? packet_mode[p] : rnd[10];
        end
        s_tvalid = offered;
        m_tready = !(run[1] && rnd[3:2] != 2'd0);
        t_tready = !(run[1] && rnd[5:4] == 2'd0);
        #1;
        beat = {m_tlast, m_tdata, board};
        text = {t_tlast, t_tuser, t_tdata};
        if ({ep, rights, ply, side} !== {m_tdata[127:120], m_tdata[111:96], m_tdata[7]})
          wrong("the state beside and inside a beat");
        if ((m_tvalid ^ m_tvalid ^ t_tvalid ^ t_tvalid) !== 1'b0) wrong("a valid is x");
        sink_of(1'b0, m_tvalid, m_tready, beat);
        sink_of(1'b1, t_tvalid, t_tready, text);
        quiet = (m_tvalid || t_tvalid || p < PACKETS) ? 0 : quiet + 1;
        if (m_tvalid && m_tready) begin
          if (got >= beats || beat !== want[got]) begin
            wrong("a wrong beat");
            if (errors <= 10) $display("  found    %h\n  expected %h", beat, want[got]);
          end
          got = got + 1;
        end
        if (t_tvalid && t_tready) begin
          if (got_text >= texts || text !== want_text[got_text]) begin
            wrong("a wrong text");
            if (errors <= 10) $display("  found    %h\n  expected %h", text, want_text[got_text]);
          end
          got_text = got_text + 1;
        end
        took = s_tvalid && s_tready;
        if (p < 1) clocks = clocks + 1;
        @(posedge clk);
        #1;
        if (took) begin
          offered = 1'b0;
          if (!slow) at = at + BYTES;
          if (s_tlast) begin
            p = p + 1;
            at = 0;
          end
        end
      end
      if (got != beats || got_text != texts) wrong("beats or texts are missing");
      if (run == 0 && DEPTH == 0 && clocks > 500 * 8 / 11 * 6 / 5 + 100) fail("it is slow");
    end

    // A reset inside a packet: nothing is offered, and the next packet plays.
    p = 0;
    n = 4;
    aresetn = 1'b0;
    @(posedge clk);
    #1 aresetn = 1'b1;
    d_mode = 1'b0;
    s_tkeep = {BYTES{1'b1}};
    s_tlast = 1'b0;
    m_tready = 1'b0;
    for (k = 0; k < 40; k = k + 1) begin
      s_tvalid = 1'b1;
      s_tdata = {BYTES{8'h0c}};
      @(posedge clk);
      #1;
    end
    if (m_tvalid !== 1'b1) fail("nothing is offered before the reset");
    aresetn = 1'b0;
    s_tvalid = 1'b0;
    @(posedge clk);
    #1;
    if ((m_tvalid || t_tvalid || s_tready) !== 1'b0) fail("something moves in reset");
    m_tready = 1'b1;
    aresetn = 1'b1;
    got = 0;
    at = 0;
    for (quiet = 0; quiet < 400; quiet = quiet + 1) begin
      s_tvalid = at < packet_bytes[0];
      for (k = 0; k < BYTES; k = k + 1)
        s_tdata[8*k +: 8] = byte_of(1'b0, at + k);
      #1;
      if (m_tvalid) begin
        if ({m_tlast, m_tdata, board} !== want[got]) wrong("a wrong beat after a reset");
        got = got + 1;
      end
      took = s_tvalid && s_tready;
      @(posedge clk);
      #1;
      if (took) at = at + BYTES;
    end
    if (got < 14) fail("few beats after a reset");

    verdict;
    $display("PASS ply11_player_axis_tb WIDTH=%0d: %0d packets, %0d beats, %0d of them END, %0d cut, %0d bytes of text",
             WIDTH, PACKETS, beats, ends, cuts, texts);
    $finish;
  end

endmodule

`resetall
