// SPDX-License-Identifier: Apache-2.0

//go:build unix

package eda

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a program in a process group of its own, so that its children (the compiler under
// Verilator, the solver under yosys-smtbmc) end with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
