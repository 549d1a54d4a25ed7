// SPDX-License-Identifier: Apache-2.0

package hdl

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// A table of registers that contradicts itself is refused.
func TestRegistersRefuse(t *testing.T) {
	good := Row{"register": "A", "address": "04", "field": "F", "bits": "7:0", "access": "rw", "reset": "ff",
		"meaning": "x"}
	if all, err := parseRegisters([]Row{good}); err != nil || len(all) != 1 || all[0].Fields[0].Mask() != 0xff {
		t.Fatal(all, err)
	}
	for column, values := range map[string][]string{
		"address": {"", "05", "104", "x"},
		"bits":    {"", "32", "0:7", "x:0", "7:x", "-1"},
		"access":  {"", "r"},
		"reset":   {"100", "x"},
	} {
		for _, v := range values {
			bad := maps.Clone(good)
			bad[column] = v
			if all, err := parseRegisters([]Row{bad}); err == nil ||
				!strings.Contains(err.Error(), "registers.tsv: A") {
				t.Errorf("%s %q: %v, %v", column, v, all, err)
			}
		}
	}
	second := maps.Clone(good)
	if _, err := parseRegisters([]Row{good, second}); err == nil {
		t.Error("two fields have the same bits")
	}
	second["register"] = "B"
	if _, err := parseRegisters([]Row{good, second}); err == nil {
		t.Error("two registers have the same address")
	}
	eight := maps.Clone(good)
	eight["register"] = "R0..7"
	if all, err := parseRegisters([]Row{eight}); err != nil || len(all) != 8 || all[7].Name != "R7" ||
		all[7].Address != 0x20 {
		t.Error(all, err)
	}
	for _, name := range []string{"R0..", "R0..x", "R0..64", "R0..63"} {
		eight["register"] = name
		if all, err := parseRegisters([]Row{eight}); err == nil {
			t.Errorf("%s: %v", name, all)
		}
	}
}

func ExampleRegisters() {
	all, err := Registers()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d registers; %s at %02x: %s\n", len(all), all[3].Name, all[3].Address, all[3].Fields[0].Meaning)
	// Output: 54 registers; STATUS at 0c: 1: inside a game
}
