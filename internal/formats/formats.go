// SPDX-License-Identifier: Apache-2.0

// Package formats is the registry of the file formats that the command ply11 reads and writes:
// games come out of any of them, one after the other, and go into any of them, under one policy for
// what a format cannot hold.
//
// A codec's adapter is one file here, <codec>.go, that calls Register from an init function:
//
//	func init() {
//		Register(Format{
//			Name:        "brenner",
//			Extensions:  []string{".brn"},
//			Description: "Brenner's byte code",
//			Options:     []Option{{Name: "layout", Values: []string{"main", "alt"}, Description: "…"}},
//			Read:        readBrenner,
//			Write:       writeBrenner,
//		})
//	}
//
// The codec knows nothing of this package, and formats know nothing of each other.
package formats

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ply11/game"
)

// Errors of the registry and of the streams.
var (
	// ErrUnknown: no format has the name or the extension.
	ErrUnknown = errors.New("unknown format")
	// ErrDirection: the format cannot be read, or cannot be written.
	ErrDirection = errors.New("format has no such direction")
	// ErrOption: an option that the format does not have, or a value that it does not take.
	ErrOption = errors.New("invalid option of a format")
	// ErrLoss: a game holds what the format cannot, and Options.Lossy is not set. LossError has it.
	ErrLoss = errors.New("the format cannot hold all of the game")
	// ErrSibling: the format needs a second file beside the first, and the input or output is a pipe.
	ErrSibling = errors.New("the format needs files, not a pipe")
)

// Format is a file format. A format without Read cannot be read, one without Write cannot be written.
type Format struct {
	// Name is what --from and --to take: small letters, digits and '-'.
	Name string
	// Extensions are the file name's ends that mean the format, with the dot, in small letters. The
	// first is the one to write. Two formats must not share one.
	Extensions []string
	// Description is one line, without a full stop.
	Description string
	// Options are what the format can be told besides; see Options.Value.
	Options []Option

	// Read returns the games of a file in their order. It must be lazy and hold no more than a
	// game at a time. The *game.Game may be reused: it is valid until the next step.
	//
	// An error that concerns one game only is yielded with a nil game, and the sequence goes on
	// with the next game if the caller does. It should be a *GameError. An error after which
	// nothing can be read is yielded last; io.EOF is never yielded.
	Read func(in Input, o Options) iter.Seq2[*game.Game, error]

	// Write begins a file. It may write a header at once.
	Write func(out Output, o Options) (Writer, error)
}

// Option is an option that one format has.
type Option struct {
	Name        string
	Values      []string // what it takes, the default first; nil means any text, with the default ""
	Description string
}

// Options is what a caller asks for.
type Options struct {
	// Lossy lets a Writer drop what the format cannot hold.
	Lossy bool
	// Values holds the options of the format by name. Use Value to read them.
	Values map[string]string
	// Note, unless nil, is told what the format found or chose that its caller may want to know: one
	// line, without a full stop. It is called by the goroutine that reads or writes.
	Note func(string)
}

// note tells a note.
func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// Value returns an option's value, or its default. Register's Format has verified the value.
func (o Options) Value(f *Format, name string) string {
	if v, ok := o.Values[name]; ok {
		return v
	}
	for _, opt := range f.Options {
		if opt.Name == name && len(opt.Values) > 0 {
			return opt.Values[0]
		}
	}
	return ""
}

// Check verifies that the format has the options that are asked for.
func (f *Format) Check(o Options) error {
	names := make([]string, 0, len(o.Values))
	for name := range o.Values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(f.Options, func(opt Option) bool { return opt.Name == name })
		if i < 0 {
			return fmt.Errorf("%w: %s has no option %q", ErrOption, f.Name, name)
		}
		opt := f.Options[i]
		if opt.Values != nil && !slices.Contains(opt.Values, o.Values[name]) {
			return fmt.Errorf("%w: %s of %s is %q, not one of %s", ErrOption, name, f.Name, o.Values[name],
				strings.Join(opt.Values, ", "))
		}
	}
	return nil
}

// Input is a file to read. Reader reads it from its front; where it is a file on disk, Reader also is
// an io.ReaderAt (after any decompression it is not).
type Input struct {
	Reader io.Reader
	// Path is the file's name, "-" for the standard input.
	Path string
	// Sibling opens the file beside it that has another extension (with the dot): ".cbf" beside
	// "games.cbi". It fails with ErrSibling for a pipe.
	Sibling func(extension string) (io.ReadCloser, error)
}

