// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestTypo(t *testing.T) {
	root := &cobra.Command{Use: "tool"}
	run := func(*cobra.Command, []string) {}
	pack := &cobra.Command{Use: "pack", Run: run}
	pack.Flags().BoolP("force", "f", false, "")
	pack.Flags().Bool("dense", false, "")
	pack.Flags().Bool("secret", false, "")
	pack.Flags().MarkHidden("secret")
	root.AddCommand(pack, &cobra.Command{Use: "unpack", Run: run}, &cobra.Command{Use: "index", Run: run})
	for name, want := range map[string]string{
		"pakc":   `unknown command "pakc"; did you mean pack?`,
		"ind":    `unknown command "ind"; did you mean index?`,
		"banana": `unknown command "banana"; tool help lists them`,
	} {
		if err := UnknownCommand(root, name); err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for arg, want := range map[string]string{
		"--forec":    "unknown flag: --forec; did you mean --force?",
		"--den":      "unknown flag: --den; did you mean --dense?",
		"--secre":    "unknown flag: --secre; tool pack --help lists them",
		"--bananas":  "unknown flag: --bananas; tool pack --help lists them",
		"-x":         "unknown shorthand flag: 'x' in -x; tool pack --help lists them",
		"--force=no": `invalid argument "no" for "-f, --force" flag: strconv.ParseBool: parsing "no": invalid syntax`,
	} {
		if err := FlagError(pack, pack.ParseFlags([]string{arg})); err == nil || err.Error() != want {
			t.Errorf("%s: %v", arg, err)
		}
	}
}

// TestTopics: the help of a command that there is is shown, also of one below another; a name of none is refused as the
// root refuses it.
func TestTopics(t *testing.T) {
	for line, want := range map[string]string{
		"help":            "",
		"help index":      "",
		"help index sub":  "",
		"help help":       "",
		"help ind":        "root: ind",
		"help pakc index": "root: pakc index",
	} {
		root, index := &cobra.Command{Use: "tool", SilenceErrors: true, SilenceUsage: true},
			&cobra.Command{Use: "index"}
		root.Args = func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("root: " + strings.Join(args, " "))
			}
			return nil
		}
		index.AddCommand(&cobra.Command{Use: "sub", Run: func(*cobra.Command, []string) {}})
		root.AddCommand(index)
		Topics(root)
		root.SetArgs(strings.Fields(line))
		root.SetOut(io.Discard)
		if err := root.Execute(); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// repeated is a value that may be there several times.
type repeated struct{ pflag.Value }

func (repeated) Repeated() {}

func TestRefuseTwice(t *testing.T) {
	for line, want := range map[string]string{
		"--name a":                      "",
		"--name a --name b":             `invalid argument "b" for "-n, --name" flag: it is given twice`,
		"--name a -n a":                 `invalid argument "a" for "-n, --name" flag: it is given twice`,
		"--limit 3 --limit=4":           `invalid argument "4" for "--limit" flag: it is given twice`,
		"--limit x":                     `invalid argument "x" for "--limit" flag: strconv.ParseInt: parsing "x": invalid syntax`,
		"--force --force":               "",
		"--one a --one b":               "",
		"--some a,b --some c":           "",
		"--many a --many b":             "",
		"--name a --many b --limit 012": "",
	} {
		root, sub := &cobra.Command{Use: "tool"}, &cobra.Command{Use: "sub"}
		root.AddCommand(sub)
		f := sub.Flags()
		f.StringP("name", "n", "", "")
		f.Int("limit", 0, "")
		f.Bool("force", false, "")
		f.StringSlice("some", nil, "")
		f.StringArray("many", nil, "")
		f.String("one", "", "")
		f.Lookup("one").Value = repeated{f.Lookup("one").Value}
		RefuseTwice(root)
		if err := sub.ParseFlags(strings.Fields(line)); want == "" && err != nil || want != "" &&
			(err == nil || err.Error() != want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
