// SPDX-License-Identifier: Apache-2.0

package position

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"ply11/chess"
)

// FENError says what is wrong with a FEN record, and where.
type FENError struct {
	FEN   string // the record, cut after 120 bytes
	Field string // "board", "side to move", "castling rights", "en passant square", …
	Err   error  // a *SetupError, or ErrSyntax and what was found
}

func (e *FENError) Error() string {
	if errors.Is(e.Err, ErrSyntax) || errors.Is(e.Err, ErrCounters) {
		return fmt.Sprintf("fen %q: %s: %v", e.FEN, e.Field, e.Err)
	}
	return fmt.Sprintf("fen %q: %v", e.FEN, e.Err) // the reason names the field
}

// Unwrap returns the reason: errors.Is finds ErrSyntax, ErrBoard, ….
func (e *FENError) Unwrap() error { return e.Err }

// The fields of FEN, in their order.
const (
	fieldRecord   = "record"
	fieldBoard    = "board"
	fieldTurn     = "side to move"
	fieldCastling = "castling rights"
	fieldEP       = "en passant square"
	fieldClock    = "halfmove clock"
	fieldNumber   = "move number"
)

const maxFEN = 256 // bytes; the longest FEN of standard chess has 92

// ParseFEN reads a FEN record strictly: six fields with one space between them, as the PGN standard
// (16.1) defines. It refuses what Setup.Position refuses, and besides:
//   - more than eight pawns of a side, and more pieces than pawns can have been promoted to;
//   - castling letters out of order, and counters with signs or leading zeros;
//   - an en passant square on the wrong rank, or with a halfmove clock that is not 0.
//
// The error is a *FENError.
//
// The en passant square may be given after every double push or only where the pawn can be taken.
//
// Castling rights of Chess960 are X-FEN or Shredder-FEN: K and Q (Black: k and q) are for the outermost rook on that
// side of the king, and a letter A to H (a to h) names the rook's file. K, Q, k and q with kings on the e-file and
// rooks in the corners are standard chess.
func ParseFEN(s string) (Position, error) { return parseFEN(s, false) }

// ParseFENLenient reads a FEN record as real files have it:
//   - White space of any length separates the fields. What follows the sixth field is ignored.
//   - Missing fields at the end are "w", "-", "-", "0" and "1".
//   - '0' and '_' are read as '-', and a move number 0 as 1.
//   - The side's letter may be of either case. Castling letters may come in any order, and more than once.
//   - A '/' may be missing where a rank is full. Digits may follow each other.
//   - A castling right without king or rook, and an impossible en passant square, are dropped.
//   - More pieces than promotion can give are taken, and more than 16 of a side.
//
// Still refused: what is not a board, what Setup.Position calls ErrBoard and ErrOppositeCheck, and
// counters that are no numbers or too large.
func ParseFENLenient(s string) (Position, error) { return parseFEN(s, true) }

func parseFEN(s string, lenient bool) (Position, error) {
	setup, err := parseSetup(s, lenient)
	if err != nil {
		return Position{}, fenError(s, err)
	}
	p, err := setup.position(lenient)
	if err != nil {
		return Position{}, fenError(s, err)
	}
	return p, nil
}

// fieldError is an error in a field, which becomes a FENError.
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string { return e.err.Error() }

