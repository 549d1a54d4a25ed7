// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"ply11/codegen"
	"ply11/hdl"
)

// A Design is a row of hdl/syn/designs.tsv.
type Design struct {
	Name string
	Verilog
	// for synth_ice40; -nobram is for all families, and ecp5=noreset, ecp5=widelut and ecp5=ripup are for ECP5
	Flags []string
	// the targets, of an iCE40 and by family; -1 and 0 where there is none
	MaxLUTs int
	MinMHz  map[string]float64
}

// Designs returns the rows of hdl/syn/designs.tsv.
func Designs() ([]Design, error) {
	rows, err := hdl.Table("syn/designs.tsv")
	if err != nil {
		return nil, err
	}
	designs := make([]Design, len(rows))
	for i, r := range rows {
		d := Design{Name: r["name"], Verilog: verilogOf(r), Flags: strings.Fields(r["flags"]), MaxLUTs: -1,
			MinMHz: map[string]float64{}}
		if s := r["luts"]; s != "" {
			if d.MaxLUTs, err = strconv.Atoi(s); err != nil {
				return nil, fmt.Errorf("designs.tsv: %s: %w", d.Name, err)
			}
		}
		for _, s := range strings.Fields(r["mhz"]) {
			family, mhz, ok := strings.Cut(s, "=")
			if !ok {
				family, mhz = ICE40, s
			}
			if _, ok := FamilyOf(family); !ok {
				return nil, fmt.Errorf("designs.tsv: %s: %s is no family", d.Name, family)
			}
			if d.MinMHz[family], err = strconv.ParseFloat(mhz, 64); err != nil {
				return nil, fmt.Errorf("designs.tsv: %s: %w", d.Name, err)
			}
		}
		designs[i] = d
	}
	return designs, nil
}

// comment is what Yosys does not read. The line's end stays, because names of cells have line numbers.
var comment = regexp.MustCompile(`[ \t]*//[^\n]*`)

// Sources returns the SHA-256, in hexadecimal digits, of what decides the figures of the design in a family: scripts,
// arguments, the module around it, top, parameters, flags, and files without their comments.
func (d Design) Sources(f Family) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s %q\n", f.method(f.flags(d)), d.Top, d.Params)
	if f.FewPins {
		around, err := f.pinned(d)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s\n", around)
	}
	for _, name := range d.Files {
		text, err := hdl.FS.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("designs.tsv: %s: %w", d.Name, err)
		}
		fmt.Fprintf(sum, "%s\n%s\n", name, comment.ReplaceAll(text, nil))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Old returns the areas whose sources have changed since they were measured, or are not known.
func Old(areas []Area) ([]Area, error) {
	designs, err := Designs()
	if err != nil {
		return nil, err
	}
	var old []Area
	for _, a := range areas {
		now := ""
		f, known := FamilyOf(a.Family)
		if i := slices.IndexFunc(designs, func(d Design) bool { return d.Name == a.Design }); i >= 0 && known {
			if now, err = designs[i].Sources(f); err != nil {
				return nil, err
			}
		}
		if now != a.Sources || now == "" {
			old = append(old, a)
		}
	}
	return old, nil
}

// An Area is a design synthesised, placed and routed in a family, of the files that genrom emits.
type Area struct {
	Design    string    `json:"design"`
	Family    string    `json:"family"`
	LUTs      int       `json:"luts"` // places for a LUT that it takes: see cells
	Carries   int       `json:"carries"`
	Flipflops int       `json:"flipflops"`
	BlockRAMs int       `json:"block_rams"`
	UM2       float64   `json:"um2,omitempty"`        // of standard cells, before routing
	PJ        float64   `json:"pj_a_clock,omitempty"` // of standard cells, if each net changes in a tenth of the clocks
	MHz       float64   `json:"mhz"`                  // median over the runs; 0 for what has no path between registers
	Runs      []float64 `json:"mhz_by_run,omitempty"` // by seed, from 1
	MaxLUTs   int       `json:"target_luts"`          // -1: none
	MinMHz    float64   `json:"target_mhz"`           // 0: none
	Sources   string    `json:"sources"`              // Design.Sources when it was measured
}

// Met reports whether the targets are met, of the clock by the median.
func (a Area) Met() bool { return (a.MaxLUTs < 0 || a.LUTs <= a.MaxLUTs) && a.MHz >= a.MinMHz }

