// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// MaxFileSize bounds the files that Check takes, in bytes: four times the largest.
const MaxFileSize = 4 << 20

// ErrDiffers is wrapped by every *DifferenceError.
var ErrDiffers = errors.New("differs from what genrom makes")

// A DifferenceError is the first place at which a file is not what it should be.
type DifferenceError struct {
	Format *Format
	Line   int    // of a text, counted from 1; 0 of a binary image
	Byte   int    // of a binary image, counted from 0: the first that differs; 0 of a text
	Want   string // the line with its end, or the byte in hexadecimal; "" behind the end of what the file should be
	Got    string // what stands there; "" behind the end of the file
}

// Error returns the error on one line.
func (e *DifferenceError) Error() string {
	place := fmt.Sprintf("line %d", e.Line)
	if e.Line == 0 {
		place = fmt.Sprintf("byte 0x%04x", e.Byte)
	}
	lineEnd := ""
	if strings.HasSuffix(e.Want, "\n") && strings.HasSuffix(e.Got, "\n") {
		lineEnd = "\n" // of both, which says nothing
	}
	quote := func(s string) string {
		if s == "" {
			return "the end of the file"
		}
		return fmt.Sprintf("%.60q", strings.TrimSuffix(s, lineEnd))
	}
	return fmt.Sprintf("%s: expected %s, found %s", place, quote(e.Want), quote(e.Got))
}

func (e *DifferenceError) Unwrap() error { return ErrDiffers }

// A banner stands in the first bannerWithin bytes of a file. binaryBegin is how many bytes a binary image without a
// name is known by.
const bannerWithin, binaryBegin = 2048, 16

var bannerFormat = regexp.MustCompile(regexp.QuoteMeta(bannerCommand) + `([a-z0-9-]+)`)

// Check returns the format of a file, and an error if it is not what Generate makes, byte for byte; only the line ends
// of a text may be those of DOS. The banner names the format, or else the file's name does. A file with neither is
// compared with the formats without a banner: it is of the one with which it has most bytes in common, each at its
// place, if it begins as that does (with the same first line, or the same 16 bytes of a binary image) or has more than
// half of its bytes, and 16 at least, in common. Any other file is ErrUnknownFormat, and one that differs is a
// *DifferenceError, with its format.
func Check(name string, data []byte) (*Format, error) {
	if len(data) > MaxFileSize {
		return nil, fmt.Errorf("%w: %d bytes are too many for any of them", ErrUnknownFormat, len(data))
	}
	format, want, err := closest(name, data)
	if err != nil {
		return nil, err
	}
	if !format.binary() {
		data = unixLines(data)
	}
	return format, compare(format, want, data)
}

func closest(name string, data []byte) (format *Format, want []byte, err error) {
	if m := bannerFormat.FindSubmatch(data[:min(len(data), bannerWithin)]); m != nil {
		format = byName[string(m[1])]
	}
	for _, f := range formats {
		if format == nil && path.Base(f.Path) == path.Base(name) {
			format = f
		}
	}
	if format != nil {
		return format, format.Generate(), nil
	}
	most, text := 0, unixLines(data)
	for _, f := range formats {
		made := f.Generate()
		if bannerFormat.Match(made[:min(len(made), bannerWithin)]) {
			continue // its first line is like that of any file with the licence
		}
		got, begin := data, binaryBegin
		if !f.binary() {
			got, begin = text, len(firstLine(made))
		}
		same := sameBytes(made, got)
		if (commonPrefix(made, got) >= begin || same > max(len(got)/2, binaryBegin-1)) && same > most {
			format, want, most = f, made, same
		}
	}
	if format == nil {
		return nil, nil, fmt.Errorf("%w: no file of genrom is like it", ErrUnknownFormat)
	}
	return format, want, nil
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func commonPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// sameBytes returns how many bytes of a and b are alike at the same place.
func sameBytes(a, b []byte) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

func compare(f *Format, want, got []byte) error {
	if bytes.Equal(want, got) {
		return nil
	}
	n := commonPrefix(want, got)
	diff := &DifferenceError{Format: f}
	if f.binary() {
		diff.Byte = n
		diff.Want, diff.Got = hex.EncodeToString(want[n:min(n+1, len(want))]),
			hex.EncodeToString(got[n:min(n+1, len(got))])
		return diff
	}
	start := bytes.LastIndexByte(want[:n], '\n') + 1
	diff.Line = bytes.Count(want[:n], []byte("\n")) + 1
	diff.Want, diff.Got = firstLine(want[start:]), firstLine(got[start:])
	return diff
}

func firstLine(text []byte) string {
	return string(text[:cmp.Or(bytes.IndexByte(text, '\n')+1, len(text))])
}

// Checksum returns the SHA-256 of a file in hexadecimal, as SHA256SUMS has it.
func Checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
