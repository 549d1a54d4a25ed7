// SPDX-License-Identifier: Apache-2.0
// ply11_pieces - the pieces of both sides by number: where each piece stands, and whether he is alive.
//
// A piece's slot is 0..7 for pawns, 8..11 knights, 12..15 bishops, 16..19 rooks, 20..23 queens, and 24 for the king.
// Slots 25..31 are never alive. In the initial position pieces are numbered from the a-file.
//
// Throughput: one piece is looked up and moved in a step; a step is a clock with en. Latency: his square comes one step
// after he was named; whether he is alive comes two steps after.
// Step p: read_side and read_slot name a piece.
// Step q, the next one: square is where he stands. With move_valid a piece of his side moves: the piece in move_slot stands on
// move_to from then on, and whoever stood there falls. move_slot is the slot that was read, or with move_anew another one:
// a pawn has become that piece. With pass_valid, if he stands on pass_square, the pawn beside him on pass_file falls, too:
// he takes it en passant, and so goes one rank. With move_castle he is the king. He goes to the c- or g-file of
// move_to's rank. The rook of that corner, which has not moved in this game, goes to the d- or f-file.
// Step r, the one after that: alive tells whether the piece who was named was alive before he moved.
//
// Moves of one side are at least two steps apart. In the step of a move no piece of its side is named. The king is always
// alive. After a move that the board refuses, the answers for that game have no meaning.
// restart sets the usual initial position. It comes at least one step after the last piece of the game before was read, and
// two steps before the first piece of the next game is read.
// A set-up position is loaded between games. First load_clear is 1 for a clock. Then, while busy is 0, load_valid is 1
// once for every piece, in the order of the numbering: from a8 to h8, then rank 7, down to h1. load_piece is as on the board;
// 0 is skipped. The piece takes the next number of his kind and side. load_full is 1, at once, if no number is left: there are
// four of a kind, eight pawns and one king. restart ends the set-up position.
// busy is 1 in the 64 clocks after rst, after load_clear, and after the restart that ends game number 2**GAMES - 1,
// counted from the last time. In these clocks all memories are cleared, and nothing may be read.
//
// Each memory has a port to write and a port to read, with a register at its output. The two ports never have
// the same address in the same clock, except where the answer has no meaning.
//   slots      by side and slot: {number of the game, 1 if he was loaded and has not moved, square}
//   even, odd  by square, of ranks 1, 3, 5, 7 and 2, 4, 6, 8: {number of the game, side, slot} of the piece who
//              came there last; slot 31 is the rook that castled
// An entry counts only in the game whose number it has. So a restart changes the number and nothing else.
// A piece without an entry stands where the initial position has him. In a set-up position he is not there.
// A piece is alive if nobody came to his square in this game, or if he came last. So a capture writes nothing more, and
// a square that a piece leaves needs no write. Castling writes the king's entry and the rook's square. It tells, too,
// that the rook's own entry, or his place in the initial position, is out of date.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_pieces #(
  // Bits of the number of a game, 1 to 9.
  parameter GAMES = 9
) (
  input  wire        clk,          // the clock; all ports belong to its rising edge
  input  wire        rst,          // synchronous reset, active high

  input  wire        en,           // 1: a step
  input  wire        restart,      // with en: the usual initial position
  output wire        busy,         // 1: the memories are cleared, and nothing may be read

  input  wire        read_side,  // step p: side of the piece who is named, 1 Black
  input  wire [4:0]  read_slot,    // step p: his slot, 0..31

  output wire [5:0]  square,       // step q: where he stands, square, 0 a1 .. 63 h8
  input  wire        move_valid,   // step q: 1 if a piece of his side moves
  input  wire        move_castle,  // step q: the move is castling
  input  wire [4:0]  move_slot,    // step q: the mover's slot
  input  wire [5:0]  move_to,      // step q: to this square
  input  wire        move_anew,    // step q: the mover is new, by promotion
  input  wire        pass_valid,   // step q: 1 if he may take en passant
  input  wire [5:0]  pass_square,  // step q: from this square
  input  wire [2:0]  pass_file,    // step q: the pawn on this file

  output wire        alive,      // step r: 1 if the piece who was named was alive

  input  wire        load_clear,   // 1: a set-up position begins
  input  wire        load_valid,   // 1: a piece of it
  input  wire [5:0]  load_square,  // square, 0 a1 .. 63 h8
  input  wire [3:0]  load_piece,     // the piece, 0 nobody
  output wire        load_full     // 1: there is no number left for load_piece [from load_piece]
);

  generate
    if (GAMES < 1 || GAMES > 9) begin : g_check_games
      ply11_pieces_games_is_1_to_9 u_check ();
    end
  endgenerate

  localparam [4:0] LONG_ROOK = 5'd16, SHORT_ROOK = 5'd17, KING = 5'd24, CASTLED = 5'd31;

  // ---- the game's number ----
  localparam [GAMES-1:0] FIRST_GAME = 1;
  reg  [GAMES-1:0] game_q;
  reg              restart_q;       // a step after restart
  reg              setup_q;      // this game's pieces were loaded
  reg              busy_q;
  reg  [5:0]       clear_q;
  reg  [3:0]       castled_q;       // by {side, long}
  wire             last = &game_q;
  assign busy = busy_q;

  wire             castle, castle_long;
  reg              q_side;

  always @(posedge clk) begin
    clear_q <= clear_q + 6'd1;
    if (&clear_q) busy_q <= 1'b0;
    if (en) begin
      restart_q <= restart;
      if (castle) castled_q[{q_side, castle_long}] <= 1'b1;
      if (restart_q) begin
        game_q <= last ? FIRST_GAME : game_q + FIRST_GAME;
        castled_q <= 4'd0;
        setup_q <= 1'b0;
      end
    end
    if (load_clear) begin
      castled_q <= 4'd0;
      setup_q <= 1'b1;
    end
    if (rst) begin
      game_q <= FIRST_GAME;
      castled_q <= 4'd0;
      setup_q <= 1'b0;
      restart_q <= 1'b0;
    end
    if (rst || load_clear || (en && restart && last)) begin
      busy_q <= 1'b1;
      clear_q <= 6'd0;
    end
  end

  // ---- loading: numbers given so far, by piece ----
  reg  [3:0] given_q [0:15];
  wire [3:0] number = given_q[load_piece];
  reg  [4:0] base;
  reg  [3:0] most;
  always @* begin
    case (load_piece[2:0])
      3'd1:    {base, most} = {KING, 4'd1};
      3'd2:    {base, most} = {5'd20, 4'd4};
      3'd3:    {base, most} = {5'd8, 4'd4};
      3'd4:    {base, most} = {5'd12, 4'd4};
      3'd5:    {base, most} = {5'd16, 4'd4};
      3'd6:    {base, most} = {5'd0, 4'd8};
      default: {base, most} = {5'd0, 4'd0};
    endcase
  end
  assign load_full = load_piece[2:0] != 3'd0 && number >= most;
  wire       load = load_valid && load_piece[2:0] != 3'd0 && !load_full;
  wire [4:0] load_slot = base + {1'b0, number};

  integer i;
  always @(posedge clk) begin
    if (load) given_q[load_piece] <= number + 4'd1;
    if (load_clear) for (i = 0; i < 16; i = i + 1) given_q[i] <= 4'd0;
  end

  // ---- p: his entry is read ----
  wire [GAMES-1:0] tag = busy_q ? {GAMES{1'b0}} : game_q;
  wire             move = en && move_valid;

  (* no_rw_check *)
  reg  [GAMES+6:0] slots [0:63];
  reg  [GAMES+6:0] entry_q;
  wire [5:0]       slots_at = busy_q ? clear_q : load_valid ? {load_piece[3], load_slot} : {q_side, move_slot};
  always @(posedge clk) begin
    if (busy_q || load || move)
      slots[slots_at] <= {tag, load_valid, load_valid ? load_square : move_to};
    if (en) entry_q <= slots[{read_side, read_slot}];
  end

  // Where the piece of a slot starts: {is there, file}; pawns stand a rank further.
  reg  [3:0] first;
  always @* begin
    case (read_slot)
      5'd8:       first = 4'd9;
      5'd9:       first = 4'd14;
      5'd12:      first = 4'd10;
      5'd13:      first = 4'd13;
      LONG_ROOK:  first = castled_q[{read_side, 1'b1}] ? 4'd11 : 4'd8;
      SHORT_ROOK: first = castled_q[{read_side, 1'b0}] ? 4'd13 : 4'd15;
      5'd20:      first = 4'd11;
      KING:       first = 4'd12;
      default:    first = {read_slot[4:3] == 2'd0, read_slot[2:0]};
    endcase
  end

  reg  [4:0] q_slot;
  reg  [5:0] home_q;
  reg        at_home_q;             // without an entry he stands there
  reg        home_castled_q;        // and is the rook of a castling
  always @(posedge clk) begin
    if (en) begin
      q_side <= read_side;
      q_slot <= read_slot;
      home_q <= {read_slot[4:3] == 2'd0 ? {read_side, read_side, !read_side} : {3{read_side}}, first[2:0]};
      at_home_q <= first[3] && !setup_q;
      home_castled_q <= (read_slot == LONG_ROOK && castled_q[{read_side, 1'b1}])
                        || (read_slot == SHORT_ROOK && castled_q[{read_side, 1'b0}]);
    end
  end

  // ---- q: where he stands; who came to that square is read; he moves ----
  wire       known = entry_q[GAMES+6:7] == game_q;
  wire       corner = entry_q[6] && entry_q[5:3] == {3{q_side}};    // or beside it
  wire       long_rook = corner && entry_q[2:0] == 3'd0 && castled_q[{q_side, 1'b1}];
  wire       short_rook = corner && entry_q[2:0] == 3'd7 && castled_q[{q_side, 1'b0}];
  assign square = !known ? home_q : {entry_q[5:3], long_rook ? 3'd3 : short_rook ? 3'd5 : entry_q[2:0]};

  assign castle = move_valid && move_castle;
  assign castle_long = !move_to[2];
  wire [5:0] come_to = move_castle ? {move_to[5:3], castle_long ? 3'd3 : 3'd5} : move_to;
  wire [4:0] come_to_at = {come_to[5:4], come_to[2:0]};
  // Who falls on the rank that is left, so on one of the other colour: a pawn is not castled.
  wire       passes = pass_valid && (known ? entry_q[5:0] : home_q) == pass_square;
  wire       falls = move_anew || passes;
  wire [4:0] fall_at = {square[5:4], move_anew ? square[2:0] : pass_file};
  wire [GAMES+5:0] name = {tag, q_side, move_castle ? CASTLED : move_slot};

  (* no_rw_check *)
  reg  [GAMES+5:0] even [0:31];
  (* no_rw_check *)
  reg  [GAMES+5:0] odd [0:31];
  reg  [GAMES+5:0] even_q, odd_q;
  always @(posedge clk) begin
    if (busy_q || (move && (falls || !come_to[3])))
      even[busy_q ? clear_q[4:0] : come_to[3] ? fall_at : come_to_at] <= name;
    if (en) even_q <= even[{square[5:4], square[2:0]}];
  end
  always @(posedge clk) begin
    if (busy_q || (move && (falls || come_to[3])))
      odd[busy_q ? clear_q[4:0] : come_to[3] ? come_to_at : fall_at] <= name;
    if (en) odd_q <= odd[{square[5:4], square[2:0]}];
  end

  reg  [5:0] r_name;
  reg        r_odd, r_placed, r_king;
  always @(posedge clk) begin
    if (en) begin
      r_name <= {q_side, (known ? long_rook || short_rook : home_castled_q) ? CASTLED : q_slot};
      r_odd <= square[3];
      r_placed <= known || at_home_q;
      r_king <= q_slot == KING;
    end
  end

  // ---- r: is he alive ----
  wire [GAMES+5:0] came = r_odd ? odd_q : even_q;
  assign alive = r_king || (r_placed && (came[GAMES+5:6] != game_q || came[5:0] == r_name));

endmodule

`resetall
