// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ply11/dataset"
	"ply11/internal/testenv"
)

// mostMemory is what pack and unpack may take, in KiB.
const mostMemory = 64 << 10

// program is what ply11's own program takes of that, in KiB.
const program = 15 << 10

// memoryOf runs the program and returns the most memory that it had, in KiB; above the limit, the least of six runs, as
// the garbage collector may be late beside other programs.
func memoryOf(t *testing.T, dir string, limit int, line string) int {
	t.Helper()
	most := oneMemory(t, dir, line)
	for again := 0; most > limit && again < 5; again++ {
		t.Logf("%s: %d KiB; again", line, most)
		most = min(most, oneMemory(t, dir, line))
	}
	return most
}

// oneMemory returns the most memory of a run, in KiB. (What wait returns is the parent's, if that was more.)
func oneMemory(t *testing.T, dir, line string) int {
	t.Helper()
	cmd := command(dir, words(line)...)
	path := filepath.Join(dir, "status")
	cmd.Env = append(cmd.Env, "PLY11_TEST_STATUS="+path)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, errs.String())
	}
	status := read(t, dir, "status")
	most, file := testenv.StatusKiB(status, "VmHWM"), testenv.StatusKiB(status, "RssFile")
	if most == 0 || file == 0 {
		t.Fatal("the system does not tell the most memory of a process")
	}
	// what ran is the test's program, which is larger
	return most - file + program
}

// TestMemory packs and unpacks what takes the most memory.
func TestMemory(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	rng := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 10_000_000)
	rng.Read(noise)
	for i := range noise[5_000_000:] { // text that zstd can do something with, in comments as long as may be
		noise[5_000_000+i] = ' ' + noise[5_000_000+i]&63
	}
	text := strings.NewReplacer(";", ",", "%", "x").Replace(string(noise[5_000_000:]))
	var comments, tags strings.Builder
	for i := range 14 {
		at := i * 300_000
		fmt.Fprintf(&comments, "[Event \"?\"]\n\n1. e4 {%s} e5 {%s} 2. Nf3 {%s} *\n\n", text[at:at+250_000],
			text[at+1:at+250_000], text[at+2:at+250_000])
	}
	for i := range 500 {
		tags.WriteString("[Event \"?\"]\n")
		for k := range 900 {
			fmt.Fprintf(&tags, "[A%d_%d \"x\"]\n", i, k)
		}
		tags.WriteString("\n*\n\n")
	}
	for name, content := range map[string]string{
		"real games":  read(t, dir, many(t, dir, 20_000)),
		"noise":       "[Event \"?\"]\n\n*\n\n" + string(noise), // (a file without any game is refused)
		"one word":    "[Event \"?\"]\n\n1. e4 {" + strings.Repeat("word ", 2_000_000) + "} *\n\n",
		"comments":    comments.String(),
		"tags":        tags.String(),
		"long games":  strings.Repeat("[Event \"?\"]\n\n"+strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 16_000)+"*\n\n", 25),
		"only errors": "[Event \"?\"]\n\n*\n\n" + strings.Repeat("x *\n", 400_000),
	} {
		write(t, dir, "a.pgn", content)
		for workers := 1; workers <= 4; workers++ {
			if !testenv.Long && workers != 4 && (workers != 1 || name != "real games") {
				continue
			}
			j := fmt.Sprint("-j", workers)
			for _, args := range []string{"pack -f -q a.pgn " + j, "unpack -f -q -o b.pgn a.p11 " + j} {
				most := memoryOf(t, dir, mostMemory, args)
				if most > mostMemory {
					t.Errorf("%s: %s took %d KiB of memory, more than %d", name, args, most, mostMemory)
				}
			}
		}
		if read(t, dir, "b.pgn") != content {
			t.Errorf("%s: other bytes", name)
		}
	}
	if most := memoryOf(t, dir, mostMemory, "pack -f -q -j4 --dense "+many(t, dir, 20_000)); most >
		mostMemory {
		t.Errorf("pack --dense took %d KiB of memory, more than %d", most, mostMemory)
	}
}

