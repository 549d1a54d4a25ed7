// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"ply11/chess"
	"ply11/position"
)

var binFormat = format{
	name: "bin", ext: ".bin",
	description: "Stockfish's .bin, 40 bytes a position (PackedSfenValue)",
	positions:   true, engine: true, want: wantNotes,
	create: func(_ *Job, out *output) (sink, error) { return &recordSink{w: out.file, append: appendBin}, nil },
}

const binSize = 40

type sfenBits struct {
	b  []byte
	at int
}

func (s *sfenBits) get(n int) (v int) {
	for i := range n {
		if s.at>>3 < len(s.b) {
			v |= int(s.b[s.at>>3]>>(s.at&7)&1) << i
		}
		s.at++
	}
	return v
}

// sfenPieces are the bits of each piece but kings, whose squares come first.
var sfenPieces = func() (t [16]struct {
	code uint64
	bits int
}) {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for i, k := range engineKinds[:5] {
			piece := &t[chess.NewPiece(c, k)]
			piece.code, piece.bits = uint64(1|i<<1|int(c)<<4), 5
		}
	}
	return t
}()

// recordSink writes positions as records of their own.
type recordSink struct {
	ofPositions
	w      *outputFile
	append func(dst []byte, s *sample) []byte
	b      []byte
}

func (w *recordSink) sample(s *sample) error {
	w.b = w.append(w.b[:0], s)
	_, err := w.w.Write(w.b)
	return err
}

func (w *recordSink) end(*Shard) error { return nil }

// appendBin appends a position of a .bin.
func appendBin(dst []byte, s *sample) []byte {
	dst = append(dst, make([]byte, binSize)...)
	b := dst[len(dst)-binSize:]
	p := &s.at
	// Bits that are not written yet are in one number: putting them into memory one by one takes longer.
	bit := uint64(p.Turn()) | uint64(p.KingSquare(chess.White))<<1 | uint64(p.KingSquare(chess.Black))<<7
	n, at := 13, 0
	write := func() { // all but the last 31
		for ; n >= 32; bit, n, at = bit>>32, n-32, at+4 {
			binary.LittleEndian.PutUint32(b[at:], uint32(bit))
		}
	}
	next := 0 // square, from the eighth rank to the first
	for pieces := bits.ReverseBytes64(uint64(p.Occupied())); pieces != 0; pieces &= pieces - 1 {
		i := bits.TrailingZeros64(pieces)
		n += i - next // a zero for each empty square before
		next = i + 1
		write()
		piece := &sfenPieces[p.PieceAt(chess.Square(i^56)&63)&15]
		bit |= piece.code << (n & 63)
		n += piece.bits
	}
	n += 64 - next
	write()
	bit |= uint64(p.Castling()) << (n & 63)
	n += 5
	if ep := canTakeEnPassant(p); ep != chess.NoSquare {
		bit |= (1 | uint64(ep)<<1) << (n - 1)
		n += 6
	}
	write()
	clock := min(p.HalfmoveClock(), 127)
	bit |= (uint64(clock&63) | uint64(min(p.FullmoveNumber(), 1<<16-1))<<6 | uint64(clock>>6)<<22) << n
	n += 23
	write()
	binary.LittleEndian.PutUint32(b[at:], uint32(bit))
	m, _ := s.played.Move()
	binary.LittleEndian.PutUint16(b[32:], uint16(engineScore(s.own())))
	binary.LittleEndian.PutUint16(b[34:], binMove(p, m))
	binary.LittleEndian.PutUint16(b[36:], uint16(min(p.Ply(), 1<<16-1)))
	result, _ := s.outcome()
	b[38], b[39] = byte(result), 0xff
	return dst
}

var binSpecials = specials{promoting: 1, capturingEnPassant: 2, castling: 3}

func binMove(p *position.Position, m chess.Move) uint16 {
	kind, to, promotion := binSpecials.parts(p, m)
	return kind<<14 | promotion<<12 | uint16(m.From())<<6 | uint16(to)
}

type binEntry struct {
	at     position.Position
	move   chess.Move
	score  int16
	ply    uint16
	result int8
}

