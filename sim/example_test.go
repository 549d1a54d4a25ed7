// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"
	"log"

	"ply11/sim"
)

// toggle is what Yosys makes of a register that changes in each clock in which en is 1:
//
//	module toggle(input clk, input en, output reg q);
//	  initial q = 0;
//	  always @(posedge clk) q <= q ^ en;
//	endmodule
const toggle = "aig 5 1 1 1 3\n10\n4\n\x02\x02\x03\x02\x01\x02i0 en\nl0 q\no0 q\n"

func Example() {
	n, err := sim.Parse([]byte(toggle))
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		log.Fatal(err)
	}
	en, err := n.Port(sim.Input, "en", 1)
	if err != nil {
		log.Fatal(err)
	}
	q, err := n.Signal("q")
	if err != nil {
		log.Fatal(err)
	}
	m.Set(en, 7, 1) // stream 7 of the 64 toggles, the others do not
	for range 4 {
		m.Eval()
		fmt.Println(m.Clock(), m.Get(q, 7), m.Get(q, 8))
		m.Step()
	}
	// Output:
	// 0 0 0
	// 1 1 0
	// 2 0 0
	// 3 1 0
}
