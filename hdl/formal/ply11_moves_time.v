// SPDX-License-Identifier: Apache-2.0
// ply11_moves comes to its end in time, for all time from a reset on, for any boards, held or not, any offers and back-pressure,
// whatever the star finds (ply11_moves_parts).
//  1. A position that is offered in state IDLE begins at once if the FIFO has room. From then to its s_ready there are at most 33
//     clocks in which no star of a piece is asked; at most 26 if no rows of leapers are asked. How many stars a piece has, is proved
//     in ply11_moves_asked.
//  2. Behind the FIFO, in each clock with m_ready 1 the lines move on, or a beat is made, which is offered three such clocks later. From
//     the clock in which an entry is first in register entry until its last line has left stage pick, the lines move on at most 12 times; at most
//     24 times if it is of one who gives check.
//  3. If register fetch is empty and the FIFO has an entry, it is there in the next clock; from fetch it comes into an empty register
//     entry in the next clock, too.
// So with m_ready 1 an entry is gone within 12 (24) clocks and one for each beat that is made meanwhile. What the memory of the FIFO
// gives is free, but it is assumed, as ply11_moves_order proves of what is put, that an entry has a line, and tells if it has one
// alone, as one of the king or of the end does.
// The wires with dots are those of the instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_time (
  input  wire         clk,
  input  wire         reset,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready,
  input  wire         pick
);

  reg          f_started;
  initial f_started = 1'b0;
  wire         rst = !f_started || reset;
  wire         s_ready, m_valid;
  ply11_moves u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );

  // ---- 1: from begins to s_ready ----
  (* hierconn *) wire [4:0]  \u_dut.u_find.state_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.seek_row , \u_dut.u_find.leap_count_q ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.ask_op , \u_dut.u_find.addr_op , \u_dut.u_find.line_op , \u_dut.u_find.rays_op ;
  (* hierconn *) wire        \u_dut.u_find.begins , \u_dut.room_q , \u_dut.u_find.pieces_begin_q , \u_dut.u_find.piece_asked , \u_dut.u_find.steps_known_q ;
  (* hierconn *) wire        \u_dut.u_find.piece_valid , \u_dut.u_find.pieces_none , \u_dut.u_find.pieces_one , \u_dut.u_find.row_valid , \u_dut.u_find.seek_valid ;
  (* hierconn *) wire [7:0]  \u_dut.u_find.seek_left , \u_dut.u_find.pieces_left ;
  (* hierconn *) wire [9:0]  \u_dut.u_find.steps_q ;

  localparam [4:0] IDLE = 5'd0, SCAN = 5'd1, WAIT = 5'd2, KING_F = 5'd3, LEAPERS = 5'd4, AGAIN = 5'd5, STEPS = 5'd6,
                   LAST = 5'd7, KING_B = 5'd8, VICTIM = 5'd9, PAUSE = 5'd10, PIECES = 5'd24;
  localparam [3:0] CHECK_F = 4'd6, CHECK_B = 4'd7;

  wire [4:0]  state = \u_dut.u_find.state_q ;
  reg  [5:0]  f_time;     // clocks since the position began, up to 63
  reg  [5:0]  f_rest;   // the same, but for those in which a star of a piece is asked
  reg         f_leapers;  // the rows of leapers were asked
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_time <= \u_dut.u_find.begins ? 6'd1 : f_time == 6'd63 ? f_time : f_time + 6'd1;
    f_rest <= \u_dut.u_find.begins ? 6'd1 : f_rest == 6'd63 || \u_dut.u_find.piece_asked ? f_rest : f_rest + 6'd1;
    f_leapers <= ! \u_dut.u_find.begins && (f_leapers || state == LEAPERS);
  end

  wire [5:0]  steps_at = f_leapers ? 6'd23 : 6'd16;       // when the steps begin, at the latest
  reg  [3:0]  steps;
  integer     j;
  always @* begin
    steps = 4'd0;
    for (j = 0; j < 10; j = j + 1) steps = steps + {3'd0, \u_dut.u_find.steps_q [j]};
  end
  wire [7:0]  todo = \u_dut.u_find.pieces_left ;
  wire        todo_one = (todo & (todo - 8'd1)) == 8'd0;
  wire        nobody = ! \u_dut.u_find.piece_valid && \u_dut.u_find.pieces_none && ! \u_dut.u_find.row_valid && ! \u_dut.u_find.seek_valid ;
  wire        begun = state != IDLE;
  // The king's stars on their way: each in its clock after the begin.
  wire [3:0]  first = {\u_dut.u_find.rays_op == CHECK_F, \u_dut.u_find.line_op == CHECK_F, \u_dut.u_find.addr_op == CHECK_F, \u_dut.u_find.ask_op == CHECK_F};
  wire [3:0]  second = {\u_dut.u_find.rays_op == CHECK_B, \u_dut.u_find.line_op == CHECK_B, \u_dut.u_find.addr_op == CHECK_B, \u_dut.u_find.ask_op == CHECK_B};

  always @* if (f_started && !rst) begin
    a_begins: assert (!(state == IDLE && s_valid && \u_dut.room_q ) || \u_dut.u_find.begins );
    a_ends: assert (!s_ready || f_rest <= (f_leapers ? 6'd33 : 6'd26));
    a_goes_on: assert (!begun || f_rest <= 6'd33);

    // What the induction needs: when each state is.
    a_rest: assert (!begun || (f_rest <= f_time && (state == PIECES || state == STEPS || state == LAST || f_rest == f_time)));
    a_stars: assert (first == (begun && f_time >= 6'd10 && f_time <= 6'd13 ? 4'd1 << (f_time - 6'd10) : 4'd0)
                     && second == (begun && f_time >= 6'd11 && f_time <= 6'd14 ? 4'd1 << (f_time - 6'd11) : 4'd0));
    a_known: assert (!begun || state == SCAN || state == WAIT || \u_dut.u_find.steps_known_q == (f_time >= 6'd15));
    a_leapers: assert (!f_leapers || state == IDLE || state == LEAPERS || state == AGAIN || state == PAUSE || state == PIECES || state == STEPS || state == LAST);
    if (state == KING_F || state == KING_B || state == VICTIM || state == AGAIN || state == PAUSE)
      a_none: assert (! \u_dut.u_find.piece_valid && \u_dut.u_find.pieces_none && \u_dut.u_find.pieces_one && todo == 8'd0);
    if (state == KING_B || state == VICTIM || state == PAUSE || state == PIECES)
      a_rows: assert (\u_dut.u_find.seek_valid || \u_dut.u_find.seek_left == 8'd0);
    if (state == VICTIM || state == PIECES) a_line: assert (\u_dut.u_find.row_valid || ! \u_dut.u_find.seek_valid );
    case (state)
      IDLE: ;
      SCAN: a_scan: assert (f_time == {3'd0, \u_dut.u_find.seek_row } && \u_dut.u_find.seek_row != 3'd0);
      WAIT: a_wait: assert (f_time == 6'd8);
      KING_F: a_king_f: assert (f_time == 6'd9);
      KING_B: a_king_b: assert (f_time == 6'd10 && ! \u_dut.u_find.row_valid );
      VICTIM: a_victim: assert (f_time == 6'd11);
      LEAPERS: a_rows_of: assert (f_time == 6'd13 + {3'd0, \u_dut.u_find.leap_count_q } && \u_dut.u_find.leap_count_q <= 3'd4 && f_leapers == (\u_dut.u_find.leap_count_q != 3'd0));
      AGAIN: a_again: assert (f_time == 6'd18 && f_leapers);
      PAUSE: a_pause: assert (f_time == 6'd19 && f_leapers && ! \u_dut.u_find.row_valid );
      PIECES: begin
        a_early: assert (\u_dut.u_find.pieces_begin_q == (f_time == 6'd12) && (! \u_dut.u_find.pieces_begin_q || (\u_dut.u_find.leap_count_q == 3'd0 && !f_leapers && ! \u_dut.u_find.piece_valid )));
        a_after: assert (f_time >= (f_leapers ? 6'd20 : 6'd12));
        a_todo: assert (\u_dut.u_find.pieces_one == todo_one && (! \u_dut.u_find.pieces_none || todo == 8'd0));
        a_refills: assert (! \u_dut.u_find.pieces_none || (f_leapers && f_time == 6'd20) || ! \u_dut.u_find.row_valid );
        a_gaps: assert (f_rest <= (f_leapers ? 6'd22 : nobody ? 6'd15 : 6'd13));
        a_fills: assert (nobody || \u_dut.u_find.piece_valid || \u_dut.u_find.pieces_begin_q || (f_leapers && f_rest <= 6'd21));
        a_first: assert (!f_leapers || nobody || f_time >= 6'd22 || (! \u_dut.u_find.piece_valid && f_rest == f_time
                         && (f_time == 6'd20 || ! \u_dut.u_find.pieces_none )));
        a_asked: assert (!f_leapers || nobody || f_time < 6'd22 || \u_dut.u_find.piece_valid );
      end
      STEPS: a_steps: assert (f_rest + {2'd0, steps} <= steps_at + 6'd10 && steps != 4'd0 && f_time >= 6'd16);
      LAST: a_end: assert (f_time >= 6'd16);
      default: a_state: assert (1'b0);
    endcase
  end

  // ---- 2, 3: from an entry to its beats ----
  (* hierconn *) wire [47:0] \u_dut.entry ;
  (* hierconn *) wire        \u_dut.entry_valid , \u_dut.entry_next , \u_dut.fetch_valid , \u_dut.u_emit.fresh_q , \u_dut.u_emit.axes_one_q , \u_dut.u_emit.taken , \u_dut.late_q , \u_dut.some ;
  (* hierconn *) wire [3:0]  \u_dut.u_emit.axes_left_q ;
  (* hierconn *) wire        \u_dut.u_emit.beats_go , \u_dut.u_emit.lines_go , \u_dut.u_emit.pick_one , \u_dut.u_emit.pick_done , \u_dut.u_emit.pick_move , \u_dut.u_emit.pick_promotes ;
  (* hierconn *) wire        \u_dut.u_emit.line_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.pick_valid , \u_dut.u_emit.target_valid , \u_dut.u_emit.move_valid ;
  (* hierconn *) wire        \u_dut.u_emit.line_holds , \u_dut.u_emit.meet_holds , \u_dut.u_emit.kept_holds , \u_dut.u_emit.pick_holds ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.pick_kind ;
  (* hierconn *) wire [7:0]  \u_dut.u_emit.pick_squares ;

  wire [47:0] q = \u_dut.entry ;
  wire [3:0]  left = \u_dut.u_emit.axes_left_q ;
  wire [3:0]  l_holds = {\u_dut.u_emit.pick_holds , \u_dut.u_emit.kept_holds , \u_dut.u_emit.meet_holds , \u_dut.u_emit.line_holds };
  wire [3:0]  l_valid = {\u_dut.u_emit.pick_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.line_valid };
  function one(input [3:0] b);
    one = b != 4'd0 && (b & (b - 4'd1)) == 4'd0;
  endfunction
  function [2:0] ones(input [3:0] b);
    ones = {2'd0, b[0]} + {2'd0, b[1]} + {2'd0, b[2]} + {2'd0, b[3]};
  endfunction

  // An entry is followed from the clock in which it is first in register entry (pick says which); f_moves: how often the lines were moved on since.
  reg         f_seen;     // it was in register entry in the clock before, too
  reg         f_q;        // it is there since an earlier clock
  reg  [3:0]  f_line;     // its lines are in stages line to pick
  reg  [4:0]  f_moves;
  reg         f_lead;     // it is of one who gives check
  reg  [2:0]  f_made;     // stages target, move, m by what was made
  reg         f_some;     // register fetch was empty and the FIFO had an entry
  reg         f_next;     // register entry was empty and fetch had one
  wire        quiet = !f_q && f_line == 4'd0;
  wire        lead = q[45:43] == 3'd4 || q[45:43] == 3'd5;
  wire        starts = \u_dut.entry_valid && !f_seen && pick && quiet;
  wire        mine = starts || f_q;
  wire [4:0]  moves = starts ? 5'd0 : f_moves;
  always @(posedge clk) begin
    f_seen <= \u_dut.entry_valid && ! \u_dut.entry_next && !rst && ! \u_dut.late_q ;
    if (starts) f_lead <= lead;
    f_q <= mine && ! \u_dut.entry_next && !rst && ! \u_dut.late_q ;
    if (\u_dut.u_emit.lines_go ) f_line <= {f_line[2:0], mine && \u_dut.u_emit.taken };
    f_moves <= moves + {4'd0, \u_dut.u_emit.lines_go };
    if (\u_dut.u_emit.beats_go ) f_made <= {f_made[1:0], \u_dut.u_emit.pick_move };
    f_some <= ! \u_dut.fetch_valid && \u_dut.some && !rst && ! \u_dut.late_q ;
    f_next <= ! \u_dut.entry_valid && \u_dut.fetch_valid && !rst && ! \u_dut.late_q ;
    if (rst) begin
      f_line <= 4'd0;
      f_made <= 3'd0;
    end
  end

  wire [2:0]  lines = ones(\u_dut.u_emit.fresh_q ? q[41:38] : left);
  // How often the lines move before the next of the entry is taken, at most.
  wire [4:0]  waits = l_holds[0] ? 5'd4 : l_holds[1] ? 5'd3 : l_holds[2] ? 5'd2 : l_holds[3] ? 5'd1 : 5'd0;
  wire        whole = \u_dut.u_emit.pick_kind >= 3'd3 && \u_dut.u_emit.pick_kind <= 3'd6;
  always @* if (f_started && !rst) begin
    assume (! \u_dut.entry_valid || (q[41:38] != 4'd0 && q[47] == one(q[41:38]) && ((q[45:43] != 3'd3 && q[45:43] != 3'd6) || q[41:38] == 4'd1)));
    a_moves_on: assert (!m_ready || \u_dut.u_emit.lines_go || \u_dut.u_emit.pick_move );
    a_made: assert ({m_valid, \u_dut.u_emit.move_valid , \u_dut.u_emit.target_valid } == f_made && (!m_ready || \u_dut.u_emit.beats_go ));
    a_twelve: assert (quiet || f_moves < (f_lead ? 5'd24 : 5'd12));
    a_empty: assert ((!f_some || \u_dut.fetch_valid ) && (!f_next || \u_dut.entry_valid ));

    // What the induction needs.
    a_late: assert (! \u_dut.late_q || (\u_dut.u_emit.fresh_q && ! \u_dut.entry_valid && ! \u_dut.fetch_valid && l_valid == 4'd0));
    a_fresh: assert (\u_dut.u_emit.fresh_q || (\u_dut.entry_valid && left != 4'd0 && \u_dut.u_emit.axes_one_q == one(left)
                     && (left & ~q[41:38]) == 4'd0 && (left & -q[41:38] & q[41:38]) == 4'd0));
    a_seen: assert ((!f_seen || \u_dut.entry_valid ) && (\u_dut.u_emit.fresh_q || f_seen) && (!f_q || f_seen));
    a_h_one: assert (\u_dut.u_emit.pick_one == (! \u_dut.u_emit.pick_valid || whole || (\u_dut.u_emit.pick_squares & (\u_dut.u_emit.pick_squares - 8'd1)) == 8'd0));
    a_h_promotes: assert (! \u_dut.u_emit.pick_promotes || (\u_dut.u_emit.pick_valid && !whole && \u_dut.u_emit.pick_squares != 8'd0));
    for (j = 0; j < 4; j = j + 1) if (f_line[j] && !f_q) assert (f_moves <= (f_lead ? 5'd20 : 5'd8) + j[4:0]);
    a_q: assert (!f_q || (f_lead == lead && {2'd0, f_moves} + {2'd0, waits} + {4'd0, lines} + (lead ? {2'd0, lines - 3'd1, 2'd0} : 7'd0) <= (lead ? 7'd20 : 7'd8)));
  end

endmodule

`resetall
