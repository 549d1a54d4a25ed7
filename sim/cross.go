// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"ply11/game"
	"ply11/moveindex"
	"ply11/sim/drive"
)

// A CrossPlan is what a Cross compares, and how.
type CrossPlan struct {
	Codecs []Codec
	// Tools are those of package drive. The Go model plays in any case: it is what the simulators are compared
	// with. With ToolGo there is a line for it in the report.
	Tools []string
	// Patterns is the number of games, from the first, of which every second one is played with idle clocks
	// and back-pressure. It changes nothing that is compared: all outputs in all clocks, in all games.
	Patterns int
	// Spread gives each game to one codec only, in turn.
	Spread bool
}

// A Cross is the cross-check: games, encoded by the software codecs, are played by the player's model, which
// is compared with package position after every ply, and by its Verilog in simulators, of which all outputs
// are compared with the model's in every clock.
//
// There is one stream for each codec, in which games follow each other without a reset. Memory is bounded.
type Cross struct {
	plan      CrossPlan
	lanes     []*lane
	harnesses []*Harness
	games     int
	cancel    context.CancelFunc
}

// A lane is the stream of one codec.
type lane struct {
	codec Codec
	plan  *CrossPlan
	feed  playerFeed
	link  *Link
	enc   encoder
	in    chan *crossGame
	done  chan struct{}

	sent    int // games
	refused map[string]int
	lost    map[string]int
	bytes   []byte
	wants   []beatWant
	failed  error // of a codec
	cpu     time.Duration
}

// A crossGame is a game with what position says of its main line.
type crossGame struct {
	number int
	g      *game.Game
	line   []moveindex.Index
	states []State // after each ply
}

// NewCross builds the simulations and starts them.
func NewCross(ctx context.Context, w *drive.Work, plan CrossPlan) (*Cross, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := &Cross{plan: plan, cancel: cancel}
	type built struct {
		setup playerSetup
		tool  string
		h     *Harness
		err   error
	}
	var builds []*built
	for _, codec := range plan.Codecs {
		for _, tool := range plan.Tools {
			same := func(b *built) bool { return b.setup == codec.setup && b.tool == tool }
			if tool != drive.ToolGo && !slices.ContainsFunc(builds, same) {
				builds = append(builds, &built{setup: codec.setup, tool: tool})
			}
		}
	}
	// Compiling is most of the work for few games.
	slots := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))
	var wg sync.WaitGroup
	for _, b := range builds {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			p, err := b.setup.player()
			if err == nil {
				b.h, err = NewHarness(ctx, w, p, b.tool)
			}
			b.err = err
		})
	}
	wg.Wait()
	var errs []error
	for _, b := range builds {
		errs = append(errs, b.err)
		if b.h != nil && b.err == nil {
			c.harnesses = append(c.harnesses, b.h)
		}
	}
	if err := errors.Join(errs...); err != nil {
		for _, b := range builds {
			if b.err != nil {
				err = b.err // one is enough
				break
			}
		}
		_, closeErr := c.Close()
		return nil, errors.Join(err, closeErr)
	}
	for _, codec := range plan.Codecs {
		p, err := codec.setup.player()
		if err != nil {
			_, closeErr := c.Close()
			return nil, errors.Join(err, closeErr)
		}
		p.In.Mode = codec.mode
		var hs []*Harness
		for _, b := range builds {
			if b.setup == codec.setup {
				hs = append(hs, b.h)
			}
		}
		link, err := NewLink(ctx, p, hs...)
		if err != nil {
			_, closeErr := c.Close()
			return nil, errors.Join(err, closeErr)
		}
		l := &lane{
			codec: codec, plan: &c.plan, link: link, feed: playerFeed{player: p, link: link}, enc: codec.encoder(),
			in: make(chan *crossGame, 8), done: make(chan struct{}),
			refused: make(map[string]int), lost: make(map[string]int),
		}
		c.lanes = append(c.lanes, l)
		go l.run()
	}
	return c, nil
}

// Add plays a game, which must not be changed or used again before Close. What is not right about it is
// found later.
func (c *Cross) Add(g *game.Game) {
	c.games++
	cg := &crossGame{number: c.games, g: g}
	pos := g.Start
	first := uint16(pos.Ply())
	for _, m := range g.MainLine() {
		i := moveindex.Null
		if m != moveindex.NullMove {
			i, _ = m.Index()
		}
		pos.Make(m)
		s := NewState(&pos)
		// A start record has no ply: it counts from 0.
		s.Ply -= first
		cg.line = append(cg.line, i)
		cg.states = append(cg.states, s)
	}
	for i, l := range c.lanes {
		if !c.plan.Spread || i == c.games%len(c.lanes) {
			l.in <- cg
		}
	}
}

