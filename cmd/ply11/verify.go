// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/internal/formats"
	"ply11/internal/httprange"
)

func verifyCommand() *cobra.Command {
	var quiet, asJSON bool
	var workers int
	cmd := &cobra.Command{
		Use:   "verify archive.p11 ...",
		Short: "Verify every checksum and every game of archives, and of other files",
		Long: `Verify every checksum and every game of archives. Unfinished bytes behind an archive make it corrupt,
unless a command is writing to it. Of other formats, known by their names, the command reads every file to its end
and reports all errors, in ChessBase files also odd bytes that a reader accepts. In an index (.p11x) or a tree file
(.p11t) it verifies checksums, order and counts, and not what the games played; the command tree that the index belongs
to its archive.

The blocks of an archive are verified on all processors, with about 10 MiB of memory for each. --workers takes fewer.`,
		Example: `  ply11 verify games.p11
  ply11 verify --json *.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return eachInput(args, func(path string) error {
			bad, err := verifyFile(cmd.Context(), path, workers, quiet, asJSON)
			if err == nil && bad {
				err = failed(exitCorrupt)
			}
			return err
		})
	}
	workersFlag(cmd.Flags(), &workers, ", at most 64")
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}

// verifyFile verifies a file, and reports whether something is wrong.
func verifyFile(ctx context.Context, path string, workers int, quiet, asJSON bool) (bad bool, err error) {
	if isIndex(path) || isTree(path) {
		return verifyIndex(ctx, path, quiet, asJSON)
	}
	if f, err := formats.ByPath(httprange.Name(path)); err == nil && f.Name != "p11" {
		n, err := verifyOther(f, path, quiet, asJSON)
		return n > 0, err
	}
	rep, err := salvage(ctx, path, "verifying", quiet, func(ctx context.Context, f io.ReaderAt, size int64,
		progress archive.ProgressOption) (*archive.Report, error) {
		return archive.Verify(ctx, f, size, progress, archive.WithWorkers(workers))
	})
	if err != nil {
		return false, err
	}
	return !rep.OK(), tellReport(&stdout, path, rep, quiet, asJSON)
}

// tellReport prints what verify or recover found; the sum to w.
func tellReport(w io.Writer, path string, rep *archive.Report, quiet, asJSON bool) error {
	if asJSON {
		list := []string{}
		for _, e := range rep.Errors {
			list = append(list, e.Error())
		}
		return writeJSON(struct {
			Path    string          `json:"path"`
			OK      bool            `json:"ok"`
			Games   int             `json:"games"`
			Plies   int64           `json:"plies"`
			Blocks  int             `json:"blocks"`
			Errors  []string        `json:"errors"`
			More    int             `json:"more_errors"`
			Lost    []archive.Range `json:"lost"`
			Partial []archive.Range `json:"partial"`
			Tail    bool            `json:"end_unknown"`
			Behind  int64           `json:"unfinished_bytes"`
		}{path, rep.OK(), rep.Games, rep.Plies, rep.Blocks, list, rep.More, append([]archive.Range{}, rep.Lost...),
			append([]archive.Range{}, rep.Partial...), rep.Tail, rep.Unfinished})
	}
	for _, e := range rep.Errors {
		say("%s: %v", path, e)
	}
	if rep.More > 0 {
		say("%s: and %d more", path, rep.More)
	}
	for _, x := range []struct {
		what   string
		ranges []archive.Range
	}{{"lost games", rep.Lost}, {"games whose moves alone are sure", rep.Partial}} {
		if len(x.ranges) == 0 {
			continue
		}
		var list []string
		for _, r := range x.ranges {
			list = append(list, r.String())
		}
		say("%s: %s: %s", path, x.what, strings.Join(list, ", "))
	}
	if rep.Tail {
		say("%s: the end is damaged; games after %d may be lost", path, rep.Games)
	}
	if !quiet {
		state := "whole"
		if !rep.OK() {
			state = "corrupt"
		}
		fmt.Fprintf(w, "%s: %s: %d games, %d plies in %d blocks are right\n", printable(path), state, rep.Games,
			rep.Plies, rep.Blocks)
	}
	return nil
}

// verifyOther verifies a file of another format, and returns how many errors it has.
func verifyOther(f *formats.Format, path string, quiet, asJSON bool) (bad int, err error) {
	in, err := openInput(f, path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var told teller
	for err := range f.Verify(in.input(), formats.Options{Note: noteOf(path, quiet)}) {
		if !isGameError(err) && !errors.Is(err, bitstream.ErrPadding) {
			return 0, inFile(path, err)
		}
		told.tell(inFile(path, err))
	}
	told.finish("errors")
	more := ""
	if told.n > 0 {
		more = fmt.Sprintf(": %d errors", told.n)
	}
	err = tellVerdict(path, told.n == 0, more, quiet, asJSON, struct {
		Path   string `json:"path"`
		Format string `json:"format"`
		OK     bool   `json:"ok"`
		Errors int    `json:"errors"`
	}{path, f.Name, told.n == 0, told.n})
	return told.n, err
}

// tellVerdict prints whether a file is whole, and more of it, or its JSON.
func tellVerdict(path string, ok bool, more string, quiet, asJSON bool, v any) (err error) {
	switch {
	case asJSON:
		return writeJSON(v)
	case quiet:
	case ok:
		_, err = fmt.Fprintf(&stdout, "%s: whole%s\n", printable(path), more)
	default:
		_, err = fmt.Fprintf(&stdout, "%s: corrupt%s\n", printable(path), more)
	}
	return err
}
