// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ply11/bitstream/archive"
	"ply11/game/decompress"
	"ply11/internal/formats"
	"ply11/internal/httprange"
)

// source is an input: a file, one on a web server, or the standard input, decompressed by its first bytes.
type source struct {
	*bufio.Reader
	path  string
	file  anyFile // what can be read at any place; nil for a pipe
	plain bool    // not compressed
	size  int64   // of the file, 0 if not known
	read  counter
	done  []func()
	asIs  io.Reader // an archive as it stands in the file; nil if that is what Reader reads
}

type closers []func()

func (c closers) close() {
	for _, f := range c {
		f()
	}
}

// anyFile is a file on disk or on a web server.
type anyFile interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// compressionOf returns the compression by a file's name, "" for none.
func compressionOf(path string) string { return decompress.Named(httprange.Name(path)) }

// bareName is the name of a file without an end such as .zst.
func bareName(path string) string {
	if compressionOf(path) != "" {
		path = strings.TrimSuffix(path, filepath.Ext(path))
	}
	return path
}

// nameHere is the input's name, of which the output's is made. It refuses an address whose name leads out of this
// folder.
func nameHere(path string) (string, error) {
	name := httprange.Name(path)
	if httprange.IsURL(path) && !filepath.IsLocal(name) {
		return "", usage("%s: %q is no name of a file here; --output names one", path, name)
	}
	return name, nil
}

func openSource(path string) (*source, error) { return open(path, true) }

// openInput opens an input of a format. Byte codes may begin like compressed files: they are decompressed by their
// names alone.
func openInput(f *formats.Format, path string) (*source, error) {
	return open(path, f.Name == "pgn" || f.Name == "p11" || f.Name == "uci" || f.Name == "jose-program")
}

func open(path string, anyName bool) (*source, error) {
	s := &source{path: path}
	if httprange.IsURL(path) {
		f, err := httprange.Open(context.Background(), path)
		if err != nil {
			return nil, err
		}
		s.size = f.Size()
		s.file = io.NewSectionReader(f, 0, s.size)
		s.read.r = &gradual{r: s.file}
	} else if err := s.openFile(path); err != nil {
		return nil, err
	}
	if err := s.decompress(compressionOf(path), anyName); err != nil {
		s.Close()
		return nil, inFile(path, err)
	}
	s.endArchive()
	return s, nil
}

// endArchive ends an archive where it ends now: what stands behind it are games that are being added.
func (s *source) endArchive() {
	if s.file == nil || !s.plain {
		return
	}
	if head, err := s.Peek(len(archiveMagic)); err != nil || !bytes.Equal(head, archiveMagic) {
		return
	}
	r, err := archive.NewReader(s.file, s.size)
	if err != nil {
		damagedEnds.Store(s.path, err) // else what is wrong is told where it is read
		return
	}
	tellUnfinished(s.path, r)
	var in io.Reader = io.LimitReader(s.Reader, r.Stats().Bytes)
	if r.Edited() {
		s.asIs, in = in, r.Ordered()
	}
	s.Reader = bufio.NewReaderSize(in, 64<<10)
}

// damagedEnds are errors by paths: of an archive that was edited, they are told in place of ErrEdited.
var toldUnfinished, damagedEnds sync.Map

// tellUnfinished says, once a file, that what stands behind an archive is not read.
func tellUnfinished(path string, r *archive.Reader) {
	err := r.Unfinished()
	if err == nil {
		return
	}
	if _, again := toldUnfinished.LoadOrStore(path, true); !again {
		say("%s: %v, and are not read: games are being added, or that was interrupted; ply11 recover takes what is "+
			"whole", path, err)
	}
}

// gradual reads little at first: to see what a file is, it need not be fetched.
type gradual struct {
	r     io.Reader
	begun bool
}

func (g *gradual) Read(b []byte) (int, error) {
	if !g.begun {
		b = b[:min(len(b), 4<<10)]
	}
	g.begun = true
	return g.r.Read(b)
}

func (s *source) openFile(path string) error {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return err
		}
		s.done = append(s.done, func() { f.Close() })
	}
	s.read.r = f
	switch info, err := f.Stat(); {
	case err == nil && info.Mode().IsRegular():
		s.file, s.size = f, info.Size()
	case err == nil && info.IsDir():
		s.Close()
		return &fs.PathError{Op: "read", Path: path,
			Err: fmt.Errorf("is a directory; %s names its files", filepath.Join(path, "*.pgn"))}
	}
	return nil
}

// decompress makes the reader of what is in the file. named is the compression by its name.
func (s *source) decompress(named string, anyName bool) error {
	b := bufio.NewReaderSize(&s.read, 64<<10)
	r, err := decompress.New(b, named, anyName)
	if err != nil {
		return err
	}
	s.done = append(s.done, r.Close)
	if s.plain = r.Compression == ""; s.plain {
		s.Reader = b
	} else {
		s.Reader = bufio.NewReaderSize(r, 64<<10)
	}
	return nil
}

func (s *source) Close() {
	for i := len(s.done) - 1; i >= 0; i-- {
		s.done[i]()
	}
}

func (s *source) input() formats.Input {
	in := formats.Input{Reader: s.Reader, Path: s.path}
	if s.plain && s.file != nil && s.size > 0 {
		in.Reader = seekable{s.Reader, s.file, s.file}
	}
	in.Sibling = func(ext string) (io.ReadCloser, error) {
		if s.path == "-" || httprange.IsURL(s.path) {
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

// siblings are the names of the file beside one with another extension: in the case of its own (GAMES.CBI beside
// GAMES.CBF), and in the other.
func siblings(path, ext string) (first, second string) {
	path = bareName(path)
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
