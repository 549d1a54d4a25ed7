// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/bitstream/chessbase"
	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

// A stepper is a simulation that gives the outputs of a clock before it is given the inputs of the next.
type stepper struct {
	t       *testing.T
	rec     *record
	at      map[string]int // ports by their names
	process *eda.Process
	wide    int
	side    [2][]byte
	clocks  int
}

func newStepper(t *testing.T, tool string, v eda.Verilog) *stepper {
	t.Helper()
	w := edatest.NewWork(t, edatest.Simulators...)
	js := w.Path("ports.json")
	if _, err := w.Run(t.Context(), w.Dir, "yosys", "-q", "-p",
		w.Read(v)+"proc; rename -top top; write_json "+js); err != nil {
		t.Fatal(edatest.Failure(err))
	}
	m, err := eda.ReadModule(js, "top")
	edatest.Must(t, err)
	d := &design{Verilog: v, clock: "aclk"}
	for _, name := range slices.Sorted(maps.Keys(m.Ports)) {
		if name != d.clock {
			d.ports = append(d.ports, port{name: name, width: len(m.Ports[name].Bits),
				output: m.Ports[name].Direction == "output"})
		}
	}
	h, err := newHarness(t.Context(), w, d, tool)
	edatest.Must(t, err)
	s := &stepper{t: t, rec: newRecord(d.ports), at: make(map[string]int), wide: 1}
	if h.unknowns() {
		s.wide = 2
	}
	for i, p := range d.ports {
		s.at[p.name] = i
	}
	s.side = [2][]byte{make([]byte, s.rec.size[inputSide]), make([]byte, s.rec.size[outputSide])}
	if s.process, err = startSteps(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stepper) field(name string) []byte {
	i, ok := s.at[name]
	if !ok {
		panic("no port " + name)
	}
	p, side := &s.rec.ports[i], inputSide
	if p.output {
		side = outputSide
	}
	return s.side[side][s.rec.at[i]:][:p.bytes()]
}

func (s *stepper) set(name string, value uint64) {
	field := s.field(name)
	for i := range field {
		field[i] = byte(value >> (8 * i))
	}
}

func (s *stepper) get(name string) (value uint64) {
	field := s.field(name)
	for i := range min(8, len(field)) {
		value |= uint64(field[i]) << (8 * i)
	}
	return value
}

func (s *stepper) wideHex(name string) string {
	field := s.field(name)
	return fmt.Sprintf("%x", field)
}

// step is a clock. A bit that is unknown is 0.
func (s *stepper) step() {
	s.t.Helper()
	got := make([]byte, s.wide*len(s.side[outputSide]))
	_, err := s.process.In.Write(s.side[inputSide])
	if err == nil {
		_, err = io.ReadFull(s.process.Out, got)
	}
	if err != nil {
		s.t.Fatalf("clock %d: %v", s.clocks, err)
	}
	values, unknown := split(got, s.wide)
	copy(s.side[outputSide], values)
	for i, x := range unknown {
		s.side[outputSide][i] &^= x
	}
	s.clocks++
}

func (s *stepper) close() {
	s.t.Helper()
	if err := s.process.In.Close(); err != nil {
		s.t.Error(err)
	}
	_, _ = io.Copy(io.Discard, s.process.Out)
	if _, err := s.process.Wait(); err != nil {
		s.t.Error(edatest.Failure(err))
	}
}

// driverStimulus is the peripheral's surroundings for a C program that drives it: see testdata/driver_test.c. A request
// is an access on the bus, a packet, or a wait, and takes its clocks.
type driverStimulus struct {
	*stepper
	requests *bufio.Scanner
	answers  io.Writer
	packets  [][]byte

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

func (s *driverStimulus) drive() bool {
	for _, name := range []string{"s_axil_arvalid", "s_axil_awvalid", "s_axil_wvalid", "s_axis_tvalid", "s_axis_tdata",
		"s_axis_tkeep", "s_axis_tlast"} {
		s.set(name, 0)
	}
	for _, name := range []string{"s_axil_bready", "s_axil_rready", "m_axis_tready", "m_axis_text_tready"} {
		s.set(name, 1)
	}
	s.set("aresetn", uint64(btoi(s.clocks > settle)))
	if s.clocks <= settle+2 {
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
		s.set("s_axil_araddr", uint64(unhex(q[1])))
		s.set("s_axil_arvalid", uint64(btoi(!s.gone)))
	case "w":
		s.set("s_axil_awaddr", uint64(unhex(q[1])))
		s.set("s_axil_wdata", uint64(unhex(q[2])))
		s.set("s_axil_wstrb", 15)
		s.set("s_axil_awvalid", uint64(btoi(!s.gone)))
		s.set("s_axil_wvalid", uint64(btoi(!s.gone)))
	case "s":
		p := s.packets[unhex(q[1])]
		s.set("s_axis_tvalid", 1)
		s.set("s_axis_tdata", uint64(p[s.sent]))
		s.set("s_axis_tkeep", 1)
		s.set("s_axis_tlast", uint64(btoi(q[2] == "1" && s.sent == len(p)-1)))
	}
	return true
}

func (s *driverStimulus) sample() error {
	if s.get("m_axis_tvalid") == 1 && s.get("aresetn") == 1 {
		s.records = append(s.records, fmt.Sprintf("%s%x", s.wideHex("m_axis_tdata"), s.get("m_axis_tuser")))
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
		s.gone = s.gone || s.get("s_axil_arready") == 1
		if s.get("s_axil_rvalid") == 1 {
			if s.get("s_axil_rresp") != 0 {
				return s.answer("error")
			}
			return s.answer(fmt.Sprintf("%x", s.get("s_axil_rdata")))
		}
	case "w":
		s.gone = s.gone || s.get("s_axil_awready") == 1
		if s.get("s_axil_bvalid") == 1 {
			if s.get("s_axil_bresp") != 0 {
				return s.answer("error")
			}
			return s.answer("ok")
		}
	case "s":
		if s.get("s_axis_tready") == 1 {
			if s.sent++; s.sent == len(s.packets[unhex(s.request[1])]) {
				return s.answer("ok")
			}
		}
	case "i":
		if s.get("irq") == 1 {
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

// testDriver compiles the driver with its test as C99 and C++, without warnings, and has the test drive a simulation of
// the peripheral.
func testDriver(t *testing.T, tool string) {
	gcc, gxx := testenv.Tools(t, "gcc", "g++")[0], testenv.Tools(t, "g++")[0]
	dir := t.TempDir()
	folder, err := filepath.Abs(filepath.Join("..", "..", "hdl", "driver"))
	edatest.Must(t, err)
	program := filepath.Join(dir, "driver")
	strict := []string{"-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wcast-qual", "-Werror", "-I", folder}
	for _, c := range [][]string{
		{gcc, "-std=c99", "-o", program, filepath.Join("testdata", "driver_test.c"),
			filepath.Join(folder, "ply11_driver.c")},
		{gxx, "-std=c++11", "-x", "c++", "-c", "-o", filepath.Join(dir, "cxx.o"),
			filepath.Join(folder, "ply11_driver.c")},
	} {
		cmd := exec.Command(c[0], append(append([]string(nil), strict...), c[1:]...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c, err, out)
		}
	}

	games := readGames(t, 4)[:2]
	lines := oracle.Params{Depth: 2}
	words, bytes := wordFeeds(t, lines, games[:1])[0], brennerFeeds(t, lines, brenner.Main, games[:1])[0]
	own := new(game.Game)
	edatest.Must(t,
		pgn.NewReader(strings.NewReader("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 4\"]\n\n4. e4 Kd7 1/2-1/2\n")).Read(
			own))
	set := joseFeeds(jose.Document, lines, joseGames(t, jose.Document, []*game.Game{own}))[0]
	two := make([]*game.Game, 2)
	for i, text := range []string{"1. e4 (1. d4 d5 2. c4) e5 2. Nf3 Nc6 1-0\n", "1. a4 h6 2. a5 h5 3. Nf3 1-0\n"} {
		two[i] = new(game.Game)
		edatest.Must(t, pgn.NewReader(strings.NewReader(text)).Read(two[i]))
	}
	numbers := cbfFeed(chessbase.NumberingCBASCII, lines, cbfGames(t, chessbase.NumberingCBASCII, two))
	cmd := exec.CommandContext(t.Context(), program)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	edatest.Must(t, err)
	stdin, err := cmd.StdinPipe()
	edatest.Must(t, err)
	edatest.Must(t, cmd.Start())
	files, err := filesOf("ply11_peripheral")
	edatest.Must(t, err)
	peripheral := eda.Verilog{Top: "ply11_peripheral", Params: []string{"MODES=15", "DEPTH=2", "PERFT=3", "MATCH=1"},
		Files: files}
	s := &driverStimulus{stepper: newStepper(t, tool, peripheral), requests: bufio.NewScanner(stdout), answers: stdin,
		packets: [][]byte{
			words.data,
			set.data,
			bytes.data[:len(bytes.data)-1], // without its result: an error
			words.data[:9],
			numbers.data[:len(numbers.data)-2], // without the end of the second game: an error
		}}
	for s.drive() {
		s.step()
		edatest.Must(t, s.sample())
	}
	s.close()
	t.Logf("%s: %d clocks", tool, s.clocks)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the driver's test: %v\n%s", err, &stderr)
	}

	// What the program read is what the games say.
	var want []string
	add := func(events []oracle.Beat, errors, code, taken int, now *oracle.State) {
		plies, games := 0, 0
		var last oracle.State
		for _, e := range events {
			var one string
			if e.Kind == oracle.BeatPly {
				m, _ := e.Index.Move()
				one = fmt.Sprintf("record 0 %x 0 0 %x %x %x %x * * %x %x %x %x *", e.State.Side, int(e.Index),
					uint8(m.From()), uint8(m.To()), uint8(m.Promotion()), e.Depth, e.State.Rights, e.State.EP,
					e.State.Ply)
				plies++
				last = *e.State
			} else {
				one = fmt.Sprintf("record 2 %x 0 %x 0 * * * * * 0 %x %x %x *", last.Side, e.Result, last.Rights,
					last.EP, last.Ply)
				games++
			}
			want = append(want, one)
		}
		offset := "0"
		if errors > 0 {
			want = append(want, fmt.Sprintf("record 3 %x %x 0 0 * * * * * 0 %x %x %x *", last.Side, code, last.Rights,
				last.EP, last.Ply))
			offset = "*"
		}
		if now != nil {
			last = *now
		}
		pieces := ""
		for _, w := range last.Pieces {
			pieces += fmt.Sprintf(" %x %x", uint32(w), uint32(w>>32))
		}
		want = append(want, fmt.Sprintf("snapshot %x %x * %x %x %s %x %x %x %x %x 0%s", taken, games, errors, code,
			offset, code, last.Ply, last.EP, last.Rights, last.Side, pieces))
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
			want = append(want, fmt.Sprintf("count %x %x %x", d, map[bool]int{true: 1}[d == order.depth],
				order.root.Perft(d)))
		}
	}
	// A white piece on e4 and Black to move, from the second ply on.
	for _, e := range words.beats {
		if e.Kind != oracle.BeatPly || e.State.Ply < 2 || e.State.Side == 0 {
			continue
		}
		if piece := e.State.Pieces[1] >> 48 & 15; piece >= 1 && piece <= 6 {
			want = append(want, fmt.Sprintf("hit 1 0 %x", e.State.Ply))
		}
	}
	want = append(want, fmt.Sprintf("hit 1 2 %x", words.beats[len(words.beats)-2].State.Ply))
	// The counters go on until ply11_clear.
	second := first + len(set.beats)
	want[second] = strings.Replace(want[second], "snapshot 2 1", "snapshot 2 2", 1)
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

func TestDriver(t *testing.T) { testDriver(t, ToolIcarus) }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func startSteps(ctx context.Context, h *Harness) (*eda.Process, error) {
	if h.Tool == ToolIcarus {
		return h.sim.Start(ctx, "+step")
	}
	return h.sim.Start(ctx, "1", "zero", "step")
}
