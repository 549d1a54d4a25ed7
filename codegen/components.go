// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"ply11/hdl"
)

// components makes a VHDL-93 package with a component for each module in the folder rtl of an hdl tree, from the heads
// of their sources. The error names the file whose head cannot be said in VHDL.
func components(tree fs.FS) ([]byte, error) {
	names, err := fs.Glob(tree, "rtl/*.v")
	if err != nil {
		return nil, err
	}
	p := new(printer)
	p.f(`-- SPDX-License-Identifier: Apache-2.0
-- Made from the heads of hdl/rtl/*.v by: go run ./cmd/genrom vectors
-- ply11_components - a component for each module, for designs in VHDL. The modules stay in Verilog.
--
-- What VHDL does not take as a name stands as an extended identifier: its reserved words, and a port whose name is a
-- parameter's but for the case. \open\ is the port open.

library ieee;
use ieee.std_logic_1164.all;

package ply11_components is
`)
	for _, name := range names {
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		m, err := hdl.Parse(string(source))
		if err == nil {
			err = component(p, m)
		}
		if err != nil {
			return nil, fmt.Errorf("hdl/%s: %w", path.Clean(name), err)
		}
	}
	p.f("\nend package ply11_components;\n")
	return p.Bytes(), nil
}

func component(p *printer, m hdl.Module) error {
	p.f("\n  -- %s: %s\n  component %s is\n", m.Name, m.Summary, m.Name)
	var lines, comments []string
	list := func(kind string) {
		if len(lines) == 0 {
			return
		}
		p.f("    %s (\n", kind)
		for i, line := range lines {
			if i < len(lines)-1 {
				line += ";"
			}
			p.f("      %s%s\n", line, aside("  -- ", comments[i]))
		}
		p.f("    );\n")
		lines, comments = nil, nil
	}
	for _, g := range m.Parameters {
		kind := "integer"
		if strings.HasPrefix(g.Default, `"`) {
			kind = "string"
		} else if !digits.MatchString(g.Default) {
			return fmt.Errorf("the default %q of %s is no number", g.Default, g.Name)
		}
		lines = append(lines, fmt.Sprintf("%s : %s := %s", vhdlName(g.Name), kind, g.Default))
		comments = append(comments, g.Comment)
	}
	list("generic")
	for _, port := range m.Ports {
		direction, kind := map[string]string{"input": "in", "output": "out", "inout": "inout"}[port.Direction],
			"std_logic"
		if port.Range != "" {
			f := vhdlRange.FindStringSubmatch(port.Range)
			if f == nil {
				return fmt.Errorf("the range %q of %s is not a parameter's or a number's", port.Range, port.Name)
			}
			high := f[1]
			if f[2] != "" {
				high = vhdlName(f[2]) + f[3]
			}
			kind = fmt.Sprintf("std_logic_vector(%s downto 0)", high)
		}
		name := vhdlName(port.Name)
		if slices.ContainsFunc(m.Parameters, func(g hdl.Parameter) bool {
			return strings.EqualFold(g.Name, port.Name)
		}) {
			name = extended(port.Name)
		}
		lines = append(lines, fmt.Sprintf("%s : %s %s", name, direction, kind))
		comments = append(comments, port.Comment)
	}
	list("port")
	p.f("  end component %s;\n", m.Name)
	return nil
}

var (
	digits = regexp.MustCompile(`^\d+$`)
	// The ranges of ports: 7:0, WIDTH-1:0, WIDTH/8-1:0.
	vhdlRange = regexp.MustCompile(`^\s*(?:(\d+)|(\w+)((?:/\d+)?-1))\s*:\s*0\s*$`)
)

// reserved are the words of VHDL-93 to VHDL-2008 that a port or a parameter in Verilog can have for a name.
var reserved = strings.Fields(
	`abs access after alias all and architecture array assert assume attribute begin block body buffer bus case
component configuration constant context cover default disconnect downto else elsif end entity exit fairness file for force function
generate generic group guarded if impure in inertial inout is label library linkage literal loop map mod nand new next nor not null
of on open or others out package parameter port postponed procedure process property protected pure range record register reject
release rem report restrict return rol ror select sequence severity shared signal sla sll sra srl strong subtype then to transport
type unaffected units until use variable vmode vprop vunit wait when while with xnor xor`)

func vhdlName(name string) string {
	if slices.Contains(reserved, strings.ToLower(name)) || strings.HasSuffix(name, "_") ||
		strings.HasPrefix(name, "_") || strings.Contains(name, "__") {
		return extended(name)
	}
	return name
}

func extended(name string) string { return `\` + name + `\` }
