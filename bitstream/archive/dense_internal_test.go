// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/moveindex"
)

// InForm is WithDense, or nothing.
func InForm(f form) StoreOption { return set(func(o *options) { o.form = f }) }

func MustCopy(tb testing.TB, options []CopyOption, archives ...[]byte) []byte {
	tb.Helper()
	var srcs []io.Reader
	for _, a := range archives {
		srcs = append(srcs, bytes.NewReader(a))
	}
	var out bytes.Buffer
	stats, err := Copy(tb.Context(), &out, srcs, options...)
	if err != nil {
		tb.Fatal(err)
	}
	if int64(out.Len()) != stats.Bytes {
		tb.Fatalf("%d bytes, not the %d that Recode tells of", out.Len(), stats.Bytes)
	}
	return out.Bytes()
}

// OddText has games from other starts, with null moves, without moves, without end, invalid ones, and text between
// them.
func OddText() string {
	var b strings.Builder
	b.WriteString("% nothing yet\n\n")
	for i, g := range []string{
		"*", "1. e4 -- 2. d4 -- 3. Bb5 c6 1-0", "1. e4 e5 2. Ke3 *",
		"[SetUp \"1\"]\n[FEN \"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 42\"]\n\n1. exd6 O-O-O 2. O-O {both} 1/2-1/2",
		"[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/4p3/4K3 b - - 0 1\"]\n\n1... Ke4 *",
		"[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/4p3/4K3 b - - 0 1\"]\n\n1-0",
		"[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 8000\"]\n\n8000. e4 e5 *",
		"[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9000\"]\n\n9000. e4 e5 *",
		"1. e4 e5 2. Nf3 (2. d4 -- 3. dxe5) 2... Nc6 0-1", "1. f3 e5 2. g4 Qh4# -- *", "1. e4 f6 2. Qh5+ -- *",
	} {
		fmt.Fprintf(&b, "[Event \"odd %d\"]\n%s\n\n", i, strings.TrimPrefix("\n"+g, "\n"))
	}
	for _, plies := range []int{255, 256, 257, 512, 1025} {
		b.WriteString("[Event \"long\"]\n\n")
		for ply := range plies {
			b.WriteString([]string{"Nf3", "Nf6", "Ng1", "Ng8"}[ply%4] + " ")
		}
		b.WriteString("1/2-1/2\n\n")
	}
	return b.String()
}

