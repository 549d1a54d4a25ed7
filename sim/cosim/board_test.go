// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
	"ply11/testdata"
)

// A line is a game as the hardware plays it.
type line struct {
	name  string
	start position.Position
	moves []chess.Move
}

// lines reads the main lines of at most limit games that are valid.
func lines(tb testing.TB, name string, r io.Reader, limit int) []line {
	tb.Helper()
	var all []line
	for g, err := range pgn.NewReader(r, pgn.WithName(name)).All() {
		if err != nil || g == nil {
			continue
		}
		all = append(all, line{fmt.Sprintf("%s game %d", name, len(all)+1), g.Start, g.AppendMainLine(nil)})
		if len(all) == limit {
			break
		}
	}
	if len(all) == 0 {
		tb.Fatalf("%s: no games", name)
	}
	return all
}

func famousLines(tb testing.TB) []line {
	return lines(tb, "famous.pgn", strings.NewReader(testdata.Famous), 1000)
}

// fileLines reads games of the folder of real data, or of the samples.
func fileLines(tb testing.TB, limit int, parts ...string) []line {
	tb.Helper()
	name := parts[len(parts)-1]
	r, _ := datadir.Open(tb, samples.Like(name), parts...)
	return lines(tb, name, r, limit)
}

// playlist gives the operations of games: NEW or the load of a position, the moves. spice puts something
// else between them, now and then.
type playlist struct {
	lines []line
	noise sim.Random
	spice bool

	game, ply int
	pos       position.Position
	begun     bool
	user      uint64
}

func (l *playlist) next() (sim.BoardOp, bool) {
	l.user++
	op := sim.BoardOp{User: l.user}
	if l.game == len(l.lines) {
		return op, false
	}
	g := &l.lines[l.game]
	if !l.begun {
		l.begun, l.ply, l.pos = true, 0, g.start
		if g.start == position.Start() && l.noise.Next()%4 != 0 {
			op.Op = sim.OpNew
		} else {
			s := oracle.NewState(&g.start)
			op.Load = &s
		}
		return op, true
	}
	if l.ply == len(g.moves) {
		l.game++
		l.begun = false
		op.Op = sim.OpPass + uint8(l.noise.Next()%2)
		return op, true
	}
	if l.spice {
		switch l.noise.Next() % 8 {
		case 0:
			op.Op = sim.OpPass
			return op, true
		case 1: // a word that is refused
			s := oracle.NewState(&l.pos)
			if i := moveindex.Index(l.noise.Next() % 2048); s.Check(i) != oracle.NoFault {
				op.Index = i
				return op, true
			}
		}
	}
	m := g.moves[l.ply]
	op.Index = moveindex.Null
	if m != chess.NullMove {
		op.Index, _ = moveindex.Of(m)
	}
	l.ply++
	l.pos.Make(m)
	return op, true
}

// A referee compares every beat with package position.
type referee struct {
	pos   position.Position
	plies int
}

func (r *referee) beat(op sim.BoardOp, o *sim.BoardOut) error {
	if o.MUser != op.User&0xff || o.MOp != op.Op {
		return fmt.Errorf("operation %d with tag %d came back as %d with %d", op.Op, op.User&0xff, o.MOp, o.MUser)
	}
	before := r.pos
	if op.Op == sim.OpNew {
		r.pos = position.Start()
	}
	if op.Op == sim.OpMove {
		fault := judge(&before, op.Index)
		if oracle.Fault(o.MError) != fault {
			return fmt.Errorf("index %d: code %d, want %d (%v)\n%v", op.Index, o.MError, fault, fault, oracle.NewState(&before))
		}
		m, isMove := op.Index.Move()
		if isMove && (o.MFrom != uint8(m.From()) || o.MTo != uint8(m.To()) || o.MPromotion != uint8(m>>12)) {
			return fmt.Errorf("index %d: from %d to %d promotion %d, want %v", op.Index, o.MFrom, o.MTo, o.MPromotion, m)
		}
		man, captured := chess.NoPiece, chess.NoPiece
		if fault == oracle.NoFault {
			if isMove {
				man, captured = before.PieceAt(m.From()), before.PieceAt(m.To())
				if man.Kind() == chess.Pawn && m.From().File() != m.To().File() && captured == chess.NoPiece {
					captured = chess.NewPiece(man.Color().Other(), chess.Pawn)
				}
			}
			r.pos.Make(m)
			r.plies++
		}
		if o.MMan != uint8(man) || o.MCaptured != uint8(captured) {
			return fmt.Errorf("index %d: man %d takes %d, want %v takes %v", op.Index, o.MMan, o.MCaptured, man, captured)
		}
	}
	if want := oracle.NewState(&r.pos); o.State != want {
		return fmt.Errorf("after index %d:\n%vwant\n%v", op.Index, o.State, want)
	}
	return nil
}

