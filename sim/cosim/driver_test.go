// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// driverStimulus is the peripheral's surroundings for a C program that drives it: testdata/driver_test.c says what it asks. A request
// is an access on the bus, a packet, or a wait, and takes its clocks.
type driverStimulus struct {
	peripheral *sim.Peripheral
	requests   *bufio.Scanner
	answers    io.Writer
	packets    [][]byte

	clocks  int
	request []string // nil: none
	waited  int      // clocks of it
	gone    bool     // its address has been taken
	sent    int      // bytes of the packet
	ended   bool
	tail    int
	records []string // that nobody has asked for
	values  []string // that the program tells
}

func (s *driverStimulus) answer(text string) error {
	s.request = nil
	_, err := fmt.Fprintln(s.answers, text)
	return err
}

func unhex(hex string) (n uint32) {
	fmt.Sscanf(hex, "%x", &n)
	return n
}

func (s *driverStimulus) Drive() bool {
	r, a := &s.peripheral.Regs.In, &s.peripheral.Player.In
	s.clocks++
	*r = sim.RegsIn{Aresetn: s.clocks > 2, BReady: true, RReady: true}
	a.MTReady, a.TextTReady = true, true
	a.STValid, a.STData, a.STKeep, a.STLast = false, 0, 0, false
	if s.clocks <= 4 {
		return true
	}
	for s.request == nil && !s.ended {
		if !s.requests.Scan() {
			s.ended = true
			break
		}
		s.request = append(strings.Fields(s.requests.Text()), "", "")
		s.waited, s.gone, s.sent = 0, false, 0
		switch s.request[0] {
		case "v":
			s.values = append(s.values, strings.TrimPrefix(s.requests.Text(), "v "))
			_ = s.answer("ok")
		case "m":
			// What follows a record comes within this many clocks, if it comes.
			if len(s.records) > 0 {
				one := s.records[0]
				s.records = s.records[1:]
				_ = s.answer(one)
			}
		}
	}
	if s.ended {
		s.tail++
		return s.tail < 20
	}
	s.waited++
	switch q := s.request; q[0] {
	case "r":
		r.ARAddr, r.ARValid = uint8(unhex(q[1])), !s.gone
	case "w":
		r.AWAddr, r.WData, r.WStrb = uint8(unhex(q[1])), unhex(q[2]), 15
		r.AWValid, r.WValid = !s.gone, !s.gone
	case "s":
		p := s.packets[unhex(q[1])]
		a.STValid, a.STData, a.STKeep = true, uint64(p[s.sent]), 1
		a.STLast = q[2] == "1" && s.sent == len(p)-1
	}
	return true
}

func (s *driverStimulus) Sample() error {
	in, o, a := &s.peripheral.Regs.In, &s.peripheral.Regs.Out, s.peripheral.Player
	if a.Out.MTValid && a.In.MTReady && in.Aresetn {
		var b [16]byte
		binary.LittleEndian.PutUint64(b[:], a.Out.MTData[0])
		binary.LittleEndian.PutUint64(b[8:], a.Out.MTData[1])
		s.records = append(s.records, fmt.Sprintf("%x", b))
	}
	if s.request == nil {
		return nil
	}
	if s.waited > 4000 {
		if s.request[0] == "i" {
			return s.answer("0")
		}
		return fmt.Errorf("no answer to %q in 4,000 clocks", s.request)
	}
	switch s.request[0] {
	case "r":
		s.gone = s.gone || in.ARValid && o.ARReady
		if o.RValid {
			if o.RResp != 0 {
				return s.answer("error")
			}
			return s.answer(fmt.Sprintf("%x", o.RData))
		}
	case "w":
		s.gone = s.gone || o.AWReady
		if o.BValid {
			if o.BResp != 0 {
				return s.answer("error")
			}
			return s.answer("ok")
		}
	case "s":
		if a.In.STValid && a.Out.STReady {
			if s.sent++; s.sent == len(s.packets[unhex(s.request[1])]) {
				return s.answer("ok")
			}
		}
	case "i":
		if o.IRQ {
			return s.answer("1")
		}
	case "m":
		if len(s.records) > 0 {
			one := s.records[0]
			s.records = s.records[1:]
			return s.answer(one)
		}
		if s.waited > 200 {
			return s.answer("none")
		}
	}
	return nil
}

