# SPDX-License-Identifier: Apache-2.0
"""A chess move is eleven bits: games of archives, moves, labels, masks and planes for networks, as NumPy arrays.

A move is a code, 0 to 1967, of docs/INDEX.md. Arrays of codes are uint16. A position of an array is an element of dtype
``POSITION``; ``replay`` makes such arrays. A function with an ``out`` writes into that array, which must be C-contiguous, of the shape
and the type that the function returns, and returns it; without it, it makes a new one. All functions release Python's lock while they work,
keep no state, and may be called after a fork and from several threads.

>>> board = Board()
>>> board.push("e4")
396
>>> board.fen
'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
>>> line = replay([396, 1460, 1094])
>>> lc0_planes(line).shape
(4, 112, 8, 8)
"""
from __future__ import annotations

from ._archive import (
    Archive, ArchiveError, ArchiveGame, Counts, Plies, Ply, Tree, TreeFile, open_archive,
)
from ._batches import Batch, NO_CLOCK, NO_EVAL
from ._board import (
    Board, Error, Game, MOVES, NULL, POSITION, VOCABULARIES, WORDS, codes, control_name, from_uci, label_masks, labels, lc0_planes, legal_masks,
    mirror_files, mirror_ranks, pack_words, planes, read_words, replay, states, to_uci, unpack_words, vocabulary_labels, vocabulary_size,
)
from ._dataset import Dataset
from ._program import ProgramError, index, pack
from ._targets import Targets

open = open_archive  # not in __all__: it would hide Python's own from who imports all

__version__ = "0.9.0"
__all__ = [
    "Archive", "ArchiveError", "ArchiveGame", "Batch", "Board", "Counts", "Dataset", "Error", "Game", "MOVES", "NO_CLOCK", "NO_EVAL", "NULL",
    "POSITION", "Plies", "Ply", "ProgramError", "Targets", "Tree", "TreeFile", "VOCABULARIES", "WORDS", "codes", "control_name", "from_uci", "index", "label_masks", "labels", "lc0_planes", "legal_masks",
    "mirror_files", "mirror_ranks", "pack", "pack_words", "planes", "read_words", "replay", "states", "to_uci", "unpack_words", "vocabulary_labels", "vocabulary_size",
]
