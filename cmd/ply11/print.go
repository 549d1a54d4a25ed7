// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"strings"
	"unicode"
)

// writeJSON writes a value as JSON to the standard output.
func writeJSON(v any) error {
	e := json.NewEncoder(&stdout)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printable makes of a tag's text one that does nothing to a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
