// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"errors"
	"fmt"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// A halfmove is read, made, and written.
func Example() {
	p := position.Start()
	fmt.Println(p.FEN())
	for _, san := range []string{"e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6"} {
		m, err := p.ParseSAN(san)
		if err != nil {
			fmt.Println(err)
			return
		}
		p.Make(m)
	}
	m, _ := p.ParseUCI("h5f7")
	fmt.Println(p.SAN(m))
	p.Make(m)
	fmt.Println(p.FEN())
	fmt.Println(p.IsCheckmate(), len(p.LegalMoves(nil)))
	// Output:
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
	// Qxf7#
	// r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
	// true 0
}

// A lenient reader takes what real files hold, and says what is wrong with the rest.
func ExamplePosition_ParseSANLenient() {
	p, _ := position.ParseFEN("4k3/8/8/8/8/5N2/4P3/1N2K2R w K - 0 1")
	for _, text := range []string{"0-0", "♘f3-d4!?", "Nd2", "Ne5+", "Nc5"} {
		m, err := p.ParseSANLenient(text)
		switch {
		case errors.Is(err, position.ErrAmbiguous):
			fmt.Println("which one?", err)
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(p.SAN(m))
		}
	}
	// Output:
	// O-O
	// Nd4
	// which one? ambiguous move "Nd2": Nbd2 or Nfd2
	// Ne5
	// illegal move "Nc5": no knight reaches c5
}

// A FEN that cannot be played is refused with the reason.
func ExampleParseFEN() {
	_, err := position.ParseFEN("r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1")
	fmt.Println(err)
	fmt.Println(errors.Is(err, position.ErrCastlingRights))
	// Output:
	// fen "r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1": impossible castling rights: K without the white rook on h1
	// true
}

// The legal halfmoves of a position have an index each: a mask over the 1,968.
func ExamplePosition_LegalMask() {
	p := position.Start()
	var mask [31]uint64
	p.LegalMask(&mask)
	i, _ := moveindex.Of(chess.NewMove(chess.E2, chess.E4))
	fmt.Println(mask[i/64]>>(i%64)&1 == 1)
	// Output: true
}

func ExamplePosition_Perft() {
	p := position.Start()
	fmt.Println(p.Perft(4))
	// Output: 197281
}
