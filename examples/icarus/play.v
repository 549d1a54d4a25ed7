// SPDX-License-Identifier: Apache-2.0
// Plays a file of eleven-bit words (+file=NAME) on ply11_player and writes each ply, and the last position.
`timescale 1ns / 1ps

module play;

  reg clk = 1'b0;
  always #5 clk = !clk;
  reg rst = 1'b1;

  // The file, a byte a clock.
  reg [8*256-1:0] name;
  integer         file, next;
  reg             s_valid = 1'b0;
  reg  [7:0]      s_data;
  wire            s_ready;

  wire            m_valid;
  wire [1:0]      m_kind, m_result;
  wire [5:0]      m_from, m_to;
  wire [2:0]      m_promotion;
  wire [3:0]      m_piece, m_captured, m_error;
  wire [31:0]     m_offset;
  wire [255:0]    board;
  wire            side, in_game;
  wire [15:0]     ply;

  ply11_player #(.MODES(1), .WIDTH(8)) u_player (
    .clk(clk), .rst(rst), .mode(2'd0), .numbering(1'b0),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(1'b0), .load_ready(), .load_addr(4'd0), .load_data(32'd0),
    .m_valid(m_valid), .m_ready(1'b1), .m_kind(m_kind), .m_index(), .m_from(m_from), .m_to(m_to),
    .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured), .m_result(m_result),
    .m_error(m_error), .m_offset(m_offset), .m_depth(),
    .board(board), .side(side), .rights(), .ep(), .ply(ply),
    .text_valid(), .text_data(), .text_last(), .text_kind(), .in_game(in_game)
  );

  // Pieces 1 to 6 are king, queen, knight, bishop, rook, pawn; 8 more is Black.
  function [7:0] letter(input [3:0] piece);
    reg [8*16-1:0] letters;
    begin
      letters = "?prbnqk_?PRBNQK.";
      letter = letters[8*piece +: 8];
    end
  endfunction

  function [15:0] square(input [5:0] s);
    square = {8'd97 + {5'd0, s[2:0]}, 8'd49 + {5'd0, s[5:3]}};
  endfunction

  integer f, r, quiet;

  always @(posedge clk) if (m_valid && !rst) begin
    case (m_kind)
      2'd0: begin
        if (side) $write("%0d. ", (ply + 1) / 2);
        $write("%s%s", letter({1'b0, m_piece[2:0]}), square(m_from));
        $write("%s%s", m_captured != 4'd0 ? "x" : "-", square(m_to));
        case (m_promotion)
          3'd4: $write("=N");
          3'd5: $write("=B");
          3'd6: $write("=R");
          3'd7: $write("=Q");
        endcase
        if (side) $write(" ");
        else $write("\n");
      end
      2'd2: begin
        if (side) $write("\n");
        case (m_result)
          2'd0: $display("0-1 after %0d plies", ply);
          2'd1: $display("1/2-1/2 after %0d plies", ply);
          2'd2: $display("1-0 after %0d plies", ply);
          default: $display("* after %0d plies", ply);
        endcase
        for (r = 7; r >= 0; r = r - 1) begin
          $write("%0d ", r + 1);
          for (f = 0; f < 8; f = f + 1) $write(" %s", letter(board[4*(8*r+f) +: 4]));
          $write("\n");
        end
        $display("   a b c d e f g h");
      end
      default: $display("error %0d at byte %0d", m_error, m_offset);
    endcase
  end

  initial begin
    if (!$value$plusargs("file=%s", name)) begin
      $display("usage: play.vvp +file=NAME");
      $finish;
    end
    file = $fopen(name, "rb");
    repeat (2) @(posedge clk);
    rst <= 1'b0;
    next = $fgetc(file);
    while (next != -1) begin
      s_valid <= 1'b1;
      s_data <= next[7:0];
      @(posedge clk);
      // s_ready in this clock says whether the byte was taken.
      if (s_ready && s_valid) next = $fgetc(file);
    end
    s_valid <= 1'b0;
    repeat (64) @(posedge clk);
    if (in_game) $display("the file ends inside a game");
    $finish;
  end

endmodule
