// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"ply11/chess"
	"ply11/codegen"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/testdata"
)

// runAll writes everything to a folder, checks it, and prints what was made.
func runAll(stdout io.Writer, out string) error {
	files, err := everything()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(out, filepath.FromSlash(f.Path)), f.Data); err != nil {
			return err
		}
	}

	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "file\tformat\tbytes\tCRC-32")
	total := 0
	var rom []uint16
	for _, f := range files {
		path := filepath.Join(out, filepath.FromSlash(f.Path))
		data, err := os.ReadFile(path)
		if err != nil {
			return inout(err)
		}
		if !bytes.Equal(data, f.Data) {
			return differs(fmt.Errorf("%s: what is read back is not what was written", path))
		}
		format := "-"
		if f.Format != nil {
			format = f.Format.Name
			if got, err := codegen.Check(path, data); err != nil {
				return differs(fmt.Errorf("%s: %w", path, err))
			} else if got != f.Format {
				return differs(fmt.Errorf("%s: written as %s, read as %s", path, f.Format.Name, got.Name))
			}
			if f.Format.Name == "bin-le" {
				if rom, err = f.Format.Parse(data); err != nil {
					return differs(fmt.Errorf("%s: %w", path, err))
				}
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%08x\n", f.Path, format, len(data), crc32.ChecksumIEEE(data))
		total += len(data)
	}
	if err := w.Flush(); err != nil {
		return inout(err)
	}
	games, plies, err := playFamous(rom)
	if err != nil {
		return differs(err)
	}
	_, err = fmt.Fprintf(stdout, "\n%d files, %d bytes in %s, read back and checked.\n"+
		"%d famous games, %d plies, came out of the decoder and of the ROM image as they went in.\n",
		len(files), total, out, games, plies)
	if err != nil {
		return inout(err)
	}
	return nil
}

// playFamous passes the moves of the famous games through the encoder, the decoder and the ROM image
// that was written, and plays what comes out.
func playFamous(rom []uint16) (games, plies int, err error) {
	for g, err := range pgn.NewReader(strings.NewReader(testdata.Famous)).All() {
		if err != nil {
			return 0, 0, err
		}
		games++
		name := g.Tag("White") + " - " + g.Tag("Black")
		pos := g.Start
		for ply, m := range g.MainLine() {
			index, ok := moveindex.Of(m)
			if !ok {
				return 0, 0, fmt.Errorf("%s: ply %d: %v has no index", name, ply, m)
			}
			decoded, ok := index.Move()
			if !ok || decoded != m {
				return 0, 0, fmt.Errorf("%s: ply %d: index %d of %v is decoded as %v", name, ply, index, m, decoded)
			}
			word := rom[index]
			if word != uint16(m)|moveindex.WordValid {
				return 0, 0, fmt.Errorf("%s: ply %d: the ROM holds %04x for index %d of %v", name, ply, word, index, m)
			}
			if !pos.IsLegal(chess.Move(word &^ moveindex.WordValid)) {
				return 0, 0, fmt.Errorf("%s: ply %d: %v is not legal", name, ply, decoded)
			}
			pos.Make(decoded)
			plies++
		}
		if pos != g.Final() {
			return 0, 0, fmt.Errorf("%s: the decoded moves end in another position", name)
		}
	}
	if games == 0 {
		return 0, 0, errors.New("there are no famous games")
	}
	return games, plies, nil
}
