// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/bounded"
	"ply11/internal/testenv"
)

// sampleText is a small text that has something in every column: annotations of every kind, departing and
// invalid games, text between games.
const sampleText = "\ufeff; a line before the first game\n" + `[Event "Sample"]
[Site "?"]
[Result "1-0"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.1] [%clk 0:02:58] [%emt 0:00:02] } 2. Bc4?! $10 (2. Nf3 Nc6
{better} (2... d6)) Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "Sample"]
[Site "Where \"it\" was"]
[Result "1/2-1/2"]

1. d4   d5 2. c4 1/2-1/2

[Event "Broken"]

1. e4 e5 2. Ke3 Nc6 1-0

[Event "Set up"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]

1. e3 Ke4 2. Kd2 *

% an escaped line
`

// eachForm runs a test for archives of fixed and of dense moves.
func eachForm(t *testing.T, test func(t *testing.T, dense bool)) {
	t.Run("fixed", func(t *testing.T) { test(t, false) })
	t.Run("dense", func(t *testing.T) { test(t, true) })
}

// smallArchive is an archive of several small blocks.
func smallArchive(tb testing.TB, dense bool) (archive []byte, text string) {
	tb.Helper()
	var b strings.Builder
	for i := range 3 {
		b.WriteString(strings.ReplaceAll(sampleText, "Sample", fmt.Sprintf("Sample %d", i)))
		b.WriteString("\n")
	}
	text = b.String()
	archive, stats := mustPack(tb, []byte(text), WithBlockGames(4), WithDense(dense))
	if stats.Blocks < 2 || stats.Invalid == 0 {
		tb.Fatalf("%d blocks, %d invalid games: not what the tests need", stats.Blocks, stats.Invalid)
	}
	return archive, text
}

// gameTexts returns the texts of an archive's games that can be read, by number, reading front to back and by
// the index; what cannot be read is an error.
func gameTexts(archive []byte) (texts map[int]string, errs []error) {
	texts = map[int]string{}
	s := NewScanner(bytes.NewReader(archive))
	for {
		b, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			errs = append(errs, err)
			break
		}
		for i := range b.Len() {
			text, err := b.AppendText(nil, i+1, nil)
			if err != nil {
				if errs = append(errs, err); len(errs) > 40 {
					break
				}
				continue
			}
			texts[b.First()+i] = string(text)
		}
	}
	r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return texts, append(errs, err)
	}
	for n := 1; n <= min(r.Len(), 1000); n++ {
		text, err := r.AppendText(nil, n)
		if err != nil {
			if errs = append(errs, err); len(errs) > 80 {
				break
			}
			continue
		}
		if old, ok := texts[n]; ok && old != string(text) {
			errs = append(errs, fmt.Errorf("game %d is two", n))
		}
		texts[n] = string(text)
	}
	return texts, errs
}

