// SPDX-License-Identifier: Apache-2.0

// Command steps tells how much work the project's readers do: how many blocks of their code run, which is the same on every machine.
// It must be built by go build -cover -covermode=atomic -coverpkg=ply11/... . A line of its input is the name of a reader and a file;
// for each it writes the number of steps. Its test bounds them.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/coverage"
	"strings"

	"ply11/bitstream/codec"
	"ply11/codegen"
	"ply11/dataset"
	"ply11/internal/formats"
	"ply11/position"
	"ply11/query"
	"ply11/sim"
)

// readers read a whole file, whatever is in it, as the commands do.
var readers = map[string]func(file []byte){
	"index": func(file []byte) {
		if x, err := query.OpenIndex(bytes.NewReader(file), int64(len(file))); err == nil {
			x.Verify(context.Background(), nil)
		}
	},
	"netlist": func(file []byte) {
		if n, err := sim.Parse(file); err == nil {
			sim.NewMachine(n, sim.Narrow)
		}
	},
	"query": func(file []byte) { query.New().AddJSON(file) },
	"fen":   func(file []byte) { position.ParseFEN(string(file)) },
}

func init() {
	for _, f := range formats.All {
		readers[f.Name] = func(file []byte) {
			in := formats.Input{Reader: bytes.NewReader(file), Path: "-"}
			for range f.Verify(in, formats.Options{}) {
			}
		}
	}
	for _, f := range dataset.Importers() {
		readers["import-"+f.Name] = func(file []byte) {
			for _, err := range f.Games(bytes.NewReader(file), int64(len(file))) {
				var one *codec.Error
				if err != nil && !errors.As(err, &one) {
					break
				}
			}
		}
	}
	for _, f := range codegen.Formats() {
		if f.Image != nil {
			readers["rom-"+f.Name] = func(file []byte) { f.Parse(file) }
		}
	}
}

// steps adds up the counters of a file of counters, as the package internal/coverage of Go's library defines it: a header of 32 bytes, one
// of 16 for the segment, names, and then for each function how many counters it has, two numbers, and the counters.
func steps(counters []byte) (sum uint64, err error) {
	const header = 32
	if len(counters) < header+16 {
		return 0, errors.New("no counters")
	}
	functions := binary.LittleEndian.Uint64(counters[header:])
	names := binary.LittleEndian.Uint32(counters[header+8:]) + binary.LittleEndian.Uint32(counters[header+12:])
	at := (header + 16 + int(names) + 3) &^ 3
	next := func() (n uint64) {
		n, length := binary.Uvarint(counters[min(at, len(counters)):])
		if length <= 0 {
			err = errors.New("the counters are cut")
		}
		at += length
		return n
	}
	for ; functions > 0 && err == nil; functions-- {
		n := next()
		next()
		next()
		for ; n > 0 && err == nil; n-- {
			sum += next()
		}
	}
	return sum, err
}

func run() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		name, path, _ := strings.Cut(lines.Text(), " ")
		read := readers[name]
		if read == nil {
			return fmt.Errorf("no reader has the name %q", name)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := coverage.ClearCounters(); err != nil {
			return err
		}
		read(file)
		var counters bytes.Buffer
		if err := coverage.WriteCounters(&counters); err != nil {
			return err
		}
		n, err := steps(counters.Bytes())
		if err != nil {
			return err
		}
		if _, err := fmt.Println(n); err != nil {
			return err
		}
	}
	return lines.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "steps:", err)
		os.Exit(1)
	}
}
