// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/position"
	"ply11/position/openings"
	"ply11/web"
)

// response is an answer, in the order in which Lichess writes it.
type response struct {
	stats
	Moves   []moveJSON        `json:"moves"`
	Recent  *[]gameJSON       `json:"recentGames,omitempty"`
	Top     *[]gameJSON       `json:"topGames,omitempty"`
	Opening *openings.Opening `json:"opening"`
	Queue   *int              `json:"queuePosition,omitempty"`
	History *[]segment        `json:"history,omitempty"`
}

type moveJSON struct {
	UCI            string `json:"uci"`
	SAN            string `json:"san"`
	Rating         *int   `json:"averageRating,omitempty"`
	OpponentRating *int   `json:"averageOpponentRating,omitempty"`
	Performance    *int   `json:"performance,omitempty"`
	stats
	Game    *gameJSON         `json:"game"` // if there is one only
	Opening *openings.Opening `json:"opening"`
}

type gameJSON struct {
	UCI    string     `json:"uci,omitempty"`
	ID     string     `json:"id"`
	Winner *string    `json:"winner"`
	Speed  string     `json:"speed,omitempty"`
	Mode   string     `json:"mode,omitempty"`
	Black  playerJSON `json:"black"`
	White  playerJSON `json:"white"`
	Year   int        `json:"year"`
	Month  *string    `json:"month"`
}

// playerJSON is a player; the rating is 0 if it is not known.
type playerJSON struct {
	Name   string `json:"name"`
	Rating int    `json:"rating"`
}

type segment struct {
	Month string `json:"month"`
	stats
}

type info struct {
	fact
	name [2]string
	id   string // that of Lichess, if the game is from there
}

// maxName bounds a name in an answer.
const maxName = 100

