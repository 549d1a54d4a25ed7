// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/querytest"
	"ply11/query"
)

// readBytes counts the bytes that are read.
type readBytes struct {
	io.ReaderAt
	n atomic.Int64
}

func (r *readBytes) ReadAt(b []byte, at int64) (int, error) {
	r.n.Add(int64(len(b)))
	return r.ReaderAt.ReadAt(b, at)
}

// playersText is games of which each block of 100 has its own players, years and ratings, with odd values.
func playersText(blocks int) string {
	var b strings.Builder
	for i := range 100 * blocks {
		k := i / 100
		date, elo := fmt.Sprintf("%d.%02d.??", 1900+k, 1+i%12), fmt.Sprint(2000+10*k+i%10)
		switch i % 97 {
		case 11:
			date = fmt.Sprintf("????.??.??\"]\n[UTCDate \"%d-1-2", 1900+k)
		case 12:
			elo = " 2999 "
		case 13:
			elo = "-"
		case 14:
			date = "19"
		}
		if i == 350 {
			elo = "+2777"
		}
		fmt.Fprintf(&b, "[White \"Player, A%d\"]\n[Black \"Player, B%d\"]\n[Date \"%s\"]\n[WhiteElo \"%s\"]\n[Result "+
			"\"*\"]\n\n1. e4 e5 %s*\n\n", i, k, date, elo,
			strings.Repeat("2. Nf3 Nf6 3. Ng1 Ng8 ", 20))
	}
	return b.String()
}

// TestSummaries: summaries change no result, and save reading most blocks.
func TestSummaries(t *testing.T) {
	text := []byte(playersText(40))
	for _, dense := range []bool{false, true} {
		with := querytest.Pack(t, text, archive.WithDense(dense), archive.WithBlockGames(100))
		without := querytest.Pack(t, text, archive.WithDense(dense), archive.WithBlockGames(100),
			archive.WithFilter(false))
		for _, x := range []struct {
			terms string
			found int // -1: as in the others
			share int // the most percent of the bytes that are read
		}{
			{"player==Player, B7", 100, 25},
			{"white==Player, A1234", 1, 25},
			{"black==Player, A1234", 0, 25}, // it is White's
			{"player==player, B7", 0, 25},
			{"player==nobody", 0, 25},
			{"player=B7", -1, 110},
			{"player==Player, B7;date=1907", -1, 25},
			{"date=1910-1912", -1, 30},
			{"date=1907", 99, 25},
			{"date=1907-01-02", 1, 25},
			{"date=2020", 0, 20},
			{"date=-1903.06", -1, 30},
			{"white-rating=2100-2105", -1, 110},
			{"any-rating=2777", -1, 110},
			{"any-rating=100000-", 0, 30},
			{"not=player==Player, B7", 3900, 110},
		} {
			q := query.New()
			for term := range strings.SplitSeq(x.terms, ";") {
				name, value, _ := strings.Cut(term, "=")
				if err := q.Add(name, value); err != nil {
					t.Fatal(err)
				}
			}
			count := func(b []byte) (int, int64) {
				in := &readBytes{ReaderAt: bytes.NewReader(b)}
				n, err := query.Count(t.Context(), []query.Source{{Name: "x", Reader: in, Size: int64(len(b))}}, q,
					query.Options{Workers: 1})
				if err != nil {
					t.Fatalf("%s: %v", x.terms, err)
				}
				return n, in.n.Load()
			}
			want, _ := count(without)
			got, read := count(with)
			if got != want || x.found >= 0 && want != x.found {
				t.Errorf("dense %v, %s: %d games, without summaries %d, want %d", dense, x.terms, got, want, x.found)
			}
			// What opens the file is read twice, whatever is looked for.
			if share := (read - 2*48<<10) * 100 / int64(len(with)); !dense && share > int64(x.share) {
				t.Errorf("%s: %d bytes of %d are read, %d %%", x.terms, read, len(with), share)
			} else {
				t.Logf("%s: %d of %d bytes", x.terms, read, len(with))
			}
		}
	}
}

