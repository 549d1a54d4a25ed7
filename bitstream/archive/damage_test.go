// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/bounded"
	"ply11/internal/testenv"
)

// TestEveryBitFlipped flips each bit of a small archive, one at a time: Verify finds each; no game is read
// wrong; Recover gives back every game of every other block, and names the lost.
func TestEveryBitFlipped(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		data, _ := archive.SmallArchive(t, dense)
		want, errs := archive.GameTexts(data)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		type span struct {
			from, to    int64
			first, last int
		}
		var spans, filters []span // of blocks, and of ancillary columns, without which nothing is lost
		for i := range r.Blocks() {
			b, err := r.Block(i + 1)
			if err != nil {
				t.Fatal(err)
			}
			spans = append(spans, span{b.Offset(), b.Offset() + b.Size(), b.First(), b.First() + b.Len() - 1})
			for _, c := range b.Columns() {
				if c.Kind >= archive.ColumnAncillary {
					filters = append(filters, span{from: c.Offset, to: c.Offset + c.Stored})
				}
			}
		}
		bad := bytes.Clone(data)
		partials := 0
		for bit := range len(data) * 8 {
			at := int64(bit / 8)
			// One bit of every second byte, another one in the next: a checksum sees one bit as well as another, and
			// what is lost depends on the byte's place. All bits with the tag long.
			if !testenv.Long && (at%2 != 0 || bit%8 != int(at/2)%8) || at%int64(testenv.Pick(1, 23)) != 0 {
				continue
			}
			bad[at] ^= 1 << (bit % 8)
			size := int64(len(bad))

			rep, err := archive.Verify(context.Background(), bytes.NewReader(bad), size)
			if err == nil && rep.OK() {
				t.Fatalf("bit %d: Verify finds nothing", bit)
			}
			var c *archive.CorruptError
			if err == nil && !errors.As(rep.Errors[0], &c) && !errors.Is(rep.Errors[0], archive.ErrNotArchive) {
				t.Fatalf("bit %d: %v", bit, rep.Errors[0])
			}
			if _, err := archive.Unpack(context.Background(), io.Discard, bytes.NewReader(bad),
				archive.WithWorkers(1)); err == nil {
				t.Fatalf("bit %d: Unpack finds nothing", bit)
			}
			texts, _ := archive.GameTexts(bad)
			for n, text := range texts {
				if text != want[n] {
					t.Fatalf("bit %d: game %d is read wrong:\n%s", bit, n, text)
				}
			}
			var out bytes.Buffer
			rep, err = archive.Recover(context.Background(), &out, bytes.NewReader(bad), size)
			if err != nil {
				t.Fatalf("bit %d: Recover: %v", bit, err)
			}
			saved, errs := archive.GameTexts(out.Bytes())
			if len(errs) > 0 {
				t.Fatalf("bit %d: what was recovered: %v", bit, errs)
			}
			number := 0
			for _, s := range spans {
				ancillary := slices.ContainsFunc(filters, func(f span) bool { return at >= f.from && at < f.to })
				if at >= s.from && at < s.to && s.first <= s.last && !ancillary {
					whole := archive.Range{s.first, s.last}
					lost, partial := slices.Contains(rep.Lost, whole), slices.Contains(rep.Partial, whole)
					if lost == partial {
						t.Fatalf("bit %d: games %d-%d are lost or partial, not %v, %v", bit, s.first, s.last, rep.Lost,
							rep.Partial)
					}
					if partial { // the main lines are there, and the tags if it is not their column
						got := archive.MustOpen(t, out.Bytes())
						for n := s.first; n <= s.last; n++ {
							number++
							if err := samePart(got, number, r, n, at); err != nil {
								t.Fatalf("bit %d: game %d is recovered in part: %v", bit, n, err)
							}
						}
						partials++
					}
					continue
				}
				if at >= s.from && at < s.to && !ancillary {
					continue
				}
				for n := s.first; n <= s.last; n++ {
					if number++; saved[number] != want[n] {
						t.Fatalf("bit %d: game %d is not recovered", bit, n)
					}
				}
			}
			if number != len(saved) {
				t.Fatalf("bit %d: %d games are recovered, not %d", bit, len(saved), number)
			}
			bad[at] ^= 1 << (bit % 8)
		}
		if partials == 0 {
			t.Error("no block is recovered in part")
		}
	})
}

