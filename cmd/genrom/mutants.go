// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ply11/sim/mutate"
)

// A tally is what stands in hdl/MUTANTS.md of a target.
type tally struct {
	Target  string
	Sources string // mutate.Target.Sources when it was made
	Mutants int
	ByBench int
	ByProof int
	Equal   int
	Left    []survivor
}

// A survivor is a mutant that no check notices and that is not proved equal.
type survivor struct {
	ID    int
	Src   string // as in mutate.Mutation
	Bit   string // as in mutate.Mutation
	Mode  string // as in mutate.Mutation
	Known string // what the comparison with the module says
}

// Key tells survivors apart in survivors.tsv.
func (s survivor) Key(target string) string {
	return strings.Join([]string{target, s.Src, s.Bit, s.Mode}, "\t")
}

// Caught returns the part of the mutants that checks notice, of all that are not proved equal; 1 if there
// are none.
func (t tally) Caught() float64 {
	if t.Mutants == t.Equal {
		return 1
	}
	return float64(t.ByBench+t.ByProof) / float64(t.Mutants-t.Equal)
}

// tallyOf counts what became of a target's mutants.
func tallyOf(m mutate.Result) tally {
	t := tally{Target: m.Target.Name, Sources: m.Sources, Mutants: len(m.Mutations)}
	for _, x := range m.Mutations {
		known := "undecided"
		switch x.Fate {
		case mutate.ByBench:
			t.ByBench++
			continue
		case mutate.ByProof:
			t.ByProof++
			continue
		case mutate.Equal:
			t.Equal++
			continue
		case mutate.Different:
			known = "differs " + x.Last
		}
		t.Left = append(t.Left, survivor{x.ID, x.Src, x.Bit, x.Mode, known})
	}
	return t
}

// mutantTable returns the tables of hdl/MUTANTS.md: what came of each target, and the survivors, with
// reasons by survivor.Key.
func mutantTable(all []tally, reasons map[string]string) string {
	var b strings.Builder
	b.WriteString(
		"| target | mutants | by benches | by proofs | proved equal | left | caught of those not equal | sources |\n" +
			"|---|---:|---:|---:|---:|---:|---:|---|\n")
	for _, t := range all {
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d | %.1f %% | %s |\n", t.Target, t.Mutants, t.ByBench, t.ByProof,
			t.Equal, len(t.Left),
			100*t.Caught(), t.Sources)
	}
	b.WriteString("\n| target | mutant | place | bit | error | what is known | why no check notices " +
		"|\n|---|---:|---|---|---|---|---|\n")
	for _, t := range all {
		for _, s := range t.Left {
			fmt.Fprintf(&b, "| `%s` | %d | %s | `%s` | %s | %s | %s |\n", t.Target, s.ID, s.Src, s.Bit, s.Mode, s.Known,
				reasons[s.Key(t.Target)])
		}
	}
	return b.String()
}

// errTable is what readMutantTable returns of a text that mutantTable did not write.
var errTable = errors.New("not a table of mutants")

// readMutantTable reads what mutantTable wrote, but for the reasons.
func readMutantTable(text string) ([]tally, error) {
	var all []tally
	byName := make(map[string]int)
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), " | ")
		for i := range cells {
			cells[i] = strings.Trim(cells[i], "|` ")
		}
		numbers := make([]int, len(cells))
		for i, c := range cells {
			numbers[i], _ = strconv.Atoi(c)
		}
		i, known := byName[cells[0]]
		switch {
		case len(cells) == 8 && !known:
			byName[cells[0]] = len(all)
			all = append(all, tally{cells[0], cells[7], numbers[1], numbers[2], numbers[3], numbers[4], nil})
		case len(cells) == 7 && known:
			all[i].Left = append(all[i].Left, survivor{numbers[1], cells[2], cells[3], cells[4], cells[5]})
		default:
			return nil, fmt.Errorf("line %d: %w", n, errTable)
		}
	}
	return all, nil
}
