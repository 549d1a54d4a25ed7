// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
)

// reads records each read.
type reads struct {
	io.ReaderAt
	list []int
}

func (r *reads) ReadAt(b []byte, at int64) (int, error) {
	r.list = append(r.list, len(b))
	return r.ReaderAt.ReadAt(b, at)
}

// failingOnce is a file of which one read fails, after so many others, and leaves wrong bytes.
type failingOnce struct {
	io.ReaderAt
	left int
}

var errOnce = errors.New("this read fails")

func (r *failingOnce) ReadAt(b []byte, at int64) (int, error) {
	if r.left--; r.left == -1 {
		for i := range b {
			b[i] = 0x55
		}
		return 0, errOnce
	}
	return r.ReaderAt.ReadAt(b, at)
}

// take returns the number of reads since the last call, and their bytes.
func (r *reads) take() (calls, size int) {
	for _, n := range r.list {
		size += n
	}
	calls = len(r.list)
	r.list = nil
	return calls, size
}

// sparse is a file that is 0 but for some pieces.
type sparse struct {
	size   int64
	pieces map[int64][]byte
}

func (s *sparse) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	for from, piece := range s.pieces {
		if from < at+int64(len(b)) && at < from+int64(len(piece)) {
			copy(b[max(0, from-at):], piece[max(0, at-from):])
		}
	}
	if at+int64(len(b)) > s.size {
		return int(s.size - at), io.EOF
	}
	return len(b), nil
}

// tailOf makes the index, the footer and the trailer of a file of so many blocks of one size.
func tailOf(blocks int, head *head, data []byte) *sparse {
	var b bytes.Buffer
	f := fileWriter{w: &b, header: header{}}
	at := int64(headerSize)
	h := *head
	s := &sparse{pieces: map[int64][]byte{}}
	pick := blocks * 2 / 3
	for i := range blocks {
		h.first, h.number = uint64(i)*uint64(h.games)+1, uint32(i)
		own := make([]byte, 0)
		if i == pick {
			own = bytes.Clone(data)
			h.encode(own[:0])
			s.pieces[at] = own
			own = own[:h.size]
		}
		f.index = append(f.index, h.ref(at, own))
		at += int64(len(data))
		if len(f.index) == partEntries {
			b.Reset()
			f.stats.Bytes = at
			f.flush()
			s.pieces[at] = bytes.Clone(b.Bytes())
			at = f.stats.Bytes
		}
		f.stats.Blocks++
		f.stats.Games += int(h.games)
		f.stats.Plies += int64(h.plies)
		f.stats.Text += int64(h.text)
	}
	b.Reset()
	f.stats.Bytes = at
	f.tail()
	s.pieces[at], s.size = b.Bytes(), at+int64(b.Len())
	return s
}

// TestReads counts the reads of large files, of which one block, the index and the footer are there: to open one, a
// game, and its main line.
func TestReads(t *testing.T) {
	text := LastText(t, 1024, gamegen.Text)
	archive, _ := MustPack(t, text)
	b := MustBlock(t, MustOpen(t, archive), 1)
	h := b.head
	data := archive[b.Offset() : b.Offset()+b.Size()]
	list := ReadSequential(t, archive, text)
	for _, x := range []struct {
		name         string
		blocks       int
		part, line   int // the most bytes for a game but for its block, and for a main line
		gamesInBlock int
		calls        int // for a main line; a game takes one less
	}{
		{"5 M games", 4883, 3_000, 12_000, int(h.games), 3},
		{"100 GB", int(100e9 / int64(len(data))), 6_000, 12_000, int(h.games), 4},
	} {
		file := tailOf(x.blocks, &h, data)
		in := &reads{ReaderAt: file}
		if _, err := NewReader(in, file.size); err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		calls, size := in.take()
		t.Logf("%s, %d blocks, %d bytes: opened in %d reads, %d bytes", x.name, x.blocks, file.size, calls, size)
		if calls != 1 || size >= 64<<10 {
			t.Errorf("%s: opened in %d reads, %d bytes", x.name, calls, size)
		}
		first := x.blocks*2/3*int(h.games) + 1
		worst, worstLine := 0, 0
		for i := range x.gamesInBlock {
			if i%37 != 0 {
				continue
			}
			r, _ := NewReader(in, file.size)
			in.take()
			got, err := r.AppendText(nil, first+i)
			if err != nil || string(got) != list[i].Text {
				t.Fatalf("%s: game %d: %q, %v", x.name, i+1, got, err)
			}
			calls, size := in.take()
			if calls > x.calls-1 || size > 200_000 || size > len(data)+x.part {
				t.Errorf("%s: game %d in %d reads, %d bytes", x.name, i+1, calls, size)
			}
			worst = max(worst, size)
			r, _ = NewReader(in, file.size)
			in.take()
			line, err := r.MainLine(nil, first+i)
			if err != nil || !slices.Equal(line, list[i].Line) {
				t.Fatalf("%s: game %d: main line %v, %v", x.name, i+1, line, err)
			}
			calls, size = in.take()
			if calls > x.calls || size > x.line {
				t.Errorf("%s: main line of game %d in %d reads, %d bytes", x.name, i+1, calls, size)
			}
			worstLine = max(worstLine, size)
		}
		t.Logf("%s: a game in %d bytes at most, a main line in %d", x.name, worst, worstLine)
	}
}

