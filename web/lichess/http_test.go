// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/bounded"
	"ply11/position"
	"ply11/query/index"
	"ply11/web"
)

func do(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "address" {
			r.RemoteAddr = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// shape returns the keys of a JSON value, and the kinds of the values.
func shape(d *json.Decoder) string {
	t, err := d.Token()
	switch v := t.(type) {
	case json.Delim:
		var parts []string
		for d.More() {
			if v == '{' {
				key, _ := d.Token()
				parts = append(parts, fmt.Sprint(key, ":", shape(d)))
			} else {
				parts = append(parts, shape(d))
			}
		}
		d.Token()
		if v == '{' {
			return "{" + strings.Join(parts, " ") + "}"
		}
		if len(parts) > 1 {
			parts = parts[:1]
		}
		return "[" + strings.Join(parts, "") + "]"
	case string:
		return "s"
	case float64:
		return "n"
	case nil:
		if err == nil {
			return "null"
		}
	}
	return fmt.Sprintf("%v %v", t, err)
}

const shaped = `[Event "Rated Blitz game"]
[Site "https://lichess.org/PFRcQXaV"]
[Date "2024.11.05"]
[White "A"]
[Black "B"]
[WhiteElo "2400"]
[BlackElo "2300"]
[TimeControl "180+0"]
[Result "1-0"]

1. e4 c5 2. Nf3 1-0

[Event "x"]
[Site "?"]
[Date "1999.??.??"]
[White "C \"q\""]
[Black "<D>"]
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2

`

// TestShape: keys, their order and their kinds are those that lila-openingexplorer writes.
func TestShape(t *testing.T) {
	h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", shaped))
	const (
		opening = "{eco:s name:s}"
		people  = "black:{name:s rating:n} white:{name:s rating:n} year:n month:s"
		bigGame = "{uci:s id:s winner:s speed:s mode:s " + people + "}"
		game    = "{id:s winner:s speed:s mode:s " + people + "}"
	)
	for _, c := range []struct{ target, want string }{
		{"/masters?play=e2e4", "{white:n draws:n black:n moves:[{uci:s san:s averageRating:n white:n draws:n black:n " +
			"game:{id:s winner:s " + people + "} opening:" + opening +
			"}] topGames:[{uci:s id:s winner:s " + people + "}] opening:" + opening + "}"},
		{"/lichess?play=e2e4&topGames=0", "{white:n draws:n black:n moves:[{uci:s san:s averageRating:n white:n " +
			"draws:n black:n game:" + game + " opening:" + opening +
			// the other is a best one
			"}] recentGames:[{uci:s id:s winner:null speed:s mode:s black:{name:s rating:n} white:{name:s rating:n} " +
			"year:n month:null}] topGames:[] opening:" + opening + "}"},
		{"/lichess?history=1&until=2025-01", "{white:n draws:n black:n moves:[{uci:s san:s averageRating:n white:n " +
			"draws:n black:n game:null opening:" + opening +
			"}] recentGames:[{uci:s id:s winner:null speed:s mode:s black:{name:s rating:n} white:{name:s rating:n} " +
			"year:n month:null}] topGames:[" + bigGame + "] opening:null history:[{month:s white:n draws:n black:n}]}"},
		{"/lichess/history?until=2025-01", "{white:n draws:n black:n moves:[] recentGames:[] topGames:[] " +
			"opening:null history:[{month:s white:n draws:n black:n}]}"},
		{"/player?player=a&color=white", "{white:n draws:n black:n moves:[{uci:s san:s averageOpponentRating:n " +
			"performance:n white:n draws:n black:n game:" + game + " opening:" + opening +
			"}] recentGames:[" + bigGame + "] opening:null queuePosition:n}"},
		{"/player?player=nobody&color=black",
			"{white:n draws:n black:n moves:[] recentGames:[] opening:null queuePosition:n}"},
	} {
		r := do(h, "GET", c.target)
		body := plainBody(r.Body)
		if got := shape(json.NewDecoder(strings.NewReader(body))); r.StatusCode != 200 || got != c.want {
			t.Errorf("%s: %d\n%s\n%s, want\n%s", c.target, r.StatusCode, body, got, c.want)
		}
	}
	if body := plainBody(do(h, "GET", "/masters?play=e2e4,e7e5").Body); body !=
		`{"white":0,"draws":0,"black":0,"moves":[],"topGames":[],"opening":{"eco":"C20","name":"King's Pawn Game"}}` {
		t.Error(body)
	}
	if body := plainBody(do(h, "GET", "/lichess?play=e2e4").Body); !strings.Contains(body,
		`{"name":"C \"q\"","rating":0}`) || !strings.Contains(body, `{"name":"<D>","rating":0}`) {
		t.Error(body)
	}
}

func TestErrors(t *testing.T) {
	h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", shaped))
	for _, c := range []struct {
		target string
		status int
		want   string
	}{
		{"/masters", 200, ""},
		{"/master", 200, ""},
		{"/personal?player=a&color=white", 200, ""},
		{"/masters?fen=&play=", 200, ""},
		{"/masters?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1&source=analysis&other=1", 200, ""},
		{"/lichess?variant=chess960&speeds=&ratings=", 200, ""},
		{"/lichess?variant=Standard", 200, ""}, {"/lichess?variant=Chess960", 200, ""},
		{"/lichess?variant=From+Position", 200, ""},
		{"/lichess?since=2024-1&until=2024/12", 200, ""},
		{"/masters?since=1952&until=3000", 200, ""},
		{"/masters?fen=x", 400, "fen: "},
		{"/masters?fen=8/8/8/8/8/8/8/8%20w%20-%20-", 400, "fen: "},
		{"/masters?play=e2e5", 400, "play: "},
		{"/masters?play=0000", 400, "play: a null move"},
		{"/masters?play=e2e4,,", 400, "play: "},
		{"/masters?play=" + strings.Repeat("g1f3,g8f6,f3g1,f6g8,", 151) + "g1f3", 400,
			"play: more than 600 moves"},
		{"/masters?x=" + strings.Repeat("x", 9000), 400, ""},
		{"/masters?fen=%zz", 400, ""},
		{"/masters?a;b", 400, ""},
		{"/masters?moves=-1", 400, "moves: "},
		{"/masters?topGames=x", 400, "topGames: "},
		{"/masters?since=1952-01", 400, "since: invalid year"},
		{"/lichess?since=2024", 400, "since: invalid month"},
		{"/lichess?until=2024-13", 400, "until: invalid month"},
		{"/lichess?recentGames=1e9", 400, "recentGames: "},
		{"/lichess?speeds=blitz,fast", 400, `speeds: "fast" is none of them`},
		{"/lichess?ratings=2200,x", 400, "ratings: "},
		{"/lichess?history=maybe", 400, "history: "},
		{"/lichess?variant=crazyhouse", 400, "variant crazyhouse: only games of standard chess are held"},
		{"/lichess?variant=x", 400, "variant: "},
		{"/player?color=white", 400, "missing field `player`"},
		{"/player?player=a", 400, "missing field `color`"},
		{"/player?player=a&color=red", 400, "color: "},
		{"/player?player=%20&color=white", 400, "player: "},
		{"/player?player=a&color=white&modes=x", 400, "modes: "},
		{"/masters/pgn/x", 400, "invalid game id"},
		{"/masters/pgn/0000000%2f", 400, "invalid game id"},
		{"/masters/pgn/zzzzzzzz", 404, "there is no game"},
		{"/masters/pgn/20000000", 404, "there is no game"},
		{"/lichess/x", 404, ""},
		{"/", 404, ""},
	} {
		r := do(h, "GET", c.target)
		body := plainBody(r.Body)
		if c.status == 400 {
			c.want = "bad request: " + c.want
		}
		if r.StatusCode != c.status || !strings.HasPrefix(body, c.want) || strings.Contains(body, "\n") &&
			c.status != 200 || r.Header.Get("Access-Control-Allow-Origin") != "*" ||
			c.status >= 400 && r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%.80s: %d %q %v, want %d %q", c.target, r.StatusCode, body, r.Header, c.status, c.want)
		}
	}
}

// TestHTTP: methods, compression, tags, and that pages of other sites may ask.
func TestHTTP(t *testing.T) {
	h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", strings.Repeat(shaped, 20)))
	r := do(h, "GET", "/lichess")
	tag, body := r.Header.Get("ETag"), plainBody(r.Body)
	if r.Header.Get("Content-Type") != "application/json" || tag == "" ||
		r.Header.Get("Content-Length") != fmt.Sprint(len(body)) || r.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", r.Header)
	}
	r = do(h, "GET", "/lichess", "Accept-Encoding", "br, gzip;q=0.5")
	z, err := gzip.NewReader(r.Body)
	if err != nil || plainBody(z) != body || r.Header.Get("ETag") == tag || r.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%v, %v", err, r.Header)
	}
	zipped := r.Header.Get("ETag")
	for _, c := range []struct {
		tag, accept string
		status      int
	}{{tag, "", 304}, {"W/" + tag + `, "x"`, "", 304}, {"*", "", 304}, {zipped, "gzip", 304}, {zipped, "", 200},
		{`"x"`, "", 200}} {
		if r := do(h, "GET", "/lichess", "If-None-Match", c.tag, "Accept-Encoding", c.accept); r.StatusCode !=
			c.status || c.status == 304 && plainBody(r.Body) != "" {
			t.Errorf("%s: %d, want %d", c.tag, r.StatusCode, c.status)
		}
	}
	if r := do(h, "OPTIONS", "/player"); r.StatusCode != 204 || r.Header.Get("Access-Control-Allow-Methods") !=
		"GET,OPTIONS" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if r := do(h, method, "/lichess"); r.StatusCode != 405 || r.Header.Get("Allow") == "" {
			t.Errorf("%s: %d", method, r.StatusCode)
		}
	}
	if r := do(h, "GET", "/metrics"); r.StatusCode != 200 ||
		!strings.Contains(plainBody(r.Body), `ply11_explorer_requests_total{code="200",endpoint="lichess"}`) {
		t.Errorf("%d", r.StatusCode)
	}
	w := httptest.NewRecorder()
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
	h.ServeHTTP(w, httptest.NewRequest("GET", "/lichess", nil))
	if w.Header().Get("Cross-Origin-Resource-Policy") != "" {
		t.Error("pages of other sites may not read it")
	}
}

