// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ply11/internal/cli"
)

// TestDense converts archives of fixed moves to dense ones, and back. The table of TestTable has the other commands.
func TestDense(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", bad+games)
	ply11(t, dir, 0, "pack -q -o fixed.p11 a.pgn")
	ply11(t, dir, 0, "pack -q --dense -o dense.p11 a.pgn")
	fixed, dense := read(t, dir, "fixed.p11"), read(t, dir, "dense.p11")
	if fixed == dense {
		t.Fatal("--dense makes the same archive")
	}
	for _, x := range []struct {
		want string
		args string
		in   string
	}{
		{dense, "convert --dense --to p11 fixed.p11", ""},
		{dense, "convert --dense --from p11 --to p11 -", fixed},
		{dense, "convert --dense --to p11 dense.p11", ""},
		{dense, "convert --to-option moves=dense --to p11 fixed.p11", ""},
		{fixed, "convert --to p11 dense.p11", ""},
		{fixed, "convert --from p11 --to p11 -", dense},
		{dense, "cat --dense fixed.p11", ""},
		{fixed, "cat --fixed dense.p11", ""},
		{dense, "cat dense.p11", ""},
	} {
		if out, _ := runCode(t, dir, 0, x.in, words(x.args)...); out != x.want {
			t.Errorf("%v: another archive", x.args)
		}
	}
	for _, form := range words("--dense --dense=false") {
		want, _ := ply11(t, dir, 0, "pack -q "+form+" --block 2 -o - a.pgn")
		for _, name := range words("fixed.p11 dense.p11") {
			if out, _ := ply11(t, dir, 0, "convert "+form+" --block 2 --to p11 "+name); out != want {
				t.Errorf("%s %s --block 2: another archive", name, form)
			}
		}
	}
	uci, _ := ply11(t, dir, 0, "convert --to uci --lossy dense.p11")
	write(t, dir, "a.uci", uci)
	ply11(t, dir, 0, "convert --dense -o uci.p11 a.uci")
	if out, _ := ply11(t, dir, 0, "convert --to uci uci.p11"); out != uci {
		t.Errorf("uci to dense and back: %q, not %q", out, uci)
	}
	ply11(t, dir, 0, "convert --dense -o pgn.p11 a.pgn")
	for _, name := range words("uci.p11 pgn.p11") {
		if i := infoOf(t, dir, name); i.Dense != i.Blocks || i.Dense == 0 {
			t.Errorf("%s: %d of %d blocks are dense", name, i.Dense, i.Blocks)
		}
	}
	for _, args := range []string{"convert --dense --to uci fixed.p11", "convert --block 5000 --to p11 fixed.p11",
		"convert --block 5 --to uci fixed.p11", "cat --dense --fixed fixed.p11",
		"convert --to-option moves=small --to p11 a.pgn"} {
		ply11(t, dir, cli.Usage, args)
	}
	out, _ := ply11(t, dir, 0, "convert --on-error skip --to p11 dense.p11")
	if text, _ := runCode(t, dir, 0, out, "unpack", "-"); text != games+games {
		t.Errorf("--on-error skip leaves %q", text)
	}
	ply11(t, dir, cli.Invalid, "convert --on-error stop --to p11 dense.p11")
}

func infoOf(t *testing.T, dir, name string) (i info) {
	t.Helper()
	out, _ := ply11(t, dir, 0, "info --json "+name)
	if err := json.Unmarshal([]byte(out), &i); err != nil {
		t.Fatal(err)
	}
	return i
}

// TestDenseInfo asks for the bits a ply.
func TestDenseInfo(t *testing.T) {
	dir := t.TempDir()
	name := many(t, dir, 500)
	ply11(t, dir, 0, "pack -q -o fixed.p11 "+name)
	// more of these games, which are alike, would be fixed
	ply11(t, dir, 0, "pack -q --dense --block 100 -o dense.p11 "+name)
	ply11(t, dir, 0, "cat -q -o both.p11 fixed.p11 dense.p11")
	fixed, dense, both := infoOf(t, dir, "fixed.p11"), infoOf(t, dir, "dense.p11"), infoOf(t, dir, "both.p11")
	if fixed.MoveBits < 11 || dense.MoveBits > 3 || both.MoveBits != (fixed.MoveBits+dense.MoveBits)/2 {
		t.Errorf("%.3f, %.3f and %.3f bits a ply", fixed.MoveBits, dense.MoveBits, both.MoveBits)
	}
	if dense.DensePlies != dense.Plies || both.DensePlies != dense.Plies || fixed.DensePlies != 0 {
		t.Errorf("dense plies %d, %d, %d", fixed.DensePlies, dense.DensePlies, both.DensePlies)
	}
	for _, i := range []info{fixed, dense, both} {
		sum := i.Overhead
		for _, n := range i.Columns {
			sum += n
		}
		if sum != i.Bytes {
			t.Errorf("the columns and the rest of %s are %d bytes, not %d", i.Path, sum, i.Bytes)
		}
	}
	out, _ := ply11(t, dir, 0, "info both.p11")
	if want := fmt.Sprintf("%d blocks have dense moves, %.3f bits a ply; the others %.3f\n", both.Dense, dense.MoveBits,
		fixed.MoveBits); !strings.Contains(out, want) ||
		!strings.Contains(out, "format 1") {
		t.Errorf("info: %s\nwant %s", out, want)
	}
}