// LastText returns n games of real data, or of the project's own where it is absent.
func LastText(t *testing.T, n int, own func(n int) []byte) []byte {
	t.Helper()
	dir, ok := datadir.Dir()
	if !ok {
		return own(n)
	}
	text, at := ReadData(t, dir+"/pgn/master/master-50k.pgn.zst"), 0
	for range n {
		at = nextGame(text, at+1)
	}
	return text[:at]
}

// TestManyParts reads archives whose index has several parts.
func TestManyParts(t *testing.T) {
	for _, blocks := range []int{0, 1, 63, 64, 65, 128, 129, 1000, topEntries*partEntries + 1} {
		text := TextOf("a", blocks)
		archive, _ := MustPack(t, []byte(text), WithBlockGames(1))
		r := MustOpen(t, archive)
		high := 0
		if blocks >= topEntries*partEntries {
			high = 1
		}
		if low := (blocks + partEntries - 1) / partEntries; r.Blocks() != blocks ||
			len(r.root.top[0]) != low-high*partEntries || len(r.root.top[1]) != high {
			t.Fatalf("%d blocks in %d and %d parts", r.Blocks(), len(r.root.top[0]), len(r.root.top[1]))
		}
		perm := rand.New(rand.NewPCG(1, uint64(blocks))).Perm(blocks)
		for _, i := range perm[:min(len(perm), 1000)] {
			var g game.Game
			if err := r.Game(i+1, &g); err != nil || g.Tag("Event") != "a "+Itoa(i+1) {
				t.Fatalf("game %d: %s, %v", i+1, g.Tag("Event"), err)
			}
			if line, err := r.MainLine(nil, i+1); err != nil || len(line) != 3 {
				t.Fatalf("game %d: %v, %v", i+1, line, err)
			}
		}
		Whole(t, archive)
	}
}

// TestVersions: another version is refused in every way to read it.
func TestVersions(t *testing.T) {
	for _, version := range []byte{0, Version + 1} {
		for _, size := range []int{0, tailRead} { // the header is read with the tail, or by itself
			old := header{}.encode()
			old = append(append(old, make([]byte, size)...), trailer{}.encode()...)
			old[8], old[len(old)-trailerSize+4] = version, version
			Reseal(old)
			_, next := NewScanner(bytes.NewReader(old)).Next()
			_, open := Opened(old)
			_, verify := Verified(old)
			_, recov := Recover(t.Context(), io.Discard, bytes.NewReader(old), int64(len(old)))
			_, more := Append(t.Context(), &MemFile{B: old, Left: -1}, int64(len(old)), nil)
			for i, err := range []error{next, open, verify, recov, more, Explain(io.Discard, bytes.NewReader(old))} {
				if !errors.Is(err, ErrVersion) {
					t.Errorf("version %d, %d: %v", version, i, err)
				}
			}
		}
	}
}

