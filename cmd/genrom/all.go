// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"text/tabwriter"

	"ply11/codegen"
)

func runAll(stdout io.Writer, out string) error {
	files, err := codegen.Files()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "file\tformat\tbytes\tCRC-32")
	total := 0
	for _, f := range files {
		if err := writeFile(filepath.Join(out, filepath.FromSlash(f.Path)), f.Data); err != nil {
			return err
		}
		format := "-"
		if f.Format != nil {
			format = f.Format.Name
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%08x\n", f.Path, format, len(f.Data), crc32.ChecksumIEEE(f.Data))
		total += len(f.Data)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "\n%d files, %d bytes in %s.\n", len(files), total, out)
	return err
}
