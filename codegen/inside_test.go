// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"ply11/hdl"
	"ply11/internal/testenv"
)

// What benches include has every port once, with its width, and an output as a wire; a source without a list of ports
// is an error.
func TestPlayerIncludes(t *testing.T) {
	source := "module ply11_player #(\n  parameter WIDTH = 8\n) (\n  input  wire             clk,\n  input  wire " +
		"[WIDTH-1:0] s_data,\n" +
		"  output wire [255:0]     board\n);\n"
	files, err := playerIncludes(fstest.MapFS{"rtl/ply11_player.v": {Data: []byte(source)}})
	testenv.Must(t, err)
	for name, want := range map[string]string{
		playerPortsPath: "  input  wire         clk,\n  input  wire [WIDTH-1:0] s_data,\n  output wire [255:0] board\n",
		playerDUTPath: "\nwire [255:0] board;\n\nply11_player #(.MODES(DUT_MODES), .DIALECT(DUT_DIALECT), " +
			".DEPTH(DUT_DEPTH)) u_dut (\n" +
			"  .clk(clk),\n  .s_data(s_data),\n  .board(board)\n);\n",
	} {
		if got := string(files[name]); !strings.HasSuffix(got, want) {
			t.Errorf("%s ends in\n%s\nwant\n%s", name, got, want)
		}
	}
	if _, err := playerIncludes(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no source: %v", err)
	}
	if _, err := playerIncludes(fstest.MapFS{"rtl/ply11_player.v": {Data: []byte(source[:len(source)-4])}}); err ==
		nil {
		t.Error("a list of ports without an end is no error")
	}
}

// A head that VHDL cannot say is an error that names its file.
func TestComponentsRefuse(t *testing.T) {
	for name, head := range map[string]string{
		"range":   "  input  wire [A:B] x\n",
		"default": "  parameter A = B+1\n) (\n  input wire x\n",
		"port":    "  input x y\n",
	} {
		open := " ("
		if name == "default" {
			open = " #("
		}
		source := "// ply11_x - x\n\nmodule ply11_x" + open + "\n" + head + ");\n"
		_, err := components(fstest.MapFS{"rtl/ply11_x.v": {Data: []byte(source)}})
		if err == nil || !strings.Contains(err.Error(), "hdl/rtl/ply11_x.v") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A field that SystemRDL cannot say is an error.
func TestRDLRefuses(t *testing.T) {
	for _, bad := range []hdl.Field{{Name: "F", Access: "rx"}, {Name: "F", Access: "ro", Meaning: `a "word"`}} {
		if _, err := registersRDL([]hdl.Register{{Name: "R", Fields: []hdl.Field{bad}}}); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
