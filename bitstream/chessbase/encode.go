// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/position"
)

// encoder encodes games to records.
type encoder struct {
	numbering Numbering
	lost      codec.Losses
	moves     []byte
	plies     int // of the main line in moves
	comments  []byte
	names     []byte
	setup     []byte
	stack     []encLine
	notes     []note
	variant   byte
	variantAt int // the item of the last move of the main line that is the result's sign, from 0; or -1
}

// encLine is where the encoder stands in a line.
type encLine struct {
	line
	begins int  // of a variation: where its start is in the move list
	move   int  // the last move in the move list, or -1
	note   int  // of the last move, in notes, or -1
	empty  bool // no move yet
	last   bool // the last move is the main line's last
}

// note is what annotates one move, or the start.
type note struct {
	comment
	move int // in the move list; maxMove at the start, whose comments come last
	ply  int
	slot int // what was set last: 1 Move, 2 Position, 3 text
}

// atStart is the place of the start's comments: after those of all moves.
const atStart = maxMovesSize + 1

// game encodes a game to a record, whose slices belong to the encoder. What the format cannot hold is left out and
// returned as a *codec.LossError.
func (e *encoder) game(g *game.Game, r *Record) error {
	e.lost = nil
	*r = Record{buf: r.buf}
	e.tags(g, r)
	e.setup = e.setup[:0]
	if g.Start.IsChess960() {
		e.lost.Add("start position and all moves, with %v", codec.ErrChess960)
		g = &game.Game{Start: position.Start(), Result: g.Result}
	}
	if g.Start != position.Start() {
		var ok bool
		if e.setup, ok = encodeSetup(e.setup, &r.Header, &g.Start); !ok {
			e.lost.Add("move number %d", g.Start.FullmoveNumber())
		}
		if n := g.Start.HalfmoveClock(); n != 0 {
			e.lost.Add("halfmove clock %d", n)
		}
		r.Setup = e.setup
	}
	if err := e.movetext(g); err != nil {
		return err
	}
	if len(e.moves) > maxMovesSize {
		return &codec.Error{Offset: -1, Err: codec.ErrLimit, Reason: fmt.Sprintf("move list of %d bytes, of at most %d",
			len(e.moves), maxMovesSize)}
	}
	e.annotations()
	r.Moves, r.Comments = e.moves, e.comments
	r.Header[1] = map[game.Result]byte{game.WhiteWins: resultWhiteWins, game.BlackWins: resultBlackWins,
		game.Draw: resultDraw, game.Unknown: resultVariant | e.variant<<2}[g.Result]
	r.Header[12] = byte(min((e.plies+1)/2, 255)) // what is written: a null move ends it
	r.seal()
	return e.lost.Err("chessbase")
}

// known returns the value of a roster tag, "" for "?" and its like.
func known(value string) string {
	switch value {
	case "?", "-", "????.??.??":
		return ""
	}
	return value
}

// tags sets what comes from tags.
func (e *encoder) tags(g *game.Game, r *Record) {
	h := &r.Header
	h[0] = noYear
	var white, black, event, site string
	var flags byte
	var eco ecoCode
	for i, t := range g.Tags {
		if slices.ContainsFunc(g.Tags[:i], func(o game.Tag) bool { return o.Name == t.Name }) {
			e.lost.Add("second tag %s", t.Name)
			continue
		}
		value := strings.TrimSpace(t.Value)
		switch t.Name {
		case "White":
			white = known(value)
		case "Black":
			black = known(value)
		case "Event":
			event = known(value)
		case "Site":
			site = known(value)
		case "Date":
			e.date(h, known(value))
		case "Result":
			if res, err := game.ParseResult(value); err == nil && res != g.Result {
				e.lost.Add("tag Result %s of a game that ends %s", res, g.Result)
			} else if err != nil && known(value) != "" {
				e.lost.Add("tag Result %q", value)
			}
		case "WhiteElo":
			h[8] = e.elo(t.Name, value)
		case "BlackElo":
			h[9] = e.elo(t.Name, value)
		case "ECO":
			var err error
			if eco, err = parseECO(value); known(value) != "" && err != nil {
				e.lost.Add("tag ECO %q", value)
			} else if err == nil && g.Start != position.Start() {
				e.lost.Add("tag ECO of a set-up position")
				eco = ecoCode{}
			}
		case tagMarked, tagDeleted:
			switch {
			case value == "1" && t.Name == tagMarked:
				flags |= flagMarked
			case value == "1":
				flags |= flagDeleted
			case value != "0":
				e.lost.Add("tag %s %q", t.Name, value)
			}
		case "FEN", "SetUp": // the Start has it
		default:
			if known(value) != "" {
				e.lost.Add("tag %s", t.Name)
			}
		}
	}
	h.setECO(eco)
	h[10] |= flags

	if strings.Contains(white, "-") {
		e.lost.Add("%q in White", "-")
		white = strings.ReplaceAll(white, "-", " ")
	}
	player := white
	if black != "" {
		player += "-" + black
	}
	if i := strings.Index(event+sourceSeparator, sourceSeparator); i < len(event) &&
		(site != "" || i+len(sourceSeparator) <= len(event)) {
		e.lost.Add("%q in Event", sourceSeparator)
		event = strings.TrimSuffix(strings.ReplaceAll(event, sourceSeparator, "/"), " /")
	}
	source := event
	if site != "" {
		source += sourceSeparator + site
	}
	n := 0
	e.names, n = e.name(e.names[:0], player, "White and Black")
	e.names, _ = e.name(e.names, source, "Event and Site")
	r.Player, r.Source = e.names[:n:n], e.names[n:]
}

