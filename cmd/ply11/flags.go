// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ply11/query"
)

// common adds flags that many commands have.
func common(cmd *cobra.Command, force, quiet, asJSON *bool) {
	f := cmd.Flags()
	if force != nil {
		f.BoolVarP(force, "force", "f", false, "replace an existing file")
	}
	if quiet != nil {
		f.BoolVarP(quiet, "quiet", "q", false, "print only errors")
	}
	if asJSON != nil {
		f.BoolVar(asJSON, "json", false, "write the result as JSON")
	}
}

// number adds a flag that is a number with bounds.
func number[T int | int64](f *pflag.FlagSet, to *T, name, short string, value, least, most T, help string) {
	*to = value
	f.VarP(within[T]{to, name, least, most}, name, short, help)
}

type within[T int | int64] struct {
	to          *T
	name        string
	least, most T
}

func (b within[T]) String() string { return fmt.Sprint(*b.to) }
func (b within[T]) Type() string   { return fmt.Sprintf("%T", *b.to) }

func (b within[T]) Set(s string) error {
	n, err := strconv.ParseInt(s, 0, 64)
	switch {
	case err != nil:
		return err
	case T(n) >= b.least && T(n) <= b.most:
		*b.to = T(n)
		return nil
	case b.most == math.MaxInt:
		return usage("--%s is %d or more, not %s", b.name, b.least, s)
	}
	return usage("--%s is %d to %d, not %s", b.name, b.least, b.most, s)
}

// workersFlag adds the flag of the number of processors.
func workersFlag(f *pflag.FlagSet, workers *int, bound string) {
	number(f, workers, "workers", "j", 0, 0, math.MaxInt, "processors to use, 0 for all"+bound)
}

func blockFlag(f *pflag.FlagSet, games *int, help string) {
	number(f, games, "block", "", 1024, 1, 4096, help)
}

// invalidFlag is what becomes of games that are not valid.
type invalidFlag query.Invalid

var invalidPolicies = []string{query.IncludeInvalid: "include", query.SkipInvalid: "skip", query.OnlyInvalid: "only"}

func (f *invalidFlag) add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "invalid", "games that are not valid: include, skip or only")
}

func (f *invalidFlag) String() string { return invalidPolicies[*f] }
func (f *invalidFlag) Type() string   { return "string" }

func (f *invalidFlag) Set(s string) error {
	i := slices.Index(invalidPolicies, s)
	if i < 0 {
		return usage("--invalid is include, skip or only, not %q", s)
	}
	*f = invalidFlag(i)
	return nil
}

// wants reports whether a game is wanted.
func (f invalidFlag) wants(invalid bool) bool {
	policy := query.Invalid(f)
	return policy == query.IncludeInvalid || invalid == (policy == query.OnlyInvalid)
}

// exclude makes flags of a command exclude each other. argCount holds it.
func exclude(cmd *cobra.Command, names ...string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[strings.Join(names, " ")] = "exclude"
}

// excluded refuses flags that exclude each other.
func excluded(cmd *cobra.Command) error {
	for names := range cmd.Annotations {
		var given []string
		for _, name := range strings.Fields(names) {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return usage("one of %s", strings.Join(given, " and "))
		}
	}
	return nil
}
