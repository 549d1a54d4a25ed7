// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"testing"
)

// The header, changes only, and unknown values.
func TestVCD(t *testing.T) {
	var got bytes.Buffer
	v := newVCD(&got, 3, []port{{name: "en", width: 1}, {name: "index", width: 11},
		{name: "word", width: 16, output: true}}, "expected")
	for _, line := range [][]string{{"1", "00c", "-"}, {"0", "00c", "8x4c"}, {"1", "00c", "8x4c"}} {
		v.cycle(line)
	}
	if err := v.close(); err != nil {
		t.Fatal(err)
	}
	const want = `$timescale 1ns $end
$scope module clock $end
$var wire 1 ! clk $end
$upscope $end
$scope module expected $end
$var wire 1 " en $end
$var wire 11 # index [10:0] $end
$var wire 16 $ word [15:0] $end
$upscope $end
$enddefinitions $end
#30
1!
1"
b00000001100 #
bxxxxxxxxxxxxxxxx $
#35
0!
#40
1!
0"
b1000xxxx01001100 $
#45
0!
#50
1!
1"
#55
0!
#60
`
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}

func TestVCDIDs(t *testing.T) {
	seen := map[string]bool{}
	for n := range 20000 {
		id := vcdID(n)
		if seen[id] {
			t.Fatalf("signal %d: %q is taken", n, id)
		}
		seen[id] = true
	}
}