// samePart compares what was recovered in part with the game that it was, where a byte at an offset is damaged.
func samePart(got *archive.Reader, n int, want *archive.Reader, m int, at int64) error {
	b, i, err := want.Find(m)
	if err != nil {
		return err
	}
	var g, h game.Game
	if err := errors.Join(got.Game(n, &g), b.Game(i, &h)); err != nil {
		return err
	}
	if !slices.Equal(g.AppendMainLine(nil), h.AppendMainLine(nil)) || g.Start != h.Start || g.Result != h.Result {
		return errors.New("another main line")
	}
	for _, c := range b.Columns() {
		hit := at >= c.Offset && at < c.Offset+c.Stored
		switch {
		case c.Kind == archive.ColumnTags && hit && len(g.Tags) > 0:
			return errors.New("it has tags")
		case c.Kind == archive.ColumnTags && !hit && !slices.Equal(g.Tags, h.Tags):
			return errors.New("it has other tags")
		case c.Kind == archive.ColumnExceptions && hit && g.Diff(&h) != "":
			return errors.New(g.Diff(&h))
		}
	}
	return nil
}

// TestDamageIsNamed asks for the place that Verify names.
func TestDamageIsNamed(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		data, _ := archive.SmallArchive(t, dense)
		r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Blocks() {
			b, err := r.Block(i + 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range b.Columns() {
				bad := bytes.Clone(data)
				bad[c.Offset+c.Stored/2] ^= 0x10
				rep, err := archive.Verify(context.Background(), bytes.NewReader(bad), int64(len(bad)))
				var e *archive.CorruptError
				if err != nil || rep.OK() || !errors.As(rep.Errors[0], &e) {
					t.Fatalf("block %d, %v: %v, %v", i, c.Kind, rep, err)
				}
				if e.Block != i+1 || e.Part != c.Kind.String() || e.Offset != c.Offset ||
					!errors.Is(e, archive.ErrCorrupt) {
					t.Errorf("block %d, %v at %d: Verify names %v", i, c.Kind, c.Offset, e)
				}
			}
		}
	})
}

// TestEveryPrefix reads every prefix of a small archive.
func TestEveryPrefix(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		data, _ := archive.SmallArchive(t, dense)
		want, _ := archive.GameTexts(data)
		for n := 0; n < len(data); n += testenv.Pick(1, 11) {
			part := data[:n]
			rep, err := archive.Verify(context.Background(), bytes.NewReader(part), int64(n))
			if err == nil && rep.OK() {
				t.Fatalf("%d bytes of %d: Verify finds nothing", n, len(data))
			}
			_, err = archive.Unpack(context.Background(), io.Discard, bytes.NewReader(part), archive.WithWorkers(1))
			if err == nil || n >= archive.HeaderSize && !errors.Is(err, codec.ErrTruncated) {
				t.Fatalf("%d bytes of %d: Unpack: %v", n, len(data), err)
			}
			texts, _ := archive.GameTexts(part)
			for k, text := range texts {
				if text != want[k] {
					t.Fatalf("%d bytes of %d: game %d is read wrong", n, len(data), k)
				}
			}
			var out bytes.Buffer
			if _, err := archive.Recover(context.Background(), &out, bytes.NewReader(part), int64(n)); err != nil {
				t.Fatalf("%d bytes of %d: Recover: %v", n, len(data), err)
			}
			saved, errs := archive.GameTexts(out.Bytes())
			if len(errs) > 0 || len(saved) > len(want) {
				t.Fatalf("%d bytes of %d: what was recovered: %v", n, len(data), errs)
			}
			for k, text := range saved {
				if text != want[k] {
					t.Fatalf("%d bytes of %d: game %d is recovered wrong", n, len(data), k)
				}
			}
		}
	})
}

