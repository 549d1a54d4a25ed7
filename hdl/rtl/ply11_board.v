// SPDX-License-Identifier: Apache-2.0
// ply11_board - a chess board that applies one move index a clock, with all that belongs to it.
//
// Throughput: one operation a clock, without a gap, whatever the operations are.
// Latency: an operation accepted in clock t is offered in clock t + 8 (eight register stages).
// Handshake: the pipeline moves as a whole in each clock with `en` = !m_valid || m_ready; s_ready is
// `en` (combinational from m_ready); m_valid and all outputs are registers, unchanged while m_valid
// is 1 and m_ready is 0.  Every accepted operation gives one output beat, in order.
//
// Operations (s_op):
//   0  MOVE  apply s_index to the position.  1972 is the null move: it passes (the other side to
//            move, no en passant file, the ply counts).  A move that is refused holds the position.
//   1  NEW   the usual initial position, ply 0; s_index is ignored.
//   2  PASS  changes nothing (a place in the pipeline for what travels in s_user).
//   3        reserved, as PASS.
// rst works as a NEW without an output beat.
//
// Output beat: m_op and m_user are those of the operation.  m_error and, for an applied move that is
// not null, m_from, m_to, m_promotion (the index, decoded), m_man (the man as it stood on the
// from-square) and m_captured (0 if nothing; en passant the pawn).  m_from, m_to and m_promotion are
// also given for a refused move with an index below 1968; else these five are 0.
// board, side, rights, ep, ply: the position after the operation of the last beat offered; a new
// position appears in the clock in which its m_valid does.
//
// m_error: 0 none; the first that holds of
//   6  a control or reserved code other than the null move
//   1  the from-square is empty          2  an opponent's man stands there
//   3  a man of one's own on the target
//   4  not a move of that man: not its geometry; a pawn that pushes to an occupied square, captures
//      nothing, goes backward, or reaches the last rank by an index without promotion; a capture of
//      a king
//   5  castling (own king e1-g1, e1-c1, e8-g8, e8-c8) without the right or with a man between
// Lines blocked and checks are not examined; nor is the square that a pawn's double step passes.
// En passant: a pawn on its fifth rank takes to the en passant file on an empty square; the man that
// it removes is not looked at.  Rights: gone for good when a move leaves or reaches a king's or
// rook's corner of them (e1, a1, h1, e8, a8, h8).  Castling asks for the right alone, not the rook.
// The en passant file is set after every double step, else cleared.  Ply counts applied moves and
// wraps at 65,536.
//
// Loading: a beat of the load port is accepted in a clock with load_valid and load_ready; load_ready is
// `en` and no operation in the first five stages.  It comes after all operations accepted before it
// and before one that is accepted in the same clock.  load_addr 0..7: rank 1..8, man on file f at
// load_data[4*f +: 4].  load_addr 8: {ply 16, en passant 4, rights q k Q K 4, side 1} in
// load_data[24:0], the rights' bit 0 is K.  Other addresses are ignored.  It shows on the outputs three
// clocks after it was accepted.
//
// Pipeline: a index, b wraps, c from and step, d from and to, r read the board, x check, w write,
// o output.  The state (side, rights, en passant, ply, the ten squares between king and rook) is kept
// at x, the board at w.  Reading at r misses the operation before (in x) and the one before that (in
// w): their squares are compared at d, and what they put or cleared takes the place of what was
// read - for the one in x by flags that wait for its check, so that refused moves, null moves and
// moves out of turn need no care of their own.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board #(
  // Bits of the tag that travels with an operation, 1 or more.
  parameter USER_WIDTH = 1
) (
  input  wire                  clk,
  input  wire                  rst,

  input  wire                  s_valid,
  output wire                  s_ready,
  input  wire [1:0]            s_op,
  input  wire [10:0]           s_index,
  input  wire [USER_WIDTH-1:0] s_user,

  input  wire                  load_valid,
  output wire                  load_ready,
  input  wire [3:0]            load_addr,
  input  wire [31:0]           load_data,

  output wire                  m_valid,
  input  wire                  m_ready,
  output reg  [1:0]            m_op,
  output reg  [USER_WIDTH-1:0] m_user,
  output reg  [2:0]            m_error,
  output reg  [5:0]            m_from,
  output reg  [5:0]            m_to,
  output reg  [2:0]            m_promotion,
  output reg  [3:0]            m_man,
  output reg  [3:0]            m_captured,

  output reg  [255:0]          board,    // man on square s at 4*s +: 4
  output reg                   side,     // 1: Black to move
  output reg  [3:0]            rights,   // {q, k, Q, K}
  output reg  [3:0]            ep,       // 0 none, 1..8 file of the pawn that stepped twice
  output reg  [15:0]           ply
);

  localparam [1:0] OP_MOVE = 2'd0;
  localparam [1:0] OP_NEW  = 2'd1;

  reg a_valid, b_valid, c_valid, d_valid, r_valid, x_valid, w_valid, o_valid;
  wire en = !o_valid || m_ready;
  assign s_ready = en;
  assign m_valid = o_valid;
  assign load_ready = en && !(a_valid || b_valid || c_valid || d_valid || r_valid);
  wire load = load_valid && load_ready;

  always @(posedge clk) begin
    if (en) begin
      a_valid <= s_valid;
      b_valid <= a_valid;
      c_valid <= b_valid;
      d_valid <= c_valid;
      r_valid <= d_valid;
      x_valid <= r_valid;
      w_valid <= x_valid;
      o_valid <= w_valid;
    end
    if (rst) begin
      a_valid <= 1'b0;
      b_valid <= 1'b0;
      c_valid <= 1'b0;
      d_valid <= 1'b0;
      r_valid <= 1'b0;
      x_valid <= 1'b0;
      w_valid <= 1'b0;
      o_valid <= 1'b0;
    end
  end

  // The tag and the operation travel along.
  reg [1:0] a_op, b_op, c_op, d_op, r_op, x_op, w_op;
  reg [USER_WIDTH-1:0] a_user, b_user, c_user, d_user, r_user, x_user, w_user;

  always @(posedge clk) if (en) begin
    {a_op, a_user} <= {s_op, s_user};
    {b_op, b_user} <= {a_op, a_user};
    {c_op, c_user} <= {b_op, b_user};
    {d_op, d_user} <= {c_op, c_user};
    {r_op, r_user} <= {d_op, d_user};
    {x_op, x_user} <= {r_op, r_user};
    {w_op, w_user} <= {x_op, x_user};
    {m_op, m_user} <= {w_op, w_user};
  end

  // ---- a to b: which coordinates wrap (INDEX.md; the arithmetic is that of ply11_decode) ----
  reg [10:0] a_index;
  always @(posedge clk) if (en) a_index <= s_index;

  wire [2:0] a_n = a_index[10:8];            // steps - 1
  wire [2:0] a_r = a_index[5:3];
  wire [2:0] a_f = a_index[2:0];
  wire [1:0] a_axis = a_index[7:6];
  wire       a_wr = a_n >= ~a_r;
  wire       a_wf = a_n >= (a_f ^ {3{~a_axis[1]}});
  wire       a_promo = &a_n;

  reg  [10:0] b_index;
  reg         b_wr, b_wf, b_knight, b_promo;
  always @(posedge clk) if (en) begin
    b_index  <= a_index;
    b_wr     <= a_wr;
    b_wf     <= a_wf;
    b_knight <= a_axis[0] && (a_wr ^ a_wf) && !a_promo;
    b_promo  <= a_promo;
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

  // Promotions: j + 1 = 3*file + (file step + 1).
  wire [4:0] b_j = {b_axis, b_r[2:1], b_f[0]};
  reg  [2:0] b_pf;
  reg  [1:0] b_ps;
  always @* begin
    case (b_j)
      5'd0, 5'd1:          b_pf = 3'd0;
      5'd2, 5'd3, 5'd4:    b_pf = 3'd1;
      5'd5, 5'd6, 5'd7:    b_pf = 3'd2;
      5'd8, 5'd9, 5'd10:   b_pf = 3'd3;
      5'd11, 5'd12, 5'd13: b_pf = 3'd4;
      5'd14, 5'd15, 5'd16: b_pf = 3'd5;
      5'd17, 5'd18, 5'd19: b_pf = 3'd6;
      5'd20, 5'd21:        b_pf = 3'd7;
      default:             b_pf = 3'bxxx;
    endcase
    // The step less one: -2, -1 or 0, in two bits (sign and low bit).
    case (b_j)
      5'd2, 5'd5, 5'd8, 5'd11, 5'd14, 5'd17, 5'd20:       b_ps = 2'b10;
      5'd0, 5'd3, 5'd6, 5'd9, 5'd12, 5'd15, 5'd18, 5'd21: b_ps = 2'b11;
      5'd1, 5'd4, 5'd7, 5'd10, 5'd13, 5'd16, 5'd19:       b_ps = 2'b00;
      default:                                            b_ps = 2'bxx;
    endcase
  end
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
    // Control codes are 1968 = 1792 + 11*16 and above; the null move is 1972.
    c_ctl <= b_promo && b_axis[1] && (b_axis[0] || (b_r[2] && b_r[1]));
    c_null <= b_promo && b_index[7:0] == 8'd180;
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

  // ---- d to r: select lines, and what meets the two operations before ----
  function [7:0] onehot(input [2:0] n);
    onehot = 8'd1 << n;
  endfunction

  // The man of the initial position.
  function [3:0] initial_man(input [2:0] f, input [2:0] r);
    begin
      case (r)
        3'd1: initial_man = 4'd6;
        3'd6: initial_man = 4'd14;
        3'd0, 3'd7: begin
          initial_man[3] = r[0];
          case (f)
            3'd0, 3'd7: initial_man[2:0] = 3'd5;
            3'd1, 3'd6: initial_man[2:0] = 3'd3;
            3'd2, 3'd5: initial_man[2:0] = 3'd4;
            3'd3:       initial_man[2:0] = 3'd2;
            default:    initial_man[2:0] = 3'd1;
          endcase
        end
        default: initial_man = 4'd0;
      endcase
    end
  endfunction

  reg  [2:0] r_ff, r_fr, r_tf, r_tr;
  reg  [7:0] r_ffs, r_frs, r_tfs, r_trs;      // one-hot
  reg        r_ctl, r_null, r_promo, r_knight, r_rook, r_bishop, r_king, r_south, r_push, r_take;
  reg        r_castle, r_ep, r_fresh;
  reg  [1:0] r_kind;
  reg  [3:0] r_fi, r_ti;                      // men of the initial position
  // Meetings of this from (f) and to (t) with the operation before (1) and the one before (2):
  // its from, its target, the square of the pawn that it may take en passant, and in case it castles
  // the rook's corner and its new square.
  reg  [4:0] r_f1, r_t1, r_f2, r_t2;

  reg  [2:0] x_ff, x_fr, x_tf, x_tr;
  reg        x_new;

  // {rook's new square, rook's corner, en passant, target, from}
  function [4:0] meet(input [2:0] f, input [2:0] r, input [2:0] pff, input [2:0] pfr,
                      input [2:0] ptf, input [2:0] ptr);
    reg same_rank;
    begin
      same_rank = r == pfr;
      meet[0] = same_rank && f == pff;
      meet[1] = r == ptr && f == ptf;
      meet[2] = same_rank && f == ptf;
      // g-file: h to f; c-file: a to d.
      meet[3] = same_rank && f == {3{ptf[2]}};
      meet[4] = same_rank && f == (ptf[2] ? 3'd5 : 3'd3);
    end
  endfunction

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
    r_fi <= initial_man(d_ff, d_fr);
    r_ti <= initial_man(d_tf, d_tr);
    r_f1 <= meet(d_ff, d_fr, r_ff, r_fr, r_tf, r_tr);
    r_t1 <= meet(d_tf, d_tr, r_ff, r_fr, r_tf, r_tr);
    r_f2 <= meet(d_ff, d_fr, x_ff, x_fr, x_tf, x_tr);
    r_t2 <= meet(d_tf, d_tr, x_ff, x_fr, x_tf, x_tr);
    // The board is about to become the initial position.
    r_fresh <= (r_valid && r_op == OP_NEW) || x_new;
  end

  // ---- r to x: read ----
  function [3:0] read(input [255:0] men, input [7:0] files, input [7:0] ranks);
    integer f, r;
    reg [3:0] man;
    begin
      read = 4'd0;
      for (f = 0; f < 8; f = f + 1) begin
        man = 4'd0;
        for (r = 0; r < 8; r = r + 1)
          man = man | (men[4*(8*r+f) +: 4] & {4{ranks[r]}});
        read = read | (man & {4{files[f]}});
      end
    end
  endfunction

  // What the operation in w does, known; x_ok comes late.
  reg        w_ok, w_ep, w_castle;
  reg  [3:0] w_man;
  wire       x_ok, x_took_ep, x_castled;
  wire [3:0] x_put;
  reg        x_side;                          // the state, up to the operation in w
  reg  [3:0] x_rights, x_ep;
  // Whether men stand on the squares between king and rooks: b c d f g of rank 1, then of rank 8.
  reg  [9:0] x_filled;

  wire [3:0] x_rook = {x_side, 3'd5};
  wire [3:0] w_rook = {w_man[3], 3'd5};

  wire r_fuse = r_fresh || (w_ok && (r_f2[0] || r_f2[1] || (w_ep && r_f2[2])
                                     || (w_castle && (r_f2[3] || r_f2[4]))));
  wire r_tuse = r_fresh || (w_ok && (r_t2[0] || r_t2[1] || (w_ep && r_t2[2])
                                     || (w_castle && (r_t2[3] || r_t2[4]))));
  wire [3:0] r_fnew = r_fresh ? r_fi : r_f2[1] ? w_man : (w_castle && r_f2[4]) ? w_rook : 4'd0;
  wire [3:0] r_tnew = r_fresh ? r_ti : r_t2[1] ? w_man : (w_castle && r_t2[4]) ? w_rook : 4'd0;
  wire [3:0] r_fread = read(board, r_ffs, r_frs);
  wire [3:0] r_tread = read(board, r_tfs, r_trs);

  // What the operation before does to the squares, if it is applied.
  wire r_fput   = r_f1[1] || (x_castled && r_f1[4]);
  wire r_tput   = r_t1[1] || (x_castled && r_t1[4]);
  wire r_fclear = r_f1[0] || (x_took_ep && r_f1[2]) || (x_castled && r_f1[3]);
  wire r_tclear = r_t1[0] || (x_took_ep && r_t1[2]) || (x_castled && r_t1[3]);

  reg  [7:0] x_ffs, x_frs, x_tfs, x_trs;
  reg        x_ctl, x_promo, x_knight, x_rook_line, x_bishop, x_king, x_south, x_push, x_take;
  reg  [3:0] x_wing;                          // castling of {q, k, Q, K}
  reg        x_castle, x_epc, x_double;
  reg  [1:0] x_kind;
  reg  [3:0] x_fman, x_tman;                  // without what the operation before put
  // The operation before put a man on the from-square, put one there or cleared it; put one on the
  // target, cleared it, put a king there.
  reg        x_fput, x_fbad, x_tput, x_tclear, x_tking;
  reg  [3:0] x_tlast;                         // that man
  reg  [3:0] x_keep;                          // rights that the squares leave alone
  reg        x_try, x_move, x_nullmove, x_row, x_state;
  reg  [31:0] x_load;
  reg  [3:0]  x_tf1;
  always @(posedge clk) if (en) begin
    {x_ff, x_fr, x_tf, x_tr} <= {r_ff, r_fr, r_tf, r_tr};
    {x_ffs, x_frs, x_tfs} <= {r_ffs, r_frs, r_tfs};
    x_trs <= load ? onehot(load_addr[2:0]) : r_trs;
    x_tf1 <= {1'b0, r_tf} + 4'd1;
    {x_ctl, x_promo, x_kind} <= {r_ctl, r_promo, r_kind};
    {x_knight, x_rook_line, x_bishop, x_king} <= {r_knight, r_rook, r_bishop, r_king};
    {x_south, x_push, x_take, x_epc} <= {r_south, r_push, r_take, r_ep};
    x_castle <= r_castle && !load;
    x_wing <= {r_fr[0] && !r_tf[2], r_fr[0] && r_tf[2], !r_fr[0] && !r_tf[2], !r_fr[0] && r_tf[2]}
                & {4{r_castle && !load}};
    x_double <= r_push && !r_king && !r_promo;
    x_fman <= r_fuse ? r_fnew : r_fread;
    x_tman <= r_tuse ? r_tnew : r_tread;
    x_fput <= x_ok && r_fput;
    x_fbad <= x_ok && (r_fput || r_fclear);
    x_tput <= x_ok && r_tput;
    x_tking <= x_ok && r_t1[1] && x_put[2:0] == 3'd1;
    x_tclear <= x_ok && r_tclear;
    x_tlast <= r_t1[1] ? x_put : x_rook;
    x_keep[0] <= !(r_frs[0] && (r_ffs[4] || r_ffs[7])) && !(r_trs[0] && (r_tfs[4] || r_tfs[7]));
    x_keep[1] <= !(r_frs[0] && (r_ffs[4] || r_ffs[0])) && !(r_trs[0] && (r_tfs[4] || r_tfs[0]));
    x_keep[2] <= !(r_frs[7] && (r_ffs[4] || r_ffs[7])) && !(r_trs[7] && (r_tfs[4] || r_tfs[7]));
    x_keep[3] <= !(r_frs[7] && (r_ffs[4] || r_ffs[0])) && !(r_trs[7] && (r_tfs[4] || r_tfs[0]));
    x_load <= load_data;
    // A load has the place of an operation.
    x_move <= r_valid && r_op == OP_MOVE && !r_ctl;
    x_try <= r_valid && r_op == OP_MOVE && !r_null;   // to be applied or refused
    x_nullmove <= r_valid && r_op == OP_MOVE && r_null;
    x_row <= load && !load_addr[3];
    x_state <= load && load_addr == 4'd8;
  end

  always @(posedge clk) begin
    if (en) x_new <= r_valid && r_op == OP_NEW;
    if (rst) x_new <= 1'b1;
  end

  // ---- x to w: check ----
  wire       x_fright = x_fman[3] == x_side && !x_fbad;
  wire [2:0] x_fkind = x_fman[2:0];
  wire       x_tlive = !x_tput && !x_tclear;    // x_tman still stands
  wire       x_tnone = x_tclear || (!x_tput && x_tman[2:0] == 3'd0);
  // What the operation before put there, if it was applied, is an opponent's.
  wire       x_town = x_tlive && x_tman[2:0] != 3'd0 && x_tman[3] == x_side;
  wire       x_tbad = x_town || x_tking || (x_tlive && x_tman[2:0] == 3'd1);

  wire [3:0] x_can = x_rights & {!(x_filled[7] || x_filled[6] || x_filled[5]),
                                 !(x_filled[9] || x_filled[8]),
                                 !(x_filled[2] || x_filled[1] || x_filled[0]),
                                 !(x_filled[4] || x_filled[3])};
  wire       x_can_castle = x_side ? |(x_can[3:2] & x_wing[3:2]) : |(x_can[1:0] & x_wing[1:0]);
  wire       x_ep_hit = x_epc && x_tf1 == x_ep;
  wire       x_pawn = x_south == x_side && (x_tnone ? x_push || x_ep_hit : x_take);

  reg        x_geometry;
  always @* begin
    case (x_fkind)
      3'd1:    x_geometry = x_king || x_can_castle;
      3'd2:    x_geometry = x_rook_line || x_bishop;
      3'd3:    x_geometry = x_knight;
      3'd4:    x_geometry = x_bishop;
      3'd5:    x_geometry = x_rook_line;
      3'd6:    x_geometry = x_pawn;
      default: x_geometry = 1'b0;
    endcase
  end

  assign x_ok = x_move && x_fright && !x_tbad && x_geometry;
  // For an operation with x_ok:
  assign x_castled = x_castle && x_fkind == 3'd1;
  assign x_took_ep = x_epc && x_tnone && x_fkind == 3'd6;
  // 0 knight (3), 1 bishop (4), 2 rook (5), 3 queen (2).
  wire       x_odd = x_kind[1] ^ x_kind[0];
  assign x_put = x_promo ? {x_side, x_odd, !x_odd, !x_kind[0]} : x_fman;

  // The state.  The late x_ok goes through data, not through enables: an enable costs another two
  // levels and a global line.
  wire        x_go = x_ok || x_nullmove;
  wire [3:0]  x_newep = x_tf1 & {4{x_double && x_fkind == 3'd6}};
  always @(posedge clk) if (en) begin
    x_side   <= x_side ^ x_go;
    x_ep     <= (x_newep & {4{x_go}}) | (x_ep & ~{4{x_go}});
    x_rights <= x_rights & (x_keep | ~{4{x_ok}});
    if (x_state) {x_ep, x_rights, x_side} <= x_load[8:0];
    if (x_new) {x_ep, x_rights, x_side} <= {4'd0, 4'd15, 1'b0};
  end

  // The ten squares between kings and rooks.
  wire [4:0] x_loaded = {|x_load[26:24], |x_load[22:20], |x_load[14:12], |x_load[10:8], |x_load[6:4]};
  wire [4:0] x_to5   = {x_tfs[6:5], x_tfs[3:1]};
  wire [4:0] x_from5 = {x_ffs[6:5], x_ffs[3:1]};
  wire [4:0] x_rook5 = {1'b0, x_tf[2], !x_tf[2], 2'b00} & {5{x_castled}};
  always @(posedge clk) if (en) begin
    x_filled[4:0] <= (x_filled[4:0] & ~(x_from5 & {5{x_frs[0] && x_ok}}))
                     | ((x_to5 | x_rook5) & {5{x_trs[0] && x_ok}});
    x_filled[9:5] <= (x_filled[9:5] & ~(x_from5 & {5{x_frs[7] && x_ok}}))
                     | ((x_to5 | x_rook5) & {5{x_trs[7] && x_ok}});
    if (x_row && x_trs[0]) x_filled[4:0] <= x_loaded;
    if (x_row && x_trs[7]) x_filled[9:5] <= x_loaded;
    if (x_new) x_filled <= 10'h3ff;
  end

  // ---- w: write ----
  // Lines of the squares that are cleared and put, and what is put on each file.
  reg  [7:0]  w_cfs, w_crs, w_pfs, w_prs;
  reg  [31:0] w_bus;
  reg         w_init, w_row, w_state, w_go;
  // For the output.
  reg  [2:0]  w_ff, w_fr, w_tf, w_tr;
  reg         w_move, w_try, w_ctl, w_promo, w_none, w_right, w_own, w_castling;
  reg  [1:0]  w_kind;
  reg  [3:0]  w_fman, w_captured;
  integer i;

  always @(posedge clk) if (en) begin
    w_init <= x_new;
    w_crs <= x_frs;
    w_row <= x_row;
    w_state <= x_state;
    w_go <= x_go;
    w_cfs <= x_ffs | ({8{x_took_ep}} & x_tfs) | {8{x_new}};
    w_prs <= x_trs;
    w_pfs <= x_tfs | {8{x_row}};
    for (i = 0; i < 8; i = i + 1)
      w_bus[4*i +: 4] <= (x_row || x_state) ? x_load[4*i +: 4] : x_put & {4{x_tfs[i]}};
    if (x_castled) begin
      w_cfs[x_tf[2] ? 7 : 0] <= 1'b1;
      w_pfs[x_tf[2] ? 5 : 3] <= 1'b1;
      if (x_tf[2]) w_bus[23:20] <= x_rook;
      else         w_bus[15:12] <= x_rook;
    end
    w_ok <= x_ok;
    w_ep <= x_took_ep;
    w_castle <= x_castled;
    w_man <= x_put;
    {w_ff, w_fr, w_tf, w_tr} <= {x_ff, x_fr, x_tf, x_tr};
    {w_move, w_ctl, w_promo, w_kind} <= {x_move, x_ctl, x_promo, x_kind};
    w_try <= x_try;
    w_none <= !x_fput && (x_fbad || x_fkind == 3'd0);
    w_right <= x_fright;
    w_own <= x_town;
    w_castling <= x_castle && x_fkind == 3'd1 && x_fr[0] == x_side && (!x_tbad || x_town);
    w_fman <= x_fman;
    w_captured <= x_took_ep ? {!x_side, 3'd6} : x_tput ? x_tlast : x_tclear ? 4'd0 : x_tman;
  end

  // ---- w to o: the squares, and the beat ----
  wire       w_put = en && (w_ok || w_row);
  wire [7:0] put_ranks = w_prs & {8{w_put}};
  wire [7:0] clear_ranks = {8{en}} & ((w_crs & {8{w_ok}}) | {8{w_init}});

  // Each bit of a square has the form that takes the fewest cells: one that is 0 in the initial
  // position is cleared by its reset, one that is 1 by its data.
  genvar f, r, k;
  generate
    for (r = 0; r < 8; r = r + 1) begin : g_rank
      for (f = 0; f < 8; f = f + 1) begin : g_file
        localparam [3:0] START = initial_man(f[2:0], r[2:0]);
        wire put   = put_ranks[r] && w_pfs[f];
        wire clear = clear_ranks[r] && w_cfs[f];
        for (k = 0; k < 4; k = k + 1) begin : g_bit
          if (START[k]) begin : g_one
            always @(posedge clk)
              if (put || clear) board[4*(8*r+f)+k] <= (put_ranks[r] && w_bus[4*f+k]) || w_init;
          end else begin : g_zero
            always @(posedge clk)
              if (clear) board[4*(8*r+f)+k] <= 1'b0;
              else if (put) board[4*(8*r+f)+k] <= w_bus[4*f+k];
          end
        end
      end
    end
  endgenerate

  always @(posedge clk) if (en) begin
    {ep, rights, side} <= {x_ep, x_rights, x_side};
    ply <= w_init ? 16'd0 : w_state ? w_bus[24:9] : ply + {15'd0, w_go};
    m_error <= !w_try ? 3'd0 : w_ctl ? 3'd6 : w_ok ? 3'd0 : w_none ? 3'd1 : !w_right ? 3'd2
               : w_own ? 3'd3 : w_castling ? 3'd5 : 3'd4;
    {m_from, m_to, m_promotion} <= {w_fr, w_ff, w_tr, w_tf, w_promo, w_kind & {2{w_promo}}};
    if (!w_move) {m_from, m_to, m_promotion} <= 15'd0;
    m_man <= w_fman;
    m_captured <= w_captured;
    if (!w_ok) {m_man, m_captured} <= 8'd0;
  end

`ifdef FORMAL
  // For any operations, idle, back-pressure and loads: a beat waits unchanged, with the position, for
  // m_ready, and nothing is accepted meanwhile.
  reg         f_started;
  reg         f_stall;
  reg [318:0] f_beat;
  wire [318:0] f_now = {m_op, m_error, m_from, m_to, m_promotion, m_man, m_captured, side, rights, ep,
                        ply, board, 10'd0};
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_beat <= f_now;
    if (f_started && f_stall) begin
      a_hold: assert (m_valid && f_beat == f_now);
    end
    if (f_started && m_valid && !m_ready) begin
      a_full: assert (!s_ready && !load_ready);
    end
  end
`endif

endmodule

`resetall
