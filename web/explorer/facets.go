// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"cmp"
	"slices"
	"strings"
)

// Facet is a value that found games have, and how many of them.
type Facet struct {
	Value string `json:"value"`
	Games int    `json:"games"`
}

// maxFacets is how many values of a condition are told, and maxCounted how many games are read for them.
const (
	maxFacets  = 12
	maxCounted = 200_000
)

// facets returns the most frequent values of some conditions among the first n places of a list.
func (o *opened) facets(t *task, n int, at func(place int) (game, ply int)) (map[string][]Facet, error) {
	counts := map[string]map[string]int{"date": {}, "result": {}, "player": {}, "eco": {}}
	err := t.compute(func() error {
		for place := 1; place <= min(n, maxCounted); place++ {
			if err := t.ctx.Err(); err != nil {
				return err
			}
			number, _ := at(place)
			row := o.row(number, maxText)
			year, _, _ := strings.Cut(row.Date, ".")
			for _, v := range [][2]string{{"date", year}, {"result", row.Result}, {"eco", row.ECO},
				{"player", row.White}, {"player", row.Black}} {
				if strings.Trim(v[1], "?") != "" {
					counts[v[0]][v[1]]++
				}
			}
		}
		return nil
	})
	all := map[string][]Facet{}
	for name, of := range counts {
		list := []Facet{}
		for value, games := range of {
			list = append(list, Facet{value, games})
		}
		slices.SortFunc(list, func(a, b Facet) int {
			return cmp.Or(cmp.Compare(b.Games, a.Games), strings.Compare(a.Value, b.Value))
		})
		all[name] = list[:min(len(list), maxFacets)]
	}
	return all, err
}
