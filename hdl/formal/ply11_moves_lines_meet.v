// SPDX-License-Identifier: Apache-2.0
// ply11_moves, for all time from a reset on, for any position, back-pressure and entries of the FIFO: of a line in stage f those
// squares pass (cut) that are squares of the check, as its registers tell them; or all, if there is no check, of an entry of the
// king or of the end, and en passant if the pawn that is taken is the one who gives it. The judge looks each square up on the
// board, without a word on where two lines meet. The wires with dots are those of the
// instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_lines_meet (
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
  always @(posedge clk) f_started <= 1'b1;
  wire         rst = !f_started || reset;
  ply11_moves u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(), .m_ready(m_ready), .m_index(), .m_last(), .m_count(), .m_check(), .m_mate(), .m_stalemate()
  );

  localparam [2:0] KING = 3'd3, SLIDER = 3'd4, KNIGHT = 3'd5, OVER = 3'd6, FREE = 3'd7;
  (* hierconn *) wire        \u_dut.e_valid , \u_dut.f_valid , \u_dut.g_valid , \u_dut.h_valid ;
  (* hierconn *) wire        \u_dut.e_holds , \u_dut.f_holds , \u_dut.g_holds , \u_dut.h_holds ;
  (* hierconn *) wire [2:0]  \u_dut.e_kind , \u_dut.f_kind , \u_dut.g_kind , \u_dut.h_kind ;
  (* hierconn *) wire [7:0]  \u_dut.cut , \u_dut.check_bits ;
  (* hierconn *) wire [1:0]  \u_dut.f_axis , \u_dut.check_axis ;
  (* hierconn *) wire [2:0]  \u_dut.f_line , \u_dut.check_line ;
  (* hierconn *) wire        \u_dut.f_promotes , \u_dut.check , \u_dut.check_one ;

  // Lines e to h, the newest first.
  wire [3:0]  l_valid = {\u_dut.h_valid , \u_dut.g_valid , \u_dut.f_valid , \u_dut.e_valid };
  wire [3:0]  l_holds = {\u_dut.h_holds , \u_dut.g_holds , \u_dut.f_holds , \u_dut.e_holds };
  wire [11:0] l_kinds = {\u_dut.h_kind , \u_dut.g_kind , \u_dut.f_kind , \u_dut.e_kind };
  // Who gives check goes alone, and the end of a position in check.
  reg         held, meets;
  reg  [2:0]  line, row, file;
  integer     a, j, t;
  always @* begin
    held = 1'b1;
    for (j = 0; j < 4; j = j + 1) begin
      if (l_valid[j] && (l_kinds[3*j +: 3] == SLIDER || l_kinds[3*j +: 3] == KNIGHT || (l_kinds[3*j +: 3] == OVER && \u_dut.check ))
          && !l_holds[j]) held = 1'b0;
      for (a = 0; a < j; a = a + 1) if (l_valid[j] && l_holds[j] && l_valid[a]) held = 1'b0;
    end
    meets = 1'b1;
    line = \u_dut.f_line ;
    for (t = 0; t < 8; t = t + 1) begin
      // Square t of the line: where it is on the board.
      row = \u_dut.f_axis == 2'd0 ? line : \u_dut.f_axis == 2'd1 ? line + t[2:0] : \u_dut.f_axis == 2'd2 ? t[2:0] : line - t[2:0];
      file = \u_dut.f_axis == 2'd2 ? line : t[2:0];
      // Whether it is one of the check's squares, or all pass.
      if (\u_dut.cut [t] != (! \u_dut.check || \u_dut.f_kind == KING || \u_dut.f_kind == OVER
                             || (\u_dut.f_kind == FREE && \u_dut.f_promotes && \u_dut.check_one )
                             || (\u_dut.check_bits [\u_dut.check_axis == 2'd2 ? row : file]
                                 && \u_dut.check_line == (\u_dut.check_axis == 2'd0 ? row : \u_dut.check_axis == 2'd1 ? row - file
                                                          : \u_dut.check_axis == 2'd2 ? file : row + file)))) meets = 1'b0;
    end
  end
  always @* if (f_started && !rst) begin
    a_held: assert (held);
    a_meets: assert (! \u_dut.f_valid || meets);
  end

endmodule

`resetall
