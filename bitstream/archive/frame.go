// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"errors"

	"github.com/klauspost/compress/zstd"
)

const maxWindow = maxColumn

// checkFrame verifies that b is one zstd frame and nothing else (RFC 8878, 3.1.1), without dictionary, reserved bits,
// or a window beyond maxWindow. The decoder verifies the rest.
func checkFrame(b []byte) error {
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return err
	}
	switch {
	case h.Skippable:
		return errors.New("a zstd frame is to be skipped")
	case b[4]&3 != 0:
		return errors.New("the zstd frame has a dictionary")
	case !h.SingleSegment && h.WindowSize > maxWindow:
		return errors.New("the window of the zstd frame is larger than 16 MiB")
	}
	at := h.HeaderSize
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
	if h.HasCheckSum {
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
	var h zstd.Header
	h.Decode(dst[from:]) // it was made by an encoder
	at := from + h.HeaderSize
	dst = append(dst, make([]byte, 3*blocks)...)
	copy(dst[at+3*blocks:], dst[at:])
	clear(dst[at : at+3*blocks])
	return dst
}
