// SPDX-License-Identifier: Apache-2.0

// Command ply11-beam works on many archives with many machines: its commands are pipelines of Apache Beam. Without
// another --runner it runs them on this machine, by Beam's runner prism, which is part of the program.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx" // the runners, local files, gs://
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/beam/p11io"
	"ply11/beam/pipelines"
	"ply11/bitstream/archive"
	"ply11/internal/cli"
)

func main() {
	if slices.ContainsFunc(os.Args[1:], isWorker) {
		// A runner has started the program as one of its workers, which have Beam's flags alone.
		flag.Parse()
		beam.Init() // it does not return
	}
	os.Exit(runs.Process("ply11-beam", func() int { return execute(os.Args[1:]) }))
}

func isWorker(arg string) bool {
	name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return strings.HasPrefix(arg, "-") && name == "worker" && value != "false"
}

var errUsage = errors.New("usage")

func usage(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, args...)...)
}

func execute(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err := root.Execute()
	switch {
	case err == nil:
		return cli.Done
	case errors.Is(err, errUsage) || !started:
		fmt.Fprintf(os.Stderr, "ply11-beam: %s\n", strings.TrimPrefix(err.Error(), errUsage.Error()+": "))
		return cli.Usage
	}
	fmt.Fprintf(os.Stderr, "ply11-beam: %v\n", err)
	return cli.Failed
}

// submitting is what the help of each command says of runners.
const submitting = `
Runners. Without --runner, the pipeline runs on this machine, by Beam's runner prism, in the program itself. To submit it to others:

  Google Cloud Dataflow: the files are in gs://
    --runner dataflow --project P --region R --staging_location gs://B/staging
  Apache Flink or Spark: their Beam job server is at an address, and the files are where all machines find them, in s3:// or gs://
    --runner flink --endpoint localhost:8099 --environment_type DOCKER
    --runner spark --endpoint localhost:8099 --environment_type DOCKER
  Any other runner with a job server; LOOPBACK has the workers in the process that submits
    --runner universal --endpoint localhost:8099 --environment_type LOOPBACK

All other flags of Beam can be given, too: ply11-beam flags lists them. The files of s3:// and gs:// are found with the credentials of the
environment, as the programs of these services have them.`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "ply11-beam",
		Short: "Work on many archives with many machines",
		Long: `Work on many archives with many machines: each command is a pipeline of Apache Beam. What a command writes is what ply11 writes on one machine.
` + submitting,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(packCommand(), dedupeCommand(), exportCommand(), flagsCommand())
	cli.Topics(root)
	cli.RefuseTwice(root)
	return root
}

// job is what the commands have in common.
type job struct {
	prefix   string
	verbose  bool
	attempts int
}

// output adds the flag --output, which a command needs.
func (j *job) output(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&j.prefix, "output", "o", "", "what the `NAMES` of the "+what+" begin with; a folder, if it ends in /")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if j.prefix == "" {
			return usage("use --output to say what the names of the %s begin with", what)
		}
		return nil
	}
}

// add adds the other flags, and those of Beam, which --help does not list.
func (j *job) add(cmd *cobra.Command) {
	cmd.Long += "\n" + submitting
	f := cmd.Flags()
	f.IntVar(&j.attempts, "attempts", 3,
		"how often prism runs the pipeline, at most, if something in it fails; other runners have their own rule")
	f.BoolVarP(&j.verbose, "verbose", "v", false, "print on the standard error what the runner does")
	flag.VisitAll(func(g *flag.Flag) {
		if f.Lookup(g.Name) != nil {
			return
		}
		p := pflag.PFlagFromGoFlag(g)
		p.Shorthand = ""
		if p.Hidden = p.Name != "runner"; !p.Hidden {
			p.Usage = "who runs the pipeline: prism, dataflow, flink, spark (default prism)"
		}
		f.AddFlag(p)
	})
}

// run builds the pipeline and runs it, on prism again if it fails. The names of what it writes end with ext.
func (j *job) run(patterns []string, ext string, build func(s beam.Scope)) error {
	if err := apart(patterns, p11io.ShardName(j.prefix, 0, 1, ext)); err != nil {
		return err
	}
	if j.attempts < 1 {
		return usage("--attempts is 1 or more, not %d", j.attempts)
	}
	beam.Init()
	if !j.verbose {
		slog.SetDefault(slog.New(slog.DiscardHandler)) // what fails is told by the error
	}
	name, attempts := *runners.Runner, j.attempts
	if name == "" {
		name = runs.Prism
	}
	if name != runs.Prism {
		attempts = 1
	}
	counts, err := runs.Run(build, name, attempts, func(n int, err error) {
		fmt.Fprintf(os.Stderr, "ply11-beam: attempt %d of %d: %v\n", n, attempts, err)
	})
	if err == nil && j.verbose { // a pipeline that failed tells no counts
		fmt.Fprintf(os.Stderr, "ply11-beam: %d files, %d bytes, %d games", counts[files.FilesCounter],
			counts[files.BytesCounter], counts[files.GamesCounter])
		if n := counts[pipelines.InvalidCounter]; n > 0 {
			fmt.Fprintf(os.Stderr, ", %d of them not valid", n)
		}
		fmt.Fprintln(os.Stderr)
	}
	if err != nil && strings.Contains(err.Error(), archive.ErrNotArchive.Error()) { // a text, as it comes from a worker
		return fmt.Errorf("%w; pack PGN first: ply11-beam pack -o NAME PATTERN", err)
	}
	return err
}

// apart refuses an output that the patterns would match when the pipeline runs again.
func apart(patterns []string, output string) error {
	for _, pattern := range patterns {
		if same, err := path.Match(pattern, output); same || err != nil || pattern == output {
			return usage("the pattern %q matches what is to be written: %s", pattern, output)
		}
	}
	return nil
}

func flagsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "flags",
		Short:   "List the flags of Beam and its runners",
		Long:    "List the flags of Apache Beam and its runners, which each command takes.",
		Example: "  ply11-beam flags",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			set := pflag.NewFlagSet("beam", pflag.ContinueOnError)
			set.AddGoFlagSet(flag.CommandLine)
			_, err := fmt.Print(set.FlagUsages())
			return err
		},
	}
}
