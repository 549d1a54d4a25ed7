// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/formats"
	"ply11/moveindex"
	"ply11/position"
)

func isWordError(err error) bool {
	var w *bitstream.WordError
	return errors.As(err, &w)
}

// spool makes a temporary file to keep a pipe in, and what removes it.
func spool() (*os.File, func(), error) {
	f, err := os.CreateTemp("", "ply11-*.p11")
	if err != nil {
		return nil, nil, err
	}
	temporary.Store(f.Name(), nil)
	return f, func() {
		f.Close()
		os.Remove(f.Name())
		temporary.Delete(f.Name())
	}, nil
}

// printable makes of a tag's text one that does nothing to a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// openArchive opens an archive for reading in any order; the standard input is kept in a temporary file.
func openArchive(path string) (*archive.Reader, func(), error) {
	if path == "-" {
		f, done, err := spool()
		if err != nil {
			return nil, nil, err
		}
		n, err := f.ReadFrom(os.Stdin)
		if err != nil {
			done()
			return nil, nil, err
		}
		r, err := archive.NewReader(f, n)
		if err != nil {
			done()
			return nil, nil, fmt.Errorf("-: %w", err)
		}
		return r, done, nil
	}
	r, err := archive.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return r, func() { r.Close() }, nil
}

// info is what the command info tells.
type info struct {
	Path       string           `json:"path"`
	Version    int              `json:"version"`
	Canonical  bool             `json:"canonical"`
	Games      uint64           `json:"games"`
	Plies      uint64           `json:"plies"`
	Blocks     int              `json:"blocks"`
	Bytes      int64            `json:"bytes"`
	Text       int64            `json:"text_bytes"`
	SHA256     string           `json:"text_sha256,omitempty"`
	Departing  uint64           `json:"departing_games"`
	PerGame    float64          `json:"bytes_per_game"`
	BitsPerPly float64          `json:"bits_per_ply"`
	MoveBits   float64          `json:"move_bits_per_ply"`
	Dense      int              `json:"dense_blocks"`
	DensePlies uint64           `json:"dense_plies"`
	Columns    map[string]int64 `json:"columns"`
	Raw        map[string]int64 `json:"columns_raw"`
	Overhead   int64            `json:"headers_and_index"`
}

