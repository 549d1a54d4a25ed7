// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"math/bits"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/position"
)

// Numbering says how the moves of a position are numbered.
type Numbering uint8

const (
	// NumberingAuto leaves the choice to a reader: Document, and CBASCII where that ends in an
	// impossible or illegal move. A writer takes it for Document.
	NumberingAuto Numbering = iota
	// NumberingDocument is the order of section 2.4.
	NumberingDocument
	// NumberingCBASCII is that of a converter of 1993/94. It takes "no en passant file" for the file
	// left of the a-file, so that a pawn of the mover on the a-file and its own fifth rank takes one
	// number more, after its other moves; nothing can be played by it.
	NumberingCBASCII
)

// String returns "auto", "document" or "cbascii".
func (n Numbering) String() string {
	switch n {
	case NumberingAuto:
		return "auto"
	case NumberingDocument:
		return "document"
	case NumberingCBASCII:
		return "cbascii"
	}
	return fmt.Sprintf("Numbering(%d)", uint8(n))
}

// ParseNumbering reads a name as String writes it.
func ParseNumbering(s string) (Numbering, error) {
	for n := NumberingAuto; n <= NumberingCBASCII; n++ {
		if n.String() == s {
			return n, nil
		}
	}
	return NumberingAuto, &chess.ParseError{What: "numbering", Text: s, Want: "auto, document or cbascii"}
}

// MaxNumber is the largest number that a byte of the move list can hold. With the bit of a comment
// it would be 0xff, the start of a variation: a move with a comment goes up to 126.
const MaxNumber = 127

// Generator is the document's Move Generator (section 2.4): it numbers the moves of one position after
// the other. It holds no pointers: copy it to come back to a position.
//
// It generates what the document's generator does, which is more than the rules allow: moves that
// leave the king in check, castling without the right or through check, and the illegal en passant
// capture. Move and Number say what is legal of it.
type Generator struct {
	pos position.Position
	// ep is the file, 1..8, of the last long pawn move; 0 if another move was made since, unless
	// that was castling.
	ep       uint8
	phantoms bool // the numbering is CBASCII
	// ambiguous is set once the numberings gave different moves to a number, or may have.
	ambiguous bool
}

// NewGenerator returns a generator for the position. NumberingAuto is taken for NumberingDocument.
func NewGenerator(p position.Position, n Numbering) Generator {
	return Generator{pos: p, ep: uint8(p.EnPassantFile()), phantoms: n == NumberingCBASCII}
}

// Position returns the position whose moves are numbered. It must not be changed.
func (g *Generator) Position() *position.Position { return &g.pos }

// enPassantFile returns the file, 1..8, that en passant captures are generated to, 0 for none. Unlike
// position.enPassantFile it survives castling.
func (g *Generator) EnPassantFile() int { return int(g.ep) }

// direction is one run of a sliding piece.
type direction struct{ file, rank int }

