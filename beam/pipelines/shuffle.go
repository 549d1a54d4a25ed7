// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/p11io"
	"ply11/dataset"
	"ply11/query"
)

func init() {
	for _, fn := range []any{(*inputFn)(nil), (*inputsFn)(nil), (*rowsFn)(nil), (*onceFn)(nil), (*countsFn)(nil),
		(*placeFn)(nil), (*shardRowsFn)(nil), (*manifestFn)(nil)} {
		beam.RegisterDoFn(reflect.TypeOf(fn).Elem())
	}
	beam.RegisterDoFn(noRows)
}

// A shuffle of all archives. The rows go to groups by the high bits of the number that the seed gives to each, and one
// machine sorts those of a group. The number of rows before a group gives the place of each row in the whole, and so
// its shard.

const manifestExtension = ".manifest.json"

const (
	// rowGroupBytes is how many bytes of rows a group has, about, with no more than maxRowGroups.
	rowGroupBytes = 8 << 20
	maxRowGroups  = 1 << 14
	rowBytes      = 100 // of a position, about
	// dealtBytes is how many bytes of rows a bundle keeps, and pieceBytes is those of an element for a shard.
	dealtBytes = 16 << 20
	pieceBytes = 256 << 10
	// maxRowBytes is more than any row has.
	maxRowBytes = 1 << 26
)

// exportShuffled writes the shards of all archives, and then their manifest. A group has about groupBytes.
func exportShuffled(s beam.Scope, found beam.PCollection, o ExportOptions, prefix string,
	groupBytes int) beam.PCollection {
	none := beam.Create(s, []byte{}) // so that there is an element also if there is no archive
	together := func(elements beam.PCollection) beam.PCollection {
		return beam.GroupByKey(s, beam.AddFixedKey(s, beam.Flatten(s, elements, none)))
	}
	inputs := beam.SideInput{Input: beam.ParDo(s, &inputsFn{}, together(beam.ParDo(s, &inputFn{}, found)))}
	rows, counts, totals := beam.ParDo3(s, &rowsFn{ExportOptions: o, GroupBytes: groupBytes}, found, inputs)
	if o.Job.Dedupe {
		rows, counts = beam.ParDo2(s, &onceFn{RowsEach: o.rowsEach(), GroupBytes: groupBytes}, beam.GroupByKey(s, rows),
			inputs)
	}
	before := beam.SideInput{Input: beam.ParDo(s, &countsFn{ExportOptions: o, Prefix: prefix}, together(counts),
		inputs)}
	pieces := beam.ParDo(s, &placeFn{Shards: o.Shards}, beam.GroupByKey(s, rows), before)
	numbers := make([]int64, o.Shards)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	// so that a shard without rows is written
	all := beam.Flatten(s, pieces, beam.ParDo(s, noRows, beam.CreateList(s, numbers), before))
	names, shards := beam.ParDo2(s, &shardRowsFn{ExportOptions: o, Prefix: prefix}, beam.GroupByKey(s, all), inputs)
	manifest := beam.ParDo(s, &manifestFn{ExportOptions: o, Prefix: prefix}, together(beam.Flatten(s, shards, totals)),
		inputs)
	return beam.Flatten(s, names, manifest)
}

// noRows gives each shard an element without rows. It comes after the counts, so that no shard, and no manifest of the
// shards, is written before the manifest that says that they are not complete.
func noRows(shard int64, _ []byte) (int64, []byte) {
	return shard, binary.BigEndian.AppendUint64(nil, 0)
}

type described struct {
	Number int64 // among the files
	Input  dataset.Input
}

// inputFn describes an archive, in JSON.
type inputFn struct{}

func (*inputFn) ProcessElement(ctx context.Context, f files.File) ([]byte, error) {
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	d := described{Number: f.Number}
	if d.Input, err = dataset.InputOf(query.Source{Name: f.Name, Reader: in, Size: f.Size}); err != nil {
		return nil, err
	}
	return json.Marshal(d)
}

// inputsFn makes one element of all archives, in their order.
type inputsFn struct{}

func (*inputsFn) ProcessElement(_ int, elements func(*[]byte) bool) ([]byte, error) {
	all := inputs{}
	for b := []byte(nil); elements(&b); {
		if len(b) == 0 {
			continue
		}
		var d described
		if err := json.Unmarshal(b, &d); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b described) int { return cmp.Compare(a.Number, b.Number) })
	return json.Marshal(all)
}

type inputs []described

