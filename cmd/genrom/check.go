// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ply11/codegen"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Check an image or a source, and print what it is",
		Long: `check compares a ROM image or a source with what genrom makes, and prints its format. If they differ, it
names the first line (of a binary image: the first byte), what should stand there and what does. "-" is standard input.

A text is compared line by line, so that the same words in another layout differ. Of Intel HEX with byte addresses, MIF and Verilog's VMem, the program
SRecord makes raw binary, which has one layout:

  srec_cat flash.hex -Intel -Output - -Binary | genrom check -
  srec_cat flash.mif -Memory_Initialization_File -Output - -Binary | genrom check -
  srec_cat flash.mem -VMem -Output - -Binary | genrom check -

SRecord does not read COE, Lattice's .mem, or Intel HEX with word addresses: these are checked in the layout of genrom alone.`,
		Example: `  go run ./cmd/genrom check build/images/*
  go run ./cmd/genrom emit -t mif -o - | go run ./cmd/genrom check -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
			bad, unreadable := 0, 0
			var last error
			for _, name := range args {
				data, err := readLimited(name, cmd.InOrStdin())
				if err != nil {
					unreadable++
					last = err
					fmt.Fprintf(w, "%s\t-\t%v\n", name, err)
					continue
				}
				f, err := codegen.Check(name, data)
				format := "-"
				if f != nil {
					format = f.Name
				}
				verdict := "ok"
				if err != nil {
					verdict = err.Error()
					bad++
					last = fmt.Errorf("%s: %w", name, err)
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", name, format, verdict)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			switch {
			case len(args) > 1 && bad+unreadable > 0:
				last = fmt.Errorf("%d of %d files are wrong or could not be read", bad+unreadable, len(args))
				fallthrough
			case bad+unreadable > 0:
				if bad == 0 {
					return last
				}
				return differs(last)
			}
			return nil
		},
	}
}

// readLimited reads a file or, for "-", standard input, and refuses what is larger than any format.
func readLimited(name string, stdin io.Reader) ([]byte, error) {
	f, err := openFile(name, stdin)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, codegen.MaxFileSize+1))
}
