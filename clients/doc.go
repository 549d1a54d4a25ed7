// SPDX-License-Identifier: Apache-2.0

// Package clients tests the packages for other languages that are in its folders: the core in C, and those that stand
// on it. It has the files that the page takes. The core was written from the pages of docs, so that its agreement with
// the Go packages, which the tests ask for, says something about both, and about the pages.
package clients

//go:generate go test . -run ^Test(Tables|Declarations|Types)$ -update
