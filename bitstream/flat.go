// SPDX-License-Identifier: Apache-2.0

package bitstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"unicode/utf8"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Sizes in words.
const (
	// StartWords is the length of a start position after its control code.
	StartWords = 26
	// Start960Words is that of a start position of Chess960.
	Start960Words = 28
	// maxPiece is the length in bytes of a piece of text that another continues.
	maxPiece = 2046
	// MaxStartClock and MaxStartMove are the most plies of the halfmove clock and the greatest number of the move that
	// a start position holds.
	MaxStartClock = 255
	MaxStartMove  = 8187
	// maxWords is the limit of a Reader for a game's length.
	maxWords = 1 << 22
)

// StartSize returns how many words of a start position follow a word, 0 for none.
func StartSize(w moveindex.Index) int {
	switch w {
	case moveindex.Start:
		return StartWords
	case moveindex.Start960:
		return Start960Words
	}
	return 0
}

// AppendStart appends the words of a start position, with the control code, to dst. It is codec.ErrLoss for a position
// of which a word would be 2047, or whose counters exceed 255 plies and 8,187 moves.
func AppendStart(dst []moveindex.Index, p *position.Position) ([]moveindex.Index, error) {
	if p.HalfmoveClock() > MaxStartClock || p.FullmoveNumber() > MaxStartMove {
		return dst, fmt.Errorf("%w: halfmove clock %d and move number %d exceed %d and %d", codec.ErrLoss,
			p.HalfmoveClock(), p.FullmoveNumber(), MaxStartClock, MaxStartMove)
	}
	var b [40]byte
	for s := range chess.Square(64) {
		b[s/2] |= byte(p.PieceAt(s)) << (4 * (s & 1))
	}
	state := uint32(p.Turn()) | uint32(p.Castling())<<1 | uint32(p.EnPassantFile())<<5 |
		uint32(p.HalfmoveClock())<<9 | uint32(p.FullmoveNumber())<<17
	for i := range 4 {
		b[32+i] = byte(state >> (8 * i))
	}
	code := moveindex.Start
	if p.IsChess960() {
		code = moveindex.Start960
		rooks := uint32(0)
		for i, file := range p.Setup().Rooks {
			rooks |= uint32(file) << (3 * i)
		}
		b[35] |= byte(rooks << 6) // the bits from 286 on
		b[36], b[37] = byte(rooks>>2), byte(rooks>>10)
	}
	var words [Start960Words]moveindex.Index
	n := StartSize(code)
	Unpack(words[:n], b[:], 0)
	for _, w := range words[:n] {
		if w == moveindex.Idle {
			return dst, fmt.Errorf("%w: the start position has a word of eleven ones", codec.ErrLoss)
		}
	}
	return append(append(dst, code), words[:n]...), nil
}

// DecodeStart returns the position of 26 words, or of Chess960 of 28, without the control code, or codec.ErrStart.
func DecodeStart(words []moveindex.Index) (position.Position, error) {
	if len(words) != StartWords && len(words) != Start960Words {
		return position.Position{}, fmt.Errorf("%w: %d words, not %d or %d", codec.ErrStart, len(words), StartWords,
			Start960Words)
	}
	var b [40]byte
	Pack(b[:PackedLen(len(words))], 0, words)
	state := uint64(b[32]) | uint64(b[33])<<8 | uint64(b[34])<<16 | uint64(b[35])<<24
	setup := position.Setup{
		Turn:           chess.Color(state & 1),
		Castling:       position.CastlingRights(state >> 1 & 15),
		EnPassantFile:  int(state >> 5 & 15),
		HalfmoveClock:  int(state >> 9 & 255),
		FullmoveNumber: int(state >> 17 & 8191),
	}
	for s := range 64 {
		setup.Board[s] = chess.Piece(b[s/2] >> (4 * (s & 1)) & 15)
	}
	if setup.Chess960 = len(words) == Start960Words; setup.Chess960 {
		if setup.Castling == 0 {
			return position.Position{}, fmt.Errorf("%w: of Chess960, without a right to castle", codec.ErrStart)
		}
		rooks := uint32(b[35])>>6 | uint32(b[36])<<2 | uint32(b[37])<<10 | uint32(b[38]&15)<<18
		for i := range setup.Rooks {
			setup.Rooks[i] = uint8(rooks >> (3 * i) & 7)
			if setup.Castling>>i&1 == 0 && setup.Rooks[i] != 0 {
				return position.Position{}, fmt.Errorf("%w: the file of a rook without a right to castle",
					codec.ErrStart)
			}
		}
		if rooks>>12 != 0 {
			return position.Position{}, fmt.Errorf("%w: spare bits are set", codec.ErrStart)
		}
	}
	if setup.EnPassantFile > 8 {
		return position.Position{}, fmt.Errorf("%w: en passant file %d", codec.ErrStart, setup.EnPassantFile)
	}
	if setup.FullmoveNumber < 1 || setup.FullmoveNumber > MaxStartMove {
		return position.Position{}, fmt.Errorf("%w: move number %d", codec.ErrStart, setup.FullmoveNumber)
	}
	p, err := setup.Position()
	if err != nil {
		return p, fmt.Errorf("%w: %w", codec.ErrStart, err)
	}
	return p, nil
}