// name appends a name's bytes, at most 63, and returns their number.
func (e *encoder) name(dst []byte, name, what string) ([]byte, int) {
	start := len(dst)
	dst, lost := encodeText(dst, name)
	if len(lost) != 0 {
		e.lost.Add("%q in %s", string(lost), what)
	}
	if n := len(dst) - start; n > maxNameSize {
		e.lost.Add("%s beyond %d bytes", what, maxNameSize)
		dst = dst[:start+maxNameSize]
	}
	return dst, len(dst) - start
}

// date sets the year.
func (e *encoder) date(h *Header, date string) {
	if date == "" {
		return
	}
	year, rest, _ := strings.Cut(date, ".")
	n, err := strconv.Atoi(year)
	switch {
	case strings.Trim(year, "?") == "":
	case err != nil:
		e.lost.Add("tag Date %q", date)
		return
	case !h.setYear(n):
		e.lost.Add("year %d", n)
	}
	if strings.Trim(rest, "?.") != "" {
		e.lost.Add("month and day")
	}
}

// elo returns the byte of a rating, 0 for none.
func (e *encoder) elo(tag, value string) byte {
	if value = known(value); value == "" || value == "0" {
		return 0
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < minElo || n > maxElo {
		e.lost.Add("%s %q", tag, value)
		return 0
	}
	if n%eloStep != 0 {
		e.lost.Add("%s %d, between steps of %d", tag, n, eloStep)
	}
	return byte((n - 1600) / eloStep)
}

// movetext encodes the moves to e.moves and gathers their annotations in e.notes.
func (e *encoder) movetext(g *game.Game) error {
	e.moves, e.notes = e.moves[:0], e.notes[:0]
	e.stack, e.plies = e.stack[:0], 0
	e.sign(g)
	start := NewGenerator(g.Start, e.numbering)
	base := g.Start.Ply()
	cur := encLine{line: line{start, start}, move: -1, note: -1, empty: true, last: g.Next(game.Root) == game.NoNode}
	items := 0
	for c := g.Cursor(); c.Next(); {
		ply := cur.at.pos.Ply() - base
		switch c.Kind {
		case game.MoveEvent:
			if c.Move == chess.NullMove {
				e.lost.Add("null move at ply %d and what follows it", ply+1)
				c.SkipLine()
				continue
			}
			n, err := cur.number(c.Move)
			if err != nil {
				return &codec.Error{Offset: -1, Ply: ply + 1, Err: err}
			}
			cur.before = cur.at
			cur.at.Make(c.Move)
			cur.move, cur.note, cur.empty = len(e.moves), -1, false
			e.moves = append(e.moves, n)
			if len(e.moves) > maxMovesSize {
				return &codec.Error{Offset: -1, Ply: ply + 1, Err: codec.ErrLimit,
					Reason: fmt.Sprintf("more than %d moves", maxMovesSize)}
			}
			if len(e.stack) == 0 {
				e.plies++
			}
			items = 0
			cur.last = len(e.stack) == 0 && g.Next(c.Node) == game.NoNode
		case game.VariationStart:
			items++
			e.stack = append(e.stack, cur)
			cur = encLine{line: line{cur.before, cur.before}, begins: len(e.moves), move: -1, note: -1, empty: true}
			e.moves = append(e.moves, variationStart)
		case game.VariationEnd:
			if cur.empty { // its first move was a null move
				e.moves = e.moves[:cur.begins]
			} else {
				e.moves = append(e.moves, variationEnd)
			}
			cur = e.stack[len(e.stack)-1]
			e.stack = e.stack[:len(e.stack)-1]
			if cur.last {
				items = e.itemsBefore(g, c.Node)
			}
		case game.NAG, game.Comment:
			items++
			if cur.empty && len(e.stack) > 0 {
				if c.Kind == game.NAG {
					e.lost.Add("NAG $%d before a variation's first move at ply %d", c.NAG, ply+1)
				} else {
					e.lost.Add("comment before a variation's first move at ply %d", ply+1)
				}
				continue
			}
			if cur.last && items-1 == e.variantAt {
				continue
			}
			if c.Kind == game.NAG {
				e.nag(&cur, c.NAG, ply)
			} else {
				e.comment(&cur, c.Text, ply)
			}
		}
	}
	return nil
}

// itemsBefore returns how many items the last move of the main line has, up to and with a variation of it.
func (e *encoder) itemsBefore(g *game.Game, variation game.Node) int {
	n := 0
	for item := range g.Items(g.Prev(variation)) {
		n++
		if item.Kind == game.VariationStart && item.Node == variation {
			break
		}
	}
	return n
}

// sign finds out whether the last item of the main line is the sign of a game without a result, as the reader gives it:
// an evaluation after a text, another evaluation or a variation, or a command.
func (e *encoder) sign(g *game.Game) {
	e.variant, e.variantAt = 0, -1
	if g.Result != game.Unknown || g.Plain() {
		return
	}
	last := game.Root
	for n := g.Next(last); n != game.NoNode; n = g.Next(n) {
		last = n
	}
	n, after := 0, false
	for item := range g.Items(last) {
		e.variant, e.variantAt = 0, -1
		switch item.Kind {
		case game.NAG:
			if v := nagPosition[item.NAG]; v != 0 {
				if after {
					e.variant, e.variantAt = v, n
				}
				after = true
			}
		case game.Comment:
			v, rest, ok := cutCommand(item.Text, commandResult)
			if ok && rest == "" && int(v) >= len(positionNAG) && v <= 15 {
				e.variant, e.variantAt = v, n
			}
			after = true
		case game.VariationStart:
			after = true
		}
		n++
	}
}

// noteOf returns the note of the last move, in which nothing from slot on is set, or a new one.
func (e *encoder) noteOf(cur *encLine, slot, ply int) *note {
	if cur.note >= 0 && cur.move < 0 && e.notes[cur.note].slot >= slot {
		cur.note = -1 // the start may have several comments
	}
	if cur.note < 0 {
		cur.note = len(e.notes)
		n := note{move: cur.move, ply: ply}
		if cur.move < 0 {
			n.move = atStart
		}
		e.notes = append(e.notes, n)
	}
	return &e.notes[cur.note]
}

func (e *encoder) nag(cur *encLine, nag uint8, ply int) {
	slot := 1
	value := nagMove[nag]
	if value == 0 {
		slot, value = 2, nagPosition[nag]
	}
	if value == 0 {
		e.lost.Add("NAG $%d at ply %d", nag, ply)
		return
	}
	n := e.noteOf(cur, slot, ply)
	field := &n.Move
	if slot == 2 {
		field = &n.Position
	}
	if *field != 0 {
		e.lost.Add("NAG $%d at ply %d", nag, ply)
		return
	}
	*field = value
	n.slot = slot
}

func (e *encoder) comment(cur *encLine, text string, ply int) {
	if text == "" {
		return
	}
	n := e.noteOf(cur, 3, ply)
	n.slot = 3
	text = n.cutCommands(text)
	if text == "" {
		return
	}
	if len(n.Text) > 0 {
		n.Text = append(n.Text, ' ')
	}
	var lost []rune
	n.Text, lost = encodeText(n.Text, text)
	if len(lost) != 0 {
		e.lost.Add("%q in the comment at ply %d", string(lost), ply)
	}
}

// annotations makes the comment field, and marks the moves.
func (e *encoder) annotations() {
	e.comments = e.comments[:0]
	if len(e.notes) == 0 {
		return
	}
	// Those after a variation came after the variation's.
	slices.SortStableFunc(e.notes, func(a, b note) int { return a.move - b.move })
	for i := range e.notes {
		n := &e.notes[i]
		if n.move < len(e.moves) && e.moves[n.move] == MaxNumber {
			e.lost.Add("annotation at ply %d, of move number %d", n.ply, MaxNumber)
			continue
		}
		start := len(e.comments)
		e.comments = n.appendTo(e.comments)
		if len(e.comments)+1 > maxCommentsSize {
			e.comments = e.comments[:start]
			e.lost.Add("comments beyond %d bytes", maxCommentsSize)
			continue
		}
		if n.move < len(e.moves) {
			e.moves[n.move] |= commentBit
		}
	}
	if len(e.comments) > 0 {
		e.comments = append(e.comments, commentStart)
	}
}

// EncodeGame encodes a game to a record, which it overwrites. NumberingAuto is taken for NumberingDocument. A
// *codec.LossError names what the format cannot hold and the record does not have. A *codec.Error refuses the game:
// position.ErrIllegal, or codec.ErrLimit for a move that has no number.
func EncodeGame(g *game.Game, r *Record, numbering Numbering) error {
	e := encoder{numbering: numbering}
	return e.game(g, r)
}
