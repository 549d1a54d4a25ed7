// SPDX-License-Identifier: Apache-2.0

// Package pgnio reads PGN files in pipelines of Apache Beam, in any of Beam's file systems.
//
//	p, s := beam.NewPipelineWithRoot()
//	pieces := pgnio.Read(s, "s3://games/*.pgn")
package pgnio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"ply11/beam/internal/files"
	"ply11/game/decompress"
	"ply11/game/pgn"
	"ply11/internal/readup"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Text]())
	beam.RegisterDoFn(reflect.TypeFor[readFn]())
}

// Text is some games of a PGN file that stand together.
type Text struct {
	// File is the name of the file, and Source its number among all, from 0.
	File   string
	Source int64
	// Offset is where the text stands in the file as it is decompressed, in bytes.
	Offset int64
	// Place is where the text stands in all files one after the other, of All places, each of 4 MiB or the rest of a
	// file. In a compressed file it goes by the stored bytes: several texts may have the same, and then go by their
	// offsets.
	Place, All int64
	Data       []byte
}

// ErrNoGame: a file cannot be cut.
var ErrNoGame = errors.New("no game begins here: an Event tag at the begin of a line, after a blank line")

// ErrCompressed: a file is compressed in another way.
var ErrCompressed = errors.New("it is compressed: .zst, .gz, .bz2 and .xz are read, and plain text")

const (
	piece    = files.Unit
	maxPiece = 64 << 20
	// blank is how many bytes before a game are searched for the blank line.
	blank = 64
)

var event = []byte("[Event ")

// Read returns the collection of the text of all PGN files that a pattern matches, in pieces of about 4 MiB that begin
// with a game. The pieces of a file, one after the other, are its very bytes. They are the same each time, however the
// runner splits the work.
//
// A file is cut at a blank line before an Event tag, at the first one behind each 4 MiB. If that stands in a comment,
// the game is cut in two; no byte is lost. A file that has no such place in 64 MiB is ErrNoGame.
//
// A file whose name ends in .zst, .gz, .bz2 or .xz is decompressed, by one machine. One that is cut off, or damaged, is
// an error with its name.
func Read(s beam.Scope, pattern string) beam.PCollection { return ReadAll(s, []string{pattern}) }

// ReadAll is Read for several patterns: files are numbered in the order of the patterns, those of one pattern by their
// names.
func ReadAll(s beam.Scope, patterns []string) beam.PCollection {
	s = s.Scope("pgnio.Read")
	return beam.ParDo(s, &readFn{Piece: piece}, files.MatchAll(s, patterns))
}

// readFn reads the pieces of a file. A restriction is a range of bytes, and stands for the pieces of the multiples of
// Piece in it. All pieces of a compressed file stand at its first byte, so that nothing splits it.
type readFn struct{ Piece int64 }

func (*readFn) CreateInitialRestriction(f files.File) offsetrange.Restriction {
	if compressed(f) {
		return offsetrange.Restriction{End: 1}
	}
	return offsetrange.Restriction{End: max(f.Size, 1)}
}

// SplitRestriction cuts a local file; others are read from the front alone.
func (fn *readFn) SplitRestriction(f files.File, rest offsetrange.Restriction) []offsetrange.Restriction {
	if !f.Local() {
		return []offsetrange.Restriction{rest}
	}
	return rest.SizedSplits(16 * fn.Piece)
}

func (*readFn) RestrictionSize(f files.File, rest offsetrange.Restriction) float64 {
	if compressed(f) {
		return float64(f.Size) * rest.Size()
	}
	return rest.Size()
}

func compressed(f files.File) bool { return decompress.Named(f.Name) != "" }

func (*readFn) CreateTracker(rest offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(rest))
}

