// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// TestSameWork does each row's work once, with the peers that are here, and all of them do what ply11 does.
func TestSameWork(t *testing.T) {
	testenv.Tools(t)
	os.Stat("peers.py") // so that go test knows that it reads them
	os.Stat("scid.tcl")
	var out bytes.Buffer
	b := &bencher{dir: t.TempDir(), only: regexp.MustCompile(""), out: &out}
	testenv.Must(t, b.findPeers(false))
	master, _ := datadir.ReadAll(t, samples.Plain, "pgn", "master", "master-50k.pgn.zst")
	clocks, _ := datadir.ReadAll(t, samples.Clocks, "pgn", "annotated", "lichess-1k.pgn.zst")
	for kind, text := range map[int][]byte{plain: master, withPython: master, withClocks: clocks} {
		size := map[int]int{plain: 30_000, withPython: 1_000_000, withClocks: 100_000}[kind]
		text = text[:bytes.LastIndex(text[:min(size, len(text))], []byte("\n[Event "))+1] // whole games
		if err := b.run(strconv.Itoa(kind), kind, text); err != nil {
			t.Error(err)
		}
	}
	if b.differ > 0 {
		t.Error("a peer has done something else")
	}
	t.Log(out.String())
}

// TestOtherWork: a side that does something else is told, and one that is not there says how to get it.
func TestOtherWork(t *testing.T) {
	does := func(what string) work { return func(int) (string, time.Duration, error) { return what, 1, nil } }
	for _, c := range []struct {
		p            *peer
		theirs, want string
		differ       int
	}{
		{&peer{version: "x 1"}, "3", "| a: 3, b | 2 | 2 | 1 | x 1 |", 0},
		{&peer{version: "x 1"}, "4", "| a: 3, b | 2 | 2 | 1 | x 1: **4 beside our 3** |", 1},
		{&peer{missing: "get x"}, "4", "| a: 3, b | 2 | – | – | not here: get x |", 0},
		{nil, "", "| a: 3, b | 2 | – | – | – |", 0},
	} {
		var out bytes.Buffer
		b := &bencher{turns: 3, out: &out}
		err := b.measure(row{title: "a", unit: "b", amount: 2e-9, peer: c.p, sides: []work{does("3"), does(c.theirs)}})
		if got := strings.TrimSpace(out.String()); got != c.want || err != nil || b.differ != c.differ {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
}
