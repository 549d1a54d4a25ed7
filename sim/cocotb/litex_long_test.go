// SPDX-License-Identifier: Apache-2.0

//go:build long

package cocotb_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ply11/chess"
	"ply11/internal/processgroup"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim/eda/edatest"
)

// In the system of examples/litex, a VexRiscv has the peripheral play its games, and prints what its README
// shows: legal moves, and the position that they lead to.
func TestLiteX(t *testing.T) {
	testenv.Tools(t, "verilator", "make", "g++", "riscv64-unknown-elf-gcc")
	python := testenv.Python(t)
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import litex").CombinedOutput(); err != nil {
		t.Skipf("litex is not installed: %s", out)
	}
	for _, header := range []string{"event2/event.h", "json-c/json.h"} {
		if out, err := exec.CommandContext(t.Context(), "g++", "-fsyntax-only", "-include", header, "-x", "c++",
			os.DevNull).CombinedOutput(); err != nil {
			t.Skipf("%s is not installed: %s", header, out)
		}
	}
	example := filepath.Join("..", "..", "examples", "litex")
	readme, err := os.ReadFile(filepath.Join(example, "README.md"))
	testenv.Must(t, err)
	_, want, _ := strings.Cut(string(readme), " build games.words\n")
	if !strings.HasSuffix(want, "\n```\n") {
		t.Fatalf("the README shows %q", want)
	}
	want = strings.TrimSuffix(want, "```\n")
	lines := strings.Split(want, "\n")
	if len(lines) < 11 {
		t.Fatalf("the README shows %d lines", len(lines))
	}
	p := position.Start()
	for i, line := range lines[:2] {
		p = position.Start()
		moves := strings.Fields(line)
		if len(moves) == 0 {
			t.Fatalf("line %d is empty", i+1)
		}
		for _, text := range moves[:len(moves)-1] {
			m, err := p.ParseUCI(text)
			if err != nil {
				t.Fatalf("line %d: %s: %v", i+1, text, err)
			}
			p.Make(m)
		}
		// A game that ends in mate has its winner's result, and none of the others here is over.
		result := "*"
		if p.InCheck() && len(p.LegalMoves(nil)) == 0 {
			result = map[chess.Color]string{chess.White: "0-1", chess.Black: "1-0"}[p.Turn()]
		}
		if got := moves[len(moves)-1]; got != result {
			t.Errorf("line %d ends with %s, not with %s", i+1, got, result)
		}
	}
	if side := map[chess.Color]string{chess.White: "White to move",
		chess.Black: "Black to move"}[p.Turn()]; lines[10] != side {
		t.Errorf("the README shows %s, and it is %s", lines[10], side)
	}
	board, _, _ := strings.Cut(p.String(), " ")
	for n, dots := range []string{".", "..", "...", "....", ".....", "......", ".......", "........"} {
		board = strings.ReplaceAll(board, string(rune('1'+n)), dots)
	}
	if shown := strings.Join(lines[2:10], "/"); shown != board {
		t.Errorf("the README shows %s, and the game leads to %s", shown, board)
	}
	w := edatest.NewWork(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, filepath.Join(example, "ply11_litex.py"), t.TempDir(),
		filepath.Join(example, "games.words"))
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PLY11_HDL="+w.Path(""))
	processgroup.Own(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\n"+want) {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
