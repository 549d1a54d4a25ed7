// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// query is what find looks for. A game must meet all that is set.
type query struct {
	tags            []tagTest
	players         []string
	result          string
	eco, date       [2]string
	rating          [2]int
	fen             *position.Position
	moves           []moveindex.Move
	hasECO, hasDate bool
	hasRating       bool
}

type tagTest struct{ name, text string }

// wantsMoves reports whether the main line must be read.
func (q *query) wantsMoves() bool { return q.fen != nil || len(q.moves) > 0 }

// matchTags tests what the tags tell.
func (q *query) matchTags(g *game.Game) bool {
	for _, t := range q.tags {
		if v, ok := g.LookupTag(t.name); !ok || !containsFold(v, t.text) {
			return false
		}
	}
	for _, p := range q.players {
		if !containsFold(g.Tag("White"), p) && !containsFold(g.Tag("Black"), p) {
			return false
		}
	}
	if q.result != "" && g.Result.String() != q.result {
		return false
	}
	if q.hasECO {
		eco := strings.ToUpper(g.Tag("ECO"))
		if len(eco) > 3 {
			eco = eco[:3]
		}
		if len(eco) < 3 || eco < q.eco[0] || eco > q.eco[1] {
			return false
		}
	}
	if q.hasDate {
		date := strings.TrimRight(g.Tag("Date"), ".?")
		if date == "" || date[:min(len(date), len(q.date[0]))] < q.date[0] || date[:min(len(date), len(q.date[1]))] > q.date[1] {
			return false
		}
	}
	if q.hasRating {
		for _, name := range []string{"WhiteElo", "BlackElo"} {
			n, err := strconv.Atoi(g.Tag(name))
			if err != nil || n < q.rating[0] || n > q.rating[1] {
				return false
			}
		}
	}
	return true
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// matchMoves tests the main line, and returns the ply of the position that was looked for, -1 if the game does
// not meet the query.
func (q *query) matchMoves(start position.Position, words []moveindex.Index) int {
	if len(words) < len(q.moves) {
		return -1
	}
	for i, m := range q.moves {
		if x, _ := m.Index(); words[i] != x {
			return -1
		}
	}
	if len(q.moves) > 0 && start != position.Start() {
		return -1
	}
	if q.fen == nil {
		return 0
	}
	p := start
	for k := 0; ; k++ {
		if samePosition(&p, q.fen) {
			return k
		}
		if k == len(words) {
			return -1
		}
		p.MakeIndex(words[k])
	}
}

// samePosition compares men, turn, castling rights and possible en passant, and not the counters.
func samePosition(a, b *position.Position) bool {
	return a.Turn() == b.Turn() && a.Occupied() == b.Occupied() && a.Hash() == b.Hash()
}

func parseQuery(tags, players []string, result, eco, date, rating, fen, moves string) (*query, error) {
	q := &query{players: players, result: result}
	for _, t := range tags {
		name, text, ok := strings.Cut(t, "=")
		if !ok {
			return nil, usage("--tag is Name=text, not %q", t)
		}
		q.tags = append(q.tags, tagTest{name, text})
	}
	if result != "" {
		r, ok := game.ParseResult(result)
		if !ok {
			return nil, usage("--result is 1-0, 0-1, 1/2-1/2 or *, not %q", result)
		}
		q.result = r.String()
	}
	span := func(s string) (r [2]string) {
		a, b, ok := strings.Cut(s, "-")
		if !ok {
			b = a
		}
		return [2]string{a, b}
	}
	if q.hasECO = eco != ""; q.hasECO {
		q.eco = span(strings.ToUpper(eco))
		if len(q.eco[0]) == 1 {
			q.eco[0] += "00"
		}
		if len(q.eco[1]) == 1 {
			q.eco[1] += "99"
		}
		if len(q.eco[0]) != 3 || len(q.eco[1]) != 3 {
			return nil, usage("--eco is B90, B or B20-B99, not %q", eco)
		}
	}
	if q.hasDate = date != ""; q.hasDate {
		q.date = span(date)
		for _, d := range q.date {
			if strings.Trim(d, "0123456789.") != "" || date == "-" {
				return nil, usage("--date is 1972, 1972.07.11 or a range of them, 1972-1974.05, not %q", date)
			}
		}
	}
	if q.hasRating = rating != ""; q.hasRating {
		s := span(rating)
		for i, text := range s {
			n, err := strconv.Atoi(text)
			if text == "" && i == 1 {
				n, err = 1<<30, nil
			}
			if err != nil {
				return nil, usage("--rating is 2400-2600 or 2700-, not %q", rating)
			}
			q.rating[i] = n
		}
		if !strings.Contains(rating, "-") {
			q.rating[1] = q.rating[0]
		}
	}
	if fen != "" {
		p, err := position.ParseFENLenient(fen)
		if err != nil {
			return nil, usage("--fen: %v", err)
		}
		q.fen = &p
	}
	at := position.Start()
	for _, word := range strings.Fields(moves) {
		word = strings.TrimLeft(word, "0123456789.")
		if word == "" {
			continue
		}
		m, err := at.ParseSANLenient(word)
		if err != nil {
			if u, uerr := at.ParseUCI(word); uerr == nil {
				m, err = u, nil
			}
		}
		if err != nil {
			return nil, usage("--moves: %v", err)
		}
		q.moves = append(q.moves, m)
		at.Make(m)
	}
	return q, nil
}

// found is a game that find gives, as JSON.
type found struct {
	Game   uint64 `json:"game"`
	White  string `json:"white"`
	Black  string `json:"black"`
	Result string `json:"result"`
	Date   string `json:"date"`
	ECO    string `json:"eco"`
	Event  string `json:"event"`
	Plies  int    `json:"plies"`
	Ply    int    `json:"ply"` // of the position that was looked for
}

func findCommand() *cobra.Command {
	var tags, players []string
	var result, eco, date, rating, fen, moves string
	var asPGN, count, asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use:   "find [flags] archive.p11",
		Short: "Find games by tags, result, ranges, position or first moves",
		Long: `Find games that meet all that is asked, and list their numbers; --pgn gives their text. Names and texts
are parts of what the tags hold, whatever their case. The exit code is 6 if there is none.`,
		Example: `  ply11 find --player morphy games.p11
  ply11 find --eco C50-C59 --rating 2600- --pgn games.p11
  ply11 find --moves "1.e4 e5 2.Nf3" games.p11`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usage("--limit is 0 (no limit) or more, not %d", limit)
			}
			q, err := parseQuery(tags, players, result, eco, date, rating, fen, moves)
			if err != nil {
				return err
			}
			in, err := openSource(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			n := 0
			var text []byte
			err = eachBlock(in, args[0], func(b *archive.Block) error {
				var g game.Game
				var words []moveindex.Index
				for i := 1; i <= b.Games(); i++ {
					if err := b.Tags(i, &g); err != nil {
						return err
					}
					if !q.matchTags(&g) {
						continue
					}
					ply := 0
					var err error
					if words, err = b.MainLine(words[:0], i); err != nil {
						return err
					}
					if q.wantsMoves() {
						start, err := b.Start(i)
						if err != nil {
							return err
						}
						if ply = q.matchMoves(start, words); ply < 0 {
							continue
						}
					}
					n++
					number := b.First() + uint64(i-1)
					switch {
					case count:
					case asPGN:
						if text, err = b.AppendText(text[:0], i, nil); err != nil {
							return err
						}
						if _, err := stdout.Write(text); err != nil {
							return err
						}
					case asJSON:
						line, err := jsonLine(found{number, g.Tag("White"), g.Tag("Black"), g.Result.String(), g.Tag("Date"),
							g.Tag("ECO"), g.Tag("Event"), len(words), ply})
						if err != nil {
							return err
						}
						if _, err := stdout.Write(line); err != nil {
							return err
						}
					default:
						at := ""
						if q.fen != nil {
							at = fmt.Sprintf("  ply %d", ply)
						}
						if _, err := fmt.Fprintf(&stdout, "%d  %s - %s  %s  %s  %s%s\n", number, printable(g.Tag("White")),
							printable(g.Tag("Black")), g.Result, printable(g.Tag("Date")), printable(g.Tag("ECO")), at); err != nil {
							return err
						}
					}
					if limit > 0 && n == limit {
						return errEnough
					}
				}
				return nil
			})
			if err != nil && err != errEnough {
				return err
			}
			if count {
				fmt.Fprintln(&stdout, n)
			}
			if n == 0 {
				return &exitCode{err: errors.New("no game found"), code: exitMissing, told: count || asJSON}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&tags, "tag", nil, "Name=text: the tag holds the text; may be given several times")
	f.StringArrayVar(&players, "player", nil, "a name of White or Black; may be given several times")
	f.StringVar(&result, "result", "", "1-0, 0-1, 1/2-1/2 or *")
	f.StringVar(&eco, "eco", "", "an ECO code or range: B90, B, B20-B99")
	f.StringVar(&date, "date", "", "a date or range: 1972, 1972.07-1972.09")
	f.StringVar(&rating, "rating", "", "a range in which both ratings lie: 2400-2600, 2700-")
	f.StringVar(&fen, "fen", "", "a position of the main line, whatever its counters")
	f.StringVar(&moves, "moves", "", "the first moves, in SAN or UCI: \"1.e4 c5\"")
	f.BoolVar(&asPGN, "pgn", false, "write the games' text")
	f.BoolVar(&count, "count", false, "write the number of games only")
	f.IntVar(&limit, "limit", 0, "stop after this many games")
	common(cmd, nil, nil, &asJSON)
	return cmd
}
