// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream"
	"ply11/bitstream/dense"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
)

func updateCRC(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }

func decodeRune(b []byte) (rune, int) { return utf8.DecodeRune(b) }

var usual = position.Start()

func isStart(g *game.Game) bool { return g.Start == usual }

// Block is a block of games, from a Scanner or a Reader. Its methods count its games from 1; First is the number of its
// first game in the archive. Each column is verified and decoded when it is first wanted. A Block is not for several
// goroutines at once.
type Block struct {
	head   head
	at     int64
	data   []byte
	buf    []byte // of a Reader: the header and data
	number int

	// Of a block of Reader.Peek: where columns are read from, and which are here, by their places in the directory.
	src  io.ReaderAt
	have []bool
	// byRuns: few games are wanted, so that the words of a group are read, and not all.
	byRuns bool
	run    run
	// checked has a bit for each column of the directory whose digest was found right.
	checked uint32

	done  [numSlots]bool // decoded, or found to be unsound
	errs  [numSlots]error
	raw   [numSlots][]byte
	own   [numSlots][]byte
	front *front     // that Fronts keep, or nil; it has the columns of head
	index *gameIndex // nil if it is not known yet
	made  gameIndex  // what index is if it is not kept
	games gameTable
	coded denseWords
	tags  tagTable

	cursor     tagCursor
	cursorOpen bool
	tagsRaw    bool // the column of tags is decompressed, though perhaps not decoded
	tagsKept   bool // tags belong to a front
	tagged     int  // the game whose tags were read last, from 1; 0 if it is none
	recent     []game.Tag
	notes      notes
	notesOpen  bool
	marks      marks // empty if they are not known yet
	except     exceptions
	exceptOpen bool

	build   game.Builder
	words   []moveindex.Index
	all     []moveindex.Index
	start   [bitstream.Start960Words + 1]moveindex.Index
	text    []byte
	spare   game.Game
	scratch []byte
}

func (b *Block) reset() {
	for i := range b.raw {
		b.done[i], b.errs[i], b.raw[i] = false, nil, nil
	}
	b.coded.reset()
	b.cursorOpen, b.notesOpen, b.exceptOpen, b.tagsRaw = false, false, false, false
	b.src, b.checked, b.index = nil, 0, nil
	if b.front != nil {
		b.front, b.head.columns = nil, nil
	}
	b.byRuns, b.run.group = false, 0
	b.tagged, b.marks = 0, b.marks[:0]
}

// Len returns the number of games.
func (b *Block) Len() int { return int(b.head.games) }

// First returns the number of the first game in the archive, from 1.
func (b *Block) First() int { return int(b.head.first) }

func (b *Block) has(n int) bool { return n >= b.First() && n-b.First() < b.Len() }

// Number returns the block's number in the file, from 1.
func (b *Block) Number() int { return b.number }

// Offset returns where the block begins in the file.
func (b *Block) Offset() int64 { return b.at }

// Size returns the length of the block in bytes.
func (b *Block) Size() int64 { return int64(b.head.size) + int64(b.head.data) }

// Plies returns the number of plies of all main lines.
func (b *Block) Plies() int { return int(b.head.plies) }

// Words returns the number of words of MoveColumn.
func (b *Block) Words() int { return int(b.head.words) }

// Departing returns the number of games whose text or content departs from the columns and the layout.
func (b *Block) Departing() int { return int(b.head.departing) }

// Has reports whether the block has a column.
func (b *Block) Has(kind ColumnKind) bool { return b.head.find(kind) >= 0 }

// Column is a column's place and size.
type Column struct {
	Kind        ColumnKind
	Compression Compression
	Offset      int64
	Stored, Raw int64
}

func (b *Block) Columns() []Column {
	list := make([]Column, len(b.head.columns))
	for i, c := range b.head.columns {
		list[i] = Column{Kind: c.kind, Compression: c.comp, Offset: b.at + int64(b.head.size) + int64(c.offset),
			Stored: int64(c.stored), Raw: int64(c.raw)}
	}
	return list
}

