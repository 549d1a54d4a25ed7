// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command explorer is package explorer in a web worker. Besides what package bridge defines, the object ply11 has
//
//	open(size, read)          opens an archive that is here: read(at, n) is a Promise of a Uint8Array
//	openURL(url, fetchRange)  opens one on a server: fetchRange(range) is a Promise of an answer
//	index(size, read)         tells of the index of the archive that is open; it is read when it is wanted
//	indexURL(url, fetchRange) likewise, on a server
package main

import (
	"context"
	"io"
	"syscall/js"

	"ply11/bitstream/dense"
	"ply11/internal/httprange"
	"ply11/web/explorer"
	"ply11/web/wasm/bridge"
)

var session = &explorer.Session{}

func open(_ js.Value, args []js.Value) any {
	size, read := int64(args[0].Float()), args[1]
	return bridge.Async(func() (any, error) {
		return session.Open(bridge.File(size, read), size)
	})
}

func openURL(_ js.Value, args []js.Value) any {
	return bridge.Async(func() (any, error) {
		file, err := remote(args[0].String(), args[1])
		if err != nil {
			return nil, err
		}
		return session.Open(file, file.Size())
	})
}

func index(_ js.Value, args []js.Value) any {
	size, read := int64(args[0].Float()), args[1]
	return bridge.Async(func() (any, error) {
		return true, session.SetIndex(func() (io.ReaderAt, int64, error) { return bridge.File(size, read), size, nil })
	})
}

func indexURL(_ js.Value, args []js.Value) any {
	address, fetch := args[0].String(), args[1]
	return bridge.Async(func() (any, error) {
		return true, session.SetIndex(func() (io.ReaderAt, int64, error) {
			file, err := remote(address, fetch)
			if err != nil {
				return nil, 0, err
			}
			return file, file.Size(), nil
		})
	})
}

// remote opens a file on a server.
func remote(address string, fetch js.Value) (*httprange.Reader, error) {
	return httprange.New(context.Background(), address, func(_ context.Context, byteRange string) (*httprange.Response, error) {
		a, err := bridge.Await(fetch.Invoke(byteRange))
		if err != nil {
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
			Body: &body{response: a}}, nil
	})
}

// body is that of an answer. It is fetched when it is first read, and given up if it is not.
type body struct {
	response js.Value
	data     []byte
	begun    bool
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
	b.response.Call("cancel")
	return nil
}

func main() {
	dense.ModelFile = func() ([]byte, error) {
		v, err := bridge.Await(js.Global().Call("ply11Model"))
		if err != nil {
			return nil, err
		}
		return bridge.ToBytes(v), nil
	}
	bridge.Serve(session.Methods(), map[string]js.Func{"open": js.FuncOf(open), "openURL": js.FuncOf(openURL),
		"index": js.FuncOf(index), "indexURL": js.FuncOf(indexURL)})
}
