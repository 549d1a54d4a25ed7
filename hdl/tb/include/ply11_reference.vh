// SPDX-License-Identifier: Apache-2.0
// Behavioural model of the move index for the test benches, in plain integers. It shares nothing with
// the modules: reference_word follows the definition of the index step by step (walk the board,
// notice the wrapped coordinate, tile, mirror back), and pieces_can_move knows only how pieces move.

// The table's word of a code: {is_move, promotion, to, from}, 0 for control codes.
function [15:0] reference_word(input integer index);
  integer n, axis, from, file, rank, df, dr, tf, tr, a, sx, sy, u, v, x, y, kf, kr, j, black;
  integer one_file;
  reg [1:0] piece;
  begin
    reference_word = 16'h0000;
    n    = index / 256 + 1;
    axis = (index / 64) % 4;
    from = index % 64;
    file = from % 8;
    rank = from / 8;
    if (n == 8) begin
      // 1792 + 16*(j div 2) + 8*black + 2*piece + j mod 2
      j     = 2 * ((index - 1792) / 16) + index % 2;
      black = (index / 8) % 2;
      piece = index[2:1];
      if (j < 22) begin
        kf = (j + 1) / 3;
        tf = j - 2 * kf;
        reference_word[15]    = 1'b1;
        reference_word[14:12] = {1'b1, piece};
        reference_word[5:0]   = (black != 0) ? 6'd8 + kf[5:0] : 6'd48 + kf[5:0];
        reference_word[11:6]  = (black != 0) ? tf[5:0] : 6'd56 + tf[5:0];
      end
    end else begin
      df = (axis == 0 || axis == 1) ? n : (axis == 3) ? -n : 0;
      dr = (axis == 0) ? 0 : n;
      tf = (file + df + 8) % 8;
      tr = (rank + dr) % 8;
      if ((axis == 1 || axis == 3) && ((tf - file != df) != (tr - rank != dr))) begin
        // Exactly one coordinate of a diagonal wraps: a knight.
        df = tf - file;
        dr = tr - rank;
        sx = (df < 0) ? 1 : 0;
        sy = (dr < 0) ? 1 : 0;
        a  = (df < 0) ? -df : df;
        u  = (sx != 0) ? 7 - file : file;
        v  = (sy != 0) ? 7 - rank : rank;
        x  = 0;
        y  = 0;
        case (a)
          1: begin x = u;         y = 4;             end
          2: begin x = 4 + u / 2; y = 2 * v + u % 2; end
          3: begin x = u;         y = v;             end
          4: begin x = u;         y = v;             end
          5: begin x = v;         y = 5 - u;         end
          6: begin x = 5 + u;     y = v;             end
          default: begin x = v;   y = 5;             end
        endcase
        one_file = (a == 3 || a == 5 || a == 6) ? 1 : 0;
        kf = (one_file != 0) ? x : y;
        kr = (one_file != 0) ? y : x;
        tf = kf + ((one_file != 0) ? 1 : 2);
        tr = kr + ((one_file != 0) ? 2 : 1);
        if (sx != 0) begin
          kf = 7 - kf;
          tf = 7 - tf;
        end
        if (sy != 0) begin
          kr = 7 - kr;
          tr = 7 - tr;
        end
        file = kf;
        rank = kr;
      end
      from = 8 * rank + file;
      j    = 8 * tr + tf;
      reference_word = {4'b1000, j[5:0], from[5:0]};
    end
  end
endfunction

// Whether some piece can go from one square to another, on an otherwise empty board.
function pieces_can_move(input integer from, input integer to, input integer promotion);
  integer df, dr, fr, tr;
  begin
    fr = from / 8;
    tr = to / 8;
    df = to % 8 - from % 8;
    dr = tr - fr;
    if (df < 0) df = -df;
    if (dr < 0) dr = -dr;
    if (promotion == 0)
      pieces_can_move = (from != to)
          && (df == 0 || dr == 0 || df == dr || (df == 1 && dr == 2) || (df == 2 && dr == 1));
    else
      pieces_can_move = promotion >= 4 && df <= 1 && ((fr == 6 && tr == 7) || (fr == 1 && tr == 0));
  end
endfunction
