// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/position"
)

// EntrySize is the size of an entry in a book, in bytes.
const EntrySize = 16

// entryError is an error of entry i; reason may be "".
func entryError(i int64, err error, reason string) *codec.Error {
	return &codec.Error{Offset: i * EntrySize, Err: err, Reason: reason}
}

// RawMove is a move as a book has it: castling as the king taking his rook.
type RawMove uint16

// promotions are the kinds by the numbers of a book's promotion field.
var promotions = [8]chess.Kind{1: chess.Knight, 2: chess.Bishop, 3: chess.Rook, 4: chess.Queen}

// encodeMove returns the book's form of a move that is legal in the position.
func encodeMove(p *position.Position, m chess.Move) RawMove {
	from, to := m.From(), m.To()
	if p.KingSquare(p.Turn()) == from && !p.IsChess960() {
		switch to - from {
		case 2:
			to++
		case 254: // two to the left
			to -= 2
		}
	}
	r := RawMove(to) | RawMove(from)<<6
	switch m.Promotion() {
	case chess.Knight:
		r |= 1 << 12
	case chess.Bishop:
		r |= 2 << 12
	case chess.Rook:
		r |= 3 << 12
	case chess.Queen:
		r |= 4 << 12
	}
	return r
}

// Move returns the move in the position, and whether it is legal there. Castling is also taken as the
// king's own step, which some programs write.
func (r RawMove) Move(p *position.Position) (chess.Move, bool) {
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

// String returns the squares and the promotion as UCI writes them, castling as it stands: "e1h1".
func (r RawMove) String() string {
	return chess.NewPromotion(chess.Square(r>>6&63), chess.Square(r&63), promotions[r>>12&7]).String()
}

// Entry is one entry of a book.
type Entry struct {
	Key    uint64
	Move   RawMove
	Weight uint16
	Learn  uint32
}

// decodeEntry reads an entry.
func decodeEntry(b *[EntrySize]byte) Entry {
	return Entry{
		Key:    binary.BigEndian.Uint64(b[0:]),
		Move:   RawMove(binary.BigEndian.Uint16(b[8:])),
		Weight: binary.BigEndian.Uint16(b[10:]),
		Learn:  binary.BigEndian.Uint32(b[12:]),
	}
}

// appendTo appends the entry's 16 bytes.
func (e Entry) appendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, e.Key)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.Move))
	dst = binary.BigEndian.AppendUint16(dst, e.Weight)
	return binary.BigEndian.AppendUint32(dst, e.Learn)
}

// Compare orders entries as a book has them: by key, then by falling weight, then by move.
func (e Entry) Compare(o Entry) int {
	return cmp.Or(cmp.Compare(e.Key, o.Key), cmp.Compare(o.Weight, e.Weight), cmp.Compare(e.Move, o.Move))
}

// Book is an opening book, read where it stands. It may be used by several goroutines at once if its file
// may.
type Book struct {
	file    io.ReaderAt
	entries int64
	odd     int64
}

// NewBook returns the book in a file of the given size. A size that is no multiple of 16 is reported by
// All, after the whole entries.
func NewBook(file io.ReaderAt, size int64) *Book {
	return &Book{file: file, entries: size / EntrySize, odd: size % EntrySize}
}

// Len returns the number of entries.
func (b *Book) Len() int64 { return b.entries }

// Entry returns entry i, from 0.
func (b *Book) Entry(i int64) (Entry, error) {
	if i < 0 || i >= b.entries {
		return Entry{}, entryError(i, codec.ErrTruncated, fmt.Sprintf("the book has %d", b.entries))
	}
	var raw [EntrySize]byte
	if n, err := b.file.ReadAt(raw[:], i*EntrySize); n < EntrySize {
		if err == nil || err == io.EOF {
			err = codec.ErrTruncated
		}
		return Entry{}, entryError(i, err, "")
	}
	return decodeEntry(&raw), nil
}

// chunk is how many entries All reads at a time: 16 KiB.
const chunk = 1024

// All returns the entries in order. An entry that comes before one with a larger key is given together
// with a *codec.Error (codec.ErrCorrupt); the reading goes on. A file's error ends it.
func (b *Book) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		buf := make([]byte, chunk*EntrySize)
		last := uint64(0)
		for i := int64(0); i < b.entries; {
			n := min(b.entries-i, chunk)
			got, err := b.file.ReadAt(buf[:n*EntrySize], i*EntrySize)
			whole := int64(got) / EntrySize
			for k := range whole {
				e := decodeEntry((*[EntrySize]byte)(buf[k*EntrySize:]))
				var bad error
				if e.Key < last {
					bad = entryError(i+k, codec.ErrCorrupt, fmt.Sprintf("key %016x after %016x", e.Key, last))
				}
				last = e.Key
				if !yield(e, bad) {
					return
				}
			}
			if whole < n {
				if err == nil || err == io.EOF {
					err = codec.ErrTruncated
				}
				yield(Entry{}, entryError(i+whole, err, ""))
				return
			}
			i += n
		}
		if b.odd != 0 {
			yield(Entry{}, b.oddError())
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

// Lookup appends the entries of a key, in the book's order. It reads about log2(Len) entries.
func (b *Book) Lookup(dst []Entry, key uint64) ([]Entry, error) {
	i, err := b.find(key)
	for ; err == nil && i < b.entries; i++ {
		var e Entry
		if e, err = b.Entry(i); err != nil || e.Key != key {
			break
		}
		dst = append(dst, e)
	}
	return dst, err
}

// find returns the number of the first entry whose key is not less.
func (b *Book) find(key uint64) (int64, error) {
	lo, hi := int64(0), b.entries
	for lo < hi {
		mid := lo + (hi-lo)/2
		e, err := b.Entry(mid)
		if err != nil {
			return 0, err
		}
		if e.Key < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// BookMove is a move of a position with its weight.
type BookMove struct {
	Move   chess.Move
	Weight uint16
}

// Moves appends the book's moves in a position. Entries whose move is not legal there are left out: with
// the 64 bits of a key, that is a damaged book rather than two positions of one key.
func (b *Book) Moves(dst []BookMove, p *position.Position) ([]BookMove, error) {
	entries, err := b.Lookup(nil, p.Hash())
	for _, e := range entries {
		if m, ok := e.Move.Move(p); ok {
			dst = append(dst, BookMove{m, e.Weight})
		}
	}
	return dst, err
}
