// SPDX-License-Identifier: Apache-2.0

// Command fit makes the model of package dense from the first games of the PGN on its standard input, and writes its
// file to standard output.
//
//	zstd -dc master-50k.pgn.zst | go run ./bitstream/dense/fit -games 40000 > bitstream/dense/model1.bin.zst
//
// A model is part of the archive format: another one needs another version.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"ply11/bitstream/dense"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
)

func main() {
	n := flag.Int("games", 40000, "how many games to read")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *n); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, n int) error {
	reader := pgn.NewReader(in, pgn.WithName("standard input"))
	var games []dense.FitGame
	var g game.Game
	plies := 0
	for len(games) < n {
		err := reader.Read(&g)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		f := dense.FitGame{Start: g.Start}
		for _, m := range g.MainLine() {
			i, ok := moveindex.Of(m)
			if !ok {
				break // a null move: the model is of real ones
			}
			f.Moves = append(f.Moves, i)
		}
		plies += len(f.Moves)
		games = append(games, f)
	}
	fmt.Fprintf(os.Stderr, "%d games, %d plies\n", len(games), plies)
	model := dense.Fit(games, func(pass int, bits float64) {
		fmt.Fprintf(os.Stderr, "pass %d: %.3f bits a ply\n", pass, bits)
	})
	_, err := out.Write(model)
	return err
}