// The runs, in the document's order: 4. rook: left, down, right, up; 5. bishop: left down, right down,
// right up, left up; 3. queen: bishop's, then rook's.
var (
	bishopRuns = [4]direction{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	rookRuns   = [4]direction{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}
	// kingSteps is the diagram of 2.4, point 2, by its numbers.
	kingSteps = [8]direction{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}
	// knightSteps is the diagram of 2.4, point 6, by its numbers.
	knightSteps = [8]direction{{-2, -1}, {-2, 1}, {2, -1}, {2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}}
)

// The order of the pieces' moves as tables.
var (
	// runs[s][d] is the squares from s to the edge, for bishop's runs 0..3 and rook's 4..7.
	runs [64][8]uint64
	// runStep[d] is what one step of a run adds to a square's number.
	runStep [8]int8
	// steps[0][s] is the king's targets in order, steps[1][s] the knight's; 64 ends the list.
	steps [2][64][9]uint8
	// stepSet is the same as sets.
	stepSet [2][64]uint64
	// pawnTakes[c][s] is the squares to which a pawn of colour c takes.
	pawnTakes [2][64]uint64
)

func init() {
	target := func(s int, d direction) (int, bool) {
		f, r := s&7+d.file, s>>3+d.rank
		return r*8 + f, f >= 0 && f < 8 && r >= 0 && r < 8
	}
	for i := range 4 {
		runStep[i] = int8(8*bishopRuns[i].rank + bishopRuns[i].file)
		runStep[4+i] = int8(8*rookRuns[i].rank + rookRuns[i].file)
	}
	for s := range 64 {
		for i := range 8 {
			d := rookRuns[i&3]
			if i < 4 {
				d = bishopRuns[i]
			}
			for t, ok := target(s, d); ok; t, ok = target(t, d) {
				runs[s][i] |= 1 << t
			}
		}
		for kind, list := range [2]*[8]direction{&kingSteps, &knightSteps} {
			n := 0
			for _, d := range list {
				if t, ok := target(s, d); ok {
					steps[kind][s][n] = uint8(t)
					stepSet[kind][s] |= 1 << t
					n++
				}
			}
			for ; n < 9; n++ {
				steps[kind][s][n] = 64
			}
		}
		for c, rank := range [2]int{1, -1} {
			for _, file := range [2]int{-1, 1} {
				if t, ok := target(s, direction{file, rank}); ok {
					pawnTakes[c][s] |= 1 << t
				}
			}
		}
	}
}

// board is the position spread out for one pass over the pieces.
type board struct {
	occ, own uint64
	turn     uint8
	ep       uint8
	phantoms bool
	met      bool // a pawn whose count differs between the numberings
	pos      *position.Position
}

func (g *Generator) board() board {
	turn := g.pos.Turn()
	return board{
		occ: uint64(g.pos.Occupied()), own: uint64(g.pos.ByColor(turn)),
		turn: uint8(turn), ep: g.ep, phantoms: g.phantoms, pos: &g.pos,
	}
}

// byFile turns a set of squares around the a1-h8 diagonal, so that its bits go up in the order in
// which the document examines the squares: a1 … a8, b1 … b8.
func byFile(b uint64) uint64 {
	t := (b ^ b>>7) & 0x00aa00aa00aa00aa
	b ^= t ^ t<<7
	t = (b ^ b>>14) & 0x0000cccc0000cccc
	b ^= t ^ t<<14
	t = (b ^ b>>28) & 0x00000000f0f0f0f0
	return b ^ t ^ t<<28
}

// squareOf is the square of bit i of what byFile returns.
func squareOf(i int) uint { return uint(i>>3|i<<3) & 63 }

// castlings tells whether short and long castling are generated: king and rook in their places and
// the squares between them free; rights and threats are not asked for.
func (b *board) castlings(king uint) (short, long bool) {
	home := uint(b.turn) * 56
	if king != home+4 {
		return false, false
	}
	rook := chess.NewPiece(chess.Color(b.turn), chess.Rook)
	row := b.occ >> home
	return row&0x60 == 0 && b.pos.PieceAt(chess.Square(home+7)) == rook,
		row&0x0e == 0 && b.pos.PieceAt(chess.Square(home)) == rook
}

// targets returns the squares to which a queen, rook or bishop moves.
func (b *board) targets(piece chess.Piece, s uint) uint64 {
	return uint64(position.Attacks(piece, chess.Square(s), position.Bitboard(b.occ))) &^ b.own
}

// pawn is what a pawn can do, in the order of 2.4, point 7.
type pawn struct {
	long, short bool
	promotes    bool
	takes       uint64 // first left, then right: toward the a-file, then the h-file, for both colours
	enPassant   bool   // a capture on the en passant file, legal or not
	phantom     bool
}

func (b *board) pawn(s uint) (p pawn) {
	rank := s >> 3
	ahead, home, fifth := s+8, uint(1), uint(4)
	if b.turn != 0 {
		ahead, home, fifth = s-8, 6, 3
	}
	p.short = b.occ>>(ahead&63)&1 == 0
	p.long = p.short && rank == home && b.occ>>((2*ahead-s)&63)&1 == 0
	p.promotes = rank == 7-home
	p.takes = pawnTakes[b.turn][s&63] & b.occ &^ b.own
	if rank == fifth {
		// The file alone decides. Files here go from 1, so that 0, "none", is left of the a-file:
		// that is how the converter's phantom move comes about.
		d := int(s&7) + 1 - int(b.ep)
		if d == 1 || d == -1 {
			p.enPassant = b.ep != 0
			b.met = b.met || b.ep == 0
			p.phantom = b.ep == 0 && b.phantoms
		}
	}
	return p
}

// count returns how many numbers the pawn takes.
func (p *pawn) count() int {
	n := bits.OnesCount64(p.takes)
	if p.short {
		n++
	}
	if p.promotes {
		n *= 4
	}
	if p.long {
		n++
	}
	if p.enPassant || p.phantom {
		n++
	}
	return n
}

// count returns how many numbers the piece on a square takes.
func (b *board) count(piece chess.Piece, s uint) int {
	switch piece.Kind() {
	case chess.Pawn:
		p := b.pawn(s)
		return p.count()
	case chess.Knight:
		return bits.OnesCount64(stepSet[1][s&63] &^ b.own)
	case chess.King:
		n := bits.OnesCount64(stepSet[0][s&63] &^ b.own)
		short, long := b.castlings(s)
		if short {
			n++
		}
		if long {
			n++
		}
		return n
	default:
		return bits.OnesCount64(b.targets(piece, s))
	}
}

// Count returns how many moves the generator numbers in the position.
func (g *Generator) Count() int {
	b := g.board()
	n := 0
	for own := b.own; own != 0; own &= own - 1 {
		s := uint(bits.TrailingZeros64(own))
		n += b.count(b.pos.PieceAt(chess.Square(s)), s)
	}
	return n
}

// Generated returns the move of a number, from 1, as the document's generator has it, legal or not.
// The second result is false where the number is beyond the list, or is CBASCII's phantom.
func (g *Generator) Generated(number int) (chess.Move, bool) {
	if number < 1 {
		return 0, false
	}
	n := number - 1
	b := g.board()
	for pieces := byFile(b.own); pieces != 0; pieces &= pieces - 1 {
		s := squareOf(bits.TrailingZeros64(pieces))
		piece := b.pos.PieceAt(chess.Square(s))
		c := b.count(piece, s)
		if n < c {
			g.ambiguous = g.ambiguous || b.met
			return b.nth(piece, s, n)
		}
		n -= c
	}
	g.ambiguous = g.ambiguous || b.met
	return 0, false
}

// promotionOrder is the order in which promotions are numbered: =Q, =R, =B, =N.
var promotionOrder = [4]chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight}

