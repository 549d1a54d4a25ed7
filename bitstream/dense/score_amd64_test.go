// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package dense

import (
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"ply11/position"
)

// TestLayout asks that fields lie where internal/asm believes, and tables begin on cache lines.
func TestLayout(t *testing.T) {
	var v view
	var m position.ManTargets
	got := []uintptr{
		unsafe.Offsetof(v.taken), unsafe.Offsetof(v.levelLow), unsafe.Offsetof(v.levelHigh), unsafe.Offsetof(v.oppTo),
		unsafe.Offsetof(v.ownFrom), unsafe.Offsetof(v.guarded), unsafe.Offsetof(v.ownTo),
		unsafe.Offsetof(v.lastAttacks),
		unsafe.Offsetof(v.capture), unsafe.Offsetof(v.flip), unsafe.Offsetof(v.guards), unsafe.Offsetof(v.checks),
		unsafe.Offsetof(v.place), unsafe.Offsetof(v.reply), unsafe.Offsetof(v.plan),
		tacticAt, circumstanceAt,
		unsafe.Offsetof(m.From), unsafe.Offsetof(m.Kind), unsafe.Offsetof(m.To), unsafe.Sizeof(m),
	}
	want := []uintptr{0, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 160, 224, 232, 240, 131072, 135168, 0, 1, 8, 16}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if at := uintptr(unsafe.Pointer(&shared().tables)); at%64 != 0 {
		t.Errorf("the weights begin at %#x", at)
	}
}

// eachAssembly calls do once for each way to the frequencies that the processor has, and goes that way meanwhile.
func eachAssembly(do func(name string)) {
	avx2 := hasAVX2
	defer func() { hasAVX2 = avx2 }()
	if avx2 {
		do("AVX2")
	}
	hasAVX2 = false
	do("Go")
}
