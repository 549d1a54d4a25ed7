// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"io"
	"syscall"
	"testing"
	"time"

	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// benchGames are the games of the pair with long main lines, as records, and their number of halfmoves.
func benchGames(b *testing.B) (list []*Record, games []*game.Game, plies int) {
	cbf, cbi := readPair(b, "gnuchess_underpromotions")
	games = readAll(b, newReader(b, cbf, cbi))
	cbf, cbi = write(b, games)
	r := newReader(b, cbf, cbi)
	for i := range r.Len() {
		rec := new(Record)
		if err := r.ReadRecord(i+1, rec); err != nil {
			b.Fatal(err)
		}
		plies += len(rec.Moves)
		list = append(list, rec)
	}
	return list, games, plies
}

// cpu returns the processor time that the process has used. The machine may be busy with other things:
// that is what speed is measured by.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reportPlies reports the speed since the processor time began.
func reportPlies(b *testing.B, plies int, began time.Duration) {
	used := cpu(b) - began
	b.ReportMetric(float64(plies)*float64(b.N)/used.Seconds(), "plies/s")
	b.ReportMetric(float64(used.Nanoseconds())/float64(plies)/float64(b.N), "ns/ply")
}

func BenchmarkDecodeIndices(b *testing.B) {
	list, _, plies := benchGames(b)
	start := position.Start()
	var dst []moveindex.Index
	b.ReportAllocs()
	b.SetBytes(int64(plies))
	began := cpu(b)
	for b.Loop() {
		for _, r := range list {
			var err error
			if dst, err = AppendIndices(dst[:0], r.Moves, &start, NumberingDocument); err != nil {
				b.Fatal(err)
			}
		}
	}
	reportPlies(b, plies, began)
}

func BenchmarkEncodeIndices(b *testing.B) {
	list, _, plies := benchGames(b)
	start := position.Start()
	var words [][]moveindex.Index
	for _, r := range list {
		w, err := AppendIndices(nil, r.Moves, &start, NumberingDocument)
		if err != nil {
			b.Fatal(err)
		}
		words = append(words, w)
	}
	var dst []byte
	b.ReportAllocs()
	b.SetBytes(int64(plies))
	began := cpu(b)
	for b.Loop() {
		for _, w := range words {
			var err error
			if dst, err = AppendMoves(dst[:0], w, &start, NumberingDocument); err != nil {
				b.Fatal(err)
			}
		}
	}
	reportPlies(b, plies, began)
}

func BenchmarkReader(b *testing.B) {
	_, games, plies := benchGames(b)
	cbf, cbi := write(b, games)
	r := newReader(b, cbf, cbi)
	b.ReportAllocs()
	b.SetBytes(int64(len(cbf)))
	began := cpu(b)
	for b.Loop() {
		r.at = cursor{}
		var g game.Game
		for {
			err := r.Read(&g)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	reportPlies(b, plies, began)
}

func BenchmarkWriter(b *testing.B) {
	_, games, plies := benchGames(b)
	var data bytes.Buffer
	var index seekBuffer
	w := NewWriter(&data, &index, NumberingAuto)
	b.ReportAllocs()
	began := cpu(b)
	for b.Loop() {
		data.Reset()
		index = seekBuffer{b: index.b[:0]}
		for _, g := range games {
			if err := w.Write(g); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(int64(data.Len()))
	reportPlies(b, plies, began)
}
