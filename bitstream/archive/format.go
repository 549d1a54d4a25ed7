// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"strings"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
)

// Version is the version of the format.
const Version = 1

const (
	headerSize   = 32
	blockFixed   = 60 // a block's header without its columns and CRC
	columnEntry  = 24
	indexEntry   = 40
	trailerSize  = 40
	maxColumns   = 32
	maxBlockHead = blockFixed + maxColumns*columnEntry + 4
	leastBlock   = blockFixed + 4

	mostBlockGames = 65535
	// maxColumn is the greatest length of a column in bytes, stored or decompressed.
	maxColumn = 16 << 20
	// maxBlock bounds the raw lengths of all columns of a block together; its text; its tags; and what its layout makes
	// of games that have a patch.
	maxBlock = 2 * maxColumn
	// maxTagNames bounds the names of tags of a block, and the numbers in its shapes.
	maxTagNames = 1 << 18
)

// maxDensePlies returns how many plies a column of dense moves of n bytes may have. Master games have 2.9 plies a byte:
// bytes that were made to take long take little longer than sound ones.
func maxDensePlies(n int) int { return 8*n + 1<<10 }

// magic opens a file. Like PNG's, it is spoilt by what changes line ends or clears eighth bits.
var magic = [8]byte{0x89, 'P', '1', '1', '\r', '\n', 0x1a, '\n'}

const (
	blockMark   = 0x42313150 // "P11B"
	indexMark   = 0x49313150 // "P11I"
	footerMark  = 0x46313150 // "P11F"
	trailerMark = 0x45313150 // "P11E"
)

// ColumnKind is what a column holds.
type ColumnKind uint8

// A reader refuses a kind below columnAncillary that it does not know, and passes over one from there on.
const (
	columnIndex       ColumnKind = 1 // where each game begins in the column of moves
	ColumnMoves       ColumnKind = 2 // main lines, eleven bits a word
	ColumnTags        ColumnKind = 3
	ColumnAnnotations ColumnKind = 4 // where comments, NAGs and variations stand
	columnText        ColumnKind = 5
	columnVariations  ColumnKind = 6 // the moves of variations
	columnClocks      ColumnKind = 7
	columnTimes       ColumnKind = 8
	columnEvals       ColumnKind = 9
	columnExceptions  ColumnKind = 10 // what departs from the block's layout
	ColumnDense       ColumnKind = 11 // main lines, by package dense
	columnGames       ColumnKind = 12 // with them: ply counts, results, start positions

	numColumns = columnGames + 1

	columnAncillary = 128
	columnSafe      = 64 // the bit of an ancillary kind that stays right where a block is made again: safe to copy

	ColumnFilter ColumnKind = 128 // what games cannot have: see Filter
)

var kindNames = map[ColumnKind]string{columnIndex: "index", ColumnMoves: "moves", ColumnTags: "tags",
	ColumnAnnotations: "annotations", columnText: "text", columnVariations: "variations",
	columnClocks: "clocks", columnTimes: "times", columnEvals: "evals", columnExceptions: "exceptions",
	ColumnDense: "dense moves", columnGames: "games", ColumnFilter: "filters"}

// known reports whether a writer makes the column.
func (k ColumnKind) known() bool { return k <= ColumnFilter }

// kept reports whether a writer that makes a block again copies a column that it does not know.
func (k ColumnKind) kept() bool { return !k.known() && k&columnSafe != 0 }

// slot returns where a Block keeps the column: all kinds from columnAncillary on share one.
func (k ColumnKind) slot() ColumnKind { return min(k, numColumns) }

const numSlots = numColumns + 1

func (k ColumnKind) String() string {
	if s, ok := kindNames[k]; ok {
		return s
	}
	return fmt.Sprintf("column %d", uint8(k))
}

// Compression is how a column is stored.
type Compression uint8

const (
	Stored   Compression = 0
	Zstd     Compression = 1
	Modelled Compression = 2 // numbers, by their probabilities
)

