// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Verilator builds a bench with Verilator. Its warnings are for lint, which reads the design alone; a
// bench's own are of no account.
func (w *Work) Verilator(ctx context.Context, b Bench) (*Simulation, error) {
	// Not --binary, which is these and --build: make runs after it, with what the cache has of Verilator's own sources.
	return w.verilated(ctx, verilation{bench: b, prefix: "V" + b.Top, args: []string{"--cc", "--exe", "--main",
		"--timing"}})
}

// VerilatorMain builds a module with Verilator without a bench: main, a C++ program, drives it. The class is
// of the name prefix. Registers have random values at first if main asks its context for that.
func (w *Work) VerilatorMain(ctx context.Context, b Bench, prefix, main string) (*Simulation, error) {
	return w.verilated(ctx, verilation{bench: b, prefix: prefix, main: main,
		args: []string{"--cc", "--exe", "--x-initial", "unique"}})
}

// A verilation is what Verilator is to build.
type verilation struct {
	bench  Bench
	prefix string // of the class
	main   string // a C++ program, or ""
	args   []string
}

// optimization returns what the C++ compiler is asked for what Verilator wrote into a folder. -O1 takes as long to
// compile as -O0, and what it makes runs as fast as of -O2 (bench.jose.0: 4.2 s of processor time in all, 13.6 with
// -O0). But the time that it takes for one function grows faster than the function, and a bench's initial block is one
// function (bench.peripheral, 4.4 MB: 394 s, 47 with -O0).
func optimization(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.cpp"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil {
			return "", err
		} else if info.Size() > 2<<20 {
			return "-O0", nil
		}
	}
	return "-O1", nil
}

// verilated builds a simulation, or takes one from the cache that was built of the same.
func (w *Work) verilated(ctx context.Context, v verilation) (*Simulation, error) {
	if err := Need("verilator", "g++", "make"); err != nil {
		return nil, err
	}
	b := v.bench
	dir, err := w.Sub("verilator-" + b.Top)
	if err != nil {
		return nil, err
	}
	files := w.Paths(b.Files)
	if v.main != "" {
		files = append(files, v.main)
	}
	args := slices.Concat(v.args,
		[]string{"-Wno-fatal", "--top-module", b.Top, "--prefix", v.prefix, "-o", "sim"},
		prefixed("-D", b.Defines), prefixed("-G", b.Params))
	simulation := &Simulation{work: w, dir: dir, command: append([]string{filepath.Join(dir, "sim")}, b.Plusargs...)}
	key, err := w.verilatorKey(ctx, args, files, w.Paths(b.Include))
	if err != nil {
		return nil, err
	}
	if fromCache(key, filepath.Join(dir, "sim")) {
		return simulation, nil
	}
	args = slices.Concat(args, []string{"--Mdir", dir}, prefixed("-I", w.Paths(b.Include)), files)
	r, err := w.Run(ctx, dir, "verilator", args...)
	if err != nil {
		return nil, err
	}
	simulation.built += r.CPU
	level, err := optimization(dir)
	if err != nil {
		return nil, err
	}
	// After Verilator has written its makefile, than which make wants object files to be younger.
	runtime := "runtime-" + strings.Join(v.args, "")
	shared := w.shareRuntime(ctx, runtime, dir)
	if r, err = w.Run(ctx, dir, "make", "-f", v.prefix+".mk", "OPT_FAST="+level, "OPT_SLOW=-O0",
		"OPT_GLOBAL=-O1"); err != nil {
		return nil, err
	}
	simulation.built += r.CPU
	if !shared {
		w.keepRuntime(ctx, runtime, dir)
	}
	toCache(key, filepath.Join(dir, "sim"))
	return simulation, nil
}

// versions are those of the programs that build, found once.
var versions = sync.OnceValues(func() (string, error) {
	w := new(Work)
	text := ""
	for _, program := range []string{"verilator", "g++"} {
		r, err := w.Run(context.Background(), os.TempDir(), program, "--version")
		if err != nil {
			return "", err
		}
		text += r.Output
	}
	return text, nil
})

// verilatorKey is a hash of all that a simulation is built of: the programs, the arguments, and the text of the
// files, with those in the folders that they may include.
func (w *Work) verilatorKey(ctx context.Context, args, files, include []string) (string, error) {
	version, err := versions()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q", version, args)
	for _, dir := range include {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %d\n", filepath.Base(name), len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// The cache holds what Verilator built, by the hash of what it was built of, in the user's folder of caches. What
// has not been used for so long, or is too much, goes, oldest first.
const (
	cacheAge   = 7 * 24 * time.Hour
	cacheBytes = 512 << 20
)

// cacheDir returns the folder, or "" where there can be none.
var cacheDir = sync.OnceValue(func() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(base, "ply11", "verilator")
	if os.MkdirAll(dir, 0o777) != nil {
		return ""
	}
	trimCache(dir, time.Now())
	return dir
})

// trimCache removes what is old or too much.
func trimCache(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var infos []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	total := int64(0)
	for _, info := range infos {
		total += info.Size()
		if total > cacheBytes || now.Sub(info.ModTime()) > cacheAge {
			os.Remove(filepath.Join(dir, info.Name()))
		}
	}
}

// fromCache copies what the cache has under a key to a file, and reports whether it has it.
func fromCache(key, file string) bool {
	if cacheDir() == "" {
		return false
	}
	kept := filepath.Join(cacheDir(), key)
	if copyFile(kept, file) != nil {
		return false
	}
	now := time.Now()
	os.Chtimes(kept, now, now)
	return true
}

// toCache keeps a file under a key. A cache that cannot be written is no error: the next one builds it again.
func toCache(key, file string) {
	if cacheDir() != "" {
		copyFile(file, filepath.Join(cacheDir(), key))
	}
}

// copyFile copies a file, whole or not at all. The copy can be run at once.
func copyFile(from, to string) error {
	// A program that is started meanwhile would hold the copy open until its exec, and what somebody holds open for
	// writing cannot be run ("text file busy").
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.CreateTemp(filepath.Dir(to), ".copy-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	err = errors.Join(err, dst.Chmod(0o777), dst.Close())
	if err == nil {
		err = os.Rename(dst.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(dst.Name()))
	}
	return nil
}

// runtimeObjects are what Verilator's own sources are compiled to; a model needs some of them.
var runtimeObjects = []string{"verilated.o", "verilated_threads.o", "verilated_timing.o"}

// shareRuntime puts the object files of Verilator's own sources into a folder, where make finds that they are up
// to date, and reports whether the cache has them: compiling them takes more than three seconds.
func (w *Work) shareRuntime(ctx context.Context, kind, dir string) bool {
	key, err := w.verilatorKey(ctx, []string{kind}, nil, nil)
	if err != nil {
		return false
	}
	found := false
	for _, o := range runtimeObjects {
		found = fromCache(key+o, filepath.Join(dir, o)) || found
	}
	return found
}

// keepRuntime keeps the object files that shareRuntime shares.
func (w *Work) keepRuntime(ctx context.Context, kind, dir string) {
	key, err := w.verilatorKey(ctx, []string{kind}, nil, nil)
	if err != nil {
		return
	}
	for _, o := range runtimeObjects {
		if _, err := os.Stat(filepath.Join(dir, o)); err == nil {
			toCache(key+o, filepath.Join(dir, o))
		}
	}
}
