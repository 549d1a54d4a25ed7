// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game/codec"
	"ply11/internal/formats"
	"ply11/internal/tempfile"
)

// packedName is the archive's name if none is given.
func packedName(path string) (string, error) {
	if path == "-" {
		return "-", nil
	}
	path, err := nameHere(path)
	if err != nil {
		return "", err
	}
	path = bareName(path)
	if ext := filepath.Ext(path); strings.EqualFold(ext, ".pgn") {
		path = strings.TrimSuffix(path, ext)
	}
	return path + ".p11", nil
}

func packCommand() *cobra.Command {
	var output, onError string
	var p packing
	var meta []string
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:   "pack [flags] games.pgn ...",
		Short: "Pack PGN into an archive that restores it byte for byte",
		Long: `Pack a PGN file into an archive that restores it byte for byte, with its layout, invalid games, and text
between games. The command reads the archive back and compares before the file gets its name (but not
on a pipe).

Several files become an archive each, beside the file. With --output they become one archive, which unpacks to their
texts one after the other, with a line end between them where the first has none. The command refuses a file without a
game.

Moves take eleven bits, and any game can be read at once. With --dense moves take about three bits, but a reader has
to decode the games before a game in its block. Larger blocks make a smaller archive, in which it takes longer to
reach a game.`,
		Example: `  ply11 pack games.pgn
  ply11 pack --dense games.pgn.zst
  ply11 pack -o all.p11 2023.pgn 2024.pgn
  ply11 pack --dense --block 100 -o cold.p11 games.pgn
  ply11 pack --meta source=https://example.org --meta licence=CC0-1.0 games.pgn
  curl -s https://example.org/games.pgn.zst | ply11 pack -o games.p11 -`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		policy, err := archive.ParsePolicy(onError)
		if err != nil {
			return usage("--on-error: %w", err)
		}
		p.OnError = policy
		if p.Meta, err = parseMeta(meta); err != nil {
			return err
		}
		if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
			return usage("the standard input, -, can be read once")
		}
		tell := func(output string, stats archive.Stats, verified bool) error {
			if asJSON {
				return writeJSON(struct {
					Path string `json:"path"`
					archive.Stats
					Verified bool `json:"verified"`
				}{output, stats, verified})
			}
			p.tell(output, stats)
			return nil
		}
		if output == "" {
			return eachInput(args, func(path string) error {
				name, err := packedName(path)
				if err != nil {
					return err
				}
				if err := refuseBoth(asJSON, name); err != nil {
					return err
				}
				stats, verified, err := p.file(cmd.Context(), path, name, force)
				if err != nil {
					return err
				}
				return tell(name, stats, verified)
			})
		}
		if err := refuseBoth(asJSON, output); err != nil {
			return err
		}
		stats, verified, err := p.files(cmd.Context(), args, output, force)
		if err != nil {
			return err
		}
		return tell(output, stats, verified)
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "the archive; by default the input's name with .p11")
	f.BoolVar(&p.Canonical, "canonical", false, "drop the layout of the text, keep all content")
	f.BoolVar(&p.Dense, "dense", false, "store moves in about three bits, for the smallest file")
	f.StringVar(&onError, "on-error", "keep", "invalid games: keep (as exact text), skip or stop")
	f.BoolVar(&p.NoFilter, "no-filter", false, "leave out the filters, six bytes a game, by which find passes over "+
		"games, and the search parts, by which it passes over blocks")
	f.BoolVar(&p.noVerify, "no-verify", false, "do not read the archive back")
	metaFlag(cmd, &meta)
	blockFlag(f, &p.BlockGames, "games of a block, 1 to 4096")
	workersFlag(f, &p.Workers, ", at most 4")
	common(cmd, &force, &p.quiet, &asJSON)
	return cmd
}

func refuseBoth(asJSON bool, output string) error {
	if asJSON && output == "-" {
		return usage("--json and --output - are both written to the standard output")
	}
	return nil
}

func metaFlag(cmd *cobra.Command, meta *[]string) {
	cmd.Flags().StringArrayVar(meta, "meta", nil,
		"key=value: a property of the archive, as source, \"created by\" or licence")
}

