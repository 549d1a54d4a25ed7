// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"

	"github.com/klauspost/compress/zstd"
)

// TestSearchPGN: a command that reads archives says of PGN what it says of the archive that pack makes of it, in a pipe
// and compressed, too.
func TestSearchPGN(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", sortsOfGames)
	write(t, dir, "other.txt", "\ufeff\n"+sortsOfGames)
	ply11(t, dir, 0, "pack -q a.pgn")
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "z.pgn.zst", string(z.EncodeAll([]byte(sortsOfGames), nil)))
	for _, args := range []string{"find --pgn --pattern Pe4", "find --variations --all --pattern Pe4",
		"find --uci --games 2-3", "tree --moves e4", "stats", "show FILE 1-",
		"show FILE 2 --ply 1 --board", "export --to jsonl --result 1-0", "dedupe --report --json"} {
		var want string
		for i, name := range words("a.p11 a.pgn z.pgn.zst other.txt -") {
			stdin := ""
			if name == "-" {
				stdin = sortsOfGames
			}
			args := strings.Replace(args, "FILE", name, 1)
			if !strings.HasPrefix(args, "show") {
				args += " " + name
			}
			got, _ := runCode(t, dir, 0, stdin, words(args)...)
			got = strings.Replace(got, `"file":"`+name, `"file":"FILE`, -1)
			if i == 0 {
				want = got
			}
			if got != want || got == "" {
				t.Errorf("%v: %q, and of the archive %q", args, got, want)
			}
		}
	}
	// An archive of what is found has the same text.
	ply11(t, dir, 0, "find -o one.p11 --eco C41 a.pgn")
	if one := unpacked(t, dir, "one.p11"); !strings.HasPrefix(sortsOfGames, strings.TrimRight(one, "\n")) {
		t.Errorf("%q", one)
	}
	// Of PGN that is too long the error tells the command that packs it, and nothing is packed before.
	if err := os.Truncate(filepath.Join(dir, "other.txt"), 64<<20+1); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "other.txt"), filepath.Join(dir, "it's long.pgn")); err != nil {
		t.Fatal(err)
	}
	wantErr := func(name, command string) string {
		return "ply11: " + name + ": PGN of more than 64 MiB is not searched as it is; pack it first: " + command + "\n"
	}
	if _, errs := runCode(t, dir, cli.Usage, "", "tree", "it's long.pgn"); errs != wantErr("it's long.pgn",
		`ply11 pack -o 'it'\''s long.p11' 'it'\''s long.pgn'`) {
		t.Errorf("%q", errs)
	}
	var long bytes.Buffer
	w, err := zstd.NewWriter(&long)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, games)
	for range 65 {
		w.Write(bytes.Repeat([]byte("; a line that is a comment, of 64 bytes and the end of the line\n"), 1<<14))
	}
	w.Close()
	write(t, dir, "long.pgn.zst", long.String())
	if _, errs := ply11(t, dir, cli.Usage, "find long.pgn.zst"); errs != wantErr("long.pgn.zst",
		"ply11 pack -o long.p11 long.pgn.zst") {
		t.Errorf("%q", errs)
	}
	// What is neither is refused as before.
	write(t, dir, "x.bin", "neither")
	if _, errs := ply11(t, dir, cli.Wrong, "find x.bin"); !strings.Contains(errs, "not a ply11 archive") {
		t.Errorf("%q", errs)
	}
}
