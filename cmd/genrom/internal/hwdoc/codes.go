// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"ply11/hdl"
	"ply11/moveindex"
	"ply11/sim/oracle"
)

// goName is the constant of package moveindex that has a control code's name.
func goName(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		switch part {
		case "":
		case "nag":
			b.WriteString("NAG")
		default:
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// verilogName is the localparam for a control code, in the modules that need it.
func verilogName(name string) string { return "CODE_" + strings.ToUpper(name) }

func words() (string, error) {
	used, err := hdlNames()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| word | | in Go | in Verilog |\n|---:|---|---|---|\n")
	for _, c := range moveindex.Controls() {
		number, meaning, verilog := fmt.Sprint(c.First), c.Meaning, "–"
		if c.Last != c.First {
			number += fmt.Sprintf(" to %d", c.Last)
		}
		if c.First == moveindex.FirstReserved {
			meaning += fmt.Sprintf(": error %d", oracle.FaultCode)
		}
		if name := verilogName(c.Name); used[name] {
			verilog = "`" + name + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", number, meaning, goName(c.Name), verilog)
	}
	return b.String(), nil
}

// errors is the table of error codes, and says which are free.
func errors() (string, error) {
	var b strings.Builder
	b.WriteString("| code | | found by | in Go | in Verilog |\n|---:|---|---|---|---|\n")
	used := map[oracle.Fault]bool{oracle.NoFault: true}
	for _, f := range oracle.Faults() {
		used[f.Fault] = true
		fmt.Fprintf(&b, "| %d | %s | %s | `%s` | `%s` |\n", f.Fault, f.Meaning, strings.Join(f.Modules, ", "), f.Go,
			f.Verilog)
	}
	var free []string
	for f := range oracle.MaxFault + 1 {
		if !used[f] {
			free = append(free, fmt.Sprint(uint8(f)))
		}
	}
	fmt.Fprintf(&b, "\nFree codes: %s. `ply11_board` has three bits, and none is free.\n",
		strings.Join(free, ", "))
	return b.String(), nil
}

// errorsPath is the file with all error codes for test benches. A module has those that it needs in itself, so that its
// file can be copied alone.
const errorsPath = "tb/include/ply11_errors.vh"

var (
	// A constant of Verilog or C that has the name of a code, and its number.
	namedCode = regexp.MustCompile(`\b((?:PLY11_)?(?:ERRS?|CODE)_[A-Z0-9_]+)(\s*=\s*)((?:\d+'d)?)(\d+)\b`)
	// The sources in which they stand.
	codeFiles = regexp.MustCompile(`^(?:rtl|formal)/[^/]+\.v$|^tb/.+\.vh?$|^driver/ply11_driver\.h$`)
)

func numbers() map[string]int {
	all, ofStart := map[string]int{}, 0
	for _, f := range oracle.Faults() {
		all[f.Verilog] = int(f.Fault)
		if f.Fault.OfStart() {
			ofStart |= 1 << f.Fault
		}
	}
	all["ERRS_OF_START"] = ofStart
	for _, c := range moveindex.Controls() {
		all[verilogName(c.Name)] = int(c.First)
	}
	return all
}

// codes returns the sources below hdl in which codes have names, each code with the number that package oracle or
// moveindex gives it, and errorsPath. A name that neither has is an error.
func codes() (map[string][]byte, error) {
	all := numbers()
	files := map[string][]byte{"hdl/" + errorsPath: errorsHeader()}
	err := eachSource(func(name string, text []byte) error {
		var unknown error
		made := namedCode.ReplaceAllFunc(text, func(match []byte) []byte {
			m := namedCode.FindSubmatch(match)
			code, ok := all[strings.TrimPrefix(string(m[1]), "PLY11_")]
			if string(m[1]) == "PLY11_ERR_NONE" {
				return match
			}
			if !ok {
				unknown = fmt.Errorf("hdl/%s: there is no code %s in sim/oracle/fault.go or moveindex/control.go", name,
					m[1])
			}
			return fmt.Appendf(nil, "%s%s%s%d", m[1], m[2], m[3], code)
		})
		if name != errorsPath && namedCode.Match(text) {
			files["hdl/"+name] = made
		}
		return unknown
	})
	return files, err
}

func eachSource(f func(name string, text []byte) error) error {
	return fs.WalkDir(hdl.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !codeFiles.MatchString(name) {
			return err
		}
		text, err := hdl.FS.ReadFile(name)
		if err != nil {
			return err
		}
		return f(name, text)
	})
}

func hdlNames() (map[string]bool, error) {
	used := map[string]bool{}
	err := eachSource(func(name string, text []byte) error {
		for _, m := range namedCode.FindAllSubmatch(text, -1) {
			if strings.HasPrefix(name, "rtl/") {
				used[string(m[1])] = true
			}
		}
		return nil
	})
	return used, err
}

func errorsHeader() []byte {
	var b bytes.Buffer
	b.WriteString(`// SPDX-License-Identifier: Apache-2.0
// The error codes of the hardware, for test benches. Made from sim/oracle/fault.go by: go run ./cmd/genrom vectors

`)
	for _, f := range oracle.Faults() {
		fmt.Fprintf(&b, "localparam [3:0] %s = 4'd%d;\n", f.Verilog, f.Fault)
	}
	b.WriteString(
		"// Bit c is 1: code c is of a start position. Its beat has no index, and the usual position is back.\n")
	fmt.Fprintf(&b, "localparam [15:0] ERRS_OF_START = 16'd%s;\n", strconv.Itoa(numbers()["ERRS_OF_START"]))
	return b.Bytes()
}
