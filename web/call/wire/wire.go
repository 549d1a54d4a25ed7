// SPDX-License-Identifier: Apache-2.0

// Package wire writes and reads the JSON of calls, by the names and omitempty of package encoding/json's tags, and no
// other option of them. It knows the types that calls have, and no others. encoding/json takes 61,762 bytes more of the
// first page's program after Brotli, and a generator of encoders would make code for each type, where this is one for
// all.
//
//	text, err := wire.Append(nil, result)
//	err = wire.Read(text, &params)
package wire

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrType: a value of a type that no call has, or a field with a tag that none has.
var ErrType = errors.New("not a type of calls")

// ErrSyntax: the text is no JSON, or not of the type that is read.
var ErrSyntax = errors.New("not the JSON that is wanted")

// Append appends a value. Text that is no UTF-8 is made so.
func Append(b []byte, v any) ([]byte, error) { return appendValue(b, reflect.ValueOf(v)) }

func appendValue(b []byte, v reflect.Value) (_ []byte, err error) {
	if kind := v.Kind(); kind == reflect.Invalid || (kind == reflect.Slice || kind == reflect.Map) && v.IsNil() {
		return append(b, "null"...), nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return appendValue(b, v.Elem())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.Float64:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return strconv.AppendFloat(b, f, 'g', -1, 64), nil
		}
		return nil, fmt.Errorf("%w: the number %v", ErrType, v.Float())
	case reflect.String:
		return appendString(b, v.String()), nil
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendValue(b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case reflect.Map:
		if m, ok := v.Interface().(map[string]any); ok {
			b = append(b, '{')
			first := len(b)
			for name, value := range m {
				if b, err = appendMember(b, first, name, reflect.ValueOf(value)); err != nil {
					return nil, err
				}
			}
			return append(b, '}'), nil
		}
	case reflect.Struct:
		b = append(b, '{')
		if b, err = appendFields(b, len(b), v); err != nil {
			return nil, err
		}
		return append(b, '}'), nil
	}
	return nil, fmt.Errorf("%w: %v", ErrType, v.Type())
}

// appendFields appends the members that a struct has; those of one within it without a name are its own. first is where
// the first one begins.
func appendFields(b []byte, first int, v reflect.Value) ([]byte, error) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, omit, err := member(f)
		switch {
		case err != nil:
		case f.Anonymous:
			b, err = appendFields(b, first, v.Field(i))
		case !f.IsExported() || omit && empty(v.Field(i)):
		default:
			b, err = appendMember(b, first, name, v.Field(i))
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

// member returns the name of a field, and whether it is left out if it is empty. An embedded field must be a struct,
// and have no tag.
func member(f reflect.StructField) (name string, omit bool, err error) {
	tag := f.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if name == "-" || options != "" && options != "omitempty" || f.Anonymous &&
		(f.Type.Kind() != reflect.Struct || tag != "") {
		return "", false, fmt.Errorf("%w: the field %s %v `%s`", ErrType, f.Name, f.Type, f.Tag)
	}
	if name == "" {
		name = f.Name
	}
	return name, options != "", nil
}

// empty tells whether a member with omitempty is left out. A struct never is.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func appendMember(b []byte, first int, name string, v reflect.Value) ([]byte, error) {
	if len(b) > first {
		b = append(b, ',')
	}
	return appendValue(append(appendString(b, name), ':'), v)
}

