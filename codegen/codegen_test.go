// SPDX-License-Identifier: Apache-2.0

package codegen_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/codegen"
	"ply11/internal/testenv"
	"ply11/moveindex"
)

//go:generate go test -run ^TestGolden$ -update
var update = flag.Bool("update", false, "write the golden files anew")

func generate(t testing.TB, name string) []byte {
	t.Helper()
	f, err := codegen.Lookup(name)
	testenv.Must(t, err)
	return f.Generate()
}

// binary tells if a format is no text.
func binary(f *codegen.Format) bool { return strings.HasSuffix(f.Path, ".bin") }

// lineOfWords is a line of a text image that holds words: the address of a MIF file before them, or the head of a
// record of Quartus.
var lineOfWords = regexp.MustCompile(
	`(?m)^(?:[0-9a-f]{4} : |:02[0-9A-F]{4}00)?([0-9A-Fa-f]{4}(?:[ ,;][0-9a-f]{4})*)(?:[,;]|[0-9A-F]{2})?$`)

// TestEveryImageHoldsTheWords reads the words of each image as they stand there. TestLayouts reads what stands around
// them, and SRecord reads Intel HEX with byte addresses, in TestSrecCatReads.
func TestEveryImageHoldsTheWords(t *testing.T) {
	for _, f := range codegen.Formats() {
		if f.Image == nil || strings.HasSuffix(f.Path, ".ihex") {
			continue
		}
		data := generate(t, f.Name)
		var want, got strings.Builder
		for _, w := range f.Image.Words() {
			if strings.HasSuffix(f.Name, "bin-le") {
				w = w<<8 | w>>8
			}
			fmt.Fprintf(&want, "%04x", w)
		}
		if binary(f) {
			fmt.Fprintf(&got, "%x", data)
		} else {
			for _, line := range lineOfWords.FindAllSubmatch(data, -1) {
				got.WriteString(strings.ToLower(strings.NewReplacer(" ", "", ",", "", ";", "").Replace(
					string(line[1]))))
			}
		}
		if got.String() != want.String() {
			t.Errorf("%s holds other words, or lineOfWords does not know its lines", f.Name)
		}
	}
}

// What stands around the words of those images that no other program here reads is what their vendors ask
// for. Quartus' Intel HEX has a record a word, in which all bytes add up to 0, with the word's address and the end's
// record; COE is radix, vector, commas and one semicolon; Lattice's has its head.
func TestLayouts(t *testing.T) {
	for _, image := range []struct {
		prefix string
		words  int
	}{{"", 2048}, {"inverse-", 4096}, {"halfmoves-", 8192}} {
		lines := strings.Split(string(generate(t, image.prefix+"ihex16")), "\n")
		if len(lines) != image.words+2 || lines[image.words] != ":00000001FF" || lines[image.words+1] != "" {
			t.Errorf("%sihex16 has %d lines, the end %q", image.prefix, len(lines), lines[len(lines)-2:])
		}
		for a, line := range lines[:image.words] {
			record, err := hex.DecodeString(strings.TrimPrefix(line, ":"))
			if err != nil || len(record) != 7 || line[0] != ':' {
				t.Fatalf("%sihex16: record %q: %v", image.prefix, line, err)
			}
			sum := 0
			for _, b := range record {
				sum += int(b)
			}
			if record[0] != 2 || int(record[1])<<8|int(record[2]) != a || record[3] != 0 || sum%256 != 0 {
				t.Fatalf("%sihex16: record %d is %q", image.prefix, a, line)
			}
		}

		var coe strings.Builder
		for line := range strings.Lines(string(generate(t, image.prefix+"coe"))) {
			if !strings.HasPrefix(line, ";") {
				coe.WriteString(line)
			}
		}
		vector, headed := strings.CutPrefix(coe.String(),
			"memory_initialization_radix=16;\nmemory_initialization_vector=\n")
		vector, ended := strings.CutSuffix(vector, ";\n")
		if words := strings.Split(vector, ",\n"); !headed || !ended || len(words) != image.words ||
			strings.ContainsAny(strings.Join(words, ""), ";, \n") {
			t.Errorf("%scoe: head %v, end %v, %d words", image.prefix, headed, ended, len(words))
		}

		head := fmt.Sprintf("#Format=Hex\n#Depth=%d\n#Width=16\n#AddrRadix=3\n#DataRadix=3\n#Data\n", image.words)
		if lattice := generate(t, image.prefix+"lattice"); !bytes.HasPrefix(lattice, []byte(head)) {
			t.Errorf("%slattice begins %q", image.prefix, lattice[:len(head)])
		}
	}
}

