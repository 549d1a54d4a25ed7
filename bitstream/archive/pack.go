// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime"
	"slices"
	"sync"

	"ply11/game"
	"ply11/game/pgn"
)

// Policy is what becomes of games that are not valid.
type Policy uint8

// The policies.
const (
	Keep Policy = iota // they are kept, as their exact text and as much of the game as is valid
	Skip               // they are left out
	Stop               // they end the work with their error
)

// ParsePolicy reads "keep", "skip" or "stop".
func ParsePolicy(s string) (Policy, bool) {
	i := slices.Index([]string{"keep", "skip", "stop"}, s)
	return Policy(max(i, 0)), i >= 0
}

// Options of packing. The zero value is the default of everything.
type Options struct {
	// Canonical drops the layout of the text, and keeps all content.
	Canonical bool
	// OnError is the policy for games that are not valid.
	OnError Policy
	// Dense stores the moves by package dense, in about three bits a ply instead of eleven: to read a game is then to
	// decode those of its block. A block with a move that package dense cannot code stays as it is without.
	Dense bool
	// Smallest takes three times the time to compress tags and annotations, for some 4 % of their size.
	Smallest bool
	// Report is called with the error of each such game, in order.
	Report func(*pgn.GameError)
	// Progress is called now and then with what has been done.
	Progress func(Stats)
	// Workers is the number of goroutines; 0 is one for each processor, at most 4. The result does not
	// depend on it.
	Workers int
	// BlockGames is the number of games of a block, 1,024 if it is 0, at most 4,096. Large blocks are
	// smaller in sum, small ones are quicker to read a single game from.
	BlockGames int
}

// Limits of a block.
const (
	defaultBlockGames = 1024
	maxBlockGames     = 4096
	// blockText is the length of PGN after which a block ends, if it can.
	blockText = 1 << 20
	// mostText is the length after which it ends anyway.
	mostText = 2 << 20
)

// maxWorkers bounds the goroutines, each of which holds some 10 MiB.
const maxWorkers = 4

// atMostWorkers returns how many goroutines to use where n are asked for, 0 for one for each processor.
func atMostWorkers(n int) int {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, maxWorkers)
}

func (o Options) withDefaults() Options {
	o.Workers = atMostWorkers(o.Workers)
	if o.BlockGames <= 0 {
		o.BlockGames = defaultBlockGames
	}
	o.BlockGames = min(o.BlockGames, maxBlockGames)
	return o
}

// Stats tells what was done.
type Stats struct {
	Games   uint64 `json:"games"`
	Plies   uint64 `json:"plies"`   // of main lines
	Invalid uint64 `json:"invalid"` // games that are not valid; they count as games if they are kept
	Skipped uint64 `json:"skipped"` // of them, those left out
	Text    int64  `json:"text"`    // bytes of PGN
	Bytes   int64  `json:"bytes"`   // of the archive
	Blocks  int    `json:"blocks"`
	// SHA256 is the hash of the text that the archive unpacks to, if it is known.
	SHA256 [sha256.Size]byte `json:"-"`
	Hashed bool              `json:"-"`
}

// piece is a part of the input that becomes blocks of its own.
type piece struct {
	data []byte
	last bool // of the input
	free bool // it was cut where no game begins: what is left over at its end belongs to the next
}

// packed is what a piece becomes.
type packed struct {
	piece  *piece
	blocks []packedBlock
	errs   []*pgn.GameError
	counts Stats
	// ragged: the piece's last game does not end in it, as it seems.
	ragged bool
	rest   int // where the text begins that belongs to the next piece, of a free piece
	err    error
	lines  int
}

type packedBlock struct {
	head head
	data []byte // header and columns
}

// packer turns pieces into blocks.
type packer struct {
	o    Options
	hint pgn.Style
	enc  *encoder
}

func newPacker(o Options, hint pgn.Style) *packer {
	return &packer{o: o, hint: hint, enc: newEncoder(&o)}
}

