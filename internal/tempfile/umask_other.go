// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package tempfile

import "io/fs"

// Umask is what Unix systems have as a rule.
func Umask() fs.FileMode { return 0o022 }
