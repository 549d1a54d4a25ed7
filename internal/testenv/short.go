// SPDX-License-Identifier: Apache-2.0

//go:build !long

package testenv

// Long is false without the tag long: see long.go.
const Long = false
