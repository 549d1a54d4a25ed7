// SPDX-License-Identifier: Apache-2.0
// The memories of ply11_pieces and a plain list agree, and no square gets two pieces: for any two pieces a and b,
// which are chosen at the start, and any sequence of steps from a reset on, waits, new games and clearings
// among them.
//   1. Whenever a is named, square is where the list has him, and alive whether it has him alive.
//   2. a and b, when both are alive, are not on one square.
// The list follows a and b alone.  What is asked of the moves is what the board sees to, as far as it
// concerns them (f_void is 1 from the first that breaks it, until the next game): who moves is alive, and is
// not the king who castles after he moved; no piece of one's own stands on the target, and the squares to
// which king and rook castle are empty; no king falls; the number of a new piece is free; a pawn that
// takes en passant or becomes another piece goes to a rank of the other colour.
// ok is 0 where that fails.  72 clocks are the 64 of clearing and the first six moves after them.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_pieces_agree (
  input  wire       clk,
  input  wire       en,
  input  wire       new_game,
  input  wire       look,
  input  wire       go,
  input  wire       read_side,
  input  wire [4:0] read_slot,
  input  wire       castle,
  input  wire       anew,
  input  wire [4:0] new_slot,
  input  wire [5:0] to,
  input  wire       pass,
  input  wire [5:0] pass_square,
  input  wire [2:0] pass_file,
  input  wire [5:0] any_a,
  input  wire [5:0] any_b,
  output wire       ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started;

  // The two pieces, by {side, slot}.
  reg  [5:0] f_a, f_b;

  // ---- steps ----
  wire       busy, alive;
  wire [5:0] square;
  reg        f_new;                 // the step after a restart
  reg        q_told, r_told;      // a piece was named
  reg  [5:0] q_who, r_who;
  reg        r_lived;               // a, before he moved
  reg        r_moved;             // the piece in r did
  wire       restart = new_game && !f_new && !busy;
  wire       castles = castle && q_who[4:0] == 5'd24;
  wire       long = !to[2];
  wire [5:0] home = {6{q_who[5]}} & 6'd56;
  wire [5:0] goal = castles ? {home[5:3], long ? 3'd2 : 3'd6} : to;
  wire [5:0] jump = {home[5:3], long ? 3'd3 : 3'd5};
  wire       promotes = anew && q_who[4:3] == 2'd0;
  wire [5:0] name = promotes ? {q_who[5], new_slot} : q_who;
  wire       passes = pass && !promotes && !castles;
  wire       move = go && q_told && !restart;
  // Not of the side that moves.
  wire       told = look && !restart && !f_new && !busy && !(move && read_side == q_who[5]);

  ply11_pieces #(.GAMES(2)) u_dut (
    .clk(clk), .rst(rst), .en(en), .restart(restart), .busy(busy),
    .read_side(read_side), .read_slot(read_slot),
    .square(square), .move_valid(move), .move_castle(castles), .move_slot(name[4:0]), .move_to(goal),
    .move_anew(promotes), .pass_valid(passes), .pass_square(pass_square), .pass_file(pass_file),
    .alive(alive),
    .load_clear(1'b0), .load_valid(1'b0), .load_square(6'd0), .load_piece(4'd0)
  );

  // Where he starts: {alive, square}.
  function [6:0] start(input [5:0] who);
    case (who[4:0])
      5'd8:    start = {1'b1, {3{who[5]}}, 3'd1};
      5'd9:    start = {1'b1, {3{who[5]}}, 3'd6};
      5'd12:   start = {1'b1, {3{who[5]}}, 3'd2};
      5'd13:   start = {1'b1, {3{who[5]}}, 3'd5};
      5'd16:   start = {1'b1, {3{who[5]}}, 3'd0};
      5'd17:   start = {1'b1, {3{who[5]}}, 3'd7};
      5'd20:   start = {1'b1, {3{who[5]}}, 3'd3};
      5'd24:   start = {1'b1, {3{who[5]}}, 3'd4};
      default: start = {who[4:3] == 2'd0, who[5], who[5], !who[5], who[2:0]};
    endcase
  endfunction

  // ---- the list: {has moved, alive, square} of each ----
  reg  [7:0] a_q, b_q;
  // He is beside who takes en passant; castles with the king; and what a move makes of him.
  function beside(input [7:0] m);
    beside = passes && square == pass_square && m[5:0] == {square[5:3], pass_file};
  endfunction
  function jumps(input [5:0] who, input [7:0] m);
    jumps = castles && who == {q_who[5], long ? 5'd16 : 5'd17} && !m[7] && m[6];
  endfunction
  function [7:0] after(input [5:0] who, input [7:0] m);
    if (who == name) after = {2'b11, goal};
    else if (who == q_who || m[5:0] == goal || beside(m)) after = {m[7], 1'b0, m[5:0]};
    else if (jumps(who, m)) after = {2'b11, jump};
    else after = m;
  endfunction
  // What the board would refuse, as far as it concerns a piece.
  function refused(input [5:0] who, input [7:0] m);
    refused = m[6] && who != q_who
              && ((m[5:0] == goal && (who[5] == q_who[5] || who[4:0] == 5'd24 || castles))
                  || (m[5:0] == jump && castles) || (beside(m) && (who[4:0] == 5'd24 || m[5:0] == goal))
                  || who == name);
  endfunction
  // The king and the rook of the corner must not have moved, and the rook must be alive.
  reg  [1:0] f_king;                // kings that moved
  wire       unfit = (castles && f_king[q_who[5]])
                     || (castles && f_a == {q_who[5], long ? 5'd16 : 5'd17} && (a_q[7] || !a_q[6]))
                     || (castles && f_b == {q_who[5], long ? 5'd16 : 5'd17} && (b_q[7] || !b_q[6]))
                     || (promotes && (new_slot < 5'd8 || new_slot > 5'd23))
                     || ((promotes || (passes && square == pass_square)) && goal[3] == square[3])
                     || (passes && square == pass_square && {square[5:3], pass_file} == square)
                     || goal == square
                     || (q_who == f_a && !a_q[6]) || (q_who == f_b && !b_q[6]);

  reg        f_void;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (en) begin
      f_new <= restart;
      q_told <= told;
      q_who <= {read_side, read_slot};
      r_told <= q_told && !restart;
      r_who <= q_who;
      r_lived <= a_q[6];
      r_moved <= move;
      if (move) begin
        a_q <= after(f_a, a_q);
        b_q <= after(f_b, b_q);
        if (q_who[4:0] == 5'd24) f_king[q_who[5]] <= 1'b1;
        if (unfit || refused(f_a, a_q) || refused(f_b, b_q)) f_void <= 1'b1;
      end
      if (r_told && r_moved && !alive) f_void <= 1'b1;
    end
    if (rst || (en && f_new)) begin
      a_q <= {1'b0, start(f_a)};
      b_q <= {1'b0, start(f_b)};
      f_king <= 2'b00;
      f_void <= 1'b0;
    end
    if (rst) begin
      f_a <= any_a;
      f_b <= any_b;
      a_q <= {1'b0, start(any_a)};
      b_q <= {1'b0, start(any_b)};
      f_new <= 1'b0;
      q_told <= 1'b0;
      r_told <= 1'b0;
    end
  end

  assign ok = rst || f_void
    || ((!q_told || q_who != f_a || !a_q[6] || square == a_q[5:0])
        && (!r_told || r_who != f_a || alive == r_lived)
        && !(a_q[6] && b_q[6] && f_a != f_b && a_q[5:0] == b_q[5:0]));

endmodule

`resetall
