// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ply11/internal/tempfile"
)

// writer writes the files of a data set and its manifest.
type writer struct {
	p     *Plan
	o     Options
	path  string // of the manifest, or ""
	parts int    // shards; 0 until their size decides it
	total totals

	mu sync.Mutex
	m  Manifest
}

func (w *writer) discard() {
	if w.path == "" {
		return
	}
	for _, s := range w.m.Shards {
		for _, f := range s.Files {
			os.Remove(filepath.Join(filepath.Dir(w.path), f.Name))
		}
	}
	os.Remove(w.path)
}

func (w *writer) base(k int) string {
	if w.o.Single {
		return w.o.Output
	}
	return filepath.Join(w.o.Output, fmt.Sprintf("%05d-of-%05d", k+1, w.parts))
}

// lock makes the folder, and locks it by a file beside the manifest.
func (w *writer) lock() (unlock func(), err error) {
	if w.o.Stream != nil {
		return func() {}, nil
	}
	w.path = filepath.Join(w.o.Output, manifestName)
	if w.o.Single {
		w.path = w.o.Output + "." + manifestName
	} else if err := os.MkdirAll(w.o.Output, 0o777); err != nil {
		return nil, err
	}
	if unlock, err = tempfile.Lock(w.path + ".lock"); errors.Is(err, tempfile.ErrLocked) {
		err = fmt.Errorf("%s: %w", w.o.Output, ErrBusy)
	}
	return unlock, err
}

// begin returns the shards that are there already.
func (w *writer) begin() (done map[int]bool, err error) {
	if w.path == "" {
		return nil, nil
	}
	if w.o.Card != "" && !w.o.Force && !w.mayWriteCard() {
		return nil, &fs.PathError{Op: "write", Path: filepath.Join(w.o.Output, cardName), Err: fs.ErrExist}
	}
	if !exists(w.path) {
		if err := w.clear(); err != nil {
			return nil, err
		}
		return nil, w.save()
	}
	old, err := ReadManifest(w.path)
	if err != nil && !w.o.Force {
		return nil, err
	}
	if err != nil || !old.same(&w.m) {
		if !w.o.Force {
			return nil, fmt.Errorf("%s: %w", w.o.Output, ErrOther)
		}
		if err == nil {
			for _, s := range old.Shards {
				for _, f := range s.Files {
					if filepath.Base(f.Name) == f.Name { // inside the folder
						os.Remove(filepath.Join(filepath.Dir(w.path), f.Name))
					}
				}
			}
			w.removeBesides(old)
		}
		return nil, w.save()
	}
	done = map[int]bool{}
	for _, s := range old.Shards {
		if s.Number < 1 || done[s.Number] || !w.whole(&s) {
			continue
		}
		done[s.Number] = true
		w.m.Shards = append(w.m.Shards, s)
	}
	w.total = totals{Totals{Games: old.Games, Plies: old.Plies, LeftOut: old.LeftOut}, old.Duplicates}
	if w.parts > 0 {
		w.dropOthers(done)
	} else if w.parts = len(done); !old.Complete || len(done) != len(old.Shards) ||
		slices.ContainsFunc(w.m.Shards, func(s Shard) bool { return !w.belongs(&s) }) {
		w.parts = 0 // their size decides
	}
	return done, nil
}

// belongs reports whether a shard is one of this number, by the names of its files.
func (w *writer) belongs(s *Shard) bool {
	base := filepath.Base(w.base(s.Number - 1))
	return s.Number <= w.parts && !slices.ContainsFunc(s.Files, func(f File) bool {
		return !strings.HasPrefix(f.Name, base)
	})
}

// dropOthers removes shards of a run with another number of them.
func (w *writer) dropOthers(done map[int]bool) {
	w.m.Shards = slices.DeleteFunc(w.m.Shards, func(s Shard) bool {
		if w.belongs(&s) {
			return false
		}
		for _, f := range s.Files {
			if part, _ := filepath.Match("?????-of-?????*", f.Name); part {
				os.Remove(filepath.Join(filepath.Dir(w.path), f.Name))
			}
		}
		delete(done, s.Number)
		return true
	})
}

func (w *writer) clear() error {
	if w.o.Force {
		return nil
	}
	if w.o.Single {
		if exists(w.o.Output) {
			return &fs.PathError{Op: "write", Path: w.o.Output, Err: fs.ErrExist}
		}
		return nil
	}
	if labels := filepath.Join(w.o.Output, LabelsName); w.m.LabelsText() != nil && exists(labels) {
		return &fs.PathError{Op: "write", Path: labels, Err: fs.ErrExist}
	}
	for k := range max(1, w.parts) {
		pattern := w.base(k) + "*"
		if w.parts == 0 {
			pattern = filepath.Join(w.o.Output, "00001-of-*")
		}
		if list, _ := filepath.Glob(pattern); len(list) > 0 {
			return &fs.PathError{Op: "write", Path: list[0], Err: fs.ErrExist}
		}
		if k == 0 && w.parts > 1000 {
			break // a data set has the first
		}
	}
	return nil
}