// watch wraps a playlist's source so that the referee knows of loads.
func (r *referee) watch(next func() (sim.BoardOp, bool), l *playlist) (func() (sim.BoardOp, bool), func(sim.BoardOp, *sim.BoardOut) error) {
	// A load has no beat: the tag of the first operation after it tells when it has happened.
	loads := map[uint64]position.Position{}
	return func() (sim.BoardOp, bool) {
			op, ok := next()
			if ok && op.Load != nil {
				loads[op.User+1] = l.pos
			}
			return op, ok
		}, func(op sim.BoardOp, o *sim.BoardOut) error {
			if p, ok := loads[op.User]; ok {
				r.pos = p
				delete(loads, op.User)
			}
			return r.beat(op, o)
		}
}

// judge says with which code a word is refused in a position, from the text of ply11_board's header and
// with nothing of State.
func judge(p *position.Position, i moveindex.Index) oracle.Fault {
	if i >= moveindex.NumMoves {
		if i == moveindex.Null {
			return oracle.NoFault
		}
		return oracle.FaultCode
	}
	m, _ := i.Move()
	from, to := m.From(), m.To()
	man, target := p.PieceAt(from), p.PieceAt(to)
	if man == chess.NoPiece {
		return oracle.FaultEmpty
	}
	if man.Color() != p.Turn() {
		return oracle.FaultOpponent
	}
	if target != chess.NoPiece && target.Color() == p.Turn() {
		return oracle.FaultOwn
	}
	if target.Kind() == chess.King {
		return oracle.FaultGeometry
	}
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	forward, fifth, second, home, last := dr, 4, 1, chess.E1, 7
	wings := [2]position.CastlingRights{position.WhiteKingside, position.WhiteQueenside}
	if p.Turn() == chess.Black {
		forward, fifth, second, home, last = -dr, 3, 6, chess.E8, 0
		wings = [2]position.CastlingRights{position.BlackKingside, position.BlackQueenside}
	}
	d2 := df*df + dr*dr
	ok := false
	switch man.Kind() {
	case chess.King:
		if from == home && dr == 0 && df*df == 4 {
			wing, squares := wings[0], []chess.Square{home + 1, home + 2}
			if df < 0 {
				wing, squares = wings[1], []chess.Square{home - 1, home - 2, home - 3}
			}
			free := p.Castling()&wing != 0
			for _, s := range squares {
				free = free && p.PieceAt(s) == chess.NoPiece
			}
			if !free {
				return oracle.FaultCastling
			}
			return oracle.NoFault
		}
		ok = d2 <= 2
	case chess.Queen:
		ok = df == 0 || dr == 0 || df*df == dr*dr
	case chess.Rook:
		ok = df == 0 || dr == 0
	case chess.Bishop:
		ok = df*df == dr*dr
	case chess.Knight:
		ok = d2 == 5
	case chess.Pawn:
		passant := p.EnPassantFile() == to.File()+1 && from.Rank() == fifth
		switch {
		case df == 0 && forward == 1:
			ok = target == chess.NoPiece
		case df == 0 && forward == 2:
			ok = target == chess.NoPiece && from.Rank() == second
		case df*df == 1 && forward == 1:
			ok = target != chess.NoPiece || passant
		}
		ok = ok && (to.Rank() == last) == (m.Promotion() != chess.NoKind)
	}
	if m.Promotion() != chess.NoKind && man.Kind() != chess.Pawn || !ok {
		return oracle.FaultGeometry
	}
	return oracle.NoFault
}

