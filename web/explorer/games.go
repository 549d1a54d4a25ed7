// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"fmt"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/position/openings"
)

// Row is a game in a list.
type Row struct {
	Game     int    `json:"game"`
	Ply      *int   `json:"ply,omitempty"` // of the first hit; left out where it was not looked for
	White    string `json:"white"`
	Black    string `json:"black"`
	WhiteElo string `json:"white_elo"`
	BlackElo string `json:"black_elo"`
	Result   string `json:"result"`
	Date     string `json:"date"`
	ECO      string `json:"eco"`
	Opening  string `json:"opening"`
	Event    string `json:"event"`
	Speed    string `json:"speed"`           // by the TimeControl, if there is one
	Error    string `json:"error,omitempty"` // it cannot be read
}

// maxRows is how many rows an answer has, and maxText how many bytes of a tag.
const (
	maxRows = 500
	maxText = 300
)

// short cuts a text, and makes it UTF-8.
func short(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// row reads what a list has of a game, at most so many bytes of a tag.
func (o *opened) row(n, most int) Row {
	row := Row{Game: n}
	var g game.Game
	if err := o.r.PeekTags(n, &g); err != nil {
		row.Error = err.Error()
		return row
	}
	tag := func(name string) string { return short(g.Tag(name), most) }
	row.White, row.Black, row.WhiteElo, row.BlackElo = tag("White"), tag("Black"), tag("WhiteElo"), tag("BlackElo")
	row.Result, row.Date, row.ECO, row.Opening, row.Event = g.Result.String(), short(g.Date(), most), tag("ECO"),
		tag("Opening"),
		tag("Event")
	if c := g.Tag("TimeControl"); c != "" && c != "?" {
		row.Speed = game.SpeedNames[game.SpeedOf(c)]
	}
	return row
}

// Item is a part of a game's text.
type Item struct {
	Kind  string   `json:"k"`           // m a move, t a comment, n a NAG, ( and ) a variation
	Text  string   `json:"t,omitempty"` // SAN, or the comment without its commands, or the NAG
	UCI   string   `json:"u,omitempty"`
	FEN   string   `json:"f,omitempty"` // after the move
	Index *int     `json:"i,omitempty"` // of a move; 0 is a1b1
	Ply   int      `json:"p,omitempty"` // of the line
	No    string   `json:"n,omitempty"` // the move's number, "12." or "12..."
	Main  bool     `json:"m,omitempty"` // it is of the main line
	Clock *float64 `json:"c,omitempty"` // seconds left, of a comment
	Eval  *float64 `json:"e,omitempty"` // pawns from White's side, of a comment; 100 and more is a mate
	// Shapes are what a comment draws: a colour, G, R, Y or B, and a square to be circled, or two that an arrow joins:
	// "Ge2e4".
	Shapes []string `json:"s,omitempty"`
}

// Shown is a game to be replayed.
type Shown struct {
	Game   int         `json:"game"`
	Tags   [][2]string `json:"tags"`
	Result string      `json:"result"`
	Start  string      `json:"start,omitempty"` // FEN; empty if it is not known
	Items  []Item      `json:"items"`
	// Openings are those of the main line's positions.
	Openings []NamedPly `json:"openings,omitempty"`
	More     bool       `json:"more,omitempty"` // there are more items than are shown
	Text     string     `json:"text"`           // PGN
	// the PGN is too long, and Text has its beginning
	Cut   bool   `json:"cut,omitempty"`
	Wrong string `json:"wrong,omitempty"` // what is wrong with a game that is not valid
}

type NamedPly struct {
	Ply int `json:"ply"`
	openings.Opening
}

// Limits of a game that is shown. The longest game by the rules has 17,697 plies.
const (
	maxItems    = 20_000
	maxComment  = 20_000
	maxComments = 1 << 20 // all of them
	maxGameText = 4 << 20
	maxTags     = 1000
	maxTagText  = 64 << 10 // all of them
)

func (h *Handler) game(r *http.Request, o *opened) (any, error) {
	n, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		return nil, fmt.Errorf("%q is no number of a game", short(r.PathValue("number"), maxText))
	}
	if n < 1 || n > o.r.Len() {
		return nil, fmt.Errorf("game %d of %d: %w", n, o.r.Len(), fs.ErrNotExist)
	}
	t := &Shown{Game: n, Items: []Item{}, Tags: [][2]string{}}
	text, err := o.r.AppendText(nil, n)
	if err != nil {
		return nil, err
	}
	t.Text, t.Cut = short(string(text), maxGameText), len(text) > maxGameText
	wrong, known, err := o.r.Fault(n)
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		t.Wrong = wrong.Error()
	}
	var g game.Game
	switch {
	case wrong == nil:
		if err := o.r.Game(n, &g); err != nil {
			return nil, err
		}
		t.items(&g)
	case known:
		if err := t.valid(o.r, n, &g); err != nil {
			return nil, err
		}
	default:
		if err := o.r.Tags(n, &g); err != nil {
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

func (t *Shown) items(g *game.Game) {
	t.Start = g.Start.FEN()
	line, mover := position.NewLine(g.Start), g.Start.Turn()
	comments := 0
	for c := g.Cursor(); c.Next(); {
		if len(t.Items) >= maxItems || comments > maxComments {
			t.More = true
			return
		}
		item := Item{}
		switch c.Kind {
		case game.MoveEvent:
			if c.Move != chess.NullMove && !line.At.IsLegal(c.Move) {
				t.More = true // which Reader.Game does not let pass
				return
			}
			i, _ := moveindex.Of(c.Move)
			index := int(i)
			item = Item{Kind: "m", Text: line.At.SAN(c.Move), UCI: c.Move.String(), Index: &index,
				Main: line.Depth() == 0,
				No:   line.At.MoveNumber()}
			mover = line.At.Turn()
			line.Make(c.Move)
			item.FEN, item.Ply = line.At.FEN(), line.Ply()
			if o, ok := openings.Of(&line.At); ok && item.Main {
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
				e, ok = game.MatchEval(c.Text, mover)
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
			line.Open()
			mover = line.At.Turn()
		case game.VariationEnd:
			item.Kind = ")"
			line.Close()
			mover = line.At.Turn().Other()
		}
		t.Items = append(t.Items, item)
	}
}

const maxShapes = 64

// shapes returns the arrows and circles of a comment, its commands %cal and %csl.
func shapes(comment string) (list []string) {
	for c := range game.Commands(comment) {
		if c.Name != "cal" && c.Name != "csl" {
			continue
		}
		for shape := range strings.SplitSeq(c.Value, ",") {
			if shape = strings.TrimSpace(shape); aShape.MatchString(shape) && len(list) < maxShapes {
				list = append(list, shape)
			}
		}
	}
	return list
}

// aShape is a colour and one square or two.
var aShape = regexp.MustCompile(`^[GRYB]([a-h][1-8]){1,2}$`)

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

// valid makes the items of a game that is not valid, as far as its main line is.
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