// corrupt is an error of a column, and of game i, from 0, if it is not -1.
func (b *Block) corrupt(kind ColumnKind, i int, detail string) error {
	if b.head.dense {
		switch kind {
		case ColumnMoves:
			kind = ColumnDense
		case columnIndex:
			kind = columnGames
		}
	}
	e := &CorruptError{Part: kind.String(), Block: b.number, Offset: b.at, Reason: detail, Err: ErrCorrupt}
	if k := b.head.find(kind); k >= 0 {
		e.Offset = b.at + int64(b.head.size) + int64(b.head.columns[k].offset)
	}
	if i >= 0 {
		e.Game = b.First() + i
	}
	return e
}

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxColumn),
		zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic("archive: " + err.Error()) // the options are constants
	}
	return d
}}

const wrongDigest = "its digest is not the one that is told of it"

// check verifies the digest of column i of the directory and returns it as it is stored.
func (b *Block) check(i int) ([]byte, error) {
	c := &b.head.columns[i]
	stored, err := b.fetch(i)
	if err != nil {
		return nil, err
	}
	if b.checked>>i&1 == 0 {
		if digestOf(stored) != c.sum {
			return nil, b.corrupt(c.kind, -1, wrongDigest)
		}
		b.checked |= 1 << i
	}
	return stored, nil
}

func (b *Block) here(i int) bool { return b.src == nil || b.have[i] }

// fetch returns column i of the directory as it is stored, not verified, and reads it if it is not here.
func (b *Block) fetch(i int) ([]byte, error) {
	c := &b.head.columns[i]
	stored := b.data[c.offset : c.offset+c.stored]
	if !b.here(i) {
		if err := readAt(b.src, stored, b.at+int64(b.head.size)+int64(c.offset)); err != nil {
			return nil, err
		}
		b.have[i] = true
	}
	return stored, nil
}

// column returns a column, verified and decompressed; nil if the block has none.
func (b *Block) column(kind ColumnKind) ([]byte, error) {
	s := kind.slot()
	if !b.done[s] {
		// An error is kept, so that it is not looked for again with each game.
		b.errs[s] = b.open(kind)
		b.done[s] = true
	}
	if b.errs[s] != nil {
		return nil, b.errs[s]
	}
	return b.raw[s], nil
}

func (b *Block) open(kind ColumnKind) error {
	if i := b.head.find(kind); kind == ColumnTags {
		if _, err := b.tagColumn(); err != nil {
			return err
		}
	} else if i >= 0 {
		raw, err := b.decompress(i, &b.own[kind.slot()])
		if err != nil {
			return err
		}
		b.raw[kind.slot()] = raw
	} else if b.head.dense && kind <= ColumnMoves {
		if err := b.expand(kind); err != nil {
			return err
		}
	}
	return b.prepare(kind)
}

func (b *Block) noteMarks() (marks, error) {
	if len(b.marks) == 0 {
		steps, err := b.column(ColumnAnnotations)
		if err != nil {
			return nil, err
		}
		text, err := b.column(columnText)
		if err != nil {
			return nil, err
		}
		var ok bool
		if b.marks, ok = b.marks.appendColumns(steps, text, b.Len()); !ok {
			return nil, b.corrupt(ColumnAnnotations, -1, "steps or texts end too early")
		}
	}
	return b.marks, nil
}