func infoCommand() *cobra.Command {
	var asJSON, layout bool
	cmd := &cobra.Command{
		Use:   "info archive.p11",
		Short: "Tell what an archive holds, and where its bytes go",
		Long: `Tell what an archive holds, and where its bytes go: those of each column, stored and raw, and the bits a ply of
all of it and of the moves alone.`,
		Example: `  ply11 info games.p11
  ply11 info --layout games.p11
  ply11 info --json games.p11 | jq .move_bits_per_ply`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, done, err := openArchive(args[0])
			if err != nil {
				return err
			}
			defer done()
			s := r.Stats()
			t := info{Path: args[0], Version: r.Version(), Canonical: r.Canonical(), Games: s.Games, Plies: s.Plies,
				Blocks: s.Blocks, Bytes: s.Bytes, Text: s.Text, Columns: map[string]int64{}, Raw: map[string]int64{}}
			if s.Hashed {
				t.SHA256 = hex.EncodeToString(s.SHA256[:])
			}
			var order []string
			t.Overhead = s.Bytes
			for i := range r.Blocks() {
				b, err := r.Block(i)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				t.Departing += uint64(b.Departing())
				if b.Dense() {
					t.Dense++
					t.DensePlies += uint64(b.Plies())
				}
				for _, c := range b.Columns() {
					name := c.Kind.String()
					if _, ok := t.Columns[name]; !ok {
						order = append(order, name)
					}
					t.Columns[name] += c.Stored
					t.Raw[name] += c.Raw
					t.Overhead -= c.Stored
				}
				if layout && !asJSON {
					fmt.Fprintf(&stdout, "block %d at %d: games %d-%d, %d plies, %d bytes\n", i, b.Offset(), b.First(),
						b.First()+uint64(b.Games())-1, b.Plies(), b.Size())
					style, _ := b.Style()
					fmt.Fprintf(&stdout, "  layout %+v\n", style)
					for _, c := range b.Columns() {
						fmt.Fprintf(&stdout, "  %-12s at %d: %d bytes stored, %d raw\n", c.Kind, c.Offset, c.Stored, c.Raw)
					}
				}
			}
			games, plies := float64(max(s.Games, 1)), float64(max(s.Plies, 1))
			t.PerGame, t.BitsPerPly = float64(s.Bytes)/games, float64(s.Bytes)*8/plies
			fixed, dense := t.Columns[archive.ColumnMoves.String()], t.Columns[archive.ColumnDense.String()]
			t.MoveBits = float64(fixed+dense) * 8 / plies
			if asJSON {
				return writeJSON(t)
			}
			fmt.Fprintf(&stdout, "%s: ply11 archive, format %d", args[0], t.Version)
			if t.Canonical {
				fmt.Fprint(&stdout, ", canonical (the text's layout is not kept)")
			}
			fmt.Fprintf(&stdout, "\n%d games, %d plies of main lines, %d blocks, %d games that depart from the layout or are not valid\n",
				t.Games, t.Plies, t.Blocks, t.Departing)
			fmt.Fprintf(&stdout, "%d bytes, %.2f a game, %.3f bits a ply; the moves alone %.3f bits a ply\n", t.Bytes, t.PerGame, t.BitsPerPly, t.MoveBits)
			if t.Dense > 0 {
				fmt.Fprintf(&stdout, "%d blocks have dense moves, %.3f bits a ply", t.Dense, float64(dense)*8/float64(max(t.DensePlies, 1)))
				if rest := t.Plies - t.DensePlies; rest > 0 {
					fmt.Fprintf(&stdout, "; the others %.3f", float64(fixed)*8/float64(rest))
				}
				fmt.Fprintln(&stdout)
			}
			fmt.Fprintf(&stdout, "unpacks to %d bytes", t.Text)
			if t.SHA256 != "" {
				fmt.Fprintf(&stdout, ", SHA-256 %s", t.SHA256)
			}
			fmt.Fprintln(&stdout)
			for _, name := range order {
				fmt.Fprintf(&stdout, "  %-18s %12d bytes  %8.3f a game  (raw %d)\n", name, t.Columns[name], float64(t.Columns[name])/games, t.Raw[name])
			}
			fmt.Fprintf(&stdout, "  %-18s %12d bytes  %8.3f a game\n", "headers, index", t.Overhead, float64(t.Overhead)/games)
			return nil
		},
	}
	cmd.Flags().BoolVar(&layout, "layout", false, "tell of every block")
	common(cmd, nil, nil, &asJSON)
	return cmd
}

// shown is what show --json writes.
type shown struct {
	Game   uint64      `json:"game"`
	Tags   [][2]string `json:"tags"`
	Result string      `json:"result"`
	Ply    int         `json:"ply"`
	Plies  int         `json:"plies"`
	Move   string      `json:"move,omitempty"`
	FEN    string      `json:"fen"`
	Moves  []string    `json:"moves"`
}

