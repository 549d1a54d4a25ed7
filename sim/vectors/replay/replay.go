// SPDX-License-Identifier: Apache-2.0

// Package replay makes what ply11_player's second bench, ply11_player_replay_tb, plays: the inputs of some
// thousand clocks and what the player's netlist gives for them when the vectors are made. So the bench notices what changes; that the beats
// are right is told by the first bench, whose vectors come from codecs and rules.
//
// The files are replay.NAME.…, made from the bytes of the first bench. Games begin anywhere in these, and bytes
// are wrong now and then; resets come at any moment, and with them another mode; start positions come when
// they may and when they may not; idle clocks and back-pressure change.
//
// clocks.hex has a clock a line: {0, rst, mode 2, the next start word, load_valid, m_ready, s_valid, s_data 8};
// starts.hex a start word a line, {load_addr 4, load_data 32}; sums.hex, for every 16 clocks, the sums so far
// of what ply11_player_replay_tb calls handshakes, beat, position and text, 16 bits each.
package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"ply11/sim/oracle"
	"ply11/sim/vectors/dut"
	"ply11/sim/vectors/sums"
)

// folder is where the files are.
const folder = "hdl/tb/ply11_player/"

// settle is the number of clocks at the start in which rst is 1 and nothing is compared.
const settle = 4

// block is the number of clocks of a line of sums.
const block = 16

// added is what the bench adds up.
type added [4]uint32

// clock adds the outputs of a clock, as far as they have a meaning.
func (s *added) clock(p *dut.DUT) {
	get := func(name string) uint32 { return uint32(p.Get(name)) }
	sums.Mix(&s[0], get("s_ready")|get("load_ready")<<1|get("m_valid")<<2|get("text_valid")<<3|get("in_game")<<4)
	var a, b, c uint32
	if p.Bit("m_valid") {
		kind, fault := uint8(get("m_kind")), oracle.Fault(get("m_error"))
		a = uint32(kind) | get("m_result")<<2 | uint32(fault)<<4 | get("m_from")<<8 | get("m_to")<<14 | get("m_promotion")<<20 | get("m_depth")<<23
		b = get("m_offset")
		c = get("m_man")<<11 | get("m_captured")<<15
		if kind != oracle.BeatEnd && !(kind == oracle.BeatError && fault.OfStart()) {
			c |= get("m_index")
		}
	}
	sums.Mix(&s[1], a)
	sums.Mix(&s[1], b)
	sums.Mix(&s[1], c)
	shown := position(p)
	for _, men := range shown.Men {
		sums.Mix(&s[2], uint32(men))
		sums.Mix(&s[2], uint32(men>>32))
	}
	sums.Mix(&s[2], shown.LoadData(8))
	var text uint32
	if p.Bit("text_valid") {
		text = get("text_data") | get("text_last")<<8 | get("text_kind")<<9
	}
	sums.Mix(&s[3], text)
}

// position is what the player shows.
func position(p *dut.DUT) (s oracle.State) {
	for k := range s.Men {
		s.Men[k] = p.Word("board", k)
	}
	s.Side, s.Rights, s.EP, s.Ply = uint8(p.Get("side")), uint8(p.Get("rights")), uint8(p.Get("ep")), uint16(p.Get("ply"))
	return s
}

// A config is a player, and the files of bytes of its modes.
type config struct {
	name   string
	params []string
	bytes  [3]string
	clocks int
	seed   uint64
}

// A stream is a file of bytes, and where its games end.
type stream struct {
	data []byte
	ends []int
}

func readStream(files map[string][]byte, name string) (s stream) {
	for _, line := range strings.Fields(string(files[folder+name+".bytes.hex"])) {
		var b byte
		if _, err := fmt.Sscanf(line, "%x", &b); err != nil {
			panic(err)
		}
		s.data = append(s.data, b)
	}
	for _, line := range strings.Fields(string(files[folder+name+".beats.hex"])) {
		var offset int
		if _, err := fmt.Sscanf(line[13:21], "%x", &offset); err != nil {
			panic(err)
		}
		if line[0] == '0'+oracle.BeatEnd {
			s.ends = append(s.ends, offset)
		}
	}
	return s
}