// Output is a file to write. All files of an output appear under their names when the Writer has
// been closed without an error, and not before.
type Output struct {
	Writer io.Writer
	// Path is the file's name, "-" for the standard output.
	Path string
	// Sibling begins the file beside it that has another extension. The caller of Write closes it.
	Sibling func(extension string) (io.Writer, error)
}

// Writer writes games to a file.
type Writer interface {
	// Write writes a game and returns the names of what the format could not hold, one short phrase
	// each: "tags", "variation at ply 31", "NAG $22 at ply 7". Without Options.Lossy a game with
	// losses is not written, and the error is a *LossError (or any error with a method Losses() []string).
	// A Writer must not keep the game. After an error other than of losses or of the game, the Writer
	// is of no more use.
	Write(g *game.Game) (losses []string, err error)
	// Close ends the file. It does not close the Output's Writer.
	Close() error
}

// LossError refuses a game for what the format cannot hold.
type LossError struct {
	Format string
	Names  []string // what would be lost, each once
}

// Error names the losses.
func (e *LossError) Error() string {
	return fmt.Sprintf("%s cannot hold %s", e.Format, strings.Join(e.Names, ", "))
}

// Losses returns the names of what would be lost.
func (e *LossError) Losses() []string { return e.Names }

// Unwrap returns ErrLoss.
func (e *LossError) Unwrap() error { return ErrLoss }

// Losses returns what err, a Writer's, says would be lost, and whether it is such an error.
func Losses(err error) ([]string, bool) {
	var l interface{ Losses() []string }
	if errors.As(err, &l) {
		return l.Losses(), true
	}
	return nil, false
}

// GameError is an error of one game of a file. The games after it can be read.
type GameError struct {
	Game int   // its number in the file, from 1; 0 if not known
	Ply  int   // the ply of the main line at which it is, from 1; 0 if it is not about one
	Line int   // of a text: the line, from 1; 0 if not known
	At   int64 // of other files: the offset in bytes; -1 if not known
	Err  error
}

// Error names the place and the cause.
func (e *GameError) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	} else if e.At >= 0 {
		fmt.Fprintf(&b, "offset %d: ", e.At)
	}
	switch {
	case e.Game > 0 && e.Ply > 0:
		fmt.Fprintf(&b, "game %d, ply %d: ", e.Game, e.Ply)
	case e.Game > 0:
		fmt.Fprintf(&b, "game %d: ", e.Game)
	case e.Ply > 0:
		fmt.Fprintf(&b, "ply %d: ", e.Ply)
	}
	return b.String() + e.Err.Error()
}

// Unwrap returns the cause.
func (e *GameError) Unwrap() error { return e.Err }

var (
	mu       sync.RWMutex
	registry []Format
)

// Register adds a format. It panics if its name or an extension is taken or malformed: that is a
// mistake of the program.
func Register(f Format) {
	mu.Lock()
	defer mu.Unlock()
	if f.Name == "" || strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		panic(fmt.Sprintf("formats: invalid name %q", f.Name))
	}
	if f.Read == nil && f.Write == nil {
		panic(fmt.Sprintf("formats: %s can be neither read nor written", f.Name))
	}
	for _, g := range registry {
		if g.Name == f.Name {
			panic(fmt.Sprintf("formats: %s is registered twice", f.Name))
		}
		for _, ext := range f.Extensions {
			if slices.Contains(g.Extensions, ext) {
				panic(fmt.Sprintf("formats: %s and %s share %s", g.Name, f.Name, ext))
			}
		}
	}
	registry = append(registry, f)
	slices.SortFunc(registry, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
}

// All returns the formats, ordered by name.
func All() []Format {
	mu.RLock()
	defer mu.RUnlock()
	return slices.Clone(registry)
}

// ByName returns the format of a name, or ErrUnknown.
func ByName(name string) (*Format, error) {
	for _, f := range All() {
		if f.Name == name {
			return &f, nil
		}
	}
	return nil, fmt.Errorf("%w %q", ErrUnknown, name)
}

// ByPath returns the format that a file's name means by its extension, or ErrUnknown. The ends .zst,
// .gz, .bz2 and .xz are looked through.
func ByPath(path string) (*Format, error) {
	base := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".zst", ".gz", ".bz2", ".xz"} {
		base = strings.TrimSuffix(base, packed)
	}
	for _, f := range All() {
		for _, ext := range f.Extensions {
			if strings.HasSuffix(base, ext) {
				return &f, nil
			}
		}
	}
	return nil, fmt.Errorf("%w: the name %q does not tell it", ErrUnknown, path)
}
