// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/jose"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/position"
)

// "1. Byte Codes", the whole table: every byte from 0x00 to 0xff.
func TestByteCodes(t *testing.T) {
	var want [256]string
	set := func(first, last int, format string) {
		for b := first; b <= last; b++ {
			s := format
			if strings.Contains(s, "%") {
				s = fmt.Sprintf(s, b-first)
			}
			want[b] = s
		}
	}
	for i, f := range "abcdefgh" {
		set(4*i, 4*i+3, "move of the "+string(f)+"-pawn, offset %x")
		set(0xa0+i, 0xa0+i, "promotion move: "+string(f)+"-pawn")
		set(0xa8+i, 0xa8+i, `promoted piece move: "`+string(f)+`" promotion piece`)
	}
	set(0x20, 0x27, "move of the queen's knight, offset %x")
	set(0x28, 0x2f, "move of the king's knight, offset %x")
	set(0x30, 0x3f, "move of the queen's bishop, offset %x")
	set(0x40, 0x4f, "move of the king's bishop, offset %x")
	set(0x50, 0x5f, "move of the queen's rook, offset %x")
	set(0x60, 0x6f, "move of the king's rook, offset %x")
	set(0x70, 0x8f, "move of the queen, offset %x")
	set(0x90, 0x97, "move of the king, offset %x")
	set(0x98, 0x98, "kingside castling")
	set(0x99, 0x99, "queenside castling")
	set(0x9a, 0x9a, "null move")
	set(0x9b, 0x9f, "reserved")
	set(0xb0, 0xb0, "annotation, code in the second byte")
	for n := 1; n <= 31; n++ {
		set(0xb0+n, 0xb0+n, fmt.Sprintf("annotation $%d", n))
	}
	set(0xd0, 0xd0, "result: black wins")
	set(0xd1, 0xd1, "result: draw")
	set(0xd2, 0xd2, "result: white wins")
	set(0xd3, 0xd3, "result unknown")
	set(0xd4, 0xdf, "reserved")
	set(0xe0, 0xe0, "text comment")
	set(0xe1, 0xe1, "error: move not readable")
	set(0xe2, 0xe2, "error: illegal move")
	set(0xe3, 0xe3, "error: ambiguous move")
	set(0xe4, 0xe4, "error: unrecognized input")
	set(0xe5, 0xef, "reserved")
	set(0xf0, 0xf0, "start of variation")
	set(0xf1, 0xf1, "end of variation")
	set(0xf2, 0xfe, "reserved")
	set(0xff, 0xff, "end of data")
	for b, w := range want {
		if got := jose.MeaningOf(uint8(b)).String(); got != w {
			t.Errorf("%#02x is %q, want %q", b, got, w)
		}
	}
}

