// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

func TestResetKeepsMemory(t *testing.T) {
	g := game.New()
	var b game.Builder
	build := func() {
		g.Reset()
		b.Reset(g)
		for range 100 {
			b.Move(chess.NullMove)
			b.NAG(1)
			b.StartVariation()
			b.Move(chess.NullMove)
			b.EndVariation()
		}
	}
	build()
	if n := testing.AllocsPerRun(10, build); n != 0 {
		t.Errorf("%v allocations in a game that was Reset", n)
	}
}

// TestBuilderAndCursor builds random games from random events, and walks them: the events come back.
func TestBuilderAndCursor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		g := game.New()
		var b game.Builder
		b.Reset(g)
		var want []game.Event
		type line struct{ moves, at int }
		lines := []line{{}}
		for range rng.IntN(60) {
			top := &lines[len(lines)-1]
			switch k := rng.IntN(12); {
			case k < 2:
				var run []chess.Move
				for range rng.IntN(4) {
					m := chess.Move(rng.IntN(4096))
					run = append(run, m)
					want = append(want, game.Event{Kind: game.MoveEvent, Move: m})
					top.moves++
				}
				b.Moves(run)
			case k < 5:
				m := chess.Move(rng.IntN(4096))
				b.Move(m)
				want = append(want, game.Event{Kind: game.MoveEvent, Move: m})
				top.moves++
			case k < 6:
				n := uint8(rng.IntN(256))
				b.NAG(n)
				want = append(want, game.Event{Kind: game.NAG, NAG: n})
			case k < 8:
				s := string(rune('a' + rng.IntN(26)))
				if k == 6 {
					b.Comment(s)
				} else {
					b.AddText([]byte(s))
				}
				want = append(want, game.Event{Kind: game.Comment, Text: s})
			case k < 10:
				err := b.StartVariation()
				if (err == nil) != (top.moves > 0) {
					t.Fatalf("round %d: StartVariation after %d moves: %v", round, top.moves, err)
				}
				if err == nil {
					lines = append(lines, line{at: len(want)})
					want = append(want, game.Event{Kind: game.VariationStart})
				}
			default:
				err := b.EndVariation()
				switch {
				case len(lines) == 1:
					if !errors.Is(err, game.ErrNoVariation) {
						t.Fatalf("round %d: %v", round, err)
					}
					continue
				case top.moves == 0:
					if !errors.Is(err, game.ErrNoMove) {
						t.Fatalf("round %d: %v", round, err)
					}
					want = slices.Delete(want, top.at, top.at+1)
				default:
					want = append(want, game.Event{Kind: game.VariationEnd})
				}
				lines = lines[:len(lines)-1]
			}
		}
		for len(lines) > 1 {
			if lines[len(lines)-1].moves == 0 {
				want = slices.Delete(want, lines[len(lines)-1].at, lines[len(lines)-1].at+1)
			} else {
				want = append(want, game.Event{Kind: game.VariationEnd})
			}
			b.EndVariation()
			lines = lines[:len(lines)-1]
		}
		b.Flush()
		if b.Depth() != 0 {
			t.Fatalf("round %d: depth %d", round, b.Depth())
		}
		check(t, g, want)
		check(t, g.Clone(), want)
		if !g.Equal(g.Clone()) {
			t.Fatalf("round %d: a clone differs: %s", round, g.Diff(g.Clone()))
		}
		// Going on at the end of the main line.
		b.Reset(g)
		b.Move(42)
		want = append(want, game.Event{Kind: game.MoveEvent, Move: 42})
		check(t, g, want)
	}
}

