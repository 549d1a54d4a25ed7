// SPDX-License-Identifier: Apache-2.0

// Package regs makes what ply11_regs gives in ply11_regs_tb by its model in package sim.
//
// The bench makes the same inputs by the same generator; a line has, for every 64 clocks,
// the sums so far of what it calls bus, responses and player, 16 bits each.
package regs

import (
	"bytes"
	"fmt"

	"ply11/sim"
	"ply11/sim/vectors/sums"
)

const (
	clocks = 16384
	block  = 64
	settle = 4 // clocks at the start with aresetn 0
)

// Files returns the file, by its name below the root of the project.
func Files() map[string][]byte {
	state := uint32(11)
	next := func() uint32 {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		return state
	}
	r := sim.NewRegs(sim.PeripheralParams{PlayerParams: sim.PlayerParams{Modes: 7}, Perft: sim.MaxPerft})
	in, o := &r.In, &r.Out
	var text bytes.Buffer
	var bus, responses, player uint32
	for n := range clocks {
		c, a := next(), next()
		in.Aresetn = n >= settle && c>>24 != 0
		in.AWValid, in.WValid = c>>8&3 != 0, c>>10&3 != 0
		in.BReady, in.ARValid, in.RReady = c>>12&1 != 0, c>>13&1 != 0, c>>14&3 != 0
		in.LoadReady, in.BeatTValid, in.BeatTReady, in.InGame = c>>16&3 == 0, c>>18&1 != 0, c>>19&1 != 0, c>>20&1 != 0
		in.WStrb = uint8(c >> 4 & 15)
		in.AWAddr, in.ARAddr = uint8(a&127), uint8(a>>7&127)
		if a>>21&3 == 0 {
			in.AWAddr = sim.RegInterrupt
		}
		if a>>23&3 == 0 {
			in.ARAddr = sim.RegInterrupt
		}
		if a>>25&7 == 0 {
			in.AWAddr = sim.RegPerft
			if a>>28&1 != 0 {
				in.AWAddr |= uint8(a & 127)
			}
		}
		if a>>29 == 0 {
			in.ARAddr = sim.RegPerft | uint8(a>>7&15)
		}
		in.WData = next()
		if in.AWAddr>>2 == sim.RegControl>>2 {
			// CLEAR and RESET are rare.
			if a>>16&7 != 0 {
				in.WData &^= 2
			}
			if a>>19&3 != 0 {
				in.WData &^= 1
			}
		}
		for k := range 2 {
			in.BeatTData[k] = uint64(next())
			in.BeatTData[k] |= uint64(next()) << 32
		}
		for k := range 4 {
			in.Board[k] = uint64(next())
			in.Board[k] |= uint64(next()) << 32
		}
		p := next()
		in.PerftReady, in.PerftLoadReady, in.CountValid, in.CountLast = p&3 != 0, p>>2&3 == 0, p>>4&1 != 0, p>>5&1 != 0
		in.CountDepth = uint8(p >> 6 & 15)
		in.Count = uint64(next())
		in.Count |= uint64(next()) << 32
		r.Eval()
		if n >= settle {
			sums.Mix(&bus, sums.Bit(o.AWReady)*3|sums.Bit(o.BValid)<<2|sums.Bit(o.ARReady)<<3|sums.Bit(o.RValid)<<4|sums.Bit(o.IRQ)<<5|sums.Bit(o.PlayerReset)<<6|
				uint32(o.Mode)<<7|sums.Bit(o.LoadValid)<<9|sums.Bit(o.PlayerRestart)<<10|uint32(o.Numbering)<<11)
			var data, code, load, at, perft uint32
			if o.BValid {
				code = uint32(o.BResp)
			}
			if o.RValid {
				data, code = o.RData, code|uint32(o.RResp)<<2
			}
			if o.LoadValid || o.PerftLoadValid {
				load, at = o.LoadData, uint32(o.LoadAddr)
			}
			sums.Mix(&responses, data)
			sums.Mix(&responses, code)
			sums.Mix(&player, load)
			sums.Mix(&player, at)
			if o.PerftValid {
				perft = uint32(o.PerftDepth)
			}
			sums.Mix(&player, sums.Bit(o.PerftReset)<<7|sums.Bit(o.PerftValid)<<6|sums.Bit(o.PerftLoadValid)<<5|sums.Bit(o.CountReady)<<4|perft)
		}
		if n%block == block-1 {
			fmt.Fprintf(&text, "%04x%04x%04x\n", bus>>16, responses>>16, player>>16)
		}
		r.Step()
	}
	return map[string][]byte{"hdl/tb/ply11_regs/sums.hex": text.Bytes()}
}
