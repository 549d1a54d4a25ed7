// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

// A piece, a captured piece and a text that are not as they must be are found, with the port; so is a text that does
// not come, or is too many.
func TestBeatsAndTexts(t *testing.T) {
	var g game.Game
	edatest.Must(t, pgn.NewReader(strings.NewReader("1. e4 {one} d5 2. exd5 {two} *")).Read(&g))
	for _, c := range []struct {
		codec, signal string
		spoil         func(s *stream)
	}{
		{"brenner-main", "", func(*stream) {}},
		{"jose-document", "", func(*stream) {}},
		{"jose-program", "", func(*stream) {}},
		{"words", "m_piece", func(s *stream) { s.wants[2].Piece = chess.BlackPawn }},
		{"words", "m_captured", func(s *stream) { s.wants[2].Taken = chess.NoPiece }},
		{"words", "text_valid", func(s *stream) { s.texts = []oracle.TextByte{{Last: true}} }},
		{"brenner-main", "text_data", func(s *stream) { s.texts[1].Data ^= 1 }},
		{"brenner-main", "text_last", func(s *stream) { s.texts[3].Last = false }},
		{"brenner-main", "text_valid", func(s *stream) { s.texts = s.texts[:6] }},
		{"jose-document", "text_kind", func(s *stream) { s.texts[5].Kind = 1 }},
		{"jose-program", "text_valid", func(s *stream) { s.texts = s.texts[:1] }},
	} {
		codec := FindCodecs(c.codec)[0]
		p, err := newPlayer(t.Context(), codec, sim.Narrow, nil)
		edatest.Must(t, err)
		enc := codec.encoder()
		data, h, err := enc.encode(nil, newCrossGame(1, &g))
		edatest.Must(t, err)
		s := &p.streams[5]
		for i := range p.streams {
			p.streams[i].ended = true
		}
		s.push(enc.end(data), newCrossGame(1, &g).wants(h, codec.setup.depth))
		if texts := map[string]int{"brenner-main": 8, "jose-document": 8, "jose-program": 2}[c.codec]; len(s.texts) !=
			texts {
			t.Errorf("%s: %d bytes of texts, want %d", c.codec, len(s.texts), texts)
		}
		c.spoil(s)
		p.run(t.Context())
		switch d := p.mismatch; {
		case c.signal == "" && d != nil:
			t.Errorf("%s: %v", c.codec, d)
		case c.signal != "" && (d == nil || d.Signal != c.signal):
			t.Errorf("%s: %v, and not %s", c.codec, d, c.signal)
		}
	}
}

// A netlist that is no player, or one of another width, is told in one line; so is a player that takes nothing, after
// some clocks.
func TestOtherNetlists(t *testing.T) {
	for name, want := range map[string]string{
		"board": "no such signal", "words-32": "input s_data has 32 bits, and must have 8",
	} {
		n, err := storedNetlist(name)
		edatest.Must(t, err)
		if _, err := newPlayerPorts(n, 8); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := newPlayer(t.Context(), FindCodecs("words")[0], sim.Narrow, nil)
	edatest.Must(t, err)
	p.mode = oracle.ModeJose // which it does not have
	for i := range p.streams {
		p.streams[i].ended = true
	}
	p.streams[0].push([]byte{1, 2, 3}, nil)
	p.run(t.Context())
	if d := p.mismatch; d == nil || d.Signal != "s_ready" || d.Clock > 2*quietClocks {
		t.Errorf("%v", d)
	}
}
