// SPDX-License-Identifier: Apache-2.0
// Two modules with what synthesis turns into gates in different ways: arithmetic with signs, a memory that begins with values, a shift by
// a variable, a state machine, registers that begin with 1 and without a reset.
`default_nettype none

module mixture (
  input  wire        clk,
  input  wire        rst,
  input  wire        we,
  input  wire [3:0]  addr,
  input  wire [7:0]  a,
  output reg  [7:0]  q,
  output wire [15:0] product,
  output wire        less,
  output wire [1:0]  state,
  output wire        s_ready
);

  reg [7:0] mem [0:15];
  reg [7:0] last = 8'h81;
  integer i;
  initial for (i = 0; i < 16; i = i + 1) mem[i] = 3 * i + 1;
  initial q = 8'd0;
  always @(posedge clk) begin
    if (we && !rst) mem[addr] <= a;
    q <= mem[addr] >> a[2:0];
    last <= a;
  end
  assign product = a * last;
  assign less = $signed(a) < $signed(last);
  inner u_inner (.clk(clk), .rst(rst), .go(we), .state(state), .ready(s_ready));

endmodule

module inner (
  input  wire       clk,
  input  wire       rst,
  input  wire       go,
  output wire [1:0] state,
  output wire       ready
);
  reg [1:0] state_q = 2'd2;
  reg [4:0] age_q = 5'd17;
  always @(posedge clk) begin
    case (state_q)
      2'd0: if (go) state_q <= 2'd1;
      2'd1: state_q <= go ? 2'd2 : 2'd3;
      2'd2: if (!go) state_q <= 2'd0;
      default: state_q <= {go, 1'b0};
    endcase
    age_q <= age_q + (go ? 5'd1 : 5'd3);
    if (rst) state_q <= 2'd0;
  end
  assign state = state_q;
  assign ready = state_q[0] ^ age_q[4];
endmodule
