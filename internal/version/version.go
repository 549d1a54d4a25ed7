// SPDX-License-Identifier: Apache-2.0

// Package version is what the commands answer to --version: the version, the commit, and the formats.
package version

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Text returns the answer of a command: a line with its version and commit, as far as the build knows them, and a line
// for each format.
func Text(name string, formats ...string) string {
	info, _ := debug.ReadBuildInfo()
	return text(info, name, formats)
}

func text(info *debug.BuildInfo, name string, formats []string) string {
	version, commit, changed := "(devel)", "unknown", ""
	if info != nil {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", with changes"
			}
		}
	}
	return fmt.Sprintf("%s %s\ncommit %s%s\n%s", name, version, commit, changed, strings.Join(formats, "\n"))
}
