// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ply11/bitstream/codec"
)

// The tail of an archive is the index, in parts, then the footer, which tells of the parts, and the trailer.
// docs/FORMAT.md has the layout.

// Sizes and limits of the tail.
const (
	rootFixed     = 112
	rootPart      = 12
	partFixed     = 8 // of a part of the index, without its CRC
	leastPart     = 64
	maxParts      = 2048
	maxProperties = 16 << 10
	// tailRead is how much of a file's end is read to open it: the longest footer, and the trailer, are in it.
	tailRead = 48 << 10
)

// propertyHash is the property by which the hash of the text can go on: the words of SHA-256 and what is left of the text.
const propertyHash = ".sha256"

// errMeta: a property that an archive cannot hold.
var errMeta = fmt.Errorf("%w: a property that an archive cannot hold", codec.ErrOption)

// property is a name and a value.
type property struct{ name, value string }

// checkMeta refuses properties that an archive cannot hold.
func checkMeta(meta map[string]string) error {
	size := 0
	for name, value := range meta {
		if !userName(name) {
			return fmt.Errorf("%w: the name %q: it is 1 to 255 bytes of text that begin with a letter or a digit", errMeta, name)
		}
		if !utf8.ValidString(value) {
			return fmt.Errorf("%w: the value of %s is not UTF-8", errMeta, name)
		}
		size += len(name) + len(value) + 2*binary.MaxVarintLen32
	}
	if size > maxProperties-256 {
		return fmt.Errorf("%w: more than 16,000 bytes in all", errMeta)
	}
	return nil
}

// userName reports whether a name is one that a user may give to a property.
func userName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return len(s) <= 255 && utf8.ValidString(s) && (unicode.IsLetter(first) || unicode.IsDigit(first)) && !strings.ContainsFunc(s, unicode.IsControl)
}

// root is the footer.
type root struct {
	stats Stats
	head  header // its flags and its model
	per   uint32 // blocks of a part
	at    uint64 // where the first part is
	parts []partEntry
	props []property
}

// partEntry is what the footer says of a part of the index.
type partEntry struct {
	first uint64 // game
	crc   uint32
}

// partSize returns the length of a part of n blocks.
func partSize(n int) int { return partFixed + n*indexEntry + 4 }

// perPart returns how many blocks the writer gives a part, of so many in all.
func perPart(blocks int) int {
	per := leastPart
	for (blocks+per-1)/per > maxParts {
		per *= 2
	}
	return per
}

func (r *root) encode() []byte {
	var props []byte
	for _, p := range r.props {
		props = binary.AppendUvarint(props, uint64(len(p.name)))
		props = append(props, p.name...)
		props = binary.AppendUvarint(props, uint64(len(p.value)))
		props = append(props, p.value...)
	}
	size := rootFixed + rootPart*len(r.parts) + len(props) + 4
	b := r.appendFixed(make([]byte, 0, size), uint64(size))
	b = le.AppendUint32(b, r.head.flags)
	b = le.AppendUint32(b, r.per)
	b = append(b, r.head.model[:]...)
	b = le.AppendUint32(b, uint32(len(props)))
	b = le.AppendUint64(b, r.at)
	for _, p := range r.parts {
		b = le.AppendUint32(le.AppendUint64(b, p.first), p.crc)
	}
	b = append(b, props...)
	return le.AppendUint32(b, checksum(b))
}

// appendFixed appends the first footerFixed bytes.
func (r *root) appendFixed(b []byte, size uint64) []byte {
	s, at := &r.stats, len(b)
	b = append(b, make([]byte, footerFixed)...)
	f := b[at:]
	le.PutUint32(f, footerMark)
	le.PutUint32(f[4:], uint32(s.Blocks))
	le.PutUint64(f[8:], size)
	le.PutUint64(f[16:], uint64(s.Games))
	le.PutUint64(f[24:], s.Plies)
	le.PutUint64(f[32:], uint64(s.Text))
	if s.Hashed {
		f[40] = 1
		copy(f[48:], s.SHA256[:])
	}
	return b
}

// footerStats returns the counts of a footer.
func footerStats(b []byte) Stats {
	s := Stats{Games: int(le.Uint64(b[16:])), Plies: le.Uint64(b[24:]), Text: int64(le.Uint64(b[32:])), Blocks: int(le.Uint32(b[4:])), Hashed: b[40] == 1}
	copy(s.SHA256[:], b[48:48+sha256.Size])
	return s
}

