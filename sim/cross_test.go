// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"ply11/sim/drive"
)

func TestCross(t *testing.T) {
	w, err := drive.NewWork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	c, err := NewCross(t.Context(), w, CrossPlan{Codecs: FindCodecs("words"), Tools: drive.Tools, Patterns: 200})
	if err != nil {
		t.Fatal(failure(err))
	}
	for _, g := range readGames(t, 40) {
		c.Add(g)
	}
	results, err := c.Close()
	for _, r := range results {
		t.Logf("%+v %.0f", r, r.PliesPerSecond())
	}
	if err != nil {
		t.Error(failure(err))
	}
}
