// SPDX-License-Identifier: Apache-2.0

package extsort

import "math/bits"

const few = 24

// sortInto sorts a, into b if into is set, and overwrites the other. Records are dealt out by the highest bits in which
// they differ, again and again.
func sortInto(a, b []Record, into bool) {
	n := len(a)
	if n <= few {
		if into {
			copy(b, a)
			a = b
		}
		insertion(a)
		return
	}
	every, some := a[0].A, a[0].A
	for i := range a {
		every, some = every&a[i].A, some|a[i].A
	}
	all, any := Record{A: every}, Record{A: some}
	if every == some {
		all.B, any.B = a[0].B, a[0].B
		for i := range a {
			all.B, any.B = all.B&a[i].B, any.B|a[i].B
		}
		if all.B == any.B {
			if into {
				copy(b, a)
			}
			return
		}
	}
	if n < 1<<13 {
		var ends [1 << 7]int32
		k := uint(max(1, min(bits.Len(uint(n))-3, 7)))
		sortBins(a, b, ends[:1<<k], digitOf(all, any, k), into)
		return
	}
	var ends [1 << 11]int32
	sortBins(a, b, ends[:], digitOf(all, any, 11), into)
}

func sortBins(a, b []Record, ends []int32, by digit, into bool) {
	for i := range a {
		ends[by.of(a[i])&uint64(len(ends)-1)]++
	}
	sum := int32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	for _, r := range a {
		k := by.of(r) & uint64(len(ends)-1)
		b[ends[k]] = r
		ends[k]++
	}
	from := int32(0)
	for _, to := range ends {
		if to > from {
			sortInto(b[from:to], a[from:to], !into)
		}
		from = to
	}
}

type digit struct {
	b           bool
	left, right uint
}

// digitOf returns the k bits after those that are the same in all records: every has what is set in each, some what is
// set in any. It is of B only if A is the same.
func digitOf(every, some Record, k uint) digit {
	if every.A != some.A {
		return digit{false, uint(bits.LeadingZeros64(every.A ^ some.A)), 64 - k}
	}
	return digit{true, uint(bits.LeadingZeros64(every.B ^ some.B)), 64 - k}
}

func (d digit) of(r Record) uint64 {
	if d.b {
		return r.B << d.left >> d.right
	}
	return r.A << d.left >> d.right
}

func insertion(a []Record) {
	for i := 1; i < len(a); i++ {
		r := a[i]
		k := i
		for ; k > 0 && r.Less(a[k-1]); k-- {
			a[k] = a[k-1]
		}
		a[k] = r
	}
}
