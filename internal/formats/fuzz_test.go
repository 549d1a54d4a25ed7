// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"bytes"
	"io"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/formats"
)

// Any bytes are explained, in every format; a file that explains without an error reads without one.
func FuzzExplain(f *testing.F) {
	for _, s := range []string{"", "\x2c\x2c\x61\x17\xdb\x1e\x53\x02", "\x13\x13\x74\x25\x4b\x2c\x7e\xd2\xff",
		"gametext_hex\n1313d2ff\n",
		"\x0c\x1c\x74\x24\xc3\x27",
		"\x8c\xa1\xb5\x0d\x1a\x9f\xc7\x62\x7f\xef\x3d\xe7\xb2\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x40\x17\x07\xa5\x8f\x85\xd7\x9e\xdf\xf5\xa7\xc3\x2b\x9d\x0b\xb3\x84\x3e\x07\x24\xac\xff\x04\xff"} {
		f.Add([]byte(s))
	}
	bounded.Fuzz(f, func(t *testing.T, src []byte) {
		for _, format := range formats.All {
			in := func() formats.Input { return formats.Input{Reader: bytes.NewReader(src), Path: "-"} }
			if format.Explain(io.Discard, in(), formats.Options{}) != nil {
				continue
			}
			for _, err := range format.Read(in(), formats.Options{}) {
				if err != nil {
					t.Errorf("%s is explained, but not read: %v", format.Name, err)
				}
			}
		}
	})
}
