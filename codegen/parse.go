// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What a ParseError wraps.
var (
	// ErrSyntax: not the format's syntax.
	ErrSyntax = errors.New("not in the format's syntax")
	// ErrTruncated: the image ends before its last word, or a word in it is missing.
	ErrTruncated = errors.New("image is truncated")
	// ErrChecksum: a checksum is not that of what it covers.
	ErrChecksum = errors.New("wrong checksum")
	// ErrWidth: words are not 16 bits wide.
	ErrWidth = errors.New("wrong width")
	// ErrDepth: the number of words is not an image's.
	ErrDepth = errors.New("wrong depth")
)

// A ParseError says where an image stops being one.
type ParseError struct {
	Format string // the format it was read as
	Line   int    // counted from 1; 0 in a binary image or for the image as a whole
	Err    error  // one of the sentinel errors
	Detail string
}

// Error returns the error on one line.
func (e *ParseError) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	fmt.Fprintf(&b, "%v", e.Err)
	if e.Detail != "" {
		fmt.Fprintf(&b, ": %s", e.Detail)
	}
	if e.Format != "" {
		fmt.Fprintf(&b, " (read as %s)", e.Format)
	}
	return b.String()
}

// Unwrap returns the sentinel error.
func (e *ParseError) Unwrap() error { return e.Err }

func parseError(line int, err error, format string, args ...any) error {
	return &ParseError{Line: line, Err: err, Detail: fmt.Sprintf(format, args...)}
}

// memory collects the words of an image by their addresses. It never holds more than maxDepth of them,
// whatever the input says.
type memory struct {
	words []uint16
	have  []bool
	count int
}

// set stores a word. An address beyond the deepest image, or one given before, is an error.
func (m *memory) set(line, address int, v uint64) error {
	switch {
	case address < 0 || address >= maxDepth:
		return parseError(line, ErrDepth, "address %#x; the deepest image has %d words", address, maxDepth)
	case v>>Width != 0:
		return parseError(line, ErrWidth, "%#x is wider than %d bits", v, Width)
	}
	for address >= len(m.words) {
		m.words = append(m.words, 0)
		m.have = append(m.have, false)
	}
	if m.have[address] {
		return parseError(line, ErrSyntax, "address %#x is given twice", address)
	}
	m.words[address], m.have[address] = uint16(v), true
	m.count++
	return nil
}

// finish returns the words, when none is missing. depth is what the file says of itself, 0 if nothing.
func (m *memory) finish(depth int) ([]uint16, error) {
	if len(m.words) == 0 {
		return nil, parseError(0, ErrTruncated, "it holds no words")
	}
	if depth != 0 && len(m.words) > depth {
		return nil, parseError(0, ErrDepth, "%d words where the file says %d", len(m.words), depth)
	}
	if m.count != len(m.words) {
		for a, ok := range m.have {
			if !ok {
				return nil, parseError(0, ErrTruncated, "address %#x is missing", a)
			}
		}
	}
	if depth != 0 && len(m.words) < depth {
		return nil, parseError(0, ErrTruncated, "%d words where the file says %d", len(m.words), depth)
	}
	return m.words, nil
}

// number reads a number of a text image. What does not fit 64 bits is too wide.
func number(line int, s string, base int) (uint64, error) {
	v, err := strconv.ParseUint(s, base, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, parseError(line, ErrWidth, "%.40s is wider than %d bits", s, Width)
	}
	if err != nil {
		return 0, parseError(line, ErrSyntax, "%.40q is no number of radix %d", s, base)
	}
	return v, nil
}

// address reads an address of a text image.
func address(line int, s string, base int) (int, error) {
	v, err := strconv.ParseUint(s, base, 31)
	if err != nil {
		return 0, parseError(line, ErrSyntax, "%.40q is no address of radix %d", s, base)
	}
	return int(v), nil
}

// A token is a run of characters of a text image, and the line it stands on.
type token struct {
	text string
	line int
}

// lexer cuts a text image into tokens: runs of characters that are neither white space, nor in single,
// nor in a comment; each character of single is a token of its own.
type lexer struct {
	data   []byte
	pos    int
	line   int
	single string
	// comments: what begins one, and what ends it ("\n" to the end of the line).
	comments [][2]string
}

