// SPDX-License-Identifier: Apache-2.0

// Package query finds games in archives by conditions on their tags, moves and positions, and tells what was played in
// a position.
//
// Conditions are on players, dates, ratings and all other tags, on results and first moves, and on what happens on the
// board: an exact position, a pattern of pieces and empty squares, material, moves, and sequences of these.
//
//	q := query.New()
//	q.Add("player", "morphy")
//	q.Add("pattern", "Bg5 nf6 pe7")
//	for number, err := range query.Games(ctx, sources, q, query.Options{}, func(m *query.Match) (int, error) {
//		return m.Number, nil
//	}) {
//		…
//	}
//
// A Query is made of terms, each with a name and a value; Terms lists them. Games searches archives with several
// goroutines and gives what it finds in the order of the archives. It replays games from their indices and compares
// positions as bitboards. The cost is that of the replay, some 10 ns a ply, or less: Games leaves a game as soon as no
// later position of it can match.
//
// Tree counts the moves that were played in a position, with their results, ratings and years. Package index makes an
// index of an archive, with which Tree looks a position up and reads no games.
package query
