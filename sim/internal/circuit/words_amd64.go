// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package circuit

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// and is andGo.
func and(words int, v, out []uint64, gates []op) {
	if hasAVX2 && words == 4 && len(gates) > 0 {
		and256(&v[0], &out[0], &gates[0].a, len(gates))
	} else {
		andGo(words, v, out, gates)
	}
}

// take is takeGo.
func take(words int, v, registers, next []uint64, enable *[4]uint64, sources []source) {
	if hasAVX2 && words == 4 && len(sources) > 0 {
		take256(&v[0], &registers[0], &next[0], enable, &sources[0].at, len(sources))
	} else {
		takeGo(words, v, registers, next, enable, sources)
	}
}
