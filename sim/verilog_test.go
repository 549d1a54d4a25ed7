// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
	"ply11/sim"
	"ply11/sim/eda"
)

// mixture makes the netlist of testdata/mixture.v.
func mixture(t *testing.T, w *eda.Work) *sim.Netlist {
	t.Helper()
	file, err := filepath.Abs("testdata/mixture.v")
	testenv.Must(t, err)
	data, err := w.Aiger(t.Context(), eda.Verilog{Top: "mixture", Files: []string{file}})
	testenv.Must(t, err)
	n, err := sim.Parse(data)
	testenv.Must(t, err)
	return n
}

func newWork(t *testing.T, programs ...string) *eda.Work {
	t.Helper()
	testenv.Tools(t, programs...)
	w, err := eda.NewWork()
	testenv.Must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// Every output, and registers inside, in every clock, are those of Icarus Verilog, which reads the same source: in
// streams of which each has random inputs of its own.
func TestIcarusAgrees(t *testing.T) {
	w := newWork(t, "yosys", "iverilog", "vvp")
	n := mixture(t, w)
	const clocks = 400
	streams := []int{0, 1, 63, 64, 130, 255}
	inputs := map[string]int{"rst": 1, "we": 1, "addr": 4, "a": 8}
	looks := map[string]string{"q": "", "product": "", "less": "", "state": "", "s_ready": "", "last": "last",
		"u_inner.age_q": "u_inner.age_q", "mem[7]": "mem[7]"}

	m, err := sim.NewMachine(n, sim.Wide)
	testenv.Must(t, err)
	r := sim.Random(29)
	want := make([]strings.Builder, len(streams))
	stimulus := make([]strings.Builder, len(streams))
	names := []string{"q", "product", "less", "state", "s_ready", "last", "u_inner.age_q", "mem[7]"}
	if len(names) != len(looks) {
		t.Fatal("names")
	}
	for clock := range clocks {
		for s := range m.Streams() {
			x := r.Next()
			if clock%97 > 1 {
				x &^= 1 // rst
			}
			at := 0
			for _, name := range []string{"rst", "we", "addr", "a"} {
				in, err := n.Port(sim.Input, name, inputs[name])
				testenv.Must(t, err)
				m.Set(in, s, x>>at)
				at += in.Width()
			}
			for k, stream := range streams {
				if stream == s {
					fmt.Fprintf(&stimulus[k], "%04x\n", x&0x3fff)
				}
			}
		}
		m.Eval()
		for k, stream := range streams {
			for _, name := range names {
				s, err := n.Signal(name)
				testenv.Must(t, err)
				fmt.Fprintf(&want[k], "%0*x ", (s.Width()+3)/4, m.Get(s, stream))
			}
			want[k].WriteByte('\n')
		}
		m.Step()
	}

	bench := `module bench;
  reg clk = 1'b0;
  reg [13:0] in [0:399];
  reg [1023:0] file;
  integer n;
  wire [7:0] q; wire [15:0] product; wire less, s_ready; wire [1:0] state;
  reg [13:0] now;
  mixture dut (.clk(clk), .rst(now[0]), .we(now[1]), .addr(now[5:2]), .a(now[13:6]),
    .q(q), .product(product), .less(less), .state(state), .s_ready(s_ready));
  initial begin
    if ($value$plusargs("in=%s", file)) $readmemh(file, in);
    for (n = 0; n < 400; n = n + 1) begin
      now = in[n];
      #5 $display("%h %h %h %h %h %h %h %h ", q, product, less, state, s_ready, dut.last, dut.u_inner.age_q, dut.mem[7]);
      clk = 1'b1;
      #5 clk = 1'b0;
    end
    $finish(0);
  end
endmodule
`
	file := filepath.Join(t.TempDir(), "bench.v")
	testenv.Must(t, os.WriteFile(file, []byte(bench), 0o666))
	source, err := filepath.Abs("testdata/mixture.v")
	testenv.Must(t, err)
	simulation, err := w.Icarus(t.Context(), eda.Verilog{Top: "bench", Files: []string{file, source}})
	testenv.Must(t, err)
	for k := range streams {
		in := filepath.Join(t.TempDir(), "in.hex")
		testenv.Must(t, os.WriteFile(in, []byte(stimulus[k].String()), 0o666))
		run, err := simulation.Run(t.Context(), "+in="+in)
		testenv.Must(t, err)
		got, expected := strings.Split(run.Output, "\n"), strings.Split(want[k].String(), "\n")
		if len(got) != len(expected) {
			t.Fatalf("%d lines of Icarus, %d of the netlist", len(got), len(expected))
		}
		for clock := range got {
			if got[clock] != expected[clock] {
				t.Fatalf("stream %d, clock %d: %v are %s in Icarus and %s in the netlist", streams[k], clock, names,
					got[clock], expected[clock])
			}
		}
	}
}

// A combinational loop is found by Yosys, and there is no netlist.
func TestLoop(t *testing.T) {
	w := newWork(t, "yosys")
	file := filepath.Join(t.TempDir(), "loop.v")
	source := "module loop(input a, output y); wire b = y ~^ a; assign y = b & a; endmodule\n"
	testenv.Must(t, os.WriteFile(file, []byte(source), 0o666))
	if data, err := w.Aiger(t.Context(), eda.Verilog{Top: "loop", Files: []string{file}}); err == nil {
		t.Errorf("a netlist of %d bytes", len(data))
	} else if !strings.Contains(err.Error(), "loop") {
		t.Error(err)
	}
}

// The netlist does not depend on comments, indentation and the folder, and the dump has its registers.
func TestSame(t *testing.T) {
	w := newWork(t, "yosys")
	text, err := os.ReadFile("testdata/mixture.v")
	testenv.Must(t, err)
	var files [2]string
	for i, text := range [2]string{string(text), "/* one\n more */ // line\n\n" + strings.ReplaceAll(string(text),
		"\n  ", "\n\t")} {
		files[i] = filepath.Join(t.TempDir(), "mixture.v")
		testenv.Must(t, os.WriteFile(files[i], []byte(text), 0o666))
	}
	var made [2][]byte
	var sources [2][]byte
	for i, file := range files {
		c := eda.Verilog{Top: "mixture", Files: []string{file}}
		if made[i], err = w.Aiger(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if sources[i], err = c.Source(os.ReadFile); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) || !bytes.Equal(sources[0], sources[1]) {
		t.Error("two netlists of one source")
	}
	n, err := sim.Parse(made[0])
	testenv.Must(t, err)
	m, err := sim.NewMachine(n, sim.Narrow)
	testenv.Must(t, err)
	var b bytes.Buffer
	v := sim.NewVCD(&b, m, 0)
	m.Eval()
	v.Cycle()
	testenv.Must(t, v.Close())
	if strings.Count(b.String(), "$var wire 1 ! clk $end\n") != 2 {
		t.Errorf("the design's clock is another than that of the dump\n%s", b.String())
	}
	for _, line := range []string{"$scope module u_inner $end\n", " state_q [1:0] $end\n", " mem[7] [7:0] $end\n"} {
		if strings.Count(b.String(), line) != 1 {
			t.Errorf("%q is not in the dump once\n%s", line, b.String())
		}
	}
}