// AppendText appends a text, in pieces, to dst. It is codec.ErrLoss for a text that is not UTF-8 or has NUL.
func AppendText(dst []moveindex.Index, text string) ([]moveindex.Index, error) {
	if !utf8.ValidString(text) {
		return dst, fmt.Errorf("%w: text %.40q is not valid UTF-8", codec.ErrLoss, text)
	}
	if i := bytes.IndexByte([]byte(text), 0); i >= 0 {
		return dst, fmt.Errorf("%w: text %.40q holds NUL", codec.ErrLoss, text)
	}
	var buf [maxPiece + 3]byte
	for {
		n := copy(buf[:maxPiece], text)
		buf[n], buf[n+1] = 0, 0
		count := (8*n + moveindex.Bits - 1) / moveindex.Bits
		dst = append(dst, moveindex.Text, moveindex.Index(n))
		at := len(dst)
		dst = append(dst, make([]moveindex.Index, count)...)
		Unpack(dst[at:], buf[:n+2], 0)
		if text = text[n:]; n < maxPiece {
			return dst, nil
		}
	}
}

// AppendNAG appends a NAG to dst, in one word or two.
func AppendNAG(dst []moveindex.Index, nag uint8) []moveindex.Index {
	if nag >= 1 && nag <= 31 {
		return append(dst, moveindex.NAG1+moveindex.Index(nag)-1)
	}
	return append(dst, moveindex.NAG, moveindex.Index(nag))
}

// AppendGame appends the words of a game, with its result, to dst. The grammar is frozen (docs/WORDS.md). Of the tags,
// words have only the FEN tag's position, from g.Start. It is codec.ErrLoss, naming the place, for a text or a start
// that words cannot hold, and for a move that is none of the 1,968. The order of annotations and variations is kept.
func AppendGame(dst []moveindex.Index, g *game.Game) ([]moveindex.Index, error) {
	first := len(dst)
	var err error
	if g.Start != position.Start() {
		if dst, err = AppendStart(dst, &g.Start); err != nil {
			return dst[:first], &codec.Error{Offset: -1, Err: err}
		}
	}
	dst, err = appendMovetext(dst, g)
	if err != nil {
		return dst[:first], err
	}
	return append(dst, g.Result.Index()), nil
}

// appendMovetext is AppendGame without the start position and the result.
func appendMovetext(dst []moveindex.Index, g *game.Game) ([]moveindex.Index, error) {
	first := len(dst)
	ply, depth := 0, 0
	for c := g.Cursor(); c.Next(); {
		var err error
		switch c.Kind {
		case game.MoveEvent:
			i, ok := moveindex.Of(c.Move)
			if !ok && c.Move != chess.NullMove {
				err = fmt.Errorf("%w: %v is no move of chess", codec.ErrLoss, c.Move)
			}
			dst = append(dst, i)
			if depth == 0 {
				ply++
			}
		case game.NAG:
			dst = AppendNAG(dst, c.NAG)
		case game.Comment:
			dst, err = AppendText(dst, c.Text)
		case game.VariationStart:
			dst = append(dst, moveindex.VariationStart)
			depth++
		case game.VariationEnd:
			dst = append(dst, moveindex.VariationEnd)
			depth--
		}
		if err != nil {
			return dst[:first], &codec.Error{Ply: ply, Offset: -1, Err: err}
		}
	}
	return dst, nil
}

// decoder reads games from words.
type decoder struct {
	next  func() (moveindex.Index, error) // the next word, idle or not
	build game.Builder
	text  []byte
	line  position.Line

	word  uint64          // the number of words taken so far
	last  moveindex.Index // the last word taken
	limit uint64          // the number of words that may be taken
	ply   int

	failed error // of the input
}

