# SPDX-License-Identifier: Apache-2.0
"""The core in C, by ctypes. What the functions do is told in clients/c/ply11.h."""
from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_int, c_int32, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

lib = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "_ply11.dll" if sys.platform == "win32" else "_ply11.so"))


class Position(ctypes.Structure):
    """ply11_position, 56 bytes."""

    _fields_ = [
        ("plane", c_uint64 * 4), ("castling", c_uint64), ("clock", c_uint32), ("number", c_uint32),
        ("black", c_uint8), ("en_passant", c_uint8), ("chess960", c_uint8), ("zero", c_uint8 * 5),
    ]


class Event(ctypes.Structure):
    """ply11_event."""

    _fields_ = [
        ("kind", c_int), ("code", c_uint16), ("nag", c_uint8), ("more", c_uint8), ("told", c_uint8),
        ("depth", c_uint32), ("ply", c_size_t), ("text", c_void_p), ("size", c_size_t),
    ]


class Reader(ctypes.Structure):
    """ply11_reader."""

    _fields_ = [
        ("position", Position), ("before", Position), ("games", c_size_t), ("word", c_size_t), ("ply", c_size_t),
        ("bytes", c_void_p), ("words", c_void_p), ("size", c_size_t), ("next", c_size_t), ("levels", c_void_p), ("text", c_void_p),
        ("cap", c_size_t), ("piece", c_size_t), ("max_depth", c_uint32), ("depth", c_uint32), ("acc", c_uint32), ("have", c_uint32),
        ("utf8", c_uint32), ("state", c_uint8), ("full", c_uint8), ("moved", c_uint8), ("told", c_uint8), ("failed", c_int),
    ]


class Fault(ctypes.Structure):
    """ply11_fault."""

    _fields_ = [("what", c_char_p), ("offset", c_uint64), ("game", c_uint64), ("block", c_uint32), ("column", c_uint32)]


class Source(ctypes.Structure):
    """host_source of host.c."""

    _fields_ = [("bytes", c_void_p), ("size", c_uint64), ("fd", c_int)]


class Tag(ctypes.Structure):
    """ply11_tag."""

    _fields_ = [("name", c_void_p), ("value", c_void_p), ("name_size", c_size_t), ("value_size", c_size_t)]


class Block(ctypes.Structure):
    """ply11_block."""

    _fields_ = [
        ("first", c_uint64), ("number", c_uint32), ("games", c_uint32), ("plies", c_uint32), ("offsets", c_void_p), ("moves", c_void_p),
        ("results", c_void_p), ("flags", c_void_p), ("clocks", c_void_p), ("evals", c_void_p), ("start_evals", c_void_p),
    ]


class Window(ctypes.Structure):
    """ply11_window."""

    _fields_ = [("games", c_uint32), ("plies", c_uint32), ("rows", c_uint32)] + [
        (name, c_void_p) for name in ("list", "moves", "of", "order", "positions", "repeated", "evals")]


class Rows(ctypes.Structure):
    """ply11_rows."""

    _fields_ = [("vocabulary", c_int), ("turns", c_int), ("bytes", c_int)] + [
        (name, c_void_p) for name in ("moves", "results", "games", "plies", "evals", "positions", "planes", "labels", "legal")]


class Counts(ctypes.Structure):
    """ply11_counts."""

    _fields_ = [(name, c_uint64) for name in ("games", "white", "draws", "black", "white_ratings", "white_rated", "black_ratings", "black_rated")]


class Branch(ctypes.Structure):
    """ply11_branch."""

    _fields_ = [("code", c_uint16), ("counts", Counts)]


class Tree(ctypes.Structure):
    """ply11_tree."""

    _fields_ = [("all", Counts), ("count", c_uint32), ("branches", POINTER(Branch))]


_p = c_void_p  # a position, or the first of an array of them
_size_p = POINTER(c_size_t)