// read reads the element of inputsFn, once.
func (in *inputs) read(element []byte) error {
	if *in != nil {
		return nil
	}
	return json.Unmarshal(element, in)
}

func (in inputs) archives() []dataset.Input {
	list := make([]dataset.Input, len(in))
	for i := range in {
		list[i] = in[i].Input
	}
	return list
}

// groupBits is how many high bits give the group of a row: the same for all machines. A position has so many rows at
// the most.
func (in inputs) groupBits(rows, bytes int) int {
	var plies int64
	for i := range in {
		plies += in[i].Input.Plies
	}
	return bits.Len64(min(uint64(plies)*uint64(rows)*rowBytes/uint64(bytes), maxRowGroups-1))
}

// rowsEach is how many rows a position becomes at the most.
func (o *ExportOptions) rowsEach() int { return 1 << len(o.Job.Augment) }

// dealer gives rows to their groups, and counts them.
type dealer struct {
	bits   int
	groups map[int64][]byte
	counts map[int64]uint64
	bytes  int
	emit   func(int64, []byte)
}

func newDealer(bits int, emit func(int64, []byte)) *dealer {
	return &dealer{bits: bits, groups: map[int64][]byte{}, counts: map[int64]uint64{}, emit: emit}
}

// add adds a row to the group of a number.
func (d *dealer) add(by uint64, row []byte) {
	group := int64(by >> (64 - d.bits)) // 0 if there are no bits
	d.groups[group] = append(d.groups[group], row...)
	d.counts[group]++
	if d.bytes += len(row); d.bytes < dealtBytes {
		return
	}
	d.flush()
}

func (d *dealer) flush() {
	for group, b := range d.groups {
		d.emit(group, b)
	}
	clear(d.groups)
	d.bytes = 0
}

// end gives the rest, and then the number of rows of each group.
func (d *dealer) end(emit func([]byte)) error {
	d.flush()
	b, err := json.Marshal(d.counts)
	if err == nil {
		emit(b)
	}
	return err
}

// A row on its way is Turn and Same, eight bytes each, and then Place, the length of Data, and Data.
func appendRow(dst []byte, r *dataset.Row) []byte {
	dst = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, r.Turn), r.Same)
	dst = binary.AppendUvarint(dst, r.Place)
	return append(binary.AppendUvarint(dst, uint64(len(r.Data))), r.Data...)
}

var (
	// errRow: an element is not what this program makes.
	errRow = errors.New("an element does not hold rows")
	// errNotDescribed: the archives were listed anew while the pipeline ran.
	errNotDescribed = errors.New("it is not among the archives that were listed first")
)

func rowsOf(list []dataset.Row, b []byte) ([]dataset.Row, error) {
	for len(b) > 0 {
		if len(b) < 16 {
			return nil, errRow
		}
		r := dataset.Row{Turn: binary.BigEndian.Uint64(b), Same: binary.BigEndian.Uint64(b[8:])}
		var n, m int
		r.Place, n = binary.Uvarint(b[16:])
		if n <= 0 {
			return nil, errRow
		}
		var size uint64
		if size, m = binary.Uvarint(b[16+n:]); m <= 0 || size > uint64(len(b)-16-n-m) {
			return nil, errRow
		}
		b = b[16+n+m:]
		r.Data, b = b[:size], b[size:]
		list = append(list, r)
	}
	return list, nil
}

