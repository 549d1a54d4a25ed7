// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"fmt"
	"strings"

	"ply11/hdl"
)

// registersBanner begins the files that are made from hdl/registers.tsv.
const registersBanner = `// SPDX-License-Identifier: Apache-2.0
// Made from hdl/registers.tsv by: go run ./cmd/genrom vectors
`

// registersHeader makes the C header of the peripheral's registers: the offset of each, and mask and shift of each
// field, as macros for C99, C++ and assemblers.
func registersHeader(registers []hdl.Register) []byte {
	p := new(printer)
	p.f("%s", registersBanner)
	p.f(`// The registers of ply11_regs. docs/hardware-reference.md says what they do.
//
//   PLY11_REG_name              offset in bytes
//   PLY11_REG_name_field_MASK   bits of the field in the register
//   PLY11_REG_name_field_SHIFT  number of its lowest bit
//   PLY11_REG_name_DEFAULT      value after reset, where the build does not decide it

#ifndef PLY11_REGS_H
#define PLY11_REGS_H

#define PLY11_REGS_SIZE 0x100u
`)
	for i := range registers {
		r := &registers[i]
		p.f("\n#define PLY11_REG_%s 0x%02xu\n", r.Name, r.Address)
		reset, fixed := uint32(0), true
		for _, f := range r.Fields {
			p.f("#define PLY11_REG_%s_%s_MASK 0x%08xu  /* %s: %s */\n", r.Name, f.Name, f.Mask(), f.Access, f.Meaning)
			p.f("#define PLY11_REG_%s_%s_SHIFT %d\n", r.Name, f.Name, f.Low)
			reset |= f.Reset << f.Low
			fixed = fixed && f.Fixed
		}
		if fixed {
			p.f("#define PLY11_REG_%s_DEFAULT 0x%08xu\n", r.Name, reset)
		}
	}
	p.f("\n#endif\n")
	return p.Bytes()
}

// rdlAccess are SystemRDL's properties of software and hardware access, by the accesses of the table.
var rdlAccess = map[string]string{
	"ro":  "sw = r; hw = w;",
	"rw":  "sw = rw; hw = r;",
	"wo":  "sw = w; hw = r;",
	"w1c": "sw = rw; hw = w; onwrite = woclr; hwset;",
	"w1":  "sw = w; hw = r; singlepulse;",
}

func registersRDL(registers []hdl.Register) ([]byte, error) {
	p := new(printer)
	p.f("%s", registersBanner)
	p.f(`// The registers of ply11_regs as SystemRDL 2.0. docs/hardware-reference.md says what they do.

addrmap ply11_regs {
  name = "ply11_regs";
  desc = "AXI4-Lite registers beside ply11_player_axis and ply11_perft";
  littleendian;
  lsb0;
  default regwidth = 32;
  default accesswidth = 32;
`)
	for i := range registers {
		r := &registers[i]
		p.f("\n  reg {\n")
		for _, f := range r.Fields {
			access, ok := rdlAccess[f.Access]
			if !ok || strings.ContainsAny(f.Meaning, `"\`) {
				return nil, fmt.Errorf("hdl/registers.tsv: %s.%s: no access %q, or no string of SystemRDL: %q",
					r.Name, f.Name, f.Access, f.Meaning)
			}
			p.f("    field { desc = %q; %s } %s[%d:%d]", f.Meaning, access, f.Name, f.High, f.Low)
			if f.Fixed {
				p.f(" = 0x%x", f.Reset)
			}
			p.f(";\n")
		}
		p.f("  } %s @ 0x%02x;\n", r.Name, r.Address)
	}
	p.f("};\n")
	return p.Bytes(), nil
}
