// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"ply11/bitstream/codec"
	"ply11/chess"
)

// Option changes what a function of this package does. Each function says which options it takes. Any other is an error that is
// codec.ErrOption, and so is a value that the option does not take.
type Option func(*options) error

// options are what Options set. The zero value is the default of everything.
type options struct {
	given given // which of them were set

	canonical  bool
	policy     Policy
	form       form
	noFilter   bool
	report     func(*codec.Error)
	progress   func(Stats)
	workers    int
	meta       map[string]string
	blockGames int
}

// given is a set of options.
type given uint16

const (
	givenCanonical given = 1 << iota
	givenPolicy
	givenDense
	givenFilter
	givenReport
	givenProgress
	givenWorkers
	givenMeta
	givenBlockGames
)

// optionNames are the names of the options, in the order of the constants.
var optionNames = []string{"WithCanonical", "WithPolicy", "WithDense", "WithFilter", "WithReport", "WithProgress", "WithWorkers", "WithMeta",
	"WithBlockGames"}

// What the functions take.
const (
	ofWriter = givenDense | givenFilter | givenMeta | givenBlockGames
	ofPack   = ofWriter | givenCanonical | givenPolicy | givenReport | givenProgress | givenWorkers
	ofRecode = givenDense | givenFilter | givenMeta | givenProgress | givenWorkers
	ofAppend = givenDense | givenFilter | givenMeta | givenProgress
	ofUnpack = givenProgress | givenWorkers
	ofVerify = givenProgress
)

// apply returns what the list sets, for a function of the name that takes some options.
func apply(list []Option, function string, takes given) (o options, err error) {
	if err := codec.Apply(&o, list); err != nil {
		return o, err
	}
	if other := o.given &^ takes; other != 0 {
		var names []string
		for i, name := range optionNames {
			if other>>i&1 != 0 {
				names = append(names, name)
			}
		}
		return o, fmt.Errorf("%w: %s does not take %s", codec.ErrOption, function, strings.Join(names, ", "))
	}
	o.workers = atMostWorkers(o.workers)
	if o.blockGames == 0 {
		o.blockGames = defaultBlockGames
	}
	return o, nil
}

// set is an Option that sets what needs no verification.
func set(g given, do func(*options)) Option { return setIf(nil, g, do) }

// setIf is an Option that sets what was verified, with the error that this gave.
func setIf(err error, g given, do func(*options)) Option {
	return func(o *options) error {
		if err == nil {
			o.given |= g
			do(o)
		}
		return err
	}
}

// WithDense says how the moves are stored: with true by package dense, in about three bits a ply, with false in eleven bits a ply, at addresses
// that can be computed. To read a game of dense moves, a reader decodes the games before it in its block. A block with a move that package
// dense cannot code keeps eleven bits.
//
// Without this option, Pack, Repack and Writers use eleven bits, and Recode and Append leave each block as it is.
func WithDense(dense bool) Option {
	return set(givenDense, func(o *options) {
		if o.form = fixedForm; dense {
			o.form = denseForm
		}
	})
}

// WithFilter says whether blocks of fixed moves get the column of filters, some six bytes a game, by which searches pass over games, and
// all blocks the column of the summary, by which searches pass over blocks. They get both without this option. Blocks of dense moves
// have no filters.
func WithFilter(filter bool) Option {
	return set(givenFilter, func(o *options) { o.noFilter = !filter })
}

// WithMeta sets properties of the archive: see Reader.Meta. They are no part of what is packed. Recode and Append keep
// the properties that the archives have, and these come beside them. Of several archives, the first that has a name counts.
func WithMeta(meta map[string]string) Option {
	return setIf(checkMeta(meta), givenMeta, func(o *options) { o.meta = meta })
}

// WithBlockGames sets the number of games of a block, 1 to 4,096; without it, 1,024. Large blocks are smaller in sum. A single game is read
// quicker from a small one.
func WithBlockGames(n int) Option {
	var err error
	if n < 1 || n > maxBlockGames {
		err = fmt.Errorf("%w: a block of %d games, not 1 to %d", codec.ErrOption, n, maxBlockGames)
	}
	return setIf(err, givenBlockGames, func(o *options) { o.blockGames = n })
}

// WithCanonical says whether the layout of the text is dropped. All content is kept.
func WithCanonical(canonical bool) Option {
	return set(givenCanonical, func(o *options) { o.canonical = canonical })
}

// WithPolicy says what becomes of games that are not valid; without it they are kept.
func WithPolicy(p Policy) Option {
	var err error
	if p > Stop {
		err = fmt.Errorf("%w: there is no policy %d", codec.ErrOption, p)
	}
	return setIf(err, givenPolicy, func(o *options) { o.policy = p })
}

// WithReport sets a function that is called with the error of each game that is not valid, in the order of the games.
func WithReport(f func(*codec.Error)) Option {
	return set(givenReport, func(o *options) { o.report = f })
}

// WithProgress sets a function that is called from time to time with the counts so far.
func WithProgress(f func(Stats)) Option {
	return set(givenProgress, func(o *options) { o.progress = f })
}

// WithWorkers sets the number of goroutines, at most 4. Without it, or with 0, it is one for each processor. What is written does not depend
// on it.
func WithWorkers(n int) Option {
	return setIf(codec.AtLeast("WithWorkers", n, 0), givenWorkers, func(o *options) { o.workers = n })
}

// Policy is what becomes of games that are not valid.
type Policy uint8

// The policies.
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

// form is how the moves of an archive are to be stored.
type form uint8

const (
	asIs      form = iota // each block as it is
	fixedForm             // eleven bits a move, every ply at a computed address
	denseForm             // by package dense
)

// maxWorkers bounds the goroutines, each of which holds some 10 MiB.
const maxWorkers = 4

// atMostWorkers returns how many goroutines to use where n are asked for, 0 for one for each processor.
func atMostWorkers(n int) int {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, maxWorkers)
}
