// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ply11/hdl"
)

// parameters is the table of the modules' parameters. Those that several modules have in the same sense share a row.
func parameters() (string, error) {
	of := map[hdl.Parameter][]string{}
	var all []hdl.Parameter
	for _, name := range hdl.Modules() {
		source, err := hdl.FS.ReadFile("rtl/" + name + ".v")
		if err != nil {
			return "", err
		}
		m, err := hdl.Parse(string(source))
		if err != nil {
			return "", fmt.Errorf("rtl/%s.v: %w", name, err)
		}
		for _, p := range m.Parameters {
			if p.Comment == "" {
				continue // what stands above the first of several parameters is said of all of them
			}
			if of[p] == nil {
				all = append(all, p)
			}
			of[p] = append(of[p], strings.TrimPrefix(name, "ply11_"))
		}
	}
	slices.SortStableFunc(all, func(a, b hdl.Parameter) int { return cmp.Compare(a.Name, b.Name) })
	var b strings.Builder
	b.WriteString("| parameter | default | of | |\n|---|---:|---|---|\n")
	for _, p := range all {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, p.Default, strings.Join(of[p], ", "), p.Comment)
	}
	return b.String(), nil
}

func registers() (string, error) {
	all, err := hdl.Registers()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(
		"| address | register | field | bits | access | reset | what it is |\n|---:|---|---|---:|---|---:|---|\n")
	for i := 0; i < len(all); i++ {
		r := &all[i]
		address, name := fmt.Sprintf("%02x", r.Address), "`"+r.Name+"`"
		if base, ok := strings.CutSuffix(r.Name, "0"); ok {
			for n := 1; i+1 < len(all) && all[i+1].Name == base+strconv.Itoa(n); n++ {
				i++
			}
			address, name = fmt.Sprintf("%s..%02x", address, all[i].Address), name+" to `"+all[i].Name+"`"
		}
		for _, f := range r.Fields {
			bits, reset := fmt.Sprint(f.High), "–"
			if f.High != f.Low {
				bits += fmt.Sprintf(":%d", f.Low)
			}
			if f.Fixed {
				reset = fmt.Sprintf("%x", f.Reset)
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s | %s | %s |\n", address, name, f.Name, bits, f.Access, reset,
				f.Meaning)
			address, name = "", ""
		}
	}
	return b.String(), nil
}
