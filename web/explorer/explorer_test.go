// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/httprange"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
	"ply11/web/call"
	"ply11/web/call/wire"
)

// do does a call and returns what it gives as JSON gives it back.
func do(t *testing.T, s *Session, method string, params any, data []byte, result any) error {
	t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Methods().Do(t.Context(), &call.Call{Method: method, Params: text, Data: data})
	if err != nil {
		return err
	}
	if b, ok := v.(call.Bytes); ok {
		*result.(*[]byte) = b
		return nil
	}
	if text, err = wire.Append(nil, v); err != nil {
		t.Fatal(err)
	}
	if result != nil {
		if err := json.Unmarshal(text, result); err != nil {
			t.Fatal(err)
		}
	}
	return nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// famous opens the project's famous games.
func famous(t *testing.T, o ...archive.PackOption) (*Session, []byte) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/famous.pgn")
	must(t, err)
	return opened(t, text, o...)
}

func opened(t *testing.T, text []byte, o ...archive.PackOption) (*Session, []byte) {
	t.Helper()
	var out bytes.Buffer
	_, err := archive.Pack(context.Background(), &out, bytes.NewReader(text), o...)
	must(t, err)
	s := &Session{}
	told, err := s.Open(t.Context(), bytes.NewReader(out.Bytes()), int64(out.Len()), false)
	must(t, err)
	_, err = wire.Append(nil, told)
	must(t, err)
	return s, out.Bytes()
}

