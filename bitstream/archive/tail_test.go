// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
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

// tailOf makes the index, the footer and the trailer of a file of so many blocks, all of the same size and of 1,024 games.
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
		f.stats.Plies += int(h.plies)
		f.stats.Text += int64(h.text)
	}
	b.Reset()
	f.stats.Bytes = at
	f.write(f.tail())
	s.pieces[at], s.size = b.Bytes(), at+int64(b.Len())
	return s
}

// TestReads counts the reads of large files, of which there is but the block that is read, the index and the footer: to open one, any game, and
// its main line.
func TestReads(t *testing.T) {
	text := lastText(t, 1024, gamegen.Text)
	archive, _ := mustPack(t, text)
	b, err := mustOpen(t, archive).Block(1)
	if err != nil {
		t.Fatal(err)
	}
	h := b.head
	data := archive[b.Offset() : b.Offset()+b.Size()]
	list := readSequential(t, archive, text)
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
			if err != nil || string(got) != list[i].text {
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
			if err != nil || !slices.Equal(line, list[i].line) {
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

// lastText returns n games of real data, or of the project's own where it is absent.
func lastText(t *testing.T, n int, own func(n int) []byte) []byte {
	t.Helper()
	dir, ok := datadir.Dir()
	if !ok {
		return own(n)
	}
	path := dir + "/pgn/master/master-50k.pgn.zst"
	f, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	b := make([]byte, 3<<20)
	k, _ := io.ReadFull(z, b)
	at := 0
	for range n {
		if at = nextGame(b[:k], at+1); at < 0 {
			t.Fatal("too few games")
		}
	}
	return b[:at]
}

// TestManyParts writes archives of so many blocks that the index has several parts, and reads games of them in any order.
func TestManyParts(t *testing.T) {
	for _, blocks := range []int{0, 1, 63, 64, 65, 128, 129, 1000, topEntries*partEntries + 1} {
		text := textOf("a", blocks)
		archive, _ := mustPack(t, []byte(text), WithBlockGames(1))
		r := mustOpen(t, archive)
		high := 0
		if blocks >= topEntries*partEntries {
			high = 1
		}
		if low := (blocks + partEntries - 1) / partEntries; r.Blocks() != blocks || len(r.root.top[0]) != low-high*partEntries || len(r.root.top[1]) != high {
			t.Fatalf("%d blocks in %d and %d parts", r.Blocks(), len(r.root.top[0]), len(r.root.top[1]))
		}
		perm := rand.New(rand.NewPCG(1, uint64(blocks))).Perm(blocks)
		for _, i := range perm[:min(len(perm), 1000)] {
			var g game.Game
			if err := r.Game(i+1, &g); err != nil || g.Tag("Event") != "a "+itoa(i+1) {
				t.Fatalf("game %d: %s, %v", i+1, g.Tag("Event"), err)
			}
			if line, err := r.MainLine(nil, i+1); err != nil || len(line) != 3 {
				t.Fatalf("game %d: %v, %v", i+1, line, err)
			}
		}
		if rep, err := Verify(context.Background(), bytes.NewReader(archive), int64(len(archive))); err != nil || !rep.OK() {
			t.Errorf("%d blocks: %v, %v", blocks, rep.Errors, err)
		}
	}
}

// TestOldVersions: an archive that is older than version 1 is refused in every way to read it, with what gives its text. So is a version that is not
// known yet.
func TestOldVersions(t *testing.T) {
	for _, x := range []struct {
		magic   [8]byte
		version byte
	}{{oldMagic, 1}, {oldMagic, 3}, {magic, 0}, {magic, Version + 1}} {
		for _, size := range []int{0, tailRead} { // the header is read with the tail, or by itself
			old := header{}.encode()
			old = append(append(old, make([]byte, size)...), trailer{}.encode()...)
			copy(old, x.magic[:])
			old[8], old[len(old)-trailerSize+4] = x.version, x.version
			reseal(old)
			if x.magic == oldMagic {
				old = append(old, make([]byte, 32)...) // the trailer was another
			}
			_, next := NewScanner(bytes.NewReader(old)).Next()
			_, open := NewReader(bytes.NewReader(old), int64(len(old)))
			_, verify := Verify(context.Background(), bytes.NewReader(old), int64(len(old)))
			_, recov := Recover(context.Background(), io.Discard, bytes.NewReader(old), int64(len(old)))
			_, more := Append(context.Background(), &memFile{b: old, left: -1}, int64(len(old)), nil)
			for i, err := range []error{next, open, verify, recov, more, Explain(io.Discard, bytes.NewReader(old))} {
				if !errors.Is(err, ErrVersion) || (x.magic == oldMagic) != strings.Contains(err.Error(), "d3a283d") {
					t.Errorf("version %d, %d: %v", x.version, i, err)
				}
			}
		}
	}
}

// TestMetaRefused: properties that an archive cannot hold are refused.
func TestMetaRefused(t *testing.T) {
	for name, value := range map[string]string{"": "b", ".a": "b", "!a": "b", "a\n": "b", "a": "\xff", "b": strings.Repeat("x", maxProperties),
		strings.Repeat("x", 256): "a"} {
		if _, err := Pack(context.Background(), io.Discard, strings.NewReader("1. e4 *\n"), WithMeta(map[string]string{name: value})); !errors.Is(err, codec.ErrOption) {
			t.Errorf("%.10q: %v", name, err)
		}
	}
}

// TestMeta keeps the properties of archives where they are copied, converted, recovered and put together. They change nothing of what is packed.
func TestMeta(t *testing.T) {
	meta := map[string]string{"source": "https://example.org/a", "created by": "me", "licence": "CC0-1.0", "größe": ""}
	text := []byte(sampleText)
	a, _ := mustPack(t, text, WithMeta(meta))
	plain, _ := mustPack(t, text)
	want := func(what string, archive []byte, want map[string]string) {
		t.Helper()
		if got := mustOpen(t, archive).Meta(); !maps.Equal(got, want) {
			t.Errorf("%s: %q", what, got)
		}
	}
	want("pack", a, meta)
	want("without", plain, map[string]string{})
	if len(a)-len(plain) > 120 || !bytes.Equal(a[:mustOpen(t, a).end.at], plain[:mustOpen(t, plain).end.at]) {
		t.Error("the blocks are others")
	}
	want("recode", mustRecode(t, []RecodeOption{WithDense(true)}, a), meta)
	other, _ := mustPack(t, text, WithMeta(map[string]string{"source": "b", "note": "x"}))
	sum := maps.Clone(meta)
	sum["note"] = "x"
	want("merge", mustRecode(t, nil, a, other), sum)
	sum["note"] = "y"
	want("merge with another value", mustRecode(t, []RecodeOption{WithMeta(map[string]string{"note": "y"})}, a, other), sum)
	var out bytes.Buffer
	if _, err := Recover(context.Background(), &out, bytes.NewReader(a), int64(len(a))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), a) {
		t.Error("what is recovered of a whole archive is another one")
	}
	w := NewSelection(&out, WithMeta(meta))
	out.Reset()
	if err := errors.Join(w.Write(parse(t, "1. e4 *")), w.Close()); err != nil {
		t.Fatal(err)
	}
	want("selection", out.Bytes(), meta)
}

// memFile is a File in memory, of which writing fails after some bytes.
type memFile struct {
	b    []byte
	left int // bytes that can be written; -1 for all
}

var errFull = errors.New("no room")

func (f *memFile) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(f.b).ReadAt(b, at) }

func (f *memFile) WriteAt(b []byte, at int64) (int, error) {
	n := len(b)
	if f.left >= 0 {
		n = min(n, f.left)
		f.left -= n
	}
	if grow := int(at) + n - len(f.b); grow > 0 {
		f.b = append(f.b, make([]byte, grow)...)
	}
	copy(f.b[at:], b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func (f *memFile) Truncate(size int64) error {
	if f.left == 0 {
		return errFull // the machine is off
	}
	if grow := int(size) - len(f.b); grow > 0 {
		f.b = append(f.b, make([]byte, grow)...)
	}
	f.b = f.b[:size]
	return nil
}

func (f *memFile) Sync() error { return nil }

// mustAppend adds archives to one.
func mustAppend(t *testing.T, a []byte, options []AppendOption, more ...[]byte) []byte {
	t.Helper()
	f := &memFile{b: bytes.Clone(a), left: -1}
	var srcs []io.Reader
	for _, m := range more {
		srcs = append(srcs, bytes.NewReader(m))
	}
	stats, err := Append(context.Background(), f, int64(len(a)), srcs, options...)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Bytes != int64(len(f.b)) {
		t.Fatalf("%d bytes, not the %d that Append tells of", len(f.b), stats.Bytes)
	}
	return f.b
}

// TestAppend adds to an archive again and again. Every way to read it gives all games; the bytes before stay; each bit of the old tails is
// verified.
func TestAppend(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		texts := []string{sampleText, textOf("b", 20), oddText(), textOf("c", 3)}
		archive, _ := mustPack(t, []byte(texts[0]), WithDense(dense), WithBlockGames(2))
		sum := texts[0]
		for i, text := range texts[1:] {
			more, _ := mustPack(t, []byte(text), WithDense(dense), WithBlockGames(4))
			next := mustAppend(t, archive, nil, more)
			if !bytes.HasPrefix(next, archive) {
				t.Fatal("what was there is changed")
			}
			archive, sum = next, sum+text
			if got := mustUnpack(t, archive); string(got) != sum {
				t.Fatalf("%d: %s", i, firstDifference([]byte(sum), got))
			}
			r := mustOpen(t, archive)
			if want := sha256.Sum256([]byte(sum)); !r.stats.Hashed || r.stats.SHA256 != want || r.stats.Text != int64(len(sum)) || r.Unfinished() != 0 {
				t.Fatalf("%d: %+v", i, r.stats)
			}
			if rep, err := Verify(context.Background(), bytes.NewReader(archive), int64(len(archive))); err != nil || !rep.OK() || rep.Games != r.stats.Games {
				t.Fatalf("%d: %v, %v", i, rep, err)
			}
			if text, err := explained(t, archive); err != nil || strings.Contains(text, "wrong") {
				t.Fatalf("%d: %v", i, err)
			}
			if i == 1 {
				if said := pythonReads(t, [][]byte{archive})[0]; said != "" {
					t.Fatalf("%d: the Python reader: %s", i, said)
				}
			}
			if err := checkOrders(t, archive, []byte(sum), rand.New(rand.NewPCG(1, uint64(i)))); err != nil {
				t.Fatalf("%d: %v", i, err)
			}
			var out bytes.Buffer
			if _, err := Recover(context.Background(), &out, bytes.NewReader(archive), int64(len(archive))); err != nil || string(mustUnpack(t, out.Bytes())) != sum || out.Len() >= len(archive) {
				t.Fatalf("%d: what is recovered is another text: %v", i, err)
			}
			if got := mustRecode(t, nil, archive); !bytes.Equal(got, out.Bytes()) {
				t.Fatalf("%d: what is copied is not what is recovered", i)
			}
		}
		for at := range archive {
			if !testenv.Long && at%31 != 0 {
				continue
			}
			bad := bytes.Clone(archive)
			bad[at] ^= 1 << (at % 8)
			if rep, err := Verify(context.Background(), bytes.NewReader(bad), int64(len(bad))); err == nil && rep.OK() {
				t.Fatalf("byte %d: Verify finds nothing", at)
			}
			if at%2 == 0 {
				if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(bad), WithWorkers(1)); err == nil {
					t.Fatalf("byte %d: Unpack finds nothing", at)
				}
			}
		}
	})
}

