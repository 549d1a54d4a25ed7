// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"encoding/binary"
	"slices"
	"sync"

	"ply11/bitstream"
	"ply11/bitstream/dense"
	"ply11/moveindex"
)

// The moves of a block are in one of two forms: fixed, the columns 1 and 2, or dense, the columns 11 and 12. Of dense
// moves a reader makes the words of the fixed form, once and as far as it is asked for them, so that all else is the
// same in both.

const (
	startBytes = 36
	rooksBytes = 2
)

type gameTable struct {
	lengths []uint32 // in words, with start and result, as in the index
	results []byte
	starts  []gameStart
}

type gameStart struct {
	game int
	b    []byte
}

func appendGames(dst []byte, words []moveindex.Index, lengths []uint32) []byte {
	n := len(lengths)
	at := len(dst)
	dst = append(dst, make([]byte, n+(n+3)/4)...)
	low, results := dst[at:at+n], dst[at+n:]
	var long, starts []byte
	longs, setups, lastLong, lastSetup := 0, 0, 0, 0
	for i, length := range lengths {
		line := words[:length]
		words = words[length:]
		plies := len(line) - 1
		results[i/4] |= byte(line[plies]-moveindex.ResultBlackWins) << (2 * (i % 4))
		if k := bitstream.StartSize(line[0]); k > 0 {
			plies -= k + 1
			starts = binary.AppendUvarint(starts, uint64(i-lastSetup))
			starts = appendPackedStart(starts, line[1:k+1])
			setups, lastSetup = setups+1, i+1
		}
		low[i] = byte(plies)
		if plies > 255 {
			long = binary.AppendUvarint(long, uint64(i-lastLong))
			long = binary.AppendUvarint(long, uint64(plies/256))
			longs, lastLong = longs+1, i+1
		}
	}
	dst = binary.AppendUvarint(dst, uint64(longs))
	dst = append(dst, long...)
	dst = binary.AppendUvarint(dst, uint64(setups))
	return append(dst, starts...)
}

const startBits = bitstream.StartWords * moveindex.Bits

// appendPackedStart appends the words of a start position, without the code, as the column has them.
func appendPackedStart(dst []byte, words []moveindex.Index) []byte {
	var packed [startBytes]byte
	bitstream.Pack(packed[:], 0, words[:bitstream.StartWords])
	rooks := words[bitstream.StartWords:]
	if len(rooks) == 0 {
		return append(dst, packed[:]...)
	}
	packed[startBytes-1] |= 1 << (startBits % 8)
	dst = append(dst, packed[:]...)
	return binary.LittleEndian.AppendUint16(dst, uint16(rooks[0])|uint16(rooks[1])<<moveindex.Bits)
}

// unpackStart puts the words of a packed start position, with the code, into dst, and returns them.
func unpackStart(dst []moveindex.Index, b []byte) []moveindex.Index {
	dst[0] = moveindex.Start
	bitstream.Unpack(dst[1:bitstream.StartWords+1], b[:startBytes], 0)
	if len(b) == startBytes {
		return dst[:bitstream.StartWords+1]
	}
	rooks := moveindex.Index(b[startBytes]) | moveindex.Index(b[startBytes+1])<<8
	dst[0] = moveindex.Start960
	dst[bitstream.StartWords+1], dst[bitstream.StartWords+2] = rooks&(moveindex.NumWords-1), rooks>>moveindex.Bits
	return dst[:bitstream.Start960Words+1]
}

// decode reads a column, and verifies all of it but the start positions.
func (t *gameTable) decode(raw []byte, games, words, plies int) bool {
	t.lengths, t.starts = t.lengths[:0], t.starts[:0]
	in := input{b: raw}
	low := in.take(uint64(games))
	t.results = in.take(uint64(games+3) / 4)
	if in.bad || games%4 != 0 && t.results[games/4]>>(2*(games%4)) != 0 {
		return false
	}
	for _, n := range low {
		t.lengths = append(t.lengths, uint32(n)+1)
	}
	at := 0
	for n := in.uvarint(uint64(games)); n > 0 && !in.bad; n-- {
		at += int(in.uvarint(uint64(games)))
		high := in.uvarint(maxColumn >> 8)
		if at >= games || high == 0 {
			return false
		}
		t.lengths[at] += uint32(high) << 8
		at++
	}
	at = 0
	total, most := uint64(0), uint64(words)
	for n := in.uvarint(uint64(games)); n > 0 && !in.bad; n-- {
		at += int(in.uvarint(uint64(games)))
		size := startBytes
		if len(in.b) >= startBytes && in.b[startBytes-1]>>(startBits%8) == 1 {
			size += rooksBytes
		}
		b := in.take(uint64(size))
		if at >= games || in.bad || b[startBytes-1]>>(startBits%8) > 1 || size > startBytes && b[size-1]>>4 != 0 {
			return false
		}
		t.starts = append(t.starts, gameStart{at, b})
		at++
	}
	if in.bad || len(in.b) > 0 {
		return false
	}
	for _, n := range t.lengths {
		total += uint64(n)
	}
	if total != uint64(plies+games) {
		return false
	}
	for i := range t.starts {
		k := uint32(bitstream.StartWords + 1)
		if len(t.starts[i].b) > startBytes {
			k = bitstream.Start960Words + 1
		}
		t.lengths[t.starts[i].game] += k
		total += uint64(k)
	}
	return total == most
}

