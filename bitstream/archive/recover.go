// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"ply11/bitstream"
	"ply11/game"
	"ply11/moveindex"
)

// Report is what Verify and Recover found.
type Report struct {
	Stats
	// Errors are the first 1,000 errors, in the order of the file; More is the number of the others.
	Errors []error
	More   int
	// Lost are the numbers of the games that cannot be read.
	Lost []Range
	// Partial are the numbers of the games whose main lines are sound, but not their tags, annotations or layout.
	Partial []Range
	// Tail reports that games may be missing at the end. Their number is not known.
	Tail bool
	// Unfinished is the number of bytes behind the last trailer: see UnfinishedError.
	Unfinished int64
}

const maxErrors = 1000

// Range is games First to Last.
type Range struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

func (r Range) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

func (r *Report) fault(err error) {
	if n := len(r.Errors); n > 0 && r.Errors[n-1].Error() == err.Error() {
		return // a part of the index is asked for each of its blocks
	}
	if len(r.Errors) == maxErrors {
		r.More++
		return
	}
	r.Errors = append(r.Errors, err)
}

func (r *Report) lose(first, last uint64) {
	if first > last {
		return
	}
	r.Lost = join(r.Lost, Range{int(first), int(last)})
}

func join(list []Range, r Range) []Range {
	if n := len(list); n > 0 && list[n-1].Last+1 == r.First {
		list[n-1].Last = r.Last
	} else if n < maxErrors {
		list = append(list, r)
	}
	return list
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool { return len(r.Errors) == 0 }

// Verify reads all of an archive: it verifies every checksum and every move, and compares the text that each block
// unpacks to with the one that was packed. What is wrong is in the report, with the block, the column and the offset;
// the error is one of reading the file only.
//
// Cost: each worker holds some 3 MiB. Where the end is not sound, the headers of the blocks are read once more.
func Verify(ctx context.Context, r io.ReaderAt, size int64, options ...VerifyOption) (rep *Report, err error) {
	defer guard(&err)
	o, err := apply(options)
	if err != nil {
		return new(Report), err
	}
	s := salvager{r: r, size: size, options: o}
	err = s.run(ctx)
	return &s.rep, err
}

// Recover writes what Verify finds whole to a new archive, and reports what it leaves out. It needs neither the header
// nor the footer. The recovered games have new numbers.
//
// A block with sound moves whose tags, annotations or layout are damaged is recovered without them, and the new archive
// is canonical. Several archives one after the other, as cat makes them, become one.
//
// The file is read twice.
func Recover(ctx context.Context, dst io.Writer, r io.ReaderAt, size int64, options ...RecoverOption) (rep *Report,
	err error) {
	defer guard(&err)
	o, err := apply(options)
	if err != nil {
		return new(Report), err
	}
	s := salvager{r: r, size: size, options: o}
	if err := s.run(ctx); err != nil {
		return &s.rep, err
	}
	flags := s.flags & knownFlags
	if len(s.rep.Partial) > 0 {
		flags |= flagCanonical
	}
	out := newFileWriter(dst, header{flags})
	for _, f := range s.found {
		err := ctx.Err()
		if err == nil {
			err = s.save(out, f)
		}
		if err != nil {
			return &s.rep, err
		}
	}
	if s.rep.OK() && s.rep.Hashed {
		out.setProperty(propertyHash, s.hashState)
	}
	out.setMeta(s.meta)
	if err := out.close(); err != nil {
		return &s.rep, err
	}
	hash, hashed := s.rep.SHA256, s.rep.Hashed
	s.rep.Stats = out.stats
	s.rep.SHA256, s.rep.Hashed = hash, hashed
	return &s.rep, nil
}

// salvager goes through a file, of one archive or several. While blocks are verified in several goroutines, the fields
// from to on belong to nextBlock, and those before to judge.
type salvager struct {
	options
	r    io.ReaderAt
	size int64
	rep  Report

	found   []salvaged // in their order
	partial *encoder

	meta map[string]string
	// hashState is the property of the last whole archive.
	hashState string
	flags     uint32

	start   int64
	games   uint64
	headed  bool
	head    header
	index   *Reader // of the whole file; nil if its end is not sound
	lead    *Reader // what its last sound footer leads to; nil if there is none
	moved   bool    // other blocks took the places of some of these
	sum     hash.Hash
	damaged bool

	to      int64    // where the archive ends: at another, or with the file; -1 while that is not known
	told    []func() // tells what stands before the next block
	broken  bool     // damaged, as far as nextBlock knows
	next    uint64
	order   []placedBlock // of an archive that was edited, those that come; nil of others
	first   uint64        // the number that the block's first game has now, in an archive that was edited; else 0
	number  int           // the block that should come, from 0
	walk    walk
	root    *root // of the last footer that tells of what is before it
	numbers []int // of the blocks that were passed, in their order
	gap     error // what is wrong with the part of the index or the footer that is at at
	doubt   error // the same, until all blocks before it are judged
	blocks  int
	part    filePart
	at      int64
	sound   bool // there was no gap before it
	b       Block
}

// blockState is what is left of a block.
type blockState uint8

const (
	blockPartial blockState = iota // its main lines, and more
	blockBare                      // all but ancillary columns
	blockWhole
)

// salvaged is a block of which something is left.
type salvaged struct {
	at    int64
	state blockState
}

func (s *salvager) begin(start int64) error {
	s.start, s.at = start, start
	s.next, s.number, s.blocks, s.sum, s.damaged, s.gap, s.to, s.root = 1, 0, 0, sha256.New(), false, nil, -1, nil
	s.numbers = s.numbers[:0]
	var head [headerSize]byte
	n, err := s.r.ReadAt(head[:max(0, min(s.size-start, headerSize))], start)
	if err != nil && err != io.EOF {
		return err
	}
	s.head, err = decodeHeader(head[:n])
	s.headed = err == nil
	s.sound = s.headed
	s.walk.reset(s.head)
	if errors.Is(err, ErrVersion) {
		return err
	}
	if s.headed {
		s.at += headerSize
		s.flags |= s.head.flags
	} else {
		s.wrong(shifted(err, start))
	}
	return nil
}

func (s *salvager) end(to int64) {
	if s.blocks > 0 || s.headed || s.start == 0 { // else it was none
		s.checkEnd(to)
		s.games += s.next - 1
	}
}

func (s *salvager) wrong(err error) {
	if err != nil {
		s.damaged = true
		s.rep.fault(err)
	}
}

// later has something told when the blocks before it are judged.
func (s *salvager) later(tell func()) { s.told = append(s.told, tell) }

func (s *salvager) wrongLater(err error) {
	s.broken = true
	s.later(func() { s.wrong(err) })
}

func (s *salvager) lose(first, last uint64) { s.rep.lose(s.games+first, s.games+last) }

func shifted(err error, start int64) error {
	var c *CorruptError
	if start > 0 && errors.As(err, &c) {
		moved := *c
		moved.Offset += start
		return &moved
	}
	return err
}

func (s *salvager) run(ctx context.Context) error {
	if err := s.begin(0); err != nil {
		return err
	}
	if err := s.survey(ctx); err != nil {
		return err
	}
	for {
		s.broken = s.damaged
		err := eachBlock(ctx, min(s.asked, maxVerifiers), func(v *verified) (*Block, error) {
			b, err := s.nextBlock(ctx)
			if err == nil {
				v.told, s.told = s.told, nil
			}
			return b, err
		}, func() func(*Block, *verified) error { return verify }, s.use)
		s.tell(s.told)
		if s.told = nil; err != nil {
			return err
		}
		if s.to < 0 {
			continue
		}
		s.end(s.to)
		if s.to == s.size {
			return nil
		}
		s.wrong(corruptPart("trailer", s.to, "another archive begins here"))
		if err := s.begin(s.to); err != nil {
			return err
		}
		if found := s.part.at; found > s.start { // a block, before which the header is damaged
			s.at, s.sound = found, false
		}
	}
}

// verified is what was found of a block.
type verified struct {
	told []func() // tells what stands before it
	err  error
	keys *searchKeys
	text []byte
}

func verify(b *Block, v *verified) error {
	if v.err = b.Verify(); v.err == nil {
		v.keys, v.err = b.searchKeys()
	}
	v.text, b.scratch = b.scratch, v.text
	return nil
}

func (s *salvager) use(b *Block, v *verified) error {
	s.tell(v.told)
	if err := s.judge(b, v); err != nil {
		return err
	}
	s.rep.Bytes = b.at + b.Size()
	s.progress(s.rep.Stats)
	return nil
}

func (s *salvager) tell(list []func()) {
	for _, tell := range list {
		tell()
	}
}

// nextBlock returns the next block that is all there, and io.EOF where the archive ends, or all before is to be judged.
func (s *salvager) nextBlock(ctx context.Context) (*Block, error) {
	for len(s.told) < maxErrors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		edited, place := s.order != nil, placedBlock{}
		if edited {
			if len(s.order) == 0 {
				s.gap, s.to = nil, s.size
				return nil, io.EOF
			}
			place, s.order = s.order[0], s.order[1:]
			s.at, s.sound, s.first = place.at, true, max(place.first, s.next)
		}
		ok, err := s.find()
		switch {
		case err != nil:
			return nil, err
		case edited && (!ok || s.part.mark != blockMark || s.part.at != place.at):
			s.wrongLater(corruptBlock(s.number+1, place.at, "no block begins here"))
			s.number++
			continue
		case !ok:
			s.to = s.size
			return nil, io.EOF
		case s.part.mark == archiveMark:
			s.to = s.part.at
			return nil, io.EOF
		}
		if b, err := s.block(); b != nil || err != nil {
			return b, err
		}
	}
	return nil, io.EOF
}

