// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// dots ends a record with a dot.
type dots struct{}

func (dots) Reset() {}
func (dots) Scan(p []byte) (int, bool) {
	if i := bytes.IndexByte(p, '.'); i >= 0 {
		return i + 1, true
	}
	return len(p), false
}

func all(s *Splitter) string {
	var out strings.Builder
	for {
		rec, off, err := s.Next()
		if err == io.EOF {
			return out.String()
		}
		fmt.Fprintf(&out, "%d:%s", off, rec)
		switch {
		case errors.Is(err, ErrLimit):
			out.WriteString("!")
		case errors.Is(err, ErrTruncated):
			out.WriteString("~")
		case err != nil:
			return out.String() + err.Error()
		}
		out.WriteString(" ")
	}
}

func TestSplitter(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"ab.c.":                  "0:ab. 3:c. ",
		"ab.c":                   "0:ab. 3:c~ ",
		"0123456789.0123456780.": "0:01234567! 11:01234567! ",
		"0123456.1.":             "0:0123456. 8:1. ",
		"01234567.1.":            "0:01234567! 9:1. ",
		"012345678901":           "0:01234567! ",
		"...":                    "0:. 1:. 2:. ",
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)),
			iotest.DataErrReader(strings.NewReader(in))} {
			if got := all(NewSplitter(r, dots{}, 8)); got != want {
				t.Errorf("%q gives %q, want %q", in, got, want)
			}
		}
	}
	broken := io.MultiReader(strings.NewReader("a.b"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if got := all(NewSplitter(broken, dots{}, 8)); got != "0:a. 3:unexpected EOF" {
		t.Errorf("a broken input gives %q", got)
	}
}

// A game of a gigabyte costs no more memory than the limit allows, and the next is read.
func TestBoundedMemory(t *testing.T) {
	long := io.LimitReader(zeros{}, 1<<28)
	s := NewSplitter(io.MultiReader(long, strings.NewReader(".x.")), dots{}, 1<<16)
	rec, off, err := s.Next()
	if len(rec) != 1<<16 || off != 0 || !errors.Is(err, ErrLimit) {
		t.Errorf("%d bytes at %d, %v", len(rec), off, err)
	}
	rec, off, err = s.Next()
	if string(rec) != "x." || off != 1<<28+1 || err != nil {
		t.Errorf("%q at %d, %v", rec, off, err)
	}
	if len(s.buf) > 2<<16+minBuffer {
		t.Errorf("the buffer has grown to %d bytes", len(s.buf))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestErrors(t *testing.T) {
	e := &Error{Offset: 7, Line: 2, Game: 1, Ply: 3, Err: ErrLimit}
	if e.Error() != "line 2, offset 7: game 1, ply 3: over the limit" || !errors.Is(e, ErrLimit) {
		t.Error(e)
	}
	l := &LossError{Format: "f", Game: 4, Names: []string{"a", "b"}}
	if l.Error() != "game 4: f cannot hold a, b" || !errors.Is(l, ErrLoss) || len(LossesOf(l)) != 2 {
		t.Error(l)
	}
}

func ExampleSplitter() {
	s := NewSplitter(strings.NewReader("one.two."), dots{}, 100)
	for {
		record, offset, err := s.Next()
		if err != nil {
			break
		}
		fmt.Printf("%d %s\n", offset, record)
	}
	// Output:
	// 0 one.
	// 4 two.
}