// TestEveryBitFlipped flips each bit of a small archive, one at a time: Verify finds each; no game is read
// wrong; Recover gives back every game of every other block, and names the lost.
func TestEveryBitFlipped(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := smallArchive(t, dense)
		want, errs := gameTexts(archive)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		type span struct {
			from, to    int64
			first, last int
		}
		var spans, filters []span // of blocks, and of ancillary columns, without which nothing is lost
		for i := range r.Blocks() {
			b, err := r.Block(i + 1)
			if err != nil {
				t.Fatal(err)
			}
			spans = append(spans, span{b.Offset(), b.Offset() + b.Size(), b.First(), b.First() + b.Len() - 1})
			for _, c := range b.Columns() {
				if c.Kind >= columnAncillary {
					filters = append(filters, span{from: c.Offset, to: c.Offset + c.Stored})
				}
			}
		}
		bad := bytes.Clone(archive)
		partials := 0
		for bit := range len(archive) * 8 {
			at := int64(bit / 8)
			// One bit of every second byte, another one in the next: a checksum sees one bit as well as another, and what is
			// lost depends on the byte's place. All bits with the tag long.
			if !testenv.Long && (at%2 != 0 || bit%8 != int(at/2)%8) || at%int64(testenv.Pick(1, 23)) != 0 {
				continue
			}
			bad[at] ^= 1 << (bit % 8)
			size := int64(len(bad))

			rep, err := Verify(context.Background(), bytes.NewReader(bad), size)
			if err == nil && rep.OK() {
				t.Fatalf("bit %d: Verify finds nothing", bit)
			}
			var c *CorruptError
			if err == nil && !errors.As(rep.Errors[0], &c) && !errors.Is(rep.Errors[0], ErrNotArchive) {
				t.Fatalf("bit %d: %v", bit, rep.Errors[0])
			}
			if _, err := Unpack(context.Background(), io.Discard, bytes.NewReader(bad), WithWorkers(1)); err == nil {
				t.Fatalf("bit %d: Unpack finds nothing", bit)
			}
			texts, _ := gameTexts(bad)
			for n, text := range texts {
				if text != want[n] {
					t.Fatalf("bit %d: game %d is read wrong:\n%s", bit, n, text)
				}
			}
			var out bytes.Buffer
			rep, err = Recover(context.Background(), &out, bytes.NewReader(bad), size)
			if err != nil {
				t.Fatalf("bit %d: Recover: %v", bit, err)
			}
			saved, errs := gameTexts(out.Bytes())
			if len(errs) > 0 {
				t.Fatalf("bit %d: what was recovered: %v", bit, errs)
			}
			number := 0
			for _, s := range spans {
				ancillary := slices.ContainsFunc(filters, func(f span) bool { return at >= f.from && at < f.to })
				if at >= s.from && at < s.to && s.first <= s.last && !ancillary {
					whole := Range{s.first, s.last}
					lost, partial := slices.Contains(rep.Lost, whole), slices.Contains(rep.Partial, whole)
					if lost == partial {
						t.Fatalf("bit %d: games %d-%d are lost or partial, not %v, %v", bit, s.first, s.last, rep.Lost, rep.Partial)
					}
					if partial { // the main lines are there, and the tags if it is not their column
						got := mustOpen(t, out.Bytes())
						for n := s.first; n <= s.last; n++ {
							number++
							if err := samePart(got, number, r, n, at); err != nil {
								t.Fatalf("bit %d: game %d is recovered in part: %v", bit, n, err)
							}
						}
						partials++
					}
					continue
				}
				if at >= s.from && at < s.to && !ancillary {
					continue
				}
				for n := s.first; n <= s.last; n++ {
					if number++; saved[number] != want[n] {
						t.Fatalf("bit %d: game %d is not recovered", bit, n)
					}
				}
			}
			if number != len(saved) {
				t.Fatalf("bit %d: %d games are recovered, not %d", bit, len(saved), number)
			}
			bad[at] ^= 1 << (bit % 8)
		}
		if partials == 0 {
			t.Error("no block is recovered in part")
		}
	})
}

// samePart compares what was recovered in part with the game that it was, where a byte at an offset is damaged.
func samePart(got *Reader, n int, want *Reader, m int, at int64) error {
	b, i, err := want.Find(m)
	if err != nil {
		return err
	}
	var g, h game.Game
	if err := errors.Join(got.Game(n, &g), b.Game(i, &h)); err != nil {
		return err
	}
	if !slices.Equal(g.AppendMainLine(nil), h.AppendMainLine(nil)) || g.Start != h.Start || g.Result != h.Result {
		return errors.New("another main line")
	}
	for _, c := range b.Columns() {
		hit := at >= c.Offset && at < c.Offset+c.Stored
		switch {
		case c.Kind == ColumnTags && hit && len(g.Tags) > 0:
			return errors.New("it has tags")
		case c.Kind == ColumnTags && !hit && !slices.Equal(g.Tags, h.Tags):
			return errors.New("it has other tags")
		case c.Kind == columnExceptions && hit && g.Diff(&h) != "":
			return errors.New(g.Diff(&h))
		}
	}
	return nil
}

// TestDamageIsNamed asks for the place that Verify names.
func TestDamageIsNamed(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := smallArchive(t, dense)
		r, err := NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Blocks() {
			b, err := r.Block(i + 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range b.Columns() {
				bad := bytes.Clone(archive)
				bad[c.Offset+c.Stored/2] ^= 0x10
				rep, err := Verify(context.Background(), bytes.NewReader(bad), int64(len(bad)))
				var e *CorruptError
				if err != nil || rep.OK() || !errors.As(rep.Errors[0], &e) {
					t.Fatalf("block %d, %v: %v, %v", i, c.Kind, rep, err)
				}
				if e.Block != i+1 || e.Part != c.Kind.String() || e.Offset != c.Offset || !errors.Is(e, ErrCorrupt) {
					t.Errorf("block %d, %v at %d: Verify names %v", i, c.Kind, c.Offset, e)
				}
			}
		}
	})
}

