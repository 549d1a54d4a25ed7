// SPDX-License-Identifier: Apache-2.0

package moveindex

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"testing"
)

func TestTableIsTheFrozenOne(t *testing.T) {
	table := AppendTable(nil)
	sum := sha256.Sum256(table)
	if got := hex.EncodeToString(sum[:]); got != TableSHA256 {
		t.Errorf("sha-256 of the table is %s, frozen %s", got, TableSHA256)
	}
	if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE(table)); got != TableCRC32 {
		t.Errorf("crc-32 of the table is %s, frozen %s", got, TableCRC32)
	}
}
