// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"ply11/game/codec"
	"ply11/internal/codectest"
)

// The lines of UCI, which have no package of their own, are a format like the others.
func TestUCIConforms(t *testing.T) {
	read := func(r io.Reader) codec.Reader { return &uciReader{r: bufio.NewReader(r)} }
	codectest.Conform(t, &codectest.Format{Name: "uci", Stream: read,
		Read: func(file []byte) (codec.Reader, error) { return read(bytes.NewReader(file)), nil },
		Write: func(w io.Writer, o ...codec.WriterOption) codec.Writer {
			return &uciWriter{out: codec.NewOutput(w, o...)}
		}})
}
