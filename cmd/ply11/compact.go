// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
)

func compactCommand() *cobra.Command {
	var quiet, asJSON, discard bool
	var workers int
	cmd := &cobra.Command{
		Use:   "compact [flags] games.p11",
		Short: "Copy an archive without what it no longer needs",
		Long: `Copy an archive without what it no longer needs: outdated parts of its index, and the old blocks of
edited games. Blocks are verified and copied as they are; if they have fewer than 16 games on average, they are put
together. The copy replaces the archive when it is complete. Games keep their numbers. An archive without such bytes
stays as it is.`,
		Example: `  ply11 compact games.p11`,
		Args:    argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path := args[0]
		old, r, size, err := openToChange(path, discard)
		if err != nil {
			return err
		}
		defer old.Close()
		dead, err := r.Dead()
		if err != nil {
			return inFile(path, err)
		}
		stats := r.Stats()
		if dead > 0 || r.Unfinished() != nil || r.Fragmented() {
			if stats, err = compact(cmd.Context(), r, path, workers, quiet || asJSON); err != nil {
				return inFile(path, err)
			}
		}
		if asJSON {
			return writeJSON(struct {
				Path string `json:"path"`
				archive.Stats
				Freed int64 `json:"freed"`
			}{path, stats, size - stats.Bytes})
		}
		if !quiet {
			say("%s: %d games in %d bytes, %d fewer than before", path, stats.Games, stats.Bytes, size-stats.Bytes)
		}
		return nil
	}
	workersFlag(cmd.Flags(), &workers, ", at most 4")
	discardFlag(cmd, &discard)
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}

// compact puts a copy of a locked archive, with nothing that it does not need, in its place.
func compact(ctx context.Context, old *archive.Reader, path string, workers int, quiet bool) (archive.Stats, error) {
	out, err := createTarget(path, true)
	if err != nil {
		return archive.Stats{}, err
	}
	defer out.abandon()
	bar := newProgress("compacting", old.Stats().Bytes, quiet)
	defer bar.finish()
	options := []archive.CopyOption{archive.WithWorkers(workers), archive.WithProgress(bar.tell)}
	if old.Fragmented() {
		options = append(options, archive.WithBlockGames(1024), archive.WithCanonical(old.Canonical()),
			archive.WithDense(old.HasDense()), archive.WithMeta(old.Meta()))
	}
	stats, err := archive.Copy(ctx, out, []io.Reader{old.Ordered()}, options...)
	if err != nil {
		return stats, err
	}
	return stats, out.end()
}
