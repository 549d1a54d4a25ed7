// SPDX-License-Identifier: Apache-2.0
// u_dut, a ply11_words (CODEC 0), ply11_brenner (1) or ply11_jose (2), with all of its outputs. A module includes it behind
// CODEC, LAYOUT, GAMES, DIALECT and DEPTH, and behind what it drives; row_ready is the load_ready of ply11_words.

wire        s_ready, m_valid, in_game, text_valid, text_last, open, close, calm, load_ready, row_valid;
wire [1:0]  m_kind;
wire [2:0]  text_kind;
wire [3:0]  m_code, row_addr;
wire [7:0]  text_data;
wire [10:0] m_index;
wire [31:0] m_offset, row_data;

generate
  if (CODEC == 0) begin : g_words
    ply11_words #(.DEPTH(DEPTH)) u_dut (
      .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
      .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
      .m_offset(m_offset), .in_game(in_game), .open(open), .close(close), .done(done),
      .load_valid(row_valid), .load_ready(row_ready), .load_addr(row_addr), .load_data(row_data)
    );
    assign {text_valid, text_last, text_kind, text_data} = 13'd0;
    assign {calm, load_ready} = 2'd3;
  end else begin : g_bytes
    assign {row_valid, row_addr, row_data} = 37'd0;
    if (CODEC == 1) begin : g_brenner
      ply11_brenner #(.LAYOUT(LAYOUT), .GAMES(GAMES)) u_dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data[7:0]),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset), .in_game(in_game),
        .text_valid(text_valid), .text_data(text_data), .text_last(text_last),
        .quiet(calm), .load_clear(load_clear), .load_ready(load_ready), .load_valid(load_valid),
        .load_square(load_square), .load_piece(load_piece),
        .load_state(load_state), .load_side(load_side), .load_ep(load_ep), .load_bad(load_bad)
      );
      assign {open, close, text_kind} = 5'd0;
    end else begin : g_jose
      ply11_jose #(.DIALECT(DIALECT), .DEPTH(DEPTH)) u_dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data[7:0]),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset), .in_game(in_game),
        .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind),
        .open(open), .close(close), .done(done),
        .quiet(calm), .load_clear(load_clear), .load_valid(load_valid), .load_square(load_square), .load_piece(load_piece),
        .load_state(load_state), .load_side(load_side), .load_ep(load_ep), .load_bad(load_bad)
      );
      assign load_ready = 1'b1;
    end
  end
endgenerate
