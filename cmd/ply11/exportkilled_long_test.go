// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestExportKilled: an export that is killed at any moment leaves no file of its names that is not whole, and the next one writes what one that was never killed
// writes.
func TestExportKilled(t *testing.T) {
	const kills = 100
	dir := t.TempDir()
	runCode(t, dir, 0, "", "gen", "-q", "--games", "3000", "--seed", "1", "-o", "a.p11")
	rng := rand.New(rand.NewPCG(35, 35))
	for _, c := range []struct{ name, output string }{{"npy", "set"}, {"webdataset", "set.tar"}, {"parquet", "set.parquet"}} {
		args := func(output string) []string {
			return []string{"export", "-q", "--to", c.name, "--seed", "1", "-o", output, "a.p11"}
		}
		want, got := filepath.Join("want-"+c.name, c.output), filepath.Join("got-"+c.name, c.output)
		for _, name := range []string{want, got} {
			if err := os.Mkdir(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		begin := time.Now()
		runCode(t, dir, 0, "", args(want)...)
		took := time.Since(begin)
		whole := treeOf(t, filepath.Join(dir, filepath.Dir(want)))
		killed, ended := 0, 0
		for range kills {
			cmd := command(dir, args(got)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(time.Duration(rng.Int64N(int64(took))), func() { cmd.Process.Kill() })
			failed := cmd.Wait()
			timer.Stop()
			for name, b := range treeOf(t, filepath.Join(dir, filepath.Dir(got))) {
				if strings.HasSuffix(name, "manifest.json") {
					if !json.Valid(b) { // it tells what is done so far, so that the next run goes on
						t.Fatalf("%s: %s is not JSON", c.name, name)
					}
				} else if w, ok := whole[name]; ok && !bytes.Equal(b, w) {
					t.Fatalf("%s: %s has its name and is not whole", c.name, name)
				}
			}
			if failed != nil {
				killed++ // the next one goes on
				continue
			}
			ended++
			if err := os.RemoveAll(filepath.Join(dir, filepath.Dir(got))); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, filepath.Dir(got)), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if killed < kills/2 {
			t.Errorf("%s: only %d of %d were killed", c.name, killed, kills)
		}
		runCode(t, dir, 0, "", append(args(got), "-f")...)
		left := 0
		for name, b := range treeOf(t, filepath.Join(dir, filepath.Dir(got))) {
			if w, ok := whole[name]; !ok {
				left++
			} else if !bytes.Equal(b, w) {
				t.Errorf("%s: after the kills, %s has other bytes", c.name, name)
			}
		}
		t.Logf("%s: %d files; %d killed, %d ended first; %d temporary files are left", c.name, len(whole), killed, ended, left)
	}
}

// treeOf returns the files below a folder, by their paths there.
func treeOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			files[name], err = os.ReadFile(path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
