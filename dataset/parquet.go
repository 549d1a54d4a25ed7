// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

var parquetFormat = format{
	name: "parquet", ext: ".parquet",
	description: "Parquet, a row a game: the columns of the Lichess sets, moves as indices, evals and clocks",
	want:        wantTags | wantNotes | wantText, side: 2,
	describe: func(*Job) (*Labels, []Array) { return nil, parquetColumns },
	create: func(_ *Job, out *output) (sink, error) {
		rows := createRows[parquetGame](out, parquetGroupRows, gameSchema, nameFilters)
		return &parquetGames{rows: rows}, nil
	},
}

// Levels of lists are compressed in pages of version 1 alone, which saves a third of a bit a ply.
func parquetOptions() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.DataPageVersion(1), parquet.Compression(&zstd.Codec{Level: zstd.SpeedBetterCompression,
			Concurrency: 1}), parquet.PageBufferSize(256 << 10),
		parquet.CreatedBy("ply11", "", ""), parquet.KeyValueMetadata(parquetOrder, moveindex.TableSHA256),
		parquet.SkipPageBounds("movetext"), parquet.SkipPageBounds("other_tags", "list", "element", "value"),
	}
}

// nameFilters are Bloom filters, which let a reader skip groups of rows without a name, but for one of 100.
var nameFilters = parquet.BloomFilters(parquet.SplitBlockFilter(10, "White"), parquet.SplitBlockFilter(10, "Black"),
	parquet.SplitBlockFilter(10, "Site"))

// parquetOrder is the key of the order of the moves.
const parquetOrder = "ply11.table_sha256"

var parquetColumns = []Array{
	{"Event … TimeControl", "as the Lichess sets have them", nil,
		"tags; null where there is none, or where other_tags has it"},
	{"movetext", "string", nil,
		"the moves in SAN with all comments, NAGs and variations; null if it was not asked for"},
	{"Date", "string", nil, "the tag, as 1972.07.11 or 1972.??.??; null where there is none"},
	{"Round", "string", nil, "the tag; null where there is none"},
	{"moves", "list of uint16", nil, "the main line as numbers of the move index; 1972 is the null move"},
	{"evals", "list of int16", nil,
		"after each move, from White's side: hundredths of a pawn, mate in n is 32000 - n or -32000 + n; or null"},
	{"clocks", "list of int32", nil, "after each move, hundredths of a second; or null"},
	{"start_eval", "int16", nil, "of the start position"},
	{"fen", "string", nil, "the start position, where it is not the usual one"},
	{"other_tags", "list of name and value", nil, "tags that no column holds, in their order"},
	{"tag_order", "string", nil, "the names of all tags in their order, with spaces between"},
	{"file", "string", nil, "the archive"},
	{"game", "uint64", nil, "the number of the game in it, from 1"},
}

// parquetGame is a row: the columns of the Lichess sets in their order, and others. An empty text is null.
type parquetGame struct {
	Event           string `parquet:"Event,optional,dict"`
	Site            string `parquet:"Site,optional"`
	White           string `parquet:"White,optional,dict"`
	Black           string `parquet:"Black,optional,dict"`
	Result          string `parquet:"Result,optional,dict"`
	WhiteTitle      string `parquet:"WhiteTitle,optional,dict"`
	BlackTitle      string `parquet:"BlackTitle,optional,dict"`
	WhiteElo        *int16 `parquet:"WhiteElo,optional"`
	BlackElo        *int16 `parquet:"BlackElo,optional"`
	WhiteRatingDiff *int16 `parquet:"WhiteRatingDiff,optional"`
	BlackRatingDiff *int16 `parquet:"BlackRatingDiff,optional"`
	UTCDate         *int32 `parquet:"UTCDate,optional,date"`
	// UTCTime is in milliseconds, as the library writes it; it takes no other pointer for a time.
	UTCTime     *time.Duration `parquet:"UTCTime,optional,time(millisecond:local)"`
	ECO         string         `parquet:"ECO,optional,dict"`
	Opening     string         `parquet:"Opening,optional,dict"`
	Termination string         `parquet:"Termination,optional,dict"`
	TimeControl string         `parquet:"TimeControl,optional,dict"`
	Movetext    string         `parquet:"movetext,optional"`

	Date      string       `parquet:"Date,optional,dict"`
	Round     string       `parquet:"Round,optional,dict"`
	Moves     []uint16     `parquet:"moves,list" parquet-element:",dict"`
	Evals     []*int16     `parquet:"evals,optional,list" parquet-element:",optional"`
	Clocks    []*int32     `parquet:"clocks,optional,list" parquet-element:",optional"`
	StartEval *int16       `parquet:"start_eval,optional"`
	FEN       string       `parquet:"fen,optional"`
	OtherTags []parquetTag `parquet:"other_tags,optional,list"`
	TagOrder  *string      `parquet:"tag_order,optional,dict"`
	File      string       `parquet:"file,optional,dict"`
	Game      uint64       `parquet:"game,delta"`
}

type parquetTag struct {
	Name  string `parquet:"name,dict"`
	Value string `parquet:"value,dict"`
}

// tagColumns are the tags that have columns, with their places among the fields of parquetGame: columns that begin with
// a capital letter are tags, but Result is kept apart.
var tagColumns = func() map[string]uint {
	m := map[string]uint{}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[parquetGame]()) {
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		if name != "Result" && name[0] <= 'Z' {
			m[name] = uint(i)
		}
	}
	return m
}()

// column returns the place of a tag: a *string, **int16, **int32 or **time.Duration; nil if it has none.
func (r *parquetGame) column(name string) any {
	i, ok := tagColumns[name]
	if !ok {
		return nil
	}
	return reflect.ValueOf(r).Elem().Field(int(i)).Addr().Interface()
}

const dateLayout = "2006.01.02"

// gameSchema is that of the type: for another one the library takes half as long again.
var gameSchema = parquet.NewSchema("game", parquet.SchemaOf(parquetGame{}))

type withFields struct {
	parquet.Node
	fields []parquet.Field
}

func (n withFields) Fields() []parquet.Field { return n.fields }

// columnText returns a column as the text of the tag, "" if it is null.
func (r *parquetGame) columnText(name string) string {
	switch c := r.column(name).(type) {
	case *string:
		return *c
	case **int16:
		if *c == nil {
			return ""
		}
		if strings.HasSuffix(name, "Diff") {
			return fmt.Sprintf("%+d", **c)
		}
		return strconv.Itoa(int(**c))
	case **int32:
		if *c == nil {
			return ""
		}
		// (as many digits as a tag has)
		if t := time.Unix(int64(**c)*86400, 0).UTC(); t.Year() >= 0 && t.Year() <= 9999 {
			return t.Format(dateLayout)
		}
	case **time.Duration:
		if *c != nil && **c >= 0 && **c < 86400_000 {
			return time.UnixMilli(int64(**c)).UTC().Format(time.TimeOnly)
		}
	}
	return ""
}

const parquetBatch = 64

// A group ends when it has so many rows or bytes.
const (
	parquetGroupRows  = 1 << 16
	parquetGroupBytes = 12 << 20
)

// rows writes batches of rows, and ends large groups.
type rows[T any] struct {
	w       *parquet.GenericWriter[T]
	sources []string
	row     []T
	n       int // of the batch
	group   int // rows of the group
	most    int // rows of a group
	bytes   int // of the group, where they are counted
}

// createRows writes to the shard's file, with groups of most rows.
func createRows[T any](out *output, most int, options ...parquet.WriterOption) rows[T] {
	w := rows[T]{w: parquet.NewGenericWriter[T](out.file, append(parquetOptions(), options...)...),
		row: make([]T, parquetBatch), most: most}
	for _, s := range out.w.m.Inputs {
		w.sources = append(w.sources, s.Name)
	}
	return w
}

func (w *rows[T]) next() error {
	if w.n++; w.n == parquetBatch || w.bytes >= parquetGroupBytes {
		return w.flush()
	}
	return nil
}

func (w *rows[T]) flush() error {
	if _, err := w.w.Write(w.row[:w.n]); err != nil {
		return err
	}
	w.group += w.n
	w.n = 0
	if w.group < w.most && w.bytes < parquetGroupBytes {
		return nil
	}
	w.group, w.bytes = 0, 0
	return w.w.Flush()
}

func (w *rows[T]) end(*Shard) error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.w.Close()
}

type parquetGames struct {
	ofGames
	rows[parquetGame]
}

func (w *parquetGames) game(g *Game) error {
	r := &w.row[w.n]
	*r = parquetGame{Moves: r.Moves[:0], Evals: r.Evals[:0], Clocks: r.Clocks[:0], OtherTags: r.OtherTags[:0]}
	w.bytes += 64
	r.tags(g)
	var order []byte
	readable := true
	for i, t := range g.Tags {
		if i > 0 {
			order = append(order, ' ')
		}
		order = append(order, t.Name...)
		w.bytes += len(t.Name) + len(t.Value)
		readable = readable && t.Name != "" && !strings.ContainsFunc(t.Name, unicode.IsSpace)
	}
	if readable {
		r.TagOrder = new(strings.ToValidUTF8(string(order), "\ufffd"))
	}
	r.Result = g.Result.String()
	r.Movetext = strings.ToValidUTF8(g.Text, "\ufffd")
	w.bytes += len(r.Movetext) + 2*len(g.Moves)
	for _, m := range g.Moves {
		r.Moves = append(r.Moves, uint16(m))
	}
	if len(g.Scores) > 0 {
		if s := g.Scores[0]; s != NoScore {
			r.StartEval = new(s.short())
		}
		r.Evals = appendPointers(r.Evals, g.Scores[1:], NoScore, Score.short)
		w.bytes += 2 * len(g.Scores)
	} else {
		r.Evals = nil
	}
	if len(g.Clocks) > 0 {
		r.Clocks = appendPointers(r.Clocks, g.Clocks, NoClock, func(c int32) int32 { return c })
		w.bytes += 4 * len(g.Clocks)
	} else {
		r.Clocks = nil
	}
	if g.Start != usual {
		r.FEN = g.Start.FEN()
	}
	r.File, r.Game = w.sources[g.Source], uint64(g.Number)
	return w.next()
}

// appendPointers appends pointers to the values of a list, and nil for those that are none.
func appendPointers[S comparable, T any](dst []*T, list []S, none S, value func(S) T) []*T {
	values := make([]T, len(list))
	for i, v := range list {
		if v == none {
			dst = append(dst, nil)
			continue
		}
		values[i] = value(v)
		dst = append(dst, &values[i])
	}
	return dst
}

// tags puts tags into their columns, and others into other_tags.
func (r *parquetGame) tags(g *Game) {
	results := 0 // of tags Result
	for _, t := range g.Tags {
		if t.Name == "Result" {
			results++
		}
	}
	seen := uint(0)
	for _, t := range g.Tags {
		value := strings.ToValidUTF8(t.Value, "\ufffd")
		taken := false
		place, has := tagColumns[t.Name]
		if has && seen>>place&1 != 0 { // the first of a name has the column
			r.OtherTags = append(r.OtherTags, parquetTag{t.Name, value})
			continue
		}
		if has {
			seen |= 1 << place
		}
		switch c := r.column(t.Name).(type) {
		case nil:
			// A single tag that agrees with the column Result needs no other place.
			taken = t.Name == "Result" && value == g.Result.String() && results == 1
		case *string:
			*c = value
		case **int16:
			if v, err := strconv.ParseInt(value, 10, 16); err == nil {
				*c = new(int16(v))
			}
		case **int32:
			if d, err := time.Parse(dateLayout, value); err == nil {
				*c = new(int32(d.Unix() / 86400))
			}
		case **time.Duration:
			if d, err := time.Parse(time.TimeOnly, value); err == nil {
				*c = new(time.Duration(1000 * (d.Hour()*3600 + d.Minute()*60 + d.Second())))
			}
		}
		if has {
			if taken = value != "" && r.columnText(t.Name) == value; !taken {
				reflect.ValueOf(r).Elem().Field(int(place)).SetZero()
			}
		}
		if !taken {
			r.OtherTags = append(r.OtherTags, parquetTag{strings.ToValidUTF8(t.Name, "\ufffd"), value})
		}
	}
}

var parquetPositionsFormat = format{
	name: "parquet-positions", ext: ".parquet",
	description: "Parquet, a row a position: board, move played, legal moves, result, eval, clock",
	positions:   true, want: wantNotes, side: 2,
	describe: func(*Job) (*Labels, []Array) { return labelsOf(nil), parquetPositionColumns },
	create: func(j *Job, out *output) (sink, error) {
		most := parquetGroupPositions
		if j.Legal {
			most >>= 3
		}
		rows := createRows[parquetPosition](out, most)
		return &parquetPositions{rows: rows, legal: j.Legal}, nil
	},
}

var parquetPositionColumns = []Array{
	{"file", "string", nil, "the archive"},
	{"game", "uint64", nil, "the number of the game in it, from 1"},
	{"ply", "uint32", nil, "plies before the position"},
	{"board", "32 bytes", nil,
		"a square is four bits, a1 first, low bits first: 0 empty, 1 K, 2 Q, 3 N, 4 B, 5 R, 6 P, and 8 more for Black"},
	{"black", "boolean", nil, "Black is to move"},
	{"castling", "uint8", nil, "1 White short, 2 White long, 4 Black short, 8 Black long"},
	{"en_passant", "uint8", nil, "the file of a pawn that just moved two squares, 1 to 8, or 0"},
	{"halfmoves", "uint16", nil, "plies since a capture or a pawn's move"},
	{"move", "uint16", nil, "the move that was played, as a number of the move index"},
	{"legal_count", "uint8", nil, "the number of legal moves"},
	{"legal", "246 bytes", nil,
		"a bit for each number of the move index, low bits first; null if it was not asked for"},
	{"result", "int8", nil, "from the mover's side: 1 won, 0 drawn, -1 lost; null if not known"},
	{"eval", "int16", nil, "of the position, from the mover's side: hundredths of a pawn, mate in n is 32000 - n, " +
		"being mated -32000 + n; or null"},
	{"clock", "int32", nil, "after the move, hundredths of a second; or null"},
}

type parquetPosition struct {
	File       string   `parquet:"file,dict"`
	Game       uint64   `parquet:"game,dict"`
	Ply        uint32   `parquet:"ply,dict"`
	Board      [32]byte `parquet:"board"`
	Black      bool     `parquet:"black"`
	Castling   uint8    `parquet:"castling,dict"`
	EnPassant  uint8    `parquet:"en_passant,dict"`
	Halfmoves  uint16   `parquet:"halfmoves,dict"`
	Move       uint16   `parquet:"move,dict"`
	LegalCount uint8    `parquet:"legal_count,dict"`
	Legal      []byte   `parquet:"legal,optional"`
	Result     *int8    `parquet:"result,optional,dict"`
	Eval       *int16   `parquet:"eval,optional"`
	Clock      *int32   `parquet:"clock,optional"`
}

type parquetPositions struct {
	ofPositions
	rows[parquetPosition]
	legal bool
}

const parquetGroupPositions = 1 << 17

func (w *parquetPositions) sample(s *sample) error {
	r := &w.row[w.n]
	*r = parquetPosition{File: w.sources[s.source], Game: uint64(s.number), Ply: s.ply, Board: packBoard(&s.at),
		Black:    s.at.Turn() == chess.Black,
		Castling: uint8(s.at.Castling()), EnPassant: uint8(s.at.EnPassantFile()),
		Halfmoves: uint16(s.at.HalfmoveClock()), Move: uint16(s.played),
		LegalCount: uint8(s.at.CountLegal())}
	if w.legal {
		r.Legal = appendLegal(nil, &s.at)
	}
	if v, known := s.outcome(); known {
		r.Result = new(int8(v))
	}
	if v := s.own(); v != NoScore {
		r.Eval = new(v.short())
	}
	if s.clock != NoClock {
		r.Clock = new(s.clock)
	}
	return w.next()
}

func packBoard(p *position.Position) (b [32]byte) {
	kind0, kind1, kind2, black := p.Planes()
	for s := range 64 {
		v := byte(kind0>>s&1 | kind1>>s&1<<1 | kind2>>s&1<<2 | black>>s&1<<3)
		b[s/2] |= v << (s % 2 * 4)
	}
	return b
}