func appendString(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if i++; c < ' ' {
				b = append(append(b, s[from:i-1]...), '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
				from = i
			} else if c == '"' || c == '\\' {
				b = append(append(b, s[from:i-1]...), '\\', c)
				from = i
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if i += n; r == utf8.RuneError && n == 1 {
			b = append(append(b, s[from:i-1]...), "\ufffd"...)
			from = i
		}
	}
	return append(append(b, s[from:]...), '"')
}

// Read reads a JSON value into what v points to: a member that has no field is an error, and null changes nothing.
func Read(text []byte, v any) error {
	r := reader{text: text}
	r.value(reflect.ValueOf(v).Elem())
	if r.space(); r.err == nil && r.at < len(text) {
		r.fail("more than one value")
	}
	return r.err
}

// reader reads a text from front to back, to its first error. It goes as deep as the type that is read.
type reader struct {
	text []byte
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	r.end(fmt.Errorf("%w: at byte %d: %s", ErrSyntax, r.at, fmt.Sprintf(format, args...)))
}

// end ends the reading with an error, unless it has ended.
func (r *reader) end(err error) {
	if r.err == nil {
		r.err, r.at = err, len(r.text)
	}
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// is takes a sign that may come next.
func (r *reader) is(c byte) bool {
	if r.space(); r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

// list reads what stands between two signs, by commas.
func (r *reader) list(open, end byte, one func()) {
	if !r.is(open) {
		r.fail("no %q", open)
		return
	}
	if r.is(end) {
		return
	}
	for one(); r.is(','); one() {
	}
	if !r.is(end) {
		r.fail("no %q", end)
	}
}

// word reads a name of letters, or a number.
func (r *reader) word() string {
	r.space()
	from := r.at
	for r.at < len(r.text) && (r.text[r.at] == '-' || r.text[r.at] == '+' || r.text[r.at] == '.' ||
		r.text[r.at] >= '0' && r.text[r.at] <= '9' || r.text[r.at]|0x20 >= 'a' && r.text[r.at]|0x20 <= 'z') {
		r.at++
	}
	return string(r.text[from:r.at])
}

func (r *reader) value(v reflect.Value) {
	if r.space(); r.at < len(r.text) && r.text[r.at] == 'n' {
		if w := r.word(); w != "null" {
			r.fail("%q", w)
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		switch w := r.word(); w {
		case "true", "false":
			v.SetBool(w == "true")
		default:
			r.fail("%q is neither true nor false", w)
		}
	case reflect.Int:
		w := r.word()
		n, err := strconv.ParseInt(w, 10, strconv.IntSize)
		if digits := strings.TrimPrefix(w, "-"); err != nil || w[0] == '+' || len(digits) > 1 && digits[0] == '0' {
			r.fail("%q is no whole number", w)
			return
		}
		v.SetInt(n)
	case reflect.String:
		v.SetString(r.string())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		r.list('[', ']', func() {
			one := reflect.New(v.Type().Elem()).Elem()
			if r.value(one); r.err == nil {
				v.Set(reflect.Append(v, one))
			}
		})
	case reflect.Struct:
		r.list('{', '}', func() {
			name := r.string()
			if !r.is(':') {
				r.fail("no ':'")
			}
			for i := range v.NumField() {
				f := v.Type().Field(i)
				known, _, err := member(f)
				if f.Anonymous {
					err = fmt.Errorf("%w: %v within %v", ErrType, f.Type, v.Type())
				}
				if err != nil {
					r.end(err)
					return
				}
				if f.IsExported() && known == name {
					r.value(v.Field(i))
					return
				}
			}
			r.fail("unknown field %q", name)
		})
	default:
		r.end(fmt.Errorf("%w: %v", ErrType, v.Type()))
	}
}

func (r *reader) string() string {
	if !r.is('"') {
		r.fail("no string")
		return ""
	}
	var b []byte
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '"':
			return string([]rune(string(b))) // in place of each byte that is no UTF-8, U+FFFD
		case c < ' ':
			r.fail("a control character in a string")
		case c != '\\':
			b = append(b, c)
		case r.at == len(r.text):
			r.fail("no end of a string")
		default:
			b = r.escape(b)
		}
	}
	r.fail("no end of a string")
	return ""
}

// escape reads what stands after a backslash. Half of a pair of UTF-16 is U+FFFD.
func (r *reader) escape(b []byte) []byte {
	const letters, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c := r.text[r.at]
	r.at++
	if i := strings.IndexByte(letters, c); i >= 0 {
		return append(b, meant[i])
	}
	unit, ok := r.unit()
	if c != 'u' || !ok {
		r.fail("a wrong escape in a string")
		return b
	}
	if unit >= 0xd800 && unit < 0xdc00 && r.at+2 <= len(r.text) && r.text[r.at] == '\\' && r.text[r.at+1] == 'u' {
		at := r.at
		r.at += 2
		if low, ok := r.unit(); ok && low >= 0xdc00 && low < 0xe000 {
			return utf8.AppendRune(b, 0x10000+(unit-0xd800)<<10+(low-0xdc00))
		}
		r.at = at
	}
	return utf8.AppendRune(b, unit)
}

// unit reads the four digits of an escape.
func (r *reader) unit() (rune, bool) {
	if len(r.text)-r.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(r.text[r.at:][:4]), 16, 16)
	if err != nil {
		return 0, false
	}
	r.at += 4
	return rune(n), true
}
