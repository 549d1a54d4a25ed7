// SPDX-License-Identifier: Apache-2.0

// Package spool keeps what goes from one step of a pipeline to the next in a temporary file, if all steps run in this
// process.
//
// The runner prism is a part of the program. It keeps the elements between two steps in memory, and copies them several
// times. So a step that gives many bytes puts them here, and its element has the place alone. On other runners, whose
// machines do not share a file, the element has the bytes.
package spool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"ply11/internal/tempfile"
)

// An element begins with a byte that says what follows.
const (
	inline = iota // the bytes
	placed        // their offset and their number in the file, 8 bytes each
)

// least is how many bytes go into the file, at least.
const least = 256

// ErrElement is what errors of Get are: an element that Put of this process did not make.
var ErrElement = errors.New("an element does not tell where its bytes are")

// current is the file of this process.
var current struct {
	sync.Mutex // of opening, closing, and size
	file       *tempfile.File
	size       int64
}

// Open makes the file of this process, in the folder of temporary files, and Put uses it from now on. What it returns
// ends that, and removes the file. There is one file at a time: it is an error if there is one.
func Open() (end func() error, err error) {
	current.Lock()
	defer current.Unlock()
	if current.file != nil {
		return nil, errors.New("two pipelines at a time")
	}
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	current.file, current.size = f, 0
	return func() error {
		current.Lock()
		defer current.Unlock()
		current.file = nil
		return f.Close()
	}, nil
}

// Put returns the element that stands for some bytes. It does not keep b.
func Put(b []byte) ([]byte, error) {
	f, at := reserve(len(b))
	if f == nil {
		return append([]byte{inline}, b...), nil
	}
	if _, err := f.WriteAt(b, at); err != nil {
		return nil, err
	}
	element := binary.BigEndian.AppendUint64([]byte{placed}, uint64(at))
	return binary.BigEndian.AppendUint64(element, uint64(len(b))), nil
}

// reserve returns the file and a place in it; nil if the bytes are to be in the element.
func reserve(n int) (*tempfile.File, int64) {
	current.Lock()
	defer current.Unlock()
	if current.file == nil || n < least {
		return nil, 0
	}
	at := current.size
	current.size += int64(n)
	return current.file, at
}

// Get returns the bytes that Put was given. Errors are ErrElement, and those of reading the file.
func Get(element []byte) ([]byte, error) {
	switch {
	case len(element) > 0 && element[0] == inline:
		return element[1:], nil
	case len(element) != 17 || element[0] != placed:
		return nil, ErrElement
	}
	at, n := binary.BigEndian.Uint64(element[1:]), binary.BigEndian.Uint64(element[9:])
	current.Lock()
	f, size := current.file, uint64(current.size)
	current.Unlock()
	if f == nil || at > size || n > size-at {
		return nil, fmt.Errorf("%w: %d bytes at %d, of %d", ErrElement, n, at, size)
	}
	b := make([]byte, n)
	_, err := f.ReadAt(b, int64(at))
	return b, err
}
