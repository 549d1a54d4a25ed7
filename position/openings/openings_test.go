// SPDX-License-Identifier: Apache-2.0

package openings

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/position"
)

func ExampleOf() {
	p := position.Start()
	for _, uci := range []string{"e2e4", "c7c5"} {
		m, _ := p.ParseUCI(uci)
		p.Make(m)
	}
	o, _ := Of(&p)
	fmt.Println(o)
	// Output: B20 Sicilian Defense
}

// unpacked is the table as text.
func unpacked(t testing.TB) []string {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// pack makes a table.
func pack(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

// TestEveryLine: notnil/chess plays each line of the table, and the position that it comes to has the name of the line.
func TestEveryLine(t *testing.T) {
	code := regexp.MustCompile(`^[A-E][0-9]{2}$`)
	names := map[string]bool{}
	var san notnil.AlgebraicNotation
	lines := unpacked(t)
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		p := notnil.StartingPosition()
		for _, word := range strings.Fields(f[2]) {
			if strings.HasSuffix(word, ".") {
				continue
			}
			m, err := san.Decode(p, word)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			p = p.Update(m)
		}
		at, err := position.ParseFEN(p.String())
		if err != nil {
			t.Fatal(err)
		}
		if o, ok := Of(&at); !ok || o.ECO != f[0] || o.Name != f[1] || !code.MatchString(o.ECO) ||
			strings.TrimSpace(o.Name) == "" {
			t.Errorf("%s: %v", line, o)
		}
		names[f[1]] = true
	}
	if len(table().of) != len(lines)-1 || len(lines) != 3808 || len(names) < 3000 {
		t.Errorf("%d openings of %d names in %d lines", len(table().of), len(names), len(lines))
	}
}

// TestOf: the counters do not matter, and the rights to castle do.
func TestOf(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""},
		{"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 17 40", "B20 Sicilian Defense"},
		{"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w Qkq - 0 2", ""},
	} {
		p, err := position.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		o, ok := Of(&p)
		if got := strings.TrimSpace(o.String()); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.fen, got, c.want)
		}
	}
}

// TestBadTables: a table that cannot be is refused.
func TestBadTables(t *testing.T) {
	for _, c := range []struct {
		table []byte
		want  string
	}{
		{[]byte("eco"), "EOF"},
		{pack("eco\tname\tpgn\nA00\tx\n"), "line 2: 2 fields"},
		{pack("eco\tname\tpgn\nA00\tx\t1. e5\n"), "line 2: "},
		{pack("eco\tname\tpgn\nA00\tx\t1. Nf3 Nf6 2. g3\nA00\ty\t1. g3 Nf6 2. Nf3\n"),
			"line 3: the position is that of A00 x"},
	} {
		if _, err := read(c.table); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
