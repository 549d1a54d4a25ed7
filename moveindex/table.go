// SPDX-License-Identifier: Apache-2.0

package moveindex

import (
	"ply11/chess"
	"strconv"
)

// TableSHA256 and TableCRC32 are the SHA-256 and the CRC-32 (IEEE) of AppendTable's text, in hex: the
// name of the frozen order.
const (
	TableSHA256 = "b04bfc839547f25f1b584dce20f73bb41c97816df523d04f4ccab1d1dea67768"
	TableCRC32  = "565fa66c"
)

// AppendTable appends the table of the 1,968 moves: a header line, then a line for each with index,
// class, from, to and promotion ("-" for none), separated by tabs and ended by line feeds.
func AppendTable(dst []byte) []byte {
	dst = append(dst, "index\tclass\tfrom\tto\tpromotion\n"...)
	for i := range Index(NumMoves) {
		m, _ := i.Move()
		dst = strconv.AppendUint(dst, uint64(i), 10)
		dst = append(dst, '\t')
		dst = append(dst, i.Class().String()...)
		dst = append(dst, '\t')
		dst = append(dst, m.From().String()...)
		dst = append(dst, '\t')
		dst = append(dst, m.To().String()...)
		dst = append(dst, '\t')
		dst = append(dst, chess.PromotionName(m.Promotion())...)
		dst = append(dst, '\n')
	}
	return dst
}
