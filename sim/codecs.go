// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"strings"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// ErrCodec is what the software says of itself: what a codec wrote is not what it reads.
var ErrCodec = errors.New("a codec does not read the game that it wrote")

// errSetUp: a codec that has no place for a start position.
var errSetUp = errors.New("start position")

// A Codec is a form of games that ply11_player plays, with the parameters and the mode that it wants of it.
type Codec struct {
	Name string // "words", "brenner-alt"

	setup   playerSetup // codecs with the same share a simulation
	mode    uint8
	encoder func() encoder
}

// playerSetup are the parameters of ply11_player.
type playerSetup struct{ modes, width, layout int }

func (p playerSetup) player() (*Player, error) {
	return NewPlayer(PlayerParams{Modes: p.modes, Width: p.width, Layout: p.layout})
}

// An encoder turns games into a stream of bytes.
type encoder interface {
	// encode appends the bytes of a game to dst, and returns the indices of the main line that are in it,
	// null moves too, whether its result is, and what was lost. ErrCodec is a fault of the software; any
	// other error means that the codec cannot hold the game.
	encode(dst []byte, g *game.Game) (out []byte, line []moveindex.Index, losses []string, err error)
	// end appends what completes the stream.
	end(dst []byte) []byte
}

// Codecs returns all that the hardware knows.
func Codecs() []Codec {
	all := []Codec{{"words", playerSetup{3, 8, 0}, ModeWords, func() encoder { return new(wordsEncoder) }}}
	for i, l := range brenner.Layouts {
		all = append(all, Codec{"brenner-" + l.String(), playerSetup{3, 8, i}, ModeBrenner, func() encoder { return newBrennerEncoder(l) }})
	}
	return all
}

// FindCodecs returns the codecs of a name: one, all of one document ("brenner"), or "all".
func FindCodecs(name string) []Codec {
	var found []Codec
	for _, c := range Codecs() {
		family, _, _ := strings.Cut(c.Name, "-")
		if name == "all" || name == c.Name || name == family {
			found = append(found, c)
		}
	}
	return found
}

// wordsEncoder packs eleven-bit words, one game at the bit where the last one ended.
type wordsEncoder struct {
	words []moveindex.Index
	line  []moveindex.Index
	rest  [2]byte // of the last byte, the bits that are used
	bits  uint64  // how many those are
}

func (e *wordsEncoder) encode(dst []byte, g *game.Game) ([]byte, []moveindex.Index, []string, error) {
	words, err := bitstream.AppendGame(e.words[:0], g)
	if err != nil {
		return dst, nil, nil, err
	}
	e.words = words
	e.line = indices(e.line[:0], g)
	return e.pack(dst, words), e.line, nil, nil
}

// pack appends words, all but the bits of a byte that is not full.
func (e *wordsEncoder) pack(dst []byte, words []moveindex.Index) []byte {
	at := len(dst)
	total := e.bits + 11*uint64(len(words))
	dst = append(dst, make([]byte, total/8+1)...)
	dst[at] = e.rest[0]
	bitstream.Pack(dst[at:], e.bits, words)
	e.bits = total % 8
	e.rest[0] = dst[len(dst)-1]
	return dst[:len(dst)-1]
}

// end fills up with ones: idle words, and bits that are no word.
func (e *wordsEncoder) end(dst []byte) []byte {
	if e.bits > 0 {
		dst = append(dst, e.rest[0]|0xff<<e.bits)
		e.bits = 0
	}
	return append(dst, 0xff, 0xff)
}

// indices appends the main line as the hardware shows it.
func indices(dst []moveindex.Index, g *game.Game) []moveindex.Index {
	for _, m := range g.MainLine() {
		i, ok := m.Index()
		if !ok {
			i = moveindex.Null
		}
		dst = append(dst, i)
	}
	return dst
}

// brennerEncoder writes Brenner's bytes, dropping what they cannot hold.
type brennerEncoder struct {
	layout  brenner.Layout
	unknown byte // the result *
	words   []moveindex.Index
	all     []moveindex.Index
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

func (e *brennerEncoder) encode(dst []byte, g *game.Game) ([]byte, []moveindex.Index, []string, error) {
	data, losses, err := e.layout.Encode(g, brenner.Options{Lossy: true})
	if err == nil && g.Start != position.Start() {
		err = errSetUp
	}
	if err != nil {
		return dst, nil, losses, err
	}
	if g.Result == game.Unknown {
		data = append(data, e.unknown)
	}
	words, n, err := e.layout.DecodeIndices(e.words[:0], data)
	if err != nil || n != len(data) {
		return dst, nil, losses, fmt.Errorf("%w: %s: %d of %d bytes: %w", ErrCodec, e.layout, n, len(data), err)
	}
	e.words = words
	line := mainLine(words)
	e.all = indices(e.all[:0], g)
	if losses, err = cutShort(e.all, line, losses); err != nil {
		return dst, nil, losses, fmt.Errorf("%w: %s", err, e.layout)
	}
	return append(dst, data...), line, losses, nil
}

func (e *brennerEncoder) end(dst []byte) []byte { return dst }

// mainLine keeps, in place, the moves and null moves of the main line of a game's words without texts and
// start.
func mainLine(words []moveindex.Index) []moveindex.Index {
	line, depth := words[:0], 0
	for _, w := range words {
		switch {
		case w == moveindex.VariationStart:
			depth++
		case w == moveindex.VariationEnd:
			depth--
		case depth == 0 && (w < moveindex.NumMoves || w == moveindex.Null):
			line = append(line, w)
		}
	}
	return line
}

// cutShort compares the main line of a game with what a codec read back: that may be the front of it, which
// is a loss.
func cutShort(all, line []moveindex.Index, losses []string) ([]string, error) {
	for i, w := range line {
		if i >= len(all) || all[i] != w {
			return losses, fmt.Errorf("%w: ply %d", ErrCodec, i+1)
		}
	}
	if len(line) < len(all) {
		losses = append(losses, fmt.Sprintf("the rest at ply %d", len(line)+1))
	}
	return losses, nil
}
