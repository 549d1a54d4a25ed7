// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"ply11/position/openings"
	"ply11/query"
	"ply11/query/index"
	"ply11/web/move"
)

// IndexState is the index of an archive.
type IndexState struct {
	There      bool   `json:"there"`
	Positions  uint64 `json:"positions,omitempty"`
	Variations bool   `json:"variations,omitempty"`
	Why        string `json:"why,omitempty"` // it is there, and cannot be used
}

// indexed is the index of an archive; Index is nil without one that can be used.
type indexed struct {
	IndexState
	*index.Index
	file Content
}

func (x *indexed) close() {
	if x.file.Close != nil {
		x.file.Close()
	}
}

func (o *opened) index(ctx context.Context, t *task) *indexed {
	x := &indexed{}
	if o.Archive.Index == nil {
		return x
	}
	file, err := o.Archive.Index()
	if errors.Is(err, fs.ErrNotExist) {
		return x
	}
	if err != nil {
		x.Why = hidden(err).Error()
		return x
	}
	x.file = file
	reads := &source{ReaderAt: file, t: t}
	p, err := index.Open(reads, file.Size)
	if err == nil {
		err = p.Of(o.source(nil).File())
	}
	if err != nil {
		x.Why = err.Error()
		return x
	}
	// Of a common position most time goes to the facts of its games, which stand in front.
	reads.size = 8 * int64(p.Games())
	p.Name = "index"
	x.Index = p
	x.IndexState = IndexState{There: true, Positions: p.Counts().Positions, Variations: p.Variations()}
	return x
}

// Reply is a move of a position, and what became of its games.
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
	// Opening is that of the position after the move, if it has a name.
	Opening *openings.Opening `json:"opening,omitempty"`
}

// Tree is what was played in a position.
type Tree struct {
	FEN string `json:"fen"`
	// Opening is that of this position.
	Opening *openings.Opening `json:"opening,omitempty"`
	All     Reply             `json:"all"`
	Best    []Row             `json:"best"`           // games of the highest ratings
	Slow    bool              `json:"slow,omitempty"` // a quick answer was wanted, and all games would have to be read
	Moves   []Reply           `json:"moves"`
	Indexed bool              `json:"index"`         // it was looked up in the index
	Games   int               `json:"games"`         // of whose facts the index was asked
	Read    int               `json:"read"`          // of them, read from the archive
	Why     string            `json:"why,omitempty"` // there is an index, and it could not be used
}

// quickGames is how many games are read for a quick answer.
const quickGames = 5000

// moves answers what was played in a position, in the games that meet the conditions.
func (h *Handler) moves(r *http.Request, o *opened, t *task) (any, error) {
	v := r.URL.Query()
	p, err := move.ParsePosition(v.Get("fen"))
	v.Del("fen")
	if err != nil {
		return nil, err
	}
	q, err := queryOf(v)
	if err != nil {
		return nil, err
	}
	if q == nil {
		q = query.New()
	}
	x := o.index(t.ctx, t)
	defer x.close()
	all := o.source(t)
	looked := all
	if x.Index != nil && q.ServedBy(x.Index) {
		looked.Reader, looked.Index = &source{ReaderAt: o.Content, t: t}, x.Index
	}
	y := &Tree{FEN: p.FEN(), Indexed: looked.Index != nil, Moves: []Reply{}, Best: []Row{}, Why: x.Why}
	if name, ok := openings.Of(&p); ok {
		y.Opening = &name
	}
	if y.Slow = v.Has("quick") && !y.Indexed && o.r.Len() > quickGames; y.Slow {
		return y, nil
	}
	var found *query.Tree
	err = t.compute(func() (err error) {
		found, err = q.Tree(t.ctx, []query.Source{looked}, p, query.TreeOptions{})
		var damaged *index.Error
		if errors.As(err, &damaged) && t.ctx.Err() == nil { // an index that is damaged is no reason to know nothing
			y.Indexed, y.Why = false, err.Error()
			found, err = q.Tree(t.ctx, []query.Source{all}, p, query.TreeOptions{})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	reply := func(b *index.Branch) Reply {
		rating := index.Ratings{Sum: b.WhiteRating.Sum + b.BlackRating.Sum,
			Games: b.WhiteRating.Games + b.BlackRating.Games}
		return Reply{Games: b.Games, White: b.White, Draws: b.Draws, Black: b.Black, Rating: rating.Mean(),
			First: b.FirstYear, Last: b.LastYear}
	}
	y.All, y.Games, y.Read = reply(&found.All), found.Cost.Games, found.Cost.Read
	for _, g := range found.All.Best {
		y.Best = append(y.Best, o.row(g.Number, maxText))
	}
	for i := range found.Branches {
		b := &found.Branches[i]
		z := reply(b)
		after := p
		after.Make(b.Move)
		z.SAN, z.UCI, z.After = p.SAN(b.Move), b.Move.String(), after.FEN()
		if name, ok := openings.Of(&after); ok {
			z.Opening = &name
		}
		y.Moves = append(y.Moves, z)
	}
	return y, nil
}
