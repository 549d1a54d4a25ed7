// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// A second implementation that knows nothing of archives and bitboards reads PGN, spells out each position, and tries
// every way to meet a sequence.

// plainPos is a position of a game, spelt out.
type plainPos struct {
	position.Setup
	ply    int
	parent int // the position before, in its list; -1 for none
	by     plainMove
	last   bool // of the main line
	main   bool
	at     position.Position
}

// plainMove is the move that led to a position; made is false for none.
type plainMove struct {
	made     bool
	move     chess.Move
	piece    chess.Piece
	captured chess.Kind
	castling bool
	san      string
}

// plainGame is a game of a file.
type plainGame struct {
	number  int
	tags    []game.Tag
	result  game.Result
	main    []plainPos // of the main line
	all     []plainPos // with variations, in the order of the movetext
	text    []string   // comments
	invalid bool
	lost    bool // it has no positions: its start is not known
	moves   []chess.Move
	list    []moveindex.Index // the same as an archive has it
}

func (g *plainGame) tag(name string) string {
	for _, t := range g.tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// plainPlay makes a move on a board, in the plainest way.
func plainPlay(from *plainPos, m chess.Move) plainPos {
	at := from.at
	next := plainPos{ply: from.ply + 1}
	if m.From() != m.To() {
		piece := from.Board[m.From()]
		next.by = plainMove{made: true, move: m, piece: piece, captured: from.Board[m.To()].Kind(), san: at.SAN(m)}
		if piece.Kind() == chess.Pawn && m.From().File() != m.To().File() && next.by.captured == 0 {
			next.by.captured = chess.Pawn
		}
		if next.by.castling = strings.HasPrefix(next.by.san, "O-O"); next.by.castling {
			next.by.captured = chess.NoKind // in Chess960 his own rook is on the target
		}
	}
	at.Make(m)
	next.at, next.Setup = at, at.Setup()
	return next
}

// plainGames reads a file.
func plainGames(tb testing.TB, text []byte, most int) (list []plainGame, cut []byte) {
	tb.Helper()
	r := pgn.NewReader(bytes.NewReader(text))
	end := len(text)
	for {
		var g game.Game
		err := r.Read(&g)
		if err == io.EOF {
			break
		}
		if len(list) == most {
			end = int(g.Source.Start)
			break
		}
		var bad *codec.Error
		if err != nil && !errors.As(err, &bad) {
			tb.Fatal(err)
		}
		p := plainGame{number: len(list) + 1, tags: slices.Clone(g.Tags), result: g.Result, invalid: err != nil}
		var fen *position.FENError
		p.lost = errors.Is(err, position.ErrUnsupported) || errors.As(err, &fen)
		first := plainPos{at: g.Start, Setup: g.Start.Setup(), parent: -1, main: true}
		p.main = append(p.main, first)
		p.moves = g.AppendMainLine(nil)
		for i, m := range p.moves {
			word, _ := moveindex.Of(m)
			p.list = append(p.list, word)
			next := plainPlay(&p.main[i], m)
			next.parent, next.main = i, true
			p.main = append(p.main, next)
		}
		p.main[len(p.main)-1].last = true
		// The tree, by recursion.
		p.all = append(p.all, first)
		var walk func(line game.Node, parent int, main bool)
		walk = func(n game.Node, parent int, main bool) {
			for n = g.Next(n); n != game.NoNode; n = g.Next(n) {
				next := plainPlay(&p.all[parent], g.Move(n))
				next.parent, next.main = parent, main
				next.last = main && g.Next(n) == game.NoNode
				before := parent
				p.all = append(p.all, next)
				parent = len(p.all) - 1
				for e := range g.Items(n) {
					if e.Kind == game.VariationStart {
						walk(e.Node, before, false)
					}
				}
			}
		}
		p.all[0].last = len(p.moves) == 0
		walk(game.Root, 0, true)
		for e := range g.All() {
			if e.Kind == game.Comment {
				p.text = append(p.text, e.Text)
			}
		}
		list = append(list, p)
	}
	return list, text[:end]
}

// plain is a condition as a function.
type plain func(p *plainPos) bool

// plainStep is a condition of a sequence.
type plainStep struct {
	test   plain
	within int
}

// plainEnd returns the first ply at which the sequence is complete in the path to i, or -1.
func plainEnd(list []plainPos, i int, steps []plainStep) int {
	var path []*plainPos
	for ; i >= 0; i = list[i].parent {
		path = append(path, &list[i])
	}
	slices.Reverse(path)
	can := make([][]bool, len(steps))
	for j, s := range steps {
		can[j] = make([]bool, len(path))
		for k, p := range path {
			if !s.test(p) {
				continue
			}
			if j == 0 {
				can[j][k] = true
				continue
			}
			for b := range k {
				if can[j-1][b] && (s.within == 0 || k-b <= s.within) {
					can[j][k] = true
				}
			}
		}
	}
	return slices.Index(can[len(steps)-1], true)
}

// sample is a query and what it means.
type sample struct {
	name       string
	terms      [][2]string
	variations bool
	mirror     bool
	swap       bool
	game       func(g *plainGame) bool // nil for any
	steps      []plainStep             // none for any
	invalid    query.Invalid
}

func (s *sample) query(tb testing.TB) *query.Query {
	tb.Helper()
	q := query.New()
	for _, t := range s.terms {
		if err := q.Add(t[0], t[1]); err != nil {
			tb.Fatalf("%s: %q: %v", s.name, t, err)
		}
	}
	q.Variations(s.variations)
	q.Mirror(s.mirror)
	q.SwapColors(s.swap)
	q.Invalid(s.invalid)
	return q
}

// answer is a game that was found: its number, and the plies of the hits.
type answer struct {
	game int
	hits []query.Hit
}

// brute finds the games by the plain implementation, with the first ply of the end in the main line, or -1.
func (s *sample) brute(games []plainGame) (list []int, ends []int) {
	for i := range games {
		g := &games[i]
		if s.invalid == query.SkipInvalid && g.invalid || s.invalid == query.OnlyInvalid && !g.invalid {
			continue
		}
		if s.game != nil && !s.game(g) {
			continue
		}
		end := 0
		if len(s.steps) > 0 {
			if g.lost {
				continue
			}
			if end = plainEnd(g.main, len(g.main)-1, s.steps); end < 0 && s.variations {
				for k := range g.all {
					if p := &g.all[k]; !s.steps[len(s.steps)-1].test(p) {
						continue // nothing ends here
					}
					if plainEnd(g.all, k, s.steps) >= 0 {
						end = -2
						break
					}
				}
			}
			if end == -1 {
				continue
			}
		}
		list, ends = append(list, g.number), append(ends, end)
	}
	return list, ends
}

// scan finds the games in an archive; the first ones, if there is a limit.
func scan(tb testing.TB, q *query.Query, data []byte, o query.Options, limit ...int) (list []answer) {
	tb.Helper()
	return scanSource(tb, q, query.Source{Name: "test.p11", Reader: bytes.NewReader(data), Size: int64(len(data)),
		Sparse: len(data)%2 == 0}, o, limit...)
}

func scanSource(tb testing.TB, q *query.Query, source query.Source, o query.Options, limit ...int) (list []answer) {
	tb.Helper()
	for a, err := range query.Games(tb.Context(), []query.Source{source}, q, o, func(m *query.Match) (answer, error) {
		return answer{int(m.Number), slices.Clone(m.Hits)}, nil
	}) {
		if err != nil {
			tb.Fatal(err)
		}
		if list = append(list, a); len(limit) > 0 && len(list) == limit[0] {
			break
		}
	}
	return list
}

// compare compares a query with the plain implementation.
func (s *sample) compare(t *testing.T, name string, games []plainGame, data []byte) (found int) {
	t.Helper()
	want, ends := s.brute(games)
	got := scan(t, s.query(t), data, query.Options{Workers: 1 + len(want)%4})
	if n := len(got) / 2; n > 0 {
		if first := scan(t, s.query(t), data, query.Options{}, n); fmt.Sprint(first) != fmt.Sprint(got[:n]) {
			t.Errorf("%s: %s: the first games are %v, want %v", name, s.name, first, got[:n])
		}
	}
	s.narrowed(t, name, data, got)
	var numbers []int
	for _, a := range got {
		numbers = append(numbers, a.game)
	}
	if !slices.Equal(numbers, want) {
		t.Errorf("%s: %+v: games %v, want %v", name, s, short(numbers), short(want))
		return 0
	}
	for i, a := range got {
		if len(s.steps) == 0 {
			if len(a.hits) > 0 {
				t.Errorf("%s: %s: hits without positions", name, s.name)
			}
			continue
		}
		g := &games[a.game-1]
		if len(a.hits) != 1 || len(a.hits[0].Plies) != len(s.steps) {
			t.Errorf("%s: %s: game %d: hits %v", name, s.name, a.game, a.hits)
			continue
		}
		h := a.hits[0]
		if !s.variations && h.Plies[len(h.Plies)-1] != ends[i] {
			t.Errorf("%s: %s: %q: game %d: found at plies %v, first is %d", name, s.name, s.terms, a.game, h.Plies,
				ends[i])
		}
		if h.Variation || s.variations {
			continue
		}
		for j, ply := range h.Plies {
			if !s.steps[j].test(&g.main[ply]) || j > 0 && (ply <= h.Plies[j-1] ||
				s.steps[j].within > 0 && ply-h.Plies[j-1] > s.steps[j].within) {
				t.Errorf("%s: %s: %q: game %d: plies %v are no sequence", name, s.name, s.terms, a.game, h.Plies)
			}
		}
	}
	return len(got)
}

// indexesOf are indexes of archives by their first byte, of every second one with variations.
var indexesOf = map[*byte]*index.Index{}

// narrowings are queries that were narrowed, to how many games, and how many of these do not meet them.
var narrowings struct{ queries, games, left int }

// narrowed compares a search of all games with one of those that an index names.
func (s *sample) narrowed(t *testing.T, name string, data []byte, want []answer) {
	t.Helper()
	q := s.query(t)
	if !q.Exact() {
		return
	}
	x := indexesOf[&data[0]]
	if x == nil {
		x = querytest.OpenIndex(t, querytest.BuildIndex(t, data, index.Options{Variations: len(indexesOf)%2 == 0}))
		indexesOf[&data[0]] = x
	}
	games, narrow, _, err := q.Candidates(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if narrow != (x.Variations() || !s.variations) || !narrow && games != nil {
		t.Fatalf("%s: %q: %v, the index has variations: %v", name, s.terms, narrow, x.Variations())
	}
	if !narrow {
		return
	}
	narrowings.queries++
	narrowings.games += len(games)
	narrowings.left += len(games) - len(want)
	source := query.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data)), Games: games,
		Sparse: len(games)%2 == 0}
	for range 2 {
		if got := scanSource(t, q, source, query.Options{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v: of the games %v of the index %v are found, want %v", name, s, source.Games, got, want)
		}
		// Many are not listed where a read costs little and there are filters.
		r, err := archive.NewReader(source.Reader, source.Size)
		source.Index = x
		few := len(games) <= x.Games()/8 || r.HasDense() || !source.Sparse
		if err = errors.Join(err, source.Narrow(context.Background(), q)); err != nil || !few && source.Games != nil {
			t.Errorf("%s: %q: %d games of %d are listed, %v", name, s.terms, len(source.Games), x.Games(), err)
		}
	}
}

