// SPDX-License-Identifier: Apache-2.0

// Package dataset writes the games of archives as tables and arrays, for people who train networks and mine games, and
// reads such files back into games.
//
// Export writes a data set: files of one format (see Formats), split into shards, with a manifest in JSON that tells
// what is in them. The same archives, query and options always give the same bytes, however many processors work.
// Memory does not depend on the number of games. Each file gets its name when it is whole, and a run that was cut off
// goes on where it stopped.
//
// Import is the other way: an Importer reads the games of a file, and Importers lists them by format.
//
// docs/train.md defines what each format holds, and names the sources.
package dataset
