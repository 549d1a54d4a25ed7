// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"ply11/moveindex"
	"ply11/position"
)

//go:embed ply11_board_vectors.v
var boardVectorsBench []byte

// Vectors are positions with a legal move each, and what package position makes of them, as the bench
// of BoardVectors reads them.
type Vectors struct {
	Count int
	// How many of each there are.
	Castlings, EnPassants, Promotions, PromotingCaptures int
	// Indices tells which of the 1,968 moves occur.
	Indices [moveindex.NumMoves]bool

	text bytes.Buffer
	seen map[string]bool
}

// hex writes a position: the board from h8 to a1, ply, en passant file, rights, side.
func (v *Vectors) hex(p *position.Position) {
	for s := 63; s >= 0; s-- {
		fmt.Fprintf(&v.text, "%x", uint8(p.PieceAt(moveindex.Square(s))))
	}
	fmt.Fprintf(&v.text, "%04x%x%x%x", p.Ply()&0xffff, p.EnPassantFile(), uint8(p.Castling()), uint8(p.Turn()))
}

// Add adds a position with a move, once. The move must be legal.
func (v *Vectors) Add(p position.Position, m moveindex.Move) {
	index, ok := m.Index()
	key := p.FEN() + " " + m.String()
	if !ok || v.seen[key] {
		return
	}
	if v.seen == nil {
		v.seen = make(map[string]bool)
	}
	v.seen[key] = true
	man, taken := p.PieceAt(m.From()), p.PieceAt(m.To())
	pawn := man.Kind() == moveindex.Pawn
	passant := pawn && taken == moveindex.NoPiece && m.From().File() != m.To().File()
	switch step := m.From().File() - m.To().File(); {
	case man.Kind() == moveindex.King && (step == 2 || step == -2):
		v.Castlings++
	case passant:
		v.EnPassants++
		taken = moveindex.NewPiece(p.Turn().Other(), moveindex.Pawn)
	case pawn && m.Promotion() != moveindex.NoKind && taken != moveindex.NoPiece:
		v.PromotingCaptures++
	case pawn && m.Promotion() != moveindex.NoKind:
		v.Promotions++
	}
	v.Count++
	v.Indices[index] = true
	v.hex(&p)
	fmt.Fprintf(&v.text, "%03x%x%x", uint16(index), uint8(man), uint8(taken))
	p.Make(m)
	v.hex(&p)
	v.text.WriteByte('\n')
}

// AddAll adds a position with each of its legal moves. One that cannot be is left out.
func (v *Vectors) AddAll(fen string) {
	p, err := position.ParseFEN(fen)
	if err != nil {
		return
	}
	for _, m := range p.LegalMoves(nil) {
		v.Add(p, m)
	}
}

// addPromotions adds a position with each of its promotions, and reports whether no check forbids any.
func (v *Vectors) addPromotions(fen string) bool {
	p, err := position.ParseFEN(fen)
	if err != nil || p.InCheck() {
		return false
	}
	for _, m := range p.LegalMoves(nil) {
		if m.Promotion() != moveindex.NoKind {
			v.Add(p, m)
		}
	}
	return true
}

// NewVectors makes the vectors: all castlings with all rights; all captures en passant; all promotions,
// with and without a capture of each man; every way to lose a right; every one of the 1,968 moves; and
// positions of random games, as many as random says. The same are made every time.
func NewVectors(random int) *Vectors {
	v := new(Vectors)
	rights := func(n int) string {
		s := ""
		for i, c := range "KQkq" {
			if n>>i&1 != 0 {
				s += string(c)
			}
		}
		if s == "" {
			return "-"
		}
		return s
	}
	for n := range 16 {
		for _, side := range "wb" {
			// Castling, rooks that take rooks, and pawns and knights that take them.
			v.AddAll(fmt.Sprintf("r3k2r/8/8/8/8/8/8/R3K2R %c %s - 0 1", side, rights(n)))
			v.AddAll(fmt.Sprintf("r3k2r/1P4P1/1N4N1/8/8/1n4n1/1p4p1/R3K2R %c %s - 3 40", side, rights(n)))
			v.AddAll(fmt.Sprintf("r1b1k1nr/8/8/8/8/8/8/RN2KB1R %c %s - 0 1", side, rights(n)))
		}
	}
	for f := range 8 {
		// The pawn that stepped twice, and those that may take it.
		for _, d := range []int{-1, 1} {
			if g := f + d; g >= 0 && g < 8 {
				rank := []byte("........")
				rank[f], rank[g] = 'p', 'P'
				v.AddAll(fmt.Sprintf("4k3/8/8/%s/8/8/8/4K3 w - %c6 0 1", run(rank), 'a'+f))
				rank[f], rank[g] = 'P', 'p'
				v.AddAll(fmt.Sprintf("4k3/8/8/8/%s/8/8/4K3 b - %c3 0 1", run(rank), 'a'+f))
			}
		}
		pawn := []byte("........")
		pawn[f] = 'P'
		v.AddAll(fmt.Sprintf("4k3/8/8/8/8/8/%s/4K3 w - - 0 1", run(pawn)))
		// Kings out of the way of whatever appears.
		for _, men := range []string{"", "qrbn"} {
			for i := range max(len(men), 1) {
				back := []byte("........")
				if men != "" {
					for _, d := range []int{-1, 1} {
						if g := f + d; g >= 0 && g < 8 {
							back[g] = men[i]
						}
					}
				}
				pawn[f] = 'P'
				black := []byte(strings.ToLower(string(pawn)))
				up := []byte(strings.ToUpper(string(back)))
				for _, fen := range []string{
					run(back) + "/" + run(pawn) + "/8/8/%s/8/8/8 w - - 0 1",
					"8/8/8/%s/8/8/" + run(black) + "/" + run(up) + " b - - 0 1",
				} {
					for _, kings := range []string{"k6K", "K6k", "3k3K", "3K3k"} {
						if v.addPromotions(fmt.Sprintf(fen, kings)) {
							break
						}
					}
				}
			}
		}
		pawn[f] = 'p'
		v.AddAll(fmt.Sprintf("4k3/%s/8/8/8/8/8/4K3 b - - 0 1", run(pawn)))
	}
	v.addIndices()
	rng := rand.New(rand.NewPCG(11, 1968))
	for games := 0; random > 0; games++ {
		p := position.Start()
		for ply := 0; ply < 120 && random > 0; ply++ {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if rng.IntN(4) == 0 {
				v.Add(p, m)
				random--
			}
			p.Make(m)
		}
	}
	return v
}

