// SPDX-License-Identifier: Apache-2.0

//go:build man

package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// ManualPages writes a manual page for a command and each of its own into the folder that is the program's only
// argument, and ends the program. Their date is SOURCE_DATE_EPOCH.
func ManualPages(root *cobra.Command) {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage:", root.Name(), "FOLDER")
		os.Exit(2)
	}
	toMarkdown(root)
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: root.Name(), Manual: root.Name()},
		os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, root.Name()+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// special is what Markdown takes for more than text.
var special = regexp.MustCompile("[\\\\`*_<>#|\\[\\]]")

// toMarkdown makes Markdown of a command's help: lines that begin with two spaces are kept as they are.
func toMarkdown(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	cmd.Short = special.ReplaceAllString(cmd.Short, `\$0`)
	var b strings.Builder
	kept := false
	for line := range strings.Lines(cmd.Long) {
		indented := strings.HasPrefix(line, "  ")
		if indented != kept {
			b.WriteString("\n")
			kept = indented
		}
		if indented {
			b.WriteString("    " + line)
		} else {
			b.WriteString(special.ReplaceAllString(line, `\$0`))
		}
	}
	cmd.Long = b.String()
	for _, c := range cmd.Commands() {
		toMarkdown(c)
	}
}
