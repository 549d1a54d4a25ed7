// SPDX-License-Identifier: Apache-2.0

// Command genrom makes everything that hardware and other languages need of the 11-bit move index: ROM
// images, sources, the Verilog with its test benches; it checks images, draws the index, and runs the
// Verilog in simulators, provers and place-and-route.
//
// Run with nothing else, it writes all of it to build/, reads it back, passes real games through the
// decoder, and prints what it made.
//
// Exit status:
//
//	0  done, and all is well
//	1  an image, a simulation or a proof does not agree
//	2  wrong usage: an unknown command, option or format
//	3  a file could not be read or written
//	4  a program that is needed is not installed
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"ply11/codegen"
)

// The exit statuses.
const (
	exitOK       = 0
	exitDiffers  = 1
	exitUsage    = 2
	exitIO       = 3
	exitMissing  = 4
	exitCanceled = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// A statusError is an error with an exit status.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// differs, usage and inout give an error its exit status.
func differs(err error) error { return &statusError{exitDiffers, err} }
func usage(err error) error   { return &statusError{exitUsage, err} }
func inout(err error) error   { return &statusError{exitIO, err} }

// run executes a command line and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "genrom: interrupted")
		return exitCanceled
	}
	fmt.Fprintf(stderr, "genrom: %v\n", err)
	return exitStatus(err)
}

// exitStatus tells the status of an error. What cobra finds is wrong usage.
func exitStatus(err error) int {
	var se *statusError
	switch {
	case errors.As(err, &se):
		return se.status
	case isMissing(err):
		return exitMissing
	case errors.Is(err, codegen.ErrUnknownFormat):
		return exitUsage
	}
	return exitUsage
}

// newRoot returns the command with all its own.
func newRoot() *cobra.Command {
	var out string
	root := &cobra.Command{
		Use:   "genrom",
		Short: "Everything that hardware and other languages need of the 11-bit move index",
		Long: `genrom makes ROM images, sources, Verilog and test benches of the 11-bit move index.

With no command it writes all of them to build/, checks them by reading them back, passes
famous games through the decoder, and prints what it made. It needs nothing but Go.

Exit status: 0 all is well; 1 an image, a simulation or a proof does not agree; 2 wrong usage;
3 a file could not be read or written; 4 a program that is needed is not installed.`,
		Example: `  go run ./cmd/genrom
  go run ./cmd/genrom -o /tmp/rom`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runAll(cmd.OutOrStdout(), out)
		},
	}
	root.Flags().StringVarP(&out, "output", "o", "build", "folder to write to")
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newEmit(), newTable(), newCheck(), newMap(), newSim(), newProve(), newMutate(), newSynth(), newVectors())
	return root
}
