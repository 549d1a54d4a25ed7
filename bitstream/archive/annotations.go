// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"ply11/bitstream/archive/internal/clocks"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// Steps of the column of annotations.
const (
	stepEnd       = 0
	stepComment   = 1
	stepVariation = 2 // a variation begins
	stepReturn    = 3
	stepNAG       = 4
	stepMoves     = 32
	maxMoves      = 255 - stepMoves + 1 // a step of 32 + n is n + 1 moves
)

// Bytes of a comment's text that stand for a command, whose value is in another column.
const (
	textClock       = 1 // [%clk h:mm:ss]
	textClockHH     = 2 // [%clk hh:mm:ss]
	textClockTenth  = 3 // [%clk h:mm:ss.t]
	textTime        = 4 // [%emt h:mm:ss]
	textTimeHH      = 5 // [%emt hh:mm:ss]
	textTimeTenth   = 6 // [%emt h:mm:ss.t]
	textEval        = 7 // [%eval 0.17], with as few decimals as needed, but one
	textEvalDecimal = 8 // [%eval 0.10], with two decimals, the second of them 0
	textMate        = 11
	textEscape      = 12 // the next byte is of the text
)

func isTextCode(c byte) bool {
	return c >= textClock && c <= textEvalDecimal || c == textMate || c == textEscape
}

// typed is what the values of commands of a game are relative to.
type typed struct {
	clocks [3][2]int64 // by form: the last but one, and the last
	eval   int64
}

func (s *typed) read(in *input, code byte) (v int64) {
	least := int64(0)
	switch {
	case code <= textClockTenth:
		h := &s.clocks[code-textClock]
		v = h[0] + in.varint()
		h[0], h[1] = h[1], v
	case code <= textTimeTenth:
		return int64(in.uvarint(clocks.Limit))
	case code == textMate:
		v, least = in.varint(), -clocks.Limit
	default:
		s.eval += in.varint()
		v, least = s.eval, -clocks.Limit
	}
	if v < least || v > clocks.Limit {
		in.fail()
		return 0
	}
	return v
}

func (s *typed) append(dst []byte, code byte, v int64) []byte {
	switch {
	case code <= textClockTenth:
		h := &s.clocks[code-textClock]
		dst = appendVarint(dst, v-h[0])
		h[0], h[1] = h[1], v
		return dst
	case code <= textTimeTenth:
		return binary.AppendUvarint(dst, uint64(v))
	case code == textMate:
		return appendVarint(dst, v)
	default:
		dst = appendVarint(dst, v-s.eval)
		s.eval = v
		return dst
	}
}

type noteEncoder struct {
	steps, text    []byte
	low, high      []byte    // of the words of variations
	numbers        [3][]byte // clocks, times, evaluations
	count, pending int       // annotated games; games since the last of them
	body           []byte
}

func (e *noteEncoder) reset() {
	n := &e.numbers
	*e = noteEncoder{steps: e.steps[:0], text: e.text[:0], low: e.low[:0], high: e.high[:0],
		numbers: [3][]byte{n[0][:0], n[1][:0], n[2][:0]}, body: e.body[:0]}
}

func holdsTexts(g *game.Game) bool {
	if slices.ContainsFunc(g.Tags, nulName) {
		return false
	}
	if g.Plain() {
		return true
	}
	for c := g.Cursor(); c.Next(); {
		if c.Kind == game.Comment && (strings.IndexByte(c.Text, 0) >= 0 || !utf8.ValidString(c.Text)) {
			return false
		}
	}
	return true
}

