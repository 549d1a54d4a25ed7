// SPDX-License-Identifier: Apache-2.0

// Package dist tests what dist.sh makes.
package dist

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/cli"
	"ply11/internal/testenv"
	"ply11/query/index"
)

// makeParts makes parts of the latest commit, or all, and returns the folder.
func makeParts(t *testing.T, parts ...string) string {
	t.Helper()
	if exec.Command("git", "rev-parse", "HEAD").Run() != nil {
		t.Skip("this is no clone of the repository, so there is no commit")
	}
	out := filepath.Join(t.TempDir(), "dist")
	if text, err := exec.Command("./dist.sh", append([]string{out}, parts...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// find returns the only file of a pattern.
func find(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	return files[0]
}

// TestVerilog unpacks the Verilog that is handed out, and has a simulator build modules of it by the lists of files
// that stand beside them.
func TestVerilog(t *testing.T) {
	iverilog := testenv.Tools(t, "iverilog")[0]
	out := makeParts(t, "verilog")
	dir := t.TempDir()
	z, err := zip.OpenReader(find(t, filepath.Join(out, "ply11-verilog-*.zip")))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	lists, err := filepath.Glob(filepath.Join(dir, "*", "rtl", "*.f"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("%v, %v", lists, err)
	}
	for _, list := range lists {
		cmd := exec.Command(iverilog, "-g2005", "-f", list, "-o", filepath.Join(dir, "out"))
		cmd.Dir = filepath.Dir(filepath.Dir(list))
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(list), err, text)
		}
	}
}

// TestEmptyFolder: what stands in the folder is not mixed with what is made.
func TestEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("./dist.sh", dir).CombinedOutput(); err == nil ||
		!strings.Contains(string(text), "is not empty") {
		t.Errorf("%v: %s", err, text)
	}
}

var update = flag.Bool("update", false, "write cli.Release into the packages")

// TestVersions: the packages of all languages have the version of the commands.
func TestVersions(t *testing.T) {
	for file, before := range map[string]string{"clients/python/src/ply11/__init__.py": `__version__ = "`,
		"clients/rust/Cargo.toml": `version = "`, "clients/rust/Cargo.lock": "name = \"ply11\"\nversion = \"",
		"clients/js/package.json": `  "version": "`, "hdl/ply11.core": "name: ply11:chess:ply11:", "CHANGELOG.md": "## ",
	} {
		path := filepath.Join("../..", file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(before) + `([0-9.]+)`).FindSubmatchIndex(text)
		switch {
		case at == nil:
			t.Errorf("%s has no version", file)
		case string(text[at[2]:at[3]]) == cli.Release:
		case *update:
			text = slices.Replace(text, at[2], at[3], []byte(cli.Release)...)
			if err := os.WriteFile(path, text, 0o666); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s has version %s, want %s", file, text[at[2]:at[3]], cli.Release)
		}
	}
}

// TestRename gives a clone another path by make rename, and hands it out by a proxy of files, where the program of
// README, in a module of its own, gets it.
func TestRename(t *testing.T) {
	tools := testenv.Tools(t, "git", "make", "sed")
	const module = "example.com/some/ply11"
	dir, proxy := filepath.Join(t.TempDir(), "ply11"), t.TempDir()
	do := func(dir string, line ...string) string {
		t.Helper()
		cmd := exec.Command(line[0], line[1:]...)
		cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GONOSUMDB=*", "GOFLAGS=-mod=mod",
			"GOPROXY=file://"+proxy+",file://"+strings.TrimSpace(string(cache))+"/cache/download")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", line, err, text)
		}
		return string(text)
	}
	do("../..", tools[0], "clone", "--quiet", ".", dir)
	do(dir, tools[1], "-s", "rename", "MODULE="+module)
	if list := do(dir, "go", "list", "-deps", "-test", "./..."); strings.Contains(list, "\nply11/") ||
		strings.Count(list, "\n"+module+"/") < 100 {
		t.Errorf("the packages are\n%s", list)
	}
	do(dir, tools[0], "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message=rename")
	version := "v" + cli.Release
	file := filepath.Join(proxy, module, "@v", version)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	do(dir, tools[0], "archive", "--format=zip", "--prefix="+module+"@"+version+"/", "--output="+file+".zip", "HEAD",
		"--", "go.mod", "*.go", "moveindex", ":!beam", ":!web/browser")
	do(dir, "cp", "go.mod", file+".mod")
	if err := os.WriteFile(file+".info", []byte(`{"Version":"`+version+`"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	user := t.TempDir()
	const program = "package main\nimport \"" + module + "/moveindex\"\n" +
		"func main() { println(moveindex.Index(1094).Move()) }\n"
	if err := os.WriteFile(filepath.Join(user, "main.go"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	do(user, "go", "mod", "init", "example")
	do(user, "go", "get", module+"@"+version)
	if said := do(user, "go", "run", "."); !strings.HasSuffix(said, " true\n") {
		t.Errorf("the program prints %q", said)
	}
}

// TestMagic: file(1) knows an archive and a tree file, where it is installed.
func TestMagic(t *testing.T) {
	file := testenv.Tools(t, "file")[0]
	path := filepath.Join(t.TempDir(), "x")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Pack(t.Context(), f, strings.NewReader("1. e4 *\n")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tree := path + "t"
	var made bytes.Buffer
	_, err = index.MergeTrees(t.Context(), &made, nil, index.TreeOptions{Temp: tree})
	if err := errors.Join(err, os.WriteFile(tree, made.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, path, want string }{{"-b", path, "ply11 archive of chess games, version 1"},
		{"-bi", path, "application/x-ply11; charset=binary"},
		{"-b", tree, "ply11 tree file of chess positions, version 1, 0 games"}} {
		text, err := exec.Command(file, c.flag, "-m", "ply11.magic", c.path).CombinedOutput()
		if got := strings.TrimSpace(string(text)); err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
}