// decompress returns column i of the directory, verified and decompressed into own, which it may enlarge.
func (b *Block) decompress(i int, own *[]byte) ([]byte, error) {
	c := &b.head.columns[i]
	raw, err := b.check(i)
	if err != nil || c.comp == Stored {
		return raw, err
	}
	const spare = 16 // with which the decoder copies faster
	if cap(*own) < int(c.raw)+spare {
		*own = make([]byte, 0, c.raw+spare)
	}
	if c.comp == Modelled {
		if raw[0] != modelVersion {
			return nil, fmt.Errorf("%w: modelled numbers of version %d", ErrVersion, raw[0])
		}
		m, err := b.noteMarks()
		if err != nil {
			return nil, err
		}
		out, ok := m.readModelled((*own)[:0], c.kind, raw, int(c.raw))
		if !ok {
			return nil, b.corrupt(c.kind, -1, "the bytes are not what is written of its numbers")
		}
		return out, nil
	}
	if err := checkFrame(raw); err != nil {
		return nil, b.corrupt(c.kind, -1, err.Error())
	}
	d := decoders.Get().(*zstd.Decoder)
	out, err := d.DecodeAll(raw, (*own)[:0:c.raw+spare])
	decoders.Put(d)
	if err != nil || len(out) != int(c.raw) {
		return nil, b.corrupt(c.kind, -1, "zstd frame is unsound or not of the length told")
	}
	return out, nil
}

// prepare verifies what a column says of itself.
func (b *Block) prepare(kind ColumnKind) error {
	raw := b.raw[kind.slot()]
	switch kind {
	case columnIndex:
		decode := b.made.decode
		if !b.head.dense {
			decode = b.made.decodeSummed
		}
		if b.head.games > 0 && !decode(raw, int(b.head.games), int(b.head.words)) {
			return b.corrupt(kind, -1, "the games do not fill the words")
		}
		if b.index = &b.made; b.front != nil && !b.head.dense {
			b.front.index.Store(&gameIndex{sums: bytes.Clone(b.made.sums), starts: slices.Clone(b.made.starts)})
		}
	case ColumnMoves:
		if len(raw) != bitstream.PackedLen(int(b.head.words)) {
			return b.corrupt(kind, -1, "the length is not that of the words")
		}
		if spare := len(raw)*8 - int(b.head.words)*moveindex.Bits; spare > 0 &&
			raw[len(raw)-1]>>(8-spare) != 1<<spare-1 {
			return b.corrupt(kind, -1, "padding is not all ones")
		}
	case ColumnTags:
		walks := b.tags.walks[:0]
		if b.front != nil {
			if kept := b.front.table.Load(); kept != nil {
				b.tags, b.tagsKept = *kept, true
				b.tags.walks = walks
				return nil
			}
		}
		if len(raw) == 0 || b.tagsKept {
			b.tags, b.tagsKept = tagTable{walks: walks}, false
		}
		if len(raw) == 0 {
			return nil
		} else if !b.tags.decode(raw, int(b.head.games)) {
			return b.corrupt(kind, -1, "unsound tags")
		} else if b.tags.held > maxBlock {
			return b.corrupt(kind, -1, "the tags have more than 2^25 bytes")
		}
		if b.front != nil && b.front.tags.Load() != nil {
			kept := b.tags
			kept.walks = nil
			b.front.table.Store(&kept)
			b.tagsKept = true
		}
	case ColumnDense:
		if len(raw) == 0 {
			if b.head.dense {
				return b.corrupt(kind, -1, "it is empty")
			}
		} else if raw[0] != dense.Version {
			return fmt.Errorf("%w: dense moves of version %d", ErrVersion, raw[0])
		}
	case columnGames:
		if b.head.dense && !b.games.decode(raw, b.Len(), b.Words(), b.Plies()) {
			return b.corrupt(kind, -1, "unsound column of games")
		}
	}
	return nil
}

// MoveColumn returns the words of all games, as docs/WORDS.md packs them, until the next block is read. Of dense moves
// it is made when first asked for.
func (b *Block) MoveColumn() (_ []byte, err error) {
	defer guard(&err)
	return b.column(ColumnMoves)
}

// Address returns where the main line of game n lies in MoveColumn: the bit of its first move, and the number of its
// plies. The word of ply k, from 1, is at bit + 11*(k-1).
func (b *Block) Address(n int) (bit uint64, plies int, err error) {
	defer guard(&err)
	return b.address(n - 1)
}

