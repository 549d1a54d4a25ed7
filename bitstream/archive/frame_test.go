// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestRepetition packs what zstd makes very little of: it is kept within the ratio that a reader allows, and not much
// larger. (One comment of a word repeated takes 1/255 of its text, and not all of it.)
func TestRepetition(t *testing.T) {
	for _, text := range []string{
		"[Event \"x\"]\n\n1. e4 {" + strings.Repeat("word ", 1_000_000) + "} *\n\n", // no game: a comment beyond all limits
		strings.Repeat("\n", testenv.Pick(3_000_000, 300_000)),
		strings.Repeat("[Event \"?\"]\n\n1. e4 {"+strings.Repeat("word ", 40_000)+"} *\n\n", testenv.Pick(10, 2)),
		strings.Repeat("[Event \"?\"]\n\n1. e4 e5 *\n\n", testenv.Pick(100_000, 10_000)),
	} {
		archive, _ := mustPack(t, []byte(text))
		if got := mustUnpack(t, archive); string(got) != text {
			t.Fatalf("%.40q…: other bytes", text)
		}
		if most := len(text)/200 + 4096; !strings.Contains(text, "e5") && len(archive) > most {
			t.Errorf("%.40q…: %d bytes for %d, more than %d", text, len(archive), len(text), most)
		}
		padded := 0
		eachColumn(t, archive, func(b *Block, c Column) {
			if c.Compression == Zstd && c.Raw > maxRatio*c.Stored+minRaw {
				t.Errorf("%v of %d bytes in %d", c.Kind, c.Raw, c.Stored)
			}
			if c.Compression == Zstd && c.Raw > maxRatio*(c.Stored-6)+minRaw {
				padded++
			}
		})
		t.Logf("%.20q…: %d bytes in %d, %d columns padded", text, len(text), len(archive), padded)
	}
}

// eachColumn calls do with the columns of an archive.
func eachColumn(t *testing.T, archive []byte, do func(*Block, Column)) {
	t.Helper()
	for b := range blocksOf(t, archive) {
		for _, c := range b.Columns() {
			do(b, c)
		}
	}
}

// TestPadFrame lengthens frames of many sizes by many bytes; they decode to the same.
func TestPadFrame(t *testing.T) {
	z := newZstd()
	for _, n := range []int{1, 200, 255, 256, 300, 65_535, 65_536, 65_791, 65_792, 66_000, 200_000, 3_000_000} {
		raw := bytes.Repeat([]byte("a"), n)
		for _, lie := range []int{0, minRaw, minRaw + maxRatio*100, minRaw + maxRatio*1000, 1 << 22} {
			prefix := []byte("before")
			bare := len(z.EncodeAll(raw, nil))
			frame := padFrame(z.EncodeAll(raw, prefix), len(prefix), lie)
			if string(frame[:len(prefix)]) != "before" {
				t.Fatal("what stands before the frame is gone")
			}
			frame = frame[len(prefix):]
			least := max(bare, (lie-minRaw+maxRatio-1)/maxRatio)
			if len(frame) < least || len(frame) > least+2 {
				t.Errorf("%d bytes, padded for %d: %d, want %d or two more", n, lie, len(frame), least)
			}
			got, err := unzstd(frame, n)
			if err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%d bytes, padded for %d: %v", n, lie, err)
			}
		}
	}
}

// unzstd decompresses as columns are.
func unzstd(frame []byte, n int) ([]byte, error) {
	b := Block{data: frame}
	b.head.columns = []column{{kind: columnText, comp: Zstd, stored: uint32(len(frame)), raw: uint32(n), sum: digestOf(frame)}}
	out, err := b.column(columnText)
	if err == nil && len(out) != n {
		err = fmt.Errorf("%d bytes, not %d", len(out), n)
	}
	return out, err
}
