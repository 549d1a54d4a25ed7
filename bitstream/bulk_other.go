// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package bitstream

import "ply11/moveindex"

func unpackBulk(dst []moveindex.Index, src []byte, shift uint) int { return unpackGo(dst, src, shift) }

func packBulk(dst []byte, words []moveindex.Index, shift uint, carry uint64) (int, uint64) {
	return packGo(dst, words, shift, carry)
}
