// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/pipeline"
	"ply11/internal/readup"
)

const (
	defaultBlockGames = 1024
	maxBlockGames     = 4096
	// blockText is the length of PGN after which a block ends, if it can; mostText, after which it ends anyway.
	blockText = 1 << 20
	mostText  = 2 << 20
)

// Stats tells what was done.
type Stats struct {
	Games   int   `json:"games"`
	Plies   int64 `json:"plies"`   // of main lines
	Invalid int   `json:"invalid"` // games that are not valid; they count as games if they are kept
	Skipped int   `json:"skipped"` // of them, those left out
	Beside  int   `json:"beside"`  // games with an error that leaves the main line right; they are kept
	Text    int64 `json:"text"`
	Bytes   int64 `json:"bytes"`
	Blocks  int   `json:"blocks"`
	Fixed   int   `json:"fixed_blocks"` // written with fixed moves; of an archive that is written alone
	// SHA256 is the hash of the text that the archive unpacks to, if it is known.
	SHA256 [sha256.Size]byte `json:"-"`
	Hashed bool              `json:"-"`
}

// piece is a part of the input that becomes blocks of its own.
type piece struct {
	data    []byte
	last    bool
	free    bool // it was cut where no game begins: what is left over at its end belongs to the next
	longest int  // the most bytes from the begin of a game, as it seems, to the next
	heavy   bool // it takes much memory for its length: see weigh
}

type packed struct {
	piece  *piece
	data   []byte
	blocks []packedBlock
	errs   []*codec.Error // of games that are not valid, if they are not many
	many   bool           // they are: the piece must be read again for them
	counts Stats
	// ragged: the piece's last game does not seem to end in it.
	ragged bool
	final  int // where that game begins
	rest   int // where the text begins that belongs to the next piece, of a free piece
	err    error
	lines  int
	column int // bytes after the last line
}

// maxKeptErrors is how many errors of a piece are kept: they are larger than a short game.
const maxKeptErrors = 1000

func (p *packed) reset(in *piece) {
	*p = packed{piece: in, data: p.data[:0], blocks: p.blocks[:0], errs: p.errs[:0], rest: len(in.data)}
}

type packedBlock struct {
	head head
	data []byte
	keys *searchKeys
}

type packer struct {
	o    *options
	hint pgn.Style
	zstd *zstd.Encoder
	enc  *encoder
}

func (p *packer) pack(out *packed, in *piece) {
	out.reset(in)
	if p.enc == nil {
		p.enc = newEncoder(p.o, p.zstd)
	}
	var ends []int
	size := len(in.data)
	r := pgn.NewReader(bytes.NewReader(in.data))
	style := pgn.Export()
	begun := false // the block has its first game
	var last recent
	from := 0 // what is stored so far
	flush := func() {
		var b packedBlock
		out.data, b.head = p.enc.block(out.data, 0)
		b.keys = p.enc.keys
		out.blocks, ends = append(out.blocks, b), append(ends, len(out.data))
		begun, last = false, recent{}
	}
	put := func(g *game.Game, bad *codec.Error, end int) {
		if out.err != nil {
			return
		}
		start := int(g.Source.Start)
		if begun && (p.enc.games() >= p.o.blockGames+p.o.blockGames/2 || p.enc.manyTags() || p.enc.apart(g)) {
			flush()
		}
		if !begun {
			p.enc.reset(style)
			begun = true
			if start > from && !p.o.canonical {
				p.enc.setLead(in.data[from:start])
			}
		}
		if bad != nil {
			if len(out.errs) < maxKeptErrors {
				bad.Raw = nil
				out.errs = append(out.errs, bad)
			} else {
				out.many = true
			}
		}
		switch {
		case bad == nil:
		case bad.Beside:
			out.counts.Beside++
		default:
			out.counts.Invalid++
			switch p.o.policy {
			case Skip:
				out.counts.Skipped++
				from = end
				return
			case Stop:
				out.err = bad
				return
			}
		}
		text := in.data[start:end]
		if p.o.canonical && bad == nil {
			text = nil
		}
		flags := byte(0)
		if bad != nil && !bad.Beside {
			flags = exceptInvalid
		}
		departing := p.enc.departing
		err := p.enc.add(g, text, flags)
		if err != nil && text == nil {
			err = p.enc.add(g, in.data[start:end], 0)
		}
		if from = end; err != nil {
			out.err = fmt.Errorf("game %d: %w", g.Source.Number, err)
		} else if bad == nil && text != nil {
			if next, other := last.add(text, p.enc.departing > departing, style); other {
				flush()
				style = next
			}
		}
	}
	if !p.o.canonical {
		style = p.style(in.data)
	}
	var cur, next game.Game
	have := false
	var curErr *codec.Error
	for {
		bad, err := readGame(r, &next)
		if err == io.EOF {
			break
		}
		if err != nil {
			out.err = err
			return
		}
		if have {
			put(&cur, curErr, int(next.Source.Start))
		}
		cur, next = next, cur
		curErr, have = bad, true
	}
	if have {
		out.ragged, out.final = ragged(&cur, curErr), int(cur.Source.Start)
		if in.free && !in.last && int(cur.Source.Start) > 0 {
			out.rest = int(cur.Source.Start)
			size = out.rest
		} else {
			put(&cur, curErr, size)
		}
	}
	if out.err != nil {
		return
	}
	if from < size && !p.o.canonical {
		if begun {
			flush()
		}
		p.enc.reset(style)
		p.enc.setLead(in.data[from:size])
		begun = true
	}
	if begun {
		flush()
	}
	out.lines, out.column = countLines(in.data[:size])
	from = 0
	for i := range out.blocks {
		b := &out.blocks[i]
		b.data, from = out.data[from:ends[i]:ends[i]], ends[i]
	}
	out.counts.Text = int64(size)
}

