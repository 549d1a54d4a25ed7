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

// Manifest describes a data set and how it was made. It is a JSON file without times and folders, the same for the same
// data set.
type Manifest struct {
	Program   string    `json:"program"`
	Version   int       `json:"version"`
	Job       Job       `json:"options"`
	Inputs    []Input   `json:"inputs"`
	MoveOrder MoveOrder `json:"index"`
	// Labels is the order of labels, where there are some.
	Labels *Labels `json:"labels,omitempty"`
	// Arrays describes the arrays or columns of a shard.
	Arrays   []Array `json:"arrays,omitempty"`
	Shards   []Shard `json:"shards"`
	Complete bool    `json:"complete"`
	Games    int     `json:"games"`
	Plies    int64   `json:"plies"` // of main lines
	Rows     int     `json:"rows"`
	// LeftOut are games that the format cannot hold.
	LeftOut int `json:"left_out,omitempty"`
	// Duplicates are positions that were left out because they were there.
	Duplicates int `json:"duplicates,omitempty"`
}

// Job determines the bytes of a data set besides its inputs.
type Job struct {
	Format string `json:"format"`
	Shards int    `json:"shards,omitempty"` // 0 if one of the next two is given
	// ShardRows and ShardBytes are the most rows, and about the most bytes, of a shard. Shards have equal numbers of
	// rows.
	ShardRows  int      `json:"shard_rows,omitempty"`
	ShardBytes int64    `json:"shard_bytes,omitempty"`
	Filters    []string `json:"filters"` // of games, as arguments of the command
	Shuffle    bool     `json:"shuffle"`
	Seed       uint64   `json:"seed"`
	// of games: by "date", or "" as in the archives
	Sort string `json:"sort,omitempty"`
	// What is taken at random:
	Sample float64 `json:"sample,omitempty"` // chance of a row; 0 is 1
	// chances that multiply it for games of a condition, as "rating=-1800:0.25"
	Weights []string `json:"weights,omitempty"`
	Split   string   `json:"split,omitempty"` // range of the games' hashes from 0 to 1, as "0.9-1"; "" is all
	// Of positions alone:
	FromPly int `json:"from_ply,omitempty"` // plies before the first position
	ToPly   int `json:"to_ply,omitempty"`   // and the last; 0 is no bound
	// of so many positions of a game one is taken
	Every   int  `json:"every,omitempty"`
	Dedupe  bool `json:"dedupe,omitempty"`   // each position once in all shards
	Legal   bool `json:"legal,omitempty"`    // with the mask of legal moves
	PerGame int  `json:"per_game,omitempty"` // most positions of a game, at random; 0 is no bound
	// largest evaluation of a side in hundredths of a pawn; 0 is no bound
	MaxEval int `json:"max_eval,omitempty"`
	// Only is what positions must be: "eval", evaluated; "no-check"; "quiet", not in check and nothing to win by static
	// exchange.
	Only []string `json:"only,omitempty"`
	// Augment adds each position with "colors" exchanged, "files" mirrored if nobody may castle, and both.
	Augment []string `json:"augment,omitempty"`
	// Of arrays alone:
	Labels    string `json:"labels,omitempty"`
	LabelType string `json:"label_type,omitempty"` // uint16, int16, int32 or int64
	Planes    string `json:"planes,omitempty"`
	// model of chances: stockfish-17, lichess, or ""
	WDL   string `json:"wdl,omitempty"`
	Batch int    `json:"batch,omitempty"` // positions of a sample of webdataset
	// Of Parquet, a row a game:
	NoMovetext bool `json:"no_movetext,omitempty"` // an empty column movetext
}

// Input is an archive.
type Input struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Games int    `json:"games"`
	Plies int64  `json:"plies"`
	// SHA256 is the hash of the text, "" if the archive has none.
	SHA256 string `json:"text_sha256"`
	// Digest is then that of the archive.
	Digest string `json:"digest,omitempty"`
}

// MoveOrder names the order of the move index.
type MoveOrder struct {
	Moves       int    `json:"moves"`
	TableSHA256 string `json:"table_sha256"`
}

var theOrder = MoveOrder{moveindex.NumMoves, moveindex.TableSHA256}

// Labels is the order of labels.
type Labels struct {
	Name       string   `json:"name"`
	SideToMove bool     `json:"side_to_move"` // of the board as the side to move sees it
	Count      int      `json:"count"`
	Order      []string `json:"order"` // the move of each label
}

// Array describes an array or a column.
type Array struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Shape   []int  `json:"shape,omitempty"`
	Meaning string `json:"meaning"`
}

// Shard is a part of the data set, without games and plies if the positions of a game are in several.
type Shard struct {
	Number int   `json:"number"` // from 1
	Games  int   `json:"games,omitempty"`
	Plies  int64 `json:"plies,omitempty"`
	Rows   int   `json:"rows"`
	// LeftOut are games that the format cannot hold: without a result, with more than 32 pieces at the start, or of
	// Chess960.
	LeftOut int    `json:"left_out,omitempty"`
	Files   []File `json:"files"`
}

// File is a file of a shard.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

const manifestVersion = 2

var (
	// ErrOther: the folder has another data set.
	ErrOther = errors.New("it holds a data set of other archives or options")
	// ErrBusy: another export writes there.
	ErrBusy = errors.New("another export writes there at the moment")
	// ErrOrder: a data set is of another order of moves.
	ErrOrder = fmt.Errorf("%w: the moves are in the order of another table", codec.ErrCorrupt)
)

const maxManifest = 64 << 20

// ReadManifest reads a manifest, and refuses one of another order of moves.
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

const program = "ply11"

// same reports whether two manifests are of the same data set.
func (m *Manifest) same(o *Manifest) bool {
	return m.Version == o.Version && reflect.DeepEqual(m.Job, o.Job) && reflect.DeepEqual(m.Inputs, o.Inputs) &&
		m.MoveOrder == o.MoveOrder &&
		reflect.DeepEqual(m.Labels, o.Labels) && reflect.DeepEqual(m.Arrays, o.Arrays)
}

// Text is the manifest's file.
func (m *Manifest) Text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// writeFile replaces a file.
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

// indexLabels is the index as a vocabulary.
const indexLabels = "index"

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func hexOf(sum []byte) string { return hex.EncodeToString(sum) }