// TestMeta: properties are kept where archives are copied, recovered and put together, and change nothing else.
func TestMeta(t *testing.T) {
	meta := map[string]string{"source": "https://example.org/a", "created by": "me", "licence": "CC0-1.0", "größe": ""}
	text := []byte(SampleText)
	a, _ := MustPack(t, text, WithMeta(meta))
	plain, _ := MustPack(t, text)
	want := func(what string, archive []byte, want map[string]string) {
		t.Helper()
		if got := MustOpen(t, archive).Meta(); !maps.Equal(got, want) {
			t.Errorf("%s: %q", what, got)
		}
	}
	want("pack", a, meta)
	want("without", plain, map[string]string{})
	if len(a)-len(plain) > 120 || !bytes.Equal(a[:MustOpen(t, a).end.at], plain[:MustOpen(t, plain).end.at]) {
		t.Error("the blocks are others")
	}
	want("recode", MustCopy(t, []CopyOption{WithDense(true)}, a), meta)
	other, _ := MustPack(t, text, WithMeta(map[string]string{"source": "b", "note": "x"}))
	sum := maps.Clone(meta)
	sum["note"] = "x"
	want("merge", MustCopy(t, nil, a, other), sum)
	sum["note"] = "y"
	want("merge with another value", MustCopy(t, []CopyOption{WithMeta(map[string]string{"note": "y"})}, a, other), sum)
	if out, _ := Recovered(t, a); !bytes.Equal(out, a) {
		t.Error("what is recovered of a whole archive is another one")
	}
	var out bytes.Buffer
	w := NewSelection(&out, WithMeta(meta))
	if err := errors.Join(w.Write(Parse(t, "1. e4 *")), w.Close()); err != nil {
		t.Fatal(err)
	}
	want("selection", out.Bytes(), meta)
}

// MemFile is a File in memory, of which writing fails after some bytes.
type MemFile struct {
	B    []byte
	Left int // bytes that can be written; -1 for all
}

var ErrFull = errors.New("no room")

func (f *MemFile) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(f.B).ReadAt(b, at) }

func (f *MemFile) WriteAt(b []byte, at int64) (int, error) {
	n := len(b)
	if f.Left >= 0 {
		if n <= trailerSize && n > f.Left { // within a page
			f.Left = 0
		}
		n = min(n, f.Left)
		f.Left -= n
	}
	if grow := int(at) + n - len(f.B); n > 0 && grow > 0 {
		f.B = append(f.B, make([]byte, grow)...)
	}
	if n > 0 {
		copy(f.B[at:], b[:n])
	}
	if n < len(b) {
		return n, ErrFull
	}
	return n, nil
}

func (f *MemFile) Truncate(size int64) error {
	if f.Left == 0 {
		return ErrFull // the machine is off
	}
	if grow := int(size) - len(f.B); grow > 0 {
		f.B = append(f.B, make([]byte, grow)...)
	}
	f.B = f.B[:size]
	return nil
}

func (f *MemFile) Sync() error { return nil }

// MustAppend adds archives to one.
func MustAppend(t *testing.T, a []byte, options []AppendOption, more ...[]byte) []byte {
	t.Helper()
	f := &MemFile{B: bytes.Clone(a), Left: -1}
	var srcs []io.Reader
	for _, m := range more {
		srcs = append(srcs, bytes.NewReader(m))
	}
	stats, err := Append(t.Context(), f, int64(len(a)), srcs, options...)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Bytes != int64(len(f.B)) {
		t.Fatalf("%d bytes, not the %d that Append tells of", len(f.B), stats.Bytes)
	}
	return f.B
}

// TestAppendRefuses: what cannot be added is refused before anything is written.
func TestAppendRefuses(t *testing.T) {
	pack := func(o ...PackOption) []byte { b, _ := MustPack(t, []byte(SampleText), o...); return b }
	plain, dense, canonical := pack(), pack(WithDense(true)), pack(WithCanonical(true))
	damaged := bytes.Clone(plain)
	damaged[len(damaged)/2] ^= 1
	for _, x := range []struct {
		name     string
		to, more []byte
		o        []AppendOption
		is       error
	}{
		{"canonical", plain, canonical, nil, ErrInPlace},
		{"damaged", plain, damaged, nil, ErrCorrupt},
		{"no archive", plain, []byte("1. e4 *"), nil, ErrNotArchive},
		{"a property", plain, plain, []AppendOption{WithMeta(map[string]string{"!": ""})}, errMeta},
	} {
		f := &MemFile{B: bytes.Clone(x.to), Left: -1}
		if _, err := Append(t.Context(), f, int64(len(x.to)), []io.Reader{bytes.NewReader(x.more)},
			x.o...); !errors.Is(err, x.is) {
			t.Errorf("%s: %v", x.name, err)
		}
		if !bytes.Equal(f.B, x.to) {
			t.Errorf("%s: the file is another", x.name)
		}
	}
	// Blocks of both forms stand side by side.
	for _, o := range [][]AppendOption{nil, {WithDense(false)}, {WithDense(true)}} {
		both := MustAppend(t, plain, o, dense, plain)
		if got := MustUnpack(t, both); string(got) != strings.Repeat(SampleText, 3) {
			t.Error("another text")
		}
		if r := MustOpen(t, both); int(r.root.dense) != []int{
			1, 0, 2}[slices.IndexFunc([]form{asIs, fixedForm, denseForm}, func(f form) bool {
			a, _ := apply(o)
			return a.form == f
		})] {
			t.Errorf("%d blocks are dense", r.root.dense)
		}
	}
}

