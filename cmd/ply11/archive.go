// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/httprange"
	"ply11/internal/tempfile"
)

// anywhere is a file, here or on a web server, that can be read at any place. A pipe, and what is compressed, is kept
// in a temporary file. No file is mapped into memory: reading one that shrinks is an error, not a signal.
type anywhere struct {
	io.ReaderAt
	size int64
	done []func()
}

// Stat is that of a file here.
func (a *anywhere) Stat() (fs.FileInfo, error) {
	if f, ok := a.ReaderAt.(*os.File); ok {
		return f.Stat()
	}
	return nil, fs.ErrInvalid
}

func (a *anywhere) Close() {
	for _, f := range a.done {
		f()
	}
}

func openAnywhere(path string) (*anywhere, error) {
	in, err := openSource(path)
	if err != nil {
		return nil, err
	}
	return in.anywhere("", nil)
}

// anywhere makes an input readable at any place. If begins is given, a pipe or a compressed file that begins otherwise
// is refused with the error other.
func (s *source) anywhere(begins string, other error) (*anywhere, error) {
	if s.file != nil && s.plain {
		return &anywhere{s.file, s.size, []func(){s.Close}}, nil
	}
	defer s.Close()
	head, err := s.Peek(len(begins))
	if err == nil || err == io.EOF {
		err = nil
		if string(head) != begins {
			err = other
		}
	}
	if err != nil {
		return nil, inFile(s.path, err)
	}
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	n, err := s.keep(f)
	if err != nil {
		f.Close()
		return nil, inFile(s.path, err)
	}
	return &anywhere{f, n, []func(){func() { f.Close() }}}, nil
}

// What is read at any place is compressed in itself, and decompresses to little more than it has.
const (
	keptBytes = 64 << 20 // of any input
	keptTimes = 100      // the bytes of a compressed one
)

var errKept = fmt.Errorf("it decompresses to more than %d times its size, as no sound file of this format does",
	keptTimes)

func (s *source) keep(f io.Writer) (n int64, err error) {
	for {
		k, err := io.CopyN(f, s.Reader, 1<<20)
		if n += k; err == io.EOF {
			return n, nil
		}
		if err == nil && !s.plain && n > keptBytes+keptTimes*s.read.n {
			err = errKept
		}
		if err != nil {
			return n, err
		}
	}
}

func openArchive(path string) (*archive.Reader, func(), error) { return readerOf(path, openKept) }

// openKept is openAnywhere of an archive.
func openKept(path string) (*anywhere, error) {
	in, err := openArchived(path)
	if err != nil {
		return nil, err
	}
	return in.anywhere(string(archiveMagic), archive.ErrNotArchive)
}

func readerOf(path string, open func(path string) (*anywhere, error)) (*archive.Reader, func(), error) {
	a, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	r, err := archive.NewReader(a, a.size)
	if err != nil {
		a.Close()
		return nil, nil, inFile(path, err)
	}
	tellUnfinished(path, r)
	return r, a.Close, nil
}

// salvage opens a file for verify and recover.
func salvage(ctx context.Context, path, what string, quiet bool, do func(context.Context, io.ReaderAt, int64,
	archive.ProgressOption) (*archive.Report, error)) (*archive.Report, error) {
	toldUnfinished.Store(path, true) // it is in the report
	in, err := openArchived(path)
	if err != nil {
		return nil, err
	}
	a, err := in.anywhere("", nil)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if f, ok := a.ReaderAt.(*os.File); ok && writes(f.Name()) {
		if r, err := archive.NewReader(a, a.size); err == nil {
			a.size = r.Stats().Bytes
		}
	}
	bar := newProgress(what, a.size, quiet)
	defer bar.finish()
	rep, err := do(ctx, a, a.size, archive.WithProgress(bar.tell))
	if err != nil {
		return nil, inFile(path, err)
	}
	return rep, nil
}

// writes reports whether a command is changing a file: it has the lock.
func writes(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(tempfile.LockFile(f), tempfile.ErrLocked)
}

// eachWanted calls do with each wanted game: its number in the block, and how it departs from the columns. g has its
// tags and result then.
func eachWanted(b *archive.Block, g *game.Game, invalid invalidFlag, do func(i int, x archive.Exception) error) error {
	for i := 1; i <= b.Len(); i++ {
		x, _, err := b.Exception(i)
		if err != nil {
			return err
		}
		if !invalid.wants(x.Invalid) {
			continue
		}
		if err := b.Tags(i, g); err != nil {
			return err
		}
		if err := do(i, x); err != nil {
			return err
		}
	}
	return nil
}

func rereadable(path string) bool {
	if httprange.IsURL(path) {
		return true
	}
	info, err := os.Stat(path)
	return path != "-" && err == nil && info.Mode().IsRegular()
}
