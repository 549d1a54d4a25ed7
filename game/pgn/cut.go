// SPDX-License-Identifier: Apache-2.0

package pgn

import "bytes"

// BeginsGame reports whether a game seems to begin at b[i]: an Event tag at the begin of a line, after a blank line.
// There a large text can be cut, so that its parts are read side by side. It is wrong if that stands in a comment.
func BeginsGame(b []byte, i int) bool {
	return i > 0 && (b[i-1] == '\n' || b[i-1] == '\r') && bytes.HasPrefix(b[i:], eventTag) && blankBefore(b[:i])
}

// eventTag is what games begin with, almost always.
var eventTag = []byte("[Event ")
