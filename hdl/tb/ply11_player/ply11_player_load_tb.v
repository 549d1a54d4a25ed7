// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_player's load port: a game of one move, a start position, a game that is played from
// it, with every gap of 0 to 40 clocks before the first game's last byte.  The load comes before that
// byte, with it, or up to 40 clocks after it, and its words come at once or with idle clocks; beats are
// taken at once, at random, or late.  Every fourth position is malformed: error 9, and the usual
// position.  MODE 1 Brenner, 2 jose; ALL 1: in a player of all modes.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_player_load_tb;

  parameter MODE = 1;
  parameter ALL = 0;

  localparam GAPS = 41, SPREAD = 6;
  localparam DUT_MODES = ALL ? 7 : 1 << MODE, DUT_DIALECT = 0, DUT_DEPTH = ALL ? 2 : 0;
  localparam [1:0] PLY = 2'd0, END = 2'd2, ERROR = 2'd3;

  localparam NAME = "ply11_player_load_tb";
  localparam WATCHDOG = 2000000;
  `include "ply11_bench.vh"

  reg          rst = 1'b1, s_valid = 1'b0, load_valid = 1'b0, m_ready = 1'b0;
  reg  [7:0]   s_data = 0;
  reg  [3:0]   load_addr = 0;
  reg  [31:0]  load_data = 0;
  wire [1:0]   mode = MODE;
  wire         numbering = 1'b0;
  `include "ply11_player_dut.vh"

  localparam [255:0] USUAL = 256'hdbc9acbdeeeeeeee000000000000000000000000000000006666666653412435;
  localparam [255:0] E4 = 256'hdbc9acbdeeeeeeee000000000000000000060000000000006660666653412435;
  // Kings on e1 and e8, rooks on a1 and h8, a pawn on a2; ply 9, White to move, rights Q and k.
  localparam [255:0] START = 256'hd009000000000000000000000000000000000000000000000000000600010005;
  localparam [255:0] A4 = 256'hd009000000000000000000000000000000000006000000000000000000010005;

  // Ranks with the codes that no piece has.
  localparam [95:0] NOBODY = 96'h000000f0_00000080_00000070;

  // {kind, error, board, ep, ply} that must come.
  reg [281:0]  want [0:4];
  wire [281:0] beat = {m_kind, m_error, board, ep, ply};
  // The bytes of both games; the last of the first game is number LAST.
  localparam LAST = MODE == 1 ? 1 : 2;
  localparam COUNT = MODE == 1 ? 4 : 6;
  wire [8*6-1:0] bytes = MODE == 1 ? 48'h00_00_03_28_01_2c : 48'hff_d2_03_ff_d2_13;

  integer gap, spread, wants, got, at, rest, after, word, slow, lazy, ticks, k, tail;
  integer cases = 0;
  reg     bad, took, loaded;
  reg [31:0] rnd;

  initial begin
    for (gap = 0; gap < GAPS; gap = gap + 1)
      for (spread = 0; spread < SPREAD; spread = spread + 1) begin
        cases = cases + 1;
        n = cases;
        // Before the last byte, with it, or so many clocks after it.
        after = spread == 0 ? -1 : spread == 1 ? 0 : 1 + (gap + 8 * (spread - 2)) % 40;
        bad = cases % 4 == 0;
        slow = cases % 3;
        lazy = cases % 5;
        rst = 1'b1;
        {s_valid, load_valid, m_ready} = 3'd0;
        @(posedge clk);
        #1 rst = 1'b0;
        want[0] = {PLY, 4'd0, E4, 4'd5, 16'd1};
        want[1] = {END, 4'd0, E4, 4'd5, 16'd1};
        want[2] = bad ? {ERROR, ERR_START, USUAL, 4'd0, 16'd0} : {PLY, 4'd0, A4, 4'd1, 16'd10};
        want[3] = bad ? {END, 4'd0, USUAL, 4'd0, 16'd0} : {END, 4'd0, A4, 4'd1, 16'd10};
        at = 0;
        got = 0;
        rest = MODE == 1 ? 64 : 0;
        word = -1;
        tail = 0;
        for (ticks = 0; ticks < 1000 && tail < 20; ticks = ticks + 1) begin
          rnd = $random;
          if (!s_valid && at < COUNT && rest == 0 && (at <= LAST || word == 9)) begin
            s_valid = 1'b1;
            s_data = bytes[8*at +: 8];
          end
          // The load's turn: the first game's bytes have gone, or all but one.
          if (word < 0 && at >= LAST && (after < 0 || at > LAST) && after <= 0) word = 0;
          if (!load_valid && word >= 0 && word < 9 && (slow == 0 || rnd[1:0] == 2'd0)) load_valid = 1'b1;
          load_addr = word == 8 ? 4'd8 : 4'd7 - word;
          load_data = word == 8 ? {7'd0, 16'd9, 4'd0, 4'b0110, 1'b0} : START[32*load_addr[2:0] +: 32];
          // One king too many, or a piece that is none, or a state that is none.
          if (bad && word == 3) load_data = cases % 3 == 0 ? 32'h1000 : cases % 3 == 1 ? NOBODY[32*(cases/12%3) +: 32] : 32'd0;
          if (bad && word == 8 && cases % 3 == 2) load_data = load_data | (9 << 5);
          m_ready = lazy == 0 ? rnd[3:2] == 2'd0 : lazy == 1 ? ticks > 150 : 1'b1;
          #1;
          if (m_valid && m_ready) begin
            if (got > 3 || beat !== want[got]) begin
              errors = errors + 1;
              if (errors < 6) $display("ply11_player_load_tb: gap %0d, load %0d after: beat %0d\n  found    %h\n  expected %h", gap,
                                       after, got, beat, want[got]);
            end
            if (got == 1 && (load_addr != 4'd7 && load_valid)) errors = errors + 1;
            got = got + 1;
          end
          took = s_valid && s_ready;
          loaded = load_valid && load_ready;
          if (loaded && got < 2) begin
            errors = errors + 1;
            if (errors < 6) $display("ply11_player_load_tb: gap %0d, load %0d after: word %0d before the END was taken", gap, after, word);
          end
          if (at > LAST && after > 0) after = after - 1;
          if (rest > 0) rest = rest - 1;
          @(posedge clk);
          #1;
          if (took) begin
            s_valid = 1'b0;
            at = at + 1;
            if (at == LAST) rest = gap;
          end
          if (loaded) begin
            load_valid = 1'b0;
            word = word + 1;
          end
          if (got >= 4) tail = tail + 1;
        end
        if (got != 4) begin
          errors = errors + 1;
          if (errors < 6) $display("ply11_player_load_tb: gap %0d, spread %0d: %0d beats", gap, spread, got);
        end
      end
    verdict;
    $display("PASS ply11_player_load_tb MODE=%0d ALL=%0d: %0d cases", MODE, ALL, cases);
    $finish;
  end

endmodule

`resetall
