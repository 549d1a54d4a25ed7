// SPDX-License-Identifier: Apache-2.0
// What test benches share: the clock, random stalls, a source, a sink, PASS and FAIL, the watchdog, the trace.
// A bench includes it in its module, behind these two lines:
//   localparam NAME = "ply11_skid_tb";    what its messages begin with
//   localparam WATCHDOG = 100000;         clocks after which it gives up
// At its end it calls verdict, prints PASS with what it has counted, and calls $finish.

`include "ply11_errors.vh"

reg clk = 1'b0;
always #5 clk = !clk;

integer errors = 0;
// The clock, word or run of which messages speak. The bench counts it.
integer n = 0;

// An error; the first ten are printed.
task fail(input [8*48-1:0] what);
  begin
    errors = errors + 1;
    if (errors <= 10) $display("%0s: %0d: %0s", NAME, n, what);
  end
endtask

// An error where right is not 1.
task expect_that(input right, input [8*48-1:0] what);
  if (right !== 1'b1) fail(what);
endtask

// FAIL, and the end, if there was an error.
task verdict;
  if (errors != 0) begin
    $display("FAIL %0s: %0d errors", NAME, errors);
    $fatal(1, "errors");
  end
endtask

// Whether a clock is left out: pattern 0 never, 1 half of the time, 2 mostly, 3 in bursts of eight clocks. at counts the
// clocks, and rnd is a number at random.
function pause(input [1:0] pattern, input integer at, input [31:0] rnd);
  case (pattern)
    2'd0: pause = 1'b0;
    2'd1: pause = rnd[7];
    2'd2: pause = rnd[9:7] != 3'd0;
    default: pause = at[3];
  endcase
endfunction

// A source: its valid of the next clock. What is offered stays until it is taken.
function source(input valid, input ready, input more);
  source = (valid && !ready) || more;
endfunction

// A sink: what is offered and not taken must be offered again, unchanged. Call it once a clock. A bench with up to three
// outputs calls sink_of for each, with its number. sink_held = 0 forgets what was offered. An x in valid passes here: the bench looks at that.
reg [2:0]   sink_held = 3'd0;
reg [511:0] sink_data [0:2];
task sink_of(input [1:0] number, input valid, input ready, input [511:0] data);
  begin
    if (sink_held[number] && (valid !== 1'b1 || data !== sink_data[number])) fail("changed while stalled");
    sink_held[number] = valid && !ready;
    sink_data[number] = data;
  end
endtask

task sink(input valid, input ready, input [511:0] data);
  sink_of(2'd0, valid, ready, data);
endtask

// +vcd writes a trace.
initial if ($test$plusargs("vcd")) begin
  $dumpfile({NAME, ".vcd"});
  $dumpvars;
end

integer watch = 0;
always @(posedge clk) begin
  watch = watch + 1;
  if (watch > WATCHDOG) begin
    $display("FAIL %0s: watchdog", NAME);
    $fatal(1, "watchdog");
  end
end