// TestPeek: a block of which columns are read when they are wanted is the block, and damage in it is told as of the
// block.
func TestPeek(t *testing.T) {
	for _, o := range [][]PackOption{nil, {WithDense(true)}, {WithFilter(false)}} {
		data, _ := MustPack(t, []byte(TextOf("peek", 30)), append(o, WithBlockGames(10))...)
		for n := 1; n <= 3; n++ {
			b := MustBlock(t, MustOpen(t, data), n)
			in := &reads{ReaderAt: bytes.NewReader(data)}
			r, _ := NewReader(in, int64(len(data)))
			r.Place(n) // it reads the index
			in.take()
			p, err := r.Peek(n)
			if err != nil {
				t.Fatal(err)
			}
			if calls, size := in.take(); calls != 1 || size != int(b.head.front()) {
				t.Errorf("block %d: %d bytes in %d reads, and its front has %d", n, size, calls, b.head.front())
			}
			want, _ := b.AppendAll(nil)
			if got, err := p.AppendAll(nil); err != nil || !bytes.Equal(got, want) || p.Verify() != nil {
				t.Errorf("block %d: other text; %v", n, err)
			}
			for _, c := range b.Columns() {
				bad := bytes.Clone(data)
				bad[c.Offset+c.Stored/2] ^= 1
				first := MustBlock(t, MustOpen(t, bad), n)
				second, err := MustOpen(t, bad).Peek(n)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := second.Verify(), first.Verify(); !errors.Is(got, ErrCorrupt) ||
					got.Error() != want.Error() {
					t.Errorf("%v: %v, of the block %v", c.Kind, got, want)
				}
			}
		}
	}
}