// Errors of archives. A CorruptError has one of the first three.
var (
	// ErrCorrupt: a checksum is wrong, or what it protects contradicts itself.
	ErrCorrupt = fmt.Errorf("%w archive", codec.ErrCorrupt)
	// errTruncated: the archive ends too early. It is an ErrCorrupt and a codec.ErrTruncated.
	errTruncated = fmt.Errorf("%w: %w", ErrCorrupt, codec.ErrTruncated)
	// ErrNotArchive: the file does not begin as an archive does.
	ErrNotArchive = errors.New("not a ply11 archive")
	// ErrVersion: the archive is of another version, or has a column that this reader does not know.
	ErrVersion = errors.New("archive of an unknown version")
	// ErrEdited: games were taken out or changed where the archive is, so that it cannot be read front to back: see
	// Reader.Ordered.
	ErrEdited = errors.New(
		"games of the archive were edited: it is read as a file, and not from a pipe; ply11 compact changes that")
	// ErrNoGame: there is no game or block of the number.
	ErrNoGame = errors.New("no such game")
	// ErrInvalid: the archive keeps the text of a game that is not valid, or that its columns cannot hold. The game is
	// as much of it as is valid.
	ErrInvalid = errors.New("the archive keeps the text of a game that is not valid")
)

// CorruptError tells where an archive is corrupt. It is final: unlike a *codec.Error, no game can be read after it.
type CorruptError struct {
	Part   string // "header", "block", "footer", "trailer", or a column's name
	Block  int    // the block's number in the file, from 1; 0 if it is not about one
	Offset int64  // where the part begins, in bytes from the start of the file
	Game   int    // the game concerned, from 1; 0 if not known
	Want   uint32 // of a CRC
	Got    uint32
	Reason string // what is known besides Err
	Err    error  // ErrCorrupt, which may also be codec.ErrTruncated
}

func (e *CorruptError) Error() string {
	s := e.Err.Error()
	if e.Block > 0 {
		s += fmt.Sprintf(": block %d", e.Block)
	}
	if e.Part != "block" || e.Block == 0 {
		s += ": " + e.Part
	}
	s += fmt.Sprintf(" at offset %d", e.Offset)
	if e.Game > 0 {
		s += fmt.Sprintf(": game %d", e.Game)
	}
	if e.Want != e.Got {
		s += fmt.Sprintf(": CRC-32C is %08x, not %08x", e.Got, e.Want)
	}
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s
}

func corruptPart(part string, at int64, reason string) error {
	return &CorruptError{Part: part, Offset: at, Reason: reason, Err: ErrCorrupt}
}

func corruptBlock(block int, at int64, reason string) error {
	return &CorruptError{Part: "block", Block: block, Offset: at, Reason: reason, Err: ErrCorrupt}
}

// otherSum is the error of a part that has another CRC than it says.
func otherSum(part string, at int64, want, got uint32) error {
	return &CorruptError{Part: part, Offset: at, Want: want, Got: got, Err: ErrCorrupt}
}

func cutOff(part string, at int64) error {
	return &CorruptError{Part: part, Offset: at, Err: errTruncated}
}

func (e *CorruptError) Unwrap() error { return e.Err }

// UnfinishedError tells that a file is being written to, or was when its writer was interrupted. Recover takes the
// games that are whole behind the archive of before.
type UnfinishedError struct {
	Bytes int64 // that stand behind that archive
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("%d unfinished bytes stand behind the archive", e.Bytes)
}

func (e *UnfinishedError) Unwrap() error { return ErrCorrupt }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// digest is the first half of a SHA-256: each part has those of the parts that it tells of.
type digest [16]byte