// run writes a rank of a FEN: dots are empty squares.
func run(rank []byte) string {
	var b strings.Builder
	empty := 0
	for _, c := range rank {
		if c == '.' {
			empty++
			continue
		}
		if empty > 0 {
			fmt.Fprintf(&b, "%d", empty)
			empty = 0
		}
		b.WriteByte(c)
	}
	if empty > 0 {
		fmt.Fprintf(&b, "%d", empty)
	}
	return b.String()
}

// addIndices adds each of the 1,968 moves in a position of its man, and of two kings that stand where it
// is legal.
func (v *Vectors) addIndices() {
	for i := range moveindex.Index(moveindex.NumMoves) {
		m, _ := i.Move()
		men := "QNK"
		if m.Promotion() != moveindex.NoKind {
			if men = "P"; m.From().Rank() == 1 {
				men = "p"
			}
		}
	find:
		for _, man := range []byte(men) {
			for kings := range 64 * 64 {
				white, black := moveindex.Square(kings/64), moveindex.Square(kings%64)
				var board [64]byte
				for s := range board {
					board[s] = '.'
				}
				// A pawn that changes its file takes.
				if m.Promotion() != moveindex.NoKind && m.From().File() != m.To().File() {
					board[m.To()] = "nN"[btoi(man == 'p')]
				}
				board[white], board[black] = 'K', 'k'
				if man != 'K' {
					if board[m.From()] != '.' {
						continue
					}
					board[m.From()] = man
				} else if white != m.From() {
					continue
				}
				side := "wb"[btoi(man == 'p')]
				var ranks []string
				for r := 7; r >= 0; r-- {
					ranks = append(ranks, run(board[8*r:8*r+8]))
				}
				p, err := position.ParseFEN(fmt.Sprintf("%s %c - - 0 1", strings.Join(ranks, "/"), side))
				if err == nil && p.IsLegal(m) {
					v.Add(p, m)
					break find
				}
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// BoardVectors loads each position into ply11_board, plays its move, and compares all outputs, in Icarus
// or in Verilator. It returns an error unless all agree; what the bench printed is in the Run.
func (w *Work) BoardVectors(ctx context.Context, v *Vectors, tool string) (Run, error) {
	dir, err := w.Sub("vectors")
	if err != nil {
		return Run{}, err
	}
	defer os.RemoveAll(dir)
	bench, data := filepath.Join(dir, "ply11_board_vectors.v"), filepath.Join(dir, "vectors")
	for name, text := range map[string][]byte{bench: boardVectorsBench, data: v.text.Bytes()} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return Run{}, err
		}
	}
	build := w.Icarus
	if tool == "verilator" {
		build = func(ctx context.Context, b Bench) (*Simulation, error) { return w.Verilator(ctx, b, false) }
	}
	sim, err := build(ctx, Bench{Top: "ply11_board_vectors", Files: []string{bench, "rtl/ply11_board.v"}})
	if err != nil {
		return Run{}, err
	}
	defer sim.Close()
	r, err := sim.Run(ctx, "+vectors="+data, fmt.Sprintf("+count=%d", v.Count))
	if verdict, err := judge(r, err); verdict != passed {
		return r, fmt.Errorf("%d vectors in %s: %w: %s", v.Count, tool, err, lastLine(r.Output))
	}
	return r, nil
}
