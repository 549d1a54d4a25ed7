// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command hardware is package hardware in a web worker.
package main

import (
	"ply11/web/hardware"
	"ply11/web/wasm/bridge"
)

func main() { bridge.Serve((&hardware.Session{}).Methods(), nil) }
