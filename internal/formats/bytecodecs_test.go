// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"ply11/bitstream/codec"
	"ply11/game"
	"ply11/game/pgn"
)

// The byte codecs of moves give back what they were given, by name and by the file's name.
func TestByteCodecs(t *testing.T) {
	const text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n" +
		"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 $4 4. Qxf7# 1-0\n"
	var want *game.Game
	for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
		if err != nil {
			t.Fatal(err)
		}
		want = g.Clone()
	}
	for _, c := range []struct{ name, path string }{
		{"brenner", "a.brn"}, {"brenner-alt", "a.brn"}, {"brenner-alt-swapped", "-"}, {"brenner-alt-fixed", "-"},
		{"jose", "a.jgt"}, {"jose-program", "a.tsv"}, {"jose", "a.tsv.zst"}, {"jose-program", "-"},
	} {
		f, err := ByName(c.name)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		w, err := f.Write(Output{Writer: &file, Path: c.path}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Write(want); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		n := 0
		for g, err := range f.Read(Input{Reader: &file, Path: c.path}, Options{}) {
			if err != nil {
				t.Fatal(c.name, err)
			}
			n++
			if !bytes.Equal(movetext(g), movetext(want)) {
				t.Errorf("%s: %s", c.name, movetext(g))
			}
		}
		if n != 2 {
			t.Errorf("%s: %d games, want 2", c.name, n)
		}
		// Losses and errors are of the kinds that this package promises.
		lossy := want.Clone()
		lossy.AddTag("ECO", "C20")
		w, _ = f.Write(Output{Writer: &file, Path: c.path}, Options{})
		if losses := codec.LossesOf(w.Write(lossy)); len(losses) != 1 || losses[0] != "tag ECO" {
			t.Errorf("%s: losses %q", c.name, losses)
		}
		var e *codec.Error
		for g, err := range f.Read(Input{Reader: strings.NewReader("\x9f\xff"), Path: "-"}, Options{}) {
			if g != nil || !errors.As(err, &e) || e.Game != 1 {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	for path, name := range map[string]string{"x.brn": "brenner", "x.JGT.gz": "jose", "x.tsv": "jose-program"} {
		if f, err := ByPath(path); err != nil || f.Name != name {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func movetext(g *game.Game) []byte {
	s := pgn.Export()
	return pgn.AppendMovetext(nil, g, &s)
}

func TestExplainers(t *testing.T) {
	for name, src := range map[string]string{
		"brenner": "\x2c\x2c\x02", "brenner-alt": "\x34\x34\x02", "brenner-alt-swapped": "\x34\x34\x02",
		"brenner-alt-fixed": "\x34\x34\x02", "jose": "\x13\x13\xd2\xff", "jose-program": "gametext_hex\n1313d2ff\n",
	} {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := f.Explain(&out, Input{Reader: strings.NewReader(src), Path: "-"}, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range []string{"1. e4", "1... e5"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %s in %s", name, want, out.String())
			}
		}
		var e *codec.Error
		if err := f.Explain(&out, Input{Reader: strings.NewReader("gametext_hex\n9e"), Path: "-"}, Options{}); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ByName("no such format"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// The list is in order, nothing in it occurs twice, and every format can do everything.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for i, f := range All {
		if i > 0 && All[i-1].Name >= f.Name {
			t.Errorf("%s comes after %s", f.Name, All[i-1].Name)
		}
		if strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || f.Name == "" {
			t.Errorf("the name %q", f.Name)
		}
		for _, ext := range f.Extensions {
			if seen[ext] || ext[0] != '.' || strings.ToLower(ext) != ext {
				t.Errorf("%s: the extension %q", f.Name, ext)
			}
			seen[ext] = true
		}
		if f.Read == nil || f.Write == nil || f.Explain == nil || f.Verify == nil {
			t.Errorf("%s cannot do all", f.Name)
		}
	}
}