func TestEveryFileIsDetectedAndChecked(t *testing.T) {
	for _, f := range codegen.Formats() {
		data := generate(t, f.Name)
		if got, err := codegen.Check(f.Path, data); err != nil || got != f {
			t.Errorf("%s: checked as %v, %v", f.Path, got, err)
		}
		got, err := codegen.Check("-", data)
		if err != nil || got != f {
			t.Errorf("%s from stdin: checked as %v, %v", f.Path, got, err)
		}
		// Line ends of DOS change nothing in a text.
		if !binary(f) {
			if _, err := codegen.Check(f.Path, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))); err != nil {
				t.Errorf("%s with CR LF: %v", f.Path, err)
			}
		}
	}
}

func TestFormatNamesAndPathsAreUnique(t *testing.T) {
	seen := make(map[string]string)
	for _, f := range codegen.Formats() {
		for _, key := range []string{"name " + f.Name, "path " + f.Path} {
			if other, ok := seen[key]; ok {
				t.Errorf("%s is of both %s and %s", key, other, f.Name)
			}
			seen[key] = f.Name
		}
	}
	if _, err := codegen.Lookup("nonsense"); !errors.Is(err, codegen.ErrUnknownFormat) || !strings.Contains(err.Error(),
		"memh") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestEveryFileCarriesTheBanner(t *testing.T) {
	// The formats that have no room for comments; SHA256SUMS speaks for them.
	bare := map[string]bool{"hex": true, "ihex": true, "ihex16": true, "bin-le": true, "bin-be": true}
	for _, f := range codegen.Formats() {
		data := generate(t, f.Name)
		name := strings.TrimPrefix(strings.TrimPrefix(f.Name, "inverse-"), "halfmoves-")
		for _, want := range []string{"go run ./cmd/genrom emit -t " + f.Name, moveindex.TableSHA256,
			moveindex.TableCRC32,
			"Apache-2.0"} {
			if got := bytes.Contains(data, []byte(want)); got == bare[name] {
				t.Errorf("%s: %q in it: %v", f.Name, want, got)
			}
		}
	}
}

// Each hand-written file that begins with a comment to the end of the line has the banner, too.
func TestEveryCopyCarriesTheBanner(t *testing.T) {
	files, err := codegen.Files()
	testenv.Must(t, err)
	comment := regexp.MustCompile(`^(?://|#|--) ?SPDX`)
	copies := 0
	for _, f := range files {
		if f.Format != nil || f.Path == codegen.SumsPath || !comment.Match(f.Data) {
			continue
		}
		copies++
		if !bytes.Contains(f.Data, []byte(" go run ./cmd/genrom emit\n")) {
			t.Errorf("%s has no banner", f.Path)
		}
	}
	if copies < 100 {
		t.Errorf("%d files", copies)
	}
}

func TestImagesHoldTheTable(t *testing.T) {
	moves, inverse, halfmoves := 0, 0, 0
	for a := range codegen.ROM.Depth {
		w := codegen.ROM.Word(a)
		if w == 0 {
			continue
		}
		moves++
		if w>>12&7 == 0 {
			if back := codegen.Inverse.Word(int(w & 0xfff)); back != uint16(a)|0x8000 {
				t.Fatalf("index %d: word %04x, inverse %04x", a, w, back)
			}
		}
	}
	for a := range codegen.Inverse.Depth {
		if codegen.Inverse.Word(a)>>15 == 1 {
			inverse++
		}
	}
	for a := range codegen.HalfmoveROM.Depth {
		if codegen.HalfmoveROM.Word(a)>>15 == 1 {
			halfmoves++
		}
	}
	if moves != 1968 || inverse != 1792 || halfmoves != 7752 {
		t.Errorf("%d moves, %d in the inverse, %d halfmoves; want 1968, 1792, 7752", moves, inverse, halfmoves)
	}
	// By hand, from docs/INDEX.md: a1b1; e2e4 is axis N (2), n = 2, from e2 = 12; g7g8q is j = 18.
	for _, c := range []struct {
		index int
		word  uint16
	}{
		{0, 0x8000 | 1<<6},
		{1<<8 | 2<<6 | 12, 0x8000 | 28<<6 | 12},
		{1792 + 16*9 + 2*3, 0x8000 | 7<<12 | 62<<6 | 54},
		{1968, 0}, {2047, 0},
	} {
		if got := codegen.ROM.Word(c.index); got != c.word {
			t.Errorf("word %d is %04x, want %04x", c.index, got, c.word)
		}
	}
}

// TestGolden compares the beginning of each file, and the whole file's SHA-256, with testdata, so that
// a change of any format is seen in review.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, f := range codegen.Formats() {
		data := generate(t, f.Name)
		fmt.Fprintf(&b, "%s %s %d bytes\n%s\n", f.Name, f.Path, len(data), codegen.Checksum(data))
	}
	path := filepath.Join("testdata", "formats.golden")
	if *update {
		testenv.Must(t, os.WriteFile(path, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(path)
	testenv.Must(t, err)
	if b.String() != string(want) {
		t.Errorf("the files have changed; if they should: go test ./codegen -run TestGolden -update")
	}
}

// splitUnits returns what a DifferenceError counts: the lines of a text, or the bytes of a binary image in hexadecimal.
func splitUnits(f *codegen.Format, data []byte) []string {
	if !binary(f) {
		return strings.SplitAfter(string(data), "\n")
	}
	units := make([]string, len(data))
	for i := range data {
		units[i] = hex.EncodeToString(data[i : i+1])
	}
	return units
}

// TestCheckNamesTheFirstDifference changes one bit of one word in every image.
func TestCheckNamesTheFirstDifference(t *testing.T) {
	for _, f := range codegen.Formats() {
		if f.Image == nil {
			continue
		}
		wrong := *f.Image
		wrong.Word = func(a int) uint16 {
			w := f.Image.Word(a)
			if a == 0x123 {
				w ^= 1 << 5
			}
			return w
		}
		bad := *f
		bad.Image = &wrong
		data := bad.Generate()
		for _, name := range []string{f.Path, "-"} {
			_, err := codegen.Check(name, data)
			var diff *codegen.DifferenceError
			if !errors.As(err, &diff) || !errors.Is(err, codegen.ErrDiffers) {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
			good, n := splitUnits(f, generate(t, f.Name)), diff.Byte
			bad := splitUnits(f, data)
			if !binary(f) {
				n = diff.Line - 1
			}
			if diff.Format != f || diff.Want != good[n] || diff.Got != bad[n] || good[n] == bad[n] ||
				!slices.Equal(good[:n], bad[:n]) ||
				(diff.Line == 0) != binary(f) || !binary(f) && diff.Byte != 0 {
				t.Errorf("%s as %s: %v", f.Name, name, err)
			}
		}
	}
}

func TestCheckOfSourcesNamesTheLine(t *testing.T) {
	data := bytes.Replace(generate(t, "verilog"), []byte("11'd7: word = 16'h8007"), []byte("11'd7: word = 16'h8006"), 1)
	_, err := codegen.Check("x.v", data)
	var diff *codegen.DifferenceError
	if !errors.As(err, &diff) || !strings.Contains(diff.Want, "8007") || !strings.Contains(diff.Got, "8006") {
		t.Fatalf("a wrong word: %v", err)
	}
	if line := bytes.Count(data[:bytes.Index(data, []byte("8006"))], []byte("\n")) + 1; diff.Line != line {
		t.Errorf("line %d, want %d", diff.Line, line)
	}
	if _, err := codegen.Check("x.v", data[:len(data)/2]); !errors.Is(err, codegen.ErrDiffers) {
		t.Errorf("half a source: %v", err)
	}
}

func TestBadImages(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"empty", nil, codegen.ErrUnknownFormat, "no file of genrom is like it"},
		{"no image at all", []byte("[Event \"?\"]\n\n1. e4 *\n"), codegen.ErrUnknownFormat,
			"no file of genrom is like it"},
		{"a text with our licence", []byte("// SPDX-License-Identifier: Apache-2.0\n\nmodule blink;\nendmodule\n"),
			codegen.ErrUnknownFormat, "no file of genrom is like it"},
		{"a text with a digit in common", []byte("8 pawns\n"), codegen.ErrUnknownFormat,
			"no file of genrom is like it"},
		{"another Intel HEX", []byte(":020000040000FA\n:1000000040808180C280038144818581C6810780D0\n"),
			codegen.ErrUnknownFormat, "no file of genrom is like it"},
		{"a binary with a word in common", []byte("\x40\x80 and no more of it"), codegen.ErrUnknownFormat,
			"no file of genrom is like it"},
		{"a binary with 16 bytes in common", generate(t, "bin-le")[:16], codegen.ErrDiffers,
			`byte 0x0010: expected "48", found the end of the file`},
		{"its first word wrong", bytes.Replace(generate(t, "hex"), []byte("8040"), []byte("8060"), 1),
			codegen.ErrDiffers,
			`line 1: expected "8040", found "8060"`},
		{"its first byte wrong", append([]byte{0}, generate(t, "bin-le")[1:]...), codegen.ErrDiffers,
			`byte 0x0000: expected "40", found "00"`},
		{"cut, with line ends of DOS", []byte("8040\r\n8081\r\n"), codegen.ErrDiffers,
			`line 3: expected "80c2\n", found the end of the file`},
		{"huge", make([]byte, codegen.MaxFileSize+1), codegen.ErrUnknownFormat, "too many"},
		{"ply11_rom.coe", nil, codegen.ErrDiffers,
			`line 1: expected "; SPDX-License-Identifier: Apache-2.0\n", found the end of the file`},
		{"cut", []byte("8040\n8081\n"), codegen.ErrDiffers, `line 3: expected "80c2\n", found the end of the file`},
		{"without its last line end", bytes.TrimSuffix(generate(t, "hex"), []byte("\n")), codegen.ErrDiffers,
			`line 2048: expected "0000\n", found "0000"`},
		{"more behind it", append(generate(t, "hex"), "0000\n"...), codegen.ErrDiffers,
			`line 2049: expected the end of the file, found "0000\n"`},
		{"ply11_rom.le.bin", bytes.Repeat(generate(t, "bin-le"), 2), codegen.ErrDiffers,
			"byte 0x1000: expected the end of the file, found \"40\""},
		{"of another table", bytes.Replace(generate(t, "memh"), []byte("565fa66c"), []byte("565fa66d"), 1),
			codegen.ErrDiffers,
			"line 5"},
	} {
		if _, err := codegen.Check(c.name, c.data); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v, %s", c.name, err, c.want, c.text)
		}
	}
}

