// SPDX-License-Identifier: Apache-2.0
// Second test bench of ply11_peripheral: its wires. In the place of the four modules in it stand others of the
// same ports, which give anything. Every bit must arrive at another one or at a port. Only this bench changes all of them.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_peripheral_alone_tb;

  localparam CLOCKS = 2000;

  localparam NAME = "ply11_peripheral_alone_tb";
  localparam WATCHDOG = CLOCKS + 100;
  `include "ply11_bench.vh"

  // What is given: to the ports, by the registers, by the player, by perft, by the search.
  reg  [98:0]  ports = 0;
  // {set_valid, set_addr, set_data, match_clear}, numbering, 8 bits for perft, {restart, player_reset, mode, load_valid, load_addr, load_data}, 42 bits of AXI4-Lite.
  reg  [130:0] regs = 0;
  reg  [450:0] player = 0;      // {in_game, board, load_ready}, 176 bits of the streams
  reg  [71:0]  perft = 0;       // {ready, load_ready, valid, depth, count, last}
  reg  [195:0] match = 0;       // {s_ready, hit, hits, game}, {last, user, valid} of m_axis
  // What arrives.
  wire [41:0]  out_regs;
  wire [175:0] out_player;
  wire [31:0]  out_game;
  reg  [550:0] in_regs;
  reg  [55:0]  in_player;
  reg  [43:0]  in_perft;
  reg  [445:0] in_match;
  reg          match_ready;

  ply11_peripheral #(.MODES(7), .PERFT(7), .MATCH(1)) u_dut (
    .aclk(clk), .aresetn(ports[96]),
    .s_axil_awaddr({ports[97], ports[6:0]}), .s_axil_awvalid(ports[7]), .s_axil_wdata(ports[39:8]), .s_axil_wstrb(ports[43:40]),
    .s_axil_wvalid(ports[44]), .s_axil_bready(ports[45]), .s_axil_araddr({ports[98], ports[52:46]}), .s_axil_arvalid(ports[53]),
    .s_axil_rready(ports[54]),
    .s_axil_awready(out_regs[0]), .s_axil_wready(out_regs[1]), .s_axil_bresp(out_regs[3:2]), .s_axil_bvalid(out_regs[4]),
    .s_axil_arready(out_regs[5]), .s_axil_rdata(out_regs[37:6]), .s_axil_rresp(out_regs[39:38]), .s_axil_rvalid(out_regs[40]),
    .irq(out_regs[41]),
    .s_axis_tvalid(ports[55]), .s_axis_tready(out_player[0]), .s_axis_tdata(ports[63:56]), .s_axis_tkeep(ports[64]),
    .s_axis_tlast(ports[65]),
    .m_axis_tvalid(out_player[1]), .m_axis_tready(ports[66]), .m_axis_tdata(out_player[129:2]), .m_axis_tlast(out_player[130]), .m_axis_tuser(out_game),
    .m_axis_text_tvalid(out_player[131]), .m_axis_text_tready(ports[67]), .m_axis_text_tdata(out_player[139:132]),
    .m_axis_text_tlast(out_player[140]), .m_axis_text_tuser(out_player[175:141])
  );

  integer k;
  reg [31:0] rnd;

  task compare;
    begin
      expect_that(out_regs === regs[41:0], "the outputs of AXI4-Lite");
      expect_that(out_player === {player[175:131], match[129:0], player[0]} && out_game === match[161:130], "the outputs of the streams");
      expect_that(in_regs[55:0] === {ports[96], ports[54:0]}, "the inputs of AXI4-Lite");
      expect_that(in_regs[445:444] === ports[98:97], "the highest bits of the addresses");
      // load_ready, tvalid, tready, tdata, {in_game, board}.
      expect_that(in_regs[443:56] === {player[176], player[1], match[195], player[129:2], player[433:177]}, "the registers' beat");
      expect_that(in_player[12:0] === {ports[67], match[195], ports[65:55]}, "the inputs of the streams");
      // numbering; restart, reset, mode, load_valid, load_addr, load_data.
      expect_that(in_player[55] === regs[91] && in_player[53:13] === regs[82:42], "the player's control");
      expect_that(in_player[54] === ports[96], "the player's aresetn");
      expect_that(in_regs[517:446] === perft && in_regs[550:518] === match[194:162], "the registers' counts");
      // load_addr, load_data; reset, valid, depth, load_valid, ready.
      expect_that(in_perft[35:0] === regs[77:42] && in_perft[42:36] === regs[89:83], "perft's order and root");
      expect_that(in_perft[43] === (!ports[96] || regs[90]), "perft's rst");
      // set_valid, set_addr, set_data, clear; valid, kind, last, main, side, ply; board; user; ready, rst.
      expect_that(in_match[445:407] === regs[130:92], "the pattern");
      expect_that(in_match[406:385] === {player[1], player[3:2], player[130], player[118:114] === 5'd0, player[9], player[113:98]}, "the search's beat");
      expect_that(in_match[384:0] === {player[432:177], player[129:2], !ports[96]}, "the search's board, record and rst");
      expect_that(match_ready === ports[66], "the search's m_ready");
    end
  endtask

  initial begin
    #6;
    for (n = 0; n < CLOCKS; n = n + 1) begin
      for (k = 0; k < 15; k = k + 1) begin
        rnd = $random;
        player = {player[418:0], rnd};
        rnd = $random;
        regs = {regs[98:0], rnd};
        rnd = $random;
        ports = {ports[66:0], rnd};
        rnd = $random;
        perft = {perft[39:0], rnd};
        rnd = $random;
        match = {match[163:0], rnd};
      end
      // After the falling edge, in which they take what arrives.
      #5;
      if (n > 0) compare;
      @(posedge clk);
      #1;
    end
    verdict;
    $display("PASS ply11_peripheral_alone_tb: %0d clocks", CLOCKS);
    $finish;
  end

endmodule

// ---- in the place of the modules ----

module ply11_regs #(parameter MODES = 3, WIDTH = 8, LAYOUT = 0, DIALECT = 0, DEPTH = 0, PERFT = 0, MATCH = 0) (
  input  wire         aclk, aresetn,
  input  wire [7:0]   s_axil_awaddr,
  input  wire         s_axil_awvalid,
  output wire         s_axil_awready,
  input  wire [31:0]  s_axil_wdata,
  input  wire [3:0]   s_axil_wstrb,
  input  wire         s_axil_wvalid,
  output wire         s_axil_wready,
  output wire [1:0]   s_axil_bresp,
  output wire         s_axil_bvalid,
  input  wire         s_axil_bready,
  input  wire [7:0]   s_axil_araddr,
  input  wire         s_axil_arvalid,
  output wire         s_axil_arready,
  output wire [31:0]  s_axil_rdata,
  output wire [1:0]   s_axil_rresp,
  output wire         s_axil_rvalid,
  input  wire         s_axil_rready,
  output wire         irq, player_reset, player_restart,
  output wire [1:0]   mode,
  output wire         numbering,
  output wire         load_valid,
  input  wire         load_ready,
  output wire [3:0]   load_addr,
  output wire [31:0]  load_data,
  input  wire         beat_tvalid, beat_tready,
  input  wire [127:0] beat_tdata,
  input  wire [255:0] board,
  input  wire         in_game,
  output wire         perft_reset, perft_valid,
  output wire [3:0]   perft_depth,
  output wire         perft_load_valid, count_ready,
  input  wire         perft_ready, perft_load_ready, count_valid,
  input  wire [3:0]   count_depth,
  input  wire [63:0]  count,
  input  wire         count_last,
  output wire         set_valid,
  output wire [4:0]   set_addr,
  output wire [31:0]  set_data,
  output wire         match_clear,
  input  wire         hit,
  input  wire [31:0]  hits
);
  assign {set_valid, set_addr, set_data, match_clear} = ply11_peripheral_alone_tb.regs[130:92];
  assign {numbering, perft_reset, perft_valid, perft_depth, perft_load_valid, count_ready} = ply11_peripheral_alone_tb.regs[91:83];
  assign {player_restart, player_reset, mode, load_valid, load_addr, load_data, irq, s_axil_rvalid, s_axil_rresp, s_axil_rdata, s_axil_arready,
          s_axil_bvalid, s_axil_bresp, s_axil_wready, s_axil_awready} = ply11_peripheral_alone_tb.regs[82:0];
  always @(negedge aclk)
    ply11_peripheral_alone_tb.in_regs =
        {hit, hits, perft_ready, perft_load_ready, count_valid, count_depth, count, count_last, s_axil_araddr[7], s_axil_awaddr[7],
         load_ready, beat_tvalid, beat_tready, beat_tdata, in_game, board, aresetn, s_axil_rready, s_axil_arvalid,
         s_axil_araddr[6:0], s_axil_bready, s_axil_wvalid, s_axil_wstrb, s_axil_wdata, s_axil_awvalid, s_axil_awaddr[6:0]};
endmodule

module ply11_player_axis #(parameter MODES = 3, WIDTH = 8, LAYOUT = 0, DIALECT = 0, DEPTH = 0) (
  input  wire         aclk, aresetn, reset, restart,
  input  wire [1:0]   mode,
  input  wire         numbering,
  input  wire         s_axis_tvalid,
  output wire         s_axis_tready,
  input  wire [7:0]   s_axis_tdata,
  input  wire         s_axis_tkeep, s_axis_tlast,
  input  wire         load_valid,
  output wire         load_ready,
  input  wire [3:0]   load_addr,
  input  wire [31:0]  load_data,
  output wire         m_axis_tvalid,
  input  wire         m_axis_tready,
  output wire [127:0] m_axis_tdata,
  output wire         m_axis_tlast, m_axis_text_tvalid,
  input  wire         m_axis_text_tready,
  output wire [7:0]   m_axis_text_tdata,
  output wire         m_axis_text_tlast,
  output wire [34:0]  m_axis_text_tuser,
  output wire [255:0] board,
  output wire         side,
  output wire [3:0]   rights, ep,
  output wire [15:0]  ply,
  output wire         in_game
);
  assign {in_game, board, load_ready, m_axis_text_tuser, m_axis_text_tlast, m_axis_text_tdata, m_axis_text_tvalid, m_axis_tlast,
          m_axis_tdata, m_axis_tvalid, s_axis_tready} = ply11_peripheral_alone_tb.player[433:0];
  assign {side, rights, ep, ply} = 25'd0;
  always @(negedge aclk)
    ply11_peripheral_alone_tb.in_player =
        {numbering, aresetn, restart, reset, mode, load_valid, load_addr, load_data, m_axis_text_tready, m_axis_tready, s_axis_tlast, s_axis_tkeep, s_axis_tdata,
         s_axis_tvalid};
endmodule

module ply11_perft #(parameter DEPTH = 10) (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [3:0]   s_depth,
  input  wire         load_valid,
  output wire         load_ready,
  input  wire [3:0]   load_addr,
  input  wire [31:0]  load_data,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [3:0]   m_depth,
  output wire [63:0]  m_count,
  output wire         m_last, job_valid,
  input  wire         job_ready, job_skip
);
  assign job_valid = 1'b0;
  assign {s_ready, load_ready, m_valid, m_depth, m_count, m_last} = ply11_peripheral_alone_tb.perft;
  initial if (DEPTH != 7 || job_ready !== 1'b1 || job_skip !== 1'b0) ply11_peripheral_alone_tb.errors = 1;
  always @(negedge clk)
    ply11_peripheral_alone_tb.in_perft = {rst, s_valid, s_depth, load_valid, m_ready, load_addr, load_data};
endmodule

module ply11_match #(parameter USER_WIDTH = 1) (
  input  wire          clk, rst, set_valid,
  input  wire [4:0]    set_addr,
  input  wire [31:0]   set_data,
  input  wire          clear, s_valid,
  output wire          s_ready,
  input  wire [1:0]    s_kind,
  input  wire          s_last, s_main,
  input  wire [255:0]  board,
  input  wire          side,
  input  wire [15:0]   ply,
  input  wire [127:0]  s_user,
  output wire          m_valid,
  input  wire          m_ready,
  output wire [1:0]    m_kind,
  output wire          m_last,
  output wire [31:0]   m_game,
  output wire [15:0]   m_ply,
  output wire [127:0]  m_user,
  output wire          hit,
  output wire [31:0]   hits
);
  assign {s_ready, hit, hits, m_game, m_last, m_user, m_valid} = ply11_peripheral_alone_tb.match;
  assign {m_kind, m_ply} = 18'd0;
  initial if (USER_WIDTH != 128) ply11_peripheral_alone_tb.errors = 1;
  always @(negedge clk) begin
    ply11_peripheral_alone_tb.in_match =
        {set_valid, set_addr, set_data, clear, s_valid, s_kind, s_last, s_main, side, ply, board, s_user, rst};
    ply11_peripheral_alone_tb.match_ready = m_ready;
  end
endmodule

`resetall
