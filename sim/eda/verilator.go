// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Verilator builds a bench with Verilator. Its warnings are for lint, which reads the design alone.
func (w *Work) Verilator(ctx context.Context, bench Verilog) (*Simulation, error) {
	// Not --binary: make runs after it, with what the cache has of Verilator's own sources.
	return w.verilated(ctx, bench, "V"+bench.Top, "", "--cc", "--exe", "--main", "--timing")
}

// VerilatorMain builds a module with Verilator without a bench: main, a C++ program, drives it. The class is
// of the name prefix. Registers have random values at first if main asks its context for that.
func (w *Work) VerilatorMain(ctx context.Context, v Verilog, prefix, main string) (*Simulation, error) {
	return w.verilated(ctx, v, prefix, main, "--cc", "--exe", "--x-initial", "unique")
}

// optimization returns the C++ compiler's option for what Verilator wrote into a folder. -O1 takes as long to compile
// as -O0, and its programs are as fast as those of -O2. But its time for one function grows faster than the function,
// and a bench's initial block is one function.
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

func (w *Work) verilated(ctx context.Context, v Verilog, prefix, main string, options ...string) (*Simulation, error) {
	if err := Need("verilator", "g++", "make"); err != nil {
		return nil, err
	}
	dir, err := w.Sub("verilator-" + v.Top)
	if err != nil {
		return nil, err
	}
	files := w.Paths(v.Files)
	if main != "" {
		files = append(files, main)
	}
	args := slices.Concat(options,
		[]string{"-Wno-fatal", "--top-module", v.Top, "--prefix", prefix, "-o", "sim", define},
		prefixed("-G", v.Params))
	simulation := &Simulation{work: w, dir: dir, command: []string{filepath.Join(dir, "sim")}}
	key, err := w.verilatorKey(args, files, w.Path(include))
	if err != nil {
		return nil, err
	}
	if fromCache(key, filepath.Join(dir, "sim")) {
		return simulation, nil
	}
	args = slices.Concat(args, []string{"--Mdir", dir, "-I" + w.Path(include)}, files)
	r, err := w.Run(ctx, dir, "verilator", args...)
	if err != nil {
		return nil, err
	}
	simulation.built += r.CPU
	level, err := optimization(dir)
	if err != nil {
		return nil, err
	}
	// make wants these to be younger than the makefile, which Verilator has just written.
	runtime, err := w.verilatorKey(append([]string{"runtime"}, options...), nil)
	if err != nil {
		return nil, err
	}
	shared := false
	for _, o := range runtimeObjects {
		shared = fromCache(runtime+o, filepath.Join(dir, o)) || shared
	}
	if r, err = w.Run(ctx, dir, "make", "-f", prefix+".mk", "OPT_FAST="+level, "OPT_SLOW=-O0",
		"OPT_GLOBAL=-O1"); err != nil {
		return nil, err
	}
	simulation.built += r.CPU
	for _, o := range runtimeObjects {
		if !shared {
			toCache(runtime+o, filepath.Join(dir, o))
		}
	}
	toCache(key, filepath.Join(dir, "sim"))
	return simulation, nil
}

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

// verilatorKey is a hash of all that a simulation is built of: the programs, the arguments, and the text of the files,
// with those in the folders that they may include.
func (w *Work) verilatorKey(args, files []string, include ...string) (string, error) {
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
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// The cache holds what Verilator built, by verilatorKey, in the user's folder of caches. What has not been used for so
// long, or is too much, goes, oldest first.
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

// toCache keeps a file, if it is there. A cache that cannot be written is no error.
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

// runtimeObjects are what Verilator's own sources are compiled to, which takes seconds; a model needs some of them.
// make takes those that the cache puts into its folder.
var runtimeObjects = []string{"verilated.o", "verilated_threads.o", "verilated_timing.o"}
