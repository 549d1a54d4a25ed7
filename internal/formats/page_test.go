// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/internal/formats"
)

// TestPage: docs/formats.md has a line for each format, and no other.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	want := "| format | ends of names | |\n|---|---|---|\n"
	for _, f := range formats.All {
		want += strings.ReplaceAll(fmt.Sprintf("| `%s` | %s | %s |\n", f.Name, strings.Join(f.Extensions, " "), f.Description), "|  |", "| |")
	}
	if !strings.Contains(string(text), want+"\n") {
		t.Errorf("docs/formats.md does not have this table:\n%s", want)
	}
}
