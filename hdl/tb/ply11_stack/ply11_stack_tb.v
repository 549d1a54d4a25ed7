// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_stack: short games at random on a board that is told, not played: moves of every kind, the
// null move, refused ones, with idle clocks and back-pressure; variations opened and closed, asked for before the
// last ply has left or later; ends of games and resets at any moment.  What is loaded must be the position before the last
// ply, or that which was kept, of which this bench has copies; every clock of a bracket is looked at.
// Some games go straight up to DEPTH variations inside each other and down again, so that each page is looked at
// after all others were written.  Some ask for one more, or for a close at depth 0: what is loaded then has no meaning,
// but the bracket takes its clocks and the next game is sound.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_stack_tb;

  parameter DEPTH = 3;

  localparam CLOCKS = 50000;
  // The module's promise: from the clock with idle to that with done.
  localparam BRACKET = 15;

  localparam NAME = "ply11_stack_tb";
  localparam WATCHDOG = 2 * CLOCKS;
  `include "ply11_bench.vh"

  reg          rst = 1'b1, open = 1'b0, close = 1'b0, idle = 1'b0, step = 1'b1, ply_valid = 1'b0, end_valid = 1'b0;
  reg  [5:0]   from = 6'd0, to = 6'd0;
  reg  [3:0]   piece = 4'd0, captured = 4'd0;
  reg  [255:0] board = 256'd0, now = 256'd0;       // the board, and as it will be after the clock
  reg          side = 1'b0;
  reg  [3:0]   rights = 4'd0, ep = 4'd0;
  reg  [15:0]  ply = 16'd0;
  wire         done, load_valid;
  wire [4:0]   depth;
  wire [3:0]   load_addr;
  wire [31:0]  load_data;

  ply11_stack #(.DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .open(open), .close(close), .done(done), .depth(depth),
    .idle(idle), .step(step), .ply_valid(ply_valid), .end_valid(end_valid),
    .from(from), .to(to), .piece(piece), .captured(captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .load_valid(load_valid), .load_addr(load_addr), .load_data(load_data)
  );

  // The same numbers in every simulator.
  reg [31:0] rnd;
  function [31:0] after(input [31:0] x);
    begin
      after = x ^ (x << 13);
      after = after ^ (after >> 17);
      after = after ^ (after << 5);
    end
  endfunction

  // {board, state word}: the position now, before the last ply, and those that are kept.
  reg [287:0] prior, x;
  reg [287:0] kept [0:31], kept_prior [0:31];
  integer     level;
  reg [31:0]  shown;              // what is loaded
  reg         have;               // a ply that may be taken back

  // What the board is about.
  localparam [2:0] GAP = 3'd0, BEAT = 3'd1, WAIT = 3'd2, RUN = 3'd3;
  localparam [2:0] MOVE = 3'd0, REFUSED = 3'd1, FINISH = 3'd2, OPEN = 3'd3, CLOSE = 3'd4, SETUP = 3'd5;
  reg  [2:0]  phase, what;
  integer     gap, count, lag, k, tries, f, t, file, fifth, rise;
  reg         ready, beat_is_ply, ok;
  reg  [255:0] pieces;
  reg  [3:0]  m, c, m2;
  // Loads on their way to the outputs.
  reg  [36:0] late [1:3];
  // In a game that goes straight: up, then down.  Otherwise ANY.
  localparam [1:0] ANY = 2'd0, UP = 2'd1, DOWN = 2'd2;
  reg  [1:0]  course;
  reg         lost;               // the bracket has no meaning
  integer     tops, overs, unders;
  integer     plies, nulls, castlings, passants, promotions, captures, opens, closes, resets, twins;

  initial begin
    rnd = 32'd2463534242;
    level = 0;
    have = 1'b0;
    prior = 288'd0;
    phase = GAP;
    what = SETUP;
    gap = 2;
    count = 0;
    lag = 1;
    ready = 1'b0;
    beat_is_ply = 1'b0;
    course = ANY;
    lost = 1'b0;
    {tops, overs, unders} = 96'd0;
    for (k = 1; k < 4; k = k + 1) late[k] = 37'd0;
    {plies, nulls, castlings, passants, promotions, captures, opens, closes, resets, twins} = 320'd0;
    @(posedge clk);
    #1 rst = 1'b0;
    for (n = 0; n < CLOCKS && errors < 20; n = n + 1) begin
      rnd = after(rnd);
      // ---- inputs ----
      ready = phase == BEAT && (gap == 0);
      step = phase != BEAT || ready;
      ply_valid = ready && what == MOVE;
      end_valid = ready && what == FINISH;
      if (phase == GAP || phase == WAIT || phase == RUN) begin
        // No beat: what stands beside the position has no meaning.
        {from, to, piece, captured} = rnd[19:0];
      end
      // A bracket may be asked for before the last ply has left; idle alone begins none.
      idle = (phase == WAIT && gap == 0) || (phase == RUN) || (!open && !close && rnd[22]);
      rst = rnd[31:24] == 8'd0 && (rnd[23] || phase == RUN) && (course == ANY || lost);
      #1;

      // ---- outputs ----
      if (depth !== level && !lost) fail("depth");
      if (done !== (phase == RUN && count == BRACKET)) fail("done");
      if (load_valid !== (phase == RUN && count > 2 && count < 12)) fail("load_valid");
      if (load_valid) begin
        x = open ? prior : kept[level - 1];
        // Without a meaning, whatever is loaded shows.
        if (lost) x[32*(count-3) +: 32] = load_data;
        if (load_addr !== count - 3) fail("load_addr");
        if (load_data !== x[32*(count-3) +: 32]) begin
          fail(open ? "a wrong rank or state taken back" : "a wrong rank or state put back");
          if (errors <= 10) $display("  address %0d: found %h, expected %h", count - 3, load_data, x[32*(count-3) +: 32]);
        end
      end
      if (load_valid) shown = load_data;

      @(posedge clk);
      #1;
      // ---- what was loaded, and found right, shows ----
      late[3] = late[2];
      late[2] = late[1];
      late[1] = 37'd0;
      if (phase == RUN && count > 2 && count < 12 && !rst) begin
        late[1] = {1'b1, count[3:0] - 4'd3, shown};
      end
      if (late[lag][36]) begin
        if (late[lag][35]) {ply, ep, rights, side} = late[lag][24:0];
        else now[32*late[lag][34:32] +: 32] = late[lag][31:0];
      end

      // ---- what is next ----
      if (rst) begin
        resets = resets + 1;
        {open, close} = 2'b00;
        phase = GAP;
        what = SETUP;
        gap = 0;
        level = 0;
        have = 1'b0;
        course = ANY;
        lost = 1'b0;
        for (k = 1; k < 4; k = k + 1) late[k] = 37'd0;
      end else if (phase == RUN) begin
        if (count == BRACKET) begin
          if (lost) begin
            x = {7'd0, ply, ep, rights, side, now};
            if (open) overs = overs + 1;
            else unders = unders + 1;
          end else if (open) begin
            kept[level] = kept[31];
            kept_prior[level] = prior;
            level = level + 1;
            x = prior;
            have = 1'b0;
            opens = opens + 1;
            if (level == DEPTH && course == UP) begin
              course = DOWN;
              tops = tops + 1;
            end
          end else begin
            level = level - 1;
            x = kept[level];
            prior = kept_prior[level];
            have = 1'b1;
            closes = closes + 1;
          end
          if ({7'd0, ply, ep, rights, side, now} !== x) fail("the board afterwards");
          {open, close} = 2'b00;
          phase = BEAT;
          what = REFUSED;
          ready = 1'b1;
        end
        count = count + 1;
      end else if (phase == WAIT) begin
        if (gap == 0) begin
          phase = RUN;
          count = 1;
          // What open keeps.
          kept[31] = {7'd0, ply, ep, rights, side, now};
          lag = 1 + rnd[1:0] % 3;
        end else gap = gap - 1;
      end

      if (phase == BEAT && !ready) gap = gap - 1;
      else if (phase == BEAT) begin
        // A beat has left: what comes now?
        if (what == FINISH) begin
          level = 0;
          have = 1'b0;
          lost = 1'b0;
          what = SETUP;
        end else if (lost) what = FINISH;
        else if (open || close) what = open ? OPEN : CLOSE;
        else if (course == UP) what = have && rnd[1:0] != 0 ? OPEN : MOVE;
        else if (course == DOWN && level == 0) begin
          course = ANY;
          lost = rnd[0];
          what = lost ? CLOSE : MOVE;
        end else if (course == DOWN && level == DEPTH && rnd[0]) begin
          lost = have && rnd[1];
          what = lost ? OPEN : have ? CLOSE : MOVE;
        // One opened once more shows the last ply and what was before it, which were kept with the position.
        end else if (course == DOWN) what = rnd[2:0] == 1 ? MOVE : have && level < DEPTH && rnd[2:0] == 2 ? OPEN : CLOSE;
        else begin
          case (rnd[4:0])
            0: what = FINISH;
            1, 2: what = REFUSED;
            3, 4, 5, 6, 7, 8, 9, 10, 11: what = have && level < DEPTH ? OPEN : MOVE;
            12, 13, 14: what = level > 0 ? CLOSE : MOVE;
            default: what = MOVE;
          endcase
        end
        phase = GAP;
        gap = rnd[7] ? 0 : rnd[6:5];
        if (what == OPEN || what == CLOSE) begin
          phase = WAIT;
          open = what == OPEN;
          close = what == CLOSE;
          gap = rnd[8] ? 0 : rnd[11:9];
        end
      end else if (phase == GAP && gap != 0) gap = gap - 1;

      if (phase == GAP && gap == 0 && !rst) begin
        // The beat appears, and the position with it.
        phase = BEAT;
        gap = rnd[13:12] != 0 ? 0 : rnd[16:14];
        x = {7'd0, ply, ep, rights, side, now};
        case (what)
          SETUP: begin
            // Pieces at random; half of the time castling, and pawns beside each other on a fifth rank.
            for (k = 0; k < 64; k = k + 1) begin
              rnd = after(rnd);
              now[4*k +: 4] = rnd[9:8] == 0 ? {rnd[3], 1'b0, rnd[1:0]} + (rnd[2:0] == 0 ? 4'd6 : 4'd2) : 4'd0;
              if (now[4*k +: 3] < 2 || now[4*k +: 3] == 7) now[4*k +: 4] = {rnd[3], 3'd6};
            end
            rnd = after(rnd);
            for (k = 0; k < 2; k = k + 1)
              if (rnd[k]) begin
                // On one side at least nobody stands between king and rook; who stands beside them stays.
                {now[224*k +: 4], now[224*k+16 +: 4], now[224*k+28 +: 4]} = k ? 12'hd9d : 12'h515;
                if (rnd[14]) now[224*k+8 +: 8] = 8'h00;
                if (rnd[15] || !rnd[14]) now[224*k+20 +: 8] = 8'h00;
              end
            file = rnd[4:2] % 7;
            if (rnd[5]) begin
              now[4*(32 + file) +: 8] = rnd[6] ? 8'h6e : 8'he6;
              now[4*(40 + file) +: 8] = 8'h00;
            end
            if (rnd[7]) begin
              now[4*(24 + file) +: 8] = rnd[6] ? 8'h6e : 8'he6;
              now[4*(16 + file) +: 8] = 8'h00;
            end
            side = rnd[8];
            ply = rnd[9] ? 16'hffff : rnd[25:10];
            rights = rnd[29:26];
            // For the first ply to take en passant.
            ep = (rnd[5] || rnd[7]) ? file + 1 + (rnd[6] == side) : rnd[13:10] % 9;
            beat_is_ply = 1'b0;
          end
          MOVE: begin
            ok = 1'b0;
            pieces = now;
            for (tries = 0; tries < 60 && !ok; tries = tries + 1) begin
              rnd = after(rnd);
              f = rnd[5:0];
              t = rnd[11:6];
              // Who castles or takes en passant is looked for first.
              if (tries == 1 || tries == 2) begin
                f = side ? 60 : 4;
                t = tries == 1 ? f + 2 : f - 2;
              end
              fifth = side ? 24 : 32;
              rise = side ? -8 : 8;
              if (tries > 2 && tries < 19 && ep != 0 && ep < 9) begin
                t = fifth + rise + ep - 1;
                f = fifth + ep - 1 + (tries[0] ? 1 : -1);
              end
              // Pawns that take look like en passant most of all.
              if (tries > 18 && tries < 45) t = f + rise + (rnd[12] ? 1 : -1);
              m = pieces[4*f +: 4];
              c = t >= 0 && t < 64 ? pieces[4*t +: 4] : 4'd0;
              m2 = m;
              ok = f != t && f >= 0 && f < 64 && t >= 0 && t < 64 && m != 0 && m[3] == side && (c == 0 || c[3] != side);
              if (m[2:0] == 1) begin
                if (f % 8 == 4 && f / 8 == (side ? 7 : 0) && (t - f == 2 || f - t == 2))
                  ok = ok && tries < 3 && c == 0 && pieces[4*((f + t) / 2) +: 4] == 0
                       && pieces[4*(t > f ? f + 3 : f - 4) +: 4] == {side, 3'd5};
                else ok = ok && t % 8 - f % 8 < 2 && f % 8 - t % 8 < 2;
              end
              if (m[2:0] == 6) begin
                if (t % 8 == f % 8) ok = ok && c == 0;
                else if (t - f != rise + 1 && t - f != rise - 1) ok = 1'b0;
                else if (t / 8 - f / 8 != rise / 8) ok = 1'b0;
                else if (c == 0) ok = ok && ep == t % 8 + 1 && f / 8 == fifth / 8 && pieces[4*(t - rise) +: 4] == {!side, 3'd6};
                // An en passant file that lies is not for this module.
                else if (c[2:0] == 6 && ep == t % 8 + 1 && f / 8 == fifth / 8 && pieces[4*(t - rise) +: 4] == 0) ok = 1'b0;
                if (t < 8 || t > 55) m2 = {side, 1'b0, rnd[13:12]} + 4'd2;
              end
            end
            have = 1'b1;
            prior = x;
            plies = plies + 1;
            ply = ply + 1;
            side = !side;
            if (!ok || rnd[31:29] == 0) begin
              {from, to, piece, captured} = 20'd0;
              ep = 4'd0;
              nulls = nulls + 1;
            end else begin
              from = f;
              to = t;
              piece = m;
              captured = c;
              now[4*t +: 4] = m2;
              now[4*f +: 4] = 4'd0;
              if (c != 0) captures = captures + 1;
              if (m2 != m) promotions = promotions + 1;
              if (m[2:0] == 1 && (t - f == 2 || f - t == 2)) begin
                castlings = castlings + 1;
                now[4*(t > f ? f + 3 : f - 4) +: 4] = 4'd0;
                now[4*((f + t) / 2) +: 4] = {m[3], 3'd5};
              end
              if (m[2:0] == 6 && t % 8 != f % 8 && c[2:0] == 6 && ep == t % 8 + 1 && f / 8 == fifth / 8) twins = twins + 1;
              if (m[2:0] == 6 && t % 8 != f % 8 && c == 0) begin
                passants = passants + 1;
                captured = {!m[3], 3'd6};
                now[4*(t - rise) +: 4] = 4'd0;
              end
              rnd = after(rnd);
              rights = rnd[3:0];
              // Often a file on which a pawn might be taken.
              ep = rnd[7:4] % 9;
              fifth = side ? 24 : 32;
              rise = side ? -8 : 8;
              for (k = 0; k < 8 && rnd[8]; k = k + 1)
                if (now[4*(fifth + k) +: 4] == {!side, 3'd6} && now[4*(fifth + rise + k) +: 4] == 0) ep = k + 1;
            end
          end
          default: {from, to, piece, captured} = rnd[19:0];
        endcase
        ready = 1'b0;
        if (what == SETUP) begin
          what = REFUSED;
          course = rnd[31:30] == 0 ? UP : ANY;
        end
        // The bracket that follows may be asked for now.
        if (what == MOVE && rnd[20] && course != DOWN && (rnd[21] || level == 0 || course == UP ? level < DEPTH : level > 0)) begin
          open = rnd[21] || level == 0 || course == UP;
          close = !open;
        end
      end
      board = now;
    end
    if (castlings < 20 || passants < 20 || promotions < 20 || opens < 100 || closes < 100 || nulls < 20 || twins == 0) fail("few moves of a kind");
    if (tops < 10 || overs == 0 || unders == 0) fail("few courses to the top");
    verdict;
    $display("PASS ply11_stack_tb DEPTH=%0d: %0d plies, %0d captures, %0d castlings, %0d en passant, %0d promotions, %0d null; %0d opened, %0d closed, %0d resets; %0d tops, %0d beyond, %0d below",
             DEPTH, plies, captures, castlings, passants, promotions, nulls, opens, closes, resets, tops, overs, unders);
    $finish;
  end

endmodule

`resetall
