// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"math/bits"

	"ply11/moveindex"
	"ply11/sim"
	"ply11/sim/oracle"
)

// A playerFeed gives a stream of bytes to a player's model, clock by clock over a Link, and compares each
// beat with what must come.
type playerFeed struct {
	player *sim.Player
	link   *Link
	bytes  []byte // still to be taken
	wants  []oracle.Beat
	// gap and ready say in which clocks the input is offered and a beat taken; nil is always.
	gap, ready sim.Pattern

	loads    []oracle.Load
	row      int // of a load, the rows that have gone
	pushed   [2]int64
	moved    [2]int64
	at       int // of the bytes
	wantAt   int
	offered  bool
	quiet    int // clocks since something moved
	plies    int64
	games    int64
	errors   [16]int      // by their codes
	erred    bool         // there was an ERROR in this game
	held     oracle.State // the position that it showed
	mismatch *Difference
}

// loadRows is the order in which ply11_player's load port takes a position.
var loadRows = [9]uint8{7, 6, 5, 4, 3, 2, 1, 0, 8}

// load loads a position before what is pushed next.
func (f *playerFeed) load(s oracle.State) {
	f.loads = append(f.loads, oracle.Load{Bytes: f.pushed[0], Beats: f.pushed[1], State: s})
}

// drive sets the inputs of the load port and reports whether bytes must wait for a load.
func (f *playerFeed) drive() bool {
	in := &f.player.In
	in.LoadValid = false
	if len(f.loads) == 0 || f.moved[0] < f.loads[0].Bytes {
		return false
	}
	if l := &f.loads[0]; f.moved[1] == l.Beats {
		in.LoadValid, in.LoadAddr = true, loadRows[f.row]
		in.LoadData = l.State.LoadData(int(in.LoadAddr))
	}
	return true
}

// quietClocks is how long a player may give nothing, at the end of its input, before a beat is missed.
const quietClocks = 4096

// push appends bytes and what must come of them.
func (f *playerFeed) push(data []byte, wants []oracle.Beat) {
	if f.at > len(f.bytes)/2 {
		f.bytes = f.bytes[:copy(f.bytes, f.bytes[f.at:])]
		f.at = 0
	}
	if f.wantAt > len(f.wants)/2 {
		f.wants = f.wants[:copy(f.wants, f.wants[f.wantAt:])]
		f.wantAt = 0
	}
	idle := f.wantAt == len(f.wants)
	f.pushed[0] += int64(len(data))
	f.pushed[1] += int64(len(wants))
	f.bytes = append(f.bytes, data...)
	f.wants = append(f.wants, wants...)
	if idle {
		f.mark()
	}
}

// mark says to the link which beat comes next.
func (f *playerFeed) mark() {
	if f.wantAt < len(f.wants) {
		w := &f.wants[f.wantAt]
		f.link.Mark(int(w.Game), int(w.Ply)-1)
	}
}

// clock is one clock; false after a difference.
func (f *playerFeed) clock() bool {
	in, o := &f.player.In, &f.player.Out
	size := f.player.Params().Width / 8
	wait := f.drive()
	if !f.offered && !wait && len(f.bytes)-f.at >= size && (f.gap == nil || f.gap()) {
		f.offered = true
		in.SData = 0
		for i := range size {
			in.SData |= uint64(f.bytes[f.at+i]) << (8 * i)
		}
	}
	in.SValid = f.offered
	in.MReady = f.ready == nil || f.ready()
	f.player.Eval()
	code, state := o.MError&15, o.State
	taken, beat := in.SValid && o.SReady, o.MValid && in.MReady
	ok := true
	if beat {
		ok = f.check()
	}
	f.quiet++
	if taken || beat {
		f.quiet = 0
	}
	if taken {
		f.at += size
		f.moved[0] += int64(size)
		f.offered = false
	}
	if in.LoadValid && o.LoadReady {
		f.quiet = 0
		if f.row++; f.row == len(loadRows) {
			f.row = 0
			f.loads = f.loads[:copy(f.loads, f.loads[1:])]
		}
	}
	f.link.Clock()
	if !ok {
		f.refute()
		return false
	}
	if beat {
		w := &f.wants[f.wantAt]
		f.wantAt++
		f.moved[1]++
		switch w.Kind {
		case oracle.BeatPly:
			f.plies++
		case oracle.BeatEnd:
			f.games++
			f.erred = false
		case oracle.BeatError:
			f.errors[code]++
			f.erred, f.held = true, state
		}
		f.mark()
	}
	return true
}

