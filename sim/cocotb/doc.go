// SPDX-License-Identifier: Apache-2.0

// Package cocotb tests the Verilog once more by programs of others: benches in Python by cocotb, with the AXI masters
// and sinks of cocotbext-axi, judged by python-chess; and the core for FuseSoC by FuseSoC. It has tests alone. The
// benches are beside this file: common.py says how to run one by hand.
package cocotb
