// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"

	"github.com/klauspost/compress/zstd"
)

// TestImportLC0: lc0's chunks are read as they lie in its folders, one gzip a game, from a pipe, and in a tar.
func TestImportLC0(t *testing.T) {
	dir := packed(t, games+strings.ReplaceAll(games, "Qh4#", "h6"))
	ply11(t, dir, 0, "export -q -o a.tar a.p11")
	ply11(t, dir, 0, "import -q -o tar.p11 a.tar")
	want := unpacked(t, dir, "tar.p11")
	chunks := tar.NewReader(strings.NewReader(read(t, dir, "a.tar")))
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o777); err != nil {
		t.Fatal(err)
	}
	first, joined := "", ""
	n := 0
	for ; ; n++ {
		if _, err := chunks.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(chunks)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = string(b)
		}
		joined += string(b)
		write(t, dir, fmt.Sprintf("run/training.%d.gz", n), string(b))
	}
	if n < 2 {
		t.Fatalf("%d chunks", n)
	}
	write(t, dir, "run/note.txt", "none")
	write(t, dir, "joined.gz", joined)
	for _, c := range []struct{ stdin, args string }{
		{"", "run"}, {"", "run/"}, {"", "run/training.*.gz"}, {"", "joined.gz"}, {joined, "-"},
		{read(t, dir, "a.tar"), "-"},
	} {
		runCode(t, dir, 0, c.stdin, words("import -q -f --from lc0 -o b.p11 "+c.args)...)
		if got := unpacked(t, dir, "b.p11"); got != want {
			t.Errorf("%s: %q, want %q", c.args, got, want)
		}
	}
	z, err := gzip.NewReader(strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	records, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for _, stdin := range []string{first, string(records)} {
		if _, errs := runCode(t, dir, 0, stdin, "import", "-f", "--from", "lc0", "-o", "b.p11", "-"); !strings.Contains(
			errs, ": 1 games") {
			t.Errorf("one chunk: %q", errs)
		}
	}
	for _, c := range []struct {
		stdin, want string
		args        string
	}{
		{string(records[:10000]), "record 2", "--from lc0 -"},
		{first[:len(first)/2], "record", "--from lc0 -"},
		{"", "neither", "--from lc0 -"},
		{"", "folder without a file", "run"}, {"", "there are", "--from x run"},
	} {
		code := cli.Wrong
		if c.stdin == "" && c.want != "neither" {
			code = cli.Usage
		}
		if _, errs := runCode(t, dir, code, c.stdin, words("import -o x.p11 "+c.args)...); !strings.Contains(errs,
			c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %q, want %q", c.args, errs, c.want)
		}
	}
}

// TestImportFolder: a folder is the files in it that are of a data set, such as the parts of one.
func TestImportFolder(t *testing.T) {
	dir := packed(t, strings.Repeat(games, 5))
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"parquet", "bin", "binpack", "viriformat", "lc0"} {
		ply11(t, dir, 0, "export -q --to "+format+" -o whole a.p11")
		ply11(t, dir, 0, "export -q --to "+format+" --shards 3 -o set a.p11")
		ply11(t, dir, 0, "import -q -f --from "+format+" -o whole.p11 whole")
		ply11(t, dir, 0, "import -q -f -o set.p11 set")
		got := unpacked(t, dir, "set.p11")
		if want := unpacked(t, dir, "whole.p11"); got != want || want == "" {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
		// So is a folder of compressed files, and one of them: the name before .zst tells the format.
		parts, err := os.ReadDir(filepath.Join(dir, "set"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range parts {
			name := filepath.Join("set", e.Name())
			write(t, dir, name+".zst", string(z.EncodeAll([]byte(read(t, dir, name)), nil)))
			os.Remove(filepath.Join(dir, name))
			if strings.Contains(name, "00001") {
				ply11(t, dir, 0, "import -q -f -o part.p11 "+name+".zst")
			}
		}
		ply11(t, dir, 0, "import -q -f -o set.p11 set")
		if again := unpacked(t, dir, "set.p11"); again != got {
			t.Errorf("%s, compressed: %q, want %q", format, again, got)
		}
		for _, name := range []string{"whole", "whole.manifest.json", "set"} {
			os.RemoveAll(filepath.Join(dir, name))
		}
	}
}

// TestKept: what is no file of the format is refused by its first bytes, from a pipe that never ends and from a small
// compressed file of much; and what decompresses to far more than it has, after so many bytes. Only Parquet and
// archives are kept in temporary files.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	compressed := func(begin string, size int64) string {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, begin)
		if _, err := io.CopyN(w, zeros{}, size); err != nil {
			t.Fatal(err)
		}
		w.Close()
		return b.String()
	}
	write(t, dir, "zeros.zst", compressed("", 100<<20))
	write(t, dir, "parquet.zst", compressed("PAR1", 200<<20))
	write(t, dir, "archive.zst", compressed(archiveMagic, 200<<20))
	for _, c := range []struct {
		args, want string
	}{
		{"import -o x.p11 --from parquet parquet.zst", "more than 100 times"},
		{"find --count archive.zst", "more than 100 times"},
		{"import -o x.p11 --from parquet zeros.zst", "not a sound file"}, {"import -o x.p11 --from bin zeros.zst",
			"not a sound file"},
		{"import -o x.p11 --from binpack zeros.zst", "BINP"}, {"import -o x.p11 --from viriformat zeros.zst",
			"no viriformat"}, {"import -o x.p11 --from lc0 zeros.zst", ""},
		{"find --count zeros.zst", "not"}, {"show zeros.zst 1", "not"}, {"info zeros.zst", "not"},
	} {
		code := cli.Wrong
		if strings.Contains(c.want, "100 times") {
			code = cli.Failed
		}
		if _, errs := ply11(t, dir, code, c.args); !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %q", c.args, errs)
		}
		if !strings.HasSuffix(c.args, ".zst") || strings.Contains(c.want, "100 times") {
			continue
		}
		// The same from a pipe that never ends, which is no program's to read to its end.
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := command(dir, strings.Fields(strings.ReplaceAll(c.args, "zeros.zst", "-"))...)
		cmd.Stdin = in
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in.Close()
		n, _ := io.Copy(out, zeros{}) // until the program is gone
		cmd.Wait()
		out.Close()
		if got := cmd.ProcessState.ExitCode(); got != code || n > 1<<20 {
			t.Errorf("%s, from a pipe: exit code %d after %d bytes", c.args, got, n)
		}
	}
}

// zeros are zeros without end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
