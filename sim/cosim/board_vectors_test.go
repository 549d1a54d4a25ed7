// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/eda"
	"ply11/sim/oracle"
)

//go:embed testdata/ply11_board_vectors.v
var boardVectorsBench []byte

// boardVectors are positions with a move each, and what package position makes of them, as the bench of
// run reads them.
type boardVectors struct {
	Count int
	// How many different ones there are: castlings by squares and rights, captures en passant and
	// promotions by squares, these also by the man made and the man taken.
	Castlings, EnPassants, Promotions, PromotingCaptures int
	// How many moves that are not legal: castlings without the right or with a man between, captures
	// without the en passant file, steps to the last rank without a promotion, and onto a man with one.
	RefusedCastlings, RefusedEnPassants, RefusedPromotions int
	// Indices tells which of the 1,968 moves occur.
	Indices [moveindex.NumMoves]bool

	text bytes.Buffer
	seen map[string]bool
}

// hex writes a position: the board from h8 to a1, ply, en passant file, rights, side.
func (v *boardVectors) hex(p *position.Position) {
	for s := 63; s >= 0; s-- {
		fmt.Fprintf(&v.text, "%x", uint8(p.PieceAt(chess.Square(s))))
	}
	fmt.Fprintf(&v.text, "%04x%x%x%x", p.Ply()&0xffff, p.EnPassantFile(), uint8(p.Castling()), uint8(p.Turn()))
}

// once reports whether the key is new.
func (v *boardVectors) once(key string) bool {
	if v.seen == nil {
		v.seen = make(map[string]bool)
	}
	was := v.seen[key]
	v.seen[key] = true
	return !was
}

// move writes the error, the move and the men.
func (v *boardVectors) move(m chess.Move, index moveindex.Index, err uint8, man, taken chess.Piece) {
	promotion := 0
	switch kind := m.Promotion(); kind {
	case chess.NoKind:
	case chess.Queen:
		promotion = 7
	default:
		promotion = int(kind) + 1
	}
	fmt.Fprintf(&v.text, "%x%04x%03x%x%x", err, promotion<<12|int(m.To())<<6|int(m.From()), uint16(index), uint8(man),
		uint8(taken))
}

// Add adds a position with a move, once. The move must be legal.
func (v *boardVectors) Add(p position.Position, m chess.Move) {
	index, ok := moveindex.Of(m)
	if !ok || !v.once(p.FEN()+" "+m.String()) {
		return
	}
	man, taken := p.PieceAt(m.From()), p.PieceAt(m.To())
	pawn := man.Kind() == chess.Pawn
	passant := pawn && taken == chess.NoPiece && m.From().File() != m.To().File()
	switch step := m.From().File() - m.To().File(); {
	case man.Kind() == chess.King && (step == 2 || step == -2):
		v.Castlings += btoi(v.once(fmt.Sprint("castling ", m, p.Castling())))
	case passant:
		v.EnPassants += btoi(v.once(fmt.Sprint("passant ", m)))
		taken = chess.NewPiece(p.Turn().Other(), chess.Pawn)
	case pawn && m.Promotion() != chess.NoKind && taken != chess.NoPiece:
		v.PromotingCaptures += btoi(v.once(fmt.Sprint("promotion ", m, taken)))
	case pawn && m.Promotion() != chess.NoKind:
		v.Promotions += btoi(v.once(fmt.Sprint("promotion ", m)))
	}
	v.Count++
	v.Indices[index] = true
	v.hex(&p)
	v.move(m, index, 0, man, taken)
	p.Make(m)
	v.hex(&p)
	v.text.WriteByte('\n')
}

// refuse adds a position with a move that is not legal and that the board refuses with that error, once,
// and reports whether it did.
func (v *boardVectors) refuse(fen string, m chess.Move, code oracle.Fault) bool {
	p, err := position.ParseFEN(fen)
	index, ok := moveindex.Of(m)
	if err != nil || !ok || p.IsLegal(m) || !v.once(fen+" "+m.String()) {
		return false
	}
	v.Count++
	v.hex(&p)
	v.move(m, index, uint8(code), chess.NoPiece, chess.NoPiece)
	v.hex(&p)
	v.text.WriteByte('\n')
	return true
}

