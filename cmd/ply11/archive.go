// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/moveindex"
)

// spool makes a temporary file to keep a pipe in, and what removes it.
func spool() (*os.File, func(), error) {
	f, err := os.CreateTemp("", "ply11-*.p11")
	if err != nil {
		return nil, nil, err
	}
	temporary.Store(f.Name(), nil)
	return f, func() {
		f.Close()
		os.Remove(f.Name())
		temporary.Delete(f.Name())
	}, nil
}

// openArchive opens an archive for reading in any order; the standard input is kept in a temporary file.
func openArchive(path string) (*archive.Reader, func(), error) {
	if path == "-" {
		f, done, err := spool()
		if err != nil {
			return nil, nil, err
		}
		n, err := f.ReadFrom(os.Stdin)
		if err != nil {
			done()
			return nil, nil, err
		}
		r, err := archive.NewReader(f, n)
		if err != nil {
			done()
			return nil, nil, fmt.Errorf("-: %w", err)
		}
		return r, done, nil
	}
	r, err := archive.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return r, func() { r.Close() }, nil
}

// salvage opens a file for verify and recover.
func salvage(path, what string, quiet bool, do func(*os.File, int64, func(archive.Stats)) (*archive.Report, error)) (*archive.Report, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		// A pipe is kept in a temporary file: what is damaged must be read more than once.
		tmp, done, err := spool()
		if err != nil {
			return nil, err
		}
		defer done()
		if _, err := tmp.ReadFrom(f); err != nil {
			return nil, err
		}
		f = tmp
		if st, err = f.Stat(); err != nil {
			return nil, err
		}
	}
	bar := newProgress(what, st.Size(), quiet)
	defer bar.finish()
	rep, err := do(f, st.Size(), func(s archive.Stats) { bar.set(s.Bytes, s) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rep, nil
}

// wordAt returns the move at a bit of a column of moves.
func wordAt(moves []byte, bit uint64) (moveindex.Move, bool) {
	w, ok := bitstream.At(moves, bit)
	if !ok {
		return 0, false
	}
	return w.Move()
}

var errEnough = errors.New("enough")

// eachBlock reads an archive front to back.
func eachBlock(in io.Reader, path string, do func(*archive.Block) error) error {
	s := archive.NewScanner(in)
	for {
		b, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = do(b)
		}
		if err == errEnough {
			return err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}
