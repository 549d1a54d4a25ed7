// SPDX-License-Identifier: Apache-2.0

//go:build !js

package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"testing"
)

// module makes a module of a section of another kind and one of data: parts with their places, in this order.
func module(parts ...any) []byte {
	section := binary.AppendUvarint(nil, uint64(len(parts)/2))
	for i := 0; i < len(parts); i += 2 {
		text := parts[i+1].(string)
		section = append(appendSigned(append(section, 0, 0x41), int64(parts[i].(int))), 0x0b, byte(len(text)))
		section = append(section, text...)
	}
	m := []byte("\x00asm\x01\x00\x00\x00\x00\x03\x01xy")
	return append(append(m, dataSection, byte(len(section))), section...)
}

// memory is what the segments of a module write, byte by byte, but for zeros.
func memory(t *testing.T, m []byte) (at map[int64]byte, segments int) {
	t.Helper()
	size, n := binary.Uvarint(m[14:])
	if int(size) != len(m)-14-n {
		t.Fatalf("the section has %d bytes, and says %d", len(m)-14-n, size)
	}
	list, err := readSegments(m[14+n:])
	if err != nil {
		t.Fatal(err)
	}
	at = map[int64]byte{}
	for _, s := range list {
		for i, c := range s.data {
			if c != 0 {
				at[s.at+int64(i)] = c
			}
		}
	}
	return at, len(list)
}

func TestSegmentsAreJoined(t *testing.T) {
	from := module(63, "a", 64, "b", 5000, "far", 80, "cd", 5003+mostZeros, "near", 10_000_000, "end")
	to, err := joinSegments(from)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := memory(t, from)
	if i := bytes.IndexByte(to[13:], dataSection); i != 0 || !bytes.Equal(to[:13], from[:13]) {
		t.Fatalf("the sections before the data changed: % x", to[:13])
	}
	got, segments := memory(t, to)
	if !maps.Equal(got, want) || segments != 3 {
		t.Errorf("%d segments, want 3, which write %v, want %v", segments, got, want)
	}
}

// TestSegmentsInBytes: modules, byte by byte, and what they become. The places are 63, 64 and 10,000,000.
func TestSegmentsInBytes(t *testing.T) {
	const head = "\x00asm\x01\x00\x00\x00"
	for from, want := range map[string]string{
		"\x0b\x17\x03" + "\x00\x41\xc0\x00\x0b\x01b" + "\x00\x41\x3f\x0b\x01a" +
			"\x00\x41\x80\xad\xe2\x04\x0b\x01c": "\x0b\x11\x02" + "\x00\x41\x3f\x0b\x02ab" +
			"\x00\x41\x80\xad\xe2\x04\x0b\x01c",
		"\x0b\x0f\x02" + "\x00\x41\xc0\x00\x0b\x01b" + "\x00\x41\xc3\x00\x0b\x01e": "\x0b\x0b\x01" +
			"\x00\x41\xc0\x00\x0b\x04b\x00\x00e",
	} {
		got, err := joinSegments([]byte(head + from))
		if err != nil || string(got) != head+want {
			t.Errorf("% x becomes % x, want % x, %v", from, got, head+want, err)
		}
	}
}

func TestSegmentsThatAreWrong(t *testing.T) {
	whole := module(1, "abc", 9, "d")
	for n := range whole {
		if n == 8 || n == 13 {
			continue // a module without sections, or without data
		}
		if _, err := joinSegments(whole[:n]); !errors.Is(err, errModule) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, wrong := range [][]byte{nil, module(1, "abc", 2, "d"),
		[]byte("\x00asm\x01\x00\x00\x00\x0b\x06\x01\x01\x41\x00\x0b\x00"), append(module(1, "abc"), dataSection, 0),
		append(module(1, "abc"), 12, 1, 1),
		[]byte("\x00asm\x01\x00\x00\x00\x0c\x01\x01\x0b\x07\x01\x00\x41\x00\x0b\x01a")} {
		if _, err := joinSegments(wrong); !errors.Is(err, errModule) {
			t.Errorf("% x: %v", wrong, err)
		}
	}
}