func showCommand() *cobra.Command {
	var ply int
	var board, asJSON, unicode bool
	cmd := &cobra.Command{
		Use:   "show [flags] archive.p11 N",
		Short: "Show game N, or one of its positions",
		Long: `Show game N, counted from 1: its text; with --ply K, the K-th halfmove of the main line and the position
after it (0 is the start); with --board, the position as a diagram.`,
		Example: `  ply11 show games.p11 17
  ply11 show games.p11 17 --ply 30 --board
  ply11 show games.p11 17 --json`,
		Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var n uint64
			if _, err := fmt.Sscanf(args[1], "%d", &n); err != nil || fmt.Sprint(n) != args[1] {
				return usage("%q is no game's number", args[1])
			}
			r, done, err := openArchive(args[0])
			if err != nil {
				return err
			}
			defer done()
			wrap := func(err error) error {
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return nil
			}
			at := cmd.Flags().Changed("ply")
			if !at && !board && !asJSON {
				text, err := r.AppendText(nil, n)
				if err != nil {
					return wrap(err)
				}
				_, err = stdout.Write(text)
				return err
			}
			var g game.Game
			if err := r.Tags(n, &g); err != nil {
				return wrap(err)
			}
			words, err := r.MainLine(nil, n)
			if err != nil {
				return wrap(err)
			}
			p, err := r.Start(n)
			if err != nil {
				return wrap(err)
			}
			k := ply
			if !at {
				k = len(words)
			}
			if k < 0 || k > len(words) {
				return &exitCode{err: fmt.Errorf("game %d has %d plies, not %d", n, len(words), k), code: exitMissing}
			}
			move, moves := "", []string{}
			for i, w := range words {
				m, ok := w.Move()
				if !ok {
					m = moveindex.NullMove
				} else if !p.IsLegal(m) {
					return wrap(&archive.CorruptError{Part: "moves", Block: -1, Game: n, Detail: "illegal move", Err: archive.ErrCorrupt})
				}
				if i >= k && !asJSON {
					break
				}
				san := p.SAN(m)
				moves = append(moves, san)
				if i == k {
					break
				}
				if i == k-1 {
					move = fmt.Sprintf("%d%s%s", p.FullmoveNumber(), map[bool]string{true: "...", false: "."}[p.Turn() == moveindex.Black], san)
				}
				p.Make(m)
			}
			if asJSON {
				s := shown{Game: n, Result: g.Result.String(), Ply: k, Plies: len(words), Move: move, FEN: p.FEN(), Moves: moves[:k]}
				for _, t := range g.Tags {
					s.Tags = append(s.Tags, [2]string{t.Name, t.Value})
				}
				return writeJSON(s)
			}
			fmt.Fprintf(&stdout, "game %d: %s - %s, %s, ply %d of %d", n, printable(g.Tag("White")), printable(g.Tag("Black")), g.Result, k, len(words))
			if move != "" {
				fmt.Fprintf(&stdout, ", after %s", move)
			}
			fmt.Fprintln(&stdout)
			fmt.Fprintln(&stdout, p.FEN())
			if board {
				fmt.Fprint(&stdout, diagram(&p, unicode))
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&ply, "ply", 0, "the halfmove of the main line, 0 for the start")
	cmd.Flags().BoolVar(&board, "board", false, "draw the board")
	cmd.Flags().BoolVar(&unicode, "unicode", false, "draw it with figurines")
	common(cmd, nil, nil, &asJSON)
	return cmd
}

// diagram draws a board, White below.
func diagram(p *position.Position, figurines bool) string {
	letters := map[rune]rune{'K': '♔', 'Q': '♕', 'R': '♖', 'B': '♗', 'N': '♘', 'P': '♙',
		'k': '♚', 'q': '♛', 'r': '♜', 'b': '♝', 'n': '♞', 'p': '♟'}
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, "%d ", rank+1)
		for file := range 8 {
			c := rune(p.PieceAt(moveindex.NewSquare(file, rank)).Letter())
			if f, ok := letters[c]; ok && figurines {
				c = f
			}
			fmt.Fprintf(&b, " %c", c)
		}
		b.WriteByte('\n')
	}
	b.WriteString("   a b c d e f g h\n")
	return b.String()
}

func verifyCommand() *cobra.Command {
	var quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "verify archive.p11 ...",
		Short: "Verify every checksum and every game of archives, and of other files",
		Long: `Verify every checksum and every game of archives. Files that are of another format by their names are read
whole too, and all that is wrong is told; of ChessBase files also bytes that a reader lets pass.`,
		Example: `  ply11 verify games.p11
  ply11 verify --json *.p11`,
		Args: argCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := 0
			for _, path := range args {
				if f, err := formats.ByPath(path); err == nil && f.Name != "p11" {
					n, err := verifyOther(f, path, quiet, asJSON)
					if err != nil {
						return err
					}
					bad += n
					continue
				}
				rep, err := salvage(path, "verifying", quiet, func(f *os.File, size int64, p func(archive.Stats)) (*archive.Report, error) {
					return archive.Verify(f, size, p)
				})
				if err != nil {
					return err
				}
				if !rep.OK() {
					bad++
				}
				if err := tellReport(&stdout, path, rep, quiet, asJSON); err != nil {
					return err
				}
			}
			if bad > 0 {
				return &exitCode{err: errors.New("corrupt"), code: exitCorrupt, told: true}
			}
			return nil
		},
	}
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}

