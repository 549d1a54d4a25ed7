// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
)

// explained explains an archive.
func explained(t *testing.T, b []byte) (string, error) {
	t.Helper()
	var out strings.Builder
	err := archive.Explain(&out, bytes.NewReader(b))
	return out.String(), err
}

// TestExplain: of whole archives each CRC is right, and each move stands where it is told.
func TestExplain(t *testing.T) {
	for _, dense := range []bool{false, true} {
		b, _ := archive.SmallArchive(t, dense)
		text, err := explained(t, b)
		if err != nil || strings.Contains(text, "error") || strings.Contains(text, "wrong") {
			t.Fatalf("dense %v: %v\n%s", dense, err, text)
		}
		games, moves := 0, 0
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "game ") {
				games++
			}
			var at, bit int
			var bits, word uint
			if n, _ := fmt.Sscanf(strings.TrimSpace(line), "%x.%d %b %d", &at, &bit, &bits, &word); n == 4 {
				moves++
				var got uint
				for i := range 11 {
					got |= uint(b[at+(bit+i)/8]>>((bit+i)%8)&1) << i
				}
				if got != word || bits != word {
					t.Fatalf("%s: there is %d", line, got)
				}
			}
		}
		if games == 0 || (moves == 0) != dense {
			t.Errorf("dense %v: %d games, %d words with addresses", dense, games, moves)
		}
	}
}

// TestExplainDamage flips bits, and cuts: what is wrong is told, and what comes after it is still explained.
func TestExplainDamage(t *testing.T) {
	whole, _ := archive.SmallArchive(t, false)
	footer := int(archive.Le.Uint64(whole[len(whole)-archive.TrailerSize+8:]))
	for at := 0; at < len(whole); at += testenv.Pick(1, 7) {
		b := bytes.Clone(whole)
		b[at] ^= 1 << (at % 8)
		text, err := explained(t, b)
		if err == nil || !strings.Contains(text, "error: ") {
			t.Fatalf("byte %d: nothing is wrong", at)
		}
		if !errors.Is(err, archive.ErrCorrupt) && !errors.Is(err, archive.ErrVersion) &&
			!errors.Is(err, archive.ErrNotArchive) {
			t.Fatalf("byte %d: %v", at, err)
		}
		if at >= 8 && at < footer && !strings.Contains(text, "trailer, 40 bytes") {
			t.Fatalf("byte %d: the trailer is not reached:\n%s", at, text)
		}
	}
	for n := 0; n < len(whole); n += testenv.Pick(1, 7) {
		if _, err := explained(t, whole[:n]); err == nil {
			t.Fatalf("a prefix of %d bytes: nothing is wrong", n)
		}
	}
	if _, err := explained(t, append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a byte too many: nothing is wrong")
	}
	if err := archive.Explain(failing{}, bytes.NewReader(whole)); !errors.Is(err, errFailing) {
		t.Errorf("a failing writer: %v", err)
	}
	if err := archive.Explain(io.Discard, io.MultiReader(bytes.NewReader(whole[:100]), failing{})); !errors.Is(err,
		errFailing) {
		t.Errorf("a failing reader: %v", err)
	}
}
