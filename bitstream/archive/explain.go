// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Explain writes what the bytes of an archive say, front to back, for people who study the format: every field of every
// part with its offset, its bytes and its meaning, each CRC with its state, and the words of main lines with their
// addresses and moves. What is wrong is told where it stands, and after it the next part is looked for. Explain returns
// the first such error, a *CorruptError as a rule, or one of reading or writing.
func Explain(w io.Writer, src io.Reader) (err error) {
	defer guard(&err)
	x := &explainer{w: bufio.NewWriter(w), r: bufio.NewReaderSize(src, 64<<10), next: 1, text: sha256.New()}
	err = x.explain()
	if flushed := x.w.Flush(); flushed != nil {
		return flushed
	}
	if err != nil {
		return err
	}
	return x.bad
}

type explainer struct {
	w      *bufio.Writer
	r      *bufio.Reader
	at     int64 // of what is read next
	bad    error // the first that is wrong
	head   header
	p      filePart
	ended  bool // the last part was a footer with its trailer
	blocks int
	next   uint64 // the number of the next game
	walk   walk
	text   hash.Hash
	b      Block
	words  []moveindex.Index
}

// fault tells what is wrong, and keeps the first.
func (x *explainer) fault(err error) {
	if x.bad == nil {
		x.bad = err
	}
	fmt.Fprintf(x.w, "error: %v\n", err)
}

// part prints the title of a part.
func (x *explainer) part(at int64, format string, args ...any) {
	if at > 0 {
		fmt.Fprintln(x.w)
	}
	fmt.Fprintf(x.w, "%08x  %s\n", at, fmt.Sprintf(format, args...))
}

// field prints b[from:to], a field of the part that begins at at.
func (x *explainer) field(at int64, b []byte, from, to int, format string, args ...any) {
	shown := b[from:min(to, from+8)]
	more := ""
	if to-from > 8 {
		more = ".."
	}
	fmt.Fprintf(x.w, "%08x  %-26s  %s\n", at+int64(from), fmt.Sprintf("% x", shown)+more, fmt.Sprintf(format, args...))
}

// sum prints the CRC that ends b, and returns whether it is right.
func (x *explainer) sum(part string, block int, at int64, b []byte, over string) bool {
	n := len(b) - 4
	want, got := le.Uint32(b[n:]), checksum(b[:n])
	if want == got {
		x.field(at, b, n, n+4, "CRC-32C of %s: %08x, right", over, want)
		return true
	}
	x.field(at, b, n, n+4, "CRC-32C of %s: %08x, wrong", over, want)
	x.fault(&CorruptError{Part: part, Block: block, Offset: at, Want: want, Got: got, Err: ErrCorrupt})
	return false
}

// zero prints a reserved field, and tells if it is not 0.
func (x *explainer) zero(at int64, b []byte, from, to int) {
	x.field(at, b, from, to, "reserved")
	if len(bytes.Trim(b[from:to], "\x00")) > 0 {
		x.fault(fmt.Errorf("%w: the reserved field at offset %d is set", ErrVersion, at+int64(from)))
	}
}