func allRows(elements func(*[]byte) bool) (list []dataset.Row, err error) {
	for b := []byte(nil); elements(&b); {
		if list, err = rowsOf(list, b); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// rowsFn gives the rows of an archive.
type rowsFn struct {
	ExportOptions
	GroupBytes int
	inputs     inputs
}

// ProcessElement gives the rows, their numbers by their groups, and what the manifest has of them.
func (fn *rowsFn) ProcessElement(ctx context.Context, f files.File, all []byte, emit func(int64, []byte), count,
	tell func([]byte)) error {
	exporting <- struct{}{}
	defer func() { <-exporting }()
	if err := fn.inputs.read(all); err != nil {
		return err
	}
	plan, err := fn.plan()
	if err != nil {
		return err
	}
	q, source, in, err := fn.open(ctx, f)
	if err != nil {
		return err
	}
	defer in.Close()
	number, found := slices.BinarySearchFunc(fn.inputs, f.Number, func(d described, n int64) int {
		return cmp.Compare(d.Number, n)
	})
	if !found {
		return fmt.Errorf("%s: %w", f.Name, errNotDescribed)
	}
	to := newDealer(fn.inputs.groupBits(fn.rowsEach(), fn.GroupBytes), emit)
	var row []byte
	// positions of the rows in the dealer
	seen := map[uint64]bool{}
	totals, err := plan.Rows(ctx, q, source, number, func(r *dataset.Row) error {
		if seen[r.Same] {
			return nil
		}
		row = appendRow(row[:0], r)
		if !fn.Job.Dedupe {
			to.add(r.Turn, row)
			return nil
		}
		seen[r.Same] = true
		if to.add(r.Same, row); to.bytes == 0 {
			clear(seen)
		}
		return nil
	})
	if err != nil {
		return err
	}
	files.CountGames(ctx, totals.Games)
	b, err := json.Marshal(told{Totals: totals})
	if err != nil {
		return err
	}
	tell(b)
	return to.end(count)
}

// onceFn gives of the positions of a group that are the same the first.
type onceFn struct {
	RowsEach, GroupBytes int
	inputs               inputs
}

func (fn *onceFn) ProcessElement(_ context.Context, _ int64, elements func(*[]byte) bool, all []byte,
	emit func(int64, []byte), count func([]byte)) error {
	if err := fn.inputs.read(all); err != nil {
		return err
	}
	// A position may be there once in each game: its copies are not kept.
	first := map[uint64]*dataset.Row{}
	var list []dataset.Row
	for b := []byte(nil); elements(&b); {
		var err error
		if list, err = rowsOf(list[:0], b); err != nil {
			return err
		}
		for i := range list {
			r := &list[i]
			kept := first[r.Same]
			switch {
			case kept == nil:
				kept = &dataset.Row{}
				first[r.Same] = kept
			case r.Place > kept.Place:
				continue
			}
			data := append(kept.Data[:0], r.Data...)
			*kept = *r
			kept.Data = data
		}
	}
	to := newDealer(fn.inputs.groupBits(fn.RowsEach, fn.GroupBytes), emit)
	var row []byte
	for _, r := range first {
		row = appendRow(row[:0], r)
		to.add(r.Turn, row)
	}
	return to.end(count)
}

// countsFn adds up the numbers of rows of the groups. It also writes a manifest that is not complete: if the run fails,
// one of an earlier run must not stand beside the new shards.
type countsFn struct {
	ExportOptions
	Prefix string
	inputs inputs
}

func (fn *countsFn) ProcessElement(ctx context.Context, _ int, elements func(*[]byte) bool, archives []byte) ([]byte,
	error) {
	if err := fn.inputs.read(archives); err != nil {
		return nil, err
	}
	name, m, err := fn.manifest(fn.Prefix, fn.inputs, []dataset.Shard{}, dataset.Totals{})
	if err != nil {
		return nil, err
	}
	m.Complete = false
	if err := writeManifest(ctx, name, m); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := map[int64]uint64{}
	for b := []byte(nil); elements(&b); {
		if len(b) == 0 {
			continue
		}
		var some map[int64]uint64
		if err := json.Unmarshal(b, &some); err != nil {
			return nil, err
		}
		for group, n := range some {
			all[group] += n
		}
	}
	return json.Marshal(all)
}

type rowCounts struct {
	before map[int64]uint64
	total  uint64
}

func (c *rowCounts) read(element []byte) error {
	if c.before != nil {
		return nil
	}
	var rowsIn map[int64]uint64
	if err := json.Unmarshal(element, &rowsIn); err != nil {
		return err
	}
	c.before = make(map[int64]uint64, len(rowsIn))
	for _, group := range slices.Sorted(maps.Keys(rowsIn)) {
		c.before[group] = c.total
		c.total += rowsIn[group]
	}
	return nil
}

// placeFn sorts the rows of a group, and gives them to their shards.
type placeFn struct {
	Shards int
	counts rowCounts
}

// ProcessElement gives elements for shards: the place of the first row in the whole, in eight bytes, and rows with
// their lengths.
func (fn *placeFn) ProcessElement(_ context.Context, group int64, elements func(*[]byte) bool, counts []byte,
	emit func(int64, []byte)) error {
	if err := fn.counts.read(counts); err != nil {
		return err
	}
	at, total := fn.counts.before[group], fn.counts.total
	list, err := allRows(elements)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b dataset.Row) int {
		return cmp.Or(cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.Place, b.Place))
	})
	var b []byte
	shard := 0
	for i := range list {
		place := at + uint64(i)
		for place >= dataset.ShardStart(shard+1, fn.Shards, total) {
			give(shard, b, emit)
			b = b[:0]
			shard++
		}
		if len(b) == 0 {
			b = binary.BigEndian.AppendUint64(b, place)
		}
		b = append(binary.AppendUvarint(b, uint64(len(list[i].Data))), list[i].Data...)
		if len(b) >= pieceBytes {
			give(shard, b, emit)
			b = b[:0]
		}
	}
	give(shard, b, emit)
	return nil
}

