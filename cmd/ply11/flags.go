// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/spf13/cobra"

// common adds the flags that many commands have.
func common(cmd *cobra.Command, force, quiet, asJSON *bool) {
	f := cmd.Flags()
	if force != nil {
		f.BoolVarP(force, "force", "f", false, "replace an existing file")
	}
	if quiet != nil {
		f.BoolVarP(quiet, "quiet", "q", false, "tell nothing but errors")
	}
	if asJSON != nil {
		f.BoolVar(asJSON, "json", false, "write the result as JSON")
	}
}

// invalidFlag is what becomes of games that are not valid, of which an archive keeps the exact text: include, skip or only.
type invalidFlag struct{ value string }

// add adds the flag to a command.
func (f *invalidFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.value, "invalid", "include", "what becomes of games that are not valid: include, skip, only")
	cmd.RegisterFlagCompletionFunc("invalid", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"include", "skip", "only"}, cobra.ShellCompDirectiveNoFileComp
	})
}

// check verifies the flag's value.
func (f *invalidFlag) check() error {
	switch f.value {
	case "include", "skip", "only":
		return nil
	}
	return usage("--invalid is include, skip or only, not %q", f.value)
}

// wants reports whether a game is wanted that is valid or is not.
func (f *invalidFlag) wants(invalid bool) bool {
	return f.value == "include" || invalid == (f.value == "only")
}
