// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/bitstream/archive"
	"ply11/query"
	"ply11/query/index"
)

type plainGame struct {
	number int // in its archive
	tags   map[string]string
	moves  []string // in UCI, castling as the king's step
	keys   []string // of the position before each move
	result string
}

// plainKey is notnil/chess's position without counters; the en passant square counts if a pawn can be taken there.
func plainKey(p *notnil.Position) string {
	f := strings.Fields(p.String())
	f[3] = "-"
	for _, m := range p.ValidMoves() {
		if m.HasTag(notnil.EnPassant) {
			f[3] = m.S2().String()
		}
	}
	return strings.Join(f[:4], " ")
}

// plainMake makes games by chance, which often begin alike, and their PGN.
func plainMake(seed uint64, n int) (list []plainGame, pgn string) {
	rng := rand.New(rand.NewPCG(seed, 11))
	names := []string{"Carlsen, Magnus", "Anand, V.", "caissa-11", "Ding Liren", "Polgár, Judit", "=odd", "~x(y"}
	controls := []string{"", "-", "?", "15+0", "60+0", "60+1", "180+2", "300+0", "600+5", "1800+30", "40/7200:3600",
		"1/86400", "nonsense"}
	events := []string{"Rated Blitz game", "Casual Blitz game", "casual game", "Wijk aan Zee", "?"}
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	var b, movetext strings.Builder
	var san notnil.AlgebraicNotation
	for i := range n {
		g := plainGame{number: i + 1, tags: map[string]string{"White": pick(names), "Black": pick(names),
			"Event": pick(events)},
			result: pick([]string{"1-0", "0-1", "1/2-1/2", "1-0", "*"})}
		if c := pick(controls); c != "" {
			g.tags["TimeControl"] = c
		}
		for _, tag := range []string{"WhiteElo", "BlackElo"} {
			if rng.IntN(8) > 0 {
				g.tags[tag] = fmt.Sprint(800 + rng.IntN(2100))
			} else if rng.IntN(2) > 0 {
				g.tags[tag] = pick([]string{"?", "0", "12345", "-"})
			}
		}
		switch rng.IntN(6) {
		case 0:
		case 1:
			g.tags["Date"] = fmt.Sprintf("%d.??.??", 1949+rng.IntN(8))
		default:
			g.tags["Date"] = fmt.Sprintf("%d.%02d.%02d", 1949+rng.IntN(8), 1+rng.IntN(12), 1+rng.IntN(28))
		}
		if rng.IntN(2) > 0 {
			g.tags["Site"] = fmt.Sprintf("https://lichess.org/%08d", i)
		}
		p := notnil.StartingPosition()
		movetext.Reset()
		var opening []string // which some games have, and then they castle
		if rng.IntN(5) == 0 {
			opening = strings.Fields("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8")
		}
		for ply := range 4 + rng.IntN(16) {
			moves := p.ValidMoves()
			if len(moves) == 0 {
				break
			}
			slices.SortFunc(moves, func(a, b *notnil.Move) int { return cmp.Compare(a.String(), b.String()) })
			m := moves[min(rng.IntN(len(moves)), rng.IntN(len(moves)), rng.IntN(len(moves)))]
			if rng.IntN(3) == 0 {
				for _, k := range moves {
					if k.HasTag(notnil.KingSideCastle) || k.HasTag(notnil.EnPassant) ||
						k.Promo() != notnil.NoPieceType {
						m = k
					}
				}
			}
			for _, k := range moves {
				if ply < len(opening) && k.String() == opening[ply] {
					m = k
				}
			}
			g.keys = append(g.keys, plainKey(p))
			g.moves = append(g.moves, m.String())
			fmt.Fprintf(&movetext, "%s ", san.Encode(p, m))
			p = p.Update(m)
		}
		for _, tag := range []string{"Event", "Site", "Date", "White", "Black", "WhiteElo", "BlackElo", "TimeControl"} {
			if v, ok := g.tags[tag]; ok {
				fmt.Fprintf(&b, "[%s \"%s\"]\n", tag, v)
			}
		}
		fmt.Fprintf(&b, "[Result \"%s\"]\n\n%s%s\n\n", g.result, &movetext, g.result)
		list = append(list, g)
	}
	return list, b.String()
}

