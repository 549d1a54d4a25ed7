// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"

	"ply11/game/codec"
	"ply11/internal/tempfile"
	"ply11/moveindex"
)

// Manifest tells what a data set holds and how it was made. It is a JSON file beside the data, and has no times and no
// folders, so that the same data set has the same manifest.
type Manifest struct {
	Program string `json:"program"`
	Version int    `json:"version"` // of the manifest and of the formats
	Job     Job    `json:"options"`
	// Inputs are the archives, in their order.
	Inputs []Input `json:"inputs"`
	// MoveOrder names the order of the move index.
	MoveOrder MoveOrder `json:"index"`
	// Labels is the order of the labels, of formats that have labels.
	Labels *Labels `json:"labels,omitempty"`
	// Arrays describes the arrays of a shard, or the columns of its table.
	Arrays   []Array `json:"arrays,omitempty"`
	Shards   []Shard `json:"shards"`
	Complete bool    `json:"complete"` // all shards are there
	Games    int     `json:"games"`
	Plies    int64   `json:"plies"` // of the games' main lines
	Rows     int     `json:"rows"`  // games, or positions
	// LeftOut is the number of games that the format cannot hold.
	LeftOut int `json:"left_out,omitempty"`
	// Duplicates is the number of positions that were left out because they were there.
	Duplicates int `json:"duplicates,omitempty"`
}

// Job is all that determines the bytes of a data set besides its inputs.
type Job struct {
	Format string `json:"format"`
	Shards int    `json:"shards,omitempty"` // their number; 0 if one of the next two tells it
	// ShardRows and ShardBytes are the most rows of a shard, and about the most bytes: there are as many shards of
	// equal numbers of rows as that takes.
	ShardRows  int      `json:"shard_rows,omitempty"`
	ShardBytes int64    `json:"shard_bytes,omitempty"`
	Filters    []string `json:"filters"` // that games were chosen by, as arguments of the command
	Shuffle    bool     `json:"shuffle"`
	Seed       uint64   `json:"seed"`
	// of formats of games: "date" sorts the rows by it; "" keeps the order of the archives
	Sort string `json:"sort,omitempty"`
	// What is taken at random, by the seed, or by a hash:
	Sample float64 `json:"sample,omitempty"` // the chance of a row; 0 is 1
	// chances of the games that meet conditions, as "rating=-1800:0.25", for which that of a row is multiplied
	Weights []string `json:"weights,omitempty"`
	Split   string   `json:"split,omitempty"` // the games whose hash, from 0 to 1, is in a range, as "0.9-1"; "" is all
	// Of formats of positions alone:
	FromPly int `json:"from_ply,omitempty"` // the first position, by the number of plies before it
	ToPly   int `json:"to_ply,omitempty"`   // the last; 0 is none
	// of so many positions of a game one is taken, which of them depends on the game
	Every   int  `json:"every,omitempty"`
	Dedupe  bool `json:"dedupe,omitempty"`   // leave out positions that were there, in whatever shard
	Legal   bool `json:"legal,omitempty"`    // the mask of legal moves
	PerGame int  `json:"per_game,omitempty"` // the most positions of a game, chosen at random; 0 is no bound
	// the largest evaluation of either side, in hundredths of a pawn; 0 is no bound
	MaxEval int `json:"max_eval,omitempty"`
	// Only is what positions must be: "eval", they have an evaluation; "no-check"; "quiet", not in check, and nothing
	// to win by static exchange.
	Only []string `json:"only,omitempty"`
	// Augment is what each position is written as once more: "colors" exchanged, "files" mirrored if nobody may castle,
	// or both.
	Augment []string `json:"augment,omitempty"`
	// Of formats of arrays alone:
	Labels    string `json:"labels,omitempty"`     // the vocabulary
	LabelType string `json:"label_type,omitempty"` // of numbers: uint16, int16, int32 or int64
	Planes    string `json:"planes,omitempty"`     // none, bits, bytes, lc0 or lc0-bytes
	// the model of the chances that evaluations become: stockfish-17 or lichess; "" is none
	WDL   string `json:"wdl,omitempty"`
	Batch int    `json:"batch,omitempty"` // of webdataset: positions of a sample
	// Of Parquet, a row a game, alone:
	NoMovetext bool `json:"no_movetext,omitempty"` // leave the column movetext empty
}

// Input is an archive that went in.
type Input struct {
	Name  string `json:"name"` // without its folder
	Bytes int64  `json:"bytes"`
	Games int    `json:"games"`
	Plies int64  `json:"plies"`
	// SHA256 is the hash of the text that the archive unpacks to, "" if the archive does not tell it.
	SHA256 string `json:"text_sha256"`
	// Digest is that of the whole archive, in its place.
	Digest string `json:"digest,omitempty"`
}

