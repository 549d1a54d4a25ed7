# SPDX-License-Identifier: Apache-2.0
# Constraints of ply11_top on a board with a Xilinx 7 FPGA, for Vivado. That top is plain Verilog: the player behind a serial
# line. The pins are an example: take those of your board.

# 12 MHz; with another clock set CLOCKS to clocks a bit of the serial line.
set_property -dict {PACKAGE_PIN L17 IOSTANDARD LVCMOS33} [get_ports clk]
create_clock -name clk -period 83.333 [get_ports clk]

set_property -dict {PACKAGE_PIN J17 IOSTANDARD LVCMOS33} [get_ports rx]
set_property -dict {PACKAGE_PIN J18 IOSTANDARD LVCMOS33} [get_ports tx]
set_property -dict {PACKAGE_PIN M3 IOSTANDARD LVCMOS33} [get_ports cts_n]
set_property -dict {PACKAGE_PIN A17 IOSTANDARD LVCMOS33} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN C16 IOSTANDARD LVCMOS33} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN B17 IOSTANDARD LVCMOS33} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN B18 IOSTANDARD LVCMOS33} [get_ports {led[3]}]
set_property -dict {PACKAGE_PIN C17 IOSTANDARD LVCMOS33} [get_ports {led[4]}]
set_property -dict {PACKAGE_PIN A18 IOSTANDARD LVCMOS33} [get_ports {led[5]}]
set_property -dict {PACKAGE_PIN K1 IOSTANDARD LVCMOS33} [get_ports {led[6]}]
set_property -dict {PACKAGE_PIN L1 IOSTANDARD LVCMOS33} [get_ports {led[7]}]

# The serial line and the LEDs have no clock of ours: rx passes two registers, and the others are slow.
set_false_path -from [get_ports rx]
set_false_path -to [get_ports {tx cts_n led[*]}]
