// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/position"
)

const entrySize = 16

// entryError is an error of entry i; reason may be "".
func entryError(i int64, err error, reason string) *codec.Error {
	return &codec.Error{Offset: i * entrySize, Err: err, Reason: reason}
}

// rawMove is a move as a book has it: castling is the king taking its rook.
type rawMove uint16

var promotions = [8]chess.Kind{1: chess.Knight, 2: chess.Bishop, 3: chess.Rook, 4: chess.Queen}

func encodeMove(p *position.Position, m chess.Move) rawMove {
	from, to := m.From(), m.To()
	if p.KingSquare(p.Turn()) == from && !p.IsChess960() {
		switch to - from {
		case 2:
			to++
		case 254: // two to the left
			to -= 2
		}
	}
	return rawMove(to) | rawMove(from)<<6 | rawMove(slices.Index(promotions[:], m.Promotion()))<<12
}

// in returns the move in the position, and whether it is legal there. Castling may also be the king's own step.
func (r rawMove) in(p *position.Position) (chess.Move, bool) {
	from, to := chess.Square(r>>6&63), chess.Square(r&63)
	kind := promotions[r>>12&7]
	if r>>15 != 0 || r>>12&7 > 4 {
		return 0, false
	}
	turn := p.Turn()
	if p.KingSquare(turn) == from && p.PieceAt(to) == chess.NewPiece(turn, chess.Rook) && !p.IsChess960() {
		if to > from {
			to = from + 2
		} else {
			to = from - 2
		}
	}
	m := chess.NewPromotion(from, to, kind)
	return m, p.IsLegal(m)
}

// String returns the move as UCI, castling as it stands: "e1h1".
func (r rawMove) String() string {
	return chess.NewPromotion(chess.Square(r>>6&63), chess.Square(r&63), promotions[r>>12&7]).String()
}

// entry is one entry of a book.
type entry struct {
	key    uint64
	move   rawMove
	weight uint16
	learn  uint32
}

func decodeEntry(b *[entrySize]byte) entry {
	return entry{
		key:    binary.BigEndian.Uint64(b[0:]),
		move:   rawMove(binary.BigEndian.Uint16(b[8:])),
		weight: binary.BigEndian.Uint16(b[10:]),
		learn:  binary.BigEndian.Uint32(b[12:]),
	}
}

func (e entry) appendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, e.key)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.move))
	dst = binary.BigEndian.AppendUint16(dst, e.weight)
	return binary.BigEndian.AppendUint32(dst, e.learn)
}

func (e entry) compare(o entry) int {
	return cmp.Or(cmp.Compare(e.key, o.key), cmp.Compare(o.weight, e.weight), cmp.Compare(e.move, o.move))
}

// Book is an opening book, read where it stands. Several goroutines may use it if they may use its file.
type Book struct {
	file    io.ReaderAt
	entries int64
	odd     int64
}

// NewBook returns the book in a file of the given size. Explain and a Reader report a size that is no multiple of 16.
func NewBook(file io.ReaderAt, size int64) *Book {
	return &Book{file: file, entries: size / entrySize, odd: size % entrySize}
}

// entryAt returns entry i, from 0.
func (b *Book) entryAt(i int64) (entry, error) {
	var raw [entrySize]byte
	if n, err := b.file.ReadAt(raw[:], i*entrySize); n < entrySize {
		if err == nil || err == io.EOF {
			err = codec.ErrTruncated
		}
		return entry{}, entryError(i, err, "")
	}
	return decodeEntry(&raw), nil
}

// all returns the entries in order. An entry after one with a larger key comes with a *codec.Error; the file's error
// ends it.
func (b *Book) all() iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		in := bufio.NewReaderSize(io.NewSectionReader(b.file, 0, b.entries*entrySize), 1<<14)
		last := uint64(0)
		for i := range b.entries {
			var raw [entrySize]byte
			if _, err := io.ReadFull(in, raw[:]); err != nil {
				if err == io.EOF || err == io.ErrUnexpectedEOF {
					err = codec.ErrTruncated
				}
				yield(entry{}, entryError(i, err, ""))
				return
			}
			e := decodeEntry(&raw)
			var bad error
			if e.key < last {
				bad = entryError(i, codec.ErrCorrupt, fmt.Sprintf("key %016x after %016x", e.key, last))
			}
			last = e.key
			if !yield(e, bad) {
				return
			}
		}
		if b.odd != 0 {
			yield(entry{}, b.oddError())
		}
	}
}

// oddError is the error of bytes after the last whole entry, nil if there are none.
func (b *Book) oddError() *codec.Error {
	if b.odd == 0 {
		return nil
	}
	return entryError(b.entries, codec.ErrTruncated, fmt.Sprintf("%d bytes are left", b.odd))
}

// BookMove is a move of a position with its weight.
type BookMove struct {
	Move   chess.Move
	Weight uint16
}

// Moves appends the book's moves in a position, in the book's order, without those that are not legal there. It reads
// about log2 of the number of entries.
func (b *Book) Moves(dst []BookMove, p *position.Position) ([]BookMove, error) {
	err := b.each(p.Hash(), func(_ int64, e entry) {
		if m, ok := e.move.in(p); ok {
			dst = append(dst, BookMove{m, e.weight})
		}
	})
	return dst, err
}

// each calls f with the entries of a key and their numbers.
func (b *Book) each(key uint64, f func(i int64, e entry)) error {
	var err error
	first := sort.Search(int(b.entries), func(i int) bool {
		e, bad := b.entryAt(int64(i))
		err = cmp.Or(err, bad)
		return err != nil || e.key >= key
	})
	for i := int64(first); err == nil && i < b.entries; i++ {
		var e entry
		if e, err = b.entryAt(i); err != nil || e.key != key {
			break
		}
		f(i, e)
	}
	return err
}