func (s *state) info(r ref) (*info, error) {
	if i, ok := s.infos.Get(r); ok {
		return i, nil
	}
	var i *info
	err := s.read(r, func(_ *archive.Block, _ int, g *game.Game) error {
		i = newInfo(g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.infos.Add(r, i)
	return i, nil
}

func newInfo(g *game.Game) *info {
	i := &info{fact: newFact(g), id: siteID(g)}
	for c, tag := range []string{chess.White: "White", chess.Black: "Black"} {
		name := strings.ToValidUTF8(g.Tag(tag), "\ufffd")
		if len(name) > maxName {
			name = strings.ToValidUTF8(name[:maxName], "")
		}
		i.name[c] = strings.Clone(name)
	}
	return i
}

// read calls do with a game: its block, its number there, and its tags, which are valid until do returns.
func (s *state) read(r ref, do func(b *archive.Block, n int, g *game.Game) error) error {
	a := s.archives[r.archive]
	reader, err := a.take()
	if err != nil {
		return err
	}
	defer a.give(reader)
	b, n, err := reader.Find(r.game)
	var g game.Game
	if err == nil {
		err = b.Tags(n, &g)
	}
	if err == nil {
		err = do(b, n, &g)
	}
	if err != nil {
		return a.named(err)
	}
	return nil
}

// siteID returns a game's name on Lichess, of the address in its tag Site.
func siteID(g *game.Game) string {
	if m := site.FindStringSubmatch(g.Tag("Site")); m != nil {
		return strings.Clone(m[1])
	}
	return ""
}

var site = regexp.MustCompile(`^https?://lichess\.org/([0-9A-Za-z]{8})(?:[/#]|$)`)

// digits are those of a game's name.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// archiveBits is where the archive's number stands in a name.
const archiveBits = 37

// id is a game's name: archive and number, as eight digits to the base of 62, the lowest first.
func (r ref) id() string {
	n := uint64(r.archive)<<archiveBits | uint64(r.game-1)
	var b [8]byte
	for i := range b {
		b[i] = digits[n%62]
		n /= 62
	}
	return string(b[:])
}

// parseID reads such a name.
func parseID(s string) (r ref, ok bool) {
	if len(s) != 8 {
		return r, false
	}
	n := uint64(0)
	for i := 7; i >= 0; i-- {
		d := strings.IndexByte(digits, s[i])
		if d < 0 {
			return r, false
		}
		n = 62*n + uint64(d)
	}
	before := n & (1<<archiveBits - 1)
	return ref{int(n >> archiveBits), int(before) + 1}, before < math.MaxInt
}

// gameOf is a game as it is answered. Games of masters have our names, by which /masters/pgn finds them; others have
// those of Lichess.
func (s *state) gameOf(src source, r ref) (gameJSON, error) {
	i, err := s.info(r)
	if err != nil {
		return gameJSON{}, err
	}
	g := gameJSON{ID: r.id(), Year: i.year(), White: playerJSON{i.name[chess.White], i.rating(chess.White)},
		Black: playerJSON{i.name[chess.Black], i.rating(chess.Black)}}
	switch i.result() {
	case game.WhiteWins:
		g.Winner = new("white")
	case game.BlackWins:
		g.Winner = new("black")
	}
	if m := i.month(); m > 0 {
		g.Month = new(fmt.Sprintf("%04d-%02d", i.year(), m))
	}
	if src != masters {
		g.Speed, g.Mode = game.SpeedNames[i.speed()], modeNames[i.mode()]
		if i.id != "" {
			g.ID = i.id
		}
	}
	return g, nil
}

func (s *state) respond(r *request, at position.Position, c *counts) (*response, error) {
	y := &response{stats: c.total(), Moves: []moveJSON{}}
	if r.opening.ECO != "" {
		y.Opening = &r.opening
	}
	for i := range c.moves[:min(r.moves, len(c.moves))] {
		t := &c.moves[i]
		move, ok := t.word.Move()
		if !ok || !at.IsLegal(move) {
			return nil, errGone // another position with the same hash
		}
		m := moveJSON{UCI: uci(&at, move), SAN: at.SAN(move), stats: t.stats}
		rating := int(math.Round(t.mean()))
		if r.source == player {
			m.OpponentRating, m.Performance = &rating, new(performance(t, r.color))
		} else {
			m.Rating = &rating
		}
		after := at
		after.Make(move)
		if o, ok := openings.Of(&after); ok {
			m.Opening = &o
		}
		// As Lichess does, which knows a game only if games are asked for.
		if t.total() == 1 && t.one.game > 0 && (r.source != all || r.top > 0 || r.recent > 0) {
			g, err := s.gameOf(r.source, t.one)
			if err != nil {
				return nil, err
			}
			m.Game = &g
		}
		y.Moves = append(y.Moves, m)
	}
	games := func(list []found) (*[]gameJSON, error) {
		told := []gameJSON{}
		for _, f := range list {
			g, err := s.gameOf(r.source, f.ref)
			if err != nil {
				return nil, err
			}
			move, _ := f.word.Move()
			g.UCI = uci(&at, move)
			told = append(told, g)
		}
		return &told, nil
	}
	var err error
	if r.source != player {
		if y.Top, err = games(c.top.list); err != nil {
			return nil, err
		}
	}
	if r.source != masters {
		if y.Recent, err = games(c.recent.list); err != nil {
			return nil, err
		}
	}
	if r.history {
		y.History = history(r, c.history)
	}
	return y, nil
}

// history has each month from the first to the last with games, or from the one asked for. The last month, which may
// not be complete, is left out unless the request has an end.
func history(r *request, months map[int]stats) *[]segment {
	list := []segment{}
	if len(months) > 0 {
		known := make([]int, 0, len(months))
		for m := range months {
			known = append(known, m)
		}
		first, last := slices.Min(known), slices.Max(known)
		if r.since > 0 {
			first = max(r.since, firstMonth)
		}
		if r.until == math.MaxInt32 {
			last--
		}
		for m := first; m <= last; m++ {
			list = append(list, segment{fmt.Sprintf("%04d-%02d", m/12, m%12+1), months[m]})
		}
	}
	return &list
}

// performance is a player's rating by the results against opponents of a mean rating, by FIDE's table (Handbook B.02,
// 1.4.9); between two percents it is linear.
func performance(t *tally, c chess.Color) int {
	mean := t.mean()
	if mean == 0 {
		return 0
	}
	won := t.White
	if c == chess.Black {
		won = t.Black
	}
	percent := float64(100*won+50*t.Draws) / float64(t.total())
	whole := int(percent)
	d := float64(difference(whole))
	if part := percent - float64(whole); part > 0 {
		d += part * float64(difference(whole+1)-difference(whole))
	}
	return int(math.Round(mean + d))
}

// differences are those of FIDE's table, from 50 % on.
var differences = [51]int{0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
	166, 175, 184, 193, 202, 211, 220,
	230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800}

func difference(percent int) int {
	if percent < 50 {
		return -differences[50-percent]
	}
	return differences[percent-50]
}

type answer struct {
	body []byte
	tag  string
	once sync.Once
	zip  []byte
}

func newAnswer(y *response) (*answer, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(y); err != nil {
		return nil, err
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	sum := fnv.New64a()
	sum.Write(body)
	return &answer{body: body, tag: fmt.Sprintf("%016x", sum.Sum64())}, nil
}

// zipped is the body as gzip; nil if that is no smaller.
func (a *answer) zipped() []byte {
	a.once.Do(func() {
		if zip := web.Zip(a.body); len(zip) < len(a.body) {
			a.zip = zip
		}
	})
	return a.zip
}

// pgn writes a game as Lichess writes those of masters: nine tags, and the main line in one line.
func (s *state) pgn(r ref) (text []byte, err error) {
	if r.archive >= len(s.archives) || r.game < 1 || r.game > s.archives[r.archive].games {
		return nil, errNoGame
	}
	err = s.read(r, func(b *archive.Block, n int, g *game.Game) error {
		text, err = appendMastersPGN(nil, b, n, g)
		return err
	})
	return text, err
}

func appendMastersPGN(b []byte, block *archive.Block, n int, g *game.Game) ([]byte, error) {
	at, err := block.Start(n)
	if err != nil {
		return nil, err
	}
	line, err := block.MainLine(nil, n)
	if err != nil {
		return nil, err
	}
	tag := func(name, value string) {
		b = fmt.Appendf(b, "[%s \"%s\"]\n", name, escape.Replace(value))
	}
	for _, name := range []string{"Event", "Site", "Date", "Round", "White", "Black"} {
		tag(name, cmp.Or(g.Tag(name), map[bool]string{true: "????.??.??", false: "?"}[name == "Date"]))
	}
	tag("Result", g.Result.String())
	for _, name := range []string{"WhiteElo", "BlackElo"} {
		if v := g.Tag(name); v != "" {
			tag(name, v)
		}
	}
	if at != position.Start() {
		tag("SetUp", "1")
		tag("FEN", at.FEN())
	}
	b = append(b, '\n')
	for i, w := range line {
		if at.Turn() == chess.White || i == 0 {
			b = append(append(b, at.MoveNumber()...), ' ')
		}
		m, _ := w.Move() // of the null move it is chess.NullMove
		b = append(at.AppendSAN(b, m), ' ')
		at.MakeIndex(w)
	}
	return append(append(b, g.Result.String()...), '\n'), nil
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ")
