// SPDX-License-Identifier: Apache-2.0

package cocotb_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

// A bench is one of the Python files here, and what it is run on.
type bench struct {
	module, top, lint string   // the check of hdl/checks.tsv that lists its files
	parameters        []string // the builds that take turns
	errors            []sown   // each of which it must notice in the first build
}

// An error of the Verilog.
type sown struct{ file, from, to string }

var widths = []string{"MODES=1 WIDTH=32", "MODES=1 WIDTH=8", "MODES=1 WIDTH=64"}

var benches = []bench{
	{"test_moves", "ply11_moves", "lint.moves", []string{""}, []sown{
		{"rtl/ply11_moves_find.v", "wire       bares = taken_pinned_q || ", "wire       bares = "}}},
	{"test_player_axis", "ply11_player_axis", "lint.player_axis.32", widths, []sown{
		{"rtl/ply11_player_axis.v", "{captured, piece, 5'd0", "{piece, captured, 5'd0"}}},
	{"test_peripheral", "ply11_peripheral", "lint.peripheral", widths, []sown{
		{"rtl/ply11_regs.v", "waits_q <= beat_tvalid && !beat_tready;", "waits_q <= 1'b0;"},
		{"rtl/ply11_player_axis.v", "if (reset) drop_q <= packet;", "if (reset) drop_q <= 1'b0;"}}},
}

// files returns the Verilog of a bench's module.
func (b bench) files(t *testing.T, w *eda.Work) []string {
	t.Helper()
	checks, err := eda.Checks()
	testenv.Must(t, err)
	for _, c := range checks {
		if c.Name == b.lint {
			return w.Paths(c.Files)
		}
	}
	t.Fatalf("there is no check %s", b.lint)
	return nil
}

