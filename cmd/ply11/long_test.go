// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package main

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

	"github.com/klauspost/compress/zstd"

	"ply11/internal/datadir"
	"ply11/internal/testenv"
)

// TestTenGigabytes packs 10 GB of games (or PLY11_LONG_BYTES), made by repeating and renumbering real ones, verifies
// the archive, and unpacks it to the same hash, each in under 64 MiB.
func TestTenGigabytes(t *testing.T) {
	size := int64(10e9)
	if s := os.Getenv("PLY11_LONG_BYTES"); s != "" {
		var err error
		if size, err = strconv.ParseInt(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	z.Close()
	if err != nil {
		t.Fatal(err)
	}
	all := bytes.SplitAfter(text, []byte("\n\n[Event "))
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
	w := io.MultiWriter(in, want)
	var buf []byte
	total, number := int64(0), 0
	for total < size {
		for _, g := range all {
			number++
			buf = append(buf, bytes.Replace(g, []byte("\n[Round \""), fmt.Appendf(nil, "\n[Round \"%d ", number), 1)...)
			if len(buf) > 1<<20 {
				n, err := w.Write(buf)
				if err != nil {
					t.Fatal(err)
				}
				total += int64(n)
				buf = buf[:0]
			}
			if total >= size {
				break
			}
		}
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
	t.Logf("%d games, %d bytes, packed in %d", number, total, info.Size())

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
