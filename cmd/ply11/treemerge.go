// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/query/index"
)

func treeMergeCommand() *cobra.Command {
	var output string
	var o index.TreeOptions
	var force, quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "tree-merge [flags] -o all.p11t part.p11t ...",
		Short: "Add tree files up, such as the months of a year",
		Long: `Write a tree file with the sums of others: the trees of twelve months become the tree of the year. The files
must have the same --max-ply. Their order does not matter. Of files with --min-games 1, the output has the same bytes as
the tree file of all their games. Of others, a count may lack the games of those files that do not have the position;
the output says how many that can be at most (TREEFILE.md).

--min-games leaves out of the output the positions that fewer games reach. So the best way to the tree file of many
games is --min-games 1 for each part, and the bound for their sum.

The command reads the files once, side by side, with about 200 KiB of memory for each.`,
		Example: `  ply11 tree-merge -o 2024.p11t 2024-*.p11t
  ply11 tree-merge --min-games 5 -o all.p11t months/*.p11t`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if output == "" {
			return usage("--output names the tree file that is written")
		}
		files, err := expand(args)
		if err != nil {
			return err
		}
		if err := refuseSame(output, files...); err != nil {
			return err
		}
		sources, others, done, err := openTrees(files)
		if err != nil {
			return err
		}
		defer done()
		if len(others) > 0 {
			return usage("%s: a tree file has the name .p11t; ply11 index --min-games makes it", others[0])
		}
		var list []*index.TreeFile
		size, games := int64(0), uint64(0)
		for _, s := range sources {
			list = append(list, s.Counts)
			stats := s.Counts.Stats()
			size, games = size+stats.Bytes, games+stats.Games
		}
		out, err := createTarget(output, force, files...)
		if err != nil {
			return err
		}
		defer out.abandon()
		if o.Temp = output; output == "-" {
			o.Temp = filepath.Join(os.TempDir(), "x")
		}
		bar := newProgress("merging", size, quiet)
		o.Progress = func(p index.Progress) {
			share := float64(p.Done) / float64(max(p.All, 1))
			bar.set(int64(float64(size)*share), archive.Stats{Games: int(float64(games) * share)})
		}
		stats, err := index.MergeTrees(cmd.Context(), out, list, o)
		bar.finish()
		if errors.Is(err, index.ErrPlies) {
			return usage("%v", err)
		}
		if err != nil {
			return err
		}
		return tellTree(out, output, stats, quiet, asJSON)
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "the tree file that is written")
	number(f, &o.MinGames, "min-games", "", 0, 0, math.MaxUint16, "only the positions that so many games reach")
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}

// tellTree gives a tree file its name, and prints what is in it.
func tellTree(out *target, path string, s index.TreeStats, quiet, asJSON bool) error {
	if err := errors.Join(out.finish(), out.commit()); err != nil {
		return err
	}
	switch {
	case asJSON:
		return writeJSON(struct {
			Path string `json:"path"`
			index.TreeStats
		}{path, s})
	case !quiet:
		say("%s: %d games, %d positions in %d bytes", path, s.Games, s.Positions, s.Bytes)
	}
	return nil
}
