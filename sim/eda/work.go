// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ply11/hdl"
	"ply11/internal/processgroup"
	"ply11/internal/pytools"
)

// The simulators.
const (
	Icarus    = "icarus"
	Verilator = "verilator"
)

// packages are the Debian packages of the programs.
var packages = map[string]string{
	"iverilog":      "iverilog",
	"vvp":           "iverilog",
	"verilator":     "verilator",
	"g++":           "g++",
	"make":          "make",
	"yosys":         "yosys",
	"yosys-smtbmc":  "yosys",
	"z3":            "z3",
	"nextpnr-ice40": "nextpnr-ice40",
	"icetime":       "fpga-icestorm",
	"icepack":       "fpga-icestorm",
	"icebram":       "fpga-icestorm",
	"sta":           "opensta",
}

// A MissingError names a program that is needed and not installed.
type MissingError struct {
	Program string
	Package string // the Debian package that has it; empty: it is one of Python's
}

// Error names the program and the command that installs it.
func (e *MissingError) Error() string {
	if e.Package == "" {
		return fmt.Sprintf("%s is not installed; try: make install-tools", e.Program)
	}
	return fmt.Sprintf("%s is not installed; try: apt-get install %s", e.Program, e.Package)
}

// find returns the path of a program, also of one of Python's, or a *MissingError.
func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	if path, err := pytools.Find(program); err == nil {
		return path, nil
	}
	return "", &MissingError{program, packages[program]}
}

// Need returns a *MissingError for the first of the programs that is not installed.
func Need(programs ...string) error {
	for _, p := range programs {
		if _, err := find(p); err != nil {
			return err
		}
	}
	return nil
}

// A RunError is a program that failed.
type RunError struct {
	Program string
	Err     error
	Output  string // the end of what it printed
}

// Error gives the program, its status and the last line that it printed, or the last that begins with ERROR.
func (e *RunError) Error() string {
	line := strings.TrimSpace(e.Output)
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if i := strings.LastIndex("\n"+e.Output, "\nERROR"); i >= 0 {
		line, _, _ = strings.Cut(e.Output[i:], "\n")
	}
	if line == "" {
		return fmt.Sprintf("%s: %v", e.Program, e.Err)
	}
	return fmt.Sprintf("%s: %v: %s", e.Program, e.Err, line)
}

// Unwrap returns the error of the process.
func (e *RunError) Unwrap() error { return e.Err }

// ofMake reports whether a variable of the environment is one by which make gives orders to a make below it.
// Verilator's is not below ours.
func ofMake(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return name == "MAKEFLAGS" || name == "MFLAGS" || name == "MAKELEVEL" || name == "MAKEOVERRIDES"
}

// A Work is a temporary folder with the Verilog of package hdl in it. Several goroutines may use it at once, each in a
// folder of its own (see Sub).
type Work struct {
	Dir string
}

// NewWork makes the folder. Close removes it.
func NewWork() (*Work, error) {
	dir, err := os.MkdirTemp("", "ply11-eda-")
	if err != nil {
		return nil, err
	}
	w := &Work{Dir: dir}
	if err := hdl.Extract(dir); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Close removes the folder with all that is in it.
func (w *Work) Close() error { return os.RemoveAll(w.Dir) }

// Path returns the path of a file below the folder, given with slashes.
func (w *Work) Path(name string) string { return filepath.Join(w.Dir, filepath.FromSlash(name)) }

// Paths makes names below the folder absolute.
func (w *Work) Paths(names []string) []string {
	out := slices.Clone(names)
	for i, n := range names {
		if !filepath.IsAbs(n) {
			out[i] = w.Path(n)
		}
	}
	return out
}

// Sub makes a folder below the folder, for the files of one run.
func (w *Work) Sub(name string) (string, error) {
	return os.MkdirTemp(w.Dir, "run-"+strings.ReplaceAll(name, "/", "_")+"-")
}

// A Verilog is a module with its parameters and files.
type Verilog struct {
	Top    string
	Params []string // NAME=value
	Files  []string // below the folder of Work, or absolute
}

// verilogOf reads the columns top, params and files of a table.
func verilogOf(r hdl.Row) Verilog {
	return Verilog{r["top"], strings.Fields(r["params"]), strings.Fields(r["files"])}
}

// String is the module with its parameters.
func (v Verilog) String() string { return strings.Join(append([]string{v.Top}, v.Params...), " ") }

// Chparam returns the Yosys commands that set the parameters, each with a semicolon after it.
func (v Verilog) Chparam() string {
	var b strings.Builder
	for _, p := range v.Params {
		name, value, _ := strings.Cut(p, "=")
		fmt.Fprintf(&b, "chparam -set %s %s %s; ", name, value, v.Top)
	}
	return b.String()
}

// read returns the Yosys commands that read the module's files, where they are, and find its hierarchy, each with a
// semicolon after it.
func (v Verilog) read(files []string) string {
	return fmt.Sprintf("read_verilog %s; %shierarchy -check -top %s; ", strings.Join(files, " "), v.Chparam(), v.Top)
}

// Read returns the Yosys commands that read the module and find its hierarchy, each with a semicolon after it.
func (w *Work) Read(v Verilog) string { return v.read(w.Paths(v.Files)) }

// An Execution is what a program did.
type Execution struct {
	Output string        // standard output and error, the last 256 KiB
	CPU    time.Duration // processor time, of children too
}

const maxOutput = 256 << 10

type tail struct{ buf []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.buf = append(t.buf, b...)
	if len(t.buf) > 2*maxOutput {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-maxOutput:]...)
	}
	return len(b), nil
}

