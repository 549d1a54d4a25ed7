// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/moveindex"
)

func dedupeCommand() *cobra.Command {
	var report, asJSON, tagsToo bool
	cmd := &cobra.Command{
		Use:   "dedupe --report archive.p11",
		Short: "Report games that are there more than once",
		Long: `Report games with the same start and main line (and, with --players, the same White and Black). It takes
24 bytes of memory a game, and changes nothing.`,
		Example: `  ply11 dedupe --report games.p11
  ply11 dedupe --report --players games.p11`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !report {
				return usage("dedupe only reports: --report")
			}
			r, done, err := openArchive(args[0])
			if err != nil {
				return err
			}
			defer done()
			type entry struct {
				hash uint64
				game uint64
			}
			var list []entry
			seed := maphash.MakeSeed()
			var key []byte
			// keyOf makes what is compared of a game.
			keyOf := func(b *archive.Block, n int, g *game.Game, words []moveindex.Index) ([]byte, []moveindex.Index, error) {
				start, err := b.Start(n)
				if err != nil {
					return nil, words, err
				}
				if words, err = b.MainLine(words[:0], n); err != nil {
					return nil, words, err
				}
				key = start.AppendFEN(key[:0])
				for _, w := range words {
					key = binary.LittleEndian.AppendUint16(key, uint16(w))
				}
				if tagsToo {
					if err := b.Tags(n, g); err != nil {
						return nil, words, err
					}
					key = append(append(append(append(key, 0), g.Tag("White")...), 0), g.Tag("Black")...)
				}
				return key, words, nil
			}
			var g game.Game
			var words []moveindex.Index
			for n := range r.Blocks() {
				b, err := r.Block(n + 1)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				for i := 1; i <= b.Games(); i++ {
					var k []byte
					if k, words, err = keyOf(b, i, &g, words); err != nil {
						return fmt.Errorf("%s: %w", args[0], err)
					}
					if len(words) == 0 {
						continue // nothing to tell games apart by
					}
					list = append(list, entry{maphash.Bytes(seed, k), b.First() + uint64(i-1)})
				}
			}
			slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.game, b.game)) })
			var groups [][]uint64
			for i := 0; i < len(list); {
				j := i + 1
				for j < len(list) && list[j].hash == list[i].hash {
					j++
				}
				if j > i+1 {
					// The hash may lie: the games themselves are compared.
					byKey := map[string][]uint64{}
					for _, e := range list[i:j] {
						b, k, err := r.Find(e.game)
						if err != nil {
							return fmt.Errorf("%s: %w", args[0], err)
						}
						var data []byte
						if data, words, err = keyOf(b, k, &g, words); err != nil {
							return fmt.Errorf("%s: %w", args[0], err)
						}
						byKey[string(data)] = append(byKey[string(data)], e.game)
					}
					for _, same := range byKey {
						if len(same) > 1 {
							groups = append(groups, same)
						}
					}
				}
				i = j
			}
			slices.SortFunc(groups, func(a, b []uint64) int { return cmp.Compare(a[0], b[0]) })
			extra := 0
			for _, same := range groups {
				extra += len(same) - 1
			}
			if asJSON {
				if groups == nil {
					groups = [][]uint64{}
				}
				return writeJSON(struct {
					Games  uint64     `json:"games"`
					Extra  int        `json:"extra"`
					Groups [][]uint64 `json:"groups"`
				}{r.Games(), extra, groups})
			}
			for _, same := range groups {
				fmt.Fprintln(&stdout, strings.Trim(fmt.Sprint(same), "[]"))
			}
			fmt.Fprintf(stderr, "ply11: %d of %d games are there already, in %d groups\n", extra, r.Games(), len(groups))
			return nil
		},
	}
	cmd.Flags().BoolVar(&report, "report", false, "list the numbers of equal games, a group a line")
	cmd.Flags().BoolVar(&tagsToo, "players", false, "compare the players too")
	common(cmd, nil, nil, &asJSON)
	return cmd
}
