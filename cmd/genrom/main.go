// SPDX-License-Identifier: Apache-2.0

// Command genrom makes what hardware and other languages need of the index: ROM images, sources, and the Verilog with
// its benches. It also checks images, draws the index, and runs the Verilog in simulators, provers and place-and-route.
// Without a command it writes everything to build/.
//
// The exit codes are those of ply11, too: see package cli.
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
	"ply11/internal/cli"
	"ply11/moveindex"
	"ply11/sim/eda"
)

// The exit statuses, from the table that both commands share.
const (
	exitOK       = cli.Done
	exitIO       = cli.Failed
	exitUsage    = cli.Usage
	exitDiffers  = cli.Wrong
	exitMissing  = cli.NoProgram
	exitCanceled = cli.Interrupted
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

func differs(err error) error { return &statusError{exitDiffers, err} }
func usage(err error) error   { return &statusError{exitUsage, err} }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	started := false
	cmd.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if !started {
		err = usage(err) // cobra does not know the command, the flag or the arguments
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "genrom: interrupted")
		return exitCanceled
	}
	fmt.Fprintf(stderr, "genrom: %v\n", err)
	return exitStatus(err)
}

func exitStatus(err error) int {
	var se *statusError
	var missing *eda.MissingError
	switch {
	case errors.As(err, &se):
		return se.status
	case errors.As(err, &missing):
		return exitMissing
	case errors.Is(err, codegen.ErrUnknownFormat):
		return exitUsage
	}
	return exitIO
}

func newRoot() *cobra.Command {
	var out string
	root := &cobra.Command{
		Use:   "genrom",
		Short: "Everything that hardware and other languages need from the 11-bit move index",
		Long: `genrom makes what a design needs to use the 11-bit move index: ROM images, Verilog, VHDL, test benches, and
sources in C and other languages. Without a command it writes all of these to build/ and prints a list. That
needs only Go; the other commands also run, prove and measure the Verilog.`,
		Example: `  go run ./cmd/genrom
  go run ./cmd/genrom check build/images/ply11_rom.quartus.hex
  go run ./cmd/genrom serve`,
		Version: cli.Version("genrom", "move index "+moveindex.TableSHA256),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runAll(cmd.OutOrStdout(), out)
		},
	}
	root.Flags().StringVarP(&out, "output", "o", "build", "folder to write to")
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(cli.FlagError)
	root.CompletionOptions.DisableDefaultCmd = true
	cli.AddGroup(root, "Files for a design:", newEmit(), newCheck(), newTable(), newBoard())
	cli.AddGroup(root, "The Verilog at work:", newServe(), newSim(), newPerft())
	cli.AddGroup(root, "Whether it is right, how large and how fast:", newProve(), newSynth())
	cli.AddGroup(root, "For those who change it:", newVectors(), newNetlists())
	cli.RootHelp(root, "")
	cli.Topics(root)
	cli.RefuseTwice(root)
	return root
}
