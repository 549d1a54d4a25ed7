// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

// A knob sets an input at random, in another way from phase to phase.
type knob struct {
	in    sim.Signal
	reset bool // it is a reset, which comes rarely
	clear bool // it is 1 in the clocks of the first reset, because nothing else gives some registers their first value
	idle  uint64

	change sim.Chance // how often it takes another value
	ones   sim.Chance // of one bit: how often that is 1
	few    bool       // of more bits: most of them are 0
	line   *serial    // it is a serial line, on which bytes come
}

// A serial is a serial line to ply11_top: a letter of a mode, then bytes of that mode, some hundred until a break. In
// half of these sessions some bytes are at random or have no stop bit.
type serial struct {
	clocks  int    // of a bit
	letters string // of the modes that the design has
	bits    uint64 // of the frame, the next one lowest; behind it the line is idle
	left    int    // how many
	wait    int    // clocks of the bit that are still to come
	data    []byte // of the mode, what is sent next first; nil: none is chosen yet
	noisy   bool   // the session
}

func newSerial(v eda.Verilog) *serial {
	modes, perft, l := 7, 0, &serial{clocks: 104, bits: idleLine, left: 20}
	for _, p := range v.Params {
		fmt.Sscanf(p, "MODES=%d", &modes)
		fmt.Sscanf(p, "PERFT=%d", &perft)
		fmt.Sscanf(p, "CLOCKS=%d", &l.clocks)
	}
	for i, letter := range "wbjp" {
		if (modes|perft<<3)>>i&1 != 0 {
			l.letters += string(letter)
		}
	}
	return l
}

var idleLine uint64 = 1<<64 - 1

// serialData has the bytes of a mode from the bench of ply11_top; for perft, orders of no depth to two plies.
func serialData(letter byte) []byte {
	name := map[byte]string{'w': "ply11_player/words", 'b': "ply11_player/main", 'j': "ply11_top/jose"}[letter]
	if name == "" {
		return []byte{2, 0, 1}
	}
	text, err := hdl.FS.ReadFile("tb/" + name + ".bytes.hex")
	if err != nil {
		panic(err) // hdl/embed.go has the folder
	}
	var data []byte
	for _, f := range strings.Fields(string(text)) {
		b, err := strconv.ParseUint(f, 16, 8)
		if err != nil {
			panic(err)
		}
		data = append(data, byte(b))
	}
	return data
}

func (l *serial) bit(r *sim.Random) uint64 {
	if l.wait > 0 {
		l.wait--
	} else if l.wait = l.clocks - 1; l.left > 0 {
		l.bits = l.bits>>1 | 1<<63
		l.left--
	} else {
		b, x := byte(r.Next()), r.Next()%128
		// A start bit, the byte and a stop bit; with a break all of it is 0.
		zeros := 9
		switch {
		case x == 0:
			zeros, b, l.data = 12, 0, nil
		case l.data == nil:
			b = l.letters[int(b)%len(l.letters)]
			l.data, l.noisy = serialData(b), r.Next()%2 == 0
		case l.noisy && x < 4:
			zeros = 9 + int(x&1)
		default:
			b, l.data = l.data[0], append(l.data[1:], l.data[0])
		}
		// Sometimes a pause.
		l.bits, l.left = idleLine<<zeros|uint64(b)<<1, zeros+int(x%8/7)
	}
	return l.bits & 1
}

func newKnobs(d *design) (knobs []*knob) {
	for _, p := range d.ports {
		if p.output {
			continue
		}
		s, err := d.net.Port(sim.Input, p.name, p.width)
		if err != nil {
			panic(err) // the ports are those of the netlist
		}
		knobs = append(knobs, &knob{
			in: s, reset: p.name == "rst" || p.name == "aresetn", clear: p.name == "load_clear",
			idle: uint64(btoi(p.name == "aresetn")),
		})
		if d.Top == "ply11_top" && p.name == "rx" {
			knobs[len(knobs)-1].line = newSerial(d.Verilog)
		}
	}
	return knobs
}

// phase chooses how the input behaves.
func (k *knob) phase(r *sim.Random) {
	pick := func(list ...sim.Chance) sim.Chance { return list[r.Next()%uint64(len(list))] }
	// 256 is always.
	k.change = pick(256, 256, 256, 128, 32, 4)
	k.ones = pick(256, 240, 192, 128, 64, 16, 2)
	k.few = r.Next()%4 == 0
}

func (k *knob) set(m *sim.Machine, r *sim.Random) {
	if k.reset {
		x := k.idle
		if m.Clock() < settle || r.Next()%300 == 0 {
			x ^= 1
		}
		m.Set(k.in, 0, x)
		return
	}
	if k.clear && m.Clock() < settle {
		m.Set(k.in, 0, 1)
		return
	}
	if k.line != nil {
		m.Set(k.in, 0, k.line.bit(r))
		return
	}
	if r.Next()%256 >= uint64(k.change) {
		return
	}
	if k.in.Width() == 1 {
		m.Set(k.in, 0, uint64(btoi(r.Next()%256 < uint64(k.ones))))
		return
	}
	for at := 0; at < k.in.Width(); at += 64 {
		x := r.Next()
		if k.few {
			x &= r.Next()
			x &= r.Next()
		}
		m.Set(k.in.Slice(at, min(at+64, k.in.Width())), 0, x)
	}
}

