// SPDX-License-Identifier: Apache-2.0

package archive

import "strings"

// What tests outside of the package name of what is inside.
const (
	BlockMark         = blockMark
	ColumnAncillary   = columnAncillary
	ColumnClocks      = columnClocks
	ColumnEvals       = columnEvals
	ColumnExceptions  = columnExceptions
	ColumnGames       = columnGames
	ColumnText        = columnText
	DefaultBlockGames = defaultBlockGames
	DenseForm         = denseForm
	FixedForm         = fixedForm
	HeaderSize        = headerSize
	IndexEntry        = indexEntry
	MaxProperties     = maxProperties
	MaxTagValue       = maxTagValue
	MostText          = mostText
	NoLeast           = noLeast
	PartFixed         = partFixed
	SearchNames       = searchNames
	SearchRanges      = searchRanges
	StartBytes        = startBytes
	TrailerMark       = trailerMark
	TrailerSize       = trailerSize
)

var (
	DecodeStyle  = decodeStyle
	EncodeStyle  = encodeStyle
	ErrTruncated = errTruncated
	GamesStyle   = gamesStyle
	Le           = le
	NextGame     = nextGame
	PlainNumber  = plainNumber
	Render       = render
)

// TextOf returns n games of PGN, each with its own event.
func TextOf(name string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("[Event \"" + name + " " + Itoa(i+1) + "\"]\n[Result \"*\"]\n\n1. e4 {c} e5 2. Nf3 *\n\n")
	}
	return b.String()
}
