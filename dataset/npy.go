// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// Values of Job.Planes.
const (
	planesNone  = "none"
	planesBits  = "bits"  // eight bytes a plane
	planesBytes = "bytes" // a byte a square
	planesLC0   = "lc0"   // lc0's, eight bytes a plane
	planesLC0B  = "lc0-bytes"
)

// PlanesNames returns the values of Job.Planes, and LabelTypeNames those of Job.LabelType.
func PlanesNames() []string {
	return []string{planesBits, planesBytes, planesNone, planesLC0, planesLC0B}
}

func LabelTypeNames() (names []string) {
	for _, t := range labelTypes {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}

var npyFormat = format{
	name: "npy", ext: ".npy",
	description: "NumPy arrays, a row a position, each array in a file: planes, labels, legal moves, result, score",
	positions:   true, arrays: true, many: true, want: wantNotes, check: checkArrays, describe: describeArrays,
	create: newArrayFiles,
}

var npzFormat = format{
	name: "npz", ext: ".npz", description: "the same arrays, those of a part in one file",
	positions: true, arrays: true, want: wantNotes, check: checkArrays, describe: describeArrays,
	create: newArrayFiles,
}

func planesOfLC0(planes string) bool { return planes == planesLC0 || planes == planesLC0B }

// LabelNames returns the values of Job.Labels.
func LabelNames() []string {
	names := []string{indexLabels}
	for _, v := range moveindex.Vocabularies() {
		names = append(names, v.Name())
	}
	return names
}

// vocabularyOf finds a vocabulary; the index is nil.
func vocabularyOf(name string) (*moveindex.Vocabulary, error) {
	names := LabelNames()
	switch i := slices.Index(names, name); {
	case i < 0:
		return nil, fmt.Errorf("there are no labels %q; there are %s", name, strings.Join(names, ", "))
	case i == 0:
		return nil, nil
	default:
		return moveindex.Vocabularies()[i-1], nil
	}
}

func checkArrays(j *Job) error {
	j.Labels, j.Planes = cmp.Or(j.Labels, indexLabels), cmp.Or(j.Planes, planesBits)
	if !slices.Contains(PlanesNames(), j.Planes) {
		return fmt.Errorf("planes are none, bits, bytes, lc0 or lc0-bytes, not %q", j.Planes)
	}
	if j.LabelType == "uint16" {
		j.LabelType = ""
	}
	if labelTypes[j.LabelType] == (dtype{}) {
		return fmt.Errorf("labels are uint16, int16, int32 or int64, not %q", j.LabelType)
	}
	if _, err := vocabularyOf(j.Labels); err != nil {
		return err
	}
	return checkWDL(j.WDL)
}

// dtype is a type of numbers, with NumPy's name and its bytes.
type dtype struct {
	name, descr string
	size        int
}

// labelTypes are the values of Job.LabelType.
var labelTypes = map[string]dtype{"": {"uint16", "<u2", 2}, "int16": {"int16", "<i2", 2}, "int32": {"int32", "<i4", 4},
	"int64": {"int64", "<i8", 8}}

type column struct {
	Array
	dtype  string // NumPy's
	size   int    // bytes of a row
	append func(w *arrays, b []byte, s *sample) []byte
}

func columnsOf(j *Job, labels int) (list []column) {
	add := func(name, kind, dtype string, size int, meaning string, put func(*arrays, []byte, *sample) []byte,
		shape ...int) {
		list = append(list, column{Array{name, kind, shape, meaning}, dtype, size, put})
	}
	switch j.Planes {
	case planesBits:
		add("planes", "uint8", "|u1", 96, "twelve planes, P N B R Q K of the first side and then of the other; a "+
			"byte a rank, from the first; bit 0 is the a-file", (*arrays).appendPlanes, 12, 8)
	case planesBytes:
		add("planes", "uint8", "|u1", 768, "the same planes, by rank and file; 1 where the piece stands",
			(*arrays).appendPlanes, 12, 8, 8)
	case planesLC0:
		add("planes", "uint8", "|u1", 8*lc0Inputs, "lc0's 112 planes, as the mover sees them; a byte a rank, bit 0 "+
			"is the a-file; in plane 109 each byte is the clock", (*arrays).appendInputs, lc0Inputs, 8)
	case planesLC0B:
		add("planes", "uint8", "|u1", 64*lc0Inputs,
			"lc0's 112 planes, as the mover sees them, by rank and file; plane 109 is the clock",
			(*arrays).appendInputs, lc0Inputs, 8, 8)
	}
	add("state", "uint8", "|u1", 7, "0 White is to move, 1 Black; four castling rights, short and long, of the first "+
		"side and then of the other; the file of a pawn "+
		"that just moved two squares, 1 to 8, or 0; plies since a capture or a pawn's move, at most 255",
		(*arrays).appendState, 7)
	label := labelTypes[j.LabelType]
	add("labels", label.name, label.descr, label.size, "the label of the move that was played",
		func(w *arrays, b []byte, s *sample) []byte {
			l, _ := w.label(s, s.played)
			return binary.LittleEndian.AppendUint64(b, uint64(l))[:len(b)+label.size]
		})
	if j.Legal {
		n := (labels + 7) / 8
		add("legal", "uint8", "|u1", n, "a bit for each label, low bits first: the legal moves", (*arrays).mask, n)
	}
	add("result", "int8", "|i1", 1, "from the mover's side: 1 won, 0 drawn, -1 lost; -128 not known",
		func(_ *arrays, b []byte, s *sample) []byte {
			v, known := s.outcome()
			if !known {
				v = -128
			}
			return append(b, byte(v))
		})
	add("eval", "int16", "<i2", 2, "of the position, from the mover's side: hundredths of a pawn; mate in n is 32000 "+
		"- n, being mated -32000 + n; -32768 none", func(_ *arrays, b []byte, s *sample) []byte {
		return binary.LittleEndian.AppendUint16(b, uint16(s.own().short()))
	})
	if j.WDL != "" {
		add("wdl", "float32", "<f4", 12, "what the eval means by the model "+j.WDL+
			": the chances that the mover wins, draws and loses; NaN without an eval", appendChances(wdlModels[j.WDL]),
			3)
	}
	add("game", "uint64", "<u8", 8, "the number of the game, counted through all archives, from 1",
		func(w *arrays, b []byte, s *sample) []byte {
			return binary.LittleEndian.AppendUint64(b, w.before[s.source]+uint64(s.number))
		})
	add("ply", "uint16", "<u2", 2, "plies before the position, at most 65535",
		func(_ *arrays, b []byte, s *sample) []byte {
			return binary.LittleEndian.AppendUint16(b, uint16(min(s.ply, 65535)))
		})
	return list
}

func describeArrays(j *Job) (*Labels, []Array) {
	v, _ := vocabularyOf(j.Labels)
	l := labelsOf(v)
	var list []Array
	for _, c := range columnsOf(j, l.Count) {
		list = append(list, c.Array)
	}
	return l, list
}

// arrays makes the rows of arrays, and keeps those that are not written yet.
type arrays struct {
	ofPositions
	vocabulary *moveindex.Vocabulary
	labels     int
	columns    []column
	squares    bool     // a byte a square, not a bit
	before     []uint64 // games of the archives before each
	rows       [][]byte // of each array
	waiting    int
	most       int // then flush is called
	flush      func() error
	inputs     [lc0Inputs]uint64
	moves      []chess.Move
}

func newArrays(j *Job, out *output) (*arrays, error) {
	v, err := vocabularyOf(j.Labels)
	if err != nil {
		return nil, err
	}
	w := &arrays{vocabulary: v, labels: moveindex.NumMoves}
	w.squares = j.Planes == planesBytes || j.Planes == planesLC0B
	if v != nil {
		w.labels = v.Len()
	}
	w.columns = columnsOf(j, w.labels)
	w.rows = make([][]byte, len(w.columns))
	n := uint64(0)
	for _, in := range out.w.m.Inputs {
		w.before = append(w.before, n)
		n += uint64(in.Games)
	}
	return w, nil
}

// clear drops the written rows.
func (w *arrays) clear() {
	for i := range w.rows {
		w.rows[i] = w.rows[i][:0]
	}
	w.waiting = 0
}

// arrayFiles writes each array of a shard to a file of its own, or all to an npz.
type arrayFiles struct {
	*arrays
	files []*outputFile // of an npz without names
	npz   *outputFile   // nil for files
}

func newArrayFiles(j *Job, out *output) (sink, error) {
	rows, err := newArrays(j, out)
	if err != nil {
		return nil, err
	}
	w := &arrayFiles{arrays: rows, npz: out.file}
	w.flush = w.write
	for _, c := range w.columns {
		var f *outputFile
		if w.npz != nil {
			f, err = out.spool()
		} else if f, err = out.create(out.base + "." + c.Name + ".npy"); err == nil {
			_, err = f.Write(npyHeader(&c, 0))
		}
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, f)
		w.most = max(w.most, c.size)
	}
	w.most = max(arrayBytes/w.most, arrayRows)
	return w, nil
}

