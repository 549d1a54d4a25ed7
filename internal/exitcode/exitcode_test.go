// SPDX-License-Identifier: Apache-2.0

package exitcode

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page has the table word by word.
func TestPage(t *testing.T) {
	b, err := os.ReadFile("../../docs/keep.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table {
		if line := fmt.Sprintf("\n| %d | %s |\n", row.code, row.text); !strings.Contains(string(b), line) {
			t.Errorf("docs/keep.md does not have %q", line)
		}
	}
}

// No code stands for two things.
func TestOnce(t *testing.T) {
	seen := map[int]bool{}
	for _, row := range table {
		if seen[row.code] || row.text == "" {
			t.Errorf("code %d", row.code)
		}
		seen[row.code] = true
	}
}
