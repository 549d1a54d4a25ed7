// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_player_axis: the module alone.  In the place of the player and of the skid
// register in it stand others of the same ports, which give anything: so all bits of beats and texts
// change.  What goes into them and what comes out is compared, in every clock, with a second description, below.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_player_axis_alone_tb #(
  parameter WIDTH = 8
);

  localparam CLOCKS = 100000, BYTES = WIDTH / 8, MODES = WIDTH == 8 ? 15 : 1;
  localparam [1:0] END = 2'd2, ERROR = 2'd3;

  localparam NAME = "ply11_player_axis_alone_tb";
  localparam WATCHDOG = CLOCKS + 100;
  `include "ply11_bench.vh"

  // ---- the ports ----
  reg          aresetn = 0, reset = 0, restart = 0, numbering = 0, s_tvalid = 0, s_tlast = 0, load_valid = 0, m_tready = 0, t_tready = 0;
  reg  [1:0]   mode = 0;
  reg  [WIDTH-1:0] s_tdata = 0;
  reg  [BYTES-1:0] s_tkeep = 0;
  reg  [3:0]   load_addr = 0;
  reg  [31:0]  load_data = 0;
  wire         s_tready, load_ready, m_tvalid, m_tlast, t_tvalid, t_tlast, side, in_game;
  wire [127:0] m_tdata;
  wire [7:0]   t_tdata;
  wire [34:0]  t_tuser;
  wire [255:0] board;
  wire [3:0]   rights, ep;
  wire [15:0]  ply;
  ply11_player_axis #(.MODES(MODES), .WIDTH(WIDTH), .DEPTH(4)) u_dut (
    .aclk(clk), .aresetn(aresetn), .reset(reset), .restart(restart), .mode(mode), .numbering(numbering),
    .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tkeep(s_tkeep), .s_axis_tlast(s_tlast),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_axis_tvalid(m_tvalid), .m_axis_tready(m_tready), .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast),
    .m_axis_text_tvalid(t_tvalid), .m_axis_text_tready(t_tready), .m_axis_text_tdata(t_tdata),
    .m_axis_text_tlast(t_tlast), .m_axis_text_tuser(t_tuser),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply), .in_game(in_game)
  );

  // ---- what the skid and the player give ----
  reg          k_ready = 0, k_valid = 0, k_last = 0, k_numbering = 0;
  reg  [1:0]   k_mode = 0;
  reg  [WIDTH-1:0] k_data = 0, filled;
  reg  [BYTES-1:0] k_keep = 0;
  reg          p_ready = 0, p_load_ready = 0, p_valid = 0, p_text = 0, p_text_last = 0, p_in_game = 0;
  reg  [1:0]   p_kind = 0, p_result = 0;
  reg  [10:0]  p_index = 0;
  reg  [3:0]   p_error = 0;
  reg  [22:0]  p_move = 0;        // from, to, promotion, piece, captured
  reg  [31:0]  p_offset = 0;
  reg  [4:0]   p_depth = 0;
  reg  [280:0] p_state = 0;         // board, side, rights, ep, ply
  reg  [10:0]  p_text_data = 0;     // kind, data

  // ---- what they are given, set by them ----
  reg          ik_rst, ik_valid, ik_ready;
  reg  [WIDTH+BYTES+3:0] ik_data;
  reg          ip_numbering, ip_rst, ip_valid, ip_load, ip_ready;
  reg  [1:0]   ip_mode;
  reg  [WIDTH-1:0] ip_data;
  reg  [35:0]  ip_word;

  // ---- the second description ----
  // In a packet; its last beat was taken; it ended inside a game.
  reg          open = 0, ending = 0, broken = 0;
  reg          held = 1;            // the player is in reset
  reg  [1:0]   m = 0;
  reg          m_numbering;
  integer      silent = 0;          // clocks after the last beat without anything from the player
  reg  [31:0]  count = 0;
  reg          text = 0;
  reg          begun = 0;           // a packet on s_axis has begun
  reg          dropping = 0;        // the rest of one that a reset met
  reg          due = 0;             // a reset waits for the beat on m_axis
  integer      waited = 0, late = 0;
  integer      dropped = 0, i;
  reg  [43:0]  text_beat = 0;
  // Of a clock.
  reg          room, flow, take, put, closed;
  integer      cuts = 0, packets = 0, texts = 0, slows = 0;
  reg  [31:0]  a, b, c;
  reg          calm = 0, slow;

  task draw;
    begin
      a = $random;
      b = $random;
      c = $random;
      // Packets end at least once in a while, and then the player is silent.
      // After a packet of ChessBase's it is for longer, and there are fewer resets.
      slow = WIDTH == 8 && ending && m == 2'd3 && b[1:0] != 2'd0;
      if ((a[9:0] == 10'd0 || (calm && a[7:0] == 8'd0)) && !slow) calm = !calm;
      if (ending && a[3:0] == 4'd0) calm = 1'b1;
      aresetn = n > 2 && (b[12:2] != 11'd0 || slow);
      // Two clocks and more.
      reset = n > 2 && (reset ? b[1:0] != 2'd0 : a[31:22] == 10'd0 && !slow);
      restart = c[31:25] == 7'd0;
      mode = b[12:11];
      numbering = a[30];
      k_numbering = a[31];
      {s_tvalid, s_tlast} = b[15:14];
      s_tkeep = $random;
      s_tdata = $random;
      m_tready = b[24];
      t_tready = b[25];
      load_valid = b[28:26] == 3'd0;
      load_addr = b[31:28];
      {k_ready, k_valid} = a[11:10];
      k_last = a[17:12] == 6'd0;
      // The high bytes may be missing, or all.
      k_keep = {BYTES{1'b1}} >> (a[18] ? 0 : a[19] ? BYTES : $random & 3);
      k_mode = a[21:20];
      k_data = $random;
      filled = k_data;
      for (i = 0; i < BYTES; i = i + 1) if (!k_keep[i]) filled[8*i +: 8] = 8'hff;
      p_ready = c[1:0] != 2'd0;
      p_load_ready = c[2];
      p_valid = c[3] && (!calm || (c[11:4] == 8'd0 && (!slow || a[7:4] == 4'd0)));
      // A reset comes while a beat waits, too, and may be over first.
      if (n > 2 && a[21:16] == 6'd2 && p_valid && !m_tready) reset = 1'b1;
      // While one waits, that of the bus comes, too.
      if (due && a[12]) aresetn = 1'b0;
      p_text = c[13:12] == 2'd0;
      p_text_last = c[14];
      if (c[17:15] == 3'd0) p_in_game = c[18];
      p_kind = c[20:19];
      p_result = c[22:21];
      p_error = c[24:23] == 2'd0 ? ERR_START : c[28:25];
      a = $random;
      p_index = a[10:0];
      p_depth = a[15:11];
      p_text_data = a[26:16];
      p_move = $random;
      p_offset = $random;
      load_data = $random;
      b = $random;
      p_state = {p_state[248:0], b};
    end
  endtask

  task describe;
    begin
      closed = !open && !ending && !broken;
      room = !text || t_tready;
      flow = open && !held && !due && room;
      take = dropping || (flow && (p_ready || k_keep == 0));
      put = !dropping && flow && k_valid && k_keep != 0;
    end
  endtask

  task compare;
    begin
      expect_that({ik_rst, ik_valid, ik_ready} === {!aresetn || reset, s_tvalid, take}, "the skid");
      if (s_tvalid) expect_that(ik_data === {numbering, mode, s_tlast, s_tkeep, s_tdata}, "the skid's data");
      expect_that(s_tready === k_ready, "s_axis_tready");
      expect_that(load_ready === (p_load_ready && open && !held && !due), "load_ready");
      expect_that({ip_rst, ip_mode, ip_valid, ip_load, ip_ready} === {held, m, put, load_valid && open && !held && !due, m_tready}, "the player");
      if (put) expect_that(ip_data === filled && ip_numbering === m_numbering, "the player's data and numbering");
      if (ip_load) expect_that(ip_word === {load_addr, load_data}, "the player's load");
      expect_that({board, side, rights, ep, ply} === p_state && in_game === p_in_game, "the position");
      expect_that(m_tvalid === (broken || (p_valid && !held)), "m_axis_tvalid");
      if (m_tvalid) begin
        expect_that(m_tlast === (broken || p_kind == END), "m_axis_tlast");
        expect_that({m_tdata[7], m_tdata[127:120], m_tdata[111:96]} === {p_state[24], p_state[19:16], p_state[23:20], p_state[15:0]},
                    "the state in the beat");
        expect_that({m_tdata[6:2], m_tdata[15:14], m_tdata[31:27], m_tdata[39:38], m_tdata[47:46], m_tdata[55:51], m_tdata[119:117]}
                    === 24'd0, "what is always 0");
        if (broken) begin
          expect_that({m_tdata[1:0], m_tdata[13:8], m_tdata[26:16], m_tdata[63:32], m_tdata[116:112]} === {ERROR, 2'd0, ERR_CUT, 48'd0},
                      "the beat of a cut");
          expect_that(m_tdata[95:64] === count, "the bytes of a packet");
        end else begin
          expect_that({m_tdata[13:8], m_tdata[1:0]} === {p_result, p_error, p_kind}, "kind, error, result");
          expect_that(m_tdata[26:16] === (p_kind == END || (p_kind == ERROR && ERRS_OF_START[p_error]) ? 11'd0 : p_index), "index");
          expect_that({m_tdata[37:32], m_tdata[45:40], m_tdata[50:48], m_tdata[59:56], m_tdata[63:60]} === p_move, "the move");
          expect_that({m_tdata[116:112], m_tdata[95:64]} === {p_depth, p_offset}, "depth and offset");
        end
      end
      expect_that(t_tvalid === text, "m_axis_text_tvalid");
      if (text) expect_that({t_tlast, t_tuser, t_tdata} === text_beat, "m_axis_text");
    end
  endtask

  task advance;
    reg stays, resets;
    begin
      // A beat that is offered is taken first, and then the reset comes, though it may be over.
      stays = m_tvalid && !m_tready;
      if (due && !reset) late = late + 1;
      resets = reset || due;
      due = aresetn && (reset || due) && stays;
      if (due) waited = waited + 1;
      if (room) begin
        text = p_text;
        text_beat = {p_text_last, p_text_data[10:8], count, p_text_data[7:0]};
        if (text) texts = texts + 1;
      end
      if (k_valid && !dropping && take) for (i = 0; i < BYTES; i = i + 1) count = count + k_keep[i];
      if (closed) count = 0;
      held = closed;
      if (closed) begin
        if ((k_valid && !dropping) || load_valid) begin
          {m_numbering, m} = k_valid && !dropping ? {k_numbering, k_mode} : {numbering, mode};
          open = 1'b1;
        end
      end else if (open) begin
        if (k_valid && !dropping && take && k_last) begin
          open = 1'b0;
          ending = 1'b1;
          silent = 0;
        end
      end else if (ending) begin
        if (p_valid) silent = 0;
        else begin
          // Sixty-four clocks, of ChessBase's 2,048: nothing more comes.
          silent = silent + 1;
          if (silent == (m == 2'd3 && WIDTH == 8 ? 2048 : 64)) begin
            if (silent == 2048) slows = slows + 1;
            ending = 1'b0;
            broken = p_in_game;
            packets = packets + 1;
            if (broken) cuts = cuts + 1;
          end
        end
      end else if (m_tready) broken = 1'b0;
      if (!aresetn || (reset && room)) text = 1'b0;
      if (!aresetn || (resets && !stays)) begin
        {open, ending, broken} = 3'd0;
        held = 1'b1;
        m = 2'd0;
      end
      // What is left of a packet.
      if (s_tvalid && k_ready) begun = !s_tlast;
      if (k_valid && k_last) dropping = 1'b0;
      if (reset) begin
        if (begun && !dropping) dropped = dropped + 1;
        dropping = begun;
      end
      if (!aresetn || restart) {begun, dropping} = 2'd0;
    end
  endtask

  initial begin
    #6;
    for (n = 0; n < CLOCKS; n = n + 1) begin
      draw;
      #5;
      describe;
      if (n > 4) compare;
      @(posedge clk);
      #1 advance;
    end
    if (packets < 20 || (slows < 5 && WIDTH == 8) || cuts < 5 || texts < 500 || dropped < 10 || waited < 20 || late < 5) begin
      errors = errors + 1;
      $display("ply11_player_axis_alone_tb: %0d packets, %0d of them cut, %0d of ChessBase, %0d texts, %0d resets inside a packet, %0d clocks of resets that waited, %0d of them after it, are too few",
               packets, cuts, slows, texts, dropped, waited, late);
    end
    verdict;
    $display("PASS ply11_player_axis_alone_tb: %0d clocks, %0d packets, %0d of them cut, %0d bytes of text", CLOCKS, packets, cuts, texts);
    $finish;
  end

endmodule

// ---- in the place of the modules ----

module ply11_skid #(parameter WIDTH = 8) (
  input  wire             clk, rst, s_valid,
  output wire             s_ready,
  input  wire [WIDTH-1:0] s_data,
  output wire             m_valid,
  input  wire             m_ready,
  output wire [WIDTH-1:0] m_data
);
  assign s_ready = ply11_player_axis_alone_tb.k_ready;
  assign m_valid = ply11_player_axis_alone_tb.k_valid;
  assign m_data = {ply11_player_axis_alone_tb.k_numbering, ply11_player_axis_alone_tb.k_mode, ply11_player_axis_alone_tb.k_last, ply11_player_axis_alone_tb.k_keep,
                   ply11_player_axis_alone_tb.k_data};
  always @(negedge clk) begin
    ply11_player_axis_alone_tb.ik_rst = rst;
    ply11_player_axis_alone_tb.ik_valid = s_valid;
    ply11_player_axis_alone_tb.ik_data = s_data;
    ply11_player_axis_alone_tb.ik_ready = m_ready;
  end
endmodule

module ply11_player #(parameter MODES = 3, WIDTH = 8, LAYOUT = 0, DIALECT = 0, DEPTH = 0) (
  `include "ply11_player_ports.vh"
);
  assign s_ready = ply11_player_axis_alone_tb.p_ready;
  assign load_ready = ply11_player_axis_alone_tb.p_load_ready;
  assign m_valid = ply11_player_axis_alone_tb.p_valid;
  assign m_kind = ply11_player_axis_alone_tb.p_kind;
  assign m_result = ply11_player_axis_alone_tb.p_result;
  assign m_index = ply11_player_axis_alone_tb.p_index;
  assign m_error = ply11_player_axis_alone_tb.p_error;
  assign {m_from, m_to, m_promotion, m_piece, m_captured} = ply11_player_axis_alone_tb.p_move;
  assign m_offset = ply11_player_axis_alone_tb.p_offset;
  assign m_depth = ply11_player_axis_alone_tb.p_depth;
  assign {board, side, rights, ep, ply} = ply11_player_axis_alone_tb.p_state;
  assign text_valid = ply11_player_axis_alone_tb.p_text;
  assign text_last = ply11_player_axis_alone_tb.p_text_last;
  assign {text_kind, text_data} = ply11_player_axis_alone_tb.p_text_data;
  assign in_game = ply11_player_axis_alone_tb.p_in_game;
  always @(negedge clk) begin
    ply11_player_axis_alone_tb.ip_rst = rst;
    ply11_player_axis_alone_tb.ip_mode = mode;
    ply11_player_axis_alone_tb.ip_numbering = numbering;
    ply11_player_axis_alone_tb.ip_valid = s_valid;
    ply11_player_axis_alone_tb.ip_data = s_data;
    ply11_player_axis_alone_tb.ip_load = load_valid;
    ply11_player_axis_alone_tb.ip_word = {load_addr, load_data};
    ply11_player_axis_alone_tb.ip_ready = m_ready;
  end
endmodule

`resetall
