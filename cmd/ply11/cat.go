// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
)

func catCommand() *cobra.Command {
	var output string
	var dense, fixed, force, quiet bool
	var workers int
	var meta []string
	cmd := &cobra.Command{
		Use:     "cat [flags] a.p11 b.p11 ...",
		Aliases: []string{"merge"},
		Short:   "Put archives one after the other",
		Long: `Join archives: put them one after the other into a new archive. It unpacks to the texts of the old ones,
one after the other, with a line end between them where the first has none. The command verifies the blocks and copies
them as they are. With --dense or --fixed, it stores all moves in that form.`,
		Example: `  ply11 cat -o all.p11 a.p11 b.p11
  ply11 cat --dense -o cold.p11 2023.p11 2024.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		properties, err := parseMeta(meta)
		if err != nil {
			return err
		}
		options := []archive.CopyOption{archive.WithMeta(properties), archive.WithWorkers(workers),
			archive.WithLineEnds(true)}
		if dense || fixed {
			options = append(options, archive.WithDense(dense))
		}
		var srcs []io.Reader
		for _, path := range args {
			in, err := openArchived(path)
			if err != nil {
				return err
			}
			defer in.Close()
			srcs = append(srcs, in)
		}
		out, err := createArchive(output, force, args...)
		if err != nil {
			return err
		}
		defer out.abandon()
		stats, err := archive.Copy(cmd.Context(), out, srcs, options...)
		var of *archive.SourceError
		if errors.As(err, &of) {
			return inFile(args[of.Source], err)
		}
		if err != nil {
			return err
		}
		if err := out.end(); err != nil {
			return err
		}
		if !quiet {
			say("%d games in %d bytes", stats.Games, stats.Bytes)
		}
		return nil
	}
	cmd.Flags().StringVarP(&output, "output", "o", "-", "the new archive; by default the standard output")
	cmd.Flags().BoolVar(&dense, "dense", false, "store all moves in about three bits")
	cmd.Flags().BoolVar(&fixed, "fixed", false, "store all moves in eleven bits, at computed addresses")
	exclude(cmd, "dense", "fixed")
	metaFlag(cmd, &meta)
	workersFlag(cmd.Flags(), &workers, ", at most 4")
	common(cmd, &force, &quiet, nil)
	return cmd
}
