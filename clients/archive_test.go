// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query/index"
)

// model is the file of the model of dense moves.
const model = "../bitstream/dense/model1.bin.zst"

// says returns what the Go package reads of an archive, as the driver prints it.
func says(t *testing.T, file []byte) string {
	t.Helper()
	r, err := archive.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "games %d, plies %d\n", r.Len(), r.Stats().Plies)
	for n := 1; n <= r.Len(); n++ {
		gameLine(t, &b, r, n)
	}
	return b.String()
}

func readGame(t *testing.T, r *archive.Reader, n int) (g game.Game) {
	t.Helper()
	block, i, err := r.Find(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := block.Game(i, &g); err != nil && !errors.Is(err, archive.ErrInvalid) {
		t.Fatal(err)
	}
	return g
}

func gameLine(t *testing.T, out *strings.Builder, r *archive.Reader, n int) {
	t.Helper()
	g := readGame(t, r, n)
	fault, _, err := r.Fault(n)
	if err != nil {
		t.Fatal(err)
	}
	valid, fen := 1, "-"
	if fault != nil {
		valid = 0
	}
	if g.Start != position.Start() {
		fen = g.Start.String()
	}
	results := map[string]int{"0-1": 1968, "1/2-1/2": 1969, "1-0": 1970, "*": 1971}
	fmt.Fprintf(out, "%d\t%d\t%d\t%s\t", n, results[g.Result.String()], valid, fen)
	var clocks, evals []int
	score, depth := -32768, 0
	at := &score // what an evaluation in a comment of the main line belongs to
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.VariationStart:
			depth++
		case game.VariationEnd:
			depth--
		case game.MoveEvent:
			if depth > 0 {
				continue
			}
			k := moveindex.Null
			if c.Move != chess.NullMove {
				k, _ = moveindex.Of(c.Move)
			}
			fmt.Fprintf(out, "%d,", k)
			clocks, evals = append(clocks, -1), append(evals, -32768)
			at = &evals[len(evals)-1]
		case game.Comment:
			if depth > 0 {
				continue
			}
			if d, ok := game.Clock(c.Text); ok && len(clocks) > 0 && clocks[len(clocks)-1] < 0 {
				clocks[len(clocks)-1] = min(int(d/(10*time.Millisecond)), math.MaxInt32)
			}
			e, ok := game.Eval(c.Text)
			if !ok && len(evals) > 0 {
				e, ok = game.MatchEval(c.Text, (g.Start.Turn()+chess.Color(len(evals)-1))&1)
			}
			if ok && *at == -32768 {
				switch {
				case e.IsMate && e.Mate > 0:
					*at = 32000 - min(e.Mate, 1000)
				case e.IsMate:
					*at = -32000 - max(e.Mate, -1000)
				default:
					*at = max(-30000, min(30000, e.Centipawns))
				}
			}
		}
	}
	for _, list := range [][]int{clocks, evals} {
		out.WriteByte('\t')
		for _, v := range list {
			fmt.Fprintf(out, "%d,", v)
		}
	}
	fmt.Fprintf(out, "\t%d\t", score)
	for _, tag := range g.Tags {
		fmt.Fprintf(out, "%x=%x ", tag.Name, tag.Value)
	}
	out.WriteByte('\n')
}

func pack(t *testing.T, text []byte, options ...archive.PackOption) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := archive.Pack(context.Background(), &b, bytes.NewReader(text), options...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// texts are files of PGN: the project's own and those of the data folder.
func texts(t *testing.T) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for _, name := range samples.Names {
		all[name] = samples.File(name)
	}
	root, ok := datadir.Dir()
	if !ok {
		return all
	}
	root = filepath.Join(root, "pgn")
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".pgn") {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) < 1<<18 || testenv.Long {
				all[strings.TrimPrefix(path, root)] = text
			}
		}
		return nil
	})
	return all
}