// TestTextsWithoutFlush: texts that were not flushed, as where a decoder has met an error, are empty, and hide no
// other.
func TestTextsWithoutFlush(t *testing.T) {
	texts := func(g *game.Game) (list []string) {
		for e := range g.All() {
			list = append(list, e.Text)
		}
		return list
	}
	g := game.New()
	var lost, b game.Builder
	lost.Reset(g)
	lost.Comment("a")
	lost.AddText([]byte("b"))
	lost.AddText([]byte("c"))
	if got, want := texts(g), []string{"a", "", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	b.Reset(g)
	b.AddText([]byte("d"))
	b.Comment("e")
	b.AddText(nil)
	b.Flush()
	if got, want := texts(g), []string{"a", "", "", "d", "e", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// check compares the events of a game, and the ways to go through it with each other.
func check(t *testing.T, g *game.Game, want []game.Event) {
	t.Helper()
	var got []game.Event
	depth := 0
	var main []chess.Move
	var path []game.Node // the last node at each depth
	path = append(path, game.Root)
	moves, variations := 0, 0
	for e := range g.All() {
		switch e.Kind {
		case game.MoveEvent:
			moves++
			if depth == 0 {
				main = append(main, e.Move)
			}
			if g.Prev(e.Node) != path[depth] || g.Next(path[depth]) != e.Node || g.IsStart(e.Node) {
				t.Fatalf("node %d after %d: Prev %d, Next %d", e.Node, path[depth], g.Prev(e.Node), g.Next(path[depth]))
			}
			path[depth] = e.Node
		case game.VariationStart:
			variations++
			if g.Prev(e.Node) != path[depth] || !g.IsStart(e.Node) {
				t.Fatalf("variation %d of %d: Prev %d", e.Node, path[depth], g.Prev(e.Node))
			}
			depth++
			path = append(path[:depth], e.Node)
		case game.VariationEnd:
			if g.Next(path[depth]) != game.NoNode {
				t.Fatalf("a line goes on after its end")
			}
			depth--
		}
		e.Node = 0
		got = append(got, e)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("events\n%v, want\n%v", got, want)
	}
	for k := range want {
		c := g.Cursor()
		for range k + 1 {
			c.Next()
		}
		c.SkipLine()
		end, inside := k+1, 0
		for ; end < len(want) && (inside > 0 || want[end].Kind != game.VariationEnd); end++ {
			switch want[end].Kind {
			case game.VariationStart:
				inside++
			case game.VariationEnd:
				inside--
			}
		}
		got = got[:0]
		for c.Next() {
			c.Event.Node = 0
			got = append(got, c.Event)
		}
		if !slices.Equal(got, want[end:]) {
			t.Fatalf("events\n%v, and after SkipLine at %d\n%v, want\n%v", want, k, got, want[end:])
		}
	}
	if list := g.AppendMainLine(nil); !slices.Equal(list, main) || g.Len() != len(main) {
		t.Fatalf("main line %v, Len %d, want %v", list, g.Len(), main)
	}
	if g.NumMoves() != moves || g.NumVariations() != variations {
		t.Fatalf("%d moves and %d variations, want %d and %d", g.NumMoves(), g.NumVariations(), moves, variations)
	}
}

func TestDiff(t *testing.T) {
	build := func(f func(*game.Game, *game.Builder)) *game.Game {
		g := game.New()
		var b game.Builder
		b.Reset(g)
		g.AddTag("Event", "x")
		b.Move(796)
		b.Comment("c")
		f(g, &b)
		return g
	}
	base := build(func(*game.Game, *game.Builder) {})
	if d := base.Diff(build(func(*game.Game, *game.Builder) {})); d != "" {
		t.Error(d)
	}
	for i, f := range []func(*game.Game, *game.Builder){
		func(g *game.Game, _ *game.Builder) { g.AddTag("Event", "x") },
		func(g *game.Game, _ *game.Builder) { g.SetTag("Event", "y") },
		func(g *game.Game, _ *game.Builder) { g.Result = game.Draw },
		func(g *game.Game, _ *game.Builder) { g.Start.MakeNull() },
		func(_ *game.Game, b *game.Builder) { b.Move(1) },
		func(_ *game.Game, b *game.Builder) { b.NAG(1) },
		func(_ *game.Game, b *game.Builder) { b.Comment("") },
	} {
		if g := build(f); base.Equal(g) || g.Equal(base) {
			t.Errorf("change %d is not seen", i)
		}
	}
}

func TestSetStart(t *testing.T) {
	g := game.New()
	p, err := position.ParseFEN("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	g.SetStart(p)
	if g.Tag("SetUp") != "1" || g.Tag("FEN") != p.FEN() {
		t.Errorf("tags %v", g.Tags)
	}
	g.SetStart(position.Start())
	if len(g.Tags) != 0 {
		t.Errorf("tags %v", g.Tags)
	}
}

func TestCommands(t *testing.T) {
	const text = "a [%clk 1:05:23.5][%eval -1.35,20] b [%cal Gg1f3,Re2e4,x] [%csl Yd4] [%emt 12] [% ] [%open [%x y] [%"
	var names []string
	for c := range game.Commands(text) {
		if text[c.Start:c.Start+2] != "[%" || text[c.End-1] != ']' {
			t.Errorf("%+v", c)
		}
		names = append(names, c.Name)
	}
	if want := []string{"clk", "eval", "cal", "csl", "emt", "x"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if d, ok := game.Clock(text); !ok || d != time.Hour+5*time.Minute+23500*time.Millisecond {
		t.Error(d, ok)
	}
	if e, ok := game.Eval(text); !ok || e != (game.Evaluation{Centipawns: -135, Depth: 20}) {
		t.Error(e, ok)
	}
	for s, want := range map[string]game.Evaluation{"#-3": {Mate: -3, IsMate: true}, "0.5": {Centipawns: 50},
		"12": {Centipawns: 1200}, "-0.07": {Centipawns: -7}, "+1.234": {Centipawns: 123}} {
		if e, ok := game.Eval("[%eval " + s + "]"); !ok || e != want {
			t.Errorf("%q: %+v %v", s, e, ok)
		}
	}
	for _, s := range []string{"", "x", "#", "1.", "1.x", "--1", "1,x", "99999999999"} {
		if e, ok := game.Eval("[%eval " + s + "]"); ok {
			t.Errorf("%q: %+v", s, e)
		}
	}
	for _, s := range []string{"", "x", "1:2:3:4", "1:60", "-1:00", "1.5:00", "1:2.", "0:00:1x", "99999999:00:00"} {
		if d, ok := game.Clock("[%clk " + s + "]"); ok {
			t.Errorf("%q: %v", s, d)
		}
	}
}

func TestResults(t *testing.T) {
	for _, r := range []game.Result{game.Unknown, game.WhiteWins, game.BlackWins, game.Draw} {
		if s, err := game.ParseResult(r.String()); err != nil || s != r {
			t.Errorf("%v reads as %v", r, s)
		}
		if s, ok := game.ResultOf(r.Index()); !ok || s != r {
			t.Errorf("%v has the code of %v", r, s)
		}
	}
	if _, ok := game.ResultOf(moveindex.Null); ok {
		t.Error("the null move is a result")
	}
}

// TestCommandVectors reads docs/vectors/commands.json, as the readers in other languages do.
func TestCommandVectors(t *testing.T) {
	var vectors []struct {
		Comment     string
		Clock, Eval *int
	}
	text, err := os.ReadFile("../docs/vectors/commands.json")
	if err := errors.Join(err, json.Unmarshal(text, &vectors)); err != nil || len(vectors) == 0 {
		t.Fatal(len(vectors), err)
	}
	for _, v := range vectors {
		d, clock := game.Clock(v.Comment)
		if clock != (v.Clock != nil) || clock && min(int64(d/(10*time.Millisecond)), math.MaxInt32) != int64(*v.Clock) {
			t.Errorf("%s: clock %v, %v", v.Comment, d, clock)
		}
		e, ok := game.Eval(v.Comment)
		if !ok {
			e, ok = game.MatchEval(v.Comment, chess.White)
			if black, too := game.MatchEval(v.Comment, chess.Black); too != ok || black.Mate != -e.Mate ||
				black.Centipawns != -e.Centipawns || black.Depth != e.Depth {
				t.Errorf("%s: %+v of White's move, %+v of Black's", v.Comment, e, black)
			}
		}
		score := max(-30000, min(30000, e.Centipawns))
		if e.IsMate && e.Mate > 0 {
			score = 32000 - min(e.Mate, 1000)
		} else if e.IsMate {
			score = -32000 - max(e.Mate, -1000)
		}
		if ok != (v.Eval != nil) || ok && score != *v.Eval {
			t.Errorf("%s: %+v, %v", v.Comment, e, ok)
		}
	}
}

// TestStartOf: what a Variant tag makes of the rights to castle that a FEN gives.
func TestStartOf(t *testing.T) {
	for _, c := range []struct{ variant, fen, want string }{
		{"Standard", "r3k2r/8/8/8/8/8/8/3R1RK1 b KQkq - 0 1", "r3k2r/8/8/8/8/8/8/3R1RK1 b kq - 0 1"},
		{"From Position", "1r2k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1"},
		{"Standard", "r3k2r/8/8/8/8/8/8/R3K1R1 w GAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1"},
		{"", "r3k2r/8/8/8/8/8/8/3R1RK1 b KQkq - 0 1", "r3k2r/8/8/8/8/8/8/3R1RK1 b Qkq - 0 1"},
		{"Chess960", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
		{"F\u0130scherrandom", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
	} {
		p, err := position.ParseFENLenient(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := game.StartOf(c.variant, p); got.FEN() != c.want {
			t.Errorf("%q, %s: %s, want %s", c.variant, c.fen, got.FEN(), c.want)
		}
	}
}

// TestDate: the one reader of dates.
func TestDate(t *testing.T) {
	for _, c := range []struct {
		date, utc        string
		year, month, day int // all 0: no year
	}{
		{"1972.07.11", "2013.06.30", 1972, 7, 11},
		{"1972.??.??", "2013.06.30", 1972, 0, 0},
		{"1972.??.11", "", 1972, 0, 0},
		{"????.??.??", "2013.06.30", 2013, 6, 30},
		{"", "2013.06.30", 2013, 6, 30},
		{"?", "", 0, 0, 0},
		{"19", "", 0, 0, 0},
		{"2023-07-09", "", 2023, 7, 9},
		{"2023.7.9", "", 2023, 7, 9},
		{"2023/7/09", "", 2023, 7, 9},
		{" 2023.7 ", "", 2023, 7, 0},
		{"2023.13.01", "", 2023, 0, 0},
		{"2023.12.32", "", 2023, 12, 0},
		{"2023.123", "", 2023, 0, 0},
		{"20230709", "", 2023, 0, 0},
		{"9.7.2023", "", 0, 0, 0},
		{"x", "y", 0, 0, 0},
		{"2023", "1999", 2023, 0, 0},
	} {
		g := game.New()
		g.AddTag("Date", c.date)
		g.AddTag("UTCDate", c.utc)
		year, month, day, ok := game.DateOf(g.Date())
		if year != c.year || month != c.month || day != c.day || ok != (c.year > 0) {
			t.Errorf("%q, %q: %d, %d, %d, %v", c.date, c.utc, year, month, day, ok)
		}
	}
}
