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
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
)

// An oracle says what ply11_player must give for a stream, sound or not, from what the software codec reads of
// it and the predicate that ply11_board documents (State.Check), not from the player's model.
type oracle struct {
	depth  int // variations that are played
	wants  []beatWant
	ends   int
	loads  []startLoad
	inText bool // the stream ends inside a text of Brenner's
	state  sim.State
	before sim.State // before the last ply of the line
	stack  [][2]sim.State
	bad    bool
	game   int32
	ply    int32
}

func newOracle(depth int) *oracle { return &oracle{depth: depth, state: sim.Initial(), game: 1} }

func codes(list ...sim.Fault) (mask uint16) {
	for _, c := range list {
		mask |= 1 << c
	}
	return mask
}

// fail is an error at a byte; only the first of a game is shown, and the position is held.
func (o *oracle) fail(offset int64, mask uint16) {
	if o.bad {
		return
	}
	o.bad = true
	held := o.state
	o.wants = append(o.wants, beatWant{kind: sim.BeatError, codes: mask, offset: offset, game: o.game, ply: o.ply + 1, state: &held})
}

// move is a move that a codec has read; also says which codes the codec would have given besides.
func (o *oracle) move(offset int64, i moveindex.Index, also uint16) {
	if o.bad {
		return
	}
	old := o.state
	if _, _, fault := o.state.Play(i); fault != sim.NoFault {
		o.fail(offset, 1<<fault|also)
		return
	}
	o.before = old
	o.ply++
	after := o.state
	o.wants = append(o.wants, beatWant{kind: sim.BeatPly, index: i, depth: uint8(len(o.stack)), offset: offset, game: o.game, ply: o.ply, state: &after})
}

// open and shut follow a variation.
func (o *oracle) open(offset int64) bool {
	if o.depth == 0 {
		return true
	}
	if len(o.stack) == o.depth {
		o.fail(offset, codes(sim.FaultDepth))
		return false
	}
	if !o.bad {
		o.stack = append(o.stack, [2]sim.State{o.state, o.before})
		o.state = o.before
	}
	return true
}

func (o *oracle) shut() {
	if n := len(o.stack); n > 0 && !o.bad {
		o.state, o.before = o.stack[n-1][0], o.stack[n-1][1]
		o.stack = o.stack[:n-1]
	}
}

// end is the end of a game.
func (o *oracle) end(offset int64, result uint8) {
	o.wants = append(o.wants, beatWant{kind: sim.BeatEnd, result: result, offset: offset, game: o.game, ply: o.ply + 1})
	o.ends++
	o.state, o.before, o.stack, o.bad = sim.Initial(), sim.Initial(), nil, false
	o.game++
	o.ply = 0
}

// words follows the grammar of the flat stream as ply11_words documents it.
func (o *oracle) words(list []moveindex.Index) {
	inGame, hasMove, nest := false, false, 0
	operand, left, skip := 0, 0, false
	var record []moveindex.Index
	const text, textLength, nag, start = 1, 2, 3, 4
	fail := func(at int64, code sim.Fault) {
		if !skip {
			o.fail(at, codes(code))
		}
		skip = true
	}
	for n, w := range list {
		at := int64(n) * 11 / 8
		if w == moveindex.Idle {
			continue
		}
		switch operand {
		case textLength:
			operand, left = text, (8*int(w)+10)/11
			if left == 0 {
				operand = 0
			}
			continue
		case text:
			if left--; left == 0 {
				operand = 0
			}
			continue
		case nag:
			if operand = 0; w > 255 {
				fail(at, sim.FaultOperand)
			}
			continue
		case start:
			if record = append(record, w); len(record) == bitstream.StartWords {
				operand = 0
				s, ok := startOf(record)
				if !skip && !o.bad && ok {
					o.state, o.before = s, s
				}
				if !ok {
					fail(at, sim.FaultStart)
				}
			}
			continue
		}
		front := !inGame
		inGame = true
		switch {
		case w < moveindex.NumMoves || w == moveindex.Null:
			hasMove = true
			if !skip && (nest == 0 || o.depth > 0) {
				o.move(at, w, 0)
			}
		case w <= moveindex.ResultUnknown && w >= moveindex.ResultBlackWins:
			if nest > 0 {
				fail(at, sim.FaultPlace)
			}
			o.end(at, uint8(w-moveindex.ResultBlackWins))
			inGame, hasMove, nest, skip = false, false, 0, false
		case w == moveindex.VariationStart:
			switch {
			case !hasMove || nest == 255:
				fail(at, sim.FaultPlace)
			case !skip && !o.open(at):
				skip = true
			}
			nest = min(nest+1, 255)
			hasMove = false
		case w == moveindex.VariationEnd:
			if !hasMove || nest == 0 {
				fail(at, sim.FaultPlace)
			}
			nest = max(nest-1, 0)
			hasMove = true
			if !skip {
				o.shut()
			}
		case w == moveindex.Text:
			operand = textLength
		case w == moveindex.NAG:
			operand = nag
		case w == moveindex.Start:
			if !front {
				fail(at, sim.FaultPlace)
			}
			operand, record = start, nil
		case w > moveindex.Start:
			fail(at, sim.FaultCode)
		}
	}
}

