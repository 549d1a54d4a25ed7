// SPDX-License-Identifier: Apache-2.0
// Searches a file of eleven-bit words (+file=NAME) for a pattern (+pattern=Nf5_kg8): the words go into an AXI stream, hits come out.
`timescale 1ns / 1ps

module match;

  reg clk = 1'b0;
  always #5 clk = !clk;
  reg rst = 1'b1;

  // The words, four bytes a beat, as a DMA sends them.
  reg         s_valid = 1'b0, s_last = 1'b0;
  reg  [31:0] s_data;
  reg  [3:0]  s_keep;
  wire        s_ready;

  // Records of all beats; the fields are those of docs/hardware.md, "AXI".
  wire         valid, ready, last;
  wire [127:0] record;
  wire [255:0] board;
  ply11_player_axis #(.MODES(1), .WIDTH(32)) u_player (
    .aclk(clk), .aresetn(!rst), .reset(1'b0), .restart(1'b0), .mode(2'd0), .numbering(1'b0),
    .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep), .s_axis_tlast(s_last),
    .load_valid(1'b0), .load_ready(), .load_addr(4'd0), .load_data(32'd0),
    .m_axis_tvalid(valid), .m_axis_tready(ready), .m_axis_tdata(record), .m_axis_tlast(last),
    .m_axis_text_tvalid(), .m_axis_text_tready(1'b1), .m_axis_text_tdata(), .m_axis_text_tlast(), .m_axis_text_tuser(),
    .board(board), .side(), .rights(), .ep(), .ply(), .in_game()
  );

  // Those that match, and the END of their games: a packet a game.
  reg          set_valid = 1'b0;
  reg  [4:0]   set_addr;
  reg  [31:0]  set_data;
  wire         found, found_last, hit;
  wire [1:0]   kind;
  wire [31:0]  game, hits;
  wire [15:0]  ply;
  wire [127:0] found_record;
  ply11_match #(.USER_WIDTH(128)) u_match (
    .clk(clk), .rst(rst), .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .clear(1'b0),
    .s_valid(valid), .s_ready(ready), .s_kind(record[1:0]), .s_last(last), .s_main(record[116:112] == 5'd0),
    .board(board), .side(record[7]), .ply(record[111:96]), .s_user(record),
    .m_valid(found), .m_ready(1'b1), .m_kind(kind), .m_last(found_last), .m_game(game), .m_ply(ply), .m_user(found_record),
    .hit(hit), .hits(hits)
  );

  function [15:0] square(input [5:0] s);
    square = {8'd97 + {5'd0, s[2:0]}, 8'd49 + {5'd0, s[5:3]}};
  endfunction

  integer plies = 0, games = 0, quiet = 0;
  always @(posedge clk) if (!rst) begin
    if (valid && ready && record[1:0] == 2'd0) plies = plies + 1;
    quiet = valid ? 0 : quiet + 1;
    if (found) case (kind)
      2'd0: $display("game %0d, ply %0d: %s%s", game, ply, square(found_record[37:32]), square(found_record[45:40]));
      2'd3: $display("game %0d: error %0d", game, found_record[11:8]);
      default: games = games + 1;
    endcase
  end

  // The eight bits of a square: a piece, '.' nothing, '!' any piece, 'A' any white piece, 'a' any black one.
  function [7:0] set(input [7:0] c);
    reg [3:0] piece;
    begin
      case (c | 8'h20)
        "k": piece = 4'd1;
        "q": piece = 4'd2;
        "n": piece = 4'd3;
        "b": piece = 4'd4;
        "r": piece = 4'd5;
        "p": piece = 4'd6;
        default: piece = 4'd0;  // no piece
      endcase
      piece[3] = c[5];
      case (c)
        ".": set = 8'd213;
        "!": set = 8'd194;
        "A": set = 8'd66;
        "a": set = 8'd130;
        default: set = piece[2:0] == 3'd0 ? 8'd255 : {piece[3], !piece[3], piece[2], !piece[2], piece[1], !piece[1], piece[0], !piece[0]};
      endcase
    end
  endfunction

  reg  [8*256-1:0] name;
  reg  [8*257-1:0] pattern;
  reg  [511:0]     squares;
  integer          file, next, i, clocks;

  task write(input [4:0] addr, input [31:0] data);
    begin
      set_valid <= 1'b1;
      set_addr <= addr;
      set_data <= data;
      @(posedge clk);
      set_valid <= 1'b0;
    end
  endtask

  initial begin
    if (!$value$plusargs("file=%s", name)) name = "famous.words";
    if (!$value$plusargs("pattern=%s", pattern)) pattern = "Ke1";
    file = $fopen(name, "rb");
    if (file == 0) begin
      $display("%0s cannot be read", name);
      $finish_and_return(1);
    end
    // A piece, a file and a rank, and '_' between two of them.
    squares = {512{1'b1}};
    i = 256;
    while (i >= 0 && pattern[8*i +: 8] == 8'd0) i = i - 1;
    while (i >= 0) begin
      if (i == 256 || i < 2 || set(pattern[8*i +: 8]) == 8'd255 || pattern[8*i-8 +: 8] < "a" || pattern[8*i-8 +: 8] > "h" ||
          pattern[8*i-16 +: 8] < "1" || pattern[8*i-16 +: 8] > "8" || (i > 2 && pattern[8*i-24 +: 8] != "_") || i == 3) begin
        $display("PATTERN is pieces with their squares, as Pe4_.d5, of at most 256 letters");
        $finish_and_return(1);
      end
      squares[8*(8*(pattern[8*i-16 +: 8] - "1") + (pattern[8*i-8 +: 8] - "a")) +: 8] = set(pattern[8*i +: 8]);
      i = i - 4;
    end
    repeat (4) @(posedge clk);
    rst <= 1'b0;
    for (i = 0; i < 16; i = i + 1) write(i, squares[32*i +: 32]);
    write(5'd16, {16'd65535 - 16'd65535, 16'd0 - 16'd1});  // plies 1 to 65,535
    write(5'd17, 32'd7);                                   // ON, either side
    @(negedge clk);
    next = $fgetc(file);
    clocks = $time / 10;
    while (next >= 0) begin
      s_keep = 4'd0;
      for (i = 0; i < 4; i = i + 1) begin
        s_data[8*i +: 8] = next;
        s_keep[i] = next >= 0;
        if (next >= 0) next = $fgetc(file);
      end
      s_last = next < 0;
      s_valid = 1'b1;
      while (!s_ready) @(negedge clk);
      @(negedge clk);
    end
    s_valid = 1'b0;
    while (quiet < 100) @(posedge clk);
    clocks = $time / 10 - clocks - 100;
    $display("%0d hits in %0d games; %0d plies in %0d clocks", hits, games, plies, clocks);
    $finish;
  end

endmodule
