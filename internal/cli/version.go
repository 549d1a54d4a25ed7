// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Version returns a command's answer to --version: a line with its version and commit, as far as the build knows them,
// and a line for each format.
func Version(name string, formats ...string) string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info, name, formats)
}

func versionOf(info *debug.BuildInfo, name string, formats []string) string {
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
