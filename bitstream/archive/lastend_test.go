// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
)

// watched is a file of which each state is looked at.
type watched struct {
	archive.MemFile
	look func(b []byte)
}

func (w *watched) WriteAt(b []byte, at int64) (int, error) {
	for _, n := range []int{0, 1, len(b) / 2, len(b) - 1} { // as far as it may come
		torn := bytes.Clone(w.B)
		if grow := int(at) + n - len(torn); grow > 0 {
			torn = append(torn, make([]byte, grow)...)
		}
		copy(torn[at:], b[:n])
		w.look(torn)
	}
	n, err := w.MemFile.WriteAt(b, at)
	w.look(w.B)
	return n, err
}

func (w *watched) Truncate(size int64) error {
	err := w.MemFile.Truncate(size)
	w.look(w.B)
	return err
}

// TestAppendGuards: the file never ends with bytes that are added, other than those of the trailer. Each state is the
// old archive or the new one.
func TestAppendGuards(t *testing.T) {
	base, _ := archive.MustPack(t, []byte(archive.TextOf("a", 5)))
	more, _ := archive.MustPack(t, []byte(archive.TextOf("b", 9)), archive.WithBlockGames(3))
	whole := archive.MustAppend(t, base, nil, more)
	states := 0
	f := &watched{MemFile: archive.MemFile{B: bytes.Clone(base), Left: -1}}
	f.look = func(b []byte) {
		states++
		end := b[len(b)-archive.TrailerSize:]
		last := bytes.HasPrefix(whole, b[:len(b)-archive.TrailerSize]) && len(b) == len(whole)
		if !last && !bytes.Equal(b, base) && len(bytes.Trim(end, "\x00")) > 0 {
			t.Errorf("state %d: %d bytes end with %x", states, len(b), end)
		}
		r, err := archive.Opened(b)
		if err != nil || r.Len() != 5 && !bytes.Equal(b, whole) || bytes.Equal(b, whole) && r.Len() != 14 {
			t.Fatalf("state %d: %v", states, err)
		}
	}
	if _, err := archive.Append(t.Context(), f, int64(len(base)), []io.Reader{bytes.NewReader(more)}); err !=
		nil || !bytes.Equal(f.B, whole) {
		t.Fatal(err)
	}
	if states < 20 {
		t.Errorf("%d states", states)
	}
}

// TestReadWhileTrailerIsWritten opens an archive to whose first reads the first bytes of the trailer are still zeros.
func TestReadWhileTrailerIsWritten(t *testing.T) {
	for _, games := range []int{1, 9000} {
		base, _ := archive.MustPack(t, []byte(archive.TextOf("a", games)))
		more, _ := archive.MustPack(t, []byte(archive.TextOf("b", 2)))
		whole := archive.MustAppend(t, base, nil, more)
		for _, reads := range []int{0, 1, 2, 1 << 20} {
			r, err := archive.NewReader(&halfWritten{whole, reads}, int64(len(whole)))
			if (reads > 2) == (err == nil) || err == nil && r.Len() != games+2 {
				t.Errorf("%d games, %d reads: %v", games, reads, err)
			}
		}
	}
}

type halfWritten struct {
	b     []byte
	reads int // of the trailer that find its first bytes not yet written
}

func (h *halfWritten) ReadAt(p []byte, at int64) (int, error) {
	n, err := bytes.NewReader(h.b).ReadAt(p, at)
	whole := int64(len(h.b))
	if at <= whole-archive.TrailerSize && at+int64(n) == whole && h.reads > 0 {
		clear(p[whole-archive.TrailerSize-at:][:5])
		h.reads--
	}
	return n, err
}

// TestReadBesideAppend reads an archive while games are added to it: each reader finds one of the archives that were
// made.
func TestReadBesideAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.p11")
	base, _ := archive.MustPack(t, []byte(archive.TextOf("a", 50)))
	more, _ := archive.MustPack(t, []byte(archive.TextOf("b", 30)), archive.WithBlockGames(4))
	if err := os.WriteFile(path, base, 0o600); err != nil {
		t.Fatal(err)
	}
	rounds := testenv.Pick(30, 8)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for reads := 0; ; reads++ {
				select {
				case <-stop:
					if reads >= 5 {
						return
					}
				default:
				}
				f, err := os.Open(path)
				if err != nil {
					t.Error(err)
					return
				}
				info, _ := f.Stat()
				r, err := archive.NewReader(f, info.Size())
				if err != nil {
					t.Error(err)
					continue
				}
				rep, err := archive.Verify(t.Context(), f, r.Stats().Bytes)
				if err != nil || !rep.OK() || rep.Tail || (rep.Games-50)%30 != 0 {
					t.Errorf("Verify: %+v, %v", rep, err)
				}
				if _, err := r.AppendText(nil, r.Len()); err != nil || (r.Len()-50)%30 != 0 {
					t.Errorf("%d games, %v", r.Len(), err)
				}
				f.Close()
			}
		})
	}
	for range rounds {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := f.Stat()
		if _, err := archive.Append(t.Context(), f, info.Size(), []io.Reader{bytes.NewReader(more)}); err !=
			nil {
			t.Error(err)
		}
		f.Close()
	}
	close(stop)
	wg.Wait()
}
