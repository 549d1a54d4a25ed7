// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package main_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"ply11/internal/testenv"
)

// TestTenGigabytes packs 10 GB of games (or PLY11_LONG_BYTES), verifies the archive, and unpacks it to the same hash,
// each in under 64 MiB.
func TestTenGigabytes(t *testing.T) {
	size := int64(10e9)
	if s := os.Getenv("PLY11_LONG_BYTES"); s != "" {
		var err error
		if size, err = strconv.ParseInt(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()

	limit := func(what string, most int, s *os.ProcessState) {
		if most > 64<<10 {
			t.Errorf("%s took %d KiB of memory, more than %d", what, most, 64<<10)
		}
		t.Logf("%s: %d KiB of memory, %v of processor time", what, most, s.UserTime()+s.SystemTime())
	}
	pack := command(dir, "pack", "-q", "--no-verify", "-o", "x.p11", "-")
	pack.Stderr = os.Stderr
	in, err := pack.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := pack.Start(); err != nil {
		t.Fatal(err)
	}
	packMost := watch(pack)
	want := sha256.New()
	gen := command(dir, "gen", "-q", "--games", fmt.Sprint(uint64(1<<40)))
	games, err := gen.StdoutPipe()
	if err == nil {
		err = gen.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	total, err := io.CopyN(io.MultiWriter(in, want), games, size)
	gen.Process.Kill()
	gen.Wait()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := pack.Wait(); err != nil {
		t.Fatal(err)
	}
	limit("pack", <-packMost, pack.ProcessState)
	info, err := os.Stat(filepath.Join(dir, "x.p11"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, packed in %d", total, info.Size())

	verify := command(dir, "verify", "x.p11")
	verify.Stderr = os.Stderr
	if err := verify.Start(); err != nil {
		t.Fatal(err)
	}
	verifyMost := watch(verify)
	if err := verify.Wait(); err != nil {
		t.Fatal(err)
	}
	limit("verify", <-verifyMost, verify.ProcessState)

	got := sha256.New()
	unpack := command(dir, "unpack", "-q", "-o", "-", "x.p11")
	unpack.Stdout, unpack.Stderr = got, os.Stderr
	if err := unpack.Start(); err != nil {
		t.Fatal(err)
	}
	unpackMost := watch(unpack)
	if err := unpack.Wait(); err != nil {
		t.Fatal(err)
	}
	limit("unpack", <-unpackMost, unpack.ProcessState)
	if !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
		t.Error("what is unpacked has another hash")
	}
}

// watch looks at how much memory a process has had at most, in KiB, as long as it runs. (What wait tells is that of
// its parent, if that was more.)
func watch(cmd *exec.Cmd) <-chan int {
	out := make(chan int, 1)
	path := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	go func() {
		most := 0
		for {
			b, err := os.ReadFile(path)
			now := testenv.StatusKiB(string(b), "VmHWM")
			if err != nil || now == 0 {
				out <- most
				return
			}
			most = max(most, now)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return out
}