func short(list []int) any {
	if len(list) > 20 {
		return fmt.Sprintf("%v… (%d)", list[:20], len(list))
	}
	return list
}

// letters of what a pattern may ask of a square.
func plainMatch(c byte, piece chess.Piece) bool {
	switch c {
	case '.':
		return piece == 0
	case '?':
		return true
	case '!':
		return piece != 0
	case 'A':
		return piece != 0 && piece.Color() == chess.White
	case 'a':
		return piece != 0 && piece.Color() == chess.Black
	}
	return piece != 0 && piece.Letter() == c
}

// turnBoard mirrors a board.
func turnBoard(b [64]chess.Piece, mirror, swap bool) (t [64]chess.Piece) {
	for s, piece := range b {
		if mirror {
			s ^= 7
		}
		if swap {
			s ^= 56
			if piece != 0 {
				piece ^= 8
			}
		}
		t[s] = piece
	}
	return t
}

// any returns a condition that is one for the position as it is, mirrored, and so on.
func turned(mirror, swap bool, test func(p *plainPos) bool) plain {
	return func(p *plainPos) bool {
		for _, m := range []bool{false, true} {
			for _, s := range []bool{false, true} {
				if m && !mirror || s && !swap {
					continue
				}
				q := *p
				q.Board = turnBoard(p.Board, m, s)
				if s {
					q.Turn = p.Turn.Other()
				}
				if test(&q) {
					return true
				}
			}
		}
		return false
	}
}

