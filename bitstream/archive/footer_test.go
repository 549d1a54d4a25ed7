// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
)

func TestMetaRefused(t *testing.T) {
	for name, value := range map[string]string{"": "b", ".a": "b", "!a": "b", "a\n": "b", "a": "\xff",
		"b":                      strings.Repeat("x", archive.MaxProperties),
		strings.Repeat("x", 256): "a"} {
		if _, err := archive.Pack(t.Context(), io.Discard, strings.NewReader("1. e4 *\n"),
			archive.WithMeta(map[string]string{name: value})); !errors.Is(err, codec.ErrOption) {
			t.Errorf("%.10q: %v", name, err)
		}
	}
}

// TestJoined puts texts together of which the first has no line end at its end.
func TestJoined(t *testing.T) {
	texts := []string{"[Event \"a\"]\n\n1. e4 1-0", "", "[Event \"b\"]\r\n\r\n1. d4 0-1", "; no game",
		"[Event \"c\"]\n\n1. c4 *\n"}
	want := texts[0] + "\n" + texts[2] + "\r\n" + texts[3] + "\n" + texts[4]
	archive.EachForm(t, func(t *testing.T, dense bool) {
		var list [][]byte
		for _, text := range texts {
			b, _ := archive.MustPack(t, []byte(text), archive.WithDense(dense))
			list = append(list, b)
		}
		added := list[0]
		for _, b := range list[1:] {
			added = archive.MustAppend(t, added, []archive.AppendOption{archive.WithLineEnds(true)}, b)
		}
		for name, b := range map[string][]byte{"Copy": archive.MustCopy(t,
			[]archive.CopyOption{archive.WithLineEnds(true)}, list...), "Append": added,
			"Copy of the text": archive.MustCopy(t, []archive.CopyOption{archive.WithLineEnds(true),
				archive.WithBlockGames(9)}, list...),
			"Append all": archive.MustAppend(t, list[0], []archive.AppendOption{archive.WithLineEnds(true)},
				list[1:]...)} {
			if got := archive.MustUnpack(t, b); string(got) != want || archive.MustOpen(t, b).Len() != 3 {
				t.Errorf("%s: %q", name, got)
			}
			archive.Whole(t, b)
		}
	})
}

// TestSummary: a summary has all of its games, and few others.
func TestSummary(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		text := archive.LastText(t, 300, func(n int) []byte { return []byte(archive.TextOf("a", n)) }) // of many names
		data, _ := archive.MustPack(t, text, archive.WithDense(dense), archive.WithBlockGames(40))
		r := archive.MustOpen(t, data)
		var g game.Game
		strangers, met := 0, 0
		for k := 1; k <= r.Blocks(); k++ {
			s, ok, err := archive.MustOpen(t, data).Summary(k)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			b := archive.MustBlock(t, r, k)
			for i := 1; i <= b.Len(); i++ {
				if err := b.Tags(i, &g); err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{g.Tag("White"), g.Tag("Black")} {
					if name != "" && !s.HasPlayer(name) {
						t.Fatalf("block %d, game %d: %s is not there", k, i, name)
					}
				}
				if n, ok := archive.PlainNumber(g.Tag("WhiteElo")); ok && !s.HasRating(n, n) {
					t.Fatalf("block %d, game %d: a rating of %d is not there", k, i, n)
				}
				if date := g.Tag("Date"); len(date) > 3 {
					if n, ok := archive.PlainNumber(date[:4]); ok &&
						(!s.HasYear(n, n) || !s.HasYear(0, n) || !s.HasYear(n, 9999)) {
						t.Fatalf("block %d, game %d: the year %d is not there", k, i, n)
					}
				}
			}
			for n := range 500 {
				met++
				if s.HasPlayer("stranger " + archive.Itoa(n)) {
					strangers++
				}
			}
			if s.HasYear(0, 999) || s.HasRating(5000, 6000) {
				t.Errorf("block %d has years or ratings that are not there", k)
			}
		}
		if strangers*40 > met {
			t.Errorf("%d of %d names that are not there seem to be", strangers, met)
		}
	})
}

// TestRunsAreVerified changes words, and makes all other checksums right again: a main line that is read in place tells
// of it, and so does Verify.
func TestRunsAreVerified(t *testing.T) {
	data, _ := archive.MustPack(t, []byte(archive.TextOf("a", 100)))
	b := archive.MustBlock(t, archive.MustOpen(t, data), 1)
	c := b.Columns()[slices.IndexFunc(b.Columns(),
		func(c archive.Column) bool { return c.Kind == archive.ColumnMoves })]
	for at := c.Offset; at < c.Offset+c.Stored; at += 13 {
		bad := bytes.Clone(data)
		bad[at] ^= 4
		group := func(n int) (e error) { _, e = archive.MustOpen(t, bad).MainLine(nil, n); return e }
		wrong := 0
		for n := 1; n <= 100; n += 16 {
			if err := group(n); err != nil {
				if !errors.Is(err, archive.ErrCorrupt) {
					t.Fatal(err)
				}
				wrong++
			}
		}
		if wrong < 1 || wrong > 2 {
			t.Fatalf("byte %d: %d groups of games are wrong", at, wrong)
		}
		archive.Reseal(bad)
		if rep, err := archive.Verified(bad); err != nil ||
			rep.OK() {
			t.Fatalf("byte %d: Verify: %v", at, err)
		}
	}
}

// TestFooterCounts changes what a footer counts of blocks: the last, an old one, and that of an edited archive.
func TestFooterCounts(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		sound, _ := archive.MustPack(t, []byte(archive.SampleText), archive.WithDense(dense), archive.WithBlockGames(1))
		added := archive.MustAppend(t, sound, nil, sound)
		edited := archive.MustEdit(t, sound, []archive.Change{{Game: 2, Delete: true}})
		for _, field := range []struct {
			name string
			at   int
			flip byte // of the text, to a length of the same state of the hash
		}{{"plies", 16, 1}, {"text", 24, 64}, {"dense blocks", 36, 1}} {
			forge := func(b []byte) []byte {
				return archive.ForgeEdited(b, func(_, footer []byte) { footer[field.at] ^= field.flip })
			}
			for name, b := range map[string][]byte{"last": forge(sound), "edited": forge(edited),
				"old": append(forge(sound), added[len(sound):]...)} {
				rep, err := archive.Verified(b)
				if err != nil || rep.OK() {
					t.Errorf("%s: the %s of the footer are others, and Verify finds %v, %v", name, field.name,
						rep.Errors, err)
				}
			}
		}
	})
}