// find reads the next block or header, and passes the index before it. Behind damage it is the first that is sound. It
// returns false if there is none.
func (s *salvager) find() (bool, error) {
	p := &s.part
	for s.gap = nil; s.sound; s.at += p.size {
		err, other := s.doubt, s.doubt != nil
		if s.doubt = nil; !other {
			err = p.read(io.NewSectionReader(s.r, s.at, s.size-s.at), s.at-s.start)
			if err == nil && p.isTail() {
				err = s.walk.pass(p)
				other = isDamage(err)
				if p.mark == footerMark && (err == nil || err == p.end) {
					root := p.root
					s.root = &root
				}
			}
			if other && !s.broken && s.order == nil {
				s.doubt = err
				return false, io.EOF
			}
		}
		if other && s.broken {
			err = nil // it tells of blocks that are lost
		}
		block := p.mark == blockMark && p.b != nil
		switch {
		case block && errors.Is(err, ErrVersion):
			return false, fmt.Errorf("block at offset %d: %w", s.at, err)
		case block && err != nil:
			s.wrongLater(placed(err, s.number+1, s.at))
			s.at++
			s.sound = false
		case p.isTail() && isDamage(err):
			s.gap = shifted(err, s.start) // it is told if something comes behind it, and else at the archive's end
		case err != nil && !isDamage(err):
			return false, err
		case err == nil && !p.isTail():
			if p.at = s.at; p.mark == blockMark || p.mark == archiveMark {
				return true, nil
			}
		}
		if err != nil || !p.isTail() {
			break
		}
	}
	return p.find(s.r, s.at, s.size, marksOf(blockMark, archiveMark))
}