// TestLies changes bytes of the archive under checksums that are made right again.
func TestLies(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		data, _ := archive.SmallArchive(t, dense)
		rng := rand.New(rand.NewPCG(7, 8))
		bad := make([]byte, len(data))
		for range testenv.Pick(1000, 100) {
			copy(bad, data)
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(bad))
				switch rng.IntN(3) {
				case 0:
					bad[at] ^= 1 << rng.IntN(8)
				case 1:
					bad[at] = byte(rng.Uint32())
				default:
					for i := range min(4, len(bad)-at) {
						bad[at+i] = 0xff
					}
				}
			}
			archive.Reseal(bad)
			archive.ReadEverything(bad)
		}
	})
}

func FuzzReader(f *testing.F) {
	for _, dense := range []bool{false, true} {
		data, _ := archive.SmallArchive(f, dense)
		f.Add(data, true)
		small, _ := archive.MustPack(f, []byte(archive.SampleText), archive.WithDense(dense))
		f.Add(small, false)
	}
	f.Add([]byte(nil), true)
	bounded.Fuzz(f, func(t *testing.T, b []byte, seal bool) {
		if seal {
			b = bytes.Clone(b)
			archive.Reseal(b)
		}
		archive.ReadEverything(b)
	})
}

func FuzzPack(f *testing.F) {
	for _, dense := range []bool{false, true} {
		f.Add([]byte(archive.SampleText), uint8(2), dense)
		f.Add([]byte("1. e4 {\x00} e5 *\r\n\r\n[Event \"x\"]\r\n\r\n1. \xe9\xff *"), uint8(1), dense)
		f.Add([]byte("[Event \"\xe9\"]\n\n1.e4 {[%clk 00:01:02.3] [%eval #-3] [%emt 1:2:3]} *"), uint8(0), dense)
	}
	bounded.Fuzz(f, func(t *testing.T, text []byte, games uint8, dense bool) {
		data, stats := archive.MustPack(t, text, archive.WithBlockGames(cmp.Or(int(games), archive.DefaultBlockGames)),
			archive.WithWorkers(1), archive.WithDense(dense))
		var other, back bytes.Buffer
		form, same := archive.DenseForm, archive.FixedForm
		if dense {
			form, same = archive.FixedForm, archive.DenseForm
		}
		if _, err := archive.Recode(context.Background(), &other, []io.Reader{bytes.NewReader(data)},
			archive.InForm(form), archive.WithWorkers(1)); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Recode(context.Background(), &back, []io.Reader{&other}, archive.InForm(same),
			archive.WithWorkers(1)); err != nil || !bytes.Equal(back.Bytes(), data) {
			t.Fatalf("recoded there and back it is another archive; %v", err)
		}
		if got := archive.MustUnpack(t, data); !bytes.Equal(got, text) {
			t.Fatal(archive.FirstDifference(text, got))
		}
		rep, err := archive.Verify(context.Background(), bytes.NewReader(data), int64(len(data)))
		if err != nil || !rep.OK() {
			t.Fatal(err, rep.Errors)
		}
		r := pgn.NewReader(bytes.NewReader(text))
		n := 0
		var g game.Game
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			n++
		}
		if len(text) < 1<<16 && n != stats.Games && !bytes.Contains(text, []byte("[Event ")) {
			t.Fatalf("%d games, and the PGN has %d", stats.Games, n)
		}
	})
}

// TestCorruptIsFinal: an archive that is corrupt is no error of one game, after which a loop would go on.
func TestCorruptIsFinal(t *testing.T) {
	for _, err := range []error{archive.ErrCorrupt, archive.ErrTruncated} {
		if codec.IsGameError(fmt.Errorf("games.p11: %w", &archive.CorruptError{Part: "block", Block: 1, Game: 3,
			Err: err})) {
			t.Errorf("%v is taken for the error of a game", err)
		}
	}
}
