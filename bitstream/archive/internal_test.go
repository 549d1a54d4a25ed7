// SPDX-License-Identifier: Apache-2.0

package archive

// What tests outside of the package name of what is inside.
const (
	AsIs              = asIs
	BlockMark         = blockMark
	ColumnAncillary   = columnAncillary
	ColumnClocks      = columnClocks
	ColumnEvals       = columnEvals
	ColumnGames       = columnGames
	ColumnText        = columnText
	DefaultBlockGames = defaultBlockGames
	DenseForm         = denseForm
	FixedForm         = fixedForm
	HeaderSize        = headerSize
	IndexEntry        = indexEntry
	MaxProperties     = maxProperties
	MaxRatio          = maxRatio
	MaxTagValue       = maxTagValue
	MinRaw            = minRaw
	MostText          = mostText
	NoLeast           = noLeast
	PartFixed         = partFixed
	SearchNames       = searchNames
	SearchRanges      = searchRanges
	StartBytes        = startBytes
	TrailerMark       = trailerMark
	TrailerSize       = trailerSize
)

type Form = form

var (
	DecodeStyle  = decodeStyle
	EncodeStyle  = encodeStyle
	ErrTruncated = errTruncated
	GamesStyle   = gamesStyle
	Le           = le
	NewZstd      = newZstd
	NextGame     = nextGame
	PadFrame     = padFrame
	PlainNumber  = plainNumber
	Render       = render
)