func readBinEntry(b *[binSize]byte) (e binEntry, err error) {
	board := sfenBits{b: b[:32]}
	s := position.Setup{Turn: chess.Color(board.get(1))}
	kings := [2]int{board.get(6), board.get(6)}
	for i := range 64 {
		at := i ^ 56
		switch {
		case at == kings[0] || at == kings[1]:
			c := chess.White
			if at == kings[1] {
				c = chess.Black
			}
			s.Board[at] = chess.NewPiece(c, chess.King)
		case board.get(1) != 0:
			k := board.get(3)
			if k >= 5 {
				return e, errors.New("a piece that there is not")
			}
			s.Board[at] = chess.NewPiece(chess.Color(board.get(1)), engineKinds[k])
		}
	}
	s.Castling = position.CastlingRights(board.get(4))
	if board.get(1) != 0 {
		ep := chess.Square(board.get(6))
		if ep.Rank() != 5-3*int(s.Turn) {
			return e, errors.New("a square en passant on another rank")
		}
		s.EnPassantFile = ep.File() + 1
	}
	s.HalfmoveClock = board.get(6)
	s.FullmoveNumber = max(board.get(16), 1)
	s.HalfmoveClock |= board.get(1) << 6
	if board.at > 256 {
		return e, errors.New("a board of more than 32 bytes")
	}
	if e.at, err = s.Position(); err != nil {
		return e, err
	}
	e.score = int16(binary.LittleEndian.Uint16(b[32:]))
	word := binary.LittleEndian.Uint16(b[34:])
	e.ply = binary.LittleEndian.Uint16(b[36:])
	e.result = int8(b[38])
	from, to := chess.Square(word>>6&63), chess.Square(word&63)
	e.move = binSpecials.move(&e.at, word>>14, from, to, word>>12&3)
	if !e.at.IsLegal(e.move) || binMove(&e.at, e.move) != word {
		return e, errNotLegal
	}
	if e.result < -1 || e.result > 1 {
		return e, errors.New("a result that there is not")
	}
	return e, nil
}

// sameBoard reports whether two positions are the same for engines: they count no plies, and capture en passant only if
// it is legal.
func sameBoard(a, b *position.Position) bool {
	a0, a1, a2, a3 := a.Planes()
	b0, b1, b2, b3 := b.Planes()
	return a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a.Turn() == b.Turn() && a.Castling() == b.Castling() &&
		canTakeEnPassant(a) == canTakeEnPassant(b)
}

// readBin makes games of positions that follow each other.
func readBin(r *bufio.Reader, c *gatherer) error {
	head, err := r.Peek(4 * binSize)
	if err != nil && err != io.EOF {
		return err
	}
	if bytes.HasPrefix(head, []byte("BINP")) {
		return dataError("a binpack with BINP and no positions of 40 bytes, although some call both binpack: " +
			"--from binpack reads it")
	}
	likely := looksLikeBin(head)
	var last binEntry
	for n := int64(0); ; n++ {
		var b [binSize]byte
		if k, err := io.ReadFull(r, b[:]); err == io.EOF && n > 0 {
			return nil
		} else if short(err) {
			return dataError("%d bytes are no whole positions of %d", n*binSize+int64(k), binSize)
		} else if err != nil {
			return err
		}
		e, err := readBinEntry(&b)
		if err != nil && n == 0 && !likely {
			return dataError("offset 0: no position of a .bin: %v", err)
		}
		if err != nil {
			// What was before is whole.
			if !c.end() || !c.fail(fmt.Errorf("offset %d: %w", n*binSize, err)) {
				return nil
			}
			continue
		}
		follows := c.g != nil && e.ply == last.ply+1 && e.result == -last.result && c.plies < maxChain &&
			sameBoard(&c.at, &e.at)
		if !follows && !c.begin(&e.at, resultOf(e.at.Turn(), int(e.result))) {
			return nil
		}
		c.move(e.move, white(e.at.Turn(), e.score))
		last = e
	}
}

// looksLikeBin reports whether one of the first positions is sound.
func looksLikeBin(head []byte) bool {
	for ; len(head) >= binSize; head = head[binSize:] {
		if _, err := readBinEntry((*[binSize]byte)(head)); err == nil {
			return true
		}
	}
	return false
}
