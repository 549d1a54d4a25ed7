// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"ply11/chess"
	"ply11/game"
	"ply11/position"
)

var viriFormat = format{
	name: "viriformat", ext: ".vf",
	description: "viriformat, 32 bytes a game (marlinformat) and 4 a move; bullet calls it viribinpack",
	positions:   true, chains: true, engine: true, chess960: true, want: wantNotes,
	create: func(_ *Job, out *output) (sink, error) {
		return &viriSink{w: out.file}, nil
	},
}

// The layout of viriformat: see docs/train.md.
const (
	viriBoard = 32 // bytes of the first position
	viriMove  = 4  // of a move and its score
	viriNoEP  = 64
	viriRook  = 6 // with the right to castle
)

type viriSink struct {
	ofPositions
	w     *outputFile
	last  sample
	open  bool
	plies int // of the game
}

func (w *viriSink) sample(s *sample) error {
	var b []byte
	if !w.open || !s.follows(&w.last) || w.plies == maxChain {
		if w.open {
			b = append(b, 0, 0, 0, 0)
		}
		w.plies = 0
		board := viriPack(s)
		b = append(b, board[:]...)
	}
	w.open = true
	w.plies++
	w.last.source, w.last.number, w.last.ply = s.source, s.number, s.ply
	m, _ := s.played.Move()
	score := engineScore(s.own())
	if s.at.Turn() == chess.Black && score != engineNone {
		score = -score
	}
	b = binary.LittleEndian.AppendUint16(b, viriWord(&s.at, m))
	b = binary.LittleEndian.AppendUint16(b, uint16(score))
	_, err := w.w.Write(b)
	return err
}

func (w *viriSink) end(*Shard) error {
	if !w.open {
		return nil
	}
	_, err := w.w.Write([]byte{0, 0, 0, 0})
	return err
}

// viriPack is the first position of a game, with the result.
func viriPack(s *sample) (b [viriBoard]byte) {
	p := &s.at
	binary.LittleEndian.PutUint64(b[:], uint64(p.Occupied()))
	appendPieces(b[:8], p, func(at chess.Square, piece chess.Piece) byte {
		v := byte(engineKind[piece.Kind()])
		if hasRight(p, at) {
			v = viriRook
		}
		return v | byte(piece.Color())<<3
	})
	ep := byte(viriNoEP)
	if at := canTakeEnPassant(p); at != chess.NoSquare {
		ep = byte(at)
	}
	b[24] = ep | byte(p.Turn())<<7
	b[25] = byte(min(p.HalfmoveClock(), 255))
	binary.LittleEndian.PutUint16(b[26:], uint16(min(p.FullmoveNumber(), 1<<16-1)))
	b[30] = map[game.Result]byte{game.BlackWins: 0, game.Draw: 1, game.WhiteWins: 2}[s.result]
	return b
}

var viriSpecials = specials{promoting: 3, capturingEnPassant: 1, castling: 2}

func viriWord(p *position.Position, m chess.Move) uint16 {
	kind, to, promotion := viriSpecials.parts(p, m)
	return kind<<14 | promotion<<12 | uint16(to)<<6 | uint16(m.From())
}

func viriUnpack(b *[viriBoard]byte) (p position.Position, result game.Result, err error) {
	s := position.Setup{Turn: chess.Color(b[24] >> 7), HalfmoveClock: int(b[25])}
	var rooks []chess.Square
	if err := eachPiece(binary.LittleEndian.Uint64(b[:]), b[8:], func(at chess.Square, v byte) error {
		color := chess.Color(v >> 3)
		switch v &= 7; {
		case v < viriRook:
			s.Board[at] = chess.NewPiece(color, engineKinds[v])
		case v == viriRook:
			s.Board[at] = chess.NewPiece(color, chess.Rook)
			rooks = append(rooks, at)
		default:
			return errors.New("a piece that there is not")
		}
		return nil
	}); err != nil {
		return p, 0, err
	}
	if err := giveRights(&s, rooks); err != nil {
		return p, 0, err
	}
	if ep := b[24] & 127; ep != viriNoEP {
		if int(ep)>>3 != 5-3*int(s.Turn) {
			return p, 0, errors.New("a square en passant on another rank")
		}
		s.EnPassantFile = int(ep)&7 + 1
	}
	s.FullmoveNumber = max(int(binary.LittleEndian.Uint16(b[26:])), 1)
	switch b[30] {
	case 0, 1, 2:
		result = [3]game.Result{game.BlackWins, game.Draw, game.WhiteWins}[b[30]]
	default:
		return p, 0, errors.New("a result that there is not")
	}
	p, err = s.Position()
	return p, result, err
}

// viriLegal reads a move. Without a promotion the new piece may be any.
func viriLegal(p *position.Position, word uint16) (m chess.Move, err error) {
	from, to := chess.Square(word&63), chess.Square(word>>6&63)
	m = viriSpecials.move(p, word>>14, from, to, word>>12&3)
	if !p.IsLegal(m) || (viriWord(p, m)^word)&^(3<<12) != 0 {
		return m, errNotLegal
	}
	return m, nil
}

func readViri(r *bufio.Reader, c *gatherer) error {
	if start, err := r.Peek(4); err == nil && string(start) == "BINP" {
		return dataError("Stockfish's binpack with BINP and no viriformat, although bullet calls that " +
			"viribinpack: --from binpack reads it")
	}
	for at := int64(0); ; {
		start := at
		read := func(b []byte) error {
			n, err := io.ReadFull(r, b)
			at += int64(n)
			if short(err) {
				err = dataError("offset %d: the file ends within a game", start)
			}
			return err
		}
		end, err := ended(r)
		if end && at == 0 {
			err = dataError("the file is empty")
		}
		if err != nil || end {
			return err
		}
		var board [viriBoard]byte
		if err := read(board[:]); err != nil {
			return err
		}
		p, result, bad := viriUnpack(&board)
		switch {
		case bad != nil && start == 0:
			return dataError("no viriformat: %v", bad)
		case bad == nil && !c.begin(&p, result), bad != nil && !c.end():
			return nil
		}
		for {
			var b [viriMove]byte
			if err := read(b[:]); err != nil {
				return err
			}
			if b == [viriMove]byte{} {
				break
			}
			if bad != nil {
				continue
			}
			m, err := viriLegal(&c.at, binary.LittleEndian.Uint16(b[:]))
			if c.plies == maxChain {
				err = fmt.Errorf("more than %d plies", maxChain)
			}
			if err != nil {
				bad = fmt.Errorf("ply %d: %w", c.plies+1, err)
				continue
			}
			c.move(m, int(int16(binary.LittleEndian.Uint16(b[2:]))))
		}
		if bad != nil && !c.fail(fmt.Errorf("offset %d: %w", start, bad)) {
			return nil
		}
	}
}
