// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/bounded"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/query"
)

// exportOne exports an archive into one file, and returns its bytes.
func exportOne(t testing.TB, j dataset.Job, data []byte) []byte {
	t.Helper()
	q := query.New()
	q.Invalid(query.SkipInvalid)
	var out bytes.Buffer
	if _, err := dataset.Export(t.Context(), q, []query.Source{sourceOf("a.p11", data)},
		dataset.Options{Job: j, Stream: &out}); err != nil && !errors.Is(err, codec.ErrLoss) {
		t.Fatal(err)
	}
	return out.Bytes()
}

// parquetImporter is the importer of Parquet.
var parquetImporter = dataset.Importers()[slices.IndexFunc(dataset.Importers(), func(i dataset.Importer) bool {
	return i.Name == "parquet"
})]

// imported reads a file.
func imported(name string, file []byte) (list []*game.Game, err error) {
	for i := range dataset.Importers() {
		if dataset.Importers()[i].Name == name {
			for g, bad := range dataset.Importers()[i].Games(bytes.NewReader(file), int64(len(file))) {
				if bad != nil {
					return list, bad
				}
				list = append(list, g)
			}
			return list, nil
		}
	}
	panic(name)
}

// validGames returns the games of an archive, nil for invalid ones.
func validGames(t testing.TB, data []byte) (list []*game.Game) {
	t.Helper()
	s := archive.NewScanner(bytes.NewReader(data))
	for {
		b, err := s.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= b.Len(); i++ {
			x, _, err := b.Exception(i)
			if err != nil {
				t.Fatal(err)
			}
			if x.Invalid {
				continue
			}
			list = append(list, nil)
			if g := game.New(); !x.Partial {
				if err := b.Game(i, g); err != nil {
					t.Fatal(err)
				}
				list[len(list)-1] = g
			}
		}
	}
}

// asWritten is a game as movetext gives it back, with other white space.
func asWritten(g *game.Game) *game.Game {
	o := g.Clone()
	for i := range o.Tags {
		o.Tags[i].Value = strings.Join(strings.Fields(o.Tags[i].Value), " ")
	}
	return o
}

