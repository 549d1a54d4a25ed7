// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	pqformat "github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
)

// maxPage bounds the bytes of a page, stored and decompressed. Usual pages have 1 MiB.
const maxPage = 32 << 20

const maxPageValues = 8 << 20

// Bounds of memory: the library keeps a page and a dictionary of each column, and the rows of a batch.
const (
	maxPages    = 112 << 20 // with the metadata
	maxRows     = 48 << 20
	maxMovetext = 4 << 20
	pageValue   = 8  // a value of a page: levels, and itself or its place in the dictionary
	rowValue    = 48 // a value of a row: of the library, and of a parquetGame
)

// Bounds of work: bytes decompressed, and bytes of rows, for each byte of the file and for any file. Usual files take
// about 10 for each byte; one of nulls could take a million.
const (
	workTimes = 256
	workBytes = 16 << 20
	rowWork   = 64
)

type work struct{ left, all int64 }

func newWork(size int64) work { return work{workBytes + workTimes*size, workBytes + workTimes*size} }

func (w *work) take(n int64) error {
	if w.left -= n; w.left < 0 {
		return dataError("its rows or pages take more than %d bytes, %d for each byte of the file", w.all, workTimes)
	}
	return nil
}

func (r *parquetGame) work() int64 {
	n := rowWork + len(r.Movetext) + len(r.FEN) + 8*(len(r.Moves)+len(r.Evals)+len(r.Clocks))
	for name := range tagColumns {
		if s, ok := r.column(name).(*string); ok {
			n += len(*s)
		}
	}
	for _, t := range r.OtherTags {
		n += rowWork + len(t.Name) + len(t.Value)
	}
	if r.TagOrder != nil {
		n += len(*r.TagOrder)
	}
	return int64(n)
}

// plainDictionary is older writers' name for RLE_DICTIONARY in data pages.
const plainDictionary pqformat.Encoding = 2

// ErrCompression: a compression that is not read.
var ErrCompression = errors.New(
	"it is compressed by what is not read (zstd, gzip, snappy, brotli, LZ4_RAW or nothing is)")

// watchedAt keeps the first error of reading, which the library reports as one of the file.
type watchedAt struct {
	io.ReaderAt
	mu  sync.Mutex
	err error
}

func (w *watchedAt) ReadAt(b []byte, at int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(b, at)
	if err != nil && err != io.EOF {
		w.mu.Lock()
		w.err = cmp.Or(w.err, err)
		w.mu.Unlock()
	}
	return n, err
}

func (w *watchedAt) reason(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return cmp.Or(w.err, err)
}

func readParquet(file io.ReaderAt, size int64, yield func(*game.Game, error) bool) (err error) {
	r := &watchedAt{ReaderAt: file}
	inYield := false
	defer func() {
		if !inYield { // the library panics on some damaged files
			if cause := recover(); cause != nil {
				err = dataError("%s", oneLine(fmt.Sprint(cause)))
			}
		}
		if err != nil {
			err = r.reason(err)
		}
	}()
	metadata, err := checkMetadata(r, size)
	if err != nil {
		return dataError("%s", oneLine(err.Error()))
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true),
		parquet.ReadBufferSize(64<<10))
	if err != nil {
		return dataError("%s", oneLine(err.Error()))
	}
	if order, ok := f.Lookup(parquetOrder); ok && order != moveindex.TableSHA256 {
		return fmt.Errorf("%w: %.64q, want %s", ErrOrder, order, moveindex.TableSHA256)
	}
	rowBytes, err := checkParquet(f, r, size, metadata)
	if err != nil {
		return err
	}
	// A column that the file does not have is left out: else the library reads a list without an element.
	var fields []parquet.Field
	for _, c := range gameSchema.Fields() {
		i := slices.IndexFunc(f.Schema().Fields(), func(h parquet.Field) bool { return h.Name() == c.Name() })
		if i < 0 {
			continue
		}
		if c.Leaf() && logicalOf(c.Type()) == logicalTime {
			c = otherType{c, f.Schema().Fields()[i]} // in the unit of the file
		}
		fields = append(fields, c)
	}
	rows := parquet.NewGenericReader[parquetGame](f, parquet.NewSchema("game", withFields{gameSchema, fields}))
	defer rows.Close()
	batch := make([]parquetGame, max(1, min(parquetBatch, maxRows/max(rowBytes, 1))))
	left := newWork(size)
	for number := 1; ; {
		clear(batch)
		n, err := rows.Read(batch)
		for i := range batch[:n] {
			if err := left.take(batch[i].work()); err != nil {
				return err
			}
			if t := batch[i].UTCTime; t != nil {
				*t /= time.Millisecond // the library reads a time.Duration as nanoseconds
			}
			g, err := batch[i].restore()
			if err != nil {
				err = rowError(number, err)
			}
			inYield = true
			more := yield(g, err)
			if inYield = false; !more {
				return nil
			}
			number++
		}
		if errors.Is(err, io.EOF) {
			if int64(number-1) != f.NumRows() {
				return dataError("%d rows of %d", number-1, f.NumRows())
			}
			return nil
		}
		if err != nil {
			return dataError("row %d: %s", number, oneLine(err.Error()))
		}
	}
}

