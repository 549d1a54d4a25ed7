// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command explorer is package explorer in a web worker. Besides what package bridge defines, the object ply11 has
//
//	open(id, size, read)      opens an archive that is here: read(at, n) is a Promise of a Uint8Array
//	openURL(id, url, ask, near) opens one on a server: ask(range) is a request: {answer, a Promise; cancel(), which gives it up}; near tells that the server is this machine
//	index(id, size, read)     tells of the index of the archive that is open; it is read when it is wanted
//	indexURL(id, url, ask)    likewise, on a server
//
// where id is the number of the call.
package main

import (
	"context"
	"io"
	"syscall/js"

	"ply11/bitstream/dense"
	"ply11/internal/httprange"
	"ply11/position/openings"
	"ply11/web/explorer"
	"ply11/web/wasm/bridge"
)

var session = &explorer.Session{}

func open(_ js.Value, args []js.Value) any {
	size, read := int64(args[1].Float()), args[2]
	return bridge.Async(args[0].Int(), func(ctx context.Context) (any, error) {
		return session.Open(ctx, bridge.File(size, read), size, true)
	})
}

func openURL(_ js.Value, args []js.Value) any {
	address, ask, near := args[1].String(), args[2], args[3].Bool()
	return bridge.Async(args[0].Int(), func(ctx context.Context) (any, error) {
		file, err := remote(ctx, address, ask)
		if err != nil {
			return nil, err
		}
		return session.Open(ctx, file, file.Size(), near)
	})
}

func index(_ js.Value, args []js.Value) any {
	size, read := int64(args[1].Float()), args[2]
	return bridge.Async(args[0].Int(), func(context.Context) (any, error) {
		return true, session.SetIndex(func(context.Context) (io.ReaderAt, int64, error) {
			return bridge.File(size, read), size, nil
		})
	})
}

func indexURL(_ js.Value, args []js.Value) any {
	address, ask := args[1].String(), args[2]
	return bridge.Async(args[0].Int(), func(context.Context) (any, error) {
		return true, session.SetIndex(func(ctx context.Context) (io.ReaderAt, int64, error) {
			file, err := remote(ctx, address, ask)
			if err != nil {
				return nil, 0, err
			}
			return file, file.Size(), nil
		})
	})
}

// remote opens a file on a server. It gives that up when ctx is done; once it is open, each reading has a context of
// its own.
func remote(ctx context.Context, address string, ask js.Value) (*httprange.Reader, error) {
	life, end := context.WithCancel(context.Background())
	opened := context.AfterFunc(ctx, end)
	r, err := httprange.New(life, address, func(ctx context.Context, byteRange string) (*httprange.Response, error) {
		request := ask.Invoke(byteRange)
		done := context.AfterFunc(ctx, func() { request.Call("cancel") })
		a, err := bridge.Await(request.Get("answer"))
		if err != nil {
			done()
			return nil, err
		}
		header := a.Get("headers")
		return &httprange.Response{Status: a.Get("status").Int(), Length: int64(a.Get("length").Float()),
			Header: func(name string) string {
				if v := header.Call("get", name); v.Type() == js.TypeString {
					return v.String()
				}
				return ""
			},
			Body: &body{request: request, response: a, done: done}}, nil
	})
	if err != nil {
		end()
		return nil, err
	}
	if !opened() {
		return nil, context.Cause(ctx)
	}
	return r, nil
}

// body is that of an answer. It is fetched when it is first read, and given up if it is not.
type body struct {
	request, response js.Value
	done              func() bool // the request need not be given up any more
	data              []byte
	begun             bool
}

func (b *body) Read(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		v, err := bridge.Await(b.response.Call("body"))
		if err != nil {
			return 0, err
		}
		b.data = bridge.ToBytes(v)
	}
	if len(b.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.data)
	b.data = b.data[n:]
	return n, nil
}

func (b *body) Close() error {
	b.done()
	b.request.Call("cancel")
	return nil
}

func main() {
	openings.File = func() ([]byte, error) { return bridge.Fetch("openings.tsv.gz") }
	dense.ModelFile = func() ([]byte, error) { return bridge.Fetch("model1.bin.zst") }
	bridge.Serve(session.Methods(), map[string]js.Func{"open": js.FuncOf(open), "openURL": js.FuncOf(openURL),
		"index": js.FuncOf(index), "indexURL": js.FuncOf(indexURL)})
}
