// SPDX-License-Identifier: Apache-2.0
// Second test bench of ply11_player: the module alone.  In the place of the modules in it stand others of the same
// ports, which give anything, within what their handshakes allow: so all bits of offsets, indices, pieces and
// positions change, which games cannot do in so few clocks.  What goes into them and what comes out of the player is
// compared, in every clock, with a second description of the player, below. CASE 0 words,
// 1 Brenner, 2 jose with variations, 3 all modes.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_player_alone_tb;

  parameter CASE = 3;

  localparam [2:0] MODES = CASE == 0 ? 3'd1 : CASE == 1 ? 3'd2 : CASE == 2 ? 3'd4 : 3'd7;
  localparam LINES = CASE == 2;
  localparam DUT_MODES = MODES, DUT_DIALECT = LINES ? 1 : 0, DUT_DEPTH = LINES ? 3 : 0;
  localparam CLOCKS = 30000;
  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;

  localparam NAME = "ply11_player_alone_tb";
  localparam WATCHDOG = CLOCKS + 100;
  `include "ply11_bench.vh"

  // ---- the player ----
  reg          rst = 1, s_valid = 0, load_valid = 0, m_ready = 0;
  reg  [1:0]   mode = 0;
  reg  [7:0]   s_data = 0;
  reg  [3:0]   load_addr = 0;
  reg  [31:0]  load_data = 0;
  wire         numbering = 1'b0;
  `include "ply11_player_dut.vh"

  // ---- what the modules in it give ----
  // Of a codec: kind, code, index, offset.
  reg          u_ready = 0, u_valid = 0;
  reg  [10:0]  u_data = 0;
  reg          w_ready = 0, w_valid = 0, w_in_game = 0, w_open = 0, w_close = 0, w_load = 0;
  reg  [48:0]  w_op = 0;
  reg  [35:0]  w_record = 0;
  reg          b_ready = 0, b_valid = 0, b_in_game = 0, b_text = 0, b_last = 0, b_load_ready = 0;
  reg  [48:0]  b_op = 0;
  reg          b_quiet = 0, j_quiet = 0;
  reg          j_ready = 0, j_valid = 0, j_in_game = 0, j_text = 0, j_last = 0, j_open = 0, j_close = 0;
  reg  [2:0]   j_kind = 0;
  reg  [48:0]  j_op = 0;
  reg          p_ready = 0, p_load_ready = 0, p_next = 0, p_valid = 0;
  reg  [1:0]   p_next_op = 0, p_op = 0;
  reg  [2:0]   p_error = 0;
  reg  [22:0]  p_move = 0;        // from, to, promotion, piece, captured
  reg  [280:0] p_state = 0;         // board, side, rights, ep, ply
  reg          k_done = 0, k_load = 0;
  reg  [4:0]   k_depth = 0;
  reg  [35:0]  k_word = 0;

  // ---- what they are given, set by them ----
  reg          iu_rst, iu_skip, iu_valid, iu_ready;
  reg  [7:0]   iu_data;
  reg          iw_rst, iw_valid, iw_ready, iw_done, iw_load_ready;
  reg  [10:0]  iw_data;
  // {rst, s_valid, s_data, m_ready, load_clear, load_valid, square, piece, load_state, side, ep, bad}
  reg  [28:0]  ib, ij;
  reg          ib_side, ij_side, ij_done;
  reg          ip_rst, ip_valid, ip_load, ip_hush, ip_ready;
  reg  [12:0]  ip_op;
  reg  [35:0]  ip_word;
  // {rst, open, close, idle, step, ply_valid, end_valid}, from, to, piece, captured, the position
  reg  [6:0]   ik;
  reg  [300:0] ik_data;

  // ---- the second description: registers ----
  reg          spared = 0, shown = 0, bad = 0, loading = 0, row = 0, fault = 0, cleared = 0;
  reg  [12:0]  spare = 0;
  reg  [46:0]  fifo [0:63];
  reg  [5:0]   head = 0, tail = 0;
  reg  [2:0]   rank = 0, file = 0;
  reg  [31:0]  pieces = 0;
  integer      kings = 0, other_kings = 0;

  // ---- and what follows from them in a clock ----
  reg          has_w, has_b, has_j, c_ready, c_valid, c_in_game, c_text, c_last, c_open, c_close;
  reg          idle, loads, e_load_ready, hold, accept, set, bad_state, stack_load, record, refused, now_bad, op_valid;
  reg  [2:0]   c_kind;
  reg  [48:0]  c_op;
  reg  [12:0]  op;
  reg  [46:0]  tag;
  reg  [3:0]   piece;
  integer      beats = 0, starts = 0, good_starts = 0;
  reg  [31:0]  a, b, c, d;
  reg          quiet = 0;

  // What all give in this clock.
  task draw;
    begin
      a = $random;
      b = $random;
      c = $random;
      d = $random;
      rst = n < 2 || a[7:0] == 8'd0;
      if (rst) mode = b[31:29] == 3'd0 ? 2'd3 : MODES == 3'd7 ? a[31:16] % 3 : CASE;
      // Now and then there is nothing to do for a while, and a start position may come.
      if (a[12:8] == 5'd0) quiet = !quiet;
      s_valid = a[14];
      s_data = b[7:0];
      {u_ready, u_valid} = a[16:15];
      u_data = b[18:8];
      w_ready = a[17];
      b_ready = a[17];
      j_ready = a[17];
      w_valid = a[18] && !quiet && tail - head < 6'd10;
      b_valid = w_valid;
      j_valid = w_valid;
      if (c[3:0] == 4'd0) {w_in_game, b_in_game, j_in_game} = {3{c[4] && !quiet}};
      {w_open, w_close} = c[6:5];
      {j_open, j_close} = c[8:7];
      w_load = c[10:9] == 2'd0;
      b_text = c[11];
      j_text = c[12];
      {b_last, j_last} = c[14:13];
      j_kind = c[17:15];
      b_load_ready = c[19:18] != 2'd0;
      {b_quiet, j_quiet} = {2{!b_in_game && (quiet || d[31])}} & {d[30:29] != 2'd0, d[30:29] != 2'd1};
      p_load_ready = c[22] || quiet;
      p_next = tail - head != {5'd0, shown} && (c[23] || quiet);
      p_valid = shown && c[24];
      m_ready = c[21:20] != 2'd0 || quiet;
      p_ready = !p_valid || m_ready;
      p_next_op = c[26:25];
      p_op = c[28:27];
      p_error = c[31:29] & {3{d[0]}};
      k_done = d[1];
      k_load = d[4:2] == 3'd0;
      k_depth = d[9:5];
      load_valid = d[11:10] == 2'd0 || quiet;
      load_addr = d[13:12] == 2'd0 ? 4'd7 : d[13:12] == 2'd1 ? 4'd8 : {1'b0, d[16:14]};
      // Ranks with one piece; some with any pieces.
      load_data = {28'd0, d[18:17] == 2'd0 ? b[22:19] : d[17] ? 4'd1 : 4'd9} << {d[21:19], 2'd0};
      if (d[28:27] == 2'd0) load_data = load_data | 32'h9 << {~d[21:19], 2'd0};
      if (d[22]) load_data = 32'd0;
      a = $random;
      if (d[26:23] == 4'd0 || load_addr == 4'd8) load_data = a;
      a = $random;
      b = $random;
      w_op = {a, b};
      a = $random;
      b = $random;
      b_op = {a, b};
      a = $random;
      b = $random;
      j_op = {a, b};
      a = $random;
      b = $random;
      w_record = {a, b};
      a = $random;
      b = $random;
      k_word = {a, b};
      p_move = $random;
      p_state = {p_state[248:0], a ^ b};
      if (n % 16 == 0) begin
        a = $random;
        p_state = {p_state[248:0], a};
      end
    end
  endtask

  // What must come of it.
  task describe;
    begin
      has_w = mode == 2'd0 && MODES[0];
      has_b = mode == 2'd1 && MODES[1];
      has_j = mode == 2'd2 && MODES[2];
      c_op = has_w ? w_op : has_b ? b_op : j_op;
      {c_ready, c_valid, c_in_game, c_text, c_last, c_kind, c_open, c_close} = 10'd0;
      if (has_w) {c_ready, c_valid, c_in_game, c_open, c_close} = {u_ready, w_valid, w_in_game, w_open, w_close};
      if (has_b) {c_ready, c_valid, c_in_game, c_text, c_last} = {b_ready, b_valid, b_in_game, b_text, b_last};
      if (has_j) begin
        {c_ready, c_valid, c_in_game, c_text, c_last, c_kind} = {j_ready, j_valid, j_in_game, j_text, j_last, j_kind};
        {c_open, c_close} = {j_open, j_close};
      end
      idle = head == tail && !shown;
      loads = has_b || has_j;
      e_load_ready = loads && (has_b ? b_quiet : j_quiet) && idle && p_load_ready && !row;
      hold = loads && !c_in_game && (loading || load_valid);
      accept = load_valid && e_load_ready;
      set = row && (!has_b || b_load_ready);
      piece = pieces >> {file, 2'd0};
      bad_state = fault || kings != 1 || other_kings != 1 || load_data[8:5] > 4'd8;
      stack_load = LINES && k_load;
      record = MODES[0] && w_load && !spared;
      op_valid = c_valid || spared;
      op = spared ? spare : {c_op[48:47], c_op[42:32]};
      tag = fifo[head];
      refused = p_op == PLY && p_error != 3'd0;
      now_bad = !shown ? bad : refused || p_op == ERROR ? 1'b1 : p_op == END ? 1'b0 : bad;
    end
  endtask

  task compare;
    begin
      // The player's own outputs.
      expect_that(s_ready === (c_ready && !hold), "s_ready");
      expect_that(load_ready === e_load_ready, "load_ready");
      expect_that(in_game === c_in_game, "in_game");
      expect_that(text_valid === c_text, "text_valid");
      if (c_text) begin
        expect_that(text_data === (has_j && LINES ? 8'd0 : s_data), "text_data");
        expect_that(text_last === c_last && text_kind === c_kind, "text_last and text_kind");
      end
      expect_that(m_valid === p_valid, "m_valid");
      if (p_valid) begin
        expect_that(m_kind === (refused ? ERROR : p_op), "m_kind");
        expect_that(m_index === tag[42:32], "m_index");
        expect_that(m_offset === tag[31:0], "m_offset");
        expect_that(m_result === (p_op == END ? tag[44:43] : 2'd0), "m_result");
        expect_that(m_error === (refused ? p_error : p_op == ERROR ? tag[46:43] : 4'd0), "m_error");
        expect_that({m_from, m_to, m_promotion, m_piece, m_captured} === p_move, "the move");
        expect_that(m_depth === (LINES && p_op != END ? k_depth : 5'd0), "m_depth");
      end
      expect_that({board, side, rights, ep, ply} === p_state, "the position");
      // The codecs.
      if (MODES[0]) begin
        expect_that({iu_rst, iu_skip, iu_valid, iu_ready} === {rst, 1'b0, s_valid && has_w, w_ready}, "unpack");
        if (iu_valid) expect_that(iu_data === s_data, "unpack's s_data");
        expect_that({iw_rst, iw_valid, iw_ready} === {rst, u_valid, !spared && has_w}, "words");
        expect_that(iw_load_ready === (p_load_ready && !stack_load && !spared), "words' load_ready");
        if (iw_valid) expect_that(iw_data === u_data, "words' s_data");
        expect_that(iw_done === (LINES && k_done), "words' done");
      end
      if (MODES[1]) begin
        expect_that({ib[28:27], ib[18:17]} === {rst, s_valid && has_b && !hold, !spared && has_b, accept && has_b && load_addr == 4'd7},
                    "brenner");
        if (ib[27]) expect_that(ib[26:19] === s_data, "brenner's s_data");
        if (has_b) numbered(ib);
      end
      if (MODES[2]) begin
        expect_that({ij[28:27], ij[18]} === {rst, s_valid && has_j && !hold, !spared && has_j}, "jose");
        if (ij[27]) expect_that(ij[26:19] === s_data, "jose's s_data");
        expect_that(ij_done === (LINES && k_done), "jose's done");
        if (has_j) numbered(ij);
      end
      // The board.
      expect_that({ip_rst, ip_valid, ip_ready} === {rst, op_valid, m_ready}, "board");
      if (op_valid) expect_that(ip_op === op, "board's operation");
      expect_that(ip_load === ((stack_load && !bad) || record || accept), "board's load_valid");
      if (ip_load) expect_that(ip_word === (stack_load ? k_word : record ? w_record : {load_addr, load_data}), "board's load");
      if (p_next) expect_that(ip_hush === (p_next_op == NEW || (now_bad && p_next_op != END)), "hush");
      // The stack.
      if (LINES) begin
        expect_that(ik[6] === rst && ik[5:4] === {c_open, c_close} && ik[3:2] === {idle, p_ready}, "stack");
        expect_that(ik[1:0] === {shown && p_ready && p_op == PLY && p_error == 3'd0, shown && p_ready && p_op == END}, "stack's ply and end");
        expect_that(ik_data === {p_move[22:11], p_move[7:0], p_state}, "stack's move and position");
      end
    end
  endtask

  // How a codec is told of a start position.
  task numbered(input [28:0] i);
    begin
      expect_that(i[17:16] === {accept && load_addr == 4'd7, set}, "clear and load");
      if (set) expect_that(i[15:6] === {rank, file, piece}, "a numbered piece");
      expect_that(i[5] === (accept && load_addr == 4'd8), "load_state");
      if (i[5]) begin
        expect_that(i[4:1] === load_data[8:5], "load_ep");
        if (cleared) expect_that({has_b ? ib_side : ij_side, i[0]} === {load_data[0], bad_state}, "load_side and load_bad");
        starts = starts + 1;
        if (cleared && !bad_state) good_starts = good_starts + 1;
      end
    end
  endtask

  // The clock's edge.
  task advance;
    begin
      if (p_valid && m_ready) beats = beats + 1;
      if (c_valid && !spared) begin
        fifo[tail] = c_op[46:0];
        tail = tail + 6'd1;
      end
      if (!spared) spare = {c_op[48:47], c_op[42:32]};
      spared = op_valid && !p_ready;
      if (p_ready) begin
        bad = now_bad;
        if (shown) head = head + 6'd1;
        shown = p_next;
      end
      if (set) begin
        if (piece[2:0] == 3'd7 || piece == 4'd8) fault = 1'b1;
        if (piece == 4'd1) kings = kings + 1;
        if (piece == 4'd9) other_kings = other_kings + 1;
        row = file != 3'd7;
        file = file + 3'd1;
      end
      if (accept) begin
        loading = !load_addr[3];
        row = loading;
        {rank, file} = {load_addr[2:0], 3'd0};
        pieces = load_data;
        if (load_addr == 4'd7) begin
          fault = 1'b0;
          kings = 0;
          other_kings = 0;
          cleared = 1'b1;
        end
      end
      if (rst) begin
        {spared, shown, bad, loading, row} = 5'd0;
        head = 6'd0;
        tail = 6'd0;
      end
    end
  endtask

  initial begin
    #6;
    for (n = 0; n < CLOCKS; n = n + 1) begin
      draw;
      #5;
      describe;
      if (n > 3) compare;
      @(posedge clk);
      #1 advance;
    end
    if (beats < 500 || (CASE != 0 && (starts < 100 || good_starts < 8))) begin
      errors = errors + 1;
      $display("ply11_player_alone_tb: %0d beats, %0d start positions, %0d of them well formed", beats, starts, good_starts);
    end
    verdict;
    $display("PASS ply11_player_alone_tb CASE=%0d: %0d clocks, %0d beats, %0d start positions, %0d well formed", CASE, CLOCKS, beats,
             starts, good_starts);
    $finish;
  end

endmodule

// ---- in the place of the modules ----

module ply11_unpack #(parameter WIDTH = 8) (
  input  wire             clk, rst, skip_idle, s_valid,
  output wire             s_ready,
  input  wire [WIDTH-1:0] s_data,
  output wire             m_valid,
  input  wire             m_ready,
  output wire [10:0]      m_data
);
  assign s_ready = ply11_player_alone_tb.u_ready;
  assign m_valid = ply11_player_alone_tb.u_valid;
  assign m_data = ply11_player_alone_tb.u_data;
  always @(negedge clk) begin
    ply11_player_alone_tb.iu_rst = rst;
    ply11_player_alone_tb.iu_skip = skip_idle;
    ply11_player_alone_tb.iu_valid = s_valid;
    ply11_player_alone_tb.iu_data = s_data;
    ply11_player_alone_tb.iu_ready = m_ready;
  end
endmodule

module ply11_words #(parameter DEPTH = 0) (
  input  wire        clk, rst, s_valid,
  output wire        s_ready,
  input  wire [10:0] s_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [1:0]  m_kind,
  output wire [3:0]  m_code,
  output wire [10:0] m_index,
  output wire [31:0] m_offset,
  output wire        in_game, open, close,
  input  wire        done,
  output wire        load_valid,
  input  wire        load_ready,
  output wire [3:0]  load_addr,
  output wire [31:0] load_data
);
  assign s_ready = ply11_player_alone_tb.w_ready;
  assign m_valid = ply11_player_alone_tb.w_valid;
  assign {m_kind, m_code, m_index, m_offset} = ply11_player_alone_tb.w_op;
  assign in_game = ply11_player_alone_tb.w_in_game;
  assign open = ply11_player_alone_tb.w_open;
  assign close = ply11_player_alone_tb.w_close;
  assign load_valid = ply11_player_alone_tb.w_load;
  assign {load_addr, load_data} = ply11_player_alone_tb.w_record;
  always @(negedge clk) begin
    ply11_player_alone_tb.iw_rst = rst;
    ply11_player_alone_tb.iw_valid = s_valid;
    ply11_player_alone_tb.iw_data = s_data;
    ply11_player_alone_tb.iw_ready = m_ready;
    ply11_player_alone_tb.iw_done = done;
    ply11_player_alone_tb.iw_load_ready = load_ready;
  end
endmodule

module ply11_brenner #(parameter LAYOUT = 0, parameter GAMES = 9) (
  input  wire        clk, rst, s_valid,
  output wire        s_ready,
  input  wire [7:0]  s_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [1:0]  m_kind,
  output wire [3:0]  m_code,
  output wire [10:0] m_index,
  output wire [31:0] m_offset,
  output wire        in_game, text_valid,
  output wire [7:0]  text_data,
  output wire        text_last,
  output wire        quiet,
  input  wire        load_clear,
  output wire        load_ready,
  input  wire        load_valid,
  input  wire [5:0]  load_square,
  input  wire [3:0]  load_piece,
  input  wire        load_state, load_side,
  input  wire [3:0]  load_ep,
  input  wire        load_bad
);
  assign s_ready = ply11_player_alone_tb.b_ready;
  assign m_valid = ply11_player_alone_tb.b_valid;
  assign {m_kind, m_code, m_index, m_offset} = ply11_player_alone_tb.b_op;
  assign in_game = ply11_player_alone_tb.b_in_game;
  assign text_valid = ply11_player_alone_tb.b_text;
  assign text_last = ply11_player_alone_tb.b_last;
  assign text_data = s_data;
  assign load_ready = ply11_player_alone_tb.b_load_ready;
  assign quiet = ply11_player_alone_tb.b_quiet;
  always @(negedge clk) begin
    ply11_player_alone_tb.ib = {rst, s_valid, s_data, m_ready, load_clear, load_valid, load_square, load_piece, load_state, load_ep,
                                load_bad};
    ply11_player_alone_tb.ib_side = load_side;
  end
endmodule

module ply11_jose #(parameter DIALECT = 0, parameter DEPTH = 0) (
  input  wire        clk, rst, s_valid,
  output wire        s_ready,
  input  wire [7:0]  s_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [1:0]  m_kind,
  output wire [3:0]  m_code,
  output wire [10:0] m_index,
  output wire [31:0] m_offset,
  output wire        in_game, text_valid,
  output wire [7:0]  text_data,
  output wire        text_last,
  output wire [2:0]  text_kind,
  output wire        open, close,
  input  wire        done,
  output wire        quiet,
  input  wire        load_clear, load_valid,
  input  wire [5:0]  load_square,
  input  wire [3:0]  load_piece,
  input  wire        load_state, load_side,
  input  wire [3:0]  load_ep,
  input  wire        load_bad
);
  assign s_ready = ply11_player_alone_tb.j_ready;
  assign m_valid = ply11_player_alone_tb.j_valid;
  assign {m_kind, m_code, m_index, m_offset} = ply11_player_alone_tb.j_op;
  assign in_game = ply11_player_alone_tb.j_in_game;
  assign text_valid = ply11_player_alone_tb.j_text;
  assign text_last = ply11_player_alone_tb.j_last;
  assign text_kind = ply11_player_alone_tb.j_kind;
  assign text_data = s_data;
  assign quiet = ply11_player_alone_tb.j_quiet;
  assign open = ply11_player_alone_tb.j_open;
  assign close = ply11_player_alone_tb.j_close;
  always @(negedge clk) begin
    ply11_player_alone_tb.ij = {rst, s_valid, s_data, m_ready, load_clear, load_valid, load_square, load_piece, load_state, load_ep,
                                load_bad};
    ply11_player_alone_tb.ij_side = load_side;
    ply11_player_alone_tb.ij_done = done;
  end
endmodule

module ply11_board #(parameter USER_WIDTH = 1, parameter STOP = 0) (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [1:0]   s_op,
  input  wire [10:0]  s_index,
  input  wire [USER_WIDTH-1:0] s_user,
  input  wire         load_valid,
  output wire         load_ready,
  input  wire [3:0]   load_addr,
  input  wire [31:0]  load_data,
  output wire         next_valid,
  output wire [1:0]   next_op,
  input  wire         hush,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [1:0]   m_op,
  output wire [USER_WIDTH-1:0] m_user,
  output wire [2:0]   m_error,
  output wire [5:0]   m_from, m_to,
  output wire [2:0]   m_promotion,
  output wire [3:0]   m_piece, m_captured,
  output wire [255:0] board,
  output wire         side,
  output wire [3:0]   rights, ep,
  output wire [15:0]  ply
);
  // The player's board stops after a move that is refused.
  assign s_ready = ply11_player_alone_tb.p_ready || STOP == 0;
  assign load_ready = ply11_player_alone_tb.p_load_ready;
  assign next_valid = ply11_player_alone_tb.p_next;
  assign next_op = ply11_player_alone_tb.p_next_op;
  assign m_valid = ply11_player_alone_tb.p_valid;
  assign m_op = ply11_player_alone_tb.p_op;
  assign m_user = s_user;
  assign m_error = ply11_player_alone_tb.p_error;
  assign {m_from, m_to, m_promotion, m_piece, m_captured} = ply11_player_alone_tb.p_move;
  assign {board, side, rights, ep, ply} = ply11_player_alone_tb.p_state;
  always @(negedge clk) begin
    ply11_player_alone_tb.ip_rst = rst;
    ply11_player_alone_tb.ip_valid = s_valid;
    ply11_player_alone_tb.ip_op = {s_op, s_index};
    ply11_player_alone_tb.ip_load = load_valid;
    ply11_player_alone_tb.ip_word = {load_addr, load_data};
    ply11_player_alone_tb.ip_hush = hush;
    ply11_player_alone_tb.ip_ready = m_ready;
  end
endmodule

module ply11_stack #(parameter DEPTH = 1) (
  input  wire         clk, rst, open, close,
  output wire         done,
  output wire [4:0]   depth,
  input  wire         idle, step, ply_valid, end_valid,
  input  wire [5:0]   from, to,
  input  wire [3:0]   piece, captured,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights, ep,
  input  wire [15:0]  ply,
  output wire         load_valid,
  output wire [3:0]   load_addr,
  output wire [31:0]  load_data
);
  assign done = ply11_player_alone_tb.k_done;
  assign depth = ply11_player_alone_tb.k_depth;
  assign load_valid = ply11_player_alone_tb.k_load;
  assign {load_addr, load_data} = ply11_player_alone_tb.k_word;
  always @(negedge clk) begin
    ply11_player_alone_tb.ik = {rst, open, close, idle, step, ply_valid, end_valid};
    ply11_player_alone_tb.ik_data = {from, to, piece, captured, board, side, rights, ep, ply};
  end
endmodule

`resetall
