// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/codec"
)

// SampleText has something in every column: annotations of every kind, departing and invalid games, text between games.
const SampleText = "\ufeff; a line before the first game\n" + `[Event "Sample"]
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

// EachForm runs a test for archives of fixed and of dense moves.
func EachForm(t *testing.T, test func(t *testing.T, dense bool)) {
	t.Run("fixed", func(t *testing.T) { test(t, false) })
	t.Run("dense", func(t *testing.T) { test(t, true) })
}

// SmallArchive is an archive of several small blocks.
func SmallArchive(tb testing.TB, dense bool) (archive []byte, text string) {
	tb.Helper()
	var b strings.Builder
	for i := range 3 {
		b.WriteString(strings.ReplaceAll(SampleText, "Sample", fmt.Sprintf("Sample %d", i)))
		b.WriteString("\n")
	}
	text = b.String()
	archive, stats := MustPack(tb, []byte(text), WithBlockGames(4), WithDense(dense))
	if stats.Blocks < 2 || stats.Invalid == 0 {
		tb.Fatalf("%d blocks, %d invalid games: not what the tests need", stats.Blocks, stats.Invalid)
	}
	return archive, text
}

// GameTexts returns the texts of the games that can be read, by number, front to back and by the index; what cannot be
// read is an error.
func GameTexts(archive []byte) (texts map[int]string, errs []error) {
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
	r, err := Opened(archive)
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

// Reseal makes all checksums and digests right again, up to the first footer, and at the end.
func Reseal(b []byte) {
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
		} else if n = partFixed + int(b[at+9])*indexEntry + int(b[at+10])*searchEntry + 4; le.Uint32(b[at:]) ==
			indexMark && at+n <= len(b) {
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

// ReadEverything reads an archive in every way; nothing may panic or take much memory.
func ReadEverything(b []byte) {
	GameTexts(b)
	Unpack(context.Background(), io.Discard, bytes.NewReader(b), WithWorkers(1))
	Recover(context.Background(), io.Discard, bytes.NewReader(b), int64(len(b)))
	r, err := Opened(b)
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

// TestLyingLengthsCostNoMemory gives a block's header the greatest lengths, and nothing behind it.
func TestLyingLengthsCostNoMemory(t *testing.T) {
	h := head{first: 1, games: mostBlockGames, words: maxColumn / 2, data: 2 * maxColumn}
	for k := range uint32(2) {
		h.columns = append(h.columns, column{kind: ColumnTags + ColumnKind(k), comp: Zstd, offset: k * maxColumn,
			stored: maxColumn, raw: maxColumn})
	}
	b := h.encode(header{}.encode())
	b = append(b, make([]byte, 1000)...)
	before := allocated()
	if _, err := NewScanner(bytes.NewReader(b)).Next(); !errors.Is(err, codec.ErrTruncated) {
		t.Errorf("Next: %v", err)
	}
	ReadEverything(b)
	if took := allocated() - before; took > 24<<20 {
		t.Errorf("%d bytes of memory for %d of archive", took, len(b))
	}
}
