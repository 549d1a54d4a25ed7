// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

//go:generate go test -run ^(TestVectors|TestFrozen|TestRefusals)$ -update
var Update = flag.Bool("update", false, "write the vectors again, and frozen archives that are not there")

// noteVector is the annotations of a game, with their columns.
type noteVector struct {
	PGN         string `json:"pgn,omitempty"`
	Annotations string `json:"annotations"`
	Text        string `json:"text"`
	Variations  string `json:"variations,omitempty"`
	Clocks      string `json:"clocks"`
	Times       string `json:"times"`
	Evals       string `json:"evals"`
}

// vectors are the parts of docs/p11vectors.json. Bytes are in hexadecimal.
type vectors struct {
	Comment string            `json:"comment"`
	CRC     map[string]string `json:"crc32c"` // of texts
	Header  string            `json:"header"`
	// Columns 1, of games whose words count up from 0.
	Index []vectorIndex `json:"index"`
	Moves []vectorMoves `json:"moves"`
	Tags  struct {
		Games   [][][2]string `json:"games"`
		Results []string      `json:"results"`
		Column  string        `json:"column"`
	} `json:"tags"`
	// A column of tags that no writer makes: byte 1 with no value before it, and byte 3 where none is needed.
	OddTags struct {
		Games  [][][2]string `json:"games"`
		Column string        `json:"column"`
	} `json:"odd_tags"`
	Notes []noteVector `json:"annotations"`
	// Columns 7, 8 and 9 of codec 2, with the columns that tell their numbers.
	Modelled noteVector    `json:"modelled"`
	Patches  []vectorPatch `json:"patches"`
	// Columns 12.
	Games []vectorGames `json:"games"`
	// One of fixed moves with properties, one of dense moves, and one to which games were added twice, and between that
	// a property.
	Archive  vectorArchive `json:"archive"`
	Dense    vectorArchive `json:"dense_archive"`
	Appended vectorArchive `json:"appended_archive"`
	// The columns of a search part, of the tags of the games of blocks.
	Search vectorSearch `json:"search"`
	// The column of filters, of the main lines of games.
	Filters []vectorFilter `json:"filters"`
}

type vectorIndex struct {
	Lengths []uint32 `json:"lengths"`
	Moves   string   `json:"moves"`
	Column  string   `json:"column"`
}

type vectorMoves struct {
	FEN    string `json:"fen,omitempty"`
	UCI    string `json:"moves"`
	Result string `json:"result"`
	Words  []int  `json:"words"`
	Packed string `json:"packed"`
}

type vectorPatch struct {
	Old   string `json:"old"`
	New   string `json:"new"`
	Patch string `json:"patch"`
}

type vectorGames struct {
	Plies   []int    `json:"plies"`
	Results []string `json:"results"`
	Starts  []string `json:"starts"` // FEN, "" for the usual one
	Column  string   `json:"column"`
}

type vectorFilter struct {
	FEN    []string `json:"fen"`   // where a game begins, "" for the usual position
	UCI    []string `json:"moves"` // of each game
	Column string   `json:"column"`
}

type vectorSearch struct {
	Blocks [][][][2]string `json:"blocks"`
	Ranges string          `json:"ranges"`
	Names  []string        `json:"names"`
}

// searchVectors makes a search part, of blocks without tags, with usual ones, and with odd dates and ratings.
func searchVectors() (v vectorSearch) {
	games := [][][2]string{
		{{"White", "Morphy, Paul"}, {"Black", "Anderssen, Adolf"}, {"Date", "1858.12.20"}, {"WhiteElo", "2690"},
			{"BlackElo", "2600"}},
		{{"White", "Morphy, Paul"}, {"Black", ""}, {"Date", "1851.??.??"}, {"WhiteElo", " \t2400\r\n"},
			{"BlackElo", "?"}},
	}
	sets := [][][][2]string{{{}}, games}
	for _, date := range []string{"185", "18x1.01.01", "1858", "0000.00.00", " 1858"} {
		sets = append(sets, [][][2]string{{{"Date", date}}})
	}
	for _, rating := range []string{"", "-", " ? ", "0", "00700", "65534", "65535", "100000", "2400?", "+2400",
		"\u00a02400", "\v2400"} {
		sets = append(sets, [][][2]string{{{"WhiteElo", rating}}})
	}
	var keys []*searchKeys
	for _, set := range sets {
		e := noKeys()
		for _, tags := range set {
			g := game.New()
			for _, tag := range tags {
				g.AddTag(tag[0], tag[1])
			}
			e.add(g)
		}
		v.Blocks = append(v.Blocks, set)
		keys = append(keys, e.take())
	}
	data, columns := encodeSearch(keys)
	data = data[searchFixed:]
	for _, c := range columns {
		if column := hex.EncodeToString(data[:c.size]); c.kind == searchRanges {
			v.Ranges = column
		} else {
			v.Names = append(v.Names, column)
		}
		data = data[c.size:]
	}
	return v
}