// Every kind of byte in a game, in both dialects, both ways.
func TestGames(t *testing.T) {
	for _, c := range []struct {
		name, fen, moves string
		result           game.Result
		document         string // GameText in hex, "" where only the way back is looked at
		program          string // likewise, "" for the same
		comments         string
	}{
		{"nothing", "", "", game.Unknown, "d3 ff", "", ""},
		{"pawns", "", "e4 d5 exd5 c5 dxc6 b6 a3 b5", game.WhiteWins,
			// The e-pawn takes to its left, d5, and to its left again, en passant.
			"13 0f 12 0b 12 04 00 04 d2 ff", "", ""},
		{"black takes", "", "e4 d5 a3 dxe4 f4 exf3 b4 c5 b5", game.Draw, "13 0f 00 0e 17 0e 07 0b 04 d1 ff", "", ""},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O", game.Unknown, "98 99 d3 ff", "", ""},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O O-O-O", game.Unknown, "98 99 d3 ff", "", ""},
		{"null moves", "", "-- -- e4", game.Unknown, "9a 9a 13 d3 ff", "", ""},
		{"promotions", "7k/3P4/7K/8/8/8/8/8 w - - 6 55", "d8=R#", game.WhiteWins, "a0 22 d2 ff", "", ""},
		{"promotions", "7k/3P4/7K/8/8/8/8/8 w - - 6 55", "d8=N", game.Draw, "a0 20 d1 ff", "", ""},
		{"promotions", "7k/3P4/7K/8/8/8/8/8 w - - 6 55", "d8=B", game.Draw, "a0 21 d1 ff", "", ""},
		{"promotions", "7k/3P4/7K/8/8/8/8/8 w - - 6 55", "d8=Q#", game.WhiteWins, "a0 23 d2 ff", "", ""},
		// The second pawn of the scan takes right, left; the new queen moves to a8: rank row, file a: 18.
		{"captures", "2r1r2k/3P4/7K/8/8/7P/8/8 w - - 0 1", "dxe8=Q# ", game.WhiteWins, "a0 27 d2 ff", "", ""},
		{"captures", "2r1r2k/3P4/7K/8/8/7P/8/8 w - - 0 1", "dxc8=Q Rxc8", game.Unknown, "a0 2b 6a d3 ff", "", ""},
		{"promoted piece", "8/3P3k/8/7K/8/8/8/8 w - - 0 1", "d8=Q Kg7 Qa8 Kf7 Qh1", game.Unknown,
			"a0 23 96 a8 38 96 a8 28 d3 ff", "a0 23 95 a8 38 95 a8 28 d3 ff", ""},
		{"NAGs", "", "e4 $1 $31 $0 $32 $255", game.Unknown, "13 b1 cf b0 00 b0 20 b0 ff d3 ff", "", ""},
		{"text", "", "e4 {a_b} {} ( d4 {ü} )", game.Unknown, "13 e0 61 20 62 00 e0 00 f0 0f e0 c3 bc 00 f1 d3 ff",
			"13 e0 e0 f0 0f e0 f1 d3 ff", "a b\x00\x00ü\x00"},
		{"errors", "", "{[%unreadable_x]} e4 {[%illegal_Nf9]} {[%ambiguous_Nd2]} {[%unrecognized_]]} {[%illegal]}",
			game.Unknown,
			"e1 78 00 13 e2 4e 66 39 00 e3 4e 64 32 00 e4 5d 00 e0 5b 25 69 6c 6c 65 67 61 6c 5d 00 d3 ff",
			"e1 13 e2 e3 e4 e0 d3 ff", "x\x00Nf9\x00Nd2\x00]\x00[%illegal]\x00"},
		{"variations", "", "e4 ( d4 ( c4 c5 ) ( b4 ) d5 ) e5 ( c5 ) Nf3", game.Unknown,
			"13 f0 0f f0 0b 0b f1 f0 07 f1 0f f1 13 f0 0b f1 29 d3 ff",
			"13 f0 0f f0 0b 0b f1 f0 07 f1 0f f1 13 f0 0b f1 2e d3 ff", ""},
		// Undone in a variation: castling, en passant, promotion with capture.
		{"undone", "r3k2r/1P6/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1",
			"dxe3 ( O-O bxa8=Q ( O-O-O ( b8=N Rfxb8 ) Rfb8 ) ) O-O", game.Unknown, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := codectest.Line(t, c.fen, c.moves)
			g.Result = c.result
			for _, d := range jose.Dialects {
				rec, err := d.Encode(g, jose.Table)
				if err != nil {
					t.Fatalf("%v: %v", d, err)
				}
				want := c.document
				if d == jose.Program && c.program != "" {
					want = c.program
				}
				if want != "" && !bytes.Equal(rec.GameText, unhex(want)) {
					t.Errorf("%v: %x, want %s", d, rec.GameText, want)
				}
				if d == jose.Program && string(rec.Comments) != c.comments {
					t.Errorf("comments %q, want %q", rec.Comments, c.comments)
				}
				back, err := d.Decode(rec)
				if err != nil {
					t.Fatalf("%v: %x: %v", d, rec.GameText, err)
				}
				if diff := back.Diff(g); diff != "" {
					t.Errorf("%v: %s", d, diff)
				}
			}
		})
	}
}

