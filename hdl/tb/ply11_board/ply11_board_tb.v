// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_board: games of random moves (mostly such as the board takes, some refused,
// null moves, control codes, NEW and PASS between) and set-up positions around one move of every piece, around en
// passant, around castlings and what goes on beside them, and around a piece of every kind who has just moved:
// he is taken, or moves on, or his square is entered, one, two and three operations later,
// against a behavioural board in plain integers that plays one operation at a time.  Every beat is
// compared in all fields and the whole position, and m_valid, next_valid and both ready in every clock.
// Idle and back-pressure change from phase to phase; the first phase has none and checks a ply a clock and
// the latency.  In every other phase beats are left out by hush, and in the last eight there are resets.
// STOP 1: after a refused move nothing is applied until the next NEW.
// Plusargs: vcd; ops=N operations (default 24000; 8000 with STOP).
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_board_tb;

  `include "ply11_reference.vh"

  parameter STOP = 0;

  localparam UW = 16;
  localparam QUEUE = 64;

  localparam NAME = "ply11_board_tb";
  localparam WATCHDOG = 3000000;
  `include "ply11_bench.vh"

  reg           rst = 1'b1;
  reg           s_valid = 1'b0;
  wire          s_ready;
  reg  [1:0]    s_op = 2'd0;
  reg  [10:0]   s_index = 11'd0;
  reg  [UW-1:0] s_user = {UW{1'b0}};
  reg           load_valid = 1'b0;
  wire          load_ready;
  reg  [3:0]    load_addr = 4'd0;
  reg  [31:0]   load_data = 32'd0;
  wire          m_valid;
  reg           m_ready = 1'b0;
  wire          next_valid;
  wire [1:0]    next_op;
  reg           hush = 1'b0;
  wire [1:0]    m_op;
  wire [UW-1:0] m_user;
  wire [2:0]    m_error;
  wire [5:0]    m_from, m_to;
  wire [2:0]    m_promotion;
  wire [3:0]    m_piece, m_captured;
  wire [255:0]  board;
  wire          side;
  wire [3:0]    rights, ep;
  wire [15:0]   ply;

  ply11_board #(.USER_WIDTH(UW), .STOP(STOP)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_user),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .next_valid(next_valid), .next_op(next_op), .hush(hush),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece),
    .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  // The behavioural board: the position, and what the last operation gave.
  reg [255:0] ref_board;
  integer     ref_side, ref_rights, ref_ep, ref_ply;
  integer     got_error, got_piece, got_captured;
  reg  [15:0] got_word;
  reg         stopped = 1'b0;

  function [255:0] initial_board(input integer unused);
    integer file;
    reg [31:0] first;
    begin
      // Rook 5, knight 3, bishop 4, queen 2, king 1, bishop, knight, rook; file a in the low bits.
      first = 32'h53412435;
      initial_board = 256'd0;
      for (file = 0; file < 8; file = file + 1) begin
        initial_board[4*file +: 4]        = first[4*file +: 4];
        initial_board[4*(8+file) +: 4]    = 4'd6;
        initial_board[4*(48+file) +: 4]   = 4'd14;
        initial_board[4*(56+file) +: 4]   = first[4*file +: 4] + 4'd8;
      end
      if (unused != 0) initial_board = 256'd0;
    end
  endfunction

  // The error of a move in the behavioural position; sets got_piece, got_captured, got_word.
  task judge(input integer index);
    integer from, to, piece, kind, target, df, dr, adf, adr, forward, own, ok, free, right, home, sq, taken;
    begin
      got_word = reference_word(index);
      from = got_word[5:0];
      to = got_word[11:6];
      piece = ref_board[4*from +: 4];
      kind = piece % 8;
      target = ref_board[4*to +: 4];
      got_piece = piece;
      got_captured = target;
      got_error = 0;
      df = to % 8 - from % 8;
      dr = to / 8 - from / 8;
      adf = df < 0 ? -df : df;
      adr = dr < 0 ? -dr : dr;
      forward = ref_side != 0 ? -dr : dr;
      home = ref_side != 0 ? 60 : 4;
      own = (target % 8 != 0 && target / 8 == ref_side) ? 1 : 0;
      taken = (target % 8 != 0) ? 1 : 0;
      if (!got_word[15]) got_error = ERR_CODE;
      else if (kind == 0) got_error = ERR_EMPTY;
      else if (piece / 8 != ref_side) got_error = ERR_OPPONENT;
      else if (own != 0) got_error = ERR_OWN;
      else if (target % 8 == 1) got_error = ERR_GEOMETRY;
      else begin
        ok = 0;
        if (got_word[14]) begin
          if (kind == 6 && forward == 1)
            ok = (adf == 0 && taken == 0) || (adf == 1 && taken == 1);
        end else case (kind)
          1: begin
            ok = adf <= 1 && adr <= 1;
            if (from == home && dr == 0 && adf == 2) begin
              ok = 1;
              free = 1;
              if (df > 0) begin
                right = ref_side != 0 ? (ref_rights / 4) % 2 : ref_rights % 2;
                for (sq = home + 1; sq <= home + 2; sq = sq + 1)
                  if (ref_board[4*sq +: 3] != 0) free = 0;
              end else begin
                right = ref_side != 0 ? ref_rights / 8 : (ref_rights / 2) % 2;
                for (sq = home - 3; sq <= home - 1; sq = sq + 1)
                  if (ref_board[4*sq +: 3] != 0) free = 0;
              end
              if (right == 0 || free == 0) got_error = ERR_CASTLING;
            end
          end
          2: ok = df == 0 || dr == 0 || adf == adr;
          3: ok = (adf == 1 && adr == 2) || (adf == 2 && adr == 1);
          4: ok = adf == adr;
          5: ok = df == 0 || dr == 0;
          6: begin
            if (to / 8 == 0 || to / 8 == 7) ok = 0;
            else if (adf == 0 && forward == 1) ok = taken == 0;
            else if (adf == 0 && forward == 2)
              ok = taken == 0 && from / 8 == (ref_side != 0 ? 6 : 1);
            else if (adf == 1 && forward == 1) begin
              ok = taken;
              if (taken == 0 && to % 8 + 1 == ref_ep && from / 8 == (ref_side != 0 ? 3 : 4)) begin
                ok = 1;
                got_captured = ref_side != 0 ? 6 : 14;
              end
            end
          end
          default: ok = 0;
        endcase
        if (ok == 0) got_error = ERR_GEOMETRY;
      end
      if (got_error != 0) begin
        got_piece = 0;
        got_captured = 0;
      end
    end
  endtask

  function integer corner(input integer square);
    case (square)
      4: corner = 3;
      0: corner = 2;
      7: corner = 1;
      60: corner = 12;
      56: corner = 8;
      63: corner = 4;
      default: corner = 0;
    endcase
  endfunction

  // Plays one operation on the behavioural position.
  task play(input integer op, input integer index);
    integer from, to, kind;
    begin
      got_error = 0;
      got_piece = 0;
      got_captured = 0;
      got_word = 16'd0;
      if (op == 1) begin
        ref_board = initial_board(0);
        ref_side = 0;
        ref_rights = 15;
        ref_ep = 0;
        ref_ply = 0;
        stopped = 1'b0;
      end else if (op == 0 && stopped) begin
        got_error = ERR_STOPPED;
        got_word = index < 1968 ? reference_word(index) : 16'd0;
      end else if (op == 0 && index == 1972) begin
        ref_side = 1 - ref_side;
        ref_ep = 0;
        ref_ply = (ref_ply + 1) % 65536;
      end else if (op == 0) begin
        judge(index);
        stopped = STOP != 0 && got_error != 0;
        if (got_error == 0) begin
          from = got_word[5:0];
          to = got_word[11:6];
          kind = got_piece % 8;
          ref_board[4*to +: 4] = got_piece;
          ref_board[4*from +: 4] = 4'd0;
          if (got_word[14]) case (got_word[13:12])
            2'd0: ref_board[4*to +: 3] = 3'd3;
            2'd1: ref_board[4*to +: 3] = 3'd4;
            2'd2: ref_board[4*to +: 3] = 3'd5;
            2'd3: ref_board[4*to +: 3] = 3'd2;
          endcase
          // En passant: a capture by a pawn on the file and rank where nothing stood.
          if (kind == 6 && got_captured % 8 == 6 && to % 8 != from % 8 && to % 8 + 1 == ref_ep
              && from / 8 == (ref_side != 0 ? 3 : 4) && taken_nothing)
            ref_board[4*(from / 8 * 8 + to % 8) +: 4] = 4'd0;
          if (kind == 1 && to == from + 2) begin
            ref_board[4*(from+3) +: 4] = 4'd0;
            ref_board[4*(from+1) +: 4] = 5 + 8 * ref_side;
          end
          if (kind == 1 && to == from - 2) begin
            ref_board[4*(from-4) +: 4] = 4'd0;
            ref_board[4*(from-1) +: 4] = 5 + 8 * ref_side;
          end
          ref_rights = ref_rights & (15 - corner(from)) & (15 - corner(to));
          ref_ep = (kind == 6 && (to == from + 16 || to == from - 16)) ? to % 8 + 1 : 0;
          ref_side = 1 - ref_side;
          ref_ply = (ref_ply + 1) % 65536;
        end
      end
    end
  endtask
  reg taken_nothing;

  // What is to come out.
  reg [255:0]   q_board [0:QUEUE-1];
  reg [24:0]    q_state [0:QUEUE-1];
  reg [25:0]    q_beat  [0:QUEUE-1];
  reg [UW+1:0]  q_tag   [0:QUEUE-1];
  integer       put_at, get_at;

  integer ops, op_count, phase, accepted, applied, refused, loads, tick, start_tick, index, tries;
  integer load_left, sq, piece, burst, quiet, k;
  reg [31:0] rnd;
  reg        took, took_load, held;
  // Where operations are: a in bit 0, w in bit 7, o in bit 8, if it has a beat; hushed: o has one without.
  reg [8:0]  stages;
  reg        hushed;
  reg        renewed;                         // the initial position is on its way to stage x
  integer    resets, hushes;
  reg [UW+1+26+256+25:0] held_beat;
  wire [25:0] beat = {m_error, m_from, m_to, m_promotion, m_piece, m_captured};
  wire [24:0] state = {ply, ep, rights, side};
  reg [255:0] setup;
  reg [10:0]  planned;
  // Operations that come next, as planned, and then some about the first and the last rank.
  reg [10:0]  plan [0:3];
  integer     plan_at, plan_count, homely, style, us, file, by, fifth, rise;
  reg         fixed;                           // the state to load is this
  reg [8:0]   fixed_state;                     // {ep, rights, side}
  reg [10:0]  index_of [0:4095];               // of a move that is no promotion, by {from, to}

  task wrong(input [8*48-1:0] what);
    begin
      n = tick;
      fail(what);
      if (errors <= 10) begin
        $display("  beat %0d", get_at);
        $display("  found    beat %b state %b board %h", beat, state, board);
        $display("  expected beat %b state %b board %h", q_beat[get_at % QUEUE],
                 q_state[get_at % QUEUE], q_board[get_at % QUEUE]);
      end
    end
  endtask

  // A new index: mostly one that the position takes.
  task choose;
    begin
      rnd = $random;
      s_op = 2'd0;
      s_user = rnd[UW-1:0];
      s_index = $random;
      if (plan_at < plan_count) begin
        s_index = plan[plan_at];
        plan_at = plan_at + 1;
      end else if (homely != 0) begin
        homely = homely - 1;
        got_error = ERR_EMPTY;
        for (tries = 0; tries < 40 && got_error != 0; tries = tries + 1) begin
          rnd = $random;
          if (rnd[1:0] == 2'd0) s_index = (rnd[2] ? 11'd260 : 11'd1284) + (ref_side != 0 ? 11'd56 : 11'd0);
          else begin
            // Often to or from where a rook stands that has castled.
            s_index = index_of[rnd[14:13] == 2'd3 ? {{3{rnd[3]}}, rnd[12:10], {3{rnd[9]}}, rnd[8] ? 3'd3 : 3'd5}
                               : rnd[14:13] == 2'd2 ? {{3{rnd[3]}}, rnd[8] ? 3'd3 : 3'd5, rnd[12:10], rnd[7:5]}
                               : rnd[2] ? {{3{rnd[3]}}, rnd[12:4]} : {rnd[12:7], {3{rnd[3]}}, rnd[6:4]}];
            judge(s_index);
            if (rnd[31:27] == 5'd0) got_error = 0;
          end
          if (rnd[1:0] == 2'd0) begin
            judge(s_index);
            // Refused, as a rule for a reason.
            if (got_error == ERR_CASTLING && rnd[4:3] == 2'd0) got_error = 0;
          end
        end
      end else if (rnd[31:25] == 7'd0 || (stopped && rnd[31:29] == 3'd0)) begin
        s_op = 2'd1;
        homely = rnd[24:22];
      end else if (rnd[31:25] == 7'd1) s_op = {1'b1, rnd[0]};
      else if (rnd[31:25] == 7'd2) s_index = 11'd1972;
      else if (rnd[24:22] != 3'd0) begin
        judge(s_index);
        for (tries = 0; tries < 60 && got_error != 0; tries = tries + 1) begin
          // From a square of one's own; promotions more often than they would come.
          s_index = $random;
          rnd = $random;
          if (rnd[3:0] == 4'd0) s_index[10:8] = 3'd7;
          else if (rnd[5:4] == 2'd0) s_index[10:7] = {3'd0, rnd[6]};
          if (rnd[9:7] == 3'd0)
            s_index = rnd[10] ? 11'd260 + (rnd[11] ? 11'd56 : 11'd0)
                              : 11'd1284 + (rnd[11] ? 11'd56 : 11'd0);
          judge(s_index);
        end
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("ops=%d", ops)) ops = STOP ? 8000 : 24000;
    op_count = 0;
    applied = 0;
    refused = 0;
    loads = 0;
    put_at = 0;
    get_at = 0;
    phase = 0;
    load_left = 0;
    held = 1'b0;
    held_beat = 0;
    stages = 9'd0;
    hushed = 1'b0;
    renewed = 1'b1;
    resets = 0;
    hushes = 0;
    plan_at = 0;
    plan_count = 0;
    homely = 0;
    fixed = 1'b0;
    fixed_state = 9'd0;
    planned = 11'd0;
    for (k = 0; k < 4096; k = k + 1) index_of[k] = 11'd2047;
    for (k = 0; k < 1792; k = k + 1) begin
      got_word = reference_word(k);
      index_of[{got_word[5:0], got_word[11:6]}] = k;
    end
    taken_nothing = 1'b0;
    setup = 256'd0;
    start_tick = -1;
    play(1, 0);
    @(posedge clk);
    @(posedge clk);
    #1 rst = 1'b0;
    tick = 0;
    quiet = 0;
    while (quiet < 40 && errors < 20) begin
      phase = (op_count * 16) / ops;
      // A set-up position now and then (never in the first phase): 8 ranks and the state.
      rnd = $random;
      if (phase != 0 && load_left == 0 && !s_valid && rnd[5:0] == 6'd0 && op_count < ops) begin
        load_left = 9;
        planned = $random;
        if (rnd[7:6] == 2'd0) planned = rnd[8] ? 11'd260 : 11'd1284;
        if (rnd[7:6] == 2'd0 && rnd[9]) planned = planned + 11'd56;
        setup = 256'd0;
        for (sq = 0; sq < 64; sq = sq + 1) begin
          rnd = $random;
          piece = rnd[2:0] % 6 + 1;
          if (rnd[10:8] == 3'd0) setup[4*sq +: 4] = {rnd[3], piece[2:0]};
        end
        // The piece that is to move, and something or nothing on its target.
        got_word = reference_word(planned);
        rnd = $random;
        piece = rnd[2:0] % 6 + 1;
        if (got_word[14]) piece = 6;
        if (planned == 260 || planned == 1284 || planned == 316 || planned == 1340) piece = 1;
        setup[4*got_word[5:0] +: 4] = {rnd[3], piece[2:0]};
        piece = rnd[6:4] % 7;
        setup[4*got_word[11:6] +: 4] = {rnd[7] && piece != 0, piece[2:0]};
        plan[0] = planned;
        plan_at = 0;
        plan_count = 1;
        homely = 0;
        rnd = $random;
        style = rnd[1:0];
        fixed = style != 3;
        us = rnd[2];
        file = rnd[5:3];
        by = file == 0 || (rnd[6] && file != 7) ? file + 1 : file - 1;
        fifth = us ? 24 : 32;
        rise = us ? -8 : 8;
        case (style)
          0: begin
            // A pawn that may be taken en passant.
            setup[4*(fifth+by) +: 4] = {us[0], 3'd6};
            setup[4*(fifth+file) +: 4] = {!us[0], 3'd6};
            if (rnd[9:7] != 3'd0) setup[4*(fifth+file+rise) +: 4] = 4'd0;
            fixed_state = {file[3:0] + 4'd1, rnd[13:10], us[0]};
            plan[0] = index_of[64*(fifth+by) + fifth+file+rise];
          end
          1: begin
            // One that may after its first step; now and then with another operation between, which is
            // refused or null.
            setup[4*(fifth+by) +: 4] = {us[0], 3'd6};
            setup[4*(fifth+file) +: 4] = 4'd0;
            setup[4*(fifth+file+rise) +: 4] = 4'd0;
            setup[4*(fifth+file+2*rise) +: 4] = {!us[0], 3'd6};
            fixed_state = {4'd0, rnd[13:10], !us[0]};
            plan[0] = index_of[64*(fifth+file+2*rise) + fifth+file];
            plan[1] = rnd[7] ? 11'd2047 : 11'd1972;
            plan[2] = 11'd2040;
            plan_count = rnd[9:8] == 0 ? 2 : rnd[9:8] == 1 ? 3 : 1;
            plan[plan_count] = index_of[64*(fifth+by) + fifth+file+rise];
            plan_count = plan_count + 1;
          end
          2: begin
            // Kings and rooks at home, and some between them.
            for (k = 0; k < 2; k = k + 1) begin
              rnd = $random;
              for (sq = 0; sq < 8; sq = sq + 1) if (rnd[2*sq +: 2] != 2'd0) setup[4*(56*k+sq) +: 4] = 4'd0;
              setup[4*(56*k) +: 4] = {k[0], 3'd5};
              setup[4*(56*k+4) +: 4] = {k[0], 3'd1};
              setup[4*(56*k+7) +: 4] = {k[0], 3'd5};
            end
            fixed_state = {4'd0, rnd[17:16] != 2'd0 ? 4'd15 : rnd[21:18], rnd[22]};
            plan_count = 0;
            homely = 16;
            if (rnd[25:24] == 2'd0) begin
              // Nobody between king and rook of one side, until a queen of either side goes there; or she leaves.
              for (sq = 0; sq < 8; sq = sq + 1) if (sq % 7 != 0 && sq != 4) setup[4*(56*us+sq) +: 4] = 4'd0;
              file = rnd[1:0] == 2'd0 ? 5 + rnd[2] : rnd[1:0];
              setup[4*(24 + 8*us + file) +: 4] = {us[0] ^ rnd[3], 3'd2};
              fixed_state = {8'd15, us[0] ^ rnd[3]};
              plan[0] = index_of[64*(24 + 8*us + file) + 56*us + file];
              if (rnd[26]) begin
                setup[4*(56*us + file) +: 4] = {us[0] ^ rnd[3], 3'd2};
                setup[4*(24 + 8*us + file) +: 4] = 4'd0;
                plan[0] = index_of[64*(56*us + file) + 24 + 8*us + file];
              end
              plan[1] = 11'd1972;
              plan_count = rnd[3] ? 1 : 2;
              plan[plan_count] = (rnd[1:0] == 2'd0 ? 11'd260 : 11'd1284) + (us ? 11'd56 : 11'd0);
              plan_count = plan_count + 1;
            end
          end
          default: if (rnd[16:14] != 3'd0) begin
            // A piece who moves; a queen of the other side looks at where he stood and where he goes.
            fixed = 1'b1;
            got_word = 16'd0;
            for (tries = 0; tries < 400 && !got_word[15]; tries = tries + 1) begin
              rnd = $random;
              // Kings more often.
              piece = rnd[2:0] > 5 ? 1 : rnd[2:0] + 1;
              sq = rnd[8:3];
              case (piece)
                3: by = sq + (rnd[9] ? 17 : -10);
                4: by = sq + (rnd[9] ? 9 : -7);
                5: by = sq + (rnd[9] ? 16 : -2);
                6: by = sq + (us ? -8 : 8);
                default: by = sq + (rnd[9] ? 1 : -9);
              endcase
              file = rnd[31:26];
              if (by >= 0 && by < 64 && sq / 8 != (us ? 0 : 7) && (piece != 6 || by / 8 % 7 != 0) && file != sq && file != by) begin
                got_word[15] = index_of[64*sq + by] != 11'd2047 && index_of[64*file + by] != 11'd2047
                               && (file / 8 == by / 8 || file % 8 == by % 8 || file / 8 - by / 8 == file % 8 - by % 8);
              end
            end
            setup[4*by +: 4] = 4'd0;
            setup[4*sq +: 4] = {us[0], piece[2:0]};
            setup[4*file +: 4] = {!us[0], 3'd2};
            fixed_state = {4'd0, rnd[13:10], us[0]};
            plan[0] = index_of[64*sq + by];
            plan[1] = 11'd1972;
            plan[2] = 11'd1972;
            case (rnd[16:14])
              0, 1: plan_count = 1;             // taken at once
              2: begin                          // after one that is refused
                plan[1] = 11'd2040;
                plan_count = 2;
              end
              3: plan_count = 3;                // after two null moves
              4: plan_count = 2;                // he goes back
              5: begin
                plan[2] = 11'd2040;
                plan_count = 3;
              end
              6: plan_count = 1;                // out of turn
              default: plan_count = 1;          // the queen goes where he stood
            endcase
            plan[plan_count] = rnd[16:14] < 4 ? index_of[64*file + by] : rnd[16:14] < 7 ? index_of[64*by + sq]
                                                                                       : index_of[64*file + sq];
            plan_count = plan_count + 1;
            if (STOP == 0 || rnd[17]) homely = 0;
          end
        endcase
      end
      load_valid = load_left != 0 && !(phase[0] && rnd[12]);
      load_addr = 4'd9 - load_left;
      load_data = load_addr == 4'd8 ? {7'd0, rnd[15:0], 4'd0, rnd[19:16], rnd[20]}
                                    : setup[32*load_addr[2:0] +: 32];
      if (load_addr == 4'd8 && rnd[21])
        load_data[8:5] = got_word[8:6] + 4'd1;
      if (load_addr == 4'd8 && fixed) load_data[8:0] = fixed_state;
      // What is planned often comes without a gap.
      if (!s_valid && load_left == 0 && op_count < ops
          && (!pause(phase % 4, tick, $random) || (plan_at != 0 && plan_at < plan_count && rnd[22]))) begin
        choose;
        s_valid = 1'b1;
        op_count = op_count + 1;
      end
      m_ready = !pause(phase < 16 ? phase / 4 : 3, tick + 3, $random);
      rnd = $random;
      hush = phase[0] && rnd[3:0] < 4'd5;
      rst = phase >= 8 && load_left == 0 && rnd[12:4] == 9'd0;
      #1;
      if (m_valid !== stages[8] || next_valid !== stages[7]) wrong("m_valid or next_valid");
      if (s_ready !== (!stages[8] || m_ready)
          || load_ready !== (s_ready && stages[5:0] == 6'd0 && !renewed)) wrong("s_ready or load_ready");
      k = (get_at + (m_valid || hushed ? 1 : 0)) % QUEUE;
      if (next_valid && next_op !== q_tag[k][UW+1:UW]) wrong("wrong next_op");
      if (held && (!m_valid || held_beat !== {m_op, m_user, beat, state, board}))
        wrong("output changed while stalled");
      held = m_valid && !m_ready;
      held_beat = {m_op, m_user, beat, state, board};
      if (m_valid || hushed) begin
        if (get_at >= put_at) wrong("a beat too many");
        else begin
          if ({m_op, m_user} !== q_tag[get_at % QUEUE]) wrong("wrong tag");
          if (beat !== q_beat[get_at % QUEUE]) wrong("wrong beat");
          if (state !== q_state[get_at % QUEUE]) wrong("wrong state");
          if (board !== q_board[get_at % QUEUE]) wrong("wrong board");
        end
        if (m_ready || hushed) get_at = get_at + 1;
      end
      if (phase == 0 && start_tick >= 0 && m_valid !== (tick >= start_tick + 9))
        wrong("not a ply a clock after nine");
      took = s_valid && s_ready && !rst;
      took_load = load_valid && load_ready && !rst;
      if (took_load) begin
        loads = loads + 1;
        if (load_addr == 4'd8) begin
          ref_side = load_data[0];
          ref_rights = load_data[4:1];
          ref_ep = load_data[8:5];
          ref_ply = load_data[24:9];
        end else ref_board[32*load_addr[2:0] +: 32] = load_data;
        load_left = load_left - 1;
      end
      if (took) begin
        if (start_tick < 0) start_tick = tick;
        got_word = reference_word(s_index);
        taken_nothing = ref_board[4*got_word[11:6] +: 3] == 3'd0;
        play(s_op, s_index);
        if (s_op == 2'd0) begin
          if (got_error == 0) applied = applied + 1;
          else refused = refused + 1;
        end
        q_board[put_at % QUEUE] = ref_board;
        q_state[put_at % QUEUE] = {ref_ply[15:0], ref_ep[3:0], ref_rights[3:0], ref_side[0]};
        q_beat[put_at % QUEUE] = {got_error[2:0], got_word[5:0], got_word[11:6], got_word[14:12],
                                  got_piece[3:0], got_captured[3:0]};
        q_tag[put_at % QUEUE] = {s_op, s_user};
        put_at = put_at + 1;
      end
      if (s_ready) begin
        hushed = stages[7] && hush && !rst;
        if (hushed) hushes = hushes + 1;
        stages = {stages[7] && !hush, stages[6:0], took};
        renewed = 1'b0;
      end
      if (rst) begin
        // As NEW; what was on its way is gone.
        play(1, 0);
        get_at = put_at;
        stages = 9'd0;
        renewed = 1'b1;
        held = 1'b0;
        resets = resets + 1;
      end
      if (op_count >= ops && !s_valid) quiet = quiet + 1;
      if (m_valid) quiet = 0;
      @(posedge clk);
      #1;
      if (took) s_valid = 1'b0;
      tick = tick + 1;
    end
    if (get_at != put_at || put_at != ops) wrong("beats lost");
    verdict;
    $display("PASS ply11_board_tb: %0d operations, %0d moves applied, %0d refused, %0d load beats, %0d hushed, %0d resets",
             ops, applied, refused, loads, hushes, resets);
    $finish;
  end

endmodule

`resetall
