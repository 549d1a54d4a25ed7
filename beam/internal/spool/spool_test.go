// SPDX-License-Identifier: Apache-2.0

package spool

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// sizes are those of what the tests put: around the least that goes into the file.
var sizes = []int{0, 1, least - 1, least, least + 1, 70_000}

// TestElements: what is put comes back, with a file and without one, from many goroutines; and with a file the elements
// are small.
func TestElements(t *testing.T) {
	for _, open := range []bool{false, true} {
		end := func() error { return nil }
		if open {
			t.Setenv("TMPDIR", t.TempDir())
			var err error
			if end, err = Open(); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(); err == nil {
				t.Error("there are two files")
			}
		}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				var elements [][]byte
				for _, n := range sizes {
					b := bytes.Repeat([]byte{byte(i)}, n)
					e, err := Put(b)
					if err != nil {
						t.Error(err)
					}
					clear(b)
					if small := len(e) <= least; small != (open || n < least) {
						t.Errorf("open %v: an element of %d bytes for %d", open, len(e), n)
					}
					elements = append(elements, e)
				}
				for k, n := range sizes {
					if b, err := Get(elements[k]); err != nil || !bytes.Equal(b, bytes.Repeat([]byte{byte(i)}, n)) {
						t.Errorf("open %v: %d bytes: %d bytes of others, %v", open, n, len(b), err)
					}
				}
			})
		}
		all.Wait()
		if err := end(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), ".ply11-*")); open && len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	}
}

// TestWrong: an element that this process did not make is an error.
func TestWrong(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	end, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	good, err := Put(make([]byte, least))
	if err != nil {
		t.Fatal(err)
	}
	long := bytes.Clone(good)
	long[len(long)-1]++ // a byte more than there is
	behind := bytes.Clone(good)
	behind[1] = 0xff
	for _, e := range [][]byte{nil, {}, {2}, good[:16], append(bytes.Clone(good), 0), long, behind} {
		if _, err := Get(e); !errors.Is(err, ErrElement) {
			t.Errorf("%x: %v", e, err)
		}
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if _, err := Get(good); !errors.Is(err, ErrElement) {
		t.Errorf("without the file: %v", err)
	}
}