// whole reports whether a shard's files are as in the manifest.
func (w *writer) whole(s *Shard) bool {
	for _, f := range s.Files {
		if filepath.Base(f.Name) != f.Name {
			return false
		}
		in, err := os.Open(filepath.Join(filepath.Dir(w.path), f.Name))
		if err != nil {
			return false
		}
		sum := sha256.New()
		n, err := io.Copy(sum, in)
		in.Close()
		if err != nil || n != f.Bytes || hexOf(sum.Sum(nil)) != f.SHA256 {
			return false
		}
	}
	return len(s.Files) > 0
}

func (w *writer) add(s Shard) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m.Shards = append(w.m.Shards, s)
	return w.saveLocked()
}

func (w *writer) save() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.saveLocked()
}

func (w *writer) saveLocked() error {
	w.count()
	if w.path == "" {
		return nil
	}
	text, err := w.m.Text()
	if err != nil {
		return err
	}
	return writeFile(w.path, text, w.o.Mode)
}

// count sorts the shards of the manifest, and sums them up.
func (w *writer) count() {
	m := &w.m
	slices.SortFunc(m.Shards, func(a, b Shard) int { return a.Number - b.Number })
	m.Games, m.Plies, m.Rows, m.LeftOut = 0, 0, 0, 0
	for _, s := range m.Shards {
		m.Games, m.Plies, m.Rows = m.Games+s.Games, m.Plies+s.Plies, m.Rows+s.Rows
		m.LeftOut += s.LeftOut
	}
	if w.p.apart() {
		m.Games, m.Plies, m.LeftOut, m.Duplicates = w.total.Games, w.total.Plies, w.total.LeftOut, w.total.duplicates
	}
}

func (w *writer) shard(k int, feed func(to sink, s *Shard) error) (s Shard, err error) {
	s = Shard{Number: k + 1, Files: []File{}}
	out := &output{w: w, base: w.base(k)}
	defer out.abandon()
	to, err := out.begin()
	if err != nil {
		return s, err
	}
	if err := feed(to, &s); err != nil {
		return s, err
	}
	if err := to.end(&s); err != nil {
		return s, err
	}
	return s, out.publish(&s)
}

type output struct {
	w     *writer
	base  string      // begin of their names
	file  *outputFile // of a format of one file
	files []*outputFile
}

func (o *output) begin() (to sink, err error) {
	if f := o.w.p.f; !f.many {
		path := o.base
		if !o.w.o.Single {
			path += f.ext
		}
		if o.file, err = o.create(path); err != nil {
			return nil, err
		}
	}
	return o.w.p.f.create(&o.w.p.Job, o)
}

func newBuffer(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, fileBuffer) }

// outputFile is a file of a shard. It gets its name, if path is not "", when it is whole.
type outputFile struct {
	*bufio.Writer
	f    *tempfile.File
	path string
}

func (o *output) create(path string) (*outputFile, error) {
	p := &outputFile{path: path}
	if o.w.o.Stream != nil {
		p.Writer = newBuffer(o.w.o.Stream)
	} else {
		f, err := o.temporary(path)
		if err != nil {
			return nil, err
		}
		p.f, p.Writer = f, newBuffer(f)
	}
	o.files = append(o.files, p)
	return p, nil
}

// temporary makes a file beside the output, or where temporary files are.
func (o *output) temporary(path string) (*tempfile.File, error) {
	if o.w.o.Stream != nil {
		return tempfile.New()
	}
	return tempfile.Beside(path)
}

// publish names the files.
func (o *output) publish(s *Shard) error {
	for _, p := range o.files {
		if err := p.Flush(); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if p.f == nil || p.path == "" {
			continue
		}
		if _, err := p.f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		sum := sha256.New()
		n, err := io.Copy(sum, p.f)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		s.Files = append(s.Files, File{filepath.Base(p.path), n, hexOf(sum.Sum(nil))})
		if err := p.f.Chmod(o.w.o.Mode); err != nil {
			return err
		}
		if err := p.f.Sync(); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
	}
	for _, p := range o.files {
		if p.f == nil || p.path == "" {
			continue
		}
		f := p.f
		p.f = nil
		if err := f.Publish(p.path, true); err != nil {
			return err
		}
	}
	return nil
}

// size is the bytes of all named files.
func (o *output) size() (bytes int64, err error) {
	for _, p := range o.files {
		if p.path == "" {
			continue
		}
		if err := p.Flush(); err != nil {
			return 0, fmt.Errorf("%s: %w", p.path, err)
		}
		n, err := p.f.Seek(0, io.SeekEnd)
		if err != nil {
			return 0, err
		}
		bytes += n
	}
	return bytes, nil
}

// abandon drops files without names.
func (o *output) abandon() {
	for _, p := range o.files {
		if p.f != nil {
			p.f.Close()
			p.f = nil
		}
	}
}

// manifestName is the manifest of a folder. That of a single file has the file's name and a point before it.
const manifestName = "manifest.json"

const fileBuffer = 128 << 10