// readGame reads a game. bad is an error of this game alone.
func readGame(r *pgn.Reader, g *game.Game) (bad *codec.Error, err error) {
	if err = r.Read(g); errors.As(err, &bad) {
		err = nil
	}
	return bad, err
}

// ragged reports whether a text seems to end within its last game, which was read with this error.
func ragged(last *game.Game, err *codec.Error) bool {
	return last.Source.NoTerminator || err != nil &&
		(errors.Is(err, codec.ErrTruncated) || errors.Is(err, codec.ErrGrammar) || errors.Is(err, codec.ErrLimit))
}

func countLines(b []byte) (n, column int) {
	n = bytes.Count(b, []byte{'\n'})
	if bytes.IndexByte(b, '\r') >= 0 {
		n += bytes.Count(b, []byte{'\r'}) - bytes.Count(b, []byte("\r\n"))
	}
	return n, len(b) - 1 - bytes.LastIndexAny(b, "\r\n")
}

func (p *packed) report(do func(*codec.Error)) {
	if !p.many {
		for _, e := range p.errs {
			do(e)
		}
		return
	}
	r := pgn.NewReader(bytes.NewReader(p.piece.data))
	var g game.Game
	for n := p.counts.Invalid + p.counts.Beside; n > 0; {
		bad, err := readGame(r, &g)
		if err != nil {
			return
		}
		if bad != nil {
			bad.Raw = nil
			do(bad)
			n--
		}
	}
}

// style finds the layout of a piece.
func (p *packer) style(data []byte) pgn.Style {
	r := pgn.NewReader(bytes.NewReader(data))
	var s sample
	// next reads a game, and then gives the one before to the sample if it is wanted.
	var last *game.Game
	next := func(wanted func(g *game.Game, text []byte) bool) bool {
		g := new(game.Game)
		bad, err := readGame(r, g)
		end := len(data)
		if err == nil {
			end = int(g.Source.Start)
		}
		if last != nil && wanted(last, data[last.Source.Start:end]) {
			s.games = append(s.games, last)
			s.texts = append(s.texts, data[last.Source.Start:end])
		}
		if last = g; bad != nil {
			last = nil
		}
		return err == nil
	}
	enough := func(one, other int) bool { return one >= sampleSize && (other >= sampleSize || one >= 4*sampleSize) }
	plain, other, more := 0, 0, true
	for n := 0; more && n < 4*defaultBlockGames && !enough(plain, other) && !enough(other, plain); n++ {
		more = next(func(g *game.Game, _ []byte) bool {
			count := &plain
			if !g.Plain() {
				count = &other
			}
			*count++
			return *count <= sampleSize
		})
	}
	style := s.fit(p.hint)
	if style == p.hint {
		return style
	}
	departing := 0
	for n := 0; more && n < sampleReach && departing < sampleSize; n++ {
		more = next(func(g *game.Game, text []byte) bool {
			var exact bool
			if s.buf, exact = render(s.buf[:0], g, &style); !exact || string(s.buf) != string(text) {
				departing++
				return true
			}
			return false
		})
	}
	if departing > 0 {
		return s.fit(style)
	}
	return style
}

// Pack packs a PGN text. It writes to dst as it reads, in memory that does not depend on the length, so that both may
// be pipes.
func Pack(ctx context.Context, dst io.Writer, src io.Reader, options ...PackOption) (Stats, error) {
	o, err := apply(options)
	if err != nil {
		return Stats{}, err
	}
	return pack(ctx, dst, src, o)
}

