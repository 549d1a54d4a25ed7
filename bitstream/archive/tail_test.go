// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/testenv"
)

// TestMetaRefused: properties that an archive cannot hold are refused.
func TestMetaRefused(t *testing.T) {
	for name, value := range map[string]string{"": "b", ".a": "b", "!a": "b", "a\n": "b", "a": "\xff",
		"b":                      strings.Repeat("x", archive.MaxProperties),
		strings.Repeat("x", 256): "a"} {
		if _, err := archive.Pack(context.Background(), io.Discard, strings.NewReader("1. e4 *\n"),
			archive.WithMeta(map[string]string{name: value})); !errors.Is(err, codec.ErrOption) {
			t.Errorf("%.10q: %v", name, err)
		}
	}
}

// TestAppend adds to an archive again and again. Every way to read it gives all games; the bytes before stay; each bit
// of the old tails is verified.
func TestAppend(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		texts := []string{archive.SampleText, archive.TextOf("b", 20), archive.OddText(), archive.TextOf("c", 3)}
		data, _ := archive.MustPack(t, []byte(texts[0]), archive.WithDense(dense), archive.WithBlockGames(2))
		sum := texts[0]
		for i, text := range texts[1:] {
			more, _ := archive.MustPack(t, []byte(text), archive.WithDense(dense), archive.WithBlockGames(4))
			next := archive.MustAppend(t, data, nil, more)
			if !bytes.HasPrefix(next, data) {
				t.Fatal("what was there is changed")
			}
			data, sum = next, sum+text
			if got := archive.MustUnpack(t, data); string(got) != sum {
				t.Fatalf("%d: %s", i, archive.FirstDifference([]byte(sum), got))
			}
			r := archive.MustOpen(t, data)
			stats := archive.StatsOf(r)
			if want := sha256.Sum256([]byte(sum)); !stats.Hashed || stats.SHA256 != want ||
				stats.Text != int64(len(sum)) || r.Unfinished() != nil {
				t.Fatalf("%d: %+v", i, stats)
			}
			if rep, err := archive.Verify(context.Background(), bytes.NewReader(data), int64(len(data))); err != nil ||
				!rep.OK() || rep.Games != stats.Games {
				t.Fatalf("%d: %v, %v", i, rep, err)
			}
			if text, err := explained(t, data); err != nil || strings.Contains(text, "wrong") {
				t.Fatalf("%d: %v", i, err)
			}
			if i == 1 {
				if said := archive.PythonReads(t, [][]byte{data})[0]; said != "" {
					t.Fatalf("%d: the Python reader: %s", i, said)
				}
			}
			if err := checkOrders(t, data, []byte(sum), rand.New(rand.NewPCG(1, uint64(i)))); err != nil {
				t.Fatalf("%d: %v", i, err)
			}
			var out bytes.Buffer
			if _, err := archive.Recover(context.Background(), &out, bytes.NewReader(data), int64(len(data))); err !=
				nil || string(archive.MustUnpack(t, out.Bytes())) != sum || out.Len() >= len(data) {
				t.Fatalf("%d: what is recovered is another text: %v", i, err)
			}
			if got := archive.MustRecode(t, nil, data); !bytes.Equal(got, out.Bytes()) {
				t.Fatalf("%d: what is copied is not what is recovered", i)
			}
		}
		for at := range data {
			if !testenv.Long && at%31 != 0 {
				continue
			}
			bad := bytes.Clone(data)
			bad[at] ^= 1 << (at % 8)
			if rep, err := archive.Verify(context.Background(), bytes.NewReader(bad), int64(len(bad))); err == nil &&
				rep.OK() {
				t.Fatalf("byte %d: Verify finds nothing", at)
			}
			if at%2 == 0 {
				if _, err := archive.Unpack(context.Background(), io.Discard, bytes.NewReader(bad),
					archive.WithWorkers(1)); err == nil {
					t.Fatalf("byte %d: Unpack finds nothing", at)
				}
			}
		}
	})
}

// TestJoined puts texts together of which the first has no line end at its end: the next game does not stand on its
// line.
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
			added = archive.MustAppend(t, added, nil, b)
		}
		for name, b := range map[string][]byte{"Recode": archive.MustRecode(t, nil, list...), "Append": added,
			"Append all": archive.MustAppend(t, list[0], nil, list[1:]...)} {
			if got := archive.MustUnpack(t, b); string(got) != want || archive.MustOpen(t, b).Len() != 3 {
				t.Errorf("%s: %q", name, got)
			}
			if rep, err := archive.Verify(context.Background(), bytes.NewReader(b), int64(len(b))); err != nil ||
				!rep.OK() {
				t.Errorf("%s: %v, %v", name, rep, err)
			}
		}
	})
}