// from picks a byte to begin with: that of a game, one not far before an end, or any.
func (s stream) from(rng *rand.Rand, words bool) int {
	if len(s.ends) == 0 {
		return 0
	}
	end, at := s.ends[rng.IntN(len(s.ends))], 0
	switch rng.IntN(5) {
	case 0, 1:
		at = end - rng.IntN(60)
	case 2:
		if at = end + 1; words {
			at = end + 10
		}
	case 3:
		at = rng.IntN(len(s.data))
	}
	if words {
		at -= at % 11 // where words begin
	}
	return min(max(at, 0), len(s.data)-1)
}

// A replay is what is written of a player.
type replay struct {
	rng                  *rand.Rand
	p                    *dut.DUT
	clocks, words, lines bytes.Buffer
	count                int
	sum                  added
	word                 uint64 // the start word at the inputs
}

// inputs are those of a clock.
type inputs struct {
	rst, sValid, loadValid, mReady bool
	mode, sData, loadAddr          uint8
	loadData                       uint32
}

// set puts them on the player.
func (in *inputs) set(p *dut.DUT) {
	p.SetBit("rst", in.rst)
	p.SetBit("s_valid", in.sValid)
	p.SetBit("load_valid", in.loadValid)
	p.SetBit("m_ready", in.mReady)
	p.Set("mode", uint64(in.mode))
	p.Set("s_data", uint64(in.sData))
	p.Set("load_addr", uint64(in.loadAddr))
	p.Set("load_data", uint64(in.loadData))
}

// step is a clock.
func (r *replay) step(in *inputs) {
	word := uint64(in.loadAddr)<<32 | uint64(in.loadData)
	next := word != r.word || r.count == 0
	if r.word = word; next {
		fmt.Fprintf(&r.words, "%09x\n", word)
	}
	fmt.Fprintf(&r.clocks, "%04x\n", sums.Bit(in.rst)<<14|uint32(in.mode)<<12|sums.Bit(next)<<11|sums.Bit(in.loadValid)<<10|sums.Bit(in.mReady)<<9|
		sums.Bit(in.sValid)<<8|uint32(in.sData))
	in.set(r.p)
	r.p.Eval()
	if r.count >= settle {
		r.sum.clock(r.p)
	}
	if r.count++; r.count%block == 0 {
		for _, s := range r.sum {
			fmt.Fprintf(&r.lines, "%04x", s>>16)
		}
		r.lines.WriteByte('\n')
	}
}

// start makes the words of a start position: one that was on the board, with any number of plies, and now and
// then with something wrong.
func (r *replay) start(seen []oracle.State) [][2]uint32 {
	s := oracle.Initial()
	if len(seen) > 0 {
		s = seen[r.rng.IntN(len(seen))]
	}
	s.Ply = uint16(r.rng.Uint32())
	var list [][2]uint32
	for _, addr := range [...]int{7, 6, 5, 4, 3, 2, 1, 0, 8} {
		list = append(list, [2]uint32{uint32(addr), s.LoadData(addr)})
	}
	switch r.rng.IntN(8) {
	case 0: // any man
		list[r.rng.IntN(8)][1] ^= uint32(1+r.rng.IntN(15)) << (4 * r.rng.IntN(8))
	case 1: // any rank
		list[r.rng.IntN(8)][1] = r.rng.Uint32()
	case 2: // one king more, of either side
		k := &list[r.rng.IntN(8)][1]
		shift := 4 * r.rng.IntN(8)
		*k = *k&^(15<<shift) | uint32(1+8*r.rng.IntN(2))<<shift
	case 3: // any state
		list[8][1] = r.rng.Uint32()
	case 4: // not all of it
		list = list[:1+r.rng.IntN(8)]
	}
	return list
}

