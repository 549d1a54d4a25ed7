// SPDX-License-Identifier: Apache-2.0

package runs_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/internal/cli"
)

// child is that command. Its pipeline has a step for each word of how.
func child(how string) int {
	beam.Init()
	build := func(s beam.Scope) {
		for _, word := range strings.Fields(how) {
			beam.ParDo0(s, busy, beam.Create(s, word))
		}
	}
	return runs.Process("child", func() int {
		if _, err := runs.Run(build, runs.Prism, 2, func(int, error) {}); err != nil {
			return cli.Failed
		}
		return cli.Done
	})
}

// waiting is closed when a step waits.
var waiting = make(chan bool)

var closeWaiting = sync.OnceFunc(func() { close(waiting) })

// busy begins to write a file, makes a temporary file as Beam does, and then is done, waits for ever, with later when
// one is done, or fails when another step waits.
func busy(ctx context.Context, how string) error {
	return files.Write(ctx, "out/new/"+how, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		f, err := os.CreateTemp("", "beam-*")
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		switch how {
		case "waits", "later":
			for how == "later" { // another is done
				if _, err := os.Stat("out/new/done"); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			fmt.Println("waits")
			closeWaiting()
			select {}
		case "fails":
			<-waiting
			return errTouch
		}
		return nil
	})
}

// TestEnds: a command that fails or is ended by a signal leaves only whole files and their folders; one that is done
// leaves what it wrote.
func TestEnds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how    string
		signal syscall.Signal
		code   int
		left   string
	}{
		{"done", 0, cli.Done, "out out/new out/new/done tmp"},
		{"waits fails", 0, cli.Failed, "out out/new tmp"},
		{"waits", syscall.SIGINT, cli.Signal + 2, "out out/new tmp"},
		{"done later", syscall.SIGINT, cli.Signal + 2, "out out/new out/new/done tmp"},
		{"waits", syscall.SIGTERM, cli.Signal + 15, "out out/new tmp"},
		{"waits", syscall.SIGHUP, cli.Signal + 1, "out out/new tmp"},
		{"waits", syscall.SIGQUIT, cli.Signal + 3, "out out/new tmp"},
	} {
		t.Run(fmt.Sprint(c.how, " ", c.signal), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"out", "tmp"} { // these are not the command's
				if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(self)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), childEnv+"="+c.how, "TMPDIR="+filepath.Join(dir, "tmp"))
			if c.signal != 0 { // or the command would inherit that the signal is ignored, as nohup has it
				signal.Notify(make(chan os.Signal, 1), c.signal)
				defer signal.Reset(c.signal)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			if c.signal != 0 {
				if !lines.Scan() {
					t.Error("the pipeline does not begin")
				}
				if err := cmd.Process.Signal(c.signal); err != nil {
					t.Error(err)
				}
			}
			for lines.Scan() {
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			var left []string
			filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
				if err != nil {
					t.Error(err)
				}
				if path != dir {
					left = append(left, strings.TrimPrefix(path, dir+"/"))
				}
				return nil
			})
			if got := strings.Join(left, " "); got != c.left {
				t.Errorf("there is %q, want %q", got, c.left)
			}
		})
	}
}
