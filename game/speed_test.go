// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"testing"

	"ply11/game"
)

// TestSpeeds: Lichess's speeds of time controls.
func TestSpeeds(t *testing.T) {
	for control, want := range map[string]game.Speed{
		"0+0": game.UltraBullet, "15+0": game.UltraBullet, "29+0": game.UltraBullet, "30+0": game.Bullet,
		"60+2": game.Bullet, "179+0": game.Bullet, "180+0": game.Blitz, "300+3": game.Blitz, "479": game.Blitz,
		"480+0": game.Rapid, "600+0": game.Rapid, "900+10": game.Rapid, "1499+0": game.Rapid,
		"1500+0": game.Classical, "1800+20": game.Classical, "40/7200:3600": game.Classical,
		"40/5400+30:1800+30": game.Classical, "-": game.Correspondence, "1/86400": game.Correspondence,
		"1/259200": game.Correspondence, "10+0.05": game.UltraBullet, "": game.Classical, "?": game.Classical,
		"5 min": game.Classical, "1e9": game.Classical, "*180": game.Blitz,
	} {
		if got := game.SpeedOf(control); got != want {
			t.Errorf("%q: %s, want %s", control, game.SpeedNames[got], game.SpeedNames[want])
		}
	}
}
