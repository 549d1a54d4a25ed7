// SPDX-License-Identifier: Apache-2.0

// Package legal makes the vectors of ply11_legal's bench: positions, the moves that are played from each, and what
// ply11_legal says of them by package position.
//
// games.hex has a game a line, in hexadecimal digits: the pieces from h8 to a1, en passant file, rights, side; twelve
// moves of five digits each: index 3, error, reason; and the position after them, as the first.
package legal

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

// The numbers of games: of movesets, of lone pieces, of a queen who looks from each square in each direction, and in
// all, of which the last have an en passant file that is not true, and another piece than a pawn goes to it. Plies is
// the number of moves of each.
const (
	Mixed = 2304
	Lone  = 1536
	Looks = 420
	Games = Mixed + Lone + Looks + 64
	Plies = 12
)

func Files() map[string][]byte {
	g := generator{r: rand.New(rand.NewPCG(11, 16))}
	var text bytes.Buffer
	for n := range Mixed + Lone {
		p := movesets.Position(g.r, n)
		state := oracle.NewState(&p)
		if n >= Mixed {
			// From each square, with each kind of piece, the king is in turn driven off and not.
			p = g.lone(chess.Square(n%64), chess.Kind(1+(n-Mixed)/128%6), chess.NoSquare)
			state = oracle.NewState(&p)
			if (n-Mixed)%128 < 64 {
				g.game(&text, nil, state)
			} else {
				g.game(&text, &p, state)
			}
		} else if n%8 >= 5 {
			// A position that no game has.
			for !g.doubt(&state) {
				p = movesets.Position(g.r, 1)
				state = oracle.NewState(&p)
			}
			g.game(&text, nil, state)
		} else {
			g.game(&text, &p, state)
		}
	}
	for from := range chess.NoSquare {
		for _, d := range [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
			var ray []chess.Square
			for f, r := from.File()+d[0], from.Rank()+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+d[0], r+d[1] {
				ray = append(ray, chess.Square(8*r+f))
			}
			if len(ray) > 0 {
				p := g.lone(ray[g.r.IntN(len(ray))], chess.Queen, from)
				g.game(&text, nil, oracle.NewState(&p))
			}
		}
	}
	for range Games - Mixed - Lone - Looks {
		p, state := g.untrue()
		g.game(&text, &p, state)
	}
	return map[string][]byte{"hdl/tb/ply11_legal/games.hex": text.Bytes()}
}

type generator struct {
	r     *rand.Rand
	count [9]int // games that end by a reason
	first moveindex.Index
	why   oracle.Reason
}

// game writes a line. Without a position, or if the state has another en passant file, the first move is g.first.
func (g *generator) game(text *bytes.Buffer, p *position.Position, state oracle.State) {
	write := func() {
		fmt.Fprintf(text, "%s%x%x%x", state.Digits(), state.EP, state.Rights, state.Side)
	}
	write()
	last := g.r.IntN(2 * Plies)
	if g.r.IntN(2) == 0 {
		last = 0
	}
	stopped := false
	for ply := range Plies {
		var fault oracle.Fault
		var why oracle.Reason
		index := moveindex.Index(g.r.IntN(moveindex.NumWords))
		switch {
		case stopped:
			fault = oracle.FaultStopped
		case p == nil:
			index, fault, why = g.first, oracle.FaultStopped, g.why
		default:
			moves := p.LegalMoves(nil)
			refused, reason := g.refused(p, &state)
			switch {
			case state.EP != uint8(p.EnPassantFile()):
				index = g.first
				state.Play(index)
				p.MakeIndex(index)
			case ply >= last && reason != 0:
				index, fault, why = refused, oracle.FaultStopped, reason
			case len(moves) == 0 || g.r.IntN(60) == 0:
				// What the board refuses.
				for fault == oracle.NoFault {
					after := state
					index = moveindex.Index(g.r.IntN(moveindex.NumWords))
					_, _, fault = after.Play(index)
				}
			default:
				index, _ = moveindex.Of(moves[g.r.IntN(len(moves))])
				if m, _ := index.Move(); !p.IsLegal(m) {
					panic("not legal")
				}
				state.Play(index)
				p.MakeIndex(index)
			}
		}
		if why != 0 {
			g.count[why]++
		}
		stopped = stopped || fault != oracle.NoFault
		fmt.Fprintf(text, "%03x%x%x", uint16(index), uint8(fault), uint8(why))
	}
	write()
	text.WriteByte('\n')
}

// refused returns a move that the board applies and that is not legal, for the rarest reason so far.
func (g *generator) refused(p *position.Position, state *oracle.State) (index moveindex.Index, reason oracle.Reason) {
	start := g.r.IntN(moveindex.NumMoves)
	for k := range moveindex.NumMoves {
		i := moveindex.Index((start + k) % moveindex.NumMoves)
		m, _ := i.Move()
		after := *state
		if _, _, fault := after.Play(i); fault != oracle.NoFault || p.IsLegal(m) {
			continue
		}
		if why := oracle.Illegal(p, m); reason == 0 || g.count[why] < g.count[reason] {
			index, reason = i, why
		}
	}
	return index, reason
}

