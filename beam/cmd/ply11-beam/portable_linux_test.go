// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
)

// pythonVariable names a Python that has the packages of beam/requirements.txt: make beam-portable sets it.
const pythonVariable = "PLY11_BEAM_PYTHON"

const (
	portableShards = 200
	portableGames  = 20 // of a PGN file
	mixedShards    = 7  // of the export that shuffles all rows
)

// TestPortable: on the runner of Beam's Python SDK, whose job server is a process of its own, all commands write the
// same bytes as on prism, with workers in the process that submits and with those of a pool, over 200 archives. If the
// pool is killed and the command ended, what it has written is whole, and the next run writes the rest.
func TestPortable(t *testing.T) {
	python := os.Getenv(pythonVariable)
	if python == "" {
		t.Fatalf("%s is not set: make beam-portable runs this test", pythonVariable)
	}
	dir, want := prism(t)
	endpoint := jobServer(t, python)
	all(t, dir, "loopback", "--runner", "universal", "--endpoint", endpoint, "--environment_type", "LOOPBACK")
	same(t, dir, "loopback", want)
	_, address := startPool(t, dir, "0")
	all(t, dir, "pool", "--runner", "universal", "--endpoint", endpoint, "--environment_type", "EXTERNAL",
		"--environment_config", address)
	same(t, dir, "pool", want)

	// The pool is killed when the first files are there.
	table := filepath.Join(dir, "killed", "table")
	export := func(pool string) *exec.Cmd {
		return program(dir, "export", "-o", table, "prism/g-*.p11", "--runner", "universal", "--endpoint",
			jobServer(t, python), "--environment_type", "EXTERNAL",
			"--environment_config", pool)
	}
	victim, address := startPool(t, dir, "0")
	cmd := export(address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if names, _ := filepath.Glob(table + "-*"); len(names) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing is written in a minute")
		}
	}
	victim.Process.Kill()
	// This runner does not see that a worker is gone, and waits for it without an end. Who waits no longer ends the
	// command.
	patience := time.AfterFunc(10*time.Second, func() { cmd.Process.Signal(os.Interrupt) })
	defer patience.Stop()
	if err := cmd.Wait(); err == nil {
		t.Error("a command whose workers were killed did not fail")
	}
	left := contents(t, dir, "killed")
	if len(left) == 0 || len(left) >= portableShards {
		t.Errorf("%d files are there, so that the kill was not in the middle", len(left))
	}
	for file, b := range left {
		if !bytes.Equal(b, want[file]) {
			t.Errorf("killed: %s is not whole", file)
		}
	}
	_, address = startPool(t, dir, "0")
	if out, err := export(address).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	again := contents(t, dir, "killed")
	for file, b := range want {
		if strings.HasPrefix(file, "table") && !bytes.Equal(again[file], b) {
			t.Errorf("after a kill, %s has other bytes", file)
		}
	}
}

// prism makes PGN files in a folder, and runs each command by Beam's runner prism, in a process each. It returns the
// folder, and the files that were written.
func prism(t *testing.T) (dir string, want map[string][]byte) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "temp"))
	for _, sub := range []string{"temp", "in"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	style := pgn.Export()
	for i := range portableShards {
		gen := gamegen.New(uint64(i % (portableShards - 10))) // ten files are there twice
		var text []byte
		var g game.Game
		for range portableGames {
			gen.Next(&g)
			text = pgn.AppendGame(text, &g, &style)
		}
		if err := os.WriteFile(filepath.Join(dir, "in", fmt.Sprintf("%03d.pgn", i)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all(t, dir, "prism")
	want = contents(t, dir, "prism")
	if n := len(want); n != 4*portableShards+1+mixedShards+1 { // a tree, and a manifest
		t.Fatalf("%d files", n)
	}
	return dir, want
}

// same tells what differs in the folder of a name from the files wanted.
func same(t *testing.T, dir, name string, want map[string][]byte) {
	t.Helper()
	got := contents(t, dir, name)
	for file, b := range want {
		if !bytes.Equal(got[file], b) {
			t.Errorf("%s: %s has other bytes than on prism", name, file)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, and %d on prism", name, len(got), len(want))
	}
}

// program is this program with arguments, as TestMain has it.
func program(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), statusFile+"="+os.DevNull)
	return cmd
}

// all runs each command, with what it writes in a folder of the name.
func all(t *testing.T, dir, name string, flags ...string) {
	t.Helper()
	for _, args := range []string{
		fmt.Sprintf("pack -o %s/g --shards %d in/*.pgn", name, portableShards), "index NAME/g-*.p11",
		"tree --moves 1.e4 -o NAME/tree.json NAME/g-*.p11",
		"dedupe -o NAME/once NAME/g-*.p11", "export -o NAME/table NAME/g-*.p11",
		fmt.Sprintf("export --to npz --dedupe --seed 1 --shards %d -o NAME/mixed NAME/g-*.p11", mixedShards),
	} {
		words := append(strings.Fields(strings.ReplaceAll(args, "NAME", name)), flags...)
		if out, err := program(dir, words...).CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v: %s", name, args, err, out)
		}
	}
}

// contents returns the files of a folder, in which the folder's own name is taken out.
func contents(t *testing.T, dir, name string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, name, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = bytes.ReplaceAll(b, []byte(name+"/"), nil)
	}
	return files
}

// freeAddress is one of this machine at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// jobServer starts that of Beam's Python SDK, and returns its address.
func jobServer(t *testing.T, python string) string {
	t.Helper()
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(python, "-m", "apache_beam.runners.portability.local_job_service_main", "--job_port", port)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	start(t, cmd)
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		if time.Now().After(end) {
			t.Fatalf("the job server does not answer: %s", log.Bytes())
		}
	}
}

// startPool starts a pool of workers at a port, which is "0" for any, and returns its address.
func startPool(t *testing.T, dir, port string) (*exec.Cmd, string) {
	t.Helper()
	cmd := program(dir, "workers", "--port", port)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, cmd)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "workers at "); ok {
			go func() { // what it tells later is not looked at, but read
				for lines.Scan() {
				}
			}()
			return cmd, address
		}
	}
	t.Fatal("the pool tells no address")
	return nil, ""
}

// start starts a process that ends with the test.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}
