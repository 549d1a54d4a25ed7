// SPDX-License-Identifier: Apache-2.0

package index

import (
	"context"
	"errors"
	"fmt"
	"io"

	"ply11/bitstream/archive"
	"ply11/internal/inplace"
)

// File is an index to which Update adds, as an *os.File. Nobody else may write to it meanwhile; others may read.
type File = inplace.File

// mergeTimes: last segments of at most so many times the new games are made again with these, so that segments grow
// with the logarithm of the games.
const mergeTimes = 2

// Update adds games that were appended to an archive to the index of before, of the size given. It writes a new segment
// behind it: a reader meanwhile, or after an interruption, has the old index or the new one.
//
// It is ErrOtherArchive if the archive does not begin with that of the index; then nothing is written.
//
// Cost: the new games and those of small segments are replayed, log(n) times for n games that come one by one; of
// others the digests of blocks are read.
func Update(ctx context.Context, f File, size int64, s Source, o Options) (counts Counts,
	err error) {
	x, err := Open(f, size)
	if err != nil {
		return counts, err
	}
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	kept := x.head.segments
	for i := range kept {
		k := &kept[i]
		if k.firstBlock+k.blocks > r.Blocks() || k.first+k.games > uint64(r.Len()) {
			return counts, fmt.Errorf("%s: %w", s.Name, ErrOtherArchive)
		}
		prefix, err := r.BlocksDigest(k.firstBlock+1, k.blocks)
		if err != nil {
			return counts, fmt.Errorf("%s: %w", s.Name, err)
		}
		if prefix != k.prefix {
			return counts, fmt.Errorf("%s: %w", s.Name, ErrOtherArchive)
		}
	}
	fresh := uint64(r.Len()) - x.head.games
	for n := len(kept); n > 0 && (kept[n-1].games <= mergeTimes*fresh || n == maxSegments); n-- {
		fresh += kept[n-1].games
		kept = kept[:n-1]
	}
	o.Variations = x.head.variations
	b, err := newBuilder(ctx, s, o.withDefaults(), kept)
	if err != nil {
		return counts, err
	}
	defer b.sorter.Close()
	if err := b.replay(); err != nil {
		return counts, fmt.Errorf("%s: %w", s.Name, err)
	}
	if err := ctx.Err(); err != nil {
		return counts, err
	}
	unfinished := x.head
	unfinished.unfinished = true
	w, err := inplace.New(f, x.size, unfinished.trailer())
	if err != nil {
		return counts, err
	}
	b.head.offset = x.size
	if err = b.write(w); err == nil {
		counts, err = b.finish(w)
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		err = errors.Join(err, w.Abandon())
	}
	return counts, err
}

// Compact writes an index without what is Unused.
func Compact(ctx context.Context, dst io.Writer, x *Index) error {
	h := x.head
	h.segments = append([]segmentHead(nil), h.segments...)
	if _, err := dst.Write(h.start()); err != nil {
		return err
	}
	at := int64(startSize)
	for i := range h.segments {
		s := &h.segments[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.Copy(dst, io.NewSectionReader(x.r, s.offset, s.size)); err != nil {
			return err
		}
		s.offset = at
		at += s.size
	}
	_, err := dst.Write(h.end(at))
	return err
}