// AddAll adds a position with each of its legal moves. One that cannot be is left out.
func (v *boardVectors) AddAll(fen string) {
	p, err := position.ParseFEN(fen)
	if err != nil {
		return
	}
	for _, m := range p.LegalMoves(nil) {
		v.Add(p, m)
	}
}

// addPromotions adds a position with each of its promotions, and reports whether there are as many as
// want; if not, because of a check or a pin, it adds none.
func (v *boardVectors) addPromotions(fen string, want int) bool {
	p, err := position.ParseFEN(fen)
	if err != nil {
		return false
	}
	moves := p.LegalMoves(nil)
	moves = slices.DeleteFunc(moves, func(m chess.Move) bool { return m.Promotion() == chess.NoKind })
	if len(moves) != want {
		return false
	}
	for _, m := range moves {
		v.Add(p, m)
	}
	return true
}

// newBoardVectors makes the vectors: all castlings with all rights; all captures en passant; all promotions,
// with and without a capture of each man; every way to lose a right; what is refused of these (see addRefused);
// every one of the 1,968 moves; and positions of random games, as many as random says. The same are made every time.
func newBoardVectors(random int) *boardVectors {
	v := new(boardVectors)
	for n := range 16 {
		for _, side := range "wb" {
			// Castling, rooks that take rooks, and pawns and knights that take them.
			v.AddAll(fmt.Sprintf("r3k2r/8/8/8/8/8/8/R3K2R %c %s - 0 1", side, rightsOf(n)))
			v.AddAll(fmt.Sprintf("r3k2r/1P4P1/1N4N1/8/8/1n4n1/1p4p1/R3K2R %c %s - 3 40", side, rightsOf(n)))
			v.AddAll(fmt.Sprintf("r1b1k1nr/8/8/8/8/8/8/RN2KB1R %c %s - 0 1", side, rightsOf(n)))
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
		for _, men := range []string{"", "q", "r", "b", "n"} {
			back := []byte("........")
			want := 4
			for _, g := range []int{f - 1, f + 1} {
				if men != "" && g >= 0 && g < 8 {
					back[g] = men[0]
					want += 4
				}
			}
			black := []byte(strings.ToLower(string(pawn)))
			up := []byte(strings.ToUpper(string(back)))
			for _, fen := range []string{
				run(back) + "/" + run(pawn) + "/8/8/%s/8/8/8 w - - 0 1",
				"8/8/8/%s/8/8/" + run(black) + "/" + run(up) + " b - - 0 1",
			} {
				for kings := range 64 {
					rank := []byte("........")
					rank[kings/8] = 'k'
					rank[kings%8] = 'K'
					if v.addPromotions(fmt.Sprintf(fen, run(rank)), want) {
						break
					}
				}
			}
		}
		pawn[f] = 'p'
		v.AddAll(fmt.Sprintf("4k3/%s/8/8/8/8/8/4K3 b - - 0 1", run(pawn)))
	}
	v.addRefused()
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

// rightsOf writes rights to castle, bits K, Q, k, q, as a FEN does.
func rightsOf(n int) string {
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

// addRefused adds castlings without the right, with men between, in all ways, and without the rook; all
// captures en passant without the file; and pawns that reach the last rank without a promotion or, with
// one, straight ahead onto a man.
func (v *boardVectors) addRefused() {
	home := func(side int, rank, rights string) string {
		ranks := []string{"r3k2r", "8", "8", "8", "8", "8", "8", "R3K2R"}
		ranks[7*(1-side)] = rank
		return fmt.Sprintf("%s %c %s - 0 1", strings.Join(ranks, "/"), "wb"[side], rights)
	}
	square := func(file, rank int) chess.Square { return chess.Square(8*rank + file) }
	// cased writes men in the case of a side, 1 Black.
	cased := func(men string, side int) string {
		if side == 1 {
			return strings.ToLower(men)
		}
		return strings.ToUpper(men)
	}
	for side := range 2 {
		first, last := 7*side, 7*(1-side)
		for wing, right := range cased("KQ", side) {
			to := []int{6, 2}[wing]
			castling := chess.NewMove(square(4, first), square(to, first))
			for n := range 16 {
				if rights := rightsOf(n); !strings.ContainsRune(rights, right) {
					v.RefusedCastlings += btoi(v.refuse(home(side, cased("R3K2R", side), rights), castling,
						oracle.FaultCastling))
				}
			}
			between := [][]int{{5, 6}, {1, 2, 3}}[wing]
			for subset := 1; subset < 1<<len(between); subset++ {
				for owner := range 2 {
					rank, code := []byte(cased("R...K..R", side)), oracle.FaultCastling
					for i, f := range between {
						if subset>>i&1 != 0 {
							rank[f] = cased("N", owner)[0]
							if owner == side && f == to {
								code = oracle.FaultOwn
							}
						}
					}
					v.RefusedCastlings += btoi(v.refuse(home(side, run(rank), "KQkq"), castling, code))
				}
			}
			// Without the rook there is no right.
			rights := strings.ReplaceAll("KQkq", string(right), "")
			v.RefusedCastlings += btoi(v.refuse(home(side, cased([]string{"R3K3", "4K2R"}[wing], side), rights),
				castling, oracle.FaultCastling))
		}
		ahead, fifth := 1-2*side, 4-side
		for f := range 8 {
			for _, g := range []int{f - 1, f + 1} {
				if g < 0 || g > 7 {
					continue
				}
				rank := []byte("........")
				rank[f], rank[g] = cased("p", side)[0], cased("p", 1-side)[0]
				ranks := []string{"4k3", "8", "8", "8", "8", "8", "8", "4K3"}
				ranks[7-fifth] = run(rank)
				v.RefusedEnPassants += btoi(v.refuse(fmt.Sprintf("%s %c - - 0 1", strings.Join(ranks, "/"), "wb"[side]),
					chess.NewMove(square(f, fifth), square(g, fifth+ahead)), oracle.FaultGeometry))
			}
			seventh := last - ahead
			for _, man := range []string{"", cased("N", 1-side), cased("N", side)} {
				ranks := []string{"8", "8", "8", "k6K", "8", "8", "8", "8"}
				pawn, back := []byte("........"), []byte("........")
				pawn[f] = cased("P", side)[0]
				if man != "" {
					back[f] = man[0]
				}
				ranks[7-seventh], ranks[7-last] = run(pawn), run(back)
				fen := fmt.Sprintf("%s %c - - 0 1", strings.Join(ranks, "/"), "wb"[side])
				m := chess.NewMove(square(f, seventh), square(f, last))
				code := oracle.FaultGeometry
				if man == cased("N", side) {
					code = oracle.FaultOwn
				}
				if man == "" {
					v.RefusedPromotions += btoi(v.refuse(fen, m, code))
					continue
				}
				for _, kind := range []chess.Kind{chess.Queen, chess.Rook, chess.Bishop, chess.Knight} {
					v.RefusedPromotions += btoi(v.refuse(fen, chess.NewPromotion(m.From(), m.To(), kind), code))
				}
			}
		}
	}
}

// run writes a rank of a FEN: dots are empty squares.
func run(rank []byte) string {
	var b strings.Builder
	empty := byte(0)
	for _, c := range rank {
		if c == '.' {
			empty++
			continue
		}
		if empty > 0 {
			b.WriteByte('0' + empty)
			empty = 0
		}
		b.WriteByte(c)
	}
	if empty > 0 {
		b.WriteByte('0' + empty)
	}
	return b.String()
}

// addIndices adds each of the 1,968 moves in a position of its man, and of two kings that stand where it
// is legal.
func (v *boardVectors) addIndices() {
	for i := range moveindex.Index(moveindex.NumMoves) {
		m, _ := i.Move()
		men := "QNK"
		if m.Promotion() != chess.NoKind {
			if men = "P"; m.From().Rank() == 1 {
				men = "p"
			}
		}
	find:
		for _, man := range []byte(men) {
			for kings := range 64 * 64 {
				white, black := chess.Square(kings/64), chess.Square(kings%64)
				var board [64]byte
				for s := range board {
					board[s] = '.'
				}
				// A pawn that changes its file takes.
				if m.Promotion() != chess.NoKind && m.From().File() != m.To().File() {
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

// run loads each position into ply11_board, plays its move, and compares all outputs, in a simulator. It
// returns an error unless all agree; what the bench printed is in the Run.
func (v *boardVectors) run(ctx context.Context, w *eda.Work, tool string) (eda.Execution, error) {
	dir, err := w.Sub("vectors")
	if err != nil {
		return eda.Execution{}, err
	}
	defer os.RemoveAll(dir)
	bench, data := filepath.Join(dir, "ply11_board_vectors.v"), filepath.Join(dir, "vectors")
	for name, text := range map[string][]byte{bench: boardVectorsBench, data: v.text.Bytes()} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return eda.Execution{}, err
		}
	}
	b := eda.Bench{Top: "ply11_board_vectors", Files: []string{bench, "rtl/ply11_board.v"}}
	var simulation *eda.Simulation
	if tool == ToolVerilator {
		simulation, err = w.Verilator(ctx, b)
	} else {
		simulation, err = w.Icarus(ctx, b)
	}
	if err != nil {
		return eda.Execution{}, err
	}
	defer simulation.Close()
	r, err := simulation.Run(ctx, "+vectors="+data, fmt.Sprintf("+count=%d", v.Count))
	if err := r.Passed(err); err != nil {
		return r, fmt.Errorf("%d vectors in %s: %w", v.Count, tool, err)
	}
	return r, nil
}

// TestBoardVectors: what the hardware's board makes of a position and a legal move is what package position
// makes of it; and moves that are not legal it refuses.
func TestBoardVectors(t *testing.T) {
	t.Parallel()
	testenv.Slow(t)
	random := 50
	if testenv.Long {
		random = 600
	}
	v := newBoardVectors(random)
	for i, ok := range v.Indices {
		if !ok {
			t.Errorf("no vector has index %d", i)
		}
	}
	for _, count := range []struct {
		what      string
		got, want int
	}{
		{"castlings: 4, each with its right and all others", v.Castlings, 4 * 8},
		{"captures en passant: 14 a side", v.EnPassants, 2 * 14},
		{"promotions: 8 files, 4 men a side", v.Promotions, 2 * 8 * 4},
		{"promotions that capture: 14 pairs of squares, 4 men made, 4 taken a side", v.PromotingCaptures,
			2 * 14 * 4 * 4},
		{"refused castlings: 8 without the right, 3 or 7 with men between of 2 sides, 1 without a rook",
			v.RefusedCastlings,
			4*8 + 2*2*(3+7) + 4},
		{"captures without the file: 14 a side", v.RefusedEnPassants, 2 * 14},
		{"no promotion, or onto one of 2 men by 4: 8 files a side", v.RefusedPromotions, 2 * 8 * (1 + 2*4)},
	} {
		if count.got != count.want {
			t.Errorf("%s: %d, want %d", count.what, count.got, count.want)
		}
	}
	t.Logf("%d vectors", v.Count)
	if first, again := newBoardVectors(1), newBoardVectors(1); again.text.String() != first.text.String() {
		t.Error("the vectors are others the second time")
	}
	w := newWork(t)
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		if tool == ToolIcarus && !testenv.Long {
			continue // half a minute
		}
		r, err := v.run(t.Context(), w, tool)
		if err != nil {
			t.Errorf("%v\n%s", err, r.Output)
		}
		t.Logf("%s: %.1f s of processor time", tool, r.CPU.Seconds())
	}

	// A board that lets the pawn stand that is taken en passant is found out.
	file := w.Path("rtl/ply11_board.v")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const old = "x_took_ep = "
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%q is not in ply11_board.v once", old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, old+"1'b0 && ", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	few := new(boardVectors)
	few.AddAll("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1")
	if r, err := few.run(t.Context(), w, ToolIcarus); err == nil || !strings.Contains(r.Output, "FAIL") {
		t.Errorf("an error is not noticed: %v\n%s", err, r.Output)
	}
}
