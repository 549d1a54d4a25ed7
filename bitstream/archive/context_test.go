// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/archive"
)

// canceling cancels a context when more than so many bytes are read.
type canceling struct {
	io.Reader
	left   int
	cancel func()
}

func (c *canceling) count(n int) {
	if c.left -= n; c.left < 0 {
		c.cancel()
	}
}

func (c *canceling) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.count(n)
	return n, err
}

func (c *canceling) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.(io.ReaderAt).ReadAt(b, at)
	c.count(n)
	return n, err
}

// TestContext ends the context of each long call before it, and in the middle: the call ends with its error.
func TestContext(t *testing.T) {
	text := archive.TextOf("a", 3000)
	data, _ := archive.MustPack(t, []byte(text), archive.WithBlockGames(10))
	file := func() io.Reader { return bytes.NewReader(data) }
	last := func(_ any, err error) error { return err }
	type wrapper = func(io.Reader) *canceling
	for name, do := range map[string]func(ctx context.Context, wrap wrapper) error{
		"Pack": func(ctx context.Context, wrap wrapper) error {
			return last(archive.Pack(ctx, io.Discard, wrap(strings.NewReader(text)), archive.WithBlockGames(10)))
		},
		"Repack": func(ctx context.Context, wrap wrapper) error {
			return last(archive.Copy(ctx, io.Discard, []io.Reader{wrap(file())}, archive.WithBlockGames(20)))
		},
		"Unpack": func(ctx context.Context, wrap wrapper) error {
			return last(archive.Unpack(ctx, io.Discard, wrap(file())))
		},
		"Recode": func(ctx context.Context, wrap wrapper) error {
			return last(archive.Copy(ctx, io.Discard, []io.Reader{wrap(file())}, archive.WithDense(true)))
		},
		"Append": func(ctx context.Context, wrap wrapper) error {
			f := &archive.MemFile{B: bytes.Clone(data), Left: -1}
			_, err := archive.Append(ctx, f, int64(len(data)), []io.Reader{wrap(file())})
			if !bytes.Equal(f.B, data) {
				t.Error("Append leaves another file")
			}
			return err
		},
		"Verify": func(ctx context.Context, wrap wrapper) error {
			return last(archive.Verify(ctx, wrap(file()), int64(len(data))))
		},
		"Recover": func(ctx context.Context, wrap wrapper) error {
			return last(archive.Recover(ctx, io.Discard, wrap(file()), int64(len(data))))
		},
	} {
		for _, after := range []int{-1, len(data) / 2} {
			ctx, cancel := context.WithCancel(t.Context())
			if after < 0 {
				cancel()
			}
			if err := do(ctx, func(r io.Reader) *canceling { return &canceling{r, after, cancel} }); !errors.Is(err,
				context.Canceled) {
				t.Errorf("%s, after %d bytes: %v", name, after, err)
			}
			cancel()
		}
	}
}
