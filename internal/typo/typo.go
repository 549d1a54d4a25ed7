// SPDX-License-Identifier: Apache-2.0

// Package typo says what the user of a command may have meant who wrote the name of a subcommand or of a flag wrong.
package typo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ErrUnknownCommand is what errors of Command wrap.
var ErrUnknownCommand = errors.New("unknown command")

// Command returns the error of a command that has no subcommand of a name. It names those that look like it.
func Command(cmd *cobra.Command, name string) error {
	return fmt.Errorf("%w %q%s", ErrUnknownCommand, name, meant(cmd, name, "", cmd.Name()+" help lists them"))
}

// Flag returns an error of a command's flags, with the flags that look like one that the command does not have. Other errors are returned as they are.
func Flag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	if name := unknown.GetSpecifiedName(); len(name) > 1 { // of one letter, anything may be meant
		flags := &cobra.Command{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			flags.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
		})
		return fmt.Errorf("%w%s", err, meant(flags, name, "--", cmd.CommandPath()+" --help lists them"))
	}
	return fmt.Errorf("%w; %s --help lists them", err, cmd.CommandPath())
}

// meant lists the subcommands of a command that look like a name, by cobra's rule: two letters are different, or the name is the begin.
func meant(cmd *cobra.Command, name, before, otherwise string) string {
	if cmd.SuggestionsMinimumDistance == 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	list := cmd.SuggestionsFor(name)
	if len(list) == 0 {
		return "; " + otherwise
	}
	for i := range list {
		list[i] = before + list[i]
	}
	return "; did you mean " + strings.Join(list, " or ") + "?"
}
