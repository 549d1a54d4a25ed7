// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// thriftDepth is how deep structures and lists may be nested, far above those of Parquet.
const thriftDepth = 32

// Bytes of the library for an element of a list, by its depth.
const (
	thriftOuter = 512 // groups, elements of the schema
	thriftInner = 800 // columns of a group
	thriftLeast = 32
)

// thriftWalk goes through a structure before the library (parquet-go 0.32.0) does, which recurses without a bound, and
// makes memory for a text, of the length that a file claims, before it reads it. TestParquetLengths has such files.
type thriftWalk struct {
	thrift.Reader
	section *io.SectionReader
	in      *bufio.Reader
	nested  int   // nested values
	memory  int64 // of the library
	most    int64
}

func newThriftWalk(r io.ReaderAt, at, length, most int64) *thriftWalk {
	section := io.NewSectionReader(r, at, length)
	b := bufio.NewReaderSize(section, 4096)
	return &thriftWalk{Reader: new(thrift.CompactProtocol).NewReader(b), section: section, in: b, most: most}
}

// read returns how many bytes were read.
func (w *thriftWalk) read() int64 {
	at, _ := w.section.Seek(0, io.SeekCurrent)
	return at - int64(w.in.Buffered())
}

func (w *thriftWalk) take(n int64) error {
	if w.memory += n; w.memory > w.most {
		return fmt.Errorf("metadata that take more than %d bytes", w.most)
	}
	return nil
}

// structure skips a structure at a depth from 1.
func (w *thriftWalk) structure(depth int) error {
	for {
		f, err := w.ReadField()
		if err != nil || f.Type == thrift.STOP {
			return err
		}
		if f.Type == thrift.TRUE || f.Type == thrift.FALSE {
			continue
		}
		if err := w.value(f.Type, depth); err != nil {
			return err
		}
	}
}

// value skips a value of a structure.
func (w *thriftWalk) value(kind thrift.Type, depth int) (err error) {
	w.nested++
	defer func() { w.nested-- }()
	if w.nested > thriftDepth {
		return errors.New("structures too deep in each other")
	}
	switch kind {
	case thrift.TRUE, thrift.FALSE, thrift.I8:
		_, err = w.ReadInt8()
	case thrift.I16, thrift.I32, thrift.I64:
		_, err = w.ReadInt64()
	case thrift.DOUBLE:
		_, err = w.ReadFloat64()
	case thrift.BINARY:
		var n int
		if n, err = w.ReadLength(); err == nil {
			err = w.take(int64(n))
		}
		if err == nil {
			_, err = w.in.Discard(n)
		}
	case thrift.STRUCT:
		err = w.structure(depth + 1)
	case thrift.LIST, thrift.SET:
		var l thrift.List
		if l, err = w.ReadList(); err == nil {
			err = w.elements(l.Size, depth, l.Type)
		}
	case thrift.MAP:
		var m thrift.Map
		if m, err = w.ReadMap(); err == nil {
			err = w.elements(m.Size, depth, m.Key, m.Value)
		}
	default:
		err = fmt.Errorf("type %d", kind)
	}
	return err
}

// elements skips elements of values of some kinds.
func (w *thriftWalk) elements(n int32, depth int, kinds ...thrift.Type) error {
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
