// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"strings"
)

// TextOf returns n games of PGN, each with its own event.
func TextOf(name string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("[Event \"" + name + " " + Itoa(i+1) + "\"]\n[Result \"*\"]\n\n1. e4 {c} e5 2. Nf3 *\n\n")
	}
	return b.String()
}
