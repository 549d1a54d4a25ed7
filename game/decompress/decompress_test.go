// SPDX-License-Identifier: Apache-2.0

package decompress_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/game/codec"
	"ply11/game/decompress"
)

// text is what the tests compress: more than a buffer, and not all the same.
var text = func() []byte {
	var b bytes.Buffer
	for i := range 40000 {
		b.WriteString(strings.Repeat("e4 ", i%7))
		b.WriteByte(byte('a' + i*i%23))
	}
	return b.Bytes()
}()

// compressed returns the text by name of compression.
func compressed(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	write := func(name string, open func(w io.Writer) (io.WriteCloser, error)) {
		var b bytes.Buffer
		w, err := open(&b)
		if err == nil {
			_, err = w.Write(text)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b.Bytes()
	}
	write("zstd", func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
	write("gzip", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil })
	// Of these Go reads alone. Python's bz2 and lzma made the files.
	for name, file := range map[string]string{"bzip2": "testdata/text.bz2", "xz": "testdata/text.xz"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	return files
}

// read reads all that New gives of data.
func read(data []byte, named string, anyName bool) (string, []byte, error) {
	r, err := decompress.New(bufio.NewReader(bytes.NewReader(data)), named, anyName)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	return r.Compression, got, err
}

// TestNew: what is compressed is read by its first bytes, whatever its name; what is cut off anywhere is never taken
// for whole.
func TestNew(t *testing.T) {
	for name, data := range compressed(t) {
		for _, named := range []string{"", name} {
			if c, got, err := read(data, named, true); c != name || err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s, named %q: %q, %d bytes, %v", name, named, c, len(got), err)
			}
		}
		if c, got, err := read(data, "", false); c != "" || err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: by its name alone it is no compressed file: %q, %d bytes, %v", name, c, len(got), err)
		}
		for n := 1; n < len(data); n += 1 + len(data)/50 {
			if _, _, err := read(data[:n], name, true); !errors.Is(err, codec.ErrTruncated) {
				t.Errorf("%s: %d bytes of %d: %v", name, n, len(data), err)
			}
		}
	}
	if c, got, err := read([]byte("1. e4 *\n"), "gzip", true); c != "" || err != nil || string(got) != "1. e4 *\n" {
		t.Errorf("text with the name of a compressed file: %q, %q, %v", c, got, err)
	}
	for _, data := range []string{"\x00\x01\x02\x03", "any"} {
		if _, _, err := read([]byte(data), "gzip", false); err == nil {
			t.Errorf("%q is taken for gzip", data)
		}
	}
}

// TestNamed: names tell by their ends, in any case.
func TestNamed(t *testing.T) {
	for name, want := range map[string]string{"a.pgn.zst": "zstd", "s3://b/A.PGN.GZ": "gzip", "a.bz2": "bzip2",
		"a.xz": "xz", "a.pgn": "", "zst": "", "a.zst/b": ""} {
		if got := decompress.Named(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// FuzzReader reads anything: it ends, without a panic. The decoder of xz has no newer release than one of 2020, so that
// its soundness is held here.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"testdata/text.bz2", "testdata/text.xz"} {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:min(len(b), 1<<10)])
	}
	var b bytes.Buffer
	z, _ := zstd.NewWriter(&b)
	z.Write([]byte("1. e4 *\n"))
	z.Close()
	f.Add(b.Bytes())
	// {1. e4 *} as xz, whole.
	f.Add(
		[]byte("\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x1c\x00\x00\x00\x10\xcfX\xcc\x01\x00\x071. e4 *\n\x00" +
			"\x00\x00\x00\x00\x00\x00\x00\x01\x20\x08"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decompress.New(bufio.NewReader(bytes.NewReader(b)), "", true)
		if err != nil {
			return
		}
		defer r.Close()
		io.Copy(io.Discard, io.LimitReader(r, 64<<10))
	})
}
