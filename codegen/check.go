// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"path"
	"regexp"
	"strings"

	"ply11/moveindex"
)

// MaxFileSize is the size, in bytes, beyond which a file is none of ours: four times the largest.
const MaxFileSize = 4 << 20

// ErrDiffers is what every *DifferenceError wraps.
var ErrDiffers = errors.New("differs from the table")

// A DifferenceError is the first place at which an image or a source is not what it should be.
type DifferenceError struct {
	Format  *Format
	Address int    // the word's address; for a source its line, counted from 1
	Want    string // what should stand there
	Got     string // what stands there
	Count   int    // how many words differ; 0 for a source
	Flipped int    // the bit, if one flipped bit in the whole image explains it, else -1
}

// Error returns the error on one line.
func (e *DifferenceError) Error() string {
	if e.Format.Image == nil {
		return fmt.Sprintf("line %d: expected %.60q, found %.60q", e.Address, e.Want, e.Got)
	}
	s := fmt.Sprintf("address 0x%04x: expected %s, found %s; %d of %d words differ",
		e.Address, e.Want, e.Got, e.Count, e.Format.Image.Depth)
	if e.Flipped >= 0 {
		s += fmt.Sprintf(" (bit %d is flipped)", e.Flipped)
	}
	return s
}

// Unwrap returns ErrDiffers.
func (e *DifferenceError) Unwrap() error { return ErrDiffers }

var (
	bannerFormat = regexp.MustCompile(regexp.QuoteMeta(bannerCommand) + `([a-z0-9-]+)`)
	bannerSum    = regexp.MustCompile(`Table (SHA-256|CRC-32):\s+([0-9a-fA-F]+)`)
)

// detect tells which format a file is in, from its content, and returns the words of an image; its name decides only
// between formats of the same syntax. A depth that is no image's is an error, with the format of the ROM in the same
// encoding, so that the caller can say what the file looks like. Its errors wrap ErrSyntax or ErrDepth.
func detect(name string, data []byte) (*Format, []uint16, error) {
	if len(data) > MaxFileSize {
		return nil, nil, fmt.Errorf("%w: %d bytes are too many for any of the formats", ErrSyntax, len(data))
	}
	head := data[:min(len(data), 2048)]
	banner := byName[string(submatch(bannerFormat, head, 1))]
	if banner != nil && banner.Image == nil {
		return banner, nil, nil
	}
	encoding, err := detectEncoding(name, data)
	if err != nil {
		return nil, nil, err
	}
	f := byName[encoding]
	words, err := f.Parse(data)
	if err != nil {
		return f, nil, err
	}
	image := imageOfDepth(len(words))
	if banner != nil && banner.Image != image || image == nil {
		want := "images have 2048, 4096 or 8192"
		if banner != nil {
			want = fmt.Sprintf("%s has %d", banner.Name, banner.Image.Depth)
		}
		err := ErrDepth
		if len(words) < ROM.Depth || banner != nil && len(words) < banner.Image.Depth {
			err = ErrTruncated
		}
		return f, words, &ParseError{Format: f.Name, Err: err, Detail: fmt.Sprintf("%d words; %s", len(words), want)}
	}
	return byName[formatName(image, encoding)], words, nil
}

func submatch(re *regexp.Regexp, b []byte, n int) []byte {
	if m := re.FindSubmatch(b); m != nil {
		return m[n]
	}
	return nil
}

// detectEncoding tells the encoding of an image.
func detectEncoding(name string, data []byte) (string, error) {
	base := strings.ToLower(path.Base(name))
	if len(data) == 0 {
		return "", fmt.Errorf("%w: the file is empty", ErrTruncated)
	}
	if !isText(data) {
		return detectByteOrder(base, data), nil
	}
	upper := bytes.ToUpper(data[:min(len(data), 4096)])
	switch trimmed := bytes.TrimSpace(upper); {
	case bytes.HasPrefix(trimmed, []byte(":")):
		return detectIntelHex(data), nil
	case bytes.HasPrefix(trimmed, []byte("#FORMAT=")):
		return "lattice", nil
	case bytes.Contains(upper, []byte("MEMORY_INITIALIZATION_")):
		return "coe", nil
	case bytes.Contains(upper, []byte("WIDTH")) && bytes.Contains(upper, []byte("DEPTH")):
		return "mif", nil
	case bytes.HasPrefix(trimmed, []byte("//")), bytes.HasPrefix(trimmed, []byte("/*")), bytes.HasPrefix(trimmed, []byte("@")),
		len(trimmed) > 0 && strings.IndexByte("0123456789ABCDEF", trimmed[0]) >= 0:
		switch {
		case strings.HasSuffix(base, ".mem"):
			return "mem", nil
		case bytes.ContainsAny(data, "/@"):
			return "memh", nil
		}
		return "hex", nil
	}
	return "", fmt.Errorf("%w: none of the formats is known by what stands in it", ErrSyntax)
}

