// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"errors"
	"fmt"

	"ply11/internal/pipeline"
)

// errBug: this package panicked. It is a mistake in it, whatever the archive is.
var errBug = errors.New("bug in the archive package")

// letPanic lets panics pass, for fuzzers.
var letPanic bool

// guard makes a panic the error of the call that defers it: no bytes may end the program.
func guard(err *error) {
	if letPanic {
		return
	}
	if cause := recover(); cause != nil {
		if p, ok := cause.(*pipeline.Panic); ok { // in another goroutine
			cause = p.Cause
		}
		*err = fmt.Errorf("%w: %v", errBug, cause)
	}
}
