// SPDX-License-Identifier: Apache-2.0

// Package cli is what ply11, genrom and ply11-beam share: exit codes, help, errors that say what may have been meant,
// the answer to --version, and manual pages, with the tag man.
package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// The codes. What is not classified is Failed, and never Usage.
const (
	Done        = 0
	Failed      = 1   // a file cannot be read or written, or anything else that is not below
	Usage       = 2   // wrong usage: an unknown command, flag, option or format
	Wrong       = 3   // corrupt, or not what it should be
	Invalid     = 4   // a game is not valid
	Loss        = 5   // games hold what the target format cannot
	NotFound    = 6   // nothing there that was asked for
	NoProgram   = 7   // a program that is needed is not installed
	Signal      = 128 // and more: the signal's number is added
	Interrupted = Signal + 2
	Pipe        = Signal + 13
)

// table is what --help and docs/keep.md say of them.
var table = []struct {
	code int
	text string
}{
	{Done, "success"},
	{Failed, "a file cannot be read or written, or another failure"},
	{Usage, "wrong usage: an unknown command, flag, option or format"},
	{Wrong, "a corrupt archive or verified file; an image, simulation or proof that does not agree"},
	{Invalid, "invalid game (with --on-error stop, explain, or show --ply), or the input holds no game"},
	{Loss, "the target format cannot represent some games (try --lossy)"},
	{NotFound, "not found: no such game or ply, or no match"},
	{NoProgram, "a required program is not installed (genrom)"},
}

// AddGroup adds commands to a program, under a title of its help.
func AddGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
		root.AddCommand(c)
	}
}

// RootHelp makes the help of a program without a command: what it is for, examples, commands, flags, notes, exit codes.
// The help of its commands has lines of at most HelpColumns.
func RootHelp(root *cobra.Command, notes string) {
	cobra.AddTemplateFunc("wrap", wrap)
	root.SetHelpTemplate(strings.Replace(root.HelpTemplate(), "(or .Long .Short)", "(wrap (or .Long .Short))", 1))
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ",
		fmt.Sprintf(".FlagUsagesWrapped %d ", HelpColumns)))
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			help(cmd, args)
			return
		}
		_, usage, _ := strings.Cut(cmd.UsageString(), "Examples:\n")
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\nExamples:\n%s\n%s%s", wrap(cmd.Long), usage, notes, exitCodes())
	})
}

// HelpColumns is the most columns of a line of help, but for lines that begin with a space.
const HelpColumns = 100

// wrap fills the lines of a text, but for those that begin with a space.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || line[0] == ' ' {
			if column > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
			column = 0
			continue
		}
		for _, word := range words {
			n := utf8.RuneCountInString(word)
			switch {
			case column == 0:
				column = n
			case column+1+n <= HelpColumns:
				b.WriteByte(' ')
				column += 1 + n
			default:
				b.WriteByte('\n')
				column = n
			}
			b.WriteString(word)
		}
	}
	return b.String()
}

func exitCodes() string {
	var b strings.Builder
	b.WriteString("Exit codes of ply11 and genrom:\n")
	for _, row := range table {
		fmt.Fprintf(&b, "  %-3d  %s\n", row.code, row.text)
	}
	fmt.Fprintf(&b, "  %d+  a signal's number is added: %d Ctrl-C, %d the reader of the output went away\n", Signal,
		Interrupted, Pipe)
	return b.String()
}
