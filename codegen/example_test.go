// SPDX-License-Identifier: Apache-2.0

package codegen_test

import (
	"bytes"
	"fmt"

	"ply11/codegen"
)

// An image is made, one bit of it is flipped, and Check says where.
func Example() {
	format, err := codegen.Lookup("hex")
	if err != nil {
		fmt.Println(err)
		return
	}
	image := format.Generate()
	fmt.Printf("%s: %d bytes, begins with %s\n", format.Path, len(image), image[:4])

	image = bytes.Replace(image, []byte("8040"), []byte("8060"), 1)
	_, err = codegen.Check("flash.hex", image)
	fmt.Println(err)
	// Output:
	// images/ply11_rom.hex: 10240 bytes, begins with 8040
	// line 1: expected "8040", found "8060"
}
