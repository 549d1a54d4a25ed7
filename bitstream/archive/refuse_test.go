// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
)

const refusalFile = "../../docs/vectors/refuse.json"

// TestIllegalMove: what makes positions refuses a move that is not legal; its words are given.
func TestIllegalMove(t *testing.T) {
	fixed, _ := archive.MustPack(t, []byte(archive.RefusalText))
	r := archive.MustOpen(t, archive.IllegalMove(t, fixed))
	line, err := r.MainLine(nil, 1)
	if err != nil || len(line) != 3 || line[0] != line[1] {
		t.Errorf("the words are %v, %v", line, err)
	}
	var g game.Game
	if err := r.Game(1, &g); !errors.Is(err, archive.ErrCorrupt) {
		t.Errorf("game 1: %v", err)
	}
	if err := r.Game(2, &g); err != nil {
		t.Errorf("game 2, which is sound: %v", err)
	}
}

// TestRefusals gives the archives to every reader.
func TestRefusals(t *testing.T) {
	list := archive.MakeRefusals(t)
	got, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *archive.Update {
		if err := os.WriteFile(refusalFile, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(refusalFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what is made: %s", refusalFile, archive.FirstDifference(want, got))
	}
	archive.EachForm(t, func(t *testing.T, isDense bool) {
		sound, _ := archive.MustPack(t, []byte(archive.RefusalText), archive.WithDense(isDense))
		same := archive.Forge(t, sound, nil, nil)
		if !bytes.Equal(same, sound) {
			t.Fatalf("dense %v: without a fault the archive is another: %s", isDense,
				archive.FirstDifference(sound, same))
		}
	})
	for _, x := range list {
		if x.Sound {
			rep, err := archive.Verified(x.Bytes)
			text, readErr := io.ReadAll(archive.MustOpen(t, x.Bytes).Ordered())
			if err != nil || readErr != nil || !rep.OK() || string(archive.MustUnpack(t, text)) != x.Text {
				t.Errorf("%s: Verify: %v, %v", x.Name, rep.Errors, err)
			}
			if err := archive.Explain(io.Discard, bytes.NewReader(x.Bytes)); err != nil {
				t.Errorf("%s: Explain: %v", x.Name, err)
			}
			if texts, errs := archive.GameTexts(text); len(errs) > 0 ||
				len(texts) != archive.MustOpen(t, x.Bytes).Len() {
				t.Errorf("%s: %v", x.Name, errs)
			}
			continue
		}
		is := archive.ErrCorrupt
		if x.Later {
			is = archive.ErrVersion
		}
		rep, err := archive.Verified(x.Bytes)
		if err == nil && !rep.OK() {
			err = rep.Errors[0]
		}
		if !errors.Is(err, is) {
			t.Errorf("%s: Verify: %v", x.Name, err)
		}
		if x.Part == "search" { // the games are sound, and a search would not find one
			if len(archive.MustUnpack(t, x.Bytes)) == 0 {
				t.Errorf("%s: it has no games", x.Name)
			}
			continue
		}
		if _, err := archive.Unpack(t.Context(), io.Discard, bytes.NewReader(x.Bytes),
			archive.WithWorkers(1)); !errors.Is(err, is) && !errors.Is(err, archive.ErrEdited) {
			t.Errorf("%s: Unpack: %v", x.Name, err)
		}
		if err := archive.Explain(io.Discard, bytes.NewReader(x.Bytes)); !errors.Is(err, is) {
			t.Errorf("%s: Explain: %v", x.Name, err)
		}
		if _, errs := archive.GameTexts(x.Bytes); len(errs) == 0 && x.Part != "text" && x.Part != "words" &&
			x.Part != "all" {
			t.Errorf("%s: every game is read", x.Name)
		}
	}
	// Every reserved byte of the header.
	sound, _ := archive.MustPack(t, []byte(archive.RefusalText))
	for _, at := range []int{10, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27} {
		bad := bytes.Clone(sound)
		bad[at] = 0x80
		archive.Reseal(bad)
		if _, err := archive.Opened(bad); !errors.Is(err, archive.ErrVersion) {
			t.Errorf("byte %d of the header: %v", at, err)
		}
		if _, err := archive.NewScanner(bytes.NewReader(bad)).Next(); !errors.Is(err, archive.ErrVersion) {
			t.Errorf("byte %d of the header: %v", at, err)
		}
	}
}
