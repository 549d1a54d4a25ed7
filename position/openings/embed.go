// SPDX-License-Identifier: Apache-2.0

package openings

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:embed openings.tsv.gz
var packed []byte

func load() *names {
	t, err := read(packed)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return t
}

// read reads the compressed table.
func read(packed []byte) (*names, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	return parse(text)
}