// run plays the games of a lane. It has a thread of its own, whose time is the model's.
func (l *lane) run() {
	defer close(l.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	for g := range l.in {
		l.game(g)
	}
	if l.failed == nil && l.feed.mismatch == nil {
		l.feed.push(l.enc.end(nil), nil)
		l.feed.finish()
	}
	l.cpu = threadTime() - start
}

// game encodes a game and plays it, all but a few bytes, so that the next follows at once.
func (l *lane) game(g *crossGame) {
	if l.failed != nil || l.feed.mismatch != nil {
		return
	}
	data, line, losses, err := l.enc.encode(l.bytes[:0], g.g)
	l.bytes = data
	switch {
	case errors.Is(err, ErrCodec):
		l.failed = fmt.Errorf("%s: game %d: %w", l.codec.Name, g.number, err)
		return
	case err != nil:
		count(l.refused, kindOf(err.Error()))
		return
	}
	l.sent++
	seen := make(map[string]bool)
	for _, name := range losses {
		if name = kindOf(name); !seen[name] {
			seen[name] = true
			count(l.lost, name)
		}
	}
	l.wants = l.wants[:0]
	for i, index := range line {
		l.wants = append(l.wants, beatWant{kind: BeatPly, index: index, offset: -1, game: int32(g.number), ply: int32(i + 1), state: &g.states[i]})
	}
	end := beatWant{kind: BeatEnd, result: uint8(g.g.Result.Index() - moveindex.ResultBlackWins), offset: -1, game: int32(g.number), ply: int32(len(line) + 1)}
	l.wants = append(l.wants, end)
	l.feed.gap, l.feed.ready = nil, nil
	if g.number <= l.plan.Patterns && g.number%2 == 0 {
		l.feed.gap, l.feed.ready = Noise(uint64(2*g.number), 75), Noise(uint64(2*g.number+1), 75)
	}
	l.feed.push(data, l.wants)
	l.feed.play(16)
}

// count counts, without end, a few names.
func count(m map[string]int, name string) {
	if _, ok := m[name]; !ok && len(m) >= 30 {
		name = "others"
	}
	m[name]++
}

// kindOf takes the numbers and places off a loss: "variation at ply 31" is a variation.
func kindOf(loss string) string {
	if strings.HasPrefix(loss, "tag ") {
		return "tags"
	}
	loss, _, _ = strings.Cut(loss, " at ply")
	loss, _, _ = strings.Cut(loss, " $")
	return loss
}

// A CrossResult is what came of a codec in a tool.
type CrossResult struct {
	Codec      string
	Tool       string
	Games      int64 // that came to their end and were as they must
	Plies      int64
	Clocks     int
	CPU        time.Duration  // of the simulation; for Go, of the model, the codec and the comparison
	Refused    map[string]int // games that the codec cannot hold, by the reason
	Lost       map[string]int // games that it holds in part, by what is lost
	Difference *Difference    // the first, or nil
}

// PliesPerSecond returns the speed in processor time.
func (r *CrossResult) PliesPerSecond() float64 {
	if r.CPU <= 0 {
		return 0
	}
	return float64(r.Plies) / r.CPU.Seconds()
}

// Close plays what is left and returns what came of each codec in each tool. An error is a simulation that
// did not come to its end, or a codec that does not read what it wrote.
func (c *Cross) Close() ([]CrossResult, error) {
	defer c.cancel()
	var results []CrossResult
	var errs []error
	for _, l := range c.lanes {
		close(l.in)
	}
	for _, l := range c.lanes {
		<-l.done
		ends, err := l.link.Close()
		errs = append(errs, l.failed, err)
		r := CrossResult{
			Codec: l.codec.Name, Games: l.feed.games, Plies: l.feed.plies, Clocks: l.link.Now(),
			Refused: maps.Clone(l.refused), Lost: maps.Clone(l.lost),
		}
		if slices.Contains(c.plan.Tools, drive.ToolGo) || l.feed.mismatch != nil {
			model := r
			model.Tool, model.CPU, model.Difference = drive.ToolGo, l.cpu, l.feed.mismatch
			results = append(results, model)
		}
		for _, e := range ends {
			hard := r
			hard.Tool, hard.CPU, hard.Clocks, hard.Difference = e.Tool, e.CPU, e.Clocks, e.Difference
			if d := e.Difference; d != nil {
				hard.Games, hard.Plies = int64(max(0, d.Game-1)), 0
			}
			results = append(results, hard)
		}
	}
	for _, h := range c.harnesses {
		errs = append(errs, h.Close())
	}
	return results, errors.Join(errs...)
}
