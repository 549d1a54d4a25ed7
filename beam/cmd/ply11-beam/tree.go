// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"ply11/beam/pipelines"
	"ply11/query"
)

func treeCommand() *cobra.Command {
	var j job
	var o pipelines.TreeOptions
	var output string
	var chosen termFlags
	cmd := &cobra.Command{
		Use:   "tree [flags] -o tree.json PATTERN ...",
		Short: "Tell what was played in a position, in all archives",
		Long: `Tell what was played in a position, in the games of all archives that the patterns match: the number of games of each move, their results, ratings and
years, and the games of the highest ratings. It writes what "ply11 tree --json --no-index" prints of the same archives.

Quote the patterns, so that the shell leaves them as they are. The games of --moves and --fen are as in ply11 tree, and so are the flags that
choose games.`,
		Example: `  ply11-beam tree -o tree.json "archives/*.p11"
  ply11-beam tree -o gs://games/tree.json --moves "1.e4 c5" --rating 2400- --runner dataflow --project P --region R \
    --staging_location gs://games/staging "gs://games/2024-*.p11"`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&output, "output", "o", "", "the `FILE` to write")
	f.StringVar(&o.FEN, "fen", "", "the `POSITION`; without it, the usual start")
	f.StringVar(&o.Moves, "moves", "", "the `MOVES` that lead on from there, in SAN or UCI: 1.e4 c5")
	chosen.add(cmd, "moves")
	f.IntVar(&o.Best, "best", 3, fmt.Sprintf("the number of best games to name for a move, at most %d", query.MaxBest))
	j.add(cmd)
	j.addBad(cmd)
	cmd.RunE = func(_ *cobra.Command, patterns []string) error {
		if output == "" {
			return usage("--output names the file to write")
		}
		o.Terms = chosen.terms()
		if err := o.Check(); err != nil {
			return usage("%v", err)
		}
		if err := apart(patterns, output); err != nil {
			return err
		}
		return j.run(func(s beam.Scope) { pipelines.Tree(s, j.archives(patterns), o, output) })
	}
	return cmd
}
