// SPDX-License-Identifier: Apache-2.0
// Third test bench of ply11_peripheral: what it has with PERFT and with MATCH, by its registers.
// Perft: orders about the usual initial position and about a root that is
// written, counts polled and by interrupt; what is refused while it counts; a count that is given up; a game that
// is played meanwhile, and a start position that does not go to perft. Accesses and their responses begin and wait at random.
// The search: what m_axis gives of two games, and of an error, with one pattern, other sides and plies; HITS and its interrupt; what is refused;
// CLEAR while a record waits, RESET inside a game, and aresetn.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_peripheral_whole_tb;

  localparam NAME = "ply11_peripheral_whole_tb";
  localparam WATCHDOG = 40000;
  `include "ply11_bench.vh"

  reg         aresetn = 0;
  reg  [7:0]  awaddr = 0, araddr = 0;
  reg         awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
  reg  [31:0] wdata = 0;
  reg  [3:0]  wstrb = 4'hf;
  wire        awready, wready, bvalid, arready, rvalid, irq;
  wire [1:0]  bresp, rresp;
  wire [31:0] rdata;
  reg         s_tvalid = 0, s_tlast = 0;
  reg  [7:0]  s_tdata = 0;
  wire        s_tready, m_tvalid, m_tlast, t_tvalid, t_tlast;
  reg         stop = 0;
  wire [127:0] m_tdata;
  wire [31:0] m_tuser;
  wire [7:0]  t_tdata;
  wire [34:0] t_tuser;

  ply11_peripheral #(.MODES(3), .PERFT(4), .MATCH(1)) u_dut (
    .aclk(clk), .aresetn(aresetn),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq),
    .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tkeep(1'b1),
    .s_axis_tlast(s_tlast),
    .m_axis_tvalid(m_tvalid), .m_axis_tready(!stop), .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast), .m_axis_tuser(m_tuser),
    .m_axis_text_tvalid(t_tvalid), .m_axis_text_tready(1'b1), .m_axis_text_tdata(t_tdata),
    .m_axis_text_tlast(t_tlast), .m_axis_text_tuser(t_tuser)
  );

  localparam [7:0] STATUS = 8'h0c, INTERRUPT = 8'h10, ENABLE = 8'h14, SNAPSHOT = 8'h18, START = 8'h1c, GAMES = 8'h20, STATE = 8'h2c,
                   START0 = 8'h60, PERFT = 8'h80, COUNT_LOW = 8'h84, COUNT_HIGH = 8'h88,
                   CONTROL = 8'h08, PLIES = 8'h24, MATCH_PLIES = 8'h90, MATCH = 8'h94, HITS = 8'h98, PATTERN0 = 8'hc0;
  localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;
  localparam [31:0] GO = 32'h10, NEXT = 32'h20, STOP = 32'h40, ROOT = 32'h100, BUSY = 32'h1_0000, VALID = 32'h2_0000, LAST = 32'h4_0000;
  // Fool's Mate: 1 f3 e5 2 g4 Qh4 0-1.
  localparam [8*11-1:0] WORDS = 88'hfffffffffb07f663ada08d;
  // 1 e4 e5 2 Nf3 *, and 1 Nf3 Nf6 2 e4 0-1; 1 e4, then a king's move that there is not, e5 and *.
  localparam [8*11-1:0] TWO = {11'd1968, 11'd396, 11'd766, 11'd1094, 11'd1971, 11'd1094, 11'd1460, 11'd396};
  localparam [8*11-1:0] WRONG = {{4{11'd2047}}, 11'd1971, 11'd1460, 11'd388, 11'd396};
  // ON, White or Black to move; Ng1-f3 and Pe2-e4 were played: squares 21 and 28.
  localparam [31:0] ON = 32'd1, WHITE = 32'd2, BLACK = 32'd4, HIT = 32'd8;
  // A beat as it is kept: game, ply, kind, tlast.
  localparam [1:0] PLY = 2'd0, END = 2'd2, ERROR = 2'd3;
  // 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -: 14, 191, 2812.
  localparam [255:0] ROOKS = 256'h00000000_00000e00_0000e000_d0000061_90e00050_00000000_06060000_00000000;

  reg  [31:0] got;
  reg  [31:0] cleared;
  integer     k, after, counts = 0, hits = 0;
  reg  [15:0] beats [0:15];
  integer     seen = 0, looked = 0;

  task tick;
    begin
      #1;
      if (aresetn) begin
        sink(m_tvalid, !stop, {m_tuser, m_tlast, m_tdata});
        if (m_tvalid && !stop) begin
          beats[seen % 16] = {m_tuser[7:0], m_tdata[100:96], m_tdata[1:0], m_tlast};
          seen = seen + 1;
        end
      end else sink_held = 2'd0;
      @(posedge clk);
      #1;
    end
  endtask

  task write_to(input [7:0] address, input [31:0] data, input [1:0] response);
    reg took;
    begin
      awaddr = address;
      wdata = data;
      {awvalid, wvalid} = 2'b11;
      took = 1'b0;
      while (!took) begin
        #1 took = awready;
        tick;
      end
      {awvalid, wvalid} = 2'b00;
      repeat ($random & 3) tick;
      while (!bvalid) tick;
      if (bresp !== response) begin
        $display("%0s: %h to %h: response %0d", NAME, data, address, bresp);
        fail("response of a write");
      end
      bready = 1'b1;
      tick;
      bready = 1'b0;
    end
  endtask

  task read_from(input [7:0] address);
    begin
      araddr = address;
      arvalid = 1'b1;
      #1;
      while (!arready) tick;
      tick;
      arvalid = 1'b0;
      repeat ($random & 3) tick;
      while (!rvalid) tick;
      got = rdata;
      expect_that(rresp === OKAY, "response of a read");
      rready = 1'b1;
      tick;
      rready = 1'b0;
    end
  endtask

  // The next count; nothing waits for it after an error.
  task count(input [31:0] plies, input [31:0] number, input last);
    begin
      got = 32'd0;
      while (!(got & VALID) && errors == 0) read_from(PERFT);
      expect_that(got[23:20] === plies && got[18] === last && got[16], "PERFT with a count");
      read_from(COUNT_LOW);
      expect_that(got === number, "COUNT_LOW");
      read_from(COUNT_HIGH);
      expect_that(got === 32'd0, "COUNT_HIGH");
      write_to(PERFT, NEXT, OKAY);
      counts = counts + 1;
    end
  endtask

  task idle;
    begin
      read_from(PERFT);
      expect_that(!(got & (BUSY | VALID)), "BUSY after the last count");
    end
  endtask

  // A position, to perft or to the player.
  task load(input [255:0] men, input [31:0] state);
    for (k = 8; k >= 0; k = k - 1) begin
      write_to(k == 0 ? START : START0 + 4 * (k - 1), k == 0 ? state : men[32*(k-1) +: 32], OKAY);
      got = 32'd8;
      while (got[3]) read_from(STATUS);
    end
  endtask

  // The first bytes of a packet; eleven are all of it.
  task send_some(input [8*11-1:0] words, input integer bytes);
    begin
      for (k = 0; k < bytes; k = k + 1) begin
        s_tvalid = 1'b1;
        s_tdata = words[8*k +: 8];
        s_tlast = k == 10;
        #1;
        while (!s_tready) tick;
        tick;
      end
      s_tvalid = 1'b0;
    end
  endtask

  task send(input [8*11-1:0] words);
    send_some(words, 11);
  endtask

  // The next beat of those that have come.
  task beat(input [7:0] game, input [4:0] ply, input [1:0] kind);
    begin
      expect_that(looked < seen && beats[looked % 16] === {game, ply, kind, kind == END}, "another beat on m_axis");
      looked = looked + 1;
    end
  endtask

  task no_more;
    begin
      expect_that(looked === seen, "beats that should not come");
      looked = seen;
    end
  endtask

  // Every beat of TWO, whose first game has this number; and what a search gives of it: of each game the third ply and the END.
  task all_of_two(input [7:0] game);
    begin
      for (k = 0; k < 8; k = k + 1) beat(game + k / 4, k % 4 < 3 ? k % 4 + 1 : 3, k % 4 < 3 ? PLY : END);
      no_more;
    end
  endtask

  task hits_of_two;
    begin
      for (k = 1; k < 3; k = k + 1) begin
        beat(k, 3, PLY);
        beat(k, 3, END);
      end
      no_more;
    end
  endtask

  // Plays, with the word of MATCH, and lets all come.
  task search(input [31:0] ask, input [8*11-1:0] words);
    begin
      write_to(CONTROL, 2, OKAY);
      write_to(MATCH, ask, OKAY);
      send(words);
      repeat (150) tick;
    end
  endtask

  task expect_hits(input [31:0] number);
    begin
      read_from(HITS);
      expect_that(got === number, "HITS");
      hits = hits + number;
    end
  endtask

  initial begin
    repeat (3) tick;
    aresetn = 1'b1;
    tick;
    read_from(STATUS);
    expect_that(got === 32'h0008_8340, "STATUS");
    idle;
    read_from(PERFT);
    expect_that((got & 32'h0002_010f) === 32'd0, "PERFT after reset");
    // Read only, and what has no register.
    write_to(COUNT_LOW, 32'd1, SLVERR);
    write_to(COUNT_HIGH, 32'd1, SLVERR);
    write_to(8'h8c, 32'd1, SLVERR);

    // The usual initial position, polled.
    n = 1;
    write_to(PERFT, GO | 2, OKAY);
    read_from(PERFT);
    expect_that((got & BUSY) && got[3:0] == 4'd2, "not BUSY after GO");
    write_to(PERFT, GO | 1, SLVERR);
    read_from(PERFT);
    expect_that(got[3:0] == 4'd2, "DEPTH of a write that was refused");
    count(0, 1, 0);
    count(1, 20, 0);
    count(2, 400, 1);
    idle;
    // NEXT without a count takes none.
    write_to(PERFT, NEXT, OKAY);

    // A root of one's own, with an interrupt for each count. While it is counted a game is played.
    n = 2;
    write_to(INTERRUPT, 15, OKAY);
    write_to(ENABLE, 4, OKAY);
    expect_that(!irq, "irq before GO");
    write_to(PERFT, ROOT, OKAY);
    load(ROOKS, 32'h0000_0000);
    write_to(PERFT, ROOT | GO | 2, OKAY);
    write_to(START, 32'd0, SLVERR);
    send(WORDS);
    for (n = 0; n < 3; n = n + 1) begin
      for (k = 0; k < 600 && !irq; k = k + 1) tick;
      expect_that(irq, "no irq with a count");
      write_to(INTERRUPT, 4, OKAY);
      repeat (3) tick;
      expect_that(!irq, "irq after it was cleared");
      count(n, n == 0 ? 1 : n == 1 ? 14 : 191, n == 2);
    end
    idle;
    write_to(SNAPSHOT, 1, OKAY);
    read_from(GAMES);
    expect_that(got === 32'd1, "the game beside it");

    // The root stays; a start position is the player's now, and waits in words until RESET.
    n = 3;
    write_to(PERFT, 32'd1, OKAY);
    write_to(START0, 32'h1234_5678, OKAY);
    read_from(STATUS);
    expect_that(got[3], "a word that waits");
    write_to(CONTROL, 32'd1, OKAY);
    write_to(CONTROL, 32'd0, OKAY);
    read_from(STATUS);
    expect_that(!got[3], "a word after RESET");
    // RESET is none of perft's business: its root stays.
    write_to(PERFT, GO | 1, OKAY);
    count(0, 1, 0);
    count(1, 14, 1);
    idle;

    // STOP gives up; then it is the usual initial position again.
    n = 4;
    write_to(PERFT, GO | 4, OKAY);
    repeat (300) tick;
    read_from(PERFT);
    expect_that(got[16], "BUSY before STOP");
    write_to(PERFT, STOP, OKAY);
    idle;
    write_to(PERFT, GO | 1, OKAY);
    count(0, 1, 0);
    count(1, 20, 1);
    idle;
    // In the midst of the counts, too.
    write_to(PERFT, GO | 1, OKAY);
    count(0, 1, 0);
    write_to(PERFT, STOP, OKAY);
    idle;
    // More than there is room for is as much as there is room for.
    write_to(PERFT, GO | 15, OKAY);
    read_from(PERFT);
    write_to(PERFT, STOP, OKAY);

    // Without a pattern nothing matches, and all passes: so did the game above, which was the first.
    n = 5;
    for (k = 1; k <= 4; k = k + 1) beat(1, k, PLY);
    beat(1, 4, END);
    no_more;
    expect_hits(0);
    send(TWO);
    repeat (150) tick;
    all_of_two(2);
    read_from(INTERRUPT);
    expect_that(!(got & HIT), "INTERRUPT.HIT without a pattern");

    // The pattern is write only, and wants all strobes; HITS is read only.
    n = 6;
    for (k = 0; k < 16; k = k + 1) write_to(PATTERN0 + 4 * k, k == 5 ? 32'hffff5aff : k == 7 ? 32'hffffff69 : 32'hffffffff, OKAY);
    write_to(MATCH_PLIES, {16'd65535 - 16'd200, 16'd0 - 16'd1}, OKAY);
    for (k = 0; k < 15; k = k + 1) begin
      wstrb = k;
      write_to(PATTERN0 + 4 * k, 32'hd5d5d5d5, SLVERR);
      write_to(MATCH, ON, SLVERR);
      write_to(MATCH_PLIES, 32'd0, SLVERR);
    end
    wstrb = 4'hf;
    write_to(HITS, 32'd1, SLVERR);
    write_to(8'h9c, 32'd1, SLVERR);

    // Each game has it in its third ply; of both there is that ply and the END. The registers count what is left out, too.
    n = 7;
    write_to(ENABLE, HIT, OKAY);
    search(ON | BLACK, TWO);
    expect_that(irq, "irq with a hit");
    write_to(INTERRUPT, HIT, OKAY);
    repeat (3) tick;
    expect_that(!irq, "irq after a hit was cleared");
    hits_of_two;
    expect_hits(2);
    write_to(SNAPSHOT, 1, OKAY);
    read_from(PLIES);
    expect_that(got === 32'd6, "PLIES of a search");
    // The other side, plies that are not in the range, and ON 0, with which all passes and is counted.
    search(ON | WHITE, TWO);
    no_more;
    expect_hits(0);
    write_to(MATCH_PLIES, {16'd65535 - 16'd200, 16'd0 - 16'd4}, OKAY);
    search(ON | WHITE | BLACK, TWO);
    no_more;
    write_to(MATCH_PLIES, {16'd65535 - 16'd3, 16'd0 - 16'd3}, OKAY);
    search(WHITE | BLACK, TWO);
    all_of_two(1);
    expect_hits(2);
    // An ERROR passes, and the END behind it.
    search(ON | WHITE | BLACK, WRONG);
    beat(1, 1, ERROR);
    beat(1, 1, END);
    no_more;
    expect_hits(0);

    // A record that waits stays as it is, whatever is written; after CLEAR what comes is of game 1, and the END belongs to no match.
    n = 8;
    stop = 1'b1;
    search(ON | BLACK, TWO);
    write_to(CONTROL, 3, OKAY);
    write_to(CONTROL, 0, OKAY);
    expect_hits(0);
    stop = 1'b0;
    repeat (100) tick;
    beat(1, 3, PLY);
    while (looked < seen && errors == 0) begin
      expect_that(beats[looked % 16][15:8] === 8'd1, "a game after CLEAR");
      looked = looked + 1;
    end
    search(ON | BLACK, TWO);
    hits_of_two;
    expect_hits(2);
    // CLEAR beside a running game, in each clock: INTERRUPT.HIT tells just of what HITS counts.
    n = 9;
    for (after = 0; after < 40; after = after + 1) begin
      send(TWO);
      repeat (after) tick;
      write_to(CONTROL, 2, OKAY);
      repeat (150) tick;
      read_from(HITS);
      cleared = got;
      read_from(INTERRUPT);
      expect_that((got & HIT) !== 32'd0 ^ cleared === 32'd0, "INTERRUPT.HIT with HITS after CLEAR");
    end
    looked = seen;
    // A game that RESET cuts off and the next are one; aresetn ends the search.
    write_to(CONTROL, 2, OKAY);
    send_some(TWO, 2);
    repeat (60) tick;
    write_to(CONTROL, 1, OKAY);
    write_to(CONTROL, 4, OKAY);
    send(TWO);
    repeat (150) tick;
    hits_of_two;
    aresetn = 1'b0;
    repeat (2) tick;
    aresetn = 1'b1;
    send(TWO);
    repeat (150) tick;
    all_of_two(1);
    expect_hits(0);

    verdict;
    $display("PASS %0s: %0d counts, %0d hits", NAME, counts, hits);
    $finish;
  end

endmodule

`resetall
