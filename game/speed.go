// SPDX-License-Identifier: Apache-2.0

package game

import (
	"strconv"
	"strings"
)

// Speed is how fast a game was, as Lichess sorts time controls.
type Speed uint8

const (
	UltraBullet Speed = iota
	Bullet
	Blitz
	Rapid
	Classical
	Correspondence
)

// SpeedNames are the names of speeds, as Lichess writes them.
var SpeedNames = [...]string{UltraBullet: "ultraBullet", Bullet: "bullet", Blitz: "blitz", Rapid: "rapid",
	Classical:      "classical",
	Correspondence: "correspondence"}

// SpeedOf returns the speed of the tag TimeControl: the seconds of a player for forty moves, of all periods. "-" is
// correspondence, as Lichess writes it. An unknown one is classical, which programs ask for by default.
func SpeedOf(control string) Speed {
	control = strings.TrimSpace(control)
	if control == "-" {
		return Correspondence
	}
	sum := 0.0
	for period := range strings.SplitSeq(control, ":") {
		if _, after, ok := strings.Cut(period, "/"); ok {
			period = after
		}
		base, increment, more := strings.Cut(strings.TrimPrefix(period, "*"), "+")
		b, ok := seconds(base)
		if !ok {
			return Classical
		}
		sum += b
		if more {
			i, ok := seconds(increment)
			if !ok {
				return Classical
			}
			sum += 40 * i
		}
	}
	switch {
	case sum < 30:
		return UltraBullet
	case sum < 3*60:
		return Bullet
	case sum < 8*60:
		return Blitz
	case sum < 25*60:
		return Rapid
	case sum < 6*60*60:
		return Classical
	}
	return Correspondence
}

func seconds(s string) (float64, bool) {
	if s == "" || len(s) > 12 || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
