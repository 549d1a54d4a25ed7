# SPDX-License-Identifier: Apache-2.0
"""Rows of archives for networks, in batches."""
from __future__ import annotations

import ctypes
import os
import tempfile
import types
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from . import _core, _program
from ._board import NULL, POSITION, _vocabulary, vocabulary_size
from ._core import lib

if TYPE_CHECKING:
    from ._archive import Archive

NO_CLOCK = -1
"""The clock of a move that tells none."""
NO_EVAL = -32768
"""The evaluation of a position that has none."""

INVALID = 2  # a flag of a game
_PLANES = {"lc0": 112, "board": 12, None: 0}
_GAME = np.dtype([("number", "=u8"), ("rest", "V8")])  # ply11_window_game


class Batch(NamedTuple):
    """Positions and what was played in them, row by row. What was not asked for is None."""

    planes: Optional[np.ndarray]
    """uint8: (n, 112, 8, 8) or (n, 12, 8, 8); with ``bits`` a byte a rank, (n, 112, 8) or (n, 12, 8)."""
    labels: Optional[npt.NDArray[np.int32]]
    """The label of the move that was played. (n,)"""
    results: npt.NDArray[np.int8]
    """From the mover's side: 1 won, 0 drawn, -1 lost, -128 not known. (n,)"""
    moves: npt.NDArray[np.uint16]
    """The code of the move that was played. (n,)"""
    games: npt.NDArray[np.int64]
    """The index of the game, from 0, through all archives. (n,)"""
    plies: npt.NDArray[np.int32]
    """How many plies came before. (n,)"""
    legal: Optional[np.ndarray]
    """The legal moves by their labels: as bits, low bits first, uint8 (n, (labels + 7) // 8), or bool (n, labels)."""
    evals: Optional[npt.NDArray[np.int16]]
    """Of the position, from the mover's side, as ArchiveGame.evals; NO_EVAL if there is none. (n,)"""
    clocks: Optional[npt.NDArray[np.int32]]
    """After the move, as ArchiveGame.clocks; NO_CLOCK if it is not told. (n,)"""
    positions: Optional[np.ndarray]
    """dtype POSITION. (n,)"""


class Chosen(NamedTuple):
    """The rows of an archive."""

    rows: npt.NDArray[np.int64]
    """How many each block has."""
    bits: Optional[List[npt.NDArray[np.uint8]]]
    """Of each block, which of its plies they are; None: all that can be."""


def choose(archive: "Archive", options: Dict[str, Any]) -> Chosen:
    """The rows that ``ply11 export`` takes by such options: it writes their numbers, which become a bit for each ply."""
    sizes = archive._sizes()
    ends = np.concatenate([np.diff(archive._open(b).offsets) for b in range(archive.n_blocks)] or [np.empty(0, np.int64)]).cumsum()
    with tempfile.TemporaryDirectory(prefix="ply11-") as folder:
        flags = [f"--{name.replace('_', '-')}={v}" for name, value in options.items() for v in (value if isinstance(value, (list, tuple)) else [value])]
        _program.run("export", "--quiet", "--to", "npy", "--planes", "none", *flags, "--output", os.path.join(folder, "set", ""), archive._path(), nothing=6)
        files = (os.path.join(folder, "set", f"00001-of-00001.{name}.npy") for name in ("game", "ply"))
        games, plies = (np.load(f) if os.path.exists(f) else np.empty(0, np.uint64) for f in files)
    taken = np.zeros(archive.n_plies, np.bool_)
    taken[np.append(0, ends)[games.astype(np.int64) - 1] + plies.astype(np.int64)] = True
    blocks = np.split(taken, sizes[:, 1].cumsum()[:-1])
    rows = np.array([np.count_nonzero(b) for b in blocks], np.int64)
    if rows.sum() != len(games):
        raise ValueError("export adds rows that are no plies of the archive, by augment or shards")
    return Chosen(rows, [np.packbits(b) for b in blocks])


def address(a: np.ndarray) -> int:
    return int(a.__array_interface__["data"][0])