func pack(ctx context.Context, dst io.Writer, src io.Reader, o options) (_ Stats, err error) {
	defer guard(&err)
	flags := o.flags()
	if o.canonical {
		flags |= flagCanonical
	}
	out := newFileWriter(dst, header{flags})
	out.setMeta(o.meta)
	var sum hash.Hash
	if !o.canonical && o.policy != Skip {
		sum = sha256.New()
	}
	c := &cutter{src: src, sum: sum, games: o.blockGames}

	z := newZstd()
	var first piece
	readErr := c.next(&first)
	if readErr != nil && readErr != io.EOF {
		return out.stats, readErr
	}
	own := packer{o: &o, hint: pgn.Export(), zstd: z}
	if !o.canonical {
		own.hint = own.style(first.data)
	}
	w := packWriter{o: &o, out: out, own: own}
	type job struct {
		in  piece
		out packed
	}
	begun := false
	p := pipeline.Pipeline[job]{
		Workers: o.workers,
		Budget:  underWay,
		Produce: func(j *job) bool {
			if !begun && readErr == nil {
				j.in, begun = first, true
				first.data = nil
				return true
			}
			if readErr == nil {
				readErr = c.next(&j.in)
			}
			return readErr == nil
		},
		Cost: func(j *job) int { return j.in.weigh() },
		Worker: func() func(j *job) {
			w := own
			return func(j *job) {
				if j.in.free {
					return
				}
				w.pack(&j.out, &j.in)
				if j.in.heavy {
					w.enc = nil
				}
			}
		},
		Consume: func(j *job) error { return w.take(&j.in, &j.out) },
	}
	err = p.Run(ctx)
	if err == nil {
		err = w.finish()
	}
	if err == nil && readErr != io.EOF {
		err = readErr
	}
	if err != nil {
		return out.stats, err
	}
	if sum != nil {
		out.setHash(sum)
	}
	err = out.close()
	return out.stats, err
}

// underWay bounds the bytes of text of the pieces that are under way, and costly is what a heavy one counts more.
const (
	underWay = 8 << 20
	costly   = 4 << 20
)

// usualText is the most that a piece of games of usual length has.
const usualText = blockText + 256<<10

// weigh returns what a piece takes of underWay. It is heavy if it is long, or has a long game, or very many different
// tags.
func (p *piece) weigh() int {
	p.heavy = len(p.data) > usualText || p.longest > blockText/8 || manyNames(p.data)
	if p.heavy {
		return len(p.data) + costly
	}
	return len(p.data)
}

// manyNames guesses whether there are more than a few hundred different names of tags.
func manyNames(b []byte) bool {
	var seen [1 << 6]uint64
	count := 0
	for {
		i := bytes.Index(b, []byte("\n["))
		if i < 0 {
			return false
		}
		b = b[i+2:]
		hash := uint32(0)
		for _, c := range b[:min(len(b), 32)] {
			if c == ' ' {
				break
			}
			hash = (hash ^ uint32(c)) * 0x01000193
		}
		hash >>= 20
		if bit := uint64(1) << (hash & 63); seen[hash>>6]&bit == 0 {
			seen[hash>>6] |= bit
			if count++; count > 400 {
				return true
			}
		}
	}
}

// packWriter writes what pieces become, in their order. It packs a game that goes on in the next piece itself.
type packWriter struct {
	o      *options
	out    *fileWriter
	own    packer
	res    packed
	carry  []byte // text of the pieces before that is not stored yet
	final  int    // where the last game of carry begins
	line   int
	column int // bytes of the line that has not ended
	offset int64
}

// take takes a piece, and what it became if it is not free.
func (w *packWriter) take(in *piece, res *packed) error {
	if len(w.carry) == 0 && !in.free && w.own.enc != nil {
		w.own.enc, w.res, w.carry = nil, packed{}, nil // their memory may be large
	}
	if len(w.carry) > 0 || in.free {
		if w.carry == nil {
			w.carry = make([]byte, 0, 2*mostText)
		}
		w.carry = append(w.carry, in.data...)
		if !in.last && len(w.carry) < mostText && w.goesOn() {
			// Its last game does not end here either. To pack all of carry for each piece would cost the square of
			// their number.
			return nil
		}
		res = &w.res
		w.own.pack(res, &piece{data: w.carry, last: in.last, free: in.free, heavy: true})
	}
	data := res.piece.data
	if res.ragged && !in.last && !in.free && len(data) < mostText {
		if len(w.carry) == 0 {
			w.carry = append(w.carry, data...)
		}
		w.final = res.final
		return nil // its last game goes on in the next piece, as it seems
	}
	rest := res.rest
	if rest < len(data) && len(data)-rest >= mostText {
		// No game of this length can be read.
		w.own.pack(res, &piece{data: data, heavy: true})
		rest = len(data)
	}
	if err := w.write(res); err != nil {
		return err
	}
	if len(w.carry) > 0 {
		w.carry = w.carry[:copy(w.carry, w.carry[rest:])]
		w.final = 0
	}
	return nil
}

