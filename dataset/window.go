// SPDX-License-Identifier: Apache-2.0

package dataset

import "math/rand/v2"

// window shuffles a sequence in bounded memory: each item that comes takes the place of a random one of those that wait, and that one
// goes on.
type window[T any] struct {
	rng       *rand.Rand
	most      int         // items that wait
	mostBytes int         // of them; 0 is no bound
	size      func(T) int // of an item in bytes, if there is a bound
	emit      func(T) error

	items []T
	bytes int
}

// push takes an item.
func (w *window[T]) push(item T) error {
	if w.size != nil {
		n := w.size(item)
		for len(w.items) > 0 && w.bytes+n > w.mostBytes {
			if err := w.pop(); err != nil {
				return err
			}
		}
		w.bytes += n
	}
	if len(w.items) < w.most {
		w.items = append(w.items, item)
		return nil
	}
	i := w.rng.IntN(len(w.items))
	old := w.items[i]
	w.items[i] = item
	if w.size != nil {
		w.bytes -= w.size(old)
	}
	return w.emit(old)
}

// pop lets a random item go on.
func (w *window[T]) pop() error {
	i, last := w.rng.IntN(len(w.items)), len(w.items)-1
	item := w.items[i]
	w.items[i] = w.items[last]
	clear(w.items[last:])
	w.items = w.items[:last]
	if w.size != nil {
		w.bytes -= w.size(item)
	}
	return w.emit(item)
}

// flush lets all that wait go on.
func (w *window[T]) flush() error {
	for len(w.items) > 0 {
		if err := w.pop(); err != nil {
			return err
		}
	}
	return nil
}
