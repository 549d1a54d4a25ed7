// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command hardware is package hardware in a web worker. It fetches the netlist of a mode when that is first wanted.
package main

import (
	"context"

	"ply11/web/hardware"
	"ply11/web/wasm/bridge"
)

func main() {
	session := hardware.Session{Fetch: func(_ context.Context, name string) ([]byte, error) {
		return bridge.Fetch(name + ".aig.gz")
	}}
	bridge.Serve(session.Methods(), nil)
}