// TestAppendInterrupted ends adding after every number of bytes, also within a search part with names. The archive is what it was, and tells of what stands behind it, which the next
// writer removes.
func TestAppendInterrupted(t *testing.T) {
	first := sampleText
	second := strings.ReplaceAll(textOf("b", 8), "[Result", "[Date \"1999.01.01\"]\n[White \"W\"]\n[Black \"B\"]\n[Result")
	archive, _ := mustPack(t, []byte(first))
	more, _ := mustPack(t, []byte(second), WithBlockGames(3))
	whole := mustAppend(t, archive, nil, more)
	third := mustAppend(t, whole, nil, more)
	for _, x := range []struct {
		name        string
		base, after []byte
		text        string
	}{{"first", archive, whole, first}, {"second", whole, third, first + second}} {
		if kinds, _, at := searchColumns(t, x.after); at < int64(len(x.base)) || !slices.Contains(kinds, searchNames) {
			t.Fatalf("%s: what is added has no names to search: columns %v at %d", x.name, kinds, at)
		}
		for left := range len(x.after) - len(x.base) {
			f := &memFile{b: bytes.Clone(x.base), left: left}
			if _, err := Append(context.Background(), f, int64(len(x.base)), []io.Reader{bytes.NewReader(more)}); !errors.Is(err, errFull) {
				t.Fatalf("%s, %d bytes: %v", x.name, left, err)
			}
			r, err := NewReader(f, int64(len(f.b)))
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", x.name, left, err)
			}
			behind := int64(len(f.b) - len(x.base))
			if r.Unfinished() != behind || r.stats != mustStats(t, x.base) {
				t.Fatalf("%s, %d bytes: %d unfinished, %+v", x.name, left, r.Unfinished(), r.stats)
			}
			if left%17 > 0 {
				continue
			}
			var text []byte
			for n := 1; n <= r.Len(); n++ {
				if text, err = r.AppendText(text, n); err != nil {
					t.Fatal(err)
				}
			}
			if !strings.Contains(x.text, string(text)) {
				t.Fatalf("%s, %d bytes: other games", x.name, left)
			}
			rep, err := Verify(context.Background(), f, int64(len(f.b)))
			if err != nil || !rep.OK() || len(rep.Lost) > 0 || rep.Tail || rep.Unfinished != behind || rep.Games != r.Len() {
				t.Fatalf("%s, %d bytes: Verify: %+v, %v", x.name, left, rep, err)
			}
			f.left = -1
			if _, err := Append(context.Background(), f, int64(len(f.b)), []io.Reader{bytes.NewReader(more)}); err != nil || !bytes.Equal(f.b, x.after) {
				t.Fatalf("%s, %d bytes: after it games cannot be added: %v", x.name, left, err)
			}
		}
	}
}