func (e *noteEncoder) add(g *game.Game) {
	if g.Plain() {
		e.pending++
		return
	}
	e.steps = binary.AppendUvarint(e.steps, uint64(e.pending))
	e.pending = 0
	e.count++
	var state typed
	run, depth := 0, 0
	flush := func() {
		for ; run > 0; run -= min(run, maxMoves) {
			e.steps = append(e.steps, byte(stepMoves+min(run, maxMoves)-1))
		}
	}
	for c := g.Cursor(); c.Next(); {
		if c.Kind == game.MoveEvent {
			run++
			if depth > 0 {
				i, _ := moveindex.Of(c.Move)
				e.low, e.high = append(e.low, byte(i)), append(e.high, byte(i>>8))
			}
			continue
		}
		flush()
		switch c.Kind {
		case game.NAG:
			e.steps = append(e.steps, stepNAG, c.NAG)
		case game.Comment:
			e.steps = append(e.steps, stepComment)
			e.comment(c.Text, &state)
		case game.VariationStart:
			e.steps = append(e.steps, stepVariation)
			depth++
		case game.VariationEnd:
			e.steps = append(e.steps, stepReturn)
			depth--
		}
	}
	// What is left of the main line needs no step.
	e.steps = append(e.steps, stepEnd)
}

func (e *noteEncoder) comment(s string, state *typed) {
	for i := 0; i < len(s); {
		if s[i] == '[' && i+5 < len(s) && s[i+1] == '%' {
			if n := e.command(s[i:], state); n > 0 {
				i += n
				continue
			}
		}
		if isTextCode(s[i]) {
			e.text = append(e.text, textEscape)
		}
		e.text = append(e.text, s[i])
		i++
	}
	e.text = append(e.text, 0)
}

// command writes the command at the front of s if its very text can be restored, and returns its length, else 0.
func (e *noteEncoder) command(s string, state *typed) int {
	end := strings.IndexByte(s, ']')
	if end < 0 || end > 24 {
		return 0
	}
	body := s[2:end]
	var buf [32]byte
	name, text, _ := strings.Cut(body, " ")
	var code byte
	var value int64
	switch name {
	case "clk", "emt":
		form, v, ok := parseClock(text)
		if !ok || string(appendClock(buf[:0], form, v)) != text {
			return 0
		}
		if code, value = byte(textClock+form), v; name == "emt" {
			code = byte(textTime + form)
		}
	case "eval":
		var ok bool
		if code, value, ok = parseEval(text); !ok || string(appendEval(buf[:0], code, value)) != text {
			return 0
		}
	default:
		return 0
	}
	column := &e.numbers[kindOf(code)-columnClocks]
	e.text, *column = append(e.text, code), state.append(*column, code, value)
	return end + 1
}

// parseClock reads h:mm:ss, hh:mm:ss with a 0 first (form 1), or with tenths (form 2). It may take more than
// appendClock writes.
func parseClock(s string) (form int, value int64, ok bool) {
	part := [3]int64{}
	k := 0
	digits := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9' && digits < 6:
			part[k] = part[k]*10 + int64(c-'0')
			digits++
		case c == ':' && k < 2 && digits > 0:
			k++
			digits = 0
		case c == '.' && k == 2 && i == len(s)-2 && s[i+1] >= '0' && s[i+1] <= '9':
			return 2, (part[0]*3600+part[1]*60+part[2])*10 + int64(s[i+1]-'0'), true
		default:
			return 0, 0, false
		}
	}
	if k != 2 {
		return 0, 0, false
	}
	if s[0] == '0' && s[1] != ':' {
		form = 1
	}
	return form, part[0]*3600 + part[1]*60 + part[2], true
}

func appendClock(dst []byte, form int, value int64) []byte {
	seconds := value
	if form == 2 {
		seconds /= 10
	}
	if form == 1 && seconds < 10*3600 {
		dst = append(dst, '0')
	}
	dst = appendInt(dst, seconds/3600)
	m, s := seconds/60%60, seconds%60
	dst = append(dst, ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10))
	if form == 2 {
		dst = append(dst, '.', byte('0'+value%10))
	}
	return dst
}

func appendInt(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }

// parseEval reads an evaluation: pawns with up to two decimals, or # and the moves to mate.
func parseEval(s string) (code byte, value int64, ok bool) {
	code = textEval
	mate := strings.HasPrefix(s, "#")
	if mate {
		s, code = s[1:], textMate
	}
	minus := strings.HasPrefix(s, "-")
	if minus {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 9 {
		return 0, 0, false
	}
	point := -1
	for i := range len(s) {
		switch {
		case s[i] >= '0' && s[i] <= '9':
			value = value*10 + int64(s[i]-'0')
		case s[i] == '.' && point < 0 && !mate:
			point = i
		default:
			return 0, 0, false
		}
	}
	if !mate {
		switch {
		case point < 1:
			return 0, 0, false
		case len(s)-point == 2:
			value *= 10
		case len(s)-point != 3:
			return 0, 0, false
		case s[len(s)-1] == '0':
			code = textEvalDecimal
		}
	}
	if minus {
		value = -value
	}
	return code, value, true
}

func appendEval(dst []byte, code byte, value int64) []byte {
	if code == textMate {
		dst = append(dst, '#')
		return appendInt(dst, value)
	}
	if value < 0 {
		dst = append(dst, '-')
		value = -value
	}
	dst = appendInt(dst, value/100)
	dst = append(dst, '.', byte('0'+value/10%10))
	if value%10 != 0 || code == textEvalDecimal {
		dst = append(dst, byte('0'+value%10))
	}
	return dst
}

// column returns the column of steps: the number of annotated games, then each.
func (e *noteEncoder) column() []byte {
	if e.count == 0 {
		return nil
	}
	e.body = binary.AppendUvarint(e.body[:0], uint64(e.count))
	return append(e.body, e.steps...)
}

func (e *noteEncoder) variations() []byte { return append(e.low, e.high...) }

type notes struct {
	columns [numNotes][]byte // steps, text, low and high bytes of words, clocks, times, evals
	games   []noteStart

	in   [numNotes]input
	line position.Line
	buf  []byte
}

const (
	noteSteps = iota
	noteText
	noteLow
	noteHigh
	noteClocks
	noteTimes
	noteEvals

	numNotes
)

type noteStart struct {
	game int
	at   [numNotes]uint32
}

// open finds where each game's annotations begin, and verifies all that can be told without the moves. It returns the
// game, -1 if it is none, and what is wrong.
func (r *notes) open(games int, steps, text, words []byte, numbers [3][]byte) (int, string) {
	r.games = r.games[:0]
	if len(words)%2 != 0 {
		return -1, "half a word of a variation"
	}
	half := len(words) / 2
	r.columns = [numNotes][]byte{steps, text, words[:half], words[half:], numbers[0], numbers[1], numbers[2]}
	r.reset(&[numNotes]uint32{})
	in := &r.in[noteSteps]
	at := 0
	count := uint64(0)
	if len(steps) > 0 {
		if count = in.uvarint(uint64(games)); in.bad {
			return -1, "impossible number of annotated games"
		}
	}
	for range count {
		if at += int(in.uvarint(mostBlockGames)); at >= games {
			return -1, "more than the games have"
		}
		s := noteStart{game: at}
		for k := range r.in {
			s.at[k] = uint32(len(r.columns[k]) - len(r.in[k].b))
		}
		r.games = append(r.games, s)
		if detail := r.skip(); detail != "" {
			return at, detail
		}
		at++
	}
	for k := range r.in {
		if len(r.in[k].b) > 0 {
			return -1, "more than the games have"
		}
	}
	return -1, ""
}

func (r *notes) reset(at *[numNotes]uint32) {
	for k, n := range at {
		r.in[k] = input{b: r.columns[k][n:]}
	}
}

func (r *notes) bad() bool {
	return r.in[noteText].bad || r.in[noteClocks].bad || r.in[noteTimes].bad || r.in[noteEvals].bad
}

func (r *notes) numbers(code byte) *input { return &r.in[noteClocks+int(kindOf(code)-columnClocks)] }

func (r *notes) word() (moveindex.Index, bool) {
	low, high := &r.in[noteLow], &r.in[noteHigh]
	return moveindex.Index(low.byte()) | moveindex.Index(high.byte())<<8, !low.bad
}

// seek goes to the annotations of game i, and reports whether it has any.
func (r *notes) seek(i int) bool {
	k, ok := slices.BinarySearchFunc(r.games, i, func(s noteStart, i int) int { return s.game - i })
	if ok {
		r.reset(&r.games[k].at)
	}
	return ok
}

// skip passes over the annotations of a game, and returns what is wrong with them.
func (r *notes) skip() string {
	steps := &r.in[noteSteps]
	for depth := 0; ; {
		op := steps.byte()
		switch {
		case steps.bad:
			return "the steps end too early"
		case op == stepEnd:
			if depth > 0 {
				return "the end inside a variation"
			}
			return ""
		case op == stepComment:
			if !r.skipComment() {
				return "unsound comment"
			}
		case op == stepVariation:
			depth++
		case op == stepReturn:
			if depth--; depth < 0 {
				return "a variation ends that has none or no move"
			}
		case op == stepNAG:
			steps.byte()
		case op < stepMoves:
			return "unknown step"
		case depth > 0:
			n := uint64(op) - stepMoves + 1
			if r.in[noteLow].take(n) == nil || r.in[noteHigh].take(n) == nil {
				return "more moves than there are"
			}
		}
	}
}

func (r *notes) skipComment() bool {
	eachCode(r.in[noteText].text(), func(code byte) { r.numbers(code).varint() })
	return !r.bad()
}

// eachCode calls do with the code of each command in a text.
func eachCode(text []byte, do func(code byte)) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c > textEscape || !isTextCode(c):
		case c == textEscape:
			i++
		default:
			do(c)
		}
	}
}