func (d *decoder) take() (moveindex.Index, error) {
	for {
		w, err := d.next()
		if err != nil {
			if err != io.EOF && !errors.Is(err, ErrPadding) {
				d.failed = err
			}
			return w, err
		}
		d.word++
		d.last = w
		if w != moveindex.Idle {
			return w, nil
		}
	}
}

// operand is take inside a game, where the stream must not end.
func (d *decoder) operand() (moveindex.Index, error) {
	if d.word >= d.limit {
		return 0, codec.ErrLimit
	}
	w, err := d.take()
	if err != nil && d.failed == nil {
		return w, codec.ErrTruncated
	}
	return w, err
}

// game reads a game into g. At the end of the stream, before any word of a game, it is io.EOF.
func (d *decoder) game(g *game.Game, limit uint64) error {
	g.Reset()
	d.build.Reset(g)
	d.ply = 0
	d.limit = ^uint64(0)
	w, err := d.take()
	if err != nil {
		return err
	}
	d.limit = d.word - 1 + limit
	if n := StartSize(w); n > 0 {
		var words [Start960Words]moveindex.Index
		for i := range n {
			if words[i], err = d.operand(); err != nil {
				return err
			}
		}
		start, err := DecodeStart(words[:n])
		if err != nil {
			return err
		}
		g.SetStart(start)
		if w, err = d.operand(); err != nil {
			return err
		}
	}
	d.line.Reset(g.Start)
	at := &d.line.At
	for {
		switch {
		case w < moveindex.NumMoves:
			m, _ := w.Move()
			if !at.IsLegal(m) {
				return fmt.Errorf("%w: %v", position.ErrIllegal, m)
			}
			d.line.Make(m)
			d.build.Move(m)
			if d.line.Depth() == 0 {
				d.ply++
			}
		case w == moveindex.Null:
			if at.InCheck() {
				return fmt.Errorf("%w: a null move out of check", position.ErrIllegal)
			}
			d.line.Make(chess.NullMove)
			d.build.Move(chess.NullMove)
			if d.line.Depth() == 0 {
				d.ply++
			}
		case w >= moveindex.NAG1 && w <= moveindex.NAG31:
			d.build.NAG(uint8(w - moveindex.NAG1 + 1))
		case w == moveindex.NAG:
			if w, err = d.operand(); err != nil {
				return err
			}
			if w > 255 {
				return fmt.Errorf("%w: %d", codec.ErrNAG, w)
			}
			d.build.NAG(uint8(w))
		case w == moveindex.Text:
			if err := d.readText(); err != nil {
				return err
			}
			d.build.AddText(d.text)
		case w == moveindex.VariationStart:
			if d.build.AtStart() {
				return fmt.Errorf("%w: a variation with no move before it", codec.ErrGrammar)
			}
			if err := d.build.StartVariation(); err != nil {
				return err
			}
			d.line.Open()
		case w == moveindex.VariationEnd:
			if d.line.Depth() == 0 {
				return fmt.Errorf("%w: the end of a variation that has not begun", codec.ErrGrammar)
			}
			if d.build.AtStart() {
				return fmt.Errorf("%w: a variation with no move in it", codec.ErrGrammar)
			}
			if err := d.build.EndVariation(); err != nil {
				return err
			}
			d.line.Close()
		case w >= moveindex.ResultBlackWins && w <= moveindex.ResultUnknown:
			if d.line.Depth() > 0 {
				return fmt.Errorf("%w: a result inside a variation", codec.ErrGrammar)
			}
			g.Result, _ = game.ResultOf(w)
			d.build.Flush()
			return nil
		case w == moveindex.Start || w == moveindex.Start960:
			return fmt.Errorf("%w: a start position that is not at the front", codec.ErrGrammar)
		default:
			return fmt.Errorf("%w %d", codec.ErrReserved, w)
		}
		if w, err = d.operand(); err != nil {
			return err
		}
	}
}