func (b *Block) address(i int) (bit uint64, plies int, err error) {
	start, _, err := b.span(i)
	if err != nil {
		return 0, 0, err
	}
	skip, plies, err := b.lineOf(i)
	return uint64(start+uint32(skip)) * moveindex.Bits, plies, err
}

// lineOf returns how many words stand before the main line of game i, and its number of plies. Nothing is decoded.
func (b *Block) lineOf(i int) (skip, plies int, err error) {
	_, n, err := b.span(i)
	if err != nil {
		return 0, 0, err
	}
	if b.head.dense {
		skip = len(b.games.start(&b.start, i))
		return skip, int(n) - skip - 1, nil
	}
	moves, bit, err := b.wordsOf(i, false)
	if err != nil {
		return 0, 0, err
	}
	if w, _ := bitstream.At(moves, bit); bitstream.StartSize(w) > 0 {
		if skip = bitstream.StartSize(w) + 1; int(n) < skip+1 {
			return 0, 0, b.corrupt(ColumnMoves, i, "the game is too short")
		}
	}
	return skip, int(n) - skip - 1, nil
}

func (b *Block) holds(i int) error {
	if i < 0 || i >= b.Len() {
		return fmt.Errorf("%w: %d of %d in the block", ErrNoGame, i+1, b.Len())
	}
	return nil
}

func (b *Block) span(i int) (start, n uint32, err error) {
	if err := b.holds(i); err != nil {
		return 0, 0, err
	}
	if b.index == nil {
		if _, err := b.column(columnIndex); err != nil {
			return 0, 0, err
		}
	}
	start, n = b.index.game(i)
	return start, n, nil
}

// wordsOf returns bytes of the column of moves, and the bit in them where game i begins, whose span is known. Of a
// block of Peek, or if few games are wanted, the bytes are those of its group, which are verified by their checksum.
func (b *Block) wordsOf(i int, few bool) (moves []byte, bit uint64, err error) {
	start, _ := b.index.game(i)
	if (few || b.src != nil) && !b.done[ColumnMoves] {
		if b.run.group != i/indexGroup+1 {
			if err := b.loadRun(i); err != nil {
				return nil, 0, err
			}
		}
		return b.run.words, b.run.bit(start), nil
	}
	moves, err = b.column(ColumnMoves)
	return moves, uint64(start) * moveindex.Bits, err
}

// load returns the words of game i, with start and result, until another is loaded.
func (b *Block) load(i int) ([]moveindex.Index, error) {
	start, n, err := b.span(i)
	if err != nil {
		return nil, err
	}
	if b.head.dense {
		if err := b.decode(i); err != nil {
			return nil, err
		}
		return b.coded.words[start : start+n], nil
	}
	moves, bit, err := b.wordsOf(i, false)
	if err != nil {
		return nil, err
	}
	b.words = slices.Grow(b.words[:0], int(n))[:n]
	bitstream.Unpack(b.words, moves, bit)
	return b.words, nil
}

// split returns the words of the start position of game i, without the code, nil if it is the usual one, and the main
// line.
func (b *Block) split(i int, words []moveindex.Index) (start, line []moveindex.Index, err error) {
	k := bitstream.StartSize(words[0])
	if k == 0 {
		return nil, words[:len(words)-1], nil
	}
	if len(words) < k+2 {
		return nil, nil, b.corrupt(ColumnMoves, i, "the game is too short")
	}
	return words[1 : k+1], words[k+1 : len(words)-1], nil
}

// MainLine appends the moves of game n to dst: moves, and moveindex.Null. They may be illegal.
func (b *Block) MainLine(dst []moveindex.Index, n int) (_ []moveindex.Index, err error) {
	defer guard(&err)
	skip, plies, err := b.lineOf(n - 1)
	if err != nil {
		return dst, err
	}
	return b.appendLine(dst, n-1, skip, plies)
}

