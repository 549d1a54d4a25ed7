// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endingSignals are those that end the program.
var endingSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// quietSignals makes a reader that went away, and a file that may not grow, errors of writing.
func quietSignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }
