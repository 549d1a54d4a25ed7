// SPDX-License-Identifier: Apache-2.0

// Package codec says what the reader and the writer of every format are, so that one loop reads any of them:
//
//	for g, err := range r.All() {
//
// A Reader gives the games of an input in their order, a Writer takes them. Both are interfaces; the
// packages of the formats have the types. Error is what is wrong with one game, and where. LossError
// is what a format cannot hold of a game. Games and plies are counted from 1 everywhere; offsets from 0.
//
// A Reader or a Writer is made with options: functions that change it and that verify their values. An
// option that is not right is an error that is ErrOption.
//
// For packages of formats there are Splitter, which cuts bytes into games, Output, which is the common part of
// Writers, and All, which makes an iterator of Read.
package codec
