// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

var ownStart = position.Start()

// steps makes the steps of a sample with one condition.
func steps(test plain) []plainStep { return []plainStep{{test: test}} }

// gameSamples are queries about games as a whole.
func gameSamples() []sample {
	rating := func(g *plainGame, tag string) int {
		n, err := strconv.Atoi(g.tag(tag))
		if err != nil {
			return -1
		}
		return n
	}
	fold := func(s, part string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(part)) }
	one := func(name, value string, test func(g *plainGame) bool) sample {
		return sample{name: name, terms: [][2]string{{name, value}}, game: test}
	}
	list := []sample{
		{name: "everything"},
		{name: "valid", invalid: query.SkipInvalid},
		{name: "invalid", invalid: query.OnlyInvalid},
		one("player", "Ö", func(g *plainGame) bool { return fold(g.tag("White"), "ö") || fold(g.tag("Black"), "ö") }),
		one("white", "a", func(g *plainGame) bool { return fold(g.tag("White"), "a") }),
		one("black", "~^(?i)f.*r", func(g *plainGame) bool {
			i := strings.Index(strings.ToLower(g.tag("Black")), "f")
			return i == 0 && strings.Contains(strings.ToLower(g.tag("Black")[1:]), "r")
		}),
		one("tag", "Event==Test", func(g *plainGame) bool { return g.tag("Event") == "Test" }),
		one("tag", "WhiteElo>1500", func(g *plainGame) bool { return rating(g, "WhiteElo") > 1500 }),
		one("tag", "WhiteElo>=1500", func(g *plainGame) bool { return rating(g, "WhiteElo") >= 1500 }),
		one("tag", "WhiteElo < 1501", func(g *plainGame) bool {
			return rating(g, "WhiteElo") >= 0 &&
				rating(g, "WhiteElo") < 1501
		}),
		one("tag", "WhiteElo<=1500", func(g *plainGame) bool {
			return rating(g, "WhiteElo") >= 0 &&
				rating(g, "WhiteElo") <= 1500
		}),
		one("tag", "Note==", func(g *plainGame) bool {
			return slices.ContainsFunc(g.tags, func(t game.Tag) bool { return t.Name == "Note" }) && g.tag("Note") == ""
		}),
		one("tag", "ECO", func(g *plainGame) bool {
			return slices.ContainsFunc(g.tags, func(t game.Tag) bool { return t.Name == "ECO" })
		}),
		one("result", "0-1", func(g *plainGame) bool { return g.result == game.BlackWins }),
		one("eco", "C", func(g *plainGame) bool {
			return strings.HasPrefix(strings.ToUpper(g.tag("ECO")), "C") && len(g.tag("ECO")) >= 3
		}),
		one("eco", "c40-E60", func(g *plainGame) bool {
			eco := strings.ToUpper(g.tag("ECO"))
			return len(eco) >= 3 && eco[:3] >= "C40" && eco[:3] <= "E60"
		}),
		one("rating", "2600-", func(g *plainGame) bool {
			return rating(g, "WhiteElo") >= 2600 &&
				rating(g, "BlackElo") >= 2600
		}),
		one("any-rating", "2600-2700", func(g *plainGame) bool {
			return rating(g, "WhiteElo") >= 2600 && rating(g, "WhiteElo") <= 2700 || rating(g, "BlackElo") >= 2600 &&
				rating(g, "BlackElo") <= 2700
		}),
		one("white-rating", "-2000", func(g *plainGame) bool {
			return rating(g, "WhiteElo") >= 0 &&
				rating(g, "WhiteElo") <= 2000
		}),
		one("black-rating", "1600", func(g *plainGame) bool { return rating(g, "BlackElo") == 1600 }),
		one("plies", "0", func(g *plainGame) bool { return len(g.moves) == 0 }),
		one("plies", "5-40", func(g *plainGame) bool { return len(g.moves) >= 5 && len(g.moves) <= 40 }),
		one("repetition", "2", second(repetition(2))),
		one("repetition", "3", second(repetition(3))),
		one("quiet-moves", "10", second(quietMoves(10))),
		one("moves", "d2d4 1... g8f6", func(g *plainGame) bool {
			return !g.lost && len(g.main) > 2 && g.main[0].at == ownStart && g.main[1].by.san == "d4" &&
				g.main[2].by.san == "Nf6"
		}),
		one("text", "novelty", func(g *plainGame) bool {
			return slices.ContainsFunc(g.text, func(s string) bool { return fold(s, "novelty") })
		}),
		one("text", "~[%]clk", func(g *plainGame) bool {
			return slices.ContainsFunc(g.text, func(s string) bool { return strings.Contains(s, "%clk") })
		}),
		one("not", "player=spassky", func(g *plainGame) bool {
			return !fold(g.tag("White"), "spassky") &&
				!fold(g.tag("Black"), "spassky")
		}),
		one("not", "result=0-1; eco=A00", func(g *plainGame) bool {
			return g.result != game.BlackWins ||
				!strings.HasPrefix(g.tag("ECO"), "A00")
		}),
		one("not", "pattern=Qh4 qh5; ending=mate", func(g *plainGame) bool { return true }),
		one("not", "ending=mate; black-move=Qh4", func(g *plainGame) bool {
			return g.lost || !slices.ContainsFunc(g.main, func(p plainPos) bool {
				return p.last && p.at.IsCheckmate() && p.by.piece == chess.BlackQueen && p.by.move.To() == chess.H4
			})
		}),
		{name: "mate", terms: [][2]string{{"ending", "mate"}},
			steps: steps(func(p *plainPos) bool { return p.last && p.at.IsCheckmate() })},
		{name: "stalemate", terms: [][2]string{{"ending", "stalemate"}},
			steps: steps(func(p *plainPos) bool { return p.last && p.at.IsStalemate() })},
		{name: "together", terms: [][2]string{{"result", "1-0"}, {"plies", "20-"}, {"white-move", "O-O-O"}},
			game:  func(g *plainGame) bool { return g.result == game.WhiteWins && len(g.moves) >= 20 },
			steps: steps(func(p *plainPos) bool { return strings.HasPrefix(p.by.san, "O-O-O") && p.Turn == 1 })},
		{name: "start", terms: [][2]string{{"fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}},
			steps: steps(func(p *plainPos) bool {
				return strings.HasPrefix(p.at.FEN(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")
			})},
	}
	for _, d := range []struct {
		value       string
		first, last string // of days without dots
	}{{"2024-11", "20241101", "20241131"}, {"2024.11", "20241101", "20241131"}, {"2024", "20240101", "20241231"},
		{"1972.07.11", "19720711", "19720711"},
		{"1972-07-11", "19720711", "19720711"}, {"1850-1972", "18500101", "19721231"},
		{"1972.07-1972.09", "19720701", "19720931"}, {"-1900", "0", "19001231"},
		{"2024-11..2024-12-01", "20241101", "20241201"}, {"..1900", "0", "19001231"}, {"1990-", "19900101", "9"}} {
		list = append(list, one("date", d.value, func(g *plainGame) bool {
			m := plainDate.FindStringSubmatch(g.tag("Date"))
			if m == nil {
				m = plainDate.FindStringSubmatch(g.tag("UTCDate"))
			}
			if m != nil {
				first, last := m[1]+"0101", m[1]+"1231"
				if month, _ := strconv.Atoi(m[2]); month >= 1 && month <= 12 {
					first, last = fmt.Sprintf("%s%02d01", m[1], month), fmt.Sprintf("%s%02d31", m[1], month)
					if day, _ := strconv.Atoi(m[3]); day >= 1 && day <= 31 {
						first = fmt.Sprintf("%s%02d%02d", m[1], month, day)
						last = first
					}
				}
				return first >= d.first && last <= d.last
			}
			return false
		}))
	}
	return list
}

// plainDate is a date of a tag.
var plainDate = regexp.MustCompile(`^\s*(\d{4})(?:[./-](\d{1,2})(?:\D|$)(?:(\d{1,2})(?:\D|$))?)?`)

// TestGamesAgainstPlainReading compares queries about whole games on all files, fixed and dense, in blocks of several
// sizes.
func TestGamesAgainstPlainReading(t *testing.T) {
	samples := gameSamples()
	eachFile(t, func(f dataFile, games []plainGame, archives []form) {
		for _, a := range archives {
			for i := range samples {
				samples[i].compare(t, f.name+", "+a.name, games, a.data)
			}
		}
	})
}

// TestPositionsAgainstReplay compares random queries about positions with a replay, likewise.
func TestPositionsAgainstReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tried, found := 0, 0
	eachFile(t, func(f dataFile, games []plainGame, archives []form) {
		n := testenv.Pick(30, 10)
		if f.name == "own" {
			n = testenv.Pick(500, 200)
		} else if len(games) > 100 {
			n *= 2
		}
		for range n {
			s := randomSample(rng, games)
			a := archives[rng.IntN(len(archives))]
			k := s.compare(t, f.name+", "+a.name, games, a.data)
			tried++
			if k > 0 {
				found++
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	})
	t.Logf("%d queries, %d of which are met", tried, found)
	t.Logf("%d are narrowed, to %d games, of which %d do not meet them", narrowings.queries, narrowings.games,
		narrowings.left)
	if narrowings.queries < tried/10 {
		t.Errorf("of %d queries %d are narrowed: they test too little", tried, narrowings.queries)
	}
	if found < tried*3/4 {
		t.Errorf("of %d queries %d find something: they test too little", tried, found)
	}
}

// TestTextsOfBlocks: the column of tags never hides a text, whatever its letters.
func TestTextsOfBlocks(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if unicode.ToLower(r) < utf8.RuneSelf && r != '\u0130' && r != '\u212a' {
			t.Errorf("%U becomes %q, which a search for parts of texts does not know", r, unicode.ToLower(r))
		}
	}
	names := []string{"Kasparov, Garry", "KASPAROV", "\u212aasparov", "Élodie", "élodie", "İstanbul", "Straße", "a.b",
		"x3", "?", "1-0", "日本 Q", "q\u00a0z"}
	var text strings.Builder
	for i, name := range names {
		fmt.Fprintf(&text, "[Event \"e\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n", name,
			names[(i+i/3)%len(names)])
	}
	for _, block := range []int{1, 2, 1024} {
		data := querytest.Pack(t, []byte(text.String()), archive.WithBlockGames(block))
		games, _ := plainGames(t, []byte(text.String()), 1<<30)
		parts := map[string]bool{"zz": true, "a": true, "result": true, "e\x00": true}
		for _, name := range names {
			runes := []rune(name)
			for i := range runes {
				for _, n := range []int{1, 3, len(runes)} {
					part := string(runes[i:min(i+n, len(runes))])
					parts[part], parts[strings.ToUpper(part)], parts[strings.ToLower(part)] = true, true, true
				}
			}
		}
		for part := range parts {
			if strings.TrimSpace(part) == "" || strings.ContainsAny(part[:1], "=~") {
				continue
			}
			folded := strings.ToLower(part)
			for _, s := range []sample{
				{name: "part", terms: [][2]string{{"white", part}}, game: func(g *plainGame) bool {
					return strings.Contains(strings.ToLower(g.tag("White")), folded)
				}},
				{name: "whole", terms: [][2]string{{"white", "=" + part}}, game: func(g *plainGame) bool {
					return g.tag("White") == part
				}},
				{name: "expression", terms: [][2]string{{"player", "~^" + regexp.QuoteMeta(part)}},
					game: func(g *plainGame) bool {
						return strings.HasPrefix(g.tag("White"), part) || strings.HasPrefix(g.tag("Black"), part)
					}},
				{name: "any case", terms: [][2]string{{"white", "~(?i)" + regexp.QuoteMeta(part)}},
					game: func(g *plainGame) bool {
						return regexp.MustCompile("(?i)" + regexp.QuoteMeta(part)).MatchString(g.tag("White"))
					}},
				{name: "tag", terms: [][2]string{{"tag", "Result=" + part}}, game: func(g *plainGame) bool {
					return strings.Contains("1-0", folded)
				}},
				{name: "not", terms: [][2]string{{"not", "white=" + part}}, game: func(g *plainGame) bool {
					return !strings.Contains(strings.ToLower(g.tag("White")), folded)
				}},
			} {
				if s.name == "not" && strings.TrimSpace(part) != part || s.name == "tag" && part[0] == '=' {
					continue
				}
				s.compare(t, fmt.Sprintf("blocks of %d, %q", block, part), games, data)
			}
		}
	}
}

// form is an archive of a file.
type form struct {
	name string
	data []byte
}

// eachFile reads each file and packs it in several forms.
func eachFile(t *testing.T, do func(f dataFile, games []plainGame, archives []form)) {
	most := testenv.Pick(150, 30)
	if testenv.Long {
		most = 1 << 30
	}
	for _, f := range dataFiles(t) {
		games, text := plainGames(t, f.text, most)
		if len(games) == 0 {
			continue
		}
		var archives []form
		for _, dense := range []bool{false, true} {
			for _, block := range []int{1, 7, 1024} {
				if !testenv.Long && f.name != "own" && dense == (block == 7) || block == 1 && f.name != "own" {
					continue
				}
				name := fmt.Sprintf("dense %v, blocks of %d", dense, block)
				archives = append(archives, form{name,
					querytest.Pack(t, text, archive.WithDense(dense), archive.WithBlockGames(block))})
			}
		}
		do(f, games, archives)
	}
}

// TestBadTerms: what is wrong is told in one line, and names the term.
func TestBadTerms(t *testing.T) {
	for _, test := range [][2]string{
		{"fen", ""}, {"fen", " "}, {"fen", "8/8/8/8/8/8/8/8"}, {"fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w"},
		{"fen", "x"},
		{"pattern", ""}, {"pattern", "Xe4"}, {"pattern", "Pe9"}, {"pattern", "P"}, {"pattern", "[]e4"},
		{"pattern", "[Pe4"}, {"pattern", "Pe4 pe4"},
		{"pattern", "[^KQRBNPkqrbnp.]e4"}, {"pattern", "8/8"}, {"pattern", "9/8/8/8/8/8/8/8"},
		{"pattern", "8/8/8/8/8/8/8/7"}, {"pattern", "Pe"},
		{"material", ""}, {"material", "KRP"}, {"material", "KRPKRK"}, {"material", "RKR"}, {"material", "KXKQ"},
		{"material", "Q0-1 Q2"}, {"material", "Q2-1"},
		{"material", "Q-"}, {"material", "Qx"}, {"material", "K2"}, {"material", "1"}, {"material", "Q65"},
		{"imbalance", ""}, {"imbalance", "v"}, {"imbalance", "Q"}, {"imbalance", "KvQ"}, {"imbalance", "QvX"},
		{"stm", ""}, {"stm", "red"}, {"mover", "x"}, {"white-move", ""}, {"white-move", "e9"}, {"white-move", "Xe4"},
		{"white-move", "e8=K"}, {"white-move", "e7=Q"},
		{"black-move", "Nbd"}, {"moved", ""}, {"moved", "X"}, {"captured", "7"}, {"after-ply", ""}, {"after-ply", "-1"},
		{"before-ply", "x"}, {"before-ply", "99999999999"},
		{"ending", ""}, {"ending", "draw"},
		{"player", ""}, {"player", " "}, {"player", "~("}, {"white", ""}, {"black", ""}, {"tag", ""}, {"tag", "="},
		{"tag", "Event="}, {"tag", "=x"}, {"tag", "Event~["},
		{"tag", "WhiteElo>x"}, {"tag", "WhiteElo<"}, {"tag", "WhiteElo>nan"}, {"result", ""}, {"result", "2-0"},
		{"eco", ""}, {"eco", "B9"}, {"eco", "B90-A00"}, {"eco", "Bxx"},
		{"date", ""}, {"date", "-"}, {"date", ".."}, {"date", "72"}, {"date", "2024-13"}, {"date", "2024-11-32"},
		{"date", "2024-11-"}, {"date", "1974-1972"}, {"date", "2024.11.05.06"},
		{"rating", ""}, {"rating", "-"}, {"rating", "x-"}, {"rating", "2600-2500"}, {"any-rating", "99999999"},
		{"plies", "x"}, {"moves", ""}, {"moves", "1."}, {"moves", "e5"},
		{"text", ""}, {"none", "x"}, {"sequence", ""}, {"sequence", "stm=white ->"}, {"sequence", "player=x"},
		{"sequence", "stm"}, {"sequence", "within=0; stm=white"},
		{"not", ""}, {"not", "x"}, {"not", "not=x"}, {"not", "player="},
		{"or", ""}, {"or", "or=x"}, {"not", "or=player=x"}, {"or", "not=player=x"}, {"or", "x"},
	} {
		err := query.New().Add(test[0], test[1])
		var e *query.Error
		if err == nil || !errors.As(err, &e) || !strings.HasPrefix(err.Error(), test[0]+": ") ||
			strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("%s=%q: %v", test[0], test[1], err)
		}
	}
	for _, name := range []string{"fen", "pattern", "material", "imbalance", "player", "tag", "moves", "sequence",
		"not", "text", "date", "eco", "white-move"} {
		if err := query.New().Add(name, strings.Repeat("KQ", 1<<17)); err == nil {
			t.Errorf("%s: a text of 256 KiB is taken", name)
		}
	}
	q := query.New()
	if err := q.Add("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"); err != nil {
		t.Fatal(err)
	}
	q.Mirror(true)
	if _, err := query.Count(t.Context(), nil, q, query.Options{}); err == nil {
		t.Error("castling rights are mirrored")
	}
}

// TestDamagedArchive: an error names the source, and comes after what was found before.
func TestDamagedArchive(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(ownGames), 10), archive.WithBlockGames(10))
	r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Block(6)
	if err != nil {
		t.Fatal(err)
	}
	c := b.Columns()[2]
	data[c.Offset] ^= 1
	q := query.New()
	q.Add("player", "spassky")
	n, err := query.Count(t.Context(), []query.Source{
		{Name: "damaged.p11", Reader: bytes.NewReader(data), Size: int64(len(data))}}, q, query.Options{})
	if !errors.Is(err, archive.ErrCorrupt) || !strings.HasPrefix(err.Error(), "damaged.p11: ") || n == 0 {
		t.Errorf("%d games, %v", n, err)
	}
	if _, err := query.Count(t.Context(), []query.Source{
		{Name: "short.p11", Reader: bytes.NewReader(data[:100]), Size: 100}}, q, query.Options{}); !errors.Is(err,
		archive.ErrCorrupt) ||
		!strings.HasPrefix(err.Error(), "short.p11: ") {
		t.Error(err)
	}
	stop := errors.New("stop")
	whole := querytest.Pack(t, bytes.Repeat([]byte(ownGames), 10), archive.WithBlockGames(1))
	for _, err = range query.Games(t.Context(), []query.Source{
		{Name: "a", Reader: bytes.NewReader(whole), Size: int64(len(whole))}}, q, query.Options{},
		func(m *query.Match) (int, error) { return 0, stop }) {
	}
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestCanceled: a search and a tree end with their context, and leave no goroutine.
func TestCanceled(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(ownGames), 100), archive.WithBlockGames(10))
	made := querytest.OpenIndex(t, querytest.BuildIndex(t, data, index.Options{}))
	before := runtime.NumGoroutine()
	for _, after := range []int{0, 1, 15, 400} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		if after == 0 {
			cancel()
		}
		var last error
		for _, err := range query.Games(ctx, querytest.Sources(data), query.New(), query.Options{Workers: 3},
			func(m *query.Match) (int, error) { return 0, nil }) {
			if last = err; err != nil {
				break
			}
			if n++; n == after {
				cancel()
			}
		}
		if !errors.Is(last, context.Canceled) || n > after+10 {
			t.Errorf("canceled after %d games: %v, after %d", after, last, n)
		}
		for _, x := range []*index.Index{nil, made} {
			ctx, cancel := context.WithCancel(t.Context())
			s := querytest.Sources(data)
			s[0].Index = x
			blocks := 0
			q := query.New()
			q.Add("result", "*") // so that the games are looked at one by one
			if x != nil || after == 0 {
				cancel()
			}
			_, err := q.Tree(ctx, s, position.Start(), query.TreeOptions{Progress: func(int64) {
				if blocks++; blocks == after/10+1 {
					cancel()
				}
			}})
			if cancel(); !errors.Is(err, context.Canceled) {
				t.Errorf("index %v, canceled after %d games: %v", x != nil, after, err)
			}
		}
	}
	for try := 0; runtime.NumGoroutine() > before; try++ {
		if try == 2000 {
			t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestDamagedFilters: damaged filters change no result.
func TestDamagedFilters(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(ownGames), 10), archive.WithBlockGames(10))
	find := func() string {
		t.Helper()
		q := query.New()
		if err := q.Add("material", "Q0"); err != nil {
			t.Fatal(err)
		}
		var numbers []byte
		for n, err := range query.Games(t.Context(),
			[]query.Source{{Name: "x.p11", Reader: bytes.NewReader(data), Size: int64(len(data))}}, q, query.Options{},
			func(m *query.Match) (int, error) { return m.Number, nil }) {
			if err != nil {
				t.Fatal(err)
			}
			numbers = fmt.Appendln(numbers, n)
		}
		return string(numbers)
	}
	want := find()
	r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for i := 1; i <= 10; i++ {
		b, err := r.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range b.Columns() {
			if c.Kind == archive.ColumnFilter {
				data[c.Offset+c.Stored-1] ^= 1
				damaged++
			}
		}
	}
	if got := find(); damaged == 0 || want == "" || got != want {
		t.Errorf("with %d damaged columns of filters, games %q, want %q", damaged, got, want)
	}
}

