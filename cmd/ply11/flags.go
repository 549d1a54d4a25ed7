// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/spf13/cobra"

	"ply11/query"
)

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

// invalidFlag is what becomes of games that are not valid, of which an archive keeps the exact text.
type invalidFlag struct {
	value  string
	policy query.Invalid
}

// invalidPolicies are the flag's values, in the order of query's.
var invalidPolicies = []string{query.IncludeInvalid: "include", query.SkipInvalid: "skip", query.OnlyInvalid: "only"}

// add adds the flag to a command.
func (f *invalidFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.value, "invalid", "include",
		"what becomes of games that are not valid: include, skip, only")
}

// check verifies the flag's value and sets the policy.
func (f *invalidFlag) check() error {
	i := slices.Index(invalidPolicies, f.value)
	if i < 0 {
		return usage("--invalid is include, skip or only, not %q", f.value)
	}
	f.policy = query.Invalid(i)
	return nil
}

// wants reports whether a game is wanted that is valid or is not.
func (f *invalidFlag) wants(invalid bool) bool {
	return f.policy == query.IncludeInvalid || invalid == (f.policy == query.OnlyInvalid)
}
