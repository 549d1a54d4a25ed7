// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"

	"ply11/position/openings"
	"ply11/query"
	"ply11/web/call"
)

// indexFile is the index of an archive, which may not be there.
type indexFile struct {
	mu    sync.Mutex
	open  func(context.Context) (io.ReaderAt, int64, error) // nil: there is none
	tried bool                                              // what follows is known
	file  io.ReaderAt                                       // nil: it cannot be used
	size  int64
	told  IndexState
}

// IndexState tells of the index of the archive.
type IndexState struct {
	There      bool   `json:"there"`
	Positions  uint64 `json:"positions,omitempty"`
	Variations bool   `json:"variations,omitempty"`
	MinGames   int    `json:"min_games,omitempty"` // of a pruned index: the positions that so many games reach
	MaxPly     int    `json:"max_ply,omitempty"`   // within so many plies
	Why        string `json:"why,omitempty"`       // it is there, and cannot be used
}

// ready opens the index, if that was not tried before.
func (f *indexFile) ready(ctx context.Context, c *call.Call, a *openArchive) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tried || f.open == nil {
		return nil
	}
	f.file, f.told = nil, IndexState{}
	file, size, err := f.open(ctx)
	var x *query.PositionIndex
	if err == nil {
		if x, err = query.OpenIndex(&source{ReaderAt: file, ctx: ctx, call: c}, size); err == nil {
			err = x.Of(a.source(ctx, c))
		}
	}
	switch {
	case ctx.Err() != nil:
		return call.ErrCanceled
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.told = IndexState{Why: err.Error()}
	default:
		f.file, f.size = file, size
		f.told = IndexState{There: true, Positions: x.Counts().Positions, Variations: x.Variations()}
		f.told.MinGames, f.told.MaxPly, _ = x.Pruned()
	}
	f.tried = true
	return nil
}

// index tells of the index of the archive that is open.
func (s *Session) index(ctx context.Context, c *call.Call, _ struct{}) (any, error) {
	a, err := s.opened()
	if err != nil {
		return nil, err
	}
	if err := a.beside.ready(ctx, c, a); err != nil {
		return nil, err
	}
	a.beside.mu.Lock()
	defer a.beside.mu.Unlock()
	return a.beside.told, nil
}

// source is the archive, for a search. Its progress is told by its blocks: the index behind them is read first.
func (a *openArchive) source(ctx context.Context, c *call.Call) query.Source {
	return a.through(ctx, c, a.file)
}

// through is source, where the archive is read through another file.
func (a *openArchive) through(ctx context.Context, c *call.Call, file io.ReaderAt) query.Source {
	a.mu.Lock()
	defer a.mu.Unlock()
	blocks := int64(0)
	if last, err := a.r.Place(a.r.Blocks()); err == nil {
		blocks = last.Offset + last.Size
	}
	return query.Source{Name: "archive", Reader: &source{ReaderAt: file, ctx: ctx, call: c, size: blocks}, Size: a.size}
}

// indexed is the archive with its index, if that can be used, for a call that looks positions up. why tells why an
// index that is there cannot be used.
func (a *openArchive) indexed(ctx context.Context, c *call.Call) (s query.Source, why string, err error) {
	s = a.source(ctx, c)
	f := &a.beside
	if err := f.ready(ctx, c, a); err != nil {
		return s, "", err
	}
	f.mu.Lock()
	file, size, why := f.file, f.size, f.told.Why
	f.mu.Unlock()
	if file == nil {
		return s, why, nil
	}
	// What takes long of a common position is to read the facts of its games, which stand in front.
	r := &source{ReaderAt: file, ctx: ctx, call: c}
	x, err := query.OpenIndex(r, size)
	if err != nil {
		return s, "", err
	}
	x.Name = "index"
	r.size = 8 * int64(x.Games())
	s.Reader = &source{ReaderAt: a.file, ctx: ctx, call: c}
	s.PositionIndex = x
	return s, "", nil
}