// block returns the block that was found; nil if it is not all there, or there already.
func (s *salvager) block() (*Block, error) {
	b, found := &s.b, s.part.at
	s.take()
	if int(b.head.number) < s.number && !s.seen(&b.head, s.part.b) && (b.head.number == 0 || s.ended(found)) {
		// It is of another archive, whose header is damaged.
		s.to = max(found-headerSize, s.at)
		return nil, io.EOF
	}
	b.head.first = s.firstOf(int(b.head.number), found)
	first, last := b.head.first, b.head.first+uint64(b.head.games)-1
	if found != s.at && s.sound || first != s.next || int(b.head.number) != s.number {
		if int(b.head.number) < s.number {
			// A copy of a block that was there: it is not counted twice.
			s.wrongLater(corruptBlock(b.number, found, fmt.Sprintf("it comes after block %d", s.number)))
			s.at, s.sound = found+min(int64(b.head.size)+int64(b.head.data), s.size-found), true
			return nil, nil
		}
		if s.sound {
			s.wrongLater(cmp.Or(s.gap, corruptBlock(s.number+1, s.at, "no block begins here")))
		}
		lost := s.next
		s.later(func() { s.lose(lost, first-1) })
	}
	s.blocks++
	dataAt := found + int64(b.head.size)
	s.next, s.number = last+1, b.number
	if dataAt+int64(b.head.data) > s.size {
		s.wrongLater(&CorruptError{Part: "block", Block: b.number, Offset: found, Err: errTruncated})
		s.later(func() { s.lose(first, last) })
		s.at, s.sound = dataAt, false
		return nil, nil
	}
	s.walk.block(&b.head, b.at-s.start, s.part.b)
	s.numbers = append(s.numbers, int(b.head.number))
	s.at, s.sound = dataAt+int64(b.head.data), true
	return b, s.readData()
}

