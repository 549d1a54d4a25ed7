// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

const long = true // tests take every pair of what they combine, not some of the pairs
