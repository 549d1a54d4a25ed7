// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"strings"
	"testing"
)

// TestBeginsGame: a game begins at an Event tag that begins its line, after a blank line, whatever the ends of lines.
func TestBeginsGame(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"*\n\n|[Event \"x\"]", true}, {"*\r\n\r\n|[Event \"x\"]", true}, {"*\r\r|[Event \"x\"]", true},
		{"*\n \t\n|[Event ", true},
		{"*\n|[Event \"x\"]", false}, {"*\n\n |[Event \"x\"]", false}, {"|[Event \"x\"]", false},
		{"*\n\n|[Events \"x\"]", false},
		{"*\n\n|[Event", false}, {"*\n\n|[Site \"x\"]", false}, {"*\n\n|", false}, {"\n\n|[Event \"x\"]", true},
		{"\n|[Event \"x\"]", false},
	} {
		i := strings.IndexByte(c.text, '|')
		if got := BeginsGame([]byte(strings.Replace(c.text, "|", "", 1)), i); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}
