// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/internal/cli"
	"ply11/internal/testenv"
	"ply11/sim/eda"
	"ply11/sim/netlists"
)

// The netlists of the tree are of the Verilog of the tree. It needs only Go.
func TestNetlists(t *testing.T) {
	if status, out, errs := genrom(t, "", "netlists", "--check", "--root", "../.."); status != cli.Done {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	circuits, err := eda.Netlists()
	testenv.Must(t, err)
	for _, c := range circuits {
		n, err := netlists.Open(c.Name)
		testenv.Must(t, err)
		if gates, latches := n.Size(); gates < 300 || latches < 50 {
			t.Errorf("%s: %d gates, %d flip-flops", c.Name, gates, latches)
		}
	}
	// What is missing, of other Verilog, or changed by hand, is named, one line each.
	root := t.TempDir()
	folder := filepath.Join(root, filepath.FromSlash(netlists.Folder))
	testenv.Must(t, os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", filepath.FromSlash(netlists.Folder)))))
	sums, err := os.ReadFile(filepath.Join(folder, netlists.Sums))
	testenv.Must(t, err)
	lines := strings.SplitAfter(string(sums), "\n")
	lines[0] = strings.Replace(lines[0], " ", " 0", 1)
	data, err := os.ReadFile(filepath.Join(folder, netlists.File("words-32")))
	testenv.Must(t, err)
	for name, text := range map[string]string{
		netlists.Sums:                   strings.Join(lines, ""),
		netlists.File(circuits[2].Name): string(data), // of another
		netlists.File(circuits[3].Name): string(data[:100]),
	} {
		testenv.Must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	testenv.Must(t, os.Remove(filepath.Join(folder, netlists.File(circuits[4].Name))))
	status, out, errs := genrom(t, "", "netlists", "--check", "--root", root)
	if status != cli.Wrong || strings.Count(out, "\n") != 4 || !strings.Contains(errs, "4 of ") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	for _, i := range []int{0, 2, 3, 4} {
		if !strings.Contains(out, netlists.File(circuits[i].Name)) {
			t.Errorf("%s is not named\n%s", circuits[i].Name, out)
		}
	}
	if _, err := netlists.Bytes("absent"); !errors.Is(err, netlists.ErrAbsent) {
		t.Error(err)
	}
}

// A design of a user's: outputs of each clock as a table, from a table of inputs or random ones, and a dump.
func TestSimNetlist(t *testing.T) {
	data, err := netlists.Bytes("words-32")
	testenv.Must(t, err)
	file := filepath.Join(t.TempDir(), "player.aig")
	dump := filepath.Join(t.TempDir(), "player.vcd")
	testenv.Must(t, os.WriteFile(file, data, 0o666))
	var table strings.Builder
	table.WriteString("# a comment\nrst s_valid s_data m_ready\n")
	for range 4 {
		table.WriteString("1 0 0 1\n")
	}
	for range 10 {
		table.WriteString("0 1 ffffffff 1\n\n")
	}
	status, out, errs := genrom(t, table.String(), "sim", "--netlist", file, "--stimulus", "-", "--signals",
		"s_ready,m_valid,board,ply,g_no_legal.u_board.side", "--vcd", dump)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	const start = "dbc9acbdeeeeeeee000000000000000000000000000000006666666653412435"
	if status != cli.Done || errs != "" || len(lines) != 15 ||
		lines[0] != "clock\ts_ready\tm_valid\tboard\tply\tg_no_legal.u_board.side" ||
		lines[14] != "13\t1\t0\t"+start+"\t0000\t0" {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	text, err := os.ReadFile(dump)
	if err != nil || !strings.Contains(string(text), "$scope module u_board $end") ||
		!strings.Contains(string(text), "#140\n") {
		t.Errorf("%v: a dump of %d bytes", err, len(text))
	}
	// Random inputs are the same every time, and others with another seed.
	_, first, _ := genrom(t, "", "sim", "--netlist", file, "--reset", "rst", "--clocks", "300")
	_, second, _ := genrom(t, "", "sim", "--netlist", file, "--reset", "rst", "--clocks", "300")
	_, other, _ := genrom(t, "", "sim", "--netlist", file, "--reset", "rst", "--clocks", "300", "--seed", "2")
	if strings.Count(first, "\n") != 301 || first != second || first == other {
		t.Errorf("%d lines", strings.Count(first, "\n"))
	}
	cut := filepath.Join(t.TempDir(), "cut.aig")
	testenv.Must(t, os.WriteFile(cut, data[:5000], 0o666))
	large := filepath.Join(t.TempDir(), "large.aig.zst")
	enc, err := zstd.NewWriter(nil)
	testenv.Must(t, err)
	testenv.Must(t, os.WriteFile(large, enc.EncodeAll(make([]byte, 64<<20+1), nil), 0o666))
	for _, c := range []struct {
		status int
		want   string
		stdin  string
		args   []string
	}{
		{cli.Failed, "large.aig.zst: it has more than 64 MiB", "", []string{"--netlist", large}},
		{cli.Failed, "-: line 1: rst is there twice", "rst s_data rst\n", []string{"--netlist", file, "--stimulus",
			"-"}},
		{cli.Usage, "not both", "", []string{"--netlist", "-", "--stimulus", "-"}},
		{cli.Failed, "-: sim: byte ", string(data[:5000]), []string{"--netlist", "-"}},
		{cli.Failed, "absent.aig", "", []string{"--netlist", "absent.aig"}},
		{cli.Failed, "cut.aig: sim: byte ", "", []string{"--netlist", cut}},
		{cli.Usage, "input nreset", "", []string{"--netlist", file, "--reset", "nreset"}},
		{cli.Usage, "no such signal: u_board.absent", "", []string{"--netlist", file, "--signals", "u_board.absent"}},
		{cli.Failed, "-: line 1: board is no input", "board\n", []string{"--netlist", file, "--stimulus", "-"}},
		{cli.Failed, "-: line 2: 1 values for 2 inputs", "rst s_data\n1\n", []string{"--netlist", file, "--stimulus",
			"-"}},
		{cli.Failed, "-: line 3: s_data has 32 bits: 100000000 is too large", "rst s_data\n1 0\n0 100000000\n",
			[]string{"--netlist", file, "--stimulus", "-"}},
		{cli.Failed, "-: line 2: s_data: \"x\" is no hexadecimal number", "rst s_data\n1 x\n",
			[]string{"--netlist", file, "--stimulus", "-"}},
		{cli.Failed, "there is no line", "\n", []string{"--netlist", file, "--stimulus", "-"}},
		{cli.Usage, "--seed needs --netlist", "", []string{"--seed", "3"}},
		{cli.Usage, "--mode is for games", "", []string{"--netlist", file, "--mode", "words"}},
		{cli.Usage, "--reset does not go with", "", []string{"--netlist", file, "--stimulus", "-", "--reset", "rst"}},
		{cli.Usage, "--clocks -1", "", []string{"--netlist", file, "--clocks", "-1"}},
	} {
		status, _, errs := genrom(t, c.stdin, append([]string{"sim"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d: %s", c.args, status, errs)
		}
	}
}
