// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
)

// A File is one file of everything that genrom makes.
type File struct {
	Path   string  // below the folder of output, with forward slashes
	Format *Format // nil for a copy of a hand-written file, and for SHA256SUMS
	Data   []byte
}

// emitAll is the command that makes everything.
const emitAll = "go run ./cmd/genrom emit"

// SumsPath is the file that holds the SHA-256 of each of the others.
const SumsPath = "SHA256SUMS"

// Files makes everything: all formats, the hand-written hardware in hdl with the banner in each file
// that has comments, and SHA256SUMS.
func Files(hdl fs.FS) ([]File, error) {
	var files []File
	made := make(map[string]bool)
	for _, f := range formats {
		data, err := f.Generate()
		if err != nil {
			return nil, err
		}
		files = append(files, File{f.Path, f, data})
		made[f.Path] = true
	}
	err := fs.WalkDir(hdl, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || made[name] {
			return err
		}
		data, err := fs.ReadFile(hdl, name)
		if err == nil {
			files = append(files, File{Path: name, Data: withBanner(name, data)})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p := new(printer)
	p.f("# SPDX-License-Identifier: Apache-2.0\n")
	for _, line := range bannerLines(emitAll) {
		p.f("# %s\n", line)
	}
	for _, f := range files {
		p.f("%s  %s\n", Checksum(f.Data), f.Path)
	}
	sums, err := p.result()
	if err != nil {
		return nil, err
	}
	return append(files, File{Path: SumsPath, Data: sums}), nil
}

// commentSigns are the signs of the hand-written files that have comments to the end of the line.
var commentSigns = map[string]string{
	".v": "//", ".vh": "//", ".sv": "//", ".cpp": "//", ".h": "//", ".vlt": "//", ".f": "//", ".mem": "//",
	".py": "#", ".tsv": "#", ".ys": "#", ".pcf": "#", ".lpf": "#", ".core": "#", ".sh": "#", ".mk": "#",
	".cst": "//", ".vhd": "--", ".c": "//", ".rdl": "//",
}

// withBanner puts the banner after the first line of a hand-written file, which is its licence or what
// its reader wants there.
func withBanner(name string, data []byte) []byte {
	sign := commentSigns[path.Ext(name)]
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	if sign == "" || !ok {
		return data
	}
	var b bytes.Buffer
	b.Write(first)
	b.WriteByte('\n')
	for _, line := range bannerLines(emitAll) {
		fmt.Fprintf(&b, "%s %s\n", sign, line)
	}
	b.Write(rest)
	return b.Bytes()
}
