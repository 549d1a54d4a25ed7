// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/cli"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
)

// TestAppend: the archive unpacks to all texts, and its new blocks have the form of the old ones.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "b.pgn", bad)
	ply11(t, dir, 0, "pack -q -o b.p11 b.pgn")
	// of the archive, a PGN file, an archive and a PGN file
	for _, c := range []struct{ form, more, blocks string }{{"fixed", "", "FFFF"}, {"dense", "", "DDFD"},
		{"fixed", "--dense", "FDFD"}, {"dense", "--fixed", "DFFF"}} {
		args := []string{"pack", "-q", "-f", "-o", "x.p11", "a.pgn"}
		if c.form == "dense" {
			args = append(args, "--dense")
		}
		runCode(t, dir, 0, "", args...)
		args = []string{"append", "x.p11", "b.pgn", "b.p11", "a.pgn"}
		if c.more != "" {
			args = append(args, c.more)
		}
		_, errs := runCode(t, dir, 0, "", args...)
		if !strings.Contains(errs, "x.p11: 8 games added, 10 games in ") {
			t.Errorf("%v: it tells %s", c, errs)
		}
		if out := unpacked(t, dir, "x.p11"); out != games+bad+bad+games {
			t.Errorf("%v: it unpacks to %q", c, out)
		}
		ply11(t, dir, 0, "verify x.p11")
		info, _ := ply11(t, dir, 0, "info --layout x.p11")
		forms := ""
		for line := range strings.Lines(info) {
			if strings.HasPrefix(line, "  moves ") && strings.Contains(line, " at ") {
				forms += "F"
			} else if strings.HasPrefix(line, "  dense moves ") && strings.Contains(line, " at ") {
				forms += "D"
			}
		}
		if forms != c.blocks {
			t.Errorf("%v: the blocks are %s", c, forms)
		}
	}
	if got := left(t, dir); got != "a.pgn b.p11 b.pgn x.p11" {
		t.Errorf("there is %s", got)
	}
}

