// SPDX-License-Identifier: Apache-2.0
// ply11_board - a chess board: it applies one move index a clock and shows the position after it.
//
// Throughput: one operation a clock, of any kind, without a gap.
// Latency: an operation that is accepted in clock t is offered in clock t + 9 (nine register stages).
// Handshake: all stages move together, in each clock in which `en` = !m_valid || m_ready is 1. s_ready is `en`
// (combinational from m_ready). m_valid and all outputs are registers. They do not change while m_valid
// is 1 and m_ready is 0.  Every accepted operation gives one output beat, in order, unless it is hushed.
//
// next_valid and next_op show the operation in the stage before the outputs. The next clock with s_ready
// gives its beat.  If hush is 1 in that clock, the beat is left out: m_valid stays 0. Nothing else changes.
//
// Operations (s_op):
//   0  MOVE  apply s_index to the position.  1972 is the null move: the other side is to move, there
//            is no en passant file, and the ply counts.  A move that is refused changes nothing.
//            With STOP 1, the moves after a refused one change nothing either, until the next NEW.
//   1  NEW   the usual initial position, ply 0; s_index is ignored.
//   2  PASS  changes nothing. Its beat carries s_user, in its place among the others.
//   3        reserved, as PASS.
// rst works as a NEW without an output beat.
//
// Output beat: m_op and m_user are those of the operation; m_error is its error.  An applied move that is not
// null has m_from, m_to, m_promotion (the index, decoded), m_piece (the piece that stood on the
// from-square) and m_captured (0 if nothing; en passant the pawn).  A refused move with an index below
// 1968 has m_from, m_to and m_promotion. Where these five say nothing, they are 0.
// board, side, rights, ep and ply are the position after the operation of the last beat that was offered.
// A new position appears in the same clock as its m_valid.
//
// m_error is 0 if nothing is wrong, else the first of these that is true:
//   7  only with STOP 1: a move or null move after one that was refused, without a NEW between them; it
//      changes nothing
//   6  a control or reserved code other than the null move
//   1  the from-square is empty          2  an opponent's piece stands there
//   3  a piece of the same side stands on the to-square
//   4  not a move of that piece: it does not go that way; a pawn that pushes to an occupied square, captures
//      nothing, goes backward, or reaches the last rank by an index without promotion; a capture of
//      a king
//   5  castling (own king e1-g1, e1-c1, e8-g8, e8-c8) without the right or with a piece between
// The module does not look for check, nor for pieces between from and to (ply11_legal does).
// En passant: a pawn on its fifth rank captures to the en passant file, on an empty square. The piece that
// it removes is not looked at.  Rights: a move from or to e1, a1, h1, e8, a8 or h8 takes away the rights of
// that king or rook, for good.  Castling needs the right; the rook is not looked at.
// Every double step of a pawn sets the en passant file, and every other move clears it.  Ply counts applied
// moves and wraps at 65,536.
//
// Loading: a beat of the load port is accepted in a clock in which load_valid and load_ready are 1. load_ready
// is 1 if `en` is and no operation stands in the first six stages.  The beat takes effect after all operations
// accepted before it, and before one accepted in the same clock.  load_addr 0..7: rank 1..8, piece on file f at
// load_data[4*f +: 4].  load_addr 8: {ply 16, en passant 4, rights q k Q K 4, side 1} in
// load_data[24:0]; bit 0 of the rights is K.  Other addresses are ignored.  The outputs show it three
// clocks later.
//
// Pipeline, a clock for each stage: a index, b wraps, c from and step, d from and to, r reads the ranks of from
// and to, g their files of those, x check, w write, o output.  The end of w writes the board and the state
// (side, rights, en passant, ply), which are the outputs.
// So what an operation reads at r is too old: the three operations before it are not in it.  While it stands in
// d, r and g, the operation three, two and one ahead stands in x. There the squares are compared. A clock
// later that operation is in w, and it is known whether it is applied (w_ok). If it is, what it put or cleared
// takes the place of what was read.  Of the operation just ahead, x needs to know only that a square was put
// or cleared.  This holds for every operation, applied or not, so refused moves, null moves and moves out of
// turn need no rules of their own.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board #(
  // Bits of the tag that travels with an operation, 1 or more.
  parameter USER_WIDTH = 1,
  // 1: after a move that is refused nothing is applied until the next NEW.
  parameter STOP = 0
) (
  input  wire                  clk,          // the clock; all ports belong to its rising edge
  input  wire                  rst,          // synchronous reset, active high

  input  wire                  s_valid,      // 1: an operation is offered
  output wire                  s_ready,      // 1: the operation is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [1:0]            s_op,         // 0 MOVE, 1 NEW, 2 PASS, 3 as PASS
  input  wire [10:0]           s_index,      // of MOVE: the index of a move, or 1972, the null move
  input  wire [USER_WIDTH-1:0] s_user,       // tag: comes out with the beat of this operation

  input  wire                  load_valid,   // 1: a word of a position is offered
  output wire                  load_ready,   // 1: the word is taken in this clock if load_valid is 1 [from m_ready]
  input  wire [3:0]            load_addr,    // 0..7 rank 1..8, 8 the state
  input  wire [31:0]           load_data,  // rank: the piece on file f at 4*f +: 4; state: {ply, ep, rights, side}

  output wire                  next_valid,   // 1: an operation stands in the stage before the outputs
  output wire [1:0]            next_op,      // its s_op
  input  wire                  hush,         // 1: that operation gives no beat

  output wire                  m_valid,      // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire                  m_ready,      // 1: the beat is taken in this clock if m_valid is 1
  output reg  [1:0]            m_op,         // s_op of the operation
  output reg  [USER_WIDTH-1:0] m_user,       // its s_user
  output reg  [2:0]            m_error,      // 0, or why the move is refused, 1..7
  output reg  [5:0]            m_from,       // of a move: square, 0 a1 .. 63 h8
  output reg  [5:0]            m_to,         // of a move: square, 0 a1 .. 63 h8
  output reg  [2:0]            m_promotion,  // of a move: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
  output reg  [3:0]            m_piece,    // of an applied move: the piece as it stood on m_from
  output reg  [3:0]            m_captured,   // of an applied move: what it took, or 0

  output reg  [255:0]          board,      // piece on square s at 4*s +: 4: 0 none, 1 king .. 6 pawn, 8 more for Black
  output reg                   side,         // side to move: 0 White, 1 Black
  output reg  [3:0]            rights,       // castling rights {q, k, Q, K}
  output reg  [3:0]            ep,           // en passant: 0 none, 1..8 the file of the pawn that stepped twice
  output reg  [15:0]           ply           // plies played, modulo 65,536
);

  generate
    if (USER_WIDTH < 1) begin : g_check_user_width
      ply11_board_user_width_is_1_or_more u_check ();
    end
    if (STOP < 0 || STOP > 1) begin : g_check_stop
      ply11_board_stop_is_0_or_1 u_check ();
    end
  endgenerate

  localparam [1:0] OP_MOVE = 2'd0;
  localparam [1:0] OP_NEW  = 2'd1;
  localparam [2:0] ERR_EMPTY = 3'd1, ERR_OPPONENT = 3'd2, ERR_OWN = 3'd3, ERR_GEOMETRY = 3'd4,
                   ERR_CASTLING = 3'd5, ERR_CODE = 3'd6, ERR_STOPPED = 3'd7;
  localparam [10:0] CODE_NULL = 11'd1972;

  reg a_valid, b_valid, c_valid, d_valid, r_valid, g_valid, x_valid, w_valid, o_valid;
  reg busy_q;                                 // an operation in one of the first six
  reg o_free;                                 // !o_valid, for those from whom it is far
  wire en = !o_valid || m_ready;
  wire step = o_free || m_ready || rst;       // en || rst, without waiting for en
  assign s_ready = en;
  assign m_valid = o_valid;
  assign next_valid = w_valid;
  assign load_ready = en && !busy_q;
  wire load = load_valid && !busy_q;          // where en is 1

  always @(posedge clk) begin
    if (step) begin
      busy_q  <= s_valid || a_valid || b_valid || c_valid || d_valid || r_valid;
      a_valid <= s_valid;
      b_valid <= a_valid;
      c_valid <= b_valid;
      d_valid <= c_valid;
      r_valid <= d_valid;
      g_valid <= r_valid;
      x_valid <= g_valid;
      w_valid <= x_valid;
      o_valid <= w_valid && !hush;
      o_free  <= !w_valid || hush;
    end
    if (rst) begin
      busy_q  <= 1'b1;
      a_valid <= 1'b0;
      b_valid <= 1'b0;
      c_valid <= 1'b0;
      d_valid <= 1'b0;
      r_valid <= 1'b0;
      g_valid <= 1'b0;
      x_valid <= 1'b0;
      w_valid <= 1'b0;
      o_valid <= 1'b0;
      o_free  <= 1'b1;
    end
  end

  // The tag and the operation travel along.
  reg [1:0] a_op, b_op, c_op, d_op, r_op, g_op, x_op, w_op;
  assign next_op = w_op;
  reg [USER_WIDTH-1:0] a_user, b_user, c_user, d_user, r_user, g_user, x_user, w_user;

  always @(posedge clk) if (en) begin
    {a_op, a_user} <= {s_op, s_user};
    {b_op, b_user} <= {a_op, a_user};
    {c_op, c_user} <= {b_op, b_user};
    {d_op, d_user} <= {c_op, c_user};
    {r_op, r_user} <= {d_op, d_user};
    {g_op, g_user} <= {r_op, r_user};
    {x_op, x_user} <= {g_op, g_user};
    {w_op, w_user} <= {x_op, x_user};
    {m_op, m_user} <= {w_op, w_user};
  end

  // ---- a to b: which coordinates wrap (docs/INDEX.md; the arithmetic is that of ply11_decode) ----
  reg [10:0] a_index;
  always @(posedge clk) if (en) a_index <= s_index;

  wire [2:0] a_n = a_index[10:8];            // steps - 1
  wire [2:0] a_r = a_index[5:3];
  wire [2:0] a_f = a_index[2:0];
  wire [1:0] a_axis = a_index[7:6];
  wire       a_wr = a_n >= ~a_r;
  wire       a_wf = a_n >= (a_f ^ {3{~a_axis[1]}});
  wire       a_promo = &a_n;

  // Promotions: j + 1 = 3*file + (file step + 1).
  wire [4:0] a_j = {a_axis, a_r[2:1], a_f[0]};
  reg  [2:0] a_pf;
  reg  [1:0] a_ps;
  always @* begin
    case (a_j)
      5'd0, 5'd1:          a_pf = 3'd0;
      5'd2, 5'd3, 5'd4:    a_pf = 3'd1;
      5'd5, 5'd6, 5'd7:    a_pf = 3'd2;
      5'd8, 5'd9, 5'd10:   a_pf = 3'd3;
      5'd11, 5'd12, 5'd13: a_pf = 3'd4;
      5'd14, 5'd15, 5'd16: a_pf = 3'd5;
      5'd17, 5'd18, 5'd19: a_pf = 3'd6;
      5'd20, 5'd21:        a_pf = 3'd7;
      default:             a_pf = 3'bxxx;
    endcase
    // The step less one: -2, -1 or 0, in two bits (sign and low bit).
    case (a_j)
      5'd2, 5'd5, 5'd8, 5'd11, 5'd14, 5'd17, 5'd20:       a_ps = 2'b10;
      5'd0, 5'd3, 5'd6, 5'd9, 5'd12, 5'd15, 5'd18, 5'd21: a_ps = 2'b11;
      5'd1, 5'd4, 5'd7, 5'd10, 5'd13, 5'd16, 5'd19:       a_ps = 2'b00;
      default:                                            a_ps = 2'bxx;
    endcase
  end

  reg  [10:0] b_index;
  reg  [2:0]  b_pf;
  reg  [1:0]  b_ps;
  reg         b_wr, b_wf, b_knight, b_promo;
  always @(posedge clk) if (en) begin
    b_index  <= a_index;
    b_wr     <= a_wr;
    b_wf     <= a_wf;
    b_knight <= a_axis[0] && (a_wr ^ a_wf) && !a_promo;
    b_promo  <= a_promo;
    {b_pf, b_ps} <= {a_pf, a_ps};
  end

  // ---- b to c: the from-square and the steps, less one ----
  wire [2:0] b_n = b_index[10:8];
  wire [2:0] b_r = b_index[5:3];
  wire [2:0] b_f = b_index[2:0];
  wire [1:0] b_axis = b_index[7:6];
  wire       b_m  = ~b_axis[1];
  wire [2:0] b_fm = b_f ^ {3{b_m}};
  wire [2:0] b_rm = b_r ^ {3{b_m}};
  wire       b_q  = b_n[2] ^ b_wr;
  wire [1:0] b_h  = {(b_n[1] ^ b_n[2]) & ~(b_n[2] & b_n[0]), b_n[0]};
  wire       b_a1 = b_h == 2'd0 && b_q;
  wire       b_a7 = b_h == 2'd0 && !b_q;
  wire       b_a2 = b_h == 2'd1 && b_q;
  wire       b_a6 = b_h == 2'd1 && !b_q;
  wire       b_a3 = b_h == 2'd2 && b_q;
  wire       b_a5 = b_h == 2'd2 && !b_q;
  wire       b_even = b_h == 2'd2 || b_a6;    // one file and two ranks
  wire [2:0] b_kf, b_kr;
  assign b_kf[2] = b_a3 ? b_f[2] : (b_a6 | b_a7) ? ~b_f[2] : b_a1 ? ~b_rm[2] : b_rm[2];
  assign b_kf[1] = (b_a3 | b_a7) ? b_f[1] : b_a6 ? b_f[0] : b_a2 ? b_rm[0] : b_rm[1];
  assign b_kf[0] = (b_a3 | b_a2) ? b_f[0] : (b_a6 | b_a7) ? ~b_f[0] : b_rm[0];
  assign b_kr[2] = b_a2 ? ~b_r[2] : b_a1 ? b_fm[2] : b_a5 ? ~b_fm[1] : b_r[2];
  assign b_kr[1] = (b_a3 | b_a6 | b_a7) ? b_r[1] : b_a2 ? b_fm[2] : b_fm[1];
  assign b_kr[0] = (b_a3 | b_a6 | b_a7) ? b_r[0] : b_a2 ? b_fm[1] : b_a5 ? ~b_fm[0] : b_fm[0];

  wire b_black = b_r[0];

  reg  [2:0] c_ff, c_fr, c_sf, c_sr;
  reg        c_nw, c_ctl, c_null, c_promo, c_knight, c_straight, c_bishop, c_near, c_far, c_south;
  reg  [1:0] c_axis, c_kind;
  always @(posedge clk) if (en) begin
    c_ff <= b_promo ? b_pf : b_knight ? b_kf : b_f;
    c_fr <= b_promo ? {~b_black, ~b_black, b_black} : b_knight ? b_kr : b_r;
    c_sf <= b_promo ? {b_ps[1], b_ps[1], b_ps[0]} : b_axis == 2'd2 ? 3'd7
            : b_knight ? {~b_wr, ~b_wr & b_even, ~b_even} : b_n;
    c_sr <= b_promo ? {b_black, b_black, 1'b0} : b_axis == 2'd0 ? 3'd7
            : b_knight ? {b_wr, b_wr & ~b_even, b_even} : b_n;
    c_nw <= b_axis == 2'd3 && !b_promo;
    // Control codes are 1968 = 1792 + 11*16 and above.
    c_ctl <= b_promo && b_axis[1] && (b_axis[0] || (b_r[2] && b_r[1]));
    c_null <= b_promo && b_index[7:0] == CODE_NULL[7:0];
    c_promo <= b_promo;
    c_kind <= b_f[2:1];
    c_knight <= b_knight;
    c_straight <= !b_axis[0] && !b_promo;
    c_bishop <= b_axis[0] && !b_knight && !b_promo;
    // One step, or seven the other way; two ranks or files, or six the other way.
    c_near <= !b_promo && !b_knight
              && (b_n == 3'd0 ? !(b_axis[0] || b_axis[1] ? b_wr : b_wf)
                              : b_n == 3'd6 && (b_axis[0] || b_axis[1] ? b_wr : b_wf));
    c_far  <= b_n == 3'd1 || b_n == 3'd5;
    c_south <= b_promo ? b_black : b_wr;
    c_axis <= b_axis;
  end

  // ---- c to d: the target ----
  wire [2:0] c_tf = ((c_ff ^ {3{c_nw}}) + c_sf + 3'd1) ^ {3{c_nw}};
  wire [2:0] c_tr = c_fr + c_sr + 3'd1;

  reg  [2:0] d_ff, d_fr, d_tf, d_tr;
  reg        d_ctl, d_null, d_promo, d_knight, d_rook, d_bishop, d_king, d_south, d_push, d_take;
  reg        d_castle;
  reg  [1:0] d_kind;
  always @(posedge clk) if (en) begin
    {d_ff, d_fr, d_tf, d_tr} <= {c_ff, c_fr, c_tf, c_tr};
    d_ctl <= c_ctl;
    d_null <= c_null;
    d_promo <= c_promo;
    d_kind <= c_kind;
    d_knight <= c_knight;
    d_rook <= c_straight;
    d_bishop <= c_bishop;
    d_king <= c_near;
    d_south <= c_south;
    // A pawn's push: a promotion on its file; one step not onto the last rank; two from its second.
    d_push <= c_promo ? c_sf == 3'd7
            : c_axis == 2'd2 && (c_near ? c_fr != (c_south ? 3'd1 : 3'd6)
                                        : c_far && c_sr[2] == c_south && c_fr == (c_south ? 3'd6 : 3'd1));
    d_take <= c_promo ? c_sf != 3'd7
            : c_axis[0] && c_near && c_fr != (c_south ? 3'd1 : 3'd6);
    // A king's castling: two files from e1 or e8.
    d_castle <= c_axis == 2'd0 && c_far && !c_promo && c_ff == 3'd4
                && (c_fr == 3'd0 || c_fr == 3'd7);
  end

  // ---- d to r: select lines ----
  function [7:0] onehot(input [2:0] n);
    onehot = 8'd1 << n;
  endfunction

  // The piece of the initial position.
  function [3:0] initial_piece(input [2:0] f, input [2:0] r);
    begin
      case (r)
        3'd1: initial_piece = 4'd6;
        3'd6: initial_piece = 4'd14;
        3'd0, 3'd7: begin
          initial_piece[3] = r[0];
          case (f)
            3'd0, 3'd7: initial_piece[2:0] = 3'd5;
            3'd1, 3'd6: initial_piece[2:0] = 3'd3;
            3'd2, 3'd5: initial_piece[2:0] = 3'd4;
            3'd3:       initial_piece[2:0] = 3'd2;
            default:    initial_piece[2:0] = 3'd1;
          endcase
        end
        default: initial_piece = 4'd0;
      endcase
    end
  endfunction

  // NEW on its way.
  reg        r_new, g_new, x_new;
  reg        d_fresh;                         // one of the three operations before that in d
  reg        r_fresh;                         // ... before that in r: the board comes with them
  // The squares of the operation in x do not count for that in d, r, g: it is a null move, or the board
  // has been made anew since.
  reg        d_mute, r_mute, g_mute;
  reg        g_null;                          // a null move in g
  always @(posedge clk) begin
    if (step) begin
      r_new <= d_valid && d_op == OP_NEW;
      g_new <= r_new;
    end
    if (en) begin
      x_new <= g_new;
      d_fresh <= (d_valid && d_op == OP_NEW) || r_new || g_new;
      r_fresh <= d_fresh;
      d_mute <= (d_valid && d_op == OP_NEW) || r_new || g_new || g_null;
      r_mute <= r_new || g_new || g_null;
      g_mute <= g_new || g_null;
    end
    if (rst) begin
      r_new <= 1'b0;
      g_new <= 1'b1;
    end
  end

  // The operation in x, and what is known of it in w.
  reg  [2:0] x_ff, x_fr, x_tf, x_tr;
  reg  [3:0] x_lost;                          // rights that its squares touch
  reg  [2:0] x_sf;                            // file of the second square that it may clear
  wire       x_castled;
  reg        w_ok, w_second;
  reg  [3:0] w_piece;
  wire [3:0] w_rook = {w_piece[3], 3'd5};

  // How the square {r, f} meets the operation in x: {second, rook, put, any but second}.  The second
  // square that is cleared is the rook's corner or that of the pawn taken en passant, and stands, as
  // the square where the rook is put, on the rank from which the operation moves.
  function [3:0] meet(input [2:0] f, input [2:0] r, input [2:0] pff, input [2:0] pfr,
                      input [2:0] ptf, input [2:0] ptr, input [2:0] psf, input castled);
    reg same_rank;
    begin
      same_rank = r == pfr;
      meet[1] = r == ptr && f == ptf;
      meet[2] = castled && same_rank && f == (ptf[2] ? 3'd5 : 3'd3);
      meet[0] = (same_rank && f == pff) || meet[1] || meet[2];
      meet[3] = same_rank && f == psf;
    end
  endfunction

  reg  [2:0] r_ff, r_fr, r_tf, r_tr;
  reg  [7:0] r_ffs, r_frs, r_tfs, r_trs;      // one-hot
  reg        r_ctl, r_null, r_promo, r_knight, r_rook, r_bishop, r_king, r_south, r_push, r_take;
  reg        r_castle, r_ep;
  reg  [1:0] r_kind;
  // Pieces of the initial position, if that is what one of the three operations before brings.
  reg  [3:0] r_fi, r_ti;
  reg  [3:0] r_f3, r_t3;                      // from and to meet the third before

  always @(posedge clk) if (en) begin
    {r_ff, r_fr, r_tf, r_tr} <= {d_ff, d_fr, d_tf, d_tr};
    r_ffs <= onehot(d_ff);
    r_frs <= onehot(d_fr);
    r_tfs <= onehot(d_tf);
    r_trs <= onehot(d_tr);
    {r_ctl, r_null, r_promo, r_kind} <= {d_ctl, d_null, d_promo, d_kind};
    {r_knight, r_rook, r_bishop, r_king} <= {d_knight, d_rook, d_bishop, d_king};
    {r_south, r_push, r_take, r_castle} <= {d_south, d_push, d_take, d_castle};
    r_ep <= d_take && !d_promo && d_fr == (d_south ? 3'd3 : 3'd4);
    r_fi <= initial_piece(d_ff, d_fr);
    r_ti <= initial_piece(d_tf, d_tr);
    if (!d_fresh) {r_fi, r_ti} <= 8'd0;
    r_f3 <= meet(d_ff, d_fr, x_ff, x_fr, x_tf, x_tr, x_sf, x_castled);
    r_t3 <= meet(d_tf, d_tr, x_ff, x_fr, x_tf, x_tr, x_sf, x_castled);
    if (d_mute) {r_f3, r_t3} <= 8'd0;
  end

  // ---- r to g: read the ranks ----
  function [31:0] rank_of(input [255:0] pieces, input [7:0] ranks);
    integer r;
    begin
      rank_of = 32'd0;
      for (r = 0; r < 8; r = r + 1)
        rank_of = rank_of | (pieces[32*r +: 32] & {32{ranks[r]}});
    end
  endfunction

  wire       r_fuse = r_fresh || (w_ok && (r_f3[0] || (w_second && r_f3[3])));
  wire       r_tuse = r_fresh || (w_ok && (r_t3[0] || (w_second && r_t3[3])));
  wire [3:0] r_fnew = ({4{w_ok && r_f3[1]}} & w_piece) | ({4{w_ok && r_f3[2]}} & w_rook) | r_fi;
  wire [3:0] r_tnew = ({4{w_ok && r_t3[1]}} & w_piece) | ({4{w_ok && r_t3[2]}} & w_rook) | r_ti;

  // The squares of the rank; all but that of the file are 0, by the reset of their flip-flops.
  reg  [31:0] g_frow, g_trow;
  wire [31:0] r_frow = rank_of(board, r_frs);
  wire [31:0] r_trow = rank_of(board, r_trs);
  integer i;
  always @(posedge clk) if (en) begin
    for (i = 0; i < 8; i = i + 1) begin
      if (r_ffs[i]) g_frow[4*i +: 4] <= r_frow[4*i +: 4];
      else g_frow[4*i +: 4] <= 4'd0;
      if (r_tfs[i]) g_trow[4*i +: 4] <= r_trow[4*i +: 4];
      else g_trow[4*i +: 4] <= 4'd0;
    end
  end

  // Castling: of the squares b, c, d or f, g between king and rook, number j = 1..3 is on file
  // {wing, j}.  {entered, left 3, 2, 1}: whether the operation in x does so with them.
  function [3:0] between(input wing, input [2:0] r, input [2:0] pff, input [2:0] pfr,
                         input [2:0] ptf, input [2:0] ptr);
    reg left;
    begin
      left = r == pfr && wing == pff[2];
      between[0] = left && pff[1:0] == 2'd1;
      between[1] = left && pff[1:0] == 2'd2;
      between[2] = left && pff[1:0] == 2'd3;
      between[3] = r == ptr && wing == ptf[2] && ptf[1:0] != 2'd0 && !(wing && ptf[1:0] == 2'd3);
    end
  endfunction

  reg        g_try;                           // to be applied or refused
  always @(posedge clk) begin
    if (step) begin
      g_try <= r_valid && r_op == OP_MOVE && !r_null;
      g_null <= r_valid && r_op == OP_MOVE && r_null;
    end
    if (rst) begin
      g_try <= 1'b0;
      g_null <= 1'b0;
    end
  end
  reg  [2:0] g_ff, g_fr, g_tf, g_tr;
  reg  [7:0] g_ffs, g_frs, g_tfs, g_trs;
  reg        g_ctl, g_promo, g_knight, g_rook, g_bishop, g_king, g_south, g_push, g_take;
  reg        g_castle, g_ep;
  reg  [1:0] g_kind;
  reg        g_fuse3, g_tuse3;                // the third before or the initial position ...
  reg  [3:0] g_fnew, g_tnew;                  // ... has this there
  reg  [3:0] g_f2, g_t2;                      // from and to meet the second before
  reg  [2:0] g_left2;                         // ... squares between king and rook that it leaves
  reg        g_spoilt2;                       // ... it enters one or the right is lost by it
  wire [3:0] r_wing = {r_fr[0] && !r_tf[2], r_fr[0] && r_tf[2], !r_fr[0] && !r_tf[2], !r_fr[0] && r_tf[2]}
                      & {4{r_castle}};        // castling of {q, k, Q, K}
  reg  [3:0] g_wing;
  reg  [3:0] g_tf1;
  always @(posedge clk) if (en) begin
    {g_ff, g_fr, g_tf, g_tr} <= {r_ff, r_fr, r_tf, r_tr};
    {g_ffs, g_frs, g_tfs, g_trs} <= {r_ffs, r_frs, r_tfs, r_trs};
    g_tf1 <= {1'b0, r_tf} + 4'd1;
    {g_ctl, g_promo, g_kind} <= {r_ctl, r_promo, r_kind};
    {g_knight, g_rook, g_bishop, g_king} <= {r_knight, r_rook, r_bishop, r_king};
    {g_south, g_push, g_take, g_castle, g_ep} <= {r_south, r_push, r_take, r_castle, r_ep};
    g_wing <= r_wing;
    {g_fuse3, g_fnew} <= {r_fuse, r_fnew};
    {g_tuse3, g_tnew} <= {r_tuse, r_tnew};
    g_f2 <= meet(r_ff, r_fr, x_ff, x_fr, x_tf, x_tr, x_sf, x_castled);
    g_t2 <= meet(r_tf, r_tr, x_ff, x_fr, x_tf, x_tr, x_sf, x_castled);
    if (r_mute) {g_f2, g_t2} <= 8'd0;
    {g_spoilt2, g_left2} <= between(r_tf[2], r_fr, x_ff, x_fr, x_tf, x_tr);
    if (|(r_wing & x_lost)) g_spoilt2 <= 1'b1;
    if (r_mute) {g_spoilt2, g_left2} <= 4'd0;
    if (r_null) g_trs <= 8'd0;
  end

  // ---- g to x: read the files ----
  function [3:0] file_of(input [31:0] row);
    file_of = (row[3:0] | row[7:4] | row[11:8] | row[15:12])
              | (row[19:16] | row[23:20] | row[27:24] | row[31:28]);
  endfunction

  wire       g_fuse = w_ok && (g_f2[0] || (w_second && g_f2[3]));
  wire       g_tuse = w_ok && (g_t2[0] || (w_second && g_t2[3]));
  wire [3:0] g_fpiece = g_fuse ? (g_f2[1] ? w_piece : g_f2[2] ? w_rook : 4'd0)
                      : g_fuse3 ? g_fnew : file_of(g_frow);
  wire [3:0] g_tpiece = g_tuse ? (g_t2[1] ? w_piece : g_t2[2] ? w_rook : 4'd0)
                      : g_tuse3 ? g_tnew : file_of(g_trow);

  // Whether pieces stand on the squares between king and rook, up to the second before.
  function filled(input [255:0] pieces, input [5:0] square);
    filled = |pieces[4*square +: 3];
  endfunction
  wire [2:0] g_between;
  assign g_between[0] = (g_wing[1] && filled(board, 6'd1)) || (g_wing[0] && filled(board, 6'd5))
                        || (g_wing[3] && filled(board, 6'd57)) || (g_wing[2] && filled(board, 6'd61));
  assign g_between[1] = (g_wing[1] && filled(board, 6'd2)) || (g_wing[0] && filled(board, 6'd6))
                        || (g_wing[3] && filled(board, 6'd58)) || (g_wing[2] && filled(board, 6'd62));
  assign g_between[2] = (g_wing[1] && filled(board, 6'd3)) || (g_wing[3] && filled(board, 6'd59));

  reg        w_init, w_state, w_load, w_still;
  reg  [3:0] w_ep;
  // Of a load, the state comes with w_ok 0, a rank with w_ok 1.
  wire       w_change = w_ok ^ w_load;
  wire [3:0] w_nextep = w_change ? w_ep : ep;

  reg  [7:0] x_ffs, x_frs, x_tfs, x_trs;
  reg        x_ctl, x_promo, x_knight, x_rook, x_bishop, x_king, x_south, x_push, x_take;
  reg        x_castle, x_short, x_long;       // castling, to the g-file, to the c-file, if it is a king's
  reg        x_epc, x_double;
  reg  [1:0] x_kind;
  reg  [3:0] x_fpiece, x_tpiece;              // up to the second before
  reg  [3:0] x_f1, x_t1;                      // from and to meet the one before
  reg        x_t1king;                        // ... which puts a king on the target
  reg  [2:0] x_between;                       // filled up to the second before
  reg        x_blocked;                       // ... castling is known to be impossible
  reg  [2:0] x_left1;                         // the one before leaves them
  reg        x_spoilt1;                       // ... enters one, or takes the right
  reg        x_ep0, x_ep1;                    // the en passant file of the second, of the one before
  reg        x_try, x_move, x_load, x_state, x_force;
  reg        x_whole;                         // a rank loaded, or all of them new
  reg  [31:0] x_data;
  reg  [3:0]  x_tf1;
  wire        x_pawns = x_fpiece[2:0] == 3'd6;
  wire        x_kings = x_fpiece[2:0] == 3'd1;
  always @(posedge clk) if (en) begin
    {x_ff, x_fr, x_tf, x_tr} <= {g_ff, g_fr, g_tf, g_tr};
    {x_ffs, x_frs, x_tfs} <= {g_ffs, g_frs, g_tfs};
    x_trs <= busy_q ? g_trs : onehot(load_addr[2:0]);
    x_sf <= g_castle ? {3{g_tf[2]}} : g_tf;
    x_tf1 <= g_tf1;
    {x_ctl, x_promo, x_kind} <= {g_ctl, g_promo, g_kind};
    {x_knight, x_rook, x_bishop, x_king} <= {g_knight, g_rook, g_bishop, g_king};
    {x_south, x_push, x_take, x_epc} <= {g_south, g_push, g_take, g_ep};
    {x_short, x_long} <= {g_castle && g_tf[2], g_castle && !g_tf[2]};
    x_castle <= g_castle && g_try;
    x_double <= g_push && !g_king && !g_promo;
    x_fpiece <= g_fpiece;
    x_tpiece <= g_tpiece;
    x_f1 <= meet(g_ff, g_fr, x_ff, x_fr, x_tf, x_tr, x_sf, x_castled);
    x_t1 <= meet(g_tf, g_tr, x_ff, x_fr, x_tf, x_tr, x_sf, x_castled);
    x_t1king <= g_tf == x_tf && g_tr == x_tr && x_kings;
    x_between[0] <= g_between[0] && !(w_ok && g_left2[0]);
    x_between[1] <= g_between[1] && !(w_ok && g_left2[1]);
    x_between[2] <= g_between[2] && !(w_ok && g_left2[2]);
    x_blocked <= (w_ok && g_spoilt2) || x_new || w_init || !(|(g_wing & rights));
    {x_spoilt1, x_left1} <= between(g_tf[2], g_fr, x_ff, x_fr, x_tf, x_tr);
    if (|(g_wing & x_lost)) x_spoilt1 <= 1'b1;
    x_ep0 <= g_ep && g_tf1 == w_nextep;
    x_ep1 <= g_ep && g_tf == x_tf && x_double && x_pawns;
    x_lost[0] <= (g_frs[0] && (g_ffs[4] || g_ffs[7])) || (g_trs[0] && (g_tfs[4] || g_tfs[7]));
    x_lost[1] <= (g_frs[0] && (g_ffs[4] || g_ffs[0])) || (g_trs[0] && (g_tfs[4] || g_tfs[0]));
    x_lost[2] <= (g_frs[7] && (g_ffs[4] || g_ffs[7])) || (g_trs[7] && (g_tfs[4] || g_tfs[7]));
    x_lost[3] <= (g_frs[7] && (g_ffs[4] || g_ffs[0])) || (g_trs[7] && (g_tfs[4] || g_tfs[0]));
    x_move <= g_try && !g_ctl;
    x_try <= g_try;
    // A load has the place of an operation, with data in place of squares.
    x_whole <= (load && !load_addr[3]) || g_new;
    x_load <= load && (!load_addr[3] || load_addr == 4'd8);
    x_force <= (load && !load_addr[3]) || g_new || g_null;
    x_state <= load && load_addr == 4'd8;
    x_data <= load_data;
    if (busy_q) x_data <= 32'd0;
    // What is not a move comes as a king's step to and from nowhere.
    if (!g_try) begin
      x_frs <= 8'd0;
      x_tfs <= 8'd0;
      x_lost <= 4'd0;
      {x_short, x_long} <= 2'b00;
      {x_fpiece, x_tpiece, x_king} <= {4'd1, 4'd0, 1'b1};
      x_t1king <= 1'b0;
    end
    if (g_mute) begin
      {x_f1, x_t1} <= 8'd0;
      {x_spoilt1, x_left1, x_t1king} <= 5'd0;
    end
  end

  // ---- x to w: check ----
  // c is the colour of the piece on the from-square, and so the side to move, or the move is refused.
  wire       c = x_fpiece[3];
  wire [2:0] x_fkind = x_fpiece[2:0];
  wire       x_fput = x_f1[1] || x_f1[2];
  wire       x_tput = x_t1[1] || x_t1[2];
  wire       x_fnew = w_ok && (x_f1[0] || (w_second && x_f1[3]));
  wire       x_tnew = w_ok && (x_t1[0] || (w_second && x_t1[3]));
  wire       x_right = c == (!w_init && (side ^ w_ok)) && !x_fnew;
  wire       x_tnone = x_tnew ? !x_tput : x_tpiece[2:0] == 3'd0;
  // What the operation before put there, if it was applied, is an opponent's.
  wire       x_town = !x_tnew && x_tpiece[2:0] != 3'd0 && x_tpiece[3] == c;
  wire       x_tking = (w_ok && x_t1king) || (!x_tnew && x_tpiece[2:0] == 3'd1);

  wire       x_shut = w_ok ? (|(x_between & ~x_left1)) || x_spoilt1 || x_blocked
                           : (|x_between) || x_blocked;
  wire       x_castling = x_castled && x_fr[0] == c;
  wire       x_passant = w_ok ? x_ep1 : x_ep0;
  wire       x_pawn = x_pawns && x_south == c && (x_tnone ? x_push || x_passant : x_take);

  reg        x_geometry;
  always @* begin
    case (x_fkind)
      3'd1:    x_geometry = x_king;
      3'd2:    x_geometry = x_rook || x_bishop;
      3'd3:    x_geometry = x_knight;
      3'd4:    x_geometry = x_bishop;
      3'd5:    x_geometry = x_rook;
      default: x_geometry = 1'b0;
    endcase
  end

  // A move that was refused stops those behind it, up to a NEW.
  reg    w_try;
  wire   x_stop, w_held;
  generate
    if (STOP != 0) begin : g_stop
      reg  x_hold_q;                          // a move or null move
      reg  w_stopped_q;                       // one before it was refused
      reg  w_held_q;                          // and so it is
      wire stopped = w_stopped_q || (w_try && !w_ok);
      assign x_stop = x_hold_q && stopped;
      assign w_held = w_held_q;
      always @(posedge clk) if (en) begin
        x_hold_q <= g_try || g_null;
        w_stopped_q <= stopped && !x_new;
        w_held_q <= x_stop;
      end
    end else begin : g_no_stop
      assign x_stop = 1'b0;
      assign w_held = 1'b0;
    end
  endgenerate

  // x_force is NEW, a null move or a rank loaded.
  wire   x_ok = (x_force || (x_move && x_right)) && !(x_town || x_tking || x_stop)
                && (x_pawn || x_geometry || (x_castling && !x_shut));
  // For an operation with x_ok:
  assign x_castled = x_castle && x_kings;
  wire   x_took_ep = x_epc && x_tnone && x_fkind == 3'd6;
  // 0 knight (3), 1 bishop (4), 2 rook (5), 3 queen (2).
  wire       x_odd = x_kind[1] ^ x_kind[0];
  wire [3:0] x_put = x_promo ? {c, x_odd, !x_odd, !x_kind[0]} : x_fpiece;

  // ---- w: write ----
  // Lines of the squares that are cleared and put, and what is put on each file.  Of a rank on which
  // nothing is put the squares are cleared by their reset; on one where something is, by the 0 on
  // the bus of their file.  The initial position comes on the buses, too: back for the first and last
  // rank, pawn for the others, fourth for the colour of Black's two.
  reg  [7:0]  w_cfs, w_crs, w_pfs, w_prs, w_srs;
  reg  [31:0] w_pawn;
  reg  [15:0] w_count;                        // the ply that is loaded
  reg  [23:0] w_back;
  reg  [7:0]  w_fourth;
  reg  [3:0]  w_lost;
  // For the output.
  reg  [2:0]  w_ff, w_fr, w_tf, w_tr;
  reg         w_move, w_ctl, w_promo, w_none, w_right, w_own, w_castling, w_took_ep;
  reg  [1:0]  w_kind;
  reg  [3:0]  w_fpiece, w_captured;

  // Where the castling's rook goes; it is on the bus whoever goes there, and put if a king does.
  wire [7:0]  x_rook_at = {2'd0, x_short, 1'b0, x_long, 3'd0};
  reg  [31:0] x_bus;
  integer k;
  always @* begin
    for (k = 0; k < 8; k = k + 1)
      x_bus[4*k +: 4] = x_data[4*k +: 4] | ({1'b0, x_put[2:0]} & {4{x_tfs[k]}})
                        | ({c, 3'd5} & {c && (x_tfs[k] || x_rook_at[k]), {3{x_rook_at[k]}}});
  end

  always @(posedge clk) if (en) begin
    w_init <= x_new;
    w_load <= x_load;
    w_still <= !x_load;
    w_state <= x_state;
    w_count <= x_data[24:9];
    if (!x_state) w_count <= 16'd0;
    w_cfs <= x_ffs | ({x_short, 6'd0, x_long} & {8{x_castled}});
    w_crs <= x_frs;
    w_pfs <= x_tfs | (x_rook_at & {8{x_castled}});
    w_prs <= x_trs;
    w_srs <= x_frs & ~x_trs;
    w_pawn <= x_bus;
    for (k = 0; k < 8; k = k + 1) {w_fourth[k], w_back[3*k +: 3]} <= x_bus[4*k +: 4];
    if (x_whole) w_pfs <= 8'hff;
    if (x_new) begin
      w_cfs <= 8'hff;
      w_crs <= 8'h3c;
      w_prs <= 8'hc3;
      w_srs <= 8'h3c;
      w_back <= {3'd5, 3'd3, 3'd4, 3'd1, 3'd2, 3'd4, 3'd3, 3'd5};
      w_pawn <= 32'h66666666;
      w_fourth <= 8'hff;
    end
    w_ok <= x_ok;
    w_second <= x_castled || x_took_ep;
    w_piece <= x_put;
    w_lost <= x_lost;
    w_ep <= (x_tf1 & {4{x_double && x_pawns}}) | (x_data[8:5] & {4{x_state}});
    {w_ff, w_fr, w_tf, w_tr} <= {x_ff, x_fr, x_tf, x_tr};
    {w_move, w_ctl, w_promo, w_kind} <= {x_move, x_ctl, x_promo, x_kind};
    w_try <= x_try;
    w_none <= x_fnew ? !x_fput : x_fkind == 3'd0;
    w_right <= x_right;
    w_own <= x_town;
    w_castling <= x_castling && !x_tking;
    w_fpiece <= x_fpiece;
    w_took_ep <= x_took_ep;
    w_captured <= !x_tnew ? x_tpiece : x_t1[1] ? w_piece : x_t1[2] ? w_rook : 4'd0;
  end

  // ---- w to o: the squares, and the beat ----
  // o_free for the two halves of the board, from where it is far; each is written in other words, so
  // that they remain copies.
  reg  [1:0] o_idle;
  always @(posedge clk) if (step) o_idle <= {!(w_valid && !hush && !rst), !w_valid || hush || rst};
  wire [7:0] put_west = w_prs & {8{w_ok && (o_idle[0] || m_ready)}};
  wire [7:0] put_east = w_prs & {8{w_ok && (o_idle[1] || m_ready)}};
  wire [7:0] clear_west = w_crs & {8{w_ok && (o_idle[0] || m_ready)}};
  wire [7:0] clear_east = w_crs & {8{w_ok && (o_idle[1] || m_ready)}};

  // The pawn taken en passant stands on the target's file.
  wire [7:0] clear_files = w_cfs | (w_pfs & {8{w_took_ep}});

  genvar f, r;
  generate
    for (r = 0; r < 8; r = r + 1) begin : g_rank
      for (f = 0; f < 8; f = f + 1) begin : g_file
        wire [3:0] bus = {(r >= 6) ? w_fourth[f] : w_pawn[4*f+3],
                          (r == 0 || r == 7) ? w_back[3*f +: 3] : w_pawn[4*f +: 3]};
        wire put   = (f < 4 ? put_west[r] : put_east[r]) && w_pfs[f];
        wire clear = (f < 4 ? clear_west[r] : clear_east[r]) && clear_files[f];
        always @(posedge clk)
          if (put || clear) begin
            if (w_srs[r]) board[4*(8*r+f) +: 4] <= 4'd0;
            else          board[4*(8*r+f) +: 4] <= bus;
          end
      end
    end
  endgenerate

  // The ply; its halves have an enable each, w_change in other words.  w_count is 0 but where the ply is
  // loaded: so adder and choice take one LUT a bit.
  wire [15:0] ply_next = w_state ? w_count : ply - ~w_count;
  always @(posedge clk) begin
    if ((w_ok == w_still) && (o_free || m_ready)) begin
      ply[7:0] <= ply_next[7:0];
      if (w_init) ply[7:0] <= 8'd0;
    end
    if ((w_ok == w_still) && en) begin
      ply[15:8] <= ply_next[15:8];
      if (w_init) ply[15:8] <= 8'd0;
    end
  end

  always @(posedge clk) if (en) begin
    side <= side ^ (w_ok && w_still);
    ep <= w_nextep;
    if (w_ok) rights <= rights & ~w_lost;
    if (w_state) {rights, side} <= w_pawn[4:0];
    if (w_init) {ep, rights, side} <= {4'd0, 4'd15, 1'b0};
    m_error <= w_ctl ? ERR_CODE : w_none ? ERR_EMPTY : !w_right ? ERR_OPPONENT : w_own ? ERR_OWN
               : w_castling ? ERR_CASTLING : ERR_GEOMETRY;
    if (!w_try || w_ok) m_error <= 3'd0;
    if (w_held) m_error <= ERR_STOPPED;
    {m_from, m_to, m_promotion} <= {w_fr, w_ff, w_tr, w_tf, w_promo, w_kind & {2{w_promo}}};
    if (!w_move) {m_from, m_to, m_promotion} <= 15'd0;
    m_piece <= w_fpiece;
    m_captured <= w_captured | ({!w_fpiece[3], 3'd6} & {4{w_took_ep}});
    if (!w_ok || !w_move) {m_piece, m_captured} <= 8'd0;
  end

endmodule

`resetall
