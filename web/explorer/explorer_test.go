// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/bounded"
	"ply11/internal/datadir"
	"ply11/internal/formats"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query/index"
	"ply11/web/explorer"
)

// The bounds of the server: requests at once, downloads at once, rows of an answer, and bytes of a tag in a row.
const (
	maxRequests  = 64
	maxDownloads = 16
	maxRows      = 500
	maxText      = 300
)

// get asks for a path below /api/archives/a.p11, or one with a slash.
func get(h http.Handler, path string) *httptest.ResponseRecorder {
	if !strings.HasPrefix(path, "/") {
		path = "/api/archives/a.p11/" + path
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

func ask[T any](t *testing.T, h http.Handler, path string) (value T) {
	t.Helper()
	w := get(h, path)
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %s: %v", path, w.Code, w.Body, err)
	}
	return value
}

func params(list ...string) string {
	v := url.Values{}
	for i := 0; i < len(list); i += 2 {
		v.Add(list[i], list[i+1])
	}
	return "?" + v.Encode()
}

func serving(file io.ReaderAt, size int) *explorer.Handler {
	h := explorer.New(explorer.Options{})
	h.Add(&explorer.Archive{Name: "a.p11", Open: explorer.Fixed(file, int64(size))})
	return h
}

func packed(t *testing.T, text string, o ...archive.PackOption) (*explorer.Handler, []byte) {
	t.Helper()
	var out bytes.Buffer
	_, err := archive.Pack(t.Context(), &out, strings.NewReader(text), o...)
	testenv.Must(t, err)
	return serving(bytes.NewReader(out.Bytes()), out.Len()), out.Bytes()
}

func famous(t *testing.T, o ...archive.PackOption) (*explorer.Handler, []byte) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/famous.pgn")
	testenv.Must(t, err)
	return packed(t, string(text), o...)
}

// TestGames replays every game, and compares it with the archive's main line.
func TestGames(t *testing.T) {
	for _, dense := range []bool{false, true} {
		h, content := famous(t, archive.WithDense(dense))
		r, err := archive.NewReader(bytes.NewReader(content), int64(len(content)))
		testenv.Must(t, err)
		for n := 1; n <= r.Len(); n++ {
			g := ask[explorer.Shown](t, h, fmt.Sprint("games/", n))
			words, err := r.MainLine(nil, n)
			testenv.Must(t, err)
			p, err := r.Start(n)
			testenv.Must(t, err)
			k := 0
			for _, item := range g.Items {
				if item.Kind != "m" || !item.Main {
					continue
				}
				p.MakeIndex(words[k])
				if *item.Index != int(words[k]) || item.Ply != k+1 || item.FEN != p.FEN() {
					t.Fatalf("game %d, ply %d: %+v", n, k+1, item)
				}
				k++
			}
			text, err := r.AppendText(nil, n)
			testenv.Must(t, err)
			if k != len(words) || g.Text != string(text) || g.Wrong != "" {
				t.Errorf("game %d: %d plies of %d, %q", n, k, len(words), g.Wrong)
			}
		}
	}
	h, _ := packed(t, "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Rb1 {a comment} *\n")
	if text := get(h, "games/1").Body.String(); strings.Count(text, `"i":0`) != 1 {
		t.Errorf("the index of a1b1 is left out: %s", text)
	}
}

// TestItems: all that a game's text may have; a game that is not valid, as far as it is.
func TestItems(t *testing.T) {
	h, _ := packed(t, (`[Result "*"]

{first} 1. e4 {[%eval 0.3] [%clk 0:05:00] best [%csl Yf7,Ge9,Xe4] [%cal Ge2e4, Rd8h4,G,,Ge2e4e5]} e5 (1... c5 $1 {[%eval #-3]} 2. Nf3 (2. c3)) 2. Nf3 *

[Result "*"]

1. e4 Ke4 *

[FEN "nonsense"]
[Result "*"]

1. e4 *
`))
	g := ask[explorer.Shown](t, h, "games/1")
	var got []string
	for _, i := range g.Items {
		text := i.Kind + i.No + i.Text
		if i.Clock != nil {
			text += fmt.Sprint(" clock ", int(*i.Clock))
		}
		if i.Eval != nil {
			text += fmt.Sprint(" eval ", *i.Eval)
		}
		got = append(got, strings.Join(append([]string{text}, i.Shapes...), " "))
	}
	want := "tfirst|m1.e4|tbest clock 300 eval 0.3 Yf7 Ge2e4 Rd8h4|m1...e5|(|m1...c5|n1|t eval " +
		"-100|m2.Nf3|(|m2.c3|)|)|m2.Nf3"
	if strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	broken, unknown := ask[explorer.Shown](t, h, "games/2"), ask[explorer.Shown](t, h, "games/3")
	if !strings.Contains(broken.Wrong, "Ke4") || len(broken.Items) != 1 || broken.Items[0].Text != "e4" ||
		!strings.Contains(broken.Text, "1. e4 Ke4") {
		t.Errorf("%+v", broken)
	}
	if unknown.Wrong == "" || len(unknown.Items) != 0 || unknown.Start != "" {
		t.Errorf("%+v", unknown)
	}
}