type vectorArchive struct {
	Text  string `json:"text"`
	Bytes string `json:"bytes"`
}

// makeVectors makes the vectors.
func makeVectors(t *testing.T) *vectors {
	h := hex.EncodeToString
	v := &vectors{Comment: "Vectors of docs/FORMAT.md. Bytes are in hexadecimal; texts are UTF-8.",
		CRC: map[string]string{}}
	for _, s := range []string{"", "123456789", "a chess move is eleven bits"} {
		v.CRC[s] = fmt.Sprintf("%08x", checksum([]byte(s)))
	}
	v.Header = h(header{flagCanonical}.encode())
	all := []uint32{81, 1, 300, 28, 77, 77, 90, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 500}
	for _, n := range []int{1, 3, 16, 17, 19} {
		lengths := all[:n]
		var words []moveindex.Index
		for _, length := range lengths {
			for range length {
				words = append(words, moveindex.Index(len(words)))
			}
		}
		p := bitstream.NewPackerBytes(nil, 0)
		p.Words(words)
		moves := p.Bytes()
		v.Index = append(v.Index, vectorIndex{lengths, h(moves),
			h(appendSums(appendIndex(nil, lengths), lengths, moves))})
	}
	e := newEncoder(&options{}, newZstd())
	for _, text := range []string{"1. e4 e5 2. Nf3 1-0", "*", "1. e4 d5 2. e5 f5 3. exf6 -- 4. fxg7 Kf7 5. gxh8=N+ 0-1",
		"[SetUp \"1\"]\n[FEN \"r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 17 42\"]\n\n1. exd6 O-O-O 2. O-O 1/2-1/2"} {
		g := Parse(t, text)
		e.reset(gamesStyle())
		if err := e.main(g); err != nil {
			t.Fatal(err)
		}
		m := vectorMoves{Result: g.Result.String()}
		if g.Start != position.Start() {
			m.FEN = g.Start.FEN()
		}
		for _, move := range g.AppendMainLine(nil) {
			m.UCI = strings.TrimSpace(m.UCI + " " + move.String())
		}
		for _, w := range e.words {
			m.Words = append(m.Words, int(w))
		}
		p := bitstream.NewPackerBytes(nil, 0)
		p.Words(e.words)
		m.Packed = h(p.Bytes())
		v.Moves = append(v.Moves, m)
	}
	v.Filters, v.Search = filterVectors(t), searchVectors()
	var tags tagEncoder
	tags.reset()
	for i, list := range [][][2]string{{{"Event", "A"}, {"Result", "1-0"}}, {{"Event", "A"}, {"Result", "1-0"}},
		{{"Result", "0-1"}, {"Event", "\x00\x03é"}, {"Event", "A"}}, {}, {{"Event", "\x01"}, {"Result", "1-0"}},
		{{"Event", "\x02x"}, {"Result", "1-0"}}} {
		g := game.New()
		g.Result = []game.Result{game.WhiteWins, game.Draw, game.Unknown, game.BlackWins, game.WhiteWins,
			game.BlackWins}[i]
		for _, tag := range list {
			g.AddTag(tag[0], tag[1])
		}
		tags.add(g)
		v.Tags.Games = append(v.Tags.Games, list)
		v.Tags.Results = append(v.Tags.Results, g.Result.String())
	}
	v.Tags.Column = h(tags.appendColumn(nil))
	v.OddTags.Games = [][][2]string{{{"A", ""}}, {{"A", "BC"}}, {{"A", "BC"}}}
	v.OddTags.Column = h([]byte("\x01A\x00\x01\x01\x00\x01\x03B\x03C\x00\x01"))
	for _, text := range []string{
		"{before} 1. e4 {a} $1 $140 (1. d4 {b} d5 (1... Nf6 2. c4)) (1. c4) 1... e5 2. Nf3 {end} Nc6 *",
		"1. e4 {[%eval 0.17] [%clk 0:03:00]} e5 {[%eval -0.5] [%clk 0:02:59]} 2. d4 {[%clk 00:02:50] [%emt 1:00:10]} " +
			"d5 {[%clk 0:02:58.5] [%eval #-3] [%eval 0.10] [%eval 1.1]} *",
	} {
		var n noteEncoder
		n.reset()
		n.add(Parse(t, text))
		v.Notes = append(v.Notes, noteVector{text, h(n.column()), h(n.text), h(n.variations()), h(n.numbers[0]),
			h(n.numbers[1]), h(n.numbers[2])})
	}
	var n noteEncoder
	n.reset()
	n.add(Parse(t, ClockedText))
	n.add(Parse(t, "1. e4 e5 *"))
	n.add(Parse(t, "1. e4 {[%clk 0:02:00] [%clk 00:00:00] [%clk 277777777:46:39] [%eval 0.0]} e5 {[%clk 0:01:58.5] "+
		"[%emt 9:00:00.0] [%eval #-3]} 2. d4 {[%eval #-2]} *"))
	m, _ := marks(nil).appendColumns(n.column(), n.text, 3)
	modelled := func(kind ColumnKind, raw []byte) string {
		coded, ok := m.appendModelled(nil, kind, raw)
		if !ok {
			t.Fatalf("column %d is not modelled", kind)
		}
		if again, ok := m.readModelled(nil, kind, coded, len(raw)); !ok || !bytes.Equal(again, raw) {
			t.Fatalf("column %d is read as %x, not %x", kind, again, raw)
		}
		return h(coded)
	}
	v.Modelled = noteVector{Annotations: h(n.column()), Text: h(n.text),
		Clocks: modelled(columnClocks, n.numbers[0]), Times: modelled(columnTimes, n.numbers[1]),
		Evals: modelled(columnEvals, n.numbers[2])}
	var p patcher
	for _, pair := range [][2]string{{"", ""}, {"the same", "the same"},
		{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1.e4 e5 2. Nf3 Nc6  3. Bb5 a6\n"},
		{"abc", "something else"}} {
		v.Patches = append(v.Patches,
			vectorPatch{pair[0], pair[1], h(p.append(nil, []byte(pair[0]), []byte(pair[1])))})
	}
	v.Archive.Text = "[Event \"A\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
	makeGamesVectors(t, v)
	v.Dense.Text = "[Event \"A\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"B\"]\n[SetUp \"1\"]\n" +
		"[FEN \"4k3/1P6/8/3pP3/8/8/8/4K3 w - d6 0 42\"]\n\n42. exd6 Kd7 43. b8=N+ Kxd6 *\n\n"
	v.Appended.Text = v.Archive.Text + v.Dense.Text + v.Archive.Text
	b, _ := MustPack(t, []byte(v.Archive.Text), WithMeta(map[string]string{"source": "us", "licence": "CC0-1.0"}))
	v.Archive.Bytes = h(b)
	more, _ := MustPack(t, []byte(v.Dense.Text))
	again, _ := MustPack(t, []byte(v.Archive.Text))
	// a tail after a tail
	none := MustAppend(t, MustAppend(t, b, nil, more), []AppendOption{WithMeta(map[string]string{"source": "you"})})
	v.Appended.Bytes = h(MustAppend(t, none, nil, again))
	b, _ = MustPack(t, []byte(v.Dense.Text), WithDense(true))
	v.Dense.Bytes = h(b)
	return v
}

// makeGamesVectors makes columns of games.
func makeGamesVectors(t *testing.T, v *vectors) {
	h := hex.EncodeToString
	const fen = "4k3/1P6/8/3pP3/8/8/8/4K3 w - d6 0 42"
	for _, x := range []struct{ plies, starts []int }{{[]int{80}, nil}, {[]int{0, 255, 256, 80, 700}, []int{1, 4}}} {
		g := vectorGames{Plies: x.plies, Starts: make([]string, len(x.plies))}
		var words []moveindex.Index
		var lengths []uint32
		for i, n := range x.plies {
			at := len(words)
			if slices.Contains(x.starts, i) {
				p, err := position.ParseFEN(fen)
				if err != nil {
					t.Fatal(err)
				}
				if words, err = bitstream.AppendStart(words, &p); err != nil {
					t.Fatal(err)
				}
				g.Starts[i] = fen
			}
			result := []game.Result{game.WhiteWins, game.Draw, game.Unknown, game.BlackWins}[i%4]
			g.Results = append(g.Results, result.String())
			words = append(append(words, make([]moveindex.Index, n)...), result.Index())
			lengths = append(lengths, uint32(len(words)-at))
		}
		g.Column = h(appendGames(nil, words, lengths))
		v.Games = append(v.Games, g)
	}
}

const vectorFile = "../../docs/p11vectors.json"

// TestVectors compares what is written with the vectors, and reads them.
func TestVectors(t *testing.T) {
	got, err := json.MarshalIndent(makeVectors(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *Update {
		if err := os.WriteFile(vectorFile, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what is written: %s", vectorFile, FirstDifference(want, got))
	}
	var v vectors
	if err := json.Unmarshal(want, &v); err != nil {
		t.Fatal(err)
	}
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, x := range v.Index {
		var index gameIndex
		total := uint32(0)
		for _, n := range x.Lengths {
			total += n
		}
		if !index.decodeSummed(unhex(x.Column), len(x.Lengths), int(total)) ||
			len(index.sums) != 4*((len(x.Lengths)+15)/16) {
			t.Fatalf("index %v is not read", x.Lengths)
		}
		at := uint32(0)
		for i, n := range x.Lengths {
			if start, length := index.game(i); start != at || length != n {
				t.Errorf("game %d is at %d, of %d words; want %d, %d", i, start, length, at, n)
			}
			at += n
		}
	}
	for _, x := range v.Patches {
		if got, ok := appendPatched(nil, []byte(x.Old), unhex(x.Patch), 1000); !ok || string(got) != x.New {
			t.Errorf("the patch makes %q, not %q", got, x.New)
		}
	}
	var table tagTable
	for _, x := range []struct {
		games   [][][2]string
		results []string
		column  string
	}{{v.Tags.Games, v.Tags.Results, v.Tags.Column}, {v.OddTags.Games, []string{"*", "*", "*"}, v.OddTags.Column}} {
		if !table.decode(unhex(x.column), len(x.games)) {
			t.Fatalf("the column of tags %s is not read", x.column)
		}
		result := func(i int) (game.Result, error) {
			r, err := game.ParseResult(x.results[i])
			if err != nil {
				t.Fatal(err)
			}
			return r, nil
		}
		for skip := range x.games { // every game is read after every number of others
			var c tagCursor
			c.reset(&table)
			for range skip {
				c.skip()
			}
			for i := skip; i < len(x.games); i++ {
				g := game.New()
				g.Result, _ = result(i)
				if err := c.read(g, result); err != nil {
					t.Fatal(err)
				}
				var got [][2]string
				for _, tag := range g.Tags {
					got = append(got, [2]string{tag.Name, tag.Value})
				}
				if !slices.Equal(got, x.games[i]) {
					t.Errorf("game %d after %d: tags %q, want %q", i+1, skip, got, x.games[i])
				}
			}
		}
	}
	for _, a := range []vectorArchive{v.Archive, v.Dense, v.Appended} {
		if text := MustUnpack(t, unhex(a.Bytes)); string(text) != a.Text {
			t.Errorf("the archive unpacks to %q", text)
		}
	}
}
