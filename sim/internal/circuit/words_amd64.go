// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package circuit

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// and is andGo.
func and(words int, v []uint64, list []ops) {
	if hasAVX2 && words == 4 && len(list) > 0 {
		and256(&v[0], &list[0][0].a, len(list))
	} else {
		andGo(words, v, list)
	}
}

// take is takeGo.
func take(words int, v []uint64, sources []source, enable *[4]uint64) {
	if hasAVX2 && words == 4 && len(sources) > 0 {
		take256(&v[0], &sources[0].at, enable, len(sources))
	} else {
		takeGo(words, v, sources, enable)
	}
}

// changes is changesGo.
func changes(words int, v []uint64, sources []source, enable *[4]uint64) bool {
	if hasAVX2 && words == 4 && len(sources) > 0 {
		return changes256(&v[0], &sources[0].at, enable, len(sources))
	}
	return changesGo(words, v, sources, enable)
}
