// SPDX-License-Identifier: Apache-2.0
// ply11_referee, which is ply11_legal behind ply11_board: games of twelve moves from loaded positions, an operation a clock, with pauses on
// either side in some of them; error and reason of each move, and the position with it.
// +vectors=FILE has a game a line, in hexadecimal digits for $readmemh: the position (board 64, en passant file,
// rights, side); twelve moves of five digits: index 3, error, reason; the position after them. +count=N of them.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_legal_tb;

  localparam NAME = "ply11_legal_tb";
  localparam WATCHDOG = 4000000;
  `include "ply11_bench.vh"

  // Icarus takes a minute for all games, so it plays the first of them.
`ifdef VERILATOR
  localparam GAMES = 4324;
`else
  localparam GAMES = 1088;
`endif
  localparam [255:0] START = {32'hdbc9acbd, 32'heeeeeeee, 128'd0, 32'h66666666, 32'h53412435};
  localparam PLIES = 12, POSITION = 268, LINE = 2*POSITION + 20*PLIES;
  reg         rst = 1'b1;
  reg         s_valid = 1'b0;
  reg  [1:0]  s_op = 2'd0;
  reg  [10:0] s_index = 11'd0;
  reg  [7:0]  s_user = 8'd0;
  reg         load_valid = 1'b0;
  reg  [3:0]  load_addr = 4'd0;
  reg  [31:0] load_data = 32'd0;
  reg         m_ready = 1'b1;
  wire        s_ready, load_ready, settled, next_valid;
  wire [1:0]  next_op;

  // NEWs of odd games have no beat.
  reg         odd = 1'b0;
  wire        news = next_valid && next_op == 2'd1;
  wire        hush = news && odd;
  always @(posedge clk) if (news && (!m_valid || m_ready) && !rst) odd <= !odd;

  wire        m_valid;
  wire [1:0]  m_op;
  wire [7:0]  m_user;
  wire [2:0]  m_error, m_promotion;
  wire [3:0]  m_reason, m_piece, m_captured, m_rights, m_ep;
  wire [5:0]  m_from, m_to;
  wire [255:0] m_board;
  wire        m_side;
  wire [15:0] m_ply;
  ply11_referee #(.USER_WIDTH(8)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_user),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data), .settled(settled),
    .next_valid(next_valid), .next_op(next_op), .hush(hush),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .board(m_board), .side(m_side), .rights(m_rights), .ep(m_ep), .ply(m_ply)
  );

  localparam MOST = 8192;
  reg  [LINE-1:0] vectors [0:MOST-1];
  reg  [LINE-1:0] game, want;
  reg  [8*256-1:0] name;
  reg  [31:0]  rnd;
  integer      count, put, get, step, ply, tick, waited, applied, illegal;
  integer      reasons [0:8];
  // When each move that is on its way was taken; when the outputs last had to wait, and when castling last came out;
  // how many latencies were looked at, of castling too; clocks in which nothing was taken though nothing waited.
  integer      taken_at [0:63];
  integer      loaded_at, taken_put, halted, castled, timed, timed_castles, castles, refusals, looked;
  wire         castles_now = moved[moved_get][7:4] != 4'd0 && moved[moved_get][6:4] == 3'd1 && moved[moved_get][19:17] == 3'd4
                             && moved[moved_get][12:11] == 2'd2;
  reg  [15:0]  at_ply, base;
  reg          took, loaded, decoy;
  wire [320:0] beat = {m_op, m_user, m_error, m_reason, m_from, m_to, m_promotion, m_piece, m_captured, m_board, m_side,
                       m_rights, m_ep, m_ply};

  // What a board without a judge gives for the moves that are on their way.
  reg  [22:0]  moved [0:63];
  reg  [5:0]   moved_put, moved_get;
  wire         b_valid;
  wire [1:0]   b_op;
  wire [5:0]   b_from, b_to;
  wire [2:0]   b_promotion;
  wire [3:0]   b_piece, b_captured;
  /* verilator lint_off PINMISSING */
  ply11_board #(.STOP(1)) u_board (
    .clk(clk), .rst(rst),
    .s_valid(s_valid && s_ready), .s_op(s_op), .s_index(s_index), .s_user(1'b0),
    .load_valid(load_valid && load_ready), .load_addr(load_addr), .load_data(load_data),
    .hush(1'b0),
    .m_valid(b_valid), .m_ready(1'b1), .m_op(b_op), .m_from(b_from), .m_to(b_to), .m_promotion(b_promotion),
    .m_piece(b_piece), .m_captured(b_captured)
  );
  /* verilator lint_on PINMISSING */
  initial {moved_put, moved_get} = 12'd0;
  always @(posedge clk) if (b_valid && b_op != 2'd1) begin
    moved[moved_put] <= {b_from, b_to, b_promotion, b_piece, b_captured};
    moved_put <= moved_put + 6'd1;
  end

  // An error, and the beat with it.
  task wrong(input [8*48-1:0] what);
    begin
      fail(what);
      if (errors <= 10)
        $display("  move %0d, clock %0d: op %0d, error %0d, reason %0d, %0d-%0d", ply, tick, m_op, m_error, m_reason, m_from, m_to);
    end
  endtask

  function [19:0] move_of(input [LINE-1:0] g, input integer number);
    move_of = g[POSITION + 20*(PLIES - 1 - number) +: 20];
  endfunction

  // The operation of step 0, NEW; of steps 10 to 21, the moves.
  task offer;
    begin
      s_valid = step == 0 || step >= 10;
      s_op = step == 0 ? 2'd1 : 2'd0;
      s_index = step == 0 ? 11'd99 : game[POSITION + 20*(PLIES + 9 - step) + 8 +: 11];
      s_user = put[7:0];
      load_valid = step >= 1 && step <= 9;
      load_addr = step - 1;
      load_data = step <= 8 ? game[POSITION + 20*PLIES + 12 + 32*(step - 1) +: 32]
                  : {7'd0, put[15:0], game[POSITION + 20*PLIES + 8 +: 4], game[POSITION + 20*PLIES + 4 +: 4],
                     game[POSITION + 20*PLIES]};
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", name)) name = "tb/ply11_legal/games.hex";
    if (!$value$plusargs("count=%d", count)) count = GAMES;
    $readmemh(name, vectors, 0, count - 1);
    put = 0;
    get = 0;
    ply = 0;
    step = 0;
    tick = 0;
    waited = 0;
    applied = 0;
    illegal = 0;
    {taken_put, timed, timed_castles, castles, refusals, looked} = 192'd0;
    halted = 0;
    castled = 0;
    at_ply = 16'd0;
    for (tick = 0; tick < 9; tick = tick + 1) reasons[tick] = 0;
    repeat (12) @(posedge clk);
    #1 rst = 1'b0;
    tick = 0;
    while (get < count && waited < 3000 && errors < 40) begin
      n = get;
      rnd = $random;
      game = vectors[put < count ? put : count - 1];
      // Of every eighth game the first move waits until the outputs show what was loaded; of every thirteenth there are long gaps.
      if (!s_valid && put < count && !(put % 8 == 7 && step == 10 && tick < loaded_at + 13) && (put % 13 != 6 || step < 10 || rnd[21:18] == 4'd0)
          && (load_valid || put % 8 < 4 || rnd[1:0] != 2'd0)) offer;
      m_ready = get % 8 < 3 || get % 8 == 4 || (get % 8 < 6 ? rnd[4] : rnd[7:5] == 3'd0);
      #1;
      // A word that is not taken changes nothing: in the next clock it is another, or none.
      decoy = !s_valid && !load_valid && rnd[8];
      if (!load_ready && (load_valid || decoy)) {load_valid, load_addr, load_data} = {1'b1, 1'b0, rnd[11:9], ~rnd};
      sink(m_valid, m_ready, beat);
      if (m_valid && m_ready) begin
        waited = 0;
        want = vectors[get];
        if (m_user !== get[7:0]) wrong("wrong tag");
        if (m_op == 2'd1) begin
          if (ply != 0 || get % 2 == 1 || m_error !== 3'd0 || m_board !== START || m_ply !== 16'd0) wrong("wrong NEW");
        end else begin
          if (m_op !== 2'd0) wrong("wrong operation");
          if ({m_from, m_to, m_promotion} !== moved[moved_get][22:8]
              || (m_error == 3'd0 && {m_piece, m_captured} !== moved[moved_get][7:0])) wrong("another move");
          // Latency: 15 clocks, castling 17, if nothing made it wait.
          if (halted < taken_at[moved_get] && castled < taken_at[moved_get]) begin
            timed = timed + 1;
            if (castles_now) timed_castles = timed_castles + 1;
            if (tick - taken_at[moved_get] != (castles_now ? 17 : 15)) wrong("wrong latency");
          end
          if (castles_now) begin
            castled = tick;
            castles = castles + 1;
          end
          moved_get = moved_get + 6'd1;
          if (m_error !== (move_of(want, ply) >> 4 & 20'd15) || m_reason !== (move_of(want, ply) & 20'd15)) wrong("wrong verdict");
          if (ply == 0) at_ply = get[15:0];
          if (m_error == 3'd0) begin
            applied = applied + 1;
            at_ply = at_ply + 16'd1;
            if (m_piece[2:0] == 3'd0 && (move_of(want, ply) >> 8) != 20'd1972) wrong("no piece");
          end else if (m_piece !== 4'd0 || m_captured !== 4'd0) wrong("a piece who did not move");
          if (m_ply !== at_ply) wrong("wrong ply");
          if (m_reason != 4'd0) begin
            illegal = illegal + 1;
            reasons[m_reason] = reasons[m_reason] + 1;
          end
          ply = ply + 1;
          if (ply == PLIES) begin
            if (m_board !== want[267:12] || m_ep !== want[11:8] || m_rights !== want[7:4] || m_side !== want[0]) wrong("wrong position");
            ply = 0;
            get = get + 1;
          end
        end
      end
      took = s_valid && s_ready;
      if (took && s_op == 2'd0) begin
        taken_at[taken_put % 64] = tick;
        taken_put = taken_put + 1;
      end
      // Throughput: an operation a clock, and two clocks more for castling.
      if (!m_ready) halted = tick;
      else if (s_valid && !s_ready && halted + 20 < tick) refusals = refusals + 1;
      // What was loaded shows when settled is 1, ten clocks later.
      if (step == 10 && settled !== (tick >= loaded_at + 10)) wrong("settled too early or too late");
      if (step == 10 && settled) looked = looked + 1;
      if (step == 10 && settled && (m_board !== game[POSITION + 20*PLIES + 12 +: 256]
          || m_ep !== game[POSITION + 20*PLIES + 8 +: 4] || m_rights !== game[POSITION + 20*PLIES + 4 +: 4]
          || m_side !== game[POSITION + 20*PLIES])) wrong("settled, without what was loaded");
      loaded = load_valid && load_ready;
      if (loaded) loaded_at = tick;
      @(posedge clk);
      #1;
      tick = tick + 1;
      waited = waited + 1;
      if (decoy) load_valid = 1'b0;
      if (took || loaded) begin
        s_valid = 1'b0;
        load_valid = 1'b0;
        step = step + 1;
        if (step == 22) begin
          step = 0;
          put = put + 1;
        end
      end
    end
    if (get != count) wrong("games lost");
    if (refusals > 2 * castles) wrong("more than two clocks lost for castling");
    if (count >= GAMES && (timed < 100 || timed_castles < 3 || looked < 100)) wrong("few latencies, or positions");
    for (ply = 1; ply <= 8; ply = ply + 1) if (reasons[ply] == 0 && count >= GAMES) wrong("a reason that never came");
    verdict;
    $display("PASS %0s: %0d games, %0d moves applied, %0d not legal, %0d clocks", NAME, count, applied, illegal, tick);
    $finish;
  end

endmodule

`resetall
