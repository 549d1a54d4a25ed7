// SPDX-License-Identifier: Apache-2.0
// The positions of ply11_perft's bench, and how many legal move sequences they have. A bench that includes it reads
// tb/ply11_perft/roots.hex into roots before it calls take_root. sim/vectors/perft says what a line has.

localparam ROOT_LINES = 19;
// The usual initial position, which the modules have after a reset. Its counts are there to depth 3.
localparam USUAL = ROOT_LINES - 2;

reg [643:0] roots [0:ROOT_LINES-1];
reg [643:0] root;
// The depth of the order. A bench may make it less.
reg [3:0]   root_depth;

task take_root(input integer line);
  begin
    root       = roots[line];
    root_depth = root[355:352];
  end
endtask

// A word of the load port: ranks 1 to 8 at 0 to 7, the state at 8.
function [31:0] root_word(input integer address);
  root_word = address == 8 ? root[387:356] : root[388 + 32*address +: 32];
endfunction

// The positions that so many plies lead to.
function [31:0] root_count(input integer plies);
  root_count = root[32*plies +: 32];
endfunction

// The bytes of the position on a serial line, 0 to 35.
function [7:0] root_byte(input integer number);
  reg [31:0] word;
  begin
    word      = root_word(number / 4);
    root_byte = word[8*(number % 4) +: 8];
  end
endfunction

// The bytes of the answer for so many plies, 0 to 8.
function [7:0] count_byte(input integer plies, input integer number);
  reg [31:0] word;
  begin
    word       = root_count(plies);
    count_byte = number == 0 ? {plies == root_depth, 3'd0, plies[3:0]} : number < 5 ? word[8*(number - 1) +: 8] : 8'd0;
  end
endfunction
