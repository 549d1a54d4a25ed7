// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
)

// TestExactOnRealFiles packs every file of real games, and unpacks its bytes again, in both forms. Under -short the
// project's own samples do.
func TestExactOnRealFiles(t *testing.T) {
	root := datadir.Sample("")
	if dir, ok := datadir.Dir(); ok && !testing.Short() {
		root = filepath.Join(dir, "pgn")
	}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		t.Run(name, func(t *testing.T) {
			text := archive.ReadData(t, path)
			data, stats := archive.MustPack(t, text)
			if got := archive.MustUnpack(t, data); !bytes.Equal(got, text) {
				t.Fatal(archive.FirstDifference(text, got))
			}
			t.Logf("%d games, %d invalid, %d bytes of text, %d of archive", stats.Games, stats.Invalid, len(text),
				len(data))
			dense := archive.MustCopy(t, []archive.CopyOption{archive.WithDense(true)}, data)
			if got := archive.MustUnpack(t, dense); !bytes.Equal(got, text) {
				t.Fatal("dense: " + archive.FirstDifference(text, got))
			}
			if blocks, coded := isDense(t, dense); coded != blocks {
				t.Errorf("%d of %d blocks are dense", coded, blocks)
			}
			// What follows makes the archive four times more.
			const most = 16 << 20
			if !testenv.Long && len(text) > most {
				return
			}
			if again, _ := archive.MustPack(t, text, archive.WithWorkers(1)); !bytes.Equal(again, data) {
				t.Fatal("one worker makes another archive")
			}
			canonical, _ := archive.MustPack(t, text, archive.WithCanonical(true))
			archive.MustUnpack(t, canonical)
			if !bytes.Equal(archive.MustCopy(t, []archive.CopyOption{archive.WithDense(false)}, dense), data) {
				t.Fatal("from dense moves the archive is another one")
			}
			if packed, _ := archive.MustPack(t, text, archive.WithDense(true)); !bytes.Equal(packed, dense) {
				t.Fatal("the recoded archive is not the packed one")
			}
		})
		return nil
	})
}

// TestCountersBeyondWords: a game whose counters no start in words has room for keeps its moves; the text has the
// counters.
func TestCountersBeyondWords(t *testing.T) {
	archive.EachForm(t, func(t *testing.T, dense bool) {
		const text = "[Event \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 300 9000\"]\n\n9000. e4 Kd7 " +
			"*\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n"
		data, _ := archive.MustPack(t, []byte(text), archive.WithDense(dense))
		if got := archive.MustUnpack(t, data); string(got) != text {
			t.Fatal(archive.FirstDifference([]byte(text), got))
		}
		r := archive.MustOpen(t, data)
		var g game.Game
		if err := r.Game(1, &g); err != nil || g.Len() != 2 || g.Start.FEN() != "4k3/8/8/8/8/8/4P3/4K3 w - - 255 8187" {
			t.Errorf("%d plies from %s, %v", g.Len(), g.Start.FEN(), err)
		}
	})
}
