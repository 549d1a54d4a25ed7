// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command bytes is package explain in a web worker.
package main

import (
	"ply11/web/explain"
	"ply11/web/wasm/bridge"
)

func main() { bridge.Serve(explain.Methods(), nil) }
