// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"ply11/bitstream/archive"
	"ply11/query"
	"ply11/query/index"
)

// Archive names an archive and the index of its positions.
type Archive struct {
	Name  string
	Path  string
	Index string // its path
	// Only is "masters" if the archive answers /masters alone, "lichess" if it answers all others alone, or "".
	Only string
}

// held is an archive that is open with its index. It stays as it was when it was opened, whatever happens to the file.
type held struct {
	Archive
	file      *os.File // closed when nothing refers to it any more
	indexFile *os.File
	size      int64
	index     *index.Index
	games     int
	blocks    int
	digest    [sha256.Size]byte // of all blocks, by which a later state of the archive is known
	is        [2]os.FileInfo    // of the archive and the index, when they were opened
	readers   sync.Pool         // as many as answers are being made
	facts     []fact            // of each game, once the state is ready
}

func (a Archive) open() (_ *held, err error) {
	h := &held{Archive: a}
	defer func() {
		if err != nil {
			h.file.Close() // of nil, too
			h.indexFile.Close()
		}
	}()
	if h.file, err = os.Open(a.Path); err != nil {
		return nil, err
	}
	if h.is[0], err = h.file.Stat(); err != nil {
		return nil, err
	}
	h.size = h.is[0].Size()
	if h.indexFile, err = os.Open(a.Index); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: there is no index of its positions, which the explorer needs: ply11 index "+
				"makes one: %w", a.Path, err)
		}
		return nil, err
	}
	if h.is[1], err = h.indexFile.Stat(); err != nil {
		return nil, err
	}
	if h.index, err = index.Open(h.indexFile, h.is[1].Size()); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Index, err)
	}
	r, err := archive.NewReader(h.file, h.size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Path, err)
	}
	if err := h.index.Of(h.source().File()); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Index, err)
	}
	h.games, h.blocks = r.Len(), r.Blocks()
	if h.digest, err = r.BlocksDigest(1, h.blocks); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Path, err)
	}
	h.give(r)
	return h, nil
}

func (h *held) source() query.Source {
	return query.Source{Name: h.Name, Reader: h.file, Size: h.size, Sparse: true}
}

// named gives an error the name of the archive.
func (h *held) named(err error) error {
	if errors.Is(err, query.ErrManyGames) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", h.Name, err)
}

func (h *held) take() (*reader, error) {
	if r, ok := h.readers.Get().(*reader); ok {
		return r, nil
	}
	r, err := archive.NewReader(h.file, h.size)
	if err != nil {
		return nil, h.named(err)
	}
	return r, nil
}

func (h *held) give(r *reader) { h.readers.Put(r) }

// changed reports whether the files are no longer those that are open.
func (h *held) changed() bool {
	for i, path := range []string{h.Path, h.Index} {
		is, err := os.Stat(path)
		if err != nil {
			continue // it is being replaced, or gone: what is open stays
		}
		if !same(is, h.is[i]) {
			return true
		}
	}
	return false
}

func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// read reads the facts of the games, but for those of an older state with which the archive begins; or nil.
func (h *held) read(ctx context.Context, old *held) error {
	first := 1
	if old != nil && h.continues(old) {
		h.facts = old.facts
		first = old.games + 1
	} else {
		// some more, so that games can be added without a copy
		h.facts = make([]fact, 0, h.games+h.games/16)
	}
	if first > h.games {
		return nil
	}
	q := query.New()
	if err := q.Add("games", fmt.Sprintf("%d-", first)); err != nil {
		return err
	}
	for f, err := range query.Games(ctx, []query.Source{h.source()}, q, query.Options{},
		func(m *query.Match) (fact, error) {
			g, err := m.Tags()
			if err != nil {
				return 0, err
			}
			return newFact(g), nil
		}) {
		if err != nil {
			return err
		}
		h.facts = append(h.facts, f)
	}
	if len(h.facts) != h.games {
		return fmt.Errorf("%s: %w", h.Name, errGone)
	}
	return nil
}

// continues reports whether the archive begins with all blocks of an older state, of which all is known.
func (h *held) continues(old *held) bool {
	if len(old.facts) != old.games || h.games < old.games || h.blocks < old.blocks {
		return false
	}
	r, err := archive.NewReader(h.file, h.size)
	if err != nil {
		return false
	}
	digest, err := r.BlocksDigest(1, old.blocks)
	return err == nil && digest == old.digest
}

// state is the archives at one time, and what is known of them.
type state struct {
	archives []*held
	ready    chan struct{} // the facts are there, or err tells why they are not
	err      error

	answers *lru.Cache[request, *answer]
	players *players
	infos   *lru.Cache[ref, *info]
	flights singleflight.Group
}

// How much is kept of a state.
const (
	keepAnswers = 1 << 14 // of at most maxKept bytes each
	maxKept     = 8 << 10
	keepInfos   = 1 << 16
	keepPlayers = 32
)

func newState(archives []*held) *state {
	s := &state{archives: archives, ready: make(chan struct{}), players: &players{}}
	s.answers, _ = lru.New[request, *answer](keepAnswers)
	s.players.Cache, _ = lru.New[playerKey, *playerGames](keepPlayers)
	s.infos, _ = lru.New[ref, *info](keepInfos)
	return s
}

func (s *state) isReady() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

func (s *state) wait(ctx context.Context) error {
	select {
	case <-s.ready:
		return s.err
	case <-ctx.Done():
		return errReading
	}
}

var errReading = errors.New("the games are still being read: ask again soon")

// asked returns the numbers of the archives that are asked.
func (s *state) asked(from source) (list []int) {
	for i, a := range s.archives {
		if a.Only == "" || (a.Only == "masters") == (from == masters) {
			list = append(list, i)
		}
	}
	return list
}

func (s *state) games() (n int) {
	for _, a := range s.archives {
		n += a.games
	}
	return n
}
