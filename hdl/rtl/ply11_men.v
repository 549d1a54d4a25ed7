// SPDX-License-Identifier: Apache-2.0
// ply11_men - the men of both sides by number: where each stands and which are alive.
//
// A man's slot is 0..7 pawns, 8..11 knights, 12..15 bishops, 16..19 rooks, 20..23 queens, 24 the king;
// slots 25..31 are never alive.  In the initial position men are numbered from the a-file.
//
// Reading is combinational: read_side and read_slot give read_square and read_alive of this clock.
// Everything else takes effect at the clock's end, in this order of precedence: restart, load, the
// rest.  A move (move_valid): the man move_slot of move_side leaves, and the man move_new stands on
// move_to, alive; the two are the same slot unless a pawn becomes a man of another slot.
// A rook's jump (jump_valid): the man of jump_side on jump_from, if there is one, goes to jump_to.
// A capture (kill_valid): the man of kill_side on kill_square, if there is one, is no longer alive.
// A move, a jump and a capture may come in one clock; a capture and a jump must not be of the same
// side, and a move not of the man that is killed.
//
// Loading a set-up position: load_clear kills all; then load_valid once for every man (load_man as on
// the board, 0 is skipped) in the order of the numbering: jose counts from a8 to h8, then rank 7, down
// to h1.  The man takes the next number of its kind and side.  load_full is 1, combinational, when
// none is left: there are LIMIT knights, bishops and rooks of a side, QUEENS queens, 8 pawns, a king.
// men gives all slots: {alive, square} of slot s of White at 7*s +: 7, of Black at 7*(32+s) +: 7.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_men #(
  // Knights, bishops and rooks a side that can be loaded, 1..4.
  parameter LIMIT = 2,
  // Queens a side that can be loaded, 1..4.
  parameter QUEENS = 1
) (
  input  wire         clk,

  input  wire         restart,      // the initial position

  input  wire         read_side,
  input  wire [4:0]   read_slot,
  output wire [5:0]   read_square,
  output wire         read_alive,

  input  wire         move_valid,
  input  wire         move_side,
  input  wire [4:0]   move_slot,
  input  wire [4:0]   move_new,
  input  wire [5:0]   move_to,

  input  wire         jump_valid,
  input  wire         jump_side,
  input  wire [5:0]   jump_from,
  input  wire [5:0]   jump_to,

  input  wire         kill_valid,
  input  wire         kill_side,
  input  wire [5:0]   kill_square,

  input  wire         load_clear,
  input  wire         load_valid,
  input  wire [5:0]   load_square,
  input  wire [3:0]   load_man,
  output wire         load_full,

  output wire [447:0] men
);

  // Where the man of a slot starts: {alive, file}; pawns stand a rank further.
  function [3:0] first(input [4:0] slot);
    case (slot)
      5'd8:    first = 4'd9;
      5'd9:    first = 4'd14;
      5'd12:   first = 4'd10;
      5'd13:   first = 4'd13;
      5'd16:   first = 4'd8;
      5'd17:   first = 4'd15;
      5'd20:   first = 4'd11;
      5'd24:   first = 4'd12;
      default: first = {slot[4:3] == 2'd0, slot[2:0]};
    endcase
  endfunction

  // Loading: numbers given so far, of knights, bishops, rooks, queens, pawns and kings.
  reg  [3:0] given_q [0:15];
  wire [3:0] number = given_q[load_man];
  reg  [4:0] base;
  reg  [3:0] most;
  always @* begin
    case (load_man[2:0])
      3'd1:    {base, most} = {5'd24, 4'd1};
      3'd2:    {base, most} = {5'd20, QUEENS[3:0]};
      3'd3:    {base, most} = {5'd8, LIMIT[3:0]};
      3'd4:    {base, most} = {5'd12, LIMIT[3:0]};
      3'd5:    {base, most} = {5'd16, LIMIT[3:0]};
      3'd6:    {base, most} = {5'd0, 4'd8};
      default: {base, most} = {5'd0, 4'd0};
    endcase
  end
  assign load_full = load_man[2:0] != 3'd0 && number >= most;
  wire       load = load_valid && load_man[2:0] != 3'd0 && !load_full;
  wire [4:0] load_slot = base + {1'b0, number};

  integer i;
  always @(posedge clk) begin
    if (load) given_q[load_man] <= number + 4'd1;
    if (load_clear) for (i = 0; i < 16; i = i + 1) given_q[i] <= 4'd0;
  end

  wire [6:0] all [0:63];
  assign {read_alive, read_square} = all[{read_side, read_slot}];

  genvar c, s;
  generate
    for (c = 0; c < 2; c = c + 1) begin : g_side
      for (s = 0; s < 32; s = s + 1) begin : g_slot
        localparam SIDE = c == 1;
        localparam [4:0] SLOT = s;
        if (s < 25) begin : g_man
          localparam [3:0] FIRST = first(SLOT);
          localparam [5:0] HOME = {s < 8 ? (SIDE ? 3'd6 : 3'd1) : {3{SIDE}}, FIRST[2:0]};
          reg  [5:0] square_q;
          reg        alive_q;
          wire       here  = load_valid && load && load_man[3] == SIDE && load_slot == SLOT;
          wire       moved = move_valid && move_side == SIDE && move_new == SLOT;
          wire       gone  = move_valid && move_side == SIDE && move_slot == SLOT;
          wire       jump  = jump_valid && jump_side == SIDE;
          // One comparison serves: a jump of one's own or a capture by the other side.
          wire       met   = alive_q && square_q == (jump ? jump_from : kill_square);
          wire       kill  = kill_valid && kill_side == SIDE && met && !jump;
          always @(posedge clk) begin
            if (restart) square_q <= HOME;
            else if (here) square_q <= load_square;
            else if (moved) square_q <= move_to;
            else if (jump && met) square_q <= jump_to;
            if (restart) alive_q <= FIRST[3];
            else if (load_clear) alive_q <= 1'b0;
            else if (here || moved) alive_q <= 1'b1;
            else if (gone || kill) alive_q <= 1'b0;
          end
          assign all[32*c+s] = {alive_q, square_q};
        end else begin : g_none
          assign all[32*c+s] = 7'd0;
        end
        assign men[7*(32*c+s) +: 7] = all[32*c+s];
      end
    end
  endgenerate

endmodule

`resetall
