// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/eda"
	"ply11/sim/netlists"
	"ply11/sim/oracle"
)

// ErrCodec is a fault of a codec: it does not read what it wrote.
var ErrCodec = errors.New("a codec does not read the game that it wrote")

// A Codec is a form of games that ply11_player plays, with the parameters and the mode that it wants.
type Codec struct {
	Name string // "words", "brenner-alt"

	setup     playerSetup // with no other mode than its own
	mode      uint8
	numbering uint8 // ChessBase's: 0 document, 1 CBASCII
	encoder   func() encoder
}

type playerSetup struct{ modes, width, layout, dialect, depth, legal, mate int }

// with returns the setup of a player with the modes of both, and whether there is one.
func (p playerSetup) with(q playerSetup) (playerSetup, bool) {
	modes := p.modes | q.modes
	p.modes, q.modes = modes, modes
	return p, p == q
}

func (p playerSetup) verilog() (eda.Verilog, error) {
	const module = "ply11_player"
	files, err := filesOf(module)
	return eda.Verilog{Top: module, Params: []string{
		fmt.Sprintf("MODES=%d", p.modes), fmt.Sprintf("WIDTH=%d", p.width), fmt.Sprintf("LAYOUT=%d", p.layout),
		fmt.Sprintf("DIALECT=%d", p.dialect),
		fmt.Sprintf("DEPTH=%d", p.depth), fmt.Sprintf("LEGAL=%d", p.legal), fmt.Sprintf("MATE=%d", p.mate),
	}, Files: files}, err
}

func (c *Codec) texts(dst []oracle.TextByte, data []byte) []oracle.TextByte {
	switch c.mode {
	case oracle.ModeBrenner:
		return oracle.BrennerTexts(dst, brenner.Layouts[c.setup.layout], data)
	case oracle.ModeJose:
		return oracle.JoseTexts(dst, jose.Dialect(c.setup.dialect), data)
	}
	return dst
}

// circuit names the codec's netlist: one for both numberings of ChessBase; "-legal" is behind it with a referee.
func (c *Codec) circuit() string {
	name := c.Name
	if c.mode == oracle.ModeChessBase {
		name, _, _ = strings.Cut(name, "-")
	}
	if c.setup.legal != 0 {
		name += "-legal"
	}
	if c.setup.mate != 0 {
		name += "-mate"
	}
	return name
}

// design returns the codec's player. Yosys makes the netlists that are not stored, which takes up to a minute.
func (c *Codec) design(ctx context.Context) (*design, error) {
	v, err := c.setup.verilog()
	if err != nil {
		return nil, err
	}
	n, err := storedNetlist(c.circuit())
	if errors.Is(err, netlists.ErrAbsent) {
		n, err = makeNetlist(ctx, v)
	}
	if err != nil {
		return nil, err
	}
	return newDesign(v, n, "m", "text"), nil
}

type encoder interface {
	// encode appends the bytes of a game to dst. An error but ErrCodec means that the codec cannot hold the game.
	encode(dst []byte, g *crossGame) ([]byte, held, error)
	// end appends what completes the stream.
	end(dst []byte) []byte
}

// held is what of a game a codec holds.
type held struct {
	variations bool
	plies      int      // of the game, in the order of the text; with those of variations if it holds any
	load       bool     // the start position comes from outside
	losses     []string // what it does not hold
}

// Codecs returns all that the hardware knows.
func Codecs() []Codec {
	// The players of the first group play variations, the others step over them. hdl/netlists.tsv has the same.
	const depth = 4
	all := []Codec{
		{"words", playerSetup{modes: 1, width: 8, depth: depth}, oracle.ModeWords, 0,
			func() encoder { return new(wordsEncoder) }},
		{"words-32", playerSetup{modes: 1, width: 32}, oracle.ModeWords, 0,
			func() encoder { return new(wordsEncoder) }},
	}
	for i, l := range brenner.Layouts {
		setup := playerSetup{modes: 2, width: 8, layout: i}
		if l == brenner.Main {
			setup.depth = depth
		}
		all = append(all, Codec{"brenner-" + l.String(), setup, oracle.ModeBrenner, 0,
			func() encoder { return newBrennerEncoder(l) }})
	}
	for _, d := range jose.Dialects {
		setup := playerSetup{modes: 4, width: 8, dialect: int(jose.Document), depth: depth}
		if d == jose.Program {
			setup = playerSetup{modes: 4, width: 8, dialect: int(jose.Program)}
		}
		all = append(all, Codec{"jose-" + d.String(), setup, oracle.ModeJose, 0,
			func() encoder { return &joseEncoder{dialect: d} }})
	}
	for i, n := range []chessbase.Numbering{chessbase.NumberingDocument, chessbase.NumberingCBASCII} {
		setup := playerSetup{modes: 8, width: 8, depth: depth}
		all = append(all, Codec{"chessbase-" + n.String(), setup, oracle.ModeChessBase, uint8(i),
			func() encoder { return &chessbaseEncoder{numbering: n} }})
	}
	return all
}

