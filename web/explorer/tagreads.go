// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"io"
	"sync"
)

// A search for tags reads two short parts of each block. Each request of the browser's takes milliseconds, however
// short its answer is. So what such a search reads is kept for the next one, as far as there is room; and of a near
// archive more is read at once.
const (
	partCost   = 100 // what a part takes besides its bytes, in the map and for its slice: at most 90 were measured
	keptBytes  = 32 << 20
	windowSize = 1 << 20
	farReads   = 6 // blocks of an archive far away that are read at once: browsers have six connections to a host
)

// kept is parts of a file that were read, by their offsets. The zero value is empty.
type kept struct {
	mu    sync.Mutex
	parts map[int64][]byte
	size  int // with partCost for each
}

// clear forgets all parts.
func (k *kept) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.parts, k.size = nil, 0
}

// read fills b with what stands at an offset, if it is here.
func (k *kept) read(b []byte, at int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	part := k.parts[at]
	return len(part) >= len(b) && copy(b, part) == len(b)
}

// add keeps what was read, unless there is no room.
func (k *kept) add(b []byte, at int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	part, ok := k.parts[at]
	more := len(b) - len(part)
	if !ok {
		more += partCost
	}
	if len(b) > len(part) && k.size+more <= keptBytes {
		if k.parts == nil {
			k.parts = map[int64][]byte{}
		}
		k.parts[at] = append([]byte(nil), b...)
		k.size += more
	}
}

// tagReads reads an archive for one search for tags. It serves several goroutines at once: who looks for blocks reads,
// too.
type tagReads struct {
	io.ReaderAt
	kept *kept
	// the file's end, which each search reads from the file first: one that is gone, or is known to have changed, is no
	// source of what is kept
	tail kept
	near bool  // it is read by windows
	size int64 // of the file

	mu     sync.Mutex // of what follows, also while a window is read
	window []byte
	begin  int64 // of the window
	end    int64 // of what was read last
}

func (r *tagReads) ReadAt(b []byte, at int64) (int, error) {
	kept := r.kept
	if at+int64(len(b)) >= r.size {
		kept = &r.tail
	}
	if kept.read(b, at) {
		return len(b), nil
	}
	n, err := r.readAt(b, at)
	if err == nil {
		kept.add(b, at)
	}
	return n, err
}

func (r *tagReads) readAt(b []byte, at int64) (int, error) {
	if !r.near {
		return r.ReaderAt.ReadAt(b, at)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	in := func() bool { return at >= r.begin && at+int64(len(b)) <= r.begin+int64(len(r.window)) }
	forwards := at >= r.end && at-r.end < windowSize/2 // and not a part of the index, which stands elsewhere
	if r.end = at + int64(len(b)); !in() && forwards && len(b) < windowSize && at+int64(len(b)) <= r.size {
		if r.window == nil {
			r.window = make([]byte, windowSize)
		}
		r.window = r.window[:min(windowSize, r.size-at)]
		n, err := r.ReaderAt.ReadAt(r.window, at)
		if r.begin, r.window = at, r.window[:n]; n < len(b) {
			return copy(b, r.window), err
		}
	}
	if in() {
		return copy(b, r.window[at-r.begin:]), nil
	}
	return r.ReaderAt.ReadAt(b, at)
}
