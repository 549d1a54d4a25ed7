// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"errors"
	"fmt"
	"runtime/debug"

	"ply11/internal/pipeline"
)

// errBug: this package panicked. It is a mistake in it, whatever the archive is.
var errBug = errors.New("bug in the archive package")

// bugError is a panic of this package, which ends the call with this error, and not the program.
type bugError struct {
	Block  int   // the number of the block that was read or written, from 1; 0 if it is not about one
	Offset int64 // where the block begins, in bytes from the start of the file
	Cause  any   // what panic was given
	Stack  []byte
}

func (e *bugError) Error() string {
	s := errBug.Error()
	if e.Block > 0 {
		s += fmt.Sprintf(": block %d at offset %d", e.Block, e.Offset)
	}
	return fmt.Sprintf("%s: %v", s, e.Cause)
}

func (e *bugError) Unwrap() error { return errBug }

// letPanic lets panics pass, for fuzzers.
var letPanic bool

func guard(err *error) {
	if letPanic {
		return
	}
	if cause := recover(); cause != nil {
		*err = bug(0, 0, cause)
	}
}

func (b *Block) guard(err *error) {
	if letPanic {
		return
	}
	if cause := recover(); cause != nil {
		*err = bug(b.number, b.at, cause)
	}
}

func bug(number int, at int64, cause any) error {
	if p, ok := cause.(*pipeline.Panic); ok { // in another goroutine
		return &bugError{Block: number, Offset: at, Cause: p.Cause, Stack: p.Stack}
	}
	return &bugError{Block: number, Offset: at, Cause: cause, Stack: debug.Stack()}
}
