// SPDX-License-Identifier: Apache-2.0

package jose

// NewReaderOf is NewReader with another bound of a game's bytes.
var NewReaderOf = newReader
