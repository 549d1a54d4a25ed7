// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
)

// history is an archive and the games that it must have.
type history struct {
	t    *testing.T
	rng  *rand.Rand
	seed uint64
	f    archive.MemFile
	list []archive.EditGame
	log  []string
	last func(f *archive.MemFile) error // what the last step did to the file where it is
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("seed %d, after %v: %v", h.seed, h.log, err)
	}
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{t: t, rng: rand.New(rand.NewPCG(seed, 51)), seed: seed, f: archive.MemFile{Left: -1}}
	h.f.B = h.pack(1 + h.rng.IntN(60))
	h.log = append(h.log, "pack")
	return h
}

// pack adds games to the list, and returns an archive of them.
func (h *history) pack(games int) []byte {
	from := len(h.list)
	for range games {
		h.list = append(h.list, archive.NewEditGame(h.rng))
	}
	options := []archive.PackOption{archive.WithBlockGames(1 + h.rng.IntN(9)), archive.WithDense(h.rng.IntN(2) == 0),
		archive.WithFilter(h.rng.IntN(4) > 0)}
	b, _ := archive.MustPack(h.t, []byte(modelText(h.list[from:])), options...)
	return b
}

// step changes the archive and the list. What is added or edited is written behind what was there.
func (h *history) step() {
	ctx := h.t.Context()
	before := bytes.Clone(h.f.B)
	h.last = nil
	reader := func() *archive.Reader { return archive.MustOpen(h.t, h.f.B) }
	var out bytes.Buffer
	switch h.rng.IntN(9) {
	case 8:
		h.log = append(h.log, "property")
		before = nil
		h.f.B = archive.MustAppend(h.t, h.f.B,
			[]archive.AppendOption{archive.WithMeta(map[string]string{"step": archive.Itoa(len(h.log))})})
		if got := reader().Meta()["step"]; got != archive.Itoa(len(h.log)) {
			h.t.Fatalf("seed %d: the property is %q", h.seed, got)
		}
	case 0, 1, 2:
		h.log = append(h.log, "append")
		h.add(h.pack(h.rng.IntN(30)))
	case 3, 4, 5:
		h.log = append(h.log, "edit")
		gone := make([]bool, len(h.list))
		var changes []archive.Change
		for range h.rng.IntN(8) {
			if len(h.list) == 0 {
				break
			}
			if c, ok := archive.RandomChange(h.rng, h.list, gone); ok {
				changes = append(changes, c)
			}
		}
		var stats archive.Stats
		h.last = func(f *archive.MemFile) (err error) {
			stats, err = archive.Edit(ctx, f, int64(len(f.B)), changes, archive.WithDiscard(true))
			return err
		}
		h.must(h.last(&h.f))
		var left []archive.EditGame
		for i := range h.list {
			if !gone[i] {
				left = append(left, h.list[i])
			}
		}
		if h.list = left; stats.Games != len(left) || stats.Bytes != int64(len(h.f.B)) {
			h.t.Fatalf("seed %d: Edit tells of %d games in %d bytes", h.seed, stats.Games, stats.Bytes)
		}
	case 6:
		h.log = append(h.log, "compact")
		_, err := archive.Copy(ctx, &out, []io.Reader{reader().Ordered()})
		h.must(err)
		h.f.B, before = out.Bytes(), nil
		if dead, err := reader().Dead(); dead != 0 || err != nil {
			h.t.Fatalf("seed %d: a compact archive has %d dead bytes, %v", h.seed, dead, err)
		}
	case 7:
		h.log = append(h.log, "recode")
		_, err := archive.Copy(ctx, &out, []io.Reader{reader().Ordered()}, archive.WithDense(h.rng.IntN(2) == 0))
		h.must(err)
		h.f.B, before = out.Bytes(), nil
	}
	if !bytes.HasPrefix(h.f.B, before) {
		h.t.Fatalf("seed %d, after %v: what was there is changed", h.seed, h.log)
	}
}

func (h *history) add(more []byte) {
	h.t.Helper()
	h.last = func(f *archive.MemFile) error {
		_, err := archive.Append(h.t.Context(), f, int64(len(f.B)), []io.Reader{bytes.NewReader(more)},
			archive.WithDiscard(true))
		return err
	}
	h.must(h.last(&h.f))
}

