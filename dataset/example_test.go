// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/query"
)

// The games of an archive, as lines of JSON.
func ExampleExport() {
	var file bytes.Buffer
	archive.Pack(context.Background(), &file, strings.NewReader("1. f3 e5 2. g4 Qh4# 0-1\n"))
	games := query.Source{Name: "games.p11", Reader: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}

	_, err := dataset.Export(context.Background(), query.New(), []query.Source{games},
		dataset.Options{Job: dataset.Job{Format: "jsonl"}, Stream: os.Stdout})
	fmt.Println(err)
	// Output:
	// {"file":"games.p11","game":1,"result":"0-1","moves":["f2f3","e7e5","g2g4","d8h4"],"indices":[141,1460,398,1019],"tags":{}}
	// <nil>
}