// Reply is a move of a position, and what became of the games that have it.
type Reply struct {
	SAN    string  `json:"san"`
	UCI    string  `json:"uci"`
	After  string  `json:"after"` // FEN
	Games  int     `json:"games"`
	White  int     `json:"white"` // games that White won
	Draws  int     `json:"draws"`
	Black  int     `json:"black"`
	Rating float64 `json:"rating"` // the mean of both players; 0 if none is known
	First  int     `json:"first"`  // year; 0 if it is not known
	Last   int     `json:"last"`
	Best   []int   `json:"best"` // games of the highest ratings
}

// Tree is what was played in a position.
type Tree struct {
	FEN string `json:"fen"`
	// Opening is that whose position this is, if it is one.
	Opening *openings.Opening `json:"opening,omitempty"`
	All     Reply             `json:"all"`
	Moves   []Reply           `json:"moves"`
	Indexed bool              `json:"index"`         // it was looked up in the index
	Games   int               `json:"games"`         // of whose facts the index was asked
	Read    int               `json:"read"`          // of them, read from the archive
	Why     string            `json:"why,omitempty"` // there is an index, and it could not be used
	// MinGames and MaxPly tell what a pruned index has: the positions that so many games reach within so many plies.
	MinGames int `json:"min_games,omitempty"`
	MaxPly   int `json:"max_ply,omitempty"`
}

// tree tells what was played in a position.
func (s *Session) tree(ctx context.Context, c *call.Call, r struct {
	FEN   string `json:"fen"`
	Terms []term `json:"terms"`
}) (any, error) {
	p, err := parsePosition(r.FEN)
	if err != nil {
		return nil, err
	}
	request := searchRequest{Terms: r.Terms}
	q, err := request.query()
	if err != nil {
		return nil, err
	}
	a, err := s.opened()
	if err != nil {
		return nil, err
	}
	source, why, err := a.indexed(ctx, c)
	if err != nil {
		return nil, err
	}
	if source.PositionIndex != nil && !source.PositionIndex.Serves(q) {
		source = a.source(ctx, c)
	}
	found, err := q.Tree(ctx, []query.Source{source}, p, query.TreeOptions{Workers: 1})
	t := &Tree{FEN: p.FEN(), Indexed: source.PositionIndex != nil, Moves: []Reply{}, Why: why}
	if o, ok := openings.Of(&p); ok {
		t.Opening = &o
	}
	if t.Indexed {
		t.MinGames, t.MaxPly, _ = source.PositionIndex.Pruned()
	}
	if err != nil && ctx.Err() == nil && source.PositionIndex != nil {
		// An index that is damaged is no reason to know nothing.
		var damaged *query.IndexError
		if errors.As(err, &damaged) {
			t.Indexed, t.Why, t.MinGames, t.MaxPly = false, err.Error(), 0, 0
			found, err = q.Tree(ctx, []query.Source{a.source(ctx, c)}, p, query.TreeOptions{Workers: 1})
		}
	}
	if ctx.Err() != nil {
		return nil, call.ErrCanceled
	}
	if err != nil {
		return nil, err
	}
	reply := func(b *query.Branch) Reply {
		rating := query.Ratings{Sum: b.WhiteRating.Sum + b.BlackRating.Sum,
			Games: b.WhiteRating.Games + b.BlackRating.Games}
		y := Reply{Games: b.Games, White: b.White, Draws: b.Draws, Black: b.Black, Rating: rating.Mean(),
			First: b.FirstYear, Last: b.LastYear, Best: []int{}}
		for _, g := range b.Best {
			y.Best = append(y.Best, g.Number)
		}
		return y
	}
	t.All, t.Games, t.Read = reply(&found.All), found.Cost.Games, found.Cost.Read
	for i := range found.Branches {
		b := &found.Branches[i]
		y := reply(b)
		after := p
		after.Make(b.Move)
		y.SAN, y.UCI, y.After = p.SAN(b.Move), b.Move.String(), after.FEN()
		t.Moves = append(t.Moves, y)
	}
	return t, nil
}