func TestPGN(t *testing.T) {
	h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", shaped),
		pack(t, t.TempDir(), "b.p11", `[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"]
[SetUp "1"]
[White "E"]
[Result "0-1"]

7... Kd7 8. e4 0-1
`))
	y := get(t, h, "/masters", nil)
	if y.Top == nil || len(*y.Top) != 2 {
		t.Fatalf("%+v", y)
	}
	want := map[string]string{"A": "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/PFRcQXaV\"]\n[Date " +
		"\"2024.11.05\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n" +
		"[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n\n1. e4 c5 2. Nf3 1-0\n",
		`C "q"`: "[Event \"x\"]\n[Site \"?\"]\n[Date \"1999.??.??\"]\n[Round \"?\"]\n[White \"C \\\"q\\\"\"]\n[Black " +
			"\"<D>\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n"}
	for _, g := range *y.Top {
		r := do(h, "GET", "/masters/pgn/"+g.ID)
		if body := plainBody(r.Body); body != want[g.White.Name] ||
			r.Header.Get("Content-Type") != "application/x-chess-pgn" {
			t.Errorf("%s: %q, want %q", g.ID, body, want[g.White.Name])
		}
	}
	if body := plainBody(do(h, "GET", "/master/pgn/"+ref{1, 1}.id()).Body); !strings.HasSuffix(body,
		"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 8. e4 0-1\n") {
		t.Errorf("%q", body)
	}
	for _, r := range []ref{{0, 1}, {1, 1}, {maxArchives - 1, min(math.MaxInt, 1<<archiveBits)}, {3, 12345678}} {
		if got, ok := parseID(r.id()); !ok || got != r || len(r.id()) != 8 {
			t.Errorf("%v is %q, which is %v", r, r.id(), got)
		}
	}
	for id, number := range map[string]uint64{"0bcKL200": 1<<31 - 1, "1bcKL200": 1 << 31, "4CFfg400": 1<<32 + 1,
		"3EqH1Q20": 1 << archiveBits} {
		if r, ok := parseID(id); ok != (number <= math.MaxInt) || ok && (r.archive != 0 || uint64(r.game) != number) {
			t.Errorf("%s is %v, %v, want game %d where an int holds it", id, r, ok, number)
		}
	}
}

