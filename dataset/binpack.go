// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

var binpackFormat = format{
	name: "binpack", ext: ".binpack",
	description: "Stockfish's binpack, whose blocks begin with BINP: chains of positions, move and score in some two " +
		"bytes",
	positions: true, chains: true, engine: true, chess960: true, want: wantNotes,
	create: func(_ *Job, out *output) (sink, error) {
		return &binpackSink{w: out.file, block: make([]byte, binpackHead, binpackBlock+1<<16)}, nil
	},
}

// The layout of a binpack. docs/train.md defines it.
const (
	binpackHead    = 8         // BINP and the length of a block
	binpackBlock   = 1 << 20   // bytes of a block that is written
	binpackMost    = 100 << 20 // the largest block that Stockfish reads
	binpackStem    = 32        // bytes
	binpackPlies   = 1<<16 - 1 // after the first position
	binpackMaxPly  = 1<<14 - 1
	binpackScore   = 4 // bits of a group
	binpackGroups  = 4 // of a score at the most
	binpackPawnEP  = 12
	binpackRook    = 13 // White's with the right to castle; Black's is one more
	binpackBlackTo = 15 // Black's king if Black is to move
)

// binpackPieces are the numbers of pieces.
var binpackPieces = func() (t [16]byte) {
	for i, k := range engineKinds {
		t[chess.NewPiece(chess.White, k)] = byte(2 * i)
		t[chess.NewPiece(chess.Black, k)] = byte(2*i + 1)
	}
	return t
}()

// engineKinds are the kinds in the order of engines.
var engineKinds = [6]chess.Kind{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King}

var engineKind = func() (t [8]int) {
	for i, k := range engineKinds {
		t[k] = i
	}
	return t
}()

// zigzag puts the sign into bit 0.
func zigzag(v int16) uint16 { return uint16(v)<<1 ^ uint16(v>>15) }

func unzigzag(v uint16) int16 { return int16(v>>1) ^ -int16(v&1) }

// targets returns where a piece may go, also if the king is then in check, and the castlings that there are rights to.
func targets(p *position.Position, from, ep chess.Square) (set position.Bitboard, castlings position.CastlingRights) {
	us := p.Turn()
	own, occupied := p.ByColor(us), p.Occupied()
	piece := p.PieceAt(from)
	switch piece.Kind() {
	case chess.Pawn:
		set = position.Attacks(piece, from, 0)
		other := occupied &^ own
		if ep != chess.NoSquare {
			other |= position.SquareSet(ep)
		}
		set &= other
		step, rank := 8, 1
		if us == chess.Black {
			step, rank = -8, 6
		}
		if to := chess.Square(int(from) + step); to.Valid() && !occupied.Has(to) {
			set |= position.SquareSet(to)
			if from.Rank() == rank {
				if to = chess.Square(int(to) + step); !occupied.Has(to) {
					set |= position.SquareSet(to)
				}
			}
		}
		return set, 0
	case chess.King:
		return position.Attacks(piece, from, occupied) &^ own, p.Castling() >> (2 * us) & 3
	}
	return position.Attacks(piece, from, occupied) &^ own, 0
}

// choices returns targets, and the number of moves that they make.
func choices(p *position.Position, from chess.Square) (set position.Bitboard, castlings position.CastlingRights,
	n int) {
	ep, piece := chess.NoSquare, p.PieceAt(from)
	if piece.Kind() == chess.Pawn && p.EnPassantFile() != 0 {
		ep = canTakeEnPassant(p)
	}
	set, castlings = targets(p, from, ep)
	if n = set.Count(); promotes(piece, from) {
		n *= 4
	}
	return set, castlings, n + bits.OnesCount8(uint8(castlings))
}

// promotes reports whether a piece is a pawn about to promote.
func promotes(piece chess.Piece, from chess.Square) bool {
	return piece.Kind() == chess.Pawn && from.Rank() == 6-5*int(piece.Color())
}

func below(s chess.Square) position.Bitboard { return position.SquareSet(s) - 1 }

// binpackSink writes a binpack.
type binpackSink struct {
	ofPositions
	w      *outputFile
	block  []byte // with its head
	last   sample
	open   bool
	count  int    // plies after the first position
	at     int    // its place
	acc    uint64 // bits without a byte
	n      uint
	before int16 // the score before
}