// start returns the words of game i's start position, with the code, nil if it is the usual one.
func (t *gameTable) start(words *[bitstream.Start960Words + 1]moveindex.Index, i int) []moveindex.Index {
	k, ok := slices.BinarySearchFunc(t.starts, i, func(s gameStart, i int) int { return s.game - i })
	if !ok {
		return nil
	}
	return unpackStart(words[:], t.starts[k].b)
}

func (t *gameTable) result(i int) moveindex.Index {
	return moveindex.ResultBlackWins + moveindex.Index(t.results[i/4]>>(2*(i%4))&3)
}

// appendDense appends the column of dense moves. It reports false if a move is illegal.
func appendDense(dst []byte, e *dense.Encoder, words []moveindex.Index, lengths []uint32) ([]byte, bool) {
	at := len(dst)
	e.Reset(append(dst, dense.Version))
	for _, n := range lengths {
		line := words[:n-1]
		words = words[n:]
		p := usual
		if len(line) > 0 {
			if k := bitstream.StartSize(line[0]); k > 0 {
				var err error
				if len(line) <= k {
					return dst[:at], false
				}
				if p, err = bitstream.DecodeStart(line[1 : k+1]); err != nil {
					return dst[:at], false
				}
				line = line[k+1:]
			}
		}
		if e.Game(&p, line) != nil {
			return dst[:at], false
		}
	}
	return e.Finish(), true
}

var denseDecoders = sync.Pool{New: func() any { return new(dense.Decoder) }}

// denseWords are the words of a block of dense moves, as far as they are decoded.
type denseWords struct {
	decoder *dense.Decoder // nil before the first game, and after the last
	games   int
	err     error // of the game after them
	decoded int64 // games, of all blocks: what is counted in the tests
	words   []moveindex.Index
}

func (w *denseWords) reset() {
	if w.decoder != nil {
		denseDecoders.Put(w.decoder)
	}
	*w = denseWords{words: w.words[:0], decoded: w.decoded}
}

// fail keeps the error of the next game, so that it is not decoded again.
func (w *denseWords) fail(err error) error {
	denseDecoders.Put(w.decoder)
	w.decoder, w.err = nil, err
	return err
}

// decode decodes a block of dense moves up to game last (from 0).
func (b *Block) decode(last int) error {
	w := &b.coded
	if last < w.games {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	if _, err := b.column(columnGames); err != nil {
		return err
	}
	if w.decoder == nil {
		coded, err := b.column(ColumnDense)
		if err != nil {
			return err
		}
		w.decoder = denseDecoders.Get().(*dense.Decoder)
		w.decoder.Reset(coded[1:])
	}
	var start [bitstream.Start960Words + 1]moveindex.Index
	for ; w.games <= last; w.games++ {
		i := w.games
		n := int(b.games.lengths[i]) - 1
		words := b.games.start(&start, i)
		p, err := b.startOf(columnGames, i, words[min(len(words), 1):])
		if err != nil {
			return w.fail(err)
		}
		w.words = append(w.words, words...)
		n -= len(words)
		if words, err = w.decoder.Game(w.words, &p, n); err != nil {
			return w.fail(b.corrupt(ColumnDense, i, err.Error()))
		}
		w.words = words
		w.words = append(w.words, b.games.result(i))
		w.decoded++
	}
	if w.games == b.Len() {
		if w.decoder.Finish() != nil {
			w.games-- // the last game is not to be had, however it is asked for
			return w.fail(b.corrupt(ColumnDense, -1, "the bytes do not end where the moves do"))
		}
		denseDecoders.Put(w.decoder)
		w.decoder = nil
		if b.front != nil && b.front.filter.Load() == nil { // the next search need not decode it
			b.front.filter.Store(&Filter{appendFilter(nil, w.words, b.games.lengths)[1:], b.Len()})
		}
	}
	return nil
}

// expand makes the column of the index or of moves of a block of dense moves.
func (b *Block) expand(kind ColumnKind) error {
	if kind == columnIndex {
		if _, err := b.column(columnGames); err != nil {
			return err
		}
		b.own[kind] = appendIndex(b.own[kind][:0], b.games.lengths)
	} else {
		if err := b.decode(b.Len() - 1); err != nil {
			return err
		}
		packer := bitstream.NewPackerBytes(b.own[kind][:0], 0)
		packer.Words(b.coded.words)
		b.own[kind] = packer.Bytes()
	}
	b.raw[kind] = b.own[kind]
	return nil
}

// Dense reports whether the main lines are stored by package dense. They are decoded when they are first asked for,
// each with those before it in the block.
func (b *Block) Dense() bool { return b.head.dense }
