// SPDX-License-Identifier: Apache-2.0

//go:build !unix

// Package processgroup ends programs together with their children.
package processgroup

import "os/exec"

// Own does nothing where there are no process groups.
func Own(*exec.Cmd) {}