// read gives b the main line of the game that was sought, and its annotations. It returns what is wrong with them.
func (r *notes) read(b *game.Builder, start position.Position, main []moveindex.Index) string {
	line, steps := &r.line, &r.in[noteSteps]
	line.Reset(start)
	var state typed
	play := func(w moveindex.Index) bool {
		m, ok := w.Move()
		if !ok {
			if w != moveindex.Null || line.At.InCheck() {
				return false
			}
			m = chess.NullMove
		} else if !line.At.IsLegal(m) {
			return false
		}
		line.Make(m)
		b.Move(m)
		return true
	}
	for {
		if steps.bad {
			return "the steps end too early"
		}
		switch op := steps.byte(); {
		case op == stepEnd:
			if line.Depth() > 0 {
				return "the end inside a variation"
			}
			for _, w := range main {
				if !play(w) {
					return "illegal move"
				}
			}
			b.Flush()
			return ""
		case op == stepComment:
			if !r.comment(&state) {
				return "unsound comment"
			}
			b.AddText(r.buf)
		case op == stepVariation:
			if b.AtStart() || b.StartVariation() != nil {
				return "a variation of no move"
			}
			line.Open()
		case op == stepReturn:
			if b.AtStart() || b.EndVariation() != nil || !line.Close() {
				return "a variation ends that has none or no move"
			}
		case op == stepNAG:
			b.NAG(steps.byte())
		case op < stepMoves:
			return "unknown step"
		default:
			for n := int(op) - stepMoves + 1; n > 0; n-- {
				var w moveindex.Index
				var ok bool
				if line.Depth() == 0 {
					if len(main) == 0 {
						return "more moves than there are"
					}
					w, main = main[0], main[1:]
				} else if w, ok = r.word(); !ok {
					return "more moves than there are"
				}
				if !play(w) {
					return "illegal move"
				}
			}
		}
	}
}

func (r *notes) comment(state *typed) bool {
	r.buf = r.buf[:0]
	s := r.in[noteText].text()
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isTextCode(c) {
			n := 1
			for i+n < len(s) && !isTextCode(s[i+n]) {
				n++
			}
			r.buf = append(r.buf, s[i:i+n]...)
			i += n - 1
			continue
		}
		switch {
		case c == textEscape:
			i++
			if i == len(s) {
				return false
			}
			r.buf = append(r.buf, s[i])
		case c <= textClockTenth:
			v := state.read(r.numbers(c), c)
			r.buf = append(appendClock(append(r.buf, "[%clk "...), int(c-textClock), v), ']')
		case c <= textTimeTenth:
			v := state.read(r.numbers(c), c)
			r.buf = append(appendClock(append(r.buf, "[%emt "...), int(c-textTime), v), ']')
		default:
			r.buf = append(appendEval(append(r.buf, "[%eval "...), c, state.read(r.numbers(c), c)), ']')
		}
	}
	return !r.bad() && utf8.Valid(r.buf) && bytes.IndexByte(r.buf, 0) < 0
}

