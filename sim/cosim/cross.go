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
	"time"

	"golang.org/x/sync/errgroup"

	"ply11/game"
	"ply11/game/codec"
	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/oracle"
)

// The tools: package sim, and the simulators of package cosim.
const (
	ToolGo        = "go"
	ToolIcarus    = eda.Icarus
	ToolVerilator = eda.Verilator
)

// Tools lists them.
var Tools = []string{ToolGo, ToolIcarus, ToolVerilator}

// A CrossPlan is what a Cross compares, and how.
type CrossPlan struct {
	Codecs []Codec
	// Tools are those of package eda, which run beside the netlist. ToolGo adds a line for the netlist to the report.
	Tools []string
	// Match, if not nil, is searched for by ply11_match behind the players of each codec.
	Match *oracle.Match
	// Spread gives each game to one codec only, in turn.
	Spread bool
}

// patterned is the number of games, from the first, of which every second one is played with idle clocks and
// back-pressure. It changes nothing that is compared.
const patterned = 200

// A Cross plays games, encoded by the software codecs, on the netlist of the player, whose beats are compared with the
// codec and whose board with package position after every ply, and on its Verilog in simulators, of which all outputs
// are compared with the netlist's in every clock.
//
// Each codec has many streams at once, in which games follow each other without a reset: 256; beside Verilator 64;
// beside Icarus one. Memory is bounded.
type Cross struct {
	plan   CrossPlan
	lanes  []*lane
	games  int
	cancel context.CancelFunc
}

type lane struct {
	codec  Codec
	plan   *CrossPlan
	player *machinePlayer
	in     chan *crossGame
	done   chan struct{}
	ctx    context.Context

	refused map[string]int
	lost    map[string]int
	left    []int // the numbers of the refused games
	bytes   []byte
	failed  error // of a codec
	cpu     time.Duration
}

// A crossGame is a game with what package position says of its plies, those of variations too, in the order of the
// text.
type crossGame struct {
	number int
	g      *game.Game
	plies  []oracle.Ply
}

func newCrossGame(number int, g *game.Game) *crossGame {
	return &crossGame{number, g, oracle.Plies(g)}
}

// Harnesses are the built simulations of players. They serve any number of Crosses.
type Harnesses struct {
	list []*builtHarness
}

type builtHarness struct {
	setup playerSetup // of all codecs that it serves
	codec Codec       // the first of them
	tool  string
	h     *Harness
}

