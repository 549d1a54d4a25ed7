// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"ply11/codegen"
)

// newMap returns the command that draws the index.
func newMap() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "map",
		Short: "Draw the 2,048 codes as an SVG picture",
		Long: `map draws a picture of the index. It has 32 planes of 8 by 8 codes: a row of planes for each axis, and a column of planes for each
number of steps. In a plane, each code is at the place of its from-square. The colour is its class. docs/INDEX.md explains the words.`,
		Example: `  go run ./cmd/genrom map > index.svg
  go run ./cmd/genrom map -o docs/ply11_map.svg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := codegen.Lookup("svg")
			if err != nil {
				return err
			}
			data, err := f.Generate()
			if err != nil {
				return err
			}
			if out != "-" {
				return writeFile(out, data)
			}
			if _, err := cmd.OutOrStdout().Write(data); err != nil {
				return inout(err)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "-", `file to write to; "-" for standard output`)
	return cmd
}
