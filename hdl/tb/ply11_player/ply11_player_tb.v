// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_player: streams of games with set-up positions, texts, NAGs, variations, null moves and
// faults, made by sim/vectors/player from package position, against every beat that must come, with the whole
// position.  Each stream is played four times: at full speed, with idle clocks, with back-pressure, with
// both; then from its start until a reset comes, at any moment.  MODE 0 words (WIDTH 8, 32, 64), 1 Brenner with LAYOUT, 2 jose with DIALECT, 3
// ChessBase, in a numbering for each game; DEPTH 0 or 3.
// LEGAL 1: words, with DEPTH 0 of games that end with a move that is not legal. MATE 1: the same with check, mate and stalemate.
// Plusargs: vcd; bytes=FILE, beats=FILE and loads=FILE instead of the vectors in this folder.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_player_tb;

  parameter MODE = 0;
  parameter WIDTH = 8;
  parameter LAYOUT = 0;
  parameter DIALECT = 0;
  parameter DEPTH = 0;
  parameter LEGAL = 0;
  parameter MATE = 0;
  // Beats that may come late, of words of 8 bits behind a start record.
  parameter LATE = 6;

  localparam MOST_BYTES = 131072;
  localparam MOST_BEATS = 32768;
  localparam MOST_LOADS = 64;
  localparam RESETS = MATE != 0 ? 4 : 24;
  // Clocks without a beat, after which there is none any more.
  localparam QUIET = MATE != 0 ? 300 : 100;
  // What the header promises, in clocks: from the input that completes a word or a byte's operation to its beat; for a start record; for a
  // ply of ChessBase's; for a beat with MATE 1.
  localparam LATENCY = (MODE == 0 ? 14 : 13) + (LEGAL != 0 ? 6 : 0);
  localparam RECORD = 90, NUMBER = 120, MATES = 42;
  localparam BEAT = 4*4 + 8 + 8 + 12 + 4*2 + 32 + 16 + 4*3 + 256;

  localparam NAME = "ply11_player_tb";
  localparam WATCHDOG = 4000000;
  `include "ply11_bench.vh"

  reg              rst = 1'b1;
  reg              s_valid = 1'b0;
  wire             s_ready;
  reg  [WIDTH-1:0] s_data = {WIDTH{1'b0}};
  // Put together as a whole: parts of s_data, assigned one by one, Verilator 5.006 passes on a clock late.
  reg  [63:0]      word = 64'd0;
  wire             m_valid;
  reg              m_ready = 1'b0;
  wire [1:0]       m_kind, m_result;
  wire [10:0]      m_index;
  wire [5:0]       m_from, m_to;
  wire [2:0]       m_promotion;
  wire [3:0]       m_piece, m_captured, m_error, m_reason, rights, ep;
  wire [31:0]      m_offset;
  wire [255:0]     board;
  wire             side, text_valid, text_last, in_game;
  wire [7:0]       text_data;
  wire [15:0]      ply;
  wire [1:0]       mode = MODE;
  reg              numbering = 1'b0;
  reg              load_valid = 1'b0;
  wire             load_ready;
  reg  [3:0]       load_addr = 4'd7;
  wire [31:0]      load_data;
  wire [4:0]       m_depth;
  wire             m_check, m_mate, m_stalemate;
  wire [2:0]       text_kind;

  ply11_player #(.MODES(1 << MODE), .WIDTH(WIDTH), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH),
                .LEGAL(LEGAL), .MATE(MATE)) u_dut (
    .clk(clk), .rst(rst), .mode(mode), .numbering(numbering),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_index(m_index), .m_from(m_from),
    .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_result(m_result), .m_error(m_error), .m_reason(m_reason), .m_offset(m_offset), .m_depth(m_depth),
    .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind), .in_game(in_game)
  );

  reg [7:0]      bytes [0:MOST_BYTES-1];
  reg [BEAT-1:0] beats [0:MOST_BEATS-1];
  // Start positions: the byte before which they come, ranks 8 to 1, the state.
  reg [319:0]    loads [0:MOST_LOADS-1];
  reg [8*200-1:0] bytes_file, beats_file, loads_file;
  integer count, expected, at, got, run, k, quiet, texts, clocks, load, still, lag, ticks, limit, begun;
  // When each input was taken; the least latency, beats with a greater one, and of words what takes more than a clock.
  integer    stamp [0:MOST_BYTES-1];
  integer    latency, least, later, ends, records, brackets;
  reg [10:0] code, code_before;
  reg        took, load_took;
  reg [31:0] rnd;
  reg [319:0] loading;
  assign load_data = load_addr == 4'd8 ? loading[31:0] : loading[32 + 32*load_addr +: 32];
  wire [BEAT-1:0] beat = {m_reason[3:2], m_kind, m_error, m_reason[1:0], m_result, m_check, m_index, m_stalemate, m_mate, m_from, 2'd0, m_to,
                          1'b0, m_promotion, m_piece, m_captured, m_offset, ply, ep, rights, m_depth[2:0], side, board};

  // An error, and the run with it. n is the number of the beat.
  task wrong(input [8*48-1:0] what);
    begin
      fail(what);
      if (errors <= 10) $display("  run %0d, %0d of %0d beats, %0d of %0d bytes, %0d of them text, %0d clocks", run, got, expected, at,
                                 count, texts, clocks);
    end
  endtask

  // The clocks of a beat, at full speed, with nothing in its way.
  task timely;
    begin
      // The byte that completes it: of words that with bit 10, of jose's promotions and promoted pieces the second.
      k = MODE == 0 ? (11 * ((8 * m_offset + 10) / 11) + 10) / 8 : m_offset;
      if (MODE == 2 && bytes[m_offset] >= 8'ha0 && bytes[m_offset] < 8'hb0 && m_error != ERR_PLACE && m_error != ERR_START) k = k + 1;
      latency = ticks - stamp[k / (WIDTH / 8)];
      if (latency < least) least = latency;
      if (latency != LATENCY) later = later + 1;
    end
  endtask

  initial begin
    loads_file = "";
    case (MATE != 0 ? 11 : LEGAL != 0 && DEPTH == 0 ? 8 : MODE == 3 ? (DEPTH == 0 ? 9 : 10) : MODE == 2 ? (DEPTH == 0 ? 5 : 6) : MODE == 0 ? (DEPTH == 0 ? 4 : 7) : LAYOUT)
      0: begin
        bytes_file = "tb/ply11_player/main.bytes.hex";
        beats_file = "tb/ply11_player/main.beats.hex";
      end
      1: begin
        bytes_file = "tb/ply11_player/alt.bytes.hex";
        beats_file = "tb/ply11_player/alt.beats.hex";
      end
      2: begin
        bytes_file = "tb/ply11_player/alt-swapped.bytes.hex";
        beats_file = "tb/ply11_player/alt-swapped.beats.hex";
      end
      3: begin
        bytes_file = "tb/ply11_player/alt-fixed.bytes.hex";
        beats_file = "tb/ply11_player/alt-fixed.beats.hex";
      end
      5: begin
        bytes_file = "tb/ply11_player/jose.bytes.hex";
        beats_file = "tb/ply11_player/jose.beats.hex";
        loads_file = "tb/ply11_player/jose.loads.hex";
      end
      6: begin
        bytes_file = "tb/ply11_player/jose-lines.bytes.hex";
        beats_file = "tb/ply11_player/jose-lines.beats.hex";
        loads_file = "tb/ply11_player/jose-lines.loads.hex";
      end
      7: begin
        bytes_file = "tb/ply11_player/words-lines.bytes.hex";
        beats_file = "tb/ply11_player/words-lines.beats.hex";
      end
      8: begin
        bytes_file = "tb/ply11_player/referee.bytes.hex";
        beats_file = "tb/ply11_player/referee.beats.hex";
      end
      9: begin
        bytes_file = "tb/ply11_player/chessbase.bytes.hex";
        beats_file = "tb/ply11_player/chessbase.beats.hex";
        loads_file = "tb/ply11_player/chessbase.loads.hex";
      end
      10: begin
        bytes_file = "tb/ply11_player/chessbase-lines.bytes.hex";
        beats_file = "tb/ply11_player/chessbase-lines.beats.hex";
        loads_file = "tb/ply11_player/chessbase-lines.loads.hex";
      end
      11: begin
        bytes_file = "tb/ply11_player/mate.bytes.hex";
        beats_file = "tb/ply11_player/mate.beats.hex";
      end
      default: begin
        bytes_file = "tb/ply11_player/words.bytes.hex";
        beats_file = "tb/ply11_player/words.beats.hex";
      end
    endcase
    if ($value$plusargs("bytes=%s", bytes_file)) ;
    if ($value$plusargs("beats=%s", beats_file)) ;
    if ($value$plusargs("loads=%s", loads_file)) ;
    for (k = 0; k < MOST_LOADS; k = k + 1) loads[k] = {320{1'b1}};
    if (MODE >= 2) $readmemh(loads_file, loads);
    for (k = 0; k < MOST_BYTES; k = k + 1) bytes[k] = 8'hff;
    for (k = 0; k < MOST_BEATS; k = k + 1) beats[k] = {BEAT{1'b1}};
    $readmemh(bytes_file, bytes);
    $readmemh(beats_file, beats);
    count = 0;
    // The last byte that is not ones, then whole inputs.
    for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
    count = (count + 11 + WIDTH / 8 - 1) / (WIDTH / 8) * (WIDTH / 8);
    if (MODE != 0) for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
    // jose's last end code is of ones.
    if (MODE == 2) count = count + 1;
    expected = 0;
    while (beats[expected] != {BEAT{1'b1}}) expected = expected + 1;
    if (expected == 0) fail("no vectors");
    // What words hold: results, start records behind them, brackets.
    {ends, records, brackets} = 0;
    code_before = 11'd1968;
    if (MODE == 0)
      for (k = 0; 11 * k + 11 <= 8 * count; k = k + 1) begin
        code = {bytes[11*k/8+2], bytes[11*k/8+1], bytes[11*k/8]} >> 11 * k % 8;
        if (code != 11'd2047) begin
          if (code == 11'd2008 && code_before >= 11'd1968 && code_before < 11'd1972) records = records + 1;
          if (code == 11'd1973 || code == 11'd1974) brackets = brackets + 1;
          code_before = code;
        end
      end
    for (k = 0; k < expected; k = k + 1) if (beats[k][BEAT-3 -: 2] == 2'd2) ends = ends + 1;
    // ChessBase, with so many clocks a move, at full speed and with both alone.
    for (run = 0; run < 4 + RESETS; run = MODE == 3 && run == 0 ? 3 : run + 1) begin
      // The reset comes with whatever there is.
      rst = 1'b1;
      @(posedge clk);
      if (run == 0) @(posedge clk);
      #1 rst = 1'b0;
      s_valid = 1'b0;
      m_ready = 1'b0;
      load_addr = 4'd7;
      rnd = $random;
      limit = run < 4 ? 1000000 : 1 + (run % 4 == 0 ? rnd[5:0] : rnd[9:0]) + (MODE == 1 ? 64 : 0);
      at = 0;
      got = 0;
      quiet = 0;
      clocks = 0;
      texts = 0;
      load = 0;
      begun = 0;
      least = 1000;
      later = 0;
      still = 0;
      lag = run < 2 ? 40 : run * 7 % 41 - 1;
      load_valid = 1'b0;
      sink_held = 2'd0;
      ticks = 0;
      #1;
      if ((m_valid || text_valid || in_game) !== 1'b0) wrong("something goes on after a reset");
      while (quiet < QUIET && ticks < limit) begin
        ticks = ticks + 1;
        rnd = $random;
        // A start position is offered when nothing is offered any more, at once or up to 40 clocks later.
        loading = loads[load];
        if (loading[319:288] == at && !s_valid && still > lag) load_valid = 1'b1;
        if (loading[319:288] != at && !s_valid && at < count && !(run[0] && rnd[1:0] != 2'd0)) begin
          s_valid = 1'b1;
          for (k = WIDTH / 8 - 1; k >= 0; k = k - 1) word = {word[55:0], bytes[at+k]};
          s_data = word[WIDTH-1:0];
        end
        // The numberings take turns, game by game. It counts with a game's first byte, and no more after it.
        numbering = in_game ? rnd[4] : begun % 2 == 0;
        m_ready = !(run[1] && rnd[3:2] != 2'd0);
        #1;
        n = got;
        sink(m_valid, m_ready, beat);
        if (text_valid) texts = texts + 1;
        quiet = (m_valid || at < count) ? 0 : quiet + 1;
        if (m_valid && run == 0) timely;
        if (m_valid && m_ready) begin
          if (beat !== beats[got]) begin
            wrong("a wrong beat");
            if (errors <= 10) $display("  found    %h\n  expected %h", beat, beats[got]);
          end
          got = got + 1;
        end
        took = s_valid && s_ready;
        if (took && !in_game) begun = begun + 1;
        still = (m_valid || s_valid) ? 0 : still + 1;
        load_took = load_valid && load_ready;
        if (at < count) clocks = clocks + 1;
        @(posedge clk);
        #1;
        if (load_took) begin
          // Ranks 7 to 0, then the state.
          load_valid = load_addr != 4'd8;
          if (load_addr == 4'd8) begin
            load = load + 1;
            lag = rnd[31:16] % 41 - 1;
          end
          load_addr = load_addr == 4'd8 ? 4'd7 : load_addr == 4'd0 ? 4'd8 : load_addr - 4'd1;
        end
        if (took) begin
          stamp[at / (WIDTH / 8)] = ticks;
          s_valid = 1'b0;
          at = at + WIDTH / 8;
        end
      end
      if (run < 4 && got != expected) wrong("beats are missing, or too many");
      if (run == 0 && MODE != 3 && MATE == 0 && least != LATENCY) wrong("latency");
      if (run == 0 && DEPTH == 0 && LEGAL == 0 && (MODE == 1 || MODE == 2 || (MODE == 0 && WIDTH == 8)) && later > LATE * records) wrong("latency");
      if (run == 0 && MODE == 3 && clocks > NUMBER * expected) wrong("it is slow");
      // A byte, or a word, a clock, and a clock more a game; a bracket takes 16, behind the beats before it.
      if (run == 0 && MODE == 0 && MATE == 0 && clocks > (WIDTH == 8 ? count - 36 * records : 8 * count / 11 + ends - 26 * records)
          + RECORD * records + (DEPTH != 0 ? (16 + LATENCY) * brackets : 0) + (LEGAL != 0 ? 20 : 0)) wrong("it is slow");
      if (run == 0 && MATE != 0 && ticks - QUIET > MATES * expected) wrong("it is slow");
      if (run == 0 && (MODE == 1 || MODE == 2)) begin
        if (texts == 0) wrong("no text");
        if (clocks > 64 + count + count / 20 && DEPTH == 0 && load == 0) wrong("it is slow");
      end
    end
    verdict;
    $display("PASS ply11_player_tb MODE=%0d WIDTH=%0d LAYOUT=%0d DEPTH=%0d: %0d beats of %0d bytes", MODE, WIDTH,
             LAYOUT, DEPTH, expected, count);
    $finish;
  end

endmodule

`resetall
