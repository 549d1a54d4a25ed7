// SPDX-License-Identifier: Apache-2.0

package oracle_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

// edgeGames are games of random moves that are rich in what is rare: variations in each other, start positions, null
// moves.
func edgeGames(t *testing.T, limit int) (all []*game.Game) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/edge.pgn")
	testenv.Must(t, err)
	for g, err := range pgn.NewReader(bytes.NewReader(data)).All() {
		testenv.Must(t, err)
		if all = append(all, g); len(all) == limit {
			break
		}
	}
	return all
}

// sameBeats compares what was read from bytes with what package position says of the games: all but the places of
// bytes.
func sameBeats(t *testing.T, name string, got, want *oracle.Oracle) {
	t.Helper()
	a, b := got.Beats(), want.Beats()
	if len(a) != len(b) || len(a) < 100 {
		t.Fatalf("%s: %d beats, want %d", name, len(a), len(b))
	}
	first := map[int32]uint16{} // plies before the start positions that were loaded, by game
	for _, l := range got.Loads() {
		first[a[l.Beats].Game] = l.State.Ply
	}
	offset := int64(-1)
	for i := range a {
		x, y := a[i], b[i]
		if x.State != nil && y.State != nil && first[x.Game] != 0 {
			state := *x.State
			state.Ply -= first[x.Game]
			x.State = &state
		}
		if x.Offset < offset {
			t.Fatalf("%s: beat %d: byte %d after %d", name, i, x.Offset, offset)
		}
		offset = x.Offset
		x.Offset = y.Offset
		if y.State == nil {
			x.State = nil
		}
		if y.Kind != oracle.BeatPly {
			x.Depth = y.Depth
		}
		if !cmp.Equal(x, y) {
			t.Fatalf("%s: beat %d: %+v\n%v\nwant %+v\n%v", name, i, x, x.State, y, y.State)
		}
	}
}

// Of sound games the oracle says of the words what package position says of the games, with and without variations,
// rules and flags.
func TestWords(t *testing.T) {
	for _, p := range []oracle.Params{{}, {Depth: 2}, {Depth: 31}, {Depth: 31, Legal: true},
		{Legal: true, Mate: true}} {
		got, want := oracle.New(p), oracle.New(p)
		for _, g := range edgeGames(t, 60) {
			words, err := bitstream.AppendGame(nil, g)
			testenv.Must(t, err)
			got.Words(words)
			want.Game(g)
		}
		if err := got.Err(); err != nil {
			t.Error(err)
		}
		sameBeats(t, fmt.Sprintf("%+v", p), got, want)
	}
}

// The same of Brenner's bytes.
func TestBrenner(t *testing.T) {
	for _, l := range brenner.Layouts {
		got, want := oracle.New(oracle.Params{}), oracle.New(oracle.Params{})
		for _, g := range edgeGames(t, 200) {
			data, err := l.Encode(g)
			if err != nil && !errors.Is(err, codec.ErrLoss) || g.Start != position.Start() || g.Result == game.Unknown {
				continue // what the layout cannot hold
			}
			if words, _, err := l.DecodeIndices(nil, data); err != nil ||
				len(words) != len(slices.Collect(mainLine(g)))+1 {
				continue // cut before what has no byte
			}
			if got.Brenner(l, data) {
				t.Fatal("a game ends inside a text")
			}
			want.Game(g)
		}
		sameBeats(t, l.String(), got, want)
	}
}

func mainLine(g *game.Game) func(func(chess.Move) bool) {
	return func(yield func(chess.Move) bool) {
		for _, m := range g.MainLine() {
			if !yield(m) {
				return
			}
		}
	}
}

// whole reports whether words that a codec has read hold all plies of a game.
func whole(words []moveindex.Index, g *game.Game) bool {
	n := 0
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == moveindex.NAG:
			i++
		case w < moveindex.NumMoves || w == moveindex.Null:
			n++
		}
	}
	return n == len(oracle.Plies(g))
}

// The same of jose's bytes, with start positions that are loaded.
func TestJose(t *testing.T) {
	for _, d := range jose.Dialects {
		for _, p := range []oracle.Params{{}, {Depth: 8}} {
			got, want := oracle.New(p), oracle.New(p)
			var dec jose.Decoder
			loads := 0
			for _, g := range edgeGames(t, 100) {
				rec, err := d.Encode(g, jose.Table)
				if err != nil && !errors.Is(err, codec.ErrLoss) {
					continue
				}
				words, _, err := dec.DecodeIndices(d, &g.Start, nil, rec.GameText)
				if err != nil || !whole(words, g) {
					continue
				}
				load(got, g, &loads)
				if size := got.Jose(d, rec.GameText); size != len(rec.GameText) {
					t.Fatalf("%d bytes of %d", size, len(rec.GameText))
				}
				want.Game(g)
			}
			if loads == 0 || loads != len(got.Loads()) {
				t.Errorf("%d start positions, want %d", len(got.Loads()), loads)
			}
			sameBeats(t, d.String(), got, want)
		}
	}
}