// TestAppendInterrupted ends adding after every number of bytes, also within a search part with names. The archive is
// what it was, and tells of what stands behind it, which the next writer removes.
func TestAppendInterrupted(t *testing.T) {
	first := archive.SampleText
	second := strings.ReplaceAll(archive.TextOf("b", 8), "[Result",
		"[Date \"1999.01.01\"]\n[White \"W\"]\n[Black \"B\"]\n[Result")
	data, _ := archive.MustPack(t, []byte(first))
	more, _ := archive.MustPack(t, []byte(second), archive.WithBlockGames(3))
	whole := archive.MustAppend(t, data, nil, more)
	third := archive.MustAppend(t, whole, nil, more)
	for _, x := range []struct {
		name        string
		base, after []byte
		text        string
	}{{"first", data, whole, first}, {"second", whole, third, first + second}} {
		if kinds, _, at := archive.SearchColumns(t, x.after); at < int64(len(x.base)) ||
			!slices.Contains(kinds, archive.SearchNames) {
			t.Fatalf("%s: what is added has no names to search: columns %v at %d", x.name, kinds, at)
		}
		for left := range len(x.after) - len(x.base) {
			f := &archive.MemFile{B: bytes.Clone(x.base), Left: left}
			if _, err := archive.Append(context.Background(), f, int64(len(x.base)),
				[]io.Reader{bytes.NewReader(more)}); !errors.Is(err, archive.ErrFull) {
				t.Fatalf("%s, %d bytes: %v", x.name, left, err)
			}
			r, err := archive.NewReader(f, int64(len(f.B)))
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", x.name, left, err)
			}
			behind := int64(len(f.B) - len(x.base))
			if archive.Behind(r) != behind || archive.StatsOf(r) != archive.StatsOf(archive.MustOpen(t, x.base)) {
				t.Fatalf("%s, %d bytes: %d unfinished, %+v", x.name, left, archive.Behind(r), archive.StatsOf(r))
			}
			if left%17 > 0 {
				continue
			}
			var text []byte
			for n := 1; n <= r.Len(); n++ {
				if text, err = r.AppendText(text, n); err != nil {
					t.Fatal(err)
				}
			}
			if !strings.Contains(x.text, string(text)) {
				t.Fatalf("%s, %d bytes: other games", x.name, left)
			}
			rep, err := archive.Verify(context.Background(), f, int64(len(f.B)))
			if err != nil || rep.OK() != (behind == 0) || rep.Unfinished != behind || rep.Games < r.Len() {
				t.Fatalf("%s, %d bytes: Verify: %+v, %v", x.name, left, rep, err)
			}
			f.Left = -1
			if _, err := archive.Append(context.Background(), f, int64(len(f.B)), []io.Reader{bytes.NewReader(more)},
				archive.WithDiscard(true)); err != nil || !bytes.Equal(f.B, x.after) {
				t.Fatalf("%s, %d bytes: after it games cannot be added: %v", x.name, left, err)
			}
		}
	}
}

// TestSummary: a summary says of no game that it is not there, and of few strangers that they are.
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
			b, err := r.Block(k)
			if err != nil {
				t.Fatal(err)
			}
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
					if n, ok := archive.PlainNumber(date[:4]); ok && (!s.HasYear(n, n) || !s.HasYear(0, n) ||
						!s.HasYear(n, 9999)) {
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

// TestRunsAreVerified changes words, and makes all checksums right again but those of the words themselves: a main line
// that is read in place tells of it, and so does Verify.
func TestRunsAreVerified(t *testing.T) {
	data, _ := archive.MustPack(t, []byte(archive.TextOf("a", 100)))
	b, err := archive.MustOpen(t, data).Block(1)
	if err != nil {
		t.Fatal(err)
	}
	c := b.Columns()[slices.IndexFunc(b.Columns(), func(c archive.Column) bool {
		return c.Kind == archive.ColumnMoves
	})]
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
		if rep, err := archive.Verify(context.Background(), bytes.NewReader(bad), int64(len(bad))); err != nil ||
			rep.OK() {
			t.Fatalf("byte %d: Verify: %v", at, err)
		}
	}
}

// TestTwoTails: a tail may follow a tail, where no games were added, but a property. All readers take the last one.
func TestTwoTails(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		one, _ := archive.MustPack(t, []byte(archive.SampleText), archive.WithDense(dense))
		for _, more := range [][][]byte{nil, {one}} { // the last tail follows a tail, or a block
			two := archive.MustAppend(t, archive.MustAppend(t, one, []archive.AppendOption{
				archive.WithMeta(map[string]string{"a": "b"})}), nil, more...)
			want := strings.Repeat(archive.SampleText, 1+len(more))
			if rep, err := archive.Verify(context.Background(), bytes.NewReader(two), int64(len(two))); err != nil ||
				!rep.OK() {
				t.Errorf("Verify: %v, %v", rep.Errors, err)
			}
			if got := archive.MustUnpack(t, two); string(got) != want {
				t.Error(archive.FirstDifference([]byte(want), got))
			}
			if got := archive.MustOpen(t, two).Meta()["a"]; got != "b" {
				t.Errorf("the property is %q", got)
			}
			if err := archive.Explain(io.Discard, bytes.NewReader(two)); err != nil {
				t.Error(err)
			}
			var out bytes.Buffer
			if rep, err := archive.Recover(context.Background(), &out, bytes.NewReader(two), int64(len(two))); err !=
				nil || !rep.OK() || string(archive.MustUnpack(t, out.Bytes())) != want {
				t.Errorf("Recover: %v, %v", rep.Errors, err)
			}
			if said := archive.PythonReads(t, [][]byte{two})[0]; said != "" {
				t.Errorf("the Python reader: %s", said)
			}
			cut := two[:len(two)-10]
			if r := archive.MustOpen(t, cut); r.Unfinished() == nil {
				t.Error("what is unfinished is not told")
			}
		}
	})
}

// TestFooterPlies: a number of plies that is no int is refused, and does not become a negative one.
func TestFooterPlies(t *testing.T) {
	data, _ := archive.MustPack(t, []byte("1. e4 e5 *\n"))
	bad := archive.Forge(t, data, nil, func(b []byte) {
		b[archive.Le.Uint64(b[len(b)-archive.TrailerSize+8:])+23] = 0x80
	})
	if _, err := archive.NewReader(bytes.NewReader(bad), int64(len(bad))); !errors.Is(err, archive.ErrCorrupt) {
		t.Errorf("%v", err)
	}
}