type otherType struct {
	parquet.Field
	node parquet.Node
}

func (f otherType) Type() parquet.Type { return f.node.Type() }

// checkMetadata verifies lengths in the metadata, and returns their memory.
func checkMetadata(r io.ReaderAt, size int64) (memory int64, err error) {
	var end [8]byte
	if size < int64(len(end)) {
		return 0, io.ErrUnexpectedEOF
	}
	if n, err := r.ReadAt(end[:], size-int64(len(end))); n < len(end) {
		return 0, err
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if string(end[4:]) != "PAR1" || length > size-int64(len(end)) {
		return 0, fmt.Errorf("the file does not end as Parquet does: %q", end[:])
	}
	w := newThriftWalk(r, size-int64(len(end))-length, length, maxPages)
	if err = w.take(2 * length); err == nil { // with a copy
		err = w.structure(1)
	}
	return w.memory, err
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return s[:min(len(s), 200)]
}

type extent struct {
	page, dictionary int64 // bytes, stored and decompressed
	values           int64
	open             int64 // of the last row
	value            int64 // of a text
}

// checkParquet verifies columns and pages, bounds what is kept at a time, beside the metadata, and returns the most
// bytes of a row.
func checkParquet(f *parquet.File, r io.ReaderAt, size, metadata int64) (rowBytes int64, err error) {
	extents := make([]extent, len(f.Schema().Columns()))
	if err := checkColumns(f, r, size, extents); err != nil {
		return 0, err
	}
	pages := metadata
	for i, path := range f.Schema().Columns() {
		if _, wanted := gameSchema.Lookup(path...); wanted {
			e := &extents[i]
			pages += e.page + e.dictionary
			rowBytes += e.values * (rowValue + 2*e.value)
		}
	}
	switch {
	case pages > maxPages:
		return 0, dataError("metadata and pages of %d bytes in all columns; at most %d are read", pages, maxPages)
	case rowBytes > maxRows:
		return 0, dataError("a row of %d bytes; at most %d are read", rowBytes, maxRows)
	}
	return rowBytes, nil
}

// checkColumns verifies types of columns, and that pages fit their bounds, columns and headers. It finds the extents.
func checkColumns(f *parquet.File, r io.ReaderAt, size int64, extents []extent) error {
	want := gameSchema
	found := false
	for _, path := range want.Columns() {
		w, _ := want.Lookup(path...)
		have, ok := f.Schema().Lookup(path...)
		if !ok {
			if _, other := f.Schema().Lookup(path[0]); other && len(path) > 1 {
				return dataError("the column %s is no list", path[0])
			}
			continue
		}
		found = found || path[0] == "moves" || path[0] == "movetext"
		a, b := w.Node.Type(), have.Node.Type()
		if time := logicalOf(a) == logicalTime; logicalOf(a) != logicalOf(b) || a.Kind() != b.Kind() && !time {
			return dataError("the column %s is %s, want %s", strings.Join(path, "."), b, a)
		}
	}
	if !found {
		return dataError("there is neither a column moves nor a column movetext")
	}
	var body []byte
	left := newWork(size)
	for _, group := range f.Metadata().RowGroups {
		if group.NumRows < 0 || group.NumRows > f.NumRows() {
			return dataError("a group of %d rows", group.NumRows)
		}
		for _, c := range group.Columns {
			m := &c.MetaData
			at := m.DataPageOffset
			if d := m.DictionaryPageOffset; d > 0 {
				at = min(at, d)
			}
			end := at + m.TotalCompressedSize
			if at < 4 || m.TotalCompressedSize < 0 || end < at || end > size {
				return dataError("a column lies outside of the file")
			}
			switch c := m.Codec; c {
			case pqformat.Uncompressed, pqformat.Zstd, pqformat.Snappy, pqformat.Gzip, pqformat.Brotli, pqformat.Lz4Raw:
			case pqformat.LZO, pqformat.Lz4:
				return fmt.Errorf("%w: %s", ErrCompression, c)
			default:
				return dataError("there is no compression %d", c)
			}
			leaf, ok := f.Schema().Lookup(m.PathInSchema...)
			if !ok {
				return dataError("a column %s that the schema does not have",
					oneLine(strings.Join(m.PathInSchema, ".")))
			}
			e := &extents[leaf.ColumnIndex]
			for at < end {
				w := newThriftWalk(r, at, end-at, maxPage)
				if err := w.structure(1); err != nil {
					return dataError("offset %d: the header of a page: %s", at, oneLine(err.Error()))
				}
				var head pqformat.PageHeader
				b := make([]byte, w.read())
				if _, err := r.ReadAt(b, at); err != nil ||
					thrift.Unmarshal(&thrift.CompactProtocol{}, b, &head) != nil {
					return dataError("offset %d: a page has no header", at)
				}
				at += int64(len(b))
				if head.CompressedPageSize < 0 || head.UncompressedPageSize < 0 || head.CompressedPageSize > maxPage ||
					head.UncompressedPageSize > maxPage || int64(head.CompressedPageSize) > end-at {
					return dataError("offset %d: a page of %d bytes, %d decompressed", at, head.CompressedPageSize,
						head.UncompressedPageSize)
				}
				if err := left.take(int64(head.UncompressedPageSize)); err != nil {
					return err
				}
				values := max(head.DataPageHeader.V.NumValues, head.DataPageHeaderV2.V.NumValues,
					head.DictionaryPageHeader.V.NumValues)
				if values < 0 || values > maxPageValues {
					return dataError("offset %d: a page of %d values", at, values)
				}
				var err error
				if body, err = readPage(body[:0], io.NewSectionReader(r, at, int64(head.CompressedPageSize)), m.Codec,
					&head); err == nil {
					err = checkPage(body, &head, leaf, e)
				}
				if err != nil {
					return dataError("offset %d: a page that is damaged: %s", at, oneLine(err.Error()))
				}
				at += int64(head.CompressedPageSize)
				if kept := int64(head.CompressedPageSize) + int64(head.UncompressedPageSize); head.Type ==
					pqformat.DictionaryPage {
					e.dictionary = max(e.dictionary, kept)
				} else {
					e.page = max(e.page, kept+pageValue*int64(values))
				}
			}
			e.values, e.open = max(e.values, e.open), 0
		}
	}
	return nil
}

// readPage appends a decompressed page, which must have the length in its header, in bounded memory.
func readPage(dst []byte, in io.Reader, codec pqformat.CompressionCodec, head *pqformat.PageHeader) ([]byte, error) {
	n := int64(head.UncompressedPageSize)
	out := bytes.NewBuffer(dst)
	if head.Type == pqformat.DataPageV2 {
		v := &head.DataPageHeaderV2.V
		levels := int64(v.DefinitionLevelsByteLength) + int64(v.RepetitionLevelsByteLength)
		if v.DefinitionLevelsByteLength < 0 || v.RepetitionLevelsByteLength < 0 || levels > n ||
			levels > int64(head.CompressedPageSize) {
			return dst, errors.New("levels that are longer than the page")
		}
		if _, err := io.CopyN(out, in, levels); err != nil {
			return dst, err
		}
		n -= levels
		if v.IsCompressed.Valid && !v.IsCompressed.V || int64(head.CompressedPageSize) == levels {
			codec = pqformat.Uncompressed
		}
	}
	switch codec {
	case pqformat.Zstd:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxPage))
		if err != nil {
			return dst, err
		}
		defer z.Close()
		in = z
	case pqformat.Gzip:
		z, err := gzip.NewReader(in)
		if err != nil {
			return dst, err
		}
		in = z
	case pqformat.Brotli:
		in = brotli.NewReader(in)
	case pqformat.Lz4Raw:
		b, err := io.ReadAll(in)
		if err != nil {
			return dst, err
		}
		to := make([]byte, n)
		size, err := lz4.UncompressBlock(b, to)
		if err != nil {
			return dst, err
		}
		in = bytes.NewReader(to[:size])
	case pqformat.Snappy:
		b, err := io.ReadAll(in) // a page at most
		if err != nil {
			return dst, err
		}
		// The length is known before.
		length, err := snappy.DecodedLen(b)
		if err == nil && int64(length) != n {
			err = errors.New("another length than its header says")
		}
		if err == nil {
			b, err = snappy.Decode(nil, b)
		}
		if err != nil {
			return dst, err
		}
		in = bytes.NewReader(b)
	}
	got, err := io.Copy(out, io.LimitReader(in, n+1))
	if err != nil {
		return dst, err
	}
	if got != n {
		return dst, errors.New("another length than its header says")
	}
	return out.Bytes(), nil
}