// next returns the next token, and false at the end.
func (l *lexer) next() (token, bool, error) {
	if l.line == 0 {
		l.line = 1
	}
skip:
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		switch {
		case c == '\n':
			l.line++
			l.pos++
			continue
		case isSpace(c):
			l.pos++
			continue
		}
		for _, comment := range l.comments {
			if !bytes.HasPrefix(l.data[l.pos:], []byte(comment[0])) {
				continue
			}
			body := l.pos + len(comment[0])
			end := bytes.Index(l.data[body:], []byte(comment[1]))
			if end < 0 {
				if comment[1] != "\n" {
					return token{}, false, parseError(l.line, ErrTruncated, "a comment does not end")
				}
				l.pos = len(l.data)
				continue skip
			}
			l.line += bytes.Count(l.data[body:body+end], []byte("\n"))
			l.pos = body + end
			if comment[1] != "\n" {
				l.pos += len(comment[1])
			}
			continue skip
		}
		break
	}
	if l.pos >= len(l.data) {
		return token{}, false, nil
	}
	start := l.pos
	if strings.IndexByte(l.single, l.data[start]) >= 0 {
		l.pos++
		return token{string(l.data[start:l.pos]), l.line}, true, nil
	}
	for l.pos < len(l.data) && !isSpace(l.data[l.pos]) && strings.IndexByte(l.single, l.data[l.pos]) < 0 {
		if l.pos > start && l.atComment() {
			break
		}
		l.pos++
	}
	return token{string(l.data[start:l.pos]), l.line}, true, nil
}

func (l *lexer) atComment() bool {
	for _, comment := range l.comments {
		if bytes.HasPrefix(l.data[l.pos:], []byte(comment[0])) {
			return true
		}
	}
	return false
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// parseMemh reads what $readmemh reads (IEEE 1364-2005, 17.2.9): hexadecimal words, which may hold
// underscores, white space, both kinds of Verilog comment, and @address. A word of x or z is refused.
func parseMemh(data []byte) ([]uint16, error) {
	l := lexer{data: data, comments: [][2]string{{"//", "\n"}, {"/*", "*/"}}}
	var m memory
	at := 0
	for {
		t, ok, err := l.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return m.finish(0)
		}
		if t.text[0] == '@' {
			if at, err = address(t.line, t.text[1:], 16); err != nil {
				return nil, err
			}
			continue
		}
		v, err := number(t.line, strings.ReplaceAll(t.text, "_", ""), 16)
		if err != nil {
			return nil, err
		}
		if err := m.set(t.line, at, v); err != nil {
			return nil, err
		}
		at++
	}
}

// parseCOE reads a Xilinx coefficient file: a radix of 2, 10 or 16, then the vector, ended by a
// semicolon. A line that begins with a semicolon, and what follows one on its line, is a comment.
func parseCOE(data []byte) ([]uint16, error) {
	l := lexer{data: data, single: "=,;"}
	expect := func(what string) (token, error) {
		t, ok, err := l.next()
		if err != nil {
			return t, err
		}
		if !ok {
			return t, parseError(0, ErrTruncated, "it ends where %s should stand", what)
		}
		return t, nil
	}
	skipLine := func() {
		if n := bytes.IndexByte(l.data[l.pos:], '\n'); n >= 0 {
			l.pos += n
		} else {
			l.pos = len(l.data)
		}
	}
	radix := 0
	for {
		keyword, err := expect("the vector")
		if err != nil {
			return nil, err
		}
		if keyword.text == ";" {
			skipLine()
			continue
		}
		equals, err := expect("=")
		if err != nil {
			return nil, err
		}
		if equals.text != "=" {
			return nil, parseError(equals.line, ErrSyntax, "%.40q where = should stand", equals.text)
		}
		switch strings.ToLower(keyword.text) {
		case "memory_initialization_radix":
			t, err := expect("a radix")
			if err != nil {
				return nil, err
			}
			switch t.text {
			case "2", "10", "16":
				radix, _ = strconv.Atoi(t.text)
			default:
				return nil, parseError(t.line, ErrSyntax, "radix %.40q; there are 2, 10 and 16", t.text)
			}
			end, err := expect("the radix's semicolon")
			if err != nil {
				return nil, err
			}
			if end.text != ";" {
				return nil, parseError(end.line, ErrSyntax, "%.40q where ; should stand", end.text)
			}
			skipLine()
		case "memory_initialization_vector":
			if radix == 0 {
				return nil, parseError(keyword.line, ErrSyntax, "the vector comes before its radix")
			}
			return parseVector(&l, radix, expect)
		default:
			return nil, parseError(keyword.line, ErrSyntax, "unknown keyword %.40q", keyword.text)
		}
	}
}

