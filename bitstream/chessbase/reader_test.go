// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/moveindex"
	"ply11/position"
)

func sample(t testing.TB) []*game.Game {
	return []*game.Game{
		codectest.Parse(t, "[Event \"Linares\"]\n[Site \"Spain\"]\n[Date \"1993.??.??\"]\n[White \"Karpov\"]\n[Black "+
			"\"Kasparov\"]\n[Result \"0-1\"]\n"+
			"[WhiteElo \"2725\"]\n[BlackElo \"2805\"]\n[ECO \"E86\"]\n\n1. d4 Nf6! "+
			"(1... d5 {or so} 2. c4) 2. c4 g6 0-1"),
		codectest.Parse(t, "[White \"A\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"4k2r/8/8/3pP3/8/8/3P4/4K3 w k - 0 "+
			"40\"]\n\n{Opening} 40. d4 O-O 41. Ke2 *"),
		codectest.Parse(t, "[Black \"B\"]\n[Result \"1-0\"]\n\n1-0"),
		codectest.Parse(t, "[Event \"x\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2"),
	}
}

func TestRandomAccess(t *testing.T) {
	games := sample(t)
	cbf, cbi := write(t, games)
	r := newReader(t, cbf, cbi)
	var g game.Game
	for _, i := range []int{4, 1, 3, 2, 2, 1} {
		if err := r.Game(i, &g); err != nil {
			t.Fatal(err)
		}
		if d := g.Diff(games[i-1]); d != "" {
			t.Errorf("game %d: %s", i, d)
		}
		if g.Source.Number != i || g.Source.End <= g.Source.Start {
			t.Errorf("game %d: %+v", i, g.Source)
		}
	}
	for _, i := range []int{0, -1, 5, math.MaxInt} {
		if err := r.Game(i, &g); !errors.Is(err, codec.ErrCorrupt) {
			t.Errorf("game %d: %v", i, err)
		}
	}
}

// One bad game is one error; the others are read.
func TestBadGames(t *testing.T) {
	games := sample(t)
	cbf, cbi := write(t, games)
	offsets := func(i int) int64 { return int64(binary.BigEndian.Uint32(cbi[4*i:])) - int64(i) - 1 }
	for _, c := range []struct {
		name   string
		change func(cbf, cbi []byte) ([]byte, []byte)
		errs   []error
		bad    []int
		offset int64
	}{
		{"entry beyond the end", func(f, i []byte) ([]byte, []byte) {
			binary.BigEndian.PutUint32(i[8:], 0x7fffffff)
			return f, i
		}, []error{codec.ErrCorrupt}, []int{2}, 0x7fffffff - 3},
		{"entry below its bias", func(f, i []byte) ([]byte, []byte) {
			binary.BigEndian.PutUint32(i[8:], 2)
			return f, i
		}, []error{codec.ErrCorrupt}, []int{2}, 8},
		{"file cut in the last game", func(f, i []byte) ([]byte, []byte) { return f[:len(f)-1], i },
			[]error{codec.ErrTruncated}, []int{4}, offsets(4)},
		{"file cut in the last header", func(f, i []byte) ([]byte, []byte) { return f[:offsets(4)+3], i },
			[]error{codec.ErrTruncated}, []int{4}, offsets(4)},
		{"a move beyond the list", func(f, i []byte) ([]byte, []byte) {
			f[offsets(4)+14+1] = 100 // the first move is not coded
			return f, i
		}, []error{codec.ErrReserved}, []int{4}, offsets(4) + 15},
		{"no length of moves", func(f, i []byte) ([]byte, []byte) {
			h := decrypt([14]byte(f[offsets(1):]))
			h[2], h[3] = 0, 0
			e := h.encrypt()
			copy(f[offsets(1):], e[:])
			return f, i
		}, []error{codec.ErrCorrupt}, []int{1}, 2},
		{"a bad starting position", func(f, i []byte) ([]byte, []byte) {
			f[offsets(3)-33] = 0x77
			return f, i
		}, []error{codec.ErrStart}, []int{2}, offsets(3) - 33},
		{"a bad comment", func(f, i []byte) ([]byte, []byte) {
			n := bytes.Index(f, []byte("\x00\x00\x00\x00or so"))
			f[n+3] = 1
			return f, i
		}, []error{codec.ErrText}, []int{1}, int64(bytes.Index(cbf, []byte("\x00\x00\x00\x00or so"))) - 1},
	} {
		f, x := c.change(slices.Clone(cbf), slices.Clone(cbi))
		r := newReader(t, f, x)
		n := 0
		var bad []int
		for g, err := range r.All() {
			n++
			if err == nil {
				if d := g.Diff(games[n-1]); d != "" {
					t.Errorf("%s: game %d: %s", c.name, n, d)
				}
				continue
			}
			bad = append(bad, n)
			var e *codec.Error
			if !errors.Is(err, c.errs[0]) || !errors.As(err, &e) || e.Game != n || e.Offset != c.offset {
				t.Errorf("%s: %v, not at offset %d", c.name, err, c.offset)
			}
		}
		if n != len(games) || !slices.Equal(bad, c.bad) {
			t.Errorf("%s: %d games, bad are %d", c.name, n, bad)
		}
	}
}

