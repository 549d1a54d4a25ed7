// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"github.com/klauspost/compress/gzip"

	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

var lc0Format = format{
	name: "lc0", ext: ".tar",
	description: "lc0's training chunks, version 6, a gzip a game in a tar; the policy is the move that was played, " +
		"alone",
	positions: true, chains: true, engine: true, past: true,
	describe: func(*Job) (*Labels, []Array) { return labelsOf(moveindex.LC0), nil },
	create: func(_ *Job, out *output) (sink, error) {
		// The fastest level: records are mostly zeros and -1, and compression is what they cost.
		z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			return nil, err
		}
		return &lc0Sink{tar: tar.NewWriter(out.file), zip: z}, nil
	},
}

// The layout of a record: see docs/train.md.
const (
	lc0Size     = 8356 // version 6
	lc0Size7    = 8396 // version 7, with more at the end
	lc0Labels   = 1858
	lc0Policy   = 8
	lc0Planes   = lc0Policy + 4*lc0Labels
	lc0Rights   = lc0Planes + 8*13*lc0History
	lc0Turn     = lc0Rights + 4
	lc0Clock    = lc0Rights + 5
	lc0Values   = lc0Rights + 8
	lc0PliesAt  = lc0Values + 4*6
	lc0ResultAt = lc0Values + 4*7
	lc0Visits   = lc0Values + 4*15
	lc0Played   = lc0Visits + 4
	lc0Best     = lc0Visits + 6
	lc0Classic  = 1 // the format of the planes
)

// rightsOrder are the bits of castling rights of a record: long and short of the mover, and of the other; for White.
var rightsOrder = [4]int{1, 0, 3, 2}

type lc0Sink struct {
	ofPositions
	tar    *tar.Writer
	chunk  []byte // records of the game
	last   sample
	open   bool
	number int
	moves  []chess.Move
	planes [lc0Boards]uint64
	packed bytes.Buffer
	zip    *gzip.Writer
}

func (w *lc0Sink) sample(s *sample) error {
	if w.open && (s.number != w.last.number || s.source != w.last.source || len(w.chunk) >= lc0Most) {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.open = true
	w.last.source, w.last.number = s.source, s.number
	at := len(w.chunk)
	w.chunk = append(w.chunk, lc0Blank[:]...)
	b := w.chunk[at:]
	p := &s.at
	s.past.lc0Planes(&w.planes)
	for i, v := range w.planes {
		putPlane(b[lc0Planes+8*i:], v)
	}
	rights := p.Castling()
	if p.Turn() == chess.Black {
		rights = otherRights(rights)
	}
	for i, r := range rightsOrder {
		b[lc0Rights+i] = byte(rights >> r & 1)
	}
	b[lc0Turn] = byte(p.Turn())
	b[lc0Clock] = byte(min(p.HalfmoveClock(), 255))
	w.moves = p.LegalMoves(w.moves[:0])
	for _, m := range w.moves {
		i, _ := moveindex.Of(m)
		binary.LittleEndian.PutUint32(b[lc0Policy+4*int(p.Label(moveindex.LC0, i)):], 0)
	}
	label := int(p.Label(moveindex.LC0, s.played))
	putFloat(b[lc0Policy+4*label:], 1)
	result, _ := s.outcome()
	draw := float32(0)
	if result == 0 {
		draw = 1
	}
	left := float32(s.left)
	// root_q, best_q, root_d, best_d, root_m, best_m, plies_left, result_q, result_d, played_q, played_d, played_m.
	q := float32(result)
	for i, v := range [12]float32{q, q, draw, draw, left, left, left, q, draw, q, draw, left} {
		putFloat(b[lc0Values+4*i:], v)
	}
	binary.LittleEndian.PutUint16(b[lc0Played:], uint16(label))
	binary.LittleEndian.PutUint16(b[lc0Best:], uint16(label))
	return nil
}

// lc0Most is the most bytes of a chunk; a longer game has several.
const lc0Most = 2000 * lc0Size

// lc0Blank is common to all records: no move is legal, and a search's first look is no number.
var lc0Blank = func() (b [lc0Size]byte) {
	binary.LittleEndian.PutUint32(b[0:], 6)
	binary.LittleEndian.PutUint32(b[4:], lc0Classic)
	for i := range lc0Labels {
		putFloat(b[lc0Policy+4*i:], -1)
	}
	for i := range 3 {
		binary.LittleEndian.PutUint32(b[lc0Values+4*(12+i):], 0x7fc00000)
	}
	binary.LittleEndian.PutUint32(b[lc0Visits:], 1)
	return b
}()

func putFloat(b []byte, v float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(v)) }