// load loads a game's start position. Plies then count from its own, where those of Game count from 0.
func load(o *oracle.Oracle, g *game.Game, loads *int) {
	if g.Start != position.Start() {
		*loads++
		o.Load(&g.Start)
	}
}

// The same of ChessBase's bytes, in both numberings.
func TestChessBase(t *testing.T) {
	for _, n := range []chessbase.Numbering{chessbase.NumberingDocument, chessbase.NumberingCBASCII} {
		for _, p := range []oracle.Params{{}, {Depth: 8}, {Depth: 8, Legal: true}} {
			got, want := oracle.New(p), oracle.New(p)
			loads := 0
			var record chessbase.Record
			for _, g := range edgeGames(t, 100) {
				if err := chessbase.EncodeGame(g, &record, n); err != nil && !errors.Is(err, codec.ErrLoss) {
					continue
				}
				words, err := chessbase.AppendIndices(nil, record.Moves, &g.Start, n)
				if err != nil || !whole(words, g) {
					continue
				}
				load(got, g, &loads)
				got.ChessBase(n, append(slices.Clone(record.Moves), 0, record.Header[1]))
				want.Game(g)
			}
			sameBeats(t, n.String(), got, want)
		}
	}
}

// One word of a game is replaced: the oracle finds the error where the software's reader finds it. Where the board
// applies a move that is not legal, it finds it with Legal, with a reason.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 6))
	found, reasons := map[oracle.Fault]int{}, map[oracle.Reason]int{}
	for _, g := range edgeGames(t, 100) {
		sound, err := bitstream.AppendGame(nil, g)
		testenv.Must(t, err)
		for range 20 {
			words := slices.Clone(sound)
			words[r.IntN(len(words))] = moveindex.Index(r.IntN(moveindex.NumWords))
			var read game.Game
			_, err := bitstream.DecodeGame(words, &read)
			var we *codec.Error
			if errors.As(err, &we) && errors.Is(err, codec.ErrStart) {
				continue // there the rules know more than the hardware
			}
			o := oracle.New(oracle.Params{Depth: 31, Legal: true})
			o.Words(append(words, moveindex.ResultUnknown)) // so that it ends
			if o.Err() != nil {
				continue
			}
			beats := o.Beats()
			at := slices.IndexFunc(beats, func(b oracle.Beat) bool { return b.Kind != oracle.BeatPly })
			b := beats[at]
			wrong := b.Kind == oracle.BeatError
			switch {
			case errors.Is(err, codec.ErrText), errors.Is(err, codec.ErrTruncated):
				// The hardware does not look into texts.
			case (err != nil) != wrong:
				t.Fatalf("%+v, the reader says %v", b, err)
			case wrong && int64(we.Offset)*11/8 != b.Offset:
				t.Fatalf("%+v, the reader says word %d: %v", b, we.Offset, err)
			case wrong:
				reasons[b.Reason]++
				for f := range oracle.MaxFault + 1 {
					if b.Codes>>f&1 != 0 {
						found[f]++
					}
				}
			}
		}
	}
	t.Log(found, reasons)
	for _, f := range []oracle.Fault{oracle.FaultEmpty, oracle.FaultOpponent, oracle.FaultOwn, oracle.FaultGeometry,
		oracle.FaultCode, oracle.FaultPlace, oracle.FaultStopped} {
		if found[f] == 0 {
			t.Errorf("no %v", f)
		}
	}
	if reasons[oracle.ReasonBlocked] == 0 || reasons[oracle.ReasonCheck] == 0 {
		t.Error("no line blocked or no king in check")
	}
}

// A start position that is none is an error without an index, and the usual position is back.
func TestOfStart(t *testing.T) {
	s := oracle.Initial()
	s.Put(chess.E1, chess.NoPiece)
	o := oracle.New(oracle.Params{})
	o.LoadRefused(s)
	o.ChessBase(chessbase.NumberingDocument, []byte{11, 0, 2})
	o.ChessBase(chessbase.NumberingDocument, []byte{11, 0, 1})
	words := slices.Repeat([]moveindex.Index{0}, bitstream.StartWords+1)
	words[0] = moveindex.Start
	w := oracle.New(oracle.Params{})
	w.Words(append(words, 11, moveindex.ResultDraw))
	for _, one := range []*oracle.Oracle{o, w} {
		b := one.Beats()[0]
		if b.Kind != oracle.BeatError || b.Codes != 1<<oracle.FaultStart || *b.State != oracle.Initial() ||
			one.Beats()[1].Kind != oracle.BeatEnd {
			t.Errorf("%+v\n%v", b, b.State)
		}
	}
	if b := o.Beats()[2]; b.Kind != oracle.BeatPly || b.Game != 2 || b.Offset != 3 {
		t.Errorf("%+v", b)
	}
	for f := range oracle.MaxFault + 1 {
		if f.OfStart() != (f == oracle.FaultStart) {
			t.Errorf("%v: OfStart is %v", f, f.OfStart())
		}
	}
}
