// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"fmt"
	"io/fs"
	"strings"

	"ply11/hdl"
)

// The files that playerIncludes makes.
const (
	playerPortsPath = "hdl/tb/include/ply11_player_ports.vh"
	playerDUTPath   = "hdl/tb/include/ply11_player_dut.vh"
)

// playerIncludes makes what benches include of ply11_player, from the head of its source in an hdl tree: its list of
// ports, and an instance of 8 bits of input with a wire for each output.
func playerIncludes(tree fs.FS) (map[string][]byte, error) {
	source, err := fs.ReadFile(tree, "rtl/ply11_player.v")
	if err != nil {
		return nil, err
	}
	m, err := hdl.Parse(string(source))
	if err != nil {
		return nil, err
	}
	const made = "// SPDX-License-Identifier: Apache-2.0\n// Made from hdl/rtl/ply11_player.v by: go run " +
		"./cmd/genrom vectors\n"
	ports, dut := new(printer), new(printer)
	ports.f("%s// The ports of ply11_player, for benches that put another in its place.\n", made)
	dut.f(
		`%s// u_dut, a ply11_player of 8 bits of input with all of its outputs. A bench includes it behind DUT_MODES, DUT_DIALECT and DUT_DEPTH,
// and behind what it drives: the inputs of ply11_player by their names.

`, made)
	var declared, connected []string
	for _, p := range m.Ports {
		width := ""
		if p.Range != "" {
			width = "[" + p.Range + "]"
		}
		declared = append(declared, fmt.Sprintf("  %-6s wire %-7s %s", p.Direction, width, p.Name))
		connected = append(connected, "."+p.Name+"("+p.Name+")")
		if p.Direction == "output" {
			dut.f("wire %-7s %s;\n", width, p.Name)
		}
	}
	ports.f("%s\n", strings.Join(declared, ",\n"))
	dut.f("\nply11_player #(.MODES(DUT_MODES), .DIALECT(DUT_DIALECT), .DEPTH(DUT_DEPTH)) u_dut (\n  %s\n);\n",
		strings.Join(connected, ",\n  "))
	return map[string][]byte{playerPortsPath: ports.Bytes(), playerDUTPath: dut.Bytes()}, nil
}
