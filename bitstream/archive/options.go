// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"ply11/chess"
	"ply11/game/codec"
)

// An option that several functions take has a type that is of all of them, so that the compiler refuses an option where
// it makes no sense. A value that an option does not take is a codec.ErrOption of the function that is given it.
type (
	PackOption interface {
		apply(*options) error
		pack()
	}
	WriterOption interface {
		apply(*options) error
		write()
	}
	CopyOption interface {
		apply(*options) error
		copy()
	}
	AppendOption interface {
		apply(*options) error
		append()
	}
	EditOption interface {
		apply(*options) error
		edit()
	}
	UnpackOption interface {
		apply(*options) error
		unpack()
	}
	VerifyOption interface {
		apply(*options) error
		verify()
	}
	RecoverOption interface {
		apply(*options) error
		rescue()
	}

	// StoreOption is an option of all that writes games.
	StoreOption interface {
		PackOption
		WriterOption
		CopyOption
		AppendOption
	}
	// BlockOption is an option of what puts games together in blocks.
	BlockOption interface {
		PackOption
		WriterOption
		CopyOption
	}
	// TextOption is an option of what packs a text.
	TextOption interface {
		PackOption
		CopyOption
	}
	// JoinOption is an option of what puts archives together.
	JoinOption interface {
		CopyOption
		AppendOption
	}
	// InPlaceOption is an option of what changes an archive where it is.
	InPlaceOption interface {
		AppendOption
		EditOption
	}
	// WorkersOption is an option of what has several goroutines.
	WorkersOption interface {
		PackOption
		CopyOption
		UnpackOption
		VerifyOption
	}
	// ProgressOption is an option of what goes through a whole archive.
	ProgressOption interface {
		PackOption
		CopyOption
		AppendOption
		EditOption
		UnpackOption
		VerifyOption
		RecoverOption
	}
)

type option func(*options) error

func (f option) apply(o *options) error { return f(o) }

func (option) pack()   {}
func (option) write()  {}
func (option) copy()   {}
func (option) append() {}
func (option) edit()   {}
func (option) unpack() {}
func (option) verify() {}
func (option) rescue() {}

type options struct {
	canonical  bool
	policy     Policy
	form       form
	noFilter   bool
	report     func(*codec.Error)
	progress   func(Stats)
	workers    int
	asked      int // workers without the limit of what writes
	meta       map[string]string
	blockGames int
	blocks     bool // blockGames was set
	discard    bool
	lineEnds   bool
}

func apply[O interface{ apply(*options) error }](list []O) (o options, err error) {
	o.progress = func(Stats) {}
	for _, x := range list {
		if err := x.apply(&o); err != nil {
			return o, err
		}
	}
	if o.asked = o.workers; o.asked == 0 {
		o.asked = runtime.GOMAXPROCS(0)
	}
	o.workers = min(o.asked, maxWorkers)
	o.blockGames = cmp.Or(o.blockGames, defaultBlockGames)
	return o, nil
}

func (o *options) flags() (f uint32) {
	if !o.noFilter {
		f |= flagSearch
	}
	return f
}

func set(do func(*options)) option { return setIf(nil, do) }

// setIf is an option of a value whose verification gave this error.
func setIf(err error, do func(*options)) option {
	return func(o *options) error {
		if err == nil {
			do(o)
		}
		return err
	}
}

// WithDense says how the moves are stored: with true by package dense, in about three bits a ply, with false in eleven
// bits a ply, at addresses that can be computed. A block with a move that package dense cannot code keeps eleven bits.
//
// Without this option, Pack and Writers use eleven bits, and Copy and Append leave each block as it is.
func WithDense(dense bool) StoreOption {
	return set(func(o *options) {
		if o.form = fixedForm; dense {
			o.form = denseForm
		}
	})
}

// WithFilter says whether blocks of fixed moves get filters, some six bytes a game, by which searches pass over games,
// and the archive search parts, by which they pass over blocks. Without this option it gets both.
func WithFilter(filter bool) StoreOption {
	return set(func(o *options) { o.noFilter = !filter })
}

// WithMeta sets properties of the archive: see Reader.Meta. Copy and Append keep the properties of the archives beside
// these; the first archive that has a name counts.
func WithMeta(meta map[string]string) StoreOption {
	return setIf(checkMeta(meta), func(o *options) { o.meta = meta })
}

// WithBlockGames sets the number of games of a block, 1 to 4,096; 0 is the default, 1,024. Large blocks are smaller in
// sum; a single game is read quicker from a small one.
func WithBlockGames(n int) BlockOption {
	var err error
	if n < 0 || n > maxBlockGames {
		err = fmt.Errorf("%w: a block of %d games, not 1 to %d", codec.ErrOption, n, maxBlockGames)
	}
	return setIf(err, func(o *options) { o.blockGames, o.blocks = n, n > 0 })
}

// WithCanonical says whether the layout of the text is dropped. All content is kept.
func WithCanonical(canonical bool) TextOption {
	return set(func(o *options) { o.canonical = canonical })
}

// WithPolicy says what becomes of games that are not valid; without it they are kept.
func WithPolicy(p Policy) TextOption {
	var err error
	if p > Stop {
		err = fmt.Errorf("%w: there is no policy %d", codec.ErrOption, p)
	}
	return setIf(err, func(o *options) { o.policy = p })
}

// WithReport sets a function that is called with the error of each game that is not valid, in their order.
func WithReport(f func(*codec.Error)) TextOption {
	return set(func(o *options) { o.report = f })
}

// WithProgress sets a function that is called from time to time with the counts so far.
func WithProgress(f func(Stats)) ProgressOption {
	return set(func(o *options) { o.progress = f })
}

// WithLineEnds says whether a line end, in a block of its own, is put after a text that has none and before the next
// one.
func WithLineEnds(lineEnds bool) JoinOption {
	return set(func(o *options) { o.lineEnds = lineEnds })
}

// WithDiscard says whether a writer that changes an archive where it is writes over all that stands behind it. Without
// it what would be lost is an *UnfinishedError: see Reader.WouldLose.
func WithDiscard(discard bool) InPlaceOption {
	return set(func(o *options) { o.discard = discard })
}

// WithWorkers sets the number of goroutines, at most 4, and of Verify at most 64; 0 is the default, one for each
// processor. What is written does not depend on it.
func WithWorkers(n int) WorkersOption {
	return setIf(codec.AtLeast("WithWorkers", n, 0), func(o *options) { o.workers = n })
}

// Policy is what becomes of games that are not valid.
type Policy uint8

const (
	Keep Policy = iota // they are kept, as their exact text and as much of the game as is valid
	Skip               // they are left out
	Stop               // they end the work with their error
)

// ParsePolicy reads "keep", "skip" or "stop".
func ParsePolicy(s string) (Policy, error) {
	i := slices.Index([]string{"keep", "skip", "stop"}, s)
	if i < 0 {
		return Keep, &chess.ParseError{What: "policy for invalid games", Text: s, Want: "keep, skip or stop"}
	}
	return Policy(i), nil
}

type form uint8

const (
	asIs      form = iota // each block as it is
	fixedForm             // eleven bits a move, every ply at a computed address
	denseForm             // by package dense
)

// Each goroutine that writes holds some 10 MiB.
const (
	maxWorkers   = 4
	maxVerifiers = 64
)
