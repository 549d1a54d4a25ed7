// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/samegame"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[keysFn]())
	beam.RegisterDoFn(reflect.TypeFor[groupFn]())
	beam.RegisterDoFn(reflect.TypeFor[dropFn]())
	beam.RegisterDoFn(bySource)
}

const (
	// groupBytes is how many bytes of archives there are for a group of games, which one machine compares.
	groupBytes      = 128 << 20
	recordsTogether = 64 << 10
)

// record is what is compared of a game: 16 bytes of the hash, the number of the archive in 4, that of the game in 8.
const record = 16 + 4 + 8

// Dedupe writes each archive again, to prefix-00001-of-0000N.p11 and so on, without the games that are there already:
// in an archive before, or earlier in the same one. It returns the collection of the names. The files have the numbers
// of the archives.
//
// Games are the same as for `ply11 dedupe`: their starts and main lines, and with players the players, too. Games
// without moves are not compared. An archive of which no game is left out is copied as it is. Else the games that are
// left keep their texts.
func Dedupe(s beam.Scope, patterns []string, players bool, prefix string) beam.PCollection {
	s = s.Scope("Dedupe")
	found := files.MatchAll(s, patterns) // once: records and archives are joined by its numbers
	keys := beam.ParDo(s, &keysFn{Players: players}, found)
	again := beam.ParDo(s, &groupFn{}, beam.GroupByKey(s, keys))
	all := beam.ParDo(s, bySource, found)
	return beam.ParDo(s, &dropFn{Prefix: prefix}, beam.CoGroupByKey(s, all, again))
}

func bySource(f files.File) (int64, files.File) { return f.Number, f }

// keysFn makes the records of games.
type keysFn struct {
	Players bool
	key     samegame.Key
	groups  [][]byte // of the bundle, by group
}

func (fn *keysFn) StartBundle(_ context.Context, _ func(int64, []byte)) { fn.groups = nil }

// ProcessElement makes the records of an archive, and gives those of a group when they are many.
func (fn *keysFn) ProcessElement(ctx context.Context, f files.File, emit func(int64, []byte)) error {
	if fn.groups == nil {
		fn.groups = make([][]byte, 1+f.All*files.Unit/groupBytes) // the same number in all bundles
	}
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	r, err := archive.NewReader(in, f.Size)
	for n := 1; err == nil && n <= r.Blocks(); n++ {
		var b *archive.Block
		if b, err = r.Block(n); err == nil {
			files.CountGames(ctx, b.Len())
			err = fn.add(b, uint32(f.Number), emit)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

func (fn *keysFn) add(b *archive.Block, source uint32, emit func(int64, []byte)) error {
	fn.key.Players = fn.Players
	var g game.Game
	for i := 1; i <= b.Len(); i++ {
		if fn.Players {
			if err := b.Tags(i, &g); err != nil {
				return err
			}
		}
		x, _, err := b.Exception(i)
		if err != nil {
			return err
		}
		sum, ok, err := fn.key.Of(b, i, &g, x)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		k := binary.BigEndian.Uint64(sum[:]) % uint64(len(fn.groups))
		list := append(fn.groups[k], sum[:]...)
		list = binary.BigEndian.AppendUint32(list, source)
		list = binary.BigEndian.AppendUint64(list, uint64(b.First()+i-1))
		if len(list) >= recordsTogether {
			emit(int64(k), list)
			list = nil
		}
		fn.groups[k] = list
	}
	return nil
}

func (fn *keysFn) FinishBundle(_ context.Context, emit func(int64, []byte)) error {
	for k, list := range fn.groups {
		if len(list) > 0 {
			emit(int64(k), list)
		}
	}
	return nil
}

// groupFn finds the games that are there already.
type groupFn struct{}

// ProcessElement gives, for each archive, the numbers of its games in a group.
func (*groupFn) ProcessElement(_ int64, lists func(*[]byte) bool, emit func(int64, []byte)) error {
	var all []byte
	for list := []byte(nil); lists(&list); {
		all = append(all, list...)
	}
	records := make([][record]byte, len(all)/record)
	for i := range records {
		copy(records[i][:], all[i*record:])
	}
	slices.SortFunc(records, func(a, b [record]byte) int { return bytes.Compare(a[:], b[:]) })
	again := map[int64][]byte{}
	for i := 1; i < len(records); i++ {
		if a, b := &records[i-1], &records[i]; bytes.Equal(a[:16], b[:16]) {
			source := int64(binary.BigEndian.Uint32(b[16:]))
			again[source] = append(again[source], b[20:]...)
		}
	}
	for source, numbers := range again {
		emit(source, numbers)
	}
	return nil
}

type dropFn struct{ Prefix string }

func (fn *dropFn) ProcessElement(ctx context.Context, number int64, all func(*files.File) bool,
	lists func(*[]byte) bool, emit func(string)) error {
	var f files.File
	if !all(&f) {
		return fmt.Errorf("there is no archive of number %d", number)
	}
	var drop []uint64
	for list := []byte(nil); lists(&list); {
		for ; len(list) >= 8; list = list[8:] {
			drop = append(drop, binary.BigEndian.Uint64(list))
		}
	}
	slices.Sort(drop)
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	name := p11io.ShardName(fn.Prefix, f.Number, f.Count, ".p11")
	err = files.Write(ctx, name, func(w io.Writer) error {
		if len(drop) == 0 {
			_, err := io.Copy(w, io.NewSectionReader(in, 0, f.Size))
			return err
		}
		return without(w, in, f.Size, drop)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	emit(name)
	return nil
}

// without writes an archive without the games of some numbers, which ascend.
func without(w io.Writer, in io.ReaderAt, size int64, drop []uint64) error {
	r, err := archive.NewReader(in, size)
	if err != nil {
		return err
	}
	out := archive.NewSelection(w, archive.WithDense(r.HasDense()))
	for n := range r.Blocks() {
		b, err := r.Block(n + 1)
		if err != nil {
			return err
		}
		for i := range b.Len() {
			if len(drop) > 0 && drop[0] == uint64(b.First()+i) {
				drop = drop[1:]
				continue
			}
			if err := out.Copy(b, i+1); err != nil {
				return err
			}
		}
	}
	return out.Close()
}
