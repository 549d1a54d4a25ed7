# SPDX-License-Identifier: Apache-2.0
"""The index, positions, games as words, and inputs of networks."""
from __future__ import annotations

import ctypes
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._core import Event, Position, Reader, lib, text


MOVES = 1968
"""How many codes are moves: 0..1967."""
NULL = 1972
"""The code of the null move."""

POSITION = np.dtype([
    ("plane", "=u8", 4), ("castling", "=u8"), ("clock", "=u4"), ("number", "=u4"), ("black", "u1"), ("en_passant", "u1"), ("chess960", "u1"), ("zero", "u1", 5),
])
"""The type of a position in an array: 56 bytes, the fields of ply11_position in ply11.h."""

assert POSITION.itemsize == ctypes.sizeof(Position)

WORDS: npt.NDArray[np.uint16] = np.array([lib.ply11_word(c) for c in range(2048)], np.uint16)
"""The move of each of the 2,048 codes: bits 0..5 the square that the piece leaves, 6..11 its target, 12..14 the promotion (4 N, 5 B, 6 R, 7 Q), bit 15 one.
0 is no move. Shape (2048,)."""

_RANKS = np.array([lib.ply11_mirror_ranks(c) for c in range(2048)], np.uint16)
_FILES = np.array([lib.ply11_mirror_files(c) for c in range(2048)], np.uint16)
_CODES = np.full((64, 64, 8), 0xFFFF, np.uint16)
_moves = WORDS[:MOVES]
_CODES[_moves & 63, _moves >> 6 & 63, _moves >> 12 & 7] = np.arange(MOVES)
for _t in (WORDS, _RANKS, _FILES, _CODES):
    _t.setflags(write=False)

VOCABULARIES: Tuple[str, ...] = ("index", "lc0", "alphazero", "zeta36", "searchless-chess")
"""The orders of labels: see docs/train.md."""


class Error(ValueError):
    """Input that is refused. ``at`` is the place: a byte of a FEN, a word of a stream, or a ply of a line; None where there is none."""

    def __init__(self, status: int, what: str, at: Optional[int] = None):
        super().__init__(what + ": " + text(status))
        self.status, self.at = status, at


def _vocabulary(name: str) -> int:
    try:
        return VOCABULARIES.index(name)
    except ValueError:
        raise ValueError(f"there are no labels {name!r}; there are {', '.join(VOCABULARIES)}") from None


def _codes(a: npt.ArrayLike) -> npt.NDArray[np.uint16]:
    """Codes as a contiguous array; a number that is no code of eleven bits is a ValueError."""
    b = np.asarray(a)
    if b.dtype != np.uint16:
        if b.size and (b.dtype.kind not in "iu" or b.min() < 0 or b.max() > 2047):
            raise ValueError("codes are whole numbers from 0 to 2047")
        b = b.astype(np.uint16)
    return np.ascontiguousarray(b)


def _positions(a: np.ndarray) -> np.ndarray:
    if a.dtype != POSITION or a.ndim != 1:
        raise ValueError("positions are an array of one dimension of dtype POSITION")
    return np.ascontiguousarray(a)


def _out(out: Optional[np.ndarray], shape: Tuple[int, ...], dtype: npt.DTypeLike) -> np.ndarray:
    if out is None:
        return np.empty(shape, dtype)
    if out.shape != shape or out.dtype != np.dtype(dtype) or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"out must be a writable C-contiguous array of shape {shape} and type {np.dtype(dtype)}")
    return out


# ---- The index ----


def codes(origin: npt.ArrayLike, target: npt.ArrayLike, promotion: npt.ArrayLike = 0) -> npt.NDArray[np.uint16]:
    """The codes of moves from squares to squares (a1 is 0, h8 is 63); promotion is 0, or 4 to 7 for N B R Q. 65535 is no move. Any shapes that broadcast."""
    a, b, c = np.asarray(origin), np.asarray(target), np.asarray(promotion)
    for x, top in ((a, 63), (b, 63), (c, 7)):
        if x.size and (x.min() < 0 or x.max() > top):
            raise ValueError("squares are 0 to 63, promotions 0 to 7")
    result: npt.NDArray[np.uint16] = _CODES[a, b, c]
    return result