// Every word is examined in every position of games: Check by an independent reading of the rules, and all
// legal moves pass and lead to where position does.
func TestCheck(t *testing.T) {
	games := famousLines(t)
	games = append(games, fileLines(t, 20, "pgn", "master", "master-50k.pgn.zst")...)
	games = append(games, fileLines(t, 10, "pgn", "edge", "openrating_underpromotions.pgn")...)
	var count [7]int
	var buf []chess.Move
	for _, g := range games {
		pos := g.start
		for ply, m := range g.moves {
			s := oracle.NewState(&pos)
			for i := range moveindex.Index(2048) {
				got, want := s.Check(i), judge(&pos, i)
				count[want]++
				if got != want {
					t.Fatalf("%s ply %d, index %d: %v, want %v\n%v", g.name, ply+1, i, got, want, s)
				}
			}
			buf = pos.LegalMoves(buf[:0])
			for _, l := range buf {
				i, _ := moveindex.Of(l)
				after, next := s, pos
				next.Make(l)
				if _, _, fault := after.Play(i); fault != oracle.NoFault || after != oracle.NewState(&next) {
					t.Fatalf("%s ply %d, %v: %v\n%vwant\n%v", g.name, ply+1, l, fault, after, oracle.NewState(&next))
				}
			}
			pos.Make(m)
		}
	}
	for f, n := range count {
		if n == 0 {
			t.Errorf("no word was refused for %v", oracle.Fault(f))
		}
	}
}

// The model plays games with words between them that are refused, at all speeds, and is compared with
// position after every ply.
func TestBoardPlaysGames(t *testing.T) {
	games := famousLines(t)
	games = append(games, fileLines(t, 2000, "pgn", "master", "master-50k.pgn.zst")...)
	games = append(games, fileLines(t, 100, "pgn", "edge", "openrating_underpromotions.pgn")...)
	games = append(games, fileLines(t, 300, "pgn", "annotated", "studies.pgn")...)
	b, err := sim.NewBoard(8)
	if err != nil {
		t.Fatal(err)
	}
	for seed, spice := range []bool{false, true} {
		l := &playlist{lines: games, noise: sim.Random(seed), spice: spice}
		ref := &referee{pos: position.Start()}
		s := &sim.BoardStimulus{Board: b}
		s.Next, s.Beat = ref.watch(l.next, l)
		if spice {
			s.Gap, s.Ready = sim.Noise(1, 80), sim.Noise(2, 80)
		}
		b.Reset()
		for s.Drive() {
			b.Eval()
			if err := s.Sample(); err != nil {
				t.Fatalf("%s ply %d: %v", games[min(l.game, len(games)-1)].name, l.ply, err)
			}
			b.Step()
		}
		plies := 0
		for _, g := range games {
			plies += len(g.moves)
		}
		if ref.plies != plies {
			t.Errorf("%d plies of %d", ref.plies, plies)
		}
	}
}

// Without gaps an operation is taken in every clock, and its beat comes eight clocks later.
func TestBoardThroughput(t *testing.T) {
	b, err := sim.NewBoard(8)
	if err != nil {
		t.Fatal(err)
	}
	g := famousLines(t)[0]
	b.In.MReady = true
	for n := range len(g.moves) + sim.BoardLatency {
		b.In.SValid = n < len(g.moves)
		if b.In.SValid {
			i, _ := moveindex.Of(g.moves[n])
			b.In.SIndex, b.In.SUser = uint16(i), uint64(n&255)
		}
		b.Eval()
		if !b.Out.SReady {
			t.Fatalf("clock %d: not ready", n)
		}
		if b.Out.MValid != (n >= sim.BoardLatency) || b.Out.MValid && b.Out.MUser != uint64(n-sim.BoardLatency)&255 {
			t.Fatalf("clock %d: valid %v, tag %d", n, b.Out.MValid, b.Out.MUser)
		}
		b.Step()
	}
}

