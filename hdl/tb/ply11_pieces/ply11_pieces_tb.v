// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_pieces, against a plain list of who stands where: games of random moves, captures,
// captures en passant, promotions and castlings, from the usual and from loaded positions, with steps that
// wait.  In every step a piece is named, alive or not, and what is told of him is compared.  Any move is
// made that leaves no two pieces of a side on a square; no rule of chess is asked for.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_pieces_tb;

  parameter GAMES = 9;

  localparam NAME = "ply11_pieces_tb";
  localparam WATCHDOG = 1000000;
  `include "ply11_bench.vh"

  reg        rst = 1'b1, en = 1'b0, restart = 1'b0, read_side = 1'b0, move_valid = 1'b0;
  reg        move_castle = 1'b0, move_anew = 1'b0, pass_valid = 1'b0, load_clear = 1'b0, load_valid = 1'b0;
  reg  [4:0] read_slot = 5'd0, move_slot = 5'd0;
  reg  [5:0] move_to = 6'd0, pass_square = 6'd0, load_square = 6'd0;
  reg  [2:0] pass_file = 3'd0;
  reg  [3:0] load_piece = 4'd0;
  wire       busy, alive, load_full;
  wire [5:0] square;

  ply11_pieces #(.GAMES(GAMES)) u_dut (
    .clk(clk), .rst(rst), .en(en), .restart(restart), .busy(busy),
    .read_side(read_side), .read_slot(read_slot),
    .square(square), .move_valid(move_valid), .move_castle(move_castle), .move_slot(move_slot),
    .move_to(move_to), .move_anew(move_anew), .pass_valid(pass_valid), .pass_square(pass_square),
    .pass_file(pass_file),
    .alive(alive),
    .load_clear(load_clear), .load_valid(load_valid), .load_square(load_square), .load_piece(load_piece),
    .load_full(load_full)
  );

  // ---- what must be: by 32*side + slot ----
  reg        lives [0:63];
  reg        fresh [0:63];          // has not moved in this game
  reg  [5:0] at [0:63];
  integer    given [0:15];
  integer    numbered;              // restarts since all was cleared

  task set(input integer who, input integer where);
    begin
      lives[who] = 1'b1;
      fresh[who] = 1'b1;
      at[who] = where;
    end
  endtask

  task nobody;
    integer i;
    for (i = 0; i < 64; i = i + 1) {lives[i], fresh[i], at[i]} = 8'd0;
  endtask

  task begin_anew;
    integer i;
    begin
      nobody;
      for (i = 0; i < 2; i = i + 1) begin
        for (k = 0; k < 8; k = k + 1) set(32 * i + k, 8 + 40 * i + k);
        set(32 * i + 8, 56 * i + 1);
        set(32 * i + 9, 56 * i + 6);
        set(32 * i + 12, 56 * i + 2);
        set(32 * i + 13, 56 * i + 5);
        set(32 * i + 16, 56 * i);
        set(32 * i + 17, 56 * i + 7);
        set(32 * i + 20, 56 * i + 3);
        set(32 * i + 24, 56 * i + 4);
      end
    end
  endtask

  // Who lives on a square: 32*side + slot, or -1.
  integer found;
  task find(input integer where);
    integer i;
    begin
      found = -1;
      for (i = 0; i < 64; i = i + 1) if (lives[i] && at[i] == where) found = i;
    end
  endtask

  integer    steps, moves, captures, passes, promotions, castlings, dead, loads, overflows, clears;
  integer    k, game;
  reg [31:0] rnd, more;

  task differs(input [8*24-1:0] what, input integer wanted, input integer got);
    begin
      fail(what);
      if (errors <= 10) $display("  in step %0d: it is %0d, expected %0d", steps, got, wanted);
    end
  endtask

  // ---- steps: who is in q and in r ----
  reg        q_told, r_told, r_lived;
  integer    q_who;

  // A move of the piece in q, if one can be found.
  integer    to, rook, beside;
  reg        crowd;
  task choose;
    integer slot, side, home;
    begin
      slot = q_who % 32;
      side = q_who / 32;
      move_castle = 1'b0;
      move_anew = 1'b0;
      pass_valid = 1'b0;
      pass_square = more[5:0];
      pass_file = more[8:6];
      move_slot = slot;
      // Some games are about the home ranks, and who castles waits for it.
      to = !crowd || rnd[30] ? rnd[5:0] : {{3{rnd[5]}}, rnd[2:0]};
      rook = -1;
      beside = -1;
      move_valid = q_told && lives[q_who] && rnd[7:6] != 2'd0;
      if (crowd && fresh[q_who] && (slot == 24 || slot == 16 || slot == 17) && more[31:29] != 3'd0) move_valid = 1'b0;
      if (slot < 8 && rnd[8]) begin
        // A pawn: one rank, here or there.
        to = 8 * (at[q_who] / 8) + rnd[2:0] + ((rnd[9] && at[q_who] < 56) || at[q_who] < 8 ? 8 : -8);
        if (rnd[11:10] == 2'd0) begin
          k = 8 + more[12:9];
          if (!lives[32*side+k]) begin
            move_anew = 1'b1;
            move_slot = k;
          end
        end else begin
          pass_valid = 1'b1;
          if (rnd[12]) pass_square = at[q_who];
          pass_file = to % 8;
        end
      end
      home = 56 * side;
      if (slot == 24 && fresh[q_who] && at[q_who] == home + 4 && rnd[14:13] != 2'd0) begin
        k = rnd[15] ? home : home + 7;
        find(k);
        if (found >= 0 && found / 32 == side && fresh[found] && found % 32 >= 16 && found % 32 < 20) begin
          rook = found;
          to = rnd[15] ? home + 2 : home + 6;
          find(to);
          move_valid = q_told && lives[q_who] && found < 0;
          find(rnd[15] ? home + 3 : home + 5);
          if (found >= 0) move_valid = 1'b0;
          move_castle = 1'b1;
        end
      end
      move_to = to;
      if (pass_valid && pass_square == at[q_who]) begin
        find(8 * (at[q_who] / 8) + pass_file);
        beside = found;
        // He who moves is not beside himself, and a king does not fall.
        if (beside == q_who || beside % 32 == 24) move_valid = 1'b0;
      end
      find(to);
      if (found >= 0 && (found / 32 == side || found % 32 == 24)) move_valid = 1'b0;
      if (found == beside && found >= 0) move_valid = 1'b0;
    end
  endtask

  // What the move changes.
  task apply;
    integer side;
    begin
      side = q_who / 32;
      find(move_to);
      if (found >= 0) begin
        lives[found] = 1'b0;
        captures = captures + 1;
      end
      if (beside >= 0) begin
        lives[beside] = 1'b0;
        passes = passes + 1;
      end
      lives[q_who] = 1'b0;
      fresh[q_who] = 1'b0;
      lives[32*side+move_slot] = 1'b1;
      fresh[32*side+move_slot] = 1'b0;
      at[32*side+move_slot] = move_to;
      if (move_anew) promotions = promotions + 1;
      if (rook >= 0) begin
        fresh[rook] = 1'b0;
        at[rook] = to % 8 == 2 ? to + 1 : to - 1;
        castlings = castlings + 1;
      end
      moves = moves + 1;
    end
  endtask

  // A step.  told: the piece who is named is one to compare; quiet: nobody moves.
  task step(input told, input quiet);
    integer p_who;
    begin
      rnd = $random;
      more = $random;
      choose;
      if (quiet) move_valid = 1'b0;
      // Not of the side that moves in this step.
      read_side = move_valid ? q_who < 32 : more[13];
      read_slot = more[18:14];
      for (k = 0; k < 25 && more[20:19] != 2'd0 && !lives[32*read_side+read_slot]; k = k + 1)
        read_slot = read_slot + 5'd1;
      if (more[23:21] == 3'd0) read_slot = 5'd24;
      p_who = 32 * read_side + read_slot;
      #1;
      for (k = more[25:24]; k >= 0; k = k - 1) begin
        // With en 0 what stands at the inputs of a step does not count.
        en = k == 0;
        restart = k != 0 && rnd[31];
        #1;
        if (q_told && lives[q_who] && square !== at[q_who]) differs("square", at[q_who], square);
        if (r_told && alive !== r_lived) differs("alive", r_lived, alive);
        if (k != 0) @(posedge clk);
        #1;
      end
    end
  endtask

  // The clock that ends it.
  task finish_step(input told);
    begin
      @(posedge clk);
      #1;
      en = 1'b0;
      restart = 1'b0;
      r_told = q_told;
      r_lived = lives[q_who];
      if (q_told && !lives[q_who]) dead = dead + 1;
      if (move_valid) apply;
      move_valid = 1'b0;
      q_told = told;
      q_who = {read_side, read_slot};
      steps = steps + 1;
    end
  endtask

  // busy for 64 clocks.
  task cleared;
    begin
      for (k = 0; k < 64; k = k + 1) begin
        if (busy !== 1'b1) differs("busy", 1, busy);
        en = $random;
        read_slot = $random;
        @(posedge clk);
        #1;
      end
      en = 1'b0;
      clears = clears + 1;
      if (busy !== 1'b0) differs("busy after 64 clocks", 0, busy);
    end
  endtask

  // A game, and the restart after it.
  task play(input integer length);
    begin
      q_told = 1'b0;
      r_told = 1'b0;
      for (n = 0; n < length; n = n + 1) begin
        step(1'b1, 1'b0);
        if (busy !== 1'b0) differs("busy in a game", 0, busy);
        finish_step(1'b1);
      end
      // The restart stands beside the last piece in q.
      step(1'b0, 1'b0);
      restart = 1'b1;
      #1;
      finish_step(1'b0);
      numbered = numbered + 1;
      if (busy !== (numbered == 2 ** GAMES - 1)) differs("busy after a game", numbered == 2 ** GAMES - 1, busy);
      if (r_told && alive !== r_lived) differs("alive at the end", r_lived, alive);
      r_told = 1'b0;
      // One step more, that the next game's pieces may be read.
      en = 1'b1;
      if (busy) begin
        cleared;
        numbered = 0;
        en = 1'b1;
      end
      @(posedge clk);
      #1;
      en = 1'b0;
      begin_anew;
    end
  endtask

  // A position, pieces at random, now and then more of a kind than there are numbers.
  task load;
    integer where, piece, favourite;
    reg     full;
    begin
      favourite = $random & 15;
      load_clear = 1'b1;
      @(posedge clk);
      #1;
      load_clear = 1'b0;
      cleared;
      nobody;
      for (k = 0; k < 16; k = k + 1) given[k] = 0;
      for (where = 0; where < 64; where = where + 1) begin
        rnd = $random;
        piece = rnd[5:4] != 2'd0 ? 0 : rnd[13] ? favourite : rnd[3:0];
        load_square = (7 - where / 8) * 8 + where % 8;
        // Kings and rooks at home, for castling.
        if (where == 4 || where == 60) piece = where == 4 ? 9 : 1;
        else if (piece % 8 == 1) piece = 0;
        if ((where == 0 || where == 7 || where == 56 || where == 63) && rnd[14]) piece = where < 8 ? 13 : 5;
        load_piece = piece;
        load_valid = 1'b1;
        #1;
        full = piece % 8 == 7 || (piece % 8 != 0 && given[piece] == (piece % 8 == 1 ? 1 : piece % 8 == 6 ? 8 : 4));
        if (load_full !== full) differs("load_full", full, load_full);
        @(posedge clk);
        #1;
        load_valid = 1'b0;
        if (piece % 8 != 0 && !full) begin
          case (piece % 8)
            1: k = 24;
            2: k = 20;
            3: k = 8;
            4: k = 12;
            5: k = 16;
            default: k = 0;
          endcase
          set(32 * (piece / 8) + k + given[piece], load_square);
          given[piece] = given[piece] + 1;
          loads = loads + 1;
        end
        if (full) overflows = overflows + 1;
        if (rnd[16:15] == 2'd0) begin
          @(posedge clk);
          #1;
        end
      end
    end
  endtask

  initial begin
    {steps, moves, captures, passes, promotions, castlings} = 0;
    {dead, loads, overflows, clears, q_who} = 0;
    q_told = 1'b0;
    r_told = 1'b0;
    @(posedge clk);
    for (game = 0; game < 300; game = game + 1) begin
      if (game % 50 == 0) begin
        // A reset, once in the middle of a game.
        rst = 1'b1;
        en = $random;
        move_valid = 1'b0;
        @(posedge clk);
        #1 rst = 1'b0;
        cleared;
        numbered = 0;
        begin_anew;
      end
      if (game % 4 == 3) load;
      crowd = game % 3 == 1;
      play(game % 5 == 4 ? 0 : 120);
    end
    // Short ones, until the number of a game has begun anew.
    crowd = 1'b0;
    for (game = 0; game < 1200; game = game + 1) begin
      if (game % 64 == 40) load;
      play($random & 7);
    end
    if (moves < 2000 || captures < 300 || passes < 50 || promotions < 50 || castlings < 10 || dead < 500 || loads < 200
        || overflows < 20 || clears < (GAMES < 4 ? 20 : 10)) begin
      fail("too few of a kind");
      $display("  %0d moves, %0d captures, %0d en passant, %0d promotions, %0d castlings, %0d dead, %0d loads, %0d overflows, %0d times cleared",
               moves, captures, passes, promotions, castlings, dead, loads, overflows, clears);
    end
    verdict;
    $display("PASS ply11_pieces_tb GAMES=%0d: %0d steps, %0d moves, %0d captures, %0d en passant, %0d promotions, %0d castlings, %0d named dead, %0d loads, %0d times cleared",
             GAMES, steps, moves, captures, passes, promotions, castlings, dead, loads, clears);
    $finish;
  end

endmodule

`resetall
