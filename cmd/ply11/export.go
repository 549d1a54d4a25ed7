// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/internal/jobflags"
	"ply11/internal/tempfile"
)

// dataSetMemory is what limitMemory is told of export and import.
const dataSetMemory = 160 << 20

func exportFormats() string {
	var b strings.Builder
	for _, f := range dataset.Formats() {
		fmt.Fprintf(&b, "  %-17s %s\n", f.Name, f.Description)
	}
	return b.String()
}

func exportCommand() *cobra.Command {
	var filter filterFlags
	o := dataset.Options{}
	var output string
	var force, quiet bool
	cmd := &cobra.Command{
		Use:   "export [flags] --to format -o folder archive.p11 ...",
		Short: "Write data sets: tables and arrays of games and positions",
		Long: `Write games as a data set, for programs that learn or count. You choose games with the filters of find.
Games that are not valid are left out; --invalid changes this. train.md describes formats, options and manifests.

Formats:
` + exportFormats() + `
Options marked arrays are for npy, npz, tfrecord and webdataset.

` + pgnHelp + `

The output is a file, or a folder if it is one, ends in /, or is to have parts (--shards, --shard-rows,
--shard-bytes). A manifest lists the options, and each part with its SHA-256. Only jsonl can go to the
standard output, without a manifest.

The same archives and options always give the same bytes. --seed shuffles all rows of all archives, through temporary
files beside the output. To resume an interrupted run, give the same command again. A
folder with another data set is refused; --force replaces it.

Scores and clocks are those of [%eval] and [%clk] in comments: from White's side in hundredths of a pawn, with mate in
n as 32000-n or -32000+n, and in hundredths of a second.

The exit code is 6 if no game is written.`,
		Example: `  ply11 export --to jsonl --rating 2400- games.p11 | head -1
  ply11 export --to jsonl --shards 8 --seed 1 -o set games.p11 more.p11
  ply11 export --to npy --labels lc0 --legal --from-ply 8 --every 3 --dedupe --seed 1 -o set games.p11
  ply11 export --to npz --only eval,quiet --per-game 8 --split 0-0.95 --seed 1 --shards 8 -o training games.p11
  ply11 export --to npz --only eval,quiet --per-game 8 --split 0.95-1 -o validation/ games.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		limitMemory(dataSetMemory)
		q, err := filter.query(cmd)
		if err != nil {
			return err
		}
		parts := cmd.Flags().Changed("shards")
		for _, given := range []bool{o.ShardRows > 0, o.ShardBytes > 0} {
			if given && parts {
				return usage("only one of --shards, --shard-rows and --shard-bytes can be given")
			}
			if given {
				parts, o.Shards = true, 0
			}
		}
		if err := jobflags.Finish(cmd.Flags(), &o.Job); err != nil {
			return usage("%v", err)
		}
		o.Filters = filter.args(cmd)
		o.Workers = filter.workers
		f, err := exportFormat(o.Format, output)
		if err != nil {
			return err
		}
		o.Format = f.Name
		info, err := os.Stat(output)
		folder := parts || f.Folder || strings.HasSuffix(output, "/") || err == nil && info.IsDir()
		switch {
		case cmp.Or(output, "-") != "-":
			o.Output, o.Single = output, !folder
		case folder || f.Name != "jsonl":
			return usage("use --output to say where to write")
		default:
			o.Stream = &stdout
		}
		if o.Single && compressionOf(output) != "" {
			return usage("%s: data sets are not compressed as a whole", output)
		}
		o.Force, o.Mode = force, 0o666&^tempfile.Umask()
		sources, done, err := openSources(args)
		if err != nil {
			return err
		}
		defer done()
		bar := newProgress("exporting", sizeOf(sources), quiet)
		o.Progress = func(bytes int64, games int, plies int64) {
			bar.set(bytes, archive.Stats{Games: games, Plies: plies})
		}
		m, err := dataset.Export(cmd.Context(), q, sources, o)
		bar.finish()
		if errors.Is(err, fs.ErrExist) {
			return usage("%v; --force replaces it", err)
		}
		if errors.Is(err, dataset.ErrOther) {
			return usage("%v; --force replaces it", err)
		}
		if err != nil {
			return err
		}
		if m.Games == 0 {
			return fail(exitMissing, "no game found")
		}
		if !quiet && o.Stream == nil {
			say("%d games, %d rows in %d shards", m.Games, m.Rows, len(m.Shards))
		}
		if m.LeftOut > 0 && !quiet {
			say("%d games are left out that the format cannot hold: without a result, "+
				"with more than 32 pieces, or of Chess960", m.LeftOut)
		}
		return nil
	}
	f := cmd.Flags()
	f.StringVar(&o.Format, "to", "", "the format; by default that of the output's name")
	f.StringVarP(&output, "output", "o", "", "the folder or file to write")
	number(f, &o.Shards, "shards", "", 1, 1, math.MaxInt,
		"the number of parts; each gets equally many games, counted before filters")
	number(f, &o.ShardRows, "shard-rows", "", 0, 1, math.MaxInt,
		"split into parts of at most so many rows, in equal numbers")
	number(f, &o.ShardBytes, "shard-bytes", "", 0, 1, math.MaxInt, "split into parts of about so many bytes")
	jobflags.Add(f, &o.Job)
	f.StringVar(&o.Card, "card", "", "write a dataset card for Hugging Face, README.md, with this licence, as cc0-1.0")
	common(cmd, &force, &quiet, nil)
	filter.add(cmd)
	invalid := f.Lookup("invalid")
	invalid.Value.Set("skip")
	invalid.DefValue = "skip"
	return cmd
}

// exportFormat finds a format by its name, or by the output's.
func exportFormat(name, output string) (dataset.Format, error) {
	list := dataset.Formats()
	i, names := formatAt(name, output, len(list), func(i int) (name, ext string) {
		return list[i].Name, list[i].Extension
	})
	switch {
	case i >= 0:
		return list[i], nil
	case name == "":
		return dataset.Format{}, usage("use --to to say the format: %s", names)
	}
	return dataset.Format{}, usage("--to: there is no format %q; there are %s", name, names)
}

// formatAt finds one of n formats by its name, or by a file's, and returns its number, -1 for none, and all names.
func formatAt(name, path string, n int, of func(i int) (name, ext string)) (at int, all string) {
	at = -1
	var names []string
	for i := range n {
		own, ext := of(i)
		if names = append(names, own); at < 0 && (own == name || name == "" &&
			strings.HasSuffix(strings.ToLower(path), ext)) {
			at = i
		}
	}
	return at, strings.Join(names, ", ")
}
