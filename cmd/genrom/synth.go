// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"ply11/sim/eda"
)

// newSynth returns the command that measures area and speed.
func newSynth() *cobra.Command {
	var match string
	var seeds, workers int
	var asJSON, families bool
	var bitstream string
	cmd := &cobra.Command{
		Use:   "synth",
		Short: "Measure area and speed on an iCE40 HX8K",
		Long: `synth synthesises what hdl/syn/designs.tsv lists by Yosys, places and routes it by nextpnr for an
iCE40 HX8K, and prints four-input LUTs and the median of the clock frequencies over the seeds, as a
Markdown table. With --families it synthesises them for Lattice ECP5 and Xilinx 7 instead, and prints
their area. With --bitstream it makes the bitstream of hdl/rtl/ply11_top_hx8k.v for the iCE40-HX8K
breakout board instead, writes it to a file, and prints what it takes up.
Exit code: 3 if a target is missed, 7 if a program is not installed.`,
		Example: `  go run ./cmd/genrom synth
  go run ./cmd/genrom synth --run decode --json
  go run ./cmd/genrom synth --families
  go run ./cmd/genrom synth --bitstream build/ply11_top_hx8k.bin && iceprog -S build/ply11_top_hx8k.bin`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if bitstream != "" {
				return makeBitstream(cmd, bitstream, asJSON)
			}
			re, err := regexp.Compile(match)
			if err != nil {
				return usage(err)
			}
			if seeds < 1 {
				return usage(fmt.Errorf("%d seeds are too few", seeds))
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
			areas, err := work.Synthesize(cmd.Context(), designs, seeds, workers, func(a eda.Area) {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d LUTs, %.2f MHz by seed %.0f\n", a.Design, a.LUTs, a.MHz, a.Seeds)
			})
			if err != nil {
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
	cmd.Flags().IntVar(&seeds, "seeds", 5, "how many seeds of placement, from 1")
	cmd.Flags().IntVar(&workers, "workers", 2, "how many designs at a time")
	cmd.Flags().BoolVar(&families, "families", false, "area in ECP5 and Xilinx 7 instead")
	cmd.Flags().StringVar(&bitstream, "bitstream", "", "write the breakout board's bitstream to this file instead")
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON instead of Markdown")
	return cmd
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