// pipeStimulus feeds a module that takes and gives streams until nothing has moved for some clocks.
type pipeStimulus struct {
	in    *sim.Stream
	ready *bool // the module's m_ready
	valid *bool // its m_valid
	when  sim.Pattern
	give  func() error // looks at what came out
	idle  int
}

func (s *pipeStimulus) Drive() bool {
	s.in.Drive()
	*s.ready = s.when()
	return s.idle < 80
}

func (s *pipeStimulus) Sample() error {
	s.idle++
	if s.in.Sample() || !s.in.Ended {
		s.idle = 0
	}
	if *s.valid && *s.ready {
		s.idle = 0
		return s.give()
	}
	return nil
}

// sweep gives all pairs of periodic patterns of four clocks, 48 clocks each, then noise.
func sweep(seed uint64) (in, out sim.Pattern) {
	half := func(shift int, seed uint64) sim.Pattern {
		n := 0
		noise := sim.Noise(seed, 60)
		return func() bool {
			k := n / 48
			n++
			if k >= 256 {
				return noise()
			}
			return k>>shift&15>>((n-1)%4)&1 != 0
		}
	}
	return half(0, seed), half(4, seed+1)
}

// unpackTrial sends random words through ply11_unpack, some idle, and compares with bitstream.Unpacker's
// definition: bit i of the stream.
func unpackTrial(width, n int) (*sim.Unpack, sim.Stimulus) {
	u, _ := sim.NewUnpack(width)
	r := sim.Random(width)
	var bits []byte // one a bit, sent and not yet received
	left := n
	in, out := sweep(uint64(width))
	s := &pipeStimulus{valid: &u.Out.MValid, ready: &u.In.MReady, when: out}
	s.in = &sim.Stream{Valid: &u.In.SValid, Ready: &u.Out.SReady, When: in, Next: func() bool {
		if left == 0 {
			return false
		}
		left--
		u.In.SData = r.Next() & (1<<uint(width) - 1)
		if r.Next()%4 == 0 {
			u.In.SData = 1<<uint(width) - 1
		}
		for i := range width {
			bits = append(bits, byte(u.In.SData>>i&1))
		}
		return true
	}}
	u.In.SkipIdle = true
	s.give = func() error {
		for {
			if len(bits) < 11 {
				return errors.New("a word that did not come in")
			}
			word := uint16(0)
			for i := range 11 {
				word |= uint16(bits[i]) << i
			}
			bits = bits[11:]
			if word == 2047 {
				continue
			}
			if u.Out.MData != word {
				return fmt.Errorf("word %d, want %d", u.Out.MData, word)
			}
			return nil
		}
	}
	return u, s
}

// packTrial sends random words in frames through ply11_pack and compares with bitstream.
func packTrial(width, n int) (*sim.Pack, sim.Stimulus) {
	p, _ := sim.NewPack(width)
	r := sim.Random(width + 1)
	var bits []byte
	var ends []int // bits from the start at which a frame's last output word ends
	sent, received, left := 0, 0, n
	in, out := sweep(uint64(width + 7))
	s := &pipeStimulus{valid: &p.Out.MValid, ready: &p.In.MReady, when: out}
	s.in = &sim.Stream{Valid: &p.In.SValid, Ready: &p.Out.SReady, When: in, Next: func() bool {
		if left == 0 {
			return false
		}
		left--
		p.In.SData, p.In.SLast = uint16(r.Next()%2048), r.Next()%20 == 0 || left == 0
		for i := range 11 {
			bits = append(bits, byte(p.In.SData>>i&1))
		}
		sent += 11
		for p.In.SLast && sent%width != 0 {
			bits = append(bits, 1)
			sent++
		}
		if p.In.SLast {
			ends = append(ends, sent)
		}
		return true
	}}
	s.give = func() error {
		if len(bits) < width {
			return errors.New("a word that did not come in")
		}
		word := uint64(0)
		for i := range width {
			word |= uint64(bits[i]) << i
		}
		bits = bits[width:]
		received += width
		last := len(ends) > 0 && ends[0] == received
		if last {
			ends = ends[1:]
		}
		if p.Out.MData != word || p.Out.MLast != last {
			return fmt.Errorf("%x last %v, want %x %v", p.Out.MData, p.Out.MLast, word, last)
		}
		return nil
	}
	return p, s
}

