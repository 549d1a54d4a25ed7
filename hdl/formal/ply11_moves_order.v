// SPDX-License-Identifier: Apache-2.0
// ply11_moves, for all time from a reset on, for any offers and back-pressure, any board, and whatever the star finds
// (ply11_moves_parts):
//  1. Six clocks after each s_ready one entry OVER is put into the FIFO, and no other is. Nothing is put but between the clock in
//     which a position begins and that entry; who gives check is put before all else of the position.
//  2. The FIFO never holds more than 201 entries of 255, if no position asks for more than 48 stars of pieces, which is what 16 pieces
//     may ask; and nothing is read where nothing was put.
//  3. Each OVER that is read gives one beat with m_last, after all beats before it; no other beat has m_last.
//  4. m_count is the number of beats since the last with m_last; that beat has index 2047; m_check is the same in all beats of a
//     position; mate and stalemate are told with m_last alone, if there was no move.
//  5. A beat that is not taken waits, unchanged.
// The memory of the FIFO is not looked into: of what is read it is assumed what is proved of what is put (1, and the form of an
// entry), which the memory gives in the same order. The wires with dots are those of the instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_order (
  input  wire         clk,
  input  wire         reset,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready
);

  reg          f_started;
  initial f_started = 1'b0;
  wire         rst = !f_started || reset;
  wire         s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [10:0]  m_index;
  wire [8:0]   m_count;
  ply11_moves u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_last(m_last), .m_count(m_count), .m_check(m_check),
    .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  // ---- the stars, and the FIFO ----
  (* hierconn *) wire [4:0]  \u_dut.u_find.state_q ;
  (* hierconn *) wire [2:0]  \u_dut.u_find.seek_row , \u_dut.u_find.leap_count_q ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.ask_op , \u_dut.u_find.addr_op , \u_dut.u_find.line_op , \u_dut.u_find.rays_op , \u_dut.u_find.hit_op , \u_dut.u_find.put_op ;
  (* hierconn *) wire        \u_dut.u_find.begins , \u_dut.u_find.pieces_begin_q , \u_dut.u_find.piece_asked , \u_dut.room_q , \u_dut.put , \u_dut.late_q ;
  (* hierconn *) wire [7:0]  \u_dut.u_find.pieces_left ;
  (* hierconn *) wire        \u_dut.u_find.steps_known_q , \u_dut.u_find.pieces_none , \u_dut.u_find.pieces_one , \u_dut.u_find.piece_valid , \u_dut.u_find.row_valid ;
  (* hierconn *) wire [9:0]  \u_dut.u_find.steps_q ;
  (* hierconn *) wire [3:0]  \u_dut.u_find.rays_allow , \u_dut.u_find.hit_allow ;
  (* hierconn *) wire        \u_dut.u_find.rays_check , \u_dut.u_find.rays_piece , \u_dut.u_find.hit_write , \u_dut.u_find.put_write ;
  (* hierconn *) wire [31:0] \u_dut.u_find.put_targets ;
  (* hierconn *) wire [47:0] \u_dut.put_entry , \u_dut.entry ;
  (* hierconn *) wire [7:0]  \u_dut.put_at_q , \u_dut.get_at_q ;
  (* hierconn *) wire        \u_dut.entry_valid , \u_dut.fetch_valid ;

  localparam [4:0] IDLE = 5'd0, SCAN = 5'd1, WAIT = 5'd2, KING_F = 5'd3, LEAPERS = 5'd4, AGAIN = 5'd5, STEPS = 5'd6,
                   LAST = 5'd7, KING_B = 5'd8, VICTIM = 5'd9, PAUSE = 5'd10, PIECES = 5'd24;
  localparam [3:0] NOTHING = 4'd0, PIECE = 4'd1, RISE = 4'd2, DROP = 4'd3, PASSANT = 4'd4, STEP = 4'd5,
                   CHECK_F = 4'd6, CHECK_B = 4'd7, LEAPER = 4'd8, TAKEN = 4'd9, END = 4'd10;
  localparam [2:0] KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6;

  wire [4:0]  state = \u_dut.u_find.state_q ;
  wire        put = \u_dut.put && !rst && ! \u_dut.late_q ;
  wire [2:0]  put_kind = \u_dut.put_entry [45:43];
  wire [7:0]  used = \u_dut.put_at_q - \u_dut.get_at_q ;
  // Stage j of what was asked, the newest first.
  wire [23:0] ops = {\u_dut.u_find.put_op , \u_dut.u_find.hit_op , \u_dut.u_find.rays_op , \u_dut.u_find.line_op , \u_dut.u_find.addr_op , \u_dut.u_find.ask_op };
  reg  [5:0]  some, over, body, lead, some_f, some_b;   // a star; the end; moves; who gives check; the king's two
  reg  [3:0]  inside;                     // stars on their way
  integer     j, i;
  always @* begin
    inside = 4'd0;
    for (j = 0; j < 6; j = j + 1) begin
      some[j] = ops[4*j +: 4] != NOTHING;
      some_f[j] = ops[4*j +: 4] == CHECK_F;
      some_b[j] = ops[4*j +: 4] == CHECK_B;
      over[j] = ops[4*j +: 4] == END;
      body[j] = ops[4*j +: 4] >= PIECE && ops[4*j +: 4] <= STEP;
      lead[j] = ops[4*j +: 4] >= CHECK_F && ops[4*j +: 4] <= LEAPER;
      inside = inside + {3'd0, some[j]};
    end
  end

  reg  [5:0]  f_end;      // clocks since s_ready, one-hot
  reg  [3:0]  f_age;      // the same as a number, up to 15
  reg  [1:0]  f_open;     // positions that have begun, without their end in the FIFO
  reg         f_body;     // moves of the last position are in the FIFO, not its end
  reg  [6:0]  f_ops;      // stars of the position that are past stage 0
  reg  [5:0]  f_asked;    // those of pieces
  wire        ends = put && put_kind == OVER;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_end <= {f_end[4:0], s_ready};
    f_age <= s_ready ? 4'd0 : f_age == 4'd15 ? 4'd15 : f_age + 4'd1;
    f_open <= f_open + {1'b0, \u_dut.u_find.begins } - {1'b0, ends};
    if (put) f_body <= put_kind != SLIDER && put_kind != KNIGHT && put_kind != OVER;
    f_ops <= \u_dut.u_find.begins ? 7'd0 : f_ops + {6'd0, some[0]};
    if (\u_dut.u_find.begins ) f_asked <= 6'd0;
    else if (\u_dut.u_find.piece_asked ) f_asked <= f_asked + 6'd1;
    if (rst) begin
      f_end <= 6'd0;
      f_age <= 4'd15;
      f_open <= 2'd0;
      f_body <= 1'b0;
      f_ops <= 7'd0;
      f_asked <= 6'd0;
    end
  end

  wire [6:0]  issued = f_ops + {6'd0, some[0]};
  wire [3:0]  steps_left = {3'd0, \u_dut.u_find.steps_q [0]} + {3'd0, \u_dut.u_find.steps_q [1]} + {3'd0, \u_dut.u_find.steps_q [2]}
                         + {3'd0, \u_dut.u_find.steps_q [3]} + {3'd0, \u_dut.u_find.steps_q [4]} + {3'd0, \u_dut.u_find.steps_q [5]}
                         + {3'd0, \u_dut.u_find.steps_q [6]} + {3'd0, \u_dut.u_find.steps_q [7]} + {3'd0, \u_dut.u_find.steps_q [8]}
                         + {3'd0, \u_dut.u_find.steps_q [9]};
  wire        rests = state == IDLE || state == SCAN || state == WAIT;
  wire        leads = state == KING_F || state == KING_B || state == VICTIM || (state == PIECES && \u_dut.u_find.pieces_begin_q )
                      || state == LEAPERS || state == AGAIN || state == PAUSE;
  wire        known = rests || leads || state == PIECES || state == STEPS || state == LAST;
  function one(input [3:0] b);
    one = b != 4'd0 && (b & (b - 4'd1)) == 4'd0;
  endfunction
  // The form of an entry.
  function well(input [47:0] entry);
    well = entry[41:38] != 4'd0 && entry[47] == one(entry[41:38])
           && ((entry[45:43] != KING && entry[45:43] != OVER) || entry[41:38] == 4'd1);
  endfunction

  always @* if (f_started && !rst) begin
    assume (f_asked <= 6'd48);
    a_state: assert (known && (state != SCAN || \u_dut.u_find.seek_row != 3'd0) && (! \u_dut.u_find.pieces_begin_q || state == PIECES || \u_dut.late_q ));
    a_count: assert (state == LEAPERS ? \u_dut.u_find.leap_count_q <= 3'd4 : state != PIECES || ! \u_dut.u_find.pieces_begin_q || \u_dut.u_find.leap_count_q == 3'd0);
    a_rows: assert ((state != KING_F && state != KING_B && state != VICTIM) || (\u_dut.u_find.pieces_none && \u_dut.u_find.pieces_one
                    && \u_dut.u_find.pieces_left == 8'd0 && ! \u_dut.u_find.piece_valid && (state == VICTIM || ! \u_dut.u_find.row_valid )));
    a_early: assert (state != PIECES || ! \u_dut.u_find.pieces_begin_q || ! \u_dut.u_find.piece_valid );

    // 1.
    a_end: assert (over == f_end && ends == f_end[5]);
    a_age: assert ((f_age >= 4'd6 ? f_end == 6'd0 : f_end == 6'd1 << f_age)
                   && (state != SCAN || f_age >= {1'b0, \u_dut.u_find.seek_row }) && (state != WAIT || f_age >= 4'd8)
                   && (rests || f_age >= 4'd9));
    a_open: assert ({1'b0, f_open} == {2'd0, f_end != 6'd0} + {2'd0, state != IDLE});
    a_put: assert (!put || f_open != 2'd0);
    for (j = 0; j < 6; j = j + 1) begin
      if (rests && {1'b0, j[2:0]} < f_age) assert (!some[j]);
      if (leads) assert (!body[j]);
      if (lead[j]) assert (!f_body);
      for (i = j + 1; i < 6; i = i + 1) assert (!(lead[j] && body[i]));
    end
    a_body: assert (!f_body || !(leads || (rests && f_age >= 4'd6)));
    a_first: assert (!put || (put_kind != SLIDER && put_kind != KNIGHT) || !f_body);

    // The squares around the king are known after both his stars alone.
    a_stars: assert ((! some_f[0] || state == KING_B) && (!some_b[0] || state == VICTIM) && (some_f[5:1] & ~some_b[4:0]) == 5'd0
                    && (some_f & (some_f - 6'd1)) == 6'd0 && (some_b & (some_b - 6'd1)) == 6'd0);
    a_king: assert ((state != KING_F || some == 6'd0) && (state != KING_B || some[5:1] == 5'd0));
    a_steps: assert ((! \u_dut.u_find.steps_known_q || (some_f[3:0] == 4'd0 && some_b[3:0] == 4'd0 && state != KING_F && state != KING_B))
                     && (state != STEPS || (\u_dut.u_find.steps_q != 10'd0 && \u_dut.u_find.steps_known_q )));

    // The form of what is put.
    a_well: assert (!put || (well(\u_dut.put_entry ) && ops[23:20] != NOTHING && ops[23:20] != TAKEN));
    a_check: assert (\u_dut.late_q || \u_dut.u_find.rays_check == (ops[15:12] == CHECK_F || ops[15:12] == CHECK_B));
    a_c: assert (\u_dut.late_q || (ops[15:12] >= PIECE && ops[15:12] <= PASSANT) || ops[15:12] == LEAPER || \u_dut.u_find.rays_allow == 4'd0);
    a_t: assert ((ops[19:16] >= PIECE && ops[19:16] <= PASSANT) || lead[4] || \u_dut.u_find.hit_allow == 4'd0);
    a_d: assert (\u_dut.late_q || (ops[23:20] >= PIECE && ops[23:20] <= PASSANT) || lead[5] || \u_dut.u_find.put_targets == 32'd0);
    a_t_write: assert (ops[19:16] == END ? \u_dut.u_find.hit_write : ops[19:16] == STEP || ! \u_dut.u_find.hit_write );
    a_d_write: assert (ops[23:20] == END ? \u_dut.u_find.put_write : ops[23:20] == STEP || ! \u_dut.u_find.put_write );

    // 2.
    a_issued: assert (state == KING_F || rests ? issued <= (state == KING_F ? 7'd0 : 7'd67)
                      : state == KING_B ? issued <= 7'd1
                      : state == VICTIM ? issued <= 7'd2
                      : state == PIECES && \u_dut.u_find.pieces_begin_q ? issued <= 7'd3
                      : state == LEAPERS ? issued <= 7'd3 + {4'd0, \u_dut.u_find.leap_count_q }
                      : state == STEPS ? {1'b0, issued} + {4'd0, steps_left} <= 8'd18 + {2'd0, f_asked}
                      : state == LAST ? issued <= 7'd18 + {1'b0, f_asked} : issued <= 7'd8 + {1'b0, f_asked});
    a_none: assert ((!leads && !rests) || f_asked == 6'd0 || state == IDLE);
    a_zero: assert ((state != SCAN && state != WAIT && state != KING_F) || f_ops == 7'd0);
    a_late: assert (! \u_dut.late_q || (used == 8'd0 && ! \u_dut.fetch_valid && ! \u_dut.entry_valid ));
    a_room: assert (! \u_dut.room_q || used <= 8'd128);
    a_used: assert ({1'b0, used} + {5'd0, inside} <= (state == IDLE ? 9'd201 : 9'd134 + {2'd0, issued}));
  end

  // ---- the lines, and the beats ----
  (* hierconn *) wire        \u_dut.u_emit.taken , \u_dut.u_emit.fresh_q , \u_dut.u_emit.axes_one_q , \u_dut.u_emit.check_q , \u_dut.u_emit.pick_one , \u_dut.u_emit.pick_promotes ;
  (* hierconn *) wire [3:0]  \u_dut.u_emit.axes_left_q ;
  (* hierconn *) wire        \u_dut.u_emit.line_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.pick_valid , \u_dut.u_emit.target_valid , \u_dut.u_emit.move_valid ;
  (* hierconn *) wire        \u_dut.u_emit.line_holds , \u_dut.u_emit.meet_holds , \u_dut.u_emit.kept_holds , \u_dut.u_emit.pick_holds ;
  (* hierconn *) wire [2:0]  \u_dut.u_emit.line_kind , \u_dut.u_emit.meet_kind , \u_dut.u_emit.kept_kind , \u_dut.u_emit.pick_kind ;
  (* hierconn *) wire        \u_dut.u_emit.target_last , \u_dut.u_emit.move_last , \u_dut.u_emit.target_check , \u_dut.u_emit.move_check ;
  (* hierconn *) wire [8:0]  \u_dut.u_emit.count_q ;

  wire        take = \u_dut.u_emit.taken ;
  wire [47:0] q = \u_dut.entry ;
  wire        q_lead = q[45:43] == SLIDER || q[45:43] == KNIGHT;
  // The lines in stages line, meet, kept and pick, the newest first.
  wire [3:0]  l_valid = {\u_dut.u_emit.pick_valid , \u_dut.u_emit.kept_valid , \u_dut.u_emit.meet_valid , \u_dut.u_emit.line_valid };
  wire [3:0]  l_holds = {\u_dut.u_emit.pick_holds , \u_dut.u_emit.kept_holds , \u_dut.u_emit.meet_holds , \u_dut.u_emit.line_holds };
  wire [11:0] l_kinds = {\u_dut.u_emit.pick_kind , \u_dut.u_emit.kept_kind , \u_dut.u_emit.meet_kind , \u_dut.u_emit.line_kind };
  // The beats in stages target, move and m, the newest first.
  wire [2:0]  m_valids = {m_valid, \u_dut.u_emit.move_valid , \u_dut.u_emit.target_valid };
  wire [2:0]  m_lasts = {m_last, \u_dut.u_emit.move_last , \u_dut.u_emit.target_last };
  wire [2:0]  m_checks = {m_check, \u_dut.u_emit.move_check , \u_dut.u_emit.target_check };

  reg  [3:0]  f_over;     // OVERs that were read, without their beat taken
  reg         f_some;     // of the position whose lines are read moves were read
  reg         f_in;       // of the position whose beats are taken one was taken
  reg         f_check;    // its m_check
  reg  [8:0]  f_count;    // beats taken since the last with m_last
  reg         f_stall;
  wire [23:0] beat = {m_index, m_last, m_count, m_check, m_mate, m_stalemate};
  reg  [23:0] f_beat;
  wire        beats = m_valid && m_ready;
  always @(posedge clk) begin
    f_over <= f_over + {3'd0, take && q[45:43] == OVER} - {3'd0, beats && m_last};
    if (take && !q_lead) f_some <= q[45:43] != OVER;
    if (beats) begin
      f_in <= !m_last;
      f_check <= m_check;
      f_count <= m_last ? 9'd0 : f_count + 9'd1;
    end
    f_stall <= m_valid && !m_ready;
    f_beat <= beat;
    if (rst) begin
      f_over <= 4'd0;
      {f_some, f_in, f_stall} <= 3'd0;
      f_count <= 9'd0;
    end
  end

  // From the beats taken to the lines that are read, the oldest first: whether a position is within its moves, and its check.
  reg         within, agrees, in_check;
  reg  [3:0]  overs;
  always @* begin
    within = f_in;
    in_check = f_check;
    agrees = 1'b1;
    overs = 4'd0;
    for (j = 2; j >= 0; j = j - 1) if (m_valids[j]) begin
      if (within && m_checks[j] != in_check) agrees = 1'b0;
      within = !m_lasts[j];
      in_check = m_checks[j];
      overs = overs + {3'd0, m_lasts[j]};
    end
    if (within && in_check != \u_dut.u_emit.check_q ) agrees = 1'b0;
    for (j = 3; j >= 0; j = j - 1) if (l_valid[j]) begin
      if (l_kinds[3*j +: 3] == OVER) within = 1'b0;
      else if (l_kinds[3*j +: 3] != SLIDER && l_kinds[3*j +: 3] != KNIGHT) within = 1'b1;
      else if (within || !l_holds[j]) agrees = 1'b0;
      overs = overs + {3'd0, l_kinds[3*j +: 3] == OVER};
    end
    if (within && !f_some) agrees = 1'b0;
    for (j = 1; j < 4; j = j + 1)
      for (i = 0; i < j; i = i + 1) if (l_holds[j] && l_valid[i]) agrees = 1'b0;
  end

  wire [3:0]  left = \u_dut.u_emit.axes_left_q ;
  wire        whole = \u_dut.u_emit.pick_kind == KING || (\u_dut.u_emit.pick_kind >= SLIDER && \u_dut.u_emit.pick_kind <= OVER);
  always @* if (f_started && !rst) begin
    assume (! \u_dut.entry_valid || well(q));
    assume (!take || !q_lead || !f_some);
    a_fresh: assert (\u_dut.u_emit.fresh_q || (\u_dut.entry_valid && left != 4'd0 && \u_dut.u_emit.axes_one_q == one(left)
                     && (left & ~q[41:38]) == 4'd0 && (left & -q[41:38] & q[41:38]) == 4'd0));
    a_whole: assert (!(\u_dut.u_emit.pick_promotes || ! \u_dut.u_emit.pick_one ) || (\u_dut.u_emit.pick_valid && !whole));
    a_over: assert (f_over == overs);
    a_agrees: assert (agrees);
    a_moves: assert (\u_dut.u_emit.count_q == (!m_valid ? f_count : m_last ? 9'd0 : f_count + 9'd1));
    if (m_valid) begin
      a_counts: assert (m_count == f_count);
      a_last: assert (!m_last || m_index == 11'd2047);
      a_mate: assert ({m_mate, m_stalemate} == (m_last && f_count == 9'd0 ? {m_check, !m_check} : 2'b00));
      a_same: assert (!f_in || m_check == f_check);
    end
    a_wait: assert (!f_stall || (m_valid && beat == f_beat));
  end

endmodule

`resetall
