// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
)

type info struct {
	Path       string            `json:"path"`
	Version    int               `json:"version"`
	Canonical  bool              `json:"canonical"`
	Games      int               `json:"games"`
	Plies      int64             `json:"plies"`
	Blocks     int               `json:"blocks"`
	Bytes      int64             `json:"bytes"`
	Text       int64             `json:"text_bytes"`
	SHA256     string            `json:"text_sha256,omitempty"`
	Digest     string            `json:"digest"`
	Departing  uint64            `json:"departing_games"`
	Invalid    uint64            `json:"invalid_games"`
	PerGame    float64           `json:"bytes_per_game"`
	BitsPerPly float64           `json:"bits_per_ply"`
	MoveBits   float64           `json:"move_bits_per_ply"`
	Dense      int               `json:"dense_blocks"`
	DensePlies int64             `json:"dense_plies"`
	Columns    map[string]int64  `json:"columns"`
	Raw        map[string]int64  `json:"columns_raw"`
	Overhead   int64             `json:"headers_and_index"`
	Meta       map[string]string `json:"meta,omitempty"`
	Unfinished int64             `json:"unfinished_bytes,omitempty"`
}

func infoCommand() *cobra.Command {
	var asJSON, layout bool
	cmd := &cobra.Command{
		Use:   "info archive.p11",
		Short: "Print what an archive holds, and where its bytes go",
		Long: `Print what an archive holds, and where its bytes go: the bytes of each column, stored and raw, and the bits a ply, for
everything and for the moves alone. The digest stands for all of the archive: two archives with the same one hold the same games.`,
		Example: `  ply11 info games.p11
  ply11 info --layout games.p11
  ply11 info --json games.p11 | jq .move_bits_per_ply`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, done, err := openArchive(args[0])
		if err != nil {
			return err
		}
		defer done()
		s := r.Stats()
		t := info{Path: args[0], Version: archive.Version, Canonical: r.Canonical(), Games: s.Games, Plies: s.Plies,
			Blocks: s.Blocks, Bytes: s.Bytes, Text: s.Text, Columns: map[string]int64{}, Raw: map[string]int64{},
			Meta: r.Meta(), Overhead: s.Bytes}
		if behind := (*archive.UnfinishedError)(nil); errors.As(r.Unfinished(), &behind) {
			t.Unfinished = behind.Bytes
		}
		digest := r.Digest()
		t.Digest = hex.EncodeToString(digest[:])
		if s.Hashed {
			t.SHA256 = hex.EncodeToString(s.SHA256[:])
		}
		var order []string
		for n := 1; n <= r.Blocks(); n++ {
			b, err := r.Block(n)
			if err != nil {
				return inFile(args[0], err)
			}
			t.Departing += uint64(b.Departing())
			for i := 1; b.Departing() > 0 && i <= b.Len(); i++ {
				x, _, err := b.Exception(i)
				if err != nil {
					return inFile(args[0], err)
				}
				if x.Invalid {
					t.Invalid++
				}
			}
			if b.Dense() {
				t.Dense++
				t.DensePlies += int64(b.Plies())
			}
			for _, c := range b.Columns() {
				name := c.Kind.String()
				if _, ok := t.Columns[name]; !ok {
					order = append(order, name)
				}
				t.Columns[name] += c.Stored
				t.Raw[name] += c.Raw
				t.Overhead -= c.Stored
			}
			if layout && !asJSON {
				fmt.Fprintf(&stdout, "block %d at %d: games %d-%d, %d plies, %d bytes\n", n, b.Offset(), b.First(),
					b.First()+b.Len()-1, b.Plies(), b.Size())
				style, _ := b.Style()
				fmt.Fprintf(&stdout, "  layout %+v\n", style)
				for _, c := range b.Columns() {
					fmt.Fprintf(&stdout, "  %-12s at %d: %d bytes stored, %d raw\n", c.Kind, c.Offset, c.Stored, c.Raw)
				}
			}
		}
		games, plies := float64(max(s.Games, 1)), float64(max(s.Plies, 1))
		t.PerGame, t.BitsPerPly = float64(s.Bytes)/games, float64(s.Bytes)*8/plies
		fixed, dense := t.Columns[archive.ColumnMoves.String()], t.Columns[archive.ColumnDense.String()]
		t.MoveBits = float64(fixed+dense) * 8 / plies
		if asJSON {
			return writeJSON(t)
		}
		fmt.Fprintf(&stdout, "%s: ply11 archive, format %d", printable(args[0]), t.Version)
		if t.Canonical {
			fmt.Fprint(&stdout, ", canonical (the text's layout is not kept)")
		}
		fmt.Fprintf(&stdout, "\n%d games, %d plies of main lines, %d blocks, %d games that depart from the "+
			"layout, %d that are not valid\n",
			t.Games, t.Plies, t.Blocks, t.Departing-t.Invalid, t.Invalid)
		fmt.Fprintf(&stdout, "%d bytes, %.2f a game, %.3f bits a ply; the moves alone %.3f bits a ply\n", t.Bytes,
			t.PerGame, t.BitsPerPly, t.MoveBits)
		if t.Dense > 0 {
			fmt.Fprintf(&stdout, "%d blocks have dense moves, %.3f bits a ply", t.Dense,
				float64(dense)*8/float64(max(t.DensePlies, 1)))
			if rest := t.Plies - t.DensePlies; rest > 0 {
				fmt.Fprintf(&stdout, "; the others %.3f", float64(fixed)*8/float64(rest))
			}
			fmt.Fprintln(&stdout)
		}
		fmt.Fprintf(&stdout, "unpacks to %d bytes", t.Text)
		if t.SHA256 != "" {
			fmt.Fprintf(&stdout, ", SHA-256 %s", t.SHA256)
		}
		fmt.Fprintf(&stdout, "\ndigest of the whole archive: %s\n", t.Digest)
		for _, name := range slices.Sorted(maps.Keys(t.Meta)) {
			fmt.Fprintf(&stdout, "%s: %s\n", name, t.Meta[name])
		}
		for _, name := range order {
			fmt.Fprintf(&stdout, "  %-18s %12d bytes  %8.3f a game  (raw %d)\n", name, t.Columns[name],
				float64(t.Columns[name])/games, t.Raw[name])
		}
		fmt.Fprintf(&stdout, "  %-18s %12d bytes  %8.3f a game\n", "headers, index", t.Overhead,
			float64(t.Overhead)/games)
		return nil
	}
	cmd.Flags().BoolVar(&layout, "layout", false, "print each block")
	common(cmd, nil, nil, &asJSON)
	return cmd
}