func TestBadIndex(t *testing.T) {
	for _, b := range [][]byte{{}, {0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 2}, {0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 3},
		{255, 255, 255, 255, 0, 0, 0, 2}} {
		if _, err := openGameIndex(bytes.NewReader(b), int64(len(b))); !errors.Is(err, codec.ErrCorrupt) {
			t.Errorf("% x: %v", b, err)
		}
	}
	if _, err := openGameIndex(bytes.NewReader(nil), 100); !errors.Is(err, codec.ErrTruncated) {
		t.Error(err)
	}
}

func TestVerify(t *testing.T) {
	cbf, cbi := write(t, sample(t))
	for err := range newReader(t, cbf, cbi).Verify() {
		t.Error(err)
	}
	for _, c := range []struct {
		at   int
		bits byte
		err  error
		n    int // faults: byte 13 depends on the bytes before it
	}{
		{13, 1, codec.ErrCorrupt, 1}, {12, 8, codec.ErrCorrupt, 1}, {1, 0x40, codec.ErrCorrupt, 1},
		{1, 4, codec.ErrCorrupt, 1}, {9, 1, nil, 0},
	} {
		file := slices.Clone(cbf)
		file[c.at] ^= c.bits
		n := 0
		for err := range newReader(t, file, cbi).Verify() {
			var e *codec.Error
			if n++; !errors.Is(err, c.err) || !errors.As(err, &e) || e.Game != 1 || e.Offset != int64(c.at) {
				t.Errorf("byte %d: %v", c.at, err)
			}
		}
		if n != c.n {
			t.Errorf("byte %d: %d faults", c.at, n)
		}
	}
}

// The files of the known writer have no fault: bytes 12 and 13 are right in all 695 games.
func TestVerifyPairs(t *testing.T) {
	for _, pair := range pairs {
		cbf, cbi := readPair(t, pair.name)
		for err := range newReader(t, cbf, cbi).Verify() {
			t.Error(pair.name, err)
		}
	}
}

// Without an index, and with bytes of no game between the games, all games are found.
func TestWalk(t *testing.T) {
	games := sample(t)
	cbf, cbi := write(t, games)
	var offsets []int
	for i := 1; i <= len(games)+1; i++ {
		offsets = append(offsets, int(binary.BigEndian.Uint32(cbi[4*i:]))-i-1)
	}
	walk := func(file []byte) (found []*game.Game, errs []error) {
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), nil, 0)
		if err != nil || r.Len() != -1 {
			t.Fatal(err)
		}
		for g, err := range r.All() {
			if err != nil {
				errs = append(errs, err)
				continue
			}
			found = append(found, g.Clone())
		}
		return found, errs
	}
	found, errs := walk(cbf)
	compareGames(t, found, games)
	if errs != nil {
		t.Error(errs)
	}
	junk := []byte("These bytes are of a game that was longer once.\x00\xff\x00\xff")
	for at, offset := range offsets {
		if at == len(offsets)-1 {
			junk = []byte{1, 2, 3}
		}
		file := slices.Concat(cbf[:offset], junk, cbf[offset:])
		found, errs := walk(file)
		compareGames(t, found, games)
		var e *codec.Error
		if len(errs) != 1 || !errors.As(errs[0], &e) || e.Offset != int64(offset) {
			t.Errorf("junk at %d: %v", offset, errs)
		}
	}
	// A game cut out of the middle of the file loses that game alone.
	file := slices.Concat(cbf[:offsets[1]-5], cbf[offsets[1]:])
	found, errs = walk(file)
	compareGames(t, found, games[1:])
	if len(errs) != 1 {
		t.Error(errs)
	}
}

