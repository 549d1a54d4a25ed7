// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/position"
)

// pairs are the files of the folder chessbase, with the number of games in each: 695 together.
var pairs = []struct {
	name  string
	games int
}{
	{"gnuchess_over250plies", 59}, {"gnuchess_underpromotions", 168}, {"perle", 80},
	{"pychess_mate_in_4", 373}, {"starter", 15},
}

// expected is one line of an .expect.tsv.
type expected struct {
	game   int
	source string
	fen    string
	tokens []string
}

func readExpected(t testing.TB, pair string) (list []expected) {
	t.Helper()
	f, err := os.Open(datadir.Path(t, "chessbase", pair+".expect.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	scan.Scan()
	for scan.Scan() {
		col := strings.Split(scan.Text(), "\t")
		n, err := strconv.Atoi(col[0])
		if err != nil || len(col) != 4 {
			t.Fatalf("%s: %q", pair, scan.Text())
		}
		list = append(list, expected{n, col[1], col[2], tokens(col[3])})
	}
	return list
}

// tokens splits a column: a comment with its braces is one token.
func tokens(s string) (list []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		n := strings.IndexByte(s, ' ')
		if s[0] == '{' {
			n = strings.IndexByte(s, '}') + 1
		}
		if n <= 0 {
			n = len(s)
		}
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// token returns a move as the expected tokens have it: castling to the rook's square.
func token(m chess.Move, p *position.Position) string {
	if p.KingSquare(p.Turn()) == m.From() {
		switch int(m.To()) - int(m.From()) {
		case 2:
			m = chess.NewMove(m.From(), m.To()+1)
		case -2:
			m = chess.NewMove(m.From(), m.To()-2)
		}
	}
	return m.String()
}

func readPair(t testing.TB, pair string) (cbf, cbi []byte) {
	t.Helper()
	cbf, err := os.ReadFile(datadir.Path(t, "chessbase", pair+".cbf"))
	if err != nil {
		t.Fatal(err)
	}
	cbi, err = os.ReadFile(datadir.Path(t, "chessbase", pair+".cbi"))
	if err != nil {
		t.Fatal(err)
	}
	return cbf, cbi
}

func newReader(t testing.TB, cbf, cbi []byte, options ...ReaderOption) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(cbf), int64(len(cbf)), bytes.NewReader(cbi), int64(len(cbi)), options...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// misplaced are the games in which the converter wrote two comments for one move: from there on comments are compared
// by their order.
var misplaced = map[string]bool{"perle, game 12": true, "perle, game 31": true, "perle, game 69": true}

// fold makes one space of all white space.
func fold(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\xfe", " ")), " ")
}

// inOrder compares the comments of a record with the expected ones: the same or prefixes, in the same order, but that
// those before the moves come last.
func inOrder(t *testing.T, name string, field []byte, tokens []string) {
	var want, before []string
	for i, s := range tokens {
		if s[0] == '{' {
			want = append(want, fold(s[1:len(s)-1]))
		}
		if i == len(want)-1 {
			before = want
		}
	}
	want = append(want, before...)
	for c := newComments(field); ; {
		comment, ok, err := c.next()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !ok {
			return
		}
		if len(comment.Text) == 0 {
			continue
		}
		text := fold(string(comment.Text))
		for len(want) > 0 && !strings.HasPrefix(want[0], text) {
			want = want[1:]
		}
		if len(want) == 0 {
			t.Errorf("%s: comment %q is not expected there", name, text)
			return
		}
		want = want[1:]
	}
}

// The moves and variations of all 695 games are as they stand beside them, results but for 0x10, each comment equal to
// the expected one or a prefix of it, white space folded.
func TestPairs(t *testing.T) {
	games, empty, comments, cut, nags := 0, 0, 0, 0, 0
	compare := func(name, got, want string) {
		if got == "" {
			return
		}
		comments++
		got, want = fold(got), fold(want)
		if !strings.HasPrefix(want, got) {
			t.Errorf("%s: comment %q, not %q", name, got, want)
		} else if got != want {
			cut++
		}
	}
	for _, pair := range pairs {
		cbf, cbi := readPair(t, pair.name)
		r := newReader(t, cbf, cbi)
		list := readExpected(t, pair.name)
		if r.Len() != pair.games || len(list) != pair.games {
			t.Fatalf("%s: %d games, %d expected", pair.name, r.Len(), len(list))
		}
		var g game.Game
		for _, want := range list {
			games++
			name := fmt.Sprintf("%s, game %d", pair.name, want.game)
			if err := r.Game(want.game, &g); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if want.fen != "" {
				p, err := position.ParseFENLenient(want.fen)
				if err != nil {
					t.Fatal(err)
				}
				setup := p.Setup()
				setup.HalfmoveClock = 0 // not in the format
				if a := g.Start.Setup(); a != setup {
					t.Errorf("%s: starts from %s, not %s", name, g.Start.FEN(), p.FEN())
				}
			}
			// What the file has, as tokens of moves and brackets, with the annotations of each.
			type entry struct {
				token   string
				comment string
				nags    []string
			}
			flatten := func(list []string) (out []entry, opening, result string) {
				for i, s := range list {
					switch {
					case s[0] == '{':
						switch {
						case len(out) == 0:
							opening += s[1 : len(s)-1]
						case out[len(out)-1].token == "(": // not in the files
						default:
							out[len(out)-1].comment += s[1 : len(s)-1]
						}
					case s[0] == '$':
						out[len(out)-1].nags = append(out[len(out)-1].nags, s)
					case s[0] == 'R' && i == len(list)-1:
						result = s
					case s == ")" && out[len(out)-1].token == "(":
						empty++
						out = out[:len(out)-1]
					default:
						out = append(out, entry{token: s})
					}
				}
				return out, opening, result
			}
			if (g.Start == position.Start()) != (want.fen == "") {
				t.Errorf("%s: starts from %s", name, g.Start.FEN())
			}
			wantEntries, wantOpening, wantResult := flatten(want.tokens)
			var got []entry
			var owner []int // the entry of the last move of each line
			last := -1
			opening := ""
			for e, p := range g.Replay() {
				switch e.Kind {
				case game.MoveEvent:
					last = len(got)
					got = append(got, entry{token: token(e.Move, p)})
				case game.VariationStart:
					owner = append(owner, last)
					got = append(got, entry{token: "("})
				case game.VariationEnd:
					last = owner[len(owner)-1]
					owner = owner[:len(owner)-1]
					got = append(got, entry{token: ")"})
				case game.Comment:
					text, lost := encodeText(nil, e.Text)
					if len(lost) != 0 {
						t.Errorf("%s: %q", name, e.Text)
					}
					if len(got) == 0 {
						opening += string(text)
						continue
					}
					got[last].comment += string(text)
				case game.NAG:
					got[last].nags = append(got[last].nags, fmt.Sprintf("$%d", e.NAG))
				}
			}
			if len(got) != len(wantEntries) {
				t.Errorf("%s: %d tokens, not %d", name, len(got), len(wantEntries))
				continue
			}
			for i := range got {
				a, b := got[i], wantEntries[i]
				if a.token != b.token {
					t.Errorf("%s: token %d is %s, not %s", name, i, a.token, b.token)
					break
				}
				if exact := !misplaced[name]; exact {
					compare(name, a.comment, b.comment)
				}
				for _, n := range a.nags {
					nags++
					if !misplaced[name] && !strings.Contains(" "+strings.Join(b.nags, " ")+" ", " "+n+" ") {
						t.Errorf("%s: token %d has %s, expected %s", name, i, n, b.nags)
					}
				}
			}
			if !misplaced[name] {
				compare(name, opening, wantOpening)
			}
			inOrder(t, name, r.record.Comments, want.tokens)
			results := map[string]game.Result{"R0": game.BlackWins, "R1": game.Draw, "R2": game.WhiteWins,
				"R-1": game.Unknown}
			if res, ok := results[wantResult]; !ok || g.Result != res {
				t.Errorf("%s: result %v, not %s", name, g.Result, wantResult)
			}
		}
		d, c, e := r.Numbered()
		t.Logf("%s: %d games by the document's numbering, %d by cbascii's, %d by either", pair.name, d, c, e)
	}
	if games != 695 {
		t.Errorf("%d games", games)
	}
	if empty != 1 {
		t.Errorf("%d empty variations", empty)
	}
	t.Logf("%d comments, %d of them cut; %d evaluations", comments, cut, nags)
}