// Target says what the targets are, and whether they are met; "-" if there is none.
func (a Area) Target() string {
	var goals []string
	if a.MaxLUTs >= 0 {
		goals = append(goals, fmt.Sprintf("at most %d LUTs", a.MaxLUTs))
	}
	if a.MinMHz > 0 {
		goals = append(goals, fmt.Sprintf("%.0f MHz", a.MinMHz))
	}
	switch {
	case goals == nil:
		return "-"
	case a.Met():
		return strings.Join(goals, ", ") + ": met"
	}
	return strings.Join(goals, ", ") + ": missed"
}

func median[T cmp.Ordered](list []T) T { return slices.Sorted(slices.Values(list))[len(list)/2] }

var (
	maxFrequency = regexp.MustCompile(`Max frequency for clock +'([^']*)': ([0-9.]+) MHz`)
	cellCount    = regexp.MustCompile(`(?m)^\s+(\d+)(?:\s+[-+.\dE]+)?\s+(\w+)$`) // with an area, if there is a library
)

// Seeds are how many times a design is placed and routed by default.
const Seeds = 5

// Synthesize measures designs in a family, workers at a time, the clock with so many seeds of placement, 1 or more;
// standard cells are not placed. report, if not nil, is called with each, one at a time.
func (w *Work) Synthesize(ctx context.Context, f Family, designs []Design, seeds, workers int, report func(Area)) (
	[]Area, error) {
	if err := Need(f.programs()...); err != nil {
		return nil, err
	}
	emitted, err := codegen.Files()
	if err != nil {
		return nil, err
	}
	areas := make([]Area, len(designs))
	errs := make([]error, len(designs))
	var group errgroup.Group
	group.SetLimit(max(workers, 1))
	var lock sync.Mutex
	for i, d := range designs {
		group.Go(func() error {
			areas[i], errs[i] = w.synthesize(ctx, f, d, emitted, seeds)
			if errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %w", d.Name, errs[i])
			} else if report != nil {
				lock.Lock()
				report(areas[i])
				lock.Unlock()
			}
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return areas, errors.Join(errs...)
}

func (w *Work) synthesize(ctx context.Context, f Family, d Design, emitted []codegen.File, seeds int) (Area, error) {
	sources, err := d.Sources(f)
	a := Area{Design: d.Name, Family: f.Name, MaxLUTs: -1, MinMHz: d.MinMHz[f.Name], Sources: sources}
	if f.Name == ICE40 {
		a.MaxLUTs = d.MaxLUTs
	}
	if err != nil {
		return a, err
	}
	dir, err := w.Sub("synth-" + d.Name)
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir)
	top := d.Top
	files := map[string]string{"pins": f.Pins, "load": load, "cells.v": f.Cells}
	var names []string
	for _, name := range d.Files {
		i := slices.IndexFunc(emitted, func(f codegen.File) bool { return f.Path == name })
		if i < 0 {
			return a, fmt.Errorf("%s is not emitted", name)
		}
		names = append(names, filepath.Base(name))
		files[filepath.Base(name)] = string(emitted[i].Data)
	}
	if f.FewPins {
		top = pinTop
		names = append(names, top+".v")
		if files[top+".v"], err = f.pinned(d); err != nil {
			return a, err
		}
	}
	script := fmt.Sprintf("read_verilog %s; %s", strings.Join(names, " "), d.Chparam())
	if top != d.Top {
		script += "setattr -mod -set keep_hierarchy 1 " + d.Top + "; "
	}
	script += fmt.Sprintf("hierarchy -check -top %s; %s", top, f.synth(f.flags(d), top))
	if err := w.mapped(ctx, dir, files, script, d.Top, &a); err != nil {
		return a, err
	}
	if a.Flipflops == 0 && a.BlockRAMs == 0 || f.Place == nil {
		return a, nil // no clock
	}
	if f.cellLibrary() {
		seeds = 1
	}
	for seed := 1; seed <= seeds; seed++ {
		mhz, err := f.place(ctx, w, &a, dir, top, f.flags(d), seed)
		if err != nil {
			return a, err
		}
		if mhz == 0 {
			return a, nil // no path begins and ends in a register, as in a lone block RAM
		}
		a.Runs = append(a.Runs, mhz)
	}
	a.MHz = median(a.Runs)
	return a, nil
}

// mapped writes files to a folder, runs Yosys there, and counts the cells of a module in what its script leaves in
// stat. YoWASP's programs see no other temporary folder than their own, so names are relative.
func (w *Work) mapped(ctx context.Context, dir string, files map[string]string, script, module string, a *Area) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if _, err := w.Run(ctx, dir, yosys, "-Q", "-T", "-p", script); err != nil {
		return err
	}
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err == nil {
		a.count(string(stat), module)
	}
	return err
}

