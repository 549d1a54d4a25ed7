// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/position/openings"
	"ply11/query"
	"ply11/web/call"
)

// Row is a game in a list.
type Row struct {
	Game     int    `json:"game"`
	White    string `json:"white"`
	Black    string `json:"black"`
	WhiteElo string `json:"white_elo"`
	BlackElo string `json:"black_elo"`
	Result   string `json:"result"`
	Date     string `json:"date"`
	ECO      string `json:"eco"`
	Opening  string `json:"opening"`
	Event    string `json:"event"`
	Error    string `json:"error,omitempty"` // it cannot be read
}

// maxRows is how many rows a list has, and maxText how much of a tag, in bytes, unless tags are to be whole.
const (
	maxRows = 500
	maxText = 300
)

// short makes of a text of any length one that can be shown.
func short(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

func (s *Session) list(ctx context.Context, c *call.Call, r struct {
	Games []int `json:"games"`
	Whole bool  `json:"whole"` // the tags; then there are fewer rows if these are long
}) (any, error) {
	a, err := s.opened()
	if err != nil {
		return nil, err
	}
	if len(r.Games) > maxRows {
		r.Games = r.Games[:maxRows]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var g game.Game
	rows := make([]Row, 0, len(r.Games))
	most, size := maxText, 0
	if r.Whole {
		most = math.MaxInt
	}
	for _, n := range r.Games {
		if ctx.Err() != nil {
			return nil, call.ErrCanceled
		}
		row := Row{Game: n}
		if err := a.r.PeekTags(n, &g); err != nil {
			row.Error = err.Error()
		} else {
			tag := func(name string) string {
				size += len(g.Tag(name))
				return short(g.Tag(name), most)
			}
			row.White, row.Black, row.WhiteElo, row.BlackElo = tag("White"), tag("Black"), tag("WhiteElo"),
				tag("BlackElo")
			row.Result, row.Date = g.Result.String(), short(g.Date(), most)
			row.ECO, row.Opening, row.Event = tag("ECO"), tag("Opening"), tag("Event")
			size += len(row.Date)
		}
		if rows = append(rows, row); r.Whole && size > maxGameText {
			break
		}
	}
	return rows, nil
}

// Item is a thing in a game's text, in its order.
type Item struct {
	Kind  string   `json:"k"`           // m a move, t a comment, n a NAG, ( and ) a variation
	Text  string   `json:"t,omitempty"` // SAN, or the comment without its commands, or the NAG
	UCI   string   `json:"u,omitempty"`
	FEN   string   `json:"f,omitempty"` // after the move
	Index int      `json:"i,omitempty"`
	Ply   int      `json:"p,omitempty"` // of the line
	No    string   `json:"n,omitempty"` // the move's number, "12." or "12..."
	Main  bool     `json:"m,omitempty"` // it is of the main line
	Clock *float64 `json:"c,omitempty"` // seconds left, of a comment
	Eval  *float64 `json:"e,omitempty"` // pawns from White's side, of a comment; 100 and more is a mate
	// Shapes are what a comment draws on the board: a letter for the colour, G, R, Y or B, and a square to be circled,
	// or two that an arrow joins: "Ge2e4".
	Shapes []string `json:"s,omitempty"`
}

// Shown is a game to be replayed.
type Shown struct {
	Game   int         `json:"game"`
	Tags   [][2]string `json:"tags"`
	Result string      `json:"result"`
	Start  string      `json:"start,omitempty"` // FEN; empty if it is not known
	Items  []Item      `json:"items"`
	// Openings are those whose positions the main line comes to, in its order.
	Openings []NamedPly `json:"openings,omitempty"`
	More     bool       `json:"more,omitempty"` // there are more items than are shown
	Text     string     `json:"text"`           // PGN
	// the PGN is too long for the page, and Text has the beginning of it alone
	Cut   bool   `json:"cut,omitempty"`
	Wrong string `json:"wrong,omitempty"` // what is wrong with a game that is not valid
}

// NamedPly is a ply of the main line, and the opening whose position it leads to.
type NamedPly struct {
	Ply int `json:"ply"`
	openings.Opening
}

// Limits of a game that is shown, in things and bytes. The longest game by the rules has 17,697 plies; what the page is
// given at once, it takes over within a frame or two.
const (
	maxItems    = 20_000
	maxComment  = 20_000
	maxComments = 1 << 20 // all of them
	maxGameText = 4 << 20
	maxTags     = 1000
	maxTagText  = 64 << 10 // all of them
)

func (s *Session) game(_ context.Context, _ *call.Call, r struct {
	Game int `json:"game"`
}) (any, error) {
	a, err := s.opened()
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t := &Shown{Game: r.Game, Items: []Item{}, Tags: [][2]string{}}
	text, err := a.r.AppendText(nil, r.Game)
	if err != nil {
		return nil, err
	}
	t.Text, t.Cut = short(string(text), maxGameText), len(text) > maxGameText
	wrong, known, err := a.r.Fault(r.Game)
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		t.Wrong = wrong.Error()
	}
	var g game.Game
	switch {
	case wrong == nil:
		if err := a.r.Game(r.Game, &g); err != nil {
			return nil, err
		}
		t.items(&g)
	case known:
		if err := t.valid(a.r, r.Game, &g); err != nil {
			return nil, err
		}
	default:
		if err := a.r.Tags(r.Game, &g); err != nil {
			return nil, err
		}
	}
	room := maxTagText
	for _, tag := range g.Tags[:min(len(g.Tags), maxTags)] {
		name, value := short(tag.Name, min(room, maxText)), short(tag.Value, min(room, maxComment))
		t.Tags = append(t.Tags, [2]string{name, value})
		if room = max(0, room-len(name)-len(value)); room == 0 {
			break
		}
	}
	t.Result = g.Result.String()
	return t, nil
}

// items makes the items of a game.
func (t *Shown) items(g *game.Game) {
	t.Start = g.Start.FEN()
	type at struct{ before, after position.Position }
	now := at{g.Start, g.Start}
	var around []at
	comments := 0
	for c := g.Cursor(); c.Next(); {
		if len(t.Items) >= maxItems || comments > maxComments {
			t.More = true
			return
		}
		item := Item{}
		switch c.Kind {
		case game.MoveEvent:
			now.before = now.after
			if c.Move != chess.NullMove && !now.after.IsLegal(c.Move) {
				t.More = true // which Reader.Game does not let pass
				return
			}
			i, _ := moveindex.Of(c.Move)
			item = Item{Kind: "m", Text: now.before.SAN(c.Move), UCI: c.Move.String(), Index: int(i),
				Main: len(around) == 0,
				No:   strings.TrimSpace(now.before.MoveNumber())}
			now.after.Make(c.Move)
			item.FEN, item.Ply = now.after.FEN(), now.after.Ply()-g.Start.Ply()
			if o, ok := openings.Of(&now.after); ok && item.Main {
				t.Openings = append(t.Openings, NamedPly{item.Ply, o})
			}
		case game.NAG:
			item = Item{Kind: "n", Text: fmt.Sprint(c.NAG)}
		case game.Comment:
			item = Item{Kind: "t", Text: short(commentText(c.Text), maxComment), Shapes: shapes(c.Text)}
			comments += len(item.Text)
			if d, ok := game.Clock(c.Text); ok {
				seconds := d.Seconds()
				item.Clock = &seconds
			}
			e, ok := game.Eval(c.Text)
			if !ok {
				e, ok = game.MatchEval(c.Text, now.before.Turn())
			}
			if ok {
				pawns := float64(e.Centipawns) / 100
				if e.IsMate {
					pawns = 100
					if e.Mate < 0 {
						pawns = -100
					}
				}
				item.Eval = &pawns
			}
		case game.VariationStart:
			item.Kind = "("
			around = append(around, now)
			now.after = now.before
		case game.VariationEnd:
			item.Kind = ")"
			now = around[len(around)-1]
			around = around[:len(around)-1]
		}
		t.Items = append(t.Items, item)
	}
}

// maxShapes is how many arrows and circles a comment may have.
const maxShapes = 64

// shapes returns the arrows and circles of a comment: those of its commands %cal and %csl.
func shapes(comment string) (list []string) {
	for c := range game.Commands(comment) {
		if c.Name != "cal" && c.Name != "csl" {
			continue
		}
		for shape := range strings.SplitSeq(c.Value, ",") {
			if shape = strings.TrimSpace(shape); isShape(shape) && len(list) < maxShapes {
				list = append(list, shape)
			}
		}
	}
	return list
}

// isShape reports whether a text is a colour and one square or two.
func isShape(s string) bool {
	if len(s) != 3 && len(s) != 5 || !strings.Contains("GRYB", s[:1]) {
		return false
	}
	for i := 1; i < len(s); i += 2 {
		if _, err := chess.ParseSquare(s[i : i+2]); err != nil {
			return false
		}
	}
	return true
}

// commentText is a comment without its commands.
func commentText(s string) string {
	var b strings.Builder
	last := 0
	for c := range game.Commands(s) {
		b.WriteString(s[last:c.Start])
		last = c.End
	}
	b.WriteString(s[last:])
	return strings.TrimSpace(b.String())
}

// term is a term of a query, as package query has them.
type term struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// searchRequest asks for the games that meet all terms: of all games if there are none and they are to be in another
// order.
type searchRequest struct {
	Terms      []term `json:"terms"`
	Sort       string `json:"sort"` // "" for the archive's order
	Variations bool   `json:"variations"`
	Mirror     bool   `json:"mirror"`
	Swap       bool   `json:"swap"`
}

// query makes the query of a request.
func (r *searchRequest) query() (*query.Query, error) {
	q := query.New()
	for _, t := range r.Terms {
		if err := q.Add(t.Name, t.Value); err != nil {
			return nil, err
		}
	}
	q.Variations(r.Variations)
	q.Mirror(r.Mirror)
	q.SwapColors(r.Swap)
	if len(r.Terms) == 0 && r.Sort != "" {
		return q, q.Add("games", "1-")
	}
	return q, q.Check()
}

// texts gives the PGN of games, as many of them as it can at once, and how many these are: 32 bits little-endian before
// the text.
func (s *Session) texts(ctx context.Context, _ *call.Call, r struct {
	Games []int `json:"games"`
}) (any, error) {
	a, err := s.opened()
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]byte, 4)
	for i, n := range r.Games {
		if ctx.Err() != nil {
			return nil, call.ErrCanceled
		}
		if out, err = a.r.AppendText(out, n); err != nil {
			return nil, fmt.Errorf("game %d: %w", n, err)
		}
		for !bytes.HasSuffix(out, []byte("\n\n")) { // as after the last of the archive
			out = append(out, '\n')
		}
		binary.LittleEndian.PutUint32(out, uint32(i+1))
		if len(out) > maxGameText {
			break
		}
	}
	return call.Bytes(out), nil
}