// TestAppendInPlace: what is there stays as it is, and the properties and the hash stay true.
func TestAppendInPlace(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "b.pgn", bad)
	for _, dense := range []bool{false, true} {
		args := []string{"pack", "-q", "-f", "--meta", "source=a book", "--meta", "licence=CC0-1.0", "-o", "x.p11",
			"a.pgn"}
		if dense {
			args = append(args, "--dense")
		}
		runCode(t, dir, 0, "", args...)
		old := read(t, dir, "x.p11")
		want := games
		for range 3 {
			ply11(t, dir, 0, "append -q x.p11 b.pgn")
			next := read(t, dir, "x.p11")
			if !strings.HasPrefix(next, old) {
				t.Fatal("what was there is changed")
			}
			old, want = next, want+bad
		}
		if out := unpacked(t, dir, "x.p11"); out != want {
			t.Errorf("it unpacks to %q", out)
		}
		ply11(t, dir, 0, "verify x.p11")
		info, _ := ply11(t, dir, 0, "info x.p11")
		if !strings.Contains(info, "format 1") || !strings.Contains(info, "\nlicence: CC0-1.0\nsource: a book\n") ||
			!strings.Contains(info, fmt.Sprintf("SHA-256 %x", sha256.Sum256([]byte(want)))) {
			t.Error(info)
		}
		// Unfinished, it is what it was, which each command says, and no command writes over what is there.
		ply11(t, dir, 0, "append -q x.p11 b.pgn")
		whole := read(t, dir, "x.p11")
		cut := interrupted(old, whole[len(old):len(whole)-100])
		write(t, dir, "x.p11", cut)
		behind := fmt.Sprint(len(cut)-len(old), " unfinished bytes")
		for _, args := range []string{"unpack -o - x.p11", "info x.p11", "find --count x.p11", "show x.p11 1",
			"tree x.p11", "stats x.p11", "cat -o - x.p11"} {
			out, errs := ply11(t, dir, 0, args)
			if strings.Count(errs, behind) != 1 || strings.HasPrefix(args, "unpack") && out != want {
				t.Errorf("unfinished, %s says %s, and gives %q", args, errs, out)
			}
		}
		for _, args := range []string{"append x.p11 b.pgn", "edit --games 1 --delete x.p11", "compact x.p11",
			"dedupe --in-place x.p11", "verify x.p11",
			"recover -f -o y.p11 x.p11"} {
			_, errs := ply11(t, dir, cli.Wrong, args)
			if strings.Count(errs, behind) != 1 || read(t, dir, "x.p11") != cut {
				t.Errorf("unfinished, %s says %s", args, errs)
			}
		}
		// while a command writes to it, what stands there is on its way
		f, err := os.Open(filepath.Join(dir, "x.p11"))
		if err == nil {
			err = tempfile.LockFile(f)
		}
		if err != nil {
			t.Fatal(err)
		}
		ply11(t, dir, 0, "verify x.p11")
		f.Close()
		if out := unpacked(t, dir, "y.p11"); out != want+bad {
			t.Errorf("recover gives %q", out)
		}
		ply11(t, dir, 0, "append -q --discard-unfinished x.p11 b.pgn")
		if read(t, dir, "x.p11") != whole {
			t.Error("after an interruption another archive is made")
		}
		// killed in its first block, it has nothing that could be lost
		write(t, dir, "x.p11", interrupted(old, whole[len(old):len(old)+99]))
		_, errs := ply11(t, dir, 0, "append -q x.p11 b.pgn")
		if read(t, dir, "x.p11") != whole || !strings.Contains(errs, "x.p11: 139 unfinished bytes stand behind") {
			t.Errorf("killed in its first block: %s", errs)
		}
		// cut off, it is refused
		cut = whole[:len(whole)-1]
		write(t, dir, "x.p11", cut)
		for _, args := range []string{"info x.p11", "append --discard-unfinished x.p11 b.pgn", "verify x.p11"} {
			_, errs := ply11(t, dir, cli.Wrong, args)
			if !strings.Contains(errs, "no trailer") || read(t, dir, "x.p11") != cut {
				t.Errorf("cut off, %s says %s", args, errs)
			}
		}
		ply11(t, dir, cli.Wrong, "recover -f -o y.p11 x.p11")
		if out := unpacked(t, dir, "y.p11"); out != want+bad {
			t.Errorf("cut off, recover gives %q", out)
		}
	}
}

// TestTextsAreApart: between two texts stands a line end if the first has none, so that the next game does not stand on
// its line, and each game has its own bytes.
func TestTextsAreApart(t *testing.T) {
	dir := t.TempDir()
	const a, b = "[Event \"a\"]\n\n1. e4 1-0", "[Event \"b\"]\n\n1. d4 0-1\n"
	write(t, dir, "a.pgn", a)
	write(t, dir, "b.pgn", b)
	ply11(t, dir, 0, "pack -q -o all.p11 a.pgn b.pgn")
	ply11(t, dir, 0, "pack -q a.pgn b.pgn")
	ply11(t, dir, 0, "cat -q -o cat.p11 a.p11 b.p11")
	write(t, dir, "pipe.p11", read(t, dir, "a.p11"))
	runCode(t, dir, 0, read(t, dir, "b.p11"), "append", "-q", "pipe.p11", "-")
	ply11(t, dir, 0, "append -q a.p11 b.pgn")
	for _, name := range []string{"all.p11", "cat.p11", "pipe.p11", "a.p11"} {
		for line, want := range map[string]string{"unpack -o - p11": a + "\n" + b, "show p11 1-": a + "\n" + b,
			"show p11 1": a, "find --pgn p11": a + "\n" + b} {
			line = strings.Replace(line, "p11", name, 1)
			if out, _ := ply11(t, dir, 0, line); out != want {
				t.Errorf("%s: %q, want %q", line, out, want)
			}
		}
		ply11(t, dir, 0, "verify "+name)
	}
}