// fromGames picks a position of a game at random, one of a variation now and then.
func fromGames(rng *rand.Rand, games []plainGame) *plainPos {
	for {
		g := &games[rng.IntN(len(games))]
		list := g.main
		if rng.IntN(3) == 0 {
			list = g.all
		}
		if !g.lost {
			return &list[rng.IntN(len(list))]
		}
		if !slices.ContainsFunc(games, func(g plainGame) bool { return !g.lost }) {
			return &list[0]
		}
	}
}

// randomPattern makes a pattern that a position has.
func randomPattern(rng *rand.Rand, p *plainPos) (text string, test plain) {
	type ask struct {
		squares []int
		set     string
	}
	var asks []ask
	var words []string
	board := [64]string{}
	pieces := "KQRBNPkqrbnp."
	n := 1 + rng.IntN(8)
	for range n {
		s := rng.IntN(64)
		for p.Board[s] == 0 && rng.IntN(4) > 0 {
			s = rng.IntN(64)
		}
		piece := "."
		if p.Board[s] != 0 {
			piece = string(p.Board[s].Letter())
		}
		set, inside := piece, piece
		switch rng.IntN(6) {
		case 0:
			inside = piece + string(pieces[rng.IntN(len(pieces))]) + string(pieces[rng.IntN(len(pieces))])
			set = "[" + inside + "]"
		case 1:
			other := string(pieces[rng.IntN(len(pieces))])
			if other != piece {
				inside = strings.Replace("KQRBNPkqrbnp.", other, "", 1)
				set = "[^" + other + "]"
			}
		case 2:
			switch {
			case piece == ".":
			case piece < "a":
				set, inside = "A", "A"
			default:
				set, inside = "a", "a"
			}
		}
		if board[s] != "" {
			continue
		}
		board[s] = set
		name := chess.Square(s).String()
		squares := []int{s}
		if rng.IntN(8) == 0 {
			squares = nil
			if rng.IntN(2) == 0 {
				name = name[:1] + "?"
				for r := range 8 {
					squares = append(squares, s&7+8*r)
				}
			} else {
				name = "?" + name[1:]
				for f := range 8 {
					squares = append(squares, s&56+f)
				}
			}
			board[s] = "x" // no board can say so
		}
		words = append(words, set+name)
		asks = append(asks, ask{squares, inside})
	}
	text = strings.Join(words, " ")
	if !slices.Contains(board[:], "x") && rng.IntN(2) == 0 {
		var b strings.Builder
		for rank := 7; rank >= 0; rank-- {
			free := 0
			for file := range 8 {
				if set := board[8*rank+file]; set == "" {
					free++
				} else {
					if free > 0 {
						fmt.Fprint(&b, free)
					}
					free = 0
					b.WriteString(set)
				}
			}
			if free > 0 {
				fmt.Fprint(&b, free)
			}
			if rank > 0 {
				b.WriteByte('/')
			}
		}
		text = b.String()
	}
	return text, func(p *plainPos) bool {
		for _, a := range asks {
			if !slices.ContainsFunc(a.squares, func(s int) bool {
				for i := range len(a.set) {
					if plainMatch(a.set[i], p.Board[s]) {
						return true
					}
				}
				return false
			}) {
				return false
			}
		}
		return true
	}
}

