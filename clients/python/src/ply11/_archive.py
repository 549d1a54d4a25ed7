# SPDX-License-Identifier: Apache-2.0
"""Archives of games, .p11: games, plies, and batches for networks."""
from __future__ import annotations

import bisect
import ctypes
import functools
import importlib
import os
import re
import shutil
import tempfile
import threading
import warnings
import weakref
from collections import OrderedDict
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from . import _core, _program, _table
from ._batches import INVALID, Batch, Plan, rows_of
from ._board import Board, Error, replay
from ._core import FOLDER, Fault, Position, lib
from ._table import RESULTS
from ._targets import Targets, targets

_TAGS, _NOTES = 1, 2  # parts of a block
_CACHED = 8  # blocks


class ArchiveError(Error):
    """What is wrong with an archive. ``offset`` is the place in the file; ``block``, ``column`` and ``game`` count from 1, and are 0 if they are not known."""

    def __init__(self, status: int, name: str, fault: Any):
        self.what: str = ctypes.string_at(fault.what).decode() if fault.what else "it cannot be read"
        places = [f"{kind} {n}" for kind, n in (("game", fault.game), ("block", fault.block), ("column", fault.column), ("offset", fault.offset)) if n]
        ValueError.__init__(self, ", ".join([name] + places) + ": " + self.what)
        self.status, self.at = status, None
        self.offset, self.game, self.block, self.column = fault.offset, fault.game, fault.block, fault.column


@functools.lru_cache(None)
def _model() -> ctypes.c_void_p:
    """The model of dense moves, for all archives. Cost: some ten milliseconds, once."""
    with open(os.path.join(FOLDER, "model1.bin.zst"), "rb") as f:
        data = f.read()
    model = ctypes.c_void_p()
    if lib.ply11_host_model(ctypes.byref(model), data, len(data)):
        raise RuntimeError("the package's model of dense moves is damaged")
    return model


class _From:
    """Bytes in memory, or of a file that is open: what the core reads."""

    def __init__(self, path: Any):
        self.source = _core.Source(fd=-1)
        self.closed: Callable[[], object] = lambda: None  # removes a temporary file
        if isinstance(path, (bytes, bytearray, memoryview)):
            self.view = np.frombuffer(path, np.uint8)
            self.source.bytes, self.source.size = self.view.ctypes.data, self.view.size
        else:
            self.source.fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            self.source.size = os.fstat(self.source.fd).st_size

    def opened(self, opener: Callable[[], int]) -> int:
        """The status of what opens the source. While somebody writes to a file its size may be old, and it is tried again."""
        tries = 0
        while True:
            size, tries = self.source.size, tries + 1
            status = opener()
            if status and self.source.fd >= 0:
                self.source.size = os.fstat(self.source.fd).st_size
            if not status or (size == self.source.size and tries >= 3):
                return status

    def close(self) -> None:
        fd, self.source.fd = self.source.fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        self.close()


class _Handle:
    """An archive of the core, and what it reads."""

    def __init__(self, name: str, path: Any, limit: int):
        self.name, self.lock, self.pointer = name, threading.RLock(), ctypes.c_void_p()  # what is collected while it is held takes it again
        self.source = _From(path)
        fault = Fault()
        status = self.source.opened(lambda: lib.ply11_host_open(ctypes.byref(self.pointer), ctypes.byref(self.source.source), limit, ctypes.byref(fault)))
        if status:
            raise ArchiveError(status, name, fault)
        lib.ply11_archive_use(self.pointer, _model())

    def must(self, status: int) -> None:
        if status:
            raise ArchiveError(status, self.name, Fault.from_address(lib.ply11_archive_fault(self.pointer)))

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            lib.ply11_archive_close(self.pointer)


class _Memory:
    """A block of the core."""

    def __init__(self, handle: _Handle, number: int):
        self.handle, self.pointer = handle, ctypes.POINTER(_core.Block)()
        with handle.lock:
            handle.must(lib.ply11_block_open(handle.pointer, number, 0, ctypes.byref(self.pointer)))

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            with self.handle.lock:
                lib.ply11_block_close(self.pointer)


