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

// Scanner reads an archive front to back, a block at a time or a game at a time. It needs neither the footer nor an
// input that can be sought in. It is a codec.Reader.
type Scanner struct {
	r      *bufio.Reader
	at     int64
	header header
	number int
	next   uint64 // the number that the next game should have
	err    error
	b      Block
	opened bool
	game   int // the last of the block that Read has read
	walk   walk
	hash   []byte // of the text, from the footer, if it has one
	// footerAt is where the footer begins, if it was reached.
	footerAt, footerSize int64 // with its trailer
	part                 filePart
	size                 int64 // of the file, if its end was reached
	root                 *root // the last footer that was reached
}

// NewScanner returns a Scanner. The first error of r or of the archive's header is that of Next.
func NewScanner(r io.Reader) *Scanner { return newScanner(r, scanBuffer) }

// Sizes of buffers, in bytes.
const (
	scanBuffer  = 64 << 10
	scanBuffers = 8 << 20 // of all archives that are read together
)

// newScanner returns a Scanner with a buffer of a size.
func newScanner(r io.Reader, buffer int) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, buffer), next: 1}
}

// open reads the header.
func (s *Scanner) open() error {
	s.opened = true
	b := make([]byte, headerSize)
	n, err := io.ReadFull(s.r, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if s.header, err = decodeHeader(b[:n]); err != nil {
		return err
	}
	s.at = headerSize
	return nil
}

// property returns a property of the file, "" if it has none. It is known at its end.
func (s *Scanner) property(name string) string {
	if s.root == nil {
		return ""
	}
	return s.root.property(name)
}

// Canonical reports whether the layout of the text that was packed is not kept. It is known after the first
// call of Next.
func (s *Scanner) Canonical() bool { return s.header.flags&flagCanonical != 0 }

// Next returns the next block, which is valid until the call after, and io.EOF after the last, when the footer and the
// trailer have been verified. The columns are verified as they are used: see Block.Verify.
func (s *Scanner) Next() (_ *Block, err error) {
	defer func() {
		if letPanic {
			return
		}
		if cause := recover(); cause != nil {
			s.err = bug(s.number+1, s.at, cause)
			err = s.err
		}
	}()
	if s.err != nil {
		return nil, s.err
	}
	if !s.opened {
		if s.err = s.open(); s.err != nil {
			return nil, s.err
		}
	}
	if s.err = s.block(); s.err != nil {
		return nil, s.err
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
	for {
		err := p.read(s.r, s.at)
		if err == io.EOF {
			if s.root != nil && s.footerAt+s.footerSize == s.at {
				return io.EOF
			}
			return &CorruptError{Part: "block", Block: s.number + 1, Offset: s.at, Err: errTruncated}
		}
		if err == nil && p.mark != blockMark && !p.isTail() {
			err = corruptPart("block", s.at, notBegun)
		}
		if c := (*CorruptError)(nil); errors.As(err, &c) && c.Part == "block" {
			return placed(err, s.number+1, s.at)
		}
		if err == nil && p.isTail() {
			err = s.walk.take(p, s.header)
		}
		if err != nil {
			return err
		}
		if !p.isTail() {
			break
		}
		s.at += p.size
		if p.leads() {
			root := p.root
			s.root, s.footerAt, s.footerSize, s.size, s.hash = &root, p.at, p.size, s.at, nil
			if root.stats.Hashed {
				s.hash = root.stats.SHA256[:]
			}
		}
	}
	b := &s.b
	b.reset()
	b.at, b.number = s.at, s.number+1
	b.head, p.head = p.head, b.head
	if s.walk.replaces(&b.head) {
		return fmt.Errorf("%w: block %d is there again at offset %d", ErrEdited, b.head.number+1, s.at)
	}
	if b.head.first != s.next || b.head.number != uint32(s.number) {
		return b.head.misplaced(s.number+1, s.next, s.at)
	}
	var err error
	if b.data, err = readGrowing(s.r, b.data[:0], int(b.head.data)); err == io.EOF || err == io.ErrUnexpectedEOF {
		return &CorruptError{Part: "block", Block: s.number + 1, Offset: s.at, Err: errTruncated}
	} else if err != nil {
		return err
	}
	s.walk.add(&b.head, s.at, p.b)
	s.at += p.size
	s.number++
	s.next += uint64(b.head.games)
	return nil
}

// misplaced is the error of a block at an offset where the one of a number, from 1, and of a first game is expected.
func (h *head) misplaced(number int, first uint64, at int64) error {
	return corruptBlock(number, at, fmt.Sprintf("it is block %d, from game %d, and not %d, from game %d",
		int64(h.number)+1, h.first, number, first))
}

// ref returns what the index says of a block that is at at, and whose header is b.
func (h *head) ref(at int64, b []byte) ref {
	return ref{uint64(at), uint64(h.games), uint32(h.size) + h.data, h.front(), digestOf(b)}
}

// placed gives an error of a header its place.
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

// trailer is the file's last bytes.
type trailer struct {
	at   uint64 // of the footer
	size uint32
	sum  digest
}

func (t trailer) encode() []byte {
	b := make([]byte, trailerSize)
	le.PutUint32(b, trailerMark)
	le.PutUint16(b[4:], Version)
	le.PutUint64(b[8:], t.at)
	le.PutUint32(b[16:], t.size)
	copy(b[20:], t.sum[:])
	le.PutUint32(b[36:], checksum(b[:36]))
	return b
}

func decodeTrailer(b []byte, at int64) (t trailer, err error) {
	if want, got := le.Uint32(b[36:]), checksum(b[:36]); want != got || le.Uint32(b) != trailerMark {
		return t, otherSum("trailer", at, want, got)
	}
	if err := checkVersion(le.Uint16(b[4:])); err != nil {
		return t, err
	}
	if le.Uint16(b[6:]) != 0 {
		return t, fmt.Errorf("%w: a reserved field of the trailer is set", ErrVersion)
	}
	return trailer{le.Uint64(b[8:]), le.Uint32(b[16:]), digest(b[20:])}, nil
}

// verifyDigests verifies the digest of every column. It decompresses and decodes nothing.
func (b *Block) verifyDigests() (err error) {
	defer b.guard(&err)
	for i := range b.head.columns {
		if _, err := b.check(i); err != nil {
			return err
		}
	}
	return nil
}

// Verify verifies the digest of every column, decodes every game, and compares the text that the block
// unpacks to with the one that was packed.
func (b *Block) Verify() (err error) {
	defer b.guard(&err)
	if err := b.verifyDigests(); err != nil {
		return err
	}
	b.scratch, err = b.AppendAll(b.scratch[:0])
	if err != nil {
		return err
	}
	return b.complete()
}

// complete verifies what the columns say that reading the text does not.
func (b *Block) complete() (err error) {
	defer b.guard(&err)
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

// completeSums verifies the checksums of the words of games.
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
