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
)

const gowin = "gowin"

// gowinCells makes each LUT one of four inputs, because nextpnr 0.11.1 leaves out a Gowin's paths through others.
const gowinCells = `module LUT1 (input I0, output F);
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
`

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