class _Block:
    """A block in memory. Its arrays show the core's memory, and keep that alive; they do not keep the block, which has them."""

    def __init__(self, handle: _Handle, number: int):
        self.handle, self.parts, self.memory = handle, 0, _Memory(handle, number)
        self.pointer = self.memory.pointer
        c = self.pointer.contents
        self.first, self.games, self.plies = int(c.first) - 1, int(c.games), int(c.plies)
        self.offsets: List[int] = self._array(c.offsets, c.games + 1, np.uint32).tolist()
        self.moves = self._array(c.moves, c.plies, np.uint16)
        self.results = self._array(c.results, c.games, np.uint16)
        self.flags = self._array(c.flags, c.games, np.uint8)

    def read(self, parts: int) -> "_Block":
        """Reads parts of the block that were not read."""
        if parts & ~self.parts:
            with self.handle.lock:
                self.handle.must(lib.ply11_block_read(self.pointer, parts))
            self.parts |= parts
        return self

    @functools.cached_property
    def clocks(self) -> np.ndarray:
        return self._array(self.read(_NOTES).pointer.contents.clocks, self.plies, np.int32)

    @functools.cached_property
    def evals(self) -> np.ndarray:
        return self._array(self.read(_NOTES).pointer.contents.evals, self.plies, np.int16)

    @functools.cached_property
    def start_evals(self) -> np.ndarray:
        return self._array(self.read(_NOTES).pointer.contents.start_evals, self.games, np.int16)

    def _array(self, address: Optional[int], n: int, dtype: Any) -> np.ndarray:
        if not address or not n:
            return np.empty(0, dtype)
        shown = (ctypes.c_uint8 * (n * np.dtype(dtype).itemsize)).from_address(address)
        setattr(shown, "memory", self.memory)
        a = np.frombuffer(memoryview(shown), dtype)
        a.setflags(write=False)
        return a


class ArchiveGame:
    """A game of an archive. Its arrays are read-only and show the archive's block, which is not copied."""

    __slots__ = ("_block", "_i", "_tags")

    def __init__(self, block: _Block, i: int):
        self._block, self._i = block, i
        self._tags: Optional[List[Tuple[str, str]]] = None

    def _slice(self, a: np.ndarray) -> np.ndarray:
        return a[self._block.offsets[self._i]:self._block.offsets[self._i + 1]]

    @property
    def number(self) -> int:
        """The game's number in the archive, from 1, as the commands count. Index 0 is game 1."""
        return self._block.first + self._i + 1

    @property
    def moves(self) -> npt.NDArray[np.uint16]:
        """The codes of the main line. Shape (n,), uint16."""
        return self._slice(self._block.moves)

    @property
    def clocks(self) -> npt.NDArray[np.int32]:
        """The time that is left after each move to the one who made it, in hundredths of a second; NO_CLOCK if it is not told. Shape (n,), int32."""
        return self._slice(self._block.clocks)

    @property
    def evals(self) -> npt.NDArray[np.int16]:
        """The evaluation after each move, from White's side, in hundredths of a pawn; mate in k is 32000 - k, or -32000 + k for Black's; NO_EVAL if there is none. Shape (n,), int16."""
        return self._slice(self._block.evals)

    @property
    def start_eval(self) -> int:
        """The evaluation of the start position."""
        return int(self._block.start_evals[self._i])

    @property
    def result(self) -> str:
        """"1-0", "0-1", "1/2-1/2" or "*"."""
        return RESULTS[self._block.results[self._i] - 1968]

    @property
    def valid(self) -> bool:
        """Whether the text is a valid game. If it is not, the moves are as much of it as is valid."""
        return not self._block.flags[self._i] & INVALID

    @property
    def all_tags(self) -> List[Tuple[str, str]]:
        """The tags, in their order. Bytes that are not UTF-8 are as surrogateescape has them."""
        if self._tags is None:
            self._tags = []
            for k in range(lib.ply11_block_tags(self._block.read(_TAGS).pointer, self._i)):
                t = lib.ply11_block_tag(self._block.pointer, self._i, k)
                self._tags.append((ctypes.string_at(t.name, t.name_size).decode("utf-8", "surrogateescape"),
                                   ctypes.string_at(t.value, t.value_size).decode("utf-8", "surrogateescape")))
        return self._tags

    @property
    def tags(self) -> Dict[str, str]:
        """The tags by name; of several of one name, the first."""
        tags: Dict[str, str] = {}
        for name, value in self.all_tags:
            tags.setdefault(name, value)
        return tags

    @property
    def start(self) -> Board:
        """The position in which the game begins."""
        b = Board.__new__(Board)
        b._p = Position()
        with self._block.handle.lock:
            self._block.handle.must(lib.ply11_block_start(self._block.pointer, self._i, ctypes.byref(b._p)))
        return b

    def positions(self) -> np.ndarray:
        """All positions from the start to the end: shape (n + 1,), dtype POSITION. A move that is not legal is an Error."""
        return replay(self.moves, self.start)

    def __len__(self) -> int:
        """The number of plies."""
        return len(self.moves)

    def __repr__(self) -> str:
        t = self.tags
        return f"<ply11 game {self.number}: {t.get('White', '?')} - {t.get('Black', '?')}, {self.result}, {len(self)} plies>"


