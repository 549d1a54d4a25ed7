// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"ply11/bitstream"
	"ply11/internal/formats"
)

// verifyOther verifies a file that is no archive: it reads all games of it, and tells all that is wrong. It
// returns how much that is, or an error of the system.
func verifyOther(f *formats.Format, path string, quiet, asJSON bool) (bad int, err error) {
	in, err := openSource(path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var told teller
	for err := range f.Verify(in.input(), formats.Options{Note: noteOf(path, quiet)}) {
		if !isGameError(err) && !errors.Is(err, bitstream.ErrPadding) {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		told.tell(inFile(path, err))
	}
	told.finish("errors")
	switch {
	case asJSON:
		err = writeJSON(struct {
			Path   string `json:"path"`
			Format string `json:"format"`
			OK     bool   `json:"ok"`
			Errors int    `json:"errors"`
		}{path, f.Name, told.n == 0, told.n})
	case !quiet && told.n == 0:
		_, err = fmt.Fprintf(&stdout, "%s: whole\n", path)
	case !quiet:
		_, err = fmt.Fprintf(&stdout, "%s: corrupt: %d errors\n", path, told.n)
	}
	return told.n, err
}