// TestEveryPrefix reads every prefix of a small archive.
func TestEveryPrefix(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := smallArchive(t, dense)
		want, _ := gameTexts(archive)
		for n := 0; n < len(archive); n += testenv.Pick(1, 11) {
			part := archive[:n]
			rep, err := Verify(context.Background(), bytes.NewReader(part), int64(n))
			if err == nil && rep.OK() {
				t.Fatalf("%d bytes of %d: Verify finds nothing", n, len(archive))
			}
			_, err = Unpack(context.Background(), io.Discard, bytes.NewReader(part), WithWorkers(1))
			if err == nil || n >= headerSize && !errors.Is(err, codec.ErrTruncated) {
				t.Fatalf("%d bytes of %d: Unpack: %v", n, len(archive), err)
			}
			texts, _ := gameTexts(part)
			for k, text := range texts {
				if text != want[k] {
					t.Fatalf("%d bytes of %d: game %d is read wrong", n, len(archive), k)
				}
			}
			var out bytes.Buffer
			if _, err := Recover(context.Background(), &out, bytes.NewReader(part), int64(n)); err != nil {
				t.Fatalf("%d bytes of %d: Recover: %v", n, len(archive), err)
			}
			saved, errs := gameTexts(out.Bytes())
			if len(errs) > 0 || len(saved) > len(want) {
				t.Fatalf("%d bytes of %d: what was recovered: %v", n, len(archive), errs)
			}
			for k, text := range saved {
				if text != want[k] {
					t.Fatalf("%d bytes of %d: game %d is recovered wrong", n, len(archive), k)
				}
			}
		}
	})
}

// reseal makes all checksums and digests of an archive right again, as far as its parts can be found: up to the first footer, and at the end.
func reseal(b []byte) {
	if len(b) < headerSize {
		return
	}
	seal := func(b []byte) { le.PutUint32(b[len(b)-4:], checksum(b[:len(b)-4])) }
	seal(b[:headerSize])
	sums := map[uint64]digest{} // of what entries tell of, by where it is
	entries := func(b []byte) {
		for ; len(b) >= indexEntry; b = b[indexEntry:] {
			if d, ok := sums[le.Uint64(b)]; ok {
				copy(b[24:], d[:])
			}
		}
	}
	var search []byte // the columns of the search part that was passed
	for at := headerSize; at >= 0 && at+partFixed <= len(b); {
		n, more := headSize(b[at:]), 0
		if n > 0 && at+n <= len(b) {
			resealColumns(b[at:at+n], b[at+n:])
			more = int(le.Uint32(b[at+32:]))
		} else if n = int(le.Uint32(b[at+4:])); le.Uint32(b[at:]) == searchMark && n >= searchFixed && n <= len(b)-at {
			le.PutUint32(b[at+8:], checksum(b[at:at+8]))
			search = b[at+searchFixed : at+n]
			at += n
			continue
		} else if n = partFixed + int(b[at+9])*indexEntry + int(b[at+10])*searchEntry + 4; le.Uint32(b[at:]) == indexMark && at+n <= len(b) {
			from := at + partFixed + int(b[at+9])*indexEntry
			entries(b[at+partFixed : from])
			for ; from < at+n-4; from += searchEntry {
				size := int(le.Uint32(b[from:])>>8 + 1)
				if size > len(search) {
					break
				}
				d := digestOf(search[:size])
				copy(b[from+4:], d[:])
				search = search[size:]
			}
			search = nil
		} else {
			break
		}
		seal(b[at : at+n])
		sums[uint64(at)] = digestOf(b[at : at+n])
		at += n + more
	}
	if len(b) < trailerSize {
		return
	}
	t := b[len(b)-trailerSize:]
	from, size := le.Uint64(t[8:]), uint64(le.Uint32(t[16:]))
	if from < uint64(len(b)) && size >= 4 && size <= uint64(len(b))-from {
		f := b[from : from+size]
		if size >= rootFixed+4 {
			entries(f[rootFixed : size-4])
		}
		seal(f)
		sum := digestOf(f)
		copy(t[20:], sum[:])
	}
	seal(t)
}

// resealColumns makes the digests of columns in a block's header right again.
func resealColumns(b, data []byte) {
	var h head
	for c := b[blockFixed : len(b)-4]; len(c) >= columnEntry; c = c[columnEntry:] {
		h.columns = append(h.columns, column{kind: ColumnKind(c[0]), stored: le.Uint32(c)>>8 + 1})
	}
	h.place()
	for i, c := range h.columns {
		if end := uint64(c.offset) + uint64(c.stored); end <= uint64(len(data)) && c.offset <= uint32(end) {
			sum := digestOf(data[c.offset:end])
			copy(b[blockFixed+i*columnEntry+8:], sum[:])
		}
	}
}

// readEverything reads an archive in every way there is; nothing may panic or take much memory.
func readEverything(b []byte) {
	gameTexts(b)
	Unpack(context.Background(), io.Discard, bytes.NewReader(b), WithWorkers(1))
	Recover(context.Background(), io.Discard, bytes.NewReader(b), int64(len(b)))
	r, err := NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return
	}
	var g game.Game
	for n := 1; n <= min(r.Len(), 40); n++ {
		r.Game(n, &g)
		r.Tags(n, &g)
		r.MainLine(nil, n)
		r.Start(n)
	}
}

