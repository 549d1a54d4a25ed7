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
// 1, and the error, and the pipeline is built and run again, at most so many times in all. The runner prism ends at the
// first failure of a bundle, so that it needs that; others run the bundle again.
//
// What the pipelines write has its name when it is whole, and replaces what is there. So nothing is there twice. What
// an attempt on prism that failed has written is removed: prism gives up at the first failure, but a step that waits
// for all of its input may still begin, with a part of it.
//
// Temporary files of the run are in a folder of its own, which is removed: Beam leaves some of its files behind. The
// folder is that of the process while the run lasts, so that there is one run at a time. A
// program that may be ended by a signal calls Run within Process.
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

// countersOf returns the counters of the project of a pipeline that has ended, by their names. A runner that does not
// tell them has none.
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

// Error is the error of a pipeline. It comes from a worker, as a text with the plan of the work before it.
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