// doubt gives a position a right or an en passant file that is not true, and finds a move for which it matters.
func (g *generator) doubt(state *oracle.State) bool {
	s := *state
	passant := g.r.IntN(2) == 0
	if passant && s.EP != 0 {
		// A piece where the pawn came from.
		behind := chess.Square(47 + s.EP)
		if s.Side != 0 {
			behind = chess.Square(7 + s.EP)
		}
		s.Put(behind, chess.Piece([3]int{3, 6, 13}[g.r.IntN(3)]))
	} else if passant {
		s.EP = uint8(1 + g.r.IntN(8))
	} else {
		corner := chess.Square([4]int{7, 0, 63, 56}[g.r.IntN(4)])
		s.Put(corner, chess.Piece([5]int{0, 3, 11, 13, 5}[g.r.IntN(5)]))
	}
	start := g.r.IntN(moveindex.NumMoves)
	for k := range moveindex.NumMoves {
		g.first = moveindex.Index((start + k) % moveindex.NumMoves)
		m, _ := g.first.Move()
		after := s
		piece, _, fault := after.Play(g.first)
		if fault != oracle.NoFault {
			continue
		}
		from, to, us := m.From(), m.To(), chess.Color(s.Side)
		df := to.File() - from.File()
		switch {
		case passant && piece.Kind() == chess.Pawn && df != 0 && s.Piece(to) == chess.NoPiece:
			behind := to + 8
			if us == chess.Black {
				behind = to - 8
			}
			if s.Piece(to^8) != chess.NewPiece(us.Other(), chess.Pawn) || s.Piece(behind) != chess.NoPiece {
				g.why, *state = oracle.ReasonPawn, s
				return true
			}
		case !passant && piece.Kind() == chess.King && (df == 2 || df == -2):
			corner := to + 1
			if df < 0 {
				corner = to - 2
			}
			if s.Piece(corner) != chess.NewPiece(us, chess.Rook) {
				g.why, *state = oracle.ReasonRook, s
				return true
			}
		}
	}
	return false
}

// untrue returns a position, and its state with the en passant file of an empty square that no pawn has passed, to
// which g.first moves another piece.
func (g *generator) untrue() (position.Position, oracle.State) {
	for n := 1; ; n++ {
		p := movesets.Position(g.r, n)
		for _, m := range p.LegalMoves(nil) {
			behind := 5
			if p.Turn() == chess.Black {
				behind = 2
			}
			if to := m.To(); to.Rank() == behind && p.PieceAt(to) == chess.NoPiece &&
				p.PieceAt(m.From()).Kind() != chess.Pawn &&
				p.PieceAt(to^8) != chess.NewPiece(p.Turn().Other(), chess.Pawn) {
				state := oracle.NewState(&p)
				state.EP = uint8(to.File()) + 1
				g.first, _ = moveindex.Of(m)
				return p, state
			}
		}
	}
}

// lone returns a position in which a piece of a kind keeps the king beside a square from going there, and sets the
// king's move and the reason. The piece stands on the square at, where no other keeps the king away, or, if that is
// NoSquare, anywhere.
func (g *generator) lone(to chess.Square, kind chess.Kind, at chess.Square) position.Position {
	if kind == chess.King && to.File()%7 == 0 && to.Rank()%7 == 0 {
		kind = chess.Queen // no king keeps another from a corner
	}
	for {
		us := chess.Color(g.r.IntN(2))
		s := position.Setup{FullmoveNumber: 1, Turn: us}
		king, piece := chess.Square(g.r.IntN(64)), chess.Square(g.r.IntN(64))
		if at != chess.NoSquare {
			piece = at
		}
		s.Board[g.r.IntN(64)] = chess.NewPiece(us.Other(), chess.King)
		if kind == chess.King {
			s.Board = [64]chess.Piece{}
		}
		s.Board[piece] = chess.NewPiece(us.Other(), kind)
		s.Board[king] = chess.NewPiece(us, chess.King)
		p, err := s.Position()
		if err != nil || s.Board[to] != chess.NoPiece {
			continue
		}
		m := chess.NewMove(king, to)
		index, ok := moveindex.Of(m)
		after := oracle.NewState(&p)
		if _, _, fault := after.Play(index); !ok || fault != oracle.NoFault || p.IsLegal(m) ||
			p.Attackers(to, us.Other())>>piece&1 == 0 ||
			at != chess.NoSquare && p.Attackers(to, us.Other()) != position.SquareSet(piece) {
			continue
		}
		g.first, g.why = index, oracle.Illegal(&p, m)
		return p
	}
}
