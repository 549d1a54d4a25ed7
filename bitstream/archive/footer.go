// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ply11/game/codec"
)

// The index is a tree. The footer tells of the parts that are its top, and these of the parts below them, or of blocks.

const (
	rootFixed     = 56
	partFixed     = 12
	partEntries   = 64 // that the writer gives a part
	maxEntries    = 255
	maxPart       = partFixed + maxEntries*(indexEntry+searchEntry) + 4
	maxProperties = 16 << 10
	// levels is how many levels of parts there may be. A writer gives the footer fewer than topEntries parts of each.
	levels     = 4
	topEntries = 2 * partEntries
	// tailRead is how much of a file's end is read to open it: the longest footer and the trailer.
	tailRead = 48 << 10
)

// propertyHash has the state of the hash of the text, so that it can go on.
const propertyHash = ".sha256"

var errMeta = fmt.Errorf("%w: a property that an archive cannot hold", codec.ErrOption)

type property struct{ name, value string }

func (p *property) append(b []byte) []byte {
	for _, s := range []string{p.name, p.value} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return b
}

func checkMeta(meta map[string]string) error {
	size := 0
	for name, value := range meta {
		if !userName(name) {
			return fmt.Errorf("%w: the name %q: it is 1 to 255 bytes of text that begin with a letter or a digit",
				errMeta, name)
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

func userName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return len(s) <= 255 && utf8.ValidString(s) && (unicode.IsLetter(first) || unicode.IsDigit(first)) &&
		!strings.ContainsFunc(s, unicode.IsControl)
}

type ref struct {
	at    uint64
	games uint64
	size  uint32
	sub   uint32 // of a block the length of its front, of a part the number of its blocks
	sum   digest // of a block's header, or of all of a part
}

func (e *ref) append(b []byte) []byte {
	b = le.AppendUint64(b, e.at)
	b = le.AppendUint64(b, e.games)
	b = le.AppendUint32(b, e.size)
	b = le.AppendUint32(b, e.sub)
	return append(b, e.sum[:]...)
}

func decodeRef(b []byte) ref {
	return ref{le.Uint64(b), le.Uint64(b[8:]), le.Uint32(b[16:]), le.Uint32(b[20:]), digest(b[24:])}
}

// span is a number of blocks and games: of a part, or of what is before it.
type span struct {
	blocks int
	games  uint64
}

func (s span) plus(o span) span { return span{s.blocks + o.blocks, s.games + o.games} }

// spanOf returns the span of an entry of a level; level -1 is that of blocks.
func (e *ref) spanOf(level int) span {
	if level < 0 {
		return span{1, e.games}
	}
	return span{int(e.sub), e.games}
}

// part is a part of the index. Its entries are of blocks on level 0, and else of parts of the level below. search are
// the columns of the search part before it.
type part struct {
	level  int
	refs   []ref
	search []searchColumn
}

func (p *part) fields() []field {
	level, size := uint8(p.level), uint32(partFixed+len(p.refs)*indexEntry+len(p.search)*searchEntry+4)
	refs, columns := uint8(len(p.refs)), uint8(len(p.search))
	return []field{{mark(indexMark), "mark %q"}, {&size, "size: %d"}, {&level, "level: %d"}, {&refs, "entries: %d"},
		{&columns, "columns of the search part before it: %d"}, {uint8(0), ""}}
}

func (p *part) encode() []byte {
	b := appendFields(nil, p.fields())
	for i := range p.refs {
		b = p.refs[i].append(b)
	}
	return seal(appendSearchColumns(b, p.search))
}

// partSize returns the length of the part that begins with b, of partFixed bytes or more; 0 if it cannot be one.
func partSize(b []byte) int {
	size := partFixed + int(b[9])*indexEntry + int(b[10])*searchEntry + 4
	if le.Uint32(b) != indexMark || le.Uint32(b[4:]) != uint32(size) || b[9] == 0 {
		return 0
	}
	return size
}

// decode reads a part of partSize bytes. Its entries are before it, and in the order of the file unless the archive was
// edited.
func (p *part) decode(b []byte, at int64, edited bool) error {
	fail := func(detail string) error {
		return corruptPart("index", at, detail)
	}
	if err := checkSeal("index", at, b); err != nil {
		return err
	}
	if err := decodeFields("index", b, p.fields()); err != nil {
		return err
	}
	if p.level, p.refs = int(b[8]), p.refs[:0]; p.level >= levels {
		return fmt.Errorf("%w: level %d of the index", ErrVersion, p.level)
	}
	e := b[partFixed : len(b)-4]
	for range b[9] {
		p.refs = append(p.refs, decodeRef(e))
		e = e[indexEntry:]
	}
	var ok bool
	if p.search, ok = decodeSearchColumns(nil, e, len(p.refs)); !ok || p.level > 0 && len(p.search) > 0 {
		return fail("the columns of its search part are not sound")
	}
	if !sound(p.refs, p.level-1, at-searchSize(p.search), edited) {
		return fail("its entries do not follow each other")
	}
	return nil
}

// sound reports whether what entries of a level tell of may be: all before an offset, and one behind the other unless
// the archive was edited.
func sound(refs []ref, level int, end int64, edited bool) bool {
	next := uint64(headerSize)
	for _, e := range refs {
		if e.at < next || end < 0 || e.at > uint64(end) || uint64(e.size) > uint64(end)-e.at {
			return false
		}
		if !edited {
			next = e.at + uint64(e.size)
		}
		if level < 0 && (e.size < blockFixed+4 || e.sub > e.size || e.sub < blockFixed+4 || e.games > mostBlockGames) ||
			level >= 0 && (e.size > maxPart || e.sub == 0 || e.sub > math.MaxInt32 ||
				e.games > uint64(e.sub)*mostBlockGames) {
			return false
		}
	}
	return true
}

func sumOf(refs []ref, level int) (s span) {
	for i := range refs {
		s = s.plus(refs[i].spanOf(level))
	}
	return s
}

type root struct {
	stats  Stats
	head   header
	edited bool // blocks were replaced: they do not stand in the file in their order
	dense  uint32
	top    [levels][]ref // the parts that are told of, by their levels: the highest have the first blocks
	props  []property
}

func (r *root) tally() tally { return tally{int64(r.dense), r.stats.Plies, r.stats.Text} }

// rootFields are the numbers at the begin of a footer.
type rootFields struct {
	size                        uint32
	games, plies, text          uint64
	blocks, dense, flags, props uint32
	levels                      [levels]uint16 // how many parts it has of each
}

func (f *rootFields) list() []field {
	list := []field{{mark(footerMark), "mark %q"}, {&f.size, "size of the footer: %d"}, {&f.games, "games: %d"},
		{&f.plies, "plies of main lines: %d"}, {&f.text, "bytes of text: %d"}, {&f.blocks, "blocks: %d"},
		{&f.dense, "blocks of dense moves: %d"}, {&f.flags, "flags: %#x"}, {&f.props, "bytes of properties: %d"}}
	for i := range f.levels {
		list = append(list, field{&f.levels[i], fmt.Sprintf("parts of the index, of level %d: %%d", i)})
	}
	return list
}

func (r *root) encode() []byte {
	var props []byte
	for _, p := range r.props {
		props = p.append(props)
	}
	f := rootFields{games: uint64(r.stats.Games), plies: uint64(r.stats.Plies), text: uint64(r.stats.Text),
		blocks: uint32(r.stats.Blocks), dense: r.dense, flags: r.head.flags, props: uint32(len(props))}
	if r.edited {
		f.flags |= flagEdited
	}
	n := 0
	for level, refs := range r.top {
		f.levels[level] = uint16(len(refs))
		n += len(refs)
	}
	f.size = uint32(rootFixed + indexEntry*n + len(props) + 4)
	b := appendFields(nil, f.list())
	for level := levels - 1; level >= 0; level-- {
		for i := range r.top[level] {
			b = r.top[level][i].append(b)
		}
	}
	return seal(append(b, props...))
}

// decode reads a footer. The parts of what it accepts are before it, and have its blocks and games.
func (r *root) decode(b []byte, at int64) error {
	fail := func(detail string) error {
		return corruptPart("footer", at, detail)
	}
	if len(b) < rootFixed+4 || len(b) > tailRead-trailerSize || le.Uint32(b) != footerMark {
		return fail("its size is not that of a footer")
	}
	if err := checkSeal("footer", at, b); err != nil {
		return err
	}
	var f rootFields
	if err := decodeFields("footer", b, f.list()); err != nil {
		return err
	}
	r.stats = Stats{Games: int(f.games), Plies: int64(f.plies), Text: int64(f.text), Blocks: int(f.blocks)}
	r.edited, r.dense, r.head = f.flags&flagEdited != 0, f.dense, header{flags: f.flags &^ flagEdited}
	if err := r.head.check(); err != nil {
		return err
	}
	n := 0
	for _, k := range f.levels {
		n += int(k)
	}
	if f.props > maxProperties || int(f.size) != len(b) || rootFixed+indexEntry*n+int(f.props)+4 != len(b) {
		return fail("its size is not that of its parts")
	}
	list := b[rootFixed:]
	var all span
	for level := levels - 1; level >= 0; level-- {
		r.top[level] = nil
		for range f.levels[level] {
			r.top[level] = append(r.top[level], decodeRef(list))
			list = list[indexEntry:]
		}
		refs := r.top[level]
		if len(refs) == 0 {
			continue
		}
		if !sound(refs, level, at, r.edited) {
			return fail("the parts of the index do not follow each other")
		}
		all = all.plus(sumOf(refs, level))
	}
	if s := &r.stats; s.Games < 0 || uint64(s.Games) != all.games || s.Blocks != all.blocks ||
		s.Blocks > math.MaxInt32 || int64(r.dense) > int64(s.Blocks) ||
		s.Plies < 0 || s.Blocks == 0 && (s.Plies > 0 || s.Text > 0) || int64(s.Blocks) > at/leastBlock {
		return fail("the parts of the index do not have its blocks")
	}
	return r.decodeProperties(list[:f.props], at)
}

func (r *root) decodeProperties(b []byte, at int64) error {
	fail := func(detail string) error {
		return corruptPart("footer", at, detail)
	}
	in := input{b: b}
	r.props = r.props[:0]
	for len(in.b) > 0 && !in.bad {
		name := in.take(in.uvarint(255))
		value := in.take(in.uvarint(maxProperties))
		p := property{string(name), string(value)}
		switch {
		case in.bad || p.name == "" || !utf8.ValidString(p.name) || len(r.props) > 0 &&
			r.props[len(r.props)-1].name >= p.name:
			return fail("unsound properties")
		case p.name[0] == '!':
			return fmt.Errorf("%w: the property %q", ErrVersion, p.name)
		case p.name[0] != '.' && !utf8.ValidString(p.value):
			return fail("a property that is no text")
		case p.name == propertyHash:
			sum, err := resumeHash(p.value, r.stats.Text)
			if err != nil {
				return fail("the state of the hash is not of the length of the text")
			}
			sum.Sum(r.stats.SHA256[:0])
			r.stats.Hashed = true
		}
		r.props = append(r.props, p)
	}
	if in.bad {
		return fail("unsound properties")
	}
	return nil
}

func (r *root) property(name string) string {
	for _, p := range r.props {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

func (r *root) meta() map[string]string {
	m := map[string]string{}
	for _, p := range r.props {
		if p.name[0] != '.' {
			m[p.name] = p.value
		}
	}
	return m
}

// setProperty sets a property of the archive; "" removes one of ours.
func (f *fileWriter) setProperty(name, value string) {
	f.props = slices.DeleteFunc(f.props, func(p property) bool { return p.name == name })
	if value != "" || name[0] != '.' {
		f.props = append(f.props, property{name, value})
	}
	slices.SortStableFunc(f.props, func(a, b property) int { return strings.Compare(a.name, b.name) })
}

func (f *fileWriter) setMeta(meta map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(meta)) {
		f.setProperty(name, meta[name])
	}
}

// tail writes the rest of the index, the footer and the trailer.
func (f *fileWriter) tail() {
	// A small part before these blocks becomes one with theirs, so that there are never many small ones.
	for top := f.top[0]; f.merge != nil && len(f.index) > 0 && len(top) > 0; {
		last := top[len(top)-1]
		if int(last.sub) >= 2*len(f.index) || int(last.sub)+len(f.index) > partEntries {
			break
		}
		refs, search, err := f.merge(last, f.stats.Blocks-len(f.index)-int(last.sub))
		if err != nil {
			f.err = cmp.Or(f.err, err)
			return
		}
		f.index, f.search = append(slices.Clone(refs), f.index...), append(search, f.search...)
		top = top[:len(top)-1]
		f.top[0] = top
	}
	f.flush()
	r := root{stats: f.stats, head: f.header, edited: f.edited, dense: f.dense, top: f.top, props: f.props}
	b := r.encode()
	end := trailerOf(b, f.stats.Bytes)
	f.write(b)
	f.write(end.encode())
}

// flush writes the part of the index of the last blocks, and those of higher levels that become full.
func (f *fileWriter) flush() {
	if len(f.index) == 0 {
		return
	}
	search, columns := encodeSearch(f.search)
	f.top[0] = append(f.top[0], f.part(0, f.index, search, columns))
	f.index, f.search = f.index[:0], f.search[:0]
	for level := 0; level+1 < levels && len(f.top[level]) == topEntries; level++ {
		f.top[level+1] = append(f.top[level+1], f.part(level+1, f.top[level][:partEntries], nil, nil))
		f.top[level] = slices.Clone(f.top[level][partEntries:])
	}
}

// part writes a part of the index, after its search part, and returns its entry.
func (f *fileWriter) part(level int, refs []ref, search []byte, columns []searchColumn) ref {
	f.write(search)
	p := part{level, refs, columns}
	b := p.encode()
	all := sumOf(refs, level-1)
	e := ref{uint64(f.stats.Bytes), all.games, uint32(len(b)), uint32(all.blocks), digestOf(b)}
	f.write(b)
	return e
}

// The state of Go's SHA-256, as its MarshalBinary has it: a mark, the words, 64 bytes of which the first are used, and
// the number of bytes that were written.
const (
	hashMark  = "sha\x03"
	hashWords = 32
	hashBlock = 64
)

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

// resumeHash returns the SHA-256 of a text of this length that has this state.
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