func mustStats(t *testing.T, archive []byte) Stats { return mustOpen(t, archive).stats }

// TestAppendRefuses: what cannot be added in place is refused before anything is written.
func TestAppendRefuses(t *testing.T) {
	pack := func(o ...PackOption) []byte { b, _ := mustPack(t, []byte(sampleText), o...); return b }
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
		f := &memFile{b: bytes.Clone(x.to), left: -1}
		if _, err := Append(context.Background(), f, int64(len(x.to)), []io.Reader{bytes.NewReader(x.more)}, x.o...); !errors.Is(err, x.is) {
			t.Errorf("%s: %v", x.name, err)
		}
		if !bytes.Equal(f.b, x.to) {
			t.Errorf("%s: the file is another", x.name)
		}
	}
	// Blocks of both forms stand side by side.
	for _, o := range [][]AppendOption{nil, {WithDense(false)}, {WithDense(true)}} {
		both := mustAppend(t, plain, o, dense, plain)
		if got := mustUnpack(t, both); string(got) != strings.Repeat(sampleText, 3) {
			t.Error("another text")
		}
		if r := mustOpen(t, both); int(r.root.dense) != []int{1, 0, 2}[slices.IndexFunc([]form{asIs, fixedForm, denseForm}, func(f form) bool { a, _ := apply(o); return a.form == f })] {
			t.Errorf("%d blocks are dense", r.root.dense)
		}
	}
}