func parseMeta(meta []string) (map[string]string, error) {
	m := map[string]string{}
	for _, s := range meta {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, usage("--meta is key=value, not %q", s)
		}
		m[name] = value
	}
	return m, nil
}

// eachInput does something with each file. An error is printed, and the others go on; the first error is the command's.
func eachInput(paths []string, do func(path string) error) error {
	if len(paths) == 1 {
		return do(paths[0])
	}
	var first error
	for _, path := range paths {
		err := do(path)
		if err == nil {
			continue
		}
		if stdout.err != nil {
			return err
		}
		var e *exitCode
		if !errors.As(err, &e) || !e.told {
			tellError(err)
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return &exitCode{err: first, code: codeOf(first), told: true}
	}
	return nil
}

type packing struct {
	formats.Archive
	Canonical       bool
	OnError         archive.Policy
	Meta            map[string]string
	Workers         int
	noVerify, quiet bool
	known           bool // its invalid games were reported before
}

func (p *packing) file(ctx context.Context, path, output string, force bool) (stats archive.Stats, verified bool,
	err error) {
	in, err := openSource(path)
	if err != nil {
		return stats, false, err
	}
	defer in.Close()
	out, err := createArchive(output, force, path)
	if err != nil {
		return stats, false, err
	}
	defer out.abandon()
	return p.into(ctx, in, out)
}

// into packs an input and publishes the result.
func (p *packing) into(ctx context.Context, in *source, out *target) (stats archive.Stats, verified bool, err error) {
	if stats, err = p.pack(ctx, in, out); err != nil {
		return stats, false, err
	}
	verified, err = p.publish(ctx, out, stats)
	return stats, verified, err
}

// publish finishes a new archive, proves it, and gives it its name.
func (p *packing) publish(ctx context.Context, out *target, want archive.Stats) (verified bool, err error) {
	if err := out.finish(); err != nil {
		return false, err
	}
	if verified, err = p.prove(ctx, out, want); err != nil {
		return false, err
	}
	return verified, out.commit()
}

// files packs several files into one archive: each by itself, so that no game goes on in the next file.
func (p *packing) files(ctx context.Context, paths []string, output string, force bool) (stats archive.Stats,
	verified bool, err error) {
	if len(paths) == 1 {
		return p.file(ctx, paths[0], output, force)
	}
	out, err := createArchive(output, force, paths...)
	if err != nil {
		return stats, false, err
	}
	defer out.abandon()
	var parts []io.Reader
	var sum archive.Stats
	for _, path := range paths {
		in, err := openSource(path)
		if err != nil {
			return stats, false, err
		}
		r, part, s, err := p.spool(ctx, in)
		in.Close()
		if err != nil {
			return stats, false, err
		}
		defer part.abandon()
		parts = append(parts, r)
		sum.Games += s.Games
		sum.Plies += s.Plies
		sum.Invalid += s.Invalid
		sum.Beside += s.Beside
		sum.Skipped += s.Skipped
		sum.Text += s.Text
		sum.Fixed += s.Fixed
	}
	stats, err = archive.Copy(ctx, out, parts, archive.WithWorkers(p.Workers), archive.WithLineEnds(true))
	if err != nil {
		return stats, false, inFile(output, err)
	}
	sum.Bytes, sum.Blocks, sum.Text = stats.Bytes, stats.Blocks, stats.Text
	verified, err = p.publish(ctx, out, sum)
	return sum, verified, err
}

// spool packs an input into a temporary archive.
func (p *packing) spool(ctx context.Context, in *source) (r *io.SectionReader, out *target, stats archive.Stats,
	err error) {
	f, err := tempfile.New()
	if err != nil {
		return nil, nil, stats, err
	}
	buf := bufio.NewWriterSize(f, 256<<10)
	out = &target{Writer: buf, files: []*targetFile{{f: f, buf: buf}}}
	stats, err = p.pack(ctx, in, out)
	if err == nil {
		err = out.finish()
	}
	if err == nil {
		r, err = out.written()
	}
	if err != nil {
		out.abandon()
	}
	return r, out, stats, err
}

func (p *packing) pack(ctx context.Context, in *source, out *target) (archive.Stats, error) {
	if err := in.refuseArchive(); err != nil {
		return archive.Stats{}, err
	}
	bar := newProgress("packing", in.size, p.quiet)
	var told teller
	report := func(e *codec.Error) {
		if e.File = in.path; !p.known {
			told.tell(e)
		}
	}
	spot := &proseSpotter{r: in.Reader}
	stats, err := archive.Pack(ctx, out, spot, archive.WithDense(p.Dense), archive.WithFilter(!p.NoFilter),
		archive.WithBlockGames(p.BlockGames), archive.WithCanonical(p.Canonical), archive.WithPolicy(p.OnError),
		archive.WithMeta(p.Meta), archive.WithWorkers(p.Workers), archive.WithReport(report),
		archive.WithProgress(func(s archive.Stats) { bar.set(in.read.n, s) }))
	bar.finish()
	if err == nil && !spot.tag && stats.Plies == 0 && stats.Games+stats.Skipped == stats.Invalid {
		return stats, inFile(in.path, errNoGame)
	}
	told.finish("invalid games")
	if err != nil {
		return stats, stopped(in.path, err)
	}
	return stats, nil
}

func (p *packing) tell(output string, stats archive.Stats) {
	if p.quiet {
		return
	}
	say("%s: %d games, %d plies, %d bytes of text in %d bytes (%.2f a game)", output, stats.Games, stats.Plies,
		stats.Text, stats.Bytes, float64(stats.Bytes)/float64(max(stats.Games, 1)))
	if p.Dense && stats.Fixed > 0 {
		say("the moves of %d blocks cannot be coded densely, and take eleven bits", stats.Fixed)
	}
	if stats.Invalid > 0 {
		kept := "kept as their exact text"
		if p.OnError == archive.Skip {
			kept = "left out"
		}
		say("%d games are not valid and were %s", stats.Invalid, kept)
	}
	if stats.Beside > 0 {
		say("%d games have an error beside their main line, which is right", stats.Beside)
	}
}

// prove unpacks a new archive that has no name yet, and compares the hash. It reports whether it could.
func (p *packing) prove(ctx context.Context, out *target, want archive.Stats) (bool, error) {
	if p.noVerify {
		return false, nil
	}
	r, err := out.written()
	if r == nil || err != nil {
		return false, err
	}
	bar := newProgress("verifying", want.Bytes, p.quiet)
	defer bar.finish()
	got, err := archive.Unpack(ctx, io.Discard, r, archive.WithWorkers(p.Workers), archive.WithProgress(bar.tell))
	if err == nil && (got.Games != want.Games || got.Text != want.Text && want.Hashed || want.Hashed &&
		got.SHA256 != want.SHA256) {
		err = fmt.Errorf("%w: it unpacks to other bytes", archive.ErrCorrupt)
	}
	if err != nil {
		return false, fmt.Errorf("%s: the archive does not prove right and is not kept: %w", out.path, err)
	}
	return true, nil
}

var archiveMagic = []byte("\x89P11\r\n\x1a\n")

// isArchive reports whether a file begins as an archive, also one that is too old to be read.
func isArchive(head []byte) bool {
	return len(head) >= len(archiveMagic) && bytes.EqualFold(head[:len(archiveMagic)], archiveMagic)
}

// refuseArchive refuses an archive, a file of files and UTF-16, none of which is PGN.
func (s *source) refuseArchive() error {
	head, _ := s.Peek(8)
	switch {
	case isArchive(head):
		return usage("%s is an archive already; ply11 convert, cat and unpack read it", s.path)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("7z\xbc\xaf\x27\x1c")),
		bytes.HasPrefix(head, []byte("Rar!\x1a\x07")):
		return usage("%s is a file of files (zip, 7z, rar); take the PGN out of it first", s.path)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return usage("%s is text in UTF-16; PGN is UTF-8 or Latin-1 (iconv -f UTF-16 -t UTF-8)", s.path)
	}
	return nil
}
