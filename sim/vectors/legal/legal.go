// SPDX-License-Identifier: Apache-2.0

// Package legal makes the vectors of ply11_legal's bench: positions, the moves that are played from each, and what
// ply11_legal says of them by package position.
//
// games.hex has a game a line, in hexadecimal digits: the men from h8 to a1, en passant file, rights, side; twelve
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

// Games is the number of lines, Plies that of the moves of each. The games after the first Mixed are those of lone men.
const (
	Games = 3840
	Mixed = 2304
	Plies = 12
)

// Files returns the vectors by their names.
func Files() map[string][]byte {
	g := generator{r: rand.New(rand.NewPCG(11, 16))}
	var text bytes.Buffer
	for n := range Games {
		p := movesets.Position(g.r, n)
		state := oracle.NewState(&p)
		if n >= Mixed {
			// From each square, with each kind of man, the king is in turn driven off and not.
			p = g.lone(chess.Square(n%64), chess.Kind(1+(n-Mixed)/128%6))
			state = oracle.NewState(&p)
			if (n-Mixed)%128 < 64 {
				g.game(&text, nil, state)
			} else {
				g.game(&text, &p, state)
			}
		} else if n%8 >= 5 {
			// A position that is not to be believed.
			for !g.doubt(&state) {
				p = movesets.Position(g.r, 1)
				state = oracle.NewState(&p)
			}
			g.game(&text, nil, state)
		} else {
			g.game(&text, &p, state)
		}
	}
	return map[string][]byte{"hdl/tb/ply11_legal/games.hex": text.Bytes()}
}

type generator struct {
	r     *rand.Rand
	count [9]int // games that end by a reason
	first moveindex.Index
	why   oracle.Reason
}

// game writes a line. Without a position the first move is the one that doubt has found.
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
			case ply >= last && reason != 0:
				index, fault, why = refused, oracle.FaultStopped, reason
			case len(moves) == 0 || g.r.IntN(60) == 0:
				// What the board refuses, for once.
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

// refused returns a move that the board applies and that is not legal, of the reason that was the rarest up to now.
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

// doubt changes a position so that a right or the en passant file of it is not what it says, and finds a move of
// which it matters.
func (g *generator) doubt(state *oracle.State) bool {
	s := *state
	passant := g.r.IntN(2) == 0
	if passant && s.EP != 0 {
		// A man where the pawn came from.
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
		man, _, fault := after.Play(g.first)
		if fault != oracle.NoFault {
			continue
		}
		from, to, us := m.From(), m.To(), chess.Color(s.Side)
		df := to.File() - from.File()
		switch {
		case passant && man.Kind() == chess.Pawn && df != 0 && s.Man(to) == chess.NoPiece:
			behind := to + 8
			if us == chess.Black {
				behind = to - 8
			}
			if s.Man(to^8) != chess.NewPiece(us.Other(), chess.Pawn) || s.Man(behind) != chess.NoPiece {
				g.why, *state = oracle.ReasonPawn, s
				return true
			}
		case !passant && man.Kind() == chess.King && (df == 2 || df == -2):
			corner := to + 1
			if df < 0 {
				corner = to - 2
			}
			if s.Man(corner) != chess.NewPiece(us, chess.Rook) {
				g.why, *state = oracle.ReasonRook, s
				return true
			}
		}
	}
	return false
}

// lone returns a position in which a lone man of a kind keeps the king beside a square from going there, and sets the
// king's move and the reason why it is not legal.
func (g *generator) lone(to chess.Square, kind chess.Kind) position.Position {
	if kind == chess.King && to.File()%7 == 0 && to.Rank()%7 == 0 {
		kind = chess.Queen // no king keeps another from a corner
	}
	for {
		us := chess.Color(g.r.IntN(2))
		s := position.Setup{FullmoveNumber: 1, Turn: us}
		king, man := chess.Square(g.r.IntN(64)), chess.Square(g.r.IntN(64))
		s.Board[g.r.IntN(64)] = chess.NewPiece(us.Other(), chess.King)
		if kind == chess.King {
			s.Board = [64]chess.Piece{}
		}
		s.Board[man] = chess.NewPiece(us.Other(), kind)
		s.Board[king] = chess.NewPiece(us, chess.King)
		p, err := s.Position()
		if err != nil || s.Board[to] != chess.NoPiece {
			continue
		}
		m := chess.NewMove(king, to)
		index, ok := moveindex.Of(m)
		after := oracle.NewState(&p)
		if _, _, fault := after.Play(index); !ok || fault != oracle.NoFault || p.IsLegal(m) || p.Attackers(to, us.Other())>>man&1 == 0 {
			continue
		}
		g.first, g.why = index, oracle.Illegal(&p, m)
		return p
	}
}