// maxFound is how many games a search gives.
const maxFound = 4_000_000

// search gives the games that are found: for each its number and the ply of its first hit, 32 bits little-endian. An
// archive that cannot be read to its end gives what was found before, and the error after it, as text.
//
// If a position is looked for and there is an index, its games alone are read; and if nothing else is asked of them, no
// more than the first maxRows games: the others are given with the ply 0.
func (s *Session) search(ctx context.Context, c *call.Call, r searchRequest) (any, error) {
	q, err := r.query()
	if err != nil {
		return nil, err
	}
	a, err := s.opened()
	if err != nil {
		return nil, err
	}
	source, known, err := a.narrowed(ctx, c, q, &r)
	if ctx.Err() != nil {
		return nil, call.ErrCanceled
	}
	if err != nil {
		return nil, err
	}
	order, err := newOrder(r.Sort)
	if err != nil {
		return nil, err
	}
	var games []found
	workers := 1
	ofTags := q.OfTags() && !order.readsMoves
	if ofTags {
		reads := &tagReads{ReaderAt: &reading{a.file, ctx}, kept: &a.tags, near: a.near, size: a.size}
		source.Reader, source.Sparse = a.through(ctx, c, reads).Reader, true
		if !a.near {
			workers = farReads
		}
	}
	for g, bad := range query.Games(ctx, []query.Source{source}, q, query.Options{Workers: workers},
		func(m *query.Match) (g found, err error) {
			g.game = uint32(m.Number)
			if len(m.Hits) > 0 && len(m.Hits[0].Plies) > 0 {
				g.ply = uint32(m.Hits[0].Plies[0])
			}
			g.key, err = order.key(m)
			return g, err
		}) {
		if err = bad; err != nil {
			break
		}
		if games = append(games, g); len(games) == maxFound {
			break
		}
	}
	if ctx.Err() != nil {
		return nil, call.ErrCanceled
	}
	if ofTags && err != nil {
		a.tags.clear() // what is kept may be damaged, or of a file that changed
	}
	for _, game := range known[:min(len(known), maxFound-len(games))] {
		games = append(games, found{game: uint32(game)})
	}
	if len(games) == maxFound {
		err = fmt.Errorf("the page lists no more than %d games", maxFound)
	}
	order.sort(games)
	out := make([]byte, 4, 4+8*len(games))
	for _, g := range games {
		out = binary.LittleEndian.AppendUint32(out, g.game)
		out = binary.LittleEndian.AppendUint32(out, g.ply)
	}
	binary.LittleEndian.PutUint32(out, uint32(len(out)/8))
	if err != nil {
		out = append(out, err.Error()...)
	}
	return call.Bytes(out), nil
}

