// SPDX-License-Identifier: Apache-2.0

// Package samples has the files of the project's own games; package internal/samples tells what each is for.
package samples

import "embed"

// Files are the files of this folder.
//
//go:embed *.pgn
var Files embed.FS
