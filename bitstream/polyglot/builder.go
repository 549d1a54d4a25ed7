// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/internal/tempfile"
	"ply11/position"
)

// Builder makes a book of moves that come in any order: the weights of a move that comes several times are
// added. Its memory is bounded: what is more is sorted in temporary files. Close removes them.
type Builder struct {
	sums  []sum
	limit int
	dir   string
	runs  []*tempfile.File
	err   error
}

// sum is a move with the weights that came for it.
type sum struct {
	key    uint64
	weight uint64
	move   RawMove
}

func (s sum) compare(o sum) int {
	return cmp.Or(cmp.Compare(s.key, o.key), cmp.Compare(s.move, o.move))
}

const (
	// defaultLimit is how many moves a Builder holds: 24 bytes each, 24 MiB.
	defaultLimit = 1 << 20
	// maxRuns is how many temporary files it keeps open.
	maxRuns = 32
	// runSize is the size of a move in a temporary file.
	runSize = 18
)

// BuilderOption changes a Builder.
type BuilderOption func(*Builder) error

// WithLimit sets how many moves are held in memory, at least 2; 24 bytes each.
func WithLimit(moves int) BuilderOption {
	return func(b *Builder) error {
		b.limit = moves
		return codec.AtLeast("WithLimit", moves, 2)
	}
}

// WithTempDir sets the folder of the temporary files; without it, os.TempDir is taken.
func WithTempDir(dir string) BuilderOption {
	return func(b *Builder) error {
		b.dir = dir
		return nil
	}
}

// NewBuilder returns an empty builder. An error of an option is that of Add and WriteTo.
func NewBuilder(options ...BuilderOption) *Builder {
	b := &Builder{limit: defaultLimit}
	b.err = codec.Apply(b, options)
	return b
}

// Add adds a move that is legal in the position. A weight of 0 makes it known without its being played.
// An error of a temporary file is returned here and by WriteTo.
func (b *Builder) Add(p *position.Position, m chess.Move, weight uint32) error {
	return b.AddRaw(p.Hash(), EncodeMove(p, m), weight)
}

// AddRaw adds a move by the key of its position, in the book's form.
func (b *Builder) AddRaw(key uint64, m RawMove, weight uint32) error {
	if b.err != nil {
		return b.err
	}
	if len(b.sums) >= b.limit {
		b.sums = merge(b.sums)
		// A merge that frees little would come again soon: better a temporary file.
		if len(b.sums) > b.limit/2 {
			b.err = b.spill()
		}
	}
	b.sums = append(b.sums, sum{key: key, weight: uint64(weight), move: m})
	return b.err
}

// merge sorts, and adds up what is of one move.
func merge(sums []sum) []sum {
	slices.SortFunc(sums, sum.compare)
	n := 0
	for i, s := range sums {
		if i > 0 && sums[n-1].key == s.key && sums[n-1].move == s.move {
			sums[n-1].weight = saturate(sums[n-1].weight, s.weight)
			continue
		}
		sums[n] = s
		n++
	}
	return sums[:n]
}

func saturate(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	return s | -carry
}

// spill writes what is held, sorted and merged, to a temporary file.
func (b *Builder) spill() error {
	if len(b.runs) >= maxRuns {
		if err := b.join(); err != nil {
			return err
		}
	}
	i := 0
	err := b.writeRun(func() (sum, error) {
		if i == len(b.sums) {
			return sum{}, io.EOF
		}
		i++
		return b.sums[i-1], nil
	})
	b.sums = b.sums[:0]
	return err
}

// join merges all temporary files to one.
func (b *Builder) join() error {
	next, err := b.mergeRuns(nil)
	if err != nil {
		return err
	}
	old := b.runs
	b.runs = nil
	err = b.writeRun(next)
	return errors.Join(err, removeAll(old))
}