func (c config) run(make dut.Maker, given, made map[string][]byte) {
	p := make.New("ply11_player", c.params...)
	r := &replay{rng: rand.New(rand.NewPCG(c.seed, 11)), p: p}
	rng, in := r.rng, new(inputs)
	var files [3]stream
	var modes []uint8
	for m, name := range c.bytes {
		if name != "" {
			files[m] = readStream(given, name)
			modes = append(modes, uint8(m))
		}
	}
	var seen []oracle.State
	in.rst, in.loadAddr = true, 7
	for range settle {
		r.step(in)
		p.Step()
	}
	for r.count < c.clocks {
		// A stretch from a reset on.
		in.mode = modes[rng.IntN(len(modes))]
		if rng.IntN(24) == 0 {
			in.mode = uint8(rng.IntN(4))
		}
		in.rst = true
		in.sValid, in.loadValid, in.mReady = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		r.step(in)
		p.Step()
		in.rst = false
		length := 20 + rng.IntN(300)
		if in.mode == oracle.ModeBrenner {
			length += 64
		}
		if rng.IntN(16) == 0 {
			length = 1 + rng.IntN(4)
		}
		var data []byte
		at := 0
		if in.mode < 3 {
			data = files[in.mode].data
			at = files[in.mode].from(rng, in.mode == oracle.ModeWords)
		}
		full := []int{100, 100, 60, 20}
		gap, stall := full[rng.IntN(4)], full[rng.IntN(4)]
		wrong := rng.IntN(3) * rng.IntN(12)
		loads, noise := rng.IntN(3) != 0 && in.mode != oracle.ModeWords, rng.IntN(6) == 0
		var start [][2]uint32
		in.sValid, in.loadValid = false, false
		sIn, idle := false, 0
		for n := 0; n < length && r.count < c.clocks; n++ {
			if !sIn && rng.IntN(100) < gap {
				in.sData = uint8(rng.IntN(256))
				if at < len(data) && rng.IntN(1000) >= wrong*5 {
					in.sData = data[at]
					at++
				}
				sIn = true
			}
			in.sValid = sIn
			in.mReady = rng.IntN(100) < stall
			in.set(p)
			p.Eval()
			if loads && start == nil && !p.Bit("in_game") && (n < 2 || rng.IntN(6) == 0) {
				start = r.start(seen)
			}
			switch {
			case len(start) > 0:
				in.loadValid = in.loadValid || rng.IntN(4) != 0
				in.loadAddr, in.loadData = uint8(start[0][0]), start[0][1]
			case noise && rng.IntN(4) == 0:
				in.loadValid, in.loadAddr, in.loadData = true, uint8(rng.IntN(16)), rng.Uint32()
			default:
				in.loadValid = false
			}
			r.step(in)
			if p.Bit("m_valid") && uint8(p.Get("m_kind")) == oracle.BeatPly && rng.IntN(8) == 0 && (p.Get("ply") > 8 || rng.IntN(8) == 0) {
				seen = append(seen, position(p))
			}
			idle++
			taken, loaded := in.sValid && p.Bit("s_ready"), in.loadValid && p.Bit("load_ready")
			p.Step()
			if taken {
				sIn, idle = false, 0
			}
			if loaded && len(start) > 0 {
				start = start[1:]
				in.loadValid = false
				if loads = rng.IntN(2) == 0; len(start) == 0 {
					start = nil
				}
				idle = 0
			}
			// Nothing more comes of it, as after half a start position.
			if idle > 80 && stall > 50 {
				break
			}
		}
	}
	for ending, text := range map[string]*bytes.Buffer{"clocks": &r.clocks, "starts": &r.words, "sums": &r.lines} {
		made[folder+"replay."+c.name+"."+ending+".hex"] = text.Bytes()
	}
}

// Files returns the files, by their names below the root of the project; given are those of package player.
func Files(make dut.Maker, given map[string][]byte) map[string][]byte {
	made := map[string][]byte{}
	for _, c := range []config{
		{"words", []string{"MODES=1"}, [3]string{"words"}, 6144, 1},
		{"brenner", []string{"MODES=2"}, [3]string{1: "main"}, 6144, 2},
		{"lines", []string{"MODES=4", "DIALECT=1", "DEPTH=3"}, [3]string{2: "jose-lines"}, 5120, 3},
		{"all", []string{"MODES=7"}, [3]string{"words", "main", "jose"}, 8192, 4},
	} {
		c.run(make, given, made)
	}
	return made
}
