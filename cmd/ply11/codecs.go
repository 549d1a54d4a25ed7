// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/internal/formats"
	"ply11/internal/tempfile"
)

// measured are the formats that the command codecs measures, with what is told to them. (Opening books hold no
// games, and a line of UCI no result.)
var measured = []struct {
	name    string // of the row
	format  string
	options map[string]string
}{
	{"brenner", "brenner", nil},
	{"brenner-alt", "brenner-alt", nil},
	{"brenner-alt-swapped", "brenner-alt-swapped", nil},
	{"brenner-alt-fixed", "brenner-alt-fixed", nil},
	{"jose", "jose", map[string]string{"container": "jgt"}},
	{"jose-program", "jose-program", map[string]string{"container": "jgt"}},
	{"chessbase", "chessbase", nil},
	{"words", "words", nil},
	{"p11", "p11", map[string]string{"filter": "no"}},
	{"p11-dense", "p11", map[string]string{"moves": "dense"}},
	{"pgn", "pgn", map[string]string{"style": "compact"}},
}

// codecRow is what the command codecs found of a format.
type codecRow struct {
	Name    string  `json:"format"`
	Games   int     `json:"games"`
	Refused int     `json:"refused"`
	Plies   int     `json:"plies"`
	Bytes   int64   `json:"bytes"`
	Frame   int64   `json:"bytes_without_moves"` // of as many games with no moves
	PerPly  float64 `json:"bytes_per_ply"`
	Moves   float64 `json:"move_bytes_per_ply"`
}

func codecsCommand() *cobra.Command {
	var from string
	var quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "codecs [flags] games.pgn",
		Short: "Measure how many bytes a ply each format takes, and that all agree",
		Long: `Measure how many bytes the games take in each format. The command writes only the main lines and results, without tags,
comments, NAGs and variations, to temporary files. Then it reads all of them back. It compares the start and every move of every game
with the input.

The column "moves" counts only the bytes of moves. It leaves out what a format writes for as many games without moves: results, headers,
an index. If a format refuses a game, the command counts it and leaves it out of the row.

Exit codes: 0 all formats agree; 1 a file cannot be read or written; 2 wrong usage; 3 a format gave back
another game; 4 there is no game in the file.`,
		Example: "  ply11 codecs games.pgn.zst",
		Args:    argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := formatOf("--from", from, args[0])
			if err != nil {
				return err
			}
			if args[0] == "-" {
				return usage("the games are read twice, so they must be in a file")
			}
			rows, err := measure(f, args[0], quiet)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(rows)
			}
			fmt.Fprint(&stdout, codecTable(rows))
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the input's format")
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}

// codecTable is the table in Markdown, as the README has it.
func codecTable(rows []codecRow) string {
	var b strings.Builder
	b.WriteString("| format | games | plies | bytes | bytes a ply | moves |\n|---|---:|---:|---:|---:|---:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %.3f | %.3f |\n", r.Name, r.Games, r.Plies, r.Bytes, r.PerPly, r.Moves)
	}
	return b.String()
}

// maxRefused is how many refused games of a format are kept in mind.
const maxRefused = 1 << 20

// candidate is a format that is measured.
type candidate struct {
	codecRow
	format  *formats.Format
	options formats.Options
	file    codecFile // the games
	frame   codecFile // the same games without moves
	refused []int     // the numbers of the games that are not in the file
}

// codecFile is a file of a format, and those beside it. None has a name.
type codecFile struct {
	path  string // that tells the format
	files map[string]*codecPart
	w     codec.Writer
}

type codecPart struct {
	*tempfile.File
	buf *bufio.Writer
}

// create begins one file.
func (c *codecFile) create(path string) (io.Writer, error) {
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	if c.files == nil {
		c.files = map[string]*codecPart{}
	}
	p := &codecPart{f, bufio.NewWriterSize(f, 64<<10)}
	c.files[filepath.Ext(path)] = p
	return p.buf, nil
}

// begin begins the files.
func (c *codecFile) begin(path string, f *formats.Format, o formats.Options) error {
	c.path = path
	main, err := c.create(path)
	if err != nil {
		return err
	}
	c.w, err = f.Write(formats.Output{Writer: main, Path: path, Sibling: func(ext string) (io.Writer, error) {
		return c.create(ext)
	}}, o)
	return err
}

// finish ends the files and returns their size.
func (c *codecFile) finish() (size int64, err error) {
	if err := c.w.Close(); err != nil {
		return 0, err
	}
	for _, p := range c.files {
		if err := p.buf.Flush(); err != nil {
			return 0, err
		}
		n, err := p.Seek(0, io.SeekEnd)
		if err != nil {
			return 0, err
		}
		size += n
	}
	return size, nil
}

// input is what was written, to be read.
func (c *codecFile) input() (formats.Input, error) {
	part := func(ext string) (*io.SectionReader, error) {
		p := c.files[ext]
		if p == nil {
			return nil, &fs.PathError{Op: "open", Path: ext, Err: fs.ErrNotExist}
		}
		size, err := p.Seek(0, io.SeekEnd)
		return io.NewSectionReader(p, 0, size), err
	}
	main, err := part(filepath.Ext(c.path))
	return formats.Input{Reader: main, Path: c.path, Sibling: func(ext string) (io.ReadCloser, error) {
		r, err := part(ext)
		if err != nil {
			return nil, err
		}
		return readAtCloser{r}, nil
	}}, err
}

// readAtCloser is a file that is closed elsewhere.
type readAtCloser struct{ *io.SectionReader }

func (readAtCloser) Close() error { return nil }

func (c *codecFile) close() {
	for _, f := range c.files {
		f.Close()
	}
}

