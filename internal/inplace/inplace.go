// SPDX-License-Identifier: Apache-2.0

// Package inplace adds to archives and indexes where they are, so that each ends in a trailer at any instant.
package inplace

import (
	"io"
	"io/fs"
)

// File is a file to write to in place, as an *os.File is.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// step is of what the size of an unfinished file is a multiple: what ends it is within a page.
const step = 64 << 10

// Writer writes behind what a file holds. Until Commit the file ends with a mark, which stands behind what was written
// and leads to what was there.
type Writer struct {
	f             File
	from, at, end int64
	mark          []byte
}

// New returns a Writer of a file from an offset on; what stands there is dropped.
func New(f File, from int64, mark []byte) (*Writer, error) {
	return &Writer{f, from, from, from, mark}, f.Truncate(from)
}

func (w *Writer) Write(b []byte) (int, error) {
	if least := w.at + int64(len(b)+len(w.mark)); least > w.end {
		w.end = (least + step - 1) / step * step
		if _, err := w.f.WriteAt(w.mark, w.end-int64(len(w.mark))); err != nil {
			return 0, err
		}
	}
	n, err := w.f.WriteAt(b, w.at)
	w.at += int64(n)
	return n, err
}

// Commit ends the file with what was written, when that is on the disk.
func (w *Writer) Commit() error {
	err := w.f.Sync()
	if err == nil {
		err = w.f.Truncate(w.at)
	}
	if err == nil {
		err = w.f.Sync()
	}
	return err
}

// Abandon ends the file where it ended.
func (w *Writer) Abandon() error { return w.f.Truncate(w.from) }

// Open calls open with the size of a file until it succeeds. While somebody writes to the file, the size may be old by
// then, or again what it was: if r has the method Stat of an *os.File, open is called again.
func Open(r io.ReaderAt, size int64, open func(size int64) error) error {
	for tries := 1; ; tries++ {
		err := open(size)
		f, ok := r.(interface{ Stat() (fs.FileInfo, error) })
		if err == nil || !ok {
			return err
		}
		info, failed := f.Stat()
		if failed != nil || !info.Mode().IsRegular() || info.Size() == size && tries >= 3 {
			return err
		}
		size = info.Size()
	}
}
