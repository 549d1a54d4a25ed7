// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/game/pgn"
	"ply11/internal/testenv"
	"ply11/sim/cosim"
	"ply11/sim/eda"
)

// Every command has an example.
func TestHelp(t *testing.T) {
	for _, cmd := range append(newRoot().Commands(), newRoot()) {
		if !strings.Contains(cmd.Example, "go run ./cmd/genrom") || cmd.Short == "" {
			t.Errorf("%s has no example", cmd.Name())
		}
		var printed bytes.Buffer
		status := run(t.Context(), []string{cmd.Name(), "--help"}, strings.NewReader(""), &printed, io.Discard)
		out := printed.String()
		if cmd.Name() != "genrom" && (status != exitOK || !strings.Contains(out, cmd.Example)) {
			t.Errorf("%s --help: status %d", cmd.Name(), status)
		}
	}
}

// A hit more or less than those of package query is a difference, which names the game and the ply.
func TestMatchCompare(t *testing.T) {
	const games = "1. e4 (1. d4 d5 2. c4) 1... e5 2. Nf3 Nc6 *\n\n" +
		"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. e5 1-0\n\n1. c4 e5 2. -- Nf6 0-1\n"
	hit := func(game, ply int) cosim.Hit { return cosim.Hit{Game: game, Ply: ply} }
	for _, c := range []struct {
		hits []cosim.Hit
		want string
	}{
		{[]cosim.Hit{hit(1, 1), hit(1, 2), hit(2, 1), hit(2, 2)}, ""},
		{[]cosim.Hit{hit(1, 1), hit(1, 2), hit(2, 1)}, "query finds game 2, ply 2"},
		{[]cosim.Hit{hit(1, 1), hit(2, 1), hit(2, 2)}, "query finds game 1, ply 2"},
		{[]cosim.Hit{hit(1, 1), hit(1, 2), hit(2, 1), hit(2, 2), hit(3, 4)}, "ply11_match finds game 3, ply 4"},
	} {
		m, err := newMatching("Pe4; before-ply=2")
		testenv.Must(t, err)
		for g, err := range pgn.NewReader(strings.NewReader(games)).All() {
			testenv.Must(t, err)
			testenv.Must(t, m.add(g))
		}
		difference, err := m.compare(t.Context(), io.Discard, &cosim.CrossResult{Hits: c.hits})
		if err != nil || (difference == nil) != (c.want == "") || difference != nil &&
			!strings.Contains(difference.Error(), c.want) {
			t.Errorf("%v: %v, %v, want %s", c.hits, difference, err, c.want)
		}
	}
}

// Yosys makes the same netlists again, bytes for bytes: the smallest, and with the tag long all.
func TestNetlistsAgain(t *testing.T) {
	testenv.Tools(t, "yosys")
	if testenv.Long {
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"netlists", "--check", "--all", "--root", "../.."},
			strings.NewReader(""), &out, &errs); status != exitOK {
			t.Fatalf("status %d\n%s%s", status, &out, &errs)
		}
		return
	}
	circuits, err := eda.Netlists()
	testenv.Must(t, err)
	w, err := eda.NewWork()
	testenv.Must(t, err)
	defer w.Close()
	for _, c := range circuits {
		if c.Name != "unpack" {
			continue
		}
		m := netlistMaker{check: true, root: "../..", print: t.Errorf}
		if same, _, err := m.one(t.Context(), w, c); err != nil || !same {
			t.Errorf("%s: %v", c.Name, err)
		}
		return
	}
	t.Fatal("no netlist unpack")
}

// Figures are kept in the order of the designs, and those of other designs stay.
func TestRecordAreas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "measured.json")
	for _, areas := range [][]eda.Area{{{Design: "rom", Family: "ice40", BlockRAMs: 8}},
		{{Design: "encode", Family: "ice40", LUTs: 3}},
		{{Design: "rom", Family: "ecp5", BlockRAMs: 2}}, {{Design: "rom", Family: "ice40", BlockRAMs: 9}}} {
		testenv.Must(t, recordAreas(path, areas))
	}
	text, err := os.ReadFile(path)
	testenv.Must(t, err)
	var areas []eda.Area
	if err := json.Unmarshal(text, &areas); err != nil || len(areas) != 3 || areas[2].BlockRAMs != 2 ||
		areas[0].Design != "encode" || areas[0].LUTs != 3 || areas[1].BlockRAMs != 9 {
		t.Errorf("%v\n%s", err, text)
	}
	testenv.Must(t, os.WriteFile(path, []byte("no JSON"), 0o666))
	if err := recordAreas(path, areas); exitStatus(err) != exitIO {
		t.Error(err)
	}
}