// Refereed returns the codecs with players that judge moves by all the rules.
func Refereed(codecs []Codec) []Codec {
	codecs = slices.Clone(codecs)
	for i := range codecs {
		codecs[i].setup.legal = 1
	}
	return codecs
}

// FindCodecs returns the codecs of a name: one, all of a document ("brenner"), or "all".
func FindCodecs(name string) []Codec {
	var found []Codec
	for _, c := range Codecs() {
		if name == c.Name {
			return []Codec{c}
		}
		if family, _, _ := strings.Cut(c.Name, "-"); name == "all" || name == family {
			found = append(found, c)
		}
	}
	return found
}

// wordsEncoder packs eleven-bit words, one game at the bit where the last one ended.
type wordsEncoder struct {
	words []moveindex.Index
	rest  byte   // of the last byte, the bits that are used
	bits  uint64 // how many those are
}

func (e *wordsEncoder) encode(dst []byte, g *crossGame) ([]byte, held, error) {
	words, err := bitstream.AppendGame(e.words[:0], g.g)
	if err != nil {
		return dst, held{}, err
	}
	e.words = words
	return e.pack(dst, words), held{variations: true, plies: len(g.plies)}, nil
}

// pack appends words, all but the bits of a byte that is not full.
func (e *wordsEncoder) pack(dst []byte, words []moveindex.Index) []byte {
	at := len(dst)
	total := e.bits + 11*uint64(len(words))
	dst = append(dst, make([]byte, total/8+1)...)
	dst[at] = e.rest
	bitstream.Pack(dst[at:], e.bits, words)
	e.bits = total % 8
	e.rest = dst[len(dst)-1]
	return dst[:len(dst)-1]
}

