// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_brenner. It sends streams of games and compares the beats with a list. The first stream has
// every error that the module finds. The second has games from positions that are loaded. The third has the games of
// ply11_player's bench. The fourth has a queen on each square, who goes in each direction to each distance. The main
// layout also has games behind a long text, for byte offsets beyond 16 bits. The first three streams are sent four times:
// at full speed, with idle clocks, with back-pressure, and with both; the others at full speed.
// In each clock, in_game and quiet are compared with what the bytes, the beats and the positions so far say.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_brenner_tb;

  parameter LAYOUT = 0;
  // Games until the pieces are cleared: 511 of the main layout, 1, 3, 7 of the others.
  parameter GAMES = LAYOUT == 0 ? 9 : LAYOUT;

  localparam MOST_BYTES = 131072;
  localparam MOST = 32768;
  // A line of the player's list of beats, of which the first 72 bits count here: kind 4, error 4, result 4,
  // index 12, from 8, to 8, promotion 4, piece 4, captured 4, offset 32.
  localparam LINE = 4 * 3 + 12 + 8 + 8 + 4 * 3 + 32 + 16 + 4 * 3 + 256;
  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;

  localparam NAME = "ply11_brenner_tb";
  localparam WATCHDOG = 1000000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0;
  reg  [7:0]  s_data = 8'd0;
  wire        s_ready, m_valid, in_game, text_valid, text_last, calm;
  wire [1:0]  m_kind;
  wire [3:0]  m_code;
  wire [10:0] m_index;
  wire [31:0] m_offset;
  wire [7:0]  text_data;
  reg         load_clear = 1'b0, load_valid = 1'b0, load_state = 1'b0, load_side = 1'b0, load_bad = 1'b0;
  reg  [5:0]  load_square = 6'd0;
  reg  [3:0]  load_piece = 4'd0, load_ep = 4'd0;
  wire        load_ready;

  ply11_brenner #(.LAYOUT(LAYOUT), .GAMES(GAMES)) u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
    .m_offset(m_offset), .in_game(in_game),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last),
    .quiet(calm), .load_clear(load_clear), .load_ready(load_ready), .load_valid(load_valid), .load_square(load_square),
    .load_piece(load_piece), .load_state(load_state), .load_side(load_side), .load_ep(load_ep),
    .load_bad(load_bad)
  );

  // ---- streams ----
  reg [7:0]      bytes [0:MOST_BYTES-1];
  reg [LINE-1:0] lines [0:MOST-1];
  integer        count;
  // {1: the index counts, kind, code, index, offset} that must come; texts {last, byte}.
  reg [49:0]     want [0:MOST-1];
  reg [8:0]      want_text [0:MOST_BYTES-1];
  integer        events, texts;
  reg            last [0:MOST_BYTES-1];       // the byte ends its game
  // Positions that are loaded before a byte: {bad, en passant, side, pieces}.
  reg [261:0]    loads [0:127];
  integer        load_at [0:127];
  integer        positions;

  task put(input [7:0] b);
    begin
      bytes[count] = b;
      count = count + 1;
    end
  endtask

  task expect_beat(input [1:0] kind, input [3:0] code, input integer offset);
    begin
      want[events] = {1'b0, kind, code, 11'd0, offset[31:0]};
      events = events + 1;
      if (kind == END) last[offset] = 1'b1;
    end
  endtask

  // A pawn: 0 one step, 1 two, 2 takes to its right, 3 to its left.  The alternate order is another.
  task pawn(input integer who, input integer how);
    put(8'h20 + who + 8 * (LAYOUT == 0 ? how : how == 2 ? 0 : how == 3 ? 3 : how + 1));
  endtask

  task ply(input [7:0] b);
    begin
      expect_beat(PLY, 0, count);
      put(b);
    end
  endtask

  task pawn_ply(input integer who, input integer how);
    begin
      expect_beat(PLY, 0, count);
      pawn(who, how);
    end
  endtask

  // The last byte put is wrong.  Then come more bytes of which nothing may come, and the game's end.
  task wrong(input [3:0] code);
    begin
      expect_beat(ERROR, code, count - 1);
      put(8'h12);
      put(8'h06);
      text("1-0");
      put(8'h08);
      finish(2);
    end
  endtask

  // Result 0 0-1, 1 1/2-1/2, 2 1-0, 3 unknown.
  task finish(input integer result);
    begin
      expect_beat(END, result, count);
      expect_beat(NEW, 0, 0);
      case (result)
        0: put(8'h01);
        1: put(8'h03);
        2: put(8'h02);
        default: put(nothing(0));
      endcase
    end
  endtask

  task text(input [23:0] letters);
    integer k;
    begin
      put(8'd0);
      for (k = 2; k >= 0; k = k - 1) put_text(letters[8*k +: 8]);
      put_text(8'd0);
    end
  endtask

  task put_text(input [7:0] b);
    begin
      want_text[texts] = {b == 8'd0, b};
      texts = texts + 1;
      put(b);
    end
  endtask

  // 1 e4 d5 2 exd5 c6 3 dxc6 h6 4 cxb7 a6: the pawn of the e-file stands before a8.
  task to_the_seventh;
    begin
      pawn_ply(4, 1);
      pawn_ply(3, 1);
      pawn_ply(4, 3);
      pawn_ply(2, 0);
      pawn_ply(4, 3);
      pawn_ply(7, 0);
      pawn_ply(4, 3);
      pawn_ply(0, 0);
    end
  endtask

  wire [7:0] queen0 = LAYOUT == 0 ? 8'h40 : 8'hc0;     // names queen 0
  wire [7:0] queen1 = LAYOUT == 0 ? 8'h42 : LAYOUT == 2 ? 8'hc2 : 8'hd0;
  wire [7:0] queen_north = LAYOUT == 0 ? 8'h4a : LAYOUT == 1 ? 8'hd1 : LAYOUT == 2 ? 8'hca : 8'hd1;
  wire [7:0] rook0 = LAYOUT % 2 == 0 ? 8'h88 : 8'h81;  // to the east, one square
  // What turns it to the north; three times that, to the south.
  wire [7:0] north = LAYOUT == 0 ? 8'd2 : LAYOUT == 1 ? 8'd16 : LAYOUT == 2 ? 8'd1 : 8'd8;
  // To the south-east, five squares.
  wire [7:0] bishop0 = LAYOUT == 0 ? 8'haf : LAYOUT == 1 ? 8'h75 : LAYOUT == 2 ? 8'h6b : 8'h5d;

  // The queen to the direction dir, far squares: 0 E, NE, N, NW, W, SW, S, 7 SE.
  function [7:0] queen(input [2:0] dir, input [2:0] far);
    queen = LAYOUT == 0 ? {2'b01, far, dir} : LAYOUT == 2 ? {2'b11, far, dir} : {2'b11, dir, far};
  endfunction

  // The bytes without a meaning, 1..7.  The eighth of the kind, 0, is the unknown result.
  function [7:0] nothing(input [2:0] k);
    case (LAYOUT)
      0: nothing = {5'b11000, k};
      1: nothing = {!k[2], k[2], k[1:0], 4'b1000};
      2: nothing = {!k[2], k[2], 4'b0001, k[1:0]};
      default: nothing = {!k[2], k[2], 1'b1, k[1:0], 3'd0};
    endcase
  endfunction

  task directed;
    integer k;
    begin
      count = 0;
      events = 0;
      texts = 0;
      // The knight of b1 to the south; the king of e1 to the south; the pawn of a2 to its left, the
      // a-file's edge, and Black's pawn of a7 to its right.
      put(8'h16);
      wrong(ERR_GEOMETRY);
      put(8'h0e);
      wrong(ERR_GEOMETRY);
      pawn(0, 3);
      wrong(ERR_GEOMETRY);
      pawn_ply(4, 1);
      pawn(0, 2);
      wrong(ERR_GEOMETRY);
      // A pawn that was captured, two plies later: at once it is the board that tells.
      pawn_ply(4, 1);
      pawn_ply(3, 1);
      pawn_ply(4, 3);
      pawn_ply(7, 0);
      pawn_ply(7, 0);
      pawn(3, 0);
      wrong(ERR_EMPTY);
      // One that was captured en passant: 1 e4 h6 2 e5 d5 3 exd6 a6 4 h3 and the pawn of d7 moves.
      pawn_ply(4, 1);
      pawn_ply(7, 0);
      pawn_ply(4, 0);
      pawn_ply(3, 1);
      pawn_ply(4, 3);
      pawn_ply(0, 0);
      pawn_ply(7, 0);
      pawn(3, 0);
      wrong(ERR_EMPTY);
      // But not when the double step was a ply earlier: the pawn lives.
      pawn_ply(4, 1);
      pawn_ply(3, 1);
      pawn_ply(4, 0);
      pawn_ply(7, 0);
      pawn_ply(4, 3);
      pawn_ply(0, 0);
      pawn_ply(7, 0);
      pawn_ply(3, 0);
      finish(3);
      // A queen that is not there yet.
      put(queen1);
      put(queen_north);
      wrong(ERR_EMPTY);
      // Unassigned: the byte beside the unknown result's, and the six that differ from it in other bits.
      for (k = 1; k < 8; k = k + 1) begin
        ply(8'h12);
        put(nothing(k));
        wrong(ERR_CODE);
      end
      // Prefixes with something else behind them: a king, another prefix, a glyph, a result.
      put(queen0);
      put(8'h0a);
      wrong(ERR_PLACE);
      put(queen0);
      put(queen0);
      wrong(ERR_PLACE);
      ply(8'h12);
      put(queen0);
      put(8'h06);
      wrong(ERR_PLACE);
      // Glyphs: before the first move; the third.
      put(8'h06);
      wrong(ERR_PLACE);
      ply(8'h12);
      put(8'h06);
      put(8'h07);
      put(8'h07);
      wrong(ERR_PLACE);
      ply(8'h12);
      put(8'h06);
      put(8'h07);
      ply(8'h16);
      put(8'h07);
      finish(1);
      // An empty text before the first move; after it, it may stand.
      put(8'd0);
      put_text(8'd0);
      wrong(ERR_PLACE);
      text("abc");
      ply(8'h12);
      put(8'd0);
      put_text(8'd0);
      ply(8'h16);
      finish(0);
      // Promotion: to a number that is held, to one that is free; far from the last rank.
      to_the_seventh;
      put(queen0);
      pawn(4, 3);
      wrong(ERR_PLACE);
      to_the_seventh;
      put(queen1);
      pawn_ply(4, 3);
      finish(2);
      put(queen1);
      pawn(4, 1);
      wrong(ERR_GEOMETRY);
      // Castling both ways, and the rook that jumped: h1 stands on f1, and goes no further than to h1.
      pawn_ply(0, 0);
      ply(8'h04);
      ply(8'h05);
      pawn_ply(0, 0);
      finish(2);
      // Nothing lives on: the next game has all its pieces.
      pawn_ply(3, 1);
      pawn_ply(3, 1);
      pawn_ply(4, 1);
      pawn_ply(4, 1);
      finish(0);
    end
  endtask

  // The next game begins with the position in `pieces`, whose pieces setup puts there.
  reg [255:0] pieces;
  task setup(input [7:0] file, input integer rank, input [3:0] piece);
    pieces[4 * (8 * (rank - 1) + file - "a") +: 4] = piece;
  endtask

  task load(input side, input [3:0] ep, input bad);
    begin
      loads[positions] = {bad, ep, side, pieces};
      load_at[positions] = count;
      positions = positions + 1;
      pieces = 256'd0;
      setup("e", 1, 1);
      setup("e", 8, 9);
    end
  endtask

  task loaded;
    integer k;
    begin
      count = 0;
      events = 0;
      texts = 0;
      pieces = 256'd0;
      for (k = 0; k < 4; k = k + 1) begin
        load(0, 0, 1);
        expect_beat(NEW, 0, 0);
        // The usual position comes back.  That was no position: the byte is an error, were it the result.
        expect_beat(ERROR, ERR_START, count);
        finish(k);
        // A byte is offered while that END is due.
        ply(8'h12);
        finish(k);
      end
      // Rooks at home; the only pawn becomes the first queen, and a rook falls; castling.
      setup("a", 1, 5);
      setup("h", 1, 5);
      setup("a", 8, 13);
      setup("b", 7, 6);
      load(0, 0, 0);
      put(queen0);
      pawn_ply(0, 3);
      ply(8'h0e);
      ply(8'h04);
      ply(8'h0a);
      ply(rook0 + north);
      put(rook0);
      wrong(ERR_EMPTY);
      // The usual position again, in which Black's rook of a8 is there.
      pawn_ply(0, 1);
      pawn_ply(0, 1);
      ply(8'h12);
      ply(rook0 + 3 * north);
      finish(1);
      // The rook that castled is the king's neighbour, and falls there.
      setup("h", 1, 5);
      setup("a", 6, 12);
      load(0, 0, 0);
      ply(8'h04);
      ply(bishop0);
      ply(8'h0c);
      ply(8'h0e);
      put(rook0);
      wrong(ERR_EMPTY);
      // Five knights; an empty text instead of a move; a pawn too many.
      for (k = 0; k < 5; k = k + 1) setup("a" + k, 3, 3);
      load(0, 0, 0);
      expect_beat(NEW, 0, 0);
      put(8'h12);
      wrong(ERR_START);
      for (k = 0; k < 9; k = k + 1) setup("a" + k % 8, 3 + k / 8, 6);
      load(0, 0, 0);
      expect_beat(NEW, 0, 0);
      expect_beat(ERROR, ERR_START, count);
      put(8'd0);
      put_text(8'd0);
      finish(0);
      // Two of all pieces: the second of the queens is there, and goes a square to the north.
      for (k = 0; k < 8; k = k + 1) setup("a" + k, 3, (k & 3) + 2);
      load(0, 0, 0);
      put(queen1);
      put(queen_north);
      expect_beat(PLY, 0, count - 1);
      finish(0);
      // But four of all pieces, and eight pawns.
      for (k = 0; k < 32; k = k + 1) setup("a" + k % 8, 3 + k / 8, (k & 3) + 2 + 8 * (k / 16));
      for (k = 0; k < 8; k = k + 1) setup("a" + k, 2, 6);
      load(1, 0, 0);
      put(queen1);
      put(queen_north);
      expect_beat(PLY, 0, count - 1);
      finish(0);
      // Black to move takes en passant.
      setup("e", 4, 6);
      setup("d", 4, 14);
      load(1, 5, 0);
      pawn_ply(0, 3);
      ply(8'h0c);
      ply(8'h0c);
      pawn(0, 0);
      wrong(ERR_EMPTY);
      // But not so if somebody stands on the square that was passed: he falls.
      setup("e", 4, 6);
      setup("e", 3, 3);
      setup("d", 4, 14);
      load(1, 5, 0);
      pawn_ply(0, 3);
      ply(8'h0c);
      ply(8'h0c);
      pawn_ply(0, 0);
      ply(8'h08);
      put(8'h12);
      wrong(ERR_EMPTY);
      // White likewise.
      setup("c", 5, 14);
      setup("b", 5, 6);
      load(0, 3, 0);
      pawn_ply(0, 2);
      pawn(0, 0);
      wrong(ERR_EMPTY);
      setup("c", 5, 14);
      setup("c", 6, 11);
      setup("b", 5, 6);
      load(0, 3, 0);
      pawn_ply(0, 2);
      pawn_ply(0, 0);
      finish(3);
      passing;
      astray_kings;
    end
  endtask

  // En passant at once, on each file, by either side, from the left and from the right, with others on the
  // rank that was passed; every other time one of them on that square, where he falls instead.
  task passing;
    integer file, by, side, k;
    reg [7:0] crowd;
    begin
      for (file = 0; file < 8; file = file + 1)
        for (side = 0; side < 2; side = side + 1)
          for (by = file - 1; by <= file + 1; by = by + 2)
            if (by >= 0 && by < 8) begin
              crowd = $random;
              crowd[file] = file[0] ^ file[1] ^ side[0] ^ (by > file);
              for (k = 0; k < 8; k = k + 1)
                if (crowd[k]) setup("a" + k, side ? 3 : 6, (k < 4 ? 3 : 4) + (side ? 0 : 8));
              setup("a" + file, side ? 4 : 5, side ? 6 : 14);
              setup("a" + by, side ? 4 : 5, side ? 14 : 6);
              load(side, file + 1, 0);
              pawn_ply(0, (by < file) ^ side ? 2 : 3);
              if (by[0]) begin
                ply(8'h0c);
                ply(8'h0c);
              end
              if (crowd[file]) begin
                pawn_ply(0, 0);
                finish(0);
              end else begin
                pawn(0, 0);
                wrong(ERR_EMPTY);
              end
            end
      // The same after the double step itself; now and then the step was a king's, to that file, and he who is
      // captured stands where the pawn would have passed.
      for (file = 0; file < 8; file = file + 1)
        for (side = 0; side < 2; side = side + 1)
          for (by = file - 1; by <= file + 1; by = by + 2)
            if (by >= 0 && by < 8) begin
              setup("a" + by, side ? 4 : 5, side ? 14 : 6);
              if (file[1] ^ side[0]) begin
                setup("a" + file, side ? 2 : 7, side ? 6 : 14);
                load(!side, 0, 0);
                pawn_ply(0, 1);
              end else begin
                setup("a" + file, side ? 4 : 5, side ? 6 : 14);
                setup("a" + file, side ? 3 : 6, side ? 3 : 11);
                setup("e", side ? 1 : 8, 0);
                setup("a" + (file ? file - 1 : 1), side ? 1 : 8, side ? 1 : 9);
                load(!side, 0, 0);
                ply(file ? 8'h08 : 8'h0c);
              end
              pawn_ply(0, (by < file) ^ side ? 2 : 3);
              if (file[1] ^ side[0]) begin
                pawn(0, 0);
                wrong(ERR_EMPTY);
              end else begin
                pawn_ply(0, 0);
                finish(2);
              end
            end
      // Nobody may be taken en passant, on the h-file neither.
      for (side = 0; side < 2; side = side + 1) begin
        setup("g", side ? 4 : 5, side ? 14 : 6);
        setup("h", side ? 4 : 5, side ? 6 : 14);
        load(side, 0, 0);
        pawn_ply(0, side ? 3 : 2);
        pawn_ply(0, 0);
        finish(0);
      end
      // A knight beside a pawn that stepped twice goes to that file: he takes nobody.
      for (side = 0; side < 2; side = side + 1)
        for (by = 3; by < 6; by = by + 2) begin
          setup("a" + by, side ? 4 : 5, side ? 11 : 3);
          setup("e", side ? 2 : 7, side ? 6 : 14);
          load(!side, 0, 0);
          pawn_ply(0, 1);
          ply(side ? (by < 4 ? 8'h12 : 8'h13) : (by < 4 ? 8'h17 : 8'h16));
          ply(8'h0c);
          ply(8'h0c);
          pawn_ply(0, 0);
          finish(1);
        end
    end
  endtask

  // Castling, and the king is away from home by one bit of his square.
  task astray_kings;
    integer k, side;
    for (k = 0; k < 6; k = k + 1)
      for (side = 0; side < 2; side = side + 1) begin
        setup("a", side ? 8 : 1, side ? 13 : 5);
        setup("h", side ? 8 : 1, side ? 13 : 5);
        setup("e", side ? 8 : 1, 0);
        pieces[4 * ((side ? 60 : 4) ^ (1 << k)) +: 4] = side ? 9 : 1;
        load(side, 0, 0);
        put(8'h04 + k[0]);
        wrong(ERR_CASTLING);
      end
  endtask

  // The queen of d1 goes along her file and then along a rank to each square, and from there in each direction to each
  // distance. She jumps, and takes whom she meets: that is the board's care. Black moves the pawns of a7 and h7.
  task sliding;
    integer square, dir, far, file, rank;
    begin
      count = 0;
      events = 0;
      texts = 0;
      for (square = 0; square < 64; square = square + 1)
        for (dir = 0; dir < 8; dir = dir + 1)
          for (far = 1; far < 8; far = far + 1) begin
            file = square % 8;
            rank = square / 8;
            if (rank > 0) begin
              ply(queen(2, rank));
              pawn_ply(0, 0);
            end
            if (file != 3) begin
              ply(file < 3 ? queen(4, 3 - file) : queen(0, file - 3));
              pawn_ply(file < 3 ? 7 : 0, 0);
            end
            file = file + (dir == 2 || dir == 6 ? 0 : dir > 2 && dir < 6 ? -far : far);
            rank = rank + (dir == 0 || dir == 4 ? 0 : dir > 4 ? -far : far);
            if (file < 0 || file > 7 || rank < 0 || rank > 7) expect_beat(ERROR, ERR_GEOMETRY, count);
            else expect_beat(PLY, 0, count);
            put(queen(dir, far));
            finish(far % 4);
          end
    end
  endtask

  // Bytes whose numbers have more than sixteen bits: a long text, and games after it.
  task distant;
    integer k;
    begin
      count = 0;
      events = 0;
      texts = 0;
      put(8'd0);
      for (k = 0; k < 65384; k = k + 1) put_text(1 + k % 255);
      put_text(8'd0);
      for (k = 0; k < 24; k = k + 1) begin
        ply(8'h12);
        ply(8'h16);
        put(8'h0e);
        wrong(ERR_GEOMETRY);
      end
    end
  endtask

  // The player's games: those errors that are the board's do not occur in them.
  task listed;
    integer k;
    begin
      for (k = 0; k < MOST_BYTES; k = k + 1) bytes[k] = 8'hff;
      for (k = 0; k < MOST; k = k + 1) lines[k] = {LINE{1'b1}};
      case (LAYOUT)
        0: begin
          $readmemh("tb/ply11_player/main.bytes.hex", bytes);
          $readmemh("tb/ply11_player/main.beats.hex", lines);
        end
        1: begin
          $readmemh("tb/ply11_player/alt.bytes.hex", bytes);
          $readmemh("tb/ply11_player/alt.beats.hex", lines);
        end
        2: begin
          $readmemh("tb/ply11_player/alt-swapped.bytes.hex", bytes);
          $readmemh("tb/ply11_player/alt-swapped.beats.hex", lines);
        end
        default: begin
          $readmemh("tb/ply11_player/alt-fixed.bytes.hex", bytes);
          $readmemh("tb/ply11_player/alt-fixed.beats.hex", lines);
        end
      endcase
      count = 0;
      for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
      events = 0;
      for (k = 0; lines[k] != {LINE{1'b1}}; k = k + 1) begin
        want[events] = {lines[k][LINE-3 -: 2] == PLY, lines[k][LINE-3 -: 2],
                        lines[k][LINE-3 -: 2] == END ? lines[k][LINE-9 -: 4] : lines[k][LINE-5 -: 4],
                        lines[k][LINE-14 -: 11], lines[k][LINE-53 -: 32]};
        events = events + 1;
        if (want[events-1][48:47] == END) begin
          last[want[events-1][31:0]] = 1'b1;
          expect_beat(NEW, 0, 0);
        end
      end
      texts = -1;
    end
  endtask

  // ---- the run ----
  integer     stream, run, at, got, got_text, quiet, clocks, ends, total, next, still;
  reg  [31:0] rnd;
  reg         took, held, refused, due, begun;
  reg  [48:0] beat, held_beat;
  // When each byte was taken, by the clocks of the run.
  integer     stamp [0:MOST_BYTES-1], now;

  // An error at the byte that comes next.
  task bad(input [8*48-1:0] what);
    begin
      n = at;
      fail(what);
      if (errors <= 10) $display("  in stream %0d, run %0d", stream, run);
    end
  endtask

  // Loads a position, with pauses.
  task put_position;
    integer k;
    begin
      load_clear = 1'b1;
      @(posedge clk);
      #1 load_clear = 1'b0;
      if ((load_ready || s_ready) !== 1'b0) bad("ready while cleared");
      while (!load_ready) @(posedge clk) #1;
      for (k = 0; k < 64; k = k + 1) begin
        load_square = 8 * (7 - k / 8) + k % 8;
        load_piece = loads[next][4*load_square +: 4];
        load_valid = 1'b1;
        @(posedge clk);
        #1 load_valid = 1'b0;
        if ($random & 1) @(posedge clk) #1;
        if (m_valid !== 1'b0) bad("a beat while loading");
      end
      if ((!calm || in_game) !== 1'b0) bad("not quiet while loading");
      load_state = 1'b1;
      {load_bad, load_ep, load_side} = loads[next][261:256];
      @(posedge clk);
      #1 load_state = 1'b0;
    end
  endtask

  initial begin
    total = 0;
    for (stream = 0; stream < (LAYOUT == 0 ? 5 : 4); stream = stream + 1) begin
      positions = 0;
      for (at = 0; at < MOST_BYTES; at = at + 1) last[at] = 1'b0;
      if (stream == 0) directed;
      else if (stream == 1) loaded;
      else if (stream == 2) listed;
      else if (stream == 3) sliding;
      else distant;
      if (events < 50) bad("few beats");
      for (run = 0; run < (stream > 2 ? 1 : 4); run = run + 1) begin
        rst = 1'b1;
        s_valid = 1'b0;
        at = 0;
        got = 0;
        got_text = 0;
        quiet = 0;
        clocks = 0;
        ends = 0;
        now = 0;
        next = 0;
        still = 0;
        refused = 1'b0;
        held = 1'b0;
        held_beat = 0;
        @(posedge clk);
        @(posedge clk);
        #1 rst = 1'b0;
        while (quiet < 40) begin
          rnd = $random;
          if (next < positions && load_at[next] == at && !s_valid) begin
            if (still > 12) begin
              put_position;
              next = next + 1;
              still = 0;
              // A position that is refused is followed by a NEW.
              refused = want[got][48:47] == NEW;
            end
          end else if (at < count && !(run[0] && rnd[1:0] != 2'd0)) s_valid = 1'b1;
          s_data = s_valid ? bytes[at] : rnd[15:8];
          m_ready = !(run[1] && rnd[3:2] != 2'd0);
          #1;
          beat = {m_kind, m_code, m_index, m_offset};
          if ((held && (!m_valid || beat !== held_beat)) !== 1'b0) bad("changed while stalled");
          held = m_valid && !m_ready;
          held_beat = beat;
          begun = at > 0 && !last[at-1];
          due = got < events && (want[got][48:47] != NEW ? want[got][31:0] < at : refused || (got > 0 && want[got-1][48:47] == END));
          if (in_game !== begun) bad("in_game");
          if (calm !== !(begun || due)) bad("quiet");
          quiet = (m_valid || at < count) ? 0 : quiet + 1;
          still = (m_valid || s_valid) ? 0 : still + 1;
          if (m_valid && m_ready) begin
            if (got >= events || m_kind !== want[got][48:47]
                || (m_kind != PLY && m_kind != NEW && m_code !== want[got][46:43])
                || (want[got][49] && m_index !== want[got][42:32])
                || (m_kind != NEW && m_offset !== want[got][31:0])) begin
              bad("a wrong beat");
              if (errors <= 10)
                $display("  beat %0d: kind %0d code %0d index %0d offset %0d, expected %0d %0d %0d %0d", got, m_kind, m_code,
                         m_index, m_offset, want[got][48:47], want[got][46:43], want[got][42:32], want[got][31:0]);
            end
            if (m_kind == END) ends = ends + 1;
            // Four clocks after its byte; a result that is refused with its start position gives an ERROR, and END a clock later.
            if (!run[1] && m_kind != NEW && m_offset < count
                && now - stamp[m_offset] != (m_kind == END && got > 0 && want[got-1][48:47] == ERROR && want[got-1][31:0] == m_offset ? 5 : 4))
              bad("latency");
            got = got + 1;
            refused = 1'b0;
          end
          took = s_valid && s_ready;
          if ((text_valid && !took) !== 1'b0) bad("text without a byte");
          if (text_valid && texts >= 0) begin
            if (got_text >= texts || {text_last, text_data} !== want_text[got_text]) bad("a wrong text");
            got_text = got_text + 1;
          end
          if (at < count) clocks = clocks + 1;
          @(posedge clk);
          #1;
          if (took) begin
            stamp[at] = now;
            s_valid = 1'b0;
            at = at + 1;
          end
          now = now + 1;
        end
        if (got != events) bad("beats are missing");
        if (texts >= 0 && got_text != texts) bad("texts are missing");
        // A byte a clock, and one more a game, once the pieces are cleared.
        if (run == 0 && positions == 0 && clocks > 64 + count + ends + 64 * (ends / (2 ** GAMES - 1))) bad("it is slow");
        total = total + got;
      end
    end
    verdict;
    $display("PASS ply11_brenner_tb LAYOUT=%0d: %0d beats", LAYOUT, total);
    $finish;
  end

endmodule

`resetall
