// SPDX-License-Identifier: Apache-2.0
// ply11_match - searches a stream of games for a pattern: of the beats of a player, it passes on those whose position has it.
//
// Throughput: a beat a clock. Latency: a beat that is taken in clock t is offered in clock t + 3.
// Handshake: all stages move together, in each clock in which m_valid is 0 or m_ready is 1: that is s_ready. All outputs are
// registers. m_valid and what goes with it do not change while m_valid is 1 and m_ready is 0.
//
// A PLY matches if the position after it has the pattern: each square holds a piece of its set, the side to move is one of those
// that may be, and ply is inside the range. The position before a game's first ply has no beat, so it is not looked at.
// With ON 0, every beat passes. With ON 1, these pass: each PLY that matches, each ERROR, and of a game of which one of
// these has passed, the END. So a game without a match gives nothing, and one with a match is a packet that m_last ends.
// A PLY that is not compared (s_main 0: those of variations, for instance) does not match.
// hit is 1 for a clock with each PLY that matches, in which m_valid becomes 1, and hits counts it in the next clock. m_game is the number of the
// game of the beat that is offered: games are counted from 1, with and without a match. When a beat with s_last was taken, the next game
// begins. clear makes hits 0, and the next beat that comes to be offered, which may be in the next clock, begins game 1.
//
// The pattern is in registers. After rst word 17 is 0: nothing matches, and every beat passes. A word is taken in each clock in which set_valid is 1, and counts for beats that are taken
// from the next clock on, if no beat is inside, which three clocks with m_ready 1 and s_valid 0 see to:
//   0..15  four squares each, 8 bits a square, from a1 in the low bits of word 0 to h8 in the high bits of word 15
//   16     15:0 65,536 less the first ply that may match, 31:16 65,535 less the last
//   17     bit 0: ON, 1: White may be to move, 2: Black may be to move
// A square's eight bits are two for each bit of a piece (0 none, 1 king .. 6 pawn, 8 more for Black), the lowest first. Begin with the set of
// all pieces and none, and go through the four bits: 3 leaves the set as it is; 2 keeps those in which the bit is 1, and 1 those in which
// it is 0; 0 adds all in which it is 1, but of the lowest bit it empties the set, and of the highest it exchanges those
// that are in the set for those that are not. So 255 is anything, 213 an empty square, 194 any piece, 66 any white piece, 130 any
// black piece. docs/hardware.md has more of them.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_match #(
  // Bits of the tag that travels with a beat, 1 or more.
  parameter USER_WIDTH = 1
) (
  input  wire                  clk,        // the clock; all ports belong to its rising edge
  input  wire                  rst,        // synchronous reset, active high

  input  wire                  set_valid,  // 1: a word of the pattern is written in this clock
  input  wire [4:0]            set_addr,   // 0..15 squares, 16 the range of plies, 17 ON and the side to move
  input  wire [31:0]           set_data,   // the word
  input  wire                  clear,      // 1: hits becomes 0, and the next beat begins game 1

  input  wire                  s_valid,    // 1: a beat is offered
  output wire                  s_ready,    // 1: the beat is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [1:0]            s_kind,     // 0 PLY, 2 END, 3 ERROR
  input  wire                  s_last,     // 1: the game ends with this beat
  input  wire                  s_main,     // 1: a PLY is compared
  input  wire [255:0]          board,    // with the beat: piece on square s at 4*s +: 4, as in ply11_board
  input  wire                  side,       // with the beat: side to move, 1 Black
  input  wire [15:0]           ply,        // with the beat: plies played
  input  wire [USER_WIDTH-1:0] s_user,     // tag: comes out with the beat

  output wire                  m_valid,    // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire                  m_ready,    // 1: the beat is taken in this clock if m_valid is 1
  output wire [1:0]            m_kind,     // its s_kind
  output wire                  m_last,     // its s_last
  output wire [31:0]           m_game,     // the number of its game, from 1
  output wire [15:0]           m_ply,      // its ply
  output wire [USER_WIDTH-1:0] m_user,     // its s_user

  output wire                  hit,        // 1: the beat that is offered matches, in the first clock in which it is offered
  output wire [31:0]           hits        // beats that matched, up to the clock before
);

  generate
    if (USER_WIDTH < 1) begin : g_check_user_width
      ply11_match_user_width_is_1_or_more u_check ();
    end
  endgenerate

  localparam [1:0] PLY = 2'd0, ERROR = 2'd3;

  // ---- the pattern ----
  reg  [511:0] square_q;
  reg  [15:0]  to_first_q, to_last_q;
  reg          on_q, white_q, black_q;
  integer      i;
  always @(posedge clk) begin
    for (i = 0; i < 16; i = i + 1)
      if (set_valid && set_addr == i[4:0]) square_q[32*i +: 32] <= set_data;
    if (set_valid && set_addr == 5'd16) {to_last_q, to_first_q} <= set_data;
    if (set_valid && set_addr == 5'd17) {black_q, white_q, on_q} <= set_data[2:0];
    if (rst) {black_q, white_q, on_q} <= 3'd0;
  end

  // ---- each square: four tables of four inputs, one behind the other ----
  function holds(input [7:0] set, input [3:0] piece);
    reg kind0, kind1, kind2;
    begin
      kind0 = piece[0] ? set[1] : set[0];
      kind1 = set[3:2] == 2'd0 ? kind0 || piece[1] : kind0 && (piece[1] ? set[3] : set[2]);
      kind2 = set[5:4] == 2'd0 ? kind1 || piece[2] : kind1 && (piece[2] ? set[5] : set[4]);
      holds = set[7:6] == 2'd0 ? !kind2 : kind2 && (piece[3] ? set[7] : set[6]);
    end
  endfunction

  wire [63:0] squares;
  genvar s;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_square
      assign squares[s] = holds(square_q[8*s +: 8], board[4*s +: 4]);
    end
  endgenerate

  // Their carries: ply is the first of the range or behind it, and is behind the last.
  /* verilator lint_off UNUSEDSIGNAL */
  wire [16:0] from_first = {1'b0, ply} + {1'b0, to_first_q};
  wire [16:0] behind_last = {1'b0, ply} + {1'b0, to_last_q};
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- a: the squares; b: four times sixteen of them; then the outputs ----
  reg         a_valid, b_valid, m_valid_q;
  wire        en = !m_valid_q || m_ready;
  assign s_ready = en;
  reg  [63:0] a_squares;
  reg         a_after, a_before, a_turn;      // of the range of plies, of the side to move
  reg  [3:0]  b_squares;
  reg         b_other;
  reg  [1:0]  a_kind, b_kind, m_kind_q;
  reg         a_last, b_last, m_last_q;
  reg  [15:0] a_ply, b_ply, m_ply_q;
  reg  [USER_WIDTH-1:0] a_user, b_user, m_user_q;

  reg         some_q;           // a beat of the game in b has passed
  reg         ended_q;          // the beat before that in b ended a game
  reg         hit_q;
  reg  [31:0] games_q, m_game_q, hits_q;
  wire [31:0] game = clear ? 32'd1 : games_q + {31'd0, ended_q};  // of the beat in b
  wire        b_match = b_valid && (&b_squares) && b_other;
  wire        b_some = b_match || (b_valid && b_kind == ERROR);
  always @(posedge clk) begin
    if (en) begin
      a_valid   <= s_valid;
      a_squares <= squares;
      a_after   <= from_first[16];
      a_before  <= !behind_last[16];
      a_turn    <= (side ? black_q : white_q) && s_main && s_kind == PLY;
      b_valid   <= a_valid;
      b_squares <= {&a_squares[63:48], &a_squares[47:32], &a_squares[31:16], &a_squares[15:0]};
      b_other   <= a_after && a_before && a_turn;
      m_valid_q <= b_valid && (!on_q || b_some || (some_q && !clear && b_last));
      if (b_valid) begin
        some_q <= ((some_q && !clear) || b_some) && !b_last;
        ended_q <= b_last;
        games_q <= game;
        m_game_q <= game;
      end
      {a_kind, a_last, a_ply, a_user} <= {s_kind, s_last, ply, s_user};
      {b_kind, b_last, b_ply, b_user} <= {a_kind, a_last, a_ply, a_user};
      {m_kind_q, m_last_q, m_ply_q, m_user_q} <= {b_kind, b_last, b_ply, b_user};
    end
    hit_q <= en && b_match;
    hits_q <= rst || clear ? 32'd0 : hits_q + {31'd0, hit_q};
    if (rst || (clear && !(en && b_valid))) begin
      games_q <= 32'd0;
      ended_q <= 1'b1;
      some_q <= 1'b0;
    end
    if (rst) begin
      {a_valid, b_valid, m_valid_q} <= 3'd0;
      hit_q <= 1'b0;
    end
  end

  assign m_valid = m_valid_q;
  assign m_kind = m_kind_q;
  assign m_last = m_last_q;
  assign m_game = m_game_q;
  assign m_ply = m_ply_q;
  assign m_user = m_user_q;
  assign hit = hit_q;
  assign hits = hits_q;

endmodule

`resetall