func fenError(s string, err error) error {
	e := &FENError{FEN: clip(s, 120), Field: fieldRecord, Err: err}
	switch err := err.(type) {
	case *fieldError:
		e.Field, e.Err = err.field, err.err
	case *SetupError:
		switch err.Err {
		case ErrBoard, ErrOppositeCheck:
			e.Field = fieldBoard
		case ErrCastlingRights:
			e.Field = fieldCastling
		case ErrEnPassant:
			e.Field = fieldEP
		case ErrCounters:
			e.Field = "counters"
		}
	}
	return e
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

func syntax(field, format string, args ...any) error {
	return &fieldError{field, &SetupError{Reason: fmt.Sprintf(format, args...), Err: ErrSyntax}}
}

func parseSetup(s string, lenient bool) (Setup, error) {
	setup := Setup{FullmoveNumber: 1}
	if len(s) > maxFEN {
		return setup, syntax(fieldRecord, "%d bytes are too many", len(s))
	}
	fields := [6]string{"", "w", "-", "-", "0", "1"}
	if lenient {
		copy(fields[:], strings.Fields(s))
	} else {
		if spaces := strings.Count(s, " "); spaces != len(fields)-1 {
			return setup, syntax(fieldRecord, "%d fields in place of %d", spaces+1, len(fields))
		}
		for i, rest := 0, s; i < len(fields); i++ {
			fields[i], rest, _ = strings.Cut(rest, " ")
		}
	}
	if err := setup.parseBoard(fields[0], lenient); err != nil {
		return setup, err
	}
	switch t := fields[1]; {
	case t == "w", lenient && (t == "W" || strings.EqualFold(t, "white")):
		setup.Turn = chess.White
	case t == "b", lenient && (t == "B" || strings.EqualFold(t, "black")):
		setup.Turn = chess.Black
	default:
		return setup, syntax(fieldTurn, "%q is neither w nor b", t)
	}
	if err := setup.parseCastling(fields[2], lenient); err != nil {
		return setup, err
	}
	if err := setup.parseEnPassant(fields[3], lenient); err != nil {
		return setup, err
	}
	var err error
	setup.HalfmoveClock, err = parseCounter(fieldClock, fields[4], lenient, 0, MaxHalfmoveClock)
	if err != nil {
		return setup, err
	}
	setup.FullmoveNumber, err = parseCounter(fieldNumber, fields[5], lenient, 1, MaxFullmoveNumber)
	if err != nil {
		return setup, err
	}
	return setup, nil
}

// pieceLetters[p] is the FEN letter of a piece.
const pieceLetters = ".KQNBRP..kqnbrp."

func (s *Setup) parseBoard(text string, lenient bool) error {
	rank, file, digit := 7, 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '/':
			if file != 8 {
				return syntax(fieldBoard, "rank %d has %d squares", rank+1, file)
			}
			if rank--; rank < 0 {
				if lenient && i == len(text)-1 {
					return nil
				}
				return syntax(fieldBoard, "more than 8 ranks")
			}
			file, digit = 0, false
			continue
		case c >= '1' && c <= '8':
			if digit && !lenient {
				return syntax(fieldBoard, "two digits in succession in rank %d", rank+1)
			}
			file, digit = file+int(c-'0'), true
		default:
			piece := strings.IndexByte(pieceLetters, c)
			if piece < 0 || c == '.' {
				return syntax(fieldBoard, "%q stands for no piece", text[i:i+1])
			}
			if lenient && file == 8 && rank > 0 {
				rank, file = rank-1, 0
			}
			if file < 8 {
				s.Board[8*rank+file] = chess.Piece(piece)
			}
			file, digit = file+1, false
		}
		if file > 8 {
			return syntax(fieldBoard, "rank %d has more than 8 squares", rank+1)
		}
	}
	if rank != 0 || file != 8 {
		return syntax(fieldBoard, "ends after %d squares of rank %d", file, rank+1)
	}
	return nil
}

func (s *Setup) parseCastling(text string, lenient bool) error {
	if text == "-" || lenient && (text == "0" || text == "_") {
		return nil
	}
	if text == "" {
		return syntax(fieldCastling, "empty")
	}
	last := -1
	for i := 0; i < len(text); i++ {
		c := text[i]
		if lenient && c == '-' {
			continue
		}
		right, file, err := s.castlingLetter(c)
		if lenient && errors.Is(err, ErrCastlingRights) {
			continue // a right without king or rook
		}
		if err != nil {
			return &fieldError{fieldCastling, err}
		}
		if right <= last && !lenient {
			return syntax(fieldCastling, "%q is not in the order KQkq", text)
		}
		last = max(last, right)
		s.Castling |= 1 << right
		s.Rooks[right] = uint8(file)
		if strings.IndexByte("KQkq", c) < 0 || file != 7*(1-right&1) || s.homeKing(chess.Color(right>>1)) != 4 {
			s.Chess960 = true
		}
	}
	if !s.Chess960 {
		s.Rooks = [4]uint8{}
	}
	return nil
}

// castlingLetter returns which right a letter of FEN, X-FEN or Shredder-FEN gives, and the file of its rook.
func (s *Setup) castlingLetter(c byte) (right, file int, err error) {
	color, upper := chess.White, c
	if c >= 'a' && c <= 'z' {
		color, upper = chess.Black, c-'a'+'A'
	}
	named := upper >= 'A' && upper <= 'H'
	if right = 2 * int(color); upper == 'Q' {
		right++
	} else if upper != 'K' && !named {
		return 0, 0, &SetupError{Err: ErrSyntax, Reason: fmt.Sprintf("%q stands for no right", string([]byte{c}))}
	}
	king := s.homeKing(color)
	if named && king >= 0 {
		file = int(upper - 'A')
		if file < king {
			right++
		}
		if s.Board[56*int(color)+file] == chess.NewPiece(color, chess.Rook) {
			return right, file, nil
		}
		return 0, 0, &SetupError{Err: ErrCastlingRights,
			Reason: fmt.Sprintf("%c without the %s rook on %s", c, color, chess.NewSquare(file, 7*int(color)))}
	}
	if king >= 0 {
		if file = s.outerRook(right, king); file >= 0 {
			return right, file, nil
		}
		if king != 4 {
			return 0, 0, &SetupError{Err: ErrCastlingRights,
				Reason: fmt.Sprintf("%c without a %s rook on that side of the king", c, color)}
		}
	}
	return 0, 0, s.checkCastling(right) // which says what is missing of standard chess
}

