# SPDX-License-Identifier: Apache-2.0
"""Games and positions of archives as tables of Arrow, with the columns of export."""
from __future__ import annotations

import datetime
import functools
import importlib
import os
import re
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

import numpy as np

from ._batches import INVALID, NO_CLOCK, NO_EVAL, address
from ._core import lib

RESULTS = ("0-1", "1/2-1/2", "1-0", "*")

_TAGS = ("Event Site White Black Result WhiteTitle BlackTitle WhiteElo BlackElo WhiteRatingDiff BlackRatingDiff UTCDate UTCTime ECO Opening Termination TimeControl Date Round").split()
_BITS = np.array([1, 2, 4, 8], np.uint8)[:, None]


_VALUES: Dict[str, Any] = {"UTCDate": (datetime.date, r"(\d{4})\.(\d\d)\.(\d\d)"), "UTCTime": (datetime.time, r"(\d\d):(\d\d):(\d\d)")}


@functools.lru_cache(4096)
def _value(name: str, text: Optional[str]) -> Any:
    """The number, date or time of a tag, None if it is none."""
    make, pattern = _VALUES.get(name, (int, "([+-]?\\d{1,4})"))
    m = re.fullmatch(pattern, text or "", re.ASCII)
    try:
        return make(*map(int, m.groups())) if m else None
    except ValueError:
        return None


def games(archive: Any, columns: Sequence[str], batch: int) -> Any:
    """A reader of games."""
    pa = importlib.import_module("pyarrow")
    types = {"moves": pa.list_(pa.uint16()), "evals": pa.list_(pa.int16()), "clocks": pa.list_(pa.int32()), "start_eval": pa.int16(), "fen": pa.string(), "valid": pa.bool_(),
             "file": pa.string(), "game": pa.uint64()}
    names = list(columns) or _TAGS + list(types)
    for name in names:
        if name not in types and not name[:1].isupper():
            raise ValueError(f"there is no column {name!r}: there are tags and {', '.join(types)}")
    of_tags = {"UTCDate": pa.date32(), "UTCTime": pa.time32("ms")}
    schema = pa.schema([(n, types.get(n) or of_tags.get(n) or (pa.int16() if n.endswith(("Elo", "RatingDiff")) else pa.string())) for n in names])

    def column(block: Any, name: str, kind: Any) -> Any:
        if name == "file":
            return pa.array([os.path.basename(archive._handle.name)] * block.games)
        if name == "game":
            return pa.array(np.arange(block.games, dtype=np.uint64) + np.uint64(block.first + 1))
        if name == "valid":
            return pa.array(block.flags & INVALID == 0)
        if name == "fen":
            return pa.array([archive[block.first + i].start.fen if flag & 1 else None for i, flag in enumerate(block.flags.tolist())], kind)
        if name == "Result":
            return pa.array([RESULTS[r - 1968] for r in block.results], kind)
        if name == "start_eval":
            return pa.array(block.start_evals, mask=block.start_evals == NO_EVAL)
        if name in types:
            a, offsets = getattr(block, name), pa.array(block.offsets, pa.int32())
            if name == "moves":
                return pa.ListArray.from_arrays(offsets, pa.array(a))
            unknown = a == (NO_EVAL if name == "evals" else NO_CLOCK)
            sums = np.append(0, np.cumsum(~unknown))[block.offsets]
            return pa.ListArray.from_arrays(offsets, pa.array(a, mask=unknown), mask=pa.array(sums[1:] == sums[:-1]))
        ends = np.empty(block.games + 1, np.int32)
        tag = block.read(1).pointer, name.encode(), len(name.encode()), address(ends)
        values = np.empty(lib.ply11_host_tag(*tag, None), np.uint8)
        lib.ply11_host_tag(*tag, address(values))
        known = np.packbits(ends[1:] > ends[:-1], bitorder="little")
        text = pa.Array.from_buffers(pa.binary(), block.games, [pa.py_buffer(b) for b in (known, ends, values)]).cast(pa.string())
        return text if kind == pa.string() else pa.array([_value(name, v) for v in text.to_pylist()], kind)

    tables = (pa.record_batch([column(archive._block(b), f.name, f.type) for f in schema], schema) for b in range(archive.n_blocks))
    return pa.RecordBatchReader.from_batches(schema, (t.slice(i, batch) for t in tables for i in range(0, len(t), batch)))


