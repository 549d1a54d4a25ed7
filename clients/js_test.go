// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestJavaScript builds the npm package, runs its tests in Node, installs its tarball in an empty folder, without a network, and runs the example of its
// README there.
func TestJavaScript(t *testing.T) {
	testenv.Tools(t, "clang", "wasm-ld", "node", "npm")
	dir, empty := copyFolder(t, "js"), t.TempDir()
	run := func(folder string, line ...string) string {
		t.Helper()
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Dir = folder
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", strings.Join(line, " "), err, out, &stderr)
		}
		return string(out)
	}
	run(dir, "npm", "pack", "--silent", "--pack-destination", empty)
	run(dir, "node", "--test", "test.mjs")
	tarballs, _ := filepath.Glob(filepath.Join(empty, "*.tgz"))
	if len(tarballs) != 1 {
		t.Fatalf("packed are %v", tarballs)
	}
	run(empty, "npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", tarballs[0])
	program, want := readmeExample(t, "js", "js")
	if err := os.WriteFile(filepath.Join(empty, "example.mjs"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := run(empty, "node", "example.mjs"); got != want {
		t.Errorf("the example of the README prints\n%s\nwant\n%s", got, want)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for _, name := range []string{"ply11.js", "ply11.wasm"} {
		b, err := os.ReadFile(filepath.Join(empty, "node_modules", "ply11", name))
		if err != nil {
			t.Fatal(err)
		}
		w.Write(b)
	}
	w.Close()
	if packed.Len() > 80_000 {
		t.Errorf("the module takes %d bytes, compressed by gzip", packed.Len())
	}
}