// goesOn reads carry from its last game on, and reports whether it still seems to end within a game.
func (w *packWriter) goesOn() bool {
	r := pgn.NewReader(bytes.NewReader(w.carry[w.final:]))
	var g game.Game
	from, open := w.final, false
	for {
		bad, err := readGame(r, &g)
		if err != nil {
			return open && err == io.EOF
		}
		open, w.final = ragged(&g, bad), from+int(g.Source.Start)
	}
}

func (w *packWriter) write(res *packed) error {
	if w.o.report != nil {
		number := w.out.stats.Games + w.out.stats.Skipped
		res.report(func(e *codec.Error) {
			e.Game += number
			if e.Line == 1 { // it begins in the text before
				e.Column += w.column
			}
			e.Line += w.line
			e.Offset += w.offset
			w.o.report(e)
		})
	}
	if res.err != nil {
		return res.err
	}
	if res.lines > 0 {
		w.column = 0
	}
	w.line += res.lines
	w.column += res.column
	w.offset += res.counts.Text
	w.out.stats.Invalid += res.counts.Invalid
	w.out.stats.Beside += res.counts.Beside
	w.out.stats.Skipped += res.counts.Skipped
	for i := range res.blocks {
		if err := w.out.block(&res.blocks[i]); err != nil {
			return err
		}
	}
	s := w.out.stats
	s.Text = w.offset
	w.o.progress(s)
	return nil
}

func (w *packWriter) finish() error {
	if len(w.carry) == 0 {
		return nil
	}
	w.own.pack(&w.res, &piece{data: w.carry, last: true, heavy: true})
	return w.write(&w.res)
}

// cutter cuts a text into pieces of at most mostText, where games begin. So what is carried from one piece to the next
// is shorter than maxGame.
type cutter struct {
	src   io.Reader
	sum   hash.Hash
	games int
	rest  []byte
	end   bool
}

// next makes p the next piece, in its memory if that has a fitting size. It returns io.EOF after the last.
func (c *cutter) next(p *piece) error {
	buf := p.data[:0]
	if least := max(usualText, len(c.rest)+256<<10); cap(buf) < least || cap(buf) > 2*usualText {
		buf = make([]byte, 0, least)
	}
	*p = piece{}
	buf = append(buf, c.rest...)
	starts := 0
	looked := 0 // where games' beginnings were looked for
	last := 0
	for {
		for {
			at := nextGame(buf, looked)
			if at < 0 {
				break
			}
			looked = at + 1
			p.longest = max(p.longest, at-last)
			last = at
			if starts++; starts == c.games {
				c.give(p, buf, at, false)
				return nil
			}
		}
		looked = max(looked, len(buf)-len("\r\n\r\n[Event "))
		if len(buf) >= blockText && last > 0 {
			c.give(p, buf, last, false)
			return nil
		}
		if len(buf) >= mostText {
			c.give(p, buf, len(buf), true)
			return nil
		}
		if c.end {
			if len(buf) == 0 {
				return io.EOF
			}
			p.longest = max(p.longest, len(buf)-last)
			p.data, p.last, c.rest = buf, true, c.rest[:0]
			return nil
		}
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, mostText), buf...)
		}
		n, err := readup.To(c.src, buf[len(buf):min(cap(buf), len(buf)+256<<10, mostText)])
		if c.sum != nil {
			c.sum.Write(buf[len(buf) : len(buf)+n])
		}
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			c.end = true
		} else if err != nil {
			return err
		}
	}
}

func (c *cutter) give(p *piece, buf []byte, at int, free bool) {
	c.rest = append(c.rest[:0], buf[at:]...)
	p.data, p.free, p.last = buf[:at], free, c.end && len(c.rest) == 0
}

// nextGame returns where, after from, a game seems to begin: at an Event tag after a blank line; -1 if nowhere.
func nextGame(b []byte, from int) int {
	for from = max(from, 1); from < len(b); {
		i := bytes.Index(b[from:], []byte("\n[Event "))
		if i < 0 {
			return -1
		}
		i += from
		k := i
		if b[k-1] == '\r' {
			k--
		}
		if k > 0 && b[k-1] == '\n' {
			return i + 1
		}
		from = i + 1
	}
	return -1
}
