// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

const long = true // tests run all of what make test runs a part of
