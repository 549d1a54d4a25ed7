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
	commit := "unknown"
	if info != nil {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value
			} else if s.Key == "vcs.modified" && s.Value == "true" { // which comes after it
				commit += ", with changes"
			}
		}
	}
	return fmt.Sprintf("%s %s\ncommit %s\n%s", name, Release, commit, strings.Join(formats, "\n"))
}
