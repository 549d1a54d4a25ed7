# SPDX-License-Identifier: Apache-2.0
"""What was played in positions, as rows for networks."""
from __future__ import annotations

import ctypes
from typing import Any, Iterator, List, NamedTuple, Tuple

import numpy as np
import numpy.typing as npt

from ._board import MOVES, Board, _vocabulary, labels as labels_of, planes, vocabulary_size
from ._core import lib


class Targets(NamedTuple):
    """Positions, and what was played in them, row by row."""

    planes: npt.NDArray[np.uint8]
    """The board, as ``planes="board"`` of batches has it: (n, 12, 8, 8)."""
    policy: npt.NDArray[np.float32]
    """The share of each move, by its label, in the moves that were played. (n, labels)"""
    wdl: npt.NDArray[np.float32]
    """The mover's shares of won, drawn and lost games; NaN without any. (n, 3)"""
    games: npt.NDArray[np.int64]
    """How many games reach the position. (n,)"""
    positions: np.ndarray
    """dtype POSITION. (n,)"""


def _place(board: Board) -> Any:
    """What tells a position in an index: an en passant file only beside a pawn of the mover."""
    p, file = board._p, board._p.en_passant
    beside = [f for f in (file - 2, file) if file and 0 <= f < 8 and board.piece((24 if p.black else 32) + f) == ("p" if p.black else "P")]
    return bytes(p.plane), p.castling, p.black, file if beside else 0


def targets(archive: Any, size: int, games: int, plies: int, labels: str) -> Iterator[Targets]:
    vocabulary, start = _vocabulary(labels), Board()
    todo, seen = [(start, 0)], {_place(start)}
    found: List[Tuple[Board, Any]] = []
    while todo:
        board, ply = todo.pop()
        tree = archive.tree(board)
        if tree.all.games >= games:
            found.append((board, tree))
            for move in [m for m, c in tree.moves.items() if c.games >= games and ply < plies]:
                after = board.copy()
                lib.ply11_make(ctypes.byref(after._p), move)
                if _place(after) not in seen:
                    seen.add(_place(after))
                    todo.append((after, ply + 1))
        if found and (len(found) == size or not todo):
            positions = np.concatenate([b.position for b, _ in found])
            moves = [(i, code, c.games) for i, (_, t) in enumerate(found) for code, c in t.moves.items() if code < MOVES]
            rows, codes, counts = np.array(moves, np.int64).reshape(-1, 3).T
            policy = np.zeros((len(found), vocabulary_size(labels)), np.float32)
            policy[rows, labels_of(positions[rows], codes, labels)] = counts / np.bincount(rows, counts)[rows]
            results = np.array([[t.all.black, t.all.draws, t.all.white][:: 1 if b.black else -1] for b, t in found], np.float32)
            with np.errstate(invalid="ignore"):
                results /= results.sum(1, keepdims=True)
            yield Targets(planes(positions, bool(lib.ply11_vocabulary_turns(vocabulary))), policy, results, np.array([t.all.games for _, t in found], np.int64), positions)
            found = []
