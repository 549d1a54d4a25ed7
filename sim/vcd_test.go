// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"testing"
)

// The header, changes only, and unknown values before the first read.
func TestWriteVCD(t *testing.T) {
	rom := &ROM{}
	var got bytes.Buffer
	err := WriteVCD(&got, rom, &loop{3, func(n int) { rom.In.En, rom.In.Index = n != 1, 12 }})
	if err != nil {
		t.Fatal(err)
	}
	const want = `$timescale 1ns $end
$scope module clock $end
$var wire 1 ! clk $end
$upscope $end
$scope module ply11_rom $end
$var wire 1 " en $end
$var wire 11 # index [10:0] $end
$var wire 16 $ word [15:0] $end
$upscope $end
$enddefinitions $end
#0
1!
1"
b00000001100 #
bxxxxxxxxxxxxxxxx $
#5
0!
#10
1!
0"
b1000001101001100 $
#15
0!
#20
1!
1"
#25
0!
#30
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

// loop is a Stimulus of n clocks.
type loop struct {
	n     int
	drive func(n int)
}

func (l *loop) Drive() bool {
	if l.n--; l.n < 0 {
		return false
	}
	l.drive(l.n)
	return true
}

func (l *loop) Sample() error { return nil }
