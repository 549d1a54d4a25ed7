// SPDX-License-Identifier: Apache-2.0

// Command netlist tests fifo.v, a design that has nothing to do with chess: 64 fifos at once take bytes and give them,
// with random stalls on both sides, and each byte must come out in its turn.
package main

import (
	"fmt"
	"os"

	"ply11/sim"
)

// items is how many bytes go through each fifo.
const items = 1000

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	n, err := sim.Parse(data)
	if err != nil {
		return err
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		return err
	}
	var in, out, registers []sim.Signal
	for _, want := range []struct {
		list  *[]sim.Signal
		names []string
	}{
		{&in, []string{"rst", "s_valid", "s_data", "m_ready"}},
		{&out, []string{"s_ready", "m_valid", "m_data"}},
		{&registers, []string{"count_q"}},
	} {
		for _, name := range want.names {
			s, err := n.Signal(name)
			if err != nil {
				return err
			}
			*want.list = append(*want.list, s)
		}
	}
	var sent, got [sim.Narrow]int
	source := sim.Source{Valid: in[1], Ready: out[0], Data: in[2], Chance: 150, Seed: 1}
	source.Next = func(stream int) (uint64, bool) {
		if sent[stream] == items {
			return 0, false
		}
		sent[stream]++
		return value(stream, sent[stream]), true
	}
	sink := sim.Sink{Valid: out[1], Ready: in[3], Chance: 140, Seed: 2}

	m.Pulse(in[0], 2)
	var full [9]int // clocks in which so many bytes were in a fifo
	for taken := 0; taken < items*m.Streams(); m.Step() {
		source.Drive(m)
		sink.Drive(m)
		m.Eval()
		source.Sample(m)
		beats := sink.Sample(m)
		for stream := range m.Streams() {
			full[m.Get(registers[0], stream)]++
			if beats[0]>>stream&1 == 0 {
				continue
			}
			taken++
			got[stream]++
			if have, want := m.Get(out[2], stream), value(stream, got[stream]); have != want {
				return fmt.Errorf("clock %d, stream %d: byte %d is %d, not %d", m.Clock(), stream, got[stream], have,
					want)
			}
		}
		if m.Clock() > 100*items {
			return fmt.Errorf("%d of %d bytes came out in %d clocks", taken, items*m.Streams(), m.Clock())
		}
	}
	gates, flops := n.Size()
	fmt.Printf("fifo.v is %d and-gates and %d flip-flops\n", gates, flops)
	fmt.Printf("%d bytes went through each of %d fifos in %d clocks, in order\n", items, m.Streams(), m.Clock())
	fmt.Printf("a fifo was empty in %d %% of the clocks, and full in %d %%\n", percent(full[0], m), percent(full[8], m))
	return nil
}

// value is byte number i of a stream.
func value(stream, i int) uint64 { return uint64(7*stream+i) & 255 }

func percent(clocks int, m *sim.Machine) int { return 100 * clocks / (m.Clock() * m.Streams()) }
