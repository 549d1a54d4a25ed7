// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"io"
	"iter"
	"strconv"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
)

var archiveFormat = Format{
	Name: "p11", Extensions: []string{".p11"}, Description: "ply11's archive",
	Options: []Option{
		{Name: "moves", Values: []string{"fixed", "dense"}, Description: "eleven bits a move, or about three"},
		{Name: "block", Description: "games of a block, 1 to 4096; 1024 by default"},
		{Name: "filter", Values: []string{"yes", "no"},
			Description: "with fixed moves: the filters by which find passes over games; yes by default"},
	},
	Read: readArchive,
	Write: func(out Output, o Options) (codec.Writer, error) {
		a, err := ArchiveOptions(o)
		if err != nil {
			return nil, err
		}
		return archive.NewWriter(out.Writer, archive.WithDense(a.Dense), archive.WithFilter(!a.NoFilter),
			archive.WithBlockGames(a.BlockGames)), nil
	},
	Explain: func(w io.Writer, in Input, _ Options) error { return archive.Explain(w, in.Reader) },
	Verify:  faults(readArchive),
	Forms:   wordForms,
}

func readArchive(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return games(archive.NewScanner(in.Reader))
}

// Archive is what is asked of an archive. The zero value is the default.
type Archive struct {
	Dense, NoFilter bool
	BlockGames      int
}

// ArchiveOptions returns what options of the format p11 ask for. It fails with codec.ErrOption.
func ArchiveOptions(o Options) (a Archive, err error) {
	a.Dense, a.NoFilter = o.Values["moves"] == "dense", o.Values["filter"] == "no"
	if s := o.Values["block"]; s != "" {
		if a.BlockGames, err = strconv.Atoi(s); err != nil || a.BlockGames < 1 || a.BlockGames > 4096 {
			return a, fmt.Errorf("%w: block of p11 is %q, not 1 to 4096", codec.ErrOption, s)
		}
	}
	return a, nil
}