func plainCounts(b *[64]chess.Piece) (n [16]int) {
	for _, piece := range b {
		n[piece]++
	}
	return n
}

func randomMaterial(rng *rand.Rand, p *plainPos) (text string, test plain) {
	n := plainCounts(&p.Board)
	var exact strings.Builder
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for _, k := range "KQRBNP" {
			kind := chess.KindOf(byte(k))
			exact.WriteString(strings.Repeat(string(k), n[chess.NewPiece(c, kind)]))
		}
	}
	if rng.IntN(2) == 0 {
		return exact.String(), func(p *plainPos) bool { return plainCounts(&p.Board) == n }
	}
	type span struct{ piece, least, most int }
	var spans []span
	var words []string
	for piece := range chess.Piece(16) {
		if piece.Kind() < chess.Queen || piece.Kind() > chess.Pawn || rng.IntN(2) == 0 {
			continue
		}
		least := max(0, n[piece]-rng.IntN(3))
		s := span{int(piece), least, n[piece] + rng.IntN(3)}
		letter := string(piece.Letter())
		switch rng.IntN(4) {
		case 0:
			s.most = 99
			words = append(words, fmt.Sprintf("%s%d+", letter, s.least))
		case 1:
			s.least, s.most = n[piece], n[piece]
			words = append(words, fmt.Sprintf("%s%d", letter, n[piece]))
		default:
			words = append(words, fmt.Sprintf("%s%d-%d", letter, s.least, s.most))
		}
		spans = append(spans, s)
	}
	if len(words) == 0 {
		words, spans = []string{"Q0+"}, nil
	}
	return strings.Join(words, " "), func(p *plainPos) bool {
		n := plainCounts(&p.Board)
		for _, s := range spans {
			if n[s.piece] < s.least || n[s.piece] > s.most {
				return false
			}
		}
		return true
	}
}

