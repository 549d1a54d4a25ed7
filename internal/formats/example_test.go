// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"fmt"
	"os"
	"strings"

	"ply11/game/codec"
	"ply11/internal/formats"
)

// Games from one format to another.
func Example() {
	from, err := formats.ByName("brenner")
	if err != nil {
		panic(err)
	}
	to, err := formats.ByPath("games.uci")
	if err != nil {
		panic(err)
	}
	w, err := to.Write(formats.Output{Writer: os.Stdout, Path: "-"},
		formats.Options{Lossy: true, Report: func(l *codec.LossError) {
			fmt.Println("lost:", strings.Join(l.Names, ", "))
		}})
	if err != nil {
		panic(err)
	}
	file := strings.NewReader("\x2c\x2c\x61\x17\xdb\x1e\x53\x02")
	for g, err := range from.Read(formats.Input{Reader: file, Path: "-"}, formats.Options{}) {
		if err != nil {
			panic(err)
		}
		if err := w.Write(g); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	// Output:
	// lost: result 1-0
	// e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7
}
