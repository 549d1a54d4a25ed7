// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ply11/internal/cli"
	"ply11/query"
)

// termFlags are the flags by which commands choose games.
type termFlags struct {
	terms   []query.Term
	values  map[string]*[]string
	not, or []string
	invalid invalidFlag
	workers int
}

// termValue is the value of a term's flag. Its type, which the help shows, is an example.
type termValue struct {
	list    *[]string
	example string
}

func (v termValue) String() string { return "" }
func (v termValue) Type() string   { return v.example }
func (v termValue) Repeated()      {} // the query tells which may not be, and why
func (v termValue) Set(s string) error {
	*v.list = append(*v.list, s)
	return nil
}

// namedValue is a text. Its type, which the help shows, says what it is.
type namedValue struct {
	to   *string
	what string
}

func (v namedValue) String() string { return *v.to }
func (v namedValue) Type() string   { return v.what }
func (v namedValue) Set(s string) error {
	*v.to = s
	return nil
}

const repeated = "; can be repeated"

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
		meaning := term.Meaning
		if term.Once == "" {
			meaning += repeated
		}
		f.Var(termValue{t.values[term.Name], term.Value}, term.Name, meaning)
		if term.Name == "rating" {
			f.SetAnnotation(term.Name, cli.OtherNames, []string{"elo"})
		}
		group := groupGames
		if term.Position {
			group = groupPositions
		}
		inGroup(cmd, group, term.Name)
	}
	const terms = "NAME=VALUE; NAME=VALUE"
	f.Var(termValue{&t.not, terms}, "not", "leave out games that meet all of these"+repeated)
	f.Var(termValue{&t.or, terms}, "or", "games that meet all of these, too"+repeated)
	t.invalid.add(cmd)
	workersFlag(f, &t.workers, "")
	inGroup(cmd, groupGames, "not", "or", "invalid")
}

// Groups of flags in the help, in their order. What is in no group comes last.
const (
	groupPosition  = "The position"
	groupGames     = "Conditions on games"
	groupPositions = "Conditions on positions"
	groupChanges   = "Changes on the way"
)

func inGroup(cmd *cobra.Command, group string, names ...string) {
	for _, name := range names {
		cmd.Flags().SetAnnotation(name, "group", []string{group})
	}
	cmd.SetUsageTemplate(groupedTemplate)
}

// groupedTemplate is cobra's usage with the flags in groups.
var groupedTemplate = func() string {
	cobra.AddTemplateFunc("groupedFlags", groupedFlags)
	const flags = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	return strings.Replace(new(cobra.Command).UsageTemplate(), flags, "{{groupedFlags .LocalFlags}}", 1)
}()

func groupedFlags(all *pflag.FlagSet) string {
	var b strings.Builder
	for _, group := range []string{groupPosition, groupGames, groupPositions, groupChanges, ""} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.SortFlags = false
		all.VisitAll(func(f *pflag.Flag) {
			if strings.Join(f.Annotations["group"], "") == group {
				flags.AddFlag(f)
			}
		})
		title := group
		if group == "" {
			title = "Other flags"
		}
		if flags.HasFlags() {
			fmt.Fprintf(&b, "%s:\n%s\n", title, flags.FlagUsagesWrapped(cli.HelpColumns))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func (t *termFlags) query() (*query.Query, error) {
	q := query.New()
	for _, term := range t.terms {
		if err := addTerms(q, term.Name, *t.values[term.Name]); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(addTerms(q, "not", t.not), addTerms(q, "or", t.or)); err != nil {
		return nil, err
	}
	q.Invalid(query.Invalid(t.invalid))
	return q, nil
}

// given reports whether there is any condition.
func (t *termFlags) given() bool {
	for _, values := range t.values {
		if len(*values) > 0 {
			return true
		}
	}
	return len(t.not)+len(t.or) > 0
}

func addTerms(q *query.Query, name string, values []string) error {
	for _, value := range values {
		if err := q.Add(name, value); err != nil {
			return usage("--%v", err)
		}
	}
	return nil
}
