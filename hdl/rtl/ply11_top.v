// SPDX-License-Identifier: Apache-2.0
// ply11_top - the player behind a serial line: the top of a board. hdl/syn/boards.tsv has the boards.
// Files: those of ply11_top.f.
// The first byte after configuration, or after a break on the line, chooses the mode: "w" eleven-bit words, "b" Brenner's bytes
// (main layout), "j" jose's GameText (as the document has it). Other bytes are ignored. Then come the games. Variations
// are stepped over. With PERFT 1, "p" chooses perft: then come orders, and counts go out (see ply11_perft_bytes). An order
// may come before the answer to the one before it: it waits in the buffer. A break ends a walk.
// The input has a buffer of 512 bytes. cts_n is 0 while no more than LIMIT bytes wait in it. A byte that finds it full is lost,
// and lights LED 3.
// Every beat of ply11_player goes out as four bytes:
//   0  {kind 2, 0, v, code 4}. kind: 0 ply, code is the captured piece; 2 end, code is the result; 3 error, code is its code.
//      v is 1 inside a variation.
//   1  index[7:0]    2  {piece 4, 0, index[10:8]}    3  offset[7:0]
// LEDs: 0 a mode is chosen, 1 inside a game, 2 an error was reported, 3 a byte was lost or malformed, 4..7 plies
// played, modulo 16. A break clears all of them. A board with fewer has the first ones.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_top #(
  // Modes of the player: bit 0 "w", bit 1 "b", bit 2 "j".
  parameter MODES = 7,
  // 1: perft. An HX8K has room for it beside words (MODES 1).
  parameter PERFT = 0,
  // Clocks of a bit: the clock's frequency over the baud rate, as 12 MHz / 115,200.
  parameter CLOCKS = 104,
  // Bytes in the buffer above which cts_n asks the sender to stop, 0..511.
  parameter LIMIT = 495,
  // LEDs of the board, 1..8.
  parameter LEDS = 8,
  // 1: an LED is on while its pin is 0.
  parameter LOW = 0
) (
  input  wire            clk,    // the board's clock
  input  wire            rx,     // serial line in, idle 1
  output wire            tx,     // serial line out, idle 1
  output wire            cts_n,  // 0: the sender may send
  output wire [LEDS-1:0] led     // see above
);

  generate
    if (MODES < 1 || MODES > 7) begin : g_check_modes
      ply11_top_modes_is_1_to_7 u_check ();
    end
    if (PERFT < 0 || PERFT > 1) begin : g_check_perft
      ply11_top_perft_is_0_or_1 u_check ();
    end
    if (LIMIT < 0 || LIMIT > 511) begin : g_check_limit
      ply11_top_limit_is_0_to_511 u_check ();
    end
    if (LEDS < 1 || LEDS > 8) begin : g_check_leds
      ply11_top_leds_is_1_to_8 u_check ();
    end
    if (LOW < 0 || LOW > 1) begin : g_check_low
      ply11_top_low_is_0_or_1 u_check ();
    end
  endgenerate

  // The registers come up as 0: reset for the first 15 clocks.
  reg [3:0] up_q = 4'd0;
  wire      boot = up_q != 4'd15;
  always @(posedge clk) if (boot) up_q <= up_q + 4'd1;

  wire       in_valid, broken, out_ready;
  wire [7:0] in_data;
  reg        out_valid_q;
  wire [7:0] out_data;
  // Of perft.
  wire       counts, take_order, count_valid;
  wire [7:0] count_data;
  ply11_uart #(.CLOCKS(CLOCKS)) u_uart (
    .clk(clk), .rst(boot), .rx(rx), .tx(tx),
    .m_valid(in_valid), .m_data(in_data), .broken(broken),
    .s_valid(counts ? count_valid : out_valid_q), .s_ready(out_ready), .s_data(counts ? count_data : out_data)
  );

  // A break resets all but the line.
  reg rst_q;
  always @(posedge clk) rst_q <= boot || (broken && in_data == 8'd0);

  // ---- the mode, then the buffer ----
  reg        chosen_q, lost_q;
  reg  [1:0] mode_q;
  reg  [7:0] buffer [0:511];
  reg  [9:0] put_q, get_q;
  wire [9:0] used = put_q - get_q;
  wire       put = in_valid && chosen_q && !used[9];
  reg        head_valid_q;
  reg  [7:0] head_q;
  wire       player_ready;
  wire       head_ready = counts ? take_order : player_ready;
  wire       get = used != 10'd0 && (!head_valid_q || head_ready);
  reg        cts_q;
  assign cts_n = cts_q;

  always @(posedge clk) begin
    if (put) buffer[put_q[8:0]] <= in_data;
    if (get) head_q <= buffer[get_q[8:0]];
  end

  always @(posedge clk) begin
    if (put) put_q <= put_q + 10'd1;
    if (get) get_q <= get_q + 10'd1;
    if (get) head_valid_q <= 1'b1;
    else if (head_ready) head_valid_q <= 1'b0;
    if (in_valid && !chosen_q && ((in_data == "w" && (MODES & 1) != 0) || (in_data == "b" && (MODES & 2) != 0)
                                  || (in_data == "j" && (MODES & 4) != 0) || (in_data == "p" && PERFT != 0))) begin
      chosen_q <= 1'b1;
      mode_q <= {in_data == "j", in_data == "b"};
    end
    if ((in_valid && chosen_q && used[9]) || broken) lost_q <= 1'b1;
    cts_q <= used > LIMIT[9:0];
    if (rst_q) begin
      put_q <= 10'd0;
      get_q <= 10'd0;
      head_valid_q <= 1'b0;
      chosen_q <= 1'b0;
      mode_q <= 2'd0;
      lost_q <= 1'b0;
      cts_q <= 1'b0;
    end
  end

  // ---- the player; it is held in reset until the mode is known ----
  wire         beat_valid, in_game;
  wire         beat_ready;
  wire [1:0]   kind, result;
  wire [10:0]  index;
  wire [3:0]   piece, captured, error;
  wire [4:0]   depth;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [3:0]   reason;                    // LEGAL is 0, and MATE
  wire         check, mate, stalemate;
  wire [31:0]  offset;
  wire [5:0]   from, to;
  wire [2:0]   promotion, text_kind;
  wire         load_ready;
  wire [255:0] board;
  wire         side, text_valid, text_last;
  wire [3:0]   rights, ep;
  wire [15:0]  ply;
  wire [7:0]   text_data;
  /* verilator lint_on UNUSEDSIGNAL */

  reg hold_q;
  always @(posedge clk) hold_q <= rst_q || !chosen_q || counts;

  ply11_player #(.MODES(MODES), .WIDTH(8), .LAYOUT(0), .DIALECT(0), .DEPTH(0)) u_player (
    .clk(clk), .rst(hold_q), .mode(mode_q), .numbering(1'b0),
    .s_valid(head_valid_q && !hold_q), .s_ready(player_ready), .s_data(head_q),
    .load_valid(1'b0), .load_ready(load_ready), .load_addr(4'd0), .load_data(32'd0),
    .m_valid(beat_valid), .m_ready(beat_ready), .m_kind(kind), .m_index(index), .m_from(from),
    .m_to(to), .m_promotion(promotion), .m_piece(piece), .m_captured(captured), .m_result(result),
    .m_error(error), .m_reason(reason), .m_offset(offset), .m_depth(depth),
    .m_check(check), .m_mate(mate), .m_stalemate(stalemate),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind), .in_game(in_game)
  );

  // ---- a beat, byte by byte ----
  reg  [31:0] beat_q;
  reg  [1:0]  left_q;
  assign beat_ready = !out_valid_q;
  assign out_data = beat_q[7:0];
  reg         error_q;
  reg  [3:0]  plies_q;

  always @(posedge clk) begin
    if (beat_ready && beat_valid) begin
      beat_q <= {offset[7:0], piece, 1'b0, index[10:8], index[7:0],
                 kind, 1'b0, depth != 5'd0, kind == 2'd0 ? captured : kind == 2'd2 ? {2'd0, result} : error};
      left_q <= 2'd3;
      out_valid_q <= 1'b1;
      if (kind == 2'd3) error_q <= 1'b1;
      if (kind == 2'd0) plies_q <= plies_q + 4'd1;
    end
    if (out_valid_q && out_ready) begin
      beat_q <= {8'd0, beat_q[31:8]};
      left_q <= left_q - 2'd1;
      if (left_q == 2'd0) out_valid_q <= 1'b0;
    end
    if (rst_q) begin
      out_valid_q <= 1'b0;
      error_q <= 1'b0;
      plies_q <= 4'd0;
    end
  end

  // ---- perft ----
  generate
    if (PERFT != 0) begin : g_perft
      reg counts_q, perft_rst_q;
      always @(posedge clk) begin
        if (in_valid && !chosen_q && in_data == "p") counts_q <= 1'b1;
        if (rst_q) counts_q <= 1'b0;
        perft_rst_q <= rst_q || !counts_q;
      end
      assign counts = counts_q;
      wire ready;
      assign take_order = ready && !perft_rst_q;
      ply11_perft_bytes u_perft (
        .clk(clk), .rst(perft_rst_q), .s_valid(head_valid_q && !perft_rst_q), .s_ready(ready), .s_data(head_q),
        .m_valid(count_valid), .m_ready(out_ready && counts), .m_data(count_data)
      );
    end else begin : g_no_perft
      assign {counts, take_order, count_valid, count_data} = 11'd0;
    end
  endgenerate

  /* verilator lint_off UNUSEDSIGNAL */
  wire [7:0] shown = {plies_q, lost_q, error_q, in_game, chosen_q};   // a board may have fewer LEDs
  /* verilator lint_on UNUSEDSIGNAL */
  assign led = LOW != 0 ? ~shown[LEDS-1:0] : shown[LEDS-1:0];

endmodule

`resetall
