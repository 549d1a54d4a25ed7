// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package dense

// eachAssembly calls do once for each way to the frequencies.
func eachAssembly(do func(name string)) { do("Go") }
