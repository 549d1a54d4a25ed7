// SPDX-License-Identifier: Apache-2.0

//go:build long

package dist

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestTwice makes everything twice, in folders of different names: the bytes are the same. Then it installs the Debian
// package in a new system, and uses it. The packages of the languages are installed and used by the tests in clients.
func TestTwice(t *testing.T) {
	testenv.Tools(t, "clang", "cargo", "npm", "python3", "gcc")
	first, second := makeParts(t), makeParts(t)
	var sums [2]string
	for i, dir := range []string{first, second} {
		text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
	}
	if sums[0] != sums[1] {
		t.Errorf("made twice:\n%s\n%s", sums[0], sums[1])
	}
	t.Run("deb", func(t *testing.T) { installDeb(t, find(t, filepath.Join(first, "ply11_*_"+runtime.GOARCH+".deb"))) })
}

// installDeb installs a package in a Debian that has only the packages that every one has, and runs the first example
// of README.
func installDeb(t *testing.T, deb string) {
	debootstrap := testenv.Tools(t, "debootstrap", "dpkg-deb")[0]
	if os.Getuid() != 0 {
		t.Skip("debootstrap and chroot are root's")
	}
	root := filepath.Join(t.TempDir(), "root")
	if text, err := exec.Command(debootstrap, "--variant=minbase", "stable", root).CombinedOutput(); err != nil {
		t.Fatalf("debootstrap: %v\n%s", err, text[max(0, len(text)-2000):])
	}
	content, err := os.ReadFile(deb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "ply11.deb"), content, 0o666); err != nil {
		t.Fatal(err)
	}
	game := "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n"
	if err := os.WriteFile(filepath.Join(root, "game.pgn"), []byte(game), 0o666); err != nil {
		t.Fatal(err)
	}
	script := "dpkg -i ply11.deb >&2 && ply11 pack -q -o game.p11 game.pgn && ply11 unpack -q -o - game.p11 && test " +
		"-e /usr/share/doc/ply11/NOTICES"
	cmd := exec.Command("chroot", root, "sh", "-c", script)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if text, err := cmd.Output(); err != nil || string(text) != game {
		t.Errorf("%v: %q\n%s", err, text, &stderr)
	}
}
