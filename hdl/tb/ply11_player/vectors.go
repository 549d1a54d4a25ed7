// SPDX-License-Identifier: Apache-2.0

//go:build ignore

// Vectors writes the vectors of ply11_player's bench: games of random legal moves by package position,
// as eleven-bit words or as Brenner's bytes, and what the player must give for them.
//
//	go run hdl/tb/ply11_player/vectors.go -games 9 -plies 70 -seed 1 -o hdl/tb/ply11_player/words
//	go run hdl/tb/ply11_player/vectors.go -games 9 -plies 70 -seed 2 -layout main -o hdl/tb/ply11_player/main
//
// and -games 4 -plies 60 -seed 3 for the layouts alt, alt-swapped and alt-fixed made the files here.
//
// It writes PREFIX.bytes.hex, a byte a line, and PREFIX.beats.hex, a beat a line:
// {kind 4, error 4, result 4, index 12, from 8, to 8, promotion 4, man 4, captured 4, offset 32,
// ply 16, ep 4, rights 4, side 4, board 256} in hexadecimal digits.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"ply11/bitstream"
	"ply11/bitstream/brenner"
	"ply11/moveindex"
	"ply11/position"
)

type stream struct {
	words   []moveindex.Index // of the word stream
	data    []byte            // of Brenner's
	beats   bytes.Buffer
	pos     position.Position
	ply     int
	rng     *rand.Rand
	broken  bool
	brenner bool
}

func (s *stream) offset() int {
	if s.brenner {
		return len(s.data)
	}
	return len(s.words) * 11 / 8
}

func (s *stream) beat(kind, code, result int, index moveindex.Index, m moveindex.Move, man, taken moveindex.Piece, offset int) {
	fmt.Fprintf(&s.beats, "%x%x%x%03x%02x%02x%x%x%x%08x%04x%x%x%x", kind, code, result, uint16(index),
		uint8(m.From()), uint8(m.To()), uint16(m)>>12&7, uint8(man), uint8(taken), offset, s.ply&0xffff,
		s.pos.EnPassantFile(), uint8(s.pos.Castling()), uint8(s.pos.Turn()))
	for sq := 63; sq >= 0; sq-- {
		fmt.Fprintf(&s.beats, "%x", uint8(s.pos.PieceAt(moveindex.Square(sq))))
	}
	s.beats.WriteByte('\n')
}

// choose prefers what is rare: promotions, castling, en passant.
func (s *stream) choose() (moveindex.Move, bool) {
	var buf [256]moveindex.Move
	list := s.pos.LegalMoves(buf[:0])
	if len(list) == 0 {
		return 0, false
	}
	best := list[s.rng.IntN(len(list))]
	for range 3 {
		m := list[s.rng.IntN(len(list))]
		k := s.pos.PieceAt(m.From()).Kind()
		if m.Promotion() != 0 || k == moveindex.Pawn && s.rng.IntN(2) == 0 ||
			k == moveindex.King && (m.To() == m.From()+2 || m.From() == m.To()+2) {
			best = m
		}
	}
	return best, true
}

// play applies m and writes its beat.
func (s *stream) play(m moveindex.Move, offset int) {
	index, ok := m.Index()
	if !ok {
		log.Fatalf("no index: %v", m)
	}
	man, taken := s.pos.PieceAt(m.From()), s.pos.PieceAt(m.To())
	if man.Kind() == moveindex.Pawn && m.From().File() != m.To().File() && taken == 0 {
		taken = moveindex.NewPiece(man.Color().Other(), moveindex.Pawn)
	}
	s.pos.Make(m)
	s.ply++
	s.beat(0, 0, 0, index, m, man, taken, offset)
}

func (s *stream) null(offset int) {
	s.pos.Make(0)
	s.ply++
	s.beat(0, 0, 0, moveindex.Null, 0, 0, 0, offset)
}

// wordGame writes a game of at most n plies as words, with all that may stand between.
func (s *stream) wordGame(n, number int) {
	s.pos, s.ply = position.Start(), 0
	if number%3 == 1 { // from a set-up position
		p := position.Start()
		for range 10 + s.rng.IntN(60) {
			m, ok := func() (moveindex.Move, bool) { q := s.pos; s.pos = p; defer func() { s.pos = q }(); return s.choose() }()
			if !ok {
				break
			}
			p.Make(m)
		}
		words, err := bitstream.AppendStart(s.words, &p)
		if err != nil {
			log.Fatal(err)
		}
		s.words, s.pos = words, p
	}
	fault := -1
	if number%3 == 2 {
		fault = s.rng.IntN(n)
	}
	for i := range n {
		m, ok := s.choose()
		if !ok {
			break
		}
		if i == fault {
			s.fault()
			// What follows in the game is stepped over.
			s.words, _ = bitstream.AppendText(s.words, "1-0, \xe2\x99\x94 and more")
			s.words = append(s.words, 12, 700, moveindex.VariationEnd, 2020)
			break
		}
		at := s.offset()
		if !s.pos.InCheck() && s.rng.IntN(40) == 0 {
			s.words = append(s.words, moveindex.Null)
			s.null(at)
		} else {
			index, _ := m.Index()
			s.words = append(s.words, index)
			s.play(m, at)
		}
		switch s.rng.IntN(12) {
		case 0:
			s.words = append(s.words, moveindex.Idle, moveindex.Idle)
		case 1:
			text := make([]byte, s.rng.IntN(40))
			for i := range text {
				text[i] = byte(' ' + s.rng.IntN(90))
			}
			words, err := bitstream.AppendText(s.words, string(text))
			if err != nil {
				log.Fatal(err)
			}
			s.words = words
		case 2:
			s.words = bitstream.AppendNAG(s.words, uint8(s.rng.IntN(256)))
		case 3:
			// Variations are stepped over; one in another.
			s.words = append(s.words, moveindex.VariationStart, 100, moveindex.NAG1, 200,
				moveindex.VariationStart, moveindex.Null, moveindex.VariationEnd, 300, moveindex.VariationEnd)
		}
	}
	result := s.rng.IntN(4)
	at := s.offset()
	s.words = append(s.words, moveindex.ResultBlackWins+moveindex.Index(result))
	s.beat(2, 0, result, moveindex.ResultBlackWins+moveindex.Index(result), 0, 0, 0, at)
}