// parseVector reads the words of a COE file, up to its last semicolon.
func parseVector(l *lexer, radix int, expect func(string) (token, error)) ([]uint16, error) {
	var m memory
	comma := true
	for {
		t, err := expect("the vector's semicolon")
		if err != nil {
			return nil, err
		}
		switch t.text {
		case ";":
			rest := lexer{data: l.data, pos: l.pos, line: l.line, comments: [][2]string{{";", "\n"}}}
			if after, ok, _ := rest.next(); ok {
				return nil, parseError(after.line, ErrSyntax, "%.40q after the vector", after.text)
			}
			return m.finish(0)
		case ",":
			if comma {
				return nil, parseError(t.line, ErrSyntax, "a comma without a word before it")
			}
			comma = true
		case "=":
			return nil, parseError(t.line, ErrSyntax, "= in the vector")
		default:
			v, err := number(t.line, t.text, radix)
			if err != nil {
				return nil, err
			}
			if err := m.set(t.line, m.count, v); err != nil {
				return nil, err
			}
			comma = false
		}
	}
}

// mifRadix are the names of the radices of a MIF file; both kinds of decimal are 10.
var mifRadix = map[string]int{"BIN": 2, "OCT": 8, "DEC": 10, "UNS": 10, "HEX": 16}

// parseMIF reads Intel's (Altera's) memory initialization file: DEPTH, WIDTH and the radices, then
// address : word word …; or [first..last] : word …; (the words repeat) between CONTENT BEGIN and END;.
func parseMIF(data []byte) ([]uint16, error) {
	l := lexer{data: data, single: "=:;[]", comments: [][2]string{{"--", "\n"}, {"%", "%"}}}
	var line int
	next := func() (string, error) {
		t, ok, err := l.next()
		if err != nil {
			return "", err
		}
		if !ok {
			return "", parseError(0, ErrTruncated, "it ends before END;")
		}
		line = t.line
		return strings.ToUpper(t.text), nil
	}
	expect := func(want string) error {
		got, err := next()
		if err == nil && got != want {
			err = parseError(line, ErrSyntax, "%.40q where %s should stand", got, want)
		}
		return err
	}

	depth, width, addressRadix, dataRadix := 0, 0, 16, 16
header:
	for {
		keyword, err := next()
		if err != nil {
			return nil, err
		}
		if keyword == "CONTENT" {
			if err := expect("BEGIN"); err != nil {
				return nil, err
			}
			break header
		}
		if err := expect("="); err != nil {
			return nil, err
		}
		value, err := next()
		if err != nil {
			return nil, err
		}
		switch keyword {
		case "DEPTH":
			if depth, err = address(line, value, 10); err == nil && imageOfDepth(depth) == nil {
				err = parseError(line, ErrDepth, "DEPTH is %d; images have 2048, 4096 or 8192 words", depth)
			}
		case "WIDTH":
			if width, err = address(line, value, 10); err == nil && width != Width {
				err = parseError(line, ErrWidth, "WIDTH is %d, not %d", width, Width)
			}
		case "ADDRESS_RADIX", "DATA_RADIX":
			radix, ok := mifRadix[value]
			if !ok {
				return nil, parseError(line, ErrSyntax, "%s is %.40q", keyword, value)
			}
			if keyword == "DATA_RADIX" {
				dataRadix = radix
			} else {
				addressRadix = radix
			}
		default:
			err = parseError(line, ErrSyntax, "unknown keyword %.40q", keyword)
		}
		if err == nil {
			err = expect(";")
		}
		if err != nil {
			return nil, err
		}
	}
	if depth == 0 || width == 0 {
		return nil, parseError(line, ErrSyntax, "DEPTH or WIDTH is missing")
	}

	var m memory
	for {
		t, err := next()
		if err != nil {
			return nil, err
		}
		if t == "END" {
			if err := expect(";"); err != nil {
				return nil, err
			}
			return m.finish(depth)
		}
		first, last := 0, -1
		if t == "[" {
			span, err := next()
			if err != nil {
				return nil, err
			}
			a, b, ok := strings.Cut(span, "..")
			if !ok {
				return nil, parseError(line, ErrSyntax, "%.40q is no range of addresses", span)
			}
			if first, err = address(line, a, addressRadix); err != nil {
				return nil, err
			}
			if last, err = address(line, b, addressRadix); err != nil {
				return nil, err
			}
			if last < first || last >= depth {
				return nil, parseError(line, ErrDepth, "range %.40s of %d words", span, depth)
			}
			if err := expect("]"); err != nil {
				return nil, err
			}
		} else if first, err = address(line, t, addressRadix); err != nil {
			return nil, err
		}
		if err := expect(":"); err != nil {
			return nil, err
		}
		var values []uint64
		for {
			t, err := next()
			if err != nil {
				return nil, err
			}
			if t == ";" {
				break
			}
			v, err := number(line, t, dataRadix)
			if err != nil {
				return nil, err
			}
			if values = append(values, v); len(values) > depth {
				return nil, parseError(line, ErrDepth, "more than %d words", depth)
			}
		}
		if len(values) == 0 {
			return nil, parseError(line, ErrSyntax, "an address without a word")
		}
		if last < 0 {
			last = first + len(values) - 1
		}
		for a := first; a <= last; a++ {
			if err := m.set(line, a, values[(a-first)%len(values)]); err != nil {
				return nil, err
			}
		}
	}
}

