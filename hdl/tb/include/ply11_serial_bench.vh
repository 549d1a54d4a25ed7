// SPDX-License-Identifier: Apache-2.0
// A computer at the serial line of ply11_top. It sends bytes and breaks, and gives each byte that comes to the bench.
// A bench includes it behind ply11_bench.vh and u_dut's rx, tx and cts_n. It has CLOCKS, the clocks of a bit; HEEDS, whether the
// computer waits while cts_n is 1; and a task take(value), which is called once for each byte.

// Clocks in which send waited.
integer   stops = 0;
// Of the receiver: the clocks since the byte began, 0 between bytes; the clocks since the last one ended.
integer   phase = 0, idle = 0, sent_bit, received_bit;
reg [7:0] value = 8'd0;

task clocks(input integer count);
  begin
    repeat (count) @(posedge clk);
    #1;
  end
endtask

task send(input [7:0] data);
  begin
    while (HEEDS && cts_n) begin
      stops = stops + 1;
      clocks(1);
    end
    rx = 1'b0;
    clocks(CLOCKS);
    for (sent_bit = 0; sent_bit < 8; sent_bit = sent_bit + 1) begin
      rx = data[sent_bit];
      clocks(CLOCKS);
    end
    rx = 1'b1;
    clocks(CLOCKS);
  end
endtask

// A low line of so many bits.
task send_break(input integer bits);
  begin
    rx = 1'b0;
    clocks(bits * CLOCKS);
    rx = 1'b1;
  end
endtask

// Each bit is taken in its middle; the stop bit must be 1.
always @(posedge clk) begin
  if (phase == 0) begin
    idle = idle + 1;
    if (!tx) begin
      phase = 1;
      idle = 0;
    end
  end else begin
    phase = phase + 1;
    for (received_bit = 0; received_bit < 8; received_bit = received_bit + 1)
      if (phase == CLOCKS / 2 + CLOCKS * (received_bit + 1)) value[received_bit] = tx;
    if (phase == CLOCKS / 2 + CLOCKS * 9) begin
      phase = 0;
      expect_that(tx, "a stop bit");
      take(value);
    end
  end
end