func (x *explainer) explain() error {
	head := make([]byte, headerSize)
	n, err := io.ReadFull(x.r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	x.at = int64(n)
	h, err := decodeHeader(head[:n])
	if err != nil {
		if n < headerSize || string(head[:8]) != string(magic[:]) || le.Uint16(head[8:]) != Version &&
			errors.Is(err, ErrVersion) {
			x.fault(err)
			return nil
		}
		// What is wrong is told below.
	}
	x.head = h
	x.part(0, "header, %d bytes", headerSize)
	x.field(0, head, 0, 8, "magic")
	x.field(0, head, 8, 10, "version %d", le.Uint16(head[8:]))
	if err := checkVersion(le.Uint16(head[8:])); err != nil {
		x.fault(err)
	}
	x.zero(0, head, 10, 12)
	flags := le.Uint32(head[12:])
	meaning := "exact: it unpacks to the bytes that were packed"
	if flags&flagCanonical != 0 {
		meaning = "bit 0, canonical: the layout of the text is not kept"
	}
	if flags&flagSearch != 0 {
		meaning += "; bit 16: search parts are made of blocks that are copied"
	}
	x.field(0, head, 12, 16, "flags: %s", meaning)
	if flags&^(knownFlags|ignoredFlags) != 0 {
		x.fault(fmt.Errorf("%w: flags %#x", ErrVersion, flags))
	}
	x.zero(0, head, 16, 28)
	x.sum("header", 0, 0, head, "bytes 0..27")
	for p := &x.p; ; {
		err := p.read(x.r, x.at)
		switch {
		case err == io.EOF && x.ended:
			return nil
		case err == io.EOF:
			x.fault(cutOff("footer", x.at))
			return nil
		case !isDamage(err) && err != nil:
			return err
		case errors.Is(err, codec.ErrTruncated) && p.b == nil:
			x.at += int64(len(p.have))
			x.fault(placed(err, x.blockOf(p), p.at))
			return nil
		case p.b == nil || !p.isTail() && p.mark != blockMark:
			if err == nil {
				err = corruptPart("block", 0, notBegun)
			}
			x.fault(placed(err, x.blockOf(p), p.at))
			x.r = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(p.have), x.r), 64<<10) // a part may begin in it
			if err := x.resync(); err != nil {
				return err
			}
			continue
		}
		x.at += int64(len(p.b))
		x.ended = false
		more := true
		switch p.mark {
		case blockMark:
			more, err = x.block(err)
		case searchMark:
			x.search()
			err = nil
		case indexMark:
			x.index(p.at, p.b)
			err = nil
		default:
			more = x.footer(err)
			err = nil
		}
		if err != nil || !more {
			return err
		}
	}
}

// blockOf is the number of the block that a part is, from 1; 0 if it is none.
func (x *explainer) blockOf(p *filePart) int {
	if p.isTail() {
		return 0
	}
	return x.blocks + 1
}

// resync passes over what is neither a block nor the footer.
func (x *explainer) resync() error {
	start := x.at
	for {
		front, err := x.r.Peek(x.r.Size())
		if err != nil && err != io.EOF {
			return err
		}
		for i := 1; i+8 <= len(front); i++ {
			if front[i] == 'P' && (headSize(front[i:]) > 0 || isTail(le.Uint32(front[i:]))) {
				x.at += int64(i)
				x.r.Discard(i)
				fmt.Fprintf(x.w, "%08x  %d bytes are passed over\n", start, x.at-start)
				return nil
			}
		}
		n := len(front) - 7
		if err == io.EOF {
			n = len(front)
		}
		x.at += int64(n)
		x.r.Discard(n)
		if err == io.EOF {
			fmt.Fprintf(x.w, "%08x  %d bytes are passed over\n", start, x.at-start)
			return nil
		}
	}
}

