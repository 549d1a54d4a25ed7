// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// What comes from files may set a terminal's title, move its cursor, turn the direction of its text. All that commands
// write passes here: on a terminal, and on the standard error, such characters become U+FFFD.

// appendPrintable appends text, with U+FFFD for each character that acts on a terminal and each byte that is no UTF-8.
// With lines, line breaks and tabs stay. Unless end is set, rest is the begin of a character or line break that is not
// complete.
func appendPrintable(dst, text []byte, lines, end bool) (printed, rest []byte) {
	for len(text) > 0 {
		if c := text[0]; c >= ' ' && c <= '~' || lines && (c == '\n' || c == '\t') {
			dst, text = append(dst, c), text[1:]
			continue
		}
		if lines && text[0] == '\r' {
			if len(text) == 1 && !end {
				return dst, text
			}
			if len(text) > 1 && text[1] == '\n' {
				dst, text = append(dst, '\r', '\n'), text[2:]
				continue
			}
		}
		if !utf8.FullRune(text) && !end {
			return dst, text
		}
		r, n := utf8.DecodeRune(text)
		if acts(r) {
			r = unicode.ReplacementChar
		}
		dst, text = utf8.AppendRune(dst, r), text[n:]
	}
	return dst, nil
}

// acts reports whether a character acts on a terminal: C0, C1, direction of text, separators of lines.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// printable is a text that does not act on a terminal and stays in its line.
func printable(s string) string {
	b, _ := appendPrintable(nil, []byte(s), false, true)
	return string(b)
}

var stdout resultWriter

// resultWriter writes to the standard output. Its first error is the command's: a result that did not arrive is not
// done.
type resultWriter struct {
	err      error
	terminal bool
	rest     []byte // that a terminal did not get yet
	buf      []byte
}

func (w *resultWriter) stat() (fs.FileInfo, error) { return os.Stdout.Stat() }

func (w *resultWriter) begin() {
	*w = resultWriter{terminal: term.IsTerminal(int(os.Stdout.Fd()))}
}

func (w *resultWriter) Write(b []byte) (int, error) { return w.write(b, false) }

func (w *resultWriter) write(b []byte, end bool) (n int, err error) {
	if w.err != nil {
		return 0, w.err
	}
	if !w.terminal {
		n, w.err = os.Stdout.Write(b)
		return n, w.err
	}
	var rest []byte
	w.buf, rest = appendPrintable(w.buf[:0], append(w.rest, b...), true, end)
	w.rest = bytes.Clone(rest)
	if _, w.err = os.Stdout.Write(w.buf); w.err != nil {
		return 0, w.err
	}
	return len(b), nil
}

func (w *resultWriter) finish() error {
	if len(w.rest) > 0 {
		w.write(nil, true)
	}
	return w.err
}

// stderr writes messages, a line a call, always printable.
var stderr messageWriter

type messageWriter struct{}

func (messageWriter) Write(b []byte) (int, error) {
	text, end := bytes.CutSuffix(b, []byte("\n"))
	p, _ := appendPrintable(nil, text, false, true)
	if end {
		p = append(p, '\n')
	}
	if _, err := os.Stderr.Write(p); err != nil {
		return 0, err
	}
	return len(b), nil
}

// jsonLine makes one line of JSON, with all characters escaped that act on a terminal.
func jsonLine(v any) ([]byte, error) { return encodeJSON(v, "") }

func writeJSON(v any) error {
	b, err := encodeJSON(v, "  ")
	if err == nil {
		_, err = stdout.Write(b)
	}
	return err
}

func encodeJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(1 << 10)
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	// JSON escapes C0 alone. Outside of strings it is ASCII.
	if !slices.ContainsFunc(b.Bytes(), func(c byte) bool { return c >= 0x7f }) {
		return b.Bytes(), nil
	}
	var out []byte
	for _, r := range b.String() {
		if r != '\n' && acts(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}
