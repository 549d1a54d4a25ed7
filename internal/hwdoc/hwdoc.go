// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"strings"
)

// sections are what Update makes, by name.
func sections() map[string]func() (string, error) {
	all := map[string]func() (string, error){
		"codes":          words,
		"errors":         errors,
		"registers":      registers,
		"timing.playing": playing,
		"timing.waiting": waiting,
		"timing.board":   board,
		"timing.unpack":  unpack,
	}
	for _, m := range modules {
		all["ports."+m] = func() (string, error) { return table(m) }
	}
	return all
}

const (
	begin    = "<!-- begin "
	beginEnd = " -->\n"
	end      = "<!-- end -->"
)

// Update returns the page with every section made anew. A section that is not known, has no end, or is
// missing, is an error.
func Update(page string) (string, error) {
	var b strings.Builder
	all := sections()
	for {
		head, rest, ok := strings.Cut(page, begin)
		b.WriteString(head)
		if !ok {
			break
		}
		name, rest, ok := strings.Cut(rest, beginEnd)
		_, rest, closed := strings.Cut(rest, end)
		if !ok || !closed {
			return "", fmt.Errorf("hwdoc: a section has no end: %.40q", name)
		}
		section, known := all[name]
		if !known {
			return "", fmt.Errorf("hwdoc: there is no section %q, or it stands there twice", name)
		}
		delete(all, name)
		text, err := section()
		if err != nil {
			return "", err
		}
		b.WriteString(begin + name + beginEnd + text + end)
		page = rest
	}
	for name := range all {
		return "", fmt.Errorf("hwdoc: the page has no section %q", name)
	}
	return b.String(), nil
}
