// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/dataset"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/bounded"
	"ply11/internal/testenv"
	"ply11/position"
)

// engineFormats are the formats of engines, which are written and read.
var engineFormats = []string{"binpack", "bin", "viriformat", "lc0"}

// rules are games with castlings, promotions, captures en passant (legal, illegal, pinned), checks, a clock, and mates.
const rules = `[Result "1-0"]

1. e4 {[%eval 0.3]} c5 {[%eval 0.25]} 2. e5 {[%eval 0.2]} d5 {[%eval 0.5]} 3. exd6 {[%eval -0.5]} Nf6 {[%eval -327.67]} 4. dxe7 {[%eval 300]}
Qd7 {[%eval -300]} 5. exf8=N {[%eval #3]} Kxf8 {[%eval #-2]} 6. Nf3 {[%eval #-122]} Nc6 {[%eval #122]} 7. Be2 {[%eval #-500]} b6 {[%eval #1]} 8. O-O
Bb7 {[%eval #-1]} 9. d4 1-0

[Result "0-1"]
[SetUp "1"]
[FEN "r3k2r/1P4p1/8/8/5pP1/8/1p6/R3K2R b KQkq g3 30 8000"]

8000... fxg3 8001. O-O bxa1=Q 0-1

[Result "0-1"]
[SetUp "1"]
[FEN "r3k2r/1P4p1/8/5p2/6P1/8/1p6/R3K2R b KQkq - 200 8000"]

{[%eval 1]} 8000... fxg4 {[%eval 2]} 8001. bxa8=R+ {[%eval 0]} Kd7 8002. Rhxh8 bxa1=B 8003. Kf1 0-1

[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"]

1. Kb5 Rh2 2. e6 Rh3 1/2-1/2

[Result "1-0"]
[SetUp "1"]
[FEN "8/2p5/8/KP1p3r/1R3p1k/8/4P1P1/8 w - - 0 1"]

1. e4 f3 2. gxf3 c5 3. bxc6 dxe4 1-0

[Result "1/2-1/2"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"]

1. O-O O-O-O 2. Rf8 Rhxf8 1/2-1/2

`

// withResults are the valid games that have a result.
func withResults(list []*game.Game) (out []*game.Game) {
	for _, g := range list {
		if g != nil && g.Result != game.Unknown {
			out = append(out, g)
		}
	}
	return out
}

// frozenEngines are what rules gives, in hexadecimal, or the SHA-256 of many bytes. They never change.
var frozenEngines = map[string]string{
	"lc0":        "8166d3e815f921299a06ccdcb2bc134e3a24fbb5bed1898550211bad92d4da31",
	"viriformat": "ffff00000000ffff1642256100000000888888889ecaade940000100000002000c07027db2081e001c091900f3081400e44a32007e0bceff2b0dd08afb0c307574cfd08a7c0ffa7c46050483b90af38305030d7c710af383c481ff7c7a0c027dcb06028300000000910200600000429156860880de0e00000000000000000000961e401f000000009d45027dc481027d09f0027d00000000910200402000429156868080de0e00000000000000000000c0c8401f00000000a507640031eec800fc0c0000c70f027d09d0027d4401027d0000000080000000990000005d080b0000000000000000000000000040000100000001006008027de703027d240b027dcf05027d00000000005000a28b00040000835d808b000000000000000000000040000100000002000c07027d5d05027d4e05027db208027da14a027d2307027d00000000910000000000009153e6bd000000000000000000000000004000010000000100c481027d3c8e027d450f027d7f0f027d00000000",
	"bin":        "65003be69967442aea58a36dd52d3033824fbedbb0cb0cfa738fb18a8d2c34aa",
	"binpack":    "42494e5023010000ffff00000000ffff2d844ad200000000111111113e955be30c70fa04800000000010263997fa4caf707ac33fbfe5d510a6c5e429b15ae6b61669164fbd0a8df1e9df1e95fcdaf7eb9a009142000060000291ad1dc110fe0e00000000000000000000dd58fa04be7f001e000275feb0eff5809142002040000291ad1d1010fe0e00000000000000000000257800c7be7f00c80005d618c4321a290d3c37fac37fac0000009900000080ab0107000000000000000000000000002084fa0400000000000382ff5eff5af7fac00004008ba20050000016ab101700000000000000000000000c70fa0480000000000517fac17faf5feb9bfd6eff589100000000000091a6ed7b00000000000000000000000000841cfa040000000000036dfeb6aff5cf7fac",
}

