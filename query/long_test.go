// SPDX-License-Identifier: Apache-2.0

//go:build long

package query_test

const long = true // tests read all of the large files, too
