// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package circuit

func and(words int, v []uint64, list []ops) { andGo(words, v, list) }

func take(words int, v []uint64, sources []source, enable *[4]uint64) {
	takeGo(words, v, sources, enable)
}

func changes(words int, v []uint64, sources []source, enable *[4]uint64) bool {
	return changesGo(words, v, sources, enable)
}