// take makes b the block whose header was read.
func (s *salvager) take() {
	b := &s.b
	b.reset()
	b.head, s.part.head = s.part.head, b.head
	b.at, b.number = s.part.at, int(b.head.number)+1
}

func (s *salvager) readData() (err error) {
	b := &s.b
	in := io.NewSectionReader(s.r, b.at+int64(b.head.size), int64(b.head.data))
	if b.data, err = readGrowing(in, b.data[:0], int(b.head.data)); err == io.EOF {
		err = io.ErrUnexpectedEOF // the file has become shorter
	}
	return err
}

func (s *salvager) seen(h *head, b []byte) bool {
	i, ok := slices.BinarySearch(s.numbers, int(h.number))
	return ok && s.walk.blocks[i].sum == digestOf(b)
}

// firstOf returns the number of the first game of a block. Where blocks before it are lost, the index tells it; if that
// is damaged, too, it is not known how many games are lost.
func (s *salvager) firstOf(number int, at int64) uint64 {
	if s.first > 0 {
		return s.first
	}
	if number > s.number && s.index != nil && s.start == 0 && number < s.index.blocks {
		if e, err := s.index.locate(uint64(number), false); err == nil && int64(e.at) == at {
			return max(s.next, e.before.games+1)
		}
	}
	return s.next
}

// ended reports whether a trailer is between the last block and an offset.
func (s *salvager) ended(to int64) bool {
	var p filePart
	ok, err := p.find(s.r, s.at, to, marksOf(trailerMark))
	return ok && err == nil
}

// judge tells what is left of a block.
func (s *salvager) judge(b *Block, v *verified) error {
	whole := func(state blockState, text []byte) {
		s.sum.Write(text)
		s.rep.add(&b.head)
		s.found = append(s.found, salvaged{b.at, state})
	}
	err := v.err
	if err == nil {
		if s.index != nil && s.start == 0 {
			// What is damaged of the part itself is found elsewhere.
			if found, ok, err := s.index.Summary(b.number); ok && err == nil && found.part.load() == nil {
				s.wrong(found.verify(b.number, v.keys))
			}
		}
		whole(blockWhole, v.text)
		return nil
	}
	if errors.Is(err, ErrVersion) {
		return err
	}
	s.wrong(err)
	for i := range b.head.columns { // name every damaged column
		if _, e := b.check(i); e != nil && e.Error() != err.Error() {
			s.wrong(e)
		}
	}
	if p, ok := b.bare(); ok {
		if alone := p.opened(b); alone.Verify() == nil {
			whole(blockBare, alone.scratch)
			return nil
		}
	}
	first := b.head.first
	last := first + uint64(b.head.games) - 1
	if _, ok := s.remake(b); !ok {
		s.lose(first, last)
		return nil
	}
	s.found = append(s.found, salvaged{b.at, blockPartial})
	s.rep.Partial = join(s.rep.Partial, Range{int(s.games + first), int(s.games + last)})
	return nil
}

