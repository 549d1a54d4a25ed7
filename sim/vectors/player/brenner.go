// SPDX-License-Identifier: Apache-2.0

package player

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"ply11/bitstream/brenner"
	"ply11/chess"
	"ply11/moveindex"
	"ply11/sim/oracle"
)

// brennerNames returns the bytes of a layout by names: P3d is pawn 3, which steps (s), steps twice (d), takes to its
// right (r) or left (l); N02 is knight 0 in direction 2, K2 the king; Q024 goes in direction 2 to distance 4; =Q1 is
// the prefix of queen 1; u1 to u7 mean nothing.
func brennerNames(l brenner.Layout) map[string]byte {
	names := map[string]byte{"O-O": 4, "O-O-O": 5, "g6": 6, "g7": 7, "0-1": 1, "1/2": 3, "1-0": 2}
	unassigned := 0
	for b := range 256 {
		m, name := l.Meaning(byte(b)), ""
		switch kind := string("?KQNBRP"[m.Kind]); m.Class {
		case brenner.PrefixByte:
			name = fmt.Sprintf("=%s%d", kind, m.Number)
		case brenner.UnknownResult:
			name = "*"
		case brenner.Unassigned:
			unassigned++
			name = fmt.Sprintf("u%d", unassigned)
		case brenner.MoveByte:
			switch m.Kind {
			case chess.Pawn:
				name = fmt.Sprintf("P%d%c", m.Number, "sdrl"[m.Pawn])
			case chess.Knight:
				name = fmt.Sprintf("N%d%d", m.Number, m.Direction)
			case chess.King:
				name = fmt.Sprintf("K%d", m.Direction)
			default:
				name = fmt.Sprintf("%s%d%d%d", kind, m.Number, m.Direction, m.Steps)
			}
		}
		if name != "" {
			names[name] = byte(b)
		}
	}
	return names
}

// brennerTail follows an error: nothing may come of it but the end.
const brennerTail = " N02 g6 {1-0} K0 1-0"

