// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/game/codec"
)

// TestParquetLengths: wrong lengths in metadata or headers of pages, long lists and deep structures are refused before
// memory is made.
func TestParquetLengths(t *testing.T) {
	sound := soundFile(t, "parquet")
	most := string(binary.AppendUvarint(nil, 1<<31-1))
	withMetadata := func(b string, n uint32) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte("PAR1"+b), n), "PAR1"...)
	}
	page := slices.Clone(sound)
	copy(page[4:], "\x15\x00\x15\x00\x15\x00\x2c\x5c\x18"+most) // a text in the statistics of a page of data
	for what, file := range map[string][]byte{
		"metadata of 4 GiB":             withMetadata("\x00", 1<<32-1),
		"metadata longer than the file": withMetadata("\x00", 2<<30),
		"metadata with the file's mark": withMetadata("", 5),
		"a list of all elements":        withMetadata("\x15\x02\x29\xfc"+most, uint32(4+len(most))),
		"groups of no columns": withMetadata("\x49\xfc"+string(binary.AppendUvarint(nil, 1<<20))+
			strings.Repeat("\x00", 1<<20)+"\x00", 6+1<<20),
		"a text of 2 GiB":                 withMetadata("\x68"+most, uint32(1+len(most))),
		"a text of 2^64 - 1 bytes":        withMetadata("\x68"+strings.Repeat("\xff", 9)+"\x01", 11),
		"a list in a field of no name":    withMetadata("\xf9\xfb"+most, uint32(2+len(most))),
		"a map of all keys":               withMetadata("\xfb"+most+"\xcc", uint32(2+len(most))),
		"structures in structures":        withMetadata(strings.Repeat("\xfc", 10<<20), 10<<20),
		"lists in lists":                  withMetadata("\xf9"+strings.Repeat("\x19", 10<<20), 1+10<<20),
		"a type that there is not":        withMetadata("\xfe", 1),
		"a number of a field too long":    withMetadata("\x08"+strings.Repeat("\xff", 20), 21),
		"a text in the header of a page":  page,
		"metadata of a file of no length": []byte("PAR1"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := imported("parquet", file)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, codec.ErrCorrupt) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
			t.Errorf("%s: it takes %d MiB to refuse it: %v", what, n>>20, err)
		}
	}
}

// TestThriftWalk walks over the library's metadata to the last byte, and refuses each cut.
func TestThriftWalk(t *testing.T) {
	for _, file := range smallParquet(t) {
		n := int64(binary.LittleEndian.Uint32(file[len(file)-8:]))
		metadata := file[int64(len(file))-8-n : len(file)-8]
		left, memory, err := dataset.WalkThrift(metadata)
		if err != nil || left != 0 {
			t.Errorf("%v, %d bytes are left", err, left)
		}
		if memory < 2*n || memory > dataset.MaxPages/100 {
			t.Errorf("%d bytes of memory for %d bytes", memory, n)
		}
		for k := range n {
			if _, _, err := dataset.WalkThrift(metadata[:k]); err == nil {
				t.Errorf("cut off after %d of %d bytes it is passed over", k, n)
			}
		}
	}
}
