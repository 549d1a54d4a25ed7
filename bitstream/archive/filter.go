// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// The column of filters tells of each game what no later position can have again: the order in which pawns left their
// first squares, or were taken there, and how many pieces are left at the end. A search passes over most games by it.

const (
	filterVersion = 1
	filterOrder   = 10
	filterBytes   = filterOrder/2 + 2
	filterEnd     = 15     // in the order: no more pawns left
	filterNone    = 1 << 6 // in the byte of the other six: no pawn left at all
	filterUnknown = 1 << 7 // nothing is known of the game
)

// filterPawns is the order in which pawns are numbered while all are at home, four bits each, from the low end: those
// that usually leave first come first, so that small numbers are frequent. A pawn is its file, and 8 more if it is
// Black's.
const filterPawns = 0xd5_91_f7_80_e6_a2_b3_c4

// filterSquare returns the bit of the pawn whose first square it is, as Need has them.
func filterSquare(s chess.Square) uint16 {
	switch s.Rank() {
	case 1:
		return 1 << s.File()
	case 6:
		return 1 << (8 + s.File())
	}
	return 0
}

func takeNibble(list uint64, r uint) (nibble uint, rest uint64) {
	low := uint64(1)<<(4*r) - 1
	return uint(list >> (4 * r) & 15), list&low | list>>4&^low
}

func filterGame(line []moveindex.Index) (f [filterBytes]byte) {
	for i := range filterOrder / 2 {
		f[i] = filterEnd | filterEnd<<4
	}
	home, list := ^uint16(0), uint64(filterPawns)
	n := 0
	p := usual
	for _, w := range line {
		m, _ := (w & (moveindex.NumWords - 1)).Move()
		p.Make(m)
		// Where a pawn is at home, nothing else can go from there; and what goes there takes it.
		gone := (filterSquare(m.From()) | filterSquare(m.To())) & home
		if gone == 0 || m.From() == m.To() {
			continue
		}
		for pawn := range uint(16) {
			if gone>>pawn&1 == 0 {
				continue
			}
			home &^= 1 << pawn
			if n < filterOrder {
				r := uint(0)
				for list>>(4*r)&15 != uint64(pawn) {
					r++
				}
				_, list = takeNibble(list, r)
				if n%2 == 0 {
					f[n/2] = f[n/2]&0xf0 | byte(r)
				} else {
					f[n/2] = f[n/2]&0x0f | byte(r)<<4
				}
			}
			n++
		}
	}
	if n == 0 {
		f[filterOrder/2] = filterNone
	} else if n >= filterOrder {
		for r := range 16 - filterOrder {
			if home>>(list>>(4*r)&15)&1 != 0 {
				f[filterOrder/2] |= 1 << r
			}
		}
	}
	f[filterOrder/2+1] = filterPieces(&p, chess.White) | filterPieces(&p, chess.Black)<<4
	return f
}

// filterPieces returns the number of pieces less 1, from 0 to 15.
func filterPieces(p *position.Position, c chess.Color) byte {
	return byte(min(max(p.ByColor(c).Count(), 1), 16) - 1)
}

func appendFilter(dst []byte, words []moveindex.Index, lengths []uint32) []byte {
	n := len(lengths)
	at := len(dst) + 1
	dst = append(append(dst, filterVersion), make([]byte, filterBytes*n)...)
	for i, length := range lengths {
		line := words[:length-1]
		words = words[length:]
		f := [filterBytes]byte{filterOrder / 2: filterUnknown}
		if len(line) == 0 || bitstream.StartSize(line[0]) == 0 {
			f = filterGame(line)
		}
		for k, b := range f {
			dst[at+k*n+i] = b
		}
	}
	return dst
}

// Filter is the column of filters of a block.
type Filter struct {
	raw   []byte
	games int
}

// Need is what a position that is searched for has. Bit f of Home and Gone is White's pawn of file f (0 to 7), and bit
// 8 + f Black's.
type Need struct {
	Home   uint16 // pawns that stand on their first squares
	Gone   uint16
	Pieces [2]int // the greatest numbers of pieces, White's and Black's, kings counted
}

type verdict uint8

const (
	never verdict = iota // a pawn that must be at home has left before another that must not be
	sure                 // those that must have left have left
	later                // the pawns that leave later tell
)

// FilterTest is a Need as games are asked for it.
type FilterTest struct {
	need   Need
	first  [256]reached // what the first two pawns tell
	pieces [256]byte    // 1 of each byte of pieces that may be
}

// reached is how far an order tells: the pawns that still must leave, and the list of those at home.
type reached struct {
	may  byte // 0 if the first pawns exclude it
	v    verdict
	gone uint16
	list uint64
}

