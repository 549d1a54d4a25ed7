// SPDX-License-Identifier: Apache-2.0

package hdl

import (
	"fmt"
	"strconv"
	"strings"
)

// A Register is a register of ply11_regs, 32 bits wide.
type Register struct {
	Name    string
	Address int // of its first byte
	Fields  []Field
}

// A Field is some bits of a register. The others read 0, and what is written to them is lost.
type Field struct {
	Name      string
	High, Low int    // its bits
	Access    string // ro, rw, wo; w1c: a 1 makes it 0; w1: a 1 does something once, and it reads 0
	Reset     uint32 // what it reads after aresetn
	Fixed     bool   // Reset is known: it is read, and the parameters do not decide
	Meaning   string
}

// Reads reports whether the bus can read the register.
func (r *Register) Reads() bool { return r.Fields[0].Access != "wo" }

// Mask has ones where the field has bits.
func (f *Field) Mask() uint32 { return uint32(1<<(f.High-f.Low+1)-1) << f.Low }

// Registers returns the registers of registers.tsv in the order of their addresses. The error names what is wrong with
// the table.
func Registers() ([]Register, error) {
	rows, err := Table("registers.tsv")
	if err != nil {
		return nil, err
	}
	return parseRegisters(rows)
}

func parseRegisters(rows []Row) ([]Register, error) {
	var all []Register
	var used uint32 // bits of the last register
	for _, row := range rows {
		name, count := row["register"], 1
		if base, last, ok := strings.Cut(name, "0.."); ok {
			n, err := strconv.ParseUint(last, 10, 6)
			if err != nil {
				return nil, fmt.Errorf("hdl: registers.tsv: %s: no number of registers: %q", name, last)
			}
			name, count = base, int(n)+1
		}
		address, err := strconv.ParseUint(row["address"], 16, 8)
		if err != nil || address%4 != 0 {
			return nil, fmt.Errorf("hdl: registers.tsv: %s: no address: %q", name, row["address"])
		}
		f := Field{Name: row["field"], Access: row["access"], Meaning: row["meaning"]}
		high, low, ranged := strings.Cut(row["bits"], ":")
		if !ranged {
			low = high
		}
		f.High, err = strconv.Atoi(high)
		if err == nil {
			f.Low, err = strconv.Atoi(low)
		}
		if err != nil || f.Low < 0 || f.High < f.Low || f.High > 31 {
			return nil, fmt.Errorf("hdl: registers.tsv: %s.%s: no bits: %q", name, f.Name, row["bits"])
		}
		if row["reset"] != "" {
			reset, err := strconv.ParseUint(row["reset"], 16, f.High-f.Low+1)
			if err != nil {
				return nil, fmt.Errorf("hdl: registers.tsv: %s.%s: no value for its bits: %q", name, f.Name,
					row["reset"])
			}
			f.Reset, f.Fixed = uint32(reset), true
		}
		switch f.Access {
		case "ro", "rw", "wo", "w1c", "w1":
		default:
			return nil, fmt.Errorf("hdl: registers.tsv: %s.%s: no access: %q", name, f.Name, f.Access)
		}
		if last := len(all) - 1; last >= 0 && all[last].Name == name && all[last].Address == int(address) &&
			count == 1 {
			if used&f.Mask() != 0 {
				return nil, fmt.Errorf("hdl: registers.tsv: %s.%s has bits of another field", name, f.Name)
			}
			all[last].Fields = append(all[last].Fields, f)
			used |= f.Mask()
			continue
		}
		for i := range count {
			r := Register{name, int(address) + 4*i, []Field{f}}
			if count > 1 {
				r.Name += strconv.Itoa(i)
			}
			if r.Address > 0xfc {
				return nil, fmt.Errorf("hdl: registers.tsv: %s: address %x is more than 8 bits", r.Name, r.Address)
			}
			if len(all) > 0 && all[len(all)-1].Address >= r.Address {
				return nil, fmt.Errorf("hdl: registers.tsv: %s does not follow the address before it", r.Name)
			}
			all = append(all, r)
		}
		used = f.Mask()
	}
	return all, nil
}