// TestFilesystemFull writes to a file system of 256 KiB, or where files may grow to as much.
func TestFilesystemFull(t *testing.T) {
	dir, small := t.TempDir(), t.TempDir()
	name := many(t, dir, 16000)
	ply11(t, dir, 0, "pack -q -o many.p11 "+name)
	if info, err := os.Stat(filepath.Join(dir, "many.p11")); err != nil || info.Size() < 300<<10 {
		t.Fatalf("%v, %v: too small for this test", info, err)
	}
	if err := syscall.Mount("ply11", small, "tmpfs", 0, "size=256k"); err != nil {
		t.Logf("no small file system (%v), but a limit", err)
		testFull(t, dir, small, "file too large", func(args ...string) *exec.Cmd {
			cmd := exec.Command("sh", append(append([]string{"-c", `ulimit -f 256; exec "$0" "$@"`}, testenv.Self()...),
				args...)...)
			cmd.Env = append(os.Environ(), "PLY11_TEST_MAIN=1")
			return cmd
		})
		return
	}
	defer func() {
		if err := syscall.Unmount(small, 0); err != nil {
			t.Error(err)
		}
	}()
	testFull(t, dir, small, "no space left on device", func(args ...string) *exec.Cmd { return command(dir, args...) })
}

// TestIndexMemory makes an index of more postings than fit into memory, looks up positions, and searches.
func TestIndexMemory(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	ply11(t, dir, 0, "gen -q --games 20000 --seed 5 -o a.p11")
	if got := memoryOf(t, dir, (16+64)<<10, "index -q -f --memory 16 a.p11"); got > (16+64)<<10 {
		t.Errorf("index: %d KiB with --memory 16", got)
	}
	// The sum of tree files that are larger than the memory it takes.
	ply11(t, dir, 0, "index -q --min-games 1 a.p11")
	files := strings.Repeat(" a.p11t", 16)
	if size := 16 * len(read(t, dir, "a.p11t")); size < 2*mostMemory<<10 {
		t.Errorf("%d bytes: it tests too little", size)
	}
	if got := memoryOf(t, dir, mostMemory, "tree-merge -q -o sum.p11t"+files); got > mostMemory {
		t.Errorf("tree-merge: %d KiB", got)
	}
	for _, args := range []string{"tree --moves 1.e4", "tree --moves 1.e4 --player a", "tree --no-index",
		"find -j4 --count --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -'",
		"find -j4 --count --mirror --swap-colors --pattern 'Pe4 [NB]f3'",
		"find -j4 --all --sequence 'moved=N -> moved=B'", "find -j4 --player a",
		"find -j4 -f -o b.p11 --result 1-0"} {
		if got := memoryOf(t, dir, mostExport, args+" a.p11"); got > mostMemory {
			t.Errorf("%q: %d KiB", args, got)
		}
	}
}

// mostExport is what an export or an import may take, in KiB.
const mostExport = 256 << 10

// TestExportMemory exports games with options that take much memory.
func TestExportMemory(t *testing.T) {
	testenv.Slow(t)
	sizes := []int{5_000}
	if testenv.Long {
		sizes = []int{10_000, 40_000}
	}
	dir := t.TempDir()
	for _, n := range sizes {
		ply11(t, dir, 0, "gen -q -f --games "+fmt.Sprint(n)+" --seed 5 -o a.p11")
		for _, f := range dataset.Formats() {
			if !testenv.Long && f.Name != "parquet" && f.Name != "npz" {
				continue
			}
			args := "export -q -f -j4 --seed 1 --shards 4 -o set a.p11 --to " + f.Name
			if f.Positions {
				args += " --dedupe --every 8"
			}
			if f.Name == "npz" {
				args += " --planes lc0 --legal"
			}
			got := memoryOf(t, dir, mostExport, args)
			if got > mostExport {
				t.Errorf("%d games: export to %s takes %d KiB, more than %d", n, f.Name, got, mostExport)
			}
			if err := os.RemoveAll(filepath.Join(dir, "set")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestImportMemory(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	sizes := []int{1_000}
	if testenv.Long {
		sizes = []int{10_000, 40_000}
	}
	for _, n := range sizes {
		for _, f := range dataset.Importers() {
			if !testenv.Long && f.Name != "parquet" {
				continue
			}
			games := n
			if f.Name == "lc0" {
				games /= 10 // 8 kB a ply
			}
			ply11(t, dir, 0, "gen -q -f --games "+fmt.Sprint(games)+" --seed 5 -o a.p11")
			ply11(t, dir, 0, "export -q -f --to "+f.Name+" -o set a.p11")
			got := memoryOf(t, dir, mostExport, "import -q -f -o b.p11 set --from "+f.Name)
			if got > mostExport {
				t.Errorf("%d games: import of %s takes %d KiB, more than %d", games, f.Name, got, mostExport)
			}
		}
	}
}
