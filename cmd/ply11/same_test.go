// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"
)

// TestSameFile: a command does not write to a file that it reads, whatever the name, and changes nothing.
func TestSameFile(t *testing.T) {
	files := map[string]string{"a.pgn": games, "b.pgn": bad}
	made := t.TempDir()
	write(t, made, "a.pgn", games)
	write(t, made, "b.pgn", bad)
	ply11(t, made, 0, "pack -q a.pgn")
	ply11(t, made, 0, "pack -q b.pgn")
	ply11(t, made, 0, "export -q --to parquet --shards 1 -o set a.p11")
	ply11(t, made, 0, "index -q -o a.p11t a.p11")
	for _, name := range []string{"a.p11", "b.p11", "a.p11t"} {
		files[name] = read(t, made, name)
	}
	files["a.parquet"] = read(t, made, "set/00001-of-00001.parquet")
	for _, command := range []string{
		"pack -f -o OUT a.pgn", "pack -f -o OUT a.pgn b.pgn", "pack -f -o OUT b.pgn a.pgn", "append OUT a.p11",
		"append OUT b.pgn a.p11", "cat -f -o OUT a.p11 b.p11",
		"cat -f -o OUT b.p11 a.p11", "convert -f -o OUT a.p11", "convert -f --from p11 --to pgn -o OUT a.p11",
		"unpack -f -o OUT a.p11", "recover -f -o OUT a.p11",
		"explain -f -o OUT a.p11", "find -f -o OUT a.p11", "find -f -o OUT b.p11 a.p11", "index -f -o OUT a.p11",
		"index --update -o OUT a.p11", "import -f -o OUT a.parquet",
		"dedupe -f -o OUT a.p11", "dedupe -f -o OUT b.p11 a.p11", "tree-merge -f -o OUT a.p11t",
	} {
		in := "a.pgn"
		for _, name := range []string{"a.p11", "a.parquet", "a.p11t"} {
			if strings.Contains(command, name) {
				in = name
			}
		}
		for _, way := range []string{"itself", "path", "symbolic", "hard"} {
			dir := t.TempDir()
			for name, text := range files {
				write(t, dir, name, text)
			}
			out := map[string]string{"itself": in, "path": filepath.Join(dir, ".", in),
				"symbolic": "soft" + filepath.Ext(in), "hard": "hard" + filepath.Ext(in)}[way]
			var err error
			switch way {
			case "symbolic":
				err = os.Symlink(in, filepath.Join(dir, out))
			case "hard":
				err = os.Link(filepath.Join(dir, in), filepath.Join(dir, out))
			}
			if err != nil {
				t.Fatal(err)
			}
			before, names := read(t, dir, in), left(t, dir)
			_, errs := ply11(t, dir, cli.Usage, strings.Replace(command, "OUT", out, 1))
			if !strings.Contains(errs, in) {
				t.Errorf("%s, %s: %s", command, way, errs)
			}
			if read(t, dir, in) != before || left(t, dir) != names {
				t.Errorf("%s, %s: the files are others: %s", command, way, left(t, dir))
			}
		}
	}
}

// TestNewFolder: the folder of an output is made, and not left where there is no output.
func TestNewFolder(t *testing.T) {
	dir := packed(t, games)
	for _, command := range []string{"pack -o new/sub/OUT a.pgn", "cat -o new/sub/OUT a.p11",
		"convert --to p11 -o new/sub/OUT a.pgn", "unpack -o new/sub/OUT a.p11", "find -o new/sub/OUT a.p11",
		"index -o new/sub/OUT a.p11", "index -o new/sub/OUT.p11t a.p11", "recover -o new/sub/OUT a.p11",
		"gen --games 3 -o new/sub/OUT.pgn"} {
		ply11(t, dir, 0, command)
		if list, err := os.ReadDir(filepath.Join(dir, "new", "sub")); err != nil || len(list) == 0 {
			t.Errorf("%s: %v", command, err)
		}
		os.RemoveAll(filepath.Join(dir, "new"))
	}
	write(t, dir, "prose.pgn", "Dear reader,\nno game here.\n")
	ply11(t, dir, cli.Invalid, "pack -q -o new/sub/x.p11 prose.pgn")
	if _, err := os.Stat(filepath.Join(dir, "new")); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
	write(t, dir, "file", "")
	_, errs := ply11(t, dir, cli.Failed, "pack -q -o file/x.p11 a.pgn")
	if !strings.Contains(errs, "file/x.p11") {
		t.Error(errs)
	}
}
