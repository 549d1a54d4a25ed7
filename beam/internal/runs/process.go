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

// endingSignals are those that end a program. Windows has the first alone.
var endingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Process calls do, which runs pipelines, and returns its exit code. If a signal ends the program before, or steps of a
// pipeline that failed are not at their end yet, it removes what they have made: temporary files. A
// signal ends the program with the code 128 and the signal's number. No pipeline can be run
// afterwards.
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

// folder is that of the run's temporary files, "" before one is made.
var folder struct {
	sync.Mutex
	name string
}

// makeFolder makes it.
func makeFolder() (dir string, err error) {
	folder.Lock()
	defer folder.Unlock()
	folder.name, err = os.MkdirTemp("", "ply11-beam-*")
	return folder.name, err
}

// removeFolder removes it. Steps that still run may make a file in it meanwhile, so that it may take several times;
// they cannot any more when it is gone.
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
