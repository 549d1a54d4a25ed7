// SPDX-License-Identifier: Apache-2.0

// Package formats lists the file formats that the command ply11 reads and writes, with one policy for what a format
// cannot hold. A format is a value of All, with a file of this package for its functions.
package formats

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ply11/game"
	"ply11/game/codec"
)

// Errors of finding and opening formats.
var (
	// ErrUnknown: no format has the name or the extension.
	ErrUnknown = errors.New("unknown format")
	// ErrSibling: the format needs a second file beside the first, and the input or output is a pipe.
	ErrSibling = errors.New("the format needs files, not a pipe")
)

// All is the formats, ordered by name. No two share a name or an extension.
var All = slices.Concat(brennerFormats(), []Format{chessbaseFormat, fbkFormat}, joseFormats(),
	[]Format{archiveFormat, pgnFormat, polyglotFormat, uciFormat, wordsFormat})

// Format is a file format.
type Format struct {
	// Name is what --from and --to take: small letters, digits and '-'.
	Name string
	// Extensions are the file name's ends that mean the format, with the dot, in small letters. The first is the one to
	// write.
	Extensions []string
	// Description is one line, without a full stop.
	Description string
	// Options are those of the format.
	Options []Option
	// Forms are how bytes or words are cut into fields; the first that fits is meant. A single one is of moves alone.
	Forms []Form

	// Read returns the games of a file in their order, and holds no more than one. A game is valid until the next step.
	//
	// An error of one game is a *codec.Error, with a nil game, or with the game if it is Beside, and the next game
	// follows. Any other error is the last; io.EOF is never yielded.
	Read func(in Input, o Options) iter.Seq2[*game.Game, error]

	// Write begins a file. Close does not close the Output's Writer.
	Write func(out Output, o Options) (codec.Writer, error)

	// Explain prints what the bytes of a file say: for each its offset, its fields and their meaning, with the moves in
	// SAN. It explains a file to its end, and returns the first error of a game, as Read gives them, or of the input or
	// the output.
	Explain func(w io.Writer, in Input, o Options) error

	// Verify reads a whole file and returns all that is wrong with it, in order: each error of Read, and what else the
	// format's codec knows. The last may be an error after which nothing can be read.
	Verify func(in Input, o Options) iter.Seq[error]
}

// A Form is a kind of byte or word: a name, and its bits by field, as "1 w nnn dd 1". 0 and 1 are themselves, a letter
// is a bit of its field (see fieldNames).
type Form struct{ Name, Bits string }

type Option struct {
	Name        string
	Values      []string // what it takes, the default first; nil means any text, with the default ""
	Description string
}

// Options is what a caller asks for.
type Options struct {
	// Lossy lets a Writer drop what the format cannot hold. Report, unless nil, is given what that is.
	Lossy  bool
	Report func(*codec.LossError)
	// Values holds the format's options by name, without those that have the default.
	Values map[string]string
	// Note, unless nil, is given what the format found or chose: one line, without a full stop.
	Note func(string)
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

func (o Options) writer() []codec.WriterOption {
	if o.Lossy {
		return []codec.WriterOption{codec.Lossy(o.Report)}
	}
	return nil
}

// Bytes returns a game as a file of the format, without what that cannot hold and without a second file beside it.
func (f *Format) Bytes(g *game.Game) ([]byte, error) {
	var out bytes.Buffer
	w, err := f.Write(Output{Writer: &out, Sibling: func(string) (io.Writer, error) { return io.Discard, nil }},
		Options{Lossy: true})
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(w.Write(g), w.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Check verifies that the format has the options that are asked for.
func (f *Format) Check(o Options) error {
	for _, name := range slices.Sorted(maps.Keys(o.Values)) {
		i := slices.IndexFunc(f.Options, func(opt Option) bool { return opt.Name == name })
		if i < 0 {
			return fmt.Errorf("%w: %s has no option %q", codec.ErrOption, f.Name, name)
		}
		opt := f.Options[i]
		if opt.Values != nil && !slices.Contains(opt.Values, o.Values[name]) {
			return fmt.Errorf("%w: %s of %s is %q, not one of %s", codec.ErrOption, name, f.Name, o.Values[name],
				strings.Join(opt.Values, ", "))
		}
	}
	return nil
}

// Input is a file to read. A Reader of a file on disk also is an io.ReaderAt.
type Input struct {
	Reader io.Reader
	// Path is the file's name, "-" for the standard input.
	Path string
	// Sibling opens the file beside it that has another extension, with the dot. It fails with ErrSibling for a pipe.
	Sibling func(extension string) (io.ReadCloser, error)
}

// Output is a file to write. All its files appear under their names when the Writer has been closed without an error.
type Output struct {
	Writer io.Writer
	// Path is the file's name, "-" for the standard output.
	Path string
	// Sibling begins the file beside it that has another extension. The caller of Write closes it.
	Sibling func(extension string) (io.Writer, error)
}

// ByName returns the format of a name, or ErrUnknown.
func ByName(name string) (*Format, error) {
	for i := range All {
		if All[i].Name == name {
			return &All[i], nil
		}
	}
	return nil, fmt.Errorf("%w %q", ErrUnknown, name)
}

// ByPath returns the format that a file's name means by its extension, or ErrUnknown. The ends .zst, .gz, .bz2 and .xz
// are passed over.
func ByPath(path string) (*Format, error) {
	base := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".zst", ".gz", ".bz2", ".xz"} {
		base = strings.TrimSuffix(base, packed)
	}
	for i := range All {
		for _, ext := range All[i].Extensions {
			if strings.HasSuffix(base, ext) {
				return &All[i], nil
			}
		}
	}
	return nil, fmt.Errorf("%w: the name %q has the ending of none", ErrUnknown, path)
}

// Names returns the names of all formats, in order.
func Names() []string {
	var names []string
	for _, f := range All {
		names = append(names, f.Name)
	}
	return names
}

func games(r codec.Reader) iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		var g game.Game
		for {
			switch err := r.Read(&g); {
			case err == nil:
				if !yield(&g, nil) {
					return
				}
			case err == io.EOF:
				return
			case codec.IsBeside(err):
				if !yield(&g, err) {
					return
				}
			case !yield(nil, err) || !codec.IsGameError(err):
				return
			}
		}
	}
}

// faults makes a Verify of a Read.
func faults(read func(Input, Options) iter.Seq2[*game.Game, error]) func(Input, Options) iter.Seq[error] {
	return func(in Input, o Options) iter.Seq[error] {
		return func(yield func(error) bool) {
			for _, err := range read(in, o) {
				if err != nil && !yield(err) {
					return
				}
			}
		}
	}
}