def _board(positions: Any) -> Any:
    """Four bits a square. (n, 32)"""
    bits: Any = np.ascontiguousarray(positions["plane"]).view(np.uint8).reshape(-1, 4, 8)
    codes = (np.unpackbits(bits, axis=2, bitorder="little") * _BITS).sum(1, dtype=np.uint8)
    return codes[:, ::2] | codes[:, 1::2] << np.uint8(4)


def _castling(positions: Any) -> Any:
    """1 White short, 2 White long, 4 and 8 Black."""
    plane, out = positions["plane"], np.zeros(len(positions), np.uint8)
    kings = plane[:, 0] & ~plane[:, 1] & ~plane[:, 2]
    for short, king, rank in ((1, kings & ~plane[:, 3], 0xFF), (4, kings & plane[:, 3], 0xFF << 56)):
        rooks, left = positions["castling"] & np.uint64(rank), king - np.uint64(1)
        out |= ((rooks & ~left) > 0) * np.uint8(short) | ((rooks & left) > 0) * np.uint8(2 * short)
    return out


def positions(archive: Any, columns: Sequence[str], batch: int, options: Dict[str, Any]) -> Any:
    """A reader of positions."""
    pa = importlib.import_module("pyarrow")

    kinds: Dict[str, Tuple[Any, Callable[[Any], Any], Any]] = {
        "file": (pa.string(), lambda b: [os.path.basename(archive._handle.name)] * len(b.moves), None), "game": (pa.uint64(), lambda b: b.games + 1, None),
        "ply": (pa.uint32(), lambda b: b.plies, None), "board": (pa.binary(32), lambda b: _board(b.positions), None), "black": (pa.bool_(), lambda b: b.positions["black"] > 0, None),
        "castling": (pa.uint8(), lambda b: _castling(b.positions), None), "en_passant": (pa.uint8(), lambda b: b.positions["en_passant"], None),
        "halfmoves": (pa.uint16(), lambda b: b.positions["clock"], None), "move": (pa.uint16(), lambda b: b.moves, None),
        "legal_count": (pa.uint8(), lambda b: np.unpackbits(b.legal, axis=1).sum(1), None), "legal": (pa.binary(246), lambda b: b.legal, None),
        "result": (pa.int8(), lambda b: b.results, -128), "eval": (pa.int16(), lambda b: b.evals, NO_EVAL), "clock": (pa.int32(), lambda b: b.clocks, NO_CLOCK),
    }
    names = list(columns) or [n for n in kinds if not n.startswith("legal")]
    for name in names:
        if name not in kinds:
            raise ValueError(f"there is no column {name!r}: there are {', '.join(kinds)}")
    schema = pa.schema([(n, kinds[n][0]) for n in names])
    options = {**options, "planes": None, "positions": True, "labels": "index", "legal": any(n.startswith("legal") for n in names), "evals": "eval" in names, "clocks": "clock" in names}

    def column(b: Any, name: str) -> Any:
        kind, of, unknown = kinds[name]
        a = of(b)
        if pa.types.is_fixed_size_binary(kind):
            return pa.FixedSizeBinaryArray.from_buffers(kind, len(a), [None, pa.py_buffer(np.ascontiguousarray(a))])
        return pa.array(a, mask=a == unknown if unknown is not None else None).cast(kind)

    return pa.RecordBatchReader.from_batches(schema, (pa.record_batch([column(b, n) for n in names], schema) for b in archive.batches(batch, **options)))
