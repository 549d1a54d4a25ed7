// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Types of Thrift's compact protocol, in which Parquet has its metadata.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftI8
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
	thriftUUID
)

// thriftDepth is how deep structures may stand in each other. Those of Parquet have 7.
const thriftDepth = 32

// What the library makes of an element of a list, in bytes, by the depth of the list. A column of a group is a structure of 560 bytes, and all that the library keeps of it was measured as 870. What
// stands deeper has at most 32.
const (
	thriftOuter = 512 // groups, and elements of the schema
	thriftInner = 800 // columns of a group
	thriftLeast = 32
)

var errThrift = errors.New("a length that is not that of what follows")

// thriftWalk goes through a structure before the library sees it. The library makes memory for as many bytes and elements as a length says, before it reads them. Here, no length is longer than
// what follows: an element takes a byte or more.
type thriftWalk struct {
	in     *bufio.Reader
	left   int64 // bytes
	memory int64 // that the library takes for what was read
	most   int64 // of memory
}

// newThriftWalk makes one for so many bytes, and a bound of the memory.
func newThriftWalk(in io.Reader, size, most int64) *thriftWalk {
	return &thriftWalk{in: bufio.NewReaderSize(in, 4096), left: size, most: most}
}

func (w *thriftWalk) ReadByte() (byte, error) {
	if w.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	w.left--
	return w.in.ReadByte()
}

// take counts memory.
func (w *thriftWalk) take(n int64) error {
	if w.memory += n; w.memory > w.most {
		return fmt.Errorf("metadata that take more than %d bytes", w.most)
	}
	return nil
}

// skip passes over bytes.
func (w *thriftWalk) skip(n uint64) error {
	if n > uint64(w.left) {
		return errThrift
	}
	if err := w.take(int64(n)); err != nil {
		return err
	}
	w.left -= int64(n)
	_, err := w.in.Discard(int(n))
	return err
}

// structure passes over a structure, at a depth from 1.
func (w *thriftWalk) structure(depth int) error {
	if depth > thriftDepth {
		return errors.New("structures too deep in each other")
	}
	for {
		head, err := w.ReadByte()
		if err != nil {
			return err
		}
		kind := int(head & 15)
		if head>>4 == 0 && head != 0 { // the field's number stands by itself
			if kind = int(head); kind > thriftUUID {
				return fmt.Errorf("type %d", kind)
			}
			if _, err := binary.ReadUvarint(w); err != nil {
				return err
			}
		}
		if kind == thriftStop {
			return nil
		}
		if kind > thriftFalse { // those say all
			if err := w.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

// value passes over a value of a structure of some depth.
func (w *thriftWalk) value(kind, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftI8:
		return w.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := binary.ReadUvarint(w)
		return err
	case thriftDouble:
		return w.skip(8)
	case thriftUUID:
		return w.skip(16)
	case thriftBinary:
		n, err := binary.ReadUvarint(w)
		if err != nil {
			return err
		}
		return w.skip(n)
	case thriftStruct:
		return w.structure(depth + 1)
	case thriftList, thriftSet:
		head, err := w.ReadByte()
		if err != nil {
			return err
		}
		n := uint64(head >> 4)
		if n == 15 {
			if n, err = binary.ReadUvarint(w); err != nil {
				return err
			}
		}
		return w.elements(n, depth, int(head&15))
	case thriftMap:
		n, err := binary.ReadUvarint(w)
		if n == 0 || err != nil {
			return err
		}
		kinds, err := w.ReadByte()
		if err != nil {
			return err
		}
		return w.elements(n, depth, int(kinds>>4), int(kinds&15))
	}
	return fmt.Errorf("type %d", kind)
}

// elements passes over so many elements, each of values of some kinds.
func (w *thriftWalk) elements(n uint64, depth int, kinds ...int) error {
	if n > uint64(w.left) {
		return errThrift
	}
	each := int64(thriftLeast)
	switch depth {
	case 1:
		each = thriftOuter
	case 2:
		each = thriftInner
	}
	if err := w.take(int64(n) * each); err != nil {
		return err
	}
	for range n {
		for _, kind := range kinds {
			if err := w.value(kind, depth); err != nil {
				return err
			}
		}
	}
	return nil
}
