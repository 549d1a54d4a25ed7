// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Package processgroup ends programs together with their children.
package processgroup

import (
	"os/exec"
	"syscall"
)

// Own puts a program of exec.CommandContext in a process group of its own, so that its children (the compiler under
// Verilator, the solver under yosys-smtbmc, the renderers of Chromium) end with it when the context is done.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
