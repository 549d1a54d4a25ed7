// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Projects makes what SymbiYosys reads in place of hdl/checks.tsv, by names below the folder that has the files of hdl: a file for each
// module and each circuit that a proof is about. `genrom emit` writes them.
func Projects() (map[string][]byte, error) {
	checks, err := Checks()
	if err != nil {
		return nil, err
	}
	return symbiyosys(checks), nil
}

// FileLists makes hdl/rtl/MODULE.f, the list of files of each module that has parts, by names below the root of the project.
// `genrom vectors` writes them.
func FileLists() (map[string][]byte, error) {
	checks, err := Checks()
	if err != nil {
		return nil, err
	}
	return fileLists(checks), nil
}

// madeBy is a line of these files.
const madeBy = "Made from hdl/checks.tsv by: go run ./cmd/genrom %s\n"

// firsts returns the first check of each top module among those of a kind, in their order.
func firsts(checks []Check, kind string) []Check {
	var all []Check
	seen := map[string]bool{}
	for _, c := range checks {
		if c.Kind == kind && !seen[c.Top] {
			seen[c.Top] = true
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b Check) int { return strings.Compare(a.Top, b.Top) })
	return all
}

// fileLists makes hdl/rtl/MODULE.f for each module of more than one file.
func fileLists(checks []Check) map[string][]byte {
	lists := map[string][]byte{}
	for _, c := range firsts(checks, "lint") {
		if len(c.Files) > 1 {
			lists["hdl/rtl/"+c.Top+".f"] = fmt.Appendf(nil, "// SPDX-License-Identifier: Apache-2.0\n// "+madeBy+
				"// The files of %s. Give simulators -f rtl/%s.f in the folder hdl.\n%s\n",
				"vectors", c.Top, c.Top, strings.Join(c.Files, "\n"))
		}
	}
	return lists
}

// symbiyosys makes formal/TOP.sby, with a task for each proof about the module or circuit TOP.
func symbiyosys(checks []Check) map[string][]byte {
	type task struct {
		name, mode, depth, engine string
		script                    string
		induction                 bool // of which this is the base case
	}
	tasks, sources, tops := map[string][]task{}, map[string][]string{}, []string(nil)
	for _, c := range checks {
		name := strings.NewReplacer(".", "_").Replace(c.Name)
		depth, _, _ := strings.Cut(c.Args, " ")
		read := c.circuit(baseNames(c.Files))
		var add []task
		switch c.Kind {
		case "sat":
			// ABC's pdr proves it for all time, but for what holds for some clocks alone.
			add = []task{{name, "prove", "", "abc pdr", read, false}}
			if c.Top == "ply11_regs_count" {
				add = []task{{name, "bmc", strings.TrimPrefix(c.Args, "-seq "), "abc bmc3", read, false}}
			}
		case "bmc", "ind":
			add = []task{{name, "bmc", depth, "abc bmc3", read, c.Kind == "ind"}}
		case "pdr":
			add = []task{{name, "prove", "", "abc pdr", read, false}}
		case "smt":
			add = []task{{name, "prove", depth, "smtbmc z3", read, false}, {name + "_cover", "cover", depth, "smtbmc z3", read, false}}
		default:
			continue
		}
		if tasks[c.Top] == nil {
			tops = append(tops, c.Top)
		}
		tasks[c.Top] = append(tasks[c.Top], add...)
		sources[c.Top] = append(sources[c.Top], c.Files...)
	}
	files := map[string][]byte{}
	for _, top := range tops {
		b := fmt.Appendf(nil, "# SPDX-License-Identifier: Apache-2.0\n# "+madeBy+"# Run it in the folder above: sby -f formal/%s.sby TASK\n", "emit", top)
		if slices.ContainsFunc(tasks[top], func(t task) bool { return t.induction }) {
			b = append(b, "# This is the base case of an induction. ABC's ind, which `genrom prove` runs, does the step.\n"...)
		}
		b = append(b, "\n[tasks]\n"...)
		for _, t := range tasks[top] {
			b = append(b, t.name+"\n"...)
		}
		for _, section := range []struct {
			name  string
			lines func(t task) []string
		}{
			{"options", func(t task) []string {
				if t.depth == "" {
					return []string{"mode " + t.mode}
				}
				return []string{"mode " + t.mode, "depth " + t.depth}
			}},
			{"engines", func(t task) []string { return []string{t.engine} }},
			{"script", func(t task) []string { return strings.Split(t.script, "; ") }},
		} {
			b = fmt.Appendf(b, "\n[%s]\n", section.name)
			var lines [][]string
			for _, t := range tasks[top] {
				lines = append(lines, section.lines(t))
			}
			first, last := common(lines)
			for _, line := range lines[0][:first] {
				b = append(b, line+"\n"...)
			}
			for i, t := range tasks[top] {
				for _, line := range lines[i][first : len(lines[i])-last] {
					b = append(b, t.name+": "+line+"\n"...)
				}
			}
			for _, line := range lines[0][len(lines[0])-last:] {
				b = append(b, line+"\n"...)
			}
		}
		files["formal/"+top+".sby"] = fmt.Appendf(b, "\n[files]\n%s\n", strings.Join(unique(sources[top]), "\n"))
	}
	return files
}

// common returns how many lines all lists begin with, and how many of the others they end with.
func common(lists [][]string) (first, last int) {
	shortest := len(lists[0])
	for _, l := range lists {
		shortest = min(shortest, len(l))
	}
	same := func(at func(l []string) string) bool {
		return !slices.ContainsFunc(lists, func(l []string) bool { return at(l) != at(lists[0]) })
	}
	for first < shortest && same(func(l []string) string { return l[first] }) {
		first++
	}
	for last < shortest-first && same(func(l []string) string { return l[len(l)-1-last] }) {
		last++
	}
	return first, last
}

// baseNames returns the last parts of paths.
func baseNames(files []string) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = path.Base(f)
	}
	return names
}

// unique returns the first of each.
func unique(list []string) []string {
	var all []string
	for _, s := range list {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