func (s *salvager) save(out *fileWriter, f salvaged) error {
	err := s.part.readAt(s.r, f.at, s.size)
	if err == nil && s.part.mark == blockMark {
		s.take()
		if err = s.readData(); err == nil && f.state == blockWhole {
			err = s.b.verifyDigests()
		}
	}
	p, ok := packedBlock{}, err == nil && s.part.mark == blockMark
	switch {
	case !ok:
	case f.state == blockWhole:
		return out.copy(&s.b)
	case f.state == blockBare:
		p, _ = s.b.bare()
		return out.copy(p.opened(&s.b))
	default:
		p, ok = s.remake(&s.b)
	}
	if !ok {
		return cmp.Or(err, errors.New("the file changes while it is read"))
	}
	if out.header.flags&flagSearch == 0 {
		p.keys = nil
	}
	return out.block(&p)
}

// opened returns the block as one that was read in the place of another.
func (p *packedBlock) opened(b *Block) *Block {
	return &Block{head: p.head, at: b.at, number: b.number, data: p.data[p.head.size:]}
}

// remake makes a block of the games that can still be read, if its columns are not too long.
func (s *salvager) remake(b *Block) (p packedBlock, ok bool) {
	if b.head.games == 0 || !b.reduce() {
		return p, false
	}
	if s.partial == nil {
		s.partial = newEncoder(&options{}, newZstd())
		s.partial.limits = keptGames
	}
	e := s.partial
	e.dense = b.head.dense
	style, err := b.Style()
	if err != nil {
		return p, false
	}
	e.reset(style)
	var g game.Game
	for n := 1; n <= b.Len(); n++ {
		if err := b.Game(n, &g); err != nil {
			return p, false
		}
		x, _, err := b.Exception(n)
		if err != nil {
			return p, false
		}
		if err := e.add(&g, nil, x.flags); err != nil || e.beyond() {
			return p, false
		}
	}
	p.data, p.head = e.block(nil, 0)
	p.keys = e.keys
	return p, p.head.fits()
}

// bare returns the block without its ancillary columns, and whether that helps.
func (b *Block) bare() (p packedBlock, ok bool) {
	var w columnWriter
	w.begin(nil)
	for i, c := range b.head.columns {
		if c.kind < columnAncillary {
			if _, err := b.check(i); err != nil {
				return p, false
			}
			w.copy(c, b.data[c.offset:c.offset+c.stored])
		} else {
			ok = true
		}
	}
	p.head = b.head
	p.data = w.block(&p.head)
	return p, ok
}

// reduce empties unsound columns, and reports whether the main lines are sound and all games can be read with the rest.
func (b *Block) reduce() bool {
	drop := func(kinds ...ColumnKind) {
		for _, kind := range kinds {
			b.done[kind], b.errs[kind], b.raw[kind] = true, nil, nil
		}
	}
	notes := func() { drop(ColumnAnnotations, columnText, columnVariations, columnClocks, columnTimes, columnEvals) }
	if !b.head.dense {
		if _, err := b.column(ColumnMoves); err != nil {
			return false
		}
		if _, err := b.column(columnIndex); err != nil && !b.rebuildIndex() {
			return false
		}
	}
	if _, err := b.column(ColumnTags); err != nil {
		drop(ColumnTags)
		b.tags = tagTable{}
	}
	if b.openNotes() != nil {
		notes()
	}
	if b.openExceptions() != nil {
		drop(columnExceptions)
		b.head.departing = 0
	}
	readable := func() bool {
		var g game.Game
		plies := 0
		for n := 1; n <= b.Len(); n++ {
			if b.Game(n, &g) != nil {
				return false
			}
			plies += g.Len()
		}
		return plies == b.Plies()
	}
	if readable() {
		return true
	}
	notes()
	b.notesOpen = false
	return readable()
}

