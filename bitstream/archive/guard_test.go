// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/codec"
)

// asBug asks an error to be a bug.
func asBug(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, errBug) {
		t.Errorf("%s: %v is no bug", what, err)
	}
}

// panicking panics where it is read from a place on.
type panicking struct {
	*bytes.Reader
	from int64
}

func (p panicking) ReadAt(b []byte, at int64) (int, error) {
	if at >= p.from && at < 200 {
		panic("no reader")
	}
	return p.Reader.ReadAt(b, at)
}

// TestPanicIsAnError spoils a Block, and calls every public entry.
func TestPanicIsAnError(t *testing.T) {
	EachForm(t, func(t *testing.T, dense bool) {
		archive, _ := SmallArchive(t, dense)
		var g game.Game
		for name, do := range map[string]func(b *Block) error{
			"MoveColumn":  func(b *Block) error { _, err := b.MoveColumn(); return err },
			"Address":     func(b *Block) error { _, _, err := b.Address(1); return err },
			"MainLine":    func(b *Block) error { _, err := b.MainLine(nil, 1); return err },
			"Start":       func(b *Block) error { _, err := b.Start(1); return err },
			"Result":      func(b *Block) error { _, err := b.Result(1); return err },
			"Tags":        func(b *Block) error { return b.Tags(1, &g) },
			"Game":        func(b *Block) error { return b.Game(1, &g) },
			"Exception":   func(b *Block) error { _, _, err := b.Exception(1); return err },
			"AppendText":  func(b *Block) error { _, err := b.AppendText(nil, 1, nil); return err },
			"AppendAll":   func(b *Block) error { _, err := b.AppendAll(nil); return err },
			"appendWords": func(b *Block) error { _, err := b.appendWords(nil); return err },
			"Verify":      func(b *Block) error { return b.Verify() },
		} {
			r := MustOpen(t, archive)
			b := MustBlock(t, r, 2)
			b.data = b.data[:0:0] // the columns are not where the header says
			asBug(t, name, do(b))
		}
		r, err := NewReader(panicking{bytes.NewReader(archive), headerSize}, int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Block(1)
		asBug(t, "Block", err)
		_, _, err = r.Find(1)
		asBug(t, "Find", err)
		for name, err := range map[string]error{"Game": r.Game(1, &g), "Tags": r.Tags(1, &g)} {
			asBug(t, name, err)
		}
		_, err = NewReader(panicking{bytes.NewReader(archive), 0}, int64(len(archive)))
		asBug(t, "NewReader", err)
		_, err = Verify(context.Background(), panicking{bytes.NewReader(archive), headerSize}, int64(len(archive)))
		asBug(t, "Verify", err)
		_, err = Recover(context.Background(), io.Discard, panicking{bytes.NewReader(archive), headerSize},
			int64(len(archive)))
		asBug(t, "Recover", err)

	})
	// In the goroutines.
	bad := func() io.Reader { return readerFunc(func([]byte) (int, error) { panic("no reader") }) }
	_, err := Unpack(context.Background(), io.Discard, bad(), WithWorkers(2))
	asBug(t, "Unpack", err)
	_, err = Pack(context.Background(), io.Discard, bad())
	asBug(t, "Pack", err)
	_, err = Pack(context.Background(), io.Discard,
		strings.NewReader(strings.Repeat("[Event \"x\"]\n\n1. e4 *\n\n", 3000)), WithBlockGames(100),
		WithReport(func(*codec.Error) {}), WithProgress(func(Stats) { panic("no progress") }))
	asBug(t, "Pack", err)
	_, err = Copy(context.Background(), io.Discard, []io.Reader{bad()}, WithDense(true))
	asBug(t, "Recode", err)
	asBug(t, "Explain", Explain(io.Discard, bad()))
	_, err = NewScanner(bad()).Next()
	asBug(t, "Scanner", err)
}

func MustOpen(t testing.TB, archive []byte) *Reader {
	t.Helper()
	r, err := Opened(archive)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