// salvage opens a file for verify and recover.
func salvage(path, what string, quiet bool, do func(*os.File, int64, func(archive.Stats)) (*archive.Report, error)) (*archive.Report, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		// A pipe is kept in a temporary file: what is damaged must be read more than once.
		tmp, done, err := spool()
		if err != nil {
			return nil, err
		}
		defer done()
		if _, err := tmp.ReadFrom(f); err != nil {
			return nil, err
		}
		f = tmp
		if st, err = f.Stat(); err != nil {
			return nil, err
		}
	}
	bar := newProgress(what, st.Size(), quiet)
	defer bar.finish()
	rep, err := do(f, st.Size(), func(s archive.Stats) { bar.set(s.Bytes, s) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rep, nil
}

// tellReport writes what verify or recover found; the sum of it to w.
func tellReport(w io.Writer, path string, rep *archive.Report, quiet, asJSON bool) error {
	if asJSON {
		list := []string{}
		for _, e := range rep.Errors {
			list = append(list, e.Error())
		}
		return writeJSON(struct {
			Path   string          `json:"path"`
			OK     bool            `json:"ok"`
			Games  uint64          `json:"games"`
			Plies  uint64          `json:"plies"`
			Blocks int             `json:"blocks"`
			Errors []string        `json:"errors"`
			More   int             `json:"more_errors"`
			Lost   []archive.Range `json:"lost"`
			Tail   bool            `json:"end_unknown"`
		}{path, rep.OK(), rep.Games, rep.Plies, rep.Blocks, list, rep.More, append([]archive.Range{}, rep.Lost...), rep.Tail})
	}
	for _, e := range rep.Errors {
		fmt.Fprintf(os.Stderr, "ply11: %s: %v\n", path, e)
	}
	if rep.More > 0 {
		fmt.Fprintf(os.Stderr, "ply11: %s: and %d more\n", path, rep.More)
	}
	if len(rep.Lost) > 0 {
		var list []string
		for _, r := range rep.Lost {
			list = append(list, r.String())
		}
		fmt.Fprintf(os.Stderr, "ply11: %s: lost games: %s\n", path, strings.Join(list, ", "))
	}
	if rep.Tail {
		fmt.Fprintf(os.Stderr, "ply11: %s: the end is damaged; games after %d may be lost\n", path, rep.Games)
	}
	if !quiet {
		state := "whole"
		if !rep.OK() {
			state = "corrupt"
		}
		fmt.Fprintf(w, "%s: %s: %d games, %d plies in %d blocks are right\n", path, state, rep.Games, rep.Plies, rep.Blocks)
	}
	return nil
}

func recoverCommand() *cobra.Command {
	var output string
	var force, quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "recover [flags] -o new.p11 damaged.p11",
		Short: "Write the undamaged blocks of an archive to a new one",
		Long: `Write the undamaged blocks of an archive to a new one, and tell the numbers of the games that are lost. It needs neither
the archive's header nor its index.`,
		Example: `  ply11 recover -o sound.p11 damaged.p11`,
		Args:    argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return usage("recover: --output must name the new archive")
			}
			told := io.Writer(&stdout)
			if output == "-" {
				if asJSON {
					return usage("--json and --output - are both written to the standard output")
				}
				told = os.Stderr
			}
			out, err := createTarget(output, force)
			if err != nil {
				return err
			}
			defer out.abandon()
			rep, err := salvage(args[0], "recovering", quiet, func(f *os.File, size int64, p func(archive.Stats)) (*archive.Report, error) {
				return archive.Recover(out, f, size, p)
			})
			if err != nil {
				return err
			}
			if err := out.finish(); err != nil {
				return err
			}
			if err := out.commit(); err != nil {
				return err
			}
			if err := tellReport(told, args[0], rep, quiet, asJSON); err != nil {
				return err
			}
			if !rep.OK() {
				return &exitCode{err: errors.New("corrupt"), code: exitCorrupt, told: true}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the new archive")
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}

// wordAt returns the move at a bit of a column of moves.
func wordAt(moves []byte, bit uint64) (moveindex.Move, bool) {
	w, ok := bitstream.At(moves, bit)
	if !ok {
		return 0, false
	}
	return w.Move()
}
