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

// Explain writes what the bytes of an archive say, front to back: every field with its offset, its bytes and its
// meaning, each CRC with its state, and the words of main lines with their addresses and moves. After what is wrong,
// the next part is looked for. Explain returns the first such error, a *CorruptError as a rule, or one of reading or
// writing.
func Explain(w io.Writer, src io.Reader) (err error) {
	defer guard(&err)
	x := &explainer{w: bufio.NewWriter(w), r: bufio.NewReaderSize(src, 64<<10), text: sha256.New()}
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
	walk
	w     *bufio.Writer
	r     *bufio.Reader
	bad   error
	ended bool // the last part was a footer with its trailer
	text  hash.Hash
	b     Block
	words []moveindex.Index
}

func (x *explainer) fault(err error) {
	if err == nil {
		return
	}
	if x.bad == nil {
		x.bad = err
	}
	fmt.Fprintf(x.w, "error: %v\n", err)
}

func (x *explainer) title(at int64, format string, args ...any) {
	if at > 0 {
		fmt.Fprintln(x.w)
	}
	fmt.Fprintf(x.w, "%08x  %s\n", at, fmt.Sprintf(format, args...))
}

func (x *explainer) field(at int64, b []byte, format string, args ...any) {
	more := ""
	if len(b) > 8 {
		more = ".."
	}
	fmt.Fprintf(x.w, "%08x  %-26s  %s\n", at, fmt.Sprintf("% x", b[:min(len(b), 8)])+more,
		fmt.Sprintf(format, args...))
}

func (x *explainer) fields(at int64, b []byte, list []field) {
	for _, f := range list {
		n := binary.Size(f.value)
		if f.says == "" {
			f.says = "reserved"
		}
		x.field(at, b[:n], "%s", f.text(b[:n]))
		at, b = at+int64(n), b[n:]
	}
}

// seal prints the CRC that ends b, and then what is wrong: the CRC, or else what was found beside it.
func (x *explainer) seal(part string, at int64, b []byte, over string, bad error) (right bool) {
	n := len(b) - 4
	state, err := "right", checkSeal(part, at, b)
	if err != nil {
		state, bad = "wrong", x.placed(err)
	}
	x.field(at+int64(n), b[n:], "CRC-32C of %s: %08x, %s", over, le.Uint32(b[n:]), state)
	x.fault(bad)
	return err == nil
}

func (x *explainer) explain() error {
	head := make([]byte, headerSize)
	n, err := io.ReadFull(x.r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	x.at = int64(n)
	if x.header, err = decodeHeader(head[:n]); err != nil && (n < headerSize || string(head[:8]) != string(magic[:]) ||
		le.Uint16(head[8:]) != Version && errors.Is(err, ErrVersion)) {
		x.fault(err)
		return nil
	}
	x.title(0, "header, %d bytes", headerSize)
	meaning := "exact: it unpacks to the bytes that were packed"
	flags := le.Uint32(head[12:])
	if flags&flagCanonical != 0 {
		meaning = "bit 0, canonical: the layout of the text is not kept"
	}
	if flags&flagSearch != 0 {
		meaning += "; bit 16: search parts are made of blocks that are copied"
	}
	fields := x.header.fields()
	fields[3].says += meaning
	x.fields(0, head, fields)
	if v := le.Uint16(head[8:]); v != Version {
		x.fault(fmt.Errorf("%w: version %d", ErrVersion, v))
	}
	x.seal("header", 0, head, "bytes 0..27", err)
	for p := &x.part; ; {
		err := x.read(x.r)
		switch {
		case err == io.EOF && x.ended:
			return nil
		case err == io.EOF:
			x.fault(cutOff("footer", x.at))
			return nil
		case !isDamage(err) && err != nil:
			return err
		case errors.Is(err, codec.ErrTruncated) && p.b == nil:
			x.fault(err)
			return nil
		case p.b == nil || !p.isTail() && p.mark != blockMark:
			if err == nil {
				err = x.pass(p)
			}
			x.fault(err)
			x.r = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(p.have), x.r), 64<<10) // a part may begin in it
			if err := x.resync(); err != nil {
				return err
			}
			continue
		}
		x.ended = false
		if p.mark == blockMark {
			x.at += int64(len(p.b))
			if more, err := x.block(err); err != nil || !more {
				return err
			}
			continue
		}
		right := x.tail(err)
		if err := x.pass(p); right && err != nil && err != p.end && x.bad == nil {
			x.fault(err)
		}
		if x.at = p.at + int64(len(p.b)); p.mark == footerMark && !x.trailer() {
			return nil
		}
	}
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

var compressions = map[Compression]string{Stored: "as it is", Zstd: "zstd", Modelled: "modelled"}