// decode reads a footer that stands at an offset of the file. What it accepts is consistent: the parts and their number are those of the
// blocks, and they are between the header and the footer.
func (r *root) decode(b []byte, at int64) error {
	fail := func(detail string) error {
		return &CorruptError{Part: "footer", Offset: at, Reason: detail, Err: ErrCorrupt}
	}
	if len(b) < rootFixed+4 || len(b) > tailRead-trailerSize {
		return fail("its size is not that of a footer")
	}
	if want, got := le.Uint32(b[len(b)-4:]), checksum(b[:len(b)-4]); want != got {
		return &CorruptError{Part: "footer", Offset: at, Want: want, Got: got, Err: ErrCorrupt}
	}
	if le.Uint32(b) != footerMark || le.Uint64(b[8:]) != uint64(len(b)) {
		return fail("its size is not that of its blocks")
	}
	if err := checkFooter(b, at); err != nil {
		return err
	}
	r.stats = footerStats(b)
	r.head = header{flags: le.Uint32(b[80:]), model: denseModel(b[88:])}
	if err := r.head.check(); err != nil {
		return err
	}
	r.per, r.at = le.Uint32(b[84:]), le.Uint64(b[104:])
	if r.per == 0 {
		return fail("its parts have no blocks")
	}
	n := (uint64(r.stats.Blocks) + uint64(r.per) - 1) / uint64(r.per)
	props := uint64(le.Uint32(b[100:]))
	if n > maxParts || props > maxProperties || rootFixed+rootPart*n+props+4 != uint64(len(b)) {
		return fail("its size is not that of its blocks")
	}
	if size := uint64(r.stats.Blocks)*indexEntry + n*(partFixed+4); r.at < headerSize || r.at > uint64(at) || uint64(at)-r.at != size {
		return fail("the index is not where it begins")
	}
	if r.stats.Games < 0 {
		return fail("impossible counts")
	}
	list := b[rootFixed:]
	r.parts = r.parts[:0]
	last := uint64(1)
	for range n {
		p := partEntry{le.Uint64(list), le.Uint32(list[8:])}
		if p.first < last || len(r.parts) == 0 && p.first != 1 || p.first > uint64(r.stats.Games)+1 {
			return fail("the parts of the index do not follow each other")
		}
		last = p.first
		r.parts = append(r.parts, p)
		list = list[rootPart:]
	}
	if n == 0 && (r.stats.Games > 0 || r.stats.Plies > 0 || r.stats.Text > 0) {
		return fail("games without blocks")
	}
	return r.decodeProperties(list[:props], at)
}

func (r *root) decodeProperties(b []byte, at int64) error {
	fail := func(detail string) error {
		return &CorruptError{Part: "footer", Offset: at, Reason: detail, Err: ErrCorrupt}
	}
	in := input{b: b}
	r.props = r.props[:0]
	for len(in.b) > 0 && !in.bad {
		name := in.take(in.uvarint(255))
		value := in.take(in.uvarint(maxProperties))
		p := property{string(name), string(value)}
		switch {
		case in.bad || p.name == "" || !utf8.ValidString(p.name) || len(r.props) > 0 && r.props[len(r.props)-1].name >= p.name:
			return fail("unsound properties")
		case p.name[0] == '!':
			return fmt.Errorf("%w: the property %q", ErrVersion, p.name)
		case p.name[0] != '.' && !utf8.ValidString(p.value):
			return fail("a property that is no text")
		case p.name == propertyHash:
			sum, err := resumeHash(p.value, r.stats.Text)
			if err != nil || !r.stats.Hashed || string(sum.Sum(nil)) != string(r.stats.SHA256[:]) {
				return fail("the hash does not come of its state")
			}
		}
		r.props = append(r.props, p)
	}
	if in.bad {
		return fail("unsound properties")
	}
	return nil
}

