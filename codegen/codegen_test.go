// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/moveindex"
)

//go:generate go test -run ^TestGolden$ -update
var update = flag.Bool("update", false, "write the golden files anew")

func generate(t testing.TB, name string) []byte {
	t.Helper()
	f, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryImageIsReadBack(t *testing.T) {
	for _, f := range Formats() {
		if f.Image == nil {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			words, err := f.Parse(generate(t, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(words, f.Image.Words()) {
				t.Error("what is read back is not what was written")
			}
		})
	}
}

func TestEveryFileIsDetectedAndChecked(t *testing.T) {
	for _, f := range Formats() {
		data := generate(t, f.Name)
		if got, err := Check(f.Path, data); err != nil || got != f {
			t.Errorf("%s: checked as %v, %v", f.Path, got, err)
		}
		// Without its name, the formats that are the same but for it are taken for the first of them.
		got, err := Check("-", data)
		if err != nil || got.Image != f.Image || got.Name != strings.Replace(f.Name, "mem", "memh", 1) && got.Name != f.Name {
			t.Errorf("%s from stdin: checked as %v, %v", f.Path, got, err)
		}
		// Line ends of DOS change nothing for an image in text.
		if f.Image != nil && isText(data) {
			if _, err := Check(f.Path, bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))); err != nil {
				t.Errorf("%s with CR LF: %v", f.Path, err)
			}
		}
	}
}

func TestFormatNamesAndPathsAreUnique(t *testing.T) {
	seen := make(map[string]string)
	for _, f := range Formats() {
		for _, key := range []string{"name " + f.Name, "path " + f.Path} {
			if other, ok := seen[key]; ok {
				t.Errorf("%s is of both %s and %s", key, other, f.Name)
			}
			seen[key] = f.Name
		}
	}
	if _, err := Lookup("nonsense"); !errors.Is(err, ErrUnknownFormat) || !strings.Contains(err.Error(), "memh") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestEveryFileCarriesTheBanner(t *testing.T) {
	// The formats that have no room for comments; SHA256SUMS speaks for them.
	bare := map[string]bool{"hex": true, "ihex": true, "ihex16": true, "bin-le": true, "bin-be": true}
	for _, f := range Formats() {
		data := generate(t, f.Name)
		name := strings.TrimPrefix(strings.TrimPrefix(f.Name, "inverse-"), "halfmoves-")
		for _, want := range []string{bannerCommand + f.Name, moveindex.TableSHA256, moveindex.TableCRC32, "Apache-2.0"} {
			if got := bytes.Contains(data, []byte(want)); got == bare[name] {
				t.Errorf("%s: %q in it: %v", f.Name, want, got)
			}
		}
	}
}

func TestImagesHoldTheTable(t *testing.T) {
	moves, inverse, halfmoves := 0, 0, 0
	for a := range ROM.Depth {
		w := ROM.Word(a)
		if w == 0 {
			continue
		}
		moves++
		if w>>12&7 == 0 {
			if back := Inverse.Word(int(w & 0xfff)); back != uint16(a)|0x8000 {
				t.Fatalf("index %d: word %04x, inverse %04x", a, w, back)
			}
		}
	}
	for a := range Inverse.Depth {
		if Inverse.Word(a)>>15 == 1 {
			inverse++
		}
	}
	for a := range HalfmoveROM.Depth {
		if HalfmoveROM.Word(a)>>15 == 1 {
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
		if got := ROM.Word(c.index); got != c.word {
			t.Errorf("word %d is %04x, want %04x", c.index, got, c.word)
		}
	}
}

// TestGolden compares the beginning of each file, and the whole file's SHA-256, with testdata, so that
// a change of any format is seen in review.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, f := range Formats() {
		data := generate(t, f.Name)
		fmt.Fprintf(&b, "%s %s %d bytes\n%s\n", f.Name, f.Path, len(data), Checksum(data))
	}
	path := filepath.Join("testdata", "formats.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the files have changed; if they should: go test ./codegen -run TestGolden -update")
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	for _, f := range Formats() {
		if !bytes.Equal(generate(t, f.Name), generate(t, f.Name)) {
			t.Errorf("%s differs from one time to the next", f.Name)
		}
	}
}