class _Window:
    """All plies of some blocks, replayed, and of which of them there are rows: ``order``."""

    def __init__(self, plan: "Plan", units: np.ndarray, rng: np.random.Generator):
        o = plan.o
        blocks = [plan.archives[u[0]]._open(u[1], o.evals or o.clocks) for u in units]
        games, plies = sum(b.games for b in blocks), sum(b.plies for b in blocks)
        self.c, at = _core.Window(), 0
        sizes = {"positions": plan.replayed * (plies + 1) * POSITION.itemsize, "list": 16 * games, "of": 4 * plies, "order": 4 * plies, "moves": 2 * plies,
                 "evals": o.evals * 2 * plies, "repeated": (o.planes == "lc0") * plies}
        self.memory = np.empty(sum(sizes.values()), np.uint8)  # one piece, of which the system makes large pages
        views = {}
        for name, size in sizes.items():
            setattr(self.c, name, address(self.memory) + at if size else None)
            views[name] = self.memory[at:at + size]
            at += size
        order, numbers = views["order"].view(np.uint32), views["list"].view(_GAME)["number"]
        taken = [order[:0]]
        for (archive, number, first, last, drawn), b in zip(units.tolist(), blocks):
            games, plies, rows = self.c.games, self.c.plies, self.c.rows
            with b.handle.lock:
                b.handle.must(lib.ply11_window_add(ctypes.byref(self.c), b.pointer, o.verify, o.invalid))
            numbers[games:self.c.games] += np.uint64(plan.begins[archive])
            mine, bits = order[rows:self.c.rows], plan.chosen[archive].bits
            if bits is not None:
                mine = mine[np.unpackbits(bits[number], count=b.plies)[mine - np.uint32(plies)] > 0]
            mine = mine[first:last]
            taken.append(rng.choice(mine, drawn, replace=False) if drawn < len(mine) else mine)
        self.order: npt.NDArray[np.uint32] = np.concatenate(taken)
        self.clocks = np.concatenate([b.clocks for b in blocks]) if o.clocks else None


