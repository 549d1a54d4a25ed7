// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"fmt"
	"strings"
)

// FileLists makes hdl/rtl/MODULE.f, the list of files of each module that has parts, by names below the root of the
// project. `genrom vectors` writes them.
func FileLists() (map[string][]byte, error) {
	checks, err := Checks()
	if err != nil {
		return nil, err
	}
	lists := map[string][]byte{}
	for _, c := range checks {
		name := "hdl/rtl/" + c.Top + ".f"
		if c.Kind != "lint" || len(c.Files) < 2 || lists[name] != nil {
			continue
		}
		lists[name] = fmt.Appendf(nil,
			"// SPDX-License-Identifier: Apache-2.0\n// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors\n"+
				"// The files of %s. Give simulators -f rtl/%s.f in the folder hdl.\n%s\n", c.Top, c.Top,
			strings.Join(c.Files, "\n"))
	}
	return lists, nil
}
