// SPDX-License-Identifier: Apache-2.0

//go:build !js

// Package wasm builds the Go programs that run in the workers of the explorer's page: explorer reads archives, archiver
// makes and explains them, bytes explains other bytes, hardware plays bytes on netlists of the hardware.
//
//	err := wasm.Build(ctx, "folder")
package wasm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/andybalholm/brotli"
	"golang.org/x/sync/errgroup"

	"ply11/bitstream/archive"
	"ply11/bitstream/dense"
	"ply11/game/decompress"
	"ply11/position/openings"
	"ply11/testdata"
	"ply11/web/hardware"
)

// programs are the programs, the packages in which the compiler inlines, and the quality of Brotli. Code without
// inlining is slower and compresses to less, so what is small and called for every move or byte is inlined, and the
// rest is not. Quality 10 makes a tenth less than 9, and takes seven times as long: it is for the program that the
// first page waits for.
var programs = []struct {
	name    string
	inline  []string
	quality int
}{
	{"explorer", append([]string{"ply11/position", "unicode/utf8"}, zstd...), 10},
	{"archiver", append([]string{"ply11/position", "unicode/utf8"}, zstd...), 9},
	{"bytes", nil, 9},
	{"hardware", []string{"ply11/sim"}, 9},
}

// zstd is what decompresses the columns of archives.
var zstd = []string{"github.com/klauspost/compress/zstd", "github.com/klauspost/compress/huff0",
	"github.com/klauspost/compress/fse", "github.com/klauspost/compress/internal/le"}

// ErrNoGo: the programs are built by the go command, in the module's folder or below.
var ErrNoGo = errors.New("the programs of the explorer's page are built by the go command in the project's folder")

// Project returns the folder of the project, in which or below which the process is, or ErrNoGo.
func Project(ctx context.Context) (string, error) {
	module, err := goCommand(ctx, "", nil, "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoGo, err)
	}
	path, dir, _ := strings.Cut(strings.TrimSpace(module), " ")
	if path != "ply11" {
		return "", fmt.Errorf("%w, and this is the folder of %s", ErrNoGo, path)
	}
	return dir, nil
}

// Build builds the programs into a folder, with what they need beside them: each program compressed by gzip, which any
// host can serve, and by Brotli, which package web sends to browsers that take it. It takes the go command, and some
// ten seconds: a minute where nothing is in the build cache.
func Build(ctx context.Context, folder string) error {
	dir, err := Project(ctx)
	if err != nil {
		return err
	}
	root, err := goCommand(ctx, dir, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp("", "ply11-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	var builds errgroup.Group
	builds.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range programs {
		builds.Go(func() error {
			out := filepath.Join(temporary, p.name)
			args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l"}
			for _, inlined := range p.inline {
				args = append(args, "-gcflags="+inlined+"=")
			}
			if _, err := goCommand(ctx, dir, []string{"GOOS=js", "GOARCH=wasm"},
				append(args, "-o", out, "ply11/web/wasm/"+p.name)...); err != nil {
				return err
			}
			program, err := os.ReadFile(out)
			if err != nil {
				return err
			}
			if program, err = joinSegments(program); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if err := writeZipped(filepath.Join(folder, p.name+".wasm.gz"), program); err != nil {
				return err
			}
			return writeBrotli(filepath.Join(folder, p.name+".wasm.br"), program, p.quality)
		})
	}
	if err := builds.Wait(); err != nil {
		return err
	}
	for _, m := range hardware.Modes {
		netlist, err := readNetlist(filepath.Join(dir, "sim", "netlists", m.Name+".aig.zst"))
		if err != nil {
			return err
		}
		if err := writeZipped(filepath.Join(folder, m.Name+".aig.gz"), netlist); err != nil {
			return err
		}
	}
	if err := writeSample(ctx, filepath.Join(folder, "famous.p11")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "openings.tsv.gz"), openings.Packed(), 0o666); err != nil {
		return err
	}
	model, err := dense.ModelFile()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "model1.bin.zst"), model, 0o666); err != nil {
		return err
	}
	// wasm_exec.js belongs to the version of Go that built the programs; its licence stands beside it.
	for from, to := range map[string]string{"lib/wasm/wasm_exec.js": "wasm_exec.js", "LICENSE": "LICENSE.go.txt"} {
		content, err := os.ReadFile(filepath.Join(strings.TrimSpace(root), filepath.FromSlash(from)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, to), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// readNetlist returns a netlist of the project's folder. A browser decompresses gzip, and not zstd.
func readNetlist(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := decompress.New(bufio.NewReader(f), decompress.Named(path), false)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// writeSample writes an archive of famous games, for who has none.
func writeSample(ctx context.Context, path string) error {
	var out bytes.Buffer
	if _, err := archive.Pack(ctx, &out, strings.NewReader(testdata.Famous)); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}

// writeBrotli writes a file, compressed by Brotli.
func writeBrotli(path string, content []byte, quality int) error {
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: quality, LGWin: 24})
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o666)
}

// writeZipped writes a file, compressed by gzip.
func writeZipped(path string, content []byte) error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o666)
}

// goCommand runs the go command in a folder, and returns what it prints.
func goCommand(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return string(out), nil
}