// NewFilterTest makes the test of a need.
func NewFilterTest(need Need) *FilterTest {
	t := &FilterTest{need: need}
	for b := range 256 {
		if b&15 < need.Pieces[0] && b>>4 < need.Pieces[1] {
			t.pieces[b] = 1
		}
		r := &t.first[b]
		if r.v = sure; need.Gone != 0 {
			r.v, r.gone, r.list = need.follow(need.Gone, filterPawns, byte(b), true)
		}
		if r.v != never {
			r.may = 1
		}
	}
	return t
}

// follow goes through a pair of an order, and returns what it tells, the pawns that still must leave, and the list of
// those at home.
func (n *Need) follow(gone uint16, list uint64, pair byte, first bool) (verdict, uint16, uint64) {
	for j := range 2 {
		r := uint(pair >> (4 * j) & 15)
		if !(first && j == 0) && r == filterEnd {
			return never, gone, list
		}
		var pawn uint
		pawn, list = takeNibble(list, r)
		if n.Home>>pawn&1 != 0 {
			return never, gone, list
		}
		if gone &^= 1 << pawn; gone == 0 {
			return sure, gone, list
		}
	}
	return later, gone, list
}

// Filter returns the block's filters, and whether it has any. Their checksum is verified; Verify makes them again.
func (b *Block) Filter() (f Filter, ok bool, err error) {
	defer guard(&err)
	if b.front == nil {
		return b.readFilter()
	}
	if kept := b.front.filter.Load(); kept != nil {
		return *kept, true, nil
	}
	if f, ok, err = b.readFilter(); ok {
		f.raw = bytes.Clone(f.raw)
		b.front.filter.Store(&f)
	}
	return f, ok, err
}

func (b *Block) readFilter() (f Filter, ok bool, err error) {
	if b.head.find(ColumnFilter) < 0 {
		return f, false, nil
	}
	raw, err := b.column(ColumnFilter)
	if err != nil || len(raw) == 0 || raw[0] != filterVersion {
		return f, false, err // later versions are passed over, as the column is by older readers
	}
	if len(raw) != 1+filterBytes*b.Len() {
		return f, false, b.corrupt(ColumnFilter, -1, "the length is not that of the games")
	}
	return Filter{raw[1:], b.Len()}, true, nil
}

// Keep removes from a list of games, by their numbers in the block, those whose main line has no position with all that
// is needed.
func (t *FilterTest) Keep(f *Filter, list []int) []int {
	games := f.games
	pairs, rest := f.raw[:games], f.raw[games*(filterOrder/2):][:games]
	pieces := f.raw[games*(filterOrder/2+1):][:games]
	kept := 0
	for _, n := range list { // without a branch
		list[kept] = n
		kept += int(t.first[pairs[n-1]].may&t.pieces[pieces[n-1]] | rest[n-1]>>7)
	}
	left := list[:0]
	for _, n := range list[:kept] {
		if rest[n-1]&filterUnknown != 0 || t.need.Gone == 0 || rest[n-1]&filterNone == 0 && t.leave(f, n-1) {
			left = append(left, n)
		}
	}
	return left
}

// leave reports by all pawns whether those that must have left game i (from 0) may have done so in time.
func (t *FilterTest) leave(f *Filter, i int) bool {
	r := &t.first[f.raw[i]]
	v, gone, list := r.v, r.gone, r.list
	for k := 1; v == later && k < filterOrder/2; k++ {
		v, gone, list = t.need.follow(gone, list, f.raw[k*f.games+i], false)
	}
	if v != later {
		return v == sure
	}
	// The other six left later, if they did.
	rest := f.raw[f.games*(filterOrder/2)+i]
	for r := range 16 - filterOrder {
		if rest>>r&1 != 0 && gone>>(list>>(4*r)&15)&1 != 0 {
			return false
		}
	}
	return true
}

func (b *Block) completeFilter() error {
	f, ok, err := b.readFilter()
	if err != nil || !ok {
		return err
	}
	words, err := b.appendWords(nil)
	if err != nil {
		return err
	}
	lengths, err := b.appendLengths(nil)
	if err != nil {
		return err
	}
	want := appendFilter(nil, words, lengths)[1:]
	if bytes.Equal(want, f.raw) {
		return nil
	}
	for i := range b.Len() {
		for k := range filterBytes {
			if want[k*b.Len()+i] != f.raw[k*b.Len()+i] {
				return b.corrupt(ColumnFilter, i, "it is not the filter of the game")
			}
		}
	}
	return nil
}
