// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/codec"
	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// shortGames are some games, cut to a few plies so that there is room for many.
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

// wordFault damages the words of a game; what is the number of the game.
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
		insert(2009 + moveindex.Index(r.Next()%38))
	case 6:
		insert([]moveindex.Index{moveindex.VariationStart, moveindex.VariationEnd, moveindex.Start, moveindex.ResultDraw}[r.Next()%4])
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

// playFaults plays a stream over a link, and what the oracle says must come.
func playFaults(t *testing.T, hs *Harnesses, codec Codec, tools []string, data []byte, o *oracle.Oracle) (errors [16]int) {
	t.Helper()
	p, err := newPlayer(t.Context(), codec, hs.of(codec, tools))
	if err != nil {
		t.Fatal(err)
	}
	p.streams = p.streams[:1]
	p.streams[0].loads, p.streams[0].ended = o.Loads(), true
	p.streams[0].push(data, o.Beats())
	p.run(t.Context())
	var ends []End
	if p.link != nil {
		if ends, err = p.link.Close(); err != nil {
			t.Error(failure(err))
		}
	}
	if p.mismatch != nil {
		w := oracle.Beat{}
		if s := &p.streams[0]; s.wantAt < len(s.wants) {
			w = s.wants[s.wantAt]
		}
		t.Errorf("%s: %v\nwant %+v", codec.Name, p.mismatch, w)
	}
	for _, e := range ends {
		if e.Difference != nil {
			t.Errorf("%s: %v", codec.Name, e.Difference)
		}
	}
	t.Logf("%s: %d games, %d beats, %d clocks, errors by code %v", codec.Name, o.Games(), len(o.Beats()), p.m.Clock(), p.errors)
	return p.errors
}

// testFaults: random bytes, truncations and illegal moves. The hardware tells the error that the software
// tells, with the byte in which it is, holds the position, and plays the next game.
func testFaults(t *testing.T, hs *Harnesses, tool string) {
	n, plies := 100, 12
	if tool == ToolVerilator {
		n, plies = 1200, 60
	}
	for _, codec := range crossed() {
		if codec.setup.width != 8 {
			continue
		}
		o := oracle.New(oracle.Params{Depth: codec.setup.depth})
		var data []byte
		wanted := []int{1, 3, 4, 5, 6, 7}
		switch {
		case codec.mode == oracle.ModeWords:
			data = wordFaults(t, o, n, plies)
			wanted = []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
			if codec.setup.depth > 0 {
				wanted = append(wanted, 10)
			}
		case codec.mode == oracle.ModeBrenner:
			data = brennerFaults(t, o, brenner.Layout(codec.setup.layout), n, plies)
		default:
			data = joseFaults(t, o, jose.Dialect(codec.setup.dialect), n, plies)
			wanted = []int{1, 3, 4, 5, 6, 7, 8, 9}
			if codec.setup.depth > 0 {
				wanted = append(wanted, 10)
			}
		}
		found := playFaults(t, hs, codec, []string{tool}, data, o)
		for _, c := range wanted {
			if found[c] == 0 {
				t.Errorf("%s: no error %d", codec.Name, c)
			}
		}
	}
}

// wordFaults makes a stream, every second game of which is damaged, and verifies that the software finds
// what the oracle says.
func wordFaults(t *testing.T, o *oracle.Oracle, n, plies int) []byte {
	var all []moveindex.Index
	r := sim.Random(11)
	for i, g := range shortGames(t, n, plies) {
		words, err := bitstream.AppendGame(nil, g)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			damaged := wordFault(&r, i/2, words, g)
			sameError(t, damaged, i)
			all = append(all, damaged...)
		}
		all = append(all, words...)
	}
	o.Words(all)
	data := make([]byte, bitstream.PackedLen(len(all)))
	bitstream.Pack(data, 0, all)
	if used := 11 * len(all) % 8; used != 0 {
		data[len(data)-1] |= 0xff << used
	}
	return append(data, 0xff, 0xff)
}

