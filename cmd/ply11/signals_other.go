// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import "os"

var endingSignals = []os.Signal{os.Interrupt}

func quietSignals() {}
