// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
)

// Unzstd decompresses as columns are.
func Unzstd(frame []byte, n int) ([]byte, error) {
	b := Block{data: frame}
	b.head.columns = []column{{kind: columnText, comp: Zstd, stored: uint32(len(frame)), raw: uint32(n),
		sum: digestOf(frame)}}
	out, err := b.column(columnText)
	if err == nil && len(out) != n {
		err = fmt.Errorf("%d bytes, not %d", len(out), n)
	}
	return out, err
}
