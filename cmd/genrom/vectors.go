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
	"ply11/moveindex"
	"ply11/sim/eda"
	"ply11/sim/vectors"
)

func newVectors() *cobra.Command {
	var check bool
	var root string
	cmd := &cobra.Command{
		Use:   "vectors",
		Short: "Make the generated files below hdl and docs again, or check them",
		Long: `vectors makes again all files below hdl and docs that a program writes: the vectors of the test benches,
the lists of files, the numbers of error and control codes, the VHDL components, the registers as C and SystemRDL, ply11_rom_case, the picture
of the index, docs/hardware-reference.md and the diagrams of docs/hardware.md. The files are the same every time.
With --check it writes nothing, and names the files of the tree that differ.

Exit code: 0 done, or no file differs; 3 a file differs; 1 a file could not be read or written.`,
		Example: `  go run ./cmd/genrom vectors
  go run ./cmd/genrom vectors --check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := generated()
			if err != nil {
				return simError(err)
			}
			files = maps.Clone(files)
			if text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(hwdoc.Page))); !errors.Is(err,
				fs.ErrNotExist) {
				if err != nil {
					return err
				}
				if text, err = hwdoc.Update(text); err != nil {
					return err
				}
				files[hwdoc.Page] = text
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
					return err
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

// generated makes the files once, but for docs/hardware.md.
var generated = sync.OnceValues(func() (map[string][]byte, error) {
	var image bytes.Buffer
	image.WriteString("// SPDX-License-Identifier: Apache-2.0\n// The table of moves as a $readmemh image, one word " +
		"of 16 bits a line.\n")
	for i := range moveindex.Index(moveindex.NumWords) {
		fmt.Fprintf(&image, "%04x\n", i.Word())
	}
	files := map[string][]byte{"hdl/tb/ply11_rom/ply11_rom_tb.mem": image.Bytes()}
	for _, make := range []func() (map[string][]byte, error){vectors.Files, eda.FileLists, codegen.Tree, hwdoc.Files} {
		more, err := make()
		if err != nil {
			return nil, err
		}
		maps.Copy(files, more)
	}
	return files, nil
})
