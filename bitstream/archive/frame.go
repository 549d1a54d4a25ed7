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
