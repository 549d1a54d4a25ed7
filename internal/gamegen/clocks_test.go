// SPDX-License-Identifier: Apache-2.0

package gamegen_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ply11/game"
	"ply11/internal/gamegen"
)

// TestClocks: with clocks the games are the same, each move has one, and no clock shows more than its player may have
// left.
func TestClocks(t *testing.T) {
	plain, with := gamegen.New(7), gamegen.New(7)
	with.Clocks = true
	var g, h game.Game
	controls := map[string]int{}
	low := 0
	const games = 1100 // more than a block
	for i := range games {
		plain.Next(&g)
		with.Next(&h)
		control := h.Tag("TimeControl")
		controls[control]++
		base, each, _ := strings.Cut(control, "+")
		start, err := strconv.Atoi(base)
		if err != nil {
			t.Fatalf("game %d: time control %q", i+1, control)
		}
		increment, err := strconv.Atoi(each)
		if err != nil {
			t.Fatalf("game %d: time control %q", i+1, control)
		}
		left := [2]time.Duration{time.Duration(start) * time.Second, time.Duration(start) * time.Second}
		ply, clocks := 0, 0
		for e := range h.All() {
			switch e.Kind {
			case game.MoveEvent:
				ply++ // 1 for White's first: White is left[1] here
			case game.Comment:
				clock, ok := game.Clock(e.Text)
				clocks++
				if !ok || clocks != ply || clock < 0 || clock > left[ply&1]+time.Duration(increment)*time.Second {
					t.Fatalf("game %d, ply %d: %q after %v", i+1, ply, e.Text, left[ply&1])
				}
				left[ply&1] = clock
			}
		}
		if clocks != g.Len() {
			t.Fatalf("game %d: %d clocks, %d plies", i+1, clocks, g.Len())
		}
		if left[0] < time.Duration(start)*time.Second/4 {
			low++
		}
		if !slices.Equal(h.AppendMainLine(nil), g.AppendMainLine(nil)) || h.Result != g.Result ||
			h.Tag("White") != g.Tag("White") {
			t.Fatalf("game %d is another with clocks", i+1)
		}
	}
	if len(controls) != 7 || controls["60+0"] < games/5 || low < games/10 {
		t.Errorf("time controls %v, %d games of %d in which Black has less than a quarter of the time left", controls,
			low, games)
	}
}
