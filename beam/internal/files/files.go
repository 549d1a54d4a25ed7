// SPDX-License-Identifier: Apache-2.0

// Package files finds, reads and writes files in Beam's file systems: local ones, and those of a scheme (s3://, gs://)
// that the program has registered.
package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"golang.org/x/sync/errgroup"

	"ply11/internal/tempfile"
)

func init() {
	beam.RegisterType(reflect.TypeFor[File]())
	beam.RegisterDoFn(reflect.TypeFor[matchFn]())
}

// File is a file that a pattern matches. It is a type of elements.
type File struct {
	Name   string
	Number int64 // its place among all files, from 0
	Count  int64 // of all files
	Size   int64 // bytes
	Before int64 // units of the files before it
	All    int64 // units of all files
}

// Unit is the bytes of a unit; the last of a file need not be full.
const Unit = 4 << 20

// Local reports whether a file is the machine's own.
func (f *File) Local() bool { return local(f.Name) }

func local(name string) bool { return !strings.Contains(name, "://") }

// Match finds the files that patterns match: in the order of the patterns, and those of a pattern by their names, each
// once. A pattern that matches nothing is fs.ErrNotExist.
func Match(ctx context.Context, patterns []string) ([]File, error) {
	var list []File
	seen := map[string]bool{}
	for _, pattern := range patterns {
		names, err := match(ctx, pattern, func(name string, size int64) {
			if !seen[name] {
				seen[name] = true
				list = append(list, File{Name: name, Number: int64(len(list)), Size: size})
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
		if names == 0 {
			return nil, &fs.PathError{Op: "match", Path: pattern, Err: fs.ErrNotExist}
		}
	}
	all := int64(0)
	for i := range list {
		list[i].Before = all
		all += (list[i].Size + Unit - 1) / Unit
	}
	for i := range list {
		list[i].All, list[i].Count = all, int64(len(list))
	}
	return list, nil
}

const sizesAtOnce = 32

func match(ctx context.Context, pattern string, yield func(name string, size int64)) (int, error) {
	system, err := filesystem.New(ctx, pattern)
	if err != nil {
		return 0, err
	}
	defer system.Close()
	names, err := system.List(ctx, pattern)
	if err != nil {
		return 0, err
	}
	slices.Sort(names)
	sizes := make([]int64, len(names)) // of a store of objects, each is a request
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(sizesAtOnce)
	for i, name := range names {
		if inner.Err() != nil {
			break
		}
		if local(name) {
			// The folders that a pattern matches are no files.
			if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
				sizes[i] = -1
				continue
			}
		}
		group.Go(func() (err error) {
			sizes[i], err = system.Size(inner, name)
			return err
		})
	}
	if err := cmp.Or(group.Wait(), ctx.Err()); err != nil {
		return 0, err
	}
	n := 0
	for i, name := range names {
		if sizes[i] >= 0 {
			n++
			yield(name, sizes[i])
		}
	}
	return n, nil
}

// Counters of a pipeline, under the name of CounterSpace.
const (
	CounterSpace = "ply11"
	FilesCounter = "files"
	BytesCounter = "bytes"
	GamesCounter = "games"
)

var (
	filesFound = beam.NewCounter(CounterSpace, FilesCounter)
	bytesFound = beam.NewCounter(CounterSpace, BytesCounter)
)

var games = beam.NewCounter(CounterSpace, GamesCounter)

// CountGames counts games that a step has packed, read or exported.
func CountGames(ctx context.Context, n int) { games.Inc(ctx, int64(n)) }

type matchFn struct{}

func (*matchFn) ProcessElement(ctx context.Context, patterns []string, emit func(File)) error {
	list, err := Match(ctx, patterns)
	for _, f := range list {
		filesFound.Inc(ctx, 1)
		bytesFound.Inc(ctx, f.Size)
		emit(f)
	}
	return err
}

// MatchAll returns the collection of the files that patterns match when the pipeline runs, for all machines.
func MatchAll(s beam.Scope, patterns []string) beam.PCollection {
	for _, pattern := range patterns {
		filesystem.ValidateScheme(pattern)
	}
	return beam.Reshuffle(s, beam.ParDo(s, &matchFn{}, beam.Create(s, patterns)))
}

// Open opens a file. A local one is an io.ReaderAt.
func Open(ctx context.Context, name string) (io.ReadCloser, error) {
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	in, err := system.OpenRead(ctx, name)
	if err != nil {
		system.Close()
		return nil, err
	}
	if f, ok := in.(*os.File); ok {
		return localFile{f}, nil // the local file system has nothing to close
	}
	return &opened{in, system}, nil
}

type AtCloser interface {
	io.ReaderAt
	io.Closer
}

// OpenAt opens a file for reading from any place. One that cannot be is copied to a temporary file.
func OpenAt(ctx context.Context, name string) (AtCloser, error) {
	in, err := Open(ctx, name)
	if err != nil {
		return nil, err
	}
	if at, ok := in.(AtCloser); ok {
		return at, nil
	}
	defer in.Close()
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, in); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

type localFile struct{ *os.File }

type opened struct {
	io.ReadCloser
	system filesystem.Interface
}

func (o *opened) Close() error {
	err := o.ReadCloser.Close()
	if bad := o.system.Close(); err == nil {
		err = bad
	}
	return err
}

// Write writes a file that has its name only when it is whole, and replaces what is there. If it fails, nothing is
// changed.
func Write(ctx context.Context, name string, write func(io.Writer) error) error {
	if local(name) {
		return writeLocal(name, write)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	system, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer system.Close()
	out, err := system.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	if err := write(out); err != nil {
		cancel() // before it is closed, so that nothing gets the name
		out.Close()
		return err
	}
	return out.Close()
}

func writeLocal(name string, write func(io.Writer) error) error {
	made.Lock()
	run := made.run
	made.Unlock()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	out, err := tempfile.Beside(name)
	if err != nil {
		return err
	}
	if err := errors.Join(write(out), out.Chmod(0o666&^tempfile.Umask()), out.Sync()); err != nil {
		out.Close()
		return err
	}
	made.Lock()
	defer made.Unlock()
	if run != made.run {
		out.Close()
		return errEnded
	}
	made.files = append(made.files, name)
	return out.Publish(name, true)
}

var errEnded = errors.New("the pipeline has ended")

var made struct {
	sync.Mutex
	run   int // its number
	files []string
}

// EndRun ends a run of a pipeline. If it failed, the local files that it has written are removed: the runner may have
// given a step only a part of its input.
func EndRun(failed bool) {
	made.Lock()
	defer made.Unlock()
	if failed {
		for _, name := range made.files {
			os.Remove(name)
		}
	}
	made.files = nil
	made.run++
}

// RemoveAll removes what is not complete, and stops Write: for a program that ends at once.
func RemoveAll() {
	tempfile.RemoveAll()
	made.Lock()
}