func (w *binpackSink) sample(s *sample) error {
	score := engineScore(s.own())
	if w.open && s.follows(&w.last) && w.count < binpackPlies {
		w.move(&s.at, s.played)
		w.difference(score + w.before)
	} else if err := w.stem(s, score); err != nil {
		return err
	}
	w.before = score
	w.last.source, w.last.number, w.last.ply = s.source, s.number, s.ply
	return nil
}

// difference writes how far a score is from the one before, seen from the other side.
func (w *binpackSink) difference(v16 int16) {
	for v := zigzag(v16); ; {
		group := uint64(v & (1<<binpackScore - 1))
		v >>= binpackScore
		if v == 0 {
			w.bits(group, binpackScore+1)
			break
		}
		w.bits(group|1<<binpackScore, binpackScore+1)
	}
	w.count++
}

// bits writes the low n bits of a number, highest first.
func (w *binpackSink) bits(v uint64, n int) {
	w.acc = w.acc<<n | v
	w.n += uint(n)
	for ; w.n >= 8; w.n -= 8 {
		w.block = append(w.block, byte(w.acc>>(w.n-8)))
	}
}

// move writes which of the own pieces moved, and to which of its squares.
func (w *binpackSink) move(p *position.Position, played moveindex.Index) {
	m, _ := played.Move()
	from := m.From()
	own := p.ByColor(p.Turn())
	w.bits(uint64((own & below(from)).Count()), bits.Len(uint(own.Count()-1)))
	piece := p.PieceAt(from)
	set, castlings, n := choices(p, from)
	id := (set & below(m.To())).Count()
	switch {
	case promotes(piece, from):
		id = 4*id + engineKind[m.Promotion()] - 1
	case castlings != 0:
		if p.IsCastling(m) {
			id = n - 1 // the short one is the last
			if m.To() < from {
				id = set.Count()
			}
		}
	}
	w.bits(uint64(id), bits.Len(uint(n-1)))
}

func (w *binpackSink) stem(s *sample, score int16) error {
	w.endChain()
	if len(w.block) >= binpackHead+binpackBlock {
		if err := w.endBlock(); err != nil {
			return err
		}
	}
	p := &s.at
	b := binary.BigEndian.AppendUint64(w.block, uint64(p.Occupied()))
	ep := canTakeEnPassant(p)
	if ep != chess.NoSquare {
		ep ^= 8 // the pawn's square
	}
	b = appendPieces(b, p, func(at chess.Square, piece chess.Piece) byte {
		switch v := binpackPieces[piece]; {
		case at == ep:
			return binpackPawnEP
		case hasRight(p, at): // of a rook
			return binpackRook + byte(piece.Color())
		case v == 11 && p.Turn() == chess.Black:
			return binpackBlackTo
		default:
			return v
		}
	})
	m, _ := s.played.Move()
	b = binary.BigEndian.AppendUint16(b, binpackMove(p, m))
	b = binary.BigEndian.AppendUint16(b, zigzag(score))
	ply := p.Ply()
	if ply > binpackMaxPly {
		ply = binpackMaxPly - 1 + ply&1
	}
	result, _ := s.outcome()
	b = binary.BigEndian.AppendUint16(b, uint16(ply)|zigzag(int16(result))<<14)
	b = binary.BigEndian.AppendUint16(b, uint16(min(p.HalfmoveClock(), 1<<16-1)))
	w.at = len(b)
	w.block = append(b, 0, 0)
	w.open, w.count, w.acc, w.n = true, 0, 0, 0
	return nil
}

var binpackSpecials = specials{promoting: 1, capturingEnPassant: 3, castling: 2}

func binpackMove(p *position.Position, m chess.Move) uint16 {
	kind, to, promotion := binpackSpecials.parts(p, m)
	return kind<<14 | uint16(m.From())<<8 | uint16(to)<<2 | promotion
}

// endChain completes the chain.
func (w *binpackSink) endChain() {
	if !w.open {
		return
	}
	if w.n > 0 {
		w.block = append(w.block, byte(w.acc<<(8-w.n)))
	}
	binary.BigEndian.PutUint16(w.block[w.at:], uint16(w.count))
	w.open = false
}