// TestDenseLiesCostNoMemory gives small blocks of dense moves as many words as there are.
func TestDenseLiesCostNoMemory(t *testing.T) {
	block := func(words, plies, games uint32, coded, table []byte) []byte {
		h := head{first: 1, games: games, words: words, plies: plies, style: encodeStyle(&pgn.Style{})}
		w := columnWriter{zstd: newZstd()}
		w.begin(header{}.encode())
		w.put(ColumnDense, coded, false)
		w.put(columnGames, table, true)
		return w.block(&h)
	}
	line := func(plies int) []byte { // the column of one game
		return appendGames(nil, append(make([]moveindex.Index, plies), moveindex.ResultUnknown),
			[]uint32{uint32(plies) + 1})
	}
	most := maxDensePlies(20)
	for _, x := range []struct {
		name string
		b    []byte
		want string
	}{
		{"all words", block(maxColumn/2, maxColumn/2-1, 1, make([]byte, 20), line(maxColumn/2-1)), "more than 8 plies"},
		{"one too many", block(uint32(most)+2, uint32(most)+1, 1, make([]byte, 20), line(most+1)), "more than 8 plies"},
		{"a table of more", block(100, 99, 1, append([]byte{1}, make([]byte, 19)...), line(most)), "unsound"},
		{"a table of less", block(uint32(most)+1, uint32(most), 1, append([]byte{1}, make([]byte, 19)...), line(99)),
			"unsound"},
		// but it is read
		{"as many as may be", block(uint32(most)+1, uint32(most), 1, append([]byte{1}, make([]byte, 19)...),
			line(most)), "do not end"},
		{"no games", block(0, 0, 0, []byte{1}, []byte{0, 0}), "of no games"},
	} {
		before := allocated()
		b, err := NewScanner(bytes.NewReader(x.b)).Next()
		if err == nil {
			_, err = b.MoveColumn()
		}
		if x.want == "" && err != nil || x.want != "" &&
			(!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
		if took := allocated() - before; took > 13<<20 { // the model's decoder takes some of it
			t.Errorf("%s: %d bytes of memory for %d of archive", x.name, took, len(x.b))
		}
	}
	// Both forms in a block are none, nor is half of one.
	for _, kinds := range [][]ColumnKind{{ColumnDense}, {columnGames}, {columnIndex, ColumnDense, columnGames},
		{ColumnMoves, ColumnDense, columnGames}} {
		h := head{first: 1, games: 1, words: 1}
		w := columnWriter{zstd: newZstd()}
		w.begin(header{}.encode())
		for _, k := range kinds {
			w.put(k, []byte{1}, false)
		}
		b := w.block(&h)
		if _, err := NewScanner(bytes.NewReader(b)).Next(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("columns %v: %v", kinds, err)
		}
	}
}

// LastGames returns the last n games of the master games.
func LastGames(tb testing.TB, n int) []byte {
	text := ReadData(tb, datadir.Path(tb, "pgn", "master/master-50k.pgn.zst"))
	at := len(text)
	for range n {
		at = bytes.LastIndex(text[:at], []byte("[Event "))
	}
	return text[at:]
}

// nullInCheck returns what no coder writes: the moves 1. d4, of game 1, then 1. e4 f6 2. Qh5+ and a null move, of game
// 2. The null move is the last choice, so that its code is the greatest that goes on as is wanted.
func nullInCheck(t *testing.T) []byte {
	games := [][]moveindex.Index{index(t, "d2d4"), index(t, "e2e4", "f7f6", "d1h5")}
	var e dense.Encoder
	e.Reset(nil)
	for _, moves := range games {
		if err := e.Game(&usual, moves); err != nil {
			t.Fatal(err)
		}
	}
	coded := append(e.Finish(), make([]byte, 20)...)
	var d dense.Decoder
	for i := range coded {
		was := coded[i]
		for b := 255; b > int(was); b-- {
			coded[i] = byte(b)
			d.Reset(coded)
			same := true
			for _, moves := range games {
				got, err := d.Game(nil, &usual, len(moves))
				same = same && err == nil && slices.Equal(got, moves)
			}
			if same {
				break
			}
			coded[i] = was
		}
	}
	return coded
}

func index(t *testing.T, moves ...string) (words []moveindex.Index) {
	for _, s := range moves {
		m, err := chess.ParseUCI(s)
		if err != nil {
			t.Fatal(err)
		}
		w, _ := moveindex.Of(m)
		words = append(words, w)
	}
	return words
}

// TestTamperedMoves decodes a null move in check: game 2 and what follows are corrupt, however often they are asked
// for; game 1 is not.
func TestTamperedMoves(t *testing.T) {
	words := append(index(t, "d2d4"), moveindex.ResultDraw)
	words = append(append(words, index(t, "e2e4", "f7f6", "d1h5", "g7g6")...), moveindex.ResultDraw)
	words = append(append(words, index(t, "e2e4")...), moveindex.ResultDraw)
	lengths := []uint32{2, 5, 2}
	h := head{first: 1, games: 3, words: uint32(len(words)), plies: 6, style: encodeStyle(&pgn.Style{})}
	w := columnWriter{zstd: newZstd()}
	w.begin(header{}.encode())
	w.put(ColumnDense, append([]byte{1}, nullInCheck(t)...), false)
	w.put(columnGames, appendGames(nil, words, lengths), false)
	b, err := NewScanner(bytes.NewReader(w.block(&h))).Next()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 0, 2, 1, 1, 0, 2} {
		line, err := b.MainLine(nil, i+1)
		var c *CorruptError
		if i == 0 && (err != nil || !slices.Equal(line, words[:1])) {
			t.Errorf("game 1: %v, %v", line, err)
		}
		if i > 0 && (!errors.As(err, &c) || c.Part != "dense moves" || c.Game != 2 ||
			!strings.Contains(c.Reason, "ply 4")) {
			t.Errorf("game %d: %v, %v", i+1, line, err)
		}
	}
}

// Tampered returns a dense archive, without its end, whose column of games was changed under sound checksums.
func Tampered(t *testing.T, text string, change func(table []byte)) []byte {
	t.Helper()
	archive, _ := MustPack(t, []byte(text), WithDense(true))
	b, err := NewScanner(bytes.NewReader(archive)).Next()
	if err != nil {
		t.Fatal(err)
	}
	table, err := b.column(columnGames)
	if err != nil {
		t.Fatal(err)
	}
	change(table)
	w := columnWriter{zstd: newZstd()}
	w.begin(header{}.encode())
	for _, c := range b.head.columns {
		if c.kind == columnGames {
			w.put(c.kind, table, false)
		} else {
			w.copy(c, b.data[c.offset:c.offset+c.stored])
		}
	}
	return w.block(&b.head)
}

// TestRecodeVerifies recodes fixed moves that lie under sound checksums.
func TestRecodeVerifies(t *testing.T) {
	archive, _ := MustPack(t, []byte("1. e4 e5 1-0\n\n[Event \"?\"]\n\n1. d4 *\n"))
	b, err := NewScanner(bytes.NewReader(archive)).Next()
	if err != nil {
		t.Fatal(err)
	}
	at := b.Columns()[1].Offset
	recode := func(archive []byte) error {
		Reseal(archive)
		b, err := NewScanner(bytes.NewReader(archive)).Next()
		if err != nil {
			t.Fatal(err)
		}
		r := recoder{form: denseForm, columns: columnWriter{zstd: newZstd()}}
		return r.recode(new(packedBlock), b)
	}
	for name, words := range map[string][]moveindex.Index{
		"no result": {396, 1460, 0, 396, moveindex.ResultUnknown},
		"no start":  {moveindex.Start, 1460, moveindex.ResultDraw, 396, moveindex.ResultUnknown},
	} {
		bad := bytes.Clone(archive)
		bitstream.Pack(bad[at:], 0, words)
		if err := recode(bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A count of plies that is not that of the moves.
	bad := bytes.Clone(archive)
	le.PutUint32(bad[headerSize+28:], 2)
	if err := recode(bad); !errors.Is(err, ErrCorrupt) {
		t.Errorf("another number of plies: %v", err)
	}
	if err := recode(archive); err != nil {
		t.Error(err)
	}
}
