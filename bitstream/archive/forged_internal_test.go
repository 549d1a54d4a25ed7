// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"testing"

	"ply11/game"
	"ply11/internal/bounded"
)

// The fuzzers of this file change an archive below its checksums, which are made right again.

// columnKinds are the columns of FuzzColumns, in the order of its arguments.
func columnKinds(dense bool) []ColumnKind {
	kinds := []ColumnKind{columnIndex, ColumnMoves, ColumnTags, ColumnAnnotations, columnText, columnVariations,
		columnClocks,
		columnTimes, columnEvals, columnExceptions}
	if dense {
		kinds[0], kinds[1] = columnGames, ColumnDense
	}
	return kinds
}

// ForgedCounts are the fields of a block's header that FuzzColumns chooses.
type ForgedCounts struct {
	Games, Departing uint16
	Words, Plies     uint32
	Style            [8]byte
}

// ForgeBlock makes an archive of one block, twice, of raw columns. All checksums are right.
func ForgeBlock(dense bool, counts ForgedCounts, packed uint16, columns [10][]byte) []byte {
	w := columnWriter{zstd: newZstd()}
	make1 := func(text uint64, crc uint32) ([]byte, head) {
		h := head{first: 1, games: uint32(counts.Games), words: counts.Words, plies: counts.Plies,
			departing: uint32(counts.Departing),
			text:      text, textCRC: crc, style: counts.Style}
		w.begin(nil)
		kinds := columnKinds(dense)
		for kind := range numColumns { // by rising kind
			for k := range kinds {
				if kinds[k] == kind {
					w.put(kind, columns[k], packed>>k&1 != 0)
				}
			}
		}
		return w.block(&h), h
	}
	data, h := make1(0, 0)
	b := Block{head: h, number: 1, at: headerSize, data: data[h.size:]}
	b.head.dense = dense
	text, ok := forgedText(&b)
	if ok {
		data, h = make1(uint64(len(text)), checksum(text))
	}
	var out bytes.Buffer
	f := newFileWriter(&out, header{})
	for range 2 {
		f.block(&packedBlock{head: h, data: data})
	}
	f.close()
	return out.Bytes()
}

// forgedText returns the text of a block whose checksum is not known.
func forgedText(b *Block) (text []byte, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // it panics again where it is looked at
		}
	}()
	if err := b.openExceptions(); err != nil {
		return nil, false
	}
	text = append(text, b.except.lead...)
	for n := 1; n <= b.Len(); n++ {
		var err error
		if text, err = b.AppendText(text, n, nil); err != nil || len(text) > 1<<20 {
			return nil, false
		}
	}
	return text, true
}

// ReadForged reads an archive in every way. Nothing may panic, and what Verify finds whole unpacks, is read in any
// order, and can be recoded there and back.
func ReadForged(t *testing.T, b []byte) {
	ReadEverything(b)
	Explain(io.Discard, bytes.NewReader(b))
	var other, back bytes.Buffer
	_, recoded := Copy(context.Background(), &other, []io.Reader{bytes.NewReader(b)}, WithDense(true), WithWorkers(1))
	rep, err := Verified(b)
	if err != nil || !rep.OK() {
		return
	}
	var text bytes.Buffer
	if _, err := Unpack(context.Background(), &text, bytes.NewReader(b), WithWorkers(1)); err != nil {
		t.Fatalf("Verify finds nothing, and Unpack %v", err)
	}
	if recoded != nil {
		t.Fatalf("Verify finds nothing, and Recode %v", recoded)
	}
	if _, err := Copy(context.Background(), &back, []io.Reader{bytes.NewReader(other.Bytes())}, WithDense(false),
		WithWorkers(1)); err != nil {
		t.Fatalf("recoded there and not back: %v", err)
	}
	if got := MustUnpack(t, back.Bytes()); !bytes.Equal(got, text.Bytes()) {
		t.Fatalf("recoded there and back: %s", FirstDifference(text.Bytes(), got))
	}
	if err := inReverse(b); err != nil {
		t.Fatalf("Verify finds nothing, and %v", err)
	}
}

