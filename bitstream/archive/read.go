// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/inplace"
	"ply11/position"
)

// Reader reads games of an archive in any order. It is also a codec.Reader. It keeps a block or two, and nothing that
// grows with the archive. It is not for several goroutines at once: each opens its own.
type Reader struct {
	r          io.ReaderAt
	size       int64
	header     header
	headed     bool // the header was read
	beheaded   bool // and need not be sound
	end        trailer
	stats      Stats
	blocks     int
	b          Block
	root       root
	unfinished *UnfinishedError // what is after the archive; nil if nothing is
	nodes      [levels]node
	peeked     Block // of which little is read: see Peek
	fronts     *Fronts
	next       int   // the game that Read reads
	loaded     int   // the number of the block in b, from 1; 0 for none
	err        error // final, of Read
}

// NewReader returns a Reader of an archive of this size. It verifies the footer and the trailer, and the header of a
// small file: one read of 48 KiB, and one more where somebody adds games to it. The Reader is then of the archive of
// before: see Unfinished. The size may be old by then; if r has the method Stat of an *os.File, that is no error.
func NewReader(r io.ReaderAt, size int64) (_ *Reader, err error) {
	defer guard(&err)
	var t *Reader
	err = inplace.Open(r, size, func(size int64) error {
		t = &Reader{r: r, size: size}
		return t.open()
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// readAt fills b. What is beyond the end of the file stays as it is: checksums tell.
func readAt(r io.ReaderAt, b []byte, at int64) error {
	_, err := r.ReadAt(b, at)
	if err == io.EOF {
		err = nil
	}
	return err
}

func hasGame(n, games int) error {
	if n <= 0 || n > games {
		return fmt.Errorf("%w: %d of %d", ErrNoGame, n, games)
	}
	return nil
}

func (t *Reader) hasBlock(n int) error {
	if n <= 0 || n > t.blocks {
		return fmt.Errorf("%w: block %d of %d", ErrNoGame, n, t.blocks)
	}
	return nil
}

// Stats returns the counts of the archive.
func (t *Reader) Stats() Stats { return t.stats }

// Digest returns the digest of the footer. Archives with the same one hold the same blocks.
func (t *Reader) Digest() [16]byte { return t.end.sum }

// Len returns the number of games.
func (t *Reader) Len() int { return t.stats.Games }

// All returns the games from here on: see codec.Reader.
func (t *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(t.Read) }

// Read reads the next game into g: see codec.Reader. A game that the archive keeps as text is a *codec.Error that is
// ErrInvalid. What is corrupt is final.
func (t *Reader) Read(g *game.Game) error {
	g.Reset()
	if t.err != nil {
		return t.err
	}
	if t.next == t.stats.Games {
		return io.EOF
	}
	t.next++
	b, n, err := t.Find(t.next)
	if err == nil {
		err = b.read(n, g)
	}
	if err != nil && !codec.IsGameError(err) {
		t.err = err
	}
	return err
}

// Blocks returns the number of blocks.
func (t *Reader) Blocks() int { return t.blocks }

// Canonical reports whether the layout of the text that was packed is not kept.
func (t *Reader) Canonical() bool { return t.header.flags&flagCanonical != 0 }

// Unfinished returns an *UnfinishedError if something that the Reader leaves out stands behind the archive in the file.
// It reads nothing.
func (t *Reader) Unfinished() error {
	if t.unfinished == nil {
		return nil // and no error that holds nil
	}
	return t.unfinished
}

// Edited reports whether games were taken out or changed where the archive is: see Ordered.
func (t *Reader) Edited() bool { return t.root.edited }

// HasDense reports whether there are dense moves in the archive.
func (t *Reader) HasDense() bool { return t.root.dense > 0 }

// Meta returns the properties of the archive, such as "source". They are no part of what was packed.
func (t *Reader) Meta() map[string]string { return t.root.meta() }

type node struct {
	part
	at       uint64 // where it is; 0 for none
	all      span
	before   span
	searched searchPart
}

type location struct {
	ref
	before span
}

// locate returns block n (from 0), or the block that has game n (from 0). It reads the parts of the index that lead to
// it, unless they are here.
func (t *Reader) locate(n uint64, game bool) (location, error) {
	covers := func(before, s span) bool {
		if game {
			return n >= before.games && n < before.games+s.games
		}
		return n >= uint64(before.blocks) && n < uint64(before.blocks+s.blocks)
	}
	var before span
	find := func(refs []ref, level int) (ref, bool) {
		for _, e := range refs {
			s := e.spanOf(level)
			if covers(before, s) {
				return e, true
			}
			before = before.plus(s)
		}
		return ref{}, false
	}
	leaf := &t.nodes[0]
	found := leaf.at != 0 && covers(leaf.before, leaf.all)
	for level := levels - 1; level >= 0 && !found; level-- {
		var e ref
		for e, found = find(t.root.top[level], level); found; level-- {
			part := &t.nodes[level]
			if part.at != e.at {
				if err := t.loadPart(part, level, e); err != nil {
					return location{}, err
				}
			}
			if part.before = before; level == 0 {
				break
			}
			e, found = find(part.refs, level-1)
		}
	}
	if before = leaf.before; found {
		if e, ok := find(leaf.refs, -1); ok {
			return location{e, before}, nil
		}
	}
	return location{}, corruptPart("index", 0, "it does not have all blocks")
}

func (t *Reader) loadPart(n *node, level int, e ref) error {
	n.at = 0
	b := make([]byte, e.size)
	if err := readAt(t.r, b, int64(e.at)); err != nil {
		return err
	}
	fail := func(detail string) error {
		return corruptPart("index", int64(e.at), detail)
	}
	if digestOf(b) != e.sum {
		return fail(wrongDigest)
	}
	if len(b) < partFixed+4 || partSize(b) != len(b) {
		return fail("it is not of its size")
	}
	if err := n.decode(b, int64(e.at), t.root.edited); err != nil {
		return err
	}
	if n.all = sumOf(n.refs, level-1); n.level != level || n.all != e.spanOf(level) {
		return fail("it is not what is told of it")
	}
	n.at = e.at
	n.searched.open(t.r, &n.part, int64(e.at))
	return nil
}

const searchLevel = -2

// entries calls do with each entry of the index, front to back. Those of blocks have the level -1, and search parts
// searchLevel.
func (t *Reader) entries(do func(level int, e ref)) error {
	var visit func(level int, refs []ref) error
	visit = func(level int, refs []ref) error {
		for _, e := range refs {
			do(level, e)
			if level < 0 {
				continue
			}
			var n node
			if err := t.loadPart(&n, level, e); err != nil {
				return err
			}
			if size := searchSize(n.search); size > 0 {
				do(searchLevel, ref{at: e.at - uint64(size), size: uint32(size)})
			}
			if err := visit(level-1, n.refs); err != nil {
				return err
			}
		}
		return nil
	}
	for level := levels - 1; level >= 0; level-- {
		if err := visit(level, t.root.top[level]); err != nil {
			return err
		}
	}
	return nil
}

// Dead returns how many bytes of the file nothing tells of any more, because games were added or changed. It reads the
// whole index.
func (t *Reader) Dead() (int64, error) {
	dead := t.size - headerSize - int64(t.end.size) - trailerSize
	err := t.entries(func(_ int, e ref) { dead -= int64(e.size) })
	return dead, err
}

// Block returns a block by its number, from 1. It is valid until another is asked for.
func (t *Reader) Block(n int) (_ *Block, err error) {
	defer guard(&err)
	if err := t.hasBlock(n); err != nil {
		return nil, err
	}
	if n == t.loaded {
		return &t.b, nil
	}
	t.loaded = 0
	if err := t.load(&t.b, n, false); err != nil {
		return nil, err
	}
	t.loaded = n
	return &t.b, nil
}

// load makes b a block, of which it reads all, or the front.
func (t *Reader) load(b *Block, number int, front bool) error {
	e, err := t.locate(uint64(number-1), false)
	if err != nil {
		return err
	}
	at, room, size := int64(e.at), int64(e.size), int64(e.size)
	fail := func(detail string) error {
		return corruptBlock(number, at, detail)
	}
	if front {
		if size = int64(e.sub); size > maxBlockHead+3*maxColumn {
			return fail("its front is too long")
		}
	}
	b.grow(room)
	read := b.buf[:size]
	if err := readAt(t.r, read, at); err != nil {
		return err
	}
	head := headSize(read)
	if head == 0 || int64(head) > size {
		return fail("no block begins here")
	}
	b.reset()
	if err := b.head.decode(read[:head]); err != nil {
		return placed(err, number, at)
	}
	b.at, b.number, b.data = at, number, b.buf[head:]
	if !t.fits(&b.head, e, read[:head]) {
		return fail("it is not the block that the index tells of")
	}
	return nil
}

// grow makes room for a block.
func (b *Block) grow(room int64) {
	if int64(cap(b.buf)) < room {
		b.buf = make([]byte, room, room+room/4)
	}
	b.buf = b.buf[:room]
}

// fits reports whether a block's header, which is b, is the one that the index tells of, and gives it the number of its
// first game.
func (t *Reader) fits(h *head, e location, b []byte) bool {
	h.first = e.before.games + 1
	return int(h.number) == e.before.blocks && h.ref(int64(e.at), b) == e.ref
}

// Find returns the block that holds game n (from 1) of the archive, and the number of the game in the block, from 1.
func (t *Reader) Find(n int) (_ *Block, _ int, err error) {
	defer guard(&err)
	if err := hasGame(n, t.Len()); err != nil {
		return nil, 0, err
	}
	if t.loaded > 0 && t.b.has(n) {
		return &t.b, n - t.b.First() + 1, nil
	}
	e, err := t.locate(uint64(n-1), true)
	if err != nil {
		return nil, 0, err
	}
	b, err := t.Block(e.before.blocks + 1)
	if err != nil {
		return nil, 0, err
	}
	if !b.has(n) {
		return nil, 0, b.corrupt(columnIndex, -1, fmt.Sprintf("the index promises game %d here", n))
	}
	return b, n - b.First() + 1, nil
}

// Game reads game n (from 1) into g, and verifies its moves.
func (t *Reader) Game(n int, g *game.Game) error {
	b, i, err := t.Find(n)
	if err != nil {
		return err
	}
	return b.Game(i, g)
}

// Fault tells what is wrong with game n (from 1), nil if nothing is. An archive keeps the text of a game that is not
// valid, and as much of the game as is. known reports whether the start of the game is known.
func (t *Reader) Fault(n int) (fault error, known bool, err error) {
	b, i, err := t.Find(n)
	if err != nil {
		return nil, false, err
	}
	x, _, err := b.Exception(i)
	if err != nil || !x.Invalid {
		return nil, true, err
	}
	text, err := b.AppendText(nil, i, nil)
	if err != nil {
		return nil, false, err
	}
	var bad *codec.Error
	if err := pgn.NewReader(bytes.NewReader(text)).Read(new(game.Game)); !errors.As(err, &bad) {
		return errors.New("the archive has it as a game that is not valid"), true, nil
	}
	return bad.Err, bad.Ply > 0, nil
}

// Tags reads the tags and the result of game n (from 1) into g.
func (t *Reader) Tags(n int, g *game.Game) error {
	b, i, err := t.Find(n)
	if err != nil {
		return err
	}
	return b.Tags(i, g)
}

// Start returns the start position of game n (from 1).
func (t *Reader) Start(n int) (position.Position, error) {
	b, i, err := t.Find(n)
	if err != nil {
		return usual, err
	}
	return b.Start(i)
}

// AppendText appends the text of game n (from 1), up to where the next begins: its very bytes, if the archive keeps
// them.
func (t *Reader) AppendText(dst []byte, n int) ([]byte, error) {
	b, i, err := t.Find(n)
	if err != nil {
		return dst, err
	}
	return b.AppendText(dst, i, nil)
}

// Place is where a block lies in its archive, with its digest.
type Place struct {
	First  int // the number of its first game in the archive, from 1
	Games  int
	Offset int64 // in bytes from the start of the file
	Size   int64
	Digest [16]byte
}

// Place returns where block n (from 1) lies. It reads an entry of the index.
func (t *Reader) Place(n int) (Place, error) {
	if err := t.hasBlock(n); err != nil {
		return Place{}, err
	}
	e, err := t.locate(uint64(n-1), false)
	return e.place(), err
}

// BlocksDigest returns a SHA-256 of the digests of n blocks from block first (from 1) on. It reads their entries in the
// index.
func (t *Reader) BlocksDigest(first, n int) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	for i := range n {
		p, err := t.Place(first + i)
		if err != nil {
			return sum, err
		}
		h.Write(p.Digest[:])
	}
	h.Sum(sum[:0])
	return sum, nil
}

// PlaceOf returns the number of the block that has game n (both from 1), and where it lies. It reads an entry of the
// index.
func (t *Reader) PlaceOf(n int) (block int, _ Place, err error) {
	if err := hasGame(n, t.Len()); err != nil {
		return 0, Place{}, err
	}
	e, err := t.locate(uint64(n-1), true)
	return e.before.blocks + 1, e.place(), err
}

func (e *location) place() Place {
	return Place{int(e.before.games) + 1, int(e.games), int64(e.at), int64(e.size), e.sum}
}
