// SPDX-License-Identifier: Apache-2.0

package archive

import "errors"

const maxWindow = maxColumn

// checkFrame verifies that b is one zstd frame and nothing else (RFC 8878, 3.1.1), without dictionary, reserved bits,
// or a window beyond maxWindow. The decoder verifies the rest.
func checkFrame(b []byte) error {
	if len(b) < 6 || le.Uint32(b) != 0xfd2fb528 {
		return errors.New("no zstd frame begins here")
	}
	descriptor := b[4]
	single := descriptor>>5&1 != 0
	if descriptor>>3&1 != 0 {
		return errors.New("a reserved bit of the zstd frame is set")
	}
	if descriptor&3 != 0 {
		return errors.New("the zstd frame has a dictionary")
	}
	if !single {
		exponent, mantissa := b[5]>>3, b[5]&7
		if window := uint64(1) << (10 + exponent); window+window/8*uint64(mantissa) > maxWindow {
			return errors.New("the window of the zstd frame is larger than 16 MiB")
		}
	}
	at := frameBlocks(b)
	for {
		if at+3 > len(b) {
			return errors.New("the zstd frame ends too early")
		}
		header := uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16
		at += 3
		if header>>1&3 == 1 {
			at++ // one byte, again and again
		} else {
			at += int(header >> 3)
		}
		if header&1 != 0 {
			break
		}
	}
	if descriptor>>2&1 != 0 {
		at += 4 // the checksum of its content
	}
	if at > len(b) {
		return errors.New("the zstd frame ends too early")
	}
	if at < len(b) {
		return errors.New("there is more than one zstd frame")
	}
	return nil
}

// frameBlocks returns where the first block of a frame without a dictionary is: behind a mark of four bytes, a
// descriptor, a byte of the window unless the frame is a single segment, and the length of the content (3.1.1.1).
func frameBlocks(b []byte) int {
	single, size := b[4]>>5&1 != 0, b[4]>>6
	at := 5
	if !single {
		at++
	}
	if single || size > 0 {
		at += 1 << size
	}
	return at
}

func appendFrame(dst, raw []byte) []byte {
	// a single segment, its size in four bytes, the greatest block (3.1.1.2.4)
	const single, size4, most = 1 << 5, 2 << 6, 128 << 10
	dst = append(dst, 0x28, 0xb5, 0x2f, 0xfd, single|size4)
	dst = le.AppendUint32(dst, uint32(len(raw)))
	for {
		n := min(len(raw), most)
		last := byte(0)
		if n == len(raw) {
			last = 1
		}
		dst = append(dst, byte(n<<3)|last, byte(n>>5), byte(n>>13))
		dst = append(dst, raw[:n]...)
		if raw = raw[n:]; last == 1 {
			return dst
		}
	}
}

// padFrame lengthens the zstd frame dst[from:] to a least length. It puts empty blocks before the frame's first: three
// zero bytes each, "a raw block of no bytes, not the last" (RFC 8878, 3.1.1.2).
func padFrame(dst []byte, from, least int) []byte {
	blocks := (least - (len(dst) - from) + 2) / 3
	if blocks <= 0 {
		return dst
	}
	at := from + frameBlocks(dst[from:])
	dst = append(dst, make([]byte, 3*blocks)...)
	copy(dst[at+3*blocks:], dst[at:])
	clear(dst[at : at+3*blocks])
	return dst
}
