// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/internal/httprange"
	"ply11/query"
	"ply11/query/index"
)

// indexOf returns the name of an archive's index: the archive's with an x.
func indexOf(path string) string {
	if u, err := url.Parse(path); err == nil && httprange.IsURL(path) {
		u.Path, u.RawPath = u.Path+"x", ""
		return u.String()
	}
	return path + "x"
}

func isIndex(path string) bool { return strings.EqualFold(filepath.Ext(path), ".p11x") }

func isTree(path string) bool { return strings.EqualFold(filepath.Ext(httprange.Name(path)), ".p11t") }

// Bounds of --memory, in MiB.
const (
	leastMemory   = 16
	defaultMemory = 512
	mostMemoryMiB = 1 << 20
)

type indexResult struct {
	Path string `json:"path"`
	index.Counts
	Segments int     `json:"segments"` // the positions of each are counted by themselves
	Games    int     `json:"games"`
	Plies    int64   `json:"plies"`
	Bytes    int64   `json:"bytes"`
	Each     float64 `json:"bytes_per_ply"`
}

func indexCommand() *cobra.Command {
	var output string
	var memory, workers int
	var trees index.TreeOptions
	var force, quiet, variations, update, asJSON bool
	cmd := &cobra.Command{
		Use:   "index [flags] archive.p11 ...",
		Short: "Make the index of an archive's positions, so that tree answers at once",
		Long: `Make the index of all positions in an archive's main lines. With it, tree finds a position at once, and
reads hardly anything from the archive. The index is a file beside the archive, games.p11x beside games.p11, and takes
three to four bytes a ply.

An index belongs to one archive. If the archive has changed, make the index again with --force. If ply11 append has
added games, --update adds them to the index; without an index it makes one. The command uses a temporary file beside
the output, of about 14 bytes a ply, and as much memory as --memory says.

With --min-games or --max-ply, or if --output names a file .p11t, the command makes a tree file, games.p11t beside
games.p11. It has the positions that so many games reach within so many plies, and of these counts, results and
ratings. It takes about half a byte a ply, and answers without the archive, also from a server of files (TREEFILE.md).
It has no variations and no update; tree-merge adds several up.`,
		Example: `  ply11 index games.p11
  ply11 index --force --memory 2048 games.p11
  ply11 append games.p11 more.pgn && ply11 index --update games.p11
  ply11 index --min-games 2 --max-ply 40 games.p11
  ply11 index --force games.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		tree := trees.MinGames > 0 || trees.MaxPly > 0 || isTree(output)
		switch {
		case tree && (update || variations):
			return usage("a tree file, of --min-games, --max-ply or .p11t, has no --update and no --variations")
		case tree && isIndex(output):
			return usage("%s: with --min-games or --max-ply the output is a tree file, .p11t", output)
		}
		files, err := expand(args)
		if err != nil {
			return err
		}
		if output != "" && len(files) > 1 {
			return usage("--output is for one archive, and there are %d", len(files))
		}
		limitMemory(int64(memory)<<20 + 32<<20)
		for _, path := range files {
			o := index.Options{Memory: int64(memory) << 20, Workers: workers, Variations: variations}
			var of *index.TreeOptions
			if tree {
				of = &trees
			}
			if err := makeIndex(cmd.Context(), path, output, o, of, update, force, quiet, asJSON); err != nil {
				return err
			}
		}
		return nil
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "the index; by default the name of the archive and an x")
	f.BoolVar(&update, "update", false, "add the games that were appended to the archive")
	f.BoolVar(&variations, "variations", false, "the positions of variations, too, for tree --variations")
	number(f, &trees.MinGames, "min-games", "", 0, 0, math.MaxUint16,
		"a tree file of the positions that so many games reach")
	number(f, &trees.MaxPly, "max-ply", "", 0, 0, math.MaxUint16,
		"a tree file of the positions after so many plies at most")
	number(f, &memory, "memory", "", defaultMemory, leastMemory, mostMemoryMiB,
		"how much memory to take at most, in `MiB`")
	exclude(cmd, "update", "force")
	workersFlag(f, &workers, "")
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}

// makeIndex makes the index of an archive, or updates it, or makes a tree file. An empty name is that of the file
// beside the archive.
func makeIndex(ctx context.Context, path, to string, o index.Options, tree *index.TreeOptions, update, force, quiet,
	asJSON bool) error {
	sources, done, err := sourcesBy(openKept, []string{path})
	if err != nil {
		return err
	}
	defer done()
	if to == "" {
		if !rereadable(path) {
			return usage("%s: the index stands beside a file; --output names it", path)
		}
		name, err := nameHere(path)
		if err != nil {
			return err
		}
		if to = indexOf(name); tree != nil {
			to = name + "t"
		}
	}
	if err := refuseSame(to, path); err != nil {
		return err
	}
	if update && rereadable(to) {
		return updateIndex(ctx, to, path, sources[0], o, quiet, asJSON)
	}
	out, err := createTarget(to, force, path)
	if err != nil {
		return err
	}
	defer out.abandon()
	if o.Temp = to; to == "-" {
		o.Temp = filepath.Join(os.TempDir(), "x")
	}
	bar, last := indexProgress(&o, sources[0].Size, quiet)
	r := indexResult{Path: to, Segments: 1}
	var stats index.TreeStats
	if tree != nil {
		t := *tree
		t.Temp, t.Memory, t.Workers, t.Progress = o.Temp, o.Memory, o.Workers, o.Progress
		stats, err = index.BuildTree(ctx, out, sources[0].File(), t)
	} else {
		r.Counts, err = index.Build(ctx, out, sources[0].File(), o)
	}
	bar.finish()
	if err != nil {
		return indexMade(to, err)
	}
	if tree != nil {
		return tellTree(out, to, stats, quiet, asJSON)
	}
	if err := out.finish(); err != nil {
		return err
	}
	r.Games, r.Plies = last.Games, last.Plies
	if w, err := out.written(); err != nil {
		return err
	} else if w != nil {
		r.Bytes = w.Size()
	}
	if err := out.commit(); err != nil {
		return err
	}
	return r.tell(quiet, asJSON)
}

func indexProgress(o *index.Options, size int64, quiet bool) (*progress, *index.Progress) {
	last := new(index.Progress)
	bar := newProgress("indexing", 2*size, quiet)
	o.Progress = func(p index.Progress) {
		done := int64(float64(size) * float64(p.Done) / float64(max(p.All, 1)))
		if last.All != 0 && p.All != last.All || p.Games == last.Games && p.Done != last.Done {
			done += size // the second half
		}
		*last = p
		bar.set(done, archive.Stats{Games: p.Games, Plies: p.Plies})
	}
	return bar, last
}

// indexMade says what to do about an error.
func indexMade(to string, err error) error {
	switch {
	case errors.Is(err, index.ErrMemory):
		return usage("%v; --memory gives more", err)
	case errors.Is(err, index.ErrOtherArchive):
		return fmt.Errorf("%s: %w: --force makes it again", to, index.ErrOtherArchive)
	}
	return err
}

func (r *indexResult) tell(quiet, asJSON bool) error {
	r.Each = float64(r.Bytes) / float64(max(r.Plies, 1))
	switch {
	case asJSON:
		return writeJSON(r)
	case !quiet:
		say("%s: %d games, %d plies, %s in %d bytes (%.2f a ply)", r.Path, r.Games, r.Plies,
			positionsOf(r.Positions, r.Segments), r.Bytes, r.Each)
	}
	return nil
}

// positionsOf prints how many positions an index has. Each segment after --update counts its own.
func positionsOf(n uint64, segments int) string {
	if segments > 1 {
		return fmt.Sprintf("%d positions (each of %d segments counted by itself)", n, segments)
	}
	return fmt.Sprintf("%d positions", n)
}

// updateIndex adds appended games to an index.
func updateIndex(ctx context.Context, to, path string, source query.Source, o index.Options, quiet, asJSON bool) error {
	f, size, err := openLocked(to)
	if err != nil {
		return err
	}
	defer f.Close()
	x, err := index.Open(f, size)
	if err != nil {
		return inFile(to, err)
	}
	if o.Variations && !x.Variations() {
		return usage("%s has no variations: --force makes it again, with them", to)
	}
	switch err := x.Of(source.File()); {
	case err == nil:
		if !quiet {
			say("%s: it has all games", to)
		}
		return nil
	case !errors.Is(err, index.ErrOtherArchive):
		return inFile(path, err)
	}
	o.Temp = to
	bar, _ := indexProgress(&o, source.Size, quiet)
	_, err = index.Update(ctx, f, size, source.File(), o)
	bar.finish()
	if err != nil {
		return indexMade(to, err)
	}
	info, err := f.Stat()
	if err == nil {
		x, err = index.Open(f, info.Size())
	}
	if err != nil {
		return inFile(to, err)
	}
	r := indexResult{Path: to, Counts: x.Counts(), Segments: len(x.Segments()), Games: x.Games(), Plies: x.Plies(),
		Bytes: info.Size()}
	if unused := x.Unused(); unused > r.Bytes/2 {
		out, err := createTarget(to, true, path)
		if err != nil {
			return err
		}
		defer out.abandon()
		if err := index.Compact(ctx, out, x); err != nil {
			return inFile(to, err)
		}
		if err := errors.Join(out.finish(), out.commit()); err != nil {
			return err
		}
		r.Bytes -= unused
	}
	return r.tell(quiet, asJSON)
}

// refuseSame refuses an output that is one of the inputs.
func refuseSame(out string, inputs ...string) error {
	for _, in := range inputs {
		if same, err := sameFile(in, out); err != nil {
			return err
		} else if same {
			return usage("%s is read and would be written: name another file for the output", in)
		}
	}
	return nil
}

func sameFile(in, out string) (bool, error) {
	stat := func(name string, std func() (fs.FileInfo, error)) (fs.FileInfo, error) {
		if name == "-" {
			return std()
		}
		return os.Stat(name)
	}
	x, err := stat(in, os.Stdin.Stat)
	if err != nil || !x.Mode().IsRegular() {
		return false, nil // an address, or what the reader tells of
	}
	y, err := stat(out, stdout.stat)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(x, y), err
}

func openIndex(path string) (*index.Index, func(), error) {
	f, err := openAnywhere(path)
	if err != nil {
		return nil, nil, err
	}
	x, err := index.Open(f, f.size)
	if err != nil {
		f.Close()
		return nil, nil, inFile(path, err)
	}
	return x, f.Close, nil
}

// noIndexThere reports whether an error is how servers answer for a file that they do not have: another status than
// 404, or a page.
func noIndexThere(err error) bool {
	return errors.Is(err, httprange.ErrStatus) || errors.Is(err, httprange.ErrNoRanges) ||
		errors.Is(err, index.ErrNotIndex)
}

// addIndexes gives archives their indexes, the one named or those beside them, and returns their names. An index that
// does not serve is left alone, with a message: one without variations, and one beside an archive that was changed
// since.
func addIndexes(sources []query.Source, named string, serves func(x *index.Index) bool) (names []string,
	done func(), err error) {
	var open closers
	done = func() { open.close() }
	for i := range sources {
		path := named
		if path == "" {
			if path = indexOf(sources[i].Name); !rereadable(sources[i].Name) || !rereadable(path) {
				continue
			}
		}
		x, c, err := openIndex(path)
		if named == "" && errors.Is(err, fs.ErrNotExist) {
			continue // a server has none
		}
		if named == "" && httprange.IsURL(path) && noIndexThere(err) {
			say("%v: the archive is read without an index", err)
			continue
		}
		if err != nil {
			done()
			return nil, nil, err
		}
		open = append(open, c)
		err = x.Of(sources[i].File())
		why := ""
		switch {
		case errors.Is(err, index.ErrOtherArchive) && named == "":
			why = fmt.Sprintf(": %v: the archive is read without it; ply11 index --update adds games that were "+
				"appended, --force makes it again", err)
		case errors.Is(err, index.ErrOtherArchive):
			done()
			return nil, nil, fmt.Errorf("%s: %w: ply11 index --force makes it again, tree --no-index does without",
				path, err)
		case err != nil:
			done()
			return nil, nil, inFile(sources[i].Name, err)
		case !serves(x):
			why = " has no variations: the archive is read; ply11 index --variations makes it with them"
		}
		if why != "" {
			say("%s%s", path, why)
			continue
		}
		x.Name = path
		sources[i].Index = x
		names = append(names, path)
	}
	return names, done, nil
}

// verifyIndex verifies an index or a tree file, and reports whether something is wrong with it.
func verifyIndex(ctx context.Context, path string, quiet, asJSON bool) (bad bool, err error) {
	f, err := openAnywhere(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	bar := newProgress("verifying", f.size, quiet)
	progress := func(done, _ int64) { bar.set(done, archive.Stats{}) }
	format, more := "p11x", ""
	if isTree(path) {
		format = "p11t"
		var t *index.TreeFile
		if t, err = index.OpenTree(f, f.size); err == nil {
			err = t.Verify(ctx, progress)
			more = fmt.Sprintf(": %d games, %d positions", t.Stats().Games, t.Stats().Positions)
		}
	} else {
		var x *index.Index
		if x, err = index.Open(f, f.size); err == nil {
			err = x.Verify(ctx, progress)
			more = fmt.Sprintf(": %d games, %s", x.Games(), positionsOf(x.Counts().Positions, len(x.Segments())))
		}
	}
	bar.finish()
	var wrong *index.Error
	if err != nil && !errors.As(err, &wrong) {
		return false, inFile(path, err)
	}
	list := []string{}
	if err != nil {
		say("%s: %v", path, err)
		list, more = append(list, err.Error()), ""
	}
	return err != nil, tellVerdict(path, err == nil, more, quiet, asJSON, struct {
		Path   string   `json:"path"`
		Format string   `json:"format"`
		OK     bool     `json:"ok"`
		Errors []string `json:"errors"`
	}{path, format, err == nil, list})
}