// written is a file of rows.
func written[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	_, err := w.Write(rows)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestParquetBack reads the Parquet of every file of games back: with movetext games are the same, without the main
// line, tags, evals and clocks.
func TestParquetBack(t *testing.T) {
	for _, path := range gameFiles(t) {
		data := pack(t, readText(t, path, most(60_000)), 100, false)
		want := validGames(t, data)
		for _, without := range []bool{false, true} {
			got, err := imported("parquet", exportOne(t, dataset.Job{Format: "parquet", NoMovetext: without}, data))
			if err != nil {
				t.Errorf("%s, without movetext %v: game %d: %v", path, without, len(got)+1, err)
				continue
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d games, want %d", path, len(got), len(want))
				continue
			}
			for i, g := range got {
				w := want[i]
				if w == nil {
					continue
				}
				if !without {
					if d := asWritten(g).Diff(asWritten(w)); d != "" {
						t.Errorf("%s: game %d: %s", path, i+1, d)
					}
					continue
				}
				if !slices.Equal(g.AppendMainLine(nil), w.AppendMainLine(nil)) || g.Start != w.Start ||
					g.Result != w.Result || !slices.Equal(g.Tags, w.Tags) {
					t.Errorf("%s: game %d: %v, want %v", path, i+1, g.Tags, w.Tags)
				}
				if !slices.Equal(dataset.NotesOf(g), dataset.NotesOf(w)) {
					t.Errorf("%s: game %d: %v, want %v", path, i+1, dataset.NotesOf(g), dataset.NotesOf(w))
				}
			}
		}
	}
}

// TestParquetBits: a ply takes at most 11.1 bits in the column of moves.
func TestParquetBits(t *testing.T) {
	path := datadir.Path(t, "pgn", "master", "master-50k.pgn.zst")
	data := pack(t, readText(t, path, 6_000_000), 1024, false)
	file := exportOne(t, dataset.Job{Format: "parquet", NoMovetext: true}, data)
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	bytes, plies := int64(0), int64(0)
	for _, group := range f.Metadata().RowGroups {
		for _, c := range group.Columns {
			if path := fmt.Sprint(c.MetaData.PathInSchema); path != "[moves list element]" {
				continue
			}
			bytes += c.MetaData.TotalCompressedSize
			plies += c.MetaData.NumValues
			if e := fmt.Sprint(c.MetaData.Encoding); !strings.Contains(e, "RLE_DICTIONARY") {
				t.Errorf("the encodings are %s", e)
			}
		}
	}
	bits := 8 * float64(bytes) / float64(plies)
	t.Logf("%.2f bits a ply, of %d plies", bits, plies)
	if bits > 11.1 || plies < 300_000 {
		t.Errorf("%.2f bits a ply, of %d plies", bits, plies)
	}
}

// TestParquetRows: wrong rows are errors of one game.
func TestParquetRows(t *testing.T) {
	eval, clock := int16(5), int32(100)
	good := dataset.ParquetGame{Result: "1-0", Moves: []uint16{396, 1460}}
	bad := []dataset.ParquetGame{
		{Result: "2-0"}, {Moves: []uint16{396, 396}}, {Moves: []uint16{moveindex.NumMoves}}, {Moves: []uint16{65535}},
		{Moves: []uint16{396}, Evals: []*int16{}},
		{Moves: []uint16{396}, Clocks: []*int32{&clock, &clock}}, {Moves: []uint16{396}, Evals: []*int16{&eval, nil}},
		{FEN: "x"}, {Movetext: "1. e4 e5 1-0", Moves: []uint16{396}}, {Movetext: "1. e5 1-0"},
		{Movetext: "1. e4 *\n\n[Event \"?\"]\n\n1. d4 *"},
		{FEN: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", OtherTags: []dataset.ParquetTag{
			{"FEN", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"}}},
	}
	var rows []dataset.ParquetGame
	for _, r := range bad {
		rows = append(rows, r, good)
	}
	file := written(t, rows, dataset.GameSchema)
	n := 0
	for g, err := range parquetImporter.Games(bytes.NewReader(file), int64(len(file))) {
		if n++; n%2 == 0 {
			if err != nil || g.Len() != 2 {
				t.Errorf("row %d: %v", n, err)
			}
			continue
		}
		var e *codec.Error
		if !errors.As(err, &e) || e.Game != n || strings.Contains(err.Error(), "\n") {
			t.Errorf("row %d: %+v is read: %v", n, bad[n/2], err)
		}
	}
	if n != 2*len(bad) {
		t.Errorf("%d rows", n)
	}
}

// smallParquet are small files: with and without movetext, and of the Lichess sets' columns alone.
func smallParquet(t testing.TB) [][]byte {
	data := pack(t, []byte(text), 2, false)
	type others struct {
		Event    string `parquet:"Event,optional"`
		WhiteElo *int16 `parquet:"WhiteElo,optional"`
		Movetext string `parquet:"movetext,optional"`
	}
	small := written(t, []others{{"e", new(int16(2000)), "1. e4 { [%eval 0.1] [%clk 0:00:30] } 1... e5 1-0"},
		{"", nil, "1. d4"}})
	return [][]byte{exportOne(t, dataset.Job{Format: "parquet"}, data),
		exportOne(t, dataset.Job{Format: "parquet", NoMovetext: true}, data), small}
}

// TestParquetOthers reads the Lichess sets' columns alone.
func TestParquetOthers(t *testing.T) {
	list, err := imported("parquet", smallParquet(t)[2])
	if err != nil || len(list) != 2 {
		t.Fatal(err, len(list))
	}
	if g := list[0]; g.Tag("Event") != "e" || g.Tag("WhiteElo") != "2000" || g.Result != game.WhiteWins ||
		g.Len() != 2 || dataset.NotesOf(g)[1] != [2]int{10, 3000} {
		t.Errorf("%v, %v", g.Tags, dataset.NotesOf(g))
	}
	if g := list[1]; len(g.Tags) != 0 || g.Len() != 1 || g.Result != game.Unknown {
		t.Errorf("%v", g.Tags)
	}
}

// TestParquetRewritten reads files that DuckDB, pyarrow and polars write again in all codecs, pages, dictionaries,
// units, types and groups.
func TestParquetRewritten(t *testing.T) {
	py := testenv.Python(t)
	text, err := os.ReadFile(filepath.Join("testdata", "rewritten.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	data := pack(t, text, 2, false)
	dir := t.TempDir()
	file := filepath.Join(dir, "games.parquet")
	exportTo(t, file, dataset.Options{Job: dataset.Job{Format: "parquet"}, Single: true}, sourceOf("a", data))
	cmd := exec.Command(py, "-B", "testdata/oracle/rewrite.py", file, dir)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	names := strings.Fields(string(out))
	if len(names) < 55 {
		t.Errorf("%d files", len(names))
	}
	for _, name := range names {
		less := strings.HasPrefix(name, "less") // without UTCTime, the tags that have no columns, and their order
		want := validGames(t, data)
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := imported("parquet", file)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %v, %d games of %d", name, err, len(got), len(want))
			continue
		}
		for i, g := range got {
			w := want[i]
			if less {
				for _, h := range []*game.Game{g, w} {
					h.Tags = slices.DeleteFunc(h.Tags, func(tag game.Tag) bool {
						_, has := dataset.TagColumns[tag.Name] // FEN and SetUp come from the start
						return !has && tag.Name != "Result" || tag.Name == "UTCTime"
					})
					slices.SortFunc(h.Tags, func(a, b game.Tag) int { return strings.Compare(a.Name, b.Name) })
				}
			}
			if textOf(g) != textOf(w) {
				t.Errorf("%s: game %d is %q, want %q", name, i+1, textOf(g), textOf(w))
			}
		}
	}
}

// TestParquetWork: a small file of very many or long rows is given up.
func TestParquetWork(t *testing.T) {
	type others struct {
		Event    string   `parquet:"Event,optional,dict"`
		Movetext string   `parquet:"movetext,optional,dict"`
		Moves    []uint16 `parquet:"moves,list,dict"`
	}
	long := strings.Repeat("x", 1<<14)
	moves := make([]uint16, 10_000)
	text := strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 1000) + "*"
	for what, c := range map[string]struct {
		rows int
		row  others
	}{"empty games": {400_000, others{}}, "a long name": {3000, others{Event: long}},
		"a long text": {3000, others{Movetext: text}}, "long lists": {1000, others{Moves: moves}},
		"few games": {1000, others{Event: "a", Movetext: "1. e4 e5 *"}}} {
		file := written(t, slices.Repeat([]others{c.row}, c.rows), parquet.Compression(&parquet.Zstd),
			parquet.PageBufferSize(1<<30))
		n := 0
		var last error
		for _, err := range parquetImporter.Games(bytes.NewReader(file), int64(len(file))) {
			n++
			last = err
		}
		most := (dataset.WorkBytes + dataset.WorkTimes*len(file)) / (dataset.RowWork + len(c.row.Event) +
			len(c.row.Movetext) + 8*len(c.row.Moves))
		if what == "few games" {
			if n != c.rows || last != nil {
				t.Errorf("%s: %d rows, %v", what, n, last)
			}
			continue
		}
		if !errors.Is(last, codec.ErrCorrupt) || n > most+1 {
			t.Errorf("%s: %d bytes make %d rows, %v; at most %d are read", what, len(file), n, last, most)
		}
	}
}

// TestLongMovetext: a movetext beyond 4 MiB is an error of its game.
func TestLongMovetext(t *testing.T) {
	movetext := func(n int) string {
		size := (n - len("1. e4 *")) / 20
		text := "1. e4 "
		for range 19 {
			text += "{" + strings.Repeat("x", size-3) + "} "
		}
		return text + "{" + strings.Repeat("x", n-len(text)-4) + "} *"
	}
	for size, want := range map[int]error{1<<20 - 1: nil, 1<<20 + 1: nil, 3 << 20: nil, dataset.MaxMovetext: nil,
		dataset.MaxMovetext + 1: dataset.ErrText} {
		file := written(t, []dataset.ParquetGame{{Result: "*", Movetext: movetext(size),
			OtherTags: []dataset.ParquetTag{{"X", strings.Repeat("y", 1000)}}}}, dataset.GameSchema,
			parquet.Compression(&parquet.Zstd))
		list, err := imported("parquet", file)
		if !errors.Is(err, want) || want == nil && (len(list) != 1 || list[0].Len() != 1) {
			t.Errorf("%d bytes: %d games, %v", size, len(list), err)
		}
	}
}

// TestParquetMost: rows and pages of much memory are refused.
func TestParquetMost(t *testing.T) {
	moves := make([]uint16, 2<<20)
	half := make([]uint16, 400_000)
	texts := strings.Repeat("x", 1<<20)
	var large []dataset.ParquetGame
	for i := range 20 {
		s := texts[i:]
		large = append(large, dataset.ParquetGame{Event: s, White: s, Black: s, ECO: s, Opening: s, Termination: s})
	}
	if !testenv.Long {
		large = nil // it takes a second to write
	}
	for _, c := range []struct {
		what string
		rows []dataset.ParquetGame
		want string
	}{
		{"many moves in a game", []dataset.ParquetGame{{Moves: moves}}, "a row of"},
		{"two lists", []dataset.ParquetGame{{Moves: half, Clocks: make([]*int32, 700_000)}}, "a row of"},
		{"many tags", []dataset.ParquetGame{{OtherTags: slices.Repeat([]dataset.ParquetTag{{"A", texts}}, 40)}},
			"a row of"},
		{"large dictionaries", large, "pages of"},
	} {
		if c.rows == nil {
			continue
		}
		file := written(t, c.rows, dataset.GameSchema, parquet.PageBufferSize(1<<27),
			parquet.Compression(&parquet.Zstd))
		if _, err := imported("parquet", file); !errors.Is(err, codec.ErrCorrupt) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// tryParquet reads any file: it is an error of one line, or games.
func tryParquet(t *testing.T, file []byte) {
	for g, err := range parquetImporter.Games(bytes.NewReader(file), int64(len(file))) {
		if err == nil && g == nil {
			t.Fatal("neither a game nor an error")
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("%q", err.Error())
		}
		if err != nil && !codec.IsGameError(err) && !errors.Is(err, codec.ErrCorrupt) &&
			!errors.Is(err, dataset.ErrOrder) && !errors.Is(err, dataset.ErrCompression) {
			t.Fatal(err)
		}
	}
}

// TestParquetDamage cuts a file off, and changes each of some hundred bytes.
func TestParquetDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, file := range smallParquet(t) {
		for n := 0; n < len(file); n += 1 + rng.IntN(testenv.Pick(20, 120)) {
			if _, err := imported("parquet", file[:n]); !errors.Is(err, codec.ErrCorrupt) {
				t.Fatalf("cut off after %d of %d bytes: %v", n, len(file), err)
			}
			other := slices.Clone(file)
			other[n] ^= 1 << rng.IntN(8)
			tryParquet(t, other)
			other[n] = 0xff
			tryParquet(t, other)
		}
	}
}

func FuzzParquet(f *testing.F) {
	for _, file := range smallParquet(f) {
		f.Add(file)
	}
	bounded.Fuzz(f, tryParquet)
}
