// SPDX-License-Identifier: Apache-2.0
// How ply11_moves reads: from any state in which a position begins and no row of another is on its way, with any men on the board
// and one king of who moves. The board is held. Nine clocks later the king's first star is asked, and the planes, the rows with
// men and the king's square are those of the board as who moves sees it; a clock later the side that goes into the FIFO, and
// again one later, when the first star needs it, the plane of the squares that knights, pawns and kings attack. The judge looks
// at each square by itself. ok is 0 where that fails. The wires with dots are those of the instance (hierconn).
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_read (
  input  wire         clk,
  input  wire [255:0] any_men,
  input  wire [5:0]   any_throne,
  input  wire         any_side,
  input  wire [3:0]   any_rights,
  input  wire [3:0]   any_ep,
  output wire         ok
);

  reg  [3:0]   f_time;
  initial f_time = 4'd0;
  reg  [255:0] h_men;
  reg  [5:0]   h_throne;
  reg          h_side;
  wire         first = f_time == 4'd0;
  wire [255:0] men = first ? any_men : h_men;
  wire [5:0]   throne = first ? any_throne : h_throne;
  wire         side = first ? any_side : h_side;

  // Every square holds a man or nothing, and the king of who moves stands once.
  wire [255:0] board;
  genvar s;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_square
      wire [3:0] any = men[4*s +: 4];
      assign board[4*s +: 4] = throne == s ? {side, 3'd1}
                               : any[2:0] == 3'd7 || any == 4'd8 || any == {side, 3'd1} ? 4'd0 : any;
    end
  endgenerate

  ply11_moves u_dut (
    .clk(clk), .rst(1'b0), .s_valid(1'b1), .s_ready(), .board(board), .side(side), .rights(any_rights), .ep(any_ep),
    .m_valid(), .m_ready(1'b1), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );
  (* hierconn *) wire [4:0]  \u_dut.u_find.state_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.seek_row ;
  (* hierconn *) wire        \u_dut.u_find.begins , \u_dut.u_find.row_scan , \u_dut.u_find.row_last , \u_dut.u_find.row_flush , \u_dut.u_find.side_q ;
  (* hierconn *) wire [63:0] \u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q , \u_dut.u_find.attacked_q ;
  (* hierconn *) wire [7:0]  \u_dut.u_find.own_rows_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q ;

  // The judge.
  wire [255:0] seen;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_seen
      wire [3:0] man = side ? board[4*(s ^ 56) +: 4] : board[4*s +: 4];
      assign seen[4*s +: 4] = {man != 4'd0 && man[3] != side, man[2:0]};
    end
  endgenerate
  wire [63:0]  j_enemy, j_straight, j_oblique, j_attacked;
  wire [7:0]   j_rows;
  ply11_moves_read_planes u_planes (
    .seen(seen), .enemy(j_enemy), .straight(j_straight), .oblique(j_oblique), .attacked(j_attacked), .own_rows(j_rows)
  );

  reg          f_right;
  always @(posedge clk) begin
    if (f_time != 4'd15) f_time <= f_time + 4'd1;
    if (first) begin
      {h_men, h_throne, h_side} <= {any_men, any_throne, any_side};
      f_right <= \u_dut.u_find.begins && \u_dut.u_find.seek_row == 3'd0 && ! \u_dut.u_find.row_scan && ! \u_dut.u_find.row_last && ! \u_dut.u_find.row_flush ;
    end
  end
  assign ok = first || !f_right
    || (((f_time == 4'd9) == (\u_dut.u_find.state_q == 5'd3) || f_time > 4'd11)
        && (f_time != 4'd9 || ({\u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q } == {j_enemy, j_straight, j_oblique}
                               && \u_dut.u_find.own_rows_q == j_rows
                               && {\u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q } == {throne[5:3] ^ {3{side}}, throne[2:0]}))
        && (f_time != 4'd10 || \u_dut.u_find.side_q == side)
        && (f_time != 4'd11 || \u_dut.u_find.attacked_q == j_attacked));

endmodule

`resetall