// startOf reads a start record as the board loads it, and says whether it is well-formed.
func startOf(record []moveindex.Index) (s sim.State, ok bool) {
	bit := func(n int) uint64 { return uint64(record[n/11]) >> (n % 11) & 1 }
	field := func(at, n int) (v uint64) {
		for i := range n {
			v |= bit(at+i) << i
		}
		return v
	}
	ok = true
	kings := [2]int{}
	for sq := range uint8(64) {
		man := uint8(field(4*int(sq), 4))
		s.Men[sq>>4] |= uint64(man) << (sq & 15 * 4)
		switch {
		case man&7 == 7 || man == 8:
			ok = false
		case man&7 == 1:
			kings[man>>3]++
		}
	}
	s.Side, s.Rights, s.EP = uint8(field(256, 1)), uint8(field(257, 4)), uint8(field(261, 4))
	return s, ok && s.EP <= 8 && kings == [2]int{1, 1}
}

// brenner follows the grammar of Brenner's bytes as ply11_brenner documents it; which man moves, and whether
// he can, is for the software codec.
func (o *oracle) brenner(l brenner.Layout, data []byte) *oracle {
	var moves []byte
	text, filled, glyphs, prefix := false, false, 0, -1
	for n, b := range data {
		at := int64(n)
		if text {
			if b == 0 && !filled && len(moves) == 0 {
				o.fail(at, codes(sim.FaultPlace))
			}
			text, filled = b != 0, true
			continue
		}
		m := l.Meaning(b)
		pending := prefix
		prefix = -1
		misplaced := pending >= 0 && (m.Class != brenner.MoveByte ||
			m.Kind != l.Meaning(data[pending]).Kind && m.Kind != moveindex.Pawn)
		switch m.Class {
		case brenner.ResultByte, brenner.UnknownResult:
			o.end(at, uint8(m.Result-moveindex.ResultBlackWins))
			moves, glyphs = nil, 0
			continue
		case brenner.Unassigned:
			o.fail(at, codes(sim.FaultCode))
			continue
		case brenner.TextByte:
			text, filled = true, false
		case brenner.GlyphByte:
			if glyphs++; glyphs > 2 || len(moves) == 0 {
				misplaced = true
			}
		case brenner.PrefixByte:
			if pending < 0 {
				prefix = n
			}
		}
		if misplaced {
			o.fail(at, codes(sim.FaultPlace))
			if m.Class == brenner.MoveByte || m.Class == brenner.CastlingByte {
				moves = append(moves, b)
			}
			continue
		}
		if m.Class != brenner.MoveByte && m.Class != brenner.CastlingByte {
			continue
		}
		glyphs = 0
		if pending >= 0 {
			moves = append(moves, data[pending])
		}
		moves = append(moves, b)
		if o.bad {
			continue
		}
		words, _, err := l.DecodeIndices(nil, moves)
		i := moveindex.Index(0)
		if err == nil {
			i = words[len(words)-1]
		}
		switch {
		case err == nil:
			o.move(at, i, 0)
		case errors.Is(err, brenner.ErrCastling):
			home := moveindex.Index(0)
			if o.state.Side == 1 {
				home = 1
			}
			i = castlings[home][m.Kingside]
			// The king elsewhere, no right, somebody between: one code for the codec, several for the board.
			o.fail(at, 1<<o.state.Check(i)|codes(sim.FaultCastling))
		case errors.Is(err, brenner.ErrNoMan):
			o.fail(at, codes(sim.FaultEmpty))
		case errors.Is(err, brenner.ErrOwnMan):
			o.fail(at, codes(sim.FaultOwn))
		case errors.Is(err, brenner.ErrNumberTaken):
			o.fail(at, codes(sim.FaultPlace, sim.FaultEmpty))
		case errors.Is(err, brenner.ErrOffBoard), errors.Is(err, brenner.ErrNothingToTake), errors.Is(err, brenner.ErrIllegal):
			o.fail(at, codes(sim.FaultGeometry))
		case errors.Is(err, brenner.ErrPromotion):
			o.fail(at, codes(sim.FaultGeometry, sim.FaultOwn))
		default:
			panic(err)
		}
	}
	o.inText = text
	return o
}

