// SPDX-License-Identifier: Apache-2.0

// Generate writes valid archives to try a reader with: every feature of docs/FORMAT.md, in random company. Beside each
// archive are an index and a tree file.
//
//	go run ./clients/generate -n 300 -seed 1 -o archives
//
// The same seed gives the same files, with the same version of this program and of the writer.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/start960"
	"ply11/position"
	"ply11/query/index"
)

func main() {
	n := flag.Int("n", 300, "the number of archives")
	seed := flag.Uint64("seed", 1, "what they are drawn by")
	games := flag.Int("games", 40, "the most games of an archive; a few have 300 short ones more")
	dir := flag.String("o", "archives", "the folder for them")
	flag.Parse()
	if err := write(*dir, *n, *seed, *games); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func write(dir string, n int, seed uint64, games int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range n {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		file, err := g.archive(games)
		if err != nil {
			return fmt.Errorf("archive %d: %w", i, err)
		}
		made, err := g.index(file)
		if err != nil {
			return fmt.Errorf("index %d: %w", i, err)
		}
		var tree bytes.Buffer
		name := filepath.Join(dir, fmt.Sprintf("%05d.p11", i))
		_, err = index.BuildTree(context.Background(), &tree, source(file), index.TreeOptions{MinGames: g.IntN(4),
			MaxPly: pick(g, 0, 1+g.IntN(30)), Temp: name})
		if err := errors.Join(err, os.WriteFile(name, file, 0o666), os.WriteFile(name+"x", made, 0o666),
			os.WriteFile(name+"t", tree.Bytes(), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

type generator struct {
	*rand.Rand
	begins []byte // the archive before the last games were added
}

func source(b []byte) index.Source {
	return index.Source{Name: "archive", Reader: bytes.NewReader(b), Size: int64(len(b))}
}

// index makes an index of an archive, also with the positions of variations, or in segments.
func (g *generator) index(file []byte) ([]byte, error) {
	ctx := context.Background()
	options := pick(g, index.Options{}, index.Options{Variations: true})
	build := func(of []byte) ([]byte, error) {
		var b bytes.Buffer
		_, err := index.Build(ctx, &b, source(of), options)
		return b.Bytes(), err
	}
	if g.begins == nil {
		return build(file)
	}
	first, err := build(g.begins)
	if err != nil {
		return nil, err
	}
	m := &memory{first}
	_, err = index.Update(ctx, m, int64(len(first)), source(file), options)
	return m.bytes, err
}

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) archive(games int) ([]byte, error) {
	n := min(games, pick(g, 0, 1, 2, 15, 16, 17, 33, g.IntN(games+1)))
	file, err := g.pack(n)
	for err == nil && g.chance(3) { // some have games from more than one
		var more []byte
		if more, err = g.pack(g.IntN(6)); err != nil {
			break
		}
		if g.chance(4) {
			var b bytes.Buffer
			_, err = archive.Copy(context.Background(), &b, []io.Reader{bytes.NewReader(file), bytes.NewReader(more)})
			file, g.begins = b.Bytes(), nil
			continue
		}
		f, begins := &memory{slices.Clone(file)}, file
		if _, err = archive.Append(context.Background(), f, int64(len(file)),
			[]io.Reader{bytes.NewReader(more)}); errors.Is(err, archive.ErrInPlace) {
			err = nil // one of them alone is canonical
			continue
		}
		file, g.begins = f.bytes, begins
	}
	if err == nil && g.chance(4) {
		return g.edit(file)
	}
	return file, err
}

// edit deletes games of an archive, changes the tags of some, and replaces some.
func (g *generator) edit(file []byte) ([]byte, error) {
	r, err := archive.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil || r.Len() == 0 {
		return file, err
	}
	var changes []archive.Change
	for range 1 + g.IntN(3) {
		changes = append(changes, pick(g, archive.Change{Delete: true},
			archive.Change{Text: []byte("[White \"another\"]\n\n1. d4 {[%clk 0:01:00]} d5 1-0\n")},
			archive.Change{Unset: []string{"Site"}, Set: []game.Tag{{Name: "White", Value: "Müller"}}}))
		changes[len(changes)-1].Game = 1 + g.IntN(r.Len())
	}
	f := &memory{slices.Clone(file)}
	g.begins = nil
	if _, err = archive.Edit(context.Background(), f, int64(len(file)), changes); errors.Is(err, archive.ErrChange) {
		err = nil // the layout of a block does not have such tags, and nothing is changed
	}
	return f.bytes, err
}

func (g *generator) pack(n int) ([]byte, error) {
	options := []archive.PackOption{archive.WithDense(g.chance(2)), archive.WithFilter(!g.chance(4)),
		archive.WithCanonical(g.chance(5))}
	if !g.chance(3) {
		options = append(options, archive.WithBlockGames(pick(g, 1, 2, 3, 15, 16, 17)))
	}
	if g.chance(3) {
		options = append(options, archive.WithMeta(map[string]string{"source": "generate", "ein Name": "äöü\n"}))
	}
	var b bytes.Buffer
	_, err := archive.Pack(context.Background(), &b, strings.NewReader(g.text(n)), options...)
	return b.Bytes(), err
}

type memory struct{ bytes []byte }

func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.bytes).ReadAt(p, at)
}

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(m.bytes) {
		m.bytes = append(m.bytes, make([]byte, end-len(m.bytes))...)
	}
	return copy(m.bytes[at:], p), nil
}

func (m *memory) Truncate(size int64) error {
	if int(size) > len(m.bytes) {
		m.bytes = append(m.bytes, make([]byte, int(size)-len(m.bytes))...)
	}
	m.bytes = m.bytes[:size]
	return nil
}

func (m *memory) Sync() error { return nil }

func (g *generator) text(n int) string {
	var b strings.Builder
	if g.chance(6) {
		b.WriteString("; before the first game\n\n")
	}
	style := g.style()
	for range n {
		if g.chance(12) {
			style = g.style()
		}
		if g.chance(25) {
			b.WriteString(pick(g, "[Event \"broken\"]\n\n1. e4 e5 2. Ke3 *\n\n", "1. e4 {never ends", "x\x00y\n\n",
				"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n", "1. e4 (1. d4 (1. c4) *\n\n"))
			continue
		}
		g.game(&b, style)
	}
	if g.chance(15) { // a position that is common in an index
		for range 300 {
			fmt.Fprintf(&b, "[WhiteElo \"%d\"]\n\n1. %s %s\n\n", g.IntN(3000),
				pick(g, "e4", "d4 (1. e4 c5)", "d4 d5", "Nf3 Nf6 2. Ng1 Ng8 3. Nf3"),
				pick(g, "1-0", "0-1", "1/2-1/2", "*"))
		}
	}
	text := b.String()
	if g.chance(8) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// style is how a program writes games.
type style struct {
	notes, clocks, evals, variations, starts, variant int // one in so many; 0: never
	width                                             int
	space, shuffled                                   bool
}

func (g *generator) style() style {
	often := func() int { return pick(g, 0, 1, 5, 20) }
	return style{often(), often(), often(), pick(g, 0, 0, 10), pick(g, 0, 2, 5), pick(g, 0, 0, 2), pick(g, 0, 79),
		g.chance(2), g.chance(4)}
}

var fens = []string{
	"4k3/1P6/8/3pP3/8/8/8/4K3 w - d6 0 42", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"7k/8/8/8/8/8/8/K7 b - - 255 8187", "k7/8/1K6/8/8/8/8/7R b - - 99 300", "7k/8/8/8/8/8/8/K7 b - - 256 9000",
	"k7/8/8/6NN/NNNNNNNN/NNNNNNNN/8/K7 w - - 0 1",
}

func (g *generator) tags(b *strings.Builder, s style, result string, start string) {
	values := []string{"", "?", "Müller", "Müller", "M\xfcller", "a\x01b", "\x02", "\x03x", "\"quoted\" \\", result,
		"2600", "1999.12.31", strings.Repeat("long ", 30), "name\ttab"}
	names := []string{"Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "X",
		"Ünicode"}
	if s.shuffled {
		g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		names = append(names[:g.IntN(len(names))], pick(g, names...))
	}
	for _, name := range names {
		value := pick(g, values...)
		if name == "Result" {
			value = pick(g, result, result, result, "*", "1-0")
		}
		fmt.Fprintf(b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
	}
	if start != "" {
		fmt.Fprintf(b, "[SetUp \"1\"]\n[FEN \"%s\"]\n", start)
	}
}

func (g *generator) game(b *strings.Builder, s style) {
	p, start := position.Start(), ""
	var err error
	if s.starts > 0 && g.chance(s.starts) {
		start = pick(g, fens...)
		if p, err = position.ParseFENLenient(start); err != nil {
			panic(err)
		}
	}
	result := pick(g, "1-0", "0-1", "1/2-1/2", "*")
	variant := s.variant > 0 && start == "" && g.chance(s.variant)
	if variant {
		start = start960.FEN(g.IntN(960))
		if p, err = position.ParseFENLenient(start); err != nil {
			panic(err)
		}
		p = p.ToChess960()
		b.WriteString("[Variant \"Chess960\"]\n")
	}
	g.tags(b, s, result, start)
	b.WriteByte('\n')
	line := &words{out: b, width: s.width}
	if s.notes > 0 && g.chance(s.notes) {
		line.add(g.comment())
	}
	g.line(line, s, p, pick(g, 0, 1, 20, 60, 254, 255, 256, 300), 0)
	line.add(result)
	b.WriteString(pick(g, "\n\n", "\n\n", "\n", "\n\n\n"))
}

type words struct {
	out       *strings.Builder
	width, at int
}

func (w *words) add(word string) {
	switch {
	case w.at == 0:
	case w.width > 0 && w.at+1+len(word) > w.width:
		w.out.WriteByte('\n')
		w.at = 0
	default:
		w.out.WriteByte(' ')
		w.at++
	}
	w.out.WriteString(word)
	w.at += len(word)
}

func (g *generator) comment() string {
	return pick(g, "{a comment}", "{}", "{ä \x0c\x01 ö}", "{[%cal Ge2e4]}", "{two}", "{ spaces  }")
}

func (g *generator) line(w *words, s style, p position.Position, plies, depth int) {
	clock := [2]int{60 * g.IntN(200), 60 * g.IntN(200)}
	form := pick(g, "[%%clk %d:%02d:%02d]", "[%%clk %02d:%02d:%02d]", "[%%clk %d:%02d:%02d.7]")
	numbered := true
	for k := range plies {
		moves := p.LegalMoves(nil)
		m := chess.NullMove
		if len(moves) > 0 && !(g.chance(60) && !p.InCheck()) {
			m = pick(g, moves...)
		} else if p.InCheck() || len(moves) == 0 {
			return
		}
		before := p
		if before.Turn() == chess.White || numbered {
			w.add(fmt.Sprintf("%d%s", before.FullmoveNumber(),
				map[bool]string{true: ".", false: "..."}[before.Turn() == chess.White]))
		}
		numbered = false
		w.add(string(before.AppendSAN(nil, m)))
		p.Make(m)
		if g.chance(40) {
			w.add(fmt.Sprintf("$%d", g.IntN(256)))
		}
		var notes []string
		if s.clocks > 0 && g.chance(s.clocks) {
			c := &clock[k%2]
			*c = max(0, *c-g.IntN(40)+10)
			notes = append(notes, fmt.Sprintf(form, *c/3600, *c/60%60, *c%60))
		}
		if s.evals > 0 && g.chance(s.evals) {
			notes = append(notes, pick(g, fmt.Sprintf("[%%eval %.2f]", float64(g.IntN(2000)-1000)/100),
				fmt.Sprintf("[%%eval #%d]", g.IntN(40)-20), "[%eval 0.5]", "[%eval 400.00]", "[%eval 0.17,24]",
				"[%eval #-4 , 9]", "[%eval +3]", "[%clk 12.34]", "[%eval x]", "[%emt 0:00:05]"))
		}
		if len(notes) > 0 {
			w.add("{" + strings.Join(notes, " ") + "}")
			numbered = s.space
		}
		if s.notes > 0 && g.chance(s.notes) {
			w.add(g.comment())
		}
		if s.variations > 0 && depth < 4 && g.chance(s.variations) {
			var inner strings.Builder
			v := &words{out: &inner}
			g.line(v, s, before, 1+g.IntN(5), depth+1)
			if inner.Len() > 0 {
				w.add("(" + inner.String() + ")")
				numbered = true
			}
		}
	}
}
