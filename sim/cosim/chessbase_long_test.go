// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ply11/bitstream/chessbase"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// Every game of ChessBase's files of the data, with its variations, gives the model the indices that the codec reads.
func TestChessBaseFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(datadir.Path(t, "chessbase"), "*.cbf"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	games, plies, clocks, variations := 0, 0, 0, 0
	for _, file := range files {
		cbf, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cbi, err := os.ReadFile(file[:len(file)-1] + "i")
		if err != nil {
			t.Fatal(err)
		}
		r, err := chessbase.NewReader(bytes.NewReader(cbf), int64(len(cbf)), bytes.NewReader(cbi), int64(len(cbi)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Len() {
			var g game.Game
			var record chessbase.Record
			// A comment that is wrong leaves out no move; what AppendIndices refuses is no game.
			_ = r.Game(i+1, &g)
			numbering := r.Numbering()
			if err := r.ReadRecord(i+1, &record); err != nil {
				t.Fatal(err)
			}
			words, err := chessbase.AppendIndices(nil, record.Moves, &g.Start, numbering)
			if err != nil {
				t.Fatalf("%s, game %d: %v", file, i+1, err)
			}
			words = slices.DeleteFunc(words, func(w moveindex.Index) bool { return w >= moveindex.NumMoves })
			games++

			type place struct {
				pos position.Position
				ep  uint8
			}
			c := &sim.ChessBase{}
			c.Reset()
			at := place{pos: g.Start}
			at.ep = uint8(at.pos.EnPassantFile())
			before := at
			var stack []place
			for k, b := range record.Moves {
				switch b {
				case 0xff:
					stack = append(stack, before, at)
					at = before
					variations++
				case 0x80:
					before, at, stack = stack[len(stack)-2], stack[len(stack)-1], stack[:len(stack)-2]
				default:
					st := oracle.NewState(&at.pos)
					c.In.Board, c.In.Side, c.In.EP, c.In.CBASCII = st.Men, st.Side, at.ep, numbering == chessbase.NumberingCBASCII
					index, ok, used := chessbaseIndex(c, int(b&^0x80))
					if len(words) == 0 || !ok || moveindex.Index(index) != words[0] {
						t.Fatalf("%s, game %d, byte %d: number %d of %s is index %d, %v; want %v", file, i+1, k, b, at.pos.FEN(), index, ok, words[:1])
					}
					words = words[1:]
					plies++
					clocks += used
					before = at
					m, _ := moveindex.Index(index).Move()
					d := int(m.To()) - int(m.From())
					castling := at.pos.PieceAt(m.From()).Kind() == chess.King && (d == 2 || d == -2)
					at.pos.Make(m)
					if !castling {
						at.ep = uint8(at.pos.EnPassantFile())
					}
				}
			}
		}
	}
	if games == 0 || variations == 0 {
		t.Errorf("%d games, %d variations", games, variations)
	}
	t.Logf("%d files, %d games, %d variations, %d plies, %.1f clocks each", len(files), games, variations, plies, float64(clocks)/float64(plies))
}

// 50,000 games by their numbers: the model gives the moves back.
func TestChessBaseMaster(t *testing.T) {
	plies, clocks, games := 0, 0, 0
	for _, l := range fileLines(t, 50000, "pgn", "master", "master-50k.pgn.zst") {
		chessbaseGame(t, l.start, chessbase.NumberingDocument, l.moves, &plies, &clocks)
		games++
	}
	t.Logf("%d games, %d plies, %.1f clocks each", games, plies, float64(clocks)/float64(plies))
}

// The Verilated simulation of ply11_chessbase, as TestChessBase has Icarus'.
func TestChessBaseVerilator(t *testing.T) { testChessBase(t, ToolVerilator, 20000) }