// property returns the value of a property, "" if there is none.
func (r *root) property(name string) string {
	for _, p := range r.props {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// meta returns the properties of the user.
func (r *root) meta() map[string]string {
	m := map[string]string{}
	for _, p := range r.props {
		if p.name[0] != '.' {
			m[p.name] = p.value
		}
	}
	return m
}

// partPlace returns where part i of the index is, and how many blocks it has.
func (r *root) partPlace(i int) (at int64, blocks int) {
	blocks = min(int(r.per), r.stats.Blocks-i*int(r.per))
	return int64(r.at) + int64(i)*int64(partSize(int(r.per))), blocks
}

// checkPart verifies part i of the index. The blocks of it follow each other, and so do their games.
func (r *root) checkPart(i int, b []byte) error {
	at, blocks := r.partPlace(i)
	fail := func(detail string) error {
		return &CorruptError{Part: "index", Offset: at, Reason: detail, Err: ErrCorrupt}
	}
	n := len(b) - 4
	if want, got := r.parts[i].crc, checksum(b[:n]); want != got || le.Uint32(b[n:]) != want {
		return &CorruptError{Part: "index", Offset: at, Want: want, Got: got, Err: ErrCorrupt, Reason: "it is not the index that the footer tells of"}
	}
	if le.Uint32(b) != indexMark || int(le.Uint32(b[4:])) != blocks {
		return fail("it is not of its size")
	}
	next, place := r.parts[i].first, uint64(headerSize)
	for e := b[partFixed:n]; len(e) > 0; e = e[indexEntry:] {
		size, front := uint64(le.Uint32(e[24:])), uint64(le.Uint32(e[32:]))
		if le.Uint64(e) < place || le.Uint64(e) > r.at || size > r.at-le.Uint64(e) || le.Uint64(e[8:]) != next || front > size || front < blockFixed+4 {
			return fail("the blocks of the index do not follow each other")
		}
		place = le.Uint64(e) + size
		next += uint64(le.Uint32(e[16:]))
	}
	end := uint64(r.stats.Games) + 1
	if i+1 < len(r.parts) {
		end = r.parts[i+1].first
	}
	if next != end {
		return fail("the games of the index are not those of the footer")
	}
	return nil
}

// setProperty sets a property of the archive; "" is none.
func (f *fileWriter) setProperty(name, value string) {
	f.props = slices.DeleteFunc(f.props, func(p property) bool { return p.name == name })
	if value != "" || name[0] != '.' {
		f.props = append(f.props, property{name, value})
	}
	slices.SortFunc(f.props, func(a, b property) int { return strings.Compare(a.name, b.name) })
}

// setMeta sets properties of the user.
func (f *fileWriter) setMeta(meta map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(meta)) {
		f.setProperty(name, meta[name])
	}
}

// tail writes the index and the footer, and returns the trailer that comes after them.
func (f *fileWriter) tail() []byte {
	r := root{stats: f.stats, head: f.header, per: uint32(perPart(f.stats.Blocks)), at: uint64(f.stats.Bytes), props: f.props}
	for part := range slices.Chunk(f.index, int(r.per)*indexEntry) {
		b := le.AppendUint32(make([]byte, 0, partSize(int(r.per))), indexMark)
		b = le.AppendUint32(b, uint32(len(part)/indexEntry))
		b = append(b, part...)
		crc := checksum(b)
		f.write(le.AppendUint32(b, crc))
		r.parts = append(r.parts, partEntry{le.Uint64(part[8:]), crc})
	}
	at := uint64(f.stats.Bytes)
	b := r.encode()
	f.write(b)
	return trailer{at, uint64(len(b)), le.Uint32(b[len(b)-4:])}.encode()
}

// The state of Go's SHA-256, as its MarshalBinary has it: a mark, the words, a block of 64 bytes of which the first are set, and the number of
// bytes that were written.
const (
	hashMark  = "sha\x03"
	hashWords = 32
	hashBlock = 64
)

// hashState returns the value of propertyHash: "" if it cannot be had.
func hashState(h hash.Hash) string {
	m, ok := h.(encoding.BinaryMarshaler)
	if !ok {
		return ""
	}
	b, err := m.MarshalBinary()
	if err != nil || len(b) != len(hashMark)+hashWords+hashBlock+8 || string(b[:4]) != hashMark {
		return ""
	}
	left := binary.BigEndian.Uint64(b[len(b)-8:]) % hashBlock
	return string(b[4 : 4+hashWords+left])
}

// resumeHash returns a SHA-256 that was given a text of a length, and has a state.
func resumeHash(state string, length int64) (hash.Hash, error) {
	if length < 0 || len(state) != hashWords+int(length%hashBlock) {
		return nil, errors.New("the state of a hash is not of its length")
	}
	b := append([]byte(hashMark), state...)
	b = append(b, make([]byte, len(hashMark)+hashWords+hashBlock-len(b))...)
	b = binary.BigEndian.AppendUint64(b, uint64(length))
	h := sha256.New()
	u, ok := h.(encoding.BinaryUnmarshaler)
	if !ok {
		return nil, errors.New("the hash has no state")
	}
	return h, u.UnmarshalBinary(b)
}

// tailReader reads a tail front to back.
type tailReader struct {
	root root
	at   int64 // of the footer, if it is sound
	size int64 // of the tail
	torn bool  // the trailer is as far as a writer came with it
}

// read reads a tail that begins at an offset with the bytes front, which were read. The index must have the entries that are given.
func (t *tailReader) read(in io.Reader, front []byte, at int64, entries []byte) error {
	start := at
	fail := func(part, detail string) error {
		return &CorruptError{Part: part, Offset: at, Reason: detail, Err: ErrCorrupt}
	}
	read := func(part string, b []byte) error {
		n := copy(b, front)
		front = front[n:]
		_, err := io.ReadFull(in, b[n:])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return &CorruptError{Part: part, Offset: at, Err: errTruncated}
		}
		return err
	}
	var crcs []uint32
	for le.Uint32(front) == indexMark {
		n := int(le.Uint32(front[4:]))
		if n == 0 || n > len(entries)/indexEntry || len(crcs) == maxParts {
			return fail("index", "it is not that of the blocks")
		}
		b := make([]byte, partSize(n))
		if err := read("index", b); err != nil {
			return err
		}
		crc := checksum(b[:len(b)-4])
		if want := le.Uint32(b[len(b)-4:]); want != crc {
			return &CorruptError{Part: "index", Offset: at, Want: want, Got: crc, Err: ErrCorrupt}
		}
		if string(b[partFixed:len(b)-4]) != string(entries[:n*indexEntry]) {
			return fail("index", "it is not that of the blocks")
		}
		entries = entries[n*indexEntry:]
		crcs = append(crcs, crc)
		at += int64(len(b))
		next := make([]byte, 8)
		if err := read("footer", next); err != nil {
			return err
		}
		front = next
	}
	if le.Uint32(front) != footerMark {
		return fail("footer", "it does not follow the index")
	}
	fixed := make([]byte, footerFixed)
	if err := read("footer", fixed); err != nil {
		return err
	}
	size := le.Uint64(fixed[8:])
	if size < rootFixed+4 || size > tailRead-trailerSize {
		return fail("footer", "its size is not that of a footer")
	}
	front = fixed
	b := make([]byte, size)
	if err := read("footer", b); err != nil {
		return err
	}
	if err := t.root.decode(b, at); err != nil {
		return err
	}
	same := int64(t.root.at) == start && len(t.root.parts) == len(crcs) && len(entries) == 0
	for i := 0; same && i < len(crcs); i++ {
		same = crcs[i] == t.root.parts[i].crc
	}
	if !same {
		return fail("footer", "the index is not that of the blocks")
	}
	t.at = at
	crc := le.Uint32(b[size-4:])
	at += int64(size)
	var last [trailerSize]byte
	if err := read("trailer", last[:]); err != nil {
		t.torn = errors.Is(err, errTruncated)
		return err
	}
	left := bytes.TrimRight(last[:], "\x00")
	t.torn = bytes.HasPrefix(trailer{uint64(t.at), size, crc}.encode(), left)
	tr, err := decodeTrailer(last[:], at)
	if err != nil {
		return err
	}
	if tr.at != uint64(t.at) || tr.size != size || tr.crc != crc {
		return fail("trailer", "it does not tell of the footer")
	}
	t.size = at + trailerSize - start
	return nil
}

// tail reads a tail. It returns io.EOF where the file ends after it.
func (s *Scanner) tail(front []byte) error {
	var t tailReader
	if err := t.read(s.r, front, s.at, s.index); err != nil {
		return err
	}
	r := &t.root
	if uint64(r.stats.Games) != s.next-1 || r.stats.Blocks != s.number {
		return &CorruptError{Part: "footer", Offset: s.at, Reason: "the index is not that of the blocks", Err: ErrCorrupt}
	}
	if r.head.flags != s.header.flags || r.head.model != s.header.model {
		return &CorruptError{Part: "footer", Offset: s.at, Reason: "it is of another header", Err: ErrCorrupt}
	}
	s.hash = nil
	if r.stats.Hashed {
		s.hash = slices.Clone(r.stats.SHA256[:])
	}
	s.root = r
	s.footerAt = t.at
	s.at += t.size
	s.size = s.at
	_, err := s.r.Peek(1)
	return err
}