// playRandom plays random inputs with stalls and resets on a netlist of a module, and the same on its Verilog in
// simulators; the netlist and each simulator may be of other sources. All outputs of all clocks from the end of the
// first reset on are compared, as far as they have a meaning, of Icarus the bits that it knows. It returns how many
// output bits had both values, of how many, and which had not: masks of words of the outputs.
func playRandom(t *testing.T, w *eda.Work, v eda.Verilog, sources map[string]eda.Verilog, clocks int, seed uint64) (
	ends []End, moved, bits int, same []string) {
	t.Helper()
	n, err := yosys(t.Context(), w, v)
	edatest.Must(t, err)
	var offers []string
	for _, prefix := range []string{"m", "text"} {
		if _, err := n.Port(sim.Output, prefix+"_valid", 1); err == nil {
			offers = append(offers, prefix)
		}
	}
	d := newDesign(v, n, offers...)
	var harnesses []*Harness
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		source := *d
		if other, ok := sources[tool]; ok {
			source.Verilog = other
		}
		h, err := newHarness(t.Context(), w, &source, tool)
		edatest.Must(t, err)
		defer h.Close()
		harnesses = append(harnesses, h)
	}
	l, err := newLink(t.Context(), d, 1, true, harnesses...)
	edatest.Must(t, err)
	m, err := sim.NewMachine(n, sim.Narrow)
	edatest.Must(t, err)
	var outputs []sim.Signal
	for _, s := range n.Signals() {
		for at := 0; s.Kind == sim.Output && at < s.Width(); at += 64 {
			outputs = append(outputs, s.Slice(at, min(at+64, s.Width())))
		}
	}
	seen := make([][2]uint64, len(outputs)) // bits that were 0, that were 1
	r, knobs := sim.Random(seed), newKnobs(d)
	// Before the first reset is over, registers have what each tool gives them.
	from := 0
	if slices.ContainsFunc(knobs, func(k *knob) bool { return k.reset }) {
		from = settle
	}
	for left := 0; m.Clock() < clocks; left-- {
		if left == 0 {
			left = 20 + int(r.Next()%200)
			for _, k := range knobs {
				k.phase(&r)
			}
		}
		for _, k := range knobs {
			k.set(m, &r)
		}
		m.Eval()
		l.clock(m, m.Clock() >= from)
		for i, s := range outputs {
			x := m.Get(s, 0)
			seen[i][0] |= ^x
			seen[i][1] |= x
		}
		m.Step()
	}
	if ends, err = l.Close(); err != nil {
		t.Fatal(edatest.Failure(err))
	}
	for i, s := range outputs {
		for b := range s.Width() {
			moved += int(seen[i][0] & seen[i][1] >> b & 1)
		}
		bits += s.Width()
		if still := ^(seen[i][0] & seen[i][1]) << (64 - s.Width()) >> (64 - s.Width()); still != 0 {
			same = append(same, fmt.Sprintf("%s %#x", s.Name, still))
		}
	}
	return ends, moved, bits, same
}

var (
	scopeLine = regexp.MustCompile(`^(S_\w+) \.scope (\w+), "[^"]*" "(\w+)" [^;S]*(S_\w+)?;`)
	assertion = regexp.MustCompile(`(\w+ *: *)?\b(assert|assume|cover) *\(`)
	paramLine = regexp.MustCompile(`^P_\w+ \.param/l "(\w+)" 0 .*<([01]+)>;`)
)

func isModule(name string) bool {
	_, err := hdl.FS.Open("rtl/" + name + ".v")
	return err == nil
}

// checked returns the modules of hdl/rtl that a check is about, with their parameters in it: its top, or the instances
// below a bench or a proof, as Icarus elaborates them.
func checked(t *testing.T, w *eda.Work, c eda.Check) (found []eda.Verilog) {
	t.Helper()
	file := w.Path(c.Name + ".vvp")
	args := []string{"-g2005", "-s", c.Top, "-o", file}
	for _, p := range c.Params {
		args = append(args, "-P"+c.Top+"."+p)
	}
	args = append(args, "-I", w.Path("tb/include"))
	for _, name := range c.Files {
		path := w.Path(name)
		if strings.HasPrefix(name, "formal/") { // Icarus has no labels of assertions
			text, err := os.ReadFile(path)
			edatest.Must(t, err)
			path = w.Path(c.Name + "." + filepath.Base(name))
			edatest.Must(t, os.WriteFile(path, assertion.ReplaceAll(text, []byte("$$display (")), 0o666))
		}
		args = append(args, path)
	}
	if _, err := w.Run(t.Context(), w.Dir, "iverilog", args...); err != nil {
		t.Fatal(edatest.Failure(err))
	}
	text, err := os.ReadFile(file)
	edatest.Must(t, err)
	outside := make(map[string]bool) // scopes of the bench: its module, and what it generates
	var at *eda.Verilog
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " .scope ") {
			at = nil // also a generated scope, whose counter is like a parameter
		}
		if f := scopeLine.FindStringSubmatch(line); f != nil {
			scope, kind, module, parent := f[1], f[2], f[3], f[4]
			switch top := parent == "" && module == c.Top; {
			case top && !isModule(module), kind == "generate" && outside[parent]:
				outside[scope] = true
			case kind == "module" && isModule(module) && (top || outside[parent]):
				files, err := filesOf(module)
				edatest.Must(t, err)
				found = append(found, eda.Verilog{Top: module, Files: files})
				at = &found[len(found)-1]
			}
		} else if f := paramLine.FindStringSubmatch(line); f != nil && at != nil {
			value, err := strconv.ParseUint(f[2], 2, 64)
			edatest.Must(t, err)
			at.Params = append(at.Params, fmt.Sprintf("%s=%d", f[1], int32(value)))
		}
	}
	return found
}