// sameError compares the oracle's first error in a game with that of the software codec.
func sameError(t *testing.T, words []moveindex.Index, n int) {
	t.Helper()
	o := oracle.New(oracle.Params{})
	o.Words(words)
	at, code := -1, 0
	for _, w := range o.Beats() {
		if w.Kind == oracle.BeatError {
			at = int(w.Offset)
			for code = 1; w.Codes>>code&1 == 0; code++ {
			}
			break
		}
		if w.Kind == oracle.BeatEnd {
			break
		}
	}
	var g game.Game
	_, err := bitstream.DecodeGame(words, &g)
	var we *codec.Error
	if !errors.As(err, &we) {
		if at >= 0 {
			t.Errorf("game %d: the oracle has error %d at byte %d, the codec %v", n, code, at, err)
		}
		return
	}
	place := int(we.Offset * 11 / 8)
	kinds := map[error][]int{
		position.ErrIllegal: {1, 2, 3, 4, 5}, codec.ErrReserved: {6}, codec.ErrGrammar: {7},
		codec.ErrNAG: {8}, codec.ErrStart: {9},
	}
	for kind, list := range kinds {
		if at == place && errors.Is(err, kind) {
			if !slices.Contains(list, code) {
				t.Errorf("game %d: byte %d: the oracle has error %d, the codec %v", n, at, code, err)
			}
			return
		}
	}
	// The software looks at more: lines blocked, check, what is in variations, texts, and the rules for start positions.
	lenient := errors.Is(err, position.ErrIllegal) || errors.Is(err, codec.ErrText) || errors.Is(err, codec.ErrStart) || errors.Is(err, codec.ErrTruncated)
	if !lenient || at >= 0 && at < place {
		t.Errorf("game %d: the oracle has error %d at byte %d, the codec %v at byte %d", n, code, at, err, place)
	}
}

// knightOut is 1. Nf3 a6.
var knightOut = func() (line []moveindex.Index) {
	for _, m := range []chess.Move{chess.NewMove(chess.G1, chess.F3), chess.NewMove(chess.A7, chess.A6)} {
		i, _ := moveindex.Of(m)
		line = append(line, i)
	}
	return line
}()

// brennerFaults makes a stream of games, every second one of which is damaged.
func brennerFaults(t *testing.T, o *oracle.Oracle, l brenner.Layout, n, plies int) []byte {
	var data []byte
	e := newBrennerEncoder(l)
	r := sim.Random(12 + l)
	var meant [16][]byte
	for b := range 256 {
		c := l.Meaning(uint8(b)).Class
		meant[c] = append(meant[c], byte(b))
	}
	pick := func(c brenner.Class) byte { return meant[c][r.Next()%uint64(len(meant[c]))] }
	for i, g := range shortGames(t, n, plies) {
		one, h, err := e.encode(nil, newCrossGame(0, shorten(g)))
		if err != nil || h.load {
			continue // the software knows no start position
		}
		if i%2 == 0 {
			d := slices.Clone(one)
			at := int(r.Next() % uint64(len(d)))
			switch i / 2 % 8 {
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
					if err != nil {
						t.Fatal(err)
					}
					d = append(moves, 4, 1)
				}
			case 6:
				if at%2 == 0 {
					d = append([]byte{0, 0}, d...)
					break
				}
				// The third queen, who is not there.
				for b := range 256 {
					if m := l.Meaning(uint8(b)); m.Class == brenner.PrefixByte && m.Kind == chess.Queen && m.Number == 3 {
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

// joseFaults makes a stream of games with their start positions, every second one of which is damaged.
func joseFaults(t *testing.T, o *oracle.Oracle, d jose.Dialect, n, plies int) []byte {
	var games []joseGame
	for i, g := range joseGames(t, d, shortGames(t, n, plies)) {
		if i%2 == 0 {
			bad := []joseGame{g}
			if i%8 == 6 {
				bad = randomJose(d, 1, uint64(i))
			}
			bad = damagedJose(d, bad, uint64(i), uint64(len(g.data)))
			switch i % 32 {
			case 2: // null moves and variations, each in the one before
				bad[0].data = append(bytes.Repeat([]byte{0x9a, 0xf0}, 12), 0xff)
			case 12: // castling with the bishop between
				moves, _, err := d.EncodeIndices(nil, knightOut)
				if err != nil {
					t.Fatal(err)
				}
				bad[0] = joseGame{position.Start(), append(moves[:len(moves)-1], 0x98, 0xd2, 0xff)}
			case 22: // a second byte of 0
				bad[0].data = append([]byte{0xa0 + byte(i>>5&7), 0}, bad[0].data...)
			}
			games = append(games, bad...)
		}
		games = append(games, g)
	}
	return joseStream(o, d, games, 50)
}

// joseStream puts games together, with their start positions; one in so many has one that is malformed.
func joseStream(o *oracle.Oracle, d jose.Dialect, games []joseGame, malformed int) (data []byte) {
	for i, g := range games {
		switch {
		case malformed > 0 && i%malformed == 10:
			s := oracle.NewState(&g.start)
			s.Put(chess.Square(i%64), 7) // no man
			o.LoadRefused(s)
		case g.start != position.Start():
			o.Load(&g.start)
		}
		data = append(data, g.data[:o.Jose(d, g.data)]...)
	}
	return data
}

// TestFaultsModel is TestCross' faults without a simulator.
func TestFaultsModel(t *testing.T) {
	testFaults(t, new(Harnesses), ToolIcarus)
}