// check compares the beat that is offered.
func (f *playerFeed) check() bool {
	if f.wantAt == len(f.wants) {
		return false
	}
	o, shown := &f.player.Out, shownBy(&f.player.Out)
	// After an ERROR the position stays, to the END and with it; after one of a start position it is the usual one.
	if f.erred && o.State != f.held || o.MKind == oracle.BeatError && shown.Fault.OfStart() && o.State != oracle.Initial() {
		return false
	}
	return f.wants[f.wantAt].Is(&shown)
}

// shownBy is the beat at the outputs of a player.
func shownBy(o *sim.PlayerOut) oracle.Shown {
	return oracle.Shown{
		Kind: o.MKind, Result: o.MResult, Depth: o.MDepth, Fault: oracle.Fault(o.MError), Reason: oracle.Reason(o.MReason),
		Index: moveindex.Index(o.MIndex), Offset: o.MOffset, State: &o.State,
		Flags: oracle.Flags{Check: o.MCheck, Mate: o.MMate, Stalemate: o.MStalemate},
	}
}

// refute tells of the beat in the last clock.
func (f *playerFeed) refute() {
	if f.wantAt == len(f.wants) {
		f.mismatch = f.link.Refute(map[string]string{"m_valid": "0"})
		return
	}
	w := &f.wants[f.wantAt]
	want := map[string]string{
		"m_kind":   fmt.Sprintf("%x", w.Kind),
		"m_result": fmt.Sprintf("%x", w.Result),
	}
	if codes := max(w.Codes, 1); codes>>f.player.Out.MError&1 == 0 {
		want["m_error"] = fmt.Sprintf("%x", bits.TrailingZeros16(codes))
	}
	if w.Kind == oracle.BeatPly {
		want["m_depth"] = fmt.Sprintf("%02x", w.Depth)
		want["m_index"] = fmt.Sprintf("%03x", uint16(w.Index))
	}
	if w.Offset >= 0 {
		want["m_offset"] = fmt.Sprintf("%08x", uint32(w.Offset))
	}
	s := w.State
	if f.erred {
		s = &f.held
	}
	if s != nil {
		want["board"] = s.Digits()
		want["side"] = fmt.Sprintf("%x", s.Side)
		want["rights"] = fmt.Sprintf("%x", s.Rights)
		want["ep"] = fmt.Sprintf("%x", s.EP)
		want["ply"] = fmt.Sprintf("%04x", s.Ply)
	}
	f.mismatch = f.link.Refute(want)
}

// play goes on until only so many bytes are left. It is false after a difference.
func (f *playerFeed) play(left int) bool {
	for f.mismatch == nil && len(f.bytes)-f.at > left {
		if f.quiet > quietClocks {
			// Nothing moves any more.
			f.mismatch = f.link.Refute(map[string]string{"s_ready": "1"})
			break
		}
		f.clock()
	}
	return f.mismatch == nil
}

// finish plays all that is left, and waits for every beat, and some clocks more in which none may come.
func (f *playerFeed) finish() bool {
	if !f.play(f.player.Params().Width/8 - 1) {
		return false
	}
	for f.wantAt < len(f.wants) {
		if f.quiet > quietClocks {
			f.mismatch = f.link.Refute(map[string]string{"m_valid": "1"})
			return false
		}
		if !f.clock() {
			return false
		}
	}
	for range 64 {
		if !f.clock() {
			return false
		}
	}
	return true
}
