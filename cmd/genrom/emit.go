// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ply11/codegen"
)

func newEmit() *cobra.Command {
	var names []string
	var out string
	var list bool
	cmd := &cobra.Command{
		Use:   "emit -t FORMAT... [FORMAT...]",
		Short: "Write chosen formats, or all",
		Long: `emit writes files in the formats that you name below a folder, and prints their names. Without a name it writes
everything: all formats, and the Verilog with its benches, proofs and core for FuseSoC. "-o -" writes one format to standard output.`,
		Example: `  go run ./cmd/genrom emit -t memh -t coe
  go run ./cmd/genrom emit -t verilog -o hdl
  go run ./cmd/genrom emit -t bin-be -o - | xxd | head
  go run ./cmd/genrom emit --list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			stdout := cmd.OutOrStdout()
			if list {
				w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
				fmt.Fprintln(w, "format\tfile\timage\tdescription")
				for _, f := range codegen.Formats() {
					image := "-"
					if f.Image != nil {
						image = f.Image.Name
					}
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Path, image, f.Description)
				}
				return w.Flush()
			}
			files, err := chosen(append(names, args...))
			if err != nil {
				return err
			}
			if out == "-" {
				if len(files) != 1 {
					return usage(errors.New("standard output takes one format: name it with -t"))
				}
				_, err := stdout.Write(files[0].Data)
				return err
			}
			for _, f := range files {
				path := filepath.Join(out, filepath.FromSlash(f.Path))
				if err := writeFile(path, f.Data); err != nil {
					return err
				}
				fmt.Fprintln(stdout, path)
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVarP(&names, "type", "t", nil,
		"format to write; may be repeated, or hold several with commas")
	cmd.Flags().StringVarP(&out, "output", "o", "build", `folder to write to; "-" for standard output`)
	cmd.Flags().BoolVar(&list, "list", false, "list the formats")
	return cmd
}

func chosen(names []string) ([]codegen.File, error) {
	if len(names) == 0 {
		return codegen.Files()
	}
	var files []codegen.File
	for _, name := range names {
		f, err := codegen.Lookup(name)
		if err != nil {
			return nil, err
		}
		files = append(files, codegen.File{Path: f.Path, Format: f, Data: f.Generate()})
	}
	return files, nil
}
