// SPDX-License-Identifier: Apache-2.0

//go:build long

package testenv

// Long tells that the tag long is set, as by `make long`: tests then take all of the files, games and pairs of which
// they else take a part.
const Long = true