// "Reserved bits are ignored on reading"; "this byte must never be 0"; a NAG in two bytes where one would do is read.
func TestLenientReading(t *testing.T) {
	fen := "7k/3P4/7K/8/8/8/8/8 w - - 6 55"
	want := codectest.Line(t, fen, "d8=R#")
	for _, second := range []string{"22", "02", "f2", "d2"} {
		g, err := jose.Document.Decode(jose.Record{FEN: fen, GameText: unhex("a0" + second + "d3ff")})
		if err != nil || g.Diff(want) != "" {
			t.Errorf("promotion %s: %v", second, err)
		}
	}
	fen = "8/3P3k/8/7K/8/8/8/8 w - - 0 1"
	want = codectest.Line(t, fen, "d8=Q Kg7 Qa8")
	for _, second := range []string{"38", "18", "f8"} {
		g, err := jose.Document.Decode(jose.Record{FEN: fen, GameText: unhex("a023" + "96" + "a8" + second + "d3ff")})
		if err != nil || g.Diff(want) != "" {
			t.Errorf("promoted piece %s: %v", second, err)
		}
	}
	g, err := jose.Document.Decode(jose.Record{GameText: unhex("13 b0 01 b0 1f ff")})
	if err != nil || g.Diff(codectest.Line(t, "", "e4 $1 $31")) != "" {
		t.Errorf("long NAGs, no result: %v", err)
	}
}

