// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// Query is what to look for: tests of games and conditions on their positions, all of which must be met. Make it with
// New, and Add terms. Several scans may use it at once, but not while terms are added.
type Query struct {
	games      []gameTest
	here       condition // of the position terms
	positional bool      // there are some
	sequences  [][]step
	not, or    []*Query
	book       Book
	variations bool
	mirror     bool
	swap       bool
	invalid    Invalid

	places [][]program // what here and the sequences become: of each, one program must be met
	ready  bool
	lent   *Query // of or, whose terms the query has as its own
}

// step is a condition of a sequence.
type step struct {
	condition
	within int // plies after the step before at most; 0 for any number
}

// Invalid is what becomes of games that an archive keeps although they are not valid. Their valid part is searched.
type Invalid uint8

const (
	IncludeInvalid Invalid = iota // found as others are
	SkipInvalid                   // left out
	OnlyInvalid                   // all others are
)

// Error is what is wrong with a term.
type Error struct {
	Term string
	Err  error
}

func (e *Error) Error() string { return e.Term + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// New returns a query without terms.
func New() *Query { return &Query{here: newCondition()} }

// Term describes a term that Add takes.
type Term struct {
	Name     string
	Value    string // an example
	Meaning  string
	Position bool // it is about a position, not the whole game
	// Once says why the term cannot be given twice; "" if it can, and then all of them must be met.
	Once string
}

// Terms are the terms of a query, in the order of the help.
var Terms = []Term{
	{"player", "carlsen", "a name of White or Black", false, ""},
	{"white", "carlsen", "White's name", false, ""},
	{"black", "=Fischer, Robert J.", "Black's name", false, ""},
	{"tag", "Event~^World Ch", "Name=text, Name==exact text, Name~expression, Name>2600, Name<=9", false, ""},
	{"result", "1-0", "1-0, 0-1, 1/2-1/2 or *; or white, black or draw", false, "a game has one result"},
	{"eco", "B20-B99", "a code or range of codes", false, "a game has one code"},
	{"date", "1972.07-1974", "a date or range of dates: 1972, 2024-11, 1972-, 2024-11-05..2024-12", false,
		"a game has one date"},
	{"rating", "2600-", "a range in which both ratings lie: 2400-2600, 2600-, >2600", false, "one range can say it"},
	{"white-rating", "2400-2600", "the same of White's alone", false, "one range can say it"},
	{"black-rating", "-2000", "the same of Black's alone", false, "one range can say it"},
	{"any-rating", "2800-", "the same of one of them, or both", false, ""},
	{"plies", "1-40", "a range of the main line's length in plies", false, "one range can say it"},
	{"speed", "blitz", "by the time control: " + strings.Join(game.SpeedNames[:], ", "), false, "a game has one speed"},
	{"repetition", "3", "a position comes so many times in the main line", false, "one number can say it"},
	{"quiet-moves", "50", "so many moves follow each other without a capture or a pawn's move", false,
		"one number can say it"},
	{"moves", "1.e4 c5", "the first moves, in SAN or UCI", false, "a game begins in one way"},
	{"text", "novelty", "a text in a comment", false, ""},
	{"games", "3,17,100-200", "numbers of games in their archive, and ranges of numbers", false, "one list can say it"},

	{"fen", "8/8/8/4k3/8/8/4P3/4K3 w", "a position, or startpos; fields that are left out at the end are not " +
		"compared, counters never", true, "it is a whole position"},
	{"pattern", "Pe4 [Nn]f6 .d5", "pieces on squares, or a board", true, ""},
	{"material", "KRPKR", "the pieces of both sides, or ranges: R1 P0-2 q0", true, ""},
	{"imbalance", "RvBN", "what White has more, v, what Black has more", true, "it is the whole imbalance"},
	{"stm", "white", "the side to move", true, "one side is to move"},
	{"white-move", "Nxf7", "a move of White's that led here, in SAN", true, "one move leads to a position"},
	{"black-move", "O-O-O", "a move of Black's that led here", true, "one move leads to a position"},
	{"mover", "black", "the side that moved last", true, "one side moved last"},
	{"moved", "KP", "kinds of pieces, one of which moved here", true, "one list can say it"},
	{"captured", "Q", "kinds of pieces, one of which was taken by the move; \"\" for a move that captures nothing",
		true,
		"one list can say it"},
	{"after-ply", "20", "the position after this ply or a later one; 0 is the start", true, "one number can say it"},
	{"before-ply", "60", "the position after this ply or an earlier one", true, "one number can say it"},
	{"ending", "mate", "the main line ends here with mate or stalemate", true, "a game ends in one way"},
}

// Add adds a term by its name: one of Terms, "sequence", "not" or "or". All terms must be met: those about positions by
// the same position, each sequence by the game. A position cannot have both "white-move" and "black-move".
//
// "sequence" takes conditions that positions must meet one after the other: position terms with ';' between them, and
// "->" between conditions, as "pattern=Bb5 -> pattern=Ba4; within=10". The term "within" bounds the plies since the
// condition before.
//
// "not" takes terms, with ';' between them, that a game must not all meet. "or" takes terms, too: a game that meets all
// of these need not meet the others, but for "not". Without others, games that meet one of the "or" are found.
//
// The error is an *Error.
func (q *Query) Add(name, value string) error {
	q.giveBack()
	err := q.add(name, value)
	var inner *Error
	if errors.As(err, &inner) {
		return wrap(name+": "+inner.Term, inner.Err)
	}
	return wrap(name, err)
}

func (q *Query) add(name, value string) error {
	if len(value) > 16*maxText {
		return fmt.Errorf("%d bytes are too many", len(value))
	}
	switch name {
	case "sequence":
		var steps []step
		for i, part := range strings.Split(value, "->") {
			s := step{condition: newCondition()}
			any := false
			err := eachTerm(part, func(name, value string) error {
				any = true
				if name == "within" {
					if s.within > 0 {
						return wrap(name, errTwice("one number can say it"))
					}
					n, err := parseNumber(value, 1)
					s.within = n
					return wrap(name, err)
				}
				known, err := s.add(name, value)
				if !known && err == nil {
					err = fmt.Errorf("no such term about positions%s", suggest(name, termNames(true)))
				}
				return wrap(name, err)
			})
			if err == nil && !any {
				err = fmt.Errorf("condition %d is empty", i+1)
			}
			if err != nil {
				return err
			}
			steps = append(steps, s)
		}
		return q.addSequence(steps)
	case "not", "or":
		n, any := New(), false
		err := eachTerm(value, func(name, value string) error {
			any = true
			if name == "not" || name == "or" {
				return wrap(name, errors.New("it stands in another of these"))
			}
			return n.Add(name, value)
		})
		if err == nil && !any {
			err = errors.New("it has no term: NAME=VALUE, with ';' between several")
		}
		if name == "or" {
			q.or = append(q.or, n)
		} else {
			q.not = append(q.not, n)
		}
		return err
	}
	return q.addTerm(name, value)
}

// borrow makes the terms of the first "or" those of the query, if it has none of its own, which all games would meet.
func (q *Query) borrow() {
	if len(q.or) == 0 || q.positional || len(q.games)+len(q.sequences) > 0 {
		return
	}
	n := q.or[0]
	q.games, q.here, q.positional, q.sequences = slices.Clone(n.games), n.here, n.positional, n.sequences
	q.lent, q.or = n, q.or[1:]
}

// giveBack undoes borrow, before the query gets other terms.
func (q *Query) giveBack() {
	if q.lent != nil {
		q.or = slices.Insert(q.or, 0, q.lent)
		q.games, q.here, q.positional, q.sequences, q.lent = nil, newCondition(), false, nil, nil
	}
	q.ready = false
}

func (q *Query) addTerm(name, value string) error {
	if known, err := q.here.add(name, value); known {
		q.positional = true
		return err
	}
	if err := q.here.once(name); err != nil {
		return err
	}
	t, err := parseGameTest(name, value)
	if err == nil {
		q.games = append(q.games, t)
	}
	return err
}

func (q *Query) addSequence(steps []step) error {
	n := len(steps)
	for _, s := range q.sequences {
		n += len(s)
	}
	if n >= maxSteps {
		return fmt.Errorf("more than %d conditions", maxSteps)
	}
	q.sequences = append(q.sequences, steps)
	return nil
}

func errTwice(why string) error { return fmt.Errorf("it is given twice: %s", why) }

// once refuses a term that cannot be given again.
func (c *condition) once(name string) error {
	t := termOf(name)
	if t.Once == "" {
		return nil
	}
	key := name
	if name == "white-move" || name == "black-move" {
		key = "move"
	}
	before := c.given[key]
	switch {
	case before == name:
		return errTwice(t.Once)
	case before != "":
		return fmt.Errorf("it is given beside %s: %s", before, t.Once)
	}
	if c.given == nil {
		c.given = map[string]string{}
	}
	c.given[key] = name
	return nil
}

// termOf finds a term, or the zero value.
func termOf(name string) (t Term) {
	if i := slices.IndexFunc(Terms, func(t Term) bool { return t.Name == name }); i >= 0 {
		t = Terms[i]
	}
	return t
}

// termNames are the names of all terms, or of those about positions.
func termNames(positions bool) (list []string) {
	for _, t := range Terms {
		if t.Position || !positions {
			list = append(list, t.Name)
		}
	}
	return list
}

// maxSteps bounds the conditions of a sequence.
const maxSteps = 64

// wrap names the term of an error.
func wrap(name string, err error) error {
	if err == nil {
		return nil
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		name = strconv.Quote(clip(name))
	}
	return &Error{Term: name, Err: err}
}

// eachTerm calls do with the terms "name=value; name=value".
func eachTerm(s string, do func(name, value string) error) error {
	for part := range strings.SplitSeq(s, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		if !ok && name != "within" {
			return fmt.Errorf("%q is no term: NAME=VALUE", clip(name))
		}
		if err := do(name, strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

// parseNumber reads a number that is at least least.
func parseNumber(s string, least int) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31)
	if err != nil || int(n) < least {
		return 0, fmt.Errorf("%q is no number from %d on", clip(s), least)
	}
	return int(n), nil
}

// Variations makes the query look into variations, each as a line from the start.
func (q *Query) Variations(on bool) { q.variations, q.ready = on, false }

// Mirror makes the query look also for its positions with files a and h exchanged.
func (q *Query) Mirror(on bool) { q.mirror, q.ready = on, false }

// SwapColors makes the query look also for its positions with the colours exchanged, and ranks 1 and 8 with them.
func (q *Query) SwapColors(on bool) { q.swap, q.ready = on, false }

// Invalid sets what becomes of games that are not valid.
func (q *Query) Invalid(i Invalid) { q.invalid = i }

// add adds a term about positions, if it is one.
func (c *condition) add(name, value string) (known bool, err error) {
	if !termOf(name).Position {
		return false, nil
	}
	if err := c.once(name); err != nil {
		return true, err
	}
	switch name {
	case "fen":
		c.board, err = parsed(value, parseBoard)
	case "imbalance":
		c.imbalance, err = parsed(value, parseImbalance)
	case "pattern":
		c.pattern, err = joined(c.pattern, value, parsePattern, func(a, b *pattern) (pattern, error) {
			return newPattern(slices.Concat(a.all, b.all))
		})
	case "material":
		c.material, err = joined(c.material, value, parseMaterial, (*material).and)
	case "white-move", "black-move":
		color := chess.White
		if name == "black-move" {
			color = chess.Black
		}
		c.move, err = parsed(value, func(s string) (moveTest, error) { return parseMoveTest(s, color) })
	case "stm":
		c.turn, err = parseSide(value)
	case "mover":
		c.mover, err = parseSide(value)
	case "moved":
		if c.moved, err = parseKinds(value); err == nil && c.moved == 1 {
			err = errors.New("it needs kinds of pieces, like KP")
		}
	case "captured":
		c.captured, err = parseKinds(value)
	case "after-ply":
		c.after, err = parseNumber(value, 0)
	case "before-ply":
		c.before, err = parseNumber(value, 0)
	case "ending":
		var n int
		n, err = oneOf(value, "mate", "stalemate")
		c.end = end(n)
	}
	return true, err
}

func parsed[T any](value string, parse func(string) (T, error)) (*T, error) {
	t, err := parse(value)
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// joined parses a value, and returns what meets both it and what is there, unless that is nil.
func joined[T any](there *T, value string, parse func(string) (T, error), join func(a, b *T) (T, error)) (*T, error) {
	t, err := parsed(value, parse)
	if there == nil || err != nil {
		return t, err
	}
	both, err := join(there, t)
	if err != nil {
		return nil, fmt.Errorf("it cannot be met with what is given already: %w", err)
	}
	return &both, nil
}

func parseSide(s string) (side, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "w":
		return white, nil
	case "b":
		return black, nil
	}
	n, err := oneOf(s, "white", "black")
	return side(n), err
}

// oneOf returns 1 or 2 for one of two words.
func oneOf(s string, words ...string) (int, error) {
	i := slices.Index(words, strings.ToLower(strings.TrimSpace(s)))
	if i < 0 {
		return 0, fmt.Errorf("%q is neither %s nor %s%s", clip(s), words[0], words[1], suggest(s, words))
	}
	return i + 1, nil
}

// gameTest is a test of a whole game.
type gameTest struct {
	cost int // the cheapest is done first
	tags bool
	test func(v *view) bool
	// block reports by a block's summary whether a game of it may pass; nil if that does not tell.
	block func(s archive.Summary) bool
	// passes is asked of the tags of these names, one of which must pass; nil of other tests.
	names  []string
	passes func(value string, ok bool) bool
	// column reports by archive.Block.TagColumn whether one may pass; nil if that does not tell.
	column func(column []byte) bool
	// games are the numbers of the games that pass, or nil.
	games gameNumbers
	// reaches is a position that a main line that passes has, or nil.
	reaches *board
}

// What tests read: what is at hand, tags that an index has, other tags, the moves, the annotations.
const (
	costLookup = iota
	costFacts
	costTags
	costMoves
	costNotes
)

// tagged is the test that a tag of one of the names passes.
func tagged(passes func(value string, ok bool) bool, names ...string) gameTest {
	return gameTest{cost: costTags, tags: true, names: names, passes: passes, test: func(v *view) bool {
		return slices.ContainsFunc(names, func(name string) bool { return passes(v.lookupTag(name)) })
	}}
}

// parseGameTest makes the test of a term.
func parseGameTest(name, value string) (t gameTest, err error) {
	t.cost, t.tags = costTags, true
	switch name {
	case "player", "white", "black":
		text, err := parseText(value)
		names := map[string][]string{"player": {"White", "Black"}, "white": {"White"}, "black": {"Black"}}[name]
		t = tagged(func(value string, _ bool) bool { return text.matches(value) }, names...)
		t.block, t.column = text.block(), text.column()
		return t, err
	case "tag":
		tag, err := parseTag(value)
		t = tagged(func(value string, ok bool) bool { return ok && tag.matches(value) }, tag.name)
		t.tags = tag.name != "Result"
		if tag.op == "" && t.tags {
			t.column = tag.text.column()
		}
		return t, err
	case "result":
		r, err := parseResult(value)
		return gameTest{cost: costLookup, test: func(v *view) bool { return v.result() == r }}, err
	case "games":
		spans, err := ParseGames(value)
		list := gameNumbers(spans)
		return gameTest{cost: costLookup, tags: true, games: list, test: func(v *view) bool {
			return list.has(v.number())
		}}, err
	case "eco":
		c, err := parseECO(value)
		return tagged(func(value string, _ bool) bool { return c.has(value) }, "ECO"), err
	case "date":
		d, err := parseDates(value)
		t.test = func(v *view) bool {
			span, ok := v.date()
			return ok && span.within(d)
		}
		t.block = func(s archive.Summary) bool { return s.HasYear(d.first/10000, d.last/10000) }
		t.cost = costFacts
		return t, err
	case "rating", "any-rating", "white-rating", "black-rating":
		r, err := parseRange(value, maxRating)
		has := func(v *view, c chess.Color) bool {
			n, ok := v.rating(c)
			return ok && r.has(n)
		}
		t.test = map[string]func(v *view) bool{
			"rating":       func(v *view) bool { return has(v, chess.White) && has(v, chess.Black) },
			"any-rating":   func(v *view) bool { return has(v, chess.White) || has(v, chess.Black) },
			"white-rating": func(v *view) bool { return has(v, chess.White) },
			"black-rating": func(v *view) bool { return has(v, chess.Black) },
		}[name]
		t.block = func(s archive.Summary) bool { return s.HasRating(r.least, r.most) }
		t.cost = costFacts
		return t, err
	case "plies":
		r, err := parseRange(value, 1<<30)
		return gameTest{cost: costLookup, test: func(v *view) bool { return r.has(v.plies()) }}, err
	case "speed":
		i := slices.IndexFunc(game.SpeedNames[:], func(name string) bool { return strings.EqualFold(name, value) })
		if i < 0 {
			err = fmt.Errorf("%q is not %s%s", clip(value), strings.Join(game.SpeedNames[:], ", "),
				suggest(value, game.SpeedNames[:]))
		}
		return tagged(func(control string, _ bool) bool {
			return control != "" && control != "?" && game.SpeedOf(control) == game.Speed(i)
		}, "TimeControl"), err
	case "repetition":
		n, err := parseNumber(value, 2)
		return gameTest{cost: costMoves, test: func(v *view) bool {
			var h position.History
			return v.meets(func(p *position.Position) bool { return h.Push(p) >= n })
		}}, err
	case "quiet-moves":
		n, err := parseNumber(value, 1)
		return gameTest{cost: costMoves, test: func(v *view) bool {
			return v.plies() >= 2*n && v.meets(func(p *position.Position) bool { return p.HalfmoveClock() >= 2*n })
		}}, err
	case "moves":
		moves, err := parseMoves(usual, value)
		at := usual
		for _, w := range moves {
			at.MakeIndex(w)
		}
		b := boardOf(&at)
		return gameTest{cost: costMoves, reaches: &b, test: func(v *view) bool {
			words := v.opening()
			if len(words) < len(moves) {
				words = v.line()
			}
			return len(words) >= len(moves) && v.start == usual && slices.Equal(words[:len(moves)], moves)
		}}, err
	case "text":
		text, err := parseText(value)
		return gameTest{cost: costNotes, test: func(v *view) bool { return v.comment(&text) }}, err
	}
	return t, fmt.Errorf("there is no term %q%s", clip(name),
		suggest(name, append(termNames(false), "sequence", "not", "or")))
}

// block is gameTest.block of a player's name: summaries have whole names alone.
func (t *textTest) block() func(s archive.Summary) bool {
	if !t.exact || t.part == "" {
		return nil
	}
	return func(s archive.Summary) bool { return s.HasPlayer(t.part) }
}

// anyOr reports whether one of the queries that may be met instead is so.
func anyOr(q *Query, is func(n *Query) bool) bool { return slices.ContainsFunc(q.or, is) }

// wants reports by numbers whether one of first to last may meet the query.
func (q *Query) wants(first, last int) bool {
	if anyOr(q, func(n *Query) bool { return n.wants(first, last) }) {
		return true
	}
	for i := range q.games {
		if list := q.games[i].games; list != nil && !list.any(first, last) {
			return false
		}
	}
	return true
}

// numbered reports whether the query asks for numbers of games.
func (q *Query) numbered() bool {
	return slices.ContainsFunc(q.games, func(t gameTest) bool { return t.games != nil }) &&
		!anyOr(q, func(n *Query) bool { return !n.numbered() })
}

// mayBe reports by a block's summary whether a game of it may meet the query.
func (q *Query) mayBe(summary func() (archive.Summary, bool, error)) bool {
	if anyOr(q, func(n *Query) bool { return n.mayBe(summary) }) {
		return true
	}
	var s archive.Summary
	read := false
	for i := range q.games {
		if q.games[i].block == nil {
			continue
		}
		if !read {
			var ok bool
			var err error
			if s, ok, err = summary(); err != nil || !ok {
				return true // the error comes again when the block is read
			}
			read = true
		}
		if !q.games[i].block(s) {
			return false
		}
	}
	return true
}

// maxRating is the greatest rating that a range may name.
const maxRating = 1 << 20

var usual = position.Start()

// parseMoves reads moves from a position on: SAN or UCI, with or without numbers.
func parseMoves(at position.Position, s string) (list []moveindex.Index, err error) {
	for word := range strings.FieldsSeq(s) {
		if dot := strings.LastIndexByte(word, '.'); dot >= 0 && strings.Trim(word[:dot], "0123456789.") == "" {
			word = word[dot+1:]
		}
		if strings.Trim(word, "0123456789") == "" {
			continue // a number, or nothing
		}
		m, err := at.ParseUCI(word)
		if err != nil {
			if m, err = at.ParseSANLenient(word); err != nil {
				return nil, err
			}
		}
		i, _ := moveindex.Of(m)
		list = append(list, i)
		at.Make(m)
	}
	if len(list) == 0 {
		return nil, errors.New("there is no move: 1.e4 c5, say")
	}
	return list, nil
}
