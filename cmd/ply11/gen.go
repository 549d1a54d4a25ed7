// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
)

func genCommand() *cobra.Command {
	var output string
	var games, seed uint64
	var force, quiet, clocks bool
	cmd := &cobra.Command{
		Use:   "gen [flags]",
		Short: "Make games to measure with",
		Long: `Make any number of games to measure with. Their moves are drawn from the model of dense moves, so that
openings repeat, and games are about as long as those of masters. Players, dates and ratings are invented. The same
seed gives the same games. The output is an archive if its name ends in .p11, else PGN.`,
		Example: `  ply11 gen --games 1000000 --seed 1 -o million.p11
  ply11 gen --games 3`,
		Args: argCount(0, 0),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		isArchive := strings.EqualFold(filepath.Ext(output), ".p11")
		create := createTarget
		if isArchive {
			create = createArchive
		}
		out, err := create(output, force)
		if err != nil {
			return err
		}
		defer out.abandon()
		var w codec.Writer = pgn.NewWriter(out)
		if isArchive {
			w = archive.NewWriter(out)
		}
		plies, err := generate(w, games, seed, clocks, quiet)
		if err != nil {
			return inFile(output, err)
		}
		if err := w.Close(); err != nil {
			return inFile(output, err)
		}
		if err := out.end(); err != nil {
			return err
		}
		if !quiet {
			say("%d games, %d plies", games, plies)
		}
		return nil
	}
	f := cmd.Flags()
	f.Uint64Var(&games, "games", 1000, "how many")
	f.Uint64Var(&seed, "seed", 1, "what the games depend on")
	f.BoolVar(&clocks, "clocks", false,
		"give each move the time that its player has left, and each game the tag TimeControl")
	f.StringVarP(&output, "output", "o", "-", "the file; by default PGN on the standard output")
	common(cmd, &force, &quiet, nil)
	return cmd
}

// generate writes games, and returns the number of their plies.
func generate(w codec.Writer, games, seed uint64, clocks, quiet bool) (plies int64, err error) {
	bar := newGamesProgress("making", int64(min(games, math.MaxInt64)), quiet)
	defer bar.finish()
	gen := gamegen.New(seed)
	gen.Clocks = clocks
	g := game.New()
	for n := range games {
		gen.Next(g)
		plies += int64(g.Len())
		if err := w.Write(g); err != nil {
			return plies, err
		}
		if n%256 == 255 || n+1 == games {
			bar.set(0, archive.Stats{Games: int(n) + 1, Plies: plies})
		}
	}
	return plies, nil
}
