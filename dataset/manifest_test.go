// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/dataset"
	"ply11/game"
	"ply11/moveindex"
	"ply11/query"
)

// TestWithoutHash: an archive without a hash of its text is known by its digest.
func TestWithoutHash(t *testing.T) {
	of := func(player string) query.Source {
		g := game.New()
		g.SetTag("White", player)
		return sourceOf("a", archiveOf(t, g))
	}
	one, other := of("Anna"), of("Nana")
	o := dataset.Options{Job: dataset.Job{Format: "jsonl"}, Output: t.TempDir()}
	m := exportTo(t, o.Output, o, one)
	if in := m.Inputs[0]; in.SHA256 != "" || len(in.Digest) != 32 || one.Size != other.Size {
		t.Fatalf("%+v of %d bytes: it does not test archives without a hash, of one size", in, other.Size)
	}
	if _, err := export(t, other, o); !errors.Is(err, dataset.ErrOther) {
		t.Errorf("another archive: %v", err)
	}
	exportTo(t, o.Output, o, one)
}

// TestManifest: the manifest has options, inputs, orders of labels and moves, and bytes and hashes of files.
func TestManifest(t *testing.T) {
	data := [][]byte{pack(t, []byte(text), 2, false), pack(t, manyGames(30), 8, true)}
	dir := t.TempDir()
	o := dataset.Options{Job: dataset.Job{Format: "npy", Shards: 3, Shuffle: true, Seed: 9, Labels: "lc0",
		Planes: "none", Legal: true, Every: 2, Dedupe: true, Filters: []string{"--plies", "0-"}}}
	returned := exportTo(t, dir, o, sourceOf("some/where/a.p11", data[0]), sourceOf("b.p11", data[1]))
	m, err := dataset.ReadManifest(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := o.Job
	if !m.Complete || !returned.Same(m) || m.Job.Seed != 9 || !slices.Equal(m.Job.Filters, want.Filters) ||
		!m.Job.Dedupe || m.Job.Every != 2 {
		t.Errorf("%+v", m.Job)
	}
	if m.MoveOrder.Moves != 1968 || m.MoveOrder.TableSHA256 != moveindex.TableSHA256 {
		t.Errorf("%+v", m.MoveOrder)
	}
	if l := m.Labels; l == nil || l.Name != "lc0" || l.Count != 1858 || len(l.Order) != 1858 || !l.SideToMove {
		t.Errorf("%+v", l)
	} else {
		for i, s := range l.Order {
			if s != moveindex.LC0.Text(moveindex.Label(i)) {
				t.Errorf("label %d is %s", i, s)
			}
		}
	}
	if len(m.Inputs) != 2 || m.Inputs[0].Name != "a.p11" || m.Inputs[0].Bytes != int64(len(data[0])) ||
		m.Inputs[0].Games != 5 || m.Inputs[1].Games != 30 ||
		m.Inputs[1].SHA256 != fmt.Sprintf("%x", sha256.Sum256(manyGames(30))) {
		t.Errorf("%+v", m.Inputs)
	}
	rows := 0
	there := files(t, dir)
	for i, s := range m.Shards {
		if s.Number != i+1 || len(s.Files) != len(m.Arrays) {
			t.Errorf("%+v", s)
		}
		rows += s.Rows
		for _, f := range s.Files {
			b := there[f.Name]
			if int64(len(b)) != f.Bytes || fmt.Sprintf("%x", sha256.Sum256([]byte(b))) != f.SHA256 {
				t.Errorf("%+v: %d bytes", f, len(b))
			}
			delete(there, f.Name)
		}
	}
	delete(there, "labels.txt")
	if delete(there, "manifest.json"); len(there) != 0 || len(m.Shards) != 3 || m.Rows != rows || m.Games != 35 ||
		rows == 0 || int64(rows+m.Duplicates) >= m.Plies {
		t.Errorf("%d games, %d plies, %d rows, %d in the shards; %d files that it does not name", m.Games, m.Plies,
			m.Rows, rows, len(there))
	}
}

// TestProgress: progress rises to all bytes, games and plies.
func TestProgress(t *testing.T) {
	data := pack(t, manyGames(100), 8, false)
	o := dataset.Options{Job: dataset.Job{Format: "jsonl", Shards: 4}, Output: t.TempDir(), Workers: 2}
	var bytes, plies int64
	var games int
	o.Progress = func(b int64, g int, p int64) {
		if b < bytes || g < games || p < plies {
			t.Errorf("from %d bytes, %d games, %d plies to %d, %d, %d", bytes, games, plies, b, g, p)
		}
		bytes, games, plies = b, g, p
	}
	m, err := export(t, sourceOf("a", data), o)
	if err != nil {
		t.Fatal(err)
	}
	if bytes == 0 || games == 0 || games > m.Games || plies > m.Plies {
		t.Errorf("%d bytes, %d games, %d plies", bytes, games, plies)
	}
}

// TestDescribed: Parquet's columns are described with their types, and all formats and columns are on the page.
func TestDescribed(t *testing.T) {
	page, err := os.ReadFile("../docs/train.md")
	if err != nil {
		t.Fatal(err)
	}
	named := func(what, name string) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/train.md lacks %s %s", what, name)
		}
	}
	for name, row := range map[string]any{
		"parquet": dataset.ParquetGame{}, "parquet-positions": dataset.ParquetPosition{},
	} {
		var told, has []string
		for _, c := range dataset.Described(name) {
			if name, _, tags := strings.Cut(c.Name, " … "); !tags {
				told = append(told, name+" "+c.Type)
			}
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(row)) {
			column, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			named("the column", column)
			// The tags that the Lichess sets have are described together.
			_, tag := dataset.TagColumns[column]
			if !tag && column != "Result" || column == "Date" || column == "Round" {
				has = append(has, column+" "+typeName(f.Type))
			}
		}
		slices.Sort(told)
		slices.Sort(has)
		if diff := cmp.Diff(has, told); diff != "" {
			t.Errorf("%s: -there +described\n%s", name, diff)
		}
	}
	for _, f := range dataset.Formats() {
		named("the format", f.Name)
		for _, c := range dataset.Described(f.Name) {
			for name := range strings.SplitSeq(c.Name, " … ") {
				named("the column", name)
			}
		}
	}
}

// typeName is the name that descriptions have for a type.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Bool:
		return "boolean"
	case reflect.Array:
		return fmt.Sprintf("%d bytes", t.Len())
	case reflect.Struct:
		return "name and value"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return fmt.Sprintf("%d bytes", (moveindex.NumMoves+7)/8)
		}
		return "list of " + typeName(t.Elem())
	}
	return t.Name()
}