// MoveOrder names the order of the move index.
type MoveOrder struct {
	Moves       int    `json:"moves"`
	TableSHA256 string `json:"table_sha256"`
}

// theOrder is the index of this program.
var theOrder = MoveOrder{moveindex.NumMoves, moveindex.TableSHA256}

// Labels is the order of labels.
type Labels struct {
	Name       string   `json:"name"`
	SideToMove bool     `json:"side_to_move"` // the labels are of the board as the side to move sees it
	Count      int      `json:"count"`
	Order      []string `json:"order"` // the move of each label, in the vocabulary's own words
}

// Array describes an array or a column.
type Array struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Shape   []int  `json:"shape,omitempty"` // of a row
	Meaning string `json:"meaning"`
}

// Shard is a part of the data set. It has no games and plies if the positions of a game are in several shards.
type Shard struct {
	Number int   `json:"number"` // from 1
	Games  int   `json:"games,omitempty"`
	Plies  int64 `json:"plies,omitempty"`
	Rows   int   `json:"rows"`
	// LeftOut is the number of games that the format cannot hold: their result is not known, they begin with more than
	// 32 pieces, or they are of Chess960.
	LeftOut int    `json:"left_out,omitempty"`
	Files   []File `json:"files"`
}

// File is a file of a shard.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// manifestVersion is the version of the manifest and of the formats.
const manifestVersion = 2

// Errors of a folder that holds a data set.
var (
	// ErrOther: the folder holds a data set that was made otherwise.
	ErrOther = errors.New("it holds a data set of other archives or options")
	// ErrBusy: another export writes the data set.
	ErrBusy = errors.New("another export writes there at the moment")
	// ErrOrder: a data set is of another order of moves.
	ErrOrder = fmt.Errorf("%w: the moves are in the order of another table", codec.ErrCorrupt)
)

// maxManifest bounds what is read of a manifest.
const maxManifest = 64 << 20

// ReadManifest reads the manifest of a data set. One of another order of moves is refused.
func ReadManifest(path string) (*Manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bad := func(err error, text string, args ...any) (*Manifest, error) {
		return nil, fmt.Errorf("%s: %w: "+text, append([]any{path, err}, args...)...)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var m Manifest
	switch err := json.NewDecoder(bytes.NewReader(text)).Decode(&m); {
	case err != nil || m.Program != program || m.Version < 1:
		return bad(codec.ErrCorrupt, "it is no manifest of a data set")
	case m.Version > manifestVersion:
		return bad(codec.ErrCorrupt, "version %d is later than this program", m.Version)
	case m.MoveOrder != theOrder:
		return bad(ErrOrder, "%s, want %s", m.MoveOrder.TableSHA256, moveindex.TableSHA256)
	}
	return &m, nil
}

// program is the name in manifests.
const program = "ply11"

// same reports whether two manifests are of the same data set, as far as it is done.
func (m *Manifest) same(o *Manifest) bool {
	return m.Version == o.Version && reflect.DeepEqual(m.Job, o.Job) && reflect.DeepEqual(m.Inputs, o.Inputs) &&
		m.MoveOrder == o.MoveOrder &&
		reflect.DeepEqual(m.Labels, o.Labels) && reflect.DeepEqual(m.Arrays, o.Arrays)
}

// write writes the manifest in the place of the one that is there.
func (m *Manifest) write(path string, mode fs.FileMode) error {
	text, err := m.Text()
	if err != nil {
		return err
	}
	return writeFile(path, text, mode)
}

// Text is what the file of the manifest has.
func (m *Manifest) Text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// writeFile writes a file in the place of the one that is there.
func writeFile(path string, text []byte, mode fs.FileMode) error {
	f, err := tempfile.Beside(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Publish(path, true)
}

// labelsOf returns the order of a vocabulary's labels; nil is the index.
func labelsOf(v *moveindex.Vocabulary) *Labels {
	l := &Labels{Name: indexLabels, Count: moveindex.NumMoves}
	if v != nil {
		l.Name, l.Count, l.SideToMove = v.Name(), v.Len(), v.SideToMove()
	}
	for i := range l.Count {
		if v != nil {
			l.Order = append(l.Order, v.Text(moveindex.Label(i)))
			continue
		}
		m, _ := moveindex.Index(i).Move()
		l.Order = append(l.Order, m.String())
	}
	return l
}

// indexLabels is the name of the index as a vocabulary.
const indexLabels = "index"

// exists reports whether there is something of a name.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func hexOf(sum []byte) string { return hex.EncodeToString(sum) }
