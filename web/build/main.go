// SPDX-License-Identifier: Apache-2.0

// Command build makes the explorer's folder for a static host: the page, and the Go programs that run in its workers.
// With --programs, it makes the programs alone, which is what `make web` does.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ply11/web"
	"ply11/web/wasm"
)

func main() {
	programs := flag.Bool("programs", false, "make the programs alone")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./web/build [--programs] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *programs); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(folder string, programs bool) error {
	if err := wasm.Build(context.Background(), folder); err != nil || programs {
		return err
	}
	page := web.Static()
	return fs.WalkDir(page, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := fs.ReadFile(page, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), content, 0o666)
		}
		return err
	})
}