// TestPeekTags: they are those of the whole block, in whatever order, in few reads; damage in what is read is told.
func TestPeekTags(t *testing.T) {
	text := []byte(TextOf("peek", 100))
	for _, o := range [][]PackOption{nil, {WithDense(true)}, {WithFilter(false)}} {
		data, _ := MustPack(t, text, append(o, WithBlockGames(40))...)
		in := &reads{ReaderAt: bytes.NewReader(data)}
		r, err := NewReader(in, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		whole := MustOpen(t, data)
		dense := whole.HasDense()
		same := func(n int) {
			t.Helper()
			var got, want game.Game
			if err := r.PeekTags(n, &got); err != nil {
				t.Fatalf("game %d: %v", n, err)
			}
			if err := whole.Tags(n, &want); err != nil {
				t.Fatal(err)
			}
			if got.Result != want.Result || !slices.Equal(got.Tags, want.Tags) || got.Source != want.Source {
				t.Errorf("game %d: %v %v, want %v %v", n, got.Result, got.Tags, want.Result, want.Tags)
			}
		}
		if _, err := r.Place(1); err != nil { // it reads the index
			t.Fatal(err)
		}
		in.take()
		for n := 1; n <= 30; n++ {
			same(n)
		}
		b := MustBlock(t, whole, 1)
		most := int(b.head.front())
		for _, c := range b.Columns() {
			if c.Kind == ColumnTags {
				most += int(c.Stored)
			} else if c.Kind == ColumnMoves {
				most += int(c.Stored)*32/40 + int(c.Stored)/20
			}
		}
		calls, size := in.take()
		if want := map[bool]int{false: 4, true: 2}[dense]; calls != want || size > most || size >= int(b.Size()) {
			t.Errorf("the tags of 30 games: %d reads of %d bytes, want %d of at most %d", calls, size, want, most)
		}
		for _, n := range []int{100, 1, 41, 40, 57, 33, 99, 2} {
			same(n)
		}
		if _, err := r.Block(2); err != nil {
			t.Fatal(err)
		}
		in.take()
		if same(60); len(in.list) > 0 {
			t.Error("a block that is here is read again")
		}
		for _, n := range []int{0, -1, 101} {
			if err := r.PeekTags(n, game.New()); !errors.Is(err, ErrNoGame) {
				t.Errorf("game %d: %v", n, err)
			}
		}
		if b, err = whole.Block(1); err != nil {
			t.Fatal(err)
		}
		for _, c := range b.Columns() {
			if c.Kind != ColumnTags && c.Kind != ColumnMoves {
				continue
			}
			bad := bytes.Clone(data)
			bad[c.Offset+2] ^= 1
			r := MustOpen(t, bad)
			for range 2 {
				if err := r.PeekTags(1, game.New()); !errors.Is(err, ErrCorrupt) {
					t.Errorf("damage in %v: %v", c.Kind, err)
				}
			}
			if err := r.PeekTags(41, game.New()); err != nil {
				t.Errorf("damage in %v of another block: %v", c.Kind, err)
			}
		}
	}
}

// TestPeekFails has a read of PeekTags fail: it is told, and the next call reads again.
func TestPeekFails(t *testing.T) {
	for _, dense := range []bool{false, true} {
		data, _ := MustPack(t, []byte(TextOf("peek", 100)), WithBlockGames(40), WithDense(dense))
		failed := 0
		for left := range 20 {
			in := &failingOnce{bytes.NewReader(data), -1}
			r, err := NewReader(in, int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			right := func(n int) {
				t.Helper()
				var g game.Game
				if err := r.PeekTags(n, &g); err != nil || g.Tag("Event") != "peek "+Itoa(n) ||
					g.Result != game.Unknown {
					t.Fatalf("dense %v, game %d after a read that failed: %v %v, %v", dense, n, g.Tags, g.Result, err)
				}
			}
			in.left = left
			if err := r.PeekTags(41, game.New()); err != nil {
				if failed++; !errors.Is(err, errOnce) {
					t.Fatal(err)
				}
			}
			in.left = -1
			right(41)
			for n := 41; n <= 80; n++ {
				right(n)
			}
		}
		if failed < 2 {
			t.Errorf("dense %v: %d reads failed", dense, failed)
		}
	}
}

// TestAppendCost adds games one by one. Each time little more is written than their block; the parts of the index stay
// few; and a copy has no dead bytes.
func TestAppendCost(t *testing.T) {
	one, _ := MustPack(t, []byte(TextOf("b", 1)))
	block := MustBlock(t, MustOpen(t, one), 1)
	size := block.Size()
	archive, _ := MustPack(t, []byte(TextOf("a", 100)), WithBlockGames(1))
	for i := range 300 {
		next := MustAppend(t, archive, nil, one)
		r := MustOpen(t, next)
		top := r.root.top[0]
		small := 0
		for k, e := range top {
			if int(e.sub) < partEntries/2 {
				small++
			}
			if k > 0 && 2*e.sub > top[k-1].sub && e.sub+top[k-1].sub <= partEntries && e.sub >= top[k-1].sub {
				t.Fatalf("%d: a part of %d blocks follows one of %d", i, e.sub, top[k-1].sub)
			}
		}
		var last node
		if err := r.loadPart(&last, 0, top[len(top)-1]); err != nil {
			t.Fatal(err)
		}
		rest := int64(top[len(top)-1].size) + searchSize(last.search) + int64(len(r.root.encode())) + trailerSize
		if wrote := int64(len(next)-len(archive)) - size; wrote > rest || rest > 8<<10 || small > 6 {
			t.Fatalf("%d: %d bytes more than the block, %d small parts", i, wrote, small)
		}
		archive = next
	}
	r := MustOpen(t, archive)
	if n := len(r.root.top[0]); n > 400/partEntries*2+7 {
		t.Errorf("%d parts", n)
	}
	for n := 1; n <= r.Len(); n++ {
		if _, err := r.AppendText(nil, n); err != nil {
			t.Fatal(err)
		}
	}
	if r.Digest() == MustOpen(t, one).Digest() {
		t.Error("two archives have one digest")
	}
	dead, err := r.Dead()
	if err != nil || dead < 10_000 || dead > int64(len(archive)) {
		t.Errorf("%d bytes of %d are dead, %v", dead, len(archive), err)
	}
	whole := MustCopy(t, nil, archive)
	if got, err := MustOpen(t, whole).Dead(); err != nil || got != 0 || int64(len(archive)-len(whole)) < dead-2_000 {
		t.Errorf("%d bytes of a copy are dead, %v", got, err)
	}
	if rep := Whole(t, archive); rep.Games != 400 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// NamesText is games of players who play once.
func NamesText(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[White \"%s %d\"]\n[Black \"Other %s %d\"]\n[Result \"*\"]\n\n1. e4 *\n\n", name, i, name, i)
	}
	return b.String()
}

// TestAppendMerges adds blocks of many names one by one. What is written beside the block is bounded, and so is what is
// put together again and again.
func TestAppendMerges(t *testing.T) {
	const games, blocks = 100, 200
	archive, _ := MustPack(t, []byte(NamesText("first", games)))
	keys := int64(2 * games * nameBits / 8) // bytes of a block in a search part
	var sum, most int64
	for i := range blocks {
		one, _ := MustPack(t, []byte(NamesText(Itoa(i), games)))
		block := MustBlock(t, MustOpen(t, one), 1)
		size := block.Size()
		next := MustAppend(t, archive, nil, one)
		r := MustOpen(t, next)
		beside := int64(len(next)-len(archive)) - size - int64(len(r.root.encode())) - trailerSize
		if bound := partEntries*(keys+rangesSize+indexEntry) + searchSlices*searchEntry + 64 + 8*partEntries; beside >
			bound {
			t.Fatalf("block %d: %d bytes beside it, more than %d", i, beside, bound)
		}
		sum, most = sum+beside, max(most, beside)
		archive = next
	}
	// Each block is put together with others six times at most: 64 = 2^6.
	if bound := blocks * 7 * (keys + rangesSize + indexEntry + searchEntry + 40); sum > bound ||
		most < partEntries/2*keys {
		t.Errorf("%d bytes beside %d blocks, more than %d; at most %d at once", sum, blocks, bound, most)
	}
	t.Logf("%d bytes beside %d blocks, at most %d at once", sum, blocks, most)
	if rep := Whole(t, archive); rep.Games != games*(blocks+1) {
		t.Errorf("%+v", rep)
	}
}

// TestResultsByRuns: results are right in whatever order they are asked for. For one, the words of its sixteen games
// alone are verified, and damage there is told each time.
func TestResultsByRuns(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "1. %s %s\n\n", []string{"e4", "Nf3 Nf6 2. Ng1"}[i%2],
			[]string{"1-0", "0-1", "1/2-1/2", "*"}[i%4])
	}
	data, _ := MustPack(t, []byte(text.String()), WithBlockGames(50))
	results := []game.Result{game.WhiteWins, game.BlackWins, game.Draw, game.Unknown}
	b := MustBlock(t, MustOpen(t, data), 1)
	for _, n := range []int{1, 2, 17, 50, 16, 33, 1} {
		if got, err := b.Result(n); err != nil || got != results[(n-1)%4] {
			t.Errorf("game %d: %v, %v", n, got, err)
		}
	}
	if b.done[ColumnMoves] {
		t.Error("all moves are verified for a result")
	}
	if _, err := b.MainLine(nil, 3); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Result(34); err != nil || got != game.BlackWins || !b.done[ColumnMoves] {
		t.Errorf("game 34 after the moves: %v, %v", got, err)
	}
	for _, c := range b.Columns() {
		if c.Kind != ColumnMoves {
			continue
		}
		bad := bytes.Clone(data)
		bad[c.Offset+c.Stored-2] ^= 1 // of games 49 and 50
		b := MustBlock(t, MustOpen(t, bad), 1)
		for _, n := range []int{48, 49, 1, 50, 49} {
			_, err := b.Result(n)
			var corrupt *CorruptError
			if wrong := errors.As(err, &corrupt); wrong != (n > 48) || wrong &&
				(corrupt.Game != n || corrupt.Block != 1) {
				t.Errorf("game %d of a damaged block: %v", n, err)
			}
		}
	}
}