func TestFrozenEngines(t *testing.T) {
	for _, format := range engineFormats {
		file := exportOne(t, dataset.Job{Format: format}, pack(t, []byte(rules), 1000, false))
		if format == "lc0" {
			file = bytes.Join(chunksOf(t, file), nil) // not what a gzip makes of it
		}
		if sum := sha256.Sum256(file); hex.EncodeToString(file) != frozenEngines[format] &&
			hex.EncodeToString(sum[:]) != frozenEngines[format] {
			t.Errorf("%s: %x, %x", format, file, sum)
		}
	}
}

// TestEnginesBack exports every file of games and reads it back: starts, main lines, results and evals (but in lc0) are
// the same. Null moves cut games.
func TestEnginesBack(t *testing.T) {
	for _, path := range gameFiles(t) {
		if testenv.Long {
			testEnginesBack(t, path, 1_000_000, []string{"lc0"}) // 8 kB a ply
			testEnginesBack(t, path, math.MaxInt64, []string{"binpack", "bin", "viriformat"})
			continue
		}
		testEnginesBack(t, path, most(5_000), engineFormats)
	}
}

func testEnginesBack(t *testing.T, path string, size int64, formats []string) {
	data := pack(t, readText(t, path, size), 100, false)
	var want []*game.Game
	cut := false
	for _, g := range withResults(validGames(t, data)) {
		if slices.Contains(g.AppendMainLine(nil), chess.NullMove) {
			cut = true
		} else if g.Len() > 0 {
			want = append(want, g)
		}
	}
	all := want
	for _, format := range formats {
		want := all
		if format == "bin" || format == "lc0" {
			want = slices.DeleteFunc(slices.Clone(all), func(g *game.Game) bool { return g.Start.IsChess960() })
		}
		file := exportOne(t, dataset.Job{Format: format}, data)
		if len(bytes.Trim(file, "\x00")) == 0 {
			continue // no game has a result
		}
		got, err := imported(format, file)
		if err != nil {
			t.Errorf("%s: %s: game %d: %v", path, format, len(got)+1, err)
			continue
		}
		k := 0
		for i, g := range got {
			if k < len(want) && slices.Equal(g.AppendMainLine(nil), want[k].AppendMainLine(nil)) &&
				sameStart(format, &g.Start, &want[k].Start) {
				w := want[k]
				if g.Result != w.Result || format != "lc0" &&
					!slices.Equal(dataset.ShownScores(g), dataset.ShownScores(w)) {
					t.Errorf("%s: %s: game %d: %v %v, want %v %v", path, format, i+1, g.Result, dataset.ShownScores(g),
						w.Result, dataset.ShownScores(w))
				}
				k++
			}
		}
		if k != len(want) {
			t.Errorf("%s: %s: game %d of %d is not among %d", path, format, k+1, len(want), len(got))
		}
		// What came back goes out as it was. lc0 has numbers of the whole game, which a null move cuts.
		if format == "lc0" && cut {
			continue
		}
		var b strings.Builder
		for _, g := range got {
			b.WriteString(textOf(g))
		}
		if again := exportOne(t, dataset.Job{Format: format}, pack(t, []byte(b.String()), 1000, false)); !bytes.Equal(
			again, file) {
			t.Errorf("%s: %s: another file the second time", path, format)
		}
	}
}

// sameStart reports whether a start comes back as far as a format has it.
func sameStart(format string, got, want *position.Position) bool {
	clock := want.HalfmoveClock()
	switch format {
	case "bin":
		clock = min(clock, 127)
	case "viriformat", "lc0":
		clock = min(clock, 255)
	}
	number := want.FullmoveNumber()
	if format == "binpack" {
		number = min(number, dataset.BinpackMaxPly/2+1)
	}
	if format == "lc0" {
		number = 1
	}
	return dataset.SameBoard(got, want) && got.HalfmoveClock() == clock && got.FullmoveNumber() == number
}

