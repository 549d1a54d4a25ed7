// SPDX-License-Identifier: Apache-2.0

package cputime

import (
	"testing"
)

// The time goes up while there is work, and never down.
func TestNow(t *testing.T) {
	start := Now()
	for last := start; last == start; {
		now := Now()
		if now < last {
			t.Fatalf("%v after %v", now, last)
		}
		last = now
	}
}
