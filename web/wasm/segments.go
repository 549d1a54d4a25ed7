// SPDX-License-Identifier: Apache-2.0

//go:build !js

package wasm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// errModule: what is no module of WebAssembly as Go's linker writes it.
var errModule = errors.New("not a module of the linker")

// mostZeros is how many zeros two segments of data may have between them to become one. Of 95,292 segments of the
// program explorer, 1,024 leaves 4, and 64 would leave 26.
const mostZeros = 1024

// dataSection is the number of the section of a module's data.
const dataSection = 11

// segment is data that a module has for its memory, which is zero elsewhere.
type segment struct {
	at   int64
	data []byte
}

// joinSegments joins the segments of a module's data that have few zeros between them, and leaves the rest of the
// module as it is. The linker leaves out each run of eight zeros or more, and so makes up to 100,000 segments, and no
// flag of it says otherwise. That is shorter, but a compressor takes less for zeros than for the place of each segment.
func joinSegments(module []byte) ([]byte, error) {
	const head = 8 // the magic number and the version
	if len(module) < head || string(module[:head]) != "\x00asm\x01\x00\x00\x00" {
		return nil, errModule
	}
	out := slices.Clone(module[:head])
	for rest := module[head:]; len(rest) > 0; {
		kind := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, fmt.Errorf("%w: a section ends too late", errModule)
		}
		if kind > dataSection {
			return nil, fmt.Errorf("%w: a section of the kind %d", errModule, kind)
		}
		body := rest[1+n:][:size]
		rest = rest[1+n+int(size):]
		if kind == dataSection {
			segments, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			if body, err = appendSegments(nil, segments); err != nil {
				return nil, err
			}
		}
		out = append(binary.AppendUvarint(append(out, kind), uint64(len(body))), body...)
	}
	return out, nil
}

// readSegments reads the section of data.
func readSegments(section []byte) ([]segment, error) {
	wrong := fmt.Errorf("%w: the section of data", errModule)
	count, n := binary.Uvarint(section)
	if n <= 0 || count > uint64(len(section)) {
		return nil, wrong
	}
	section = section[n:]
	segments := make([]segment, 0, count)
	for range count {
		if len(section) < 2 || section[0] != 0 || section[1] != 0x41 { // of memory 0, at i32.const
			return nil, wrong
		}
		at, n := signed(section[2:])
		if n <= 0 || at < 0 || len(section) < 3+n || section[2+n] != 0x0b {
			return nil, wrong
		}
		section = section[3+n:]
		size, n := binary.Uvarint(section)
		if n <= 0 || size > uint64(len(section)-n) {
			return nil, wrong
		}
		segments = append(segments, segment{at, section[n:][:size]})
		section = section[n+int(size):]
	}
	if len(section) > 0 {
		return nil, wrong
	}
	return segments, nil
}

// appendSegments writes the section of data. It joins segments with at most mostZeros between them.
func appendSegments(b []byte, segments []segment) ([]byte, error) {
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	var joined []segment
	for _, s := range segments {
		if len(joined) == 0 {
			joined = append(joined, segment{s.at, slices.Clone(s.data)})
			continue
		}
		last := &joined[len(joined)-1]
		switch zeros := s.at - last.at - int64(len(last.data)); {
		case zeros < 0:
			return nil, fmt.Errorf("%w: segments of data overlap", errModule)
		case zeros > mostZeros:
			joined = append(joined, segment{s.at, slices.Clone(s.data)})
		default:
			last.data = append(append(last.data, make([]byte, zeros)...), s.data...)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(joined)))
	for _, s := range joined {
		b = append(appendSigned(append(b, 0, 0x41), s.at), 0x0b)
		b = append(binary.AppendUvarint(b, uint64(len(s.data))), s.data...)
	}
	return b, nil
}

// signed reads a number of the kind SLEB128, and how many bytes it has: 0 if it has no end.
func signed(b []byte) (v int64, n int) {
	for i, c := range b[:min(len(b), 5)] {
		v |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c&0x40 != 0 {
				v -= 1 << (7 * (i + 1))
			}
			return v, i + 1
		}
	}
	return 0, 0
}

// appendSigned writes a number that is not negative, as SLEB128.
func appendSigned(b []byte, v int64) []byte {
	for ; v >= 0x40; v >>= 7 {
		b = append(b, byte(v&0x7f|0x80))
	}
	return append(b, byte(v))
}
