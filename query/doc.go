// SPDX-License-Identifier: Apache-2.0

// Package query finds games in archives: by players, dates, ratings and all other tags, by results and first
// moves, and by what happens on the board: an exact position, a pattern of men and empty squares, material,
// moves, and sequences of these; and tells what was played in a position, by an
// index of all positions where there is one.
//
//	q := query.New()
//	q.Add("player", "morphy")
//	q.Add("pattern", "Bg5 nf6 pe7")
//	found, err := q.Scan(sources, query.Options{Append: …, Write: …})
//
// A Query is made of terms, each with a name and a value; Terms lists them. Scan searches archives with several goroutines and
// gives what it finds in the archives' order. Positions are compared as bitboards while games are replayed from their
// indices, so that the cost is that of the replay, some 10 ns a ply, or less: a game is given up as soon as no later
// position of it can be what is looked for.
//
// Tree counts the moves that were played in a position, with their results, ratings and years. BuildIndex makes an
// index of an archive, with which Tree looks a position up and reads no games.
package query
