// SPDX-License-Identifier: Apache-2.0

// Package jobflags has the flags that say which rows a data set has and how they are written. All commands that export
// have them.
package jobflags

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"ply11/dataset"
)

// Add adds the flags of a job, but for its format, shards and filters. Finish completes the job.
func Add(f *pflag.FlagSet, j *dataset.Job) {
	f.Uint64Var(&j.Seed, "seed", 0, "shuffle with this seed")
	f.StringVar(&j.Sort, "sort", "",
		"jsonl, parquet: date sorts all rows by their dates, through temporary files as --seed does")
	f.IntVar(&j.FromPly, "from-ply", 0, "positions: the first to take of a game, by the plies before it")
	f.IntVar(&j.ToPly, "to-ply", 0, "positions: the last to take, 0 for all")
	f.IntVar(&j.Every, "every", 0,
		"positions: take every Nth position; the first one differs from game to game; 0 takes all")
	f.BoolVar(&j.Dedupe, "dedupe", false, "positions: take each once")
	f.Float64Var(&j.Sample, "sample", 1, "the chance that a game is taken; of formats of positions, that a position is")
	f.StringArrayVar(&j.Weights, "weight", nil,
		"multiply the chance for games that meet a condition, as rating=-1800:0.25 or result=draw:0.5; can be repeated")
	f.StringVar(&j.Split, "split", "",
		"take the games whose hash is in a range, as 0-0.9 for training and 0.9-1 for validation; no seed changes it")
	f.StringSliceVar(&j.Only, "only", nil,
		"positions: eval, no-check, quiet: with an eval, not in check, and nothing to win by static exchange")
	f.IntVar(&j.MaxEval, "max-eval", 0,
		"positions: leave out evals beyond so many hundredths of a pawn of either side, 0 for no bound")
	f.IntVar(&j.PerGame, "per-game", 0, "positions: take so many of a game at most, at random, 0 for all")
	f.StringSliceVar(&j.Augment, "augment", nil, "positions: colors, files: write each once more with the colors "+
		"exchanged, with the files mirrored if nobody may castle, or both")
	f.StringVar(&j.LabelType, "label-type", "", "arrays: uint16 (the default), int16, int32 or int64")
	f.StringVar(&j.WDL, "wdl", "", "arrays: write the chances to win, draw and lose that evals mean, by a model: "+
		strings.Join(dataset.WDLNames(), ", "))
	f.StringVar(&j.Labels, "labels", "", "arrays: the order of labels: "+strings.Join(dataset.LabelNames(), ", "))
	f.StringVar(&j.Planes, "planes", "", "arrays: bits (the default), bytes, none, lc0 or lc0-bytes: lc0's 112 planes")
	f.BoolVar(&j.Legal, "legal", false, "arrays, parquet-positions: write the legal moves, too")
	f.BoolVar(&j.NoMovetext, "no-movetext", false,
		"parquet: leave out the movetext, which takes most of the room and of the time")
	f.IntVar(&j.Batch, "batch", 0, "webdataset: the positions of a sample, 0 for 256")
}

// Finish completes a job whose flags have their values.
func Finish(f *pflag.FlagSet, j *dataset.Job) error {
	if j.Sample == 0 {
		return errors.New("--sample is a chance above 0")
	}
	j.Shuffle = f.Changed("seed")
	return nil
}