// TestPerformance: values of FIDE's table, and of lila-openingexplorer's own test.
func TestPerformance(t *testing.T) {
	for _, c := range []struct {
		t           tally
		white, blck int
	}{
		{tally{stats: stats{1, 0, 0}, ratings: 1500, rated: 1}, 2300, 700},
		{tally{stats: stats{123, 10, 123}, ratings: 256 * 987, rated: 256}, 987, 987},
		{tally{stats: stats{5, 0, 95}, ratings: 100000, rated: 100}, 1000 - 470, 1000 + 470},
		{tally{stats: stats{1, 1, 0}, ratings: 4000, rated: 2}, 2000 + 193, 2000 - 193},
		{tally{stats: stats{2, 0, 1}, ratings: 6000, rated: 3}, 2122, 1878}, // between 66 and 67 %
		{tally{stats: stats{1, 0, 0}}, 0, 0},
	} {
		if w, b := performance(&c.t, 0), performance(&c.t, 1); w != c.white || b != c.blck {
			t.Errorf("%+v: %d %d, want %d %d", c.t, w, b, c.white, c.blck)
		}
	}
}

// TestLookUp: the indexes have counted what comes of counting games one by one.
func TestLookUp(t *testing.T) {
	dir := t.TempDir()
	games, pgn := plainMake(2, 300)
	_, other := plainMake(3, 150)
	h := handler(t, Options{}, pack(t, dir, "a.p11", pgn), pack(t, dir, "b.p11", other))
	s := h.state.Load()
	cut, asked := 0, 0
	for i := range games {
		for k := 0; k < len(games[i].keys); k += 3 {
			for _, path := range []string{"masters", "lichess"} {
				r, at, err := parse(map[string]source{"masters": masters, "lichess": all}[path],
					"recentGames=0&fen="+strings.ReplaceAll(games[i].keys[k], " ", "_"))
				if err != nil {
					t.Fatal(err)
				}
				a, err1 := s.walk(context.Background(), &r, at, math.MaxInt, nil)
				b, few, err2 := s.lookUp(context.Background(), &r, at)
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				a.history, a.recent, b.recent = nil, best{}, best{}
				for j := range a.moves {
					// a mean of the index counts games without a result, too
					if j < len(b.moves) && a.moves[j].stats == b.moves[j].stats {
						b.moves[j].ratings, b.moves[j].rated = a.moves[j].ratings, a.moves[j].rated
						if a.moves[j].total() > 1 {
							b.moves[j].one = a.moves[j].one
						}
					}
				}
				// some of many best games may be missing at the end
				if n := len(b.top.list); n < len(a.top.list) {
					if cut++; n < leastBest && path == "masters" && !few {
						t.Fatalf("%s %s: %d best games of %d", path, games[i].keys[k], n, len(a.top.list))
					}
					a.top.list = a.top.list[:n]
				}
				for j := range a.top.list { // a game that played two moves has one of them here
					a.top.list[j].word, b.top.list[min(j, len(b.top.list)-1)].word = 0, 0
				}
				if !reflect.DeepEqual(a.moves, b.moves) || !slices.Equal(a.top.list, b.top.list) {
					t.Fatalf("%s %s:\n%+v\n%+v", path, games[i].keys[k], a, b)
				}
				asked++
			}
		}
	}
	t.Logf("%d questions, %d with fewer best games", asked, cut)
	// many games without a result, and an answer by the index: eight best games all the same
	fewGames = 20
	defer func() { fewGames = 1 << 13 }()
	for seed := range uint64(20) {
		_, pgn := plainMake(100+seed, 120)
		h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", pgn))
		y := get(t, h, "/masters", url.Values{})
		if y.total() > fewGames && (y.Top == nil || len(*y.Top) < leastBest) {
			t.Errorf("seed %d: %d best games of %d", seed, len(*y.Top), y.total())
		}
	}
	// the recent games are as many as the best ones leave
	with, without := get(t, h, "/lichess", url.Values{}), get(t, h, "/lichess", url.Values{"topGames": {"0"}})
	if len(*with.Top) != maxTop || len(*with.Recent) != maxGames-maxTop || len(*without.Recent) != maxGames-maxTop ||
		len(*without.Top) != 0 {
		t.Errorf("%d best and %d recent games, %d without the best", len(*with.Top), len(*with.Recent),
			len(*without.Recent))
	}
}

