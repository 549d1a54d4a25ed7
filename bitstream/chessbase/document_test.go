// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/position"
)

// The tests of this file go through the document; each names its table or sentence.

// Section 1: "The CBF file contains 3 games. Game 1 is 48 bytes long, game 2 39 bytes and game 3 35 bytes. The CBI
// file thus contains 5 longwords", and the table: 4, 2, 51, 91, 127.
func TestSection1Example(t *testing.T) {
	var cbf bytes.Buffer
	var cbi codectest.File
	w := NewWriter(&cbf, &cbi, NumberingAuto)
	for _, size := range []int{48, 39, 35} {
		w.record = Record{Player: bytes.Repeat([]byte{'x'}, size-headerSize)}
		if err := w.writeRecord(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, v := range []uint32{4, 2, 51, 91, 127} {
		want = binary.BigEndian.AppendUint32(want, v)
	}
	if !bytes.Equal(cbi.Bytes, want) {
		t.Errorf("% x, not % x", cbi.Bytes, want)
	}
	x, err := openGameIndex(bytes.NewReader(want), int64(len(want)))
	if err != nil || x.len() != 3 {
		t.Fatal(x.len(), err)
	}
	for i, want := range []int64{0, 48, 87, 122} {
		if o, err := x.offset(i + 1); err != nil || o != want {
			t.Errorf("game %d: %d, %v", i+1, o, err)
		}
	}
	if cbf.Len() != 122 {
		t.Errorf("%d bytes", cbf.Len())
	}
}

// Section 1: "The last entry contains the first free position in the CBF file", of an empty file too.
func TestSection1Empty(t *testing.T) {
	cbf, cbi := write(t, nil)
	if want := []byte{0, 0, 0, 1, 0, 0, 0, 2}; !bytes.Equal(cbi, want) || len(cbf) != 0 {
		t.Errorf("% x, not % x", cbi, want)
	}
	if r := newReader(t, cbf, cbi); r.Len() != 0 || len(readAll(t, r)) != 0 {
		t.Error(r.Len())
	}
}

// Section 2.1, the C program: "for (i=13,k=101;i>=0;i--,k*=3) header[i] ^= k; header[11] ^= 14 + (header[4]&63) +
// (header[5]&63);"
func TestSection21Cipher(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	for range 1000 {
		var raw [headerSize]byte
		for i := range raw {
			raw[i] = byte(random.Uint32())
		}
		header := raw
		k := byte(101)
		for i := 13; i >= 0; i-- {
			header[i] ^= k
			k *= 3
		}
		header[11] ^= 14 + (header[4] & 63) + (header[5] & 63)
		h := decrypt(raw)
		if h != Header(header) {
			t.Fatalf("% x, not % x", h, header)
		}
		if h.encrypt() != raw {
			t.Fatalf("% x is not encrypted again", h)
		}
	}
}

// Section 2.1, byte 0: "year of game = GY+1900. (e.g. -29 = $E3 => 1871) if GY = 127 then no year specified".
func TestSection21Year(t *testing.T) {
	var h Header
	for b := range 256 {
		h[0] = byte(b)
		year, ok := h.year()
		if ok != (b != 127) || ok && year != 1900+int(int8(b)) {
			t.Errorf("%d: %d, %v", b, year, ok)
		}
		var back Header
		if ok && (!back.setYear(year) || back[0] != byte(b)) {
			t.Errorf("%d is written %#x", year, back[0])
		}
	}
	h[0] = 0xe3
	if year, _ := h.year(); year != 1871 {
		t.Error(year)
	}
	for _, year := range []int{1771, 2027, 0} {
		if h.setYear(year) || h[0] != noYear {
			t.Errorf("%d is written %d", year, h[0])
		}
	}
}

// Section 2.1, byte 1, result: "bit 0..1: 0 = 0-1, 1 = draw, 2 = 1-0, 3 = variant result stored in bits 2..5 … e.g.
// 1: +-, 4: =, 8: -+, 14: T, 0 for no specification (only valid if bits 0..1 = 3)".
func TestSection21Result(t *testing.T) {
	for _, c := range []struct {
		b               byte
		result, variant byte
		text            string
	}{
		{0, resultBlackWins, 0, "1. e4 0-1"},
		{1, resultDraw, 0, "1. e4 1/2-1/2"},
		{2, resultWhiteWins, 0, "1. e4 1-0"},
		{3, resultVariant, 0, "1. e4 *"},
		{3 | 1<<2, resultVariant, 1, "1. e4 $18 *"},
		{3 | 2<<2, resultVariant, 2, "1. e4 $16 *"},
		{3 | 3<<2, resultVariant, 3, "1. e4 $14 *"},
		{3 | 4<<2, resultVariant, 4, "1. e4 $10 *"},
		{3 | 5<<2, resultVariant, 5, "1. e4 $13 *"},
		{3 | 6<<2, resultVariant, 6, "1. e4 $15 *"},
		{3 | 7<<2, resultVariant, 7, "1. e4 $17 *"},
		{3 | 8<<2, resultVariant, 8, "1. e4 $19 *"},
		{3 | 14<<2, resultVariant, 14, "1. e4 {[%cbresult 14]} *"},
		{0xc0 | 2, resultWhiteWins, 0, "1. e4 1-0"}, // unused bits
		{0x10, resultVariant, 0, "1. e4 *"},         // CBASCII
		{1 | 4<<2, resultDraw, 0, "1. e4 1/2-1/2"},  // bits 2..5 are not valid
	} {
		var h Header
		h[0], h[1] = noYear, c.b
		if r, v := h.Result(); r != c.result || v != c.variant {
			t.Errorf("%#02x: %d, %d", c.b, r, v)
		}
		h.setMovesSize(1)
		r := Record{Header: h, Moves: []byte{11}}
		r.Moves[0] = numberOf(t, position.Start(), "e2e4")
		var g game.Game
		if _, err := DecodeGame(&r, &g, NumberingAuto); err != nil {
			t.Fatal(err)
		}
		if s := strings.ReplaceAll(codectest.Movetext(&g), "  ", " "); s != c.text {
			t.Errorf("%#02x: %s, not %s", c.b, s, c.text)
		}
		var again Record
		if lost, err := encodeGame(&g, &again, NumberingAuto); err != nil || lost != nil {
			t.Errorf("%#02x: %v, %v", c.b, lost, err)
		}
		var g2 game.Game
		if _, err := DecodeGame(&again, &g2, NumberingAuto); err != nil || g2.Diff(&g) != "" {
			t.Errorf("%#02x: %v, %v", c.b, g2.Diff(&g), err)
		}
		if b := again.Header[1]; (c.b < 4 || c.variant == 14) && b != c.b {
			t.Errorf("%#02x is written %#02x", c.b, b)
		}
	}
}

func numberOf(t testing.TB, p position.Position, uci string) byte {
	t.Helper()
	m, err := chess.ParseUCI(uci)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGenerator(p, NumberingDocument)
	n, err := g.Number(m)
	if err != nil {
		t.Fatal(err)
	}
	return byte(n)
}

// Section 2.1, bytes 2..9 and 12: lengths and ratings.
func TestSection21Fields(t *testing.T) {
	var h Header
	h[2], h[3] = 0x12, 0x34
	if h.movesSize() != 0x1233 { // "the size in bytes of the fourth part (Moves) of the game = movlen-1"
		t.Error(h.movesSize())
	}
	h.setMovesSize(maxMovesSize)
	if h[2] != 0xff || h[3] != 0xff || h.movesSize() != maxMovesSize {
		t.Error(h)
	}
	h[4], h[5] = 0xc0|17, 0xc0|63 // "bit 0..5: size of 'player' field", "'source' field"
	if h.playerSize() != 17 || h.sourceSize() != 63 {
		t.Error(h.playerSize(), h.sourceSize())
	}
	h.setNameSizes(5, 6)
	if h[4] != 0xc0|5 || h[5] != 0xc0|6 {
		t.Error(h)
	}
	h[6], h[7] = 0xab, 0xcd // "size in bytes of comment field"
	if h.commentsSize() != 0xabcd {
		t.Error(h.commentsSize())
	}
	h.setCommentsSize(0x0102)
	if h[6] != 1 || h[7] != 2 {
		t.Error(h)
	}
	for b := range 256 { // "if WhtElo > 0 then ELO = 1600 + 5*whtelo else no specification", "same for black player"
		want := ""
		if b > 0 {
			want = fmt.Sprint(1600 + 5*b)
		}
		if elo(byte(b)) != want {
			t.Error(b, elo(byte(b)))
		}
	}
	h[12] = 77 // "number of moves (not half-moves)"
	if h.moveCount() != 77 {
		t.Error(h.moveCount())
	}
	for plies, moves := range map[int]byte{0: 0, 1: 1, 2: 1, 3: 2, 8: 4} {
		g := game.New()
		var b game.Builder
		b.Reset(g)
		for i := range plies {
			m, _ := chess.ParseUCI([]string{"g1f3", "g8f6", "f3g1", "f6g8"}[i%4])
			b.Move(m)
		}
		var r Record
		if _, err := encodeGame(g, &r, NumberingAuto); err != nil || r.Header[12] != moves {
			t.Errorf("%d halfmoves: %d moves, %v", plies, r.Header[12], err)
		}
	}
}

// Section 2.1, byte 10 flags1 and byte 11 flags2, of an ordinary starting position and of a set-up one.
func TestSection21Flags(t *testing.T) {
	var h Header
	for b := range 256 {
		h[10] = byte(b)
		if h.setup() != (b&1 != 0) || h.marked() != (b>>6&1 != 0) || h.deleted() != (b>>7 != 0) {
			t.Error(b)
		}
		h[11] = byte(b)
		if h.enPassantFile() != b&15 {
			t.Error(b)
		}
	}
	// "bit 1: player to move (0 - white, 1 - black), bit 2: white 0-0-0 permitted, bit 3: white 0-0, bit 4: black
	// 0-0-0, bit 5: black 0-0"; "bit 0..3 : e.p. file (1-8 -> A-H)".
	for _, c := range []struct {
		fen      string
		bits, ep byte
	}{
		{"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", 1, 0},
		{"r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1", 1 | 1<<1, 0},
		{"r3k2r/8/8/8/8/8/8/R3K2R w Q - 0 1", 1 | 1<<2, 0},
		{"r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1", 1 | 1<<3, 0},
		{"r3k2r/8/8/8/8/8/8/R3K2R w q - 0 1", 1 | 1<<4, 0},
		{"r3k2r/8/8/8/8/8/8/R3K2R w k - 0 1", 1 | 1<<5, 0},
		{"r3k2r/8/8/8/P7/8/8/R3K2R b KQkq a3 0 9", 0x3f, 1},
		{"r3k2r/8/8/7p/8/8/8/R3K2R w KQkq h6 0 9", 0x3d, 8},
	} {
		p, err := position.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		var h Header
		h[10] = flagMarked
		setup, ok := encodeSetup(nil, &h, &p)
		if !ok || h[10] != c.bits|flagMarked || h[11] != c.ep {
			t.Errorf("%s: %#02x %#02x, not %#02x %#02x", c.fen, h[10], h[11], c.bits, c.ep)
		}
		if back, err := decodeSetup(&h, setup); err != nil || back != p {
			t.Errorf("%s is read as %s, %v", c.fen, back.FEN(), err)
		}
	}
	// Rights without king or rook are not, an en passant file without its pawn is not in the position.
	p, _ := position.ParseFEN("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
	setup, _ := encodeSetup(nil, &h, &p)
	h[10] |= 0x3c
	h[11] = 5
	back, err := decodeSetup(&h, setup)
	if err != nil || back.FEN() != "4k3/8/8/8/8/8/8/4K2R w K - 0 1" {
		t.Error(back.FEN(), err)
	}
	h[11] = 9
	if _, err := decodeSetup(&h, setup); !errors.Is(err, codec.ErrStart) {
		t.Error(err)
	}
}

// A game that is marked, deleted or both keeps that, and SkipDeleted leaves it out.
func TestSection21MarkedDeleted(t *testing.T) {
	var games []*game.Game
	for i := range 4 {
		g := game.New()
		g.AddTag("White", fmt.Sprint(i))
		g.AddTag("Result", "*")
		if i&1 != 0 {
			g.AddTag(tagMarked, "1")
		}
		if i&2 != 0 {
			g.AddTag(tagDeleted, "1")
		}
		games = append(games, g)
	}
	cbf, cbi := write(t, games)
	compareGames(t, readAll(t, newReader(t, cbf, cbi)), games)
	compareGames(t, readAll(t, newReader(t, cbf, cbi, SkipDeleted())), games[:2])
}

// Section 2.2: letter (ECO1-1)/100, first number (ECO1-1)%100, second ECO2, their bits in bytes 10, 4, 5 and 11; "If
// ECO1==0, no ECO specified". Of its two tables for ECO2, 2.1's holds.
func TestSection22ECO(t *testing.T) {
	for eco1 := range 512 {
		for _, eco2 := range []int{0, 1, 31, 32, 63, 64, 99, 127} {
			var h Header
			h[4], h[5], h[11] = 33, 44, flagVersion
			e := ecoCode{eco1, eco2}
			h.setECO(e)
			if h.eco() != e || h.playerSize() != 33 || h.sourceSize() != 44 || h[11]&flagVersion == 0 || h.setup() ||
				h.marked() || h.deleted() {
				t.Fatalf("%v: % x, %v", e, h, h.eco())
			}
			if byte(eco1&31) != h[10]>>1&31 || byte(eco1>>5&3) != h[4]>>6 || byte(eco1>>7) != h[5]>>6 ||
				byte(eco2&63) != h[11]&63 || byte(eco2>>6) != h[11]>>7 {
				t.Fatalf("%v: % x", e, h)
			}
			if eco1 == 0 {
				if e.String() != "" {
					t.Error(e)
				}
				continue
			}
			want := fmt.Sprintf("%c%02d", "ABCDEF"[(eco1-1)/100], (eco1-1)%100)
			if eco2 != 0 {
				want += fmt.Sprintf("/%02d", eco2)
			}
			if e.String() != want {
				t.Errorf("%v: %s, not %s", e, e.String(), want)
			}
			if back, err := parseECO(want); err != nil || back != e {
				t.Errorf("%s: %v, %v", want, back, err)
			}
		}
	}
	if e, err := parseECO("A00/00"); err != nil || e != (ecoCode{1, 0}) { // "(e.g. A00/00)"
		t.Error(e, err)
	}
	for _, bad := range []string{"", "A", "A0", "G00", "a00", "F11", "A00/128", "A00-01", "A0x", "A00/", "A000",
		"A00/+1"} {
		if e, err := parseECO(bad); err == nil {
			t.Errorf("%q: %v", bad, e)
		}
	}
	var h Header
	h.setECO(ecoCode{500, 50})
	h[10] |= 1
	if e := h.eco(); e != (ecoCode{}) { // "only valid if no special board setup specified"
		t.Error(e)
	}
}

// Section 2.3, the C program: "int l = (header[4]&63) + (header[5]&63); unsigned char k = 3 * l; for
// (i=l-1;i>=0;i--,k*=3) text[i] ^= k;", and section 2.4's: "int s = header[2]*256 + header[3]; unsigned char k = 49 *
// s; for (i=s-2;i>0;i--,k*=7) moves[i] ^= k;".
func TestSection23And24Ciphers(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 4))
	for range 300 {
		part := func(most int) []byte {
			b := make([]byte, random.IntN(most+1))
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			return b
		}
		r := Record{Player: part(63), Source: part(63), Moves: part(700), Comments: part(300)}
		if random.IntN(2) == 0 {
			r.Setup = bytes.Repeat([]byte{0x16}, setupSize)
		}
		file, err := r.appendTo(nil)
		if err != nil {
			t.Fatal(err)
		}
		header := decrypt([headerSize]byte(file))
		rest := slices.Clone(file[headerSize:])
		l := int(header[4]&63) + int(header[5]&63)
		k := byte(3 * l)
		for i := l - 1; i >= 0; i-- {
			rest[i] ^= k
			k *= 3
		}
		if !bytes.Equal(rest[:len(r.Player)], r.Player) || !bytes.Equal(rest[len(r.Player):l], r.Source) {
			t.Fatal("names")
		}
		moves := rest[l:]
		s := int(header[2])*256 + int(header[3])
		k = byte(49 * s)
		for i := s - 2; i > 0; i-- {
			moves[i] ^= k
			k *= 7
		}
		if !bytes.Equal(moves[:s-1], r.Moves) || !bytes.Equal(moves[s-1:s-1+len(r.Comments)], r.Comments) ||
			!bytes.Equal(moves[s-1+len(r.Comments):], r.Setup) {
			t.Fatal("moves, comments or position")
		}
		if len(r.Moves) > 0 && file[headerSize+l] != r.Moves[0] {
			t.Fatal("the first move is coded")
		}
		var back Record
		if err := back.read(bytes.NewReader(file), 0, int64(len(file))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back.Player, r.Player) || !bytes.Equal(back.Source, r.Source) ||
			!bytes.Equal(back.Moves, r.Moves) ||
			!bytes.Equal(back.Comments, r.Comments) || !bytes.Equal(back.Setup, r.Setup) || back.size() != len(file) {
			t.Fatal("not read again")
		}
	}
}

// generated lists what the generator has in a position, in order.
func generated(g *Generator) (list []string) {
	for n := 1; ; n++ {
		m, ok := g.Generated(n)
		if !ok {
			if n == g.Count() {
				list = append(list, "phantom")
				continue
			}
			if n != g.Count()+1 {
				list = append(list, fmt.Sprintf("%d of %d", n, g.Count()))
			}
			return list
		}
		list = append(list, m.String())
	}
}

// Section 2.4, points 1 to 7: the order of the squares, and of each piece's moves.
func TestSection24Order(t *testing.T) {
	for _, c := range []struct {
		name, fen, want string
	}{
		{"1. the squares a1 … a8, b1 … b8", "7k/8/8/8/8/P7/PP6/7K w - - 0 1",
			"a3a4 b2b4 b2b3 h1g1 h1g2 h1h2"},
		{"2. king: 1 left down, 2 left, 3 left up, 4 down, 5 up, 6 right down, 7 right, 8 right up",
			"7k/8/8/8/4K3/8/8/8 w - - 0 1",
			"e4d3 e4d4 e4d5 e4e3 e4e5 e4f3 e4f4 e4f5"},
		{"2. black king: left is the a-file, up the eighth rank", "8/8/8/8/4k3/8/8/7K b - - 0 1",
			"e4d3 e4d4 e4d5 e4e3 e4e5 e4f3 e4f4 e4f5"},
		{"2. king moves regardless of threats", "k7/8/8/8/8/8/1r6/7K w - - 0 1", "h1g1 h1g2 h1h2"},
		{"2. then short and long castling", "4k3/8/8/8/8/8/3PPP2/R3K2R w KQ - 0 1",
			"a1b1 a1c1 a1d1 a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 d2d4 d2d3 e1d1 e1f1 e1g1 e1c1 e2e4 e2e3 f2f4 f2f3 " +
				"h1g1 h1f1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8"},
		{"2. castling without the right", "4k2r/3ppp2/8/8/8/8/8/4K3 b - - 0 1",
			"d7d5 d7d6 e7e5 e7e6 e8d8 e8f8 e8g8 f7f5 f7f6 h8g8 h8f8 h8h7 h8h6 h8h5 h8h4 h8h3 h8h2 h8h1"},
		{"2. castling needs free squares", "4k3/8/8/8/8/8/3PPP2/RN2K1NR w KQ - 0 1",
			"a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 b1a3 b1c3 d2d4 d2d3 e1d1 e1f1 e2e4 e2e3 f2f4 f2f3 g1f3 g1h3 " +
				"h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8"},
		{"3. queen: as the bishop, then as the rook", "k7/8/8/1p3p2/2pQ4/2p2p2/1P1P4/7K w - - 0 1",
			"b2b4 b2b3 b2c3 d2d3 d2c3 d4c3 d4e3 d4f2 d4g1 d4e5 d4f6 d4g7 d4h8 d4c5 d4b6 d4a7 d4c4 d4d3 d4e4 d4f4 " +
				"d4g4 d4h4 " +
				"d4d5 d4d6 d4d7 d4d8 h1g1 h1g2 h1h2"},
		{"4. rook: left, down, right, up, until it runs into a piece", "7k/8/3p4/8/1p1R2P1/8/3p4/7K w - - 0 1",
			"d4c4 d4b4 d4d3 d4d2 d4e4 d4f4 d4d5 d4d6 g4g5 h1g1 h1g2 h1h2"},
		{"5. bishop: left down, right down, right up, left up", "7k/6p1/1P6/8/3B4/8/5p2/n6K w - - 0 1",
			"b6b7 d4c3 d4b2 d4a1 d4e3 d4f2 d4e5 d4f6 d4g7 d4c5 h1g1 h1g2 h1h2"},
		{"6. knight, by the diagram", "7k/8/8/8/4N3/8/8/7K w - - 0 1",
			"e4c3 e4c5 e4g3 e4g5 e4d2 e4d6 e4f2 e4f6 h1g1 h1g2 h1h2"},
		{"7. pawn: long, short, takes left, right", "7k/8/8/8/8/1p1p4/2P5/7K w - - 0 1",
			"c2c4 c2c3 c2b3 c2d3 h1g1 h1g2 h1h2"},
		{"7. black pawn: left is the a-file for him too", "7k/2p5/1P1P4/8/8/8/8/7K b - - 0 1",
			"c7c5 c7c6 c7b6 c7d6 h8g7 h8g8 h8h7"},
		{"7. promotions =Q, =R, =B, =N", "1n1n3k/2P5/8/8/8/8/8/7K w - - 0 1",
			"c7c8q c7c8r c7c8b c7c8n c7b8q c7b8r c7b8b c7b8n c7d8q c7d8r c7d8b c7d8n h1g1 h1g2 h1h2"},
		{"7. e.p. comes last", "7k/8/4n3/2PpP3/8/8/8/7K w - d6 0 1", "c5c6 c5d6 e5d6 h1g1 h1g2 h1h2"},
		{"7. e.p. after the captures", "7k/8/5n2/3pP3/8/8/8/7K w - d6 0 1", "e5e6 e5f6 e5d6 h1g1 h1g2 h1h2"},
	} {
		p, err := position.ParseFEN(c.fen)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		g := NewGenerator(p, NumberingDocument)
		if got := strings.Join(generated(&g), " "); got != c.want {
			t.Errorf("%s:\n%s, not\n%s", c.name, got, c.want)
		}
	}
}

// Section 2.4: "Example: white pawn on e2 and d2, black king on e8, rook on h8, pawn on d5. If white moves d2-d4, and
// black castles 0-0, then e5xd6e.p. is a possible move." The white pawn must stand on e5 for that.
func TestSection24IllegalEnPassant(t *testing.T) {
	p, err := position.ParseFEN("4k2r/8/8/3pP3/8/8/3P4/4K3 w k - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	g := NewGenerator(p, NumberingDocument)
	make := func(uci string) {
		m, _ := chess.ParseUCI(uci)
		if _, err := g.Number(m); err != nil {
			t.Fatal(uci, err)
		}
		g.Make(m)
	}
	make("d2d4")
	make("e8g8")
	if g.EnPassantFile() != 4 || g.Position().EnPassantFile() != 0 {
		t.Error(g.EnPassantFile(), g.Position().EnPassantFile())
	}
	want := "d4 e1d1 e1d2 e1e2 e1f1 e1f2 e5e6 e5d6"
	if got := strings.Join(generated(&g), " "); got != want[3:] {
		t.Errorf("%s, not %s", got, want[3:])
	}
	if m, err := g.Move(7); !errors.Is(err, position.ErrIllegal) || m.String() != "e5d6" {
		t.Error(m, err)
	}
	make("e1d1") // "any other move clears it"
	if g.EnPassantFile() != 0 {
		t.Error(g.EnPassantFile())
	}
	// A long pawn move replaces it.
	p, _ = position.ParseFEN("4k2r/2p5/8/3pP3/8/8/3P4/4K3 w k - 0 1")
	g = NewGenerator(p, NumberingDocument)
	make("d2d4")
	make("c7c5")
	if g.EnPassantFile() != 3 {
		t.Error(g.EnPassantFile())
	}
}

// The converter's phantom: a pawn on the a-file and its own fifth rank takes a number more when no en passant file is
// set.
func TestCBASCIIPhantom(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"7k/8/1p6/P7/8/8/8/7K w - - 0 1", "a5a6 a5b6 phantom h1g1 h1g2 h1h2"},
		{"7k/8/8/8/p7/1P6/8/7K b - - 0 1", "a4a3 a4b3 phantom h8g7 h8g8 h8h7"},
		{"7k/8/8/Pp6/8/8/8/7K w - b6 0 1", "a5a6 a5b6 h1g1 h1g2 h1h2"},
		{"7k/8/8/P2p4/8/8/8/7K w - d6 0 1", "a5a6 h1g1 h1g2 h1h2"},
		{"7k/8/8/7P/8/8/8/7K w - - 0 1", "h1g1 h1g2 h1h2 h5h6"},
	} {
		p, err := position.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		g := NewGenerator(p, NumberingCBASCII)
		var got []string
		for n := 1; n <= g.Count(); n++ {
			m, ok := g.Generated(n)
			if !ok {
				got = append(got, "phantom")
				if _, err := g.Move(n); !errors.Is(err, codec.ErrReserved) {
					t.Error(err)
				}
				continue
			}
			got = append(got, m.String())
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, not %s", c.fen, s, c.want)
		}
	}
}

