// SPDX-License-Identifier: Apache-2.0

package dense

import "errors"

// ModelFile returns the file of the model, as it is compressed. It is called when dense moves are first met. In a
// browser the file is not part of the program, which would be a third larger for it: who makes the program sets this to
// what fetches it.
var ModelFile = func() ([]byte, error) { return nil, errors.New("the model of dense moves is not there") }
