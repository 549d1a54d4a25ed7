// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ply11/hdl"
)

// A Circuit is a row of hdl/netlists.tsv: a module of which Aiger makes a netlist.
type Circuit struct {
	Name string
	Verilog
}

// Netlists returns the rows of hdl/netlists.tsv.
func Netlists() ([]Circuit, error) {
	rows, err := hdl.Table("netlists.tsv")
	circuits := make([]Circuit, len(rows))
	for i, r := range rows {
		circuits[i] = Circuit{r["name"], verilogOf(r)}
	}
	return circuits, err
}

// script makes flip-flops of everything that keeps a value, and gates with two inputs of the rest. What has no value
// and no driver is 0. read is the commands that read the sources.
func (d Verilog) script(read string) string {
	return read + d.Chparam() + "hierarchy -check -top " + d.Top + `
proc
flatten
opt
memory -nomap
memory_map
opt -full
techmap
opt
setundef -zero -undriven
opt
dffunmap
setundef -zero -init
techmap
opt_clean
abc -g AND
opt_clean
check -assert
write_aiger -symbols netlist.aig
`
}

// Source returns the Verilog from which the netlist is made, without comments, indentation and empty lines, and the
// script: the netlist is the same as long as this is. read gives the text of a file.
func (d Verilog) Source(read func(name string) ([]byte, error)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(d.script(""))
	for _, name := range d.Files {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "// %s\n%s", path.Base(filepath.ToSlash(name)), plain(string(text)))
	}
	return b.Bytes(), nil
}

// Sum returns the SHA-256 of Source of the files in package hdl, as hexadecimal digits.
func (d Verilog) Sum() (string, error) {
	source, err := d.Source(hdl.FS.ReadFile)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(source)), nil
}

// plain takes comments, indentation and empty lines off a Verilog text.
func plain(text string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, `"/`)
		if i < 0 {
			i = len(text)
		}
		b.WriteString(text[:i])
		text = text[i:]
		switch {
		case text == "":
		case text[0] == '"':
			end := 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			b.WriteString(text[:end])
			text = text[end:]
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
			b.WriteByte('\n')
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text[2:], "*/")
			b.WriteByte(' ')
		default:
			b.WriteByte('/')
			text = text[1:]
		}
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line+"\n")
		}
	}
	return strings.Join(lines, "")
}

// Aiger makes a netlist with Yosys, in the binary form of AIGER with symbols, as package sim reads it. It is the same
// every time with the same Yosys. A combinational loop is an error.
func (w *Work) Aiger(ctx context.Context, d Verilog) ([]byte, error) {
	dir, err := w.Sub("aiger-" + d.Top)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var read strings.Builder
	for i, name := range w.Paths(d.Files) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file := fmt.Sprintf("%d.v", i)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(plain(string(text))), 0o666); err != nil {
			return nil, err
		}
		fmt.Fprintf(&read, "read_verilog %s\n", file)
	}
	if err := os.WriteFile(filepath.Join(dir, "netlist.ys"), []byte(d.script(read.String())), 0o666); err != nil {
		return nil, err
	}
	if _, err := w.Run(ctx, dir, "yosys", "-q", "netlist.ys"); err != nil {
		return nil, fmt.Errorf("%s: %w", d.Top, err)
	}
	return os.ReadFile(filepath.Join(dir, "netlist.aig"))
}