// TestSummariesEdited edits an archive again and again, and finds the games of each name and year that was ever in it.
// A compact copy has hardly any block that seems to have a name that is gone.
func TestSummariesEdited(t *testing.T) {
	const games, block = 300, 10
	var text strings.Builder
	type fact struct{ white, year string }
	var list []fact
	for i := range games {
		f := fact{fmt.Sprintf("Player, %d", i/2), fmt.Sprint(1900 + i/block)}
		list = append(list, f)
		fmt.Fprintf(&text, "[White \"%s\"]\n[Black \"?\"]\n[Date \"%s.01.01\"]\n[Result \"*\"]\n\n1. e4 *\n\n", f.white,
			f.year)
	}
	f, content := onDisk(t, querytest.Pack(t, []byte(text.String()), archive.WithBlockGames(block)))
	names, years := map[string]bool{"nobody": true}, map[string]bool{"1800": true}
	rnd := rand.New(rand.NewPCG(5, 31))
	// check returns how many blocks may have a name that no game has.
	check := func(data []byte) (may int) {
		t.Helper()
		r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil || r.Len() != len(list) {
			t.Fatal(err, r.Len(), len(list))
		}
		for _, f := range list {
			names[f.white], years[f.year] = true, true
		}
		find := func(term, value string, has func(f *fact) bool) (none bool) {
			var want []int
			for i := range list {
				if has(&list[i]) {
					want = append(want, i+1)
				}
			}
			q := query.New()
			if err := q.Add(term, value); err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, a := range scan(t, q, data, query.Options{Workers: 1}) {
				got = append(got, a.game)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s %s: games %v, want %v", term, value, got, want)
			}
			return len(want) == 0
		}
		for name := range names {
			if !find("white", "="+name, func(f *fact) bool { return f.white == name }) {
				continue
			}
			for n := 1; n <= r.Blocks(); n++ {
				if s, ok, err := r.Summary(n); err != nil || !ok || s.HasPlayer(name) {
					may++
				}
			}
		}
		for year := range years {
			find("date", year, func(f *fact) bool { return f.year == year })
		}
		return may
	}
	check(content())
	for round := range 8 {
		changes := map[int]archive.Change{}
		for range 25 {
			c := archive.Change{Game: 1 + rnd.IntN(len(list)), Delete: rnd.IntN(4) == 0}
			if !c.Delete {
				now := fact{fmt.Sprintf("Newcomer %d", rnd.IntN(60)), fmt.Sprint(2000 + rnd.IntN(90))}
				list[c.Game-1] = now
				c.Set = []game.Tag{{Name: "White", Value: now.white}, {Name: "Date", Value: now.year + ".02.02"}}
			}
			changes[c.Game] = c
		}
		if _, err := archive.Edit(t.Context(), f, int64(len(content())), slices.Collect(maps.Values(changes))); err !=
			nil {
			t.Fatal(err)
		}
		var left []fact
		for i, f := range list {
			if !changes[i+1].Delete {
				left = append(left, f)
			}
		}
		list = left
		wide := check(content())
		r, err := archive.NewReader(f, int64(len(content())))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := archive.Copy(t.Context(), &out, []io.Reader{r.Ordered()}); err != nil {
			t.Fatal(err)
		}
		narrow := check(out.Bytes())
		if t.Logf("round %d: %d blocks may have what is gone, %d in a compact copy", round, wide, narrow); narrow >=
			wide || round == 7 && narrow > wide/4 {
			t.Errorf("round %d: %d blocks may have what is gone, %d in a compact copy", round, wide, narrow)
		}
	}
}