// TestSummary: a summary says of no game that it is not there, and of few strangers that they are.
func TestSummary(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		text := lastText(t, 300, func(n int) []byte { return []byte(textOf("a", n)) }) // of many names
		archive, _ := mustPack(t, text, WithDense(dense), WithBlockGames(40))
		r := mustOpen(t, archive)
		var g game.Game
		strangers, met := 0, 0
		for k := 1; k <= r.Blocks(); k++ {
			s, ok, err := mustOpen(t, archive).Summary(k)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			b, err := r.Block(k)
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i <= b.Len(); i++ {
				if err := b.Tags(i, &g); err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{g.Tag("White"), g.Tag("Black")} {
					if name != "" && !s.HasPlayer(name) {
						t.Fatalf("block %d, game %d: %s is not there", k, i, name)
					}
				}
				if n, ok := plainNumber(g.Tag("WhiteElo")); ok && !s.HasRating(n, n) {
					t.Fatalf("block %d, game %d: a rating of %d is not there", k, i, n)
				}
				if date := g.Tag("Date"); len(date) > 3 {
					if n, ok := plainNumber(date[:4]); ok && (!s.HasYear(n, n) || !s.HasYear(0, n) || !s.HasYear(n, 9999)) {
						t.Fatalf("block %d, game %d: the year %d is not there", k, i, n)
					}
				}
			}
			for n := range 500 {
				met++
				if s.HasPlayer("stranger " + itoa(n)) {
					strangers++
				}
			}
			if s.HasYear(0, 999) || s.HasRating(5000, 6000) {
				t.Errorf("block %d has years or ratings that are not there", k)
			}
		}
		if strangers*40 > met {
			t.Errorf("%d of %d names that are not there seem to be", strangers, met)
		}
	})
}