// block explains a block, with whose header something may be wrong. It returns false where the file ends in it.
func (x *explainer) block(bad error) (bool, error) {
	at, head := x.p.at, x.p.b
	x.blocks++
	number := x.blocks
	x.part(at, "block %d, header of %d bytes", number, len(head))
	field := func(from, to int, format string, args ...any) { x.field(at, head, from, to, format, args...) }
	field(0, 4, "mark %q", head[:4])
	field(4, 6, "size of the header: %d", le.Uint16(head[4:]))
	field(6, 7, "columns: %d", head[6])
	field(7, 8, "order of the columns: %d", head[7])
	field(8, 16, "first game: %d", le.Uint64(head[8:]))
	field(16, 20, "number of the block, from 0: %d", le.Uint32(head[16:]))
	field(20, 24, "games: %d", le.Uint32(head[20:]))
	field(24, 28, "words of moves: %d", le.Uint32(head[24:]))
	field(28, 32, "plies of main lines: %d", le.Uint32(head[28:]))
	field(32, 36, "bytes of columns: %d", le.Uint32(head[32:]))
	field(36, 40, "games with an exception: %d", le.Uint32(head[36:]))
	field(40, 48, "bytes of text: %d", le.Uint64(head[40:]))
	field(48, 52, "CRC-32C of the text: %08x", le.Uint32(head[48:]))
	style, styleErr := decodeStyle([8]byte(head[52:]))
	field(52, 60, "layout: %+v", style)
	for i := range int(head[6]) {
		from := blockFixed + i*columnEntry
		c := head[from:]
		comp := "as it is"
		switch Compression(c[4]) {
		case Zstd:
			comp = "zstd"
		case Modelled:
			comp = "modelled"
		}
		field(from, from+columnEntry, "column %d, %v, %s: %d bytes, raw %d, digest %x", c[0], ColumnKind(c[0]), comp,
			le.Uint32(c)>>8+1, le.Uint32(c[4:])>>8+1, c[8:24])
	}
	if !x.sum("block", number, at, head, "the header") {
		return true, nil // its lengths are not to be trusted
	}
	b := &x.b
	b.reset()
	b.at, b.number = at, number
	if bad != nil {
		x.fault(placed(bad, number, at))
		return true, nil
	}
	b.head, x.p.head = x.p.head, b.head
	if styleErr != nil {
		x.fault(styleErr)
	}
	before, again := x.walk.last.games, x.walk.replaces(&b.head)
	if h := &b.head; again {
		fmt.Fprintf(x.w, "it takes the place of block %d\n", int64(h.number)+1)
		b.number = int(h.number) + 1
	} else if h.first != x.next || int(h.number) != number-1 {
		x.fault(h.misplaced(number, x.next, at))
	}
	x.walk.add(&b.head, at, head)
	if again {
		x.next += x.walk.last.games - before
		x.blocks--
	} else {
		x.next = b.head.first + uint64(b.head.games)
		x.blocks = int(b.head.number) + 1
	}
	var err error
	if b.data, err = readGrowing(x.r, b.data[:0], int(b.head.data)); err == io.EOF || err == io.ErrUnexpectedEOF {
		x.fault(&CorruptError{Part: "block", Block: number, Offset: x.at, Err: errTruncated})
		return false, nil
	} else if err != nil {
		return false, err
	}
	x.at += int64(len(b.data))
	right := true
	for i, c := range b.Columns() {
		stored := b.data[b.head.columns[i].offset:][:c.Stored]
		_, err := b.check(i)
		state := "right"
		if err != nil {
			state, right = "wrong", false
		}
		x.field(c.Offset, stored, 0, len(stored), "column %d, %v: %d bytes, digest %s", c.Kind, c.Kind, c.Stored, state)
		if err != nil {
			x.fault(err)
		}
	}
	if !right {
		return true, nil
	}
	if err := x.games(); err != nil {
		x.fault(err)
	}
	if err := b.Verify(); err != nil {
		x.fault(err)
	} else {
		x.text.Write(b.scratch)
		fmt.Fprintf(x.w, "the text is of %d bytes, CRC-32C %08x, right\n", b.head.text, b.head.textCRC)
	}
	return true, nil
}

// games explains the words of all games.
func (x *explainer) games() error {
	b := &x.b
	var g game.Game
	base := int64(0) // of the column of moves, if it stands in the file
	for _, c := range b.Columns() {
		if c.Kind == ColumnMoves {
			base = c.Offset
		}
	}
	for i := range b.Len() {
		if err := b.Game(i+1, &g); err != nil {
			return err
		}
		start, n, err := b.span(i)
		if err != nil {
			return err
		}
		if cap(x.words) < int(n) {
			x.words = make([]moveindex.Index, n)
		}
		x.words = x.words[:n]
		moves, err := b.MoveColumn()
		if err != nil {
			return err
		}
		bitstream.Unpack(x.words, moves, uint64(start)*moveindex.Bits)
		fmt.Fprintf(x.w, "\ngame %d, words %d to %d of the block: %q - %q\n%10s.b  bits         word  move\n",
			b.First()+i, start,
			start+n-1, g.Tag("White"), g.Tag("Black"), "byte")
		at := g.Start
		for k, w := range x.words {
			where := "dense" // no word stands at a place of its own
			if !b.Dense() {
				bit := (uint64(start) + uint64(k)) * moveindex.Bits
				where = fmt.Sprintf("%08x.%d", base+int64(bit/8), bit%8)
			}
			fmt.Fprintf(x.w, "%12s  %011b  %4d  %s\n", where, w, w, wordMeaning(x.words, k, &at))
		}
	}
	return nil
}