// TestEnginesChains: binpack chains what is side by side, and a shuffle moves whole games.
func TestEnginesChains(t *testing.T) {
	data := pack(t, []byte(strings.Repeat(rules, 20)), 5, false)
	one := exportOne(t, dataset.Job{Format: "binpack"}, data)
	if mixed := exportOne(t, dataset.Job{Format: "binpack", Shuffle: true, Seed: 7}, data); len(mixed) != len(one) ||
		bytes.Equal(mixed, one) {
		t.Errorf("%d bytes, shuffled %d", len(one), len(mixed))
	}
	for _, c := range []struct {
		job   dataset.Job
		games int
	}{{dataset.Job{FromPly: 3}, 5 * 20}, {dataset.Job{ToPly: 2}, 6 * 20}, {dataset.Job{Every: 2}, 0},
		{dataset.Job{Dedupe: true}, 6}} {
		c.job.Format = "binpack"
		list, err := imported("binpack", exportOne(t, c.job, data))
		if err != nil {
			t.Fatal(err)
		}
		c.job.Format = "bin" // whose reader chains positions as the writer of binpack does
		positions := exportOne(t, c.job, data)
		if c.job.Every > 1 {
			c.games = len(positions) / dataset.BinSize // no position is beside another
		}
		other, err := imported("bin", positions)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(other) || len(list) != c.games {
			t.Fatalf("%+v: %d games and %d, want %d", c.job, len(list), len(other), c.games)
		}
		for i, g := range list {
			if !slices.Equal(g.AppendMainLine(nil), other[i].AppendMainLine(nil)) {
				t.Errorf("%+v: game %d differs", c.job, i+1)
			}
		}
	}
}

// TestBinpackLong: a game of more plies than a chain holds is several chains.
func TestBinpackLong(t *testing.T) {
	g := game.New()
	g.Result = game.WhiteWins
	var build game.Builder
	build.Reset(g)
	for i := range 70_000 {
		m, _ := chess.ParseUCI([]string{"g1f3", "g8f6", "f3g1", "f6g8"}[i%4])
		build.Move(m)
	}
	data := archiveOf(t, g)
	// Not lc0, whose 8 kB a ply take their time.
	for format, first := range map[string]int{"binpack": 1 << 16, "bin": 1 << 16, "viriformat": 1 << 16} {
		list, err := imported(format, exportOne(t, dataset.Job{Format: format}, data))
		if err != nil || len(list) < 2 || list[0].Len() != first {
			t.Fatalf("%s: %v, %d games", format, err, len(list))
		}
		n := 0
		for _, g := range list {
			n += g.Len()
		}
		if n != 70_000 {
			t.Errorf("%s: %d plies", format, n)
		}
	}
}

// TestWrongEngine: a file of another format is refused by its name.
func TestWrongEngine(t *testing.T) {
	data := pack(t, []byte(rules), 1000, false)
	for _, c := range [][3]string{{"binpack", "bin", "PackedSfenValue"}, {"bin", "binpack", "BINP"},
		{"viriformat", "binpack", "BINP"}} {
		_, err := imported(c[0], exportOne(t, dataset.Job{Format: c[1]}, data))
		if !errors.Is(err, codec.ErrCorrupt) || !strings.Contains(err.Error(), c[2]) ||
			!strings.Contains(err.Error(), "--from "+c[1]) {
			t.Errorf("%v: %v", c, err)
		}
	}
	for _, format := range engineFormats {
		for _, file := range []string{"", "B", "PAR1", strings.Repeat("x", 400), strings.Repeat("\x00", 400)} {
			if _, err := imported(format, []byte(file)); !errors.Is(err, codec.ErrCorrupt) {
				t.Errorf("%s: %.10q: %v", format, file, err)
			}
		}
	}
}

// tryEngine reads any file: it is an error of one line, or games that are right.
func tryEngine(t *testing.T, format string, file []byte) (sound bool) {
	i := slices.IndexFunc(dataset.Importers(), func(f dataset.Importer) bool { return f.Name == format })
	sound = true
	for g, err := range dataset.Importers()[i].Games(bytes.NewReader(file), int64(len(file))) {
		sound = sound && err == nil
		if err != nil && (strings.Contains(err.Error(), "\n") || !codec.IsGameError(err) &&
			!errors.Is(err, codec.ErrCorrupt)) {
			t.Fatalf("%s: %q", format, err.Error())
		}
		if err != nil {
			continue
		}
		at := g.Start
		for ply, m := range g.MainLine() {
			if !at.IsLegal(m) {
				t.Fatalf("%s: ply %d is not legal", format, ply)
			}
			at.Make(m)
		}
	}
	return sound
}

