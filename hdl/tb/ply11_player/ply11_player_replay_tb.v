// SPDX-License-Identifier: Apache-2.0
// Second test bench of ply11_player: some thousand clocks in which all inputs do what they can, made by
// sim/vectors/replay, against what the player's netlist gave in each of them when they were made.  All outputs count in every clock, as
// far as they have a meaning.  They are compared as sums, every 16 clocks: which sum is wrong and when is
// told; genrom sim shows signals.  CASE 0 words, 1 Brenner, 2 jose with variations, 3 all modes.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_player_replay_tb;

  parameter CASE = 3;

  localparam DUT_MODES = CASE == 0 ? 1 : CASE == 1 ? 2 : CASE == 2 ? 4 : 7;
  localparam DUT_DIALECT = CASE == 2 ? 1 : 0, DUT_DEPTH = CASE == 2 ? 3 : 0;
  localparam MOST = 16384;
  localparam SETTLE = 4, BLOCK = 16;

  localparam NAME = "ply11_player_replay_tb";
  localparam WATCHDOG = MOST + 100;
  `include "ply11_bench.vh"

  reg [15:0] clocks [0:MOST-1];
  reg [35:0] words [0:MOST-1];
  reg [63:0] sums [0:MOST/BLOCK-1];

  // The inputs of this clock: {rst, mode, next word, load_valid, m_ready, s_valid, s_data}.
  reg  [15:0]  in = 16'h4000;
  reg  [35:0]  word = 36'd0;
  wire         rst = in[14];
  wire [1:0]   mode = in[13:12];
  wire         load_valid = in[10], m_ready = in[9], s_valid = in[8];
  wire [7:0]   s_data = in[7:0];
  wire [3:0]   load_addr = word[35:32];
  wire [31:0]  load_data = word[31:0];
  wire         numbering = 1'b0;
  `include "ply11_player_dut.vh"

  // The index has no meaning with a result and with a start position that is refused.
  wire indexed = m_kind != 2'd2 && !(m_kind == 2'd3 && ERRS_OF_START[m_error]);

  function [31:0] mix(input [31:0] sum, input [31:0] data);
    mix = ({sum[26:0], sum[31:27]} ^ data) * 32'h9e3779b1;
  endfunction

  reg [31:0] handshakes = 0, beat = 0, position = 0, text = 0;
  // With Verilator 5.006 these become constants if the initial block sets them before its loop.
  integer    beats = 0, ends = 0, faults = 0, loads = 0, texts = 0, next = 0, at = 0, count = 0;
  integer    k;

  initial begin
    for (n = 0; n < MOST; n = n + 1) clocks[n] = 16'hffff;
    case (CASE)
      0: begin
        $readmemh("tb/ply11_player/replay.words.clocks.hex", clocks);
        $readmemh("tb/ply11_player/replay.words.starts.hex", words);
        $readmemh("tb/ply11_player/replay.words.sums.hex", sums);
      end
      1: begin
        $readmemh("tb/ply11_player/replay.brenner.clocks.hex", clocks);
        $readmemh("tb/ply11_player/replay.brenner.starts.hex", words);
        $readmemh("tb/ply11_player/replay.brenner.sums.hex", sums);
      end
      2: begin
        $readmemh("tb/ply11_player/replay.lines.clocks.hex", clocks);
        $readmemh("tb/ply11_player/replay.lines.starts.hex", words);
        $readmemh("tb/ply11_player/replay.lines.sums.hex", sums);
      end
      default: begin
        $readmemh("tb/ply11_player/replay.all.clocks.hex", clocks);
        $readmemh("tb/ply11_player/replay.all.starts.hex", words);
        $readmemh("tb/ply11_player/replay.all.sums.hex", sums);
      end
    endcase
    while (clocks[count] != 16'hffff) count = count + 1;
    if (count < 1000 || count % BLOCK != 0) begin
      errors = 1;
      $display("ply11_player_replay_tb: %0d clocks in the file", count);
    end
    for (n = 0; n < count && errors == 0; n = n + 1) begin
      in = clocks[n];
      if (in[11]) begin
        word = words[next];
        next = next + 1;
      end
      #4;
      if (n >= SETTLE) begin
        handshakes = mix(handshakes, {in_game, text_valid, m_valid, load_ready, s_ready});
        beat = mix(beat, {m_depth, m_promotion, m_to, m_from, m_error, m_result, m_kind} & {28{m_valid}});
        beat = mix(beat, m_offset & {32{m_valid}});
        beat = mix(beat, {m_captured, m_man, m_index & {11{indexed}}} & {19{m_valid}});
        for (k = 0; k < 8; k = k + 1) position = mix(position, board[32*k +: 32]);
        position = mix(position, {ply, ep, rights, side});
        text = mix(text, {text_kind, text_last, text_data} & {12{text_valid}});
        if (m_valid && m_ready && !rst) begin
          beats = beats + 1;
          if (m_kind == 2'd2) ends = ends + 1;
          if (m_kind == 2'd3) faults = faults + 1;
        end
        if (load_valid && load_ready && word[35:32] == 4'd8) loads = loads + 1;
        if (text_valid && text_last) texts = texts + 1;
      end
      if (n % BLOCK == BLOCK - 1) begin
        // A bit that is neither 0 nor 1 is an error, too.
        if ({handshakes[31:16], beat[31:16], position[31:16], text[31:16]} !== sums[n/BLOCK]) begin
          errors = errors + 1;
          $display("ply11_player_replay_tb: in clocks %0d to %0d:%0s%0s%0s%0s are not what the model gives", at, n,
                   handshakes[31:16] !== sums[n/BLOCK][63:48] ? " handshakes" : "",
                   beat[31:16] !== sums[n/BLOCK][47:32] ? " beats" : "",
                   position[31:16] !== sums[n/BLOCK][31:16] ? " positions" : "",
                   text[31:16] !== sums[n/BLOCK][15:0] ? " texts" : "");
        end
        at = n + 1;
      end
      @(posedge clk);
      #1;
    end
    if (ends < 8 || faults < 8 || (CASE != 0 && (loads < 8 || texts < 8))) begin
      errors = errors + 1;
      $display("ply11_player_replay_tb: %0d ends, %0d errors, %0d start positions, %0d texts are too few", ends, faults, loads, texts);
    end
    verdict;
    $display("PASS ply11_player_replay_tb CASE=%0d: %0d clocks, %0d beats, %0d ends, %0d errors, %0d start positions, %0d texts",
             CASE, count, beats, ends, faults, loads, texts);
    $finish;
  end

endmodule

`resetall