func (e *wordsEncoder) end(dst []byte) []byte {
	if e.bits > 0 {
		dst = append(dst, e.rest|0xff<<e.bits)
		e.bits = 0
	}
	return append(dst, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
}

// brennerEncoder writes Brenner's bytes, dropping what they cannot hold.
type brennerEncoder struct {
	layout  brenner.Layout
	unknown byte // the result *
	words   []moveindex.Index
}

func newBrennerEncoder(l brenner.Layout) *brennerEncoder {
	e := &brennerEncoder{layout: l}
	for b := range 256 {
		if l.Meaning(uint8(b)).Class == brenner.UnknownResult {
			e.unknown = uint8(b)
		}
	}
	return e
}

func (e *brennerEncoder) encode(dst []byte, g *crossGame) ([]byte, held, error) {
	if g.g.Start != position.Start() {
		return e.encodeSetUp(dst, g)
	}
	data, err := e.layout.Encode(g.g)
	losses := codec.LossesOf(err)
	if err != nil && losses == nil {
		return dst, held{}, err
	}
	if g.g.Result == game.Unknown {
		data = append(data, e.unknown)
	}
	words, n, err := e.layout.DecodeIndices(e.words[:0], data)
	if err == nil && n != len(data) {
		err = fmt.Errorf("only %d of %d bytes are read", n, len(data))
	}
	if err != nil {
		return dst, held{}, fmt.Errorf("%w: %w", ErrCodec, err)
	}
	e.words = words
	h := held{losses: losses}
	err = h.compare(g, words)
	return append(dst, data...), h, err
}

func (e *brennerEncoder) encodeSetUp(dst []byte, g *crossGame) ([]byte, held, error) {
	at := len(dst)
	dst, plies, losses, err := e.layout.AppendLoaded(dst, g.g)
	if errors.Is(err, codec.ErrTooManyPieces) {
		err = codec.ErrTooManyPieces
	}
	if err != nil {
		return dst[:at], held{}, err
	}
	result := e.unknown
	switch g.g.Result {
	case game.BlackWins:
		result = 1
	case game.WhiteWins:
		result = 2
	case game.Draw:
		result = 3
	}
	return append(dst, result), held{plies: plies, load: true, losses: losses}, nil
}

func (e *brennerEncoder) end(dst []byte) []byte { return dst }

// joseEncoder writes GameText, with its start position beside it.
type joseEncoder struct {
	dialect jose.Dialect
	decoder jose.Decoder
	words   []moveindex.Index
}

func (e *joseEncoder) encode(dst []byte, g *crossGame) ([]byte, held, error) {
	rec, err := e.dialect.Encode(g.g, jose.Table)
	losses := codec.LossesOf(err)
	if err != nil && losses == nil {
		return dst, held{}, err
	}
	// A game with pieces that have no number is refused here.
	words, n, err := e.decoder.DecodeIndices(e.dialect, &g.g.Start, e.words[:0], rec.GameText)
	switch {
	case errors.Is(err, codec.ErrTooManyPieces):
		return dst, held{}, codec.ErrTooManyPieces
	case err == nil && n != len(rec.GameText):
		err = fmt.Errorf("only %d of %d bytes are read", n, len(rec.GameText))
	}
	if err != nil {
		return dst, held{}, fmt.Errorf("%w: %w", ErrCodec, err)
	}
	e.words = words
	h := held{variations: true, load: g.g.Start != position.Start(), losses: losses}
	err = h.compare(g, words)
	return append(dst, rec.GameText...), h, err
}

func (e *joseEncoder) end(dst []byte) []byte { return dst }

// chessbaseEncoder writes the moves of CBF records, each with its end and result, and the start position beside it.
type chessbaseEncoder struct {
	numbering chessbase.Numbering
	record    chessbase.Record
	words     []moveindex.Index
}

// errNull is why ChessBase's games with null moves are refused: the record would leave out a part.
var errNull = errors.New("null move")

func (e *chessbaseEncoder) encode(dst []byte, g *crossGame) ([]byte, held, error) {
	for i := range g.plies {
		if g.plies[i].Index == moveindex.Null {
			return dst, held{}, errNull
		}
	}
	err := chessbase.EncodeGame(g.g, &e.record, e.numbering)
	losses := codec.LossesOf(err)
	if err != nil && losses == nil {
		return dst, held{}, err
	}
	words, err := chessbase.AppendIndices(e.words[:0], e.record.Moves, &g.g.Start, e.numbering)
	if err != nil {
		return dst, held{}, fmt.Errorf("%w: %w", ErrCodec, err)
	}
	e.words = words
	h := held{variations: true, load: g.g.Start != position.Start(), losses: losses}
	err = h.compare(g, words)
	return append(append(dst, e.record.Moves...), 0, e.record.Header[1]), h, err
}

func (e *chessbaseEncoder) end(dst []byte) []byte { return dst }

// compare counts the plies that the codec has read back: all of the game's, or the first ones, which is a loss.
func (h *held) compare(g *crossGame, words []moveindex.Index) error {
	depth, at := uint8(0), 0
	skip := func() {
		for at < len(g.plies) && g.plies[at].Depth > 0 && !h.variations {
			at++
		}
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == moveindex.NAG:
			i++
		case w == moveindex.VariationStart:
			depth++
		case w == moveindex.VariationEnd:
			depth--
		case w < moveindex.NumMoves || w == moveindex.Null:
			if skip(); at == len(g.plies) || g.plies[at].Index != w || g.plies[at].Depth != depth {
				return fmt.Errorf("%w: move %d", ErrCodec, h.plies+1)
			}
			at++
			h.plies++
		}
	}
	told := func(loss string) bool { return strings.HasSuffix(loss, "what follows it") }
	if skip(); at < len(g.plies) && !slices.ContainsFunc(h.losses, told) {
		h.losses = append(h.losses, "moves and what follows them")
	}
	return nil
}