def mirror_ranks(codes: npt.ArrayLike) -> npt.NDArray[np.uint16]:
    """The codes of the same moves with the ranks mirrored, as the other side sees them. Any shape."""
    return _RANKS.take(_codes(codes) & 2047)


def mirror_files(codes: npt.ArrayLike) -> npt.NDArray[np.uint16]:
    """The codes of the same moves with the files mirrored. Any shape."""
    return _FILES.take(_codes(codes) & 2047)


def control_name(code: int) -> Optional[str]:
    """The name of a code that is no move ("ResultDraw"), None for moves and reserved codes."""
    name = lib.ply11_control_name(code) if 0 <= code < 2048 else None
    return name.decode() if name else None


def to_uci(code: int) -> str:
    """A code as UCI: "e2e4", "a7a8q"; "0000" for the null move. A code that is no move is a ValueError."""
    buffer = ctypes.create_string_buffer(8)
    if not 0 <= code < 2048 or not lib.ply11_to_uci(code, buffer):
        raise ValueError(f"{code} is no move")
    return buffer.value.decode()


def from_uci(move: str) -> int:
    """The code of a move in UCI, legal or not. Cost: some microseconds."""
    code = ctypes.c_uint16()
    b = move.encode()
    status = lib.ply11_from_uci(None, b, len(b), ctypes.byref(code))
    if status:
        raise Error(status, repr(move))
    return code.value


def pack_words(words: npt.ArrayLike) -> bytes:
    """Words of eleven bits as bytes: docs/WORDS.md, "Words in bytes"."""
    w = _codes(words)
    out = np.empty(lib.ply11_packed_size(w.size), np.uint8)
    lib.ply11_pack(w.ctypes.data, w.size, out.ctypes.data)
    return out.tobytes()


