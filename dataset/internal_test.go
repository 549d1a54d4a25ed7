// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/extsort"
	"ply11/internal/gamegen"
	"ply11/position"
	"ply11/query"
)

// What tests outside of the package name of what is inside.
const (
	BinSize       = binSize
	BinpackHead   = binpackHead
	BinpackMaxPly = binpackMaxPly
	BinpackMost   = binpackMost
	BinpackStem   = binpackStem
	LC0Planes     = lc0Planes
	LC0Played     = lc0Played
	LC0ResultAt   = lc0ResultAt
	LC0Rights     = lc0Rights
	LC0Size       = lc0Size
	LC0Size7      = lc0Size7
	LC0Turn       = lc0Turn
	MaxMovetext   = maxMovetext
	MaxPages      = maxPages
	ParquetOrder  = parquetOrder
	RowWork       = rowWork
	ShortNone     = shortNone
	ViriMove      = viriMove
	WorkBytes     = workBytes
	WorkTimes     = workTimes
)

type (
	ParquetGame     = parquetGame
	ParquetPosition = parquetPosition
	ParquetTag      = parquetTag
)

var (
	ErrText    = errText
	GameSchema = gameSchema
	NewScore   = newScore
	SameBoard  = sameBoard
	TagColumns = tagColumns
)

// Described are the columns of a format with all options.
func Described(name string) []Array {
	f, err := formatOf(name)
	if err != nil || f.describe == nil {
		return nil
	}
	j := &Job{Format: name, Labels: indexLabels, Planes: planesBits, Legal: true, WDL: "stockfish-17"}
	_, list := f.describe(j)
	return list
}

// NotesOf are the evals and clocks of a game.
func NotesOf(g *game.Game) (list [][2]int) {
	var r recorder
	r.notes(g)
	for i := range g.Len() + 1 {
		c := NoClock
		if i > 0 {
			c = r.clock(i)
		}
		list = append(list, [2]int{int(r.score(i).short()), int(c)})
	}
	return list
}

// ShownScores are the evals of a game's positions as engines have them.
func ShownScores(g *game.Game) (list []int16) {
	var r recorder
	r.notes(g)
	at := g.Start
	for i, m := range g.MainLine() {
		s := r.score(i - 1)
		if at.Turn() == chess.Black && s != NoScore {
			s = -s
		}
		list = append(list, engineScore(s))
		at.Make(m)
	}
	return list
}

// Same reports whether two manifests tell of the same export.
func (m *Manifest) Same(o *Manifest) bool { return m.same(o) }

// Short is what a column of scores has of a score.
func (s Score) Short() int16 { return s.short() }

// HasScores reports whether a game has an eval.
func HasScores(g *game.Game) bool {
	var r recorder
	r.notes(g)
	return len(r.Scores) > 0
}

