// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ply11/position"
	"ply11/sim/eda"
	"ply11/sim/oracle"
)

// countBench loads a position into ply11_perft or ply11_perft_many, gives it an order, and prints its counts.
//
//go:embed ply11_count.v
var countBench []byte

// MaxPerft is the greatest depth that ply11_perft can count.
const MaxPerft = 10

// ErrPerft is a count that is not that of package position.
var ErrPerft = errors.New("wrong count")

// MaxPerftCores is the greatest number of cores that ply11_perft_many can have.
const MaxPerftCores = 32

// A Perft is a simulation of ply11_perft, or of ply11_perft_many, which count positions.
type Perft struct{ simulation *eda.Simulation }

// A PerftCount is what ply11_perft counts of a position.
type PerftCount struct {
	Counts []uint64      // of the depths from 0 on
	Clocks int           // from the order to the last count
	CPU    time.Duration // processor time of the simulation
}

// NewPerft builds the simulation with ToolIcarus or ToolVerilator. One core is ply11_perft, 2..MaxPerftCores are
// ply11_perft_many.
func NewPerft(ctx context.Context, w *eda.Work, tool string, cores int) (*Perft, error) {
	if cores < 1 || cores > MaxPerftCores {
		return nil, fmt.Errorf("%d cores: 1 to %d are possible", cores, MaxPerftCores)
	}
	const name = "ply11_count.v"
	if err := os.WriteFile(w.Path(name), countBench, 0o666); err != nil {
		return nil, err
	}
	top := "ply11_perft"
	if cores > 1 {
		top = "ply11_perft_many"
	}
	files, err := filesOf(top)
	if err != nil {
		return nil, err
	}
	b := eda.Verilog{Top: "ply11_count", Files: append(files, name), Params: []string{fmt.Sprintf("CORES=%d", cores)}}
	p := new(Perft)
	switch tool {
	case ToolIcarus:
		p.simulation, err = w.Icarus(ctx, b)
	case ToolVerilator:
		p.simulation, err = w.Verilator(ctx, b)
	default:
		err = fmt.Errorf("cosim: no simulator %q", tool)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Perft) Close() error { return p.simulation.Close() }

// Count counts the positions that legal moves reach from a position, in up to depth plies, 0..MaxPerft. A count that
// is not that of package position is ErrPerft. It takes as long as the tree is large.
func (p *Perft) Count(ctx context.Context, root *position.Position, depth int) (c PerftCount, err error) {
	if depth < 0 || depth > MaxPerft {
		return c, fmt.Errorf("a depth of %d: 0 to %d are possible", depth, MaxPerft)
	}
	state, digits := oracle.NewState(root), ""
	for i := range 9 {
		digits = fmt.Sprintf("%08x", state.LoadData(i)) + digits
	}
	r, err := p.simulation.Run(ctx, "+root="+digits, fmt.Sprintf("+depth=%d", depth))
	c.CPU = r.CPU
	if err != nil {
		return c, err
	}
	for line := range strings.Lines(r.Output) {
		var d, last, clocks int
		var n uint64
		if k, _ := fmt.Sscanf(line, "%d %d %d %d", &d, &n, &last, &clocks); k != 4 {
			continue // of the simulator
		}
		at := len(c.Counts)
		if want := root.Perft(at); d != at || n != want || last == 1 != (at == depth) {
			return c, fmt.Errorf("%w: %s: depth %d, last %d, is counted as %d, not as %d of depth %d", ErrPerft, root,
				d, last, n, want, at)
		}
		c.Counts, c.Clocks = append(c.Counts, n), clocks
	}
	if len(c.Counts) != depth+1 {
		return c, fmt.Errorf("%w: %s: %d counts of %d", ErrPerft, root, len(c.Counts), depth+1)
	}
	return c, nil
}