// testDriver compiles the driver with its test as C99, C++ and without warnings, runs the test as a process of its own, and has it drive
// the model of the peripheral, with a simulation of the Verilog that must give the same in every clock.
func testDriver(t *testing.T, tool string) {
	gcc, gxx := testenv.Tools(t, "gcc", "g++")[0], testenv.Tools(t, "g++")[0]
	dir := t.TempDir()
	folder, err := filepath.Abs(filepath.Join("..", "..", "hdl", "driver"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "driver")
	strict := []string{"-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wcast-qual", "-Werror", "-I", folder}
	for _, c := range [][]string{
		{gcc, "-std=c99", "-o", program, filepath.Join("testdata", "driver_test.c"), filepath.Join(folder, "ply11_driver.c")},
		{gxx, "-std=c++11", "-x", "c++", "-c", "-o", filepath.Join(dir, "cxx.o"), filepath.Join(folder, "ply11_driver.c")},
	} {
		cmd := exec.Command(c[0], append(append([]string(nil), strict...), c[1:]...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c, err, out)
		}
	}

	games := readGames(t, 4)[:2]
	words, bytes := wordsFeed(t, games[:1]), brennerFeed(t, brenner.Main, games[:1])
	own := new(game.Game)
	if err := pgn.NewReader(strings.NewReader("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 4\"]\n\n4. e4 Kd7 1/2-1/2\n")).Read(own); err != nil {
		t.Fatal(err)
	}
	set := joseFeed(jose.Document, 0, joseGames(t, jose.Document, []*game.Game{own}))
	lines := make([]*game.Game, 2)
	for i, text := range []string{"1. e4 (1. d4 d5 2. c4) e5 2. Nf3 Nc6 1-0\n", "1. a4 h6 2. a5 h5 3. Nf3 1-0\n"} {
		lines[i] = new(game.Game)
		if err := pgn.NewReader(strings.NewReader(text)).Read(lines[i]); err != nil {
			t.Fatal(err)
		}
	}
	numbers := cbfFeed(chessbase.NumberingCBASCII, oracle.Params{Depth: 2}, cbfGames(t, chessbase.NumberingCBASCII, lines))
	p, err := sim.NewPeripheral(sim.PeripheralParams{PlayerParams: sim.PlayerParams{Modes: 15, Depth: 2}, Perft: 3})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &driverStimulus{peripheral: p, requests: bufio.NewScanner(stdout), answers: stdin, packets: [][]byte{
		words.data,
		set.data,
		bytes.data[:len(bytes.data)-1], // without its result: an error
		words.data[:9],
		numbers.data[:len(numbers.data)-2], // without the end of the second game: an error
	}}
	end := newBench(t).play(t, tool, trial{p, s})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the driver's test: %v\n%s", err, &stderr)
	}

	// What the program read is what the games say: the records of the two packets and the one that is cut, then that of words again.
	var want []string
	add := func(events []oracle.Beat, errors, code, taken int, now *oracle.State) {
		plies, games := 0, 0
		var last oracle.State
		for _, e := range events {
			var one string
			if e.Kind == oracle.BeatPly {
				m, _ := e.Index.Move()
				one = fmt.Sprintf("record 0 %x 0 0 %x %x %x %x * * %x %x %x %x *", e.State.Side, int(e.Index), uint8(m.From()), uint8(m.To()), uint8(m.Promotion()), e.Depth, e.State.Rights, e.State.EP, e.State.Ply)
				plies++
				last = *e.State
			} else {
				one = fmt.Sprintf("record 2 %x 0 %x 0 * * * * * 0 %x %x %x *", last.Side, e.Result, last.Rights, last.EP, last.Ply)
				games++
			}
			want = append(want, one)
		}
		offset := "0"
		if errors > 0 {
			want = append(want, fmt.Sprintf("record 3 %x %x 0 0 * * * * * 0 %x %x %x *", last.Side, code, last.Rights, last.EP, last.Ply))
			offset = "*"
		}
		if now != nil {
			last = *now
		}
		men := ""
		for _, w := range last.Men {
			men += fmt.Sprintf(" %x %x", uint32(w), uint32(w>>32))
		}
		want = append(want, fmt.Sprintf("snapshot %x %x * %x %x %s %x %x %x %x %x 0%s", taken, games, errors, code, offset, code, last.Ply, last.EP, last.Rights, last.Side, men))
	}
	add(words.beats, 0, 0, 1, nil)
	first := len(words.beats) + 1
	add(set.beats, 0, 0, 2, nil)
	add(bytes.beats[:len(bytes.beats)-1], 1, int(oracle.FaultCut), 3, nil)
	initial := oracle.Initial()
	add(words.beats, 0, 0, 4, &initial)
	add(numbers.beats[:len(numbers.beats)-1], 1, int(oracle.FaultCut), 5, nil)
	usual := position.Start()
	for _, order := range []struct {
		root  *position.Position
		depth int
	}{{&usual, 1}, {&own.Start, 3}, {&usual, 1}} {
		for d := range order.depth + 1 {
			want = append(want, fmt.Sprintf("count %x %x %x", d, map[bool]int{true: 1}[d == order.depth], order.root.Perft(d)))
		}
	}
	// The counters go on until ply11_clear.
	two := first + len(set.beats)
	want[two] = strings.Replace(want[two], "snapshot 2 1", "snapshot 2 2", 1)
	if len(s.values) != len(want) {
		t.Errorf("the driver tells %d values, want %d", len(s.values), len(want))
	}
	for i := range min(len(s.values), len(want)) {
		got, wanted := strings.Fields(s.values[i]), strings.Fields(want[i])
		for k := range wanted {
			if k >= len(got) || wanted[k] != "*" && wanted[k] != got[k] {
				t.Errorf("value %d: %s, want %s", i, s.values[i], want[i])
				break
			}
		}
	}
}

// The driver, on the Verilog that Icarus simulates.
func TestDriver(t *testing.T) { testDriver(t, ToolIcarus) }