func (w *binpackSink) endBlock() error {
	if len(w.block) == binpackHead {
		return nil
	}
	copy(w.block, "BINP")
	binary.LittleEndian.PutUint32(w.block[4:], uint32(len(w.block)-binpackHead))
	_, err := w.w.Write(w.block)
	w.block = w.block[:binpackHead]
	return err
}

func (w *binpackSink) end(*Shard) error {
	w.endChain()
	return w.endBlock()
}

type binpackReader struct {
	in   *bufio.Reader
	at   int64 // offset in the file
	left int64 // of the block
	acc  uint  // bits of the last byte that are left
	n    int

	failed error // an error of reading
}

// Errors of a binpack.
var (
	errBlockEnd = errors.New("the block ends within a chain")
	errPiece    = errors.New("it names a piece or a square that there is not")
	errScore    = errors.New("a score of more than 16 bits")
)

func (r *binpackReader) read(b []byte) error {
	if int64(len(b)) > r.left {
		return errBlockEnd
	}
	n, err := io.ReadFull(r.in, b)
	r.at, r.left = r.at+int64(n), r.left-int64(n)
	return r.keep(err)
}

func (r *binpackReader) keep(err error) error {
	if err != nil && !short(err) {
		r.failed = err
	}
	return err
}

func (r *binpackReader) bits(n int) (int, error) {
	if r.n < n {
		if r.left == 0 {
			return 0, errBlockEnd
		}
		c, err := r.in.ReadByte()
		if err != nil {
			return 0, r.keep(err)
		}
		r.at, r.left = r.at+1, r.left-1
		r.acc, r.n = r.acc<<8|uint(c), r.n+8
	}
	r.n -= n
	v := r.acc >> r.n
	r.acc &= 1<<r.n - 1
	return int(v), nil
}

// move reads a move, which may be illegal.
func (r *binpackReader) move(p *position.Position) (chess.Move, error) {
	own := p.ByColor(p.Turn())
	id, err := r.bits(bits.Len(uint(own.Count() - 1)))
	if err != nil {
		return 0, err
	}
	if id >= own.Count() {
		return 0, errPiece
	}
	from := nth(own, id)
	piece := p.PieceAt(from)
	set, castlings, n := choices(p, from)
	squares, promotion := set.Count(), chess.Kind(0)
	if n == 0 {
		return 0, errPiece
	}
	if id, err = r.bits(bits.Len(uint(n - 1))); err != nil {
		return 0, err
	}
	if id >= n {
		return 0, errPiece
	}
	if promotes(piece, from) {
		id, promotion = id/4, engineKinds[1+id%4]
	}
	switch {
	case id >= squares:
		// The long one is the first.
		m, _ := p.Castle(id == squares && castlings&2 != 0)
		return m, nil
	case promotion != 0:
		return chess.NewPromotion(from, nth(set, id), promotion), nil
	}
	return chess.NewMove(from, nth(set, id)), nil
}

// nth returns the n-th square of a set, from 0.
func nth(set position.Bitboard, n int) chess.Square {
	for ; n > 0; n-- {
		set &= set - 1
	}
	return set.First()
}

func (r *binpackReader) score() (int16, error) {
	v := uint16(0)
	for i := range binpackGroups {
		group, err := r.bits(binpackScore + 1)
		if err != nil {
			return 0, err
		}
		v |= uint16(group&(1<<binpackScore-1)) << (binpackScore * i)
		if group>>binpackScore == 0 {
			return unzigzag(v), nil
		}
	}
	return 0, errScore
}

