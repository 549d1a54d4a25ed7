// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

// Start is the whole program; Run is one command line of it, in the caller's process.
var (
	Start = start
	Run   = run
)
