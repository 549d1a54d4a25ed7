// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const gowin = "gowin"

// Yosys 0.23 makes block RAMs of a Gowin that nextpnr does not know. This is a description for memory_libmap of one
// that it knows: SDPX9B (Gowin's UG285), which is written at one port and read at the other, in words of 9, 18 or 36
// bits.
const gowinMemory = `ram block $__SDPX9B_ {
  abits 11;
  widths 9 18 36 per_port;
  cost 128;
  init no_undef;
  port sw "W" { clock posedge; clken; }
  port sr "R" { clock posedge; clken; }
}
`

// gowinCells are the modules of Family.Cells in a Gowin. The block RAM's address is that of a bit; in words of more
// than nine bits, its lowest bits enable the nines. A LUT has four inputs, because nextpnr 0.11.1 leaves out the paths
// through others.
func gowinCells() string {
	var declared, set strings.Builder
	for i := range 64 {
		fmt.Fprintf(&declared, "  parameter INIT_RAM_%02X = 288'd0;\n", i)
		fmt.Fprintf(&set, ",\n    .INIT_RAM_%02X(INIT[%d:%d])", i, 288*i+287, 288*i)
	}
	return "`ifdef BOXES\n" +
		`module SDPX9B (input CLKA, CEA, RESETA, input [13:0] ADA, input [2:0] BLKSELA, input [35:0] DI,
               input CLKB, CEB, RESETB, OCE, input [13:0] ADB, input [2:0] BLKSELB, output [35:0] DO);
  parameter BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, READ_MODE = 1'b0, RESET_MODE = "SYNC", BLK_SEL_0 = 3'b000, BLK_SEL_1 = 3'b000;
` + declared.String() + "endmodule\n`else\n" +
		`module $__SDPX9B_ (input PORT_W_CLK, PORT_W_CLK_EN, PORT_W_WR_EN, input [10:0] PORT_W_ADDR, input [PORT_W_WIDTH-1:0] PORT_W_WR_DATA,
                    input PORT_R_CLK, PORT_R_CLK_EN, input [10:0] PORT_R_ADDR, output [PORT_R_WIDTH-1:0] PORT_R_RD_DATA);
  parameter [18431:0] INIT = 0;
  parameter PORT_W_WIDTH = 9, PORT_R_WIDTH = 9;
  localparam [3:0] NINES = PORT_W_WIDTH == 36 ? 4'b1111 : PORT_W_WIDTH == 18 ? 4'b0011 : 4'b0000;
  wire [35:0] written = PORT_W_WR_DATA, read;
  assign PORT_R_RD_DATA = read;
  SDPX9B #(.BIT_WIDTH_0(PORT_W_WIDTH), .BIT_WIDTH_1(PORT_R_WIDTH), .READ_MODE(1'b0), .RESET_MODE("SYNC"), .BLK_SEL_0(3'b000), .BLK_SEL_1(3'b000)` + set.String() + `)
  _TECHMAP_REPLACE_ (.CLKA(PORT_W_CLK), .CEA(PORT_W_CLK_EN & PORT_W_WR_EN), .RESETA(1'b0), .ADA({PORT_W_ADDR, 3'b000} | NINES), .BLKSELA(3'b000), .DI(written),
    .CLKB(PORT_R_CLK), .CEB(PORT_R_CLK_EN), .RESETB(1'b0), .OCE(1'b1), .ADB({PORT_R_ADDR, 3'b000}), .BLKSELB(3'b000), .DO(read));
endmodule
module LUT1 (input I0, output F);
  parameter [1:0] INIT = 0;
  LUT4 #(.INIT({8{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(1'b0), .I2(1'b0), .I3(1'b0), .F(F));
endmodule
module LUT2 (input I0, I1, output F);
  parameter [3:0] INIT = 0;
  LUT4 #(.INIT({4{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(I1), .I2(1'b0), .I3(1'b0), .F(F));
endmodule
module LUT3 (input I0, I1, I2, output F);
  parameter [7:0] INIT = 0;
  LUT4 #(.INIT({2{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(I1), .I2(I2), .I3(1'b0), .F(F));
endmodule
` + "`endif\n"
}

// gowinTiming are the arguments with which nextpnr times what it has routed.
var gowinTiming = []string{"--json", "timed.json", "--no-pack", "--no-route"}

// routedFrequency returns the clock of what nextpnr has routed in a folder. nextpnr 0.11.1 leaves out a Gowin's paths
// through LUTs that pass on a flip-flop's data (create_passthrough_luts); in a netlist that is read again they count,
// so it is timed once more. program is nextpnr with the arguments that name the device.
func (w *Work) routedFrequency(ctx context.Context, family, dir, output string, program ...string) (float64, error) {
	if family != gowin {
		return frequency(output)
	}
	data, err := os.ReadFile(filepath.Join(dir, "routed"))
	if err != nil {
		return 0, err
	}
	if data, err = placedAgain(data); err != nil {
		return 0, fmt.Errorf("what %s has routed: %w", program[0], err)
	}
	if err := os.WriteFile(filepath.Join(dir, "timed.json"), data, 0o666); err != nil {
		return 0, err
	}
	r, err := w.Run(ctx, dir, program[0], slices.Concat(program[1:], gowinTiming)...)
	if err != nil {
		return 0, err
	}
	return frequency(r.Output)
}

// placedAgain makes the places that nextpnr has found a user's constraints. nextpnr takes the cells from the last name
// to the first, and wants a carry before the flip-flop beside it; so the names of carries begin with the last letter of
// ASCII.
func placedAgain(data []byte) ([]byte, error) {
	type object = map[string]any
	var netlist object
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&netlist); err != nil {
		return nil, err
	}
	modules, _ := netlist["modules"].(object)
	for _, m := range modules {
		module, _ := m.(object)
		cells, _ := module["cells"].(object)
		for name, c := range maps.Clone(cells) {
			cell, _ := c.(object)
			attributes, _ := cell["attributes"].(object)
			if place, ok := attributes["NEXTPNR_BEL"]; ok {
				attributes["BEL"] = place
				delete(attributes, "NEXTPNR_BEL")
			}
			switch cell["type"] {
			case "ALU":
				delete(cells, name)
				cells["~"+name] = cell
			case "LUT1", "LUT2", "LUT3":
				cell["type"] = "LUT4" // with delays; its function does not matter here
			}
		}
	}
	return json.Marshal(netlist)
}