// TestOnly: archives that are for one path, by games and by the index.
func TestOnly(t *testing.T) {
	defer func(n int) { fewGames = n }(fewGames)
	dir := t.TempDir()
	blitz, club := pack(t, dir, "a.p11", shaped), pack(t, dir, "b.p11", strings.Repeat(shaped, 3))
	blitz.Only, club.Only = "lichess", "masters"
	for _, fewGames = range []int{0, 1 << 13} {
		h := handler(t, Options{}, blitz, club, pack(t, dir, "c.p11", shaped))
		player := url.Values{"player": {"A"}, "color": {"white"}}
		m, l, p := get(t, h, "/masters", nil), get(t, h, "/lichess", nil), get(t, h, "/player", player)
		if m.total() != 8 || l.total() != 4 || p.total() != 2 || len(*m.Top) != 8 {
			t.Errorf("%d games of masters, %d of all, %d of a player", m.total(), l.total(), p.total())
		}
		for _, g := range *m.Top {
			if r, _ := parseID(g.ID); r.archive == 0 {
				t.Errorf("a best game is of %+v", r)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	a := pack(t, t.TempDir(), "a.p11", strings.Repeat(shaped, 400))
	h := handler(t, Options{Limits: web.NewLimits(2, nil), MaxGames: 500, Requests: 3}, a)
	status := func(target, address string) int { return do(h, "GET", target, "address", address).StatusCode }
	count := map[int]int{}
	for range 20 {
		count[status("/masters", "192.0.2.1:1")]++
	}
	if count[200] < 4 || count[200] > 8 || count[429] == 0 || count[200]+count[429] != 20 {
		t.Errorf("of one address %v", count)
	}
	for target, want := range map[string]int{"/masters": 200, "/lichess?recentGames=0": 200, "/lichess": 400,
		"/masters?since=1990": 400, "/lichess?play=e2e4,c7c5&speeds=blitz": 200} {
		if got := status(target, "127.0.0.1:1"); got != want {
			t.Errorf("%s: %d, want %d", target, got, want)
		}
	}
	h.busy.Add(3)
	if got := status("/masters", "127.0.0.1:1"); got != 503 {
		t.Errorf("too many at once: %d", got)
	}
	h.busy.Add(-3)
	if got := status("/masters", "127.0.0.1:1"); got != 200 {
		t.Errorf("after it: %d", got)
	}
}

// TestPlayerStream: while a player's games are looked for, lines have what is known and how many wait.
func TestPlayerStream(t *testing.T) {
	h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", strings.Repeat(shaped, 3)))
	h.searches.one <- struct{}{} // somebody else searches
	h.searches.begun.Add(1)
	time.AfterFunc(1200*time.Millisecond, func() { h.searches.ended.Add(1); <-h.searches.one })
	body := plainBody(do(h, "GET", "/player?player=A&color=white&recentGames=0").Body)
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], `{"white":0,`) ||
		!strings.HasSuffix(lines[0], `"queuePosition":1}`) ||
		!strings.HasPrefix(lines[1], `{"white":3,`) || !strings.HasSuffix(lines[1], `"queuePosition":0}`) {
		t.Errorf("%q", lines)
	}
	if body := plainBody(do(h, "GET", "/player?player=A&color=white&recentGames=0").Body); body != lines[1]+"\n" {
		t.Errorf("%q, want %q", body, lines[1])
	}
	h.searches.one <- struct{}{}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/player?player=B&color=white", nil))
	if w.Body.Len() > 0 {
		t.Errorf("%q", w.Body)
	}
	time.AfterFunc(100*time.Millisecond, h.End)
	if body := plainBody(do(h, "GET", "/player?player=C&color=white").Body); strings.Count(body, "\n") != 1 {
		t.Errorf("%q", body)
	}
	<-h.searches.one
}

// TestChanges: an archive that changes is seen once its index is there; until then all is as before.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	a := pack(t, dir, "a.p11", shaped)
	h := handler(t, Options{}, a)
	total := func() int { y := get(t, h, "/lichess", nil); return y.total() }
	replace := func(pgn string, index bool) {
		t.Helper()
		b := pack(t, t.TempDir(), "a.p11", pgn)
		for _, f := range [][2]string{{b.Path, a.Path}, {b.Index, a.Index}} {
			if index || f[1] == a.Path {
				if err := os.Rename(f[0], f[1]); err != nil {
					t.Fatal(err)
				}
			}
		}
		h.refresh()
	}
	if n := total(); n != 2 {
		t.Fatal(n)
	}
	told := func() (names []string) {
		s := h.state.Load()
		for n := range s.archives[0].games {
			i, err := s.info(ref{0, n + 1})
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, i.name[0])
		}
		return names
	}
	first := told()
	replace(strings.Repeat(shaped, 2), false)
	if n := total(); n != 2 {
		t.Errorf("with an index of another archive: %d games", n)
	}
	makeIndex(t, a)
	h.refresh()
	if n := total(); n != 4 {
		t.Errorf("with its index: %d games, want 4", n)
	}
	if names := told(); !slices.Equal(names, slices.Concat(first, first)) {
		t.Errorf("%q, and of twice as many games %q", first, names)
	}
	add(t, a, shaped)
	h.refresh()
	if names := told(); !slices.Equal(names, slices.Concat(first, first, first)) {
		t.Errorf("%q, and with games added %q", first, names)
	}
	// a game in a block before the last, which stays as it was
	f, err := os.OpenFile(a.Path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	is, err := f.Stat()
	if err == nil {
		_, err = archive.Edit(t.Context(), f, is.Size(), []archive.Change{{Game: 1,
			Set: []game.Tag{{Name: "White", Value: "Changed"}}}})
	}
	if err != nil || h.state.Load().archives[0].blocks < 2 {
		t.Fatal(err)
	}
	makeIndex(t, a)
	h.refresh()
	if names := told(); !slices.Equal(names, slices.Concat([]string{"Changed"},
		slices.Concat(first, first, first)[1:])) {
		t.Errorf("with the first game changed %q", names)
	}
	replace(strings.ReplaceAll(shaped, "[White \"", "[White \"Other "), true)
	for i, name := range told() {
		if name != "Other "+first[i] {
			t.Errorf("game %d is of %q, which the archive had before", i+1, name)
		}
	}
	replace(shaped, true)
	if n := total(); n != 2 {
		t.Errorf("of a smaller archive: %d games, want 2", n)
	}
	// what is gone or damaged changes nothing
	os.Remove(a.Index)
	if err := os.WriteFile(a.Index, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	h.refresh()
	if n := total(); n != 2 {
		t.Errorf("with a damaged index: %d games", n)
	}
	os.Remove(a.Path)
	h.refresh()
	if n := total(); n != 2 {
		t.Errorf("without the file: %d games", n)
	}
	if y := get(t, h, "/masters", nil); len(*y.Top) != 2 {
		t.Errorf("%+v", y)
	}
}

func add(t *testing.T, a Archive, pgn string) {
	t.Helper()
	f, err := os.OpenFile(a.Path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	is, err := f.Stat()
	if err == nil {
		var added []byte
		if added, err = os.ReadFile(pack(t, t.TempDir(), "b.p11", pgn).Path); err == nil {
			_, err = archive.Append(context.Background(), f, is.Size(), []io.Reader{bytes.NewReader(added)})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	x, err := os.OpenFile(a.Index, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if is, err = x.Stat(); err != nil {
		t.Fatal(err)
	}
	now, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := index.Update(context.Background(), x, is.Size(),
		index.Source{Name: a.Name, Reader: f, Size: now.Size()}, index.Options{
			Temp: filepath.Join(t.TempDir(), "x")}); err != nil {
		t.Fatal(err)
	}
}

// TestAdded: when games are added, again and again, each answer is that of a server which is started then.
func TestAdded(t *testing.T) {
	_, pgn := plainMake(3, 300)
	_, beside := plainMake(4, 60)
	dir := t.TempDir()
	a, b := pack(t, dir, "a.p11", pgn), pack(t, dir, "b.p11", beside)
	h := handler(t, Options{}, a, b)
	var questions []string
	for _, path := range []string{"/masters", "/lichess", "/lichess/history"} {
		for _, play := range []string{"", "e2e4", "d2d4", "a2a3,a7a6", "g1f3,g8f6,g2g3,g7g6"} {
			for _, more := range []string{"", "&ratings=0,1000,2500&moves=1&history=true",
				"&since=1952-03&until=1955-01&topGames=2", "&speeds=blitz&recentGames=3&topGames=0"} {
				questions = append(questions, path+"?play="+play+more)
			}
		}
	}
	for _, name := range []string{"caissa-11", "=odd", "nobody"} {
		questions = append(questions, "/player?color=white&player="+url.QueryEscape(name),
			"/player?color=black&player="+url.QueryEscape(name))
	}
	ask := func(h *Handler) (list []string) {
		for _, q := range questions {
			r := do(h, "GET", q)
			lines := strings.Split(strings.TrimSpace(plainBody(r.Body)), "\n")
			list = append(list, fmt.Sprintf("%s: %d %s", q, r.StatusCode, lines[len(lines)-1]))
		}
		return list
	}
	last := ask(h)
	for n := range 5 {
		_, more := plainMake(uint64(10+n), 10+20*n)
		add(t, []Archive{a, b}[n%2], more)
		if n == 3 {
			makeIndex(t, a)
		}
		h.refresh()
		got, want := ask(h), ask(handler(t, Options{}, a, b))
		changed := 0
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("after %d additions:\n%s\nand of a server that is started now\n%s", n+1, got[i], want[i])
			}
			if got[i] != last[i] {
				changed++
			}
		}
		if last = got; changed < 10 {
			t.Errorf("of %d answers %d changed", len(got), changed)
		}
	}
}

// TestChangesUnderLoad: while an archive grows, each answer is of one of its states, and none fails.
func TestChangesUnderLoad(t *testing.T) {
	dir := t.TempDir()
	a := pack(t, dir, "a.p11", shaped)
	h := handler(t, Options{}, a)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			last := 0
			for {
				select {
				case <-stop:
					return
				default:
				}
				y := get(t, h, []string{"/lichess", "/masters"}[i%2], nil)
				if n := y.total(); n < last || n%2 != 0 {
					t.Errorf("%d games after %d", n, last)
				} else {
					last = n
				}
			}
		})
	}
	for n := 2; n < 12; n++ {
		b := pack(t, t.TempDir(), "a.p11", strings.Repeat(shaped, n))
		for _, f := range [][2]string{{b.Path, a.Path}, {b.Index, a.Index}} {
			if err := os.Rename(f[0], f[1]); err != nil {
				t.Fatal(err)
			}
			h.refresh()
		}
	}
	close(stop)
	wg.Wait()
	if y := get(t, h, "/lichess", nil); y.total() != 22 {
		t.Errorf("%d games", y.total())
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	a := pack(t, dir, "a.p11", shaped)
	b := pack(t, dir, "b.p11", strings.Repeat(shaped, 2))
	for _, c := range []struct {
		list []Archive
		want string
	}{
		{nil, "1 to 1024 archives"},
		{[]Archive{{Path: dir + "/none.p11", Index: dir + "/none.p11x"}}, "none.p11"},
		{[]Archive{{Path: a.Path, Index: dir + "/none.p11x"}}, "ply11 index makes one"},
		{[]Archive{a, {Path: a.Path, Index: b.Index}}, "b.p11x"},
		{[]Archive{{Path: a.Index, Index: a.Index}}, "a.p11x"},
		{[]Archive{{Path: a.Path, Index: a.Path}}, "a.p11"},
	} {
		if _, err := New(c.list, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.list, err, c.want)
		}
	}
	if _, err := New([]Archive{{Path: dir + "/none.p11"}}, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzParse: no parameters are too strange, and castling is written and read alike.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1&play=e2e4,e7e5",
		"variant=standard&speeds=blitz,rapid&ratings=0,2500&since=2024-01&until=2024-12&moves=3",
		"player=a&color=white&modes=rated&recentGames=0", "history=true&topGames=18446744073709551616",
		"fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-&play=e1h1,e8a8", "a=%zz;b", "since=9999-12&until=0000/1"} {
		f.Add(s)
	}
	bounded.Fuzz(f, func(t *testing.T, s string) {
		for _, src := range []source{masters, all, player} {
			r, at, err := parse(src, s)
			if err != nil {
				var bad *badRequest
				if !errors.As(err, &bad) || len(err.Error()) > 1000 {
					t.Errorf("%T %v", err, err)
				}
				continue
			}
			if r.moves < 0 || r.top < 0 || r.top > maxMasters || r.recent < 0 || r.recent > maxGames ||
				r.hash != at.Hash() || len(r.player) > 800 {
				t.Errorf("%+v", r)
			}
			if _, err := position.ParseFENLenient(at.FEN()); err != nil {
				t.Errorf("%s: %v", at.FEN(), err)
			}
			for _, m := range at.LegalMoves(nil) {
				if back, err := parseMove(&at, uci(&at, m)); err != nil || back != m {
					t.Errorf("%s: %v is %s, which is %v, %v", at.FEN(), m, uci(&at, m), back, err)
				}
			}
		}
	})
}
