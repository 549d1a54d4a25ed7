// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Release is the version of the commands and of all packages. After a change of it,
// go test ./internal/dist -run Versions -update writes it to the packages.
const Release = "0.9.0"

// Version returns a command's answer to --version: a line with the release, one with the commit, as far as the build
// knows it, and one for each format.
func Version(name string, formats ...string) string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info, name, formats)
}

func versionOf(info *debug.BuildInfo, name string, formats []string) string {
	commit, changed := "unknown", ""
	if info != nil {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", with changes"
			}
		}
	}
	return fmt.Sprintf("%s %s\ncommit %s%s\n%s", name, Release, commit, changed, strings.Join(formats, "\n"))
}
