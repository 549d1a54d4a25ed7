// SPDX-License-Identifier: Apache-2.0

//go:build js

package query

import (
	"fmt"
	"strings"
	"syscall/js"
)

// expression is a regular expression of the browser: package regexp is 120 kB of a compressed program.
type expression struct {
	test js.Value // the function, bound to the expression: to look it up each time takes a quarter longer
	// what was asked before: to ask the browser takes as long as to read the game, and names come again and again
	seen map[string]bool
}

// Limits of what is remembered: texts, and the length of one.
const (
	maxSeen     = 1 << 16
	maxSeenText = 100
)

// newExpression takes package regexp's flags i, m and s at the begin, which the browser has elsewhere. What else they
// write in different ways, as named groups, is the browser's.
func newExpression(s string) (x *expression, err error) {
	text, flags := s, "u"
	anchor, rest, ok := strings.Cut(s, "(?")
	if end := strings.IndexByte(rest, ')'); ok && strings.Trim(anchor, "^") == "" && end > 0 &&
		strings.Trim(rest[:end], "ims") == "" {
		text, flags = anchor+rest[end+1:], rest[:end]+"u"
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			x, err = nil, fmt.Errorf("%q is no regular expression: %s", clip(s), clip(e.Get("message").String()))
		default:
			panic(e)
		}
	}()
	re := js.Global().Get("RegExp").New(text, flags)
	return &expression{re.Get("test").Call("bind", re), map[string]bool{}}, nil
}

// matches reports whether the expression fits a part of s.
func (e *expression) matches(s string) bool {
	fits, ok := e.seen[s]
	if ok {
		return fits
	}
	fits = e.test.Invoke(s).Bool()
	if len(s) <= maxSeenText {
		if len(e.seen) == maxSeen {
			clear(e.seen)
		}
		e.seen[strings.Clone(s)] = fits
	}
	return fits
}

// prefix returns a text with which all begins that fits.
func (e *expression) prefix() string { return "" }
