// SPDX-License-Identifier: Apache-2.0

//go:build !long

package query_test

const long = false // see long_test.go
