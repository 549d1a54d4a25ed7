// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/jose"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/position"
)

// What the document calls the bytes before a second byte, those of text, and those around a variation.
const (
	promotion        = 0xa0
	nag              = 0xb0
	textByte         = 0xe0
	startOfVariation = 0xf0
	endOfVariation   = 0xf1
)

// emptyVariation is the one game with a variation without a move, which a game cannot hold.
const emptyVariation = "perle.tsv line 51"

// TestProgramData reads the games that the program itself encoded: "in program the codec must reproduce their GameText
// byte for byte".
func TestProgramData(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(datadir.Path(t, "jose"), "*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	games := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var expected []string
		for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")[1:] {
			expected = append(expected, strings.SplitN(line, "\t", 8)[7])
		}
		bytesReader := jose.NewReader(bytes.NewReader(data), jose.Program, jose.Table)
		r := jose.NewReader(bytes.NewReader(data), jose.Program, jose.Table)
		n := 0
		for g, err := range r.All() {
			name := fmt.Sprintf("%s line %d", filepath.Base(file), n+2)
			rec, rerr := bytesReader.NextRecord()
			if err != nil || rerr != nil {
				t.Fatalf("%s: %v, %v", name, err, rerr)
			}
			want := expected[n]
			if name == emptyVariation {
				want = strings.ReplaceAll(want, "( ) ", "")
			}
			if got := tokens(g); got != want {
				t.Errorf("%s: decoded\n%s\nwant\n%s", name, got, want)
			}
			text := rec.GameText
			if name == emptyVariation {
				text = bytes.ReplaceAll(text, []byte{startOfVariation, endOfVariation}, nil)
			}
			again, err := jose.Program.Encode(g, jose.Table)
			if err != nil {
				t.Fatalf("%s: encode: %v", name, err)
			}
			if !bytes.Equal(again.GameText, text) {
				t.Errorf("%s: encoded\n%x\nwant\n%x", name, again.GameText, text)
			}
			if !bytes.Equal(again.Comments, rec.Comments) {
				t.Errorf("%s: comments\n%q\nwant\n%q", name, again.Comments, rec.Comments)
			}
			wordsBothWays(t, name, rec)
			games++
			n++
		}
		if n != len(expected) {
			t.Errorf("%s: %d games, want %d", file, n, len(expected))
		}
	}
	if games != 734 {
		t.Errorf("%d games, want 734", games)
	}
}

// wordsBothWays decodes a GameText to words and back; the bytes must be the same but for text, which words do
// not hold.
func wordsBothWays(t *testing.T, name string, rec *jose.Record) {
	t.Helper()
	start := position.Start()
	if rec.FEN != "" {
		var err error
		if start, err = position.ParseFENLenient(rec.FEN); err != nil {
			t.Fatal(err)
		}
	}
	var dec jose.Decoder
	var enc jose.Encoder
	words, n, err := dec.DecodeIndices(jose.Program, &start, nil, rec.GameText)
	if err != nil || n != len(rec.GameText) {
		t.Fatalf("%s: %d of %d bytes: %v", name, n, len(rec.GameText), err)
	}
	again, n, err := enc.EncodeIndices(jose.Program, &start, nil, words)
	if err != nil || n != len(words) {
		t.Fatalf("%s: %d of %d words: %v", name, n, len(words), err)
	}
	var want []byte
	for text := rec.GameText; len(text) > 0; {
		n := 1
		if text[0] >= promotion && text[0] <= nag {
			n = 2
		}
		if text[0]&0xf0 != textByte {
			want = append(want, text[:n]...)
		}
		text = text[n:]
	}
	if !bytes.Equal(again, want) {
		t.Errorf("%s: words give\n%x\nwant\n%x", name, again, want)
	}
}

// tokens writes a game as the data's last column has it.
func tokens(g *game.Game) string {
	var out []string
	for e, p := range g.Replay() {
		switch e.Kind {
		case game.MoveEvent:
			s := e.Move.String()
			switch {
			case e.Move == chess.NullMove:
				s = "`/`/"
			case p.PieceAt(e.Move.From()).Kind() == chess.King && s[0] == 'e' && s[2] == 'g':
				s = s[:2] + "h" + s[3:]
			case p.PieceAt(e.Move.From()).Kind() == chess.King && s[0] == 'e' && s[2] == 'c':
				s = s[:2] + "a" + s[3:]
			}
			out = append(out, s)
		case game.NAG:
			out = append(out, fmt.Sprintf("$%d", e.NAG))
		case game.Comment:
			folded := strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(e.Text)
			out = append(out, "{"+folded+"}")
		case game.VariationStart:
			out = append(out, "(")
		case game.VariationEnd:
			out = append(out, ")")
		}
	}
	out = append(out, map[game.Result]string{game.Unknown: "R-1", game.BlackWins: "R0", game.Draw: "R1",
		game.WhiteWins: "R2"}[g.Result])
	return strings.Join(out, " ")
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}
