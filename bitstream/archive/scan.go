// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"ply11/game"
	"ply11/game/codec"
)

// Scanner reads an archive front to back, a block or a game at a time. It needs no input that can be sought in. It is a
// codec.Reader.
type Scanner struct {
	walk
	r        *bufio.Reader
	err      error
	b        Block
	opened   bool
	game     int   // the last of the block that Read has read
	root     *root // the last footer that was reached
	footerAt int64
	size     int64 // of the file, as far as its trailer
}

// NewScanner returns a Scanner. An error of the archive's header is that of Next.
func NewScanner(r io.Reader) *Scanner { return newScanner(r, scanBuffer) }

const (
	scanBuffer  = 64 << 10
	scanBuffers = 8 << 20 // of all archives that are read together
)

func newScanner(r io.Reader, buffer int) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, buffer)}
}

func (s *Scanner) open() error {
	s.opened = true
	b := make([]byte, headerSize)
	n, err := io.ReadFull(s.r, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	h, err := decodeHeader(b[:n])
	s.reset(h)
	return err
}

// Canonical reports whether the layout of the text is not kept. It is known after the first call of Next.
func (s *Scanner) Canonical() bool { return s.header.flags&flagCanonical != 0 }

// Next returns the next block, until the call after, and io.EOF after the last, when the footer and the trailer have
// been verified. Columns are verified as they are used: see Block.Verify.
func (s *Scanner) Next() (_ *Block, err error) {
	defer func() { s.err = err }()
	defer guard(&err)
	if err = s.err; err == nil && !s.opened {
		err = s.open()
	}
	if err == nil {
		err = s.block()
	}
	if err != nil {
		return nil, err
	}
	return &s.b, nil
}

// All returns the games from here on: see codec.Reader.
func (s *Scanner) All() iter.Seq2[*game.Game, error] { return codec.All(s.Read) }

// Read reads the next game into g: see codec.Reader. A game that the archive keeps as text is a *codec.Error that is
// ErrInvalid. What is corrupt is final. Read and Next are not for use together.
func (s *Scanner) Read(g *game.Game) error {
	g.Reset()
	for s.err == nil && s.game == s.b.Len() {
		s.game = 0
		s.Next()
	}
	if s.err != nil {
		return s.err
	}
	s.game++
	err := s.b.read(s.game, g)
	if err != nil && !codec.IsGameError(err) {
		s.err = err
	}
	return err
}

// read is Game, with an error for a game that is kept as text.
func (b *Block) read(n int, g *game.Game) error {
	if err := b.Game(n, g); err != nil {
		return err
	}
	x, _, err := b.Exception(n)
	if err != nil {
		return err
	}
	if x.Invalid || x.Partial {
		return &codec.Error{Game: g.Source.Number, Offset: -1, Err: ErrInvalid}
	}
	return nil
}

func (s *Scanner) block() error {
	p := &s.part
	for p.mark = 0; p.mark != blockMark; {
		switch err := s.next(s.r); {
		case err == io.EOF && s.root != nil && s.size == s.at:
			return io.EOF
		case err == io.EOF:
			return s.placed(cutOff("block", s.at))
		case s.edited:
			return fmt.Errorf("%w: block %d is there again at offset %d", ErrEdited, p.head.number+1, p.at)
		case err != nil:
			return err
		case p.leads():
			root := p.root
			s.root, s.footerAt, s.size = &root, p.at, s.at
		}
	}
	b := &s.b
	b.reset()
	b.head, p.head = p.head, b.head
	b.head.first = s.expect.games - uint64(b.head.games) + 1
	b.at, b.number = p.at, int(b.head.number)+1
	var err error
	if b.data, err = readGrowing(s.r, b.data[:0], int(b.head.data)); err == io.EOF || err == io.ErrUnexpectedEOF {
		return placed(cutOff("block", b.at), b.number, b.at)
	}
	return err
}

// ref returns the entry of a block whose header is b.
func (h *head) ref(at int64, b []byte) ref {
	return ref{uint64(at), uint64(h.games), uint32(h.size) + h.data, h.front(), digestOf(b)}
}

func placed(err error, block int, at int64) error {
	var c *CorruptError
	if errors.As(err, &c) {
		c.Block, c.Offset = block, at
	}
	return err
}

// readGrowing reads n bytes; it takes memory only as they arrive.
func readGrowing(r io.Reader, dst []byte, n int) ([]byte, error) {
	const step = 1 << 20
	for n > 0 {
		k := min(n, step)
		at := len(dst)
		if cap(dst)-at < k {
			dst = append(dst, make([]byte, k)...)
		} else {
			dst = dst[:at+k]
		}
		if _, err := io.ReadFull(r, dst[at:]); err != nil {
			return dst[:at], err
		}
		n -= k
	}
	return dst, nil
}

func (b *Block) verifyDigests() (err error) {
	defer guard(&err)
	for i := range b.head.columns {
		if _, err := b.check(i); err != nil {
			return err
		}
	}
	return nil
}

// Verify verifies the digest of every column and every game, and compares the text that the block unpacks to with the
// one that was packed.
func (b *Block) Verify() (err error) {
	defer guard(&err)
	if err := b.verifyDigests(); err != nil {
		return err
	}
	b.scratch, err = b.AppendAll(b.scratch[:0])
	if err != nil {
		return err
	}
	return b.complete()
}

// complete verifies what the columns say and reading the text does not ask for.
func (b *Block) complete() (err error) {
	defer guard(&err)
	if b.Len() == 0 {
		if err := b.openNotes(); err != nil { // else it is opened with the first game
			return err
		}
	}
	if err := b.completeFilter(); err != nil {
		return err
	}
	if b.head.dense {
		return nil // its main lines were verified as they were decoded
	}
	if b.Len() > 0 {
		if err := b.completeSums(); err != nil {
			return err
		}
	}
	return b.completePlies()
}

func (b *Block) completePlies() error {
	plies := 0
	for i := range b.Len() {
		_, n, err := b.address(i)
		if err != nil {
			return err
		}
		plies += n
	}
	if plies != b.Plies() {
		return b.corrupt(columnIndex, -1, fmt.Sprintf("%d plies, not %d", plies, b.Plies()))
	}
	return nil
}

func (b *Block) appendLengths(dst []uint32) ([]uint32, error) {
	for i := range b.Len() {
		_, n, err := b.span(i)
		if err != nil {
			return dst, err
		}
		dst = append(dst, n)
	}
	return dst, nil
}

func (b *Block) completeSums() error {
	moves, err := b.column(ColumnMoves)
	if err != nil {
		return err
	}
	if _, err := b.column(columnIndex); err != nil {
		return err
	}
	for i := 0; i < b.Len(); i += indexGroup {
		first, end, want := b.index.run(i)
		from, to := runBytes(first, end)
		if got := checksum(moves[from:to]); got != want {
			e := b.corrupt(columnIndex, i, "the checksum of the words is another").(*CorruptError)
			e.Want, e.Got = want, got
			return e
		}
	}
	return nil
}
