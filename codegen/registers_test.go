// SPDX-License-Identifier: Apache-2.0

package codegen_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/codegen"
	"ply11/hdl"
	"ply11/internal/testenv"
)

// parseRDL returns the registers of a file as systemrdl-compiler reads it, whose authors are not those of the file.
func parseRDL(t *testing.T, text []byte) ([]hdl.Register, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "registers.rdl")
	testenv.Must(t, os.WriteFile(path, text, 0o666))
	const script = `
import json, sys
from systemrdl import RDLCompiler
compiler = RDLCompiler()
compiler.compile_file(sys.argv[1])
def field(f):
    get = lambda name: getattr(f.get_property(name), "name", f.get_property(name))
    access = " ".join("%s %s" % (p, get(p)) for p in ("sw", "hw", "onwrite", "hwset", "singlepulse") if get(p))
    return {"Name": f.inst_name, "Meaning": get("desc"), "Access": access, "High": f.msb, "Low": f.lsb, "Reset": get("reset") or 0, "Fixed": get("reset") is not None}
top = compiler.elaborate().top
for r in top.registers():
    assert r.get_property("regwidth") == r.get_property("accesswidth") == 32 and not r.is_msb0_order, r.inst_name
json.dump([{"Name": r.inst_name, "Address": r.absolute_address, "Fields": [field(f) for f in r.fields()]} for r in top.registers()], sys.stdout)
`
	out, err := exec.Command(testenv.Python(t), "-c", script, path).CombinedOutput()
	var all []hdl.Register
	if err != nil || json.Unmarshal(out, &all) != nil {
		return nil, fmt.Errorf("%v: %s", err, out)
	}
	access := map[string]string{"sw r hw w": "ro", "sw rw hw r": "rw", "sw w hw r": "wo",
		"sw rw hw w onwrite woclr hwset True": "w1c", "sw w hw r singlepulse True": "w1"}
	for _, r := range all {
		// systemrdl-compiler has the lowest bits first, the table the highest or the lowest.
		slices.SortFunc(r.Fields, func(a, b hdl.Field) int { return a.Low - b.Low })
		for i := range r.Fields {
			r.Fields[i].Access = cmp.Or(access[r.Fields[i].Access], r.Fields[i].Access)
		}
	}
	return all, nil
}

// fromTree is a file of those that are made.
func fromTree(t *testing.T, name string) []byte {
	t.Helper()
	files, err := codegen.Tree()
	testenv.Must(t, err)
	if files[name] == nil {
		t.Fatalf("%s is not made", name)
	}
	return files[name]
}

func tableOfRegisters(t *testing.T) []hdl.Register {
	t.Helper()
	all, err := hdl.Registers()
	testenv.Must(t, err)
	return all
}

// The SystemRDL file says what the table says, and is refused or says something else where it is damaged.
func TestRegistersRDL(t *testing.T) {
	table := tableOfRegisters(t)
	text := fromTree(t, "hdl/driver/ply11_regs.rdl")
	got, err := parseRDL(t, text)
	testenv.Must(t, err)
	for _, r := range table {
		slices.SortFunc(r.Fields, func(a, b hdl.Field) int { return a.Low - b.Low })
	}
	if fmt.Sprint(got) != fmt.Sprint(table) {
		t.Errorf("the file says\n%v, the table\n%v", got, table)
	}
	// What systemrdl-compiler refuses, and what it reads as something else.
	for _, change := range [][2]string{{"addrmap", "adrmap"}, {"};\n", ""}, {"[9:8]", "[9:10]"}, {"@ 0x08", "@ x"},
		{"@ 0x08", "@ 0x0c"}, {"woclr", "woset"},
		{"lsb0", "msb0"}, {" = 0x504c3131", " 0x504c3131"}, {" = 0x504c3131", " = 0x504c3132"},
		{"accesswidth = 32", "accesswidth = 16"}, {"regwidth = 32", "regwidth = 64"}} {
		bad := strings.Replace(string(text), change[0], change[1], 1)
		if other, err := parseRDL(t, []byte(bad)); bad == string(text) || err == nil &&
			fmt.Sprint(other) == fmt.Sprint(table) {
			t.Errorf("%q in place of %q is not noticed", change[1], change[0])
		}
	}
}

// The C header has the table's numbers: each register and field, and nothing else.
func TestRegistersHeader(t *testing.T) {
	table := tableOfRegisters(t)
	text := fromTree(t, "hdl/driver/ply11_regs.h")
	got := map[string]uint64{}
	for _, m := range regexp.MustCompile(
		`(?m)^#define PLY11_REG_(\w+) (\w+?)u?(?:  /\* .* \*/)?$`).FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.ParseUint(m[2], 0, 32)
		if _, twice := got[m[1]]; err != nil || twice {
			t.Errorf("%s: %v, twice %v", m[0], err, twice)
		}
		got[m[1]] = n
	}
	want := map[string]uint64{}
	for _, r := range table {
		want[r.Name] = uint64(r.Address)
		reset, fixed := uint64(0), true
		for _, f := range r.Fields {
			want[r.Name+"_"+f.Name+"_MASK"] = (1<<(f.High+1) - 1) &^ (1<<f.Low - 1)
			want[r.Name+"_"+f.Name+"_SHIFT"] = uint64(f.Low)
			reset += uint64(f.Reset) << f.Low
			fixed = fixed && f.Fixed
		}
		if fixed {
			want[r.Name+"_DEFAULT"] = reset
		}
	}
	if len(got) != len(want) || len(got) != strings.Count(string(text), "#define PLY11_REG_") {
		t.Errorf("%d macros, want %d", len(got), len(want))
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s is %#x, want %#x", name, got[name], n)
		}
	}
}
