// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/httprange"
)

func importCommand() *cobra.Command {
	var from, output, onError string
	var dense, force, quiet bool
	var list strings.Builder
	for _, f := range dataset.Importers() {
		fmt.Fprintf(&list, "  %-10s %s\n", f.Name, f.Description)
	}
	cmd := &cobra.Command{
		Use:   "import [flags] -o archive.p11 file|folder ...",
		Short: "Read data sets into an archive",
		Long: `Read the games of data sets into one archive, file after file. Every move is verified. A wrong game is
reported and left out; with --on-error stop it ends the command. A corrupt file ends the command, and nothing is
written.

Formats:
` + list.String() + `
In binpack, bin and viriformat, positions that follow each other are a game. Scores and clocks become comments. A
folder is all files in it whose names end as those of the formats do; with --from lc0 also those that end in .gz.
Files may be compressed, and - is the standard input, with --from.

The exit code is 4 if a game was left out.`,
		Example: `  ply11 import -o games.p11 train-00000-of-00004.parquet
  ply11 import --dense -o games.p11 set/*.parquet
  ply11 import --from lc0 -o games.p11 training-run1/`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		limitMemory(dataSetMemory)
		if output == "" {
			return usage("use --output to say where to write")
		}
		if onError != "skip" && onError != "stop" {
			return usage("--on-error is skip or stop, not %q", onError)
		}
		files, err := expand(args)
		if err != nil {
			return err
		}
		var list []importing
		for _, path := range files {
			more, err := importingOf(from, path)
			if err != nil {
				return err
			}
			list = append(list, more...)
		}
		out, err := createArchive(output, force, files...)
		if err != nil {
			return err
		}
		defer out.abandon()
		w := archive.NewWriter(out, archive.WithDense(dense))
		var bad teller
		for _, in := range list {
			if err := in.copy(w, &bad, onError == "stop", quiet); err != nil {
				return err
			}
		}
		bad.finish("games that are left out")
		if err := w.Close(); err != nil {
			return inFile(output, err)
		}
		proof := packing{quiet: quiet}
		if _, err := proof.publish(cmd.Context(), out, w.Stats()); err != nil {
			return err
		}
		if !quiet {
			say("%s: %d games, %d plies; %d left out", output, w.Stats().Games, w.Stats().Plies, bad.n)
		}
		if bad.n > 0 {
			return failed(exitInvalid)
		}
		return nil
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the format; by default that of each file's name")
	f.StringVarP(&output, "output", "o", "", "the archive to write")
	f.StringVar(&onError, "on-error", "skip", "wrong games: skip or stop")
	f.BoolVar(&dense, "dense", false, "store moves in about three bits")
	common(cmd, &force, &quiet, nil)
	return cmd
}

// importing is a file and its format.
type importing struct {
	*dataset.Importer
	path string
}

// importingOf returns the file of a path, or those of a folder by their names, with their formats.
func importingOf(name, path string) (list []importing, err error) {
	entries, err := os.ReadDir(path)
	if err != nil { // it is no folder
		f, err := importerOf(name, path)
		return []importing{{f, path}}, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if f, _ := importerOf("", e.Name()); f != nil && (name == "" || name == f.Name) {
			list = append(list, importing{f, filepath.Join(path, e.Name())})
		} else if name == "lc0" && strings.HasSuffix(strings.ToLower(e.Name()), ".gz") {
			f, _ := importerOf(name, "")
			list = append(list, importing{f, filepath.Join(path, e.Name())})
		}
	}
	if len(list) == 0 {
		if _, err := importerOf(name, "x.parquet"); err != nil {
			return nil, err
		}
		return nil, usage("%s: a folder without a file of a data set, by the names", path)
	}
	return list, nil
}

// importerOf finds a format by its name, or by a file's.
func importerOf(name, path string) (*dataset.Importer, error) {
	list, bare := dataset.Importers(), bareName(httprange.Name(path))
	i, names := formatAt(name, bare, len(list), func(i int) (name, ext string) {
		return list[i].Name, list[i].Extension
	})
	switch {
	case i >= 0:
		return &list[i], nil
	case name != "":
		return nil, usage("--from: there is no format %q; there are %s", name, names)
	case strings.HasSuffix(strings.ToLower(bare), ".pgn"):
		return nil, usage("%s is PGN: ply11 pack makes an archive of it", path)
	}
	return nil, usage("%s: the name has the ending of no format; use --from: %s", path, names)
}

func (f *importing) open() (games iter.Seq2[*game.Game, error], done func(), err error) {
	in, err := openSource(f.path)
	if err != nil {
		return nil, nil, err
	}
	if f.Streams() {
		return f.Stream(in.Reader), in.Close, nil
	}
	at, err := in.anywhere(f.Begins, fmt.Errorf("%w: not a sound file of the format", codec.ErrCorrupt))
	if err != nil {
		return nil, nil, err
	}
	return f.Games(at, at.size), at.Close, nil
}

func (f *importing) copy(w *archive.Writer, bad *teller, stop, quiet bool) error {
	games, done, err := f.open()
	if err != nil {
		return err
	}
	defer done()
	bar := newProgress("importing", -1, quiet)
	defer bar.finish()
	for g, err := range games {
		if err == nil {
			err = w.Write(g)
		}
		if err != nil {
			if !isGameError(err) {
				return inFile(f.path, err)
			}
			if stop {
				return &exitCode{err: inFile(f.path, err), code: exitInvalid}
			}
			bad.tell(inFile(f.path, err))
			continue
		}
		if s := w.Stats(); s.Games%1024 == 0 {
			bar.set(s.Bytes, s)
		}
	}
	return nil
}
