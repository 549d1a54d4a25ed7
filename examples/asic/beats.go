// SPDX-License-Identifier: Apache-2.0

// Command asic reads a stream of eleven-bit words and prints every beat that ply11_player must give for it, by the
// rules of chess: a line a beat, in the digits that hdl/tb/ply11_player/ply11_player_tb.v reads.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/moveindex"
	"ply11/sim/oracle"
)

func main() {
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	words := make([]moveindex.Index, 8*len(data)/11)
	bitstream.Unpack(words, data, 0)
	o := oracle.New(oracle.Params{})
	o.Words(words)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for _, b := range o.Beats() {
		m := chess.Move(0)
		if b.Kind == oracle.BeatPly {
			m, _ = b.Index.Move()
		}
		index := words[(8*b.Offset+10)/11]
		fmt.Fprintf(w, "%x0%x%03x%02x%02x%x%x%x%08x%04x%x%x%x%s\n", b.Kind, b.Result, int(index), uint8(m.From()),
			uint8(m.To()), uint16(m)>>12&7, uint8(b.Piece), uint8(b.Taken), b.Offset, b.State.Ply, b.State.EP,
			b.State.Rights, b.State.Side, b.State.Digits())
	}
}