// castlings are the indices of castling, by side and wing.
var castlings = func() (t [2]map[bool]moveindex.Index) {
	for side, home := range [2]moveindex.Square{moveindex.E1, moveindex.E8} {
		t[side] = make(map[bool]moveindex.Index)
		for _, kingside := range []bool{false, true} {
			to := home - 2
			if kingside {
				to = home + 2
			}
			t[side][kingside], _ = moveindex.NewMove(home, to).Index()
		}
	}
	return t
}()

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
			var buf [256]moveindex.Move
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
		fault := sim.Fault(what%12 + 1)
		s, n := sim.NewState(&g.Start), 0
		var line []moveindex.Index
		for _, p := range newCrossGame(0, g).plies {
			line = append(line, p.index)
		}
		for n < len(line) && n < 4+what%40 {
			s.Play(line[n])
			n++
		}
		if g.Plain() && g.Start == position.Start() && n < len(line) {
			for range 20000 {
				i := moveindex.Index(r.Next() % moveindex.NumMoves)
				if fault == sim.FaultCastling {
					i = castlings[s.Side][r.Next()%2 == 0]
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
func playFaults(t *testing.T, hs *Harnesses, codec Codec, tools []string, data []byte, o *oracle) (errors [16]int) {
	t.Helper()
	p, err := codec.setup.player()
	if err != nil {
		t.Fatal(err)
	}
	p.In.Mode = codec.mode
	link, err := NewLink(t.Context(), p, hs.of(codec, tools)...)
	if err != nil {
		t.Fatal(err)
	}
	f := playerFeed{player: p, link: link, loads: o.loads}
	f.push(data, o.wants)
	f.finish()
	ends, err := link.Close()
	if err != nil {
		t.Error(failure(err))
	}
	if f.mismatch != nil {
		w := beatWant{}
		if f.wantAt < len(f.wants) {
			w = f.wants[f.wantAt]
		}
		t.Errorf("%s: %v\nwant %+v", codec.Name, f.mismatch, w)
	}
	for _, e := range ends {
		if e.Difference != nil {
			t.Errorf("%s: %v", codec.Name, e.Difference)
		}
	}
	t.Logf("%s: %d games, %d beats, %d clocks, errors by code %v", codec.Name, o.ends, len(o.wants), link.Now(), f.errors)
	return f.errors
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
		o := newOracle(codec.setup.depth)
		var data []byte
		wanted := []int{1, 3, 4, 5, 6, 7}
		switch {
		case codec.mode == sim.ModeWords:
			data = wordFaults(t, o, n, plies)
			wanted = []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
			if o.depth > 0 {
				wanted = append(wanted, 10)
			}
		case codec.mode == sim.ModeBrenner:
			data = brennerFaults(t, o, brenner.Layout(codec.setup.layout), n, plies)
		default:
			data = joseFaults(t, o, jose.Dialect(codec.setup.dialect), n, plies)
			wanted = []int{1, 3, 4, 5, 6, 7, 8, 9}
			if o.depth > 0 {
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
func wordFaults(t *testing.T, o *oracle, n, plies int) []byte {
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
	o.words(all)
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
	o := newOracle(0)
	o.words(words)
	at, code := -1, 0
	for _, w := range o.wants {
		if w.kind == sim.BeatError {
			at = int(w.offset)
			for code = 1; w.codes>>code&1 == 0; code++ {
			}
			break
		}
		if w.kind == sim.BeatEnd {
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
		bitstream.ErrMove: {1, 2, 3, 4, 5}, bitstream.ErrReserved: {6}, bitstream.ErrGrammar: {7},
		bitstream.ErrNAG: {8}, bitstream.ErrStart: {9},
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
	lenient := errors.Is(err, bitstream.ErrMove) || errors.Is(err, bitstream.ErrText) || errors.Is(err, bitstream.ErrStart) || errors.Is(err, codec.ErrTruncated)
	if !lenient || at >= 0 && at < place {
		t.Errorf("game %d: the oracle has error %d at byte %d, the codec %v at byte %d", n, code, at, err, place)
	}
}

// knightOut is 1. Nf3 a6.
var knightOut = func() (line []moveindex.Index) {
	for _, m := range []moveindex.Move{moveindex.NewMove(moveindex.G1, moveindex.F3), moveindex.NewMove(moveindex.A7, moveindex.A6)} {
		i, _ := m.Index()
		line = append(line, i)
	}
	return line
}()

// brennerFaults makes a stream of games, every second one of which is damaged.
func brennerFaults(t *testing.T, o *oracle, l brenner.Layout, n, plies int) []byte {
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
					if m := l.Meaning(uint8(b)); m.Class == brenner.PrefixByte && m.Kind == moveindex.Queen && m.Number == 3 {
						d = append([]byte{uint8(b)}, d...)
					}
				}
				for b := range 256 {
					if m := l.Meaning(uint8(b)); m.Class == brenner.MoveByte && m.Kind == moveindex.Queen {
						d = slices.Insert(d, 1, uint8(b))
						break
					}
				}
			default:
				for range 1 + r.Next()%3 {
					d[r.Next()%uint64(len(d))] = pick(brenner.MoveByte)
				}
			}
			if newOracle(0).brenner(l, d).inText {
				d = append(d, 0) // else texts and moves are exchanged in all that follows
			}
			data = append(data, d...)
		}
		data = append(data, one...)
	}
	o.brenner(l, data)
	return data
}

// joseFaults makes a stream of games with their start positions, every second one of which is damaged.
func joseFaults(t *testing.T, o *oracle, d jose.Dialect, n, plies int) []byte {
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
	return joseStream(t, o, d, games, 50)
}

// joseStream puts games together, with their start positions; one in so many has one that is malformed.
func joseStream(t *testing.T, o *oracle, d jose.Dialect, games []joseGame, malformed int) []byte {
	t.Helper()
	var data []byte
	var decoder jose.Decoder
	for i, g := range games {
		bad := malformed > 0 && i%malformed == 10
		if g.start != position.Start() || bad {
			s := sim.NewState(&g.start)
			s.Ply = 0
			if bad {
				row, shift := &s.Men[i%64>>4], i&15*4
				*row = *row&^(15<<shift) | 7<<shift // no man
			}
			o.loads = append(o.loads, startLoad{int64(len(data)), int64(len(o.wants)), s})
			if bad {
				_, size := joseTokens(d, g.data)
				o.state, o.game = sim.Initial(), int32(i+1)
				o.fail(int64(len(data)), codes(sim.FaultStart))
				events, _ := joseEvents(t, &decoder, d, o.depth, g, len(data))
				o.end(int64(len(data)+size-1), events[len(events)-1].result)
				data = append(data, g.data[:size]...)
				continue
			}
		}
		events, size := joseEvents(t, &decoder, d, o.depth, g, len(data))
		first := uint16(g.start.Ply())
		o.game = int32(i + 1)
		for _, e := range events {
			switch e.kind {
			case sim.BeatPly:
				s := e.state
				s.Ply -= first
				o.ply++
				o.wants = append(o.wants, beatWant{kind: sim.BeatPly, index: e.index, depth: e.depth, offset: int64(e.offset), game: o.game, ply: o.ply, state: &s})
			case sim.BeatError:
				o.fail(int64(e.offset), joseCodes(&decoder, d, o.depth, g, e.offset-len(data)))
				// What is held is what came before, or what a variation began with.
				o.wants[len(o.wants)-1].state = nil
			case sim.BeatEnd:
				o.end(int64(e.offset), e.result)
			}
		}
		data = append(data, g.data[:size]...)
	}
	return data
}

// joseCodes says which codes are right for the error at a byte of a game.
func joseCodes(decoder *jose.Decoder, d jose.Dialect, depth int, g joseGame, at int) uint16 {
	tokens, _ := joseTokens(d, g.data)
	src, from := g.data, []int(nil)
	if depth == 0 {
		src, from, _ = joseMainLine(g.data, tokens)
	}
	_, _, err := decoder.DecodeIndices(d, &g.start, nil, src)
	var werr *codec.Error
	if errors.Is(err, jose.ErrTooMany) {
		return codes(sim.FaultStart)
	}
	if errors.As(err, &werr) && int(werr.Offset) < len(src) && (from == nil && int(werr.Offset) == at || from != nil && from[werr.Offset] == at) {
		switch {
		case errors.Is(err, jose.ErrReserved):
			return codes(sim.FaultCode)
		case errors.Is(err, jose.ErrNoMan):
			return codes(sim.FaultEmpty, sim.FaultOpponent, sim.FaultGeometry) // one who was just taken is told by the board
		case errors.Is(err, jose.ErrOwnMan):
			return codes(sim.FaultOwn)
		case errors.Is(err, jose.ErrOffBoard), errors.Is(err, jose.ErrNothingToTake), errors.Is(err, jose.ErrPromotion):
			return codes(sim.FaultGeometry, sim.FaultOwn, sim.FaultEmpty)
		case errors.Is(err, jose.ErrCastling):
			return codes(sim.FaultCastling, sim.FaultOwn)
		case errors.Is(err, jose.ErrSecondByte):
			return codes(sim.FaultOperand, sim.FaultEmpty, sim.FaultGeometry)
		case errors.Is(err, jose.ErrVariation), errors.Is(err, jose.ErrResult):
			return codes(sim.FaultPlace)
		}
	}
	for _, t := range tokens {
		if t.at != at {
			continue
		}
		switch t.meaning.Class {
		case jose.VariationByte:
			return codes(sim.FaultDepth, sim.FaultPlace)
		case jose.MoveByte, jose.CastlingByte, jose.NullByte, jose.PromotionByte, jose.PromotedByte:
			if depth == 0 && t.meaning.Class == jose.PromotionByte || t.meaning.Class == jose.PromotedByte {
				return codes(sim.FaultEmpty, sim.FaultOpponent, sim.FaultOwn, sim.FaultGeometry, sim.FaultCastling, sim.FaultOperand)
			}
			return codes(sim.FaultEmpty, sim.FaultOpponent, sim.FaultOwn, sim.FaultGeometry, sim.FaultCastling)
		case jose.Reserved:
			return codes(sim.FaultCode)
		}
	}
	return codes(sim.FaultPlace)
}

// TestFaultsModel is TestCross' faults without a simulator.
func TestFaultsModel(t *testing.T) {
	testFaults(t, new(Harnesses), ToolIcarus)
}
