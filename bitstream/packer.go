// SPDX-License-Identifier: Apache-2.0

package bitstream

import (
	"errors"
	"fmt"
	"io"

	"ply11/game/codec"
	"ply11/moveindex"
)

// ErrPadding: what is left after the last whole word is not all ones. Its *codec.Error has the bit at which that begins
// as its Offset.
var ErrPadding = errors.New("padding is not all ones")

// bufferSize is that of a Packer and an Unpacker over a stream: a multiple of eleven.
const bufferSize = 11 << 10

// Packer writes words one after the other. The zero value packs into memory, from bit 0.
type Packer struct {
	w     io.Writer
	buf   []byte
	acc   uint64 // the bits that are not in buf yet
	have  uint   // how many: fewer than 8 between calls
	words uint64
	err   error
}

// NewPacker returns a Packer that writes to w. Close must be called at the end.
func NewPacker(w io.Writer) *Packer {
	return &Packer{w: w, buf: make([]byte, 0, bufferSize+16)}
}

// NewPackerBytes returns a Packer that appends to the first bits of dst. What dst holds behind them is overwritten.
func NewPackerBytes(dst []byte, bits uint64) *Packer {
	bits = min(bits, uint64(len(dst))*8)
	p := &Packer{have: uint(bits & 7), buf: dst[:bits>>3]}
	if p.have > 0 {
		p.acc = uint64(dst[bits>>3]) & (1<<p.have - 1)
	}
	return p
}

// Word writes the low eleven bits of a word.
func (p *Packer) Word(w moveindex.Index) {
	p.acc |= uint64(w&wordMask) << p.have
	p.have += moveindex.Bits
	p.words++
	for ; p.have >= 8; p.have -= 8 {
		p.buf = append(p.buf, byte(p.acc))
		p.acc >>= 8
	}
	if p.w != nil && len(p.buf) >= bufferSize {
		p.flush()
	}
}

// Words writes words.
func (p *Packer) Words(list []moveindex.Index) {
	for _, w := range list {
		p.Word(w)
	}
}

func (p *Packer) flush() {
	if p.err == nil {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *Packer) Count() uint64 { return p.words }

// Err returns the first error of the io.Writer.
func (p *Packer) Err() error { return p.err }

// Bytes returns what was packed into memory, with the unused bits of the last byte set. The slice is valid until the
// next word.
func (p *Packer) Bytes() []byte {
	if p.have == 0 {
		return p.buf
	}
	return append(p.buf, byte(p.acc)|byte(0xff)<<p.have)
}

// Close fills the last byte with ones and writes what is left.
func (p *Packer) Close() error {
	if p.w == nil {
		return nil
	}
	p.buf = p.Bytes()
	p.acc, p.have = 0, 0
	if len(p.buf) > 0 {
		p.flush()
	}
	return p.err
}

// Unpacker reads words one after the other.
type Unpacker struct {
	r    io.Reader
	buf  []byte
	at   int    // the next byte of buf
	acc  uint64 // bits taken from buf
	have uint
	base uint64 // offset in bits, in the stream, of buf's first byte
	err  error
}

// NewUnpacker returns an Unpacker that reads r to its end.
func NewUnpacker(r io.Reader) *Unpacker {
	return &Unpacker{r: r, buf: make([]byte, 0, bufferSize)}
}

// Offset returns the bit at which the next word begins.
func (u *Unpacker) Offset() uint64 { return u.base + uint64(u.at)*8 - uint64(u.have) }

// Next returns the next word. At the end it is io.EOF, or ErrPadding if bits are left over that are not all ones.
func (u *Unpacker) Next() (moveindex.Index, error) {
	for u.have < moveindex.Bits {
		if u.at == len(u.buf) {
			if err := u.fill(); err != nil {
				return moveindex.Invalid, err
			}
		}
		u.acc |= uint64(u.buf[u.at]) << u.have
		u.at++
		u.have += 8
	}
	w := moveindex.Index(u.acc) & wordMask
	u.acc >>= moveindex.Bits
	u.have -= moveindex.Bits
	return w, nil
}

// fill reads on, after all of buf.
func (u *Unpacker) fill() error {
	for u.err == nil && u.at == len(u.buf) {
		u.base += uint64(len(u.buf)) * 8
		u.at = 0
		u.buf = u.buf[:cap(u.buf)]
		var n int
		n, u.err = u.r.Read(u.buf)
		u.buf = u.buf[:n]
	}
	if u.at < len(u.buf) {
		return nil
	}
	if u.err == io.EOF && u.have > 0 && u.acc != 1<<u.have-1 {
		return &codec.Error{Offset: int64(u.Offset()), Unit: codec.Bits, Err: ErrPadding,
			Reason: fmt.Sprintf("the last %d bits", u.have)}
	}
	return u.err
}