// Section 2.4: "The value 0 does not occur in the list. $FF indicates the start of a variant, and $80 the end. These
// variants can be nested"; "Every move can be commented, and is indicated by setting bit 7".
func TestSection24Bytes(t *testing.T) {
	n := func(moves ...string) byte {
		p := position.Start()
		for _, uci := range moves[:len(moves)-1] {
			m, _ := chess.ParseUCI(uci)
			p.Make(m)
		}
		return numberOf(t, p, moves[len(moves)-1])
	}
	e4, d4, d5, nf6, e5 := n("e2e4"), n("d2d4"), n("d2d4", "d7d5"), n("d2d4", "g8f6"), n("e2e4", "e7e5")
	r := Record{
		Moves:    []byte{e4 | 0x80, 0xff, d4, d5, 0xff, nf6 | 0x80, 0x80, 0x80, 0xff, d4, 0x80, e5},
		Comments: []byte("\xff\x01\xff\x00\x00\x00\x00Indian\xff"),
	}
	r.Header[0], r.Header[1] = noYear, 3
	var g game.Game
	if _, err := DecodeGame(&r, &g, NumberingAuto); err != nil {
		t.Fatal(err)
	}
	if s := codectest.Movetext(&g); s != "1. e4! (1. d4 d5 (1... Nf6 {Indian})) (1. d4) 1... e5 *" {
		t.Error(s)
	}
	var again Record
	if lost, err := encodeGame(&g, &again, NumberingAuto); err != nil || lost != nil ||
		!bytes.Equal(again.Moves, r.Moves) || !bytes.Equal(again.Comments, r.Comments) {
		t.Errorf("% x, %q, %v, %v", again.Moves, again.Comments, lost, err)
	}
	for _, c := range []struct {
		moves []byte
		err   error
		at    int64
		ply   int
	}{
		{[]byte{e4, 0}, codec.ErrReserved, 1, 2},
		{[]byte{e4, 21}, codec.ErrReserved, 1, 2},
		{[]byte{0xff, e4, 0x80}, codec.ErrGrammar, 0, 1},
		{[]byte{e4, 0x80}, codec.ErrGrammar, 1, 2},
		{[]byte{e4, 0xff, d4}, codec.ErrGrammar, 3, 2},
		{[]byte{e4, 0xff, 0xff, d4, 0x80, 0x80}, codec.ErrGrammar, 2, 1},
	} {
		r := Record{Moves: c.moves, Offset: 1000}
		_, err := DecodeGame(&r, &g, NumberingAuto)
		var e *codec.Error
		if !errors.Is(err, c.err) || !errors.As(err, &e) || e.Offset != 1014+c.at || e.Ply != c.ply {
			t.Errorf("% x: %v", c.moves, err)
		}
		start := position.Start()
		_, err = AppendIndices(nil, c.moves, &start, NumberingDocument)
		if !errors.Is(err, c.err) || !errors.As(err, &e) || e.Offset != c.at || e.Ply != c.ply {
			t.Errorf("% x: %v", c.moves, err)
		}
	}
}