// readText reads a text, after its first code, into d.text.
func (d *decoder) readText() error {
	d.text = d.text[:0]
	for {
		n, err := d.operand()
		if err != nil {
			return err
		}
		var acc uint32
		var have uint
		for left := int(n); left > 0; {
			w, err := d.operand()
			if err != nil {
				return err
			}
			acc |= uint32(w) << have
			for have += moveindex.Bits; have >= 8 && left > 0; have -= 8 {
				d.text = append(d.text, byte(acc))
				acc >>= 8
				left--
			}
		}
		if acc != 0 {
			return fmt.Errorf("%w: spare bits are set", codec.ErrText)
		}
		if n < maxPiece {
			break
		}
		w, err := d.operand()
		if err != nil {
			return err
		}
		if w != moveindex.Text {
			return fmt.Errorf("%w: a piece of %d bytes that none continues", codec.ErrText, maxPiece)
		}
	}
	if !utf8.Valid(d.text) {
		return fmt.Errorf("%w: %.40q is not valid UTF-8", codec.ErrText, d.text)
	}
	if bytes.IndexByte(d.text, 0) >= 0 {
		return fmt.Errorf("%w: %.40q holds NUL", codec.ErrText, d.text)
	}
	return nil
}

func (d *decoder) fail(number int, err error) error {
	at := d.word
	if at > 0 && !errors.Is(err, codec.ErrTruncated) && !errors.Is(err, codec.ErrLimit) {
		at-- // the word that was taken last
	}
	return codec.AtWord(int(at), d.ply, err).In(number, 0)
}

// DecodeGame reads the game at the front of words into g, which is Reset, and returns the number of words that it
// takes, idle ones too. It verifies the grammar and the moves; an error is a *codec.Error, whose Offset counts words.
// If there are idle words only, it is io.EOF.
func DecodeGame(words []moveindex.Index, g *game.Game) (int, error) {
	at := 0
	d := decoder{next: func() (moveindex.Index, error) {
		if at == len(words) {
			return moveindex.Invalid, io.EOF
		}
		at++
		return words[at-1] & wordMask, nil
	}}
	err := d.game(g, math.MaxInt64)
	if err != nil && err != io.EOF {
		err = d.fail(0, err)
	}
	return at, err
}

// Reader reads games from a stream of words. It is a codec.Reader.
type Reader struct {
	d   decoder
	n   int
	err error // final
}

// NewReader returns a Reader of a .words file or stream. A game of more than 4,194,304 words is codec.ErrLimit.
func NewReader(r io.Reader) *Reader {
	t := new(Reader)
	t.d.next = NewUnpacker(r).Next
	return t
}

// All returns the games from here on: see codec.Reader.
func (t *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(t.Read) }

// Read reads the next game into g: see codec.Reader. After an error of a game it goes on after the next result, which
// may be a word of a text that looks like one. The Offset of an error counts words. An ErrPadding, at the end of the
// stream, is of no game.
func (t *Reader) Read(g *game.Game) error {
	g.Reset()
	if t.err != nil {
		return t.err
	}
	err := t.d.game(g, maxWords)
	switch {
	case err == nil:
		t.n++
		g.Source.Number = t.n
		return nil
	case err == io.EOF:
		t.err = err
		return err
	case codec.IsGameError(err): // padding
		t.err = io.EOF
		return err
	case t.d.failed != nil:
		g.Reset()
		t.err = t.d.failed
		return t.err
	}
	t.n++
	g.Source.Number = t.n
	fail := t.d.fail(t.n, err)
	for {
		w, err := t.d.take()
		if _, ok := game.ResultOf(w); ok || err != nil {
			return fail
		}
	}
}

// Writer writes games as a .words file: a stream of words, filled up with idle words to a multiple of eleven bytes, so
// that files can be joined. It is a codec.Writer.
type Writer struct {
	out   codec.Output
	p     *Packer
	words []moveindex.Index
}

// NewWriter returns a Writer to w. Its Close must be called.
func NewWriter(w io.Writer, options ...codec.WriterOption) *Writer {
	t := &Writer{out: codec.NewOutput(w, options...)}
	t.p = NewPacker(&t.out)
	return t
}

// Write writes a game: see codec.Writer. Tags are a loss. A text, a start or a move that words cannot hold is a
// *codec.Error that is codec.ErrLoss.
func (t *Writer) Write(g *game.Game) error {
	if err := t.out.Begin(); err != nil {
		return err
	}
	var err error
	if t.words, err = AppendGame(t.words[:0], g); err == nil {
		err = codec.TagLosses(g).Err("words")
	}
	if err := t.out.Admit(err); err != nil {
		return err
	}
	t.p.Words(t.words)
	return t.p.Err()
}

// Close writes the idle words at the end: see codec.Writer.
func (t *Writer) Close() error {
	return t.out.End(func() error {
		for t.p.Count()%groupWords != 0 {
			t.p.Word(moveindex.Idle)
		}
		return t.p.Close()
	})
}
