// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ply11/codegen"
	"ply11/hdl"
)

// Projects makes what other programs read in place of hdl/checks.tsv, by names below the folder that has the files of hdl: the
// core for FuseSoC, with a target for each module and each bench, and a file for SymbiYosys for each module and each circuit that a
// proof is about. `genrom emit` writes them.
func Projects() (map[string][]byte, error) {
	checks, err := Checks()
	if err != nil {
		return nil, err
	}
	core, err := fusesoc(checks)
	if err != nil {
		return nil, err
	}
	files := symbiyosys(checks)
	files["ply11.core"] = core
	return files, nil
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

// short is the name of a module, a bench or its file without what all of them have.
func short(name string) string {
	name = strings.TrimSuffix(path.Base(name), ".v")
	return strings.TrimSuffix(strings.TrimPrefix(name, "ply11_"), "_tb")
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

var (
	includes  = regexp.MustCompile("`include \"([^\"]+)\"")
	dataFiles = regexp.MustCompile(`"(tb/\w+)/[\w.-]+\.(?:hex|mem)"`)
)

// boardTop is the module for one board, with the parts that it alone has.
var boardTop = []string{"top_hx8k", "uart"}

// fusesoc makes the core: a file set for each module, each bench and each folder of vectors; a target for each module,
// which lints it, and for each bench, which runs it in Icarus.
func fusesoc(checks []Check) ([]byte, error) {
	var sets, targets strings.Builder
	set := func(name, kind string, lines ...string) {
		fmt.Fprintf(&sets, "  %s:\n    files:\n", name)
		for _, line := range lines {
			fmt.Fprintf(&sets, "      - %s\n", line)
		}
		fmt.Fprintf(&sets, "    file_type: %s\n", kind)
	}
	const verilog = "verilogSource-2005"
	parameters := map[string]string{} // their lines, by name
	target := func(name, tool string, names []string, top string, given []string, options ...string) {
		fmt.Fprintf(&targets, "  %s:\n    default_tool: %s\n    filesets: [%s]\n", name, tool, strings.Join(names, ", "))
		if len(given) > 0 {
			fmt.Fprintf(&targets, "    parameters: [%s]\n", strings.Join(given, ", "))
		}
		fmt.Fprintf(&targets, "    tools:\n      %s:\n", tool)
		for _, o := range options {
			fmt.Fprintf(&targets, "        %s\n", o)
		}
		fmt.Fprintf(&targets, "    toplevel: %s\n", top)
	}
	rtl := func(files []string) (names []string) {
		for _, f := range files {
			if strings.HasPrefix(f, "rtl/") {
				names = append(names, "rtl_"+short(f))
			}
		}
		slices.Sort(names)
		return names
	}

	var all []string
	for _, m := range hdl.Modules() {
		set("rtl_"+short(m), verilog, "rtl/"+m+".v")
		if !slices.Contains(boardTop, short(m)) {
			all = append(all, "rtl_"+short(m))
		}
	}
	for _, c := range firsts(checks, "lint") {
		names := rtl(c.Files)
		source, err := hdl.FS.ReadFile("rtl/" + c.Top + ".v")
		if err != nil {
			return nil, err
		}
		m, err := hdl.Parse(string(source))
		if err != nil {
			return nil, fmt.Errorf("rtl/%s.v: %w", c.Top, err)
		}
		var given []string
		for _, p := range m.Parameters {
			given = append(given, p.Name)
			kind := "int"
			if strings.HasPrefix(p.Default, `"`) {
				kind = "str"
			}
			if parameters[p.Name] == "" {
				parameters[p.Name] = fmt.Sprintf("    datatype: %s\n    paramtype: vlogparam\n    description: Of %s and others, by default %s. %s\n",
					kind, c.Top, p.Default, strings.ReplaceAll(p.Comment, ": ", " - "))
			}
		}
		target("lint_"+short(c.Top), "verilator", names, c.Top, given, "mode: lint-only", "verilator_options: [-Wall]")
		if short(c.Top) == boardTop[0] {
			target("hx8k", "icestorm", append(names, "pins_hx8k"), c.Top, given, "pnr: next", "nextpnr_options: [--hx8k, --package, ct256]")
		}
	}
	set("pins_hx8k", "PCF", "syn/ply11_top_hx8k.pcf")

	headers, folders := map[string]bool{}, map[string]bool{}
	for _, c := range firsts(checks, "bench") {
		names := rtl(c.Files)
		for _, f := range c.Files {
			if strings.HasPrefix(f, "rtl/") {
				continue
			}
			source, err := hdl.FS.ReadFile(f)
			if err != nil {
				return nil, err
			}
			for _, m := range includes.FindAllStringSubmatch(string(source), -1) {
				headers["tb/include/"+m[1]] = true
				names = append(names, "include")
			}
			for _, m := range dataFiles.FindAllStringSubmatch(string(source), -1) {
				folders[m[1]] = true
				names = append(names, "data_"+short(m[1]))
			}
			set("tb_"+short(f), verilog, f)
			names = append(names, "tb_"+short(f))
		}
		slices.Sort(names)
		for _, p := range c.Params {
			name, _, _ := strings.Cut(p, "=")
			if parameters[name] == "" {
				parameters[name] = "    datatype: int\n    paramtype: vlogparam\n    description: Of a bench.\n"
			}
		}
		target("sim_"+short(c.Top), "icarus", slices.Compact(names), c.Top, c.Params, "iverilog_options: [-g2005]")
	}
	var lines []string
	for _, h := range slices.Sorted(maps.Keys(headers)) {
		lines = append(lines, h+": {is_include_file: true, include_path: tb/include}")
	}
	set("include", verilog, lines...)
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		entries, err := hdl.FS.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		var data []string
		for _, e := range entries {
			if name := folder + "/" + e.Name(); !strings.HasSuffix(name, ".v") {
				data = append(data, fmt.Sprintf("%s: {copyto: %s}", name, name))
			}
		}
		set("data_"+short(folder), "user", data...)
	}
	var lists strings.Builder
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		fmt.Fprintf(&lists, "  %s:\n%s", name, parameters[name])
	}
	set("vhdl_components", "vhdlSource", codegen.ComponentsPath)
	targets.WriteString("  vhdl:\n    filesets: [vhdl_components]\n")
	return fmt.Appendf(nil, "CAPI=2:\n# SPDX-License-Identifier: Apache-2.0\n# "+madeBy+
		"name: ply11:chess:ply11:0.1.0\ndescription: A chess move as eleven bits. Decoder, encoder, pipelines, ROM, unpacker, players and board.\n\n"+
		"filesets:\n%s\nparameters:\n%s\ntargets:\n  default:\n    filesets: [%s]\n%s", "emit", &sets, &lists, strings.Join(all, ", "), &targets), nil
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
