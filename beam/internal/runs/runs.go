// SPDX-License-Identifier: Apache-2.0

// Package runs runs pipelines.
package runs

import (
	"context"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
)

// Prism is the runner that is a part of the program: all steps run in this process.
const Prism = "prism"

// Run builds a pipeline and runs it, with a runner. If it fails, failed is called with the number of the attempt, from
// 1, and the error, and the pipeline is built and run again, at most so many times in all: prism ends at the first
// failure of a bundle, where others run the bundle again.
//
// Files have their names when they are whole, and replace what is there. What a failed attempt on prism has written is
// removed: a step may have begun with a part of its input.
//
// Temporary files are in a folder of the run, which is removed. It is that of the process, so that there is one run at
// a time. A program that a signal may end calls Run within Process.
//
// Run returns the counters of the run that ended well.
func Run(build func(s beam.Scope), runner string, attempts int, failed func(attempt int, err error)) (
	counts map[string]int64, err error) {
	dir, err := makeFolder()
	if err != nil {
		return nil, err
	}
	defer func() {
		if bad := removeFolder(); err == nil {
			err = bad
		}
	}()
	for _, name := range []string{"TMPDIR", "TMP"} { // the second is that of Windows
		old, was := os.LookupEnv(name)
		if err := os.Setenv(name, dir); err != nil {
			return nil, err
		}
		defer func() {
			if was {
				os.Setenv(name, old)
			} else {
				os.Unsetenv(name)
			}
		}()
	}
	for n := 1; ; n++ {
		p, s := beam.NewPipelineWithRoot()
		build(s)
		result, err := beam.Run(context.Background(), runner, p)
		files.EndRun(err != nil && runner == Prism)
		if err == nil {
			return countersOf(result), nil
		}
		err = &Error{err}
		if n >= attempts {
			return nil, err
		}
		failed(n, err)
	}
}

// countersOf returns the project's counters, by their names.
func countersOf(result beam.PipelineResult) map[string]int64 {
	counts := map[string]int64{}
	if result == nil {
		return counts
	}
	for _, c := range result.Metrics().AllMetrics().Counters() {
		if c.Namespace() == files.CounterSpace {
			counts[c.Name()] += c.Result()
		}
	}
	return counts
}

// Error is the error of a pipeline: a worker's text, with the plan of the work before it.
type Error struct{ Err error }

// Error is the text without the plan.
func (e *Error) Error() string {
	text := strings.TrimSpace(e.Err.Error())
	const mark = " failed:\n"
	if i := strings.LastIndex(text, mark); i >= 0 && strings.Contains(text[:i], "DoFn[") {
		text = text[i+len(mark):]
	}
	return text
}

// Unwrap returns the error with the plan.
func (e *Error) Unwrap() error { return e.Err }
