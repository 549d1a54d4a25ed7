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
	"ply11/moveindex"
	"ply11/position"
)

// Explain writes what the bytes of an archive say, front to back, for people who study the format: every field of every
// part with its offset, its bytes and its meaning, each CRC with its state, and the words of main lines with their addresses
// and moves. What is wrong is told where it stands, and after it the next part is looked for. Explain returns the
// first such error, a *CorruptError as a rule, or one of reading or writing.
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
	blocks int
	next   uint64 // the number of the next game
	index  []byte // what it should say of the blocks
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

func (x *explainer) corrupt(part string, at int64, format string, args ...any) {
	x.fault(&CorruptError{Part: part, Offset: at, Reason: fmt.Sprintf(format, args...), Err: ErrCorrupt})
}

// read reads exactly the bytes of b; it returns false where the file ends too early, which is told.
func (x *explainer) read(part string, b []byte) (bool, error) {
	n, err := io.ReadFull(x.r, b)
	start := x.at
	x.at += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		x.fault(&CorruptError{Part: part, Offset: start, Err: errTruncated})
		return false, nil
	}
	return err == nil, err
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
	if h, err := decodeHeader(head[:n]); err != nil {
		if n < headerSize || string(head[:8]) != string(magic[:]) || le.Uint16(head[8:]) != Version && errors.Is(err, ErrVersion) {
			x.fault(err)
			return nil
		}
		x.head = anyHeader // what is wrong is told below
	} else {
		x.head = h
	}
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
	x.field(0, head, 12, 16, "flags: %s", meaning)
	if flags&^(knownFlags|ignoredFlags) != 0 {
		x.fault(fmt.Errorf("%w: flags %#x", ErrVersion, flags))
	}
	x.field(0, head, 16, 28, "dense model: %s", modelName(denseModel(head[16:])))
	if h := (header{model: denseModel(head[16:])}); h.check() != nil {
		x.fault(h.check())
	}
	x.sum("header", 0, 0, head, "bytes 0..27")
	for {
		front, err := x.r.Peek(8)
		if err != nil && err != io.EOF {
			return err
		}
		switch {
		case len(front) == 0:
			x.fault(&CorruptError{Part: "footer", Offset: x.at, Err: errTruncated})
			return nil
		case len(front) == 8 && headSize(front) > 0:
			more, err := x.block(headSize(front))
			if err != nil || !more {
				return err
			}
		case len(front) >= 4 && (le.Uint32(front) == footerMark || le.Uint32(front) == indexMark):
			if more, err := x.tail(); err != nil || !more {
				return err
			}
		default:
			x.fault(&CorruptError{Part: "block", Block: x.blocks + 1, Offset: x.at, Reason: "neither a block nor the footer begins here", Err: ErrCorrupt})
			if err := x.resync(); err != nil {
				return err
			}
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
			if front[i] == 'P' && (headSize(front[i:]) > 0 || le.Uint32(front[i:]) == footerMark || le.Uint32(front[i:]) == indexMark) {
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

// block explains a block. It returns false where the file ends in it.
func (x *explainer) block(size int) (bool, error) {
	at := x.at
	head := make([]byte, size)
	if ok, err := x.read("block", head); !ok {
		return false, err
	}
	x.blocks++
	number := x.blocks
	x.part(at, "block %d, header of %d bytes", number, size)
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
	x.zero(at, head, 52, 56)
	style, styleErr := decodeStyle([8]byte(head[56:]))
	field(56, 64, "layout: %+v", style)
	x.zero(at, head, 64, 72)
	for i := range int(head[6]) {
		from := blockFixed + i*columnEntry
		c := head[from:]
		comp := "as it is"
		if Compression(c[1]) == Zstd {
			comp = "zstd"
		}
		field(from, from+columnEntry, "column %d, %v, %s: %d bytes at %d, raw %d, CRC-32C %08x", c[0], ColumnKind(c[0]), comp,
			le.Uint32(c[8:]), le.Uint32(c[4:]), le.Uint32(c[12:]), le.Uint32(c[16:]))
	}
	if !x.sum("block", number, at, head, "the header") {
		return true, nil // its lengths are not to be trusted
	}
	b := &x.b
	b.reset()
	b.at, b.number = at, number
	if err := b.head.decode(head, &x.head); err != nil {
		x.fault(placed(err, number, at))
		return true, nil
	}
	if styleErr != nil {
		x.fault(styleErr)
	}
	if h := &b.head; h.first != x.next || int(h.number) != number-1 {
		x.fault(&CorruptError{Part: "block", Block: number, Offset: at, Err: ErrCorrupt,
			Reason: fmt.Sprintf("it is block %d, from game %d, and not %d, from game %d", int64(h.number)+1, h.first, number, x.next)})
	}
	x.next = b.head.first + uint64(b.head.games)
	x.blocks = int(b.head.number) + 1
	entry := b.head.entry(at, head)
	x.index = append(x.index, entry[:]...)
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
		x.field(c.Offset, stored, 0, len(stored), "column %d, %v: %d bytes, CRC-32C %s", c.Kind, c.Kind, c.Stored, state)
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
		fmt.Fprintf(x.w, "\ngame %d, words %d to %d of the block: %q - %q\n%10s.b  bits         word  move\n", b.First()+i, start,
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
	if words[0] == moveindex.Start && k <= bitstream.StartWords {
		if k == 0 {
			return "start position, in the next 26 words: " + at.FEN()
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

// modelName tells the model of dense moves.
func modelName(m denseModel) string {
	switch m {
	case denseModel{}:
		return "none"
	case model1:
		return "1"
	}
	return "not known"
}

// tail explains the index, the footer and the trailer. It returns true if something follows that may be a block.
func (x *explainer) tail() (bool, error) {
	start, left := x.at, x.index
	var crcs []uint32
	for {
		front, err := x.r.Peek(partFixed)
		if err != nil && err != io.EOF {
			return false, err
		}
		if len(front) < 4 || le.Uint32(front) != indexMark {
			break
		}
		at := x.at
		fixed := make([]byte, partFixed)
		if ok, err := x.read("index", fixed); !ok {
			return false, err
		}
		n := le.Uint32(fixed[4:])
		x.part(at, "part %d of the index", len(crcs)+1)
		x.field(at, fixed, 0, 4, "mark %q", fixed[:4])
		x.field(at, fixed, 4, 8, "blocks: %d", n)
		if n == 0 || int64(n)*indexEntry > int64(len(left)) {
			x.corrupt("index", at, "it is not that of the blocks")
			return true, nil
		}
		crc := checksum(fixed)
		var e [indexEntry]byte
		for range n {
			here := x.at
			if ok, err := x.read("index", e[:]); !ok {
				return false, err
			}
			crc = updateCRC(crc, e[:])
			x.field(here, e[:], 0, indexEntry, "block at %d, first game %d, %d games, %d plies, %d bytes, CRC-32C of its header %08x, front of %d bytes",
				le.Uint64(e[:]), le.Uint64(e[8:]), le.Uint32(e[16:]), le.Uint32(e[20:]), le.Uint32(e[24:]), le.Uint32(e[28:]), le.Uint32(e[32:]))
			if x.bad == nil && string(left[:indexEntry]) != string(e[:]) {
				x.corrupt("index", here, "that is not the block of the file")
			}
			left = left[indexEntry:]
		}
		if ok, err := x.crc("index", at, crc); !ok {
			return false, err
		}
		crcs = append(crcs, crc)
	}
	at := x.at
	b := make([]byte, footerFixed)
	if ok, err := x.read("footer", b); !ok {
		return false, err
	}
	x.part(at, "footer")
	size := le.Uint64(b[8:])
	if le.Uint32(b) != footerMark || size < rootFixed+4 || size > tailRead-trailerSize {
		x.corrupt("footer", at, "its size is not that of a footer")
		return true, nil
	}
	b = append(b, make([]byte, int(size)-footerFixed)...)
	if ok, err := x.read("footer", b[footerFixed:]); !ok {
		return false, err
	}
	x.root(at, b)
	var r root
	err := r.decode(b, at)
	if err != nil {
		x.fault(err)
	} else {
		same := int64(r.at) == start && len(r.parts) == len(crcs) && len(left) == 0 && uint64(r.stats.Games) == x.next-1 && r.head.flags == x.head.flags && r.head.model == x.head.model
		for i := 0; same && i < len(crcs); i++ {
			same = crcs[i] == r.parts[i].crc
		}
		if x.bad == nil && !same {
			x.corrupt("footer", at, "the index is not that of the blocks")
		}
		if x.bad == nil && r.stats.Hashed && !bytes.Equal(x.text.Sum(nil), r.stats.SHA256[:]) {
			x.fault(wrongHash(at))
		}
	}
	own := le.Uint32(b[size-4:])
	here := x.at
	t := make([]byte, trailerSize)
	if ok, err := x.read("trailer", t); !ok {
		return false, err
	}
	x.trailer(here, t, uint64(at), size, own)
	_, err = x.r.Peek(1)
	if err == io.EOF {
		return false, nil
	}
	return true, err
}

// crc reads and prints the CRC that ends a part, which is to be the one given.
func (x *explainer) crc(part string, at int64, crc uint32) (bool, error) {
	here := x.at
	var own [4]byte
	if ok, err := x.read(part, own[:]); !ok {
		return false, err
	}
	want := le.Uint32(own[:])
	if want == crc {
		x.field(here, own[:], 0, 4, "CRC-32C of the %s: %08x, right", part, want)
		return true, nil
	}
	x.field(here, own[:], 0, 4, "CRC-32C of the %s: %08x, wrong", part, want)
	x.fault(&CorruptError{Part: part, Offset: at, Want: want, Got: crc, Err: ErrCorrupt})
	return true, nil
}

// root explains the fields of a footer.
func (x *explainer) root(at int64, b []byte) {
	field := func(from, to int, format string, args ...any) { x.field(at, b, from, to, format, args...) }
	x.counts(at, b)
	field(80, 84, "flags: %#x", le.Uint32(b[80:]))
	field(84, 88, "blocks of a part of the index: %d", le.Uint32(b[84:]))
	field(88, 100, "dense model: %s", modelName(denseModel(b[88:])))
	props := int(le.Uint32(b[100:]))
	field(100, 104, "bytes of properties: %d", props)
	field(104, 112, "offset of the index: %d", le.Uint64(b[104:]))
	end := len(b) - 4
	if props > end-rootFixed {
		props = 0
	}
	i := rootFixed
	for ; i+rootPart <= end-props; i += rootPart {
		field(i, i+rootPart, "part of the index: first game %d, CRC-32C %08x", le.Uint64(b[i:]), le.Uint32(b[i+8:]))
	}
	var r root
	if r.stats = footerStats(b); r.decodeProperties(b[end-props:end], at) == nil {
		for _, p := range r.props {
			n := len(binary.AppendUvarint(nil, uint64(len(p.name)))) + len(p.name) + len(binary.AppendUvarint(nil, uint64(len(p.value)))) + len(p.value)
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

// counts explains the first fields of a footer.
func (x *explainer) counts(at int64, b []byte) {
	field := func(from, to int, format string, args ...any) { x.field(at, b, from, to, format, args...) }
	field(0, 4, "mark %q", b[:4])
	field(4, 8, "blocks: %d", le.Uint32(b[4:]))
	field(8, 16, "size of the footer: %d", le.Uint64(b[8:]))
	field(16, 24, "games: %d", le.Uint64(b[16:]))
	field(24, 32, "plies of main lines: %d", le.Uint64(b[24:]))
	field(32, 40, "bytes of text: %d", le.Uint64(b[32:]))
	hash := "not known"
	if b[40] == 1 {
		hash = fmt.Sprintf("%x", b[48:80])
	}
	field(40, 41, "is the hash there: %d", b[40])
	field(41, 48, "reserved")
	field(48, 80, "SHA-256 of the text: %s", hash)
}

// trailer explains a trailer, which is to tell of a footer.
func (x *explainer) trailer(at int64, t []byte, footer, size uint64, crc uint32) {
	x.part(at, "trailer, %d bytes", trailerSize)
	x.field(at, t, 0, 4, "mark %q", t[:4])
	x.field(at, t, 4, 6, "version %d", le.Uint16(t[4:]))
	x.zero(at, t, 6, 8)
	x.field(at, t, 8, 16, "offset of the footer: %d", le.Uint64(t[8:]))
	x.field(at, t, 16, 24, "size of the footer: %d", le.Uint64(t[16:]))
	x.field(at, t, 24, 28, "the footer's CRC-32C: %08x", le.Uint32(t[24:]))
	if !x.sum("trailer", 0, at, t, "bytes 0..27") {
		return
	}
	tr, err := decodeTrailer(t, at)
	var c *CorruptError
	if err != nil && !errors.As(err, &c) {
		x.fault(err)
	} else if err != nil || tr.at != footer || tr.size != size || tr.crc != crc {
		x.corrupt("trailer", at, "it does not tell of the footer")
	}
}
