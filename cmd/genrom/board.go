// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/sim/eda"
)

func newBoard() *cobra.Command {
	var out string
	var asJSON bool
	boards, broken := eda.Boards()
	var names []string
	list := ""
	for _, b := range boards {
		names = append(names, b.Name)
		list += fmt.Sprintf("  %-12s %s, %g MHz\n  %-12s %s  (%s)\n", b.Name, b.Title, float64(b.KHz)/1000, "", b.Load,
			b.Kept)
	}
	cmd := &cobra.Command{
		Use:   "board NAME -o FILE",
		Short: "Make the bitstream of a board that plays games over a serial line",
		Long: `board makes the bitstream of ply11_top for a board: the player behind a serial line of 115,200 baud. It uses Yosys, nextpnr and the packer of the chip's
family, and prints how large and how fast the design is. It fails if the design does not fit, or does not reach the board's clock. These are the boards; the
command below each loads FILE, into the chip until power-off, or into the flash from which the chip is loaded at each power-on:

` + list + `
The designs ran in simulation, each at its pins with the board's clock and baud rate. They did not run on a board: we had none.
hdl/syn/boards has the pins of each board, and each file names its source.

Exit code: 3 if the design does not fit or is too slow, 7 if a program is not installed.`,
		Example: `  go run ./cmd/genrom board ulx3s -o build/ulx3s.bit
  openFPGALoader -b ulx3s --file-type bit build/ulx3s.bit`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if broken != nil {
				return broken
			}
			i := slices.Index(names, args[0])
			if i < 0 {
				return usage(fmt.Errorf("unknown board %q; there are %s", args[0], strings.Join(names, ", ")))
			}
			if out == "" {
				return usage(errors.New("the name of the bitstream's file is missing: -o FILE"))
			}
			if out == "-" {
				return usage(errors.New("-o takes the name of a file: standard output has what was made"))
			}
			// Before the run, which takes minutes.
			file, err := newOutput(out)
			if err != nil {
				return err
			}
			defer file.Close()
			work, err := eda.NewWork()
			if err != nil {
				return err
			}
			defer work.Close()
			b, err := work.Bitstream(cmd.Context(), boards[i])
			if err != nil {
				return simError(err)
			}
			if err := publish(file, out, b.Data); err != nil {
				return err
			}
			text := []byte(b.String() + "\n")
			if asJSON {
				if text, err = eda.JSON(b); err != nil {
					return err
				}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the bitstream to this file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON instead of a line")
	return cmd
}