// TestRunsAreVerified changes words, and makes all checksums right again but those of the words themselves: a main line that is read in
// place tells of it, and so does Verify.
func TestRunsAreVerified(t *testing.T) {
	archive, _ := mustPack(t, []byte(textOf("a", 100)))
	b, err := mustOpen(t, archive).Block(1)
	if err != nil {
		t.Fatal(err)
	}
	c := b.Columns()[slices.IndexFunc(b.Columns(), func(c Column) bool { return c.Kind == ColumnMoves })]
	for at := c.Offset; at < c.Offset+c.Stored; at += 13 {
		bad := bytes.Clone(archive)
		bad[at] ^= 4
		group := func(n int) (e error) { _, e = mustOpen(t, bad).MainLine(nil, n); return e }
		wrong := 0
		for n := 1; n <= 100; n += 16 {
			if err := group(n); err != nil {
				if !errors.Is(err, ErrCorrupt) {
					t.Fatal(err)
				}
				wrong++
			}
		}
		if wrong < 1 || wrong > 2 {
			t.Fatalf("byte %d: %d groups of games are wrong", at, wrong)
		}
		reseal(bad)
		if rep, err := Verify(context.Background(), bytes.NewReader(bad), int64(len(bad))); err != nil || rep.OK() {
			t.Fatalf("byte %d: Verify: %v", at, err)
		}
	}
}

