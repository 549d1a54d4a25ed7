// SPDX-License-Identifier: Apache-2.0

package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ply11/internal/pipeline"
)

// number is a job of the tests.
type number struct{ in, out int }

// squares squares the numbers below n, and gives them to consume.
func squares(n int, consume func(int) error) pipeline.Pipeline[number] {
	next := 0
	return pipeline.Pipeline[number]{
		Workers: 3,
		Budget:  10,
		Produce: func(j *number) bool {
			j.in = next
			next++
			return next <= n
		},
		Cost: func(j *number) int { return j.in % 20 }, // some are more than the budget
		Worker: func() func(j *number) {
			return func(j *number) { j.out = j.in * j.in }
		},
		Consume: func(j *number) error { return consume(j.out) },
	}
}

// TestParallelOrder: jobs come in the order in which they were made, and none is lost.
func TestParallelOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 1000} {
		var got, want []int
		for i := range n {
			want = append(want, i*i)
		}
		p := squares(n, func(x int) error { got = append(got, x); return nil })
		if err := p.Run(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d jobs: %v, %v", n, got, err)
		}
	}
}

// TestParallelError: the first error of Consume ends all, and so does the end of the context.
func TestParallelError(t *testing.T) {
	enough := errors.New("enough")
	last := 0
	p := squares(1000, func(x int) error {
		if last = x; x == 49 {
			return enough
		}
		return nil
	})
	if err := p.Run(t.Context()); err != enough || last != 49 {
		t.Errorf("after %d: %v", last, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p = squares(1000, func(x int) error {
		if last = x; x == 49 {
			cancel()
		}
		return nil
	})
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) || last != 49 {
		t.Errorf("after %d: %v", last, err)
	}
}

// TestParallelPanic: a panic of a goroutine comes out of Run, with its cause and the place of it, and ends the others.
func TestParallelPanic(t *testing.T) {
	run := func(change func(p *pipeline.Pipeline[number])) (got any) {
		defer func() { got = recover() }()
		p := squares(1000, func(int) error { return nil })
		change(&p)
		p.Run(t.Context())
		return nil
	}
	for what, change := range map[string]func(*pipeline.Pipeline[number]){
		"worker": func(p *pipeline.Pipeline[number]) {
			p.Worker = func() func(*number) {
				return func(j *number) {
					if j.in == 5 {
						panic("a fault")
					}
				}
			}
		},
		"Produce": func(p *pipeline.Pipeline[number]) {
			made := p.Produce
			p.Produce = func(j *number) bool {
				if made(j); j.in == 5 {
					panic("a fault")
				}
				return true
			}
		},
	} {
		bug, ok := run(change).(*pipeline.Panic)
		if !ok || bug.Cause != "a fault" || !strings.Contains(string(bug.Stack), "pipeline_test.go") {
			t.Errorf("%s: %v", what, bug)
		}
	}
	if got := run(func(p *pipeline.Pipeline[number]) { p.Consume = func(*number) error { panic("its own") } }); got !=
		"its own" {
		t.Errorf("Consume: %v", got)
	}
}

// TestParallelBudget: what is under way at a time never costs more than the budget, but for one job.
func TestParallelBudget(t *testing.T) {
	var under, most atomic.Int64
	p := squares(1000, func(int) error { return nil })
	cost := func(j *number) int64 { return int64(min(p.Cost(j), p.Budget)) }
	p.Worker = func() func(*number) {
		return func(j *number) {
			now := under.Add(cost(j))
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
		}
	}
	p.Consume = func(j *number) error { under.Add(-cost(j)); return nil }
	if err := p.Run(t.Context()); err != nil || most.Load() > 10 || most.Load() < 1 {
		t.Errorf("%d are under way, %v", most.Load(), err)
	}
}