// What the format cannot hold is named, and with Lossy left out.
func TestLosses(t *testing.T) {
	for _, c := range []struct{ pgn, want, kept string }{
		{"[Round \"3\"]\n\n1. e4 *", "tag Round", "1. e4 *"},
		{"[Date \"1993.02.??\"]\n\n1. e4 *", "month and day", "1. e4 *"},
		{"[Date \"1700.??.??\"]\n\n1. e4 *", "year 1700", "1. e4 *"},
		{"[WhiteElo \"2702\"]\n\n1. e4 *", "WhiteElo 2702, between steps of 5", "1. e4 *"},
		{"[BlackElo \"1500\"]\n\n1. e4 *", "BlackElo \"1500\"", "1. e4 *"},
		{"[White \"Short-Long\"]\n\n1. e4 *", "\"-\" in White", "1. e4 *"},
		{"[White \"" + strings.Repeat("x", 64) + "\"]\n\n1. e4 *", "White and Black beyond 63 bytes", "1. e4 *"},
		{"[White \"Прокеш\"]\n\n1. e4 *", "\"Прокеш\" in White and Black", "1. e4 *"},
		{"[Event \"a / b\"]\n\n1. e4 *", "\" / \" in Event", "1. e4 *"},
		{"[Event \"a /\"]\n[Site \"b\"]\n\n1. e4 *", "\" / \" in Event", "1. e4 *"},
		{"[ECO \"Z99\"]\n\n1. e4 *", "tag ECO \"Z99\"", "1. e4 *"},
		{"[Result \"1-0\"]\n\n1. e4 *", "tag Result 1-0 of a game that ends *", "1. e4 *"},
		{"1. e4 $7 $1 $2 *", "NAG $7 at ply 1, NAG $2 at ply 1", "1. e4! *"},
		{"1. e4 e5 (1... c5 2. -- Nc6 {x} (2... d6)) 2. Nf3 *", "null move at ply 3 and what follows it",
			"1. e4 e5 (1... c5) 2. Nf3 *"},
		{"1. e4 e5 (1... --) 2. Nf3 *", "null move at ply 2 and what follows it", "1. e4 e5 2. Nf3 *"},
		{"1. e4 ({a} $1 1. d4) e5 *",
			"comment before a variation's first move at ply 1, NAG $1 before a variation's first move at ply 1",
			"1. e4 (1. d4) 1... e5 *"},
		{"1. e4 {│ ■ ▒} *", "\"│■▒\" in the comment at ply 1", "1. e4 {? ? ?} *"},
		{"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 7 300\"]\n[ECO \"A00\"]\n\n300. O-O *",
			"tag ECO of a set-up position, move number 300, halfmove clock 7", "256. O-O *"},
	} {
		g := codectest.Parse(t, c.pgn)
		var cbf bytes.Buffer
		var cbi codectest.File
		lost := lossyWrite(t, func(o codec.WriterOption) codec.Writer {
			return NewWriter(&cbf, &cbi, NumberingAuto, o)
		}, g)
		if strings.Join(lost, ", ") != c.want {
			t.Errorf("%s: %q", c.pgn, lost)
		}
		r := newReader(t, cbf.Bytes(), cbi.Bytes)
		if got := readAll(t, r); bytes.Contains(r.record.Moves, []byte{variationStart, variationEnd}) {
			t.Errorf("%s: % x has a variation without a move, %d games", c.pgn, r.record.Moves, len(got))
		}
		got := readAll(t, newReader(t, cbf.Bytes(), cbi.Bytes))
		if len(got) != 1 || codectest.Movetext(got[0]) != c.kept {
			t.Errorf("%s: %s", c.pgn, codectest.Movetext(got[0]))
		}
	}
}

// A position with more than 127 moves before one: "assuming that the Move Generator generates always less than 128
// moves".
func TestTooManyMoves(t *testing.T) {
	p, err := position.ParseFENLenient("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1") // 218 moves
	if err != nil {
		t.Fatal(err)
	}
	g := NewGenerator(p, NumberingDocument)
	if g.Count() != 218 {
		t.Errorf("%d moves", g.Count())
	}
	for n := 1; n <= 218; n++ {
		m, err := g.Move(n)
		if err != nil {
			t.Fatal(err)
		}
		x := game.New()
		x.SetStart(p)
		var b game.Builder
		b.Reset(x)
		b.Move(m)
		b.NAG(1)
		var r Record
		lost, err := encodeGame(x, &r, NumberingAuto)
		switch {
		case n > 127:
			if !errors.Is(err, codec.ErrLimit) {
				t.Errorf("%d: %v", n, err)
			}
		case n == 127: // with the comment's bit it would be the start of a variation
			if err != nil || len(lost) != 1 || lost[0] != "annotation at ply 1, of move number 127" ||
				r.Moves[0] != 127 {
				t.Errorf("%d: %v, %v", n, lost, err)
			}
		case err != nil || lost != nil || r.Moves[0] != byte(n)|0x80:
			t.Errorf("%d: %v, %v", n, lost, err)
		}
	}
	i, _ := moveindex.Of(chess.NewMove(chess.H4, chess.H5))
	if _, err := AppendMoves(nil, []moveindex.Index{i}, &p, NumberingDocument); !errors.Is(err, codec.ErrLimit) {
		t.Error(err)
	}
}

