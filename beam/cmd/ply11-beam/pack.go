// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"ply11/beam/p11io"
	"ply11/beam/pipelines"
)

func packCommand() *cobra.Command {
	var j job
	var shards int
	var o pipelines.PackOptions
	cmd := &cobra.Command{
		Use:   "pack [flags] -o NAME PATTERN ...",
		Short: "Pack PGN files into archives",
		Long: `Pack all PGN files that the patterns match into archives NAME-00001-of-0000N.p11 and so on. The archives, one after the other, unpack to the very
bytes of the files, one after the other, in the order of the patterns and, of a pattern, of the names.

Each file is cut where games begin, some 4 MiB apart, and each piece is packed by itself. Write as many archives as make each some 100 MB: others
read them block by block, and so one archive need not be for one machine.

Files that end in .zst, .gz, .bz2 or .xz are decompressed. Such a file is not split: one machine decompresses and packs all of it. So many
such files serve many machines, and one large file does not.`,
		Example: `  ply11-beam pack -o archives/games --shards 8 "pgn/*.pgn"
  ply11-beam pack --dense -o archives/2024 --shards 100 "pgn/lichess_db_standard_rated_2024-*.pgn.zst"
  ply11-beam pack --dense -o s3://games/2024 --shards 200 --runner flink --endpoint localhost:8099 "s3://pgn/2024/*.pgn"`,
		Args: cobra.MinimumNArgs(1),
	}
	j.output(cmd, "archives")
	cmd.Flags().IntVar(&shards, "shards", 1, "the number of archives to write")
	cmd.Flags().BoolVar(&o.Dense, "dense", false, "store the moves in about three bits a ply instead of eleven")
	cmd.Flags().BoolVar(&o.Canonical, "canonical", false, "keep all content, and drop the layout of the text")
	j.add(cmd)
	cmd.RunE = func(_ *cobra.Command, patterns []string) error {
		if shards < 1 || shards > p11io.MaxShards {
			return usage("--shards is 1 to %d, not %d", p11io.MaxShards, shards)
		}
		return j.run(patterns, ".p11", func(s beam.Scope) { pipelines.Pack(s, patterns, o, j.prefix, shards) })
	}
	return cmd
}
