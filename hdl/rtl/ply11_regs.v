// SPDX-License-Identifier: Apache-2.0
// ply11_regs - AXI4-Lite registers beside ply11_player_axis, ply11_perft and ply11_match: control, counters, errors, the position.
//
// Throughput: a write takes two clocks or more, a read takes two. Latency: two clocks from the offer to the response of a write, one of a read.
// Handshake: all outputs are registers or come from registers alone. A response stays until it is taken.
// aresetn is synchronous and active low. A write needs its address and its data. Its response is SLVERR if no
// register has the address, or if the register is read only. The response of a read is SLVERR if no register has the
// address. Byte strobes count; START, START0..7, MATCH, MATCH_PLIES and PATTERN0..15 need all four. An address is the number of a byte. Its two low
// bits are ignored.
//
//   00 ID         504c3131, "PL11"
//   04 VERSION    major number 31:16, minor number 15:0
//   08 CONTROL    rw  0 RESET: the player is held in reset, and the rest of a packet that had begun is
//                 dropped (reset of ply11_player_axis); 1 CLEAR (reads 0): counters, errors, HITS and
//                 INTERRUPT become 0, and ply11_match counts games anew; 2 RESTART (reads 0): the next beat begins
//                 a packet, though no tlast has come; 9:8 MODE of the next packet, as mode of ply11_player_axis; 10 NUMBERING of
//                 ChessBase's moves in the next packet, as numbering
//   0c STATUS     0 inside a game; 1 a beat is offered; 2 ERRORS is not 0; 3 a word of START waits;
//                 7:4 PERFT, 11:8 MODES, 13:12 LAYOUT, 14 DIALECT, 15 MATCH, 22:16 WIDTH, 28:24 DEPTH of this build
//   10 INTERRUPT  w1c 0 a game's END, 1 an ERROR was offered, 2 a count of perft was offered, 3 a PLY that matches was
//   14 ENABLE     rw  the bits of INTERRUPT that set irq
//   18 SNAPSHOT   rw  0 (reads 0) take one now; 1 with each END; 2 with each ERROR; 31:16, read only,
//                 how many were taken
//   60..7c START0..START7   wo  ranks 1 to 8 of the next game's start position, as BOARD; in the order 7c,
//                 78 .. 60, then 1c
//   1c START      wo  the rest of it, as STATE.  SLVERR, and the word is lost, while STATUS[3] is 1 (a
//                 word waits until the player takes it, which it does between games), while RESET is 1,
//                 and without all four byte strobes
// Only with PERFT 2 to 10, for ply11_perft:
//   80 PERFT      3:0 DEPTH, plies to count; 4 GO (reads 0): give the order; 5 NEXT (reads 0): the count was read, the next
//                 may come; 6 STOP (reads 0): give up, and the root is the usual initial position again; 8 ROOT: words of START
//                 that are written from now on go to ply11_perft, as its root; while BUSY is 1 they are refused.  Read only: 16
//                 BUSY, 17 VALID: there is a count, 18 LAST: the deepest, 23:20 PLIES of it.  SLVERR, and the whole write
//                 is lost, with GO while BUSY is 1 or a word of the root waits
//   84 COUNT_LOW, 88 COUNT_HIGH   the count, and its high half; these, LAST and PLIES are 0 while VALID is
// Only with MATCH 1, for ply11_match, whose header tells what the words are:
//   c0..fc PATTERN0..PATTERN15   wo  words 0 to 15 of the pattern, the squares
//   90 MATCH_PLIES   wo  word 16, the range of plies       94 MATCH   wo  word 17: 0 ON, 1 White, 2 Black to move
//   98 HITS       ro  plies that matched
// These show what was there when the last snapshot was taken, all in one clock:
//   20 GAMES      END beats                    24 PLIES   PLY beats            28 ERRORS   ERROR beats
//   2c STATE      15:0 ply, 19:16 en passant file, 23:20 castling rights, 24 side to move, 31:27 depth
//   30 FIRST_ERROR  3:0 code of the first since the last CLEAR; 31 there is one
//   34 FIRST_BYTE   its offset
//   38 LAST_ERROR, 3c LAST_BYTE   of the last likewise
//   40..5c BOARD0..BOARD7   ranks 1 to 8, the piece on file f at 4*f +: 4
//
// A beat counts in the clock in which it is first offered. The position shows it in the same clock, so the
// counters and the position of a snapshot belong together. If END or ERROR takes snapshots, read SNAPSHOT
// before and after the rest. If its number is the same, all that you have read is of one snapshot.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_regs #(
  // What STATUS tells of the player.
  parameter MODES = 3,
  parameter WIDTH = 8,
  parameter LAYOUT = 0,
  parameter DIALECT = 0,
  parameter DEPTH = 0,
  // DEPTH of ply11_perft, 2..10, or 0: there is none, and none of its registers.
  parameter PERFT = 0,
  // 1: there is ply11_match.
  parameter MATCH = 0
) (
  input  wire         aclk,            // the clock; all ports belong to its rising edge
  input  wire         aresetn,         // synchronous reset, active low

  /* verilator lint_off UNUSEDSIGNAL */
  input  wire [7:0]   s_axil_awaddr,   // byte address of a write
  input  wire         s_axil_awvalid,  // 1: the address is offered
  output wire         s_axil_awready,  // 1: it is taken if s_axil_awvalid is 1
  input  wire [31:0]  s_axil_wdata,    // value of a write
  input  wire [3:0]   s_axil_wstrb,    // bit i: byte i is written
  input  wire         s_axil_wvalid,   // 1: the value is offered
  output wire         s_axil_wready,   // 1: it is taken if s_axil_wvalid is 1
  output wire [1:0]   s_axil_bresp,    // 0 OKAY, 2 SLVERR
  output wire         s_axil_bvalid,   // 1: a response to a write; it stays until s_axil_bready is 1
  input  wire         s_axil_bready,   // 1: it is taken
  input  wire [7:0]   s_axil_araddr,   // byte address of a read
  input  wire         s_axil_arvalid,  // 1: the address is offered
  output wire         s_axil_arready,  // 1: it is taken if s_axil_arvalid is 1
  output wire [31:0]  s_axil_rdata,    // value of the register
  output wire [1:0]   s_axil_rresp,    // 0 OKAY, 2 SLVERR
  output wire         s_axil_rvalid,   // 1: a response to a read; it stays until s_axil_rready is 1
  input  wire         s_axil_rready,   // 1: it is taken
  /* verilator lint_on UNUSEDSIGNAL */

  output wire         irq,             // 1: an event of INTERRUPT that ENABLE has

  // To ply11_player_axis.
  output wire         player_reset,    // to reset of ply11_player_axis
  output wire         player_restart,  // to restart of ply11_player_axis
  output wire [1:0]   mode,            // mode of the next packet: 0 words, 1 Brenner, 2 jose, 3 ChessBase
  output wire         numbering,       // of ChessBase's moves in the next packet: 0 document, 1 CBASCII
  output wire         load_valid,      // 1: a word of START is offered
  input  wire         load_ready,      // 1: the word is taken in this clock if load_valid is 1
  output wire [3:0]   load_addr,       // 0..7 rank 1..8, 8 the state
  output wire [31:0]  load_data,       // as load_data of ply11_board

  // From it: its m_axis, which goes past, and the position.
  input  wire         beat_tvalid,     // m_axis_tvalid
  input  wire         beat_tready,     // m_axis_tready
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire [127:0] beat_tdata,      // m_axis_tdata
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire [255:0] board,         // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  input  wire         in_game,         // 1: from the first byte of a game to its end

  // To ply11_perft and from it; load_addr and load_data are for it, too.
  output wire         perft_reset,     // to its rst
  output wire         perft_valid,     // 1: an order is offered
  output wire [3:0]   perft_depth,     // plies to count
  output wire         perft_load_valid,  // 1: a word of START is offered to it
  output wire         count_ready,     // 1: its count was read
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire         perft_ready,     // 1: it takes an order
  input  wire         perft_load_ready,  // 1: it takes the word
  input  wire         count_valid,     // 1: a count is offered
  input  wire [3:0]   count_depth,     // of how many plies
  input  wire [63:0]  count,           // the count
  input  wire         count_last,      // 1: the deepest

  // To ply11_match and from it.
  output wire         set_valid,       // 1: a word of the pattern is written
  output wire [4:0]   set_addr,        // to its set_addr
  output wire [31:0]  set_data,        // to its set_data
  output wire         match_clear,     // to its clear
  input  wire         hit,             // its hit
  input  wire [31:0]  hits             // its hits
  /* verilator lint_on UNUSEDSIGNAL */
);

  generate
    if (MODES < 1 || MODES > 15) begin : g_check_modes
      ply11_regs_modes_is_1_to_15 u_check ();
    end
    if (WIDTH != 8 && WIDTH != 32 && WIDTH != 64) begin : g_check_width
      ply11_regs_width_is_8_32_or_64 u_check ();
    end
    if (LAYOUT < 0 || LAYOUT > 3) begin : g_check_layout
      ply11_regs_layout_is_0_to_3 u_check ();
    end
    if (DIALECT < 0 || DIALECT > 1) begin : g_check_dialect
      ply11_regs_dialect_is_0_or_1 u_check ();
    end
    if (DEPTH < 0 || DEPTH > 31) begin : g_check_depth
      ply11_regs_depth_is_0_to_31 u_check ();
    end
    if (PERFT < 0 || PERFT == 1 || PERFT > 10) begin : g_check_perft
      ply11_regs_perft_is_0_or_2_to_10 u_check ();
    end
    if (MATCH < 0 || MATCH > 1) begin : g_check_match
      ply11_regs_match_is_0_or_1 u_check ();
    end
  endgenerate

  localparam [31:0] ID = 32'h504c3131, VERSION = 32'h0001_0004;
  localparam [1:0]  OKAY = 2'b00, SLVERR = 2'b10;

  wire rst = !aresetn;

  // ---- writes: address and data are taken together ----
  reg        take_q, bvalid_q, bfault_q;
  wire [5:0] waddr = s_axil_awaddr[7:2];
  assign s_axil_awready = take_q;
  assign s_axil_wready  = take_q;
  assign s_axil_bvalid  = bvalid_q;
  assign s_axil_bresp   = bfault_q ? SLVERR : OKAY;
  wire       at_control  = waddr == 6'd2;
  wire       at_interrupt = waddr == 6'd4;
  wire       at_enable   = waddr == 6'd5;
  wire       at_snapshot = waddr == 6'd6;
  wire       at_start    = waddr == 6'd7 || waddr[5:3] == 3'd3;
  wire       at_perft    = PERFT != 0 && waddr == 6'd32;
  // c0..fc, 90, 94.
  wire       match       = MATCH != 0 && (waddr[5:4] == 2'd3 || waddr[5:1] == 5'd18) && (&s_axil_wstrb);
  reg        load_q;          // a word of START waits
  reg        held_q;          // RESET
  reg        for_perft_q;     // and is of perft's root
  reg        root_q;          // PERFT.ROOT
  wire       start = at_start && !load_q && !held_q && (&s_axil_wstrb) && !(root_q && !perft_ready);
  wire       asks = s_axil_wstrb[0] && s_axil_wdata[4];
  wire       order = at_perft && !(asks && (!perft_ready || (load_q && for_perft_q)));

  always @(posedge aclk) begin
    take_q <= s_axil_awvalid && s_axil_wvalid && !take_q && (!bvalid_q || s_axil_bready);
    if (s_axil_bready) bvalid_q <= 1'b0;
    if (take_q) begin
      bvalid_q <= 1'b1;
      bfault_q <= !(at_control || at_interrupt || at_enable || at_snapshot || start || order || match);
    end
    if (rst) begin
      take_q <= 1'b0;
      bvalid_q <= 1'b0;
    end
  end

  // ---- what is written ----
  reg  [1:0] mode_q;
  reg        numbering_q;
  reg  [3:0] enable_q;
  reg  [1:0] with_q;          // a snapshot with: bit 0 END, bit 1 ERROR
  reg        reset_q, restart_q;
  wire       low   = take_q && s_axil_wstrb[0];
  wire       clear = low && at_control && s_axil_wdata[1];
  wire [3:0] quit  = s_axil_wdata[3:0] & {4{low && at_interrupt}};
  wire       now   = low && at_snapshot && s_axil_wdata[0];

  assign mode = mode_q;
  assign numbering = numbering_q;
  assign player_reset = reset_q;
  assign player_restart = restart_q;
  always @(posedge aclk) begin
    if (low && at_control) held_q <= s_axil_wdata[0];
    if (take_q && at_control && s_axil_wstrb[1]) {numbering_q, mode_q} <= s_axil_wdata[10:8];
    if (low && at_enable) enable_q <= s_axil_wdata[3:0];
    if (low && at_snapshot) with_q <= s_axil_wdata[2:1];
    reset_q <= held_q;
    restart_q <= low && at_control && s_axil_wdata[2];
    if (rst) begin
      held_q <= 1'b0;
      mode_q <= 2'd0;
      numbering_q <= 1'b0;
      enable_q <= 4'd0;
      with_q <= 2'd0;
      reset_q <= 1'b0;
      restart_q <= 1'b0;
    end
  end

  // ---- a start position, word by word ----
  reg  [3:0]  load_addr_q;
  reg  [31:0] load_data_q;
  assign load_valid = load_q && !for_perft_q;
  assign perft_load_valid = load_q && for_perft_q;
  assign load_addr  = load_addr_q;
  // Ply, en passant, rights and side to move change places.
  assign load_data  = !load_addr_q[3] ? load_data_q
                      : {7'd0, load_data_q[15:0], load_data_q[19:16], load_data_q[23:20], load_data_q[24]};
  always @(posedge aclk) begin
    if (for_perft_q ? perft_load_ready : load_ready) load_q <= 1'b0;
    if (take_q && start) begin
      load_q <= 1'b1;
      for_perft_q <= root_q;
      load_addr_q <= {!waddr[4], waddr[2:0] & {3{waddr[4]}}};
      load_data_q <= s_axil_wdata;
    end
    if (rst || held_q) load_q <= 1'b0;
  end

  // ---- perft ----
  reg         stop_q, go_q, next_q;
  reg  [3:0]  depth_q;
  reg         counted_q;      // the count was offered before
  wire        counted = PERFT != 0 && count_valid && !counted_q;
  assign perft_reset = stop_q;
  assign perft_valid = go_q;
  assign perft_depth = depth_q;
  assign count_ready = next_q;
  always @(posedge aclk) begin
    {stop_q, next_q, go_q} <= {s_axil_wdata[6], s_axil_wdata[5] && count_valid, s_axil_wdata[4]} & {3{low && order}};
    if (low && order) depth_q <= s_axil_wdata[3:0];
    if (take_q && order && s_axil_wstrb[1]) root_q <= s_axil_wdata[8];
    counted_q <= count_valid;
    if (rst) begin
      {stop_q, next_q, go_q} <= 3'd0;
      depth_q <= 4'd0;
      root_q <= 1'b0;
      counted_q <= 1'b0;
    end
  end

  // ---- the pattern ----
  reg         set_q, match_clear_q;
  reg  [4:0]  set_addr_q;
  reg  [31:0] set_data_q;
  assign set_valid = set_q;
  assign set_addr  = set_addr_q;
  assign set_data  = set_data_q;
  assign match_clear = match_clear_q;
  always @(posedge aclk) begin
    set_q <= take_q && match;
    set_addr_q <= {!waddr[4], waddr[3:1] & {3{waddr[4]}}, waddr[0]};
    set_data_q <= s_axil_wdata;
    match_clear_q <= clear;
    if (rst) {set_q, match_clear_q} <= 2'd0;
  end

  // ---- beats ----
  reg        waits_q;         // the beat was offered before
  wire       fresh = beat_tvalid && !waits_q;
  wire       is_ply = fresh && beat_tdata[1:0] == 2'd0;
  wire       is_end = fresh && beat_tdata[1:0] == 2'd2;
  wire       is_bad = fresh && beat_tdata[1:0] == 2'd3;
  wire [3:0] code = beat_tdata[11:8];
  wire [31:0] offset = beat_tdata[95:64];

  reg  [3:0]  event_q;
  reg         irq_q;
  reg  [31:0] games_q, plies_q, errors_q;
  reg         any_q;          // an error was counted
  reg  [3:0]  first_q, last_q;
  reg  [31:0] first_at_q, last_at_q;

  // As they are after this clock, which is what a snapshot takes.
  wire [31:0] games  = clear ? 32'd0 : games_q + {31'd0, is_end};
  wire [31:0] plies  = clear ? 32'd0 : plies_q + {31'd0, is_ply};
  wire [31:0] errors = clear ? 32'd0 : errors_q + {31'd0, is_bad};
  wire        any    = !clear && (any_q || is_bad);
  wire [3:0]  first  = any_q ? first_q : code;
  wire [31:0] first_at = any_q ? first_at_q : offset;
  wire [3:0]  last   = is_bad ? code : last_q;
  wire [31:0] last_at = is_bad ? offset : last_at_q;

  assign irq = irq_q;
  always @(posedge aclk) begin
    waits_q <= beat_tvalid && !beat_tready;
    // A hit in the clock in which CLEAR comes to ply11_match is not in HITS either.
    event_q <= ((event_q & ~quit) | {MATCH != 0 && hit && !match_clear_q, counted, is_bad, is_end}) & {4{!clear}};
    irq_q <= |(event_q & enable_q);
    games_q <= games;
    plies_q <= plies;
    errors_q <= errors;
    any_q <= any;
    first_q <= first;
    first_at_q <= first_at;
    last_q <= last;
    last_at_q <= last_at;
    if (rst) begin
      waits_q <= 1'b0;
      event_q <= 4'd0;
      irq_q <= 1'b0;
      games_q <= 32'd0;
      plies_q <= 32'd0;
      errors_q <= 32'd0;
      any_q <= 1'b0;
    end
  end

  // ---- the snapshot ----
  wire         snap = now || (with_q[0] && is_end) || (with_q[1] && is_bad);
  reg  [15:0]  taken_q;
  reg  [31:0]  snap_games_q, snap_plies_q, snap_errors_q, snap_first_at_q, snap_last_at_q;
  reg  [29:0]  snap_state_q;
  reg          snap_any_q;
  reg  [3:0]   snap_first_q, snap_last_q;
  reg  [255:0] snap_board_q;

  always @(posedge aclk) begin
    if (snap) begin
      taken_q <= taken_q + 16'd1;
      {snap_games_q, snap_plies_q, snap_errors_q} <= {games, plies, errors};
      {snap_any_q, snap_first_q, snap_first_at_q, snap_last_q, snap_last_at_q} <= {any, first, first_at, last, last_at};
      snap_state_q <= {beat_tdata[116:112], beat_tdata[7], beat_tdata[123:120], beat_tdata[127:124],
                  beat_tdata[111:96]};
      snap_board_q <= board;
    end
    if (rst) begin
      taken_q <= 16'd0;
      {snap_games_q, snap_plies_q, snap_errors_q} <= 96'd0;
      {snap_any_q, snap_first_q, snap_first_at_q, snap_last_q, snap_last_at_q} <= 73'd0;
      snap_state_q <= 30'd0;
      snap_board_q <= 256'd0;
    end
  end

  // ---- reads ----
  reg         rvalid_q, rfault_q;
  reg  [31:0] rdata_q;
  wire [5:0]  raddr = s_axil_araddr[7:2];
  assign s_axil_arready = !rvalid_q;
  assign s_axil_rvalid  = rvalid_q;
  assign s_axil_rdata   = rdata_q;
  assign s_axil_rresp   = rfault_q ? SLVERR : OKAY;

  wire        told = count_valid && !next_q;      // VALID
  reg  [31:0] value;
  reg         there;
  always @* begin
    there = 1'b1;
    value = 32'd0;
    case (raddr)
      6'd0:  value = ID;
      6'd1:  value = VERSION;
      6'd2:  value = {21'd0, numbering_q, mode_q, 7'd0, held_q};
      6'd3:  value = {3'd0, DEPTH[4:0], 1'b0, WIDTH[6:0], MATCH[0], DIALECT[0], LAYOUT[1:0], MODES[3:0], PERFT[3:0], load_q, any_q,
                      beat_tvalid, in_game};
      6'd4:  value = {28'd0, event_q};
      6'd5:  value = {28'd0, enable_q};
      6'd6:  value = {taken_q, 13'd0, with_q, 1'b0};
      6'd8:  value = snap_games_q;
      6'd9:  value = snap_plies_q;
      6'd10: value = snap_errors_q;
      6'd11: value = {snap_state_q[29:25], 2'd0, snap_state_q[24:0]};
      6'd12: value = {snap_any_q, 27'd0, snap_first_q & {4{snap_any_q}}};
      6'd13: value = snap_first_at_q & {32{snap_any_q}};
      6'd14: value = {snap_any_q, 27'd0, snap_last_q & {4{snap_any_q}}};
      6'd15: value = snap_last_at_q & {32{snap_any_q}};
      6'd16, 6'd17, 6'd18, 6'd19, 6'd20, 6'd21, 6'd22, 6'd23:
             value = snap_board_q[32*raddr[2:0] +: 32];
      // What was asked for in the clock before counts.
      6'd32: begin
        there = PERFT != 0;
        if (there) value = {8'd0, {count_depth, 1'b0, count_last, 1'b1} & {7{told}}, !perft_ready || go_q, 7'd0, root_q, 4'd0, depth_q};
      end
      6'd33, 6'd34: begin
        there = PERFT != 0;
        if (there) value = count[32*raddr[1] +: 32] & {32{told}};
      end
      6'd38: begin
        there = MATCH != 0;
        if (there) value = hits;
      end
      default: there = 1'b0;
    endcase
  end

  always @(posedge aclk) begin
    if (s_axil_rready) rvalid_q <= 1'b0;
    if (s_axil_arvalid && !rvalid_q) begin
      rvalid_q <= 1'b1;
      rdata_q <= value;
      rfault_q <= !there;
    end
    if (rst) rvalid_q <= 1'b0;
  end

endmodule

`resetall