// TestLies changes bytes of the archive under checksums that are made right again.
func TestLies(t *testing.T) {
	eachForm(t, func(t *testing.T, dense bool) {
		archive, _ := smallArchive(t, dense)
		rng := rand.New(rand.NewPCG(7, 8))
		bad := make([]byte, len(archive))
		for range testenv.Pick(1000, 100) {
			copy(bad, archive)
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(bad))
				switch rng.IntN(3) {
				case 0:
					bad[at] ^= 1 << rng.IntN(8)
				case 1:
					bad[at] = byte(rng.Uint32())
				default:
					for i := range min(4, len(bad)-at) {
						bad[at+i] = 0xff
					}
				}
			}
			reseal(bad)
			readEverything(bad)
		}
	})
}

// TestLyingLengthsCostNoMemory gives a block's header the greatest lengths, and nothing behind it.
func TestLyingLengthsCostNoMemory(t *testing.T) {
	h := head{first: 1, games: mostBlockGames, words: maxColumn / 2, data: 3 * maxColumn}
	for k := range uint32(3) {
		h.columns = append(h.columns, column{kind: ColumnTags + ColumnKind(k), comp: Zstd, offset: k * maxColumn, stored: maxColumn, raw: maxColumn})
	}
	b := h.encode(header{}.encode())
	b = append(b, make([]byte, 1000)...)
	before := allocated()
	if _, err := NewScanner(bytes.NewReader(b)).Next(); !errors.Is(err, codec.ErrTruncated) {
		t.Errorf("Next: %v", err)
	}
	readEverything(b)
	if took := allocated() - before; took > 24<<20 {
		t.Errorf("%d bytes of memory for %d of archive", took, len(b))
	}
}

func FuzzReader(f *testing.F) {
	for _, dense := range []bool{false, true} {
		archive, _ := smallArchive(f, dense)
		f.Add(archive, true)
		small, _ := mustPack(f, []byte(sampleText), WithDense(dense))
		f.Add(small, false)
	}
	f.Add([]byte(nil), true)
	bounded.Fuzz(f, func(t *testing.T, b []byte, seal bool) {
		if seal {
			b = bytes.Clone(b)
			reseal(b)
		}
		readEverything(b)
	})
}

func FuzzPack(f *testing.F) {
	for _, dense := range []bool{false, true} {
		f.Add([]byte(sampleText), uint8(2), dense)
		f.Add([]byte("1. e4 {\x00} e5 *\r\n\r\n[Event \"x\"]\r\n\r\n1. \xe9\xff *"), uint8(1), dense)
		f.Add([]byte("[Event \"\xe9\"]\n\n1.e4 {[%clk 00:01:02.3] [%eval #-3] [%emt 1:2:3]} *"), uint8(0), dense)
	}
	bounded.Fuzz(f, func(t *testing.T, text []byte, games uint8, dense bool) {
		archive, stats := mustPack(t, text, WithBlockGames(cmp.Or(int(games), defaultBlockGames)), WithWorkers(1), WithDense(dense))
		var other, back bytes.Buffer
		form, same := denseForm, fixedForm
		if dense {
			form, same = fixedForm, denseForm
		}
		if _, err := Recode(context.Background(), &other, []io.Reader{bytes.NewReader(archive)}, inForm(form), WithWorkers(1)); err != nil {
			t.Fatal(err)
		}
		if _, err := Recode(context.Background(), &back, []io.Reader{&other}, inForm(same), WithWorkers(1)); err != nil || !bytes.Equal(back.Bytes(), archive) {
			t.Fatalf("recoded there and back it is another archive; %v", err)
		}
		if got := mustUnpack(t, archive); !bytes.Equal(got, text) {
			t.Fatal(firstDifference(text, got))
		}
		rep, err := Verify(context.Background(), bytes.NewReader(archive), int64(len(archive)))
		if err != nil || !rep.OK() {
			t.Fatal(err, rep.Errors)
		}
		r := pgn.NewReader(bytes.NewReader(text))
		n := 0
		var g game.Game
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			n++
		}
		if len(text) < 1<<16 && n != stats.Games && !bytes.Contains(text, []byte("[Event ")) {
			t.Fatalf("%d games, and the PGN has %d", stats.Games, n)
		}
	})
}

// TestCorruptIsFinal: an archive that is corrupt is no error of one game, after which a loop would go on.
func TestCorruptIsFinal(t *testing.T) {
	for _, err := range []error{ErrCorrupt, errTruncated} {
		if codec.IsGameError(fmt.Errorf("games.p11: %w", &CorruptError{Part: "block", Block: 1, Game: 3, Err: err})) {
			t.Errorf("%v is taken for the error of a game", err)
		}
	}
}
