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
	Name   string
	Top    string
	Files  []string
	Params []string // NAME=value, of the top module
	Flags  []string // for synth_ice40
	// MaxLUTs and MinMHz are the targets; -1 and 0 where there is none.
	MaxLUTs int
	MinMHz  float64
}

// Designs returns the rows of hdl/syn/designs.tsv.
func Designs() ([]Design, error) {
	rows, err := hdl.Table("syn/designs.tsv")
	if err != nil {
		return nil, err
	}
	designs := make([]Design, len(rows))
	for i, r := range rows {
		d := Design{Name: r["name"], Top: r["top"], Files: strings.Fields(r["files"]), Params: strings.Fields(r["params"]),
			Flags: strings.Fields(r["flags"]), MaxLUTs: -1}
		if s := r["luts"]; s != "" {
			if d.MaxLUTs, err = strconv.Atoi(s); err != nil {
				return nil, fmt.Errorf("designs.tsv: %s: %w", d.Name, err)
			}
		}
		if s := r["mhz"]; s != "" {
			if d.MinMHz, err = strconv.ParseFloat(s, 64); err != nil {
				return nil, fmt.Errorf("designs.tsv: %s: %w", d.Name, err)
			}
		}
		designs[i] = d
	}
	return designs, nil
}

// comment is what Yosys does not read. The line's end stays, because names have line numbers in them.
var comment = regexp.MustCompile(`[ \t]*//[^\n]*`)

// method is how a design is measured. If it changes, all figures are old.
const method = "LUTs by line offset, MHz by line offset and seed"

