// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_peripheral, and of ply11_regs in it: Fool's Mate as words and as Brenner's bytes, a
// game with an error, a packet that ends inside a game; every register, its resets, strobes and refusals,
// snapshots on demand, with END and with ERROR, the interrupt.  All accesses begin at random and their
// responses wait at random, while games play with back-pressure at random.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_peripheral_tb;

  localparam NAME = "ply11_peripheral_tb";
  localparam WATCHDOG = 200000;
  `include "ply11_bench.vh"

  reg         aresetn = 1'b0;
  reg [127:0] waiting;
  reg  [7:0]  awaddr = 0, araddr = 0;
  reg         awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
  reg  [31:0] wdata = 0;
  reg  [3:0]  wstrb = 0;
  wire        awready, wready, bvalid, arready, rvalid, irq;
  wire [1:0]  bresp, rresp;
  wire [31:0] rdata;
  reg         s_tvalid = 0, s_tlast = 0, m_tready = 0;
  reg  [7:0]  s_tdata = 0;
  wire        s_tready, m_tvalid, m_tlast, t_tvalid, t_tlast;
  wire [127:0] m_tdata;
  wire [7:0]  t_tdata;
  wire [34:0] t_tuser;

  ply11_peripheral #(.MODES(7)) u_dut (
    .aclk(clk), .aresetn(aresetn),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq),
    .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tkeep(1'b1),
    .s_axis_tlast(s_tlast),
    .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast),
    .m_axis_text_tvalid(t_tvalid), .m_axis_text_tready(1'b1), .m_axis_text_tdata(t_tdata),
    .m_axis_text_tlast(t_tlast), .m_axis_text_tuser(t_tuser)
  );

  localparam [7:0] CONTROL = 8'h08, STATUS = 8'h0c, INTERRUPT = 8'h10, ENABLE = 8'h14, SNAPSHOT = 8'h18,
                   GAMES = 8'h20, PLIES = 8'h24, ERRORS = 8'h28, STATE = 8'h2c, FIRST_ERROR = 8'h30,
                   FIRST_BYTE = 8'h34, LAST_ERROR = 8'h38, LAST_BYTE = 8'h3c, BOARD = 8'h40;
  localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;
  // Fool's Mate: 1 f3 e5 2 g4 Qh4 0-1.
  localparam [8*11-1:0] WORDS = 88'hfffffffffb07f663ada08d;
  localparam [8*5-1:0]  BYTES = 40'h01672e2c25;
  localparam [255:0] MATE = 256'hdbc90cbdeee0eeee00000000000e0000a6000000006000006006666653412435;
  localparam [255:0] USUAL = 256'hdbc9acbdeeeeeeee000000000000000000000000000000006666666653412435;
  // After 1 f3 e5.
  localparam [255:0] F3E5 = 256'hdbc9acbdeee0eeee00000000000e000000000000006000006606666653412435;

  integer      i, beats = 0, ended = 0, snaps, games_before;
  // An END was offered after the last clear of its bit, or with it.
  reg          event_seen = 1'b0;
  reg          offered = 1'b0;
  reg  [31:0]  rnd;
  reg  [31:0]  got;
  reg          stop = 1'b0;       // no beat is taken

  // Beats are taken at random.
  always @(posedge clk) begin
    #1 m_tready = !stop && $random;
  end
  always @(posedge clk) if (m_tvalid && m_tready) begin
    beats = beats + 1;
    if (m_tlast) ended = ended + 1;
  end

  always @(posedge clk) begin
    if (awvalid && awready && awaddr == INTERRUPT && wdata[0]) event_seen = 1'b0;
    if (m_tvalid && !offered && m_tlast) event_seen = 1'b1;
    offered = m_tvalid && !m_tready;
  end

  // What the AXI4-Lite side may not do. A reset forgets what was offered; before the first one, valid is x.
  always @(posedge clk) begin
    n = watch;
    if (aresetn) begin
      expect_that((bvalid ^ bvalid) === 1'b0 && (rvalid ^ rvalid) === 1'b0, "bvalid or rvalid is x");
      sink_of(1'b0, bvalid, bready, bresp);
      sink_of(1'b1, rvalid, rready, {rresp, rdata});
    end else sink_held = 2'd0;
  end

  // An error, and the values with it.
  task wrong(input [8*48-1:0] what, input [31:0] found, input [31:0] expected);
    begin
      fail(what);
      if (errors <= 10) $display("  found %h, expected %h", found, expected);
    end
  endtask

  task tick;
    begin
      @(posedge clk);
      #1;
    end
  endtask

  // A write, its address and data at random distances. It is taken in the second clock in which both are there, and answered in the next.
  task write_to(input [7:0] address, input [31:0] data, input [3:0] strobes, input [1:0] response);
    integer wait_a, wait_w, done, both;
    begin
      both = 0;
      wait_a = $random & 3;
      wait_w = $random & 3;
      done = 0;
      while (done != 3) begin
        awvalid = !done[0] && wait_a == 0;
        wvalid = !done[1] && wait_w == 0;
        awaddr = awvalid ? address : ~address;
        wdata = wvalid ? data : ~data;
        wstrb = wvalid ? strobes : 4'hf;
        #1;
        if (awvalid && wvalid) both = both + 1;
        if (awready && awvalid) done = done | 1;
        if (wready && wvalid) done = done | 2;
        if (((awready && !awvalid) || (wready && !wvalid)) !== 1'b0) wrong("ready without valid", 0, 0);
        tick;
        if (wait_a != 0) wait_a = wait_a - 1;
        if (wait_w != 0) wait_w = wait_w - 1;
      end
      awvalid = 0;
      wvalid = 0;
      if (both != 2 || !bvalid) wrong("a write is not answered in time", both, 2);
      wait_a = $random & 3;
      while (!bvalid || wait_a != 0) begin
        if (wait_a != 0) wait_a = wait_a - 1;
        tick;
      end
      bready = 1;
      if (bresp !== response) wrong("response of a write", bresp, response);
      tick;
      bready = 0;
    end
  endtask

  // A read, which is taken at once, and answered in the next clock.
  task read_from(input [7:0] address, input [1:0] response);
    integer waits;
    begin
      repeat ($random & 3) tick;
      arvalid = 1;
      araddr = address;
      #1;
      if (!arready) wrong("a read is not taken", 0, 1);
      tick;
      arvalid = 0;
      araddr = ~address;
      if (!rvalid) wrong("a read is not answered in time", 0, 1);
      waits = $random & 3;
      while (!rvalid || waits != 0) begin
        if (waits != 0) waits = waits - 1;
        tick;
      end
      got = rdata;
      if (rresp !== response) wrong("response of a read", rresp, response);
      rready = 1;
      tick;
      rready = 0;
    end
  endtask

  task expect_at(input [7:0] address, input [31:0] value, input [8*40-1:0] what);
    begin
      read_from(address, OKAY);
      if (got !== value) wrong(what, got, value);
    end
  endtask

  task expect_board(input [255:0] position);
    for (i = 0; i < 8; i = i + 1) expect_at(BOARD + 4 * i, position[32*i +: 32], "board");
  endtask

  task expect_errors(input [31:0] first, input [31:0] first_byte, input [31:0] last, input [31:0] last_byte);
    begin
      expect_at(FIRST_ERROR, first, "first error");
      expect_at(FIRST_BYTE, first_byte, "first byte");
      expect_at(LAST_ERROR, last, "last error");
      expect_at(LAST_BYTE, last_byte, "last byte");
    end
  endtask

  // So many of the low bytes, the last with tlast if last is 1.
  task send(input [8*11-1:0] bytes, input integer many, input last);
    integer k;
    for (k = 0; k < many; k = k + 1) begin
      repeat ($random & 1) tick;
      s_tvalid = 1;
      s_tdata = bytes[8*k +: 8];
      s_tlast = last && k == many - 1;
      while (!s_tready) tick;
      tick;
      s_tvalid = 0;
    end
  endtask

  // A start position, each word when the one before has gone.
  task load(input [255:0] position, input [31:0] state);
    integer k;
    for (k = 8; k >= 0; k = k - 1) begin
      write_to(k == 0 ? 8'h1c : 8'h60 + 4 * (k - 1), k == 0 ? state : position[32*(k-1) +: 32], 4'hf, OKAY);
      got = 32'd8;
      while (got[3]) read_from(STATUS, OKAY);
    end
  endtask

  // Until a number of games has ended.
  task wait_for(input integer number);
    integer patience;
    begin
      patience = 2000;
      while (ended < number && patience > 0) begin
        patience = patience - 1;
        tick;
      end
      if (patience == 0) wrong("no end", ended, number);
      repeat (100) tick;
    end
  endtask

  initial begin
    tick;
    tick;
    aresetn = 1'b1;
    tick;

    // What is there, and what is not.
    expect_at(8'h00, 32'h504c3131, "ID");
    expect_at(8'h03, 32'h504c3131, "ID at an odd address");
    expect_at(8'h04, 32'h0001_0004, "VERSION");
    expect_at(STATUS, 32'h0008_0700, "STATUS");
    expect_at(CONTROL, 0, "CONTROL after reset");
    expect_at(ENABLE, 0, "ENABLE after reset");
    expect_at(SNAPSHOT, 0, "SNAPSHOT after reset");
    read_from(8'h1c, SLVERR);
    read_from(8'h60, SLVERR);
    read_from(8'h7c, SLVERR);
    for (i = 0; i < 32; i = i + 1)
      if (i != 2 && (i < 4 || i > 7) && i < 24) write_to(4 * i, 32'hffffffff, 4'hf, SLVERR);
    expect_board(256'd0);
    expect_errors(0, 0, 0, 0);

    // Byte strobes.
    write_to(CONTROL, 32'hffff_ffff, 4'hc, OKAY);
    expect_at(CONTROL, 0, "CONTROL without strobes");
    write_to(CONTROL, 32'h0000_0701, 4'h2, OKAY);
    expect_at(CONTROL, 32'h0000_0700, "MODE and NUMBERING alone");
    write_to(CONTROL, 32'h0000_0001, 4'h1, OKAY);
    expect_at(CONTROL, 32'h0000_0701, "RESET alone");
    write_to(CONTROL, 32'h0000_0000, 4'hf, OKAY);

    // A game of words; a snapshot with its END.
    write_to(ENABLE, 32'hffff_fff1, 4'hf, OKAY);
    expect_at(ENABLE, 1, "ENABLE");
    write_to(SNAPSHOT, 2, 4'hf, OKAY);
    if (irq !== 1'b0) wrong("interrupt before the game", 1, 0);
    send(WORDS, 11, 1);
    wait_for(1);
    if (irq !== 1'b1) wrong("no interrupt after the game", 0, 1);
    expect_at(SNAPSHOT, 32'h0001_0002, "one snapshot");
    expect_at(GAMES, 1, "games");
    expect_at(PLIES, 4, "plies");
    expect_at(ERRORS, 0, "errors");
    expect_at(STATE, 32'h00f0_0004, "state after the mate");
    expect_board(MATE);
    expect_at(INTERRUPT, 1, "INTERRUPT");
    write_to(INTERRUPT, 2, 4'hf, OKAY);
    expect_at(INTERRUPT, 1, "INTERRUPT, another bit cleared");
    write_to(INTERRUPT, 1, 4'he, OKAY);
    expect_at(INTERRUPT, 1, "INTERRUPT without a strobe");
    write_to(INTERRUPT, 1, 4'h1, OKAY);
    expect_at(INTERRUPT, 0, "INTERRUPT cleared");
    tick;
    if (irq !== 1'b0) wrong("interrupt after it was cleared", 1, 0);
    // Now, between games: the usual position.
    write_to(SNAPSHOT, 1, 4'hf, OKAY);
    expect_at(SNAPSHOT, 32'h0002_0000, "two snapshots");
    expect_board(USUAL);
    expect_at(STATE, 32'h00f0_0000, "state between games");
    expect_at(PLIES, 4, "plies between games");

    // The same game as Brenner's bytes.
    write_to(CONTROL, 32'h0000_0100, 4'hf, OKAY);
    write_to(SNAPSHOT, 2, 4'hf, OKAY);
    send(BYTES, 5, 1);
    wait_for(2);
    expect_at(GAMES, 2, "games of both modes");
    expect_at(PLIES, 8, "plies of both modes");
    expect_board(MATE);
    write_to(INTERRUPT, 3, 4'hf, OKAY);

    // An error, an unassigned byte: the snapshot comes with it, and the interrupt if enabled.
    write_to(ENABLE, 2, 4'hf, OKAY);
    write_to(SNAPSHOT, 4, 4'hf, OKAY);
    send(40'h01_67_c2_2c25, 5, 1);
    wait_for(3);
    if (irq !== 1'b1) wrong("no interrupt after an error", 0, 1);
    expect_at(INTERRUPT, 3, "INTERRUPT of a game with an error");
    expect_at(STATUS, 32'h0008_0704, "STATUS after an error");
    expect_at(SNAPSHOT, 32'h0004_0004, "four snapshots");
    expect_at(GAMES, 2, "games when the error came");
    expect_at(PLIES, 10, "plies when the error came");
    expect_at(ERRORS, 1, "one error");
    expect_errors({28'h8000_000, ERR_CODE}, 2, {28'h8000_000, ERR_CODE}, 2);
    expect_board(F3E5);

    // A packet that ends inside a game: error 15, which is the last; the first stays.
    send(24'h2c2c25, 2, 1);
    wait_for(4);
    expect_at(ERRORS, 2, "two errors");
    expect_errors({28'h8000_000, ERR_CODE}, 2, {28'h8000_000, ERR_CUT}, 2);
    expect_at(GAMES, 3, "games when the packet was cut");
    expect_at(STATE, 32'h00f5_0002, "state when the packet was cut");
    expect_board(F3E5);

    // A start position for jose, three men; its game is a result and the end.
    write_to(CONTROL, 32'h0000_0200, 4'hf, OKAY);
    for (i = 7; i >= 0; i = i - 1) begin
      write_to(8'h60 + 4 * i, i == 7 ? 32'h0900_0000 : i == 0 ? 32'h0001_0005 : 0, 4'hf, OKAY);
      repeat (12) tick;
    end
    write_to(8'h1c, 32'h0183_0007, 4'hf, OKAY);
    repeat (12) tick;
    expect_at(STATUS, 32'h0008_0704, "STATUS after START");
    write_to(SNAPSHOT, 2, 4'hf, OKAY);
    send(16'hff_d2, 2, 1);
    wait_for(5);
    expect_at(PLIES, 12, "plies from the start position");
    expect_at(STATE, 32'h0183_0007, "the start position's state");
    expect_board(256'h0900000000000000000000000000000000000000000000000000000000010005);
    write_to(CONTROL, 32'h0000_0100, 4'hf, OKAY);
    // A word of START in a game waits for its end, and a second one is refused.
    send(24'h2c2c25, 2, 0);
    repeat (100) tick;
    write_to(8'h7c, 0, 4'hf, OKAY);
    expect_at(STATUS, 32'h0008_070d & ~32'h2, "STATUS while START waits");
    write_to(8'h78, 0, 4'hf, SLVERR);
    write_to(CONTROL, 1, 4'hf, OKAY);
    // In reset no word of START is taken, and none without all its strobes.
    write_to(8'h7c, 0, 4'hf, SLVERR);
    // The packet is given up: the next beat begins one.
    write_to(CONTROL, 4, 4'hf, OKAY);
    expect_at(CONTROL, 0, "RESTART reads 0");
    for (i = 0; i < 15; i = i + 1) write_to(8'h7c, 32'hffff_ffff, i, SLVERR);
    write_to(8'h1c, 32'hffff_ffff, 4'h7, SLVERR);
    repeat (5) tick;
    expect_at(STATUS, 32'h0008_0704, "STATUS after RESET");

    // CLEAR.
    write_to(CONTROL, 32'h0000_0002, 4'hf, OKAY);
    expect_at(CONTROL, 0, "CLEAR reads 0");
    write_to(SNAPSHOT, 1, 4'hf, OKAY);
    expect_at(GAMES, 0, "no games");
    expect_at(PLIES, 0, "no plies");
    expect_at(ERRORS, 0, "no errors");
    expect_errors(0, 0, 0, 0);
    expect_at(INTERRUPT, 0, "no interrupt");
    expect_at(STATUS, 32'h0008_0700, "STATUS after CLEAR");

    // A beat counts once, and when it is offered; the position with it.
    stop = 1'b1;
    send(WORDS, 5, 0);
    repeat (60) tick;
    write_to(SNAPSHOT, 1, 4'hf, OKAY);
    expect_at(STATUS, 32'h0008_0703, "STATUS while a beat waits");
    expect_at(PLIES, 1, "the ply that waits");
    expect_at(STATE, 32'h01f0_0001, "its state");
    expect_at(BOARD + 8, 32'h0060_0000, "its third rank");

    // RESET inside that game: the record that waits stays until it is taken, also when RESET is over. Nothing follows it, and the
    // next packet plays.
    waiting = m_tdata;
    write_to(CONTROL, 1, 4'hf, OKAY);
    repeat (3) tick;
    if (!m_tvalid || m_tdata !== waiting || s_tready) wrong("the record that waits in reset", m_tvalid, 1);
    write_to(CONTROL, 0, 4'hf, OKAY);
    repeat (50) tick;
    if (!m_tvalid || m_tdata !== waiting) wrong("the record that waits after a reset", m_tvalid, 1);
    snaps = beats;
    stop = 1'b0;
    repeat (100) tick;
    if (beats != snaps + 1) wrong("beats after a reset", beats, snaps + 1);
    snaps = beats;
    // What is left of that packet is dropped.
    send(WORDS, 11, 1);
    repeat (200) tick;
    if (beats != snaps) wrong("beats of a packet that was dropped", beats, snaps);
    send(WORDS, 11, 1);
    wait_for(6);
    write_to(SNAPSHOT, 1, 4'hf, OKAY);
    expect_at(GAMES, 1, "games after a reset");
    expect_at(PLIES, 5, "plies after a reset");
    expect_at(ERRORS, 0, "errors after a reset");

    // START while a game ends: its last byte comes, at every distance, before or after START7 is
    // written; the words wait for the END, and the next game has the position, in Brenner and in jose.
    write_to(SNAPSHOT, 2, 4'hf, OKAY);
    for (snaps = 0; snaps < 82; snaps = snaps + 1) begin
      write_to(CONTROL, snaps[0] ? 32'h0000_0200 : 32'h0000_0100, 4'hf, OKAY);
      games_before = ended;
      send(snaps[0] ? 16'hd2_13 : 8'h2c, snaps[0] ? 2 : 1, 0);
      // Before the game's first byte is taken a word would belong to it.
      got = 32'd0;
      while (!got[0]) read_from(STATUS, OKAY);
      fork
        begin
          repeat (snaps / 2) tick;
          send(snaps[0] ? 8'hff : 8'h01, 1, 0);
        end
        begin
          repeat (40 - snaps / 2) tick;
          load(256'h0900000000000000000000000000000000000000000000000000000000010005, 32'h0183_0007);
        end
      join
      if (ended != games_before + 1) wrong("a load before the END", ended, games_before + 1);
      send(snaps[0] ? 16'hff_d2 : 8'h01, snaps[0] ? 2 : 1, 1);
      wait_for(games_before + 2);
      expect_at(STATE, 32'h0183_0007, "state of a START behind a game");
      expect_board(256'h0900000000000000000000000000000000000000000000000000000000010005);
    end
    write_to(CONTROL, 32'h0000_0000, 4'hf, OKAY);

    // W1C, CLEAR and events in the same clock, and up to 12 clocks to either side: a bit that is cleared
    // while its event comes is set, and no event is lost.
    for (snaps = 0; snaps < 24; snaps = snaps + 1) begin
      write_to(INTERRUPT, 3, 4'hf, OKAY);
      event_seen = 1'b0;
      i = ended;
      fork
        send(WORDS, 11, 1);
        begin
          repeat (snaps + 10) tick;
          write_to(INTERRUPT, 1, 4'hf, OKAY);
        end
      join
      wait_for(i + 1);
      read_from(INTERRUPT, OKAY);
      if (got[0] !== event_seen) wrong("INTERRUPT cleared while an END comes", got[0], event_seen);
    end

    // A long game in front of snapshots at any time: what is read always belongs together.
    write_to(SNAPSHOT, 0, 4'hf, OKAY);
    write_to(CONTROL, 2, 4'hf, OKAY);
    games_before = ended;
    for (snaps = 0; snaps < 24; snaps = snaps + 1) begin
      fork
        send(WORDS, 11, 1);
        begin
          repeat ($random & 31) tick;
          write_to(SNAPSHOT, 1, 4'hf, OKAY);
          read_from(PLIES, OKAY);
          rnd = got;
          read_from(STATE, OKAY);
          // After the END the usual position comes; before it, its plies are those counted.
          if ((got[15:0] != 0 && rnd % 4 != got[15:0] % 4) !== 1'b0) wrong("plies and position", rnd, got);
          read_from(BOARD + 8, OKAY);
          i = got;
          read_from(STATE, OKAY);
          if (((i == 32'h0060_0000) != (got[15:0] != 0)) !== 1'b0) wrong("position and state", i, got);
        end
      join
      wait_for(games_before + 1 + snaps);
    end
    write_to(SNAPSHOT, 1, 4'hf, OKAY);
    expect_at(GAMES, 24, "games at the end");
    expect_at(PLIES, 96, "plies at the end");
    // Without PERFT and MATCH nothing is from 80 on.
    for (i = 32; i < 64; i = i + 1) begin
      read_from(4 * i, SLVERR);
      write_to(4 * i, 32'hffffffff, 4'hf, SLVERR);
    end

    verdict;
    $display("PASS ply11_peripheral_tb: %0d games, %0d beats", ended, beats);
    $finish;
  end

endmodule

`resetall