// testRandom plays clocks of random inputs on the modules of the checks that are wanted, each module with each set of
// parameters once.
func testRandom(t *testing.T, clocks int, wanted func(c eda.Check) bool) {
	w := edatest.NewWork(t, edatest.Simulators...)
	checks, err := eda.Checks()
	edatest.Must(t, err)
	rows := make(map[string][]string)
	designs := make(map[string]eda.Verilog)
	for _, c := range checks {
		if !wanted(c) {
			continue
		}
		for _, v := range checked(t, w, c) {
			if key := v.String(); !slices.Contains(rows[key], c.Name) {
				rows[key], designs[key] = append(rows[key], c.Name), v
			}
		}
	}
	if len(designs) == 0 {
		t.Fatal("no checks")
	}
	for key, v := range designs {
		// Netlists of many cores of perft are too large: the one of two cores and a depth of 2 is taken.
		if v.Top == "ply11_perft_many" && !(slices.Contains(v.Params, "CORES=2") &&
			slices.Contains(v.Params, "DEPTH=2")) {
			continue
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			clocks := clocks
			if v.Top == "ply11_top" {
				// A fast line has 1,200 bytes; a slow one as many as ten times the clocks of other modules give.
				clocks = max(clocks, min(12_000*newSerial(v).clocks, 10*clocks))
			}
			ends, moved, bits, same := playRandom(t, w, v, nil, clocks, 7)
			for _, e := range ends {
				if e.Difference != nil {
					t.Error(e.Difference)
				} else if e.Clocks != clocks {
					t.Errorf("%d clocks in %s", e.Clocks, e.Tool)
				}
			}
			t.Logf("of %s; %d of %d output bits had both values; these had not: %s", strings.Join(rows[key], ", "),
				moved, bits, strings.Join(same, ", "))
			if moved == 0 {
				t.Error("no output ever changes")
			}
		})
	}
}

// Every output of every clock of random inputs is the same in the netlist that Yosys makes, in Icarus and in Verilator:
// some modules here, all with the tag long.
func TestRandom(t *testing.T) {
	t.Parallel()
	some := []string{"bench.skid", "bench.unpack.32", "bench.decode", "bench.words.depth", "bench.uart", "bench.match"}
	testRandom(t, 2500, func(c eda.Check) bool { return slices.Contains(some, c.Name) })
}

// An error in what one of the three reads is found; one in what the netlist is made of, by both simulators.
func TestRandomNotices(t *testing.T) {
	w := edatest.NewWork(t, edatest.Simulators...)
	text, err := hdl.FS.ReadFile("rtl/ply11_skid.v")
	edatest.Must(t, err)
	const old = "!go && (full_q || take)"
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%q is not in ply11_skid.v once", old)
	}
	file := filepath.Join(t.TempDir(), "ply11_skid.v")
	edatest.Must(t, os.WriteFile(file, []byte(strings.Replace(string(text), old, "!go && take", 1)), 0o666))
	sound := eda.Verilog{Top: "ply11_skid", Params: []string{"WIDTH=12"}, Files: []string{"rtl/ply11_skid.v"}}
	wrong := sound
	wrong.Files = []string{file}
	for _, c := range []struct {
		name  string
		first eda.Verilog
		other map[string]eda.Verilog
		found []string
	}{
		{"none", sound, nil, nil},
		{"netlist", wrong, map[string]eda.Verilog{ToolIcarus: sound, ToolVerilator: sound},
			[]string{ToolIcarus, ToolVerilator}},
		{"Icarus", sound, map[string]eda.Verilog{ToolIcarus: wrong}, []string{ToolIcarus}},
		{"Verilator", sound, map[string]eda.Verilog{ToolVerilator: wrong}, []string{ToolVerilator}},
	} {
		ends, _, _, _ := playRandom(t, w, c.first, c.other, 500, 7)
		var found []string
		for _, e := range ends {
			if e.Difference != nil {
				found = append(found, e.Tool)
			}
		}
		if !slices.Equal(found, c.found) {
			t.Errorf("an error in %s is found by %v, not %v", c.name, found, c.found)
		}
	}
}