// gathered is an export of generated games with their rows.
func gathered(t *testing.T, games int, job Job) (*export, *extsort.Rows) {
	t.Helper()
	var b bytes.Buffer
	w, gen, g := archive.NewWriter(&b), gamegen.New(1), game.New()
	for range games {
		gen.Next(g)
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(job)
	x := &export{Plan: p, w: &writer{p: p, o: Options{Output: t.TempDir()}}, q: query.New(), sources: []query.Source{
		{Name: "a", Reader: bytes.NewReader(b.Bytes()), Size: int64(b.Len())}}}
	if err == nil {
		x.plan, x.w.m.Inputs, err = plan(x.sources, 1)
	}
	var rows *extsort.Rows
	if err == nil {
		rows, err = x.gather(t.Context(), 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rows.Close)
	return x, rows
}

// TestTrial: a trial of some rows, games or positions, has about the bytes a row of all.
func TestTrial(t *testing.T) {
	const games = 500
	for _, c := range []struct {
		format string
		most   uint64 // rows
		games  bool   // whose positions are written
	}{{"jsonl", 128, false}, {"bin", 6400, false}, {"viriformat", 20_000, true}, {"lc0", 20_000, true}} {
		t.Run(c.format, func(t *testing.T) {
			x, rows := gathered(t, games, Job{Format: c.format, ShardBytes: 1000})
			whole, all, err := x.trial(t.Context(), rows)
			if err != nil || all != rows.Len() {
				t.Fatalf("%s: %d of %d rows, %v", c.format, all, rows.Len(), err)
			}
			lowered(t, &trialRows, c.most)
			some, n, err := x.trial(t.Context(), rows)
			want := c.most
			if c.games {
				want = c.most * games / uint64(x.w.m.Inputs[0].Plies) / 64 * 64
			}
			if err != nil || n != want || n == all {
				t.Errorf("%s: %d of %d rows, want %d; %v", c.format, n, all, want, err)
			}
			if each, want := float64(some)/float64(n), float64(whole)/float64(all); math.Abs(each-want) > want/8 {
				t.Errorf("%s: %.1f bytes a row, want about %.1f", c.format, each, want)
			}
		})
	}
}

// lowered sets a limit until the test ends.
func lowered[T any](t *testing.T, limit *T, to T) {
	before := *limit
	*limit = to
	t.Cleanup(func() { *limit = before })
}

// TestMostShards: too many shards are refused, by number or by size.
func TestMostShards(t *testing.T) {
	lowered(t, &maxShards, 3)
	for n, good := range map[int]bool{3: true, 4: false} {
		x, rows := gathered(t, n, Job{Format: "jsonl", ShardBytes: 1})
		if parts, err := x.countParts(t.Context(), rows); good && parts != n ||
			good != !errors.Is(err, codec.ErrOption) {
			t.Errorf("%d shards, want %d; %v", parts, n, err)
		}
		if _, err := NewPlan(Job{Format: "jsonl", Shards: n}); good != !strings.Contains(fmt.Sprint(err),
			"shards are 1 to 3") {
			t.Errorf("%d shards: %v", n, err)
		}
	}
}

// WalkThrift walks over metadata of Parquet, and returns how many bytes are left, and the memory.
func WalkThrift(metadata []byte) (left int, memory int64, err error) {
	w := newThriftWalk(bytes.NewReader(metadata), 0, int64(len(metadata)), maxPages)
	err = w.structure(1)
	rest, _ := io.ReadAll(w.in)
	return len(rest), w.memory, err
}

// TestExchange: what captures win, worked out by hand.
func TestExchange(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		want      int
	}{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 1},
		{"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0},
		{"4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -3},  // the second rook takes the pawn
		{"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -4}, // two against two
		{"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1},    // two against one, the second behind the first
		{"8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1},     // the king cannot take a rook that is protected
		{"8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -4},     // but one that is not
		{"3r4/4P3/8/7k/8/8/8/4K3 w - - 0 1", "e7d8q", 13},     // a rook, and a queen for the pawn
		{"5r2/4P3/8/7k/8/8/8/4K3 w - - 0 1", "e7e8q", -1},     // the queen is taken
		{"4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 1},      // en passant
		{"4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 0},    // and taken back
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0},         // castling
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h7", 0},         // no capture, although it may lose a piece
		{"3qk3/8/8/3r4/8/5B2/8/3QK3 w - - 0 1", "f3d5", 5},    // queen takes, queen takes: 5-3+9, so she does not
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 0},
	} {
		p, err := position.ParseFENLenient(c.fen)
		if err != nil {
			t.Fatal(c.fen, err)
		}
		m, err := chess.ParseUCI(c.move)
		if err != nil || !p.IsLegal(m) {
			t.Fatal(c.fen, c.move, err)
		}
		if got := exchange(&p, m); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.fen, c.move, got, c.want)
		}
	}
}

// TestChoiceRefused: what makes no sense is refused, the rest is normalized.
func TestChoiceRefused(t *testing.T) {
	for _, j := range []Job{
		{Format: "npz", Sample: -1}, {Format: "npz", Sample: 1.5}, {Format: "npz", Sample: math.NaN()},
		{Format: "npz", Split: "1"}, {Format: "npz", Split: "0.5-0.5"},
		{Format: "npz", Split: "0-1.1"}, {Format: "npz", Split: "x-1"},
		{Format: "npz", Weights: []string{"rating=2000-"}}, {Format: "npz", Weights: []string{"x=y:0.5"}},
		{Format: "npz", Weights: []string{"result=draw:2"}, Sample: 1},
		{Format: "npz", Weights: []string{"fen=startpos:0.5"}}, {Format: "npz", Weights: []string{":1"}},
		{Format: "npz", Only: []string{"x"}}, {Format: "npz", Augment: []string{"x"}}, {Format: "npz", PerGame: -1},
		{Format: "npz", MaxEval: -1}, {Format: "npz", WDL: "x"},
		{Format: "npz", LabelType: "int8"}, {Format: "jsonl", PerGame: 1}, {Format: "jsonl", MaxEval: 1},
		{Format: "jsonl", Only: []string{"eval"}},
		{Format: "jsonl", WDL: "lichess"}, {Format: "bin", WDL: "lichess"}, {Format: "bin", Labels: "lc0"},
		{Format: "binpack", Augment: []string{"files"}},
		{Format: "jsonl", Augment: []string{"files"}}, {Format: "parquet-positions", LabelType: "int32"},
		{Format: "bin", Legal: true}, {Format: "binpack", Legal: true}, {Format: "bullet", Legal: true},
		{Format: "lc0", Legal: true}, {Format: "viriformat", Legal: true},
		{Format: "webdataset", Batch: math.MaxInt}, {Format: "webdataset", Batch: 1 << 20},
		{Format: "webdataset", Planes: "lc0-bytes", Batch: 9500}, {}, {Format: "x"}, {Format: "jsonl", Shards: -1},
		{Format: "jsonl", Seed: 1}, {Format: "jsonl", FromPly: 1}, {Format: "jsonl", Dedupe: true},
		{Format: "jsonl", ShardRows: -1}, {Format: "jsonl", ShardBytes: -1}, {Format: "jsonl", ShardRows: 1, Shards: 1},
		{Format: "jsonl", ShardRows: 1, ShardBytes: 1},
	} {
		if _, err := NewPlan(j); !errors.Is(err, codec.ErrOption) {
			t.Errorf("%+v: %v", j, err)
		}
	}
	for _, o := range []Options{{Single: true, Job: Job{ShardRows: 1}}, {Single: true, Job: Job{Shards: 2}},
		{Workers: -1}} {
		o.Format = "jsonl"
		o.Output = filepath.Join(t.TempDir(), "x")
		_, err := Export(t.Context(), query.New(), nil, o)
		if _, there := os.Stat(o.Output); !errors.Is(err, codec.ErrOption) || there == nil {
			t.Errorf("%+v: %v, and a folder: %v", o, err, there == nil)
		}
	}
	for format, want := range map[string]bool{"npz": true, "npy": false, "none": false, "lc0": true, "tfrecord": true} {
		if _, err := (&Options{Job: Job{Format: format}, Stream: io.Discard}).check(); (err == nil) != want {
			t.Errorf("%s as a stream: %v", format, err)
		}
	}
	if _, err := NewPlan(Job{Format: "webdataset", Planes: "lc0-bytes", Batch: 9000}); err != nil {
		t.Error(err)
	}
	for _, only := range [][]string{nil, {"no-check"}, {"no-check", "eval"}} {
		if p, err := NewPlan(Job{Format: "bullet", Only: only}); err != nil || !slices.IsSorted(p.Only) ||
			!slices.Contains(p.Only, onlyEval) {
			t.Errorf("%q became %+v, %v", only, p, err)
		}
	}
	j := Job{Format: "npz", Sample: 1, Only: []string{"quiet", "eval", "eval"}, LabelType: "uint16"}
	if p, err := NewPlan(j); err != nil || p.Sample != 0 || p.LabelType != "" || fmt.Sprint(p.Only) != "[eval quiet]" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestCountersAtTheEnd: a position is mirrored whose counters exceed a FEN's.
func TestCountersAtTheEnd(t *testing.T) {
	at, err := position.ParseFENLenient("4k3/8/8/8/8/8/8/R3K3 w - - 65535 65535")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a1a2", "e8d7", "a2a3", "d7d8"} {
		m, err := chess.ParseUCI(text)
		if err != nil || !at.IsLegal(m) {
			t.Fatal(text, err)
		}
		at.Make(m)
		for how := uint8(1); how <= turnedColors|turnedFiles; how++ {
			if p, err := mirrorPosition(&at, how); err != nil || p.Occupied().Count() != 3 ||
				p.FullmoveNumber() != 65535 {
				t.Errorf("%s, after %s: %s, %v", at.FEN(), text, p.FEN(), err)
			}
		}
	}
}

func TestEngineScore(t *testing.T) {
	for cp := -mostScore; cp <= mostScore; cp++ {
		if e, ok := evaluation(int(engineScore(Score(cp)))); !ok || e.IsMate || e.Centipawns != cp {
			t.Fatalf("%d is %+v", cp, e)
		}
	}
	for n := -mostMate; n <= mostMate; n++ {
		e, ok := evaluation(int(engineScore(newScore(game.Evaluation{IsMate: true, Mate: n}))))
		if want := max(-engineMoves, min(engineMoves, n)); !ok || !e.IsMate || e.Mate != want {
			t.Fatalf("mate in %d is %+v", n, e)
		}
	}
	for v := -1 << 15; v < 1<<15; v++ {
		e, ok := evaluation(v)
		// Those of tablebases, up to 31754, come back, too.
		if tables := v >= -engineBound && v <= engineBound; tables && int(engineScore(newScore(e))) != v {
			t.Fatalf("%d comes back as %d", v, engineScore(newScore(e)))
		}
		if back, read := game.Eval(evalText(v)); ok != read || back != e {
			t.Fatalf("%d is %q, read as %+v", v, evalText(v), back)
		}
		if unzigzag(zigzag(int16(v))) != int16(v) {
			t.Fatalf("%d is %d", v, zigzag(int16(v)))
		}
	}
	if zigzag(-1) != 1 || zigzag(1) != 2 || engineScore(NoScore) != engineNone {
		t.Error("zigzag, or no score")
	}
}

func TestScore(t *testing.T) {
	for mate := -1200; mate <= 1200; mate++ {
		e := game.Evaluation{IsMate: true, Mate: mate}
		got, ok := newScore(e).Mate()
		want := max(-mostMate, min(mostMate, mate))
		if mate == 0 {
			continue
		}
		if !ok || got != want {
			t.Fatalf("mate in %d is %d, %v", mate, got, ok)
		}
	}
	for cp := -40000; cp <= 40000; cp++ {
		s := newScore(game.Evaluation{Centipawns: cp})
		if _, ok := s.Mate(); ok || int(s.short()) != max(-30000, min(30000, cp)) {
			t.Fatalf("%d is %d", cp, s.short())
		}
	}
	for v := -1 << 15; v < 1<<15; v++ {
		s := shortScoreOf(int16(v))
		n, mate := s.Mate()
		switch {
		case v > -1<<15 && mate != (v >= 31000 || v <= -31000), v == -1<<15 && s != NoScore, mate && v > 0 &&
			v < 32000 && n != 32000-v, mate && v < 0 && v >= -32000 && n != -32000-v:
			t.Fatalf("%d is mate in %d, %v", v, n, mate)
		case (v >= -30000 && v <= 30000 || mate && v >= -32000 && v < 32000) && int(s.short()) != v:
			t.Fatalf("%d comes back as %d", v, s.short())
		}
	}
	if _, ok := NoScore.Mate(); ok {
		t.Error("no score is a mate")
	}
}

// TestDay: later dates have larger numbers.
func TestDay(t *testing.T) {
	last := uint64(0)
	for i, tags := range [][]game.Tag{
		nil, {{Name: "Date", Value: "????.??.??"}, {Name: "UTCDate", Value: "0001"}},
		{{Name: "Date", Value: "1972.??.??"}}, {{Name: "Date", Value: "1972.07.??"}},
		{{Name: "Date", Value: "1972.07.11"}}, {{Name: "Date", Value: "1972.7.12"}},
		{{Name: "Date", Value: "?"}, {Name: "UTCDate", Value: "1972.08.01"}},
		{{Name: "Date", Value: "2024.12.31"}, {Name: "UTCDate", Value: "1900.01.01"}},
		{{Name: "Date", Value: "9999.99.99.99"}},
	} {
		g := Game{Tags: tags}
		day := g.day()
		if day <= last && i > 0 || i == 0 && day != 0 {
			t.Errorf("%v: %d after %d", tags, day, last)
		}
		last = day
	}
}

// TestParquetLists: the most values of a row are found in all codings of levels.
func TestParquetLists(t *testing.T) {
	for _, c := range []struct {
		pages []string // levels, coded
		want  int64
	}{
		{[]string{"\x03\xfe"}, 8},                      // eight levels: 0 1 1 1 1 1 1 1
		{[]string{"\x03\xee"}, 4},                      // 0 1 1 1 0 1 1 1
		{[]string{"\x02\x00\x0e\x01"}, 8},              // a 0, seven 1
		{[]string{"\x02\x00\x0e\x01", "\x10\x01"}, 16}, // and eight more
		{[]string{"\x10\x00"}, 1},
		{[]string{"\x02\x00\x0e\x01", "\x10\x00", "\x04\x00\x0c\x01"}, 8},
		{[]string{"\x05\xfe\xff"}, 16},
	} {
		var e extent
		for _, p := range c.pages {
			n := int64(8)
			if p[0] == 5 {
				n = 16
			}
			e.lists([]byte(p), 1, n)
		}
		if got := max(e.values, e.open); got != c.want {
			t.Errorf("%q: %d, want %d", c.pages, got, c.want)
		}
	}
}

// TestParquetTags: all tags come back in their order.
func TestParquetTags(t *testing.T) {
	g := game.New()
	for _, tag := range [][2]string{{"X", "1"}, {"WhiteElo", "?"}, {"WhiteElo", "2400"}, {"Event", ""}, {"Event", "b"},
		{"BlackElo", "02400"}, {"Result", "*"},
		{"UTCDate", "2024.02.30"}, {"UTCTime", "23:59:59"}, {"WhiteRatingDiff", "+5"}, {"BlackRatingDiff", "5"},
		{"White", "a"}, {"White", "b"},
		{"BlackRatingDiff", "-3"}, {"UTCDate", "2024.02.29"}, {"Result", "1-0"}, {"X", "2"}, {"ECO", "A00"},
		{"WhiteElo", "99999"}, {"UTCTime", "24:00:00"}} {
		g.AddTag(tag[0], tag[1])
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		rng.Shuffle(len(g.Tags), func(i, k int) { g.Tags[i], g.Tags[k] = g.Tags[k], g.Tags[i] })
		in := Game{Tags: g.Tags[:rng.IntN(len(g.Tags)+1)], Start: usual, Result: game.WhiteWins}
		var b bytes.Buffer
		w := &parquetGames{rows: rows[parquetGame]{w: parquet.NewGenericWriter[parquetGame](&b),
			row: make([]parquetGame, parquetBatch), sources: []string{"a"}}}
		if err := w.game(&in); err != nil {
			t.Fatal(err)
		}
		row := w.row[0]
		back, err := row.restore()
		if err != nil || !slices.Equal(back.Tags, in.Tags) && len(in.Tags) > 0 {
			t.Fatalf("%v: %v, want %v", err, back.Tags, in.Tags)
		}
	}
}
