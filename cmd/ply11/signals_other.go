// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import (
	"io/fs"
	"os"
)

var endingSignals = []os.Signal{os.Interrupt}

func quietSignals() {}

func umask() fs.FileMode { return 0o022 }
