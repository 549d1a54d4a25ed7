// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
)

// stdout is the standard output as the commands write results to it. It keeps the first error, which is that of the
// command if it has no other: a result that did not arrive is not done.
var stdout resultWriter

type resultWriter struct{ err error }

func (w *resultWriter) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := os.Stdout.Write(b)
	w.err = err
	return n, err
}
