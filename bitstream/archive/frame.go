// SPDX-License-Identifier: Apache-2.0

package archive

// padFrame lengthens the zstd frame dst[from:], which is of raw bytes, to what a reader allows for so many: maxRatio and
// minRaw. It puts empty blocks before the frame's first: three zero bytes each, "a raw block of no bytes, not the last"
// (RFC 8878, 3.1.1.2).
func padFrame(dst []byte, from, raw int) []byte {
	least := (raw - minRaw + maxRatio - 1) / maxRatio
	blocks := (least - (len(dst) - from) + 2) / 3
	if blocks <= 0 {
		return dst
	}
	// The frame begins with a mark of four bytes, a descriptor, and, as it is a single segment without a dictionary, the
	// length of its content in 1, 2, 4 or 8 bytes (3.1.1.1).
	at := from + 5 + 1<<(dst[from+4]>>6)
	dst = append(dst, make([]byte, 3*blocks)...)
	copy(dst[at+3*blocks:], dst[at:])
	clear(dst[at : at+3*blocks])
	return dst
}