// isText reports whether data is printable ASCII. An image in binary never is: its words have bit 15
// set or are 0.
func isText(data []byte) bool {
	for _, c := range data {
		if c >= 0x7f || c < ' ' && !isSpace(c) {
			return false
		}
	}
	return true
}

// detectIntelHex tells byte addresses from word addresses by the first two records of data that follow
// each other.
func detectIntelHex(data []byte) string {
	records, err := parseRecords(data)
	if err != nil || len(records) < 2 {
		return "ihex"
	}
	if step := records[1].address - records[0].address; step != 0 && 2*step == len(records[0].data) {
		return "ihex16"
	}
	return "ihex"
}

// detectByteOrder takes the order in which fewer words of the image of that size differ; if neither is
// better, the file's name decides, and the low byte first if it does not say.
func detectByteOrder(base string, data []byte) string {
	var wrong [2]int
	if image := imageOfDepth(len(data) / 2); image != nil && len(data)%2 == 0 {
		for a, want := range image.Words() {
			lo, hi := data[2*a], data[2*a+1]
			if want != uint16(lo)|uint16(hi)<<8 {
				wrong[0]++
			}
			if want != uint16(hi)|uint16(lo)<<8 {
				wrong[1]++
			}
		}
	}
	if wrong[1] < wrong[0] || wrong[1] == wrong[0] && strings.HasSuffix(base, ".be.bin") {
		return "bin-be"
	}
	return "bin-le"
}

// Check tells which format a file is in and whether it holds what that format should. The format is
// returned with the error too, where it could be told. Its errors are a *ParseError for what is not in
// the format's syntax, truncated, or of a wrong width, depth or checksum, and a *DifferenceError for
// what differs. An image may be laid out in any way that its format allows; a source must be what
// Generate makes, byte for byte.
func Check(name string, data []byte) (*Format, error) {
	f, words, err := detect(name, data)
	if err != nil {
		return f, err
	}
	for _, m := range bannerSum.FindAllSubmatch(data[:min(len(data), 4096)], -1) {
		want := moveindex.TableSHA256
		if string(m[1]) == "CRC-32" {
			want = moveindex.TableCRC32
		}
		if got := strings.ToLower(string(m[2])); got != want {
			return f, &ParseError{Format: f.Name, Err: ErrChecksum,
				Detail: fmt.Sprintf("made from a table of %s %s, not %s", m[1], got, want)}
		}
	}
	if f.Image == nil {
		return f, checkSource(f, data)
	}
	diff := &DifferenceError{Format: f, Flipped: -1}
	for a, got := range words {
		want := f.Image.Word(a)
		if got == want {
			continue
		}
		if diff.Count++; diff.Count > 1 {
			diff.Flipped = -1
			continue
		}
		diff.Address, diff.Want, diff.Got = a, fmt.Sprintf("%04x", want), fmt.Sprintf("%04x", got)
		if x := got ^ want; bits.OnesCount16(x) == 1 {
			diff.Flipped = bits.TrailingZeros16(x)
		}
	}
	if diff.Count > 0 {
		return f, diff
	}
	return f, nil
}

// checkSource compares a source with what Generate makes, line by line.
func checkSource(f *Format, data []byte) error {
	want, err := f.Generate()
	if err != nil || bytes.Equal(data, want) {
		return err
	}
	line := 1
	for {
		wantLine, wantRest, wantMore := bytes.Cut(want, []byte("\n"))
		gotLine, gotRest, gotMore := bytes.Cut(data, []byte("\n"))
		if !bytes.Equal(wantLine, gotLine) || wantMore != gotMore {
			return &DifferenceError{Format: f, Address: line, Want: string(wantLine), Got: string(gotLine), Flipped: -1}
		}
		want, data = wantRest, gotRest
		line++
	}
}

// Checksum returns the SHA-256 of a file in hexadecimal, as SHA256SUMS has it.
func Checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
