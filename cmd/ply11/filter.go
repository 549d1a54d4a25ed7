// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ply11/query"
)

// filterFlags are the flags of find and export that choose games by all that a query can ask.
type filterFlags struct {
	termFlags
	sequences                []string
	variations, mirror, swap bool
}

func (t *filterFlags) add(cmd *cobra.Command) {
	t.termFlags.add(cmd, func(query.Term) bool { return true })
	f := cmd.Flags()
	f.Var(termValue{&t.sequences, "TERM; TERM -> TERM; within=PLIES"}, "sequence",
		"positions one after the other"+repeated)
	f.BoolVar(&t.variations, "variations", false, "look into variations, too")
	f.BoolVar(&t.mirror, "mirror", false, "look for positions with files a and h exchanged, too")
	f.BoolVar(&t.swap, "swap-colors", false, "look for positions with the colours exchanged, too")
	inGroup(cmd, groupPositions, "sequence", "variations", "mirror", "swap-colors")
}

func (t *filterFlags) query(cmd *cobra.Command) (*query.Query, error) {
	q, err := t.termFlags.query()
	if err == nil {
		err = addTerms(q, "sequence", t.sequences)
	}
	if err != nil {
		return nil, err
	}
	q.Variations(t.variations)
	q.Mirror(t.mirror)
	q.SwapColors(t.swap)
	if err := q.Check(); err != nil {
		return nil, usage("%v", err)
	}
	return q, nil
}

// args returns the filters as arguments, in the order of their names.
func (t *filterFlags) args(cmd *cobra.Command) []string {
	given := map[string][]string{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values, term := t.values[f.Name]
		switch {
		case f.Name == "sequence":
			values = &t.sequences
		case f.Name == "not":
			values = &t.not
		case f.Name == "or":
			values = &t.or
		case f.Name == "variations" || f.Name == "mirror" || f.Name == "swap-colors":
			values = &[]string{f.Value.String()}
		case !term:
			return
		}
		given[f.Name] = *values
	})
	list := []string{"--invalid=" + t.invalid.String()}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		for _, v := range given[name] {
			list = append(list, "--"+name+"="+v)
		}
	}
	return list
}
