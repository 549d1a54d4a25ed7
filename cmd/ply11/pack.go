// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game/pgn"
)

// packedName is the archive's name if none is given: that of the input, with .p11.
func packedName(path string) string {
	if path == "-" {
		return "-"
	}
	for _, ends := range [][]string{{".zst", ".gz", ".bz2"}, {".pgn"}} {
		if ext := filepath.Ext(path); slices.Contains(ends, strings.ToLower(ext)) {
			path = strings.TrimSuffix(path, ext)
		}
	}
	return path + ".p11"
}

func packCommand() *cobra.Command {
	var output, onError string
	var o archive.Options
	var force, noVerify, quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "pack [flags] games.pgn",
		Short: "Pack PGN into an archive that unpacks to its very bytes",
		Long: `Pack a PGN file into an archive that unpacks to its very bytes: layout, invalid games, text between
games and all. The result is read back and compared before it gets its name (not on a pipe).

Moves take eleven bits, each at a computed address. With --dense they take some three bits, and to read a game is to
decode the moves of its block: larger blocks are smaller in sum, and take longer to reach a game in.`,
		Example: `  ply11 pack games.pgn
  ply11 pack --dense games.pgn.zst
  ply11 pack --dense --block 100 -o cold.p11 games.pgn
  curl -s https://example.org/games.pgn | ply11 pack -o games.p11 -`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			policy, ok := archive.ParsePolicy(onError)
			if !ok {
				return usage("--on-error is keep, skip or stop, not %q", onError)
			}
			o.OnError = policy
			if o.BlockGames < 1 || o.BlockGames > 4096 {
				return usage("--block is 1 to 4096, not %d", o.BlockGames)
			}
			if o.Workers < 0 {
				return usage("--workers is 0 or more, not %d", o.Workers)
			}
			if output == "" {
				output = packedName(args[0])
			}
			if asJSON && output == "-" {
				return usage("--json and --output - are both written to the standard output")
			}
			in, err := openSource(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			out, err := createTarget(output, force)
			if err != nil {
				return err
			}
			defer out.abandon()
			bar := newProgress("packing", in.size, quiet)
			var told teller
			o.Report = func(e *pgn.GameError) {
				e.File = args[0]
				told.tell(e)
			}
			o.Progress = func(s archive.Stats) { bar.set(in.read.n, s) }
			stats, err := archive.Pack(out, in, o)
			bar.finish()
			told.finish("invalid games")
			if err != nil {
				return stopped(args[0], err)
			}
			if err := out.finish(); err != nil {
				return err
			}
			verified := false
			if !noVerify && len(out.files) == 1 {
				if err := prove(out.files[0].f.Name(), output, stats, o.Workers, quiet); err != nil {
					return fmt.Errorf("%s: the archive does not prove right and is not kept: %w", output, err)
				}
				verified = true
			}
			if err := out.commit(); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(struct {
					archive.Stats
					Verified bool `json:"verified"`
				}{stats, verified})
			}
			if !quiet {
				fmt.Fprintf(stderr, "ply11: %s: %d games, %d plies, %d bytes of text in %d bytes (%.2f a game)\n", output,
					stats.Games, stats.Plies, stats.Text, stats.Bytes, float64(stats.Bytes)/float64(max(stats.Games, 1)))
				if o.Dense && stats.Fixed > 0 {
					fmt.Fprintf(stderr, "ply11: the moves of %d blocks cannot be coded densely, and take eleven bits\n", stats.Fixed)
				}
				if stats.Invalid > 0 {
					kept := "kept as their exact text"
					if policy == archive.Skip {
						kept = "left out"
					}
					fmt.Fprintf(stderr, "ply11: %d games are not valid and were %s\n", stats.Invalid, kept)
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "the archive; by default the input's name with .p11")
	f.BoolVar(&o.Canonical, "canonical", false, "drop the layout of the text, keep all content")
	f.BoolVar(&o.Dense, "dense", false, "store moves in some three bits, for the smallest file")
	f.StringVar(&onError, "on-error", "keep", "what becomes of invalid games: keep (as exact text), skip, stop")
	f.BoolVar(&noVerify, "no-verify", false, "do not read the archive back")
	f.IntVar(&o.BlockGames, "block", 1024, "games of a block, 1 to 4096")
	f.IntVarP(&o.Workers, "workers", "j", 0, "processors to use, 0 for all, at most 4")
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}

// prove unpacks a new archive, that will have the name given, and compares the hash.
func prove(path, name string, want archive.Stats, workers int, quiet bool) error {
	f, err := openNamed(path, name)
	if err != nil {
		return err
	}
	defer f.Close()
	bar := newProgress("verifying", want.Bytes, quiet)
	defer bar.finish()
	got, err := archive.Unpack(io.Discard, f, workers, func(s archive.Stats) { bar.set(s.Bytes, s) })
	if err != nil {
		return err
	}
	if got.Games != want.Games || got.Text != want.Text && want.Hashed || want.Hashed && got.SHA256 != want.SHA256 {
		return fmt.Errorf("%w: it unpacks to other bytes", archive.ErrCorrupt)
	}
	return nil
}
