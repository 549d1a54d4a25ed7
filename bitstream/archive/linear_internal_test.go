// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"io"
	"runtime/debug"
	"testing"

	"ply11/game"
	"ply11/moveindex"
)

// Counting counts the bytes that are read.
type Counting struct {
	*bytes.Reader
	Bytes, calls int64
}

func (c *Counting) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.Bytes += int64(n)
	c.calls++
	return n, err
}

// linearly asks that a cost at ten times the size is at most ten times the cost.
func linearly(t *testing.T, what string, small, large int64) {
	t.Helper()
	t.Logf("%s: %d, %d", what, small, large)
	if small <= 0 || float64(large) > 11*float64(small)+4096 {
		t.Errorf("%s: %d at one size, %d at ten times it", what, small, large)
	}
}

// TestLinear counts the bytes read, the dense games decoded and the memory of archives of 1,000 and 10,000 games.
func TestLinear(t *testing.T) {
	EachForm(t, func(t *testing.T, dense bool) {
		type costs map[string]int64
		measure := func(games int) costs {
			archive, _ := MustPack(t, []byte(TextOf("a", games)), WithBlockGames(50), WithDense(dense), WithWorkers(1))
			open := func() (*Reader, *Counting) {
				c := &Counting{Reader: bytes.NewReader(archive)}
				r, err := NewReader(c, c.Size())
				if err != nil {
					t.Fatal(err)
				}
				return r, c
			}
			c := costs{}
			memory := func(what string, do func() error) {
				// The collector of garbage would empty the pools of decoders.
				defer debug.SetGCPercent(debug.SetGCPercent(-1))
				before := allocated()
				if err := do(); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				c[what+", bytes of memory"] = int64(allocated()-before) + 1<<20
			}
			var g game.Game
			var line []moveindex.Index

			// All of each game, one after the other: each block is read once, each game decoded once.
			r, in := open()
			decoded := int64(0)
			memory("games in order", func() error {
				for n := 1; n <= r.Len(); n++ {
					b, i, err := r.Find(n)
					if err != nil {
						return err
					}
					if err := b.Game(i, &g); err != nil {
						return err
					}
					if line, err = b.MainLine(line[:0], i); err != nil {
						return err
					}
					if _, err := b.AppendText(nil, i, nil); err != nil {
						return err
					}
				}
				decoded = r.b.coded.decoded
				return nil
			})
			c["games in order, bytes read"] = in.Bytes
			if want := map[bool]int64{true: int64(games)}[dense]; decoded != want {
				t.Errorf("%d games: %d are decoded in order, want %d", games, decoded, want)
			}

			// Tags, results, starts and numbers of plies alone: no move is decoded.
			r, _ = open()
			for n := 1; n <= r.Len(); n++ {
				b, i, err := r.Find(n)
				if err != nil {
					t.Fatal(err)
				}
				if err := b.Tags(i, &g); err != nil {
					t.Fatal(err)
				}
				if _, err := b.Start(i); err != nil {
					t.Fatal(err)
				}
				if _, plies, err := b.Address(i); err != nil || plies != 3 {
					t.Fatal(plies, err)
				}
				if _, _, err := b.Exception(i); err != nil {
					t.Fatal(err)
				}
			}
			if r.b.coded.decoded != 0 {
				t.Errorf("%d games: tags alone decode %d of them", games, r.b.coded.decoded)
			}

			// The games of each block backwards: each is decoded once all the same.
			r, _ = open()
			for k := 1; k <= r.Blocks(); k++ {
				b := MustBlock(t, r, k)
				var err error
				for i := b.Len(); i > 0; i-- {
					if line, err = b.MainLine(line[:0], i); err != nil {
						t.Fatal(err)
					}
				}
			}
			if want := map[bool]int64{true: int64(games)}[dense]; r.b.coded.decoded != want {
				t.Errorf("%d games: %d are decoded backwards, want %d", games, r.b.coded.decoded, want)
			}

			for what, do := range map[string]func(r io.ReaderAt, size int64) error{
				"Verify": func(r io.ReaderAt, size int64) error {
					_, err := Verify(t.Context(), r, size)
					return err
				},
				"Recover": func(r io.ReaderAt, size int64) error {
					_, err := Recover(t.Context(), io.Discard, r, size)
					return err
				},
			} {
				in := &Counting{Reader: bytes.NewReader(archive)}
				if err := do(in, in.Size()); err != nil {
					t.Fatal(err)
				}
				c[what+", bytes read"] = in.Bytes
				if in.Bytes > 3*in.Size()+tailRead { // to open a file is to read its end
					t.Errorf("%s reads %d bytes of %d", what, in.Bytes, in.Size())
				}
			}
			memory("Unpack", func() error {
				_, err := Unpack(t.Context(), io.Discard, bytes.NewReader(archive), WithWorkers(1))
				return err
			})
			memory("Recode", func() error {
				_, err := Copy(t.Context(), io.Discard, []io.Reader{bytes.NewReader(archive)},
					WithDense(true), WithWorkers(1))
				return err
			})
			memory("a selection of every second game", func() error {
				w := NewSelection(io.Discard, WithDense(dense))
				s := NewScanner(bytes.NewReader(archive))
				for {
					b, err := s.Next()
					if err == io.EOF {
						return w.Close()
					}
					if err != nil {
						return err
					}
					for i := 2; i <= b.Len(); i += 2 {
						if err := w.Copy(b, i); err != nil {
							return err
						}
					}
				}
			})
			return c
		}
		small, large := measure(1_000), measure(10_000)
		for what, n := range large {
			linearly(t, what, small[what], n)
		}
	})
}
