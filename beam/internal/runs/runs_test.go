// SPDX-License-Identifier: Apache-2.0

package runs_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
)

func TestMain(m *testing.M) {
	if how := os.Getenv(childEnv); how != "" {
		os.Exit(child(how))
	}
	ptest.Main(m)
}

func init() {
	beam.RegisterDoFn(touch)
	beam.RegisterDoFn(busy)
	beam.RegisterDoFn(wholeFn)
	beam.RegisterDoFn(failingFn)
}

// childEnv tells the test program to be a command that runs a pipeline.
const childEnv = "PLY11_BEAM_TEST_CHILD"

// errTouch is what touch fails with.
var errTouch = errors.New("no")

// touch makes a temporary file, and leaves it behind.
func touch(fails bool) error {
	f, err := os.CreateTemp("", "left-*")
	if err != nil {
		return err
	}
	f.Close()
	if fails {
		return errTouch
	}
	return nil
}

// TestRun: a run leaves no temporary file behind, and the folder for such files is what it was.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, fails := range []bool{false, true} {
		_, err := runs.Run(func(s beam.Scope) { beam.ParDo0(s, touch, beam.Create(s, fails)) }, "prism", 1, nil)
		if (err != nil) != fails {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("fails %v: %v is left", fails, left)
		}
		if os.Getenv("TMPDIR") != dir {
			t.Errorf("fails %v: the folder is %s", fails, os.Getenv("TMPDIR"))
		}
	}
}

// wrote writes a file, and fails if it is to.
func wrote(ctx context.Context, name string, fails bool) error {
	err := files.Write(ctx, name, func(w io.Writer) error {
		_, err := io.WriteString(w, "whole")
		return err
	})
	if err == nil && fails {
		err = errTouch
	}
	return err
}

func wholeFn(ctx context.Context, name string) error   { return wrote(ctx, name, false) }
func failingFn(ctx context.Context, name string) error { return wrote(ctx, name, true) }

// TestRunFails: what a run has written is not there if the run failed.
func TestRunFails(t *testing.T) {
	for _, fails := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "out", "a")
		var fn any = wholeFn
		if fails {
			fn = failingFn
		}
		_, err := runs.Run(func(s beam.Scope) { beam.ParDo0(s, fn, beam.Create(s, name)) }, runs.Prism, 1, nil)
		if (err != nil) != fails {
			t.Fatal(err)
		}
		if _, err := os.Stat(name); (err != nil) != fails {
			t.Errorf("fails %v: %v", fails, err)
		}
	}
}
