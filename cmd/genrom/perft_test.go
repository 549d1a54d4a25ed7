// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// genrom perft counts the usual initial position, or those that are given, by Icarus; a wrong use is refused.
func TestPerft(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp")
	const (
		rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
		mate  = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
	)
	for _, c := range []struct {
		args   []string
		status int
		out    []string
		errs   string
	}{
		{[]string{"--tool", "icarus", "--depth", "2"}, cli.Done, []string{"rnbqkbnr/", "2    400", "nodes a clock"},
			""},
		{[]string{"--tool", "icarus", "--depth", "2", rooks, mate}, cli.Done,
			[]string{rooks, "1     26", "2    568", mate, "2      0"}, ""},
		{[]string{"--tool", "icarus", "--depth", "4", "--cores", "2", "k7/p7/P7/8/8/8/8/K7 w - - 0 1"}, cli.Done,
			[]string{"nodes a clock"}, ""},
		{[]string{"--cores", "33"}, cli.Usage, nil, "33 cores: 1 to 32 are possible"},
		{[]string{"--tool", "icarus", "--depth", "0", mate}, cli.Done, []string{"0      1"}, ""},
		{[]string{"--tool", "icarus", "--depth", "11"}, cli.Usage, nil, "a depth of 11: 0 to 10 are possible"},
		{[]string{"--tool", "icarus", "--depth", "-1"}, cli.Usage, nil, "a depth of -1"},
		{[]string{"--tool", "sim"}, cli.Usage, nil, `unknown tool "sim"; there are verilator and icarus`},
		{[]string{"--tool", "icarus", "k7/8/8"}, cli.Usage, nil, "k7/8/8"},
	} {
		status, out, errs := genrom(t, "", append([]string{"perft"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.errs) || c.errs == "" && errs != "" {
			t.Errorf("%q: status %d\n%s%s", c.args, status, out, errs)
		}
		for _, want := range c.out {
			if !strings.Contains(out, want) {
				t.Errorf("%q: no %q in\n%s", c.args, want, out)
			}
		}
	}
}
