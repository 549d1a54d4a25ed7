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
	"ply11/game"
	"ply11/position"
)

var binFormat = format{
	name: "bin", ext: ".bin",
	description: "Stockfish's .bin, 40 bytes a position (PackedSfenValue)",
	positions:   true, engine: true, want: wantNotes,
	create: func(_ *Job, out *output, base string) (sink, error) {
		f, err := out.createOne(base, ".bin")
		if err != nil {
			return nil, err
		}
		return &binSink{w: f}, nil
	},
}

// binSize is the length of a position in a .bin.
const binSize = 40

// sfenBits writes and reads the bits of a board, low bits first.
type sfenBits struct {
	b  []byte
	at int
}

// put writes a number below 1<<n over zeros; n is at most 57. It takes hold of eight bytes, which there have to be.
func (s *sfenBits) put(v uint64, n int) {
	eight := s.b[s.at>>3:]
	binary.LittleEndian.PutUint64(eight, binary.LittleEndian.Uint64(eight)|v<<(s.at&7))
	s.at += n
}

// get reads n bits, and zeros after the end.
func (s *sfenBits) get(n int) (v int) {
	for i := range n {
		if s.at>>3 < len(s.b) {
			v |= int(s.b[s.at>>3]>>(s.at&7)&1) << i
		}
		s.at++
	}
	return v
}

// binSink writes a .bin.
type binSink struct {
	w *outputFile
	b [binSize]byte // the position
}

func (w *binSink) game(*Game) error { panic("a format of positions") }
func (w *binSink) end(*Shard) error { return nil }

func (w *binSink) sample(s *sample) error {
	w.b = [binSize]byte{}
	b := w.b[:]
	p := &s.at
	board := sfenBits{b: b}
	board.put(uint64(p.Turn()), 1)
	board.put(uint64(p.KingSquare(chess.White)), 6)
	board.put(uint64(p.KingSquare(chess.Black)), 6)
	next := 0 // of the squares, from the eighth rank to the first
	for men := bits.ReverseBytes64(uint64(p.Occupied())); men != 0; men &= men - 1 {
		i := bits.TrailingZeros64(men)
		board.at += i - next // a zero for each empty square before
		next = i + 1
		// A king has no bits: his square is told above.
		if man := p.PieceAt(chess.Square(i ^ 56)); man.Kind() != chess.King {
			board.put(1|uint64(engineKind[man.Kind()])<<1|uint64(man.Color())<<4, 5)
		}
	}
	board.at += 64 - next
	board.put(uint64(p.Castling()), 4)
	if ep := canTakeEnPassant(p); ep == chess.NoSquare {
		board.put(0, 1)
	} else {
		board.put(1, 1)
		board.put(uint64(ep), 6)
	}
	clock := min(p.HalfmoveClock(), 127)
	board.put(uint64(clock&63), 6)
	board.put(uint64(min(p.FullmoveNumber(), 1<<16-1)), 16)
	board.put(uint64(clock>>6), 1)
	m, _ := s.played.Move()
	binary.LittleEndian.PutUint16(b[32:], uint16(engineScore(s.own())))
	binary.LittleEndian.PutUint16(b[34:], binMove(p, m))
	binary.LittleEndian.PutUint16(b[36:], uint16(min(p.Ply(), 1<<16-1)))
	result, _ := s.outcome()
	b[38], b[39] = byte(result), 0xff
	_, err := w.w.Write(b)
	return err
}

var binSpecials = specials{promoting: 1, capturingEnPassant: 2, castling: 3}

// binMove is a legal move of a position.
func binMove(p *position.Position, m chess.Move) uint16 {
	kind, to, promotion := binSpecials.parts(p, m)
	return kind<<14 | promotion<<12 | uint16(m.From())<<6 | uint16(to)
}

// binEntry is a position of a .bin.
type binEntry struct {
	at     position.Position
	move   chess.Move
	score  int16
	ply    uint16
	result int8
}

// readBinEntry reads a position.
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
				return e, errors.New("a man that there is not")
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

// sameBoard reports whether two positions are the same for the formats of engines, which count no plies and tell of a capture en passant
// only if it is legal.
func sameBoard(a, b *position.Position) bool {
	a0, a1, a2, a3 := a.Planes()
	b0, b1, b2, b3 := b.Planes()
	return a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a.Turn() == b.Turn() && a.Castling() == b.Castling() && canTakeEnPassant(a) == canTakeEnPassant(b)
}

// readBin reads a .bin: positions that follow each other are a game.
func readBin(r *bufio.Reader, yield func(*game.Game, error) bool) {
	head, err := r.Peek(4 * binSize)
	if err != nil && err != io.EOF {
		yield(nil, err)
		return
	}
	if bytes.HasPrefix(head, []byte("BINP")) {
		yield(nil, dataError("a binpack with BINP and no positions of 40 bytes, although some call both binpack: --from binpack reads it"))
		return
	}
	likely := looksLikeBin(head)
	c := &gatherer{yield: yield}
	var last binEntry
	for n := int64(0); ; n++ {
		var b [binSize]byte
		if k, err := io.ReadFull(r, b[:]); err == io.EOF && n > 0 {
			break
		} else if short(err) {
			yield(nil, dataError("%d bytes are no whole positions of %d", n*binSize+int64(k), binSize))
			return
		} else if err != nil {
			yield(nil, err)
			return
		}
		e, err := readBinEntry(&b)
		if err != nil && n == 0 && !likely {
			yield(nil, dataError("offset 0: no position of a .bin: %v", err))
			return
		}
		if err != nil {
			// What was before is whole; the position is an error of its own.
			if !c.end() || !c.fail(fmt.Errorf("offset %d: %w", n*binSize, err)) {
				return
			}
			continue
		}
		follows := c.g != nil && e.ply == last.ply+1 && e.result == -last.result && c.plies < maxChain && sameBoard(&c.at, &e.at)
		if !follows && !c.begin(&e.at, resultOf(e.at.Turn(), int(e.result))) {
			return
		}
		c.move(e.move, white(e.at.Turn(), e.score))
		last = e
	}
	c.end()
}

// looksLikeBin reports whether one of the positions of 40 bytes with which a file begins is sound.
func looksLikeBin(head []byte) bool {
	for ; len(head) >= binSize; head = head[binSize:] {
		if _, err := readBinEntry((*[binSize]byte)(head)); err == nil {
			return true
		}
	}
	return false
}
