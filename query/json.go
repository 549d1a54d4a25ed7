// SPDX-License-Identifier: Apache-2.0

package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// maxJSON is the longest JSON query in bytes.
const maxJSON = 1 << 20

// AddJSON adds a query in JSON, as scoutfish (https://github.com/mcostalba/scoutfish, README.md) has it: an object of
// rules, all of which one position must meet. "sequence" is a list of such objects and of streaks; "streak" is a list
// of objects that successive positions must meet. It returns the numbers of "skip" and "limit", or 0.
//
// The rules are result, result-type, sub-fen, material, imbalance, white-move, black-move, moved, captured, stm, pass;
// of a list one must be met. The names of Terms are rules, too; "within" bounds the plies since the condition before,
// "not" is an object that a game must not meet, "or" one that it may meet instead. With moved or captured, stm is the side that made the move; else it
// is the one to move. Other members are errors.
func (q *Query) AddJSON(text []byte) (skip, limit int, err error) {
	q.ready = false
	if len(text) > maxJSON {
		return 0, 0, &Error{Term: "query", Err: fmt.Errorf("%d bytes are too many", len(text))}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var rules map[string]any
	if err := d.Decode(&rules); err != nil {
		if err == io.EOF {
			err = errors.New("there is nothing")
		}
		return 0, 0, &Error{Term: "query", Err: fmt.Errorf("no JSON object: %w", err)}
	}
	if _, err := d.Token(); err != io.EOF {
		return 0, 0, &Error{Term: "query", Err: errors.New("more than one JSON value")}
	}
	for _, number := range []struct {
		name string
		to   *int
	}{{"skip", &skip}, {"limit", &limit}} {
		v, ok := rules[number.name]
		if !ok {
			continue
		}
		delete(rules, number.name)
		n, ok := v.(json.Number)
		if !ok {
			return 0, 0, &Error{Term: number.name, Err: errors.New("it is no number")}
		}
		if *number.to, err = parseNumber(n.String(), 0); err != nil {
			return 0, 0, &Error{Term: number.name, Err: err}
		}
	}
	return skip, limit, q.addRules(rules)
}

func (q *Query) addRules(rules map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		value := rules[name]
		var err error
		switch name {
		case "sequence", "streak":
			var steps []step
			if steps, err = q.stepsOf(value, name == "sequence"); err == nil {
				err = q.addSequence(steps)
			}
		case "not", "or":
			object, ok := value.(map[string]any)
			if !ok {
				err = errors.New("it is no object")
				break
			}
			n := New()
			q.addNested(name, n)
			for other := range object {
				if nested(other) {
					err = errNested
				}
			}
			if err == nil {
				err = n.addRules(object)
			}
		default:
			continue
		}
		delete(rules, name)
		if err != nil {
			return nest(name, err)
		}
	}
	_, positional, err := q.here.addRules(q, rules)
	q.positional = q.positional || positional
	return err
}

// nest puts a name before that of an error.
func nest(name string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return wrap(name+": "+e.Term, e.Err)
	}
	return wrap(name, err)
}

// stepsOf reads the conditions of a sequence, which may contain streaks, or of a streak.
func (q *Query) stepsOf(value any, sequence bool) (steps []step, err error) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, errors.New("it is no list of conditions")
	}
	if len(list) >= maxSteps {
		return nil, fmt.Errorf("more than %d conditions", maxSteps)
	}
	for i, item := range list {
		name := fmt.Sprintf("condition %d", i+1)
		rules, ok := item.(map[string]any)
		if !ok {
			return nil, &Error{Term: name, Err: errors.New("it is no object")}
		}
		if streak, ok := rules["streak"]; ok && sequence {
			if len(rules) > 1 {
				return nil, &Error{Term: name, Err: errors.New("a streak has no other rules beside it")}
			}
			part, err := q.stepsOf(streak, false)
			if err != nil {
				return nil, nest(name, nest("streak", err))
			}
			steps = append(steps, part...)
			continue
		}
		s := step{condition: newCondition()}
		var err error
		if s.within, _, err = s.addRules(q, rules); err != nil {
			return nil, nest(name, err)
		}
		if !sequence {
			if s.within != 0 {
				return nil, &Error{Term: name, Err: errors.New("within in a streak, whose plies follow each other")}
			}
			if i > 0 {
				s.within = 1
			}
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// addRules adds rules, and reports whether one of them is about positions.
func (c *condition) addRules(q *Query, rules map[string]any) (within int, positional bool, err error) {
	_, moved := rules["moved"]
	_, captured := rules["captured"]
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		values, err := listOf(rules[name])
		if err != nil {
			return 0, false, &Error{Term: name, Err: err}
		}
		term := name
		switch name {
		case "sequence", "streak", "not", "or", "skip", "limit":
			return 0, false, &Error{Term: name, Err: errors.New("it cannot stand here")}
		case "pass":
			positional = true
			continue
		case "within":
			if len(values) != 1 {
				return 0, false, &Error{Term: name, Err: errList}
			}
			if within, err = parseNumber(values[0], 1); err != nil {
				return 0, false, &Error{Term: name, Err: err}
			}
			continue
		case "result-type":
			term = "ending"
		case "sub-fen":
			term = "pattern"
			for i := range values {
				// A whole FEN may stand there, of which the board alone is asked for.
				values[i], _, _ = strings.Cut(strings.TrimSpace(values[i]), " ")
			}
		case "stm":
			if moved || captured {
				term = "mover"
			}
		}
		if err := q.addTerm(c, term, values); err != nil {
			return 0, false, nest(name, err)
		}
		positional = positional || termOf(term).Position
	}
	return within, positional, nil
}

// listOf returns a value as a list of texts.
func listOf(value any) ([]string, error) {
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case json.Number:
		return []string{v.String()}, nil
	case []any:
		var list []string
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return nil, errors.New("an item of the list is not a string")
			}
			list = append(list, text)
		}
		if len(list) == 0 {
			return nil, errors.New("the list is empty")
		}
		return list, nil
	}
	return nil, errors.New("it is neither a text nor a list of texts")
}