def unpack_words(data: bytes) -> npt.NDArray[np.uint16]:
    """All whole words of eleven bits in bytes. Shape (len(data) * 8 // 11,)."""
    b = np.frombuffer(data, np.uint8)
    out = np.empty(b.size * 8 // 11, np.uint16)
    lib.ply11_unpack(b.ctypes.data, b.size, 0, out.ctypes.data, out.size)
    return out


# ---- Positions ----


class Board:
    """A position, and the moves that are legal in it.

    A move is given as its code, or as a text in SAN or UCI. Castling is the king's step (e1g1); in Chess960 it is king takes rook (f1h1).
    """

    __slots__ = ("_p",)

    def __init__(self, fen: Optional[str] = None):
        """The usual start, or the position of a FEN of six fields. Error.at is the byte at which a FEN is wrong."""
        self._p = Position()
        if fen is None:
            lib.ply11_start(ctypes.byref(self._p))
            return
        at = ctypes.c_size_t()
        b = fen.encode()
        status = lib.ply11_from_fen(ctypes.byref(self._p), b, len(b), ctypes.byref(at))
        if status:
            raise Error(status, f"FEN {fen[:120]!r}, byte {at.value}", at.value)

    @classmethod
    def at(cls, positions: np.ndarray, i: int) -> "Board":
        """The i-th position of an array, copied."""
        b = cls.__new__(cls)
        b._p = Position.from_buffer_copy(_positions(positions)[i].tobytes())
        return b

    def copy(self) -> "Board":
        b = Board.__new__(Board)
        b._p = Position.from_buffer_copy(self._p)
        return b

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and bytes(self._p) == bytes(other._p)

    def __hash__(self) -> int:
        raise TypeError("a board changes: take its fen")

    def __repr__(self) -> str:
        return f"ply11.Board({self.fen!r})"

    @property
    def fen(self) -> str:
        """The FEN. The en passant square is written after every double push of a pawn."""
        buffer = ctypes.create_string_buffer(128)
        lib.ply11_to_fen(ctypes.byref(self._p), buffer)
        return buffer.value.decode()

    @property
    def black(self) -> bool:
        """Whether Black is to move."""
        return bool(self._p.black)

    @property
    def chess960(self) -> bool:
        """Whether castling is king takes rook."""
        return bool(self._p.chess960)

    @property
    def position(self) -> np.ndarray:
        """The position as an array of one element: shape (1,), dtype POSITION, a copy."""
        return np.frombuffer(bytes(self._p), POSITION).copy()

    def piece(self, square: int) -> Optional[str]:
        """The piece on a square (a1 is 0) as its letter in FEN, None if it is empty."""
        return ".KQNBRP..kqnbrp."[lib.ply11_piece_on(ctypes.byref(self._p), square)].strip(".") or None

    @property
    def outcome(self) -> str:
        """"playing", "check", "stalemate" or "mate", by the moves there are."""
        return ("playing", "check", "stalemate", "mate")[lib.ply11_outcome(ctypes.byref(self._p))]

    def legal(self) -> npt.NDArray[np.uint16]:
        """The codes of the legal moves, by the piece: K Q N B R P. Shape (n,)."""
        moves = np.empty(1024, np.uint16)
        return moves[:lib.ply11_legal(ctypes.byref(self._p), moves.ctypes.data, 1024)].copy()

    def mask(self) -> npt.NDArray[np.bool_]:
        """Whether the move of each code is legal. Shape (1968,), bool."""
        return np.unpackbits(legal_masks(self.position)[0], bitorder="little").view(np.bool_)

    def is_legal(self, move: int) -> bool:
        """Whether a code is legal; NULL is, if the side to move is not in check."""
        return 0 <= move < 2048 and bool(lib.ply11_is_legal(ctypes.byref(self._p), move))

    def parse(self, move: Union[int, str]) -> int:
        """The code of a legal move that is given as a code, in SAN or in UCI. Else an Error."""
        if not isinstance(move, str):
            if not self.is_legal(move):
                raise Error(_ILLEGAL, f"code {move} in {self.fen}")
            return int(move)
        code = ctypes.c_uint16()
        b = move.encode()
        status = lib.ply11_from_uci(ctypes.byref(self._p), b, len(b), ctypes.byref(code))
        if status:
            status = lib.ply11_from_san(ctypes.byref(self._p), b, len(b), ctypes.byref(code))
        if status:
            raise Error(status, f"{move!r} in {self.fen}")
        return code.value

    def push(self, move: Union[int, str]) -> int:
        """Makes a move, which must be legal, and returns its code."""
        code = self.parse(move)
        lib.ply11_make(ctypes.byref(self._p), code)
        return code

    def san(self, move: Union[int, str]) -> str:
        """A legal move in the export form of the PGN standard: "Nbxd2+"."""
        code = self.parse(move)
        buffer = ctypes.create_string_buffer(16)
        lib.ply11_to_san(ctypes.byref(self._p), code, buffer)
        return buffer.value.decode()


_ILLEGAL = 9


def replay(codes: npt.ArrayLike, start: Optional[Board] = None, verify: bool = True) -> np.ndarray:
    """All positions of a line of n moves, from the start to the last: shape (n + 1,), dtype POSITION.

    A move that is not legal is an Error, whose ``at`` is the number of moves before it. Without ``verify`` no move is looked at, which is
    some ten times faster; a line with a move that is not legal then gives positions that are none.
    """
    c = _codes(codes)
    if c.ndim != 1:
        raise ValueError("a line of moves has one dimension")
    p = (start or Board()).copy()._p
    line = np.empty(c.size + 1, POSITION)
    if not verify:
        lib.ply11_replay(ctypes.byref(p), c.ctypes.data, c.size, line.ctypes.data)
        return line
    made = ctypes.c_size_t()
    status = lib.ply11_verify(ctypes.byref(p), c.ctypes.data, c.size, line.ctypes.data, ctypes.byref(made))
    if status:
        raise Error(status, f"move {made.value + 1} of the line, code {c[made.value]}", made.value)
    return line


def legal_masks(positions: np.ndarray, out: Optional[np.ndarray] = None) -> npt.NDArray[np.uint8]:
    """The legal moves as bits: bit c % 8 of byte c // 8 is the move of code c. Shape (n, 246), uint8. np.unpackbits(..., bitorder="little") spreads it."""
    p = _positions(positions)
    out = _out(out, (p.size, 246), np.uint8)
    lib.ply11_legal_masks(p.ctypes.data, p.size, out.ctypes.data)
    return out


# ---- Games ----


class Game(NamedTuple):
    """A game of a stream of words."""

    start: Board
    moves: npt.NDArray[np.uint16]
    """The codes of the main line, shape (n,)."""
    result: str
    """"1-0", "0-1", "1/2-1/2" or "*"."""
    events: List[Tuple[str, Union[int, str, None]]]
    """All of it in order: ("move", code), ("nag", number), ("text", str), ("(", None), (")", None)."""


def read_words(data: bytes, depth: int = 64) -> Iterator[Game]:
    """The games of a .words file, of which variations are at most so deep. Each move is verified. An Error's ``at`` is a word."""
    buffer = np.frombuffer(data, np.uint8)
    levels = (Position * (2 * depth))()
    chars = ctypes.create_string_buffer(4096)
    r, e = Reader(), Event()
    lib.ply11_reader_bytes(ctypes.byref(r), buffer.ctypes.data, buffer.size, levels, depth, chars, 4096)
    start, piece = Board(), b""
    moves: List[int] = []
    events: List[Tuple[str, Any]] = []
    while True:
        status = lib.ply11_read(ctypes.byref(r), ctypes.byref(e))
        if status == 1:
            return
        if status:
            raise Error(status, f"game {r.games}, word {r.word}", r.word)
        if e.kind == 0:
            start = Board.__new__(Board)
            start._p = Position.from_buffer_copy(r.position)
            moves, events = [], []
        elif e.kind == 1:
            events.append(("move", e.code))
            if e.depth == 0:
                moves.append(e.code)
        elif e.kind in (2, 3):
            events.append(("()"[e.kind - 2], None))
        elif e.kind == 4:
            piece += chars.raw[:e.size]
            if not e.more:
                events.append(("text", piece.decode()))
                piece = b""
        elif e.kind == 5:
            events.append(("nag", e.nag))
        else:
            yield Game(start, np.array(moves, np.uint16), ("0-1", "1/2-1/2", "1-0", "*")[e.code - 1968], events)


# ---- Networks ----


def vocabulary_size(vocabulary: str) -> int:
    """How many labels a vocabulary has."""
    return int(lib.ply11_vocabulary_size(_vocabulary(vocabulary)))


def vocabulary_labels(vocabulary: str, piece: str) -> npt.NDArray[np.int32]:
    """The label of each code for a piece ("K" to "P", small letters for Black); -1 where it does not move so. Shape (1968,), int32."""
    v, m = _vocabulary(vocabulary), ".KQNBRP..kqnbrp.".find(piece)
    if m < 1 or len(piece) != 1:
        raise ValueError(f"{piece!r} is no piece")
    return np.array([lib.ply11_label(v, m, c) for c in range(MOVES)], np.int32)


def labels(positions: np.ndarray, codes: npt.ArrayLike, vocabulary: str = "lc0", out: Optional[np.ndarray] = None) -> npt.NDArray[np.int32]:
    """The labels of n moves, each in its position; -1 where there is none. Shape (n,), int32."""
    p, c = _positions(positions), _codes(codes)
    if c.shape != p.shape:
        raise ValueError("as many codes as positions")
    out = _out(out, p.shape, np.int32)
    lib.ply11_labels(_vocabulary(vocabulary), p.ctypes.data, c.ctypes.data, p.size, out.ctypes.data)
    return out


def label_masks(positions: np.ndarray, vocabulary: str = "lc0", out: Optional[np.ndarray] = None) -> npt.NDArray[np.uint8]:
    """The labels of the legal moves as bits, low bits first. Shape (n, (labels + 7) // 8), uint8."""
    p, v = _positions(positions), _vocabulary(vocabulary)
    out = _out(out, (p.size, (lib.ply11_vocabulary_size(v) + 7) // 8), np.uint8)
    lib.ply11_label_masks(v, p.ctypes.data, p.size, out.ctypes.data)
    return out


def _spread(bits: np.ndarray, shape: Tuple[int, ...], out: Optional[np.ndarray]) -> np.ndarray:
    out = _out(out, shape, np.uint8)
    lib.ply11_spread(bits.ctypes.data, bits.size, out.ctypes.data)
    return out


def planes(positions: np.ndarray, turns: bool = True, bits: bool = False, out: Optional[np.ndarray] = None) -> npt.NDArray[np.uint8]:
    """Boards of n positions: P N B R Q K of the first side, then of the other, by rank and file, 1 where the piece stands.

    The first side is the one to move, and the ranks are mirrored for Black; without ``turns`` it is White. Shape (n, 12, 8, 8), uint8; with ``bits``
    (n, 12, 8), a byte a rank, bit 0 the a-file.
    """
    p = _positions(positions)
    packed = _out(out, (p.size, 12, 8), np.uint8) if bits else np.empty((p.size, 12, 8), np.uint8)
    lib.ply11_planes(p.ctypes.data, p.size, turns, packed.ctypes.data)
    return packed if bits else _spread(packed, (p.size, 12, 8, 8), out)


def states(positions: np.ndarray, turns: bool = True, out: Optional[np.ndarray] = None) -> npt.NDArray[np.uint8]:
    """Black to move; castling rights of the first side, short and long, and of the other; en passant file, 1 to 8; clock, at most 255. Shape (n, 7), uint8."""
    p = _positions(positions)
    out = _out(out, (p.size, 7), np.uint8)
    lib.ply11_states(p.ctypes.data, p.size, turns, out.ctypes.data)
    return out


def _write_clocks(bits: np.ndarray, spread: np.ndarray) -> None:
    """Puts the clock into plane 109 of spread planes, which is no plane of bits: its eight equal bytes are what each rank gets."""
    spread.view(np.uint64)[:, 109, :, 0] = bits.view(np.uint64)[:, 109]


def lc0_planes(line: np.ndarray, first: int = 0, last: Optional[int] = None, bits: bool = False, out: Optional[np.ndarray] = None) -> npt.NDArray[np.uint8]:
    """lc0's 112 classical planes of positions first to last - 1 of a game, as docs/train.md has them.

    ``line`` is all positions of the game from its start, as replay returns them: the planes show seven earlier boards, and repetitions. Shape
    (last - first, 112, 8, 8), uint8, in which plane 109 is the clock; with ``bits`` (last - first, 112, 8).
    """
    p = _positions(line)
    last = p.size if last is None else last
    if not 0 <= first <= last <= p.size:
        raise ValueError(f"no positions {first} to {last} of {p.size}")
    n = last - first
    packed = _out(out, (n, 112, 8), np.uint8) if bits else np.empty((n, 112, 8), np.uint8)
    lib.ply11_lc0_planes(p.ctypes.data, first, last, packed.ctypes.data)
    if bits:
        return packed
    spread = _spread(packed, (n, 112, 8, 8), out)
    _write_clocks(packed, spread)
    return spread