// fault writes one word that must be refused, and its beat.
func (s *stream) fault() {
	at := s.offset()
	switch s.rng.IntN(4) {
	case 0: // reserved
		s.words = append(s.words, 2009)
		s.beat(3, 6, 0, 2009, 0, 0, 0, at)
	case 1: // the end of a variation that did not begin
		s.words = append(s.words, moveindex.VariationEnd)
		s.beat(3, 7, 0, moveindex.VariationEnd, 0, 0, 0, at)
	case 2: // a NAG above 255
		at = (len(s.words) + 1) * 11 / 8
		s.words = append(s.words, moveindex.NAG, 256)
		s.beat(3, 8, 0, 256, 0, 0, 0, at)
	default: // from an empty square, or with an opponent's man
		for {
			index := moveindex.Index(s.rng.IntN(moveindex.NumMoves))
			m, _ := index.Move()
			man := s.pos.PieceAt(m.From())
			if man != 0 && man.Color() == s.pos.Turn() {
				continue
			}
			code := 1
			if man != 0 {
				code = 2
			}
			s.words = append(s.words, index)
			s.beat(3, code, 0, index, m, 0, 0, at)
			return
		}
	}
}

// brennerGame writes a game as Brenner's bytes, with glyphs and texts; false if it cannot be.
func (s *stream) brennerGame(l brenner.Layout, n, number int) {
	var moves []moveindex.Index
	var sizes []int
	for {
		s.pos, moves, sizes = position.Start(), moves[:0], sizes[:0]
		for range n {
			m, ok := s.choose()
			if !ok {
				break
			}
			index, _ := m.Index()
			moves = append(moves, index)
			s.pos.Make(m)
		}
		whole := true
		for i := range moves {
			b, _, err := l.EncodeIndices(nil, moves[:i+1])
			if err != nil {
				whole = false
				break
			}
			sizes = append(sizes, len(b))
		}
		if whole {
			break
		}
	}
	encoded, _, err := l.EncodeIndices(nil, moves)
	if err != nil {
		log.Fatal(err)
	}
	s.pos, s.ply = position.Start(), 0
	s.data = append(append(append(s.data, 0, 'W'), "Somebody"...), 0)
	fault := -1
	if number%3 == 2 {
		fault = s.rng.IntN(len(moves))
	}
	from := 0
	for i, index := range moves {
		if i == fault {
			// Three glyphs after a move, or one before the first.
			at := len(s.data)
			s.data = append(s.data, 7, 7, 7)
			if i > 0 {
				at += 2
			}
			s.beat(3, 7, 0, 0, 0, 0, 0, at)
			s.data = append(s.data, 0, 1, 2, 3, 0)
		}
		s.data = append(s.data, encoded[from:sizes[i]]...)
		from = sizes[i]
		if fault >= 0 && i >= fault {
			continue
		}
		m, _ := index.Move()
		s.play(m, len(s.data)-1)
		// Not where the fault comes next: its glyphs are counted from the move.
		if i+1 == fault {
			continue
		}
		switch s.rng.IntN(10) {
		case 0:
			s.data = append(s.data, 6)
		case 1:
			s.data = append(s.data, 7, 6)
		case 2:
			s.data = append(append(append(s.data, 0), "1-0 \x01\x02\x03"...), 0)
		}
	}
	result := s.rng.IntN(3)
	s.data = append(s.data, []byte{1, 3, 2}[result])
	s.beat(2, 0, result, 0, 0, 0, 0, len(s.data)-1)
}

func main() {
	games := flag.Int("games", 6, "games")
	plies := flag.Int("plies", 90, "plies of a game at most")
	seed := flag.Uint64("seed", 1, "of the random moves")
	layout := flag.String("layout", "", "Brenner's layout; words if empty")
	prefix := flag.String("o", "", "prefix of the two files")
	flag.Parse()
	s := &stream{rng: rand.New(rand.NewPCG(*seed, 11)), brenner: *layout != ""}
	if s.brenner {
		l, ok := brenner.ParseLayout(*layout)
		if !ok {
			log.Fatalf("no layout %q", *layout)
		}
		for i := range *games {
			s.brennerGame(l, *plies, i)
		}
	} else {
		for i := range *games {
			s.wordGame(*plies, i)
		}
		for len(s.words)%8 != 0 {
			s.words = append(s.words, moveindex.Idle)
		}
		s.data = make([]byte, bitstream.PackedLen(len(s.words)))
		bitstream.Pack(s.data, 0, s.words)
	}
	var hex bytes.Buffer
	for _, b := range s.data {
		fmt.Fprintf(&hex, "%02x\n", b)
	}
	for name, data := range map[string][]byte{".bytes.hex": hex.Bytes(), ".beats.hex": s.beats.Bytes()} {
		if err := os.WriteFile(*prefix+name, data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