// Section 2.5: the example "START NULL NULL NULL NULL string", "The optional fields are only used if they have a value
// or if one of the following fields has a value", and the values.
func TestSection25Comments(t *testing.T) {
	for _, c := range []struct {
		c     comment
		bytes string
		text  string
	}{
		{comment{Text: []byte("This is a great move")}, "\xff\x00\x00\x00\x00This is a great move",
			"1. e4 {This is a great move} *"},
		{comment{Move: 1}, "\xff\x01", "1. e4! *"},
		{comment{Move: 2}, "\xff\x02", "1. e4? *"},
		{comment{Move: 3}, "\xff\x03", "1. e4!! *"},
		{comment{Move: 4}, "\xff\x04", "1. e4?? *"},
		{comment{Move: 5}, "\xff\x05", "1. e4!? *"},
		{comment{Move: 6}, "\xff\x06", "1. e4?! *"},
		{comment{Position: 4}, "\xff\x00\x04", "1. e4 $10 *"},
		{comment{Move: 1, Position: 8, Text: []byte("x")}, "\xff\x01\x08\x00\x00x", "1. e4! $19 {x} *"},
		{comment{Extra: 1}, "\xff\x00\x00\x01", "1. e4 {[%cbextra 1]} *"},
		{comment{Move: 7, Position: 9, Extra: 255, Text: []byte("x")}, "\xff\x07\x09\xff\x00x",
			"1. e4 {[%cbmove 7] [%cbpos 9] [%cbextra 255] x} *"},
		// "The value 177 stand for the King symbol, 178: queen, 179: knight, 180: bishop, 181: rook, 182: pawn. $FE
		// stands for cr-lf."
		{comment{Text: []byte{177, 178, 179, 180, 181, 182, 0xfe, 0x81}},
			"\xff\x00\x00\x00\x00\xb1\xb2\xb3\xb4\xb5\xb6\xfe\x81",
			"1. e4 {♔♕♘♗♖♙ ü} *"},
		{comment{}, "\xff", "1. e4 *"},
	} {
		b := c.c.appendTo(nil)
		if string(b) != c.bytes && c.c.Extra != 255 { // 255 would be the next START
			t.Errorf("%+v: %q, not %q", c.c, b, c.bytes)
		}
		if c.c.Extra == 255 {
			continue
		}
		list := newComments(append(b, 0xff))
		got, ok, err := list.next()
		if !ok || err != nil || got.Move != c.c.Move || got.Position != c.c.Position || got.Extra != c.c.Extra ||
			!bytes.Equal(got.Text, c.c.Text) {
			t.Errorf("%q: %+v, %v, %v", b, got, ok, err)
		}
		if _, ok, _ := list.next(); ok {
			t.Errorf("%q: more comments", b)
		}
		r := Record{Moves: []byte{numberOf(t, position.Start(), "e2e4") | 0x80}, Comments: append(b, 0xff)}
		r.Header[1] = 3
		var g game.Game
		if _, err := DecodeGame(&r, &g, NumberingAuto); err != nil {
			t.Fatal(err)
		}
		if s := strings.ReplaceAll(codectest.Movetext(&g), "\n", " "); s != c.text {
			t.Errorf("%q: %s, not %s", b, s, c.text)
		}
		var again Record
		lost, err := encodeGame(&g, &again, NumberingAuto)
		if err != nil || lost != nil {
			t.Errorf("%q: %v, %v", b, lost, err)
		}
		if len(c.c.appendTo(nil)) > 1 && (!bytes.Equal(again.Moves, r.Moves) ||
			!bytes.Equal(again.Comments, r.Comments)) {
			t.Errorf("%q: % x, %q", b, again.Moves, again.Comments)
		}
	}
	// Comments beyond the marked moves are those before the first move.
	r := Record{Moves: []byte{numberOf(t, position.Start(), "e2e4") | 0x80},
		Comments: []byte("\xff\x01\xff\x00\x00\x00\x00Before\xff\x00\x04\x00\x00all\xff")}
	r.Header[1] = 3
	var g game.Game
	if _, err := DecodeGame(&r, &g, NumberingAuto); err != nil ||
		codectest.Movetext(&g) != "{Before} $10 {all} 1. e4! *" {
		t.Error(codectest.Movetext(&g), err)
	}
	var again Record
	if lost, err := encodeGame(&g, &again, NumberingAuto); err != nil || lost != nil ||
		!bytes.Equal(again.Comments, r.Comments) {
		t.Errorf("%q, %v, %v", again.Comments, lost, err)
	}
}

