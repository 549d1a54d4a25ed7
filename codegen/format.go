// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"errors"
	"fmt"
	"strings"
)

// A Format is one file that genrom makes.
type Format struct {
	Name        string // what `genrom emit -t` calls it
	Path        string // the file, below the folder of output, with forward slashes
	Description string
	Image       *Image // what it is an image of; nil for a source

	generate func(*printer, *Format)
}

// Generate returns the file.
func (f *Format) Generate() []byte {
	p := new(printer)
	f.generate(p, f)
	return p.Bytes()
}

func (f *Format) binary() bool { return strings.HasSuffix(f.Path, ".bin") }

// ErrUnknownFormat is wrapped by errors of Lookup and Check.
var ErrUnknownFormat = errors.New("unknown format")

// encodings are the image formats; each is made of each image.
var encodings = []struct {
	name, ext, description string
	generate               func(*printer, *Format)
}{
	{"memh", ".memh", "$readmemh hex with comments", writeMemh},
	{"mem", ".mem", "the same under Vivado's favourite name", writeMemh},
	{"hex", ".hex", "plain hex without comments (icebram)", writeHex},
	{"coe", ".coe", "Xilinx coefficient file", writeCOE},
	{"mif", ".mif", "Intel (Altera) memory initialization file", writeMIF},
	{"ihex", ".ihex", "Intel HEX, byte addresses, low byte first", writeIntelHex},
	{"ihex16", ".quartus.hex", "Intel HEX, word addresses (Quartus)", writeIntelHex16},
	{"lattice", ".lattice.mem", "Lattice memory initialization file", writeLattice},
	{"bin-le", ".le.bin", "raw binary, low byte first", writeBinaryLE},
	{"bin-be", ".be.bin", "raw binary, high byte first", writeBinaryBE},
}

// sources are the formats that are no images.
var sources = []*Format{
	{Name: "verilog", Path: "rtl/ply11_rom_case.v", Description: "the ROM as a case, a Verilog-2005 module",
		generate: writeSource},
	{Name: "systemverilog", Path: "src/ply11_pkg.sv", Description: "constants and decode, a SystemVerilog package",
		generate: writeSource},
	{Name: "vhdl", Path: "src/ply11_pkg.vhd", Description: "constants, ROM and decode, a VHDL-93 package",
		generate: writeSource},
	{Name: "c", Path: "src/ply11.h", Description: "tables, encode and decode, a C99 header", generate: writeSource},
	{Name: "json", Path: "src/ply11.json", Description: "moves and control codes, JSON", generate: writeJSON},
	{Name: "svg", Path: "docs/ply11_map.svg", Description: "picture of the 2,048 codes, SVG", generate: writeSVG},
}

var formats, byName = func() (all []*Format, byName map[string]*Format) {
	for _, m := range Images {
		for _, e := range encodings {
			all = append(all, &Format{
				Name: formatName(m, e.name), Path: "images/ply11_" + m.Name + e.ext, Description: e.description,
				Image: m, generate: e.generate,
			})
		}
	}
	all = append(all, sources...)
	byName = make(map[string]*Format)
	for _, f := range all {
		byName[f.Name] = f
	}
	return all, byName
}()

func formatName(m *Image, encoding string) string {
	if m == ROM {
		return encoding
	}
	return m.Name + "-" + encoding
}

// Formats returns every format: the ROM's, the inverse's and the halfmoves' images, then the sources.
func Formats() []*Format { return append([]*Format(nil), formats...) }

// Lookup finds a format by its name. Its error lists the names that there are.
func Lookup(name string) (*Format, error) {
	if f := byName[name]; f != nil {
		return f, nil
	}
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return nil, fmt.Errorf("%w %.40q; there are %s", ErrUnknownFormat, name, strings.Join(names, " "))
}
