// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"ply11/internal/formats"
	"ply11/internal/tempfile"
)

// target is an output: a file that gets its name when it is whole, or the standard output.
type target struct {
	io.Writer
	path  string
	force bool
	files []*targetFile
	close []func() error // of compression
	made  []string       // folders, the deepest first
}

type targetFile struct {
	f    *tempfile.File
	path string
	buf  *bufio.Writer
}

// createArchive begins an archive, whose name is not that of another format.
func createArchive(path string, force bool, inputs ...string) (*target, error) {
	if err := refuseSame(path, inputs...); err != nil {
		return nil, err
	}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".pgn", ".csv", ".json", ".txt":
		return nil, usage("%s: this would be an archive (.p11), not %s", path, ext)
	}
	return createAnyArchive(path, force, inputs...)
}

// createAnyArchive begins an archive. It is not compressed as a whole, which would only keep its games from being
// found.
func createAnyArchive(path string, force bool, inputs ...string) (*target, error) {
	if c := compressionOf(path); c != "" {
		return nil, usage("%s: an archive is compressed as it is, and %s would only keep its games from being found; "+
			"leave off %s", path, c, filepath.Ext(path))
	}
	if path == "-" && stdout.terminal {
		return nil, usage("the standard output is a terminal, and an archive is no text; --output names a file")
	}
	return createTarget(path, force, inputs...)
}

// createTarget begins an output. It refuses a file that is an input, and without force one that exists.
func createTarget(path string, force bool, inputs ...string) (*target, error) {
	t := &target{path: path, force: force}
	if err := refuseSame(path, inputs...); err != nil {
		return nil, err
	}
	if path == "-" {
		b := bufio.NewWriterSize(&stdout, 256<<10)
		t.Writer = b
		t.close = append(t.close, b.Flush)
		return t, nil
	}
	compression := compressionOf(path)
	if compression == "xz" || compression == "bzip2" {
		return nil, usage("%s: %s is read and not written; .zst and .gz are", path, compression)
	}
	w, err := t.create(path)
	if err != nil {
		return nil, err
	}
	var z io.WriteCloser
	switch compression {
	case "zstd":
		z, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(4<<20))
	case "gzip":
		z = gzip.NewWriter(w)
	default:
		t.Writer = w
		return t, nil
	}
	if err != nil {
		t.abandon()
		return nil, err
	}
	t.Writer = z
	t.close = append(t.close, z.Close)
	return t, nil
}

func (t *target) create(path string) (io.Writer, error) {
	to, err := followLinks(path)
	if err != nil {
		return nil, err
	}
	link := to != path
	if info, err := os.Stat(to); err == nil {
		switch {
		case info.IsDir():
			return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
		case !info.Mode().IsRegular():
			// A device or a named pipe is written as it is.
			f, err := os.OpenFile(to, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			b := bufio.NewWriterSize(f, 256<<10)
			t.close = append(t.close, func() error { return errors.Join(b.Flush(), f.Close()) })
			return b, nil
		case !t.force:
			return nil, usage("%s exists; --force replaces it", path)
		}
	} else if link && !t.force {
		return nil, usage("%s is a link to %s, which does not exist; --force makes that", path, to)
	}
	f, err := t.beside(to)
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			at.Path = path
		}
		return nil, err
	}
	p := &targetFile{f: f, path: to, buf: bufio.NewWriterSize(f, 256<<10)}
	t.files = append(t.files, p)
	return p.buf, nil
}

// beside makes a file that is to get a name, and its folder.
func (t *target) beside(to string) (*tempfile.File, error) {
	f, err := tempfile.Beside(to)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	var missing []string
	for dir := filepath.Dir(to); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	if len(missing) == 0 {
		return f, err
	}
	if err := os.MkdirAll(missing[0], 0o777); err != nil {
		return nil, err
	}
	t.made = append(t.made, missing...)
	return tempfile.Beside(to)
}

// followLinks returns the file that a path leads to, which may not exist.
func followLinks(path string) (string, error) {
	at := path
	for range 40 {
		info, err := os.Lstat(at)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return at, nil
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		at = to
	}
	return "", &fs.PathError{Op: "write", Path: path, Err: errors.New("too many links")}
}

func (t *target) output() formats.Output {
	return formats.Output{Writer: t.Writer, Path: t.path, Sibling: func(ext string) (io.Writer, error) {
		if t.path == "-" {
			return nil, formats.ErrSibling
		}
		path, _ := siblings(t.path, ext)
		return t.create(path)
	}}
}

// finish writes all to the disk, before the files have names.
func (t *target) finish() error {
	for i := len(t.close) - 1; i >= 0; i-- {
		if err := t.close[i](); err != nil {
			return inFile(t.path, err)
		}
	}
	t.close = nil
	for _, p := range t.files {
		if err := cmp.Or(p.buf.Flush(), p.f.Sync()); err != nil {
			return inFile(p.path, err)
		}
	}
	return nil
}

// commit gives the files their names. Without force, what is there by now stays.
func (t *target) commit() error {
	for i, p := range t.files {
		mode := fs.FileMode(0o666) &^ tempfile.Umask()
		if info, err := os.Stat(p.path); err == nil {
			mode = info.Mode().Perm()
		}
		p.f.Chmod(mode)
		err := p.f.Publish(p.path, t.force)
		p.f = nil
		if err != nil && !t.force {
			for _, q := range t.files[:i] {
				os.Remove(q.path) // that this program made just now
			}
		}
		if errors.Is(err, fs.ErrExist) {
			return usage("%s exists: another program made it meanwhile; --force replaces it", p.path)
		}
		if err != nil {
			return err
		}
	}
	t.made = nil
	return nil
}

func (t *target) end() error {
	if err := t.finish(); err != nil {
		return err
	}
	return t.commit()
}

// written returns a reader of a finished output without a name; nil if it cannot be read back.
func (t *target) written() (*io.SectionReader, error) {
	if len(t.files) != 1 {
		return nil, nil
	}
	size, err := t.files[0].f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(t.files[0].f, 0, size), nil
}

// abandon removes what is not committed.
func (t *target) abandon() {
	for _, p := range t.files {
		if p.f != nil {
			p.f.Close()
			p.f = nil
		}
	}
	for _, dir := range t.made {
		os.Remove(dir) // unless there is something in it by now
	}
	t.made = nil
}
