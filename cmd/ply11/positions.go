// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

const (
	// positionsTogether is how many positions are looked up together.
	positionsTogether = 1 << 14
	longestPosition   = 64 << 10
)

// treePositions answers for each line of a file, a FEN or startpos.
func treePositions(ctx context.Context, path string, sources []query.Source, q *query.Query, workers int,
	show func(t *query.Tree, at *position.Position) ([]byte, error)) error {
	in, err := openSource(path)
	if err != nil {
		return err
	}
	defer in.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // trees are many and small, and soon done with
	r := bufio.NewReaderSize(in, longestPosition)
	out := bufio.NewWriterSize(&stdout, 256<<10)
	var list []position.Position
	answer := func() error {
		trees, err := q.Trees(ctx, sources, list, query.TreeOptions{Workers: workers})
		if err != nil {
			return err
		}
		for i, t := range trees {
			text, err := show(t, &list[i])
			if err != nil {
				return err
			}
			if _, err := out.Write(text); err != nil {
				return err
			}
		}
		list = list[:0]
		return out.Flush()
	}
	for line := 1; ; line++ {
		text, err := r.ReadSlice('\n')
		if err != nil && err != io.EOF {
			if errors.Is(err, bufio.ErrBufferFull) {
				err = fmt.Errorf("line %d is too long for a position", line)
			}
			return inFile(path, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			at, bad := query.ParsePosition(string(text), "")
			if bad != nil {
				return fmt.Errorf("%s: line %d: %w", path, line, bad)
			}
			list = append(list, at)
		}
		// What came through a pipe is answered before more is waited for.
		if err == io.EOF || len(list) == positionsTogether || in.file == nil && r.Buffered() == 0 {
			if err := answer(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// countsOf returns what the tree files have together: the zero value if there are none.
func countsOf(sources []query.Source) (all index.TreeStats) {
	for _, s := range sources {
		if s.Counts == nil {
			continue
		}
		if t := s.Counts.Stats(); all.MinGames == 0 {
			all = t
		} else {
			all.MinGames, all.MaxPly = max(all.MinGames, t.MinGames), min(all.MaxPly, t.MaxPly)
			all.Missing += t.Missing
		}
	}
	return all
}

// openTrees opens those arguments that are tree files, and returns the others.
func openTrees(args []string) (sources []query.Source, others []string, done func(), err error) {
	var open closers
	done = func() { open.close() }
	for _, path := range args {
		if !isTree(path) {
			others = append(others, path)
			continue
		}
		f, err := openAnywhere(path)
		if err != nil {
			done()
			return nil, nil, nil, err
		}
		open = append(open, f.Close)
		t, err := index.OpenTree(f, f.size)
		if err != nil {
			done()
			return nil, nil, nil, inFile(path, err)
		}
		t.Name = path
		sources = append(sources, query.Source{Name: path, Counts: t})
	}
	return sources, others, done, nil
}