// brennerGames are games by hand for ply11_brenner, which looks at no other piece than the one that moves: pieces jump
// and take their own. A position, with the side and the en passant file, stands before a semicolon; its kings are on e1
// and e8. !4 is an error of code 4 at the byte; after it, brennerTail comes, and not after ~4.
func brennerGames() []string {
	const seventh = "P4d P3d P4l P2s P4l P7s P4l P0s " // the pawn of the e-file stands before a8
	games := strings.Split(strings.TrimSpace(`
N06!4
K6!4
P0l!4
P4d P0r!4
P4d P3d P4l P7s P7s P3s!1
P4d P7s P4s P3d P4l P0s P7s P3s!1
P4d P3d P4s P7s P4l P0s P7s P3s *
=Q1 Q021!1
=Q0 K2!7
=Q0 =Q0!7
N02 =Q0 g6!7
g6!7
N02 g6 g7 g7!7
N02 g6 g7 N06 g7 1/2
{}!7
{abc} N02 {} N06 0-1
`+seventh+`=Q0 P4l!7
`+seventh+`=Q1 P4l 1-0
=Q1 P4d!4
P0s O-O O-O-O P0s 1-0
P3d P3d P4d P4d 0-1
bad; 0-1!9
N02 0-1
bad; 1/2!9
N02 1/2
bad; 1-0!9
N02 1-0
bad; *!9
N02 *
w0 Ra1 Rh1 ra8 Pb7; =Q0 P0l K6 O-O K2 R021 R001!1
P0d P0d N02 R061 1/2
w0 Rh1 ba6; O-O B075 K4 K6 R001!1
w0 Na3 Nb3 Nc3 Nd3 Ne3; N02!9
w0 Pa3 Pb3 Pc3 Pd3 Pe3 Pf3 Pg3 Ph3 Pa4; {}!9
w0 Qa3 Nb3 Bc3 Rd3 Qe3 Nf3 Bg3 Rh3; =Q1 Q021 0-1
b0 Qa3 Nb3 Bc3 Rd3 Qe3 Nf3 Bg3 Rh3 Qa4 Nb4 Bc4 Rd4 Qe4 Nf4 Bg4 Rh4 qa5 nb5 bc5 rd5 qe5 nf5 bg5 rh5 `+
		`qa6 nb6 bc6 rd6 qe6 nf6 bg6 rh6 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2; =Q1 Q021 0-1
b5 Pe4 pd4; P0l K4 K4 P0s!1
b5 Pe4 Ne3 pd4; P0l K4 K4 P0s K0 N02!1
w3 pc5 Pb5; P0r P0s!1
w3 pc5 nc6 Pb5; P0r P0s *
w0 Pg5 ph5; P0r P0s 0-1
b0 pg4 Ph4; P0l P0s 0-1`), "\n")
	for k := 1; k < 8; k++ {
		games = append(games, fmt.Sprintf("N02 u%d!6", k))
	}
	rng := rand.New(rand.NewPCG(3, 15))
	add := func(format string, args ...any) { games = append(games, fmt.Sprintf(format, args...)) }
	// Promotion to each number of each kind, and the first move of the new piece.
	for i, kind := range "NBRQ" {
		for n := range 4 {
			if text := fmt.Sprintf("%s=%c%d P4l", seventh, kind, n); n < 2-i/3 {
				add("%s!7", text)
			} else {
				add("%s P5s =%c%d %s 1-0", text, kind, n, [4]string{"N07", "B071", "R061", "Q061"}[i])
			}
		}
	}
	// Castling, with a king who is away from home by one bit of his square.
	for k := range 6 {
		for side, pieces := range []string{"Ra1 Rh1 .e1 K", "ra8 rh8 .e8 k"} {
			add("%c0 %s%v; %s!5", "wb"[side], pieces, chess.Square(4+56*side)^1<<k, []string{"O-O", "O-O-O"}[k&1])
		}
	}
	for k := range 16 { // each file twice, with another crowd
		file := k % 8
		for side := range 2 {
			mine, other := "Pp"[side], "pP"[side]
			// Knights go beside a pawn that stepped twice, to its file: they take nobody.
			if file == 3 || file == 5 {
				add("%c0 %c%c%d %ce%d; P0d N0%d K4 K4 P0s 1/2", "bw"[side], "Nn"[side], 'a'+file, 5-side, other,
					7-5*side, [][]int{{7, 6}, {2, 3}}[side][file/4])
			}
			for by := file - 1; by <= file+1; by += 2 {
				if by < 0 || by > 7 {
					continue
				}
				take, wait := []string{"P0r", "P0l"}[(by-file+1)/2^side], ""
				if by%2 == 1 {
					wait = "K4 K4 "
				}
				// En passant at once, with others on the rank that was passed; every other time one of them on that
				// square, where he falls instead.
				crowd, end := "", "P0s!1"
				for k := range 8 {
					there := rng.IntN(2) == 0
					if k == file {
						if there = (file^file>>1^side)&1 == 1 != (by > file); there {
							end = "P0s 0-1"
						}
					}
					if there {
						crowd += fmt.Sprintf(" %c%c%d", "nNbB"[side+k/4*2], 'a'+k, 6-3*side)
					}
				}
				add("%c%d%s %c%c%d %c%c%d; %s %s%s", "wb"[side], file+1, crowd, other, 'a'+file, 5-side, mine, 'a'+by,
					5-side, take, wait, end)
				// The same after the double step itself; now and then the step was a king's, to that file, and he who
				// is captured stands where the pawn would have passed.
				if file>>1&1 != side {
					add("%c0 %c%c%d %c%c%d; P0d %s P0s!1", "bw"[side], mine, 'a'+by, 5-side, other, 'a'+file, 7-5*side,
						take)
					continue
				}
				from, step := file-1, "K0"
				if file == 0 {
					from, step = 1, "K4"
				}
				add("%c0 %c%c%d %c%c%d %c%c%d .e%d %c%c%d; %s %s P0s 1-0", "bw"[side], mine, 'a'+by, 5-side, other,
					'a'+file, 5-side, "nN"[side], 'a'+file, 6-3*side, 8-7*side, "kK"[side], 'a'+from, 8-7*side, step,
					take)
			}
		}
	}
	return append(games, brennerQueens()...)
}