func (s *Setup) parseEnPassant(text string, lenient bool) error {
	if text == "-" || lenient && (text == "0" || text == "_") {
		return nil
	}
	file := -1
	if len(text) == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8' {
		file = int(text[0] - 'a')
	} else {
		return syntax(fieldEP, "%q is no square", text)
	}
	want := byte('6')
	if s.Turn == chess.Black {
		want = '3'
	}
	s.EnPassantFile = file + 1
	if text[1] == want {
		if lenient && s.checkEnPassant() != nil {
			s.EnPassantFile = 0
		}
		return nil
	}
	s.EnPassantFile = 0
	if lenient {
		return nil
	}
	return &fieldError{fieldEP, &SetupError{Err: ErrEnPassant,
		Reason: fmt.Sprintf("%s with %s to move", text, s.Turn)}}
}

func parseCounter(field, text string, lenient bool, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	digits := text != "" && strings.Trim(text, "0123456789") == ""
	if lenient && (text == "-" || text == "_") {
		n, err, digits = low, nil, true
	}
	switch {
	case !digits || !lenient && len(text) > 1 && text[0] == '0':
		return 0, &fieldError{field, &SetupError{Err: ErrCounters, Reason: fmt.Sprintf("%q is no number", text)}}
	case lenient && err == nil && n < low:
		return low, nil
	case err != nil || n < low || n > high:
		return 0, &fieldError{field, &SetupError{Err: ErrCounters,
			Reason: fmt.Sprintf("%s is not in %d..%d", clip(text, 20), low, high)}}
	}
	return n, nil
}

// FEN returns the position's FEN record. As the PGN standard (16.1.3.4) asks, the en passant square is
// written after every double push.
//
// Castling rights of Chess960 are written as X-FEN, as python-chess does: K, Q, k and q for the outermost rooks, the
// file's letter (D) for an inner one. Where that would be read as standard chess, all are letters of files, as
// Stockfish writes them: HAha.
func (p *Position) FEN() string { return string(p.AppendFEN(make([]byte, 0, 92))) }

// String returns the FEN record.
func (p Position) String() string { return p.FEN() }

// AppendFEN appends the FEN record to dst.
func (p *Position) AppendFEN(dst []byte) []byte {
	dst = p.appendFields(dst)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, int64(p.HalfmoveClock()), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(p.FullmoveNumber()), 10)
}

func (p *Position) appendFields(dst []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		// From piece to piece: what lies between them is empty.
		next := 0
		for pieces := uint(p.Occupied() >> (8 * rank) & 255); ; pieces &= pieces - 1 {
			file := bits.TrailingZeros(pieces | 256)
			if file > next {
				dst = append(dst, '0'+byte(file-next))
			}
			if file == 8 {
				break
			}
			dst = append(dst, pieceLetters[p.PieceAt(chess.Square(8*rank+file))&15])
			next = file + 1
		}
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', "wb"[p.Turn()&1], ' ')
	dst = p.appendCastling(dst)
	dst = append(dst, ' ')
	if s := p.EnPassantSquare(); s < chess.NoSquare {
		return append(dst, s.String()...)
	}
	return append(dst, '-')
}

func (p *Position) appendCastling(dst []byte) []byte {
	if !p.IsChess960() {
		return p.Castling().append(dst)
	}
	s := p.Setup()
	standard := s
	standard.Chess960 = false
	named := true // K and Q would be read as standard chess
	for right := range 4 {
		if s.Castling>>right&1 != 0 && standard.checkCastling(right) != nil {
			named = false
		}
	}
	for right := range 4 {
		if s.Castling>>right&1 == 0 {
			continue
		}
		letter := "KQkq"[right]
		if file := int(s.Rooks[right]); named || s.outerRook(right, s.homeKing(chess.Color(right>>1))) != file {
			letter = "Aa"[right>>1] + byte(file)
		}
		dst = append(dst, letter)
	}
	return dst
}

// MarshalText returns the FEN record. Like String it is of a value, since fmt and encoding/json look there.
func (p Position) MarshalText() ([]byte, error) { return p.AppendFEN(nil), nil }

// UnmarshalText reads a FEN record strictly.
func (p *Position) UnmarshalText(text []byte) error {
	q, err := ParseFEN(string(bytes.TrimSpace(text)))
	if err == nil {
		*p = q
	}
	return err
}
