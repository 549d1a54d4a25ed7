// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"ply11/beam/pipelines"
	"ply11/dataset"
	"ply11/internal/jobflags"
)

func exportCommand() *cobra.Command {
	var j job
	var chosen termFlags
	o := pipelines.ExportOptions{}
	cmd := &cobra.Command{
		Use:   "export [flags] -o NAME PATTERN ...",
		Short: "Write the games of archives as a shuffled data set",
		Long: `Write N files of all archives that the patterns match, with the very bytes of the shards of
"ply11 export --shards N --seed S": a row is a game or a position, and the rows of all archives are shuffled.
--dedupe takes a position once in all of them. The other flags choose games, as in ply11 find. The manifest is
NAME.manifest.json. If NAME is a folder, the files, the manifest and labels.txt have the names and bytes that they
have in the folder of ply11 export.

An archive is read by one machine. So have many archives, of some 100 MB each. The rows go from machine to machine
twice, and with --dedupe three times. For a file of each archive by itself, run "ply11 export" on each.`,
		Example: `  ply11-beam export --shards 1000 --seed 1 --to npz -o training/ "archives/*.p11"
  ply11-beam export --shards 64 --seed 1 --to webdataset --only eval,quiet --per-game 8 -o training/ "archives/*.p11"`,
		Args: cobra.MinimumNArgs(1),
	}
	j.output(cmd, "files")
	f := cmd.Flags()
	var names []string
	for _, f := range dataset.Formats() {
		if f.Streams {
			names = append(names, f.Name)
		}
	}
	f.StringVar(&o.Job.Format, "to", "parquet", "the format: "+strings.Join(names, ", "))
	f.IntVar(&o.Shards, "shards", 0, "write so many files, in which --seed shuffles the rows of all archives")
	jobflags.Add(f, &o.Job)
	chosen.add(cmd)
	j.add(cmd)
	cmd.RunE = func(_ *cobra.Command, patterns []string) error {
		if err := jobflags.Finish(f, &o.Job); err != nil {
			return usage("%v", err)
		}
		if o.Shards == 0 {
			return usage("use --shards to say how many files; for a file of each archive, run ply11 export on each")
		}
		o.Terms = chosen.terms()
		if err := o.Check(); err != nil {
			return usage("%v", err)
		}
		return j.run(patterns, o.Extension(), func(s beam.Scope) { pipelines.Export(s, patterns, o, j.prefix) })
	}
	return cmd
}

func dedupeCommand() *cobra.Command {
	var j job
	var players bool
	cmd := &cobra.Command{
		Use:   "dedupe [flags] -o NAME PATTERN ...",
		Short: "Leave out games that are there already, in whatever archive",
		Long: `Write each archive that the patterns match again, to NAME-00001-of-0000N.p11 and so on, without the games that are there already: in an archive before it, or
earlier in the same one. Games are the same that "ply11 dedupe" tells: those with the same start and main line, and with --players the same White and
Black. Games without moves are all kept.

An archive of which no game is left out is copied as it is.`,
		Example: `  ply11-beam dedupe -o once/games "archives/*.p11"
  ply11-beam dedupe --players -o once/games "archives/*.p11"`,
		Args: cobra.MinimumNArgs(1),
	}
	j.output(cmd, "archives")
	cmd.Flags().BoolVar(&players, "players", false, "compare the players, too")
	j.add(cmd)
	cmd.RunE = func(_ *cobra.Command, patterns []string) error {
		return j.run(patterns, ".p11", func(s beam.Scope) { pipelines.Dedupe(s, patterns, players, j.prefix) })
	}
	return cmd
}
