// SPDX-License-Identifier: Apache-2.0

// Package call is how the explorer's page asks the Go programs in its workers: a call has a method's name and its
// parameters as JSON, and gives a value to be written as JSON, or bytes. Packages explorer, explain and hardware have
// the methods; package bridge connects them with a browser.
//
//	methods := call.Methods{"square": call.New(func(_ context.Context, _ *call.Call, n int) (any, error) { return n * n, nil })}
//	value, err := methods.Do(ctx, &call.Call{Method: "square", Params: []byte("7")})
package call

import (
	"context"
	"errors"
	"fmt"
	"io"

	"ply11/web/call/wire"
)

// ErrCanceled: the call was given up.
var ErrCanceled = errors.New("canceled")

// Call is a call of a method.
type Call struct {
	Method string
	Params []byte // JSON
	// Data is bytes that come beside the parameters.
	Data []byte
	// File, unless nil, is a file of Size bytes that comes in their place, and is read where it lies.
	File io.ReaderAt
	Size int64
	// Progress, unless nil, is told how much of a call is done, from 0 to 1.
	Progress func(done float64)
	// Yield, unless nil, lets the browser do other things. A method that works for long calls it from time to time.
	Yield func()
}

// Bytes is a result that is not written as JSON.
type Bytes []byte

// Method does a call.
type Method func(context.Context, *Call) (any, error)

// Methods are those of a program, by their names.
type Methods map[string]Method

// New makes a Method of a function with parameters of its own. Parameters that it does not know are an error.
func New[P any](do func(context.Context, *Call, P) (any, error)) Method {
	return func(ctx context.Context, c *Call) (any, error) {
		var p P
		if len(c.Params) > 0 {
			if err := wire.Read(c.Params, &p); err != nil {
				return nil, fmt.Errorf("%s: parameters: %w", c.Method, err)
			}
		}
		return do(ctx, c, p)
	}
}

// Do does a call.
func (m Methods) Do(ctx context.Context, c *Call) (result any, err error) {
	do, ok := m[c.Method]
	if !ok {
		return nil, fmt.Errorf("unknown method %q", c.Method)
	}
	defer func() {
		if cause := recover(); cause != nil {
			result, err = nil, fmt.Errorf("bug in the explorer: %s: %v", c.Method, cause)
		}
	}()
	return do(ctx, c)
}
