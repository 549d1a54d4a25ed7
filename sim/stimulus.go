// SPDX-License-Identifier: Apache-2.0

package sim

import "math/bits"

// Random is the generator splitmix64: the same numbers everywhere, for ever. Its value is its seed.
type Random uint64

// Next returns the next 64 bits.
func (r *Random) Next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A Chance is how often of 256 times something happens in a stream and a clock. 0 is always, as are 256 and more.
type Chance int

// Bits returns 64 random bits, each 1 by that chance.
func (c Chance) Bits(r *Random) uint64 {
	if c <= 0 || c >= 256 {
		return ^uint64(0)
	}
	bits := uint64(0)
	// By the digits of c, the lowest first: a 1 halves what is missing, a 0 what is there.
	for d := range 8 {
		if c>>d&1 != 0 {
			bits |= r.Next()
		} else if bits != 0 {
			bits &= r.Next()
		}
	}
	return bits
}

// A Source is the sending side of a handshake in all streams: what is offered stays, unchanged, until it is taken.
// Drive sets the inputs before Eval; Sample looks at the outputs after it.
type Source struct {
	Valid, Data Signal // inputs of the design
	Ready       Signal // its output
	// Next returns what a stream offers next, or false if it has nothing now.
	Next func(stream int) (value uint64, ok bool)
	// Chance and Seed say in which clocks a stream asks Next; the zero value is in each.
	Chance Chance
	Seed   Random

	offered [Wide / 64]uint64
	data    [Wide / 64][64]uint64
}

// Drive offers data.
func (s *Source) Drive(m *Machine) {
	for w := range m.words {
		want := s.Chance.Bits(&s.Seed) &^ s.offered[w]
		for rest := want; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros64(rest)
			if value, ok := s.Next(64*w + k); ok {
				s.offered[w] |= 1 << k
				s.data[w][k] = value
			}
		}
		m.SetBits(s.Valid, 0, w, s.offered[w])
		m.Scatter(s.Data, w, &s.data[w])
	}
}

// Sample returns in which streams data is taken in this clock: bit k of word w is stream 64w+k.
func (s *Source) Sample(m *Machine) (taken [Wide / 64]uint64) {
	for w := range m.words {
		taken[w] = s.offered[w] & m.Bits(s.Ready, 0, w)
		s.offered[w] &^= taken[w]
	}
	return taken
}

// A Sink is the taking side of a handshake in all streams.
type Sink struct {
	Valid Signal // output of the design
	Ready Signal // its input
	// Chance and Seed say in which clocks a stream takes; the zero value is in each.
	Chance Chance
	Seed   Random
}

// Drive sets the ready input.
func (s *Sink) Drive(m *Machine) {
	for w := range m.words {
		m.SetBits(s.Ready, 0, w, s.Chance.Bits(&s.Seed))
	}
}

// Sample returns in which streams something is taken in this clock: bit k of word w is stream 64w+k.
func (s *Sink) Sample(m *Machine) (taken [Wide / 64]uint64) {
	for w := range m.words {
		taken[w] = m.Bits(s.Valid, 0, w) & m.Bits(s.Ready, 0, w)
	}
	return taken
}