// Sources returns the SHA-256 of all that decides the figures of the design, in hexadecimal digits: how they are measured; its
// files without their comments, which keep their lines; its top, parameters and flags.
func (d Design) Sources() (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s %q %q\n", method, d.Top, d.Params, d.Flags)
	for _, name := range d.Files {
		text, err := hdl.FS.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("designs.tsv: %s: %w", d.Name, err)
		}
		fmt.Fprintf(sum, "%s\n%s\n", name, comment.ReplaceAll(text, nil))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Old returns the names of those areas whose sources are others than when they were measured, or are not known.
func Old(areas []Area) ([]string, error) {
	designs, err := Designs()
	if err != nil {
		return nil, err
	}
	now := map[string]string{}
	for _, d := range designs {
		if now[d.Name], err = d.Sources(); err != nil {
			return nil, err
		}
	}
	var old []string
	for _, a := range areas {
		if now[a.Design] != a.Sources || a.Sources == "" {
			old = append(old, a.Design)
		}
	}
	return old, nil
}

// An Area is a design synthesised, placed and routed for an iCE40 HX8K, of the files that genrom emits.
type Area struct {
	Design    string    `json:"design"`
	LUTs      int       `json:"luts"`                     // SB_LUT4, median over the line offsets
	Offsets   []int     `json:"luts_by_offset,omitempty"` // SB_LUT4 by LineOffsets
	Carries   int       `json:"carries"`                  // SB_CARRY
	Flipflops int       `json:"flipflops"`                // SB_DFF of all kinds
	BlockRAMs int       `json:"block_rams"`               // SB_RAM40_4K
	MHz       float64   `json:"mhz"`                      // median over the runs; 0 for what has no path between registers
	Runs      []float64 `json:"mhz_by_run,omitempty"`     // by seed, from 1, each at the next of the line offsets
	MaxLUTs   int       `json:"target_luts"`              // -1: none
	MinMHz    float64   `json:"target_mhz"`               // 0: none
	Sources   string    `json:"sources"`                  // Design.Sources when it was measured
}

// LineOffsets are how many lines are put before a source's own. Yosys gives cells names with line numbers in them,
// and what ABC makes of a design can depend on the order of the names.
var LineOffsets = [...]int{0, 1, 2, 3, 5, 8, 13, 21}

// Seeds is how many seeds of placement count. The lines move the clock as a seed does, so each seed is tried at another of the
// LineOffsets: as many runs as seeds.
const Seeds = 15

// Met reports whether the targets are met: by the LUTs of each line offset, and by the median clock.
func (a Area) Met() bool {
	return (a.MaxLUTs < 0 || a.Worst() <= a.MaxLUTs) && a.MHz >= a.MinMHz
}

// Worst returns the most LUTs of any line offset.
func (a Area) Worst() int { return max(a.LUTs, slices.Max(append([]int{0}, a.Offsets...))) }

// median returns the one in the middle, of an even number the higher one.
func median[T cmp.Ordered](list []T) T { return slices.Sorted(slices.Values(list))[len(list)/2] }

var (
	maxFrequency = regexp.MustCompile(`Max frequency for clock[^:]*: ([0-9.]+) MHz`)
	cellCount    = regexp.MustCompile(`(?m)^\s+(\w+)\s+(\d+)$`)
)

// Synthesize measures designs, workers at a time, each as genrom emits its files: LUTs with as many of LineOffsets as
// offsets says, the clock with seeds 1 to seeds, each at the next of these offsets. report, if not nil, is called with each, one at a time. The order is
// that of the designs.
func (w *Work) Synthesize(ctx context.Context, designs []Design, offsets, seeds, workers int, report func(Area)) ([]Area, error) {
	if err := Need("yosys", "nextpnr-ice40"); err != nil {
		return nil, err
	}
	if offsets < 1 || offsets > len(LineOffsets) || seeds < 1 {
		return nil, fmt.Errorf("%d line offsets and %d seeds: there are 1 to %d offsets and 1 seed or more", offsets, seeds, len(LineOffsets))
	}
	emitted, err := codegen.Files(hdl.FS)
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
			areas[i], errs[i] = w.synthesize(ctx, d, emitted, offsets, seeds)
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

func (w *Work) synthesize(ctx context.Context, d Design, emitted []codegen.File, offsets, seeds int) (Area, error) {
	sources, err := d.Sources()
	a := Area{Design: d.Name, MaxLUTs: d.MaxLUTs, MinMHz: d.MinMHz, Sources: sources}
	if err != nil {
		return a, err
	}
	dir, err := w.Sub("synth-" + d.Name)
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir)
	netlist := func(offset int) string { return filepath.Join(dir, fmt.Sprintf("netlist%d.json", offset)) }
	for i, lines := range LineOffsets[:offsets] {
		files, err := offsetFiles(dir, d.Files, emitted, lines)
		if err != nil {
			return a, err
		}
		one := Area{}
		_, err = w.Run(ctx, w.Dir, "yosys", "-Q", "-T", "-p", fmt.Sprintf(
			"read_verilog %s; %shierarchy -check -top %s; synth_ice40 %s -top %s -json %s; tee -o %s stat",
			strings.Join(files, " "), Check{Top: d.Top, Params: d.Params}.Chparam(), d.Top, strings.Join(d.Flags, " "),
			d.Top, netlist(i), filepath.Join(dir, "stat")))
		if err != nil {
			return a, err
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			return a, err
		}
		if one.count(string(stat)); i == 0 {
			a.Carries, a.Flipflops, a.BlockRAMs = one.Carries, one.Flipflops, one.BlockRAMs
		}
		a.Offsets = append(a.Offsets, one.LUTs)
	}
	a.LUTs = median(a.Offsets)
	if a.Flipflops == 0 && a.BlockRAMs == 0 {
		return a, nil // no clock
	}
	for seed := 1; seed <= seeds; seed++ {
		r, err := w.Run(ctx, dir, "nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", netlist((seed-1)%offsets),
			"--asc", filepath.Join(dir, "out.asc"), "--freq", "300", "--timing-allow-fail", "--seed", strconv.Itoa(seed))
		if err != nil {
			return a, err
		}
		// The last figure is that after routing.
		all := maxFrequency.FindAllStringSubmatch(r.Output, -1)
		if len(all) == 0 {
			return a, nil // no path begins and ends in a register, as in a lone block RAM
		}
		mhz, err := strconv.ParseFloat(all[len(all)-1][1], 64)
		if err != nil {
			return a, err
		}
		a.Runs = append(a.Runs, mhz)
	}
	a.MHz = median(a.Runs)
	return a, nil
}

// offsetFiles writes files as they are emitted, with so many lines more after the first, and returns their paths.
func offsetFiles(dir string, names []string, emitted []codegen.File, lines int) ([]string, error) {
	var paths []string
	for _, name := range names {
		i := slices.IndexFunc(emitted, func(f codegen.File) bool { return f.Path == name })
		if i < 0 {
			return nil, fmt.Errorf("%s is not emitted", name)
		}
		first, rest, _ := strings.Cut(string(emitted[i].Data), "\n")
		file := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(file, []byte(first+"\n"+strings.Repeat("//\n", lines)+rest), 0o666); err != nil {
			return nil, err
		}
		paths = append(paths, file)
	}
	return paths, nil
}

// count adds up the cells that the output of Yosys' stat counts.
func (a *Area) count(stat string) {
	for cell, n := range cellsOf(stat) {
		switch {
		case cell == "SB_LUT4":
			a.LUTs += n
		case cell == "SB_CARRY":
			a.Carries += n
		case strings.HasPrefix(cell, "SB_DFF"):
			a.Flipflops += n
		case strings.HasPrefix(cell, "SB_RAM40_4K"):
			a.BlockRAMs += n
		}
	}
}

// cellsOf returns how many of each cell the output of Yosys' stat counts.
func cellsOf(stat string) map[string]int {
	cells := make(map[string]int)
	for _, m := range cellCount.FindAllStringSubmatch(stat, -1) {
		n, err := strconv.Atoi(m[2])
		if err == nil {
			cells[m[1]] += n
		}
	}
	return cells
}

// A FamilyArea is what a design takes up in an FPGA of another family, after synthesis by Yosys. It is
// neither placed nor routed.
type FamilyArea struct {
	Design    string `json:"design"`
	Family    string `json:"family"`     // ecp5 or xc7
	LUTs      int    `json:"luts"`       // of four inputs for ecp5, of one to six for xc7; with those used as memory
	Carries   int    `json:"carries"`    // CCU2C or CARRY4
	Flipflops int    `json:"flipflops"`  // TRELLIS_FF; FDRE and its kin
	BlockRAMs int    `json:"block_rams"` // DP16KD of 18 Kibit; RAMB18E1 and RAMB36E1
}

// Families are what SynthesizeFamilies measures, Lattice's ECP5 and Xilinx's 7 series, and Yosys'
// commands for them. Without -nowidelut they spend LUTs, in ECP5 twice as many of them, on feeding the
// wide multiplexers, which is for speed.
var Families = []struct{ Name, Title, Command string }{
	{"ecp5", "ECP5", "synth_ecp5 -nowidelut"},
	{"xc7", "Xilinx 7", "synth_xilinx -family xc7 -flatten -noiopad -nowidelut"},
}

// SynthesizeFamilies measures the area of designs in all Families, workers at a time. The order is that
// of the designs, and of the families for each.
func (w *Work) SynthesizeFamilies(ctx context.Context, designs []Design, workers int) ([]FamilyArea, error) {
	if err := Need("yosys"); err != nil {
		return nil, err
	}
	areas := make([]FamilyArea, len(designs)*len(Families))
	errs := make([]error, len(areas))
	var group errgroup.Group
	group.SetLimit(max(workers, 1))
	for i := range areas {
		group.Go(func() error {
			d, f := designs[i/len(Families)], Families[i%len(Families)]
			areas[i], errs[i] = w.synthesizeFamily(ctx, d, f.Name, f.Command)
			if errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %s: %w", d.Name, f.Name, errs[i])
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

// memoryLUTs is how many LUTs a memory made of LUTs takes.
var memoryLUTs = map[string]int{
	"TRELLIS_DPR16X4": 4,
	"RAM32X1D":        2, "RAM32M": 4, "RAM64X1D": 2, "RAM64M": 4, "RAM128X1D": 4,
}

func (w *Work) synthesizeFamily(ctx context.Context, d Design, family, command string) (FamilyArea, error) {
	a := FamilyArea{Design: d.Name, Family: family}
	dir, err := w.Sub("family-" + d.Name)
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir)
	statFile := filepath.Join(dir, "stat")
	if _, err = w.Run(ctx, w.Dir, "yosys", "-Q", "-T", "-p", fmt.Sprintf(
		"read_verilog %s; %shierarchy -check -top %s; %s %s -top %s; tee -o %s stat",
		strings.Join(w.Paths(d.Files), " "), Check{Top: d.Top, Params: d.Params}.Chparam(), d.Top, command,
		strings.Join(d.Flags, " "), d.Top, statFile)); err != nil {
		return a, err
	}
	stat, err := os.ReadFile(statFile)
	if err != nil {
		return a, err
	}
	for cell, n := range cellsOf(string(stat)) {
		switch {
		case strings.HasPrefix(cell, "LUT"), strings.HasPrefix(cell, "SRL"):
			a.LUTs += n
		case memoryLUTs[cell] > 0:
			a.LUTs += memoryLUTs[cell] * n
		case cell == "CCU2C", cell == "CARRY4":
			a.Carries += n
		case cell == "TRELLIS_FF", strings.HasPrefix(cell, "FD"):
			a.Flipflops += n
		case cell == "DP16KD", strings.HasPrefix(cell, "RAMB"):
			a.BlockRAMs += n
		}
	}
	return a, nil
}

// FamilyMarkdown returns the areas as SynthesizeFamilies gives them, one line for a design.
func FamilyMarkdown(areas []FamilyArea) string {
	var b strings.Builder
	b.WriteString("| module |")
	rule := "|---|"
	for _, f := range Families {
		fmt.Fprintf(&b, " %s LUT | flip-flops | block RAM |", f.Title)
		rule += "---:|---:|---:|"
	}
	b.WriteString("\n" + rule + "\n")
	for line := range slices.Chunk(areas, len(Families)) {
		fmt.Fprintf(&b, "| `%s` |", line[0].Design)
		for _, a := range line {
			fmt.Fprintf(&b, " %d | %d | %d |", a.LUTs, a.Flipflops, a.BlockRAMs)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Markdown returns the table as docs/measurements.md shows it: of LUTs the median and the most of any line offset, of the clock the
// median and the slowest of all runs.
func Markdown(areas []Area) string {
	var b strings.Builder
	b.WriteString("| module | LUT4 | most | flip-flops | block RAM | MHz | slowest | target |\n|---|---:|---:|---:|---:|---:|---:|---|\n")
	for _, a := range areas {
		mhz, slowest, target := "-", "-", "-"
		if len(a.Runs) > 0 {
			mhz = fmt.Sprintf("%.0f", a.MHz)
			slowest = fmt.Sprintf("%.0f", slices.Min(a.Runs))
		}
		var goals []string
		if a.MaxLUTs >= 0 {
			goals = append(goals, fmt.Sprintf("at most %d LUTs", a.MaxLUTs))
		}
		if a.MinMHz > 0 {
			goals = append(goals, fmt.Sprintf("%.0f MHz", a.MinMHz))
		}
		if len(goals) > 0 {
			target = strings.Join(goals, ", ") + ": met"
			if !a.Met() {
				target = strings.Join(goals, ", ") + ": missed"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %s | %s | %s |\n", a.Design, a.LUTs, a.Worst(), a.Flipflops, a.BlockRAMs, mhz, slowest, target)
	}
	return b.String()
}

// JSON returns areas, or a bitstream, as JSON.
func JSON[A []Area | []FamilyArea | Bitstream](what A) ([]byte, error) {
	b, err := json.MarshalIndent(what, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