type slow struct{ io.ReaderAt }

func (s *slow) ReadAt(b []byte, at int64) (int, error) {
	time.Sleep(20 * time.Millisecond)
	return s.ReaderAt.ReadAt(b, at)
}

// TestDocumentedRequests asks for what the table of docs/EXPLORER.md and its example by curl say.
func TestDocumentedRequests(t *testing.T) {
	page, err := os.ReadFile("../../docs/EXPLORER.md")
	testenv.Must(t, err)
	h, _ := famous(t)
	fill := strings.NewReplacer("games.p11/", "a.p11/", "NAME", "a.p11", "games/17", "games/3",
		"fen=FEN", "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201")
	requests := regexp.MustCompile("`(?:GET |curl 'localhost:8011/)([^`' …]*)[`']").FindAllSubmatch(page, -1)
	for _, m := range requests {
		path := "/" + fill.Replace(string(m[1]))
		if strings.HasSuffix(path, "x") || strings.Contains(path, "hardware") {
			continue // there is no index; genrom serve answers these
		}
		if w := get(h, path); w.Code != 200 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if len(requests) < 9 {
		t.Errorf("the page has %d requests", len(requests))
	}
}

// TestProgress: a search that takes long sends lines; who gives it up ends it.
func TestProgress(t *testing.T) {
	content, _ := querytest.ArchiveBy(t, gamegen.New(1), 2000, archive.WithBlockGames(100))
	h := serving(&slow{bytes.NewReader(content)}, len(content))
	want := ask[explorer.Found](t, h, "games"+params("material", "KRPKR"))
	h = serving(&slow{bytes.NewReader(content)}, len(content))
	w := get(h, "games"+params("material", "KRPKR", "progress", "1"))
	last, steps := -1.0, 0
	for line := range strings.Lines(w.Body.String()) {
		var l struct {
			Progress *float64
			Result   *explorer.Found
		}
		testenv.Must(t, json.Unmarshal([]byte(line), &l))
		if l.Progress != nil {
			if *l.Progress < 0 || *l.Progress > 1 {
				t.Errorf("progress %g", *l.Progress)
			}
			last, steps = max(last, *l.Progress), steps+1
		} else if !reflect.DeepEqual(*l.Result, want) {
			t.Errorf("%+v, want %+v", *l.Result, want)
		}
	}
	if last < 0.3 || steps < 2 || w.Header().Get("Content-Type") != "application/jsonl" {
		t.Errorf("progress to %g in %d steps: %s", last, steps, w.Body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	h = serving(&slow{bytes.NewReader(content)}, len(content))
	r := httptest.NewRequest("GET", "/api/archives/a.p11/games"+params("material", "KRPKR"), nil).WithContext(ctx)
	w = httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code == 200 {
		t.Errorf("a search that was given up: %d %s", w.Code, w.Body)
	}
	if again := ask[explorer.Found](t, h, "games"+params("material", "KRPKR")); !reflect.DeepEqual(again, want) {
		t.Errorf("after a search that was given up: %+v, want %+v", again, want)
	}
}

func TestSearch(t *testing.T) {
	h, _ := famous(t)
	if f := ask[explorer.Found](t, h, "games?count=3&from=35"); f.Found != 36 || len(f.Rows) != 2 ||
		f.Rows[0].Game != 35 ||
		f.Rows[0].White == "" || f.Place != nil {
		t.Errorf("%+v", f)
	}
	fen := "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -"
	f := ask[explorer.Found](t, h, "games"+params("fen", fen))
	if f.Found != 5 || *f.Rows[0].Ply != 3 || f.Error != "" {
		t.Errorf("%+v", f)
	}
	found := func(game int) explorer.Found {
		return ask[explorer.Found](t, h, "games"+params("fen", fen, "count", "0", "place", fmt.Sprint(game)))
	}
	if got := found(f.Rows[4].Game); *got.Place != 5 || found(36).Place != nil {
		t.Errorf("%+v", got)
	}
	of := ask[explorer.Found](t, h, "games?facets=1&count=0&player=morphy")
	if p := of.Facets["player"]; of.Found != 3 || len(of.Rows) != 0 || p[0] != (explorer.Facet{"Morphy, Paul", 3}) ||
		len(p) != 4 || len(of.Facets["eco"]) != 0 || fmt.Sprint(of.Facets["result"]) != "[{0-1 2} {1-0 1}]" ||
		!slices.Contains(of.Facets["date"], explorer.Facet{"1858", 1}) {
		t.Errorf("%+v", of.Facets)
	}
	tree := ask[explorer.Tree](t, h, "moves"+params("fen", fen+" 1 2"))
	if tree.All.Games != 5 || len(tree.Moves) != 2 || tree.Moves[0].SAN != "Nc6" || tree.Moves[0].Games != 4 ||
		tree.Moves[1].White != 1 || len(tree.Best) != 5 ||
		tree.Moves[1].Opening == nil || tree.Moves[1].Opening.Name != "Philidor Defense" {
		t.Errorf("%+v", tree)
	}
	if tree = ask[explorer.Tree](t, h, "moves"+params("fen", fen+" 1 2", "player", "morphy")); tree.All.Games == 0 ||
		tree.All.Games == 5 {
		t.Errorf("of one player: %+v", tree.All)
	}
	if n := ask[explorer.Found](t, h, "games?event=Paris+Opera").Found; n != 1 {
		t.Errorf("%d games of an event", n)
	}
	for path, status := range map[string]int{
		"games?pattern=Ze9": 400, "games?plyer=x": 400, "games?sort=colour": 400, "games?sort=-": 400,
		"games?from=0": 400, "games?count=x": 400, "games?place=-1": 400, "games?result=1-0&result=0-1": 400,
		"games/37": 404, "games/0": 404, "games/x": 400, "games/99999999999999999999": 400, "moves?fen=x": 400,
		"moves?fen=&material=KK": 400, "nothing": 404,
		"/api/archives/b.p11": 404, "/api/none": 404, "/archives/b.p11": 404, "/archives/a.p11x": 404,
		"games?games=0-18446744073709551615": 400,
	} {
		w := get(h, path)
		var told struct{ Error string }
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || w.Code != status || told.Error == "" ||
			strings.Contains(told.Error, "bug") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestOrder: games come by a column, unknown ones last, equal ones as in the archive; so do downloads.
func TestOrder(t *testing.T) {
	var text strings.Builder
	for i, g := range []struct{ white, date, elo, result string }{
		{"b", "2001.02.03", "2400", "1-0"}, {"?", "????.??.??", "", "*"}, {"A", "2001.??.??", "2500", "0-1"},
		{"a", "1999.12.31", "2400", "1-0"}, {"c", "", "1e3", "1/2-1/2"}, {"?", "????.12.25", "", "*"},
	} {
		fmt.Fprintf(&text, "[White %q]\n[Black \"x\"]\n[Date %q]\n[WhiteElo %q]\n[BlackElo \"2300\"]\n[Round "+
			"\"%d\"]\n[Result %q]\n\n%s\n\n", g.white, g.date, g.elo, i+1, g.result, g.result)
	}
	h, content := packed(t, text.String())
	for order, want := range map[string][]int{
		"": {1, 2, 3, 4, 5, 6}, "white": {3, 4, 1, 5, 2, 6}, "-white": {5, 1, 3, 4, 2, 6}, "black": {1, 2, 3, 4, 5, 6},
		"-black": {1, 2, 3, 4, 5, 6},
		"date":   {4, 1, 3, 2, 5, 6}, "-date": {3, 1, 4, 2, 5, 6}, "rating": {1, 4, 3, 2, 5, 6},
		"-rating": {3, 1, 4, 2, 5, 6}, "result": {3, 1, 4, 5, 2, 6},
		"event": {1, 2, 3, 4, 5, 6}, "opening": {1, 2, 3, 4, 5, 6},
	} {
		var got, rounds, rows []int
		for _, row := range ask[explorer.Found](t, h, "games"+params("sort", order)).Rows {
			got = append(got, row.Game)
		}
		number := func(list *[]int, text string) {
			var n int
			fmt.Sscan(text, &n)
			*list = append(*list, n)
		}
		for g, err := range pgn.NewReader(get(h, "games.pgn"+params("sort", order)).Body).All() {
			testenv.Must(t, err)
			number(&rounds, g.Tag("Round"))
		}
		table, err := csv.NewReader(get(h, "games.csv"+params("sort", order)).Body).ReadAll()
		testenv.Must(t, err)
		for _, line := range table[1:] {
			number(&rows, line[0])
		}
		packed := get(h, "games.p11"+params("sort", order)).Body.Bytes()
		r, err := archive.NewReader(bytes.NewReader(packed), int64(len(packed)))
		testenv.Must(t, err)
		var first game.Game
		testenv.Must(t, r.Tags(1, &first))
		if !slices.Equal(got, want) || !slices.Equal(rounds, want) || !slices.Equal(rows, want) || r.Len() != 6 ||
			first.Tag("Round") != fmt.Sprint(want[0]) {
			t.Errorf("%q: %v, downloads %v and %v, want %v", order, got, rounds, rows, want)
		}
		if order == "" && !bytes.Equal(packed, content) {
			t.Error("all games are another archive")
		}
	}
	if w := get(h, "games.pgn?player=a"); !strings.Contains(w.Header().Get("Content-Disposition"), "a.pgn") ||
		strings.Count(w.Body.String(), "[Round ") != 1+1 {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
}

// TestTable: a cell is the whole tag; a spreadsheet takes none for a formula.
func TestTable(t *testing.T) {
	long := strings.Repeat("é", 30_000)
	h, _ := packed(t, fmt.Sprintf("[Event %q]\n[White \"=cmd()\"]\n[Black \"a, \\\"b\\\"\"]\n\n*\n\n[White "+
		"\"-1\"]\n[Black \"+x\"]\n[Event \"@y\"]\n\n*\n", long))
	table, err := csv.NewReader(get(h, "games.csv").Body).ReadAll()
	testenv.Must(t, err)
	want := [][]string{{"game", "white", "white_elo", "black", "black_elo", "result", "date", "eco", "opening", "event",
		"error"}, {"1", "'=cmd()", "", `a, "b"`, "", "*", "", "", "", long, ""},
		{"2", "'-1", "", "'+x", "", "*", "", "", "", "'@y", ""}}
	if !reflect.DeepEqual(table, want) {
		t.Errorf("%.200q", table)
	}
	if row := ask[explorer.Found](t, h, "games").Rows[0]; row.Event != long[:maxText]+"…" {
		t.Errorf("a row of %d bytes", len(row.Event))
	}
}

type counting struct {
	io.ReaderAt
	mu           sync.Mutex
	reads, bytes int
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	c.mu.Lock()
	c.reads++
	c.bytes += len(b)
	c.mu.Unlock()
	return c.ReaderAt.ReadAt(b, at)
}

func with(content, made []byte, err error) (*explorer.Handler, *counting) {
	reads := &counting{ReaderAt: bytes.NewReader(made)}
	h := explorer.New(explorer.Options{})
	h.Add(&explorer.Archive{Name: "a.p11", Open: explorer.Fixed(bytes.NewReader(content), int64(len(content))),
		Index: func() (explorer.Content, error) {
			return explorer.Content{reads, int64(len(made)), "x", func() {}}, err
		}})
	return h, reads
}

// TestIndex: with an index a tree is the same, and little is read; one that cannot be used leaves the games to be read.
func TestIndex(t *testing.T) {
	plain, content := famous(t)
	made := querytest.BuildIndex(t, content, index.Options{})
	if told := ask[explorer.Told](t, plain, "/api/archives/a.p11"); *told.Index != (explorer.IndexState{}) ||
		told.Indexed {
		t.Errorf("without an index: %+v", told)
	}
	h, reads := with(content, made, nil)
	if told := ask[explorer.Told](t, h, "/api/archives/a.p11"); !told.Index.There || told.Index.Positions == 0 ||
		told.Index.Variations || !told.Indexed {
		t.Errorf("%+v", told)
	}
	for _, i := range ask[explorer.Shown](t, h, "games/3").Items {
		for _, more := range [][]string{nil, {"result", "1-0"}, {"player", "morphy"}} {
			path := "moves" + params(append(more, "fen", i.FEN)...)
			reads.reads = 0
			tree, want := ask[explorer.Tree](t, h, path), ask[explorer.Tree](t, plain, path)
			if !tree.Indexed || tree.Why != "" || more == nil && reads.reads > 7+tree.Games {
				t.Errorf("%s takes %d reads of the index: %+v", path, reads.reads, tree)
			}
			tree.Indexed, tree.Games, tree.Read = false, 0, 0
			if !reflect.DeepEqual(tree, want) {
				t.Fatalf("%s: %+v, want %+v", path, tree, want)
			}
		}
	}
	bad := bytes.Clone(made)
	for i := 128 + 8*36 + 4; i < len(bad)-64-100; i++ {
		bad[i] ^= 1 // not the header, the facts and the trailer
	}
	_, other := packed(t, "1. e4 *\n")
	for _, c := range []struct {
		name string
		made []byte
		err  error
		why  string
	}{
		{"none", nil, fs.ErrNotExist, ""},
		{"unreachable", nil, errors.New("no route"), "no route"},
		{"no index", content, nil, "not a ply11 index"},
		{"damaged", bad, nil, "corrupt index"},
		{"cut", made[:len(made)-1], nil, "corrupt index"},
		{"of another archive", querytest.BuildIndex(t, other, index.Options{}), nil, "another archive"},
	} {
		h, _ := with(content, c.made, c.err)
		tree := ask[explorer.Tree](t, h, "moves")
		if tree.All.Games != 35 || len(tree.Moves) == 0 || tree.Indexed || !strings.Contains(tree.Why, c.why) ||
			c.why == "" && tree.Why != "" {
			t.Errorf("%s: %+v", c.name, tree)
		}
	}
}

// TestFoundByIndex: with an index a search for a position finds the same games, and reads few blocks.
func TestFoundByIndex(t *testing.T) {
	content, _ := querytest.ArchiveBy(t, gamegen.New(1), 4000, archive.WithBlockGames(40))
	plain := serving(bytes.NewReader(content), len(content))
	start := position.Start()
	requests := []string{params("fen", start.FEN()), params("fen", "8/8/8/8/8/k7/8/K7 w - -"),
		params("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")}
	for i, item := range ask[explorer.Shown](t, plain, "games/2700").Items {
		if item.Kind != "m" || i > 24 {
			continue
		}
		words := strings.Fields(item.FEN)
		fen := strings.Join(words[:4], " ")
		requests = append(requests, params("fen", fen), params("fen", fen, "result", "1-0"),
			params("fen", fen, "variations", "1"), params("fen", strings.Join(words[:2], " "), "mirror", "1"))
	}
	for _, variations := range []bool{false, true} {
		made := querytest.BuildIndex(t, content, index.Options{Variations: variations})
		for _, request := range requests {
			h, file := explorer.New(explorer.Options{}), &counting{ReaderAt: bytes.NewReader(content)}
			h.Add(&explorer.Archive{Name: "a.p11", Open: explorer.Fixed(file, int64(len(content))),
				Index: explorer.Fixed(bytes.NewReader(made), int64(len(made)))})
			got, want := ask[explorer.Found](t, h, "games"+request+"&count=0"), ask[explorer.Found](t, plain, "games"+
				request+"&count=0")
			size := file.bytes
			games := func(h *explorer.Handler) (list [][2]int) {
				for from := 1; from <= got.Found; from += maxRows {
					page := ask[explorer.Found](t, h, fmt.Sprintf("games%s&from=%d&count=%d", request, from,
						maxRows))
					if page.Found != got.Found || page.Error != "" {
						t.Errorf("%v from %d: %d games, %s", request, from, page.Found, page.Error)
					}
					for _, r := range page.Rows {
						ply := -1
						if r.Ply != nil && (from == 1 || strings.ContainsAny(request, "&")) {
							ply = *r.Ply // of the others the ply is not looked for
						}
						list = append(list, [2]int{r.Game, ply})
					}
				}
				return list
			}
			if got.Found != want.Found {
				t.Errorf("%v: %d games with the index, %d without it", request, got.Found, want.Found)
			}
			if list := games(h); len(list) != got.Found || !slices.Equal(list, games(plain)) {
				t.Errorf("%v: other games with the index", request)
			}
			looked := !strings.Contains(request, "variations") || variations
			if alone := !strings.Contains(request, "&"); looked && (got.Found < 3 && size > len(content)/2 || alone &&
				got.Found > 1000 && size > len(content)*4/5) {
				t.Errorf("%v: %d of %d bytes are read for %d games", request, size, len(content), got.Found)
			}
		}
	}
}

// TestFoundOfShortFEN: SCID finds as many games. The index names one more, for a position with fewer rights to castle.
func TestFoundOfShortFEN(t *testing.T) {
	parts := []string{"pgn", "master", "master-50k.pgn.zst"}
	datadir.Path(t, parts...) // skips the test where it is absent
	text, _ := datadir.ReadAll(t, samples.Plain, parts...)
	content := querytest.Pack(t, text)
	made := querytest.BuildIndex(t, content, index.Options{})
	h := explorer.New(explorer.Options{})
	h.Add(&explorer.Archive{Name: "a.p11", Open: explorer.Fixed(bytes.NewReader(content), int64(len(content))),
		Index: explorer.Fixed(bytes.NewReader(made), int64(len(made)))})
	fen := params("fen", "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w")
	if got := ask[explorer.Found](t, h, "games"+fen).Found; got != 2154 {
		t.Errorf("%d games", got)
	}
}

// TestDamaged: each game of a damaged block is an error, and the others are as they were; a download that comes to it
// breaks off.
func TestDamaged(t *testing.T) {
	_, content := famous(t, archive.WithBlockGames(6))
	r, err := archive.NewReader(bytes.NewReader(content), int64(len(content)))
	testenv.Must(t, err)
	b, err := r.Block(2)
	testenv.Must(t, err)
	for _, c := range b.Columns() {
		if c.Kind == archive.ColumnTags {
			content[c.Offset+c.Stored/2] ^= 4
		}
	}
	h := serving(bytes.NewReader(content), len(content))
	for i, row := range ask[explorer.Found](t, h, "games").Rows {
		if bad := row.Error != ""; bad != (i >= 6 && i < 12) {
			t.Errorf("game %d: %q", i+1, row.Error)
		}
	}
	if f := ask[explorer.Found](t, h, "games?player=a"); f.Found == 0 || !strings.Contains(f.Error, "block 2") {
		t.Errorf("%+v", f)
	}
	defer func() {
		if cause := recover(); cause != http.ErrAbortHandler {
			t.Errorf("a download that is a part of the games ends with %v", cause)
		}
	}()
	get(h, "games.pgn")
}

// TestOpenings: positions that have names are named.
func TestOpenings(t *testing.T) {
	h, _ := packed(t, ("1. e4 (1. c4) e5 2. Nf3 Nc6 3. Bc4 a5 *\n"))
	g := ask[explorer.Shown](t, h, "games/1")
	var names []string
	for _, o := range g.Openings {
		names = append(names, fmt.Sprint(o.Ply, " ", o.ECO, " ", o.Name))
	}
	if want := []string{"1 B00 King's Pawn Game", "2 C20 King's Pawn Game", "3 C40 King's Knight Opening",
		"4 C44 King's Knight Opening: Normal Variation", "5 C50 Italian Game"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	tree := ask[explorer.Tree](t, h, "moves"+params("fen", g.Items[0].FEN))
	if tree.Opening == nil || tree.Opening.Name != "King's Pawn Game" || len(tree.Moves) != 1 ||
		tree.Moves[0].After != "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2" {
		t.Errorf("%+v", tree)
	}
	none := ask[explorer.Tree](t, h, "moves"+params("fen", g.Items[len(g.Items)-1].FEN))
	if none.Opening != nil {
		t.Errorf("%+v", none.Opening)
	}
}

func drop(h *explorer.Handler, path string, content []byte, from string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, bytes.NewReader(content))
	r.RemoteAddr = from + ":1234"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestDrop: a browser on this machine alone may bring files. What is no archive is packed, names stay apart, and with
// the handler all goes.
func TestDrop(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, content := famous(t)
	_, other := packed(t, "1. e4 *\n")
	h := explorer.New(explorer.Options{Here: func(r *http.Request) bool {
		return strings.HasPrefix(r.RemoteAddr,
			"127.")
	},
		Pack: func(_ context.Context, path, to string) error {
			if !strings.Contains(path, ".pgn") {
				return fmt.Errorf("%s: no games", path)
			}
			return os.WriteFile(to, other, 0o666)
		}})
	for _, c := range []struct {
		path    string
		content []byte
		status  int
		want    string
	}{
		{"?name=a.p11", content, 403, "machine"},
		{"?name=a.p11", content, 200, `"name":"a.p11"`},
		{"?name=a.p11", other, 200, `"name":"a-2.p11","label":"a.p11 (2)"`},
		{"?name=b.pgn", []byte("1. e4 *"), 200, `"name":"b.p11"`},
		{"?name=z.pgn.zst", []byte("1. e4 *"), 200, `"name":"z.p11"`},
		{"?name=b.txt", []byte("nothing"), 400, `"error":"b.txt: no games"`},
		{"?name=c.p11", content[:len(content)-9], 400, "c.p11"},
		{"?name=../c.p11", content, 400, "no name"},
		{"?name=c%2fd.p11", content, 400, "no name"},
		{"?name=..", content, 400, "no name"},
		{"", content, 400, "no name"},
		{"/a.p11/index", querytest.BuildIndex(t, content, index.Options{}), 200, `"there":true`},
		{"/a.p11/index", querytest.BuildIndex(t, other, index.Options{}), 400, "another archive"},
		{"/a.p11/index", []byte("nothing"), 400, "index"},
		{"/a.p11/index", querytest.BuildIndex(t, content, index.Options{}), 403, "machine"},
	} {
		from := map[bool]string{true: "10.0.0.1", false: "127.0.0.1"}[c.status == 403]
		if w := drop(h, "/api/archives"+c.path, c.content, from); w.Code != c.status ||
			!strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s from %s: %d %s", c.path, from, w.Code, w.Body)
		}
	}
	if told := ask[explorer.Told](t, h, "/api/archives/a.p11"); !told.Index.There || !told.Indexed || told.Games != 36 {
		t.Errorf("the index was taken away: %+v", told)
	}
	if got := get(h, "/archives/a-2.p11").Body.Bytes(); !bytes.Equal(got, other) {
		t.Error("the second file is another")
	}
	if list := ask[[]explorer.Told](t, h, "/api/archives"); len(list) != 4 {
		t.Errorf("%+v", list)
	}
	testenv.Must(t, h.Close())
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 1 { // the tests' own
		t.Errorf("%v stay", left)
	}
}

type stuck struct {
	begun, let chan struct{}
}

func (s *stuck) ReadAt([]byte, int64) (int, error) {
	s.begun <- struct{}{}
	<-s.let
	return 0, io.EOF
}

// TestBusy: slow readers keep nobody else from an answer, and too many questions are refused.
func TestBusy(t *testing.T) {
	s := &stuck{make(chan struct{}, 1000), make(chan struct{})}
	h := serving(s, 1000)
	var all sync.WaitGroup
	ask := func(path string, n int) {
		for range n {
			all.Go(func() { get(h, path) })
		}
		for range n {
			<-s.begun
		}
	}
	ask("/archives/a.p11", 2*maxRequests)
	ask("games.pgn", maxDownloads)
	if w := get(h, "/api/formats"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	ask("games", maxRequests)
	for _, path := range []string{"/api/formats", "games.csv"} {
		if w := get(h, path); w.Code != 503 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	close(s.let)
	all.Wait()
	if w := get(h, "/api/formats"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestGrows: what is served is the file as it is now.
func TestGrows(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.p11")
	h := explorer.New(explorer.Options{})
	h.Add(&explorer.Archive{Name: "a.p11", Open: explorer.OpenFile(file), Index: explorer.OpenFile(file + "x")})
	_, one := packed(t, "1. e4 *\n")
	_, two := famous(t)
	is := func(what string, want ...explorer.Told) {
		t.Helper()
		if list := ask[[]explorer.Told](t, h, "/api/archives"); !reflect.DeepEqual(list, append([]explorer.Told{},
			want...)) {
			t.Errorf("%s: %+v", what, list)
		}
	}
	is("nothing")
	testenv.Must(t, os.WriteFile(file, one, 0o666))
	told := explorer.Told{Name: "a.p11", Label: "a.p11", Path: "archives/a.p11", Games: 1, Plies: 1,
		Bytes: int64(len(one))}
	is("a file", told)
	tag := get(h, "/archives/a.p11").Header().Get("ETag")
	testenv.Must(t, os.WriteFile(file+".new", two, 0o666))
	testenv.Must(t, os.Rename(file+".new", file))
	testenv.Must(t, os.WriteFile(file+"x", querytest.BuildIndex(t, two, index.Options{}), 0o666))
	told.Games, told.Plies, told.Bytes, told.Indexed = 36, 1967, int64(len(two)), true
	is("another one, with an index", told)
	if now := get(h, "/archives/a.p11").Header().Get("ETag"); now == tag || tag == "" {
		t.Errorf("it has the tag of before: %s", now)
	}
	if got := get(h, "/archives/a.p11x").Body.Len(); got == 0 {
		t.Error("the index is not served")
	}
	if f := ask[explorer.Found](t, h, "games?player=morphy"); f.Found == 0 {
		t.Error("nothing is found")
	}
	testenv.Must(t, os.WriteFile(file, one, 0o666))
	if f := ask[explorer.Found](t, h, "games?player=morphy"); f.Found != 0 {
		t.Errorf("what was found before is found yet: %+v", f)
	}
	testenv.Must(t, os.Remove(file))
	is("gone")
	testenv.Must(t, os.Mkdir(file, 0o777))
	is("a folder")
}

func explained(t *testing.T, format string, data []byte) (e explorer.Explained, status int) {
	t.Helper()
	w := drop(explorer.New(explorer.Options{}), "/api/explain"+params("format", format), data, "10.0.0.1")
	testenv.Must(t, json.Unmarshal(w.Body.Bytes(), &e))
	return e, w.Code
}

// TestLinks: in every format, each line with a move leads to the position after it.
func TestLinks(t *testing.T) {
	const sample = "1. e4 e5 2. Nf3 (2. Bc4 Nc6 (2... Nf6 3. d3) 3. Qh5) Nc6 3. Bb5 a6 *\n"
	move := regexp.MustCompile(`\b[0-9]+\.(\.\.)? [KQRBNa-h]`)
	for _, f := range formats.All {
		if f.Name == "p11" {
			continue // whose moves are columns
		}
		var out bytes.Buffer
		w, err := f.Write(formats.Output{Writer: &out, Sibling: func(string) (io.Writer, error) {
			return io.Discard, nil
		}}, formats.Options{Lossy: true})
		testenv.Must(t, err)
		var g game.Game
		testenv.Must(t, pgn.NewReader(strings.NewReader(sample)).Read(&g))
		w.Write(&g)
		testenv.Must(t, w.Close())
		e, status := explained(t, f.Name, out.Bytes())
		if e.Error != "" || status != 200 {
			t.Errorf("%s: %d %s", f.Name, status, e.Error)
		}
		moves, last := 0, ""
		for _, l := range e.Lines {
			if !move.MatchString(l.Text) {
				continue
			}
			moves++
			if l.FEN == "" {
				t.Errorf("%s: no position for %q", f.Name, l.Text)
			}
			last = l.FEN
		}
		if moves < 6 || f.Name != "polyglot" && f.Name != "fbk" &&
			!strings.HasPrefix(last, "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w") {
			t.Errorf("%s: %d moves, the last to %s", f.Name, moves, last)
		}
	}
	_, content := famous(t)
	e, status := explained(t, "p11", content)
	if status != 200 || e.Error != "" || len(e.Lines) < 10 {
		t.Fatalf("%d %+v", status, e)
	}
	end := 0 // of the bytes so far, of which a line with more than it shows has all
	for _, l := range e.Lines {
		end = max(end, l.Bit+l.Bits)
	}
	if end != 8*len(content) {
		t.Errorf("%d of %d bits", end, 8*len(content))
	}
	if e, _ := explained(t, "pgn", []byte("1. e4 e5 2. Ke4 *")); e.Error == "" || len(e.Lines) < 2 {
		t.Errorf("%+v", e)
	}
	for format, data := range map[string]string{"none": "x", "": "x", "pgn": ""} {
		if _, status := explained(t, format, []byte(data)); status != 400 {
			t.Errorf("%q %q: %d", format, data, status)
		}
	}
	if list := ask[[]any](t, explorer.New(explorer.Options{}), "/api/formats"); len(list) != len(formats.All) {
		t.Errorf("%d formats", len(list))
	}
}

// FuzzExplain: any bytes are explained or refused.
func FuzzExplain(f *testing.F) {
	for i := range formats.All {
		f.Add(i, []byte("\x2c\x2c\x1b\x17"))
		f.Add(i, []byte("1. e4 (1. d4) e5 *"))
	}
	bounded.Fuzz(f, func(t *testing.T, i int, data []byte) {
		if e, _ := explained(t, formats.All[uint(i)%uint(len(formats.All))].Name, data); strings.Contains(e.Error,
			"bug") {
			t.Error(e.Error)
		}
	})
}