// command prepares a program, whose children end with it.
func (w *Work) command(ctx context.Context, dir, program string, args []string) (*exec.Cmd, error) {
	path := program
	if !strings.ContainsRune(program, filepath.Separator) {
		var err error
		if path, err = find(program); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(cmd.Environ(), ofMake)
	cmd.WaitDelay = time.Minute // for what is left in its pipes, on a machine with much else to do
	processgroup.Own(cmd)
	return cmd, nil
}

// finished returns what a program did that has ended with err, and its error.
func finished(ctx context.Context, cmd *exec.Cmd, out *tail, err error) (Execution, error) {
	r := Execution{Output: string(bytes.ToValidUTF8(out.buf, []byte("?")))}
	if cmd.ProcessState != nil {
		r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r, &RunError{Program: filepath.Base(cmd.Path), Err: err, Output: r.Output}
	}
	return r, nil
}

// Run runs a program in a folder. A status other than 0 is a *RunError; the Execution is returned with it. The
// program's children end with it when the context does.
func (w *Work) Run(ctx context.Context, dir, program string, args ...string) (Execution, error) {
	cmd, err := w.command(ctx, dir, program, args)
	if err != nil {
		return Execution{}, err
	}
	out := new(tail)
	cmd.Stdout, cmd.Stderr = out, out
	return finished(ctx, cmd, out, cmd.Run())
}

func prefixed(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = prefix + s
	}
	return out
}

// A Simulation is a bench that is built and ready to run.
type Simulation struct {
	work    *Work
	dir     string
	command []string
	built   time.Duration // the processor time that building it took
}

// Run runs the simulation in the folder of Work, by whose paths benches name the files that they read.
func (s *Simulation) Run(ctx context.Context, plusargs ...string) (Execution, error) {
	return s.work.Run(ctx, s.work.Dir, s.command[0], append(slices.Clone(s.command[1:]), plusargs...)...)
}

// A Process is a simulation that runs, with a pipe to its standard input and one from its standard output.
type Process struct {
	In  io.WriteCloser
	Out io.Reader

	ctx  context.Context
	cmd  *exec.Cmd
	errs *tail
}

// Start starts the simulation. What it prints on standard error is kept for Wait.
func (s *Simulation) Start(ctx context.Context, plusargs ...string) (*Process, error) {
	cmd, err := s.work.command(ctx, s.work.Dir, s.command[0], append(slices.Clone(s.command[1:]), plusargs...))
	if err != nil {
		return nil, err
	}
	p := &Process{ctx: ctx, cmd: cmd, errs: new(tail)}
	cmd.Stderr = p.errs
	if p.In, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Out, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, cmd.Start()
}

// Wait waits for the end. All of Out must have been read, or the context have ended. Execution.Output is what was
// printed on standard error.
func (p *Process) Wait() (Execution, error) { return finished(p.ctx, p.cmd, p.errs, p.cmd.Wait()) }

// Close removes what was built.
func (s *Simulation) Close() error { return os.RemoveAll(s.dir) }

// include is the folder that `include looks in, below that of Work.
const include = "tb/include"

// define is for Yosys' models of the iCE40's cells: default values of inputs are SystemVerilog.
const define = "-DNO_ICE40_DEFAULT_ASSIGNMENTS"

// Icarus builds a bench with Icarus Verilog, as Verilog-2005 with all warnings; a warning is an error.
func (w *Work) Icarus(ctx context.Context, bench Verilog) (*Simulation, error) {
	return w.icarus(ctx, bench, "-Wall")
}

// icarusNetlist is Icarus without its warnings: netlists and the vendor's models are not ours to lint.
func (w *Work) icarusNetlist(ctx context.Context, bench Verilog) (*Simulation, error) {
	return w.icarus(ctx, bench)
}

func (w *Work) icarus(ctx context.Context, b Verilog, warnings ...string) (*Simulation, error) {
	if err := Need("iverilog", "vvp"); err != nil {
		return nil, err
	}
	dir, err := w.Sub("icarus-" + b.Top)
	if err != nil {
		return nil, err
	}
	exe := filepath.Join(dir, b.Top+".vvp")
	args := slices.Concat([]string{"-g2005", "-s", b.Top, "-o", exe, "-I" + w.Path(include), define}, warnings,
		prefixed("-P"+b.Top+".", b.Params), w.Paths(b.Files))
	r, err := w.Run(ctx, dir, "iverilog", args...)
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 && strings.TrimSpace(r.Output) != "" {
		return nil, &RunError{Program: "iverilog", Err: errWarnings, Output: r.Output}
	}
	// -N makes $stop end the run with status 1.
	return &Simulation{w, dir, []string{"vvp", "-N", exe}, r.CPU}, nil
}

var errWarnings = errors.New("warnings")
