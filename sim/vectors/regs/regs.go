// SPDX-License-Identifier: Apache-2.0

// Package regs records what ply11_regs gives in ply11_regs_tb: what its netlist gives when the vectors are made. So the
// bench notices what changes; that the registers are right is told by hdl/registers.tsv, with which a test of
// cmd/genrom/internal/hwdoc compares the netlist.
//
// The bench makes the same inputs by the same generator; a line has, for every 64 clocks,
// the sums so far of what it calls bus, responses and player, 16 bits each.
package regs

import (
	"bytes"
	"fmt"

	"ply11/sim/vectors/dut"
)

const (
	clocks = 16384
	block  = 64
	settle = 4 // clocks at the start with aresetn 0
)

// Addresses of registers of hdl/registers.tsv.
const (
	control   = 0x08
	interrupt = 0x10
	snapshot  = 0x18
	games     = 0x20
	perft     = 0x80
)

// mix adds a word to a sum, as the function mix of the bench does.
func mix(sum *uint32, word uint32) { *sum = (*sum<<5 | *sum>>27 ^ word) * 0x9e3779b1 }

// Files returns the file, by its name below the root of the project.
func Files(make dut.Maker) map[string][]byte {
	state := uint32(11)
	next := func() uint32 {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		return state
	}
	r := make.New("ply11_regs", "MODES=7", "PERFT=10", "MATCH=1")
	var text bytes.Buffer
	var bus, responses, player uint32
	for n := range clocks {
		c, a := next(), next()
		r.SetBit("aresetn", n >= settle && c>>23 != 0)
		r.SetBit("s_axil_awvalid", c>>8&3 != 0)
		r.SetBit("s_axil_wvalid", c>>10&3 != 0)
		r.SetBit("s_axil_bready", c>>12&1 != 0)
		r.SetBit("s_axil_arvalid", c>>13&1 != 0)
		r.SetBit("s_axil_rready", c>>14&3 != 0)
		r.SetBit("load_ready", c>>16&3 == 0)
		r.SetBit("beat_tvalid", c>>18&1 != 0)
		r.SetBit("beat_tready", c>>19&1 != 0)
		r.SetBit("in_game", c>>20&1 != 0)
		r.Set("s_axil_wstrb", uint64(c>>4&15))
		write, read := a&127, a>>7&127
		if a>>21&3 == 0 {
			write = interrupt
			if c>>22&1 == 0 {
				write = snapshot
			}
		}
		if a>>23&3 == 0 {
			read = interrupt
			if c>>21&1 == 0 {
				read = games | a>>7&31
			}
		}
		if a>>25&7 == 0 {
			write = perft
			if a>>28&1 != 0 {
				write |= a & 127
			}
		}
		if a>>29 == 0 {
			read = perft | a>>7&15 | (a>>12&1)*(a>>11&1)<<4
		}
		r.Set("s_axil_awaddr", uint64(write))
		r.Set("s_axil_araddr", uint64(read))
		data := next()
		if write>>2 == control>>2 {
			// CLEAR and RESET are seldom.
			if a>>16&1 == 0 {
				data &^= 2
			}
			if a>>19&3 != 0 {
				data &^= 1
			}
		}
		r.Set("s_axil_wdata", uint64(data))
		word := func() uint64 {
			low := uint64(next())
			return low | uint64(next())<<32
		}
		r.SetWords("beat_tdata", word(), word())
		r.SetWords("board", word(), word(), word(), word())
		p := next()
		r.SetBit("perft_ready", p&3 != 0)
		r.SetBit("perft_load_ready", p>>2&3 == 0)
		r.SetBit("count_valid", p>>4&1 != 0)
		r.SetBit("count_last", p>>5&1 != 0)
		r.Set("count_depth", uint64(p>>6&15))
		r.SetBit("hit", p>>10&3 == 0)
		r.Set("count", word())
		r.Set("hits", uint64(next()))
		r.Eval()
		if n >= settle {
			get := func(name string) uint32 { return uint32(r.Get(name)) }
			mix(&bus, get("s_axil_awready")*3|get("s_axil_bvalid")<<2|get("s_axil_arready")<<3|get(
				"s_axil_rvalid")<<4|get("irq")<<5|
				get("player_reset")<<6|get("mode")<<7|get("load_valid")<<9|get("player_restart")<<10|get(
				"numbering")<<11)
			var data, code, load, at, depth uint32
			if r.Bit("s_axil_bvalid") {
				code = get("s_axil_bresp")
			}
			if r.Bit("s_axil_rvalid") {
				data, code = get("s_axil_rdata"), code|get("s_axil_rresp")<<2
			}
			if r.Bit("load_valid") || r.Bit("perft_load_valid") {
				load, at = get("load_data"), get("load_addr")
			}
			mix(&responses, data)
			mix(&responses, code)
			mix(&player, load)
			mix(&player, at)
			if r.Bit("perft_valid") {
				depth = get("perft_depth")
			}
			mix(&player, get("perft_reset")<<7|get("perft_valid")<<6|get("perft_load_valid")<<5|get(
				"count_ready")<<4|depth)
			var set, word uint32
			if r.Bit("set_valid") {
				set, word = get("set_data"), get("set_addr")
			}
			mix(&player, set)
			mix(&player, get("match_clear")<<6|get("set_valid")<<5|word)
		}
		if n%block == block-1 {
			fmt.Fprintf(&text, "%04x%04x%04x\n", bus>>16, responses>>16, player>>16)
		}
		r.Step()
	}
	return map[string][]byte{"hdl/tb/ply11_regs/sums.hex": text.Bytes()}
}
