// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package circuit

func and(words int, v, out []uint64, gates []op) { andGo(words, v, out, gates) }

func take(words int, v, registers, next []uint64, enable *[4]uint64, sources []source) {
	takeGo(words, v, registers, next, enable, sources)
}