// inReverse compares the games from the last to the first with those from the first to the last.
func inReverse(b []byte) error {
	want, errs := GameTexts(b)
	if len(errs) > 0 {
		return errs[0]
	}
	r, err := Opened(b)
	if err != nil {
		return err
	}
	var g game.Game
	for n := min(r.Len(), 300); n > 0; n-- {
		b, i, err := r.Find(n)
		if err != nil {
			return err
		}
		text, err := b.AppendText(nil, i, &g)
		if err != nil || string(text) != want[n] {
			return fmt.Errorf("game %d in reverse is %q, not %q, %v", n, text, want[n], err)
		}
		line, err := b.MainLine(nil, i)
		if err != nil || len(line) != g.Len() {
			return fmt.Errorf("game %d: %d plies, not %d, %v", n, len(line), g.Len(), err)
		}
	}
	return nil
}

// AddColumns adds the columns of the blocks of an archive as seeds.
func AddColumns(f *testing.F, archive []byte) {
	for b := range BlocksOf(f, archive) {
		var columns [10][]byte
		packed := uint16(0)
		for k, kind := range columnKinds(b.Dense()) {
			raw, err := b.column(kind)
			if err != nil {
				f.Fatal(err)
			}
			columns[k] = bytes.Clone(raw)
			if i := b.head.find(kind); i >= 0 && b.head.columns[i].comp == Zstd {
				packed |= 1 << k
			}
		}
		h := &b.head
		f.Add(b.Dense(), uint16(h.games), uint16(h.departing), h.words, h.plies, le.Uint64(h.style[:]), packed,
			columns[0], columns[1],
			columns[2], columns[3], columns[4], columns[5], columns[6], columns[7], columns[8], columns[9])
	}
}

// PassPanics lets panics of the package pass while a test runs.
func PassPanics(tb testing.TB) {
	letPanic = true
	tb.Cleanup(func() { letPanic = false })
}

// ForgeStructure changes an archive by a program. With follow, the footer tells of the blocks as they are then.
func ForgeStructure(sound, program []byte, follow bool) []byte {
	type part struct{ head, data []byte }
	r, err := Opened(sound)
	if err != nil {
		panic(err)
	}
	header := bytes.Clone(sound[:headerSize])
	var blocks []part
	for n := 1; n <= r.Blocks(); n++ {
		b, err := r.Block(n)
		if err != nil {
			panic(err)
		}
		at := b.Offset()
		blocks = append(blocks, part{bytes.Clone(sound[at : at+int64(b.head.size)]), bytes.Clone(b.data)})
	}
	from := r.end.at
	if refs := r.root.top[0]; len(refs) > 0 {
		from = refs[0].at
	}
	footer := bytes.Clone(sound[from : r.end.at+uint64(r.end.size)])
	trailer := bytes.Clone(sound[len(sound)-trailerSize:])
	var tail []byte
	for len(program) >= 5 {
		op := program[:5]
		program = program[5:]
		var target []byte
		switch k := int(op[1]) % max(len(blocks), 1); op[0] % 7 {
		case 0:
			target = header
		case 1, 2:
			if len(blocks) > 0 {
				target = blocks[k].head
			}
		case 3:
			target = footer
		case 4:
			target = trailer
		case 5:
			if len(blocks) == 0 {
				break
			}
			switch b := blocks[k]; op[4] % 3 {
			case 0:
				blocks = append(blocks[:k:k], blocks[k+1:]...)
			case 1:
				blocks = append(blocks, part{bytes.Clone(b.head), b.data})
			default:
				blocks[k].data = b.data[:int(op[2])*len(b.data)/256]
			}
		default:
			tail = append(tail, op[2:4]...)
		}
		if len(target) == 0 {
			continue
		}
		at := (int(op[2]) | int(op[1]>>4)<<8) % len(target)
		switch op[4] % 4 {
		case 0:
			target[at] = op[3]
		case 1:
			target[at] += op[3]
		case 2:
			target[at] ^= 1 << (op[3] % 8)
		default:
			for i := range min(4, len(target)-at) {
				target[at+i] = op[3]
			}
		}
	}
	out := bytes.Clone(header)
	var entries []ref
	for _, p := range blocks {
		resealColumns(p.head, p.data)
		le.PutUint32(p.head[len(p.head)-4:], checksum(p.head[:len(p.head)-4]))
		var h head
		h.decode(p.head) // as far as it goes
		entries = append(entries, h.ref(int64(len(out)), p.head))
		out = append(append(out, p.head...), p.data...)
	}
	if follow {
		var b bytes.Buffer
		f := fileWriter{w: &b, header: r.header, stats: r.stats, index: entries}
		f.stats.Blocks, f.stats.Bytes = len(blocks), int64(len(out))
		f.close()
		tail := b.Bytes()
		footer = bytes.Clone(tail[:len(tail)-trailerSize])
		root := le.Uint64(tail[len(tail)-trailerSize+8:])
		index := int(root) - len(out)
		le.PutUint64(trailer[8:], root)
		le.PutUint32(trailer[16:], uint32(len(footer)-index))
	}
	out = append(append(out, footer...), trailer...)
	Reseal(out)
	return append(out, tail...)
}

