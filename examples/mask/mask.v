// SPDX-License-Identifier: Apache-2.0
// Writes the policy mask of a position (+fen=...): which of the 1,968 moves are legal, a word a distance and axis.
`timescale 1ns / 1ps

module mask;

  reg clk = 1'b0;
  always #5 clk = !clk;
  reg rst = 1'b1;

  // The position: what the outputs of ply11_board are, too.
  reg  [255:0] board = 256'd0;
  reg          side = 1'b0;
  reg  [3:0]   rights = 4'd0, ep = 4'd0;
  reg          start = 1'b0;              // 1 until it is taken
  wire         taken;

  // The mask, 64 bits a beat.
  wire         word_valid, word_last;
  wire [63:0]  word;
  wire [4:0]   number;
  wire [8:0]   count;
  wire         check, mate, stalemate;

  // A policy mask for a network.
  wire         valid, ready, last;
  wire [10:0]  index;
  wire [11:0]  told;
  ply11_moves u_moves (.clk(clk), .rst(rst), .s_valid(start), .s_ready(taken),
    .board(board), .side(side), .rights(rights), .ep(ep), .m_valid(valid), .m_ready(ready), .m_index(index),
    .m_last(last), .m_count(told[11:3]), .m_check(told[2]), .m_mate(told[1]), .m_stalemate(told[0]));
  ply11_mask u_mask (.clk(clk), .rst(rst), .s_valid(valid), .s_ready(ready), .s_index(index),
    .s_last(last), .s_count(told[11:3]), .s_check(told[2]), .s_mate(told[1]), .s_stalemate(told[0]),
    .m_valid(word_valid), .m_ready(1'b1), .m_data(word), .m_word(number), .m_last(word_last),
    .m_count(count), .m_check(check), .m_mate(mate), .m_stalemate(stalemate));

  reg [8*128-1:0] fen;
  reg [7:0]       c;
  integer         at, square, field, clocks;

  // Pieces 1 to 6 are king, queen, knight, bishop, rook, pawn; 8 more is Black.
  function [3:0] piece(input [7:0] letter);
    case (letter | 8'h20)
      "k": piece = {letter[5], 3'd1};
      "q": piece = {letter[5], 3'd2};
      "n": piece = {letter[5], 3'd3};
      "b": piece = {letter[5], 3'd4};
      "r": piece = {letter[5], 3'd5};
      "p": piece = {letter[5], 3'd6};
      default: piece = 4'd0;
    endcase
  endfunction

  initial begin
    if (!$value$plusargs("fen=%s", fen)) fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-";
    // The fields of a FEN, with _ in place of the spaces; this example asks for a correct one.
    square = 56;
    field = 0;
    for (at = 127; at >= 0; at = at - 1) begin
      c = fen[8*at +: 8];
      if (c == "_") field = field + 1;
      else if (c != 8'd0) case (field)
        0: if (c == "/") square = square - 16;
           else if (c >= "1" && c <= "8") square = square + c - "0";
           else begin
             board[4*square +: 4] = piece(c);
             square = square + 1;
           end
        1: side = c == "b";
        2: rights = rights | {c == "q", c == "k", c == "Q", c == "K"};
        3: if (c >= "a" && c <= "h") ep = c - "a" + 1;
        default: ;
      endcase
    end
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    // Until the mask's memory is empty.
    repeat (40) @(posedge clk);
    start <= 1'b1;
    @(posedge clk);
    while (!taken) @(posedge clk);
    start <= 1'b0;
  end

  initial clocks = 0;
  always @(posedge clk) begin
    if (start || clocks != 0) clocks <= clocks + 1;
    if (word_valid) begin
      if (number[1:0] == 2'd0) $write("%0d", number / 4 + 1);
      $write(" %h", word);
      if (number[1:0] == 2'd3 || word_last) $write("\n");
      if (word_last) begin
        $display("%0d legal moves%0s; %0d clocks", count, mate ? ", mate" : stalemate ? ", stalemate" : check ? ", check" : "", clocks);
        $finish;
      end
    end
  end

endmodule