// TestSmallBlocks: append and compact put small blocks together, and convert makes what pack makes of the text.
func TestSmallBlocks(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "all.pgn", strings.Repeat(games, 20))
	ply11(t, dir, 0, "pack -q a.pgn all.pgn")
	one := read(t, dir, "a.p11")
	write(t, dir, "c.p11", one)
	write(t, dir, "c0.p11", one)
	for range 60 {
		runCode(t, dir, 0, one, "append", "-q", "c.p11", "-")
	}
	ply11(t, dir, 0, "cat -q -f -o a.p11"+strings.Repeat(" c0.p11", 20))
	if size := len(read(t, dir, "c.p11")); size > 16*len(one) {
		t.Errorf("after 60 appends of %d bytes it has %d", len(one), size)
	}
	ply11(t, dir, 0, "verify c.p11")
	ply11(t, dir, 0, "convert -q -o b.p11 a.p11")
	ply11(t, dir, 0, "compact -q a.p11")
	for _, name := range []string{"a.p11", "b.p11"} {
		if read(t, dir, name) != read(t, dir, "all.p11") {
			t.Errorf("%s is not what pack makes of the text", name)
		}
	}
	// the old blocks do not stay when they are a third of the file
	text := strings.Repeat(games, 3000)
	write(t, dir, "large.pgn", text)
	ply11(t, dir, 0, "pack -q large.pgn")
	size := len(read(t, dir, "large.p11"))
	ply11(t, dir, 0, "edit -q --games 1- --set Event=x large.p11")
	if now := len(read(t, dir, "large.p11")); now > size+size/4 {
		t.Errorf("%d bytes, and there were %d", now, size)
	}
	ply11(t, dir, 0, "verify large.p11")
}

// TestMetaFlag: what the flag of the properties refuses and makes.
func TestMetaFlag(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	for _, c := range []struct{ args, want string }{
		{"pack --meta a", "key=value"},
		{"pack --meta =b", "key=value"},
		{"pack --meta .a=b", "begin with a letter or a digit"},
	} {
		_, errs := runCode(t, dir, cli.Usage, "", append(strings.Fields(c.args), "-o", "x.p11", "a.pgn")...)
		if !strings.Contains(errs, c.want) {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
	ply11(t, dir, 0, "pack -q --meta b=c=d -o a.p11 a.pgn a.pgn")
	ply11(t, dir, 0, "convert -q -o b.p11 a.p11")
	ply11(t, dir, 0, "cat -q -o c.p11 --meta e=f a.p11 b.p11")
	for name, want := range map[string]string{"a.p11": "format 1|b: c=d|4 games", "b.p11": "format 1|b: c=d|4 games",
		"c.p11": "format 1|b: c=d\ne: f|8 games"} {
		info, _ := ply11(t, dir, 0, "info "+name)
		for part := range strings.SplitSeq(want, "|") {
			if !strings.Contains(info, part) {
				t.Errorf("%s: no %q: %s", name, part, info)
			}
		}
	}
}

// TestAppendRefuses: what is refused leaves the archive as it was.
func TestAppendRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "bad.pgn", bad)
	write(t, dir, "prose.pgn", "Dear reader,\nno game here.\n")
	ply11(t, dir, 0, "pack -q a.pgn")
	ply11(t, dir, 0, "pack -q --canonical -o c.p11 a.pgn")
	old := read(t, dir, "a.p11")
	write(t, dir, "cut.p11", old[:len(old)-40])
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"a.p11", cli.Usage, "wrong number of arguments"},
		{"a.p11 none.pgn", cli.Failed, "none.pgn"},
		{"none.p11 a.pgn", cli.Failed, "none.p11"},
		{"a.pgn bad.pgn", cli.Wrong, "not a ply11 archive"},
		{"a.p11 prose.pgn", cli.Invalid, "there is no game in it"},
		{"a.p11 cut.p11", cli.Wrong, "cut.p11"},
		{"cut.p11 a.pgn", cli.Wrong, "corrupt archive"},
		{"a.p11 c.p11", cli.Usage, "c.p11 is canonical"},
		{"--dense --fixed a.p11 a.pgn", cli.Usage, "one of --dense and --fixed"},
		{"--on-error stop a.p11 bad.pgn", cli.Invalid, "game 3"},
		{"--block 0 a.p11 a.pgn", cli.Usage, "--block is 1 to 4096"},
		{". a.pgn", cli.Failed, "directory"},
	} {
		_, errs := ply11(t, dir, c.code, "append -q "+c.args)
		if !strings.Contains(errs, c.want) {
			t.Errorf("%s: %s", c.args, errs)
		}
		if read(t, dir, "a.p11") != old {
			t.Fatalf("%s: the archive is another", c.args)
		}
	}
	ply11(t, dir, 0, "append -q c.p11 a.pgn a.p11")
	if out, _ := ply11(t, dir, 0, "find --count c.p11"); out != "6\n" {
		t.Errorf("%s games", out)
	}
}