// appendLine appends a number of words of game i that follow the first ones.
func (b *Block) appendLine(dst []moveindex.Index, i, skip, plies int) ([]moveindex.Index, error) {
	at := len(dst)
	if b.head.dense {
		if err := b.decode(i); err != nil {
			return dst, err
		}
		start, _ := b.index.game(i)
		dst = append(dst, b.coded.words[int(start)+skip:][:plies]...)
	} else {
		moves, bit, err := b.wordsOf(i, false)
		if err != nil {
			return dst, err
		}
		dst = slices.Grow(dst, plies)[:at+plies]
		bitstream.Unpack(dst[at:], moves, bit+uint64(skip)*moveindex.Bits)
	}
	for _, w := range dst[at:] {
		if w >= moveindex.NumMoves && w != moveindex.Null {
			return dst[:at], b.corrupt(ColumnMoves, i, "a main line holds what is no move")
		}
	}
	return dst, nil
}

// Opening returns the start position of game n, and appends the main line to dst as MainLine does, or its first plies.
// whole reports whether that is all of it.
func (b *Block) Opening(dst []moveindex.Index, n, plies int) (at position.Position, line []moveindex.Index, whole bool,
	err error) {
	defer guard(&err)
	at = usual
	skip, all, err := b.lineOf(n - 1)
	if err == nil && skip > 0 {
		at, err = b.Start(n)
	}
	if err != nil {
		return at, dst, false, err
	}
	line, err = b.appendLine(dst, n-1, skip, min(all, plies))
	return at, line, all <= plies, err
}

// Start returns the start position of game n.
func (b *Block) Start(n int) (_ position.Position, err error) {
	defer guard(&err)
	i := n - 1
	if !b.head.dense {
		words, err := b.load(i)
		if err != nil {
			return usual, err
		}
		start, _, err := b.split(i, words)
		if err != nil {
			return usual, err
		}
		return b.startOf(ColumnMoves, i, start)
	}
	if _, _, err := b.span(i); err != nil {
		return usual, err
	}
	start := b.games.start(&b.start, i)
	return b.startOf(columnGames, i, start[min(len(start), 1):])
}

func (b *Block) startOf(kind ColumnKind, i int, words []moveindex.Index) (position.Position, error) {
	if len(words) == 0 {
		return usual, nil
	}
	p, err := bitstream.DecodeStart(words)
	if err != nil {
		err = b.corrupt(kind, i, err.Error())
	}
	return p, err
}

// Result returns the result of game n.
func (b *Block) Result(n int) (_ game.Result, err error) {
	defer guard(&err)
	return b.result(n - 1)
}

func (b *Block) result(i int) (game.Result, error) {
	if b.head.dense {
		if _, _, err := b.span(i); err != nil {
			return 0, err
		}
		r, _ := game.ResultOf(b.games.result(i))
		return r, nil
	}
	_, n, err := b.span(i)
	if err != nil {
		return 0, err
	}
	moves, bit, err := b.wordsOf(i, true)
	if err != nil {
		return 0, err
	}
	w, _ := bitstream.At(moves, bit+uint64(n-1)*moveindex.Bits)
	r, ok := game.ResultOf(w)
	if !ok {
		return 0, b.corrupt(ColumnMoves, i, "the game does not end in a result")
	}
	return r, nil
}

// Tags gives g the result and the tags of game n; all else of g is reset. It walks over the tags of the games before,
// unless games are asked for in order, or again.
func (b *Block) Tags(n int, g *game.Game) (err error) {
	defer guard(&err)
	i := n - 1
	g.Reset()
	r, err := b.result(i)
	if err != nil {
		return err
	}
	g.Result = r
	if _, err := b.column(ColumnTags); err != nil {
		return err
	}
	if b.tagged == n {
		g.Tags = append(g.Tags, b.recent...) // the cursor is behind them
	} else {
		if !b.cursorOpen || b.cursor.next > i {
			b.cursor.reset(&b.tags)
			b.cursorOpen = true
		}
		for b.cursor.next < i {
			b.cursor.skip()
		}
		if err := b.cursor.read(g, b.result); err != nil {
			b.cursorOpen = false
			return err
		}
		b.tagged, b.recent = n, append(b.recent[:0], g.Tags...)
	}
	g.Source.Number = int(b.head.first) + i
	return nil
}