// Section 2.6: the example, 33 bytes.
func TestSection26Example(t *testing.T) {
	want := []byte{
		0x12, 0x54, 0x30, 0x00, 0x60, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0xe0, 0x00, 0x00, 0x00, 0x9a, 0xdc, 0xb0, 0x00,
		54,
	}
	p, err := position.ParseFEN("kqrbn3/p7/8/8/8/8/P7/KQRBN3 w - - 0 55")
	if err != nil {
		t.Fatal(err)
	}
	var h Header
	got, ok := encodeSetup(nil, &h, &p)
	if !ok || !bytes.Equal(got, want) {
		t.Errorf("% x, not % x", got, want)
	}
	back, err := decodeSetup(&h, want)
	if err != nil || back != p {
		t.Errorf("%s, %v", back.FEN(), err)
	}
	// The table of the pieces.
	for code, piece := range map[byte]string{1: "K", 2: "Q", 3: "N", 4: "B", 5: "R", 6: "P", 9: "k", 10: "q", 11: "n",
		12: "b", 13: "r", 14: "p"} {
		if s := chess.Piece(code).String(); s != piece {
			t.Errorf("%d is %s, not %s", code, s, piece)
		}
	}
	for _, bad := range []byte{7, 8, 15} {
		b := slices.Clone(want)
		b[16] = bad
		if _, err := decodeSetup(&h, b); !errors.Is(err, codec.ErrStart) {
			t.Errorf("%d: %v", bad, err)
		}
	}
	// "The last byte (nr 33) contains the move number - 1."
	for number, b := range map[int]byte{1: 0, 2: 1, 256: 255} {
		s := p.Setup()
		s.FullmoveNumber = number
		q, err := s.Position()
		if err != nil {
			t.Fatal(err)
		}
		got, ok := encodeSetup(nil, &h, &q)
		if !ok || got[32] != b {
			t.Errorf("move %d: %d, %v", number, got[32], ok)
		}
	}
}