// writeRun writes a temporary file and leaves it at its front.
func (b *Builder) writeRun(next func() (sum, error)) error {
	f, err := tempfile.Beside(filepath.Join(cmp.Or(b.dir, os.TempDir()), "book"))
	if err != nil {
		return err
	}
	b.runs = append(b.runs, f)
	w := bufio.NewWriterSize(f, 1<<16)
	for {
		s, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		var raw [runSize]byte
		binary.LittleEndian.PutUint64(raw[0:], s.key)
		binary.LittleEndian.PutUint64(raw[8:], s.weight)
		binary.LittleEndian.PutUint16(raw[16:], uint16(s.move))
		if _, err := w.Write(raw[:]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// run is a source of sorted moves: a temporary file, or the memory.
type run struct {
	head sum
	next func() (sum, error)
}

// mergeRuns returns the moves of all temporary files and of sorted, in order, each once.
func (b *Builder) mergeRuns(sorted []sum) (func() (sum, error), error) {
	var runs []*run
	add := func(next func() (sum, error)) error {
		head, err := next()
		if err == io.EOF {
			return nil
		}
		runs = append(runs, &run{head, next})
		return err
	}
	for _, f := range b.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		r := bufio.NewReaderSize(f, 1<<16)
		if err := add(func() (sum, error) {
			var raw [runSize]byte
			if _, err := io.ReadFull(r, raw[:]); err != nil {
				return sum{}, err
			}
			return sum{
				key:    binary.LittleEndian.Uint64(raw[0:]),
				weight: binary.LittleEndian.Uint64(raw[8:]),
				move:   RawMove(binary.LittleEndian.Uint16(raw[16:])),
			}, nil
		}); err != nil {
			return nil, err
		}
	}
	i := 0
	if err := add(func() (sum, error) {
		if i == len(sorted) {
			return sum{}, io.EOF
		}
		i++
		return sorted[i-1], nil
	}); err != nil {
		return nil, err
	}
	// At most maxRuns+1 sources: looking at each head is as quick as a heap.
	return func() (sum, error) {
		if len(runs) == 0 {
			return sum{}, io.EOF
		}
		least := runs[0].head
		for _, r := range runs[1:] {
			if r.head.compare(least) < 0 {
				least = r.head
			}
		}
		out := sum{key: least.key, move: least.move}
		for k := 0; k < len(runs); {
			r := runs[k]
			if r.head.compare(least) != 0 {
				k++
				continue
			}
			out.weight = saturate(out.weight, r.head.weight)
			var err error
			if r.head, err = r.next(); err == io.EOF {
				runs = slices.Delete(runs, k, k+1)
			} else if err != nil {
				return sum{}, err
			}
		}
		return out, nil
	}, nil
}

// WriteTo writes the book. Where a position's largest weight is above 65535, all of the position are
// scaled down by it; none that was above 0 comes to 0. The builder can go on being added to.
func (b *Builder) WriteTo(w io.Writer) (int64, error) {
	if b.err != nil {
		return 0, b.err
	}
	b.sums = merge(b.sums)
	next, err := b.mergeRuns(b.sums)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	var written int64
	var group []sum
	var entries []Entry
	flush := func() error {
		entries = scale(entries[:0], group)
		for _, e := range entries {
			n, err := out.Write(e.AppendTo(out.AvailableBuffer()))
			written += int64(n)
			if err != nil {
				return err
			}
		}
		group = group[:0]
		return nil
	}
	for {
		s, err := next()
		if err != nil && err != io.EOF {
			return written, err
		}
		if len(group) > 0 && (err == io.EOF || s.key != group[0].key) {
			if err := flush(); err != nil {
				return written, err
			}
		}
		if err == io.EOF {
			return written, out.Flush()
		}
		group = append(group, s)
	}
}

// scale makes the entries of one position, in the book's order.
func scale(dst []Entry, group []sum) []Entry {
	var most uint64
	for _, s := range group {
		most = max(most, s.weight)
	}
	for _, s := range group {
		weight := s.weight
		if most > 0xffff {
			hi, lo := bits.Mul64(weight, 0xffff)
			weight, _ = bits.Div64(hi, lo, most)
			if s.weight > 0 {
				weight = max(weight, 1)
			}
		}
		dst = append(dst, Entry{Key: s.key, Move: s.move, Weight: uint16(weight)})
	}
	slices.SortFunc(dst, Entry.Compare)
	return dst
}

// Close removes the temporary files.
func (b *Builder) Close() error {
	runs := b.runs
	b.runs, b.sums = nil, nil
	return removeAll(runs)
}

func removeAll(files []*tempfile.File) (err error) {
	for _, f := range files {
		err = errors.Join(err, f.Close())
	}
	return err
}
