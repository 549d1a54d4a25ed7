// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"strings"
)

// diagrams are what Update makes, by name.
var diagrams = map[string]func() (string, error){
	"timing.playing": playing,
	"timing.waiting": waiting,
}

const (
	begin    = "<!-- begin "
	beginEnd = " -->\n"
	end      = "<!-- end -->"
)

// Update returns docs/hardware.md with every diagram made anew. A diagram that is not known, has no end, or is
// missing, is an error.
func Update(page string) (string, error) {
	var b strings.Builder
	seen := map[string]bool{}
	for {
		head, rest, ok := strings.Cut(page, begin)
		b.WriteString(head)
		if !ok {
			break
		}
		name, rest, ok := strings.Cut(rest, beginEnd)
		_, rest, closed := strings.Cut(rest, end)
		if !ok || !closed {
			return "", fmt.Errorf("hwdoc: a diagram has no end: %.40q", name)
		}
		diagram := diagrams[name]
		if diagram == nil || seen[name] {
			return "", fmt.Errorf("hwdoc: there is no diagram %q, or it stands there twice", name)
		}
		seen[name] = true
		text, err := diagram()
		if err != nil {
			return "", err
		}
		b.WriteString(begin + name + beginEnd + text + end)
		page = rest
	}
	for name := range diagrams {
		if !seen[name] {
			return "", fmt.Errorf("hwdoc: the page has no diagram %q", name)
		}
	}
	return b.String(), nil
}

// Reference returns docs/hardware-reference.md.
func Reference() (string, error) {
	var b strings.Builder
	b.WriteString(`<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made from hdl/rtl, hdl/registers.tsv, moveindex/control.go and sim/oracle/fault.go by: go generate ./cmd/genrom/internal/hwdoc -->
# Codes, registers and parameters of the hardware

[hardware.md](hardware.md) says how to use these. The header of each module is its reference: what it does, clock by clock, and behind each port what
it is.

## Control codes

The words 0 to 1967 are moves ([INDEX.md](INDEX.md)). The others are [control codes](GLOSSARY.md#control-code); [WORDS.md](WORDS.md) has their grammar.

`)
	section := func(text string, make func() (string, error)) error {
		b.WriteString(text)
		made, err := make()
		b.WriteString(made)
		return err
	}
	if err := section("", words); err != nil {
		return "", err
	}
	if err := section("\n## Errors\n\n[hardware.md](hardware.md#errors) says what happens after an error.\n\n",
		errors); err != nil {
		return "", err
	}
	if err := section(`
## Registers of ply11_regs

Addresses and reset values are hexadecimal, bits decimal. Writing 1 to a `+"`w1c`"+
		` bit makes it 0. Writing
1 to a `+"`w1`"+` bit does something once, and the bit reads as 0. A read or write that the access does not allow gives SLVERR.

`, registers); err != nil {
		return "", err
	}
	if err := section(`
## Parameters

Simulators and synthesis refuse other values.

`, parameters); err != nil {
		return "", err
	}
	return b.String(), nil
}