// putPlane writes a byte a rank, with the a-file as the highest bit.
func putPlane(b []byte, v uint64) { binary.BigEndian.PutUint64(b, bits.Reverse64(v)) }

func getPlane(b []byte) uint64 { return bits.Reverse64(binary.BigEndian.Uint64(b)) }

func (w *lc0Sink) flush() error {
	w.number++
	w.packed.Reset()
	w.zip.Reset(&w.packed)
	if _, err := w.zip.Write(w.chunk); err != nil {
		return err
	}
	if err := w.zip.Close(); err != nil {
		return err
	}
	w.chunk, w.open = w.chunk[:0], false
	if err := w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("game_%06d.gz", w.number),
		Size: int64(w.packed.Len()), Mode: 0o644, Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err := w.tar.Write(w.packed.Bytes())
	return err
}

func (w *lc0Sink) end(*Shard) error {
	if w.open {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.tar.Close()
}

type lc0Entry struct {
	at     position.Position
	result game.Result
	label  int
}

// readLC0Entry reads a record of version 6 at least.
func readLC0Entry(b []byte) (e lc0Entry, err error) {
	if f := binary.LittleEndian.Uint32(b[4:]); f != lc0Classic {
		return e, fmt.Errorf("planes of format %d; format 1, the classical, is read alone", f)
	}
	s := position.Setup{Turn: chess.Color(b[lc0Turn] & 1), HalfmoveClock: int(b[lc0Clock]), FullmoveNumber: 1}
	if b[lc0Turn] > 1 {
		return e, errors.New("a side to move that there is not")
	}
	black := s.Turn == chess.Black
	seen := func(v uint64) uint64 {
		if black {
			return bits.ReverseBytes64(v)
		}
		return v
	}
	for i := range 12 {
		color := s.Turn
		if i >= 6 {
			color = color.Other()
		}
		for v := seen(getPlane(b[lc0Planes+8*i:])); v != 0; v &= v - 1 {
			at := bits.TrailingZeros64(v)
			if s.Board[at] != chess.NoPiece {
				return e, errors.New("two pieces on a square")
			}
			s.Board[at] = chess.NewPiece(color, engineKinds[i%6])
		}
	}
	for i, r := range rightsOrder {
		if v := b[lc0Rights+i]; v > 1 {
			return e, errors.New("a right to castle that there is not; chess 960 is not read")
		} else if v == 1 {
			if black {
				r ^= 2
			}
			s.Castling |= 1 << r
		}
	}
	// A pawn of the other side that was two squares before.
	now, before := seen(getPlane(b[lc0Planes+8*6:])), seen(getPlane(b[lc0Planes+8*(13+6):]))
	if gone, come := before&^now, now&^before; bits.OnesCount64(gone) == 1 && bits.OnesCount64(come) == 1 {
		from, to := bits.TrailingZeros64(gone), bits.TrailingZeros64(come)
		if from&7 == to&7 && (black && from>>3 == 1 && to>>3 == 3 || !black && from>>3 == 6 && to>>3 == 4) {
			s.EnPassantFile = to&7 + 1
		}
	}
	if e.at, err = s.Position(); err != nil {
		return e, err
	}
	switch q := math.Float32frombits(binary.LittleEndian.Uint32(b[lc0ResultAt:])); q {
	case -1, 0, 1:
		e.result = resultOf(s.Turn, int(q))
	default:
		return e, errors.New("a result that there is not")
	}
	e.label = int(binary.LittleEndian.Uint16(b[lc0Played:]))
	return e, nil
}

// readLC0 reads a chunk, perhaps compressed, or a tar of chunks. Each is a game, or several if its positions do not
// follow each other.
func readLC0(r *bufio.Reader, c *gatherer) error {
	start, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return err
	}
	var chunk func(io.Reader) error // nil for a tar, which begins with a name
	if bytes.HasPrefix(start, []byte{0x1f, 0x8b}) {
		chunk = c.zipped
	} else if len(start) == 4 && binary.LittleEndian.Uint32(start) < ' ' {
		chunk = c.records // which begin with their version
	}
	if chunk != nil {
		err := chunk(r)
		if err != nil && !errors.Is(err, errYield) {
			err = dataError("%s", oneLine(err.Error()))
		}
		return err
	}
	tail := &tailReader{r: r}
	t := tar.NewReader(tail)
	any := false
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) && any {
			// A tar ends in two blocks of zeros; else it was cut off between games.
			if tail.last != [1024]byte{} {
				return dataError("the tar ends without its end")
			}
			return nil
		}
		if err != nil {
			return dataError("neither a gzip nor a tar of gzips of lc0: %s", oneLine(err.Error()))
		}
		if h.Typeflag != tar.TypeReg || !strings.HasSuffix(h.Name, ".gz") {
			continue // such as a licence
		}
		any = true
		if bad := c.zipped(t); bad != nil {
			if errors.Is(bad, errYield) || !c.fail(fmt.Errorf("%.80q: %s", h.Name, oneLine(bad.Error()))) {
				return nil
			}
		} else if !c.end() {
			return nil
		}
	}
}