// checkPage verifies that runs have no more values than the header, as the library makes memory for all. It finds the
// column's extent of lists and texts.
func checkPage(b []byte, head *pqformat.PageHeader, leaf parquet.LeafColumn, e *extent) error {
	texts := leaf.Node.Type().Kind() == parquet.ByteArray
	var values int32
	var encoding pqformat.Encoding
	levels := []struct {
		max    int
		length int32 // of version 2
	}{{max: leaf.MaxRepetitionLevel}, {max: leaf.MaxDefinitionLevel}}
	switch head.Type {
	case pqformat.DictionaryPage: // of plain values
		if texts {
			e.value = max(e.value, longestText(b))
		}
		return nil
	case pqformat.DataPage:
		v := &head.DataPageHeader.V
		values, encoding = v.NumValues, v.Encoding
		if v.RepetitionLevelEncoding != pqformat.RLE && levels[0].max > 0 ||
			v.DefinitionLevelEncoding != pqformat.RLE && levels[1].max > 0 {
			return errors.New("levels that are not coded by RLE")
		}
	case pqformat.DataPageV2:
		v := &head.DataPageHeaderV2.V
		values, encoding = v.NumValues, v.Encoding
		levels[0].length, levels[1].length = v.RepetitionLevelsByteLength, v.DefinitionLevelsByteLength
	default:
		return fmt.Errorf("a page of type %d", head.Type)
	}
	if levels[0].max == 0 {
		e.values = 1
	}
	for i, l := range levels {
		length := int64(l.length)
		if head.Type == pqformat.DataPage {
			if l.max == 0 {
				continue
			}
			if len(b) < 4 {
				return errors.New("a page that ends in its levels")
			}
			length = int64(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		if length > int64(len(b)) {
			return errors.New("levels that are longer than the page")
		}
		if err := checkRuns(b[:length], bits.Len(uint(l.max)), values); err != nil {
			return err
		}
		if i == 0 && l.max > 0 {
			e.lists(b[:length], bits.Len(uint(l.max)), int64(values))
		}
		b = b[length:]
	}
	switch encoding {
	case pqformat.Plain:
		if texts {
			e.value = max(e.value, longestText(b))
		}
	case plainDictionary, pqformat.RLEDictionary:
		if len(b) == 0 {
			return nil // all null
		}
		if b[0] > 32 {
			return fmt.Errorf("indices of %d bits", b[0])
		}
		return checkRuns(b[1:], int(b[0]), values)
	case pqformat.DeltaBinaryPacked, pqformat.DeltaLengthByteArray:
		if texts {
			e.value = max(e.value, int64(len(b)))
		}
		// Values of a block, its miniblocks, values in all.
		for i := range 3 {
			n, k := binary.Uvarint(b)
			if k <= 0 || n > 1<<16 && i < 2 || i == 2 && n > uint64(values) {
				return errors.New("differences of more values than the page has")
			}
			b = b[k:]
		}
	default:
		return fmt.Errorf("the encoding %s is not read", encoding)
	}
	return nil
}

// longestText is the length of the longest of texts, each with its length before it.
func longestText(b []byte) (longest int64) {
	for len(b) >= 4 {
		n := int64(binary.LittleEndian.Uint32(b))
		b = b[4:]
		if n > int64(len(b)) {
			return longest
		}
		longest = max(longest, n)
		b = b[n:]
	}
	return longest
}

// lists finds the most values of a row by the levels of a page: 0 begins a row.
func (e *extent) lists(b []byte, width int, values int64) {
	end := func() { e.values, e.open = max(e.values, e.open), 0 }
	for len(b) > 0 && values > 0 {
		h, k := binary.Uvarint(b)
		b = b[k:]
		n := int64(h >> 1)
		if h&1 == 0 { // a run
			level := byte(0)
			if size := min((width+7)/8, len(b)); size > 0 {
				level = b[0]
				b = b[size:]
			}
			n = min(n, values)
			values -= n
			if level == 0 && n > 0 {
				end()
				e.open, n = 1, 0
			}
			e.open += n
			continue
		}
		size := min(int(n)*width, len(b))
		group := b[:size]
		b = b[size:]
		at := 0
		for n *= 8; n > 0 && values > 0 && at+width <= 8*len(group); n-- {
			level := 0
			for i := range width {
				level |= int(group[(at+i)>>3]>>((at+i)&7)&1) << i
			}
			at += width
			values--
			if level == 0 {
				end()
			}
			e.open++
		}
	}
}

// checkRuns verifies that runs, and groups of eight values, have no more than so many values. Groups may be filled up.
func checkRuns(b []byte, width int, values int32) error {
	for left := int64(values); len(b) > 0; {
		h, k := binary.Uvarint(b)
		if k <= 0 || h>>1 > maxPageValues {
			return errors.New("a run that is longer than the page")
		}
		b = b[k:]
		n, size := int64(h>>1), (width+7)/8
		if h&1 != 0 {
			size = int(n) * width
			if width == 0 {
				left -= 8 * n
			}
			if n > int64(len(b))+1 || left <= -8 {
				return errors.New("groups that are longer than the page")
			}
		} else if left -= n; left < 0 {
			return errors.New("runs of more values than the page has")
		}
		b = b[min(size, len(b)):]
	}
	return nil
}

// logicalTime is logicalOf of times, in any unit.
const logicalTime = "TIME"

// logicalOf is the part of a logical type that matters here.
func logicalOf(t parquet.Type) string {
	l := t.LogicalType()
	if l == nil {
		return ""
	}
	switch s := l.String(); {
	case strings.HasPrefix(s, "TIME("): // adjusted to UTC or not
		return logicalTime
	default:
		return s
	}
}

// defaultOrder is the order of tags of a file without one.
const defaultOrder = "Event Site Date Round White Black Result UTCDate UTCTime WhiteElo BlackElo WhiteRatingDiff " +
	"BlackRatingDiff WhiteTitle BlackTitle ECO Opening TimeControl Termination"

// restoreTags gives a game the tags of the row. Columns of the order that are missing are left out.
func (r *parquetGame) restoreTags(g *game.Game) {
	others := r.OtherTags
	hasResult := slices.ContainsFunc(others, func(t parquetTag) bool { return t.Name == "Result" })
	order := defaultOrder
	if r.TagOrder != nil {
		order = *r.TagOrder
	}
	seen := uint(0)
	result := false
	for name := range strings.FieldsSeq(order) {
		value := ""
		if place, has := tagColumns[name]; has && seen>>place&1 == 0 {
			seen |= 1 << place
			value = r.columnText(name)
		} else if name == "Result" && !hasResult && !result {
			value, result = r.Result, true
		}
		if value != "" {
			g.AddTag(name, value)
			continue
		}
		if len(others) > 0 && others[0].Name == name {
			g.AddTag(name, others[0].Value)
			others = others[1:]
		}
	}
	for _, t := range others {
		g.AddTag(t.Name, t.Value)
	}
}

var (
	errSeveral  = errors.New("movetext holds more than a game")
	errText     = errors.New("movetext is too long")
	errDiffer   = errors.New("movetext and moves differ")
	errLength   = errors.New("evals or clocks have another length than moves")
	errMove     = errors.New("no legal move")
	errStartFEN = errors.New("the tag FEN and the column fen differ")
)

// restore makes the game of a row, as far as it is right.
func (r *parquetGame) restore() (*game.Game, error) {
	g := game.New()
	r.restoreTags(g)
	result := game.Unknown
	if r.Result != "" {
		var err error
		if result, err = game.ParseResult(r.Result); err != nil {
			return g, err
		}
	}
	if r.FEN != "" {
		variant := g.Tag("Variant")
		start, err := position.ParseFENLenient(r.FEN)
		if err != nil {
			return g, err
		}
		start = game.StartOf(variant, start)
		fen, ok := g.LookupTag("FEN")
		if ok {
			p, err := position.ParseFENLenient(fen)
			if err != nil || !sameButCounters(game.StartOf(variant, p), start) {
				return g, errStartFEN
			}
		}
		if ok || start == game.StartOf(variant, position.Start()) {
			g.Start = start
		} else {
			g.SetStart(start)
		}
	}
	if len(r.Movetext) > maxMovetext {
		return g, fmt.Errorf("%w: %d bytes", errText, len(r.Movetext))
	}
	if r.Movetext != "" {
		style := pgn.Line()
		text := pgn.AppendTags(nil, g, &style)
		text = append(append(append(text, '\n'), r.Movetext...), '\n')
		in := pgn.NewReader(strings.NewReader(string(text)), pgn.MaxGame(len(text)+1))
		var read game.Game
		if err := in.Read(&read); err != nil {
			read.Tags = g.Tags
			return &read, err
		}
		if err := in.Read(game.New()); err != io.EOF {
			return g, errSeveral
		}
		if read.Source.NoTerminator {
			read.Result = result
		}
		moves := read.AppendMainLine(nil)
		if len(r.Moves) > 0 && (len(r.Moves) != len(moves) ||
			!slices.EqualFunc(r.Moves, moves, func(a uint16, m chess.Move) bool {
				i, _ := moveindex.Of(m)
				return i == moveindex.Index(a)
			})) {
			return &read, errDiffer
		}
		read.Source = game.Source{}
		return &read, nil
	}
	g.Result = result
	n := len(r.Moves)
	if r.Evals != nil && len(r.Evals) != n || r.Clocks != nil && len(r.Clocks) != n {
		return g, errLength
	}
	var build game.Builder
	build.Reset(g)
	if r.StartEval != nil {
		build.Comment(noteText(shortScoreOf(*r.StartEval), NoClock))
	}
	at := g.Start
	for i, w := range r.Moves {
		m, ok := moveindex.Index(w).Move()
		switch {
		case moveindex.Index(w) == moveindex.Null:
			m = chess.NullMove
		case !ok || !at.IsLegal(m):
			return g, fmt.Errorf("ply %d: %w: %d", i+1, errMove, w)
		}
		at.Make(m)
		build.Move(m)
		score, clock := NoScore, NoClock
		if r.Evals != nil && r.Evals[i] != nil {
			score = shortScoreOf(*r.Evals[i])
		}
		if r.Clocks != nil && r.Clocks[i] != nil {
			clock = *r.Clocks[i]
		}
		if text := noteText(score, clock); text != "" {
			build.Comment(text)
		}
	}
	return g, nil
}

// sameButCounters reports whether two positions are the same but for their counters.
func sameButCounters(p, q position.Position) bool {
	a, b := p.Setup(), q.Setup()
	a.HalfmoveClock, a.FullmoveNumber = b.HalfmoveClock, b.FullmoveNumber
	return a == b
}

// noteText is a comment with a score and a clock, "" for neither.
func noteText(s Score, clock int32) string {
	var list []string
	if moves, mate := s.Mate(); mate || s != NoScore {
		list = append(list, evalComment(game.Evaluation{IsMate: mate, Mate: moves, Centipawns: int(s)}))
	}
	if clock >= 0 {
		d := time.Duration(clock) * 10 * time.Millisecond
		text := fmt.Sprintf("[%%clk %d:%02d:%02d", d/time.Hour, d/time.Minute%60, d/time.Second%60)
		if part := clock % 100; part != 0 {
			text += strings.TrimRight(fmt.Sprintf(".%02d", part), "0")
		}
		list = append(list, text+"]")
	}
	return strings.Join(list, " ")
}
