// SPDX-License-Identifier: Apache-2.0

package bitstream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"ply11/bitstream"
	"ply11/game/codec"
	"ply11/internal/bounded"
	"ply11/internal/cputime"
	"ply11/moveindex"
)

// bitAt is the definition: bit i of the stream is bit i mod 8 of byte i div 8.
func bitAt(b []byte, i uint64) uint { return uint(b[i/8]>>(i%8)) & 1 }

// wordAt reads a word bit by bit.
func wordAt(b []byte, bit uint64) (w moveindex.Index) {
	for i := range uint64(moveindex.Bits) {
		w |= moveindex.Index(bitAt(b, bit+i)) << i
	}
	return w
}

func randomWords(rng *rand.Rand, n int) []moveindex.Index {
	w := make([]moveindex.Index, n)
	for i := range w {
		w[i] = moveindex.Index(rng.IntN(moveindex.NumWords))
	}
	return w
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func TestPackUnpackAgainstTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		src := randomBytes(rng, rng.IntN(120))
		bit := uint64(rng.IntN(len(src)*8 + 1))
		dst := make([]moveindex.Index, rng.IntN(90))
		n := bitstream.Unpack(dst, src, bit)
		if want := min(len(dst), int(uint64(len(src))*8-bit)/moveindex.Bits); n != want {
			t.Fatalf("Unpack of %d bytes from bit %d into %d words = %d, want %d", len(src), bit, len(dst), n, want)
		}
		for i, w := range dst[:n] {
			at := bit + uint64(i)*moveindex.Bits
			if want := wordAt(src, at); w != want {
				t.Fatalf("word %d from bit %d is %d, want %d", i, bit, w, want)
			}
			if got, ok := bitstream.At(src, at); !ok || got != w {
				t.Fatalf("At(%d) = %d, %t, want %d", at, got, ok, w)
			}
		}
		if _, ok := bitstream.At(src, uint64(len(src))*8-10); ok && len(src) > 1 {
			t.Fatal("At took a word beyond the end")
		}

		words := randomWords(rng, rng.IntN(90))
		got := bytes.Clone(src)
		n = bitstream.Pack(got, bit, words)
		if want := min(len(words), int(uint64(len(src))*8-bit)/moveindex.Bits); n != want {
			t.Fatalf("Pack of %d words = %d, want %d", len(words), n, want)
		}
		for i := range uint64(len(src)) * 8 {
			want := bitAt(src, i)
			if i >= bit && i < bit+uint64(n)*moveindex.Bits {
				k := i - bit
				want = uint(words[k/moveindex.Bits]>>(k%moveindex.Bits)) & 1
			}
			if bitAt(got, i) != want {
				t.Fatalf("Pack of %d words at bit %d: bit %d of %d bytes is wrong", len(words), bit, i, len(src))
			}
		}
	}
}

func TestPackerUnpacker(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		words := randomWords(rng, rng.IntN(30000))
		front := randomBytes(rng, rng.IntN(9))
		bit := uint64(rng.IntN(len(front)*8 + 1))
		want := append(bytes.Clone(front), make([]byte, bitstream.PackedLen(len(words))+2)...)
		bitstream.Pack(want, bit, words)
		total := bit + uint64(len(words))*moveindex.Bits
		want = want[:(total+7)/8]
		if r := total % 8; r > 0 {
			want[len(want)-1] |= 0xff << r
		}

		var sink bytes.Buffer
		stream, memory := bitstream.NewPacker(&sink), bitstream.NewPackerBytes(bytes.Clone(front), bit)
		for list := words; len(list) > 0; {
			n := min(len(list), rng.IntN(3000))
			if n == 0 {
				stream.Word(list[0])
				memory.Word(list[0])
				list = list[1:]
				continue
			}
			stream.Words(list[:n])
			memory.Words(list[:n])
			list = list[n:]
		}
		if err := stream.Close(); err != nil {
			t.Fatal(err)
		}
		if got := memory.Bytes(); !bytes.Equal(got, want) {
			t.Fatalf("packing %d words into memory from bit %d differs", len(words), bit)
		}
		if stream.Count() != uint64(len(words)) {
			t.Fatalf("Count = %d, want %d", stream.Count(), len(words))
		}
		for name, u := range map[string]*bitstream.Unpacker{
			"stream": bitstream.NewUnpacker(bytes.NewReader(sink.Bytes())),
			"slow":   bitstream.NewUnpacker(iotest.OneByteReader(bytes.NewReader(sink.Bytes()))),
		} {
			got := make([]moveindex.Index, len(words))
			for i := range got {
				w, err := u.Next()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				got[i] = w
			}
			if !slices.Equal(got, words) {
				t.Fatalf("%s: the words differ", name)
			}
			if _, err := u.Next(); err != io.EOF {
				t.Fatalf("%s: at the end, %v", name, err)
			}
		}
	}
}