// TestDamagedWords: a search finds each flipped bit of a game that it replays. Where it verifies sixteen games at a
// time, it passes over damage in others.
func TestDamagedWords(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(ownGames), 10))
	r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Block(1)
	if err != nil {
		t.Fatal(err)
	}
	column := b.Columns()[slices.IndexFunc(b.Columns(),
		func(c archive.Column) bool { return c.Kind == archive.ColumnMoves })]
	flip := func(bit uint64) { data[uint64(column.Offset)+bit/8] ^= 1 << (bit % 8) }
	find := func(n int, sparse bool) (int, error) {
		q := query.New()
		if err := errors.Join(q.Add("games", fmt.Sprint(n)), q.Add("after-ply", "1")); err != nil {
			t.Fatal(err)
		}
		return query.Count(t.Context(), []query.Source{{Name: "x.p11", Reader: bytes.NewReader(data),
			Size: int64(len(data)), Sparse: sparse}}, q, query.Options{})
	}
	first, plies, err := b.Address(1)
	if err != nil || plies == 0 || b.Len() < 32 {
		t.Fatal(plies, b.Len(), err)
	}
	for bit := first; bit < first+uint64(plies)*moveindex.Bits; bit++ {
		flip(bit)
		for _, sparse := range []bool{false, true} {
			if n, err := find(1, sparse); n != 0 || !errors.Is(err, archive.ErrCorrupt) {
				t.Errorf("bit %d, sparse %v: %d games, %v", bit-first, sparse, n, err)
			}
		}
		flip(bit)
	}
	flip(first)
	if n, err := find(b.Len()/2+1, true); n != 1 || err != nil {
		t.Errorf("beside damage: %d games, %v", n, err)
	}
	if _, err := find(b.Len()/2+1, false); !errors.Is(err, archive.ErrCorrupt) {
		t.Errorf("of a block that is read whole: %v", err)
	}
}

func second(_ string, test func(g *plainGame) bool) func(g *plainGame) bool { return test }
