// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ply11/beam/pipelines"
	"ply11/query"
)

// termFlags are the flags that choose games: the terms of a query that are not about positions.
type termFlags struct {
	names  []string
	values map[string]*[]string
}

func (t *termFlags) add(cmd *cobra.Command) {
	t.values = map[string]*[]string{}
	flag := func(name, help string) {
		t.names = append(t.names, name)
		t.values[name] = cmd.Flags().StringArray(name, nil, help)
	}
	for _, term := range query.Terms {
		if !term.Position {
			flag(term.Name, fmt.Sprintf("%s (`%s`)", term.Meaning, term.Value))
		}
	}
	flag("not", "leave out games that meet all of these: `NAME=VALUE; NAME=VALUE`")
	flag("or", "games that meet all of these, too: `NAME=VALUE; NAME=VALUE`")
}

// terms returns the terms that were given.
func (t *termFlags) terms() (list []pipelines.Term) {
	for _, name := range t.names {
		for _, value := range *t.values[name] {
			list = append(list, pipelines.Term{Name: name, Value: value})
		}
	}
	return list
}
