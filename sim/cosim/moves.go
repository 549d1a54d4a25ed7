// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
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

// Moves is a file of moves on their way through a decoder. It is on disk, so that any number of games
// takes no more memory than one.
type Moves struct {
	Plies int64

	work    *eda.Work
	dir     string
	moves   *bufio.Writer // two bytes a move, as it was read
	indices *bufio.Writer // two bytes an index, high byte first, as the bench reads them
	files   [2]*os.File
}

// NewMoves makes an empty file of moves.
func NewMoves(w *eda.Work) (*Moves, error) {
	dir, err := w.Sub("moves")
	if err != nil {
		return nil, err
	}
	m := &Moves{work: w, dir: dir}
	for i, name := range [2]string{"moves", "indices"} {
		if m.files[i], err = os.Create(filepath.Join(dir, name)); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	m.moves, m.indices = bufio.NewWriter(m.files[0]), bufio.NewWriter(m.files[1])
	return m, nil
}

// Close closes the files; they go with the folder of Work.
func (m *Moves) Close() error {
	var err error
	for _, f := range m.files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	m.files = [2]*os.File{}
	return err
}

// Add adds a move. One that is none of the 1,968 is an error.
func (m *Moves) Add(move chess.Move) error {
	index, ok := moveindex.Of(move)
	if !ok {
		return fmt.Errorf("%v has no index", move)
	}
	var b [2]byte
	binary.LittleEndian.PutUint16(b[:], uint16(move))
	if _, err := m.moves.Write(b[:]); err != nil {
		return err
	}
	binary.BigEndian.PutUint16(b[:], uint16(index))
	if _, err := m.indices.Write(b[:]); err != nil {
		return err
	}
	m.Plies++
	return nil
}

// A Decoded is what came of moves that a tool decoded.
type Decoded struct {
	Tool       string
	Plies      int64
	Mismatches int64
	First      string        // what the first mismatch is
	CPU        time.Duration // processor time of the simulation, without building it
}

// PliesPerSecond returns the speed in processor time.
func (d Decoded) PliesPerSecond() float64 {
	if d.CPU <= 0 {
		return 0
	}
	return float64(d.Plies) / d.CPU.Seconds()
}

// Decode decodes all moves by a tool, encodes them again, and compares with what went in.
func (m *Moves) Decode(ctx context.Context, tool string) (Decoded, error) {
	if err := errors.Join(m.moves.Flush(), m.indices.Flush()); err != nil {
		return Decoded{}, err
	}
	d := Decoded{Tool: tool, Plies: m.Plies}
	out := filepath.Join(m.dir, "out-"+tool)
	var err error
	switch tool {
	case ToolGo:
		start := time.Now()
		err = decodeInGo(filepath.Join(m.dir, "indices"), out)
		d.CPU = time.Since(start)
	case ToolIcarus, ToolVerilator:
		var simulation *eda.Simulation
		if simulation, err = gamesSimulation(ctx, m.work, tool); err != nil {
			return d, err
		}
		var r eda.Execution
		r, err = simulation.Run(ctx, "+in="+filepath.Join(m.dir, "indices"), "+out="+out)
		d.CPU = r.CPU
	default:
		err = fmt.Errorf("unknown tool %q", tool)
	}
	if err != nil {
		return d, err
	}
	err = m.compare(&d, out)
	return d, err
}

// gamesSimulation builds the bench.
func gamesSimulation(ctx context.Context, w *eda.Work, tool string) (*eda.Simulation, error) {
	const name = "ply11_games.v"
	if err := os.WriteFile(w.Path(name), gamesBench, 0o666); err != nil {
		return nil, err
	}
	b := eda.Bench{Top: "ply11_games", Files: []string{"rtl/ply11_decode.v", "rtl/ply11_encode.v", name}}
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

// decodeInGo does what the bench does.
func decodeInGo(in, out string) error {
	src, err := os.Open(in)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(out)
	if err != nil {
		return err
	}
	r, w := bufio.NewReader(src), bufio.NewWriter(dst)
	var b [4]byte
	for {
		if _, err = io.ReadFull(r, b[:2]); err != nil {
			break
		}
		index := moveindex.Index(binary.BigEndian.Uint16(b[:2]))
		v := uint32(index.Word()) << outWordShift
		if move, ok := index.Move(); ok {
			if back, ok := moveindex.Of(move); ok {
				v |= outIndexOK | uint32(back)
			}
		}
		binary.LittleEndian.PutUint32(b[:], v)
		if _, err = w.Write(b[:]); err != nil {
			break
		}
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, w.Flush(), dst.Close())
}

// compare counts the moves that came back as others.
func (m *Moves) compare(d *Decoded, out string) error {
	var readers [2]*bufio.Reader
	for i, name := range [2]string{filepath.Join(m.dir, "moves"), out} {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		readers[i] = bufio.NewReader(f)
	}
	var in [2]byte
	var got [4]byte
	for n := range m.Plies {
		if _, err := io.ReadFull(readers[0], in[:]); err != nil {
			return err
		}
		if _, err := io.ReadFull(readers[1], got[:]); err != nil {
			d.Mismatches += m.Plies - n
			if d.First == "" {
				d.First = fmt.Sprintf("only %d of %d moves came back", n, m.Plies)
			}
			return nil
		}
		move := chess.Move(binary.LittleEndian.Uint16(in[:]))
		index, _ := moveindex.Of(move)
		want := uint32(moveindex.WordValid|uint16(move))<<outWordShift | outIndexOK | uint32(index)
		if v := binary.LittleEndian.Uint32(got[:]); v != want {
			d.Mismatches++
			if d.First == "" {
				d.First = fmt.Sprintf("ply %d: %v went in as index %d, word %04x and index %d came back",
					n+1, move, index, v>>outWordShift, v&(moveindex.NumWords-1))
			}
		}
	}
	if _, err := readers[1].ReadByte(); err != io.EOF {
		d.Mismatches++
		if d.First == "" {
			d.First = fmt.Sprintf("more than %d moves came back", m.Plies)
		}
	}
	return nil
}
