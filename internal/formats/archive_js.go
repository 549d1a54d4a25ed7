// SPDX-License-Identifier: Apache-2.0

package formats

// In a browser, archives have a program of their own (web/wasm/explorer): here is the name alone.
var archiveFormat = Format{Name: "p11", Extensions: []string{".p11"}, Description: "ply11's archive"}
