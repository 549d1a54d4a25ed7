// SPDX-License-Identifier: Apache-2.0

//go:build !long

package archive

const long = false // see long_test.go
