// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"slices"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream"
	"ply11/bitstream/dense"
	"ply11/moveindex"
)

type columnWriter struct {
	zstd  *zstd.Encoder
	data  []byte // what stands before the block, room for its header, and the columns
	at    int
	start int
	list  []column

	dense        *dense.Encoder
	moves, games []byte
	index        []byte
	filter       []byte
	numbers      []byte
	noFilter     bool // fixed moves have no filters
}

// newZstd returns a compressor, which can serve several columnWriters at once.
func newZstd() *zstd.Encoder {
	// The best level needs 34 MiB and three times the time, for tags that are 4 % smaller.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false),
		zstd.WithSingleSegment(true), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(1<<20))
	if err != nil {
		panic("archive: " + err.Error()) // the options are constants
	}
	return z
}

// begin begins a block, which will be appended to dst. The columns go behind room for the longest header.
func (w *columnWriter) begin(dst []byte) {
	w.at = len(dst)
	w.data = append(dst, make([]byte, maxBlockHead)...)
	w.start = len(w.data)
	w.list = nil
}

// block ends the block. It gives the header h the columns, and returns dst with the block.
func (w *columnWriter) block(h *head) []byte {
	w.place()
	h.columns, h.data = w.list, uint32(len(w.data)-w.start)
	n := copy(w.data[w.at+blockFixed+len(h.columns)*columnEntry+4:], w.data[w.start:])
	dst := h.encode(w.data[:w.at])
	w.data = nil
	return dst[:len(dst)+n]
}

func (w *columnWriter) place() {
	order := make([]int, len(w.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return w.list[a].kind.rank() - w.list[b].kind.rank() })
	defer slices.SortStableFunc(w.list, func(a, b column) int { return int(a.kind) - int(b.kind) })
	data := slices.Clone(w.data[w.start:])
	at := 0
	for _, i := range order {
		c := &w.list[i]
		n := copy(w.data[w.start+at:], data[c.offset:c.offset+c.stored])
		c.offset = uint32(at)
		at += n
	}
}

// put adds a column, compressed if that is asked for and makes it smaller. An empty one is left out.
func (w *columnWriter) put(kind ColumnKind, raw []byte, compress bool) {
	if len(raw) == 0 {
		return
	}
	at := len(w.data)
	comp := Stored
	if compress {
		comp = Zstd
		w.data = slices.Grow(w.data, len(raw)+len(raw)>>10+64) // as much as it can become
		w.data = w.zstd.EncodeAll(raw, w.data)
		if len(w.data)-at >= len(raw) {
			w.data, comp = w.data[:at], Stored
		}
	}
	if comp == Stored {
		w.data = append(w.data, raw...)
	}
	w.add(column{kind: kind, comp: comp, raw: uint32(len(raw))}, at)
}

// putNumbers adds a column of clocks, times or evaluations. Beside dense moves it is modelled, if that makes it
// smaller: there a reader reads the games before one in any case.
func (w *columnWriter) putNumbers(kind ColumnKind, raw []byte, m marks) {
	at, columns := len(w.data), len(w.list)
	w.put(kind, raw, true)
	if len(raw) == 0 || len(w.games) == 0 {
		return
	}
	coded, ok := m.appendModelled(w.numbers[:0], kind, raw)
	w.numbers = coded
	if ok && len(coded) > 0 && len(coded) < len(w.data)-at {
		w.data, w.list = append(w.data[:at], coded...), w.list[:columns]
		w.add(column{kind: kind, comp: Modelled, raw: uint32(len(raw))}, at)
	}
}

func (w *columnWriter) copy(c column, stored []byte) {
	at := len(w.data)
	w.data = append(w.data, stored...)
	w.add(c, at)
}

func (w *columnWriter) add(c column, at int) {
	c.offset, c.stored, c.sum = uint32(at-w.start), uint32(len(w.data)-at), digestOf(w.data[at:])
	w.list = append(w.list, c)
}

// putMoves adds the columns of main lines: dense if that is asked for, unless a move is illegal or there are more plies
// than maxDensePlies, else fixed, with filters. Dense moves have none: a search must decode the games before one in any
// case.
func (w *columnWriter) putMoves(words []moveindex.Index, lengths []uint32, plies int, denseMoves bool) {
	w.games = w.games[:0]
	if len(lengths) == 0 {
		return
	}
	if denseMoves {
		if w.dense == nil {
			w.dense = new(dense.Encoder)
		}
		var ok bool
		w.moves, ok = appendDense(w.moves[:0], w.dense, words, lengths)
		if ok && plies <= maxDensePlies(len(w.moves)) {
			w.games = appendGames(w.games, words, lengths)
			w.put(ColumnDense, w.moves, false)
			w.put(columnGames, w.games, true)
			return
		}
	}
	p := bitstream.NewPackerBytes(w.moves[:0], 0)
	p.Words(words)
	w.moves = p.Bytes()
	w.index = appendSums(appendIndex(w.index[:0], lengths), lengths, w.moves)
	w.put(columnIndex, w.index, false)
	w.put(ColumnMoves, w.moves, false)
	if !w.noFilter {
		w.filter = appendFilter(w.filter[:0], words, lengths)
		w.put(ColumnFilter, w.filter, true)
	}
}
