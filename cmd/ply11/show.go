// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

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
					return wrap(&archive.CorruptError{Part: "moves", Game: n, Detail: "illegal move", Err: archive.ErrCorrupt})
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