// TestAppendDamaged changes bytes of an archive of two blocks. Where the command reads them, nothing is added.
// Elsewhere the new games are there, and verify finds the damage before them.
func TestAppendDamaged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	write(t, dir, "b.pgn", bad)
	ply11(t, dir, 0, "pack -q --block 1 -o a.p11 a.pgn")
	old := read(t, dir, "a.p11")
	r, err := archive.NewReader(strings.NewReader(old), int64(len(old)))
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.Place(1)
	if err != nil {
		t.Fatal(err)
	}
	// An append of so few games reads neither the first block nor the search part.
	searchPart := int64(strings.LastIndex(old, "P11S"))
	elsewhere := func(at int64) bool {
		return at >= first.Offset && at < first.Offset+first.Size || at >= searchPart &&
			at < int64(strings.LastIndex(old, "P11I"))
	}
	path := filepath.Join(dir, "x.p11")
	added, refused := 0, 0
	for at := 0; at < len(old); at += 1 + len(old)/50 {
		damaged := []byte(old)
		damaged[at] ^= 16
		write(t, dir, "x.p11", string(damaged))
		code, _, errs := runBoth(t, "append", "-q", path, filepath.Join(dir, "b.pgn"))
		now := read(t, dir, "x.p11")
		if !elsewhere(int64(at)) {
			refused++
			if code != cli.Wrong || now != string(damaged) || !strings.HasPrefix(errs, "ply11: "+path+": ") ||
				strings.Count(errs, "\n") != 1 {
				t.Errorf("byte %d: exit code %d; changed: %v; %s", at, code, now != string(damaged), errs)
			}
			continue
		}
		added++
		if code != 0 || !strings.HasPrefix(now, string(damaged)) {
			t.Errorf("byte %d: exit code %d, or what was there is changed: %s", at, code, errs)
		}
		if code, _, errs := runBoth(t, "verify", "-q", path); code != cli.Wrong ||
			!strings.Contains(errs, "block 1") && !strings.Contains(errs, fmt.Sprint("search at offset ", searchPart)) {
			t.Errorf("byte %d: verify: exit code %d: %s", at, code, errs)
		}
		if code, out, errs := runBoth(t, "show", path, "3-"); code != 0 || out != bad {
			t.Errorf("byte %d: the new games are %q; %s", at, out, errs)
		}
	}
	if added < 5 || refused < 20 {
		t.Errorf("%d times games are added, %d times they are not", added, refused)
	}
}

