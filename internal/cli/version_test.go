// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "true"}}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{info, "tool " + Release + "\ncommit 0123abcd, with changes\na 1\nb 2"},
		{&debug.BuildInfo{}, "tool " + Release + "\ncommit unknown\na 1\nb 2"},
		{nil, "tool " + Release + "\ncommit unknown\na 1\nb 2"},
	} {
		if got := versionOf(c.info, "tool", []string{"a 1", "b 2"}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := Version("tool", "a 1"); !strings.HasPrefix(got, "tool ") || !strings.HasSuffix(got, "\na 1") {
		t.Errorf("%q", got)
	}
}
