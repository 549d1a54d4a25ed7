// SPDX-License-Identifier: Apache-2.0
// What ply11_moves finds of the king, with any planes of a position (every man who is not an enemy's is in both others), from any
// state that has what the header of PART says. It is compared with lines that are looked at square by square.
//   PART 0: his two stars are asked one after the other, the first of the position. The first entry has the squares between him and an enemy who moves along a
//     line to him, with rising file (axis 2: row), and the enemy's own; the second the same of the other rays; none comes if there
//     is no such. Then his steps are known: to a square beside him without a man of his own, but not away on the line of one who
//     gives check; and castlings with the right, the squares between empty, and no check. If a knight or a pawn
//     attacks him, the leapers are asked.
//   PART 1: a step is asked, to a square to which PART 0 lets him go, or castling, with what was found of the square beside him.
//     One entry comes if he is not attacked after the move on the square (nor, castling, on the one he passes), none otherwise.
//     What is found of the square beside him is kept for castling.
//   PART 2: a row is asked for knights, one or two squares beside his file, or for pawns, one square beside it; the row's men come
//     a clock later. An entry has those who stand there, or none comes.
// ok is 0 where that fails. The wires with dots are those of the instance (hierconn).
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_found_king #(
  parameter PART = 0
) (
  input  wire         clk,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         any_side,
  input  wire [3:0]   any_rights,
  input  wire [3:0]   ep,
  input  wire         m_ready,
  output wire         ok
);

  reg  [3:0]   f_time;
  initial f_time = 4'd0;
  wire         first = f_time == 4'd0;
  reg          h_side;
  reg  [3:0]   h_rights;
  wire         side = first ? any_side : h_side;
  wire [3:0]   rights = first ? any_rights : h_rights;
  ply11_moves u_dut (
    .clk(clk), .rst(1'b0), .s_valid(s_valid), .s_ready(), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );
  (* hierconn *) wire [4:0]  \u_dut.u_find.state_q ;
  (* hierconn *) wire        \u_dut.late_q , \u_dut.u_find.row_scan , \u_dut.u_find.row_last , \u_dut.u_find.row_flush , \u_dut.u_find.side_q , \u_dut.put ;
  (* hierconn *) wire [63:0] \u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q , \u_dut.u_find.attacked_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q , \u_dut.u_find.ask_row , \u_dut.u_find.ask_file ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.ask_op , \u_dut.u_find.addr_op , \u_dut.u_find.line_op , \u_dut.u_find.rays_op ;
  (* hierconn *) wire        \u_dut.u_find.ask_pawn , \u_dut.u_find.ask_two , \u_dut.u_find.ask_forward , \u_dut.u_find.ask_backward , \u_dut.u_find.ask_mark , \u_dut.u_find.ask_beside ;
  (* hierconn *) wire [1:0]  \u_dut.u_find.ask_leap , \u_dut.u_find.ask_castle , \u_dut.u_find.first_safe_q ;
  (* hierconn *) wire        \u_dut.u_find.steps_known_q ;
  (* hierconn *) wire [9:0]  \u_dut.u_find.steps_q ;
  (* hierconn *) wire [31:0] \u_dut.u_find.row_men ;
  (* hierconn *) wire [47:0] \u_dut.put_entry ;

  localparam [4:0] LEAPERS = 5'd4, KING_B = 5'd8;
  localparam [3:0] NOTHING = 4'd0, STEP = 4'd5, CHECK_F = 4'd6, LEAPER = 4'd8;
  localparam [2:0] KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5;

  reg  [63:0]  enemy, straight, oblique, attacked;
  reg  [5:0]   king, to;          // to: the square that is asked
  reg          two, home;
  reg  [1:0]   castle;
  reg          beside;            // a step along the row
  reg  [31:0]  line;              // the men of the row that is asked

  // ---- his lines ----
  wire [31:0]  l_up, l_down, l_near, l_sight, l_own, l_foe, l_slides, l_throne;
  ply11_moves_found_lines u_lines (
    .enemy(enemy), .straight(straight), .oblique(oblique), .king(king), .centre(king), .up(l_up), .down(l_down), .near(l_near),
    .sight(l_sight), .own(l_own), .foe(l_foe), .slides(l_slides), .throne(l_throne)
  );
  wire [31:0]  checks = l_sight & l_slides;       // enemies who move along a line to him
  wire [3:0]   above, below;                      // a line has one
  wire [31:0]  rays;                              // squares of the lines of check, of the rays that are asked
  wire [9:0]   steps;
  wire         checked = checks != 32'd0 || attacked[king];
  genvar a, s;
  generate
    for (a = 0; a < 4; a = a + 1) begin : g_axis
      wire [7:0] up = l_up[8*a +: 8], down = l_down[8*a +: 8], way = l_near[8*a +: 8] & ~l_own[8*a +: 8];
      assign above[a] = (checks[8*a +: 8] & up) != 8'd0;
      assign below[a] = (checks[8*a +: 8] & down) != 8'd0;
      assign rays[8*a +: 8] = l_sight[8*a +: 8] & (f_time == 4'd5 ? up & {8{above[a]}} : down & {8{below[a]}});
      assign steps[a] = (way & up) != 8'd0 && !below[a];
      assign steps[4 + a] = (way & down) != 8'd0 && !above[a];
    end
  endgenerate
  wire [63:0]  men = enemy | straight;
  wire [1:0]   free = {men[3:1] == 3'd0, men[6:5] == 2'd0};
  assign steps[9:8] = {rights[side ? 3 : 1], rights[side ? 2 : 0]} & free & {2{!checked}};

  // ---- after his move ----
  wire [63:0]  left = 64'd1 << king, corner = castle[0] ? 64'd128 : castle[1] ? 64'd1 : 64'd0;
  wire [63:0]  rook = castle[0] ? 64'd32 : castle[1] ? 64'd8 : 64'd0, goal = 64'd1 << to;
  wire [31:0]  m_up, m_down, m_near, m_sight, m_own, m_foe, m_slides, m_throne;
  ply11_moves_found_lines u_after (
    .enemy(enemy & ~goal), .straight((straight & ~left & ~corner) | rook | goal), .oblique((oblique & ~left & ~corner) | rook | goal),
    .king(to), .centre(to), .up(m_up), .down(m_down), .near(m_near),
    .sight(m_sight), .own(m_own), .foe(m_foe), .slides(m_slides), .throne(m_throne)
  );
  wire         safe = (m_sight & m_slides) == 32'd0 && !attacked[to];
  // On the square that he passes when he castles.
  wire [5:0]   way = castle[0] ? king + 6'd1 : king - 6'd1;
  wire [31:0]  p_up, p_down, p_near, p_sight, p_own, p_foe, p_slides, p_throne;
  ply11_moves_found_lines u_passes (
    .enemy(enemy), .straight(straight & ~left), .oblique(oblique & ~left), .king(way), .centre(way), .up(p_up), .down(p_down),
    .near(p_near), .sight(p_sight), .own(p_own), .foe(p_foe), .slides(p_slides), .throne(p_throne)
  );
  wire         passes = (p_sight & p_slides) == 32'd0 && !attacked[way];

  // Whether PART 0 lets him go there: by one of his steps, or castling from home.
  reg  [7:0]   goes;
  integer      t;
  always @* begin
    goes = 8'd0;
    for (t = 0; t < 8; t = t + 1) begin
      goes[0] = goes[0] || (steps[0] && l_near[t] && l_up[t] && to == {king[5:3], t[2:0]});
      goes[4] = goes[4] || (steps[4] && l_near[t] && l_down[t] && to == {king[5:3], t[2:0]});
      goes[2] = goes[2] || (steps[2] && l_near[16+t] && l_up[16+t] && to == {t[2:0], king[2:0]});
      goes[6] = goes[6] || (steps[6] && l_near[16+t] && l_down[16+t] && to == {t[2:0], king[2:0]});
    end
    goes[1] = steps[1] && to == king + 6'd9;
    goes[5] = steps[5] && to == king - 6'd9;
    goes[3] = steps[3] && to == king - 6'd7;
    goes[7] = steps[7] && to == king + 6'd7;
  end
  wire [63:0]  own = straight & ~enemy;
  wire         may = castle == 2'd0 ? goes != 8'd0 && beside == (goes[0] || goes[4]) && (!beside || home == goes[4])
                     : (castle == 2'd1 ? to == 6'd6 && steps[8] && own[7] : castle == 2'd2 && to == 6'd2 && steps[9] && own[0])
                       && king == 6'd4;

  // ---- who leaps to him ----
  reg  [7:0]   leapers;
  reg  [3:0]   who;
  always @* begin
    leapers = 8'd0;
    for (t = 0; t < 8; t = t + 1) begin
      who = line[4*t +: 4];
      leapers[t] = who == (home ? 4'd14 : 4'd11)
                   && (two ? t == king[2:0] + 2 || t + 2 == king[2:0] : t == king[2:0] + 1 || t + 1 == king[2:0]);
    end
  end

  // ---- premises ----
  wire         z_plain = ! \u_dut.u_find.ask_pawn && \u_dut.u_find.ask_leap == 2'd0;
  wire         both = \u_dut.u_find.ask_forward && \u_dut.u_find.ask_backward ;
  wire [5:0]   z_square = {\u_dut.u_find.ask_row , \u_dut.u_find.ask_file };
  wire [5:0]   k_square = {\u_dut.u_find.king_row_q , \u_dut.u_find.king_file_q };
  wire [63:0]  k_own = \u_dut.u_find.straight_q & ~ \u_dut.u_find.enemy_q ;
  wire         asked = PART == 0 ? \u_dut.u_find.ask_op == CHECK_F && \u_dut.u_find.ask_forward && ! \u_dut.u_find.ask_backward && ! \u_dut.u_find.ask_two
                                   && z_square == k_square && \u_dut.u_find.state_q == KING_B && ! \u_dut.u_find.steps_known_q
                                   && \u_dut.u_find.addr_op == NOTHING && \u_dut.u_find.line_op == NOTHING && \u_dut.u_find.rays_op == NOTHING
                       : PART == 1 ? \u_dut.u_find.ask_op == STEP && both && ! \u_dut.u_find.ask_two && ! \u_dut.u_find.row_flush
                       : \u_dut.u_find.ask_op == LEAPER && both && \u_dut.u_find.ask_file == k_square[2:0] && ! \u_dut.u_find.row_flush ;
  reg          f_right;
  // A row of the men of the board: an enemy's is in his plane.
  reg          row_right;
  always @* begin
    row_right = 1'b1;
    for (t = 0; t < 8; t = t + 1)
      if (enemy[{to[5:3], t[2:0]}] != (\u_dut.u_find.row_men [4*t + 3] && \u_dut.u_find.row_men [4*t +: 3] != 3'd0)) row_right = 1'b0;
  end
  wire         still = ! \u_dut.u_find.row_scan && ! \u_dut.u_find.row_last && ! \u_dut.u_find.row_flush ;
  always @(posedge clk) begin
    if (f_time != 4'd15) f_time <= f_time + 4'd1;
    if (first) begin
      {h_side, h_rights} <= {any_side, any_rights};
      {enemy, straight, oblique, king, to} <= {\u_dut.u_find.enemy_q , \u_dut.u_find.straight_q , \u_dut.u_find.oblique_q , k_square, z_square};
      attacked <= \u_dut.u_find.attacked_q ;
      {two, home, castle, beside} <= {\u_dut.u_find.ask_two , \u_dut.u_find.ask_mark , \u_dut.u_find.ask_castle , \u_dut.u_find.ask_beside };
      f_right <= asked && z_plain && ! \u_dut.late_q && ! \u_dut.u_find.row_scan && ! \u_dut.u_find.row_last
                 && k_own == (\u_dut.u_find.oblique_q & ~ \u_dut.u_find.enemy_q ) && k_own[k_square];
    end
    if (f_time == 4'd1) begin
      // The last row of it comes while the first star is asked.
      if (PART == 0) attacked <= \u_dut.u_find.attacked_q ;
      if (!still || (PART == 2 && !row_right)) f_right <= 1'b0;
      line <= \u_dut.u_find.row_men ;
    end
    if (PART == 1 && f_time == 4'd3 && (!may || (castle[0] && \u_dut.u_find.first_safe_q [0] != passes)
                                        || (castle[1] && \u_dut.u_find.first_safe_q [1] != passes))) f_right <= 1'b0;
  end

  // ---- what is put ----
  wire [31:0]  due = PART == 0 ? rays : PART == 2 ? {24'd0, leapers} : 32'd0;
  wire [3:0]   axes = {due[31:24] != 8'd0, due[23:16] != 8'd0, due[15:8] != 8'd0, due[7:0] != 8'd0};
  wire         one = axes == 4'd1 || axes == 4'd2 || axes == 4'd4 || axes == 4'd8;
  wire         comes = PART == 1 ? safe && (castle == 2'd0 || passes) : due != 32'd0;
  wire [47:0]  entry = PART == 1 ? {1'b1, 1'b0, KING, \u_dut.u_find.side_q , 4'd1, to, 26'd0, king}
                       : {one, 1'b0, PART == 0 ? SLIDER : KNIGHT, \u_dut.u_find.side_q , axes, PART == 0 ? king : to, due};
  wire         looks = f_time == 4'd5 || (PART == 0 && f_time == 4'd6);
  wire         put_right = comes ? \u_dut.put && \u_dut.put_entry == entry : ! \u_dut.put ;
  assign ok = first || !f_right
    || ((!looks || put_right)
        && (PART != 0 || f_time != 4'd3 || (\u_dut.u_find.state_q == LEAPERS) == attacked[king])
        && (PART != 0 || f_time != 4'd5 || (\u_dut.u_find.steps_known_q && \u_dut.u_find.steps_q == steps))
        && (PART != 1 || f_time != 4'd4 || castle != 2'd0 || !beside || \u_dut.u_find.first_safe_q [home] == safe));

endmodule

`resetall
