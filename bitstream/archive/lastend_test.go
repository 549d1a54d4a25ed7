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
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
)

// watched is a file of which each state is looked at.
type watched struct {
	archive.MemFile
	look func(b []byte)
}

func (w *watched) WriteAt(b []byte, at int64) (int, error) {
	for _, n := range []int{0, 1, len(b) / 2, len(b) - 1} { // as far as it may come
		if len(b) <= archive.TrailerSize && at/4096 == (at+int64(len(b))-1)/4096 {
			break // a page is written as one
		}
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

// TestStates: each state of a file to which games are added is the old archive, which says so, or the new one.
func TestStates(t *testing.T) {
	base, _ := archive.MustPack(t, []byte(archive.TextOf("a", 5)))
	for _, games := range []int{9, 9000} {
		more, _ := archive.MustPack(t, gamegen.Text(games), archive.WithBlockGames(games/3))
		whole := archive.MustAppend(t, base, nil, more)
		states := 0
		f := &watched{MemFile: archive.MemFile{B: bytes.Clone(base), Left: -1}}
		f.look = func(b []byte) {
			states++
			last := bytes.Equal(b, whole)
			r, err := archive.Opened(b)
			if err != nil || last != (r.Len() == 5+games) || !last && r.Len() != 5 ||
				(r.Unfinished() == nil) != (last || bytes.Equal(b, base)) {
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
}

// TestDamagedEnds cuts an archive to which games were added at each of its last bytes, and has zeros in each of its
// last sectors: it is not whole, and no writer writes over games that Recover takes.
func TestDamagedEnds(t *testing.T) {
	base, _ := archive.MustPack(t, gamegen.Text(900), archive.WithBlockGames(100))
	more, _ := archive.MustPack(t, gamegen.Text(700), archive.WithBlockGames(100))
	whole := archive.MustAppend(t, base, nil, more)
	extra, _ := archive.MustPack(t, []byte("1. e4 *\n"))
	try := func(what string, n int, bad []byte) {
		if n%61 == 0 || n > 5000 {
			if rep, err := archive.Verified(bad); err != nil || rep.OK() {
				t.Fatalf("%s %d: Verify: %v, %v", what, n, rep, err)
			}
		}
		f := &archive.MemFile{B: bytes.Clone(bad), Left: -1}
		_, err := archive.Append(t.Context(), f, int64(len(bad)), []io.Reader{bytes.NewReader(extra)})
		_, err2 := archive.Edit(t.Context(), f, int64(len(f.B)), []archive.Change{{Game: 1, Delete: true}})
		if !bytes.HasPrefix(f.B, bad) && (err == nil || err2 == nil) {
			t.Fatalf("%s %d: it is written over: %v, %v", what, n, err, err2)
		}
	}
	for n := 1; n <= 5000; n += testenv.Pick(1, 61) {
		try("without the last", n, whole[:len(whole)-n])
	}
	const sector = 512
	for at := len(whole) - 64<<10; at < len(whole); at += sector * testenv.Pick(1, 5) {
		from := at / sector * sector
		bad := bytes.Clone(whole)
		if clear(bad[from:min(from+sector, len(bad))]); !bytes.Equal(bad, whole) {
			try("a sector at", from, bad)
		}
	}
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