// bare makes of a game one with its start, its main line and its result alone.
func bare(dst, g *game.Game, moves bool) {
	dst.Reset()
	dst.SetStart(g.Start)
	dst.Result = g.Result
	if !moves {
		return
	}
	var b game.Builder
	b.Reset(dst)
	for _, m := range g.MainLine() {
		b.Move(m)
	}
	b.Flush()
}

// measure writes the games of a file to all formats, reads them back and compares.
func measure(f *formats.Format, path string, quiet bool) ([]codecRow, error) {
	var codecs []*candidate
	var err error
	for _, m := range measured {
		c := &candidate{codecRow: codecRow{Name: m.name}, options: formats.Options{Values: m.options}}
		if c.format, err = formats.ByName(m.format); err != nil {
			return nil, err
		}
		ext := ".bytes"
		if len(c.format.Extensions) > 0 {
			ext = c.format.Extensions[0]
		}
		defer c.file.close()
		defer c.frame.close()
		if err := errors.Join(c.file.begin(m.name+ext, c.format, c.options),
			c.frame.begin(m.name+"-frame"+ext, c.format, c.options)); err != nil {
			return nil, err
		}
		codecs = append(codecs, c)
	}
	if err := writeAll(codecs, f, path, quiet); err != nil {
		return nil, err
	}
	if err := compareAll(codecs, f, path, quiet); err != nil {
		return nil, err
	}
	rows := make([]codecRow, len(codecs))
	for i, c := range codecs {
		plies := float64(max(c.Plies, 1))
		c.PerPly, c.Moves = float64(c.Bytes)/plies, float64(c.Bytes-c.Frame)/plies
		rows[i] = c.codecRow
	}
	slices.SortStableFunc(rows, func(a, b codecRow) int { return cmp.Compare(a.PerPly, b.PerPly) })
	return rows, nil
}

// eachGame calls do with the valid games of a file and their numbers; other games tell tells of.
func eachGame(f *formats.Format, path, what string, quiet bool, tell func(error), do func(number int, g *game.Game) error) error {
	in, err := openInput(f, path)
	if err != nil {
		return err
	}
	defer in.Close()
	bar := newProgress(what, in.size, quiet)
	defer bar.finish()
	var stats archive.Stats
	number := 0
	for g, err := range gamesOf(f, in, formats.Options{}) {
		number++
		if err != nil && !isGameError(err) {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err != nil {
			tell(inFile(path, err))
			continue
		}
		if err := do(number, g); err != nil {
			return err
		}
		stats.Games++
		stats.Plies += uint64(g.Len())
		if stats.Games%1024 == 0 {
			bar.set(in.read.n, stats)
		}
	}
	return nil
}

// writeAll writes the games to all formats.
func writeAll(codecs []*candidate, f *formats.Format, path string, quiet bool) error {
	whole, frame := game.New(), game.New()
	var bad, refused teller
	defer bad.finish("invalid games, which are left out")
	defer refused.finish("games refused")
	err := eachGame(f, path, "writing", quiet, bad.tell, func(number int, g *game.Game) error {
		bare(whole, g, true)
		bare(frame, g, false)
		for _, c := range codecs {
			if err := c.file.w.Write(whole); err != nil {
				if losses := codec.LossesOf(err); losses != nil {
					err = fmt.Errorf("%s cannot hold %s", c.Name, strings.Join(losses, ", "))
				} else if err = fmt.Errorf("%s: %w", c.Name, err); codeOf(err) == exitError {
					return err
				}
				if c.Refused++; c.Refused > maxRefused {
					return &exitCode{code: exitLoss, err: fmt.Errorf("%s: more than %d games refused", c.Name, maxRefused)}
				}
				c.refused = append(c.refused, number)
				refused.tell(fmt.Errorf("%s: game %d: %w", path, number, err))
				continue
			}
			if err := c.frame.w.Write(frame); err != nil {
				return fmt.Errorf("%s: game %d without its moves: %w", c.Name, number, err)
			}
			c.Games++
			c.Plies += whole.Len()
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range codecs {
		if c.Bytes, err = c.file.finish(); err == nil {
			c.Frame, err = c.frame.finish()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// compareAll reads what was written and compares it, game by game, with the file that it came from.
func compareAll(codecs []*candidate, f *formats.Format, path string, quiet bool) error {
	var nexts []func() (*game.Game, error, bool)
	for _, c := range codecs {
		in, err := c.file.input()
		if err != nil {
			return err
		}
		next, stop := iter.Pull2(c.format.Read(in, c.options))
		defer stop()
		nexts = append(nexts, next)
	}
	differ := func(c *candidate, number int, err error) error {
		return &exitCode{code: exitCorrupt, err: fmt.Errorf("%s: game %d: %s does not give it back: %w", path, number, c.Name, err)}
	}
	want, got := game.New(), game.New()
	err := eachGame(f, path, "comparing", quiet, func(error) {}, func(number int, g *game.Game) error {
		bare(want, g, true)
		for i, c := range codecs {
			if len(c.refused) > 0 && c.refused[0] == number {
				c.refused = c.refused[1:]
				continue
			}
			back, err, ok := nexts[i]()
			if err != nil {
				return differ(c, number, err)
			}
			if !ok {
				return differ(c, number, io.ErrUnexpectedEOF)
			}
			bare(got, back, true)
			got.Tags, want.Tags = nil, nil
			if diff := got.Diff(want); diff != "" {
				return differ(c, number, errors.New(diff))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, c := range codecs {
		if _, err, more := nexts[i](); more {
			return differ(c, c.Games+1, cmp.Or(err, errors.New("there are more games than were written")))
		}
	}
	return nil
}
