// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/sim/eda"
)

// gamesBench reads indices, decodes and encodes them, and writes what came out.
//
//go:embed ply11_games.v
var gamesBench []byte

// The tools: package sim, and the simulators of package cosim.
const (
	ToolGo        = "go"
	ToolIcarus    = eda.Icarus
	ToolVerilator = eda.Verilator
)

// Tools lists them.
var Tools = []string{ToolGo, ToolIcarus, ToolVerilator}

// Moves is a file of moves, to be decoded: their indices, two bytes each, high byte first, as the bench reads them. It
// is on disk, so that any number of games takes no more memory than one.
type Moves struct {
	Plies int64

	work    *eda.Work
	dir     string
	file    *os.File
	indices *bufio.Writer
}

func NewMoves(w *eda.Work) (*Moves, error) {
	dir, err := w.Sub("moves")
	if err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, "indices"))
	if err != nil {
		return nil, err
	}
	return &Moves{work: w, dir: dir, file: f, indices: bufio.NewWriter(f)}, nil
}

// Close closes the file; it goes with the folder of Work.
func (m *Moves) Close() error { return m.file.Close() }

// Add adds a move. One that is none of the 1,968 is an error.
func (m *Moves) Add(move chess.Move) error {
	index, ok := moveindex.Of(move)
	if !ok {
		return fmt.Errorf("%v has no index", move)
	}
	m.Plies++
	_, err := m.indices.Write(binary.BigEndian.AppendUint16(nil, uint16(index)))
	return err
}

// A Decoded is what came of moves that a tool decoded.
type Decoded struct {
	Tool       string
	Plies      int64
	Mismatches int64
	First      string        // what the first mismatch is
	CPU        time.Duration // processor time of the simulation, without building it
}

func (d Decoded) PliesPerSecond() float64 {
	if d.CPU <= 0 {
		return 0
	}
	return float64(d.Plies) / d.CPU.Seconds()
}

// Decode decodes all moves by a tool, encodes them again, and compares with what went in.
func (m *Moves) Decode(ctx context.Context, tool string) (d Decoded, err error) {
	d = Decoded{Tool: tool, Plies: m.Plies}
	if err := m.indices.Flush(); err != nil {
		return d, err
	}
	switch tool {
	case ToolGo:
		start := time.Now()
		err = m.compare(&d, nil)
		d.CPU = time.Since(start)
		return d, err
	case ToolIcarus, ToolVerilator:
		simulation, err := gamesSimulation(ctx, m.work, tool)
		if err != nil {
			return d, err
		}
		out := filepath.Join(m.dir, "out-"+tool)
		r, err := simulation.Run(ctx, "+in="+m.file.Name(), "+out="+out)
		d.CPU = r.CPU
		if err != nil {
			return d, err
		}
		f, err := os.Open(out)
		if err != nil {
			return d, err
		}
		defer f.Close()
		err = m.compare(&d, bufio.NewReader(f))
		return d, err
	}
	return d, fmt.Errorf("unknown tool %q", tool)
}

func gamesSimulation(ctx context.Context, w *eda.Work, tool string) (*eda.Simulation, error) {
	const name = "ply11_games.v"
	if err := os.WriteFile(w.Path(name), gamesBench, 0o666); err != nil {
		return nil, err
	}
	b := eda.Verilog{Top: "ply11_games", Files: []string{"rtl/ply11_decode.v", "rtl/ply11_encode.v", name}}
	if tool == ToolIcarus {
		return w.Icarus(ctx, b)
	}
	return w.Verilator(ctx, b)
}

// Fields of what the bench writes; see ply11_games.v.
const (
	outIndexOK   = 1 << 15
	outWordShift = 16
)

// compare counts the moves that came back as others. Without out, package moveindex decodes and encodes.
func (m *Moves) compare(d *Decoded, out *bufio.Reader) error {
	f, err := os.Open(m.file.Name())
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	tell := func(format string, args ...any) {
		if d.First == "" {
			d.First = fmt.Sprintf(format, args...)
		}
	}
	var b [4]byte
	for n := range m.Plies {
		if _, err := io.ReadFull(in, b[:2]); err != nil {
			return err
		}
		index := moveindex.Index(binary.BigEndian.Uint16(b[:2]))
		move, _ := index.Move()
		want := uint32(moveindex.WordValid|uint16(move))<<outWordShift | outIndexOK | uint32(index)
		got := uint32(index.Word()) << outWordShift
		if out != nil {
			if _, err := io.ReadFull(out, b[:]); err != nil {
				d.Mismatches += m.Plies - n
				tell("only %d of %d moves came back", n, m.Plies)
				return nil
			}
			got = binary.LittleEndian.Uint32(b[:])
		} else if back, ok := moveindex.Of(move); ok {
			got |= outIndexOK | uint32(back)
		}
		if got != want {
			d.Mismatches++
			tell("ply %d: %v went in as index %d, word %04x and index %d came back", n+1, move, index,
				got>>outWordShift, got&(moveindex.NumWords-1))
		}
	}
	if out == nil {
		return nil
	}
	if _, err := out.ReadByte(); err != io.EOF {
		d.Mismatches++
		tell("more than %d moves came back", m.Plies)
	}
	return nil
}
