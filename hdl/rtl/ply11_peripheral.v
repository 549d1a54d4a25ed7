// SPDX-License-Identifier: Apache-2.0
// ply11_peripheral - the player as a peripheral of a SoC: ply11_player_axis with ply11_regs; with PERFT, ply11_perft, too, and with MATCH, ply11_match.
// Files: those of ply11_peripheral.f.
// Throughput, latency and handshake are those of these modules. Their headers describe packets, records, registers and counts.
//
// With MATCH, ply11_match stands between the player and m_axis, three clocks long. Plies of variations do not match. What the registers count,
// take snapshots of and tell by interrupts, but for HIT, are the player's beats: those that m_axis leaves out, too. A game that
// RESET cuts off and the next one are one game to ply11_match, unless CLEAR comes between them.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_peripheral #(
  // Bit 0: words, bit 1: Brenner, bit 2: jose, bit 3: ChessBase.
  parameter MODES = 3,
  // Bits of s_axis_tdata: 8, or 32 or 64 with words alone.
  parameter WIDTH = 8,
  // Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
  parameter LAYOUT = 0,
  // jose's dialect: 0 document, 1 program.
  parameter DIALECT = 0,
  // Variations of words, jose and ChessBase, inside each other, that are played, 0..31.
  parameter DEPTH = 0,
  // Plies that perft can count, 2..10, or 0: there is no perft.
  parameter PERFT = 0,
  // 1: m_axis can be searched for a pattern.
  parameter MATCH = 0
) (
  input  wire               aclk,                // the clock; all ports belong to its rising edge
  input  wire               aresetn,             // synchronous reset, active low

  input  wire [7:0]         s_axil_awaddr,       // byte address of a write
  input  wire               s_axil_awvalid,      // 1: the address is offered
  output wire               s_axil_awready,      // 1: it is taken if s_axil_awvalid is 1
  input  wire [31:0]        s_axil_wdata,        // value of a write
  input  wire [3:0]         s_axil_wstrb,        // bit i: byte i is written
  input  wire               s_axil_wvalid,       // 1: the value is offered
  output wire               s_axil_wready,       // 1: it is taken if s_axil_wvalid is 1
  output wire [1:0]         s_axil_bresp,        // 0 OKAY, 2 SLVERR
  output wire               s_axil_bvalid,       // 1: a response to a write; it stays until s_axil_bready is 1
  input  wire               s_axil_bready,       // 1: it is taken
  input  wire [7:0]         s_axil_araddr,       // byte address of a read
  input  wire               s_axil_arvalid,      // 1: the address is offered
  output wire               s_axil_arready,      // 1: it is taken if s_axil_arvalid is 1
  output wire [31:0]        s_axil_rdata,        // value of the register
  output wire [1:0]         s_axil_rresp,        // 0 OKAY, 2 SLVERR
  output wire               s_axil_rvalid,       // 1: a response to a read; it stays until s_axil_rready is 1
  input  wire               s_axil_rready,       // 1: it is taken

  output wire               irq,                 // 1: an event of INTERRUPT that ENABLE has

  input  wire               s_axis_tvalid,       // 1: a beat of bytes is offered
  output wire               s_axis_tready,       // 1: the beat is taken in this clock if s_axis_tvalid is 1
  input  wire [WIDTH-1:0]   s_axis_tdata,        // bytes; the first is in the low bits
  input  wire [WIDTH/8-1:0] s_axis_tkeep,        // bit i: byte i is there
  input  wire               s_axis_tlast,        // 1: the packet, a stream of games, ends

  output wire               m_axis_tvalid,       // 1: a record is offered; it stays, unchanged, until m_axis_tready is 1
  input  wire               m_axis_tready,       // 1: the record is taken in this clock if m_axis_tvalid is 1
  output wire [127:0]       m_axis_tdata,        // the record; byte 0 is in the low bits
  output wire               m_axis_tlast,        // 1: the packet, a game, ends
  output wire [31:0]        m_axis_tuser,        // with MATCH the number of the game, from 1; else 0

  output wire               m_axis_text_tvalid,  // 1: a byte of a text is offered; it stays until m_axis_text_tready is 1
  input  wire               m_axis_text_tready,  // 1: the byte is taken in this clock if m_axis_text_tvalid is 1
  output wire [7:0]         m_axis_text_tdata,   // the byte
  output wire               m_axis_text_tlast,   // 1: the text ends
  output wire [34:0]        m_axis_text_tuser    // {text_kind of ply11_player, number of the byte in the packet}
);

  wire         player_reset, player_restart, numbering, in_game;
  wire [1:0]   mode;
  wire         load_valid, load_ready;
  wire [3:0]   load_addr;
  wire [31:0]  load_data;
  wire         beat_tvalid, beat_tready, beat_tlast;
  wire [127:0] beat_tdata;
  wire [255:0] board;
  /* verilator lint_off UNUSEDSIGNAL */
  wire         perft_reset, perft_valid, perft_load_valid, count_ready;  // without PERFT
  wire [3:0]   perft_depth;
  /* verilator lint_on UNUSEDSIGNAL */
  wire         perft_ready, perft_load_ready, count_valid, count_last;
  wire [3:0]   count_depth;
  wire [63:0]  count;
  /* verilator lint_off UNUSEDSIGNAL */
  wire         set_valid, match_clear;                                   // without MATCH
  wire [4:0]   set_addr;
  wire [31:0]  set_data;
  /* verilator lint_on UNUSEDSIGNAL */
  wire         hit;
  wire [31:0]  hits;

  ply11_regs #(.MODES(MODES), .WIDTH(WIDTH), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH), .PERFT(PERFT),
               .MATCH(MATCH)) u_regs (
    .aclk(aclk), .aresetn(aresetn),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready),
    .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
    .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
    .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready),
    .irq(irq),
    .player_reset(player_reset), .player_restart(player_restart), .mode(mode), .numbering(numbering),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .beat_tvalid(beat_tvalid), .beat_tready(beat_tready), .beat_tdata(beat_tdata),
    .board(board), .in_game(in_game),
    .perft_reset(perft_reset), .perft_valid(perft_valid), .perft_depth(perft_depth), .perft_load_valid(perft_load_valid),
    .count_ready(count_ready), .perft_ready(perft_ready), .perft_load_ready(perft_load_ready),
    .count_valid(count_valid), .count_depth(count_depth), .count(count), .count_last(count_last),
    .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .match_clear(match_clear), .hit(hit), .hits(hits)
  );

  ply11_player_axis #(.MODES(MODES), .WIDTH(WIDTH), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH)) u_player (
    .aclk(aclk), .aresetn(aresetn), .reset(player_reset), .restart(player_restart),
    .mode(mode), .numbering(numbering),
    .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep), .s_axis_tlast(s_axis_tlast),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_axis_tvalid(beat_tvalid), .m_axis_tready(beat_tready), .m_axis_tdata(beat_tdata),
    .m_axis_tlast(beat_tlast),
    .m_axis_text_tvalid(m_axis_text_tvalid), .m_axis_text_tready(m_axis_text_tready),
    .m_axis_text_tdata(m_axis_text_tdata), .m_axis_text_tlast(m_axis_text_tlast),
    .m_axis_text_tuser(m_axis_text_tuser),
    .board(board),
    /* verilator lint_off PINCONNECTEMPTY */
    .side(), .rights(), .ep(), .ply(),
    /* verilator lint_on PINCONNECTEMPTY */
    .in_game(in_game)
  );

  generate
    if (PERFT != 0) begin : g_perft
      ply11_perft #(.DEPTH(PERFT)) u_perft (
        .clk(aclk), .rst(!aresetn || perft_reset),
        .s_valid(perft_valid), .s_ready(perft_ready), .s_depth(perft_depth),
        .load_valid(perft_load_valid), .load_ready(perft_load_ready), .load_addr(load_addr), .load_data(load_data),
        .m_valid(count_valid), .m_ready(count_ready), .m_depth(count_depth), .m_count(count), .m_last(count_last),
        /* verilator lint_off PINCONNECTEMPTY */
        .job_valid(), .job_ready(1'b1), .job_skip(1'b0)
        /* verilator lint_on PINCONNECTEMPTY */
      );
    end else begin : g_no_perft
      assign {perft_ready, perft_load_ready, count_valid, count_last, count_depth, count} = 72'd0;
    end
    if (MATCH != 0) begin : g_match
      ply11_match #(.USER_WIDTH(128)) u_match (
        .clk(aclk), .rst(!aresetn), .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .clear(match_clear),
        .s_valid(beat_tvalid), .s_ready(beat_tready), .s_kind(beat_tdata[1:0]), .s_last(beat_tlast),
        .s_main(beat_tdata[116:112] == 5'd0), .board(board), .side(beat_tdata[7]), .ply(beat_tdata[111:96]), .s_user(beat_tdata),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_last(m_axis_tlast), .m_game(m_axis_tuser), .m_user(m_axis_tdata),
        /* verilator lint_off PINCONNECTEMPTY */
        .m_kind(), .m_ply(),
        /* verilator lint_on PINCONNECTEMPTY */
        .hit(hit), .hits(hits)
      );
    end else begin : g_no_match
      assign {m_axis_tvalid, m_axis_tlast, m_axis_tdata} = {beat_tvalid, beat_tlast, beat_tdata};
      assign beat_tready = m_axis_tready;
      assign {m_axis_tuser, hit, hits} = 65'd0;
    end
  endgenerate

endmodule

`resetall
