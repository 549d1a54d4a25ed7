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

const emitAll = "go run ./cmd/genrom emit"

// SumsPath is the file that holds the SHA-256 of each of the others.
const SumsPath = "SHA256SUMS"

// Files makes everything: all formats, the hand-written hardware in hdl with the banner in each file
// that has comments, and SHA256SUMS.
func Files() ([]File, error) {
	var files []File
	made := make(map[string]bool)
	for _, f := range formats {
		files = append(files, File{f.Path, f, f.Generate()})
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
	return append(files, File{Path: SumsPath, Data: p.Bytes()}), nil
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
	if files["hdl/rtl/ply11_components.vhd"], err = components(hdl.FS); err != nil {
		return nil, err
	}
	if files["hdl/driver/ply11_regs.rdl"], err = registersRDL(registers); err != nil {
		return nil, err
	}
	files["hdl/driver/ply11_regs.h"] = registersHeader(registers)
	files["hdl/rtl/ply11_rom_case.v"] = byName["verilog"].Generate()
	files["docs/ply11_map.svg"] = byName["svg"].Generate()
	return files, nil
}

// commentSigns are the signs of comments to the end of the line, by the extensions of files.
var commentSigns = map[string]string{
	".v": "//", ".vh": "//", ".sv": "//", ".cpp": "//", ".h": "//", ".vlt": "//", ".f": "//", ".mem": "//",
	".py": "#", ".tsv": "#", ".ys": "#", ".pcf": "#", ".lpf": "#", ".core": "#", ".sh": "#", ".mk": "#",
	".cst": "//", ".vhd": "--", ".c": "//", ".rdl": "//",
}

// withBanner puts the banner after the first line of a hand-written file.
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