// parseLattice reads Lattice's memory initialization file, of the kinds Hex, Bin and AddrHex. Addresses
// that the file does not give are filled with 0 by Lattice's tools, but are an error here.
func parseLattice(data []byte) ([]uint16, error) {
	depth, width, kind := 0, 0, ""
	line := 0
	for {
		text, rest, found := bytes.Cut(data, []byte("\n"))
		line++
		if !found {
			return nil, parseError(0, ErrTruncated, "it ends before #Data")
		}
		data = rest
		key, value, _ := strings.Cut(strings.TrimSpace(string(text)), "=")
		var err error
		switch strings.ToLower(key) {
		case "#format":
			kind = strings.ToLower(value)
			if kind != "hex" && kind != "bin" && kind != "addrhex" {
				err = parseError(line, ErrSyntax, "#Format is %.40q; there are Hex, Bin and AddrHex", value)
			}
		case "#depth":
			if depth, err = address(line, value, 10); err == nil && imageOfDepth(depth) == nil {
				err = parseError(line, ErrDepth, "#Depth is %d; images have 2048, 4096 or 8192 words", depth)
			}
		case "#width":
			if width, err = address(line, value, 10); err == nil && width != Width {
				err = parseError(line, ErrWidth, "#Width is %d, not %d", width, Width)
			}
		case "#addrradix", "#dataradix":
			// How Lattice's editor shows the numbers; the file's are those of #Format.
		case "#data":
			if kind == "" || depth == 0 || width == 0 {
				return nil, parseError(line, ErrSyntax, "#Format, #Depth or #Width is missing")
			}
			return parseLatticeData(data, line, depth, kind)
		default:
			err = parseError(line, ErrSyntax, "%.40q in the header", text)
		}
		if err != nil {
			return nil, err
		}
	}
}