// wordMeaning tells what word k of a game is, and makes its move.
func wordMeaning(words []moveindex.Index, k int, at *position.Position) string {
	w := words[k]
	if n := bitstream.StartSize(words[0]); n > 0 && k <= n {
		if k == 0 {
			return fmt.Sprintf("start position, in the next %d words: %s", n, at.FEN())
		}
		return fmt.Sprintf("start position, bits %d..%d", (k-1)*moveindex.Bits, k*moveindex.Bits-1)
	}
	if r, ok := game.ResultOf(w); ok {
		return "result " + r.String()
	}
	m, _ := w.Move()
	number := strconv.Itoa(at.FullmoveNumber()) + "."
	if at.Turn() == chess.Black {
		number += ".."
	}
	san := string(at.AppendSAN(nil, m))
	at.Make(m)
	return fmt.Sprintf("%-14s %v", number+" "+san, m)
}

// footer explains the footer and the trailer. It returns false where the file ends in it.
func (x *explainer) footer(bad error) bool {
	p := &x.p
	x.part(p.at, "footer")
	x.root(p.at, p.b)
	if bad != nil {
		x.fault(bad)
	} else {
		if x.bad == nil && (!x.walk.root(&p.root) || p.root.head != x.head) {
			x.fault(corruptPart("footer", p.at, "the index is not that of the blocks"))
		}
		if x.bad == nil && p.root.stats.Hashed && !bytes.Equal(x.text.Sum(nil), p.root.stats.SHA256[:]) {
			x.fault(wrongHash(p.at))
		}
	}
	if len(p.trailer) < trailerSize {
		x.fault(p.end)
		return false
	}
	x.trailer(x.at, p.trailer, p.end)
	x.at += trailerSize
	x.ended = true
	return true
}

// search explains a search part.
func (x *explainer) search() {
	p := &x.p
	x.part(p.at, "search part, of the part of the index after it")
	x.field(p.at, p.b, 0, 4, "mark %q", p.b[:4])
	x.field(p.at, p.b, 4, 8, "size: %d", le.Uint32(p.b[4:]))
	x.sum("search", 0, p.at, p.b[:searchFixed], "these")
	if err := x.walk.passSearch(p.b, p.at); err != nil && x.bad == nil {
		x.fault(err)
	}
}

// index explains a part of the index.
func (x *explainer) index(at int64, b []byte) {
	x.part(at, "part of the index, level %d", b[8])
	x.field(at, b, 0, 4, "mark %q", b[:4])
	x.field(at, b, 4, 8, "size: %d", le.Uint32(b[4:]))
	x.field(at, b, 8, 9, "level: %d", b[8])
	x.field(at, b, 9, 10, "entries: %d", b[9])
	x.field(at, b, 10, 11, "columns of the search part before it: %d", b[10])
	x.zero(at, b, 11, 12)
	x.refs(at, b, partFixed, int(b[9]), int(b[8])-1)
	for i := range int(b[10]) {
		from := partFixed + int(b[9])*indexEntry + i*searchEntry
		x.field(at, b, from, from+searchEntry, "search column of kind %d, %d bytes, digest %x", b[from],
			le.Uint32(b[from:])>>8+1, b[from+4:from+searchEntry])
	}
	if !x.sum("index", 0, at, b, "the part") {
		return
	}
	var p part
	err := p.decode(b, at, true)
	if err == nil {
		if err = x.walk.part(&p, b, at); x.bad != nil {
			err = nil
		}
	}
	if err != nil {
		x.fault(err)
	}
}

