// SPDX-License-Identifier: Apache-2.0

// Package rangecoder is the arithmetic coder of the archive's modelled columns: docs/DENSE.md, "The coder", defines it.
//
// It is Subbotin's range coder, without carries, on 64 bits: low and span are the interval of numbers
// that the bytes written so far leave open; coding a symbol narrows it to the symbol's share, and a
// byte leaves at the top as soon as it can no longer change. Where it could but span has become small,
// span is cut so that it cannot, which costs next to nothing at this width.
package rangecoder

// MaxTotal is the largest sum of frequencies.
const MaxTotal = 1 << 40

const (
	topShift  = 56      // the byte that leaves
	bottom    = 1 << 48 // the smallest span
	codeBytes = 8
)

// ending returns the shortest number in the interval: that whose n upper bytes name it, with the least n; zero bytes at
// their end are not written, which the decoder supplies.
func ending(low, span uint64) uint64 {
	for n := range codeBytes {
		rest := ^uint64(0) >> (8 * n)
		if v := (low + rest) &^ rest; v-low < span {
			return v
		}
	}
	return low
}

// Encoder appends to the bytes that Reset is given.
type Encoder struct {
	low, span uint64
	dst       []byte
}

// Reset begins to write behind dst.
func (e *Encoder) Reset(dst []byte) { *e = Encoder{span: ^uint64(0), dst: dst} }

// Encode codes a symbol whose frequency is freq, after symbols of frequency cum in sum, of total.
func (e *Encoder) Encode(cum, freq, total uint64) {
	r := e.span / total
	e.low += r * cum
	e.span = r * freq
	for {
		if (e.low^(e.low+e.span))>>topShift != 0 {
			if e.span >= bottom {
				return
			}
			e.span = -e.low & (bottom - 1)
		}
		e.dst = append(e.dst, byte(e.low>>topShift))
		e.low <<= 8
		e.span <<= 8
	}
}

// Finish writes the shortest number in the interval, without the zero bytes at its end, which the
// decoder supplies. It returns what Reset was given with all bytes.
func (e *Encoder) Finish() []byte {
	for v := ending(e.low, e.span); v != 0; v <<= 8 {
		e.dst = append(e.dst, byte(v>>topShift))
	}
	return e.dst
}

// Decoder reads the bytes that Reset is given, and zeros beyond their end.
type Decoder struct {
	low, span, code uint64
	src             []byte
	beyond          int  // how many bytes beyond the end of src are in code
	bad             bool // a decision was beyond both of its symbols
}

// Reset begins to read src.
func (d *Decoder) Reset(src []byte) {
	*d = Decoder{span: ^uint64(0), src: src}
	for range codeBytes {
		d.code = d.code<<8 | uint64(d.next())
	}
}

func (d *Decoder) next() byte {
	if len(d.src) == 0 {
		d.beyond++
		return 0
	}
	b := d.src[0]
	d.src = d.src[1:]
	return b
}

// Target returns the number below total that the code points to, and the scale for Take. What no encoder wrote may
// point to total or beyond.
func (d *Decoder) Target(total uint64) (target, scale uint64) {
	scale = d.span / total
	return (d.code - d.low) / scale, scale
}

// Ended reports whether the bytes end as the encoder ends them.
func (d *Decoder) Ended() bool {
	v := ending(d.low, d.span)
	n := 0 // bytes of it that are written
	for rest := v; rest != 0; rest <<= 8 {
		n++
	}
	// Of the eight bytes of code, the last that are beyond the end are those that are not written.
	return !d.bad && d.code == v && len(d.src) == 0 && d.beyond == codeBytes-n
}

// Take narrows the interval to the symbol that Target was found to be of.
func (d *Decoder) Take(cum, freq, scale uint64) {
	d.low += scale * cum
	d.span = scale * freq
	for {
		if (d.low^(d.low+d.span))>>topShift != 0 {
			if d.span >= bottom {
				return
			}
			d.span = -d.low & (bottom - 1)
		}
		d.code = d.code<<8 | uint64(d.next())
		d.low <<= 8
		d.span <<= 8
	}
}

// Bit codes a decision: a 1, which is true, has the frequency p of 65,536, and comes before the 0.
func (e *Encoder) Bit(p uint32, b bool) {
	if b {
		e.Encode(0, uint64(p), 1<<16)
	} else {
		e.Encode(uint64(p), 1<<16-uint64(p), 1<<16)
	}
}

// Bit reads a decision. What no encoder wrote may point beyond both: it is then a 0, and Ended reports false.
func (d *Decoder) Bit(p uint32) bool {
	scale := d.span >> 16
	at := d.code - d.low
	if at < scale*uint64(p) {
		d.Take(0, uint64(p), scale)
		return true
	}
	d.bad = d.bad || at >= scale<<16
	d.Take(uint64(p), 1<<16-uint64(p), scale)
	return false
}
