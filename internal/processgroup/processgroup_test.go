// SPDX-License-Identifier: Apache-2.0

//go:build unix

package processgroup_test

import (
	"bytes"
	"context"
	"os/exec"
	"ply11/internal/processgroup"
	"testing"
	"time"
)

// TestOwn ends a shell that waits for a child. The child holds the shell's output open, for which Wait waits: it
// returns when both have ended.
func TestOwn(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	defer end()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 60 & wait")
	processgroup.Own(cmd)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, end)
	begin := time.Now()
	cmd.Wait()
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the child of a program that was ended goes on: Wait took %v", took)
	}
}
