// SPDX-License-Identifier: Apache-2.0

package codec

import (
	"bufio"
	"io"
)

// Output is the common part of Writers: the buffer, the number of the game, the policy for what the format cannot hold,
// and what may be called after an error and after Close.
type Output struct {
	buf    *bufio.Writer
	games  int
	lossy  bool
	report func(*LossError)
	err    error
	closed bool
}

// outputBuffer is how much an Output collects before it writes.
const outputBuffer = 32 << 10

// WriterOption changes what a Writer does.
type WriterOption func(*Output) error

// Lossy makes a Writer drop what its format cannot hold, and call report, unless that is nil, for each such game.
// Without it, the Writer refuses these games.
func Lossy(report func(*LossError)) WriterOption {
	return func(o *Output) error {
		o.lossy, o.report = true, report
		return nil
	}
}

// NewOutput returns an Output to w. An error of an option is final.
func NewOutput(w io.Writer, options ...WriterOption) Output {
	o := Output{buf: bufio.NewWriterSize(w, outputBuffer)}
	o.err = Apply(&o, options)
	return o
}

// Begin begins a Write. The Write must return its error at once.
func (o *Output) Begin() error {
	if o.err != nil {
		return o.err
	}
	if o.closed {
		return ErrClosed
	}
	o.games++
	return nil
}

// Admit decides whether a game may be written, by what encoding it returned: nil, a *LossError, or an *Error. It
// returns the error that the Write must return.
func (o *Output) Admit(err error) error {
	if l, ok := err.(*LossError); ok {
		l.Game = o.games
		if !o.lossy {
			return l
		}
		if o.report != nil {
			o.report(l)
		}
		return nil
	}
	return InGame(o.games, err)
}

// Write writes bytes. An error is final.
func (o *Output) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.buf.Write(b)
	return n, o.Fail(err)
}

// Fail keeps the first error that is final, and returns it.
func (o *Output) Fail(err error) error {
	if o.err == nil {
		o.err = err
	}
	return o.err
}

// End calls finish, if that is not nil and nothing has failed, and writes what is left. Later it returns the error, if
// there was one.
func (o *Output) End(finish func() error) error {
	if o.closed || o.err != nil {
		o.closed = true
		return o.err
	}
	o.closed = true
	if finish != nil {
		o.Fail(finish())
	}
	if o.err == nil {
		o.err = o.buf.Flush()
	}
	return o.err
}
