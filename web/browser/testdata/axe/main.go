// SPDX-License-Identifier: Apache-2.0

// Command axe gets axe-core, which the tests of the page run in the browser, from npm: the version and the hash below.
// It does nothing if the file is there and right. axe-core is under the Mozilla Public License 2.0, which stands beside
// it; no part of it goes into a program or the page.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	version = "4.14.1"
	sum     = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c" // SHA-256 of axe.min.js
	folder  = "testdata/axe"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "axe:", err)
		os.Exit(1)
	}
}

func run() error {
	name := filepath.Join(folder, "axe.min.js.gz")
	if b, err := os.ReadFile(name); err == nil {
		if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
			if b, err = io.ReadAll(z); err == nil && right(b) {
				return nil
			}
		}
	}
	dir, err := os.MkdirTemp("", "axe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{{"npm", "pack", "--ignore-scripts", "axe-core@" + version},
		{"tar", "xzf", "axe-core-" + version + ".tgz"}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "package/axe.min.js"))
	if err != nil {
		return err
	}
	if !right(b) {
		return fmt.Errorf("axe.min.js of version %s has another SHA-256 than %s", version, sum)
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(b); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	for _, licence := range []string{"LICENSE", "LICENSE-3RD-PARTY.txt"} {
		text, err := os.ReadFile(filepath.Join(dir, "package", licence))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, licence), text, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(name, packed.Bytes(), 0o666)
}

func right(b []byte) bool {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:]) == sum
}
