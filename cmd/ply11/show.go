// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/position"
	"ply11/query"
	"ply11/query/rewrite"
)

type shown struct {
	Game   int         `json:"game"`
	Tags   [][2]string `json:"tags"`
	Result string      `json:"result"`
	Ply    int         `json:"ply"`
	Plies  int         `json:"plies"`
	Move   string      `json:"move,omitempty"`
	FEN    string      `json:"fen,omitempty"` // not there if the game's start is not known
	Moves  []string    `json:"moves"`
	Wrong  string      `json:"invalid,omitempty"` // what is wrong with a game that is not valid
}

func showCommand() *cobra.Command {
	var s shower
	cmd := &cobra.Command{
		Use:   "show [flags] archive.p11 N|N-M ...",
		Short: "Show game N, or one of its positions",
		Long: `Show the text of game N. Games count from 1; N-M is games N to M, and N- is all games from N on. With
--ply K, show the K-th halfmove of the main line and the position after it (0 is the start).

` + pgnHelp + `

If a game is not valid, the command says what is wrong. It can show only positions of the valid beginning, and none if
the start is impossible or belongs to a variant of chess.`,
		Example: `  ply11 show games.p11 17
  ply11 show games.p11 3-5 17
  ply11 show games.p11 17 --ply 30 --board
  ply11 show games.p11 17 --json
  ply11 show https://example.org/games.p11 17`,
		Args: argCount(2, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s.at = cmd.Flags().Changed("ply")
		var spans [][2]int
		for _, a := range args[1:] {
			list, err := query.ParseGames(a)
			if a == "0" { // there is no game 0, which the archive reports
				list, err = [][2]int{{}}, nil
			}
			if err != nil {
				return usage("%v", err)
			}
			spans = append(spans, list...)
		}
		r, done, err := readerOf(args[0], openGames)
		if err != nil {
			return err
		}
		defer done()
		for _, span := range spans {
			last := min(span[1], r.Len())
			if span[0] == span[1] {
				last = span[1] // and the error is that of the archive
			} else if span[0] > last {
				return fail(exitMissing, "%s: no games %d-%d: there are %d", args[0], span[0], span[1], r.Len())
			}
			for n := span[0]; n <= last; n++ {
				if err := s.show(r, n); err != nil {
					return inFile(args[0], err)
				}
			}
		}
		return nil
	}
	cmd.Flags().IntVar(&s.ply, "ply", 0, "the halfmove of the main line, 0 for the start")
	cmd.Flags().BoolVar(&s.board, "board", false, "draw the board")
	cmd.Flags().BoolVar(&s.unicode, "unicode", false, "draw it with figurines")
	common(cmd, nil, nil, &s.asJSON)
	return cmd
}

type shower struct {
	ply                    int
	at                     bool // there is a ply
	board, unicode, asJSON bool
	text                   []byte
	texts                  rewrite.Texts
}

func (s *shower) show(r *archive.Reader, n int) (err error) {
	wrong, known, err := r.Fault(n)
	if err != nil {
		return err
	}
	if !s.at && !s.board && !s.asJSON {
		if s.text, err = r.AppendText(s.text[:0], n); err != nil {
			return err
		}
		if wrong != nil {
			say("game %d is not valid: %v", n, wrong)
		}
		return s.texts.Write(&stdout, s.text)
	}
	var g game.Game
	if err := r.Tags(n, &g); err != nil {
		return err
	}
	t := shown{Game: n, Result: g.Result.String(), Moves: []string{}}
	for _, tag := range g.Tags {
		t.Tags = append(t.Tags, [2]string{tag.Name, tag.Value})
	}
	if wrong != nil {
		t.Wrong = wrong.Error()
	}
	if !known {
		if s.asJSON && !s.at {
			return writeJSON(t)
		}
		return fail(exitInvalid, "game %d is not valid, and has no position that is known: %w", n, wrong)
	}
	words, err := r.MainLine(nil, n)
	if err != nil {
		return err
	}
	p, err := r.Start(n)
	if err != nil {
		return err
	}
	t.Ply, t.Plies = s.ply, len(words)
	if !s.at {
		t.Ply = len(words)
	}
	if t.Ply < 0 || t.Ply > len(words) {
		return fail(exitMissing, "game %d has %d plies%s, not %d", n, len(words),
			map[bool]string{true: " that are valid"}[wrong != nil], t.Ply)
	}
	for i, w := range words[:t.Ply] {
		m, ok := w.Move()
		if !ok {
			m = chess.NullMove
		} else if !p.IsLegal(m) {
			return &archive.CorruptError{Part: "moves", Game: n, Reason: "illegal move", Err: archive.ErrCorrupt}
		}
		san := p.SAN(m)
		t.Moves = append(t.Moves, san)
		if i == t.Ply-1 {
			t.Move = p.MoveNumber() + san
		}
		p.Make(m)
	}
	t.FEN = p.FEN()
	if s.asJSON {
		return writeJSON(t)
	}
	fmt.Fprintf(&stdout, "game %d: %s - %s, %s, ply %d of %d", n, printable(g.Tag("White")), printable(g.Tag("Black")),
		g.Result, t.Ply, t.Plies)
	if t.Move != "" {
		fmt.Fprintf(&stdout, ", after %s", t.Move)
	}
	if wrong != nil {
		fmt.Fprintf(&stdout, "; not valid: %s", printable(t.Wrong))
	}
	fmt.Fprintf(&stdout, "\n%s\n", t.FEN)
	if s.board {
		fmt.Fprint(&stdout, diagram(&p, s.unicode))
	}
	return nil
}

// diagram draws a board, White below.
func diagram(p *position.Position, figurines bool) string {
	letters := map[rune]rune{'K': '♔', 'Q': '♕', 'R': '♖', 'B': '♗', 'N': '♘', 'P': '♙',
		'k': '♚', 'q': '♛', 'r': '♜', 'b': '♝', 'n': '♞', 'p': '♟'}
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, "%d ", rank+1)
		for file := range 8 {
			c := rune(p.PieceAt(chess.NewSquare(file, rank)).Letter())
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