// TestCheckNamesTheFirstDifference changes one bit of one word in every image.
func TestCheckNamesTheFirstDifference(t *testing.T) {
	for _, f := range Formats() {
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
		data, err := bad.Generate()
		if err != nil {
			t.Fatal(err)
		}
		_, err = Check(f.Path, data)
		var diff *DifferenceError
		if !errors.As(err, &diff) || !errors.Is(err, ErrDiffers) {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		want := fmt.Sprintf("%04x", f.Image.Word(0x123))
		if diff.Format != f || diff.Address != 0x123 || diff.Want != want || diff.Count != 1 || diff.Flipped != 5 {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestCheckOfSourcesNamesTheLine(t *testing.T) {
	data := bytes.Replace(generate(t, "verilog"), []byte("11'd7: word = 16'h8007"), []byte("11'd7: word = 16'h8006"), 1)
	_, err := Check("x.v", data)
	var diff *DifferenceError
	if !errors.As(err, &diff) || !strings.Contains(diff.Want, "8007") || !strings.Contains(diff.Got, "8006") {
		t.Fatalf("a wrong word: %v", err)
	}
	if line := bytes.Count(data[:bytes.Index(data, []byte("8006"))], []byte("\n")) + 1; diff.Address != line {
		t.Errorf("line %d, want %d", diff.Address, line)
	}
	if _, err := Check("x.v", data[:len(data)/2]); !errors.Is(err, ErrDiffers) {
		t.Errorf("half a source: %v", err)
	}
}

func TestBadImages(t *testing.T) {
	replace := func(name, old, new string) []byte {
		data := generate(t, name)
		if !bytes.Contains(data, []byte(old)) {
			t.Fatalf("no %q in %s", old, name)
		}
		return bytes.Replace(data, []byte(old), []byte(new), 1)
	}
	upTo := func(name string, n int) []byte { return generate(t, name)[:n] }
	lines := func(name string, n int) []byte {
		return bytes.Join(bytes.SplitAfter(generate(t, name), []byte("\n"))[:n], nil)
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, ErrTruncated},
		{"no image at all", []byte("[Event \"?\"]\n\n1. e4 *\n"), ErrSyntax},
		{"memh cut", lines("memh", 100), ErrTruncated},
		{"memh of no known depth", append(generate(t, "memh"), "0000\n"...), ErrDepth},
		{"memh wide word", replace("memh", "8040", "18040"), ErrWidth},
		{"memh very wide word", replace("memh", "8040", strings.Repeat("8", 99)), ErrWidth},
		{"memh x", replace("memh", "8040", "80x0"), ErrSyntax},
		{"memh address far out", []byte("@ffffffff 8040\n"), ErrSyntax},
		{"memh address out", []byte("@2000 8040\n"), ErrDepth},
		{"memh twice", replace("memh", "8040", "8040 @0 8040"), ErrSyntax},
		{"memh gap", replace("memh", "8040", "@1"), ErrTruncated},
		{"memh comment without end", []byte("/* 8040"), ErrTruncated},
		{"memh of another table", replace("memh", "565fa66c", "565fa66d"), ErrChecksum},
		{"c of another table", replace("c", "565fa66c", "565fa66d"), ErrChecksum},
		{"hex cut", lines("hex", 1000), ErrTruncated},
		{"coe radix", replace("coe", "radix=16", "radix=8"), ErrSyntax},
		{"coe word", replace("coe", "8040", "18040"), ErrWidth},
		{"coe cut", upTo("coe", 8000), ErrTruncated},
		{"coe no vector", upTo("coe", 500), ErrTruncated},
		{"coe vector first", []byte("memory_initialization_vector=0;"), ErrSyntax},
		{"coe text after", append(generate(t, "coe"), "0,\n"...), ErrSyntax},
		{"mif width", replace("mif", "WIDTH = 16", "WIDTH = 8"), ErrWidth},
		{"mif depth", replace("mif", "DEPTH = 2048", "DEPTH = 2047"), ErrDepth},
		{"mif deeper", replace("mif", "DEPTH = 2048", "DEPTH = 4096"), ErrTruncated},
		{"mif cut", upTo("mif", 9000), ErrTruncated},
		{"mif missing word", replace("mif", "0001 : 8081;\n", ""), ErrTruncated},
		{"mif range out", []byte("DEPTH=2048; WIDTH=16; CONTENT BEGIN [0..ffffff] : 0; END;"), ErrDepth},
		{"mif range back", []byte("DEPTH=2048; WIDTH=16; CONTENT BEGIN [5..4] : 0; END;"), ErrDepth},
		{"mif no depth", []byte("WIDTH=16; -- DEPTH\nCONTENT BEGIN 0 : 0; END;"), ErrSyntax},
		{"ihex checksum", replace("ihex", ":1000000040", ":1000000041"), ErrChecksum},
		{"ihex cut in a record", upTo("ihex", 1001), ErrTruncated},
		{"ihex without end", replace("ihex", ":00000001FF\n", ""), ErrTruncated},
		{"ihex no digit", []byte(":zz00000000\n"), ErrSyntax},
		{"ihex16 checksum", replace("ihex16", ":020000008040", ":020000008041"), ErrChecksum},
		{"ihex16 deep", []byte(":020000040001F9\n:02000000804040\n:0200010080409D\n:00000001FF\n"), ErrChecksum},
		{"lattice width", replace("lattice", "#Width=16", "#Width=18"), ErrWidth},
		{"lattice depth", replace("lattice", "#Depth=2048", "#Depth=99999"), ErrDepth},
		{"lattice cut", upTo("lattice", 4000), ErrTruncated},
		{"lattice header cut", []byte("#Format=Hex\n#Depth=2048\n"), ErrTruncated},
		{"lattice colon", replace("lattice", "8040\n", "8040:\n"), ErrSyntax},
		{"binary odd", upTo("bin-le", 4095), ErrTruncated},
		{"binary short", upTo("bin-be", 4094), ErrTruncated},
		{"binary long", bytes.Repeat(generate(t, "bin-le"), 5), ErrDepth},
		{"huge", make([]byte, MaxFileSize+1), ErrSyntax},
	} {
		_, err := Check(c.name, c.data)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is not one line: %q", c.name, err)
		}
	}
}

// TestPrefixes: no prefix of an image passes for one, but for what only white space or a semicolon of
// DOS is missing from.
func TestPrefixes(t *testing.T) {
	for _, f := range Formats() {
		if f.Image != ROM {
			continue
		}
		data := generate(t, f.Name)
		whole := len(bytes.TrimRight(data, "\n"))
		for n := 0; n < whole; n += 211 {
			if _, err := Check(f.Path, data[:n]); err == nil {
				t.Fatalf("%s: %d of %d bytes pass for the image", f.Name, n, len(data))
			}
		}
	}
}

// TestOtherLayouts reads what the formats allow and we do not write.
func TestOtherLayouts(t *testing.T) {
	words := ROM.Words()
	var mif, coe, lattice, vmem strings.Builder
	mif.WriteString("% two\nlines % width = 16 ; depth = 2048;\naddress_radix=uns; data_radix=bin;\ncontent\nbegin\n")
	for a := 0; a < 1968; a += 3 {
		fmt.Fprintf(&mif, "%d : %b %b %b; -- three\n", a, words[a], words[a+1], words[a+2])
	}
	mif.WriteString("[1968..2047] : 0;\nend;\n")
	coe.WriteString("; comment\nMEMORY_INITIALIZATION_RADIX = 10 ; ten\nmemory_initialization_vector =\n")
	lattice.WriteString("#Format=AddrHex\n#Depth=2048\n#Width=16\n#AddrRadix=3\n#DataRadix=3\n#Data\n# comment\n")
	vmem.WriteString("/* a\ncomment */")
	for a, w := range words {
		fmt.Fprintf(&coe, " %d%s", w, map[bool]string{true: ";", false: ","}[a == 2047])
		if a%16 == 0 {
			fmt.Fprintf(&lattice, "\n%x:", a)
			fmt.Fprintf(&vmem, "\n@%X", a)
		}
		fmt.Fprintf(&lattice, "%x ", w)
		fmt.Fprintf(&vmem, " %02X_%02x//\n", w>>8, w&255)
	}
	for name, data := range map[string]string{
		"mif": mif.String(), "coe": coe.String(), "lattice": lattice.String(), "memh": vmem.String(),
	} {
		f, err := Check("-", []byte(data))
		if err != nil || f.Name != name {
			t.Errorf("%s: %v, %v", name, f, err)
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
	if err := json.Unmarshal(generate(t, "json"), &v); err != nil {
		t.Fatal(err)
	}
	if v.SHA256 != moveindex.TableSHA256 || len(v.Moves) != 1968 || len(v.Control) != len(codes) {
		t.Errorf("%s, %d moves, %d codes", v.SHA256, len(v.Moves), len(v.Control))
	}
	for a, m := range v.Moves {
		parsed, err := chess.ParseUCI(m.UCI)
		if err != nil || m.Index != a || uint16(parsed) != m.From|m.To<<6|m.Promotion<<12 {
			t.Fatalf("row %d: %+v: %v", a, m, err)
		}
	}
}

func TestPrinterKeepsTheFirstError(t *testing.T) {
	p := new(printer)
	p.word(0x10000, 16)
	p.word(0x20000, 16)
	p.f("more")
	if b, err := p.result(); b != nil || !errors.Is(err, ErrWidth) || !strings.Contains(err.Error(), "0x10000") {
		t.Errorf("%q, %v", b, err)
	}
}

func BenchmarkGenerateAll(b *testing.B) {
	for b.Loop() {
		n := 0
		for _, f := range Formats() {
			data, err := f.Generate()
			if err != nil {
				b.Fatal(err)
			}
			n += len(data)
		}
		b.SetBytes(int64(n))
	}
}
