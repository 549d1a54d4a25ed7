// SPDX-License-Identifier: Apache-2.0
// By induction over operations, for every operation, from the usual initial position or any that is loaded
// and of which it holds: what holds of the position holds after it. That is: every square holds a piece
// or nothing; one king a side; and
//   LOADS 0: a castling right only with its king and rook at home; an en passant file only with the pawn
//     that stepped. So it is in every position that package position takes. An operation changes the squares of
//     its move, each of them, and no others; an error changes nothing.
//   LOADS 1: no king, of either side, in the rook's corner of a castling right, nor where the pawn of the
//     en passant file should be. ply11_board does not look at the rook or the pawn (see there); this is all that
//     who loads it has to see to, lest a king be taken by castling or en passant. A new game sees to it.
//     An operation changes no squares but those of its move; an error changes nothing.
//
// The statements about all squares are made of any one, or any two; what is assumed of the position
// is assumed of these and of the squares of the move, which is less than is known.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_judge_keeps #(
  parameter LOADS = 0
) (
  input  wire [1:0]   op,
  input  wire [10:0]  index,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire [15:0]  ply,
  input  wire         colour,
  input  wire [5:0]   king,      // where the king of colour stands
  input  wire [5:0]   square,    // any
  output wire         ok
);

  wire [2:0]   error;
  wire [14:0]  move;
  wire [3:0]   piece, captured, rights_after, ep_after;
  wire [255:0] after;
  wire         side_after;
  wire [15:0]  ply_after;
  ply11_judge u_judge (
    .op(op), .index(index), .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .error(error), .move(move), .piece(piece), .captured(captured), .board_after(after),
    .side_after(side_after), .rights_after(rights_after), .ep_after(ep_after), .ply_after(ply_after)
  );

  wire [5:0] from = move[5:0], to = move[11:6];
  wire       castled = piece[2:0] == 3'd1 && from[2:0] == 3'd4 && (to[2:0] == 3'd6 || to[2:0] == 3'd2);
  wire [5:0] corner = {from[5:3], {3{to[2]}}};
  wire [5:0] beside = {from[5:3], to[2] ? 3'd5 : 3'd3};
  wire       passed = piece[2:0] == 3'd6 && from[2:0] != to[2:0] && at(board, to) == 4'd0;
  wire [5:0] behind = {from[5:3], to[2:0]};

  function [3:0] at(input [255:0] pieces, input [5:0] s);
    at = pieces[{s, 2'b00} +: 4];
  endfunction
  function code(input [3:0] m);
    code = m[2:0] != 3'd7 && m != 4'd8;
  endfunction
  function king_at(input [255:0] pieces, input [5:0] s);
    king_at = pieces[{s, 2'b00} +: 3] == 3'd1;
  endfunction
  // No king is where a castling or a capture en passant would take him.
  function safe(input [255:0] pieces, input s, input [3:0] held, input [3:0] file);
    reg [2:0] f;
    begin
      f = file[2:0] - 3'd1;
      safe = !(held[0] && king_at(pieces, 6'd7)) && !(held[1] && king_at(pieces, 6'd0))
             && !(held[2] && king_at(pieces, 6'd63)) && !(held[3] && king_at(pieces, 6'd56))
             && !(file != 4'd0 && king_at(pieces, {s ? 3'd3 : 3'd4, f}));
    end
  endfunction
  function homes(input [255:0] pieces, input [3:0] held);
    homes = (!held[0] || (pieces[19:16] == 4'd1 && pieces[31:28] == 4'd5))
            && (!held[1] || (pieces[19:16] == 4'd1 && pieces[3:0] == 4'd5))
            && (!held[2] || (pieces[243:240] == 4'd9 && pieces[255:252] == 4'd13))
            && (!held[3] || (pieces[243:240] == 4'd9 && pieces[227:224] == 4'd13));
  endfunction
  function pawn(input [255:0] pieces, input s, input [3:0] file);
    reg [2:0] f;
    begin
      f = file[2:0] - 3'd1;
      pawn = file == 4'd0 || (file <= 4'd8 && at(pieces, {s ? 3'd3 : 3'd4, f}) == {!s, 3'd6});
    end
  endfunction

  // The king of colour, and no other on the squares that are looked at.
  wire [3:0] crown = {colour, 3'd1};
  wire       lone = at(board, king) == crown && (square == king || at(board, square) != crown)
                    && (from == king || at(board, from) != crown)
                    && (corner == king || at(board, corner) != crown);
  wire       placed = LOADS != 0 ? safe(board, side, rights, ep) : homes(board, rights) && pawn(board, side, ep);
  wire       before = lone && code(at(board, square)) && code(at(board, from)) && placed;
  // Where he stands after.
  wire [5:0] throne = op == 2'd1 ? {{3{colour}}, 3'd4}
                      : (op == 2'd0 && error == 3'd0 && index != 11'd1972 && from == king) ? to : king;
  wire       mine = error == 3'd0 && index != 11'd1972
                    && (square == from || square == to || (passed && square == behind)
                        || (castled && (square == corner || square == beside)));
  wire       same = at(after, square) == at(board, square);

  wire       placed_after = LOADS != 0 ? safe(after, side_after, rights_after, ep_after)
                            : homes(after, rights_after) && pawn(after, side_after, ep_after);

  // A new game is in order whatever was before.
  assign ok = !(before || op == 2'd1)
    || (at(after, throne) == crown && (square == throne || at(after, square) != crown)
        && code(at(after, square)) && placed_after
        && (op == 2'd1 || (op == 2'd0 && mine ? LOADS != 0 || !same : same))
        && (error == 3'd0 || {side_after, rights_after, ep_after, ply_after} == {side, rights, ep, ply})
        && (op != 2'd0 || error != 3'd0 || (side_after != side && ply_after == ply + 16'd1)));

endmodule

`resetall
