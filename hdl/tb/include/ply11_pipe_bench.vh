// SPDX-License-Identifier: Apache-2.0
// The body of the benches of ply11_decode_pipe and ply11_encode_pipe. All inputs go through at full speed; then every pair of
// periodic patterns, four clocks long, of idle and of back-pressure; then random ones; then a reset in mid-flow.
// Checked: order, values, nothing lost or made up, outputs that hold while stalled, the latency, and one a clock.
// The bench has LATENCY; INPUTS; RESULT, the bits of an output, of which the top one is is_move; PERIODIC and RANDOM, how
// many inputs go through in those parts; u_dut with back-pressure and u_free without, of which both have the input of number
// next; the wires below that are theirs; and a task fill, which sets want.

reg               rst = 1'b1;
reg               s_valid = 1'b0;
reg               m_ready = 1'b0;
wire              s_ready, m_valid, free_s_ready, free_m_valid;
wire [RESULT-1:0] m_all, f_all;

// What is taken by u_dut is given to u_free in the same clock.
wire              taken = s_valid && s_ready;

reg  [RESULT-1:0] want[0:INPUTS-1];
reg  [31:0]       noise = 32'd1;
reg  [ 3:0]       valid_pattern = 4'd0;
reg  [ 3:0]       ready_pattern = 4'd0;
reg               random = 1'b0;
reg               full_speed = 1'b0;
// Input numbers run on for ever and are taken modulo INPUTS. line[k] is what was put in k + 1 clocks
// ago, -1 for nothing.
integer next, received, limit, i, vp, rp;
integer line[0:LATENCY-1];

always @(posedge clk) begin
  n             = received;
  noise         <= {noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};
  valid_pattern <= {valid_pattern[2:0], valid_pattern[3]};
  ready_pattern <= {ready_pattern[2:0], ready_pattern[3]};
  m_ready       <= random ? noise[7] : ready_pattern[0];
  if (rst) begin
    s_valid   <= 1'b0;
    sink_held = 1'b0;
    received  <= next;
    for (i = 0; i < LATENCY; i = i + 1) line[i] <= -1;
  end else begin
    s_valid <= source(s_valid, s_ready,
                      next + (taken ? 1 : 0) < limit && (random ? noise[3] : valid_pattern[0]));
    if (taken) next <= next + 1;
    if (m_valid && m_ready) begin
      received <= received + 1;
      if (received >= next) fail("an output that was never put in");
      else if (!same(m_all, want[received % INPUTS])) fail("wrong output");
    end
    sink(m_valid, m_ready, {{(128-RESULT){1'b0}}, m_all});
    if ((full_speed && (!s_ready || m_valid != free_m_valid)) !== 1'b0) fail("not one a clock");
    line[0] <= taken ? next : -1;
    for (i = 1; i < LATENCY; i = i + 1) line[i] <= line[i-1];
    if (free_s_ready !== 1'b1) fail("the form without back-pressure is not ready");
    if (free_m_valid !== (line[LATENCY-1] >= 0)) fail("latency of the free form");
    else if (free_m_valid && !same(f_all, want[line[LATENCY-1] % INPUTS]))
      fail("wrong output of the free form");
  end
end

// is_move, the top bit, is always compared, the rest only of moves.
function same(input [RESULT-1:0] got, input [RESULT-1:0] expected);
  same = got[RESULT-1] === expected[RESULT-1] && (!expected[RESULT-1] || got === expected);
endfunction

// Lets count inputs through and waits until they have come out.
task run(input integer count);
  begin
    limit = next + count;
    while (received < limit) @(negedge clk);
  end
endtask

initial begin
  next     = 0;
  received = 0;
  limit    = 0;
  fill;
  repeat (4) @(negedge clk);
  rst = 1'b0;

  valid_pattern = 4'b1111;
  ready_pattern = 4'b1111;
  repeat (4) @(negedge clk);
  full_speed = 1'b1;
  run(INPUTS);
  full_speed = 1'b0;

  for (vp = 1; vp < 16; vp = vp + 1) begin
    for (rp = 1; rp < 16; rp = rp + 1) begin
      valid_pattern = vp[3:0];
      ready_pattern = rp[3:0];
      run(PERIODIC);
    end
  end

  random = 1'b1;
  run(RANDOM);

  // A reset empties it, in mid-flow and when it is full and stalled; what comes next is the next input, not what was in it.
  valid_pattern = 4'b1111;
  for (vp = 0; vp < 2; vp = vp + 1) begin
    random = vp == 0;
    ready_pattern = 4'b0000;
    limit = next + 100;
    repeat (20) @(negedge clk);
    rst = 1'b1;
    @(negedge clk);
    limit = next;
    @(negedge clk);
    rst = 1'b0;
    if ((m_valid || free_m_valid) !== 1'b0) fail("valid after a reset");
    ready_pattern = 4'b1111;
    repeat (20) @(negedge clk);
    run(100);
  end

  verdict;
  $display("PASS %0s: %0d transfers, latency %0d", NAME, received, LATENCY);
  $finish;
end
