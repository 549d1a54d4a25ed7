// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"slices"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

func shortGames(t *testing.T, n, plies int) []*game.Game {
	t.Helper()
	var all []*game.Game
	if n > 500 {
		eachGame(t, edgePGN, 0, func(_ int, g *game.Game) { all = append(all, g) })
	}
	for i := len(all); i < n; i++ {
		g := game.New()
		g.Result = []game.Result{game.WhiteWins, game.BlackWins, game.Draw, game.Unknown}[i%4]
		var b game.Builder
		b.Reset(g)
		r := sim.Random(i)
		pos := position.Start()
		for range plies/2 + int(r.Next()%uint64(plies/2)) {
			var buf [256]chess.Move
			list := pos.LegalMoves(buf[:0])
			if len(list) == 0 {
				break
			}
			m := list[r.Next()%uint64(len(list))]
			b.Move(m)
			pos.Make(m)
		}
		all = append(all, g)
	}
	return all[:n]
}

// wordFault damages the words of a game, by the game's number.
func wordFault(r *sim.Random, what int, words []moveindex.Index, g *game.Game) []moveindex.Index {
	words = slices.Clone(words)
	at := int(r.Next() % uint64(len(words)))
	insert := func(w ...moveindex.Index) { words = slices.Insert(words, at, w...) }
	switch what % 12 {
	case 0, 1, 2, 3, 4:
		// A move that the board refuses for a reason, in the place of a move of the main line.
		fault := oracle.Fault(what%12 + 1)
		s, n := oracle.NewState(&g.Start), 0
		var line []moveindex.Index
		for _, p := range oracle.Plies(g) {
			line = append(line, p.Index)
		}
		for n < len(line) && n < 4+what%40 {
			s.Play(line[n])
			n++
		}
		if g.Plain() && g.Start == position.Start() && n < len(line) {
			for range 20000 {
				i := moveindex.Index(r.Next() % moveindex.NumMoves)
				if fault == oracle.FaultCastling {
					i = oracle.Castling(chess.Color(s.Side), r.Next()%2 == 0)
				}
				if s.Check(i) == fault {
					words[n] = i
					break
				}
			}
		} else {
			insert(moveindex.Index(r.Next() % 2048))
		}
	case 5:
		insert(moveindex.FirstReserved + moveindex.Index(r.Next()%37))
	case 6:
		insert([]moveindex.Index{moveindex.VariationStart, moveindex.VariationEnd, moveindex.Start,
			moveindex.ResultDraw}[r.Next()%4])
	case 7:
		insert(moveindex.NAG, 256+moveindex.Index(r.Next()%1000))
	case 8:
		record, err := bitstream.AppendStart(nil, &g.Start)
		if err == nil {
			for range 1 + r.Next()%3 {
				record[1+r.Next()%26] ^= 1 << (r.Next() % 11)
			}
			words = append(record, words...)
		}
		if r.Next()%4 == 0 {
			// Of Chess960: the hardware passes over its words.
			words = slices.Insert(words, 0, moveindex.Start960)
			for range bitstream.Start960Words {
				words = slices.Insert(words, 1, moveindex.Index(r.Next()%2047))
			}
		}
	case 9: // random words
		for range 1 + r.Next()%8 {
			insert(moveindex.Index(r.Next() % 2048))
		}
	case 10: // variations within each other
		if g.Start == position.Start() {
			at = 0
		}
		for range 12 {
			insert(moveindex.Null, moveindex.VariationStart)
		}
	case 11: // cut off
		words = words[:at]
	}
	return words
}

// testFaults: the hardware finds the error of the software, at its byte, in random bytes, truncations and illegal
// moves, holds the position, and plays the next game.
func testFaults(t *testing.T, hs *Harnesses, tool string) {
	n, plies, streams := 100, 12, 1
	if tool == ToolVerilator {
		n, plies, streams = 1200, 60, sim.Narrow
	}
	for _, codec := range crossed() {
		if codec.setup.width != 8 {
			continue
		}
		make, wanted := codec.faults()
		if codec.setup.depth > 0 && codec.mode != oracle.ModeBrenner {
			wanted = append(wanted, 10)
		}
		var feeds []feed
		games := shortGames(t, n, plies)
		for k := range streams {
			o := oracle.New(oracle.Params{Depth: codec.setup.depth})
			var part []numbered
			for i := k; i < n; i += streams {
				part = append(part, numbered{games[i], i/streams%2 == 0, i/streams/2*streams + k})
			}
			feeds = append(feeds, newFeed(o, make(t, o, k, part)))
		}
		found := playFeeds(t, hs, codec, []string{tool}, feeds...).errors
		for _, c := range wanted {
			if found[c] == 0 {
				t.Errorf("%s: no error %d", codec.Name, c)
			}
		}
	}
}

type numbered struct {
	*game.Game
	damage bool
	number int
}

// faults returns what makes a stream of games for the codec, some of which are damaged, and which errors must come of
// them.
func (codec Codec) faults() (func(t *testing.T, o *oracle.Oracle, stream int, games []numbered) []byte, []int) {
	switch codec.mode {
	case oracle.ModeWords:
		return wordFaults, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11}
	case oracle.ModeBrenner:
		return func(t *testing.T, o *oracle.Oracle, stream int, games []numbered) []byte {
			return brennerFaults(t, o, brenner.Layout(codec.setup.layout), stream, games)
		}, []int{1, 3, 4, 5, 6, 7}
	}
	return func(t *testing.T, o *oracle.Oracle, stream int, games []numbered) []byte {
		return joseFaults(t, o, jose.Dialect(codec.setup.dialect), stream, games)
	}, []int{1, 3, 4, 5, 6, 7, 8, 9}
}

