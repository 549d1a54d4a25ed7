// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/codectest"
	"ply11/internal/testenv"
)

// program returns the path of Debian's polyglot, which made the format known.
func program(t *testing.T) string {
	t.Helper()
	return testenv.Tools(t, "polyglot")[0]
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A book of real games is, byte for byte, that which polyglot itself makes of them.
func TestMakeBook(t *testing.T) {
	games := codectest.RealGames(t).First(1500).Games()
	polyglot, dir := program(t), t.TempDir()
	f, err := os.Create(filepath.Join(dir, "games.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	w := pgn.NewWriter(f)
	var ours bytes.Buffer
	b := NewWriter(&ours, codec.Lossy(nil))
	for i, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		if err := b.Write(g); err != nil {
			t.Fatalf("game %d: %v", i+1, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	command(t, dir, polyglot, "make-book", "-pgn", "games.pgn", "-bin", "theirs.bin", "-min-game", "1")
	theirs, err := os.ReadFile(filepath.Join(dir, "theirs.bin"))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	list := func(data []byte) (entries []entry) {
		for e, err := range NewBook(bytes.NewReader(data), int64(len(data))).all() {
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, e)
		}
		return entries
	}
	a, o := list(ours.Bytes()), list(theirs)
	// Moves of one weight are in no order that the format defines.
	slices.SortStableFunc(o, entry.compare)
	if len(a) != len(o) {
		t.Fatalf("%d entries, polyglot makes %d", len(a), len(o))
	}
	for i := range a {
		if a[i] != o[i] {
			t.Fatalf("entry %d is %+v, polyglot's is %+v", i, a[i], o[i])
		}
	}
	t.Logf("%d entries", len(a))
}

// polyglot opens a book of ours and finds its lines.
func TestDumpBook(t *testing.T) {
	polyglot, dir := program(t), t.TempDir()
	var out bytes.Buffer
	w := NewWriter(&out)
	g := codectest.Parse(t,
		"1. e4 (1. d4 d5 2. c4 (2. Nf3) e6) 1... e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5 4. O-O) a6 4. O-O *")
	if err := w.Write(g); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ours.bin"), out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	command(t, dir, polyglot, "dump-book", "-bin", "ours.bin", "-color", "white", "-out", "lines.txt")
	text, err := os.ReadFile(filepath.Join(dir, "lines.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// Lines like "3: 1. e4{50%} e5 2. Nf3{100%}", to White's last move.
	var got []string
	scan := bufio.NewScanner(bytes.NewReader(text))
	percent := regexp.MustCompile(`\{[0-9]+%\}|[0-9]+[.:]`)
	for scan.Scan() {
		line := strings.Join(strings.Fields(percent.ReplaceAllString(scan.Text(), " ")), " ")
		if strings.HasPrefix(line, "e4") || strings.HasPrefix(line, "d4") {
			got = append(got, line)
		}
	}
	want := []string{
		"d4 d5 Nf3", "d4 d5 c4", "e4 e5 Nf3 Nc6 Bb5 a6 O-O", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O",
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("polyglot finds %q in\n%s", got, text)
	}
}
