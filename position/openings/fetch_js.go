// SPDX-License-Identifier: Apache-2.0

package openings

// File returns the table as text. In a browser it is no part of the program, which a page has to load: the program sets
// File, which is called when a name is first asked for. Where it is not set, or fails, no position has a name.
var File func() ([]byte, error)

func load() *names {
	if File == nil {
		return &names{}
	}
	text, err := File()
	if err != nil {
		return &names{}
	}
	t, err := parse(text)
	if err != nil {
		return &names{}
	}
	return t
}