// TestNames: each word by each of its names is the same word, and the decoder's last step is its move.
func TestNames(t *testing.T) {
	s := &Session{}
	for i := range moveindex.Index(moveindex.NumWords) {
		var n Named
		must(t, do(t, s, "move", map[string]any{"kind": "index", "text": itoa(int(i))}, nil, &n))
		if n.Index != int(i) || n.Class != i.Class().String() {
			t.Fatalf("%d is %+v", i, n)
		}
		again := map[string]string{"bits": n.Bits}
		m, ok := i.Move()
		if ok {
			again["uci"], again["rom"] = n.UCI, n.ROM
			if n.UCI != m.String() || n.From != int(m.From()) || n.To != int(m.To()) {
				t.Errorf("%d is %s, and not %v", i, n.UCI, m)
			}
			want := m.From().String() + " to " + m.To().String()
			if last := n.Decoder[len(n.Decoder)-1].Text; !strings.HasSuffix(last, want) &&
				!strings.HasPrefix(last, want+", becomes a "+m.Promotion().String()) {
				t.Errorf("%d: the decoder ends with %q, want %s", i, last, want)
			}
			if f, r := n.Files.Index, n.Ranks.Index; f != int(i.MirrorFiles()) || r != int(i.MirrorRanks()) {
				t.Errorf("%d: mirrors %d, %d", i, f, r)
			}
		} else if n.Meaning == "" {
			t.Errorf("%d has no meaning", i)
		}
		for kind, text := range again {
			var o Named
			must(t, do(t, s, "move", map[string]any{"kind": kind, "text": text}, nil, &o))
			if o.Index != int(i) {
				t.Errorf("%d by %s %s is %d", i, kind, text, o.Index)
			}
		}
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// TestLabels: every legal move of positions of both colours by each label and its halfmove's number.
func TestLabels(t *testing.T) {
	s := &Session{}
	for _, fen := range []string{"", "r3k2r/8/8/8/8/8/pP5p/R3K2R b KQkq - 0 1",
		"r3k2r/Pp6/8/8/8/8/8/R3K2R w KQkq - 0 1"} {
		p, err := parsePosition(fen)
		must(t, err)
		for _, m := range p.LegalMoves(nil) {
			var n Named
			must(t, do(t, s, "move", map[string]any{"fen": fen, "kind": "san", "text": p.SAN(m)}, nil, &n))
			if n.UCI != m.String() || n.SAN != p.SAN(m) || n.Why != "" {
				t.Fatalf("%v is %+v", m, n)
			}
			after := p
			after.Make(m)
			if n.After != after.FEN() {
				t.Errorf("%v leads to %s", m, n.After)
			}
			names := map[string]string{"halfmove": itoa(n.Halfmove)}
			for _, l := range n.Labels {
				names[l.Name] = itoa(l.Label)
				if l.Label < 0 {
					t.Errorf("%v has no label of %s", m, l.Name)
				}
			}
			for kind, text := range names {
				var o Named
				must(t, do(t, s, "move", map[string]any{"fen": fen, "kind": kind, "text": text}, nil, &o))
				if o.UCI != n.UCI {
					t.Errorf("%v by %s %s is %s", m, kind, text, o.UCI)
				}
			}
		}
	}
	for kind, text := range map[string]string{"san": "Ke4", "uci": "a1b4", "index": "2048", "bits": "101",
		"rom": "0000", "halfmove": "7752", "lc0": "1858",
		"alphazero": "x", "other": "1"} {
		if err := do(t, s, "move", map[string]any{"kind": kind, "text": text}, nil, nil); err == nil {
			t.Errorf("%s %s is taken", kind, text)
		}
	}
	if err := do(t, s, "move", map[string]any{"kind": "san", "text": "e4", "more": 1}, nil, nil); err == nil {
		t.Error("an unknown parameter is taken")
	}
}

func TestCodes(t *testing.T) {
	var c struct {
		Classes string
		Moves   []string
	}
	must(t, do(t, &Session{}, "codes", struct{}{}, nil, &c))
	counts := map[rune]int{}
	for _, r := range c.Classes {
		counts[r]++
	}
	for r, want := range map[rune]int{'r': 896, 'b': 560, 'k': 336, 'p': 176, 'c': 43, '-': 37} {
		if counts[r] != want {
			t.Errorf("%c: %d, want %d", r, counts[r], want)
		}
	}
	if len(c.Moves) != moveindex.NumMoves {
		t.Errorf("%d moves", len(c.Moves))
	}
}

// TestGames replays every game in the order of its text, and compares it with the archive's main line.
func TestGames(t *testing.T) {
	for _, dense := range []bool{false, true} {
		s, content := famous(t, archive.WithDense(dense))
		r, err := archive.NewReader(bytes.NewReader(content), int64(len(content)))
		must(t, err)
		for n := 1; n <= r.Len(); n++ {
			var g Shown
			must(t, do(t, s, "game", map[string]any{"game": n}, nil, &g))
			words, err := r.MainLine(nil, n)
			must(t, err)
			p, err := r.Start(n)
			must(t, err)
			k := 0
			for _, item := range g.Items {
				if item.Kind != "m" || !item.Main {
					continue
				}
				if item.Index != int(words[k]) || item.Ply != k+1 {
					t.Fatalf("game %d, ply %d: %+v", n, k+1, item)
				}
				p.MakeIndex(words[k])
				if item.FEN != p.FEN() {
					t.Fatalf("game %d, ply %d: %s", n, k+1, item.FEN)
				}
				k++
			}
			text, err := r.AppendText(nil, n)
			must(t, err)
			if k != len(words) || g.Text != string(text) || g.Wrong != "" {
				t.Errorf("game %d: %d plies of %d, %q", n, k, len(words), g.Wrong)
			}
		}
		var rows []Row
		must(t, do(t, s, "list", map[string]any{"games": []int{3, 1, 37}}, nil, &rows))
		if len(rows) != 3 || rows[0].Game != 3 || rows[0].White == "" || rows[2].Error == "" {
			t.Errorf("rows %+v", rows)
		}
		if err := do(t, s, "game", map[string]any{"game": 37}, nil, nil); !errors.Is(err, archive.ErrNoGame) {
			t.Errorf("a game that is not there: %v", err)
		}
	}
}

// TestItems: variations, comments, NAGs, clocks and evaluations; a game that is not valid is shown as far as it is.
func TestItems(t *testing.T) {
	s, _ := opened(t, []byte(`[Result "*"]

{first} 1. e4 {[%eval 0.3] [%clk 0:05:00] best} e5 (1... c5 $1 {[%eval #-3]} 2. Nf3 (2. c3)) 2. Nf3 *

[Result "*"]

1. e4 Ke4 *

[FEN "nonsense"]
[Result "*"]

1. e4 *
`))
	var g Shown
	must(t, do(t, s, "game", map[string]any{"game": 1}, nil, &g))
	var got []string
	for _, i := range g.Items {
		text := i.Kind + i.No + i.Text
		if i.Clock != nil {
			text += " clock " + itoa(int(*i.Clock))
		}
		if i.Eval != nil {
			b, _ := json.Marshal(*i.Eval)
			text += " eval " + string(b)
		}
		got = append(got, text)
	}
	want := "tfirst|m1.e4|tbest clock 300 eval 0.3|m1...e5|(|m1...c5|n1|t eval -100|m2.Nf3|(|m2.c3|)|)|m2.Nf3"
	if strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	var broken, unknown Shown
	must(t, do(t, s, "game", map[string]any{"game": 2}, nil, &broken))
	if !strings.Contains(broken.Wrong, "Ke4") || len(broken.Items) != 1 || broken.Items[0].Text != "e4" ||
		!strings.Contains(broken.Text, "1. e4 Ke4") {
		t.Errorf("%+v", broken)
	}
	must(t, do(t, s, "game", map[string]any{"game": 3}, nil, &unknown))
	if unknown.Wrong == "" || len(unknown.Items) != 0 || unknown.Start != "" {
		t.Errorf("%+v", unknown)
	}
}

// slow is a file whose parts come one after the other, so that a call tells of each.
type slow struct{ io.ReaderAt }

func (s *slow) ReadAt(b []byte, at int64) (int, error) {
	time.Sleep(yieldAfter + time.Millisecond)
	return s.ReaderAt.ReadAt(b, at)
}

// TestProgress: a search tells how far it is, forwards, from the first block to the last; the index behind the blocks,
// which is read first, is no progress.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	w := archive.NewWriter(&out, archive.WithBlockGames(100))
	gen, g := gamegen.New(1), game.New()
	for range 1000 {
		gen.Next(g)
		must(t, w.Write(g))
	}
	must(t, w.Close())
	s := &Session{}
	_, err := s.Open(t.Context(), &slow{bytes.NewReader(out.Bytes())}, int64(out.Len()), false)
	must(t, err)
	last, steps := -1.0, 0
	_, err = s.Methods().Do(t.Context(), &call.Call{
		Method: "search", Params: json.RawMessage(`{"terms":[{"name":"pattern","value":"Ke1"}]}`),
		Progress: func(done float64) {
			if done < last || done > 1 || last < 0 && done > 0.3 {
				t.Errorf("progress from %g to %g", last, done)
			}
			last, steps = done, steps+1
		}})
	if err != nil || last < 0.7 || steps < 5 {
		t.Errorf("progress to %g in %d steps, %v", last, steps, err)
	}
}

// TestSearch: what is found, what was played, and that it can be given up.
func TestSearch(t *testing.T) {
	s, _ := famous(t)
	search := func(terms ...term) (games, plies []uint32, told string) {
		t.Helper()
		var b []byte
		must(t, do(t, s, "search", map[string]any{"terms": terms}, nil, &b))
		n := int(binary.LittleEndian.Uint32(b))
		for i := range n {
			games = append(games, binary.LittleEndian.Uint32(b[4+8*i:]))
			plies = append(plies, binary.LittleEndian.Uint32(b[8+8*i:]))
		}
		return games, plies, string(b[4+8*n:])
	}
	if games, _, _ := search(); len(games) != 36 {
		t.Errorf("%d games", len(games))
	}
	games, plies, told := search(term{"fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -"})
	if len(games) != 5 || plies[0] != 3 || told != "" {
		t.Errorf("%v at %v, %q", games, plies, told)
	}
	var tree Tree
	must(t, do(t, s, "tree", map[string]any{"fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"},
		nil, &tree))
	if tree.All.Games != 5 || len(tree.Moves) != 2 || tree.Moves[0].SAN != "Nc6" || tree.Moves[0].Games != 4 ||
		tree.Moves[1].White != 1 {
		t.Errorf("%+v", tree)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, method := range []string{"search", "tree"} {
		if _, err := s.Methods().Do(ctx, &call.Call{Method: method, Params: json.RawMessage("{}")}); !errors.Is(err,
			call.ErrCanceled) {
			t.Errorf("%s: %v", method, err)
		}
	}
	if err := do(t, s, "search", map[string]any{"terms": []term{{"pattern", "Ze9"}}}, nil, new([]byte)); err == nil {
		t.Error("a pattern is taken that is none")
	}
}

// TestOrder: games come by what a column has, those in which it is not known last whichever way, and those that have
// the same as in the archive.
func TestOrder(t *testing.T) {
	var text strings.Builder
	for i, g := range []struct{ white, date, elo, result string }{
		{"b", "2001.02.03", "2400", "1-0"}, {"?", "????.??.??", "", "*"}, {"A", "2001.??.??", "2500", "0-1"},
		{"a", "1999.12.31", "2400", "1-0"}, {"c", "", "1e3", "1/2-1/2"}, {"?", "????.12.25", "", "*"},
	} {
		fmt.Fprintf(&text, "[White %q]\n[Black \"x\"]\n[Date %q]\n[WhiteElo %q]\n[BlackElo \"2300\"]\n[Round "+
			"\"%d\"]\n[Result %q]\n\n%s\n\n", g.white, g.date, g.elo, i+1, g.result, g.result)
	}
	s, _ := opened(t, []byte(text.String()))
	for order, want := range map[string][]uint32{
		"": {1, 2, 3, 4, 5, 6}, "white": {3, 4, 1, 5, 2, 6}, "-white": {5, 1, 3, 4, 2, 6}, "black": {1, 2, 3, 4, 5, 6},
		"-black": {1, 2, 3, 4, 5, 6},
		"date":   {4, 1, 3, 2, 5, 6}, "-date": {3, 1, 4, 2, 5, 6}, "rating": {1, 4, 3, 2, 5, 6},
		"-rating": {3, 1, 4, 2, 5, 6}, "result": {3, 1, 4, 5, 2, 6},
		"event": {1, 2, 3, 4, 5, 6}, "opening": {1, 2, 3, 4, 5, 6},
	} {
		var b []byte
		must(t, do(t, s, "search", map[string]any{"terms": []term{}, "sort": order}, nil, &b))
		var got []uint32
		for i := 4; i < len(b); i += 8 {
			got = append(got, binary.LittleEndian.Uint32(b[i:]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", order, got, want)
		}
	}
	for _, order := range []string{"-", "--date", "colour"} {
		if err := do(t, s, "search", map[string]any{"terms": []term{}, "sort": order}, nil, new([]byte)); err == nil {
			t.Errorf("%q is taken for an order", order)
		}
	}
	// The text of games, which ends where it is long.
	var b []byte
	must(t, do(t, s, "texts", map[string]any{"games": []int{5, 1}}, nil, &b))
	if n := binary.LittleEndian.Uint32(b); n != 2 || !strings.HasPrefix(string(b[4:]), "[White \"c\"]") ||
		strings.Count(string(b[4:]), "[Round ") != 2 || !strings.HasSuffix(string(b), "1-0\n\n") {
		t.Errorf("%d games: %s", n, b)
	}
	if err := do(t, s, "texts", map[string]any{"games": []int{1, 7}}, nil, new([]byte)); err == nil {
		t.Error("a game that is not there has a text")
	}
}

// TestWhole: a list has the begin of long tags, or the whole of them and then fewer rows at once.
func TestWhole(t *testing.T) {
	event := strings.Repeat("é", 30_000)
	s, _ := opened(t, []byte(strings.Repeat("[Event \""+event+"\"]\n[Result \"*\"]\n\n*\n\n", 100)))
	games := make([]int, 100)
	for i := range games {
		games[i] = i + 1
	}
	for _, whole := range []bool{false, true} {
		var rows []Row
		must(t, do(t, s, "list", map[string]any{"games": games, "whole": whole}, nil, &rows))
		if n, complete := len(rows), rows[0].Event == event; whole && (n != 70 || !complete) || !whole &&
			(n != 100 || rows[2].Event != event[:maxText]+"…") {
			t.Errorf("whole %v: %d rows, the first with %d bytes of the event", whole, n, len(rows[0].Event))
		}
	}
}

// counting counts what is read.
type counting struct {
	io.ReaderAt
	reads, bytes int
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	c.reads++
	c.bytes += len(b)
	return c.ReaderAt.ReadAt(b, at)
}

// TestIndex: with an index a tree is the same as without one, of every position of a game, and few bytes are read; an
// index that is of another archive, damaged, or not there leaves the games to be read; a call that looks up can be
// given up.
func TestIndex(t *testing.T) {
	s, content := famous(t)
	file := &counting{ReaderAt: bytes.NewReader(content)}
	_, err := s.Open(t.Context(), file, int64(len(content)), false)
	must(t, err)
	var out bytes.Buffer
	_, err = query.BuildIndex(context.Background(), &out, query.Source{Reader: bytes.NewReader(content),
		Size: int64(len(content))}, query.IndexOptions{Temp: t.TempDir() + "/x"})
	must(t, err)
	ask := func(fen string, terms ...term) (tree Tree) {
		t.Helper()
		must(t, do(t, s, "tree", map[string]any{"fen": fen, "terms": terms}, nil, &tree))
		return tree
	}
	var g Shown
	must(t, do(t, s, "game", map[string]any{"game": 3}, nil, &g))
	var plain []Tree
	var told IndexState
	must(t, do(t, s, "index", nil, nil, &told))
	if told != (IndexState{}) {
		t.Errorf("without an index: %+v", told)
	}
	for _, i := range g.Items {
		plain = append(plain, ask(i.FEN), ask(i.FEN, term{"result", "1-0"}), ask(i.FEN, term{"player", "morphy"}))
	}
	index := &counting{ReaderAt: bytes.NewReader(out.Bytes())}
	must(t, s.SetIndex(func(context.Context) (io.ReaderAt, int64, error) { return index, int64(out.Len()), nil }))
	must(t, do(t, s, "index", nil, nil, &told))
	if !told.There || told.Positions == 0 || told.Variations {
		t.Errorf("%+v", told)
	}
	for _, i := range g.Items {
		for _, terms := range [][]term{nil, {{"result", "1-0"}}, {{"player", "morphy"}}} {
			before := index.reads
			tree, want := ask(i.FEN, terms...), plain[0]
			plain = plain[1:]
			if !tree.Indexed || tree.Why != "" || index.reads == before {
				t.Fatalf("%s is not looked up: %+v", i.FEN, tree)
			}
			if terms == nil && index.reads-before > 5+int(tree.Games) {
				t.Errorf("%s takes %d reads of the index, for %d games", i.FEN, index.reads-before, tree.Games)
			}
			tree.Indexed, tree.Games, tree.Read = false, 0, 0
			if !reflect.DeepEqual(tree, want) {
				t.Fatalf("%s %v: %+v, want %+v", i.FEN, terms, tree, want)
			}
		}
	}
	// A pruned index has the same counts; the games are found in the archive, and conditions are asked of it.
	var pruned bytes.Buffer
	_, err = query.BuildIndex(context.Background(), &pruned, query.Source{Reader: bytes.NewReader(content),
		Size: int64(len(content))}, query.IndexOptions{Temp: t.TempDir() + "/x", MinGames: 2, MaxPly: 6})
	must(t, err)
	must(t, s.SetIndex(func(context.Context) (io.ReaderAt, int64, error) {
		return bytes.NewReader(pruned.Bytes()), int64(pruned.Len()), nil
	}))
	start := position.Start()
	if tree := ask(start.FEN()); tree.All.Games != 35 || !tree.Indexed || tree.MinGames != 2 || tree.MaxPly != 6 ||
		len(tree.Moves) == 0 {
		t.Errorf("pruned: %+v", tree)
	}
	if tree := ask(start.FEN(), term{Name: "result", Value: "1-0"}); tree.All.Games == 0 || tree.All.Games == 35 ||
		tree.Indexed || tree.MaxPly != 0 || tree.Why != "" {
		t.Errorf("pruned, with a condition: %+v", tree)
	}
	// What it cannot use.
	bad := bytes.Clone(out.Bytes())
	for i := 128 + 8*36 + 4; i < len(bad)-64-100; i++ {
		bad[i] ^= 1 // not the header, the facts and the trailer
	}
	_, other := opened(t, []byte("1. e4 *\n"))
	var another bytes.Buffer
	_, err = query.BuildIndex(context.Background(), &another, query.Source{Reader: bytes.NewReader(other),
		Size: int64(len(other))}, query.IndexOptions{Temp: t.TempDir() + "/x"})
	must(t, err)
	usual := position.Start()
	for _, c := range []struct {
		name  string
		index []byte
		err   error
		why   string
	}{
		{"none", nil, fs.ErrNotExist, ""},
		{"unreachable", nil, errors.New("no route"), "no route"},
		{"no index", content, nil, "not a ply11 index"},
		{"damaged", bad, nil, "corrupt index"},
		{"cut", out.Bytes()[:out.Len()-1], nil, "corrupt index"},
		{"of another archive", another.Bytes(), nil, "another archive"},
	} {
		must(t, s.SetIndex(func(context.Context) (io.ReaderAt, int64, error) {
			return bytes.NewReader(c.index), int64(len(c.index)), c.err
		}))
		tree := ask(usual.FEN())
		if tree.All.Games != 35 || len(tree.Moves) == 0 || tree.Indexed || !strings.Contains(tree.Why, c.why) ||
			c.why == "" && tree.Why != "" {
			t.Errorf("%s: %+v", c.name, tree)
		}
	}
	// It is opened once, and again when it was given up.
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	must(t, s.SetIndex(func(context.Context) (io.ReaderAt, int64, error) {
		if asked++; asked == 1 {
			cancel()
		}
		return index, int64(out.Len()), nil
	}))
	if _, err := s.Methods().Do(ctx, &call.Call{Method: "tree", Params: json.RawMessage("{}")}); !errors.Is(err,
		call.ErrCanceled) {
		t.Errorf("given up: %v", err)
	}
	if tree := ask(usual.FEN()); !tree.Indexed || asked != 2 {
		t.Errorf("after that: %+v, asked for %d times", tree, asked)
	}
	if ask(usual.FEN()); asked != 2 {
		t.Errorf("it is opened %d times", asked)
	}
	if err := (&Session{}).SetIndex(nil); err == nil {
		t.Error("an index of nothing")
	}
}

// TestDamaged: each game of a damaged block is an error, and the others are as they were; a search tells both.
func TestDamaged(t *testing.T) {
	_, content := famous(t, archive.WithBlockGames(6))
	r, err := archive.NewReader(bytes.NewReader(content), int64(len(content)))
	must(t, err)
	b, err := r.Block(2)
	must(t, err)
	for _, c := range b.Columns() {
		if c.Kind == archive.ColumnTags {
			content[c.Offset+c.Stored/2] ^= 4
		}
	}
	s := &Session{}
	_, err = s.Open(t.Context(), bytes.NewReader(content), int64(len(content)), false)
	must(t, err)
	var rows []Row
	list := make([]int, 36)
	for i := range list {
		list[i] = i + 1
	}
	must(t, do(t, s, "list", map[string]any{"games": list}, nil, &rows))
	for i, row := range rows {
		if bad := row.Error != ""; bad != (i >= 6 && i < 12) {
			t.Errorf("game %d: %q", i+1, row.Error)
		}
	}
	var found []byte
	must(t, do(t, s, "search", map[string]any{"terms": []term{{"player", "a"}}}, nil, &found))
	if n := binary.LittleEndian.Uint32(found); n == 0 || !strings.Contains(string(found[4+8*n:]), "block 2") {
		t.Errorf("%d games, then %q", n, found[4+8*n:])
	}
}

// TestOpenings: a game tells which positions of its main line have names, and a position tells its own, and those that
// its moves lead to.
func TestOpenings(t *testing.T) {
	s, _ := opened(t, []byte("1. e4 (1. c4) e5 2. Nf3 Nc6 3. Bc4 a5 *\n"))
	var g Shown
	must(t, do(t, s, "game", map[string]int{"game": 1}, nil, &g))
	var names []string
	for _, o := range g.Openings {
		names = append(names, fmt.Sprint(o.Ply, " ", o.ECO, " ", o.Name))
	}
	if want := []string{"1 B00 King's Pawn Game", "2 C20 King's Pawn Game", "3 C40 King's Knight Opening",
		"4 C44 King's Knight Opening: Normal Variation", "5 C50 Italian Game"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	var tree Tree
	must(t, do(t, s, "tree", map[string]any{"fen": g.Items[0].FEN, "terms": []term{}}, nil, &tree))
	if tree.Opening == nil || tree.Opening.Name != "King's Pawn Game" || len(tree.Moves) != 1 ||
		tree.Moves[0].After != "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2" {
		t.Errorf("%+v", tree)
	}
	must(t, do(t, s, "tree", map[string]any{"fen": "", "terms": []term{}}, nil, &tree))
	var none Tree
	must(t, do(t, s, "tree", map[string]any{"fen": g.Items[len(g.Items)-1].FEN, "terms": []term{}}, nil, &none))
	if none.Opening != nil {
		t.Errorf("%+v", none.Opening)
	}
}

// TestShapes: what comments draw is told with the move, and what names no colour or square is not.
func TestShapes(t *testing.T) {
	for comment, want := range map[string][]string{
		"[%cal Ge2e4,Rd8h4] [%csl Yf7]":               {"Ge2e4", "Rd8h4", "Yf7"},
		"[%cal Ge2e4, Bg1f3]":                         {"Ge2e4", "Bg1f3"},
		"[%csl Ge9,Xe4,Ge,G,,Ge2e4e5]":                nil,
		"Ge2e4 [%eval 0.3]":                           nil,
		"[%csl " + strings.Repeat("Ra1,", 1000) + "]": slices.Repeat([]string{"Ra1"}, maxShapes),
	} {
		s, _ := opened(t, []byte("1. e4 {"+comment+"} *\n"))
		var g Shown
		must(t, do(t, s, "game", map[string]int{"game": 1}, nil, &g))
		if got := g.Items[1].Shapes; !slices.Equal(got, want) {
			t.Errorf("%s: %q", short(comment, 40), got)
		}
	}
}

// TestNothing: what asks for games of no archive is an error.
func TestNothing(t *testing.T) {
	for _, method := range []string{"list", "game", "search", "tree"} {
		if err := do(t, &Session{}, method, map[string]any{}, nil, new([]byte)); err == nil {
			t.Errorf("%s of nothing", method)
		}
	}
}

func TestPosition(t *testing.T) {
	var p struct {
		FEN, Turn, State string
		Legal            []legalMove
	}
	must(t, do(t, &Session{}, "position", map[string]any{"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, nil, &p))
	if p.State != "stalemate" || p.Turn != "black" || len(p.Legal) != 0 {
		t.Errorf("%+v", p)
	}
	must(t, do(t, &Session{}, "position", struct{}{}, nil, &p))
	start := position.Start()
	if p.FEN != start.FEN() || len(p.Legal) != 20 {
		t.Errorf("%+v", p)
	}
	if err := do(t, &Session{}, "position", map[string]any{"fen": "8/8"}, nil, nil); err == nil {
		t.Error("nonsense is a position")
	}
}

// TestMethods: what is not JSON, not known, or beyond all bounds is an error.
func TestMethods(t *testing.T) {
	s, _ := famous(t)
	for _, params := range []string{"", "{}", "null", "[]", "{", `{"game":1e99}`, `{"games":[0,18446744073709551615]}`,
		`{"terms":[{"name":"","value":""}]}`, `{"fen":"x"}`} {
		for name := range s.Methods() {
			v, err := s.Methods().Do(t.Context(), &call.Call{Method: name, Params: json.RawMessage(params),
				Data: []byte("\x00\xff(")})
			if err != nil && strings.Contains(err.Error(), "bug") {
				t.Errorf("%s %s: %v", name, params, err)
			}
			if b, ok := v.(io.Closer); ok {
				b.Close()
			}
		}
	}
	if _, err := s.Methods().Do(t.Context(), &call.Call{Method: "none"}); err == nil {
		t.Error("an unknown method is known")
	}
}

// TestFoundByIndex: with an index a search for a position finds the same games as without one, at each ply of a game,
// with other terms and in variations; it reads few of the blocks.
func TestFoundByIndex(t *testing.T) {
	var content bytes.Buffer
	w := archive.NewWriter(&content, archive.WithBlockGames(40))
	gen, g := gamegen.New(1), game.New()
	for range 4000 {
		gen.Next(g)
		must(t, w.Write(g))
	}
	must(t, w.Close())
	var s Session
	file := &counting{ReaderAt: bytes.NewReader(content.Bytes())}
	_, err := s.Open(t.Context(), file, int64(content.Len()), false)
	must(t, err)
	var shown Shown
	must(t, do(t, &s, "game", map[string]any{"game": 2700}, nil, &shown))
	requests := []map[string]any{}
	for i, item := range shown.Items {
		if item.Kind != "m" || i > 24 {
			continue
		}
		fen := term{"fen", strings.Join(strings.Fields(item.FEN)[:4], " ")}
		requests = append(requests, map[string]any{"terms": []term{fen}},
			map[string]any{"terms": []term{{"result", "1-0"}, fen}},
			map[string]any{"terms": []term{fen}, "variations": true},
			map[string]any{"terms": []term{{"fen", strings.Join(strings.Fields(item.FEN)[:2], " ")}}, "mirror": true})
	}
	start := position.Start()
	requests = append(requests, map[string]any{"terms": []term{{"fen", start.FEN()}}},
		map[string]any{"terms": []term{{"fen", "8/8/8/8/8/k7/8/K7 w - -"}}},
		map[string]any{"terms": []term{{"fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"}}})
	find := func(r map[string]any) (games [][2]uint32) {
		t.Helper()
		var found []byte
		must(t, do(t, &s, "search", r, nil, &found))
		n := int(binary.LittleEndian.Uint32(found))
		if len(found) != 4+8*n {
			t.Fatalf("%v: %s", r, found[4+8*n:])
		}
		for i := range n {
			games = append(games, [2]uint32{binary.LittleEndian.Uint32(found[4+8*i:]),
				binary.LittleEndian.Uint32(found[8+8*i:])})
		}
		return games
	}
	var plain [][][2]uint32
	for _, r := range requests {
		plain = append(plain, find(r))
	}
	for _, variations := range []bool{false, true} {
		var x bytes.Buffer
		_, err = query.BuildIndex(context.Background(), &x, query.Source{Reader: bytes.NewReader(content.Bytes()),
			Size: int64(content.Len())}, query.IndexOptions{Temp: t.TempDir() + "/x", Variations: variations})
		must(t, err)
		must(t, s.SetIndex(func(context.Context) (io.ReaderAt, int64, error) {
			return bytes.NewReader(x.Bytes()), int64(x.Len()), nil
		}))
		must(t, do(t, &s, "index", nil, nil, nil))
		for i, r := range requests {
			file.bytes = 0
			got := find(r)
			if len(got) > maxRows { // of the others the ply is not looked for
				for k := range got {
					if k >= maxRows && got[k][1] == 0 {
						got[k][1] = plain[i][min(k, len(plain[i])-1)][1]
					}
				}
			}
			if !slices.Equal(got, plain[i]) {
				t.Errorf("%v: %d games with the index, %d without it", r, len(got), len(plain[i]))
			}
			looked := r["variations"] == nil || variations
			if looked && len(got) < 3 && file.bytes > content.Len()/3 {
				t.Errorf("%v: %d of %d bytes are read for %d games", r, file.bytes, content.Len(), len(got))
			}
			if most := content.Len(); looked && len(r["terms"].([]term)) == 1 && len(got) > 1000 &&
				file.bytes > most*2/3 {
				t.Errorf("%v: %d of %d bytes are read for the first of %d games", r, file.bytes, content.Len(),
					len(got))
			}
		}
	}
}

// TestTagReads: searches for tags find the same in an archive that is near and in one far away. The second reads
// nothing of the blocks again; the first reads a near archive in few parts, and of one far away little more than fronts
// and tags. A search that reads moves, too, keeps nothing.
func TestTagReads(t *testing.T) {
	out := bytes.NewBuffer(generated(t, 20_000, 100))
	size := int64(out.Len())
	if size < 2*windowSize {
		t.Fatalf("the archive has %d bytes", size)
	}
	search := func(s *Session, terms, sort string) []byte {
		v, err := s.Methods().Do(t.Context(), &call.Call{
			Method: "search", Params: json.RawMessage(fmt.Sprintf(`{"terms":[%s],"sort":%q}`, terms, sort))})
		must(t, err)
		return v.(call.Bytes)
	}
	// The index of the archive is read by each search.
	idle := &countingReads{ReaderAt: bytes.NewReader(out.Bytes())}
	_, err := query.Count(t.Context(), []query.Source{{Reader: idle, Size: size, Sparse: true}}, none(t),
		query.Options{Workers: farReads})
	must(t, err)
	type question struct{ terms, sort string }
	questions := []question{{`{"name":"player","value":"a"}`, ""}, {`{"name":"tag","value":"Date"}`, "white"},
		{`{"name":"rating","value":"1-3000"},{"name":"date","value":"1800-2100"}`, "-rating"},
		{`{"name":"tag","value":"Event=open"}`, "-date"}, {"", "event"}}
	var want, answers [][]byte
	for _, near := range []bool{true, false} {
		file := &countingReads{ReaderAt: bytes.NewReader(out.Bytes())}
		s := &Session{}
		_, err := s.Open(t.Context(), file, size, near)
		must(t, err)
		for k, q := range questions {
			n, read := file.n.Load(), file.bytes.Load()
			got := search(s, q.terms, q.sort)
			n, read = file.n.Load()-n, file.bytes.Load()-read
			if near {
				want = append(want, got)
			} else if !bytes.Equal(got, want[k]) {
				t.Errorf("%v: %d bytes far away, %d near", q, len(got), len(want[k]))
			}
			if len(got) < 4+8*100 {
				t.Errorf("%v: %d bytes", q, len(got))
			}
			switch index := idle.n.Load() * (farReads + 1); {
			case k > 0 && read > size/50+48<<10:
				// but for the end, and for summaries, where a question is the first for them
				t.Errorf("%v, near %v: %d bytes are read again", q, near, read)
			case k == 0 && near && n > size/windowSize+index:
				t.Errorf("%d reads of a near archive", n)
			case k == 0 && !near && read > size/2:
				t.Errorf("%d of %d bytes are read of an archive far away", read, size)
			}
			if k == 0 {
				t.Logf("near %v: %d reads, %d of %d bytes", near, n, read, size)
			}
		}
		size := s.archive.tags.size
		for k, q := range []question{{`{"name":"tag","value":"Result=1"}`, ""},
			{`{"name":"result","value":"1-0"}`, "white"}, {"", "result"}, {"", "-result"}} {
			if got := search(s, q.terms, q.sort); near {
				answers = append(answers, got)
			} else if !bytes.Equal(got, answers[k]) {
				t.Errorf("%v: %d bytes far away, %d near", q, len(got), len(answers[k]))
			}
			if s.archive.tags.size != size {
				t.Errorf("%v, near %v: %d bytes are kept, and %d were before", q, near, s.archive.tags.size, size)
			}
		}
	}
}

// TestFarBytes: of an archive on a server, a search for tags asks for less than half, with what the reader of servers
// reads ahead.
func TestFarBytes(t *testing.T) {
	content := generated(t, 6000, 1000)
	var asked atomic.Int64
	file, err := httprange.New(t.Context(), "x", func(_ context.Context, byteRange string) (*httprange.Response,
		error) {
		var first, last int64
		if _, err := fmt.Sscanf(byteRange, "bytes=%d-%d", &first, &last); err != nil {
			return nil, err
		}
		last = min(last, int64(len(content))-1)
		asked.Add(last - first + 1)
		header := map[string]string{"Content-Range": fmt.Sprintf("bytes %d-%d/%d", first, last, len(content)),
			"ETag": `"1"`}
		return &httprange.Response{Status: http.StatusPartialContent, Length: last - first + 1,
			Header: func(name string) string { return header[name] },
			Body:   io.NopCloser(bytes.NewReader(content[first : last+1]))}, nil
	})
	must(t, err)
	s := &Session{}
	_, err = s.Open(t.Context(), file, file.Size(), false)
	must(t, err)
	before := asked.Load()
	must(t, do(t, s, "search", map[string]any{"terms": []term{{"player", "a"}}}, nil, new([]byte)))
	n := asked.Load() - before
	if t.Logf("%d of %d bytes", n, len(content)); n > int64(len(content))/2 {
		t.Errorf("%d of %d bytes are asked for", n, len(content))
	}
}

// generated is an archive of generated games.
func generated(t *testing.T, games, each int) []byte {
	var out bytes.Buffer
	w := archive.NewWriter(&out, archive.WithBlockGames(each))
	gen, g := gamegen.New(1), game.New()
	for range games {
		gen.Next(g)
		must(t, w.Write(g))
	}
	must(t, w.Close())
	return out.Bytes()
}

// TestKeptAnswers: a search that finds all parts of blocks kept lets the browser do other things, tells how far it is,
// and can be given up, as one that reads them.
func TestKeptAnswers(t *testing.T) {
	const blocks = 12
	content := generated(t, 100*blocks, 100)
	for _, near := range []bool{true, false} {
		s := &Session{}
		_, err := s.Open(t.Context(), bytes.NewReader(content), int64(len(content)), near)
		must(t, err)
		search := func(ctx context.Context, yield func(), progress func(float64)) error {
			_, err := s.Methods().Do(ctx, &call.Call{
				Method: "search", Params: json.RawMessage(`{"terms":[{"name":"player","value":"a"}]}`), Yield: yield,
				Progress: progress})
			return err
		}
		must(t, search(t.Context(), nil, nil))
		least := int64(blocks) // reads of the one goroutine that reads them
		if !near {
			least = 2 // while one yields, others read
		}
		for _, cancelAt := range []int64{0, least} {
			ctx, cancel := context.WithCancel(t.Context())
			var yields, told atomic.Int64
			err := search(ctx, func() {
				if yields.Add(1) == cancelAt {
					cancel()
				}
				time.Sleep(yieldAfter + time.Millisecond) // so that the next one is due
			}, func(float64) { told.Add(1) })
			if cancel(); cancelAt == 0 {
				must(t, err)
			} else if !errors.Is(err, call.ErrCanceled) {
				t.Errorf("near %v: %v", near, err)
			}
			n := yields.Load()
			if t.Logf("near %v, given up at %d: it yields %d times", near, cancelAt, n); n < least ||
				told.Load() != n || cancelAt > 0 && n > cancelAt+farReads {
				t.Errorf("near %v, given up at %d: it yields %d times, and tells %d times how far it is", near,
					cancelAt, n, told.Load())
			}
		}
	}
}

// TestKeptChanged: a file that cannot be read any more is seen by the next search, although what it reads is kept; and
// what was damaged is read again.
func TestKeptChanged(t *testing.T) {
	content := generated(t, 3000, 100)
	whole := slices.Clone(content)
	file := &failing{ReaderAt: bytes.NewReader(content)}
	s := &Session{}
	_, err := s.Open(t.Context(), file, int64(len(content)), false)
	must(t, err)
	search := func() (games uint32, told string) {
		t.Helper()
		var b []byte
		must(t, do(t, s, "search", map[string]any{"terms": []term{{"player", "a"}}}, nil, &b))
		games = binary.LittleEndian.Uint32(b)
		return games, string(b[4+8*games:])
	}
	place, err := s.archive.r.Place(20)
	must(t, err)
	clear(content[place.Offset : place.Offset+place.Size])
	if n, told := search(); n == 0 || n >= 2000 || told == "" {
		t.Errorf("of a damaged archive: %d games, %q", n, told)
	}
	copy(content, whole)
	n, told := search()
	if n <= 2000 || told != "" {
		t.Errorf("of the mended archive: %d games, %q", n, told)
	}
	file.fail = true
	if n, told := search(); n != 0 || !strings.Contains(told, "it failed") {
		t.Errorf("of a file that fails: %d games, %q", n, told)
	}
	if file.fail = false; s.archive.tags.size != 0 {
		t.Errorf("%d bytes are kept of a file that failed", s.archive.tags.size)
	}
	if again, told := search(); again != n || told != "" {
		t.Errorf("of a file that can be read again: %d games and not %d, %q", again, n, told)
	}
}

// none is a query of games that no archive has.
func none(t *testing.T) *query.Query {
	q := query.New()
	must(t, q.Add("games", "1000000000-"))
	return q
}

// countingReads counts what is read, by several goroutines.
type countingReads struct {
	io.ReaderAt
	n, bytes atomic.Int64
}

func (c *countingReads) ReadAt(b []byte, at int64) (int, error) {
	c.n.Add(1)
	c.bytes.Add(int64(len(b)))
	return c.ReaderAt.ReadAt(b, at)
}

// TestKept: what is kept is bounded, and is what was read, also where more was read from the same place later.
func TestKept(t *testing.T) {
	var k kept
	part := make([]byte, 1<<20)
	for i := range int64(100) {
		part[0] = byte(i)
		k.add(part, i<<20)
	}
	if most := keptBytes / (1<<20 + partCost); k.size != most*(1<<20+partCost) || len(k.parts) != most {
		t.Errorf("%d bytes in %d parts", k.size, len(k.parts))
	}
	b := make([]byte, 1<<20)
	if !k.read(b, 7<<20) || b[0] != 7 || k.read(b, 99<<20) || k.read(append(b, 0), 7<<20) {
		t.Error("it does not have what was read")
	}
	k = kept{}
	k.add([]byte("ab"), 5)
	k.add([]byte("abcd"), 5)
	k.add([]byte("abc"), 5)
	if got := make([]byte, 4); !k.read(got, 5) || string(got) != "abcd" || k.size != 4+partCost {
		t.Errorf("%q, %d bytes", got, k.size)
	}
}

// TestWindow: what is read by windows is what stands there, also behind a read that failed, and at the end of the file.
func TestWindow(t *testing.T) {
	content := make([]byte, 3*windowSize+100)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	file := &failing{ReaderAt: bytes.NewReader(content)}
	r := &tagReads{ReaderAt: file, kept: &kept{size: keptBytes}, near: true, size: int64(len(content))}
	at := int64(0)
	for i := range 3000 {
		n := 1 + random.IntN(2000)
		if at += int64(random.IntN(3000)); i%50 == 49 || at >= int64(len(content)) {
			at = int64(random.IntN(len(content)))
		}
		b := make([]byte, n)
		file.fail = i%7 == 3
		got, err := r.ReadAt(b, at)
		want := content[at:min(at+int64(n), int64(len(content)))]
		if !bytes.Equal(b[:got], want[:got]) || err == nil && got < n || err == io.EOF && got < len(want) ||
			err != nil && err != io.EOF && !file.fail {
			t.Fatalf("read %d, of %d bytes at %d: %d bytes, %v", i, n, at, got, err)
		}
		at += int64(n)
	}
}

// failing is a file of which a read may fail after some of it.
type failing struct {
	io.ReaderAt
	fail bool
}

func (f *failing) ReadAt(b []byte, at int64) (int, error) {
	if f.fail {
		n, _ := f.ReaderAt.ReadAt(b[:min(len(b), 100)], at)
		return n, errors.New("it failed")
	}
	return f.ReaderAt.ReadAt(b, at)
}
