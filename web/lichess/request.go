// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/game"
	"ply11/position"
	"ply11/position/openings"
)

type source uint8

const (
	masters source = iota
	all            // those of /lichess
	player
)

// How many games and moves an answer has at most, and by default.
const (
	maxMasters   = 15
	maxTop       = 4
	maxGames     = 8 // top and recent ones, of /lichess and /player
	defaultMoves = 12
)

// Bounds of a request.
const (
	maxPlay  = 600 // moves that lead from fen to the position
	maxQuery = 8 << 10
)

// request is a question, and a key of maps: the order of moves that leads to the position changes only the name of the
// opening.
type request struct {
	source  source
	hash    uint64 // of the position
	opening openings.Opening
	filter
	moves, top, recent int
	history            bool

	player string // in small letters
	color  chess.Color
}

type filter struct {
	since, until int // months from January of year 0
	speeds       uint8
	ratings      uint16
	modes        uint8
}

// noFilter lets all games pass.
var noFilter = filter{until: math.MaxInt32, speeds: allSpeeds, ratings: allGroups, modes: allModes}

func (l *filter) passes(f fact) bool {
	if l.since > 0 || l.until < math.MaxInt32 {
		first, last, ok := f.months()
		if !ok || first < l.since || last > l.until {
			return false
		}
	}
	if l.speeds != allSpeeds && l.speeds&(1<<f.speed()) == 0 {
		return false
	}
	if l.ratings != allGroups {
		sum := f.sum()
		if sum == 0 || l.ratings&(1<<groupOf(sum/2)) == 0 {
			return false
		}
	}
	return l.modes&(1<<f.mode()) != 0
}

// badRequest is what is wrong with a question.
type badRequest struct{ err error }

func (e *badRequest) Error() string { return "bad request: " + e.err.Error() }

func (e *badRequest) Unwrap() error { return e.err }

func badf(format string, args ...any) error { return &badRequest{fmt.Errorf(format, args...)} }

// parse reads the parameters of a request, and ignores unknown ones, as Lichess does. The error is a *badRequest.
func parse(s source, raw string) (r request, at position.Position, err error) {
	if len(raw) > maxQuery {
		return r, at, badf("%d bytes of parameters are too many", len(raw))
	}
	v, err := url.ParseQuery(raw)
	if err != nil {
		return r, at, &badRequest{err}
	}
	r = request{source: s, filter: noFilter, moves: defaultMoves, top: maxTop, recent: maxGames}
	switch s {
	case masters:
		r.top, r.recent = maxMasters, 0
	case player:
		r.top, r.moves = 0, math.MaxInt32
	}
	if err := checkVariant(v.Get("variant")); err != nil {
		return r, at, err
	}
	if at, r.opening, err = place(v.Get("fen"), v.Get("play")); err != nil {
		return r, at, err
	}
	r.hash = at.Hash()
	p := &parameters{v: v}
	p.number("moves", &r.moves, math.MaxInt32)
	if s != player {
		p.number("topGames", &r.top, map[source]int{masters: maxMasters, all: maxTop}[s])
	}
	if s != masters {
		p.number("recentGames", &r.recent, maxGames)
	}
	r.since = p.month(s, "since", 0, 0)
	r.until = p.month(s, "until", math.MaxInt32, 11)
	if s != masters {
		r.speeds = uint8(p.set("speeds", allSpeeds, oneOf(game.SpeedNames[:])))
	}
	switch s {
	case all:
		r.ratings = uint16(p.set("ratings", allGroups, func(name string) (int, bool) {
			n, err := strconv.ParseUint(name, 10, 16)
			return groupOf(int(n)), err == nil
		}))
		switch h, _ := p.get("history"); h {
		case "", "false", "False", "off", "0", "no":
		case "true", "True", "on", "1", "yes":
			r.history = true
		default:
			p.wrong("history: %q is neither true nor false", clip(h))
		}
	case player:
		r.modes = uint8(p.set("modes", allModes, oneOf(modeNames[:])))
		name, ok := p.get("player")
		if r.player = strings.ToLower(strings.TrimSpace(name)); !ok {
			p.wrong("missing field `player`")
		} else if r.player == "" || len(name) > 200 {
			p.wrong("player: %q is no name", clip(name))
		}
		switch color, ok := p.get("color"); {
		case !ok:
			p.wrong("missing field `color`")
		case color == "white":
			r.color = chess.White
		case color == "black":
			r.color = chess.Black
		default:
			p.wrong("color: %q is neither white nor black", clip(color))
		}
	}
	return r, at, p.err
}

