// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"fmt"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// A Beat is a beat that ply11_player must give.
type Beat struct {
	Kind   uint8 // BeatPly, BeatEnd or BeatError
	Result uint8 // of BeatEnd: 0 to 3, in the order of the results' words
	Depth  uint8 // the variations around a ply or an error
	Reason Reason
	Codes  uint16          // of BeatError: bit c is set where code c is right
	Index  moveindex.Index // of BeatPly, and with Board
	Board  bool            // of BeatError: the board refuses the move Index
	Piece  chess.Piece     // of BeatPly: who moved, and what he took
	Taken  chess.Piece
	Offset int64  // m_offset with WIDTH 8, or a negative number if it is not known
	Game   int32  // which game of the stream, from 1
	Ply    int32  // which beat of the game, from 1
	State  *State // nil: not known
	Flags  *Flags // with Mate; nil: not known
}

// Flags are m_check, m_mate and m_stalemate of a player with MATE 1.
type Flags struct{ Check, Mate, Stalemate bool }

// FlagsOf returns the flags of a position, or nil if no legal move leads to it.
func FlagsOf(p *position.Position) *Flags {
	other := *p
	other.MakeNull()
	if other.InCheck() {
		return nil
	}
	return &Flags{p.InCheck(), p.IsCheckmate(), p.IsStalemate()}
}

// A Load is a start position that the load port takes.
type Load struct {
	Bytes int64 // of the stream, before it
	Beats int64 // that must have been given before it
	State State
}

// Params are the parameters of ply11_player that change what it says.
type Params struct {
	Depth int  // DEPTH: the variations in each other that are played; 0: they are stepped over
	Legal bool // LEGAL 1: a move that package position refuses is an error with a reason
	Mate  bool // MATE 1: beats have flags
	// Alone: of what reads games, without a board behind it. A move that only the board refuses is a ply.
	Alone bool
}

// An Op is what ply11_words, ply11_brenner or ply11_jose gives.
type Op struct {
	Sort   Sort
	Kind   uint8           // of OpBeat: BeatPly and so on; of OpRow: the row's address
	Codes  uint16          // of BeatError: bit c is set where code c is right; of BeatEnd: the bit of its result
	Index  moveindex.Index // of BeatPly
	Data   uint32          // of OpRow
	Offset int64           // as of a Beat
}

// A Sort is what an Op is.
type Sort uint8

const (
	OpBeat  Sort = iota // on m_
	OpOpen              // a variation begins
	OpClose             // it ends
	OpRow               // of a start record, for the board
)

// An Oracle follows a stream of games of one form.
type Oracle struct {
	params Params
	beats  []Beat
	ops    []Op
	loads  []Load
	ends   int
	bytes  int64 // of the stream so far
	words  int64 // of the stream so far, in Words

	start   position.Position // of the game that comes, if it was loaded
	refused bool              // what was loaded is no position
	at      place
	before  place // the last ply
	around  [][2]place
	bad     bool // there was an error in this game
	ply     int32

	codecs codecs
	err    error
}

// A place is a position of a line. rules is for Legal and Mate.
type place struct {
	state State
	rules position.Position
}

var usual = place{Initial(), position.Start()}

// New returns an Oracle at the start of a stream.
func New(p Params) *Oracle {
	return &Oracle{params: p, start: position.Start(), at: usual, before: usual}
}

// Beats returns what must come of the stream so far. The caller must not change it.
func (o *Oracle) Beats() []Beat { return o.beats }

// Ops returns what must come of the module that reads the stream, with Alone; the caller must not change them.
func (o *Oracle) Ops() []Op { return o.ops }

// Loads returns the start positions. The caller must not change them.
func (o *Oracle) Loads() []Load { return o.loads }

// Err returns an error if the oracle does not know what must come: with Legal and Mate, of a game from a position that
// package position refuses.
func (o *Oracle) Err() error { return o.err }

// Games returns how many games have ended.
func (o *Oracle) Games() int { return o.ends }

// Load loads a position before the next byte, which begins a game. Plies count from the position's own.
func (o *Oracle) Load(p *position.Position) {
	s := NewState(p)
	o.loads = append(o.loads, Load{o.bytes, int64(len(o.beats)), s})
	o.start = *p
	o.at = place{s, *p}
	o.before = o.at
}

// LoadRefused loads what is not WellFormed. The next game has nothing but an error and its end.
func (o *Oracle) LoadRefused(s State) {
	o.loads = append(o.loads, Load{o.bytes, int64(len(o.beats)), s})
	o.refused = true
}