// Tag returns the value of the first tag of a name of game n, and whether there is one. It walks over that tag of the
// games before, unless games are asked for in order.
func (b *Block) Tag(n int, name string) (value string, ok bool, err error) {
	defer guard(&err)
	i := n - 1
	if err := b.holds(i); err != nil {
		return "", false, err
	}
	if _, err := b.column(ColumnTags); err != nil {
		return "", false, err
	}
	w := b.tags.walk(name)
	if w.id < 0 {
		return "", false, nil
	}
	if w.twice { // no writer does so; the game's tags tell which of them is the first
		if err := b.Tags(n, &b.spare); err != nil {
			return "", false, err
		}
		value, ok = b.spare.LookupTag(name)
		return value, ok, nil
	}
	s := w.to(&b.tags, i)
	if s == nil {
		return "", false, nil
	}
	value, err = s.value(b.result)
	return value, err == nil, err
}

// TagColumn returns the bytes of the column of tags, as docs/FORMAT.md has it, that hold the values of a tag's name,
// and perhaps all others, until another block is read. A search looks for a text there first: a value stands in it byte
// by byte, with a byte 3 before each byte from 0 to 3. Only the value of Result may be missing.
//
// Cost: a fifth or less of what it takes to read the tags of all games.
func (b *Block) TagColumn(name string) (_ []byte, err error) {
	defer guard(&err)
	if !b.done[ColumnTags] && (b.front == nil || b.front.tags.Load() == nil) {
		return b.tagColumn()
	}
	// It is not the first search.
	all, err := b.column(ColumnTags)
	if err != nil {
		return nil, err
	}
	switch w := b.tags.walk(name); {
	case w.id < 0:
		return nil, nil
	case w.twice:
		return all, nil
	default:
		return b.tags.cols[w.id].b, nil
	}
}

// tagColumn returns the whole column, perhaps not decoded.
func (b *Block) tagColumn() (_ []byte, err error) {
	if b.done[ColumnTags] {
		return b.column(ColumnTags)
	}
	if b.front != nil && !b.tagsRaw {
		if kept := b.front.tags.Load(); kept != nil {
			b.raw[ColumnTags], b.tagsRaw = *kept, true
		}
	}
	if i := b.head.find(ColumnTags); i >= 0 && !b.tagsRaw {
		if b.raw[ColumnTags], err = b.decompress(i, &b.own[ColumnTags]); err != nil {
			return nil, err
		}
		if b.tagsRaw = true; b.front != nil {
			b.raw[ColumnTags] = b.front.keepTags(b.raw[ColumnTags])
		}
	}
	return b.raw[ColumnTags], nil
}

// Game reads game n into g, which is Reset, and verifies every move.
func (b *Block) Game(n int, g *game.Game) (err error) {
	defer guard(&err)
	i := n - 1
	if err := b.Tags(n, g); err != nil {
		return err
	}
	words, err := b.load(i)
	if err != nil {
		return err
	}
	start, main, err := b.split(i, words)
	if err != nil {
		return err
	}
	if g.Start, err = b.startOf(ColumnMoves, i, start); err != nil {
		return err
	}
	b.build.Reset(g)
	if err := b.openNotes(); err != nil {
		return err
	}
	if b.notes.seek(i) {
		if detail := b.notes.read(&b.build, g.Start, main); detail != "" {
			return b.corrupt(ColumnAnnotations, i, detail)
		}
		return nil
	}
	at := g.Start
	for k, x := range main {
		m, ok := x.Move()
		if !ok && (x != moveindex.Null || at.InCheck()) || ok && !at.IsLegal(m) {
			return b.corrupt(ColumnMoves, i, fmt.Sprintf("ply %d: illegal move %d", k+1, x))
		}
		at.Make(m)
		b.build.Move(m)
	}
	return nil
}