for _name, _result, _arguments in [
    ("word", c_uint16, [c_uint]),
    ("code", c_uint16, [c_uint, c_uint, c_uint]),
    ("mirror_ranks", c_uint16, [c_uint]),
    ("mirror_files", c_uint16, [c_uint]),
    ("code_class", c_int, [c_uint]),
    ("control_name", c_char_p, [c_uint]),
    ("packed_size", c_size_t, [c_size_t]),
    ("pack", None, [c_void_p, c_size_t, c_void_p]),
    ("unpack", c_size_t, [c_void_p, c_size_t, c_size_t, c_void_p, c_size_t]),
    ("status_text", c_char_p, [c_int]),
    ("start", None, [_p]),
    ("from_fen", c_int, [_p, c_char_p, c_size_t, _size_p]),
    ("to_fen", c_size_t, [_p, c_char_p]),
    ("piece_on", c_uint, [_p, c_uint]),
    ("legal", c_size_t, [_p, c_void_p, c_size_t]),
    ("is_legal", c_int, [_p, c_uint]),
    ("legal_masks", None, [_p, c_size_t, c_void_p]),
    ("outcome", c_int, [_p]),
    ("make", None, [_p, c_uint]),
    ("replay", None, [_p, c_void_p, c_size_t, c_void_p]),
    ("verify", c_int, [_p, c_void_p, c_size_t, c_void_p, _size_p]),
    ("to_san", c_size_t, [_p, c_uint, c_char_p]),
    ("from_san", c_int, [_p, c_char_p, c_size_t, POINTER(c_uint16)]),
    ("to_uci", c_size_t, [c_uint, c_char_p]),
    ("from_uci", c_int, [_p, c_char_p, c_size_t, POINTER(c_uint16)]),
    ("reader_bytes", None, [c_void_p, c_void_p, c_size_t, c_void_p, c_uint32, c_void_p, c_size_t]),
    ("read", c_int, [c_void_p, c_void_p]),
    ("vocabulary_name", c_char_p, [c_int]),
    ("vocabulary_size", c_size_t, [c_int]),
    ("vocabulary_turns", c_int, [c_int]),
    ("label", c_int32, [c_int, c_uint, c_uint]),
    ("unlabel", c_uint16, [c_int, c_uint, c_int32]),
    ("labels", None, [c_int, _p, c_void_p, c_size_t, c_void_p]),
    ("label_masks", None, [c_int, _p, c_size_t, c_void_p]),
    ("planes", None, [_p, c_size_t, c_int, c_void_p]),
    ("states", None, [_p, c_size_t, c_int, c_void_p]),
    ("lc0_planes", None, [_p, c_size_t, c_size_t, c_void_p]),
    ("spread", None, [c_void_p, c_size_t, c_void_p]),
    ("host_open", c_int, [POINTER(c_void_p), POINTER(Source), c_size_t, POINTER(Fault)]),
    ("host_model", c_int, [POINTER(c_void_p), c_char_p, c_size_t]),
    ("archive_use", None, [c_void_p, c_void_p]),
    ("archive_close", None, [c_void_p]),
    ("archive_fault", POINTER(Fault), [c_void_p]),
    ("archive_games", c_uint64, [c_void_p]),
    ("archive_plies", c_uint64, [c_void_p]),
    ("archive_blocks", c_uint32, [c_void_p]),
    ("archive_unfinished", c_uint64, [c_void_p]),
    ("archive_find", c_int, [c_void_p, c_uint64, POINTER(c_uint32)]),
    ("archive_verify", c_int, [c_void_p]),
    ("block_sizes", c_int, [c_void_p, c_uint32, POINTER(c_uint32), POINTER(c_uint32)]),
    ("block_open", c_int, [c_void_p, c_uint32, c_uint, POINTER(POINTER(Block))]),
    ("block_close", None, [POINTER(Block)]),
    ("block_read", c_int, [POINTER(Block), c_uint]),
    ("window_add", c_int, [POINTER(Window), POINTER(Block), c_int, c_int]),
    ("window_rows", None, [POINTER(Window), c_void_p, c_size_t, POINTER(Rows), c_size_t]),
    ("block_start", c_int, [POINTER(Block), c_uint32, _p]),
    ("block_tags", c_uint32, [POINTER(Block), c_uint32]),
    ("host_index", c_int, [POINTER(c_void_p), c_void_p, POINTER(Source)]),
    ("index_close", None, [c_void_p]),
    ("index_tree", c_int, [c_void_p, _p, POINTER(POINTER(Tree))]),
    ("host_tag", c_size_t, [POINTER(Block), c_char_p, c_size_t, c_void_p, c_void_p]),
    ("block_tag", Tag, [POINTER(Block), c_uint32, c_uint32]),
]:
    _f = getattr(lib, "ply11_" + _name)
    _f.restype, _f.argtypes = _result, _arguments


def text(status: int) -> str:
    """What a status means."""
    return str(lib.ply11_status_text(status).decode())
