// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"

	"ply11/hdl"
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
func Files() ([]File, error) {
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
	err := fs.WalkDir(hdl.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || made[name] {
			return err
		}
		data, err := hdl.FS.ReadFile(name)
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

// Tree makes the files below hdl and docs that are made of the index, of hdl/registers.tsv and of the heads of the
// modules, by their names below the root of the project.
func Tree() (map[string][]byte, error) {
	registers, err := hdl.Registers()
	if err != nil {
		return nil, err
	}
	files, err := playerIncludes(hdl.FS)
	if err != nil {
		return nil, err
	}
	for name, make := range map[string]func() ([]byte, error){
		"hdl/rtl/ply11_components.vhd": func() ([]byte, error) { return components(hdl.FS) },
		"hdl/driver/ply11_regs.h":      func() ([]byte, error) { return registersHeader(registers) },
		"hdl/driver/ply11_regs.rdl":    func() ([]byte, error) { return registersRDL(registers) },
		"hdl/rtl/ply11_rom_case.v":     byName["verilog"].Generate,
		"docs/ply11_map.svg":           byName["svg"].Generate,
	} {
		if files[name], err = make(); err != nil {
			return nil, err
		}
	}
	return files, nil
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
