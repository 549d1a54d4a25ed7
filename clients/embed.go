// SPDX-License-Identifier: Apache-2.0

package clients

import "embed"

//go:generate npm run build --silent --prefix js

// JS has the files of the JavaScript package that the page of ply11 serve takes for what a board needs at once. The
// core, wasm.js, is made by go generate, and a test makes it again.
//
//go:embed js/core.js js/board.js js/wasm.js
var JS embed.FS
