// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// cargo runs cargo in a folder. All builds are in one place.
func cargo(t *testing.T, folder, stdin string, env []string, args ...string) string {
	t.Helper()
	return output(t, folder, stdin, append(env, "CARGO_TARGET_DIR="+filepath.Join(buildDir, "cargo")),
		append([]string{"cargo"}, args...)...)
}

// TestRust runs the tests of the crate, also of the part without archives, packs it, and runs the examples of its
// README with what was packed.
func TestRust(t *testing.T) {
	dir, games := rustFolder(t), exampleArchives(t)
	env := []string{"PLY11_ARCHIVE=" + filepath.Join(games, "games.p11")}
	cargo(t, dir, "", env, "test", "--locked", "--quiet")
	cargo(t, dir, "", env, "test", "--locked", "--quiet", "--no-default-features", "--test", "ply11")
	cargo(t, dir, "", env, "package", "--locked", "--allow-dirty", "--quiet", "--no-verify")
	crates, _ := filepath.Glob(filepath.Join(buildDir, "cargo", "package", "ply11-*.crate"))
	if len(crates) != 1 {
		t.Fatalf("packed are %v", crates)
	}
	root := t.TempDir()
	output(t, root, "", nil, "tar", "xzf", crates[0])
	manifest := "[package]\nname = \"example\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nply11 = { " +
		"path = \"" +
		filepath.Join(root, strings.TrimSuffix(filepath.Base(crates[0]), ".crate")) + "\" }\n"
	if err := os.WriteFile(filepath.Join(games, "Cargo.toml"), []byte(manifest), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(games, "src"), 0o777); err != nil {
		t.Fatal(err)
	}
	runExamples(t, "rust", "rust", func(program string) string {
		if err := os.WriteFile(filepath.Join(games, "src", "main.rs"), []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
		return cargo(t, games, "", nil, "run", "--quiet")
	})
}

func rustFolder(t *testing.T) string {
	t.Helper()
	testenv.Tools(t, "gcc", "cargo")
	return packageFolder(t, "rust", func(string) {})
}

func rustReads(t *testing.T, what string, lines []string) string {
	t.Helper()
	return cargo(t, rustFolder(t), strings.Join(lines, "\n"), nil, "run", "--locked", "--quiet", "--release",
		"--example", "driver", what)
}