func digestOf(parts ...[]byte) (d digest) {
	if len(parts) == 1 {
		sum := sha256.Sum256(parts[0])
		return digest(sum[:])
	}
	h := sha256.New()
	for _, b := range parts {
		h.Write(b)
	}
	return digest(h.Sum(nil))
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

var le = binary.LittleEndian

const (
	// flagCanonical: the layout of the text that was packed is not kept.
	flagCanonical = 1 << iota
	// flagEdited, of the footer alone: blocks were replaced, and do not stand in the file in their order.
	flagEdited

	// flagSearch: who copies blocks makes search parts of them.
	flagSearch = 1 << 16

	knownFlags = flagCanonical | flagSearch
	// ignoredFlags need not be known to a reader.
	ignoredFlags = 0xffff0000
)

// field is a field of a part: a constant, a pointer to a number, or a slice of bytes. says is what Explain prints of
// it; a reserved field has none.
type field struct {
	value any
	says  string
}

func appendFields(b []byte, list []field) []byte {
	for _, f := range list {
		b, _ = binary.Append(b, le, f.value)
	}
	return b
}

// decodeFields reads fields of a part. A constant that is another is an ErrVersion.
func decodeFields(part string, b []byte, list []field) error {
	for _, f := range list {
		n := binary.Size(f.value)
		if kind := reflect.TypeOf(f.value).Kind(); kind == reflect.Pointer || kind == reflect.Slice {
			binary.Decode(b, le, f.value)
		} else if own, _ := binary.Append(nil, le, f.value); !bytes.Equal(own, b[:n]) {
			if f.says == "" {
				return fmt.Errorf("%w: a reserved field of the %s is set", ErrVersion, part)
			}
			return fmt.Errorf("%w: %s", ErrVersion, f.text(b[:n]))
		}
		b = b[n:]
	}
	return nil
}

func (f *field) text(b []byte) string {
	if !strings.Contains(f.says, "%") {
		return f.says
	}
	switch reflect.Indirect(reflect.ValueOf(f.value)).Kind() {
	case reflect.Array, reflect.Slice:
		return fmt.Sprintf(f.says, b)
	}
	var number [8]byte
	copy(number[:], b)
	return fmt.Sprintf(f.says, le.Uint64(number[:]))
}

func mark(m uint32) [4]byte { return [4]byte(le.AppendUint32(nil, m)) }

func seal(b []byte) []byte { return le.AppendUint32(b, checksum(b)) }

func checkSeal(part string, at int64, b []byte) error {
	n := len(b) - 4
	if want, got := le.Uint32(b[n:]), checksum(b[:n]); want != got {
		return otherSum(part, at, want, got)
	}
	return nil
}

type header struct{ flags uint32 }

func (h *header) fields() []field {
	return []field{{magic, "magic"}, {uint16(Version), "version %d"}, {uint16(0), ""}, {&h.flags, "flags: "},
		{[12]byte{}, ""}}
}

func (h header) encode() []byte { return seal(appendFields(nil, h.fields())) }

func decodeHeader(b []byte) (h header, err error) {
	n := min(len(b), len(magic))
	if n == 0 || string(b[:n]) != string(magic[:n]) {
		return h, ErrNotArchive
	}
	if len(b) < headerSize {
		return h, cutOff("header", 0)
	}
	if err := checkSeal("header", 0, b); err != nil {
		return h, err
	}
	if err := decodeFields("header", b, h.fields()); err != nil {
		return h, err
	}
	return h, h.check()
}

func (h *header) check() error {
	if h.flags&^(knownFlags|ignoredFlags) != 0 {
		return fmt.Errorf("%w: flags %#x", ErrVersion, h.flags)
	}
	return nil
}

type column struct {
	kind   ColumnKind
	comp   Compression
	offset uint32 // from the end of the block's header; set by decode
	stored uint32
	raw    uint32
	sum    digest
}

type head struct {
	size      int
	first     uint64 // number of its first game, which the header does not have
	number    uint32
	games     uint32
	words     uint32
	plies     uint32
	data      uint32
	departing uint32 // games with an exception
	text      uint64 // length of what the block unpacks to
	textCRC   uint32
	style     [8]byte
	columns   []column
	dense     bool // the moves are in the columns 11 and 12; set by decode
}

// find returns the place of a column in the directory, -1 if there is none.
func (h *head) find(kind ColumnKind) int {
	for i := range h.columns {
		if h.columns[i].kind == kind {
			return i
		}
	}
	return -1
}

func (h *head) fields() []field {
	size, columns := uint16(h.size), uint8(len(h.columns))
	return []field{{mark(blockMark), "mark %q"}, {&size, "size of the header: %d"}, {&columns, "columns: %d"},
		{uint8(columnOrder), "order of the columns: %d"}, {uint64(0), ""},
		{&h.number, "number of the block, from 0: %d"}, {&h.games, "games: %d"}, {&h.words, "words of moves: %d"},
		{&h.plies, "plies of main lines: %d"}, {&h.data, "bytes of columns: %d"},
		{&h.departing, "games with an exception: %d"}, {&h.text, "bytes of text: %d"},
		{&h.textCRC, "CRC-32C of the text: %08x"}, {h.style[:], "layout: "}}
}

func (h *head) encode(dst []byte) []byte {
	h.size = blockFixed + len(h.columns)*columnEntry + 4
	b := appendFields(make([]byte, 0, h.size), h.fields())
	for _, col := range h.columns {
		b = le.AppendUint32(b, uint32(col.kind)|(col.stored-1)<<8)
		b = le.AppendUint32(b, uint32(col.comp)|(col.raw-1)<<8)
		b = append(b, col.sum[:]...)
	}
	return append(dst, seal(b)...)
}

// headSize returns the length of the block's header that begins with b (8 bytes or more), 0 if it cannot be one.
func headSize(b []byte) int {
	size, columns := int(le.Uint16(b[4:])), int(b[6])
	if le.Uint32(b) != blockMark || columns > maxColumns || size != blockFixed+columns*columnEntry+4 {
		return 0
	}
	return size
}

// decode reads a header of headSize bytes. All columns of what it accepts are known, and no number is beyond the
// limits. The error has no place yet.
func (h *head) decode(b []byte) error {
	fail := func(detail string) error { return corruptPart("block", 0, detail) }
	h.size = len(b)
	if err := checkSeal("block", 0, b); err != nil {
		return err
	}
	if err := decodeFields("block", b, h.fields()); err != nil {
		return err
	}
	if h.games > mostBlockGames || h.words > maxColumn/2 || h.plies > h.words || h.departing > h.games {
		return fail("impossible counts")
	}
	h.columns = h.columns[:0]
	total, raw := uint32(0), uint32(0)
	last := ColumnKind(0)
	for c := b[blockFixed : h.size-4]; len(c) > 0; c = c[columnEntry:] {
		col := column{kind: ColumnKind(c[0]), comp: Compression(c[4]), stored: le.Uint32(c)>>8 + 1,
			raw: le.Uint32(c[4:])>>8 + 1, sum: digest(c[8:])}
		switch {
		case col.kind <= last:
			return fail("columns out of order")
		case col.kind >= numColumns && col.kind < columnAncillary:
			return fmt.Errorf("%w: %v", ErrVersion, col.kind)
		case col.comp > Modelled:
			return fmt.Errorf("%w: compression %d", ErrVersion, col.comp)
		case col.comp == Stored && col.raw != col.stored:
			return fail("impossible lengths of columns")
		case col.comp == Modelled && (col.kind < columnClocks || col.kind > columnEvals):
			return fail(fmt.Sprintf("the column %v is modelled", col.kind))
		}
		last = col.kind
		total += col.stored
		raw += col.raw
		h.columns = append(h.columns, col)
	}
	if total != h.data {
		return fail("impossible lengths of columns")
	}
	if h.text > maxBlock || raw > maxBlock {
		return fail("more than 2^25 bytes of text, or of columns")
	}
	h.place()
	return h.decodeForm()
}

// columnOrder is the order of columns that ranks tells.
const columnOrder = 1

// ranks is the order of the columns in a block. Others come after these, in the order of their kinds.
var ranks = [...]ColumnKind{columnIndex, columnGames, ColumnMoves, ColumnDense, ColumnTags, columnExceptions,
	ColumnAnnotations,
	columnText, columnVariations, columnClocks, columnTimes, columnEvals}

func (k ColumnKind) rank() int {
	if i := slices.Index(ranks[:], k); i >= 0 {
		return i
	}
	return len(ranks) + int(k)
}

func (h *head) place() {
	for i := range h.columns {
		at := uint32(0)
		for k := range h.columns {
			if h.columns[k].kind.rank() < h.columns[i].kind.rank() {
				at += h.columns[k].stored
			}
		}
		h.columns[i].offset = at
	}
}

// fits reports whether the columns and the text are within the limits.
func (h *head) fits() bool {
	raw := uint64(0)
	for _, c := range h.columns {
		if raw += uint64(c.raw); max(c.stored, c.raw) > maxColumn {
			return false
		}
	}
	return len(h.columns) <= maxColumns && max(h.text, raw) <= maxBlock
}

// front returns the length of the block's front: its header, and the columns 1 and 12.
func (h *head) front() uint32 {
	n := uint32(h.size)
	for i := range h.columns {
		if h.columns[i].kind.rank() <= columnGames.rank() {
			n += h.columns[i].stored
		}
	}
	return n
}

// decodeForm verifies that the moves are in one of the two forms, and that dense moves can be as many as the header
// says.
func (h *head) decodeForm() error {
	coded, games := h.find(ColumnDense), h.find(columnGames)
	h.dense = coded >= 0
	for _, kind := range []ColumnKind{columnIndex, ColumnMoves} { // their bits have addresses
		if i := h.find(kind); i >= 0 && h.columns[i].comp != Stored {
			return corruptPart("block", 0, fmt.Sprintf("the column %v is compressed", kind))
		}
	}
	if h.games == 0 {
		for i := range h.columns {
			if kind := h.columns[i].kind; kind != columnExceptions && kind < columnAncillary {
				return corruptPart("block", 0, fmt.Sprintf("the column %v of no games", kind))
			}
		}
		if h.words > 0 || h.departing > 0 {
			return corruptPart("block", 0, "impossible counts")
		}
	}
	if !h.dense && games < 0 {
		return nil
	}
	if coded < 0 || games < 0 || h.games == 0 || h.find(columnIndex) >= 0 || h.find(ColumnMoves) >= 0 ||
		h.columns[coded].comp != Stored {
		return corruptPart("block", 0, "impossible columns of moves")
	}
	if int(h.plies) > maxDensePlies(int(h.columns[coded].stored)) {
		return corruptPart("block", 0, "more than 8 plies for each byte of dense moves, and 1,024")
	}
	return nil
}

type trailer struct {
	unfinished uint16 // 1 of a copy, behind what is being written
	at         uint64
	size       uint32
	sum        digest
}

// trailerOf returns the trailer of a footer at an offset.
func trailerOf(footer []byte, at int64) trailer {
	return trailer{0, uint64(at), uint32(len(footer)), digestOf(footer)}
}

func (t *trailer) fields() []field {
	return []field{{mark(trailerMark), "mark %q"}, {uint16(Version), "version %d"}, {&t.unfinished, "unfinished: %d"},
		{&t.at, "offset of the footer: %d"}, {&t.size, "size of the footer: %d"},
		{t.sum[:], "the footer's digest: %x"}}
}

func (t trailer) encode() []byte { return seal(appendFields(nil, t.fields())) }

func decodeTrailer(b []byte, at int64) (t trailer, err error) {
	if le.Uint32(b) != trailerMark {
		return t, corruptPart("trailer", at, "no trailer is here: the archive is cut off, or its end is damaged")
	}
	if err := checkSeal("trailer", at, b[:trailerSize]); err != nil {
		return t, err
	}
	err = decodeFields("trailer", b, t.fields())
	if err == nil && t.unfinished > 1 {
		err = fmt.Errorf("%w: a trailer with flags %#x", ErrVersion, t.unfinished)
	}
	return t, err
}

// styleNumber is a number of a style, with its bits in the flags of a layout and its greatest value.
type styleNumber struct {
	value      *uint8
	bits, most uint8
}

func styleNumbers(s *pgn.Style) []styleNumber {
	return []styleNumber{{(*uint8)(&s.Number), 2, 3}, {(*uint8)(&s.Braces), 2, 3}, {(*uint8)(&s.Parens), 2, 3},
		{(*uint8)(&s.Lines), 3, uint8(pgn.FillPairs)}, {(*uint8)(&s.Result), 2, 3}, {&s.FirstBreaks, 2, 2}}
}

// styleFlags are the flags behind the numbers. One for ISO 8859-1 is the last.
func styleFlags(s *pgn.Style) []*bool {
	return []*bool{&s.KeepComments, &s.NoCommentNumber, &s.NAGNumber, &s.Glyphs, &s.ChessBase, &s.Bytes, &s.Roster,
		&s.CRLF}
}

// encodeStyle packs a style: u16 width, u8 blank lines after the tags, u8 after the game, u32 flags.
func encodeStyle(s *pgn.Style) (b [8]byte) {
	le.PutUint16(b[:], uint16(s.Width))
	b[2], b[3] = byte(s.BlankAfterTags), byte(s.BlankAfterGame)
	flags, at := uint32(0), 0
	for _, n := range styleNumbers(s) {
		flags |= uint32(*n.value) << at
		at += int(n.bits)
	}
	latin1 := s.Encoding == game.Latin1
	for _, set := range append(styleFlags(s), &latin1) {
		if *set {
			flags |= 1 << at
		}
		at++
	}
	le.PutUint32(b[4:], flags)
	return b
}

func decodeStyle(b [8]byte) (s pgn.Style, err error) {
	s.Width, s.BlankAfterTags, s.BlankAfterGame = int(le.Uint16(b[:])), int(b[2]), int(b[3])
	flags := le.Uint32(b[4:])
	known := true
	for _, n := range styleNumbers(&s) {
		*n.value = uint8(flags & (1<<n.bits - 1))
		known = known && *n.value <= n.most
		flags >>= n.bits
	}
	latin1 := false
	for _, set := range append(styleFlags(&s), &latin1) {
		*set = flags&1 != 0
		flags >>= 1
	}
	if !known || flags != 0 {
		return pgn.Style{}, fmt.Errorf("%w: layout %x", ErrVersion, b)
	}
	if s.Encoding = game.UTF8; latin1 {
		s.Encoding = game.Latin1
	}
	return s, nil
}
