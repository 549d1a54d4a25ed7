// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/internal/formats"
)

func explainCommand() *cobra.Command {
	var format, output string
	var optionList []string
	var force, quiet bool
	cmd := &cobra.Command{
		Use:   "explain [flags] file",
		Short: "Print each byte of a file with its fields and what they mean",
		Long: `Print each byte of a file and what it means: the offset, the bits, and for instance piece, direction,
distance and SAN, as the format has them. Of an archive, print the parts with the state of each checksum, and the
words of the main lines. Of PGN, print the games with the words that their moves become. An error in the file is
reported at its place, and the rest is still explained.

Formats: ` + strings.Join(formats.Names(), ", ") + `

Exit codes: 3 words or an archive are not valid, or 4 a game is not; the output says where.`,
		Example: `  ply11 explain games.brn
  ply11 explain --format brenner-alt - < games.brn
  ply11 explain --format chessbase --option index=ignore games.cbf`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, err := formatOf("--format", format, args[0])
		if err != nil {
			return err
		}
		values, err := parseOptions(optionList)
		if err != nil {
			return err
		}
		o := formats.Options{Values: values, Note: noteOf(args[0], quiet)}
		if err := f.Check(o); err != nil {
			return err
		}
		in, err := openInput(f, args[0])
		if err != nil {
			return err
		}
		defer in.Close()
		if in.asIs != nil {
			in.Reader = bufio.NewReaderSize(in.asIs, 64<<10)
		}
		out, err := createTarget(output, force, args...)
		if err != nil {
			return err
		}
		defer out.abandon()
		bad := f.Explain(out, in.input(), o)
		corrupt := isWordError(bad) || errors.Is(bad, archive.ErrCorrupt) || errors.Is(bad, archive.ErrVersion) ||
			errors.Is(bad, archive.ErrNotArchive)
		if bad != nil && !isGameError(bad) && !corrupt {
			return errors.Join(inFile(args[0], bad), flushPipe(out))
		}
		// What is wrong with a game or an archive is part of the explanation.
		if err := out.end(); err != nil {
			return err
		}
		if corrupt {
			return fail(exitCorrupt, "%s: %w", args[0], bad)
		}
		if bad != nil {
			return fail(exitInvalid, "%s: %w", args[0], bad)
		}
		return nil
	}
	flags := cmd.Flags()
	flags.StringVar(&format, "format", "", "the file's format")
	flags.StringArrayVar(&optionList, "option", nil, "an option of the format, name=value, as ply11 convert lists them")
	flags.StringVarP(&output, "output", "o", "-", "the output; by default the standard output")
	common(cmd, &force, &quiet, nil)
	return cmd
}

// flushPipe writes what is buffered of an output that is no file. Of a file that is not whole, nothing is kept.
func flushPipe(t *target) error {
	if len(t.files) > 0 {
		return nil
	}
	return t.finish()
}

// noteOf returns where a format's notes about a file go.
func noteOf(path string, quiet bool) func(string) {
	if quiet {
		return nil
	}
	return func(note string) { say("%s: %s", path, note) }
}
