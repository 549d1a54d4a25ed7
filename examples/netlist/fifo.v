// SPDX-License-Identifier: Apache-2.0
// fifo - eight bytes, first in, first out.
`default_nettype none

module fifo (
  input  wire       clk,
  input  wire       rst,
  input  wire       s_valid,
  output wire       s_ready,
  input  wire [7:0] s_data,
  output wire       m_valid,
  input  wire       m_ready,
  output wire [7:0] m_data
);

  reg [7:0] bytes [0:7];
  reg [2:0] first_q;
  reg [3:0] count_q;
  wire      in = s_valid && s_ready, out = m_valid && m_ready;

  assign s_ready = count_q != 4'd8;
  assign m_valid = count_q != 4'd0;
  assign m_data = bytes[first_q];

  always @(posedge clk) begin
    if (in) bytes[first_q + count_q[2:0]] <= s_data;
    if (out) first_q <= first_q + 3'd1;
    count_q <= count_q + {3'd0, in} - {3'd0, out};
    if (rst) count_q <= 4'd0;
  end

endmodule