// npyHeaderSize is the length of a header, as NumPy pads all that there are here.
const npyHeaderSize = 128

// npyHeader returns a header of version 1.0.
func npyHeader(c *column, n uint64) []byte {
	shape := fmt.Sprintf("(%d,", n)
	for i, v := range c.Shape {
		if i > 0 {
			shape += ","
		}
		shape += fmt.Sprintf(" %d", v)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s), }", c.dtype, shape)
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], npyHeaderSize-10)
	b = append(b, text...)
	b = append(b, bytes.Repeat([]byte(" "), npyHeaderSize-1-len(b))...)
	return append(b, '\n')
}

func (w *arrays) sample(s *sample) error {
	if _, ok := w.label(s, s.played); !ok {
		return fmt.Errorf("game %d: ply %d: the labels %s have no such move", s.number, s.ply+1, w.vocabulary.Name())
	}
	for i := range w.columns {
		w.rows[i] = w.columns[i].append(w, w.rows[i], s)
	}
	if w.waiting++; w.waiting == w.most {
		return w.flush()
	}
	return nil
}

func (w *arrays) turned(s *sample) bool {
	return s.at.Turn() == chess.Black && w.vocabulary != nil && w.vocabulary.SideToMove()
}

func (w *arrays) appendState(b []byte, s *sample) []byte {
	rights := s.at.Castling()
	if w.turned(s) {
		rights = otherRights(rights)
	}
	return append(b, byte(s.at.Turn()), byte(rights&1), byte(rights>>1&1), byte(rights>>2&1), byte(rights>>3&1),
		byte(s.at.EnPassantFile()), byte(min(s.at.HalfmoveClock(), 255)))
}