// pack packs a piece.
func (p *packer) pack(in *piece) (out *packed) {
	out = &packed{piece: in, rest: len(in.data)}
	size := len(in.data)
	r := pgn.NewReader(bytes.NewReader(in.data), pgn.Options{})
	style := pgn.Export()
	begun := false // the block has its first game
	from := 0      // what is stored so far
	flush := func() {
		var b packedBlock
		b.data, b.head = p.enc.block(nil, 1, 0)
		out.blocks = append(out.blocks, b)
		begun = false
	}
	put := func(g *game.Game, bad *pgn.GameError, end int) {
		if out.err != nil {
			return
		}
		start := int(g.Source.Start)
		if begun && p.enc.games() >= p.o.BlockGames+p.o.BlockGames/2 {
			flush()
		}
		if !begun {
			p.enc.reset(style)
			begun = true
			if start > from && !p.o.Canonical {
				p.enc.setLead(in.data[from:start])
			}
		}
		if bad != nil {
			out.errs = append(out.errs, bad)
			out.counts.Invalid++
			switch p.o.OnError {
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
		if p.o.Canonical && bad == nil {
			text = nil
		}
		if err := p.enc.add(g, text, bad != nil); err != nil {
			if text != nil {
				out.err = fmt.Errorf("game %d: %w", g.Source.Number, err)
				return
			}
			// What the columns cannot hold keeps its text.
			if err := p.enc.add(g, in.data[start:end], false); err != nil {
				out.err = fmt.Errorf("game %d: %w", g.Source.Number, err)
				return
			}
		}
		from = end
	}
	if !p.o.Canonical {
		style = p.style(in.data)
	}
	var cur, next game.Game
	have := false
	var curErr *pgn.GameError
	for {
		err := r.Read(&next)
		if err == io.EOF {
			break
		}
		var bad *pgn.GameError
		if err != nil && !errors.As(err, &bad) {
			out.err = err
			return out
		}
		if have {
			put(&cur, curErr, int(next.Source.Start))
		}
		cur, next = next, cur
		curErr, have = bad, true
	}
	if have {
		out.ragged = cur.Source.NoTerminator || curErr != nil &&
			(errors.Is(curErr, pgn.ErrComment) || errors.Is(curErr, pgn.ErrVariation) || errors.Is(curErr, pgn.ErrLimit))
		if in.free && !in.last && int(cur.Source.Start) > 0 {
			out.rest = int(cur.Source.Start)
			size = out.rest
		} else {
			put(&cur, curErr, size)
		}
	}
	if out.err != nil {
		return out
	}
	if from < size && !p.o.Canonical {
		// Text without a game, or before the first of the next piece.
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
	out.lines = bytes.Count(in.data[:size], []byte{'\n'})
	for _, b := range out.blocks {
		out.counts.Games += uint64(b.head.games)
		out.counts.Plies += uint64(b.head.plies)
	}
	out.counts.Text = int64(size)
	return out
}

// style finds the layout of a piece.
func (p *packer) style(data []byte) pgn.Style {
	r := pgn.NewReader(bytes.NewReader(data), pgn.Options{})
	var s sample
	var last *game.Game
	plain, other := 0, 0
	for range 4 * defaultBlockGames {
		g := new(game.Game)
		err := r.Read(g)
		end := len(data)
		if err == nil {
			end = int(g.Source.Start)
		}
		if last != nil {
			s.games = append(s.games, last)
			s.texts = append(s.texts, data[last.Source.Start:end])
			last = nil
		}
		var bad *pgn.GameError
		if err != nil && !errors.As(err, &bad) {
			break
		}
		if err != nil {
			continue
		}
		if g.Plain() {
			if plain++; plain <= sampleSize {
				last = g
			}
		} else if other++; other <= sampleSize {
			last = g
		}
		if plain >= sampleSize && (other >= sampleSize || plain >= 4*sampleSize) && last == nil {
			break
		}
	}
	return s.fit(p.hint)
}

// Pack packs a PGN text. It reads src to its end, in memory that does not depend on its length, and writes
// to dst as it goes, so that both may be pipes. What it writes depends on the text and the options but for Workers.
func Pack(dst io.Writer, src io.Reader, options ...Options) (Stats, error) {
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	o = o.withDefaults()
	flags := uint32(0)
	if o.Canonical {
		flags |= flagCanonical
	}
	out := newFileWriter(dst, header{versionOf(o.Dense), flags})
	var sum hash.Hash
	if !o.Canonical && o.OnError != Skip {
		sum = sha256.New()
	}
	c := &cutter{src: src, sum: sum, games: o.BlockGames}

	// The first piece tells the layout with which the others begin.
	first, err := c.next()
	if err != nil && err != io.EOF {
		return out.stats, err
	}
	hint := pgn.Export()
	if first != nil && !o.Canonical {
		hint = newPacker(o, hint).style(first.data)
	}

	type job struct {
		in  *piece
		out chan *packed
	}
	workers := o.Workers
	jobs := make(chan job, workers)
	order := make(chan job, workers)
	stop := make(chan struct{})
	var readErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		in := first
		for in != nil {
			j := job{in, make(chan *packed, 1)}
			select {
			case order <- j:
			case <-stop:
				return
			}
			if !in.free {
				select {
				case jobs <- j:
				case <-stop:
					return
				}
			}
			var err error
			if in, err = c.next(); err != nil && err != io.EOF {
				readErr = err
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			p := newPacker(o, hint)
			for j := range jobs {
				j.out <- p.pack(j.in)
			}
		})
	}
	var own *packer
	work := func() error {
		var carry []byte // text of the pieces before that is not stored yet
		line, offset := 0, int64(0)
		for j := range order {
			var res *packed
			if !j.in.free {
				res = <-j.out
			}
			if len(carry) > 0 || j.in.free {
				if own == nil {
					own = newPacker(o, hint)
				}
				data := append(carry, j.in.data...)
				res = own.pack(&piece{data: data, last: j.in.last, free: j.in.free})
				carry = nil
			}
			if res.ragged && !j.in.last && !j.in.free && len(res.piece.data) < mostText {
				carry = res.piece.data // its last game goes on in the next piece, as it seems
				continue
			}
			if res.rest < len(res.piece.data) {
				if len(res.piece.data)-res.rest < mostText {
					carry = slices.Clone(res.piece.data[res.rest:])
				} else {
					// A game of this length is none that can be read.
					res = own.pack(&piece{data: res.piece.data})
				}
			}
			for _, e := range res.errs {
				e.Game += int(out.stats.Games) + int(out.stats.Skipped)
				e.Line += line
				e.Offset += offset
				if o.Report != nil {
					o.Report(e)
				}
			}
			if res.err != nil {
				return res.err
			}
			line += res.lines
			offset += res.counts.Text
			out.stats.Invalid += res.counts.Invalid
			out.stats.Skipped += res.counts.Skipped
			for i := range res.blocks {
				if err := out.block(&res.blocks[i]); err != nil {
					return err
				}
			}
			if o.Progress != nil {
				s := out.stats
				s.Text = offset
				o.Progress(s)
			}
		}
		if len(carry) > 0 {
			res := own.pack(&piece{data: carry, last: true})
			if res.err != nil {
				return res.err
			}
			for i := range res.blocks {
				if err := out.block(&res.blocks[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err = work()
	close(stop)
	for range order {
	}
	wg.Wait()
	if err == nil {
		err = readErr
	}
	if err != nil {
		return out.stats, err
	}
	if sum != nil {
		sum.Sum(out.stats.SHA256[:0])
		out.stats.Hashed = true
	}
	err = out.close()
	return out.stats, err
}

// cutter cuts a text into pieces, where games begin.
type cutter struct {
	src   io.Reader
	sum   hash.Hash
	games int
	rest  []byte // read and not given
	end   bool
}

// next returns the next piece, and io.EOF with nil after the last.
func (c *cutter) next() (*piece, error) {
	buf := make([]byte, len(c.rest), max(len(c.rest), blockText)+256<<10)
	copy(buf, c.rest)
	starts := 0
	looked := 0 // where games' beginnings were looked for
	last := 0   // the last that was found
	for {
		// Count beginnings in what is there.
		for {
			at := nextGame(buf, looked)
			if at < 0 {
				break
			}
			looked = at + 1
			last = at
			if starts++; starts == c.games {
				return c.give(buf, at, false), nil
			}
		}
		looked = max(looked, len(buf)-len("\r\n\r\n[Event "))
		if len(buf) >= blockText && last > 0 {
			return c.give(buf, last, false), nil
		}
		if len(buf) >= mostText {
			return c.give(buf, len(buf), true), nil
		}
		if c.end {
			if len(buf) == 0 {
				return nil, io.EOF
			}
			c.rest = nil
			return &piece{data: buf, last: true}, nil
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 1<<20)
		}
		n, err := io.ReadFull(c.src, buf[len(buf):min(cap(buf), len(buf)+256<<10)])
		if c.sum != nil {
			c.sum.Write(buf[len(buf) : len(buf)+n])
		}
		buf = buf[:len(buf)+n]
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			c.end = true
		} else if err != nil {
			return nil, err
		}
	}
}

func (c *cutter) give(buf []byte, at int, free bool) *piece {
	c.rest = append(c.rest[:0:0], buf[at:]...)
	return &piece{data: buf[:at:at], free: free, last: c.end && len(c.rest) == 0}
}

// nextGame returns where, after from, a game seems to begin: at an Event tag after a blank line; -1 if
// nowhere.
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
