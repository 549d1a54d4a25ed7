// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_cbf: bytes of every sort at random, with pauses on both sides, positions that are there when they must be
// and at no other time, brackets that take any time, start positions, and resets at any moment. All outputs are compared in every
// clock with what the bench says must come. The move of a number is asked of a second ply11_chessbase, which has the number,
// the position and the en passant file that the bench has kept for itself.
// Then come a game of more than 262,144 bytes, and games with as many variations inside each other as there may be: one has
// another in them, and the others end them all. In those, each level is a move that turns on the en passant file, two long steps of
// pawns, and the variation, in which the file of the first step comes back. On the way out each end is followed by another variation,
// and its end; a move turns on the file that comes back in it, and one on that behind it.
// The numbering changes at random; it counts with a game's first byte. DEPTH is that of the module.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_cbf_tb;

  parameter DEPTH = 3;
  parameter RUNS = 280;         // from a reset to the next
  parameter LONG = 263000;      // bytes of the long game

  localparam DEEPEST = DEPTH == 0 ? 255 : DEPTH;

  localparam NAME = "ply11_cbf_tb";
  localparam WATCHDOG = 1000000;
  `include "ply11_bench.vh"

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;
  // What the module does: it waits for a byte, for a position, for the move of a number, for a bracket, for a beat to be taken;
  // or it makes a NEW.
  localparam [2:0] READY = 3'd0, WAITS = 3'd1, COUNTS = 3'd2, OPENS = 3'd3, CLOSES = 3'd4, OFFERS = 3'd5, RENEWS = 3'd6;

  reg          rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0, idle = 1'b0, side = 1'b0, done = 1'b0;
  reg          load_state = 1'b0, load_bad = 1'b0, numbering = 1'b0;
  reg  [7:0]   s_data = 8'd0;
  reg  [3:0]   load_ep = 4'd0;
  reg  [255:0] board = 256'd0;
  wire         s_ready, m_valid, in_game, open, close, calm;
  wire [1:0]   m_kind;
  wire [3:0]   m_code;
  wire [10:0]  m_index;
  wire [31:0]  m_offset;

  ply11_cbf #(.DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .numbering(numbering), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index), .m_offset(m_offset), .in_game(in_game),
    .idle(idle), .board(board), .side(side), .open(open), .close(close), .done(done),
    .quiet(calm), .load_state(load_state), .load_ep(load_ep), .load_bad(load_bad)
  );

  // ---- what must come ----
  reg  [2:0]   now;             // what the module does
  reg          cbascii;         // the numbering of the game
  reg          begun, bad_start, skips, at_result, moved;
  reg  [1:0]   kind;            // of the beat
  reg  [3:0]   code;
  reg  [10:0]  index;
  reg  [6:0]   number;
  integer      count, offset, nest, settle;
  // The en passant file now and before the last move, in this line and in those around it.
  reg  [3:0]   file, earlier;
  reg  [7:0]   lines [0:255];

  wire         found, none;
  wire [10:0]  found_index;
  wire [3:0]   found_file;
  reg          asks;
  ply11_chessbase u_chessbase (
    .clk(clk), .rst(rst), .s_valid(asks), .s_ready(), .s_number(number), .cbascii(cbascii),
    .board(board), .side(side), .ep(file),
    .m_valid(found), .m_ready(1'b1), .m_none(none), .m_index(found_index), .m_ep(found_file)
  );

  reg  [31:0]  rnd;
  integer      run, clocks, length, waits, k;
  integer      plies = 0, errors_seen = 0, ends = 0, brackets = 0, loads = 0, deepest = 0;
  reg          gaps, stalls, takes;
  // What bytes are made of: 0 anything, 1 the long game, 2 variations and one too many, 3 variations that all end.
  reg  [1:0]   plan;
  reg          was_found, was_none;
  reg  [10:0]  was_index;
  reg  [3:0]   was_file;

  // A position: pieces that have many numbers at once, pawns on their second or fifth rank, or a king who may castle.
  task position;
    reg turns;
    begin
      side = $random;
      board = {$random, $random, $random, $random, $random, $random, $random, $random};
      rnd = $random;
      // The deep games have no other pieces than pawns that step twice, or pawns that may take by the file.
      if (plan == 2'd3) begin
        turns = count > 4 * DEEPEST || count % 4 == 1;
        board = 256'd0;
        board[(turns ? (side ? 96 : 128) : side ? 192 : 32) +: 32] = {8{side, 3'd6}};
      end else
      // Pawns step twice where there is no en passant file; where there is one, pawns that may take by it are asked for.
      case (number > 7'd16 ? 2'd3 : number > 7'd10 ? 2'd0 : rnd[27:24] == 4'd0 ? {1'b1, rnd[0]} : {1'b0, (file != 4'd0) ^ (rnd[1:0] == 2'd0)})
        2'd0: begin
          for (k = 0; k < 8; k = k + 1) begin
            if (k < 2 || k > 5) board[32*k +: 32] = 32'd0;
            if (k >= 2 && k <= 5) board[32*k +: 32] = rnd[4:2] == 3'd0 ? {8{!side, 3'd6}} & board[32*k +: 32] : 32'd0;
          end
          board[(side ? 192 : 32) +: 32] = {8{side, 3'd6}};
        end
        2'd1: begin
          for (k = 0; k < 8; k = k + 1) if (k != 4 - side) board[32*k +: 32] = 32'd0;
          board[(side ? 96 : 128) +: 32] = {8{side, 3'd6}} & ~{16'd0, {4{rnd[3]}}, 12'd0};
        end
        2'd2: begin
          board = 256'd0;
          board[(side ? 224 : 0) +: 32] = rnd[2] ? {side, 3'd5, 8'd0, side, 3'd1, 16'd0} : {12'd0, side, 3'd1, 12'd0, side, 3'd5};
        end
        default: ;
      endcase
      if (plan == 2'd1 || plan == 2'd2) board[(side ? 192 : 32) +: 32] = {8{side, 3'd6}};
    end
  endtask

  // A byte: most are sound.
  task byte_;
    begin
      rnd = $random;
      s_data = {rnd[15], rnd[31:27] == 5'd0 ? rnd[14:8] : rnd[29:27] == 3'd1 ? 7'd16 : rnd[28] ? {4'd0, rnd[10:8]} + 7'd3 : {3'd0, rnd[11:8]} + 7'd1};
      case (plan)
        2'd0:
          if (at_result) s_data = rnd[17:15] == 3'd0 ? 8'h10 : rnd[14:7];
          else case (rnd[3:0])
            4'd0, 4'd1, 4'd2, 4'd3, 4'd4: if (moved && nest < DEEPEST || rnd[19:16] == 4'd0) s_data = 8'hff;
            4'd7, 4'd8, 4'd9: if (nest != 0 || rnd[20:16] == 5'd0) s_data = 8'h80;
            4'd5: if (nest == 0 && rnd[16] || skips || rnd[20:16] == 5'd1) s_data = 8'h00;
            4'd6: if (rnd[19:16] == 4'd0) s_data = rnd[14:7];
            default: ;
          endcase
        2'd1: s_data = count == 0 ? 8'h80 : count == LONG ? 8'h00 : {rnd[15], 7'd1};
        2'd2:
          if (count < 2 * DEEPEST) s_data = count & 1 ? 8'hff : 8'h01;
          else s_data = count == 2 * DEEPEST ? 8'h81 : count == 2 * DEEPEST + 1 ? 8'hff : 8'h00;
        default:
          if (count >= 9 * DEEPEST) s_data = 8'h00;
          else case (count < 4 * DEEPEST ? count % 4 : 4 + (count - 4 * DEEPEST) % 5)
            // The file of the first step is another in each game.
            1: s_data = {rnd[15], 3'd0, count[4:2] + run[2:0], 1'b1};
            2: s_data = {rnd[15], 3'd0, rnd[10:8], 1'b1};
            3, 5: s_data = 8'hff;
            4, 7: s_data = 8'h80;
            // The eighth number is another's with any file than with none.
            default: s_data = {rnd[15], 7'd8} - (rnd[7] ? 0 : rnd[14:8] % 7);
          endcase
      endcase
    end
  endtask

  task offers(input [1:0] a_kind, input [3:0] a_code, input [10:0] an_index);
    begin
      now = OFFERS;
      kind = a_kind;
      code = a_code;
      index = an_index;
    end
  endtask

  // A byte is taken.
  task take;
    reg [3:0] error;
    begin
      error = 4'd0;
      if (!begun) cbascii = numbering;
      if (at_result) begin
        offers(END, s_data == 8'h10 ? 2'd3 : s_data[1:0], 11'd0);
        {begun, at_result, moved, skips} = 4'd0;
        nest = 0;
        ends = ends + 1;
      end else begin
        offset = count;
        number = s_data;
        if (!skips) begin
          if (!begun && bad_start) error = ERR_START;
          else if (s_data == 8'hff) error = !moved ? ERR_PLACE : nest < DEEPEST ? 4'd0 : DEPTH == 0 ? ERR_PLACE : ERR_DEPTH;
          else if (s_data == 8'h80) error = nest == 0 ? ERR_PLACE : 4'd0;
          else if (s_data == 8'h00) error = nest != 0 ? ERR_PLACE : 4'd0;
          if (error != 4'd0) begin
            offers(ERROR, error, 11'd0);
            skips = 1'b1;
            errors_seen = errors_seen + 1;
          end else if (s_data == 8'hff) begin
            nest = nest + 1;
            moved = 1'b0;
            if (DEPTH != 0) now = OPENS;
          end else if (s_data == 8'h80) begin
            nest = nest - 1;
            moved = 1'b1;
            if (DEPTH != 0) now = CLOSES;
          end else if (s_data != 8'h00) begin
            moved = 1'b1;
            if (DEPTH != 0 || nest == 0) now = WAITS;
          end
        end
        at_result = s_data == 8'h00;
        begun = 1'b1;
      end
      bad_start = 1'b0;
      count = count + 1;
      if (nest > deepest) deepest = nest;
      waits = 1 + rnd[26:24];
    end
  endtask

  // All that a clock makes of what must come.
  task advance;
    begin
      takes = s_valid && now == READY;
      if (settle != 0) settle = settle - 1;
      case (now)
        READY: if (takes) take;
        WAITS: if (asks) now = COUNTS;
        COUNTS: if (was_found) begin
          if (was_none) begin
            offers(ERROR, ERR_OPERAND, 11'd0);
            skips = 1'b1;
            errors_seen = errors_seen + 1;
          end else begin
            offers(PLY, 4'd0, was_index);
            plies = plies + 1;
          end
          earlier = file;
          file = was_file;
        end
        OPENS, CLOSES: if (done) begin
          if (now == OPENS) begin
            lines[nest - 1] = {earlier, file};
            file = earlier;
          end else {earlier, file} = lines[nest];
          now = READY;
          settle = 15;
          brackets = brackets + 1;
        end
        OFFERS: if (m_ready) now = kind == END ? RENEWS : READY;
        default: begin
          offers(NEW, 4'd0, 11'd0);
          file = 4'd0;
        end
      endcase
      if (load_state) begin
        settle = 15;
        file = load_ep;
        bad_start = load_bad;
        if (load_bad) now = RENEWS;
        loads = loads + 1;
      end
    end
  endtask

  task clock;
    begin
      rnd = $random;
      // A byte that is offered stays. Start positions come while the module is quiet.
      load_state = now == READY && !begun && !s_valid && rnd[1:0] == 2'd0 && plan == 2'd0;
      {load_ep, load_bad} = {rnd[5:2], rnd[7:6] == 2'd0};
      if (!s_valid) begin
        if (!load_state && !(gaps && rnd[8])) begin
          s_valid = 1'b1;
          byte_;
        end else s_data = rnd[17:10];
      end
      rnd = $random;
      m_ready = !stalls || rnd[0];
      numbering = rnd[1];
      done = (now == OPENS || now == CLOSES) && waits == 0;
      if (now == OPENS || now == CLOSES) waits = waits == 0 ? 0 : waits - 1;
      // The position is there from the clock in which the move is asked for until it is found.
      if (now != COUNTS) begin
        idle = rnd[16] || (!gaps && rnd[18]);
        if (now == WAITS && settle == 0) position;
        else board = {board[250:0], rnd[4:0]};
      end
      asks = now == WAITS && idle && settle == 0;
      #1;
      expect_that(s_ready === (now == READY), "s_ready");
      expect_that(m_valid === (now == OFFERS), "m_valid");
      expect_that(open === (now == OPENS) && close === (now == CLOSES), "open or close");
      expect_that(in_game === begun, "in_game");
      expect_that(calm === (!begun && now == READY), "quiet");
      if (m_valid && now == OFFERS) begin
        expect_that(m_kind === kind, "kind");
        if (kind == END || kind == ERROR) expect_that(m_code === code, "code");
        if (kind != NEW) expect_that(m_index === index && m_offset === offset, "index or offset");
      end
      sink(m_valid, m_ready, {m_kind, m_code, m_index, m_offset});
      {was_found, was_none, was_index, was_file} = {found, none, found_index, found_file};
      @(posedge clk);
      #1;
      advance;
      if (takes) s_valid = 1'b0;
      clocks = clocks + 1;
    end
  endtask

  // A reset of one clock, with whatever there is.
  task reset;
    begin
      rst = 1'b1;
      rnd = $random;
      {s_valid, m_ready, done, load_state, load_bad, load_ep, s_data} = rnd;
      @(posedge clk);
      #1;
      rst = 1'b0;
      {s_valid, done} = 2'd0;
      now = READY;
      {begun, bad_start, skips, at_result, moved} = 5'd0;
      {count, nest, file} = 0;
      settle = 15;
      sink_held = 2'd0;
    end
  endtask

  initial begin
    {asks, plan, waits, clocks} = 0;
    repeat (3) @(posedge clk);
    #1;
    for (run = 0; run < RUNS + 12 && errors < 5; run = run + 1) begin
      n = run;
      reset;
      rnd = $random;
      {gaps, stalls} = rnd[1:0];
      length = rnd[7:2] == 6'd0 ? 2500 : rnd[4:2] == 3'd0 ? rnd[12:8] : rnd[17:8];
      if (run >= RUNS) begin
        {gaps, stalls} = 2'd0;
        plan = run > RUNS + 2 ? 2'd3 : run - RUNS + 1;
        length = plan == 2'd1 ? LONG + 20 : 40000;
      end
      while (length > 0 && errors < 5 && !(plan[1] && now == OFFERS && kind == NEW)) begin
        clock;
        length = length - 1;
      end
    end
    if (RUNS >= 280) expect_that(plies > 300 && errors_seen > 50 && ends > 50 && loads > 50 && deepest == DEEPEST, "too little came");
    expect_that(RUNS < 280 || DEPTH == 0 || brackets > 50, "few brackets");
    verdict;
    $display("PASS %0s DEPTH=%0d: %0d clocks, %0d moves, %0d brackets, %0d errors, %0d ends, %0d start positions", NAME,
             DEPTH, clocks, plies, brackets, errors_seen, ends, loads);
    $finish;
  end

endmodule

`resetall
