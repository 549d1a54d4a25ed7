// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	pqformat "github.com/parquet-go/parquet-go/format"

	"ply11/dataset"
	"ply11/game/codec"
)

// soundFile is a small file of each format that is read.
func soundFile(t testing.TB, format string) []byte {
	t.Helper()
	return exportOne(t, dataset.Job{Format: format}, pack(t, []byte(rules), 1000, false))
}

// withFooter is a Parquet file with other metadata.
func withFooter(t *testing.T, file []byte, change func(*pqformat.FileMetaData)) []byte {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	m := *f.Metadata()
	m.RowGroups = slices.Clone(m.RowGroups)
	for i := range m.RowGroups {
		m.RowGroups[i].Columns = slices.Clone(m.RowGroups[i].Columns)
	}
	change(&m)
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), m)
	if err != nil {
		t.Fatal(err)
	}
	end := len(file) - 8 - int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	out := append(slices.Clone(file[:end]), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

// withTarSize is a tar whose first header tells another length of its file.
func withTarSize(file []byte, size string) []byte {
	file = slices.Clone(file)
	copy(file[124:136], size)
	copy(file[148:156], "        ")
	sum := 0
	for _, c := range file[:512] {
		sum += int(c)
	}
	copy(file[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return file
}

// TestFaults: each reader refuses each fault in one line.
func TestFaults(t *testing.T) {
	sound := map[string][]byte{}
	for _, f := range dataset.Importers() {
		sound[f.Name] = soundFile(t, f.Name)
		if list, err := imported(f.Name, sound[f.Name]); err != nil || len(list) < 5 {
			t.Fatalf("%s: %v, %d games", f.Name, err, len(list))
		}
	}
	type fault struct {
		format, what string
		file         []byte
		want         error
	}
	var faults []fault
	add := func(format, what string, file []byte, want error) {
		faults = append(faults, fault{format, what, file, want})
	}
	changed := func(format string, at int, b ...byte) []byte {
		file := slices.Clone(sound[format])
		copy(file[at:], b)
		return file
	}
	for _, f := range dataset.Importers() {
		name, file := f.Name, sound[f.Name]
		add(name, "empty", nil, codec.ErrCorrupt)
		for _, n := range []int{1, 3, len(file) / 3, len(file) - 1} {
			add(name, fmt.Sprintf("cut off after %d bytes", n), file[:n], codec.ErrCorrupt)
		}
		magic := codec.ErrCorrupt
		if name == "bin" {
			magic = errGame
		}
		add(name, "another magic number", changed(name, 0, bytes.Repeat([]byte{0xee}, 16)...), magic)
		add(name, "text", []byte(rules), codec.ErrCorrupt)
		for other, file := range sound {
			if other != name {
				add(name, "a file of "+other, file, codec.ErrCorrupt)
			}
		}
	}
	// Lengths that are not those of what follows. A .bin and viriformat have none.
	for _, n := range []uint32{0, 1, uint32(len(sound["binpack"]) - dataset.BinpackHead - 1),
		uint32(len(sound["binpack"])), dataset.BinpackMost, 1 << 31, 1<<32 - 1} {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], n)
		add("binpack", fmt.Sprintf("a block of %d bytes", n), changed("binpack", 4, b[:]...), codec.ErrCorrupt)
	}
	add("binpack", "a chain of 65536 positions", changed("binpack", dataset.BinpackHead+dataset.BinpackStem, 255, 255),
		codec.ErrCorrupt)
	add("binpack", "a chain of one position", changed("binpack", dataset.BinpackHead+dataset.BinpackStem, 0, 0),
		codec.ErrCorrupt)
	for _, size := range []string{"00000000000\x00", "00000000010\x00", "77777777777\x00",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"} {
		add("lc0", fmt.Sprintf("a file of %q bytes in the tar", size), withTarSize(sound["lc0"], size),
			codec.ErrCorrupt)
	}
	for what, change := range map[string]func(*pqformat.FileMetaData){
		"more rows":                 func(m *pqformat.FileMetaData) { m.NumRows++ },
		"fewer rows":                func(m *pqformat.FileMetaData) { m.NumRows-- },
		"very many rows":            func(m *pqformat.FileMetaData) { m.NumRows = 1 << 62 },
		"a negative number of rows": func(m *pqformat.FileMetaData) { m.NumRows = -1 },
		"a group of more rows":      func(m *pqformat.FileMetaData) { m.RowGroups[0].NumRows += 1 << 40 },
		"a group of -1 rows":        func(m *pqformat.FileMetaData) { m.RowGroups[0].NumRows = -1 },
		"no groups":                 func(m *pqformat.FileMetaData) { m.RowGroups = nil },
		"a group twice": func(m *pqformat.FileMetaData) {
			m.RowGroups = append(m.RowGroups, m.RowGroups[0])
		},
		"a column less": func(m *pqformat.FileMetaData) {
			m.RowGroups[0].Columns = m.RowGroups[0].Columns[:5]
		},
		"a column of no bytes": func(m *pqformat.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 0
		},
		"a column of many bytes": func(m *pqformat.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 1 << 62
		},
		"a column of -1 bytes": func(m *pqformat.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = -1
		},
		"a column behind the end": func(m *pqformat.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.DataPageOffset = 1 << 40
		},
		"a column before the start": func(m *pqformat.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.DataPageOffset = -5
		},
		"a column of another's pages": func(m *pqformat.FileMetaData) {
			c := m.RowGroups[0].Columns
			c[0].MetaData.DataPageOffset, c[0].MetaData.DictionaryPageOffset = c[1].MetaData.DataPageOffset,
				c[1].MetaData.DictionaryPageOffset
			c[0].MetaData.TotalCompressedSize = c[1].MetaData.TotalCompressedSize + 1
		},
	} {
		add("parquet", what, withFooter(t, sound["parquet"], change), codec.ErrCorrupt)
	}
	add("parquet", "another compression", withFooter(t, sound["parquet"], func(m *pqformat.FileMetaData) {
		m.RowGroups[0].Columns[0].MetaData.Codec = pqformat.LZO
	}), dataset.ErrCompression)
	add("parquet", "the order of another table", withFooter(t, sound["parquet"], func(m *pqformat.FileMetaData) {
		m.KeyValueMetadata = slices.Clone(m.KeyValueMetadata)
		for i := range m.KeyValueMetadata {
			m.KeyValueMetadata[i].Value = strings.Repeat("a", 64)
		}
	}), dataset.ErrOrder)
	end := len(sound["parquet"]) - 8
	for _, n := range []uint32{0, 1, 1 << 20, 1<<32 - 1} {
		add("parquet", fmt.Sprintf("metadata of %d bytes", n),
			changed("parquet", end, binary.LittleEndian.AppendUint32(nil, n)...), codec.ErrCorrupt)
	}
	for _, f := range faults {
		// Errors of games may come first. A .bin has no mark: its other positions are read.
		i := slices.IndexFunc(dataset.Importers(), func(i dataset.Importer) bool { return i.Name == f.format })
		var last error
		for _, err := range dataset.Importers()[i].Games(bytes.NewReader(f.file), int64(len(f.file))) {
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %s: %q", f.format, f.what, err)
			}
			if err != nil {
				last = err
			}
		}
		if !errors.Is(last, f.want) && !(f.want == errGame && codec.IsGameError(last)) {
			t.Errorf("%s: %s: %v, want %v", f.format, f.what, last, f.want)
		}
	}
}

// errGame stands for any error of a game.
var errGame = errors.New("an error of a game")

// TestParquetReadFails: that a file cannot be read does not make it corrupt.
func TestParquetReadFails(t *testing.T) {
	file := soundFile(t, "parquet")
	for n := 0; ; n++ {
		r := &failing{bytes.NewReader(file), n}
		var last error
		for _, err := range parquetImporter.Games(r, int64(len(file))) {
			last = err
		}
		if r.left >= 0 {
			if last != nil || n < 10 {
				t.Errorf("%d readings: %v", n, last)
			}
			return
		}
		if !errors.Is(last, errFailing) || errors.Is(last, codec.ErrCorrupt) {
			t.Errorf("after %d readings: %v", n, last)
		}
	}
}
