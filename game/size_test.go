// SPDX-License-Identifier: Apache-2.0

package game

import (
	"testing"
	"unsafe"

	"ply11/chess"
)

// size returns the bytes that a game takes, but for the text of tags and comments.
func (g *Game) size() int {
	return int(unsafe.Sizeof(*g)) + cap(g.Tags)*int(unsafe.Sizeof(Tag{})) +
		cap(g.nodes)*int(unsafe.Sizeof(node{})) + cap(g.exts)*int(unsafe.Sizeof(ext{})) +
		cap(g.items)*int(unsafe.Sizeof(item{})) +
		cap(g.spans)*int(unsafe.Sizeof(span{})) + cap(g.texts)*int(unsafe.Sizeof(""))
}

func TestBareGameIsSmall(t *testing.T) {
	g := New()
	var b Builder
	b.Reset(g)
	moves := []chess.Move{}
	for _, s := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
		m, _ := chess.ParseUCI(s)
		moves = append(moves, m)
	}
	for range 20 {
		b.Moves(moves)
	}
	g = g.Clone()
	if g.Len() != 80 {
		t.Fatalf("%d plies", g.Len())
	}
	if n := g.size(); n >= 1024 {
		t.Errorf("80 plies take %d bytes", n)
	}
}
