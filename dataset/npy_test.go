// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/query"
)

// checkArrays compares the data sets of jobs, each of at least 100 rows, with what python-chess works out of the games,
// of which those are left out that it reads otherwise.
func checkArrays(t *testing.T, jobs []dataset.Job, parts ...[]byte) {
	t.Helper()
	py, dir := testenv.Python(t), t.TempDir()
	var all, index bytes.Buffer
	var sources []query.Source
	for k, part := range parts {
		begin := all.Len()
		for _, g := range validGames(t, pack(t, part, 1000, false)) {
			if !g.Start.IsChess960() && g.Start.Occupied().Count() <= 32 &&
				!strings.Contains(g.Tag("Variant"), "Chess960") {
				all.WriteString(textOf(g))
			}
		}
		sources = append(sources, sourceOf(fmt.Sprint(k), pack(t, all.Bytes()[begin:], 8+8*k, k%2 == 1)))
	}
	for i := range moveindex.Index(1968) {
		m, _ := i.Move()
		fmt.Fprintln(&index, m)
	}
	games, order := filepath.Join(dir, "games.pgn"), filepath.Join(dir, "index.txt")
	err := errors.Join(os.WriteFile(games, all.Bytes(), 0o666), os.WriteFile(order, index.Bytes(), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range jobs {
		set := t.TempDir()
		m := exportTo(t, set, dataset.Options{Job: c}, sources...)
		out, err := exec.Command(py, "-B", "testdata/oracle/arrays.py", games, order, set).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != fmt.Sprint(m.Rows) || m.Rows < 100 {
			t.Errorf("%+v: %v: %s; %d rows", c, err, out, m.Rows)
		}
	}
}

// TestArrays: python-chess works out the same arrays.
func TestArrays(t *testing.T) {
	real, _ := datadir.ReadAll(t, samples.Plain, "pgn", "edge", "pgn-extract", "petrosian.pgn")
	path, _ := datadir.PathOr(samples.Annotated, "pgn", "annotated", "lichess-1k.pgn.zst")
	lichess := readText(t, path, 60_000)
	under, _ := datadir.ReadAll(t, samples.Promotions, "pgn", "edge", "gnuchess_underpromotions.pgn")
	checkArrays(t, []dataset.Job{
		{Format: "npy", Legal: true},
		{Format: "npz", Legal: true, Labels: "lc0", Planes: "bytes", FromPly: 3, ToPly: 41, Every: 4, Shards: 3,
			Shuffle: true, Seed: 9},
		{Format: "npy", Legal: true, Labels: "alphazero", Planes: "bits", Dedupe: true},
		{Format: "npy", Labels: "zeta36", Legal: true, Planes: "none", Every: 7, Shards: 2},
		{Format: "npz", Labels: "lc0", Planes: "lc0", Every: 3, Shuffle: true, Seed: 2},
		{Format: "npy", Labels: "index", Planes: "lc0-bytes", FromPly: 2, Every: 5},
		{Format: "npz", Labels: "searchless-chess", Planes: "bits", FromPly: 10, Shuffle: true, Seed: 1},
	}, bytes.Join([][]byte{[]byte(text), real[:6000], []byte("\n\n")}, nil),
		bytes.Join([][]byte{lichess[:25_000], []byte("\n\n"), under[:9000], []byte("\n\n")}, nil))
}

// TestChoice: python-chess chooses the same positions of the games.
func TestChoice(t *testing.T) {
	path, _ := datadir.PathOr(samples.Annotated, "pgn", "annotated", "lichess-1k.pgn.zst")
	jobs := []dataset.Job{
		{Sample: 0.3, Shuffle: true, Seed: 5},
		{Only: []string{"quiet", "eval"}, MaxEval: 150, WDL: "stockfish-17"},
		{Only: []string{"no-check"}, PerGame: 3, LabelType: "int32", WDL: "lichess", Shuffle: true, Seed: 7, Shards: 3},
		{Weights: []string{"rating=-1500:0.5", "result=draw:0.25", "result=white:0"}, Every: 2, Sample: 0.9,
			LabelType: "int64"},
		{Split: "0-0.7", PerGame: 5, Sample: 0.5, Only: []string{"quiet"}, LabelType: "int16"},
		{Split: "0.7-1", FromPly: 9, ToPly: 60, Every: 3, Augment: []string{"colors"}},
		{Augment: []string{"files", "colors"}, PerGame: 9, WDL: "stockfish-17", Shuffle: true},
	}
	for i := range jobs {
		jobs[i].Format = "npz"
	}
	checkArrays(t, jobs, append([]byte(rules+"\n\n"), readText(t, path, 200_000)...))
}

// frozenArrays are the hashes of what text gives. They never change.
var frozenArrays = map[string]string{
	"planes.npy":                  "cee0bae0c004539c4b54e3afa84e6bcdfafa81f66c9a9a8eab97a1d5261269a9",
	"state.npy":                   "983a3dcc213bcdbbc7f440d7f03f7b2bc6af97b5afa092617d3508108919c430",
	"index.labels.npy":            "550891b6b915e310d4e4c13d70f8d0b0ab45796365884efcb529c4cbb1fb1c0b",
	"index.legal.npy":             "9d44afaea6193f444b2f80a4ca64dd49ad76bb651e4c5b8c0ce3fa1a43ee111c",
	"result.npy":                  "c6839c6b58fc3d79d95117a0285ec1949cf442073886bb1229878105fb251508",
	"eval.npy":                    "7a17de107b206b639767f567fde05f2c822cdd8e3e3b15dd54af92b14e23a4eb",
	"game.npy":                    "9b7413ee3b16ecaef2d9da0b92e3782255b8a03401cba7f203952dceb943ee91",
	"ply.npy":                     "24912f6f524ab22b0b6dc351dbfa29e2c15647359aee2abb8925ec01d25e467f",
	"turned.planes.npy":           "44e1dd7308ce5238f6bd47d3cd3a9cbd359121062900f54f12f9875f5cd9a69a",
	"turned.state.npy":            "060487d5fcfd8637484e0ff6d204876a626d2f0ba1c26793312df57ae4bdf05c",
	"lc0.labels.npy":              "0ddb84e9628ef83e7c12f0a10dc991a7e9fb822f02002750ac0aaf81de059307",
	"lc0.legal.npy":               "352915af779f1d9f2db5b995775fc4f57bd8158154bd25c8309539eb12c21f93",
	"alphazero.labels.npy":        "cfc77403ad66d678329ec30252547cb743c4501ddb43a9920bbe7d45b7ad75b3",
	"alphazero.legal.npy":         "b3f0c1be6bec9546a1b6113369c04221c2a00c10c51a3725610b45011c89d60f",
	"zeta36.labels.npy":           "1d08d65ec588beacc241cb783416263a4d50e25bdb8a30f5ecec25af343d11f0",
	"zeta36.legal.npy":            "6321c6d11289c2cc9525eddd97d31fb8e3131ebcaf6bcdc7d0161f24323d35ba",
	"searchless-chess.labels.npy": "30597a3f66da0409d77125b574b7b6b4d1c5ca9c9d6b401e6eed190124be9f00",
	"searchless-chess.legal.npy":  "fc897820153a8449d1877b7b913338e5c7a82e39afddd6349557c66699117eb0",
}

func TestFrozenArrays(t *testing.T) {
	for _, labels := range dataset.LabelNames() {
		m := exportTo(t, t.TempDir(), dataset.Options{Job: dataset.Job{Format: "npy", Labels: labels, Legal: true}},
			sourceOf("a", pack(t, []byte(text), 2, false)))
		for _, f := range m.Shards[0].Files {
			_, name, _ := strings.Cut(f.Name, ".")
			switch {
			case name == "labels.npy" || name == "legal.npy":
				name = labels + "." + name
			case m.Labels.SideToMove && (name == "planes.npy" || name == "state.npy"):
				name = "turned." + name
			}
			if want, ok := frozenArrays[name]; !ok || want != f.SHA256 {
				t.Errorf("\t%q: %q,", name, f.SHA256)
			}
		}
	}
}

// TestFrozenInputs: lc0's planes never change.
func TestFrozenInputs(t *testing.T) {
	for planes, want := range map[string]string{
		"bytes":     "a44209f26ef4449838705f5ff1c05beda10ac8811b6d232da1b87eb359027d82",
		"lc0":       "ca8a25f0039c77a7d745b619420e1604fdf063f9e53ac37a84a63a7793761c57",
		"lc0-bytes": "f33ba525caefe65d063a4cacab19bb0ede889c7ad37116fe62fe7f42b7966b83",
	} {
		m := exportTo(t, t.TempDir(), dataset.Options{Job: dataset.Job{Format: "npy", Planes: planes}},
			sourceOf("a", pack(t, []byte(text+"\n\n"+rules), 2, false)))
		if f := m.Shards[0].Files[0]; f.SHA256 != want {
			t.Errorf("%s: %s is %s", planes, f.Name, f.SHA256)
		}
	}
}

// TestNPZ: an npz has the arrays of npy, with right checksums.
func TestNPZ(t *testing.T) {
	data := sourceOf("a", pack(t, bytes.Repeat(manyGames(100), 5), 64, false))
	for _, planes := range []string{"none", "bits", "lc0", "lc0-bytes"} {
		want := map[string]string{}
		dir := t.TempDir()
		exportTo(t, dir, dataset.Options{Job: dataset.Job{Format: "npy", Planes: planes}}, data)
		for name, b := range files(t, dir) {
			if _, name, ok := strings.Cut(name, "."); ok && name != "json" && name != "txt" {
				want[name] = b
			}
		}
		path := filepath.Join(t.TempDir(), "a.npz")
		exportTo(t, path, dataset.Options{Job: dataset.Job{Format: "npz", Planes: planes}, Single: true}, data)
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(r) // verifies the CRC
			if err != nil || string(b) != want[f.Name] || f.Method != zip.Store {
				t.Errorf("%s: %s: %v, %d bytes, want %d", planes, f.Name, err, len(b), len(want[f.Name]))
			}
			delete(want, f.Name)
		}
		if len(want) > 0 {
			t.Errorf("%s: %d arrays are missing", planes, len(want))
		}
	}
}