class Ply(NamedTuple):
    """A ply of a game."""

    game: ArchiveGame
    ply: int
    """How many plies came before it."""
    move: int
    """The code that was played."""
    board: Board
    """The position in which it was played."""


class Plies(Sequence[Ply]):
    """All plies of all main lines, one behind the other."""

    def __init__(self, archive: "Archive"):
        self._archive = archive
        self._ends: Optional[np.ndarray] = None

    def __len__(self) -> int:
        return self._archive.n_plies

    @overload
    def __getitem__(self, i: int) -> Ply: ...
    @overload
    def __getitem__(self, i: slice) -> List[Ply]: ...

    def __getitem__(self, i):  # type: ignore
        """Ply i, from 0; the game up to it is replayed. The first call reads the header of every block."""
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"there are {n} plies")
        i += n if i < 0 else 0
        if self._ends is None:
            self._ends = np.cumsum(self._archive._sizes()[:, 1])
        number = int(np.searchsorted(self._ends, i, "right"))
        block = self._archive._block(number)
        k = i - int(self._ends[number]) + block.plies
        game = bisect.bisect_right(block.offsets, k) - 1
        g = ArchiveGame(block, game)
        ply = k - block.offsets[game]
        line = replay(g.moves[:ply], g.start)
        return Ply(g, ply, int(block.moves[k]), Board.at(line, ply))


class Counts(NamedTuple):
    """Games, and how they ended; the others have no result."""

    games: int
    white: int
    """White won."""
    draws: int
    black: int
    white_ratings: int
    """The sum of White's ratings from 1 to 9999, of ``white_rated`` games."""
    white_rated: int
    black_ratings: int
    black_rated: int


class Tree(NamedTuple):
    """What was played in a position."""

    all: Counts
    """The games that reach the position."""
    moves: Dict[int, Counts]
    """By the code of the move, the most frequent first. A game counts once for each different move that it plays there."""


def _counts(c: Any) -> Counts:
    return Counts(*(getattr(c, name) for name in Counts._fields))


def _tree(index: ctypes.c_void_p, position: Union[str, Board], name: str) -> Tree:
    board, tree = Board(position) if isinstance(position, str) else position, ctypes.POINTER(_core.Tree)()
    status = lib.ply11_index_tree(index, ctypes.byref(board._p), ctypes.byref(tree))
    if status:
        raise ArchiveError(status, name, Fault.from_address(lib.ply11_index_fault(index)))
    t = tree.contents
    branches = ctypes.cast(t.branches, ctypes.POINTER(_core.Branch))
    return Tree(_counts(t.all), {b.code: _counts(b.counts) for b in branches[:t.count]})


class TreeFile:
    """The counts of a tree file, ``.p11t``, or of one in bytes, which needs no archive. Several threads may use it, and it may be pickled."""

    def __init__(self, path: Union[str, "os.PathLike[str]", bytes]):
        self._path, self._name = path, "tree file" if isinstance(path, (bytes, bytearray, memoryview)) else os.fspath(path)
        self._index, self._source, self._lock = ctypes.c_void_p(), _From(path), threading.Lock()
        fault = Fault()
        status = self._source.opened(lambda: lib.ply11_host_tree(ctypes.byref(self._index), ctypes.byref(self._source.source), 0, ctypes.byref(fault)))
        if status:
            raise ArchiveError(status, self._name, fault)

    def __reduce__(self) -> Tuple[Any, ...]:
        return TreeFile, (self._path,)

    def tree(self, position: Union[str, Board]) -> Tree:
        """What was played in a position, a FEN or a Board; its counters do not matter. Nothing, if too few games reach it."""
        with self._lock:
            return _tree(self._index, position, self._name)

    def __del__(self) -> None:
        if getattr(self, "_index", None):
            lib.ply11_index_close(self._index)


