// SPDX-License-Identifier: Apache-2.0
// ply11_player_axis - ply11_player with AXI4-Stream: it takes packets of bytes, and gives plies, results, errors,
// texts and the position.
// Files: those of ply11_player_axis.f.
// Throughput: as ply11_player. A packet takes about 70 clocks more (2,050 with ChessBase's bytes), in which the last game
// leaves the player. Latency: that of ply11_player and one clock.
// Handshake: each tvalid and tready, and all that stands beside a tvalid, comes from registers alone. What is offered
// stays until it is taken. aresetn is synchronous and active low.
//
// A packet on s_axis is a file or a stream of games. tlast marks its end. A stream without an end needs none. Each packet
// begins with a game. Its mode and its numbering are those at the ports when its first beat is taken (see ply11_player). tkeep says
// which bytes of the last beat are there: the high ones may be missing, or all. With WIDTH 8, any beat may have no byte. Of
// a beat without a byte only tlast counts.
//
// A packet on m_axis is a game. m_axis_tdata has sixteen bytes, byte 0 in the low bits:
//    0  kind, 2 bits: 0 PLY, 2 END, 3 ERROR; bit 7: the side to move after it, 1 Black
//    1  error, low 4 bits; result, next 2 bits
//    2, 3  index, 11 bits; 0 where there is none
//    4  from    5  to    6  promotion    7  piece, low 4 bits; captured piece, high 4 bits
//    8..11  offset: the byte of the packet, from 0, in which the word or move begins
//    12, 13  ply: moves applied so far    14  depth, 5 bits
//    15  castling rights, low 4 bits; en passant file, high 4 bits
// The fields are as in ply11_player. tlast comes with END, and with ERROR 15. Only this module gives ERROR 15: the packet
// ended inside a game. The offset of that error is the number of the packet's bytes.
//
// m_axis_text has the texts, one packet each. A packet ends with the NUL that ended the text. tuser[31:0] is the number of
// the byte in the packet on s_axis: a text belongs behind the beats with smaller offsets. tuser[34:32] is text_kind of
// ply11_player. A text that is not taken stops the input.
//
// reset is for software. While it is 1 the player is in reset and nothing is taken. What was taken is dropped. When
// reset is 0 again, the rest of a packet on s_axis that had begun is dropped, too. The next packet plays. A record on m_axis and a
// byte on m_axis_text that are offered stay until they are taken. The player is reset only then, also if reset is 0 again.
// restart is for a sender that has given up a packet: the next beat on s_axis begins a packet, though no tlast has come.
// aresetn does the same. With reset, what is offered on m_axis and m_axis_text ends no packet that was under way there: it has no tlast. aresetn
// withdraws what is offered.
//
// The load_ ports set the start position of the next game, as in ply11_player (not in words). A position may come before a
// packet, in the mode and the numbering that stand at the ports when the position begins. It may also come between the games of a packet.
// Send the packet or the next game when address 8 was taken.
//
// board, side, rights, ep and ply are the position after the beat on m_axis that is offered, or was offered last.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_player_axis #(
  // Bit 0: words, bit 1: Brenner, bit 2: jose, bit 3: ChessBase.
  parameter MODES = 3,
  // Bits of s_axis_tdata: 8, or 32 or 64 with words alone.
  parameter WIDTH = 8,
  // Brenner's layout: 0 main, 1 alt, 2 alt-swapped, 3 alt-fixed.
  parameter LAYOUT = 0,
  // jose's dialect: 0 document, 1 program.
  parameter DIALECT = 0,
  // Variations of words, jose and ChessBase, inside each other, that are played, 0..31.
  parameter DEPTH = 0
) (
  input  wire               aclk,                // the clock; all ports belong to its rising edge
  input  wire               aresetn,             // synchronous reset, active low
  input  wire               reset,               // 1: the player is in reset, and the rest of a packet is dropped
  input  wire               restart,             // 1: the next beat begins a packet

  input  wire [1:0]         mode,                // mode of the next packet: 0 words, 1 Brenner, 2 jose, 3 ChessBase
  input  wire               numbering,           // of ChessBase's moves in the next packet: 0 document, 1 CBASCII

  input  wire               s_axis_tvalid,       // 1: a beat of bytes is offered
  output wire               s_axis_tready,       // 1: the beat is taken in this clock if s_axis_tvalid is 1
  input  wire [WIDTH-1:0]   s_axis_tdata,        // bytes; the first is in the low bits
  input  wire [WIDTH/8-1:0] s_axis_tkeep,        // bit i: byte i is there
  input  wire               s_axis_tlast,        // 1: the packet, a stream of games, ends

  input  wire               load_valid,          // 1: a word of a start position is offered
  output wire               load_ready,          // 1: the word is taken in this clock if load_valid is 1 [from m_axis_tready]
  input  wire [3:0]         load_addr,           // in the order 7, 6 .. 0, 8: 0..7 rank 1..8, 8 the state
  input  wire [31:0]        load_data,           // as load_data of ply11_board

  output wire               m_axis_tvalid,       // 1: a record is offered; it stays, unchanged, until m_axis_tready is 1
  input  wire               m_axis_tready,       // 1: the record is taken in this clock if m_axis_tvalid is 1
  output wire [127:0]       m_axis_tdata,        // the record; byte 0 is in the low bits
  output wire               m_axis_tlast,        // 1: the packet, a game, ends

  output wire               m_axis_text_tvalid,  // 1: a byte of a text is offered; it stays until m_axis_text_tready is 1
  input  wire               m_axis_text_tready,  // 1: the byte is taken in this clock if m_axis_text_tvalid is 1
  output wire [7:0]         m_axis_text_tdata,   // the byte
  output wire               m_axis_text_tlast,   // 1: the text ends
  output wire [34:0]        m_axis_text_tuser,   // {text_kind of ply11_player, number of the byte in the packet}

  output wire [255:0]       board,             // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  output wire               side,                // side to move: 0 White, 1 Black
  output wire [3:0]         rights,              // castling rights {q, k, Q, K}
  output wire [3:0]         ep,                  // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  output wire [15:0]        ply,                 // plies played, modulo 65,536
  output wire               in_game              // 1: from the first byte of a game to its end
);

  localparam BYTES = WIDTH / 8;
  localparam [1:0] END = 2'd2, ERROR = 2'd3;
  // ERR_CUT is added here; the errors of a start position have no index.
  localparam [3:0] ERR_CUT = 4'd15; localparam [15:0] ERRS_OF_START = 16'd512;

  // A reset waits until the record that is offered was taken.
  reg  due_q;
  wire m_waits = m_axis_tvalid && !m_axis_tready;
  wire rst = !aresetn || ((reset || due_q) && !m_waits);
  always @(posedge aclk) due_q <= aresetn && (reset || due_q) && m_waits;

  // ---- the input, its missing bytes filled with ones: idle words ----
  wire                   in_valid, in_take, in_last, in_numbering;
  wire [1:0]             in_mode;
  wire [WIDTH-1:0]       in_data;
  wire [BYTES-1:0]       in_keep;
  ply11_skid #(.WIDTH(WIDTH + BYTES + 4)) u_skid (
    .clk(aclk), .rst(!aresetn || reset),
    .s_valid(s_axis_tvalid), .s_ready(s_axis_tready),
    .s_data({numbering, mode, s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
    .m_valid(in_valid), .m_ready(in_take), .m_data({in_numbering, in_mode, in_last, in_keep, in_data})
  );

  reg  [WIDTH-1:0] filled;
  reg  [3:0]       kept;
  integer i;
  always @* begin
    kept = 4'd0;
    for (i = 0; i < BYTES; i = i + 1) begin
      filled[8*i +: 8] = in_data[8*i +: 8] | {8{!in_keep[i]}};
      kept = kept + {3'd0, in_keep[i]};
    end
  end

  // ---- the rest of a packet of which a reset dropped the beginning ----
  reg         packet_q;       // one has begun at s_axis
  reg         drop_q;
  wire        packet = s_axis_tvalid && s_axis_tready ? !s_axis_tlast : packet_q;
  wire        live = in_valid && !drop_q;
  always @(posedge aclk) begin
    packet_q <= packet;
    if (in_valid && in_last) drop_q <= 1'b0;
    if (reset) drop_q <= packet;
    if (!aresetn || restart) begin
      packet_q <= 1'b0;
      drop_q <= 1'b0;
    end
  end

  // ---- packets ----
  // CLOSED: the player is in reset until a packet comes.  FLUSH: after its last beat, until nothing has
  // come out for so long that nothing is left: a number of ChessBase's is counted in fewer than 1,500 clocks, with
  // 62 queens on the board.  BROKEN: the packet ended inside a game.
  localparam [1:0] CLOSED = 2'd0, OPEN = 2'd1, FLUSH = 2'd2, BROKEN = 2'd3;
  reg  [1:0]  state_q;
  reg         reset_q;        // of the player
  reg  [1:0]  mode_q;
  reg         numbering_q;
  localparam QUIET = (MODES & 8) != 0 ? 11 : 6;
  reg  [QUIET-1:0] quiet_q;
  reg  [31:0] count_q;        // bytes of this packet so far

  wire        p_ready, p_valid, text_valid, text_last;
  wire        text_room;
  wire        some = in_keep != {BYTES{1'b0}};
  wire        open = state_q == OPEN && !reset_q && !due_q;
  wire        flow = open && text_room;
  assign      in_take = drop_q || (flow && (p_ready || !some));
  wire        put = live && flow && some;
  wire        quiet = mode_q == 2'd3 ? &quiet_q : &quiet_q[5:0];

  always @(posedge aclk) begin
    reset_q <= state_q == CLOSED;
    quiet_q <= p_valid || state_q != FLUSH ? {QUIET{1'b0}} : quiet_q + 1'b1;
    case (state_q)
      CLOSED:
        if (live || load_valid) begin
          {numbering_q, mode_q} <= live ? {in_numbering, in_mode} : {numbering, mode};
          state_q <= OPEN;
        end
      OPEN:
        if (live && in_take && in_last) state_q <= FLUSH;
      FLUSH:
        if (quiet && !p_valid) state_q <= in_game ? BROKEN : CLOSED;
      default:
        if (m_axis_tready) state_q <= CLOSED;
    endcase
    if (live && in_take) count_q <= count_q + {28'd0, kept};
    if (state_q == CLOSED) count_q <= 32'd0;
    if (rst) begin
      state_q <= CLOSED;
      reset_q <= 1'b1;
      mode_q <= 2'd0;
    end
  end

  // ---- the player ----
  wire [1:0]  kind, result;
  wire [10:0] index;
  wire [5:0]  from, to;
  wire [2:0]  promotion;
  wire [3:0]  piece, captured, error;
  wire [31:0] offset;
  wire [7:0]  text_data;
  wire [2:0]  text_kind;
  wire [4:0]  depth;
  wire        p_load_ready;
  assign load_ready = p_load_ready && open;

  ply11_player #(.MODES(MODES), .WIDTH(WIDTH), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH)) u_player (
    .clk(aclk), .rst(reset_q), .mode(mode_q), .numbering(numbering_q),
    .s_valid(put), .s_ready(p_ready), .s_data(filled),
    .load_valid(load_valid && open), .load_ready(p_load_ready),
    .load_addr(load_addr), .load_data(load_data),
    .m_valid(p_valid), .m_ready(m_axis_tready), .m_kind(kind), .m_index(index), .m_from(from),
    .m_to(to), .m_promotion(promotion), .m_piece(piece), .m_captured(captured), .m_result(result),
    /* verilator lint_off PINCONNECTEMPTY */
    .m_reason(), .m_check(), .m_mate(), .m_stalemate(),
    /* verilator lint_on PINCONNECTEMPTY */
    .m_error(error), .m_offset(offset), .m_depth(depth),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last),
    .text_kind(text_kind), .in_game(in_game)
  );

  // ---- beats ----
  wire        broken = state_q == BROKEN;
  wire        indexed = !broken && kind != END && !(kind == ERROR && ERRS_OF_START[error]);
  assign m_axis_tvalid = broken || (p_valid && !reset_q);
  assign m_axis_tlast  = broken || kind == END;
  assign m_axis_tdata[7:0]    = {side, 5'd0, broken ? ERROR : kind};
  assign m_axis_tdata[15:8]   = {2'd0, broken ? 2'd0 : result, broken ? ERR_CUT : error};
  assign m_axis_tdata[31:16]  = {5'd0, index & {11{indexed}}};
  assign m_axis_tdata[63:32]  = {captured, piece, 5'd0, promotion, 2'd0, to, 2'd0, from} & {32{!broken}};
  assign m_axis_tdata[95:64]  = broken ? count_q : offset;
  assign m_axis_tdata[127:96] = {ep, rights, 3'd0, depth & {5{!broken}}, ply};

  // ---- texts ----
  reg         t_valid_q, t_last_q;
  reg  [7:0]  t_data_q;
  reg  [34:0] t_user_q;
  assign text_room = !t_valid_q || m_axis_text_tready;
  assign m_axis_text_tvalid = t_valid_q;
  assign m_axis_text_tdata  = t_data_q;
  assign m_axis_text_tlast  = t_last_q;
  assign m_axis_text_tuser  = t_user_q;

  always @(posedge aclk) begin
    if (text_room) begin
      t_valid_q <= text_valid;
      t_data_q <= text_data;
      t_last_q <= text_last;
      t_user_q <= {text_kind, count_q};
    end
    if (reset && text_room) t_valid_q <= 1'b0;
    if (!aresetn) t_valid_q <= 1'b0;
  end

endmodule

`resetall
