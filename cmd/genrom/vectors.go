// SPDX-License-Identifier: Apache-2.0

package main

//go:generate go run . vectors --root ../..

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"ply11/cmd/genrom/internal/hwdoc"
	"ply11/codegen"
	"ply11/hdl"
	"ply11/moveindex"
	"ply11/sim/eda"
	"ply11/sim/vectors"
)

// newVectors returns the command that makes what is generated below hdl, docs and testdata.
func newVectors() *cobra.Command {
	var check bool
	var root string
	cmd := &cobra.Command{
		Use:   "vectors",
		Short: "Make the generated files below hdl and docs again, or check them",
		Long: `vectors makes again all files below hdl and docs that a program writes: the vectors of the test benches,
the lists of files, the numbers of error and control codes, the VHDL components, the registers as C and SystemRDL, ply11_rom_case, and the picture
of the index. The files are the same every time. With --check it writes nothing, and names
the files of the tree that differ.

Exit code: 0 done, or no file differs; 3 a file differs; 1 a file could not be read or written.`,
		Example: `  go run ./cmd/genrom vectors
  go run ./cmd/genrom vectors --check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := generated()
			if err != nil {
				return simError(err)
			}
			wrong := 0
			for _, name := range slices.Sorted(maps.Keys(files)) {
				path := filepath.Join(root, filepath.FromSlash(name))
				if !check {
					if err := writeFile(path, files[name]); err != nil {
						return err
					}
					continue
				}
				old, err := os.ReadFile(path)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return inout(err)
				}
				if err != nil || !bytes.Equal(old, files[name]) {
					wrong++
					fmt.Fprintf(cmd.OutOrStdout(),
						"%s differs from what is generated: run go run ./cmd/genrom vectors\n", path)
				}
			}
			if wrong > 0 {
				return differs(fmt.Errorf("%d of %d generated files differ", wrong, len(files)))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, compare")
	cmd.Flags().StringVar(&root, "root", ".", "root of the project")
	return cmd
}

// generated makes the files once.
var generated = sync.OnceValues(generatedFiles)

// generatedFiles returns the generated files below hdl, docs and testdata, by their names.
func generatedFiles() (map[string][]byte, error) {
	files, err := vectors.Files()
	if err != nil {
		return nil, err
	}
	lists, err := eda.FileLists()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, lists)
	if files["hdl/"+codegen.ComponentsPath], err = codegen.Components(hdl.FS); err != nil {
		return nil, err
	}
	includes, err := codegen.PlayerIncludes(hdl.FS)
	if err != nil {
		return nil, err
	}
	for name, data := range includes {
		files["hdl/"+name] = data
	}
	registers, err := hdl.Registers()
	if err != nil {
		return nil, err
	}
	if files["hdl/"+codegen.RegistersHeaderPath], err = codegen.RegistersHeader(registers); err != nil {
		return nil, err
	}
	if files["hdl/"+codegen.RegistersRDLPath], err = codegen.RegistersRDL(registers); err != nil {
		return nil, err
	}
	codes, err := hwdoc.Codes()
	if err != nil {
		return nil, err
	}
	for name, data := range codes {
		files["hdl/"+name] = data
	}
	for name, format := range map[string]string{
		"hdl/rtl/ply11_rom_case.v": "verilog",
		"docs/ply11_map.svg":       "svg",
	} {
		f, err := codegen.Lookup(format)
		if err != nil {
			return nil, err
		}
		if files[name], err = f.Generate(); err != nil {
			return nil, err
		}
	}
	var image bytes.Buffer
	image.WriteString("// SPDX-License-Identifier: Apache-2.0\n// The table of moves as a $readmemh image, one word " +
		"of 16 bits a line.\n")
	for i := range moveindex.Index(moveindex.NumWords) {
		fmt.Fprintf(&image, "%04x\n", i.Word())
	}
	files["hdl/tb/ply11_rom/ply11_rom_tb.mem"] = image.Bytes()
	return files, nil
}
