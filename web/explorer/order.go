// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ply11/game"
	"ply11/query"
)

// found is a game that a search gives.
type found struct {
	game uint32
	ply  int32  // of the first hit; -1 if it was not looked for
	key  uint32 // what the order has of it, by its number there
}

// order is the order of found games, by a column of the list. Games in which that is unknown come last; equal ones stay
// in the archive's order.
type order struct {
	of      func(*query.Match) (string, error) // nil for the archive's order
	reverse bool
	// readsMoves is whether of needs more than tags.
	readsMoves bool

	mu      sync.Mutex // of what follows
	numbers map[string]uint32
	texts   []string // by their numbers; the first is that of what is not known
}

// maxKeys is how many different texts are put in order, and maxKey how many bytes of each.
const (
	maxKeys = 1_000_000
	maxKey  = 64
)

// newOrder returns the order of a name; a minus before it reverses it.
func newOrder(name string) (*order, error) {
	o := &order{numbers: map[string]uint32{"": 0}, texts: []string{""}}
	column, reverse := strings.CutPrefix(name, "-")
	o.reverse = reverse
	switch tag := map[string]string{"white": "White", "black": "Black", "event": "Event", "opening": "ECO"}[column]; {
	case tag != "":
		o.of = func(m *query.Match) (string, error) {
			text, err := m.Tag(tag)
			return strings.ToLower(strings.Trim(text, " ?")), err
		}
	case name == "":
	case column == "date":
		o.of = func(m *query.Match) (string, error) {
			date, err := m.Tag("Date")
			utc, _ := m.Tag("UTCDate")
			date = game.DateTag(date, utc)
			year, month, day, ok := game.DateOf(date)
			if !ok {
				return "", err // a date whose year is not known stands nowhere among others
			}
			// what is not known comes behind all that is
			return fmt.Sprintf("%04d%02d%02d", year, (month+12)%13, (day+31)%32), err
		}
	case column == "result":
		o.readsMoves = true
		o.of = func(m *query.Match) (string, error) {
			r, err := m.Result()
			return strings.Trim(r.String(), "*"), err
		}
	case column == "rating":
		o.of = func(m *query.Match) (string, error) {
			sum := uint64(0)
			for _, name := range [2]string{"WhiteElo", "BlackElo"} {
				text, err := m.Tag(name)
				n, _ := strconv.ParseUint(text, 10, 16)
				if n == 0 {
					return "", err
				}
				sum += n
			}
			return fmt.Sprintf("%06d", sum), nil
		}
	default:
		return nil, fmt.Errorf("there is no order by %q", name)
	}
	return o, nil
}

// key returns the number of what a game has. It serves several goroutines at once.
func (o *order) key(m *query.Match) (uint32, error) {
	if o.of == nil {
		return 0, nil
	}
	text, err := o.of(m)
	if err != nil {
		return 0, err
	}
	text = text[:min(len(text), maxKey)]
	o.mu.Lock()
	defer o.mu.Unlock()
	n, ok := o.numbers[text]
	if !ok {
		if n = uint32(len(o.texts)); n == maxKeys {
			return 0, fmt.Errorf("the games have more than %d different names: ask for fewer of them", maxKeys)
		}
		text = strings.Clone(text)
		o.numbers[text] = n
		o.texts = append(o.texts, text)
	}
	return n, nil
}

func (o *order) sort(games []found) {
	if o.of == nil {
		return
	}
	byText := make([]uint32, len(o.texts))
	for i := range byText {
		byText[i] = uint32(i)
	}
	slices.SortFunc(byText[1:], func(a, b uint32) int { return strings.Compare(o.texts[a], o.texts[b]) })
	if o.reverse {
		slices.Reverse(byText[1:])
	}
	place := make([]uint32, len(byText))
	for i, n := range byText {
		place[n] = uint32(i)
	}
	place[0] = uint32(len(place)) // what is not known is last, whichever the order
	slices.SortFunc(games, func(a, b found) int {
		return cmp.Or(cmp.Compare(place[a.key], place[b.key]), cmp.Compare(a.game, b.game))
	})
}