func parseLatticeData(data []byte, line, depth int, kind string) ([]uint16, error) {
	l := lexer{data: data, line: line + 1, single: ":", comments: [][2]string{{"#", "\n"}, {"//", "\n"}}}
	radix := 16
	if kind == "bin" {
		radix = 2
	}
	var m memory
	at := 0
	pending, havePending := token{}, false
	flush := func() error {
		if !havePending {
			return nil
		}
		havePending = false
		v, err := number(pending.line, pending.text, radix)
		if err != nil {
			return err
		}
		if err := m.set(pending.line, at, v); err != nil {
			return err
		}
		at++
		return nil
	}
	for {
		t, ok, err := l.next()
		if err != nil {
			return nil, err
		}
		if ok && t.text == ":" {
			if !havePending || kind != "addrhex" {
				return nil, parseError(t.line, ErrSyntax, "a colon without an address before it")
			}
			if at, err = address(pending.line, pending.text, 16); err != nil {
				return nil, err
			}
			havePending = false
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		if !ok {
			return m.finish(depth)
		}
		pending, havePending = t, true
	}
}

// A record is an Intel HEX record's data and address, extended addresses included.
type record struct {
	line, address int
	data          []byte
}

// parseRecords reads Intel HEX records up to the one that ends the file.
func parseRecords(data []byte) ([]record, error) {
	var records []record
	line, base, total := 0, 0, 0
	for len(data) > 0 {
		text, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		line++
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		if text[0] != ':' {
			return nil, parseError(line, ErrSyntax, "a record begins with a colon")
		}
		b, err := unhex(text[1:])
		if err != nil {
			return nil, parseError(line, ErrSyntax, "%v", err)
		}
		if len(b) < 5 || len(b) != int(b[0])+5 {
			return nil, parseError(line, ErrTruncated, "a record of %d bytes that says it has %d",
				len(b), int(first(b))+5)
		}
		var sum byte
		for _, v := range b {
			sum += v
		}
		if want := b[len(b)-1] - sum; sum != 0 {
			return nil, parseError(line, ErrChecksum, "expected %02X, found %02X", want, b[len(b)-1])
		}
		body := b[4 : len(b)-1]
		switch kind := b[3]; {
		case kind == 0:
			if total += len(body); total > 2*maxDepth {
				return nil, parseError(line, ErrDepth, "more than %d bytes", 2*maxDepth)
			}
			if len(body) > 0 {
				records = append(records, record{line, base + int(b[1])<<8 + int(b[2]), body})
			}
		case kind == 1:
			if rest := bytes.TrimSpace(data); len(rest) > 0 {
				return nil, parseError(line+1, ErrSyntax, "a record after the one that ends the file")
			}
			return records, nil
		case kind == 2 && len(body) == 2:
			base = int(binary.BigEndian.Uint16(body)) << 4
		case kind == 4 && len(body) == 2:
			base = int(binary.BigEndian.Uint16(body)) << 16
		case kind == 3 || kind == 5:
			// A start address, of no meaning for a memory.
		default:
			return nil, parseError(line, ErrSyntax, "record type %d of %d bytes", kind, len(body))
		}
	}
	return nil, parseError(0, ErrTruncated, "the record that ends the file is missing")
}

func first(b []byte) byte {
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// unhex reads pairs of hexadecimal digits in either case.
func unhex(s []byte) ([]byte, error) {
	if len(s)%2 != 0 {
		return nil, errors.New("an odd number of digits")
	}
	b := make([]byte, len(s)/2)
	for i := range b {
		v, err := strconv.ParseUint(string(s[2*i:2*i+2]), 16, 8)
		if err != nil {
			return nil, fmt.Errorf("%.10q is no byte in hexadecimal", s[2*i:2*i+2])
		}
		b[i] = byte(v)
	}
	return b, nil
}

// parseIntelHex reads Intel HEX with byte addresses, the low byte of a word first.
func parseIntelHex(data []byte) ([]uint16, error) {
	records, err := parseRecords(data)
	if err != nil {
		return nil, err
	}
	var have [2 * maxDepth]bool
	var value [2 * maxDepth]byte
	size := 0
	for _, r := range records {
		for i, v := range r.data {
			a := r.address + i
			if a < 0 || a >= len(have) {
				return nil, parseError(r.line, ErrDepth, "byte address %#x; the deepest image has %d words", a, maxDepth)
			}
			if have[a] {
				return nil, parseError(r.line, ErrSyntax, "byte address %#x is given twice", a)
			}
			have[a], value[a] = true, v
			size = max(size, a+1)
		}
	}
	if size%2 != 0 {
		return nil, parseError(0, ErrWidth, "an odd number of bytes")
	}
	var m memory
	for a := 0; a < size; a += 2 {
		if !have[a] || !have[a+1] {
			return nil, parseError(0, ErrTruncated, "byte address %#x is missing", a)
		}
		if err := m.set(0, a/2, uint64(value[a])|uint64(value[a+1])<<8); err != nil {
			return nil, err
		}
	}
	return m.finish(0)
}

// parseIntelHex16 reads the kind with word addresses, the high byte of a word first, that Quartus has.
func parseIntelHex16(data []byte) ([]uint16, error) {
	records, err := parseRecords(data)
	if err != nil {
		return nil, err
	}
	var m memory
	for _, r := range records {
		if len(r.data)%2 != 0 {
			return nil, parseError(r.line, ErrWidth, "a record of %d bytes in a file of 16-bit words", len(r.data))
		}
		for i := 0; i < len(r.data); i += 2 {
			if err := m.set(r.line, r.address+i/2, uint64(binary.BigEndian.Uint16(r.data[i:]))); err != nil {
				return nil, err
			}
		}
	}
	return m.finish(0)
}

func parseBinaryLE(data []byte) ([]uint16, error) { return parseBinary(data, binary.LittleEndian) }

func parseBinaryBE(data []byte) ([]uint16, error) { return parseBinary(data, binary.BigEndian) }

func parseBinary(data []byte, order binary.ByteOrder) ([]uint16, error) {
	switch {
	case len(data)%2 != 0:
		return nil, parseError(0, ErrTruncated, "%d bytes are no whole number of words", len(data))
	case len(data) > 2*maxDepth:
		return nil, parseError(0, ErrDepth, "%d bytes; the deepest image has %d", len(data), 2*maxDepth)
	}
	var m memory
	for a := 0; a < len(data); a += 2 {
		if err := m.set(0, a/2, uint64(order.Uint16(data[a:]))); err != nil {
			return nil, err
		}
	}
	return m.finish(0)
}