// refs explains n entries, of blocks if the level is -1, and else of parts of the index of that level.
func (x *explainer) refs(at int64, b []byte, from, n, level int) {
	for ; n > 0 && from+indexEntry <= len(b)-4; n-- {
		e := decodeRef(b[from:])
		if level < 0 {
			x.field(at, b, from, from+indexEntry, "block at %d, %d games, %d bytes, front of %d bytes, digest of its "+
				"header %x", e.at, e.games, e.size, e.sub, e.sum)
		} else {
			x.field(at, b, from, from+indexEntry, "part of level %d at %d, %d games, %d bytes, %d blocks, digest %x",
				level, e.at, e.games, e.size, e.sub, e.sum)
		}
		from += indexEntry
	}
}

// root explains the fields of a footer.
func (x *explainer) root(at int64, b []byte) {
	field := func(from, to int, format string, args ...any) { x.field(at, b, from, to, format, args...) }
	field(0, 4, "mark %q", b[:4])
	field(4, 8, "size of the footer: %d", le.Uint32(b[4:]))
	field(8, 16, "games: %d", le.Uint64(b[8:]))
	field(16, 24, "plies of main lines: %d", le.Uint64(b[16:]))
	field(24, 32, "bytes of text: %d", le.Uint64(b[24:]))
	field(32, 36, "blocks: %d", le.Uint32(b[32:]))
	field(36, 40, "blocks of dense moves: %d", le.Uint32(b[36:]))
	field(40, 44, "flags: %#x", le.Uint32(b[40:]))
	props := int(le.Uint32(b[44:]))
	field(44, 48, "bytes of properties: %d", props)
	for level := range levels {
		field(48+2*level, 50+2*level, "parts of the index, of level %d: %d", level, le.Uint16(b[48+2*level:]))
	}
	end := len(b) - 4
	if props > end-rootFixed {
		props = 0
	}
	i := rootFixed
	for level := levels - 1; level >= 0; level-- {
		n := int(le.Uint16(b[48+2*level:]))
		x.refs(at, b[:end-props+4], i, n, level)
		i += n * indexEntry
	}
	var r root
	if r.stats.Text = int64(le.Uint64(b[24:])); r.decodeProperties(b[end-props:end], at) == nil {
		for _, p := range r.props {
			n := len(binary.AppendUvarint(nil, uint64(len(p.name)))) + len(p.name) +
				len(binary.AppendUvarint(nil, uint64(len(p.value)))) + len(p.value)
			field(end-props, end-props+n, "property %q: %q", p.name, p.value)
			props -= n
		}
	} else if props > 0 {
		field(end-props, end, "properties")
	}
	state := "right"
	if checksum(b[:end]) != le.Uint32(b[end:]) {
		state = "wrong"
	}
	field(end, end+4, "CRC-32C of the footer: %08x, %s", le.Uint32(b[end:]), state)
}

// trailer explains a trailer, with which something may be wrong.
func (x *explainer) trailer(at int64, t []byte, bad error) {
	x.part(at, "trailer, %d bytes", trailerSize)
	x.field(at, t, 0, 4, "mark %q", t[:4])
	x.field(at, t, 4, 6, "version %d", le.Uint16(t[4:]))
	x.zero(at, t, 6, 8)
	x.field(at, t, 8, 16, "offset of the footer: %d", le.Uint64(t[8:]))
	x.field(at, t, 16, 20, "size of the footer: %d", le.Uint32(t[16:]))
	x.field(at, t, 20, 36, "the footer's digest: %x", t[20:36])
	if x.sum("trailer", 0, at, t, "bytes 0..35") && bad != nil {
		x.fault(bad)
	}
}
