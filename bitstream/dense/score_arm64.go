// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package dense

var hasVectors = true

func (c *choice) frequencies(n int) uint64 { return c.frequenciesGo(n) }