// Text of the program: "each UTF-16 unit by itself, so characters outside the basic plane arrive as CESU-8: read both,
// write as the program does". In the document's dialect UTF-8 alone is text.
func TestCESU8(t *testing.T) {
	const cesu, plain = "\xed\xa0\xb4\xed\xb4\x9e", "\U0001d11e"
	g := codectest.Line(t, "", "e4 {clef_"+plain+"_퟿} e5 {é}")
	rec, err := jose.Program.Encode(g, jose.Table)
	if err != nil || string(rec.Comments) != "clef "+cesu+" ퟿\x00é\x00" {
		t.Errorf("%q, %v", rec.Comments, err)
	}
	for _, text := range []string{cesu, plain} {
		back, err := jose.Program.Decode(jose.Record{GameText: rec.GameText, Comments: []byte("clef " + text +
			" ퟿\x00é\x00")})
		if err != nil || back.Diff(g) != "" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, bad := range []string{cesu[:3], cesu[3:], "\xed\xa0\xb4x", "\xff", cesu[:5]} {
		_, err := jose.Program.Decode(jose.Record{GameText: unhex("13e0d3ff"), Comments: []byte(bad + "\x00")})
		if !errors.Is(err, codec.ErrText) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := jose.Document.Decode(jose.Record{GameText: []byte("\x13\xe0" + cesu +
		"\x00\xd3\xff")}); !errors.Is(err,
		codec.ErrText) {
		t.Errorf("CESU-8 in the document's dialect: %v", err)
	}
}

// "What a format cannot hold is refused, naming everything that would be lost, game by game": .jgt holds neither FEN
// nor tags, and in program no comments.
func TestLosses(t *testing.T) {
	const fen = "7k/3P4/7K/8/8/8/8/8 w - - 6 55"
	tags := codectest.Line(t, "", "e4")
	for _, tag := range []game.Tag{{Name: "Event", Value: "?"}, {Name: "White", Value: "A"},
		{Name: "Date", Value: "????.??.??"},
		{Name: "Result", Value: "*"}, {Name: "Black", Value: "?"}, {Name: "ECO", Value: "B00"}} {
		tags.AddTag(tag.Name, tag.Value)
	}
	text := codectest.Line(t, "", "e4 {a} e5 {b} {c}")
	for _, c := range []struct {
		name string
		g    *game.Game
		want map[string][]string // by dialect and container
		hex  string              // of the lossy GameText, in the first of want
	}{
		{"tags", tags, map[string][]string{"document 0": {"tag White", "tag ECO"},
			"program 1": {"tag White", "tag ECO"}}, "13d3ff"},
		{"start", codectest.Line(t, fen, "d8=Q#"), map[string][]string{"document 0": {"start position and all moves"},
			"program 0": {"start position and all moves"}, "document 1": nil, "program 1": nil}, "d3ff"},
		{"text", text, map[string][]string{"program 0": {"comment at ply 1", "comment at ply 2"}, "program 1": nil,
			"document 0": nil}, "1313d3ff"},
		{"NUL", codectest.Line(t, "", "e4 {a\x00}"), map[string][]string{"document 0": {"comment with a NUL at ply 1"}},
			"13d3ff"},
		{"three knights", codectest.Line(t, "4k3/8/8/8/8/N1N1N3/8/4K3 w - - 0 1", "Kf2"), map[string][]string{
			"document 1": {"start position and all moves, with 3 knights of white, where 2 have a number"}}, "d3ff"},
	} {
		for key, want := range c.want {
			var name string
			var container jose.Container
			fmt.Sscan(key, &name, &container)
			d := jose.Document
			if name == jose.Program.String() {
				d = jose.Program
			}
			rec, err := d.Encode(c.g, container)
			losses := codec.LossesOf(err)
			if !slices.Equal(losses, want) {
				t.Errorf("%s, %s: losses %q, want %q", c.name, key, losses, want)
			}
			if len(want) == 0 {
				if err != nil {
					t.Errorf("%s, %s: %v", c.name, key, err)
				}
				continue
			}
			if !errors.Is(err, codec.ErrLoss) {
				t.Errorf("%s, %s: not refused: %v", c.name, key, err)
			}
			if !bytes.Equal(rec.GameText, unhex(c.hex)) {
				t.Errorf("%s, %s: lossy %x, want %s (%v)", c.name, key, rec.GameText, c.hex, err)
			}
		}
	}
}

// Bad input: "an error with offset, game and ply; the rest of the file is still read".
func TestErrors(t *testing.T) {
	good := unhex("13 13 d0 ff")
	for _, c := range []struct {
		name, hex string
		err       error
		offset    int64
		ply       int
	}{
		{"reserved", "13 9b d0 ff", codec.ErrReserved, 1, 2},
		{"reserved", "d4 ff", codec.ErrReserved, 0, 1},
		{"reserved", "ef ff", codec.ErrReserved, 0, 1},
		{"reserved", "fe ff", codec.ErrReserved, 0, 1},
		{"off the board", "95 ff", codec.ErrOffBoard, 0, 1},
		{"nowhere", "50 ff", codec.ErrOffBoard, 0, 1},
		{"own piece", "94 ff", codec.ErrOwnPiece, 0, 1},
		{"through pieces", "52 ff", position.ErrIllegal, 0, 1},
		{"pawn takes nobody", "01 ff", codec.ErrNothingToTake, 0, 1},
		{"piece taken", "13 0f 12 0c ff", codec.ErrNoPiece, 3, 4},
		{"no promoted piece", "a8 21 ff", codec.ErrNoPiece, 0, 1},
		{"castling through pieces", "98 ff", codec.ErrCastling, 0, 1},
		{"castling without the right", "13 13 29 2c 49 04 97 04 96 04 98 ff", position.ErrIllegal, 10, 11},
		{"castling away", "13 13 94 04 98 ff", codec.ErrCastling, 4, 5},
		{"promotion elsewhere", "a0 22 ff", codec.ErrPromotion, 0, 1},
		{"second byte 0", "a0 00 ff", codec.ErrReserved, 0, 1},
		{"second byte 0", "a8 00 ff", codec.ErrReserved, 0, 1},
		{"variation first", "f0 13 f1 ff", codec.ErrGrammar, 0, 0},
		{"variation first in one", "13 f0 f0 13 f1 f1 ff", codec.ErrGrammar, 2, 0},
		{"variation not open", "13 f1 ff", codec.ErrGrammar, 1, 1},
		{"variation not closed", "13 f0 0f ff", codec.ErrGrammar, 3, 1},
		{"result in a variation", "13 f0 0f d0 f1 ff", codec.ErrGrammar, 3, 1},
		{"after the result", "d0 13 ff", codec.ErrGrammar, 1, 0},
		{"two results", "d0 d1 ff", codec.ErrGrammar, 1, 0},
		{"text", "13 e0 ff 00 ff", codec.ErrText, 1, 1},
		{"deep", "13" + strings.Repeat("f013", jose.MaxNesting+1) + "ff", codec.ErrLimit, 2*jose.MaxNesting + 1, 1},
	} {
		file := slices.Concat(good, unhex(c.hex), good)
		n := 0
		for g, err := range jose.NewReader(bytes.NewReader(file), jose.Document, jose.Plain).All() {
			n++
			var e *codec.Error
			switch {
			case n != 2:
				if err != nil || g.Len() != 2 || g.Result != game.BlackWins {
					t.Errorf("%s: game %d: %v", c.name, n, err)
				}
			case !errors.Is(err, c.err) || !errors.As(err, &e):
				t.Errorf("%s: %v, want %v", c.name, err, c.err)
			case e.Offset != 4+c.offset || e.Ply != c.ply || e.Game != 2:
				t.Errorf("%s: %v: offset %d, ply %d, game %d; want %d, %d, 2", c.name, err, e.Offset, e.Ply, e.Game,
					4+c.offset, c.ply)
			}
		}
		if n != 3 {
			t.Errorf("%s: %d games, want 3", c.name, n)
		}
	}
	// "A reader parses to the end code and never looks for 0xff, which is also $255's second byte."
	n := 0
	for _, err := range jose.NewReader(bytes.NewReader(unhex("13b0ffd0ff 13e0c3bf00d0ff")), jose.Document,
		jose.Plain).All() {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d games, want 2", n)
	}
	for s, want := range map[string]error{"13": codec.ErrTruncated, "13ffff": codec.ErrGrammar,
		"13b0": codec.ErrTruncated, "13e061": codec.ErrTruncated, "a0": codec.ErrTruncated} {
		if _, err := jose.Document.Decode(jose.Record{GameText: unhex(s)}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", s, err, want)
		}
	}
	// The last pawn on its last rank without a promotion; a knight with a queen's offset.
	if _, err := jose.Document.Decode(jose.Record{FEN: "7k/3P4/7K/8/8/8/8/8 w - - 6 55",
		GameText: unhex("00ff")}); !errors.Is(
		err, codec.ErrPromotion) {
		t.Error(err)
	}
	if _, err := jose.Document.Decode(jose.Record{FEN: "8/3P3k/8/7K/8/8/8/8 w - - 0 1",
		GameText: unhex("a02096a838ff")}); !errors.Is(err, codec.ErrReserved) {
		t.Error(err)
	}
	if _, err := jose.Document.Decode(jose.Record{FEN: "4k3/8/8/8/8/N1N1N3/8/4K3 w - - 0 1",
		GameText: unhex("ff")}); !errors.Is(
		err, codec.ErrTooManyPieces) {
		t.Error(err)
	}
}

// A tab-separated export "with a header line and the columns fen, gametext_hex, comments_hex (others are ignored on
// reading)".
func TestTable(t *testing.T) {
	in := "\ufeffn\tcomments_hex\tgametext_hex\tother\tfen\r\n" +
		"1\t\t13d3ff\tx\t\r\n" +
		"2\tzz\t13d3ff\tx\t\r\n" +
		"3\t6100\t13e0d3ff\tx\t\r\n" +
		"\r\n" +
		"4\t\ta022d2ff\tx\t7k/3P4/7K/8/8/8/8/8 w - - 6 55\r\n" +
		"5\t\r\n" +
		"6\t\t13e0d3ff\t\t\n" +
		"7\t6100\t13d3ff\t\t\n" +
		"8\t\t139bff\t\t\n" +
		"9\t\t13d3ff\t\tnot a position\n" +
		"10\t\t0fd3ff"
	want := []string{"1", "offset 58: game 2: corrupt: column 2", "1", "1",
		"offset 140: game 5: corrupt: column gametext_hex is missing",
		"game 6, ply 1: corrupt: comment 1 is missing", "game 7, ply 1: corrupt: 2 bytes of comments",
		"line 10, offset 179: game 8, ply 2: reserved code", "game 9", "1"}
	n := 0
	for g, err := range jose.NewReader(strings.NewReader(in), jose.Program, jose.Table).All() {
		got := fmt.Sprint(g.Len())
		if err != nil {
			got = err.Error()
		}
		if n >= len(want) || !strings.Contains(got, want[n]) {
			t.Errorf("game %d: %q", n+1, got)
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d games, want %d", n, len(want))
	}
	for _, bad := range []string{"", "fen\tcomments_hex\n"} {
		if err := jose.NewReader(strings.NewReader(bad), jose.Program, jose.Table).Read(game.New()); !errors.Is(err,
			codec.ErrCorrupt) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	var out bytes.Buffer
	w := jose.NewWriter(&out, jose.Program, jose.Table)
	w.Write(codectest.Line(t, "", "e4 {a}"))
	w.Write(codectest.Line(t, "7k/3P4/7K/8/8/8/8/8 w - - 6 55", "d8=R#"))
	w.Close()
	if s := out.String(); s !=
		"fen\tgametext_hex\tcomments_hex\n\t13e0d3ff\t6100\n7k/3P4/7K/8/8/8/8/8 w - - 6 55\ta022d3ff\t\n" {
		t.Errorf("%q", s)
	}
}
