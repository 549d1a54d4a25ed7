// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !purego

package dense

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