// A reader is a build of the core, or a package on it. It prints the games of archives, by "games", or what their
// indexes have of the positions, by "trees".
type reader struct {
	name string
	slow bool
	read func(t *testing.T, what string, paths []string) string
}

func readers() []reader {
	var list []reader
	for i := range builds {
		if b := &builds[i]; !b.long || testenv.Long {
			list = append(list, reader{b.name, b.slow, b.reads})
		}
	}
	return append(list, reader{"Python", false, pythonReads}, reader{"JavaScript", false, jsReads},
		reader{"Rust", false, rustReads})
}

// reads gives lines to the driver of a build.
func (b *build) reads(t *testing.T, what string, lines []string) string {
	t.Helper()
	return b.driver(t, strings.Join(lines, "\n"), what, model)
}

func written(t *testing.T, archives ...[]byte) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, file := range archives {
		paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(paths[i], file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

func vectors[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../docs/vectors", name))
	if err := errors.Join(err, json.Unmarshal(text, &list)); err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	return list
}

// answers cuts what a reader prints into the answers to n archives.
func answers(t *testing.T, out string, n int) []string {
	t.Helper()
	var said []string
	for _, line := range strings.SplitAfter(out, "\n") {
		if strings.HasPrefix(line, "games ") || strings.HasPrefix(line, "error ") {
			said = append(said, "")
		}
		if line != "" {
			said[len(said)-1] += line
		}
	}
	if len(said) != n {
		t.Fatalf("%d answers for %d archives", len(said), n)
	}
	return said
}

// TestReaders compares what the core and the packages read of archives, indexes and tree files with what the Go
// packages read: of texts, of docs/vectors, and of archives of clients/generate.
func TestReaders(t *testing.T) {
	// testenv also asks for the go command here.
	testenv.Tools(t, "gcc", "python3")
	dir := t.TempDir()
	n := testenv.Pick(150, 30)
	if testenv.Long {
		n = 3000
	}
	output(t, ".", "", nil, "go", "run", "./generate", "-n", fmt.Sprint(n), "-games", "20", "-o", dir)
	type vector struct {
		What, Index, Tree string
		Archive           []byte
	}
	for i, v := range append(vectors[vector](t, "index.json"), vectors[vector](t, "tree.json")...) {
		path := filepath.Join(dir, fmt.Sprintf("vector %d, %s.p11", i, strings.ReplaceAll(v.What, "/", "-")))
		x, err := hex.DecodeString(v.Index)
		tree, bad := hex.DecodeString(v.Tree)
		if v.Index == "" {
			x = querytest.BuildIndex(t, v.Archive, index.Options{})
		} else {
			tree = querytest.BuildTree(t, v.Archive, index.TreeOptions{})
		}
		if err := errors.Join(err, bad, os.WriteFile(path, v.Archive, 0o666), os.WriteFile(path+"x", x, 0o666),
			os.WriteFile(path+"t", tree, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	indexed, err := filepath.Glob(filepath.Join(dir, "*.p11"))
	if err != nil || len(indexed) <= n {
		t.Fatalf("%d archives, want more than %d: %v", len(indexed), n, err)
	}
	// The comments of commands.json, each after a move.
	all := texts(t)
	var commands strings.Builder
	for _, v := range vectors[struct{ Comment string }](t, "commands.json") {
		fmt.Fprintf(&commands, "1. e4 {%s} *\n\n", v.Comment)
	}
	all["commands.json"] = []byte(commands.String())
	names := slices.Sorted(maps.Keys(all))
	var files [][]byte
	for i, name := range names {
		dense := i%3 == 2 && (len(all[name]) <= 1<<17 || testenv.Long)
		files = append(files, pack(t, all[name], archive.WithBlockGames([]int{3, 1024}[i%2]), archive.WithDense(dense)))
	}
	paths := append(indexed[:len(indexed):len(indexed)], written(t, files...)...)
	for _, path := range indexed {
		names = append([]string{filepath.Base(path)}, names...)
	}
	compare := func(what string, names, paths []string, want func(path string) string) {
		wanted := make([]string, len(paths))
		for i, path := range paths {
			wanted[i] = want(path)
		}
		for _, r := range readers() {
			t.Run(what+"/"+r.name, func(t *testing.T) {
				from := 0
				if r.slow && !testenv.Long {
					from = n // without those that were drawn
				}
				for i, got := range answers(t, r.read(t, what, paths[from:]), len(paths)-from) {
					if i += from; got != wanted[i] {
						t.Run(names[i], func(t *testing.T) { sameLines(t, got, wanted[i]) })
					}
				}
			})
		}
	}
	slices.Reverse(names[:len(indexed)])
	compare("games", names, paths, func(path string) string { return says(t, contents(t, path)) })
	compare("trees", names, indexed, func(path string) string { return trees(t, contents(t, path), 1, math.MaxInt) })
	compare("counts", names, indexed, func(path string) string {
		of := querytest.OpenTree(t, contents(t, path+"t")).Stats()
		return trees(t, contents(t, path), of.MinGames, of.MaxPly)
	})
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// unfinished is a file of which each state is kept.
type unfinished struct {
	*os.File
	states [][]byte
}

func (u *unfinished) WriteAt(b []byte, at int64) (int, error) {
	n, err := u.File.WriteAt(b, at)
	if b, err := os.ReadFile(u.Name()); err == nil {
		u.states = append(u.states, b)
	}
	return n, err
}

// TestUnfinished: where games are being added, the core has the archive of before, and verifying fails.
func TestUnfinished(t *testing.T) {
	var files [][]byte
	before := pack(t, samples.File(samples.Plain), archive.WithBlockGames(3))
	for _, games := range []int{3, 2000} {
		f, err := os.OpenFile(written(t, before)[0], os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		u := &unfinished{File: f}
		added := pack(t, gamegen.Text(games), archive.WithBlockGames(1000))
		if _, err := archive.Append(context.Background(), u, int64(len(before)),
			[]io.Reader{bytes.NewReader(added)}); err != nil {
			t.Fatal(err)
		}
		files = append(files, u.states...)
	}
	want := says(t, before)
	paths := written(t, files...)
	eachBuild(t, func(t *testing.T, b *build) {
		for _, got := range answers(t, b.reads(t, "unfinished", paths), len(paths)) {
			sameLines(t, got, want)
		}
	})
}

type counts struct{ games, white, draws, black, whiteRatings, whiteRated, blackRatings, blackRated int }

func (c *counts) String() string {
	return fmt.Sprintf(" %d %d %d %d %d/%d %d/%d", c.games, c.white, c.draws, c.black, c.whiteRatings, c.whiteRated,
		c.blackRatings, c.blackRated)
}

func (c *counts) add(g *game.Game) {
	rating := func(name string) (sum, n int) {
		if r, err := strconv.Atoi(strings.Trim(g.Tag(name), " \t\r\n")); err == nil && r > 0 && r < 10000 {
			return r, 1
		}
		return 0, 0
	}
	white, w := rating("WhiteElo")
	black, b := rating("BlackElo")
	c.games, c.whiteRatings, c.whiteRated, c.blackRatings, c.blackRated = c.games+1, c.whiteRatings+white,
		c.whiteRated+w, c.blackRatings+black, c.blackRated+b
	switch g.Result.String() {
	case "1-0":
		c.white++
	case "0-1":
		c.black++
	case "1/2-1/2":
		c.draws++
	}
}

// trees counts, without an index, what was played in the positions of an archive that so many games reach up to a ply,
// and prints it as the driver does.
func trees(t *testing.T, file []byte, least, lastPly int) string {
	t.Helper()
	r, err := archive.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	type key struct {
		hash  uint64
		board string
	}
	const ends = 2047
	type node struct {
		all   counts
		moves map[int]*counts
	}
	nodes := make(map[key]*node)
	var asked []key
	for n := 1; n <= r.Len(); n++ {
		g := readGame(t, r, n)
		type posting struct {
			at key
			k  int
		}
		posted, reached := make(map[posting]bool), make(map[key]bool)
		p, known := g.Start, true
		if fen := g.Tag("FEN"); fen != "" { // a game whose start is not known has no postings
			_, err := position.ParseFENLenient(fen)
			known = err == nil
		}
		visit := func(ply, k int) {
			board, _, _ := strings.Cut(p.String(), " ")
			at := key{p.Hash(), board}
			if ply%7 < 2 {
				asked = append(asked, at)
			}
			if !known || ply > lastPly {
				return
			}
			it := nodes[at]
			if it == nil {
				it = &node{moves: make(map[int]*counts)}
				nodes[at] = it
			}
			if !reached[at] {
				it.all.add(&g)
			}
			reached[at] = true
			if k != ends && !posted[posting{at, k}] {
				if it.moves[k] == nil {
					it.moves[k] = new(counts)
				}
				it.moves[k].add(&g)
			}
			posted[posting{at, k}] = true
		}
		ply := 0
		for _, m := range g.MainLine() {
			k := moveindex.Null
			if m != chess.NullMove {
				k, _ = moveindex.Of(m)
			}
			visit(ply, int(k))
			p.Make(m)
			ply++
		}
		visit(ply, ends)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "games %d\n", r.Len())
	for _, at := range asked {
		it := nodes[at]
		if it == nil || it.all.games < least {
			it = new(node)
		}
		b.WriteString(it.all.String())
		for _, k := range slices.SortedFunc(maps.Keys(it.moves), func(i, j int) int {
			return cmp.Or(it.moves[j].games-it.moves[i].games, i-j)
		}) {
			fmt.Fprintf(&b, ", %d:%s", k, it.moves[k])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestTreeFileRefused: of a tree file in which a bit is changed, or that is cut off, the core refuses what has the bit,
// as the Go package does.
func TestTreeFileRefused(t *testing.T) {
	file := pack(t, gamegen.Text(300))
	tree := querytest.BuildTree(t, file, index.TreeOptions{MaxPly: 20})
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(1, 2))
	var paths []string
	for i := range testenv.Pick(200, 40) {
		changed := bytes.Clone(tree)
		switch at := rnd.IntN(len(tree)); {
		case i%3 == 0:
			changed = changed[:at]
		case i%3 == 1: // in the head
			changed[at%52] ^= 1 << rnd.IntN(8)
		default:
			changed[at] ^= 1 << rnd.IntN(8)
		}
		x, err := index.OpenTree(bytes.NewReader(changed), int64(len(changed)))
		if err == nil {
			err = x.Verify(t.Context(), nil)
		}
		path := filepath.Join(dir, fmt.Sprint(i))
		paths = append(paths, path)
		if errors.As(err, new(*index.Error)) {
			err = nil
		} else {
			err = fmt.Errorf("file %d is not refused: %v", i, err)
		}
		if err := errors.Join(err, os.WriteFile(path, file, 0o666), os.WriteFile(path+"t", changed,
			0o666)); err != nil {
			t.Fatal(err)
		}
	}
	eachBuild(t, func(t *testing.T, b *build) {
		for i, got := range answers(t, b.reads(t, "counts", paths), len(paths)) {
			if !strings.HasSuffix(got, "\nrefused\n") {
				t.Errorf("file %d is not refused", i)
			}
		}
	})
}

type countedFile struct {
	*bytes.Reader
	reads int
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	f.reads++
	return f.Reader.ReadAt(p, off)
}

// TestRequests: to open an archive, and to have a game of it, the core reads as often as FORMAT.md says, and not more
// often than the Go package.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name        string
		games, size int // size of a block
		most        int // reads for a game
	}{{"one block", 30, 1024, 2}, {"some blocks", 5000, 64, 2}, {"a tree of two levels", 9000, 1, 3}} {
		file := pack(t, gamegen.Text(c.games), archive.WithBlockGames(c.size))
		path := written(t, file)[0]
		var lines, goes []string
		for _, n := range []int{1, 2, c.games / 3, c.games / 2, c.games - 1, c.games} {
			f := &countedFile{Reader: bytes.NewReader(file)}
			r, err := archive.NewReader(f, int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			opening := f.reads
			readGame(t, r, n)
			lines, goes = append(lines, fmt.Sprint(n)), append(goes, fmt.Sprint(opening, f.reads-opening))
		}
		for i, line := range strings.Split(strings.TrimSpace(builds[0].driver(t, strings.Join(lines, "\n"), "requests",
			path)), "\n") {
			var opening, game, goOpening, goGame int
			fmt.Sscan(line, &opening, &game)
			fmt.Sscan(goes[i], &goOpening, &goGame)
			if opening != 1 || game < 1 || game > c.most || opening > goOpening || opening+game > goOpening+goGame {
				t.Errorf("%s, game %s: %d and %d reads; Go %d and %d", c.name, lines[i], opening, game, goOpening,
					goGame)
			}
		}
		t.Log(c.name, len(file), "bytes:", goes)
	}
}

// otherDigest returns an archive of one block in which the digest of the moves is another's, and all else is right.
func otherDigest(t *testing.T) []byte {
	t.Helper()
	data, le := pack(t, samples.File(samples.Plain)), binary.LittleEndian
	seal := func(at, size, digest int) { // the CRC at the end, and the digest elsewhere
		le.PutUint32(data[at+size-4:], crc32.Checksum(data[at:at+size-4], crc32.MakeTable(crc32.Castagnoli)))
		sum := sha256.Sum256(data[at : at+size])
		copy(data[digest:digest+16], sum[:])
	}
	trailer := len(data) - 40
	footer := int(le.Uint64(data[trailer+8:]))
	part := int(le.Uint64(data[footer+56:]))
	k := 92
	for data[k] != 2 {
		k += 24
	}
	data[k+8] ^= 1
	seal(32, int(le.Uint16(data[36:])), part+36)
	seal(part, int(le.Uint32(data[part+4:])), footer+80)
	seal(footer, trailer-footer, trailer+20)
	le.PutUint32(data[trailer+36:], crc32.Checksum(data[trailer:trailer+36], crc32.MakeTable(crc32.Castagnoli)))
	return data
}

// TestRefused gives the archives of docs/vectors/refuse.json to the core and the packages, but for what is wrong in the
// text or in what is for searches.
func TestRefused(t *testing.T) {
	list := vectors[struct {
		Name, Part   string
		Later, Sound bool
		Archive      []byte
	}](t, "refuse.json")
	var files [][]byte
	for _, v := range list {
		files = append(files, v.Archive)
	}
	paths := written(t, append(files, otherDigest(t))...)
	for _, r := range readers() {
		t.Run(r.name, func(t *testing.T) {
			for i, got := range answers(t, r.read(t, "games", paths), len(paths)) {
				if i == len(list) {
					if r.name != "JavaScript" && strings.HasPrefix(got, "games ") { // which has no verify
						t.Error("another digest of moves is taken")
					}
					break
				}
				v := list[i]
				if v.Part == "all" || v.Part == "text" || v.Part == "search" {
					continue
				}
				if v.Part == "start" { // the words are right, and the position cannot be had
					if !strings.Contains(got, "\t?\t") {
						t.Errorf("%s: %s", v.Name, got)
					}
					continue
				}
				// Its verify reads what a reader of games needs.
				beside := v.Part == "header" || v.Part == "trailer" ||
					v.Name == "the footer has other flags than the header" ||
					v.Name == "an edited archive has a flag that its header does not have"
				if r.name == "JavaScript" && beside {
					continue
				}
				later := strings.HasPrefix(got, "error 23:") || r.name == "JavaScript" || r.name == "Rust"
				if sound := strings.HasPrefix(got, "games "); sound != v.Sound || v.Later && !later {
					t.Errorf("%s: sound %v, later %v: %s", v.Name, v.Sound, v.Later, got)
				}
			}
		})
	}
}
