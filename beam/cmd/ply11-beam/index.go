// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"ply11/beam/pipelines"
)

func indexCommand() *cobra.Command {
	var j job
	var variations bool
	cmd := &cobra.Command{
		Use:   "index [flags] PATTERN ...",
		Short: "Make the indexes of archives' positions, by which ply11 tree answers at once",
		Long: `Write the index of each archive that the patterns match beside it: games.p11x beside games.p11. Each has the very bytes that "ply11 index" writes. An
index that is there is replaced.

On prism, and if it has at most 1 GiB, an archive is indexed by one machine. On many machines, the positions of a larger one are sharded by hash, and each machine
sorts some of the shards; then one machine writes the index. That takes twice the processor time. So have many archives, of some 100 MB each.`,
		Example: `  ply11-beam index "archives/*.p11"
  ply11-beam index --variations --runner flink --endpoint localhost:8099 "s3://games/2024-*.p11"`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&variations, "variations", false, "index the positions of variations, too")
	j.add(cmd)
	j.addBad(cmd)
	cmd.RunE = func(_ *cobra.Command, patterns []string) error {
		return j.run(func(s beam.Scope) { pipelines.IndexPositions(s, j.archives(patterns), variations) })
	}
	return cmd
}