// rebuildIndex makes the index of fixed moves from the moves: each game ends with its result.
func (b *Block) rebuildIndex() bool {
	moves, err := b.column(ColumnMoves)
	if err != nil {
		return false
	}
	words := make([]moveindex.Index, b.Words())
	bitstream.Unpack(words, moves, 0)
	var lengths []uint32
	from := 0
	for k := 0; k < len(words); k++ {
		if n := bitstream.StartSize(words[k]); k == from && n > 0 {
			k += n
			continue
		}
		if _, ok := game.ResultOf(words[k]); ok {
			lengths = append(lengths, uint32(k+1-from))
			from = k + 1
		}
	}
	if from != len(words) || len(lengths) != b.Len() {
		return false
	}
	b.raw[columnIndex] = appendSums(appendIndex(nil, lengths), lengths, moves)
	b.done[columnIndex], b.errs[columnIndex] = true, nil
	return b.prepare(columnIndex) == nil
}

// checkEnd verifies the footer and the trailer of the archive, which ends at an offset, and finds games that are lost
// at the end.
func (s *salvager) checkEnd(to int64) {
	part := io.NewSectionReader(s.r, s.start, to-s.start)
	t, err := NewReader(part, part.Size())
	if err != nil {
		var c *CorruptError
		if errors.As(err, &c) && c.Part == "header" || errors.Is(err, ErrNotArchive) {
			t = &Reader{r: part, size: part.Size(), beheaded: true}
			err = t.open()
		}
	}
	if err == nil {
		err = t.Unfinished()
	}
	if s.lead != nil {
		t = s.lead
	}
	if err != nil {
		s.wrong(shifted(err, s.start))
		s.rep.Tail = true
	}
	if r := s.root; t == nil && r != nil {
		t = &Reader{header: r.head, root: *r, stats: r.stats}
	}
	if t == nil {
		return
	}
	s.rep.SHA256, s.rep.Hashed = t.stats.SHA256, t.stats.Hashed && s.start == 0
	if !s.moved {
		s.lose(s.next, uint64(t.stats.Games))
	}
	end := s.start + int64(t.end.at)
	wrong := func(detail string) {
		s.wrong(corruptPart("footer", end, detail))
	}
	if s.headed && s.head != t.header {
		wrong("it is of another header")
	}
	s.hashState = t.root.property(propertyHash)
	for name, value := range t.root.meta() {
		if _, ok := s.meta[name]; !ok {
			if s.meta == nil {
				s.meta = map[string]string{}
			}
			s.meta[name] = value
		}
	}
	if s.rep.Tail {
		return
	}
	good := t.blocks == len(s.walk.blocks)
	for i := 0; good && i < t.blocks; i++ {
		e, err := t.locate(uint64(i), false)
		if err != nil {
			s.wrong(shifted(err, s.start))
			return
		}
		good = e.ref == s.walk.blocks[i].ref
	}
	switch {
	case s.damaged:
	case s.gap != nil:
		s.wrong(s.gap)
	case !good:
		wrong("the index is not that of the blocks")
	case t.root.tally() != s.walk.tally || t.stats.Games != int(s.walk.expect.games):
		wrong("its counts are not those of the blocks")
	case t.stats.Hashed && !bytes.Equal(s.sum.Sum(nil), t.stats.SHA256[:]):
		s.wrong(wrongHash(end))
	default:
		if err := t.readSearch(); err != nil {
			s.wrong(shifted(err, s.start))
		}
	}
}

