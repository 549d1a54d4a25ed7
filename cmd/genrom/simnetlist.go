// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"ply11/sim"
)

// A netlistRun is what `genrom sim --netlist` is asked for: clocks of any design.
type netlistRun struct {
	file     string
	stimulus string   // a table, or "" for random inputs
	show     []string // names of signals, or none for all outputs
	reset    string   // an input that is 1 in the first clocks of random inputs, or ""
	clocks   int
	seed     uint64
	vcd      string // a file, or ""

	stdin  io.Reader
	stdout io.Writer
}

const resetClocks = 4

func (r *netlistRun) run(ctx context.Context) error {
	n, err := readNetlist(r.file, r.stdin)
	if err != nil {
		return err
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		return err
	}
	show, err := r.shown(n)
	if err == nil && r.reset != "" {
		_, err = n.Port(sim.Input, r.reset, 1)
	}
	if err != nil {
		return usage(err)
	}
	inputs, err := r.inputs(n)
	if err != nil {
		return err
	}
	defer inputs.Close()
	var dump *sim.VCD
	if r.vcd != "" {
		f, err := os.Create(r.vcd)
		if err != nil {
			return err
		}
		defer f.Close()
		dump = sim.NewVCD(f, m, 0)
	}
	w := bufio.NewWriter(r.stdout)
	header := []string{"clock"}
	for _, s := range show {
		header = append(header, s.Name)
	}
	fmt.Fprintln(w, strings.Join(header, "\t"))
	for clock := 0; r.clocks == 0 || clock < r.clocks; clock++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := inputs.next(m); err == io.EOF {
			break
		} else if err != nil {
			return errors.Join(w.Flush(), err)
		}
		m.Eval()
		fmt.Fprint(w, clock)
		for _, s := range show {
			fmt.Fprintf(w, "\t%s", m.Hex(s, 0))
		}
		fmt.Fprintln(w)
		if dump != nil {
			dump.Cycle()
		}
		m.Step()
	}
	if dump != nil {
		if err := dump.Close(); err != nil {
			return err
		}
	}
	return w.Flush()
}

// maxNetlist is how many bytes of a netlist are read, which may be compressed. Those of players have less than one MiB.
const maxNetlist = 64 << 20

func readNetlist(name string, stdin io.Reader) (*sim.Netlist, error) {
	f, err := openFile(name, stdin)
	if err != nil {
		return nil, err
	}
	r, err := unpack(name, f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxNetlist+1))
	if err == nil && len(data) > maxNetlist {
		err = fmt.Errorf("it has more than %d MiB, and no netlist is so large", maxNetlist>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	n, err := sim.Parse(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return n, err
}

func (r *netlistRun) shown(n *sim.Netlist) (show []sim.Signal, err error) {
	for _, name := range r.show {
		s, err := n.Signal(name)
		if err != nil {
			return nil, err
		}
		show = append(show, s)
	}
	if show == nil {
		for _, s := range n.Signals() {
			if s.Kind == sim.Output {
				show = append(show, s)
			}
		}
	}
	return show, nil
}

// A stimulusTable gives the inputs of each clock: from a table, or at random.
type stimulusTable struct {
	io.Closer
	lines  *bufio.Scanner // nil for random inputs
	name   string
	line   int
	inputs []sim.Signal

	random sim.Random
	reset  string
	clock  int
}

func (r *netlistRun) inputs(n *sim.Netlist) (*stimulusTable, error) {
	t := &stimulusTable{Closer: io.NopCloser(nil), random: sim.Random(r.seed), reset: r.reset, name: r.stimulus}
	if r.stimulus == "" {
		for _, s := range n.Signals() {
			if s.Kind == sim.Input {
				t.inputs = append(t.inputs, s)
			}
		}
		return t, nil
	}
	f, err := openFile(r.stimulus, r.stdin)
	if err != nil {
		return nil, err
	}
	t.Closer, t.lines = f, bufio.NewScanner(f)
	names, err := t.fields()
	if err == io.EOF {
		err = fmt.Errorf("%s: there is no line with the names of inputs", t.name)
	}
	for _, name := range names {
		s, e := n.Signal(name)
		if e == nil && s.Kind != sim.Input {
			e = fmt.Errorf("%s is no input", name)
		} else if e == nil && slices.ContainsFunc(t.inputs, func(other sim.Signal) bool { return other.Name == name }) {
			e = fmt.Errorf("%s is there twice", name)
		}
		if e != nil {
			err = fmt.Errorf("%s: line %d: %w", t.name, t.line, e)
			break
		}
		t.inputs = append(t.inputs, s)
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// fields returns the words of the next line that is neither empty nor a comment, or io.EOF.
func (t *stimulusTable) fields() ([]string, error) {
	for t.lines.Scan() {
		t.line++
		if text := strings.TrimSpace(t.lines.Text()); text != "" && text[0] != '#' {
			return strings.Fields(text), nil
		}
	}
	if err := t.lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", t.name, t.line+1, err)
	}
	return nil, io.EOF
}

// next sets the inputs of the next clock, or returns io.EOF.
func (t *stimulusTable) next(m *sim.Machine) error {
	if t.lines == nil {
		for _, s := range t.inputs {
			for at := 0; at < s.Width(); at += 64 {
				m.SetAll(s.Slice(at, min(at+64, s.Width())), t.random.Next())
			}
			if s.Name == t.reset {
				m.SetAll(s, 0)
				if t.clock < resetClocks {
					m.SetAll(s, 1)
				}
			}
		}
		t.clock++
		return nil
	}
	values, err := t.fields()
	if err != nil {
		return err
	}
	if len(values) != len(t.inputs) {
		return fmt.Errorf("%s: line %d: %d values for %d inputs", t.name, t.line, len(values), len(t.inputs))
	}
	for i, text := range values {
		if err := setHex(m, t.inputs[i], text); err != nil {
			return fmt.Errorf("%s: line %d: %w", t.name, t.line, err)
		}
	}
	return nil
}

func setHex(m *sim.Machine, s sim.Signal, text string) error {
	rest := strings.TrimLeft(text, "0")
	for at := 0; at < s.Width(); at += 64 {
		part := s.Slice(at, min(at+64, s.Width()))
		digits := rest[max(0, len(rest)-16):]
		rest = rest[:len(rest)-len(digits)]
		x := uint64(0)
		if digits != "" {
			var err error
			if x, err = strconv.ParseUint(digits, 16, 64); err != nil {
				return fmt.Errorf("%s: %q is no hexadecimal number", s.Name, text)
			}
		}
		if part.Width() < 64 && x>>part.Width() != 0 {
			return fmt.Errorf("%s has %d bits: %s is too large", s.Name, s.Width(), text)
		}
		m.SetAll(part, x)
	}
	if rest != "" {
		return fmt.Errorf("%s has %d bits: %s is too large", s.Name, s.Width(), text)
	}
	return nil
}
