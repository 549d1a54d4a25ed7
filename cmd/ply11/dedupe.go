// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/samegame"
)

func dedupeCommand() *cobra.Command {
	var report, asJSON, players bool
	var invalid invalidFlag
	cmd := &cobra.Command{
		Use:   "dedupe --report archive.p11",
		Short: "Report games that are there more than once",
		Long: `Report games that have the same start and the same main line. With --players, White and Black must also be the same. Each line of the output
is a group of equal games. Games that are not valid are equal if their whole text is equal; such a group is marked. Games without moves are
not compared, but counted.

The command reads the archive once, takes some 30 bytes of memory for each game, and changes nothing. It compares games by 128 bits of
SHA-256.`,
		Example: `  ply11 dedupe --report games.p11
  ply11 dedupe --report --players games.p11`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !report {
				return usage("dedupe only reports: --report")
			}
			if err := invalid.check(); err != nil {
				return err
			}
			d := deduper{key: samegame.Key{Players: players}}
			if err := eachTagged(args[0], invalid, d.add); err != nil {
				return err
			}
			groups, extra := d.groups()
			if asJSON {
				return writeJSON(struct {
					Games        uint64     `json:"games"`
					Extra        int        `json:"extra"`
					Groups       [][]uint64 `json:"groups"`
					Invalid      []uint64   `json:"invalid"` // the games of groups that are not valid
					WithoutMoves uint64     `json:"without_moves"`
				}{d.games, extra, groups, append([]uint64{}, d.invalid...), d.empty})
			}
			for _, same := range groups {
				mark := ""
				if _, bad := slices.BinarySearch(d.invalid, same[0]); bad {
					mark = "  not valid"
				}
				fmt.Fprintf(&stdout, "%s%s\n", strings.Trim(fmt.Sprint(same), "[]"), mark)
			}
			fmt.Fprintf(stderr, "ply11: %d of %d games are there already, in %d groups\n", extra, d.games, len(groups))
			if d.empty > 0 {
				fmt.Fprintf(stderr, "ply11: %d games without moves were not compared\n", d.empty)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&report, "report", false, "list the numbers of equal games, a group a line")
	cmd.Flags().BoolVar(&players, "players", false, "compare the players too")
	invalid.add(cmd)
	common(cmd, nil, nil, &asJSON)
	return cmd
}

// deduper remembers games by a hash of what is compared.
type deduper struct {
	games   uint64              // all that were seen
	empty   uint64              // without moves
	buckets [256][]archivedGame // by the first byte of the hash
	invalid []uint64            // those of groups that are not valid, in order
	bad     map[uint64]struct{} // all that are not valid
	key     samegame.Key
}

// archivedGame is a game's hash and number.
type archivedGame struct {
	hash [16]byte
	game uint64
}

// add adds a game.
func (d *deduper) add(b *archive.Block, i int, g *game.Game, x archive.Exception) error {
	d.games++
	number := uint64(b.First() + i - 1)
	if x.Invalid {
		if d.bad == nil {
			d.bad = map[uint64]struct{}{}
		}
		d.bad[number] = struct{}{}
	}
	sum, ok, err := d.key.Of(b, i, g, x)
	if err != nil {
		return err
	}
	if !ok {
		d.empty++
		return nil
	}
	list := &d.buckets[sum[0]]
	*list = append(*list, archivedGame{sum, number})
	if d.games == 1<<18 {
		// The list is the memory that is in use: a limit that it passes would have the collector run all the time.
		debug.SetMemoryLimit(math.MaxInt64)
	}
	return nil
}

// groups returns the numbers of the games that are the same, group by group, and how many there are too many.
func (d *deduper) groups() (groups [][]uint64, extra int) {
	groups = [][]uint64{}
	for _, list := range d.buckets {
		slices.SortFunc(list, func(a, b archivedGame) int {
			return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.game, b.game))
		})
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].hash == list[0].hash {
				n++
			}
			if n > 1 {
				same := make([]uint64, n)
				for i, e := range list[:n] {
					same[i] = e.game
					if _, bad := d.bad[e.game]; bad {
						d.invalid = append(d.invalid, e.game)
					}
				}
				groups = append(groups, same)
				extra += n - 1
			}
			list = list[n:]
		}
	}
	slices.SortFunc(groups, func(a, b []uint64) int { return cmp.Compare(a[0], b[0]) })
	slices.Sort(d.invalid)
	return groups, extra
}
