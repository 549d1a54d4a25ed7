// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A DevBoard is a top module for a real board with an iCE40 HX8K.
type DevBoard struct {
	Name    string
	Top     string
	Files   []string
	Package string  // of the chip
	Pins    string  // the constraints, a PCF file below hdl
	MHz     float64 // of the board's clock
}

// HX8KBreakout returns ply11_top_hx8k for Lattice's breakout board iCE40HX8K-B-EVN. Its files are those of
// the check lint.top_hx8k.
func HX8KBreakout() (DevBoard, error) {
	checks, err := Checks()
	if err != nil {
		return DevBoard{}, err
	}
	for _, c := range checks {
		if c.Name == "lint.top_hx8k" {
			return DevBoard{Name: "iCE40HX8K-B-EVN", Top: c.Top, Files: c.Files, Package: "ct256",
				Pins: "syn/ply11_top_hx8k.pcf", MHz: 12}, nil
		}
	}
	return DevBoard{}, errors.New("eda: there is no check lint.top_hx8k")
}

// A Bitstream is a board's design as it is loaded into the chip.
type Bitstream struct {
	Board string `json:"board"`
	Area
	ClockMHz float64 `json:"clock_mhz"` // of the board, which MHz has to reach
	Bytes    int     `json:"bytes"`
	Data     []byte  `json:"-"`
}

// Bitstream synthesises a board's design by Yosys, places and routes it by nextpnr with the board's pins,
// packs it by icepack, and unpacks and packs it once more, which has to give the same bytes. A clock that
// is not reached, a pin that the package does not have and a design that does not fit are errors.
func (w *Work) Bitstream(ctx context.Context, b DevBoard) (Bitstream, error) {
	out := Bitstream{Board: b.Name, ClockMHz: b.MHz, Area: Area{Design: b.Top, Family: ICE40, MaxLUTs: -1, MinMHz: b.MHz}}
	if err := Need("yosys", "nextpnr-ice40", "icepack"); err != nil {
		return out, err
	}
	dir, err := w.Sub("bitstream-" + b.Top)
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	if _, err := w.Run(ctx, w.Dir, "yosys", "-Q", "-T", "-p", fmt.Sprintf(
		"read_verilog %s; hierarchy -check -top %s; synth_ice40 -top %s -json %s; tee -o %s stat",
		strings.Join(w.Paths(b.Files), " "), b.Top, b.Top, in("netlist.json"), in("stat"))); err != nil {
		return out, err
	}
	stat, err := os.ReadFile(in("stat"))
	if err != nil {
		return out, err
	}
	out.count(string(stat), b.Top)
	r, err := w.Run(ctx, dir, "nextpnr-ice40", "--hx8k", "--package", b.Package, "--json", in("netlist.json"),
		"--pcf", w.Path(b.Pins), "--asc", in("routed.asc"), "--freq", strconv.FormatFloat(b.MHz, 'f', -1, 64), "--seed", "1")
	if err != nil {
		return out, err
	}
	if out.MHz, err = frequency(r.Output); err != nil {
		return out, err
	}
	for _, step := range [][]string{
		{"icepack", in("routed.asc"), in("first.bin")},
		{"icepack", "-u", in("first.bin"), in("unpacked.asc")},
		{"icepack", in("unpacked.asc"), in("second.bin")},
	} {
		if _, err := w.Run(ctx, dir, step[0], step[1:]...); err != nil {
			return out, err
		}
	}
	if out.Data, err = os.ReadFile(in("first.bin")); err != nil {
		return out, err
	}
	again, err := os.ReadFile(in("second.bin"))
	if err != nil {
		return out, err
	}
	out.Bytes = len(out.Data)
	// Both begin with a comment, which names the file that icepack read.
	if a, b := configuration(out.Data), configuration(again); len(a) == 0 || !bytes.Equal(a, b) {
		return out, errors.New("eda: the bitstream differs after unpacking and packing")
	}
	return out, nil
}

// configuration returns a bitstream from its preamble on.
func configuration(b []byte) []byte {
	i := bytes.Index(b, []byte{0x7e, 0xaa, 0x99, 0x7e})
	if i < 0 {
		return nil
	}
	return b[i:]
}

// String says in a line what came out.
func (b Bitstream) String() string {
	return fmt.Sprintf("%s for %s: %d LUT4, %d flip-flops, %d block RAMs, %.0f MHz of the %g that it needs, a bitstream of %d bytes",
		b.Design, b.Board, b.LUTs, b.Flipflops, b.BlockRAMs, b.MHz, b.ClockMHz, b.Bytes)
}
