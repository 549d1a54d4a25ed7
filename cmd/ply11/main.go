// SPDX-License-Identifier: Apache-2.0

// Command ply11 keeps chess games in archives, eleven bits a move, and takes them in and out of other formats.
//
// Run ply11 help for its commands. Results go to the standard output, everything else to the standard
// error. The exit codes are those of genrom, too: see package cli.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game/codec"
	"ply11/internal/cli"
	"ply11/internal/formats"
	"ply11/internal/tempfile"
	"ply11/moveindex"
	"ply11/query/index"
)

const (
	exitError       = cli.Failed
	exitUsage       = cli.Usage
	exitCorrupt     = cli.Wrong
	exitInvalid     = cli.Invalid
	exitLoss        = cli.Loss
	exitMissing     = cli.NotFound
	exitInterrupted = cli.Interrupted
	exitPipe        = cli.Pipe
)

// exitCode is an error with its exit code, and whether it was printed already.
type exitCode struct {
	err  error
	code int
	told bool
}

func (e *exitCode) Error() string { return e.err.Error() }
func (e *exitCode) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return fail(exitUsage, format, args...) }

func fail(code int, format string, args ...any) error {
	return &exitCode{err: fmt.Errorf(format, args...), code: code}
}

// failed is the error of a command that has printed what is wrong.
func failed(code int) error {
	return &exitCode{err: errors.New("told already"), code: code, told: true}
}

func codeOf(err error) int {
	var e *exitCode
	var bad *codec.Error
	var path *fs.PathError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.code
	case errors.Is(err, dataset.ErrOther):
		return exitUsage
	case errors.As(err, &path):
		return exitError
	case errors.Is(err, archive.ErrCorrupt), errors.Is(err, archive.ErrNotArchive), errors.Is(err, archive.ErrVersion):
		return exitCorrupt
	case errors.As(err, new(*index.Error)), errors.Is(err, index.ErrOtherArchive):
		return exitCorrupt
	case errors.Is(err, archive.ErrNoGame):
		return exitMissing
	case errors.Is(err, formats.ErrUnknown), errors.Is(err, codec.ErrOption), errors.Is(err, formats.ErrSibling):
		return exitUsage
	case errors.Is(err, codec.ErrLoss):
		return exitLoss
	case errors.As(err, &bad) && !errors.Is(err, bitstream.ErrPadding):
		return exitInvalid
	case errors.Is(err, codec.ErrCorrupt):
		return exitCorrupt
	}
	return exitError
}

func main() { os.Exit(start(os.Args[1:])) }

// start sets up the process, runs the command and returns the exit code.
func start(args []string) int {
	quietSignals()
	ended := make(chan os.Signal, 1)
	for _, s := range endingSignals {
		if !signal.Ignored(s) { // as nohup has it
			signal.Notify(ended, s)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	returned := make(chan struct{})
	go removeOnSignal(ended, cancel, returned)
	limitMemory(38 << 20) // pack and unpack use some 10 MiB for each processor
	code := run(ctx, args)
	close(returned)
	if ctx.Err() != nil {
		select {} // the signal ends the program
	}
	tempfile.RemoveAll() // those of what was given up
	return code
}

// limitMemory has the garbage collector aim at so many bytes, unless the user sets GOMEMLIMIT.
func limitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// patience is how long a command may take to return after a signal.
const patience = 500 * time.Millisecond

// removeOnSignal waits for a signal, cancels the command, and leaves no half-written file.
func removeOnSignal(ended <-chan os.Signal, cancel func(), returned <-chan struct{}) {
	got := <-ended
	if stop := onSignal.Swap(nil); stop != nil {
		(*stop)() // and the command returns
		got = <-ended
	}
	cancel()
	select {
	case <-returned:
	case <-ended:
	case <-time.After(patience):
	}
	tempfile.RemoveAll()
	say("ended by a signal: %v", got)
	code := exitInterrupted
	if n, ok := got.(syscall.Signal); ok {
		code = cli.Signal + int(n) // as shells count
	}
	os.Exit(code)
}

func run(ctx context.Context, args []string) int {
	root := newRoot()
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
		cli.RefuseTwice(root) // cobra reads the flags of a line that it completes twice
	}
	root.SetArgs(args)
	root.SetOut(&stdout)
	root.SetErr(stderr)
	stdout.begin()
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err := root.ExecuteContext(ctx)
	var told *exitCode
	if err != nil && !started && stdout.err == nil && !errors.As(err, &told) {
		err = &exitCode{err: err, code: exitUsage} // cobra does not know the arguments
	}
	if bad := stdout.finish(); err == nil {
		err = bad
	}
	if err == nil {
		return 0
	}
	if errors.Is(stdout.err, syscall.EPIPE) {
		return exitPipe // as head does: nobody wants the rest
	}
	var e *exitCode
	if !errors.As(err, &e) || !e.told {
		tellError(err)
	}
	return codeOf(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "ply11",
		Short: "Keep chess games at eleven bits a move",
		Long: `ply11 keeps chess games in archives (.p11), a fifth the size of their PGN. An archive restores the PGN byte for byte, has
checksums, and lets you read, search and count any game directly.`,
		Example: `  ply11 pack games.pgn
  ply11 find --player carlsen games.p11
  ply11 serve games.p11`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &exitCode{err: cli.UnknownCommand(cmd, args[0]), code: exitUsage}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var e *exitCode
		if errors.As(err, &e) { // of a value, without what pflag says of it
			return e
		}
		return &exitCode{err: cli.FlagError(cmd, err), code: exitUsage}
	})
	cli.AddGroup(root, "Games into archives, and out:", packCommand(), unpackCommand(), convertCommand(), catCommand(),
		importCommand(), exportCommand())
	cli.AddGroup(root, "What is in them:", infoCommand(), showCommand(), findCommand(), treeCommand(), indexCommand(),
		treeMergeCommand(), statsCommand(), serveCommand(), explainCommand())
	cli.AddGroup(root, "Changes:", appendCommand(), editCommand(), dedupeCommand(), compactCommand())
	cli.AddGroup(root, "Damage, and measurement:", verifyCommand(), recoverCommand(), genCommand())
	cli.RootHelp(root, `Files:
  A file named - is the standard input or output. An input may be an address, https://… or http://…: of an archive there,
  show, find, tree and info read only the parts that they need (HTTP ranges).
  Input may be compressed by zstd, gzip, bzip2 or xz, which takes memory for the compressor's window, at most 128 MiB.
  PGN is written compressed if its name ends in .zst or .gz. A file gets its name only when it is complete.

`)
	cli.Topics(root)
	complete(root)
	return root
}

func versionText() string {
	return cli.Version("ply11", fmt.Sprintf("archive format %d", archive.Version),
		fmt.Sprintf("index format %d", index.Version),
		"move index "+moveindex.TableSHA256)
}

func argCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usage("%s: wrong number of arguments (%d); usage: %s", cmd.Name(), len(args), cmd.UseLine())
		}
		return excluded(cmd)
	}
}
