// SPDX-License-Identifier: Apache-2.0

package readup_test

import (
	"fmt"
	"io"
	"ply11/internal/readup"
	"strings"
	"testing"
	"testing/iotest"
)

// A buffer is filled from an input that comes byte by byte; at its end io.EOF comes with what was left, and
// the error of an input that is cut off stays what it is.
func TestTo(t *testing.T) {
	r := iotest.OneByteReader(strings.NewReader("eleven"))
	b := make([]byte, 4)
	if n, err := readup.To(r, b); n != 4 || err != nil || string(b) != "elev" {
		t.Errorf("%q, %d, %v", b, n, err)
	}
	if n, err := readup.To(r, b); n != 2 || err != io.EOF || string(b[:n]) != "en" {
		t.Errorf("%q, %d, %v", b, n, err)
	}
	if n, err := readup.To(iotest.ErrReader(io.ErrUnexpectedEOF), b); n != 0 || err != io.ErrUnexpectedEOF {
		t.Errorf("%d, %v", n, err)
	}
}

func Example() {
	b := make([]byte, 8)
	n, err := readup.To(strings.NewReader("bits"), b)
	fmt.Println(n, err)
	// Output: 4 EOF
}
