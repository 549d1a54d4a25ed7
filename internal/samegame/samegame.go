// SPDX-License-Identifier: Apache-2.0

// Package samegame says which games of archives are the same.
package samegame

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/moveindex"
)

// Key makes what is compared of games. Its memory is used again.
type Key struct {
	// Players asks for White and Black to be the same, too.
	Players bool
	// Names asks for White and Black to be alike, too: the last word of the surname and the initial are the same,
	// whatever their case and accents.
	Names bool

	key   []byte
	words []moveindex.Index
	alike *collate.Collator
	buf   collate.Buffer
}

// Of returns the key of a block's game i (from 1): 128 bits of the SHA-256 of its start and its main line, or, if the
// columns do not hold all of it, of its text. g has the game's tags, if players are compared. ok is false of a game
// without moves, which is not compared.
func (k *Key) Of(b *archive.Block, i int, g *game.Game, x archive.Exception) (sum [16]byte, ok bool, err error) {
	if x.Invalid || x.Partial {
		if k.key, err = b.AppendText(append(k.key[:0], 1), i, nil); err != nil {
			return sum, false, err
		}
		k.key = bytes.TrimSpace(k.key)
	} else {
		group, line, ok, err := k.Line(b, i, g, x)
		if !ok || err != nil {
			return sum, false, err
		}
		k.key = append(append(k.key[:0], 0), group[:]...)
		for _, w := range line {
			k.key = binary.LittleEndian.AppendUint16(k.key, uint16(w))
		}
	}
	return k.sum(), true, nil
}

// Line returns a key of the start and, if they are compared, the players alone, and the main line, valid until the next
// call. ok is false of a game whose columns do not hold all of it, or without moves.
func (k *Key) Line(b *archive.Block, i int, g *game.Game, x archive.Exception) (sum [16]byte, line []moveindex.Index,
	ok bool, err error) {
	if x.Invalid || x.Partial {
		return sum, nil, false, nil
	}
	if k.words, err = b.MainLine(k.words[:0], i); err != nil || len(k.words) == 0 {
		return sum, nil, false, err
	}
	start, err := b.Start(i)
	if err != nil {
		return sum, nil, false, err
	}
	k.key = start.AppendFEN(append(k.key[:0], 2))
	k.appendPlayers(g)
	return k.sum(), k.words, true, nil
}

func (k *Key) appendPlayers(g *game.Game) {
	if k.Players {
		k.key = append(append(append(append(k.key, 0), g.Tag("White")...), 0), g.Tag("Black")...)
	}
	if k.Names {
		k.appendName(g.Tag("White"))
		k.appendName(g.Tag("Black"))
	}
}

func (k *Key) sum() [16]byte {
	all := sha256.Sum256(k.key)
	return [16]byte(all[:16])
}

// appendName appends what is compared of a name with Names: "Réti, Richard", "RETI, R." and "Richard Reti" give the
// same, and a part of it is no part of another.
func (k *Key) appendName(name string) {
	if k.alike == nil {
		k.alike = collate.New(language.Und, collate.Loose)
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
				!unicode.IsMark(r)
		})
	}
	before, after, comma := strings.Cut(name, ",")
	surname, given := words(before), words(after)
	last := ""
	if n := len(surname); n > 0 {
		last = surname[n-1]
		if !comma {
			given = surname[:n-1]
		}
	}
	initial := ""
	if len(given) > 0 {
		initial = string([]rune(given[0])[:1])
	}
	for _, part := range []string{last, initial} {
		sum := sha256.Sum256(k.alike.KeyFromString(&k.buf, part))
		k.key = append(k.key, sum[:]...)
	}
	k.buf.Reset()
}