// tailReader keeps the last bytes.
type tailReader struct {
	r    io.Reader
	last [1024]byte
}

func (t *tailReader) Read(b []byte) (int, error) {
	n, err := t.r.Read(b)
	b = b[:n]
	if n < len(t.last) {
		copy(t.last[:], t.last[n:])
	}
	b = b[max(0, n-len(t.last)):]
	copy(t.last[len(t.last)-len(b):], b)
	return n, err
}

var errYield = errors.New("no more")

// zipped reads the games of a gzip, and does not end the last.
func (c *gatherer) zipped(in io.Reader) error {
	z, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	z.Multistream(false)
	return c.records(z)
}

// records reads the games of a chunk, and does not end the last.
func (c *gatherer) records(in io.Reader) error {
	var b [lc0Size7]byte
	var moves []chess.Move
	n := 0
	for ; ; n++ {
		if _, err := io.ReadFull(in, b[:4]); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		size := lc0Size
		switch v := binary.LittleEndian.Uint32(b[:]); v {
		case 6:
		case 7:
			size = lc0Size7
		default:
			return fmt.Errorf("record %d: version %d of training data; 6 and 7 are read", n+1, v)
		}
		if _, err := io.ReadFull(in, b[4:size]); err != nil {
			return fmt.Errorf("record %d: %w", n+1, err)
		}
		e, err := readLC0Entry(b[:size])
		if err != nil {
			return fmt.Errorf("record %d: %w", n+1, err)
		}
		if c.g == nil || n == 0 || c.plies == maxChain || !sameBoard(&c.at, &e.at) {
			if !c.begin(&e.at, e.result) {
				return errYield
			}
		}
		moves = c.at.LegalMoves(moves[:0])
		played := chess.NullMove
		for _, m := range moves {
			if i, _ := moveindex.Of(m); int(c.at.Label(moveindex.LC0, i)) == e.label {
				played = m
			}
		}
		if played == chess.NullMove {
			return fmt.Errorf("record %d: %w", n+1, errNotLegal)
		}
		c.move(played, engineNone)
	}
	if n == 0 {
		return errors.New("there is no record")
	}
	return nil
}
