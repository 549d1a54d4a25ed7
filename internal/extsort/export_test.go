// SPDX-License-Identifier: Apache-2.0

package extsort

import "os"

// File returns the temporary file, for tests that damage it.
func (s *Sorter) File() *os.File { return s.file.File }

// Chunk returns the size of its chunks.
func (s *Sorter) Chunk() int64 { return s.chunk }

// ErrDamaged is the error then.
var ErrDamaged = errDamaged

// Parts returns the number of parts.
func (s *Sorter) Parts() int { return len(s.parts) }