// narrowed is the archive for a search: with an index, the games that may have the position that is looked for. known
// are games behind these that are found without a look at them.
func (a *openArchive) narrowed(ctx context.Context, c *call.Call, q *query.Query, r *searchRequest) (s query.Source,
	known []int, err error) {
	s = a.source(ctx, c)
	if !q.Exact() {
		return s, nil, nil
	}
	with, _, err := a.indexed(ctx, c)
	if err != nil || with.PositionIndex == nil {
		return s, nil, err
	}
	games, _, err := with.PositionIndex.Candidates(ctx, q)
	var damaged *query.IndexError
	if errors.As(err, &damaged) {
		return s, nil, nil // an index that is damaged is no reason to know nothing
	}
	if len(games) > maxRows && len(r.Terms) == 1 && r.Terms[0].Name == "fen" && r.Sort == "" {
		games, known = games[:maxRows], games[maxRows:]
	}
	s.Games = games
	return s, known, err
}

// valid makes the items of a game that is not valid: its main line as far as it is.
func (t *Shown) valid(r *archive.Reader, n int, g *game.Game) error {
	words, err := r.MainLine(nil, n)
	if err != nil {
		return err
	}
	start, err := r.Start(n)
	if err != nil {
		return err
	}
	if err := r.Tags(n, g); err != nil {
		return err
	}
	g.Start = start
	var b game.Builder
	b.Reset(g)
	for _, w := range words {
		m, _ := w.Move()
		b.Move(m)
	}
	t.items(g)
	return nil
}
