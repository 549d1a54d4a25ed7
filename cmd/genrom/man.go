// SPDX-License-Identifier: Apache-2.0

//go:build man

package main

import "ply11/internal/cli"

// With the tag man, the program writes the manual pages and does nothing else, so that the command itself is no larger
// for them.
func init() { cli.ManualPages(newRoot()) }
