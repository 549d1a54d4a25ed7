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

// What comes from files may hold bytes that do something to a terminal: set its title, move its cursor, turn the
// direction of its text. Everything that the commands write passes here. On a terminal, and in what is told on the
// standard error, such characters become U+FFFD; in a pipe or a file the standard output is what the file holds.

// appendPrintable appends text to dst, with U+FFFD for each character that does something to a terminal, and for each
// byte that is no UTF-8. A line break and a tab stay if lines is set, and so does a carriage return before a line
// break. It returns what it did not take, which is the begin of a character or of a line break, unless end is set.
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

// acts reports whether a character does something to a terminal: the control characters C0 and C1, what turns the
// direction of text, and the separators of lines.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// printable makes of a text one that does nothing to a terminal and stays in its line.
func printable(s string) string {
	b, _ := appendPrintable(nil, []byte(s), false, true)
	return string(b)
}

// stdout is the standard output as the commands write results to it.
var stdout resultWriter

// resultWriter writes to the standard output. It keeps the first error, which is that of the command if it has no
// other: a result that did not arrive is not done. On a terminal, what it writes is printable.
type resultWriter struct {
	err      error
	terminal bool
	rest     []byte // that a terminal did not get yet
	buf      []byte
}

// stat tells what the standard output is: a file, a pipe, a terminal.
func (w *resultWriter) stat() (fs.FileInfo, error) { return os.Stdout.Stat() }

// begin finds out where the standard output goes.
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

// finish writes what is left, and returns the first error.
func (w *resultWriter) finish() error {
	if len(w.rest) > 0 {
		w.write(nil, true)
	}
	return w.err
}

// stderr is the standard error as the commands tell things on it, a message a call: always printable, and a line. What
// is written to it, errors too, need not be made printable before.
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

// jsonLine makes of a value one line of JSON, in which each character that does something to a terminal is escaped.
func jsonLine(v any) ([]byte, error) { return encodeJSON(v, "") }

// writeJSON writes a value as JSON to the standard output.
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
