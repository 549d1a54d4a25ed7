// SPDX-License-Identifier: Apache-2.0

// Package archiver is what the explorer's page seldom asks of archives: to make one of PGN, and what the bytes of one
// say. Package explorer reads archives. The two are programs of their own, so that the page that only reads loads less.
//
//	value, err := archiver.Methods().Do(ctx, &call.Call{Method: "pack", Data: pgn})
package archiver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"ply11/bitstream/archive"
	"ply11/web/call"
	"ply11/web/lines"
)

// Methods returns the methods.
func Methods() call.Methods {
	return call.Methods{"pack": call.New(pack), "layout": call.New(layout)}
}

// maxPGN is the most text that is packed: the archive is in memory, and takes about a tenth of it.
const maxPGN = 256 << 20

// yieldAfter is how long a call works before it lets the browser do other things.
const yieldAfter = 25 * time.Millisecond

// text is the PGN of a call, read from its begin to its end: it yields, tells the progress, and ends when the call is
// given up.
type text struct {
	*io.SectionReader
	ctx  context.Context
	call *call.Call
	last time.Time
	far  int64
}

func (t *text) Read(b []byte) (int, error) {
	if now := time.Now(); now.Sub(t.last) > yieldAfter {
		t.last = now
		if t.call.Progress != nil {
			t.call.Progress(float64(t.far) / float64(t.Size()))
		}
		if t.call.Yield != nil {
			t.call.Yield()
		}
	}
	if t.ctx.Err() != nil {
		return 0, call.ErrCanceled
	}
	n, err := t.SectionReader.Read(b)
	t.far += int64(n)
	return n, err
}

// pack makes an archive of the PGN that comes with the call, which may be compressed in no way.
func pack(ctx context.Context, c *call.Call, _ struct{}) (any, error) {
	file, size := c.File, c.Size
	if file == nil {
		file, size = bytes.NewReader(c.Data), int64(len(c.Data))
	}
	if size > maxPGN {
		return nil, fmt.Errorf(
			"a PGN file of more than %d MiB is too large for a page: ply11 pack makes an archive of it", maxPGN>>20)
	}
	var out bytes.Buffer
	pgn := &text{SectionReader: io.NewSectionReader(file, 0, size), ctx: ctx, call: c}
	stats, err := archive.Pack(ctx, &out, bufio.NewReaderSize(pgn, 1<<20), archive.WithWorkers(1),
		archive.WithBlockGames(256))
	if ctx.Err() != nil {
		return nil, call.ErrCanceled
	}
	if err != nil {
		return nil, err
	}
	if stats.Games == 0 || stats.Games == 1 && stats.Invalid == 1 && stats.Plies == 0 {
		return nil, errors.New("there is no game in it")
	}
	return call.Bytes(out.Bytes()), nil
}

// layout explains the bytes of an archive that come with the call: package explain has the other formats.
func layout(_ context.Context, c *call.Call, _ struct{}) (any, error) {
	return lines.Of(c.Data, func(w io.Writer, r io.Reader) error { return archive.Explain(w, r) })
}