func (b *Block) openNotes() error {
	if b.notesOpen {
		return nil
	}
	kinds := [...]ColumnKind{ColumnAnnotations, columnText, columnVariations, columnClocks, columnTimes, columnEvals}
	var raw [len(kinds)][]byte
	for k, kind := range kinds {
		c, err := b.column(kind)
		if err != nil {
			return err
		}
		raw[k] = c
	}
	if i, detail := b.notes.open(b.Len(), raw[0], raw[1], raw[2], [3][]byte(raw[3:])); detail != "" {
		return b.corrupt(ColumnAnnotations, i, detail)
	}
	b.notesOpen = true
	return nil
}

// Exception returns how game n departs from the columns, and whether it does.
func (b *Block) Exception(n int) (_ Exception, _ bool, err error) {
	defer guard(&err)
	i := n - 1
	if err := b.holds(i); err != nil {
		return Exception{}, false, err
	}
	if err := b.openExceptions(); err != nil {
		return Exception{}, false, err
	}
	x, ok := b.except.find(i)
	return x, ok, nil
}

func (b *Block) openExceptions() error {
	if b.exceptOpen {
		return nil
	}
	raw, err := b.column(columnExceptions)
	if err != nil {
		return err
	}
	if i, detail := b.except.open(b.Len(), int(b.head.departing), raw); detail != "" {
		return b.corrupt(columnExceptions, i, detail)
	}
	b.exceptOpen = true
	return nil
}

// Style returns the layout of the block's text.
func (b *Block) Style() (pgn.Style, error) { return decodeStyle(b.head.style) }

// AppendText appends the very text of game n, up to where the next begins, and gives g the game, if it is not nil. The
// text before a block's first game is in AppendAll alone.
func (b *Block) AppendText(dst []byte, n int, g *game.Game) (_ []byte, err error) {
	defer guard(&err)
	if g == nil {
		g = &b.spare
	}
	style, err := b.Style()
	if err != nil {
		return dst, err
	}
	x, _, err := b.Exception(n)
	if err != nil {
		return dst, err
	}
	b.text = b.text[:0]
	if !x.Text {
		if err := b.Game(n, g); err != nil {
			return dst, err
		}
		dst, _ = render(dst, g, &style)
		return dst, nil
	}
	if err := b.Game(n, g); err != nil {
		return dst, err
	}
	b.text, _ = render(b.text, g, &style)
	if len(b.text) > maxBlock {
		return dst, b.tooPatched(n - 1)
	}
	dst, ok := appendPatched(dst, b.text, x.patch, int(b.head.text))
	if !ok {
		return dst, b.corrupt(columnExceptions, n-1, "unsound patch")
	}
	return dst, nil
}

func (b *Block) tooPatched(i int) error {
	return b.corrupt(columnExceptions, i, "more than 2^25 bytes are patched")
}

// AppendAll appends the text of the whole block, and verifies its checksum.
func (b *Block) AppendAll(dst []byte) (_ []byte, err error) {
	defer guard(&err)
	start := len(dst)
	err = b.openExceptions()
	if err != nil {
		return dst, err
	}
	dst = append(dst, b.except.lead...)
	old := uint64(0)
	for i := range b.Len() {
		if dst, err = b.AppendText(dst, i+1, nil); err != nil {
			return dst[:start], err
		}
		if old += uint64(len(b.text)); old > maxBlock {
			return dst[:start], b.tooPatched(i)
		}
		if uint64(len(dst)-start) > b.head.text {
			break
		}
	}
	if got := checksum(dst[start:]); got != b.head.textCRC || uint64(len(dst)-start) != b.head.text {
		return dst[:start], &CorruptError{Part: "text", Block: b.number, Offset: b.at, Want: b.head.textCRC, Got: got,
			Reason: "what the block unpacks to is not what was packed", Err: ErrCorrupt}
	}
	return dst, nil
}