func give(shard int, b []byte, emit func(int64, []byte)) {
	if len(b) > 0 {
		emit(int64(shard), bytes.Clone(b))
	}
}

type shardRowsFn struct {
	ExportOptions
	Prefix string
	inputs inputs
}

func (fn *shardRowsFn) ProcessElement(ctx context.Context, shard int64, elements func(*[]byte) bool, all []byte,
	emit func(string), tell func([]byte)) error {
	exporting <- struct{}{}
	defer func() { <-exporting }()
	if err := fn.inputs.read(all); err != nil {
		return err
	}
	plan, err := fn.plan()
	if err != nil {
		return err
	}
	pile, err := files.NewPile()
	if err != nil {
		return err
	}
	defer pile.Close()
	for b := []byte(nil); elements(&b); {
		if len(b) < 8 {
			return errRow
		}
		if err := pile.Add(int64(binary.BigEndian.Uint64(b)), 0, b[8:]); err != nil {
			return err
		}
	}
	name := p11io.ShardName(fn.Prefix, shard, int64(fn.Shards), fn.Extension())
	var written dataset.Shard
	sum := sha256.New()
	size := counter(0)
	err = files.Write(ctx, name, func(w io.Writer) (err error) {
		written, err = plan.WriteRows(ctx, fn.inputs.archives(), io.MultiWriter(w, sum, &size),
			func(take func([]byte) error) error {
				var b []byte
				in := bufio.NewReader(io.MultiReader(pile.Readers()...))
				for {
					n, err := binary.ReadUvarint(in)
					if err == io.EOF {
						return nil
					}
					if err != nil || n > maxRowBytes {
						return errRow
					}
					b = slices.Grow(b[:0], int(n))[:n]
					if _, err := io.ReadFull(in, b); err != nil {
						return errRow
					}
					if err := take(b); err != nil {
						return err
					}
				}
			})
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	written.Number = int(shard) + 1
	written.Files = []dataset.File{fileOf(name, size, sum)}
	b, err := json.Marshal(told{Shard: &written})
	if err != nil {
		return err
	}
	tell(b)
	emit(name)
	return nil
}

type told struct {
	Shard  *dataset.Shard `json:",omitempty"`
	Totals dataset.Totals
}

func (o *ExportOptions) manifest(prefix string, all inputs, shards []dataset.Shard, totals dataset.Totals) (string,
	*dataset.Manifest, error) {
	p, err := o.plan()
	if err != nil {
		return "", nil, err
	}
	m := p.Manifest(all.archives(), shards, totals)
	if strings.HasSuffix(prefix, "/") {
		return prefix + strings.TrimPrefix(manifestExtension, "."), m, nil
	}
	return prefix + manifestExtension, m, nil
}

// manifestFn writes the manifest, and before it labels.txt, if the prefix is a folder and the format has it.
type manifestFn struct {
	ExportOptions
	Prefix string
	inputs inputs
}

func (fn *manifestFn) ProcessElement(ctx context.Context, _ int, elements func(*[]byte) bool, all []byte,
	emit func(string)) error {
	if err := fn.inputs.read(all); err != nil {
		return err
	}
	var shards []dataset.Shard
	var totals dataset.Totals
	for b := []byte(nil); elements(&b); {
		if len(b) == 0 {
			continue
		}
		var of told
		if err := json.Unmarshal(b, &of); err != nil {
			return err
		}
		if of.Shard != nil {
			shards = append(shards, *of.Shard)
		}
		totals.Add(of.Totals)
	}
	slices.SortFunc(shards, func(a, b dataset.Shard) int { return cmp.Compare(a.Number, b.Number) })
	name, m, err := fn.manifest(fn.Prefix, fn.inputs, shards, totals)
	if err != nil {
		return err
	}
	if text := m.LabelsText(); text != nil && strings.HasSuffix(fn.Prefix, "/") {
		labels := fn.Prefix + dataset.LabelsName
		if err := writeText(ctx, labels, text); err != nil {
			return fmt.Errorf("%s: %w", labels, err)
		}
		emit(labels)
	}
	if err := writeManifest(ctx, name, m); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	emit(name)
	return nil
}
