// SPDX-License-Identifier: Apache-2.0

// Package pipeline passes jobs through several goroutines and takes them in the order in which they were made. It
// bounds how much of them is under way.
package pipeline

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Pipeline tells what becomes of jobs.
type Pipeline[J any] struct {
	Workers int
	// Budget bounds the sum of the jobs' costs. A job that costs more is under way alone.
	Budget int
	// Produce makes the next job; it returns false after the last. It may use the memory of job, which was consumed.
	Produce func(job *J) (more bool)
	// Cost tells the cost of a job that was produced. Without it, jobs cost nothing.
	Cost func(job *J) int
	// Worker returns what works on jobs in one goroutine.
	Worker func() func(job *J)
	// Consume takes the jobs in the order in which they were made. Its first error ends all.
	Consume func(job *J) error
}

// Panic is what Run panics with if Produce or a worker did.
type Panic struct {
	Cause any
	Stack []byte // of the goroutine that panicked
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Cause, p.Stack) }

// task is a job on its way.
type task[J any] struct {
	job  J
	cost int64
	done chan struct{}
	bug  *Panic // of its worker
}

// Run runs the pipeline to its end and returns the error of Consume, or of a context that ends. If Produce or a worker
// panics, it panics in the goroutine of its caller, with a *Panic.
func (p *Pipeline[J]) Run(ctx context.Context) error {
	// One job more than the workers can have waits for them, and one is consumed. The channels have room for all, so
	// that nobody waits but for a free task, for the budget, and for work that is done.
	n := p.Workers + 2
	jobs, order := make(chan *task[J], n), make(chan *task[J], n)
	under, stop := context.WithCancel(context.Background())
	free, left := newStack[J](n), semaphore.NewWeighted(int64(p.Budget))
	var group sync.WaitGroup
	var produced, worked *Panic
	group.Go(func() {
		defer close(jobs)
		defer close(order)
		defer catch(&produced)
		for {
			t := free.take(under)
			if t == nil || !p.Produce(&t.job) {
				return
			}
			if p.Cost != nil {
				t.cost = int64(min(p.Cost(&t.job), p.Budget))
			}
			if left.Acquire(under, t.cost) != nil {
				return
			}
			t.done = make(chan struct{})
			jobs <- t
			order <- t
		}
	})
	for range p.Workers {
		group.Go(func() {
			work := p.Worker()
			for t := range jobs {
				t.run(work)
			}
		})
	}
	err := func() error {
		defer group.Wait()
		defer func() {
			for range order {
			}
		}()
		defer stop()
		for t := range order {
			<-t.done
			if worked = t.bug; worked != nil {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := p.Consume(&t.job); err != nil {
				return err
			}
			left.Release(t.cost)
			free.give(t)
		}
		return nil
	}()
	for _, bug := range []*Panic{worked, produced} {
		if bug != nil {
			panic(bug)
		}
	}
	return err
}

// run does the work of a worker, and keeps its panic.
func (t *task[J]) run(work func(*J)) {
	defer close(t.done)
	defer catch(&t.bug)
	work(&t.job)
}

// catch keeps a panic.
func catch(to **Panic) {
	if cause := recover(); cause != nil {
		*to = &Panic{cause, debug.Stack()}
	}
}

// stack holds tasks that are used again. What was given last is taken first, so that no more are used than are needed,
// and those have the memory that they need.
type stack[J any] struct {
	count *semaphore.Weighted
	mu    sync.Mutex
	free  []*task[J]
}

func newStack[J any](n int) *stack[J] {
	s := &stack[J]{count: semaphore.NewWeighted(int64(n)), free: make([]*task[J], n)}
	for i := range s.free {
		s.free[i] = new(task[J])
	}
	return s
}

// take waits until there is one and takes it. It returns nil if the context ends first.
func (s *stack[J]) take(ctx context.Context) *task[J] {
	if s.count.Acquire(ctx, 1) != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	t := s.free[last]
	s.free = s.free[:last]
	return t
}

func (s *stack[J]) give(t *task[J]) {
	s.mu.Lock()
	s.free = append(s.free, t)
	s.mu.Unlock()
	s.count.Release(1)
}
