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
	"sync"
	"time"

	bzip2w "github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/zstd"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"ply11/bitstream/archive"
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

// target is an output: a temporary file that gets its name when it is whole, or the standard output.
type target struct {
	io.Writer
	path  string
	files []*tempFile
	close []func() error // of compression
}

type tempFile struct {
	f    *os.File
	path string
	buf  *bufio.Writer
}

// createTarget begins an output. Without force, an existing file is refused.
func createTarget(path string, force bool) (*target, error) {
	t := &target{path: path}
	if path == "-" {
		b := bufio.NewWriterSize(&stdout, 256<<10)
		t.Writer = b
		t.close = append(t.close, b.Flush)
	} else {
		w, err := t.create(path, force)
		if err != nil {
			return nil, err
		}
		t.Writer = w
	}
	switch filepath.Ext(strings.ToLower(path)) {
	case ".zst":
		z, err := zstd.NewWriter(t.Writer, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(4<<20))
		if err != nil {
			t.abandon()
			return nil, err
		}
		t.Writer = z
		t.close = append(t.close, z.Close)
	case ".gz":
		z := gzip.NewWriter(t.Writer)
		t.Writer = z
		t.close = append(t.close, z.Close)
	case ".bz2":
		z, err := bzip2w.NewWriter(t.Writer, &bzip2w.WriterConfig{Level: bzip2w.BestCompression})
		if err != nil {
			t.abandon()
			return nil, err
		}
		t.Writer = z
		t.close = append(t.close, z.Close)
	}
	return t, nil
}

// create begins one file.
func (t *target) create(path string, force bool) (io.Writer, error) {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
		case !info.Mode().IsRegular():
			// A device or a named pipe is written as it is.
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			b := bufio.NewWriterSize(f, 256<<10)
			t.close = append(t.close, func() error { return errors.Join(b.Flush(), f.Close()) })
			return b, nil
		case !force:
			return nil, usage("%s exists; --force replaces it", path)
		}
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to // the file is replaced, and not the link to it
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			at.Path = path
		}
		return nil, err
	}
	temporary.Store(f.Name(), nil)
	p := &tempFile{f: f, path: path, buf: bufio.NewWriterSize(f, 256<<10)}
	t.files = append(t.files, p)
	return p.buf, nil
}

// temporary holds the names of the files that have not got theirs yet, for who ends the program early.
var temporary sync.Map

// removeTemporary removes those files.
func removeTemporary() {
	for name := range temporary.Range {
		os.Remove(name.(string))
	}
}

// output is the target as the formats want it.
func (t *target) output(force bool) formats.Output {
	return formats.Output{Writer: t.Writer, Path: t.path, Sibling: func(ext string) (io.Writer, error) {
		if t.path == "-" {
			return nil, formats.ErrSibling
		}
		path, _ := siblings(t.path, ext)
		return t.create(path, force)
	}}
}

// finish writes what is buffered, and the files to the disk, under their temporary names.
func (t *target) finish() error {
	for i := len(t.close) - 1; i >= 0; i-- {
		if err := t.close[i](); err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
	}
	t.close = nil
	for _, p := range t.files {
		if err := p.buf.Flush(); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if err := p.f.Sync(); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
	}
	return nil
}

// commit gives the files their names.
func (t *target) commit() error {
	for _, p := range t.files {
		mode := fs.FileMode(0o666) &^ umask()
		if info, err := os.Stat(p.path); err == nil {
			mode = info.Mode().Perm()
		}
		p.f.Chmod(mode)
		if err := p.f.Close(); err != nil {
			return err
		}
		if err := os.Rename(p.f.Name(), p.path); err != nil {
			return err
		}
		temporary.Delete(p.f.Name())
		p.f = nil
		if d, err := os.Open(filepath.Dir(p.path)); err == nil {
			d.Sync()
			d.Close()
		}
	}
	return nil
}

// abandon removes what is not committed. It does nothing after commit.
func (t *target) abandon() {
	for _, p := range t.files {
		if p.f != nil {
			p.f.Close()
			os.Remove(p.f.Name())
			temporary.Delete(p.f.Name())
		}
	}
}

// progress shows how far the work is, if the standard error is a terminal.
type progress struct {
	bar   *progressbar.ProgressBar
	start time.Time
}

// newProgress returns a progress over a number of bytes, -1 if it is not known.
func newProgress(what string, size int64, quiet bool) *progress {
	if quiet || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	if size <= 0 {
		size = -1
	}
	return &progress{start: time.Now(), bar: progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetDescription(what), progressbar.OptionShowBytes(true), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())}
}

// set tells how many bytes are done, with what was counted.
func (p *progress) set(bytes int64, s archive.Stats) {
	if p == nil {
		return
	}
	seconds := max(time.Since(p.start).Seconds(), 0.001)
	p.bar.Describe(fmt.Sprintf("%d games, %.0f games/s, %.1f M plies/s", s.Games, float64(s.Games)/seconds,
		float64(s.Plies)/seconds/1e6))
	p.bar.Set64(bytes)
}

func (p *progress) finish() {
	if p != nil {
		p.bar.Finish()
	}
}