// nth returns the move n, from 0, of the piece on a square.
func (b *board) nth(piece chess.Piece, s uint, n int) (chess.Move, bool) {
	from := chess.Square(s)
	switch kind := piece.Kind(); kind {
	case chess.Pawn:
		return b.nthOfPawn(s, n)
	case chess.King, chess.Knight:
		list := &steps[kind>>1&1][s&63] // king 1, knight 3
		for _, t := range list {
			if t == 64 {
				break
			}
			if b.own>>(t&63)&1 != 0 {
				continue
			}
			if n == 0 {
				return chess.NewMove(from, chess.Square(t)), true
			}
			n--
		}
		short, _ := b.castlings(s)
		if short && n == 0 {
			return chess.NewMove(from, from+2), true
		}
		return chess.NewMove(from, from-2), true
	default:
		targets := b.targets(piece, s)
		for d := range runs[s&63] {
			c := bits.OnesCount64(targets & runs[s&63][d])
			if n < c {
				return chess.NewMove(from, chess.Square(int(s)+(n+1)*int(runStep[d]))), true
			}
			n -= c
		}
		return 0, false
	}
}

func (b *board) nthOfPawn(s uint, n int) (chess.Move, bool) {
	p := b.pawn(s)
	from := chess.Square(s)
	step := 8 - 16*int(b.turn)
	if p.long {
		if n == 0 {
			return chess.NewMove(from, chess.Square(int(s)+2*step)), true
		}
		n--
	}
	each := 1
	if p.promotes {
		each = 4
	}
	move := func(to int) (chess.Move, bool) {
		if p.promotes {
			return chess.NewPromotion(from, chess.Square(to), promotionOrder[n]), true
		}
		return chess.NewMove(from, chess.Square(to)), true
	}
	if p.short {
		if n < each {
			return move(int(s) + step)
		}
		n -= each
	}
	for t := p.takes; t != 0; t &= t - 1 {
		if n < each {
			return move(bits.TrailingZeros64(t))
		}
		n -= each
	}
	if p.enPassant {
		return chess.NewMove(from, chess.NewSquare(int(b.ep)-1, int(s>>3)+step/8)), true
	}
	return 0, false
}

