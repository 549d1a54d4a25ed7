// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"encoding/binary"
	"hash/crc32"

	"google.golang.org/protobuf/encoding/protowire"
)

var tfrecordFormat = format{
	name: "tfrecord", ext: ".tfrecord",
	description: "TFRecord: an Example of TensorFlow a position, with the arrays of npy",
	positions:   true, arrays: true, want: wantNotes, check: checkArrays, describe: describeArrays,
	create: func(j *Job, out *output) (sink, error) {
		rows, err := newArrays(j, out)
		if err != nil {
			return nil, err
		}
		w := &tfrecord{arrays: rows, file: out.file}
		w.most, w.flush = 1, w.write
		return w, nil
	},
}

type tfrecord struct {
	*arrays
	file                             *outputFile
	numbers, feature, entry, example []byte
	record                           []byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendMasked appends the masked checksum of a part of a record.
func appendMasked(dst, part []byte) []byte {
	c := crc32.Checksum(part, castagnoli)
	return binary.LittleEndian.AppendUint32(dst, (c>>15|c<<17)+0xa282ead8)
}

// appendField appends a field with a length.
func appendField(dst []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, number, protowire.BytesType), value)
}

// Fields of Example.features, Features.feature (a map of name and Feature), and the lists of a Feature.
const (
	fieldFeatures = 1
	fieldFeature  = 1
	fieldName     = 1
	fieldOf       = 2
	fieldBytes    = 1
	fieldFloats   = 2
	fieldInts     = 3
	fieldValue    = 1
)

func (w *tfrecord) end(*Shard) error { return nil }

// write writes the row: length, checksum, an Example, checksum.
func (w *tfrecord) write() error {
	w.example = w.example[:0]
	for i := range w.columns {
		c := &w.columns[i]
		w.feature = w.appendFeature(w.feature[:0], c, w.rows[i])
		w.entry = appendField(appendField(w.entry[:0], fieldName, []byte(c.Name)), fieldOf, w.feature)
		w.example = appendField(w.example, fieldFeature, w.entry)
	}
	w.clear()
	w.feature = appendField(w.feature[:0], fieldFeatures, w.example)
	w.record = binary.LittleEndian.AppendUint64(w.record[:0], uint64(len(w.feature)))
	w.record = appendMasked(w.record, w.record)
	w.record = appendMasked(append(w.record, w.feature...), w.feature)
	_, err := w.file.Write(w.record)
	return err
}

// appendFeature appends a Feature: planes and legal moves are bytes, chances are floats, others are integers.
func (w *tfrecord) appendFeature(dst []byte, c *column, row []byte) []byte {
	list, kind := w.numbers[:0], protowire.Number(fieldInts)
	switch {
	case c.Name == "planes" || c.Name == "legal":
		list, kind = row, fieldBytes
	case c.Type == "float32":
		list, kind = row, fieldFloats
	default:
		size := c.size
		for _, n := range c.Shape {
			size /= n
		}
		for ; len(row) > 0; row = row[size:] {
			var b [8]byte
			copy(b[:], row[:size])
			v := binary.LittleEndian.Uint64(b[:])
			if c.Type[0] == 'i' { // the sign
				shift := 64 - 8*size
				v = uint64(int64(v<<shift) >> shift)
			}
			list = protowire.AppendVarint(list, v)
		}
		w.numbers = list
	}
	w.entry = appendField(w.entry[:0], fieldValue, list)
	return appendField(dst, kind, w.entry)
}
