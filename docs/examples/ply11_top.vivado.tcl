# SPDX-License-Identifier: Apache-2.0
# An example for Vivado, without a project: ply11_top, the player behind a serial line, on a Xilinx 7. It is text: no one has run it in Vivado. The
# part and the pins of ply11_top.xdc are an example: take those of your board. In the folder build, where all that
# Vivado makes stays:
#   vivado -mode batch -source ../docs/examples/ply11_top.vivado.tcl

set list [open ../hdl/rtl/ply11_top.f]
foreach file [split [read $list] "\n"] {
  if {$file ne {} && ![string match //* $file]} {read_verilog ../hdl/$file}
}
close $list
read_xdc ../docs/examples/ply11_top.xdc

# CLOCKS are the clocks of a bit: 12 MHz / 115,200. MODES are words, Brenner's and jose's bytes.
synth_design -top ply11_top -part xc7a35tcpg236-1 -generic CLOCKS=104 -generic MODES=7
opt_design
place_design
route_design
report_utilization -file utilization.txt
report_timing_summary -file timing.txt
write_bitstream -force ply11_top.bit
