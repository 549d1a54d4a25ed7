// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ply11/dataset"
	"ply11/internal/formats"
)

// completions are the values of flags that the shell completes, by "flag" or "command --flag".
var completions = map[string]func(cmd *cobra.Command) []string{
	"invalid":               fixed(invalidPolicies...),
	"result":                fixed("1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"),
	"stm":                   fixed("white", "black"),
	"mover":                 fixed("white", "black"),
	"ending":                fixed("mate", "stalemate"),
	"fen":                   fixed("startpos"),
	"on-error":              fixed("keep", "skip", "stop"),
	"import --on-error":     fixed("skip", "stop"),
	"from":                  fixed(formats.Names()...),
	"convert --to":          fixed(formats.Names()...),
	"explain --format":      fixed(formats.Names()...),
	"export --to":           fixed(namesOf(dataset.Formats(), func(f dataset.Format) string { return f.Name })...),
	"import --from":         fixed(namesOf(dataset.Importers(), func(f dataset.Importer) string { return f.Name })...),
	"labels":                fixed(dataset.LabelNames()...),
	"label-type":            fixed(dataset.LabelTypeNames()...),
	"wdl":                   fixed(dataset.WDLNames()...),
	"export --sort":         fixed("date"),
	"only":                  fixed(dataset.OnlyNames()...),
	"augment":               fixed(dataset.AugmentNames()...),
	"planes":                fixed(dataset.PlanesNames()...),
	"convert --from-option": optionsOf("from"),
	"convert --to-option":   optionsOf("to"),
	"explain --option":      optionsOf("format"),
}

func fixed(values ...string) func(*cobra.Command) []string {
	return func(*cobra.Command) []string { return values }
}

func namesOf[T any](of []T, name func(T) string) (all []string) {
	for _, x := range of {
		all = append(all, name(x))
	}
	return all
}

// optionsOf completes the options of the format that another flag names.
func optionsOf(flag string) func(cmd *cobra.Command) []string {
	return func(cmd *cobra.Command) (all []string) {
		f, err := formats.ByName(cmd.Flag(flag).Value.String())
		if err != nil {
			return nil
		}
		for _, o := range f.Options {
			if o.Values == nil {
				all = append(all, o.Name+"=")
			}
			for _, value := range o.Values {
				all = append(all, o.Name+"="+value)
			}
		}
		return all
	}
}

func complete(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			values, ok := completions[cmd.Name()+" --"+f.Name]
			if !ok {
				values, ok = completions[f.Name]
			}
			if !ok {
				return
			}
			cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, _ string) ([]string,
				cobra.ShellCompDirective) {
				return values(cmd), cobra.ShellCompDirectiveNoFileComp
			})
		})
	}
}
