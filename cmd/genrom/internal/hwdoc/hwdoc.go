// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	begin = "<!-- begin timing.playing -->\n"
	end   = "<!-- end -->"
)

// Page is the page with the diagram, below the root of the project.
const Page = "docs/hardware.md"

// Update returns Page with its diagram made anew. A page without it, or with another, is an error.
func Update(text []byte) ([]byte, error) {
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed || strings.Contains(head+tail, "<!-- begin ") {
		return nil, fmt.Errorf("hwdoc: the page has not the one diagram, %s to %s", begin[:len(begin)-1], end)
	}
	diagram, err := playing()
	return []byte(head + begin + diagram + end + tail), err
}

// Files returns the files that are made of codes, registers and parameters, by their names below the root of the
// project: docs/hardware-reference.md, and sources below hdl (see codes).
func Files() (map[string][]byte, error) {
	files, err := codes()
	if err != nil {
		return nil, err
	}
	b := bytes.NewBufferString(`<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made from hdl/rtl, hdl/registers.tsv, moveindex/control.go and sim/oracle/fault.go by: go run ./cmd/genrom vectors -->
# Codes, registers and parameters of the hardware

[hardware.md](hardware.md) says how to use these. The header of each module is its reference: what it does, clock by clock, and behind each port what
it is.

## Control codes

The words 0 to 1967 are moves ([INDEX.md](INDEX.md)). The others are [control codes](GLOSSARY.md#control-code); [WORDS.md](WORDS.md) has their grammar.

`)
	for _, section := range []struct {
		make func() (string, error)
		next string // what stands behind it
	}{
		{words, "\n## Errors\n\n[hardware.md](hardware.md#errors) says what happens after an error.\n\n"},
		{errors, `
## Registers of ply11_regs

Addresses and reset values are hexadecimal, bits decimal. Writing 1 to a ` + "`w1c`" + ` bit makes it 0. Writing
1 to a ` + "`w1`" + ` bit does something once, and the bit reads as 0. A read or write that the access does not allow gives SLVERR.

`},
		{registers, `
## Parameters

Simulators and synthesis refuse other values.

`},
		{parameters, ""},
	} {
		text, err := section.make()
		if err != nil {
			return nil, err
		}
		b.WriteString(text + section.next)
	}
	files["docs/hardware-reference.md"] = b.Bytes()
	return files, nil
}