func (fn *readFn) ProcessElement(ctx context.Context, tracker *sdf.LockRTracker, f files.File, emit func(Text)) error {
	switch strings.ToLower(path.Ext(f.Name)) {
	case ".zip", ".7z":
		return fmt.Errorf("%s: %w", f.Name, ErrCompressed)
	}
	in, err := files.Open(ctx, f.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	if compressed(f) {
		err = fn.readWhole(tracker, f, in, emit)
	} else {
		err = fn.readRange(tracker, f, in, emit)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

func (fn *readFn) readRange(tracker *sdf.LockRTracker, f files.File, in io.Reader, emit func(Text)) error {
	rest := tracker.GetRestriction().(offsetrange.Restriction)
	at := (rest.Start + fn.Piece - 1) / fn.Piece * fn.Piece // the next multiple
	c := cutter{piece: fn.Piece}
	err := c.open(in, at)
	for ; err == nil && at < f.Size; at += fn.Piece {
		if !tracker.TryClaim(at) {
			return nil
		}
		var text []byte
		var offset int64
		if offset, text, err = c.next(at); err == nil && len(text) > 0 {
			emit(Text{f.Name, f.Number, offset, f.Before + at/files.Unit, f.All, text})
		}
	}
	if err != nil && err != io.EOF {
		return err
	}
	tracker.TryClaim(max(f.Size, 1))
	return nil
}

func (fn *readFn) readWhole(tracker *sdf.LockRTracker, f files.File, in io.Reader, emit func(Text)) error {
	if !tracker.TryClaim(int64(0)) {
		return nil
	}
	stored := &steady{r: in}
	r, err := decompress.New(bufio.NewReaderSize(stored, steadyBytes), decompress.Named(f.Name), true)
	if err != nil {
		return err
	}
	defer r.Close()
	c := cutter{piece: fn.Piece}
	if err := c.open(r, 0); err != nil {
		return err
	}
	for at := int64(0); ; at += fn.Piece {
		offset, text, err := c.next(at)
		if err != nil {
			return err
		}
		if len(text) > 0 {
			place := f.Before + max(min(stored.n, f.Size)-1, 0)/files.Unit // before the next file
			emit(Text{f.Name, f.Number, offset, place, f.All, text})
		}
		if c.done() {
			break
		}
	}
	tracker.TryClaim(int64(1))
	return nil
}

const steadyBytes = 64 << 10

// steady gives as many bytes as are asked for, but at the end, and counts them, so that pieces do not depend on how a
// file system gives its bytes.
type steady struct {
	r   io.Reader
	n   int64
	err error // after the last byte
}

func (s *steady) Read(b []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = readup.To(s.r, b)
		s.n += int64(n)
	}
	if n > 0 {
		return n, nil
	}
	return 0, s.err
}

type cutter struct {
	piece int64
	in    *bufio.Reader
	ended bool
	buf   []byte // what was read, and no piece has
	at    int64  // where it stands
	cut   int64  // where the next piece begins; -1 if that is not known yet
}

// open goes to a place a little before at.
func (c *cutter) open(in io.Reader, at int64) error {
	c.cut = -1
	if at == 0 {
		c.cut = 0
	}
	c.at = max(at-blank, 0)
	if s, ok := in.(io.Seeker); ok {
		if _, err := s.Seek(c.at, io.SeekStart); err != nil {
			return err
		}
	} else if _, err := io.CopyN(io.Discard, in, c.at); err != nil {
		return err
	}
	c.in = bufio.NewReaderSize(in, 256<<10)
	return nil
}

// next returns the piece of a multiple: from the first game at it or behind to the first at the next multiple or
// behind. It may be empty.
func (c *cutter) next(at int64) (int64, []byte, error) {
	if c.cut < 0 {
		var err error
		if c.cut, err = c.find(at); err != nil {
			return 0, nil, err
		}
	}
	begin := c.cut
	end, err := c.find(max(at+c.piece, begin))
	if err != nil {
		return 0, nil, err
	}
	text := bytes.Clone(c.buf[begin-c.at : end-c.at])
	c.cut = end
	if drop := end - c.at - blank; drop > 0 {
		c.buf = append(c.buf[:0], c.buf[drop:]...)
		c.at += drop
	}
	return begin, text, nil
}

// find returns where the first game begins at a place or later, or the end of the text. It always looks at the same few
// bytes before the game, so it does not matter from where the text was read.
func (c *cutter) find(place int64) (int64, error) {
	for from := place; ; {
		for low := from - c.at; low < int64(len(c.buf)); {
			i := bytes.Index(c.buf[low:], event)
			if i < 0 {
				break
			}
			low += int64(i)
			window := c.buf[max(low-blank, 0) : low+int64(len(event))]
			if pgn.BeginsGame(window, len(window)-len(event)) {
				return c.at + low, nil
			}
			low++
		}
		end := c.at + int64(len(c.buf))
		if c.ended {
			return end, nil
		}
		if len(c.buf) > maxPiece {
			return 0, fmt.Errorf("%w, in the %d MiB from offset %d on", ErrNoGame, maxPiece>>20, c.at)
		}
		from = max(from, end-int64(len(event)-1)) // a tag may be cut off there
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
}

func (c *cutter) fill() error {
	n := len(c.buf)
	c.buf = append(c.buf, make([]byte, 1<<20)...)
	k, err := readup.To(c.in, c.buf[n:])
	c.buf = c.buf[:n+k]
	if err == io.EOF {
		c.ended, err = true, nil
	}
	return err
}

// done reports whether there is no more text.
func (c *cutter) done() bool { return c.ended && c.cut == c.at+int64(len(c.buf)) }
