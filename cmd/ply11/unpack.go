// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
)

func unpackCommand() *cobra.Command {
	var output string
	var force, quiet bool
	var workers int
	cmd := &cobra.Command{
		Use:   "unpack [flags] games.p11",
		Short: "Unpack an archive to the PGN that was packed",
		Long: `Unpack an archive to the PGN that was packed, byte for byte (unless the archive is canonical). The command verifies
everything. After an error it leaves no file.`,
		Example: `  ply11 unpack games.p11
  ply11 unpack -o games.pgn.zst games.p11
  ply11 unpack -o - games.p11 | grep -c 1-0`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if output == "" {
			output = "-"
			if args[0] != "-" {
				name, err := nameHere(args[0])
				if err != nil {
					return err
				}
				output = strings.TrimSuffix(bareName(name), ".p11") + ".pgn"
			}
		}
		in, err := openArchived(args[0])
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := createTarget(output, force, args...)
		if err != nil {
			return err
		}
		defer out.abandon()
		bar := newProgress("unpacking", in.size, quiet)
		_, err = archive.Unpack(cmd.Context(), out, in, archive.WithWorkers(workers), archive.WithProgress(bar.tell))
		bar.finish()
		if err != nil {
			return inFile(args[0], err)
		}
		return out.end()
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the PGN file; by default the input's name with .pgn")
	workersFlag(cmd.Flags(), &workers, ", at most 4")
	common(cmd, &force, &quiet, nil)
	return cmd
}
