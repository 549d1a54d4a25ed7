// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_peripheral, and of ply11_regs in it. Accesses begin, responses wait and records are taken at
// random. Plain: games as words and as bytes, errors and start positions; every register, its resets, strobes and
// refusals; snapshots; the interrupt. With WHOLE: perft, polled and by interrupt, while a game plays; searches; CLEAR,
// RESET and aresetn meanwhile.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off PINMISSING */
module ply11_peripheral_tb;

  // 1: with PERFT and MATCH.
  parameter WHOLE = 0;

  localparam NAME = "ply11_peripheral_tb";
  localparam WATCHDOG = 200000;
  `include "ply11_bench.vh"

  reg         aresetn = 1'b0;
  reg  [7:0]  awaddr = 0, araddr = 0;
  reg         awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
  reg  [31:0] wdata = 0;
  reg  [3:0]  wstrb = 0;
  wire        awready, wready, bvalid, arready, rvalid, irq;
  wire [1:0]  bresp, rresp;
  wire [31:0] rdata;
  reg         s_tvalid = 0, s_tlast = 0, m_tready = 0;
  reg  [7:0]  s_tdata = 0;
  wire        s_tready, m_tvalid, m_tlast;
  wire [127:0] m_tdata;
  wire [31:0] m_tuser;

  ply11_peripheral #(.MODES(7), .PERFT(WHOLE != 0 ? 4 : 0), .MATCH(WHOLE)) u_dut (
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
    .m_axis_tuser(m_tuser),
    .m_axis_text_tready(1'b1)
  );

  localparam [7:0] CONTROL = 8'h08, STATUS = 8'h0c, INTERRUPT = 8'h10, ENABLE = 8'h14, SNAPSHOT = 8'h18,
                   START = 8'h1c, GAMES = 8'h20, PLIES = 8'h24, ERRORS = 8'h28, STATE = 8'h2c, FIRST_ERROR = 8'h30,
                   FIRST_BYTE = 8'h34, LAST_ERROR = 8'h38, LAST_BYTE = 8'h3c, BOARD = 8'h40, START0 = 8'h60,
                   PERFT = 8'h80, COUNT_LOW = 8'h84, COUNT_HIGH = 8'h88, MATCH_PLIES = 8'h90, MATCH = 8'h94,
                   HITS = 8'h98, PATTERN0 = 8'hc0;
  localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;
  // What STATUS says of the build.
  localparam [31:0] BUILD = WHOLE != 0 ? 32'h0008_8740 : 32'h0008_0700;
  // CONTROL; MODE is that of Brenner and of jose.
  localparam [31:0] RESET = 1, CLEAR = 2, RESTART = 4, BRENNER = 32'h100, JOSE = 32'h200;
  // INTERRUPT.
  localparam [31:0] ON_END = 1, ON_ERROR = 2, ON_COUNT = 4, ON_HIT = 8;
  localparam [31:0] GO = 32'h10, NEXT = 32'h20, STOP = 32'h40, ROOT = 32'h100, BUSY = 32'h1_0000, VALID = 32'h2_0000;
  // A search: ON, White or Black to move.
  localparam [31:0] ON = 1, WHITE = 2, BLACK = 4;
  localparam [1:0] PLY = 2'd0, END = 2'd2, ERROR = 2'd3;

  // Fool's Mate: 1 f3 e5 2 g4 Qh4 0-1.
  localparam [8*11-1:0] WORDS = 88'hfffffffffb07f663ada08d;
  localparam [8*5-1:0]  BYTES = 40'h01672e2c25;
  // 1 e4 e5 2 Nf3 *, and 1 Nf3 Nf6 2 e4 0-1; 1 e4, then a king's move that there is not, e5 and *.
  localparam [8*11-1:0] TWO = {11'd1968, 11'd396, 11'd766, 11'd1094, 11'd1971, 11'd1094, 11'd1460, 11'd396};
  localparam [8*11-1:0] WRONG = {{4{11'd2047}}, 11'd1971, 11'd1460, 11'd388, 11'd396};
  localparam [255:0] MATE = 256'hdbc90cbdeee0eeee00000000000e0000a6000000006000006006666653412435;
  localparam [255:0] USUAL = 256'hdbc9acbdeeeeeeee000000000000000000000000000000006666666653412435;
  // After 1 f3 e5.
  localparam [255:0] F3E5 = 256'hdbc9acbdeee0eeee00000000000e000000000000006000006606666653412435;
  // A start position of three pieces, and its state.
  localparam [255:0] THREE = 256'h09000000_00000000_00000000_00000000_00000000_00000000_00000000_00010005;
  localparam [31:0] THREE_STATE = 32'h0183_0007;
  // 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -: 14, 191, 2812.
  localparam [255:0] ROOKS = 256'h00000000_00000e00_0000e000_d0000061_90e00050_00000000_06060000_00000000;

  integer     i, delay, kept;
  reg  [31:0] got;
  reg         stop = 1'b0;          // no record is taken
  // The last records: game, ply, kind, tlast. How many were taken, were compared, had tlast.
  reg  [15:0] records [0:15];
  integer     seen = 0, looked = 0, ended = 0;
  // An END was offered after the last clear of its bit, or with it.
  reg         event_seen = 1'b0;

  always @(posedge clk) #1 m_tready = !stop && !pause(2'd1, watch, $random);

  // What is offered stays, but for a reset. Before the first reset, valid is x.
  always @(posedge clk) begin
    n = watch;
    if (awvalid && awready && awaddr == INTERRUPT && wdata[0]) event_seen = 1'b0;
    if (m_tvalid && !sink_held[2] && m_tlast) event_seen = 1'b1;
    if (aresetn) begin
      expect_that((bvalid ^ bvalid ^ rvalid ^ rvalid ^ m_tvalid ^ m_tvalid) === 1'b0, "a valid is x");
      sink_of(2'd0, bvalid, bready, bresp);
      sink_of(2'd1, rvalid, rready, {rresp, rdata});
      sink_of(2'd2, m_tvalid, m_tready, {m_tuser, m_tlast, m_tdata});
      if (m_tvalid && m_tready) begin
        records[seen % 16] = {m_tuser[7:0], m_tdata[100:96], m_tdata[1:0], m_tlast};
        seen = seen + 1;
        if (m_tlast) ended = ended + 1;
      end
    end else sink_held = 3'd0;
  end

  task tick;
    begin
      @(posedge clk);
      #1;
    end
  endtask

  task wrong(input [7:0] address, input [31:0] found, input [31:0] expected);
    begin
      fail("another value or response");
      if (errors <= 10) $display("  at %h: %h, expected %h", address, found, expected);
    end
  endtask

  // A write, its address and data at random distances. It is taken in the second clock in which both are there, and
  // answered in the next.
  task write_to(input [7:0] address, input [31:0] data, input [3:0] strobes, input [1:0] response);
    integer k, wait_a, wait_w, both;
    begin
      wait_a = $random & 3;
      wait_w = $random & 3;
      both = 0;
      for (k = 0; both < 2; k = k + 1) begin
        awvalid = k >= wait_a;
        wvalid = k >= wait_w;
        awaddr = awvalid ? address : ~address;
        wdata = wvalid ? data : ~data;
        wstrb = wvalid ? strobes : 4'hf;
        if (awvalid && wvalid) both = both + 1;
        #1 expect_that({awready, wready} === {2{both == 2}}, "a write is not taken in its clock");
        tick;
      end
      awvalid = 0;
      wvalid = 0;
      expect_that(bvalid, "a write is not answered");
      repeat ($random & 3) tick;
      if (bresp !== response) wrong(address, bresp, response);
      bready = 1;
      tick;
      bready = 0;
    end
  endtask

  task write(input [7:0] address, input [31:0] data);
    write_to(address, data, 4'hf, OKAY);
  endtask

  task refuse(input [7:0] address, input [31:0] data);
    write_to(address, data, 4'hf, SLVERR);
  endtask

  // A read, which is taken at once, and answered in the next clock.
  task read_from(input [7:0] address, input [1:0] response);
    begin
      repeat ($random & 3) tick;
      arvalid = 1;
      araddr = address;
      #1 expect_that(arready, "a read is not taken");
      tick;
      arvalid = 0;
      araddr = ~address;
      expect_that(rvalid, "a read is not answered");
      repeat ($random & 3) tick;
      got = rdata;
      if (rresp !== response) wrong(address, rresp, response);
      rready = 1;
      tick;
      rready = 0;
    end
  endtask

  task read(input [7:0] address);
    read_from(address, OKAY);
  endtask

  // Some bits of a register.
  task expect_bits(input [7:0] address, input [31:0] mask, input [31:0] value);
    begin
      read(address);
      if ((got & mask) !== value) wrong(address, got & mask, value);
    end
  endtask

  task expect_at(input [7:0] address, input [31:0] value);
    expect_bits(address, 32'hffff_ffff, value);
  endtask

  task expect_position(input [255:0] position, input [31:0] state);
    integer k;
    begin
      for (k = 0; k < 8; k = k + 1) expect_at(BOARD + 4 * k, position[32*k +: 32]);
      expect_at(STATE, state);
    end
  endtask

  // What a snapshot has.
  task expect_counts(input [31:0] games, input [31:0] plies, input [31:0] bad);
    begin
      expect_at(GAMES, games);
      expect_at(PLIES, plies);
      expect_at(ERRORS, bad);
    end
  endtask

  // The first and the last error, both at the same byte of their packets.
  task expect_errors(input [31:0] first, input [31:0] last, input [31:0] offset);
    begin
      expect_at(FIRST_ERROR, first);
      expect_at(FIRST_BYTE, offset);
      expect_at(LAST_ERROR, last);
      expect_at(LAST_BYTE, offset);
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

  // A packet, until all its records have come.
  task play(input [8*11-1:0] bytes, input integer many);
    begin
      send(bytes, many, 1);
      repeat (200) tick;
    end
  endtask

  // A position for the player or for perft, each word when the one before has gone.
  task load(input [255:0] position, input [31:0] state);
    integer k;
    for (k = 8; k >= 0; k = k - 1) begin
      write(k == 0 ? START : START0 + 4 * (k - 1), k == 0 ? state : position[32*(k-1) +: 32]);
      got = 32'd8;
      while (got[3]) read(STATUS);
    end
  endtask

  // The next count of perft. Nothing waits for it after an error.
  task count(input [3:0] depth, input [31:0] number, input last);
    begin
      got = 32'd0;
      while (!(got & VALID) && errors == 0) read(PERFT);
      expect_that(got[23:20] === depth && got[18] === last && got[16], "PERFT with a count");
      expect_at(COUNT_LOW, number);
      expect_at(COUNT_HIGH, 0);
      write(PERFT, NEXT);
      if (last) expect_bits(PERFT, BUSY | VALID, 0);
    end
  endtask

  // The next record of those that have come.
  task expect_record(input [7:0] game, input [4:0] ply, input [1:0] kind);
    begin
      expect_that(looked < seen && records[looked % 16] === {game, ply, kind, kind == END}, "another record");
      looked = looked + 1;
    end
  endtask

  task no_more;
    begin
      expect_that(looked === seen, "records that should not come");
      looked = seen;
    end
  endtask

  // A game's plies from first to last, and its END.
  task expect_game(input [7:0] game, input [4:0] first, input [4:0] last);
    begin
      for (i = first; i <= last; i = i + 1) expect_record(game, i, PLY);
      expect_record(game, last, END);
    end
  endtask

  // The games of TWO, from a number and a ply on, and nothing else.
  task expect_two(input [7:0] game, input [4:0] first);
    begin
      expect_game(game, first, 3);
      expect_game(game + 1, first, 3);
      no_more;
    end
  endtask

  // Plays, with the word of MATCH.
  task search(input [31:0] ask, input [8*11-1:0] words, input [31:0] number);
    begin
      write(CONTROL, CLEAR);
      write(MATCH, ask);
      play(words, 11);
      expect_at(HITS, number);
    end
  endtask

  // irq, and none after its bit was cleared.
  task expect_irq(input [31:0] event_);
    begin
      expect_that(irq, "no irq");
      write(INTERRUPT, event_);
      repeat (3) tick;
      expect_that(!irq, "irq after it was cleared");
    end
  endtask

  // The registers after aresetn, and what is refused; byte strobes.
  task begin_all;
    begin
      repeat (2) tick;
      aresetn = 1'b1;
      tick;
      expect_at(8'h00, 32'h504c3131);
      expect_at(8'h03, 32'h504c3131);
      expect_at(8'h04, 32'h0001_0004);
      expect_at(STATUS, BUILD);
      expect_at(CONTROL, 0);
      expect_at(ENABLE, 0);
      expect_at(SNAPSHOT, 0);
      read_from(START, SLVERR);
      for (i = 24; i < 32; i = i + 1) read_from(4 * i, SLVERR);
      for (i = 0; i < 24; i = i + 1) if (i != 2 && (i < 4 || i > 7)) refuse(4 * i, 32'hffffffff);
      expect_position(256'd0, 0);
      expect_errors(0, 0, 0);

      write_to(CONTROL, 32'hffff_ffff, 4'hc, OKAY);
      expect_at(CONTROL, 0);
      write_to(CONTROL, 32'h0000_0701, 4'h2, OKAY);
      expect_at(CONTROL, 32'h0000_0700);
      write_to(CONTROL, RESET, 4'h1, OKAY);
      expect_at(CONTROL, 32'h0000_0701);
      write(CONTROL, 0);
    end
  endtask

  task end_all;
    begin
      verdict;
      $display("PASS %0s: %0d games, %0d records", NAME, ended, seen);
      $finish;
    end
  endtask

  initial if (WHOLE == 0) begin
    begin_all;
    // A game of words; a snapshot with its END.
    write(ENABLE, 32'hffff_fff1);
    expect_at(ENABLE, 1);
    write(SNAPSHOT, 2);
    expect_that(!irq, "irq before the game");
    play(WORDS, 11);
    expect_at(SNAPSHOT, 32'h0001_0002);
    expect_counts(1, 4, 0);
    expect_position(MATE, 32'h00f0_0004);
    expect_at(INTERRUPT, ON_END);
    // Another bit is cleared, and none without its strobe.
    write(INTERRUPT, ON_ERROR);
    expect_at(INTERRUPT, ON_END);
    write_to(INTERRUPT, ON_END, 4'he, OKAY);
    expect_at(INTERRUPT, ON_END);
    expect_irq(ON_END);
    expect_at(INTERRUPT, 0);
    // Now, between games: the usual position.
    write(SNAPSHOT, 1);
    expect_at(SNAPSHOT, 32'h0002_0000);
    expect_position(USUAL, 32'h00f0_0000);
    expect_at(PLIES, 4);

    // The same game as Brenner's bytes.
    write(CONTROL, BRENNER);
    write(SNAPSHOT, 2);
    play(BYTES, 5);
    expect_counts(2, 8, 0);
    expect_position(MATE, 32'h00f0_0004);
    write(INTERRUPT, ON_END | ON_ERROR);

    // An error, an unassigned byte: the snapshot comes with it, and the interrupt if enabled.
    write(ENABLE, ON_ERROR);
    write(SNAPSHOT, 4);
    play(40'h01_67_c2_2c25, 5);
    expect_that(irq, "no irq after an error");
    expect_at(INTERRUPT, ON_END | ON_ERROR);
    expect_at(STATUS, BUILD | 4);
    expect_at(SNAPSHOT, 32'h0004_0004);
    expect_counts(2, 10, 1);
    expect_errors({28'h8000_000, ERR_CODE}, {28'h8000_000, ERR_CODE}, 2);
    expect_position(F3E5, 32'h00f5_0002);

    // A packet that ends inside a game: error 15, which is the last; the first stays.
    play(24'h2c2c25, 2);
    expect_counts(3, 12, 2);
    expect_errors({28'h8000_000, ERR_CODE}, {28'h8000_000, ERR_CUT}, 2);
    expect_position(F3E5, 32'h00f5_0002);

    // A start position for jose; its game is a result and the end.
    write(CONTROL, JOSE);
    load(THREE, THREE_STATE);
    expect_at(STATUS, BUILD | 4);
    write(SNAPSHOT, 2);
    play(16'hff_d2, 2);
    expect_at(PLIES, 12);
    expect_position(THREE, THREE_STATE);
    write(CONTROL, BRENNER);
    // A word of START in a game waits for its end, and a second one is refused.
    send(24'h2c2c25, 2, 0);
    repeat (100) tick;
    write(8'h7c, 0);
    expect_at(STATUS, BUILD | 13);
    refuse(8'h78, 0);
    write(CONTROL, RESET);
    // In reset no word of START is taken, and none without all its strobes.
    refuse(8'h7c, 0);
    // The packet is given up: the next beat begins one.
    write(CONTROL, RESTART);
    expect_at(CONTROL, 0);
    for (i = 0; i < 15; i = i + 1) write_to(8'h7c, 32'hffff_ffff, i, SLVERR);
    write_to(START, 32'hffff_ffff, 4'h7, SLVERR);
    repeat (5) tick;
    expect_at(STATUS, BUILD | 4);

    write(CONTROL, CLEAR);
    expect_at(CONTROL, 0);
    write(SNAPSHOT, 1);
    expect_counts(0, 0, 0);
    expect_errors(0, 0, 0);
    expect_at(INTERRUPT, 0);
    expect_at(STATUS, BUILD);

    // A beat counts once, and when it is offered; the position with it.
    stop = 1'b1;
    send(WORDS, 5, 0);
    repeat (60) tick;
    write(SNAPSHOT, 1);
    expect_at(STATUS, BUILD | 3);
    expect_at(PLIES, 1);
    expect_at(STATE, 32'h01f0_0001);
    expect_at(BOARD + 8, 32'h0060_0000);

    // RESET inside that game: the record stays until it is taken, also when RESET is over. Nothing follows it.
    kept = seen;
    write(CONTROL, RESET);
    repeat (3) tick;
    expect_that(m_tvalid && !s_tready, "the streams in reset");
    write(CONTROL, 0);
    repeat (50) tick;
    stop = 1'b0;
    repeat (100) tick;
    // What is left of that packet is dropped, and the next one plays.
    play(WORDS, 11);
    expect_that(seen == kept + 1, "records after a reset");
    play(WORDS, 11);
    write(SNAPSHOT, 1);
    expect_counts(1, 5, 0);

    // START while a game ends, at every distance from its last byte: the words wait for the END, and the next game
    // has the position, in Brenner and in jose.
    write(SNAPSHOT, 2);
    for (delay = 0; delay < 82; delay = delay + 1) begin
      write(CONTROL, delay[0] ? JOSE : BRENNER);
      kept = ended;
      send(delay[0] ? 16'hd2_13 : 8'h2c, delay[0] ? 2 : 1, 0);
      // Before the game's first byte is taken a word would belong to it.
      got = 32'd0;
      while (!got[0]) read(STATUS);
      fork
        begin
          repeat (delay / 2) tick;
          send(delay[0] ? 8'hff : 8'h01, 1, 0);
        end
        begin
          repeat (40 - delay / 2) tick;
          load(THREE, THREE_STATE);
        end
      join
      expect_that(ended == kept + 1, "a load before the END");
      play(delay[0] ? 16'hff_d2 : 8'h01, delay[0] ? 2 : 1);
      expect_position(THREE, THREE_STATE);
    end
    write(CONTROL, 0);

    // A bit that is cleared while its event comes is set, and no event is lost, at every distance.
    for (delay = 0; delay < 24; delay = delay + 1) begin
      write(INTERRUPT, ON_END | ON_ERROR);
      event_seen = 1'b0;
      fork
        send(WORDS, 11, 1);
        begin
          repeat (delay + 10) tick;
          write(INTERRUPT, ON_END);
        end
      join
      repeat (200) tick;
      read(INTERRUPT);
      expect_that(got[0] === event_seen, "INTERRUPT cleared while an END comes");
    end

    // Snapshots at any time: what is read belongs together.
    write(SNAPSHOT, 0);
    write(CONTROL, CLEAR);
    for (delay = 0; delay < 24; delay = delay + 1) begin
      fork
        send(WORDS, 11, 1);
        begin
          repeat ($random & 31) tick;
          write(SNAPSHOT, 1);
          read(PLIES);
          kept = got;
          read(BOARD + 8);
          i = got;
          read(STATE);
          // After the END the usual position comes; before it, its plies are those counted.
          expect_that((got[15:0] != 0 && kept % 4 != got[15:0] % 4) === 1'b0, "plies and state");
          expect_that(((i == 32'h0060_0000) != (got[15:0] != 0)) === 1'b0, "position and state");
        end
      join
      repeat (200) tick;
    end
    write(SNAPSHOT, 1);
    expect_counts(24, 96, 0);
    // Without PERFT and MATCH nothing is from 80 on.
    for (i = 32; i < 64; i = i + 1) begin
      read_from(4 * i, SLVERR);
      refuse(4 * i, 32'hffffffff);
    end
    end_all;
  end

  initial if (WHOLE != 0) begin
    begin_all;
    expect_bits(PERFT, BUSY | VALID | ROOT | 15, 0);
    // Read only, and what has no register.
    refuse(COUNT_LOW, 1);
    refuse(COUNT_HIGH, 1);
    refuse(8'h8c, 1);

    // The usual initial position, polled.
    write(PERFT, GO | 2);
    expect_bits(PERFT, BUSY | 15, BUSY | 2);
    refuse(PERFT, GO | 1);
    expect_bits(PERFT, 15, 2);
    count(0, 1, 0);
    count(1, 20, 0);
    count(2, 400, 1);
    // NEXT without a count takes none.
    write(PERFT, NEXT);

    // Another root, with an interrupt for each count, and a game meanwhile.
    write(INTERRUPT, 15);
    write(ENABLE, ON_COUNT);
    expect_that(!irq, "irq before GO");
    write(PERFT, ROOT);
    load(ROOKS, 32'h0000_0000);
    write(PERFT, ROOT | GO | 2);
    refuse(START, 0);
    send(WORDS, 11, 1);
    for (delay = 0; delay < 3; delay = delay + 1) begin
      for (i = 0; i < 600 && !irq; i = i + 1) tick;
      expect_irq(ON_COUNT);
      count(delay, delay == 0 ? 1 : delay == 1 ? 14 : 191, delay == 2);
    end
    write(SNAPSHOT, 1);
    expect_at(GAMES, 1);

    // The root stays; a start position is the player's now, and waits in words until RESET.
    write(PERFT, 1);
    write(START0, 32'h1234_5678);
    expect_at(STATUS, BUILD | 8);
    write(CONTROL, RESET);
    write(CONTROL, 0);
    expect_at(STATUS, BUILD);
    // RESET is none of perft's business: its root stays.
    write(PERFT, GO | 1);
    count(0, 1, 0);
    count(1, 14, 1);

    // STOP: it is the usual initial position again.
    write(PERFT, GO | 4);
    repeat (300) tick;
    expect_bits(PERFT, BUSY, BUSY);
    write(PERFT, STOP);
    expect_bits(PERFT, BUSY | VALID, 0);
    write(PERFT, GO | 1);
    count(0, 1, 0);
    count(1, 20, 1);
    // In the midst of the counts, too.
    write(PERFT, GO | 1);
    count(0, 1, 0);
    write(PERFT, STOP);
    expect_bits(PERFT, BUSY | VALID, 0);
    // More plies than there is room for.
    write(PERFT, GO | 15);
    read(PERFT);
    write(PERFT, STOP);

    // Without a pattern nothing matches, and all passes: so did the game above, which was the first.
    expect_game(1, 1, 4);
    no_more;
    expect_at(HITS, 0);
    play(TWO, 11);
    expect_two(2, 1);
    expect_bits(INTERRUPT, ON_HIT, 0);

    // The pattern, of squares 21 and 28: Ng1-f3 and Pe2-e4 were played. It wants all strobes; HITS is read only.
    for (i = 0; i < 16; i = i + 1)
      write(PATTERN0 + 4 * i, i == 5 ? 32'hffff5aff : i == 7 ? 32'hffffff69 : 32'hffffffff);
    write(MATCH_PLIES, {16'd65535 - 16'd200, 16'd0 - 16'd1});
    for (i = 0; i < 15; i = i + 1) begin
      write_to(PATTERN0 + 4 * i, 32'hd5d5d5d5, i, SLVERR);
      write_to(MATCH, ON, i, SLVERR);
      write_to(MATCH_PLIES, 32'd0, i, SLVERR);
    end
    refuse(HITS, 1);
    refuse(8'h9c, 1);

    // Each game has it in its third ply: that ply comes, and the END. The registers count what is left out, too.
    write(ENABLE, ON_HIT);
    search(ON | BLACK, TWO, 2);
    expect_irq(ON_HIT);
    expect_two(1, 3);
    write(SNAPSHOT, 1);
    expect_at(PLIES, 6);
    // The other side, plies that are not in the range, and ON 0, with which all passes and is counted.
    search(ON | WHITE, TWO, 0);
    no_more;
    write(MATCH_PLIES, {16'd65535 - 16'd200, 16'd0 - 16'd4});
    search(ON | WHITE | BLACK, TWO, 0);
    no_more;
    write(MATCH_PLIES, {16'd65535 - 16'd3, 16'd0 - 16'd3});
    search(WHITE | BLACK, TWO, 2);
    expect_two(1, 1);
    // An ERROR passes, and the END behind it.
    search(ON | WHITE | BLACK, WRONG, 0);
    expect_record(1, 1, ERROR);
    expect_record(1, 1, END);
    no_more;

    // A record that waits stays as it is, whatever is written. It keeps its game, and nothing follows it.
    stop = 1'b1;
    search(ON | BLACK, TWO, 1);
    write(CONTROL, CLEAR | RESET);
    write(CONTROL, 0);
    expect_at(HITS, 0);
    stop = 1'b0;
    repeat (100) tick;
    expect_record(1, 3, PLY);
    no_more;
    search(ON | BLACK, TWO, 2);
    expect_two(1, 3);
    // CLEAR beside a running game: INTERRUPT.HIT tells just of what HITS counts.
    for (delay = 0; delay < 80; delay = delay + 1) begin
      send(TWO, 11, 1);
      repeat (delay / 2) tick;
      write(CONTROL, CLEAR);
      repeat (150) tick;
      read(HITS);
      kept = got;
      read(INTERRUPT);
      expect_that((got & ON_HIT) !== 32'd0 ^ kept === 0, "INTERRUPT.HIT with HITS after CLEAR");
    end
    looked = seen;
    // A game that RESET cuts off and the next are one; aresetn ends the search.
    write(CONTROL, CLEAR);
    send(TWO, 2, 0);
    repeat (60) tick;
    write(CONTROL, RESET);
    write(CONTROL, RESTART);
    play(TWO, 11);
    expect_two(1, 3);
    aresetn = 1'b0;
    repeat (2) tick;
    aresetn = 1'b1;
    play(TWO, 11);
    expect_two(1, 1);
    expect_at(HITS, 0);
    end_all;
  end

endmodule

`resetall