// TestEnginesDamage cuts a file off at each byte, and changes bytes.
func TestEnginesDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	data := pack(t, []byte(rules), 1000, false)
	for _, format := range engineFormats {
		file := exportOne(t, dataset.Job{Format: format}, data)
		step := 1
		if format == "lc0" {
			step = 37
		}
		for n := 0; n < len(file); n += step {
			// A .bin of fewer positions is one, and so is viriformat of fewer games.
			whole := n > 0 && (format == "bin" && n%dataset.BinSize == 0 || format == "viriformat" &&
				bytes.HasSuffix(file[:n], make([]byte, dataset.ViriMove)) ||
				format == "lc0" && n > len(file)-1024-512) // a tar's end
			if sound := tryEngine(t, format, file[:n]); sound && !whole {
				t.Fatalf("%s: cut off after %d of %d bytes it is read", format, n, len(file))
			}
			other := slices.Clone(file)
			other[n] ^= 1 << rng.IntN(8)
			tryEngine(t, format, other)
			other[n] = 0xff
			tryEngine(t, format, other)
		}
	}
}

func fuzzEngine(f *testing.F, format string) {
	for _, s := range []string{rules, text} {
		f.Add(exportOne(f, dataset.Job{Format: format}, pack(f, []byte(s), 1000, false)))
	}
	bounded.Fuzz(f, func(t *testing.T, file []byte) { tryEngine(t, format, file) })
}

func FuzzBinpack(f *testing.F) { fuzzEngine(f, "binpack") }
func FuzzBin(f *testing.F)     { fuzzEngine(f, "bin") }
func FuzzViri(f *testing.F)    { fuzzEngine(f, "viriformat") }

// FuzzLC0 changes what is in a gzip, below its checksum.
func FuzzLC0(f *testing.F) {
	for _, s := range []string{rules, text} {
		for _, chunk := range chunksOf(f, exportOne(f, dataset.Job{Format: "lc0"}, pack(f, []byte(s), 1000, false))) {
			f.Add(chunk[:dataset.LC0Size*min(4, len(chunk)/dataset.LC0Size)])
		}
	}
	bounded.Fuzz(f, func(t *testing.T, chunk []byte) { tryEngine(t, "lc0", zipped(chunk)) })
}

// chunksOf are the records of each game of a tar of lc0.
func chunksOf(t testing.TB, file []byte) (list [][]byte) {
	t.Helper()
	for r := tar.NewReader(bytes.NewReader(file)); ; {
		if _, err := r.Next(); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, chunk)
	}
}

// zipped is a gzip of bytes.
func zipped(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// TestLC0Records: a changed byte is an error or a game; other versions and planes are refused by name.
func TestLC0Records(t *testing.T) {
	chunk := chunksOf(t, exportOne(t, dataset.Job{Format: "lc0"}, pack(t, []byte(rules), 1000, false)))[1]
	if !tryEngine(t, "lc0", zipped(chunk)) {
		t.Fatal("it is refused")
	}
	for n := 0; n < len(chunk); n += testenv.Pick(1, 5) * (1 + 40*(n%dataset.LC0Size)/dataset.LC0Planes) {
		other := slices.Clone(chunk)
		other[n] ^= 0x81
		tryEngine(t, "lc0", zipped(other))
		if n%97 == 0 && n%dataset.LC0Size != 0 && tryEngine(t, "lc0", zipped(chunk[:n])) {
			t.Errorf("cut off after %d bytes it is read", n)
		}
	}
	var seven []byte
	for at := 0; at < len(chunk); at += dataset.LC0Size {
		seven = append(append(seven, chunk[at:at+dataset.LC0Size]...),
			make([]byte, dataset.LC0Size7-dataset.LC0Size)...)
		seven[at/dataset.LC0Size*dataset.LC0Size7] = 7
	}
	six, err := imported("lc0", zipped(chunk))
	if err != nil {
		t.Fatal(err)
	}
	list, err := imported("lc0", zipped(seven))
	if err != nil || len(list) != len(six) || !list[0].Equal(six[0]) {
		t.Errorf("version 7: %v, %d games", err, len(list))
	}
	for _, c := range []struct {
		at   int
		v    byte
		want string
	}{{0, 5, "version 5"}, {4, 3, "format 3"}, {dataset.LC0Rights, 2, "960"}, {dataset.LC0Turn, 2, "side to move"},
		{dataset.LC0ResultAt, 1, "result"}, {dataset.LC0Played, 255, "not legal"}} {
		other := slices.Clone(chunk)
		other[c.at] = c.v
		if _, err := imported("lc0", zipped(other)); !errors.Is(err, codec.ErrCorrupt) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

// textOf is a game as PGN.
func textOf(g *game.Game) string {
	style := pgn.Line()
	return string(append(pgn.AppendMovetext(append(pgn.AppendTags(nil, g, &style), '\n'), g, &style), "\n\n"...))
}
