// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
)

// recorder is a test that notes why it is skipped, so that none is counted as skipped.
type recorder struct {
	testing.TB
	skip string
}

func (r *recorder) Skip(args ...any) {
	r.skip = fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, args ...any) { r.Skip(fmt.Sprintf(format, args...)) }

func TestSkips(t *testing.T) {
	old := flag.Lookup("test.short").Value.String()
	defer flag.Set("test.short", old)
	for _, c := range []struct {
		short string
		test  func(tb testing.TB)
		skip  string
	}{
		{"false", func(tb testing.TB) {
			if paths := Tools(tb, "go", "go"); len(paths) != 2 || paths[0] != paths[1] {
				t.Errorf("go is in %q", paths)
			}
		}, ""},
		{"false", func(tb testing.TB) { Tools(tb, "go", "gone") }, "gone is not installed (make install-tools)"},
		{"true", func(tb testing.TB) { Tools(tb, "go") }, "make quick runs Go alone: this test runs other programs"},
		{"false", func(tb testing.TB) { Slow(tb) }, ""},
		{"true", func(tb testing.TB) { Slow(tb) }, "make quick leaves out what takes many seconds"},
		{"false", func(tb testing.TB) { tb.Skip(Pick(100, 3)) }, "100"},
		{"true", func(tb testing.TB) { tb.Skip(Pick(100, 3)) }, "3"},
		{"false", func(tb testing.TB) { tb.Skip(First([]int{5, 6, 7}, 2)) }, "[5 6 7]"},
		{"true", func(tb testing.TB) { tb.Skip(First([]int{5, 6, 7}, 2)) }, "[5 6]"},
		{"true", func(tb testing.TB) { tb.Skip(First([]int{5}, 2)) }, "[5]"},
	} {
		flag.Set("test.short", c.short)
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.test(r)
		}()
		<-done
		if r.skip != c.skip {
			t.Errorf("skipped for %q, want %q", r.skip, c.skip)
		}
	}
}