// frequency returns the last clock that nextpnr prints, which is that after routing, but pinClock; 0 if there is none.
func frequency(output string) (float64, error) {
	mhz := "0"
	for _, m := range maxFrequency.FindAllStringSubmatch(output, -1) {
		if !strings.Contains(m[1], pinClock) {
			mhz = m[2]
		}
	}
	return strconv.ParseFloat(mhz, 64)
}

// cells are what is counted of a netlist, by the first letters of their names: the places for LUTs, carries, flip-flops
// and block RAMs that one takes. Carries of an iCE40 and a Xilinx take no place for a LUT. Small memories are made of
// LUTs.
var cells = []struct {
	prefix                             string
	luts, carries, flipflops, blockRAM int
}{
	{"SB_LUT4", 1, 0, 0, 0}, {"SB_CARRY", 0, 1, 0, 0}, {"SB_DFF", 0, 0, 1, 0}, {"SB_RAM40_4K", 0, 0, 0, 1},
	{"LUT", 1, 0, 0, 0}, {"INV", 1, 0, 0, 0}, {"SRL", 1, 0, 0, 0},
	{"CCU2", 2, 1, 0, 0}, {"ALU", 1, 1, 0, 0}, {"CARRY4", 0, 1, 0, 0},
	{"TRELLIS_FF", 0, 0, 1, 0}, {"FD", 0, 0, 1, 0}, {"DFF", 0, 0, 1, 0},
	{"DP16KD", 0, 0, 0, 1}, {"PDP", 0, 0, 0, 1}, {"RAMB", 0, 0, 0, 1}, {"SDPB", 0, 0, 0, 1}, {"SDPX", 0, 0, 0, 1},
	{"DPB", 0, 0, 0, 1}, {"DPX", 0, 0, 0, 1}, {"SP", 0, 0, 0, 1}, {"pROM", 0, 0, 0, 1},
	{"TRELLIS_DPR16X4", 4, 0, 0, 0}, {"DPR16X4", 4, 0, 0, 0}, {"RAM16SDP4", 4, 0, 0, 0},
	{"RAM32X1D", 2, 0, 0, 0}, {"RAM32M", 4, 0, 0, 0}, {"RAM64X1D", 2, 0, 0, 0}, {"RAM64M", 4, 0, 0, 0},
	{"RAM128X1D", 4, 0, 0, 0},
}

var chipArea = regexp.MustCompile(`Chip area for (?:top )?module '[^']*': ([0-9.]+)`)

// count adds up the cells of a module in the output of Yosys' stat.
func (a *Area) count(stat, module string) {
	if _, part, ok := strings.Cut(stat, "=== "+module+" ==="); ok {
		stat, _, _ = strings.Cut(part, "===")
	}
	for cell, n := range cellsOf(stat) {
		for _, c := range cells {
			if strings.HasPrefix(cell, c.prefix) {
				a.LUTs += n * c.luts
				a.Carries += n * c.carries
				a.Flipflops += n * c.flipflops
				a.BlockRAMs += n * c.blockRAM
				break
			}
		}
	}
	if m := chipArea.FindStringSubmatch(stat); m != nil {
		a.LUTs = 0 // an INVX1 is none
		a.UM2, _ = strconv.ParseFloat(m[1], 64)
	}
}

func cellsOf(stat string) map[string]int {
	cells := make(map[string]int)
	for _, m := range cellCount.FindAllStringSubmatch(stat, -1) {
		n, err := strconv.Atoi(m[1])
		if err == nil {
			cells[m[2]] += n
		}
	}
	return cells
}

// Markdown returns a table of areas, of the clock the median and the slowest of all runs.
func Markdown(areas []Area) string {
	var b strings.Builder
	b.WriteString("| module | LUT4 | flip-flops | block RAM | MHz | slowest | target " +
		"|\n|---|---:|---:|---:|---:|---:|---|\n")
	for _, a := range areas {
		mhz, slowest := "-", "-"
		if len(a.Runs) > 0 {
			mhz = fmt.Sprintf("%.0f", a.MHz)
			slowest = fmt.Sprintf("%.0f", slices.Min(a.Runs))
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %s | %s | %s |\n", a.Design, a.LUTs, a.Flipflops,
			a.BlockRAMs, mhz, slowest, a.Target())
	}
	return b.String()
}

// JSON returns areas, or a bitstream, as JSON.
func JSON[A []Area | Bitstream](what A) ([]byte, error) {
	b, err := json.MarshalIndent(what, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
