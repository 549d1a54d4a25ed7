// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"ply11/bitstream/archive"
	"ply11/internal/httprange"
)

// maxPacked is the longest PGN text, in bytes, that commands pack in memory.
const maxPacked = 64 << 20

const pgnHelp = `You can give a PGN file of at most 64 MiB in place of an archive; it is packed in memory each time. Pack a larger one first:
ply11 pack -o games.p11 games.pgn.`

// openArchived opens what must be an archive. Of PGN the error names the command that packs it.
func openArchived(path string) (*source, error) {
	in, err := openSource(path)
	if err != nil {
		return nil, err
	}
	if err := in.refusePGN(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

func (s *source) refusePGN() error {
	if !s.isPGN() {
		return nil
	}
	return fmt.Errorf("%s: %w, but PGN; pack it first: %s", s.path, archive.ErrNotArchive, s.packCommand())
}

// openGames opens an archive to read it at any place. A PGN file is packed in memory.
func openGames(path string) (*anywhere, error) {
	in, err := openSource(path)
	if err != nil {
		return nil, err
	}
	if !in.isPGN() {
		return in.anywhere(string(archiveMagic), archive.ErrNotArchive)
	}
	defer in.Close()
	return in.packed()
}

func (s *source) packed() (*anywhere, error) {
	if err := s.refuseArchive(); err != nil {
		return nil, err
	}
	if s.plain && s.size > maxPacked {
		return nil, s.tooLong()
	}
	bar := newProgress("packing", s.size, false)
	var packed bytes.Buffer
	text := &io.LimitedReader{R: s.Reader, N: maxPacked + 1}
	spot := &proseSpotter{r: text}
	stats, err := archive.Pack(context.Background(), &packed, spot,
		archive.WithProgress(func(done archive.Stats) { bar.set(s.read.n, done) }))
	bar.finish()
	switch {
	case text.N <= 0:
		return nil, s.tooLong()
	case err != nil:
		return nil, inFile(s.path, err)
	case spot.prose() && stats.Plies == 0 && stats.Games == stats.Invalid:
		return nil, inFile(s.path, errNoGame)
	}
	return &anywhere{bytes.NewReader(packed.Bytes()), int64(packed.Len()), nil}, nil
}

// isPGN reports whether a file is no archive, and is named as PGN or begins with a tag pair.
func (s *source) isPGN() bool {
	head, _ := s.Peek(512)
	if isArchive(head) {
		return false
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return strings.EqualFold(filepath.Ext(bareName(httprange.Name(s.path))), ".pgn") || len(head) > 1 &&
		head[0] == '[' && (head[1]|0x20) >= 'a' && (head[1]|0x20) <= 'z'
}

func (s *source) tooLong() error {
	return usage("%s: PGN of more than %d MiB is not searched as it is; pack it first: %s", s.path, maxPacked>>20,
		s.packCommand())
}

func (s *source) packCommand() string {
	to := "games.p11"
	if name := filepath.Base(bareName(httprange.Name(s.path))); s.path != "-" {
		to = strings.TrimSuffix(name, filepath.Ext(name)) + ".p11"
	}
	return fmt.Sprintf("ply11 pack -o %s %s", quoted(to), quoted(s.path))
}

// quoted is a word of a command line for a shell.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("-_./:=+,%@~", r) && (r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' &&
			r < 'a')
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
