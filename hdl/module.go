// SPDX-License-Identifier: Apache-2.0

package hdl

import (
	"fmt"
	"regexp"
	"strings"
)

// A Module is what the head of a Verilog source in the house style says.
type Module struct {
	Name       string
	Summary    string   // what follows the name in its first line, and the lines that continue it
	Header     []string // the lines of the comment after that, without the slashes
	Parameters []Parameter
	Ports      []Port
}

// A Parameter is a parameter of a module.
type Parameter struct {
	Name, Default string
	Comment       string // the lines above it
}

// A Port is a port of a module.
type Port struct {
	Name, Direction, Range string
	Comment                string   // what stands behind it: meaning, unit and range
	From                   []string // of an output: the inputs on which it depends in the same clock
}

var (
	moduleLine    = regexp.MustCompile(`^module (\w+)`)
	parameterLine = regexp.MustCompile(`^\s*parameter\s+(?:\[[^\]]*\]\s*)?(\w+)\s*=\s*([^,]+?),?$`)
	portLine      = regexp.MustCompile(
		`^\s*(input|output|inout)\s+(?:wire|reg)\s+(?:\[([^\]]+)\]\s*)?(\w+),?\s*(?://\s*(.*?))?(?:\s*\[from ([\w, ]+)\])?$`)
	pragmaLine = regexp.MustCompile(`^\s*/\* verilator lint_\w+ \w+ \*/$`)
)

// Parse reads the head of a source, to the end of the list of ports. A line there that is neither a port, a
// parameter, a comment nor empty is an error, so that nothing is left out of a table unnoticed.
func Parse(source string) (Module, error) {
	var m Module
	var comment []string
	inHeader, inPorts, inParameters := false, false, false
	for n, line := range strings.Split(source, "\n") {
		text, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
		text = strings.TrimPrefix(text, " ")
		switch {
		case m.Name == "" && isComment && strings.HasPrefix(text, "ply11_") && !inHeader && m.Summary == "":
			_, m.Summary, _ = strings.Cut(text, " - ")
			inHeader = true
		case m.Name == "" && inHeader && isComment:
			m.Header = append(m.Header, text)
		case m.Name == "":
			inHeader = false
			if f := moduleLine.FindStringSubmatch(line); f != nil {
				m.Name = f[1]
				inParameters = strings.Contains(line, "#(")
				inPorts = !inParameters
			}
		case strings.TrimSpace(line) == ");":
			// The summary goes on to the first empty line, or the files.
			for len(m.Header) > 0 && m.Header[0] != "" && !strings.HasPrefix(m.Header[0], "Files: ") {
				m.Summary += " " + m.Header[0]
				m.Header = m.Header[1:]
			}
			return m, nil
		case strings.TrimSpace(line) == ") (":
			inParameters, inPorts = false, true
			comment = nil
		case strings.TrimSpace(line) == "":
		case isComment:
			comment = append(comment, text)
		case pragmaLine.MatchString(line):
		case inParameters && parameterLine.MatchString(line):
			f := parameterLine.FindStringSubmatch(line)
			m.Parameters = append(m.Parameters, Parameter{f[1], f[2], strings.Join(comment, " ")})
			comment = nil
		case inPorts && portLine.MatchString(line):
			f := portLine.FindStringSubmatch(line)
			p := Port{Name: f[3], Direction: f[1], Range: f[2], Comment: f[4]}
			if f[5] != "" {
				p.From = strings.Split(f[5], ", ")
			}
			m.Ports = append(m.Ports, p)
		default:
			return m, fmt.Errorf("hdl: line %d is no port: %q", n+1, line)
		}
	}
	return m, fmt.Errorf("hdl: the list of ports of %q has no end", m.Name)
}
