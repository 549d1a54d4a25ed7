// SPDX-License-Identifier: Apache-2.0

//go:build !long

package main

const long = false // see all_long_test.go
