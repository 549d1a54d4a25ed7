// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	bzip2w "github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/zstd"

	"ply11/internal/formats"
)

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
