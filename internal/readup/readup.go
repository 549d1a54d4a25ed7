// SPDX-License-Identifier: Apache-2.0

// Package readup fills a buffer from an input, and tells the end of the input from an input that is cut off.
// io.ReadFull does not: it returns io.ErrUnexpectedEOF at the end, and decompressors return the same where their input
// is cut off.
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
