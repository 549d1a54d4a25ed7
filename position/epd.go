// SPDX-License-Identifier: Apache-2.0

package position

import (
	"strconv"
	"strings"
)

// Operation is one operation of an EPD record: "bm Nf3;" has the code bm and the operand Nf3.
type Operation struct {
	Code     string
	Operands []string
	Quoted   []bool // which operands were, and are written as, strings in quotes
}

// maxEPD is the length in bytes of the longest record that is read; the PGN standard (16.2) allows 1024.
const maxEPD = 16384

// ParseEPD reads an EPD record strictly, as the PGN standard (16.2) defines: the first four fields
// of FEN, then operations, each ended by a semicolon. hmvc and fmvn set the counters, which are otherwise
// 0 and 1. The error is a *FENError.
func ParseEPD(s string) (Position, []Operation, error) { return parseEPD(s, false) }

// ParseEPDLenient reads an EPD record as ParseFENLenient reads a FEN; the last operation may lack
// its semicolon, and a FEN's two counters may stand in the place of operations.
func ParseEPDLenient(s string) (Position, []Operation, error) { return parseEPD(s, true) }

func parseEPD(s string, lenient bool) (Position, []Operation, error) {
	p, ops, err := parseEPDFields(s, lenient)
	if err != nil {
		return Position{}, nil, fenError(s, err)
	}
	return p, ops, nil
}

func parseEPDFields(s string, lenient bool) (Position, []Operation, error) {
	if len(s) > maxEPD {
		return Position{}, nil, syntax(fieldRecord, "%d bytes are too many", len(s))
	}
	// The four fields end at the fourth run of white space.
	fields, rest, i := "", "", 0
	if lenient {
		s = strings.TrimSpace(s)
	}
	for n := 0; i < len(s); i++ {
		if s[i] == ' ' || lenient && s[i] == '\t' {
			if i > 0 && s[i-1] != ' ' && s[i-1] != '\t' || !lenient {
				n++
			}
			if n == 4 {
				break
			}
		}
	}
	fields, rest = s[:i], strings.TrimSpace(s[i:])
	setup, err := parseSetup(fields, lenient, 4)
	if err != nil {
		return Position{}, nil, err
	}
	if lenient && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		// A FEN's counters.
		words := strings.Fields(rest)
		for i, word := range words[:min(2, len(words))] {
			word = strings.TrimSuffix(word, ";")
			if i == 0 {
				setup.HalfmoveClock, err = parseCounter(fieldClock, word, true, 0, MaxHalfmoveClock)
			} else {
				setup.FullmoveNumber, err = parseCounter(fieldNumber, word, true, 1, MaxFullmoveNumber)
			}
			if err != nil {
				return Position{}, nil, err
			}
			rest = strings.TrimSpace(strings.TrimPrefix(rest, words[i]))
		}
	}
	ops, err := parseOperations(rest, lenient)
	if err != nil {
		return Position{}, nil, err
	}
	for _, op := range ops {
		var field string
		var target *int
		low, high := 0, MaxHalfmoveClock
		switch op.Code {
		case "hmvc":
			field, target = fieldClock, &setup.HalfmoveClock
		case "fmvn":
			field, target, low, high = fieldNumber, &setup.FullmoveNumber, 1, MaxFullmoveNumber
		default:
			continue
		}
		if len(op.Operands) != 1 {
			return Position{}, nil, syntax(field, "%s has %d operands", op.Code, len(op.Operands))
		}
		if *target, err = parseCounter(field, op.Operands[0], lenient, low, high); err != nil {
			return Position{}, nil, err
		}
	}
	p, err := setup.position(lenient)
	return p, ops, err
}

const fieldOperations = "operations"

func parseOperations(s string, lenient bool) ([]Operation, error) {
	var ops []Operation
	var op Operation
	for s != "" {
		switch {
		case s[0] == ' ' || s[0] == '\t':
			s = s[1:]
		case s[0] == ';':
			if op.Code == "" {
				if !lenient {
					return nil, syntax(fieldOperations, "an empty operation")
				}
			} else {
				ops = append(ops, op)
			}
			op, s = Operation{}, s[1:]
		case s[0] == '"':
			end := strings.IndexByte(s[1:], '"')
			if end < 0 || op.Code == "" {
				return nil, syntax(fieldOperations, "a string that does not end or has no opcode")
			}
			op.Operands = append(op.Operands, s[1:1+end])
			op.Quoted = append(op.Quoted, true)
			s = s[end+2:]
		default:
			end := strings.IndexAny(s, " \t;")
			if end < 0 {
				end = len(s)
			}
			word := s[:end]
			s = s[end:]
			if op.Code != "" {
				op.Operands = append(op.Operands, word)
				op.Quoted = append(op.Quoted, false)
			} else if c := word[0] | 0x20; c >= 'a' && c <= 'z' {
				op.Code = word
			} else {
				return nil, syntax(fieldOperations, "%q is no opcode", clip(word, 20))
			}
		}
	}
	if op.Code != "" {
		if !lenient {
			return nil, syntax(fieldOperations, "no semicolon after %s", clip(op.Code, 20))
		}
		ops = append(ops, op)
	}
	return ops, nil
}

// AppendEPD appends the position's EPD record with the given operations to dst. The counters are
// written only as hmvc and fmvn among the operations: see Counters.
func (p *Position) AppendEPD(dst []byte, ops ...Operation) []byte {
	dst = p.appendFields(dst)
	for _, op := range ops {
		dst = append(append(dst, ' '), op.Code...)
		for i, operand := range op.Operands {
			if i < len(op.Quoted) && op.Quoted[i] {
				dst = append(append(append(dst, ' ', '"'), operand...), '"')
			} else {
				dst = append(append(dst, ' '), operand...)
			}
		}
		dst = append(dst, ';')
	}
	return dst
}

// EPD returns the position's EPD record with the given operations.
func (p Position) EPD(ops ...Operation) string { return string(p.AppendEPD(nil, ops...)) }

// Counters returns the operations hmvc and fmvn, which keep the counters in an EPD record.
func (p *Position) Counters() []Operation {
	return []Operation{
		{Code: "hmvc", Operands: []string{strconv.Itoa(p.HalfmoveClock())}},
		{Code: "fmvn", Operands: []string{strconv.Itoa(p.FullmoveNumber())}},
	}
}
