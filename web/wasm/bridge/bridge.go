// SPDX-License-Identifier: Apache-2.0

//go:build js

// Package bridge connects a Go program with the web worker in which it runs: web/static/worker.js.
//
//	bridge.Serve(explain.Methods(), nil)
package bridge

import (
	"context"
	"errors"
	"io"
	"sync"
	"syscall/js"

	"ply11/web/call"
	"ply11/web/call/wire"
)

var (
	promise = js.Global().Get("Promise")
	array   = js.Global().Get("Uint8Array")

	mu     sync.Mutex
	cancel = map[int]context.CancelFunc{}
)

// Await waits for a promise. The browser does other things meanwhile.
func Await(p js.Value) (js.Value, error) {
	type outcome struct {
		v   js.Value
		err error
	}
	c := make(chan outcome, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any {
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		c <- outcome{v, nil}
		return nil
	})
	defer done.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := "it failed"
		if len(args) > 0 {
			text = js.Global().Call("String", args[0]).String()
		}
		c <- outcome{js.Undefined(), errors.New(text)}
		return nil
	})
	defer failed.Release()
	p.Call("then", done, failed)
	o := <-c
	return o.v, o.err
}

// ToBytes copies a Uint8Array.
func ToBytes(v js.Value) []byte {
	if !v.InstanceOf(array) {
		return nil
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// Fetch fetches a file that stands beside the page, without its compression by gzip.
func Fetch(name string) ([]byte, error) {
	v, err := Await(js.Global().Call("ply11Fetch", name))
	if err != nil {
		return nil, err
	}
	return ToBytes(v), nil
}

// file is a file that the page has been given: an object with its size, and read(at, n), which is a Promise of a
// Uint8Array.
type file struct {
	read js.Value
	size int64
}

// File returns what reads a file of the page by read(at, n), a Promise of a Uint8Array.
func File(size int64, read js.Value) io.ReaderAt { return file{read, size} }

func (f file) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at >= f.size {
		return 0, io.EOF
	}
	n := min(int64(len(b)), f.size-at)
	v, err := Await(f.read.Invoke(float64(at), float64(n)))
	if err != nil {
		return 0, err
	}
	got := js.CopyBytesToGo(b[:n], v)
	if got < len(b) {
		return got, io.EOF
	}
	return got, nil
}

// fromBytes makes a Uint8Array.
func fromBytes(b []byte) js.Value {
	v := array.New(len(b))
	js.CopyBytesToJS(v, b)
	return v
}

// Async makes a Promise of what is done in a goroutine for the call with a number. Its context is done when the page
// gives the call up.
func Async(id int, do func(context.Context) (any, error)) js.Value {
	ctx, end := begin(id)
	var start js.Func
	start = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			defer start.Release()
			v, err := do(ctx)
			end()
			if err == nil {
				switch r := v.(type) {
				case call.Bytes:
					resolve.Invoke(fromBytes(r))
					return
				default:
					var text []byte
					if text, err = wire.Append(nil, r); err == nil {
						resolve.Invoke(js.Global().Get("JSON").Call("parse", string(text)))
						return
					}
				}
			}
			reject.Invoke(js.Global().Get("Error").New(err.Error()))
		}()
		return nil
	})
	return promise.New(start)
}

// begin makes the context of a call.
func begin(id int) (context.Context, func()) {
	ctx, stop := context.WithCancel(context.Background())
	mu.Lock()
	cancel[id] = stop
	mu.Unlock()
	return ctx, func() {
		mu.Lock()
		delete(cancel, id)
		mu.Unlock()
		stop()
	}
}

// Serve defines the global object ply11, and never returns:
//
//	call(id, method, params, data, progress)  a Promise of what the method gives: an object, or a Uint8Array; data is a Uint8Array, an
//	                                          object {size, read} that is a file, or null
//	cancel(id)                                gives up a call
//
// and more functions besides.
func Serve(methods call.Methods, more map[string]js.Func) {
	object := map[string]any{
		"call": js.FuncOf(func(_ js.Value, args []js.Value) any {
			id, progress := args[0].Int(), args[4]
			c := &call.Call{Method: args[1].String(), Params: []byte(args[2].String()), Data: ToBytes(args[3]),
				Progress: func(done float64) { progress.Invoke(done) },
				Yield:    func() { Await(js.Global().Call("ply11Pause")) }}
			if data := args[3]; data.Type() == js.TypeObject && data.Get("read").Type() == js.TypeFunction {
				c.Size = int64(data.Get("size").Float())
				c.File = File(c.Size, data.Get("read"))
			}
			return Async(id, func(ctx context.Context) (any, error) { return methods.Do(ctx, c) })
		}),
		"cancel": js.FuncOf(func(_ js.Value, args []js.Value) any {
			mu.Lock()
			stop := cancel[args[0].Int()]
			mu.Unlock()
			if stop != nil {
				stop()
			}
			return nil
		}),
	}
	for name, f := range more {
		object[name] = f
	}
	js.Global().Set("ply11", js.ValueOf(object))
	js.Global().Call("ply11Ready")
	select {}
}