// run runs a bench on files, built with parameters, and returns what it printed.
func (b bench) run(t *testing.T, w *eda.Work, files []string, parameters string, games, seed int) (string, error) {
	t.Helper()
	table := filepath.Join(t.TempDir(), "table.tsv")
	testenv.Must(t, os.WriteFile(table, moveindex.AppendTable(nil), 0o666))
	script, err := filepath.Abs("common.py")
	testenv.Must(t, err)
	cmd := exec.CommandContext(t.Context(), testenv.Python(t), append([]string{script, t.TempDir(), b.top, b.module},
		files...)...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=ignore::DeprecationWarning",
		"PLY11_TABLE="+table, "PLY11_RDL="+w.Path("driver/ply11_regs.rdl"),
		"PLY11_PARAMETERS="+parameters, fmt.Sprintf("PLY11_GAMES=%d", games), fmt.Sprintf("PLY11_SEED=%d", seed))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The modules do what python-chess says, and each bench fails where the Verilog is wrong.
func TestBenches(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp")
	games, seeds := 2, 1
	if testenv.Long {
		games, seeds = 40, 6
	}
	for _, b := range benches {
		t.Run(b.module, func(t *testing.T) {
			t.Parallel()
			w := edatest.NewWork(t)
			files := b.files(t, w)
			for seed := range max(seeds, len(b.parameters)) {
				parameters := b.parameters[seed%len(b.parameters)]
				if out, err := b.run(t, w, files, parameters, games, seed+1); err != nil ||
					!strings.HasSuffix(out, "cocotb: 1 tests, 0 failed\n") {
					t.Errorf("%s, seed %d: %v\n%s", parameters, seed+1, err, out)
				}
			}
			for _, e := range b.errors {
				text, err := os.ReadFile(w.Path(e.file))
				if err != nil || strings.Count(string(text), e.from) != 1 {
					t.Fatalf("%s has %q %d times (%v)", e.file, e.from, strings.Count(string(text), e.from), err)
				}
				testenv.Must(t, os.WriteFile(w.Path(e.file), []byte(strings.Replace(string(text), e.from, e.to, 1)),
					0o666))
				if out, err := b.run(t, w, files, b.parameters[0], games, 1); err == nil ||
					!strings.HasSuffix(out, "cocotb: 1 tests, 1 failed\n") {
					t.Errorf("%q in place of %q is not noticed: %v\n%s", e.to, e.from, err, out)
				}
				testenv.Must(t, os.WriteFile(w.Path(e.file), text, 0o666))
			}
		})
	}
}

// The component of examples/amaranth, which Yosys takes from Amaranth, decodes every index, and not if
// two of its fields change places.
func TestAmaranth(t *testing.T) {
	testenv.Tools(t, "yosys", "iverilog", "vvp")
	w := edatest.NewWork(t)
	source, err := os.ReadFile(filepath.Join("..", "..", "examples", "amaranth", "ply11_decode.py"))
	testenv.Must(t, err)
	b := bench{module: "test_amaranth", top: "top"}
	for _, swap := range []bool{false, true} {
		text := string(source)
		if swap {
			text = strings.NewReplacer(`"from": 6, "to": 6`, `"to": 6, "from": 6`).Replace(text)
		}
		dir := t.TempDir()
		testenv.Must(t, os.WriteFile(filepath.Join(dir, "component.py"), []byte(text), 0o666))
		cmd := exec.CommandContext(t.Context(), testenv.Python(t), filepath.Join(dir, "component.py"))
		il, err := cmd.Output()
		testenv.Must(t, err)
		testenv.Must(t, os.WriteFile(filepath.Join(dir, "top.il"), il, 0o666))
		top := filepath.Join(dir, "top.v")
		if _, err := w.Run(t.Context(), dir, "yosys", "-q", "-p",
			"read_rtlil top.il; read_verilog "+w.Path("rtl/ply11_decode_pipe.v")+
				"; hierarchy -check -top top; proc; flatten; write_verilog -noattr top.v"); err != nil {
			t.Fatal(err)
		}
		if out, err := b.run(t, w, []string{top}, "", 1, 1); (err != nil) != swap ||
			!strings.Contains(out, "cocotb: 1 tests, ") {
			t.Errorf("fields changed %v: %v\n%s", swap, err, out)
		}
	}
}

// The Verilog has none of the faults that verible's rules know, but for those that are of SystemVerilog or
// of another house's style.
func TestVerible(t *testing.T) {
	lint := testenv.Tools(t, "verible-verilog-lint")[0]
	w := edatest.NewWork(t)
	files, err := filepath.Glob(w.Path("rtl/*.v"))
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	bad := w.Path("bad.v")
	testenv.Must(t, os.WriteFile(bad,
		[]byte("module bad (input wire a);\n  always @(a) case (a)\n    1'b0: ;\n  endcase\nendmodule\n"),
		0o666))
	run := func(files ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), lint,
			append([]string{"--rules=-always-comb,-explicit-function-lifetime,-explicit-function-task-parameter-type," +
				"-explicit-parameter-storage-type,-line-length,-parameter-name-style," +
				"-unpacked-dimensions-range-ordering"}, files...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := run(files...); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run(bad); err == nil || !strings.Contains(out, "[case-missing-default]") {
		t.Errorf("a case without a default: %v\n%s", err, out)
	}
}

// slang compiles the files behind the name of a top module, as Verilog-2005, and fails at the first warning.
const slang = `import shlex, sys, pyslang
d = pyslang.driver.Driver()
d.addStandardArgs()
ok = d.parseCommandLine("slang --std 1364-2005 -Werror --top " + shlex.join(sys.argv[1:])) and d.processOptions()
sys.exit(not (ok and d.parseAllSources() and d.runFullCompilation(True)))`

// Every module is what IEEE 1364 and 1800 allow, as slang reads them: a name, for instance, is declared
// before it is used.
func TestSlang(t *testing.T) {
	python := testenv.Python(t)
	w := edatest.NewWork(t)
	run := func(args ...string) error {
		out, err := exec.CommandContext(t.Context(), python, append([]string{"-c", slang}, args...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
	bad := w.Path("bad.v")
	testenv.Must(t, os.WriteFile(bad,
		[]byte("module bad (output wire a);\n  assign a = b;\n  wire b = 1'b0;\nendmodule\n"),
		0o666))
	if err := run("bad", bad); err == nil || !strings.Contains(err.Error(), "'b' used before its declaration") {
		t.Errorf("a wire before its declaration: %v", err)
	}
	checks, err := eda.Checks()
	testenv.Must(t, err)
	for _, c := range checks {
		if c.Kind != "lint" {
			continue
		}
		args := append([]string{c.Top}, w.Paths(c.Files)...)
		for _, p := range c.Params {
			args = append(args, "-G"+p)
		}
		if err := run(args...); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// The core of hdl is found in a library, and its targets do what they are for.
func TestFuseSoC(t *testing.T) {
	fusesoc := testenv.Tools(t, "fusesoc", "verilator", "yosys", "nextpnr-ice40", "icepack", "iverilog")[0]
	w := edatest.NewWork(t)
	dir := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), fusesoc, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("library", "add", "ply11", w.Dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	targets := []string{"lint", "sim"}
	if testenv.Long {
		targets = append(targets, "synth")
	}
	for _, target := range targets {
		if out, err := run("run", "--target="+target, "ply11:chess:ply11"); err != nil || target == "sim" &&
			!strings.Contains(out, "PASS ply11_player_tb") {
			t.Errorf("%s: %v\n%s", target, err, out)
		}
	}
	if out, err := run("run", "--setup", "--target=synth", "ply11:chess:ply11"); err != nil {
		t.Errorf("synth: %v\n%s", err, out)
	}
	// An error of the Verilog ends a target.
	path := w.Path("rtl/ply11_words.v")
	testenv.Must(t, os.WriteFile(path, []byte("module ply11_words (input wire a);\nendmodule\n"), 0o666))
	if out, err := run("run", "--target=lint", "ply11:chess:ply11"); err == nil {
		t.Errorf("a module without its ports passes:\n%s", out)
	}
}
