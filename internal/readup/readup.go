// SPDX-License-Identifier: Apache-2.0

// Package readup fills a buffer from an input. It is for those who must tell the end of the input from an
// input that is cut off: io.ReadFull returns io.ErrUnexpectedEOF at the end, and so do decompressors
// where theirs is cut off.
package readup

import "io"

// To reads until b is full or r returns an error, which it returns as it is: io.EOF at the end. Bytes and
// an error may come together.
func To(r io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = r.Read(b[n:])
		n += k
	}
	return n, err
}
