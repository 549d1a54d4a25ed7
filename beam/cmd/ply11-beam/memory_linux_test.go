// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/exitcode"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
)

// statusFile is the variable that tells the program, as which the test's program runs then, where it copies its
// /proc/self/status at its end.
const statusFile = "PLY11_BEAM_TEST_STATUS"

func TestMain(m *testing.M) {
	path := os.Getenv(statusFile)
	if path == "" {
		os.Exit(m.Run())
	}
	code := execute(os.Args[1:])
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(path, status, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = exitcode.Failed
	}
	os.Exit(code)
}

// mostMemory is what a command may take on prism, in KiB, the pages of the program's own file among it.
const mostMemory = 256 << 10

// TestMemory: the memory of a command is bounded. Without the spool and a limit for the collector, pack, index and
// export take 450 to 500 MiB.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	var file bytes.Buffer
	w := archive.NewWriter(&file)
	gen := gamegen.New(1)
	var g game.Game
	for range 100_000 {
		gen.Next(&g)
		if err := w.Write(&g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.Create(filepath.Join(dir, "a.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if _, err := archive.Unpack(context.Background(), text, bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.p11", "2.p11"} {
		if err := os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"pack -o packed --shards 2 a.pgn", "tree -o tree.json 1.p11 2.p11", "dedupe -o once 1.p11 2.p11",
		"index 1.p11 2.p11", "export --no-movetext -o table 1.p11 2.p11",
	} {
		cmd := exec.Command(os.Args[0], strings.Fields(args)...)
		cmd.Dir = dir
		status := filepath.Join(dir, "status")
		cmd.Env = append(os.Environ(), statusFile+"="+status)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
		b, err := os.ReadFile(status)
		if err != nil {
			t.Fatal(err)
		}
		most := testenv.StatusKiB(string(b), "VmHWM")
		if most == 0 {
			t.Fatal("the system does not tell the most memory of a process")
		}
		if t.Logf("%s: %d KiB", args, most); most > mostMemory {
			t.Errorf("%s took %d KiB of memory, more than %d", args, most, mostMemory)
		}
	}
}