// numberOf returns the number, from 0, of a move among those of the piece on its from-square, or
// false if the generator does not have it.
func (b *board) numberOf(piece chess.Piece, m chess.Move) (int, bool) {
	s, to := uint(m.From()), uint(m.To())
	n := 0
	switch kind := piece.Kind(); kind {
	case chess.Pawn:
		return b.numberOfPawn(m)
	case chess.King, chess.Knight:
		for _, t := range steps[kind>>1&1][s&63] {
			if t == 64 {
				break
			}
			if b.own>>(t&63)&1 != 0 {
				continue
			}
			if uint(t) == to {
				return n, true
			}
			n++
		}
		if kind == chess.Knight {
			return 0, false
		}
		short, long := b.castlings(s)
		if short {
			if to == s+2 {
				return n, true
			}
			n++
		}
		return n, long && to == s-2
	default:
		targets := b.targets(piece, s)
		for d := range runs[s&63] {
			run := targets & runs[s&63][d]
			if run>>to&1 != 0 {
				return n + (int(to)-int(s))/int(runStep[d]) - 1, true
			}
			n += bits.OnesCount64(run)
		}
		return 0, false
	}
}

func (b *board) numberOfPawn(m chess.Move) (int, bool) {
	s, to := uint(m.From()), uint(m.To())
	p := b.pawn(s)
	step := 8 - 16*int(b.turn)
	n, each := 0, 1
	rank := 0
	if p.promotes {
		each = 4
		rank = int(chess.Queen)
		switch m.Promotion() {
		case chess.Queen:
			rank = 0
		case chess.Rook:
			rank = 1
		case chess.Bishop:
			rank = 2
		case chess.Knight:
			rank = 3
		default:
			return 0, false
		}
	} else if m.Promotion() != chess.NoKind {
		return 0, false
	}
	if p.long {
		if int(to) == int(s)+2*step {
			return 0, true
		}
		n++
	}
	if p.short {
		if int(to) == int(s)+step {
			return n + rank, true
		}
		n += each
	}
	for t := p.takes; t != 0; t &= t - 1 {
		if bits.TrailingZeros64(t) == int(to) {
			return n + rank, true
		}
		n += each
	}
	return n, p.enPassant && to == uint(b.ep)-1+(s&56)+uint(step)
}

// Move returns the move of a number. The error is codec.ErrReserved for a number beyond the list (or CBASCII's
// phantom), position.ErrIllegal for a move that the generator numbers but the rules forbid; the move is then
// returned too.
//
// Cost: the pieces up to the one that moves are counted, in the order of the squares.
func (g *Generator) Move(number int) (chess.Move, error) {
	m, ok := g.Generated(number)
	if !ok {
		return 0, codec.ErrReserved
	}
	if !g.pos.IsLegal(m) {
		return m, position.ErrIllegal
	}
	return m, nil
}

// Number returns the number, from 1, of a legal move. It can be larger than MaxNumber. The error is
// position.ErrIllegal for a move that is not legal.
func (g *Generator) Number(m chess.Move) (int, error) {
	if !g.pos.IsLegal(m) {
		return 0, position.ErrIllegal
	}
	n, ok := g.GeneratedNumber(m)
	if !ok {
		return 0, position.ErrIllegal
	}
	return n, nil
}

// GeneratedNumber returns the number, from 1, of a move that the generator has, legal or not, and
// whether it has it.
func (g *Generator) GeneratedNumber(m chess.Move) (int, bool) {
	b := g.board()
	s := uint(m.From())
	if b.own>>s&1 == 0 {
		return 0, false
	}
	n, ok := b.numberOf(b.pos.PieceAt(chess.Square(s)), m)
	if !ok {
		return 0, false
	}
	// The pieces before it: those whose bit in the turned set is lower.
	before := byFile(b.own) & (1<<(s>>3|s&7<<3) - 1)
	for ; before != 0; before &= before - 1 {
		t := squareOf(bits.TrailingZeros64(before))
		n += b.count(b.pos.PieceAt(chess.Square(t)), t)
	}
	return n + 1, true
}

// Make makes a legal move.
func (g *Generator) Make(m chess.Move) {
	from, to := m.From(), m.To()
	castling := (from-to == 2 || to-from == 2) && g.pos.KingSquare(g.pos.Turn()) == from
	g.pos.Make(m)
	if !castling {
		g.ep = uint8(g.pos.EnPassantFile())
	}
}