func difference(b *[64]chess.Piece) (d [8]int) {
	n := plainCounts(b)
	for k := chess.Queen; k <= chess.Pawn; k++ {
		d[k] = n[k] - n[k|8]
	}
	return d
}

func randomImbalance(_ *rand.Rand, p *plainPos) (text string, test plain) {
	d := difference(&p.Board)
	var w, b string
	for k := chess.Queen; k <= chess.Pawn; k++ {
		w += strings.Repeat(string(k.Letter()), max(0, d[k]))
		b += strings.Repeat(string(k.Letter()), max(0, -d[k]))
	}
	if w+b == "" {
		return "PvP", func(p *plainPos) bool { return difference(&p.Board) == [8]int{} }
	}
	return w + "v" + b, func(p *plainPos) bool { return difference(&p.Board) == d }
}

// plainTakeable is whether a pawn stands beside the one that was just pushed.
func plainTakeable(p *plainPos) int {
	f := p.EnPassantFile
	if f == 0 {
		return 0
	}
	row, pawn := 32, chess.NewPiece(chess.White, chess.Pawn)
	if p.Turn == chess.Black {
		row, pawn = 24, chess.NewPiece(chess.Black, chess.Pawn)
	}
	if f > 1 && p.Board[row+f-2] == pawn || f < 8 && p.Board[row+f] == pawn {
		return f
	}
	return 0
}

func randomFEN(rng *rand.Rand, p *plainPos) (text string, test plain) {
	fields := strings.Fields(p.at.FEN())
	n := 1 + rng.IntN(6)
	want := *p
	return strings.Join(fields[:n], " "), func(p *plainPos) bool {
		return p.Board == want.Board && (n < 2 || p.Turn == want.Turn) && (n < 3 || p.Castling == want.Castling) &&
			(n < 4 || plainTakeable(p) == plainTakeable(&want))
	}
}

// randomCondition makes a condition that a position meets.
func randomCondition(rng *rand.Rand, p *plainPos, simple bool) (terms [][2]string, test plain) {
	var tests []plain
	if rng.IntN(8) == 0 { // the structure of pawns, or most of it
		var words []string
		var squares []chess.Square
		for at, piece := range p.Board {
			if piece.Kind() == chess.Pawn && rng.IntN(20) > 0 {
				words = append(words, string(piece.Letter())+chess.Square(at).String())
				squares = append(squares, chess.Square(at))
			}
		}
		if len(words) > 0 {
			text, test := randomMaterial(rng, p)
			terms = [][2]string{{"pattern", strings.Join(words, " ")}, {"material", text}}
			tests = []plain{test, func(q *plainPos) bool {
				return !slices.ContainsFunc(squares, func(at chess.Square) bool { return q.Board[at] != p.Board[at] })
			}}
		}
	}
	for len(terms) == 0 {
		for _, term := range query.Terms {
			make, often := positionSamples[term.Name], 6
			switch term.Name {
			case "pattern":
				often = 3
			case "material":
				often = 4
			case "fen", "imbalance", "stm":
			default:
				if simple {
					continue
				}
			}
			if make == nil || rng.IntN(often) > 0 {
				continue
			}
			text, test := make(rng, p)
			if test == nil {
				continue
			}
			terms, tests = append(terms, [2]string{term.Name, text}), append(tests, test)
			if term.Once == "" && !simple && rng.IntN(4) == 0 { // and another one
				text, test := make(rng, p)
				terms, tests = append(terms, [2]string{term.Name, text}), append(tests, test)
			}
		}
	}
	return terms, func(p *plainPos) bool {
		for _, t := range tests {
			if !t(p) {
				return false
			}
		}
		return true
	}
}