class Plan:
    """Which rows of archives there are, in which order, and in which batches. ``options`` are those of Archive.batches; ``choice`` those of export."""

    def __init__(self, archives: Sequence["Archive"], weights: Sequence[float], size: int, options: Dict[str, Any], choice: Dict[str, Any]):
        o = self.o = types.SimpleNamespace(**options)
        self.archives, self.weights, self.size = archives, weights, size
        if size < 1 or o.window < 1 or not 0 <= o.part[0] < o.part[1]:
            raise ValueError("size and window are at least 1, and part is (i, n) with i below n")
        if o.planes not in _PLANES:
            raise ValueError('planes are "lc0", "board" or None')
        if o.legal not in (False, True, "bits", "bool"):
            raise ValueError('legal is "bits" or "bool"')
        if o.bits and np.dtype(o.dtype) != np.uint8:
            raise ValueError("planes of bits have no other dtype than uint8")
        if o.labels is not None:
            _vocabulary(o.labels)
        elif o.legal:
            raise ValueError("the legal moves need labels")
        if min(weights) <= 0:
            raise ValueError("weights are above 0")
        self.replayed = o.planes is not None or o.labels is not None or o.positions
        self.begins = np.cumsum([0] + [len(a) for a in archives])
        if choice:
            if o.invalid:
                choice = {**choice, "invalid": "include"}
            self.chosen = [choose(a, choice) for a in archives]
            self.counted = True
        else:
            self.chosen = [Chosen(a._sizes()[:, 1], None) for a in archives]  # at most
            self.counted = False

    def count(self) -> None:
        """Counts the rows, if they are not counted. Cost: a read of all moves."""
        if not self.counted:
            self.chosen, self.counted = [Chosen(a._rows(self.o.invalid), None) for a in self.archives], True

    def units(self, part: Tuple[int, int]) -> npt.NDArray[np.int64]:
        """What a part has, in rows of five numbers: archive, block, first and last row in it, and how many of these are drawn."""
        units = [np.empty((0, 5), np.int64)]
        for k, (chosen, weight) in enumerate(zip(self.chosen, self.weights)):
            ends = chosen.rows.cumsum()
            begins, n = ends - chosen.rows, int(chosen.rows.sum())
            first, last = (np.clip(at, n * part[0] // part[1], n * (part[0] + 1) // part[1]) for at in (begins, ends))
            for share in [1.0] * int(weight) + [weight % 1]:
                drawn = np.floor(last * share) - np.floor(first * share)
                unit = np.stack([np.full(len(ends), k), np.arange(len(ends)), first - begins, last - begins, drawn.astype(np.int64)], 1)
                units.append(unit[drawn > 0])
        return np.concatenate(units)

    def __len__(self) -> int:
        """The number of batches of the part. With ``drop_last`` all parts have the same."""
        self.count()
        rows = [int(self.units((i, self.o.part[1]))[:, 4].sum()) for i in (range(self.o.part[1]) if self.o.drop_last else self.o.part[:1])]
        return min(rows) // self.size if self.o.drop_last else -(-rows[0] // self.size)

    def batches(self, seed: Sequence[int], first: int = 0, last: Optional[int] = None) -> Iterator[Batch]:
        """Batches number first to last - 1 in the order of a seed; without last, all that there are from the first on."""
        o, size = self.o, self.size
        if o.part != (0, 1) or first or last is not None:
            self.count()
        if o.part != (0, 1) and last is None:
            last = len(self)
        units = self.units(o.part)[:0 if last is not None and last <= first else None]
        if o.shuffle is not None:
            np.random.default_rng(seed).shuffle(units)
        vocabulary, labels = _vocabulary(o.labels or "index"), vocabulary_size(o.labels or "index")
        columns: Dict[str, Tuple[bool, Tuple[int, ...], Any]] = {
            "planes": (o.planes is not None, (_PLANES[o.planes], 8) + (8,) * (not o.bits), np.uint8), "labels": (o.labels is not None, (), np.int32),
            "results": (True, (), np.int8), "moves": (True, (), np.uint16), "games": (True, (), np.int64), "plies": (True, (), np.int32),
            "legal": (o.legal, ((labels + 7) // 8,), np.uint8), "evals": (o.evals, (), np.int16), "clocks": (o.clocks, (), np.int32),
            "positions": (o.positions, (), POSITION),
        }
        rows = _core.Rows(vocabulary, o.labels is None or lib.ply11_vocabulary_turns(vocabulary), not o.bits)
        full, held, skipped = min(size, int(units[:, 4].sum())), 0, first * size
        left = (last - first) * size if last is not None else None
        batch: Dict[str, Optional[np.ndarray]] = {}

        def made(n: int) -> Batch:
            made = {name: None if a is None else a[:n] for name, a in batch.items()}
            planes, legal = made["planes"], made["legal"]
            if planes is not None and planes.dtype != np.dtype(o.dtype):
                made["planes"] = planes = planes.astype(o.dtype)
                if o.planes == "lc0":
                    planes[:, 109] /= 99  # as lc0's training does
            if legal is not None and o.legal == "bool":
                made["legal"] = np.unpackbits(legal, axis=1, count=labels, bitorder="little").view(np.bool_)
            return Batch(**made)  # type: ignore[arg-type]

        for number, group in enumerate(self._windows(units)):
            n = int(group[:, 4].sum())
            if skipped >= n:
                skipped -= n
                continue
            rng = np.random.default_rng([*seed, number])
            w = _Window(self, group, rng)
            order = w.order
            if o.shuffle is not None:
                rng.shuffle(order)
            order, skipped = order[skipped:], 0
            if left is not None:
                order = order[:left]
                left -= order.size
            at = 0
            while at < order.size:
                if held == 0:
                    batch = {name: np.empty((full,) + more, dtype) if wanted else None for name, (wanted, more, dtype) in columns.items()}
                    for name, a in batch.items():
                        setattr(rows, name, None if a is None else address(a))
                n = min(size - held, order.size - at)
                lib.ply11_window_rows(ctypes.byref(w.c), address(order) + 4 * at, n, ctypes.byref(rows), held)
                if w.clocks is not None:
                    batch["clocks"][held:held + n] = w.clocks[order[at:at + n]]  # type: ignore[index]
                at += n
                held += n
                if held == size:
                    yield made(size)
                    held = 0
            if left == 0:
                break
        if held and not o.drop_last:
            yield made(held)

    def _windows(self, units: np.ndarray) -> Iterator[np.ndarray]:
        """Units that are shuffled together: in order, each alone."""
        begin = plies = 0
        for i, (archive, block, *_) in enumerate(units.tolist(), 1):
            plies += int(self.archives[archive]._sizes()[block, 1])
            if self.o.shuffle is None or plies >= min(self.o.window, 1 << 31) or i == len(units):
                yield units[begin:i]
                begin, plies = i, 0


def rows_of(block: Any, invalid: bool) -> int:
    """How many plies of a block can be rows: those of valid games that are no null moves."""
    moves = block.moves != NULL
    if not invalid and (block.flags & INVALID).any():
        moves &= np.repeat(block.flags & INVALID == 0, np.diff(block.offsets))
    return int(np.count_nonzero(moves))
