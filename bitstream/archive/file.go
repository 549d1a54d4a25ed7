// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"io"
)

// fileWriter writes blocks, the index and the trailer.
type fileWriter struct {
	w      io.Writer
	header header
	stats  Stats
	footer []byte // entries
	err    error
}

func newFileWriter(w io.Writer, h header) *fileWriter {
	f := &fileWriter{w: w, header: h}
	f.write(h.encode())
	return f
}

func (f *fileWriter) write(b []byte) {
	if f.err != nil {
		return
	}
	var n int
	n, f.err = f.w.Write(b)
	f.stats.Bytes += int64(n)
}

// block writes a block, with the numbers that it has here.
func (f *fileWriter) block(b *packedBlock) error {
	b.head.first = f.stats.Games + 1
	b.head.number = uint32(f.stats.Blocks)
	b.head.encode(b.data[:0])
	var entry [footerEntry]byte
	le.PutUint64(entry[0:], uint64(f.stats.Bytes))
	le.PutUint64(entry[8:], b.head.first)
	le.PutUint32(entry[16:], b.head.games)
	le.PutUint32(entry[20:], b.head.plies)
	le.PutUint32(entry[24:], uint32(len(b.data)))
	le.PutUint32(entry[28:], le.Uint32(b.data[b.head.size-4:]))
	f.footer = append(f.footer, entry[:]...)
	f.write(b.data)
	f.stats.Games += uint64(b.head.games)
	f.stats.Plies += uint64(b.head.plies)
	f.stats.Text += int64(b.head.text)
	f.stats.Blocks++
	if b.head.find(ColumnMoves) >= 0 {
		f.stats.Fixed++
	}
	return f.err
}

// close writes the footer and the trailer.
func (f *fileWriter) close() error {
	at := uint64(f.stats.Bytes)
	b := make([]byte, footerFixed, footerFixed+len(f.footer)+4)
	size := footerFixed + len(f.footer) + 4
	le.PutUint32(b, footerMark)
	le.PutUint32(b[4:], uint32(f.stats.Blocks))
	le.PutUint64(b[8:], uint64(size))
	le.PutUint64(b[16:], f.stats.Games)
	le.PutUint64(b[24:], f.stats.Plies)
	le.PutUint64(b[32:], uint64(f.stats.Text))
	if f.stats.Hashed {
		b[40] = 1
		copy(b[48:], f.stats.SHA256[:])
	}
	b = append(b, f.footer...)
	crc := checksum(b)
	b = le.AppendUint32(b, crc)
	f.write(b)
	var t [trailerSize]byte
	le.PutUint32(t[:], trailerMark)
	le.PutUint16(t[4:], f.header.version)
	le.PutUint64(t[8:], at)
	le.PutUint64(t[16:], uint64(size))
	le.PutUint32(t[24:], crc)
	le.PutUint32(t[28:], checksum(t[:28]))
	f.write(t[:])
	return f.err
}