// randomSample makes a query about positions that one of the games meets.
func randomSample(rng *rand.Rand, games []plainGame) sample {
	s := sample{name: "random", variations: rng.IntN(4) == 0}
	if rng.IntN(3) > 0 {
		s.mirror, s.swap = rng.IntN(5) == 0, rng.IntN(5) == 0
		simple := s.mirror || s.swap
		p := fromGames(rng, games)
		terms, test := randomCondition(rng, p, simple)
		if s.mirror && p.Castling != 0 && slices.ContainsFunc(terms, func(t [2]string) bool {
			return t[0] == "fen" &&
				strings.Count(t[1], " ") > 1
		}) {
			s.mirror = false // it has no mirror image
		}
		if s.mirror || s.swap {
			swapped := test
			mirror, swap := s.mirror, s.swap
			test = turned(mirror, swap, func(p *plainPos) bool {
				q := *p
				if q.Turn != p.at.Turn() { // the colours are exchanged: and with them the rest of the state
					q.Castling = p.Castling>>2 | p.Castling<<2&15
				}
				return swapped(&q)
			})
		}
		s.terms, s.steps = terms, []plainStep{{test: test}}
		return s
	}
	// A sequence, of positions of one game.
	var g *plainGame
	for range 100 {
		if g = &games[rng.IntN(len(games))]; !g.lost && len(g.main) > 3 {
			break
		}
	}
	ply, last := 0, 0
	var parts []string
	for j := range 2 + rng.IntN(3) {
		ply = min(ply+1+rng.IntN(8), len(g.main)-1)
		terms, test := randomCondition(rng, &g.main[ply], false)
		step := plainStep{test: test}
		var words []string
		for _, t := range terms {
			words = append(words, t[0]+"="+t[1])
		}
		if j > 0 && rng.IntN(2) == 0 {
			step.within = max(1, ply-last-1+rng.IntN(3))
			words = append(words, fmt.Sprintf("within=%d", step.within))
		}
		last = ply
		parts = append(parts, strings.Join(words, "; "))
		s.steps = append(s.steps, step)
	}
	s.terms = [][2]string{{"sequence", strings.Join(parts, " -> ")}}
	return s
}

// dataFile is a file of games.
type dataFile struct {
	name string
	text []byte
}

// dataFiles are the project's own games, and all that are in the folder of real data; of these a third with -short.
func dataFiles(tb testing.TB) (list []dataFile) {
	list = append(list, dataFile{"own", []byte(ownGames)})
	dir, ok := datadir.Dir()
	if !ok {
		tb.Logf("the folder of real data is absent (set %s)", datadir.Env)
		return list
	}
	most, number := int64(2<<20), 0 // bytes, of which tests take the first games
	if testenv.Long {
		most = math.MaxInt64
	}
	err := filepath.WalkDir(filepath.Join(dir, "pgn"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(strings.TrimSuffix(path, ".zst"), ".pgn") {
			return err
		}
		if number++; number%testenv.Pick(1, 3) != 0 {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(path, ".zst") {
			z, err := zstd.NewReader(f)
			if err != nil {
				return err
			}
			defer z.Close()
			r = z
		}
		text, err := io.ReadAll(io.LimitReader(r, most))
		rel, _ := filepath.Rel(dir, path)
		list = append(list, dataFile{rel, text})
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return list
}