class _Index:
    """An index of the core, and what it reads."""

    def __init__(self, handle: _Handle, path: str):
        self.handle, self.pointer = handle, ctypes.c_void_p()
        self.source = _From(path)
        with handle.lock:
            handle.must(self.source.opened(lambda: lib.ply11_host_index(ctypes.byref(self.pointer), handle.pointer, ctypes.byref(self.source.source))))

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            with self.handle.lock:
                lib.ply11_index_close(self.pointer)


class Archive:
    """The games of an archive, by an index that counts from 0. Open one with ``ply11.open``. It is no ``Sequence``, of which
    polars would make a column of objects.

    Eight blocks are kept in memory. An archive may be used from several threads, which wait for each other, after a fork, and may be pickled. ``with`` closes it.
    What is read is verified by its digests, fixed moves by the CRC of each sixteen games; what is wrong, or has become shorter meanwhile, is an ArchiveError.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]", bytes], limit: int = 0):
        """The archive of a file, or in bytes. ``limit`` is the most memory that the core takes, in bytes; 0 is 1 GiB, which archives do not need: eight blocks are kept."""
        self._arguments: Tuple[Any, int] = (path, limit)
        name = "archive" if isinstance(path, (bytes, bytearray, memoryview)) else os.fspath(path)
        self._handle = _Handle(name, path, limit or 1 << 30)
        if self.unfinished:
            warnings.warn(f"{name}: the last {self.unfinished} bytes are not read: games are being added, or were not added to the end", stacklevel=3)
        self._cache: "OrderedDict[int, _Block]" = OrderedDict()
        self._index: Optional[_Index] = None
        self._lock, self._pid = threading.Lock(), os.getpid()
        self._block_sizes: Optional[np.ndarray] = None
        self._block_rows: Dict[bool, npt.NDArray[np.int64]] = {}

    def __reduce__(self) -> Tuple[Any, ...]:
        return Archive, self._arguments

    def close(self) -> None:
        """Closes the file, and removes a temporary archive. Games and arrays that were read stay; what is to be read after it is an ArchiveError."""
        with self._handle.lock:
            self._handle.source.close()
            if self._index is not None:
                self._index.source.close()
        self._handle.source.closed()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _forked(self) -> None:
        if self._pid != os.getpid():  # after a fork, another thread may have had the locks
            self._lock, self._handle.lock, self._pid = threading.Lock(), threading.RLock(), os.getpid()

    def _block(self, number: int) -> _Block:
        self._forked()
        with self._lock:
            block = self._cache.get(number)
            if block is None:
                block = self._cache[number] = _Block(self._handle, number)
                if len(self._cache) > _CACHED:
                    self._cache.popitem(last=False)
            self._cache.move_to_end(number)
            return block

    def _open(self, number: int, notes: bool = False) -> _Block:
        """A block, which is not kept."""
        self._forked()
        return _Block(self._handle, number).read(_NOTES * notes)

    def _rows(self, invalid: bool) -> npt.NDArray[np.int64]:
        """How many plies of each block can be rows of batches. Cost: a read of all moves, once."""
        if invalid not in self._block_rows:
            self._block_rows[invalid] = np.array([rows_of(self._open(b), invalid) for b in range(self.n_blocks)], np.int64)
        return self._block_rows[invalid]

    def _path(self) -> str:
        return os.path.join("", self._arguments[0])

    def _sizes(self) -> np.ndarray:
        """Games and plies of each block: shape (blocks, 2), int64. Cost: a read of the header of each, once."""
        if self._block_sizes is None:
            games, plies = ctypes.c_uint32(), ctypes.c_uint32()
            sizes = np.empty((self.n_blocks, 2), np.int64)
            for i in range(self.n_blocks):
                with self._handle.lock:
                    self._handle.must(lib.ply11_block_sizes(self._handle.pointer, i, ctypes.byref(games), ctypes.byref(plies)))
                sizes[i] = games.value, plies.value
            self._block_sizes = sizes
        return self._block_sizes

    def __len__(self) -> int:
        """The number of games."""
        return int(lib.ply11_archive_games(self._handle.pointer))

    @property
    def n_plies(self) -> int:
        """The number of plies of all main lines."""
        return int(lib.ply11_archive_plies(self._handle.pointer))

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return int(lib.ply11_archive_blocks(self._handle.pointer))

    @property
    def unfinished(self) -> int:
        """How many bytes are behind the archive, of games that are being added, or were not added to the end. They are not read."""
        return int(lib.ply11_archive_unfinished(self._handle.pointer))

    @property
    def plies(self) -> Plies:
        """All plies of all main lines, as a sequence."""
        p = self.__dict__.get("_plies")
        if p is None:
            p = self._plies = Plies(self)
        return p

    @overload
    def __getitem__(self, i: int) -> ArchiveGame: ...
    @overload
    def __getitem__(self, i: slice) -> List[ArchiveGame]: ...

    def __getitem__(self, i):  # type: ignore
        """Game i, from 0, or from the end if it is negative. A block is read, if it is not one of the last eight."""
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"there are {n} games")
        i += n if i < 0 else 0
        number = ctypes.c_uint32()
        with self._handle.lock:
            self._handle.must(lib.ply11_archive_find(self._handle.pointer, i + 1, ctypes.byref(number)))
        block = self._block(number.value)
        return ArchiveGame(block, i - block.first)

    def __iter__(self) -> Iterator[ArchiveGame]:
        for number in range(self.n_blocks):
            block = self._block(number)
            for i in range(block.games):
                yield ArchiveGame(block, i)

    def __repr__(self) -> str:
        return f"<ply11 archive {self._handle.name}: {len(self)} games, {self.n_plies} plies>"

    def tree(self, position: Union[str, Board]) -> Tree:
        """What was played in a position, a FEN or a Board, in the main lines of the archive; its counters do not matter.

        ``ply11 index`` must have made the index, ``games.p11x`` beside ``games.p11``; without one it is an OSError. Cost: some reads, and of a position
        of few games one for each of them.
        """
        if self._index is None:
            if isinstance(self._arguments[0], (bytes, bytearray, memoryview)):
                raise FileNotFoundError("an archive in bytes has no index")
            self._index = _Index(self._handle, os.fspath(self._arguments[0]) + "x")
        with self._handle.lock:
            return _tree(self._index.pointer, position, self._handle.name)

    def targets(self, size: int, *, games: int = 10, plies: int = 400, labels: str = "lc0") -> Iterator[Targets]:
        """Positions that at least so many games reach, each once, as rows of what was played there and how often: from the usual start on, along moves that as many games play, to so many
        plies. Cost: that of ``tree`` for each position."""
        return targets(self, size, games, plies, labels)

    def find(self, conditions: str) -> npt.NDArray[np.int64]:
        """The indexes, from 0, of the games that meet the conditions of ``ply11 find`` (docs/FIND.md), with ; between them; ``not=`` and ``sequence=`` have ; themselves and come last.
        An archive in bytes has no file to search: a TypeError."""
        flags = ["--" + c.strip() for c in re.findall(r"(?:not|sequence)=.*|[^;\s][^;]*", conditions)]
        lines = _program.run("find", "--csv", "--columns=game", *flags, "--", self._path(), nothing=6)
        return np.array(lines.split()[1:], np.int64) - 1

    def to_arrow(self, columns: Sequence[str] = (), batch: int = 4096, rows: str = "games", **options: Any) -> Any:
        """The games as a RecordBatchReader of pyarrow, which must be installed, at most ``batch`` at a time. Columns are those of ``ply11 export --to parquet`` but for ``movetext``, ``other_tags``
        and ``tag_order``, any other tag as text, and ``valid``, as the games that are not valid are there, too; moves are not copied. Whatever reads Arrow also takes the archive itself:
        ``duckdb.sql("select White, len(moves) from archive")``, ``polars.DataFrame(archive)``.

        With ``rows="positions"`` it is the positions of ``batches``, with the columns of ``ply11 export --to parquet-positions``; ``legal`` and ``legal_count`` only if ``columns`` has them.
        ``options`` then are those of ``batches``: ``shuffle=1``, ``rating="2400-"``.
        """
        return _table.positions(self, columns, batch, options) if rows == "positions" else _table.games(self, columns, batch, **options)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def verify(self) -> None:
        """Reads everything that this package reads, and raises the first ArchiveError."""
        with self._handle.lock:
            self._handle.must(lib.ply11_archive_verify(self._handle.pointer))

    def batches(
        self, size: int, *, planes: Optional[str] = "lc0", labels: Optional[str] = "lc0", shuffle: Optional[int] = None, bits: bool = False, dtype: Any = np.uint8,
        legal: Union[bool, str] = False, evals: bool = False, clocks: bool = False, positions: bool = False, invalid: bool = False, verify: bool = True, window: int = 1 << 20,
        drop_last: bool = False, part: Tuple[int, int] = (0, 1), **choice: Any,
    ) -> Iterator[Batch]:
        """All plies of all main lines as batches of ``size`` rows: the position before each move, and the move. Null moves are left out.

        ``planes`` is "lc0" (112 planes), "board" (12 planes, from White's side for the labels "index" and "searchless-chess", else from the mover's) or None; with ``bits`` a byte a rank, which
        is ten times faster; with a ``dtype`` of floating point lc0's plane 109 is the clock divided by 99. ``labels`` is a vocabulary or None. ``legal`` adds the legal moves, as bits or, if it is
        "bool", as truths; ``evals``, ``clocks`` and ``positions`` add those.

        ``shuffle`` is a seed: blocks are taken in a random order, and all plies of some that follow each other, at least ``window`` plies, are shuffled. A window takes some 70 bytes a ply. Of games of
        80 plies it has 13,000, so that a batch of 4,096 rows has rows of about 3,500 games. The same seed gives the same batches. Games that are not valid are left out, but for ``invalid``.
        Without ``verify`` no move is asked whether it is legal; what was damaged in the file is refused all the same. ``part`` (i, n) takes the i-th of n equal shares of the rows.

        Any other option is one of ``ply11 export`` that chooses rows, with _ for -: ``rating="2400-"``, ``split="0-0.9"``, ``sample=0.1``, ``weight=["result=draw:0.5"]``, ``every=4``,
        ``only="eval,no-check"``, ``dedupe=True``. What that takes is written to a temporary file, with 22 bytes a row. An archive in bytes has no file to read: a TypeError.
        """
        options = {name: value for name, value in locals().items() if name in OPTIONS}
        return Plan([self], [1.0], size, options, choice).batches([shuffle or 0])


OPTIONS: Dict[str, Any] = Archive.batches.__kwdefaults__ or {}

def open_archive(path: Union[str, "os.PathLike[str]", bytes], limit: int = 0, *, beside: bool = False) -> Archive:
    """Opens the archive of a file, or in bytes.

    A PGN file, also compressed, is packed into a temporary archive, which is removed by ``close`` or when nothing reads it any more. With ``beside`` it is packed into ``games.p11``
    beside it, if that is not there; where that is older than the PGN file, it is a ProgramError.
    """
    name = "" if isinstance(path, (bytes, bytearray, memoryview)) else os.fspath(path)
    pgn, name = name, re.sub(r"(?i)\.pgn(\.\w+)?$", ".p11", name)
    if name == pgn:
        return Archive(path, limit)
    if beside:
        if not os.path.exists(name) or os.path.getmtime(name) < os.path.getmtime(pgn):
            _program.pack(pgn, name)
        return Archive(name, limit)
    folder = tempfile.mkdtemp(prefix="ply11-")
    try:
        name = os.path.join(folder, os.path.basename(name))
        _program.pack(pgn, name)
        archive = Archive(name, limit)
    except BaseException:
        shutil.rmtree(folder, True)
        raise
    archive._handle.source.closed = weakref.finalize(archive._handle.source, remove, folder, os.getpid())
    return archive


def remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # and not in one that was forked
        shutil.rmtree(folder, True)
