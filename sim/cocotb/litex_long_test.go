// SPDX-License-Identifier: Apache-2.0

//go:build long

package cocotb

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ply11/internal/processgroup"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim/eda"
)

// TestLiteX: in the system of examples/litex, a VexRiscv has the peripheral play its games, and prints what its README shows: legal moves, and the position that they
// lead to.
func TestLiteX(t *testing.T) {
	testenv.Tools(t, "verilator", "make", "g++", "riscv64-unknown-elf-gcc")
	example := filepath.Join("..", "..", "examples", "litex")
	readme, err := os.ReadFile(filepath.Join(example, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(string(readme), " build games.words\n")
	if !strings.HasSuffix(want, "\n```\n") {
		t.Fatalf("the README shows %q", want)
	}
	want = strings.TrimSuffix(want, "```\n")
	lines := strings.Split(want, "\n")
	p := position.Start()
	for i, line := range lines[:2] {
		p = position.Start()
		moves := strings.Fields(line)
		for _, text := range moves[:len(moves)-1] {
			m, err := p.ParseUCI(text)
			if err != nil {
				t.Fatalf("line %d: %s: %v", i+1, text, err)
			}
			p.Make(m)
		}
	}
	board, _, _ := strings.Cut(p.String(), " ")
	for n, dots := range []string{".", "..", "...", "....", ".....", "......", ".......", "........"} {
		board = strings.ReplaceAll(board, string(rune('1'+n)), dots)
	}
	if shown := strings.Join(lines[2:10], "/"); shown != board {
		t.Errorf("the README shows %s, and the game leads to %s", shown, board)
	}
	w, err := eda.NewWork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, testenv.Python(t), filepath.Join(example, "ply11_litex.py"), t.TempDir(), filepath.Join(example, "games.words"))
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PLY11_HDL="+w.Path(""))
	processgroup.Own(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\n"+want) {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