// brennerQueens are games in which a queen leaves the board in each direction, to each distance, from each file or
// rank, and one in which she goes everywhere.
func brennerQueens() (games []string) {
	files, ranks := [8]int{1, 1, 0, -1, -1, -1, 0, 1}, [8]int{0, 1, 1, 1, 0, -1, -1, -1}
	// The other coordinate comes to the edge, or has this number.
	inside := func(step, to, at, number int) bool {
		return step == 0 && at == number&7 || step != 0 && to == 7*(step+1)/2
	}
	for k := range 64 * 8 * 7 * 2 {
		far, dir, file, rank, side := k%7+1, k/7%8, k/56%8, k/448%8, k/3584
		tf, tr := file+far*files[dir], rank+far*ranks[dir]
		outF, outR := tf&^7 != 0, tr&^7 != 0
		if outF == outR || outF && !inside(ranks[dir], tr, rank, tf+dir) ||
			outR && !inside(files[dir], tf, file, tr+dir) {
			continue
		}
		text := []string{"", "P0s "}[side]
		for i, n := range [2]int{rank - 7*side, file - 3} {
			if n > 0 {
				text += fmt.Sprintf("Q0%d%d P0s ", 2-2*i, n)
			} else if n < 0 {
				text += fmt.Sprintf("Q0%d%d P%ds ", 6-2*i, -n, 7*i)
			}
		}
		games = append(games, fmt.Sprintf("%sQ0%d%d~4 0-1", text, dir, far))
	}
	// Black's knight is on a8 and b6 in turn.
	text, file, rank, rng := "w0 Qd1 na8;", 3, 0, rand.New(rand.NewPCG(1, 1))
	for k := 0; k < 800; {
		dir, far := rng.IntN(8), 1+rng.IntN(7)
		tf, tr := file+far*files[dir], rank+far*ranks[dir]
		if (tf|tr)&^7 != 0 || tf == 0 && tr == 7 || tf == 1 && tr == 5 {
			continue
		}
		file, rank = tf, tr
		text += fmt.Sprintf(" Q0%d%d N0%d", dir, far, 7-4*(k&1))
		k++
	}
	return append(games, text+" *")
}

// brennerGame adds one of brennerGames in a layout, with the names of its bytes.
func (l *list) brennerGame(layout brenner.Layout, names map[string]byte, text string) {
	load, bad := (*oracle.State)(nil), false
	before, moves, loaded := strings.Cut(text, ";")
	if !loaded {
		moves = text
	} else if bad = before == "bad"; bad {
		load = new(oracle.State)
	} else {
		load = &oracle.State{EP: before[1] - '0', Side: (before[0]&1 ^ 1)}
		for _, piece := range strings.Fields("w0 Ke1 ke8 " + before[2:])[1:] {
			kind := chess.Piece(0)
			if piece[0] != '.' {
				kind = chess.NewPiece(chess.Color(piece[0]>>5&1), chess.KindOf(piece[0]|32))
			}
			load.Put(must(chess.ParseSquare(piece[1:])), kind)
		}
	}
	l.game(load, bad)
	var data, plies []byte
	var ops []oracle.Op
	known := load == nil
	wrong := false
	fields := strings.Fields(moves)
	for i := 0; i < len(fields); i++ {
		name, code, _ := strings.Cut(strings.Replace(fields[i], "~", "!", 1), "!")
		b, isByte := names[name]
		if isByte {
			data = append(data, b)
		} else if name[0] == '{' {
			data = append(append(append(data, 0), name[1:len(name)-1]...), 0)
		} else {
			panic(fmt.Errorf("%s: there is no byte %s", text, name))
		}
		class := layout.Meaning(b).Class
		result := isByte && (class == brenner.ResultByte || class == brenner.UnknownResult)
		ply := isByte && !wrong && (class == brenner.MoveByte || class == brenner.CastlingByte)
		op := oracle.Op{Kind: oracle.BeatPly, Index: anyIndex, Offset: int64(len(data) - 1)}
		if ply || isByte && class == brenner.PrefixByte {
			plies = append(plies, b)
		}
		switch {
		case code != "":
			wrong = true
			op.Kind, op.Index, op.Codes = oracle.BeatError, 0, 1<<must(strconv.Atoi(code))
			if code == "9" {
				op.Offset = 0
			}
			ops = append(ops, op)
			if !result && strings.Contains(fields[i], "!") {
				fields = append(fields[:i+1:i+1], strings.Fields(brennerTail)...)
			}
		case ply:
			if words, _, err := layout.DecodeIndices(nil, plies); known && err == nil {
				op.Index = words[len(words)-1]
			} else {
				known = false
			}
			ops = append(ops, op)
		}
		if result {
			end := oracle.Op{Kind: oracle.BeatEnd, Offset: int64(len(data) - 1),
				Codes: 1 << (layout.Meaning(b).Result - moveindex.ResultBlackWins)}
			ops = append(ops, end, oracle.Op{Kind: oracle.BeatNew, Offset: end.Offset})
		}
	}
	l.brenner(layout, data, ops)
}
