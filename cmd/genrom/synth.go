// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"ply11/sim/eda"
)

// newSynth returns the command that measures area and speed.
func newSynth() *cobra.Command {
	var match string
	var offsets, seeds, workers int
	var asJSON, families bool
	var bitstream, record, check string
	cmd := &cobra.Command{
		Use:   "synth",
		Short: "Measure area and speed on an iCE40 HX8K",
		Long: `synth measures how large and how fast the modules are in an FPGA. It takes the designs of hdl/syn/designs.tsv, synthesises them by Yosys,
places and routes them by nextpnr for an iCE40 HX8K, and prints a Markdown table.

The table has the number of four-input LUTs: the median and the most over eight line offsets of the files that genrom emits, because the
result of Yosys depends on line numbers. It has the clock frequency: the median and the slowest of fifteen runs, each with another seed
and the next of the line offsets. A design meets its target if the LUTs do at each line offset, and the clock does in the median.

With --record FILE each figure also goes to a JSON file as soon as it is measured, with the SHA-256 of the design's sources; the file keeps its
figures of other designs.
hdl/syn/measured.json is this file for the table of docs/measurements.md, and a test compares the two. With --check FILE nothing is measured: synth names the
designs of such a file whose sources have changed since. With --families, synth prints the area for Lattice ECP5 and Xilinx 7 instead. With --bitstream, it
makes the bitstream of hdl/rtl/ply11_top_hx8k.v for the iCE40-HX8K breakout board instead, writes it to a file, and prints its area.

Exit code: 3 if a target is missed or a figure is older than its sources, 7 if a program is not installed.`,
		Example: `  go run ./cmd/genrom synth
  go run ./cmd/genrom synth --run decode --json
  go run ./cmd/genrom synth --check hdl/syn/measured.json
  go run ./cmd/genrom synth --families
  go run ./cmd/genrom synth --bitstream build/ply11_top_hx8k.bin && iceprog -S build/ply11_top_hx8k.bin`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bitstream != "" {
				return makeBitstream(cmd, bitstream, asJSON)
			}
			if check != "" {
				return checkAreas(cmd, check)
			}
			re, err := regexp.Compile(match)
			if err != nil {
				return usage(err)
			}
			if seeds < 1 || offsets < 1 || offsets > len(eda.LineOffsets) {
				return usage(fmt.Errorf("%d line offsets and %d seeds: there are 1 to %d offsets and 1 seed or more", offsets, seeds, len(eda.LineOffsets)))
			}
			all, err := eda.Designs()
			if err != nil {
				return err
			}
			var designs []eda.Design
			for _, d := range all {
				if re.MatchString(d.Name) {
					designs = append(designs, d)
				}
			}
			if len(designs) == 0 {
				return usage(fmt.Errorf("no design has a name that %q matches", match))
			}
			work, err := eda.NewWork()
			if err != nil {
				return inout(err)
			}
			defer work.Close()
			if families {
				areas, err := work.SynthesizeFamilies(cmd.Context(), designs, workers)
				if err != nil {
					return err
				}
				out := []byte(eda.FamilyMarkdown(areas))
				if asJSON {
					if out, err = eda.JSON(areas); err != nil {
						return err
					}
				}
				if _, err := cmd.OutOrStdout().Write(out); err != nil {
					return inout(err)
				}
				return nil
			}
			var unrecorded error
			areas, err := work.Synthesize(cmd.Context(), designs, offsets, seeds, workers, func(a eda.Area) {
				// Each at once: what was measured stays if the rest is not waited for.
				if record != "" && unrecorded == nil {
					unrecorded = recordAreas(record, []eda.Area{a})
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: LUTs %d, by line offset %d; MHz %.2f, by seed and offset %.0f\n", a.Design, a.LUTs, a.Offsets, a.MHz, a.Runs)
			})
			if err := cmp.Or(err, unrecorded); err != nil {
				return err
			}
			out := []byte(eda.Markdown(areas))
			if asJSON {
				if out, err = eda.JSON(areas); err != nil {
					return err
				}
			}
			if _, err := cmd.OutOrStdout().Write(out); err != nil {
				return inout(err)
			}
			missed := 0
			for _, a := range areas {
				if !a.Met() {
					missed++
				}
			}
			if missed > 0 {
				return differs(fmt.Errorf("%d of %d designs miss their target", missed, len(areas)))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&match, "run", "", "only the designs whose names this regular expression matches")
	cmd.Flags().IntVar(&seeds, "seeds", eda.Seeds, "how many seeds of placement, from 1, each at the next line offset")
	cmd.Flags().IntVar(&offsets, "offsets", len(eda.LineOffsets), "how many line offsets")
	cmd.Flags().StringVar(&record, "record", "", "write the figures to this JSON file, too")
	cmd.Flags().StringVar(&check, "check", "", "measure nothing, and name the designs of this JSON file whose sources have changed since")
	cmd.Flags().IntVar(&workers, "workers", 2, "how many designs at a time")
	cmd.Flags().BoolVar(&families, "families", false, "area in ECP5 and Xilinx 7 instead")
	cmd.Flags().StringVar(&bitstream, "bitstream", "", "write the breakout board's bitstream to this file instead")
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON instead of Markdown")
	return cmd
}

// readAreas reads a file of figures.
func readAreas(path string) (areas []eda.Area, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, inout(err)
	}
	if err := json.Unmarshal(text, &areas); err != nil {
		return nil, inout(fmt.Errorf("%s: %w", path, err))
	}
	return areas, nil
}

// checkAreas names the designs of a file whose sources have changed since they were measured, and how they are measured again.
func checkAreas(cmd *cobra.Command, path string) error {
	areas, err := readAreas(path)
	if err != nil {
		return err
	}
	old, err := eda.Old(areas)
	if err != nil || len(old) == 0 {
		return err
	}
	for _, name := range old {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), name); err != nil {
			return inout(err)
		}
	}
	return differs(fmt.Errorf("%s: the sources of %d of %d designs have changed since they were measured: run genrom synth --run '^(%s)$' --record %s",
		path, len(old), len(areas), strings.Join(old, "|"), path))
}

// recordAreas writes figures to a file, in the order of hdl/syn/designs.tsv. Those of other designs in it stay.
func recordAreas(path string, areas []eda.Area) error {
	old, err := readAreas(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := make(map[string]eda.Area)
	for _, a := range append(old, areas...) {
		known[a.Design] = a
	}
	designs, err := eda.Designs()
	if err != nil {
		return err
	}
	var all []eda.Area
	for _, d := range designs {
		if a, ok := known[d.Name]; ok {
			all = append(all, a)
		}
	}
	text, err := eda.JSON(all)
	if err != nil {
		return err
	}
	return writeFile(path, text)
}

// makeBitstream makes the bitstream of the breakout board and tells what it takes up.
func makeBitstream(cmd *cobra.Command, file string, asJSON bool) error {
	board, err := eda.HX8KBreakout()
	if err != nil {
		return err
	}
	work, err := eda.NewWork()
	if err != nil {
		return inout(err)
	}
	defer work.Close()
	b, err := work.Bitstream(cmd.Context(), board)
	if isMissing(err) {
		return err
	} else if err != nil {
		return differs(err)
	}
	if err := writeFile(file, b.Data); err != nil {
		return err
	}
	out := []byte(b.String() + "\n")
	if asJSON {
		if out, err = eda.JSON(b); err != nil {
			return err
		}
	}
	if _, err := cmd.OutOrStdout().Write(out); err != nil {
		return inout(err)
	}
	return nil
}