// NewHarnesses builds what codecs need with tools; ToolGo needs nothing. Verilator takes long to compile and gets
// players of several modes; Icarus is slow to run and gets a player for each codec.
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
			hs.list = append(hs.list, &builtHarness{setup: codec.setup, codec: codec, tool: tool})
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, b := range hs.list {
		group.Go(func() error {
			d, err := b.codec.design(ctx)
			if err != nil {
				return err
			}
			whole := *d // with the modes of all codecs that it serves
			if whole.Verilog, err = b.setup.verilog(); err == nil {
				b.h, err = newHarness(ctx, w, &whole, b.tool)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil { // one is enough
		return nil, errors.Join(err, hs.Close())
	}
	return hs, nil
}

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

func (hs *Harnesses) Close() error {
	var errs []error
	for _, b := range hs.list {
		if b.h != nil {
			errs = append(errs, b.h.Close())
		}
	}
	return errors.Join(errs...)
}

// NewCross starts the simulations. hs must be for the plan's codecs and tools.
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

// newPlayer returns a player of a codec's netlist, with at most so many streams and simulators beside it.
func newPlayer(ctx context.Context, codec Codec, most int, hs []*Harness) (*machinePlayer, error) {
	d, err := codec.design(ctx)
	if err != nil {
		return nil, err
	}
	p := &machinePlayer{design: d, size: codec.setup.width / 8, mode: codec.mode, numbering: codec.numbering,
		settle: settle}
	if codec.setup.legal != 0 {
		p.settle = settleLegal
	}
	if p.ports, err = newPlayerPorts(d.net, codec.setup.width); err != nil {
		return nil, fmt.Errorf("%s: %w", codec.Name, err)
	}
	streams := most
	for _, h := range hs {
		streams = min(streams, sim.Narrow)
		if h.Tool == ToolIcarus {
			streams = 1
		}
	}
	p.streams = make([]stream, streams)
	for i := range p.streams {
		p.streams[i].textsOf = codec.texts
	}
	if p.m, err = sim.NewMachine(d.net, max(streams, sim.Narrow)); err != nil {
		return nil, err
	}
	if len(hs) > 0 {
		p.link, err = newLink(ctx, d, streams, false, hs...)
	}
	return p, err
}

func newLane(ctx context.Context, codec Codec, plan *CrossPlan, hs []*Harness) (*lane, error) {
	player, err := newPlayer(ctx, codec, sim.Wide, hs)
	if err != nil {
		return nil, err
	}
	l := &lane{
		codec: codec, plan: plan, ctx: ctx, player: player, in: make(chan *crossGame, 8), done: make(chan struct{}),
		refused: make(map[string]int), lost: make(map[string]int),
	}
	for i := range player.streams {
		player.streams[i].enc = codec.encoder()
	}
	player.refill = l.refill
	if plan.Match != nil {
		if player.search, err = newSearcher(player, plan.Match); err != nil {
			return nil, err
		}
	}
	go l.run()
	return l, nil
}

// Add plays a game, which must not be changed or used again before Close.
func (c *Cross) Add(g *game.Game) {
	c.games++
	cg := newCrossGame(c.games, g)
	for i, l := range c.lanes {
		if !c.plan.Spread || i == c.games%len(c.lanes) {
			l.in <- cg
		}
	}
}

// run plays the games of a lane, on a thread of its own, whose time is the netlist's.
func (l *lane) run() {
	defer close(l.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	l.player.run(l.ctx)
	// After a difference the rest is not played.
	for range l.in {
	}
	l.cpu = threadTime() - start
}

func (l *lane) refill(s *stream) {
	for g := range l.in {
		if l.failed == nil && l.game(s, g) {
			return
		}
	}
	s.push(s.enc.end(nil), nil)
	s.ended = true
}

// refused960 is why games of Chess960 are left out: only the words have them, and the players refuse them.
var refused960 = fmt.Sprintf("%v, which the players refuse with error %d", codec.ErrChess960, oracle.FaultChess960)

// game encodes a game for a stream. It returns false if the codec cannot hold it.
func (l *lane) game(s *stream, g *crossGame) bool {
	leave := func(reason string) bool {
		count(l.refused, reason)
		if l.player.search != nil {
			l.left = append(l.left, g.number)
		}
		return false
	}
	if g.g.Start.IsChess960() {
		return leave(refused960)
	}
	data, h, err := s.enc.encode(l.bytes[:0], g)
	l.bytes = data
	switch {
	case errors.Is(err, ErrCodec):
		l.failed = fmt.Errorf("%s: game %d: %w", l.codec.Name, g.number, err)
		return false
	case err != nil:
		return leave(kindOf(err.Error()))
	}
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
		s.load(start)
	}
	// The last bytes of the game before go with this one's pattern.
	s.gap, s.ready = nil, nil
	if g.number <= patterned && g.number%2 == 0 {
		s.gap, s.ready = noise(uint64(2*g.number), 75), noise(uint64(2*g.number+1), 75)
	}
	s.push(data, g.wants(h, l.codec.setup.depth))
	if l.player.search != nil {
		s.numbers = append(s.numbers, g.number)
	}
	return true
}

// wants returns the beats of a player that plays variations up to a depth: 0 steps over them, and with any other a
// deeper one is an error.
func (g *crossGame) wants(h held, depth int) []oracle.Beat {
	var plies []oracle.Ply
	for _, p := range g.plies {
		if len(plies) < h.plies && (p.Depth == 0 || h.variations) {
			plies = append(plies, p)
		}
	}
	o := oracle.New(oracle.Params{Depth: depth})
	o.Played(g.g, plies)
	beats := o.Beats()
	for i := range beats {
		beats[i].Game = int32(g.number)
	}
	return beats
}

// count counts names, at most 30 of them.
func count(m map[string]int, name string) {
	if _, ok := m[name]; !ok && len(m) >= 30 {
		name = "others"
	}
	m[name]++
}

var (
	place  = regexp.MustCompile(` at ply \d+`)
	number = regexp.MustCompile(`^ply \d+| \$\d+`)
)

// kindOf takes the numbers and places off a loss: of "variation at ply 31" it returns "variation".
func kindOf(loss string) string {
	if strings.HasPrefix(loss, "tag ") {
		return "tags"
	}
	if loss = number.ReplaceAllString(place.ReplaceAllString(loss, ""), ""); strings.HasPrefix(loss, " and ") {
		return "moves" + loss
	}
	return loss
}

type CrossResult struct {
	Codec      string
	Tool       string
	Games      int64 // that came to their end and were as they must
	Plies      int64
	Clocks     int
	CPU        time.Duration  // of the simulation; for Go, of the netlist, the codec and the comparison
	Refused    map[string]int // games that the codec cannot hold, by the reason
	Lost       map[string]int // games that it holds in part, by what is lost
	Hits       []Hit          // of ply11_match, in the order of the games
	Left       []int          // the numbers of the refused games, in their order, where ply11_match searches
	Difference *Difference    // the first, or nil
}

func (r *CrossResult) PliesPerSecond() float64 {
	if r.CPU <= 0 {
		return 0
	}
	return float64(r.Plies) / r.CPU.Seconds()
}

// Close plays what is left and returns what came of each codec in each tool. An error is a simulation that did not come
// to its end, or ErrCodec.
func (c *Cross) Close() ([]CrossResult, error) {
	defer c.cancel()
	var results []CrossResult
	var errs []error
	for _, l := range c.lanes {
		close(l.in)
	}
	for _, l := range c.lanes {
		<-l.done
		var ends []End
		var err error
		if l.player.link != nil {
			ends, err = l.player.link.Close()
		}
		errs = append(errs, l.failed, err)
		r := CrossResult{
			Codec: l.codec.Name, Games: l.player.games, Plies: l.player.plies, Clocks: int(l.player.clocks),
			Refused: maps.Clone(l.refused), Lost: maps.Clone(l.lost),
		}
		if slices.Contains(c.plan.Tools, ToolGo) || l.player.mismatch != nil {
			own := r
			own.Tool, own.CPU, own.Difference = ToolGo, l.cpu, l.player.mismatch
			if l.player.search != nil {
				own.Hits, own.Left = l.player.search.sorted(), l.left
			}
			results = append(results, own)
		}
		for _, e := range ends {
			hard := r
			hard.Tool, hard.CPU, hard.Difference = e.Tool, e.CPU, e.Difference
			if e.Difference != nil {
				hard.Games, hard.Plies, hard.Clocks = 0, 0, e.Clocks
			}
			results = append(results, hard)
		}
	}
	return results, errors.Join(errs...)
}
