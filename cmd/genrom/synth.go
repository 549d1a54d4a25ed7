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

func newSynth() *cobra.Command {
	var match, family string
	var seeds, workers int
	var asJSON bool
	var record, check string
	cmd := &cobra.Command{
		Use:   "synth",
		Short: "Measure area and speed in FPGAs and in standard cells",
		Long: `synth measures how large and how fast the modules are in an FPGA. It takes the designs of hdl/syn/designs.tsv, synthesises them by Yosys,
places and routes them by nextpnr, and prints a Markdown table. It does so for an iCE40 HX8K, or for the device that --family names: ecp5 (Lattice ECP5-25,
speed grade 6), gowin (GW2A-18), nexus (LIFCL-40) or osu018 (standard cells of 180 nm, by OpenSTA and without routing); xc7 (Xilinx 7) has the area alone.

The table has the number of places for LUTs, and the clock frequency: the median and the slowest of the runs of nextpnr, each with
another seed. Standard cells have one run.

With --record FILE each figure also goes to a JSON file as soon as it is measured, with the SHA-256 of the design's sources; the file keeps its
figures of other designs.
hdl/syn/measured.json is this file for the table of docs/measurements.md, and a test compares the two. With --check FILE nothing is measured: synth names the
designs of such a file whose sources have changed since.

Exit code: 3 if a target is missed or a figure is older than its sources, 7 if a program is not installed.`,
		Example: `  go run ./cmd/genrom synth
  go run ./cmd/genrom synth --run decode --json
  go run ./cmd/genrom synth --check hdl/syn/measured.json
  go run ./cmd/genrom synth --family ecp5 --run '^board$'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check != "" {
				return checkAreas(cmd, check)
			}
			re, err := regexp.Compile(match)
			if err != nil {
				return usage(err)
			}
			target, ok := eda.FamilyOf(family)
			if !ok {
				return usage(fmt.Errorf("unknown family %q; there are %s", family, familyNames()))
			}
			if seeds < 1 {
				return usage(fmt.Errorf("%d seeds: there is 1 or more", seeds))
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
				return err
			}
			defer work.Close()
			var unrecorded error
			areas, err := work.Synthesize(cmd.Context(), target, designs, seeds, workers, func(a eda.Area) {
				// Each at once: what was measured stays if the rest is not waited for.
				if record != "" && unrecorded == nil {
					unrecorded = recordAreas(record, []eda.Area{a})
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: LUTs %d; MHz %.2f, by seed %.0f\n", a.Design, a.LUTs, a.MHz, a.Runs)
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
				return err
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
	cmd.Flags().StringVar(&family, "family", eda.ICE40, "what to measure in: "+familyNames())
	cmd.Flags().IntVar(&seeds, "seeds", eda.Seeds, "how many seeds of placement, from 1")
	cmd.Flags().StringVar(&record, "record", "", "write the figures to this JSON file, too")
	cmd.Flags().StringVar(&check, "check", "",
		"measure nothing, and name the designs of this JSON file whose sources have changed since")
	cmd.Flags().IntVar(&workers, "workers", 2, "how many designs at a time")
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON instead of Markdown")
	return cmd
}

func familyNames() string {
	var names []string
	for _, f := range eda.Families {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func readAreas(path string) (areas []eda.Area, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &areas); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return areas, nil
}

// checkAreas prints the designs of a file whose sources have changed since they were measured.
func checkAreas(cmd *cobra.Command, path string) error {
	areas, err := readAreas(path)
	if err != nil {
		return err
	}
	old, err := eda.Old(areas)
	if err != nil || len(old) == 0 {
		return err
	}
	var again []string
	for _, f := range eda.Families {
		var names []string
		for _, a := range old {
			if a.Family == f.Name {
				names = append(names, regexp.QuoteMeta(a.Design))
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", a.Family, a.Design); err != nil {
					return err
				}
			}
		}
		if names != nil {
			again = append(again, fmt.Sprintf("genrom synth --family %s --run '^(%s)$' --record %s", f.Name,
				strings.Join(names, "|"), path))
		}
	}
	return differs(fmt.Errorf("%s: the sources of %d of %d designs have changed since they were measured: run %s",
		path, len(old), len(areas), strings.Join(again, "; ")))
}

// recordAreas writes figures to a file, in the order of the families and of hdl/syn/designs.tsv. Those of other designs
// in it stay.
func recordAreas(path string, areas []eda.Area) error {
	old, err := readAreas(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := make(map[[2]string]eda.Area)
	for _, a := range append(old, areas...) {
		known[[2]string{a.Family, a.Design}] = a
	}
	designs, err := eda.Designs()
	if err != nil {
		return err
	}
	var all []eda.Area
	for _, f := range eda.Families {
		for _, d := range designs {
			if a, ok := known[[2]string{f.Name, d.Name}]; ok {
				all = append(all, a)
			}
		}
	}
	text, err := eda.JSON(all)
	if err != nil {
		return err
	}
	return writeFile(path, text)
}
