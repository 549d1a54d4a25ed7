// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMakeHelp: `make help` lists every target of the Makefile, and CONTRIBUTING.md names no other.
func TestMakeHelp(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):[^#=\n]*## \S`).FindAllSubmatch(text, -1) {
		described[string(m[1])] = true
	}
	phony := regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindSubmatch(text)
	if phony == nil {
		t.Fatal("no .PHONY")
	}
	for _, target := range strings.Fields(string(phony[1])) {
		if !described[target] {
			t.Errorf("make help does not tell of %s", target)
		}
	}
	for _, page := range []string{"CONTRIBUTING.md", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z-]+)").FindAllSubmatch(text, -1) {
			if !described[string(m[1])] {
				t.Errorf("%s names make %s, which the Makefile does not have", page, m[1])
			}
		}
	}
}