func appendChances(model wdlModel) func(w *arrays, b []byte, s *sample) []byte {
	return func(_ *arrays, b []byte, s *sample) []byte {
		list := [3]float64{math.NaN(), math.NaN(), math.NaN()}
		if v := s.own(); v != NoScore {
			list[0], list[1], list[2] = chances(model(&s.at, v))
		}
		for _, v := range list {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
		return b
	}
}

// Rows are written when the largest array has so many bytes, and not before there are so many.
const (
	arrayBytes = fileBuffer
	arrayRows  = 16
)

func (w *arrayFiles) write() error {
	for i, b := range w.rows {
		if _, err := w.files[i].Write(b); err != nil {
			return err
		}
	}
	w.clear()
	return nil
}

func (w *arrays) appendPlanes(b []byte, s *sample) []byte {
	pieces := (*[12]uint64)(w.inputs[:])
	putPlanes(pieces, &s.at, w.turned(s))
	return w.append(b, pieces[:])
}

func (w *arrays) appendInputs(b []byte, s *sample) []byte {
	s.past.lc0Inputs(&w.inputs)
	at := len(b)
	b = w.append(b, w.inputs[:])
	size := (len(b) - at) / lc0Inputs
	clock := b[at+lc0ClockPlane*size:][:size]
	for i := range clock {
		clock[i] = byte(min(s.at.HalfmoveClock(), 255))
	}
	return b
}

func (w *arrays) append(b []byte, list []uint64) []byte {
	at := len(b)
	if !w.squares {
		b = slices.Grow(b, 8*len(list))[:at+8*len(list)]
		for i, v := range list {
			binary.LittleEndian.PutUint64(b[at+8*i:], v)
		}
		return b
	}
	b = slices.Grow(b, 64*len(list))[:at+64*len(list)]
	for i, v := range list {
		to := (*[64]byte)(b[at+64*i:])
		for k := range 8 {
			binary.LittleEndian.PutUint64(to[8*k:], spread[byte(v>>(8*k))])
		}
	}
	return b
}

func (w *arrays) label(s *sample, i moveindex.Index) (int, bool) {
	if w.vocabulary == nil {
		return int(i), true
	}
	l := s.at.Label(w.vocabulary, i)
	return int(l), l != moveindex.NoLabel
}

func (w *arrays) mask(b []byte, s *sample) []byte {
	if w.vocabulary == nil {
		return appendLegal(b, &s.at)
	}
	at := len(b)
	b = append(b, make([]byte, (w.labels+7)/8)...)
	w.moves = s.at.LegalMoves(w.moves[:0])
	for _, m := range w.moves {
		i, _ := moveindex.Of(m)
		if l, ok := w.label(s, i); ok {
			b[at+l>>3] |= 1 << (l & 7)
		}
	}
	return b
}

// appendLegal appends the legal moves, a bit for each number of the index, low bits first.
func appendLegal(b []byte, p *position.Position) []byte {
	var mask [31]uint64
	p.LegalMask(&mask)
	start := len(b)
	for _, v := range mask {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b[:start+(moveindex.NumMoves+7)/8]
}

// spread has a byte for each bit of a byte, low bits and bytes first.
var spread = func() (t [256]uint64) {
	for i := range t {
		for k := range 8 {
			t[i] |= uint64(i>>k&1) << (8 * k)
		}
	}
	return t
}()

// putPlanes sets twelve sets of squares, P N B R Q K, White's first; or, turned, Black's first and the ranks from his
// side.
func putPlanes(list *[12]uint64, p *position.Position, turned bool) {
	kind0, kind1, kind2, black := p.Planes()
	k := [6]uint64{
		uint64(^kind0 & kind1 & kind2),  // pawn, 6
		uint64(kind0 & kind1 &^ kind2),  // knight, 3
		uint64(^kind0 &^ kind1 & kind2), // bishop, 4
		uint64(kind0 &^ kind1 & kind2),  // rook, 5
		uint64(^kind0 & kind1 &^ kind2), // queen, 2
		uint64(kind0 &^ kind1 &^ kind2), // king, 1
	}
	if !turned {
		for i, v := range k {
			list[i], list[6+i] = v&^uint64(black), v&uint64(black)
		}
		return
	}
	for i, v := range k {
		v = bits.ReverseBytes64(v)
		other := v &^ bits.ReverseBytes64(uint64(black))
		list[i], list[6+i] = v^other, other
	}
}

func (w *arrayFiles) end(s *Shard) error {
	if err := w.flush(); err != nil {
		return err
	}
	if w.npz != nil {
		return w.zip(uint64(s.Rows))
	}
	for i, f := range w.files {
		if err := f.patch(0, npyHeader(&w.columns[i], uint64(s.Rows))); err != nil {
			return err
		}
	}
	return nil
}

// zip writes the arrays as a zip without compression.
func (w *arrayFiles) zip(rows uint64) error {
	z := zip.NewWriter(w.npz)
	for i, f := range w.files {
		c := &w.columns[i]
		h := &zip.FileHeader{Name: c.Name + ".npy", Method: zip.Store}
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if i == 0 {
			h.CreatorVersion = 0 // as every npz of this program has it
		}
		if _, err := to.Write(npyHeader(c, rows)); err != nil {
			return err
		}
		if err := f.Flush(); err != nil {
			return err
		}
		if _, err := f.f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(to, f.f); err != nil {
			return err
		}
	}
	return z.Close()
}

// patch replaces bytes that were written before.
func (p *outputFile) patch(at int64, b []byte) error {
	if err := p.Flush(); err != nil {
		return err
	}
	_, err := p.f.WriteAt(b, at)
	return err
}

// spool makes a file without a name.
func (o *output) spool() (*outputFile, error) {
	f, err := o.temporary(o.file.path)
	if err != nil {
		return nil, err
	}
	o.files = append(o.files, &outputFile{f: f, Writer: newBuffer(f)})
	return o.files[len(o.files)-1], nil
}
