// SPDX-License-Identifier: Apache-2.0

//go:build js

// Command archiver is package archiver in a web worker.
package main

import (
	"ply11/bitstream/dense"
	"ply11/web/archiver"
	"ply11/web/wasm/bridge"
)

func main() {
	dense.ModelFile = func() ([]byte, error) { return bridge.Fetch("model1.bin.zst") }
	bridge.Serve(archiver.Methods(), nil)
}
