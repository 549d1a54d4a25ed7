// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// TestExportFull: an export that fills the disk says so and leaves no file that is not whole; when there is room, the
// next one goes on. Where the test may make no file system, files may not grow. The file system is that of the test's
// thread, and gone with it.
func TestExportFull(t *testing.T) {
	dir, small := t.TempDir(), t.TempDir()
	ply11(t, dir, 0, "gen -q --games 600 --seed 1 -o a.p11")
	want, start := "no space left on device", func(args ...string) *exec.Cmd { return command(dir, args...) }
	mounted := true
	const room = "size=200k"
	runtime.LockOSThread() // for good: the thread ends with the test
	err := syscall.Unshare(syscall.CLONE_NEWNS)
	if err == nil {
		err = syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	}
	if err == nil {
		err = syscall.Mount("ply11", small, "tmpfs", 0, room)
	}
	if err != nil {
		t.Logf("no small file system (%v), but a limit", err)
		mounted, want = false, "file too large"
		start = func(args ...string) *exec.Cmd {
			cmd := exec.Command("sh", append(append([]string{"-c", `ulimit -f 50; exec "$0" "$@"`}, testenv.Self()...),
				args...)...)
			cmd.Env, cmd.Dir = append(os.Environ(), "PLY11_TEST_MAIN=1"), dir
			return cmd
		}
	} else {
		defer func() {
			if err := syscall.Unmount(small, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		}()
	}
	for _, flags := range []string{"jsonl --shards 9", "npy --seed 1 --shards 9", "webdataset --shard-rows 8000",
		"npz --seed 1"} {
		args := append(strings.Fields("export -q a.p11 --to "+flags), "-o")
		runCode(t, dir, 0, "", append(args, "want/")...)
		whole := treeOf(t, filepath.Join(dir, "want"))
		got := filepath.Join(small, "got")
		cmd := start(append(args, got+"/", "-j", "1")...) // one part after the other, so that some are whole
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != cli.Failed || !strings.Contains(string(out), want) {
			t.Errorf("%s: exit code %d: %s", flags, cmd.ProcessState.ExitCode(), out)
		}
		left := treeOf(t, got)
		for name, b := range left {
			switch {
			case name == "manifest.json":
				if !json.Valid(b) {
					t.Errorf("%s: the manifest is not JSON: %.200q", flags, b)
				}
			case name == "manifest.json.lock": // of an export that has ended
				t.Errorf("%s: %s is left", flags, name)
			case !bytes.Equal(b, whole[name]):
				t.Errorf("%s: %s is not whole, with %d bytes", flags, name, len(b))
			}
		}
		if mounted && flags == "jsonl --shards 9" && len(left) < 3 {
			t.Errorf("%s: %d files are left: no part was done, so that this tests too little", flags, len(left))
		}
		if mounted {
			if err := syscall.Mount("ply11", small, "tmpfs", syscall.MS_REMOUNT, "size=1g"); err != nil {
				t.Fatal(err)
			}
		}
		runCode(t, dir, 0, "", append(args, got+"/")...)
		compareTrees(t, flags, whole, treeOf(t, got))
		for _, folder := range []string{got, filepath.Join(dir, "want")} {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
		if mounted {
			if err := syscall.Mount("ply11", small, "tmpfs", syscall.MS_REMOUNT, room); err != nil {
				t.Fatal(err)
			}
		}
	}
}
