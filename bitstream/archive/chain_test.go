// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ply11/internal/testenv"
)

// noisyText is a game with a comment of letters that cannot be compressed to less than three quarters, n of them.
func noisyText(event string, n int) string {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "[Event \"%s\"]\n\n1. e4 {", event)
	for range n {
		b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"[rng.IntN(64)])
	}
	b.WriteString("} 1-0\n\n")
	return b.String()
}

// emptyTail is the tail of an archive without a game, at an offset.
func emptyTail(at int64) []byte {
	var out bytes.Buffer
	f := fileWriter{w: &out, header: header{}, stats: Stats{Bytes: at}}
	f.write(f.tail())
	return out.Bytes()
}

// TestTailInComment ends adding games after every byte, where the bytes of a whole tail stand in what is added, as a comment may hold them: the archive is what it
// was.
func TestTailInComment(t *testing.T) {
	for _, size := range []int{10, 60_000} { // a file that is read whole to open it, and one that is not
		base, _ := mustPack(t, []byte(noisyText("a", size)))
		more, _ := mustPack(t, []byte(noisyText("b", 900)))
		whole := mustAppend(t, base, nil, more)
		r := mustOpen(t, whole)
		b, err := r.Block(2)
		if err != nil {
			t.Fatal(err)
		}
		at := b.at + int64(b.head.size) + 300
		forged := bytes.Clone(whole)
		end := at + int64(copy(forged[at:], emptyTail(at)))
		if end > b.at+b.Size() {
			t.Fatal("the tail is not within the block")
		}
		for n := len(base); n < len(whole); n++ {
			if size > 10 && int64(n) == end {
				continue // a large file that ends with a tail is taken to end with it; Append never leaves one so: see TestAppendGuards
			}
			if size > 10 && n%7 > 0 && !testenv.Long {
				continue
			}
			cut := forged[:n]
			r, err := NewReader(bytes.NewReader(cut), int64(n))
			if err != nil || r.Len() != 1 || r.Unfinished() != int64(n-len(base)) {
				t.Fatalf("%d bytes of %d: %v", n-len(base), len(whole)-len(base), err)
			}
			rep, err := Verify(context.Background(), bytes.NewReader(cut), int64(n))
			if err != nil || !rep.OK() || rep.Games != 1 || len(rep.Lost) > 0 || rep.Tail {
				t.Fatalf("%d bytes: %+v, %v", n-len(base), rep, err)
			}
		}
	}
}

// watched is a file of which each state is looked at.
type watched struct {
	memFile
	look func(b []byte)
}

func (w *watched) WriteAt(b []byte, at int64) (int, error) {
	for _, n := range []int{0, 1, len(b) / 2, len(b) - 1} { // as far as it may come
		torn := bytes.Clone(w.b)
		if grow := int(at) + n - len(torn); grow > 0 {
			torn = append(torn, make([]byte, grow)...)
		}
		copy(torn[at:], b[:n])
		w.look(torn)
	}
	n, err := w.memFile.WriteAt(b, at)
	w.look(w.b)
	return n, err
}

func (w *watched) Truncate(size int64) error {
	err := w.memFile.Truncate(size)
	w.look(w.b)
	return err
}

// TestAppendGuards: at no instant does the file end with bytes that are added, other than those of the trailer, so that none of them can pass for one. Each state is the old
// archive or the new one.
func TestAppendGuards(t *testing.T) {
	base, _ := mustPack(t, []byte(textOf("a", 5)))
	more, _ := mustPack(t, []byte(textOf("b", 9)), WithBlockGames(3))
	whole := mustAppend(t, base, nil, more)
	states := 0
	f := &watched{memFile: memFile{b: bytes.Clone(base), left: -1}}
	f.look = func(b []byte) {
		states++
		end := b[len(b)-trailerSize:]
		last := bytes.HasPrefix(whole, b[:len(b)-trailerSize]) && len(b) == len(whole)
		if !last && !bytes.Equal(b, base) && len(bytes.Trim(end, "\x00")) > 0 {
			t.Errorf("state %d: %d bytes end with %x", states, len(b), end)
		}
		r, err := NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil || r.Len() != 5 && !bytes.Equal(b, whole) || bytes.Equal(b, whole) && r.Len() != 14 {
			t.Fatalf("state %d: %v", states, err)
		}
	}
	if _, err := Append(context.Background(), f, int64(len(base)), []io.Reader{bytes.NewReader(more)}); err != nil || !bytes.Equal(f.b, whole) {
		t.Fatal(err)
	}
	if states < 20 {
		t.Errorf("%d states", states)
	}
}

// TestReadBesideAppend reads an archive again and again while games are added to it: each reader finds one of the archives that were made.
func TestReadBesideAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.p11")
	base, _ := mustPack(t, []byte(textOf("a", 50)))
	more, _ := mustPack(t, []byte(textOf("b", 30)), WithBlockGames(4))
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
				rep, err := Verify(context.Background(), f, info.Size())
				if err != nil || !rep.OK() || rep.Tail || (rep.Games-50)%30 != 0 {
					t.Errorf("Verify: %+v, %v", rep, err)
				}
				r, err := NewReader(f, info.Size())
				if err != nil {
					t.Error(err)
				} else if _, err := r.AppendText(nil, r.Len()); err != nil || (r.Len()-50)%30 != 0 {
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
		if _, err := Append(context.Background(), f, info.Size(), []io.Reader{bytes.NewReader(more)}); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	close(stop)
	wg.Wait()
}