// No prefix of a file passes for it.
func TestPrefixes(t *testing.T) {
	for _, f := range codegen.Formats() {
		if f.Image != codegen.ROM {
			continue
		}
		data := generate(t, f.Name)
		for n := 0; n < len(data); n += 211 {
			if _, err := codegen.Check(f.Path, data[:n]); err == nil {
				t.Fatalf("%s: %d of %d bytes pass for the image", f.Name, n, len(data))
			}
		}
	}
}

func TestJSONIsTheTable(t *testing.T) {
	var v struct {
		SHA256  string
		Control []struct {
			Index int
			Name  string
		}
		Moves []struct {
			Index           int
			UCI             string
			From, To, Promo uint16
			Promotion       uint16
		}
	}
	testenv.Must(t, json.Unmarshal(generate(t, "json"), &v))
	codes := 0 // and the last of several has a name of its own
	for _, c := range moveindex.Controls() {
		if codes++; c.LastName != "" {
			codes++
		}
	}
	if v.SHA256 != moveindex.TableSHA256 || len(v.Moves) != 1968 || len(v.Control) != codes {
		t.Errorf("%s, %d moves, %d codes of %d", v.SHA256, len(v.Moves), len(v.Control), codes)
	}
	for a, m := range v.Moves {
		parsed, err := chess.ParseUCI(m.UCI)
		if err != nil || m.Index != a || uint16(parsed) != m.From|m.To<<6|m.Promotion<<12 {
			t.Fatalf("row %d: %+v: %v", a, m, err)
		}
	}
}
