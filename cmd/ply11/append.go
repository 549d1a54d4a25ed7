// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game/decompress"
	"ply11/internal/tempfile"
	"ply11/query/index"
)

func appendCommand() *cobra.Command {
	var onError string
	var p appending
	var fixed, indexed, asJSON bool
	cmd := &cobra.Command{
		Use:   "append [flags] games.p11 more.pgn ...",
		Short: "Add games to the end of an archive",
		Long: `Add the games of PGN files, or of other archives, to the end of an archive. The archive then unpacks to
its old text, and after it the texts of the files. An interrupted command leaves the archive as it was. If one was
killed, whole games may stand behind it. Then the command refuses: ply11 recover takes them, --discard-unfinished drops
them. It also refuses while another command changes the archive, and where the end of the file is damaged.

The old games are not written again. The command verifies only the index and the last block, and adds nothing if they
are damaged. It does what ply11 compact does if more than a tenth of the file is no longer needed, or if blocks are
many and small.

New games are stored like the last block: in eleven bits a move, or dense. Games of a canonical archive cannot be
added to one that keeps its text. With --index the index of positions beside the archive is brought up to date; else
it is out of date.`,
		Example: `  ply11 append games.p11 more.pgn
  ply11 append games.p11 2024-11.pgn.zst 2024-12.p11
  ply11 append --index games.p11 more.pgn`,
		Args: argCount(2, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		policy, err := archive.ParsePolicy(onError)
		switch {
		case err != nil:
			return usage("--on-error: %w", err)
		}
		p.OnError = policy
		at := indexOf(args[0])
		_, missing := os.Stat(at)
		if indexed && missing != nil {
			return usage("--index: %s has no index; ply11 index makes it", args[0])
		}
		update := func(quiet bool) error {
			limitMemory(defaultMemory<<20 + 32<<20)
			return makeIndex(cmd.Context(), args[0], "", index.Options{Memory: defaultMemory << 20,
				Workers: p.Workers}, nil, true, false, quiet, false)
		}
		if indexed { // one that is of other games is refused before any are added
			if err := update(true); err != nil {
				return err
			}
		}
		stats, added, err := p.append(cmd.Context(), args[0], args[1:], cmd.Flags().Changed("dense") || fixed)
		if err != nil {
			return err
		}
		if asJSON {
			err = writeJSON(struct {
				Path string `json:"path"`
				archive.Stats
				Added int `json:"added"`
			}{args[0], stats, added})
		} else if !p.quiet {
			say("%s: %d games added, %d games in %d bytes", args[0], added, stats.Games, stats.Bytes)
		}
		switch {
		case err != nil || missing != nil || added == 0:
			return err
		case indexed:
			if err := update(p.quiet || asJSON); err != nil { // the games are there all the same
				say("%s: the games are added, and are not in the index: %v", args[0], err)
			}
		case !p.quiet:
			say("%s does not have the new games: ply11 index --update %s adds them, and "+
				"so does append --index", at, args[0])
		}
		return nil
	}
	f := cmd.Flags()
	f.BoolVar(&p.Dense, "dense", false, "store the new moves in about three bits")
	f.BoolVar(&fixed, "fixed", false, "store the new moves in eleven bits, at computed addresses")
	f.StringVar(&onError, "on-error", "keep", "invalid games: keep (as exact text), skip or stop")
	f.BoolVar(&p.NoFilter, "no-filter", false, "leave out the filters of the new games")
	f.BoolVar(&indexed, "index", false, "add the new games to the index of the archive, too")
	f.BoolVar(&p.noVerify, "no-verify", false, "do not read the new games back")
	blockFlag(f, &p.BlockGames, "games of a new block, 1 to 4096")
	workersFlag(f, &p.Workers, ", at most 4")
	exclude(cmd, "dense", "fixed")
	discardFlag(cmd, &p.discard)
	common(cmd, nil, &p.quiet, &asJSON)
	return cmd
}

type appending struct {
	packing
	discard bool
}

// append adds the games of files to an archive. It returns what the archive then holds, and how many games are new.
// told says that the form of the new moves was asked for.
func (p *appending) append(ctx context.Context, path string, more []string, told bool) (stats archive.Stats, added int,
	err error) {
	old, r, size, err := openToChange(path, p.discard)
	if err != nil {
		return stats, 0, err
	}
	defer old.Close()
	if _, err := r.Dead(); err != nil { // it reads all of the index
		return stats, 0, fmt.Errorf("%s: nothing is added: %w", path, err)
	}
	p.Canonical = r.Canonical()
	if last := r.Blocks(); last > 0 {
		b, err := r.Block(last)
		if err == nil {
			err = b.Verify()
		}
		if err != nil {
			return stats, 0, fmt.Errorf("%s: nothing is added: %w", path, err)
		}
		if !told {
			p.Dense = b.Dense()
		}
	}
	for _, name := range more {
		if same, err := sameFile(name, old.Name()); err != nil {
			return stats, 0, err
		} else if same {
			return stats, 0, usage("%s is the archive to which games are added: its own games cannot be added to it; "+
				"ply11 cat makes a new archive of it twice", name)
		}
	}
	var parts []io.Reader
	for _, name := range more {
		part, done, err := p.part(ctx, name)
		if err != nil {
			return stats, 0, err
		}
		defer done()
		parts = append(parts, part)
	}
	filter := archive.WithFilter(!p.NoFilter)
	named := func(err error, names []string) error {
		var of *archive.SourceError
		if errors.As(err, &of) {
			return inFile(names[of.Source], err)
		}
		return inFile(path, err)
	}
	bar := newProgress("adding", -1, p.quiet).since(r.Stats())
	progress := archive.WithProgress(bar.tell)
	defer bar.finish()
	stats, err = archive.Append(ctx, old, size, parts, filter, progress, archive.WithDiscard(p.discard),
		archive.WithLineEnds(true))
	bar.finish()
	if err != nil {
		return stats, 0, named(err, more)
	}
	added = stats.Games - r.Len()
	// the games are there all the same
	if small, err := compactDead(ctx, old, stats.Bytes, stats.Bytes/10, path, p.Workers, p.quiet); err != nil {
		say("%s: the games are added; what the archive no longer needs is still there: %v", path, err)
	} else if small.Blocks > 0 {
		stats = small
		noUndo(path, p.quiet)
	}
	return stats, added, nil
}

// compactDead does what ply11 compact does, if more bytes of a locked archive are no longer needed than share, and than
// 64 KiB, or its blocks are many and small. If not, the counts are zero.
func compactDead(ctx context.Context, old *os.File, size, share int64, path string, workers int, quiet bool) (
	stats archive.Stats, err error) {
	r, err := archive.NewReader(old, size)
	if err != nil {
		return stats, err
	}
	if dead, err := r.Dead(); err != nil || dead <= max(share, 64<<10) && !r.Fragmented() {
		return stats, err
	}
	return compact(ctx, r, path, workers, quiet)
}

func discardFlag(cmd *cobra.Command, discard *bool) {
	cmd.Flags().BoolVar(discard, "discard-unfinished", false,
		"write over what an interrupted command left behind the archive")
}

// refuseUnfinished refuses to write over whole games behind an archive, unless that is asked for.
func refuseUnfinished(path string, r *archive.Reader, discard bool) error {
	err := r.WouldLose()
	if err == nil && r.Unfinished() != nil {
		say("%s: %v; they have no game, and are dropped", path, r.Unfinished())
	}
	if err == nil || discard {
		return nil
	}
	if !errors.As(err, new(*archive.UnfinishedError)) {
		return inFile(path, err)
	}
	return fail(exitCorrupt, "%s: %w, and would be lost: ply11 recover takes what is whole of them; append, "+
		"edit and compact drop them with --discard-unfinished", path, err)
}

// openToChange opens and locks an archive that is to be changed in place.
func openToChange(path string, discard bool) (_ *os.File, r *archive.Reader, size int64, err error) {
	file, size, err := openLocked(path)
	if err != nil {
		return nil, nil, 0, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if err := refuseOpenPGN(path, file, size); err != nil {
		return nil, nil, 0, err
	}
	var head [64]byte
	n, _ := file.ReadAt(head[:], 0)
	if c := decompress.In(head[:n]); c != "" {
		return nil, nil, 0, usage("%s is compressed with %s as a whole; decompress it first", path, c)
	}
	if r, err = archive.NewReader(file, size); err != nil {
		return nil, nil, 0, inFile(path, err)
	}
	return file, r, size, refuseUnfinished(path, r, discard)
}

// openLocked opens and locks a file that is to be changed in place.
func openLocked(path string) (_ *os.File, size int64, err error) {
	to, err := followLinks(path)
	if err != nil {
		return nil, 0, err
	}
	file, err := os.OpenFile(to, os.O_RDWR, 0) // what may not be written is not replaced either
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err == nil {
		err = tempfile.LockFile(file)
	}
	if err == nil { // another command may have replaced the file of that name meanwhile
		if now, gone := os.Stat(to); gone != nil || !os.SameFile(info, now) {
			err = tempfile.ErrLocked
		}
	}
	if err != nil {
		file.Close()
		return nil, 0, &fs.PathError{Op: "change", Path: path, Err: err}
	}
	return file, info.Size(), nil
}

// refuseOpenPGN is refusePGN of a file that is open.
func refuseOpenPGN(path string, f *os.File, size int64) error {
	in := &source{path: path}
	in.read.r = io.NewSectionReader(f, 0, size)
	if err := in.decompress(compressionOf(path), true); err != nil {
		return nil // what is wrong with it is told by what reads it
	}
	defer in.Close()
	return in.refusePGN()
}

// part makes an archive of a file that is to be added, unless it is one.
func (p *appending) part(ctx context.Context, name string) (_ io.Reader, done func(), err error) {
	in, err := openSource(name)
	if err != nil {
		return nil, nil, err
	}
	if head, _ := in.Peek(len(archiveMagic)); isArchive(head) {
		r, done, err := readerOf(name, func(string) (*anywhere, error) { return in.anywhere("", nil) })
		if err == nil && r.Canonical() && !p.Canonical {
			done()
			err = usage("%s is canonical: it does not keep the layout of its text, and the archive does; ply11 cat "+
				"makes a canonical archive of both", name)
		}
		if err != nil {
			return nil, nil, err
		}
		return r.Ordered(), done, nil
	}
	defer in.Close()
	r, out, stats, err := p.spool(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	if _, err = p.prove(ctx, out, stats); err != nil {
		out.abandon()
		return nil, nil, err
	}
	return r, out.abandon, nil
}