// marks tell which numbers the columns of clocks, times and evaluations of a block have: a NUL where the annotations of
// a game begin, and the code of each command.
type marks []byte

// appendColumns appends the marks of a block, and reports whether steps and texts are as long as they must be. What
// else is wrong with them is for notes.open to say.
func (m marks) appendColumns(steps, text []byte, games int) (marks, bool) {
	in, texts := input{b: steps}, input{b: text}
	if len(steps) == 0 {
		return m, true
	}
	for n := in.uvarint(uint64(games)); n > 0 && !in.bad; n-- {
		in.uvarint(mostBlockGames)
		m = append(m, 0)
		for op := in.byte(); op != stepEnd && !in.bad; op = in.byte() {
			switch op {
			case stepComment:
				eachCode(texts.text(), func(code byte) { m = append(m, code) })
			case stepNAG:
				in.byte()
			}
		}
	}
	return m, !in.bad && !texts.bad
}

func kindOf(code byte) ColumnKind {
	switch {
	case code <= textClockTenth:
		return columnClocks
	case code <= textTimeTenth:
		return columnTimes
	default:
		return columnEvals
	}
}

// coders are shared: one holds 1 MiB.
var coders = sync.Pool{New: func() any { return new(clocks.Coder) }}

// each calls f with the code of each number of a column, and whether it is the first of a game, until f returns false.
func (m marks) each(kind ColumnKind, f func(code byte, first bool) bool) bool {
	first := false
	for _, code := range m {
		if code == 0 {
			first = true
		} else if kindOf(code) == kind {
			if !f(code, first) {
				return false
			}
			first = false
		}
	}
	return true
}

// modelVersion is the first byte of a column of modelled numbers.
const modelVersion = 1

// appendModelled appends a column as package clocks codes it. It reports false if it is not of the numbers that the
// marks tell, or one is beyond the limits.
func (m marks) appendModelled(dst []byte, kind ColumnKind, raw []byte) ([]byte, bool) {
	c := coders.Get().(*clocks.Coder)
	defer coders.Put(c)
	c.Encode(append(dst, modelVersion))
	in := input{b: raw}
	var values typed
	ok := m.each(kind, func(code byte, first bool) bool {
		if first {
			c.Game()
			values = typed{}
		}
		model(c, code, values.read(&in, code))
		return !in.bad
	})
	return c.Finish(), ok && len(in.b) == 0
}

// readModelled appends the column of size bytes that was coded so. It reports false if there is none. Few numbers may
// take no byte but the version.
func (m marks) readModelled(dst []byte, kind ColumnKind, coded []byte, size int) ([]byte, bool) {
	if len(coded) == 0 || coded[0] != modelVersion {
		return dst, false
	}
	c := coders.Get().(*clocks.Coder)
	defer coders.Put(c)
	c.Decode(coded[1:])
	var values typed
	at := len(dst)
	ok := m.each(kind, func(code byte, first bool) bool {
		if first {
			c.Game()
			values = typed{}
		}
		dst = values.append(dst, code, model(c, code, 0))
		return !c.Bad() && len(dst)-at <= size
	})
	return dst, ok && c.Ended() && len(dst)-at == size
}

func model(c *clocks.Coder, code byte, v int64) int64 {
	switch {
	case code <= textClockTenth:
		return c.Clock(int(code-textClock), v)
	case code <= textTimeTenth:
		return c.Time(int(code-textTime), v)
	case code == textMate:
		return c.Mate(v)
	default:
		return c.Score(v)
	}
}
