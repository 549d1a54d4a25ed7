// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"context"
	"fmt"

	"ply11/chess"
	"ply11/sim/cosim"
	"ply11/sim/eda"
)

// Two moves go through the Go decoder; ToolIcarus and ToolVerilator take them through the Verilog.
func ExampleMoves() {
	work, err := eda.NewWork()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer work.Close()
	moves, err := cosim.NewMoves(work)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer moves.Close()
	for _, uci := range []string{"e2e4", "a7b8q"} {
		m, err := chess.ParseUCI(uci)
		if err == nil {
			err = moves.Add(m)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	d, err := moves.Decode(context.Background(), cosim.ToolGo)
	fmt.Println(d.Tool, d.Plies, "plies,", d.Mismatches, "mismatches,", err)
	// Output:
	// go 2 plies, 0 mismatches, <nil>
}