// decodeTrial sends all 2,048 words and random ones.
func decodeTrial(free bool, n int) (*sim.DecodePipe, sim.Stimulus) {
	d := &sim.DecodePipe{Free: free}
	r := sim.Random(3)
	next := func(sent int) uint16 {
		d.In.SIndex = uint16(sent)
		if sent >= 2048 {
			d.In.SIndex = uint16(r.Next() % 2048)
		}
		return moveindex.Index(d.In.SIndex).Word()
	}
	return d, pipeTrial(free, n, 9, &d.In.SValid, &d.Out.SReady, &d.Out.MValid, &d.In.MReady, next, func(w uint16) error {
		o := &d.Out.Move
		if o.IsMove != (w>>15 != 0) || o.IsMove && uint16(o.From)|uint16(o.To)<<6|uint16(o.Promotion)<<12|1<<15 != w {
			return fmt.Errorf("%v, want %04x", o, w)
		}
		return nil
	})
}

// encodeTrial sends random moves and what is none.
func encodeTrial(free bool, n int) (*sim.EncodePipe, sim.Stimulus) {
	e := &sim.EncodePipe{Free: free}
	r := sim.Random(4)
	next := func(int) int {
		i := int(r.Next() % 2048)
		m, ok := moveindex.Index(i).Move()
		if !ok {
			i = -1
			m = 7 | 14<<6
			if r.Next()%2 == 0 {
				m = 55 | 63<<6 | 2<<12
			}
			if _, ok := moveindex.Of(m); ok {
				m = 0
			}
		}
		e.In.Move = sim.MoveIn{From: uint8(m.From()), To: uint8(m.To()), Promotion: uint8(m >> 12)}
		return i
	}
	return e, pipeTrial(free, n, 11, &e.In.SValid, &e.Out.SReady, &e.Out.MValid, &e.In.MReady, next, func(i int) error {
		if e.Out.MIsMove != (i >= 0) || i >= 0 && int(e.Out.MIndex) != i {
			return fmt.Errorf("%v %d, want %d", e.Out.MIsMove, e.Out.MIndex, i)
		}
		return nil
	})
}

// pipeTrial sends n inputs through a pipeline, which is free if it has no back-pressure. next sets an input, which is
// preceded by sent others, and returns what must come out; give compares it with the outputs.
func pipeTrial[W any](free bool, n int, seed uint64, sValid, sReady, mValid, mReady *bool, next func(sent int) W,
	give func(W) error) sim.Stimulus {
	var want []W
	sent := 0
	in, out := sweep(seed)
	s := &pipeStimulus{valid: mValid, ready: mReady, when: out}
	if free {
		s.when = sim.Always
	}
	s.in = &sim.Stream{Valid: sValid, Ready: sReady, When: in, Next: func() bool {
		want = append(want, next(sent))
		sent++
		return sent <= n
	}}
	s.give = func() error {
		w := want[0]
		want = want[1:]
		return give(w)
	}
	return s
}

// loop is a Stimulus of n clocks.
type loop struct {
	n     int
	drive func(n int)
}

func (l *loop) Drive() bool {
	if l.n--; l.n < 0 {
		return false
	}
	l.drive(l.n)
	return true
}

