// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"ply11/chess"
)

var bulletFormat = format{
	name: "bullet", ext: ".bullet",
	description: "bullet's ChessBoard, 32 bytes a position that has an eval; without moves",
	positions:   true, engine: true, chess960: true, want: wantNotes,
	check: func(j *Job) error {
		if !slices.Contains(j.Only, onlyEval) {
			j.Only = append(j.Only, onlyEval)
			slices.Sort(j.Only) // as choice has it
		}
		return nil
	},
	create: func(_ *Job, out *output) (sink, error) { return &recordSink{w: out.file, append: appendBullet}, nil },
}

// appendBullet appends a ChessBoard.
func appendBullet(dst []byte, s *sample) []byte {
	dst = append(dst, make([]byte, 32)...)
	b := dst[len(dst)-32:]
	us := s.at.Turn()
	turn := chess.Square(0)
	if us == chess.Black {
		turn = 56 // the board as the mover sees it
	}
	occupied := uint64(s.at.Occupied())
	if us == chess.Black {
		occupied = bits.ReverseBytes64(occupied)
	}
	pieces := 0
	for left := occupied; left != 0; left &= left - 1 {
		piece := s.at.PieceAt(chess.Square(bits.TrailingZeros64(left)) ^ turn)
		v := byte(engineKind[piece.Kind()])
		if piece.Color() != us {
			v |= 8
		}
		b[8+pieces/2] |= v << (pieces % 2 * 4)
		pieces++
	}
	binary.LittleEndian.PutUint64(b[0:], occupied)
	binary.LittleEndian.PutUint16(b[24:], uint16(engineScore(s.own())))
	result, _ := s.outcome()
	b[26] = byte(result + 1)
	b[27] = byte(s.at.KingSquare(us) ^ turn)
	b[28] = byte(s.at.KingSquare(us.Other()) ^ turn ^ 56) // as the other side sees it
	return dst
}
