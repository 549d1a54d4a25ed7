// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/datadir"
	"ply11/moveindex"
	"ply11/position"
)

// filterGames are games for vectors: of each way to say something in the column.
var filterGames = []string{
	"*", // no pawn leaves
	"1. Nf3 Nf6 2. Ng1 Ng8 *",
	"1. e4 e5 2. Nf3 Nc6 1-0",
	"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxa2 4. Rxa2 Bh3 5. Rxa7 Rxa7 0-1", // pawns are taken at home
	"1. a4 a5 2. b4 b5 3. c4 c5 4. d4 d5 5. e4 e5 6. f4 f5 7. g4 g5 8. h4 h5 *",
	"1. a4 a5 2. b4 b5 3. c4 c5 4. d4 d5 5. e4 e5 6. Nf3 Nf6 *", // ten
	"1. a4 a5 2. b4 b5 3. c4 c5 4. d4 d5 5. e4 e5 6. Nf3 h6 7. Ke2 g6 *",
	"1. e4 f5 2. exf5 g5 3. fxg6 -- 4. gxh7 -- 5. hxg8=Q Rxg8 *", // en passant, null moves, promotion
	"1. f3 f6 *", // the last of the numbers
	"1. e4 a6 2. e5 d5 3. exd6 Kd7 4. dxe7 Qxe7+ 5. Be2 *",
	"[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/6Kp/8 w - - 0 60\"]\n\n60. a8=Q *",
}

// filterVectors makes the vectors: each game for itself, and all together.
func filterVectors(t *testing.T) (list []vectorFilter) {
	e := newEncoder(&options{}, newZstd())
	sum := vectorFilter{}
	var words []moveindex.Index
	var lengths []uint32
	for _, text := range filterGames {
		g := Parse(t, text)
		e.reset(gamesStyle())
		if err := e.main(g); err != nil {
			t.Fatal(err)
		}
		fen, uci := "", ""
		if g.Start != position.Start() {
			fen = g.Start.FEN()
		}
		for _, move := range g.AppendMainLine(nil) {
			uci = strings.TrimSpace(uci + " " + move.String())
		}
		n := uint32(len(e.words))
		list = append(list, vectorFilter{[]string{fen}, []string{uci},
			hex.EncodeToString(appendFilter(nil, e.words, []uint32{n}))})
		sum.FEN, sum.UCI = append(sum.FEN, fen), append(sum.UCI, uci)
		words, lengths = append(words, e.words...), append(lengths, n)
	}
	sum.Column = hex.EncodeToString(appendFilter(nil, words, lengths))
	return append(list, sum)
}