// parameters are those of a request, with the first error.
type parameters struct {
	v   url.Values
	err error
}

func (p *parameters) wrong(format string, args ...any) {
	if p.err == nil {
		p.err = badf(format, args...)
	}
}

func (p *parameters) get(name string) (text string, ok bool) {
	return p.v.Get(name), p.v.Has(name)
}

// number reads a number; a larger one than most is most.
func (p *parameters) number(name string, to *int, most int) {
	if text, ok := p.get(name); ok {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			p.wrong("%s: %q is no number", name, clip(text))
		}
		*to = int(min(n, uint64(most)))
	}
}

// clip shortens what a request holds, for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// set reads names with commas between them as bits. Without the parameter it is without.
func (p *parameters) set(name string, without uint32, bit func(name string) (int, bool)) (mask uint32) {
	text, ok := p.get(name)
	switch {
	case !ok:
		return without
	case text == "":
		return 0
	}
	for part := range strings.SplitSeq(text, ",") {
		i, ok := bit(strings.TrimSpace(part))
		if !ok {
			p.wrong("%s: %q is none of them", name, clip(part))
			return 0
		}
		mask |= 1 << i
	}
	return mask
}

func oneOf(names []string) func(name string) (int, bool) {
	return func(name string) (int, bool) {
		i := slices.Index(names, name)
		return i, i >= 0
	}
}

// month reads a month, or of masters a year, for which of is the month. Without one it is none.
func (p *parameters) month(s source, name string, none, of int) int {
	text, ok := p.get(name)
	if !ok {
		return none
	}
	year, rest, more := strings.Cut(strings.ReplaceAll(text, "/", "-"), "-")
	y, err := strconv.ParseUint(year, 10, 16)
	what := "year"
	if s != masters {
		what = "month"
		m, bad := strconv.ParseUint(rest, 10, 16)
		if m < 1 || m > 12 {
			err = strconv.ErrRange
		}
		err, of = errors.Join(err, bad), int(m)-1
	}
	if err != nil || y > 9999 || more != (s != masters) {
		p.wrong("%s: invalid %s %q", name, what, clip(text))
	}
	return 12*int(y) + of
}

var errVariant = errors.New("only games of standard chess are held")

func checkVariant(name string) error {
	switch strings.ToLower(strings.ReplaceAll(name, " ", "")) { // Lichess has two ways to write each
	case "", "standard", "chess", "chess960", "fromposition": // which Lichess asks for as chess, too
		return nil
	case "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck", "three-check":
		return &badRequest{fmt.Errorf("variant %s: %w", name, errVariant)}
	}
	return badf("variant: unknown variant %q", clip(name))
}

// place returns the position of a request, and the name of its opening: that of the last position that has one.
func place(fen, play string) (position.Position, openings.Opening, error) {
	at := position.Start()
	if fen = strings.TrimSpace(fen); fen != "" {
		if !strings.Contains(fen, " ") {
			fen = strings.ReplaceAll(fen, "_", " ")
		}
		var err error
		if at, err = position.ParseFENLenient(fen); err != nil {
			return at, openings.Opening{}, badf("fen: %w", err)
		}
	}
	opening, _ := openings.Of(&at)
	if play == "" {
		return at, opening, nil
	}
	if strings.Count(play, ",") >= maxPlay {
		return at, opening, badf("play: more than %d moves", maxPlay)
	}
	for text := range strings.SplitSeq(play, ",") {
		m, err := parseMove(&at, text)
		if err != nil {
			return at, opening, badf("play: %w", err)
		}
		at.Make(m)
		if o, ok := openings.Of(&at); ok {
			opening = o
		}
	}
	return at, opening, nil
}

// parseMove reads a move in UCI notation; castling may be the king on his rook.
func parseMove(at *position.Position, text string) (chess.Move, error) {
	m, err := at.ParseUCI(text)
	if err == nil && m == chess.NullMove {
		err = errors.New("a null move")
	}
	return m, err
}

// uci writes a move as Lichess does: castling is the king on his rook.
func uci(at *position.Position, m chess.Move) string {
	from, to := m.From(), m.To()
	if at.PieceAt(from).Kind() == chess.King && !at.IsChess960() {
		switch int(to) - int(from) {
		case 2:
			return chess.NewMove(from, from+3).String()
		case -2:
			return chess.NewMove(from, from-4).String()
		}
	}
	return m.String()
}
