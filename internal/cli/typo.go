// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// UnknownCommand returns the error of an unknown subcommand, with names that look like it.
func UnknownCommand(cmd *cobra.Command, name string) error {
	return fmt.Errorf("unknown command %q%s", name, meant(cmd, name, "", cmd.Name()+" help lists them"))
}

// Topics makes a root's command help refuse unknown names by the root's error. Cobra's own shows the root's help.
func Topics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	root.RemoveCommand(help) // Execute adds it again: until then the root's commands are its own
	help.Args = func(_ *cobra.Command, names []string) error {
		if found, _, err := root.Find(names); err != nil || found != root {
			return err
		}
		return root.ValidateArgs(names)
	}
}

// OtherNames is the annotation of a flag that has the names that other programs give it.
const OtherNames = "ply11_other_names"

// FlagError returns an error of a command's flags, with flags that look like an unknown one.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	if name := unknown.GetSpecifiedName(); len(name) > 1 { // of one letter, anything may be meant
		flags := &cobra.Command{}
		var other error
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if slices.Contains(f.Annotations[OtherNames], name) {
				other = fmt.Errorf("%w; it is --%s here", err, f.Name)
			}
			flags.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
		})
		if other != nil {
			return other
		}
		return fmt.Errorf("%w%s", err, meant(flags, name, "--", cmd.CommandPath()+" --help lists them"))
	}
	return fmt.Errorf("%w; %s --help lists them", err, cmd.CommandPath())
}

// meant lists the subcommands that look like a name, by cobra's rule.
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

// Repeated is a value of a flag that may be there several times.
type Repeated interface{ Repeated() }

// RefuseTwice makes the second of a flag an error, but of lists and switches. A number that an int does not hold is an
// error, too.
func RefuseTwice(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		kind := f.Value.Type()
		if _, ok := f.Value.(Repeated); !ok && !strings.HasPrefix(kind, "bool") && !strings.HasSuffix(kind, "Slice") &&
			!strings.HasSuffix(kind, "Array") {
			f.Value = &once{Value: f.Value}
		}
	})
	for _, c := range cmd.Commands() {
		RefuseTwice(c)
	}
}

type once struct {
	pflag.Value
	given bool
}

func (v *once) Set(s string) error {
	if v.given {
		return errors.New("it is given twice")
	}
	v.given = true
	if v.Type() == "int" { // where it has 32 bits, pflag cuts what does not fit
		if _, err := strconv.ParseInt(s, 0, strconv.IntSize); err != nil {
			return err
		}
	}
	return v.Value.Set(s)
}