// TestHistories makes archives by random histories, and reads them in every way.
func TestHistories(t *testing.T) {
	for seed := range uint64(testenv.Pick(40, 12)) {
		h := newHistory(t, seed)
		for range 1 + h.rng.IntN(6) {
			h.step()
			checkText(t, h.f.B, modelText(h.list))
			if !archive.MustOpen(t, h.f.B).Edited() {
				h.must(checkOrders(t, h.f.B, []byte(modelText(h.list)), h.rng))
			}
		}
	}
}

// TestHistoriesFull ends each step after any number of bytes, as a full disk does: the archive is the one before. Then
// the step is made again, and writes what it would have written.
func TestHistoriesFull(t *testing.T) {
	for seed := range uint64(testenv.Pick(30, 10)) {
		h, base, games := inPlace(t, seed)
		for range 20 {
			left := h.rng.IntN(len(h.f.B) - len(base))
			f := &archive.MemFile{B: bytes.Clone(base), Left: left}
			if err := h.last(f); !errors.Is(err, archive.ErrFull) {
				t.Fatalf("seed %d, %v: after %d bytes: %v", seed, h.log, left, err)
			}
			r, err := archive.NewReader(f, int64(len(f.B)))
			h.must(err)
			var out bytes.Buffer
			if _, err := archive.Unpack(t.Context(), &out, r.Ordered()); err != nil ||
				out.String() != modelText(games) {
				t.Fatalf("seed %d, %v: after %d bytes it is another archive: %v", seed, h.log, left, err)
			}
			if (r.Unfinished() == nil) != (len(f.B) == len(base)) {
				t.Fatalf("seed %d, %v: after %d bytes: %v", seed, h.log, left, r.Unfinished())
			}
			f.Left = -1
			if err := h.last(f); err != nil || !bytes.Equal(f.B, h.f.B) {
				t.Fatalf("seed %d, %v: the step cannot be made again: %v", seed, h.log, err)
			}
		}
	}
}

// inPlace is a history of which the last step wrote behind an archive; it returns that one and its games.
func inPlace(t *testing.T, seed uint64) (h *history, base []byte, games []archive.EditGame) {
	h = newHistory(t, seed)
	for range h.rng.IntN(4) {
		h.step()
	}
	for len(base) == 0 || h.last == nil || len(base) == len(h.f.B) || !bytes.HasPrefix(h.f.B, base) {
		if len(h.list) == 0 {
			h.add(h.pack(20))
		}
		base, games = bytes.Clone(h.f.B), slices.Clone(h.list)
		h.step()
	}
	return h, base, games
}