// block explains a block. It returns false where the file ends in it.
func (x *explainer) block(bad error) (bool, error) {
	at, head := x.part.at, x.part.b
	number := x.expect.blocks + 1
	x.title(at, "block %d, header of %d bytes", number, len(head))
	style, styleErr := decodeStyle([8]byte(head[52:]))
	fields := x.part.head.fields()
	fields[len(fields)-1].says += fmt.Sprintf("%+v", style)
	x.fields(at, head, fields)
	for from := blockFixed; from < len(head)-4; from += columnEntry {
		c := head[from : from+columnEntry]
		x.field(at+int64(from), c, "column %d, %v, %s: %d bytes, raw %d, digest %x", c[0], ColumnKind(c[0]),
			compressions[Compression(c[4])], le.Uint32(c)>>8+1, le.Uint32(c[4:])>>8+1, c[8:])
	}
	if !x.seal("block", at, head, "the header", bad) || bad != nil {
		x.expect.blocks++
		return true, nil // its lengths are not to be trusted
	}
	x.fault(styleErr)
	b := &x.b
	b.reset()
	b.at, b.number = at, number
	again := x.replaces(&x.part.head)
	if again {
		b.number = int(x.part.head.number) + 1
		fmt.Fprintf(x.w, "it takes the place of block %d\n", b.number)
	}
	x.fault(x.pass(&x.part))
	x.at = at + int64(len(head))
	b.head, x.part.head = x.part.head, b.head
	b.head.first = x.expect.games - uint64(b.head.games) + 1
	if again {
		b.head.first = 1
		for _, i := range x.now[:b.number-1] {
			b.head.first += x.blocks[i].games
		}
	}
	var err error
	if b.data, err = readGrowing(x.r, b.data[:0], int(b.head.data)); err == io.EOF || err == io.ErrUnexpectedEOF {
		x.fault(placed(cutOff("block", x.at), number, x.at))
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
		x.field(c.Offset, stored, "column %d, %v: %d bytes, digest %s", c.Kind, c.Kind, c.Stored, state)
		if err != nil {
			x.fault(err)
		}
	}
	if !right {
		return true, nil
	}
	x.fault(x.games())
	if err := b.Verify(); err != nil {
		x.fault(err)
	} else {
		x.text.Write(b.scratch)
		fmt.Fprintf(x.w, "the text is of %d bytes, CRC-32C %08x, right\n", b.head.text, b.head.textCRC)
	}
	return true, nil
}

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

// tail explains a search part, a part of the index or a footer, and returns whether it is sound.
func (x *explainer) tail(bad error) bool {
	p, at, b := &x.part, x.part.at, x.part.b
	end := len(b) - 4
	switch p.mark {
	case searchMark:
		x.title(at, "search part, of the part of the index after it")
		x.field(at, b[:4], "mark %q", b[:4])
		x.field(at+4, b[4:8], "size: %d", le.Uint32(b[4:]))
		return x.seal("search", at, b[:searchFixed], "these", bad)
	case indexMark:
		x.title(at, "part of the index, level %d", b[8])
		x.fields(at, b, p.index.fields())
		from := partFixed + int(b[9])*indexEntry
		x.refs(at+partFixed, b[partFixed:from], int(b[8])-1)
		for ; from < end; from += searchEntry {
			c := b[from : from+searchEntry]
			x.field(at+int64(from), c, "search column of kind %d, %d bytes, digest %x", c[0], le.Uint32(c)>>8+1, c[4:])
		}
		return x.seal("index", at, b, "the part", bad) && bad == nil
	}
	x.title(at, "footer")
	var f rootFields
	decodeFields("footer", b, f.list())
	x.fields(at, b, f.list())
	rest := b[rootFixed:end]
	for level := levels - 1; level >= 0; level-- {
		n := min(int(f.levels[level])*indexEntry, len(rest))
		x.refs(at+int64(end-len(rest)), rest[:n], level)
		rest = rest[n:]
	}
	r := root{stats: Stats{Text: int64(f.text)}}
	if r.decodeProperties(rest, at) == nil {
		for _, p := range r.props {
			n := len(p.append(nil))
			x.field(at+int64(end-len(rest)), rest[:n], "property %q: %q", p.name, p.value)
			rest = rest[n:]
		}
	} else if len(rest) > 0 {
		x.field(at+int64(end-len(rest)), rest, "properties")
	}
	right := x.seal("footer", at, b, "the footer", bad) && bad == nil
	if right && x.bad == nil && p.root.stats.Hashed && !bytes.Equal(x.text.Sum(nil), p.root.stats.SHA256[:]) {
		x.fault(wrongHash(at))
	}
	return right
}

func (x *explainer) refs(at int64, b []byte, level int) {
	for ; len(b) >= indexEntry; b, at = b[indexEntry:], at+indexEntry {
		e := decodeRef(b)
		if level < 0 {
			x.field(at, b[:indexEntry], "block at %d, %d games, %d bytes, front of %d bytes, digest of its header %x",
				e.at, e.games, e.size, e.sub, e.sum)
		} else {
			x.field(at, b[:indexEntry], "part of level %d at %d, %d games, %d bytes, %d blocks, digest %x",
				level, e.at, e.games, e.size, e.sub, e.sum)
		}
	}
}

// trailer explains the trailer of a footer. It returns false where the file ends in it.
func (x *explainer) trailer() bool {
	p, at := &x.part, x.at
	if len(p.trailer) < trailerSize {
		x.fault(p.end)
		return false
	}
	x.title(at, "trailer, %d bytes", trailerSize)
	x.fields(at, p.trailer, new(trailer).fields())
	x.seal("trailer", at, p.trailer, "bytes 0..35", p.end)
	x.at += trailerSize
	x.ended = true
	return true
}