func TestPadding(t *testing.T) {
	for n := range 40 {
		words := make([]moveindex.Index, n)
		b := make([]byte, bitstream.PackedLen(n))
		bitstream.Pack(b, 0, words)
		spare := uint(len(b)*8 - n*moveindex.Bits)
		u := bitstream.NewUnpacker(bytes.NewReader(b))
		for range n {
			u.Next()
		}
		_, err := u.Next()
		var pad *codec.Error
		if spare == 0 {
			if err != io.EOF {
				t.Fatalf("%d words: %v", n, err)
			}
			continue
		}
		if !errors.As(err, &pad) || !errors.Is(err, bitstream.ErrPadding) || pad.Unit != codec.Bits ||
			pad.Offset != int64(n)*moveindex.Bits ||
			!strings.Contains(err.Error(), fmt.Sprintf("the last %d bits", spare)) {
			t.Fatalf("%d words with zeros behind: %v", n, err)
		}
	}
}

func TestErrorsOfTheStreams(t *testing.T) {
	broken := errors.New("broken")
	p := bitstream.NewPacker(writerFunc(func([]byte) (int, error) { return 0, broken }))
	p.Words(make([]moveindex.Index, 30000))
	if err := p.Close(); err != broken {
		t.Errorf("Close = %v", err)
	}
	if _, err := bitstream.NewUnpacker(iotest.ErrReader(broken)).Next(); err != broken {
		t.Errorf("Next = %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func FuzzPackUnpack(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), uint16(3))
	bounded.Fuzz(f, func(t *testing.T, src []byte, offset uint16) {
		bit := uint64(offset)
		words := make([]moveindex.Index, len(src))
		n := bitstream.Unpack(words, src, bit)
		got := bytes.Clone(src)
		if bitstream.Pack(got, bit, words[:n]) != n || !bytes.Equal(got, src) {
			t.Fatalf("packing what was unpacked from bit %d differs", bit)
		}
	})
}

// The sizes of the benchmarks: in the first cache, and far beyond the last.
var benchSizes = []struct {
	name  string
	words int
}{{"L1", 8 << 10}, {"memory", 64 << 20}}

// reportWords reports the speed of n words at a time, by the clock and by the processor time.
func reportWords(b *testing.B, n int, start time.Duration) {
	words := float64(n) * float64(b.N) / 1e9
	b.ReportMetric(words/b.Elapsed().Seconds(), "Gwords/s")
	b.ReportMetric(words/(cputime.Now()-start).Seconds(), "Gwords/cpu-s")
}

func BenchmarkUnpack(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			src := make([]byte, bitstream.PackedLen(size.words)+8)
			dst := make([]moveindex.Index, size.words)
			b.SetBytes(int64(len(src)))
			start := cputime.Now()
			for b.Loop() {
				bitstream.Unpack(dst, src, 3)
			}
			reportWords(b, size.words, start)
		})
	}
}

func BenchmarkPack(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			dst := make([]byte, bitstream.PackedLen(size.words)+8)
			src := make([]moveindex.Index, size.words)
			b.SetBytes(int64(len(dst)))
			start := cputime.Now()
			for b.Loop() {
				bitstream.Pack(dst, 3, src)
			}
			reportWords(b, size.words, start)
		})
	}
}

func BenchmarkAt(b *testing.B) {
	src := make([]byte, 11<<10)
	var sum moveindex.Index
	bit := uint64(0)
	for b.Loop() {
		w, _ := bitstream.At(src, bit)
		sum += w
		if bit += 11 * 37; bit > 88000 {
			bit -= 88000
		}
	}
	_ = sum
}
