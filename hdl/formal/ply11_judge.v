// SPDX-License-Identifier: Apache-2.0
// What ply11_board does to a position in one operation, said in the order of the rules and without a
// pipeline: what the board is compared with, and what the rules of positions are proved of. Pieces are
// codes 0, 1..6 and 9..14.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_judge (
  input  wire [1:0]   op,
  input  wire [10:0]  index,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire [15:0]  ply,
  output reg  [2:0]   error,
  output reg  [14:0]  move,      // {promotion, to, from}
  output reg  [3:0]   piece,
  output reg  [3:0]   captured,
  output reg  [255:0] board_after,
  output reg          side_after,
  output reg  [3:0]   rights_after,
  output reg  [3:0]   ep_after,
  output reg  [15:0]  ply_after
);

  wire [5:0] from, to;
  localparam [2:0] ERR_EMPTY = 3'd1, ERR_OPPONENT = 3'd2, ERR_OWN = 3'd3, ERR_GEOMETRY = 3'd4, ERR_CASTLING = 3'd5, ERR_CODE = 3'd6;

  wire [2:0] promotion;
  wire       is_move;
  ply11_decode u_decode (.index(index), .from(from), .to(to), .promotion(promotion), .is_move(is_move));

  wire [2:0] ff = from[2:0], fr = from[5:3], tf = to[2:0], tr = to[5:3];
  wire [2:0] df = ff > tf ? ff - tf : tf - ff;
  wire [2:0] dr = fr > tr ? fr - tr : tr - fr;
  wire [3:0] mover = board[{from, 2'b00} +: 4];
  wire [3:0] target = board[{to, 2'b00} +: 4];
  wire [2:0] home = side ? 3'd7 : 3'd0;
  wire       promo = promotion != 3'd0;
  wire       ahead = side ? tr < fr : tr > fr;
  wire [2:0] last = side ? 3'd0 : 3'd7;

  function empty(input [255:0] pieces, input [5:0] square);
    empty = pieces[{square, 2'b00} +: 4] == 4'd0;
  endfunction

  // A king's two files from its home square.
  wire wing = mover[2:0] == 3'd1 && from == {home, 3'd4} && (to == {home, 3'd6} || to == {home, 3'd2});
  wire way = tf == 3'd6 ? empty(board, {home, 3'd5}) && empty(board, {home, 3'd6})
                        : empty(board, {home, 3'd1}) && empty(board, {home, 3'd2}) && empty(board, {home, 3'd3});
  wire castling = wing && way && rights[{side, tf != 3'd6}];
  wire pawn_push = df == 3'd0 && ahead && target == 4'd0
                   && (dr == 3'd1 || (dr == 3'd2 && fr == (side ? 3'd6 : 3'd1)));
  wire pawn_take = df == 3'd1 && dr == 3'd1 && ahead && target != 4'd0;
  wire passant = df == 3'd1 && dr == 3'd1 && ahead && target == 4'd0 && fr == (side ? 3'd3 : 3'd4)
                 && ep == {1'b0, tf} + 4'd1;

  reg geometry;
  always @* begin
    case (mover[2:0])
      3'd1:    geometry = !promo && ((df <= 3'd1 && dr <= 3'd1) || castling);
      3'd2:    geometry = !promo && (df == 3'd0 || dr == 3'd0 || df == dr);
      3'd3:    geometry = !promo && df != 3'd0 && dr != 3'd0 && {1'b0, df} + {1'b0, dr} == 4'd3;
      3'd4:    geometry = !promo && df == dr;
      3'd5:    geometry = !promo && (df == 3'd0 || dr == 3'd0);
      3'd6:    geometry = (pawn_push || pawn_take || passant) && promo == (tr == last);
      default: geometry = 1'b0;
    endcase
  end

  always @* begin
    {board_after, side_after, rights_after, ep_after, ply_after} = {board, side, rights, ep, ply};
    error = 3'd0;
    move = 15'd0;
    piece = 4'd0;
    captured = 4'd0;
    if (op == 2'd1) begin
      board_after = {32'hdbc9acbd, 32'heeeeeeee, 128'd0, 32'h66666666, 32'h53412435};
      {side_after, rights_after, ep_after, ply_after} = {1'b0, 4'd15, 4'd0, 16'd0};
    end
    if (op == 2'd0) begin
      if (is_move) move = {promotion, to, from};
      if (!is_move) error = index == 11'd1972 ? 3'd0 : ERR_CODE;
      else if (mover == 4'd0) error = ERR_EMPTY;
      else if (mover[3] != side) error = ERR_OPPONENT;
      else if (target != 4'd0 && target[3] == side) error = ERR_OWN;
      else if (target[2:0] == 3'd1) error = ERR_GEOMETRY;
      else if (wing && !castling) error = ERR_CASTLING;
      else if (!geometry) error = ERR_GEOMETRY;
      if (error == 3'd0) begin
        side_after = !side;
        ep_after = 4'd0;
        ply_after = ply + 16'd1;
        if (is_move) begin
          piece = mover;
          captured = target;
          board_after[{from, 2'b00} +: 4] = 4'd0;
          // Promotion 4..7 is to knight, bishop, rook, queen: pieces 3, 4, 5, 2.
          board_after[{to, 2'b00} +: 4] = !promo ? mover : {side, promotion == 3'd7 ? 3'd2 : promotion - 3'd1};
          if (mover[2:0] == 3'd6 && passant) begin
            captured = {!side, 3'd6};
            board_after[{fr, tf, 2'b00} +: 4] = 4'd0;
          end
          if (wing) begin
            board_after[{home, tf == 3'd6 ? 3'd7 : 3'd0, 2'b00} +: 4] = 4'd0;
            board_after[{home, tf == 3'd6 ? 3'd5 : 3'd3, 2'b00} +: 4] = {side, 3'd5};
          end
          if (mover[2:0] == 3'd6 && dr == 3'd2) ep_after = {1'b0, tf} + 4'd1;
          // Bits K, Q, k, q: gone with the squares e1, h1, a1, e8, h8, a8.
          if (from == 6'd4  || to == 6'd4  || from == 6'd7  || to == 6'd7)  rights_after[0] = 1'b0;
          if (from == 6'd4  || to == 6'd4  || from == 6'd0  || to == 6'd0)  rights_after[1] = 1'b0;
          if (from == 6'd60 || to == 6'd60 || from == 6'd63 || to == 6'd63) rights_after[2] = 1'b0;
          if (from == 6'd60 || to == 6'd60 || from == 6'd56 || to == 6'd56) rights_after[3] = 1'b0;
        end
      end
    end
  end

endmodule

`resetall
