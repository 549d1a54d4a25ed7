// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/moveindex"
	"ply11/position"
)

// inForm is WithDense, or nothing.
func inForm(f form) StoreOption { return set(func(o *options) { o.form = f }) }

func mustRecode(tb testing.TB, options []RecodeOption, archives ...[]byte) []byte {
	tb.Helper()
	var srcs []io.Reader
	for _, a := range archives {
		srcs = append(srcs, bytes.NewReader(a))
	}
	var out bytes.Buffer
	stats, err := Recode(context.Background(), &out, srcs, options...)
	if err != nil {
		tb.Fatal(err)
	}
	if int64(out.Len()) != stats.Bytes {
		tb.Fatalf("%d bytes, not the %d that Recode tells of", out.Len(), stats.Bytes)
	}
	return out.Bytes()
}

// isDense returns how many blocks with games an archive has, and how many of them have dense moves.
func isDense(tb testing.TB, archive []byte) (blocks, coded int) {
	tb.Helper()
	for b := range blocksOf(tb, archive) {
		if b.Len() > 0 {
			blocks++
		}
		if b.Dense() {
			coded++
		}
	}
	return blocks, coded
}

// oddText has games of every kind that is not usual: from other starts, with null moves, without moves, without end,
// invalid, and text between them.
func oddText() string {
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

// TestDenseOddGames packs them, and reads each.
func TestDenseOddGames(t *testing.T) {
	text := []byte(oddText())
	for _, games := range []int{1, 3, 1024} {
		fixed, _ := mustPack(t, text, WithBlockGames(games))
		coded, stats := mustPack(t, text, WithBlockGames(games), WithDense(true))
		if blocks, n := isDense(t, coded); n != blocks {
			t.Errorf("%d of %d blocks are dense", n, blocks)
		}
		if got := mustUnpack(t, coded); !bytes.Equal(got, text) {
			t.Fatal(firstDifference(text, got))
		}
		rep, err := Verify(context.Background(), bytes.NewReader(coded), int64(len(coded)))
		if err != nil || !rep.OK() {
			t.Fatal(err, rep.Errors)
		}
		if stats.Fixed != 0 {
			t.Errorf("%d blocks are fixed", stats.Fixed)
		}
		if stats.Invalid < 3 {
			t.Errorf("%d games are invalid", stats.Invalid)
		}
		if got := mustRecode(t, []RecodeOption{WithDense(true)}, fixed); !bytes.Equal(got, coded) {
			t.Error("the recoded archive is not the packed one")
		}
		if got := mustRecode(t, []RecodeOption{WithDense(false)}, coded); !bytes.Equal(got, fixed) {
			t.Error("recoded back it is not the one of fixed moves")
		}
		a, err := NewReader(bytes.NewReader(fixed), int64(len(fixed)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewReader(bytes.NewReader(coded), int64(len(coded)))
		if err != nil {
			t.Fatal(err)
		}
		// In no order: each way of reading must do without the others before it.
		for n := a.Len(); n > 0; n-- {
			wantStart, err := a.Start(n)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := b.Start(n); err != nil || got != wantStart {
				t.Fatalf("game %d begins with %v, %v", n, got.FEN(), err)
			}
			var want, got game.Game
			if err := errors.Join(a.Tags(n, &want), b.Tags(n, &got)); err != nil {
				t.Fatal(err)
			}
			if got.Result != want.Result || !slices.Equal(got.Tags, want.Tags) {
				t.Fatalf("game %d: other tags or another result", n)
			}
			wantLine, err := a.MainLine(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			if line, err := b.MainLine(nil, n); err != nil || !slices.Equal(line, wantLine) {
				t.Fatalf("game %d: %v, not %v; %v", n, line, wantLine, err)
			}
			if err := errors.Join(a.Game(n, &want), b.Game(n, &got)); err != nil {
				t.Fatal(err)
			}
			if diff := want.Diff(&got); diff != "" {
				t.Fatalf("game %d: %s", n, diff)
			}
		}
	}
}

// TestGamesColumn makes columns of games, and reads them.
func TestGamesColumn(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	p, err := position.ParseFEN("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 42")
	if err != nil {
		t.Fatal(err)
	}
	start, err := bitstream.AppendStart(nil, &p)
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		var words []moveindex.Index
		var lengths []uint32
		games, plies := 1+random.IntN(40), 0
		for range games {
			at := len(words)
			if random.IntN(5) == 0 {
				words = append(words, start...)
			}
			n := random.IntN(300) * (1 + random.IntN(3)/2*random.IntN(400))
			words = append(append(words, make([]moveindex.Index, n)...), moveindex.ResultBlackWins+moveindex.Index(random.IntN(4)))
			lengths, plies = append(lengths, uint32(len(words)-at)), plies+n
		}
		raw := appendGames(nil, words, lengths)
		var table gameTable
		if !table.decode(raw, games, len(words), plies) || !slices.Equal(table.lengths, lengths) {
			t.Fatalf("%v is read as %v", lengths, table.lengths)
		}
		for i, n := range lengths {
			var want []moveindex.Index
			if k := bitstream.StartSize(words[0]); k > 0 {
				want = words[:k+1]
			}
			var got [bitstream.Start960Words + 1]moveindex.Index
			if !slices.Equal(table.start(&got, i), want) {
				t.Fatalf("game %d: another start", i)
			}
			if table.result(i) != words[n-1] {
				t.Fatalf("game %d: another result", i)
			}
			words = words[n:]
		}
		// What has more, less or other counts is refused.
		long := append(slices.Repeat([]byte{0}, games+(games+3)/4), 1, 0, 0, 0)
		total := 0
		for _, n := range lengths {
			total += int(n)
		}
		for _, bad := range []bool{
			table.decode(raw[:len(raw)-1], games, total, plies), table.decode(append(raw, 0), games, total, plies),
			table.decode(raw, games, total+1, plies), table.decode(raw, games, total, plies+1), table.decode(nil, games, total, plies),
			table.decode(long, games, games, 0),
		} {
			if bad {
				t.Fatal("an unsound column is read")
			}
		}
	}
}

// TestIllegalMovesStayFixed writes a game that package dense cannot code.
func TestIllegalMovesStayFixed(t *testing.T) {
	var g game.Game
	g.Reset()
	var build game.Builder
	build.Reset(&g)
	build.Move(chess.NewMove(chess.E2, chess.E5))
	build.Flush()
	var out bytes.Buffer
	w := NewWriter(&out, WithDense(true), WithBlockGames(1))
	for _, g := range []*game.Game{parse(t, "1. e4 *"), &g, parse(t, "1. d4 *")} {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if blocks, coded := isDense(t, out.Bytes()); blocks != 3 || coded != 2 || w.Stats().Fixed != 1 {
		t.Errorf("%d of %d blocks are dense, want 2 of 3; %d are told to be fixed", coded, blocks, w.Stats().Fixed)
	}
	r, err := NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 3; n++ {
		if line, err := r.MainLine(nil, n); err != nil || len(line) != 1 {
			t.Errorf("game %d: %v, %v", n, line, err)
		}
	}
}

// TestSameGamesStayFixed makes what would be more words than readers take of its bytes.
func TestSameGamesStayFixed(t *testing.T) {
	g := parse(t, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 *")
	e := newEncoder(&options{}, newZstd())
	if err := e.main(g); err != nil {
		t.Fatal(err)
	}
	w := columnWriter{zstd: newZstd()}
	for _, x := range []struct {
		games int
		dense bool
	}{{1000, true}, {50000, false}} {
		w.setMoves(slices.Repeat(e.words, x.games), slices.Repeat([]uint32{uint32(len(e.words))}, x.games), true)
		if dense := len(w.games) > 0; dense != x.dense {
			t.Errorf("%d games: dense is %v; the moves are %d bytes", x.games, dense, len(w.moves))
		}
		w.begin(nil)
		w.putFixed()
		w.putDense()
		if len(w.list) != 2 || (w.list[0].kind == ColumnDense) != x.dense {
			t.Errorf("%d games: columns %v", x.games, w.list)
		}
	}
}

// TestMergeForms merges archives of both forms.
// TestAppendArchive: the archives of the blocks, one by one, unpack to the text, and merged they are the archive.
func TestAppendArchive(t *testing.T) {
	for i, o := range [][]PackOption{nil, {WithDense(true)}, {WithCanonical(true)}} {
		_, text := smallArchive(t, false)
		whole, _ := mustPack(t, []byte(text), append(o, WithBlockGames(4))...)
		r, err := NewReader(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		var parts []io.Reader
		var texts []byte
		for n := range r.Blocks() {
			b, err := r.Block(n + 1)
			if err != nil {
				t.Fatal(err)
			}
			part, err := b.AppendArchive([]byte("before"), r.Canonical())
			if err != nil || string(part[:6]) != "before" {
				t.Fatal(err)
			}
			part = part[6:]
			if rep, err := Verify(context.Background(), bytes.NewReader(part), int64(len(part))); err != nil || !rep.OK() || rep.Blocks != 1 {
				t.Fatalf("%d: block %d: %v %+v", i, n+1, err, rep)
			}
			texts = append(texts, mustUnpack(t, part)...)
			parts = append(parts, bytes.NewReader(part))
		}
		if want := mustUnpack(t, whole); !bytes.Equal(texts, want) {
			t.Errorf("%d: %s", i, firstDifference(want, texts))
		}
		// Merged again, they are the archive, but for the hash of its text.
		var merged bytes.Buffer
		if _, err := Recode(context.Background(), &merged, parts); err != nil {
			t.Fatal(err)
		}
		last, err := r.Place(r.Blocks())
		if err != nil {
			t.Fatal(err)
		}
		if end := last.Offset + last.Size; !bytes.Equal(merged.Bytes()[:end], whole[:end]) {
			t.Errorf("%d: the merged blocks are others", i)
		}
	}
}

// TestVerifyDigests: a damaged column is refused, whichever it is; also by AppendArchive.
func TestVerifyDigests(t *testing.T) {
	whole, _ := smallArchive(t, false)
	r, err := NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Block(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.VerifyDigests(); err != nil {
		t.Error(err)
	}
	for _, c := range b.Columns() {
		bad := bytes.Clone(whole)
		bad[c.Offset+c.Stored/2] ^= 4
		r, err := NewReader(bytes.NewReader(bad), int64(len(bad)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Block(1)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.AppendArchive(nil, false); !errors.Is(err, ErrCorrupt) || len(got) > 0 {
			t.Errorf("column %v: %v", c.Kind, err)
		}
		if b, err = r.Block(1); err != nil {
			t.Fatal(err)
		}
		if err := b.VerifyDigests(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("digest of column %v: %v", c.Kind, err)
		}
	}
}

func TestMergeForms(t *testing.T) {
	fixed, text := smallArchive(t, false)
	coded, _ := smallArchive(t, true)
	mixed := mustRecode(t, nil, fixed, coded)
	if blocks, n := isDense(t, mixed); 2*n != blocks {
		t.Errorf("%d of %d blocks are dense", n, blocks)
	}
	for _, f := range []form{asIs, fixedForm, denseForm} {
		for _, workers := range []int{1, 3} {
			archive := mustRecode(t, []RecodeOption{inForm(f), WithWorkers(workers)}, mixed)
			if got := mustUnpack(t, archive); string(got) != text+text {
				t.Errorf("form %d: %s", f, firstDifference([]byte(text+text), got))
			}
			rep, err := Verify(context.Background(), bytes.NewReader(archive), int64(len(archive)))
			if err != nil || !rep.OK() {
				t.Error(err, rep.Errors)
			}
			if got := mustOpen(t, archive).HasDense(); got != (f != fixedForm) {
				t.Errorf("form %d: dense moves: %v", f, got)
			}
		}
	}
	// A single archive keeps its hash.
	if got := mustRecode(t, []RecodeOption{WithDense(true)}, fixed); !bytes.Equal(got, coded) {
		t.Error("the recoded archive is not the packed one")
	}
	if got := mustRecode(t, nil, coded); !bytes.Equal(got, coded) {
		t.Error("the copy is another archive")
	}
	// What is damaged is refused.
	for _, f := range []form{asIs, fixedForm, denseForm} {
		for at := headerSize + 300; at < len(mixed)-200; at += 97 {
			bad := bytes.Clone(mixed)
			bad[at] ^= 8
			if _, err := Recode(context.Background(), io.Discard, []io.Reader{bytes.NewReader(bad)}, inForm(f), WithWorkers(2)); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
				t.Fatalf("form %d, byte %d: %v", f, at, err)
			}
		}
	}
}

// TestDenseVersions gives readers what they must refuse.
func TestDenseVersions(t *testing.T) {
	coded, _ := smallArchive(t, true)
	for _, at := range []int64{8, int64(len(coded)) - trailerSize + 4} {
		next := bytes.Clone(coded)
		next[at] = Version + 1
		reseal(next)
		if _, err := NewReader(bytes.NewReader(next), int64(len(next))); !errors.Is(err, ErrVersion) {
			t.Errorf("version %d at %d: %v", Version+1, at, err)
		}
	}
	// A later model.
	s := NewScanner(bytes.NewReader(coded))
	b, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(b.Columns(), func(c Column) bool { return c.Kind == ColumnDense })
	later := bytes.Clone(coded)
	later[b.Columns()[k].Offset] = dense.Version + 1
	reseal(later)
	if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(later), WithWorkers(1)); !errors.Is(err, ErrVersion) {
		t.Errorf("a later model: %v", err)
	}
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
		return appendGames(nil, append(make([]moveindex.Index, plies), moveindex.ResultUnknown), []uint32{uint32(plies) + 1})
	}
	most := maxDenseWords(20) - 1
	for _, x := range []struct {
		name string
		b    []byte
		want string
	}{
		{"all words", block(maxColumn/2, maxColumn/2-1, 1, make([]byte, 20), line(maxColumn/2-1)), "more words"},
		{"one too many", block(uint32(most)+2, uint32(most)+1, 1, make([]byte, 20), line(most+1)), "more words"},
		{"a table of more", block(100, 99, 1, append([]byte{1}, make([]byte, 19)...), line(most)), "unsound"},
		{"a table of less", block(uint32(most)+1, uint32(most), 1, append([]byte{1}, make([]byte, 19)...), line(99)), "unsound"},
		{"as many as may be", block(uint32(most)+1, uint32(most), 1, append([]byte{1}, make([]byte, 19)...), line(most)), "do not end"}, // but it is read
		{"no games", block(0, 0, 0, []byte{1}, []byte{0, 0}), "of no games"},
	} {
		before := allocated()
		b, err := NewScanner(bytes.NewReader(x.b)).Next()
		if err == nil {
			_, err = b.MoveColumn()
		}
		if x.want == "" && err != nil || x.want != "" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
		if took := allocated() - before; took > 12<<20 { // the model's decoder takes some of it
			t.Errorf("%s: %d bytes of memory for %d of archive", x.name, took, len(x.b))
		}
	}
	// Both forms in a block are none, nor is half of one.
	for _, kinds := range [][]ColumnKind{{ColumnDense}, {columnGames}, {columnIndex, ColumnDense, columnGames}, {ColumnMoves, ColumnDense, columnGames}} {
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

// lastGames returns the last n games of the master games.
func lastGames(tb testing.TB, n int) []byte {
	text := readData(tb, datadir.Path(tb, "pgn", "master/master-50k.pgn.zst"))
	at := len(text)
	for range n {
		at = bytes.LastIndex(text[:at], []byte("[Event "))
	}
	return text[at:]
}

// TestDenseSize pins what dense archives take, on games that the model was not made from, and that the bytes do not
// depend on how the archive was made.
func TestDenseSize(t *testing.T) {
	text := lastGames(t, 10000)
	archive, stats := mustPack(t, text, WithDense(true), WithBlockGames(1000))
	if stats.Games != 10000 {
		t.Fatalf("%d games", stats.Games)
	}
	perGame := float64(len(archive)) / float64(stats.Games)
	t.Logf("%d bytes, %.2f a game", len(archive), perGame)
	if perGame > 42 {
		t.Errorf("%.2f bytes a game, more than 42", perGame)
	}
	if got := mustUnpack(t, archive); !bytes.Equal(got, text) {
		t.Fatal(firstDifference(text, got))
	}
	fixed, _ := mustPack(t, text, WithBlockGames(1000))
	if !bytes.Equal(mustRecode(t, []RecodeOption{WithDense(true)}, fixed), archive) ||
		!bytes.Equal(mustRecode(t, []RecodeOption{WithDense(false), WithWorkers(1)}, archive), fixed) {
		t.Error("recoded archives are not the packed ones")
	}
}

// nullInCheck returns what no coder writes: the moves 1. d4, of game 1, then 1. e4 f6 2. Qh5+ and a null move, of game 2. The
// null move is the last of a position's choices, so that its code is the greatest that goes on as is wanted before it.
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

// TestTamperedMoves decodes a null move in check: game 2 is corrupt, and what follows, however often it is asked for; game
// 1 is not.
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
		if i > 0 && (!errors.As(err, &c) || c.Part != "dense moves" || c.Game != 2 || !strings.Contains(c.Reason, "ply 4")) {
			t.Errorf("game %d: %v, %v", i+1, line, err)
		}
	}
}

// tampered returns an archive, without its end, of the games of a text, dense, whose column of games was changed under
// sound checksums.
func tampered(t *testing.T, text string, change func(table []byte)) []byte {
	t.Helper()
	archive, _ := mustPack(t, []byte(text), WithDense(true))
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

// TestTamperedGames reads columns of games that lie, under sound checksums.
func TestTamperedGames(t *testing.T) {
	const text = "1. e4 e5 1-0\n\n[Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e3 Ke7 0-1\n\n[Event \"?\"]\n\n1. d4 *\n\n"
	start := 3 + 1 + 1 + 1 + 1 // plies, results, no long games, one start, after one game
	read := func(archive []byte) *Block {
		b, err := NewScanner(bytes.NewReader(archive)).Next()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var g game.Game
	sound := read(tampered(t, text, func([]byte) {}))
	for i := range 3 {
		if err := sound.Game(i+1, &g); err != nil {
			t.Fatal(err)
		}
	}
	// Two kings for White: game 2 cannot be read, nor what follows, however often and in what order it is asked for; game 1 can.
	b := read(tampered(t, text, func(table []byte) { table[start] |= 1 }))
	for _, i := range []int{1, 0, 2, 1, 2, 0} {
		err := b.Game(i+1, &g)
		if (err == nil) != (i == 0) || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("game %d: %v", i+1, err)
		}
		if i == 0 && g.Len() != 2 {
			t.Errorf("game 1 has %d plies", g.Len())
		}
	}
	for name, change := range map[string]func([]byte){
		"a result of no game":      func(table []byte) { table[3] |= 0x40 },
		"a bit after the start":    func(table []byte) { table[start+startBytes-1] |= 0x80 },
		"a game after the last":    func(table []byte) { table[start-1] = 3 },
		"another number of plies":  func(table []byte) { table[0]++ },
		"more starts than games":   func(table []byte) { table[start-2] = 4 },
		"long games without plies": func(table []byte) { table[start-3] = 1 },
	} {
		b := read(tampered(t, text, change))
		if err := b.Game(1, &g); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "unsound column of games") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRecodeVerifies recodes a block of fixed moves that lies under sound checksums.
func TestRecodeVerifies(t *testing.T) {
	archive, _ := mustPack(t, []byte("1. e4 e5 1-0\n\n[Event \"?\"]\n\n1. d4 *\n"))
	b, err := NewScanner(bytes.NewReader(archive)).Next()
	if err != nil {
		t.Fatal(err)
	}
	at := b.Columns()[1].Offset
	recode := func(archive []byte) error {
		reseal(archive)
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

// TestRepack makes blocks of other sizes, of exact and of canonical archives.
func TestRepack(t *testing.T) {
	text := []byte(oddText())
	repack := func(archive []byte, options ...PackOption) []byte {
		t.Helper()
		var out bytes.Buffer
		if _, err := Repack(context.Background(), &out, bytes.NewReader(archive), options...); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	exact, _ := mustPack(t, text)
	canonical, _ := mustPack(t, text, WithCanonical(true), WithDense(true))
	for i, o := range [][]PackOption{{WithBlockGames(3)}, {WithBlockGames(2), WithDense(true)}} {
		want, _ := mustPack(t, text, o...)
		if !bytes.Equal(repack(exact, o...), want) {
			t.Errorf("options %d: not what Pack makes of the text", i)
		}
		small := repack(canonical, o...)
		if got, want := mustUnpack(t, small), mustUnpack(t, canonical); !bytes.Equal(got, want) {
			t.Error("canonical: " + firstDifference(want, got))
		}
		if blocks, _ := isDense(t, small); blocks < 5 {
			t.Errorf("%d blocks", blocks)
		}
	}
	bad := bytes.Clone(exact)
	bad[len(bad)/2] ^= 1
	if _, err := Repack(context.Background(), io.Discard, bytes.NewReader(bad)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a damaged archive: %v", err)
	}
	if _, err := Repack(context.Background(), failing{}, bytes.NewReader(exact)); !errors.Is(err, errFailing) {
		t.Errorf("to a failing writer: %v", err)
	}
	if _, err := Recode(context.Background(), failing{}, []io.Reader{bytes.NewReader(exact)}, WithDense(true)); !errors.Is(err, errFailing) {
		t.Errorf("Recode to a failing writer: %v", err)
	}
}