func wordFaults(t *testing.T, o *oracle.Oracle, stream int, games []numbered) []byte {
	var all []moveindex.Index
	r := sim.Random(11 + stream)
	for _, g := range games {
		words, err := bitstream.AppendGame(nil, g.Game)
		edatest.Must(t, err)
		if g.damage {
			all = append(all, wordFault(&r, g.number, words, g.Game)...)
		}
		all = append(all, words...)
	}
	o.Words(all)
	return packWords(all)
}

// packWords fills up with ones.
func packWords(words []moveindex.Index) []byte {
	data := make([]byte, bitstream.PackedLen(len(words)))
	bitstream.Pack(data, 0, words)
	if used := 11 * len(words) % 8; used != 0 {
		data[len(data)-1] |= 0xff << used
	}
	return append(data, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
}

// knightOut is 1. Nf3 a6.
var knightOut = func() (line []moveindex.Index) {
	for _, m := range []chess.Move{chess.NewMove(chess.G1, chess.F3), chess.NewMove(chess.A7, chess.A6)} {
		i, _ := moveindex.Of(m)
		line = append(line, i)
	}
	return line
}()

func brennerFaults(t *testing.T, o *oracle.Oracle, l brenner.Layout, stream int, games []numbered) []byte {
	var data []byte
	e := newBrennerEncoder(l)
	r := sim.Random(12 + int(l) + 4*stream)
	var meant [16][]byte
	for b := range 256 {
		c := l.Meaning(uint8(b)).Class
		meant[c] = append(meant[c], byte(b))
	}
	pick := func(c brenner.Class) byte { return meant[c][r.Next()%uint64(len(meant[c]))] }
	for _, g := range games {
		one, h, err := e.encode(nil, newCrossGame(0, shorten(g.Game)))
		if err != nil || h.load {
			continue // the software knows no start position
		}
		if g.damage {
			d := slices.Clone(one)
			at := int(r.Next() % uint64(len(d)))
			switch g.number % 8 {
			case 0:
				d = slices.Insert(d, at, pick(brenner.Unassigned))
			case 1:
				d = slices.Insert(d, at, pick(brenner.PrefixByte))
			case 2:
				d = slices.Insert(d, at, pick(brenner.GlyphByte), pick(brenner.GlyphByte), pick(brenner.GlyphByte))
			case 3:
				d = d[:at]
			case 4:
				for range 1 + r.Next()%8 {
					d = slices.Insert(d, at, byte(r.Next()))
				}
			case 5:
				d = slices.Insert(d, at, pick(brenner.CastlingByte))
				if at%2 == 0 { // the bishop stands between
					moves, _, err := l.EncodeIndices(nil, knightOut)
					edatest.Must(t, err)
					d = append(moves, 4, 1)
				}
			case 6:
				if at%2 == 0 {
					d = append([]byte{0, 0}, d...)
					break
				}
				// The third queen, who is not there.
				for b := range 256 {
					if m := l.Meaning(uint8(b)); m.Class == brenner.PrefixByte && m.Kind == chess.Queen &&
						m.Number == 3 {
						d = append([]byte{uint8(b)}, d...)
					}
				}
				for b := range 256 {
					if m := l.Meaning(uint8(b)); m.Class == brenner.MoveByte && m.Kind == chess.Queen {
						d = slices.Insert(d, 1, uint8(b))
						break
					}
				}
			default:
				for range 1 + r.Next()%3 {
					d[r.Next()%uint64(len(d))] = pick(brenner.MoveByte)
				}
			}
			if oracle.New(oracle.Params{}).Brenner(l, d) {
				d = append(d, 0) // else texts and moves are exchanged in all that follows
			}
			data = append(data, d...)
		}
		data = append(data, one...)
	}
	o.Brenner(l, data)
	return data
}

func joseFaults(t *testing.T, o *oracle.Oracle, d jose.Dialect, stream int, all []numbered) []byte {
	var games []joseGame
	for _, g := range all {
		list := encodeJose(d, []*game.Game{g.Game})
		if list == nil {
			continue // what has no number
		}
		sound := list[0]
		if g.damage {
			bad := []joseGame{sound}
			if g.number%4 == 3 {
				bad = randomJose(d, 1, uint64(g.number))
			}
			bad = damagedJose(d, bad, uint64(g.number), uint64(len(sound.data)))
			switch g.number % 16 {
			case 1: // null moves and variations, each in the one before
				bad[0].data = append(bytes.Repeat([]byte{0x9a, 0xf0}, 12), 0xff)
			case 6: // castling with the bishop between
				moves, _, err := d.EncodeIndices(nil, knightOut)
				edatest.Must(t, err)
				bad[0] = joseGame{position.Start(), append(moves[:len(moves)-1], 0x98, 0xd2, 0xff)}
			case 11: // a second byte of 0
				bad[0].data = append([]byte{0xa0 + byte(g.number>>4&7), 0}, bad[0].data...)
			}
			games = append(games, bad...)
		}
		games = append(games, sound)
	}
	return joseStream(o, d, games, stream, 50)
}

// joseStream puts games together; one in so many, if not 0, has a start position that is malformed.
func joseStream(o *oracle.Oracle, d jose.Dialect, games []joseGame, stream, malformed int) (data []byte) {
	for i, g := range games {
		switch n := stream + i; {
		case malformed > 0 && n%malformed == 10:
			s := oracle.NewState(&g.start)
			s.Put(chess.Square(n%64), 7) // no piece
			o.LoadRefused(s)
		case g.start != position.Start():
			o.Load(&g.start)
		}
		data = append(data, g.data[:o.Jose(d, g.data)]...)
	}
	return data
}

func TestFaultsNetlist(t *testing.T) {
	testenv.Slow(t)
	testFaults(t, new(Harnesses), ToolVerilator)
}