// TestPeek: a block of which columns are read when they are wanted is the block, in as many reads as are wanted, and damage in it is told as of the block.
func TestPeek(t *testing.T) {
	for _, o := range [][]PackOption{nil, {WithDense(true)}, {WithFilter(false)}} {
		data, _ := mustPack(t, []byte(textOf("peek", 30)), append(o, WithBlockGames(10))...)
		in := &reads{ReaderAt: bytes.NewReader(data)}
		r, err := NewReader(in, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		whole := mustOpen(t, data)
		for n := 1; n <= r.Blocks(); n++ {
			b, err := whole.Block(n)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Place(n); err != nil { // it reads the index
				t.Fatal(err)
			}
			in.take()
			p, err := r.Peek(n)
			if err != nil {
				t.Fatal(err)
			}
			if calls, size := in.take(); calls != 1 || size != int(b.head.front()) {
				t.Errorf("block %d: %d bytes in %d reads, and its front has %d", n, size, calls, b.head.front())
			}
			for k, c := range b.Columns() {
				p.column(c.Kind)
				if calls, size := in.take(); (c.Offset+c.Stored > b.at+int64(b.head.front())) != (calls == 1 && size == int(c.Stored)) {
					t.Errorf("block %d, column %d: %d reads, %d bytes", n, k, calls, size)
				}
			}
			if err := p.Verify(); err != nil {
				t.Error(err)
			}
			want, _ := b.AppendAll(nil)
			if got, err := p.AppendAll(nil); err != nil || !bytes.Equal(got, want) {
				t.Errorf("block %d: other text; %v", n, err)
			}
			for _, c := range b.Columns() {
				if c.Stored == 0 {
					continue
				}
				bad := bytes.Clone(data)
				bad[c.Offset+c.Stored/2] ^= 1
				first, err := mustOpen(t, bad).Block(n)
				if err != nil {
					t.Fatal(err)
				}
				second, err := mustOpen(t, bad).Peek(n)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := second.Verify(), first.Verify(); !errors.Is(got, ErrCorrupt) || got.Error() != want.Error() {
					t.Errorf("%v: %v, of the block %v", c.Kind, got, want)
				}
			}
		}
	}
}

// TestTwoTails: a tail may follow a tail, where no games were added, but a property. All readers take the last one.
func TestTwoTails(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		one, _ := mustPack(t, []byte(sampleText), WithDense(dense))
		for _, more := range [][][]byte{nil, {one}} { // the last tail follows a tail, or a block
			two := mustAppend(t, mustAppend(t, one, []AppendOption{WithMeta(map[string]string{"a": "b"})}), nil, more...)
			want := strings.Repeat(sampleText, 1+len(more))
			if rep, err := Verify(context.Background(), bytes.NewReader(two), int64(len(two))); err != nil || !rep.OK() {
				t.Errorf("Verify: %v, %v", rep.Errors, err)
			}
			if got := mustUnpack(t, two); string(got) != want {
				t.Error(firstDifference([]byte(want), got))
			}
			if got := mustOpen(t, two).Meta()["a"]; got != "b" {
				t.Errorf("the property is %q", got)
			}
			if err := Explain(io.Discard, bytes.NewReader(two)); err != nil {
				t.Error(err)
			}
			var out bytes.Buffer
			if rep, err := Recover(context.Background(), &out, bytes.NewReader(two), int64(len(two))); err != nil || !rep.OK() || string(mustUnpack(t, out.Bytes())) != want {
				t.Errorf("Recover: %v, %v", rep.Errors, err)
			}
			if said := pythonReads(t, [][]byte{two})[0]; said != "" {
				t.Errorf("the Python reader: %s", said)
			}
			cut := two[:len(two)-10]
			if r := mustOpen(t, cut); r.Unfinished() == 0 {
				t.Error("what is unfinished is not told")
			}
		}
	})
}

