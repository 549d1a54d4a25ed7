// SPDX-License-Identifier: Apache-2.0

package typo

import (
	"errors"
	"testing"

	"github.com/spf13/cobra"
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
		if err := Command(root, name); err.Error() != want || !errors.Is(err, ErrUnknownCommand) {
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
		if err := Flag(pack, pack.ParseFlags([]string{arg})); err == nil || err.Error() != want {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