// Section 2.7 leaves byte 13 open; known readers take one of two values, and the known writer stores the second.
func TestSection27Byte13(t *testing.T) {
	for _, c := range []struct {
		header []byte
		second byte
	}{ // headers of the folder chessbase, written by an implementation of the known writer
		{[]byte{0x7f, 0x01, 0x01, 0x7e, 0x23, 0x0d, 0, 0, 0, 0, 0, 0x40, 0xbf, 0x02}, 0x02},
		{[]byte{0x7f, 0x01, 0x01, 0x4f, 0x26, 0x0d, 0, 0, 0, 0, 0, 0x40, 0xa7, 0xf1}, 0xf1},
		{[]byte{0x7f, 0x00, 0x00, 0x71, 0x1c, 0x0d, 0x06, 0xe9, 0, 0, 0, 0x40, 0x34, 0x4f}, 0x4f},
	} {
		h := Header(c.header)
		first, second := h.checksum()
		if second != c.second || !h.checksumOK() {
			t.Errorf("% x: %#02x, not %#02x", c.header, second, c.second)
		}
		if first != h[0]*0x25+h[5]+h[9] {
			t.Errorf("% x: %#02x", c.header, first)
		}
		h[13] = first
		if !h.checksumOK() {
			t.Errorf("% x is not taken", h)
		}
		h[13]++
		if h.checksumOK() && h[13] != second {
			t.Errorf("% x is taken", h)
		}
		h[11] = 0
		h.seal()
		if h != Header(c.header) {
			t.Errorf("% x, not % x", h, c.header)
		}
	}
}
