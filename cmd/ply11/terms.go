// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ply11/query"
)

// termFlags are the flags by which commands choose games: the terms of a query, what a game must not meet, and what becomes
// of games that are not valid.
type termFlags struct {
	terms   []query.Term
	values  map[string]*[]string
	not     []string
	invalid invalidFlag
	workers int
}

// add adds the flags of the terms that are wanted.
func (t *termFlags) add(cmd *cobra.Command, wanted func(query.Term) bool) {
	f := cmd.Flags()
	f.SortFlags = false
	t.values = map[string]*[]string{}
	for _, term := range query.Terms {
		if !wanted(term) {
			continue
		}
		t.terms = append(t.terms, term)
		t.values[term.Name] = new([]string)
		f.StringArrayVar(t.values[term.Name], term.Name, nil, fmt.Sprintf("%s (`%s`)", term.Meaning, term.Value))
	}
	f.StringArrayVar(&t.not, "not", nil, "leave out games that meet all of these: `NAME=VALUE; NAME=VALUE`")
	t.invalid.add(cmd)
	f.IntVarP(&t.workers, "workers", "j", 0, "processors to use, 0 for all")
}

// query makes the query that the flags ask for.
func (t *termFlags) query() (*query.Query, error) {
	if t.workers < 0 {
		return nil, usage("--workers is 0 or more, not %d", t.workers)
	}
	q := query.New()
	for _, term := range t.terms {
		if err := addTerms(q, term.Name, *t.values[term.Name]); err != nil {
			return nil, err
		}
	}
	if err := addTerms(q, "not", t.not); err != nil {
		return nil, err
	}
	if err := t.invalid.check(); err != nil {
		return nil, err
	}
	q.Invalid(t.invalid.policy)
	return q, nil
}

// addTerms adds the values of a flag to a query.
func addTerms(q *query.Query, name string, values []string) error {
	for _, value := range values {
		if err := q.Add(name, value); err != nil {
			return usage("--%v", err)
		}
	}
	return nil
}
