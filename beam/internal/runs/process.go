// SPDX-License-Identifier: Apache-2.0

package runs

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"ply11/beam/internal/files"
	"ply11/internal/cli"
)

var endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Process calls do, which runs pipelines, and returns its exit code. Then, or when a signal ends the program, it
// removes temporary files and files that are not complete. The code of a signal is 128 and its number. No pipeline can
// be run afterwards.
func Process(name string, do func() int) int {
	ended := make(chan os.Signal, 1)
	for _, s := range endingSignals {
		if !signal.Ignored(s) { // as nohup has it
			signal.Notify(ended, s)
		}
	}
	go func() {
		got := <-ended
		removeAll()
		fmt.Fprintf(os.Stderr, "%s: ended by a signal: %v\n", name, got)
		code := cli.Interrupted
		if n, ok := got.(syscall.Signal); ok {
			code = cli.Signal + int(n)
		}
		os.Exit(code)
	}()
	code := do()
	removeAll()
	return code
}

func removeAll() {
	files.RemoveAll()
	removeFolder()
}

var folder struct {
	sync.Mutex
	name string
}

func makeFolder() (dir string, err error) {
	folder.Lock()
	defer folder.Unlock()
	folder.name, err = os.MkdirTemp("", "ply11-beam-*")
	return folder.name, err
}

// removeFolder removes the folder. Steps that still run may make files in it until it is gone.
func removeFolder() (err error) {
	folder.Lock()
	defer folder.Unlock()
	if folder.name == "" {
		return nil
	}
	for range 100 {
		if err = os.RemoveAll(folder.name); err == nil {
			break
		}
	}
	return err
}