func pack(tb testing.TB, dir, name, pgn string) Archive {
	tb.Helper()
	a := Archive{Name: name, Path: filepath.Join(dir, name), Index: filepath.Join(dir, name+"x")}
	var b bytes.Buffer
	if _, err := archive.Pack(context.Background(), &b, strings.NewReader(pgn)); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(a.Path, b.Bytes(), 0o666); err != nil {
		tb.Fatal(err)
	}
	makeIndex(tb, a)
	return a
}

func makeIndex(tb testing.TB, a Archive) {
	tb.Helper()
	data, err := os.ReadFile(a.Path)
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	s := query.Source{Name: a.Name, Reader: bytes.NewReader(data), Size: int64(len(data))}
	if _, err := index.Build(context.Background(), &b, s.File(), index.Options{
		Temp: filepath.Join(tb.TempDir(), "x")}); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(a.Index+".new", b.Bytes(), 0o666); err != nil {
		tb.Fatal(err)
	}
	if err := os.Rename(a.Index+".new", a.Index); err != nil {
		tb.Fatal(err)
	}
}

// handler serves archives, and has read them.
func handler(tb testing.TB, o Options, archives ...Archive) *Handler {
	tb.Helper()
	h, err := New(archives, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(h.Close)
	if err := h.state.Load().wait(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return h
}

func get(tb testing.TB, h *Handler, path string, v url.Values) (y response) {
	tb.Helper()
	r := httptest.NewRequest("GET", path+"?"+v.Encode(), nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 200 {
		tb.Fatalf("%s?%s: %d %s", path, v.Encode(), w.Code, w.Body)
	}
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	d := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	d.DisallowUnknownFields()
	if err := d.Decode(&y); err != nil {
		tb.Fatal(err)
	}
	return y
}

// plainLimits are the seconds, with forty increments, below which a game is of a speed.
var plainLimits = []struct {
	name  string
	below float64
}{{"ultraBullet", 30}, {"bullet", 180}, {"blitz", 480}, {"rapid", 1500}, {"classical", 21600}}

// plainSpeed is Lichess's speed of a time control of the tests.
func plainSpeed(control string) string {
	sum := map[string]float64{"15+0": 15, "60+0": 60, "60+1": 100, "180+2": 260, "300+0": 300, "600+5": 800,
		"1800+30": 3000, "40/7200:3600": 10800, "1/86400": 86400, "-": 1e6}[control]
	if sum == 0 {
		return "classical"
	}
	for _, l := range plainLimits {
		if sum < l.below {
			return l.name
		}
	}
	return "correspondence"
}

type plainQuestion struct {
	path, fen, key   string
	player, color    string
	since, until     string // 1950-02, or 1950
	speeds, modes    []string
	ratings          []string
	history, limited bool
}

func (q *plainQuestion) values() url.Values {
	v := url.Values{"fen": {q.fen}}
	add := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	add("player", q.player)
	add("color", q.color)
	add("since", q.since)
	add("until", q.until)
	for name, list := range map[string][]string{"speeds": q.speeds, "ratings": q.ratings, "modes": q.modes} {
		if list != nil {
			v.Set(name, strings.Join(list, ","))
		}
	}
	if q.history {
		v.Set("history", "true")
	}
	if q.limited {
		v.Set("moves", "2")
		v.Set("topGames", "1")
		v.Set("recentGames", "2")
	}
	return v
}

func (q *plainQuestion) passes(g *plainGame) bool {
	if g.result == "*" {
		return false
	}
	date := g.tags["Date"]
	if q.since != "" || q.until != "" {
		// all that the date leaves open is in between
		if len(date) < 10 {
			return false
		}
		low, high := date[:4]+"-"+date[5:7], date[:4]+"-"+date[5:7]
		if date[5] == '?' {
			low, high = date[:4]+"-01", date[:4]+"-12"
		}
		since, until := cmp.Or(q.since, "0000-00"), cmp.Or(q.until, "9999-99")
		if q.path == "/masters" {
			low, high = low[:4], high[:4]
		}
		if low < since || high > until {
			return false
		}
	}
	if q.speeds != nil && !slices.Contains(q.speeds, plainSpeed(g.tags["TimeControl"])) {
		return false
	}
	if q.ratings != nil && len(q.ratings) < 9 {
		w, b := plainRating(g, "WhiteElo"), plainRating(g, "BlackElo")
		group := "0"
		for _, from := range []int{1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500} {
			if (w+b)/2 >= from {
				group = fmt.Sprint(from)
			}
		}
		if w == 0 || b == 0 || !slices.Contains(q.ratings, group) {
			return false
		}
	}
	if q.modes != nil {
		mode := "rated"
		if strings.HasPrefix(strings.ToLower(g.tags["Event"]), "casual") {
			mode = "casual"
		}
		if !slices.Contains(q.modes, mode) {
			return false
		}
	}
	return q.player == "" || strings.EqualFold(g.tags[strings.ToUpper(q.color[:1])+q.color[1:]], q.player)
}

func plainRating(g *plainGame, tag string) int {
	n := 0
	if _, err := fmt.Sscan(g.tags[tag], &n); err != nil || n < 1 || n > 9999 || fmt.Sprint(n) != g.tags[tag] {
		return 0
	}
	return n
}

type plainMove struct {
	stats
	sum, rated int
	games      []*plainGame
}

func (s *stats) plain(result string) {
	switch result {
	case "1-0":
		s.White++
	case "0-1":
		s.Black++
	default:
		s.Draws++
	}
}

// check counts by going through all positions of all games, and compares.
func (q *plainQuestion) check(t *testing.T, games []plainGame, y *response) (total int) {
	t.Helper()
	moves := map[string]*plainMove{}
	months := map[string]*stats{}
	rater := "WhiteElo"
	if strings.Contains(q.key, " b ") {
		rater = "BlackElo"
	}
	if q.color != "" {
		rater = map[string]string{"white": "BlackElo", "black": "WhiteElo"}[q.color]
	}
	top, recent := []*plainGame{}, []*plainGame{}
	for i := range games {
		g := &games[i]
		if !q.passes(g) {
			continue
		}
		played := map[string]bool{}
		for k, key := range g.keys {
			if key == q.key {
				played[g.moves[k]] = true
			}
		}
		for uci := range played {
			m := moves[uci]
			if m == nil {
				m = &plainMove{}
				moves[uci] = m
			}
			m.games = append(m.games, g)
			m.stats.plain(g.result)
			if r := plainRating(g, rater); r > 0 {
				m.sum += r
				m.rated++
			}
			if d := g.tags["Date"]; len(d) == 10 && d[5] != '?' && d >= "1952" {
				s := months[d[:4]+"-"+d[5:7]]
				if s == nil {
					s = &stats{}
					months[d[:4]+"-"+d[5:7]] = s
				}
				s.plain(g.result)
			}
			if !slices.Contains(recent, g) {
				recent = append(recent, g)
			}
		}
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s?%s: %s", q.path, q.values().Encode(), fmt.Sprintf(format, args...))
	}
	var sum stats
	sizes := []int{}
	for _, m := range moves {
		sum = stats{sum.White + m.White, sum.Draws + m.Draws, sum.Black + m.Black}
		sizes = append(sizes, len(m.games))
	}
	if y.stats != sum {
		fail("%+v, want %+v", y.stats, sum)
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	most := 12
	switch {
	case q.limited:
		most = 2
	case q.player != "":
		most = 1000
	}
	if sizes = sizes[:min(most, len(sizes))]; len(y.Moves) != len(sizes) {
		fail("%d moves, want %d", len(y.Moves), len(sizes))
	}
	for i, m := range y.Moves {
		want := moves[plainUCI(q.key, m.UCI)]
		if want == nil || m.stats != want.stats || sizes[i] != len(want.games) {
			fail("move %+v, want %+v", m, want)
		}
		mean := 0
		if want.rated > 0 {
			mean = int(math.Round(float64(want.sum) / float64(want.rated)))
		}
		rating := m.Rating
		if q.player != "" {
			rating = m.OpponentRating
		}
		if rating == nil || *rating != mean {
			fail("move %s: rating %v, want %d", m.UCI, rating, mean)
		}
		if (m.Game != nil) != (len(want.games) == 1) || m.Game != nil &&
			m.Game.White.Name != want.games[0].tags["White"] {
			fail("move %s: the game %+v", m.UCI, m.Game)
		}
	}
	least := 0
	if q.path == "/lichess" {
		least = 1 << 20
		for _, from := range []int{2500, 2200, 2000} {
			if q.ratings != nil && !slices.Contains(q.ratings, fmt.Sprint(from)) {
				break
			}
			least = 2 * from
		}
	}
	ratings := func(g *plainGame) int {
		w, b := plainRating(g, "WhiteElo"), plainRating(g, "BlackElo")
		return (w + b) * min(w, b, 1)
	}
	for _, g := range recent {
		if ratings(g) >= least {
			top = append(top, g)
		}
	}
	later := 1
	if q.path != "/masters" {
		later = -1
	}
	slices.SortFunc(top, func(a, b *plainGame) int {
		return cmp.Or(ratings(b)-ratings(a), later*(a.number-b.number))
	})
	top = top[:min(len(top), map[string]int{"/masters": 15, "/lichess": 4}[q.path])]
	date := func(g *plainGame) string { return cmp.Or(strings.ReplaceAll(g.tags["Date"], "?", "!"), "!") }
	recent = slices.DeleteFunc(recent, func(g *plainGame) bool { return slices.Contains(top, g) })
	slices.SortFunc(recent, func(a, b *plainGame) int {
		return cmp.Or(cmp.Compare(date(b), date(a)), b.number-a.number)
	})
	recent = recent[:min(len(recent), 8-min(8, len(top)))]
	if q.limited {
		top, recent = top[:min(1, len(top))], recent[:min(2, len(recent))]
	}
	same := func(what string, got *[]gameJSON, want []*plainGame) {
		t.Helper()
		if got == nil || len(*got) != len(want) {
			fail("%s: %+v, want %d", what, got, len(want))
		}
		for i, g := range *got {
			w := want[i]
			id := ref{0, w.number}.id()
			if site := w.tags["Site"]; site != "" && q.path != "/masters" {
				id = site[len(site)-8:]
			}
			month := ""
			if g.Month != nil {
				month = *g.Month
			}
			wantMonth, year := "", 0
			if d := w.tags["Date"]; d != "" {
				fmt.Sscan(d[:4], &year)
				if d[5] != '?' {
					wantMonth = d[:4] + "-" + d[5:7]
				}
			}
			winner := map[string]string{"1-0": "white", "0-1": "black"}[w.result]
			if g.ID != id || g.White != (playerJSON{w.tags["White"], plainRating(w, "WhiteElo")}) ||
				g.Black != (playerJSON{w.tags["Black"], plainRating(w, "BlackElo")}) ||
				month != wantMonth || g.Year != year || (g.Winner == nil) != (winner == "") || g.Winner != nil &&
				*g.Winner != winner ||
				q.path != "/masters" && g.Speed != plainSpeed(w.tags["TimeControl"]) || g.UCI == "" {
				fail("%s %d: %+v, want %d %+v", what, i, g, w.number, w.tags)
			}
		}
	}
	if q.path == "/player" {
		if y.Top != nil {
			fail("best games %+v", y.Top)
		}
	} else {
		same("best", y.Top, top)
	}
	if q.path == "/masters" {
		if y.Recent != nil {
			fail("recent games %+v", y.Recent)
		}
	} else {
		same("recent", y.Recent, recent)
	}
	if q.history {
		had := map[string]stats{}
		last := ""
		for _, s := range *y.History {
			if s.Month <= last {
				fail("%s after %s", s.Month, last)
			}
			last = s.Month
			if s.stats != (stats{}) {
				had[s.Month] = s.stats
			}
		}
		end := ""
		for m := range months {
			end = max(end, m)
		}
		for m, s := range months {
			if m == end && q.until == "" {
				continue
			}
			if had[m] != *s {
				fail("%s: %+v, want %+v", m, had[m], *s)
			}
			delete(had, m)
		}
		if len(had) > 0 {
			fail("months %v too many", had)
		}
	} else if y.History != nil {
		fail("a history")
	}
	return sum.total()
}

func plainUCI(key, uci string) string {
	for rook, king := range map[string]string{"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"} {
		if uci != rook {
			continue
		}
		var p notnil.Position
		if p.UnmarshalText([]byte(key+" 0 1")) == nil &&
			p.Board().Piece(map[byte]notnil.Square{'1': notnil.E1, '8': notnil.E8}[uci[1]]).Type() == notnil.King {
			return king
		}
	}
	return uci
}

// TestAgainstPlain asks for positions by chance with filters by chance, and compares with a count by notnil/chess.
func TestAgainstPlain(t *testing.T) {
	games, pgn := plainMake(1, 700)
	h := handler(t, Options{}, pack(t, t.TempDir(), "a.p11", pgn))
	rng := rand.New(rand.NewPCG(5, 5))
	some := func(list ...string) []string {
		if rng.IntN(2) == 0 {
			return nil
		}
		picked := []string{}
		for _, s := range list {
			if rng.IntN(2) > 0 {
				picked = append(picked, s)
			}
		}
		return picked
	}
	date := func(year bool) string {
		if rng.IntN(2) == 0 {
			return ""
		}
		if year {
			return fmt.Sprint(1949 + rng.IntN(8))
		}
		return fmt.Sprintf("%d-%02d", 1949+rng.IntN(8), 1+rng.IntN(12))
	}
	asked, empty, castled := map[string]int{}, 0, 0
	for range 900 {
		g := &games[rng.IntN(len(games))]
		if len(g.keys) == 0 {
			continue
		}
		k := min(rng.IntN(len(g.keys)), rng.IntN(len(g.keys)))
		q := plainQuestion{path: []string{"/masters", "/lichess", "/player"}[rng.IntN(3)], key: g.keys[k],
			fen: g.keys[k] + " 0 1", limited: rng.IntN(4) == 0}
		q.since, q.until = date(q.path == "/masters"), date(q.path == "/masters")
		if q.path != "/masters" {
			q.speeds = some("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence")
		}
		switch q.path {
		case "/lichess":
			q.ratings = some("0", "1000", "1200", "1400", "1600", "1800", "2000", "2200", "2500")
			q.history = rng.IntN(3) == 0
		case "/player":
			q.modes = some("rated", "casual")
			q.color = []string{"white", "black"}[rng.IntN(2)]
			q.player = strings.ToUpper(g.tags[strings.ToUpper(q.color[:1])+q.color[1:]])
		}
		y := get(t, h, q.path, q.values())
		n := q.check(t, games, &y)
		asked[q.path]++
		if n == 0 {
			empty++
		}
		for _, m := range y.Moves {
			if strings.HasPrefix(m.SAN, "O-O") {
				castled++
			}
		}
	}
	t.Logf("asked %v, %d without games, %d castlings", asked, empty, castled)
	if empty > 500 || castled == 0 {
		t.Errorf("%d without games, %d castlings", empty, castled)
	}
}

func plainBody(r io.Reader) string {
	b, _ := io.ReadAll(r)
	return string(b)
}
