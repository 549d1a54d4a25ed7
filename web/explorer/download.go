// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ply11/bitstream/archive"
	"ply11/web"
)

var columns = []string{"game", "white", "white_elo", "black", "black_elo", "result", "date",
	"eco", "opening", "event", "error"}

func (r *Row) cells() []string {
	return []string{strconv.Itoa(r.Game), r.White, r.WhiteElo, r.Black, r.BlackElo, r.Result, r.Date,
		r.ECO, r.Opening, r.Event, r.Error}
}

// csvLine writes a line of a table. What a spreadsheet would take for a formula begins with an apostrophe.
func csvLine(cells []string) []byte {
	var b bytes.Buffer
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
			c = "'" + c
		}
		if strings.ContainsAny(c, "\",\r\n") {
			c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
		b.WriteString(c)
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// text is the PGN of a game, with an empty line behind it.
func (o *opened) text(n int) ([]byte, error) {
	b, err := o.r.AppendText(nil, n)
	for err == nil && !bytes.HasSuffix(b, []byte("\n\n")) {
		b = append(b, '\n')
	}
	return b, err
}

func (o *opened) line(n int) ([]byte, error) {
	row := o.row(n, maxGameText)
	return csvLine(row.cells()), nil
}

// Games in another order than the archive's are read in its order, some thousands at a time: one alone costs a block.
const (
	maxChunk      = 20_000
	maxChunkBytes = 64 << 20
)

// write writes what do makes of games, in the order of the list.
func (o *opened) write(ctx context.Context, w io.Writer, n int, at func(place int) int,
	do func(n int) ([]byte, error)) error {
	for begin := 0; begin < n; begin += maxChunk {
		chunk := make([]int, min(maxChunk, n-begin))
		for i := range chunk {
			chunk[i] = at(begin + i)
		}
		made := map[int][]byte{}
		if !slices.IsSorted(chunk) {
			size := 0
			for _, g := range slices.Sorted(slices.Values(chunk)) {
				if size > maxChunkBytes || ctx.Err() != nil {
					break // the others are made when they are written
				}
				b, err := do(g)
				if err != nil {
					return fmt.Errorf("game %d: %w", g, err)
				}
				made[g], size = b, size+len(b)
			}
		}
		for _, g := range chunk {
			if err := ctx.Err(); err != nil {
				return err
			}
			b, ok := made[g]
			if !ok {
				var err error
				if b, err = do(g); err != nil {
					return fmt.Errorf("game %d: %w", g, err)
				}
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// download answers games as a file. An error in between ends the connection, so that nobody takes a part for the whole.
func (h *Handler) download(w http.ResponseWriter, r *http.Request) {
	kind, ok := strings.CutPrefix(r.PathValue("file"), "games.")
	types := map[string]string{"pgn": "application/x-chess-pgn", "csv": "text/csv; charset=utf-8",
		"p11": "application/octet-stream"}
	begun := false
	err := func() error {
		if !ok || types[kind] == "" {
			return fmt.Errorf("%s: %w", r.URL.Path, fs.ErrNotExist)
		}
		o, err := h.open(r)
		if err != nil {
			return err
		}
		defer o.Close()
		found, err := o.games(&task{ctx: r.Context(), h: h}, r.URL.Query())
		if err != nil {
			return err
		}
		n, at := o.r.Len(), func(i int) int { return i + 1 }
		if found != nil {
			n, at = len(found.games), func(i int) int { return int(found.games[i]) }
			if found.wrong != "" {
				return fmt.Errorf("%s", found.wrong)
			}
		}
		begun = true
		web.SetPolicy(w.Header())
		name := strings.TrimSuffix(o.Name, filepath.Ext(o.Name)) + "." + kind
		w.Header().Set("Content-Type", types[kind])
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		switch kind {
		case "pgn":
			return o.write(r.Context(), w, n, at, o.text)
		case "csv":
			w.Write(csvLine(columns))
			return o.write(r.Context(), w, n, at, o.line)
		}
		if found == nil {
			_, err := io.Copy(w, io.NewSectionReader(o, 0, o.Size))
			return err
		}
		text, in := io.Pipe()
		go func() { in.CloseWithError(o.write(r.Context(), in, n, at, o.text)) }()
		_, err = archive.Pack(r.Context(), w, text, archive.WithWorkers(1))
		text.CloseWithError(err)
		return err
	}()
	switch {
	case err == nil:
	case begun:
		panic(http.ErrAbortHandler)
	default:
		web.Answer(w, r, nil, err)
	}
}
