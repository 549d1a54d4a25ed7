// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	genromcmd "ply11/cmd/genrom"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// An interruption is no fault of the hardware: the check that runs and those that wait are named, and none is WRONG.
func TestProveInterrupted(t *testing.T) {
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	for name, text := range map[string]string{
		"iverilog":  "#!/bin/sh\nexit 0\n",
		"verilator": "#!/bin/sh\n: > '" + started + "'\nexec sleep 60\n",
		"yosys":     "#!/bin/sh\nexit 0\n",
	} {
		testenv.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777))
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(started); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out, errs bytes.Buffer
	status := genromcmd.Run(ctx, []string{"prove", "--run", "^lint.stack$", "--workers", "1"}, strings.NewReader(""),
		&out, &errs)
	text := out.String() + errs.String()
	if status != cli.Interrupted || strings.Contains(text, "WRONG") ||
		strings.Contains(text, "not finished: lint.stack iverilog") {
		t.Errorf("status %d\n%s", status, text)
	}
	for _, want := range []string{"ok    lint.stack iverilog", "not finished: lint.stack verilator",
		"not finished: lint.stack yosys", "genrom: interrupted"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
