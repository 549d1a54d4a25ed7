// SPDX-License-Identifier: Apache-2.0

// Package codec says what the reader and the writer of every format are. One loop reads any of them:
//
//	for g, err := range r.All() {
//
// A Reader gives the games of an input in their order, and a Writer takes games. Both are interfaces; the
// packages of the formats have the types. An Error tells what is wrong with one game, and where. A LossError
// tells what a format cannot hold of a game. Games and plies are counted from 1 everywhere, offsets from 0.
//
// Options make a Reader or a Writer. They are functions that verify their values. A wrong value is an
// error that is ErrOption.
//
// Packages of formats also use Splitter, which cuts bytes into games, Output, which is the common part of
// Writers, and All, which makes an iterator from Read.
package codec