// TestFilterIsVerified: a wrong filter is found, with right checksums; a later version is passed over.
func TestFilterIsVerified(t *testing.T) {
	e := newEncoder(&options{}, newZstd())
	e.reset(gamesStyle())
	for _, text := range filterGames {
		if err := e.add(Parse(t, text), nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	data, h := e.block(nil, 1)
	whole := forgeFilter(data, h, func(raw []byte) []byte { return raw })
	Whole(t, whole)
	games := len(filterGames)
	for at := 1; at < 1+filterBytes*games; at++ {
		for _, bit := range []byte{1, 16, 128} {
			b := forgeFilter(data, h, func(raw []byte) []byte { raw[at] ^= bit; return raw })
			rep, err := Verified(b)
			if err != nil || rep.OK() {
				t.Errorf("byte %d, bit %d: nothing is found", at, bit)
				continue
			}
			var c *CorruptError
			if !errors.As(rep.Errors[0], &c) || c.Part != "filters" || c.Game != (at-1)%games+1 {
				t.Errorf("byte %d: %v", at, rep.Errors[0])
			}
		}
	}
	short := forgeFilter(data, h, func(raw []byte) []byte { return raw[:len(raw)-1] })
	if rep, err := Verified(short); err != nil || rep.OK() {
		t.Error("a short column is not found")
	}
	later := forgeFilter(data, h, func(raw []byte) []byte { raw[0]++; return raw[:5] })
	Whole(t, later)
}

// forgeFilter makes an archive of one block with another column of filters.
func forgeFilter(data []byte, h head, change func(raw []byte) []byte) []byte {
	b := Block{head: h, number: 1, at: headerSize, data: data[h.size:]}
	raw, err := b.decompress(h.find(ColumnFilter), new([]byte))
	if err != nil {
		panic(err)
	}
	w := columnWriter{zstd: newZstd()}
	w.begin(nil)
	for _, c := range h.columns {
		if c.kind != ColumnFilter {
			w.copy(c, b.data[c.offset:c.offset+c.stored])
		}
	}
	w.put(ColumnFilter, change(bytes.Clone(raw)), true)
	var out bytes.Buffer
	f := newFileWriter(&out, header{flags: flagCanonical})
	n := h
	p := packedBlock{head: n, data: w.block(&n)}
	p.head = n
	f.block(&p)
	f.close()
	return out.Bytes()
}

// TestSizeOfFilters: filters take at most 5 % of an archive of fixed moves without them, and 8 bytes a game before they
// are compressed. A dense archive has none, and its summaries take at most 3 bytes a game.
func TestSizeOfFilters(t *testing.T) {
	text := ReadData(t, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"))
	sizes := func(data []byte) (filters, summaries int64, perGame uint32) {
		r := MustOpen(t, data)
		for n := range r.Blocks() {
			b := MustBlock(t, r, n+1)
			for _, c := range b.Columns() {
				switch c.Kind {
				case ColumnFilter:
					filters += c.Stored
					perGame = max(perGame, uint32(c.Raw-1)/uint32(b.Len()))
				}
			}
		}
		r.entries(func(level int, e ref) {
			if level == searchLevel {
				summaries += int64(e.size)
			}
		})
		return filters, summaries, perGame
	}
	fixed, stats := MustPack(t, text)
	filters, summaries, perGame := sizes(fixed)
	each := func(n int64) float64 { return float64(n) / float64(stats.Games) }
	t.Logf("fixed: %.2f bytes a game: %.2f of filters, %.2f of summaries", each(stats.Bytes), each(filters),
		each(summaries))
	if filters == 0 || summaries == 0 || filters*20 > stats.Bytes-filters-summaries || perGame > 8 {
		t.Errorf("%d bytes of filters (%d a game) and %d of summaries, of %d", filters, perGame, summaries, stats.Bytes)
	}
	text = LastGames(t, 10000)
	dense, stats := MustPack(t, text, WithDense(true))
	filters, summaries, _ = sizes(dense)
	t.Logf("dense: %.2f bytes a game: %.2f of summaries", each(stats.Bytes), each(summaries))
	if filters != 0 || summaries == 0 || summaries > 3*int64(stats.Games) {
		t.Errorf("dense: %d bytes of filters, %d of summaries, of %d games", filters, summaries, stats.Games)
	}
}

// FuzzFilter reads filters of any bytes; what Verify does not find is the games' own.
func FuzzFilter(f *testing.F) {
	e := newEncoder(&options{}, newZstd())
	e.reset(gamesStyle())
	for _, text := range filterGames {
		if err := e.add(Parse(f, text), nil, 0); err != nil {
			f.Fatal(err)
		}
	}
	data, h := e.block(nil, 1)
	own := appendFilter(nil, e.words, e.lengths)
	f.Add(own, uint16(0x1000), uint16(0x0800))
	f.Add(bytes.Repeat([]byte{1}, len(own)), uint16(0), uint16(0xffff))
	bounded.Fuzz(f, func(t *testing.T, raw []byte, home, gone uint16) {
		if len(raw) == 0 || len(raw) > 1000 {
			return
		}
		b := forgeFilter(data, h, func([]byte) []byte { return raw })
		s := NewScanner(bytes.NewReader(b))
		block, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if filter, ok, err := block.Filter(); err == nil && ok {
			list := make([]int, block.Len())
			for i := range list {
				list[i] = i + 1
			}
			NewFilterTest(Need{Home: home, Gone: gone, Pieces: [2]int{16, 5}}).Keep(&filter, list)
		}
		rep, err := Verified(b)
		if err != nil {
			t.Fatal(err)
		}
		if rep.OK() && raw[0] == filterVersion && !bytes.Equal(raw, own) {
			t.Error("Verify finds nothing")
		}
	})
}