// TestEmptyDenseColumn reads a column of dense moves of length 0, with right checksums.
func TestEmptyDenseColumn(t *testing.T) {
	archive, _ := MustPack(t, []byte("1. e4 *\n"), WithDense(true))
	r := MustOpen(t, archive)
	b := MustBlock(t, r, 1)
	h := b.head
	games, err := b.column(columnGames)
	if err != nil {
		t.Fatal(err)
	}
	w := columnWriter{zstd: newZstd()}
	w.begin(nil)
	w.add(column{kind: ColumnDense}, len(w.data))
	w.put(columnGames, games, false)
	var out bytes.Buffer
	f := newFileWriter(&out, header{})
	f.block(&packedBlock{head: h, data: w.block(&h)})
	f.close()
	bad := out.Bytes()
	PassPanics(t)
	ReadForged(t, bad)
	var g game.Game
	if err := MustOpen(t, bad).Game(1, &g); !errors.Is(err, ErrCorrupt) {
		t.Errorf("game 1: %v", err)
	}
	rep, err := Verified(bad)
	if err != nil || rep.OK() {
		t.Errorf("Verify: %v, %v", rep.Errors, err)
	}
}

// FuzzModelled reads modelled columns, below their checksums, with any steps and texts. What is read is no longer than
// is told, and is written as the same bytes.
func FuzzModelled(f *testing.F) {
	for _, text := range []string{ClockedText, OddText()} {
		data, _ := MustPack(f, []byte(text))
		r := MustOpen(f, data)
		b, err := r.Block(1)
		if err != nil {
			f.Fatal(err)
		}
		m, err := b.noteMarks()
		if err != nil {
			f.Fatal(err)
		}
		steps, _ := b.column(ColumnAnnotations)
		texts, _ := b.column(columnText)
		for _, kind := range []ColumnKind{columnClocks, columnTimes, columnEvals} {
			raw, err := b.column(kind)
			if err != nil {
				f.Fatal(err)
			}
			coded, ok := m.appendModelled(nil, kind, raw)
			if !ok {
				f.Fatalf("column %d is not modelled", kind)
			}
			games, which, size := uint16(b.Len()), uint8(kind-columnClocks), uint16(len(raw))
			f.Add(games, which, size, steps, texts, coded)
			// A later version has another first byte.
			f.Add(games, which, size, steps, texts, append([]byte{modelVersion + 1}, coded[1:]...))
		}
	}
	bounded.Fuzz(f, func(t *testing.T, games uint16, which uint8, size uint16, steps, texts, coded []byte) {
		PassPanics(t)
		m, ok := marks(nil).appendColumns(steps, texts, int(games))
		if !ok {
			return
		}
		kind := columnClocks + ColumnKind(which%3)
		raw, ok := m.readModelled(nil, kind, coded, int(size))
		if len(raw) > int(size)+binary.MaxVarintLen64 {
			t.Fatalf("%d bytes are read, not %d", len(raw), size)
		}
		if !ok {
			return
		}
		if again, ok := m.appendModelled(nil, kind, raw); !ok || !bytes.Equal(again, coded) {
			t.Fatalf("%x is read as %x, which is written as %x, %v", coded, raw, again, ok)
		}
	})
}