// recovered returns the games that Recover takes, and what it says.
func recovered(t *testing.T, b []byte) (texts []string, rep *archive.Report) {
	t.Helper()
	out, rep := archive.Recovered(t, b)
	r := archive.MustOpen(t, out)
	for n := range r.Len() {
		text, err := r.AppendText(nil, n+1)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	return texts, rep
}

func textsOf(list []archive.EditGame) (texts []string) {
	for i := range list {
		texts = append(texts, strings.TrimSpace(list[i].Text()))
	}
	return texts
}

// TestHistoriesCut cuts archives, or ends them with zeros. Then they are not opened; Verify does not call them whole;
// and Recover takes all games that are there.
func TestHistoriesCut(t *testing.T) {
	ctx := t.Context()
	seen := map[string]int{}
	for seed := range uint64(testenv.Pick(60, 20)) {
		h, base, games := inPlace(t, seed)
		whole, old, now := h.f.B, textsOf(games), textsOf(h.list)
		kind, added := h.log[len(h.log)-1], len(h.f.B)-len(base)
		for k := range 8 {
			bad := bytes.Clone(whole)
			size := []int{1, 40, 4096, 1 + h.rng.IntN(added)}[k/2]
			if size >= added {
				continue
			}
			if k%2 == 0 {
				bad = bad[:len(bad)-size]
			} else if clear(bad[len(bad)-size:]); bytes.Equal(bad, whole) {
				continue
			}
			fail := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("seed %d, %v, the last %d bytes, %d: "+format,
					append([]any{seed, h.log, size, k % 2}, args...)...)
			}
			f := &archive.MemFile{B: bytes.Clone(bad), Left: -1}
			_, err := archive.Append(ctx, f, int64(len(bad)), nil, archive.WithDiscard(true))
			if !errors.Is(err, archive.ErrCorrupt) || !bytes.Equal(f.B, bad) {
				fail("Append: %v", err)
			}
			got, rep := recovered(t, bad)
			if rep.OK() {
				fail("it is whole")
			}
			seen[kind]++
			damaged := len(rep.Lost)+len(rep.Partial) > 0
			lost := func(text string) bool { return slices.Contains(now, text) && !slices.Contains(got, text) }
			never := func(text string) bool { return !slices.Contains(old, text) && !slices.Contains(now, text) }
			switch {
			case k < 4: // the trailer alone
				if !slices.Equal(got, now) {
					fail("%d games are recovered, and there are %d; %v", len(got), len(now), rep.Errors)
				}
			case damaged:
			case kind == "append":
				if len(got) < len(old) || !slices.Equal(got, now[:len(got)]) {
					fail("%d games are recovered, and there are %d; %v", len(got), len(old), rep.Errors)
				}
			case slices.ContainsFunc(got, never) || slices.ContainsFunc(old, lost):
				fail("other games are recovered: %v", rep.Errors)
			}
		}
	}
	if seen["append"] < 10 || seen["edit"] < 10 {
		t.Errorf("%v", seen)
	}
}

func (h *history) edited() bool { return archive.MustOpen(h.t, h.f.B).Edited() }

// TestHistoriesFlipped flips a bit, which Verify finds, unless it is of what was edited, and none reads games wrong.
// Beside the blocks it costs no game, brings none back that was taken out, and is told once. In a block it costs that
// block alone.
func TestHistoriesFlipped(t *testing.T) {
	for seed := range uint64(testenv.Pick(60, 20)) {
		h, _, _ := inPlace(t, seed)
		want := textsOf(h.list)
		var places []archive.Place
		for r, n := archive.MustOpen(t, h.f.B), 1; n <= r.Blocks(); n++ {
			p, err := r.Place(n)
			h.must(err)
			places = append(places, p)
		}
		for k := range 20 {
			at := int64(h.rng.IntN(len(h.f.B)))
			if k%2 == 0 {
				at = int64(len(h.f.B)) - 1 - int64(h.rng.IntN(min(len(h.f.B), 700)))
			}
			bad := bytes.Clone(h.f.B)
			bad[at] ^= 1 << h.rng.IntN(8)
			live := slices.ContainsFunc(places, func(p archive.Place) bool {
				return at >= p.Offset &&
					at < p.Offset+p.Size
			})
			found, err := archive.Verified(bad)
			if err == nil && found.OK() && (live || !h.edited()) {
				t.Errorf("seed %d, %v: Verify finds nothing at byte %d of %d", seed, h.log, at, len(bad))
			}
			texts, _ := archive.GameTexts(bad)
			for n, text := range texts {
				if !slices.Contains(want, strings.TrimSpace(text)) && !h.edited() {
					t.Errorf("seed %d, %v, byte %d: game %d is read wrong: %s", seed, h.log, at, n, text)
				}
			}
			got, rep := recovered(t, bad)
			rest := want
			for _, p := range places {
				if at >= p.Offset && at < p.Offset+p.Size {
					rest = slices.Concat(want[:p.First-1], want[p.First-1+p.Games:])
				}
			}
			if !slices.Equal(got, want) && len(rep.Partial) == 0 && !slices.Equal(got, rest) {
				t.Errorf("seed %d, %v, byte %d of %d: %d games are recovered, and there are %d; lost %v; %v", seed,
					h.log, at, len(bad),
					len(got), len(want), rep.Lost, rep.Errors)
			}
			for i, err := range rep.Errors {
				if i > 0 && rep.Errors[i-1].Error() == err.Error() {
					t.Errorf("seed %d: told twice: %v", seed, err)
				}
			}
		}
	}
}