// begin is the first byte of a game that may have a loaded position.
func (o *Oracle) begin() {
	if o.refused {
		o.fail(o.bytes, FaultStart.bit())
	}
}

// fail is an error at a byte. Only the first of a game is shown.
func (o *Oracle) fail(offset int64, codes uint16) { o.refuse(Beat{Codes: codes, Offset: offset}) }

func (o *Oracle) refuse(b Beat) {
	if o.bad {
		return
	}
	if ofStart&b.Codes == b.Codes {
		o.at = usual
	}
	o.bad = true
	b.Kind, b.Depth = BeatError, uint8(len(o.around))
	o.show(b)
}

func (o *Oracle) show(b Beat) {
	state := o.at.state
	b.Game, b.Ply, b.State = int32(o.ends+1), o.ply+1, &state
	if o.params.Mate {
		b.Flags = FlagsOf(&o.at.rules)
	}
	o.beats = append(o.beats, b)
	codes := b.Codes
	if b.Kind == BeatEnd {
		codes = 1 << b.Result
	}
	o.op(Op{Kind: b.Kind, Codes: codes, Index: b.Index, Offset: b.Offset})
}

func (o *Oracle) op(op Op) {
	if o.params.Alone {
		o.ops = append(o.ops, op)
	}
}

func (o *Oracle) move(offset int64, i moveindex.Index) {
	if o.bad {
		return
	}
	next := o.at
	piece, taken, fault := next.state.Play(i)
	if fault != NoFault && !o.params.Alone {
		o.refuse(Beat{Codes: fault.bit(), Offset: offset, Board: true, Index: i})
		return
	}
	if o.params.Legal || o.params.Mate {
		m, isMove := i.Move()
		switch {
		case !isMove:
			next.rules.MakeNull()
		case next.rules.IsLegal(m):
			next.rules.Make(m)
		case o.params.Legal:
			o.refuse(Beat{Codes: FaultStopped.bit(), Offset: offset, Board: true, Index: i,
				Reason: Illegal(&next.rules, m)})
			return
		default:
			panic(fmt.Sprintf("oracle: %v is not legal in %s: flags need Legal", m, next.rules.FEN()))
		}
	}
	o.before, o.at = o.at, next
	o.show(Beat{Kind: BeatPly, Index: i, Piece: piece, Taken: taken, Depth: uint8(len(o.around)), Offset: offset})
	o.ply++
}

// open begins a variation, and returns false if it is too deep.
func (o *Oracle) open(offset int64) bool {
	if o.params.Depth == 0 {
		return true
	}
	if len(o.around) == o.params.Depth {
		o.fail(offset, FaultDepth.bit())
		return false
	}
	if !o.bad {
		o.around = append(o.around, [2]place{o.at, o.before})
		o.at = o.before
		o.op(Op{Sort: OpOpen, Offset: offset})
	}
	return true
}

func (o *Oracle) shut(offset int64) {
	if n := len(o.around); n > 0 && !o.bad {
		o.at, o.before = o.around[n-1][0], o.around[n-1][1]
		o.around = o.around[:n-1]
		o.op(Op{Sort: OpClose, Offset: offset})
	}
}

func (o *Oracle) end(offset int64, result uint8) {
	o.show(Beat{Kind: BeatEnd, Result: result, Offset: offset})
	o.op(Op{Kind: BeatNew, Offset: offset})
	o.ends++
	o.start, o.at, o.before, o.around, o.bad, o.refused = usual.rules, usual, usual, nil, false, false
	o.ply = 0
}

// Illegal returns why a move that ply11_board applies is not legal in a position that package position accepts.
func Illegal(p *position.Position, m chess.Move) Reason {
	from, to, piece := m.From(), m.To(), p.PieceAt(m.From())
	df := to.File() - from.File()
	switch them := p.Turn().Other(); {
	case piece.Kind() == chess.King && (df == 2 || df == -2):
		switch {
		case p.InCheck():
			return ReasonOut
		case p.Attackers((from+to)/2, them) != 0:
			return ReasonThrough
		}
		return ReasonInto
	case piece.Kind() != chess.Knight && position.Between(from, to)&p.Occupied() != 0:
		return ReasonBlocked
	case piece.Kind() == chess.Pawn && df != 0 && p.PieceAt(to) == chess.NoPiece:
		return ReasonPassant
	}
	return ReasonCheck
}