// TestFirstResults: first results come after few blocks, however long the archive is.
func TestFirstResults(t *testing.T) {
	const blocks = 60
	data := querytest.Pack(t, []byte(playersText(blocks)), archive.WithBlockGames(100))
	q := query.New()
	if err := q.Add("pattern", "Pe4"); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 4} {
		in := &readBytes{ReaderAt: bytes.NewReader(data)}
		first := int64(0)
		n := 0
		for _, err := range query.Games(t.Context(),
			[]query.Source{{Name: "x", Reader: in, Size: int64(len(data)), Sparse: true}}, q,
			query.Options{Workers: workers},
			func(m *query.Match) (struct{}, error) { return struct{}{}, nil }) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 1 {
				first = in.n.Load()
			}
		}
		if n != 100*blocks {
			t.Fatalf("%d games", n)
		}
		// Each worker opens the archive, and three blocks for each may be begun.
		block := int64(len(data)) / blocks
		most := int64(workers+1)*(48<<10) + int64(3*workers+2)*block
		if t.Logf("%d workers: %d of %d bytes", workers, first, len(data)); first == 0 || first > most ||
			most > int64(len(data)) {
			t.Errorf("%d workers: the first games come after %d bytes, more than %d, of %d", workers, first, most,
				len(data))
		}
	}
}

// TestTagsAlone: a search for tags reads front and tags of a block, any other more.
func TestTagsAlone(t *testing.T) {
	const blocks = 60
	data := querytest.Pack(t, []byte(playersText(blocks)), archive.WithBlockGames(100))
	r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	rest := int64(0) // of the blocks: the moves, and what stands behind the tags
	for n := range r.Blocks() {
		b, err := r.Block(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range b.Columns() {
			if c.Kind == archive.ColumnMoves || c.Kind == archive.ColumnFilter {
				rest += c.Stored
			}
		}
	}
	if rest < int64(len(data))/2 {
		t.Fatalf("moves and filters are %d of %d bytes", rest, len(data))
	}
	for _, c := range []struct {
		terms [][2]string
		found int
		light bool
	}{
		{[][2]string{{"player", "player"}}, 100 * blocks, true},
		{[][2]string{{"white", "~^Player, A"}, {"black", "player, b"}, {"games", "1-"}}, 100 * blocks, true},
		{[][2]string{{"player", "player"}, {"plies", "1-"}}, 100 * blocks, false},
		{[][2]string{{"eco", "A00-E99"}}, 0, true},
		{[][2]string{{"tag", "WhiteElo>=0"}, {"tag", "Date"}}, -1, true},
		{[][2]string{{"any-rating", "1-3000"}}, -1, true},
		{[][2]string{{"player", "player"}, {"result", "*"}}, 100 * blocks, false},
		{[][2]string{{"player", "player"}, {"moves", "1.e4"}}, 100 * blocks, false},
		{[][2]string{{"player", "player"}, {"tag", "Result=*"}}, 100 * blocks, false},
		{[][2]string{{"tag", "Result>0"}}, 0, false},
		{[][2]string{{"pattern", "Pe4"}}, 100 * blocks, false},
	} {
		q := query.New()
		for _, term := range c.terms {
			if err := q.Add(term[0], term[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Check(); err != nil {
			t.Fatal(err)
		}
		in := &readBytes{ReaderAt: bytes.NewReader(data)}
		n, err := query.Count(t.Context(), []query.Source{
			{Name: "x", Reader: in, Size: int64(len(data)), Sparse: true}}, q, query.Options{Workers: 1})
		if err != nil || c.found >= 0 && n != c.found || c.found < 0 && n == 0 {
			t.Errorf("%v: %d games, %v", c.terms, n, err)
		}
		if light := in.n.Load() < int64(len(data))-rest+2*(48<<10); light != c.light || q.OfTags() != c.light {
			t.Errorf("%v: %d of %d bytes were read; it is of tags alone: %v", c.terms, in.n.Load(), len(data),
				q.OfTags())
		}
	}
}