// readStem reads a stem, with its move, score and result.
func readStem(b *[binpackStem]byte) (p position.Position, m chess.Move, score int16, result game.Result, err error) {
	s := position.Setup{FullmoveNumber: 1}
	ep := chess.NoSquare
	var rooks []chess.Square
	if err := eachPiece(binary.BigEndian.Uint64(b[:]), b[8:], func(at chess.Square, v byte) error {
		switch {
		case v < binpackPawnEP:
			s.Board[at] = chess.NewPiece(chess.Color(v&1), engineKinds[v>>1])
		case v == binpackPawnEP:
			if ep != chess.NoSquare || at.Rank() != 3 && at.Rank() != 4 {
				return errors.New("a pawn to take en passant that cannot be")
			}
			ep = at
			s.Board[at] = chess.NewPiece(chess.Color(at.Rank()-3), chess.Pawn)
			s.EnPassantFile = at.File() + 1
		case v == binpackBlackTo:
			s.Board[at] = chess.NewPiece(chess.Black, chess.King)
			s.Turn = chess.Black
		default:
			s.Board[at] = chess.NewPiece(chess.Color(v-binpackRook), chess.Rook)
			rooks = append(rooks, at)
		}
		return nil
	}); err != nil {
		return p, m, 0, 0, err
	}
	if err := giveRights(&s, rooks); err != nil {
		return p, m, 0, 0, err
	}
	if ep != chess.NoSquare && (ep.Rank() == 3) != (s.Turn == chess.Black) {
		return p, m, 0, 0, errors.New("a pawn to take en passant that cannot be")
	}
	number := binary.BigEndian.Uint16(b[28:])
	s.FullmoveNumber = int(number&binpackMaxPly)/2 + 1
	s.HalfmoveClock = int(binary.BigEndian.Uint16(b[30:]))
	if p, err = s.Position(); err != nil {
		return p, m, 0, 0, err
	}
	word := binary.BigEndian.Uint16(b[24:])
	from, to := chess.Square(word>>8&63), chess.Square(word>>2&63)
	m = binpackSpecials.move(&p, word>>14, from, to, word&3)
	if !p.IsLegal(m) || binpackMove(&p, m) != word {
		return p, m, 0, 0, errNotLegal
	}
	if number>>14 == 3 {
		return p, m, 0, 0, errors.New("a result that there is not")
	}
	return p, m, unzigzag(binary.BigEndian.Uint16(b[26:])), resultOf(p.Turn(), int(unzigzag(number>>14))), nil
}

// readBinpack makes a game of each chain.
func readBinpack(in *bufio.Reader, c *gatherer) error {
	r := &binpackReader{in: in}
	fail := func(at int64, err error, within string) error {
		if r.failed != nil {
			return r.failed
		}
		if short(err) {
			err = fmt.Errorf("the file ends within %s", within)
		}
		return dataError("offset %d: %v", at, err)
	}
	first, err := in.Peek(4 * binSize)
	if len(first) == 0 && err == io.EOF {
		return dataError("offset 0: the file is empty")
	}
	likely := looksLikeBin(first)
	for {
		start := r.at
		if end, err := ended(in); err != nil || end {
			return err
		}
		var head [binpackHead]byte
		r.left = binpackHead
		if err := r.read(head[:]); err != nil {
			return fail(start, err, "the head of a block")
		}
		if string(head[:4]) != "BINP" {
			return fail(start, binpackKind(likely && start == 0), "")
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		if length > binpackMost {
			return fail(start, fmt.Errorf("a block of %d bytes; a block has at most %d", length, binpackMost), "")
		}
		for r.left = length; r.left > 0; {
			start := r.at
			var stem [binpackStem]byte
			var count [2]byte
			err := r.read(stem[:])
			if err == nil {
				err = r.read(count[:])
			}
			if err != nil {
				return fail(start, err, "a block")
			}
			p, m, score, result, err := readStem(&stem)
			if err != nil {
				return fail(start, fmt.Errorf("game %d: %w", c.number+1, err), "a block")
			}
			if !c.begin(&p, result) {
				return nil
			}
			c.move(m, white(p.Turn(), score))
			r.acc, r.n = 0, 0
			for range binary.BigEndian.Uint16(count[:]) {
				m, err := r.move(&c.at)
				if err == nil && !c.at.IsLegal(m) {
					err = errNotLegal
				}
				difference := int16(0)
				if err == nil {
					difference, err = r.score()
				}
				if err != nil {
					return fail(r.at, fmt.Errorf("game %d: ply %d: %w", c.number, c.plies+1, err), "a block")
				}
				score = difference - score
				c.move(m, white(c.at.Turn(), score))
			}
		}
	}
}

// binpackKind is the error of a file that does not begin as a binpack.
func binpackKind(likelyBin bool) error {
	if likelyBin {
		return errors.New("positions of 40 bytes (PackedSfenValue) and no binpack with BINP, although some call both " +
			"binpack: --from bin reads it")
	}
	return errors.New("no block of a binpack: it does not begin with BINP")
}
