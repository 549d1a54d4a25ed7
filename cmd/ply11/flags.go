// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
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
