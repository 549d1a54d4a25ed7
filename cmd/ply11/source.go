// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"ply11/internal/formats"
)

// source is an input: a file or the standard input, decompressed by its name.
type source struct {
	io.Reader
	path string
	file *os.File
	size int64 // of the file, 0 if not known
	read counter
	done []func()
}

// counter counts the bytes that pass.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// openSource opens an input.
func openSource(path string) (*source, error) { return openNamed(path, path) }

// openNamed opens an input that is compressed as the name tells.
func openNamed(path, name string) (*source, error) {
	s := &source{path: path, file: os.Stdin}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		s.file = f
		s.done = append(s.done, func() { f.Close() })
	}
	if info, err := s.file.Stat(); err == nil && info.Mode().IsRegular() {
		s.size = info.Size()
	} else if err == nil && info.IsDir() {
		s.Close()
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	s.read.r = s.file
	switch filepath.Ext(strings.ToLower(name)) {
	case ".zst":
		z, err := zstd.NewReader(&s.read, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(32<<20), zstd.WithDecoderLowmem(true))
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.done = append(s.done, z.Close)
		s.Reader = cutOff{z, &s.read}
	case ".gz":
		z, err := gzip.NewReader(bufio.NewReaderSize(&s.read, 64<<10))
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.Reader = cutOff{z, &s.read}
	case ".bz2":
		s.Reader = cutOff{bzip2.NewReader(bufio.NewReaderSize(&s.read, 64<<10)), &s.read}
	default:
		s.Reader = &s.read
	}
	return s, nil
}

// Close closes the file.
func (s *source) Close() {
	for i := len(s.done) - 1; i >= 0; i-- {
		s.done[i]()
	}
}

// errCutOff: a compressed file is not whole.
var errCutOff = errors.New("the compressed data ends too early")

// cutOff reads what is decompressed, and tells of its early end by an error of its own.
type cutOff struct {
	io.Reader
	read *counter // of what is compressed
}

func (r cutOff) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF && r.read.n == 0 {
		err = errCutOff
	}
	return n, err
}

// input is the source as the formats want it.
func (s *source) input() formats.Input {
	in := formats.Input{Reader: s.Reader, Path: s.path}
	if s.Reader == &s.read && s.size > 0 {
		in.Reader = seekable{s.Reader, s.file, s.file}
	}
	in.Sibling = func(ext string) (io.ReadCloser, error) {
		if s.path == "-" {
			return nil, formats.ErrSibling
		}
		first, second := siblings(s.path, ext)
		f, err := os.Open(first)
		if errors.Is(err, fs.ErrNotExist) {
			if g, err := os.Open(second); err == nil {
				return g, nil
			}
		}
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	return in
}

// siblings are the names of the file beside one, of another extension: in the case of its own (GAMES.CBI beside
// GAMES.CBF), and in the other. An end that tells of compression is left off.
func siblings(path, ext string) (first, second string) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".zst", ".gz", ".bz2":
		path = strings.TrimSuffix(path, filepath.Ext(path))
	}
	own := filepath.Ext(path)
	path = strings.TrimSuffix(path, own)
	first, second = path+ext, path+strings.ToUpper(ext)
	if own != "" && own == strings.ToUpper(own) {
		first, second = second, first
	}
	return first, second
}

type seekable struct {
	io.Reader
	io.ReaderAt
	io.Seeker
}
