// SPDX-License-Identifier: Apache-2.0

package main

//go:generate go run . netlists --root ../..

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"ply11/sim/eda"
	"ply11/sim/netlists"
)

func newNetlists() *cobra.Command {
	m := netlistMaker{}
	cmd := &cobra.Command{
		Use:   "netlists",
		Short: "Make the netlists of the Verilog again where it has changed, or check them",
		Long: `netlists makes the files below sim/netlists, which genrom sim runs: and-gates and flip-flops that Yosys makes of
the Verilog. hdl/netlists.tsv says of which modules with which parameters. A netlist whose Verilog is as it was is not
made again. The files are the same every time with the same Yosys: the tests expect those of Debian's 0.23.

With --check it writes nothing, and names the netlists whose Verilog has changed, or whose file is missing. With --all it
makes all of them, which takes minutes; with both, it makes all of them and compares.

Exit code: 0 done, or all are as they must be; 3 a netlist is not; 1 a file could not be read or written; 7 Yosys is not installed.`,
		Example: `  go run ./cmd/genrom netlists
  go run ./cmd/genrom netlists --check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m.print = func(format string, args ...any) { fmt.Fprintf(cmd.OutOrStdout(), format, args...) }
			return m.run(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&m.check, "check", false, "write nothing, compare")
	cmd.Flags().BoolVar(&m.all, "all", false, "make also those whose Verilog is as it was")
	cmd.Flags().StringVar(&m.root, "root", ".", "root of the project")
	return cmd
}

type netlistMaker struct {
	check, all bool
	root       string
	print      func(format string, args ...any)
}

func (m *netlistMaker) path(name string) string {
	return filepath.Join(m.root, filepath.FromSlash(netlists.Folder), name)
}

func (m *netlistMaker) run(ctx context.Context) error {
	circuits, err := eda.Netlists()
	if err != nil {
		return err
	}
	table, err := os.ReadFile(m.path(netlists.Sums))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	rows := make([]string, len(circuits))
	var stale []int
	for i, d := range circuits {
		sum, err := d.Sum()
		if err != nil {
			return err
		}
		rows[i] = m.row(string(table), d.Name, sum)
		if rows[i] == "" || m.all {
			stale = append(stale, i)
		}
	}
	wrong := 0
	var makeErr error
	if m.check && !m.all {
		wrong = len(stale)
		for _, i := range stale {
			m.print("%s is not of the Verilog as it is: run go run ./cmd/genrom netlists\n",
				m.path(netlists.File(circuits[i].Name)))
		}
	} else {
		wrong, makeErr = m.make(ctx, circuits, stale, rows)
	}
	text := strings.Join(rows, "")
	if text != string(table) && !m.check {
		// What was made is kept, also if the rest was not.
		makeErr = errors.Join(makeErr, writeFile(m.path(netlists.Sums), []byte(text)))
	}
	switch {
	case makeErr != nil:
		return makeErr
	case wrong > 0:
		return differs(fmt.Errorf("%d of %d netlists differ", wrong, len(circuits)))
	case m.check && text != string(table):
		return differs(fmt.Errorf("%s has rows of other netlists", m.path(netlists.Sums)))
	}
	return nil
}

// row returns the line of a netlist in the table, if the checksums of the Verilog and of its file are right, or "".
func (m *netlistMaker) row(table, name, sum string) string {
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != name || fields[1] != sum {
			continue
		}
		if aiger, err := m.read(name); err == nil && line == netlistRow(name, sum, aiger) {
			return line
		}
	}
	return ""
}

func netlistRow(name, sum string, aiger []byte) string {
	return fmt.Sprintf("%s %s %x\n", name, sum, sha256.Sum256(aiger))
}

func (m *netlistMaker) read(name string) ([]byte, error) {
	f, err := os.Open(m.path(netlists.File(name)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var b bytes.Buffer
	_, err = b.ReadFrom(z)
	return b.Bytes(), err
}

// make makes netlists and writes their files, or, with --check, counts those that differ. It fills their rows.
func (m *netlistMaker) make(ctx context.Context, circuits []eda.Circuit, which []int, rows []string) (wrong int,
	err error) {
	w, err := eda.NewWork()
	if err != nil {
		return 0, err
	}
	defer w.Close()
	var others atomic.Int64
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, i := range which {
		group.Go(func() error {
			same, row, err := m.one(ctx, w, circuits[i])
			if rows[i] = row; !same {
				others.Add(1)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil { // one is enough
		return 0, simError(err)
	}
	return int(others.Load()), nil
}

// one makes a netlist. same is false if it is checked and differs.
func (m *netlistMaker) one(ctx context.Context, w *eda.Work, d eda.Circuit) (same bool, row string, err error) {
	sum, err := d.Sum()
	if err != nil {
		return false, "", err
	}
	aiger, err := w.Aiger(ctx, d.Verilog)
	if err != nil {
		return false, "", err
	}
	row = netlistRow(d.Name, sum, aiger)
	path := m.path(netlists.File(d.Name))
	if m.check {
		if old, err := m.read(d.Name); err != nil || !bytes.Equal(old, aiger) {
			m.print("%s is another than Yosys makes: run go run ./cmd/genrom netlists\n", path)
			return false, row, nil
		}
		return true, row, nil
	}
	data, err := netlists.Compress(aiger)
	if err != nil {
		return false, "", err
	}
	if err := writeFile(path, data); err != nil {
		return false, "", err
	}
	m.print("%s\n", path)
	return true, row, nil
}