// TestAppendCost adds games one by one. Each time little more is written than their block, and the parts of the index stay few; all games are read, and
// what is copied has no dead bytes.
func TestAppendCost(t *testing.T) {
	one, _ := mustPack(t, []byte(textOf("b", 1)))
	block, err := mustOpen(t, one).Block(1)
	if err != nil {
		t.Fatal(err)
	}
	size := block.Size()
	archive, _ := mustPack(t, []byte(textOf("a", 100)), WithBlockGames(1))
	for i := range 300 {
		next := mustAppend(t, archive, nil, one)
		r := mustOpen(t, next)
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
	r := mustOpen(t, archive)
	if n := len(r.root.top[0]); n > 400/partEntries*2+7 {
		t.Errorf("%d parts", n)
	}
	for n := 1; n <= r.Len(); n++ {
		if _, err := r.AppendText(nil, n); err != nil {
			t.Fatal(err)
		}
	}
	if r.Digest() == mustOpen(t, one).Digest() {
		t.Error("two archives have one digest")
	}
	dead, err := r.Dead()
	if err != nil || dead < 10_000 || dead > int64(len(archive)) {
		t.Errorf("%d bytes of %d are dead, %v", dead, len(archive), err)
	}
	whole := mustRecode(t, nil, archive)
	if got, err := mustOpen(t, whole).Dead(); err != nil || got != 0 || int64(len(archive)-len(whole)) < dead-2_000 {
		t.Errorf("%d bytes of a copy are dead, %v", got, err)
	}
	if rep, err := Verify(context.Background(), bytes.NewReader(archive), int64(len(archive))); err != nil || !rep.OK() || rep.Games != 400 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// namesText is games of players who play once.
func namesText(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[White \"%s %d\"]\n[Black \"Other %s %d\"]\n[Result \"*\"]\n\n1. e4 *\n\n", name, i, name, i)
	}
	return b.String()
}

// TestAppendMerges adds blocks of many names one by one. What is written beside the block is a part, its search part and the footer, however many blocks there are; and what
// is put together again and again is bounded, too.
func TestAppendMerges(t *testing.T) {
	const games, blocks = 100, 200
	archive, _ := mustPack(t, []byte(namesText("first", games)))
	keys := int64(2 * games * tableNames.bits / 8) // bytes of a block in a search part
	var sum, most int64
	for i := range blocks {
		one, _ := mustPack(t, []byte(namesText(itoa(i), games)))
		block, err := mustOpen(t, one).Block(1)
		if err != nil {
			t.Fatal(err)
		}
		size := block.Size()
		next := mustAppend(t, archive, nil, one)
		r := mustOpen(t, next)
		beside := int64(len(next)-len(archive)) - size - int64(len(r.root.encode())) - trailerSize
		if bound := partEntries*(keys+rangesSize+indexEntry) + searchSlices*searchEntry + 64 + 8*partEntries; beside > bound {
			t.Fatalf("block %d: %d bytes beside it, more than %d", i, beside, bound)
		}
		sum, most = sum+beside, max(most, beside)
		archive = next
	}
	// Each block is put together with others six times at most: 64 = 2^6.
	if bound := blocks * 7 * (keys + rangesSize + indexEntry + searchEntry + 40); sum > bound || most < partEntries/2*keys {
		t.Errorf("%d bytes beside %d blocks, more than %d; at most %d at once", sum, blocks, bound, most)
	}
	t.Logf("%d bytes beside %d blocks, at most %d at once", sum, blocks, most)
	if rep, err := Verify(context.Background(), bytes.NewReader(archive), int64(len(archive))); err != nil || !rep.OK() || rep.Games != games*(blocks+1) {
		t.Errorf("%+v, %v", rep, err)
	}
	// As many blocks at once are written once.
	var rest []byte
	for i := range blocks {
		rest = append(rest, namesText("more "+itoa(i), games)...)
	}
	many, _ := mustPack(t, rest, WithBlockGames(games))
	before := int64(len(archive))
	archive = mustAppend(t, archive, nil, many)
	if grown := int64(len(archive)) - before; grown > int64(len(many))+2*partEntries*(keys+rangesSize+indexEntry)+20_000 {
		t.Errorf("an archive of %d bytes adds %d", len(many), grown)
	}
}

// TestFooterPlies: a number of plies that is no int is refused, and does not become a negative one.
func TestFooterPlies(t *testing.T) {
	archive, _ := mustPack(t, []byte("1. e4 e5 *\n"))
	bad := forge(t, archive, nil, func(b []byte) { b[le.Uint64(b[len(b)-trailerSize+8:])+23] = 0x80 })
	if _, err := NewReader(bytes.NewReader(bad), int64(len(bad))); !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v", err)
	}
}