// search returns the first place in a part of the file where one of the marks stands and is accepted, and which; -1 if
// there is none. The file is read once, and up to 1 KiB more for each call.
func search(r io.ReaderAt, from, to int64, marks [][]byte, accept func(mark int, at int64) (bool, error)) (mark int,
	at int64, err error) {
	longest := 0
	for _, m := range marks {
		longest = max(longest, len(m))
	}
	buf := make([]byte, min(max(to-from, 0), 1<<10))
	for from < to {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), to-from)], from)
		if err != nil && err != io.EOF {
			return 0, -1, err
		}
		for k := 0; k < n; k++ {
			first, which := n, 0
			for m, mark := range marks {
				if i := bytes.Index(buf[k:min(n, first+len(mark))], mark); i >= 0 && k+i < first {
					first, which = k+i, m
				}
			}
			if first == n {
				break
			}
			k = first
			if ok, err := accept(which, from+int64(k)); ok || err != nil {
				return which, from + int64(k), err
			}
		}
		if n < longest || from+int64(n) >= to {
			break
		}
		from += int64(n - longest + 1)
		if len(buf) < 64<<10 {
			buf = make([]byte, min(2*len(buf), 64<<10))
		}
	}
	return 0, -1, nil
}

type placedBlock struct {
	at    int64
	first uint64 // the number of its first game; 0 if it is not known
}

// survey finds the order of the blocks of an archive that was edited: that of the last sound footer or, where a part of
// the index is damaged, the last block of each number before it. Blocks that were added behind it follow. Those that
// were edited behind it take their places if a sound trailer ends the edit.
func (s *salvager) survey(ctx context.Context) error {
	t, err := NewReader(s.r, s.size)
	if err == nil {
		s.index = t
		if t.unfinished != nil {
			s.rep.Unfinished = t.unfinished.Bytes
		}
	}
	if err == nil && !t.root.edited && t.unfinished == nil {
		return nil
	}
	type place struct {
		at     int64
		number int
	}
	var blocks []place
	var last *filePart // the footer
	edited, several := false, false
	behind := false // what comes next may be of an edit: there is no gap since a footer, but for its trailer
	count, ended := 0, int64(0)
	if err := eachPart(ctx, s.r, s.size, func(p *filePart, joined bool) {
		behind = behind && joined
		switch p.mark {
		case archiveMark:
			several = several || p.at > 0
		case blockMark:
			number := int(p.head.number)
			edited = edited || behind && number < count
			if p.at+p.size > s.size {
				return
			}
			count = max(count, number+1)
			blocks = append(blocks, place{p.at, number})
		case trailerMark:
			ended = p.at
		case footerMark:
			behind = true
			edited = edited || p.root.edited
			footer := *p
			last = &footer
		}
	}); err != nil {
		return err
	}
	if !edited || several {
		return nil
	}
	if err == nil && t.unfinished == nil {
		s.lead = t
	} else if last != nil {
		r := &last.root
		s.lead = &Reader{r: s.r, size: last.at + last.size, root: *r, header: r.head, stats: r.stats,
			blocks: r.stats.Blocks,
			end:    trailer{at: uint64(last.at), size: uint32(len(last.b))}}
	}
	s.order = []placedBlock{}
	newest := map[int]int64{}
	k := 0
	for ; k < len(blocks) && (last == nil || blocks[k].at < last.at); k++ {
		newest[blocks[k].number] = blocks[k].at
	}
	n := count
	if s.lead != nil {
		n = s.lead.blocks
	}
	for i := range n {
		if s.lead != nil {
			e, err := s.lead.locate(uint64(i), false)
			if err == nil {
				s.order = append(s.order, placedBlock{int64(e.at), e.before.games + 1})
				continue
			}
			s.wrong(err)
		}
		s.order = append(s.order, placedBlock{at: newest[i]}) // 0, where no block is, if there is none
	}
	for ; k < len(blocks); k++ {
		number, p := blocks[k].number, placedBlock{at: blocks[k].at}
		switch {
		case number >= len(s.order):
			s.order = append(s.order, p)
		case p.at < ended:
			s.order[number], s.moved = p, true
		}
	}
	for i := range s.order {
		if s.moved {
			s.order[i].first = 0 // games may have been taken out
		}
	}
	return nil
}