// Fields of 16 bits: a longer move list is refused, longer comments are named.
func TestLimits(t *testing.T) {
	knights := func(n int) *game.Game {
		g := game.New()
		g.AddTag("Result", "*")
		var b game.Builder
		b.Reset(g)
		for i := range n {
			m, _ := chess.ParseUCI([]string{"g1f3", "g8f6", "f3g1", "f6g8"}[i%4])
			b.Move(m)
		}
		return g
	}
	long := knights(maxMovesSize)
	cbf, cbi := write(t, []*game.Game{long})
	compareGames(t, readAll(t, newReader(t, cbf, cbi)), []*game.Game{long})
	var r Record
	if _, err := encodeGame(knights(maxMovesSize+1), &r, NumberingAuto); !errors.Is(err, codec.ErrLimit) {
		t.Error(err)
	}
	g := game.New()
	var b game.Builder
	b.Reset(g)
	b.Comment(strings.Repeat("x", 70000))
	if lost, err := encodeGame(g, &r, NumberingAuto); err != nil || len(lost) != 1 ||
		lost[0] != "comments beyond 65535 bytes" || len(r.Comments) != 0 {
		t.Error(lost, err)
	}
	for _, bad := range []Record{{Player: make([]byte, 64)}, {Source: make([]byte, 64)}, {Moves: make([]byte, 65535)},
		{Comments: make([]byte, 65536)}} {
		if _, err := bad.appendTo(nil); !errors.Is(err, codec.ErrLimit) {
			t.Error(err)
		}
	}
	if _, err := (&Record{Setup: make([]byte, 32)}).appendTo(nil); !errors.Is(err, codec.ErrStart) {
		t.Error(err)
	}
}

// The raw layer: words of the index to a move list and back, and what is no move.
func TestIndices(t *testing.T) {
	g := codectest.Parse(t, "1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... e6) 2. Nf3 *")
	var r Record
	if _, err := encodeGame(g, &r, NumberingAuto); err != nil {
		t.Fatal(err)
	}
	start := position.Start()
	words, err := AppendIndices(nil, r.Moves, &start, NumberingAuto)
	if err != nil || len(words) != 13 {
		t.Fatal(words, err)
	}
	moves, err := AppendMoves(nil, words, &start, NumberingAuto)
	if err != nil || !bytes.Equal(moves, r.Moves) {
		t.Errorf("% x, % x, %v", moves, r.Moves, err)
	}
	for _, c := range []struct {
		words []moveindex.Index
		err   error
	}{
		{[]moveindex.Index{moveindex.Null}, position.ErrIllegal},
		{[]moveindex.Index{words[0], words[0]}, position.ErrIllegal},
		{[]moveindex.Index{moveindex.VariationStart}, codec.ErrGrammar},
		{[]moveindex.Index{moveindex.VariationEnd}, codec.ErrGrammar},
		{[]moveindex.Index{words[0], moveindex.VariationStart, moveindex.VariationEnd}, codec.ErrGrammar},
		{[]moveindex.Index{words[0], moveindex.VariationStart, words[0]}, codec.ErrGrammar},
	} {
		if _, err := AppendMoves(nil, c.words, &start, NumberingAuto); !errors.Is(err, c.err) {
			t.Errorf("%d: %v", c.words, err)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		words, _ = AppendIndices(words[:0], r.Moves[:2], &start,
			NumberingDocument)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestWalkGivesUp: where many places look like a long game, the walk ends with an error.
func TestWalkGivesUp(t *testing.T) {
	const moves = 60000
	first := make([]byte, 32)
	g := NewGenerator(position.Start(), NumberingDocument)
	for i := range first {
		first[i] = 1
		m, err := g.Move(1)
		if err != nil {
			t.Fatal(err)
		}
		g.Make(m)
	}
	cryptFirstMoves(first, moves)
	file := func(games int) []byte {
		var b []byte
		for range games {
			var h Header
			h.setMovesSize(moves)
			raw := h.encrypt()
			b = append(append(b, raw[:]...), first...)
		}
		return append(b, make([]byte, moves)...)
	}
	for games, want := range map[int]error{1: codec.ErrReserved, 1000: codec.ErrLimit} {
		b := file(games)
		r, err := NewReader(bytes.NewReader(b), int64(len(b)), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var g game.Game
		if err := r.Read(&g); !errors.Is(err, want) {
			t.Errorf("%d games: %v, want %v", games, err, want)
		}
		if err := r.Read(&g); games > 1 && err != io.EOF {
			t.Errorf("%d games, after that: %v", games, err)
		}
		if most := judgedMost(int64(len(b))) + 1<<17; r.judged > most {
			t.Errorf("%d games: %d bytes of moves were read, at most %d", games, r.judged, most)
		}
	}
}
