// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"ply11/game"
	"ply11/moveindex"
	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/oracle"
)

// A CrossPlan is what a Cross compares, and how.
type CrossPlan struct {
	Codecs []Codec
	// Tools are those of package eda. The Go model plays in any case: it is what the simulators are compared
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
	plan   CrossPlan
	lanes  []*lane
	games  int
	cancel context.CancelFunc
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
	wants   []oracle.Beat
	failed  error // of a codec
	cpu     time.Duration
}

// A crossGame is a game with what position says of its plies, those of variations too, in the order of the
// text.
type crossGame struct {
	number int
	g      *game.Game
	plies  []oracle.Ply
}

func newCrossGame(number int, g *game.Game) *crossGame {
	return &crossGame{number, g, oracle.Plies(g)}
}

// Harnesses are the built simulations of the players that codecs want, in simulators. They serve any number
// of Crosses, one after the other or at once.
type Harnesses struct {
	list []*builtHarness
}

type builtHarness struct {
	setup playerSetup
	tool  string
	h     *Harness
}

// NewHarnesses builds what codecs need with tools, of which ToolGo needs nothing. Verilator, for which
// compiling is dear and clocks are cheap, gets players of several modes, for all codecs together; Icarus,
// with which it is the other way round, a player for each.
func NewHarnesses(ctx context.Context, w *eda.Work, codecs []Codec, tools []string) (*Harnesses, error) {
	hs := new(Harnesses)
	for _, tool := range tools {
		if tool == ToolGo {
			continue
		}
		first := len(hs.list)
	next:
		for _, codec := range codecs {
			for _, b := range hs.list[first:] {
				both, ok := b.setup.with(codec.setup)
				if ok && (tool == ToolVerilator || both == b.setup) {
					b.setup = both
					continue next
				}
			}
			hs.list = append(hs.list, &builtHarness{setup: codec.setup, tool: tool})
		}
	}
	errs := make([]error, len(hs.list))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, b := range hs.list {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			p, err := b.setup.player()
			if err == nil {
				b.h, err = NewHarness(ctx, w, p, b.tool)
			}
			errs[i] = err
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil { // one is enough
			return nil, errors.Join(err, hs.Close())
		}
	}
	return hs, nil
}

// of returns the harnesses for a codec, in the order of tools.
func (hs *Harnesses) of(codec Codec, tools []string) (found []*Harness) {
	for _, tool := range tools {
		for _, b := range hs.list {
			if both, ok := b.setup.with(codec.setup); b.tool == tool && ok && both == b.setup {
				found = append(found, b.h)
			}
		}
	}
	return found
}

// Close removes what was built.
func (hs *Harnesses) Close() error {
	var errs []error
	for _, b := range hs.list {
		if b.h != nil {
			errs = append(errs, b.h.Close())
		}
	}
	return errors.Join(errs...)
}

// NewCross starts the simulations. The harnesses must be for the codecs and tools of the plan.
func NewCross(ctx context.Context, hs *Harnesses, plan CrossPlan) (*Cross, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := &Cross{plan: plan, cancel: cancel}
	for _, codec := range plan.Codecs {
		l, err := newLane(ctx, codec, &c.plan, hs.of(codec, plan.Tools))
		if err != nil {
			_, closeErr := c.Close()
			return nil, errors.Join(err, closeErr)
		}
		c.lanes = append(c.lanes, l)
	}
	return c, nil
}

func newLane(ctx context.Context, codec Codec, plan *CrossPlan, hs []*Harness) (*lane, error) {
	p, err := codec.setup.player()
	if err != nil {
		return nil, err
	}
	p.In.Mode = codec.mode
	link, err := NewLink(ctx, p, hs...)
	if err != nil {
		return nil, err
	}
	l := &lane{
		codec: codec, plan: plan, link: link, feed: playerFeed{player: p, link: link}, enc: codec.encoder(),
		in: make(chan *crossGame, 8), done: make(chan struct{}),
		refused: make(map[string]int), lost: make(map[string]int),
	}
	go l.run()
	return l, nil
}

// Add plays a game, which must not be changed or used again before Close. What is not right about it is
// found later.
func (c *Cross) Add(g *game.Game) {
	c.games++
	cg := newCrossGame(c.games, g)
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
	data, h, err := l.enc.encode(l.bytes[:0], g)
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
	for _, name := range h.losses {
		if name = kindOf(name); !seen[name] {
			seen[name] = true
			count(l.lost, name)
		}
	}
	if h.load {
		start := oracle.NewState(&g.g.Start)
		start.Ply = 0
		l.feed.load(start)
	}
	l.wants = g.wants(l.wants[:0], h, l.codec.setup.depth)
	l.feed.gap, l.feed.ready = nil, nil
	if g.number <= l.plan.Patterns && g.number%2 == 0 {
		l.feed.gap, l.feed.ready = sim.Noise(uint64(2*g.number), 75), sim.Noise(uint64(2*g.number+1), 75)
	}
	l.feed.push(data, l.wants)
	l.feed.play(16)
}

// wants appends what a player must give that plays variations up to a depth: 0 steps over them, and with any
// other a deeper one ends the game with an error.
func (g *crossGame) wants(dst []oracle.Beat, h held, depth int) []oracle.Beat {
	want := oracle.Beat{Offset: -1, Game: int32(g.number)}
	left := h.plies
	for i := range g.plies {
		p := &g.plies[i]
		if p.Depth > 0 && !h.variations {
			continue
		}
		if left--; left < 0 {
			break
		}
		if p.Depth > 0 && depth == 0 {
			continue
		}
		want.Ply++
		if int(p.Depth) > depth {
			w := want
			w.Kind, w.Codes = oracle.BeatError, 1<<oracle.FaultDepth
			dst = append(dst, w)
			break
		}
		w := want
		w.Kind, w.Index, w.Depth, w.State = oracle.BeatPly, p.Index, p.Depth, &p.State
		dst = append(dst, w)
	}
	want.Ply++
	want.Kind, want.Result = oracle.BeatEnd, uint8(g.g.Result.Index()-moveindex.ResultBlackWins)
	return append(dst, want)
}

// count counts, without end, a few names.
func count(m map[string]int, name string) {
	if _, ok := m[name]; !ok && len(m) >= 30 {
		name = "others"
	}
	m[name]++
}

// place is where a loss is, number what it is in detail.
var (
	place  = regexp.MustCompile(` at ply \d+`)
	number = regexp.MustCompile(`^ply \d+| \$\d+`)
)

// kindOf takes the numbers and places off a loss: "variation at ply 31" is a variation.
func kindOf(loss string) string {
	if strings.HasPrefix(loss, "tag ") {
		return "tags"
	}
	if loss = number.ReplaceAllString(place.ReplaceAllString(loss, ""), ""); strings.HasPrefix(loss, " and ") {
		return "moves" + loss
	}
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
		if slices.Contains(c.plan.Tools, ToolGo) || l.feed.mismatch != nil {
			model := r
			model.Tool, model.CPU, model.Difference = ToolGo, l.cpu, l.feed.mismatch
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
	return results, errors.Join(errs...)
}
