// SPDX-License-Identifier: Apache-2.0

//go:build long

package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestExportKilled: a killed export leaves no file that is not whole, and the next one goes on to what one that was
// never killed leaves.
func TestExportKilled(t *testing.T) {
	const kills = 100
	dir := t.TempDir()
	ply11(t, dir, 0, "gen -q --games 3000 --seed 1 -o a.p11")
	rng := rand.New(rand.NewPCG(35, 35))
	for _, c := range []struct{ name, output string }{{"npy", "set"}, {"webdataset", "set.tar"},
		{"parquet", "set.parquet"}} {
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
		folder := filepath.Join(dir, filepath.Dir(got))
		killed := 0
		for range kills {
			cmd := command(dir, args(got)...)
			var told bytes.Buffer
			cmd.Stderr = &told
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(time.Duration(rng.Int64N(int64(took))), func() { cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			if err != nil && !wasKilled(err) {
				t.Fatalf("%s: after %d kills, the next run fails: %v: %s", c.name, killed, err, told.String())
			}
			left := treeOf(t, folder)
			for name, b := range left {
				if strings.HasSuffix(name, "manifest.json") {
					if !json.Valid(b) { // it tells what is done so far, so that the next run goes on
						t.Fatalf("%s: %s is not JSON", c.name, name)
					}
				} else if w, ok := whole[name]; ok && !bytes.Equal(b, w) {
					t.Fatalf("%s: %s has its name and is not whole", c.name, name)
				}
			}
			if err == nil {
				compareTrees(t, c.name, whole, left)
			} else {
				killed++
				maps.DeleteFunc(left, func(name string, _ []byte) bool { return whole[name] == nil })
				if !maps.EqualFunc(left, whole, bytes.Equal) {
					continue // the next run goes on
				}
				// it was killed when its work was done
			}
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(folder, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if killed < kills/2 {
			t.Errorf("%s: only %d of %d were killed", c.name, killed, kills)
		}
		runCode(t, dir, 0, "", args(got)...)
		compareTrees(t, c.name, whole, treeOf(t, folder))
	}
}

func wasKilled(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
