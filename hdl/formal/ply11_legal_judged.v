// SPDX-License-Identifier: Apache-2.0
// The verdicts of ply11_legal, of any position in which the side to move has one king, and any operation. The board shows the
// position in one clock; in the next it shows what ply11_judge makes of it, with the judge's beat. ply11_legal then gives the beat
// and the position that ply11_verdict says: a move that is not legal has error 7, its reason and no pieces, and the position before
// it; all else is as the board has it. It comes after 6 clocks, castling after 8. Any beat is just ahead of it, which may be castling
// and take two more; it is not one that is refused. Any beats follow, with any positions. Nothing waits. ok is 0 where that fails.
// The operation has the tag 1, the others 0.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_legal_judged (
  input  wire         clk,
  input  wire [255:0] any_pieces,
  input  wire [5:0]   any_throne,
  input  wire         any_side,
  input  wire [3:0]   any_rights,
  input  wire [3:0]   any_ep,
  input  wire [15:0]  any_ply,
  input  wire [1:0]   any_op,
  input  wire [10:0]  any_index,
  // The beats before and after it, and the positions that follow.
  input  wire         o_valid,
  input  wire [1:0]   o_op,
  input  wire [2:0]   o_error,
  input  wire [5:0]   o_from,
  input  wire [5:0]   o_to,
  input  wire [2:0]   o_promotion,
  input  wire [3:0]   o_piece,
  input  wire [3:0]   o_captured,
  input  wire [280:0] o_position,
  output wire         ok
);

  // 0 resets, 1 shows the position before, 2 the one after.
  reg  [3:0]   f_time;
  initial f_time = 4'd0;
  reg  [255:0] pieces;
  reg  [5:0]   throne;           // of the king of who moves
  reg          side;
  reg  [3:0]   rights, ep;
  reg  [15:0]  ply;
  reg  [1:0]   op;
  reg  [10:0]  index;
  always @(posedge clk) begin
    if (f_time != 4'd15) f_time <= f_time + 4'd1;
    if (f_time == 4'd0)
      {pieces, throne, side, rights, ep, ply, op, index}
        <= {any_pieces, any_throne, any_side, any_rights, any_ep, any_ply, any_op, any_index};
  end

  // Every square holds a piece or nothing, and the king of who moves stands once.
  wire [255:0] before;
  genvar s;
  generate
    for (s = 0; s < 64; s = s + 1) begin : g_square
      wire [3:0] any = pieces[4*s +: 4];
      assign before[4*s +: 4] = throne == s ? {side, 3'd1}
                                : any[2:0] == 3'd7 || any == 4'd8 || any == {side, 3'd1} ? 4'd0 : any;
    end
  endgenerate

  wire [2:0]   error;
  wire [14:0]  move;
  wire [3:0]   piece, captured, rights_after, ep_after, reason;
  wire [255:0] after;
  wire         side_after;
  wire [15:0]  ply_after;
  ply11_judge u_judge (
    .op(op), .index(index), .board(before), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .error(error), .move(move), .piece(piece), .captured(captured), .board_after(after),
    .side_after(side_after), .rights_after(rights_after), .ep_after(ep_after), .ply_after(ply_after)
  );
  wire [5:0]   from = move[5:0], to = move[11:6];
  wire         walks = piece[2:0] == 3'd1;
  wire         castles = walks && from[2:0] == 3'd4 && to[1:0] == 2'd2;
  ply11_verdict u_verdict (
    .before(before), .side(side), .ep(ep), .from(from), .to(to), .piece(piece), .after(after), .king(walks ? to : throne),
    .reason(reason)
  );
  wire         illegal = piece != 4'd0 && reason != 4'd0;

  wire [280:0] first = {before, side, rights, ep, ply};
  wire [280:0] second = {after, side_after, rights_after, ep_after, ply_after};
  wire         now = f_time == 4'd2;
  wire [280:0] shown = f_time < 4'd2 ? first : now ? second : o_position;

  wire         s_ready, m_valid, m_user, m_side;
  wire [1:0]   m_op;
  wire [2:0]   m_error, m_promotion;
  wire [3:0]   m_reason, m_piece, m_captured, m_rights, m_ep;
  wire [5:0]   m_from, m_to;
  wire [255:0] m_board;
  wire [15:0]  m_ply;
  ply11_legal #(.USER_WIDTH(1)) u_dut (
    .clk(clk), .rst(f_time == 4'd0),
    .s_valid(now || o_valid), .s_ready(s_ready), .s_op(now ? op : o_op), .s_user(now), .s_error(now ? error : o_error),
    .s_from(now ? from : o_from), .s_to(now ? to : o_to), .s_promotion(now ? move[14:12] : o_promotion),
    .s_piece(now ? piece : o_piece), .s_captured(now ? captured : o_captured),
    .board_next(1'b0), .board_load_ready(1'b0), .load_ready(),
    .board(shown[280:25]), .side(shown[24]), .rights(shown[23:20]), .ep(shown[19:16]), .ply(shown[15:0]),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(1'b1), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_board(m_board), .m_side(m_side), .m_rights(m_rights), .m_ep(m_ep), .m_ply(m_ply)
  );

  reg          f_ahead;          // a beat was just ahead
  localparam [2:0] ERR_STOPPED = 3'd7;

  reg          f_refused;        // it has ERR_STOPPED
  reg          f_came;
  wire         mine = m_valid && m_user;
  always @(posedge clk) begin
    if (f_time == 4'd0) {f_ahead, f_refused, f_came} <= 3'd0;
    else begin
      if (f_time == 4'd1) f_ahead <= o_valid;
      if (m_valid && m_error == ERR_STOPPED) f_refused <= 1'b1;
      if (mine) f_came <= 1'b1;
    end
  end
  wire [3:0]   due = castles ? 4'd10 : 4'd8;
  wire         right = {m_op, m_promotion, m_to, m_from} == {op, move}
                       && m_error == (illegal ? ERR_STOPPED : error) && m_reason == (illegal ? reason : 4'd0)
                       && {m_piece, m_captured} == (illegal ? 8'd0 : {piece, captured})
                       && {m_board, m_side, m_rights, m_ep, m_ply} == (illegal ? first : second);
  assign ok = f_time < 4'd2 || f_refused || f_came
    || ((!now || s_ready)
        && (mine ? right && (f_time == due || (f_ahead && f_time == due + 4'd2))
                 : f_time != due + {2'd0, f_ahead, 1'b0}));

endmodule

`resetall
