// SPDX-License-Identifier: Apache-2.0

//go:build !js

package dense

import _ "embed"

//go:embed model1.bin.zst
var modelFile []byte

// ModelFile returns the file of the model, as it is compressed. It is part of the program.
func ModelFile() ([]byte, error) { return modelFile, nil }
