// SPDX-License-Identifier: Apache-2.0

package move_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/web/move"
)

// TestNames: each word by each of its names is the same word, and the decoder's last step is its move.
func TestNames(t *testing.T) {
	for i := range moveindex.Index(moveindex.NumWords) {
		n, err := move.Of("", "index", itoa(int(i)))
		testenv.Must(t, err)
		if n.Index != int(i) || n.Class != i.Class().String() {
			t.Fatalf("%d is %+v", i, n)
		}
		again := map[string]string{"bits": n.Bits}
		m, ok := i.Move()
		if ok {
			again["uci"], again["rom"] = n.UCI, n.ROM
			if n.UCI != m.String() || n.From != int(m.From()) || n.To != int(m.To()) {
				t.Errorf("%d is %s, and not %v", i, n.UCI, m)
			}
			want := m.From().String() + " to " + m.To().String()
			if last := n.Decoder[len(n.Decoder)-1].Text; !strings.HasSuffix(last, want) &&
				!strings.HasPrefix(last, want+", becomes a "+m.Promotion().String()) {
				t.Errorf("%d: the decoder ends with %q, want %s", i, last, want)
			}
			if f, r := n.Files.Index, n.Ranks.Index; f != int(i.MirrorFiles()) || r != int(i.MirrorRanks()) {
				t.Errorf("%d: mirrors %d, %d", i, f, r)
			}
		} else if n.Meaning == "" {
			t.Errorf("%d has no meaning", i)
		}
		for kind, text := range again {
			o, err := move.Of("", kind, text)
			testenv.Must(t, err)
			if o.Index != int(i) {
				t.Errorf("%d by %s %s is %d", i, kind, text, o.Index)
			}
		}
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// TestLabels: every legal move of positions of both colours by each label and its halfmove's number.
func TestLabels(t *testing.T) {
	for _, fen := range []string{"", "r3k2r/8/8/8/8/8/pP5p/R3K2R b KQkq - 0 1",
		"r3k2r/Pp6/8/8/8/8/8/R3K2R w KQkq - 0 1"} {
		p, err := move.ParsePosition(fen)
		testenv.Must(t, err)
		for _, m := range p.LegalMoves(nil) {
			n, err := move.Of(fen, "san", p.SAN(m))
			testenv.Must(t, err)
			if n.UCI != m.String() || n.SAN != p.SAN(m) || n.Why != "" {
				t.Fatalf("%v is %+v", m, n)
			}
			after := p
			after.Make(m)
			if n.After != after.FEN() {
				t.Errorf("%v leads to %s", m, n.After)
			}
			names := map[string]string{"halfmove": itoa(n.Halfmove)}
			for _, l := range n.Labels {
				names[l.Name] = itoa(l.Label)
				if l.Label < 0 {
					t.Errorf("%v has no label of %s", m, l.Name)
				}
			}
			for kind, text := range names {
				o, err := move.Of(fen, kind, text)
				testenv.Must(t, err)
				if o.UCI != n.UCI {
					t.Errorf("%v by %s %s is %s", m, kind, text, o.UCI)
				}
			}
		}
	}
	for kind, text := range map[string]string{"san": "Ke4", "uci": "a1b4", "index": "2048", "bits": "101",
		"rom": "0000", "halfmove": "7752", "lc0": "1858",
		"alphazero": "x", "other": "1"} {
		if _, err := move.Of("", kind, text); err == nil {
			t.Errorf("%s %s is taken", kind, text)
		}
	}
	for fen, want := range map[string]string{"4k3/8/8/8/8/8/8/4K3+w": `{"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}`,
		"8/8": "error"} {
		w := httptest.NewRecorder()
		move.Position(w, httptest.NewRequest("GET", "/api/position?fen="+fen, nil))
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s", fen, w.Body)
		}
	}
	w := httptest.NewRecorder()
	move.Handler(w, httptest.NewRequest("GET", "/api/move?kind=uci&text=a1b1", nil))
	var n move.Named
	if err := json.Unmarshal(w.Body.Bytes(), &n); err != nil || w.Code != 200 || n.UCI != "a1b1" || n.Index != 0 {
		t.Errorf("%d %s: %v", w.Code, w.Body, err)
	}
}
