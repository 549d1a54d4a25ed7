// SPDX-License-Identifier: Apache-2.0

// Types and meanings are in ply11.d.ts.

export { Board, codeClass, controlName, fromUCI, mirrorFiles, mirrorRanks, move, MOVES, NULL, pack, toUCI, unpack, VOCABULARIES, vocabularySize } from "./board.js";
export { Archive, ArchiveError, decodeGame, encodeGame, open, openTree, TreeFile } from "./archive.js";
export { Ply11Error } from "./core.js";
