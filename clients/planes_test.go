// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
	"ply11/internal/samples"
	"ply11/query"
)

// arrays exports the games of an archive, and returns the rows of each array, by game.
func arrays(t *testing.T, data []byte, job dataset.Job) map[string][][]byte {
	t.Helper()
	dir := t.TempDir()
	job.Format = "npy"
	source := query.Source{Name: "games.p11", Reader: bytes.NewReader(data), Size: int64(len(data))}
	m, err := dataset.Export(t.Context(), query.New(), []query.Source{source}, dataset.Options{Job: job, Output: dir})
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]byte)
	for _, f := range m.Shards[0].Files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Split(f.Name, ".")[1]
		all[name] = b[128:] // the header has this size
	}
	numbers := all["game"]
	rows := len(numbers) / 8
	list := make(map[string][][]byte)
	for name, b := range all {
		size := len(b) / rows
		for row := 0; row < rows; {
			first, number := row, binary.LittleEndian.Uint64(numbers[8*row:])
			for row < rows && binary.LittleEndian.Uint64(numbers[8*row:]) == number {
				row++
			}
			list[name] = append(list[name], b[size*first:size*row])
		}
	}
	return list
}

// TestPlanes compares planes, states, labels and masks of labels with what package dataset exports: of random games,
// and of games that begin anywhere, repeat positions, and castle.
func TestPlanes(t *testing.T) {
	text := "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 d5 6. e5 f5 7. exf6 Nc6 8. Nf3 Bg4 9. Be2 Qd7 10. O-O " +
		"O-O-O *\n\n" +
		"[FEN \"r3k2r/8/8/8/4pPp1/8/8/R3K2R b KQkq f3 0 1\"]\n\n1... Ke7 2. Ke2 Ke8 3. Ke1 Ke7 4. Ke2 Ke8 5. Ke1 g3 " +
		"*\n\n" +
		"[FEN \"4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1\"]\n\n1... Kd7 2. Kd2 Ke8 3. Ke1 Kd7 4. Kd2 *\n\n" +
		string(samples.File(samples.Setup)) + string(samples.File(samples.Promotions))
	for n := 0; n < 960; n += 37 { // 518 has the pieces of standard chess
		text += string(pgn.AppendGame(nil, gamegen.Chess960(n), &pgn.Style{})) + "\n"
	}
	var packed bytes.Buffer
	if _, err := archive.Pack(context.Background(), &packed, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var list []*played
	for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
		if err != nil {
			t.Fatal(err)
		}
		// A row is a position with a move: null moves have none.
		if moves := g.AppendMainLine(nil); len(moves) > 0 {
			list = append(list, &played{g.Start, moves})
		}
	}
	var in, want strings.Builder
	plain := arrays(t, packed.Bytes(), dataset.Job{Labels: "index", Planes: "bits", Legal: true})
	labels := map[string]map[string][][]byte{"index": plain}
	for _, name := range dataset.LabelNames()[1:] {
		labels[name] = arrays(t, packed.Bytes(), dataset.Job{Labels: name, Planes: "bits", Legal: true})
	}
	lc0 := arrays(t, packed.Bytes(), dataset.Job{Planes: "lc0"})
	if len(plain["planes"]) != len(list) {
		t.Fatalf("%d games in the arrays, %d games", len(plain["planes"]), len(list))
	}
	for i, g := range list {
		in.WriteString(g.line())
		turned := labels["lc0"]
		fmt.Fprint(&want, fnv64(plain["planes"][i]), " ", fnv64(plain["state"][i]), " ", fnv64(turned["planes"][i]),
			" ", fnv64(turned["state"][i]), " ", fnv64(lc0["planes"][i]))
		for _, name := range dataset.LabelNames() {
			b := labels[name]["labels"][i]
			for k := 0; k < len(b); k += 2 {
				fmt.Fprintf(&want, "%c%d", " ,"[min(k, 1)], binary.LittleEndian.Uint16(b[k:]))
			}
			fmt.Fprint(&want, " ", fnv64(labels[name]["legal"][i]))
		}
		want.WriteByte('\n')
	}
	eachBuild(t, func(t *testing.T, b *build) { sameLines(t, b.driver(t, in.String(), "planes"), want.String()) })
}
