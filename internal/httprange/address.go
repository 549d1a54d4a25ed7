// SPDX-License-Identifier: Apache-2.0

package httprange

import (
	"net/url"
	"path"
	"strings"
)

// IsURL reports whether an argument is the address of a file on a web server, and not a file's name.
func IsURL(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// Name returns the name of the file that an argument stands for: the last part of an address, else the argument. A
// backslash parts an address, too: no name leads to another folder, on Windows either.
func Name(arg string) string {
	if !IsURL(arg) {
		return arg
	}
	u, err := url.Parse(arg)
	if err != nil {
		return arg
	}
	if name := path.Base(path.Clean("/" + strings.ReplaceAll(u.Path, `\`, "/"))); name != "/" {
		return name
	}
	return u.Hostname()
}
