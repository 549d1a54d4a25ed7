// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

// expression is a regular expression.
type expression struct{ re *regexp.Regexp }

func newExpression(s string) (*expression, error) {
	re, err := regexp.Compile(s)
	if err != nil {
		var e *syntax.Error
		if errors.As(err, &e) {
			err = fmt.Errorf("%q is no regular expression: %s: %q", clip(s), e.Code, clip(e.Expr))
		}
		return nil, err
	}
	return &expression{re}, nil
}

// matches reports whether the expression fits a part of s.
func (e *expression) matches(s string) bool { return e.re.MatchString(s) }

// prefix returns a text with which all begins that fits.
func (e *expression) prefix() string {
	text, _ := e.re.LiteralPrefix()
	return text
}