func (l *loop) Sample() error { return nil }

// noiseBoard is everything at random, on both ports, with resets.
func noiseBoard(seed uint64, n int) (*sim.Board, sim.Stimulus) {
	b, _ := sim.NewBoard(8)
	r := sim.Random(seed)
	quiet := 0
	states := []oracle.State{oracle.Initial()}
	for range 3 {
		var s oracle.State
		for i := range s.Men {
			s.Men[i] = r.Next()
			s.Men[i] &= r.Next() // a quarter of the bits
		}
		states = append(states, s)
	}
	return b, &loop{n: n, drive: func(int) {
		if r.Next()%50 == 0 {
			quiet = int(r.Next() % 20)
		}
		quiet--
		addr := r.Next() % 10
		data := uint32(r.Next())
		if s := &states[r.Next()%4]; addr < 9 && r.Next()%4 != 0 {
			data = s.LoadData(int(addr))
		}
		b.In = sim.BoardIn{
			Rst: r.Next()%300 == 0, SValid: quiet < 0 && r.Next()%8 != 0, SOp: uint8(r.Next() % 4 * (r.Next() % 2) * (r.Next() % 2)),
			SUser: r.Next() & 255, LoadValid: r.Next()%4 == 0, LoadAddr: uint8(addr), LoadData: data, MReady: r.Next()%4 != 0,
			SIndex: uint16(r.Next() % 2048),
		}
		if r.Next()%3 != 0 {
			// A word that the board applies now, more often than not.
			s := b.Position()
			for range 40 {
				if i := moveindex.Index(r.Next() % 2048); s.Check(i) == oracle.NoFault {
					b.In.SIndex = uint16(i)
					break
				}
			}
		}
		if quiet >= 0 {
			b.In.MReady = true
		}
	}}
}

func TestModelsAlone(t *testing.T) {
	run := func(name string, m sim.Module, s sim.Stimulus) {
		t.Run(name, func(t *testing.T) {
			m.Reset()
			for n := 0; s.Drive(); n++ {
				m.Eval()
				if err := s.Sample(); err != nil {
					t.Fatalf("clock %d: %v", n, err)
				}
				m.Step()
			}
		})
	}
	for _, w := range []int{8, 32, 64} {
		u, s := unpackTrial(w, 20000)
		run(fmt.Sprintf("unpack%d", w), u, s)
		p, s := packTrial(w, 20000)
		run(fmt.Sprintf("pack%d", w), p, s)
	}
	for _, free := range []bool{false, true} {
		d, s := decodeTrial(free, 20000)
		run(fmt.Sprintf("decode %v", free), d, s)
		e, s := encodeTrial(free, 20000)
		run(fmt.Sprintf("encode %v", free), e, s)
	}
}

// What the model of ply11_unpack makes of a stream is what package bitstream reads from it.
func TestUnpackIsBitstream(t *testing.T) {
	r := sim.Random(1)
	words := make([]moveindex.Index, 5000)
	for i := range words {
		words[i] = moveindex.Index(r.Next() % 2047)
	}
	data := make([]byte, bitstream.PackedLen(len(words)))
	bitstream.Pack(data, 0, words)
	u, _ := sim.NewUnpack(8)
	u.Reset()
	u.In = sim.UnpackIn{SkipIdle: true, MReady: true}
	var got []moveindex.Index
	for len(data) > 0 || len(got) < len(words) {
		u.In.SValid = len(data) > 0
		if u.In.SValid {
			u.In.SData = uint64(data[0])
		}
		u.Eval()
		if u.Out.MValid {
			got = append(got, moveindex.Index(u.Out.MData))
		}
		if u.In.SValid && u.Out.SReady {
			data = data[1:]
		}
		u.Step()
	}
	for i := range words {
		if got[i] != words[i] {
			t.Fatalf("word %d: %d, want %d", i, got[i], words[i])
		}
	}
}
