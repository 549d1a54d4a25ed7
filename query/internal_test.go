// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"slices"

	"ply11/moveindex"
	"ply11/position"
)

// CheckWatches plays words on the boards of the watches of a query. It tells where one is not that of the position, or
// passes over a position that meets the condition.
func (q *Query) CheckWatches(start position.Position, words []moveindex.Index) (watches int, err error) {
	if err := q.prepare(); err != nil {
		return 0, err
	}
	for _, p := range slices.Concat(q.places...) {
		var t, fresh tray
		if p.watch == nil || !p.watch.set(&t, &start) {
			continue
		}
		watches++
		at := start
		var by played
		for k := 0; ; k++ {
			p.watch.set(&fresh, &at)
			if fresh != t {
				return watches, fmt.Errorf("after ply %d the board is not that of %s", k, at.FEN())
			}
			if p.steps[0].matches(&at, k, &by, k == len(words)) && p.watch.search(&fresh, nil, k, k) < 0 {
				return watches, fmt.Errorf("ply %d is passed over: %s", k, at.FEN())
			}
			if k == len(words) {
				break
			}
			if m, ok := words[k].Move(); ok {
				by.set(&at, m)
			} else {
				by = played{}
			}
			p.watch.play(&t, words[k])
			at.MakeIndex(words[k])
		}
	}
	return watches, nil
}
