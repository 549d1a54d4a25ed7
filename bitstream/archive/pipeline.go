// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"context"
	"sync"
)

// pipeline passes jobs through several goroutines, in their order, and bounds how much of them is under way.
type pipeline[J any] struct {
	workers int
	// budget bounds the sum of the jobs' costs. A job that costs more is under way alone.
	budget int
	// produce makes the next job; it returns false after the last. It may use the memory of job, which was consumed.
	produce func(job *J) (more bool)
	// cost tells the cost of a job that was produced.
	cost func(job *J) int
	// worker returns what works on jobs in one goroutine.
	worker func() func(job *J)
	// consume takes the jobs in the order in which they were made. Its first error ends all.
	consume func(job *J) error
}

// task is a job on its way.
type task[J any] struct {
	job  J
	cost int
	done sync.WaitGroup
	bug  any // the panic of its worker
}

// run runs the pipeline to its end and returns the error of consume, or of a context that ends. It panics as produce or a worker did, in the goroutine of its
// caller, as a *bugError.
func (p *pipeline[J]) run(ctx context.Context) error {
	// One job more than the workers can have waits for them, and one is consumed. The channels have room for all, so that
	// nobody waits but for a free task, for the budget, and for work that is done.
	n := p.workers + 2
	jobs, order := make(chan *task[J], n), make(chan *task[J], n)
	free := newStack[task[J]](n)
	left := newBudget(p.budget)
	var wg sync.WaitGroup
	var produced, worked any // their panics
	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		defer catch(&produced)
		for {
			t := free.take()
			if t == nil {
				return
			}
			if !p.produce(&t.job) {
				return
			}
			t.cost = min(p.cost(&t.job), p.budget)
			if !left.take(t.cost) {
				return
			}
			t.done.Add(1)
			jobs <- t
			order <- t
		}
	})
	for range p.workers {
		wg.Go(func() {
			work := p.worker()
			for t := range jobs {
				t.run(work)
				t.done.Done()
			}
		})
	}
	var err error
	for t := range order {
		t.done.Wait()
		if t.bug != nil {
			worked = t.bug
			break
		}
		if err = ctx.Err(); err == nil {
			err = p.consume(&t.job)
		}
		if err != nil {
			break
		}
		left.give(t.cost)
		free.give(t)
	}
	free.close()
	left.close()
	for range order {
	}
	wg.Wait()
	for _, bug := range []any{worked, produced} {
		if bug != nil {
			panic(bug)
		}
	}
	return err
}

// run does the work of a worker, and keeps its panic.
func (t *task[J]) run(work func(*J)) {
	defer catch(&t.bug)
	work(&t.job)
}

// catch keeps a panic.
func catch(to *any) {
	if letPanic {
		return
	}
	if cause := recover(); cause != nil {
		*to = bug(0, 0, cause)
	}
}

// budget is a number of bytes of which parts are taken and given back.
type budget struct {
	gate
	left int
}

func newBudget(n int) *budget {
	b := &budget{left: n}
	b.init()
	return b
}

// take waits until there are n bytes left and takes them. It returns false if the budget is closed first.
func (b *budget) take(n int) bool {
	return b.wait(func() bool { return b.left >= n }, func() { b.left -= n })
}

// give gives n bytes back.
func (b *budget) give(n int) { b.change(func() { b.left += n }) }

// stack holds things that are used again. What was given last is taken first, so that no more are used than are needed,
// and those have the memory that they need.
type stack[T any] struct {
	gate
	free []*T
}

func newStack[T any](n int) *stack[T] {
	s := &stack[T]{free: make([]*T, n)}
	for i := range s.free {
		s.free[i] = new(T)
	}
	s.init()
	return s
}

// take waits until there is one and takes it. It returns nil if the stack is closed first.
func (s *stack[T]) take() (t *T) {
	s.wait(func() bool { return len(s.free) > 0 }, func() {
		last := len(s.free) - 1
		t, s.free = s.free[last], s.free[:last]
	})
	return t
}

func (s *stack[T]) give(t *T) { s.change(func() { s.free = append(s.free, t) }) }

// gate is where goroutines wait for a change, until it is closed.
type gate struct {
	mu     sync.Mutex
	cond   sync.Cond
	closed bool
}

func (g *gate) init() { g.cond.L = &g.mu }

// wait waits until ready and then does do. It returns false if the gate is closed.
func (g *gate) wait(ready func() bool, do func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.closed && !ready() {
		g.cond.Wait()
	}
	if !g.closed {
		do()
	}
	return !g.closed
}

func (g *gate) change(do func()) {
	g.mu.Lock()
	do()
	g.mu.Unlock()
	g.cond.Broadcast()
}

func (g *gate) close() { g.change(func() { g.closed = true }) }