// TestAppendIndex: append says that the archive's index is old, or adds to it. An interrupted append leaves both as
// they were.
func TestAppendIndex(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	ply11(t, dir, 0, "pack -q -o x.p11 a.pgn")
	if _, errs := ply11(t, dir, cli.Usage, "append --index x.p11 a.pgn"); !strings.Contains(errs,
		"ply11 index makes it") {
		t.Error(errs)
	}
	if _, errs := ply11(t, dir, 0, "append x.p11 a.pgn"); strings.Contains(errs, "index") {
		t.Error(errs)
	}
	ply11(t, dir, 0, "index -q x.p11")
	tree, _ := ply11(t, dir, 0, "tree --no-index x.p11")
	old := read(t, dir, "x.p11")
	if _, errs := ply11(t, dir, 0, "append x.p11 a.pgn"); !strings.Contains(errs,
		"x.p11x does not have the new games: ply11 index --update x.p11 adds them") {
		t.Error(errs)
	}
	// interrupted after every so many bytes, it is the old archive
	whole := read(t, dir, "x.p11")
	for n := len(old) + 1; n < len(whole); n += 1 + (len(whole)-len(old))/9 {
		write(t, dir, "x.p11", interrupted(old, whole[len(old):n]))
		if got, errs := ply11(t, dir, 0, "tree x.p11"); got != tree {
			t.Errorf("%d bytes: %s%s", n, got, errs)
		}
		if _, errs := ply11(t, dir, 0, "index --update x.p11"); !strings.Contains(errs, "it has all games") {
			t.Errorf("%d bytes: index --update: %s", n, errs)
		}
		if _, errs := ply11(t, dir, cli.Wrong, "verify x.p11"); !strings.Contains(errs,
			fmt.Sprint(n-len(old)+40, " unfinished bytes")) {
			t.Errorf("%d bytes: verify: %s", n, errs)
		}
	}
	if _, errs := ply11(t, dir, 0, "append --index --discard-unfinished x.p11 a.pgn"); strings.Contains(errs,
		"--update") {
		t.Error(errs)
	}
	if read(t, dir, "x.p11") != whole {
		t.Error("another archive")
	}
	want, _ := ply11(t, dir, 0, "tree --no-index x.p11")
	if got, _ := ply11(t, dir, 0, "tree x.p11"); got != want || got == tree {
		t.Errorf("%s, want %s", got, want)
	}
	ply11(t, dir, 0, "edit -q --games 1 --delete x.p11") // now the index is of another archive
	whole = read(t, dir, "x.p11")
	if _, errs := ply11(t, dir, cli.Wrong, "append --index x.p11 a.pgn"); read(t, dir, "x.p11") !=
		whole {
		t.Errorf("games are added that cannot be indexed: %s", errs)
	}
}

// TestAppendTwice: while one command adds to an archive, another is refused.
func TestAppendTwice(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	ply11(t, dir, 0, "pack -q -o x.p11 a.pgn")
	first := startSlow(t, dir, "append -q x.p11 -")
	_, errs := ply11(t, dir, cli.Failed, "append x.p11 a.pgn")
	if !strings.Contains(errs, "another command writes there") {
		t.Errorf("the second tells %s", errs)
	}
	io.WriteString(first, games)
	first.Close()
	if err := first.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if out, _ := ply11(t, dir, 0, "find --count x.p11"); out != "4004\n" {
		t.Errorf("%s games", out)
	}
}

// TestAppendCompacts: append takes away what is not needed when it is a tenth of the archive, and 64 KiB.
func TestAppendCompacts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", games)
	ply11(t, dir, 0, "pack -q --block 1 -o a.p11 a.pgn")
	more := read(t, dir, "a.p11")
	f, err := os.OpenFile(filepath.Join(dir, "a.p11"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, want := int64(len(more)), games
	for dead := int64(0); dead <= 64<<10; want += games {
		stats, err := archive.Append(context.Background(), f, size, []io.Reader{strings.NewReader(more)})
		if err != nil {
			t.Fatal(err)
		}
		size = stats.Bytes
		r, err := archive.NewReader(f, size)
		if err != nil {
			t.Fatal(err)
		}
		if dead, err = r.Dead(); err != nil {
			t.Fatal(err)
		}
	}
	ply11(t, dir, 0, "append -q a.p11 a.pgn")
	r := opened(t, filepath.Join(dir, "a.p11"))
	if dead, err := r.Dead(); err != nil || dead != 0 || r.Stats().Bytes > size-64<<10+4<<10 {
		t.Errorf("%d bytes are dead in %d, which were %d, %v", dead, r.Stats().Bytes, size, err)
	}
	if out := unpacked(t, dir, "a.p11"); out != want+games {
		t.Error("it unpacks to another text")
	}
}
