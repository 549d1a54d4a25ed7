// SPDX-License-Identifier: Apache-2.0

// Package codec says what the reader and the writer of every format are. One loop reads any of them:
//
//	for g, err := range r.All() {
//
// An Error says what is wrong with one game, and where; a LossError what a format cannot hold of a game. Games and
// plies count from 1, offsets from 0. Options are functions; a wrong value is an ErrOption.
//
// Packages of formats also use Splitter, which cuts bytes into games, Output, the common part of Writers, and All,
// which makes an iterator from Read.
package codec
