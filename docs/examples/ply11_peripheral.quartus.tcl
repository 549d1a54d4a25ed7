# SPDX-License-Identifier: Apache-2.0
# An example for Quartus: ply11_peripheral alone in a Cyclone V, to see how large and how fast it is before it stands in your design. It is text: no
# one has run it in Quartus. The device is an example. All ports but the clock are virtual pins, because the module has more of them than the device. In
# the folder build, where all that Quartus makes stays:
#   quartus_sh -t ../docs/examples/ply11_peripheral.quartus.tcl

package require ::quartus::project
package require ::quartus::flow

project_new ply11_peripheral -overwrite
set_global_assignment -name FAMILY "Cyclone V"
set_global_assignment -name DEVICE 5CEBA4F23C7
set_global_assignment -name TOP_LEVEL_ENTITY ply11_peripheral
set list [open ../hdl/rtl/ply11_peripheral.f]
foreach file [split [read $list] "\n"] {
  if {$file ne {} && ![string match //* $file]} {set_global_assignment -name VERILOG_FILE ../hdl/$file}
}
close $list
set_global_assignment -name SDC_FILE ../docs/examples/ply11_peripheral.sdc

# MODES 1 are words.
set_parameter -name MODES 1
# A clock needs a pin, which leads to the clock network: what names a port goes before *.
set_instance_assignment -name VIRTUAL_PIN ON -to *
set_instance_assignment -name VIRTUAL_PIN OFF -to aclk
execute_flow -compile
project_close
