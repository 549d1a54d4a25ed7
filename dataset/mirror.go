// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

const (
	turnedColors = 1 << iota // colours and ranks exchanged
	turnedFiles              // files exchanged
)

// canMirror reports whether nobody may castle, now and before, so that files can be exchanged.
func canMirror(s *sample) bool {
	return s.at.Castling() == 0 && (s.past == nil || s.past.boards[s.past.n-1].Castling() == 0)
}

type mirrored struct {
	s    sample
	past past
	line []moveindex.Index
}

// of mirrors a position. The result is valid until the next call.
func (m *mirrored) of(s *sample, how uint8) (*sample, error) {
	m.s = *s
	m.s.turned = how
	var err error
	if m.s.at, err = mirrorPosition(&s.at, how); err != nil {
		return nil, err
	}
	m.s.played = mirrorIndex(s.played, how)
	m.line = m.line[:0]
	for _, w := range s.line {
		m.line = append(m.line, mirrorIndex(w, how))
	}
	m.s.line = m.line
	if how&turnedColors != 0 {
		switch s.result {
		case game.WhiteWins:
			m.s.result = game.BlackWins
		case game.BlackWins:
			m.s.result = game.WhiteWins
		}
		if s.score != NoScore {
			m.s.score = -s.score
		}
	}
	if s.past != nil {
		m.past = *s.past
		for i := range s.past.n {
			if m.past.boards[i], err = mirrorPosition(&s.past.boards[i], how); err != nil {
				return nil, err
			}
		}
		m.s.past = &m.past
	}
	return &m.s, nil
}

func mirrorIndex(i moveindex.Index, how uint8) moveindex.Index {
	m, ok := i.Move()
	if !ok {
		return i
	}
	if how&turnedColors != 0 {
		m = m.MirrorRanks()
	}
	if how&turnedFiles != 0 {
		m = m.MirrorFiles()
	}
	i, _ = moveindex.Of(m)
	return i
}

func mirrorPosition(p *position.Position, how uint8) (position.Position, error) {
	from := p.Setup()
	to := from
	turn := 0
	if how&turnedColors != 0 {
		turn = 56
		to.Turn = from.Turn.Other()
		if to.Turn == chess.White { // so that positions of a game still follow each other
			to.FullmoveNumber = from.FullmoveNumber + 1
		}
		to.Castling = otherRights(from.Castling)
		to.Rooks = [4]uint8{from.Rooks[2], from.Rooks[3], from.Rooks[0], from.Rooks[1]}
	}
	if how&turnedFiles != 0 {
		turn |= 7
		if from.EnPassantFile != 0 {
			to.EnPassantFile = 9 - from.EnPassantFile
		}
	}
	for s, piece := range from.Board {
		if piece != chess.NoPiece && how&turnedColors != 0 {
			piece = chess.NewPiece(piece.Color().Other(), piece.Kind())
		}
		to.Board[s^turn] = piece
	}
	// In a game they exceed what a FEN has.
	to.FullmoveNumber = min(to.FullmoveNumber, position.MaxFullmoveNumber)
	to.HalfmoveClock = min(to.HalfmoveClock, position.MaxHalfmoveClock)
	return to.Position()
}

// otherRights exchanges the rights of both sides.
func otherRights(r position.CastlingRights) position.CastlingRights {
	return r>>2 | r<<2&position.AllCastling
}
